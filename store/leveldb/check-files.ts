/** Checks the files of a database before LevelDB reads them. */
import { constants, copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../errors.ts'
import { Malformed } from './bytes.ts'
import { damagedTables } from './check-tables.ts'
import { fileName, keptPrefix } from './file-names.ts'
import { recordsIn } from './log-file.ts'
import { readManifest } from './manifest.ts'

/**
 * Bytes of tables, the newest first, that an open checks (0.4 ms per MiB); {@link Store.verifyInBackground} checks all
 * of them.
 */
const checkedAtOpenBytes = 16 * 1024 * 1024

/**
 * Throws where LevelDB would read damaged data, or treat a missing part as one that was never written.
 *
 * Damage in a `.log` file need not be a loss: a power failure leaves it where nothing was synced. But LevelDB drops up
 * to 32 KiB after it and deletes the file. So a copy is kept beside the database until the log is known to be complete.
 *
 * Throws `store_corrupt`, `store_truncated`; `store_unavailable` where no copy can be made.
 * @param names names of the files of the database
 * @param acceptsLoss a `.log` file may be missing
 * @returns paths of the copies
 */
export async function checkFiles(path: string, names: readonly string[], acceptsLoss: boolean): Promise<string[]> {
  const { file: manifest, tables, log } = await readManifest(path)
  const file = fileName(log, 'log')
  if (log > 0 && !names.includes(file)) {
    // The MANIFEST names a table before the `.log` file with its contents is deleted.
    const named = new Set(tables.map(({ number }) => fileName(number, 'ldb')))
    const unnamed = names.find((name) => /^\d+\.ldb$/.test(name) && !named.has(name))
    if (unnamed !== undefined)
      throw new StoreError('store_corrupt', `the end of the MANIFEST is missing: it names ${file}, not ${unnamed}`, {
        file: manifest,
      })
    if (!acceptsLoss)
      throw new StoreError('store_truncated', `${file} is missing, with the last records of the log`, { file })
  }
  for await (const error of damagedTables(path, tables, { limitBytes: checkedAtOpenBytes })) throw error
  const kept: string[] = []
  for (const name of names.filter((one) => /^\d+\.log$/.test(one) && Number.parseInt(one, 10) >= log))
    if (isDamaged(await readFile(join(path, name)))) kept.push(await keep(path, name))
  return kept
}

function isDamaged(log: Buffer): boolean {
  try {
    for (const record of recordsIn(log)) void record
    return false
  } catch (error) {
    if (error instanceof Malformed) return true
    throw error
  }
}

async function keep(path: string, name: string): Promise<string> {
  const copy = join(path, '..', `${keptPrefix}${name}`)
  await copyFile(join(path, name), copy, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    // The copy exists when an earlier open was ended before LevelDB read the file.
    if (error.code !== 'EEXIST')
      throw new StoreError(
        'store_unavailable',
        `${name} is damaged, and no copy of it can be kept: ${error.message}`,
        { file: name },
        error,
      )
  })
  return copy
}
