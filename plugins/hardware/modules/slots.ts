/**
 * Which module fits which slot: one table of station classes, and the rules of each. Pure functions.
 *
 * Sources: S7-1500/ET 200MP and ET 200SP system manuals (configuration: slots, maximum configuration), S7-1200 manual
 * (modules of each CPU; communication modules left of the CPU), S7-300 installation manual (arrangement of modules);
 * S7-400 see s7-400-racks.ts.
 */

import type { DeviceItem, Station } from '../model.ts'
import {
  interfaceModuleSlot,
  isReceiver,
  isSender,
  moduleFault,
  rackNumbers,
  receiverFault,
  senderFault,
} from './expansion-racks.ts'
import type { ModuleType } from './module-type.ts'
import { s7400Rules, widthOf } from './s7-400-racks.ts'
import { isIo, of, type Place, type SlotRule } from './slot-rule.ts'

export type { Place } from './slot-rule.ts'

/** A kind of station with its rules. */
export interface StationClass {
  /** `S7-1500`: for messages. */
  readonly name: string
  /** Slot of the CPU or head module. */
  readonly headSlot: number
  readonly rackName: string
  readonly rackType: string
  readonly stationType: string
  readonly rules: readonly SlotRule[]
  /** Modules have to follow each other without gaps, from this slot on. */
  readonly gaplessFrom?: number
  /** It may have racks beside rack 0, each with an interface module. */
  readonly hasExpansionRacks?: boolean
  /** A server module ends the station. */
  readonly needsServer?: boolean
}

const isBoard = ({ typeName }: ModuleType) => /\b[SCB]B 12\d\d/.test(typeName)

/** The type name of the CPU or head module. */
function headName(station: Station): string {
  return headOf(station)?.typeName ?? ''
}

/** Signal modules of an S7-1200 CPU: none, 2 or 8. */
function signalModules(station: Station): number {
  const name = headName(station)
  return /1211C/.test(name) ? 0 : /1212F?C/.test(name) ? 2 : 8
}

/** I/O modules of an ET 200SP interface module: BA 12, ST 32, HS 30, HF 64. */
function spModules(station: Station): number {
  const name = headName(station)
  return / BA\b/.test(name) ? 12 : / HS\b/.test(name) ? 30 : / HF\b/.test(name) ? 64 : 32
}

const s71500Modules: SlotRule = {
  accepts: of('S7-1500', (type) => isIo(type) || /^(CM|CP|PS)$/.test(type.kind)),
  from: 2,
  to: 31,
  text: 'I/O, communication and further power supply modules: slots 2 to 31',
}
const s71500Power: SlotRule = {
  accepts: of('S7-1500', ({ kind }) => kind === 'PS'),
  from: 0,
  to: 0,
  text: 'the first power supply: slot 0, left of the CPU or interface module',
}

/** The classes by name. Their rules need the station, because CPUs of one family differ. */
function classesOf(station: Station): Readonly<Record<string, StationClass>> {
  const sp = spModules(station)
  return {
    'S7-1500': {
      name: 'S7-1500',
      headSlot: 1,
      rackName: 'Rail_0',
      rackType: 'OrderNumber:6ES7 590-1***0-0AA0',
      stationType: 'System:Device.S71500',
      rules: [s71500Power, s71500Modules],
      gaplessFrom: 2,
    },
    'ET 200MP': {
      name: 'ET 200MP',
      headSlot: 1,
      rackName: 'Rail_0',
      rackType: 'OrderNumber:6ES7 590-1***0-0AA0',
      stationType: 'System:Device.ET200MP',
      // IM 155-5 PN ST/HF: 30 modules; BA and DP: 12.
      rules: [s71500Power, { ...s71500Modules, to: / BA\b| DP\b/.test(headName(station)) ? 13 : 31 }],
      gaplessFrom: 2,
    },
    'ET 200SP': {
      name: 'ET 200SP',
      headSlot: 0,
      rackName: 'Rack_0',
      rackType: 'System:Rack.ET200SP',
      stationType: 'System:Device.ET200SP',
      rules: [
        {
          accepts: of('ET 200SP', (type) => isIo(type) || type.kind === 'CM'),
          from: 1,
          to: sp,
          text: `I/O modules on BaseUnits: slots 1 to ${sp}`,
        },
        { ...server, from: 1, to: sp + 1 },
        ...(/ BA\b/.test(headName(station)) ? [] : [{ ...busAdapter, from: 0, to: 0 }]),
      ],
      gaplessFrom: 1,
      needsServer: true,
    },
    'ET 200SP CPU': {
      name: 'ET 200SP CPU',
      headSlot: 1,
      rackName: 'Rack_0',
      rackType: 'System:Rack.ET200SP',
      stationType: 'System:Device.ET200SP',
      rules: [
        {
          accepts: of('ET 200SP', ({ kind }) => kind === 'CP'),
          from: 2,
          to: 4,
          text: 'communications processors: slots 2 to 4, directly right of the CPU',
        },
        {
          accepts: of('ET 200SP', (type) => isIo(type) || type.kind === 'CM'),
          from: 2,
          to: 65,
          most: 64,
          text: 'I/O modules on BaseUnits: slots 2 to 65',
        },
        { ...server, from: 2, to: 66 },
        { ...busAdapter, from: 1, to: 1 },
      ],
      gaplessFrom: 2,
      needsServer: true,
    },
    'S7-1200': {
      name: 'S7-1200',
      headSlot: 1,
      rackName: 'Rack_0',
      rackType: 'System:Rack.S71200',
      stationType: 'System:Device.S71200',
      rules: [
        {
          accepts: of('S7-1200', (type) => isIo(type) && !isBoard(type)),
          from: 2,
          to: signalModules(station) + 1,
          text:
            signalModules(station) === 0
              ? 'signal modules: none with this CPU'
              : `signal modules: slots 2 to ${signalModules(station) + 1}, right of the CPU`,
        },
        {
          accepts: of('S7-1200', (type) => /^(CM|CP)$/.test(type.kind) && !isBoard(type)),
          from: 101,
          to: 103,
          text: 'communication modules: slots 101 to 103, left of the CPU',
        },
        {
          accepts: of('S7-1200', isBoard),
          from: 1,
          to: 1,
          subslot: 3,
          text: 'one signal, communication or battery board: slot 1.3, in the CPU',
        },
      ],
      gaplessFrom: 2,
    },
    'S7-300': {
      name: 'S7-300',
      headSlot: 2,
      rackName: 'Rail_0',
      rackType: 'OrderNumber:6ES7 390-1***0-0AA0',
      stationType: 'System:Device.S7300',
      rules: s7300Rules('S7-300', station),
      // A CPU 312 has one rack.
      hasExpansionRacks: !/\bCPU 312/.test(headName(station)),
    },
    'ET 200M': {
      name: 'ET 200M',
      headSlot: 2,
      rackName: 'Rail_0',
      rackType: 'System:Rack.ET200M',
      stationType: 'System:Device.ET200M',
      rules: s7300Rules('ET 200M', station),
    },
    'S7-400': {
      name: 'S7-400',
      headSlot: 3,
      rackName: 'UR1_0',
      rackType: 'OrderNumber:6ES7 400-1TA01-0AA0',
      stationType: 'System:Device.S7400',
      rules: s7400Rules(station, 3, headName(station)),
      hasExpansionRacks: true,
    },
  }
}

/** Slot 1 power supply, 2 CPU, 3 interface module (racks), 4 to 11 modules. ET 200M uses the same modules. */
function s7300Rules(name: 'S7-300' | 'ET 200M', station: Station): SlotRule[] {
  const ofFamily = (test: (type: ModuleType) => boolean) => of('S7-300', test)
  const power: SlotRule = {
    accepts: ofFamily(({ kind }) => kind === 'PS'),
    from: 1,
    to: 1,
    text: 'power supply: slot 1, the first',
  }
  const modules: SlotRule = {
    accepts: ofFamily((type) => isIo(type) || (name === 'S7-300' && /^(CM|CP)$/.test(type.kind))),
    from: 4,
    to: 11,
    text: `signal${name === 'S7-300' ? ' and communication' : ''} modules: slots 4 to 11`,
  }
  if (name === 'ET 200M') return [power, modules]
  const ofRacks = { from: interfaceModuleSlot, to: interfaceModuleSlot }
  // The onboard I/O of a CPU 31xC has the addresses of slot 11 of rack 3.
  const last = /\bCPU 31\dC/.test(headName(station)) ? 3 : undefined
  return [
    { ...power, rackFault: moduleFault },
    {
      ...modules,
      rackFault: (type, rack, at) => (rack === last ? 'rack 3 has slots 4 to 10' : moduleFault(type, rack, at)),
    },
    ...(last === undefined
      ? []
      : [{ ...modules, to: 10, rack: last, text: 'rack 3: slots 4 to 10 with this CPU', rackFault: moduleFault }]),
    {
      ...ofRacks,
      accepts: ofFamily(isSender),
      rackFault: senderFault,
      text: 'the interface module to further racks: slot 3 of rack 0',
    },
    {
      ...ofRacks,
      accepts: ofFamily(isReceiver),
      rackFault: receiverFault,
      text: 'the interface module of a further rack: its slot 3',
    },
  ]
}

const server: Omit<SlotRule, 'from' | 'to'> = {
  accepts: of('ET 200SP', ({ kind }) => kind === 'Server'),
  most: 1,
  text: 'the server module: once, right of the last module',
}
const busAdapter: Omit<SlotRule, 'from' | 'to'> = {
  accepts: of('ET 200SP', ({ kind }) => kind === 'BusAdapter'),
  subslot: 127,
  text: 'one BusAdapter: in the CPU or interface module',
}

/** The CPU or head module of a station. */
export function headOf({ racks }: Pick<Station, 'racks'>): DeviceItem | undefined {
  for (const rack of racks) {
    const head = rack.items.find(({ role }) => role !== undefined)
    if (head) return head
  }
  return undefined
}

/** Name of the class of a device by its family and kind; undefined: it takes no modules. */
export function classNameOf(family: string, isPlc: boolean): string | undefined {
  switch (family) {
    case 'S7-1500':
    case 'S7-1200':
    case 'S7-300':
    case 'S7-400':
    case 'ET 200MP':
    case 'ET 200M':
      return family
    case 'SIMATIC Drive Controller':
      return undefined
    case 'ET 200SP':
      return isPlc ? 'ET 200SP CPU' : 'ET 200SP'
    default:
      return undefined
  }
}

/** The class of a station; undefined: Gantry has no rules for it (panels, switches, drives, GSD devices …). */
export function classOf(station: Station, className: string | undefined): StationClass | undefined {
  return className === undefined ? undefined : classesOf(station)[className]
}

/** What a module could do in a station. */
export interface Fit {
  /** Free places, lowest first. */
  readonly places: readonly Place[]
  /** Why there is none, or why not more. */
  readonly reason?: string
}

/** The item in a place. */
export function itemAt(station: Station, { rack, slot, subslot }: Place): DeviceItem | undefined {
  const module = rackOf(station, rack)?.items.find(({ position }) => position === slot)
  if (subslot === undefined) return module
  return module?.items.find(({ position, builtIn }) => position === subslot && !builtIn)
}

function rackOf(station: Station, rack: number): DeviceItem | undefined {
  return station.racks.find(({ position }) => position === rack)
}

/**
 * The free places of a station that take a module.
 *
 * @param without id of an item whose place counts as free (it is being moved or replaced)
 * @param onlyIn number of the only rack that is meant
 */
export function placesFor(
  station: Station,
  of: StationClass | undefined,
  type: ModuleType,
  without?: string,
  onlyIn?: number,
): Fit {
  const { items } = station.racks[0] ?? { items: [] }
  const there = items.filter(({ id }) => id !== without)
  if (type.inModules) return submodulePlaces(there, type, type.inModules, without)
  if (type.behind) return placesBehind(station, there, type, type.behind)
  if (!of) return { places: [], reason: 'the station takes no modules' }
  const rules = of.rules.filter(({ accepts }) => accepts(type, station))
  if (rules.length === 0)
    return {
      places: [],
      reason: `${type.typeName} (${type.family}, ${type.kind}) does not fit into a station of ${of.name}: it takes ${[...new Set(of.rules.map(({ text }) => text))].join('; ')}`,
    }
  const reasons: string[] = []
  const racks = of.hasExpansionRacks ? rackNumbers(station, rules) : [0]
  const meant = onlyIn === undefined ? racks : racks.filter((rack) => rack === onlyIn)
  if (meant.length === 0) return { places: [], reason: `the station has no rack ${onlyIn}` }
  const places = meant.flatMap((rack) => placesInRack(station, of, rack, rules, type, without, reasons))
  const unique = [...new Map(places.map((place) => [placeText(place), place])).values()]
  unique.sort((a, b) => a.rack - b.rack || a.slot - b.slot)
  if (unique.length > 0) return { places: unique }
  const ofRack = `rack ${onlyIn ?? 0} takes no ${type.typeName}`
  return { places: [], reason: reasons.length > 0 ? [...new Set(reasons)].join('; ') : ofRack }
}

const slotsFrom = (slot: number, width: number) => Array.from({ length: width }, (_, i) => slot + i)

/** The free places of a rack that take a module; adds to `reasons` why there are none. */
function placesInRack(
  station: Station,
  of: StationClass,
  rack: number,
  rules: readonly SlotRule[],
  type: ModuleType,
  without: string | undefined,
  reasons: string[],
): Place[] {
  const there = (rackOf(station, rack)?.items ?? []).filter(({ id }) => id !== without)
  const taken = new Set(there.flatMap((item) => slotsFrom(item.position, widthOf(item))))
  const width = widthOf(type)
  const serverAt = there.find(({ moduleKind }) => moduleKind === 'Server')?.position
  const last = Math.max(0, ...there.filter((one) => one.position !== serverAt).map(({ position }) => position))
  return rules.flatMap((rule): Place[] => {
    const { from, to, subslot, text, most, rackFault } = rule
    if (rule.rack !== undefined && rule.rack !== rack) return []
    const fault = rackFault?.(type, rack, station, without)
    if (fault !== undefined) {
      reasons.push(fault)
      return []
    }
    if (rackFault === undefined && rack !== 0) return []
    if (subslot !== undefined) {
      const place = { rack, slot: from, subslot }
      const held = itemAt(station, place)
      if (!held || held.id === without) return [place]
      reasons.push(`${text}; "${held.name}" is there`)
      return []
    }
    const inRange = there.filter(({ position, role }) => position >= from && position <= to && role === undefined)
    const same = most === undefined ? [] : inRange.filter((one) => accepts(rule, one, type))
    if (most !== undefined && same.length >= most) {
      reasons.push(`${text}; there ${most === 1 ? 'is one' : `are ${most}`}`)
      return []
    }
    const slots: number[] = []
    for (let slot = from; slot <= to; slot++) {
      if (slotsFrom(slot, width).some((one) => taken.has(one) || (rack === 0 && one === of.headSlot))) continue
      if (type.kind === 'Server' ? slot <= last : serverAt !== undefined && slot > serverAt) continue
      slots.push(slot)
    }
    if (slots.length === 0) {
      const behind = serverAt !== undefined && type.kind !== 'Server' && serverAt <= to
      reasons.push(
        `${text}; ${behind ? `up to the server module in slot ${serverAt} ` : ''}all are occupied${width > 1 ? `, it takes ${width} slots` : ''}`,
      )
    }
    return slots.map((slot) => ({ rack, slot }))
  })
}

/** The free slots behind the access point of a station that take a module of a GSD file. */
function placesBehind(
  station: Station,
  there: readonly DeviceItem[],
  { typeName, family }: ModuleType,
  behind: ReadonlyMap<string, readonly number[]>,
): Fit {
  if (!station.typeIdentifier.toUpperCase().startsWith(`GSD:${family.toUpperCase()}/`))
    return { places: [], reason: `${typeName} fits only into a device of its GSD file, ${family}` }
  const slots = there.flatMap(({ typeIdentifier = '' }) => behind.get(typeIdentifier.toUpperCase()) ?? [])
  if (slots.length === 0) return { places: [], reason: `${headName(station)} takes no ${typeName}` }
  const taken = new Set(there.map(({ position }) => position))
  const free = slots.filter((slot) => !taken.has(slot))
  return free.length > 0
    ? { places: free.map((slot) => ({ rack: 0, slot })) }
    : { places: [], reason: allOccupied(slots.length, 'slot', rangesText(slots)) }
}

const allOccupied = (count: number, noun: string, names: string) =>
  count === 1 ? `${noun} ${names} takes it, and is occupied` : `${noun}s ${names} take it, and all are occupied`

/** The free subslots of the modules that take a submodule. */
function submodulePlaces(
  modules: readonly DeviceItem[],
  { typeName }: ModuleType,
  inModules: ReadonlyMap<string, readonly number[]>,
  without?: string,
): Fit {
  const taking = modules.flatMap((module) => {
    const subslots = inModules.get((module.typeIdentifier ?? '').toUpperCase())
    return subslots ? [{ module, subslots }] : []
  })
  if (taking.length === 0) return { places: [], reason: `the station has no module that takes ${typeName}` }
  const places = taking.flatMap(({ module, subslots }) => {
    const taken = new Set(module.items.filter(({ id }) => id !== without).map(({ position }) => position))
    return subslots
      .filter((subslot) => !taken.has(subslot))
      .map((subslot) => ({ rack: 0, slot: module.position, subslot }))
  })
  if (places.length > 0) return { places }
  const holders = taking.flatMap(({ module, subslots }) => subslots.map((subslot) => `${module.position}.${subslot}`))
  return { places, reason: allOccupied(holders.length, 'subslot', holders.join(', ')) }
}

/** Whether an item counts for the maximum of a rule. */
function accepts({ accepts: test }: SlotRule, item: DeviceItem, type: ModuleType): boolean {
  const kind = item.moduleKind ?? ''
  // The rules that count look at the item only, not at its station.
  return test({ ...type, kind, typeName: item.typeName ?? '' }, { racks: [] } as unknown as Station)
}

/** `1 to 4, 7` of slots. */
function rangesText(slots: readonly number[]): string {
  const sorted = [...slots].sort((a, b) => a - b)
  const parts: string[] = []
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i] as number
    while (sorted[i + 1] === (sorted[i] as number) + 1) i++
    const to = sorted[i] as number
    parts.push(from === to ? String(from) : `${from} to ${to}`)
  }
  return parts.join(', ')
}

/** `1.3` of a place in a module, `4` of a slot, `1/4` of slot 4 in rack 1. */
export function placeText({ rack = 0, slot, subslot }: Partial<Pick<Place, 'rack'>> & Omit<Place, 'rack'>): string {
  return `${rack === 0 ? '' : `${rack}/`}${slot}${subslot === undefined ? '' : `.${subslot}`}`
}

/** `4 to 11, 1/4 to 1/11` of places. */
export function placesText(places: readonly Place[]): string {
  if (places.some(({ subslot }) => subslot !== undefined)) return places.map(placeText).join(', ')
  const racks = [...new Set(places.map(({ rack }) => rack))]
  return racks
    .map((rack) => {
      const ranges = rangesText(places.filter((one) => one.rack === rack).map(({ slot }) => slot))
      return rack === 0 ? ranges : ranges.replace(/\d+/g, `${rack}/$&`)
    })
    .join(', ')
}
