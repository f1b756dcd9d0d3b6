/** The stations of the open project, and the address space that each lies in. */
import type { CommandContext, QueryContext } from '../../core/index.ts'
import { problem } from '../../core/index.ts'
import {
  type CatalogEntry,
  type Device,
  type DeviceInterface,
  devices,
  profinetLabels,
  requireAnyEntry,
  requireCatalogEntry,
} from '../devices/index.ts'
import { comesWithAdapter, defaultStation } from './editing/build.ts'
import type { DeviceItem, Station } from './model.ts'
import { familyOf, type ModuleType, moduleSource, moduleTypeOf } from './modules/module-type.ts'
import { classNameOf } from './modules/slots.ts'
import { stations } from './station.ts'

type Context = Pick<QueryContext | CommandContext, 'read' | 'extensions' | 'files' | 'gateway'>

/** The BusAdapter that comes with an ET 200SP interface module in TIA Portal's catalog: 2xRJ45. */
const usualAdapter = '6ES7 193-6AR00-0AA0'

/**
 * The type of an order number or GSD identifier.
 * @param stationType type identifier of the station that a person wants the module for: the order number of a maker is
 *   taken too then, first of the modules of the station's own GSD file
 * @throws GatewayError `not_found` with the nearest entries, or what is to be done about a GSD file;
 *   `unacceptable_content` for an access point, which is a device; `conflict` for a number that several modules have
 */
export async function requireModuleType(
  ctx: Context,
  identifier: string,
  stationType?: string,
): Promise<{ type: ModuleType; firmware: string | undefined }> {
  if (/^GSD:/i.test(identifier)) {
    for (const source of ctx.extensions(moduleSource)) {
      const type = await source.find(ctx, identifier)
      if (type) return { type, firmware: undefined }
    }
    const { entry } = await requireAnyEntry(ctx, identifier)
    throw problem('unacceptable_content', `${entry.orderNumber} (${entry.typeName}) is a device, not a module.`, {
      suggestion: 'POST /api/projects/devices/actions/add-sync { orderNumber } makes a device of it.',
    })
  }
  const own = /^GSD:[^/]+\//i.exec(stationType ?? '')?.[0].toLowerCase() ?? 'gsd:'
  const fits = (one: CatalogEntry) => one.orderNumber.toLowerCase().startsWith(own) && one.kind === 'GSD'
  const { entry, firmware } =
    stationType === undefined ? await requireCatalogEntry(identifier) : await requireAnyEntry(ctx, identifier, { fits })
  if (/^GSD:/i.test(entry.orderNumber)) return requireModuleType(ctx, entry.orderNumber)
  return { type: moduleTypeOf(entry), firmware }
}

/** The type of a plugged item; undefined when no source knows it. */
export async function typeOfItem(ctx: Context, item: DeviceItem): Promise<ModuleType | undefined> {
  if (item.typeIdentifier === undefined) return undefined
  try {
    return (await requireModuleType(ctx, item.typeIdentifier)).type
  } catch {
    return undefined
  }
}

/** Class of the station of a device, see slots.ts; undefined: it takes no modules, or only those of its GSD file. */
export function classNameOfDevice({ family, kind }: Pick<Device, 'family' | 'kind'>): string | undefined {
  return classNameOf(familyOf(family), kind === 'PLC')
}

/**
 * The hardware of a device: as it was stored, else as the catalog has it. Its CPU or head module is always named like
 * the device.
 */
export async function stationOf(ctx: Context, device: Device): Promise<Station> {
  const stored = ctx.read(stations).get(device.id)
  if (stored) return named(stored, device)
  const { type } = await requireDeviceType(device)
  return defaultStation(
    device,
    type,
    comesWithAdapter(type) ? (await requireModuleType(ctx, usualAdapter)).type : undefined,
  )
}

/** A device whose order number no catalog has (from a project) is a station without I/O. */
async function requireDeviceType(device: Device): Promise<{ type: ModuleType }> {
  const { orderNumber, typeName, family, kind, typeIdentifier } = device
  const labels = profinetLabels(device)
  try {
    const { entry } = await requireCatalogEntry(orderNumber)
    return { type: moduleTypeOf({ ...entry, typeName }, labels) }
  } catch {
    const interfaces = labels.map((label) => ({ label, type: 'Ethernet' as const, ports: 1 }))
    return {
      type: {
        typeIdentifier,
        orderNumber,
        typeName,
        family: familyOf(family),
        kind: kind === 'PLC' ? 'CPU' : kind === 'IO' ? 'IM' : kind,
        firmware: [],
        submodules: [],
        interfaces,
      },
    }
  }
}

/** The station with the present name of its device on the CPU or head module. */
export function named(station: Station, { name }: Device): Station {
  const racks = station.racks.map((rack) => ({
    ...rack,
    items: rack.items.map((item) => (item.role === undefined || item.name === name ? item : { ...item, name })),
  }))
  return { ...station, racks }
}

/** The interface with which a device belongs to an IO system as a device. */
export function deviceInterfaceOf({ network }: Pick<Device, 'network'>): DeviceInterface | undefined {
  return network?.interfaces.find(({ ioSystem }) => ioSystem?.role === 'device')
}

const same = (a: string | undefined, b: string | undefined) => (a ?? '').toLowerCase() === (b ?? '').toLowerCase()

/** The controller of the IO system that a device belongs to. */
export function controllerOf(ctx: Pick<Context, 'read'>, device: Device): Device | undefined {
  const own = deviceInterfaceOf(device)
  if (!own?.ioSystem) return undefined
  for (const other of ctx.read(devices).values())
    for (const { ioSystem, subnet } of other.network?.interfaces ?? [])
      if (ioSystem?.role === 'controller' && same(ioSystem.name, own.ioSystem.name) && same(subnet, own.subnet))
        return other
  return undefined
}

/** A device and those with which it shares I/O addresses: its controller, and all devices of that. */
export function spaceOf(ctx: Pick<Context, 'read'>, device: Device): { owner: Device; members: Device[] } {
  const owner = controllerOf(ctx, device) ?? device
  const systems = (owner.network?.interfaces ?? []).filter(({ ioSystem }) => ioSystem?.role === 'controller')
  const keys = new Set(systems.map(({ ioSystem, subnet }) => keyOf(ioSystem?.name, subnet)))
  const members = [...ctx.read(devices).values()].filter(
    ({ id, network }) =>
      id === owner.id ||
      (network?.interfaces ?? []).some(
        ({ ioSystem, subnet }) => ioSystem?.role === 'device' && keys.has(keyOf(ioSystem.name, subnet)),
      ),
  )
  return { owner, members: members.some(({ id }) => id === device.id) ? members : [...members, device] }
}

function keyOf(system: string | undefined, subnet: string | undefined): string {
  return `${subnet?.toLowerCase() ?? ''}\n${system?.toLowerCase()}`
}
