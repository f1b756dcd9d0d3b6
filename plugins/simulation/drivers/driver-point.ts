/** Where plugins give drivers of controllers: of devices, or of other simulators. */
import { extensionPoint } from '../../../core/index.ts'
import type { Controller, ControllerOptions, MemoryRange, MemoryWrite } from '../controller/contract.ts'

/** The instance that a driver is asked about. */
export interface DrivenInstance {
  readonly name: string
  readonly ipAddresses: readonly string[]
}

/** The program that was loaded, as a device needs it: where its data are in memory, and their start values. */
export interface DriverProgram {
  readonly hash: string
  /** The memory with all start values. */
  readonly image: Uint8Array
  /** Inputs, outputs, flags, the periphery of both, timers and counters. */
  readonly areas: Readonly<Record<'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C', MemoryRange>>
  /** Data blocks by their names in lower case. */
  readonly dataBlocks: ReadonlyMap<string, MemoryRange>
}

/** A device as its driver sees it. Addresses are those of the program that was loaded last. */
export interface DeviceLink {
  /** At power-on; the device is in STOP then. */
  connect(): Promise<void>
  /** At power-off, also after a loss. */
  close(): Promise<void>
  load(program: DriverProgram): Promise<void>
  run(): Promise<void>
  stop(): Promise<void>
  /** The bytes of all ranges, in their order, of one moment. */
  read(ranges: readonly MemoryRange[]): Promise<readonly Uint8Array[]>
  /** Writes all at once; `mask`: only these bits of a single byte. */
  write(writes: readonly MemoryWrite[]): Promise<void>
}

/** What a device tells by itself. */
export interface DeviceReports {
  /** The connection is lost: the controller is off. */
  lost(reason: string): void
  /** The device has changed its state. */
  changed(state: 'Run' | 'Stop'): void
}

/** A driver: it makes the controllers of the instances that it drives, whole, or of a device. */
export interface ControllerDriver {
  readonly name: string
  readonly title: string
  /** Whether an instance is its own. The driver that was contributed last is asked first. */
  drives(instance: DrivenInstance): boolean
  /** A whole controller, as the virtual one is. */
  controller?(options: ControllerOptions): Controller | Promise<Controller>
  /** A device: what it does not say, such as diagnostics and alarms, it does not have. */
  device?(options: ControllerOptions, reports: DeviceReports): DeviceLink | Promise<DeviceLink>
}

/** The built-in driver makes virtual controllers of all instances that no other drives. */
export const controllerDriver = extensionPoint<ControllerDriver>('simulation.controller-drivers', {
  title: 'Drivers of controllers',
  description:
    'Makes the controllers of the instances that it drives: of a device, or of another simulator. Online operations, tags, HMI stations and S7 clients reach them as they reach virtual controllers, which the built-in driver makes of all other instances. The driver that was contributed last is asked first.',
  constant: 'controllerDriver',
  check: {
    name: 'text',
    title: 'text',
    drives: 'function',
    controller: 'function?',
    device: 'function?',
  },
  faults: ({ controller, device }) =>
    (controller === undefined) === (device === undefined) ? ['a driver has either controller() or device()'] : [],
  example:
    "{ name: 'bench', title: 'The test bench', drives: ({ name }) => name === 'Bench', device: () => connect() }",
  formerly: 'simulation.controller-factories',
})

/** Gantry's own simulator. */
export const virtualDriver: ControllerDriver = {
  name: 'virtual',
  title: 'Virtual controllers',
  drives: () => true,
  controller: async (options) => (await import('../controller/controller.ts')).createController(options),
}
