/**
 * Where the hardware of the open project is stored: stations, subnets, topology links, connections, and their events.
 */
import {
  type Collection,
  type CollectionWriter,
  collection,
  domainEvent,
  on,
  ownedBy,
  type Slice,
} from '../../core/index.ts'
import { device, deviceDeleted } from '../devices/index.ts'
import { modifiesProject, project } from '../projects/index.ts'
import type { ConfiguredConnection, DeviceItem, Station, SubnetData, TopologyLink } from './model.ts'

/**
 * Stations by the id of their device. A device whose hardware was never changed has none: `stationOf` makes it from the
 * catalog, the same each time.
 */
export const stations = collection<Station>('hardware.stations', { byDevice: ({ deviceId }) => deviceId }, [
  ownedBy(device, 'byDevice'),
  ownedBy(project),
])

/** Key: name of the subnet in lower case. A subnet that only interfaces name has no entry. */
export const subnets = collection<SubnetData>('hardware.subnets', {}, [ownedBy(project)])

/** Key: id. Indexes: the devices of both ends. */
export const topologyLinks = collection<TopologyLink>('hardware.topology-links', {}, [ownedBy(project)])

/** Key: id. */
export const connections = collection<ConfiguredConnection>('hardware.connections', {}, [ownedBy(project)])

/** The whole hardware of a device: first change, import, loading. It replaces what was there. */
export const stationSet = domainEvent<{ station: Station }>('hardware.station-set', 'The hardware of a device was set')

/**
 * A module (or an item in it) was plugged, moved or changed; `module` with its submodules takes the place of `before`.
 */
export const moduleSet = domainEvent<{
  deviceId: string
  rackId: string
  module: DeviceItem
  before: DeviceItem | null
}>('hardware.module-set', 'A module was plugged or changed')

/** A module was unplugged. */
export const moduleRemoved = domainEvent<{ deviceId: string; rackId: string; module: DeviceItem }>(
  'hardware.module-removed',
  'A module was unplugged',
)

export const subnetSet = domainEvent<{ subnet: SubnetData; oldName?: string }>(
  'hardware.subnet-set',
  'A subnet was created or changed',
)
export const subnetDeleted = domainEvent<{ subnet: SubnetData }>('hardware.subnet-deleted', 'A subnet was deleted')

export const linkSet = domainEvent<{ link: TopologyLink }>('hardware.link-set', 'Two ports were connected')
export const linkRemoved = domainEvent<{ link: TopologyLink }>('hardware.link-removed', 'Two ports were disconnected')

export const connectionSet = domainEvent<{ connection: ConfiguredConnection }>(
  'hardware.connection-set',
  'A connection was configured',
)
export const connectionRemoved = domainEvent<{ connection: ConfiguredConnection }>(
  'hardware.connection-removed',
  'A connection was deleted',
)

type SliceWriter = <T>(collection: Collection<T>) => CollectionWriter<T>

/** Changes the modules of a rack; they stay in the order of their slots. */
function changeRack(
  write: SliceWriter,
  deviceId: string,
  rackId: string,
  change: (modules: readonly DeviceItem[]) => DeviceItem[],
): void {
  const station = write(stations).get(deviceId)
  if (!station) return
  const racks = station.racks.map((rack) =>
    rack.id === rackId ? { ...rack, items: change(rack.items).sort((a, b) => a.position - b.position) } : rack,
  )
  write(stations).set(deviceId, { ...station, racks })
}

/** The plugin's part of the state. */
export const hardwareSlice: Slice = {
  version: 1,
  collections: [stations, subnets, topologyLinks, connections],
  reductions: [
    on(stationSet, (write, { station }) => write(stations).set(station.deviceId, station)),
    on(moduleSet, (write, { deviceId, rackId, module }) =>
      changeRack(write, deviceId, rackId, (modules) => [...modules.filter(({ id }) => id !== module.id), module]),
    ),
    on(moduleRemoved, (write, { deviceId, rackId, module }) =>
      changeRack(write, deviceId, rackId, (modules) => modules.filter(({ id }) => id !== module.id)),
    ),
    on(subnetSet, (write, { subnet, oldName }) => {
      if (oldName !== undefined) write(subnets).delete(oldName.toLowerCase())
      write(subnets).set(subnet.name.toLowerCase(), subnet)
    }),
    on(subnetDeleted, (write, { subnet }) => write(subnets).delete(subnet.name.toLowerCase())),
    on(linkSet, (write, { link }) => write(topologyLinks).set(link.id, link)),
    on(linkRemoved, (write, { link }) => write(topologyLinks).delete(link.id)),
    on(connectionSet, (write, { connection }) => write(connections).set(connection.id, connection)),
    on(connectionRemoved, (write, { connection }) => write(connections).delete(connection.id)),
    // Links and connections end with either of their devices.
    on(deviceDeleted, (write, { id }) => {
      const links = write(topologyLinks)
      for (const link of [...links.values()])
        if (link.a.deviceId === id || link.b.deviceId === id) links.delete(link.id)
      const configured = write(connections)
      for (const { id: key, local, partner } of [...configured.values()])
        if (local.deviceId === id || partner?.deviceId === id) configured.delete(key)
    }),
    ...modifiesProject(
      stationSet,
      moduleSet,
      moduleRemoved,
      subnetSet,
      subnetDeleted,
      linkSet,
      linkRemoved,
      connectionSet,
      connectionRemoved,
    ),
  ],
}
