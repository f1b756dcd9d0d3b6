/** Watch and force tables of the open project: their type, their collection in the state, and their events. */

import { domainEvent, on, type Slice } from '../../core/index.ts'
import type { WatchEntry } from '../../plc/model/object.ts'
import { type KeptObject, objectCollection, type StoredText } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'

/** Kind of a table; the names of SimaticML. */
export type WatchTableKind = 'WatchTable' | 'ForceTable'

/** A watch or force table. Its content is its document, SimaticML; `entries` are the rows read from it. */
export interface WatchTable extends KeptObject, StoredText {
  readonly kind: WatchTableKind
  readonly entries: readonly WatchEntry[]
  /** Version of the file from which it was read, for example `V16`. */
  readonly engineeringVersion?: string
}

/** Name of the only force table of a PLC in TIA Portal's English user interface. */
export const forceTableName = 'Force table'

/** All watch and force tables of the open project. */
export const watchTableCollection = objectCollection<WatchTable>({
  plugin: 'watch-tables',
  collection: 'watch-tables.tables',
  entity: 'watch-table',
  noun: 'watch or force table',
})
export const {
  objects: watchTables,
  folders: watchTableFolders,
  key: watchTableKey,
  find: findWatchTable,
  of: watchTablesOf,
} = watchTableCollection

export const watchTableCreated = domainEvent<{ table: WatchTable }>(
  'watch-tables.created',
  'A watch or force table was created',
)
/** `before` and `after` are document hashes; `table` is the table after the change. */
export const watchTableChanged = domainEvent<{ before: string; after: string; table: WatchTable }>(
  'watch-tables.changed',
  'A watch or force table was changed',
)
/** `table` is its last state, so that it can be restored. */
export const watchTableDeleted = domainEvent<{ deviceId: string; id: string; name: string; table: WatchTable }>(
  'watch-tables.deleted',
  'A watch or force table was deleted',
)

/** The plugin's part of the state. */
export const watchTableSlice: Slice = {
  version: 1,
  collections: [watchTables, watchTableFolders.folders],
  reductions: [
    on(watchTableCreated, (write, { table }) => {
      write(watchTables).set(watchTableKey(table.deviceId, table.name), table)
    }),
    on(watchTableChanged, (write, { table }) => {
      write(watchTables).set(watchTableKey(table.deviceId, table.name), table)
    }),
    on(watchTableDeleted, (write, { deviceId, name }) => write(watchTables).delete(watchTableKey(deviceId, name))),
    ...watchTableFolders.reductions,
    ...modifiesProject(
      watchTableCreated,
      watchTableChanged,
      watchTableDeleted,
      watchTableFolders.created,
      watchTableFolders.deleted,
    ),
  ],
}
