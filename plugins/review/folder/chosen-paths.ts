/** Several files and folders as one: the folder that they are in, with nothing else in it. */
import { dirname, resolve } from 'node:path'
import { pathBelow } from '../../../lib/path-below.ts'
import { configNames, type FolderAccess, FolderError } from './folder.ts'
import { localFiles } from './local-files.ts'
import { isTiaFile } from './tia-name.ts'

/** Where to read, and what is read there. */
export interface Chosen {
  /** Absolute. */
  readonly root: string
  readonly access: FolderAccess
}

/**
 * Reads one path as it is. Several are read from their common folder, with the `gantry.yml` of that.
 * @throws FolderError when there is nothing at one of several paths, or they have no folder in common
 */
export async function chosenPaths(given: readonly string[]): Promise<Chosen> {
  const paths = (given.length === 0 ? ['.'] : given).map((path) => resolve(path))
  const [first = '', ...others] = paths
  if (others.length === 0) return { root: first, access: localFiles }
  for (const path of paths) {
    if ((await localFiles.stat(path)) === undefined) throw new FolderError(`There is nothing at ${path}.`)
    if (isTiaFile(path)) throw new FolderError(`${path} is of TIA Portal: name it alone.`)
  }
  const root = commonFolder(paths)
  const settings = configNames.map((name) => resolve(root, name))
  const isRead = (path: string) =>
    settings.includes(path) ||
    paths.some((one) => pathBelow(one, path) !== undefined || pathBelow(path, one) !== undefined)
  return {
    root,
    access: { ...localFiles, list: async (path) => (await localFiles.list(path)).filter((one) => isRead(one.path)) },
  }
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]!)
  while (paths.some((path) => pathBelow(folder, path) === undefined)) {
    const above = dirname(folder)
    if (above === folder) throw new FolderError(`${paths[0]} and ${paths.at(-1)} are on different drives.`)
    folder = above
  }
  return folder
}
