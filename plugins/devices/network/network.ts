/** Subnets and IO systems, collected from the interfaces of the devices. */
import { defined } from '../../../core/index.ts'
import type { Infrastructure, IoSystem, NetworkNode, Subnet } from '../../projects/index.ts'
import type { Device } from '../device.ts'

interface Growing {
  isBus: boolean
  devices: string[]
  members: IoSystem['members'][number][]
}

/** The connections of the devices' interfaces, by name of subnet and IO system. The case of names is ignored. */
export function infrastructureOf(devices: Iterable<Device>): Infrastructure {
  const subnets = new Map<string, Subnet & { nodes: NetworkNode[] }>()
  const ioSystems = new Map<string, { -readonly [K in keyof IoSystem]: IoSystem[K] } & Growing>()
  for (const device of devices) {
    for (const one of device.network?.interfaces ?? []) {
      const { name, ipAddress, subnetMask, subnet, subnetType, ioSystem, busAddress, profinetDeviceName } = one
      if (subnet !== undefined) {
        const key = subnet.toLowerCase()
        const known = subnets.get(key) ?? { name: subnet, type: subnetType ?? 'Ethernet', nodes: [] }
        subnets.set(key, known)
        known.nodes.push({
          device: device.name,
          interface: name,
          ...defined({ ipAddress, subnetMask, busAddress, profinetName: profinetDeviceName }),
        })
      }
      if (ioSystem) {
        const key = `${subnet?.toLowerCase() ?? ''}\n${ioSystem.name.toLowerCase()}`
        const isBus = subnetType === 'Profibus'
        const known = ioSystems.get(key) ?? { name: ioSystem.name, isBus, devices: [], members: [] }
        ioSystems.set(key, known)
        if (ioSystem.number !== undefined) known.number ??= ioSystem.number
        if (subnet !== undefined) known.subnet ??= subnet
        if (ioSystem.role === 'controller') known.controller = device.name
        else {
          known.devices.push(device.name)
          const { deviceNumber } = ioSystem
          known.members.push({ device: device.name, ...defined({ deviceNumber }) })
        }
      }
    }
  }
  // A controller and its IO devices; configured connections and topology links are those of plugins/hardware.
  const connections = [...ioSystems.values()].flatMap(({ name, isBus, controller, subnet, devices: partners }) =>
    controller === undefined
      ? []
      : partners.map((partner) => ({
          name: `${controller} - ${partner}`,
          type: isBus ? 'PROFIBUS DP' : 'PROFINET IO',
          device: controller,
          partner,
          ioSystem: name,
          ...defined({ subnet }),
        })),
  )
  const systems = [...ioSystems.values()].map(({ isBus: _, ...system }) => system)
  return { subnets: [...subnets.values()], connections, ioSystems: systems }
}
