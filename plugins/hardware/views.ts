/** Hardware as shown to clients. */
import { defined, type SchemaBuilder } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { bytesOf } from './addresses/addresses.ts'
import { channelsOfStation, type PlacedChannel } from './addresses/channels.ts'
import type { Identifiers } from './addresses/identifiers.ts'
import type { Attribute, DeviceItem, IoAddress, Station } from './model.ts'
import { placeText } from './modules/slots.ts'
import { convertedName, profinetName } from './networks/profinet-name.ts'
import { addressFields, type ItemView, parameterValues } from './station-schema.ts'

/** A module of a station in short: what plugging and changing answer. */
export const moduleFields = (t: SchemaBuilder) => ({
  name: t.String(),
  id: t.String(),
  typeName: t.String(),
  orderNumber: t.Optional(t.String()),
  typeIdentifier: t.Optional(t.String()),
  firmware: t.Optional(t.String()),
  kind: t.Optional(t.String({ description: 'As in the catalog: DI, AQ, PS, CM …' })),
  rack: t.Integer(),
  slot: t.Integer(),
  subslot: t.Optional(t.Integer({ description: 'Of a board or BusAdapter in a module.' })),
  position: t.String({ description: '4, 1.3 for a board in slot 1, 1/4 in rack 1.' }),
  addresses: t.Array(addressFields(t)),
  comment: t.Optional(t.String()),
  parameters: t.Optional(parameterValues(t)),
})

function addressView(one: IoAddress) {
  return {
    ioType: one.ioType,
    startAddress: one.start,
    endAddress: one.start + bytesOf(one) - 1,
    length: one.length,
  }
}

function ownAddresses(item: DeviceItem): IoAddress[] {
  // Boards in a CPU are modules of their own.
  const parts = item.items.filter(({ builtIn }) => builtIn).flatMap(ownAddresses)
  return [...(item.addresses ?? []), ...parts]
}

/** The number in a type identifier: `6ES7 131-6BH01-0BA0`. */
function orderNumberOf({ typeIdentifier }: Pick<DeviceItem, 'typeIdentifier'>): string | undefined {
  return /^OrderNumber:([^/]+)/.exec(typeIdentifier ?? '')?.[1]
}

/** A plugged item; `place` is where it is. */
export function moduleView(item: DeviceItem, place: { rack: number; slot: number; subslot?: number }) {
  const { name, id, typeName = '', typeIdentifier, firmware, moduleKind, comment, parameters } = item
  return {
    name,
    id,
    typeName,
    ...defined({ orderNumber: orderNumberOf(item), typeIdentifier, firmware, kind: moduleKind, comment, parameters }),
    ...place,
    position: placeText(place),
    addresses: ownAddresses(item).map(addressView),
  }
}

/** All plugged items of a station with their places. */
export function modulesOf(station: Station) {
  return station.racks.flatMap((rack) =>
    rack.items.flatMap((module) => [
      { item: module, place: { rack: rack.position, slot: module.position } },
      ...module.items
        .filter(({ builtIn }) => !builtIn)
        .map((item) => ({
          item,
          place: { rack: rack.position, slot: module.position, subslot: item.position },
        })),
    ]),
  )
}

/** The place of an item; slot 0 of a rack. */
export function placeOf(station: Station, id: string) {
  const rack = station.racks.find((one) => one.id === id)?.position ?? 0
  return modulesOf(station).find(({ item }) => item.id === id)?.place ?? { rack, slot: 0 }
}

/** The whole tree of a device: see `hardware.details`. */
export function stationView(
  device: Device,
  station: Station,
  tags: (address: string) => readonly string[],
  identifiers: Identifiers,
) {
  const channels = new Map<string, PlacedChannel[]>()
  for (const one of channelsOfStation(station)) {
    const list = channels.get(one.submodule.id) ?? []
    list.push(one)
    channels.set(one.submodule.id, list)
  }
  const view = (item: DeviceItem): ItemView => {
    const { interface: one } = item
    return {
      name: item.name,
      id: item.id,
      itemKind: item.kind,
      position: item.position,
      builtIn: item.builtIn,
      ...defined({
        typeIdentifier: item.typeIdentifier,
        orderNumber: orderNumberOf(item),
        typeName: item.typeName,
        firmware: item.firmware,
        role: item.role,
        kind: item.moduleKind,
        hardwareIdentifier: identifiers.of(device, item),
        comment: item.comment,
      }),
      addresses: (item.addresses ?? []).map(addressView),
      channels: (channels.get(item.id) ?? []).map((channel) => channelView(channel, tags)),
      parameters: item.parameters ?? {},
      attributes: (item.attributes ?? []).map(attributeView),
      ...(one === undefined ? {} : { interface: interfaceView(device, item, one, identifiers) }),
      items: item.items.map(view),
    }
  }
  return {
    id: station.id,
    name: station.name,
    typeIdentifier: station.typeIdentifier,
    groups: [...station.groups],
    ...defined({ comment: station.comment }),
    attributes: (station.attributes ?? []).map(attributeView),
    racks: station.racks.map(view),
  }
}

function attributeView({ name, value, type, attributes }: Attribute): Attribute {
  return { name, ...defined({ value, type }), ...(attributes ? { attributes: attributes.map(attributeView) } : {}) }
}

/** A channel with its address and the tags on it. */
export function channelView(
  { channel, name, address, byte, bit }: PlacedChannel,
  tags: (address: string) => readonly string[],
) {
  return {
    name,
    type: channel.kind,
    ioType: channel.ioType,
    number: channel.number,
    length: channel.length,
    ...defined({ address, byte, bit }),
    tags: address === undefined ? [] : [...tags(address)],
  }
}

function interfaceView(
  device: Device,
  item: DeviceItem,
  one: NonNullable<DeviceItem['interface']>,
  identifiers: Identifiers,
) {
  const network = device.network?.interfaces.find(({ name }) => name === one.network)
  const isEthernet = one.type === 'Ethernet'
  const name = isEthernet ? profinetName(device, item.name, network) : undefined
  const { ioSystem, deviceOf } = network ?? {}
  return {
    label: one.label,
    type: one.type,
    /** Name for configure-network. */
    interface: one.network,
    ...defined({
      ipAddress: network?.ipAddress,
      subnetMask: network?.subnetMask,
      gateway: network?.routerAddress,
      subnet: network?.subnet,
      busAddress: network?.busAddress,
      ipProtocol: network?.ipProtocol,
      profinetName: name,
      profinetNameConverted: name === undefined ? undefined : convertedName(name),
    }),
    ...(ioSystem === undefined ? {} : { ioSystem: { ...ioSystem } }),
    ...(deviceOf === undefined ? {} : { deviceOf: { ...deviceOf } }),
    node: { id: one.node.id, name: one.node.name, attributes: (one.node.attributes ?? []).map(attributeView) },
    ports: one.ports.map(({ id, name: port, label, position, builtIn, attributes }) => ({
      id,
      name: port,
      label,
      position,
      builtIn,
      ...defined({ hardwareIdentifier: identifiers.ofPort({ id }) }),
      attributes: (attributes ?? []).map(attributeView),
    })),
  }
}
