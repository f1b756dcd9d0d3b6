/** Stores tag tables in the project, and restores them. */

import { type CommandContext, defined, type Fault, problem, type QueryContext } from '../../core/index.ts'
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
  work,
} from '../program-objects/index.ts'
import { requireProject, type SaveContext, type SearchEntry } from '../projects/index.ts'
import { overlapWarnings } from './overlap-warnings.ts'
import { tableOfName, tagNames } from './tag-names.ts'
import {
  type Constant,
  defaultTableName,
  findTagTable,
  rowOfName,
  type Tag,
  type TagTable,
  tableKey,
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
  const own = tableKey(device.id, table.name)
  const names = ctx.read(tagNames)
  const seen = new Map<string, string>()
  const holderOf = (name: string): string | undefined => {
    const twin = seen.get(name.toLowerCase())
    if (twin !== undefined) return twin
    const other = tableOfName(names, device.id, name)
    const row = other === undefined || other === own ? undefined : rowOfName(ctx, device.id, name)
    if (row) return `${row.kind} of table "${row.table.name}"`
    const symbol = findSymbol(ctx, device, name, ['tag', 'constant'])
    return symbol && `${symbol.kind} (${symbol.description})`
  }
  const clashes: Fault[] = []
  for (const [kind, rows] of [['tag', table.tags] as const, ['constant', table.constants] as const]) {
    for (const { name } of rows) {
      const holder = holderOf(name)
      if (holder !== undefined)
        clashes.push({ message: `${kind} "${name}": the name is taken by a ${holder}`, value: name, name })
      else seen.set(name.toLowerCase(), `${kind} of the same table`)
    }
  }
  return clashes
}

/** See `replaceTagTable` in index.ts. */
export function replaceTagTable(ctx: CommandContext, device: Device, saved: TagTable): TagTable {
  const before = findTagTable(ctx, device.id, saved.name)
  const clashes = nameClashes(ctx, device, saved)
  if (clashes.length > 0)
    throw problem('name_taken', `Tag table "${saved.name}" cannot be restored: ${clashes[0]!.message}.`, {
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
  if (
    before?.document === text.document &&
    before.isAsDocument === true &&
    before.folder === identity.folder &&
    before.unit === identity.unit
  )
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
    throw problem('unacceptable_content', `Tag table "${name}": ${faults[0]!.message}.`, { errors: faults })
  if (saved?.isDefault === true) dropOtherDefault(ctx, device, name)
  const table: TagTable = {
    ...identity,
    isDefault: saved?.isDefault ?? before?.isDefault ?? false,
    tags,
    constants,
    document: text.document,
    isAsDocument: true,
    ...defined({ file: text.file, origin: text.origin, engineeringVersion: object.engineeringVersion }),
  }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, tagTableCollection.entityOf(device, name))
  const action = before && !isUntouched ? 'replaced' : 'created'
  // The warnings about a project's own files were given when they were imported.
  if (saved) return { name, kind: 'TagTable', action }
  const warnings = checked.warnings.map((text) => `Tag table "${name}": ${text}`)
  return { name, kind: 'TagTable', action, ...(warnings.length > 0 ? { warnings } : {}) }
}

/** Warnings about tags of stored tables that share memory with each other or with others of the device. */
export function overlapsOfTables(ctx: CommandContext, device: Device, stored: readonly Stored[]): string[] {
  const names = new Set<string>()
  for (const { name, action } of stored) {
    const table = action === 'unchanged' ? undefined : findTagTable(ctx, device.id, name)
    for (const tag of table?.tags ?? []) names.add(tag.name.toLowerCase())
  }
  return names.size === 0 ? [] : overlapWarnings(ctx, device, names)
}

/** A saved device may have renamed its default table: the one that came with the device goes. */
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
  ctx: Pick<QueryContext, 'blobs' | 'read' | 'engine'>,
  table: TagTable,
  version: string | undefined,
): Promise<ReturnType<typeof exportDocument>> {
  const culture = cultureOf(ctx)
  const { engineeringVersion, name, unit } = table
  const text = await tableText(ctx, table, culture)
  const document = { text, format: 'simaticml' as const, kind: 'TagTable', name, culture }
  // In its unit, names are bare.
  const xml = unit === undefined ? text : (await work(ctx, 'bareDocument', { document, unit }, text.length)).text
  if (version !== undefined) return exportDocument([xml], { engineeringVersion, target: targetVersion(version) })
  return exportDocument([xml], { engineeringVersion: engineeringVersion ?? requireProject(ctx).version })
}

/** The root element of the table: its document as long as it says the same, else written of its rows. */
export async function tableText(
  ctx: Pick<QueryContext, 'blobs'>,
  table: Pick<TagTable, 'name' | 'tags' | 'constants' | 'document' | 'isAsDocument'>,
  culture: string,
): Promise<string> {
  const document = table.document === undefined ? undefined : await ctx.blobs.text(table.document)
  if (document !== undefined && table.isAsDocument === true) return document
  return (await import('./table-xml.ts')).tableXml(table, document, culture)
}

/** Saving, loading and searching tag tables. An unchanged default table is not saved, because its device creates it. */
export const tableFiles: CollectionFiles<TagTable> = {
  savable(ctx, table) {
    const { id, name, isDefault, folder, unit, createdAt, modifiedAt, engineeringVersion, file, isAsDocument } = table
    if (isDefault && createdAt === modifiedAt && name === defaultTableName) return undefined
    return {
      id,
      name,
      kind: 'TagTable',
      language: '',
      format: 'simaticml',
      folder,
      ...defined({ unit }),
      size: 0,
      createdAt,
      modifiedAt,
      ...defined({ engineeringVersion }),
      ...(file === undefined || isAsDocument !== true ? {} : { file }),
      document: () => fileText(ctx, table),
      ...(isDefault ? { more: { isDefault: true } } : {}),
    }
  },
  search: searchTags,
}

async function fileText(ctx: SaveContext, table: TagTable): Promise<string> {
  if (table.isAsDocument !== true || table.document === undefined)
    return `\uFEFF${(await exportTable(ctx, table, undefined)).text}`
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
