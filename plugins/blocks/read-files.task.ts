/** Reads files of program objects on the engine: everything of a file is checked, its header comes back. */
import { createHash } from 'node:crypto'
import { importFile } from './formats/import.ts'
import { type Needs, needsOf } from './import-order.ts'
import type { FormatFault } from './model/fault.ts'
import type { ImportedObject } from './model/object.ts'
import { fileTextOf } from './object-file.ts'
import type { StorableObject } from './target.ts'

export interface FilesToRead {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[]
  /** Culture of texts in external sources. */
  readonly culture: string
}

/** An object without its text: that stands in the file between two offsets (UTF-16 units behind the byte order mark). */
export interface ObjectInFile {
  readonly object: StorableObject
  readonly needs: Needs
  readonly start: number
  readonly end: number
}

export interface FileRead {
  readonly path: string
  readonly format: string
  readonly faults: readonly FormatFault[]
  readonly objects: readonly ObjectInFile[]
  /**
   * `sha256:…` of the bytes, when the file holds one object and is not the very file that would be written for it: it is then kept as it is.
   */
  readonly ownFile?: string
}

/** Reads a batch of files. Never fails for what they hold. */
export async function readFiles({ files, culture }: FilesToRead, api: { signal: AbortSignal }): Promise<FileRead[]> {
  const read: FileRead[] = []
  for (const { path, bytes } of files) {
    api.signal.throwIfAborted()
    read.push(await readOne(path, bytes, culture))
  }
  return read
}

async function readOne(path: string, bytes: Uint8Array, culture: string): Promise<FileRead> {
  const { decodeText } = await import('./formats/decode.ts')
  const { format, objects, faults } = await importFile(bytes, { culture })
  if (objects.length === 0) return { path, format, faults, objects: [] }
  const { text } = decodeText(bytes)
  let from = 0
  const placed = objects.map((object): ObjectInFile => {
    const own = object.xml ?? object.text ?? ''
    const start = text.indexOf(own, from)
    from = start + own.length
    return { object: withoutText(object), needs: needsOf(object), start, end: from }
  })
  const [first] = objects
  const own =
    first && objects.length === 1 && faults.length === 0 ? fileTextOf(first.xml ?? first.text ?? '', first) : undefined
  const differs = own !== undefined && !Buffer.from(own).equals(bytes)
  // Of a source with faults the blocks that have none in them are right; a faulty one was read only as far as it went.
  const right = placed.filter(({ start, end }) =>
    faults.every(({ offset }) => offset !== undefined && (offset < start || offset >= end)),
  )
  return { path, format, faults, objects: right, ...(differs ? { ownFile: hashOf(bytes) } : {}) }
}

function withoutText({ interface: _interface, networks: _networks, xml: _xml, text: _text, ...rest }: ImportedObject) {
  return rest satisfies StorableObject
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
