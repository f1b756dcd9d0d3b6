/** One end of a connection of a controller: the other end is one of another controller, or a socket. */
import type { ConnectionParameters, ConnectionPhase } from '../../../plc/runtime/network.ts'
import type { Controller } from '../controller/contract.ts'
import { bufferBytes } from '../controller/network-messages.ts'

/** A controller that communicates. */
export interface Member {
  readonly name: string
  readonly controller: Controller
  /** By the numbers that its thread gave them. */
  readonly endpoints: Map<number, Endpoint>
}

/** Time until a lost connection to a real partner is tried again, ms. */
const retryAfter = 1000

/** What an endpoint sends to. */
export interface OtherEnd {
  /** Sends bytes; `done` is called when they have left. */
  send(data: Uint8Array, done: () => void): void
  end(): void
}

/** An end of a connection. */
export class Endpoint {
  readonly member: Member
  readonly number: number
  readonly parameters: ConnectionParameters
  phase: ConnectionPhase
  /** It was established at least once: it is established again by itself. */
  wasOpen = false
  onLost: () => void = () => undefined
  /** Sends datagrams to real partners. */
  datagrams: ((data: Uint8Array, to: { address: string; port: number }, done: () => void) => void) | undefined
  closeSocket: () => void = () => undefined
  #other: OtherEnd | undefined
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  /** Bytes that the program has not taken yet. */
  #waiting = 0

  constructor(member: Member, number: number, parameters: ConnectionParameters) {
    this.member = member
    this.number = number
    this.parameters = parameters
    this.phase = parameters.isActive ? 'connecting' : 'listening'
  }

  get isEnded(): boolean {
    return this.#isEnded
  }
  get isFull(): boolean {
    return this.#waiting >= bufferBytes
  }

  /** Joins two controllers. */
  static join(one: Endpoint, other: Endpoint, addressOfOne: string, addressOfOther: string): void {
    const [toOther, toOne] = [
      new Within(other, addressOfOne, one.parameters.localPort),
      new Within(one, addressOfOther, other.parameters.localPort),
    ]
    one.open(toOther)
    other.open(toOne)
    other.onRoom = () => toOther.pass()
    one.onRoom = () => toOne.pass()
  }

  /** The connection is established. */
  open(other: OtherEnd): void {
    this.#other = other
    this.onRoom = () => undefined
    this.#waiting = 0
    this.wasOpen = true
    this.setPhase('open')
  }

  setPhase(phase: ConnectionPhase): void {
    this.phase = phase
    this.member.controller.network({ kind: 'phase', connection: this.number, phase })
  }

  note(text: string): void {
    this.member.controller.network({ kind: 'note', text })
  }

  /** Data for the program. */
  receive(data: Uint8Array, address: string, port: number): void {
    if (this.#isEnded) return
    this.#waiting += data.length
    this.member.controller.network({ kind: 'data', connection: this.number, data, address, port })
  }

  /** @param find the receiver of datagrams; `null`: of an instance where nobody waits for them */
  send(
    data: Uint8Array,
    to: { readonly address: string; readonly port: number } | undefined,
    find: (to: { readonly address: string; readonly port: number }) => Endpoint | null | undefined,
  ): void {
    const done = () => {
      this.member.controller.network({ kind: 'sent', connection: this.number, bytes: data.length })
    }
    if (!to) {
      this.#other?.send(data, done)
      return
    }
    const receiver = find(to)
    // As in UDP, what has no receiver or finds its buffer full is lost.
    if (receiver && !receiver.isFull) receiver.receive(data, this.address, this.parameters.localPort)
    if (receiver !== undefined || !this.datagrams) done()
    else this.datagrams(data, to, done)
  }

  /** Own address, for the receivers of datagrams. */
  address = ''

  /** Called when the program has taken data and there is room. */
  onRoom: () => void = () => undefined

  taken(bytes: number): void {
    this.#waiting -= bytes
    if (!this.isFull) this.onRoom()
  }

  /** The other end is gone. */
  lost(): void {
    if (this.#isEnded || !this.#other) return
    this.#other = undefined
    this.onLost()
  }

  retry(work: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#isEnded && this.phase === 'connecting') work()
    }, retryAfter)
    this.#timer.unref()
  }

  /** The program has closed the connection, or the controller is off. */
  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    const other = this.#other
    this.#other = undefined
    other?.end()
    this.closeSocket()
  }
}

/** The end in another controller. Data that find its buffer full wait here; the sender learns when they have left. */
class Within implements OtherEnd {
  readonly #to: Endpoint
  readonly #address: string
  readonly #port: number
  readonly #waiting: { readonly data: Uint8Array; readonly done: () => void }[] = []

  constructor(to: Endpoint, address: string, port: number) {
    this.#to = to
    this.#address = address
    this.#port = port
  }

  send(data: Uint8Array, done: () => void): void {
    this.#waiting.push({ data, done })
    this.pass()
  }

  /** Passes on what waits, as far as there is room. */
  pass(): void {
    while (this.#waiting[0] !== undefined && !this.#to.isFull) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#to.receive(next.data, this.#address, this.#port)
      next.done()
    }
  }

  end(): void {
    this.#to.lost()
  }
}
