/** What edit.ts and edit-addresses.ts take and give: a station in its address space, and the changed one. */
import type { TakenRange } from '../addresses/addresses.ts'
import type { DeviceItem, IoType, Station } from '../model.ts'
import { expansionRack } from '../modules/expansion-racks.ts'
import type { Place } from '../modules/slots.ts'

/** What a station lies in. */
export interface Environment {
  readonly className: string | undefined
  /** Ranges of the other stations of the address space. */
  readonly others: readonly TakenRange[]
  /** Bytes that the controller can address. */
  readonly limit: number
  /** Hardware identifiers of the space, with the id of the device that has each. */
  readonly identifiers: ReadonlyMap<number, string>
}

/** A changed station. `module` is the item in the rack that was changed or lies around the change. */
export interface Edited {
  readonly station: Station
  readonly item: DeviceItem
  readonly module: DeviceItem
  readonly rackId: string
  readonly warnings: readonly string[]
}

/** A direction in a message. */
export const directionText = (ioType: IoType) => (ioType === 'Input' ? 'inputs' : 'outputs')

/**
 * The station with another item in place of the one with its id, or with it added; a rack that is not there is made.
 */
export function withItem(before: Station, place: Place, item: DeviceItem): Edited {
  const isThere = before.racks.some(({ position }) => position === place.rack)
  const station = isThere ? before : { ...before, racks: [...before.racks, expansionRack(before, place, item)] }
  let module = item
  let rackId = ''
  const racks = station.racks.map((rack) => {
    if (rack.position !== place.rack) return rack
    rackId = rack.id
    const rest = rack.items.filter(({ id }) => id !== item.id)
    if (place.subslot === undefined) return { ...rack, items: [...rest, item].sort((a, b) => a.position - b.position) }
    const items = rest.map((holder) => {
      if (holder.position !== place.slot) return holder
      const kept = holder.items.filter(({ id }) => id !== item.id)
      module = { ...holder, items: [...kept, item].sort((a, b) => a.position - b.position) }
      return module
    })
    return { ...rack, items }
  })
  return { station: { ...station, racks }, item, module, rackId, warnings: [] }
}

/** Puts a changed item back to where it lies, at any depth. */
export function put(station: Station, rack: DeviceItem, module: DeviceItem, item: DeviceItem): Edited {
  const inside = (one: DeviceItem): DeviceItem => (one.id === item.id ? item : { ...one, items: one.items.map(inside) })
  const next = inside(module)
  return {
    ...withItem(station, { rack: rack.position, slot: module.position }, next),
    item,
    module: next,
    rackId: rack.id,
  }
}
