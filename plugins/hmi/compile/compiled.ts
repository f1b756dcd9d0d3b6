/** What the last compile of each station made. */
import { collection, domainEvent, on, ownedBy, problem, type Slice, type SliceReader } from '../../../core/index.ts'
import { type Device, device } from '../../devices/index.ts'

/** A station as it was compiled. */
export interface CompiledStation {
  readonly deviceId: string
  /** Blob: the model as JSON. */
  readonly model: string
  /** Blobs by kind and name of the screens, `popups/Motor`: what a screen was made of, and its drawing. */
  readonly screens: Readonly<Record<string, { readonly source: string; readonly svg: string }>>
  /** True when something runs without a page: alarms, recording for trends. */
  readonly isLive?: boolean
  readonly errors: number
  readonly warnings: number
  /** Milliseconds since the epoch. */
  readonly compiledAt: number
}

export const compiledStations = collection<CompiledStation>(
  'hmi.compiled',
  { byDevice: (_, key) => key },
  [ownedBy(device, 'byDevice')],
  'attached',
)
export const stationCompiled = domainEvent<CompiledStation>('hmi.compiled', 'An HMI station was compiled')

export const compiledPart: Pick<Slice, 'reductions'> & { readonly collections: Slice['collections'] } = {
  collections: [compiledStations],
  reductions: [on(stationCompiled, (write, compiled) => write(compiledStations).set(compiled.deviceId, compiled))],
}

/**
 * The compiled form of a station.
 * @throws GatewayError `conflict` when it was never compiled, or has errors
 */
export function requireCompiled(ctx: { readonly read: SliceReader }, station: Device): CompiledStation {
  const compiled = ctx.read(compiledStations).get(station.id)
  if (compiled !== undefined) return compiled
  throw problem('conflict', `HMI station "${station.name}" is not compiled.`, {
    suggestion: `POST /api/hmi/compile { "stationName": "${station.name}" }`,
  })
}
