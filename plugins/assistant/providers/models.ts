/** What models a provider has, and which of them can call tools: the assistant is of little use with the others. */
import PQueue from 'p-queue'
import { isObject } from '../../../core/index.ts'
import { signalAfter } from '../../../lib/signal-after.ts'
import type { Provider } from '../state.ts'
import { baseUrlOf } from './connect.ts'
import { limits, textOf } from './limits.ts'

/** A model of a provider. `unknown`: the provider does not say whether it can call tools. */
export interface ListedModel {
  readonly name: string
  readonly title?: string
  readonly tools: 'yes' | 'no' | 'unknown'
  /** Why it is left out. */
  readonly reason?: string
}

/** A provider answers its list within this time, ms. */
const answerWithinMs = 15_000
/** All pages of a list, and what is asked about each model, within this time, ms. */
const allWithinMs = 60_000
/** Models of a local server that are asked one by one. */
const mostAsked = 200
/** Pages of a list. */
const mostPages = 20

/** Models whose names say that they do not talk: they embed, listen, speak, draw, judge or rank. */
const speechless =
  /embed|whisper|\btts\b|-tts|transcribe|dall-e|imagen|image|\bveo\b|veo-|moderation|guard|rerank|realtime|audio|sora|\baqa\b|davinci|babbage|ocr/i
/** Older models of Anthropic without tools (Anthropic, Models). */
const withoutTools = /^claude-(1|2|instant)/

/** @throws Error with what the provider says, for one that does not answer a list */
export async function modelsOf(
  provider: Provider,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<ListedModel[]> {
  const base = baseUrlOf(provider)
  const call = caller(provider, key, signal)
  if (provider.kind === 'anthropic') return anthropicModels(base, call)
  if (provider.kind === 'google') return googleModels(base, call)
  return compatibleModels(base, call)
}

type CallJson = (url: string, body?: unknown) => Promise<Record<string, unknown>>

function caller({ kind }: Provider, key: string | undefined, signal: AbortSignal | undefined): CallJson {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (kind === 'anthropic') Object.assign(headers, { 'anthropic-version': '2023-06-01', 'x-api-key': key ?? '' })
  else if (kind === 'google') headers['x-goog-api-key'] = key ?? ''
  else if (key !== undefined) headers.authorization = `Bearer ${key}`
  const whole = signalAfter(allWithinMs)
  return async (url, body) => {
    const limit = AbortSignal.any([signalAfter(answerWithinMs), whole])
    const response = await fetch(url, {
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      // A key must not follow a redirect to another server.
      redirect: 'error',
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await textOf(response, response.ok ? limits.listBytes : limits.errorBytes)
    if (!response.ok) throw new Error(`it answered ${response.status}: ${saidIn(text)}`)
    const value = parsed(text)
    if (!isObject(value)) throw new Error(`what is at ${url} is no list of models`)
    return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message in an error answer. */
function saidIn(text: string): string {
  const value = parsed(text)
  const { error, message } = isObject(value) ? value : {}
  const said = isObject(error) ? error.message : (error ?? message)
  return String(said ?? text).slice(0, 500)
}

const listIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])

async function anthropicModels(base: string, call: CallJson): Promise<ListedModel[]> {
  const found: ListedModel[] = []
  let after = ''
  for (let page = 0; page < mostPages; page++) {
    const answer = await call(`${base}/models?limit=1000${after}`)
    for (const { id, display_name: title } of listIn(answer.data)) {
      if (typeof id !== 'string') continue
      const tools = withoutTools.test(id) ? 'no' : 'yes'
      found.push({ name: id, tools, ...(typeof title === 'string' ? { title } : {}), ...without(tools) })
    }
    if (answer.has_more !== true || !isMark(answer.last_id)) break
    after = `&after_id=${encodeURIComponent(answer.last_id)}`
  }
  return found
}

async function googleModels(base: string, call: CallJson): Promise<ListedModel[]> {
  const found: ListedModel[] = []
  let token = ''
  for (let page = 0; page < mostPages; page++) {
    const answer = await call(`${base}/models?pageSize=1000${token}`)
    for (const { name: path, displayName: title, supportedGenerationMethods: methods } of listIn(answer.models)) {
      if (typeof path !== 'string') continue
      const name = path.replace(/^models\//, '')
      const talks = !Array.isArray(methods) || methods.includes('generateContent')
      const tools = talks && !speechless.test(name) && !name.startsWith('gemma') ? 'yes' : 'no'
      found.push({ name, tools, ...(typeof title === 'string' ? { title } : {}), ...without(tools) })
    }
    if (!isMark(answer.nextPageToken)) break
    token = `&pageToken=${encodeURIComponent(answer.nextPageToken)}`
  }
  return found
}

/** The mark of a next page, which becomes part of an address. */
const isMark = (value: unknown): value is string => typeof value === 'string' && value.length <= 2000

const without = (tools: ListedModel['tools']) => (tools === 'no' ? { reason: 'it cannot call tools' } : {})

/** The list of an OpenAI-compatible server, with what some of them say beyond the protocol. */
async function compatibleModels(base: string, call: CallJson): Promise<ListedModel[]> {
  const { data } = await call(`${base}/models`)
  const rows = listIn(data).filter((row) => typeof row.id === 'string')
  const asked = rows.some(({ owned_by: owner }) => owner === 'library') ? await askOllama(base, rows, call) : undefined
  return rows.map((row) => {
    const name = row.id as string
    const told = asked?.get(name) ?? toldBy(row)
    if (told === undefined && speechless.test(name))
      return { name, tools: 'no', reason: 'its name is that of no model that talks' }
    const tools = told === undefined ? 'unknown' : told ? 'yes' : 'no'
    return { name, tools, ...without(tools) }
  })
}

/** What the entry of a list says about tools: OpenRouter, Mistral, LM Studio. */
function toldBy({ supported_parameters: parameters, capabilities }: Record<string, unknown>): boolean | undefined {
  if (Array.isArray(parameters)) return parameters.includes('tools')
  if (Array.isArray(capabilities)) return capabilities.includes('tool_use') || capabilities.includes('tools')
  if (isObject(capabilities) && typeof capabilities.function_calling === 'boolean') return capabilities.function_calling
  return undefined
}

/** Ollama says what a model can do at an address of its own (Ollama API, Show Model Information). */
async function askOllama(base: string, rows: readonly Record<string, unknown>[], call: CallJson) {
  const told = new Map<string, boolean>()
  const queue = new PQueue({ concurrency: 4 })
  const url = `${new URL(base).origin}/api/show`
  await queue.addAll(
    rows.slice(0, mostAsked).map(({ id }) => async () => {
      // Another server with such a list does not have the address: then it is not known.
      const answer = await call(url, { model: id }).catch(() => undefined)
      if (Array.isArray(answer?.capabilities)) told.set(id as string, answer.capabilities.includes('tools'))
    }),
  )
  return told
}
