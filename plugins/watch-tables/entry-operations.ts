/** The operations on rows of watch and force tables. Their implementation is loaded on first use. */

import { command, type Operation, post, put, type SchemaBuilder } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName, objectName, refuseBoth } from '../program-objects/index.ts'
import { displayFormats, triggers } from './values.ts'
import { entryFields, entryView, tableDetails, tableFields } from './views.ts'
import { watchTableCollection } from './watch-table.ts'

const toolset = 'watch-tables'
const tableName = (t: SchemaBuilder) => objectName(t, 'watch or force table')
const tableAliases = ['watchTableName', 'forceTableName']
const rowAliases = { tableName: tableAliases, name: ['tagName', 'tag', 'symbol'] }
const detailFields = (t: SchemaBuilder) => ({ ...tableFields(t), entries: t.Array(t.Object(entryFields(t))) })

/** The routes of an action on rows, of watch tables and of force tables. */
const routes = (end: string) =>
  ['watch-tables', 'force-tables'].map((tables) => `/api/devices/{deviceName}/${tables}/{tableName}/entries${end}`)

/** Clients may also send numbers and booleans of JSON. */
const jsonValue = (t: SchemaBuilder, description: string) =>
  t.Union([t.String(), t.Number(), t.Boolean()], { description })

const rowFields = (t: SchemaBuilder) => ({
  displayFormat: t.Optional(
    t.String({ description: `${displayFormats.join(', ')}. Default: what the data type wants.` }),
  ),
  monitorTrigger: t.Optional(t.String({ description: `${triggers.join(', ')}. Default: Permanent.` })),
  modifyTrigger: t.Optional(t.String({ description: 'Of watch tables, as monitorTrigger.' })),
  modifyValue: t.Optional(jsonValue(t, 'Of watch tables: value to write, as TRUE, 16#FF, 1.5, T#5s; empty: none.')),
  modifyIntention: t.Optional(
    t.Boolean({ description: 'Of watch tables: the value is to be written. Default: false.' }),
  ),
  forceValue: t.Optional(jsonValue(t, 'Of force tables: value to force; empty: none.')),
  forceIntention: t.Optional(
    t.Boolean({ description: 'Of force tables: the operand is to be forced. Default: false.' }),
  ),
  comment: t.Optional(t.String({ description: 'In the first language of the project.' })),
})

const symbol = (t: SchemaBuilder) =>
  t.Optional(t.String({ description: 'Symbol, with or without quotes: "Start", "DB".speed[2].' }))
const address = (t: SchemaBuilder) =>
  t.Optional(t.String({ description: 'Absolute address: %I0.0, %MW10, %DB1.DBX0.0, %IW64:P.' }))
const rowChoice = (t: SchemaBuilder) => ({ name: symbol(t), address: address(t), position: position(t) })
const position = (t: SchemaBuilder) =>
  t.Optional(t.Integer({ minimum: 1, description: 'Position in the table, from 1 over all rows.' }))

const add = command({
  id: 'watch-tables.add-entries',
  title: 'Add rows to a watch or force table',
  description: [
    'At the end, in the order given. A row is a symbol or an address, or an object with one of them and more. A tag finds its address, an address its tag; the display format follows the data type unless it is given.',
    'Tags and data blocks that are not there are taken with a warning. Values are checked against the data type, or else the display format; rows only hold what is intended, nothing is written to a controller.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      entries: t.Optional(
        t.Array(
          t.Union([t.String({ minLength: 1 }), t.Object({ name: symbol(t), address: address(t), ...rowFields(t) })]),
          {
            minItems: 1,
            maxItems: 10_000,
            description: 'Rows: "Start", %MW10, or { name, displayFormat, … }. Or send the fields of one row.',
          },
        ),
      ),
      name: symbol(t),
      address: address(t),
      ...rowFields(t),
    }),
  output: (t) => t.Object({ ...detailFields(t), added: t.Integer(), warnings: t.Array(t.String()) }),
  http: routes('').map((path) => post(path)),
  mcp: { toolset },
  needsInstance: true,
  aliases: { ...rowAliases, entries: ['tags', 'tagNames', 'names', 'rows', 'items'] },
  example: {
    deviceName: 'PLC_1',
    tableName: 'Commissioning',
    entries: ['"Start"', { address: '%MW10', displayFormat: 'Hex' }, { name: '"Motor".speed', modifyValue: '12.5' }],
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = watchTableCollection.requireOf(ctx, device, input.tableName)
    const { addEntries } = await import('./entries.ts')
    const { deviceName: _device, tableName: _table, entries, ...row } = input
    refuseBoth('entries', entries, row)
    const { table: after, ...rest } = await addEntries(ctx, device, table, entries ?? [row])
    return { ...(await tableDetails(ctx, device, after)), ...rest }
  },
})

const update = command({
  id: 'watch-tables.update-entry',
  title: 'Change a row of a watch or force table',
  description: 'The row is named by its symbol, address or position. What is not given stays.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      name: symbol(t),
      address: address(t),
      position: position(t),
      ...rowFields(t),
    }),
  output: (t) => t.Object({ ...entryFields(t), changed: t.Boolean() }),
  http: routes('').map((path) => put(path)),
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: rowAliases,
  example: {
    deviceName: 'PLC_1',
    tableName: 'Commissioning',
    name: '"Start"',
    modifyValue: 'TRUE',
    modifyIntention: true,
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = watchTableCollection.requireOf(ctx, device, input.tableName)
    const { updateEntry } = await import('./entries.ts')
    const { table: after, index, changed } = await updateEntry(ctx, device, table, input, input)
    return { ...entryView(after, after.entries[index]!, index), changed }
  },
})

const remove = command({
  id: 'watch-tables.remove-entries',
  title: 'Remove rows from a watch or force table',
  description:
    'All rows that show a symbol or address go; with a position only that one. One that is not there is a 404, and nothing is removed.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      entries: t.Optional(
        t.Array(t.Union([t.String({ minLength: 1 }), t.Object(rowChoice(t))]), {
          minItems: 1,
          description: 'Symbols, addresses, or { position }. Or send name, address or position of one row.',
        }),
      ),
      ...rowChoice(t),
    }),
  output: (t) => t.Object({ ...detailFields(t), removed: t.Integer() }),
  http: routes('/actions/remove').map((path) => post(path)),
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { ...rowAliases, entries: ['tags', 'tagNames', 'names', 'addresses', 'rows'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = watchTableCollection.requireOf(ctx, device, input.tableName)
    const { removeEntries } = await import('./entries.ts')
    const { deviceName: _device, tableName: _table, entries, ...row } = input
    refuseBoth('entries', entries, row)
    const { table: after, removed } = await removeEntries(ctx, device, table, entries ?? [row])
    return { ...(await tableDetails(ctx, device, after)), removed }
  },
})

const clear = command({
  id: 'watch-tables.clear-entries',
  title: 'Remove all rows of a watch or force table',
  input: (t) => t.Object({ deviceName: deviceName(t), tableName: tableName(t) }),
  output: (t) => t.Object({ ...detailFields(t), removed: t.Integer() }),
  http: routes('/actions/clear').map((path) => post(path)),
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { tableName: [...tableAliases, 'name'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = watchTableCollection.requireOf(ctx, device, input.tableName)
    const { clearEntries } = await import('./entries.ts')
    const { table: after, removed } = await clearEntries(ctx, device, table)
    return { ...(await tableDetails(ctx, device, after)), removed }
  },
})

export const entryOperations: readonly Operation[] = [add, update, remove, clear]
