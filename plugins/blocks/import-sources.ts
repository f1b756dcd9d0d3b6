/**
 * Imports sources that a plugin generated. They are wrapped in block XML first, the form that engineering tools import.
 */

import { type CommandContext, defined } from '../../core/index.ts'
import { extensionOf } from '../../plc/edit/object-file.ts'
import type { Device } from '../devices/index.ts'
import { cultureOf, instancesOf, work } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { type ImportResult, importFiles } from './import.ts'

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
  const instances = instancesOf(
    ctx,
    device.id,
    sources.map(({ text }) => text),
  )
  const files = []
  const warnings: string[] = []
  for (const { name, kind, text } of sources) {
    const document = { text, format: 'source' as const, kind, name, culture, instances }
    const xml = await work(ctx, 'writeXml', { document, version }, text.length)
    warnings.push(...xml.warnings)
    files.push({ path: `${name}.xml`, read: async () => Buffer.from(xml.text, 'utf8') })
  }
  const result = await importFiles(ctx, device, files, { overwrite: true, continueOnError: false, strict: true })
  return { ...result, warnings: [...warnings, ...result.warnings] }
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
  return await importFiles(ctx, device, files, options)
}
