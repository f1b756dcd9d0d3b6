/** The operations on external sources. What they do is loaded on first use. */

import {
  command,
  del,
  get,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
  withoutFence,
} from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { byText, deviceName, folderOperations, importedFields, pageOf } from '../../program-objects/index.ts'
import { requireSource, sourceCollection, sourceFolders, sourcesOf } from './external-source.ts'

const sourceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the source, e.g. Motor.scl; case does not matter.' })
const content = (t: SchemaBuilder) =>
  t.String({
    minLength: 1,
    description: 'Source text (SCL, STL, data blocks, types); several blocks may follow one another.',
  })
const sourceFolder = (t: SchemaBuilder) =>
  t.Optional(t.String({ maxLength: 1000, description: 'Folder of the external sources, A/B; made when absent.' }))
const overwriteSource = (t: SchemaBuilder) =>
  t.Optional(t.Boolean({ description: 'Replace a present source of the name. Default: false.' }))

const sourceFields = (t: SchemaBuilder) => ({
  name: t.String(),
  folder: t.String({ description: 'A/B; empty: directly below the external sources.' }),
  extension: t.String({ description: '.scl, .awl, .db, .udt …; empty when the name has none.' }),
  size: t.Integer({ description: 'Bytes.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

const generationFields = (t: SchemaBuilder) => ({
  blockFolder: t.Optional(
    t.String({ maxLength: 1000, description: 'Folder of the program for the blocks, A/B; made when absent.' }),
  ),
  overwrite: t.Optional(t.Boolean({ description: 'Replace present blocks. Default: true.' })),
  continueOnError: t.Optional(
    t.Boolean({ description: 'Keep the blocks that are right, report the others. Default: false: all or nothing.' }),
  ),
})
const generationAliases = {
  blockFolder: ['folder', 'folderPath', 'targetFolder', 'blockFolderPath'],
  overwrite: ['override', 'overwriteExisting'],
  continueOnError: ['keepOnError', 'ignoreErrors'],
}

const list = query({
  id: 'blocks.list-sources',
  title: 'List the external sources of a PLC',
  description: 'Sorted by name.',
  input: (t) => t.Object({ deviceName: deviceName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      externalSources: t.Array(t.Object(sourceFields(t))),
      folders: t.Array(t.String(), { description: 'All folders, also empty ones.' }),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/{deviceName}/external-sources')],
  mcp: { toolset: 'blocks' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { sourceView } = await import('./sources.ts')
    const { page, ...rest } = pageOf(sourcesOf(ctx, device.id).sort(byText(({ name }) => name)), input)
    const folders = sourceFolders.list(ctx, device.id).map(({ path }) => path)
    return { externalSources: page.map(sourceView), folders, ...rest }
  },
})

const read = query({
  id: 'blocks.get-source',
  title: 'Show an external source with its text',
  input: (t) => t.Object({ deviceName: deviceName(t), sourceName: sourceName(t) }),
  output: (t) => t.Object({ ...sourceFields(t), content: t.String() }),
  http: [get('/api/devices/{deviceName}/external-sources/{sourceName}')],
  mcp: { toolset: 'blocks' },
  async run(input, ctx) {
    const source = requireSource(ctx, requirePlc(ctx, input.deviceName), input.sourceName)
    const [{ sourceView }, { decodeText }] = await Promise.all([
      import('./sources.ts'),
      import('../../../plc/model/decode.ts'),
    ])
    return { ...sourceView(source), content: decodeText(await ctx.blobs.get(source.file)).text }
  },
})

const fromFile = command({
  id: 'blocks.add-source-from-file',
  title: 'Create an external source from a file',
  description:
    'Takes a file of the workspace or an upload. The file is kept byte for byte; its blocks are made by generating. A present source of the name is a 409 unless `overwrite` is true.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      filePath: t.Optional(t.String({ minLength: 1, maxLength: 4096, description: 'File in the workspace.' })),
      file: t.Optional(t.Upload({ description: 'A file, instead of filePath.' })),
      sourceName: t.Optional(sourceName(t)),
      folder: sourceFolder(t),
      overwrite: overwriteSource(t),
    }),
  output: (t) => t.Object(sourceFields(t)),
  http: [post('/api/devices/{deviceName}/external-sources/from-file')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: {
    filePath: ['path', 'sourcePath', 'importFilePath', 'sourceFilePath'],
    sourceName: ['name'],
    folder: ['folderPath', 'sourceFolder'],
    overwrite: ['override', 'overwriteExisting'],
  },
  example: { deviceName: 'PLC_1', filePath: 'sources/Motor.scl' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { filePath, file } = input
    if ((filePath === undefined) === (file === undefined)) {
      const message = 'one of filePath (file of the workspace) and file (upload) is needed'
      throw problem('invalid_input', `/filePath: ${message}.`, { errors: [{ path: '/filePath', message }] })
    }
    const { keepSource, sourceView } = await import('./sources.ts')
    const { basename } = await import('node:path')
    const bytes = file ? await ctx.blobs.get(file.blob) : await ctx.files.read(filePath as string)
    const fileName = file?.fileName ?? basename((filePath as string).replaceAll('\\', '/'))
    return sourceView(await keepSource(ctx, device, bytes, { ...input, name: input.sourceName, fileName }))
  },
})

const fromText = command({
  id: 'blocks.add-source-from-text',
  title: 'Create an external source from text',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      content: content(t),
      sourceName: t.Optional(sourceName(t)),
      folder: sourceFolder(t),
      overwrite: overwriteSource(t),
    }),
  output: (t) => t.Object(sourceFields(t)),
  http: [post('/api/devices/{deviceName}/external-sources/from-text')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: {
    content: ['sclContent', 'sourceText', 'text', 'sourceCode', 'code', 'source'],
    sourceName: ['name'],
    folder: ['folderPath', 'sourceFolder'],
    overwrite: ['override', 'overwriteExisting'],
  },
  example: { deviceName: 'PLC_1', sourceName: 'Motor.scl', content: 'FUNCTION "F" : Void\nBEGIN\n\t;\nEND_FUNCTION\n' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { keepSource, sourceView } = await import('./sources.ts')
    const bytes = Buffer.from(withoutFence(input.content))
    return sourceView(await keepSource(ctx, device, bytes, { ...input, name: input.sourceName }))
  },
})

const remove = command({
  id: 'blocks.delete-source',
  title: 'Delete an external source',
  description: 'Blocks that were generated from it stay.',
  input: (t) => t.Object({ deviceName: deviceName(t), sourceName: sourceName(t) }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del('/api/devices/{deviceName}/external-sources/{sourceName}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const source = requireSource(ctx, device, input.sourceName)
    ;(await import('./sources.ts')).deleteSource(ctx, device, source)
    return { name: source.name, deleted: true }
  },
})

const compiles = (t: SchemaBuilder) =>
  t.Optional(
    t.Boolean({
      description: 'Compile what was generated, with what it uses. Default: true. Messages do not undo it.',
    }),
  )

const generatedFields = (t: SchemaBuilder) => ({
  sourceName: t.String(),
  ...importedFields(t),
})

const generate = command({
  id: 'blocks.generate-from-source',
  title: 'Generate the blocks and types of an external source and compile them',
  description:
    'All or nothing: with any fault the answer is 422 with every fault of every block, each with line and column. `continueOnError: true` keeps the blocks that are right and reports the rest. The syntax of SCL statements is checked too; what their names mean is in `compileMessages`.',
  input: (t) =>
    t.Object({ deviceName: deviceName(t), sourceName: sourceName(t), ...generationFields(t), compile: compiles(t) }),
  output: (t) => t.Object(generatedFields(t)),
  http: [post('/api/devices/{deviceName}/external-sources/{sourceName}/generate')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  aliases: generationAliases,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const source = requireSource(ctx, device, input.sourceName)
    const { generateFrom } = await import('./sources.ts')
    const bytes = await ctx.blobs.get(source.file)
    const result = await generateFrom(ctx, device, source.name, bytes, { ...input, folder: input.blockFolder })
    const { compileImported } = await import('../compile/service.ts')
    return { sourceName: source.name, ...(await compileImported(ctx, device, result, input.compile ?? true)) }
  },
})

const importAndGenerate = command({
  id: 'blocks.import-and-generate',
  title: 'Generate blocks from source text and compile them',
  description: [
    'SCL and STL, data blocks and types; several blocks may follow one another, types before their users or not.',
    'With `sourceName` the text is also kept as an external source of that name (an older one is replaced). Faults and `continueOnError` as in `blocks.generate-from-source`.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      content: content(t),
      sourceName: t.Optional(sourceName(t)),
      ...generationFields(t),
      compile: compiles(t),
    }),
  output: (t) => t.Object(generatedFields(t)),
  http: [post('/api/devices/{deviceName}/external-sources/import-and-generate')],
  mcp: { toolset: 'blocks', essential: true, destructive: true },
  needsInstance: true,
  aliases: {
    content: ['sclContent', 'stlContent', 'sourceText', 'text', 'sourceCode', 'code', 'source'],
    sourceName: ['name'],
    ...generationAliases,
  },
  example: { deviceName: 'PLC_1', content: 'FUNCTION "F" : Void\nBEGIN\n\t;\nEND_FUNCTION\n' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return (await import('./sources.ts')).importSourceText(ctx, device, input)
  },
})

const folders = folderOperations({
  collection: sourceCollection,
  ids: { create: 'blocks.create-source-folder', delete: 'blocks.delete-source-folder' },
  toolset: 'blocks',
  nouns: 'external sources',
  short: 'sources',
  field: 'externalSources',
  route: '/api/devices/{deviceName}/external-sources/folders',
  async remove(ctx, device, source) {
    ;(await import('./sources.ts')).deleteSource(ctx, device, source)
  },
})

export const sourceOperations: readonly Operation[] = [
  list,
  read,
  importAndGenerate,
  fromFile,
  fromText,
  generate,
  remove,
  ...folders,
]
