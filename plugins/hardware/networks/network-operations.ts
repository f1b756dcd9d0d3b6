/** The operations on subnets, IO systems, topology and connections. Their implementation is loaded on first use. */
import {
  command,
  defined,
  del,
  get,
  type Operation,
  post,
  put,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { type Device, devices } from '../../devices/index.ts'
import { requireProject } from '../../projects/index.ts'
import { deviceName, toolset } from '../declarations.ts'
import { connections, topologyLinks } from '../station.ts'

const subnetFields = (t: SchemaBuilder) => ({ name: t.String(), id: t.String(), type: t.String() })
const subnetName = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 200, description: 'Name of the subnet.' })

const listSubnets = query({
  id: 'hardware.subnets',
  title: 'List the subnets of the project with their nodes',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({
      subnets: t.Array(
        t.Object({
          ...subnetFields(t),
          nodes: t.Array(
            t.Object({
              device: t.String(),
              interface: t.String(),
              ipAddress: t.Optional(t.String()),
              busAddress: t.Optional(t.Integer()),
            }),
          ),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/projects/subnets')],
  mcp: { toolset },
  async run(input, ctx) {
    requireProject(ctx)
    const { allSubnets } = await import('./networks.ts')
    const nodes = new Map<string, { device: string; interface: string; ipAddress?: string; busAddress?: number }[]>()
    for (const device of ctx.read(devices).values())
      for (const { name, subnet, ipAddress, busAddress } of device.network?.interfaces ?? []) {
        if (subnet === undefined) continue
        const list = nodes.get(subnet.toLowerCase()) ?? []
        nodes.set(subnet.toLowerCase(), list)
        list.push({
          device: device.name,
          interface: name,
          ...defined({ ipAddress, busAddress }),
        })
      }
    const all = allSubnets(ctx).filter(({ name }) => name.toLowerCase().includes(input.q?.toLowerCase() ?? ''))
    const { page, ...rest } = rankedPage(all, { limit: input.limit ?? 1000, cursor: input.cursor }, 'n')
    return {
      subnets: page.map(({ id, name, type }) => ({ name, id, type, nodes: nodes.get(name.toLowerCase()) ?? [] })),
      ...rest,
    }
  },
})

const createSubnet = command({
  id: 'hardware.create-subnet',
  title: 'Create a subnet',
  description: 'An interface that is connected to a new name makes an Ethernet subnet too; here the type is chosen.',
  input: (t) =>
    t.Object({
      name: subnetName(t),
      type: t.Optional(t.Enum(['Ethernet', 'Profibus', 'Mpi', 'Asi'], { description: 'Default: Ethernet.' })),
    }),
  output: (t) => t.Object(subnetFields(t)),
  http: [post('/api/projects/subnets')],
  mcp: { toolset },
  needsInstance: true,
  async run({ name, type }, ctx) {
    requireProject(ctx)
    const subnet = (await import('./networks.ts')).createSubnet(ctx, name, type ?? 'Ethernet')
    return { name: subnet.name, id: subnet.id, type: subnet.type }
  },
})

const renameSubnet = command({
  id: 'hardware.rename-subnet',
  title: 'Rename a subnet',
  description: 'Its interfaces stay connected.',
  input: (t) => t.Object({ subnetName: subnetName(t), newName: t.String({ minLength: 1, maxLength: 200 }) }),
  output: (t) => t.Object({ oldName: t.String(), ...subnetFields(t) }),
  http: [put('/api/projects/subnets/{subnetName}')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { newName: ['name'] },
  async run({ subnetName, newName }, ctx) {
    requireProject(ctx)
    const { before, after } = (await import('./networks.ts')).renameSubnet(ctx, subnetName, newName)
    return { oldName: before.name, name: after.name, id: after.id, type: after.type }
  },
})

const deleteSubnet = command({
  id: 'hardware.delete-subnet',
  title: 'Delete a subnet',
  description: 'Its interfaces keep their addresses and are disconnected; its IO systems end.',
  input: (t) => t.Object({ subnetName: subnetName(t) }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), disconnected: t.Array(t.String()) }),
  http: [del('/api/projects/subnets/{subnetName}')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  async run({ subnetName: name }, ctx) {
    requireProject(ctx)
    const { subnet, disconnected } = (await import('./networks.ts')).deleteSubnet(ctx, name)
    return { name: subnet.name, deleted: true, disconnected }
  },
})

const assign = command({
  id: 'hardware.assign-io-controller',
  title: 'Assign an IO device to an IO controller',
  description:
    'PROFINET, or PROFIBUS when the interfaces are such. Both are connected to one subnet; the controller gets an IO system when it has none; the device gets a number and, on PROFIBUS, an address. I/O addresses that the controller has given to others are changed and told in addressChanges.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      controller: t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC.' }),
      interface: t.Optional(t.String({ maxLength: 200, description: 'Of the device; default: its first.' })),
      controllerInterface: t.Optional(t.String({ maxLength: 200, description: 'Default: the first of that type.' })),
      deviceNumber: t.Optional(t.Integer({ minimum: 1, maximum: 32_767, description: 'Default: the next free.' })),
      busAddress: t.Optional(
        t.Integer({ minimum: 0, maximum: 126, description: 'On PROFIBUS; default: the next free.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      controller: t.String(),
      ioSystem: t.String(),
      ioSystemNumber: t.Optional(t.Integer()),
      deviceNumber: t.Integer(),
      subnet: t.String(),
      addressChanges: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/actions/assign-io-controller'),
    post('/api/devices/{deviceName}/actions/assign-io-controller-async', 'async'),
  ],
  mcp: { toolset },
  needsInstance: true,
  aliases: { controller: ['controllerName', 'ioController', 'plc'] },
  example: { deviceName: 'IO device_1', controller: 'PLC_1' },
  async run(input, ctx) {
    return (await import('./networks.ts')).assignController(ctx, input)
  },
})

const release = command({
  id: 'hardware.release-io-controller',
  title: 'Take an IO device out of its IO system',
  description: 'It stays in the subnet, with its I/O addresses.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object({ deviceName: t.String(), ioSystem: t.String(), released: t.Boolean() }),
  http: [post('/api/devices/{deviceName}/actions/release-io-controller')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    return (await import('./networks.ts')).releaseController(ctx, input.deviceName)
  },
})

const linkFields = (t: SchemaBuilder) => ({
  id: t.String(),
  device: t.String(),
  port: t.String({ description: 'X1 P1 R.' }),
  partner: t.String(),
  partnerPort: t.String(),
})

const topology = query({
  id: 'hardware.topology',
  title: 'List the topology links of the project',
  description: 'Which port is connected to which.',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({ links: t.Array(t.Object(linkFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/projects/topology')],
  mcp: { toolset },
  async run(input, ctx) {
    requireProject(ctx)
    const { portLabels } = await import('./infrastructure.ts')
    const labels = await portLabels(ctx)
    const all = [...ctx.read(topologyLinks).values()].map(({ id, a, b }) => ({
      id,
      device: nameOf(ctx.read(devices).get(a.deviceId)),
      port: labels.get(a.portId) ?? '',
      partner: nameOf(ctx.read(devices).get(b.deviceId)),
      partnerPort: labels.get(b.portId) ?? '',
    }))
    const wanted = input.q?.toLowerCase() ?? ''
    const found = all.filter(({ device, partner }) => `${device}\n${partner}`.toLowerCase().includes(wanted))
    const { page, ...rest } = rankedPage(found, { limit: input.limit ?? 1000, cursor: input.cursor }, 't')
    return { links: page, ...rest }
  },
})

const nameOf = (device: Device | undefined) => device?.name ?? ''

const link = command({
  id: 'hardware.link-ports',
  title: 'Connect two ports',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      port: t.String({ minLength: 1, maxLength: 100, description: 'X1 P1, or its id.' }),
      partner: t.String({ minLength: 1, maxLength: 200, description: 'Name of the other device.' }),
      partnerPort: t.String({ minLength: 1, maxLength: 100 }),
    }),
  output: (t) => t.Object(linkFields(t)),
  http: [post('/api/projects/topology/links')],
  mcp: { toolset },
  needsInstance: true,
  aliases: { deviceName: ['device'], partner: ['partnerDevice'] },
  example: { deviceName: 'PLC_1', port: 'X1 P1', partner: 'IO device_1', partnerPort: 'X1 P1' },
  async run(input, ctx) {
    const { linkPorts } = await import('./networks.ts')
    return linkPorts(ctx, input, { deviceName: input.partner, port: input.partnerPort })
  },
})

const unlink = command({
  id: 'hardware.unlink-ports',
  title: 'Disconnect two ports',
  input: (t) => t.Object({ linkId: t.String({ minLength: 1, maxLength: 100 }) }),
  output: (t) => t.Object({ id: t.String(), removed: t.Boolean() }),
  http: [del('/api/projects/topology/links/{linkId}')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    requireProject(ctx)
    return (await import('./networks.ts')).unlinkPorts(ctx, input.linkId)
  },
})

const connectionFields = (t: SchemaBuilder) => ({
  name: t.String(),
  id: t.String(),
  type: t.String(),
  device: t.String(),
  interface: t.String(),
  partner: t.Optional(t.String({ description: 'Absent: not in the project.' })),
  partnerInterface: t.Optional(t.String()),
  partnerAddress: t.Optional(t.String()),
  active: t.Boolean({ description: 'The device establishes it.' }),
  localId: t.Integer({ description: 'ID of GET, PUT, BSEND … in the program of the device: 256 is W#16#100.' }),
  partnerId: t.Optional(t.Integer({ description: 'ID in the program of the partner.' })),
})

const listConnections = query({
  id: 'hardware.connections',
  title: 'List the configured connections of the project',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({
      connections: t.Array(t.Object(connectionFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/projects/connections')],
  mcp: { toolset },
  async run(input, ctx) {
    requireProject(ctx)
    const { connectionView } = await import('./infrastructure.ts')
    const wanted = input.q?.toLowerCase() ?? ''
    const all = [...ctx.read(connections).values()].filter(({ name }) => name.toLowerCase().includes(wanted))
    const { page, ...rest } = rankedPage(all, { limit: input.limit ?? 1000, cursor: input.cursor }, 'c')
    return { connections: page.map((one) => connectionView(ctx, one)), ...rest }
  },
})

const createConnection = command({
  id: 'hardware.create-connection',
  title: 'Configure an S7 connection',
  description:
    'Between two devices of the project, or with a partner address outside. IO devices have no S7 connections. It gets the next free local ID from 16#100.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      partner: t.Optional(t.String({ maxLength: 200, description: 'Name of the other device.' })),
      partnerAddress: t.Optional(t.String({ format: 'ipv4', description: 'Of a partner that is not in the project.' })),
      interface: t.Optional(t.String({ maxLength: 200 })),
      partnerInterface: t.Optional(t.String({ maxLength: 200 })),
      name: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
      active: t.Optional(t.Boolean({ description: 'Default: true.' })),
    }),
  output: (t) => t.Object(connectionFields(t)),
  http: [post('/api/projects/connections')],
  mcp: { toolset },
  needsInstance: true,
  aliases: { deviceName: ['device'], partner: ['partnerDevice'] },
  async run(input, ctx) {
    const [{ createConnection: create }, { connectionView }] = await Promise.all([
      import('./connections.ts'),
      import('./infrastructure.ts'),
    ])
    return connectionView(ctx, await create(ctx, input))
  },
})

const deleteConnection = command({
  id: 'hardware.delete-connection',
  title: 'Delete a configured connection',
  input: (t) => t.Object({ connectionName: t.String({ minLength: 1, maxLength: 200 }) }),
  output: (t) => t.Object({ name: t.String(), id: t.String(), deleted: t.Boolean() }),
  http: [del('/api/projects/connections/{connectionName}')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    requireProject(ctx)
    return (await import('./connections.ts')).deleteConnection(ctx, input.connectionName)
  },
})

export const networkOperations: readonly Operation[] = [
  listSubnets,
  createSubnet,
  renameSubnet,
  deleteSubnet,
  assign,
  release,
  topology,
  link,
  unlink,
  listConnections,
  createConnection,
  deleteConnection,
]
