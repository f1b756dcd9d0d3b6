/**
 * MB_CLIENT and MB_SERVER of Modbus TCP. STATUS numbers: S7-1200 manual, "MB_CLIENT" and "MB_SERVER" (tables of
 * parameter errors, protocol errors and execution condition codes); docs/plc-semantics.md#communication.
 */
import type { Network } from '../network.ts'
import { readConnection } from './connection-parameters.ts'
import type { InstanceView, Model } from './instance-view.ts'
import { dataOf, imageOf, type ModbusData, packBits, unpackBits } from './modbus-data.ts'
import {
  exceptionCode,
  frameSize,
  headerSize,
  largestFrame,
  most,
  readFrame,
  words,
  writeFrame,
} from './modbus-frames.ts'
import { established, isWaiting, phaseStatus, tell } from './open-communication.ts'

const idle = 0x7000
const first = 0x7001
const running = 0x7002
const closing = 0x7003
const sending = 0x7005
const receiving = 0x7006

const wrongMode = 0x8188
const wrongAddress = 0x8189
const wrongLength = 0x818a
const wrongPointer = 0x818b
const noAnswer = 0x80c8
const malformed = 0x8380
const otherFunction = 0x8386
const otherProtocol = 0x8387
const otherQuantity = 0x8388

/** STATUS for exceptions of the server, by their codes. */
const exceptions: Readonly<Record<number, number>> = { 1: 0x8381, 2: 0x8383, 3: 0x8382, 4: 0x8384 }

/** A request of a client: function code, first address, number of bits or registers. */
interface Request {
  readonly code: number
  readonly address: number
  readonly count: number
}

/** Address ranges of MB_DATA_ADDR, with their function codes: read, write one, write several (S7-1200 manual). */
const ranges: readonly (readonly [from: number, to: number, read: number, one: number, several: number])[] = [
  [1, 9999, 1, 5, 15],
  [10_001, 19_999, 2, 0, 0],
  [30_001, 39_999, 4, 0, 0],
  [40_001, 49_999, 3, 6, 16],
  [400_001, 465_535, 3, 6, 16],
]
/** Modes 101 to 116 name the function code; MB_DATA_ADDR is the address on the wire then. */
const direct = new Set([1, 2, 3, 4, 5, 6, 15, 16])

const isBitCode = (code: number) => code === 1 || code === 2 || code === 5 || code === 15
const isWriteCode = (code: number) => code === 5 || code === 6 || code === 15 || code === 16

/** How many bits or registers a request of this function code may have (Modbus application protocol 1.1b3, 6). */
function mostOf(code: number): number {
  if (isWriteCode(code)) return isBitCode(code) ? most.writeBits : most.writeRegisters
  return isBitCode(code) ? most.readBits : most.readRegisters
}

/** The request of MB_MODE, MB_DATA_ADDR and MB_DATA_LEN; STATUS when they are wrong. */
function requestOf(instance: InstanceView): Request | number {
  const mode = instance.number('MB_MODE')
  const wanted = instance.number('MB_DATA_ADDR')
  const count = instance.number('MB_DATA_LEN')
  const made = codeAndAddress(mode, wanted, count)
  if (typeof made === 'number') return made
  const { code } = made
  const limit = mostOf(code)
  const isOne = code === 5 || code === 6
  if (count < 1 || count > limit || (isOne && count !== 1)) return wrongLength
  return { ...made, count }
}

function codeAndAddress(mode: number, wanted: number, count: number): { code: number; address: number } | number {
  if (mode > 100 && direct.has(mode - 100)) {
    return wanted > 65_535 ? wrongAddress : { code: mode - 100, address: wanted }
  }
  if (mode !== 0 && mode !== 1 && mode !== 2) return wrongMode
  const range = ranges.find(([from, to]) => wanted >= from && wanted <= to)
  if (!range) return wrongAddress
  const [from, , read, one, several] = range
  const code = mode === 0 ? read : mode === 1 && count === 1 ? one : several
  return code === 0 ? wrongMode : { code, address: wanted - from }
}

function pduOf({ code, address, count }: Request, data: ModbusData): number[] {
  const head = [code, ...words(address)]
  if (code <= 4) return [...head, ...words(count)]
  if (code === 5) return [...head, data.readBits(0, 1)[0] === true ? 0xff : 0, 0]
  if (code === 6) return [...head, ...data.readRegisters(0, 1)]
  const body = code === 15 ? packBits(data.readBits(0, count)) : data.readRegisters(0, count)
  return [...head, ...words(count), body.length, ...body]
}

/** Takes the answer. Returns STATUS, 0 for success. */
function takeAnswer(pdu: Uint8Array, { code, count }: Request, data: ModbusData): number {
  const got = pdu[0] ?? 0
  if (got === (code | 0x80)) return exceptions[pdu[1] ?? 0] ?? 0x8384
  if (got !== code) return otherFunction
  if (isWriteCode(code)) return pdu.length === 5 ? 0 : malformed
  const bytes = pdu.subarray(2)
  if (bytes.length !== pdu[1]) return malformed
  if (bytes.length !== (isBitCode(code) ? Math.ceil(count / 8) : 2 * count)) return otherQuantity
  if (isBitCode(code)) data.writeBits(0, unpackBits(bytes, count))
  else data.writeRegisters(0, bytes)
  return 0
}

/** The next whole frame that has arrived; `undefined` while there is none. */
function nextFrame(network: Network, id: number): Uint8Array | 'malformed' | undefined {
  const start = network.peek(id, 6)
  const size = start && frameSize(start)
  if (size === undefined) return undefined
  if (size < headerSize + 1 || size > largestFrame) return 'malformed'
  return network.available(id) < size ? undefined : network.take(id, size)?.data
}

// ── Client ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Steps in STATE: bits 0 to 3; the number of the transaction is in the upper half. */
const steps = { none: 0, connecting: 1, waiting: 2, closing: 3 } as const
const mbClient: Model = (instance) => {
  const { network } = instance.context
  const connect = instance.behind('CONNECT')
  const state = instance.number('STATE')
  const [step, transaction] = [state & 0xf, state >>> 16]
  const go = (next: number, number = transaction) => instance.set('STATE', number * 65_536 + next)
  const read = readConnection(connect, network)
  if ('status' in read) {
    go(steps.none)
    tell(instance, 'error', read.status)
    return
  }
  const { id, parameters } = read
  const phase = network?.phase(id)
  instance.set('CONNECTED', phase === 'open')
  if (instance.is('DISCONNECT')) {
    if (phase !== undefined) network?.close(id)
    tell(instance, phase === undefined ? 'idle' : 'busy', phase === undefined ? idle : closing)
    go(steps.none)
    return
  }
  if (step === steps.waiting && network) {
    waitForAnswer(instance, network, id, transaction, go)
    return
  }
  const isRequested = instance.is('REQ')
  if (phase === undefined) {
    if (!isRequested) {
      tell(instance, 'idle', idle)
      return
    }
    const request = requestOf(instance)
    if (typeof request === 'number') {
      tell(instance, 'error', request)
      return
    }
    network?.open(id, parameters)
    go(steps.connecting)
    // Without a network nothing is ever established.
    if (network) tell(instance, 'busy', first)
    else tell(instance, 'error', phaseStatus(undefined))
    return
  }
  if (isWaiting(phase)) {
    tell(instance, 'busy', running)
    return
  }
  if (phase !== 'open' || !network) {
    network?.close(id)
    go(steps.none)
    tell(instance, 'error', phaseStatus(phase))
    return
  }
  if (!isRequested) {
    tell(instance, 'idle', established)
    return
  }
  const request = requestOf(instance)
  const pointer = instance.behind('MB_DATA_PTR')
  const data = pointer && dataOf(instance.context, pointer.cell)
  if (typeof request === 'number' || !data || !fits(data, request)) {
    tell(instance, 'error', typeof request === 'number' ? request : wrongPointer)
    return
  }
  const number = (transaction + 1) & 0xffff
  const unit = instance.has('MB_UNIT_ID') ? instance.number('MB_UNIT_ID') : 0xff
  const frame = writeFrame({ transaction: number, unit, pdu: Uint8Array.from(pduOf(request, data)) })
  if (network.send(id, frame)) {
    instance.set('SINCE', instance.now)
    go(steps.waiting, number)
  }
  tell(instance, 'busy', sending)
}

function fits(data: ModbusData, { code, count }: Request): boolean {
  return count <= (isBitCode(code) ? data.bits : data.registers)
}

function waitForAnswer(
  instance: InstanceView,
  network: Network,
  id: number,
  transaction: number,
  go: (step: number) => void,
): void {
  const end = (status: number) => {
    go(steps.none)
    tell(instance, status === 0 ? 'done' : 'error', status)
  }
  if (network.phase(id) !== 'open') {
    end(phaseStatus(network.phase(id)))
    return
  }
  const frame = nextFrame(network, id)
  if (frame === undefined) {
    const seconds = instance.has('RCV_TIMEOUT') ? instance.number('RCV_TIMEOUT') : 2
    if (Number(instance.now - instance.bits('SINCE')) / 1e9 > seconds) {
      // A late answer must not be taken for that of the next request.
      network.close(id)
      end(noAnswer)
    } else tell(instance, 'busy', receiving)
    return
  }
  if (frame === 'malformed') {
    network.close(id)
    end(malformed)
    return
  }
  const { pdu, protocol, transaction: got } = readFrame(frame)
  const request = requestOf(instance)
  const pointer = instance.behind('MB_DATA_PTR')
  const data = pointer && dataOf(instance.context, pointer.cell)
  if (protocol !== 0) end(otherProtocol)
  else if (got !== transaction) tell(instance, 'busy', receiving)
  else if (typeof request === 'number' || !data || !fits(data, request)) end(wrongPointer)
  else end(takeAnswer(pdu, request, data))
}

// ── Server ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a request did. */
interface Served {
  readonly pdu: readonly number[]
  /** Exception code; 0: none. */
  readonly exception: number
  readonly wrote: boolean
  readonly readHolding: boolean
}

const mbServer: Model = (instance) => {
  const { network } = instance.context
  const read = readConnection(instance.behind('CONNECT'), network)
  const outputs = (status: number, more: { NDR?: boolean; DR?: boolean; ERROR?: boolean } = {}) => {
    instance.setAll({ NDR: false, DR: false, ERROR: false, ...more, STATUS: status })
    if (more.ERROR === true) instance.context.fail()
  }
  if ('status' in read) {
    outputs(read.status, { ERROR: true })
    return
  }
  const { id, parameters } = read
  const phase = network?.phase(id)
  if (instance.is('DISCONNECT')) {
    if (phase !== undefined) network?.close(id)
    outputs(phase === undefined ? idle : closing)
    return
  }
  if (!network || phase === undefined) {
    network?.open(id, { ...parameters, isActive: false })
    outputs(network ? first : running)
    return
  }
  if (isWaiting(phase)) {
    outputs(running)
    return
  }
  if (phase !== 'open') {
    network.close(id)
    outputs(phaseStatus(phase), { ERROR: true })
    return
  }
  const frame = nextFrame(network, id)
  if (frame === undefined) {
    outputs(receiving)
    return
  }
  const count = (name: string) => instance.set(name, (instance.number(name) + 1) & 0xffff)
  count('Request_Count')
  if (frame === 'malformed' || readFrame(frame).protocol !== 0) {
    // Where the next frame begins is not known any more.
    network.open(id, { ...parameters, isActive: false })
    outputs(malformed, { ERROR: true })
    return
  }
  const { transaction, unit, pdu } = readFrame(frame)
  const served = serve(instance, pdu)
  network.send(id, writeFrame({ transaction, unit, pdu: Uint8Array.from(served.pdu) }))
  count('Server_Message_Count')
  count('Xmt_Rcv_Count')
  if (served.exception > 0) {
    count('Exception_Count')
    outputs(exceptions[served.exception] ?? 0x8384, { ERROR: true })
    return
  }
  count('Success_Count')
  outputs(0, { NDR: served.wrote, DR: served.readHolding })
}

function serve(instance: InstanceView, pdu: Uint8Array): Served {
  const { context } = instance
  const { I, Q } = context.program.areas
  const code = pdu[0] ?? 0
  const word = (at: number) => ((pdu[at] ?? 0) << 8) | (pdu[at + 1] ?? 0)
  const failed = (exception: number): Served => {
    return { pdu: [code | 0x80, exception], exception, wrote: false, readHolding: false }
  }
  if (!direct.has(code)) return failed(exceptionCode.function)
  const holding = instance.behind('MB_HOLD_REG')
  const data =
    code === 2 || code === 4
      ? imageOf(context, I)
      : isBitCode(code)
        ? imageOf(context, Q)
        : holding && dataOf(context, holding.cell)
  if (!data) return failed(exceptionCode.address)
  const isHolding = code === 3 || code === 6 || code === 16
  const offset = isHolding && instance.has('HR_Start_Offset') ? instance.number('HR_Start_Offset') : 0
  const address = word(1) - offset
  const isOne = code === 5 || code === 6
  const count = isOne ? 1 : word(3)
  const limit = mostOf(code)
  const body = isOne ? pdu.subarray(3, 5) : pdu.subarray(6)
  const size = isBitCode(code) ? Math.ceil(count / 8) : 2 * count
  const isWhole = code <= 4 ? pdu.length === 5 : isOne ? pdu.length === 5 : pdu[5] === size && body.length === size
  if (count < 1 || count > limit || !isWhole) return failed(exceptionCode.value)
  if (code === 5 && word(3) !== 0xff00 && word(3) !== 0) return failed(exceptionCode.value)
  if (address < 0 || address + count > (isBitCode(code) ? data.bits : data.registers))
    return failed(exceptionCode.address)
  if (code <= 4) {
    const bytes = isBitCode(code) ? packBits(data.readBits(address, count)) : data.readRegisters(address, count)
    return { pdu: [code, bytes.length, ...bytes], exception: 0, wrote: false, readHolding: code === 3 }
  }
  if (code === 5) data.writeBits(address, [word(3) === 0xff00])
  else if (code === 15) data.writeBits(address, unpackBits(body, count))
  else data.writeRegisters(address, body)
  return { pdu: [...pdu.subarray(0, 5)], exception: 0, wrote: isHolding, readHolding: false }
}

/** Models by name in upper case. */
export const modbusModels: Readonly<Record<string, Model>> = {
  MB_CLIENT: mbClient,
  MB_SERVER: mbServer,
}
