/**
 * The configured I/O modules of a loaded device: which bytes of the periphery exist, and the error of an access to
 * others. A package without modules has the whole periphery, so that programs run on a CPU whose hardware nobody
 * configured.
 */
import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ProgrammingFault } from '../../../plc/library/faults.ts'
import type { StartInformation } from '../../../plc/runtime/block-events.ts'
import { informationOf } from '../events.ts'
import type { ByteRange, PulledModule } from './contract.ts'
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

/** What is needed of a program. */
interface Program {
  readonly modules: readonly IoModule[]
  readonly organizationBlocks: readonly OrganizationBlockPlan[]
  readonly linked: Pick<LinkedProgram, 'areas'>
  readonly memory: WebAssembly.Memory
}

/** The modules that a manifest names; none when it has no hardware. */
export function modulesIn(manifest: string): IoModule[] {
  try {
    const { hardware } = JSON.parse(manifest) as { hardware?: { modules?: readonly IoModule[] } }
    return Array.isArray(hardware?.modules) ? [...hardware.modules] : []
  } catch {
    return []
  }
}

/** Why an access fails. */
export interface AccessError {
  readonly text: string
  /** Number of OB 122, when the program has one. */
  readonly block: number | undefined
  readonly information: StartInformation
}

const isIn = (byte: number, ranges: readonly ByteRange[]) =>
  ranges.some(({ firstByte, bytes }) => byte >= firstByte && byte < firstByte + bytes)

/** The modules of one program. */
export class IoModules {
  #program: Program | undefined
  /** Bytes of configured modules; undefined: all exist. */
  #inputs: Set<number> | undefined
  #outputs: Set<number> | undefined

  load(program: Program): void {
    this.#program = program
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
      const gone = pulled.find((module) => isIn(byte, module[direction]))
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
}
