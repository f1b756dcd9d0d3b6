/** The operations that generate and import blocks. What they do is loaded on first use. */

import {
  command,
  faultSchema,
  get,
  jsonSchema,
  jsonValue,
  type Operation,
  post,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import {
  compileMessage,
  deviceName,
  engineeringVersion,
  exportAliases,
  exportTarget,
  folderAliases,
  folderPath,
  importAliases,
  importChoices,
  importedFields,
  importSource,
  objectName,
} from '../program-objects/index.ts'
import type { Design } from './design/model.ts'
import { designExample, designSchema } from './design/schema.ts'
import type { GivenGraph, GivenSpecification } from './generate.ts'
import { blockExample, graphExample, graphSchema, specificationSchema } from './schema.ts'
import { schemaParts } from './schema-parts.ts'

const toolset = 'block-generation'
const changes = '/api/devices/{deviceName}/blocks'
const schemaHint = 'GET /api/blockgeneration/schema has its schema with examples.'

/** Also the names that a block has when it is created or shown; in a member `type` is its data type. */
const specificationAliases = {
  specification: ['spec', 'block', 'json', 'blockSpecification', 'definition'],
  kind: ['type', 'blockType'],
  language: ['programmingLanguage'],
  section: ['sectionName'],
  dataType: ['type', 'datatype'],
  startValue: ['defaultValue', 'initialValue', 'value'],
  expressions: ['expression', 'text'],
  initial: ['isInitial', 'isInit', 'initialStep'],
}
const deviceAliases = { deviceName: ['device', 'plc'] }

const optionalDevice = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      description:
        'PLC whose tags, blocks and types the networks may name. Without it types of operands are not known.',
    }),
  )

const fileFields = (t: SchemaBuilder) => ({
  name: t.String(),
  kind: t.String(),
  language: t.String(),
  exportPath: t.Optional(t.String({ description: 'The file that was written, when a path was given.' })),
  size: t.Integer({ description: 'Bytes of the file.' }),
  content: t.String({ description: 'The SimaticML.' }),
  warnings: t.Array(t.String(), { description: 'What the version does not know.' }),
})

const importFields = (t: SchemaBuilder) => ({
  folder: t.Optional(folderPath(t, 'Folder of the program, A/B; made when absent.')),
  overwrite: t.Optional(t.Boolean({ description: 'Replace a present object. Default: true.' })),
  compile: t.Optional(t.Boolean({ description: 'Compile it with what it uses. Default: true.' })),
})

const generatedFields = (t: SchemaBuilder) => ({
  name: t.String(),
  kind: t.String(),
  language: t.String(),
  ...importedFields(t),
})

const generateOnly = command({
  id: 'block-generation.generate-only',
  title: 'Make the XML file of a block from a JSON specification, without importing it',
  description: `FB, FC, OB, DB or PLC data type with its interface; networks in LAD and FBD as text or as elements and wires, in SCL or STL; sequences in GRAPH. ${schemaHint} The answer has the SimaticML; with \`exportPath\` it is written to the workspace too. What is wrong is a 422 with a JSON pointer for each fault.`,
  input: (t) =>
    t.Object({
      deviceName: optionalDevice(t),
      specification: specificationSchema(t),
      version: engineeringVersion(t),
      ...exportTarget(t),
    }),
  output: (t) => t.Object(fileFields(t)),
  http: [post('/api/blockgeneration/generate-only'), post('/api/blockgeneration/generate-only-async', 'async')],
  mcp: { toolset },
  changes,
  aliases: { ...specificationAliases, ...deviceAliases, ...exportAliases, version: ['engineeringVersion'] },
  example: { specification: blockExample, version: 'V19', exportPath: 'generated/FB_Starter.xml' },
  async run({ deviceName: name, specification, ...request }, ctx) {
    const device = name === undefined ? undefined : requirePlc(ctx, name)
    const { generateOnly: run } = await import('./generate.ts')
    return run(ctx, device, specification as GivenSpecification, request)
  },
})

const generateAndImport = command({
  id: 'block-generation.generate-and-import',
  title: 'Generate a block from a JSON specification and import it',
  description: `As \`generate-only\`, then imports the block into the PLC and compiles it with what it uses; the messages of the compiler are in the answer. ${schemaHint}`,
  input: (t) => t.Object({ deviceName: deviceName(t), specification: specificationSchema(t), ...importFields(t) }),
  output: (t) => t.Object(generatedFields(t)),
  http: [
    post('/api/blockgeneration/generate-and-import'),
    post('/api/blockgeneration/generate-and-import-async', 'async'),
  ],
  mcp: { toolset, destructive: true },
  changes,
  needsInstance: true,
  aliases: { ...specificationAliases, ...deviceAliases, folder: folderAliases, overwrite: ['override'] },
  example: { deviceName: 'PLC_1', specification: blockExample },
  async run({ deviceName: name, specification, ...request }, ctx) {
    const device = requirePlc(ctx, name)
    const { generateAndImport: run } = await import('./generate.ts')
    return run(ctx, device, specification as GivenSpecification, request)
  },
})

const generateGraphOnly = command({
  id: 'block-generation.generate-graph-only',
  title: 'Make the XML file of a GRAPH block from its steps and transitions, without importing it',
  description: `A function block with one sequence (\`steps\`, \`transitions\`) or several (\`chart\`). Several transitions of one step are an alternative branch, several steps of a transition a simultaneous one; ways back are jumps. Parameters and data of the system are added. ${schemaHint}`,
  input: (t) =>
    t.Object({
      deviceName: optionalDevice(t),
      specification: graphSchema(t),
      version: engineeringVersion(t),
      ...exportTarget(t),
    }),
  output: (t) => t.Object(fileFields(t)),
  http: [
    post('/api/blockgeneration/generate-graph-only'),
    post('/api/blockgeneration/generate-graph-only-async', 'async'),
  ],
  mcp: { toolset },
  changes,
  aliases: { ...specificationAliases, ...deviceAliases, ...exportAliases, version: ['engineeringVersion'] },
  example: { specification: graphExample },
  async run({ deviceName: name, specification, ...request }, ctx) {
    const device = name === undefined ? undefined : requirePlc(ctx, name)
    const { generateOnly: run, graphSpecification } = await import('./generate.ts')
    return run(ctx, device, graphSpecification(specification as GivenGraph), request)
  },
})

const generateGraph = command({
  id: 'block-generation.generate-graph',
  title: 'Generate a GRAPH block from its steps and transitions and import it',
  description: `As \`generate-graph-only\`, then imports the block into the PLC and compiles it; the messages are in the answer. ${schemaHint}`,
  input: (t) => t.Object({ deviceName: deviceName(t), specification: graphSchema(t), ...importFields(t) }),
  output: (t) => t.Object(generatedFields(t)),
  http: [post('/api/blockgeneration/generate-graph'), post('/api/blockgeneration/generate-graph-async', 'async')],
  mcp: { toolset, destructive: true },
  changes,
  needsInstance: true,
  aliases: { ...specificationAliases, ...deviceAliases, folder: folderAliases, overwrite: ['override'] },
  example: { deviceName: 'PLC_1', specification: graphExample },
  async run({ deviceName: name, specification, ...request }, ctx) {
    const device = requirePlc(ctx, name)
    const { generateAndImport: run, graphSpecification } = await import('./generate.ts')
    return run(ctx, device, graphSpecification(specification as GivenGraph), request)
  },
})

const importOnly = command({
  id: 'block-generation.import-only',
  title: 'Import an existing XML file of a block',
  description:
    'A file of the workspace, an uploaded one, or its text. Present objects are replaced unless `overwrite` is false. With faults nothing is imported: 422 with each fault and its place.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...importSource(t, 'SimaticML'),
      folder: t.Optional(folderPath(t, 'Folder of the program, A/B; made when absent.')),
      ...importChoices(t, 'objects'),
      compile: t.Optional(t.Boolean({ description: 'Compile what was imported. Default: false.' })),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [post('/api/blockgeneration/import-only'), post('/api/blockgeneration/import-only-async', 'async')],
  mcp: { toolset, destructive: true },
  changes,
  needsInstance: true,
  aliases: { ...importAliases, ...deviceAliases },
  example: { deviceName: 'PLC_1', filePath: 'generated/FB_Starter.xml' },
  async run({ deviceName: name, compile = false, ...request }, ctx) {
    const device = requirePlc(ctx, name)
    const { compileImported, importRequest } = await import('../blocks/index.ts')
    return compileImported(ctx, device, await importRequest(ctx, device, request), compile)
  },
})

const bulkImport = command({
  id: 'block-generation.bulk-import',
  title: 'Import several XML block files, with a result for each',
  description:
    'In whatever order the files are given, each object is stored behind those that it needs; `files` has them in that order. A file with faults does not hold back the others, unless `continueOnError` is false: then it is all or nothing. A folder stands for the files in it.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      filePaths: t.Array(t.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 10_000,
        description: 'Files or folders of the workspace.',
      }),
      folder: t.Optional(folderPath(t, 'Folder of the program, A/B; made when absent.')),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present objects. Default: true.' })),
      continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: true.' })),
      compile: t.Optional(t.Boolean({ description: 'Compile what was imported. Default: false.' })),
    }),
  output: (t) => {
    const { files: _files, ...fields } = importedFields(t)
    return t.Object({
      ...fields,
      files: t.Array(
        t.Object({
          path: t.String(),
          status: t.String({ description: 'imported, partial, failed, skipped or ignored.' }),
          order: t.Optional(t.Integer({ description: 'Place in the order of storing, from 1.' })),
          objects: t.Array(t.Object({ name: t.String(), kind: t.String(), action: t.String() })),
          errors: t.Optional(t.Array(faultSchema(t))),
          message: t.Optional(t.String()),
        }),
      ),
    })
  },
  http: [post('/api/blockgeneration/bulk-import'), post('/api/blockgeneration/bulk-import-async', 'async')],
  mcp: { toolset, destructive: true },
  changes,
  needsInstance: true,
  aliases: {
    ...deviceAliases,
    filePaths: ['files', 'paths', 'xmlFilePaths', 'importFilePaths'],
    folder: folderAliases,
    overwrite: importAliases.overwrite,
    continueOnError: importAliases.continueOnError,
  },
  example: { deviceName: 'PLC_1', filePaths: ['generated/FB_Starter.xml', 'generated/UDT_Motor.xml'] },
  async run({ deviceName: name, ...request }, ctx) {
    const device = requirePlc(ctx, name)
    return (await import('./bulk.ts')).bulkImport(ctx, device, request)
  },
})

const readSpecification = query({
  id: 'block-generation.read-specification',
  title: 'Read a block or PLC data type as its JSON specification',
  description:
    'What `generate-and-import` takes. LAD and FBD networks are text where that gives the same network, else elements and wires. `warnings` name what the specification does not express. A know-how protected block answers 409.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: objectName(t, 'block or type'),
      networks: t.Optional(
        t.Enum(['text', 'graph'], { description: 'graph: networks always as elements and wires. Default: text.' }),
      ),
    }),
  output: (t) => t.Object({ specification: blockSpecification(t), warnings: t.Array(t.String()) }),
  http: [get('/api/blockgeneration/specifications/{deviceName}/{name}')],
  mcp: { toolset },
  aliases: { ...deviceAliases, name: ['blockName', 'typeName', 'block'] },
  async run({ deviceName: plc, name, networks = 'text' }, ctx) {
    const device = requirePlc(ctx, plc)
    const { specificationIn } = await import('./read.ts')
    return specificationIn(ctx, device, name, networks)
  },
})

const blockSpecification = (t: SchemaBuilder) =>
  t.Named('BlockSpecification', () =>
    t.Unsafe<object>(t.Record(t.String(), jsonValue(t), { description: 'As `block-generation.schema` describes it.' })),
  )

const schema = query({
  id: 'block-generation.schema',
  title: 'Show the JSON Schema of specifications, with examples',
  description:
    'Whole, or in parts: `part: overview` lists them with the names in each, `part: design` has one, with `name` one field or example of it.',
  input: (t) =>
    t.Object({
      part: t.Optional(
        t.Enum(['overview', 'specification', 'graph', 'member', 'design', 'examples', 'all'], {
          description: 'Default of REST: all, of tools: overview.',
        }),
      ),
      name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'In the part: networks, ladder …' })),
    }),
  output: (t) =>
    t.Object({
      parts: t.Optional(
        t.Array(
          t.Object({
            part: t.String(),
            description: t.String(),
            characters: t.Integer(),
            names: t.Array(t.String(), { description: 'Fields (? = may be left out) or examples.' }),
          }),
          { description: 'The overview.' },
        ),
      ),
      specification: t.Optional(jsonSchema(t)),
      graph: t.Optional(jsonSchema(t)),
      member: t.Optional(jsonSchema(t)),
      design: t.Optional(jsonSchema(t)),
      examples: t.Optional(t.Record(t.String(), jsonValue(t), { description: schemaParts.examples })),
      part: t.Optional(t.String({ description: 'With name: where it is.' })),
      name: t.Optional(t.String()),
      content: t.Optional(jsonValue(t)),
    }),
  http: [get('/api/blockgeneration/schema')],
  mcp: { toolset, defaults: { part: 'overview' } },
  async run({ part = 'all', name }) {
    const { allParts, onePart, partsOverview } = await import('./schema-parts.ts')
    if (name === undefined && part === 'all') return await allParts()
    if (name === undefined && part === 'overview') return { parts: await partsOverview() }
    return await onePart(part, name)
  },
})

const generateFromDesign = command({
  id: 'block-generation.generate-from-design',
  title: 'Generate the program of a plant from a high-level design',
  description: [
    'Units with their equipment modules (modes, analog inputs and outputs, interlocks, sequences, PID loops, motors, reversing motors, valves, alarm groups) and their wiring become function blocks in SCL, instance data blocks, PLC data types, tags, alarms with texts, a function that calls the units, and its call in the cyclic organization block. GET /api/blockgeneration/schema has the schema and an example.',
    'Generated again after a change of the design, only what differs is touched. What a person wrote between `// <user …>` and `// </user>` is kept, as are start values of instances, comments of tags and texts of alarms. `dryRun` lists what would change. What the design made before and no longer has is listed as obsolete; `prune` deletes that.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      design: designSchema(t),
      dryRun: t.Optional(t.Boolean({ description: 'Only list what would change. Default: false.' })),
      prune: t.Optional(t.Boolean({ description: 'Delete what the design no longer has. Default: false.' })),
      overwrite: t.Optional(
        t.Boolean({ description: 'Replace blocks of these names that were not generated. Default: false (409).' }),
      ),
      compile: t.Optional(t.Boolean({ description: 'Compile what was generated. Default: true.' })),
    }),
  output: (t) =>
    t.Object({
      design: t.String(),
      dryRun: t.Boolean(),
      created: t.Integer(),
      changed: t.Integer(),
      unchanged: t.Integer(),
      deleted: t.Integer(),
      entries: t.Array(
        t.Object({
          kind: t.String({ description: 'Tag, UDT, FB, FC, InstanceDB, OB, Alarm.' }),
          name: t.String(),
          action: t.String({ description: 'create, change, unchanged, delete or obsolete.' }),
          kept: t.Optional(t.Array(t.String(), { description: 'Regions of a person that are kept.' })),
          detail: t.Optional(t.String()),
        }),
      ),
      warnings: t.Array(t.String()),
      compiled: t.Boolean(),
      compileStatus: t.String({ description: 'success, warning, error or notCompiled.' }),
      compileMessages: t.Optional(t.Array(compileMessage(t))),
    }),
  http: [
    post('/api/blockgeneration/generate-from-design'),
    post('/api/blockgeneration/generate-from-design-async', 'async'),
  ],
  mcp: { toolset, destructive: true },
  changes,
  needsInstance: true,
  aliases: { ...deviceAliases, design: ['specification', 'spec', 'json'], dryRun: ['preview', 'simulate'] },
  example: { deviceName: 'PLC_1', design: designExample, dryRun: true },
  async run({ deviceName: name, design, ...request }, ctx) {
    const device = requirePlc(ctx, name)
    const { applyDesign } = await import('./design/apply.ts')
    return applyDesign(ctx, device, design as Design, request)
  },
})

export const generationOperations: readonly Operation[] = [
  generateOnly,
  generateAndImport,
  generateGraphOnly,
  generateGraph,
  importOnly,
  bulkImport,
  generateFromDesign,
  readSpecification,
  schema,
]
