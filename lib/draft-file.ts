/** Drafts: what is written beside its place, and gets its name when it is whole. */
import { randomBytes } from 'node:crypto'
import { link, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { renameFile } from './patient-rename.ts'

/** The end of the name of a draft. */
export const draftEnd = /\.[0-9a-f]{12}\.tmp$/

/** What is left for the name of a file in that of its draft, bytes: file systems take 255. */
const longestStem = 255 - '.0123456789ab.tmp'.length

/**
 * A path beside `path` that no other run has: two that write the same file do not touch each other's drafts. The name
 * is shortened where the end would make it too long for the file system.
 */
export function draftOf(path: string): string {
  const name = basename(path)
  const stem = shortened(name)
  return `${stem === name ? path : join(dirname(path), stem)}.${randomBytes(6).toString('hex')}.tmp`
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestStem) return name
  let stem = ''
  let bytes = 0
  // By characters: half of one is no text.
  for (const one of name) {
    bytes += Buffer.byteLength(one)
    if (bytes > longestStem) break
    stem += one
  }
  return stem
}

/** Codes of file systems that have no hard links. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Gives a draft its name, unless there is something of this name: of several that come at once, one gets it.
 * @returns false when the name is taken; the draft is then still there
 * @throws the error of the system
 */
export async function placeNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!noLinks.has(code)) throw error
    return placeWithoutLinks(draft, path)
  }
  await rm(draft)
  return true
}

/** Takes the name with an empty file first. */
async function placeWithoutLinks(draft: string, path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    await renameFile(draft, path)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return true
}

/** The path with a number before the extension: `a.zip` is `a-2.zip`. */
export function numbered(path: string, number: number): string {
  const extension = extname(path)
  return join(dirname(path), `${basename(path, extension)}-${number}${extension}`)
}

/**
 * Removes drafts in a folder that processes left which ended while they wrote. Only for a folder into which nobody else
 * writes.
 * @param own drafts that are being written
 */
export async function removeDrafts(dir: string, own: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    if (draftEnd.test(name) && !own.has(path)) await rm(path, { force: true })
  }
}
