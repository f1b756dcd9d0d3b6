/** The files of a folder to the objects of a program, each with its place in its file. */
import { defined } from '../../lib/optional.ts'
import { compareObjects } from '../edit/compare.ts'
import { lineInFile, type TranslatedFile } from '../formats/file-format.ts'
import { type ImportedFile, importFile } from '../formats/import.ts'
import { placesOf } from '../formats/places.ts'
import { type SdPlaces, sdPlaceOf } from '../formats/simatic-sd/places.ts'
import type { ProgramAround } from '../formats/simatic-sd/program.ts'
import { decodeText } from '../model/decode.ts'
import { FormatError, LineIndex } from '../model/fault.ts'
import type { MessagePlace } from '../model/message-place.ts'
import { type ImportedObject, isProgramObjectKind } from '../model/object.ts'

/** A file that is read. */
export interface FolderFile {
  /** As messages name it; `/` between segments. */
  readonly path: string
  readonly bytes: Uint8Array
  /** The `.s7res` file of a `.s7dcl` file. */
  readonly texts?: Uint8Array
  /** The file is of a format of a plugin: `bytes` are those of its translation, these are its own. */
  readonly translated?: Omit<TranslatedFile, 'bytes'> & { readonly original: Uint8Array }
}

/** Line and column in a file, from 1. */
export interface FilePlace {
  readonly line: number
  readonly column: number
}

/** An object with its file. */
export interface PlacedObject {
  readonly object: ImportedObject
  readonly file: string
  /** The place of something in the object, in the file. */
  placeOf(place: MessagePlace & { readonly sourceLine?: number; readonly sourceColumn?: number }): FilePlace
  /** Whether the texts of its networks are in the file as they are in the object: then fixes can be made. */
  readonly isText: boolean
}

/** What is wrong with a file, or should be known about it. */
export interface FileNote {
  readonly code: 'unreadable-file' | 'import-warning' | 'duplicate-object' | 'not-checked' | 'plugin-not-loaded'
  readonly severity: 'error' | 'warning' | 'information'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly hint?: string
}

export interface ReadFolder {
  readonly objects: readonly PlacedObject[]
  readonly notes: readonly FileNote[]
}

/** What was read of files before, by their bytes: a file that has not changed is not read again. */
export type ReadFiles = WeakMap<
  Uint8Array,
  { readonly path: string; readonly objects: readonly PlacedObject[]; readonly notes: readonly FileNote[] }
>

const isSd = ({ path }: FolderFile): boolean => /\.s7dcl$/i.test(path)

/**
 * Reads the files of one program. Files with faults are noted and the others are read; of several objects with one name
 * the first counts.
 * @param given objects that come from elsewhere: tags of spreadsheets
 * @param before what was read with the same culture; it is added to. Files of SIMATIC SD depend on the others and are
 *   read again
 */
export async function readFolder(
  files: readonly FolderFile[],
  given: readonly PlacedObject[],
  culture: string,
  before: ReadFiles = new WeakMap(),
): Promise<ReadFolder> {
  const notes: FileNote[] = []
  const objects: PlacedObject[] = [...given]
  for (const file of files.filter((one) => !isSd(one))) {
    let read = before.get(file.bytes)
    if (read?.path !== file.path) {
      const own: FileNote[] = []
      read = { path: file.path, objects: await readOne(file, { culture }, own), notes: own }
      before.set(file.bytes, read)
    }
    objects.push(...read.objects)
    notes.push(...read.notes)
  }
  const parts = files.filter(isSd)
  if (parts.length > 0) {
    const program = await around(parts, objects)
    for (const file of parts) objects.push(...(await readOne(file, { culture, program }, notes)))
  }
  return { objects: unique(objects, notes), notes }
}

/** What files of SIMATIC SD leave to the program around them. */
async function around(parts: readonly FolderFile[], others: readonly PlacedObject[]): Promise<ProgramAround> {
  const { programOf } = await import('../formats/simatic-sd/import.ts')
  const { systemInterface } = await import('../program/system-interface.ts')
  const texts = parts.flatMap(({ bytes }) => {
    try {
      return [decodeText(bytes).text]
    } catch (error) {
      // The file is noted when its turn comes.
      if (!(error instanceof FormatError)) throw error
      return []
    }
  })
  const objects = others.map(({ object }) => object)
  return programOf(texts, {
    objects,
    systemType: systemInterface,
    types: objects.filter(({ kind }) => kind === 'UDT').map(({ name }) => name),
    tags: objects.flatMap(({ tags = [] }) => tags),
    constants: objects.flatMap(({ constants = [] }) => constants.map(({ name }) => name)),
  })
}

async function readOne(
  file: FolderFile,
  options: { readonly culture: string; readonly program?: ProgramAround },
  notes: FileNote[],
): Promise<PlacedObject[]> {
  const { path, bytes, texts, translated } = file
  for (const { message, line, column } of translated?.faults ?? [])
    notes.push({ code: 'unreadable-file', severity: 'error', file: path, line, column, message: sentence(message) })
  if (translated !== undefined && translated.faults.length > 0) return []
  const lineOf = (line: number) => (translated === undefined ? line : lineInFile(translated, line))
  const read = await importFile(bytes, { path, ...options, ...defined({ resources: texts }) })
  // XML of any other kind, and files that happen to have one of the endings, are no exports.
  const isForeign = read.format === 'xml' || (read.format === 'unknown' && /\.(xml|db)$/i.test(path))
  const [code, severity] = isForeign
    ? (['not-checked', 'information'] as const)
    : (['unreadable-file', 'error'] as const)
  for (const { message, line, column } of read.faults)
    notes.push({ code, severity, file: path, line: lineOf(line), column, message: sentence(message) })
  for (const message of [...(translated?.warnings ?? []), ...(read.warnings ?? [])])
    notes.push({
      code: 'import-warning',
      severity: 'warning',
      file: path,
      line: 1,
      column: 1,
      message: sentence(message),
    })
  if (read.objects.length === 0) return []
  const foreign = read.objects.filter(({ kind }) => !isProgramObjectKind(kind))
  if (foreign.length > 0)
    notes.push({
      ...{ code: 'not-checked', severity: 'information', file: path, line: 1, column: 1 },
      message: `${[...new Set(foreign.map(({ kind }) => kind))].join(', ')} is not part of a PLC program and not checked.`,
    })
  const found = read.format === 's7dcl' ? inSd(read.sdPlaces ?? []) : inText(decodeText(bytes).text, read)
  const finders: Finders = (object, i) => {
    const find = found(object, i)
    // A column of the translation says nothing about the file.
    return translated === undefined ? find : (place) => ({ line: lineOf(find(place).line), column: 1 })
  }
  return read.objects.flatMap((object, i) =>
    isProgramObjectKind(object.kind)
      ? [
          {
            object,
            file: path,
            placeOf: finders(object, i),
            isText: object.format === 'source' && read.format === 'source' && translated === undefined,
          },
        ]
      : [],
  )
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

type Finders = (object: ImportedObject, index: number) => PlacedObject['placeOf']

function inSd(places: readonly SdPlaces[]): Finders {
  return (_object, index) => (place) => {
    const known = places[index]
    const [line, column] = known ? sdPlaceOf(known, place) : [1, 1]
    return { line, column }
  }
}

/** The text of an object is a part of the file. */
function inText(text: string, { places, layouts }: Pick<ImportedFile, 'places' | 'layouts'>): Finders {
  let lines: LineIndex | undefined
  let from = 0
  return (object, index) => {
    const own = object.xml ?? object.text ?? ''
    const start = places?.[index]?.[0] ?? Math.max(0, text.indexOf(own.slice(0, 4096), from))
    from = places?.[index]?.[1] ?? start + own.length
    const slice = text.slice(start, from)
    // Blocks that share a namespace have its words in the text of each: lines that are not in the file.
    const ahead =
      places !== undefined && slice !== own ? own.slice(0, Math.max(0, own.indexOf(slice))).split('\n').length - 1 : 0
    let find: ((place: MessagePlace) => FilePlace) | undefined
    return (place) => {
      lines ??= new LineIndex(text)
      const origin = lines.at(start)
      const known =
        place.sourceLine !== undefined ? { line: place.sourceLine, column: place.sourceColumn ?? 1 } : undefined
      find ??= known ? undefined : finderOf(object, layouts?.[index])
      const { line, column } = known ?? find!(place)
      const isFirst = line - ahead <= 1
      return {
        line: Math.max(1, origin.line + line - ahead - 1),
        column: isFirst ? origin.column + column - 1 : column,
      }
    }
  }
}

function finderOf(
  object: ImportedObject,
  layout: NonNullable<ImportedFile['layouts']>[number] | undefined,
): (place: MessagePlace) => FilePlace {
  try {
    return placesOf(object, layout)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return () => ({ line: 1, column: 1 })
  }
}

/** The first object of each name. The same object in another format is no finding, another one is. */
function unique(objects: readonly PlacedObject[], notes: FileNote[]): PlacedObject[] {
  const found = new Map<string, PlacedObject>()
  for (const one of objects) {
    const { object, file } = one
    const key = `${/Table$/.test(object.kind) ? object.kind : ''} ${object.name.toLowerCase()}`
    const first = found.get(key)
    if (first === undefined) found.set(key, one)
    else if (first.object.kind !== object.kind || !isSame(first.object, object)) {
      const { line, column } = one.placeOf({})
      notes.push({
        ...{ code: 'duplicate-object', severity: 'warning', file, line, column },
        message: `"${object.name}" is in ${first.file} too, and they differ; the one in that file is checked.`,
        hint: 'Check one program at a time: name its folder, list "devices" in gantry.yml, or leave files out with "ignore".',
      })
    }
  }
  return [...found.values()]
}

function isSame(a: ImportedObject, b: ImportedObject): boolean {
  return compareObjects(a, b).differences.every(({ aspect }) => aspect !== 'code' && aspect !== 'interface')
}
