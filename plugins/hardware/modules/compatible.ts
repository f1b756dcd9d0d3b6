/** What fits where: the answer of compatible-slots. */
import { defined, type QueryContext, rankedPage } from '../../../core/index.ts'
import { catalogEntries, requireDevice } from '../../devices/index.ts'
import { classNameOfDevice, requireModuleType, stationOf } from '../stations.ts'
import { type ModuleType, moduleSource, moduleTypeOf } from './module-type.ts'
import { classOf, type Place, placesFor, placesText, placeText } from './slots.ts'

interface Request {
  readonly deviceName: string
  readonly orderNumber?: string
  readonly rack?: number
  readonly slot?: number
  readonly subslot?: number
  readonly limit?: number
  readonly cursor?: string
  readonly q?: string
}

/** See `hardware.compatible-slots`. @throws GatewayError `not_found` (device, order number) */
export async function compatibleSlots(ctx: QueryContext, request: Request) {
  const device = requireDevice(ctx, request.deviceName)
  const station = await stationOf(ctx, device)
  const of = classOf(station, classNameOfDevice(device))
  const isWanted = ({ rack, slot, subslot }: Place) =>
    (request.rack === undefined || rack === request.rack) &&
    (request.slot === undefined || slot === request.slot) &&
    (request.subslot === undefined || subslot === request.subslot)
  const limit = request.limit ?? 1000
  const head = { deviceName: device.name, ...(of === undefined ? {} : { stationType: of.name }) }
  if (request.orderNumber !== undefined) {
    const { type } = await requireModuleType(ctx, request.orderNumber, station.typeIdentifier)
    const { places, reason } = placesFor(station, of, type, undefined, request.rack)
    const fitting = places.filter(isWanted)
    const { page, ...rest } = rankedPage(fitting, { limit, cursor: request.cursor }, 's')
    const { orderNumber, typeName, kind } = type
    const other = placesText(places)
    const why =
      fitting.length > 0 ? undefined : (reason ?? `${typeName} does not go there; slots that would do: ${other}`)
    return {
      ...head,
      module: { orderNumber, typeName, kind },
      slots: page.map(placeView),
      ...defined({ reason: why }),
      ...rest,
    }
  }
  const wanted = request.q?.toLowerCase() ?? ''
  const given = await modulesOfSources(ctx, station.typeIdentifier)
  const entries = await catalogEntries()
  const found = [...entries.map((entry) => moduleTypeOf(entry)), ...given].flatMap((type) => {
    if (!`${type.typeName} ${type.orderNumber}`.toLowerCase().includes(wanted)) return []
    const places = placesFor(station, of, type).places.filter(isWanted)
    return places.length > 0 ? [{ type, places }] : []
  })
  const slots = new Map(found.flatMap(({ places }) => places.map((place) => [placeText(place), place] as const)))
  const { page, ...rest } = rankedPage(found, { limit, cursor: request.cursor }, 'm')
  return {
    ...head,
    slots: [...slots.values()]
      .sort((a, b) => a.rack - b.rack || a.slot - b.slot || (a.subslot ?? -1) - (b.subslot ?? -1))
      .map(placeView),
    modules: page.map(({ type: { orderNumber, typeName, kind }, places }) => ({
      orderNumber,
      typeName,
      kind,
      slots: places.map(placeText),
    })),
    ...(found.length > 0
      ? {}
      : {
          reason: of
            ? `nothing of the catalog fits; ${of.rules.map(({ text }) => text).join('; ')}`
            : given.length > 0
              ? 'nothing of the GSD file fits'
              : 'the station takes no modules',
        }),
    ...rest,
  }
}

/** The modules of other sources than the catalog for a station. */
async function modulesOfSources(ctx: QueryContext, stationType: string): Promise<ModuleType[]> {
  const given = await Promise.all(ctx.extensions(moduleSource).map((source) => source.modulesFor(ctx, stationType)))
  return given.flat()
}

function placeView({ rack, slot, subslot }: Place) {
  return {
    rack,
    slot,
    ...defined({ subslot }),
    position: placeText({ rack, slot, ...defined({ subslot }) }),
  }
}
