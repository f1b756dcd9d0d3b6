/**
 * Jobs of GET and PUT: with another instance, through the functions of the S7 server; with real partners as a client.
 */
import { connect, type Socket } from 'node:net'
import type { RemoteAnswer, RemoteItem } from '../../../plc/runtime/network.ts'
import type { ConfiguredConnection, Controller } from '../controller/contract.ts'
import { openLevelOf, permitsPutGet } from '../controller/protection.ts'
import { dataType, itemType, jobFunction, pduKind, returnCode } from '../s7/codes.ts'
import { largestPdu, type PortLog } from '../s7/connection.ts'
import { readRequest } from '../s7/pdu.ts'
import { loadS5Layouts } from '../s7/s5-words.ts'
import { dataPackets, PacketReader } from '../s7/transport.ts'
import { readVariables, writeVariables } from '../s7/variables.ts'

const failed: RemoteAnswer = { kind: 'failed' }
const header = 10

/** Makes the PDU of a job. */
function requestPdu(isWrite: boolean, items: readonly RemoteItem[], reference: number): Buffer {
  const code = isWrite ? jobFunction.writeVariables : jobFunction.readVariables
  // An item is an ANY pointer: the bytes of the program's own begin with 16#10 too.
  const specifications = items.map(({ pointer }) => Buffer.concat([Buffer.from([0x12, 0x0a]), Buffer.from(pointer)]))
  const parameters = Buffer.concat([Buffer.from([code, items.length]), ...specifications])
  const data = isWrite
    ? Buffer.concat(items.flatMap((item, i) => writeData(item, i === items.length - 1)))
    : Buffer.alloc(0)
  const head = Buffer.alloc(header)
  head[0] = 0x32
  head[1] = pduKind.job
  head.writeUInt16BE(reference, 4)
  head.writeUInt16BE(parameters.length, 6)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([head, parameters, data])
}

function writeData({ pointer, data = new Uint8Array(0) }: RemoteItem, isLast: boolean): Buffer[] {
  const isBit = pointer[1] === itemType.bit
  const head = Buffer.from([0, isBit ? dataType.bit : dataType.byte, 0, 0])
  head.writeUInt16BE(isBit ? 1 : data.length * 8, 2)
  const fill = data.length % 2 === 1 && !isLast ? [Buffer.alloc(1)] : []
  return [head, Buffer.from(data), ...fill]
}

/** Reads the answer to a job of so many items. */
function readAnswer(pdu: Buffer, isWrite: boolean, count: number): RemoteAnswer {
  if (pdu.length < 12 || pdu[0] !== 0x32 || pdu.readUInt16BE(10) !== 0) return failed
  const data = pdu.subarray(12 + pdu.readUInt16BE(6))
  if (isWrite) {
    const items = Array.from({ length: count }, (_one, i) =>
      data[i] === returnCode.success ? new Uint8Array(0) : undefined,
    )
    return data.length < count ? failed : { kind: 'done', items }
  }
  const items: (Uint8Array | undefined)[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 4 > data.length) return failed
    const [code, mark, length] = [data[at], data[at + 1]!, data.readUInt16BE(at + 2)]
    if (code !== returnCode.success) {
      items.push(undefined)
      at += 4
      continue
    }
    const inBits = mark === dataType.bit || mark === dataType.byte || mark === dataType.int
    const size = inBits ? Math.ceil(length / 8) : length
    if (at + 4 + size > data.length) return failed
    items.push(Uint8Array.from(data.subarray(at + 4, at + 4 + size)))
    at += 4 + size + (size % 2)
  }
  return { kind: 'done', items }
}

/** Runs a job in another instance. */
export async function answerWithin(
  controller: Controller,
  isWrite: boolean,
  items: readonly RemoteItem[],
): Promise<RemoteAnswer> {
  if (!/^(Stop|Startup|Run|Freeze)$/.test(controller.state)) return failed
  if (!permitsPutGet(controller, openLevelOf(controller))) return failed
  const pdu = requestPdu(isWrite, items, 1)
  if (pdu.length > largestPdu) return failed
  const context = { controller, layouts: await loadS5Layouts(), pduLength: largestPdu }
  try {
    const answer = await (isWrite ? writeVariables : readVariables)(readRequest(pdu), context)
    return readAnswer(answer, isWrite, items.length)
  } catch {
    // The controller was switched off meanwhile.
    return failed
  }
}

// ── Client ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const timeout = 5000
const s7Port = 102

/** Connections to real partners, one for each connection of a controller. */
export class S7Clients {
  readonly #log: PortLog
  readonly #clients = new Map<Controller, Map<number, S7Client>>()

  constructor(log: PortLog) {
    this.#log = log
  }

  async run(
    controller: Controller,
    connection: ConfiguredConnection,
    isWrite: boolean,
    items: readonly RemoteItem[],
  ): Promise<RemoteAnswer> {
    const own = this.#clients.get(controller) ?? new Map<number, S7Client>()
    this.#clients.set(controller, own)
    let client = own.get(connection.id)
    if (!client || client.isClosed || !client.isTo(connection)) {
      client?.close()
      client = new S7Client(connection, this.#log)
      own.set(connection.id, client)
    }
    return client.run(isWrite, items)
  }

  forget(controller: Controller): void {
    for (const client of this.#clients.get(controller)?.values() ?? []) client.close()
    this.#clients.delete(controller)
  }

  close(): void {
    for (const controller of [...this.#clients.keys()]) this.forget(controller)
  }
}

/** A connection to an S7 partner. Jobs are done one after the other. */
class S7Client {
  readonly #connection: ConfiguredConnection
  readonly #socket: Socket
  readonly #packets = new PacketReader(7 + 8192)
  #fragments: Buffer[] = []
  #take: ((pdu: Buffer) => void) | undefined
  #fail: (error: Error) => void = () => undefined
  #ready: Promise<void>
  #queue: Promise<unknown> = Promise.resolve()
  #reference = 0
  isClosed = false

  constructor(connection: ConfiguredConnection, log: PortLog) {
    this.#connection = connection
    const { partnerAddress, partnerPort = s7Port, rack = 0, slot = 1 } = connection
    this.#socket = connect({ host: partnerAddress, port: partnerPort })
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk) => this.#receive(chunk))
    this.#socket.on('error', (cause) => {
      log.debug({ err: cause, partnerAddress, partnerPort }, 'an S7 partner cannot be reached')
      this.#end(cause)
    })
    this.#socket.on('close', () => this.#end(new Error('the partner has closed the connection')))
    this.#ready = this.#setUp(rack * 32 + slot)
    this.#ready.catch(() => this.close())
  }

  isTo({ partnerAddress, partnerPort, rack, slot }: ConfiguredConnection): boolean {
    const own = this.#connection
    return (
      own.partnerAddress === partnerAddress && own.partnerPort === partnerPort && own.rack === rack && own.slot === slot
    )
  }

  /** The next job makes a new connection, also before the socket has ended. */
  close(): void {
    this.isClosed = true
    this.#socket.destroy()
  }

  #end(error: Error): void {
    this.isClosed = true
    this.#fail(error)
  }

  async #setUp(place: number): Promise<void> {
    const parameters = Buffer.from([0xc0, 1, 0x0a, 0xc1, 2, 0x01, 0x00, 0xc2, 2, 0x03, place])
    const request = Buffer.concat([Buffer.from([6 + parameters.length, 0xe0, 0, 0, 0, 1, 0]), parameters])
    const head = Buffer.from([3, 0, 0, 0])
    head.writeUInt16BE(4 + request.length, 2)
    await this.#ask(Buffer.concat([head, request]))
    const set = Buffer.from([
      0x32,
      pduKind.job,
      0,
      0,
      0,
      0,
      0,
      8,
      0,
      0,
      jobFunction.setupCommunication,
      0,
      0,
      1,
      0,
      1,
      0,
      0,
    ])
    set.writeUInt16BE(largestPdu, set.length - 2)
    const answer = await this.#ask(dataPackets(set, undefined))
    if (answer.length < 12 || answer.readUInt16BE(10) !== 0)
      throw new Error('the partner refused to set up communication')
  }

  run(isWrite: boolean, items: readonly RemoteItem[]): Promise<RemoteAnswer> {
    const done = this.#queue.then(async () => {
      await this.#ready
      this.#reference = (this.#reference % 0xffff) + 1
      const answer = await this.#ask(dataPackets(requestPdu(isWrite, items, this.#reference), undefined))
      return readAnswer(answer, isWrite, items.length)
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Sends a packet and waits for the answer. */
  #ask(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.close()
        reject(new Error('the partner does not answer'))
      }, timeout)
      timer.unref()
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          this.#take = undefined
          then(value)
        }
      this.#take = settle(resolve)
      this.#fail = settle(reject)
      if (this.isClosed) this.#fail(new Error('the connection is closed'))
      else this.#socket.write(bytes)
    })
  }

  #receive(chunk: Buffer): void {
    try {
      for (const packet of this.#packets.read(chunk)) {
        // X.224: D0 confirms the connection, F0 is data.
        const kind = packet[1]! & 0xf0
        if (kind === 0xf0) {
          this.#fragments.push(packet.subarray(3))
          if ((packet[2]! & 0x80) === 0) continue
          const pdu = Buffer.concat(this.#fragments)
          this.#fragments = []
          this.#take?.(pdu)
        } else if (kind === 0xd0) this.#take?.(packet)
        else this.close()
      }
    } catch {
      this.close()
    }
  }
}
