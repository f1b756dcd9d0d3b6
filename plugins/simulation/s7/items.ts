/** Items of Read Var and Write Var: their addresses (S7ANY pointers), and the packing of their data. */
import { area, dataType, itemType, itemTypeSize, type ReturnCode, returnCode } from './codes.ts'

/** An item of a request. */
export interface Item {
  readonly type: number
  readonly count: number
  readonly dataBlock: number
  readonly area: number
  /** In bits; number of a timer or counter. */
  readonly address: number
}

const specification = 0x12
const anyPointer = 0x10
const anyPointerLength = 10

/**
 * Reads `count` items; an item that is addressed in another way (by symbol) is `undefined`.
 * @returns `undefined` when they do not fill the parameters exactly
 */
export function readItems(bytes: Buffer, count: number): (Item | undefined)[] | undefined {
  const items: (Item | undefined)[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    const length = bytes[at + 1]
    if (bytes[at] !== specification || length === undefined || length === 0 || at + 2 + length > bytes.length)
      return undefined
    const isPointer = bytes[at + 2] === anyPointer && length === anyPointerLength
    items.push(
      isPointer
        ? {
            type: bytes[at + 3]!,
            count: bytes.readUInt16BE(at + 4),
            dataBlock: bytes.readUInt16BE(at + 6),
            area: bytes[at + 8]!,
            address: bytes.readUIntBE(at + 9, 3),
          }
        : undefined,
    )
    at += 2 + length
    // Items begin at even offsets; those of odd length are followed by a fill byte.
    if (length % 2 === 1 && i < count - 1) at++
  }
  return at === bytes.length ? items : undefined
}

/** The place of an item in its area. */
export interface Extent {
  readonly kind: 'bytes' | 'bit' | 'timers' | 'counters'
  /** Byte in the area, or number of the first timer or counter. */
  readonly start: number
  /** Number of a single bit. */
  readonly bit: number
  /** Number of bytes, timers or counters. */
  readonly count: number
  /** Size of its data in bytes. */
  readonly size: number
}

/** Returns the place of an item; a return code when it does not exist. */
export function extentOf(item: Item): Extent | ReturnCode {
  const { type, count, address } = item
  const isTimer = item.area === area.timer
  const isCounter = item.area === area.counter
  if ((type === itemType.timer) !== isTimer || (type === itemType.counter) !== isCounter)
    return returnCode.typeNotSupported
  if (count === 0) return returnCode.addressError
  if (isTimer || isCounter)
    return { kind: isTimer ? 'timers' : 'counters', start: address, bit: 0, count, size: count * 2 }
  // CPUs do not read or write several bits in one item.
  if (type === itemType.bit)
    return count === 1
      ? { kind: 'bit', start: address >> 3, bit: address & 7, count: 1, size: 1 }
      : returnCode.typeNotSupported
  const size = itemTypeSize.get(type)
  if (size === undefined) return returnCode.typeNotSupported
  if ((address & 7) !== 0) return returnCode.addressError
  return { kind: 'bytes', start: address >> 3, bit: 0, count: size * count, size: size * count }
}

/** The type mark of data in answers, and their written length. */
function marking(type: number, size: number): readonly [mark: number, length: number] {
  switch (type) {
    case itemType.bit:
      return [dataType.bit, 1]
    case itemType.int:
      return [dataType.int, size * 8]
    case itemType.real:
      return [dataType.real, size]
    case itemType.char:
    case itemType.date:
    case itemType.timeOfDay:
    case itemType.time:
    case itemType.s5Time:
    case itemType.dateAndTime:
    case itemType.counter:
    case itemType.timer:
      return [dataType.octets, size]
    default:
      return [dataType.byte, size * 8]
  }
}

/** Lengths in bits have 16 bits: larger items are marked as octets. */
const mostBits = 0xffff

/** Packs the data of an answer, one item after the other; a return code for those without data. */
export function packItems(items: readonly { readonly type: number; readonly data: Buffer | ReturnCode }[]): Buffer {
  const parts: Buffer[] = []
  for (const [i, { type, data }] of items.entries()) {
    if (typeof data === 'number') {
      parts.push(Buffer.from([data, dataType.none, 0, 0]))
      continue
    }
    const usual = marking(type, data.length)
    const [mark, length] = usual[1] > mostBits ? [dataType.octets, data.length] : usual
    const header = Buffer.from([returnCode.success, mark, 0, 0])
    header.writeUInt16BE(length, 2)
    parts.push(header, data)
    if (data.length % 2 === 1 && i < items.length - 1) parts.push(Buffer.alloc(1))
  }
  return Buffer.concat(parts)
}

/** Returns the number of bytes that `packItems` makes of items of these sizes. */
export function packedSize(sizes: readonly number[]): number {
  return sizes.reduce((sum, size, i) => sum + 4 + size + (size % 2 === 1 && i < sizes.length - 1 ? 1 : 0), 0)
}

/**
 * Number of bytes for a written length. For a double integer, some clients write bytes and others bits; the expected
 * size decides.
 */
function bytesOf(mark: number, length: number, expected: number): number {
  if (mark === dataType.bit || mark === dataType.byte || mark === dataType.int) return Math.ceil(length / 8)
  return mark === dataType.dint && length === expected * 8 ? expected : length
}

/**
 * Unpacks the data of items to write; a return code for data that do not fit their item.
 * @param sizes expected bytes of each item, `undefined` when the item itself is wrong
 * @returns `undefined` when the data do not fill the PDU exactly
 */
export function unpackItems(
  bytes: Buffer,
  sizes: readonly ({ readonly size: number; readonly isBit: boolean } | undefined)[],
): (Buffer | ReturnCode)[] | undefined {
  const data: (Buffer | ReturnCode)[] = []
  let at = 0
  for (const [i, expected] of sizes.entries()) {
    if (at + 4 > bytes.length) return undefined
    const mark = bytes[at + 1]!
    const size = bytesOf(mark, bytes.readUInt16BE(at + 2), expected?.size ?? 0)
    const end = at + 4 + size
    if (end > bytes.length) return undefined
    const fits = expected?.size === size && expected.isBit === (mark === dataType.bit) && mark !== dataType.none
    data.push(fits ? bytes.subarray(at + 4, end) : returnCode.typeInconsistent)
    at = i < sizes.length - 1 && size % 2 === 1 ? end + 1 : end
  }
  // Some clients add a fill byte to the last item too.
  return at === bytes.length || at + 1 === bytes.length ? data : undefined
}
