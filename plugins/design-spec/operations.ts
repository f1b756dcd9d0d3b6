/** The operations on design specs. Their implementation is loaded on first use. */

import {
  command,
  defined,
  del,
  get,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { compileBlocks, importGenerated } from '../blocks/index.ts'
import { requirePlc } from '../devices/index.ts'
import { currentProject, requireProject } from '../projects/index.ts'
import { copyReport, currentSpec, findSpec, requireSpec, specCleared, specKey } from './spec.ts'

const faultSchema = (t: SchemaBuilder) =>
  t.Object({
    path: t.String({ description: 'What is faulty: /file, or the part of a separate load.' }),
    section: t.String({ description: 'Section of the spec; empty: outside every section.' }),
    line: t.Integer({ description: 'From 1; the line on which the row starts.' }),
    column: t.Optional(t.Integer({ description: 'Number of the column in its row, from 1.' })),
    columnName: t.Optional(t.String({ description: 'The column as the header names it.' })),
    position: t.Optional(t.Integer({ description: 'Character in an action or condition, from 1.' })),
    value: t.String({ description: 'What was found.' }),
    message: t.String(),
    allowed: t.Optional(
      t.Union([t.String(), t.Array(t.String())], { description: 'The allowed values, or what is allowed.' }),
    ),
    suggestion: t.Optional(t.String()),
    code: t.String(),
  })

const countFields = (t: SchemaBuilder) => ({
  areas: t.Integer(),
  processCells: t.Integer(),
  unitTypes: t.Integer(),
  cmTypes: t.Integer(),
  phases: t.Integer(),
})

const loadOutput = (t: SchemaBuilder) =>
  t.Object({
    success: t.Boolean(),
    ...countFields(t),
    warnings: t.Optional(t.Array(faultSchema(t), { description: 'Only when there are any.' })),
  })

const copyRule =
  'When a project is open, a copy is written to `.gantry/cdc/` in its folder and read again when the project is opened.'
const faultRule =
  'When anything is wrong, nothing is loaded: 422 with every fault (section, line, column, value, what is allowed).'

const load = command({
  id: 'design-spec.load',
  title: 'Load a design spec from a CSV file',
  description: `Reads \`[CmTypes]\` and \`[Phases]\` (and the optional hierarchy) into an ISA-88 model, in place of the one loaded before. ${faultRule} ${copyRule}`,
  input: (t) =>
    t.Object({
      file: t.Optional(t.Upload({ description: 'The CSV file (multipart part `file`, or { fileName, content }).' })),
      filePath: t.Optional(
        t.String({ minLength: 1, maxLength: 4096, description: 'A CSV file of the workspace, instead of file.' }),
      ),
    }),
  output: loadOutput,
  http: [post('/api/design-spec/load')],
  mcp: { toolset: 'design-spec', destructive: true },
  aliases: { filePath: ['path', 'importFilePath', 'csvPath'] },
  example: {
    file: {
      fileName: 'Mixer.csv',
      content:
        '[CmTypes]\nCmType;Variable;Direction;DataType;Description\nValve;Open;Out;Bool;Open command\nValve;Opened;In;Bool;Limit switch\n\n[Phases]\nPhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\nFill;1;Open;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2\nFill;2;Done;;TRUE;"Valve.Open:=FALSE";"TRUE";\n',
    },
  },
  async run(input, ctx) {
    const { loadAnswer, loadFile, requireSize } = await import('./load/load.ts')
    if ((input.file === undefined) === (input.filePath === undefined)) {
      throw problem(
        'invalid_input',
        '/file: send the CSV as `file`, or name one of the workspace by `filePath`; one of the two.',
        { errors: [{ path: '/file', message: 'file or filePath is needed' }] },
      )
    }
    if (input.file) {
      requireSize(`"${input.file.fileName}"`, input.file.size)
      const content = await ctx.blobs.get(input.file.blob)
      return loadAnswer(await loadFile(ctx, { fileName: input.file.fileName, content }))
    }
    const fileName = await ctx.files.resolve(input.filePath!)
    requireSize(`"${input.filePath}"`, (await ctx.files.stat(fileName))?.size ?? 0)
    return loadAnswer(await loadFile(ctx, { fileName, content: await ctx.files.read(fileName) }))
  },
})

const partText = (t: SchemaBuilder, description: string) => t.Optional(t.String({ description }))

const loadSeparate = command({
  id: 'design-spec.load-separate',
  title: 'Load a design spec in parts',
  description: `Each part is the text of the sections it covers and replaces those in the loaded model; what is not sent stays. A part of one section may leave out the section line. ${faultRule} ${copyRule}`,
  input: (t) =>
    t.Object({
      inputs: partText(t, '`[CmTypes]` rows with Direction In.'),
      outputs: partText(t, '`[CmTypes]` rows with Direction Out.'),
      logic: partText(t, '`[Phases]`.'),
      configuration: partText(t, 'The hierarchy: `[Areas]`, `[ProcessCells]`, `[UnitTypes]`.'),
      fileName: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 250,
          description: 'Names the spec when none is loaded yet. Default: DesignSpec.csv.',
        }),
      ),
    }),
  output: loadOutput,
  http: [post('/api/design-spec/load-separate')],
  mcp: { toolset: 'design-spec', destructive: true },
  example: {
    inputs: 'CmType;Variable;Direction;DataType;Description\nValve;Opened;In;Bool;Limit switch\n',
    outputs: 'CmType;Variable;Direction;DataType;Description\nValve;Open;Out;Bool;Open command\n',
  },
  async run({ fileName, inputs, outputs, logic, configuration }, ctx) {
    const { loadAnswer, loadParts } = await import('./load/load.ts')
    const given = defined({ inputs, outputs, logic, configuration })
    // Forms send an empty text for a part that is not filled in; one that says nothing at all is told so.
    const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text.trim() !== ''))
    const parts = Object.keys(filled).length > 0 ? filled : given
    const names = ['inputs', 'outputs', 'logic', 'configuration']
    if (Object.keys(parts).length === 0) {
      throw problem('invalid_input', `No part is given; send at least one of ${names.join(', ')}.`, {
        errors: [{ path: '', message: 'at least one part is needed', allowed: names }],
      })
    }
    return loadAnswer(await loadParts(ctx, parts, fileName ?? 'DesignSpec.csv'))
  },
})

const model = query({
  id: 'design-spec.model',
  title: 'Show the loaded design model',
  description:
    'The ISA-88 hierarchy Area > ProcessCell > UnitType > control-module types and phases, with the number of variables and steps. 404 when no spec is loaded.',
  input: (t) => t.Object({}),
  output: (t) => {
    const counted = (count: string) => t.Array(t.Object({ name: t.String(), [count]: t.Integer() }))
    const unitType = t.Object({ name: t.String(), cmTypes: counted('variables'), phases: counted('steps') })
    const processCell = t.Object({ name: t.String(), unitTypes: t.Array(unitType) })
    return t.Object({ areas: t.Array(t.Object({ name: t.String(), processCells: t.Array(processCell) })) })
  },
  http: [get('/api/design-spec/model')],
  mcp: { toolset: 'design-spec' },
  async run(_input, ctx) {
    const spec = findSpec(ctx)
    const [{ modelOf }, { modelView }] = await Promise.all([import('./load/load.ts'), import('./model/model-view.ts')])
    return modelView(await modelOf(ctx, spec))
  },
})

const clear = command({
  id: 'design-spec.delete-model',
  title: 'Clear the loaded design model',
  description: 'Also removes the copy in the folder of the open project. Blocks that were generated stay.',
  input: (t) => t.Object({}),
  output: (t) => t.Object({ success: t.Boolean(), cleared: t.Boolean({ description: 'false: none was loaded.' }) }),
  http: [del('/api/design-spec/model')],
  mcp: { toolset: 'design-spec', destructive: true },
  async run(_input, ctx) {
    const spec = currentSpec(ctx)
    if (!spec) return { success: true, cleared: false }
    const project = currentProject(ctx)
    if (project) await (await import('./load/copy-files.ts')).removeCopy(ctx, project, spec)
    ctx.emit(specCleared, { id: spec.id, sourceName: spec.sourceName }, `design-spec/${spec.sourceName}`)
    return { success: true, cleared: true }
  },
})

const phases = query({
  id: 'design-spec.phases',
  title: 'List the phases of the design model with their step names',
  description: 'An array of `{ name, steps }`, the steps in the order of their numbers. 404 when no spec is loaded.',
  input: (t) => t.Object({}),
  output: (t) => t.Array(t.Object({ name: t.String(), steps: t.Array(t.String()) })),
  http: [get('/api/design-spec/phases')],
  mcp: { toolset: 'design-spec' },
  async run(_input, ctx) {
    const spec = findSpec(ctx)
    const [{ modelOf }, { phasesView }] = await Promise.all([import('./load/load.ts'), import('./model/model-view.ts')])
    return phasesView(await modelOf(ctx, spec))
  },
})

const phaseField = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of a phase, as the list of phases shows it.' })

const generate = query({
  id: 'design-spec.generate',
  title: 'Generate the SCL function block of a phase',
  description:
    'Answers the source text of `FB_<phase>`. Nothing is imported. The same spec gives the same bytes. 409 when no spec is loaded.',
  input: (t) =>
    t.Object({
      phase: phaseField(t),
      includeTypes: t.Optional(
        t.Boolean({ description: 'Put the sources of the types UDT_<CmType> that the block uses before it.' }),
      ),
    }),
  output: (t) => t.String({ description: 'SCL source text.' }),
  http: [post('/api/design-spec/generate')],
  mcp: { toolset: 'design-spec' },
  produces: 'text/plain',
  aliases: { phase: ['phaseName', 'phaseType'] },
  example: { phase: 'Fill' },
  async run({ phase, includeTypes }, ctx) {
    const spec = requireSpec(ctx)
    const { generatePhaseOf } = await import('./load/load.ts')
    const { scl, udts } = await generatePhaseOf(ctx, spec, phase)
    return includeTypes === true ? [...udts.map((udt) => udt.scl), scl].join('') : scl
  },
})

const generateAndImport = command({
  id: 'design-spec.generate-and-import',
  title: 'Generate the block of a phase and import it into a device',
  description:
    'Generates `FB_<phase>` and the types `UDT_<CmType>` it uses, wraps them in block XML and imports them over what is there; what is the same already stays untouched. Then the block is compiled with what it uses: `compiled` says whether that went without errors.',
  input: (t) =>
    t.Object({
      phase: phaseField(t),
      device: t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC that it is imported into.' }),
    }),
  output: (t) => {
    const action = t.String({ description: 'created, replaced or unchanged.' })
    return t.Object({
      phase: t.String(),
      blockName: t.String(),
      imported: t.Boolean(),
      compiled: t.Boolean(),
      errors: t.Array(
        t.Object({
          path: t.String(),
          message: t.String(),
          code: t.Optional(t.String()),
          network: t.Optional(t.Integer()),
          line: t.Optional(t.Integer()),
          column: t.Optional(t.Integer()),
          hint: t.Optional(t.String()),
        }),
        { description: 'Of the compiler.' },
      ),
      warnings: t.Integer({ description: 'Of the import and the compiler.' }),
      blockNumber: t.Optional(t.Integer()),
      action,
      types: t.Array(t.Object({ name: t.String(), action })),
      messages: t.Array(t.String(), { description: 'The warnings.' }),
      compileStatus: t.String({ description: 'success, warning or error.' }),
    })
  },
  http: [post('/api/design-spec/generate-and-import'), post('/api/design-spec/generate-and-import-async', 'async')],
  mcp: { toolset: 'design-spec', destructive: true },
  needsInstance: true,
  aliases: { phase: ['phaseName', 'phaseType'], device: ['deviceName'] },
  example: { phase: 'Fill', device: 'PLC_1' },
  async run({ phase, device: deviceName }, ctx) {
    const spec = requireSpec(ctx)
    const { generatePhaseOf } = await import('./load/load.ts')
    const device = requirePlc(ctx, deviceName)
    const generated = await generatePhaseOf(ctx, spec, phase)
    const { objects, warnings } = await importGenerated(ctx, device, [
      ...generated.udts.map(({ name, scl }) => ({ name, kind: 'UDT', text: scl })),
      { name: generated.blockName, kind: 'FB', text: generated.scl },
    ])
    const block = objects.find(({ name }) => name === generated.blockName)!
    const { compiled, compileStatus, compileMessages } = await compileBlocks(ctx, device, [generated.blockName])
    const messages = [
      ...warnings,
      ...compileMessages.filter(({ state }) => state === 'Warning').map((one) => `${one.path}: ${one.description}`),
    ]
    return {
      phase: generated.phase,
      blockName: generated.blockName,
      imported: true,
      compiled,
      errors: compileMessages
        .filter(({ state }) => state === 'Error')
        .map(({ path, description: message, code, network, line, column, hint }) =>
          defined({ path, message, code, network, line, column, hint }),
        ),
      warnings: messages.length,
      ...defined({ blockNumber: block.number }),
      action: block.action,
      types: objects.filter((object) => object !== block).map(({ name, action }) => ({ name, action })),
      messages,
      compileStatus,
    }
  },
})

const status = query({
  id: 'design-spec.status',
  title: 'Show what design spec is loaded and what became of its copy',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      loaded: t.Boolean(),
      sourceName: t.Optional(t.String()),
      origin: t.Optional(
        t.String({ description: 'file, parts (loaded in parts), or copy (read from the folder of the project).' }),
      ),
      loadedAt: t.Optional(t.DateTime()),
      size: t.Optional(t.Integer({ description: 'Bytes of the spec.' })),
      counts: t.Optional(t.Object(countFields(t))),
      warnings: t.Array(faultSchema(t)),
      copyPath: t.Optional(t.String({ description: 'The copy in the folder of the open project.' })),
      copy: t.Optional(
        t.Object(
          {
            file: t.String(),
            readAt: t.DateTime(),
            loaded: t.Boolean(),
            failure: t.Optional(t.String()),
            errors: t.Array(faultSchema(t)),
          },
          { description: 'What became of reading the copy, when it was read.' },
        ),
      ),
    }),
  http: [get('/api/design-spec')],
  mcp: { toolset: 'design-spec' },
  async run(_input, ctx) {
    const spec = currentSpec(ctx)
    const project = currentProject(ctx)
    const report = ctx.read(copyReport).get(specKey)
    const [{ toFault }, { copyPath }] = await Promise.all([import('./load/load.ts'), import('./load/copy-files.ts')])
    const iso = (time: number) => new Date(time).toISOString()
    return {
      loaded: spec !== undefined,
      ...(spec === undefined
        ? {}
        : {
            sourceName: spec.sourceName,
            origin: spec.origin,
            loadedAt: iso(spec.loadedAt),
            size: spec.sourceBytes,
            counts: spec.counts,
            ...(project && project.id === spec.projectId ? { copyPath: `${project.path}/${copyPath(spec)}` } : {}),
          }),
      warnings: (spec?.warnings ?? []).map(toFault),
      ...(report === undefined
        ? {}
        : {
            copy: {
              file: report.file,
              readAt: iso(report.readAt),
              loaded: report.failure === undefined,
              ...defined({ failure: report.failure }),
              errors: report.faults.map(toFault),
            },
          }),
    }
  },
})

const reload = command({
  id: 'design-spec.reload',
  title: 'Read the copy of the design spec in the project again',
  description:
    'For a copy in `.gantry/cdc/` that was edited while the project is open. A faulty copy is reported in `errors`; what is loaded stays.',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      success: t.Boolean(),
      status: t.String({ description: 'loaded, unchanged, refused, or none (the project has no copy).' }),
      file: t.Optional(t.String({ description: 'The copy, in the folder of the project.' })),
      message: t.Optional(t.String({ description: 'Why it was refused.' })),
      counts: t.Optional(t.Object(countFields(t))),
      errors: t.Array(faultSchema(t)),
    }),
  http: [post('/api/design-spec/actions/reload')],
  mcp: { toolset: 'design-spec', destructive: true },
  async run(_input, ctx) {
    const project = requireProject(ctx)
    const [{ reloadCopy }, { toFault }] = await Promise.all([import('./load/copy.ts'), import('./load/load.ts')])
    const outcome = await reloadCopy(ctx, project)
    const base = { success: outcome.kind !== 'refused', status: outcome.kind, errors: [] }
    if (outcome.kind === 'none') return base
    const { file } = outcome
    if (outcome.kind === 'refused')
      return { ...base, file, message: outcome.reason, errors: outcome.faults.map(toFault) }
    return { ...base, file, counts: outcome.spec.counts }
  },
})

export const specOperations: readonly Operation[] = [
  load,
  loadSeparate,
  model,
  clear,
  phases,
  generate,
  generateAndImport,
  status,
  reload,
]
