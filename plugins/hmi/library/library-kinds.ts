/**
 * The objects of HMI stations for libraries: master copies of any of them, of folders and of whole stations; screens
 * and library types (faceplates) also as types with versions. The document of an object is one JSON text with all that
 * it is made of: content, objects or tags, the file that it was imported from, its image.
 */
import { type CommandContext, defined, type Fault, isObject, problem, type QueryContext } from '../../../core/index.ts'
import { findJsonFault } from '../../../lib/json-fault.ts'
import type { GraphicContent, HmiKind } from '../../../plc/formats/hmi/model.ts'
import type { Device } from '../../devices/index.ts'
import type { KindEntry, LibraryKind, LibraryObject, Obstacle } from '../../libraries/index.ts'
import { requireName } from '../../program-objects/index.ts'
import {
  collectionOfKind,
  type HmiObject,
  hmiTags,
  itemsOf,
  kindNames,
  objectStored,
  type StationKind,
  type StationSettings,
  type StoredItem,
  type StoredTag,
  stationConfigured,
  stationKindOf,
  stationKinds,
  stationSettings,
  tagKey,
  tagsOfTable,
} from '../object.ts'
import { isScreenKind, screenKindNames } from '../objects/screen-kinds.ts'
import { compareData } from './library-compare.ts'
import { type ObjectData, renamedUses, usesOf } from './library-uses.ts'

type Reader = Pick<QueryContext, 'read' | 'blobs'>
type Data = ObjectData | SettingsData
interface SettingsData {
  readonly settings: Omit<StationSettings, 'deviceId'>
}

/** How the kinds differ. */
interface Source<D extends Data> {
  readonly kind: string
  readonly noun: string
  readonly objectKind: string
  readonly canBeType: boolean
  readonly isSymbol: boolean
  readonly earlier?: string
  /** The kind that this content is of. */
  kindOf?(data: D): string
  list(ctx: Reader, device: Device): readonly KindEntry[]
  find(ctx: Reader, device: Device, name: string): KindEntry | undefined
  folders(ctx: Reader, device: Device): readonly string[]
  ensureFolder(ctx: CommandContext, device: Device, path: string): string
  read(ctx: Reader, device: Device, name: string): Promise<D>
  /** Names that other objects of the device have already. */
  taken?(ctx: Reader, device: Device, name: string, data: D): Obstacle | undefined
  write(ctx: CommandContext, device: Device, name: string, data: D, folder: string): Promise<{ readonly id: string }>
}

const exists = (what: string): Obstacle => ({
  code: 'exists',
  message: `${what} of this name is there with another content`,
  choices: ['overwrite', 'rename', 'keep'],
})

const textOf = (data: Data) => `${JSON.stringify(data, null, 1)}\n`
/** Names of object kinds in libraries: `HmiScreen`, `HmiTagTable`. */
const objectKindOf = (kind: string) =>
  `Hmi${kind.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())}`

function libraryKindOf<D extends Data>(source: Source<D>): LibraryKind {
  const { kind, noun, objectKind } = source
  const dataOf = async (ctx: Reader, { document }: Pick<LibraryObject, 'document'>) =>
    JSON.parse(await ctx.blobs.text(document)) as D
  const described = (name: string, folder: string, document: string, text: string, data: D): LibraryObject => ({
    kind,
    objectKind,
    name,
    folder,
    document,
    size: Buffer.byteLength(text),
    format: 'json',
    language: '',
    uses: 'content' in data ? usesOf(data) : [],
  })
  const now = async (ctx: Reader, device: Device, name: string) => {
    const [{ blobHash }, data] = await Promise.all([
      import('../../../plc/compiler/program-file.ts'),
      source.read(ctx, device, name),
    ])
    const text = textOf(data)
    const entry = source.find(ctx, device, name)!
    return { text, object: described(entry.name, entry.folder, blobHash(text), text, data) }
  }
  return {
    kind,
    noun,
    device: 'HMI',
    isSymbol: source.isSymbol,
    ...defined({ earlier: source.earlier }),
    ...(source.kindOf === undefined
      ? {}
      : { kindNow: async (ctx, object) => source.kindOf!(await dataOf(ctx, object)) }),
    typeFault: ({ name }) =>
      source.canBeType
        ? undefined
        : `"${name}" is a ${noun}: of a station, screens and library types can be types. Make a master copy of it.`,
    list: source.list,
    find: source.find,
    folders: source.folders,
    ensureFolder: source.ensureFolder,
    async capture(ctx, device, name) {
      const { text, object } = await now(ctx, device, name)
      await ctx.blobs.put(text)
      const own = object.uses.filter((one) =>
        stationKinds.some((each) => collectionOfKind(each).find(ctx, device.id, one)),
      )
      return { ...object, uses: own }
    },
    current: now,
    documentOf: async (ctx, device, name) => (await now(ctx, device, name)).object.document,
    async obstacles(ctx, device, objects) {
      const found: (Obstacle | 'same' | undefined)[] = []
      for (const object of objects) {
        const present = source.find(ctx, device, object.name)
        if (present) {
          const isSame = (await now(ctx, device, present.name)).object.document === object.document
          found.push(isSame ? 'same' : exists(`a ${noun}`))
        } else found.push(source.taken?.(ctx, device, object.name, await dataOf(ctx, object)))
      }
      return found
    },
    freeName(ctx, device, name, taken) {
      const stem = name.replace(/_\d+$/, '').slice(0, 180)
      for (let n = 1; ; n++) {
        const candidate = `${stem}_${n}`
        if (!taken.has(candidate.toLowerCase()) && source.find(ctx, device, candidate) === undefined) return candidate
      }
    },
    // Objects of stations have no numbers that exclude each other.
    numbersTaken: () => new Set(),
    freeNumber: ({ number = 0 }) => number,
    requireName: (name, field) => requireName(name, field, noun),
    async changed(ctx, _device, object, { name = object.name, uses = [] }) {
      const before = await dataOf(ctx, object)
      const isOther = name !== object.name || uses.length > 0
      if (!isOther || !('content' in before)) return { ...object, name }
      // The file that it was imported from does not say the same any more.
      const { isAsDocument: _same, ...rest } = renamedUses(before as ObjectData, uses)
      const text = textOf(rest)
      return { ...described(name, object.folder, await ctx.blobs.put(text), text, rest as D), uses: usesOf(rest) }
    },
    async store(ctx, device, object, { folder, overwrite }) {
      const present = source.find(ctx, device, object.name)
      if (present && !overwrite)
        throw problem('name_taken', `${noun} "${present.name}" exists on "${device.name}" already.`)
      const name = present?.name ?? object.name
      const { id } = await source.write(ctx, device, name, await dataOf(ctx, object), folder)
      const { document } = object
      return { id, name, folder, action: present ? 'replaced' : 'created', document, warnings: [] }
    },
    async compare(ctx, left, right) {
      const [a, b] = await Promise.all(
        [left, right].map(async ({ object, text }) => text ?? (await ctx.blobs.text(object.document))),
      )
      return compareData(a!, b!)
    },
    fileOf: async (ctx, { document }) => ({ extension: '.json', content: await ctx.blobs.text(document) }),
    async readFile(ctx, files) {
      const read: (LibraryObject | { readonly fault: string })[] = []
      for (const { beside, read: bytes } of files) {
        const text = (await bytes()).toString('utf8')
        const fault = faultOf(text, source.kind)
        read.push(
          fault === undefined
            ? {
                ...described(beside.name, beside.folder, await ctx.blobs.put(text), text, JSON.parse(text) as D),
                uses: beside.uses,
              }
            : { fault },
        )
      }
      return read
    },
  }
}

/** What is wrong with the file of an object. */
function faultOf(text: string, kind: string): string | undefined {
  const wrong = findJsonFault(text)
  if (wrong) return `is not JSON: ${wrong.message} (line ${wrong.line}, column ${wrong.column})`
  const data: unknown = JSON.parse(text)
  if (data === null || typeof data !== 'object') return 'must be an object'
  const fields = data as Partial<ObjectData & SettingsData>
  if (kind === settingsKind) return isObject(fields.settings) ? undefined : 'has no settings'
  if (fields.content === null || typeof fields.content !== 'object') return 'has no content'
  for (const list of ['objects', 'tags'] as const)
    if (
      fields[list] !== undefined &&
      !(Array.isArray(fields[list]) && fields[list].every((one) => typeof one?.name === 'string'))
    )
      return `${list} must be a list of objects with names`
  return undefined
}

/** Kinds that can be types with versions. */
const typeKinds = new Set<StationKind>([...screenKindNames, 'library-type'])
/** Kinds whose objects others refer to by their names. */
const symbolKinds = new Set<StationKind>(['library-type', 'text-list', 'graphic-list', 'graphic', 'script', 'template'])

function objectSource(own: StationKind): Source<ObjectData> {
  const { noun } = kindNames[own]
  const collection = collectionOfKind(own)
  const kind: HmiKind = isScreenKind(own) ? 'screen' : own
  const entryOf = ({ id, name, folder }: HmiObject): KindEntry => ({ id, name, folder })
  return {
    kind: `hmi-${own}`,
    noun,
    objectKind: objectKindOf(own),
    canBeType: typeKinds.has(own),
    isSymbol: symbolKinds.has(own),
    // Screens of every kind were one kind in earlier versions.
    ...(isScreenKind(own) && own !== 'screen' ? { earlier: 'hmi-screen' } : {}),
    ...(own === 'screen' ? { kindOf: ({ content }) => `hmi-${stationKindOf({ kind, content })}` } : {}),
    list: (ctx, device) => collection.of(ctx, device.id).map(entryOf),
    find(ctx, device, name) {
      const found = collection.find(ctx, device.id, name)
      return found && entryOf(found)
    },
    folders: (ctx, device) => collection.folders.list(ctx, device.id).map(({ path }) => path),
    ensureFolder: (ctx, device, path) => collection.folders.ensure(ctx, device, path),
    read: (ctx, device, name) => readData(ctx, collection.find(ctx, device.id, name)!),
    ...(kind === 'tag-table' ? { taken: tagsTaken } : {}),
    async write(ctx, device, name, data, folder) {
      const before = collection.find(ctx, device.id, name)
      const identity = collection.identityOf(ctx, device, name, { folder }, before)
      const object = await objectFrom(ctx, identity, kind, data)
      const owner = { deviceId: device.id }
      const items = data.objects?.map((one): StoredItem => ({ ...one, ...owner, screenId: object.id, id: ctx.newId() }))
      const tags = data.tags?.map((one): StoredTag => ({ ...one, ...owner, tableId: object.id, id: ctx.newId() }))
      const stored = {
        object,
        ...(kind === 'screen' ? { items: items ?? [] } : {}),
        ...(kind === 'tag-table' ? { tags: tags ?? [] } : {}),
      }
      ctx.emit(objectStored, stored, collection.entityOf(device, name))
      return { id: object.id }
    },
  }
}

async function readData(ctx: Reader, object: HmiObject): Promise<ObjectData> {
  const { kind, id, content, document, isAsDocument } = object
  const bare = ({ deviceId: _d, screenId: _s, tableId: _t, id: _i, ...rest }: Partial<StoredItem & StoredTag>) => rest
  const { image = '', ...plain } = content as GraphicContent
  const bytes = document === undefined ? undefined : await ctx.blobs.get(document)
  const text = bytes?.toString('utf8') ?? ''
  const isText = bytes !== undefined && Buffer.from(text, 'utf8').equals(bytes)
  return {
    content: kind === 'graphic' ? plain : content,
    ...(kind === 'screen' ? { objects: itemsOf(ctx, id).map(bare) as ObjectData['objects'] } : {}),
    ...(kind === 'tag-table' ? { tags: tagsOfTable(ctx, id).map(bare) as ObjectData['tags'] } : {}),
    ...(kind === 'graphic' && image !== '' ? { image: (await ctx.blobs.get(image)).toString('base64') } : {}),
    ...(bytes === undefined ? {} : isText ? { source: text } : { sourceBase64: bytes.toString('base64') }),
    ...(isAsDocument === true ? { isAsDocument } : {}),
  } as ObjectData
}

async function objectFrom(
  ctx: CommandContext,
  identity: Pick<HmiObject, 'id' | 'name' | 'folder' | 'deviceId' | 'createdAt' | 'modifiedAt'>,
  kind: HmiKind,
  { content, image, source, sourceBase64, isAsDocument }: ObjectData,
): Promise<HmiObject> {
  const bytes = sourceBase64 === undefined ? source : Buffer.from(sourceBase64, 'base64')
  const blob = kind === 'graphic' && image !== undefined ? await ctx.blobs.put(Buffer.from(image, 'base64')) : ''
  return {
    ...identity,
    kind,
    content: kind === 'graphic' ? { ...content, image: blob } : content,
    ...(bytes === undefined ? {} : { document: await ctx.blobs.put(bytes) }),
    ...(isAsDocument === true ? { isAsDocument } : {}),
  } as HmiObject
}

/** A tag has its name once on a station. */
function tagsTaken(ctx: Reader, device: Device, name: string, { tags = [] }: ObjectData): Obstacle | undefined {
  const table = collectionOfKind('tag-table').find(ctx, device.id, name)
  const faults: Fault[] = []
  for (const tag of tags) {
    const present = ctx.read(hmiTags).get(tagKey(device.id, tag.name))
    if (present !== undefined && present.tableId !== table?.id) faults.push({ message: tag.name })
  }
  const [first] = faults
  if (first === undefined) return undefined
  const more = faults.length > 1 ? ` and ${faults.length - 1} more` : ''
  return { code: 'name_taken', message: `another table has its tag "${first.message}"${more}`, choices: ['keep'] }
}

const settingsKind = 'hmi-settings'
const settingsName = 'Station settings'

/** Start screen and size, so that the copy of a station starts as the station does. */
const settingsSource: Source<SettingsData> = {
  kind: settingsKind,
  noun: 'settings of a station',
  objectKind: 'HmiSettings',
  canBeType: false,
  isSymbol: false,
  list: (ctx, device) =>
    ctx.read(stationSettings).has(device.id) ? [{ id: device.id, name: settingsName, folder: '' }] : [],
  find: (ctx, device, name) =>
    name.toLowerCase() === settingsName.toLowerCase() && ctx.read(stationSettings).has(device.id)
      ? { id: device.id, name: settingsName, folder: '' }
      : undefined,
  folders: () => [],
  ensureFolder: () => '',
  async read(ctx, device) {
    const { deviceId: _own, ...settings } = ctx.read(stationSettings).get(device.id)!
    return { settings }
  },
  async write(ctx, device, _name, { settings }) {
    ctx.emit(stationConfigured, { ...settings, deviceId: device.id }, `device/${device.name}`)
    return { id: device.id }
  },
}

/** What others refer to comes first. */
const order: readonly StationKind[] = [
  'connection',
  'cycle',
  'tag-table',
  'graphic',
  'graphic-list',
  'text-list',
  'script',
  'library-type',
  'alarm',
  'template',
  'screen',
  'popup',
  'slide-in',
  'global-screen',
  'permanent-area',
]

export const libraryKinds: readonly LibraryKind[] = [
  ...order.map((kind) => libraryKindOf(objectSource(kind))),
  libraryKindOf(settingsSource),
]
