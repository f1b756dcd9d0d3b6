/** Global libraries: made, opened, saved, closed, archived. */
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type CommandContext, defined, type Fault, problem } from '../../core/index.ts'
import {
  currentProject,
  type EngineeringVersion,
  engineeringVersions,
  faultyFiles,
  fileNameOf,
  filesOfFolder,
  nothingAt,
  type ProjectFile,
  type ProjectFiles,
  packFiles,
  readTiaFile,
  readUnpackedTia,
  type TiaContent,
  unpackFiles,
} from '../projects/index.ts'
import { requireLibraryName } from './copies.ts'
import { libraryFiles, libraryPatterns, readLibraryFiles, storeContent } from './files.ts'
import {
  entityOf,
  type GlobalLibrary,
  libraryClosed,
  libraryLoaded,
  libraryOpened,
  librarySaved,
  openLibraries,
  requireGlobalLibrary,
  requireWritable,
} from './library.ts'
import { lockFile, manifestExtension, readLock, readManifest, writeLock, writeManifest } from './manifest.ts'
import { type ConvertedLibrary, convertLibrary, faultText, filesIn, tiaHeader, withoutGaps } from './tia-library.ts'

export interface NewLibrary {
  readonly name: string
  readonly directory?: string | undefined
  readonly author?: string | undefined
  readonly comment?: string | undefined
  readonly version?: string | undefined
}

/**
 * Makes an empty library in a new folder `<directory>/<name>` and opens it for writing.
 * @throws GatewayError `invalid_input`, `name_taken`
 */
export async function createLibrary(ctx: CommandContext, input: NewLibrary): Promise<GlobalLibrary> {
  const { name } = input
  requireLibraryName(name, '/name', 'library')
  if (fileNameOf(name) !== name)
    throw problem('invalid_input', `/name: "${name}" cannot be the name of a folder on every system.`, {
      errors: [{ path: '/name', message: 'must be a name of a folder', value: name }],
    })
  const version = versionOf(
    input.version ?? currentProject(ctx)?.version ?? ctx.gateway.settings.engineering.defaultVersion,
  )
  const path = await ctx.files.resolve(join(await ctx.files.resolve(input.directory ?? '.'), name))
  if (await ctx.files.stat(path))
    throw problem('name_taken', `"${path}" exists already.`, {
      suggestion: 'Open it with POST /api/libraries/global/actions/open, or choose another name or directory.',
    })
  const id = ctx.newId()
  const lock = ctx.newId()
  const library: GlobalLibrary = {
    id,
    fileId: id,
    name,
    scope: 'global',
    path,
    isReadOnly: false,
    lock,
    author: input.author ?? ctx.actor.name,
    comment: input.comment ?? '',
    version,
    createdAt: ctx.now,
    modifiedAt: ctx.now,
    savedAt: ctx.now,
    openedAt: ctx.now,
    revision: 0,
    savedRevision: 0,
  }
  await ctx.files.write(join(path, `${name}${manifestExtension}`), writeManifest(library))
  await ctx.files.write(
    join(path, lockFile),
    writeLock({ token: lock, by: ctx.actor.name, host: hostname(), at: ctx.now }),
  )
  ctx.emit(libraryOpened, { library }, entityOf(library, ''))
  return library
}

function versionOf(text: string): EngineeringVersion {
  const version = `V${text.trim().replace(/^v/i, '')}`
  const found = engineeringVersions.find((one) => one === version)
  if (found) return found
  throw problem(
    'invalid_input',
    `/version: "${text}" is not an engineering version; one of ${engineeringVersions.join(', ')} is needed.`,
    {
      errors: [
        { path: '/version', message: 'must be an engineering version', value: text, allowed: engineeringVersions },
      ],
    },
  )
}

export interface OpenRequest {
  readonly path: string
  readonly openMode?: 'ReadOnly' | 'ReadWrite' | undefined
  readonly targetDirectory?: string | undefined
  readonly takeLock?: boolean | undefined
}

/** The files of a library, and where they are. */
interface Found {
  readonly path: string
  readonly manifest: string
  readonly files: Pick<ProjectFiles, 'read' | 'has' | 'list'>
  readonly isArchive: boolean
  readonly isOfTia: boolean
  /** What of a library of TIA Portal is not in the files. */
  readonly warnings: readonly string[]
}

/** A library that was opened. */
export interface OpenedLibrary {
  readonly library: GlobalLibrary
  readonly warnings: readonly string[]
}

/**
 * Opens a library: its folder, its manifest, its archive, or a library of TIA Portal. An archive, and a library of TIA
 * Portal, is unpacked into `targetDirectory`, or without one opened read-only as it is.
 * @throws GatewayError `not_found`, `unacceptable_content` (no library, faulty files, of a newer Gantry), `conflict`
 *   (open already, or another gateway writes to it)
 */
export async function openLibrary(ctx: CommandContext, request: OpenRequest): Promise<OpenedLibrary> {
  const found = await find(ctx, request)
  const { path, manifest, files, isArchive, isOfTia, warnings } = found
  const twin = openLibraries(ctx).find((one) => one.path === path)
  if (twin) throw problem('conflict', `Library "${twin.name}" (${path}) is open already.`)
  const saved = readManifest(manifest, (await files.read(manifest)).toString('utf8'))
  const isReadOnly = isArchive || request.openMode === 'ReadOnly'
  const lock = isReadOnly ? undefined : await takeLock(ctx, path, files, request.takeLock === true)
  const { id: fileId, ...head } = saved
  const library: GlobalLibrary = {
    ...head,
    fileId,
    id: ctx.newId(),
    name: manifest.slice(0, -manifestExtension.length),
    scope: 'global',
    path,
    isReadOnly,
    ...defined({ lock }),
    modifiedAt: saved.createdAt,
    openedAt: ctx.now,
    revision: 0,
    savedRevision: 0,
  }
  const faults: Fault[] = []
  const content = await readLibraryFiles(ctx, files, '', library.id, faults)
  if (faults.length > 0 && !isOfTia) throw faultyFiles(`Library "${library.name}" cannot be read`, faults)
  ctx.emit(libraryOpened, { library }, entityOf(library, ''))
  storeContent(ctx, library, isOfTia ? withoutGaps(content) : content)
  ctx.emit(libraryLoaded, { libraryId: library.id }, entityOf(library, ''))
  // What of a library of TIA Portal does not go in is told; the rest of it is good.
  return { library: requireGlobalLibrary(ctx, library.id), warnings: [...warnings, ...faults.map(faultText)] }
}

/** Archives of libraries, ours and those of TIA Portal. */
const libraryArchive = /\.zal\d*(_\d+)?$/i

function canBeOpened(file: string): boolean {
  return file.endsWith(manifestExtension) || tiaHeader.test(file) || libraryArchive.test(file)
}

async function find(ctx: CommandContext, request: OpenRequest): Promise<Found> {
  const named = await ctx.files.resolve(request.path)
  const info = await ctx.files.stat(named)
  if (!info) throw await nothingAt(ctx, 'library', request.path, named, canBeOpened)
  if (info.isFile && tiaHeader.test(named)) return fromTia(ctx, named, request, await readTiaFile(ctx, named))
  if (info.isFile && libraryArchive.test(named)) return fromArchive(ctx, named, request)
  if (info.isFile && !named.endsWith(manifestExtension))
    throw problem(
      'unacceptable_content',
      `"${request.path}" is not a library: a folder, a manifest (*${manifestExtension}) or an archive (*.zalNN) is needed.`,
    )
  const path = info.isFile ? dirname(named) : named
  const files = await filesOfFolder(ctx, path)
  const manifest = info.isFile ? basename(named) : manifestIn(files.list(), request.path)
  if (manifest === undefined) {
    const header = files.list().find((file) => !file.includes('/') && tiaHeader.test(file))
    if (header !== undefined) {
      const headerPath = join(path, header)
      return fromTia(ctx, headerPath, request, await readTiaFile(ctx, headerPath))
    }
    throw problem(
      'unacceptable_content',
      `"${request.path}" is not a library: it has no manifest (*${manifestExtension}).`,
      {
        suggestion: 'POST /api/libraries/global { name } makes a new one.',
      },
    )
  }
  return { path, manifest, files, isArchive: false, isOfTia: false, warnings: [] }
}

function manifestIn(files: readonly string[], path: string): string | undefined {
  const found = files.filter((file) => !file.includes('/') && file.endsWith(manifestExtension))
  if (found.length > 1)
    throw problem('invalid_input', `/path: "${path}" holds ${found.length} libraries; name one of them.`, {
      errors: [{ path: '/path', message: 'holds several libraries', value: path, allowed: found }],
    })
  return found[0]
}

async function fromArchive(ctx: CommandContext, named: string, request: OpenRequest): Promise<Found> {
  const archive = await ctx.files.read(named)
  const unpacked = await unpackFiles(ctx, archive, manifestExtension)
  if (unpacked.kind === 'tia') return fromTia(ctx, named, request, await readUnpackedTia(ctx, named, archive, unpacked))
  const contents = new Map(unpacked.files.map(({ path, content }) => [path, Buffer.from(content)]))
  return fromContents(ctx, named, request, { contents, warnings: [] }, false)
}

const fromTia = (ctx: CommandContext, named: string, request: OpenRequest, content: TiaContent): Promise<Found> =>
  fromContents(ctx, named, request, convertLibrary(ctx, named, content), true)

/** Files that are not in a folder yet: they stay where they are, or are written into one. */
async function fromContents(
  ctx: CommandContext,
  named: string,
  request: OpenRequest,
  { contents, warnings }: ConvertedLibrary,
  isOfTia: boolean,
): Promise<Found> {
  const manifest = manifestIn([...contents.keys()], request.path)
  if (manifest === undefined)
    throw problem(
      'unacceptable_content',
      `"${request.path}" is not the archive of a library: it has no manifest (*${manifestExtension}).`,
    )
  const files = filesIn(contents)
  if (request.targetDirectory === undefined) {
    if (request.openMode === 'ReadWrite')
      throw problem(
        'invalid_input',
        '/targetDirectory: an archive, and a library of TIA Portal, is opened read-only; name a folder to unpack it into.',
        {
          errors: [{ path: '/targetDirectory', message: 'is needed to open an archive for writing' }],
        },
      )
    return { path: named, manifest, files, isArchive: true, isOfTia, warnings }
  }
  const name = manifest.slice(0, -manifestExtension.length)
  const path = await ctx.files.resolve(join(await ctx.files.resolve(request.targetDirectory), name))
  if (await ctx.files.stat(path))
    throw problem('name_taken', `"${path}" exists already; an archive is unpacked into a new folder.`, {
      suggestion: 'Send another targetDirectory, or open the library that is there.',
    })
  for (const [file, content] of contents) if (file !== manifest) await ctx.files.write(join(path, file), content)
  await ctx.files.write(join(path, manifest), contents.get(manifest)!)
  return { path, manifest, files, isArchive: false, isOfTia, warnings }
}

/** Takes the lock of a library. Who takes it away from another one is noticed by that one at its next save. */
async function takeLock(ctx: CommandContext, path: string, files: Found['files'], force: boolean): Promise<string> {
  const held = files.has(lockFile) ? readLock((await files.read(lockFile)).toString('utf8')) : undefined
  if (held && !force) throw locked(path, held)
  const token = ctx.newId()
  await ctx.files.write(join(path, lockFile), writeLock({ token, by: ctx.actor.name, host: hostname(), at: ctx.now }))
  return token
}

function locked(path: string, { by, host, at }: { readonly by: string; readonly host: string; readonly at: number }) {
  const since = at > 0 ? ` since ${new Date(at).toISOString()}` : ''
  return problem('conflict', `"${path}" is open for writing by ${by} on ${host}${since}.`, {
    suggestion: 'Open it with "openMode": "ReadOnly"; or, when that gateway is gone, with "takeLock": true.',
  })
}

/** @throws GatewayError `conflict`: another gateway has taken the lock */
async function requireLock(ctx: CommandContext, library: GlobalLibrary): Promise<void> {
  const path = join(library.path, lockFile)
  const info = await ctx.files.stat(path)
  const held = info?.isFile ? readLock((await ctx.files.read(path)).toString('utf8')) : undefined
  if (held?.token === library.lock) return
  if (held) throw locked(library.path, held)
  throw problem('conflict', `The lock of library "${library.name}" is gone: somebody else may have written to it.`, {
    suggestion: 'Close it with force: true and open it again.',
  })
}

const isLibraryModified = ({ revision, savedRevision }: GlobalLibrary): boolean => revision !== savedRevision

/** Writes the files that differ and removes those of what is gone, all together after the command. */
export async function saveLibrary(ctx: CommandContext, library: GlobalLibrary) {
  requireWritable(library)
  await requireLock(ctx, library)
  const files = await allFiles(ctx, library)
  const present = await filesOfFolder(ctx, library.path)
  const wanted = new Set(files.map(({ path }) => path))
  const isOurs = (path: string) =>
    libraryPatterns.some((pattern) =>
      pattern.endsWith('**') ? path.startsWith(pattern.slice(0, -2)) : path === pattern,
    )
  const gone = present.list().filter((path) => isOurs(path) && !wanted.has(path))
  for (const path of gone) await ctx.files.remove(join(library.path, path))
  let written = 0
  for (const { path, content = '' } of files) {
    if (present.has(path) && (await present.read(path)).equals(Buffer.from(content as string))) continue
    await ctx.files.write(join(library.path, path), content)
    written++
  }
  ctx.emit(librarySaved, { libraryId: library.id, savedAt: ctx.now }, entityOf(library, ''))
  return { files: files.length, written, removed: gone.length, unchanged: files.length - written }
}

/** The manifest last: a folder without one is not taken for a whole library. */
async function allFiles(ctx: CommandContext, library: GlobalLibrary): Promise<ProjectFile[]> {
  const manifest = { path: `${library.name}${manifestExtension}`, content: writeManifest(library) }
  return [...(await libraryFiles(ctx, library.id, '')), manifest]
}

/**
 * Closes a library. What objects of the project were made of it stays.
 * @throws GatewayError `conflict`: there are changes, and neither `save` nor `force`
 */
export async function closeLibrary(
  ctx: CommandContext,
  library: GlobalLibrary,
  { save = false, force = false }: { readonly save?: boolean | undefined; readonly force?: boolean | undefined },
) {
  const isChanged = isLibraryModified(library)
  if (isChanged && !save && !force)
    throw problem('conflict', `Library "${library.name}" has unsaved changes.`, {
      suggestion: 'Send save: true to save them, or force: true to discard them.',
    })
  if (isChanged && save) await saveLibrary(ctx, library)
  await freeLock(ctx, library)
  const discarded = isChanged && !save
  const { id, name, path } = library
  ctx.emit(libraryClosed, { libraryId: id, name, path, discarded }, entityOf(library, ''))
  return { name, path, closed: true, saved: isChanged && save, discarded }
}

/** Only its own lock: another gateway may have it by now. */
async function freeLock(ctx: CommandContext, { path: folder, lock }: GlobalLibrary): Promise<void> {
  if (lock === undefined) return
  const path = join(folder, lockFile)
  if (!(await ctx.files.stat(path))?.isFile) return
  if (readLock((await ctx.files.read(path)).toString('utf8'))?.token === lock) await ctx.files.remove(path)
}

export interface ArchiveRequest {
  readonly archivePath?: string | undefined
  readonly targetDirectory?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly save?: boolean | undefined
}

/** Packs the library as saved into one `.zalNN` file. */
export async function archiveLibrary(ctx: CommandContext, library: GlobalLibrary, request: ArchiveRequest) {
  if (isLibraryModified(library)) {
    if (request.save !== true)
      throw problem('conflict', `Library "${library.name}" has unsaved changes; an archive holds what is saved.`, {
        suggestion: 'Send { "save": true }, or POST /api/libraries/global/actions/save first.',
      })
    await saveLibrary(ctx, library)
  }
  const archivePath = await archivePathOf(ctx, library, request)
  const files = await allFiles(ctx, library)
  const modifiedAt = library.savedAt ?? library.createdAt
  const packed = await packFiles(
    ctx,
    files.map(({ path, content }) => ({ path, content: Buffer.from(content as string), modifiedAt })),
  )
  await ctx.files.write(archivePath, packed)
  return { name: library.name, archivePath, size: packed.byteLength, files: files.length }
}

async function archivePathOf(ctx: CommandContext, library: GlobalLibrary, request: ArchiveRequest): Promise<string> {
  const extension = `.zal${library.version.slice(1)}`
  const named = request.archivePath === undefined ? undefined : await ctx.files.resolve(request.archivePath)
  const isFolder = named !== undefined && (await ctx.files.stat(named))?.isDirectory === true
  const folder = isFolder ? named : await ctx.files.resolve(request.targetDirectory ?? dirname(library.path))
  let path = named !== undefined && !isFolder ? named : join(folder, library.name)
  const given = /\.zal(\d*)$/i.exec(path)
  if (!given) path += extension
  else if (given[1] !== '' && given[1] !== library.version.slice(1))
    throw problem(
      'invalid_input',
      `/archivePath: "${basename(path)}" names another version; the library is of ${library.version}.`,
      {
        errors: [
          {
            path: '/archivePath',
            message: `must end in ${extension}`,
            value: basename(path),
            allowed: [extension, '.zal'],
          },
        ],
      },
    )
  path = await ctx.files.resolve(path)
  const present = await ctx.files.stat(path)
  if (present?.isDirectory) throw problem('conflict', `"${path}" is a folder.`)
  if (present && request.overwrite !== true)
    throw problem('name_taken', `"${path}" exists already.`, { suggestion: 'Send overwrite: true, or another name.' })
  return path
}
