/**
 * A library as files, for version control: each master copy and each type is a folder with one JSON file that says what
 * it is, and the objects as the files that imports read.
 *
 *     master-copies/<folders>/<name>.copy/copy.json, <kind>/<object>
 *     types/<folders>/<name>.type/type.json, <version>/<kind>/<object>
 *     folders.json
 */

import {
  type CommandContext,
  compileInput,
  defined,
  type Fault,
  isGatewayError,
  type SchemaBuilder,
} from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { objectFileName } from '../program-objects/index.ts'
import { fileNameOf, type ProjectFile, type ProjectFiles, parseJsonFile, type SaveContext } from '../projects/index.ts'
import { kindNamed, type LibraryObject, libraryKind } from './kinds.ts'
import {
  type Area,
  areas,
  copiesOf,
  copyStored,
  ensureFolder,
  entityOf,
  foldersIn,
  type Library,
  type LibraryType,
  type MasterCopy,
  pathOf,
  typeStored,
  typesIn,
} from './library.ts'
import { compareVersions } from './versions.ts'

/** What a library holds. */
export interface LibraryContent {
  readonly copies: readonly MasterCopy[]
  readonly types: readonly LibraryType[]
  readonly folders: Readonly<Record<Area, readonly string[]>>
}

/** Brings what was read into the state. */
export function storeContent(ctx: CommandContext, library: Library, { copies, types, folders }: LibraryContent): void {
  const libraryId = library.id
  for (const area of areas) for (const folder of folders[area]) ensureFolder(ctx, library, area, folder.split('/'))
  for (const copy of copies) ctx.emit(copyStored, { libraryId, copy }, entityOf(library, copy.name))
  for (const type of types) ctx.emit(typeStored, { libraryId, type }, entityOf(library, type.name))
}

const copyFile = 'copy.json'
const typeFile = 'type.json'
const foldersFile = 'folders.json'

/** Patterns of the paths below the base that belong to a library. */
export const libraryPatterns = ['master-copies/**', 'types/**', foldersFile] as const

/** A folder's name as a directory that is not taken for a master copy or type. */
export function directoryOf(folder: string): string {
  return folder
    .split('/')
    .filter((name) => name !== '')
    .map((name) => `${fileNameOf(name).replace(/\.(copy|type)$/i, '%2E$1')}/`)
    .join('')
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * All files of a library. The same content gives the same files.
 * @param base in front of the paths, with `/` at its end
 */
export async function libraryFiles(ctx: SaveContext, libraryId: string, base: string): Promise<ProjectFile[]> {
  const files: ProjectFile[] = []
  const byPath = <T extends { readonly folder: string; readonly name: string }>(list: T[]) =>
    list.sort((a, b) => compareTexts(`${a.folder}/${a.name}`, `${b.folder}/${b.name}`))
  for (const copy of byPath(copiesOf(ctx, libraryId))) {
    ctx.signal.throwIfAborted()
    const { id, name, folder, kind, author, comment, createdAt, folders } = copy
    const directory = `${base}master-copies/${directoryOf(folder)}${fileNameOf(name)}.copy/`
    const objects = await objectFiles(ctx, directory, copy.objects, files)
    const device = copy.device === undefined ? undefined : JSON.parse(await ctx.blobs.text(copy.device))
    const content = { id, name, folder, kind, author, comment, createdAt: timeOf(createdAt), device, folders, objects }
    files.push({ path: `${directory}${copyFile}`, content: json(content) })
  }
  for (const type of byPath(typesIn(ctx, libraryId))) {
    ctx.signal.throwIfAborted()
    const { id, name, folder, kind, author, comment, createdAt, defaultVersion } = type
    const directory = `${base}types/${directoryOf(folder)}${fileNameOf(name)}.type/`
    const versions = []
    for (const one of type.versions) {
      const [object] = await objectFiles(ctx, directory, [one.object], files, `${one.version}/`)
      const { version, status, author: by, comment: about, dependencies } = one
      const made = timeOf(one.createdAt)
      versions.push({ version, status, author: by, comment: about, createdAt: made, dependencies, object })
    }
    const created = timeOf(createdAt)
    const content = { id, name, folder, kind, author, comment, createdAt: created, defaultVersion, versions }
    files.push({ path: `${directory}${typeFile}`, content: json(content) })
  }
  const folders = Object.fromEntries(areas.map((area) => [area, foldersIn(ctx, libraryId, area)]))
  if (areas.some((area) => folders[area]!.length > 0))
    files.push({ path: `${base}${foldersFile}`, content: json(folders) })
  return files
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

async function objectFiles(
  ctx: SaveContext,
  directory: string,
  objects: readonly LibraryObject[],
  files: ProjectFile[],
  version = '',
) {
  const entries = []
  for (const object of objects) {
    const { extension, content } = await kindNamed(ctx, object.kind).fileOf(ctx, object)
    const file = `${version}${object.kind}/${objectFileName(object.name, extension)}`
    files.push({ path: `${directory}${file}`, content })
    const { kind, objectKind, name, folder, number, autoNumber, secondaryType, instanceOf } = object
    const { engineeringVersion, uses, isDependency } = object
    const known = { kind, objectKind, name, folder, file, number, autoNumber, secondaryType, instanceOf }
    entries.push({ ...known, engineeringVersion, uses, isDependency })
  }
  return entries
}

const objectSchema = (t: SchemaBuilder) =>
  t.Object({
    kind: t.String(),
    objectKind: t.String(),
    name: t.String(),
    folder: t.String(),
    number: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
    autoNumber: t.Optional(t.Boolean()),
    secondaryType: t.Optional(t.String()),
    instanceOf: t.Optional(t.String()),
    engineeringVersion: t.Optional(t.String()),
    uses: t.Array(t.String()),
    isDependency: t.Optional(t.Boolean()),
    file: t.String(),
  })

const headFields = (t: SchemaBuilder) => ({
  id: t.String({ minLength: 1 }),
  name: t.String({ minLength: 1, maxLength: 125, pattern: '^[^/\\\\]+$' }),
  folder: t.String({ maxLength: 1000 }),
  kind: t.String(),
  author: t.String(),
  comment: t.String(),
  createdAt: t.DateTime(),
})

const copySchema = {
  http: [],
  input: (t: SchemaBuilder) =>
    t.Object({
      ...headFields(t),
      device: t.Optional(t.Object({ name: t.String(), kind: t.String() }, { additionalProperties: true })),
      folders: t.Array(t.Object({ kind: t.String(), path: t.String() })),
      objects: t.Array(objectSchema(t)),
    }),
}

const typeSchema = {
  http: [],
  input: (t: SchemaBuilder) =>
    t.Object({
      ...headFields(t),
      defaultVersion: t.String(),
      versions: t.Array(
        t.Object({
          version: t.String({ pattern: '^\\d{1,4}\\.\\d{1,4}\\.\\d{1,4}$' }),
          status: t.Enum(['inWork', 'released']),
          author: t.String(),
          comment: t.String(),
          createdAt: t.DateTime(),
          object: objectSchema(t),
          dependencies: t.Array(t.Object({ type: t.String(), version: t.String() })),
        }),
        { minItems: 1 },
      ),
    }),
}

interface SavedObject extends Omit<LibraryObject, 'document' | 'size' | 'format' | 'language' | 'isDependency'> {
  readonly isDependency?: boolean
  readonly file: string
}

/**
 * Reads a library. Every fault goes into the list.
 * @param libraryId that what is read belongs to
 */
export async function readLibraryFiles(
  ctx: CommandContext,
  files: Pick<ProjectFiles, 'list' | 'has' | 'read'>,
  base: string,
  libraryId: string,
  faults: Fault[],
): Promise<LibraryContent> {
  const reading = new Reading(ctx, files, faults)
  type SavedCopy = Omit<MasterCopy, 'objects' | 'createdAt' | 'device'> & {
    readonly objects: readonly SavedObject[]
    readonly createdAt: string
    readonly device?: object
  }
  type SavedType = Omit<LibraryType, 'versions' | 'createdAt'> & {
    readonly createdAt: string
    readonly versions: readonly (Omit<LibraryType['versions'][number], 'object' | 'createdAt'> & {
      readonly object: SavedObject
      readonly createdAt: string
    })[]
  }
  const savedCopies: { readonly path: string; readonly saved: SavedCopy }[] = []
  const savedTypes: { readonly path: string; readonly saved: SavedType }[] = []
  for (const path of files.list(`${base}master-copies/`).filter((one) => one.endsWith(`.copy/${copyFile}`))) {
    const saved = await reading.json<SavedCopy>(path, copySchema)
    if (saved) savedCopies.push({ path, saved })
    for (const object of saved?.objects ?? []) reading.want(path, object)
  }
  for (const path of files.list(`${base}types/`).filter((one) => one.endsWith(`.type/${typeFile}`))) {
    const saved = await reading.json<SavedType>(path, typeSchema)
    if (saved) savedTypes.push({ path, saved })
    for (const { object } of saved?.versions ?? []) reading.want(path, object)
  }
  const objects = await reading.objects()
  const copies: MasterCopy[] = []
  for (const { path, saved } of savedCopies) {
    const { device, createdAt, objects: own, ...copy } = saved
    copies.push({
      ...copy,
      libraryId,
      createdAt: Date.parse(createdAt),
      objects: own.flatMap((object) => objects.get(object) ?? []),
      ...(device === undefined ? {} : { device: await ctx.blobs.put(JSON.stringify(device)) }),
    })
    if (copy.kind === 'device' && device === undefined)
      faults.push({ path: `${path}#/device`, message: 'is missing; it is a master copy of a device' })
  }
  const types = savedTypes.map(
    ({ saved: { createdAt, versions, ...type } }): LibraryType => ({
      ...type,
      libraryId,
      createdAt: Date.parse(createdAt),
      versions: versions
        .flatMap(({ object, createdAt: made, ...version }) => {
          const found = objects.get(object)
          return found ? [{ ...version, createdAt: Date.parse(made), object: found }] : []
        })
        .sort((a, b) => compareVersions(a.version, b.version)),
    }),
  )
  checkWhole({ copies, types }, faults, new Map(savedTypes.map(({ path, saved }) => [saved.name, path])))
  return { copies, types, folders: await readFolders(reading, `${base}${foldersFile}`, copies, types) }
}

/** Reads JSON files, and the objects that they name in batches. */
class Reading {
  readonly #ctx: CommandContext
  readonly #files: Pick<ProjectFiles, 'list' | 'has' | 'read'>
  readonly #faults: Fault[]
  readonly #wanted: { readonly saved: SavedObject; readonly path: string }[] = []

  constructor(ctx: CommandContext, files: Pick<ProjectFiles, 'list' | 'has' | 'read'>, faults: Fault[]) {
    this.#ctx = ctx
    this.#files = files
    this.#faults = faults
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  async json<T>(path: string, schema: Parameters<typeof compileInput>[0]): Promise<T | undefined> {
    const data = parseJsonFile((await this.#files.read(path)).toString('utf8'), path, this.#faults)
    if (data === undefined) return undefined
    try {
      return (await compileInput(schema)).read(data as Record<string, unknown>) as T
    } catch (error) {
      if (!isGatewayError(error)) throw error
      for (const one of error.details.errors ?? [{ message: error.message }])
        this.#faults.push({ ...one, path: `${path}#${one.path ?? ''}` })
      return undefined
    }
  }

  /** An object that a file names; its path is below the folder of that file. */
  want(of: string, saved: SavedObject): void {
    const path = `${of.slice(0, of.lastIndexOf('/') + 1)}${saved.file}`
    const known = this.#ctx.extensions(libraryKind).map(({ kind }) => kind)
    if (!known.includes(saved.kind))
      this.#faults.push({
        path: of,
        message: `has an object of kind "${saved.kind}", which is not known here`,
        value: saved.kind,
        allowed: known,
      })
    else if (this.#files.has(path)) this.#wanted.push({ saved, path })
    else this.#faults.push({ path: of, message: `names the file ${saved.file}, which is not there`, value: saved.file })
  }

  async objects(): Promise<ReadonlyMap<SavedObject, LibraryObject>> {
    const found = new Map<SavedObject, LibraryObject>()
    for (const kind of new Set(this.#wanted.map(({ saved }) => saved.kind))) {
      const own = this.#wanted.filter(({ saved }) => saved.kind === kind)
      const read = await kindNamed(this.#ctx, kind).readFile(
        this.#ctx,
        own.map(({ saved, path }) => ({ path, beside: besideOf(saved), read: () => this.#files.read(path) })),
      )
      for (const [i, object] of read.entries()) {
        if ('fault' in object) this.#faults.push({ path: own[i]!.path, message: object.fault })
        else found.set(own[i]!.saved, object)
      }
    }
    return found
  }
}

function besideOf({ file: _file, isDependency, ...saved }: SavedObject): LibraryObject {
  const more = isDependency === true ? { isDependency: true as const } : {}
  return { ...defined(saved), document: '', size: 0, format: '', language: '', ...more } as LibraryObject
}

const foldersSchema = {
  http: [],
  input: (t: SchemaBuilder) => t.Object({ masterCopies: t.Array(t.String()), types: t.Array(t.String()) }),
}

async function readFolders(
  reading: Reading,
  path: string,
  copies: readonly MasterCopy[],
  types: readonly LibraryType[],
): Promise<LibraryContent['folders']> {
  type Saved = Record<Area, readonly string[]>
  const saved = reading.has(path) ? await reading.json<Saved>(path, foldersSchema) : undefined
  const all = (own: readonly string[], used: readonly { readonly folder: string }[]) => {
    const found = new Map<string, string>()
    for (const folder of [...own, ...used.map((one) => one.folder)]) {
      const names = folder.split('/').filter((name) => name !== '')
      for (let i = 1; i <= names.length; i++) {
        const above = names.slice(0, i).join('/')
        if (!found.has(above.toLowerCase())) found.set(above.toLowerCase(), above)
      }
    }
    return [...found.values()].sort()
  }
  return { masterCopies: all(saved?.masterCopies ?? [], copies), types: all(saved?.types ?? [], types) }
}

/** Names are there once, and what a version depends on is there: files can be edited by hand, or merged. */
function checkWhole(
  { copies, types }: Pick<LibraryContent, 'copies' | 'types'>,
  faults: Fault[],
  pathOfType: ReadonlyMap<string, string>,
): void {
  const places = new Set<string>()
  for (const copy of copies) {
    const place = pathOf(copy)
    if (places.has(place.toLowerCase())) faults.push({ path: 'master-copies', message: `"${place}" is there twice` })
    places.add(place.toLowerCase())
  }
  const byName = new Map<string, LibraryType>()
  for (const type of types) {
    const path = pathOfType.get(type.name) ?? 'types'
    if (byName.has(type.name.toLowerCase())) faults.push({ path, message: `type "${type.name}" is there twice` })
    byName.set(type.name.toLowerCase(), type)
    const versions = type.versions.map(({ version }) => version)
    if (new Set(versions).size < versions.length)
      faults.push({ path: `${path}#/versions`, message: 'one is there twice' })
    if (!versions.includes(type.defaultVersion))
      faults.push({
        path: `${path}#/defaultVersion`,
        message: 'is none of the versions',
        value: type.defaultVersion,
        allowed: versions,
      })
  }
  for (const type of types)
    for (const { version, dependencies } of type.versions)
      for (const one of dependencies) {
        const used = byName.get(one.type.toLowerCase())
        if (used?.versions.some((other) => other.version === one.version)) continue
        faults.push({
          path: `${pathOfType.get(type.name) ?? 'types'}#/versions`,
          message: `version ${version} depends on ${one.type} ${one.version}, which is not there`,
          value: one.type,
        })
      }
}
