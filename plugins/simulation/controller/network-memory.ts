/**
 * The connections of a controller, in its thread: what blocks ask for goes to the gateway as messages, and what the
 * gateway sends is kept here until blocks take it. Buffers are bounded: a sender waits while 64 KiB have not left.
 */
import type {
  ConnectionParameters,
  ConnectionPhase,
  Network,
  Received,
  RemoteAnswer,
  RemoteItem,
} from '../../../plc/runtime/network.ts'
import type { ConfiguredConnection } from './contract.ts'
import { bufferBytes, type NetworkEvent, type NetworkRequest } from './network-messages.ts'

/** Data of BSEND and USEND that wait for their receivers, for each connection and R_ID. */
const mostPosted = 16

interface Endpoint {
  readonly id: number
  readonly number: number
  readonly parameters: ConnectionParameters
  phase: ConnectionPhase
  unsent: number
  received: Received[]
}

export class NetworkMemory implements Network {
  readonly #post: (request: NetworkRequest) => void
  readonly #note: (text: string) => void
  readonly #byId = new Map<number, Endpoint>()
  readonly #byNumber = new Map<number, Endpoint>()
  readonly #answers = new Map<number, RemoteAnswer | undefined>()
  readonly #posted = new Map<string, (readonly Uint8Array[])[]>()
  #configured: ReadonlyMap<number, ConfiguredConnection> = new Map()
  #lastNumber = 0
  #lastJob = 0

  constructor(post: (request: NetworkRequest) => void, note: (text: string) => void) {
    this.#post = post
    this.#note = note
  }

  /** Sets the configured connections, by their IDs. */
  configure(connections: readonly ConfiguredConnection[]): void {
    this.#configured = new Map(connections.map((one) => [one.id, one]))
  }

  /** The controller is no longer in RUN. */
  closeAll(): void {
    if (this.#byId.size + this.#answers.size + this.#posted.size === 0) return
    this.#byId.clear()
    this.#byNumber.clear()
    this.#answers.clear()
    this.#posted.clear()
    this.#post({ kind: 'closeAll' })
  }

  /** Takes news of the gateway. */
  tell(event: NetworkEvent): void {
    if (event.kind === 'note') this.#note(event.text)
    else if (event.kind === 's7') {
      if (this.#answers.has(event.job)) this.#answers.set(event.job, event.answer)
    } else if (event.kind === 'post') {
      const key = `${event.connection}:${event.reference}`
      const waiting = this.#posted.get(key) ?? []
      this.#posted.set(key, waiting)
      if (waiting.length < mostPosted) waiting.push(event.parts)
    } else {
      const endpoint = this.#byNumber.get(event.connection)
      if (!endpoint) return
      if (event.kind === 'sent') endpoint.unsent -= event.bytes
      else if (event.kind === 'data') {
        const { data, address, port } = event
        endpoint.received.push({ data, address, port })
      } else {
        endpoint.phase = event.phase
        // A connection that ended takes along what was on its way.
        if (event.phase !== 'open') endpoint.unsent = 0
        if (event.phase === 'connecting' || event.phase === 'listening') endpoint.received = []
      }
    }
  }

  // ── Blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────

  open(id: number, parameters: ConnectionParameters): void {
    this.close(id)
    const number = ++this.#lastNumber
    const phase = parameters.isActive ? 'connecting' : 'listening'
    const endpoint: Endpoint = { id, number, parameters, phase, unsent: 0, received: [] }
    this.#byId.set(id, endpoint)
    this.#byNumber.set(number, endpoint)
    this.#post({ kind: 'open', connection: number, parameters })
  }

  close(id: number): void {
    const endpoint = this.#byId.get(id)
    if (!endpoint) return
    this.#byId.delete(id)
    this.#byNumber.delete(endpoint.number)
    this.#post({ kind: 'close', connection: endpoint.number })
  }

  phase(id: number): ConnectionPhase | undefined {
    return this.#byId.get(id)?.phase
  }

  parametersOf(id: number): ConnectionParameters | undefined {
    return this.#byId.get(id)?.parameters
  }

  send(id: number, data: Uint8Array, to?: { readonly address: string; readonly port: number }): boolean {
    const endpoint = this.#byId.get(id)
    if (endpoint?.phase !== 'open') return false
    if (endpoint.unsent > 0 && endpoint.unsent + data.length > bufferBytes) return false
    endpoint.unsent += data.length
    this.#post({ kind: 'send', connection: endpoint.number, data: data.slice(), ...(to ? { to } : {}) })
    return true
  }

  unsent(id: number): number {
    return this.#byId.get(id)?.unsent ?? 0
  }

  available(id: number): number {
    const endpoint = this.#byId.get(id)
    if (!endpoint) return 0
    if (endpoint.parameters.kind !== 'tcp') return endpoint.received[0]?.data.length ?? 0
    return endpoint.received.reduce((sum, { data }) => sum + data.length, 0)
  }

  peek(id: number, count: number): Uint8Array | undefined {
    if (this.available(id) < count) return undefined
    return this.#first(this.#byId.get(id)?.received ?? [], count)
  }

  take(id: number, count: number): Received | undefined {
    const endpoint = this.#byId.get(id)
    const first = endpoint?.received[0]
    if (!endpoint || !first) return undefined
    if (endpoint.parameters.kind !== 'tcp') {
      endpoint.received.shift()
      this.#taken(endpoint, first.data.length)
      return first
    }
    const data = this.#first(endpoint.received, Math.min(count, this.available(id)))
    let left = data.length
    while (left > 0) {
      const next = endpoint.received[0]
      if (!next) break
      if (next.data.length > left) endpoint.received[0] = { ...next, data: next.data.subarray(left) }
      else endpoint.received.shift()
      left -= Math.min(left, next.data.length)
    }
    this.#taken(endpoint, data.length)
    return { ...first, data }
  }

  #first(pieces: readonly Received[], count: number): Uint8Array {
    const bytes = new Uint8Array(count)
    let at = 0
    for (const { data } of pieces) {
      if (at >= count) break
      bytes.set(data.subarray(0, count - at), at)
      at += data.length
    }
    return bytes
  }

  #taken({ number }: Endpoint, bytes: number): void {
    if (bytes > 0) this.#post({ kind: 'taken', connection: number, bytes })
  }

  request(connection: number, isWrite: boolean, items: readonly RemoteItem[]): number | undefined {
    if (this.#configured.get(connection)?.kind !== 's7') return undefined
    const job = ++this.#lastJob
    this.#answers.set(job, undefined)
    this.#post({ kind: 's7', job, connection, isWrite, items })
    return job
  }

  answer(job: number): RemoteAnswer | undefined {
    if (!this.#answers.has(job)) return { kind: 'failed' }
    const answer = this.#answers.get(job)
    if (answer) this.#answers.delete(job)
    return answer
  }

  post(connection: number, reference: number, parts: readonly Uint8Array[]): boolean {
    if (this.#configured.get(connection)?.kind !== 's7') return false
    this.#post({ kind: 'post', connection, reference, parts: parts.map((part) => part.slice()) })
    return true
  }

  collect(connection: number, reference: number): readonly Uint8Array[] | undefined {
    return this.#posted.get(`${connection}:${reference}`)?.shift()
  }

  configured(id: number): ConnectionParameters | undefined {
    const found = this.#configured.get(id)
    if (found?.kind !== 'tcp' && found?.kind !== 'udp') return undefined
    const { kind, isActive = false, partnerAddress, partnerPort = 0, localPort = 0 } = found
    return { kind, isActive, remoteAddress: partnerAddress, remotePort: partnerPort, localPort }
  }
}
