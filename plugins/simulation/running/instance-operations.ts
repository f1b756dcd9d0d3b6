/** Operations on instances: create, list, show, delete, configuration, network. */
import { rm } from 'node:fs/promises'
import { command, defined, del, get, type Operation, post, problem, put, query } from '../../../core/index.ts'
import {
  configAliases,
  configFields,
  configSchema,
  instanceAliases,
  instanceFields,
  instanceName,
  networkFields,
} from '../declarations.ts'
import { createInstance } from '../instances/create.ts'
import {
  instanceConfigured,
  instanceDeleted,
  instancePortSet,
  instances,
  interfaceLimit,
  networkConfigured,
  requireFreePort,
  requireInstance,
  stateChanged,
  takenAddresses,
} from '../instances/instance.ts'
import { configView, controllerOptions, readConfig } from '../instances/instance-config.ts'
import type { NetworkInput, NetworkInterface } from '../instances/network.ts'
import { runtimeOf, wrongState } from './runtime.ts'
import { instanceView } from './views.ts'

type Builder = Parameters<Operation['input']>[0]

const portNumber = (t: Builder, description: string) => t.Integer({ minimum: 1, maximum: 65_535, description })

/** Interfaces in a request: a list, or the fields of one. */
/** The network of an instance: a list, or the fields of one interface. */
export const networkInput = (t: Builder) => ({
  network: t.Optional(
    t.Array(
      t.Object({
        interface: t.Optional(
          t.String({ minLength: 1, maxLength: 20, description: 'X1, X2 …; default: by position.' }),
        ),
        ipAddress: t.String({ description: 'IPv4; no other instance may have it.' }),
        subnetMask: t.Optional(t.String({ description: 'Default 255.255.255.0.' })),
        gateway: t.Optional(
          t.Union([t.String(), t.Null()], {
            description: 'Default gateway, inside the subnet. null or 0.0.0.0: none.',
          }),
        ),
      }),
      { maxItems: interfaceLimit },
    ),
  ),
  ipAddress: t.Optional(t.String({ description: 'Instead of `network`: the address of one interface.' })),
  subnetMask: t.Optional(t.String({ description: 'With `ipAddress`.' })),
  gateway: t.Optional(t.Union([t.String(), t.Null()], { description: 'With `ipAddress`.' })),
  interface: t.Optional(t.String({ minLength: 1, maxLength: 20, description: 'With `ipAddress`: which; default X1.' })),
})

export const networkAliases = {
  network: ['interfaces', 'ipSuites'],
  ipAddress: ['ip', 'ipAddr', 'controllerIP'],
  subnetMask: ['mask', 'netmask'],
  gateway: ['defaultGateway', 'routerAddress'],
  interface: ['interfaceName', 'interfaceId'],
} as const

interface NetworkRequest {
  readonly network?: readonly NetworkInput[] | undefined
  readonly ipAddress?: string | undefined
  readonly subnetMask?: string | undefined
  readonly gateway?: string | null | undefined
  readonly interface?: string | undefined
}

/**
 * Returns the interfaces that a request describes. The fields of one interface change only that interface.
 * @throws GatewayError `invalid_input` when both forms are used, or for a mask without address
 */
export function wantedNetwork(
  input: NetworkRequest,
  before: readonly NetworkInterface[],
): readonly NetworkInput[] | undefined {
  const { network, ipAddress, subnetMask, gateway } = input
  const single = { ipAddress, subnetMask, gateway, interface: input.interface }
  const given = Object.entries(single).find(([, value]) => value !== undefined)?.[0]
  if (network !== undefined) {
    if (given === undefined) return network
    const message = 'cannot be given beside `network`'
    throw problem('invalid_input', `/${given}: ${message}`, { errors: [{ path: `/${given}`, message }] })
  }
  if (given === undefined) return undefined
  const label = input.interface ?? 'X1'
  const old = before.find((each) => each.interface.toUpperCase() === label.toUpperCase())
  const address = ipAddress ?? old?.ipAddress
  if (address === undefined) {
    const message = `is missing: interface ${label} has none yet`
    throw problem('invalid_input', `/ipAddress: ${message}`, { errors: [{ path: '/ipAddress', message }] })
  }
  const changed: NetworkInput = {
    interface: old?.interface ?? label,
    ipAddress: address,
    subnetMask: subnetMask ?? old?.subnetMask,
    gateway: gateway === undefined ? old?.gateway : gateway,
  }
  return old ? before.map((each) => (each === old ? changed : each)) : [...before, changed]
}

const create = command({
  id: 'simulation.create-instance',
  title: 'Create a virtual controller',
  description:
    'It is Off then; power it on. The CPU is given by `orderNumber` or by `cpuType`: a name of the catalog (`CPU 1515-2 PN`), short (`CPU1515`, `CPU1512SPF`) or `CPU1500_Unspecified` (the default, takes any S7-1500 program). Its memory card is a folder in the workspace; one that exists already is used with what is on it.',
  input: (t) =>
    t.Object({
      name: t.String({
        minLength: 1,
        maxLength: 200,
        description: 'Up to 63 characters, unique without regard to case.',
      }),
      cpuType: t.Optional(t.String({ maxLength: 200 })),
      orderNumber: t.Optional(t.String({ maxLength: 200 })),
      ...networkInput(t),
      config: t.Optional(t.Object(configFields(t))),
      storagePath: t.Optional(t.String({ minLength: 1, description: 'Default: simulation/instances/<name>.' })),
      communicationPort: t.Optional(portNumber(t, 'TCP port on which it alone speaks S7 while it is on.')),
    }),
  output: (t) => t.Object(instanceFields(t)),
  http: [post('/api/simulation/instances/create'), post('/api/simulation/instances')],
  mcp: { toolset: 'simulation' },
  aliases: {
    name: instanceAliases,
    cpuType: ['cpu', 'cpuTypeName', 'plcType', 'type'],
    orderNumber: ['articleNumber', 'typeIdentifier'],
    storagePath: ['storage'],
    communicationPort: ['port', 's7Port'],
    ...networkAliases,
  },
  example: { name: 'PLC_1', cpuType: 'CPU1515', ipAddress: '192.168.0.1' },
  async run(input, ctx) {
    const { name, cpuType, orderNumber, config, storagePath, communicationPort } = input
    const network = wantedNetwork(input, [])
    const instance = await createInstance(ctx, {
      name,
      cpuType,
      orderNumber,
      network,
      config,
      storagePath,
      communicationPort,
    })
    return instanceView(ctx, instance)
  },
})

const list = query({
  id: 'simulation.list-instances',
  title: 'List the virtual controllers',
  live: true,
  input: (t) => t.Object({ q: t.Optional(t.String({ description: 'Only those whose name contains this text.' })) }),
  output: (t) => t.Object({ instances: t.Array(t.Object(instanceFields(t))), total: t.Integer() }),
  http: [get('/api/simulation/instances')],
  mcp: { toolset: 'simulation' },
  async run({ q = '' }, ctx) {
    const wanted = [...ctx.read(instances).values()].filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    const views = await Promise.all(wanted.map((instance) => instanceView(ctx, instance)))
    return { instances: views, total: views.length }
  },
})

const show = query({
  id: 'simulation.get-instance',
  title: 'Show a virtual controller',
  live: true,
  input: (t) => t.Object({ name: instanceName(t) }),
  output: (t) => t.Object({ ...instanceFields(t), config: t.Object(configSchema(t)) }),
  http: [get('/api/simulation/instances/{name}')],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  async run({ name }, ctx) {
    const instance = requireInstance(ctx, name)
    return { ...(await instanceView(ctx, instance)), config: configView(instance.config) }
  },
})

const remove = command({
  id: 'simulation.delete-instance',
  title: 'Delete a virtual controller',
  description:
    'It must be Off (409); with `force: true` it is powered off first. A storage folder that the gateway chose is removed, one that was given with `storagePath` stays; `deleteStorage` says otherwise.',
  live: true,
  lasting: 'Virtual controllers are no part of the project.',
  changes: '/api/simulation/instances/{name}/config',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      force: t.Optional(t.Boolean({ description: 'Power it off first.' })),
      deleteStorage: t.Optional(
        t.Boolean({ description: 'Remove its memory card with all that is on it, or keep it.' }),
      ),
    }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), storageDeleted: t.Boolean() }),
  http: [del('/api/simulation/instances/{name}')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { name: instanceAliases },
  async run({ name: wanted, force, deleteStorage }, ctx) {
    const instance = requireInstance(ctx, wanted)
    const { name } = instance
    const runtime = runtimeOf(ctx.gateway)
    const before = runtime.stateOf(instance)
    if (before !== 'Off') {
      if (!force) throw wrongState(before, `Deleting instance "${name}"`, 'it must be Off, or give force: true')
      if (!ctx.dryRun) {
        const controller = await runtime.controllerOf(instance)
        await runtime.asked(controller, () => controller.change('powerOff', ctx.signal))
      }
      ctx.emit(stateChanged, { name, transition: 'powerOff', before, after: 'Off' }, `instance/${name}`)
    }
    const storageDeleted = deleteStorage ?? instance.ownsStorage
    if (!ctx.dryRun) {
      await runtime.forget(name)
      if (storageDeleted) await rm(await ctx.files.resolve(instance.storage), { recursive: true, force: true })
    }
    ctx.emit(instanceDeleted, { name }, `instance/${name}`)
    return { name, deleted: true, storageDeleted }
  },
})

const configOutput = (t: Builder) =>
  t.Object({
    name: t.String(),
    ...configSchema(t),
    communicationPort: t.Optional(t.Integer()),
    cpuType: t.String(),
    orderNumber: t.String(),
    storagePath: t.String(),
  })

const readConfiguration = query({
  id: 'simulation.get-instance-config',
  title: 'Read the configuration of a virtual controller',
  input: (t) => t.Object({ name: instanceName(t) }),
  output: configOutput,
  http: [get('/api/simulation/instances/{name}/config')],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  async run({ name }, ctx) {
    const instance = requireInstance(ctx, name)
    const { communicationPort, cpuType, orderNumber } = instance
    return {
      name: instance.name,
      ...configView(instance.config),
      ...defined({ communicationPort }),
      cpuType,
      orderNumber,
      storagePath: await ctx.files.resolve(instance.storage),
    }
  },
})

const configure = command({
  id: 'simulation.configure-instance',
  title: 'Change the configuration of a virtual controller',
  description:
    'What is left out stays. Cycle times, time mode, clock and system memory bytes and cyclic interrupts hold at once, also while it runs; start-up behaviour, start time, time zone, retentive flags and communication port from the next power-on.',
  live: true,
  lasting: 'Virtual controllers are no part of the project.',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      ...configFields(t),
      communicationPort: t.Optional(
        t.Union([portNumber(t, ''), t.Null()], { description: 'TCP port on which it alone speaks S7; null: none.' }),
      ),
    }),
  output: configOutput,
  http: [put('/api/simulation/instances/{name}/config')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { name: instanceAliases, ...configAliases, communicationPort: ['port', 's7Port'] },
  example: { name: 'PLC_1', maximumCycleTimeMs: 200, clockMemoryByte: 0 },
  async run({ name: wanted, communicationPort: port, ...input }, ctx) {
    const instance = requireInstance(ctx, wanted)
    const { name } = instance
    const config = readConfig(input, instance.config)
    const runtime = runtimeOf(ctx.gateway)
    if (typeof port === 'number') requireFreePort(ctx, port, '/communicationPort', name)
    const storagePath = await ctx.files.resolve(instance.storage)
    if (!ctx.dryRun) {
      const controller = await runtime.controllerOf(instance)
      // What is pulled is no part of the configuration.
      const { pulledModules } = controller.options
      const options = controllerOptions(instance, storagePath, config)
      await controller.configure({ ...options, ...(pulledModules ? { pulledModules } : {}) })
    }
    if (port !== undefined)
      ctx.emit(instancePortSet, { name, ...(port === null ? {} : { communicationPort: port }) }, `instance/${name}`)
    ctx.emit(instanceConfigured, { name, config }, `instance/${name}`)
    const communicationPort = port === undefined ? instance.communicationPort : (port ?? undefined)
    return {
      name,
      ...configView(config),
      ...defined({ communicationPort }),
      cpuType: instance.cpuType,
      orderNumber: instance.orderNumber,
      storagePath,
    }
  },
})

const networkOutput = (t: Builder) => t.Object({ name: t.String(), network: t.Array(t.Object(networkFields(t))) })

const readNetworkSettings = query({
  id: 'simulation.get-instance-network',
  title: 'Read the network settings of a virtual controller',
  input: (t) => t.Object({ name: instanceName(t) }),
  output: networkOutput,
  http: [get('/api/simulation/instances/{name}/network')],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  run({ name }, ctx) {
    const instance = requireInstance(ctx, name)
    return { name: instance.name, network: instance.network.map((each) => ({ ...each })) }
  },
})

const setNetwork = command({
  id: 'simulation.set-instance-network',
  title: 'Change the network settings of a virtual controller',
  description:
    'Either `network`, which replaces all interfaces, or the fields of one interface, which changes that one. They hold at once: a device is reachable under the address of the instance that is powered on. Masks must be contiguous, gateways inside the subnet, addresses unique over all instances, and interfaces in subnets of their own.',
  input: (t) => t.Object({ name: instanceName(t), ...networkInput(t) }),
  output: networkOutput,
  http: [put('/api/simulation/instances/{name}/network')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { name: instanceAliases, ...networkAliases },
  example: { name: 'PLC_1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0' },
  async run({ name: wanted, ...input }, ctx) {
    const instance = requireInstance(ctx, wanted)
    const asked = wantedNetwork(input, instance.network)
    if (asked === undefined) {
      const message = 'is missing: give all interfaces, or ipAddress, subnetMask, gateway of one'
      throw problem('invalid_input', `/network: ${message}`, { errors: [{ path: '/network', message }] })
    }
    const { readNetwork } = await import('../instances/network.ts')
    const network = readNetwork(asked, takenAddresses(ctx, instance.name))
    ctx.emit(networkConfigured, { name: instance.name, network }, `instance/${instance.name}`)
    return { name: instance.name, network }
  },
})

export const instanceOperations: readonly Operation[] = [
  create,
  list,
  show,
  remove,
  readConfiguration,
  configure,
  readNetworkSettings,
  setNetwork,
]
