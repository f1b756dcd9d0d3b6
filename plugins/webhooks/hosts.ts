/**
 * Which hosts webhooks may reach. An address is checked when the connection is made: a name that had a public address
 * when the webhook was saved may have another one now (DNS rebinding).
 */
import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { anyOf } from '../../core/services.ts'
import type { HostRules } from './state.ts'

/** IANA special-purpose registries (RFC 6890): what is not reached over the Internet. */
const ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['::1', 128, 'ipv6'],
  // Addresses of IPv4 in IPv6: NAT64, 6to4, Teredo; they could lead to a private one.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]
const privateList = new BlockList()
for (const [network, prefix, family] of ranges) privateList.addSubnet(network, prefix, family)

/** True for an address that is not one of the public Internet; an IPv4 address in IPv6 is judged as it is. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  return family === 0 || privateList.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

/** The host of a URL as rules name it: without brackets and a last dot. */
export function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

const matches = (patterns: readonly string[], host: string) => anyOf(patterns.map((one) => one.toLowerCase()))(host)

/** True when rules let a host be in a private network. */
export function mayBePrivate({ privateHosts }: HostRules, host: string): boolean {
  return matches(privateHosts, host)
}

/** Why a URL may not be told; undefined when it may, as far as that can be seen without a connection. */
export function urlFault(text: string, rules: HostRules): string | undefined {
  if (!URL.canParse(text)) return 'is no URL'
  const url = new URL(text)
  const host = hostOf(url)
  const mayBe = mayBePrivate(rules, host)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not have a name or password: it is shown'
  if (url.protocol === 'http:' && !mayBe) return `must begin with https://, unless "${host}" is one of privateHosts`
  if (rules.allowedHosts.length > 0 && !matches(rules.allowedHosts, host) && !mayBe)
    return `"${host}" is none of the allowed hosts (${rules.allowedHosts.join(', ')})`
  const isName = isIP(host) === 0
  if (!mayBe && (isName ? host === 'localhost' || host.endsWith('.localhost') : isPrivateAddress(host)))
    return `"${host}" is in a private network, and none of privateHosts`
  return undefined
}

/** An address that may not be reached; the connection is not made. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/**
 * Looks up a name for a connection; a name with any address that rules do not allow is not connected to.
 * @param resolve in place of the system's, for tests
 */
export function guardedLookup(rules: HostRules, resolve: typeof lookUp = lookUp): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const wrong = mayBePrivate(rules, hostname.toLowerCase())
        ? undefined
        : found.find((one) => isPrivateAddress(one.address))
      if (wrong || found.length === 0) {
        const where = wrong ? `has the address ${wrong.address} of a private network` : 'has no address'
        return callback(new ForbiddenAddress(`"${hostname}" ${where}`), '')
      }
      if (options.all) return (callback as (e: null, all: typeof found) => void)(null, found)
      callback(null, found[0]!.address, found[0]!.family)
    })
  }
}
