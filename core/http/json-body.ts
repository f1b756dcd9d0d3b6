/** JSON bodies: read with the limit of the settings in force, checked for depth, encoding and poisoned names, then parsed. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { GatewayError } from '../problems.ts'
import { problem } from '../problems.ts'

/** Arrays and objects inside each other. Our inputs need five; what walks an input recursively is safe up to far more. */
export const maxDepth = 64

/** Parses JSON, refusing `__proto__` and `constructor.prototype` members (fastify's parser). */
export type JsonParser = (text: string, done: (error: Error | null, value?: unknown) => void) => void

/** What is called with a whole body, or with the error that ended it. */
export type BodyReceiver = (error: GatewayError | null, body: Buffer) => void

/** A body that is arriving. Its state hangs on the request, so that the listeners are the same functions for every request. */
interface Arriving {
  readonly limit: number
  readonly setting: string
  readonly chunks: Buffer[]
  length: number
  readonly done: BodyReceiver
}

const kArriving = Symbol('gantry.body')
type Incoming = IncomingMessage & { [kArriving]?: Arriving | undefined }

/**
 * Reads a body whole.
 *
 * @param limit bytes
 * @param setting name of the limit, for the error
 * @param done called once; errors are `payload_too_large`, or `malformed_request` when the client stopped sending
 */
export function readBody(raw: IncomingMessage, limit: number, setting: string, done: BodyReceiver) {
  const announced = raw.headers['content-length']
  if (announced !== undefined && Number(announced) > limit) {
    raw.resume()
    done(tooLarge(limit, setting, announced), empty)
    return
  }
  ;(raw as Incoming)[kArriving] = { limit, setting, chunks: [], length: 0, done }
  raw.on('data', onData)
  raw.on('end', onEnd)
  raw.on('error', onError)
}

function onData(this: Incoming, chunk: Buffer) {
  const body = this[kArriving]
  if (!body) return
  body.length += chunk.length
  if (body.length <= body.limit) {
    body.chunks.push(chunk)
    return
  }
  // The rest is read and dropped, so that the client gets to read the answer.
  this[kArriving] = undefined
  this.resume()
  body.done(tooLarge(body.limit, body.setting), empty)
}

function onEnd(this: Incoming) {
  const body = this[kArriving]
  if (!body) return
  this[kArriving] = undefined
  const { chunks } = body
  body.done(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, body.length))
}

function onError(this: Incoming) {
  const body = this[kArriving]
  if (!body) return
  this[kArriving] = undefined
  body.done(problem('malformed_request', 'The connection ended before the body was whole.'), empty)
}

const empty = Buffer.alloc(0)

function tooLarge(limit: number, setting: string, announced?: string) {
  return problem(
    'payload_too_large',
    announced === undefined
      ? `The body has more than ${limit} bytes (${setting}).`
      : `The body has ${announced} bytes; at most ${limit} are taken (${setting}).`,
  )
}

/**
 * Parses a JSON body. An empty one is `undefined`: many clients send the content type with every request.
 *
 * @param done called once, at once unless the body is faulty; errors are `malformed_body` with line and column
 */
export function parseJson(bytes: Buffer, parse: JsonParser, done: (error: Error | null, value?: unknown) => void) {
  if (bytes.length === 0) return done(null, undefined)
  if (!isUtf8(bytes)) return done(problem('malformed_body', 'The body is not UTF-8 (RFC 8259, 8.1).'))
  // Fewer bytes than this cannot be nested too deeply.
  const tooDeep = bytes.length > 2 * maxDepth ? depthFault(bytes) : undefined
  if (tooDeep) return done(tooDeep)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = hasMark ? bytes.toString('utf8', 3) : bytes.toString('utf8')
  parse(text, (error, value) => {
    if (error === null) done(null, value)
    else explain(text).then(done, done)
  })
}

async function explain(text: string): Promise<GatewayError> {
  const { findJsonFault } = await import('./json-errors.ts')
  const fault = findJsonFault(text)
  if (!fault) {
    return problem(
      'malformed_body',
      'The body has a property "__proto__" or "constructor.prototype", which is never taken.',
    )
  }
  const { line, column, position, message } = fault
  return problem('malformed_body', `Line ${line}, column ${column} (position ${position}): ${message}.`, {
    errors: [{ line, column, position, message }],
  })
}

/** Before the parse: 50 MB of `[` would otherwise become gigabytes of arrays. Strings are skipped by their quotes. */
function depthFault(bytes: Buffer): GatewayError | undefined {
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === 0x22) {
      i = endOfString(bytes, i)
      if (i < 0) return undefined
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) {
        return problem(
          'malformed_body',
          `The body has more than ${maxDepth} arrays and objects inside each other (position ${i}).`,
        )
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return undefined
}

/** Index of the quote that ends the string beginning at `start`; -1 when there is none (the parser will say so). */
function endOfString(bytes: Buffer, start: number): number {
  let quote = start
  for (;;) {
    quote = bytes.indexOf(0x22, quote + 1)
    if (quote < 0) return -1
    let backslashes = 0
    while (bytes[quote - 1 - backslashes] === 0x5c) backslashes++
    if (backslashes % 2 === 0) return quote
  }
}
