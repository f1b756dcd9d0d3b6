import { deserialize, serialize } from 'node:v8'
import type { EngineErrorKind } from './errors.ts'
import type { EngineInstance } from './types.ts'

/**
 * Wire format between gateway and engine instance. A frame is
 *
 *     u32 BE head length | u32 BE body length | head (v8.serialize) | body (opaque bytes)
 *
 * The head is a small message of the unions below. The body is a task's input, output or error, serialized by the
 * thread that made it; the instance's main thread passes it on unread, so that a 100 MB project never blocks status and
 * cancel.
 */

/** Raised when a message changes its meaning; both sides must have the same. */
export const protocolVersion = 1

/** Limit of everything that a client may send before it has presented the token. */
export const maxHelloBytes = 4096

/** Limit of a head; heads contain only names and numbers. */
export const maxHeadBytes = 1024 * 1024

/** `probe` asks for the identity and disconnects; `client` attaches. */
export type HelloRole = 'probe' | 'client'

export type ClientMessage =
  | { kind: 'hello'; protocol: number; token: string; role: HelloRole }
  | { kind: 'run'; id: number; module: string; fn: string }
  | { kind: 'cancel'; id: number }
  | { kind: 'diagnostics' | 'detach' | 'shutdown'; id: number }

export type HostInfo = EngineInstance & { readonly id: string; readonly protocol: number }

export type HostMessage =
  | { kind: 'welcome'; info: HostInfo }
  | { kind: 'refused'; reason: string }
  | { kind: 'started'; id: number }
  | { kind: 'progress'; id: number; percent: number; message?: string }
  | { kind: 'done'; id: number }
  | { kind: 'failed'; id: number; error: EngineErrorKind }
  | { kind: 'reply'; id: number; value: unknown }
  | { kind: 'recycled'; residentBytes: number; limitBytes: number }
  | { kind: 'output'; stream: 'stdout' | 'stderr'; text: string }

export interface Frame<Head> {
  readonly head: Head
  /** Owns its ArrayBuffer, so that it can be transferred to a thread. Absent when empty. */
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** The peer broke the format or a limit; the connection must end. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

const prefixBytes = 8

/** The chunks of one frame; the body is not copied. */
export function encodeFrame(head: ClientMessage | HostMessage, body?: Uint8Array): Uint8Array[] {
  const packed = serialize(head)
  const start = Buffer.allocUnsafe(prefixBytes + packed.length)
  start.writeUInt32BE(packed.length, 0)
  start.writeUInt32BE(body?.length ?? 0, 4)
  packed.copy(start, prefixBytes)
  return body && body.length > 0 ? [start, body] : [start]
}

/** Splits a byte stream into frames. `maxBody` and `maxHead` may be raised once the peer is known. */
export class FrameReader<Head> {
  maxHead: number
  maxBody: number
  readonly #prefix = Buffer.alloc(prefixBytes)
  #prefixFilled = 0
  #head: Buffer | undefined
  #headFilled = 0
  #body: Buffer<ArrayBuffer> | undefined
  #bodyFilled = 0

  constructor(maxHead: number, maxBody: number) {
    this.maxHead = maxHead
    this.maxBody = maxBody
  }

  /** Calls `take` for every frame that `chunk` completes. Throws `FrameError`. */
  push(chunk: Buffer, take: (frame: Frame<Head>) => void): void {
    let offset = 0
    for (;;) {
      if (this.#head === undefined) {
        const n = chunk.copy(this.#prefix, this.#prefixFilled, offset)
        this.#prefixFilled += n
        offset += n
        if (this.#prefixFilled < prefixBytes) return
        this.#allocate(this.#prefix.readUInt32BE(0), this.#prefix.readUInt32BE(4))
      }
      const head = this.#head!
      const h = chunk.copy(head, this.#headFilled, offset)
      this.#headFilled += h
      offset += h
      if (this.#headFilled < head.length) return
      const body = this.#body!
      const b = chunk.copy(body, this.#bodyFilled, offset)
      this.#bodyFilled += b
      offset += b
      if (this.#bodyFilled < body.length) return
      this.#head = undefined
      this.#prefixFilled = 0
      take({ head: decode<Head>(head), body: body.length > 0 ? body : undefined })
    }
  }

  #allocate(headLength: number, bodyLength: number): void {
    if (headLength === 0 || headLength > this.maxHead) {
      throw new FrameError(`A message head of ${headLength} bytes was announced; 1 to ${this.maxHead} are allowed.`)
    }
    if (bodyLength > this.maxBody) {
      throw new FrameError(`A message body of ${bodyLength} bytes was announced; up to ${this.maxBody} are allowed.`)
    }
    this.#head = Buffer.allocUnsafeSlow(headLength)
    this.#headFilled = 0
    this.#body = Buffer.allocUnsafeSlow(bodyLength)
    this.#bodyFilled = 0
  }
}

function decode<Head>(bytes: Buffer): Head {
  try {
    const value: unknown = deserialize(bytes)
    if (typeof value !== 'object' || value === null || typeof (value as { kind?: unknown }).kind !== 'string') {
      throw new TypeError('not a message object')
    }
    return value as Head
  } catch (error) {
    throw new FrameError(`A message head cannot be read: ${(error as Error).message}`)
  }
}
