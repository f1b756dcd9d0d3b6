/**
 * The host names that the gateway answers to. A page of any site can make a browser send requests to 127.0.0.1, and DNS
 * rebinding lets it read the answers. The Host header contains the name that the browser used, the Origin header the
 * page's own.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { ticks } from '../../lib/steady-clock.ts'
import { problem } from '../contract/problems.ts'

/** An address that the server listens on. */
export interface BoundAddress {
  readonly address: string
  readonly port: number
}

export interface OriginRules {
  /** Allowed in addition to the bound addresses; with or without a port. */
  readonly allowedHosts: readonly string[]
  /** Origins of other sites, e.g. `https://hmi.example`; `*` for all. */
  readonly allowedOrigins: readonly string[]
}

/** Addresses of interfaces can change while the gateway runs; they are read again at most this often, ms. */
const refreshMs = 5000

const wildcard = (address: string) => address === '0.0.0.0' || address === '::'
const bracketed = (address: string) => (isIP(address) === 6 ? `[${address}]` : address)

/** The names of this machine that refer to a bound address. */
function namesOf({ address, port }: BoundAddress): string[] {
  const names = new Set<string>(['localhost', '127.0.0.1', '[::1]'])
  if (wildcard(address)) {
    names.add(hostname().toLowerCase())
    for (const entries of Object.values(networkInterfaces())) {
      for (const entry of entries ?? []) names.add(bracketed(entry.address.split('%')[0]!.toLowerCase()))
    }
  } else names.add(bracketed(address.toLowerCase()))
  const withPort = [...names].map((name) => `${name}:${port}`)
  // RFC 9110, 4.2.1: the default port is left out.
  return port === 80 ? [...withPort, ...names] : withPort
}

/** Checks Host and Origin. */
export class OriginGuard {
  #bound: readonly BoundAddress[]
  #rules: OriginRules
  #hosts = new Set<string>()
  #origins = new Set<string>()
  #anyPort: readonly string[] = []
  #readAt = 0

  constructor(rules: OriginRules) {
    this.#rules = rules
    // Before it listens, only in-process requests arrive (fastify's `inject` calls itself localhost:80).
    this.#bound = [{ address: '127.0.0.1', port: 80 }]
    this.#rebuild()
  }

  /** Sets the addresses that the server listens on. */
  bind(bound: readonly BoundAddress[]) {
    this.#bound = bound
    this.#rebuild()
  }

  /** Applies changed settings. */
  use(rules: OriginRules) {
    this.#rules = rules
    this.#rebuild()
  }

  #rebuild() {
    this.#readAt = ticks()
    const listed = this.#rules.allowedHosts.map((host) => host.toLowerCase())
    this.#hosts = new Set([...this.#bound.flatMap(namesOf), ...listed])
    this.#anyPort = listed.filter((host) => !/:\d+$/.test(host))
    this.#origins = new Set(this.#rules.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  }

  /**
   * Checks a request.
   *
   * @returns the value of `Access-Control-Allow-Origin`; undefined when the request has no Origin
   * @throws GatewayError `host_not_allowed`; `malformed_request` without a Host
   */
  check(headers: IncomingHttpHeaders): string | undefined {
    const { host, origin } = headers
    if (host === undefined) throw problem('malformed_request', 'The request has no Host header (RFC 9112, 3.2).')
    if (!this.#hosts.has(host) && !this.#knowsHost(host)) {
      throw problem(
        'host_not_allowed',
        `Host "${host.slice(0, 100)}" is not one of ${[...this.#hosts].slice(0, 12).join(', ')}; others are added in the settings (security.allowedHosts).`,
      )
    }
    if (origin === undefined) return undefined
    const lower = origin.toLowerCase()
    if (this.#origins.has(lower) || this.#origins.has('*')) return origin
    const match = /^https?:\/\/(.+)$/.exec(lower)
    if (match && this.#knowsHost(match[1]!)) return origin
    throw problem(
      'host_not_allowed',
      `Origin "${origin.slice(0, 100)}" may not call this gateway; origins are added in the settings (security.allowedOrigins).`,
    )
  }

  #knowsHost(given: string): boolean {
    const host = given.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
    if (this.#isKnown(host)) return true
    if (!this.#bound.some(({ address }) => wildcard(address)) || ticks() - this.#readAt < refreshMs) return false
    this.#rebuild()
    return this.#isKnown(host)
  }

  #isKnown(host: string): boolean {
    if (this.#hosts.has(host)) return true
    return this.#anyPort.length > 0 && this.#anyPort.includes(host.replace(/:\d+$/, ''))
  }
}
