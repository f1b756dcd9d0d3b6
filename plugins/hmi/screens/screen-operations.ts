/** Screens over all stations, their tree and details, and the graphical objects on them. */
import {
  command,
  del,
  get,
  notFound,
  type Operation,
  post,
  problem,
  put,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { type Device, devices } from '../../devices/index.ts'
import { byText, pageOf, requireName, treeNode, treeOf } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import {
  listed,
  objectName,
  objectPlace,
  onlyScreenType,
  screenName,
  screenPlace,
  screenStation,
  screenStationAliases,
  screenType,
  stationName,
} from '../input-fields.ts'
import { itemFields, itemView, readItem, viewOfItem } from '../items/item-input.ts'
import { isWrittenBy } from '../items/item-types.ts'
import {
  allScreensOf,
  type HmiObject,
  hmiCollections,
  hmiItems,
  itemDeleted,
  itemKey,
  itemStored,
  itemsOf,
  type StoredItem,
} from '../object.ts'
import { mcp, routeOf } from '../objects/kind-operations.ts'
import { screenKindOf, screenKinds } from '../objects/screen-kinds.ts'
import { findScreen, pageOfScreens, requireScreen, type Screen } from '../objects/screens.ts'
import { limitsOf, Variables } from '../program.ts'
import { requireStation, stationsOf } from '../stations.ts'
import { screenFields, viewOf } from '../views.ts'

type Reader = Pick<QueryContext, 'read'>

const listScreens = query({
  id: 'hmi.list-all-screens',
  title: 'List the screens of the HMI project',
  description: 'Of all HMI devices, or of one; of every kind, or of one. Sorted by name.',
  input: (t) => t.Object({ ...screenStation(t), screenType: onlyScreenType(t), ...t.paging() }),
  output: (t) =>
    listed(
      t,
      'screens',
      t.Object({
        name: t.String(),
        width: t.Number(),
        height: t.Number(),
        number: t.Integer(),
        deviceName: t.String(),
        folder: t.String(),
        screenType: t.String({ description: 'Screen, ScreenTemplate, ScreenPopup, ScreenSlidein …' }),
      }),
    ),
  http: [get('/api/hmi/screens')],
  mcp,
  aliases: screenStationAliases,
  run(input, ctx) {
    requireProject(ctx)
    const stations = input.deviceName === undefined ? stationsOf(ctx) : [requireStation(ctx, input.deviceName)]
    const { page, ...rest } = pageOfScreens(ctx, stations, input)
    const view = ({ screen: { name, folder, content }, station }: (typeof page)[number]) => {
      const { width, height, number, screenType } = content
      return { name, width, height, number, deviceName: station.name, folder, screenType }
    }
    return { screens: page.map(view), ...rest }
  },
})

function requireItem(ctx: Reader, screen: Screen, name: string): StoredItem {
  const item = ctx.read(hmiItems).get(itemKey(screen.id, name))
  if (item) return item
  const names = itemsOf(ctx, screen.id).map((other) => other.name)
  throw notFound('object', name, names, `on the ${nounOf(screen)} "${screen.name}"`)
}

const nounOf = ({ content }: Screen) => screenKinds[screenKindOf(content.screenType)].noun

const entityOf = (station: Device, screen: Screen, name: string) => {
  const kind = screenKindOf(screen.content.screenType)
  return `hmi-${kind === 'screen' ? '' : `${kind}-`}object/${station.name}/${screen.name}/${name}`
}

const stored = (t: SchemaBuilder) =>
  t.Object({
    success: t.Boolean(),
    objectId: t.String(),
    name: t.String(),
    status: t.String({ description: 'created or updated.' }),
    screenName: t.String(),
    screenType: t.String(),
    deviceName: t.String(),
    warnings: t.Array(t.String(), { description: 'Variables that the program lacks, or gives no access to.' }),
  })

/** Warnings about bindings that the program has nothing for. */
async function bindingWarnings(
  ctx: ConstructorParameters<typeof Variables>[0],
  station: Device,
  item: Pick<StoredItem, 'type' | 'properties' | 'bindings'>,
): Promise<string[]> {
  if (item.bindings.length === 0) return []
  const variables = new Variables(ctx, station)
  await variables.prepare(item.bindings.map(({ tag }) => tag))
  return item.bindings.flatMap(({ property, tag }) => {
    const found = variables.find(tag)
    const faults = 'code' in found ? [found] : limitsOf(tag, found, isWrittenBy(item, property))
    return faults.map(({ message, hint }) => `${property}: ${message}. ${hint}`)
  })
}

const addObject = command({
  id: 'hmi.add-object',
  title: 'Add a graphical object with tag bindings to a screen',
  description:
    'Types: Rectangle, Circle, Ellipse, Line, Polyline, Polygon, TextField, IOField, SymbolicIOField, GraphicIOField, Button, Switch, Bar, Gauge, Slider, GraphicView, TrendView, AlarmView, TableView, FaceplateInstance, Group. A binding drives a property by a PLC variable, given by its dotted path, or an HMI tag. An unknown type, property, converter or parameter is a 422 that names the allowed ones. A variable that the program does not have (yet) is a warning here and an error of the compile.',
  input: (t) =>
    t.Object({
      ...screenPlace(t),
      type: t.String({ minLength: 1, maxLength: 100, description: 'Circle, Button, IOField …' }),
      name: objectName(t),
      ...itemFields(t),
    }),
  output: stored,
  http: [post('/api/hmi/screens/{screenName}/objects')],
  mcp,
  needsInstance: true,
  aliases: screenStationAliases,
  example: {
    screenName: 'Main',
    type: 'Circle',
    name: 'Lamp',
    left: 100,
    top: 100,
    width: 50,
    height: 50,
    bindings: [
      { property: 'backColor', tag: 'Tank.pump', converter: 'BoolToColor', params: { on: '#00ff00', off: '#808080' } },
    ],
  },
  async run(input, ctx) {
    const { station, screen } = findScreen(ctx, input)
    requireName(input.name, '/name', 'object')
    if (ctx.read(hmiItems).has(itemKey(screen.id, input.name)))
      throw problem('name_taken', `The ${nounOf(screen)} "${screen.name}" already has an object "${input.name}".`)
    const { cultures } = requireProject(ctx)
    const read = readItem(input, undefined, cultures[0] ?? 'en-US')
    requireGroup(ctx, screen, read)
    const item: StoredItem = { ...read, deviceId: station.id, screenId: screen.id, id: ctx.newId() }
    const warnings = await bindingWarnings(ctx, station, item)
    ctx.emit(itemStored, { item, screen: screen.name }, entityOf(station, screen, item.name))
    return answer('created', station, screen, item, warnings)
  },
})

/** So many groups can be in each other. */
const deepest = 20

function requireGroup(ctx: Reader, screen: Screen, { name, group }: Pick<StoredItem, 'name' | 'group'>): void {
  if (group === undefined) return
  let at: string | undefined = group
  for (let depth = 0; at !== undefined; depth++) {
    if (depth === deepest) throw problem('conflict', `"${name}" would be in more than ${deepest} groups.`)
    const holder: StoredItem = requireItem(ctx, screen, at)
    if (holder.type !== 'Group') throw problem('conflict', `"${holder.name}" is no group but a ${holder.type}.`)
    if (holder.name.toLowerCase() === name.toLowerCase()) throw problem('conflict', `"${name}" would be in itself.`)
    at = holder.group
  }
}

/** Whether an object is in a group; case does not matter. */
function isIn(item: StoredItem, group: string): boolean {
  return item.group?.toLowerCase() === group.toLowerCase()
}

function answer(status: string, station: Device, screen: Screen, item: StoredItem, warnings: string[]) {
  const place = { screenName: screen.name, screenType: screen.content.screenType, deviceName: station.name }
  return { success: true, objectId: item.id, name: item.name, status, ...place, warnings }
}

const listObjects = query({
  id: 'hmi.list-objects',
  title: 'List the graphical objects of a screen',
  input: (t) => t.Object({ ...screenPlace(t), ...t.paging() }),
  output: (t) => listed(t, 'objects', t.Object(itemView(t))),
  http: [get('/api/hmi/screens/{screenName}/objects')],
  mcp,
  aliases: screenStationAliases,
  run(input, ctx) {
    const { screen } = findScreen(ctx, input)
    const { page, ...rest } = pageOf(itemsOf(ctx, screen.id), input)
    return { objects: page.map(viewOfItem), ...rest }
  },
})

const showObject = query({
  id: 'hmi.show-object',
  title: 'Show a graphical object of a screen',
  input: (t) => t.Object(objectPlace(t)),
  output: (t) => t.Object(itemView(t)),
  http: [get('/api/hmi/screens/{screenName}/objects/{objectName}')],
  mcp,
  aliases: screenStationAliases,
  run(input, ctx) {
    const { screen } = findScreen(ctx, input)
    return viewOfItem(requireItem(ctx, screen, input.objectName))
  },
})

const updateObject = command({
  id: 'hmi.update-object',
  title: 'Change a graphical object of a screen',
  description: 'Only what is sent is changed; `bindings` and `events` are replaced as a whole.',
  input: (t) =>
    t.Object({
      ...objectPlace(t),
      newName: t.Optional(objectName(t)),
      ...itemFields(t),
    }),
  output: stored,
  http: [put('/api/hmi/screens/{screenName}/objects/{objectName}')],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...screenStationAliases, newName: ['name'] },
  async run(input, ctx) {
    const { station, screen } = findScreen(ctx, input)
    const before = requireItem(ctx, screen, input.objectName)
    const name = input.newName ?? before.name
    if (name !== before.name) requireName(name, '/newName', 'object')
    if (name.toLowerCase() !== before.name.toLowerCase() && ctx.read(hmiItems).has(itemKey(screen.id, name)))
      throw problem('name_taken', `The ${nounOf(screen)} "${screen.name}" already has an object "${name}".`)
    if (name !== before.name && itemsOf(ctx, screen.id).some((other) => isIn(other, before.name)))
      throw problem('conflict', `Group "${before.name}" has objects in it: it cannot be renamed.`)
    const { cultures } = requireProject(ctx)
    const read = readItem({ ...input, name }, before, cultures[0] ?? 'en-US')
    requireGroup(ctx, screen, read)
    const { deviceId, screenId, id } = before
    const item: StoredItem = { ...read, deviceId, screenId, id }
    const warnings = await bindingWarnings(ctx, station, item)
    const changed = { item, screen: screen.name, before: before.name }
    ctx.emit(itemStored, changed, entityOf(station, screen, name))
    return answer('updated', station, screen, item, warnings)
  },
})

const deleteObject = command({
  id: 'hmi.delete-object',
  title: 'Delete a graphical object of a screen',
  description: 'A group is deleted with what is in it.',
  input: (t) => t.Object(objectPlace(t)),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), objects: t.Array(t.String()) }),
  http: [del('/api/hmi/screens/{screenName}/objects/{objectName}')],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: screenStationAliases,
  run(input, ctx) {
    const { station, screen } = findScreen(ctx, input)
    const item = requireItem(ctx, screen, input.objectName)
    const gone = [item.name]
    for (const group of gone)
      gone.push(...itemsOf(ctx, screen.id).flatMap((other) => (isIn(other, group) ? other.name : [])))
    for (const name of gone)
      ctx.emit(
        itemDeleted,
        { deviceId: station.id, screen: screen.name, screenId: screen.id, name },
        entityOf(station, screen, name),
      )
    return { name: item.name, deleted: true, objects: gone }
  },
})

const screenTree = query({
  id: 'hmi.screen-tree',
  title: 'Show the screens of an HMI device in their folders',
  description:
    'Folders first, then screens, each sorted by name. A folder has `isFolder: true`, `path` and `children`.',
  input: (t) => t.Object({ deviceName: stationName(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      children: t.Array(treeNode(t, 'ScreenTreeNode', t.Object({ ...screenFields(t), isFolder: t.Literal(false) }))),
      total: t.Integer(),
    }),
  http: [get(`${routeOf('screen')}/tree`)],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const all = allScreensOf(ctx, station.id)
    const children = treeOf(hmiCollections.screen.folders.list(ctx, station.id), all, (screen) => ({
      ...viewOf(ctx, screen as HmiObject),
      isFolder: false,
    }))
    return { name: 'Screens', children, total: all.length }
  },
})

const screenDetails = query({
  id: 'hmi.screen-details',
  title: 'Show the details of a screen',
  description: 'The screen with its layers and all its objects, in the order in which they are drawn.',
  input: (t) => t.Object({ deviceName: stationName(t), screenName: screenName(t), screenType: screenType(t) }),
  output: (t) => t.Object({ ...screenFields(t), objects: t.Array(t.Object(itemView(t))) }),
  http: [get(`${routeOf('screen')}/{screenName}/details`)],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const screen = requireScreen(ctx, station, input.screenName, input.screenType)
    const objects = itemsOf(ctx, screen.id).map(viewOfItem)
    // What `viewOf` shows of a screen; the schema of the answer checks it in tests.
    const view = viewOf(ctx, screen as HmiObject) as unknown as ScreenView
    return { ...view, objects }
  },
})
/** What a screen shows beside its objects. */
type ScreenView = HmiObject<'screen'>['content'] & {
  readonly objectCount: number
  readonly name: string
  readonly folder: string
  readonly createdAt: string
  readonly modifiedDate: string
}

/** Devices in the order of their names. */
export function sortedStations(ctx: Reader): Device[] {
  return [...ctx.read(devices).values()].filter(({ kind }) => kind === 'HMI').sort(byText(({ name }) => name))
}

export const screenOperations: readonly Operation[] = [
  listScreens,
  addObject,
  listObjects,
  showObject,
  updateObject,
  deleteObject,
  screenTree,
  screenDetails,
]
