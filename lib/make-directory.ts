/** Makes a directory with those above it. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * As `mkdir` with `recursive`, which does not end where the system says that a parent is not there although it is
 * (Node 20 and 22 below `/proc`).
 * @param mode of every directory that is made
 * @returns the first directory that was made; `undefined` when all are there
 * @throws the error of the system, e.g. `ENOTDIR`, `EACCES`, `ENOENT`
 */
export async function makeDirectory(path: string, { mode }: { mode?: number } = {}): Promise<string | undefined> {
  const missing: string[] = []
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.unshift(at)
  let first: string | undefined
  for (const directory of missing) {
    try {
      await mkdir(directory, mode)
      first ??= directory
    } catch (error) {
      // Another process may have made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isThere(directory))) throw error
    }
  }
  return first
}

/** @throws `EEXIST` for a file */
async function isThere(path: string): Promise<boolean> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && dirname(path) !== path) return undefined
    throw error
  })
  if (info === undefined || info.isDirectory()) return info !== undefined
  throw Object.assign(new Error(`EEXIST: file already exists, mkdir '${path}'`), {
    code: 'EEXIST',
    path,
    syscall: 'mkdir',
  })
}
