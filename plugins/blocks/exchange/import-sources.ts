/**
 * Imports sources that a plugin generated. They are wrapped in block XML first, the form that engineering tools import.
 */

import { type CommandContext, defined, GatewayError, isGatewayError } from '../../../core/index.ts'
import { extensionOf } from '../../../plc/edit/object-file.ts'
import type { Device } from '../../devices/index.ts'
import { calleesOf, cultureOf, work } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { type ImportRequest, type ImportResult, importFiles, importRequest } from './import.ts'
import type { ImportFile } from './import-folder.ts'

/** An external source that holds one object. */
export interface GeneratedSource {
  /** Name of the object, for messages. */
  readonly name: string
  /** `FB`, `FC`, `UDT` … */
  readonly kind: string
  readonly text: string
}

/**
 * Wraps sources in SimaticML of the project's engineering version and imports them; existing objects are replaced.
 * @throws GatewayError `unacceptable_content` with every fault; then nothing is imported
 */
export async function importGenerated(
  ctx: CommandContext,
  device: Device,
  sources: readonly GeneratedSource[],
): Promise<ImportResult> {
  const { version } = requireProject(ctx)
  const culture = cultureOf(ctx)
  const callees = { ...present(ctx, device, sources), ...(await generated(sources)) }
  const files: ImportFile[] = []
  const warnings: string[] = []
  for (const { name, kind, text } of sources) {
    const document = { text, format: 'source' as const, kind, name, culture, callees }
    const xml = await work(ctx, 'writeXml', { document, version }, text.length)
    warnings.push(...xml.warnings)
    files.push({ path: `${name}.xml`, read: async () => Buffer.from(xml.text, 'utf8') })
  }
  const options = { overwrite: true, continueOnError: false, strict: true }
  const result = await asMade(() => importFiles(ctx, device, files, options))
  return { ...result, warnings: [...warnings, ...result.warnings] }
}

type Callees = ReturnType<typeof calleesOf>

const present = (ctx: CommandContext, device: Device, sources: readonly GeneratedSource[]): Callees =>
  calleesOf(
    ctx,
    device.id,
    sources.map(({ text }) => text),
  )

/** What the sources themselves are to the calls in them. */
async function generated(sources: readonly GeneratedSource[]): Promise<Callees> {
  const { readSource } = await import('../../../plc/formats/source/read.ts')
  const callees: Callees = {}
  for (const { name, kind, text } of sources)
    if (kind === 'FC') callees[name.toUpperCase()] = { kind }
    else if (kind.endsWith('DB')) {
      const type = readSource(text).blocks[0]?.object.instanceOf
      if (type !== undefined) callees[name.toUpperCase()] = { kind: 'FB', name: type }
    }
  return callees
}

/**
 * Imports sources as they are, over what is there: comments and the order of declarations stay. New objects go to
 * `folder`; those that are there stay where they are.
 * @throws GatewayError `unacceptable_content` with every fault, also of the syntax of statements; nothing is imported
 * then
 */
export async function importSources(
  ctx: CommandContext,
  device: Device,
  sources: readonly (GeneratedSource & { readonly folder?: string })[],
): Promise<ImportResult> {
  const files = sources.map(({ name, kind, text, folder }) => ({
    path: `${name}${extensionOf({ format: 'source', kind, language: 'SCL' })}`,
    read: async () => Buffer.from(text, 'utf8'),
    ...defined({ folder }),
  }))
  const options = { overwrite: true, continueOnError: false, strict: true, checkCode: true }
  return await asMade(() => importFiles(ctx, device, files, options))
}

/**
 * Imports the text of a file that was made of a request: SimaticML, or a source with several objects.
 * @throws GatewayError `unacceptable_content` with every fault; then nothing is imported
 */
export async function importMade(
  ctx: CommandContext,
  device: Device,
  made: Pick<ImportRequest, 'content' | 'folder' | 'overwrite'>,
): Promise<ImportResult> {
  return await asMade(() => importRequest(ctx, device, made))
}

/** What a client may do about a fault is another than with files of its own: there are none to correct or leave out. */
async function asMade<T>(importing: () => Promise<T>): Promise<T> {
  try {
    return await importing()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { suggestion: _ofFiles, ...details } = error.details
    const isTaken = details.errors?.some(({ code }) => code === 'name_taken')
    const suggestion = isTaken ? 'Send overwrite: true to replace what is there.' : undefined
    throw new GatewayError(error.code, error.message, { ...details, ...defined({ suggestion }) })
  }
}
