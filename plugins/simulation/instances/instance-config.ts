/**
 * Configuration of a virtual controller: defaults, consistency checks, and conversion to the options of the controller.
 */
import { isIPv4 } from 'node:net'
import { type Fault, problem } from '../../../core/index.ts'
import { overlaps } from '../../../lib/overlaps.ts'
import type { ConfiguredConnection, ControllerOptions, TimeMode } from '../controller/contract.ts'
import { pendingAlarmsOf } from './cpu-type.ts'

/** The options of a controller, without those that identify it. */
export interface InstanceConfig extends Omit<ControllerOptions, 'name' | 'storage' | 'pendingAlarms'> {
  /** Powers the instance on when the gateway starts. */
  readonly autoStart: boolean
}

/** TIA Portal's defaults of a new CPU 1500; 150 ms and 1 ms: docs/plc-semantics.md#cycle. */
export const defaultConfig: InstanceConfig = {
  minimumCycleTimeMs: 1,
  maximumCycleTimeMs: 150,
  time: { mode: 'real', factor: 1 },
  utcOffsetMinutes: 0,
  retentiveFlags: 0,
  startup: 'Run',
  outputsInStop: 'Off',
  putGetAccess: true,
  protectionLevel: 1,
  autoStart: false,
  cyclicInterrupts: {},
  connections: [],
}

/** 2200-01-01, the last system time that PLCSIM Advanced accepts (docs/plc-semantics.md#virtual-time). */
const lastTime = Date.UTC(2200, 0, 1)

/** Time fields of a request. */
export interface TimeInput {
  readonly mode?: 'real' | 'stepped' | undefined
  readonly factor?: number | undefined
  readonly cycleTimeMs?: number | undefined
}

/** A configured connection in a request. */
export interface ConnectionInput {
  readonly id: number | string
  readonly kind?: 's7' | 'tcp' | 'udp' | undefined
  readonly partnerAddress: string
  readonly partnerPort?: number | undefined
  readonly localPort?: number | undefined
  readonly isActive?: boolean | undefined
  readonly rack?: number | undefined
  readonly slot?: number | undefined
}

/** Settings in a request. */
export interface ConfigInput {
  readonly minimumCycleTimeMs?: number | undefined
  readonly maximumCycleTimeMs?: number | undefined
  readonly time?: TimeInput | undefined
  readonly startTime?: string | null | undefined
  readonly utcOffsetMinutes?: number | undefined
  readonly retentiveFlags?: number | undefined
  readonly clockMemoryByte?: number | null | undefined
  readonly systemMemoryByte?: number | null | undefined
  readonly startup?: 'Run' | 'Last' | 'Stop' | undefined
  readonly outputsInStop?: 'Off' | 'Keep' | undefined
  readonly putGetAccess?: boolean | undefined
  readonly protectionLevel?: number | undefined
  readonly processImagePartitions?: InstanceConfig['processImagePartitions'] | undefined
  readonly hardwareInterrupts?: InstanceConfig['hardwareInterrupts'] | undefined
  readonly autoStart?: boolean | undefined
  readonly cyclicInterrupts?: InstanceConfig['cyclicInterrupts'] | undefined
  readonly connections?: readonly ConnectionInput[] | undefined
}

/**
 * Returns the time mode that the fields describe; fields that are not given keep their values.
 * @throws GatewayError `invalid_input` for a field of the other mode
 */
export function readTime(input: TimeInput, before: TimeMode, path: string): TimeMode {
  const mode =
    input.mode ?? (input.factor !== undefined ? 'real' : input.cycleTimeMs !== undefined ? 'stepped' : before.mode)
  const stranger = mode === 'real' ? 'cycleTimeMs' : 'factor'
  if (input[stranger] !== undefined) {
    const message = `belongs to ${mode === 'real' ? 'stepped' : 'real'} time; the mode is ${mode}`
    throw problem('invalid_input', `${path}/${stranger}: ${message}`, {
      errors: [{ path: `${path}/${stranger}`, message, value: input[stranger] }],
    })
  }
  return mode === 'real'
    ? { mode, factor: input.factor ?? (before.mode === 'real' ? before.factor : 1) }
    : { mode, cycleTimeMs: input.cycleTimeMs ?? (before.mode === 'stepped' ? before.cycleTimeMs : 1) }
}

/**
 * Parses a system time.
 * @throws GatewayError `invalid_input` when it is outside 1970 to 2200
 */
export function readSystemTime(text: string, path: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time) || time < 0 || time >= lastTime) {
    const message = 'must be a time from 1970-01-01 to 2199-12-31'
    throw problem('invalid_input', `${path}: ${message}`, { errors: [{ path, message, value: text }] })
  }
  return time
}

/**
 * Applies the settings in a request; settings that are not given keep their values.
 * @throws GatewayError `invalid_input` with a fault for each broken rule
 */
export function readConfig(input: ConfigInput, before: InstanceConfig, path = ''): InstanceConfig {
  const { startTime, clockMemoryByte, systemMemoryByte, time, cyclicInterrupts, connections, ...plain } = input
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const optional = {
    startTime: startTime == null ? startTime : readSystemTime(startTime, `${path}/startTime`),
    clockMemoryByte,
    systemMemoryByte,
  }
  const config: Record<string, unknown> = { ...defaultConfig, ...before, ...given }
  for (const [name, value] of Object.entries(optional)) {
    if (value === null) delete config[name]
    else if (value !== undefined) config[name] = value
  }
  if (time) config.time = readTime(time, before.time, `${path}/time`)
  if (cyclicInterrupts) config.cyclicInterrupts = cyclicInterrupts
  if (connections) config.connections = connections.map((one, i) => readConnection(one, `${path}/connections/${i}`))
  // Put together field by field; `faultsOf` checks what is missing.
  const result = config as unknown as InstanceConfig
  const faults = faultsOf(result, path)
  if (faults[0]) throw problem('invalid_input', `${faults[0].path}: ${faults[0].message}`, { errors: faults })
  return result
}

function faultsOf(config: InstanceConfig, path: string): Fault[] {
  const faults: Fault[] = []
  const { minimumCycleTimeMs, maximumCycleTimeMs, clockMemoryByte, systemMemoryByte, cyclicInterrupts } = config
  if (minimumCycleTimeMs > maximumCycleTimeMs) {
    const message = `is above the maximum cycle time (${maximumCycleTimeMs} ms): every cycle would exceed it`
    faults.push({ path: `${path}/minimumCycleTimeMs`, message, value: minimumCycleTimeMs })
  }
  if (clockMemoryByte !== undefined && clockMemoryByte === systemMemoryByte) {
    const message = `MB${clockMemoryByte} is the system memory byte already`
    faults.push({ path: `${path}/clockMemoryByte`, message, value: clockMemoryByte })
  }
  for (const [number, { cycleTimeMs, phaseMs = 0 }] of Object.entries(cyclicInterrupts)) {
    const at = `${path}/cyclicInterrupts/${number}`
    // OB 30 to 38, isochronous OBs, and any number from 123 on (docs/plc-semantics.md#organization-blocks).
    if (!/^(3[0-8]|6[1-4]|12[3-9]|1[3-9]\d|[2-9]\d\d|[1-9]\d{3,4})$/.test(number))
      faults.push({ path: at, message: 'is no number of a cyclic interrupt OB: 30 to 38, 61 to 64, or 123 and above' })
    else if (phaseMs >= cycleTimeMs && phaseMs > 0) {
      const message = `must be less than the cycle time (${cycleTimeMs} ms)`
      faults.push({ path: `${at}/phaseMs`, message, value: phaseMs })
    }
  }
  const ids = new Set<number>()
  for (const [i, { id }] of config.connections.entries()) {
    if (ids.has(id)) faults.push({ path: `${path}/connections/${i}/id`, message: 'is listed twice', value: id })
    ids.add(id)
  }
  faults.push(...partitionFaults(config, path), ...interruptFaults(config, path))
  return faults
}

/** Numbers are 1 to 31; no byte is in two partitions; a block has one partition. */
function partitionFaults({ processImagePartitions = {} }: InstanceConfig, path: string): Fault[] {
  const faults: Fault[] = []
  const blocks = new Map<number, string>()
  const ranges: { area: string; from: number; to: number; number: string; at: string }[] = []
  for (const [number, { organizationBlock, inputs = [], outputs = [] }] of Object.entries(processImagePartitions)) {
    const at = `${path}/processImagePartitions/${number}`
    if (!/^([1-9]|[12]\d|3[01])$/.test(number)) {
      faults.push({ path: at, message: 'is no partition of the process image: 1 to 31' })
      continue
    }
    if (organizationBlock !== undefined) {
      const other = blocks.get(organizationBlock)
      if (other === undefined) blocks.set(organizationBlock, number)
      else {
        const message = `OB ${organizationBlock} has partition ${other} already`
        faults.push({ path: `${at}/organizationBlock`, message, value: organizationBlock })
      }
    }
    for (const [area, list] of Object.entries({ inputs, outputs }))
      for (const [i, { firstByte, bytes }] of list.entries())
        ranges.push({ area, from: firstByte, to: firstByte + bytes - 1, number, at: `${at}/${area}/${i}` })
  }
  for (const wanted of ['inputs', 'outputs'])
    for (const { one, before } of overlaps(ranges.filter(({ area }) => area === wanted))) {
      const message = `byte ${one.from} is in partition ${before.number} already`
      faults.push({ path: one.at, message, value: one.from })
    }
  return faults
}

function interruptFaults({ hardwareInterrupts = [] }: InstanceConfig, path: string): Fault[] {
  return hardwareInterrupts.flatMap(({ organizationBlock: number }, i): Fault[] => {
    // OB 40 to 47 and, in an S7-1500, any number from 123 on (docs/plc-semantics.md#organization-blocks).
    if ((number >= 40 && number <= 47) || number >= 123) return []
    const message = 'is no number of a hardware interrupt OB: 40 to 47, or 123 and above'
    return [{ path: `${path}/hardwareInterrupts/${i}/organizationBlock`, message, value: number }]
  })
}

/**
 * Reads a configured connection: an ID as a number or as `W#16#100`.
 * @throws GatewayError `invalid_input`
 */
function readConnection(
  { id, kind = 's7', partnerAddress, ...rest }: ConnectionInput,
  path: string,
): ConfiguredConnection {
  const refuse = (field: string, message: string, value: unknown) =>
    problem('invalid_input', `${path}/${field}: ${message}`, { errors: [{ path: `${path}/${field}`, message, value }] })
  const hex = typeof id === 'string' ? /^(?:W#)?16#([0-9A-F]{1,4})$/i.exec(id.trim())?.[1] : undefined
  const number = hex === undefined ? Number(id) : Number.parseInt(hex, 16)
  if (!Number.isInteger(number) || number < 1 || number > 0xffff)
    throw refuse('id', 'must be a number from 1 to 65535, or such as W#16#100', id)
  if (!isIPv4(partnerAddress)) throw refuse('partnerAddress', 'must be an IPv4 address', partnerAddress)
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { id: number, kind, partnerAddress, ...given }
}

/** Returns the options for the controller of an instance. */
export function controllerOptions(
  { name, cpuType }: { readonly name: string; readonly cpuType: string },
  storage: string,
  config: InstanceConfig,
): ControllerOptions {
  const { autoStart: _, ...rest } = { ...defaultConfig, ...config }
  return { name, storage, pendingAlarms: pendingAlarmsOf(cpuType), ...rest }
}

/** The configuration as shown to clients. */
export const configView = ({
  startTime,
  outputsInStop = 'Off',
  putGetAccess = true,
  protectionLevel = 1,
  ...config
}: InstanceConfig) => ({
  ...config,
  outputsInStop,
  putGetAccess,
  protectionLevel,
  ...(startTime === undefined ? {} : { startTime: new Date(startTime).toISOString() }),
})
