/** The operations on watch and force tables. Their implementation is loaded on first use. */

import {
  type CommandContext,
  command,
  del,
  get,
  notFound,
  type Operation,
  post,
  put,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import {
  deviceName,
  engineeringVersion,
  exportAliases,
  exportedFields,
  exportRules,
  exportTarget,
  folderAliases,
  folderOperations,
  folderPath,
  importAliases,
  importChoices,
  importedFields,
  importSource,
  objectName,
  pageOf,
  runExport,
  treeOperation,
} from '../program-objects/index.ts'
import { entryOperations } from './entry-operations.ts'
import { programSymbols } from './symbols.ts'
import { entryFields, plainView, tableDetails, tableFields, tableView } from './views.ts'
import {
  forceTableName,
  type WatchTable,
  type WatchTableKind,
  watchTableCollection,
  watchTablesOf,
} from './watch-table.ts'

const toolset = 'watch-tables'

/** Differences between the operations on watch tables and those on force tables. */
interface Kind {
  readonly kind: WatchTableKind
  readonly noun: string
  /** Suffix of operation ids: `watch-tables.list`, `watch-tables.list-force`. */
  readonly suffix: '' | '-force'
  readonly path: string
  readonly field: 'watchTables' | 'forceTables'
}
const watch: Kind = {
  kind: 'WatchTable',
  noun: 'watch table',
  suffix: '',
  path: '/api/devices/{deviceName}/watch-tables',
  field: 'watchTables',
}
const force: Kind = {
  kind: 'ForceTable',
  noun: 'force table',
  suffix: '-force',
  path: '/api/devices/{deviceName}/force-tables',
  field: 'forceTables',
}
const nameAliases = { tableName: ['name', 'watchTableName', 'forceTableName'] }

const detailFields = (t: SchemaBuilder) => ({ ...tableFields(t), entries: t.Array(t.Object(entryFields(t))) })

/** @throws GatewayError `not_found` with the nearest name of that kind */
function requireKind(
  ctx: Pick<CommandContext, 'read'>,
  device: Device,
  name: string,
  { kind, noun }: Kind,
): WatchTable {
  const table = watchTableCollection.find(ctx, device.id, name)
  if (table?.kind === kind) return table
  const names = watchTablesOf(ctx, device.id).filter((other) => other.kind === kind)
  throw notFound(
    noun,
    name,
    names.map((other) => other.name),
  )
}

/** List, details, deletion and export, which both kinds have. */
function operationsOf(kind: Kind): Operation[] {
  const { noun, suffix, path, field } = kind
  const tableName = (t: SchemaBuilder) => objectName(t, noun)
  const list = query({
    id: `watch-tables.list${suffix}`,
    title: `List the ${noun}s of a PLC`,
    ...(suffix === '' ? {} : { description: 'A PLC has at most one.' }),
    input: (t) => t.Object({ deviceName: deviceName(t), ...t.paging() }),
    output: (t) =>
      t.Object({
        [field]: t.Array(t.Object(tableFields(t))),
        total: t.Integer(),
        nextCursor: t.Optional(t.String()),
      }),
    http: [get(path)],
    mcp: { toolset },
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const all = watchTablesOf(ctx, device.id).filter((table) => table.kind === kind.kind)
      const { page, ...rest } = pageOf(all, input)
      const symbols = programSymbols(ctx, device)
      return { [field]: await Promise.all(page.map((table) => tableView(table, symbols))), ...rest }
    },
  })

  const details = query({
    id: `watch-tables.get${suffix}`,
    title: `Show a ${noun} with its rows`,
    description: 'Rows hold what shall be monitored and written; nothing of a running controller is read.',
    input: (t) =>
      t.Object({
        deviceName: deviceName(t),
        tableName: tableName(t),
        culture: t.Optional(t.String({ maxLength: 20, description: 'Language of comments, e.g. de-DE.' })),
      }),
    output: (t) => t.Object(detailFields(t)),
    http: [get(`${path}/{tableName}`)],
    mcp: { toolset },
    aliases: nameAliases,
    run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      return tableDetails(ctx, device, requireKind(ctx, device, input.tableName, kind), input.culture)
    },
  })

  const remove = command({
    id: `watch-tables.delete${suffix}`,
    title: `Delete a ${noun} with its rows`,
    input: (t) => t.Object({ deviceName: deviceName(t), tableName: tableName(t) }),
    output: (t) =>
      t.Object({ name: t.String(), deleted: t.Boolean(), entries: t.Integer({ description: 'Deleted rows.' }) }),
    http: [del(`${path}/{tableName}`)],
    mcp: { toolset, destructive: true },
    needsInstance: true,
    aliases: nameAliases,
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const table = requireKind(ctx, device, input.tableName, kind)
      ;(await import('./store.ts')).deleteTable(ctx, device, table)
      return { name: table.name, deleted: true, entries: table.entries.length }
    },
  })

  const exportTable = command({
    id: `watch-tables.export${suffix}`,
    title: `Export a ${noun} to a SimaticML file`,
    description: exportRules,
    input: (t) =>
      t.Object({
        deviceName: deviceName(t),
        tableName: tableName(t),
        ...exportTarget(t),
        version: engineeringVersion(t),
      }),
    output: (t) => t.Object(exportedFields(t)),
    http: [post(`${path}/{tableName}/actions/export`)],
    mcp: { toolset },
    needsInstance: true,
    aliases: { ...exportAliases, ...nameAliases, version: ['engineeringVersion'] },
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const table = requireKind(ctx, device, input.tableName, kind)
      const { asObject } = await import('./store.ts')
      return runExport(ctx, asObject(table), { ...input, format: 'xml' })
    },
  })
  return [list, details, remove, exportTable]
}

const create = command({
  id: 'watch-tables.create',
  title: 'Create an empty watch table',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
    }),
  output: (t) => t.Object(detailFields(t)),
  http: [post(watch.path)],
  mcp: { toolset },
  needsInstance: true,
  aliases: { name: ['tableName', 'watchTableName'], folder: folderAliases },
  example: { deviceName: 'PLC_1', name: 'Commissioning' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { createTable } = await import('./store.ts')
    const table = await createTable(ctx, device, 'WatchTable', input.name, input.folder ?? '')
    return tableDetails(ctx, device, table)
  },
})

const update = command({
  id: 'watch-tables.update',
  title: 'Rename a watch table, or move it to another folder',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: objectName(t, watch.noun),
      newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      folder: t.Optional(folderPath(t, 'A/B; made when absent; empty: out of all folders.')),
    }),
  output: (t) => t.Object({ oldName: t.String(), ...detailFields(t) }),
  http: [put(`${watch.path}/{tableName}`)],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { tableName: ['watchTableName'], newName: ['name', 'newTableName'], folder: folderAliases },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireKind(ctx, device, input.tableName, watch)
    const { updateTable } = await import('./store.ts')
    const after = await updateTable(ctx, device, table, input)
    return { oldName: table.name, ...(await tableDetails(ctx, device, after)) }
  },
})

const createForce = command({
  id: 'watch-tables.create-force',
  title: 'Create the force table of a PLC',
  description: `A PLC has one force table: a second one is a 409. Its name is "${forceTableName}", as in TIA Portal, unless another one is given.`,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: `Default: ${forceTableName}.` })),
    }),
  output: (t) => t.Object(detailFields(t)),
  http: [post(force.path)],
  mcp: { toolset },
  needsInstance: true,
  aliases: { name: ['tableName', 'forceTableName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { createTable } = await import('./store.ts')
    const table = await createTable(ctx, device, 'ForceTable', input.name ?? forceTableName, '')
    return tableDetails(ctx, device, table)
  },
})

const importTables = command({
  id: 'watch-tables.import',
  title: 'Import watch and force tables from a file or folder',
  description: [
    'SimaticML (`.xml`). As `blocks.import`, but only watch and force tables are taken: a file with anything else in it is refused.',
    'A present watch table of the name, or a force table with rows, is a 409 unless `overwrite` is true: a PLC has only one force table. Rows may name tags and data blocks that are not there; that is a warning.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...importSource(t, 'SimaticML text'),
      folder: t.Optional(folderPath(t, 'Folder to import into, A/B; made when absent. Force tables are in no folder.')),
      ...importChoices(t, 'tables', false),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [post('/api/devices/{deviceName}/watch-force-tables/actions/import')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: importAliases,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return await (await import('./store.ts')).importTables(ctx, device, input)
  },
})

const tree = treeOperation({
  id: 'watch-tables.tree',
  collection: watchTableCollection,
  toolset,
  nouns: 'watch and force tables',
  leaves: 'Tables',
  route: '/api/devices/{deviceName}/watch-force-tables/tree',
  root: 'Watch and force tables',
  node: 'WatchTableTreeNode',
  leaf: (t) => t.Omit(t.Object(tableFields(t)), ['isConsistent']),
  views: async () => plainView,
})

const folders = folderOperations({
  collection: watchTableCollection,
  toolset,
  nouns: 'watch tables',
  short: 'watch tables',
  field: 'watchTables',
  route: '/api/devices/{deviceName}/watch-force-tables/folders',
  async remove(ctx, device, table) {
    ;(await import('./store.ts')).deleteTable(ctx, device, table)
  },
})

export const watchTableOperations: readonly Operation[] = [
  ...operationsOf(watch),
  create,
  update,
  ...entryOperations,
  ...operationsOf(force),
  createForce,
  importTables,
  tree,
  ...folders,
]
