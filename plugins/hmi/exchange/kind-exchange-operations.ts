/** Export and import by kind, at the addresses of the kinds: screens one by one, connections in one file. */
import { command, type Operation, post, type SchemaBuilder } from '../../../core/index.ts'
import { exportAliases, exportTarget, folderPath, importAliases, importSource } from '../../program-objects/index.ts'
import { screenType, stationName } from '../input-fields.ts'
import { mcp, routeOf } from '../objects/kind-operations.ts'
import { screenKindOf } from '../objects/screen-kinds.ts'
import {
  type ExportAllRequest,
  exportAll,
  exportRequest,
  type ImportRequest,
  importedFields,
  importRequest,
  writtenFields,
} from './exchange-operations.ts'

const importInput = (t: SchemaBuilder) =>
  t.Object({
    deviceName: stationName(t),
    ...importSource(t, 'Text of an XML file'),
    folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
    overwrite: t.Optional(t.Boolean({ description: 'Replace present objects. Default: true.' })),
    continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
  })

const exportScreen = command({
  id: 'hmi.export-screen',
  title: 'Export an HMI screen as XML',
  description: 'As `hmi.export` of its kind.',
  access: 'viewer',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      screenName: t.String({ minLength: 1, maxLength: 200, description: 'Case does not matter.' }),
      screenType: screenType(t),
      ...exportTarget(t),
    }),
  output: (t) => t.Object({ name: t.String(), kind: t.String(), ...writtenFields(t) }),
  http: [post(`${routeOf('screen')}/{screenName}/actions/export`)],
  mcp,
  aliases: exportAliases,
  run: ({ screenName, screenType = 'Screen', ...input }, ctx) =>
    exportRequest(ctx, { ...input, kind: screenKindOf(screenType), name: screenName }),
})

const importScreens = command({
  id: 'hmi.import-screens',
  title: 'Import HMI screens from XML files',
  description: 'As `hmi.import`, for screens alone, of every kind: a file with anything else is a 422.',
  input: importInput,
  output: (t) => t.Object(importedFields(t)),
  http: [post(`${routeOf('screen')}/actions/import`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: importAliases,
  run: (input, ctx) => importRequest(ctx, input as ImportRequest, 'screen'),
})

const exportConnections = command({
  id: 'hmi.export-connections',
  title: 'Export the HMI connections of a device as one XML file',
  description: 'A device without connections is a 409. Without `exportPath` the content is in the answer.',
  access: 'viewer',
  input: (t) => t.Object({ deviceName: stationName(t), ...exportTarget(t) }),
  output: (t) => t.Object({ names: t.Array(t.String()), ...writtenFields(t) }),
  http: [post(`${routeOf('connection')}/actions/export`)],
  mcp,
  aliases: exportAliases,
  run: (input, ctx) => exportAll(ctx, input as ExportAllRequest, 'connection'),
})

const importConnections = command({
  id: 'hmi.import-connections',
  title: 'Import HMI connections from XML files',
  description: 'As `hmi.import`, for connections alone: a file with anything else is a 422.',
  input: importInput,
  output: (t) => t.Object(importedFields(t)),
  http: [post(`${routeOf('connection')}/actions/import`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: importAliases,
  run: (input, ctx) => importRequest(ctx, input as ImportRequest, 'connection'),
})

export const kindExchangeOperations: readonly Operation[] = [
  exportScreen,
  importScreens,
  exportConnections,
  importConnections,
]
