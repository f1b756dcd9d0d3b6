/**
 * Frames of Modbus TCP (Modbus Messaging on TCP/IP Implementation Guide V1.0b, Modbus Application Protocol V1.1b3):
 * seven bytes of header (transaction, protocol 0, length, unit), function code, data.
 */

export const headerSize = 7
/** Bytes of the largest frame. */
export const largestFrame = 260
/** Limits of one request (Application Protocol, 6.1 to 6.12). */
export const most = { readBits: 2000, readRegisters: 125, writeBits: 1968, writeRegisters: 123 } as const

/** Exception codes (Application Protocol, 7). */
export const exceptionCode = { function: 1, address: 2, value: 3, failure: 4 } as const

/** A frame without its header. */
export interface Frame {
  readonly transaction: number
  readonly protocol: number
  readonly unit: number
  /** Function code and data. */
  readonly pdu: Uint8Array
}

/** Bytes of the frame that begins the data; `undefined` while its header is not complete. */
export function frameSize(start: Uint8Array): number | undefined {
  return start.length < 6 ? undefined : 6 + (((start[4] ?? 0) << 8) | (start[5] ?? 0))
}

export function readFrame(bytes: Uint8Array): Frame {
  const word = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  return { transaction: word(0), protocol: word(2), unit: bytes[6] ?? 0, pdu: bytes.slice(headerSize) }
}

export function writeFrame({ transaction, unit, pdu }: Omit<Frame, 'protocol'>): Uint8Array {
  const length = pdu.length + 1
  return Uint8Array.from([...words(transaction, 0, length), unit, ...pdu])
}

/** Numbers as words, high byte first. */
export function words(...numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => [(number >> 8) & 0xff, number & 0xff])
}
