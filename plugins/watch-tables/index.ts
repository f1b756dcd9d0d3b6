/** Watch and force tables: list, read, create, change rows, import and export; folders. */

import { definePlugin, extend, undoCheck } from '../../core/index.ts'
import {
  collectionSection,
  type ImportTarget,
  importTarget,
  objectsCheck,
  programContributor,
} from '../program-objects/index.ts'
import { projectSection } from '../projects/index.ts'
import { watchTableOperations } from './operations.ts'
import { watchTableProgramContributor } from './program-contributor.ts'
import { watchTableCollection, watchTableSlice, watchTablesOf } from './watch-table.ts'

export {
  findWatchTable,
  type WatchTable,
  watchTableChanged,
  watchTableCreated,
  watchTableDeleted,
  watchTableFolders,
  watchTablesOf,
} from './watch-table.ts'

const tableTarget: ImportTarget = {
  kinds: ['WatchTable', 'ForceTable'],
  async store(ctx, device, object, options) {
    return (await import('./store.ts')).storeTable(ctx, device, object, options)
  },
}

const tablePart = collectionSection({
  searchKinds: ['watch-table', 'force-table'],
  area: 'watch-tables',
  order: 55,
  collection: watchTableCollection,
  files: async () => (await import('./store.ts')).watchTableFiles,
  overview(ctx, deviceId) {
    const all = watchTablesOf(ctx, deviceId)
    const view = ({ name, entries }: (typeof all)[number]) => ({ name, entryCount: entries.length })
    return {
      watchTables: all.filter(({ kind }) => kind === 'WatchTable').map(view),
      forceTables: all.filter(({ kind }) => kind === 'ForceTable').map(view),
    }
  },
})

export default definePlugin({
  name: 'watch-tables',
  version: '1.0.0',
  description: 'Watch and force tables: list, read, create, change rows, import and export; folders.',
  requires: ['projects', 'devices', 'blocks', 'types', 'tags'],
  slice: watchTableSlice,
  operations: watchTableOperations,
  extensions: [
    extend(importTarget, tableTarget),
    extend(undoCheck, objectsCheck(watchTableCollection)),
    extend(projectSection, tablePart),
    extend(programContributor, watchTableProgramContributor),
  ],
})
