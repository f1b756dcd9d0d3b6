/**
 * The configured I/O modules of a loaded device: which bytes of the periphery exist, and the error of an access to
 * others. A package without modules has the whole periphery, so that programs run on a CPU whose hardware nobody
 * configured.
 */
import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ProgrammingFault } from '../../../plc/library/faults.ts'
import type { StartInformation } from '../../../plc/runtime/block-events.ts'
import type { Hardware } from '../../../plc/runtime/hardware.ts'
import { informationOf } from '../events/events.ts'
import type { ByteRange, ConfiguredConnection, PulledModule } from './contract.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'

/** A module of the package. */
export interface IoModule {
  readonly name: string
  /** The device it is plugged into: the PLC itself, or an IO device. */
  readonly device: string
  /** Slot: `4`, `1.3`. */
  readonly position: string
  /** Hardware identifier of the module. */
  readonly hardwareIdentifier: number
  readonly inputs: readonly ByteRange[]
  readonly outputs: readonly ByteRange[]
}

/** An IO device of the package. */
export interface IoDevice {
  readonly name: string
  /** Its number in the IO system, or on the bus. */
  readonly number: number
  readonly hardwareIdentifier: number
  /** Hardware identifier of its IO system. */
  readonly system: number
  /** Slots that have a module. */
  readonly slots: readonly number[]
  /** It is a DP slave; absent: it is not, or the package is of an older version. */
  readonly isOnBus?: boolean
}

/** The hardware of a manifest. */
export interface ManifestHardware {
  readonly modules: readonly IoModule[]
  /** Absent: none, or a package of an older version. */
  readonly devices?: readonly IoDevice[]
  readonly connections?: readonly ConfiguredConnection[]
}

/** What is needed of a program. */
interface Program extends Required<Omit<ManifestHardware, 'connections'>> {
  readonly organizationBlocks: readonly OrganizationBlockPlan[]
  readonly linked: Pick<LinkedProgram, 'areas'>
  readonly memory: WebAssembly.Memory
}

/** The hardware that a manifest names; nothing when it has none. */
export function hardwareIn(manifest: string): Required<ManifestHardware> {
  try {
    const { hardware } = JSON.parse(manifest) as { hardware?: Partial<ManifestHardware> }
    const { modules, devices, connections } = hardware ?? {}
    const listOf = <T>(list: readonly T[] | undefined) => (Array.isArray(list) ? list : [])
    return { modules: listOf(modules), devices: listOf(devices), connections: listOf(connections) }
  } catch {
    return { modules: [], devices: [], connections: [] }
  }
}

/** Why an access fails. */
export interface AccessError {
  readonly text: string
  /** Number of OB 122, when the program has one. */
  readonly block: number | undefined
  readonly information: StartInformation
}

const isByteIn = (byte: number, ranges: readonly ByteRange[]) =>
  ranges.some(({ firstByte, bytes }) => byte >= firstByte && byte < firstByte + bytes)

/** The modules of one program. */
export class IoModules {
  #program: Program | undefined
  /** Bytes of configured modules; undefined: all exist. */
  #inputs: Set<number> | undefined
  #outputs: Set<number> | undefined
  /** Identifiers of devices that D_ACT_DP deactivated. */
  readonly #inactive = new Set<number>()

  load(program: Program): void {
    this.#program = program
    this.#inactive.clear()
    const { modules } = program
    const bytes = (direction: 'inputs' | 'outputs') =>
      new Set(
        modules.flatMap((module) =>
          module[direction].flatMap(({ firstByte, bytes: count }) =>
            Array.from({ length: count }, (_, i) => firstByte + i),
          ),
        ),
      )
    this.#inputs = modules.length === 0 ? undefined : bytes('inputs')
    this.#outputs = modules.length === 0 ? undefined : bytes('outputs')
  }

  /**
   * The error of an access to `access.bits` from a byte on; undefined: all of them exist and their modules are there.
   */
  errorOf(
    { area, bits, isWrite }: ProgrammingFault,
    first: number,
    pulled: readonly PulledModule[] = [],
  ): AccessError | undefined {
    const program = this.#program
    const direction = area === 'PI' ? 'inputs' : 'outputs'
    const there = area === 'PI' ? this.#inputs : this.#outputs
    if (!program || (there === undefined && pulled.length === 0)) return undefined
    for (let byte = first; byte < first + Math.ceil(bits / 8); byte++) {
      const gone = pulled.find((module) => isByteIn(byte, module[direction]))
      if (there?.has(byte) !== false && !gone) continue
      const letter = area === 'PI' ? 'I' : 'Q'
      const text = gone
        ? `%${letter}B${byte}:P belongs to "${gone.name}", which is not there`
        : `no module has %${letter}B${byte}:P`
      const { address, size } = program.linked.areas[area === 'PI' ? 'PI' : 'PQ']
      // Nothing answers: a read gives 0, and what was written is lost.
      if (byte < size) new Uint8Array(program.memory.buffer)[address + byte] = 0
      const handler = program.organizationBlocks.find(({ eventClass }) => eventClass === 'IOAccessError')
      const information = informationOf('ioAccessError', { address: byte, isWrite }, {}, program)
      return { text, block: handler?.number, information }
    }
    return undefined
  }

  /** The modules of deactivated devices. */
  get inactive(): readonly PulledModule[] {
    const devices = this.#program?.devices.filter((one) => this.#inactive.has(one.hardwareIdentifier))
    const names = new Set(devices?.map(({ name }) => name))
    return this.#program?.modules.filter(({ device }) => names.has(device)) ?? []
  }

  /** A restart activates all devices. */
  activateAll(): void {
    this.#inactive.clear()
  }

  /**
   * The hardware as the program asks for it; undefined: none is configured.
   * @param pulled modules that do not answer, those of deactivated devices too
   * @param onActive called when a device was activated or deactivated
   */
  asked(pulled: () => readonly PulledModule[], onActive = () => {}): Hardware | undefined {
    const program = this.#program
    if (!program || (program.modules.length === 0 && program.devices.length === 0)) return undefined
    const { modules, devices } = program
    const isGone = (one: IoModule) => pulled().some(({ name, device }) => name === one.name && device === one.device)
    const of = (device: IoDevice) => modules.filter((one) => one.device === device.name)
    /** MODE: 1 configured, 2 faulty, 3 disabled, 4 there, 5 with a problem. */
    const isIn = (device: IoDevice, mode: number, gone: number, all: number) => {
      if (mode === 1 || this.#inactive.has(device.hardwareIdentifier)) return mode === 1 || mode === 3
      if (mode === 2) return gone > 0 && gone === all
      return mode === 4 ? gone === 0 || gone < all : mode === 5 && gone > 0
    }
    const deviceOf = (identifier: number) => devices.find((one) => one.hardwareIdentifier === identifier)
    return {
      deviceStates: (system, mode) => {
        const own = devices.filter((one) => one.system === system)
        if (own.length === 0) return undefined
        return own
          .filter((one) => isIn(one, mode, of(one).filter(isGone).length, of(one).length))
          .map(({ number }) => number)
      },
      moduleStates: (identifier, mode) => {
        const device = deviceOf(identifier)
        if (!device) return undefined
        const gone = new Set(
          of(device)
            .filter(isGone)
            .map(({ position }) => Number.parseInt(position, 10)),
        )
        return device.slots.filter((slot) => isIn(device, mode, gone.has(slot) ? 1 : 0, 1))
      },
      addressesOf: (identifier) => {
        const module = modules.find((one) => one.hardwareIdentifier === identifier)
        const [inputs, outputs] = [module?.inputs[0], module?.outputs[0]]
        return module && { ...(inputs ? { inputs } : {}), ...(outputs ? { outputs } : {}) }
      },
      deviceName: (system, station) => devices.find((one) => one.system === system && one.number === station)?.name,
      isActive: (identifier) => deviceOf(identifier) && !this.#inactive.has(identifier),
      setActive: (identifier, isActive) => {
        if (isActive) this.#inactive.delete(identifier)
        else this.#inactive.add(identifier)
        onActive()
      },
      isBus: (system) => devices.some((one) => one.system === system && one.isOnBus === true),
      modulesOf: (identifier) => {
        const own = devices.filter((one) => one.hardwareIdentifier === identifier || one.system === identifier)
        return own.length === 0 ? undefined : own.flatMap(of).map((one) => one.hardwareIdentifier)
      },
      moduleWith: (direction, byte) => modules.find((one) => isByteIn(byte, one[direction]))?.hardwareIdentifier,
      isGone: (identifier) => modules.some((one) => one.hardwareIdentifier === identifier && isGone(one)),
      isKnown: (identifier) =>
        [...modules, ...devices].some((one) => one.hardwareIdentifier === identifier) ||
        devices.some(({ system }) => system === identifier),
    }
  }
}
