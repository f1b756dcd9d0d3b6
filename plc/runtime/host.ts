/** Runs a linked program: its memory, the routines of the runtime, its clock, and its reports. */

import { controlAddress, interruptStacks, roundsBetweenLooks } from '../compiler/codegen/link.ts'
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { controlCells, functionSymbol, globalNames } from '../compiler/codegen/symbols.ts'
import { digitFault, type ProgrammingFault, unpackFault } from '../library/faults.ts'
import { blockOfDigitError } from '../library/routine-names.ts'
import type { Clock } from './clock.ts'
import type { NumberedBlock, Routine, RuntimeContext } from './context.ts'
import { ErrorMasks } from './error-masks.ts'
import { instanceRoutines } from './instance-names.ts'
import type { Interrupts } from './interrupts.ts'
import { LocalErrors } from './local-errors.ts'
import { routinesOf } from './routines.ts'

/** Callbacks and data that the host uses while the program runs. */
export interface HostOptions {
  readonly clock: Clock
  /**
   * Called for a programming error (OB121): an index outside its array, a NULL reference. The program continues after
   * it. `isMasked`: the program has masked it with MSK_FLT, so no organization block runs.
   */
  readonly onFault: (block: string, site: number, fault: ProgrammingFault, isMasked: boolean) => void
  /** Called for an access past the process image: before a read, after a write. `byte` is its first. */
  readonly onPeriphery?: (block: string, access: ProgrammingFault, byte: number) => void
  /**
   * Called after `roundsBetweenLooks` rounds of loops and nested calls, with the number of rounds since the last look.
   * It may run other blocks with `interrupt`, and throw to end the program's run.
   */
  readonly onLook?: (block: string, site: number, rounds: number) => void
  /** Rounds until the next look, at least 1; a million when absent. */
  readonly roundsBetweenLooks?: () => number
  /** Called for STP; throw to end the program's run. */
  readonly onStop?: () => void
  readonly onRetrigger?: () => void
  /** Interrupts for SRT_DINT, SET_CINT and similar instructions. */
  readonly interrupts?: Interrupts
  /** Alarms for Program_Alarm and similar instructions. */
  readonly alarms?: RuntimeContext['alarms']
  /** Connections for the blocks of communication. */
  readonly network?: RuntimeContext['network']
  /** Configured hardware for DeviceStates and similar instructions. */
  readonly hardware?: RuntimeContext['hardware']
  /** The organization blocks that were started, for RD_SINFO. */
  readonly startedBlocks?: RuntimeContext['startedBlocks']
  /** Assertions, cycles and time of tests. */
  readonly tests?: RuntimeContext['tests']
  /** Data blocks by number, for PEEK, POKE and DB_ANY. */
  readonly blockOfNumber?: (number: number) => NumberedBlock | undefined
  /** Paths of instances, for GetInstancePath. */
  readonly instancePath?: RuntimeContext['instancePath']
  /** Cycle times for RT_INFO. */
  readonly cycleTimes?: RuntimeContext['cycleTimes']
  readonly hasOrganizationBlock?: RuntimeContext['hasOrganizationBlock']
  /** The process image, for UPDAT_PI and similar instructions. */
  readonly image?: RuntimeContext['image']
  /** Memory of a module that ran before; absent: new memory. */
  readonly memory?: WebAssembly.Memory
  /** The compiled module of the program; then `program.wasm` is not used. */
  readonly module?: WebAssembly.Module
}

/** Rounds that a block in the middle of another counts as, so that a loop full of errors comes to a look. */
const roundsOfNested = 1000

/** Calls are nested too deeply. */
export class StackOverflow extends Error {
  readonly block: string

  constructor(block: string) {
    super(`Calls are nested too deep in "${block}"`)
    this.block = block
  }
}

/** A program that can run. */
export interface ProgramHost {
  readonly program: LinkedProgram
  readonly memory: WebAssembly.Memory
  readonly view: DataView
  /**
   * Runs a block once: an OB without values, an FB with the address of its instance, an FC with its parameters. Reads
   * the clock first; returns what the block returns.
   */
  run(block: string, ...parameters: (number | bigint)[]): unknown
  /** Runs an organization block in the middle of others, in `onLook`, on a stack of its own. */
  interrupt(block: string): void
  /** ENO of the block that ran last. */
  readonly eno: boolean
}

/** The routines that tell that a value is no BCD number. */
function digitErrors(
  names: readonly string[],
  tell: (block: string, site: number, fault: ProgrammingFault) => void,
): Readonly<Record<string, Routine>> {
  const own = names.flatMap((name): [string, Routine][] => {
    const block = blockOfDigitError(name)
    return block === undefined ? [] : [[name, (site: number) => tell(block, site, digitFault) as undefined]]
  })
  return Object.fromEntries(own)
}

/**
 * Instantiates a program and writes its constants to memory; the caller writes the start values of data blocks.
 * @throws Error when the program calls an unknown routine: a mistake of the lowering
 */
export function createHost(program: LinkedProgram, options: HostOptions): ProgramHost {
  const { clock, tests } = options
  const memory =
    options.memory ?? new WebAssembly.Memory({ initial: program.pages, maximum: program.pages, shared: true })
  const view = new DataView(memory.buffer)
  const bytes = new Uint8Array(memory.buffer)
  for (const constant of program.constants) bytes.set(constant.bytes, constant.address)
  const masks = new ErrorMasks()
  const hasMasks = program.routines.some(({ name }) => name === 'service.MSK_FLT')
  let failed: WebAssembly.Global | undefined
  /** The running block sees the new time. */
  const passed = (milliseconds: bigint) => {
    tests?.advance(milliseconds)
    begin(cells[roundsCell] ?? 0)
  }
  const context: RuntimeContext = {
    program,
    view,
    bytes,
    clock,
    blockOfNumber: options.blockOfNumber ?? (() => undefined),
    instancePath: options.instancePath ?? (() => undefined),
    fail: () => {
      if (failed) failed.value = 1
    },
    masks,
    stop: () => options.onStop?.(),
    retriggerCycle: () => options.onRetrigger?.(),
    ...(options.interrupts ? { interrupts: options.interrupts } : {}),
    ...(options.alarms ? { alarms: options.alarms } : {}),
    ...(options.network ? { network: options.network } : {}),
    ...(options.hardware ? { hardware: options.hardware } : {}),
    ...(options.startedBlocks ? { startedBlocks: options.startedBlocks } : {}),
    ...(tests ? { tests: { ...tests, advance: passed } } : {}),
    ...(options.cycleTimes ? { cycleTimes: options.cycleTimes } : {}),
    ...(options.image ? { image: options.image } : {}),
    ...(options.hasOrganizationBlock ? { hasOrganizationBlock: options.hasOrganizationBlock } : {}),
  }
  const errors = new LocalErrors(program)
  const nameOf = (number: number) => program.blockNumbers[number] ?? ''
  let instance: WebAssembly.Instance | undefined
  const global = (name: string) => instance?.exports[name] as WebAssembly.Global
  // The words of the cells; the clock has two.
  const cells = new Int32Array(memory.buffer, controlAddress, controlCells.size / 4)
  const roundsCell = controlCells.rounds / 4
  const begin = (rounds: number) => {
    const now = clock.nanoseconds
    const high = Math.floor(now / 0x1_0000_0000)
    cells[0] = now - high * 0x1_0000_0000
    cells[1] = high
    cells[roundsCell] = rounds
  }
  /** Rounds until the next look, as they were set last. */
  let granted = 0
  const start = () => {
    granted = options.roundsBetweenLooks?.() ?? roundsBetweenLooks
    begin(granted)
  }
  const tell = (block: string, site: number, fault: ProgrammingFault): void => {
    if (!errors.take(block, fault)) options.onFault(block, site, fault, masks.take(fault))
  }
  const host: Record<string, unknown> = {
    memory,
    fault: (block: number, site: number, what: number, dataBlock: number) =>
      tell(nameOf(block), site, unpackFault(what, dataBlock)),
    periphery: (block: number, what: number, byte: number) =>
      options.onPeriphery?.(nameOf(block), unpackFault(what, 0), byte),
    watchdog: (block: number, site: number) => {
      const used = granted - (cells[roundsCell] ?? 0)
      options.onLook?.(nameOf(block), site, used)
      start()
    },
    stackOverflow: (block: number) => {
      throw new StackOverflow(nameOf(block))
    },
  }
  const needed = program.routines.map(({ name }) => name)
  const routines: Readonly<Record<string, unknown>> = {
    ...routinesOf(context, needed),
    ...errors.routines,
    ...digitErrors(needed, tell),
    ...instanceRoutines(context),
  }
  for (const { name } of program.routines) {
    const routine = routines[name]
    if (!routine) throw new Error(`The program needs routine "${name}", which the runtime has not`)
    host[name] = routine
  }
  const module = options.module ?? new WebAssembly.Module(Buffer.concat(program.wasm))
  // The type of the DOM wants values of imports; the routines are functions of many signatures.
  instance = new WebAssembly.Instance(module, { host } as never)
  failed = global(globalNames.failed)
  const [eno, stack, limit] = [global(globalNames.eno), global(globalNames.stack), global(globalNames.limit)]
  const { exports } = instance
  const entries = new Map<string, (...parameters: (number | bigint)[]) => unknown>()
  const entry = (block: string) => {
    const found = exports[functionSymbol(block)]
    if (typeof found !== 'function') throw new Error(`The program has no block "${block}"`)
    const known = found as (...parameters: (number | bigint)[]) => unknown
    entries.set(block, known)
    return known
  }
  let depth = 0
  let interrupts = 0
  /** Runs a block in the middle of another one, whose state is unchanged afterwards. */
  const nested = (block: string, parameters: (number | bigint)[]) => {
    const before = { eno: eno.value, failed: failed?.value, granted, rounds: cells[roundsCell] ?? 0 }
    const result = call(block, parameters, stack.value)
    eno.value = before.eno
    if (failed) failed.value = before.failed
    granted = before.granted
    begin(before.rounds - roundsOfNested)
    return result
  }
  const call = (block: string, parameters: (number | bigint)[], top: number) => {
    start()
    const run = entries.get(block) ?? entry(block)
    depth++
    if (hasMasks) masks.enter()
    try {
      // An engine calls with single parameters in half the time of a list.
      return parameters.length === 0
        ? run()
        : parameters.length === 1
          ? run(parameters[0] as number)
          : run(...parameters)
    } catch (fault) {
      // Release the frames of interrupted calls.
      stack.value = top
      throw fault
    } finally {
      depth--
      if (hasMasks) masks.leave()
    }
  }
  return {
    program,
    memory,
    view,
    run: (block, ...parameters) =>
      depth === 0 ? call(block, parameters, program.stackTop) : nested(block, parameters),
    interrupt: (block) => {
      const before = { stack: stack.value, limit: limit.value }
      limit.value = program.stackTop + interrupts * interruptStacks.size
      interrupts++
      stack.value = limit.value + interruptStacks.size
      try {
        nested(block, [])
      } finally {
        interrupts--
        stack.value = before.stack
        limit.value = before.limit
      }
    },
    get eno() {
      return eno.value === 1
    },
  }
}
