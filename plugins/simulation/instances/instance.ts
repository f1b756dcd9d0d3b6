/** The registered virtual controllers: their type, their collection in the state, and their events. */
import { collection, domainEvent, notFound, on, problem, type Slice, type SliceReader } from '../../../core/index.ts'
import type { DiagnosticEntry, OperatingState, Transition } from '../controller/contract.ts'
import type { CpuType } from './cpu-type.ts'
import type { InstanceConfig } from './instance-config.ts'
import type { NetworkInterface, TakenAddress } from './network.ts'

/**
 * A registered instance. Its controller has its operating state and values, see runtime.ts. Times in ms since the
 * epoch.
 */
export interface Instance extends CpuType {
  readonly name: string
  /** Folder of its memory card; a relative path is relative to the first workspace root. */
  readonly storage: string
  /** True when the gateway chose the folder; then the folder is deleted with the instance. */
  readonly ownsStorage: boolean
  readonly config: InstanceConfig
  readonly network: readonly NetworkInterface[]
  /**
   * TCP port for S7 connections to this instance only; when absent, it can be reached only through the runtime's port.
   */
  readonly communicationPort?: number
  readonly createdAt: number
  readonly modifiedAt: number
}

/** Configuration of the runtime, shared by all instances. */
export interface RuntimeConfig {
  /** TCP port for S7 connections to the runtime's instances; absent: none. */
  readonly communicationPort?: number
  /** Address on which this port, and those of instances, listen. */
  readonly communicationHost: string
  /** True: the runtime starts with the gateway. */
  readonly autoStart: boolean
  /**
   * Real partners with which programs may communicate: IPv4 addresses and subnets (`192.168.0.0/24`). Absent: only this
   * computer itself (loopback).
   */
  readonly allowedPartners?: readonly string[]
  /** Maximum number of instances that are powered on at the same time. */
  readonly maximumPoweredOn: number
}

/** PLCSIM Advanced: 16 instances per runtime manager (docs/plc-semantics.md#limits-of-an-instance). */
export const instanceLimit = 16

/** Maximum number of interfaces of a CPU (CPU 1518: X1 to X3, and further CMs). */
export const interfaceLimit = 8

/** The configuration of the runtime before it is changed. */
const defaultRuntimeConfig: RuntimeConfig = {
  communicationHost: '127.0.0.1',
  autoStart: false,
  maximumPoweredOn: instanceLimit,
}

/** The key is the name in lower case. */
export const instances = collection<Instance>('simulation.instances', {
  byAddress: ({ network }) => network.map(({ ipAddress }) => ipAddress),
})
/** At most one entry, with the key {@link runtimeKey}. */
const runtimeConfigs = collection<RuntimeConfig>('simulation.runtime')
/** Key of the only entry of {@link runtimeConfigs}. */
const runtimeKey = 'runtime'

export const instanceCreated = domainEvent<Instance>('simulation.instance-created', 'A virtual controller was created')
export const instanceDeleted = domainEvent<{ name: string }>(
  'simulation.instance-deleted',
  'A virtual controller was deleted',
)
export const instanceConfigured = domainEvent<{ name: string; config: InstanceConfig }>(
  'simulation.instance-configured',
  'The configuration of a virtual controller was changed',
)
export const networkConfigured = domainEvent<{ name: string; network: readonly NetworkInterface[] }>(
  'simulation.network-configured',
  'The network settings of a virtual controller were changed',
)
/** The port of an instance was changed; `communicationPort` is absent when the instance no longer has one. */
export const instancePortSet = domainEvent<{ name: string; communicationPort?: number }>(
  'simulation.instance-port-set',
  'The communication port of a virtual controller was set',
)
export const runtimeConfigured = domainEvent<RuntimeConfig>(
  'simulation.runtime-configured',
  'The simulation runtime was configured',
)

// Events of running controllers. They are for the audit only and do not change the state.
export const runtimeStarted = domainEvent<{ communicationPort?: number }>(
  'simulation.runtime-started',
  'The simulation runtime was started',
)
/** An operation changed the operating state of an instance. */
export const stateChanged = domainEvent<{
  name: string
  transition: Transition
  before: OperatingState
  after: OperatingState
}>('simulation.state-changed', 'The operating state of a virtual controller was changed')
/**
 * A controller changed its operating state without an operation. `cause`: the entry of its diagnostics buffer that
 * caused the change. `unreported`: number of earlier changes that were too frequent to record.
 */
export const stateReported = domainEvent<{
  name: string
  before: OperatingState
  after: OperatingState
  cause?: DiagnosticEntry
  unreported?: number
}>('simulation.state-reported', 'A virtual controller changed its operating state by itself')
export const connected = domainEvent<{ name: string }>(
  'simulation.connected',
  'A virtual controller was connected for tag access',
)
export const disconnected = domainEvent<{ name: string }>(
  'simulation.disconnected',
  'The connection for tag access was ended',
)
/** Tags were written; the input of the job contains the values. `tags`: the names of the first 100. */
export const tagsWritten = domainEvent<{ name: string; tags: readonly string[]; total: number }>(
  'simulation.tags-written',
  'Tags of a virtual controller were written',
)
export const forcesSet = domainEvent<{ name: string; forces: readonly { tag: string; value: unknown }[] }>(
  'simulation.forces-set',
  'The forces of a virtual controller were set; none: they were taken away',
)
export const timeSet = domainEvent<{ name: string; systemTime: string }>(
  'simulation.time-set',
  'The system time of a virtual controller was set',
)
export const advanced = domainEvent<{ name: string; cycles: number; systemTime: string }>(
  'simulation.advanced',
  'The stepped time of a virtual controller was advanced',
)

export const eventRaised = domainEvent<{
  name: string
  event: string
  ob: number
  block: string
  information: Readonly<Record<string, unknown>>
}>('simulation.event-raised', 'An event of an organization block was raised in a virtual controller')

/** Configured modules were pulled, or plugged again. */
export const modulePulled = domainEvent<{ name: string; modules: readonly string[]; isPulled: boolean }>(
  'simulation.module-pulled',
  'Modules of a virtual controller were pulled or plugged',
)

/** An event of an alarm in the audit; `time` is virtual. */
export interface ReportedAlarm {
  readonly event: string
  readonly alarm: string
  readonly alarmClass: string
  readonly time: string
  readonly cause?: string
}
/** Alarms of a controller came, went or were acknowledged. `unreported`: events before these that were too many. */
export const alarmsReported = domainEvent<{
  name: string
  alarms: readonly ReportedAlarm[]
  unreported?: number
}>('simulation.alarms-reported', 'Alarms of a virtual controller came or went')

/** A wrong password was presented to a controller. `unreported`: those before it that were too many to be noted. */
export const passwordRefused = domainEvent<{ name: string; message: string; unreported?: number }>(
  'simulation.password-refused',
  'A wrong password was presented to a virtual controller',
)

/** The events of running controllers. */
export const liveEvents = [
  runtimeStarted,
  stateChanged,
  stateReported,
  connected,
  disconnected,
  tagsWritten,
  forcesSet,
  timeSet,
  advanced,
  eventRaised,
  modulePulled,
  alarmsReported,
  passwordRefused,
]

const keyOf = (name: string) => name.toLowerCase()

/** The plugin's part of the state. */
export const simulationSlice: Slice = {
  version: 1,
  collections: [instances, runtimeConfigs],
  reductions: [
    on(instanceCreated, (write, instance) => write(instances).set(keyOf(instance.name), instance)),
    on(instanceDeleted, (write, { name }) => write(instances).delete(keyOf(name))),
    on(instanceConfigured, (write, { name, config }, { time }) => {
      write(instances).update(keyOf(name), (instance) => {
        Object.assign(instance, { config, modifiedAt: time })
      })
    }),
    on(networkConfigured, (write, { name, network }, { time }) => {
      write(instances).update(keyOf(name), (instance) => {
        Object.assign(instance, { network, modifiedAt: time })
      })
    }),
    on(instancePortSet, (write, { name, communicationPort }, { time }) => {
      write(instances).update(keyOf(name), (instance) => {
        if (communicationPort === undefined) delete instance.communicationPort
        else instance.communicationPort = communicationPort
        instance.modifiedAt = time
      })
    }),
    on(runtimeConfigured, (write, config) => write(runtimeConfigs).set(runtimeKey, config)),
  ],
}

/** Finds the instance with this name, ignoring case. */
export function findInstance(ctx: { read: SliceReader }, name: string): Instance | undefined {
  return ctx.read(instances).get(keyOf(name))
}

/**
 * Returns the instance with this name, ignoring case.
 * @throws GatewayError `not_found` with the nearest name
 */
export function requireInstance(ctx: { read: SliceReader }, name: string): Instance {
  const instance = findInstance(ctx, name)
  if (instance) return instance
  const names = [...ctx.read(instances).values()].map((other) => other.name)
  if (names.length > 0) throw notFound('instance', name, names)
  throw problem('not_found', `There is no instance "${name}".`, { suggestion: makesInstance(name) })
}

/** What is to be done when there is no instance yet. */
export function makesInstance(name: string): string {
  return `POST /api/simulation/instances/create ${JSON.stringify({ name })} makes it.`
}

/** Finds the instance that has an interface with this address, whether it is powered on or not. */
export function instanceOfAddress(ctx: { read: SliceReader }, ipAddress: string): Instance | undefined {
  return ctx.read(instances).find('byAddress', ipAddress)[0]
}

/** The configuration of the runtime, or the default. */
export function runtimeConfigOf(ctx: { read: SliceReader }): RuntimeConfig {
  return ctx.read(runtimeConfigs).get(runtimeKey) ?? defaultRuntimeConfig
}

/** Lists the addresses of all instances except one. */
export function takenAddresses(ctx: { read: SliceReader }, but?: string): TakenAddress[] {
  return [...ctx.read(instances).values()]
    .filter(({ name }) => but === undefined || keyOf(name) !== keyOf(but))
    .flatMap(({ name, network }) => network.map(({ ipAddress }) => ({ ipAddress, instance: name })))
}

/**
 * Checks that neither the runtime nor another instance uses a TCP port.
 * @param owner name of the instance that gets the port; absent for the runtime
 * @throws GatewayError `conflict`
 */
export function requireFreePort(ctx: { read: SliceReader }, port: number, path: string, owner?: string): void {
  const holder = [...ctx.read(instances).values()].find(
    ({ communicationPort, name }) =>
      communicationPort === port && (owner === undefined || keyOf(name) !== keyOf(owner)),
  )
  const who = holder
    ? `instance "${holder.name}"`
    : owner !== undefined && runtimeConfigOf(ctx).communicationPort === port
      ? 'the runtime'
      : undefined
  if (who === undefined) return
  throw problem('conflict', `${path}: port ${port} is the communication port of ${who}.`, {
    errors: [{ path, message: `is the communication port of ${who}`, value: port }],
  })
}

/**
 * Returns the fault in the name of an instance, or `undefined`. PLCSIM Advanced: 1 to 63 characters that are allowed in
 * the name of a folder.
 */
export function instanceNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  if (name !== name.trim()) return 'must not begin or end with a blank'
  if (name.length > 63) return `has ${name.length} characters; at most 63 are allowed`
  if (/\p{Surrogate}/u.test(name)) return 'has half of a surrogate pair, which is not a character'
  const bad = /[\p{Cc}<>:"/\\|?*%]/u.exec(name)
  if (bad)
    return `must not contain ${JSON.stringify(bad[0])} (not allowed: < > : " / \\ | ? * % and control characters)`
  if (name.startsWith('.') || name.endsWith('.')) return 'must not begin or end with a dot'
  return undefined
}

/**
 * Checks that the name of a new instance is valid and free, and returns it.
 * @throws GatewayError `invalid_input`, `name_taken`
 */
export function requireFreeInstanceName(ctx: { read: SliceReader }, name: string, path = '/name'): string {
  const fault = instanceNameFault(name)
  if (fault) {
    throw problem('invalid_input', `${path}: "${name}" is not a name of an instance: it ${fault}.`, {
      errors: [{ path, message: fault, value: name }],
    })
  }
  const holder = findInstance(ctx, name)
  if (holder) throw problem('name_taken', `Instance "${holder.name}" (${holder.cpuType}) already exists.`)
  return name
}
