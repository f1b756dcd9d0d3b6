/** What `infrastructure` answers of the project's networks, and the names of ports and connections. */
import type { SliceReader } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { devices } from '../../devices/index.ts'
import type { Infrastructure } from '../../projects/index.ts'
import { itemsOf } from '../addresses/addresses.ts'
import type { ConfiguredConnection } from '../model.ts'
import { connections, stations, subnets, topologyLinks } from '../station.ts'

type Reader = { readonly read: SliceReader }

/** `X1 P1 R` by the id of the port. Ports with a link are in stored stations. */
export async function portLabels(ctx: Reader): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  for (const station of ctx.read(stations).values())
    for (const { item } of itemsOf(station))
      for (const port of item.interface?.ports ?? []) labels.set(port.id, `${item.interface?.network} ${port.label}`)
  return labels
}

/** A configured connection with the names of its devices. */
export function connectionView(ctx: Reader, one: ConfiguredConnection) {
  const { id, name, type, local, partner, partnerAddress, active, localId, partnerId } = one
  const nameOf = (deviceId: string) => ctx.read(devices).get(deviceId)?.name ?? ''
  return {
    name,
    id,
    type,
    device: nameOf(local.deviceId),
    interface: local.interface,
    ...(partner === undefined ? {} : { partner: nameOf(partner.deviceId), partnerInterface: partner.interface }),
    ...defined({ partnerAddress }),
    active,
    localId,
    ...defined({ partnerId }),
  }
}

/**
 * What the hardware adds to the networks that the interfaces of the devices name (plugins/devices): subnets without
 * nodes, configured connections, topology links.
 */
export async function infrastructureOf(ctx: Reader): Promise<Infrastructure> {
  const named = new Set<string>()
  for (const device of ctx.read(devices).values())
    for (const { subnet } of device.network?.interfaces ?? []) if (subnet) named.add(subnet.toLowerCase())
  const empty = [...ctx.read(subnets).values()].filter(({ name }) => !named.has(name.toLowerCase()))
  const labels = await portLabels(ctx)
  const nameOf = (deviceId: string) => ctx.read(devices).get(deviceId)?.name ?? ''
  return {
    subnets: empty.map(({ name, type }) => ({ name, type, nodes: [] })),
    ioSystems: [],
    connections: [
      ...[...ctx.read(connections).values()].map((one) => {
        const { name, type, device, partner, partnerAddress } = connectionView(ctx, one)
        return { name, type, device, partner: partner ?? partnerAddress ?? '' }
      }),
      ...[...ctx.read(topologyLinks).values()].map(({ a, b }) => {
        const [device, partner] = [nameOf(a.deviceId), nameOf(b.deviceId)]
        return {
          name: `${device} ${labels.get(a.portId) ?? ''} - ${partner} ${labels.get(b.portId) ?? ''}`,
          type: 'Topology',
          device,
          partner,
        }
      }),
    ],
  }
}
