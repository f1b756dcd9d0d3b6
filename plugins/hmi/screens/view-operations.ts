/** Summaries and details over stations: scripts, library types, text lists as XML, the configuration of a station. */
import { command, defined, get, type Operation, put, query, type SchemaBuilder } from '../../../core/index.ts'
import { treeNode, treeOf } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { stationName } from '../input-fields.ts'
import { itemView, viewOfItem } from '../items/item-input.ts'
import { type HmiObject, hmiCollections, stationConfigured, stationSettings } from '../object.ts'
import { countsOf, mcp, routeOf } from '../objects/kind-operations.ts'
import { requireScreen } from '../objects/screens.ts'
import { plcsOf } from '../program.ts'
import { familyOf, requireStation, resolutionOf } from '../stations.ts'
import { scriptFields, viewOf } from '../views.ts'
import { sortedStations } from './screen-operations.ts'

const countFields = (t: SchemaBuilder) => ({
  screens: t.Integer(),
  objects: t.Integer({ description: 'On all screens.' }),
  tagTables: t.Integer(),
  tags: t.Integer(),
  connections: t.Integer(),
  scripts: t.Integer(),
  textLists: t.Integer(),
  graphicLists: t.Integer(),
  projectGraphics: t.Integer(),
  alarms: t.Integer(),
  libraryTypes: t.Integer(),
})

const summary = query({
  id: 'hmi.summary',
  title: 'Summarize the HMI configurations of all devices',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      devices: t.Array(
        t.Object({
          deviceName: t.String(),
          typeName: t.String(),
          orderNumber: t.String(),
          family: t.String({ description: 'Classic or Unified.' }),
          width: t.Integer(),
          height: t.Integer(),
          ...countFields(t),
        }),
      ),
      total: t.Integer({ description: 'HMI devices.' }),
      totals: t.Object(countFields(t)),
    }),
  http: [get('/api/hmi/unified/summary')],
  mcp,
  run(_input, ctx) {
    requireProject(ctx)
    const all = sortedStations(ctx).map((station) => {
      const { width, height } = resolutionOf(ctx, station)
      const { name: deviceName, typeName, orderNumber } = station
      return { deviceName, typeName, orderNumber, family: familyOf(station), width, height, ...countsOf(ctx, station) }
    })
    const totals = { screens: 0, objects: 0, tagTables: 0, tags: 0, connections: 0, scripts: 0, textLists: 0 }
    const whole = { ...totals, graphicLists: 0, projectGraphics: 0, alarms: 0, libraryTypes: 0 }
    for (const one of all) for (const field of Object.keys(whole) as (keyof typeof whole)[]) whole[field] += one[field]
    return { devices: all, total: all.length, totals: whole }
  },
})

const scripts = hmiCollections.script

const scriptTree = query({
  id: 'hmi.script-tree',
  title: 'Show the scripts of an HMI device in their folders',
  input: (t) => t.Object({ deviceName: stationName(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      children: t.Array(treeNode(t, 'ScriptTreeNode', t.Object({ ...scriptFields(t), isFolder: t.Literal(false) }))),
      total: t.Integer(),
    }),
  http: [get(`${routeOf('script')}/tree`)],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const all = scripts.of(ctx, station.id)
    const view = (script: (typeof all)[number]) => ({ ...viewOf(ctx, script as HmiObject), isFolder: false })
    return { name: 'Scripts', children: treeOf(scripts.folders.list(ctx, station.id), all, view), total: all.length }
  },
})

const scriptContent = query({
  id: 'hmi.script-content',
  title: 'Show the source of a script',
  input: (t) => t.Object({ deviceName: stationName(t), scriptName: t.String({ minLength: 1, maxLength: 200 }) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      language: t.String({ description: 'JavaScript or VBScript.' }),
      parameters: t.Array(t.String()),
      content: t.String(),
    }),
  http: [get(`${routeOf('script')}/{scriptName}/content`)],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const { name, content } = scripts.requireOf(ctx, station, input.scriptName)
    return { name, language: content.language, parameters: content.parameters, content: content.source }
  },
})

const textListXml = query({
  id: 'hmi.text-list-xml',
  title: 'Export a text list of an HMI device as XML',
  description: 'As imported, byte for byte, when it was not changed since.',
  input: (t) => t.Object({ deviceName: stationName(t), listName: t.String({ minLength: 1, maxLength: 200 }) }),
  output: (t) => t.String(),
  produces: 'application/xml',
  http: [get(`${routeOf('text-list')}/{listName}/xml`)],
  mcp,
  async run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const list = hmiCollections['text-list'].requireOf(ctx, station, input.listName)
    const { exportText } = await import('../exchange/exchange.ts')
    const { text, warnings } = await exportText(ctx, list as HmiObject)
    ctx.warn(warnings)
    return text
  },
})

const libraryTypes = query({
  id: 'hmi.detailed-library-types',
  title: 'Show the HMI library types of all devices with full details',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      libraryTypes: t.Array(
        t.Object({
          deviceName: t.String(),
          name: t.String(),
          version: t.String(),
          description: t.String(),
          width: t.Number(),
          height: t.Number(),
          properties: t.Array(t.Object({ name: t.String(), dataType: t.String(), defaultValue: t.String() })),
          items: t.Array(t.Object(itemView(t))),
          folder: t.String(),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/hmi/library-types/detailed')],
  mcp,
  run(_input, ctx) {
    requireProject(ctx)
    const types = sortedStations(ctx).flatMap((station) =>
      hmiCollections['library-type'].of(ctx, station.id).map(({ name, folder, content }) => ({
        deviceName: station.name,
        name,
        folder,
        ...content,
        items: content.items.map((item) => viewOfItem({ ...item, id: item.name })),
      })),
    )
    return { libraryTypes: types, total: types.length }
  },
})

const pixels = (t: SchemaBuilder) => t.Integer({ minimum: 1, maximum: 20_000 })
const stationFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  family: t.String(),
  width: t.Integer(),
  height: t.Integer(),
  startScreen: t.String({ description: 'Empty: the one with the lowest number.' }),
  plcs: t.Array(t.String(), { description: 'Whose variables its objects follow.' }),
  ...countFields(t),
})

function stationView(ctx: Parameters<typeof sortedStations>[0], name: string) {
  const station = requireStation(ctx, name)
  const { width, height } = resolutionOf(ctx, station)
  const startScreen = ctx.read(stationSettings).get(station.id)?.startScreen ?? ''
  const plcs = plcsOf(ctx, station).map((plc) => plc.name)
  const place = { deviceName: station.name, family: familyOf(station), width, height, startScreen, plcs }
  return { ...place, ...countsOf(ctx, station) }
}

const station = query({
  id: 'hmi.show-station',
  title: 'Show the configuration of an HMI station',
  input: (t) => t.Object({ deviceName: stationName(t) }),
  output: (t) => t.Object(stationFields(t)),
  http: [get('/api/devices/{deviceName}/hmi/station')],
  mcp,
  run: (input, ctx) => stationView(ctx, input.deviceName),
})

const configure = command({
  id: 'hmi.configure-station',
  title: 'Set start screen and display size of an HMI station',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      startScreen: t.Optional(t.String({ maxLength: 200, description: 'Empty: the one with the lowest number.' })),
      width: t.Optional(pixels(t)),
      height: t.Optional(pixels(t)),
    }),
  output: (t) => t.Object(stationFields(t)),
  http: [put('/api/devices/{deviceName}/hmi/station')],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  run(input, ctx) {
    const device = requireStation(ctx, input.deviceName)
    const { startScreen: before, ...kept } = ctx.read(stationSettings).get(device.id) ?? { deviceId: device.id }
    const wanted = input.startScreen ?? before ?? ''
    const screen = wanted === '' ? undefined : requireScreen(ctx, device, wanted).name
    const settings = {
      ...kept,
      ...defined({ startScreen: screen, width: input.width, height: input.height }),
    }
    ctx.emit(stationConfigured, settings, `device/${device.name}`)
    return stationView(ctx, device.name)
  },
})

export const viewOperations: readonly Operation[] = [
  summary,
  scriptTree,
  scriptContent,
  textListXml,
  libraryTypes,
  station,
  configure,
]
