/**
 * The routes of the operations: from a request to `gateway.invoke` and back. Everything known beforehand is computed
 * once per route.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { defined } from '../../lib/optional.ts'
import { within } from '../../lib/within.ts'
import { readIfMatch } from '../calls/preconditions.ts'
import { hasPages } from '../calls/sorted-list.ts'
import { jsonText } from '../contract/json-text.ts'
import { accessOf, type Command, type Operation, type Stream } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import type { Expected } from '../contract/targets.ts'
import type { Gateway } from '../gateway.ts'
import { compileInput } from '../input/validation.ts'
import type { Call, Reply } from '../jobs/dispatcher.ts'
import type { RegisteredRoute } from '../plugins/registry.ts'
import { callerOf } from './auth.ts'
import { envelopeInput } from './envelope.ts'
import { fieldSelection, takesFields } from './field-selection.ts'
import { readForm } from './multipart.ts'
import {
  matchesEtag,
  type Preferences,
  readAccept,
  readGroupId,
  readIdempotencyKey,
  readPreferences,
} from './preferences.ts'
import { beginEvents, jsonType, problemBody, warningsHeader } from './replies.ts'
import type { Streams } from './sse.ts'
import { sendStreamed, wantsStream } from './streamed-replies.ts'

/**
 * For what is no JSON: text that clients chose (the source of a block, a drawing, a report) is no page of this origin.
 * XML and SVG can have scripts as HTML has; shown by a browser, they get an origin of their own and nothing runs.
 */
const documentPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

type OpenCall = { -readonly [K in keyof Call]: Call[K] }
type Fields = Record<string, unknown>

const noFields: Fields = Object.freeze({})

/** Adds one route of an operation. */
export function addOperationRoute(app: FastifyInstance, route: RegisteredRoute, gateway: Gateway, streams: Streams) {
  const { operation, path } = route
  app.route({
    method: route.method === 'GET' && operation.kind !== 'stream' ? ['GET', 'HEAD'] : route.method,
    url: fastifyPath(path),
    config: { access: accessOf(operation), path },
    handler:
      operation.kind === 'stream' ? streamHandler(route, gateway, streams) : operationHandler(route, gateway, streams),
  })
}

/** `/a/{b}/{c*}` in Fastify's notation: `/a/:b/*`. Colons in literal segments are doubled. */
export function fastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{\w+\*\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1')
}

/** Name of the parameter that matches the rest of the path, if the pattern has one. */
function restName(path: string): string | undefined {
  return /\{(\w+)\*\}$/.exec(path)?.[1]
}

/** Makes the function that merges path and query parameters; the path has priority. */
function parameterReader(path: string) {
  const rest = restName(path)
  return (request: FastifyRequest): Fields => {
    const query = request.query as Fields
    if (Object.hasOwn(query, '__proto__')) throw problem('invalid_input', '/__proto__: unknown property')
    const fields = { ...query, ...(request.params as Fields) }
    if (rest !== undefined) {
      fields[rest] = fields['*']
      delete fields['*']
    }
    return fields
  }
}

function operationHandler(route: RegisteredRoute, gateway: Gateway, streams: Streams): RouteHandlerMethod {
  const { operation, path, mode } = route
  const readParameters = parameterReader(path)
  const isQuery = operation.kind === 'query'
  const withAccepted = mode === 'sync' ? acceptedFields(operation) : undefined
  const { produces } = operation as { produces?: string }

  const resultReply = (
    request: FastifyRequest,
    reply: FastifyReply,
    { value, job, etag, warnings, json, asOf }: Extract<Reply, { kind: 'result' }>,
  ) => {
    if (warnings !== undefined) reply.header('gantry-warnings', warningsHeader(warnings))
    if (asOf !== undefined) reply.header('gantry-as-of', String(asOf))
    if (etag !== undefined) {
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      const wanted = request.raw.headers['if-none-match']
      const needed = request.raw.headers['if-match']
      if (needed !== undefined) requireTag(readIfMatch(needed), etag)
      if (wanted !== undefined && matchesEtag(wanted, etag)) return reply.code(304).send()
    }
    if (job !== undefined) reply.header('x-job-id', job.jobId)
    if (withAccepted !== undefined) reply.header('vary', ['Accept', reply.getHeader('vary') ?? []].flat().join(', '))
    if (produces !== undefined)
      reply.headers({ 'x-content-type-options': 'nosniff', 'content-security-policy': documentPolicy })
    if (produces !== undefined && typeof value === 'string') return reply.type(`${produces}; charset=utf-8`).send(value)
    if (produces !== undefined && value instanceof Uint8Array) return reply.type(produces).send(value)
    return reply.type(jsonType).send(job?.resultJson ?? json ?? jsonText(value) ?? '{}')
  }
  return async (request, reply) => {
    const { headers } = request.raw
    // No cache may keep the answer to a GET; with an ETag it may, but must revalidate (RFC 9111, 5.2.2). Answers to
    // other methods are not kept anyway: none has an explicit expiry (RFC 9110, 9.2.3).
    if (route.method === 'GET') reply.header('cache-control', 'no-store')
    const strings = readParameters(request)
    const call: OpenCall = { actor: callerOf(request), correlationId: request.id, mode, strings }
    const select = isQuery && mode === 'sync' ? await takeSelection(operation, strings) : undefined
    const asOf = isQuery && mode === 'sync' ? await takeAsOf(operation, strings) : undefined
    if (asOf !== undefined) call.asOf = asOf
    const sort = isQuery && mode === 'sync' ? await takeSort(operation, strings) : undefined
    if (sort !== undefined) call.sort = sort
    let preferences: Preferences | undefined
    // A preference may be ignored (RFC 7240, 2): a job has no selection.
    if (
      headers.prefer !== undefined &&
      mode === 'sync' &&
      select === undefined &&
      asOf === undefined &&
      sort === undefined
    ) {
      const read = readPreferences(headers.prefer)
      if (read.respondAsync) {
        preferences = read
        call.mode = 'async'
      }
    }
    const idempotencyKey = headers['idempotency-key']
    const condition = headers['if-match']
    const group = headers['x-group-id']
    if (group !== undefined) call.group = readGroupId(group)
    if (!isQuery && condition !== undefined) call.expected = readIfMatch(condition)
    if (!isQuery && idempotencyKey !== undefined) call.idempotencyKey = readIdempotencyKey(idempotencyKey)
    let body = request.body === undefined ? noFields : await asFields(request.body, operation)
    if (request.isMultipart()) {
      const { uploads } = await compileInput(operation)
      const form = await readForm(request, { store: gateway.store, uploads, ...gateway.settings.limits })
      call.staged = form.staged
      call.strings = { ...form.strings, ...strings }
      body = form.body
    }
    if (request.envelope) body = await envelopeInput(operation, body, strings)
    const input = withAccepted === undefined ? body : withAccepted(headers.accept, body, strings)
    if (call.mode === 'sync' && wantsStream(operation, headers.accept))
      return sendStreamed({ gateway, streams, request, reply }, (onEvent) =>
        gateway.invoke(operation, input, { ...call, mode: 'async', onEvent }),
      )
    const result = await gateway.invoke(operation, input, call)
    if (result.kind === 'result')
      return resultReply(request, reply, select ? partOf(result, select(result.value)) : result)
    const { jobId, job } = result
    if (preferences !== undefined && preferences.waitSeconds > 0 && job !== undefined) {
      const outcome = await within(job.settled, preferences.waitSeconds * 1000)
      if (outcome !== undefined) {
        if (!outcome.ok) throw gateway.failureOf(job, outcome.error)
        reply.header('preference-applied', `wait=${preferences.waitSeconds}`)
        return resultReply(request, reply, { kind: 'result', value: outcome.result, job })
      }
    }
    if (preferences !== undefined) reply.header('preference-applied', 'respond-async')
    const { status = 'Pending', error } = (await gateway.jobs.find(jobId)) ?? {}
    reply.code(202).header('location', `/api/jobs/${jobId}`).header('x-job-id', jobId).type(jsonType)
    // JSON leaves out what is undefined: only a job that failed at once has an error.
    return reply.send(JSON.stringify({ jobId, status, error }))
  }
}

/** A reply with a part of its value: the tag of the whole is a weak one for it. */
function partOf(result: Extract<Reply, { kind: 'result' }>, value: unknown): Extract<Reply, { kind: 'result' }> {
  const { etag, asOf } = result
  return { kind: 'result', value, ...defined({ asOf, etag: etag && (etag.startsWith('W/') ? etag : `W/${etag}`) }) }
}

/** @throws GatewayError `precondition_failed` for a read whose `If-Match` does not hold */
function requireTag(expected: Expected, etag: string) {
  if (expected === '*' || expected.some((tag) => `"${tag}"` === etag)) return
  throw problem('precondition_failed', `The object is not as it was read: its ETag is ${etag}.`)
}

/**
 * Removes `fields` from the parameters of a list: the fields of its entries to answer.
 * @returns the function that reduces the result; undefined without `fields`, or when the operation has such a parameter
 * @throws GatewayError `invalid_input`
 */
async function takeSelection(operation: Operation, strings: Fields) {
  const fields = strings.fields ?? strings.Fields
  if (fields === undefined) return undefined
  const { schema } = await compileInput(operation)
  if (!takesFields(operation, schema)) return undefined
  delete strings.fields
  delete strings.Fields
  return fieldSelection(operation, fields)
}

/**
 * Removes `sort` from the parameters of a list: the order of its entries.
 * @returns undefined without it, or when the operation has such a parameter of its own, or no pages
 */
async function takeSort(operation: Operation, strings: Fields): Promise<string | undefined> {
  const sort = strings.sort ?? strings.Sort
  if (sort === undefined) return undefined
  const { schema } = await compileInput(operation)
  if (!hasPages(operation, schema) || schema.properties?.sort !== undefined) return undefined
  delete strings.sort
  delete strings.Sort
  return [sort].flat().join(',')
}

/**
 * Removes `asOf` from the parameters of a query: the time of the state that it is to answer from.
 * @returns undefined without it, or when the operation has such a parameter of its own
 */
async function takeAsOf(operation: Operation, strings: Fields): Promise<string | undefined> {
  const asOf = strings.asOf ?? strings.AsOf
  if (asOf === undefined || (await compileInput(operation)).schema.properties?.asOf) return undefined
  delete strings.asOf
  delete strings.AsOf
  return String(asOf)
}

/**
 * Makes the function that adds the fields that the `Accept` header sets (`accepts` of the operation). Fields that are
 * given have priority.
 *
 * @returns undefined for an operation that does not use `Accept`
 */
function acceptedFields(operation: Operation) {
  const { accepts } = operation as { accepts?: Command['accepts'] }
  if (accepts === undefined) return undefined
  const byType = new Map(Object.entries(accepts).map(([type, fields]) => [type.toLowerCase(), Object.entries(fields)]))
  const types = new Set([...byType.keys(), 'application/json'])
  const spellings = (name: string) => [name, ...(operation.aliases?.[name] ?? [])].map((s) => s.toLowerCase())
  return (accept: string | undefined, body: Fields, strings: Fields): Fields => {
    const type = accept === undefined ? undefined : readAccept(accept, types)
    const fields = type === undefined ? undefined : byType.get(type)
    if (fields === undefined) return body
    const given = new Set([...Object.keys(body), ...Object.keys(strings)].map((name) => name.toLowerCase()))
    const missing = fields.filter(([name]) => !spellings(name).some((spelling) => given.has(spelling)))
    return { ...body, ...Object.fromEntries(missing) }
  }
}

/** A body as fields: a list is the one list that the operation takes. @throws GatewayError `invalid_input` */
async function asFields(body: unknown, operation: Operation): Promise<Fields> {
  if (body === null) return noFields
  if (typeof body === 'object' && !Array.isArray(body)) return body as Fields
  const { list } = await compileInput(operation)
  if (Array.isArray(body) && list !== undefined) return { [list]: body }
  const kind = Array.isArray(body) ? 'an array' : `a ${typeof body}`
  throw problem('invalid_input', `/: must be an object, found ${kind}`, {
    errors: [{ path: '/', message: `must be an object, found ${kind}`, code: 'wrong_type' }],
  })
}

function streamHandler(route: RegisteredRoute, gateway: Gateway, streams: Streams): RouteHandlerMethod {
  const operation = route.operation as Stream
  const readParameters = parameterReader(route.path)
  return async (request, reply) => {
    const { raw } = reply
    const signal = streams.add(raw)
    const strings = readParameters(request)
    const lastEventId = request.raw.headers['last-event-id']
    const { schema } = await compileInput(route.operation)
    if (lastEventId !== undefined && schema.properties?.lastEventId) strings.lastEventId ??= lastEventId
    const body = request.body === undefined ? noFields : await asFields(request.body, operation)
    const events = await gateway.open(operation, body, {
      actor: callerOf(request),
      correlationId: request.id,
      strings,
      signal,
    })
    beginEvents(reply)
    await streams.pump(raw, events, signal, (error) =>
      problemBody(gateway, gateway.asProblem(error, operation.id, request.id), request),
    )
  }
}
