/** Snapshots of blocks and tag tables: automatic and manual, compared, restored, cleaned up. */
import { definePlugin } from '../../core/index.ts'
import { snapshotOperations } from './operations.ts'
import { snapshotSlice } from './snapshot.ts'
import { automaticSnapshots } from './take.ts'

export { type Snapshot, snapshots, snapshotsDeleted, snapshotTaken } from './snapshot.ts'

export default definePlugin({
  name: 'history',
  version: '1.0.0',
  description: 'Snapshots of blocks and tag tables: automatic and manual, compared, restored, cleaned up.',
  requires: ['projects', 'devices', 'blocks', 'tags'],
  slice: snapshotSlice,
  operations: snapshotOperations,
  hooks: [automaticSnapshots],
  docs: [
    {
      name: 'history',
      title: 'Snapshots',
      text: async () => (await import('./docs.ts')).historyDocumentation(),
    },
  ],
})
