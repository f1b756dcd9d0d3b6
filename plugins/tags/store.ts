/** Stores tag tables in the project, and restores them. */

import { type CommandContext, type Fault, problem, type QueryContext } from '../../core/index.ts'
import { fileTextOf } from '../../plc/edit/object-file.ts'
import { exportDocument } from '../../plc/formats/simaticml/export-version.ts'
import { targetVersion } from '../../plc/formats/simaticml/versions.ts'
import { type Device, devices } from '../devices/index.ts'
import {
  type CollectionFiles,
  cultureOf,
  findSymbol,
  requireName,
  type StorableObject,
  type Stored,
  type StoreOptions,
  storeText,
} from '../program-objects/index.ts'
import { requireProject, type SearchEntry } from '../projects/index.ts'
import { overlapWarnings } from './overlap-warnings.ts'
import {
  type Constant,
  defaultTableName,
  findTagTable,
  type Tag,
  type TagTable,
  tagTableCollection,
  tagTableCreated,
  tagTableDeleted,
  tagTableReplaced,
  tagTablesOf,
} from './tag-table.ts'

/**
 * Finds names of a table's tags and constants that are already used: twice in the table, in another table of the
 * device, or by a block or type. The first use of a name in a table is accepted, the second is reported.
 */
export function nameClashes(
  ctx: Pick<CommandContext, 'read' | 'extensions'>,
  device: Device,
  table: Pick<TagTable, 'name' | 'tags' | 'constants'>,
): Fault[] {
  const own = table.name.toLowerCase()
  const holders = new Map<string, string>()
  for (const other of tagTablesOf(ctx, device.id)) {
    if (other.name.toLowerCase() === own) continue
    for (const { name } of other.tags) holders.set(name.toLowerCase(), `tag of table "${other.name}"`)
    for (const { name } of other.constants) holders.set(name.toLowerCase(), `constant of table "${other.name}"`)
  }
  const clashes: Fault[] = []
  for (const [kind, rows] of [['tag', table.tags] as const, ['constant', table.constants] as const]) {
    for (const { name } of rows) {
      const key = name.toLowerCase()
      const symbol = holders.has(key) ? undefined : findSymbol(ctx, device, name, ['tag', 'constant'])
      const holder = holders.get(key) ?? (symbol && `${symbol.kind} (${symbol.description})`)
      if (holder !== undefined)
        clashes.push({ message: `${kind} "${name}": the name is taken by a ${holder}`, value: name })
      else holders.set(key, `${kind} of the same table`)
    }
  }
  return clashes
}

/** See `replaceTagTable` in index.ts. */
export function replaceTagTable(ctx: CommandContext, device: Device, saved: TagTable): TagTable {
  const before = findTagTable(ctx, device.id, saved.name)
  const clashes = nameClashes(ctx, device, saved)
  if (clashes.length > 0)
    throw problem('name_taken', `Tag table "${saved.name}" cannot be restored: ${clashes[0]?.message}.`, {
      errors: clashes,
    })
  const { isDefault = false } = before ?? {}
  const table: TagTable = { ...tagTableCollection.restored(ctx, device, saved, before), isDefault }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, tagTableCollection.entityOf(device, table.name))
  return table
}

/** Stores tag tables found by an import. */
export async function storeTable(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions,
): Promise<Stored> {
  const { saved } = options
  const { name } = object
  requireName(name, '/name', 'tag table')
  const before = findTagTable(ctx, device.id, name)
  const isUntouched = before?.isDefault === true && before.createdAt === before.modifiedAt
  if (before && options.overwrite !== true && !isUntouched)
    throw tagTableCollection.taken(before, device, { canOverwrite: true })
  const text = options.stored ?? (await storeText(ctx, object))
  const identity = tagTableCollection.identityOf(ctx, device, name, options, before)
  if (before?.document === text.document && before.isAsDocument === true && before.folder === identity.folder)
    return { name, kind: 'TagTable', action: 'unchanged' }
  const tags = (object.tags ?? []).map(
    (tag): Tag => ({
      name: tag.name,
      dataType: tag.dataType,
      logicalAddress: tag.logicalAddress,
      comment: tag.comment,
      externalAccessible: tag.externalAccessible ?? true,
      externalVisible: tag.externalVisible ?? true,
      externalWritable: tag.externalWritable ?? true,
    }),
  )
  const constants = (object.constants ?? []).map(
    ({ name: constant, dataType, value, comment }): Constant => ({ name: constant, dataType, value, comment }),
  )
  const { checkRows } = await import('./check.ts')
  const checked = await checkRows(ctx, device, { tags, constants })
  const faults = [...checked.faults, ...nameClashes(ctx, device, { name, tags, constants })]
  if (faults.length > 0)
    throw problem('unacceptable_content', `Tag table "${name}": ${faults[0]?.message}.`, { errors: faults })
  if (saved?.isDefault === true) dropOtherDefault(ctx, device, name)
  const table: TagTable = {
    ...identity,
    isDefault: saved?.isDefault ?? before?.isDefault ?? false,
    tags,
    constants,
    document: text.document,
    isAsDocument: true,
    ...(text.file === undefined ? {} : { file: text.file }),
    ...(object.engineeringVersion === undefined ? {} : { engineeringVersion: object.engineeringVersion }),
  }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, tagTableCollection.entityOf(device, name))
  const action = before && !isUntouched ? 'replaced' : 'created'
  // The warnings about a project's own files were given when they were imported.
  if (saved) return { name, kind: 'TagTable', action }
  const overlaps = overlapWarnings(ctx, device, new Set(tags.map((tag) => tag.name.toLowerCase())))
  const warnings = [...checked.warnings, ...overlaps].map((text) => `Tag table "${name}": ${text}`)
  return { name, kind: 'TagTable', action, ...(warnings.length > 0 ? { warnings } : {}) }
}

/** A saved device may have renamed its default table: then the new default table of the device is deleted. */
function dropOtherDefault(ctx: CommandContext, device: Device, name: string): void {
  for (const table of tagTablesOf(ctx, device.id))
    if (table.isDefault && table.name.toLowerCase() !== name.toLowerCase()) deleteTable(ctx, device, table)
}

/** Deletes a table with its content. */
export function deleteTable(ctx: CommandContext, device: Device, table: TagTable): void {
  const { deviceId, id, name } = table
  ctx.emit(tagTableDeleted, { deviceId, id, name, table }, tagTableCollection.entityOf(device, name))
}

/** A table as SimaticML text for a version; without a version as stored. */
export async function exportTable(
  ctx: Pick<QueryContext, 'blobs' | 'read'>,
  table: TagTable,
  version: string | undefined,
): Promise<string> {
  const xml = await tableText(ctx, table, cultureOf(ctx))
  const { engineeringVersion } = table
  if (version !== undefined) return exportDocument([xml], { engineeringVersion, target: targetVersion(version) }).text
  return exportDocument([xml], { engineeringVersion: engineeringVersion ?? requireProject(ctx).version }).text
}

async function tableText(ctx: Pick<QueryContext, 'blobs'>, table: TagTable, culture: string): Promise<string> {
  const document = table.document === undefined ? undefined : await ctx.blobs.text(table.document)
  if (document !== undefined && table.isAsDocument === true) return document
  return (await import('./table-xml.ts')).tableXml(table, document, culture)
}

/** Saving, loading and searching tag tables. An unchanged default table is not saved, because its device creates it. */
export const tableFiles: CollectionFiles<TagTable> = {
  savable(ctx, table) {
    const { id, name, isDefault, folder, createdAt, modifiedAt, engineeringVersion, file, isAsDocument } = table
    if (isDefault && createdAt === modifiedAt && name === defaultTableName) return undefined
    return {
      id,
      name,
      kind: 'TagTable',
      language: '',
      format: 'simaticml',
      folder,
      size: 0,
      createdAt,
      modifiedAt,
      ...(engineeringVersion === undefined ? {} : { engineeringVersion }),
      ...(file === undefined || isAsDocument !== true ? {} : { file }),
      document: () => fileText(ctx, table),
      ...(isDefault ? { more: { isDefault: true } } : {}),
    }
  },
  search: searchTags,
}

async function fileText(ctx: CommandContext, table: TagTable): Promise<string> {
  if (table.isAsDocument !== true || table.document === undefined)
    return `\uFEFF${await exportTable(ctx, table, undefined)}`
  const { engineeringVersion } = table
  const shape = { format: 'simaticml' as const, kind: 'TagTable', language: '', engineeringVersion }
  return fileTextOf(await ctx.blobs.text(table.document), shape)
}

function searchTags(ctx: Pick<QueryContext, 'read'>): SearchEntry[] {
  const entries: SearchEntry[] = []
  for (const device of ctx.read(devices).values()) {
    for (const table of tagTablesOf(ctx, device.id)) {
      const path = ['PLC tags', table.folder, table.name].filter((part) => part !== '').join('/')
      const entry = (kind: string, name: string, ...texts: string[]) =>
        entries.push({ kind, name, device: device.name, path, text: texts.join(' ') })
      entry('tag-table', table.name)
      for (const { name, dataType, logicalAddress, comment } of table.tags)
        entry('tag', name, dataType, logicalAddress, ...Object.values(comment))
      for (const { name, dataType, value, comment } of table.constants)
        entry('constant', name, dataType, value, ...Object.values(comment))
    }
  }
  return entries
}
