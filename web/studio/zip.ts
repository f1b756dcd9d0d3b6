/** Files that a person drops, as one zip: the gateway imports it as a folder. */
import { downloadZip } from 'client-zip'

/** The count in the directory of a zip (PKWARE APPNOTE 6.3, 4.4.21); client-zip writes no larger one. */
const mostFiles = 0xffff

/** A file with its path below what was dropped. */
export interface DroppedFile {
  readonly path: string
  readonly file: File
}

/** The files of a drop, those in folders included. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFile[]> {
  // The entries are gone as soon as the event is over: they are taken at once.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }))
  return (await Promise.all(entries.map((entry) => filesOf(entry, '')))).flat()
}

async function filesOf(entry: FileSystemEntry, folder: string): Promise<DroppedFile[]> {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: DroppedFile[] = []
  for (;;) {
    // It gives at most 100 at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    found.push(...(await Promise.all(some.map((one) => filesOf(one, path)))).flat())
  }
}

/**
 * What to send: the zip itself when it is the only file, else one made of the files.
 * @throws Error when there are too many
 */
export async function packed(
  files: readonly DroppedFile[],
): Promise<{ readonly name: string; readonly content: Blob }> {
  const [only] = files
  if (files.length === 1 && only !== undefined && /\.zip$/i.test(only.path))
    return { name: only.file.name, content: only.file }
  if (files.length > mostFiles) throw new Error(`A zip takes at most ${mostFiles} files, these are ${files.length}.`)
  const content = await downloadZip(files.map(({ path, file }) => ({ name: path, input: file }))).blob()
  return { name: 'files.zip', content }
}
