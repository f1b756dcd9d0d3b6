/** Puts tag tables into the project, and takes them as they were. */
import { type CommandContext, type Fault, problem, type QueryContext } from '../../core/index.ts'
import {
  findSymbol,
  objectTools,
  type Savable,
  type StorableObject,
  type Stored,
  type StoreOptions,
  xmlTools,
} from '../blocks/index.ts'
import { type Device, devices } from '../devices/index.ts'
import {
  type PartProgress,
  type Project,
  type ProjectFile,
  type ProjectFiles,
  requireProject,
  type SearchEntry,
} from '../projects/index.ts'
import {
  type Constant,
  defaultTableName,
  findTagTable,
  type Tag,
  type TagTable,
  tagTableCreated,
  tagTableDeleted,
  tagTableFolders,
  tagTableReplaced,
  tagTablesOf,
} from './tag-table.ts'

/**
 * Every name of a table's tags and constants that is taken: twice in the table, in another table of the device, or by a block or type.
 * The first occurrence of a name in a table is right, the second is the clash.
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
  const table: TagTable = {
    ...saved,
    id: before?.id ?? saved.id,
    deviceId: device.id,
    folder: saved.folder === '' ? '' : tagTableFolders.ensure(ctx, device, saved.folder),
    isDefault: before?.isDefault ?? false,
    createdAt: before?.createdAt ?? saved.createdAt,
    modifiedAt: ctx.now,
  }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, `tag-table/${device.name}/${table.name}`)
  return table
}

/** Stores tag tables that an import finds. */
export async function storeTable(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  { folder, overwrite, stored, saved }: StoreOptions,
): Promise<Stored> {
  const { requireName, storeText } = await objectTools()
  const { name } = object
  requireName(name, '/name', 'tag table')
  const before = findTagTable(ctx, device.id, name)
  const isUntouched = before?.isDefault === true && before.createdAt === before.modifiedAt
  if (before && overwrite !== true && !isUntouched) {
    throw problem('name_taken', `Tag table "${before.name}" already exists on "${device.name}".`, {
      suggestion: 'Send overwrite: true to replace it.',
    })
  }
  const text = stored ?? (await storeText(ctx, object))
  const path =
    folder === undefined ? (before?.folder ?? '') : folder === '' ? '' : tagTableFolders.ensure(ctx, device, folder)
  if (before?.document === text.document && before.isAsDocument === true && before.folder === path)
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
  const { rowFaults } = await import('./check.ts')
  const faults = [...(await rowFaults(tags, constants)), ...nameClashes(ctx, device, { name, tags, constants })]
  if (faults.length > 0)
    throw problem('unacceptable_content', `Tag table "${name}": ${faults[0]?.message}.`, { errors: faults })
  if (saved?.isDefault === true) dropOtherDefault(ctx, device, name)
  const table: TagTable = {
    id: before?.id ?? saved?.id ?? ctx.newId(),
    deviceId: device.id,
    name,
    folder: path,
    isDefault: saved?.isDefault ?? before?.isDefault ?? false,
    tags,
    constants,
    document: text.document,
    isAsDocument: true,
    ...(text.file === undefined ? {} : { file: text.file }),
    ...(object.engineeringVersion === undefined ? {} : { engineeringVersion: object.engineeringVersion }),
    createdAt: before?.createdAt ?? saved?.createdAt ?? ctx.now,
    modifiedAt: saved?.modifiedAt ?? ctx.now,
  }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, `tag-table/${device.name}/${name}`)
  return { name, kind: 'TagTable', action: before && !isUntouched ? 'replaced' : 'created' }
}

/** A saved device may have renamed its default table: the one that came with the device goes. */
function dropOtherDefault(ctx: CommandContext, device: Device, name: string): void {
  for (const table of tagTablesOf(ctx, device.id))
    if (table.isDefault && table.name.toLowerCase() !== name.toLowerCase()) deleteTable(ctx, device, table)
}

/** Deletes a table with everything in it. */
export function deleteTable(ctx: CommandContext, device: Device, table: TagTable): void {
  const { deviceId, id, name } = table
  ctx.emit(tagTableDeleted, { deviceId, id, name, table }, `tag-table/${device.name}/${name}`)
}

/** A table as SimaticML file text for a version; without one as it is kept. */
export async function exportTable(
  ctx: Pick<QueryContext, 'blobs' | 'read'>,
  table: TagTable,
  version: string | undefined,
): Promise<string> {
  const [{ wrapDocumentText, targetVersion }, { cultureOf }] = await Promise.all([xmlTools(), objectTools()])
  const xml = await tableText(ctx, table, cultureOf(ctx))
  if (version !== undefined) return wrapDocumentText([xml], { target: targetVersion(version) })
  return wrapDocumentText([xml], { engineeringVersion: table.engineeringVersion ?? requireProject(ctx).version })
}

async function tableText(ctx: Pick<QueryContext, 'blobs'>, table: TagTable, culture: string): Promise<string> {
  const document = table.document === undefined ? undefined : await ctx.blobs.text(table.document)
  if (document !== undefined && table.isAsDocument === true) return document
  return (await import('./table-xml.ts')).tableXml(table, document, culture)
}

/** All files of all tables. A default table that nobody has touched comes back with its device. */
export async function saveTables(ctx: CommandContext): Promise<ProjectFile[]> {
  const { saveArea } = await objectTools()
  const files: ProjectFile[] = []
  for (const device of ctx.read(devices).values()) {
    const tables = tagTablesOf(ctx, device.id).filter(
      (table) => !(table.isDefault && table.createdAt === table.modifiedAt && table.name === defaultTableName),
    )
    const objects = tables.map(
      (table): Savable => ({
        id: table.id,
        name: table.name,
        kind: 'TagTable',
        language: '',
        format: 'simaticml',
        folder: table.folder,
        size: 0,
        createdAt: table.createdAt,
        modifiedAt: table.modifiedAt,
        ...(table.engineeringVersion === undefined ? {} : { engineeringVersion: table.engineeringVersion }),
        ...(table.file === undefined || table.isAsDocument !== true ? {} : { file: table.file }),
        document: () => fileText(ctx, table),
        ...(table.isDefault ? { more: { isDefault: true } } : {}),
      }),
    )
    const folders = tagTableFolders.list(ctx, device.id).map(({ path }) => path)
    files.push(...(await saveArea(ctx, device, 'tags', objects, folders)))
  }
  return files
}

async function fileText(ctx: CommandContext, table: TagTable): Promise<string> {
  if (table.isAsDocument !== true || table.document === undefined)
    return `\uFEFF${await exportTable(ctx, table, undefined)}`
  const { fileTextOf } = await objectTools()
  const { engineeringVersion } = table
  const shape = { format: 'simaticml' as const, kind: 'TagTable', language: '', engineeringVersion }
  return fileTextOf(await ctx.blobs.text(table.document), shape)
}

/** Brings the tables into the state. */
export async function loadTables(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
  progress: PartProgress,
): Promise<void> {
  const { loadArea } = await objectTools()
  await loadArea(ctx, project, files, 'tags', tagTableFolders, progress)
}

/** Entries of the search index. */
export function searchTags(ctx: Pick<QueryContext, 'read'>): SearchEntry[] {
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
