/** IPv4 addresses, subnet masks and routers of interfaces: reads and checks them. Pure functions. */

/** Mask of a new interface in TIA Portal. */
export const defaultSubnetMask = '255.255.255.0'

/**
 * The 32 bits of a dotted-decimal address without leading zeros (RFC 6943, 3.1.1: readers interpret other forms
 * differently).
 */
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

/** The same for files: blanks around the address and leading zeros, which some programs write, are ignored. */
export function looseIpv4(text: string): number | undefined {
  return ipv4(text.trim().replace(/\b0+(?=\d)/g, ''))
}

/** The dotted-decimal form of 32 bits. */
export function ipv4Text(bits: number): string {
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

/** The fault in the address of a host, or undefined (RFC 1122, 3.2.1.3; RFC 1112, 4). */
export function hostFault(text: string): string | undefined {
  const bits = ipv4(text)
  if (bits === undefined) return 'must be an IPv4 address such as 192.168.0.1'
  const first = Math.floor(bits / 2 ** 24)
  if (first === 0) return 'must not begin with 0: that is no address of a host'
  if (first >= 224) return 'must not be a multicast, reserved or broadcast address (224.0.0.0 and above)'
  return undefined
}

/** Whether it is a loopback address (RFC 1122, 3.2.1.3 g), which other computers cannot reach. */
export function isLoopback(text: string): boolean {
  return ipv4(text) !== undefined && text.startsWith('127.')
}

/** Whether a mask is ones followed by zeros, with at least one of the ones. */
export function isContiguousMask(bits: number): boolean {
  // The difference to 2^32 is a power of two.
  return bits !== 0 && Number.isInteger(Math.log2(2 ** 32 - bits))
}

/** The fault in a subnet mask, or undefined: it must be ones followed by zeros, with space for hosts. */
export function maskFault(text: string): string | undefined {
  const bits = ipv4(text)
  if (bits === undefined) return 'must be a subnet mask such as 255.255.255.0'
  if (!isContiguousMask(bits)) return 'must be ones followed by zeros, e.g. 255.255.255.0'
  if (2 ** 32 - bits < 4) return 'leaves no addresses for hosts; the longest mask is 255.255.255.252'
  return undefined
}

/** Whether two addresses are in one subnet. All arguments are bits; the mask is contiguous. */
export function isSameSubnet(a: number, b: number, mask: number): boolean {
  const size = 2 ** 32 - mask
  return Math.floor(a / size) === Math.floor(b / size)
}

/**
 * Whether the address is one of the two in a subnet that no host may have. A subnet of one or two addresses has none
 * (RFC 3021).
 */
export function reservedAddress(address: number, mask: number): 'network' | 'broadcast' | undefined {
  const size = 2 ** 32 - mask
  if (size <= 2) return undefined
  const host = address % size
  return host === 0 ? 'network' : host === size - 1 ? 'broadcast' : undefined
}

/** The fault in a valid host address with a valid mask, or undefined. */
export function addressInSubnetFault(ipAddress: string, subnetMask: string): string | undefined {
  const reserved = reservedAddress(ipv4(ipAddress)!, ipv4(subnetMask)!)
  return reserved && `is the ${reserved} address of its subnet (mask ${subnetMask})`
}

/** The fault in the router of an interface with valid address and mask, or undefined. */
export function routerFault(router: string, ipAddress: string, subnetMask: string): string | undefined {
  const fault = hostFault(router)
  if (fault) return fault
  const mask = ipv4(subnetMask)!
  if (!isSameSubnet(ipv4(router)!, ipv4(ipAddress)!, mask))
    return `is not in the subnet of ${ipAddress} (mask ${subnetMask})`
  if (router === ipAddress) return 'is the address of the interface itself'
  return addressInSubnetFault(router, subnetMask)
}

/**
 * Whether the subnets of two interfaces share addresses: the interfaces of one CPU must not (TIA Portal: "The IP
 * subnets of the interfaces overlap"). False when a value cannot be read.
 */
export function subnetsOverlap(
  a: { readonly ipAddress?: string; readonly subnetMask?: string },
  b: { readonly ipAddress?: string; readonly subnetMask?: string },
): boolean {
  const [ipA, ipB] = [a.ipAddress, b.ipAddress].map((text) => (text === undefined ? undefined : ipv4(text)))
  const [maskA, maskB] = [a, b].map(({ subnetMask }) => ipv4(subnetMask ?? defaultSubnetMask))
  if (ipA === undefined || ipB === undefined || maskA === undefined || maskB === undefined) return false
  return isSameSubnet(ipA, ipB, Math.min(maskA, maskB))
}
