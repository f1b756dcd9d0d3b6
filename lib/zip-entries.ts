/** What makes an entry of a zip archive one that is not unpacked. */

/** What is asked of an entry; yauzl's entries have it. */
export interface ZipEntryKind {
  readonly fileName: string
  readonly externalFileAttributes: number
  isEncrypted(): boolean
}

/** The type of a file in its Unix mode, as `stat(2)` has it; 0 where the archive was made without modes. */
const typeMask = 0o170000
const kinds: ReadonlyMap<number, string> = new Map([
  [0o120000, 'is a symbolic link'],
  [0o060000, 'is a device'],
  [0o020000, 'is a device'],
  [0o010000, 'is a pipe'],
  [0o140000, 'is a socket'],
])

/**
 * Why an entry is refused, e.g. `is a symbolic link`: only files and folders with a plain relative path are taken.
 * (yauzl refuses absolute paths, drive letters and `..`, and turns `\` into `/`.)
 */
export function zipEntryFault(entry: ZipEntryKind): string | undefined {
  const type = (entry.externalFileAttributes >>> 16) & typeMask
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) return kinds.get(type) ?? 'is neither a file nor a folder'
  if (entry.isEncrypted()) return 'is encrypted'
  const segments = entry.fileName.replace(/\/$/, '').split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'has a path that is not allowed'
  return undefined
}
