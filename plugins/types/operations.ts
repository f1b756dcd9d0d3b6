/** The operations on PLC data types. Their implementation is loaded on first use. */

import {
  command,
  del,
  get,
  type Operation,
  post,
  put,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { compileStatusFields, importRequest, readStatuses } from '../blocks/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import {
  deviceName,
  engineeringVersion,
  exportAliases,
  exportedFields,
  exportFormat,
  exportRules,
  exportTarget,
  folderAliases,
  folderOperations,
  folderPath,
  importAliases,
  importChoices,
  importedFields,
  importResources,
  importSource,
  importUnit,
  interfaceMember,
  objectName,
  objectVersion,
  requireUnused,
  treeOperation,
  updatedFields,
  userFields,
} from '../program-objects/index.ts'
import { type PlcType, requireType, requireTypeOf, typeCollection } from './type.ts'
import { typeView } from './views.ts'

const udtName = (t: SchemaBuilder) => objectName(t, 'PLC data type')

const typeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  type: t.String({ description: 'UDT.' }),
  isFolder: t.Boolean(),
  number: t.Union([t.Integer(), t.Null()], { description: 'Always null: types have no number.' }),
  folder: t.String({ description: 'A/B; empty: directly below the PLC data types.' }),
  size: t.Integer({ description: 'Bytes of the stored text.' }),
  format: t.String({ description: 'simaticml or source: the form the type is kept in.' }),
  ...compileStatusFields(t),
  title: t.String(),
  comment: t.String(),
  version: t.String(),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

const detailFields = (t: SchemaBuilder) => ({
  ...typeFields(t),
  members: t.Array(interfaceMember(t)),
  sourceText: t.Optional(t.String()),
  rawXml: t.Optional(t.String({ description: 'The SimaticML file, of types that are kept as SimaticML.' })),
})

const membersSchema = (t: SchemaBuilder) =>
  t.Array(t.Any(), {
    description: '{ name, dataType, startValue, comment, members }; members of a Struct are of the same shape.',
  })

/** What lists show of types of a device. */
async function viewsOf(ctx: QueryContext, device: Device, listed: readonly PlcType[]) {
  const statusOf = await readStatuses(ctx, device.id, listed)
  return (type: PlcType) => typeView(type, statusOf(type))
}

const list = query({
  id: 'types.list',
  title: 'List the PLC data types (UDT) of a PLC',
  input: (t) => t.Object({ deviceName: deviceName(t), ...t.paging() }),
  output: (t) =>
    t.Object({ udts: t.Array(t.Object(typeFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/devices/{deviceName}/udts')],
  mcp: { toolset: 'types', essential: true },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { page, ...rest } = typeCollection.page(ctx, device.id, input)
    const view = await viewsOf(ctx, device, page)
    return { udts: page.map(view), ...rest }
  },
})

const tree = treeOperation({
  id: 'types.tree',
  collection: typeCollection,
  toolset: 'types',
  nouns: 'PLC data types',
  leaves: 'Types',
  route: '/api/devices/{deviceName}/udts/tree',
  root: 'PLC data types',
  node: 'TypeTreeNode',
  leaf: (t) => t.Object(typeFields(t)),
  views: viewsOf,
})

const details = query({
  id: 'types.get',
  title: 'Show a PLC data type with its members',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      udtName: udtName(t),
      culture: t.Optional(t.String({ maxLength: 20, description: 'Language of comments, e.g. de-DE.' })),
    }),
  output: (t) => t.Object(detailFields(t)),
  http: [get('/api/devices/{deviceName}/udts/{udtName}')],
  mcp: { toolset: 'types' },
  aliases: { udtName: ['name', 'typeName'] },
  async run(input, ctx) {
    const type = requireType(ctx, input.deviceName, input.udtName)
    return (await import('./store.ts')).typeDetails(ctx, type, input.culture)
  },
})

/** A type need not be there yet: that is a warning. */
const memberWarnings = (t: SchemaBuilder) =>
  t.Array(t.String(), {
    description:
      'Members whose type is not known, start values that a new data type cannot hold, texts that a source does not keep.',
  })

const create = command({
  id: 'types.create',
  title: 'Create a PLC data type of given members',
  description: 'Names are shared with blocks and tags of the PLC, without regard to case.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      members: membersSchema(t),
      folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
      title: t.Optional(t.String()),
      comment: t.Optional(t.String()),
      version: t.Optional(objectVersion(t, 'type')),
    }),
  output: (t) => t.Object({ ...detailFields(t), warnings: memberWarnings(t) }),
  http: [post('/api/devices/{deviceName}/udts'), post('/api/devices/{deviceName}/udts/async', 'async')],
  mcp: { toolset: 'types' },
  needsInstance: true,
  aliases: { name: ['udtName', 'typeName'], folder: folderAliases },
  example: {
    deviceName: 'PLC_1',
    name: 'UDT_Motor',
    members: [
      { name: 'run', dataType: 'Bool' },
      { name: 'speed', dataType: 'Real', startValue: '0.0', comment: 'rpm' },
    ],
  },
  async run(input, ctx) {
    return (await import('./store.ts')).createType(ctx, requirePlc(ctx, input.deviceName), input)
  },
})

const update = command({
  id: 'types.update',
  title: 'Replace the members of a PLC data type',
  description:
    'Members that keep name and type keep what is not given (attributes, comments). A member with `oldName` is that member under a new name: blocks, tables and values that name it get the new name, too. A type that would contain itself, also by way of others, is refused (422).',
  input: (t) => t.Object({ deviceName: deviceName(t), udtName: udtName(t), members: membersSchema(t) }),
  output: (t) =>
    t.Object({
      ...detailFields(t),
      changed: t.Boolean(),
      warnings: memberWarnings(t),
      updated: updatedFields(t),
    }),
  http: [
    put('/api/devices/{deviceName}/udts/{udtName}'),
    put('/api/devices/{deviceName}/udts/{udtName}/async', 'async'),
  ],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: { udtName: ['name', 'typeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const type = requireTypeOf(ctx, device, input.udtName)
    return (await import('./store.ts')).updateType(ctx, device, type, input.members)
  },
})

const remove = command({
  id: 'types.delete',
  title: 'Delete a PLC data type',
  description:
    'A type that blocks, other types or tags are declared with is a 409 naming them. With `force: true` it is deleted all the same; they stay as they are, and the answer names them.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      udtName: udtName(t),
      force: t.Optional(t.Boolean({ description: 'Delete it although it is used.' })),
    }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), users: userFields(t) }),
  http: [del('/api/devices/{deviceName}/udts/{udtName}')],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: { udtName: ['name', 'typeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const type = requireTypeOf(ctx, device, input.udtName)
    const { name } = type
    const users = await requireUnused(ctx, device, `PLC data type "${name}"`, [name], {
      force: input.force,
      leaving: [{ category: 'type', name }],
    })
    const { deleteType } = await import('./store.ts')
    deleteType(ctx, device, type)
    return { name, deleted: true, users }
  },
})

const rename = command({
  id: 'types.rename',
  title: 'Rename a PLC data type',
  description:
    'Everything that is declared with it gets the new name: interfaces, other types, instance data blocks, tags; nothing else in their texts changes. At most 125 characters, unique among blocks, types and tags of the PLC without regard to case.',
  input: (t) => t.Object({ deviceName: deviceName(t), udtName: udtName(t), newName: t.String() }),
  output: (t) => t.Object({ oldName: t.String(), name: t.String(), updated: updatedFields(t) }),
  http: [post('/api/devices/{deviceName}/udts/actions/rename')],
  mcp: { toolset: 'types' },
  needsInstance: true,
  changes: '/api/devices/{deviceName}/udts/{udtName}',
  aliases: { udtName: ['oldName', 'name', 'typeName', 'currentName'], newName: ['newUdtName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const type = requireTypeOf(ctx, device, input.udtName)
    return (await import('./rename.ts')).renameType(ctx, device, type, input.newName)
  },
})

const exportType = command({
  id: 'types.export',
  title: 'Export a PLC data type to a file',
  description: exportRules,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      udtName: udtName(t),
      ...exportTarget(t),
      format: exportFormat(t),
      version: engineeringVersion(t),
    }),
  output: (t) => t.Object(exportedFields(t)),
  http: [
    post('/api/devices/{deviceName}/udts/actions/export'),
    post('/api/devices/{deviceName}/udts/{udtName}/actions/export'),
  ],
  mcp: { toolset: 'types' },
  needsInstance: true,
  aliases: { ...exportAliases, udtName: ['name', 'typeName'], version: ['engineeringVersion'] },
  async run(input, ctx) {
    const type = requireType(ctx, input.deviceName, input.udtName)
    return (await import('./store.ts')).exportType(ctx, type, input)
  },
})

const importTypes = command({
  id: 'types.import',
  title: 'Import PLC data types from a file or folder',
  description:
    'SimaticML (`.xml`), sources (`.udt`, `.scl`) or SIMATIC SD (`.s7dcl`). As `blocks.import`, but only types are taken: a file with anything else in it is refused.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...importSource(t, 'SimaticML, source text or SIMATIC SD'),
      resources: importResources(t),
      folder: t.Optional(folderPath(t, 'Folder to import into, A/B; made when absent.')),
      unit: importUnit(t),
      ...importChoices(t, 'types'),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [
    post('/api/devices/{deviceName}/udts/actions/import'),
    post('/api/devices/{deviceName}/udts/actions/import/async', 'async'),
  ],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: importAliases,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return await importRequest(ctx, device, input, ['UDT'])
  },
})

const folders = folderOperations({
  collection: typeCollection,
  toolset: 'types',
  nouns: 'PLC data types',
  short: 'types',
  field: 'udts',
  route: '/api/devices/{deviceName}/udts/folders',
  deleteField: 'folderPath',
  symbols: { category: 'type', names: ({ name }) => [name] },
  async remove(ctx, device, type) {
    ;(await import('./store.ts')).deleteType(ctx, device, type)
  },
})

export const typeOperations: readonly Operation[] = [
  list,
  tree,
  details,
  create,
  update,
  remove,
  rename,
  exportType,
  importTypes,
  ...folders,
]
