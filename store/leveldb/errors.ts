/** Turns LevelDB's errors and the findings in its files into errors of the store. */
import { type FaultPlace, isStoreError, StoreError } from '../errors.ts'

/**
 * The error for a file of the database that differs from what was written.
 * @param seq first record in it
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

/** LevelDB's own error: abstract-level wraps the native error of `open()` as the cause of its own. */
function nativeError(error: unknown): NativeError {
  let current = error as NativeError
  while (typeof current?.cause === 'object' && current.cause !== null) current = current.cause as NativeError
  return current
}

/**
 * The file in a message of LevelDB: `…/db/000012.ldb: reason` or `…; e.g.: …/000012.ldb`. The name is enough, since the
 * directory is known.
 */
function fileIn(text: string): string | undefined {
  return (
    /([0-9]{6,}\.(?:ldb|sst|log)|MANIFEST-[0-9]+|CURRENT|LOCK)\b/.exec(text)?.[1] ??
    /([^/:]+): No such file/.exec(text)?.[1]
  )
}

/**
 * Translates an error of LevelDB (codes `LEVEL_*` of classic-level, its README "Errors") into a {@link StoreError}.
 *
 * `LEVEL_CORRUPTION` means a damaged file. So does an I/O error "Invalid argument" or "No such file" on a file that
 * LevelDB itself wrote: it reports a missing table or manifest, or one shorter than recorded, in this way
 * (env_posix.cc).
 */
export function storeErrorOf(error: unknown, doing: string): StoreError {
  if (isStoreError(error)) return error
  const native = nativeError(error)
  const text = String(native?.message ?? error)
  const file = fileIn(text)
  const place: FaultPlace = file === undefined ? {} : { file }
  if (native?.code === 'LEVEL_LOCKED')
    return new StoreError('store_locked', `${doing}: the database is locked (${text})`, place, error)
  const isDamage = native?.code === 'LEVEL_IO_ERROR' && file !== undefined && /Invalid argument|No such file/.test(text)
  if (native?.code === 'LEVEL_CORRUPTION' || isDamage || /does not exist \(create_if_missing/.test(text)) {
    return new StoreError(
      'store_corrupt',
      `${doing}: ${file ?? 'a file of the database'} is damaged (${text})`,
      place,
      error,
    )
  }
  return new StoreError('store_unavailable', `${doing}: ${text}`, place, error)
}
