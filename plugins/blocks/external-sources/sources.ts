/** Stores and deletes external sources and generates blocks from them. */

import { basename, extname } from 'node:path'
import { type CommandContext, defined, problem, withoutFence } from '../../../core/index.ts'
import { sourceExtensions } from '../../../plc/edit/object-file.ts'
import { detectFile } from '../../../plc/formats/detect.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import type { Device } from '../../devices/index.ts'
import { requireName } from '../../program-objects/index.ts'
import { type ImportResult, importFiles } from '../exchange/import.ts'
import { type ExternalSource, findSource, sourceCollection, sourceDeleted, sourceStored } from './external-source.ts'

/** A row of the list. */
export function sourceView(source: ExternalSource) {
  return {
    name: source.name,
    folder: source.folder,
    extension: extname(source.name).toLowerCase(),
    size: source.size,
    createdAt: new Date(source.createdAt).toISOString(),
    modifiedDate: new Date(source.modifiedAt).toISOString(),
  }
}

/** What a source is made of. */
export interface NewSource {
  /** Name that the client gave; absent: the file's name. */
  readonly name?: string | undefined
  readonly fileName?: string | undefined
  readonly folder?: string | undefined
  readonly overwrite?: boolean | undefined
}

/**
 * Stores a source. Its content is checked when blocks are generated, as in TIA Portal; only files that are no text are
 * refused.
 * @throws GatewayError `name_taken`, `invalid_input` (name, folder), `unacceptable_content`
 */
export async function keepSource(
  ctx: CommandContext,
  device: Device,
  bytes: Uint8Array,
  { name: given, fileName, folder, overwrite = false }: NewSource,
): Promise<ExternalSource> {
  const name = given ?? fileName ?? freeName(ctx, device)
  requireName(name, '/sourceName', 'source')
  requireSourceText(name, bytes)
  const before = findSource(ctx, device.id, name)
  if (before && !overwrite) throw sourceCollection.taken(before, device, { canOverwrite: true })
  const source: ExternalSource = {
    ...sourceCollection.identityOf(ctx, device, name, folder === undefined ? {} : { folder }, before),
    file: await ctx.blobs.put(Buffer.from(bytes)),
    size: bytes.length,
  }
  const isSame = before?.file === source.file && before.folder === source.folder && before.name === source.name
  if (isSame) return before
  ctx.emit(sourceStored, { source }, sourceCollection.entityOf(device, name))
  return source
}

/** `Source_1.scl`, `Source_2.scl` …: the first that is free. */
function freeName(ctx: CommandContext, device: Device): string {
  for (let i = 1; ; i++) if (!findSource(ctx, device.id, `Source_${i}.scl`)) return `Source_${i}.scl`
}

/** @throws GatewayError `unacceptable_content` for a file that is no text or of another kind */
function requireSourceText(name: string, bytes: Uint8Array): void {
  const refuse = (reason: string) =>
    problem('unacceptable_content', `"${name}" is not an external source: ${reason}`, {
      suggestion: `External sources are text files with blocks: ${[...sourceExtensions].join(', ')}.`,
    })
  try {
    const { text } = decodeText(bytes)
    if (text.trim() === '') throw refuse('it is empty.')
    const { format } = detectFile(bytes)
    if (format === 'simaticml' || format === 'xml') throw refuse('it is XML; import it as a block instead.')
    if (format === 's7dcl' || format === 's7res')
      throw refuse('it is a SIMATIC SD document; import it as a block instead.')
  } catch (error) {
    if (error instanceof FormatError) throw refuse(error.faults[0]?.message ?? 'it is not text.')
    throw error
  }
}

/** Deletes a source. Blocks that were generated from it stay. */
export function deleteSource(ctx: CommandContext, device: Device, { name }: ExternalSource): void {
  ctx.emit(sourceDeleted, { deviceId: device.id, name }, sourceCollection.entityOf(device, name))
}

/** How blocks are generated. */
export interface Generation {
  /** Folder of the program for new blocks. */
  readonly folder?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly continueOnError?: boolean | undefined
}

/**
 * Makes the blocks and types of a source.
 * @throws GatewayError `unacceptable_content` with every fault (line and column), unless `continueOnError`
 */
export async function generateFrom(
  ctx: CommandContext,
  device: Device,
  name: string,
  bytes: Uint8Array,
  { folder, overwrite = true, continueOnError = false }: Generation,
): Promise<ImportResult> {
  const file = {
    path: basename(name),
    read: async () => Buffer.from(bytes),
    ...defined({ folder }),
  }
  return importFiles(ctx, device, [file], { overwrite, continueOnError, strict: true, checkCode: true })
}

/** A request to make blocks of a text. */
export interface SourceTextRequest {
  readonly content: string
  /** The text is also kept as an external source of this name. */
  readonly sourceName?: string | undefined
  readonly blockFolder?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly continueOnError?: boolean | undefined
  /** Default: true. */
  readonly compile?: boolean | undefined
}

/**
 * Makes the blocks and types of a text and compiles them.
 * @throws GatewayError as `generateFrom` does
 */
export async function importSourceText(ctx: CommandContext, device: Device, request: SourceTextRequest) {
  const bytes = Buffer.from(withoutFence(request.content))
  const name = request.sourceName ?? 'content'
  const result = await generateFrom(ctx, device, name, bytes, { ...request, folder: request.blockFolder })
  if (request.sourceName !== undefined)
    await keepSource(ctx, device, bytes, { name: request.sourceName, overwrite: true })
  const { compileImported } = await import('../compile/service.ts')
  return { sourceName: name, ...(await compileImported(ctx, device, result, request.compile ?? true)) }
}
