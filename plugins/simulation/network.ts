/** Network settings of virtual controllers: IPv4 addresses, masks, gateways, and what they must fulfil together. */
import { type Fault, problem } from '../../core/index.ts'

/** One PROFINET interface of an instance (PLCSIM Advanced: IP suite of an interface). */
export interface NetworkInterface {
  /** Label on the CPU: `X1`, `X2` … */
  readonly interface: string
  readonly ipAddress: string
  readonly subnetMask: string
  /** Default gateway; absent: none. */
  readonly gateway?: string
}

/** As a client gives it. `0.0.0.0` as gateway stands for none, as in PLCSIM Advanced. */
export interface NetworkInput {
  readonly interface?: string | undefined
  readonly ipAddress: string
  readonly subnetMask?: string | undefined
  readonly gateway?: string | null | undefined
}

const defaultMask = '255.255.255.0'

/** The 32 bits of a dotted-decimal address without leading zeros (RFC 6943, 3.1.1: other forms are read differently by different readers). */
export function ipv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bits = 0
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    bits = bits * 256 + Number(part)
  }
  return bits
}

/** What is wrong with the address of a host, or undefined (RFC 1122, 3.2.1.3; RFC 1112, 4). */
function hostFault(text: string): string | undefined {
  const bits = ipv4(text)
  if (bits === undefined) return 'must be an IPv4 address such as 192.168.0.1'
  const first = Math.floor(bits / 2 ** 24)
  if (first === 0) return 'must not begin with 0: that is no address of a host'
  if (first >= 224) return 'must not be a multicast, reserved or broadcast address (224.0.0.0 and above)'
  return undefined
}

/** What is wrong with a subnet mask, or undefined: ones, then zeros, with room for hosts. */
function maskFault(text: string): string | undefined {
  const bits = ipv4(text)
  if (bits === undefined) return 'must be a subnet mask such as 255.255.255.0'
  const zeros = 2 ** 32 - bits
  // Contiguous: what is missing to 2^32 is a power of two.
  if (bits === 0 || !Number.isInteger(Math.log2(zeros))) return 'must be ones followed by zeros, e.g. 255.255.255.0'
  if (zeros < 4) return 'leaves no addresses for hosts; the longest mask is 255.255.255.252'
  return undefined
}

/** An address that another instance has. */
export interface TakenAddress {
  readonly ipAddress: string
  readonly instance: string
}

/** Every fault of a list of interfaces. `path`: JSON pointer of the list. */
function faultsOf(interfaces: readonly NetworkInterface[], taken: readonly TakenAddress[], path: string): Fault[] {
  const faults: Fault[] = []
  const names = new Set<string>()
  const own = new Map<string, string>()
  for (const [i, each] of interfaces.entries()) {
    const at = `${path}/${i}`
    const { interface: label, ipAddress, subnetMask, gateway } = each
    if (names.has(label.toUpperCase()))
      faults.push({ path: `${at}/interface`, message: `interface ${label} is listed twice`, value: label })
    names.add(label.toUpperCase())
    const ipFault = hostFault(ipAddress)
    const wrongMask = maskFault(subnetMask)
    if (ipFault) faults.push({ path: `${at}/ipAddress`, message: ipFault, value: ipAddress })
    if (wrongMask) faults.push({ path: `${at}/subnetMask`, message: wrongMask, value: subnetMask })
    const twin = own.get(ipAddress)
    if (twin) faults.push({ path: `${at}/ipAddress`, message: `interface ${twin} has this address`, value: ipAddress })
    own.set(ipAddress, label)
    const holder = taken.find((other) => other.ipAddress === ipAddress)
    if (holder) {
      const message = `instance "${holder.instance}" has this address`
      faults.push({ path: `${at}/ipAddress`, message, value: ipAddress, code: 'taken' })
    }
    if (ipFault || wrongMask) continue
    const ip = ipv4(ipAddress)!
    const size = 2 ** 32 - ipv4(subnetMask)!
    const host = ip % size
    if (host === 0 || host === size - 1) {
      const message = `is the ${host === 0 ? 'network' : 'broadcast'} address of its subnet (mask ${subnetMask})`
      faults.push({ path: `${at}/ipAddress`, message, value: ipAddress })
    }
    if (gateway === undefined) continue
    const gatewayFault = hostFault(gateway)
    if (gatewayFault) faults.push({ path: `${at}/gateway`, message: gatewayFault, value: gateway })
    else if (Math.floor(ipv4(gateway)! / size) !== Math.floor(ip / size)) {
      const message = `is not in the subnet of ${ipAddress} (mask ${subnetMask})`
      faults.push({ path: `${at}/gateway`, message, value: gateway })
    } else if (gateway === ipAddress) {
      faults.push({ path: `${at}/gateway`, message: 'is the address of the interface itself', value: gateway })
    }
  }
  // Each interface of a CPU must be in a subnet of its own (TIA Portal: "The IP subnets of the interfaces overlap").
  for (const [i, a] of interfaces.entries()) {
    for (const b of interfaces.slice(0, i)) {
      const [ipA, ipB, maskA, maskB] = [a.ipAddress, b.ipAddress, a.subnetMask, b.subnetMask].map(ipv4)
      if (ipA === undefined || ipB === undefined || maskA === undefined || maskB === undefined || ipA === ipB) continue
      const size = 2 ** 32 - Math.min(maskA, maskB)
      if (Math.floor(ipA / size) === Math.floor(ipB / size)) {
        const message = `is in the same subnet as ${b.interface} (${b.ipAddress}); every interface needs its own`
        faults.push({ path: `${path}/${i}/ipAddress`, message, value: a.ipAddress })
      }
    }
  }
  return faults
}

/**
 * Takes network settings: names interfaces that have none (`X1`, `X2` …), fills in the mask and checks everything together.
 *
 * @param taken addresses of the other instances: each may be used once
 * @throws GatewayError `invalid_input` with one fault for each wrong field; `conflict` when all is right but an address is taken
 */
export function readNetwork(
  input: readonly NetworkInput[],
  taken: readonly TakenAddress[],
  path = '/network',
): NetworkInterface[] {
  const interfaces = input.map((each, i): NetworkInterface => {
    const gateway = each.gateway === '0.0.0.0' || each.gateway === '' ? undefined : (each.gateway ?? undefined)
    return {
      interface: each.interface?.trim() || `X${i + 1}`,
      ipAddress: each.ipAddress.trim(),
      subnetMask: each.subnetMask?.trim() || defaultMask,
      ...(gateway === undefined ? {} : { gateway: gateway.trim() }),
    }
  })
  const faults = faultsOf(interfaces, taken, path)
  const first = faults[0]
  if (first) {
    const onlyTaken = faults.every(({ code }) => code === 'taken')
    const value = first.value === undefined ? '' : ` "${String(first.value)}"`
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    throw problem(onlyTaken ? 'conflict' : 'invalid_input', `${first.path}:${value}: ${first.message}${more}`, {
      errors: faults,
    })
  }
  return interfaces
}
