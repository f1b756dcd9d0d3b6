/** The operations on tag tables, tags and constants. Their implementation is loaded on first use. */

import { command, del, get, type Operation, post, problem, put, query, type SchemaBuilder } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import {
  bareWarnings,
  deviceName,
  engineeringVersion,
  folderAliases,
  folderOperations,
  folderPath,
  pageOfRows,
  renameUsers,
  requireName,
  requireUnused,
  treeOperation,
  updatedFields,
  userFields,
} from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { constantOperations, culture, forceField, tableName, usedRule } from './constant-operations.ts'
import { exchangeOperations } from './exchange-operations.ts'
import {
  findTagTable,
  pageOfTags,
  requireTagTable,
  requireTagTableOf,
  type TagTable,
  tagTableCollection,
  tagTableCreated,
  tagTableFolders,
  tagTableMoved,
  tagTableRenamed,
} from './tag-table.ts'

const tableFields = (t: SchemaBuilder) => ({
  name: t.String(),
  isFolder: t.Boolean(),
  tagCount: t.Integer(),
  constantCount: t.Integer({ description: 'User constants.' }),
  isDefault: t.Boolean({ description: 'The table a PLC always has.' }),
  folder: t.String({ description: 'A/B; empty: directly below the PLC tags.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

function tableView(table: TagTable) {
  return {
    name: table.name,
    isFolder: false as const,
    tagCount: table.tags.length,
    constantCount: table.constants.length,
    isDefault: table.isDefault,
    folder: table.folder,
    createdAt: new Date(table.createdAt).toISOString(),
    modifiedDate: new Date(table.modifiedAt).toISOString(),
  }
}

const tagFields = (t: SchemaBuilder) => ({
  name: t.String(),
  dataType: t.String(),
  logicalAddress: t.String({ description: '%I0.0; empty: none.' }),
  comment: t.String(),
  externalAccessible: t.Boolean(),
  externalVisible: t.Boolean(),
  externalWritable: t.Boolean(),
  tableName: t.String(),
})

const tagInput = (t: SchemaBuilder) => ({
  dataType: t.Optional(t.String({ minLength: 1, description: 'Bool, Int, Real, "UDT_Motor" … New tags: Bool.' })),
  logicalAddress: t.Optional(
    t.String({
      description:
        '%I0.0, %QB4, %MW10, %MD20, %ML8, %T1, %C1; empty: none. German mnemonics and a missing % are taken too.',
    }),
  ),
  comment: t.Optional(t.String()),
  externalAccessible: t.Optional(t.Boolean({ description: 'Accessible from HMI/OPC UA. New tags: true.' })),
  externalVisible: t.Optional(t.Boolean({ description: 'Visible in HMI engineering. New tags: true.' })),
  externalWritable: t.Optional(t.Boolean({ description: 'Writable from HMI/OPC UA. New tags: true.' })),
})
const tagAliases = {
  dataType: ['type', 'dataTypeName'],
  logicalAddress: ['address'],
  externalAccessible: ['hmiAccessible'],
  externalVisible: ['hmiVisible'],
  externalWritable: ['hmiWriteable', 'hmiWritable'],
}

const listTables = query({
  id: 'tags.list-tables',
  title: 'List the tag tables of a PLC',
  input: (t) => t.Object({ deviceName: deviceName(t), ...t.paging() }),
  output: (t) =>
    t.Object({ tagTables: t.Array(t.Object(tableFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/devices/{deviceName}/tag-tables'), get('/api/devices/{deviceName}/tag-tables/async', 'async')],
  mcp: { toolset: 'tags', essential: true },
  run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { page, ...rest } = tagTableCollection.page(ctx, device.id, input)
    return { tagTables: page.map(tableView), ...rest }
  },
})

const tableTree = treeOperation({
  id: 'tags.table-tree',
  collection: tagTableCollection,
  toolset: 'tags',
  nouns: 'tag tables',
  leaves: 'Tables',
  route: '/api/devices/{deviceName}/tag-tables/tree',
  root: 'PLC tags',
  node: 'TagTableTreeNode',
  leaf: (t) => t.Object(tableFields(t)),
  views: async () => tableView,
})

const createTable = command({
  id: 'tags.create-table',
  title: 'Create a tag table',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
    }),
  output: (t) => t.Object(tableFields(t)),
  http: [
    post('/api/devices/{deviceName}/tag-tables/actions/create-sync'),
    post('/api/devices/{deviceName}/tag-tables/actions/create', 'async'),
  ],
  mcp: { toolset: 'tags' },
  needsInstance: true,
  aliases: { name: ['tableName', 'tagTableName'], folder: folderAliases },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    requireName(input.name, '/name', 'tag table')
    requireFreeTable(ctx, device, input.name)
    const identity = tagTableCollection.identityOf(ctx, device, input.name, { folder: input.folder ?? '' }, undefined)
    const table: TagTable = { ...identity, isDefault: false, tags: [], constants: [] }
    ctx.emit(tagTableCreated, { table }, tagTableCollection.entityOf(device, input.name))
    return tableView(table)
  },
})

type Reader = Parameters<typeof findTagTable>[0]

function requireFreeTable(ctx: Reader, device: { readonly id: string; readonly name: string }, name: string) {
  const present = findTagTable(ctx, device.id, name)
  if (present) throw tagTableCollection.taken(present, device)
}

const updateTable = command({
  id: 'tags.update-table',
  title: 'Rename a tag table, or move it to another folder',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      folder: t.Optional(folderPath(t, 'A/B; made when absent; empty: out of all folders.')),
    }),
  output: (t) => t.Object({ oldName: t.String(), ...tableFields(t) }),
  http: [
    put('/api/devices/{deviceName}/tag-tables/{tableName}/actions/update-sync'),
    put('/api/devices/{deviceName}/tag-tables/{tableName}/actions/update', 'async'),
  ],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  aliases: { newName: ['name', 'newTableName'], folder: folderAliases },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { name: oldName, id, folder } = requireTagTableOf(ctx, device, input.tableName)
    const newName = input.newName ?? oldName
    if (newName !== oldName) {
      requireName(newName, '/newName', 'tag table')
      if (newName.toLowerCase() !== oldName.toLowerCase()) requireFreeTable(ctx, device, newName)
      ctx.emit(
        tagTableRenamed,
        { deviceId: device.id, id, oldName, newName },
        tagTableCollection.entityOf(device, newName),
      )
    }
    const wanted = input.folder ? tagTableFolders.ensure(ctx, device, input.folder) : (input.folder ?? folder)
    if (wanted !== folder) {
      const moved = { deviceId: device.id, name: newName, folder: wanted }
      ctx.emit(tagTableMoved, moved, tagTableCollection.entityOf(device, newName))
    }
    return { oldName, ...tableView(requireTagTableOf(ctx, device, newName)) }
  },
})

const deleteTable = command({
  id: 'tags.delete-table',
  title: 'Delete a tag table with its tags and constants',
  description: `The default table of a PLC cannot be deleted (409). ${usedRule}`,
  input: (t) => t.Object({ deviceName: deviceName(t), tableName: tableName(t), force: forceField(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      deleted: t.Boolean(),
      tags: t.Integer({ description: 'Deleted tags.' }),
      users: userFields(t),
    }),
  http: [
    del('/api/devices/{deviceName}/tag-tables/{tableName}/actions/delete-sync'),
    del('/api/devices/{deviceName}/tag-tables/{tableName}/actions/delete', 'async'),
  ],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    requireDeletable(table)
    const names = [...table.tags, ...table.constants].map(({ name }) => name)
    const users = await requireUnused(ctx, device, `A tag or constant of "${table.name}"`, names, {
      force: input.force,
      leaving: [{ category: 'tag-table', name: table.name }],
    })
    const { deleteTable: run } = await import('./store.ts')
    run(ctx, device, table)
    return { name: table.name, deleted: true, tags: table.tags.length, users }
  },
})

function requireDeletable({ name, isDefault }: TagTable) {
  if (isDefault)
    throw problem('conflict', `"${name}" is the default tag table: a PLC always has one. Delete its tags instead.`)
}

const listTags = query({
  id: 'tags.list',
  title: 'List the tags of a tag table',
  description: 'Sorted by name.',
  input: (t) => t.Object({ deviceName: deviceName(t), tableName: tableName(t), culture: culture(t), ...t.paging() }),
  output: (t) =>
    t.Object({ tags: t.Array(t.Object(tagFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [
    get('/api/devices/{deviceName}/tag-tables/{tableName}/tags'),
    get('/api/devices/{deviceName}/tag-tables/{tableName}/tags/async', 'async'),
  ],
  mcp: { toolset: 'tags' },
  async run(input, ctx) {
    const table = requireTagTable(ctx, input.deviceName, input.tableName)
    const { tagView } = await import('./rows.ts')
    const { page, ...rest } = pageOfRows(table.tags, input)
    return { tags: page.map((tag) => tagView(table, tag, input.culture)), ...rest }
  },
})

const listAllTags = query({
  id: 'tags.list-all',
  title: 'List the tags of all tag tables of a PLC',
  description: 'Sorted by name; each with its table.',
  input: (t) => t.Object({ deviceName: deviceName(t), culture: culture(t), ...t.paging() }),
  output: (t) =>
    t.Object({ tags: t.Array(t.Object(tagFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/devices/{deviceName}/tags/all')],
  mcp: { toolset: 'tags' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { tagView } = await import('./rows.ts')
    const { page, ...rest } = pageOfTags(ctx, device.id, input)
    return { tags: page.map(({ table, tag }) => tagView(table, tag, input.culture)), ...rest }
  },
})

const overlapField = (t: SchemaBuilder) =>
  t.Array(t.String(), { description: 'Other tags that share memory with its address.' })

const addTag = command({
  id: 'tags.add',
  title: 'Add a tag',
  description:
    'Into `tableName`, or the default table. The name must be free among tags, constants, blocks and types of the PLC (case ignored); the address must fit the data type.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: t.Optional(tableName(t)),
      name: t.String({ minLength: 1, maxLength: 200 }),
      ...tagInput(t),
    }),
  output: (t) => t.Object({ ...tagFields(t), warnings: overlapField(t) }),
  http: [post('/api/devices/{deviceName}/tags'), post('/api/devices/{deviceName}/tag-tables/{tableName}/tags')],
  mcp: { toolset: 'tags', essential: true },
  needsInstance: true,
  aliases: { tableName: ['tagTableName', 'table', 'tagTable'], name: ['tagName'], ...tagAliases },
  example: { deviceName: 'PLC_1', name: 'Motor_On', dataType: 'Bool', logicalAddress: '%Q0.0' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const rows = await import('./rows.ts')
    const table = rows.tableFor(ctx, device, input.tableName)
    const tag = await rows.addTag(ctx, device, table, input)
    return { ...rows.tagView(table, tag), warnings: rows.overlapWarningsOf(ctx, device, tag) }
  },
})

const updateTag = command({
  id: 'tags.update',
  title: 'Change or rename a tag',
  description:
    'What is not given stays. `newName` renames it: everything that uses it (networks, interfaces, watch tables) gets the new name.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      tagName: t.String({ minLength: 1, maxLength: 200 }),
      newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      ...tagInput(t),
    }),
  output: (t) =>
    t.Object({ oldName: t.String(), ...tagFields(t), warnings: overlapField(t), updated: updatedFields(t) }),
  http: [put('/api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}')],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  aliases: { newName: ['name', 'newTagName'], ...tagAliases },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const rows = await import('./rows.ts')
    const oldName = rows.requireTag(table, input.tagName).name
    const tag = await rows.changeTag(ctx, device, table, input.tagName, { ...input, name: input.newName })
    const updated = tag.name === oldName ? [] : await renameUsers(ctx, device, oldName, tag.name)
    const warnings = rows.overlapWarningsOf(ctx, device, tag)
    return { oldName, ...rows.tagView(table, tag), warnings, updated }
  },
})

const deleteTag = command({
  id: 'tags.delete',
  title: 'Delete a tag',
  description: usedRule,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      tagName: t.String({ minLength: 1, maxLength: 200 }),
      force: forceField(t),
    }),
  output: (t) => t.Object({ name: t.String(), tableName: t.String(), deleted: t.Boolean(), users: userFields(t) }),
  http: [del('/api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}')],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  aliases: { tagName: ['name'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const rows = await import('./rows.ts')
    const { name } = rows.requireTag(table, input.tagName)
    const users = await requireUnused(ctx, device, `Tag "${name}"`, [name], { force: input.force })
    rows.deleteTag(ctx, device, table, name)
    return { name, tableName: table.name, deleted: true, users }
  },
})

const exportXml = query({
  id: 'tags.export-xml',
  title: 'Export a tag table as SimaticML, as the answer itself',
  description: `With tags and user constants. System constants are never exported (Openness neither). ${bareWarnings}`,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: tableName(t),
      version: engineeringVersion(t),
    }),
  output: (t) => t.String({ description: 'The file.' }),
  http: [get('/api/devices/{deviceName}/tag-tables/{tableName}/export-xml')],
  mcp: { toolset: 'tags' },
  produces: 'application/xml',
  aliases: { version: ['engineeringVersion'] },
  async run(input, ctx) {
    const table = requireTagTable(ctx, input.deviceName, input.tableName)
    const { exportTable } = await import('./store.ts')
    const { text, warnings } = await exportTable(ctx, table, input.version ?? requireProject(ctx).version)
    ctx.warn(warnings)
    return text
  },
})

const folders = folderOperations({
  collection: tagTableCollection,
  toolset: 'tags',
  nouns: 'tag tables',
  short: 'tag tables',
  field: 'tagTables',
  route: '/api/devices/{deviceName}/tag-tables/folders',
  deleteRule: ' (never the default table)',
  check: requireDeletable,
  symbols: { category: 'tag-table', names: ({ tags, constants }) => [...tags, ...constants].map(({ name }) => name) },
  async remove(ctx, device, table) {
    ;(await import('./store.ts')).deleteTable(ctx, device, table)
  },
})

export const tagOperations: readonly Operation[] = [
  listTables,
  tableTree,
  createTable,
  updateTable,
  deleteTable,
  listTags,
  listAllTags,
  addTag,
  updateTag,
  deleteTag,
  ...constantOperations,
  ...exchangeOperations,
  exportXml,
  ...folders,
]
