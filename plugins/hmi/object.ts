/** Objects of HMI stations: their types, their collections in the state, and their events. */
import { collection, domainEvent, on, ownedBy, type Slice, type SliceReader } from '../../core/index.ts'
import type { HmiContents, HmiItem, HmiKind, HmiTag } from '../../plc/formats/hmi/model.ts'
import { device } from '../devices/index.ts'
import { type KeptObject, type ObjectCollection, objectCollection } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'

/** An object of a station. Graphical objects of screens and tags of tables are kept beside it, one by one. */
export interface HmiObject<K extends HmiKind = HmiKind> extends KeptObject {
  readonly kind: K
  readonly content: HmiContents[K]
  /** Blob: the whole file that it was read from, byte for byte. */
  readonly document?: string
  /** True when the document says the same as the object. */
  readonly isAsDocument?: boolean
}

/** A graphical object with the screen that it is on. */
export interface StoredItem extends HmiItem {
  readonly deviceId: string
  readonly screenId: string
  readonly id: string
}

/** A tag with its table. */
export interface StoredTag extends HmiTag {
  readonly deviceId: string
  readonly tableId: string
  readonly id: string
}

/** What is set for a whole station. */
export interface StationSettings {
  readonly deviceId: string
  /** Screen that is shown first; absent: the one with the lowest number. */
  readonly startScreen?: string
  readonly width?: number
  readonly height?: number
}

/** How a kind is called. */
interface KindNames {
  readonly noun: string
  /** In routes and files. */
  readonly plural: string
}

/** The kinds of objects. */
export const kindNames: Readonly<Record<HmiKind, KindNames>> = {
  screen: { noun: 'screen', plural: 'screens' },
  'tag-table': { noun: 'HMI tag table', plural: 'tag-tables' },
  connection: { noun: 'HMI connection', plural: 'connections' },
  cycle: { noun: 'cycle', plural: 'cycles' },
  script: { noun: 'script', plural: 'scripts' },
  'text-list': { noun: 'text list', plural: 'text-lists' },
  'graphic-list': { noun: 'graphic list', plural: 'graphic-lists' },
  graphic: { noun: 'project graphic', plural: 'project-graphics' },
  alarm: { noun: 'HMI alarm', plural: 'alarms' },
  'library-type': { noun: 'HMI library type', plural: 'library-types' },
}
export const hmiKinds = Object.keys(kindNames) as HmiKind[]

function collectionOf<K extends HmiKind>(kind: K): ObjectCollection<HmiObject<K>> {
  return objectCollection<HmiObject<K>>({
    plugin: `hmi.${kindNames[kind].plural}`,
    collection: `hmi.${kindNames[kind].plural}`,
    entity: `hmi-${kind}`,
    noun: kindNames[kind].noun,
  })
}

/** The objects of each kind. */
export const hmiCollections = Object.fromEntries(hmiKinds.map((kind) => [kind, collectionOf(kind)])) as {
  readonly [K in HmiKind]: ObjectCollection<HmiObject<K>>
}

/** The collection of a kind that is only known when the program runs. */
export function collectionOfKind(kind: HmiKind): ObjectCollection<HmiObject> {
  return hmiCollections[kind] as unknown as ObjectCollection<HmiObject>
}

/** Key: screen and name in lower case. Indexes `byScreen` (id) and `byDevice`. */
export const hmiItems = collection<StoredItem>(
  'hmi.items',
  { byScreen: ({ screenId }) => screenId, byDevice: ({ deviceId }) => deviceId },
  [ownedBy(device, 'byDevice')],
)

/** Key: device and name in lower case. Indexes `byTable` (id) and `byDevice`. */
export const hmiTags = collection<StoredTag>(
  'hmi.tags',
  { byTable: ({ tableId }) => tableId, byDevice: ({ deviceId }) => deviceId },
  [ownedBy(device, 'byDevice')],
)
export const stationSettings = collection<StationSettings>('hmi.stations', { byDevice: (_, key) => key }, [
  ownedBy(device, 'byDevice'),
])

export const itemKey = (screenId: string, name: string) => `${screenId}/${name.toLowerCase()}`
export const tagKey = (deviceId: string, name: string) => `${deviceId}/${name.toLowerCase()}`

/** An object was made or replaced; `items` or `tags` replace all that it had. */
export const objectStored = domainEvent<{
  object: HmiObject
  items?: readonly StoredItem[]
  tags?: readonly StoredTag[]
}>('hmi.object-stored', 'An object of an HMI station was created or replaced')
/** An object was renamed, moved or changed; `before` is its name before. */
export const objectChanged = domainEvent<{ before: string; object: HmiObject }>(
  'hmi.object-changed',
  'An object of an HMI station was changed',
)
export const objectDeleted = domainEvent<{ kind: HmiKind; deviceId: string; id: string; name: string }>(
  'hmi.object-deleted',
  'An object of an HMI station was deleted',
)
/** An object of a screen was made or changed; `before` is its name before. */
export const itemStored = domainEvent<{ item: StoredItem; screen: string; before?: string }>(
  'hmi.item-stored',
  'A graphical object was created or changed',
)
export const itemDeleted = domainEvent<{ deviceId: string; screen: string; screenId: string; name: string }>(
  'hmi.item-deleted',
  'A graphical object was deleted',
)
/** A tag was made or changed; `before` is its name before. */
export const tagStored = domainEvent<{ tag: StoredTag; table: string; before?: string }>(
  'hmi.tag-stored',
  'An HMI tag was created or changed',
)
export const tagDeleted = domainEvent<{ deviceId: string; table: string; name: string }>(
  'hmi.tag-deleted',
  'An HMI tag was deleted',
)
export const stationConfigured = domainEvent<StationSettings>('hmi.station-configured', 'An HMI station was configured')

type Write = Parameters<Parameters<typeof on>[1]>[0]

function put(write: Write, object: HmiObject, before = object.name) {
  const { objects, key } = collectionOfKind(object.kind)
  if (before.toLowerCase() !== object.name.toLowerCase()) write(objects).delete(key(object.deviceId, before))
  write(objects).set(key(object.deviceId, object.name), object)
}

/** The holder of an item or tag differs from its document from now on. */
function touched(write: Write, kind: 'screen' | 'tag-table', deviceId: string, name: string, modifiedAt: number) {
  const { objects, key } = collectionOfKind(kind)
  const holder = write(objects).get(key(deviceId, name))
  if (holder === undefined) return
  const { isAsDocument: _same, ...rest } = holder
  write(objects).set(key(deviceId, name), { ...rest, modifiedAt })
}

function clear(write: Write, id: string) {
  for (const key of write(hmiItems).findKeys('byScreen', id)) write(hmiItems).delete(key)
  for (const key of write(hmiTags).findKeys('byTable', id)) write(hmiTags).delete(key)
}

const folders = hmiKinds.map((kind) => hmiCollections[kind].folders)

/** The plugin's part of the state. */
export const hmiSlice: Slice = {
  version: 2,
  collections: [
    ...hmiKinds.map((kind) => collectionOfKind(kind).objects),
    ...folders.map((tree) => tree.folders),
    hmiItems,
    hmiTags,
    stationSettings,
  ],
  reductions: [
    on(objectStored, (write, { object, items, tags }) => {
      put(write, object)
      if (items !== undefined || tags !== undefined) clear(write, object.id)
      for (const item of items ?? []) write(hmiItems).set(itemKey(object.id, item.name), item)
      for (const tag of tags ?? []) write(hmiTags).set(tagKey(object.deviceId, tag.name), tag)
    }),
    on(objectChanged, (write, { before, object }) => put(write, object, before)),
    on(objectDeleted, (write, { kind, deviceId, id, name }) => {
      const { objects, key } = collectionOfKind(kind)
      write(objects).delete(key(deviceId, name))
      clear(write, id)
    }),
    on(itemStored, (write, { item, screen, before }, { time }) => {
      if (before !== undefined && before.toLowerCase() !== item.name.toLowerCase())
        write(hmiItems).delete(itemKey(item.screenId, before))
      write(hmiItems).set(itemKey(item.screenId, item.name), item)
      touched(write, 'screen', item.deviceId, screen, time)
    }),
    on(itemDeleted, (write, { deviceId, screen, screenId, name }, { time }) => {
      write(hmiItems).delete(itemKey(screenId, name))
      touched(write, 'screen', deviceId, screen, time)
    }),
    on(tagStored, (write, { tag, table, before }, { time }) => {
      if (before !== undefined && before.toLowerCase() !== tag.name.toLowerCase())
        write(hmiTags).delete(tagKey(tag.deviceId, before))
      write(hmiTags).set(tagKey(tag.deviceId, tag.name), tag)
      touched(write, 'tag-table', tag.deviceId, table, time)
    }),
    on(tagDeleted, (write, { deviceId, table, name }, { time }) => {
      write(hmiTags).delete(tagKey(deviceId, name))
      touched(write, 'tag-table', deviceId, table, time)
    }),
    on(stationConfigured, (write, settings) => write(stationSettings).set(settings.deviceId, settings)),
    ...folders.flatMap((tree) => tree.reductions),
    ...modifiesProject(
      ...[objectStored, objectChanged, objectDeleted, itemStored, itemDeleted, tagStored, tagDeleted],
      stationConfigured,
      ...folders.flatMap((tree) => [tree.created, tree.deleted]),
    ),
  ],
}

type Reader = { readonly read: SliceReader }

/** The objects of a screen, in the order they were made. */
export function itemsOf(ctx: Reader, screenId: string): StoredItem[] {
  return ctx.read(hmiItems).find('byScreen', screenId)
}

/** The tags of a table, in the order they were made. */
export function tagsOfTable(ctx: Reader, tableId: string): StoredTag[] {
  return ctx.read(hmiTags).find('byTable', tableId)
}
