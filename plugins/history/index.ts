/**
 * Snapshots of blocks and tag tables: automatic and manual, compared, restored, cleaned up; undo and redo of commands.
 */
import { definePlugin, undone } from '../../core/index.ts'
import { entityUndone } from '../../core/services.ts'
import { snapshotOperations } from './operations.ts'
import { snapshotSlice } from './snapshot.ts'
import { automaticSnapshots } from './take.ts'
import { undoOperations } from './undo-operations.ts'

export { snapshots } from './snapshot.ts'

export default definePlugin({
  name: 'history',
  version: '1.0.0',
  description: 'Snapshots of blocks and tag tables: automatic, manual, compared, restored; undo and redo of commands.',
  requires: ['projects', 'devices', 'blocks', 'tags'],
  slice: snapshotSlice,
  operations: [...snapshotOperations, ...undoOperations],
  events: [undone, entityUndone],
  hooks: [automaticSnapshots],
  docs: [
    {
      name: 'history',
      title: 'Snapshots and undo',
      text: async () => (await import('./docs.ts')).historyDocumentation(),
    },
  ],
})
