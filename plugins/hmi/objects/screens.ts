/** Finds screens: by name among those of one kind, since a name may be in each kind. */
import { type GatewayError, notFound, problem, type SliceReader } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { type Page, type PageRequest, pageOf } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { type HmiObject, hmiCollections } from '../object.ts'
import { requireStation, stationsOf } from '../stations.ts'
import { screenKindNames, screenKindOf, screenKinds } from './screen-kinds.ts'

type Reader = { readonly read: SliceReader }
export type Screen = HmiObject<'screen'>

/** The screens of one kind. @param screenType absent: those that are shown as screens of their own */
export const screensOfType = (screenType = 'Screen') => hmiCollections[screenKindOf(screenType)]

/** The error for a screen that is not there; one of another kind of this name is told, and how to ask for it. */
function missing(ctx: Reader, stations: readonly Device[], name: string, screenType: string | undefined): GatewayError {
  const kind = screenKindOf(screenType ?? 'Screen')
  const others = screenKindNames.filter(
    (other) => other !== kind && stations.some(({ id }) => hmiCollections[other].find(ctx, id, name) !== undefined),
  )
  const names = stations.flatMap(({ id }) => hmiCollections[kind].of(ctx, id).map((screen) => screen.name))
  if (others.length === 0) return notFound(screenKinds[kind].noun, name, names)
  const told = others.map((other) => screenKinds[other].noun).join(' and a ')
  return problem('not_found', `There is no ${screenKinds[kind].noun} "${name}"; there is a ${told} of this name.`, {
    suggestion: `Send screenType: ${others.map((other) => `"${screenKinds[other].screenType}"`).join(' or ')}.`,
  })
}

/**
 * The screen of this name (case ignored) and kind of a station.
 * @param screenType absent: a screen of its own
 * @throws GatewayError `not_found` with the nearest name, or with the kinds that have the name
 */
export function requireScreen(ctx: Reader, station: Device, name: string, screenType?: string): Screen {
  const screen = screensOfType(screenType).find(ctx, station.id, name)
  if (screen === undefined) throw missing(ctx, [station], name, screenType)
  return screen
}

/** What names a screen in a request. */
interface ScreenPlace {
  readonly screenName: string
  readonly screenType?: string | undefined
  readonly deviceName?: string | undefined
}

/**
 * The screen that a request means, on the station that it names or on any.
 * @throws GatewayError `not_found` as {@link requireScreen}; `conflict` when several stations have one of this name
 */
export function findScreen(ctx: Reader, place: ScreenPlace): { station: Device; screen: Screen } {
  const { screenName: name, screenType, deviceName } = place
  requireProject(ctx)
  if (deviceName !== undefined) {
    const station = requireStation(ctx, deviceName)
    return { station, screen: requireScreen(ctx, station, name, screenType) }
  }
  const stations = stationsOf(ctx)
  const found = stations.flatMap((station) => {
    const screen = screensOfType(screenType).find(ctx, station.id, name)
    return screen === undefined ? [] : [{ station, screen }]
  })
  const [first] = found
  if (first === undefined) throw missing(ctx, stations, name, screenType)
  if (found.length > 1) {
    const { noun } = screenKinds[screenKindOf(screenType ?? 'Screen')]
    const names = found.map(({ station }) => `"${station.name}"`).join(', ')
    throw problem('conflict', `${found.length} HMI devices have a ${noun} "${name}": ${names}. Send deviceName.`)
  }
  return first
}

/** A screen in a list; `name` is that of its place in the list, for the cursor. */
interface ListedScreen {
  readonly name: string
  readonly station: Device
  readonly screen: Screen
}

/** The requested part of a list of screens. */
export interface ScreensRequest extends PageRequest {
  /** Absent: of every kind. */
  readonly screenType?: string | undefined
}

/** One page of the screens of stations, sorted by name. */
export function pageOfScreens(ctx: Reader, stations: readonly Device[], request: ScreensRequest): Page<ListedScreen> {
  const { screenType, q = '', ...rest } = request
  const kinds = screenType === undefined ? screenKindNames : [screenKindOf(screenType)]
  const rows = stations.flatMap((station) =>
    kinds.flatMap((kind) =>
      hmiCollections[kind].of(ctx, station.id).map((screen): ListedScreen => {
        // A name that is there several times has several places; no name has a tab in it.
        const place = [...(stations.length > 1 ? [station.name] : []), ...(kind === 'screen' ? [] : [kind])]
        return { name: [screen.name, ...place].join('\t'), station, screen }
      }),
    ),
  )
  const wanted = q.toLowerCase()
  return pageOf(
    rows.filter(({ screen }) => screen.name.toLowerCase().includes(wanted)),
    rest,
  )
}
