/** Libraries of TIA Portal: what was read of one as the files of a library of our own. */
import { basename, extname } from 'node:path'
import { type CommandContext, type Fault, problem } from '../../core/index.ts'
import { findDevice } from '../devices/index.ts'
import { objectFileName } from '../program-objects/index.ts'
import {
  type FolderImport,
  fileNameOf,
  type GivenLibrary,
  type GivenLibraryFile,
  type ProjectFiles,
  type TiaContent,
} from '../projects/index.ts'
import { directoryOf, type LibraryContent, readLibraryFiles, storeContent } from './files.ts'
import { kindNamed } from './kinds.ts'
import { findLibraryType, projectLibrary } from './library.ts'
import { manifestExtension, writeManifest } from './manifest.ts'
import { becomesInstance } from './versions.ts'

/** The header file `<Name>.alNN` of a library of TIA Portal. */
export const tiaHeader = /\.al\d+(_\d+)?$/i

/** A library of TIA Portal as files of our own. */
export interface ConvertedLibrary {
  readonly contents: ReadonlyMap<string, Buffer>
  /** What is not in them, a sentence each. */
  readonly warnings: readonly string[]
}

const kinds: Readonly<Record<string, string>> = {
  UDT: 'type',
  TagTable: 'tag-table',
  WatchTable: 'watch-table',
  ForceTable: 'watch-table',
}
const kindOf = ({ kind }: Pick<GivenLibraryFile, 'kind'>): string => kinds[kind] ?? 'block'

/** Names of a library have no slashes, and are not longer than ours. */
const cleaned = (name: string): string =>
  name
    .replace(/[/\\\p{Cc}]/gu, '_')
    .slice(0, 120)
    .trim() || '_'
const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/**
 * Files of a library, without a manifest, and what its types are called here, by their names in lower case.
 * @param base in front of the paths
 * @param now for what has no time, ms
 */
function filesOf(library: GivenLibrary, base: string, newId: () => string, now: number) {
  const contents = new Map<string, Buffer>()
  const warnings: string[] = []
  const taken = new Set<string>()
  const free = (folder: string, given: string): string => {
    const wanted = cleaned(given)
    let name = wanted
    for (let n = 2; taken.has(`${folder}/${name}`.toLowerCase()); n++) name = `${wanted}_${n}`
    taken.add(`${folder}/${name}`.toLowerCase())
    if (name !== given) warnings.push(`"${given}" of the library is called "${name}" here.`)
    return name
  }
  const timeOf = (at: string | undefined) => at ?? new Date(now).toISOString()
  const object = (directory: string, place: string, file: GivenLibraryFile, own: { has(name: string): boolean }) => {
    const { kind: objectKind, text, uses, ...rest } = file
    const kind = kindOf(file)
    let path = `${place}${kind}/${objectFileName(file.name, '.xml')}`
    for (let n = 2; contents.has(directory + path); n++)
      path = `${place}${kind}/${objectFileName(`${file.name}~${n}`, '.xml')}`
    contents.set(directory + path, Buffer.from(text))
    return { ...rest, kind, objectKind, file: path, uses: uses.filter((name) => own.has(name.toLowerCase())) }
  }
  const namesOf = (files: readonly GivenLibraryFile[]) => new Set(files.map(({ name }) => name.toLowerCase()))

  for (const { files, folder, isFolder, createdAt, ...copy } of library.copies) {
    const name = free(`copies/${folder}`, copy.name)
    const directory = `${base}master-copies/${directoryOf(folder)}${fileNameOf(name)}.copy/`
    const own = namesOf(files)
    const folders = [...new Set(files.map((file) => `${kindOf(file)} ${file.folder}`))]
      .map((key) => ({ kind: key.split(' ', 1)[0]!, path: key.slice(key.indexOf(' ') + 1) }))
      .filter(({ path }) => path !== '')
    const objects = files.map((file) => object(directory, '', file, own))
    const kind = isFolder ? 'folder' : objects[0]!.kind
    const content = { ...copy, id: newId(), name, folder, kind, createdAt: timeOf(createdAt), folders, objects }
    contents.set(`${directory}copy.json`, json(content))
  }
  const names = library.types.map((type) => free('types', type.name))
  const nameOfType = new Map(library.types.map(({ name }, i) => [name.toLowerCase(), names[i]!]))
  for (const [i, { versions, folder, createdAt, ...type }] of library.types.entries()) {
    const name = names[i]!
    const directory = `${base}types/${directoryOf(folder)}${fileNameOf(name)}.type/`
    const own = versions.map(({ file, dependencies, createdAt: made, isReleased, ...version }) => ({
      ...version,
      status: isReleased ? 'released' : 'inWork',
      createdAt: timeOf(made),
      dependencies: dependencies.map((one) => ({ ...one, type: nameOfType.get(one.type.toLowerCase()) ?? one.type })),
      object: object(directory, `${version.version}/`, file, nameOfType),
    }))
    const kind = own[0]!.object.kind
    const content = { ...type, id: newId(), name, folder, kind, createdAt: timeOf(createdAt), versions: own }
    contents.set(`${directory}type.json`, json(content))
  }
  return { contents, warnings, nameOfType } satisfies ConvertedLibrary & { nameOfType: ReadonlyMap<string, string> }
}

/**
 * A global library of TIA Portal as a library of our own.
 * @param path of its header or archive
 * @throws GatewayError `unacceptable_content` for a project
 */
export function convertLibrary(ctx: CommandContext, path: string, content: TiaContent): ConvertedLibrary {
  const { kind, name, author, version, library } = content
  if (kind !== 'Library')
    throw problem('unacceptable_content', `"${basename(path)}" is a project of TIA Portal, not a library.`, {
      suggestion: 'POST /api/projects/actions/open and /create-from-archive open it.',
    })
  const { contents, warnings } = filesOf(library, '', () => ctx.newId(), ctx.now)
  const manifest = `${fileNameOf(name || basename(path, extname(path)))}${manifestExtension}`
  const head = { fileId: ctx.newId(), author, comment: '', version, createdAt: ctx.now }
  return {
    contents: new Map([...contents, [manifest, Buffer.from(writeManifest(head))]]),
    warnings: [...warnings, ...lossesOf(content)],
  }
}

/** What of the content could not be read. */
function lossesOf({ report, notRead, damaged }: TiaContent): string[] {
  const partly = report.flatMap(({ folder, name, completeness, problems }) =>
    completeness === 'whole' ? [] : [`${folder}/${name} (${completeness}): ${problems.join('; ')}`],
  )
  const kindsNotRead = Object.entries(notRead).map(([kind, number]) => `Not read: ${number} of the kind ${kind}.`)
  return [...partly, ...kindsNotRead, ...damaged]
}

/** Takes the library of a project of TIA Portal into the library of ours. */
export async function importGivenLibrary(ctx: CommandContext, files: ProjectFiles): Promise<FolderImport> {
  const nothing = { imported: 0, files: [], warnings: [] }
  const { types, copies, instances } = files.library
  if ([types, copies, instances].every(({ length }) => length === 0)) return nothing
  const { contents, warnings, nameOfType } = filesOf(files.library, '', () => ctx.newId(), ctx.now)
  const faults: Fault[] = []
  const library = projectLibrary(ctx)
  const content = await readLibraryFiles(ctx, filesIn(contents), '', library.id, faults)
  storeContent(ctx, library, withoutGaps(content))
  return {
    ...nothing,
    warnings: [...warnings, ...faults.map(faultText), ...(await importInstances(ctx, files, nameOfType))],
  }
}

/** Notes which objects of the programs are instances of types of the library. They are as the project has them. */
async function importInstances(
  ctx: CommandContext,
  { library }: ProjectFiles,
  nameOfType: ReadonlyMap<string, string>,
): Promise<string[]> {
  const own = projectLibrary(ctx)
  const lost: string[] = []
  for (const given of library.instances) {
    const { controller, name, version } = given
    const device = findDevice(ctx, controller)
    const kind = kindNamed(ctx, kindOf(given))
    const entry = device && kind.find(ctx, device, name)
    const type = findLibraryType(ctx, own.id, nameOfType.get(given.type.toLowerCase()) ?? given.type)
    if (device && entry && type?.versions.some((one) => one.version === version)) {
      const document = await kind.documentOf(ctx, device, entry.name)
      becomesInstance(ctx, device, kind.kind, { id: entry.id, document }, type, version)
    } else lost.push(`${controller}/${name} (${given.type} ${version})`)
  }
  return lost.length === 0
    ? []
    : [`Objects whose version of a library type was not read are no instances here: ${lost.join(', ')}.`]
}

/** A library whose faulty parts were left out: no type is without a version, and no version depends on one of them. */
export function withoutGaps({ types, copies, folders }: LibraryContent): LibraryContent {
  const present = new Set(types.flatMap(({ name, versions }) => versions.map(({ version }) => `${name} ${version}`)))
  return {
    folders,
    copies: copies.filter(({ objects }) => objects.length > 0),
    types: types.flatMap((type) => {
      const versions = type.versions.map((one) => ({
        ...one,
        dependencies: one.dependencies.filter((other) => present.has(`${other.type} ${other.version}`)),
      }))
      const newest = versions.at(-1)
      if (!newest) return []
      const hasDefault = versions.some(({ version }) => version === type.defaultVersion)
      return [{ ...type, versions, defaultVersion: hasDefault ? type.defaultVersion : newest.version }]
    }),
  }
}

export const faultText = ({ path, message }: Fault): string => `Library: ${path ?? ''} ${message}`

/** Contents by path as the files that libraries are read from. */
export function filesIn(contents: ReadonlyMap<string, Buffer>): Pick<ProjectFiles, 'list' | 'has' | 'read'> {
  return {
    list: (prefix = '') => [...contents.keys()].filter((path) => path.startsWith(prefix)).sort(),
    has: (path) => contents.has(path),
    read: async (path) => contents.get(path)!,
  }
}
