/** A turn that a language model answers: its answers, and the tools that it calls in between. Loaded on first use. */
import { setImmediate } from 'node:timers/promises'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { isObject, notFound } from '../../core/index.ts'
import type { Message } from './history.ts'
import { projectNote } from './open-project.ts'
import { problem } from './problems.ts'
import { overviewText, systemPrompt } from './prompt.ts'
import { connect, keyOf } from './providers/connect.ts'
import { limits } from './providers/limits.ts'
import { modelStep, type Step, type WantedCall } from './providers/step.ts'
import { builtInModel } from './state.ts'
import type { CallResult, UnderstoodCall } from './tools.ts'
import type { FinishReason, Turn, TurnFacts, WantedChange } from './turn.ts'

/** A turn that waits for a yes or a no, as it is kept. */
export interface Suspended extends TurnFacts {
  /** What the person asked: it chooses the tools. */
  readonly question: string
  readonly messages: readonly ModelMessage[]
  /** Results of the calls that came with the one that waits. */
  readonly results: ToolModelMessage['content']
  readonly call: Pick<UnderstoodCall, 'id' | 'tool'> & { readonly operation: string; readonly input: object }
}

/** What a turn begins with. */
interface Beginning {
  readonly question: string
  readonly messages: readonly ModelMessage[]
}

type ToolResult = ToolModelMessage['content'][number]

/** The beginning of a turn: what was said before, and what is asked. */
export function beginning(history: readonly Message[], message: string): Beginning {
  const before = history.findLast(({ role }) => role === 'user')?.content ?? ''
  const messages = [...history, { role: 'user' as const, content: message }]
    // Providers refuse empty messages.
    .filter(({ content }) => content.trim() !== '')
  // A short "and now do it" finds no tools by itself.
  return { question: message.length < 60 ? `${message}\n${before}` : message, messages }
}

/** How a turn goes on after a yes or a no. */
export function continuation(
  turn: Turn,
  { question, messages, results, call }: Suspended,
  decided: CallResult,
): Beginning {
  const answered = [...results, resultOf(turn, call, decided)]
  return { question, messages: [...messages, { role: 'tool', content: answered }] }
}

/**
 * Talks until the model has nothing more to call, a change waits for a yes, or the turn is stopped.
 * @throws GatewayError when the provider fails
 */
export async function converse(
  turn: Turn,
  { question, messages: begun }: Beginning,
): Promise<FinishReason | WantedChange> {
  const { settings, tools, signal, facts, ctx } = turn
  const { provider, name } = providerOf(turn)
  const key = keyOf(ctx.gateway, provider)
  const model = await connect(provider, name, key)
  const offered = await tools.choose(question, settings)
  const system = await promptOf(turn)
  const messages: ModelMessage[] = [...begun]
  let called = 0
  let read = 0
  for (let count = 0; count < settings.mostSteps; count++) {
    if (count > 0 && turn.text !== '' && !/\s$/.test(turn.text)) turn.say('\n\n')
    const step = await modelStep({
      provider: provider.name,
      model,
      key,
      system,
      messages,
      tools: offered,
      signal,
      silenceMs: settings.silenceSeconds * 1000,
      mostCharacters: Math.min(limits.answerCharacters, limits.turnCharacters - turn.text.length),
      longestMs: limits.answerMs,
      onText: (text) => turn.say(text),
      onWait: (ms, said) => ctx.progress(0, `${said}; asking again in ${Math.ceil(ms / 1000)} s`),
    })
    turn.use(step.usage)
    if (step.finishReason === 'stopped') return 'stopped'
    if (step.finishReason === 'cut' || step.finishReason === 'limit') return cut(turn, step)
    if (step.calls.length === 0) return step.finishReason === 'tool-calls' ? 'other' : step.finishReason
    messages.push(...step.messages)
    const { results, waiting } = await callTools(turn, step.calls)
    if (signal.aborted) return 'stopped'
    if (waiting) {
      const { id, tool, input, operation } = waiting.call
      const call = { id, tool, input, operation: operation!.id }
      const rest: Suspended = { ...facts, question, messages, results, call }
      return { ...waiting, rest: JSON.stringify(rest) }
    }
    messages.push({ role: 'tool', content: results })
    called += results.length
    read += results.reduce((sum, one) => sum + charactersOf(one), 0)
    const past =
      called > limits.turnCalls
        ? `${limits.turnCalls} calls of tools`
        : read > limits.turnReadCharacters
          ? `${limits.turnReadCharacters} characters of results`
          : undefined
    if (past !== undefined) {
      turn.warnings.push(`A turn has at most ${past}; the model has not come to an end.`)
      return 'steps'
    }
  }
  turn.warnings.push(
    `The model was asked ${settings.mostSteps} times in this turn (mostSteps); it has not come to an end.`,
  )
  return 'steps'
}

function cut(turn: Turn, { text, finishReason, cutBy = '' }: Step): FinishReason {
  const { provider } = providerOf(turn)
  const reason = cutBy.replace(/\.$/, '')
  const what =
    finishReason === 'limit'
      ? `The answer of provider "${provider.name}" was ended`
      : `Provider "${provider.name}" ended its answer early,`
  const said = `${what} after ${text.length} characters: ${reason}. What came is kept.`
  turn.tellFailure(problem('assistant_stream_cut', said, { extra: { provider: provider.name } }))
  return 'cut'
}

/** @throws GatewayError `not_found` when there is no such provider any more */
function providerOf({ facts, settings }: Turn) {
  const slash = facts.model.indexOf('/')
  const wanted = facts.model.slice(0, slash)
  const provider = settings.providers.find((one) => one.name === wanted)
  const known = [builtInModel, ...settings.providers.map((one) => `${one.name}/…`)]
  if (!provider) throw notFound('model', facts.model, known)
  return { provider, name: facts.model.slice(slash + 1) }
}

async function promptOf(turn: Turn): Promise<string> {
  const { tools, facts, settings, ctx } = turn
  const overview = await tools.read(tools.understand('', 'call_operation', { operation: 'projects.overview' }))
  const value: unknown = overview.state === 'read' ? parsed(overview.text) : undefined
  const project = isObject(value) ? value : undefined
  return systemPrompt({
    mark: tools.mark,
    locale: facts.locale,
    writes: settings.writes,
    access: ctx.actor.access,
    project: project && tools.framed('projects.overview', overviewText(project)),
    note: project === undefined ? nothingOpen : projectNote(ctx, facts.projectKey),
  })
}

const nothingOpen = 'No project is open: tools about its content answer so. projects.open opens one.'

/** A result that was cut is no JSON any more: then there is no overview. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls what a model wants, one after the other. At most one change can wait for a yes. */
async function callTools(turn: Turn, calls: readonly WantedCall[]) {
  const results: ToolResult[] = []
  let waiting: Omit<WantedChange, 'rest'> | undefined
  for (const { id, name, input, fault } of calls) {
    // Other requests, and a stop, come in between, however many calls there are and however quick each is.
    await setImmediate()
    if (turn.signal.aborted) break
    const call = turn.tools.understand(id, name, input)
    await turn.tellCall(call)
    if (fault !== undefined && (call.operation === undefined || !isObject(input))) {
      results.push(told(turn, call, { state: 'failed', text: `invalid_input: ${fault.slice(0, 1000)}` }))
    } else if (!call.writes) {
      results.push(told(turn, call, await turn.tools.read(call)))
    } else if (waiting) {
      results.push(
        told(turn, call, {
          state: 'refused',
          text: 'Not done: another change of this answer waits for the yes of the person. Call it again afterwards.',
        }),
      )
    } else {
      const outcome = await change(turn, call)
      if (outcome.waits) waiting = { call, tried: outcome.tried }
      else results.push(told(turn, call, outcome.result))
    }
  }
  return { results, waiting }
}

type ChangeOutcome =
  | { readonly waits: false; readonly result: CallResult }
  | { readonly waits: true; readonly tried: CallResult }

/** Tries a change out; then makes it, leaves it to wait, or refuses it, as the settings say. */
async function change(turn: Turn, call: UnderstoodCall): Promise<ChangeOutcome> {
  const { tools, settings, signal } = turn
  if (settings.writes === 'never' && !call.triesOnly)
    return {
      waits: false,
      result: { state: 'refused', text: 'Not done: the settings of the assistant allow no changes (writes: never).' },
    }
  const tried = await tools.tryOut(call)
  if (tried.state === 'failed' || call.triesOnly || signal.aborted) return { waits: false, result: tried }
  if (settings.writes === 'ask') return { waits: true, tried }
  turn.ctx.send({
    event: 'tool-result',
    data: { id: call.id, tool: call.tool, operation: call.operation!.id, ...tried },
  })
  return { waits: false, result: await tools.make(call) }
}

function charactersOf(result: ToolResult): number {
  const { output } = result as { output?: { value?: unknown } }
  return typeof output?.value === 'string' ? output.value.length : 0
}

function told(turn: Turn, call: UnderstoodCall, result: CallResult): ToolResult {
  turn.tellResult(call, result)
  return resultOf(turn, { id: call.id, tool: call.tool, operation: call.operation?.id ?? call.tool }, result)
}

/** A result as the model reads it. */
function resultOf(
  { tools }: Turn,
  { id, tool, operation }: Pick<Suspended['call'], 'id' | 'tool' | 'operation'>,
  { state, text }: CallResult,
): ToolResult {
  // A refusal is the gateway's own word; all else may hold what somebody wrote into the project.
  const value = state === 'refused' ? text : `${stateText[state]}\n${tools.framed(operation, text)}`
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: tool,
    output: { type: state === 'failed' || state === 'refused' ? 'error-text' : 'text', value },
  }
}

const stateText: Readonly<Record<CallResult['state'], string>> = {
  read: 'Read.',
  done: 'Done.',
  failed: 'Failed.',
  tried: 'Tried out only: nothing was changed. It would do this:',
  waiting: 'Waits for the yes of the person.',
  refused: 'Refused.',
}
