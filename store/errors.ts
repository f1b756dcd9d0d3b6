/**
 * Every failure of the store is a {@link StoreError} with one of these codes. The advice is what the person
 * who runs the gateway can do about it.
 */
export const storeErrors = {
  store_locked: 'Another process has this data directory open. Stop it, or choose another data directory.',
  store_corrupt:
    'The data directory holds bytes that Gantry did not write. Stop, keep a copy of the directory, and restore a backup.',
  store_truncated:
    'The end of the log is missing. Restore the directory from a backup, or accept the loss explicitly to go on without it.',
  store_unavailable:
    'Nothing can be written. Remove the cause (free disk space, permissions) and start the gateway again.',
  store_unsupported:
    'The data directory was written by another version of Gantry. Use that version, or another directory.',
  store_missing: 'There is no log in this directory. Check the path.',
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

/** Where a fault lies; only what is known is set. */
export interface FaultPlace {
  /** Sequence number of the (first) record concerned. */
  readonly seq?: number
  /** File name inside the data directory. */
  readonly file?: string
  /** Hash of the blob, name of the term … */
  readonly key?: string
}

/** The one error type of the store: a stable `code`, a message that says what and where, and what to do (`advice`). */
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

/** True for a {@link StoreError}, also one of another copy of this module (by shape). */
export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error
}

/**
 * A file of the database is not as it was written.
 * @param seq first record that is in it
 */
export function damagedFile(file: string, detail: string, seq?: number): StoreError {
  const records = seq === undefined ? '' : `; records from seq ${seq} on are in it`
  const place = seq === undefined ? { file } : { file, seq }
  return new StoreError('store_corrupt', `${file} is damaged (${detail})${records}`, place)
}

interface NativeError {
  code?: unknown
  message?: unknown
  cause?: unknown
}

/** LevelDB's own words: abstract-level wraps the native error of `open()` as the cause of its own. */
function nativeError(error: unknown): NativeError {
  let current = error as NativeError
  while (typeof current?.cause === 'object' && current.cause !== null) current = current.cause as NativeError
  return current
}

/** LevelDB names files as `…/db/000012.ldb: reason` or `…; e.g.: …/000012.ldb`; the last part is enough, the directory is known. */
function fileIn(text: string): string | undefined {
  return (
    /([0-9]{6,}\.(?:ldb|sst|log)|MANIFEST-[0-9]+|CURRENT|LOCK)\b/.exec(text)?.[1] ??
    /([^/:]+): No such file/.exec(text)?.[1]
  )
}

/**
 * Translates an error of LevelDB (codes `LEVEL_*` of classic-level, its README "Errors") into a {@link StoreError}.
 *
 * `LEVEL_CORRUPTION` is a damaged file. So is an I/O error "Invalid argument" or "No such file" on a file that LevelDB
 * itself wrote: that is how it reports a table or manifest that is shorter than recorded, or gone (env_posix.cc).
 */
export function storeErrorOf(error: unknown, doing: string): StoreError {
  if (isStoreError(error)) return error
  const native = nativeError(error)
  const text = String(native?.message ?? error)
  const file = fileIn(text)
  const place: FaultPlace = file === undefined ? {} : { file }
  if (native?.code === 'LEVEL_LOCKED')
    return new StoreError('store_locked', `${doing}: the database is locked (${text})`, place, error)
  const damagedFile =
    native?.code === 'LEVEL_IO_ERROR' && file !== undefined && /Invalid argument|No such file/.test(text)
  if (native?.code === 'LEVEL_CORRUPTION' || damagedFile || /does not exist \(create_if_missing/.test(text)) {
    return new StoreError(
      'store_corrupt',
      `${doing}: ${file ?? 'a file of the database'} is damaged (${text})`,
      place,
      error,
    )
  }
  return new StoreError('store_unavailable', `${doing}: ${text}`, place, error)
}
