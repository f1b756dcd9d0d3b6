/** The operations on blocks. What they do is loaded on first use. */

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
import { type Device, requirePlc } from '../devices/index.ts'
import {
  bareWarnings,
  contentNetwork,
  deviceName,
  exportAliases,
  exportAsSource,
  exportAsXml,
  exportedFields,
  exportFormat,
  exportRules,
  exportTarget,
  folderPath as folder,
  folderOperations,
  importAliases,
  importChoices,
  importedFields,
  importResources,
  importSource,
  importUnit,
  interfaceMember,
  isInside,
  lossFields,
  objectName,
  objectVersion,
  type Page,
  pageOf,
  requireUnused,
  runExport,
  treeOperation,
  updatedFields,
  userFields,
  engineeringVersion as version,
} from '../program-objects/index.ts'
import { type Block, blockCollection, blocksOf, requireBlock, requireBlockOf } from './block.ts'
import { networkInList } from './edit/network-operations.ts'
import { blockFields, blockView } from './views.ts'

const blockName = (t: SchemaBuilder) => objectName(t, 'block')
const culture = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      maxLength: 20,
      description: 'Language of titles and comments, e.g. de-DE. Default: the first one of the project.',
    }),
  )

/** Fields of the blocks of a device in lists. */
async function viewsOf(ctx: QueryContext, device: Device, shown: readonly Block[]) {
  const { readStatuses } = await import('./compile/status.ts')
  const statusOf = await readStatuses(ctx, device.id, shown)
  return (block: Block) => blockView(block, statusOf(block))
}

async function listed(ctx: QueryContext, device: Device, { page, ...rest }: Page<Block>) {
  return { blocks: page.map(await viewsOf(ctx, device, page)), ...rest }
}

const list = query({
  id: 'blocks.list',
  title: 'List the blocks of a PLC',
  description: 'Sorted by name. `isConsistent` says whether a block is compiled as it is now, with all that it uses.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      type: t.Optional(
        t.String({
          pattern: '^(?:[oO][bB]|[fF][bB]|[fF][cC]|(?:[gG]lobal|[iI]nstance|[aA]rray)?[dD][bB])$',
          description: 'Only blocks of this type: OB, FB, FC, DB (all data blocks), GlobalDB, InstanceDB, ArrayDB.',
        }),
      ),
      folder: t.Optional(folder(t, 'Only blocks in this folder and below it.')),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({ blocks: t.Array(t.Object(blockFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/devices/{deviceName}/blocks'), get('/api/devices/{deviceName}/blocks/async', 'async')],
  mcp: { toolset: 'blocks', essential: true },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { folder: inside = '' } = input
    const type = input.type?.toLowerCase()
    if (type === undefined && inside === '')
      return await listed(ctx, device, blockCollection.page(ctx, device.id, input))
    const wanted = blocksOf(ctx, device.id).filter(
      (block) =>
        (type === undefined || block.kind.toLowerCase() === type || (type === 'db' && block.kind.endsWith('DB'))) &&
        (inside === '' || isInside(block.folder, inside)),
    )
    return await listed(ctx, device, pageOf(wanted, input))
  },
})

const tree = treeOperation({
  id: 'blocks.tree',
  collection: blockCollection,
  toolset: 'blocks',
  nouns: 'blocks',
  leaves: 'Blocks',
  route: '/api/devices/{deviceName}/blocks/tree',
  root: 'Program blocks',
  node: 'BlockTreeNode',
  leaf: (t) => t.Object(blockFields(t)),
  views: viewsOf,
})

const contentFields = (t: SchemaBuilder) => ({
  ...blockFields(t),
  blockType: t.String({ description: 'The same as type.' }),
  rawXml: t.Optional(t.String({ description: 'The SimaticML file; converted for blocks that are kept as source.' })),
  sourceText: t.Optional(t.String({ description: 'External source; absent where there is none (LAD, FBD, GRAPH).' })),
  interface: t.Optional(t.Array(interfaceMember(t), { description: 'Not in the view "text".' })),
  declarations: t.Optional(
    t.String({ description: 'View "text": the interface as in a source, `VAR_INPUT … END_VAR`; without sourceText.' }),
  ),
  networks: t.Optional(
    t.Array(contentNetwork(t), { description: 'In the view "text" only where there is no sourceText.' }),
  ),
})

const content = query({
  id: 'blocks.content',
  title: 'Show the content of a block: header, interface, networks, text',
  description: 'A know-how protected block answers 409.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      culture: culture(t),
      view: t.Optional(
        t.Enum(['full', 'text'], {
          description:
            'text: the source, or declarations and a text for each network. full (default of REST): members, elements, graphs, SimaticML.',
        }),
      ),
    }),
  output: (t) => t.Object(contentFields(t)),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/content')],
  mcp: { toolset: 'blocks', essential: true, defaults: { view: 'text' } },
  aliases: { blockName: ['name', 'block'] },
  async run(input, ctx) {
    const block = requireBlock(ctx, input.deviceName, input.blockName)
    const { contentView, contentTextView } = await import('./edit/content.ts')
    return (input.view === 'text' ? contentTextView : contentView)(ctx, block, input.culture)
  },
})

const source = query({
  id: 'blocks.source',
  title: 'Show the external source text of a block',
  description:
    'SCL blocks, data blocks and types have one, whatever form they came in. Graphical blocks answer 409: read `content` or export XML.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: blockName(t) }),
  output: (t) =>
    t.Object({
      blockName: t.String(),
      language: t.String(),
      sourceText: t.String(),
      warnings: t.Array(t.String(), { description: 'What the source leaves out.' }),
    }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/source')],
  mcp: { toolset: 'blocks' },
  aliases: { blockName: ['name', 'block'] },
  async run(input, ctx) {
    const block = requireBlock(ctx, input.deviceName, input.blockName)
    const { content: sourceText, language, warnings } = await exportAsSource(ctx, block)
    return { blockName: block.name, language, sourceText, warnings: [...warnings] }
  },
})

const exportXml = query({
  id: 'blocks.export-xml',
  title: 'Export a block as SimaticML, as the answer itself',
  description: `A block that is kept as source is converted. Namespaces and attributes are those of \`version\`. ${bareWarnings}`,
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: blockName(t), version: version(t) }),
  output: (t) => t.String({ description: 'The file.' }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/export-xml')],
  mcp: { toolset: 'blocks' },
  produces: 'application/xml',
  aliases: { blockName: ['name', 'block'], version: ['engineeringVersion'] },
  async run(input, ctx) {
    const block = requireBlock(ctx, input.deviceName, input.blockName)
    const { content, warnings } = await exportAsXml(ctx, block, input.version)
    ctx.warn(warnings)
    return content
  },
})

const exportedBlockFields = (t: SchemaBuilder) => ({
  ...exportedFields(t),
  blockName: t.String({ description: 'The same as name.' }),
})

const exportBlock = command({
  id: 'blocks.export',
  title: 'Export a block to a file',
  description: exportRules,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      ...exportTarget(t),
      format: exportFormat(t),
      version: version(t),
    }),
  output: (t) => t.Object(exportedBlockFields(t)),
  http: [
    post('/api/devices/{deviceName}/blocks/actions/export-sync'),
    post('/api/devices/{deviceName}/blocks/actions/export', 'async'),
    post('/api/devices/{deviceName}/blocks/{blockName}/export'),
  ],
  mcp: { toolset: 'blocks', essential: true },
  needsInstance: true,
  aliases: { ...exportAliases, blockName: ['name', 'block'], version: ['engineeringVersion'] },
  example: { deviceName: 'PLC_1', blockName: 'Main', exportPath: 'export/Main.xml' },
  async run(input, ctx) {
    const block = requireBlock(ctx, input.deviceName, input.blockName)
    return { blockName: block.name, ...(await runExport(ctx, block, input)) }
  },
})

const exportSource = command({
  id: 'blocks.export-source',
  title: 'Export a block as source text to a file',
  description: 'As `blocks.export` with format source. Graphical blocks answer 409.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      ...exportTarget(t),
    }),
  output: (t) => t.Object(exportedBlockFields(t)),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/export-source')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: exportAliases,
  async run(input, ctx) {
    const block = requireBlock(ctx, input.deviceName, input.blockName)
    return { blockName: block.name, ...(await runExport(ctx, block, { ...input, format: 'source' })) }
  },
})

const importBlocks = command({
  id: 'blocks.import',
  title: 'Import blocks, types, tag tables and watch tables from a file or a whole folder',
  description: [
    'Takes SimaticML (`.xml`), external sources (`.scl`, `.db`, `.udt`, `.awl`) and SIMATIC SD (`.s7dcl` with the texts in the `.s7res` of the same name): one file, a folder with everything below it (sub-folders become folders of the program; the root groups of an export such as `Program blocks` do not), an uploaded file, or a text. A `.zip` counts as a folder.',
    'Present objects are replaced, as with `ImportOptions.Override` of Openness; `overwrite: false` reports each as a fault. All or nothing: with any fault in any file the answer is 422 with every fault and its place, and nothing is stored. `continueOnError: true` stores what is right and reports the rest by file.',
    'A block whose number is taken gets the next free one, unless its number is fixed (`AutoNumber` false).',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...importSource(t, 'SimaticML, source text or SIMATIC SD'),
      resources: importResources(t),
      folder: t.Optional(folder(t, 'Folder of the program to import into, A/B; made when absent.')),
      unit: importUnit(t),
      ...importChoices(t, 'objects'),
      compile: t.Optional(t.Boolean({ description: 'Compile what was imported, with what it uses. Default: false.' })),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [
    post('/api/devices/{deviceName}/blocks/actions/import-sync'),
    post('/api/devices/{deviceName}/blocks/actions/import', 'async'),
  ],
  mcp: { toolset: 'blocks', essential: true, destructive: true },
  needsInstance: true,
  aliases: { ...importAliases, folder: ['blockFolder', ...importAliases.folder, 'targetFolderPath'] },
  example: { deviceName: 'PLC_1', filePath: 'exports/PLC_1' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const result = await (await import('./exchange/import.ts')).importRequest(ctx, device, input)
    const { compileImported } = await import('./compile/service.ts')
    return await compileImported(ctx, device, result, input.compile ?? false)
  },
})

const interfaceSchema = (t: SchemaBuilder) =>
  t.Array(t.Any(), {
    description:
      'Members `{ section, name, dataType, startValue, comment, remanence, members }` as `content` shows them, or sections `{ section, members }`. Sections: Input, Output, InOut, Static, Temp, Constant, Return.',
  })

const compileToo = (t: SchemaBuilder) =>
  t.Optional(t.Boolean({ description: 'Compile the block, with what it uses. Default: false.' }))

/** With `compile: true`, as an import has it. */
const compiledToo = (t: SchemaBuilder) => {
  const { compiled, compileMessages } = importedFields(t)
  return { compiled: t.Optional(compiled), compileMessages }
}

const create = command({
  id: 'blocks.create',
  title: 'Create a block',
  description:
    'OB, FB, FC or DB. SCL blocks take `code` (statements without BEGIN and END); LAD and FBD blocks take `networks`, each with `expressions` (`#run := (#start OR #run) AND NOT #stop`), a `graph` or `xml`, STL blocks networks with `code`; or none. An ArrayDB takes `dataType`, e.g. Array[0..9] of Int. Without `number` the next free one is given; a number that is taken is a 409 naming its holder. Names are shared with types and tags of the PLC. Code that cannot be parsed is a 422 with line and column; types that are nowhere are in `warnings`.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 200 }),
      type: t.Enum(['OB', 'FB', 'FC', 'DB', 'GlobalDB', 'InstanceDB', 'ArrayDB']),
      language: t.Optional(t.String({ description: 'SCL (default), LAD, FBD or STL.' })),
      dataType: t.Optional(t.String({ description: 'Of an ArrayDB: Array[0..9] of Int.' })),
      number: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
      folder: t.Optional(folder(t, 'A/B; made when absent.')),
      title: t.Optional(t.String()),
      comment: t.Optional(t.String()),
      author: t.Optional(t.String()),
      version: t.Optional(objectVersion(t, 'block')),
      eventClass: t.Optional(
        t.String({
          description: 'Of an OB: Startup, CyclicInterrupt … Default: by its number.',
        }),
      ),
      instanceOf: t.Optional(t.String({ description: 'FB or type of an instance data block.' })),
      interface: t.Optional(interfaceSchema(t)),
      code: t.Optional(t.String({ description: 'SCL statements.' })),
      networks: t.Optional(t.Array(networkInList(t))),
      compile: compileToo(t),
    }),
  output: (t) => t.Object({ ...blockFields(t), warnings: t.Array(t.String()), ...compiledToo(t) }),
  http: [post('/api/devices/{deviceName}/blocks')],
  mcp: { toolset: 'blocks', essential: true },
  needsInstance: true,
  aliases: {
    name: ['blockName'],
    type: ['blockType'],
    language: ['programmingLanguage'],
    number: ['blockNumber'],
    folder: ['folderPath', 'targetFolder', 'groupPath'],
    eventClass: ['secondaryType'],
    instanceOf: ['instanceOfName', 'ofType'],
    interface: ['members'],
    code: ['sclCode', 'sclContent', 'networkCode', 'source', 'sourceText', 'body'],
  },
  example: {
    deviceName: 'PLC_1',
    name: 'Scale',
    type: 'FC',
    interface: [
      { section: 'Input', name: 'raw', dataType: 'Int' },
      { section: 'Return', name: 'Ret_Val', dataType: 'Real' },
    ],
    code: '#Scale := INT_TO_REAL(#raw) / 276.48;',
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const made = await (await import('./edit/content.ts')).createBlock(ctx, device, input)
    const { compileWritten } = await import('./compile/service.ts')
    return await compileWritten(ctx, device, made, input.compile)
  },
})

const update = command({
  id: 'blocks.update-content',
  title: 'Change the interface or the code of a block',
  description:
    'A whole new text (`sourceText`, or `rawXml`: a SimaticML file or its root element), or parts: `interface` replaces the sections that are named, `code` the SCL statements, `networks` networks of any language. What is not concerned stays as it was, byte for byte. What cannot be read is a 422 with its place; SCL statements may be a draft: their faults are in `warnings`, as what is not known in an attribute list is.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      sourceText: t.Optional(t.String({ minLength: 1, description: 'Whole external source of this block.' })),
      rawXml: t.Optional(t.String({ minLength: 1 })),
      interface: t.Optional(interfaceSchema(t)),
      code: t.Optional(t.String({ description: 'SCL statements, without BEGIN and END.' })),
      networks: t.Optional(
        t.Array(t.Any(), {
          description:
            'Networks as `content` shows them: { number, title, comment, language, text, expression, graph }. Those that differ are changed, further ones are added.',
        }),
      ),
      compile: compileToo(t),
    }),
  output: (t) => t.Object({ ...blockFields(t), changed: t.Boolean(), warnings: lossFields(t), ...compiledToo(t) }),
  http: [put('/api/devices/{deviceName}/blocks/{blockName}/content')],
  mcp: { toolset: 'blocks', essential: true, destructive: true },
  needsInstance: true,
  aliases: {
    sourceText: ['sclContent', 'source', 'scl'],
    rawXml: ['xml', 'xmlContent'],
    interface: ['members'],
    code: ['sclCode', 'networkCode'],
  },
  example: { deviceName: 'PLC_1', blockName: 'Scale', code: '#Scale := INT_TO_REAL(#raw) / 27.648;' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const written = await (await import('./edit/content.ts')).updateBlock(ctx, device, block, input)
    const { compileWritten } = await import('./compile/service.ts')
    return await compileWritten(ctx, device, written, input.compile)
  },
})

const remove = command({
  id: 'blocks.delete',
  title: 'Delete a block',
  description:
    'A block that others use (calls, instances, members of data blocks) is a 409 naming them. With `force: true` it is deleted all the same; they stay as they are, and the answer names them. Rows of watch tables do not hold it.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      force: t.Optional(t.Boolean({ description: 'Delete it although it is used.' })),
    }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), users: userFields(t) }),
  http: [del('/api/devices/{deviceName}/blocks/{blockName}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { name } = block
    const users = await requireUnused(ctx, device, `Block "${name}"`, [name], {
      force: input.force,
      leaving: [{ category: 'block', name }],
    })
    const { deleteBlock } = await import('./store.ts')
    deleteBlock(ctx, device, block)
    return { name, deleted: true, users }
  },
})

const rename = command({
  id: 'blocks.rename',
  title: 'Rename a block',
  description:
    'Everything that uses the block gets the new name with it: networks of every language, interfaces, instance data blocks, watch tables; nothing else in their texts changes. At most 125 characters, unique among blocks, types and tags of the PLC without regard to case.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: blockName(t), newName: t.String() }),
  output: (t) => t.Object({ oldName: t.String(), ...blockFields(t), updated: updatedFields(t) }),
  http: [
    post('/api/devices/{deviceName}/blocks/actions/rename'),
    post('/api/devices/{deviceName}/blocks/actions/rename-async', 'async'),
  ],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  changes: '/api/devices/{deviceName}/blocks/{blockName}/content',
  aliases: { blockName: ['oldName', 'name', 'currentName', 'block'], newName: ['newBlockName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    return (await import('./edit/content.ts')).renameBlock(ctx, device, block, input.newName)
  },
})

const folders = folderOperations({
  collection: blockCollection,
  toolset: 'blocks',
  nouns: 'blocks',
  short: 'blocks',
  field: 'blocks',
  route: '/api/devices/{deviceName}/blocks/folders',
  symbols: { category: 'block', names: ({ name }) => [name] },
  async remove(ctx, device, block) {
    ;(await import('./store.ts')).deleteBlock(ctx, device, block)
  },
})

export const blockOperations: readonly Operation[] = [
  list,
  tree,
  content,
  source,
  exportXml,
  exportBlock,
  exportSource,
  importBlocks,
  create,
  update,
  remove,
  rename,
  ...folders,
]
