/** Files that a person drops, as one zip: the gateway imports it as a folder. */

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

/** What to send: the zip itself when it is the only file, else one made of the files. */
export async function packed(
  files: readonly DroppedFile[],
): Promise<{ readonly name: string; readonly content: Blob }> {
  const [only] = files
  if (files.length === 1 && only !== undefined && /\.zip$/i.test(only.path))
    return { name: only.file.name, content: only.file }
  return { name: 'files.zip', content: await zipOf(files) }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** A zip without compression, names in UTF-8 (PKWARE APPNOTE 6.3, 4.3). */
async function zipOf(files: readonly DroppedFile[]): Promise<Blob> {
  const parts: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let directorySize = 0
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const name = new TextEncoder().encode(path)
    // Version 2.0, names in UTF-8, stored, 1980-01-01.
    const common = new DataView(new ArrayBuffer(26))
    common.setUint16(0, 20, true)
    common.setUint16(2, 0x0800, true)
    common.setUint16(8, 0x21, true)
    common.setUint32(10, crc32(bytes), true)
    common.setUint32(14, bytes.length, true)
    common.setUint32(18, bytes.length, true)
    common.setUint16(22, name.length, true)
    parts.push(number32(0x04034b50), common.buffer, name, bytes)
    const rest = new DataView(new ArrayBuffer(14))
    rest.setUint32(10, offset, true)
    directory.push(number32(0x02014b50), new Uint8Array([20, 0]), common.buffer, rest.buffer, name)
    directorySize += 46 + name.length
    offset += 30 + name.length + bytes.length
  }
  const end = new DataView(new ArrayBuffer(18))
  end.setUint16(4, files.length, true)
  end.setUint16(6, files.length, true)
  end.setUint32(8, directorySize, true)
  end.setUint32(12, offset, true)
  return new Blob([...parts, ...directory, number32(0x06054b50), end.buffer], { type: 'application/zip' })
}

function number32(value: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, value, true)
  return view.buffer
}
