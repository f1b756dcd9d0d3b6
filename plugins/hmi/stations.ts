/** HMI stations: the HMI devices of the project, their screens' size and family. */
import { problem, type SliceReader } from '../../core/index.ts'
import { type Device, devices, requireDevice } from '../devices/index.ts'
import { requireProject } from '../projects/index.ts'
import { stationSettings } from './object.ts'

type Reader = { readonly read: SliceReader }

/** All HMI stations of the open project. */
export function stationsOf(ctx: Reader): Device[] {
  return [...ctx.read(devices).values()].filter(({ kind }) => kind === 'HMI')
}

/**
 * Returns the HMI station with this name (ignoring case).
 * @throws GatewayError `no_project`, `not_found`, `conflict` when the device is no HMI device
 */
export function requireStation(ctx: Reader, name: string): Device {
  const device = requireDevice(ctx, name)
  if (device.kind === 'HMI') return device
  const names = stationsOf(ctx).map((station) => `"${station.name}"`)
  const others = names.length > 0 ? `The HMI stations: ${names.join(', ')}.` : 'The project has no HMI station.'
  throw problem(
    'conflict',
    `Device "${device.name}" (${device.typeName}) is not an HMI device: ${device.kind}. ${others}`,
  )
}

/**
 * The station that a request means: the one that it names, or the only one.
 * @throws GatewayError `no_project`, `not_found`, `conflict` when it has to be named
 */
export function onlyStation(ctx: Reader, name: string | undefined): Device {
  if (name !== undefined) return requireStation(ctx, name)
  requireProject(ctx)
  const all = stationsOf(ctx)
  const [station] = all
  if (station !== undefined && all.length === 1) return station
  if (station === undefined)
    throw problem('not_found', 'The project has no HMI station.', {
      suggestion: 'Add an HMI device; GET /api/catalog/search?query=TP1200 finds panels.',
    })
  const names = all.map((one) => `"${one.name}"`).join(', ')
  throw problem('conflict', `The project has ${all.length} HMI stations: ${names}. Name the one that is meant.`)
}

/** Family of engineering: Unified stations have JavaScript, classic ones VBScript. */
export function familyOf({ family, typeName }: Pick<Device, 'family' | 'typeName'>): 'Unified' | 'Classic' {
  return /unified|^MTP/i.test(`${family} ${typeName}`) || /\bMTP\d/.test(typeName) ? 'Unified' : 'Classic'
}

/** Pixels of panels by what their type names have in common (data sheets of the panels). */
const resolutions: readonly (readonly [RegExp, number, number])[] = [
  [/MTP2200|TP2200/i, 1920, 1080],
  [/MTP1900/i, 1920, 1080],
  [/MTP1500|TP1900/i, 1366, 768],
  [/TP1500|TP1200|MTP1200|MTP1000/i, 1280, 800],
  [/TP(400)\b|KTP400/i, 480, 272],
  [/TP700|TP900/i, 800, 480],
]

/** Size of the display in pixels: what is set for the station, else what its panel has, else 1280 x 800. */
export function resolutionOf(ctx: Reader, device: Device): { width: number; height: number; isKnown: boolean } {
  const set = ctx.read(stationSettings).get(device.id)
  const [, width, height] = resolutions.find(([pattern]) => pattern.test(device.typeName)) ?? []
  return {
    width: set?.width ?? width ?? 1280,
    height: set?.height ?? height ?? 800,
    isKnown: (set?.width ?? width) !== undefined,
  }
}
