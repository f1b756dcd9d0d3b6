/**
 * The answer profile `envelope`: the form in which clients of this API family expect answers (docs/design.md#envelope).
 * The plain form is the rule. A client gets the envelope under the path prefix `/compat`, by its `X-Client-Id`
 * (settings `compatibility.envelopeClients`), or always (`compatibility.envelope`).
 *
 * Everything that differs is in this file: hooks around the same routes. Streams, MCP and binary contents stay as they
 * are.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../lib/is-object.ts'
import { anyOf } from '../../lib/wildcard.ts'
import type { Operation } from '../contract/operation.ts'
import type { Gateway } from '../gateway.ts'
import { compileInput } from '../input/validation.ts'
import type {} from './fastify-types.ts'
import { jsonType } from './replies.ts'

/** The prefix under which every route of the API is there once more, with answers in the envelope. */
const prefix = '/compat'

type Fields = Record<string, unknown>

/** `/compat/api/…` becomes `/api/…`: Fastify's `rewriteUrl`. */
export function withoutPrefix({ url = '/' }: { url?: string | undefined }): string {
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url
}

/** Adds the profile to an app. */
export function addEnvelope(app: FastifyInstance, gateway: Gateway): void {
  app.decorateRequest('envelope', false)
  app.addHook('onRequest', (request, _reply, done) => {
    request.envelope = wantsEnvelope(request, gateway)
    done()
  })
  // With a callback: every answer comes through here, and most are plain.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWrapped = request.envelope && typeof payload === 'string' && payload !== ''
    done(null, isWrapped ? wrapped(reply, payload, gateway.clock()) : payload)
  })
}

/** The text of an answer in the envelope; texts that are no JSON and no other text stay. @param now ms since 1970 */
function wrapped(reply: FastifyReply, payload: string, now: number): string {
  const type = String(reply.getHeader('content-type') ?? '')
  if (!/^(application\/(problem\+)?(json|xml)|text\/)/.test(type) || type.startsWith('text/event-stream'))
    return payload
  const value: unknown = /json/.test(type) ? JSON.parse(payload) : payload
  reply.header('content-type', jsonType).removeHeader('content-length')
  const isProblem = reply.statusCode >= 400
  return JSON.stringify({
    ...(isProblem ? refused(value) : answered(value, reply.statusCode)),
    timestamp: new Date(now).toISOString(),
  })
}

function wantsEnvelope({ originalUrl, raw }: FastifyRequest, gateway: Gateway): boolean {
  if (originalUrl.startsWith(`${prefix}/`)) return !/^\/compat\/(mcp|signalr)\b/.test(originalUrl)
  if (!originalUrl.startsWith('/api/')) return false
  const { envelope, envelopeClients } = gateway.settings.compatibility
  if (envelope) return true
  const client = raw.headers['x-client-id']
  return typeof client === 'string' && anyOf(envelopeClients.map(lower))(lower(client))
}

const lower = (text: string) => text.toLowerCase()

/**
 * The input as clients of the profile mean it: an export replaces an older file.
 * @returns the body with what is missing
 */
export async function envelopeInput(operation: Operation, body: Fields, strings: Fields): Promise<Fields> {
  if (!/\bexport/.test(operation.id)) return body
  const { schema } = await compileInput(operation)
  const given = [...Object.keys(body), ...Object.keys(strings)]
  if (schema.properties?.overwrite === undefined || given.some((name) => /^overwrite$/i.test(name))) return body
  return { ...body, overwrite: true }
}

function answered(value: unknown, status: number): Fields {
  const { list, rest } = asList(value)
  const data = list ?? value
  return {
    success: true,
    message: textOf(value, 'message') ?? (status === 202 ? 'Accepted' : 'OK'),
    data: mapObjects(data, (object) => withPlace(asJob(object))),
    ...rest,
  }
}

function refused(value: unknown): Fields {
  if (!isObject(value)) return { success: false, message: String(value) }
  const { code, detail, ...rest } = value
  const [first] = Array.isArray(value.errors) ? value.errors : []
  const message = String(detail ?? value.title ?? code)
  return {
    ...rest,
    success: false,
    message: `${message}${placeOf(isObject(first) ? first : {}, message)}`,
    errorCode: code,
  }
}

/** A list answer (`{ blocks: […], total, nextCursor }`) as its entries, and the fields about the list. */
function asList(value: unknown): { list?: readonly unknown[]; rest?: Fields } {
  if (!isObject(value) || typeof value.total !== 'number') return {}
  const lists = Object.entries(value).filter(([name, field]) => name !== 'warnings' && Array.isArray(field))
  if (lists.length !== 1) return {}
  const [name, list] = lists[0]!
  const { [name]: _list, ...rest } = value
  const about = Object.keys(rest).every((key) => ['total', 'nextCursor', 'limit', 'hasMore', 'warnings'].includes(key))
  return about ? { list: list as unknown[], rest } : {}
}

/** A job: its error is text, and there is no state Cancelled. */
function asJob(object: Fields): Fields {
  if (typeof object.jobId !== 'string' || typeof object.status !== 'string') return object
  const error = isObject(object.error) ? String(object.error.detail ?? object.error.code) : object.error
  if (object.status === 'Cancelled') return { ...object, status: 'Failed', error: error ?? 'The job was cancelled.' }
  return error === undefined ? object : { ...object, error }
}

/** A message with a place: the place is at the end of its text, where these clients read it. */
function withPlace(object: Fields): Fields {
  for (const name of ['description', 'message'])
    if (typeof object[name] === 'string' && object[name] !== '')
      return { ...object, [name]: `${object[name]}${placeOf(object, object[name])}` }
  return object
}

function placeOf({ line, column, sourceLine, sourceColumn }: Fields, text: string): string {
  const [row, col] = [sourceLine ?? line, sourceColumn ?? column]
  if (typeof row !== 'number' || /\(Line: \d+; Col: \d+\)$/.test(text)) return ''
  return ` (Line: ${row}; Col: ${typeof col === 'number' ? col : 1})`
}

/** Copies a value; `change` gets each object in it, the inner ones first. */
function mapObjects(value: unknown, change: (object: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapObjects(item, change)])))
}

function textOf(value: unknown, name: string): string | undefined {
  return isObject(value) && typeof value[name] === 'string' ? value[name] : undefined
}
