/**
 * Tool calls (docs/design.md#mcp): a tool is an operation, called with the access of the session's key. Clients give up
 * after about 60 s, so a call answers within 25 s or returns the job. A cancelled call cancels its job.
 */

import { isObject } from '../../lib/is-object.ts'
import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/optional.ts'
import type { Access } from '../contract/access.ts'
import { isReadOnly, type Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import type { Expected } from '../contract/targets.ts'
import type { Gateway } from '../gateway.ts'
import { operationsMeant } from '../input/meant-operation.ts'
import type { ActiveJob } from '../log/active-job.ts'
import type { Job } from '../log/job.ts'
import { type BuiltInTool, builtInTools } from './built-in-tools.ts'
import { Catalogue, defaultSelection, type ToolSelection } from './catalogue.ts'
import { isDestructiveCall, requireConsent } from './confirmation.ts'
import {
  jobOutcome,
  jobUri,
  jsonOutcome,
  LargeResults,
  problemOutcome,
  resultOutcome,
  type ToolOutcome,
} from './results.ts'
import { keyOf } from './sessions.ts'
import { QuestionFirst, risingProgress, type ToolCaller } from './tool-caller.ts'
import { ToolHints } from './tool-hints.ts'

/** A tool answers within this time or returns the job, ms (docs/design.md#mcp). */
const answerWithinMs = 25_000

/** How long the person at a client has to answer a question, ms; then the call is not run. */
const askWithinMs = 120_000

/** No tool of this gateway has the name: JSON-RPC `invalid params` (MCP 2025-06-18, Tools, Error Handling). */
export class UnknownTool extends Error {
  readonly code = -32602
}

/** The tools of one gateway; calls them through `gateway.invoke`. */
export class Tools {
  readonly gateway: Gateway
  readonly catalogue: Catalogue
  readonly results = new LargeResults()
  readonly answerWithinMs: number
  readonly askWithinMs: number
  readonly #builtIn: ReadonlyMap<string, BuiltInTool>
  readonly #hints: ToolHints
  /** Correlation id → callback for that job. One listener serves all calls, because jobs are frequent. */
  readonly #watched = new Map<string, (job: ActiveJob) => void>()

  constructor(gateway: Gateway, options: { answerWithinMs?: number; askWithinMs?: number } = {}) {
    this.gateway = gateway
    this.answerWithinMs = options.answerWithinMs ?? answerWithinMs
    this.askWithinMs = options.askWithinMs ?? askWithinMs
    this.#builtIn = new Map(builtInTools.map((tool) => [tool.name, tool]))
    this.catalogue = new Catalogue(gateway, this.#builtIn.keys())
    this.#hints = new ToolHints(gateway.registry.routes, (operation) => this.#callOf(operation))
    // Runs three times for every command of any caller.
    gateway.bus.on('job', (job) => {
      if (this.#watched.size > 0) this.#watched.get(job.correlationId)?.(job)
    })
  }

  /**
   * The tools of a selection that an access level may call, for `tools/list`: the operations, then the built-in tools.
   */
  async list(selection: ToolSelection = defaultSelection, access?: Access) {
    const { toolsets, readOnly, tools = '' } = selection
    const named = new Set(tools.split(','))
    const isShown = (tool: BuiltInTool) =>
      named.has(tool.name) || (toolsets === '' ? tools === '' : toolsets !== 'dynamic' || tool.dynamic)
    const builtIn = [...this.#builtIn.values()].filter((tool) => isShown(tool) && (!readOnly || tool.readOnly))
    return [
      ...(await this.catalogue.describe(selection, access)),
      ...(await Promise.all(builtIn.map((tool) => tool.describe(readOnly)))),
    ]
  }

  /**
   * Calls a tool. A failure is an outcome with `isError`.
   * @throws UnknownTool; QuestionFirst when the client has to bring the answer of its person
   */
  async call(name: string, args: Record<string, unknown>, caller: ToolCaller): Promise<ToolOutcome> {
    const operation = this.catalogue.tools.get(name)
    try {
      if (operation) return await this.run(operation, args, caller)
      const builtIn = this.#builtIn.get(name)
      if (builtIn && caller.readOnly && !builtIn.readOnly) throw readOnlySession(name)
      if (builtIn) {
        if (builtIn.asks && this.#asksFirst(caller))
          await requireConsent({ id: name, title: builtIn.title, input: args }, caller, this.gateway)
        return await builtIn.call(args, caller, this)
      }
    } catch (error) {
      if (error instanceof QuestionFirst) throw error
      const failure = this.gateway.asProblem(error, operation?.id ?? name, this.gateway.newCorrelationId())
      return problemOutcome(this.gateway.toProblem(failure), this.#hints)
    }
    const [meant] = operationsMeant(name, this.catalogue.operations)
    const near = nearest(name, this.#builtIn.keys()) ?? (meant && this.catalogue.nameOf(meant))
    throw new UnknownTool(
      `There is no tool "${name}".${near ? ` Did you mean "${near}"?` : ''} find_operations searches all operations.`,
    )
  }

  /**
   * Runs an operation for a caller.
   * @throws GatewayError
   */
  async run(
    operation: Operation,
    args: Record<string, unknown>,
    caller: ToolCaller,
    mode: 'sync' | 'async' = 'sync',
  ): Promise<ToolOutcome> {
    if (caller.readOnly && !isReadOnly(operation)) throw readOnlySession(operation.id)
    const { expected, rest } = this.#takeExpected(operation, args)
    const input = withDefaults(operation, rest)
    if (this.#asksFirst(caller) && isDestructiveCall(operation, input))
      await requireConsent(
        { id: operation.id, title: operation.title, input, operation, expected },
        caller,
        this.gateway,
      )
    if (mode === 'async') return this.#submit(operation, input, caller, expected)
    return operation.kind === 'query'
      ? this.#query(operation, input, caller)
      : this.#command(operation, input, caller, expected)
  }

  #asksFirst({ person }: ToolCaller): boolean {
    return person !== undefined && this.gateway.settings.mcp.confirmDestructive
  }

  /** Whether the person may be asked about a call; the client then needs a way to receive the question. */
  mayAsk(name: string, args: Readonly<Record<string, unknown>>): boolean {
    if (!this.gateway.settings.mcp.confirmDestructive) return false
    const builtIn = this.#builtIn.get(name)
    if (builtIn) return builtIn.asks || name === 'call_operation'
    const operation = this.catalogue.tools.get(name)
    return operation !== undefined && isDestructiveCall(operation, args)
  }

  /** Whether a call of this tool may change something. */
  mayChange(name: string): boolean {
    const operation = this.catalogue.tools.get(name)
    return operation ? !isReadOnly(operation) : this.#builtIn.get(name)?.readOnly !== true || name === 'call_operation'
  }

  /** The outcome of the call of a job that has ended. */
  outcomeOf({ jobId, command, result, error }: Job): ToolOutcome {
    if (error) return problemOutcome(error, this.#hints)
    const operation = this.gateway.registry.operation(command)
    return operation ? resultOutcome(operation, result, () => jobUri(jobId)) : jsonOutcome({ result })
  }

  /** Takes `expectedHash`, a parameter of every command whose target can be read, out of the arguments. */
  #takeExpected(operation: Operation, args: Record<string, unknown>): { expected?: Expected; rest: typeof args } {
    const { expectedHash, ...rest } = args
    if (expectedHash === undefined || operation.kind !== 'command') return { rest: args }
    if (!this.gateway.registry.targetOf(operation)) return { rest: args }
    if (typeof expectedHash === 'string' && expectedHash !== '')
      return { expected: expectedHash === '*' ? '*' : [expectedHash.replace(/^"(.*)"$/, '$1')], rest }
    const message = 'must be the `hash` of an earlier read'
    throw problem('invalid_input', `/expectedHash: ${message}`, {
      errors: [{ path: '/expectedHash', message, value: expectedHash }],
    })
  }

  /** How a client that sees only the essential tools calls an operation. */
  #callOf(operation: Operation): string | undefined {
    const name = this.catalogue.nameOf(operation)
    if (name === undefined || this.catalogue.essential.includes(operation)) return name
    return `call_operation ${operation.id}`
  }

  async #submit(
    operation: Operation,
    args: Record<string, unknown>,
    caller: ToolCaller,
    expected: Expected | undefined,
  ): Promise<ToolOutcome> {
    const call = defined({ actor: caller.actor, mode: 'async' as const, expected, group: caller.group })
    const reply = await this.gateway.invoke(operation, args, call)
    if (reply.kind !== 'job') throw problem('not_available', `Operation ${operation.id} does not run as a job.`)
    return jobOutcome(reply.job ?? { jobId: reply.jobId, status: 'Pending', progress: 0, message: undefined })
  }

  #query(operation: Operation, args: Record<string, unknown>, caller: ToolCaller): Promise<ToolOutcome> {
    const abort = new AbortController()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        abort.abort()
        reject(
          problem('request_cancelled', `${operation.id} did not answer within ${this.answerWithinMs / 1000} s.`, {
            suggestion:
              'Ask for less, or call it with call_operation and "async": true and follow the job with get_job.',
          }),
        )
      }, this.answerWithinMs)
      const onAbort = () => {
        abort.abort()
        reject(problem('request_cancelled', 'The client cancelled the request.'))
      }
      caller.signal?.addEventListener('abort', onAbort, { once: true })
      this.gateway
        .invoke(operation, args, {
          ...defined({ group: caller.group }),
          actor: caller.actor,
          signal: abort.signal,
          withHash: true,
        })
        .then((reply) => resolve(this.#outcome(operation, reply, caller)), reject)
        .finally(() => {
          clearTimeout(timer)
          caller.signal?.removeEventListener('abort', onAbort)
        })
    })
  }

  /** Waits for the job's end, the time limit or the client's cancellation, whichever comes first. */
  #command(
    operation: Operation,
    args: Record<string, unknown>,
    caller: ToolCaller,
    expected: Expected | undefined,
  ): Promise<ToolOutcome> {
    const { actor, signal, group, onProgress, onJob } = caller
    const correlationId = this.gateway.newCorrelationId()
    let job: ActiveJob | undefined
    let late = false
    return new Promise((resolve, reject) => {
      const reported = onProgress && risingProgress(onProgress)
      const cancel = () => {
        if (job) this.#cancel(job.jobId)
        reject(problem('request_cancelled', 'The client cancelled the request.'))
      }
      const timer = setTimeout(() => {
        late = true
        if (job) resolve(jobOutcome(job))
      }, this.answerWithinMs)
      this.#watched.set(correlationId, (changed) => {
        if (!job) {
          job = changed
          onJob?.(changed.jobId)
          // The time ran out, or the client cancelled, while the input was still being read.
          if (signal?.aborted) this.#cancel(changed.jobId)
          else if (late) resolve(jobOutcome(changed))
        }
        if (changed.status === 'Running') reported?.(changed.progress, changed.message)
      })
      signal?.addEventListener('abort', cancel, { once: true })
      this.gateway
        .invoke(operation, args, defined({ actor, correlationId, expected, group }))
        .then((reply) => resolve(this.#outcome(operation, reply, caller)), reject)
        .finally(() => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', cancel)
          this.#watched.delete(correlationId)
        })
    })
  }

  #outcome(operation: Operation, reply: Awaited<ReturnType<Gateway['invoke']>>, caller: ToolCaller): ToolOutcome {
    if (reply.kind === 'job')
      return jobOutcome({ jobId: reply.jobId, status: 'Pending', progress: 0, message: undefined })
    const value = withHash(reply.value, reply.hash)
    const whole = (text: string, mimeType: string) =>
      reply.job ? jobUri(reply.job.jobId) : this.results.keep(keyOf(caller.actor), text, mimeType)
    return resultOutcome(operation, value, whole, reply.warnings)
  }

  #cancel(jobId: string) {
    // It may have ended meanwhile: then there is nothing to cancel.
    this.gateway.jobs.cancel(jobId).catch(() => {})
  }
}

/** An object with the hash that a change of it can be made conditional on. */
function withHash(value: unknown, hash: string | undefined): unknown {
  if (hash === undefined || !isObject(value) || 'hash' in value) return value
  return { ...value, hash }
}

function readOnlySession(called: string) {
  return problem('forbidden', `This MCP session is read-only (?readonly=1); ${called} changes something.`)
}

/** The input with the defaults of MCP clients; names are compared as the gateway does, without case. */
function withDefaults({ mcp }: Operation, args: Record<string, unknown>): Record<string, unknown> {
  if (mcp === false || !mcp?.defaults) return args
  const given = new Set(Object.keys(args).map((name) => name.toLowerCase()))
  const missing = Object.entries(mcp.defaults).filter(([name]) => !given.has(name.toLowerCase()))
  return { ...Object.fromEntries(missing), ...args }
}

const toolsOf = new WeakMap<Gateway, Tools>()

/** The tools of a gateway, made on first use. */
export function gatewayTools(gateway: Gateway): Tools {
  let tools = toolsOf.get(gateway)
  if (!tools) {
    tools = new Tools(gateway)
    toolsOf.set(gateway, tools)
  }
  return tools
}
