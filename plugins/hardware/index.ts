/** The hardware of stations: racks, modules, addresses, networks. */
import { definePlugin } from '../../core/index.ts'
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
export { stationOf } from './stations.ts'

export default definePlugin({
  name: 'hardware',
  version: '1.0.0',
  description: 'Hardware of stations: racks, modules, I/O addresses, networks.',
  requires: ['projects', 'devices'],
  slice: hardwareSlice,
  operations: [],
})
