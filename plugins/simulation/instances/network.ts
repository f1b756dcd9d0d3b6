/** Network settings of virtual controllers: interfaces in requests, and the rules for one instance and for several. */
import { type Fault, problem } from '../../../core/index.ts'
import {
  addressInSubnetFault,
  defaultSubnetMask,
  hostFault,
  maskFault,
  routerFault,
  subnetsOverlap,
} from '../../devices/index.ts'

/** One PROFINET interface of an instance (PLCSIM Advanced: IP suite of an interface). */
export interface NetworkInterface {
  /** Label on the CPU: `X1`, `X2` … */
  readonly interface: string
  readonly ipAddress: string
  readonly subnetMask: string
  /** Default gateway; absent: none. */
  readonly gateway?: string
}

/** An interface in a request. The gateway `0.0.0.0` means none, as in PLCSIM Advanced. */
export interface NetworkInput {
  readonly interface?: string | undefined
  readonly ipAddress: string
  readonly subnetMask?: string | undefined
  readonly gateway?: string | null | undefined
}

/** An address of another instance. */
export interface TakenAddress {
  readonly ipAddress: string
  readonly instance: string
}

/** Finds all faults in a list of interfaces. `path`: JSON pointer of the list. */
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
    const reserved = addressInSubnetFault(ipAddress, subnetMask)
    if (reserved) faults.push({ path: `${at}/ipAddress`, message: reserved, value: ipAddress })
    const wrongGateway = gateway === undefined ? undefined : routerFault(gateway, ipAddress, subnetMask)
    if (wrongGateway) faults.push({ path: `${at}/gateway`, message: wrongGateway, value: gateway })
  }
  // Each interface of a CPU must be in its own subnet (TIA Portal: "The IP subnets of the interfaces overlap").
  for (const [i, a] of interfaces.entries()) {
    for (const b of interfaces.slice(0, i)) {
      if (a.ipAddress !== b.ipAddress && subnetsOverlap(a, b)) {
        const message = `is in the same subnet as ${b.interface} (${b.ipAddress}); every interface needs its own`
        faults.push({ path: `${path}/${i}/ipAddress`, message, value: a.ipAddress })
      }
    }
  }
  return faults
}

/**
 * Reads network settings: names interfaces without a name (`X1`, `X2` …), adds the default mask and checks all
 * interfaces together.
 *
 * @param taken addresses of the other instances, which must not be used again
 * @throws GatewayError `invalid_input` with a fault for each wrong field; `conflict` when everything is valid but an
 *   address is already used
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
      subnetMask: each.subnetMask?.trim() || defaultSubnetMask,
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
