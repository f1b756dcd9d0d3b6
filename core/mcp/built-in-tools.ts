/** The tools that give access to all operations: find, describe and call any operation; follow and cancel jobs. */

import { defined } from '../../lib/optional.ts'
import { shortened } from '../../lib/shortened.ts'
import type { Actor } from '../contract/access.ts'
import { accessOf, isReadOnly, mayCall, type Operation, pathParameters } from '../contract/operation.ts'
import { notFound, problem } from '../contract/problems.ts'
import { buildSchema, type Lazy, type Static, type TObject } from '../contract/schema.ts'
import type { Gateway } from '../gateway.ts'
import { askedBy, mayPropose } from '../input/meaning.ts'
import { operationsMeant } from '../input/meant-operation.ts'
import { compileInput } from '../input/validation.ts'
import type { Job } from '../log/job.ts'
import type { Catalogue } from './catalogue.ts'
import { type ToolDescription, toolsetOf } from './catalogue.ts'
import { searchOperations } from './operation-search.ts'
import { jobUri, jsonOutcome, resultOutcome, type ToolOutcome } from './results.ts'
import { keyOf } from './sessions.ts'
import { risingProgress, type ToolCaller } from './tool-caller.ts'
import { toolInputSchema } from './tool-schemas.ts'

/** What the tools work with. */
export interface ToolServices {
  readonly gateway: Gateway
  readonly catalogue: Catalogue
  run(
    operation: Operation,
    input: Record<string, unknown>,
    caller: ToolCaller,
    mode: 'sync' | 'async',
  ): Promise<ToolOutcome>
  /** The outcome of the call of a job that has ended. */
  outcomeOf(job: Job): ToolOutcome
}

/** A tool that is not an operation. */
export interface BuiltInTool {
  readonly name: string
  readonly title: string
  /** The person is asked before a call. `call_operation` is not: the operation that it calls decides. */
  readonly asks: boolean
  /** Belongs to the smallest selection: with these tools a client reaches everything. */
  readonly dynamic: boolean
  readonly readOnly: boolean
  /** @param isReadOnlySession calls of other operations are refused, so that the tool changes nothing */
  describe(isReadOnlySession: boolean): Promise<ToolDescription>
  /** @throws GatewayError */
  call(args: Record<string, unknown>, caller: ToolCaller, tools: ToolServices): Promise<ToolOutcome>
}

interface Declaration<I extends TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Lazy<I>
  readonly dynamic?: boolean
  readonly readOnly?: boolean
  /** Calls operations: in a read-only session only such that change nothing. */
  readonly calls?: boolean
  readonly destructive?: boolean
  call(input: Static<I>, caller: ToolCaller, tools: ToolServices): Promise<ToolOutcome>
}

/** Declares a tool whose input is checked like that of an operation: names, unknown properties, types. */
function tool<I extends TObject>({
  name,
  title,
  description,
  input,
  dynamic = false,
  readOnly = false,
  calls = false,
  destructive = false,
  call,
}: Declaration<I>): BuiltInTool {
  const checked = { input, http: [] }
  return {
    name,
    title,
    asks: destructive && !calls,
    dynamic,
    readOnly: readOnly || calls,
    async describe(isReadOnlySession) {
      const schema = await buildSchema(input)
      const changesNothing = readOnly || (calls && isReadOnlySession)
      return {
        name,
        title,
        description,
        inputSchema: { ...schema, type: 'object' },
        annotations: {
          readOnlyHint: changesNothing,
          destructiveHint: destructive && !changesNothing,
          ...(changesNothing ? { idempotentHint: true } : {}),
          openWorldHint: false,
        },
      }
    },
    async call(args, caller, tools) {
      return call((await compileInput(checked)).read(args) as Static<I>, caller, tools)
    },
  }
}

const findOperations = tool({
  name: 'find_operations',
  title: 'Find operations',
  description:
    'Searches all operations of the gateway (far more than the tools listed) by what they do, e.g. "rename a tag" or "compare blocks": the best 5 with their input fields (? = may be left out); limit gives more. Call one with call_operation; describe_operation has all about it.',
  dynamic: true,
  readOnly: true,
  input: (t) =>
    t.Object({
      query: t.String({ description: 'Words to look for. Empty: all operations.' }),
      toolset: t.Optional(t.String({ description: 'Only operations of this toolset.' })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 400, description: 'At most this many; 5 by default.' })),
    }),
  async call({ query, toolset, limit = 5 }, { actor, readOnly }, { catalogue }) {
    if (toolset !== undefined && !catalogue.toolsets.has(toolset))
      throw notFound('toolset', toolset, catalogue.toolsets.keys())
    const all = toolset === undefined ? catalogue.operations : catalogue.toolsets.get(toolset)!
    const matching = query.trim() === '' ? all : await searchOperations(all, query)
    const found = matching.filter((o) => mayCall(o, actor.access) && (!readOnly || isReadOnly(o)))
    return jsonOutcome({
      operations: await Promise.all(
        found.slice(0, limit).map(async (operation) => ({
          operation: operation.id,
          title: operation.title,
          kind: operation.kind,
          input: await fieldsOf(operation),
        })),
      ),
      total: found.length,
      ...(found.length === 0 ? { toolsets: [...catalogue.toolsets.keys()].sort() } : {}),
    })
  },
})

/** Fields of an input that are shown in a list. */
const mostFields = 12

/** The fields of an operation's input in short, those that it needs first: `deviceName, name, folder?`. */
async function fieldsOf(operation: Operation): Promise<string> {
  const { properties = {}, required = [] } = (await compileInput(operation)).schema
  const optional = Object.keys(properties).filter((field) => !required.includes(field))
  const all = [...required, ...optional.map((field) => `${field}?`)]
  const shown = Math.max(required.length, mostFields)
  return [...all.slice(0, shown), ...(all.length > shown ? ['…'] : [])].join(', ')
}

const describeOperation = tool({
  name: 'describe_operation',
  title: 'Describe an operation',
  description:
    'Everything about one operation: what it does, its input and output schema, access level, HTTP routes, an example.',
  dynamic: true,
  readOnly: true,
  input: (t) =>
    t.Object({
      operation: t.String({ minLength: 1, description: 'Operation id (blocks.list) or tool name (blocks_list).' }),
    }),
  async call({ operation: id }, _caller, tools) {
    const operation = await requireOperation(tools, id)
    const name = tools.catalogue.nameOf(operation)
    return jsonOutcome({
      operation: operation.id,
      ...(name ? { tool: name } : {}),
      title: operation.title,
      ...(operation.description ? { description: operation.description } : {}),
      kind: operation.kind,
      toolset: toolsetOf(operation),
      access: accessOf(operation),
      ...(operation.needsInstance ? { needsInstance: true } : {}),
      inputSchema: await toolInputSchema(operation, tools.gateway.registry.targetOf(operation) !== undefined),
      ...(operation.kind === 'stream'
        ? {}
        : operation.produces
          ? { produces: operation.produces }
          : { outputSchema: await buildSchema(operation.output) }),
      http: operation.http.map(({ method, path, mode }) => ({
        method,
        path,
        mode,
        pathParameters: pathParameters(path),
      })),
      ...(operation.aliases ? { aliases: operation.aliases } : {}),
      ...defined({ example: operation.example }),
    })
  },
})

const callOperation = tool({
  name: 'call_operation',
  title: 'Call an operation',
  description:
    'Calls any operation by its id with its input. Commands that take longer than 25 s hand back a job (see get_job). dryRun shows what a command would do.',
  dynamic: true,
  calls: true,
  destructive: true,
  input: (t) =>
    t.Object({
      operation: t.String({ minLength: 1, description: 'Operation id, e.g. blocks.list.' }),
      input: t.Optional(t.Record(t.String(), t.Unknown(), { description: 'As describe_operation says.' })),
      dryRun: t.Optional(t.Boolean({ description: 'Run it and show result and events, but change nothing.' })),
      async: t.Optional(t.Boolean({ description: 'Answer with the job at once.' })),
    }),
  async call({ operation: id, input = {}, dryRun, async: asynchronous }, caller, tools) {
    const operation = await requireOperation(tools, id)
    if (dryRun === true && operation.kind !== 'command')
      throw problem('invalid_input', `/dryRun: ${operation.id} is a ${operation.kind}; only commands can be tried.`)
    const full = dryRun === undefined ? input : { ...input, dryRun }
    return withoutLargeStructure(await tools.run(operation, full, caller, asynchronous ? 'async' : 'sync'))
  },
})

const getJob = tool({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Status, progress and result of a job. With wait it answers when the job has ended, or after that many seconds.',
  readOnly: true,
  input: (t) =>
    t.Object({
      jobId: t.String({ minLength: 1 }),
      wait: t.Optional(
        t.Number({ minimum: 0, maximum: 25, description: 'Seconds to wait for the end of the job; 0 by default.' }),
      ),
    }),
  async call({ jobId, wait = 0 }, caller, tools) {
    const { gateway } = tools
    if (wait > 0) await waitForEnd(jobId, wait * 1000, caller, tools)
    const job = await gateway.jobs.find(jobId)
    if (!job) throw problem('not_found', `There is no job "${jobId}".`)
    const operation = gateway.registry.operation(job.command)
    if (
      job.status === 'Completed' &&
      operation &&
      operation.kind !== 'stream' &&
      operation.produces &&
      typeof job.result === 'string'
    ) {
      // The text itself, not an escaped string inside JSON: the same answer as that of the call.
      return tools.outcomeOf(job)
    }
    return withoutLargeStructure(resultOutcome(jobAnswer, withShortInput(job), () => jobUri(jobId)))
  },
})

/** The answer is JSON: `resultOutcome` only needs to know that the operation produces no text. */
const jobAnswer = { kind: 'query', id: 'job', title: 'Job record' } as Operation

const longestText = 500
const mostItems = 50

/** A job with its input in short: the client knows it, and whole files in it would leave no room for the result. */
function withShortInput<T extends { readonly input?: unknown }>(job: T): T {
  if (job.input === undefined) return job
  const short = (_name: string, value: unknown): unknown => {
    if (typeof value === 'string' && value.length > longestText)
      return `${shortened(value, longestText)} (${value.length} characters)`
    if (Array.isArray(value) && value.length > mostItems)
      return [...value.slice(0, mostItems), `… (${value.length} items)`]
    return value
  }
  return { ...job, input: JSON.parse(JSON.stringify(job.input, short)) }
}

async function waitForEnd(
  jobId: string,
  ms: number,
  { signal, onProgress }: ToolCaller,
  { gateway }: ToolServices,
): Promise<void> {
  const job = gateway.jobs.peek(jobId)
  if (!job || job.outcome !== undefined) {
    // It has ended; its records may not be on the disk yet.
    await job?.settled
    return
  }
  const reported = onProgress && risingProgress(onProgress)
  reported?.(job.progress, job.message)
  const listener = (changed: typeof job) => {
    if (changed === job && changed.status === 'Running') reported?.(changed.progress, changed.message)
  }
  if (reported) gateway.bus.on('job', listener)
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const timeout = new Promise<void>((resolve) => {
    stop = resolve
    timer = setTimeout(resolve, ms)
    // A signal that has fired does not fire again: the client may have left while the input was checked.
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([job.settled, timeout])
  clearTimeout(timer)
  signal?.removeEventListener('abort', stop!)
  if (reported) gateway.bus.off('job', listener)
}

const cancelJob = tool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Cancels a pending or running job. None of its changes are kept.',
  destructive: true,
  input: (t) => t.Object({ jobId: t.String({ minLength: 1 }) }),
  async call({ jobId }, { actor }, { gateway }) {
    const job = await cancelOwnJob(gateway, jobId, actor)
    return resultOutcome(jobAnswer, withShortInput(job), () => jobUri(jobId))
  },
})

/**
 * Cancels a job of the caller's key; from level "engineer" on, any.
 * @throws GatewayError `forbidden`, and what `jobs.cancel` throws
 */
export function cancelOwnJob({ jobs }: Gateway, jobId: string, actor: Actor): ReturnType<Gateway['jobs']['cancel']> {
  const job = jobs.peek(jobId)
  const own = job !== undefined && keyOf(job.actor) === keyOf(actor)
  if (actor.access === 'viewer' && !own)
    throw problem('forbidden', `Cancelling a job of another key needs access level "engineer"; this key has "viewer".`)
  return jobs.cancel(jobId)
}

export const builtInTools: readonly BuiltInTool[] = [
  findOperations,
  describeOperation,
  callOperation,
  getJob,
  cancelJob,
]

/** A tool without an output schema need not repeat a long answer as structured content. */
function withoutLargeStructure(outcome: ToolOutcome): ToolOutcome {
  if (outcome.length === undefined) return outcome
  const { structured: _structured, ...rest } = outcome
  return rest
}

async function requireOperation({ gateway, catalogue }: ToolServices, id: string): Promise<Operation> {
  const operation = gateway.registry.operation(id) ?? catalogue.tools.get(id)
  if (operation && catalogue.nameOf(operation)) return operation
  if (operation) throw problem('not_available', `Operation ${operation.id} is not offered to MCP clients.`)
  const meant = operationsMeant(id, catalogue.operations)
  // An id that was guessed has the words of what is looked for.
  const words = /^\w+[._][\w.-]+$/.test(id) ? id.replace(/[._-]+/g, ' ') : ''
  const alike = meant.length > 0 || words === '' ? [] : await searchOperations(catalogue.operations, words)
  const found = [...meant, ...alike.filter((one) => mayPropose(askedBy(id), one, isReadOnly(one))).slice(0, 3)]
  const hint = found.length === 0 ? '' : ` Did you mean ${found.map((one) => `"${one.id}"`).join(', ')}?`
  throw problem('not_found', `There is no operation "${id}".${hint}`, {
    suggestion: meant[0]?.id ?? 'Search with find_operations.',
  })
}
