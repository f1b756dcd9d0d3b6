/**
 * Objects in the files of a project: `devices/<device>/<area>/<folders>/<name>.<ext>`, one file each, with the
 * attributes that the text lacks beside it (`beside-texts.ts`). Files can be edited by hand: the text has priority over
 * the attributes.
 */
import { LRUCache } from 'lru-cache'
import { type CommandContext, defined, type Fault, isGatewayError } from '../../../core/index.ts'
import { extensionOf, fileTextOf } from '../../../plc/edit/object-file.ts'
import { type Device, deviceFolder, devices } from '../../devices/index.ts'
import {
  faultyFiles,
  type Project,
  type ProjectFile,
  type ProjectFiles,
  readJsonFile,
  type SaveContext,
  type SectionProgress,
} from '../../projects/index.ts'
import type { FolderTree } from '../folders.ts'
import type { KeptObject, ObjectCollection } from '../object-collection.ts'
import type { StoredText } from '../stored-text.ts'
import { attributesFile, directoryOf, folderFiles, objectFileName, readBesideTexts } from './beside-texts.ts'
import { isReadable, readObjects } from './read-files.ts'
import type { SavedAttributes } from './saved-attributes.ts'
import { type SavedIdentity, type StorableObject, storeObject } from './targets.ts'

/** The part of a device's folder that one plugin owns. */
export type Area = 'blocks' | 'types' | 'tags' | 'watch-tables'

/** The text of an object for its file, and its attributes. */
export interface Savable extends Omit<StoredText, 'document'> {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly language: string
  readonly folder: string
  /** Namespace of its software unit. */
  readonly unit?: string
  readonly engineeringVersion?: string
  readonly createdAt: number
  readonly modifiedAt: number
  /** Blob of the document, or a function that makes a text that is no blob. */
  readonly document: string | (() => Promise<string>)
  /** Further attributes that the text lacks. */
  readonly more?: Omit<SavedIdentity, 'id' | 'createdAt' | 'modifiedAt'>
}

/**
 * All files of a collection.
 * @param savable the content of an object's file; undefined: it is not saved
 */
export async function saveCollection<T extends KeptObject>(
  ctx: SaveContext,
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

/** All files of one device's area; none when the area is empty. */
async function saveArea(
  ctx: SaveContext,
  device: Device,
  area: Area,
  objects: readonly Savable[],
  folders: readonly string[],
): Promise<ProjectFile[]> {
  if (objects.length === 0 && folders.length === 0) return []
  const base = `${deviceFolder(device)}/${area}/`
  const used = objects.map(({ folder }) => folder)
  const files: ProjectFile[] = folderFiles(base, folders, used)
  for (let from = 0; from < objects.length; from += readAtOnce) {
    ctx.signal.throwIfAborted()
    const some = objects.slice(from, from + readAtOnce)
    const contents = await Promise.all(some.map((object) => contentOf(ctx, object)))
    for (const [i, object] of some.entries()) {
      const directory = directoryOf(object.folder)
      const name = objectFileName(object.name, extensionOf(object))
      const path = `${base}${directory === '' ? '' : `${directory}/`}${name}`
      files.push({ path, ...(contents[i] as Content), modifiedAt: object.modifiedAt })
      const { id, createdAt, unit } = object
      files.push(attributesFile(path, { id, createdAt, ...defined({ unit }), ...object.more }))
    }
  }
  return files
}

/** Number of documents read at a time. */
const readAtOnce = 50

type Content = { readonly blob: string } | { readonly content: string }

async function contentOf(ctx: SaveContext, object: Savable): Promise<Content> {
  if (object.file !== undefined) return { blob: object.file }
  if (typeof object.document !== 'string') return { content: await object.document() }
  if (object.format === 'source' && plainSources.has(object.document)) return { blob: object.document }
  const text = await ctx.blobs.text(object.document)
  const whole = fileTextOf(text, object)
  if (whole !== text) return { content: whole }
  if (object.format === 'source') plainSources.set(object.document, true)
  return { blob: object.document }
}

/** Sources that are their files as they are: to read them again takes a third of a save after a small change. */
const plainSources = new LRUCache<string, true>({ max: 20_000 })

/** Emits the events that bring the area of every PLC into the state. */
export async function loadArea(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
  area: Area,
  tree: FolderTree,
  progress: SectionProgress,
): Promise<string[]> {
  const faults: Fault[] = []
  const warnings: string[] = []
  const plcs = await plcFolders(ctx, files)
  for (const [i, { device, folder }] of plcs.entries()) {
    const part = (fraction: number, message?: string) => progress((i + fraction) / plcs.length, message)
    warnings.push(...(await loadDevice(ctx, project, files, device, `${folder}/${area}/`, tree, faults, part)))
  }
  if (faults.length > 0) throw faultyFiles(`The ${area} of the project cannot be read`, faults)
  return warnings
}

/** The PLCs with their folders, whose names can differ from the device's present name. */
export async function plcFolders(
  ctx: CommandContext,
  files: ProjectFiles,
): Promise<{ device: Device; folder: string }[]> {
  const folders = new Map<string, string>()
  for (const path of files.list('devices/').filter((file) => /^devices\/[^/]+\/device\.json$/.test(file))) {
    // The devices part has reported its faults.
    const name = (await readJsonFile(files, path, []))?.name
    if (typeof name === 'string') folders.set(name.toLowerCase(), path.slice(0, path.lastIndexOf('/')))
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
): Promise<string[]> {
  const beside = await readBesideTexts(files, base, 'index.json', faults)
  const warnings = [...beside.warnings]
  for (const folder of beside.folders) {
    try {
      tree.ensure(ctx, device, folder)
    } catch (error) {
      faults.push(faultOf(error, base))
    }
  }
  const paths = files.list(base).filter((path) => isReadable(path, []))
  const sources = paths.map((path) => ({ path, read: () => files.read(path) }))
  const culture = project.cultures[0] ?? 'en-US'
  const read = await readObjects(ctx, sources, { culture }, (done) => progress((0.8 * done) / paths.length))
  const found = read.flatMap(({ path, objects, faults: wrong }) => {
    faults.push(...wrong)
    const file = path.slice(base.length)
    const attributes = objects.length === 1 ? beside.attributesOf(file) : undefined
    return objects.map((one) => ({ ...one, path, file, attributes }))
  })
  // Known numbers first: a file that was added by hand gets a remaining one.
  found.sort((a, b) => rank(a) - rank(b))
  const ids = new Set<string>()
  for (const [i, { object, stored, path, file, attributes }] of found.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      progress(0.8 + (0.2 * i) / found.length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    try {
      const folder = beside.folderOf(file)
      if (attributes === undefined) {
        await storeObject(ctx, device, object, { folder, stored, overwrite: false })
        continue
      }
      const modifiedAt = await beside.modifiedAt(path, [stored.document, stored.file])
      const { id: known, createdAt = modifiedAt, name: _name, ...rest } = attributes
      // A file that was copied together with its attributes becomes an object of its own.
      const id = known === undefined || ids.has(known) ? ctx.newId() : known
      ids.add(id)
      const saved = { ...rest, ...numberOf(object, rest), id, createdAt, modifiedAt }
      const result = await storeObject(ctx, device, object, { folder, stored, saved, overwrite: false })
      const wanted = saved.number
      if (wanted !== undefined && result.number !== undefined && result.number !== wanted)
        warnings.push(`${path}: number ${wanted} is taken by another block; "${object.name}" got ${result.number}.`)
    } catch (error) {
      faults.push(faultOf(error, path))
    }
  }
  return warnings
}

/** A fixed number in the text has priority over the one in the attributes: the text can have been edited. */
function numberOf(object: StorableObject, beside: SavedAttributes): Pick<SavedAttributes, 'number' | 'autoNumber'> {
  const isFixed = object.attributes.some(({ name, value }) => name === 'AutoNumber' && value.trim() === 'false')
  if (object.number === undefined || object.number === 0 || !isFixed) return {}
  return beside.number === object.number ? {} : { number: object.number, autoNumber: false }
}

function rank({ attributes, object }: { attributes: SavedAttributes | undefined; object: StorableObject }): number {
  return attributes?.number !== undefined ? 0 : object.number ? 1 : 2
}

function faultOf(error: unknown, path: string): Fault {
  if (!isGatewayError(error)) throw error
  return { path, code: error.code, message: error.message }
}
