/** The answers of hardware-details and channels. */
import { notFound, problem, type QueryContext, rankedPage } from '../../core/index.ts'
import { type Device, requireDevice } from '../devices/index.ts'
import { tagTablesOf } from '../tags/index.ts'
import { itemsOf } from './addresses/addresses.ts'
import { channelsOfStation, ioRange } from './addresses/channels.ts'
import { identifiersOf } from './addresses/identifiers.ts'
import { requireItem } from './editing/changes.ts'
import { placeText } from './modules/slots.ts'
import { stations } from './station.ts'
import type { ItemView } from './station-schema.ts'
import { controllerOf, spaceOf, stationOf } from './stations.ts'
import { channelView, modulesOf, moduleView, stationView } from './views.ts'

interface TagPlace {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The I/O tags of a PLC by each byte that they touch. */
function tagsByByte(ctx: Pick<QueryContext, 'read'>, owner: Device): Map<string, TagPlace[]> {
  const found = new Map<string, TagPlace[]>()
  for (const { tags } of tagTablesOf(ctx, owner.id))
    for (const { name, logicalAddress } of tags) {
      const range = ioRange(logicalAddress)
      if (!range) continue
      for (let byte = range.from >> 3; byte << 3 < range.to; byte++) {
        const key = `${range.ioType}${byte}`
        const list = found.get(key) ?? []
        list.push({ name, from: range.from, to: range.to })
        found.set(key, list)
      }
    }
  return found
}

/** Finds the tags that share bits with an address. */
function tagFinder(ctx: Pick<QueryContext, 'read'>, owner: Device): (address: string) => string[] {
  const byByte = tagsByByte(ctx, owner)
  return (address) => {
    const range = ioRange(address)
    if (!range) return []
    const names = new Set<string>()
    for (let byte = range.from >> 3; byte << 3 < range.to; byte++)
      for (const { name, from, to } of byByte.get(`${range.ioType}${byte}`) ?? [])
        if (from < range.to && range.from < to) names.add(name)
    return [...names]
  }
}

/** See `hardware.details`. */
export async function hardwareDetails(ctx: QueryContext, device: Device) {
  const station = await stationOf(ctx, device)
  const controller = controllerOf(ctx, device)
  const tags = tagFinder(ctx, controller ?? device)
  const view = stationView(device, station, tags, identifiersOf(ctx, device))
  const interfaces = [...itemsOf(station)].filter(({ item }) => item.interface !== undefined)
  const shown = (items: readonly ItemView[]): (NonNullable<ItemView['interface']> & { readonly item: string })[] =>
    items.flatMap((item) => [
      ...(item.interface === undefined ? [] : [{ ...item.interface, item: item.name }]),
      ...shown(item.items),
    ])
  return {
    deviceName: device.name,
    typeName: device.typeName,
    orderNumber: device.orderNumber,
    firmware: device.firmware,
    isConfigured: ctx.read(stations).get(device.id) !== undefined,
    ...(controller === undefined ? {} : { controller: controller.name }),
    station: view,
    modules: modulesOf(station).map(({ item, place }) => moduleView(item, place)),
    interfaces: interfaces.length === 0 ? [] : shown(view.racks),
  }
}

interface ChannelRequest {
  readonly deviceName: string
  readonly module?: string
  readonly tag?: string
  readonly address?: string
  readonly limit?: number
  readonly cursor?: string
  readonly q?: string
}

/**
 * See `hardware.channels`. A tag of a PLC may lie on a module of one of its IO devices: with `tag` or `address` those
 * are searched too.
 * @throws GatewayError `not_found` (device, module, tag), `invalid_input` (address)
 */
export async function channelList(ctx: QueryContext, request: ChannelRequest) {
  const device = requireDevice(ctx, request.deviceName)
  const { owner, members } = spaceOf(ctx, device)
  const tags = tagFinder(ctx, owner)
  let wanted: { ioType: string; from: number; to: number } | undefined
  if (request.address !== undefined) {
    wanted = ioRange(request.address)
    if (!wanted)
      throw problem('invalid_input', `/address: "${request.address}" is no address of I/O, such as %I4.0 or %QW10.`, {
        errors: [{ path: '/address', message: 'is no address of inputs or outputs', value: request.address }],
      })
  } else if (request.tag !== undefined) {
    const all = tagTablesOf(ctx, owner.id).flatMap((table) => table.tags)
    const tag = all.find(({ name }) => name.toLowerCase() === request.tag?.toLowerCase())
    if (!tag)
      throw notFound(
        'tag',
        request.tag,
        all.map(({ name }) => name),
      )
    wanted = ioRange(tag.logicalAddress)
    if (!wanted) return { channels: [], total: 0 }
  }
  const searched = wanted && owner.id === device.id ? members : [device]
  const lists = await Promise.all(
    searched.map(async (one) => {
      const station = await stationOf(ctx, one)
      const only = request.module === undefined ? undefined : requireItem(station, request.module)
      const positions = new Map(modulesOf(station).map(({ item, place }) => [item.id, placeText(place)]))
      return channelsOfStation(station)
        .filter(({ module, submodule }) => only === undefined || module.id === only.id || submodule.id === only.id)
        .map((channel) => ({ device: one.name, position: positions.get(channel.module.id) ?? '', channel }))
    }),
  )
  const filter = request.q?.toLowerCase() ?? ''
  const all = lists.flat().filter(({ channel: { name, address } }) => {
    if (!name.toLowerCase().includes(filter)) return false
    if (!wanted) return true
    const range = address === undefined ? undefined : ioRange(address)
    return range !== undefined && range.ioType === wanted.ioType && range.from < wanted.to && wanted.from < range.to
  })
  const { page, ...rest } = rankedPage(all, { limit: request.limit ?? 1000, cursor: request.cursor }, 'c')
  return {
    channels: page.map(({ device: of, position, channel }) => ({
      device: of,
      module: channel.module.name,
      position,
      ...channelView(channel, tags),
    })),
    ...rest,
  }
}
