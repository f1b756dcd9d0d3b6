/** The hardware of stations: racks, modules, addresses, networks. */
import { definePlugin, extend, type QueryContext } from '../../core/index.ts'
import { type Device, hardwareRule, subnetSource } from '../devices/index.ts'
import { type FolderImporter, folderImporter, type ProjectSection, projectSection } from '../projects/index.ts'
import { systemConstantSource } from '../tags/index.ts'
import type { ConfiguredDevice } from './addresses/identifiers.ts'
import type { ConfiguredModule } from './addresses/io-modules.ts'
import { hardwareConstants } from './addresses/system-constants.ts'
import type { ModuleOfDevice } from './editing/with-modules.ts'
import type { Station } from './model.ts'
import { moduleOperations } from './module-operations.ts'
import { moduleSource } from './modules/module-type.ts'
import type { LoadedConnection } from './networks/controller-connections.ts'
import { networkOperations } from './networks/network-operations.ts'
import { hardwareSlice, subnets } from './station.ts'

export type { ModuleOfDevice } from './editing/with-modules.ts'
export { givenInterface, givenItemKind, givenName, givenTypeIdentifier, isGivenItemShown } from './given/given-item.ts'
export type { DeviceItem, Station, TopologyLink } from './model.ts'
export {
  type IoSize,
  type ModuleSource,
  type ModuleType,
  moduleSource,
  type SubmoduleType,
} from './modules/module-type.ts'
export {
  connections,
  linkRemoved,
  linkSet,
  moduleRemoved,
  moduleSet,
  stationSet,
  stations,
  subnetSet,
  subnets,
  topologyLinks,
} from './station.ts'
/** The hardware of a device: as stored, else as the catalog has it. See stations.ts. */
export async function stationOf(
  ctx: Pick<QueryContext, 'read' | 'extensions' | 'files' | 'gateway'>,
  device: Device,
): Promise<Station> {
  return (await import('./stations.ts')).stationOf(ctx, device)
}

/** The I/O modules that a controller has by configuration: its own and those of its IO devices. See io-modules.ts. */
export async function ioModulesOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<ConfiguredModule[]> {
  return (await import('./addresses/io-modules.ts')).ioModulesOf(ctx, device)
}

/** The configured S7 connections of a PLC, as partner of others too. See controller-connections.ts. */
export async function s7ConnectionsOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<LoadedConnection[]> {
  return (await import('./networks/controller-connections.ts')).s7ConnectionsOf(ctx, device)
}

/** The IO devices of a controller with the numbers that programs ask for. See identifiers.ts. */
export async function ioDevicesOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<ConfiguredDevice[]> {
  return (await import('./addresses/identifiers.ts')).ioDevicesOf(ctx, device)
}

/**
 * A station with further modules, addressed like those that are plugged; a module without room is reported and left
 * out. For sources of devices that come with modules.
 */
export async function withModules(
  ctx: Parameters<typeof stationOf>[0],
  device: Device,
  station: Station,
  modules: readonly ModuleOfDevice[],
): Promise<{ readonly station: Station; readonly warnings: readonly string[] }> {
  return (await import('./editing/with-modules.ts')).withModules(ctx, device, station, modules)
}

const hardwarePart: ProjectSection = {
  name: 'hardware',
  order: 12,
  folders: ['devices/*/hardware.json', 'hardware/networks.json'],
  async save(ctx) {
    return (await import('./files.ts')).writeHardware(ctx)
  },
  async load(ctx, _project, files) {
    return (await import('./files.ts')).readHardware(ctx, files)
  },
  async infrastructure(ctx) {
    return (await import('./networks/infrastructure.ts')).infrastructureOf(ctx)
  },
}

const givenHardware: FolderImporter = {
  name: 'hardware',
  order: 10,
  recognizes: () => [],
  async import(...given) {
    return (await import('./given/given.ts')).givenStations.import(...given)
  },
}

const checkModules = async (ctx: Pick<QueryContext, 'read'>, device: Device) =>
  (await import('./check.ts')).checkStation(ctx, device)

export default definePlugin({
  name: 'hardware',
  version: '1.0.0',
  description: 'Hardware of stations: racks, modules, I/O addresses, networks.',
  requires: ['projects', 'devices', 'tags'],
  docs: [{ name: 'hardware', title: 'Hardware', text: async () => (await import('./docs.ts')).hardwarePage }],
  slice: hardwareSlice,
  operations: [...moduleOperations, ...networkOperations],
  extensionPoints: [moduleSource],
  extensions: [
    extend(projectSection, hardwarePart),
    extend(folderImporter, givenHardware),
    extend(hardwareRule, checkModules),
    extend(subnetSource, (ctx) => ctx.read(subnets).values()),
    extend(systemConstantSource, hardwareConstants),
  ],
})
