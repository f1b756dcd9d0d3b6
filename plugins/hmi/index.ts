/** HMI stations: screens, tags, scripts, lists, graphics, alarms; their import, compile and run. */
import { codeTables, definePlugin, extend, undoCheck, type WebPage, webPages } from '../../core/index.ts'
import { devices } from '../devices/index.ts'
import { libraryKind } from '../libraries/index.ts'
import { objectsCheck } from '../program-objects/index.ts'
import { type ProjectSection, projectSection } from '../projects/index.ts'
import { hmiCodes } from './codes.ts'
import { compiledPart } from './compile/compiled.ts'
import { compileOperations } from './compile-operations.ts'
import { exchangeOperations } from './exchange/exchange-operations.ts'
import { kindExchangeOperations } from './exchange/kind-exchange-operations.ts'
import { libraryKinds } from './library/library-kinds.ts'
import {
  allScreensOf,
  collectionOfKind,
  hmiKinds,
  hmiSlice,
  itemsOf,
  kindNames,
  kindsOf,
  stationKinds,
  tagsOfTable,
} from './object.ts'
import { putBackEarlier } from './objects/earlier-screens.ts'
import { kindOperations } from './objects/kind-operations.ts'
import { isScreenKind } from './objects/screen-kinds.ts'
import { alarmsAcknowledged, liveOperations } from './run/live-operations.ts'
import { runOperations, variableWritten } from './run/run-operations.ts'
import { screenViewOperations } from './run/screen-view-operations.ts'
import { endStations, watchStations } from './run/station-runtime.ts'
import { screenOperations } from './screens/screen-operations.ts'
import { viewOperations } from './screens/view-operations.ts'
import { stationsOf } from './stations.ts'
import { sheetOperations } from './tags/sheet-operations.ts'
import { tagOperations } from './tags/tag-operations.ts'

const hmiPart: ProjectSection = {
  name: 'hmi',
  order: 55,
  folders: ['devices/*/hmi/**'],
  async save(ctx) {
    return (await import('./files.ts')).writeStations(ctx)
  },
  async load(ctx, _project, files) {
    return (await import('./files.ts')).readStations(ctx, files)
  },
  overview(ctx, deviceId) {
    if (ctx.read(devices).get(deviceId)?.kind !== 'HMI') return {}
    const screens = allScreensOf(ctx, deviceId)
    return { hmiScreens: screens.map(({ name, content }) => ({ name, screenType: content.screenType })) }
  },
  searchKinds: stationKinds.map((kind) => `hmi-${kind}`),
  search: (ctx) =>
    stationsOf(ctx).flatMap((station) =>
      stationKinds.flatMap((kind) =>
        collectionOfKind(kind)
          .of(ctx, station.id)
          .map((object) => {
            const inside = isScreenKind(kind)
              ? itemsOf(ctx, object.id)
              : kind === 'tag-table'
                ? tagsOfTable(ctx, object.id)
                : []
            const path = [kindNames[kind].plural, object.folder].filter((part) => part !== '').join('/')
            const text = inside.map(({ name }) => name).join(' ')
            return { kind: `hmi-${kind}`, name: object.name, device: station.name, path, text }
          }),
      ),
    ),
}

/** The page of every station; it asks for the model with the key of its viewer. */
const stationPage: WebPage = {
  path: '/hmi/{station}',
  page: async () => (await import('./page/publish.ts')).stationPage(),
}

const collections = [...hmiSlice.collections, ...compiledPart.collections]

export default definePlugin({
  name: 'hmi',
  version: '1.0.0',
  description: 'HMI stations: screens, tags, scripts, lists, graphics, alarms; their import, compile and run.',
  requires: [
    'projects',
    'devices',
    'program-objects',
    'blocks',
    'types',
    'tags',
    'simulation',
    'alarms',
    'online',
    'design-spec',
    'libraries',
  ],
  slice: {
    version: 3,
    collections,
    reductions: [...hmiSlice.reductions, ...compiledPart.reductions],
    putBack: putBackEarlier(collections),
  },
  events: [variableWritten, alarmsAcknowledged],
  docs: [{ name: 'hmi', title: 'HMI stations', text: async () => (await import('./docs.ts')).hmiPage }],
  operations: [
    ...kindOperations,
    ...screenOperations,
    ...tagOperations,
    ...viewOperations,
    ...exchangeOperations,
    ...kindExchangeOperations,
    ...compileOperations,
    ...runOperations,
    ...liveOperations,
    ...screenViewOperations,
    ...sheetOperations,
  ],
  extensions: [
    extend(projectSection, hmiPart),
    extend(codeTables, hmiCodes),
    extend(webPages, stationPage),
    ...hmiKinds.map((kind) => {
      const [first, ...others] = kindsOf(kind).map(collectionOfKind)
      return extend(undoCheck, objectsCheck(first!, ...others))
    }),
    ...libraryKinds.map((kind) => extend(libraryKind, kind)),
  ],
  start: watchStations,
  stop: endStations,
})
