/** One answer of a language model: its text as it comes, and the tools that it wants. */
import { setTimeout as wait } from 'node:timers/promises'
import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from 'ai'
import { problem } from '../problems.ts'
import { busyOf, longestWaitMs, messageOf, providerProblem } from './failures.ts'
import { isDeeper, limits, TooLong } from './limits.ts'
import { noUsage, type Usage } from './usage.ts'

/** Tries of one answer when the provider is busy. */
const mostAttempts = 4

/** A tool as a model sees it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: object
}

export interface WantedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Why the call cannot be made: no such tool, or an input that is no JSON. */
  readonly fault?: string
}

export interface Step {
  readonly text: string
  readonly calls: readonly WantedCall[]
  /**
   * `cut`: it ended early, for the reason in `cutBy`. `limit`: it went past a limit (limits.ts) and was ended here, for
   * the reason in `cutBy`. `stopped`: by the signal.
   */
  readonly finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'stopped' | 'cut' | 'limit' | 'other'
  readonly cutBy?: string
  readonly usage: Usage
  /** What the answer adds to the messages; empty when it was cut or stopped. */
  readonly messages: readonly ModelMessage[]
}

export interface StepRequest {
  readonly provider: string
  readonly model: LanguageModel
  /** Of the provider, in the clear: taken out of its messages. */
  readonly key: string | undefined
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  readonly signal: AbortSignal
  /** Ends the answer when nothing comes for so long, ms. */
  readonly silenceMs: number
  /** Characters that the answer may have. */
  readonly mostCharacters: number
  /** Ends the answer after so long, ms. */
  readonly longestMs: number
  onText(text: string): void
  /** The provider is busy and is asked again in so many ms. */
  onWait(ms: number, message: string): void
}
// The library prints warnings about settings of models; the gateway's log is JSON.
;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false

/**
 * Asks for one answer. A busy provider is asked again after the wait that it asks for.
 * @throws GatewayError `assistant_provider_busy`, `assistant_provider_failed` when nothing of an answer came
 */
export async function modelStep(request: StepRequest): Promise<Step> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptStep(request)
    } catch (error) {
      const busy = busyOf(error, attempt, Date.now())
      if (!busy) throw providerProblem(request.provider, error, request.key)
      const times = attempt === 1 ? '' : ` ${attempt} times`
      const said = `Provider "${request.provider}" answered ${busy.status}${times} (${busy.message.slice(0, 300)})`
      if (attempt === mostAttempts || busy.waitMs > longestWaitMs)
        throw problem('assistant_provider_busy', `${said}; it asks to wait ${Math.ceil(busy.waitMs / 1000)} s.`, {
          cause: error,
          extra: { provider: request.provider, retryAfterSeconds: Math.ceil(busy.waitMs / 1000) },
        })
      request.onWait(busy.waitMs, said)
      try {
        await wait(busy.waitMs, undefined, { signal: request.signal })
      } catch {
        return { text: '', calls: [], finishReason: 'stopped', usage: noUsage, messages: [] }
      }
    }
  }
}

/** @throws what the provider answered instead, as long as nothing of an answer has come */
async function attemptStep(request: StepRequest): Promise<Step> {
  const { model, system, messages, tools, signal, silenceMs, mostCharacters, longestMs } = request
  const silence = new AbortController()
  const tooLong = new AbortController()
  /** The limit that the answer went past. */
  let limit: string | undefined
  const end = (reason: string) => {
    limit ??= reason
    tooLong.abort()
  }
  const longest = setTimeout(() => end(`an answer takes at most ${longestMs / 1000} s`), longestMs)
  let timer: NodeJS.Timeout | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  heard()
  let text = ''
  let characters = 0
  const count = (piece: string) => {
    characters += piece.length
    if (characters > mostCharacters) end(`an answer has at most ${mostCharacters} characters`)
  }
  /** Characters of the inputs of calls. */
  let inputs = 0
  const calls: WantedCall[] = []
  /** Both go into events, the history and the next question. */
  const named = (id: string, name: string) => {
    if (Math.max(id.length, name.length) > limits.nameCharacters)
      end(`the ID and the tool of a call have at most ${limits.nameCharacters} characters each`)
  }
  let finishReason: Step['finishReason'] = 'cut'
  let failure: unknown
  let usage = noUsage
  const result = streamText({
    model,
    system,
    messages: [...messages],
    tools: toolSet(tools),
    // The wait between two tries is that of `modelStep`, which people see and can stop.
    maxRetries: 0,
    abortSignal: AbortSignal.any([signal, silence.signal, tooLong.signal]),
    onError() {},
  })
  try {
    for await (const part of result.fullStream) {
      heard()
      if (part.type === 'text-delta' && part.text !== '') {
        count(part.text)
        if (limit !== undefined) break
        text += part.text
        request.onText(part.text)
      } else if (part.type === 'reasoning-delta') count(part.text)
      else if (part.type === 'tool-input-start') named(part.id, part.toolName)
      else if (part.type === 'tool-input-delta') inputs += part.delta.length
      else if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: name, input } = part
        named(id, name)
        const fault = part.invalid ? messageOf(part.error) : undefined
        calls.push({ id, name, input, ...(fault === undefined ? {} : { fault }) })
        if (calls.length > limits.answerCalls) end(`an answer has at most ${limits.answerCalls} calls of tools`)
        if (isDeeper(input, limits.inputDepth))
          end(`the input of a call has at most ${limits.inputDepth} arrays and objects inside each other`)
      } else if (part.type === 'error') failure = part.error
      else if (part.type === 'finish-step') {
        // A provider that ends without saying why was cut off.
        const told = part.rawFinishReason !== undefined || part.finishReason !== 'other'
        if (told && failure === undefined) finishReason = part.finishReason as Step['finishReason']
        usage = usageOf(part.usage)
      }
      if (inputs > limits.inputCharacters)
        end(`the inputs of the calls of an answer have at most ${limits.inputCharacters} characters`)
      if (limit !== undefined) break
    }
  } catch (error) {
    failure ??= error
  } finally {
    clearTimeout(timer)
    clearTimeout(longest)
    // Whatever the answer is, nothing more of it is read.
    tooLong.abort()
  }
  if (signal.aborted) return { text, calls: [], finishReason: 'stopped', usage, messages: [] }
  if (finishReason !== 'cut' && limit === undefined) {
    const { messages: added } = await result.response
    // The library adds results of its own for calls that it does not know; every result is the caller's.
    return { text, calls, finishReason, usage, messages: added.filter(({ role }) => role === 'assistant') }
  }
  if (limit !== undefined) {
    if (text === '') throw new TooLong(`${limit}: it was ended`)
    return { text, calls: [], finishReason: 'limit', cutBy: limit, usage, messages: [] }
  }
  const silent = silence.signal.aborted ? `nothing came for ${silenceMs / 1000} s` : undefined
  if (text === '' && calls.length === 0) throw failure ?? new Error(silent ?? 'it ended its answer before it began')
  const cutBy = silent ?? (failure === undefined ? 'the connection was closed' : messageOf(failure))
  return { text, calls: [], finishReason, cutBy, usage, messages: [] }
}

function toolSet(tools: readonly OfferedTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]) }),
    ]),
  )
}

function usageOf({
  inputTokens = 0,
  outputTokens = 0,
  totalTokens = 0,
}: Partial<Record<keyof Usage, number | undefined>>) {
  return { inputTokens, outputTokens, totalTokens: totalTokens || inputTokens + outputTokens }
}
