/** The hardware of stations: racks, modules, addresses, networks. */
import { definePlugin, extend, type QueryContext } from '../../core/index.ts'
import { type Device, hardwareRule, subnetSource } from '../devices/index.ts'
import { type FolderImporter, folderImporter, type ProjectSection, projectSection } from '../projects/index.ts'
import { systemConstantSource } from '../tags/index.ts'
import type { LoadedConnection } from './controller-connections.ts'
import type { ConfiguredDevice } from './identifiers.ts'
import type { ConfiguredModule } from './io-modules.ts'
import type { Station } from './model.ts'
import { moduleOperations } from './module-operations.ts'
import { networkOperations } from './network-operations.ts'
import { hardwareSlice, subnets } from './station.ts'
import { hardwareConstants } from './system-constants.ts'
import type { ModuleOfDevice } from './with-modules.ts'

export { givenInterface, givenItemKind, givenName, givenTypeIdentifier, isGivenItemShown } from './given-item.ts'
export type { DeviceItem, Station, TopologyLink } from './model.ts'
export { type IoSize, type ModuleSource, type ModuleType, moduleSource, type SubmoduleType } from './module-type.ts'
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
export type { ModuleOfDevice } from './with-modules.ts'
/** The hardware of a device: as stored, else as the catalog has it. See stations.ts. */
export async function stationOf(
  ctx: Pick<QueryContext, 'read' | 'extensions' | 'files' | 'gateway'>,
  device: Device,
): Promise<Station> {
  return (await import('./stations.ts')).stationOf(ctx, device)
}

/** The I/O modules that a controller has by configuration: its own and those of its IO devices. See io-modules.ts. */
export async function ioModulesOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<ConfiguredModule[]> {
  return (await import('./io-modules.ts')).ioModulesOf(ctx, device)
}

/** The configured S7 connections of a PLC, as partner of others too. See controller-connections.ts. */
export async function s7ConnectionsOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<LoadedConnection[]> {
  return (await import('./controller-connections.ts')).s7ConnectionsOf(ctx, device)
}

/** The IO devices of a controller with the numbers that programs ask for. See identifiers.ts. */
export async function ioDevicesOf(ctx: Pick<QueryContext, 'read'>, device: Device): Promise<ConfiguredDevice[]> {
  return (await import('./identifiers.ts')).ioDevicesOf(ctx, device)
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
  return (await import('./with-modules.ts')).withModules(ctx, device, station, modules)
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
    return (await import('./infrastructure.ts')).infrastructureOf(ctx)
  },
}

const givenHardware: FolderImporter = {
  name: 'hardware',
  order: 10,
  recognizes: () => [],
  async import(...given) {
    return (await import('./given.ts')).givenStations.import(...given)
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
  extensions: [
    extend(projectSection, hardwarePart),
    extend(folderImporter, givenHardware),
    extend(hardwareRule, checkModules),
    extend(subnetSource, (ctx) => ctx.read(subnets).values()),
    extend(systemConstantSource, hardwareConstants),
  ],
})
