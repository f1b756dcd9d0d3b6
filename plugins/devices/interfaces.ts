/** PROFINET interfaces of devices: which there are, and what a new device gets. */
import type { SliceReader } from '../../core/index.ts'
import { type Device, type DeviceInterface, type DeviceNetwork, devices } from './device.ts'
import { defaultSubnetMask, ipv4, ipv4Text, looseIpv4 } from './ipv4.ts'

type Type = Pick<Device, 'kind' | 'typeName' | 'family'>

/**
 * Labels of the PROFINET interfaces of a type, the first one first. Empty: it has none.
 *
 * Source: the equipment manuals of the CPUs. S7-1500 and ET 200SP CPUs say the number of their interfaces in the name, the PROFIBUS interface
 * being the last of them (`1516-3 PN/DP`: X1, X2 and DP on X3). On S7-300 CPUs PROFINET comes last, behind MPI/DP (`315-2 PN/DP`: X2); on
 * S7-400 CPUs it is X5. The Drive Controller has X150, X127 and X130. Other devices: X1.
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

/** Ethernet is what carries IP here; what says nothing is Ethernet. */
export function isEthernet({ subnetType }: Pick<DeviceInterface, 'subnetType'>): boolean {
  return subnetType === undefined || /^(ethernet|profinet)$/i.test(subnetType)
}

/** 192.168.0.1, where TIA Portal begins, and behind the last address of 192.168.255.0. */
const firstAddress = ipv4('192.168.0.1')!
const endOfAddresses = ipv4('192.168.255.255')!

/** The next address of 192.168.0.0/16 that no interface and no router of the project has, subnets of 254 hosts one after the other. */
export function freeAddress(ctx: { read: SliceReader }): string | undefined {
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
 * What a new PLC or HMI device has: its first PROFINET interface with TIA Portal's address, 192.168.0.1 / 255.255.255.0, or the next that is
 * free in the project. Connected to no subnet. `undefined`: a device of another kind, without PROFINET, or no address is left.
 */
export function newNetwork(ctx: { read: SliceReader }, type: Type): DeviceNetwork | undefined {
  if (type.kind !== 'PLC' && type.kind !== 'HMI') return undefined
  const [name] = profinetLabels(type)
  const ipAddress = name === undefined ? undefined : freeAddress(ctx)
  if (name === undefined || ipAddress === undefined) return undefined
  return { interfaces: [{ name, ipAddress, subnetMask: defaultSubnetMask }] }
}

/** An interface beside another in its subnet. Interfaces without a subnet count as those of one. */
export interface Neighbor {
  readonly holder: Device
  readonly one: DeviceInterface
}

/** The Ethernet interfaces of the project in the subnet of an interface, itself left out. */
export function neighborsOf(ctx: { read: SliceReader }, device: Device, own: DeviceInterface): Neighbor[] {
  const place = ({ subnet }: DeviceInterface) => subnet?.toLowerCase() ?? ''
  return [...ctx.read(devices).values()].flatMap((holder) =>
    (holder.network?.interfaces ?? [])
      .filter((one) => isEthernet(one) && place(one) === place(own))
      .filter((one) => holder.id !== device.id || one.name !== own.name)
      .map((one) => ({ holder, one })),
  )
}

/** Addresses that a device came with although another interface of the project has them, each as a sentence. */
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
