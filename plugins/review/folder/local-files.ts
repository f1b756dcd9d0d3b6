/** The file system of this process, as a request sees its own. */

import { readFileSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareTexts } from '../../../lib/compare-texts.ts'
import type { FolderAccess, ListedEntry } from './folder.ts'

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR'

export const localFiles: FolderAccess = {
  // A command does nothing else meanwhile, and a thousand small files are read in a tenth of the time.
  read: async (path) => readFileSync(path),
  async list(path) {
    const found = await readdir(path, { withFileTypes: true })
    const entries: ListedEntry[] = []
    for (const entry of found.sort((a, b) => compareTexts(a.name, b.name))) {
      const own = { name: entry.name, path: join(path, entry.name) }
      if (entry.isDirectory() || entry.isFile()) entries.push({ ...own, isDirectory: entry.isDirectory() })
      else if (entry.isSymbolicLink()) {
        const info = await stat(own.path).catch(() => undefined)
        // A pipe or device is no file of a program.
        if (info === undefined || info.isDirectory() || info.isFile())
          entries.push({ ...own, isDirectory: info?.isDirectory() === true, isLink: true })
      }
    }
    return entries
  },
  target: (path) => realpath(path).catch(() => undefined),
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
