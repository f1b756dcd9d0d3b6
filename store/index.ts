/**
 * Gantry's storage: one LevelDB that contains the append-only log, the blobs, the index and the checkpoints of a data
 * directory. It knows nothing of HTTP, jobs or PLCs.
 */
export { isStoreError, StoreError, type StoreErrorCode, storeErrors } from './errors.ts'
export { notify } from './notify.ts'
export { openStore } from './open.ts'
export { noRecord, packRecord, parseRows, plainCodec, unpackRecord } from './record-codec.ts'
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
export async function acceptLoss(
  dir: string,
  o?: import('./recover.ts').AcceptLossOptions,
): Promise<import('./recover.ts').AcceptedLoss> {
  const recover = await import('./recover.ts')
  return recover.acceptLoss(dir, o)
}
