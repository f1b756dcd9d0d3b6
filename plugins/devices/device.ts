/** Devices of the open project: their type, their collection in the state, and their events. */
import {
  type CommandContext,
  collection,
  domainEvent,
  endsOwner,
  notFound,
  on,
  ownedBy,
  ownerKind,
  problem,
  type Slice,
  type SliceReader,
} from '../../core/index.ts'
import { fileNameOf, modifiesProject, project, projectClosed, requireProject } from '../projects/index.ts'

/** Kinds of devices. */
export const deviceKinds = ['PLC', 'HMI', 'IO', 'Drive', 'Switch', 'Other'] as const
/** Kind of a device. */
export type DeviceKind = (typeof deviceKinds)[number]

/** One PROFINET/PROFIBUS interface of a device (CAx AML: CommunicationInterface with its Node). */
export interface DeviceInterface {
  /** Label, for example `X1`. */
  readonly name: string
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly routerAddress?: string
  readonly profinetDeviceName?: string
  /** Name of the subnet it is connected to. */
  readonly subnet?: string
  /** Ethernet (default), Profibus, Mpi, Asi. */
  readonly subnetType?: string
  /** Address on PROFIBUS or MPI, 0 to 126. */
  readonly busAddress?: number
  /** Where its address comes from: Project (default), Dhcp, ViaUserProgram … (CAx AML: IpProtocolSelection). */
  readonly ipProtocol?: string
  /** The IO system (PROFIBUS: DP master system) that it controls or belongs to. */
  readonly ioSystem?: {
    readonly name: string
    /** Number of the IO system, for example 100. */
    readonly number?: number
    readonly role: 'controller' | 'device'
    /** Number of this device in the IO system; a controller has none. */
    readonly deviceNumber?: number
  }
  /** Of a controller that is a device in another IO system, too (I-device). */
  readonly deviceOf?: { readonly name: string; readonly deviceNumber?: number }
}

/** Network data of a device. */
export interface DeviceNetwork {
  readonly interfaces: readonly DeviceInterface[]
}

/** A device (station with its CPU, panel, head module …). Times in ms since the epoch. */
export interface Device {
  readonly id: string
  readonly name: string
  /** As in catalogs: `6ES7 515-2AM02-0AB0`. */
  readonly orderNumber: string
  /** For example `V2.9`; empty when unknown. */
  readonly firmware: string
  /** For example `OrderNumber:6ES7 515-2AM02-0AB0/V2.9`. */
  readonly typeIdentifier: string
  /** For example `CPU 1515-2 PN`. */
  readonly typeName: string
  /** For example `S7-1500`. */
  readonly family: string
  readonly kind: DeviceKind
  /** True when the device is in the parking lot. */
  readonly unplaced: boolean
  readonly createdAt: number
  readonly network?: DeviceNetwork
}

/**
 * Owner of collections that belong to a device, by its id: their entries are deleted with the device or the project.
 */
export const device = ownerKind('devices.device', 'devices.devices')

/** Key: the device's id. Index `byName`: the name in lower case. */
export const devices = collection<Device>('devices.devices', { byName: (device) => device.name.toLowerCase() }, [
  ownedBy(project),
])

/** The newest `createdAt` that each running command knows or has given. */
const newest = new WeakMap<CommandContext, number>()

/**
 * `createdAt` of a device that is made now: later than that of all others. Files of a project know the order of its
 * devices by it, and an import makes thousands in one millisecond: they are looked at once for a command.
 */
export function creationTime(ctx: CommandContext): number {
  let before = newest.get(ctx)
  if (before === undefined) {
    before = ctx.now - 1
    for (const { createdAt } of ctx.read(devices).values()) before = Math.max(before, createdAt)
  }
  const time = before + 1
  newest.set(ctx, time)
  return time
}

export const deviceAdded = domainEvent<Device>('devices.added', 'A device was added')
export const deviceRenamed = domainEvent<{ id: string; oldName: string; newName: string }>(
  'devices.renamed',
  'A device was renamed',
)
/**
 * An interface was configured: `after` is the whole interface. `before` is its previous state (null when the device had
 * no such entry), for an undo.
 */
export const networkConfigured = domainEvent<{
  id: string
  name: string
  before: DeviceInterface | null
  after: DeviceInterface
}>('devices.network-configured', 'An interface of a device got another address, router or name')
/** An interface is gone: its module was unplugged. */
export const interfaceRemoved = domainEvent<{ id: string; before: DeviceInterface }>(
  'devices.interface-removed',
  'An interface of a device was removed',
)
/** Its type, its network, or whether it is in the parking lot changed at once: an import replaced or parked it. */
export const deviceChanged = domainEvent<{ before: Device; after: Device }>(
  'devices.changed',
  'A device was replaced or parked by an import',
)
/** A device was deleted, together with the objects that belong to it. */
export const deviceDeleted = domainEvent<{ id: string; name: string }>('devices.deleted', 'A device was deleted')

/** The plugin's part of the state. */
export const deviceSlice: Slice = {
  version: 1,
  collections: [devices],
  reductions: [
    on(deviceAdded, (write, device) => write(devices).set(device.id, device)),
    on(deviceRenamed, (write, { id, newName }) =>
      write(devices).update(id, (device) => {
        device.name = newName
      }),
    ),
    on(networkConfigured, (write, { id, after }) => {
      write(devices).update(id, (device) => {
        device.network ??= { interfaces: [] }
        const { interfaces } = device.network
        const at = interfaces.findIndex(({ name }) => name === after.name)
        interfaces.splice(at < 0 ? interfaces.length : at, 1, after)
      })
    }),
    on(interfaceRemoved, (write, { id, before }) => {
      write(devices).update(id, (device) => {
        if (device.network)
          device.network.interfaces = device.network.interfaces.filter(({ name }) => name !== before.name)
      })
    }),
    on(deviceChanged, (write, { after }) => write(devices).set(after.id, after)),
    on(deviceDeleted, (write, { id }) => write(devices).delete(id)),
    ...modifiesProject(deviceAdded, deviceRenamed, networkConfigured, interfaceRemoved, deviceChanged, deviceDeleted),
  ],
  endings: [endsOwner(deviceDeleted, device, ({ id }) => id), endsOwner(projectClosed, device)],
}

/** Finds the device with this name (ignoring case), placed or not. */
export function findDevice(ctx: { read: SliceReader }, name: string): Device | undefined {
  return ctx.read(devices).find('byName', name.toLowerCase())[0]
}

/**
 * Returns the device with this name (ignoring case).
 * @throws GatewayError `no_project`, `not_found` with the nearest name
 */
export function requireDevice(ctx: { read: SliceReader }, name: string): Device {
  requireProject(ctx)
  const device = findDevice(ctx, name)
  if (!device) {
    const names = [...ctx.read(devices).values()].map((other) => other.name)
    throw notFound('device', name, names)
  }
  return device
}

/**
 * Returns the PLC with this name (ignoring case).
 * @throws GatewayError `no_project`, `not_found`, `conflict` when the device has no CPU
 */
export function requirePlc(ctx: { read: SliceReader }, name: string): Device {
  const device = requireDevice(ctx, name)
  if (device.kind !== 'PLC') {
    const plcs = [...ctx.read(devices).values()].filter(({ kind }) => kind === 'PLC').map((plc) => `"${plc.name}"`)
    const others = plcs.length > 0 ? `The PLCs of the project: ${plcs.join(', ')}.` : 'The project has no PLC.'
    throw problem('conflict', `Device "${device.name}" (${device.typeName}) is not a PLC: ${device.kind}. ${others}`)
  }
  return device
}

/** The folder of a device in the project tree: `devices/PLC_1`. */
export function deviceFolder(device: Pick<Device, 'name'>): string {
  return `devices/${fileNameOf(device.name)}`
}
