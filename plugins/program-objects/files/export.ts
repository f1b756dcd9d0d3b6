/** Exports blocks and types: as SimaticML or external source, to a file or as content. */

import { basename, extname, join } from 'node:path'
import { type CommandContext, defined, isGatewayError, problem, type QueryContext } from '../../../core/index.ts'
import { extensionOf } from '../../../plc/edit/object-file.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import { type ContributedFormat, formatNamed } from '../../../plc/formats/file-format.ts'
import { fileNameOf, requireProject } from '../../projects/index.ts'
import { typesOfValues } from '../documents/declared.ts'
import { calleesOf, documentOf, work } from '../documents/documents.ts'
import type { StoredObject, StoredText } from '../stored-text.ts'
import { fileFormat } from './file-format.ts'

/** An object that can be exported: a block, or a type (kind `UDT`, without number). */
export type Exportable = StoredObject &
  Pick<StoredText, 'size'> & { readonly language: string; readonly isKnowHowProtected: boolean }

/** An exported text. */
export interface Exported {
  readonly content: string
  readonly extension: string
  readonly warnings: readonly string[]
}

/** @throws GatewayError `conflict` for a protected block, whose text cannot be read */
export function requireReadable({ name, isKnowHowProtected }: Pick<Exportable, 'name' | 'isKnowHowProtected'>): void {
  if (isKnowHowProtected)
    throw problem(
      'conflict',
      `Block "${name}" is know-how protected: its content can be neither read, exported nor changed.`,
    )
}

/** Texts of objects in a namespace contain the namespace. */
const namespaceWords = /<Namespace>[^<]|\bNAMESPACE\b/i

/** The document for other tools: names of its own namespace are bare. */
async function exportedDocument(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
  options: Parameters<typeof documentOf>[2] = {},
) {
  const document = await documentOf(ctx, object, options)
  const { unit, size } = object
  const isNamed = unit !== undefined || namespaceWords.test(document.text)
  return isNamed ? work(ctx, 'bareDocument', { document, unit }, size) : document
}

/** The object as the text of a SimaticML file; without `version` for that of the project. */
export async function exportAsXml(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
  version?: string,
): Promise<Exported> {
  requireReadable(object)
  return xmlOf(ctx, object, await exportedDocument(ctx, object, { callsIn: [] }), version)
}

/** The same with the names that the object has in the program of the gateway, so that it can be put back. */
export async function storedAsXml(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
): Promise<Exported> {
  return xmlOf(ctx, object, await documentOf(ctx, object, { callsIn: [] }), undefined)
}

async function xmlOf(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
  plain: StoredDocument,
  version: string | undefined,
): Promise<Exported> {
  const document = { ...plain, types: await typesOfValues(ctx, object.deviceId, plain) }
  const wanted = version ?? requireProject(ctx).version
  const { text, warnings } = await work(ctx, 'writeXml', { document, version: wanted }, object.size)
  return { content: text, extension: '.xml', warnings }
}

/**
 * The object as external source.
 * @throws GatewayError `conflict` when it has no such form (graphical networks)
 */
export async function exportAsSource(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
): Promise<Exported & { readonly language: string }> {
  requireReadable(object)
  const source = await work(ctx, 'readSourceText', await exportedDocument(ctx, object), object.size)
  if (!source) {
    throw problem(
      'conflict',
      `"${object.name}" (${object.language}) has no source text: only SCL blocks, data blocks and types have one. Export it as XML.`,
    )
  }
  const { kind } = object
  const extension = extensionOf({ format: 'source', kind, language: source.language })
  return { content: source.text, extension, language: source.language, warnings: source.warnings }
}

/**
 * The object as SIMATIC SD: code, and its texts when it has any.
 * @throws GatewayError `unacceptable_content` naming what the format cannot express
 */
async function exportAsSd(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  object: Exportable,
): Promise<Exported & { readonly resources?: string }> {
  requireReadable(object)
  const plain = await exportedDocument(ctx, object)
  const callees = calleesOf(ctx, object.deviceId, [plain.text])
  const document = { ...plain, callees, types: await typesOfValues(ctx, object.deviceId, plain) }
  const { text, ...rest } = await work(ctx, 'writeSdText', document, object.size)
  return { content: text, extension: '.s7dcl', ...rest }
}

/** Where an export was written. */
export interface Written {
  readonly path: string
  readonly size: number
}

/**
 * Writes an export into the workspace, a text with a byte order mark. A path without extension means a folder.
 * @throws GatewayError `conflict` when the file exists and `overwrite` is not set (Openness refuses it too)
 */
export async function writeExport(
  ctx: CommandContext,
  name: string,
  { content, extension }: { readonly content: string | Uint8Array; readonly extension: string },
  exportPath: string,
  overwrite: boolean,
): Promise<Written> {
  const path = await exportFile(ctx, name, extension, exportPath, overwrite)
  const bytes = typeof content === 'string' ? Buffer.from(`\uFEFF${content}`) : content
  await ctx.files.write(path, bytes)
  return { path, size: bytes.length }
}

/**
 * The file of an export, after checking that it may be written.
 * @param extension that a file gets which is named by its folder only
 * @throws GatewayError `conflict` when it exists and `overwrite` is not set
 */
export async function exportFile(
  ctx: CommandContext,
  name: string,
  extension: string,
  exportPath: string,
  overwrite: boolean,
): Promise<string> {
  const given = await ctx.files.resolve(exportPath)
  const info = await ctx.files.stat(given)
  const isFolder = info ? info.isDirectory : /[\\/]$/.test(exportPath) || extname(basename(exportPath)) === ''
  const path = isFolder ? join(given, `${fileNameOf(name)}${extension}`) : given
  const present = isFolder ? await ctx.files.stat(path) : info
  if (present?.isDirectory) throw problem('conflict', `"${path}" is a folder.`)
  if (present && !overwrite) {
    throw problem('conflict', `File "${path}" exists already.`, { suggestion: 'Send overwrite: true to replace it.' })
  }
  return path
}

/**
 * Writes the two files of an export as SIMATIC SD; neither when one of them exists and `overwrite` is not set. Without
 * texts there is no second file; an existing one is emptied.
 */
async function writeSdExport(
  ctx: CommandContext,
  name: string,
  { content, resources }: { readonly content: string; readonly resources?: string },
  exportPath: string,
  overwrite: boolean,
): Promise<Written & { readonly resourcesPath?: string }> {
  const path = await exportFile(ctx, name, '.s7dcl', exportPath, overwrite)
  const resourcesPath = `${path.replace(/\.s7dcl$/i, '')}.s7res`
  const present = await ctx.files.stat(resourcesPath)
  if (present && (present.isDirectory || !overwrite)) {
    throw problem('conflict', `File "${resourcesPath}" exists already.`, {
      suggestion: 'Send overwrite: true to replace it.',
    })
  }
  const code = Buffer.from(`\uFEFF${content}`)
  await ctx.files.write(path, code)
  if (resources === undefined && !present) return { path, size: code.length }
  const texts = Buffer.from(`\uFEFF${resources ?? 'MultiLingualTexts:\n'}`)
  await ctx.files.write(resourcesPath, texts)
  return { path, size: code.length, resourcesPath }
}

/** The request of an export. */
export interface ExportRequest {
  readonly exportPath?: string | undefined
  /** `scl` is `source`. */
  readonly format?: 'xml' | 'source' | 'scl' | 'sd' | undefined
  readonly version?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** The format that the extension of a file means; SimaticML for any other name. */
function formatOf(path = ''): 'xml' | 'source' | 'sd' {
  if (/\.s7dcl$/i.test(path)) return 'sd'
  return /\.(scl|awl|stl|db|udt)$/i.test(path) ? 'source' : 'xml'
}

/** Exports a block or type to a file, or as content. */
export async function runExport(ctx: CommandContext, object: Exportable, request: ExportRequest) {
  const { exportPath, version, overwrite = false } = request
  const contributed = request.format === undefined ? formatNamed(writers(ctx), exportPath ?? '') : undefined
  if (contributed !== undefined) return runContributedExport(ctx, object, contributed, request)
  const format = request.format === 'scl' ? 'source' : (request.format ?? formatOf(exportPath))
  if (format === 'sd') return runSdExport(ctx, object, exportPath, overwrite)
  const exported = format === 'xml' ? await exportAsXml(ctx, object, version) : await exportAsSource(ctx, object)
  const result = { name: object.name, format, warnings: [...exported.warnings] }
  if (exportPath === undefined)
    return { ...result, size: Buffer.byteLength(exported.content), content: exported.content }
  const { path, size } = await writeExport(ctx, object.name, exported, exportPath, overwrite)
  return { ...result, exportPath: path, size }
}

/** Formats of plugins that write. */
function writers(ctx: Pick<QueryContext, 'extensions'>) {
  return ctx.extensions(fileFormat).filter(({ write }) => write !== undefined)
}

/** @throws GatewayError `unacceptable_content` with what the writer says that the format cannot hold */
async function runContributedExport(
  ctx: CommandContext,
  object: Exportable,
  format: ContributedFormat,
  { exportPath = '', version, overwrite = false }: ExportRequest,
) {
  const { content: xml, warnings } = await exportAsXml(ctx, object, version)
  const source = await exportAsSource(ctx, object).catch((error) => {
    // A graphical block has none.
    if (isGatewayError(error) && error.code === 'conflict') return undefined
    throw error
  })
  const { name, kind } = object
  let content: unknown
  try {
    content = await format.write?.({ name, kind, xml, ...defined({ source: source?.content }) })
    if (typeof content !== 'string') throw new TypeError('write() gave no text')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw problem('unacceptable_content', `The format "${format.name}" cannot write "${name}": ${reason}`)
  }
  const extension = format.extensions[0] ?? ''
  const { path, size } = await writeExport(ctx, name, { content, extension }, exportPath, overwrite)
  return { name, format: format.name, warnings: [...(source?.warnings ?? warnings)], exportPath: path, size }
}

async function runSdExport(
  ctx: CommandContext,
  object: Exportable,
  exportPath: string | undefined,
  overwrite: boolean,
) {
  const { content, resources, warnings } = await exportAsSd(ctx, object)
  const texts = resources === undefined ? {} : { resources }
  const result = { name: object.name, format: 'sd' as const, warnings: [...warnings] }
  if (exportPath === undefined) return { ...result, size: Buffer.byteLength(content), content, ...texts }
  const { path, ...written } = await writeSdExport(ctx, object.name, { content, ...texts }, exportPath, overwrite)
  return { ...result, exportPath: path, ...written }
}
