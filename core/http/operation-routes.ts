/** The routes of the operations: from a request to `gateway.invoke` and back. What can be known beforehand is worked out once a route. */
import type { FastifyInstance } from 'fastify'
import type { Call, Reply } from '../dispatcher.ts'
import type { Gateway } from '../gateway.ts'
import { jsonText } from '../json-text.ts'
import { accessOf, type Command, type Operation, type Stream } from '../operation.ts'
import { problem } from '../problems.ts'
import type { RegisteredRoute } from '../registry.ts'
import { compileInput } from '../validation.ts'
import { within } from '../within.ts'
import { type Answers, type HeaderList, jsonType, pathOf } from './answers.ts'
import { anonymous } from './auth.ts'
import { matchesEtag, type Preferences, readAccept, readIdempotencyKey, readPreferences } from './preferences.ts'
import type { Answering, Asked } from './shortcuts.ts'
import type { Streams } from './sse.ts'

/** What the routes work with. */
export interface RouteTools {
  readonly gateway: Gateway
  readonly answers: Answers
  readonly streams: Streams
}

type OpenCall = { -readonly [K in keyof Call]: Call[K] }
type Fields = Record<string, unknown>

const noFields: Fields = Object.freeze({})
/**
 * No cache may keep what an operation answered to a GET; with an ETag it may, and asks again (RFC 9111, 5.2.2). Answers to other methods are not
 * kept anyway: none has an explicit expiry (RFC 9110, 9.2.3).
 */
const noStore: HeaderList = ['Cache-Control', 'no-store']

/** Adds one route of an operation. */
export function addOperationRoute(app: FastifyInstance, route: RegisteredRoute, tools: RouteTools) {
  const { operation, path } = route
  app.route({
    method: route.method === 'GET' && operation.kind !== 'stream' ? ['GET', 'HEAD'] : route.method,
    url: fastifyPath(path),
    config: { access: accessOf(operation), isOperation: true },
    handler: operation.kind === 'stream' ? streamHandler(route, tools) : operationHandler(route, tools),
  })
}

/** `/a/{b}/{c*}` as the framework writes it: `/a/:b/*`. Colons in literal segments are doubled. */
export function fastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{\w+\*\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1')
}

/** Name of the parameter that takes the rest of the path, if the pattern has one. */
function restName(path: string): string | undefined {
  return /\{(\w+)\*\}$/.exec(path)?.[1]
}

/** Path and query parameters of a request as one object; the path wins. Undefined when there are none: most commands have none. */
function textFields(hasParameters: boolean, rest: string | undefined) {
  return (request: Asked): Fields | undefined => {
    const query = request.query as Fields | undefined
    let fields: Fields | undefined
    if (request.raw.url!.indexOf('?') >= 0) {
      for (const name in query) {
        fields ??= {}
        if (name === '__proto__') throw problem('invalid_input', '/__proto__: unknown property')
        fields[name] = query[name]
      }
    }
    if (!hasParameters) return fields
    const params = request.params as Fields
    if (fields === undefined && rest === undefined) return params
    fields ??= {}
    for (const name in params) fields[name === '*' && rest !== undefined ? rest : name] = params[name]
    return fields
  }
}

function operationHandler(route: RegisteredRoute, { gateway, answers }: RouteTools) {
  const { operation, path, mode } = route
  const readText = textFields(path.includes('{'), restName(path))
  const { produces } = operation as { produces?: string }
  const isQuery = operation.kind === 'query'
  const usual: HeaderList = route.method === 'GET' ? noStore : []
  const withAccepted = mode === 'sync' ? acceptedFields(operation) : undefined

  const sendResult = (request: Asked, reply: Answering, result: Reply & { kind: 'result' }, applied?: string) => {
    const { value, job, etag } = result
    let more = usual
    if (etag !== undefined) {
      const tags: HeaderList = ['ETag', etag, 'Cache-Control', 'private, no-cache']
      const wanted = request.raw.headers['if-none-match']
      if (wanted !== undefined && matchesEtag(wanted, etag)) {
        answers.sendEmpty(request, reply, path, 304, tags)
        return
      }
      more = tags
    }
    if (job !== undefined) more = [...usual, 'X-Job-Id', job.jobId]
    if (applied !== undefined) more = [...more, 'Preference-Applied', applied]
    if (withAccepted !== undefined) more = [...more, 'Vary', 'Accept']
    // Text that a client chose (a block's source) must never be taken for a page.
    if (produces !== undefined) more = [...more, 'X-Content-Type-Options', 'nosniff']
    if (produces !== undefined && typeof value === 'string') {
      answers.send(request, reply, path, 200, `${produces}; charset=utf-8`, value, more)
    } else if (produces !== undefined && value instanceof Uint8Array) {
      answers.send(request, reply, path, 200, produces, value, more)
    } else {
      const text = job?.resultJson ?? jsonText(value) ?? '{}'
      answers.send(request, reply, path, 200, jsonType, text, more)
    }
  }

  const sendJob = (request: Asked, reply: Answering, jobId: string, status: string, applied?: string) => {
    const more = ['Location', `/api/jobs/${jobId}`, 'X-Job-Id', jobId, ...usual]
    if (applied !== undefined) more.push('Preference-Applied', applied)
    answers.send(request, reply, path, 202, jsonType, JSON.stringify({ jobId, status }), more)
  }

  const sendReply = async (
    request: Asked,
    reply: Answering,
    result: Reply,
    preferences: Preferences | undefined,
  ): Promise<void> => {
    if (result.kind === 'result') {
      sendResult(request, reply, result)
      return
    }
    const { jobId, job } = result
    if (preferences !== undefined && preferences.waitSeconds > 0 && job !== undefined) {
      const outcome = await within(job.settled, preferences.waitSeconds * 1000)
      if (outcome !== undefined) {
        if (!outcome.ok) throw outcome.error
        sendResult(request, reply, { kind: 'result', value: outcome.result, job }, `wait=${preferences.waitSeconds}`)
        return
      }
    }
    const status = job?.status ?? (await gateway.jobs.find(jobId))?.status ?? 'Pending'
    sendJob(request, reply, jobId, status, preferences && 'respond-async')
  }

  const run = (request: Asked, reply: Answering, body: Fields, call: OpenCall) => {
    const { headers } = request.raw
    let preferences: Preferences | undefined
    if (headers.prefer !== undefined && mode === 'sync') {
      const read = readPreferences(headers.prefer)
      if (read.respondAsync) {
        preferences = read
        call.mode = 'async'
      }
    }
    if (!isQuery) {
      const idempotencyKey = headers['idempotency-key']
      if (idempotencyKey !== undefined) call.idempotencyKey = readIdempotencyKey(idempotencyKey)
    }
    // Inline on purpose: a named closure would be made, and named, for every request.
    const input = withAccepted === undefined ? body : withAccepted(headers.accept, body)
    gateway
      .invoke(operation, input, call)
      .then((result) => sendReply(request, reply, result, preferences))
      .catch((error) => answers.sendProblem(request, reply, path, error))
  }

  /** A list of which only some fields are asked for. */
  const runSelected = async (request: Asked, reply: Answering, strings: Fields, call: OpenCall) => {
    const { fieldSelection, hasPages } = await import('./field-selection.ts')
    const { fields, Fields: Spelt, ...others } = strings
    const { schema } = await compileInput(operation)
    const select = hasPages(operation, schema) ? await fieldSelection(operation, fields ?? Spelt) : undefined
    call.strings = select ? others : strings
    const body = request.body === undefined ? noFields : asObject(request.body)
    const input = withAccepted === undefined ? body : withAccepted(request.raw.headers.accept, body)
    const result = await gateway.invoke(operation, input, call)
    if (result.kind === 'result' && select) sendResult(request, reply, { ...result, value: select(result.value) })
    else await sendReply(request, reply, result, undefined)
  }

  return (request: Asked, reply: Answering) => {
    reply.hijack()
    const call: OpenCall = { actor: request.actor ?? anonymous, correlationId: request.correlationId, mode }
    const body = request.body as Fields | undefined | null
    try {
      const strings = readText(request)
      if (strings !== undefined) {
        if (isQuery && mode === 'sync' && (strings.fields ?? strings.Fields) !== undefined) {
          runSelected(request, reply, strings, call).catch((error) => answers.sendProblem(request, reply, path, error))
          return
        }
        call.strings = strings
      }
      if (body === undefined) {
        if (isForm(request)) {
          runWithForm(request, reply, operation, call, run, { gateway, answers, path })
          return
        }
        run(request, reply, noFields, call)
        return
      }
      run(request, reply, asObject(body), call)
    } catch (error) {
      answers.sendProblem(request, reply, path, error)
    }
  }
}

/**
 * How a body gets the fields that the `Accept` header stands for (`accepts` of the operation). Those of the body itself stay, and those of
 * path and query win over the body's anyway.
 *
 * @returns undefined for an operation that does not look at `Accept`
 */
function acceptedFields(operation: Operation) {
  const { accepts } = operation as { accepts?: Command['accepts'] }
  if (accepts === undefined) return undefined
  const byType = new Map(Object.entries(accepts).map(([type, fields]) => [type.toLowerCase(), Object.entries(fields)]))
  const types = new Set([...byType.keys(), 'application/json'])
  const spellings = (name: string) => [name, ...(operation.aliases?.[name] ?? [])].map((s) => s.toLowerCase())
  return (accept: string | undefined, body: Fields): Fields => {
    const type = accept === undefined ? undefined : readAccept(accept, types)
    const fields = type === undefined ? undefined : byType.get(type)
    if (fields === undefined) return body
    const given = new Set(Object.keys(body).map((name) => name.toLowerCase()))
    const missing = fields.filter(([name]) => !spellings(name).some((spelling) => given.has(spelling)))
    return { ...body, ...Object.fromEntries(missing) }
  }
}

/** True when the body is a form that nobody has read yet. */
function isForm({ raw }: Asked): boolean {
  const type = raw.headers['content-type']
  return type !== undefined && raw.method !== 'GET' && raw.method !== 'HEAD' && /^\s*multipart\/form-data\b/i.test(type)
}

function asObject(body: unknown): Fields {
  if (body === null) return noFields
  if (typeof body === 'object' && !Array.isArray(body)) return body as Fields
  const kind = Array.isArray(body) ? 'an array' : `a ${typeof body}`
  throw problem('invalid_input', `/: must be an object, found ${kind}`, {
    errors: [{ path: '/', message: `must be an object, found ${kind}`, code: 'wrong_type' }],
  })
}

function runWithForm(
  request: Asked,
  reply: Answering,
  operation: Operation,
  call: OpenCall,
  run: (request: Asked, reply: Answering, body: Fields, call: OpenCall) => void,
  { gateway, answers, path }: { gateway: Gateway; answers: Answers; path: string },
) {
  const read = async () => {
    const { readForm } = await import('./multipart.ts')
    const { uploads } = await compileInput(operation)
    const { uploadBytes, bodyBytes } = gateway.settings.limits
    const form = await readForm(request.raw, reply.raw, { store: gateway.store, uploads, uploadBytes, bodyBytes })
    call.staged = form.staged
    call.strings = { ...form.strings, ...call.strings }
    run(request, reply, form.body, call)
  }
  read().catch((error) => answers.sendProblem(request, reply, path, error))
}

function streamHandler(route: RegisteredRoute, { gateway, answers, streams }: RouteTools) {
  const { path } = route
  const operation = route.operation as Stream
  const readText = textFields(path.includes('{'), restName(path))
  return (request: Asked, reply: Answering) => {
    reply.hijack()
    const { raw } = reply
    const signal = streams.add(raw)
    const start = async () => {
      const body = request.body === undefined ? noFields : asObject(request.body)
      const strings = { ...readText(request) }
      const lastEventId = request.raw.headers['last-event-id']
      const { schema } = await compileInput(route.operation)
      if (lastEventId !== undefined && schema.properties?.lastEventId) strings.lastEventId ??= lastEventId
      const call: OpenCall = {
        actor: request.actor ?? anonymous,
        correlationId: request.correlationId,
        strings,
        signal,
      }
      const events = await gateway.open(operation, body, call)
      raw.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Proxies must neither keep nor gather events.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        ...answers.commonHeaders(request),
      })
      raw.flushHeaders()
      answers.log(request, path, 200)
      const instance = pathOf(request.raw.url)
      await streams.pump(raw, events, signal, (error) => answers.body(answers.asProblem(error, request), instance))
    }
    start().catch((error) => answers.sendProblem(request, reply, path, error))
  }
}
