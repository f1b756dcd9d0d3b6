/** Endpoints that wait for their partners: other instances, and real ones on a port of the computer. */
import { createServer, type Server, type Socket } from 'node:net'
import type { ConnectionParameters } from '../../../plc/runtime/network.ts'
import type { PortLog } from '../s7/connection.ts'
import type { Endpoint } from './endpoint.ts'
import { plainAddress, serveReal } from './real-partners.ts'

interface Options {
  isAllowed(address: string): boolean
  host(): string
  readonly log: PortLog
}

/** A port of an instance: several endpoints may wait on one, as in a CPU. */
interface Port {
  readonly waiting: Set<Endpoint>
  /** All endpoints that opened it, also those that are connected now. */
  readonly owners: Set<Endpoint>
  server: Server | undefined
}

/** The passive endpoints of all instances. */
export class Listeners {
  readonly #options: Options
  readonly #ports = new Map<string, Port>()
  readonly #udp = new Map<string, Endpoint>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Waits for a partner.
   * @param addresses those of the instance
   * @returns false when the endpoint was closed meanwhile
   */
  async add(endpoint: Endpoint, addresses: readonly string[]): Promise<boolean> {
    if (endpoint.isEnded) return false
    const key = keyOf(endpoint.member.name, endpoint.parameters)
    const known = this.#ports.get(key)
    const port: Port = known ?? { waiting: new Set(), owners: new Set(), server: undefined }
    this.#ports.set(key, port)
    port.waiting.add(endpoint)
    port.owners.add(endpoint)
    endpoint.closeSocket = () => this.#forget(key, port, endpoint)
    // Real partners do not reach ISO-on-TCP: port 102 belongs to the S7 server.
    if (!known && endpoint.parameters.kind === 'tcp') await this.#listen(port, endpoint, addresses)
    return !endpoint.isEnded
  }

  addUdp(endpoint: Endpoint): void {
    const key = keyOf(endpoint.member.name, endpoint.parameters)
    this.#udp.set(key, endpoint)
    const close = endpoint.closeSocket
    endpoint.closeSocket = () => {
      close()
      if (this.#udp.get(key) === endpoint) this.#udp.delete(key)
    }
  }

  findUdp(name: string, localPort: number): Endpoint | undefined {
    return this.#udp.get(keyOf(name, { kind: 'udp', localPort }))
  }

  /** Listens on the address of the instance when the computer has it (127.0.0.2 …), else on the host of the runtime. */
  async #listen(port: Port, endpoint: Endpoint, addresses: readonly string[]): Promise<void> {
    const host = addresses.find((address) => address.startsWith('127.')) ?? this.#options.host()
    const { localPort } = endpoint.parameters
    const server = createServer({ allowHalfOpen: false }, (socket) => this.#take(port, socket))
    const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen({ host, port: localPort }, () => resolve(undefined))
    })
    if (failed) {
      const why =
        failed.code === 'EADDRINUSE'
          ? 'another program or instance uses it'
          : failed.code === 'EACCES'
            ? 'ports below 1024 need more rights'
            : failed.message
      endpoint.note(`Port ${host}:${localPort} cannot be opened (${why}): only other instances reach it.`)
      return
    }
    server.on('error', (cause) => this.#options.log.error({ err: cause }, 'a port of a controller has a fault'))
    if (port.owners.size === 0) server.close()
    else port.server = server
  }

  #take(port: Port, socket: Socket): void {
    const address = plainAddress(socket.remoteAddress)
    const endpoint = [...port.waiting].find(({ parameters }) => {
      return parameters.remoteAddress === '' || parameters.remoteAddress === address
    })
    if (!endpoint || !this.#options.isAllowed(address)) {
      socket.destroy()
      return
    }
    port.waiting.delete(endpoint)
    serveReal(endpoint, socket)
  }

  /** The endpoint that waits for a caller. */
  find(name: string, call: ConnectionParameters, callers: readonly string[]): Endpoint | undefined {
    const key = keyOf(name, { kind: call.kind, localPort: call.remotePort })
    for (const endpoint of this.#ports.get(key)?.waiting ?? []) {
      const { remoteAddress, remotePort, localSelector } = endpoint.parameters
      if (remoteAddress !== '' && !callers.includes(remoteAddress)) continue
      if (call.kind === 'iso' && localSelector !== call.remoteSelector) continue
      if (call.kind === 'tcp' && remotePort !== 0 && call.localPort !== 0 && remotePort !== call.localPort) continue
      return endpoint
    }
    return undefined
  }

  /** It waits no more: it is connected, or closed. */
  remove(endpoint: Endpoint): void {
    this.#ports.get(keyOf(endpoint.member.name, endpoint.parameters))?.waiting.delete(endpoint)
  }

  #forget(key: string, port: Port, endpoint: Endpoint): void {
    port.waiting.delete(endpoint)
    port.owners.delete(endpoint)
    if (port.owners.size > 0) return
    this.#ports.delete(key)
    port.server?.close()
    port.server = undefined
  }

  async close(): Promise<void> {
    const servers = [...this.#ports.values()].flatMap(({ server }) => server ?? [])
    this.#ports.clear()
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
  }
}

function keyOf(name: string, { kind, localPort }: Pick<ConnectionParameters, 'kind' | 'localPort'>): string {
  return `${name.toLowerCase()} ${kind} ${localPort}`
}
