/** List, show, create, change and delete: the same for each kind of object of an HMI station. */
import {
  type CommandContext,
  command,
  defined,
  del,
  get,
  type Operation,
  post,
  put,
  query,
  type SchemaBuilder,
  type TSchema,
} from '../../../core/index.ts'
import type { HmiKind } from '../../../plc/formats/hmi/model.ts'
import type { Device } from '../../devices/index.ts'
import { folderAliases, folderPath, requireName } from '../../program-objects/index.ts'
import { onlyScreenType, screenType, stationName } from '../input-fields.ts'
import {
  collectionOfKind,
  type HmiObject,
  hmiItems,
  hmiKinds,
  hmiTags,
  kindNames,
  kindsOf,
  objectChanged,
  objectDeleted,
  objectStored,
  stationKindOf,
} from '../object.ts'
import { requireStation } from '../stations.ts'
import { viewOf } from '../views.ts'
import { type KindFields, kindFields } from './kind-fields.ts'
import { kindView } from './kind-views.ts'
import { pageOfScreens, requireScreen, type ScreensRequest } from './screens.ts'

/** Field with the name of an object in routes. */
const nameFields: Readonly<Record<HmiKind, string>> = {
  screen: 'screenName',
  'tag-table': 'tableName',
  connection: 'connectionName',
  cycle: 'cycleName',
  script: 'scriptName',
  'text-list': 'listName',
  'graphic-list': 'listName',
  graphic: 'graphicName',
  alarm: 'alarmName',
  'library-type': 'typeName',
}
/** Field with the objects of a list. */
const listFields: Readonly<Record<HmiKind, string>> = {
  screen: 'screens',
  'tag-table': 'tagTables',
  connection: 'connections',
  cycle: 'cycles',
  script: 'scripts',
  'text-list': 'textLists',
  'graphic-list': 'graphicLists',
  graphic: 'projectGraphics',
  alarm: 'alarms',
  'library-type': 'libraryTypes',
}

export const routeOf = (kind: HmiKind) => `/api/devices/{deviceName}/hmi/${kindNames[kind].plural}`
export const mcp = { toolset: 'hmi' }

/** @throws GatewayError `name_taken` */
function requireFree(
  ctx: CommandContext,
  collection: ReturnType<typeof collectionOfKind>,
  station: Device,
  name: string,
): void {
  const present = collection.find(ctx, station.id, name)
  if (present) throw collection.taken(present, station)
}

type Fields = Readonly<Record<string, unknown>>

/** The object that a request means. @throws GatewayError `not_found` */
function requireObject(ctx: Pick<CommandContext, 'read'>, kind: HmiKind, station: Device, input: Fields): HmiObject {
  const name = String(input[nameFields[kind]])
  if (kind !== 'screen') return collectionOfKind(kind).requireOf(ctx, station, name)
  return requireScreen(ctx, station, name, input.screenType as string | undefined) as HmiObject
}

function operationsOf(kind: HmiKind): Operation[] {
  const { noun, plural } = kindNames[kind]
  const collection = collectionOfKind(kind)
  const nameField = nameFields[kind]
  const listField = listFields[kind]
  const route = routeOf(kind)
  const single = kind
  const named = (t: SchemaBuilder): Record<string, TSchema> => ({
    deviceName: stationName(t),
    [nameField]: t.String({ minLength: 1, maxLength: 200, description: `Name of the ${noun}; case does not matter.` }),
    ...(kind === 'screen' ? { screenType: screenType(t) } : {}),
  })
  const list = query({
    id: `hmi.list-${plural}`,
    title: `List the ${noun}s of an HMI device`,
    ...(kind === 'screen' ? { description: 'Of every kind: screens, templates, popups, slide-in screens.' } : {}),
    input: (t) =>
      t.Object({
        deviceName: stationName(t),
        ...(kind === 'screen' ? { screenType: onlyScreenType(t) } : {}),
        ...t.paging(),
      }),
    output: (t) =>
      t.Object({
        [listField]: t.Array(t.Object(kindView(t, kind, false))),
        total: t.Integer(),
        nextCursor: t.Optional(t.String()),
      }),
    http: [get(route)],
    mcp,
    run(input, ctx) {
      const station = requireStation(ctx, input.deviceName)
      if (kind === 'screen') {
        const { page, ...rest } = pageOfScreens(ctx, [station], input as ScreensRequest)
        return { [listField]: page.map(({ screen }) => viewOf(ctx, screen as HmiObject)), ...rest }
      }
      const { page, ...rest } = collection.page(ctx, station.id, input)
      return { [listField]: page.map((object) => viewOf(ctx, object)), ...rest }
    },
  })
  const show = query({
    id: `hmi.show-${single}`,
    title: kind === 'library-type' ? 'Show the details of an HMI library type' : `Show one ${noun} of an HMI device`,
    input: (t) => t.Object(named(t)),
    output: (t) => t.Object(kindView(t, kind, true)),
    http: [get(`${route}/{${nameField}}`)],
    mcp,
    run(input: Readonly<Record<string, unknown>>, ctx) {
      const station = requireStation(ctx, String(input.deviceName))
      const object = requireObject(ctx, kind, station, input)
      return viewOf(ctx, object, true) as ReturnType<typeof viewOf> & ObjectView
    },
  })
  const remove = command({
    id: `hmi.delete-${single}`,
    title: `Delete one ${noun} of an HMI device`,
    description: 'What refers to it is told by the next compile.',
    input: (t) => t.Object(named(t)),
    output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
    http: [del(`${route}/{${nameField}}`)],
    mcp: { ...mcp, destructive: true },
    needsInstance: true,
    run(input: Readonly<Record<string, unknown>>, ctx) {
      const station = requireStation(ctx, String(input.deviceName))
      const object = requireObject(ctx, kind, station, input)
      const { id, name } = object
      const { entityOf } = collectionOfKind(stationKindOf(object))
      ctx.emit(objectDeleted, { kind, deviceId: station.id, id, name }, entityOf(station, name))
      return { name, deleted: true }
    },
  })
  const folders = command({
    id: `hmi.create-${single}-folder`,
    title: `Create a folder for ${noun}s of an HMI device`,
    input: (t) => t.Object({ deviceName: stationName(t), path: folderPath(t, 'A/B') }),
    output: (t) => t.Object({ path: t.String(), created: t.Boolean() }),
    http: [post(`${route}/folders`)],
    mcp,
    needsInstance: true,
    aliases: { path: ['folderPath', 'folder', 'name'] },
    run(input, ctx) {
      const station = requireStation(ctx, input.deviceName)
      return { path: collection.folders.create(ctx, station, input.path), created: true }
    },
  })
  const operations: Operation[] = [list, show, remove, folders]
  if (kind === 'graphic') return operations
  // One kind out of all: its fields have types of their own, which its operations check by their schema.
  return [...operations, ...changing(kind, kindFields[kind] as unknown as KindFields, nameField, route)]
}

type ObjectView = { name: string; folder: string; createdAt: string; modifiedDate: string }

/** Create and change, for the kinds that are made from fields. */
function changing(kind: HmiKind, fields: KindFields, nameField: string, route: string): Operation[] {
  const { noun } = kindNames[kind]
  const create = command({
    id: `hmi.create-${kind}`,
    title: `Create one ${noun} on an HMI device`,
    input: (t) =>
      t.Object({
        deviceName: stationName(t),
        name: t.String({ minLength: 1, maxLength: 200 }),
        folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
        ...fields.schema(t),
      }),
    output: (t) => t.Object(kindView(t, kind, true)),
    http: [post(route)],
    ...defined({ asks: fields.asks }),
    mcp,
    needsInstance: true,
    aliases: { name: [nameField], folder: folderAliases },
    run(input: Readonly<Record<string, unknown>>, ctx) {
      const station = requireStation(ctx, String(input.deviceName))
      const name = String(input.name)
      requireName(name, '/name', noun)
      const content = fields.read(ctx, station, input, undefined)
      const collection = collectionOfKind(stationKindOf({ kind, content }))
      requireFree(ctx, collection, station, name)
      const identity = collection.identityOf(ctx, station, name, { folder: String(input.folder ?? '') }, undefined)
      const object = { ...identity, kind, content } as HmiObject
      ctx.emit(objectStored, { object }, collection.entityOf(station, name))
      return viewOf(ctx, object, true) as ObjectView
    },
  })
  const update = command({
    id: `hmi.update-${kind}`,
    title: `Change, rename or move one ${noun} of an HMI device`,
    description: 'Only the fields that are sent are changed; lists are replaced as a whole.',
    input: (t) =>
      t.Object({
        deviceName: stationName(t),
        [nameField]: t.String({ minLength: 1, maxLength: 200 }),
        newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
        folder: t.Optional(folderPath(t, 'A/B; made when absent; empty: out of all folders.')),
        ...fields.schema(t),
      }),
    output: (t) => t.Object({ oldName: t.String(), ...kindView(t, kind, true) }),
    http: [put(`${route}/{${nameField}}`)],
    mcp: { ...mcp, destructive: true },
    needsInstance: true,
    aliases: { newName: ['name'], folder: folderAliases },
    run(input: Readonly<Record<string, unknown>>, ctx) {
      const station = requireStation(ctx, String(input.deviceName))
      const before = requireObject(ctx, kind, station, input)
      const collection = collectionOfKind(stationKindOf(before))
      const name = String(input.newName ?? before.name)
      if (name !== before.name) {
        requireName(name, '/newName', noun)
        if (name.toLowerCase() !== before.name.toLowerCase()) requireFree(ctx, collection, station, name)
      }
      const content = fields.read(ctx, station, input, before.content)
      const wanted = input.folder as string | undefined
      const folder = wanted ? collection.folders.ensure(ctx, station, wanted) : (wanted ?? before.folder)
      const isSame = name === before.name && JSON.stringify(content) === JSON.stringify(before.content)
      const { isAsDocument: _same, ...rest } = before
      const object = { ...(isSame ? before : rest), name, folder, content, modifiedAt: ctx.now } as HmiObject
      ctx.emit(objectChanged, { before: before.name, object }, collection.entityOf(station, name))
      return { oldName: before.name, ...viewOf(ctx, object, true) } as ObjectView & { oldName: string }
    },
  })
  return [create, update]
}

/** Objects that are counted in summaries. */
export function countsOf(ctx: Pick<CommandContext, 'read'>, station: Device) {
  const count = (kind: HmiKind) =>
    kindsOf(kind).reduce((sum, one) => sum + collectionOfKind(one).of(ctx, station.id).length, 0)
  return {
    screens: count('screen'),
    objects: ctx.read(hmiItems).findKeys('byDevice', station.id).length,
    tagTables: count('tag-table'),
    tags: ctx.read(hmiTags).findKeys('byDevice', station.id).length,
    connections: count('connection'),
    scripts: count('script'),
    textLists: count('text-list'),
    graphicLists: count('graphic-list'),
    projectGraphics: count('graphic'),
    alarms: count('alarm'),
    libraryTypes: count('library-type'),
  }
}

export const kindOperations: readonly Operation[] = hmiKinds.flatMap(operationsOf)
