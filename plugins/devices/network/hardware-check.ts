/**
 * Checks of compiling the hardware configuration, as far as the project contains the data: place, interfaces,
 * addresses, names, IO systems. Rules of addresses and names: PROFINET with STEP 7 function manual (IP addresses,
 * device names).
 */
import { extensionPoint, type QueryContext } from '../../../core/index.ts'
import { type Device, type DeviceInterface, devices } from '../device.ts'
import { isContiguousMask, isSameSubnet, looseIpv4, reservedAddress } from './ipv4.ts'

/** A fault of the hardware configuration; its code has an entry in the table of diagnostic codes. */
export interface HardwareFault {
  readonly code: HardwareCode
  readonly severity: 'error' | 'warning'
  /** Name of the interface or module. */
  readonly member?: string
  /** Slot of the module: `4`, `1.3`. */
  readonly slot?: string
  readonly message: string
  readonly hint?: string
}

export type HardwareCode =
  | 'hardware-unplaced'
  | 'hardware-ip-address'
  | 'hardware-subnet-mask'
  | 'hardware-router'
  | 'hardware-duplicate-ip'
  | 'hardware-duplicate-name'
  | 'hardware-io-system'
  | 'hardware-no-ip'
  | 'hardware-no-controller'
  | 'hardware-address-overlap'
  | 'hardware-missing-module'
  | 'hardware-firmware'
  | 'hardware-base-unit'

type Reader = Pick<QueryContext, 'read' | 'extensions'>

/** Finds faults of the hardware of a device. */
export type HardwareRule = (ctx: Reader, device: Device) => Promise<readonly HardwareFault[]>

/** Further checks of the hardware of a device; plugins/hardware has those of modules. */
export const hardwareRule = extensionPoint<HardwareRule>('devices.hardware-rules', {
  title: 'Rules for hardware',
  description: 'Finds faults in the hardware of a device beyond those of its network data. All rules run.',
  constant: 'hardwareRule',
  check: 'function',
  example: 'async (ctx, device) => []',
  formerly: 'devices.hardware-rule',
})

/** All faults of the hardware of a device: those of its network data, and those that other plugins find. */
export async function hardwareFaults(ctx: Reader, device: Device): Promise<HardwareFault[]> {
  const further = await Promise.all(ctx.extensions(hardwareRule).map((rule) => rule(ctx, device)))
  return [...checkHardware(ctx, device), ...further.flat()]
}

/** Checks a device, alone and with the other devices of its project. */
export function checkHardware(ctx: Pick<QueryContext, 'read'>, device: Device): HardwareFault[] {
  const faults: HardwareFault[] = []
  if (device.unplaced)
    faults.push({
      code: 'hardware-unplaced',
      severity: 'error',
      message: `"${device.name}" lies in the parking lot: it has no place in the project.`,
      hint: 'Add the device anew without unplaced.',
    })
  const own = device.network?.interfaces ?? []
  const others = [...ctx.read(devices).values()].filter(({ id }) => id !== device.id)
  for (const [i, one] of own.entries()) {
    faults.push(...addressFaults(one))
    const rest = [
      ...own.slice(i + 1).map((other) => ({ owner: device.name, other })),
      ...others.flatMap(({ name, network }) => (network?.interfaces ?? []).map((other) => ({ owner: name, other }))),
    ]
    for (const { owner, other } of rest) faults.push(...clashes(one, owner, other))
    faults.push(...ioSystemFaults(one, others))
  }
  return faults
}

function addressFaults({ name, ipAddress, subnetMask, routerAddress }: DeviceInterface): HardwareFault[] {
  const faults: HardwareFault[] = []
  const refuse = (code: HardwareCode, message: string, hint: string) =>
    faults.push({ code, severity: 'error', member: name, message, hint })
  const address = ipAddress === undefined ? undefined : looseIpv4(ipAddress)
  const mask = subnetMask === undefined ? undefined : looseIpv4(subnetMask)
  if (ipAddress !== undefined && address === undefined)
    refuse('hardware-ip-address', `"${ipAddress}" is no IP address.`, 'Write four numbers from 0 to 255: 192.168.0.1.')
  if (subnetMask !== undefined && (mask === undefined || !isContiguousMask(mask)))
    refuse('hardware-subnet-mask', `"${subnetMask}" is no subnet mask.`, 'For 254 devices: 255.255.255.0.')
  else if (address !== undefined && mask !== undefined) {
    if (reservedAddress(address, mask))
      refuse(
        'hardware-ip-address',
        `${ipAddress} is the address of the subnet itself or its broadcast address.`,
        'Choose an address between the two.',
      )
  }
  if (routerAddress !== undefined) {
    const router = looseIpv4(routerAddress)
    if (router === undefined)
      refuse('hardware-router', `"${routerAddress}" is no IP address.`, 'Write it like 192.168.0.254.')
    else if (
      address !== undefined &&
      mask !== undefined &&
      isContiguousMask(mask) &&
      !isSameSubnet(router, address, mask)
    )
      refuse(
        'hardware-router',
        `The router ${routerAddress} is not in the subnet of ${ipAddress} (mask ${subnetMask}).`,
        'A router lies in the same subnet as the interface.',
      )
  }
  return faults
}

/** Faults of two interfaces that have the same address or name in a subnet. */
function clashes(one: DeviceInterface, owner: string, other: DeviceInterface): HardwareFault[] {
  // Only interfaces in the same subnet conflict.
  if (one.subnet === undefined || one.subnet.toLowerCase() !== other.subnet?.toLowerCase()) return []
  const faults: HardwareFault[] = []
  const address = one.ipAddress === undefined ? undefined : looseIpv4(one.ipAddress)
  if (address !== undefined && other.ipAddress !== undefined && address === looseIpv4(other.ipAddress))
    faults.push({
      code: 'hardware-duplicate-ip',
      severity: 'error',
      member: one.name,
      message: `The IP address ${one.ipAddress} is also that of "${owner}" (${other.name}) in subnet "${one.subnet}".`,
      hint: 'Give each interface of a subnet an address of its own.',
    })
  const name = one.profinetDeviceName?.trim().toLowerCase()
  if (name && name === other.profinetDeviceName?.trim().toLowerCase())
    faults.push({
      code: 'hardware-duplicate-name',
      severity: 'error',
      member: one.name,
      message: `The PROFINET device name "${one.profinetDeviceName}" is also that of "${owner}" (${other.name}) in subnet "${one.subnet}".`,
      hint: 'PROFINET finds devices by their names: give each its own.',
    })
  return faults
}

/** An IO device whose controller is not in the project is never addressed. */
function ioSystemFaults({ name, ioSystem, subnet }: DeviceInterface, others: readonly Device[]): HardwareFault[] {
  if (ioSystem === undefined) return []
  const same = others.flatMap((device) =>
    (device.network?.interfaces ?? []).flatMap((other) =>
      other.ioSystem !== undefined && other.subnet?.toLowerCase() === subnet?.toLowerCase()
        ? [{ device, system: other.ioSystem }]
        : [],
    ),
  )
  const called = same.filter(({ system }) => system.name.toLowerCase() === ioSystem.name.toLowerCase())
  const controllers = called.filter(({ system }) => system.role === 'controller')
  if (ioSystem.role === 'device' && controllers.length === 0)
    return [
      {
        code: 'hardware-io-system',
        severity: 'warning',
        member: name,
        message: `IO system "${ioSystem.name}" has no controller in the project.`,
        hint: 'Add the controller, or take the device out of the IO system.',
      },
    ]
  if (ioSystem.role === 'controller' && controllers.length > 0)
    return [
      {
        code: 'hardware-io-system',
        severity: 'error',
        member: name,
        message: `IO system "${ioSystem.name}" has two controllers: this one and "${controllers[0]?.device.name}".`,
        hint: 'An IO system belongs to one controller.',
      },
    ]
  return []
}
