/**
 * The program of a project as the files that an export gives: SimaticML, in folders by controller as the version
 * control interface of TIA Portal lays them out.
 */

import { defined } from '../../../lib/optional.ts'
import { escapeText } from '../../../lib/xml-text.ts'
import type { ImportedObject } from '../../model/object.ts'
import { exportDocument } from '../simaticml/export-version.ts'
import { tagRowXml, tagTableElement, watchTableElement } from '../simaticml/table-write.ts'
import type { TargetVersion } from '../simaticml/versions.ts'
import { writeSimaticMl } from '../simaticml/write.ts'
import type {
  LibraryPart,
  StoredLibrary,
  StoredLibraryType,
  StoredMasterCopy,
  StoredTypeVersion,
  TypeVersionReference,
} from './libraries.ts'
import type { PlacedObject, TiaProjectContent } from './project.ts'

export interface ProjectFile {
  /** Names of the folders, the controller first. */
  readonly folder: readonly string[]
  /** Name of the object. */
  readonly name: string
  readonly text: string
}

/** What became of an object of the project. */
export interface ObjectReport {
  readonly controller: string
  readonly name: string
  readonly kind: string
  readonly folder: string
  readonly completeness: PlacedObject['completeness']
  readonly problems: readonly string[]
}

/** An object of a library as the file that an export of it gives. */
export interface LibraryFile {
  readonly name: string
  /** `FB`, `UDT`, `TagTable` … */
  readonly kind: string
  /** Folder in what was copied, `A/B`. */
  readonly folder: string
  readonly number?: number
  readonly secondaryType?: string
  readonly instanceOf?: string
  /** Names that it uses. */
  readonly uses: readonly string[]
  readonly text: string
}

/** A library as files: entries without what could not be read; times in ISO 8601, folders as `A/B`. */
export interface LibraryFiles {
  readonly types: readonly (LibraryHead & {
    readonly defaultVersion: string
    readonly versions: readonly (Omit<StoredTypeVersion, 'part'> & { readonly file: LibraryFile })[]
  })[]
  readonly copies: readonly (LibraryHead & { readonly isFolder: boolean; readonly files: readonly LibraryFile[] })[]
  /** Objects of the programs that are instances of its types. */
  readonly instances: readonly LibraryInstance[]
}
/** An object of a program, and the version of a type that it is an instance of. */
export interface LibraryInstance extends TypeVersionReference {
  readonly controller: string
  readonly name: string
  /** `FB`, `UDT` … */
  readonly kind: string
}
type LibraryHead = Pick<StoredLibraryType, 'name' | 'author' | 'comment' | 'createdAt'> & { readonly folder: string }

const rootFolders: Readonly<Record<string, string>> = {
  UDT: 'PLC data types',
  TagTable: 'PLC tags',
  WatchTable: 'Watch and force tables',
  ForceTable: 'Watch and force tables',
}

/** The names of other objects that an object uses. */
export type NamesUsedBy = (object: ImportedObject) => readonly string[]

/** What objects of the library are reported under, in the place of a controller. */
const libraryPlace = 'Library'

/**
 * Writes the library as files. A version without content is left out, and a type or copy without anything.
 * @param version see `projectFiles`
 */
function libraryFiles(
  { types, copies }: StoredLibrary,
  version: TargetVersion,
  namesUsedBy: NamesUsedBy,
  report: ObjectReport[],
): Omit<LibraryFiles, 'instances'> {
  const write = (part: LibraryPart, place: string): LibraryFile[] => {
    const entry = {
      controller: libraryPlace,
      name: part.name,
      kind: part.kind,
      folder: [place, ...part.folder].join('/'),
      completeness: part.completeness,
      problems: part.problems,
    }
    const written = part.object && writeReported(part.object, version, entry, report)
    if (!part.object || !written) {
      if (!part.object) report.push(entry)
      return []
    }
    const { name, kind, number, secondaryType, instanceOf } = part.object
    return [
      {
        name,
        kind,
        folder: part.folder.join('/'),
        ...defined({ number, secondaryType, instanceOf }),
        uses: namesUsedBy(part.object),
        text: written,
      },
    ]
  }
  const head = ({ name, folder, author, comment, createdAt }: StoredLibraryType | StoredMasterCopy): LibraryHead => ({
    name,
    folder: folder.join('/'),
    author,
    comment,
    ...defined({ createdAt }),
  })
  return {
    types: types.flatMap((type) => {
      const versions = type.versions.flatMap(({ part, ...own }) =>
        write(part, ['Types', ...type.folder, `${type.name} ${own.version}`].join('/')).map((file) => ({
          ...own,
          file,
        })),
      )
      if (versions.length === 0) return []
      const known = versions.some((one) => one.version === type.defaultVersion)
      return [{ ...head(type), defaultVersion: known ? type.defaultVersion : versions.at(-1)!.version, versions }]
    }),
    copies: copies.flatMap((copy) => {
      const place = ['Master copies', ...copy.folder, copy.name].join('/')
      const files = copy.parts.flatMap((part) => write(part, place))
      return files.length === 0 ? [] : [{ ...head(copy), isFolder: copy.isFolder, files }]
    }),
  }
}

/** Writes an object and reports it; undefined where it cannot be written. What its file has no place for is missing. */
function writeReported(
  object: ImportedObject,
  version: TargetVersion,
  entry: ObjectReport,
  report: ObjectReport[],
): string | undefined {
  try {
    const { text, warnings } = writeObjectFile(object, version)
    const isWhole = warnings.length === 0
    report.push(isWhole ? entry : { ...entry, completeness: 'partly', problems: [...entry.problems, ...warnings] })
    return text
  } catch (error) {
    report.push({ ...entry, completeness: 'not-read', problems: [...entry.problems, messageOf(error)] })
    return undefined
  }
}

/**
 * Writes what was read as files.
 * @param version for which they are written: the project's own, or the nearest that there is
 * @param namesUsedBy for objects of the library; without it they name nothing
 */
export function projectFiles(content: TiaProjectContent, version: TargetVersion, namesUsedBy: NamesUsedBy = () => []) {
  const files: ProjectFile[] = []
  const report: ObjectReport[] = []
  const instances: LibraryInstance[] = []
  for (const { name: controller, objects, systemConstants } of content.programs) {
    if (systemConstants) {
      const { text } = writeObjectFile(systemConstants, version)
      files.push({ folder: [controller, rootFolders.TagTable!], name: systemConstants.name, text })
    }
    for (const placed of objects) {
      const entry = {
        controller,
        name: placed.name,
        kind: placed.kind,
        folder: placed.folder.join('/'),
        completeness: placed.completeness,
        problems: placed.problems,
      }
      if (!placed.object) {
        report.push(entry)
        continue
      }
      const text = writeReported(placed.object, version, entry, report)
      if (text === undefined) continue
      const folder = [controller, rootFolders[placed.kind] ?? 'Program blocks', ...placed.folder]
      files.push({ folder, name: placed.name, text })
      const { name, kind, typeVersion } = placed
      if (typeVersion) instances.push({ controller, name, kind, ...typeVersion })
    }
  }
  const library: LibraryFiles = { ...libraryFiles(content.library, version, namesUsedBy, report), instances }
  return { files, library, report }
}

function writeObjectFile(object: ImportedObject, version: TargetVersion) {
  const { kind } = object
  if (kind === 'WatchTable' || kind === 'ForceTable')
    return exportDocument([watchTableElement(kind as 'WatchTable' | 'ForceTable', object.name, object.entries ?? [])], {
      target: version,
    })
  if (object.kind !== 'TagTable') return writeSimaticMl(object, { version })
  const rows = [...(object.tags ?? []), ...(object.constants ?? [])].map((row) => tagRowXml(row, 'en-US'))
  const name = `<AttributeList>\n      <Name>${escapeText(object.name)}</Name>\n    </AttributeList>`
  return exportDocument([tagTableElement(name, rows)], { target: version })
}

function messageOf(error: unknown): string {
  const [fault] = (error as { faults?: readonly { message: string }[] }).faults ?? []
  return fault?.message ?? (error as Error).message
}
