/**
 * Gantry's storage: one LevelDB that holds the append-only log, the blobs, the index and the checkpoints of a data directory.
 * It knows nothing of HTTP, jobs or PLCs.
 */
export { isStoreError, StoreError, type StoreErrorCode, storeErrors } from './errors.ts'
export { openStore } from './open.ts'
export type * from './types.ts'
