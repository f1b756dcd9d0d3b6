/**
 * Gantry's storage: one LevelDB that contains the append-only log, the blobs, the index and the checkpoints of a data
 * directory. It knows nothing of HTTP, jobs or PLCs.
 */
export { lostType, openCommit, redactedType } from './commit.ts'
export { isStoreError, StoreError, type StoreErrorCode } from './errors.ts'
export { notify } from './notify.ts'
export { openStore } from './open.ts'
export { noRecord, packRecord, parseRows, plainCodec, unpackRecord } from './record-codec.ts'
export type { RecoverOptions, RecoverReport } from './recover.ts'
export type * from './types.ts'

/** See `copy.ts`; loaded when it is needed. */
export async function checkCopy(
  parts: readonly Pick<import('./types.ts').CopyPart, 'name' | 'read'>[],
): Promise<import('./types.ts').CheckedCopy> {
  return (await import('./copy.ts')).checkCopy(parts)
}

/** See `copy.ts`; loaded when it is needed. */
export async function restoreCopy(
  dir: string,
  parts: readonly Pick<import('./types.ts').CopyPart, 'name' | 'read'>[],
): Promise<void> {
  return (await import('./copy.ts')).restoreCopy(dir, parts)
}

/** See `recover.ts`; loaded when it is needed. */
export async function recoverStore(
  dir: string,
  o?: import('./recover.ts').RecoverOptions,
): Promise<import('./recover.ts').RecoverReport> {
  return (await import('./recover.ts')).recoverStore(dir, o)
}
