/** The operations on constants. Their implementation is loaded on first use. */

import { command, del, get, type Operation, post, put, query, type SchemaBuilder } from '../../core/index.ts'
import { requireDevice, requirePlc } from '../devices/index.ts'
import {
  deviceName,
  objectName,
  pageOf,
  renameUsers,
  requireUnused,
  updatedFields,
  userFields,
} from '../program-objects/index.ts'
import { requireTagTable, requireTagTableOf } from './tag-table.ts'

/** Schema of the name of a tag table. */
export const tableName = (t: SchemaBuilder) => objectName(t, 'tag table')
/** Schema of the language of comments. */
export const culture = (t: SchemaBuilder) =>
  t.Optional(t.String({ maxLength: 20, description: 'Language of comments, e.g. de-DE. Default: any there is.' }))

/** Schema of the field that allows deleting a used tag or constant. */
export const forceField = (t: SchemaBuilder) => t.Optional(t.Boolean({ description: 'Delete it although it is used.' }))
export const usedRule =
  'What is used by blocks, types or tags is a 409 naming the users; with `force: true` it is deleted all the same, and the answer names them. Rows of watch tables do not hold it.'

const constantFields = (t: SchemaBuilder) => ({
  name: t.String(),
  dataType: t.String(),
  value: t.String({ description: 'As it is written: 100, 16#FF, T#5s.' }),
  comment: t.String(),
  kind: t.String({ description: 'user or system.' }),
  tableName: t.String(),
})

/** Clients may also send numbers and booleans of JSON. */
const constantValue = (t: SchemaBuilder) =>
  t.Union([t.String({ minLength: 1 }), t.Number(), t.Boolean()], {
    description: "As it is written: 100, 16#FF, T#5s, 'text'; a number or boolean of JSON too.",
  })

/** The literal of a value: booleans in upper case, as in TIA Portal. */
function literalText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

type ConstantKind = 'user' | 'system'

/** One query over the constants of a table, for each of the three routes. */
function constantsQuery(id: string, title: string, path: string, kinds: readonly ConstantKind[]) {
  return query({
    id,
    title,
    description: kinds.includes('system')
      ? 'Sorted by name. System constants stand in the default tag table: those of organization blocks (`OB_Main`, its value the number) and of the hardware (`Local~PROFINET_interface_1`, its value the hardware identifier). Programs use them by name.'
      : 'Sorted by name.',
    input: (t) => t.Object({ deviceName: deviceName(t), tableName: tableName(t), culture: culture(t), ...t.paging() }),
    output: (t) =>
      t.Object({
        constants: t.Array(t.Object(constantFields(t))),
        total: t.Integer(),
        nextCursor: t.Optional(t.String()),
      }),
    http: [get(path)],
    mcp: { toolset: 'tags' },
    async run(input, ctx) {
      const table = requireTagTable(ctx, input.deviceName, input.tableName)
      const { constantView } = await import('./rows.ts')
      const { systemConstantsOf } = await import('./system-constants.ts')
      const rows = [
        ...(kinds.includes('user')
          ? table.constants.map((constant) => ({ name: constant.name, constant, kind: 'user' }))
          : []),
        ...(kinds.includes('system') && table.isDefault
          ? systemConstantsOf(ctx, requireDevice(ctx, input.deviceName)).map((constant) => ({
              name: constant.name,
              constant,
              kind: 'system',
            }))
          : []),
      ]
      const { page, ...rest } = pageOf(rows, input)
      return {
        constants: page.map(({ constant, kind }) => ({ ...constantView(table, constant, input.culture), kind })),
        ...rest,
      }
    },
  })
}

const constantsPath = '/api/devices/{deviceName}/tag-tables/{tableName}/constants'
const listConstants = constantsQuery('tags.list-constants', 'List the constants of a tag table', constantsPath, [
  'user',
  'system',
])
const listSystemConstants = constantsQuery(
  'tags.list-system-constants',
  'List the system constants of a tag table',
  `${constantsPath}/system`,
  ['system'],
)
const listUserConstants = constantsQuery(
  'tags.list-user-constants',
  'List the user constants of a tag table',
  `${constantsPath}/user`,
  ['user'],
)

const addConstant = command({
  id: 'tags.create-constant',
  title: 'Create a user constant',
  description: 'The name must be free among tags, constants, blocks and types of the PLC (case ignored).',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      dataType: t.Optional(t.String({ minLength: 1, description: 'Default: Int.' })),
      value: constantValue(t),
      comment: t.Optional(t.String()),
    }),
  output: (t) => t.Object(constantFields(t)),
  http: [post(constantsPath)],
  mcp: { toolset: 'tags' },
  needsInstance: true,
  aliases: { name: ['constantName'], dataType: ['type', 'dataTypeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const rows = await import('./rows.ts')
    return rows.constantView(
      table,
      await rows.addConstant(ctx, device, table, { ...input, value: literalText(input.value) }),
    )
  },
})

const updateConstant = command({
  id: 'tags.update-constant',
  title: 'Change a user constant',
  description:
    'What is not given stays. `newName` renames it: everything that uses it (networks, limits of arrays, start values) gets the new name.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      constantName: t.String({ minLength: 1, maxLength: 200 }),
      newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      dataType: t.Optional(t.String({ minLength: 1 })),
      value: t.Optional(constantValue(t)),
      comment: t.Optional(t.String()),
    }),
  output: (t) => t.Object({ oldName: t.String(), ...constantFields(t), updated: updatedFields(t) }),
  http: [put(`${constantsPath}/{constantName}`)],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  aliases: { newName: ['name', 'newConstantName'], dataType: ['type', 'dataTypeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const rows = await import('./rows.ts')
    const value = input.value === undefined ? undefined : literalText(input.value)
    const fields = { ...input, name: input.newName, value }
    const oldName = rows.requireConstant(table, input.constantName).name
    const constant = await rows.changeConstant(ctx, device, table, input.constantName, fields)
    const updated = constant.name === oldName ? [] : await renameUsers(ctx, device, oldName, constant.name)
    return { oldName, ...rows.constantView(table, constant), updated }
  },
})

const deleteConstant = command({
  id: 'tags.delete-constant',
  title: 'Delete a user constant',
  description: usedRule,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      constantName: t.String({ minLength: 1, maxLength: 200 }),
      force: forceField(t),
    }),
  output: (t) => t.Object({ name: t.String(), tableName: t.String(), deleted: t.Boolean(), users: userFields(t) }),
  http: [del(`${constantsPath}/{constantName}`)],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  aliases: { constantName: ['name'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const rows = await import('./rows.ts')
    const { name } = rows.requireConstant(table, input.constantName)
    const users = await requireUnused(ctx, device, `Constant "${name}"`, [name], { force: input.force })
    rows.deleteConstant(ctx, device, table, name)
    return { name, tableName: table.name, deleted: true, users }
  },
})

export const constantOperations: readonly Operation[] = [
  listConstants,
  listSystemConstants,
  listUserConstants,
  addConstant,
  updateConstant,
  deleteConstant,
]
