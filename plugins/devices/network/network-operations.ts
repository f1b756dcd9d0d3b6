/** The operation that sets a device's address. */
import { command, defined, type Operation, post, type SchemaBuilder } from '../../../core/index.ts'
import type { DeviceInterface } from '../device.ts'

/** An interface as shown to clients. */
export const interfaceFields = (t: SchemaBuilder) => ({
  interface: t.String({ description: 'Label, e.g. X1.' }),
  ipAddress: t.Optional(t.String()),
  subnetMask: t.Optional(t.String()),
  gateway: t.Optional(t.String({ description: 'Router. Absent: none.' })),
  profinetName: t.Optional(t.String({ description: 'PROFINET device name. Absent: TIA Portal makes one.' })),
  subnet: t.Optional(t.String({ description: 'Name of the subnet it is connected to. Absent: none.' })),
})

/** The view of an interface; fields without a value are absent. */
export function interfaceView({
  name,
  ipAddress,
  subnetMask,
  routerAddress,
  profinetDeviceName,
  subnet,
}: DeviceInterface) {
  return {
    interface: name,
    ...defined({ ipAddress, subnetMask, gateway: routerAddress, profinetName: profinetDeviceName, subnet }),
  }
}

const orNone = (t: SchemaBuilder, description: string, maxLength: number) =>
  t.Optional(t.Union([t.String({ maxLength }), t.Null()], { description }))

const configureNetwork = command({
  id: 'devices.configure-network',
  title: 'Set IP address and subnet mask of a device',
  description:
    'Of one PROFINET interface, with router, subnet and PROFINET device name. What is not given stays as it is; at least one field is needed. The address must be that of a host of its subnet, the router in the same subnet, and no other interface of the project that is connected to the same subnet (or, like this one, to none) may have the address: 409 names the holder. A new PLC or HMI device has 192.168.0.1 or the next that is free. Going online uses these addresses.',
  input: (t) =>
    t.Object({
      deviceName: t.String({ minLength: 1, maxLength: 200, description: 'Name of the device; case does not matter.' }),
      interface: t.Optional(
        t.String({ maxLength: 100, description: 'Label, e.g. X1. Default: the first PROFINET interface.' }),
      ),
      ipAddress: t.Optional(t.String({ maxLength: 100, description: 'IPv4, e.g. 192.168.0.1.' })),
      subnetMask: t.Optional(t.String({ maxLength: 100, description: 'Default: the one it has, else 255.255.255.0.' })),
      gateway: orNone(t, 'Router, inside the subnet. null or 0.0.0.0: none.', 100),
      subnet: orNone(t, 'Name of the subnet to connect to, e.g. PN/IE_1; a new name makes one. null: none.', 1000),
      profinetName: orNone(t, 'PROFINET device name. null: TIA Portal makes one.', 1000),
    }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      ...interfaceFields(t),
      changed: t.Boolean({ description: 'false: it was so before.' }),
    }),
  http: [
    post('/api/devices/{deviceName}/actions/configure-network-sync'),
    post('/api/devices/{deviceName}/actions/configure-network', 'async'),
  ],
  mcp: { toolset: 'devices', destructive: true },
  needsInstance: true,
  aliases: {
    interface: ['interfaceName'],
    ipAddress: ['ip', 'address'],
    subnetMask: ['mask', 'netmask'],
    gateway: ['routerAddress', 'router', 'defaultGateway'],
    subnet: ['subnetName'],
    profinetName: ['profinetDeviceName', 'pnDeviceName'],
  },
  example: { deviceName: 'PLC_1', ipAddress: '192.168.0.10', subnetMask: '255.255.255.0' },
  async run({ deviceName, ...change }, ctx) {
    const { configureNetwork } = await import('./configure-network.ts')
    const { device, interface: one, changed } = configureNetwork(ctx, deviceName, change)
    return { deviceName: device.name, ...interfaceView(one), changed }
  },
})

export const networkOperations: readonly Operation[] = [configureNetwork]
