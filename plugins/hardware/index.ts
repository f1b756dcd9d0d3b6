/** The hardware of stations: racks, modules, addresses, networks. */
import { definePlugin, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import type { Station } from './model.ts'
import { moduleOperations } from './module-operations.ts'
import { hardwareSlice } from './station.ts'

export type {
  Attribute,
  Channel,
  CommunicationInterface,
  ConfiguredConnection,
  ConnectionEnd,
  DeviceItem,
  DeviceItemKind,
  HardwareNode,
  Identity,
  IoAddress,
  IoType,
  Port,
  PortReference,
  Station,
  SubnetData,
  TopologyLink,
} from './model.ts'
export {
  type InterfaceType,
  type IoSize,
  type ModuleSource,
  type ModuleType,
  moduleSource,
  type SubmoduleType,
} from './module-type.ts'
export {
  connectionRemoved,
  connectionSet,
  connections,
  linkRemoved,
  linkSet,
  moduleRemoved,
  moduleSet,
  stationSet,
  stations,
  subnetDeleted,
  subnetSet,
  subnets,
  topologyLinks,
} from './station.ts'

/** The hardware of a device: as stored, else as the catalog has it. See stations.ts. */
export async function stationOf(ctx: Pick<QueryContext, 'read' | 'extensions'>, device: Device): Promise<Station> {
  return (await import('./stations.ts')).stationOf(ctx, device)
}

export default definePlugin({
  name: 'hardware',
  version: '1.0.0',
  description: 'Hardware of stations: racks, modules, I/O addresses, networks.',
  requires: ['projects', 'devices', 'tags'],
  slice: hardwareSlice,
  operations: [...moduleOperations],
})
