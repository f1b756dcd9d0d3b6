/**
 * I/O addresses: which bytes are taken, and where the next module goes. Pure functions. An address space is that of one
 * controller: its own modules and those of the IO devices of its IO systems.
 */
import type { DeviceItem, IoAddress, IoType, Station } from '../model.ts'
import type { IoSize } from '../modules/module-type.ts'
import type { Place } from '../modules/slots.ts'

/** Bytes of one direction that an item takes. */
export interface TakenRange {
  readonly ioType: IoType
  /** First byte, and the byte behind the last. */
  readonly from: number
  readonly to: number
  readonly deviceId: string
  /** The item whose address it is. */
  readonly item: DeviceItem
  /** The module it belongs to. */
  readonly module: DeviceItem
}

/** All items below an item, itself first. */
export function* itemsBelow(item: DeviceItem): Generator<DeviceItem> {
  yield item
  for (const one of item.items) yield* itemsBelow(one)
}

/** The items of a station with the module of each. */
export function* itemsOf(
  station: Pick<Station, 'racks'>,
): Generator<{ item: DeviceItem; module: DeviceItem; rack: DeviceItem }> {
  for (const rack of station.racks)
    for (const module of rack.items) for (const item of itemsBelow(module)) yield { item, module, rack }
}

/** Bytes of an address. */
export function bytesOf({ length }: Pick<IoAddress, 'length'>): number {
  return Math.ceil(length / 8)
}

/** What the items of a station take. */
export function takenBy(station: Station): TakenRange[] {
  const { deviceId } = station
  return [...itemsOf(station)].flatMap(({ item, module }) =>
    (item.addresses ?? []).map(
      (one): TakenRange => ({
        ioType: one.ioType,
        from: one.start,
        to: one.start + bytesOf(one),
        deviceId,
        item,
        module,
      }),
    ),
  )
}

/** Pairs of ranges of the same direction that share bytes: each range with the first one before it that it meets. */
export function overlaps(ranges: readonly TakenRange[]): [TakenRange, TakenRange][] {
  const found: [TakenRange, TakenRange][] = []
  for (const ioType of ['Input', 'Output'] as const) {
    const sorted = ranges.filter((one) => one.ioType === ioType && one.to > one.from).sort((a, b) => a.from - b.from)
    let reaching: TakenRange | undefined
    for (const one of sorted) {
      if (reaching && one.from < reaching.to) found.push([reaching, one])
      if (!reaching || one.to > reaching.to) reaching = one
    }
  }
  return found
}

/** The first range that a wish meets. */
export function holderOf(
  ranges: readonly TakenRange[],
  wish: { readonly ioType: IoType; readonly from: number; readonly to: number },
): TakenRange | undefined {
  return ranges.find(({ ioType, from, to }) => ioType === wish.ioType && from < wish.to && wish.from < to)
}

/** The first byte from `from` on where `bytes` of a direction are free; undefined: none below the limit. */
export function freeStart(
  ranges: readonly TakenRange[],
  { ioType, bytes, from, step, limit }: { ioType: IoType; bytes: number; from: number; step: number; limit: number },
): number | undefined {
  const sorted = ranges.filter((one) => one.ioType === ioType).sort((a, b) => a.from - b.from)
  let start = from
  for (const one of sorted) {
    if (one.to <= start) continue
    if (one.from >= start + bytes) break
    start = Math.ceil(one.to / step) * step
  }
  return start + bytes <= limit ? start : undefined
}

/**
 * Bytes of I/O that a controller can address, in each direction (technical specifications of the CPUs): S7-1200 1024,
 * S7-1500 32768, S7-300 and ET CPUs 2048, larger ones 8192, S7-400 8192.
 */
export function addressLimit(family: string, typeName: string): number {
  if (family === 'S7-1200') return 1024
  if (/S7-300|ET 200S$|ET 200pro/.test(family) && !/\b15\d\d/.test(typeName))
    return /31[79]/.test(typeName) ? 8192 : 2048
  return family === 'S7-400' ? 8192 : 32_768
}

/**
 * Where the address of a module begins by default, as TIA Portal gives it. S7-1200: by the slot (onboard 0 and 64,
 * board 4 and 80, signal modules 4 bytes each from 8 on, analog 16 each from 96 on). S7-300: by the slot (4 bytes
 * digital, 16 analog from 256 on; rack 1 goes on behind rack 0, with 32 and 384). S7-400: the next free byte, of analog
 * modules from 512 on. Elsewhere the next free byte, for digital and analog modules alike.
 */
export function defaultStart(className: string | undefined, place: Place, { kind }: IoSize): number {
  const isDigital = kind === 'Digital'
  if (className === 'S7-1200') {
    if (place.subslot === 3) return isDigital ? 4 : 80
    if (place.slot === 1) return isDigital ? 0 : 64
    return isDigital ? 8 + (place.slot - 2) * 4 : 96 + (place.slot - 2) * 16
  }
  if (className === 'S7-300') {
    const index = place.rack * 8 + place.slot - 4
    return isDigital ? index * 4 : 256 + index * 16
  }
  if (className === 'S7-400') return isDigital ? 0 : 512
  return 0
}
