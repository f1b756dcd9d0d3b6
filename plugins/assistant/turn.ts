/**
 * One turn of a talk: what a person says, and all that follows until the assistant has answered, asks for a yes, or is
 * stopped. It collects what is said and called, tells it as events, and keeps it in the history at the end.
 */
import { type Actor, type CommandContext, defined, type Gateway, problem } from '../../core/index.ts'
import type { KeptTurn } from './history.ts'
import { noUsage, type Usage } from './providers/usage.ts'
import { assistantSettings } from './settings.ts'
import type { AssistantSettings, CallNote } from './state.ts'
import { assistantFor, type CallResult, TurnTools, type UnderstoodCall } from './tools.ts'

/** Why a turn ended. */
export const finishReasons = [
  'stop',
  'approval',
  'length',
  'content-filter',
  'steps',
  'stopped',
  'cut',
  'failed',
  'other',
] as const
export type FinishReason = (typeof finishReasons)[number]

/** A change that waits for a yes, as clients see it. */
export interface WaitingChange {
  readonly approvalId: string
  readonly operation: string
  readonly title: string
  /** With its secrets masked. */
  readonly input: Readonly<Record<string, unknown>>
  /** What its dry run says. */
  readonly effect: string
  readonly dryRunJobId?: string
}

export interface TurnResult {
  readonly turnId: string
  readonly role: 'assistant'
  readonly content: string
  readonly timestamp: string
  readonly model: string
  readonly finishReason: FinishReason
  readonly calls: readonly CallNote[]
  readonly usage: Usage
  readonly approval?: WaitingChange
  readonly warnings: readonly string[]
}

/** What a turn is about. */
export interface TurnFacts {
  /** The job that the turn began with. */
  readonly turnId: string
  readonly projectKey: string
  readonly locale?: string
  /** `<provider>/<model>`. */
  readonly model: string
}

/** A change that the model wants, and the sealed rest of its turn. */
export interface WantedChange {
  readonly call: UnderstoodCall
  readonly tried: CallResult
  /** JSON of what is needed to go on. */
  readonly rest: string
}

interface Running {
  readonly jobId: string
  readonly key: string
  readonly projectKey: string
  readonly stop: AbortController
}

/** Turns of one key that are answered at once: each may cost money. */
const mostAtOnce = 8

/** Turns that are being answered, by gateway. */
const running = new WeakMap<Gateway, Set<Running>>()

/** The name of a key in an actor's name. */
export const keyName = (actor: Actor): string => actor.name.split('/', 1)[0]!

/**
 * Stops turns at once; each ends with what has come.
 * @param which those of a key, of a project, of a job; every condition that is given must hold
 * @returns their jobs
 */
export function stopTurns(
  gateway: Gateway,
  which: { readonly key?: string; readonly projectKey?: string; readonly jobId?: string },
): string[] {
  const stopped = [...(running.get(gateway) ?? [])].filter(
    ({ key, projectKey, jobId }) =>
      (which.key ?? key) === key && (which.projectKey ?? projectKey) === projectKey && (which.jobId ?? jobId) === jobId,
  )
  for (const { stop } of stopped) stop.abort()
  return stopped.map(({ jobId }) => jobId)
}

export class Turn {
  readonly ctx: CommandContext
  readonly facts: TurnFacts
  readonly settings: AssistantSettings
  /** Fires when the turn is stopped or its job is cancelled. */
  readonly signal: AbortSignal
  readonly tools: TurnTools
  readonly warnings: string[] = []
  #text = ''
  readonly #calls: CallNote[] = []
  #usage = noUsage

  private constructor(ctx: CommandContext, facts: TurnFacts, signal: AbortSignal, tools: TurnTools) {
    this.ctx = ctx
    this.facts = facts
    this.settings = assistantSettings(ctx)
    this.signal = signal
    this.tools = tools
  }

  /**
   * Runs a turn and keeps it.
   * @param said by the person; absent when the turn goes on after a yes or a no
   * @param answer talks; returns why it ended, with the change that it wants to make
   * @throws what `answer` throws, when nothing was said or called before
   */
  static async run(
    ctx: CommandContext,
    facts: TurnFacts,
    said: string | undefined,
    answer: (turn: Turn) => Promise<FinishReason | WantedChange>,
  ): Promise<TurnResult> {
    // The talk itself has an effect: it is kept, and it asks a provider.
    if (ctx.dryRun)
      throw problem(
        'invalid_input',
        '/dryRun: a talk cannot be tried out. Every change in it is tried out before it is made; with the setting `writes: never` none is made.',
      )
    const own = { jobId: ctx.jobId, key: keyName(ctx.actor), projectKey: facts.projectKey, stop: new AbortController() }
    const all = running.get(ctx.gateway) ?? new Set()
    if ([...all].filter(({ key }) => key === own.key).length >= mostAtOnce)
      throw problem(
        'too_many_requests',
        `${mostAtOnce} turns of this key are being answered. POST /api/assistant/stop ends them.`,
        {
          extra: { retryAfterSeconds: 5 },
        },
      )
    running.set(ctx.gateway, all.add(own))
    try {
      const signal = AbortSignal.any([ctx.signal, own.stop.signal])
      const tools = await TurnTools.open(ctx.gateway, assistantFor(ctx.actor), facts.turnId, signal)
      const turn = new Turn(ctx, facts, signal, tools)
      return await turn.#keep(said, await turn.#answered(answer))
    } finally {
      all.delete(own)
    }
  }

  async #answered(answer: (turn: Turn) => Promise<FinishReason | WantedChange>): Promise<FinishReason | WantedChange> {
    try {
      return await answer(this)
    } catch (error) {
      if (this.signal.aborted) return 'stopped'
      if (this.#text === '' && this.#calls.length === 0) throw error
      this.tellFailure(error)
      return 'failed'
    }
  }

  /** Something that ended the answer early, as an event and a warning. */
  tellFailure(error: unknown) {
    const { gateway, jobId, correlationId } = this.ctx
    const failure = gateway.toProblem(gateway.asProblem(error, 'assistant.chat', correlationId), jobId)
    this.warnings.push(failure.detail)
    this.ctx.send({ event: 'error', data: failure })
  }

  get text(): string {
    return this.#text
  }

  /** Says a piece of the answer. */
  say(text: string) {
    this.#text += text
    this.ctx.send({ event: 'delta', data: { text } })
  }

  use(usage: Usage) {
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
      totalTokens: this.#usage.totalTokens + usage.totalTokens,
    }
    this.ctx.send({ event: 'usage', data: this.#usage })
  }

  /** Tells that a tool is called. */
  async tellCall(call: UnderstoodCall) {
    const { id, tool, operation, writes } = call
    const input = await this.tools.shown(call)
    this.ctx.send({ event: 'tool-call', data: defined({ id, tool, operation: operation?.id, input, writes }) })
  }

  /** Tells what a call came to, and notes it. */
  tellResult({ id, tool, operation }: UnderstoodCall, result: CallResult, approval?: WaitingChange) {
    if (operation) this.#calls.push(defined({ operation: operation.id, state: result.state, jobId: result.jobId }))
    this.ctx.send({ event: 'tool-result', data: defined({ id, tool, operation: operation?.id, ...result, approval }) })
  }

  /** Reads through the tools, with the events of a call. */
  async read(id: string, operation: string, input: Record<string, unknown>): Promise<CallResult> {
    const call = this.tools.understand(id, 'call_operation', { operation, input })
    await this.tellCall(call)
    const result: CallResult = call.operation
      ? await this.tools.read(call)
      : { state: 'failed', text: `not_found: There is no operation "${operation}".` }
    this.tellResult(call, result)
    return result
  }

  async #keep(said: string | undefined, end: FinishReason | WantedChange): Promise<TurnResult> {
    const { ctx, facts, settings } = this
    const { turnId, projectKey, model } = facts
    const change = typeof end === 'string' ? undefined : end
    if (change) this.#calls.push(waitingNote(change))
    const finishReason = change ? 'approval' : (end as FinishReason)
    const { name: actor } = ctx.actor
    const time = ctx.gateway.clock()
    const user = said === undefined ? [] : [{ role: 'user' as const, content: said, time: ctx.now, turnId, actor }]
    const calls = this.#calls.length > 0 ? { calls: this.#calls } : {}
    const own = { role: 'assistant' as const, content: this.#text, time, turnId, actor, model, finishReason, ...calls }
    const isWorthIt = this.#text !== '' || this.#calls.length > 0
    const approval = change && {
      turnId,
      actor,
      operation: change.call.operation!.id,
      turn: change.rest,
      ...defined({ dryRunJobId: change.tried.jobId }),
    }
    const kept = { projectKey, limit: settings.historyEntries, entries: [...user, ...(isWorthIt ? [own] : [])] }
    const approvalId = await keepTurn(ctx, { ...kept, ...defined({ approval }) })
    const waiting =
      change && approvalId !== undefined
        ? waitingChange(change, approvalId, await this.tools.shown(change.call))
        : undefined
    if (change && waiting)
      ctx.send({
        event: 'tool-result',
        data: {
          id: change.call.id,
          tool: change.call.tool,
          operation: waiting.operation,
          ...change.tried,
          approval: waiting,
        },
      })
    return {
      turnId,
      role: 'assistant',
      content: this.#text,
      timestamp: new Date(time).toISOString(),
      model,
      finishReason,
      calls: this.#calls,
      usage: this.#usage,
      ...defined({ approval: waiting }),
      warnings: this.warnings,
    }
  }
}

function waitingNote({ call, tried }: WantedChange): CallNote {
  return { operation: call.operation!.id, state: 'waiting', ...defined({ jobId: tried.jobId }) }
}

function waitingChange(
  { call, tried }: WantedChange,
  approvalId: string,
  input: WaitingChange['input'],
): WaitingChange {
  const { id: operation, title } = call.operation!
  const effect = { effect: tried.text, ...defined({ dryRunJobId: tried.jobId }) }
  return { approvalId, operation, title, input, ...effect }
}

/**
 * Keeps what was said, in a command of its own.
 * @returns the id under which the change of the turn waits
 * @throws GatewayError when a change is to wait and cannot be kept
 */
async function keepTurn({ gateway, actor }: CommandContext, turn: KeptTurn): Promise<string | undefined> {
  const operation = gateway.registry.operation('assistant.keep-turn')
  if (!operation) throw problem('not_available', 'Operation assistant.keep-turn is not loaded.')
  if (turn.approval === undefined && (turn.limit === 0 || turn.entries.length === 0)) return undefined
  try {
    const call = { actor: { name: assistantFor(actor).name, access: 'admin' as const } }
    const reply = await gateway.invoke(operation, { ...turn }, call)
    return reply.kind === 'result' ? (reply.value as { approvalId?: string }).approvalId : undefined
  } catch (error) {
    // What was said has been heard; a gateway that shuts down keeps nothing more.
    if (turn.approval !== undefined) throw error
    gateway.log.warn({ err: error }, 'a turn of the assistant was not kept')
    return undefined
  }
}
