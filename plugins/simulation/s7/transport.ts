/**
 * Packets below the S7 protocol: TPKT (RFC 1006) that contain transport PDUs of ISO 8073 / X.224 class 0. Received data
 * may be split anywhere and may contain several packets.
 */

/** Received data that the protocol does not allow; the connection is closed. */
export class MalformedFrame extends Error {}

const tpktVersion = 3
const tpktHeader = 4
/** The smallest transport PDU has a length byte, a kind and one more. */
const smallestPacket = tpktHeader + 3

/** Splits a stream into the contents of TPKT packets. */
export class PacketReader {
  readonly #largest: number
  #rest: Buffer = Buffer.alloc(0)

  /** @param largest limit for the bytes of a packet, including its header */
  constructor(largest: number) {
    this.#largest = largest
  }

  /**
   * Returns the packets that are complete now, without their headers.
   * @throws MalformedFrame when the data are not TPKT, or a packet is too large
   */
  read(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const packets: Buffer[] = []
    let at = 0
    while (bytes.length - at >= tpktHeader) {
      if (bytes[at] !== tpktVersion) throw new MalformedFrame(`TPKT version ${bytes[at]} instead of ${tpktVersion}`)
      const length = bytes.readUInt16BE(at + 2)
      if (length < smallestPacket || length > this.#largest)
        throw new MalformedFrame(`TPKT length ${length}, not ${smallestPacket} to ${this.#largest}`)
      if (bytes.length - at < length) break
      packets.push(bytes.subarray(at + tpktHeader, at + length))
      at += length
    }
    // A copy, so that the rest does not retain the socket's buffer.
    this.#rest = Buffer.from(bytes.subarray(at))
    return packets
  }
}

function packet(content: Buffer): Buffer {
  const header = Buffer.from([tpktVersion, 0, 0, 0])
  header.writeUInt16BE(tpktHeader + content.length, 2)
  return Buffer.concat([header, content])
}

const kindOf = { connectRequest: 0xe0, connectConfirm: 0xd0, disconnectRequest: 0x80, data: 0xf0 } as const
const parameterOf = { size: 0xc0, calling: 0xc1, called: 0xc2 } as const

/** A request to open a connection. */
export interface ConnectRequest {
  readonly kind: 'connect'
  /** The number that the other side assigned to the connection. */
  readonly reference: number
  readonly calling: Buffer
  readonly called: Buffer
  /** Code of the largest transport PDU, 7 (128 bytes) to 13 (8192 bytes); `undefined` when not given. */
  readonly sizeCode: number | undefined
}
/** A part of a PDU. */
export interface DataTransfer {
  readonly kind: 'data'
  readonly isLast: boolean
  readonly data: Buffer
}
/** A transport PDU. */
export type TransportPdu = ConnectRequest | DataTransfer | { readonly kind: 'disconnect' }

/**
 * Reads a transport PDU.
 * @throws MalformedFrame when it is not a valid one
 */
export function readTransportPdu(bytes: Buffer): TransportPdu {
  const header = bytes[0] ?? 0
  const kind = (bytes[1] ?? 0) & 0xf0
  if (header < 2 || header + 1 > bytes.length) throw new MalformedFrame(`transport header of ${header} bytes`)
  if (kind === kindOf.data) {
    if (header !== 2) throw new MalformedFrame(`data header of ${header} bytes instead of 2`)
    return { kind: 'data', isLast: (bytes[2]! & 0x80) !== 0, data: bytes.subarray(3) }
  }
  if (kind === kindOf.disconnectRequest) return { kind: 'disconnect' }
  if (kind !== kindOf.connectRequest)
    throw new MalformedFrame(`transport PDU 0x${bytes[1]!.toString(16)} is not of class 0`)
  if (header < 6) throw new MalformedFrame(`connect header of ${header} bytes`)
  const transportClass = bytes[6]! >> 4
  if (transportClass !== 0) throw new MalformedFrame(`transport class ${transportClass} instead of 0`)
  let calling = Buffer.alloc(0)
  let called = Buffer.alloc(0)
  let sizeCode: number | undefined
  for (let at = 7; at <= header; ) {
    const code = bytes[at]
    const length = bytes[at + 1] ?? Number.POSITIVE_INFINITY
    if (at + 1 + length > header) throw new MalformedFrame('connect parameter beyond its header')
    const value = Buffer.from(bytes.subarray(at + 2, at + 2 + length))
    if (code === parameterOf.calling) calling = value
    else if (code === parameterOf.called) called = value
    else if (code === parameterOf.size) sizeCode = value[0]
    at += 2 + length
  }
  if (sizeCode !== undefined && (sizeCode < 7 || sizeCode > 13))
    throw new MalformedFrame(`transport PDU size code ${sizeCode}, not 7 to 13`)
  return { kind: 'connect', reference: bytes.readUInt16BE(4), calling, called, sizeCode }
}

/** The largest transport PDU that the port accepts: 1024 bytes. */
const ownSizeCode = 10

/** Makes the confirmation of a connection. */
export function connectConfirm(request: ConnectRequest, reference: number): Buffer {
  const fixed = Buffer.from([0, kindOf.connectConfirm, 0, 0, 0, 0, 0])
  fixed.writeUInt16BE(request.reference, 2)
  fixed.writeUInt16BE(reference, 4)
  const parameter = (code: number, value: Buffer) => Buffer.concat([Buffer.from([code, value.length]), value])
  const content = Buffer.concat([
    fixed,
    ...(request.sizeCode === undefined
      ? []
      : [parameter(parameterOf.size, Buffer.from([Math.min(request.sizeCode, ownSizeCode)]))]),
    ...(request.calling.length > 0 ? [parameter(parameterOf.calling, request.calling)] : []),
    ...(request.called.length > 0 ? [parameter(parameterOf.called, request.called)] : []),
  ])
  content[0] = content.length - 1
  return packet(content)
}

/** X.224 13.5.3: reasons why a connection is refused or ended. */
export const disconnectReason = { congestion: 1, noSession: 2, addressUnknown: 3 } as const

/** Creates a request to end a connection. */
export function disconnectRequest(reference: number, reason: number): Buffer {
  const content = Buffer.from([6, kindOf.disconnectRequest, 0, 0, 0, 0, reason])
  content.writeUInt16BE(reference, 2)
  return packet(content)
}

/**
 * Packs data into as many transport PDUs as their size requires.
 * @param sizeCode as negotiated; `undefined`: one is enough
 */
export function dataPackets(data: Buffer, sizeCode: number | undefined): Buffer {
  const size = sizeCode === undefined ? data.length : 2 ** Math.min(sizeCode, ownSizeCode) - 3
  const packets: Buffer[] = []
  for (let at = 0; at === 0 || at < data.length; at += size) {
    const isLast = at + size >= data.length
    packets.push(
      packet(Buffer.concat([Buffer.from([2, kindOf.data, isLast ? 0x80 : 0]), data.subarray(at, at + size)])),
    )
  }
  return Buffer.concat(packets)
}

/** Kinds of connections in the first byte of a TSAP: programming device, operator panel, other S7 partner. */
const connectionKinds = { lowest: 1, highest: 3 } as const
/** Symbolic TSAPs with which newer devices call the CPU. */
const symbolicTsap = /^SIMATIC-ROOT-(ES|HMI|OTHER)$/

/**
 * Returns the rack and slot that a called TSAP names: two bytes, kind of connection and `rack * 32 + slot`. A symbolic
 * TSAP names the CPU, at rack 0, slot 1. `undefined`: no TSAP of S7 communication, or none at all.
 */
export function rackAndSlot(tsap: Buffer): { readonly rack: number; readonly slot: number } | undefined {
  if (symbolicTsap.test(tsap.toString('latin1'))) return { rack: 0, slot: 1 }
  const [kind = 0, place = 0] = tsap
  if (tsap.length !== 2 || kind < connectionKinds.lowest || kind > connectionKinds.highest) return undefined
  return { rack: place >> 5, slot: place & 0x1f }
}

/** Whether a called TSAP is that of a programming device or an operator panel, not of another S7 partner. */
export function isOfEngineeringOrPanel(tsap: Buffer): boolean {
  const symbolic = symbolicTsap.exec(tsap.toString('latin1'))?.[1]
  return symbolic === undefined ? (tsap[0] ?? 0) < connectionKinds.highest : symbolic !== 'OTHER'
}

/**
 * Whether the CPU of an S7-1200 or S7-1500 answers at this place: rack 0, slot 1, where it is, and slot 0, with which
 * many clients call it.
 */
export function isPlaceOfCpu(rack: number, slot: number): boolean {
  return rack === 0 && slot <= 1
}
