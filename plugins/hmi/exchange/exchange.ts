/** HMI objects in files: import of exports of TIA Portal and of images, export as XML. Loads the XML reader. */
import {
  type CommandContext,
  defined,
  type Fault,
  isGatewayError,
  problem,
  type QueryContext,
} from '../../../core/index.ts'
import type { GraphicContent, HmiKind, HmiRead } from '../../../plc/formats/hmi/model.ts'
import { unwritable, writeHmi } from '../../../plc/formats/hmi/write.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import type { Device } from '../../devices/index.ts'
import { requireName, type SavedIdentity, taskWork } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import {
  collectionOfKind,
  exportFolder,
  type HmiObject,
  hmiTags,
  itemsOf,
  kindNames,
  objectStored,
  type StationKind,
  type StoredItem,
  type StoredTag,
  stationKindOf,
  tagKey,
  tagsOfTable,
} from '../object.ts'
import { familyOf } from '../stations.ts'
import { readImage } from './images.ts'

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine'>

const work = taskWork(new URL('./hmi-file.task.ts', import.meta.url).href, () => import('./hmi-file.task.ts'))

/**
 * An object as XML: as imported when it was not changed, else with its changes.
 * @throws GatewayError `conflict` for kinds without XML
 */
export async function exportText(
  ctx: Reader,
  object: HmiObject,
): Promise<{ text: string; warnings: readonly string[] }> {
  const { kind, id, name, content } = object
  const reason = unwritable(kind)
  if (reason !== undefined) throw problem('conflict', `"${name}" cannot be written as XML: ${reason}.`)
  const document = object.document === undefined ? undefined : await documentText(ctx, object.document)
  if (document !== undefined && object.isAsDocument === true) return { text: document, warnings: [] }
  const whole = { kind, name, content, items: itemsOf(ctx, id), tags: tagsOfTable(ctx, id) }
  return document === undefined
    ? writeHmi(whole, requireProject(ctx).version)
    : work(ctx, 'editFile', { document, object: whole }, document.length)
}

/**
 * All objects of a kind of a station in one XML file, in the order of their names; a single one as `exportText` has it.
 * @throws GatewayError `conflict` when there are none
 */
export async function exportAllText(
  ctx: Reader,
  station: Device,
  kind: HmiKind,
): Promise<{ text: string; names: readonly string[]; warnings: readonly string[] }> {
  const objects = collectionOfKind(kind).of(ctx, station.id)
  const [first] = objects
  if (first === undefined) throw problem('conflict', `"${station.name}" has no ${kindNames[kind].noun} to export.`)
  const written = await Promise.all(objects.map((object) => exportText(ctx, object)))
  const names = objects.map(({ name }) => name)
  const warnings = written.flatMap((one) => one.warnings)
  const texts = written.map(({ text }) => text)
  if (texts.length === 1) return { text: texts[0]!, names, warnings }
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  const text = await work(ctx, 'joinFiles', { texts, version: requireProject(ctx).version }, size)
  return { text, names, warnings }
}

/** The text of a document with its byte order mark. */
async function documentText(ctx: Reader, blob: string): Promise<string> {
  const bytes = await ctx.blobs.get(blob)
  const { text } = decodeText(bytes)
  return bytes[0] === 0xef && bytes[1] === 0xbb && !text.startsWith('\uFEFF') ? `\uFEFF${text}` : text
}

/** What became of an object of a file. */
export interface Imported {
  readonly name: string
  readonly kind: StationKind
  readonly action: 'created' | 'replaced' | 'unchanged'
  readonly warnings: readonly string[]
}

/** How files are imported. */
export interface ImportOptions {
  readonly folder?: string
  /** Folder of the file below the one that was named, which its objects get without `folder`. */
  readonly below?: string
  readonly overwrite: boolean
  readonly saved?: SavedIdentity
  /** The only kind that the file may hold. */
  readonly kind?: HmiKind
  /** Reads a file beside the document. */
  readonly beside?: (path: string) => Promise<Uint8Array | undefined>
}

/**
 * Stores the objects of a file: a document of HMI objects, or an image as a project graphic.
 * @throws GatewayError `unacceptable_content` with places, `name_taken` without `overwrite`
 */
export async function importFile(
  ctx: CommandContext,
  station: Device,
  bytes: Uint8Array,
  path: string,
  options: ImportOptions,
): Promise<Imported[]> {
  if (/\.(svg|png|jpe?g|gif|bmp|webp)$/i.test(path)) {
    if (options.kind !== undefined && options.kind !== 'graphic')
      throw problem('unacceptable_content', `${path}: an image is no ${kindNames[options.kind].noun}.`)
    return [await importImage(ctx, station, bytes, path, options)]
  }
  const read = await work(ctx, 'readFile', bytes, bytes.byteLength)
  if ('faults' in read)
    throw problem('unacceptable_content', `${path}: ${read.message.replace(/\.$/, '')}.`, {
      errors: read.faults.map((fault): Fault => ({ ...fault, path })),
    })
  const { objects } = read
  const others = objects.filter(({ kind }) => options.kind !== undefined && kind !== options.kind)
  if (options.kind !== undefined && others.length > 0) {
    const { noun } = kindNames[options.kind]
    throw problem('unacceptable_content', `${path}: "${others[0]!.name}" is no ${noun}.`, {
      errors: others.map(
        ({ kind, name }): Fault => ({ path, message: `"${name}" is of kind ${kind}, and no ${noun}` }),
      ),
      suggestion: 'POST /api/devices/{deviceName}/hmi/actions/import takes objects of every kind.',
    })
  }
  const document = objects.length === 1 ? await ctx.blobs.put(bytes) : undefined
  const imported: Imported[] = []
  for (const object of objects) imported.push(await store(ctx, station, object, document, options))
  return imported
}

async function store(
  ctx: CommandContext,
  station: Device,
  read: HmiRead,
  document: string | undefined,
  { folder: wanted, below, overwrite, saved, beside }: ImportOptions,
): Promise<Imported> {
  const { kind, name, items, tags } = read
  const warnings = [...read.warnings]
  const own = stationKindOf(read)
  const folder = wanted ?? (below && withoutKind(below, own))
  const { noun } = kindNames[own]
  const collection = collectionOfKind(own)
  requireName(name, '/name', noun)
  const before = collection.find(ctx, station.id, name)
  const isSameFile = document !== undefined && before?.document === document && before.isAsDocument === true
  let { content } = read
  if (kind === 'graphic') {
    const image = read.imageFile === undefined ? undefined : await beside?.(read.imageFile)
    if (read.imageFile === undefined) warnings.push(`"${name}": the file names no image.`)
    else if (image === undefined) warnings.push(`"${name}": its image ${read.imageFile} is not beside the file.`)
    else {
      const made = await readImage(image, read.imageFile)
      warnings.push(...made.warnings)
      content = { ...(content as GraphicContent), ...made.content, image: await ctx.blobs.put(made.bytes) }
    }
  }
  // The image of a graphic lies beside its file, which says the same when another image has come.
  const { image = '' } = content as Partial<GraphicContent>
  const known = before?.content as Partial<GraphicContent> | undefined
  if (isSameFile && (image === '' || image === known?.image))
    return { name, kind: own, action: 'unchanged', warnings: warnings.slice(read.warnings.length) }
  if (before && !overwrite) throw collection.taken(before, station, { canOverwrite: true })
  if (document !== undefined && familyOf(station) === 'Unified' && kind !== 'graphic')
    warnings.push(
      `"${name}" is a ${noun} of a classic HMI device, and "${station.name}" (${station.typeName}) is a Unified one: TIA Portal does not import it there. Here it is kept and shown as it is.`,
    )
  const identity = collection.identityOf(ctx, station, name, { ...defined({ folder, saved }) }, before)
  const owner = { deviceId: station.id }
  const object: HmiObject = {
    ...identity,
    kind,
    content,
    ...(document === undefined ? {} : { document, isAsDocument: true }),
  }
  ctx.emit(
    objectStored,
    {
      object,
      ...(kind === 'screen'
        ? { items: uniqueItems(ctx, items, { ...owner, screenId: object.id }, name, warnings) }
        : {}),
      ...(kind === 'tag-table' ? { tags: uniqueTags(ctx, station, tags, object.id, warnings) } : {}),
    },
    collection.entityOf(station, name),
  )
  return { name, kind: own, action: before ? 'replaced' : 'created', warnings }
}

/** The folder without the one that an export makes for a kind. */
function withoutKind(folder: string, kind: StationKind): string {
  const own = exportFolder(kind)
  return own !== '' && `/${folder}/`.toLowerCase().endsWith(`/${own}`) ? folder.slice(0, -own.length) : folder
}

/** Objects of classic screens in different groups may have one name; here they are told apart. */
function uniqueItems(
  ctx: CommandContext,
  items: HmiRead['items'],
  owner: { deviceId: string; screenId: string },
  screen: string,
  warnings: string[],
): StoredItem[] {
  const seen = new Set<string>()
  return items.map((item) => {
    let { name } = item
    for (let i = 2; seen.has(name.toLowerCase()); i++) name = `${item.name}#${i}`
    if (name !== item.name)
      warnings.push(`Screen "${screen}" has two objects "${item.name}": the second is "${name}" here.`)
    seen.add(name.toLowerCase())
    return { ...item, name, ...owner, id: ctx.newId() }
  })
}

/** @throws GatewayError `unacceptable_content` for names that other tables have */
function uniqueTags(
  ctx: CommandContext,
  station: Device,
  tags: HmiRead['tags'],
  tableId: string,
  warnings: string[],
): StoredTag[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const stored = tags.map((tag): StoredTag => {
    const key = tag.name.toLowerCase()
    const other = ctx.read(hmiTags).get(tagKey(station.id, tag.name))
    if (seen.has(key)) faults.push({ message: `tag "${tag.name}" is there twice`, value: tag.name })
    else if (other !== undefined && other.tableId !== tableId)
      faults.push({ message: `tag "${tag.name}" is in another table already`, value: tag.name })
    seen.add(key)
    return { ...tag, deviceId: station.id, tableId, id: ctx.newId() }
  })
  if (faults.length > 0) throw problem('unacceptable_content', `${faults[0]?.message}.`, { errors: faults })
  if (tags.length === 0) warnings.push('The table has no tags.')
  return stored
}

/** An image as a project graphic that is called as its file. */
async function importImage(
  ctx: CommandContext,
  station: Device,
  bytes: Uint8Array,
  path: string,
  { below, folder = below && withoutKind(below, 'graphic'), overwrite, saved }: ImportOptions,
): Promise<Imported> {
  const fileName = path.split(/[\\/]/).pop() ?? path
  const name = fileName.replace(/\.\w+$/, '')
  requireName(name, '/name', 'project graphic')
  const collection = collectionOfKind('graphic')
  const before = collection.find(ctx, station.id, name)
  const read = await readImage(bytes, fileName)
  const image = await ctx.blobs.put(read.bytes)
  if (before && (before.content as GraphicContent).image === image)
    return { name, kind: 'graphic', action: 'unchanged', warnings: read.warnings }
  if (before && !overwrite) throw collection.taken(before, station, { canOverwrite: true })
  const options = { ...defined({ folder, saved }) }
  const identity = collection.identityOf(ctx, station, name, options, before)
  const content: GraphicContent = { ...read.content, image, fileName }
  ctx.emit(objectStored, { object: { ...identity, kind: 'graphic', content } }, collection.entityOf(station, name))
  return { name, kind: 'graphic', action: before ? 'replaced' : 'created', warnings: read.warnings }
}

/** A fault of a file, for imports that go on. */
export function faultOf(error: unknown, path: string): Fault {
  if (!isGatewayError(error)) throw error
  return { path, code: error.code, message: error.message }
}
