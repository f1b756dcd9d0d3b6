/** Devices of the project and the hardware catalog they come from. */
import { definePlugin } from '../../core/index.ts'
import { deviceSlice } from './device.ts'

export {
  type Device,
  type DeviceInterface,
  type DeviceKind,
  type DeviceNetwork,
  deviceAdded,
  deviceDeleted,
  deviceFolder,
  deviceKinds,
  deviceRenamed,
  devices,
  findDevice,
  requireDevice,
  requirePlc,
} from './device.ts'

export default definePlugin({
  name: 'devices',
  version: '1.0.0',
  description: 'Devices of the project: add by order number, list, rename, delete; the hardware catalog.',
  requires: ['projects'],
  slice: deviceSlice,
})
