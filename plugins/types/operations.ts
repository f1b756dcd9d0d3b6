/** The operations on PLC data types. What they do is loaded on first use. */
import { command, del, get, type Operation, post, problem, put, query, type SchemaBuilder } from '../../core/index.ts'
import { importedFields, isInside, memberFields, objectTools, pageOf, treeOf } from '../blocks/index.ts'
import { requirePlc } from '../devices/index.ts'
import { requireType, requireTypeOf, typeFolders, typesOf } from './type.ts'

const deviceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC; case does not matter.' })
const udtName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC data type; case does not matter.' })
const path = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 4096, description })

const typeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  type: t.String({ description: 'UDT.' }),
  isFolder: t.Boolean(),
  number: t.Union([t.Integer(), t.Null()], { description: 'Always null: types have no number.' }),
  folder: t.String({ description: 'A/B; empty: directly below the PLC data types.' }),
  size: t.Integer({ description: 'Bytes of the stored text.' }),
  format: t.String({ description: 'simaticml or source: the form the type is kept in.' }),
  isConsistent: t.Boolean({ description: 'Compiled without changes since. False: compiling is not available yet.' }),
  compileStatus: t.String({ description: 'notAvailable: this version does not compile.' }),
  title: t.String(),
  comment: t.String(),
  version: t.String(),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

const detailFields = (t: SchemaBuilder) => ({
  ...typeFields(t),
  members: t.Array(t.Object(memberFields(t))),
  sourceText: t.Optional(t.String()),
  rawXml: t.Optional(t.String({ description: 'Root element, for types that are kept as SimaticML.' })),
})

const membersSchema = (t: SchemaBuilder) =>
  t.Array(t.Any(), {
    description: '{ name, dataType, startValue, comment, members }; members of a Struct are of the same shape.',
  })

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
    const { typeView } = await import('./store.ts')
    const { page, ...rest } = pageOf(typesOf(ctx, device.id), input)
    return { udts: page.map((type) => typeView(type)), ...rest }
  },
})

const tree = query({
  id: 'types.tree',
  title: 'Show the PLC data types of a PLC in their folders',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      children: t.Array(t.Any(), {
        description: 'Types as in the list, and folders { name, path, isFolder, children }.',
      }),
      total: t.Integer(),
    }),
  http: [get('/api/devices/{deviceName}/udts/tree')],
  mcp: { toolset: 'types' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { typeView } = await import('./store.ts')
    const all = typesOf(ctx, device.id)
    const children = treeOf(typeFolders.list(ctx, device.id), all, (type) => typeView(type))
    return { name: 'PLC data types', children, total: all.length }
  },
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

const create = command({
  id: 'types.create',
  title: 'Create a PLC data type of given members',
  description: 'Names are shared with blocks and tags of the PLC, without regard to case.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      members: membersSchema(t),
      folder: t.Optional(t.String({ maxLength: 1000, description: 'A/B; made when absent.' })),
      title: t.Optional(t.String()),
      comment: t.Optional(t.String()),
      version: t.Optional(t.String({ description: 'Of the type, e.g. 0.1.' })),
    }),
  output: (t) => t.Object(detailFields(t)),
  http: [post('/api/devices/{deviceName}/udts'), post('/api/devices/{deviceName}/udts/async', 'async')],
  mcp: { toolset: 'types' },
  needsInstance: true,
  aliases: { name: ['udtName', 'typeName'], folder: ['folderPath', 'targetFolder', 'groupPath'] },
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
  description: 'Members that keep name and type keep what is not given (attributes, comments).',
  input: (t) => t.Object({ deviceName: deviceName(t), udtName: udtName(t), members: membersSchema(t) }),
  output: (t) => t.Object({ ...detailFields(t), changed: t.Boolean() }),
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
  description: 'Blocks and types that use it stay as they are.',
  input: (t) => t.Object({ deviceName: deviceName(t), udtName: udtName(t) }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del('/api/devices/{deviceName}/udts/{udtName}')],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: { udtName: ['name', 'typeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const type = requireTypeOf(ctx, device, input.udtName)
    const { deleteType } = await import('./store.ts')
    deleteType(ctx, device, type)
    return { name: type.name, deleted: true }
  },
})

const exportType = command({
  id: 'types.export',
  title: 'Export a PLC data type to a file',
  description:
    'Without `exportPath` the content is in the answer. A path of a folder, or without extension, is a folder. An existing file is refused (409) unless `overwrite` is true.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      udtName: udtName(t),
      exportPath: t.Optional(path(t, 'File or folder in the workspace.')),
      format: t.Optional(t.Enum(['xml', 'source'], { description: 'Default: xml.' })),
      version: t.Optional(
        t.String({ pattern: '^[vV]?(1[6-9]|2[01])$', description: 'V16 to V21. Default: that of the project.' }),
      ),
      overwrite: t.Optional(t.Boolean({ description: 'Replace an existing file.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      format: t.String(),
      exportPath: t.Optional(t.String({ description: 'The file that was written.' })),
      size: t.Integer({ description: 'Bytes of the file.' }),
      content: t.Optional(t.String({ description: 'The text, when no exportPath was given.' })),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/udts/actions/export'),
    post('/api/devices/{deviceName}/udts/{udtName}/actions/export'),
  ],
  mcp: { toolset: 'types' },
  needsInstance: true,
  aliases: {
    udtName: ['name', 'typeName'],
    exportPath: ['path', 'filePath', 'exportFilePath', 'targetPath', 'outputPath'],
    version: ['engineeringVersion'],
    overwrite: ['overwriteExisting', 'force'],
  },
  async run(input, ctx) {
    const type = requireType(ctx, input.deviceName, input.udtName)
    return (await import('./store.ts')).exportType(ctx, type, input)
  },
})

const importTypes = command({
  id: 'types.import',
  title: 'Import PLC data types from a file or folder',
  description:
    'SimaticML (`.xml`) or sources (`.udt`, `.scl`). As `blocks.import`, but only types are taken: a file with anything else in it is refused.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      filePath: t.Optional(path(t, 'File or folder in the workspace.')),
      file: t.Optional(t.Upload({ description: 'A file, instead of filePath.' })),
      content: t.Optional(t.String({ minLength: 1, description: 'SimaticML or source text, instead of filePath.' })),
      folder: t.Optional(t.String({ maxLength: 1000, description: 'Folder to import into, A/B; made when absent.' })),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present types. Default: true.' })),
      continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [
    post('/api/devices/{deviceName}/udts/actions/import'),
    post('/api/devices/{deviceName}/udts/actions/import/async', 'async'),
  ],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: {
    filePath: ['importFilePath', 'path', 'importPath', 'xmlFilePath', 'sourcePath', 'directory'],
    content: ['xmlContent', 'rawXml', 'sourceText', 'sclContent'],
    folder: ['targetFolder', 'groupPath', 'folderPath'],
    overwrite: ['override', 'overwriteExisting'],
    continueOnError: ['keepOnError', 'ignoreErrors'],
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { importRequest } = await objectTools()
    return (await importRequest(ctx, device, input, ['UDT'])) as never
  },
})

const createFolder = command({
  id: 'types.create-folder',
  title: 'Create a folder for PLC data types',
  description: 'Folders above it are made with it. An existing folder is a 409.',
  input: (t) => t.Object({ deviceName: deviceName(t), path: t.String({ minLength: 1, description: 'A/B' }) }),
  output: (t) => t.Object({ path: t.String(), created: t.Boolean() }),
  http: [post('/api/devices/{deviceName}/udts/folders')],
  mcp: { toolset: 'types' },
  needsInstance: true,
  aliases: { path: ['folderPath', 'folder', 'name', 'folderName'] },
  run(input, ctx) {
    return { path: typeFolders.create(ctx, requirePlc(ctx, input.deviceName), input.path), created: true }
  },
})

const deleteFolder = command({
  id: 'types.delete-folder',
  title: 'Delete a folder of PLC data types',
  description:
    'A nested folder is written with %2F between the names: `A%2FB`. A folder with types in it, or below it, is refused (409) unless `force` is true: its types are deleted with it.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      folderPath: t.String({ minLength: 1, description: 'A/B' }),
      force: t.Optional(t.Boolean({ description: 'Delete the types in it too.' })),
    }),
  output: (t) => t.Object({ path: t.String(), folders: t.Array(t.String()), udts: t.Array(t.String()) }),
  http: [del('/api/devices/{deviceName}/udts/folders/{folderPath}')],
  mcp: { toolset: 'types', destructive: true },
  needsInstance: true,
  aliases: { folderPath: ['path', 'folder'], force: ['recursive', 'deleteContent'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { path: folder } = typeFolders.require(ctx, device, input.folderPath, '/folderPath')
    const inside = typesOf(ctx, device.id).filter((type) => isInside(type.folder, folder))
    if (inside.length > 0 && input.force !== true) {
      throw problem('conflict', `Folder "${folder}" holds ${inside.length} types, e.g. "${inside[0]?.name}".`, {
        suggestion: 'Delete them first, or send force: true to delete them with the folder.',
      })
    }
    const { deleteType } = await import('./store.ts')
    for (const type of inside) deleteType(ctx, device, type)
    return { path: folder, folders: typeFolders.delete(ctx, device, folder), udts: inside.map(({ name }) => name) }
  },
})

export const typeOperations: readonly Operation[] = [
  list,
  tree,
  details,
  create,
  update,
  remove,
  exportType,
  importTypes,
  createFolder,
  deleteFolder,
]
