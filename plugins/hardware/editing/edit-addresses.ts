/** Moving the I/O addresses of modules. Pure functions on a station, as in edit.ts. */
import { bytesOf, freeStart, holderOf, itemsBelow, itemsOf, takenBy } from '../addresses/addresses.ts'
import type { DeviceItem, IoType, Station } from '../model.ts'
import { counterKind } from '../modules/module-type.ts'
import { directionText, type Edited, type Environment, put } from './edited.ts'
import { Refusal } from './item-names.ts'

/**
 * Moves the I/O addresses of an item (or of its submodules): the first address of a direction goes to the given byte,
 * the further ones keep their distance.
 * @throws Refusal no such address, outside the range of the CPU, taken
 */
export function address(
  station: Station,
  env: Environment,
  id: string,
  starts: Partial<Readonly<Record<IoType, number>>>,
): Edited {
  const found = [...itemsOf(station)].find(({ item }) => item.id === id)
  if (!found) throw new Refusal('input', '/moduleName', `there is no item ${id}`)
  const { item, module, rack } = found
  const holders = [...itemsBelow(item)].filter((one) => one === item || counterKind(one, module) === undefined)
  const moved = new Set(holders.map((one) => one.id))
  const taken = [...env.others, ...takenBy(station).filter((one) => !moved.has(one.item.id))]
  const shifts = new Map<IoType, number>()
  for (const ioType of ['Input', 'Output'] as const) {
    const start = starts[ioType]
    if (start === undefined) continue
    const own = holders.flatMap(({ addresses = [] }) => addresses.filter((one) => one.ioType === ioType))
    const [first] = own
    const at = ioType === 'Input' ? '/inputAddress' : '/outputAddress'
    if (!first) throw new Refusal('input', at, `"${item.name}" has no ${directionText(ioType)}`)
    const shift = start - first.start
    for (const one of own) {
      const from = one.start + shift
      const to = from + bytesOf(one)
      if (!Number.isInteger(from) || from < 0 || to > env.limit)
        throw new Refusal(
          'address',
          at,
          `bytes ${from} to ${to - 1} are outside the ${directionText(ioType)} of the CPU: 0 to ${env.limit - 1}`,
        )
      const holder = holderOf(taken, { ioType, from, to })
      if (holder) {
        const free = freeStart(taken, { ioType, bytes: bytesOf(one), from, step: 1, limit: env.limit })
        throw new Refusal(
          'address',
          at,
          `bytes ${from} to ${to - 1} overlap ${directionText(ioType)} ${holder.from} to ${holder.to - 1} of "${holder.module.name}"`,
          free === undefined ? undefined : `Next free byte: ${free}`,
        )
      }
    }
    shifts.set(ioType, shift)
  }
  const shifted = (one: DeviceItem): DeviceItem => ({
    ...one,
    ...(one.addresses === undefined || !moved.has(one.id)
      ? {}
      : { addresses: one.addresses.map((each) => ({ ...each, start: each.start + (shifts.get(each.ioType) ?? 0) })) }),
    items: one.items.map(shifted),
  })
  return put(station, rack, module, shifted(item))
}
