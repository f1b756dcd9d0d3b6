/**
 * The running part of the plugin, one for each gateway: the controllers of registered instances, the one that is
 * connected for tag access, and the ports for S7. All of it ends with the gateway; the slice contains what is kept
 * (names, configuration, addresses).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { defined, type Gateway, type GatewayError, type SliceReader } from '../../../core/index.ts'
import { isAllowedPartner } from '../communication/allowed-partners.ts'
import type { CommunicationHub } from '../communication/hub.ts'
import type { Controller, OperatingState } from '../controller/contract.ts'
import { allowedIn, wrongStateText } from '../controller/states.ts'
import { drivenController } from '../drivers/driven-controller.ts'
import { controllerDriver } from '../drivers/driver-point.ts'
import {
  findInstance,
  type Instance,
  instanceOfAddress,
  instances,
  requireInstance,
  runtimeConfigOf,
} from '../instances/instance.ts'
import { controllerOptions } from '../instances/instance-config.ts'
import { problem } from '../problems.ts'
import { reportAlarms } from '../reports/alarm-reports.ts'
import { reportPasswords } from '../reports/password-reports.ts'
import { StateReports } from '../reports/state-reports.ts'
import type { S7Server } from '../s7/server.ts'
import { addressesOf, plcsOf, startsFor, stepsWithoutInstance, supportStep, tellSteps } from './readiness.ts'

/** The problem for an action that a state does not allow, with the allowed transitions. */
export function wrongState(state: OperatingState, what: string, why?: string, suggestion?: string): GatewayError {
  return problem('invalid_operating_state', wrongStateText(state, what, why), {
    ...defined({ suggestion }),
    extra: { state, allowed: allowedIn(state) },
  })
}

/** The part of a context that is available both to an operation and at the start of the plugin. */
export interface Access {
  readonly gateway: Gateway
  readonly read: SliceReader
}

/** A session that `simulation.start` began. */
export interface Session {
  readonly instance: string
  /** True when the session powered the instance on; then its end powers it off. */
  readonly poweredOn: boolean
  readonly startedAt: number
}

/** Maximum time for a controller to save and end when the gateway stops, ms. */
const powerOffGrace = 5000
const keyOf = (name: string) => name.toLowerCase()

/** The data of a controller while the gateway runs. */
export interface Entry {
  readonly controller: Controller
  /** Names of the tags in its trace, which may have been stopped. */
  traced: readonly string[]
  isTracing: boolean
  /** Aborted when the instance is deleted or the gateway stops, so that streams of its values end. */
  readonly ended: AbortController
}

/** The controllers and ports of one gateway. */
class SimulationRuntime {
  readonly #gateway: Gateway
  readonly #entries = new Map<string, Entry>()
  readonly #making = new Map<string, Promise<Entry>>()
  /** The runtime's port under '', those of instances under their keys. */
  readonly #servers = new Map<string, S7Server>()
  #running = false
  #connected: string | undefined
  #background: Promise<unknown> = Promise.resolve()
  #hub: Promise<CommunicationHub> | undefined
  session: Session | undefined
  readonly #reports: StateReports

  constructor(gateway: Gateway) {
    this.#gateway = gateway
    this.#reports = new StateReports(gateway)
  }

  /** Runs a change of state that an operation requested: the event of the operation records it in the audit. */
  asked<T>(controller: Controller, work: () => Promise<T>): Promise<T> {
    return this.#reports.asked(controller, work)
  }

  get isRunning(): boolean {
    return this.#running
  }

  /**
   * Opens the runtime's port. Has no effect when the runtime is running.
   * @throws GatewayError `conflict` when the port cannot be opened
   */
  async start(access: Access): Promise<void> {
    if (this.#running) return
    const { communicationPort, communicationHost } = runtimeConfigOf(access)
    await this.#open('', communicationPort, communicationHost)
    this.#running = true
  }

  /** Starts the runtime, and powers on the instances with `autoStart`, without waiting. */
  startWithGateway(access: Access, own: readonly Instance[]): void {
    const warn = (what: string) => (error: unknown) => this.#gateway.log.warn({ err: error }, `${what} did not start`)
    this.#background = (async () => {
      await this.start(access).catch(warn('the simulation runtime'))
      for (const instance of own) await this.powerOn(access, instance).catch(warn(`instance ${instance.name}`))
    })()
  }

  /** Returns the operating state; an instance that has not been used since the gateway started is Off. */
  stateOf({ name }: Pick<Instance, 'name'>): OperatingState {
    return this.#entries.get(keyOf(name))?.controller.state ?? 'Off'
  }

  /** Number of instances that are not Off. */
  get poweredOn(): number {
    return [...this.#entries.values()].filter(({ controller }) => controller.state !== 'Off').length
  }

  /** Returns the controller of an instance; it is created on first use. */
  async controllerOf(instance: Instance): Promise<Controller> {
    return (await this.entryOf(instance)).controller
  }

  async entryOf(instance: Instance): Promise<Entry> {
    const key = keyOf(instance.name)
    const known = this.#entries.get(key)
    if (known) return known
    let making = this.#making.get(key)
    if (!making) {
      making = this.#make(instance).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    return making
  }

  async #make(instance: Instance): Promise<Entry> {
    const key = keyOf(instance.name)
    const storage = await this.#gateway.workspace.resolve(instance.storage)
    const controller = await drivenController(
      this.#gateway.extensions(controllerDriver),
      { name: instance.name, ipAddresses: instance.network.map(({ ipAddress }) => ipAddress) },
      controllerOptions(instance, storage, instance.config),
    )
    const entry: Entry = { controller, traced: [], isTracing: false, ended: new AbortController() }
    this.#entries.set(key, entry)
    controller.events.on('state', (state) => {
      if (state === 'Off') this.#onOff(key)
    })
    this.#reports.watch(instance.name, controller)
    ;(await this.hub()).join(instance.name, controller)
    reportPasswords(this.#gateway, instance.name, controller)
    reportAlarms(this.#gateway, instance.name, controller, entry.ended.signal)
    controller.events.on('program', () => {
      entry.traced = []
      entry.isTracing = false
    })
    return entry
  }

  #onOff(key: string) {
    if (this.#connected === key) this.#connected = undefined
    if (this.session && keyOf(this.session.instance) === key) this.session = undefined
    void this.#close(key)
  }

  /**
   * Powers an instance on and opens its own port. The first one starts the runtime.
   * @throws GatewayError `invalid_operating_state`; `instance_limit` when the maximum number is on; `conflict` when a
   *   port is in use
   */
  async powerOn(access: Access, instance: Instance, signal?: AbortSignal): Promise<OperatingState> {
    const controller = await this.controllerOf(instance)
    if (!controller.allowed.includes('powerOn')) throw wrongState(controller.state, 'powerOn')
    this.requireRoom(access)
    await this.start(access)
    const { communicationHost } = runtimeConfigOf(access)
    await this.#open(keyOf(instance.name), instance.communicationPort, communicationHost)
    try {
      return await controller.change('powerOn', signal)
    } catch (error) {
      if (controller.state === 'Off') await this.#close(keyOf(instance.name))
      throw error
    }
  }

  /**
   * Checks that another instance may be powered on.
   * @throws GatewayError `instance_limit`
   */
  requireRoom(access: Access): void {
    const { maximumPoweredOn } = runtimeConfigOf(access)
    if (this.poweredOn < maximumPoweredOn) return
    const on = [...access.read(instances).values()].filter((each) => this.stateOf(each) !== 'Off')
    const names = on.map(({ name }) => `"${name}"`).join(', ')
    throw problem(
      'instance_limit',
      `${this.poweredOn} instances are powered on (${names}); the runtime takes ${maximumPoweredOn}. Power one off first.`,
    )
  }

  /** Ends the controller of an instance that is deleted. */
  async forget(name: string): Promise<void> {
    const key = keyOf(name)
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    this.#onOff(key)
    entry?.ended.abort('The instance was deleted.')
    ;(await this.#hub)?.leave(name)
    if (entry) await this.asked(entry.controller, () => entry.controller.dispose())
  }

  get connected(): string | undefined {
    return this.#connected
  }

  connect(name: string): void {
    this.#connected = keyOf(name)
  }

  disconnect(): void {
    this.#connected = undefined
  }

  /** The address on which the runtime's port listens; `undefined` when it is closed. */
  get listening(): { port: number; host: string; connections: number } | undefined {
    const server = this.#servers.get('')
    return server && { port: server.port, host: server.host, connections: server.connections.length }
  }

  /**
   * Changes the port of the runtime: closes the open one and, when the runtime is on, opens the new one.
   *
   * @param startsRuntime whether to start the runtime with its port
   * @returns the port that is open, or will be
   * @throws GatewayError `conflict` when it cannot be opened; the old one is open again then
   */
  async setPort(
    access: Access,
    port: number | undefined,
    host: string,
    startsRuntime = false,
  ): Promise<number | undefined> {
    if (!this.#running && !startsRuntime) return port
    const before = this.#servers.get('')
    if (!before || before.port !== port || before.host !== host) {
      await this.#close('')
      try {
        await this.#open('', port, host)
      } catch (error) {
        const { communicationHost } = runtimeConfigOf(access)
        await this.#open('', before?.port, before?.host ?? communicationHost).catch(() => {})
        throw error
      }
    }
    this.#running = true
    return this.#servers.get('')?.port
  }

  async #open(key: string, port: number | undefined, host: string): Promise<void> {
    if (port === undefined || this.#servers.has(key)) return
    const [{ createS7Server }, { isPlaceOfCpu }] = await Promise.all([
      import('../s7/server.ts'),
      import('../s7/transport.ts'),
    ])
    try {
      const server = await createS7Server({
        controllerFor: (rack, slot, localAddress) =>
          isPlaceOfCpu(rack, slot) ? this.#controllerAt(key, localAddress) : undefined,
        identify: ({ options }) => this.#identityOf(options.name),
        host,
        port,
        log: this.#gateway.log,
      })
      this.#servers.set(key, server)
    } catch (error) {
      throw portProblem(error as NodeJS.ErrnoException, port, host)
    }
  }

  async #close(key: string): Promise<void> {
    const server = this.#servers.get(key)
    this.#servers.delete(key)
    await server?.close()
  }

  /**
   * The controller for a connection. On an instance's port, that instance. On the runtime's port, the instance that has
   * the address the client called (all of 127.0.0.0/8 and the computer's own addresses can be called), otherwise the
   * connected instance, otherwise the only one that is powered on.
   */
  #controllerAt(key: string, localAddress: string): Controller | undefined {
    if (key !== '') return this.#entries.get(key)?.controller
    const on = [...this.#entries].filter(([, { controller }]) => controller.state !== 'Off')
    const owner = instanceOfAddress(this.#gateway.state, localAddress)
    const wanted = owner ? keyOf(owner.name) : this.#connected
    const found = on.find(([each]) => each === wanted) ?? (owner === undefined && on.length === 1 ? on[0] : undefined)
    return found?.[1].controller
  }

  /** The communication of the instances. */
  hub(): Promise<CommunicationHub> {
    this.#hub ??= this.#makeHub()
    return this.#hub
  }

  async #makeHub(): Promise<CommunicationHub> {
    const { CommunicationHub: Hub } = await import('../communication/hub.ts')
    const { log, state } = this.#gateway
    return new Hub({
      addressesOf: (name) => findInstance(state, name)?.network.map(({ ipAddress }) => ipAddress) ?? [],
      controllerAt: (address) => this.#controllerOfAddress(address),
      isInstance: (address) => instanceOfAddress(state, address) !== undefined,
      isAllowed: (address) => isAllowedPartner(address, runtimeConfigOf(state).allowedPartners),
      host: () => runtimeConfigOf(state).communicationHost,
      log,
    })
  }

  /** The instance with an address, when it is on. */
  #controllerOfAddress(address: string): { name: string; controller: Controller } | undefined {
    const name = instanceOfAddress(this.#gateway.state, address)?.name
    const controller = name === undefined ? undefined : this.#entries.get(keyOf(name))?.controller
    return name === undefined || !controller || controller.state === 'Off' ? undefined : { name, controller }
  }

  /** The hardware data for S7 clients. */
  #identityOf(name: string) {
    const { orderNumber, cpuType, firmware } = findInstance(this.#gateway.state, name) ?? {}
    return {
      ...(orderNumber ? { orderNumber } : {}),
      ...(cpuType ? { typeName: cpuType } : {}),
      ...(firmware ? { firmware } : {}),
    }
  }

  /** Powers everything off, so that retentive data are saved, and closes the ports. */
  async stop(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((key) => this.#close(key)))
    await this.#background
    await Promise.all([...this.#making.values()].map((making) => making.catch(() => {})))
    await Promise.all([...this.#entries.values()].map((entry) => this.#end(entry)))
    await (await this.#hub)?.close()
    await Promise.all([...this.#servers.keys()].map((key) => this.#close(key)))
    this.#entries.clear()
  }

  async #end({ controller, ended }: Entry) {
    ended.abort('The gateway stops.')
    const late = new AbortController()
    const tooLate = sleep(powerOffGrace, undefined, { signal: late.signal, ref: false }).then(
      () => Promise.reject(new Error(`it has not powered off within ${powerOffGrace} ms`)),
      () => {},
    )
    try {
      if (allowedIn(controller.state).includes('powerOff'))
        await this.asked(controller, () => Promise.race([controller.change('powerOff'), tooLate]))
    } catch (error) {
      this.#gateway.log.warn({ err: error, instance: controller.options.name }, 'instance did not power off')
    } finally {
      late.abort()
      await this.asked(controller, () => controller.dispose())
    }
  }
}

function portProblem(error: NodeJS.ErrnoException, port: number, host: string): GatewayError {
  const at = `${host}:${port}`
  const detail =
    error.code === 'EADDRINUSE'
      ? `Port ${at} is in use by another program.`
      : error.code === 'EACCES'
        ? `Port ${at} cannot be opened: ports below 1024 need more rights. Choose one above, or let the service have the right.`
        : error.code === 'EADDRNOTAVAIL'
          ? `Port ${at} cannot be opened: the computer has no address ${host}.`
          : undefined
  if (detail === undefined) throw error
  return problem('conflict', detail, { cause: error })
}

const runtimes = new WeakMap<Gateway, SimulationRuntime>()

/** Returns the runtime of a gateway. */
export function runtimeOf(gateway: Gateway): SimulationRuntime {
  let runtime = runtimes.get(gateway)
  if (!runtime) {
    runtime = new SimulationRuntime(gateway)
    runtimes.set(gateway, runtime)
  }
  return runtime
}

/** Powers everything off when the gateway stops. */
export async function stopRuntime(gateway: Gateway): Promise<void> {
  await runtimes.get(gateway)?.stop()
  runtimes.delete(gateway)
}

/** What is missing before tags can be read without naming an instance. */
function stepsToConnect(access: Access, runtime: SimulationRuntime): ReturnType<typeof tellSteps> {
  const all = [...access.read(instances).values()]
  const plcs = plcsOf(access)
  const [plc] = plcs
  if (all.length === 0 && plcs.length === 1) return tellSteps(stepsWithoutInstance(access, plc!))
  const on = all.filter((one) => runtime.stateOf(one) !== 'Off')
  const [only] = on.length > 0 ? on : all
  const what =
    all.length === 0 ? 'there is no instance' : on.length === 0 ? 'no instance is powered on' : 'a connection'
  if (only === undefined) return tellSteps([{ what, request: 'POST /api/simulation/instances/create' }])
  const { name } = only
  if (on.length > 0)
    return tellSteps([{ what, request: `POST /api/simulation/connect { "name": ${JSON.stringify(name)} }` }])
  const device = plcs.find((one) => addressesOf(one).some((address) => instanceOfAddress(access, address) === only))
  const request = device ? startsFor(device, name) : `POST /api/simulation/start { "name": ${JSON.stringify(name)} }`
  return tellSteps([...(device ? supportStep(access) : []), { what, request }])
}

/** An instance that is powered on. */
export interface Connection {
  readonly instance: Instance
  readonly controller: Controller
  readonly entry: Entry
}

/** Finds the instance for tag access, with its controller: the named one, otherwise the connected one. */
export async function requireOn(access: Access, name: string | undefined): Promise<Connection> {
  const runtime = runtimeOf(access.gateway)
  const wanted = name ?? runtime.connected
  if (wanted === undefined) {
    const steps = stepsToConnect(access, runtime)
    throw problem(
      'simulation_not_connected',
      `The gateway is not connected to a simulator instance. ${steps.detail} POST /api/simulation/connect { "instanceName": … } connects, or use /api/simulation/instances/{name}/…`,
      { suggestion: steps.suggestion },
    )
  }
  const instance = requireInstance(access, wanted)
  const entry = await runtime.entryOf(instance)
  if (entry.controller.state === 'Off') {
    const powersOn = `POST /api/simulation/instances/${encodeURIComponent(instance.name)}/power-on`
    throw wrongState('Off', `Instance "${instance.name}": this`, 'it must be powered on', powersOn)
  }
  return { instance, entry, controller: entry.controller }
}
