/** For tests of the port: a controller over plain memory, and a client that sends raw frames. */
import { connect, type Socket } from 'node:net'
import { EventEmitter } from 'eventemitter3'
import type {
  Controller,
  ControllerEvents,
  ControllerOptions,
  CycleStatistics,
  DiagnosticEntry,
  Force,
  LoadedProgram,
  MemoryRange,
  MemoryWrite,
  OperatingState,
  Snapshot,
  Transition,
} from '../plugins/simulation/controller/contract.ts'
import type { NetworkEvent } from '../plugins/simulation/controller/network-messages.ts'
import { problem } from '../plugins/simulation/problems.ts'
import { createS7Server, type S7Server, type S7ServerOptions } from '../plugins/simulation/s7/server.ts'

/** Addresses in the memory of the fake: areas of 1 KiB, two data blocks, timers, counters. */
export const fakeMemory = {
  areas: {
    I: { address: 0x1000, size: 1024 },
    Q: { address: 0x1400, size: 1024 },
    M: { address: 0x1800, size: 1024 },
    PI: { address: 0x1c00, size: 1024 },
    PQ: { address: 0x2000, size: 1024 },
    T: { address: 0x10000, size: 2048 * 32 },
    C: { address: 0x20000, size: 2048 * 8 },
  },
  dataBlocks: new Map([
    ['valves', { address: 0x3000, size: 2000 }],
    ['optimized', { address: 0x4000, size: 64 }],
  ]),
  size: 0x30000,
} as const

const hash = 'sha256:1234abcd'
const dataBlock = (name: string, number: number, access: 'standard' | 'optimized', size: number) => ({
  name,
  number,
  kind: 'GlobalDB' as const,
  access,
  size,
  type: 0,
  retentive: [],
  layout: hash,
  document: hash,
})
const codeBlock = (name: string, number: number, kind: 'OB' | 'FB' | 'FC', language: string) => ({
  name,
  number,
  kind,
  language,
  document: hash,
  code: hash,
  temporaries: [],
})

/** The parts of a program that the port uses. */
export function fakeProgram(): LoadedProgram {
  const { areas, dataBlocks } = fakeMemory
  return {
    hash,
    package: { hash, manifest: '{}' },
    compiled: { linked: { areas, dataBlocks } },
    symbols: {
      types: [],
      tags: [],
      dataBlocks: [dataBlock('Valves', 10, 'standard', 2000), dataBlock('Optimized', 11, 'optimized', 64)],
      codeBlocks: [
        codeBlock('Main', 1, 'OB', 'LAD'),
        codeBlock('Startup', 100, 'OB', 'SCL'),
        codeBlock('Valve', 7, 'FB', 'SCL'),
      ],
      organizationBlocks: [],
    },
  } as unknown as LoadedProgram
}

const notNeeded = (): Promise<never> => Promise.reject(new Error('the port does not need this'))

export class FakeController implements Controller {
  readonly memory = new Uint8Array(fakeMemory.size)
  readonly events = new EventEmitter<ControllerEvents>()
  readonly options = { name: 'PLC_1', retentiveFlags: 16, utcOffsetMinutes: 60 } as ControllerOptions
  readonly allowed: readonly Transition[] = []
  readonly forces: readonly Force[] = []
  readonly statistics = {} as CycleStatistics
  diagnostics: readonly DiagnosticEntry[] = []
  program: LoadedProgram | undefined = fakeProgram()
  state: OperatingState = 'Run'
  time = Date.UTC(2026, 4, 17, 13, 14, 15, 678)
  clock = 0n
  /** The reads that were requested. */
  readonly reads: (readonly MemoryRange[])[] = []
  readonly writes: (readonly MemoryWrite[])[] = []
  readonly transitions: Transition[] = []
  /** Called while a read waits. */
  onRead: () => void = () => {}

  go(state: OperatingState): void {
    const before = this.state
    this.state = state
    this.events.emit('state', state, before)
  }
  async change(transition: Transition): Promise<OperatingState> {
    this.transitions.push(transition)
    if (transition === 'run' && !this.program) throw problem('invalid_operating_state', 'no program')
    this.go(transition === 'run' ? 'Run' : 'Stop')
    return this.state
  }
  async read(ranges: readonly MemoryRange[]): Promise<Snapshot> {
    this.reads.push(ranges)
    const bytes = ranges.map(({ address, size }) => this.memory.slice(address, address + size))
    await new Promise(setImmediate)
    this.onRead()
    return { bytes, cycle: 1, time: this.time, clock: this.clock }
  }
  async write(writes: readonly MemoryWrite[]): Promise<void> {
    this.writes.push(writes)
    await new Promise(setImmediate)
    for (const { address, bytes, mask } of writes)
      if (mask === undefined) this.memory.set(bytes, address)
      else this.memory[address] = ((this.memory[address] ?? 0) & ~mask) | ((bytes[0] ?? 0) & mask)
  }
  note(): void {}
  async setTime(milliseconds: number): Promise<void> {
    this.time = milliseconds
  }
  configure = notNeeded
  planLoad = notNeeded
  load = notNeeded
  memoryCard = notNeeded
  willRun = notNeeded
  setForces = notNeeded
  setModifications = notNeeded
  readonly alarms = { pending: [], log: [] }
  acknowledge = notNeeded
  network(_event: NetworkEvent): void {}
  advance = notNeeded
  raise = notNeeded
  startTrace = notNeeded
  stopTrace = notNeeded
  trace = notNeeded
  dispose = notNeeded
}

export const silentLog = { debug() {}, error() {} }

/** Opens a port on a free number for one controller at rack 0, slot 1. */
export function openPort(controller: Controller, options: Partial<S7ServerOptions> = {}): Promise<S7Server> {
  return createS7Server({
    controllerFor: (rack, slot) => (rack === 0 && slot === 1 ? controller : undefined),
    port: 0,
    log: silentLog,
    ...options,
  })
}

/** Parses hexadecimal digits, with optional blanks. */
export const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Makes a TPKT frame around a transport PDU. */
export function tpkt(content: Buffer): Buffer {
  const header = hex('03000000')
  header.writeUInt16BE(content.length + 4, 2)
  return Buffer.concat([header, content])
}

/** Makes a data transfer with one PDU. */
export const dataTransfer = (pdu: Buffer, isLast = true) =>
  tpkt(Buffer.concat([Buffer.from([2, 0xf0, isLast ? 0x80 : 0]), pdu]))

export function request(kind: number, parameters: Buffer, data: Buffer, reference = 1): Buffer {
  const header = hex('3200 0000 0000 0000 0000')
  header[1] = kind
  header.writeUInt16BE(reference, 4)
  header.writeUInt16BE(parameters.length, 6)
  header.writeUInt16BE(data.length, 8)
  return Buffer.concat([header, parameters, data])
}

export const connectRequest = (tsap = '0101', size = 'c0010a') => {
  const parameters = hex(`${size} c1020100 c202${tsap}`)
  return tpkt(Buffer.concat([Buffer.from([6 + parameters.length]), hex('e0 0000 0001 00'), parameters]))
}

/** A client that sends the given bytes and splits the answers into packets. */
export class RawClient {
  readonly socket: Socket
  readonly #packets: Buffer[] = []
  #rest = Buffer.alloc(0)
  #wake: () => void = () => {}
  isClosed = false

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
    this.socket.on('data', (chunk) => {
      this.#rest = Buffer.concat([this.#rest, chunk])
      while (this.#rest.length >= 4 && this.#rest.length >= this.#rest.readUInt16BE(2)) {
        const length = this.#rest.readUInt16BE(2)
        this.#packets.push(this.#rest.subarray(4, length))
        this.#rest = this.#rest.subarray(length)
      }
      this.#wake()
    })
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** Returns the content of the next packet; `undefined` when the server has closed the connection. */
  async packet(): Promise<Buffer | undefined> {
    while (this.#packets.length === 0 && !this.isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#packets.shift()
  }

  /** Returns the next PDU, joined from its parts. */
  async pdu(): Promise<Buffer> {
    const parts: Buffer[] = []
    for (;;) {
      const packet = await this.packet()
      if (!packet) throw new Error('the server closed the connection')
      parts.push(packet.subarray(3))
      if ((packet[2] ?? 0) & 0x80) return Buffer.concat(parts)
    }
  }

  /** Sends a job and returns the content of its answer. */
  async job(
    parameters: string | Buffer,
    data: string | Buffer = '',
  ): Promise<{ readonly error: number; readonly parameters: Buffer; readonly data: Buffer }> {
    const bytes = (text: string | Buffer) => (typeof text === 'string' ? hex(text) : text)
    this.send(dataTransfer(request(1, bytes(parameters), bytes(data))))
    const answer = await this.pdu()
    const end = 12 + answer.readUInt16BE(6)
    return { error: answer.readUInt16BE(10), parameters: answer.subarray(12, end), data: answer.subarray(end) }
  }

  /**
   * Sends user data and returns the content of the answer.
   * @param payload `undefined` sends none
   */
  async userData(
    group: number,
    code: number,
    payload?: Buffer,
    sequence = 0,
    method = 0x11,
  ): Promise<{ error: number; sequence: number; hasMore: boolean; code: number; payload: Buffer }> {
    const parameters = Buffer.from([0, 1, 0x12, 4, method, 0x40 | group, code, sequence])
    const header = payload ? Buffer.from([0xff, 9, payload.length >> 8, payload.length & 0xff]) : hex('0a000000')
    this.send(dataTransfer(request(7, parameters, Buffer.concat([header, payload ?? Buffer.alloc(0)]))))
    const answer = await this.pdu()
    const end = 10 + answer.readUInt16BE(6)
    return {
      error: answer.readUInt16BE(20),
      sequence: answer[17] ?? 0,
      hasMore: answer[19] !== 0,
      code: answer[end] ?? 0,
      payload: answer.subarray(end + 4, end + 4 + answer.readUInt16BE(end + 2)),
    }
  }

  /** Requests a system status list and returns its head and records; long lists are requested part by part. */
  async statusList(identifier: number, index = 0) {
    const payload = Buffer.alloc(4)
    payload.writeUInt16BE(identifier)
    payload.writeUInt16BE(index, 2)
    let answer = await this.userData(4, 1, payload)
    const parts = [answer.payload]
    while (answer.hasMore) {
      answer = await this.userData(4, 1, undefined, answer.sequence, 0x12)
      parts.push(answer.payload)
    }
    const all = Buffer.concat(parts)
    const length = all.length >= 8 ? all.readUInt16BE(4) : 0
    const records: Buffer[] = []
    for (let at = 8; at < all.length; at += length) records.push(all.subarray(at, at + length))
    return { ...answer, parts: parts.length, count: all.length >= 8 ? all.readUInt16BE(6) : 0, records }
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Connects a client and sets up communication. */
export async function readyClient(port: number, pduLength = 960): Promise<RawClient> {
  const client = new RawClient(port)
  client.send(connectRequest())
  await client.packet()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(pduLength)
  await client.job(Buffer.concat([hex('f000 0001 0001'), length]))
  return client
}

/**
 * Makes an item of Read Var or Write Var.
 * @param address in bits, or the number of a timer or counter
 */
export function item(type: number, count: number, dataBlock: number, area: number, address: number): Buffer {
  const bytes = hex('120a10 00 0000 0000 00 000000')
  bytes[3] = type
  bytes.writeUInt16BE(count, 4)
  bytes.writeUInt16BE(dataBlock, 6)
  bytes[8] = area
  bytes.writeUIntBE(address, 9, 3)
  return bytes
}

export const items = (code: number, ...all: Buffer[]) => Buffer.concat([Buffer.from([code, all.length]), ...all])
