/**
 * Objects in the files of a project: `devices/<device>/<area>/<folders>/<name>.<ext>`, one file for each, and `index.json` for what the files
 * themselves do not say. The files may be edited by hand: what they say counts, the index only fills in.
 */
import { type CommandContext, type Fault, isGatewayError } from '../../core/index.ts'
import { extensionOf, fileTextOf } from '../../plc/edit/object-file.ts'
import type { StoredText } from '../blocks/block.ts'
import { isReadable } from '../blocks/import.ts'
import { storeObject } from '../blocks/store.ts'
import { type Device, deviceFolder, devices } from '../devices/index.ts'
import {
  faultyFiles,
  fileNameOf,
  type Project,
  type ProjectFile,
  type ProjectFiles,
  type SectionProgress,
} from '../projects/index.ts'
import type { FolderTree } from './folders.ts'
import type { KeptObject, ObjectCollection } from './object-collection.ts'
import { readObjects } from './read-files.ts'
import type { SavedIdentity } from './targets.ts'

/** The part of a device's folder that one plugin owns. */
export type Area = 'blocks' | 'types' | 'tags' | 'watch-tables'

/** What of an object goes into its file, and beside it. */
export interface Savable extends Omit<StoredText, 'document'> {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly language: string
  readonly folder: string
  readonly engineeringVersion?: string
  readonly createdAt: number
  readonly modifiedAt: number
  /** Blob of the document, or a function that makes the text when it is not a blob. */
  readonly document: string | (() => Promise<string>)
  /** Further fields of the index. */
  readonly more?: Omit<SavedIdentity, 'id' | 'createdAt' | 'modifiedAt'>
}

interface IndexEntry extends Partial<SavedIdentity> {
  readonly name: string
  readonly file: string
  readonly folder: string
  /** Hash of the document when it was saved: another one means that the file was edited. */
  readonly document?: string
}

interface Index {
  readonly folders: readonly string[]
  readonly objects: readonly IndexEntry[]
}

/**
 * All files of a collection.
 * @param savable what goes into an object's file; undefined: it is left out
 */
export async function saveCollection<T extends KeptObject>(
  ctx: CommandContext,
  area: Area,
  collection: ObjectCollection<T>,
  savable: (object: T) => Savable | undefined,
): Promise<ProjectFile[]> {
  const files: ProjectFile[] = []
  for (const device of ctx.read(devices).values()) {
    const objects = collection.of(ctx, device.id).flatMap((object) => savable(object) ?? [])
    const folders = collection.folders.list(ctx, device.id).map(({ path }) => path)
    files.push(...(await saveArea(ctx, device, area, objects, folders)))
  }
  return files
}

/** All files of one device's area. None when there is nothing in it. */
async function saveArea(
  ctx: CommandContext,
  device: Device,
  area: Area,
  objects: readonly Savable[],
  folders: readonly string[],
): Promise<ProjectFile[]> {
  if (objects.length === 0 && folders.length === 0) return []
  const base = `${deviceFolder(device)}/${area}`
  const files: ProjectFile[] = []
  const entries: (IndexEntry & { kind: string })[] = []
  for (const [i, object] of objects.entries()) {
    if (i % 50 === 0) ctx.signal.throwIfAborted()
    const directory = directoryOf(object.folder)
    const file = `${directory === '' ? '' : `${directory}/`}${fileNameOf(object.name)}${extensionOf(object)}`
    files.push({ path: `${base}/${file}`, ...(await contentOf(ctx, object)) })
    entries.push({
      name: object.name,
      kind: object.kind,
      file,
      folder: object.folder,
      id: object.id,
      ...object.more,
      ...(typeof object.document === 'string' ? { document: object.document } : {}),
      createdAt: object.createdAt,
      modifiedAt: object.modifiedAt,
    })
  }
  entries.sort((a, b) => (a.file < b.file ? -1 : 1))
  const index = { version: 1, folders: [...folders].sort(), objects: entries.map(withTimes) }
  return [...files, { path: `${base}/index.json`, content: `${JSON.stringify(index, null, 2)}\n` }]
}

function withTimes({ createdAt, modifiedAt, ...entry }: IndexEntry) {
  return { ...entry, createdAt: iso(createdAt), modifiedAt: iso(modifiedAt) }
}

function iso(time: number | undefined): string {
  return new Date(time ?? 0).toISOString()
}

async function contentOf(ctx: CommandContext, object: Savable): Promise<{ blob: string } | { content: string }> {
  if (object.file !== undefined) return { blob: object.file }
  if (typeof object.document !== 'string') return { content: await object.document() }
  const text = await ctx.blobs.text(object.document)
  const whole = fileTextOf(text, object)
  return whole === text ? { blob: object.document } : { content: whole }
}

/** A folder path in the file system. A folder must not look like the file of an object beside it. */
function directoryOf(folder: string): string {
  return folder
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => fileNameOf(segment).replace(/\.(?=(xml|scl|db|udt|awl|json)$)/i, '%2E'))
    .join('/')
}

/** The folder that a directory stands for, when no index says so. */
function folderOf(file: string): string {
  return file
    .split('/')
    .slice(0, -1)
    .map((segment) =>
      segment.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    .map((segment) => segment.replaceAll('/', '_'))
    .join('/')
}

/** Emits the events that bring the area of every PLC into the state. */
export async function loadArea(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
  area: Area,
  tree: FolderTree,
  progress: SectionProgress,
): Promise<void> {
  const faults: Fault[] = []
  const plcs = await plcFolders(ctx, files)
  for (const [i, { device, folder }] of plcs.entries()) {
    const part = (fraction: number, message?: string) => progress((i + fraction) / plcs.length, message)
    await loadDevice(ctx, project, files, device, `${folder}/${area}/`, tree, faults, part)
  }
  if (faults.length > 0) throw faultyFiles(`The ${area} of the project cannot be read`, faults)
}

/** The PLCs with their folders: a folder may have another name than its device by now. */
export async function plcFolders(
  ctx: CommandContext,
  files: ProjectFiles,
): Promise<{ device: Device; folder: string }[]> {
  const folders = new Map<string, string>()
  for (const path of files.list('devices/').filter((file) => /^devices\/[^/]+\/device\.json$/.test(file))) {
    try {
      const { name } = JSON.parse((await files.read(path)).toString('utf8').replace(/^\uFEFF/, '')) as {
        name?: unknown
      }
      if (typeof name === 'string') folders.set(name.toLowerCase(), path.slice(0, path.lastIndexOf('/')))
    } catch {
      // The devices part has reported what is wrong with it.
    }
  }
  return [...ctx.read(devices).values()]
    .filter((device) => device.kind === 'PLC')
    .map((device) => ({ device, folder: folders.get(device.name.toLowerCase()) ?? deviceFolder(device) }))
}

async function loadDevice(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
  device: Device,
  base: string,
  tree: FolderTree,
  faults: Fault[],
  progress: SectionProgress,
): Promise<void> {
  const index = await readIndex(files, `${base}index.json`, faults)
  for (const folder of index.folders) {
    try {
      tree.ensure(ctx, device, folder)
    } catch (error) {
      faults.push(faultOf(error, `${base}index.json`))
    }
  }
  const byFile = new Map(index.objects.map((entry) => [entry.file.toLowerCase(), entry]))
  const paths = files.list(base).filter(isReadable)
  const sources = paths.map((path) => ({ path, read: () => files.read(path) }))
  const culture = project.cultures[0] ?? 'en-US'
  const read = await readObjects(ctx, sources, { culture }, (done) => progress((0.8 * done) / paths.length))
  const found = read.flatMap(({ path, objects, faults: wrong }) => {
    faults.push(...wrong)
    const file = path.slice(base.length)
    const entry = byFile.get(file.toLowerCase())
    return objects.map((one) => ({ ...one, path, file, entry: objects.length === 1 ? entry : undefined }))
  })
  // Numbers of the index first: a file that was added by hand takes what is left.
  found.sort((a, b) => rank(a) - rank(b))
  for (const [i, { object, stored, path, file, entry }] of found.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      progress(0.8 + (0.2 * i) / found.length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    try {
      const folder = entry?.folder ?? folderOf(file)
      const saved = entry && identityOf(ctx, entry, stored.document, stored.file)
      await storeObject(ctx, device, object, { folder, stored, ...(saved ? { saved } : {}), overwrite: false })
    } catch (error) {
      faults.push(faultOf(error, path))
    }
  }
}

function rank({ entry, object }: { entry: IndexEntry | undefined; object: { number?: number } }): number {
  return entry?.number !== undefined ? 0 : object.number ? 1 : 2
}

function identityOf(
  ctx: CommandContext,
  entry: IndexEntry,
  document: string,
  file: string | undefined,
): SavedIdentity | undefined {
  const { id, createdAt, modifiedAt, number, autoNumber, secondaryType, isDefault } = entry
  if (id === undefined || createdAt === undefined || modifiedAt === undefined) return undefined
  const edited = entry.document !== undefined && entry.document !== document && entry.document !== file
  return {
    id,
    createdAt,
    modifiedAt: edited ? ctx.now : modifiedAt,
    ...(number === undefined ? {} : { number }),
    ...(autoNumber === undefined ? {} : { autoNumber }),
    ...(secondaryType === undefined ? {} : { secondaryType }),
    ...(isDefault === undefined ? {} : { isDefault }),
  }
}

function faultOf(error: unknown, path: string): Fault {
  if (!isGatewayError(error)) throw error
  return { path, code: error.code, message: error.message }
}

/** The index; absent: everything is told from the files. */
async function readIndex(files: ProjectFiles, path: string, faults: Fault[]): Promise<Index> {
  if (!files.has(path)) return { folders: [], objects: [] }
  const fault = (field: string, message: string, value: unknown) =>
    void faults.push({ path: `${path}#${field}`, message, value })
  let data: Record<string, unknown>
  try {
    data = JSON.parse((await files.read(path)).toString('utf8').replace(/^\uFEFF/, '')) as Record<string, unknown>
  } catch (error) {
    fault('/', (error as Error).message, undefined)
    return { folders: [], objects: [] }
  }
  const folders = list(data?.folders).filter((folder, i): folder is string => {
    if (typeof folder !== 'string') fault(`/folders/${i}`, 'must be text', folder)
    return typeof folder === 'string'
  })
  const objects = list(data?.objects).flatMap((entry, i) => readEntry(entry, `/objects/${i}`, fault))
  return { folders, objects }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function readEntry(
  value: unknown,
  at: string,
  fault: (field: string, message: string, value: unknown) => void,
): IndexEntry[] {
  const entry = (value ?? {}) as Record<string, unknown>
  const text = (field: string): string | undefined => {
    if (entry[field] !== undefined && typeof entry[field] !== 'string')
      fault(`${at}/${field}`, 'must be text', entry[field])
    return typeof entry[field] === 'string' ? entry[field] : undefined
  }
  const time = (field: string): number | undefined => {
    const written = text(field)
    if (written === undefined) return undefined
    const ms = Date.parse(written)
    if (Number.isNaN(ms)) fault(`${at}/${field}`, 'must be an RFC 3339 time', written)
    return Number.isNaN(ms) ? undefined : ms
  }
  const flag = (field: string): boolean | undefined => {
    const set = entry[field]
    if (set !== undefined && typeof set !== 'boolean') fault(`${at}/${field}`, 'must be true or false', set)
    return typeof set === 'boolean' ? set : undefined
  }
  const number = entry.number
  const isNumber = Number.isInteger(number) && (number as number) >= 1 && (number as number) <= 65_535
  if (number !== undefined && !isNumber) fault(`${at}/number`, 'must be a whole number from 1 to 65535', number)
  const file = text('file')
  if (file === undefined) {
    fault(`${at}/file`, 'is missing', entry.file)
    return []
  }
  const [id, document, secondaryType] = [text('id'), text('document'), text('secondaryType')]
  const [createdAt, modifiedAt] = [time('createdAt'), time('modifiedAt')]
  const [autoNumber, isDefault] = [flag('autoNumber'), flag('isDefault')]
  return [
    {
      name: text('name') ?? '',
      file,
      folder: text('folder') ?? folderOf(file),
      ...(id === undefined ? {} : { id }),
      ...(document === undefined ? {} : { document }),
      ...(secondaryType === undefined ? {} : { secondaryType }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
      ...(autoNumber === undefined ? {} : { autoNumber }),
      ...(isDefault === undefined ? {} : { isDefault }),
      ...(isNumber ? { number: number as number } : {}),
    },
  ]
}
