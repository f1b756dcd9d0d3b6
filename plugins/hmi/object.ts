/** Objects of HMI stations: their types, their collections in the state, and their events. */
import { collection, domainEvent, on, ownedBy, type Slice, type SliceReader } from '../../core/index.ts'
import type { HmiContents, HmiItem, HmiKind, HmiTag } from '../../plc/formats/hmi/model.ts'
import { device } from '../devices/index.ts'
import { type FolderTree, type KeptObject, type ObjectCollection, objectCollection } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'
import { isScreenKind, type ScreenKind, screenKindNames, screenKindOf, screenKinds } from './objects/screen-kinds.ts'

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

/** What has names of its own on a station: the kinds of objects, screens apart by what they are for. */
export type StationKind = HmiKind | ScreenKind

/** The kinds of objects. */
export const kindNames: Readonly<Record<StationKind, KindNames>> = {
  ...screenKinds,
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
/**
 * The folder of a kind in an export to a folder, `popups/`, since objects of other kinds may have its names; empty for
 * screens.
 */
export function exportFolder(kind: StationKind): string {
  return kind === 'screen' ? '' : `${kindNames[kind].plural}/`
}

export const stationKinds = Object.keys(kindNames) as StationKind[]
/** The kinds of objects as files have them: one for all screens. */
export const hmiKinds = stationKinds.filter((kind): kind is HmiKind => kind === 'screen' || !isScreenKind(kind))

function collectionOf(kind: StationKind, folders?: FolderTree): ObjectCollection<HmiObject> {
  const names = {
    plugin: `hmi.${kindNames[kind].plural}`,
    collection: `hmi.${kindNames[kind].plural}`,
    entity: `hmi-${kind}`,
    noun: kindNames[kind].noun,
  }
  return objectCollection<HmiObject>(names, undefined, folders)
}

type Collections = { readonly [K in HmiKind]: ObjectCollection<HmiObject<K>> } & {
  readonly [K in ScreenKind]: ObjectCollection<HmiObject<'screen'>>
}

// All screens are in one tree of folders, which says nothing about their names.
const screens = collectionOf('screen')

/** The objects of each kind. */
export const hmiCollections = Object.fromEntries(
  stationKinds.map((kind) => [
    kind,
    kind === 'screen' ? screens : collectionOf(kind, isScreenKind(kind) ? screens.folders : undefined),
  ]),
  // By the names of all kinds; TypeScript knows no object made of a list.
) as unknown as Collections

/** The collection of a kind that is only known when the program runs. */
export function collectionOfKind(kind: StationKind): ObjectCollection<HmiObject> {
  // A union of collections has no read and write in common; each takes objects of its kind only.
  return hmiCollections[kind] as unknown as ObjectCollection<HmiObject>
}

/** Among which an object has its name. */
export function stationKindOf({ kind, content }: Pick<HmiObject, 'kind' | 'content'>): StationKind {
  return kind === 'screen' ? screenKindOf((content as HmiContents['screen']).screenType) : kind
}

/** The kinds that objects of this kind of file can be. */
export function kindsOf(kind: HmiKind): readonly StationKind[] {
  return kind === 'screen' ? screenKindNames : [kind]
}

/** All screens of a station, of every kind. */
export function allScreensOf(ctx: Reader, deviceId: string): HmiObject<'screen'>[] {
  return screenKindNames.flatMap((kind) => hmiCollections[kind].of(ctx, deviceId))
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

type Reader = { readonly read: SliceReader }
type Write = Parameters<Parameters<typeof on>[1]>[0]

/** The collection that has the object of this ID under this name. */
function holding(write: Write, kind: HmiKind, deviceId: string, name: string, id: string | undefined) {
  for (const one of kindsOf(kind)) {
    const { objects, key } = collectionOfKind(one)
    const object = write(objects).get(key(deviceId, name))
    if (object !== undefined && (id === undefined || object.id === id))
      return { objects, key: key(deviceId, name), object }
  }
  return undefined
}

/** A screen that an earlier version made one of another kind goes over to the others of that kind. */
function put(write: Write, object: HmiObject, before = object.name) {
  const { objects, key } = collectionOfKind(stationKindOf(object))
  const own = key(object.deviceId, object.name)
  const held = holding(write, object.kind, object.deviceId, before, object.id)
  if (held !== undefined && (held.objects.id !== objects.id || held.key !== own)) write(held.objects).delete(held.key)
  write(objects).set(own, object)
}

/** The holder of an item or tag differs from its document from now on. @param id undefined: there is one of the name */
function touched(
  write: Write,
  kind: 'screen' | 'tag-table',
  deviceId: string,
  name: string,
  modifiedAt: number,
  id?: string,
) {
  const held = holding(write, kind, deviceId, name, id)
  if (held === undefined) return
  const { isAsDocument: _same, ...rest } = held.object
  write(held.objects).set(held.key, { ...rest, modifiedAt })
}

function clear(write: Write, id: string) {
  for (const key of write(hmiItems).findKeys('byScreen', id)) write(hmiItems).delete(key)
  for (const key of write(hmiTags).findKeys('byTable', id)) write(hmiTags).delete(key)
}

const folders = [...new Set(stationKinds.map((kind) => hmiCollections[kind].folders))]

/** The plugin's part of the state. */
export const hmiSlice: Pick<Slice, 'collections' | 'reductions'> = {
  collections: [
    ...stationKinds.map((kind) => collectionOfKind(kind).objects),
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
      const held = holding(write, kind, deviceId, name, id)
      if (held !== undefined) write(held.objects).delete(held.key)
      clear(write, id)
    }),
    on(itemStored, (write, { item, screen, before }, { time }) => {
      if (before !== undefined && before.toLowerCase() !== item.name.toLowerCase())
        write(hmiItems).delete(itemKey(item.screenId, before))
      write(hmiItems).set(itemKey(item.screenId, item.name), item)
      touched(write, 'screen', item.deviceId, screen, time, item.screenId)
    }),
    on(itemDeleted, (write, { deviceId, screen, screenId, name }, { time }) => {
      write(hmiItems).delete(itemKey(screenId, name))
      touched(write, 'screen', deviceId, screen, time, screenId)
    }),
    on(tagStored, (write, { tag, table, before }, { time }) => {
      if (before !== undefined && before.toLowerCase() !== tag.name.toLowerCase())
        write(hmiTags).delete(tagKey(tag.deviceId, before))
      write(hmiTags).set(tagKey(tag.deviceId, tag.name), tag)
      touched(write, 'tag-table', tag.deviceId, table, time, tag.tableId)
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

/** The objects of a screen, in the order they were made. */
export function itemsOf(ctx: Reader, screenId: string): StoredItem[] {
  return ctx.read(hmiItems).find('byScreen', screenId)
}

/** The tags of a table, in the order they were made. */
export function tagsOfTable(ctx: Reader, tableId: string): StoredTag[] {
  return ctx.read(hmiTags).find('byTable', tableId)
}
