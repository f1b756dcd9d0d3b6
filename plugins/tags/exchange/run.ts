/**
 * Implementation of the exchange operations: finds the file, reads it on the engine, applies its rows; writes tables to
 * files.
 */

import { type CommandContext, problem } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import type { Device } from '../../devices/index.ts'
import { cultureOf, orOtherKind, writeExport } from '../../program-objects/index.ts'
import { type TagTable, tagTablesOf } from '../tag-table.ts'
import { type Applied, applyRows } from './apply.ts'
import { type ExchangeContent, RowFaults, requestRows } from './content.ts'
import { constantSheet, lostComments, type SheetOptions, tableSheet, tagSheet } from './sheets.ts'
import { type ExchangeFormat, readTask, writeTask } from './tables.task.ts'

/** Source and options of an import. */
export interface ImportRequest {
  readonly filePath?: string | undefined
  readonly file?: { readonly fileName: string; readonly blob: string } | undefined
  readonly content?: string | undefined
  readonly contentBase64?: string | undefined
  readonly tableName?: string | undefined
  readonly ignorePath?: boolean | undefined
  readonly overwrite?: boolean | undefined
  readonly continueOnError?: boolean | undefined
  readonly culture?: string | undefined
}

/**
 * Imports a file.
 * @throws GatewayError `invalid_input` without a source, `not_found`, `unacceptable_content` with all faulty rows
 */
export async function importFile(
  ctx: CommandContext,
  device: Device,
  request: ImportRequest,
  format: ExchangeFormat,
): Promise<Applied> {
  const { path, bytes } = await sourceOf(ctx, request, format)
  ctx.progress(0, `Reading ${path}`)
  const own = format === 'xlsx' ? 'workbook' : format === 'csv' ? 'tag-list' : 'json'
  const read = () => ctx.engine.run<ExchangeContent>(readTask({ bytes, format }))
  const content = await orOtherKind(path, () => bytes, [own], read)
  return apply(ctx, device, request, content, path)
}

/** Imports rows contained in the request. */
export async function importRows(
  ctx: CommandContext,
  device: Device,
  request: ImportRequest,
  rows: Readonly<Record<string, unknown>>,
): Promise<Applied> {
  const { readJson } = await import('./json.ts')
  return apply(ctx, device, request, readJson(rows, new RowFaults()), requestRows)
}

async function apply(
  ctx: CommandContext,
  device: Device,
  request: ImportRequest,
  content: ExchangeContent,
  path: string,
) {
  const defaultTable = tagTablesOf(ctx, device.id).find(({ isDefault }) => isDefault)
  const options = {
    tableName: request.tableName ?? defaultTable?.name ?? 'Default tag table',
    ignorePath: request.ignorePath ?? false,
    overwrite: request.overwrite ?? true,
    continueOnError: request.continueOnError ?? false,
    culture: request.culture ?? cultureOf(ctx),
  }
  const applied = await applyRows(ctx, device, content, options, path)
  ctx.progress(100, `${applied.created} created, ${applied.updated} changed`)
  return applied
}

async function sourceOf(ctx: CommandContext, request: ImportRequest, format: ExchangeFormat) {
  const { filePath, file, content, contentBase64 } = request
  const given = [filePath, file, content, contentBase64].filter((source) => source !== undefined)
  if (given.length !== 1) {
    const text = format === 'xlsx' ? 'contentBase64 (the file itself)' : 'content (text)'
    const message = `one of filePath (file of the workspace), file (upload) and ${text} is needed`
    throw problem('invalid_input', `/filePath: ${message}.`, { errors: [{ path: '/filePath', message }] })
  }
  if (file) return { path: file.fileName, bytes: await ctx.blobs.get(file.blob) }
  if (content !== undefined) return { path: 'content', bytes: Buffer.from(content) }
  if (contentBase64 !== undefined) {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(contentBase64))
      throw problem('invalid_input', '/contentBase64: must be base64.', {
        errors: [{ path: '/contentBase64', message: 'must be base64' }],
      })
    return { path: 'content', bytes: Buffer.from(contentBase64, 'base64') }
  }
  const path = filePath ?? ''
  const resolved = await ctx.files.resolve(path)
  const info = await ctx.files.stat(resolved)
  if (!info) throw problem('not_found', `There is no file "${path}" in the workspace (${resolved}).`)
  if (info.isDirectory) throw problem('invalid_input', `/filePath: "${path}" is a folder; a file is needed.`)
  return { path, bytes: await ctx.files.read(resolved) }
}

/** Options of an export. */
export interface ExportRequest {
  readonly exportPath?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly allTables?: boolean | undefined
  readonly allCultures?: boolean | undefined
  readonly culture?: string | undefined
  readonly include?: 'tags' | 'constants' | 'all' | undefined
  readonly delimiter?: ',' | ';' | 'tab' | undefined
  readonly format?: 'csv' | 'sdf' | undefined
}

/** Writes tables as a workbook. */
export async function exportWorkbook(ctx: CommandContext, device: Device, table: TagTable, request: ExportRequest) {
  const { tables, options } = await chosen(ctx, device, table, request, false)
  const constants = tables.some((one) => one.constants.length > 0)
  const sheets = [
    { name: 'PLC Tags', rows: tagSheet(tables, options) },
    ...(constants ? [{ name: 'Constants', rows: constantSheet(tables, options) }] : []),
    { name: 'TagTable Properties', rows: tableSheet(tables) },
  ]
  const bytes = await ctx.engine.run<Uint8Array>(writeTask({ sheets, modifiedAt: ctx.now }))
  const content = Buffer.from(bytes)
  const written = await writeOut(ctx, request, fileName(device, table, request), content, '.xlsx')
  return {
    ...summary(table, tables, 'xlsx', content.length, lostComments(tables, options)),
    ...(written === undefined ? { contentBase64: content.toString('base64') } : { exportPath: written }),
  }
}

/** Writes a table as a symbol list. The format has no column for tables, so it contains only one. */
export async function exportSdf(ctx: CommandContext, device: Device, table: TagTable, request: ExportRequest) {
  if (request.allTables === true) {
    const message = 'a .sdf has no column for the table: it holds one table'
    throw problem('invalid_input', `/allTables: ${message}.`, { errors: [{ path: '/allTables', message }] })
  }
  const { options } = await chosen(ctx, device, table, request, false)
  const { writeSdf } = await import('./sdf.ts')
  const what = request.include ?? 'all'
  const tags = what === 'constants' ? [] : table.tags
  const { text, changed } = writeSdf(tags, what === 'tags' ? [] : table.constants, options.culture)
  const content = Buffer.from(`\uFEFF${text}`)
  const warnings = [
    ...(changed > 0
      ? [
          `${counted(changed, 'text has', 'texts have')} line breaks or "," that a .sdf cannot hold: they are blanks in it`,
        ]
      : []),
    ...lostComments([table], options),
  ]
  const written = await writeOut(ctx, request, table.name, content, '.sdf')
  return {
    ...summary(table, [table], 'sdf', content.length, warnings),
    ...(written === undefined ? { content: text } : { exportPath: written }),
  }
}

/** Writes tables as CSV. */
export async function exportCsv(ctx: CommandContext, device: Device, table: TagTable, request: ExportRequest) {
  const { tables, options } = await chosen(ctx, device, table, request, true)
  const { writeCsv } = await import('./csv.ts')
  const what = request.include ?? 'tags'
  const sections = [
    ...(what === 'constants' ? [] : [tagSheet(tables, options)]),
    ...(what === 'tags' ? [] : [constantSheet(tables, options)]),
  ]
  const delimiter = request.delimiter === 'tab' ? '\t' : (request.delimiter ?? ',')
  const text = writeCsv(sections, delimiter)
  const content = Buffer.from(`\uFEFF${text}`)
  const count = (kind: 'tags' | 'constants') => tables.reduce((all, one) => all + one[kind].length, 0)
  const left = what === 'tags' ? count('constants') : what === 'constants' ? count('tags') : 0
  const warnings =
    left === 0
      ? []
      : [
          `${what === 'tags' ? counted(left, 'constant is', 'constants are') : counted(left, 'tag is', 'tags are')} not in the file; send include: ${what === 'tags' ? 'constants' : 'tags'} or all`,
        ]
  const written = await writeOut(ctx, request, fileName(device, table, request), content, '.csv')
  return {
    ...summary(table, tables, 'csv', content.length, [...warnings, ...lostComments(tables, options)]),
    ...(written === undefined ? { content: text } : { exportPath: written }),
  }
}

async function chosen(ctx: CommandContext, device: Device, table: TagTable, request: ExportRequest, all: boolean) {
  const tables = request.allTables === true ? tagTablesOf(ctx, device.id) : [table]
  const options: SheetOptions = { culture: request.culture ?? cultureOf(ctx), allCultures: request.allCultures ?? all }
  return { tables, options }
}

function fileName(device: Device, table: TagTable, request: ExportRequest): string {
  return request.allTables === true ? `${device.name} tags` : table.name
}

async function writeOut(
  ctx: CommandContext,
  request: ExportRequest,
  name: string,
  content: Uint8Array,
  extension: string,
) {
  if (request.exportPath === undefined) return undefined
  const { path } = await writeExport(ctx, name, { content, extension }, request.exportPath, request.overwrite ?? false)
  return path
}

function summary(
  table: TagTable,
  tables: readonly TagTable[],
  format: string,
  size: number,
  warnings: readonly string[],
) {
  return {
    name: table.name,
    format,
    tables: tables.map(({ name }) => name),
    tags: tables.reduce((all, one) => all + one.tags.length, 0),
    constants: tables.reduce((all, one) => all + one.constants.length, 0),
    size,
    warnings: [...warnings],
  }
}
