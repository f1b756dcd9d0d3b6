/** Subnets and IO systems, collected from the interfaces of the devices. */
import type { Infrastructure, IoSystem, NetworkNode, Subnet } from '../projects/index.ts'
import type { Device } from './device.ts'

/** The connections of the devices' interfaces, by name of subnet and IO system. The case of names is ignored. */
export function infrastructureOf(devices: Iterable<Device>): Infrastructure {
  const subnets = new Map<string, Subnet & { nodes: NetworkNode[] }>()
  const ioSystems = new Map<string, { -readonly [K in keyof IoSystem]: IoSystem[K] } & { devices: string[] }>()
  for (const device of devices) {
    for (const { name, ipAddress, subnetMask, subnet, subnetType, ioSystem } of device.network?.interfaces ?? []) {
      if (subnet !== undefined) {
        const key = subnet.toLowerCase()
        const known = subnets.get(key) ?? { name: subnet, type: subnetType ?? 'Ethernet', nodes: [] }
        subnets.set(key, known)
        known.nodes.push({
          device: device.name,
          interface: name,
          ...(ipAddress === undefined ? {} : { ipAddress }),
          ...(subnetMask === undefined ? {} : { subnetMask }),
        })
      }
      if (ioSystem) {
        const key = ioSystem.name.toLowerCase()
        const known = ioSystems.get(key) ?? { name: ioSystem.name, devices: [] }
        ioSystems.set(key, known)
        if (ioSystem.number !== undefined) known.number ??= ioSystem.number
        if (subnet !== undefined) known.subnet ??= subnet
        if (ioSystem.role === 'controller') known.controller = device.name
        else known.devices.push(device.name)
      }
    }
  }
  // A controller and its IO devices are what the network data connects; S7 and HMI connections are not part of projects.
  const connections = [...ioSystems.values()].flatMap(({ name, controller, subnet, devices: partners }) =>
    controller === undefined
      ? []
      : partners.map((partner) => ({
          name: `${controller} - ${partner}`,
          type: 'PROFINET IO',
          device: controller,
          partner,
          ioSystem: name,
          ...(subnet === undefined ? {} : { subnet }),
        })),
  )
  return { subnets: [...subnets.values()], connections, ioSystems: [...ioSystems.values()] }
}
