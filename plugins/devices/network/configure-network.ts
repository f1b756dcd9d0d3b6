/** Sets address, mask, router and names of a PROFINET interface of a device. */
import { type CommandContext, defined, type Fault, problem, type SliceReader } from '../../../core/index.ts'
import { type Device, type DeviceInterface, devices, networkConfigured, requireDevice } from '../device.ts'
import { isEthernet, neighborsOf, profinetLabels } from './interfaces.ts'
import {
  addressInSubnetFault,
  defaultSubnetMask,
  hostFault,
  ipv4,
  ipv4Text,
  isLoopback,
  isSameSubnet,
  looseIpv4,
  maskFault,
  reservedAddress,
  routerFault,
  subnetsOverlap,
} from './ipv4.ts'
import { subnetSource } from './subnet-source.ts'

type Context = Pick<CommandContext, 'read' | 'extensions'>

/** The values to set; an absent field is not changed. `null`, `''`, and for the gateway `0.0.0.0` delete the value. */
export interface NetworkChange {
  readonly interface?: string | undefined
  readonly ipAddress?: string | undefined
  readonly subnetMask?: string | undefined
  readonly gateway?: string | null | undefined
  readonly subnet?: string | null | undefined
  readonly profinetName?: string | null | undefined
}

/**
 * Sets the network of an interface of a device.
 *
 * @throws GatewayError `no_project`, `not_found` (device, interface), `invalid_input` with all wrong fields, `conflict`
 *   when another interface of the subnet has the address or the name (named in the message), or the interface cannot
 *   have one
 */
export function configureNetwork(
  ctx: CommandContext,
  deviceName: string,
  change: NetworkChange,
): { device: Device; interface: DeviceInterface; changed: boolean } {
  const device = requireDevice(ctx, deviceName)
  const { interface: label, ...fields } = change
  if (Object.values(fields).every((value) => value === undefined)) {
    const message = 'give at least one of ipAddress, subnetMask, gateway, subnet, profinetName'
    throw problem('invalid_input', `/ipAddress: is missing: ${message}.`, { errors: [{ path: '/ipAddress', message }] })
  }
  const before = interfaceOf(device, label)
  const after = changed(ctx, before, change)
  requireRight(device, after, change)
  requireFree(ctx, device, after, change)
  const known = device.network?.interfaces.some(({ name }) => name === before.name) === true
  const isSame = known && JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))
  if (!isSame) {
    const { id, name } = device
    ctx.emit(networkConfigured, { id, name, before: known ? before : null, after }, `device/${name}`)
  }
  return { device, interface: after, changed: !isSame }
}

function sorted(one: DeviceInterface): [string, unknown][] {
  return Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The interface to configure; one that the type has but that was never configured is empty. */
function interfaceOf(device: Device, label: string | undefined): DeviceInterface {
  const present = device.network?.interfaces ?? []
  const labels = profinetLabels(device)
  const wanted = label?.trim()
  if (wanted !== undefined && wanted !== '') {
    const isWanted = (name: string) => name.toLowerCase() === wanted.toLowerCase()
    const found = present.find(({ name }) => isWanted(name))
    if (found && !isEthernet(found))
      throw problem(
        'conflict',
        `Interface ${found.name} of "${device.name}" is ${found.subnetType}: it has no IP address.`,
      )
    const ofType = labels.find(isWanted)
    if (found) return found
    if (ofType !== undefined) return { name: ofType }
    const names = [...new Set([...present.filter(isEthernet).map(({ name }) => name), ...labels])]
    const has = names.length === 0 ? 'no PROFINET interface' : names.join(', ')
    throw problem(
      'not_found',
      `Device "${device.name}" (${device.typeName}) has no interface "${wanted}"; it has ${has}.`,
    )
  }
  const [first] = labels
  const ethernet = present.filter(isEthernet)
  const known = ethernet.find(({ name }) => name === first)
  if (known) return known
  // A file may be more exact than the type about the interfaces of a device; then its order is used.
  const byFile = ethernet.some(({ name }) => !labels.includes(name)) ? ethernet[0] : undefined
  if (byFile) return byFile
  if (first !== undefined && !present.some(({ name }) => name === first)) return { name: first }
  if (ethernet[0]) return ethernet[0]
  throw problem('conflict', `Device "${device.name}" (${device.typeName}) has no PROFINET interface.`)
}

/** Text of an optional field; undefined when it is empty or deleted. */
function textOrNone(text: string | null | undefined): string | undefined {
  return text?.trim() || undefined
}

function changed(ctx: Context, before: DeviceInterface, change: NetworkChange): DeviceInterface {
  const { routerAddress, subnet, subnetType, profinetDeviceName, ipAddress, subnetMask, ...rest } = before
  const gateway = change.gateway?.trim() === '0.0.0.0' ? null : change.gateway
  const address = change.ipAddress?.trim() ?? ipAddress
  const mask = change.subnetMask?.trim() ?? subnetMask ?? (address === undefined ? undefined : defaultSubnetMask)
  const router = gateway === undefined ? routerAddress : textOrNone(gateway)
  const wanted = change.subnet === undefined ? subnet : textOrNone(change.subnet)
  const isMoved = wanted?.toLowerCase() !== subnet?.toLowerCase()
  // A subnet has one spelling of its name: that in the project.
  const joined = wanted !== undefined && isMoved ? (subnetInUse(ctx, wanted) ?? wanted) : wanted
  const name = change.profinetName === undefined ? profinetDeviceName : textOrNone(change.profinetName)
  return {
    ...rest,
    ...defined({
      ipAddress: address,
      subnetMask: mask,
      routerAddress: router,
      profinetDeviceName: name,
      subnet: joined,
    }),
    ...(subnetType === undefined || joined === undefined ? {} : { subnetType }),
  }
}

/** The spelling of a subnet's name in the project. @throws GatewayError `conflict` when it is not an IP subnet */
function subnetInUse(ctx: Context, wanted: string): string | undefined {
  for (const source of ctx.extensions(subnetSource))
    for (const { name, type } of source(ctx)) {
      if (name.toLowerCase() !== wanted.toLowerCase()) continue
      if (type === 'Ethernet') return name
      throw problem('conflict', `/subnet: "${name}" is a ${type} subnet.`)
    }
  for (const { name, network } of ctx.read(devices).values()) {
    for (const one of network?.interfaces ?? []) {
      if (one.subnet?.toLowerCase() !== wanted.toLowerCase()) continue
      if (isEthernet(one)) return one.subnet
      throw problem('conflict', `/subnet: "${one.subnet}" is a ${one.subnetType} subnet (${one.name} of "${name}").`)
    }
  }
  return undefined
}

/** Checks the interface after the change, alone and with the other interfaces of its device. */
function requireRight(device: Device, after: DeviceInterface, change: NetworkChange): void {
  const faults: Fault[] = []
  const refuse = (field: string, message: string, value: unknown) =>
    void faults.push({ path: `/${field}`, message, value })
  const { ipAddress, subnetMask, routerAddress, profinetDeviceName } = after
  const isAddressing = [change.ipAddress, change.subnetMask, change.gateway].some((value) => value !== undefined)
  if (isAddressing && ipAddress === undefined) refuse('ipAddress', `is missing: ${after.name} has none yet`, undefined)
  else if (isAddressing && ipAddress !== undefined && subnetMask !== undefined) {
    const wrong =
      hostFault(ipAddress) ??
      (isLoopback(ipAddress) ? 'must not be a loopback address (127.0.0.0 to 127.255.255.255)' : undefined)
    const wrongMask = maskFault(subnetMask)
    if (wrong) refuse('ipAddress', wrong, ipAddress)
    if (wrongMask) refuse('subnetMask', wrongMask, subnetMask)
    if (!wrong && !wrongMask) refuseTogether({ ...after, ipAddress, subnetMask })
  }
  if (change.profinetName !== undefined && profinetDeviceName !== undefined) {
    const wrong = profinetNameFault(profinetDeviceName)
    if (wrong) refuse('profinetName', wrong, profinetDeviceName)
  }
  if (
    after.subnet !== undefined &&
    change.subnet !== undefined &&
    !/^[^\p{Cc}\p{Surrogate}]{1,128}$/u.test(after.subnet)
  )
    refuse('subnet', 'must have at most 128 characters, no control characters', after.subnet)
  if (faults.length > 0) throw wrongInput(faults)

  function refuseTogether(own: DeviceInterface & { ipAddress: string; subnetMask: string }): void {
    const reserved = addressInSubnetFault(own.ipAddress, own.subnetMask)
    if (reserved) refuse('ipAddress', reserved, own.ipAddress)
    const wrongRouter = routerAddress && routerFault(routerAddress, own.ipAddress, own.subnetMask)
    if (wrongRouter) {
      const kept = change.gateway === undefined ? '; it is kept from before: send gateway too, or null for none' : ''
      refuse('gateway', `${wrongRouter}${kept}`, routerAddress)
    }
    const others = (device.network?.interfaces ?? []).filter(({ name }) => name !== own.name)
    const twin = others.find((other) => subnetsOverlap(own, other))
    if (twin) {
      const message = `is in the same subnet as ${twin.name} of "${device.name}" (${twin.ipAddress}); every interface of a device needs its own`
      refuse('ipAddress', message, own.ipAddress)
    }
  }
}

function wrongInput(faults: readonly Fault[]) {
  const [first] = faults
  const value = first?.value === undefined ? '' : ` "${String(first.value)}"`
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return problem('invalid_input', `${first?.path}:${value} ${first?.message}${more}`, { errors: faults })
}

/**
 * The fault in a PROFINET device name, or undefined (IEC 61158-6-10, NameOfStation: labels as in DNS; no IP address, no
 * `port-xyz`). Characters that are not allowed are not a fault, because TIA Portal converts them.
 */
function profinetNameFault(name: string): string | undefined {
  if (name.length > 240) return `has ${name.length} characters; at most 240 are allowed`
  if (/\p{Cc}|\p{Surrogate}/u.test(name)) return 'must not contain control characters'
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name)) return 'must not look like an IP address'
  if (/^port-\d{3}(-\d{5})?(\.|$)/i.test(name)) return 'must not begin like the name of a port (port-001)'
  for (const label of name.split('.')) {
    if (label === '') return 'must not have an empty part between, before or behind dots'
    if (label.length > 63) return `has a part of ${label.length} characters; at most 63 are allowed between dots`
    if (/^-|-$/.test(label)) return 'must not have a part that begins or ends with a hyphen'
  }
  return undefined
}

/**
 * No other interface in the subnet may have the address or the name. Interfaces without a subnet count as one subnet.
 */
function requireFree(ctx: { read: SliceReader }, device: Device, after: DeviceInterface, change: NetworkChange): void {
  const others = neighborsOf(ctx, device, after)
  const where = after.subnet === undefined ? '' : ` in subnet "${after.subnet}"`
  if (change.subnet !== undefined || change.ipAddress !== undefined) {
    const own = after.ipAddress === undefined ? undefined : looseIpv4(after.ipAddress)
    const taken = others.find(({ one }) => own !== undefined && looseIpv4(one.ipAddress ?? '') === own)
    if (taken) {
      const message = `is the address of "${taken.holder.name}" (${taken.one.name})${where}`
      const free = freeBeside(after, new Set(others.map(({ one }) => looseIpv4(one.ipAddress ?? ''))))
      throw problem('conflict', `/ipAddress: "${after.ipAddress}" ${message}.`, {
        errors: [{ path: '/ipAddress', message, value: after.ipAddress, code: 'taken' }],
        ...(free === undefined ? {} : { suggestion: `Free: ${free}` }),
      })
    }
  }
  if (change.subnet !== undefined || change.profinetName !== undefined) {
    const name = after.profinetDeviceName?.toLowerCase()
    const taken = others.find(({ one }) => name !== undefined && one.profinetDeviceName?.toLowerCase() === name)
    if (taken) {
      const message = `is the PROFINET device name of "${taken.holder.name}" (${taken.one.name})${where}`
      throw problem('conflict', `/profinetName: "${after.profinetDeviceName}" ${message}.`, {
        errors: [{ path: '/profinetName', message, value: after.profinetDeviceName, code: 'taken' }],
      })
    }
  }
  const before = device.network?.interfaces.find(({ name }) => name === after.name)
  if (after.ioSystem && before && before.subnet?.toLowerCase() !== after.subnet?.toLowerCase()) {
    throw problem(
      'conflict',
      `/subnet: ${after.name} of "${device.name}" belongs to IO system "${after.ioSystem.name}" of subnet "${before.subnet ?? ''}" and cannot leave it.`,
    )
  }
}

/** The next free address of the interface's subnet, after its own. */
function freeBeside(after: DeviceInterface, taken: ReadonlySet<number | undefined>): string | undefined {
  const [own, mask] = [after.ipAddress, after.subnetMask].map((text) => (text === undefined ? undefined : ipv4(text)))
  if (own === undefined || mask === undefined) return undefined
  for (let bits = own + 1; isSameSubnet(bits, own, mask); bits++) {
    const isFree = !reservedAddress(bits, mask) && !taken.has(bits)
    if (isFree && ipv4Text(bits) !== after.routerAddress) return ipv4Text(bits)
  }
  return undefined
}
