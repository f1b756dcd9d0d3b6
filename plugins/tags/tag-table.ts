/** Tag tables of the open project: their type, their collection in the state, and their events. */

import { domainEvent, on, type Slice } from '../../core/index.ts'
import { deviceAdded } from '../devices/index.ts'
import { type KeptObject, objectCollection } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'

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

type Write = Parameters<Parameters<typeof on>[1]>[0]

/** Rows are replaced in a copy of the list: a draft of a list would wrap every row that is read. */
function change(
  write: Write,
  { deviceId, tableName }: InTable,
  modifiedAt: number,
  changed: (table: TagTable) => Partial<TagTable>,
) {
  const tables = write(tagTables)
  const key = tableKey(deviceId, tableName)
  const table = tables.get(key)
  if (table) tables.set(key, { ...changedTable(table, modifiedAt), ...changed(table) })
}

/** The table after a change that makes it differ from its document. */
function changedTable({ file: _file, isAsDocument: _same, ...table }: TagTable, modifiedAt: number): TagTable {
  return { ...table, modifiedAt }
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
  version: 1,
  collections: [tagTables, tagTableFolders.folders],
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
    on(tagTableCreated, (write, { table }) => write(tagTables).set(tableKey(table.deviceId, table.name), table)),
    on(tagTableReplaced, (write, { table }) => write(tagTables).set(tableKey(table.deviceId, table.name), table)),
    on(tagTableRenamed, (write, { deviceId, oldName, newName }, { time }) => {
      const tables = write(tagTables)
      const table = tables.get(tableKey(deviceId, oldName))
      if (!table) return
      tables.delete(tableKey(deviceId, oldName))
      tables.set(tableKey(deviceId, newName), { ...changedTable(table, time), name: newName })
    }),
    on(tagTableMoved, (write, { deviceId, name, folder }, { time }) => {
      write(tagTables).update(tableKey(deviceId, name), (table) => {
        table.folder = folder
        table.modifiedAt = time
      })
    }),
    on(tagTableDeleted, (write, { deviceId, name }) => write(tagTables).delete(tableKey(deviceId, name))),
    on(tagAdded, (write, data, { time }) => change(write, data, time, (t) => ({ tags: [...t.tags, data.tag] }))),
    on(tagChanged, (write, data, { time }) =>
      change(write, data, time, (t) => ({ tags: replaced(t.tags, data.name, data.tag) })),
    ),
    on(tagDeleted, (write, data, { time }) => change(write, data, time, (t) => ({ tags: without(t.tags, data.name) }))),
    on(constantAdded, (write, data, { time }) =>
      change(write, data, time, (t) => ({ constants: [...t.constants, data.constant] })),
    ),
    on(constantChanged, (write, data, { time }) =>
      change(write, data, time, (t) => ({ constants: replaced(t.constants, data.name, data.constant) })),
    ),
    on(constantDeleted, (write, data, { time }) =>
      change(write, data, time, (t) => ({ constants: without(t.constants, data.name) })),
    ),
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
