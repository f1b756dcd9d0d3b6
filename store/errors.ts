/**
 * Every failure of the store is a {@link StoreError} with one of these codes. The advice is what the person who runs
 * the gateway can do about it.
 */
const storeErrors = {
  store_locked: 'Another process has this data directory open. Stop it, or choose another data directory.',
  store_corrupt:
    'The data directory holds bytes that Gantry did not write. Stop, keep a copy of the directory, and restore a backup.',
  store_truncated:
    'The end of the log is missing. Restore the directory from a backup, or go on with what can be saved.',
  store_unavailable:
    'Nothing can be written. Remove the cause (free disk space, permissions); a running gateway then goes on by itself.',
  store_unsupported:
    'The data directory was written by another version of Gantry. Use that version, or another directory.',
  store_missing: 'There is no log in this directory. Check the path.',
  log_archived: 'Put the file back into the folder `archive` of the store to read these records.',
  copy_damaged: 'This copy cannot be restored. Use another one; the store that it was made of is not affected.',
  record_invalid: 'Append only records with a type, and data that JSON can represent.',
  seq_unknown: 'Ask only for sequence numbers that were assigned.',
  blob_missing: 'The content is not in the store. Restore it from a backup, or import its source again.',
  blob_corrupt: 'The stored content does not match its hash. Restore it from a backup, or import its source again.',
  blob_too_large: 'Send less, or raise the limit.',
  index_corrupt: 'Rebuild the index; the log itself is not affected.',
  index_unavailable: 'Open the store with a `terms` function.',
} as const

/** Stable code of a {@link StoreError}. */
export type StoreErrorCode = keyof typeof storeErrors

/** The place of a fault; only known fields are set. */
export interface FaultPlace {
  /** Sequence number of the (first) record concerned. */
  readonly seq?: number
  /** File name inside the data directory. */
  readonly file?: string
  /** Hash of the blob, name of the term … */
  readonly key?: string
}

/** The error class of the store: a stable `code`, a message with the fault and its place, and a remedy (`advice`). */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly place: FaultPlace
  readonly advice: string

  constructor(code: StoreErrorCode, message: string, place: FaultPlace = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
    this.place = place
    this.advice = storeErrors[code]
  }
}

/** True for a {@link StoreError}, also for one of another copy of this module (tested by shape). */
export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error
}
