/** The operations on templates of blocks. The templates themselves are loaded on first use. */
import {
  command,
  defined,
  get,
  jsonSchema,
  jsonValue,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { compileBlocks, importMade } from '../blocks/index.ts'
import { requirePlc } from '../devices/index.ts'
import { importedFields, pageOf } from '../program-objects/index.ts'

const base = '/api/blockgeneration/templates'
const mcp = { toolset: 'block-generation' } as const

const templateName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 100, description: 'Name of the template, e.g. motor-direct.' })

const rowFields = (t: SchemaBuilder) => ({
  name: t.String(),
  title: t.String(),
  category: t.String({ description: 'Drives, Valves, Analog, Process, Alarms, Conveying, Control or Data.' }),
  summary: t.String(),
})
const objectFields = (t: SchemaBuilder) => ({
  objects: t.Array(t.Object({ name: t.String(), kind: t.String({ description: 'UDT, FB or InstanceDB.' }) })),
  source: t.String({ description: 'SCL: types, function block, instance data blocks.' }),
  call: t.String({ description: 'A call of the first instance, for an organization block.' }),
  documentation: t.String({ description: 'Markdown: what it does, states, interface, how to wire it.' }),
})

const list = query({
  id: 'block-templates.list',
  title: 'List the templates of blocks',
  description: 'Sorted by name; `q` is a part of the name.',
  input: (t) => t.Object(t.paging()),
  output: (t) =>
    t.Object({
      templates: t.Array(
        t.Object({ ...rowFields(t), parameters: t.Array(t.String(), { description: 'Names of its parameters.' }) }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(base)],
  mcp,
  async run(input, ctx) {
    const { allTemplates } = await import('./generate.ts')
    const { page, ...rest } = pageOf(allTemplates(ctx), input)
    return {
      templates: page.map(({ name, title, category, summary, parameters }) => ({
        ...{ name, title, category, summary },
        parameters: Object.keys(parameters),
      })),
      ...rest,
    }
  },
})

const read = query({
  id: 'block-templates.get',
  title: 'Show a template of a block',
  description:
    'Its parameters as a JSON schema with defaults, its documentation, an example for generating, and the source that the defaults give.',
  input: (t) => t.Object({ name: templateName(t) }),
  output: (t) =>
    t.Object({
      ...rowFields(t),
      parameters: jsonSchema(t),
      example: t.Record(t.String(), jsonValue(t), { description: 'A body for actions/generate.' }),
      ...objectFields(t),
    }),
  http: [get(`${base}/{name}`)],
  mcp,
  aliases: { name: ['templateName', 'template'] },
  example: { name: 'motor-direct' },
  async run({ name: wanted }, ctx) {
    const { generatedFields, requireTemplate } = await import('./generate.ts')
    const template = requireTemplate(ctx, wanted)
    const { name, title, category, summary, parameters: properties } = template
    const generated = template.generate()
    return {
      ...{ name, title, category, summary },
      parameters: { type: 'object', additionalProperties: false, properties },
      example: { parameters: generated.parameters, deviceName: 'PLC_1', import: true },
      ...generatedFields(generated),
    }
  },
})

const generate = command({
  id: 'block-templates.generate',
  title: 'Generate the blocks of a template, and import them into a device',
  description: [
    'Answers the SCL source of the template with these parameters; what is not given has its default. With `import: true` the objects are imported into `deviceName`, over objects of the same names unless `overwrite` is false, and compiled; objects that are there with the same text stay untouched. All or nothing: with any fault nothing is stored.',
    'Wrong parameters are a 400 with a JSON pointer for each, an unknown template is a 404 with the name nearest to it.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      name: templateName(t),
      parameters: t.Optional(
        t.Record(t.String(), t.Any(), { description: 'Values by name; their schema is in the template.' }),
      ),
      import: t.Optional(
        t.Boolean({ description: 'Import and compile. Default: false, only the source is answered.' }),
      ),
      deviceName: t.Optional(
        t.String({ minLength: 1, maxLength: 200, description: 'The PLC to import into; with import.' }),
      ),
      folder: t.Optional(
        t.String({ maxLength: 1000, description: 'Folder of the program for new blocks, A/B; made when absent.' }),
      ),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present objects. Default: true.' })),
    }),
  output: (t) =>
    t.Object({
      template: t.String(),
      parameters: t.Record(t.String(), jsonValue(t), { description: 'All parameters, with defaults.' }),
      ...objectFields(t),
      imported: t.Boolean(),
      result: t.Optional(t.Object(importedFields(t), { description: 'What the import and the compiler tell.' })),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/{name}/actions/generate`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  changes: '/api/devices/{deviceName}/blocks',
  aliases: {
    name: ['templateName', 'template'],
    parameters: ['params', 'values'],
    import: ['importIntoDevice'],
    deviceName: ['device', 'plcName'],
    folder: ['folderPath', 'blockFolder', 'targetFolder'],
    overwrite: ['override', 'overwriteExisting'],
  },
  example: {
    name: 'motor-direct',
    parameters: { blockName: 'Motor', instances: ['M1', 'M2'], feedbackTime: 1.5 },
    deviceName: 'PLC_1',
    import: true,
  },
  async run({ name, parameters = {}, import: isImported = false, deviceName, folder, overwrite }, ctx) {
    const { generatedFields, generateFrom, requireTemplate } = await import('./generate.ts')
    const template = requireTemplate(ctx, name)
    const generated = generateFrom(template, parameters)
    const answer = { template: template.name, parameters: generated.parameters, ...generatedFields(generated) }
    if (!isImported) {
      const given = { deviceName, folder, overwrite }
      const unused = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]))
      const warnings =
        unused.length === 0 ? [] : [`Nothing was imported: ${unused.join(', ')} go with import: true only.`]
      return { ...answer, imported: false, warnings }
    }
    if (deviceName === undefined) {
      const message = 'is needed with import: true'
      throw problem('invalid_input', `/deviceName: ${message}.`, { errors: [{ path: '/deviceName', message }] })
    }
    const device = requirePlc(ctx, deviceName)
    const stored = await importMade(ctx, device, {
      content: generated.source,
      ...defined({ folder, overwrite }),
    })
    const names = stored.objects.map((one) => one.name)
    const result = { ...stored, ...(await compileBlocks(ctx, device, names)) }
    return { ...answer, imported: true, result, warnings: [...stored.warnings] }
  },
})

export const templateOperations: readonly Operation[] = [list, read, generate]
