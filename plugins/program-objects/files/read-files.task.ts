/** Reads files of program objects on the engine: everything of a file is checked, its header comes back. */
import { createHash } from 'node:crypto'
import { defined } from '../../../core/index.ts'
import { type Needs, needsOf } from '../../../plc/edit/import-order.ts'
import { fileTextOf } from '../../../plc/edit/object-file.ts'
import { type ImportOptions, importFile } from '../../../plc/formats/import.ts'
import type { ProgramAround } from '../../../plc/formats/simatic-sd/program.ts'
import type { DeclaredNames } from '../../../plc/languages/ladder/declared-names.ts'
import { FormatError, type FormatFault, LineIndex } from '../../../plc/model/fault.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { StorableObject } from './targets.ts'

export interface FilesToRead {
  readonly files: readonly {
    readonly path: string
    readonly bytes: Uint8Array
    /** The `.s7res` file of a `.s7dcl` file. */
    readonly texts?: Uint8Array
  }[]
  /** Culture of texts in external sources. */
  readonly culture: string
  /** See `ImportOptions` of the formats. */
  readonly checkCode?: boolean
  /** Declarations of the names in files of SIMATIC SD: the files themselves do not contain their kinds. */
  readonly around: DeclaredNames
}

/** An object without its text, which is in the file between two offsets (UTF-16 units after the byte order mark). */
export interface ObjectInFile {
  readonly object: StorableObject
  readonly needs: Needs
  readonly start: number
  readonly end: number
  /** The document, if it is not a part of the file. */
  readonly text?: string
  /** Line and column of the document's first character in the file, from 1. */
  readonly line: number
  readonly column: number
  /** For files of SIMATIC SD: the places in the file, `SdPlaces` as JSON. */
  readonly places?: string
}

export interface FileRead {
  readonly path: string
  readonly format: string
  readonly faults: readonly FormatFault[]
  readonly objects: readonly ObjectInFile[]
  /**
   * `sha256:…` of the bytes, when the file contains one object but differs from the file that would be written for it:
   * it is kept.
   */
  readonly ownFile?: string
  readonly warnings?: readonly string[]
}

/** Reads a batch of files. No content of a file makes it fail. */
export async function readFiles(input: FilesToRead, api: { signal: AbortSignal }): Promise<FileRead[]> {
  const read: FileRead[] = []
  const program = await programAround(input)
  for (const { path, bytes, texts } of input.files) {
    api.signal.throwIfAborted()
    const options: ImportOptions = {
      path,
      culture: input.culture,
      checkCode: input.checkCode === true,
      ...defined({ resources: texts, program }),
    }
    read.push(await readOne(path, bytes, options))
  }
  return read
}

/** Files whose names show that they are something else are not read. */
const OTHER_FORMATS = /\.(xml|scl|db|udt|awl|stl)$/i

/** Declarations for the files of SIMATIC SD in a batch, from each other and from the program. */
async function programAround({ files, around }: FilesToRead): Promise<ProgramAround | undefined> {
  const parts = files.filter(({ path }) => !OTHER_FORMATS.test(path))
  if (parts.length === 0) return undefined
  const { decodeText } = await import('../../../plc/model/decode.ts')
  const { programOf } = await import('../../../plc/formats/simatic-sd/import.ts')
  const { systemInterface } = await import('../../../plc/program/system-interface.ts')
  const texts: string[] = []
  for (const { bytes } of parts) {
    try {
      texts.push(decodeText(bytes).text)
    } catch (error) {
      // The fault is reported when the file itself is read.
      if (!(error instanceof FormatError)) throw error
    }
  }
  const { objects, tags } = around
  const constants = tags.filter(({ isConstant }) => isConstant).map(({ name }) => name)
  return programOf(texts, { objects, tags, constants, systemType: systemInterface })
}

async function readOne(path: string, bytes: Uint8Array, options: ImportOptions): Promise<FileRead> {
  const { decodeText } = await import('../../../plc/model/decode.ts')
  const { format, objects, faults, warnings = [], places, sdPlaces } = await importFile(bytes, options)
  if (objects.length === 0) return { path, format, faults, objects: [], warnings }
  if (format === 's7dcl') {
    const own = objects.map((object, i) => ({
      object: withoutText(object),
      needs: needsOf(object),
      start: 0,
      end: 0,
      text: object.xml ?? '',
      line: 1,
      column: 1,
      places: JSON.stringify(sdPlaces?.[i]),
    }))
    return { path, format, faults, objects: own, warnings }
  }
  const { text } = decodeText(bytes)
  const lines = new LineIndex(text)
  let from = 0
  const placed = objects.map((object, i): ObjectInFile => {
    const own = object.xml ?? object.text ?? ''
    const start = places?.[i]?.[0] ?? text.indexOf(own, from)
    from = places?.[i]?.[1] ?? start + own.length
    // Blocks of a shared namespace contain its words in the text of each.
    const slice = text.slice(start, from)
    const isOther = places !== undefined && slice !== own
    // Lines of the text before its part of the file.
    const ahead = isOther ? own.slice(0, own.indexOf(slice)).split('\n').length - 1 : 0
    const { line, column } = lines.at(start)
    const head = { object: withoutText(object), needs: needsOf(object), line: line - ahead, column }
    return { ...head, start, end: from, ...(isOther ? { text: own } : {}) }
  })
  const [first] = objects
  // A source is not kept as the file of a block that is stored as SimaticML.
  const isKept = first && !(format === 'source' && first.format !== 'source')
  const own =
    isKept && objects.length === 1 && faults.length === 0 ? fileTextOf(first.xml ?? first.text ?? '', first) : undefined
  const differs = own !== undefined && !Buffer.from(own).equals(bytes)
  // In a source with faults the blocks without a fault are complete; a faulty one was read up to its fault.
  // A fault at the end of the file belongs to its last block.
  const isIn = (offset: number, start: number, end: number) =>
    offset >= start && (offset < end || (offset === end && end === text.length))
  const right = placed.filter(({ start, end }) =>
    faults.every(({ offset }) => offset !== undefined && !isIn(offset, start, end)),
  )
  return { path, format, faults, objects: right, warnings, ...(differs ? { ownFile: hashOf(bytes) } : {}) }
}

function withoutText({ interface: _interface, networks: _networks, xml: _xml, text: _text, ...rest }: ImportedObject) {
  return rest satisfies StorableObject
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
