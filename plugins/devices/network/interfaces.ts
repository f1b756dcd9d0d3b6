/** PROFINET interfaces of devices: their labels, and the network of a new device. */
import type { SliceReader } from '../../../core/index.ts'
import { type Device, type DeviceInterface, type DeviceNetwork, devices } from '../device.ts'
import { defaultSubnetMask, ipv4, ipv4Text, looseIpv4 } from './ipv4.ts'

type Type = Pick<Device, 'kind' | 'typeName' | 'family'>

/**
 * Labels of the PROFINET interfaces of a type, starting with the first. Empty when it has none.
 *
 * Source: the equipment manuals of the CPUs. The names of S7-1500 and ET 200SP CPUs contain the number of interfaces;
 * the PROFIBUS interface is the last of them (`1516-3 PN/DP`: X1, X2 and DP on X3). On S7-300 CPUs PROFINET comes last,
 * after MPI/DP (`315-2 PN/DP`: X2); on S7-400 CPUs it is X5. The Drive Controller has X150, X127 and X130. Other
 * devices: X1.
 */
export function profinetLabels({ kind, typeName, family }: Type): string[] {
  if (kind !== 'PLC') return /\bDP variant\b/.test(typeName) ? [] : ['X1']
  if (/Drive Controller/.test(family)) return ['X150', 'X127', 'X130']
  const [, named = '1', fieldbus = ''] = /-(\d) (PN(?:\/DP)?|DP)\b/.exec(typeName) ?? []
  const count = Number(named)
  if (/S7-[34]00/.test(family)) {
    if (!/\bPN\b/.test(typeName)) return []
    return [/S7-400/.test(family) ? 'X5' : `X${count}`]
  }
  const ofFirstClass = /\bCPU 15\d\d/.test(typeName) ? count - (fieldbus === 'PN/DP' ? 1 : 0) : 1
  return Array.from({ length: Math.max(1, ofFirstClass) }, (_, i) => `X${i + 1}`)
}

/** Only Ethernet carries IP here. An interface without a type is Ethernet. */
export function isEthernet({ subnetType }: Pick<DeviceInterface, 'subnetType'>): boolean {
  return subnetType === undefined || /^(ethernet|profinet)$/i.test(subnetType)
}

/** The interface without its connections: in no subnet and no IO system. It keeps its addresses. */
export function disconnected(one: DeviceInterface): DeviceInterface {
  const { subnet: _, subnetType, ioSystem: __, deviceOf: ___, ...rest } = one
  return { ...rest, ...(isEthernet(one) || subnetType === undefined ? {} : { subnetType }) }
}

/** TIA Portal's first address, 192.168.0.1, and the end (exclusive) of the last subnet, 192.168.255.0. */
const firstAddress = ipv4('192.168.0.1')!
const endOfAddresses = ipv4('192.168.255.255')!

/** The next address of 192.168.0.0/16 that no interface and no router of the project has, in subnets of 254 hosts. */
function freeAddress(ctx: { read: SliceReader }): string | undefined {
  const taken = new Set<number | undefined>()
  for (const { network } of ctx.read(devices).values()) {
    for (const { ipAddress, routerAddress } of network?.interfaces ?? [])
      taken.add(looseIpv4(ipAddress ?? '')).add(looseIpv4(routerAddress ?? ''))
  }
  for (let bits = firstAddress; bits < endOfAddresses; bits++) {
    const host = bits % 256
    if (host !== 0 && host !== 255 && !taken.has(bits)) return ipv4Text(bits)
  }
  return undefined
}

/**
 * The network of a new PLC or HMI device: its first PROFINET interface with TIA Portal's address, 192.168.0.1 /
 * 255.255.255.0, or the next free one in the project. It is not connected to a subnet. Undefined for other kinds of
 * devices, without PROFINET, and when no address is free.
 */
export function newNetwork(ctx: { read: SliceReader }, type: Type): DeviceNetwork | undefined {
  if (type.kind !== 'PLC' && type.kind !== 'HMI') return undefined
  const [name] = profinetLabels(type)
  const ipAddress = name === undefined ? undefined : freeAddress(ctx)
  if (name === undefined || ipAddress === undefined) return undefined
  return { interfaces: [{ name, ipAddress, subnetMask: defaultSubnetMask }] }
}

/** An interface in the subnet of another interface. Interfaces without a subnet count as one subnet. */
export interface Neighbor {
  readonly holder: Device
  readonly one: DeviceInterface
}

/** The Ethernet interfaces of the project in the subnet of an interface, without the interface itself. */
export function neighborsOf(ctx: { read: SliceReader }, device: Device, own: DeviceInterface): Neighbor[] {
  const place = ({ subnet }: DeviceInterface) => subnet?.toLowerCase() ?? ''
  return [...ctx.read(devices).values()].flatMap((holder) =>
    (holder.network?.interfaces ?? [])
      .filter((one) => isEthernet(one) && place(one) === place(own))
      .filter((one) => holder.id !== device.id || one.name !== own.name)
      .map((one) => ({ holder, one })),
  )
}

/** A sentence for each address of the device that another interface of the project already has. */
export function takenAddresses(ctx: { read: SliceReader }, device: Device): string[] {
  return (device.network?.interfaces ?? []).filter(isEthernet).flatMap((own) => {
    const address = looseIpv4(own.ipAddress ?? '')
    if (address === undefined) return []
    const taken = neighborsOf(ctx, device, own).find(({ one }) => looseIpv4(one.ipAddress ?? '') === address)
    if (!taken) return []
    const where = own.subnet === undefined ? '' : ` in subnet "${own.subnet}"`
    return [
      `${own.ipAddress} of "${device.name}" (${own.name}) is also the address of "${taken.holder.name}" (${taken.one.name})${where}: give one of them another.`,
    ]
  })
}
