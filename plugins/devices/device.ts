/** Devices of the open project: their shape, their place in the state, and the events that change them. */
import {
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

export const deviceKinds = ['PLC', 'HMI', 'IO', 'Drive', 'Switch', 'Other'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** One PROFINET/PROFIBUS interface of a device (CAx AML: CommunicationInterface with its Node). */
export interface DeviceInterface {
  /** Label, e.g. `X1`. */
  readonly name: string
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly routerAddress?: string
  readonly profinetDeviceName?: string
  /** Name of the subnet it is connected to. */
  readonly subnet?: string
  /** Ethernet (default), Profibus, Mpi, Asi. */
  readonly subnetType?: string
  readonly ioSystem?: {
    readonly name: string
    readonly number?: number
    readonly role: 'controller' | 'device'
  }
}

/** Network data of a device. */
export interface DeviceNetwork {
  readonly interfaces: readonly DeviceInterface[]
}

/** A device (station with its CPU, panel, head module …). Times in ms since the epoch. */
export interface Device {
  readonly id: string
  readonly name: string
  /** As catalogs print it: `6ES7 515-2AM02-0AB0`. */
  readonly orderNumber: string
  /** `V2.9`; empty: not known. */
  readonly firmware: string
  /** `OrderNumber:6ES7 515-2AM02-0AB0/V2.9`. */
  readonly typeIdentifier: string
  /** `CPU 1515-2 PN`. */
  readonly typeName: string
  /** `S7-1500`. */
  readonly family: string
  readonly kind: DeviceKind
  /** In the parking lot. */
  readonly unplaced: boolean
  readonly createdAt: number
  readonly network?: DeviceNetwork
}

/** What collections with content of a device belong to, by the device's id: it goes with the device, and with the project. */
export const device = ownerKind('devices.device')

/** Key: the device's id. Index `byName`: the name in lower case. */
export const devices = collection<Device>('devices.devices', { byName: (device) => device.name.toLowerCase() }, [
  ownedBy(project),
])

export const deviceAdded = domainEvent<Device>('devices.added', 'A device was added')
export const deviceRenamed = domainEvent<{ id: string; oldName: string; newName: string }>(
  'devices.renamed',
  'A device was renamed',
)
/** One interface is now as `after` says, all of it. `before`: as it was, null: the device had no such entry; what an undo needs. */
export const networkConfigured = domainEvent<{
  id: string
  name: string
  before: DeviceInterface | null
  after: DeviceInterface
}>('devices.network-configured', 'An interface of a device got another address, router or name')
/** The device was deleted, and what belongs to it goes. */
export const deviceDeleted = domainEvent<{ id: string; name: string }>('devices.deleted', 'A device was deleted')

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
    on(deviceDeleted, (write, { id }) => write(devices).delete(id)),
    ...modifiesProject(deviceAdded, deviceRenamed, networkConfigured, deviceDeleted),
  ],
  endings: [endsOwner(deviceDeleted, device, ({ id }) => id), endsOwner(projectClosed, device)],
}

/** The device of this name (case ignored), placed or not. */
export function findDevice(ctx: { read: SliceReader }, name: string): Device | undefined {
  return ctx.read(devices).find('byName', name.toLowerCase())[0]
}

/**
 * The device of this name (case ignored).
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
 * The PLC of this name (case ignored).
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
