/**
 * The network between virtual controllers, and from them to real partners. It takes what the blocks of a controller ask
 * for (controller/network-messages.ts) and reports to both ends what happens.
 *
 * A connection is within the gateway when its partner's address is that of another instance; otherwise it is a socket,
 * when the address is allowed. A passive endpoint waits for instances, and listens on a real port too, for partners
 * that are allowed. While instances advance in lock step, what they ask for waits until the step has ended (`hold`,
 * `exchange`), and is done in the order of the instances then.
 */
import type { ConnectionParameters } from '../../../plc/runtime/network.ts'
import type { ConfiguredConnection, Controller, LoadedProgram } from '../controller/contract.ts'
import { hardwareIn } from '../controller/io-modules.ts'
import type { NetworkRequest } from '../controller/network-messages.ts'
import type { PortLog } from '../s7/connection.ts'
import { Endpoint, type Member } from './endpoint.ts'
import { Listeners } from './listeners.ts'
import { connectReal, dialUdp } from './real-partners.ts'
import { answerWithin, S7Clients } from './s7-jobs.ts'

/** What the hub needs to know. */
export interface HubOptions {
  /** Addresses of an instance. */
  addressesOf(name: string): readonly string[]
  /** The powered-on instance with this address. */
  controllerAt(address: string): { readonly name: string; readonly controller: Controller } | undefined
  /** Whether any instance, also one that is off, has the address. */
  isInstance(address: string): boolean
  /** Whether real partners of this address may be called, and may call. */
  isAllowed(address: string): boolean
  /** Address on which passive endpoints listen, when that of the instance is not one of the computer. */
  host(): string
  readonly log: PortLog
}

/** The communication of all instances of a gateway. */
export class CommunicationHub {
  readonly #options: HubOptions
  readonly #members = new Map<string, Member>()
  readonly #listeners: Listeners
  readonly #clients: S7Clients
  /** What instances in lock step asked for during the step. */
  #held: Map<string, NetworkRequest[]> | undefined

  constructor(options: HubOptions) {
    this.#options = options
    this.#clients = new S7Clients(options.log)
    this.#listeners = new Listeners(options)
  }

  /** Serves a controller until `leave`. */
  join(name: string, controller: Controller): void {
    const key = name.toLowerCase()
    const member: Member = { name, controller, endpoints: new Map() }
    this.#members.set(key, member)
    controller.events.on('network', (request) => {
      const held = this.#held?.get(key)
      if (held) held.push(request)
      else void this.#do(member, request)
    })
    controller.events.on('state', (state) => {
      if (state === 'Off') this.#closeAll(member)
    })
  }

  leave(name: string): void {
    const member = this.#members.get(name.toLowerCase())
    this.#members.delete(name.toLowerCase())
    if (member) this.#closeAll(member)
  }

  /** Ends all connections and ports. */
  async close(): Promise<void> {
    for (const member of this.#members.values()) this.#closeAll(member)
    this.#members.clear()
    this.#clients.close()
    await this.#listeners.close()
  }

  // ── Lock step ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** From now on requests of these instances wait for `exchange`. */
  hold(names: readonly string[]): void {
    this.#held = new Map(names.map((name) => [name.toLowerCase(), []]))
  }

  /**
   * Does what the instances asked for during the step, instance by instance. Jobs with real partners go on beside it.
   */
  async exchange(): Promise<void> {
    for (const [key, requests] of this.#held ?? []) {
      const member = this.#members.get(key)
      if (member) for (const request of requests.splice(0)) await this.#do(member, request)
    }
  }

  /** Ends `hold`. */
  async release(): Promise<void> {
    await this.exchange()
    this.#held = undefined
  }

  // ── Requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Resolves when everything within the gateway is done. */
  async #do(member: Member, request: NetworkRequest): Promise<void> {
    switch (request.kind) {
      case 'open':
        return this.#open(member, request.connection, request.parameters)
      case 'close':
        return this.#close(member, request.connection)
      case 'closeAll':
        return this.#closeAll(member)
      case 'send':
        member.endpoints.get(request.connection)?.send(request.data, request.to, (to) => this.#datagramTo(to))
        return
      case 'taken':
        member.endpoints.get(request.connection)?.taken(request.bytes)
        return
      case 's7':
        return this.#s7(member, request)
      case 'post': {
        const partner = this.#s7Partner(member, request.connection)
        if (!partner) return
        partner.member.controller.network({ ...request, connection: partner.connection })
        return
      }
    }
  }

  async #open(member: Member, number: number, parameters: ConnectionParameters): Promise<void> {
    const endpoint = new Endpoint(member, number, parameters)
    member.endpoints.set(number, endpoint)
    endpoint.onLost = () => this.#again(member, endpoint)
    if (parameters.kind === 'udp') {
      await dialUdp(endpoint, this.#options, this.#addresses(member)[0] ?? '127.0.0.1')
      this.#listeners.addUdp(endpoint)
      return
    }
    if (parameters.isActive) this.#dial(endpoint)
    else if (await this.#listeners.add(endpoint, this.#options.addressesOf(member.name))) this.#callWaiting(endpoint)
  }

  /** Establishes an active connection, or says why not. */
  #dial(endpoint: Endpoint): void {
    const { remoteAddress, remotePort, remoteSelector } = endpoint.parameters
    const partner = this.#options.controllerAt(remoteAddress)
    if (partner || this.#options.isInstance(remoteAddress)) {
      const listening =
        partner && this.#listeners.find(partner.name, endpoint.parameters, this.#addresses(endpoint.member))
      if (listening) {
        this.#listeners.remove(listening)
        Endpoint.join(endpoint, listening, this.#addresses(endpoint.member)[0] ?? '', remoteAddress)
      } else if (endpoint.wasOpen) endpoint.setPhase('connecting')
      else endpoint.setPhase(partner ? 'refused' : 'unreachable')
      return
    }
    if (!this.#options.isAllowed(remoteAddress)) {
      endpoint.note(
        `A connection to ${remoteAddress}:${remotePort} is not allowed: it is no instance, and not among the allowed partners of the runtime's configuration.`,
      )
      endpoint.setPhase('forbidden')
      return
    }
    if (endpoint.parameters.kind === 'iso') {
      endpoint.note(`ISO-on-TCP to real partners is not supported (${remoteAddress}, TSAP ${remoteSelector ?? ''}).`)
      endpoint.setPhase('unreachable')
      return
    }
    connectReal(endpoint)
  }

  #addresses({ name }: Member): readonly string[] {
    return this.#options.addressesOf(name)
  }

  /** A connection that was established has ended: the CPU establishes it again by itself. */
  #again(member: Member, endpoint: Endpoint): void {
    if (member.endpoints.get(endpoint.number) !== endpoint) return
    if (endpoint.parameters.isActive) {
      endpoint.setPhase('connecting')
      endpoint.retry(() => this.#dial(endpoint))
      return
    }
    endpoint.setPhase('listening')
    void this.#listeners.add(endpoint, this.#addresses(member)).then((isAdded) => {
      if (isAdded) this.#callWaiting(endpoint)
    })
  }

  /** Active endpoints that lost this partner before find it again. */
  #callWaiting(listening: Endpoint): void {
    for (const { endpoints } of this.#members.values())
      for (const endpoint of endpoints.values()) {
        if (endpoint.phase !== 'connecting' || !endpoint.wasOpen || !endpoint.parameters.isActive) continue
        const partner = this.#options.controllerAt(endpoint.parameters.remoteAddress)
        if (partner?.name.toLowerCase() !== listening.member.name.toLowerCase()) continue
        if (this.#listeners.find(partner.name, endpoint.parameters, this.#addresses(endpoint.member)) === listening) {
          this.#dial(endpoint)
          return
        }
      }
  }

  #datagramTo({ address, port }: { readonly address: string; readonly port: number }): Endpoint | null | undefined {
    const partner = this.#options.controllerAt(address)
    const found = partner && this.#listeners.findUdp(partner.name, port)
    return found ?? (this.#options.isInstance(address) ? null : undefined)
  }

  #close(member: Member, number: number): void {
    const endpoint = member.endpoints.get(number)
    if (!endpoint) return
    member.endpoints.delete(number)
    this.#listeners.remove(endpoint)
    endpoint.end()
  }

  #closeAll(member: Member): void {
    for (const number of [...member.endpoints.keys()]) this.#close(member, number)
    this.#clients.forget(member.controller)
  }

  // ── S7 ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  #connection({ controller }: Member, id: number): ConfiguredConnection | undefined {
    return connectionsOf(controller).find((one) => one.id === id && one.kind === 's7')
  }

  async #s7(member: Member, request: Extract<NetworkRequest, { kind: 's7' }>): Promise<void> {
    const { job, connection, isWrite, items } = request
    const configured = this.#connection(member, connection)
    const partner = configured && this.#options.controllerAt(configured.partnerAddress)
    if (partner) {
      const answer = await answerWithin(partner.controller, isWrite, items)
      member.controller.network({ kind: 's7', job, answer })
      return
    }
    const failed = () => member.controller.network({ kind: 's7', job, answer: { kind: 'failed' } })
    if (!configured || this.#options.isInstance(configured.partnerAddress)) return failed()
    if (!this.#options.isAllowed(configured.partnerAddress)) {
      const text = `S7 connection ${connection} to ${configured.partnerAddress} is not allowed: it is no instance, and not among the allowed partners of the runtime's configuration.`
      member.controller.network({ kind: 'note', text })
      return failed()
    }
    // A real partner answers when it does; nothing waits for it.
    void this.#clients.run(member.controller, configured, isWrite, items).then(
      (answer) => member.controller.network({ kind: 's7', job, answer }),
      () => failed(),
    )
  }

  /** The instance at the other end of an S7 connection, and the ID that the connection has there. */
  #s7Partner(member: Member, id: number): { member: Member; connection: number } | undefined {
    const configured = this.#connection(member, id)
    const found = configured && this.#options.controllerAt(configured.partnerAddress)
    const partner = found && this.#members.get(found.name.toLowerCase())
    const own = this.#addresses(member)
    const back =
      partner &&
      connectionsOf(partner.controller).find(
        ({ kind, partnerAddress }) => kind === 's7' && own.includes(partnerAddress),
      )
    return partner && back ? { member: partner, connection: back.id } : undefined
  }
}

/** The connections of an instance, then those that were loaded with its program. */
function connectionsOf({ options, program }: Controller): readonly ConfiguredConnection[] {
  if (program === undefined) return options.connections
  const known = loaded.get(program) ?? hardwareIn(program.package.manifest).connections
  loaded.set(program, known)
  return [...options.connections, ...known]
}
const loaded = new WeakMap<LoadedProgram, readonly ConfiguredConnection[]>()
