/**
 * The racks of an S7-300 beside rack 0, and the interface modules that connect them; what is asked of an S7-400 too is
 * passed on to s7-400-racks.ts. A rack is there as long as its
 * interface module is: plugging that makes it, unplugging takes it away. Pure functions.
 *
 * Source: S7-300 installation manual (arrangement of modules on several racks, interface modules).
 */
import { defined } from '../../../core/index.ts'
import { guid } from '../guid.ts'
import type { DeviceItem, Station } from '../model.ts'
import type { ModuleType } from './module-type.ts'
import { isS7400InterfaceModule, neededFault, receiverOf, s7400Rack } from './s7-400-racks.ts'
import type { Place, SlotRule } from './slot-rule.ts'

/** Slot of the interface modules, in every rack. */
export const interfaceModuleSlot = 3

/** Racks beside rack 0. */
const mostExpansionRacks = 3

/** Interface modules that belong together. */
interface Connection {
  /** In rack 0. One order number of IM 365 is both ends. */
  readonly sender: RegExp
  /** In the other racks. */
  readonly receiver: RegExp
  /** Racks beside rack 0. */
  readonly racks: number
  /** False: only power and the I/O bus reach the rack, so communication modules do not work there. */
  readonly hasCommunicationBus: boolean
  readonly senderName: string
}

const connections: readonly Connection[] = [
  {
    sender: /^IM 360\b/,
    receiver: /^IM 361\b/,
    racks: mostExpansionRacks,
    hasCommunicationBus: true,
    senderName: 'IM 360',
  },
  { sender: /^IM 365\b/, receiver: /^IM 365\b/, racks: 1, hasCommunicationBus: false, senderName: 'IM 365' },
]

type Named = Pick<ModuleType, 'typeName'>

const receivedBy = ({ typeName }: Named) => connections.find(({ receiver }) => receiver.test(typeName))
const sentBy = ({ typeName }: Named) => connections.find(({ sender }) => sender.test(typeName))

export const isSender = (type: Named) => sentBy(type) !== undefined
export const isReceiver = (type: Named) => receivedBy(type) !== undefined

/** The interface module of a rack. */
export function interfaceModuleOf(rack: DeviceItem | undefined): DeviceItem | undefined {
  const own = rack?.items.find(
    ({ position, typeName = '' }) =>
      position === interfaceModuleSlot && (isSender({ typeName }) || isReceiver({ typeName })),
  )
  return own ?? receiverOf(rack)
}

const rackAt = ({ racks }: Pick<Station, 'racks'>, rack: number) => racks.find(({ position }) => position === rack)

/** How the racks of a station are connected; undefined: rack 0 has no interface module. */
function connectionOf(station: Pick<Station, 'racks'>): Connection | undefined {
  return sentBy({ typeName: interfaceModuleOf(rackAt(station, 0))?.typeName ?? '' })
}

/** Numbers of the racks beside rack 0. */
function expansionRacks({ racks }: Pick<Station, 'racks'>): number[] {
  return racks.map(({ position }) => position).filter((rack) => rack > 0)
}

/**
 * The racks that a module could be in: those that the rules name (S7-400), else those that are there, and the next one.
 */
export function rackNumbers(station: Pick<Station, 'racks'>, rules: readonly Pick<SlotRule, 'rack'>[]): number[] {
  const there = station.racks.map(({ position }) => position).sort((a, b) => a - b)
  if (rules.every(({ rack }) => rack !== undefined))
    return [...new Set([...there, ...rules.flatMap(({ rack }) => rack ?? [])])]
  const next = Math.max(0, ...there) + 1
  return next > mostExpansionRacks ? there : [...there, next]
}

/** Why a rack does not take the sender of rack 0; undefined: it does. */
export function senderFault(type: Named, rack: number, station: Pick<Station, 'racks'>): string | undefined {
  const own = sentBy(type)
  if (rack !== 0 || !own) return `${type.typeName} goes into rack 0`
  const other = expansionRacks(station).find((one) => {
    const receiver = interfaceModuleOf(rackAt(station, one))
    return receiver !== undefined && receivedBy({ typeName: receiver.typeName ?? '' }) !== own
  })
  if (other !== undefined) return `rack ${other} has ${interfaceModuleOf(rackAt(station, other))?.typeName}`
  const isBeyond = expansionRacks(station).some((one) => one > own.racks)
  return isBeyond ? `${type.typeName} connects ${rangeText(own.racks)}` : undefined
}

/** Why a rack does not take this interface module of an expansion rack; undefined: it does. */
export function receiverFault(type: Named, rack: number, station: Pick<Station, 'racks'>): string | undefined {
  const wanted = receivedBy(type)
  if (rack === 0 || !wanted) return `${type.typeName} goes into a rack beside rack 0`
  if (connectionOf(station) !== wanted) return `${wanted.senderName} comes first, into slot 0/${interfaceModuleSlot}`
  return rack > wanted.racks ? `${wanted.senderName} connects ${rangeText(wanted.racks)}` : undefined
}

const rangeText = (racks: number) => (racks === 1 ? 'rack 1 only' : `racks 1 to ${racks}`)

/** Why a rack does not take a module; undefined: it does. */
export function moduleFault(
  { typeName, kind }: Pick<ModuleType, 'typeName' | 'kind'>,
  rack: number,
  station: Pick<Station, 'racks'>,
): string | undefined {
  if (rack === 0) return undefined
  const receiver = interfaceModuleOf(rackAt(station, rack))
  if (!receiver) return `rack ${rack} has no interface module in slot ${interfaceModuleSlot}`
  if (!/^(CM|CP)$/.test(kind) || receivedBy({ typeName: receiver.typeName ?? '' })?.hasCommunicationBus)
    return undefined
  return `rack ${rack} has no communication bus: IM 365 does not connect it, which ${typeName} needs`
}

/**
 * Why an interface module has to stay where it is; undefined: it may go, and with the one of an expansion rack the
 * rack.
 */
export function keptFault(station: Pick<Station, 'racks'>, rack: DeviceItem, item: DeviceItem): string | undefined {
  if (isS7400InterfaceModule(item)) return neededFault(station, rack, item)
  if (interfaceModuleOf(rack)?.id !== item.id) return undefined
  const beyond = expansionRacks(station).filter((one) => one > rack.position)
  if (beyond.length > 0)
    return `${beyond.length === 1 ? `rack ${beyond[0]} is` : `racks ${beyond.join(', ')} are`} connected by it`
  const others = rack.items.filter(({ id }) => id !== item.id)
  if (rack.position === 0 || others.length === 0) return undefined
  return `rack ${rack.position} has other modules: ${others.map(({ name }) => `"${name}"`).join(', ')}`
}

/** What is wrong with the connection of the racks, with the place: of imported hardware. */
export function connectionFaults(
  station: Pick<Station, 'racks'>,
): { readonly rack: number; readonly message: string; readonly hint: string }[] {
  const racks = expansionRacks(station)
  if (racks.length === 0) return []
  const used = connectionOf(station)
  const faults = racks.flatMap((rack) => {
    if (rack > mostExpansionRacks)
      return [
        {
          rack,
          message: `There is a rack ${rack}: an S7-300 has racks 0 to ${mostExpansionRacks}.`,
          hint: 'Remove it.',
        },
      ]
    const receiver = interfaceModuleOf(rackAt(station, rack))
    if (!receiver) {
      const hint = `Plug ${used?.senderName === 'IM 365' ? 'IM 365' : 'IM 361'} there.`
      return [{ rack, message: `Rack ${rack} has no interface module.`, hint }]
    }
    const fault = used && receiverFault({ typeName: receiver.typeName ?? '' }, rack, station)
    return fault ? [{ rack, message: `"${receiver.name}": ${fault}.`, hint: 'Replace one of them.' }] : []
  })
  if (used) return faults
  const more = racks.length === 1 ? 'is one more rack' : `are ${racks.length} more racks`
  const hint = 'Plug IM 360 (or IM 365, for one rack) there.'
  return [{ rack: 0, message: `Rack 0 has no interface module, and there ${more}.`, hint }, ...faults]
}

/** A further rack without modules, for an interface module in a place: like rack 0, or UR1 or UR2 of an S7-400. */
export function expansionRack(
  { deviceId, racks: [central] }: Station,
  { rack, slot }: Place,
  of: DeviceItem,
): DeviceItem {
  if (isS7400InterfaceModule(of)) return s7400Rack(deviceId, rack, slot)
  const { name = 'Rail_0', typeIdentifier, typeName } = central ?? {}
  return {
    id: guid(deviceId, 'rack', rack),
    name: name.replace(/_?\d*$/, `_${rack}`),
    kind: 'rack',
    position: rack,
    builtIn: false,
    ...defined({ typeIdentifier, typeName }),
    items: [],
  }
}
