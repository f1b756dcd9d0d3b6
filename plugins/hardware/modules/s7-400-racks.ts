/**
 * The racks of an S7-400: which there are, the interface modules that connect them, and what fits where. An expansion
 * rack is there as long as its receive IM is: plugging that makes the rack, unplugging it takes it away. Pure
 * functions.
 *
 * Sources: S7-400 hardware and installation manual (racks, arrangement of modules), S7-400 module data (interface
 * modules: rules for connection; widths of power supplies and CPUs).
 */
import { guid } from '../guid.ts'
import type { DeviceItem, Station } from '../model.ts'
import type { ModuleType } from './module-type.ts'
import { isIo, of, type SlotRule } from './slot-rule.ts'

/** A kind of rack. */
export interface RackType {
  readonly name: string
  readonly orderNumber: RegExp
  readonly slots: number
  /** It may have the CPU, may be an expansion rack. */
  readonly isCentral: boolean
  readonly isExpansion: boolean
  readonly hasCommunicationBus: boolean
}

const both = { isCentral: true, isExpansion: true, hasCommunicationBus: true }
const central = { isCentral: true, isExpansion: false, hasCommunicationBus: true }
const expansion = { isCentral: false, isExpansion: true, hasCommunicationBus: false }
const ur1: RackType = { name: 'UR1', orderNumber: /6ES7 400-1TA/, slots: 18, ...both }
const rackTypes: readonly RackType[] = [
  ur1,
  { name: 'UR2', orderNumber: /6ES7 400-1JA/, slots: 9, ...both },
  { name: 'CR2', orderNumber: /6ES7 401-2TA/, slots: 18, ...central },
  { name: 'CR3', orderNumber: /6ES7 401-1DA/, slots: 4, ...central },
  { name: 'ER1', orderNumber: /6ES7 403-1TA/, slots: 18, ...expansion },
  { name: 'ER2', orderNumber: /6ES7 403-1JA/, slots: 9, ...expansion },
]

/** The kind of rack of an order number or type identifier; undefined: it is no rack of an S7-400. */
function rackTypeFor(identifier: string): RackType | undefined {
  return rackTypes.find(({ orderNumber }) => orderNumber.test(identifier))
}
/** One whose type an imported file does not tell counts as UR1, the largest. */
const rackTypeOf = ({ typeIdentifier = '' }: DeviceItem) => rackTypeFor(typeIdentifier) ?? ur1

/** Expansion racks have numbers up to this one. */
const lastRack = 21
/** The communication bus reaches the racks up to this one. */
const lastBusRack = 6
const mostSenders = 6

/** A send IM and its receive IM. */
interface Connection {
  /** `0` of IM 460-0 and IM 461-0. */
  readonly variant: string
  /** Racks of one send IM: two lines of up to four racks, or of one with 5 V. */
  readonly racks: number
  /** Send IMs in rack 0. */
  readonly most: number
  /** 5 V come from rack 0, so the expansion rack has no power supply. */
  readonly suppliesPower: boolean
  readonly hasCommunicationBus: boolean
}

const connections: readonly Connection[] = [
  { variant: '0', racks: 8, most: mostSenders, suppliesPower: false, hasCommunicationBus: true },
  { variant: '1', racks: 2, most: 2, suppliesPower: true, hasCommunicationBus: false },
  { variant: '3', racks: 8, most: mostSenders, suppliesPower: false, hasCommunicationBus: true },
  { variant: '4', racks: 8, most: mostSenders, suppliesPower: false, hasCommunicationBus: false },
]

type Named = { readonly typeName?: string }
type Racks = Pick<Station, 'racks'>

const connectionBy = (pattern: RegExp, { typeName = '' }: Named) => {
  const variant = pattern.exec(typeName)?.[1]
  return connections.find((one) => one.variant === variant)
}
/** A send or receive IM of an S7-400. */
export const isS7400InterfaceModule = ({ typeName = '' }: Named): boolean => /^IM 46[01]/.test(typeName)
const sentBy = (one: Named) => connectionBy(/^IM 460-(\d)/, one)
const receivedBy = (one: Named) => connectionBy(/^IM 461-(\d)/, one)
const isPower = (kind: string | undefined) => kind === 'PS'
const needsBus = (kind: string | undefined) => /^(CM|CP)$/.test(kind ?? '')

/** The receive IM of an expansion rack. */
export function receiverOf(rack: DeviceItem | undefined): DeviceItem | undefined {
  return rack?.items.find((item) => receivedBy(item) !== undefined)
}

/** Slots that a module occupies: power supplies one to three, the larger CPUs two. */
export function widthOf({ typeName = '' }: Named): number {
  if (/^PS 40[57]\b/.test(typeName)) return /\b20A/.test(typeName) ? 3 : /\b10A/.test(typeName) ? 2 : 1
  return /\bCPU 41(4F?-3|6F?-3|7-4)\b/.test(typeName) ? 2 : 1
}

function sendersOf({ racks }: Racks, without?: string): DeviceItem[] {
  const { items } = racks.find(({ position }) => position === 0) ?? { items: [] }
  return items.filter((item) => sentBy(item) !== undefined && item.id !== without)
}

/** Racks that the send IMs of a kind can connect. */
function capacity(senders: readonly DeviceItem[], { variant, racks }: Connection): number {
  return senders.filter((one) => sentBy(one)?.variant === variant).length * racks
}

/** Racks that are connected by receive IMs of a kind. */
function connected({ racks }: Racks, { variant }: Connection, without?: string): number {
  return racks.filter((rack) => {
    const receiver = receiverOf(rack)
    return receiver !== undefined && receiver.id !== without && receivedBy(receiver)?.variant === variant
  }).length
}

function senderFault(type: ModuleType, _rack: number, station: Station, without?: string): string | undefined {
  const own = sentBy(type)
  const senders = sendersOf(station, without)
  if (senders.length >= mostSenders) return `rack 0 has ${mostSenders} send IMs, and takes no more`
  const same = senders.filter((one) => sentBy(one)?.variant === own?.variant).length
  return own && same >= own.most ? `rack 0 has ${same} ${type.typeName}, and takes no more` : undefined
}

function receiverFault(type: ModuleType, rack: number, station: Station, without?: string): string | undefined {
  const own = receivedBy(type)
  if (!own) return `${type.typeName} is no receive IM`
  const sender = `IM 460-${own.variant}`
  const room = capacity(sendersOf(station), own)
  if (room === 0) return `${sender} comes first, into rack 0`
  if (connected(station, own, without) >= room) return `the ${sender} of rack 0 connect ${room} racks, and no more`
  const there = station.racks.find(({ position }) => position === rack)?.items ?? []
  const power = there.find(({ moduleKind }) => isPower(moduleKind))
  if (power && own.suppliesPower) return `${sender} supplies the rack, which has "${power.name}"`
  const processor = there.find(({ moduleKind }) => needsBus(moduleKind))
  return processor && !own.hasCommunicationBus
    ? `${type.typeName} does not connect the communication bus, which "${processor.name}" needs`
    : undefined
}

/** Why a rack has no communication bus; undefined: it has. */
function busFault(rack: DeviceItem): string | undefined {
  const { position } = rack
  if (position === 0) return undefined
  if (position > lastBusRack) return `the communication bus reaches the racks 1 to ${lastBusRack} only`
  const { name, hasCommunicationBus } = rackTypeOf(rack)
  if (!hasCommunicationBus) return `${name} has no communication bus`
  const receiver = receiverOf(rack)
  return receiver && receivedBy(receiver)?.hasCommunicationBus
    ? undefined
    : `${receiver?.typeName ?? 'no receive IM'} does not connect the communication bus`
}

/** The rules of a station. `headSlot` is the slot of the CPU, `headName` its type name. */
export function s7400Rules(station: Station, headSlot: number, headName: string): SlotRule[] {
  const family = (test: (type: ModuleType) => boolean) => of('S7-400', test)
  const free = Array.from({ length: lastRack }, (_, i) => i + 1).filter(
    (number) => !station.racks.some(({ position }) => position === number),
  )
  const receiver = (rack: number, slot: number): SlotRule => ({
    accepts: family((type) => receivedBy(type) !== undefined),
    rack,
    from: slot,
    to: slot,
    rackFault: receiverFault,
    text: 'the receive IM: the last slot of an expansion rack (9 of UR2 and ER2, 18 of UR1 and ER1)',
  })
  return [
    ...station.racks.flatMap((rack): SlotRule[] => {
      const number = rack.position
      const { slots } = rackTypeOf(rack)
      const isCentral = number === 0
      const at = receiverOf(rack)
      const from = isCentral ? headSlot + widthOf({ typeName: headName }) : 2
      const to = isCentral ? slots : slots - 1
      const noReceiver = isCentral || at ? undefined : `rack ${number} has no receive IM`
      return [
        {
          accepts: family(({ kind }) => isPower(kind)),
          rack: number,
          from: 1,
          to: 1,
          rackFault: () =>
            noReceiver ??
            (at && receivedBy(at)?.suppliesPower ? `rack ${number} is supplied by its ${at.typeName}` : undefined),
          text: 'power supply: slot 1',
        },
        {
          accepts: family((type) => isIo(type) || needsBus(type.kind)),
          rack: number,
          from,
          to,
          rackFault: ({ kind }) => noReceiver ?? (needsBus(kind) ? busFault(rack) : undefined),
          text: `modules: slots ${from} to ${to}${isCentral ? '' : ` of rack ${number}`}`,
        },
        isCentral
          ? {
              accepts: family((type) => sentBy(type) !== undefined),
              rack: 0,
              from,
              to,
              rackFault: senderFault,
              text: `send IMs: slots ${from} to ${to} of rack 0, up to ${mostSenders}`,
            }
          : receiver(number, slots),
      ]
    }),
    ...free.flatMap((number) => [receiver(number, 9), receiver(number, 18)]),
  ]
}

/** Why an interface module cannot be unplugged, or replaced by another type; undefined: it can. */
export function neededFault(
  station: Racks,
  rack: DeviceItem,
  item: DeviceItem,
  next?: Pick<ModuleType, 'typeName'>,
): string | undefined {
  const own = sentBy(item)
  if (own) {
    const rest = capacity(sendersOf(station, item.id), own) + (next && sentBy(next) === own ? own.racks : 0)
    const there = connected(station, own)
    return there > rest ? `${there === 1 ? 'a rack is' : `${there} racks are`} connected by it` : undefined
  }
  if (next || receiverOf(rack)?.id !== item.id) return undefined
  const others = rack.items.filter(({ id }) => id !== item.id)
  if (others.length === 0) return undefined
  return `rack ${rack.position} has other modules: ${others.map(({ name }) => `"${name}"`).join(', ')}`
}

/** A new expansion rack for a receive IM in a slot: UR1 or UR2. It can be replaced by another kind. */
export function s7400Rack(deviceId: string, number: number, slot: number): DeviceItem {
  const isSmall = slot === 9
  return {
    id: guid(deviceId, 'rack', number),
    name: `${isSmall ? 'UR2' : 'UR1'}_${number}`,
    kind: 'rack',
    position: number,
    builtIn: false,
    typeIdentifier: `OrderNumber:6ES7 400-1${isSmall ? 'JA' : 'TA'}01-0AA0`,
    typeName: isSmall ? 'UR2' : 'UR1',
    items: [],
  }
}

/**
 * The rack as another kind, its receive IM at the new right end; or why that is not possible.
 * @param type of the new rack, from the catalog
 */
export function rackAs(
  rack: DeviceItem,
  type: Pick<ModuleType, 'typeIdentifier' | 'typeName'>,
): { readonly rack: DeviceItem } | { readonly fault: string } {
  const next = rackTypeFor(type.typeIdentifier)
  if (!next) return { fault: `${type.typeName} is no rack of an S7-400` }
  const isCentral = rack.position === 0
  if (!(isCentral ? next.isCentral : next.isExpansion))
    return { fault: `${next.name} is ${isCentral ? 'an expansion rack' : 'a central rack'}` }
  const receiver = receiverOf(rack)
  const last = receiver ? next.slots - 1 : next.slots
  const others = rack.items.filter((item) => item !== receiver)
  const beyond = others.find((item) => item.position + widthOf(item) - 1 > last)
  if (beyond) return { fault: `"${beyond.name}" in slot ${beyond.position} would have no place: slots 1 to ${last}` }
  const processor = others.find(({ moduleKind }) => needsBus(moduleKind))
  if (processor && !next.hasCommunicationBus)
    return { fault: `${next.name} has no communication bus, which "${processor.name}" needs` }
  const before = rackTypeOf(rack).name
  const isDefault = rack.name === `${before}_${rack.position}`
  const items = receiver ? [...others, { ...receiver, position: next.slots }] : rack.items
  return {
    rack: {
      ...rack,
      name: isDefault ? `${next.name}_${rack.position}` : rack.name,
      typeIdentifier: type.typeIdentifier,
      typeName: type.typeName,
      items,
    },
  }
}

/** What is wrong with the racks of a station, with the place: of imported hardware, and what is missing. */
export function s7400Faults(station: Racks) {
  const senders = sendersOf(station)
  const faults: { rack: number; slot: number; isWarning?: boolean; message: string; hint: string }[] = []
  for (const rack of station.racks) {
    const { position: number } = rack
    if (number === 0) continue
    const { slots } = rackTypeOf(rack)
    const receiver = receiverOf(rack)
    const own = receiver && receivedBy(receiver)
    const tell = (slot: number, message: string, hint: string, isWarning?: true) =>
      faults.push({ rack: number, slot, message, hint, ...(isWarning ? { isWarning } : {}) })
    if (number > lastRack)
      tell(slots, `There is a rack ${number}: an S7-400 has expansion racks 1 to ${lastRack}.`, 'Remove it.')
    if (!receiver || !own) {
      tell(slots, `Rack ${number} has no receive IM.`, `Plug an IM 461 into slot ${slots} there.`)
      continue
    }
    if (receiver.position !== slots)
      tell(receiver.position, `"${receiver.name}" is not in the last slot of rack ${number}.`, `Its slot is ${slots}.`)
    const sender = `IM 460-${own.variant}`
    if (connected(station, own) > capacity(senders, own))
      tell(receiver.position, `Rack 0 has too few ${sender} for "${receiver.name}".`, `Plug one into rack 0.`)
    const isPowered = rack.items.some(({ moduleKind }) => isPower(moduleKind))
    if (isPowered && own.suppliesPower)
      tell(1, `Rack ${number} is supplied by "${receiver.name}" and has a power supply.`, 'Unplug the power supply.')
    if (!isPowered && !own.suppliesPower)
      tell(1, `Rack ${number} has no power supply.`, 'Plug one into slot 1, for example PS 407 10A.', true)
  }
  return faults
}
