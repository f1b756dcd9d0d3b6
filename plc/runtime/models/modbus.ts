/**
 * MB_CLIENT and MB_SERVER of Modbus TCP. STATUS numbers: TIA Portal help of both (tables of parameter errors, protocol
 * errors and general status information); docs/plc-semantics.md#communication.
 */
import type { ConnectionParameters, Network } from '../network.ts'
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

const notTcp = 0x80b6
const wrongDirection = 0x80bb
const noHoldingRegisters = 0x8187
const wrongMode = 0x8188
const wrongAddress = 0x8189
const wrongLength = 0x818a
const wrongPointer = 0x818b
const wrongTimeout = 0x818c
const noAnswer = 0x80c8
const malformed = 0x8380
const wrongSize = 0x8382
const otherValue = 0x8384
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

/** STATUS for an exception; the code 3 of function 5 means its value. */
function statusOf(exception: number, code: number): number {
  return exception === exceptionCode.value && code === 5 ? otherValue : (exceptions[exception] ?? otherValue)
}

/** What the answer to a write repeats: the address, then the value or the number of them. */
function echoStatus(pdu: Uint8Array, sent: readonly number[], code: number): number {
  const differs = (at: number) => pdu[at] !== sent[at] || pdu[at + 1] !== sent[at + 1]
  if (differs(1)) return wrongSize
  if (!differs(3)) return 0
  return code === 5 || code === 6 ? otherValue : otherQuantity
}

/** STATUS of a connection that Modbus does not take; 0: it does. */
function connectionStatus({ kind, isActive }: ConnectionParameters, isClient: boolean): number {
  if (kind !== 'tcp') return notTcp
  return isActive === isClient ? 0 : wrongDirection
}

/** Whether the times that the static tags give are in their range, 0.5 to 55 seconds. */
function hasRightTimes(instance: InstanceView): boolean {
  return ['RCV_TIMEOUT', 'BLOCKED_PROC_TIMEOUT'].every((name) => {
    const seconds = instance.number(name)
    return !instance.has(name) || (seconds >= 0.5 && seconds <= 55)
  })
}

/** Takes the answer. Returns STATUS, 0 for success. */
function takeAnswer(pdu: Uint8Array, request: Request, data: ModbusData): number {
  const { code, count } = request
  const got = pdu[0] ?? 0
  if (got === (code | 0x80)) return statusOf(pdu[1] ?? 0, code)
  if (got !== code) return otherFunction
  if (isWriteCode(code)) return pdu.length === 5 ? echoStatus(pdu, pduOf(request, data), code) : malformed
  const bytes = pdu.subarray(2)
  if (bytes.length !== pdu[1] || bytes.length !== (isBitCode(code) ? Math.ceil(count / 8) : 2 * count)) return wrongSize
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

/** Steps in STATE: bits 0 to 3; bits 4 to 15 count attempts; the number of the transaction is in the upper half. */
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
  const refused = connectionStatus(parameters, true)
  if (refused !== 0) {
    go(steps.none)
    tell(instance, 'error', refused)
    return
  }
  const phase = network?.phase(id)
  instance.set('CONNECTED', phase === 'open')
  // BUSY is not set while the connection is established or terminated.
  if (instance.is('DISCONNECT')) {
    if (phase !== undefined) network?.close(id)
    tell(instance, 'idle', phase === undefined ? idle : closing)
    go(steps.none)
    return
  }
  if (step === steps.waiting && network) {
    waitForAnswer(instance, network, id, transaction, (state >>> 4) & 0xfff, go)
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
    if (network) tell(instance, 'idle', first)
    else tell(instance, 'error', phaseStatus(undefined))
    return
  }
  if (isWaiting(phase)) {
    tell(instance, 'idle', running)
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
  if (typeof request === 'number' || !data || !fits(data, request) || !hasRightTimes(instance)) {
    const isPointer = !data || (typeof request !== 'number' && !fits(data, request))
    tell(instance, 'error', typeof request === 'number' ? request : isPointer ? wrongPointer : wrongTimeout)
    return
  }
  const start = instance.has('MB_TRANSACTION_ID') ? instance.number('MB_TRANSACTION_ID') : 1
  const number = transaction === 0 ? start : (transaction + 1) & 0xffff
  if (sendRequest(instance, network, id, number, request, data)) go(steps.waiting, number)
  tell(instance, 'busy', sending)
}

function sendRequest(
  instance: InstanceView,
  network: Network,
  id: number,
  transaction: number,
  request: Request,
  data: ModbusData,
): boolean {
  const unit = instance.has('MB_UNIT_ID') ? instance.number('MB_UNIT_ID') : 0xff
  const isSent = network.send(id, writeFrame({ transaction, unit, pdu: Uint8Array.from(pduOf(request, data)) }))
  if (isSent) instance.set('SINCE', instance.now)
  return isSent
}

function fits(data: ModbusData, { code, count }: Request): boolean {
  return count <= (isBitCode(code) ? data.bits : data.registers)
}

function waitForAnswer(
  instance: InstanceView,
  network: Network,
  id: number,
  transaction: number,
  repeated: number,
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
  const request = requestOf(instance)
  const pointer = instance.behind('MB_DATA_PTR')
  const data = pointer && dataOf(instance.context, pointer.cell)
  if (frame === undefined) {
    const seconds = instance.has('RCV_TIMEOUT') ? instance.number('RCV_TIMEOUT') : 2
    const isOver = Number(instance.now - instance.bits('SINCE')) / 1e9 > seconds
    // RETRIES is the number of attempts.
    const isRepeated = isOver && repeated + 1 < instance.number('RETRIES') && typeof request !== 'number' && data
    if (isRepeated && sendRequest(instance, network, id, transaction, request, data)) {
      go(steps.waiting + ((repeated + 1) << 4))
      tell(instance, 'busy', sending)
    } else if (isOver) {
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
  /** STATUS of the exception, where it is not the usual one. */
  readonly status?: number
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
  const refused = connectionStatus(parameters, false)
  const registers = instance.behind('MB_HOLD_REG')
  if (refused !== 0 || !registers || dataOf(instance.context, registers.cell).registers === 0) {
    outputs(refused === 0 ? noHoldingRegisters : refused, { ERROR: true })
    return
  }
  const phase = network?.phase(id)
  if (instance.is('DISCONNECT')) {
    if (phase !== undefined) network?.close(id)
    outputs(phase === undefined ? idle : closing)
    return
  }
  if (!network || phase === undefined) {
    network?.open(id, parameters)
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
    network.open(id, parameters)
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
    outputs(served.status ?? statusOf(served.exception, 0), { ERROR: true })
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
  if (code === 5 && word(3) !== 0xff00 && word(3) !== 0) return { ...failed(exceptionCode.value), status: otherValue }
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
