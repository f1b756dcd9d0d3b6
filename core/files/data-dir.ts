/** The data directory before anything in it is opened: nobody else may read it, and its log must not have gone. */
import { access, chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../lib/make-directory.ts'
import { renameFile } from '../../lib/patient-rename.ts'
import { makePrivateOnWindows } from './private-folder.ts'

/** The data directory or a workspace folder cannot be used as it is; the message says why and what mends it. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError'
}

/** Key under which secrets are sealed: made at the first start of a data directory. */
export const sealKeyFile = 'seal-key'

/** What was found, and mended, in a data directory. */
export interface DataDir {
  /** True when a gateway has run on it: its log must be there. */
  readonly isUsed: boolean
  /** What was mended. */
  readonly notes: readonly string[]
}

/**
 * Creates the data directory, or makes it private when other users can look into it.
 * @throws DataDirError when it cannot be made, or made private
 */
export async function prepareDataDir(dir: string): Promise<DataDir> {
  const made = await makeDirectory(dir, { mode: 0o700 }).catch((error) => {
    throw cannotBeMade('data directory', dir, '--data-dir', error)
  })
  const isUsed = await access(join(dir, sealKeyFile)).then(
    () => true,
    () => false,
  )
  if (process.platform === 'win32') {
    // Only a new folder: who has made one may have given it to others on purpose.
    const note = made === undefined ? undefined : await makePrivateOnWindows(dir)
    return { isUsed, notes: note === undefined ? [] : [note] }
  }
  if (!(await isOpenToOthers(dir))) return { isUsed, notes: [] }
  const refused = await chmod(dir, 0o700).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (await isOpenToOthers(dir))
    throw new DataDirError(
      `other users can read the data directory ${dir}, which holds keys${refused ? ` (${refused})` : ''}. Make it private: chmod 700 '${dir}'. Where that has no effect, choose a directory on another file system.`,
    )
  return { isUsed, notes: [`other users could read the data directory ${dir}; it is private now (mode 700)`] }
}

/** @param option of the command line that names the directory */
export function cannotBeMade(what: string, dir: string, option: string, error: unknown): DataDirError {
  const { code = String(error), path = dir } = error as NodeJS.ErrnoException
  const where = path === dir ? '' : ` at ${path}`
  return new DataDirError(`The ${what} ${dir} cannot be used: ${code}${where}. Choose another one with ${option}.`, {
    cause: error,
  })
}

async function isOpenToOthers(dir: string): Promise<boolean> {
  return ((await stat(dir)).mode & 0o077) !== 0
}

/** Renames what is left of a folder, so that a new one can be made. */
export async function setAside(folder: string, now: number): Promise<void> {
  await renameFile(folder, `${folder}.${now}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
