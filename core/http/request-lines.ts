/**
 * The log lines of requests: JSON put together as text, because they have a fixed set of fields without secrets and
 * there is one for every request. They gather as bytes, because each write wakes another thread, which costs more than
 * the line (measured: 3 µs of 36 with writes of 12 KiB), and strings of many small parts cost more in the end than the
 * lines.
 */

/** Lines gather until there are this many bytes, or for `flushMs`. */
const gatheredBytes = 64 * 1024
const flushMs = 200
/** Number of cached tails. Routes and actors are few; if there are more, texts are made again. */
const maxTails = 5000

/** The end of a line: the fields that most requests of a route have in common. */
interface Tail {
  readonly method: string
  readonly status: number
  readonly actor: string | undefined
  readonly bytes: Buffer
}

/** Room for all of a line except its correlation id and its tail. */
const otherBytes = 128

/** See the head of this file. */
export class RequestLines {
  readonly #write: (text: string) => void
  readonly #bytes = Buffer.allocUnsafeSlow(gatheredBytes)
  #end = 0
  #timer: NodeJS.Timeout | undefined
  #tails = new Map<string, Tail[]>()
  #tailCount = 0
  #time = 0
  #start = Buffer.alloc(0)

  /** @param write gets whole lines */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  /**
   * Adds the line of one request.
   * @param ms time from arrival to answer
   * @param correlationId ASCII without characters that JSON escapes
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
      this.#start = Buffer.from(`{"level":30,"time":${time},"ms":`)
    }
    const tail = this.#tail(method, route, status, actor)
    // A line that does not fit into the buffer (a route or key name of 64 KiB) is left out.
    if (otherBytes + correlationId.length + tail.length > gatheredBytes) return
    if (this.#end + otherBytes + correlationId.length + tail.length > gatheredBytes) this.flush()
    this.#append(this.#start)
    this.#hundredths(ms)
    this.#append(idField)
    this.#ascii(correlationId)
    this.#append(tail)
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }

  /** Writes the gathered lines. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const end = this.#end
    this.#end = 0
    if (end > 0) this.#write(this.#bytes.toString('utf8', 0, end))
  }

  #append(bytes: Buffer): void {
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }

  /** Character by character: a call into Node's own code takes as long as 50 of them. */
  #ascii(text: string): void {
    for (let i = 0; i < text.length; i++) this.#bytes[this.#end++] = text.charCodeAt(i)
  }

  /** A number with two decimals; cheaper than the general conversion of a double to its shortest text. */
  #hundredths(value: number): void {
    const n = Math.round(value * 100)
    const rest = n % 100
    this.#ascii(String((n - rest) / 100))
    this.#bytes[this.#end++] = 0x2e
    this.#bytes[this.#end++] = 0x30 + Math.floor(rest / 10)
    this.#bytes[this.#end++] = 0x30 + (rest % 10)
  }

  #tail(method: string, route: string, status: number, actor: string | undefined): Buffer {
    let tails = this.#tails.get(route)
    if (tails !== undefined) {
      for (const tail of tails)
        if (tail.status === status && tail.actor === actor && tail.method === method) return tail.bytes
    }
    if (this.#tailCount++ >= maxTails) {
      this.#tails = new Map()
      this.#tailCount = 1
      tails = undefined
    }
    const fields = JSON.stringify({ method, route, status, actor, msg: 'request' })
    const bytes = Buffer.from(`",${fields.slice(1)}\n`)
    const tail: Tail = { method, status, actor, bytes }
    if (tails === undefined) this.#tails.set(route, [tail])
    else tails.push(tail)
    return bytes
  }
}

const idField = Buffer.from(',"correlationId":"')
