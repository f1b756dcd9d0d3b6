import { compareFirmware, normalizeFirmware } from './order-number.ts'

/** A row of the catalog, and values derived from it. */

/** `kind` of the data file, with the terms of the hardware catalog. */
export const CATALOG_KINDS = [
  'CPU',
  'HMI',
  'IM',
  'DI',
  'DQ',
  'DIQ',
  'F-DI',
  'F-DQ',
  'AI',
  'AQ',
  'AIQ',
  'TM',
  'IO-Link',
  'CM',
  'CP',
  'PS',
  'BusAdapter',
  'Server',
  'Battery',
  'Rack',
  'Accessory',
  'Coupler',
  'Switch',
  'Security',
  'drive',
  'power module',
  'motor module',
  'GSD',
] as const

/** Kind of a catalog entry. */
export type CatalogKind = (typeof CATALOG_KINDS)[number]

/** Kind of a device, with the terms of the gateway's device lists. */
export type DeviceKind =
  | 'PLC'
  | 'HMI'
  | 'HeadModule'
  | 'IO'
  | 'Technology'
  | 'Communication'
  | 'PowerSupply'
  | 'Coupler'
  | 'Switch'
  | 'Security'
  | 'Drive'
  | 'Rack'
  | 'Accessory'

/** A row of the catalog. */
export interface CatalogEntry {
  /** As printed on the product: `6ES7 515-2AM02-0AB0`; `x` and `*` are open places. */
  readonly orderNumber: string
  /** The number of its maker, where `orderNumber` is an identifier of a GSD file. */
  readonly makerNumber?: string
  /** For example `CPU 1515-2 PN`. */
  readonly typeName: string
  /** For example `S7-1500`, `ET 200SP`, `SIPLUS S7-1500`. */
  readonly family: string
  readonly kind: CatalogKind
  /** Versions seen in real projects, oldest first; others may exist. */
  readonly firmware: readonly string[]
  /** Third part of the type identifier of some drive modules (`OrderNumber:…//10002`). */
  readonly variant?: string
  /** Number of PROFINET ports; absent when unknown. */
  readonly pnPorts?: number
  /** Origin of the name, see README. */
  readonly nameSource: string
  readonly source: string
}

const DEVICE_KINDS: Record<CatalogKind, DeviceKind> = {
  CPU: 'PLC',
  HMI: 'HMI',
  IM: 'HeadModule',
  DI: 'IO',
  DQ: 'IO',
  DIQ: 'IO',
  'F-DI': 'IO',
  'F-DQ': 'IO',
  AI: 'IO',
  AQ: 'IO',
  AIQ: 'IO',
  'IO-Link': 'IO',
  TM: 'Technology',
  CM: 'Communication',
  CP: 'Communication',
  PS: 'PowerSupply',
  BusAdapter: 'Accessory',
  Server: 'Accessory',
  Battery: 'Accessory',
  Rack: 'Rack',
  Accessory: 'Accessory',
  Coupler: 'Coupler',
  Switch: 'Switch',
  Security: 'Security',
  drive: 'Drive',
  'power module': 'Drive',
  'motor module': 'Drive',
  GSD: 'IO',
}

/** The kind of device for an entry. */
export function deviceKind(entry: CatalogEntry): DeviceKind {
  return DEVICE_KINDS[entry.kind]
}

/**
 * True when the entry can be a device in a project; false for modules that are plugged into a device (SM, CM, PS, power
 * modules …). ET 200eco PN blocks are I/O and head module in one, with their own ports.
 */
export function isStandalone(entry: CatalogEntry): boolean {
  switch (deviceKind(entry)) {
    case 'PLC':
    case 'HMI':
    case 'HeadModule':
    case 'Switch':
    case 'Security':
    case 'Coupler':
      return true
    case 'Drive':
      return entry.kind === 'drive' && entry.pnPorts !== 0
    case 'IO':
      return entry.family === 'ET 200eco PN'
    default:
      return false
  }
}

/**
 * True for failsafe hardware: F modules, and CPUs with an F after the number of the performance class (`1515F-2 PN`,
 * `1512SP F-1 PN`, `151-8F`).
 */
export function isFailsafe(entry: CatalogEntry): boolean {
  if (entry.kind === 'F-DI' || entry.kind === 'F-DQ') return true
  return entry.kind === 'CPU' && /\d[A-Z]*F[CX]?\b| F-\d|\bTF\b/.test(entry.typeName)
}

/** The newest known firmware; undefined when none is known. */
export function newestFirmware(entry: CatalogEntry): string | undefined {
  return [...entry.firmware].sort(compareFirmware).at(-1)
}

/**
 * Type identifier as in the Openness manual ("TypeIdentifier" of devices and device items):
 * `OrderNumber:<number>/<firmware>`, without `/…` when no version is known, and `//<variant>` for drive modules. The
 * default of `firmware` is the newest known one.
 */
export function typeIdentifier(entry: CatalogEntry, firmware?: string): string {
  if (/^GSD:/i.test(entry.orderNumber)) return entry.orderNumber
  const version = firmware === undefined ? newestFirmware(entry) : normalizeFirmware(firmware)
  const suffix = [version ?? '', ...(entry.variant ? [entry.variant] : [])].join('/')
  return `OrderNumber:${entry.orderNumber}${suffix ? `/${suffix}` : ''}`
}

/** An entry found by a search, best first. */
export interface CatalogHit {
  readonly entry: CatalogEntry
  /** Used only to compare the hits of one search. */
  readonly score: number
}
