/** Server-sent events (WHATWG HTML, 9.2): operations of kind `stream`. */
import type { ServerResponse } from 'node:http'
import type { StreamEvent } from '../contract/operation.ts'
import type { Problem } from '../contract/problems.ts'

/** A comment line at this interval keeps proxies from closing a quiet stream (docs/design.md#event-streams), ms. */
const heartbeatMs = 15_000
/**
 * Bytes that may wait for a slow client before its stream pauses. With what Node keeps for each small write it is three
 * times as much memory, for each client that does not read.
 */
const highWaterBytes = 32 * 1024
/** A client that reads nothing for this long is disconnected, so that its backlog cannot grow, ms. */
const stallMs = 30_000

/** One event as text. */
export function eventText({ event, id, data }: StreamEvent): string {
  const lines: string[] = []
  // A line break in a name or id would begin another field.
  if (id !== undefined) lines.push(`id: ${id.replace(/[\r\n\0]/g, '')}`)
  if (event !== undefined) lines.push(`event: ${event.replace(/[\r\n]/g, '')}`)
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null)
  for (const line of text.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`)
  return `${lines.join('\n')}\n\n`
}

export interface StreamTimes {
  readonly heartbeatMs: number
  readonly stallMs: number
  readonly highWaterBytes: number
}

/** The open streams of a server: heartbeats for all, and their end at shutdown. */
export class Streams {
  readonly #open = new Map<ServerResponse, AbortController>()
  readonly #times: StreamTimes
  #timer: NodeJS.Timeout | undefined

  constructor(times: Partial<StreamTimes> = {}) {
    this.#times = { heartbeatMs, stallMs, highWaterBytes, ...times }
  }

  get size(): number {
    return this.#open.size
  }

  /** Takes over a response. The signal fires when the client disconnects or the server shuts down. */
  add(res: ServerResponse): AbortSignal {
    const controller = new AbortController()
    this.#open.set(res, controller)
    res.once('close', () => {
      this.#open.delete(res)
      controller.abort()
      if (this.#open.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    })
    this.#timer ??= setInterval(() => this.#beat(), this.#times.heartbeatMs).unref()
    return controller.signal
  }

  #beat() {
    for (const res of this.#open.keys()) {
      if (res.headersSent && !res.writableEnded && res.writableLength === 0) res.write(':\n\n')
    }
  }

  /** Ends all streams. */
  close() {
    for (const [res, controller] of this.#open) {
      controller.abort()
      if (res.headersSent) res.end()
    }
  }

  /**
   * Sends the events until they end, or the client disconnects or stops reading. The headers must have been sent.
   *
   * @param toProblem the wire form of an error in the middle of the stream, sent as event `error`
   */
  async pump(
    res: ServerResponse,
    events: AsyncIterable<StreamEvent>,
    signal: AbortSignal,
    toProblem: (error: unknown) => Problem,
  ): Promise<void> {
    const iterator = events[Symbol.asyncIterator]()
    // Not Promise.race: a promise that lives as long as the stream would keep memory for every event.
    let leave = () => {}
    signal.addEventListener('abort', () => leave(), { once: true })
    const nextEvent = () =>
      new Promise<IteratorResult<StreamEvent>>((resolve, reject) => {
        leave = () => resolve({ done: true, value: undefined })
        if (signal.aborted) leave()
        else iterator.next().then(resolve, reject)
      })
    try {
      for (;;) {
        const next = await nextEvent()
        if (next.done || signal.aborted) break
        res.write(eventText(next.value))
        if (res.writableLength > this.#times.highWaterBytes && !(await this.#drained(res, signal))) {
          res.destroy()
          return
        }
      }
    } catch (error) {
      if (!signal.aborted) res.write(eventText({ event: 'error', data: toProblem(error) }))
    } finally {
      // Not awaited: a source that waits for its next event would delay the end.
      void iterator.return?.().catch(() => undefined)
      if (!res.writableEnded) res.end()
    }
  }

  /** True when the client has read its backlog; false when it disconnected or stalled. */
  #drained(res: ServerResponse, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (result: boolean) => {
        clearTimeout(timer)
        res.off('drain', onDrain)
        signal.removeEventListener('abort', onAbort)
        resolve(result)
      }
      const onDrain = () => settle(true)
      const onAbort = () => settle(false)
      const timer = setTimeout(() => settle(false), this.#times.stallMs)
      res.once('drain', onDrain)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }
}
