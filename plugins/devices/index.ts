/** Devices of the project, and the hardware catalog. */
import { type CommandContext, definePlugin, extend } from '../../core/index.ts'
import { type ProjectSection, projectSection } from '../projects/index.ts'
import type { NewDevice } from './add.ts'
import type { CatalogMatch } from './catalog/catalog.ts'
import type { CatalogContext, MakerChoice } from './catalog/catalog-access.ts'
import { catalogOperations } from './catalog/catalog-operations.ts'
import { catalogSource } from './catalog/catalog-source.ts'
import type { CatalogEntry } from './catalog/entry.ts'
import { type Device, type DeviceKind, deviceSlice, devices } from './device.ts'
import { hardwareRule } from './network/hardware-check.ts'
import { infrastructureOf } from './network/network.ts'
import { networkOperations } from './network/network-operations.ts'
import { subnetSource } from './network/subnet-source.ts'
import { deviceOperations, deviceView } from './operations.ts'

export { type CatalogSource, catalogSource, type SourceContext } from './catalog/catalog-source.ts'
export { cpuMemoryOf, shortagesOf, shortageText } from './catalog/cpu-memory.ts'
export type { CatalogEntry } from './catalog/entry.ts'
export {
  creationTime,
  type Device,
  type DeviceInterface,
  type DeviceKind,
  device,
  deviceAdded,
  deviceChanged,
  deviceDeleted,
  deviceFolder,
  deviceKinds,
  deviceRenamed,
  devices,
  findDevice,
  interfaceRemoved,
  networkConfigured,
  requireDevice,
  requirePlc,
} from './device.ts'
export { requireFreeName as requireFreeDeviceName } from './names.ts'
export { type HardwareFault, type HardwareRule, hardwareFaults, hardwareRule } from './network/hardware-check.ts'
export { disconnected, profinetLabels, takenAddresses } from './network/interfaces.ts'
export {
  addressInSubnetFault,
  defaultSubnetMask,
  hostFault,
  maskFault,
  routerFault,
  subnetsOverlap,
} from './network/ipv4.ts'
export { type SubnetSource, subnetSource } from './network/subnet-source.ts'

/**
 * Adds a device to the open project, like `POST /api/projects/devices/actions/add`; importers use it.
 * @throws GatewayError see `addDevice` in add.ts
 */
export async function addDevice(
  ctx: CommandContext,
  input: NewDevice,
): Promise<{ device: Device; warnings: string[] }> {
  return (await import('./add.ts')).addDevice(ctx, input)
}

/** All entries of the hardware catalog. */
export async function catalogEntries(): Promise<readonly CatalogEntry[]> {
  return (await import('./catalog/catalog.ts')).hardwareCatalog.entries()
}

/** The catalog entry of an order number in any spelling; undefined when there is none. */
export async function findCatalogEntry(orderNumber: string): Promise<CatalogMatch | undefined> {
  return (await import('./catalog/catalog.ts')).hardwareCatalog.find(orderNumber)
}

/** The kind of device that a catalog entry makes. */
export async function deviceKindOf(entry: CatalogEntry): Promise<DeviceKind> {
  return (await import('./add.ts')).kindOf(entry)
}

/** What is wrong with the name of a device, or undefined. */
export { deviceNameFault } from './names.ts'

/** The catalog entry of an order number; see `requireCatalogEntry` in catalog-access.ts. */
export async function requireCatalogEntry(orderNumber: string): Promise<CatalogMatch> {
  return (await import('./catalog/catalog-access.ts')).requireCatalogEntry(orderNumber)
}

/** The same of GSD files too; see `requireAnyEntry` in catalog-access.ts. */
export async function requireAnyEntry(
  ctx: CatalogContext,
  orderNumber: string,
  choice?: MakerChoice,
): Promise<CatalogMatch> {
  return (await import('./catalog/catalog-access.ts')).requireAnyEntry(ctx, orderNumber, choice)
}

const devicePart: ProjectSection = {
  name: 'devices',
  order: 10,
  folders: ['devices/*/device.json'],
  async save(ctx) {
    return (await import('./files.ts')).writeDevices(ctx)
  },
  async load(ctx, _project, files) {
    return (await import('./files.ts')).readDevices(ctx, files)
  },
  listDevices: (ctx) => [...ctx.read(devices).values()].filter((device) => !device.unplaced).map(deviceView),
  overview(ctx, deviceId) {
    const device = ctx.read(devices).get(deviceId)
    return device ? { deviceItems: [{ name: device.name, typeIdentifier: device.typeIdentifier }] } : {}
  },
  infrastructure: (ctx) => infrastructureOf(ctx.read(devices).values()),
  searchKinds: ['device'],
  search: (ctx) =>
    [...ctx.read(devices).values()].map(({ name, typeName, orderNumber, family, kind }) => ({
      kind: 'device',
      name,
      device: name,
      text: `${typeName} ${orderNumber} ${family} ${kind}`,
    })),
}

export default definePlugin({
  name: 'devices',
  version: '1.0.0',
  description:
    'Devices of the project: add by order number, list, rename, set the address, delete; the hardware catalog.',
  requires: ['projects'],
  slice: deviceSlice,
  operations: [...deviceOperations, ...networkOperations, ...catalogOperations],
  extensionPoints: [catalogSource, hardwareRule, subnetSource],
  extensions: [extend(projectSection, devicePart)],
})
