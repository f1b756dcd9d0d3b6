/** Channels, their addresses, and the tags that lie on them. */

import type { Channel, DeviceItem, IoType, Station } from '../model.ts'
import { itemsBelow } from './addresses.ts'

/** A channel with its place and address. */
export interface PlacedChannel {
  /** Plugged module (or CPU) it belongs to. */
  readonly module: DeviceItem
  /** The submodule whose address it uses. */
  readonly submodule: DeviceItem
  readonly channel: Channel
  /** `Channel_DI_3`, as in AML. */
  readonly name: string
  /** First byte and bit; absent: the submodule has no address for it. */
  readonly byte?: number
  readonly bit?: number
  /** `%I4.3`, `%IW64`. */
  readonly address?: string
}

const letters: Readonly<Record<IoType, string>> = { Input: 'I', Output: 'Q' }

/** `Channel_DI_3`; outputs are DO and AO (real exports). */
function channelName({ kind, ioType, number }: Channel): string {
  return `Channel_${kind === 'Digital' ? 'D' : 'A'}${ioType === 'Input' ? 'I' : 'O'}_${number}`
}

/**
 * Where a channel lies in the I/O area: the channels of a direction follow each other in the address of their
 * submodule.
 */
function channelAddress(
  { addresses = [] }: Pick<DeviceItem, 'addresses'>,
  channel: Channel,
): { readonly byte: number; readonly bit: number; readonly address: string } | undefined {
  const own = addresses.find(({ ioType }) => ioType === channel.ioType)
  if (!own) return undefined
  const offset = channel.number * channel.length
  if (offset + channel.length > own.length) return undefined
  const byte = own.start + Math.floor(offset / 8)
  const letter = letters[channel.ioType]
  if (channel.length === 1) return { byte, bit: offset % 8, address: `%${letter}${byte}.${offset % 8}` }
  const width = { 8: 'B', 16: 'W', 32: 'D', 64: 'L' }[channel.length]
  return width === undefined ? undefined : { byte, bit: 0, address: `%${letter}${width}${byte}` }
}

/** All channels of a station, in the order of the slots. */
export function channelsOfStation(station: Station): PlacedChannel[] {
  return station.racks.flatMap(({ items }) =>
    items.flatMap((module) =>
      [...itemsBelow(module)].flatMap((submodule) => {
        return (submodule.channels ?? []).map(
          (channel): PlacedChannel => ({
            module: plugged(module, submodule),
            submodule,
            channel,
            name: channelName(channel),
            ...channelAddress(submodule, channel),
          }),
        )
      }),
    ),
  )
}

/** The plugged item that a submodule belongs to: a signal board is one of its own in the CPU. */
function plugged(module: DeviceItem, submodule: DeviceItem): DeviceItem {
  return module.items.find((one) => !one.builtIn && [...itemsBelow(one)].includes(submodule)) ?? module
}

const bitsOf: Readonly<Record<string, number>> = { B: 8, W: 16, D: 32, L: 64 }

/** `%I4.3` in bits from the beginning of its area, for comparing; undefined when it is no I/O address. */
export function ioRange(address: string): { ioType: IoType; from: number; to: number } | undefined {
  const match = /^%?([IQEA])(?:X?(\d+)\.([0-7])|([BWDL])(\d+))$/.exec(address.replace(/\s+|:P$/gi, '').toUpperCase())
  if (!match) return undefined
  const [, letter = '', bitByte, bit, width = '', byte] = match
  const ioType = letter === 'I' || letter === 'E' ? 'Input' : 'Output'
  if (bitByte !== undefined) {
    const from = Number(bitByte) * 8 + Number(bit)
    return { ioType, from, to: from + 1 }
  }
  const from = Number(byte) * 8
  return { ioType, from, to: from + (bitsOf[width] as number) }
}
