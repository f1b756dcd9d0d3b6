/** Pipelines of the open project: `/api/pipelines`. What runs them is loaded on first use. */
import {
  type CommandContext,
  command,
  defined,
  del,
  get,
  jsonValue,
  noInput,
  notFound,
  type Operation,
  operationInput,
  post,
  problem,
  query,
  type SchemaBuilder,
  type TSchema,
} from '../../core/index.ts'
import { devices } from '../devices/index.ts'
import { currentProject, requireProject } from '../projects/index.ts'
import {
  allPipelines,
  conditions,
  type Execution,
  executions,
  keyOf,
  mostExecutions,
  type Pipeline,
  type PipelineStep,
  pipelineDeleted,
  pipelineEnded,
  pipelineSaved,
  pipelines,
  requirePipeline,
} from './state.ts'
import { templates } from './templates.ts'

const base = '/api/pipelines'
const mcp = { toolset: 'pipelines' } as const

const name = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 200, description: 'Case does not matter.' })
const variables = <V extends TSchema>(t: SchemaBuilder, value: V, description: string) =>
  t.Optional(t.Record(t.String(), value, { maxProperties: 100, description }))

/** @param value schema of a value in a variable, `input` of the input of a step: answers have names for them */
const fields = <V extends TSchema, I extends TSchema>(t: SchemaBuilder, value: V, input: I) => ({
  name: name(t),
  description: t.Optional(t.String({ maxLength: 10_000 })),
  trigger: t.Optional(t.Enum(['manual'], { description: 'Another program starts it; there is no schedule.' })),
  variables: variables(t, value, 'Values that stand in `params` as `{{name}}`; a run can give others.'),
  steps: t.Array(
    t.Object({
      name: t.String({ minLength: 1, maxLength: 200 }),
      action: t.String({ minLength: 1, maxLength: 200, description: 'Id of an operation: blocks.compile-device.' }),
      params: t.Optional(input),
      condition: t.Optional(
        t.Enum([...conditions], { description: 'onSuccess (default): when no step before it has failed.' }),
      ),
      timeoutSeconds: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 86_400, description: 'Default: 600.' })),
      retryCount: t.Optional(t.Integer({ minimum: 0, maximum: 20, description: 'Further attempts. Default: 0.' })),
      retryDelayMs: t.Optional(t.Integer({ minimum: 0, maximum: 3_600_000, description: 'Default: 1000.' })),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  onFailure: t.Optional(
    t.Enum(['stop', 'continue'], { description: 'stop (default): steps behind a failed one are skipped.' }),
  ),
  createdAt: t.Optional(t.String({ description: 'Shown; what a client sends is not taken.' })),
  updatedAt: t.Optional(t.String({ description: 'The same.' })),
})

const ends = ['Completed', 'Failed', 'Cancelled', 'Skipped'] as const
const executionFields = (t: SchemaBuilder) => ({
  id: t.String({ description: 'That of its job.' }),
  jobId: t.String(),
  pipelineName: t.String(),
  status: t.Enum([...ends]),
  stepResults: t.Array(
    t.Object({
      stepIndex: t.Integer({ description: 'From 1.' }),
      stepName: t.String(),
      action: t.String(),
      status: t.Enum([...ends]),
      startedAt: t.DateTime(),
      completedAt: t.DateTime(),
      durationMs: t.Number(),
      resultMessage: t.String(),
      error: t.Optional(t.String()),
      attempts: t.Integer(),
    }),
  ),
  startedAt: t.DateTime(),
  completedAt: t.DateTime(),
  durationMs: t.Number(),
  error: t.Optional(t.String({ description: 'Of the first step that failed.' })),
})

const view = (one: Pipeline) => ({ ...one, steps: one.steps.map((step) => ({ ...step })) })
const told = (one: Execution) => ({ ...one, stepResults: [...one.stepResults] })

const list = query({
  id: 'pipelines.list',
  title: 'List the pipelines of the project',
  description: 'Their names, sorted.',
  input: noInput,
  output: (t) => t.Object({ pipelines: t.Array(t.String()), total: t.Integer() }),
  http: [get(base)],
  mcp,
  run(_, ctx) {
    requireProject(ctx)
    const names = allPipelines(ctx).map((one) => one.name)
    return { pipelines: names, total: names.length }
  },
})

const show = query({
  id: 'pipelines.get',
  title: 'Show a pipeline',
  input: (t) => t.Object({ name: name(t) }),
  output: (t) => t.Object(fields(t, jsonValue(t), operationInput(t))),
  http: [get(`${base}/{name}`)],
  mcp,
  run(input, ctx) {
    requireProject(ctx)
    return view(requirePipeline(ctx, input.name))
  },
})

interface Given {
  readonly name: string
  readonly description?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly steps: readonly (Pick<PipelineStep, 'name' | 'action'> & { readonly [field: string]: unknown })[]
  readonly onFailure?: Pipeline['onFailure'] | undefined
}

/** Names that the addresses of this plugin need. */
const reserved = ['executions', 'templates']

/** Checks a pipeline and keeps it. @throws GatewayError `invalid_input` with the place, `forbidden` */
async function keep(
  ctx: CommandContext,
  given: Given,
): Promise<{ readonly pipeline: Pipeline; readonly created: boolean }> {
  const message = reserved.includes(keyOf(given.name))
    ? 'is part of another address'
    : /[\\/]/.test(given.name)
      ? 'must not have / or \\: it is part of addresses'
      : undefined
  if (message !== undefined)
    throw problem('invalid_input', `/name: ${message}.`, { errors: [{ path: '/name', message, value: given.name }] })
  const before = ctx.read(pipelines).get(keyOf(given.name))
  const now = new Date(ctx.now).toISOString()
  const pipeline: Pipeline = {
    name: given.name,
    description: given.description ?? '',
    trigger: 'manual',
    variables: given.variables ?? {},
    steps: given.steps.map(
      (step) =>
        ({
          ...{ condition: 'onSuccess', timeoutSeconds: 600, retryCount: 0, retryDelayMs: 1000 },
          ...step,
        }) as PipelineStep,
    ),
    onFailure: given.onFailure ?? 'stop',
    createdAt: before?.createdAt ?? now,
    ...(before ? { updatedAt: now } : {}),
  }
  await (await import('./check.ts')).checkSteps(ctx, pipeline)
  ctx.emit(pipelineSaved, pipeline, `pipeline/${pipeline.name}`)
  return { pipeline, created: before === undefined }
}

const save = command({
  id: 'pipelines.save',
  title: 'Define a pipeline, or replace it',
  description:
    'Steps call operations of this gateway, one after the other. Each operation and its input are checked: faults are a 400 with their place. It is kept in the project (`pipelines/<name>.json`).',
  input: (t) => t.Object(fields(t, t.Any(), t.Record(t.String(), t.Any(), { description: 'Its input.' }))),
  output: (t) => t.Object({ name: t.String(), steps: t.Integer(), created: t.Boolean() }),
  http: [post(base)],
  mcp,
  aliases: { name: ['pipelineName'] },
  example: {
    name: 'Nightly',
    variables: { plc: 'PLC_1' },
    steps: [
      { name: 'Compile', action: 'blocks.compile-device', params: { deviceName: '{{plc}}' } },
      { name: 'Test', action: 'plc-tests.run', params: { deviceName: '{{plc}}' } },
      { name: 'Save', action: 'projects.save', condition: 'always' },
    ],
  },
  async run(input, ctx) {
    requireProject(ctx)
    const { pipeline, created } = await keep(ctx, input as Given)
    return { name: pipeline.name, steps: pipeline.steps.length, created }
  },
})

const remove = command({
  id: 'pipelines.delete',
  title: 'Delete a pipeline',
  description: 'Its executions stay in the history.',
  input: (t) => t.Object({ name: name(t) }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del(`${base}/{name}`)],
  mcp: { ...mcp, destructive: true },
  run(input, ctx) {
    requireProject(ctx)
    const found = requirePipeline(ctx, input.name)
    ctx.emit(pipelineDeleted, { name: found.name }, `pipeline/${found.name}`)
    return { name: found.name, deleted: true }
  },
})

const run = command({
  id: 'pipelines.run',
  title: 'Run a pipeline',
  description:
    'Each step is a job of its own, with the access level of the caller. A step has failed when its operation is refused, takes too long, or its result says so (errors of a compilation, tests that did not pass). When one has failed the job fails with `pipeline_failed`; the execution is in the history.',
  input: (t) => t.Object({ name: name(t), variables: variables(t, t.Any(), 'Instead of those of the pipeline.') }),
  output: (t) => t.Object(executionFields(t)),
  http: [post(`${base}/{name}/run`, 'async'), post(`${base}/{name}/run-sync`)],
  asks: ['run a pipeline', 'run several operations one after the other'],
  mcp: { ...mcp, destructive: true },
  live: true,
  besideLane: true,
  lasting: 'What its steps did can be taken back step by step.',
  aliases: { name: ['pipelineName'] },
  example: { name: 'Nightly', variables: { plc: 'PLC_2' } },
  async run(input, ctx) {
    requireProject(ctx)
    const pipeline = requirePipeline(ctx, input.name)
    const given = input.variables ?? {}
    const unknown = Object.keys(given).find((one) => !Object.hasOwn(pipeline.variables, one))
    if (unknown !== undefined) throw notFound('variable', unknown, Object.keys(pipeline.variables))
    const { execute } = await import('./run.ts')
    const planned = ctx.dryRun ? { ...pipeline, steps: [] } : pipeline
    const execution = await execute(ctx, planned, given)
    if (ctx.dryRun) return told(execution)
    const operation = ctx.gateway.registry.operation(keepExecution.id)
    if (operation) await ctx.gateway.invoke(operation, { ...execution }, { actor: { ...ctx.actor, access: 'admin' } })
    ctx.signal.throwIfAborted()
    if (execution.status !== 'Failed') return told(execution)
    const { failure } = await import('./problems.ts')
    throw failure('pipeline_failed', `Pipeline "${pipeline.name}": ${execution.error}`, { extra: { execution } })
  },
})

const keepExecution = command({
  id: 'pipelines.keep-execution',
  title: 'Keep how a run of a pipeline ended',
  description: 'A run calls it at its end.',
  input: (t) => t.Object(executionFields(t)),
  output: (t) => t.Object({ kept: t.Boolean() }),
  http: [],
  mcp: false,
  access: 'admin',
  run(input, ctx) {
    // A step may have closed the project: then there is nothing that it belongs to.
    if (currentProject(ctx) === undefined) return { kept: false }
    ctx.emit(pipelineEnded, input as Execution, `pipeline/${input.pipelineName}`)
    return { kept: true }
  },
})

const history = query({
  id: 'pipelines.list-executions',
  title: 'List runs of pipelines, the latest first',
  description: `The last ${mostExecutions} since the project was opened.`,
  input: (t) =>
    t.Object({
      name: t.Optional(name(t)),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 10_000, description: 'Default: 20.' })),
      cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      executions: t.Array(t.Object(executionFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(`${base}/executions`)],
  byTime: true,
  mcp,
  aliases: { name: ['pipelineName'] },
  run({ name: wanted, limit = 20, cursor }, ctx) {
    requireProject(ctx)
    const all = [...ctx.read(executions).values()]
      .filter((one) => wanted === undefined || keyOf(one.pipelineName) === keyOf(wanted))
      .reverse()
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
    if (cursor !== undefined && from === 0) throw problem('gone', `Execution "${cursor}" is not kept any more.`)
    const page = all.slice(from, from + limit)
    const next = from + limit < all.length ? { nextCursor: page.at(-1)!.id } : {}
    return { executions: page.map(told), total: all.length, ...next }
  },
})

const showExecution = query({
  id: 'pipelines.get-execution',
  title: 'Show a run of a pipeline',
  input: (t) => t.Object({ id: t.String({ minLength: 1, maxLength: 100 }) }),
  output: (t) => t.Object(executionFields(t)),
  http: [get(`${base}/executions/{id}`)],
  mcp,
  run({ id }, ctx) {
    requireProject(ctx)
    const found = ctx.read(executions).get(id)
    if (!found) throw notFound('execution', id, ctx.read(executions).keys())
    return told(found)
  },
})

const listTemplates = query({
  id: 'pipelines.list-templates',
  title: 'List pipelines to begin with',
  input: noInput,
  output: (t) =>
    t.Object({
      templates: t.Array(t.Object({ id: t.String(), name: t.String(), description: t.String(), category: t.String() })),
      total: t.Integer(),
    }),
  http: [get(`${base}/templates`)],
  mcp,
  run: () => ({
    templates: templates.map(({ id, name: title, description, category }) => ({
      id,
      name: title,
      description,
      category,
    })),
    total: templates.length,
  }),
})

const instantiate = command({
  id: 'pipelines.instantiate-template',
  title: 'Define a pipeline from a template',
  description:
    'The PLC is that of `parameters.deviceName`, else the only one of the project. A pipeline of that name stays (409).',
  input: (t) =>
    t.Object({
      templateId: t.String({ minLength: 1, maxLength: 100 }),
      pipelineName: name(t),
      parameters: t.Optional(
        t.Record(t.String(), t.String(), { maxProperties: 100, description: 'Values of its variables.' }),
      ),
    }),
  output: (t) => t.Object(fields(t, jsonValue(t), operationInput(t))),
  http: [post(`${base}/templates/{templateId}/instantiate`)],
  mcp,
  aliases: { templateId: ['id', 'template'], pipelineName: ['name'] },
  example: { templateId: 'compile-and-test', pipelineName: 'Nightly' },
  async run({ templateId, pipelineName, parameters = {} }, ctx) {
    requireProject(ctx)
    const ids = templates.map((one) => one.id)
    const template = templates.find((one) => one.id === templateId)
    if (!template) throw notFound('template', templateId, ids)
    if (ctx.read(pipelines).has(keyOf(pipelineName)))
      throw problem('name_taken', `There is a pipeline "${pipelineName}" already.`)
    const unknown = Object.keys(parameters).find((one) => !Object.hasOwn(template.variables, one))
    if (unknown !== undefined) throw notFound('parameter', unknown, Object.keys(template.variables))
    const deviceName = parameters.deviceName ?? onlyPlc(ctx)
    const { description, steps } = template
    const variables = { ...template.variables, ...parameters, deviceName }
    return view((await keep(ctx, { name: pipelineName, description, steps, variables })).pipeline)
  },
})

/** @throws GatewayError `invalid_input` when there is none, or several */
function onlyPlc(ctx: CommandContext): string {
  const plcs = [...ctx.read(devices).values()].filter(({ kind, unplaced }) => kind === 'PLC' && !unplaced)
  if (plcs.length === 1) return plcs[0]!.name
  const message = plcs.length === 0 ? 'the project has no PLC' : 'is missing'
  throw problem('invalid_input', `/parameters/deviceName: ${message}.`, {
    errors: [defined({ path: '/parameters/deviceName', message, allowed: plcs.map((one) => one.name) })],
  })
}

export const pipelineOperations: readonly Operation[] = [
  ...[list, history, showExecution, listTemplates, show, save, remove],
  ...[run, keepExecution, instantiate],
]
