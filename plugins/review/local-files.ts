/** The file system of this process, as a request sees its own. */
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderAccess } from './folder.ts'

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR'

export const localFiles: FolderAccess = {
  // A command does nothing else meanwhile, and a thousand small files are read in a tenth of the time.
  read: async (path) => readFileSync(path),
  async list(path) {
    const found = await readdir(path, { withFileTypes: true })
    return found
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => ({ name: entry.name, path: join(path, entry.name), isDirectory: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  },
  async stat(path) {
    const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (isAbsent(error)) return undefined
      throw error
    })
    return (
      info && {
        isFile: info.isFile(),
        isDirectory: info.isDirectory(),
        size: info.size,
        modifiedAt: info.mtime.toISOString(),
      }
    )
  },
}
