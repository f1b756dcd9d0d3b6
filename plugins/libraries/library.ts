/**
 * Libraries: the one of the project and the global ones that are open. Both are the same thing, in two places: what
 * they hold is in the same collections, under the id of the library. The id of the project's library is that of the
 * project.
 */
import {
  type Collection,
  type CommandContext,
  collection,
  type DomainEvent,
  domainEvent,
  notFound,
  on,
  ownedBy,
  problem,
  type Slice,
  type SliceReader,
  undone,
} from '../../core/index.ts'
import { blockDeleted } from '../blocks/index.ts'
import { device } from '../devices/index.ts'
import { changesProject, currentProject, project, requireProject } from '../projects/index.ts'
import { typeDeleted } from '../types/index.ts'
import type { LibraryObject } from './kinds.ts'

/** An open library. Times in ms since the epoch. */
export interface Library {
  readonly id: string
  readonly name: string
  readonly scope: 'project' | 'global'
  readonly author: string
  readonly comment: string
  /** Engineering version, `V19`. */
  readonly version: string
  readonly createdAt: number
  readonly modifiedAt: number
  readonly savedAt?: number
}

/** A global library that is open. */
export interface GlobalLibrary extends Library {
  /** The id in its manifest. */
  readonly fileId: string
  /** Folder with the manifest, or the archive that was opened as it is. */
  readonly path: string
  readonly isReadOnly: boolean
  /** Text in the lock file of a library that is open for writing. */
  readonly lock?: string
  readonly openedAt: number
  /** Counts changes. */
  readonly revision: number
  readonly savedRevision: number
}

/** What a master copy was made of. */
export type CopyKind = 'folder' | 'device' | (string & {})

/** A master copy: an object, a folder of objects, or a station with all that is in it. */
export interface MasterCopy {
  readonly id: string
  readonly libraryId: string
  readonly name: string
  /** Folder of the library, `A/B`; empty: directly below its master copies. */
  readonly folder: string
  /** The kind of the one object ({@link LibraryObject.kind}), `folder`, or `device`. */
  readonly kind: CopyKind
  readonly author: string
  readonly comment: string
  readonly createdAt: number
  /** The objects; those that are included only because others use them are marked. */
  readonly objects: readonly LibraryObject[]
  /** Folders that exist whether or not something is in them. */
  readonly folders: readonly { readonly kind: string; readonly path: string }[]
  /** Blob: the device of a station as JSON, without what is its own in a project (id, name). */
  readonly device?: string
}

export type VersionStatus = 'inWork' | 'released'

/** A version of a library type. */
export interface TypeVersion {
  /** `1.0.0` */
  readonly version: string
  readonly status: VersionStatus
  readonly author: string
  readonly comment: string
  readonly createdAt: number
  readonly object: LibraryObject
  /** Types of the same library that its content uses. */
  readonly dependencies: readonly TypeReference[]
}

/** A version of a type, by its name in the library. */
export interface TypeReference {
  readonly type: string
  readonly version: string
}

/** A library type with its versions, oldest first; it has at least one. */
export interface LibraryType {
  readonly id: string
  readonly libraryId: string
  readonly name: string
  readonly folder: string
  /** {@link LibraryObject.kind}: `block`, `type` … */
  readonly kind: string
  readonly author: string
  readonly comment: string
  readonly createdAt: number
  readonly defaultVersion: string
  readonly versions: readonly TypeVersion[]
}

export const areas = ['masterCopies', 'types'] as const
export type Area = (typeof areas)[number]

/** A folder of a library. */
export interface LibraryFolder {
  readonly libraryId: string
  readonly area: Area
  readonly path: string
}

/** An object of the project that is an instance of a version of a type of the project's library. */
export interface Instance {
  /** Of the object. */
  readonly id: string
  readonly deviceId: string
  readonly kind: string
  readonly typeId: string
  readonly version: string
  /** Blob: the document of the object when it became an instance. */
  readonly document: string
}

/** Index `byLibrary`: the library's id. What is of the project's library goes with the project. */
const inLibrary = { byLibrary: ({ libraryId }: { readonly libraryId: string }) => libraryId }
const ofProject = [ownedBy(project, 'byLibrary')]

/** Key: the id. The project's library is not among them. */
export const globalLibraries = collection<GlobalLibrary>('libraries.global', {}, [], {
  apart: ['revision', 'savedRevision', 'modifiedAt', 'savedAt'],
  final: 'It opened or closed a library.',
})
/** Key: {@link copyKey}. */
export const masterCopies = collection<MasterCopy>('libraries.master-copies', inLibrary, ofProject)
/** Key: {@link typeKey}. Index `byId`: the type's id. */
export const libraryTypes = collection<LibraryType>(
  'libraries.types',
  { ...inLibrary, byId: ({ id }) => id },
  ofProject,
)
/** Key: {@link folderKey}. */
export const libraryFolders = collection<LibraryFolder>('libraries.folders', inLibrary, ofProject)
/** Key: the id of the object. Indexes `byDevice`, `byType`: ids. */
export const instances = collection<Instance>(
  'libraries.instances',
  { byDevice: ({ deviceId }) => deviceId, byType: ({ typeId }) => typeId },
  [ownedBy(device, 'byDevice'), ownedBy(project)],
)

const copyKey = (libraryId: string, path: string): string => `${libraryId}/${path.toLowerCase()}`
const typeKey = (libraryId: string, name: string): string => `${libraryId}/${name.toLowerCase()}`
const folderKey = ({ libraryId, area, path }: LibraryFolder): string => `${libraryId}/${area}/${path.toLowerCase()}`

/** `A/B/name` of what is in a folder. */
export function pathOf({ folder, name }: { readonly folder: string; readonly name: string }): string {
  return folder === '' ? name : `${folder}/${name}`
}

export const libraryOpened = domainEvent<{ library: GlobalLibrary }>('libraries.opened', 'A global library was opened')
/** What is in the library's files is in the state. */
export const libraryLoaded = domainEvent<{ libraryId: string }>(
  'libraries.loaded',
  'The content of a global library was read from its files',
)
export const librarySaved = domainEvent<{ libraryId: string; savedAt: number }>(
  'libraries.saved',
  'A global library was saved',
)
export const libraryClosed = domainEvent<{ libraryId: string; name: string; path: string; discarded: boolean }>(
  'libraries.closed',
  'A global library was closed',
)
/** Made, or made anew over the one at its place. */
export const copyStored = domainEvent<{ libraryId: string; copy: MasterCopy }>(
  'libraries.master-copy-stored',
  'A master copy was put into a library',
)
export const copyDeleted = domainEvent<{ libraryId: string; path: string }>(
  'libraries.master-copy-deleted',
  'A master copy was deleted',
)
/** Made, or with other versions; `type` is what it is now. */
export const typeStored = domainEvent<{ libraryId: string; type: LibraryType }>(
  'libraries.type-stored',
  'A library type was made or changed',
)
export const libraryTypeDeleted = domainEvent<{ libraryId: string; name: string; typeId: string }>(
  'libraries.type-deleted',
  'A library type was deleted',
)
const folderCreated = domainEvent<LibraryFolder>('libraries.folder-created', 'A folder of a library was created')
export const instanceSet = domainEvent<{ instance: Instance }>(
  'libraries.instance-set',
  'An object became an instance of a version of a library type',
)
export const instancesDropped = domainEvent<{ ids: readonly string[] }>(
  'libraries.instances-dropped',
  'Objects are no instances of library types any more',
)

type Write = Parameters<Parameters<typeof on>[1]>[0]

function changeLibrary(write: Write, libraryId: string, time: number) {
  write(globalLibraries).update(libraryId, (library) => {
    library.modifiedAt = time
    library.revision++
  })
}

/** A change of a global library counts for it; one of the project's library counts for the project. */
function changesLibrary(event: DomainEvent<{ readonly libraryId: string }>) {
  return on(event, (write, { libraryId }, { time }) => {
    changeLibrary(write, libraryId, time)
    changesProject(write, time, libraryId)
  })
}

function dropAll(write: Write, libraryId: string) {
  for (const part of [masterCopies, libraryTypes, libraryFolders] as Collection<unknown>[])
    for (const key of write(part).findKeys('byLibrary', libraryId)) write(part).delete(key)
}

export const librarySlice: Slice = {
  version: 1,
  collections: [globalLibraries, masterCopies, libraryTypes, libraryFolders, instances],
  reductions: [
    on(libraryOpened, (write, { library }) => write(globalLibraries).set(library.id, library)),
    on(libraryLoaded, (write, { libraryId }) =>
      write(globalLibraries).update(libraryId, (library) => {
        library.savedRevision = library.revision
        // To read it changes nothing. Its files do not say when it was saved.
        library.modifiedAt = library.createdAt
      }),
    ),
    on(librarySaved, (write, { libraryId, savedAt }) =>
      write(globalLibraries).update(libraryId, (library) => {
        library.savedRevision = library.revision
        library.savedAt = savedAt
      }),
    ),
    on(libraryClosed, (write, { libraryId }) => {
      write(globalLibraries).delete(libraryId)
      dropAll(write, libraryId)
    }),
    on(undone, (write, { entries }, { time }) => {
      const touched = new Set(entries.map(([, key]) => key.split('/', 1)[0]!))
      for (const id of touched) changeLibrary(write, id, time)
    }),
    on(copyStored, (write, { copy }) => write(masterCopies).set(copyKey(copy.libraryId, pathOf(copy)), copy)),
    on(copyDeleted, (write, { libraryId, path }) => write(masterCopies).delete(copyKey(libraryId, path))),
    on(typeStored, (write, { type }) => write(libraryTypes).set(typeKey(type.libraryId, type.name), type)),
    on(libraryTypeDeleted, (write, { libraryId, name }) => write(libraryTypes).delete(typeKey(libraryId, name))),
    on(folderCreated, (write, folder) => write(libraryFolders).set(folderKey(folder), folder)),
    on(instanceSet, (write, { instance }, { time }) => {
      write(instances).set(instance.id, instance)
      changesProject(write, time)
    }),
    on(instancesDropped, (write, { ids }, { time }) => {
      for (const id of ids) write(instances).delete(id)
      changesProject(write, time)
    }),
    on(blockDeleted, (write, { id }) => write(instances).delete(id)),
    on(typeDeleted, (write, { id }) => write(instances).delete(id)),
    ...[copyStored, copyDeleted, typeStored, libraryTypeDeleted, folderCreated].map((event) =>
      changesLibrary(event as DomainEvent<{ readonly libraryId: string }>),
    ),
  ],
}

type Reader = { readonly read: SliceReader }

/**
 * The library of the open project.
 * @throws GatewayError `no_project`
 */
export function projectLibrary(ctx: Reader): Library {
  const { id, name, author, comment, version, createdAt, modifiedAt, savedAt } = requireProject(ctx)
  const saved = savedAt === undefined ? {} : { savedAt }
  return { id, name, scope: 'project', author, comment, version, createdAt, modifiedAt, ...saved }
}

/** The global libraries that are open, in the order in which they were opened. */
export function openLibraries(ctx: Reader): GlobalLibrary[] {
  return [...ctx.read(globalLibraries).values()]
}

/**
 * A global library that is open: by its name, path or id; without one the library that was opened last.
 * @throws GatewayError `not_found`, `conflict` (none is open), `invalid_input` (several have the name)
 */
export function requireGlobalLibrary(ctx: Reader, named: string | undefined): GlobalLibrary {
  const all = openLibraries(ctx)
  if (all.length === 0)
    throw problem('conflict', 'No global library is open.', {
      suggestion:
        'POST /api/libraries/global/actions/open { path }, or POST /api/libraries/global { name } to make one.',
    })
  if (named === undefined) return all.at(-1)!
  const wanted = named.toLowerCase()
  const exact = all.find(({ id, path }) => id === named || path === named)
  const found = exact ? [exact] : all.filter(({ name }) => name.toLowerCase() === wanted)
  if (found.length > 1) {
    const paths = found.map(({ path }) => path)
    throw problem('invalid_input', `/library: ${found.length} open libraries are called "${named}"; name the path.`, {
      errors: [{ path: '/library', message: 'must be the path of one of them', value: named, allowed: paths }],
    })
  }
  if (found[0]) return found[0]
  throw notFound(
    'open global library',
    named,
    all.map(({ name }) => name),
  )
}

/** A library by what a client calls it: `project`, or as {@link requireGlobalLibrary}. */
export function requireLibrary(ctx: Reader, named: string): Library | GlobalLibrary {
  return named.toLowerCase() === 'project' ? projectLibrary(ctx) : requireGlobalLibrary(ctx, named)
}

/** @throws GatewayError `conflict` when the library is open read-only */
export function requireWritable(library: Library | GlobalLibrary): void {
  if ('isReadOnly' in library && library.isReadOnly)
    throw problem('conflict', `Library "${library.name}" is open read-only.`, {
      suggestion: 'Close it and open it with "openMode": "ReadWrite".',
    })
}

export function copiesOf(ctx: Reader, libraryId: string): MasterCopy[] {
  return ctx.read(masterCopies).find('byLibrary', libraryId)
}
export function typesIn(ctx: Reader, libraryId: string): LibraryType[] {
  return ctx.read(libraryTypes).find('byLibrary', libraryId)
}
export function foldersIn(ctx: Reader, libraryId: string, area: Area): string[] {
  return ctx
    .read(libraryFolders)
    .find('byLibrary', libraryId)
    .filter((folder) => folder.area === area)
    .map(({ path }) => path)
    .sort()
}

export function findCopy(ctx: Reader, libraryId: string, path: string): MasterCopy | undefined {
  return ctx.read(masterCopies).get(copyKey(libraryId, path))
}
export function findLibraryType(ctx: Reader, libraryId: string, name: string): LibraryType | undefined {
  return ctx.read(libraryTypes).get(typeKey(libraryId, name))
}
/** A type of the project's library. */
export function typeOfId(ctx: Reader, typeId: string): LibraryType | undefined {
  const own = currentProject(ctx)?.id
  return ctx
    .read(libraryTypes)
    .find('byId', typeId)
    .find(({ libraryId }) => libraryId === own)
}

/**
 * A master copy by its path `A/B/name`, or by its name alone when no other has it.
 * @throws GatewayError `not_found` with the nearest, `invalid_input` when several have the name
 */
export function requireCopy(ctx: Reader, library: Library, named: string): MasterCopy {
  const path = named.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '')
  const exact = findCopy(ctx, library.id, path)
  if (exact) return exact
  const all = copiesOf(ctx, library.id)
  const found = all.filter(({ name }) => name.toLowerCase() === path.toLowerCase())
  if (found.length > 1) {
    const paths = found.map(pathOf)
    throw problem('invalid_input', `/name: ${found.length} master copies are called "${named}"; name the path.`, {
      errors: [{ path: '/name', message: 'must be the path of one of them', value: named, allowed: paths }],
    })
  }
  if (found[0]) return found[0]
  throw notFound('master copy', named, all.map(pathOf))
}

/** @throws GatewayError `not_found` with the nearest name */
export function requireLibraryType(ctx: Reader, library: Library, named: string): LibraryType {
  const name = named.slice(named.replaceAll('\\', '/').lastIndexOf('/') + 1)
  const type = findLibraryType(ctx, library.id, named) ?? findLibraryType(ctx, library.id, name)
  if (type) return type
  throw notFound(
    'library type',
    named,
    typesIn(ctx, library.id).map((one) => one.name),
  )
}

/**
 * A version of a type; without one its default version.
 * @throws GatewayError `not_found` with the nearest
 */
export function requireVersion(type: LibraryType, named?: string): TypeVersion {
  const wanted = (named ?? type.defaultVersion).replace(/^v/i, '')
  const found = type.versions.find(({ version }) => version === wanted)
  if (found) return found
  throw notFound(
    'version',
    wanted,
    type.versions.map(({ version }) => version),
    `of library type "${type.name}"`,
  )
}

/** Makes the folder and those above it that do not exist; returns its path as it is written. */
export function ensureFolder(ctx: CommandContext, library: Library, area: Area, segments: readonly string[]): string {
  let path = ''
  for (const segment of segments) {
    const wanted: LibraryFolder = { libraryId: library.id, area, path: path === '' ? segment : `${path}/${segment}` }
    const present = ctx.read(libraryFolders).get(folderKey(wanted))
    path = present?.path ?? wanted.path
    if (!present) ctx.emit(folderCreated, wanted, entityOf(library, path))
  }
  return path
}

export function hasFolder(ctx: Reader, library: Library, area: Area, path: string): boolean {
  return ctx.read(libraryFolders).has(folderKey({ libraryId: library.id, area, path }))
}

/** What events about something in a library are filed under. */
export function entityOf(library: Pick<Library, 'name'>, path: string): string {
  return `library/${library.name}/${path}`
}
