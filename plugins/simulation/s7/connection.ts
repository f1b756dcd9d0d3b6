/**
 * One connection of a client.
 *
 * ```
 * opened ── connect request ──▶ connected ── setup communication ──▶ ready ── jobs, user data …
 *    └──────────────── anything else: closed ────────┘
 * ```
 *
 * Requests are answered one after the other in the order in which they arrive, so that a read sees the effect of an
 * earlier write. While a client sends faster than it reads, or than the controller scans, the connection does not read
 * from it until it has caught up.
 */
import type { Socket } from 'node:net'
import { isGatewayError } from '../../../core/index.ts'
import type { Controller, OperatingState } from '../controller/contract.ts'
import { permitsPutGet, protectionOf } from '../controller/protection.ts'
import { jobError, jobFunction, pduKind } from './codes.ts'
import { controlJob, stopJob } from './control.ts'
import type { S7Identity } from './identity.ts'
import { jobAnswer, jobFault, type RequestPdu, readRequest } from './pdu.ts'
import { S7Session } from './rights.ts'
import type { S5Layouts } from './s5-words.ts'
import {
  type ConnectRequest,
  connectConfirm,
  type DataTransfer,
  dataPackets,
  disconnectReason,
  disconnectRequest,
  isOfEngineeringOrPanel,
  MalformedFrame,
  PacketReader,
  rackAndSlot,
  readTransportPdu,
} from './transport.ts'
import { UserDataAnswers } from './user-data.ts'
import { readVariables, writeVariables } from './variables.ts'

/** Largest PDU and number of parallel jobs, the same as of a CPU 1516. */
export const largestPdu = 960
const mostJobs = 8
/** Smaller PDUs are too small for the requests of common clients. */
const smallestPdu = 112

/** Receives log messages of the port; a pino logger is suitable. */
export interface PortLog {
  debug(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The environment of a connection. */
export interface ConnectionContext {
  controllerFor(rack: number, slot: number, localAddress: string): Controller | undefined
  identify(controller: Controller): S7Identity
  readonly layouts: S5Layouts
  readonly maximumConnections: number
  readonly idleTimeoutMs: number
  readonly handshakeTimeoutMs: number
  readonly log: PortLog
}

/** Data of a connection for clients of the gateway. */
export interface S7ConnectionInfo {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly rack: number
  readonly slot: number
  /** Name of the controller. */
  readonly controller: string
  readonly pduLength: number
}

const withoutPower: ReadonlySet<OperatingState> = new Set(['Off', 'Booting', 'ShuttingDown'])

/** On sockets for IPv4 and IPv6, IPv4 addresses have a prefix. */
const plainAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:/i, '')

const headerAndTransport = 4 + 3

/** The error for a job that the protection of the controller does not permit. */
function refusalOf(code: number, controller: Controller, session: S7Session): number | undefined {
  if (code === jobFunction.readVariables || code === jobFunction.writeVariables)
    return permitsPutGet(controller, session.level) ? undefined : jobError.notPermitted
  if (code === jobFunction.control || code === jobFunction.stop)
    return session.may('PLC control, PLC stop') ? undefined : jobError.protectionLevel
  return undefined
}

/** One connection of a client. */
export class Connection {
  readonly #socket: Socket
  readonly #context: ConnectionContext
  readonly #reference: number
  readonly #packets = new PacketReader(headerAndTransport + 8192)
  readonly #userData = new UserDataAnswers()
  readonly #queue: Buffer[] = []
  #isWorking = false
  /** The client sends no more data; it still receives its answers. */
  #isEnded = false
  #fragments: Buffer[] = []
  #fragmentBytes = 0
  #sizeCode: number | undefined
  #controller: Controller | undefined
  #session: S7Session | undefined
  /** Of a programming device or panel, which the protocol does not secure. */
  #isLegacy = false
  #place = { rack: 0, slot: 0 }
  /** 0 until communication is set up. */
  #pduLength = 0

  /**
   * Serves one connection.
   * @param socket a socket that stays open when the other side ends (`allowHalfOpen`)
   */
  constructor(socket: Socket, reference: number, context: ConnectionContext) {
    this.#socket = socket
    this.#reference = reference
    this.#context = context
    socket.setNoDelay(true)
    // Ends connections whose other side disappeared.
    socket.setKeepAlive(true, 30_000)
    socket.setTimeout(context.handshakeTimeoutMs)
    socket.on('timeout', () => this.#end('nothing was received for too long'))
    socket.on('error', (cause) => this.#end(cause.message))
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('end', () => {
      this.#isEnded = true
      if (!this.#isWorking) socket.end()
    })
    socket.on('close', () => this.#controller?.events.off('state', this.#onState))
  }

  get info(): S7ConnectionInfo | undefined {
    if (!this.#controller) return undefined
    return {
      remoteAddress: plainAddress(this.#socket.remoteAddress),
      remotePort: this.#socket.remotePort ?? 0,
      localAddress: plainAddress(this.#socket.localAddress),
      ...this.#place,
      controller: this.#controller.options.name,
      pduLength: this.#pduLength,
    }
  }

  /** Ends the connection immediately. */
  destroy(): void {
    this.#socket.destroy()
  }

  #end(reason: string): void {
    if (this.#socket.destroyed) return
    const { remoteAddress, remotePort } = this.#socket
    this.#context.log.debug({ remoteAddress, remotePort, reason }, 'an S7 connection was closed')
    this.#socket.destroy()
  }

  readonly #onState = (state: OperatingState) => {
    if (withoutPower.has(state)) this.#end(`the controller is ${state}`)
  }

  #receive(chunk: Buffer): void {
    try {
      for (const packet of this.#packets.read(chunk)) {
        if (this.#socket.destroyed || this.#socket.writableEnded) return
        this.#take(packet)
      }
    } catch (cause) {
      if (!(cause instanceof MalformedFrame)) throw cause
      this.#end(cause.message)
    }
  }

  #take(packet: Buffer): void {
    const pdu = readTransportPdu(packet)
    if (pdu.kind === 'disconnect') this.#end('the client disconnected')
    else if (pdu.kind === 'connect') this.#connect(pdu)
    else this.#takeData(pdu)
  }

  #takeData(pdu: DataTransfer): void {
    if (!this.#controller) throw new MalformedFrame('data before a connection')
    this.#fragmentBytes += pdu.data.length
    if (this.#fragmentBytes > largestPdu) throw new MalformedFrame(`PDU of more than ${largestPdu} bytes`)
    this.#fragments.push(pdu.data)
    // Many empty parts would fill the memory without exceeding the size limit.
    if (this.#fragments.length > largestPdu) throw new MalformedFrame('PDU in too many parts')
    if (!pdu.isLast) return
    // A copy, because the socket's buffer also contains other packets.
    this.#queue.push(Buffer.concat(this.#fragments))
    this.#fragments = []
    this.#fragmentBytes = 0
    if (this.#queue.length >= mostJobs) this.#socket.pause()
    void this.#work()
  }

  #connect(request: ConnectRequest): void {
    if (this.#controller) throw new MalformedFrame('a second connect request')
    const place = rackAndSlot(request.called)
    const local = plainAddress(this.#socket.localAddress)
    const controller = place && this.#context.controllerFor(place.rack, place.slot, local)
    if (!controller || withoutPower.has(controller.state)) {
      const reason = controller ? disconnectReason.noSession : disconnectReason.addressUnknown
      const called = request.called.toString('hex')
      this.#context.log.debug({ called, ...place, reason }, 'an S7 connection was refused')
      this.#socket.end(disconnectRequest(request.reference, reason))
      return
    }
    const isLegacy = isOfEngineeringOrPanel(request.called)
    if (isLegacy && protectionOf(controller)?.secureCommunication) {
      this.#context.log.debug({ ...place }, 'an S7 connection was refused: only secure communication is allowed')
      this.#socket.end(disconnectRequest(request.reference, disconnectReason.noSession))
      return
    }
    this.#isLegacy = isLegacy
    this.#controller = controller
    this.#session = new S7Session(controller, plainAddress(this.#socket.remoteAddress))
    this.#place = place
    this.#sizeCode = request.sizeCode
    controller.events.on('state', this.#onState)
    this.#socket.write(connectConfirm(request, this.#reference))
  }

  /** Answers the received requests, one after the other. */
  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    try {
      for (let pdu = this.#queue.shift(); pdu && !this.#socket.destroyed; pdu = this.#queue.shift()) {
        const answer = await this.#answer(readRequest(pdu))
        if (this.#socket.destroyed) return
        if (!this.#socket.write(dataPackets(answer, this.#sizeCode))) await this.#drained()
        if (this.#queue.length < mostJobs && this.#socket.isPaused()) this.#socket.resume()
      }
      if (this.#isEnded) this.#socket.end()
    } catch (cause) {
      if (cause instanceof MalformedFrame) this.#end(cause.message)
      else {
        this.#context.log.error({ err: cause }, 'an S7 request could not be answered; its connection is closed')
        this.#socket.destroy()
      }
    } finally {
      this.#isWorking = false
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done)
        this.#socket.off('close', done)
        resolve()
      }
      this.#socket.on('drain', done)
      this.#socket.on('close', done)
    })
  }

  async #answer(request: RequestPdu): Promise<Buffer> {
    const [controller, session] = [this.#controller, this.#session]
    if (!controller || !session) throw new MalformedFrame('a request before a connection')
    // Also when it was loaded after the connection was opened.
    if (this.#isLegacy && protectionOf(controller)?.secureCommunication)
      throw new MalformedFrame('the controller allows only secure communication with programming devices and panels')
    const code = request.parameters[0]
    if (this.#pduLength === 0 && (request.kind !== pduKind.job || code !== jobFunction.setupCommunication))
      throw new MalformedFrame('a request before communication is set up')
    if (request.kind === pduKind.userData) {
      const { identify, maximumConnections } = this.#context
      const context = {
        controller,
        identity: identify(controller),
        pduLength: largestPdu,
        connections: maximumConnections,
        session,
      }
      return this.#userData.answer(request, context, this.#pduLength)
    }
    try {
      return await this.#answerJob(request, code ?? 0, controller, session)
    } catch (cause) {
      // The controller refused: its operating state does not allow the request.
      if (!isGatewayError(cause)) throw cause
      return jobFault(request.reference, jobError.wrongState, code ?? 0)
    }
  }

  #answerJob(request: RequestPdu, code: number, controller: Controller, session: S7Session): Promise<Buffer> | Buffer {
    const refusal = refusalOf(code, controller, session)
    if (refusal !== undefined) return jobFault(request.reference, refusal, code)
    const context = { controller, layouts: this.#context.layouts, pduLength: this.#pduLength }
    switch (code) {
      case jobFunction.setupCommunication:
        return this.#setUp(request)
      case jobFunction.readVariables:
        return readVariables(request, context)
      case jobFunction.writeVariables:
        return writeVariables(request, context)
      case jobFunction.control:
        return controlJob(request, controller)
      case jobFunction.stop:
        return stopJob(request, controller)
      default:
        // Includes uploads and downloads of blocks, because programs are loaded through the gateway.
        return jobFault(request.reference, jobError.notImplemented, code)
    }
  }

  /** Negotiates the number of parallel jobs in each direction, and the length of PDUs. */
  #setUp({ parameters, reference }: RequestPdu): Buffer {
    if (parameters.length !== 8) throw new MalformedFrame(`setup of ${parameters.length} bytes instead of 8`)
    const asked = parameters.readUInt16BE(6)
    if (asked < smallestPdu) return jobFault(reference, jobError.pduSize, jobFunction.setupCommunication)
    this.#pduLength = Math.min(asked, largestPdu)
    this.#socket.setTimeout(this.#context.idleTimeoutMs)
    const jobs = (at: number) => Math.min(Math.max(parameters.readUInt16BE(at), 1), mostJobs)
    const answer = Buffer.from([jobFunction.setupCommunication, 0, 0, jobs(2), 0, jobs(4), 0, 0])
    answer.writeUInt16BE(this.#pduLength, 6)
    return jobAnswer(reference, answer)
  }
}
