/** Which addresses outside the gateway programs may reach, and be reached from. */
import { BlockList, isIPv4 } from 'node:net'

/** Loopback is always allowed. */
const loopback = '127.0.0.0/8'

/** Returns the fault in an entry of the list, or `undefined`. */
export function partnerFault(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0 || !isIPv4(address)) return 'must be an IPv4 address, or a subnet such as 192.168.0.0/24'
  if (bits !== undefined && !(/^\d{1,2}$/.test(bits) && Number(bits) <= 32)) return 'must have a prefix from 0 to 32'
  return undefined
}

/** Whether an address is among the allowed ones; the entries must be free of faults. */
export function isAllowedPartner(address: string, allowed: readonly string[] = []): boolean {
  if (!isIPv4(address)) return false
  const list = new BlockList()
  for (const entry of [loopback, ...allowed]) {
    const [net = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(net)
    else list.addSubnet(net, Number(bits))
  }
  return list.check(address)
}
