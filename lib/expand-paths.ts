/** Patterns of paths on a command line. Shells of Windows leave them to the program, and so do quotes elsewhere. */
import { lstat, readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import { compareTexts } from './compare-texts.ts'

/**
 * The files and folders that each path names, in its place: `*` and `?` stand for any characters of one name, a whole
 * name `**` for any number of folders. What begins with a dot must be named with it. A path without them, one that is
 * there as it is written, and one that matches nothing stay as they are, as in a shell.
 */
export async function expandPaths(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const matches = /[*?]/.test(path) && !(await isThere(path)) ? await matching(path) : []
    found.push(...(matches.length > 0 ? matches : [path]))
  }
  return found
}

async function matching(pattern: string): Promise<string[]> {
  const segments = pattern.split(sep === '\\' ? /[\\/]/ : '/')
  // What is before the first pattern may be a drive, or empty for a path from the root.
  const first = segments.findIndex((segment) => /[*?]/.test(segment))
  const start = segments.slice(0, first).join(sep)
  let found = [first === 0 ? '' : `${start}${sep}`]
  for (const [i, segment] of segments.slice(first).entries()) {
    const isLast = first + i === segments.length - 1
    // Two separators are one; one at the end says that folders are meant.
    if (segment === '') continue
    const next: string[] = []
    for (const folder of found) next.push(...(await inFolder(folder, segment, isLast)))
    found = isLast ? next : next.map((path) => (path === '' || path.endsWith(sep) ? path : path + sep))
  }
  const all = segments.at(-1) === '' ? found.map((path) => path.slice(0, -1)) : found
  return [...new Set(all)].sort(compareTexts)
}

/** @param folder empty, or with a separator at its end */
async function inFolder(folder: string, segment: string, isLast: boolean): Promise<string[]> {
  if (segment === '**') return foldersBelow(folder, isLast)
  if (!/[*?]/.test(segment)) return (await isThere(folder + segment)) ? [folder + segment] : []
  const matches = test(segment)
  const entries = (await entriesOf(folder)).filter(({ name }) => matches(name))
  // A link may lead to a folder.
  const fit = isLast ? entries : entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
  return fit.map(({ name }) => folder + name)
}

/** The folder itself and all below it; at the end of a pattern also the files. Links are not followed. */
async function foldersBelow(folder: string, withFiles: boolean): Promise<string[]> {
  const found = withFiles ? [] : [folder]
  for (const entry of await entriesOf(folder)) {
    if (entry.name.startsWith('.')) continue
    const path = folder + entry.name
    if (entry.isDirectory()) found.push(...(await foldersBelow(path + sep, withFiles)))
    else if (withFiles) found.push(path)
  }
  return found
}

function entriesOf(folder: string) {
  return readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => [])
}

function test(segment: string): (name: string) => boolean {
  const source = segment
    .replace(/[\\^$.+()|[\]{}]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  const pattern = new RegExp(`^${source}$`, sep === '\\' ? 'isu' : 'su')
  return (name) => (segment.startsWith('.') || !name.startsWith('.')) && pattern.test(name)
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
