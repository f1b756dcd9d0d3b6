/**
 * The lines of requests in the log: JSON put together as text, for they have a fixed set of fields without secrets, and one is written for every
 * request. They gather as bytes, since a write goes to another thread and waking it for each would cost more than the line (measured: 3 µs of 36
 * with writes of 12 KiB), and strings of many small parts cost more in the end than the lines.
 */

/** So many bytes gather, or for so long. */
const gatheredBytes = 64 * 1024
const flushMs = 200
/** Routes and actors are few; should they not be, the texts are made anew. */
const maxTails = 5000

/** The fields that most requests of a route have in common, as the end of a line. */
interface Tail {
  readonly method: string
  readonly status: number
  readonly actor: string | undefined
  readonly text: string
  /** Bytes that a character takes at most. */
  readonly width: 1 | 3
}

/** See the head of this file. */
export class RequestLines {
  readonly #write: (text: string) => void
  readonly #bytes = Buffer.allocUnsafeSlow(gatheredBytes)
  #end = 0
  #timer: NodeJS.Timeout | undefined
  #tails = new Map<string, Tail[]>()
  #tailCount = 0
  #time = 0
  #start = ''

  /** @param write takes whole lines */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  /**
   * Adds the line of one request.
   * @param ms from its arrival to its answer
   * @param correlationId without characters that JSON escapes
   */
  add(
    method: string,
    route: string,
    status: number,
    ms: number,
    correlationId: string,
    actor: string | undefined,
  ): void {
    const time = Date.now()
    if (time !== this.#time) {
      this.#time = time
      this.#start = `{"level":30,"time":${time},"ms":`
    }
    const tail = this.#tail(method, route, status, actor)
    const line = `${this.#start}${hundredths(ms)},"correlationId":"${correlationId}"${tail.text}`
    // A route or an actor is far shorter than the room.
    if (this.#end + tail.width * line.length > gatheredBytes) this.flush()
    this.#end += this.#bytes.write(line, this.#end, tail.width === 1 ? 'latin1' : 'utf8')
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }

  /** Hands over what has gathered. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const end = this.#end
    this.#end = 0
    if (end > 0) this.#write(this.#bytes.toString('utf8', 0, end))
  }

  #tail(method: string, route: string, status: number, actor: string | undefined): Tail {
    let tails = this.#tails.get(route)
    if (tails !== undefined) {
      for (const tail of tails)
        if (tail.status === status && tail.actor === actor && tail.method === method) return tail
    }
    if (this.#tailCount++ >= maxTails) {
      this.#tails = new Map()
      this.#tailCount = 1
      tails = undefined
    }
    const fields = JSON.stringify({ method, route, status, actor, msg: 'request' })
    const text = `,${fields.slice(1)}\n`
    const tail: Tail = { method, status, actor, text, width: /^[ -~\n]*$/.test(text) ? 1 : 3 }
    if (tails === undefined) this.#tails.set(route, [tail])
    else tails.push(tail)
    return tail
  }
}

/** A number with two decimals, without the general way from a double to its shortest text. */
function hundredths(ms: number): string {
  const n = Math.round(ms * 100)
  const rest = n % 100
  const whole = (n - rest) / 100
  return rest === 0 ? `${whole}` : rest < 10 ? `${whole}.0${rest}` : `${whole}.${rest}`
}
