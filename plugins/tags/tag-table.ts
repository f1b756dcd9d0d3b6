/** Tag tables of the open project: their type, their collection in the state, and their events. */

import { domainEvent, on, type Slice, type SliceReader, undone } from '../../core/index.ts'
import { deviceAdded } from '../devices/index.ts'
import {
  type KeptObject,
  type Origin,
  objectCollection,
  oncePer,
  type Page,
  type PageRequest,
  pageOfSorted,
} from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'
import { placeRow, placeTable, tagCells } from './tag-cells.ts'
import { freeNames, holdNames, tableOfName, tagNames } from './tag-names.ts'

/** A text by culture, for example `{ 'en-US': 'Motor on' }`. */
export type Text = Readonly<Record<string, string>>

/** A PLC tag: a name for an address. */
export interface Tag {
  readonly name: string
  /** Spelled as in TIA Portal: `Bool`, `Int`, `"UDT_Motor"`. */
  readonly dataType: string
  /** For example `%I0.0`; empty when the tag has no address. */
  readonly logicalAddress: string
  readonly comment: Text
  readonly externalAccessible: boolean
  readonly externalVisible: boolean
  readonly externalWritable: boolean
  /** Its name in the table's document, when it is a different one. */
  readonly documentName?: string
}

/** A user constant. */
export interface Constant {
  readonly name: string
  readonly dataType: string
  /** As written: `100`, `16#FF`, `T#5s`. */
  readonly value: string
  readonly comment: Text
  /** Its name in the table's document, when it is a different one. */
  readonly documentName?: string
}

/** A tag table with its content. */
export interface TagTable extends KeptObject {
  /** True for the table that every PLC has and that cannot be deleted. */
  readonly isDefault: boolean
  readonly tags: readonly Tag[]
  readonly constants: readonly Constant[]
  /**
   * Blob: the root element of the SimaticML from which it was read. Content that is not interpreted (supervisions,
   * further attributes) is written back with every export. Absent for tables created here.
   */
  readonly document?: string
  /** True when the document and the table have the same content. */
  readonly isAsDocument?: boolean
  /** Blob: the whole file that contains only this document, byte for byte; absent after a change. */
  readonly file?: string
  /** Where its document is in the file that it was imported from. */
  readonly origin?: Origin
  /** Version of the file from which it was read, for example `V16`. */
  readonly engineeringVersion?: string
}

/** All tag tables of the open project. */
export const tagTableCollection = objectCollection<TagTable>({
  plugin: 'tags',
  collection: 'tags.tables',
  entity: 'tag-table',
  noun: 'tag table',
})
export const {
  objects: tagTables,
  folders: tagTableFolders,
  key: tableKey,
  find: findTagTable,
  of: tagTablesOf,
  require: requireTagTable,
  requireOf: requireTagTableOf,
} = tagTableCollection

/** The table to which an event belongs. */
interface InTable {
  readonly deviceId: string
  readonly tableName: string
}

export const tagTableCreated = domainEvent<{ table: TagTable }>('tags.table-created', 'A tag table was created')
/** An import or a restored snapshot replaced the table; `table` is the table after the change. */
export const tagTableReplaced = domainEvent<{ table: TagTable }>(
  'tags.table-replaced',
  'The content of a tag table was replaced',
)
export const tagTableRenamed = domainEvent<{ deviceId: string; id: string; oldName: string; newName: string }>(
  'tags.table-renamed',
  'A tag table was renamed',
)
/** `table` is its last state, so that it can be restored. */
export const tagTableDeleted = domainEvent<{ deviceId: string; id: string; name: string; table: TagTable }>(
  'tags.table-deleted',
  'A tag table was deleted',
)
export const tagTableMoved = domainEvent<{ deviceId: string; name: string; folder: string }>(
  'tags.table-moved',
  'A tag table was moved to another folder',
)
export const tagAdded = domainEvent<InTable & { tag: Tag }>('tags.added', 'A tag was added')
/** A tag was changed; `name` is its name before. */
export const tagChanged = domainEvent<InTable & { name: string; tag: Tag }>('tags.changed', 'A tag was changed')
export const tagDeleted = domainEvent<InTable & { name: string }>('tags.deleted', 'A tag was deleted')
export const constantAdded = domainEvent<InTable & { constant: Constant }>(
  'tags.constant-added',
  'A user constant was added',
)
/** A constant was changed; `name` is its name before. */
export const constantChanged = domainEvent<InTable & { name: string; constant: Constant }>(
  'tags.constant-changed',
  'A user constant was changed',
)
export const constantDeleted = domainEvent<InTable & { name: string }>(
  'tags.constant-deleted',
  'A user constant was deleted',
)

/** TIA Portal's name in its English user interface. */
export const defaultTableName = 'Default tag table'

/** Compares names ignoring case. The cheap comparison comes first, because tables have thousands of rows. */
export function isNamed(name: string, lowerCaseName: string): boolean {
  return name === lowerCaseName || name.toLowerCase() === lowerCaseName
}

/** The tag or user constant of a device that has a name (case ignored), and its table. */
export function rowOfName(
  ctx: { readonly read: SliceReader },
  deviceId: string,
  name: string,
): { readonly kind: 'tag' | 'constant'; readonly name: string; readonly table: TagTable } | undefined {
  const table = ctx.read(tagTables).get(tableOfName(ctx.read(tagNames), deviceId, name) ?? '')
  if (table === undefined) return undefined
  const key = name.toLowerCase()
  const tag = rowsByName(table.tags).get(key)
  const row = tag ?? rowsByName(table.constants).get(key)
  return row && { kind: tag ? 'tag' : 'constant', name: row.name, table }
}

/** One page of the tags of all tables of a device, each with its table; in the time of the page. */
export function pageOfTags(
  ctx: { readonly read: SliceReader },
  deviceId: string,
  request: PageRequest,
): Page<{ readonly name: string; readonly tag: Tag; readonly table: TagTable }> {
  const [names, tables] = [ctx.read(tagNames), ctx.read(tagTables)]
  const nameIn = (key: string) => key.slice(deviceId.length + 1)
  const entryOf = (key: string) => {
    const table = tables.get(names.get(key)!.table)!
    const tag = rowsByName(table.tags).get(nameIn(key)) as Tag
    return { name: tag.name, tag, table }
  }
  return pageOfSorted(names.sortedKeys('tags', deviceId), nameIn, entryOf, request)
}

/** By name in lower case. */
const rowsByName = oncePer(
  (rows: readonly (Tag | Constant)[]) => new Map(rows.map((row) => [row.name.toLowerCase(), row])),
)

type Write = Parameters<Parameters<typeof on>[1]>[0]

/** Rows are replaced in a copy of the list: a draft of a list would wrap every row that is read. */
function change(
  write: Write,
  { deviceId, tableName }: InTable,
  modifiedAt: number,
  row: { readonly gone?: string } & (
    | { readonly kind: 'tag'; readonly come?: Tag }
    | { readonly kind: 'constant'; readonly come?: Constant }
  ),
  changed: (table: TagTable) => Partial<TagTable>,
) {
  const tables = write(tagTables)
  const key = tableKey(deviceId, tableName)
  const table = tables.get(key)
  if (!table) return
  tables.set(key, { ...changedTable(table, modifiedAt), ...changed(table) })
  const names = write(tagNames)
  if (row.gone !== undefined) freeNames(names, deviceId, key, [{ name: row.gone }])
  if (row.come !== undefined) holdNames(names, deviceId, { table: key, kind: row.kind }, [row.come])
  if (row.kind === 'constant') return
  const index = row.gone === undefined ? table.tags.length : indexOf(table.tags, row.gone)
  if (index >= 0) placeRow(write(tagCells), key, table.tags, index, row.come)
}

/** Puts a whole table into the state, over the present one of its name. */
function put(write: Write, table: TagTable) {
  const key = tableKey(table.deviceId, table.name)
  const before = write(tagTables).get(key)
  if (before) freeRows(write, key, before)
  write(tagTables).set(key, table)
  const names = write(tagNames)
  holdNames(names, table.deviceId, { table: key, kind: 'constant' }, table.constants)
  holdNames(names, table.deviceId, { table: key, kind: 'tag' }, table.tags)
  placeTable(write(tagCells), key, table.tags)
}

/** Takes a table out of the state. */
function take(write: Write, deviceId: string, name: string): TagTable | undefined {
  const key = tableKey(deviceId, name)
  const table = write(tagTables).get(key)
  if (!table) return undefined
  freeRows(write, key, table)
  placeTable(write(tagCells), key, [])
  write(tagTables).delete(key)
  return table
}

function freeRows(write: Write, key: string, { deviceId, tags, constants }: TagTable) {
  for (const rows of [tags, constants]) freeNames(write(tagNames), deviceId, key, rows)
}

/** The table after a change that makes it differ from its document. */
function changedTable({ file: _file, isAsDocument: _same, ...table }: TagTable, modifiedAt: number): TagTable {
  return { ...table, modifiedAt }
}

function indexOf(rows: readonly Tag[], name: string): number {
  const wanted = name.toLowerCase()
  return rows.findIndex((row) => isNamed(row.name, wanted))
}

function without<T extends { readonly name: string }>(rows: readonly T[], name: string): T[] {
  const wanted = name.toLowerCase()
  return rows.filter((row) => !isNamed(row.name, wanted))
}

function replaced<T extends { readonly name: string }>(rows: readonly T[], name: string, by: T): T[] {
  const wanted = name.toLowerCase()
  return rows.map((row) => (isNamed(row.name, wanted) ? by : row))
}

/** The plugin's part of the state. */
export const tagSlice: Slice = {
  version: 3,
  collections: [tagTables, tagNames, tagCells, tagTableFolders.folders],
  reductions: [
    on(deviceAdded, (write, { id: deviceId, kind, createdAt }) => {
      if (kind !== 'PLC') return
      write(tagTables).set(tableKey(deviceId, defaultTableName), {
        id: `${deviceId}.tags`,
        deviceId,
        name: defaultTableName,
        folder: '',
        isDefault: true,
        tags: [],
        constants: [],
        createdAt,
        modifiedAt: createdAt,
      })
    }),
    on(tagTableCreated, (write, { table }) => put(write, table)),
    on(tagTableReplaced, (write, { table }) => put(write, table)),
    on(tagTableRenamed, (write, { deviceId, oldName, newName }, { time }) => {
      const table = take(write, deviceId, oldName)
      if (table) put(write, { ...changedTable(table, time), name: newName })
    }),
    on(tagTableMoved, (write, { deviceId, name, folder }, { time }) => {
      write(tagTables).update(tableKey(deviceId, name), (table) => {
        table.folder = folder
        table.modifiedAt = time
      })
    }),
    on(tagTableDeleted, (write, { deviceId, name }) => void take(write, deviceId, name)),
    on(tagAdded, (write, data, { time }) =>
      change(write, data, time, { kind: 'tag', come: data.tag }, (t) => ({ tags: [...t.tags, data.tag] })),
    ),
    on(tagChanged, (write, data, { time }) =>
      change(write, data, time, { kind: 'tag', gone: data.name, come: data.tag }, (t) => ({
        tags: replaced(t.tags, data.name, data.tag),
      })),
    ),
    on(tagDeleted, (write, data, { time }) =>
      change(write, data, time, { kind: 'tag', gone: data.name }, (t) => ({ tags: without(t.tags, data.name) })),
    ),
    on(constantAdded, (write, data, { time }) =>
      change(write, data, time, { kind: 'constant', come: data.constant }, (t) => ({
        constants: [...t.constants, data.constant],
      })),
    ),
    on(constantChanged, (write, data, { time }) =>
      change(write, data, time, { kind: 'constant', gone: data.name, come: data.constant }, (t) => ({
        constants: replaced(t.constants, data.name, data.constant),
      })),
    ),
    on(constantDeleted, (write, data, { time }) =>
      change(write, data, time, { kind: 'constant', gone: data.name }, (t) => ({
        constants: without(t.constants, data.name),
      })),
    ),
    // After the entries are put back; those of earlier versions name the tables too.
    on(undone, (write, { entries }) => {
      for (const [id, key, table] of entries)
        if (id === tagTables.id) placeTable(write(tagCells), key, (table as TagTable | undefined)?.tags ?? [])
    }),
    ...tagTableFolders.reductions,
    ...modifiesProject(
      tagTableCreated,
      tagTableReplaced,
      tagTableRenamed,
      tagTableMoved,
      tagTableDeleted,
      tagAdded,
      tagChanged,
      tagDeleted,
      constantAdded,
      constantChanged,
      constantDeleted,
      tagTableFolders.created,
      tagTableFolders.deleted,
    ),
  ],
}
