/**
 * Maps items of the protocol to places in the memory of a controller's program, and their bytes to the data for
 * clients.
 */
import type { LoadedProgram, MemoryRange, MemoryWrite, Snapshot } from '../controller/contract.ts'
import { area, type ReturnCode, returnCode } from './codes.ts'
import { type Extent, extentOf, type Item } from './items.ts'
import { counterData, counterWrites, type S5Layouts, timerData } from './s5-words.ts'

/** An existing item: the range to read, its data, and how it is written. */
export interface Place {
  readonly type: number
  readonly size: number
  readonly isBit: boolean
  readonly range: MemoryRange
  /** The data for clients, from the bytes in memory; a return code when they cannot be determined. */
  data(bytes: Uint8Array, snapshot: Snapshot): Buffer | ReturnCode
  writes(data: Buffer): readonly MemoryWrite[] | ReturnCode
}

interface Region {
  readonly address: number
  readonly size: number
  /** Offset for writes. */
  readonly written: number
  /** "Data block write-protected in the device": it can only be read. */
  readonly isReadOnly?: boolean
}

type Areas = LoadedProgram['compiled']['linked']['areas']

/**
 * Inputs are read from the process image and written to the periphery, from which the image is updated. Outputs are in
 * the process image.
 */
function processArea(item: Item, areas: Areas): Region | undefined {
  const same = ({ address, size }: { address: number; size: number }): Region => ({ address, size, written: address })
  switch (item.area) {
    case area.inputs:
      return { ...areas.I, written: areas.PI.address }
    case area.outputs:
      return same(areas.Q)
    case area.flags:
      return same(areas.M)
    case area.peripheral:
      return { ...areas.PI, written: areas.PQ.address }
    case area.timer:
      return same(areas.T)
    case area.counter:
      return same(areas.C)
    default:
      return undefined
  }
}

/** Blocks with optimized access have no absolute addresses, so they do not exist for S7 clients. */
function dataBlock(program: LoadedProgram, number: number): Region | undefined {
  const symbol = program.symbols.dataBlocks.find((one) => one.number === number)
  if (symbol?.access !== 'standard') return undefined
  const place = program.compiled.linked.dataBlocks.get(symbol.name.toLowerCase())
  return (
    place && {
      address: place.address,
      size: symbol.size,
      written: place.address,
      isReadOnly: symbol.isReadOnly === true,
    }
  )
}

function placeOfBytes(type: number, { start, size }: Extent, region: Region): Place {
  return {
    type,
    size,
    isBit: false,
    range: { address: region.address + start, size },
    data: (bytes) => Buffer.from(bytes),
    writes: (data) => [{ address: region.written + start, bytes: Uint8Array.from(data) }],
  }
}

function placeOfBit(type: number, { start, bit }: Extent, region: Region): Place {
  const mask = 1 << bit
  return {
    type,
    size: 1,
    isBit: true,
    range: { address: region.address + start, size: 1 },
    data: (bytes) => Buffer.from([bytes[0]! & mask ? 1 : 0]),
    writes: (data) => [{ address: region.written + start, bytes: Uint8Array.of(data[0]! & 1 ? mask : 0), mask }],
  }
}

/**
 * Returns the place of an item; a return code when there is none: `notAvailable` for areas and blocks that do not exist
 * or cannot be addressed, `addressError` beyond their end.
 */
export function placeOf(
  item: Item | undefined,
  program: LoadedProgram | undefined,
  layouts: S5Layouts,
): Place | ReturnCode {
  if (!item) return returnCode.typeNotSupported
  const extent = extentOf(item)
  if (typeof extent === 'number') return extent
  if (!program) return returnCode.notAvailable
  const isBlock = item.area === area.dataBlock || item.area === area.instanceDataBlock
  const region = isBlock ? dataBlock(program, item.dataBlock) : processArea(item, program.compiled.linked.areas)
  if (!region) return returnCode.notAvailable
  const { kind, start, count, size } = extent
  if (kind === 'timers' || kind === 'counters') {
    const layout = layouts[kind]
    if (start + count > layout.count) return returnCode.addressError
    const address = region.address + start * layout.size
    return {
      type: item.type,
      size,
      isBit: false,
      range: { address, size: count * layout.size },
      data: (bytes, { clock }) => (kind === 'timers' ? timerData(bytes, layouts, clock) : counterData(bytes, layouts)),
      // Only programs start timers; a time without a start is meaningless.
      writes: (data) => (kind === 'timers' ? returnCode.accessDenied : counterWrites(address, data, layouts)),
    }
  }
  if (start + count > region.size) return returnCode.addressError
  const place = kind === 'bit' ? placeOfBit(item.type, extent, region) : placeOfBytes(item.type, extent, region)
  return region.isReadOnly ? { ...place, writes: () => returnCode.accessDenied } : place
}
