/** Reads files of unknown format: detects the format, and returns objects and faults in the same way for all. */

import { FormatError, type FormatFault } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { detectFile, type FileFormat } from './detect.ts'
import type { SdPlaces } from './simatic-sd/places.ts'
import type { ProgramAround } from './simatic-sd/program.ts'
import type { CalleeLookup } from './simaticml/callee.ts'
import { readSource, type SourceBlock, type SourceLayout } from './source/read.ts'
import { isMoreThanSource } from './source/scl-networks.ts'

export interface ImportedFile {
  readonly format: FileFormat
  readonly engineeringVersion?: string
  readonly objects: readonly ImportedObject[]
  /**
   * Faults in the file. SimaticML is all or nothing (faults and no objects). External sources give every block that
   * could be read, so that the caller decides whether to continue, as TIA Portal's KeepOnError does.
   */
  readonly faults: readonly FormatFault[]
  /** What was left out or guessed. */
  readonly warnings?: readonly string[]
  /** External sources only: the part of the file that each object comes from. */
  readonly places?: readonly (readonly [start: number, end: number])[]
  /** Sources: where the parts of each object are in its text. */
  readonly layouts?: readonly SourceLayout[]
  /** SIMATIC SD only: where the parts of each object are in the file. */
  readonly sdPlaces?: readonly SdPlaces[]
}

export interface ImportOptions {
  /** Culture of texts in external sources. Default `en-US`. */
  readonly culture?: string
  /** Name of the file. It decides where a type of SIMATIC SD looks like one of an external source. */
  readonly path?: string
  /** For a `.s7dcl` file: the `.s7res` file with its texts, and what is known of the program around it. */
  readonly resources?: Uint8Array
  readonly program?: ProgramAround
  /** Whether syntax faults in the statements of SCL sources count. By default the compiler reports them later. */
  readonly checkCode?: boolean
}

function isSdPath(path: string | undefined): boolean {
  return path !== undefined && /\.s7dcl$/i.test(path)
}

/** Loads the parser of statements on first use. */
async function faultsOfCode(text: string, blocks: readonly SourceBlock[]): Promise<FormatFault[]> {
  const { codeFaults } = await import('./source/code-faults.ts')
  return codeFaults(text, blocks)
}

/** Most blocks of a source are stored as they are, without the XML reader. */
async function storedForms(blocks: readonly SourceBlock[], { culture = 'en-US' }: ImportOptions) {
  const objects = blocks.map(({ object }) => object)
  if (!objects.some(isMoreThanSource)) return objects
  const { storedFormOf } = await import('./simaticml/from-source.ts')
  const byName = new Map(objects.map((object) => [object.name.toUpperCase(), object]))
  const callee: CalleeLookup = (name) => {
    const { kind, instanceOf } = byName.get(name.toUpperCase()) ?? {}
    if (kind === 'InstanceDB' && instanceOf !== undefined) return { kind: 'FB', name: instanceOf }
    return kind === 'FC' ? { kind: 'FC' } : undefined
  }
  return objects.map((object) => storedFormOf(object, { culture, callee }))
}

/** ANSI has many code pages; the file does not say which. */
const ansiWarning =
  'the file is not UTF-8: it is read as Windows-1252 (ANSI of western Europe); letters of other languages come out wrong'

/** Reads a file from its bytes. Never throws because of the content. The XML reader is loaded on first use. */
export async function importFile(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportedFile> {
  let format: FileFormat = 'unknown'
  try {
    const file = detectFile(bytes)
    const guessed = file.encoding === 'windows-1252' ? [ansiWarning] : []
    format = file.format === 'source' && isSdPath(options.path) ? 's7dcl' : file.format
    if (format === 'source') {
      const { blocks, faults } = readSource(file.text, options)
      const inCode = options.checkCode === true ? await faultsOfCode(file.text, blocks) : []
      return {
        format,
        objects: await storedForms(blocks, options),
        faults: [...faults, ...inCode],
        warnings: guessed,
        places: blocks.map(({ place }) => place),
        layouts: blocks.map(({ layout }) => layout),
      }
    }
    if (format === 'simaticml' || format === 'xml') {
      const { importSimaticMlText } = await import('./simaticml/read.ts')
      return { format, faults: [], ...importSimaticMlText(file.text) }
    }
    if (format === 's7dcl') {
      const { importSd } = await import('./simatic-sd/import.ts')
      const read = await importSd(file.text, options)
      return { format, ...read, warnings: [...guessed, ...(read.warnings ?? [])] }
    }
    const message =
      file.text.trim() === ''
        ? 'the file is empty'
        : format === 'unknown'
          ? 'this is neither SimaticML (<Document>…) nor an external source or SIMATIC SD (FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE first)'
          : 'a .s7res file holds the texts of the .s7dcl file of the same name, which is not beside it: import that one'
    return { format, objects: [], faults: [{ code: 'unsupported', message, line: 1, column: 1 }] }
  } catch (error) {
    if (error instanceof FormatError) return { format, objects: [], faults: error.faults }
    throw error
  }
}
