/** Runs a linked program: its memory, the routines of the runtime, its clock, and its reports. */

import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { beginSymbol, functionSymbol, globalNames } from '../compiler/codegen/symbols.ts'
import { type ProgrammingFault, unpackFault } from '../library/faults.ts'
import type { Clock } from './clock.ts'
import type { NumberedBlock, RuntimeContext } from './context.ts'
import { instanceRoutines } from './instance-names.ts'
import type { Interrupts } from './interrupts.ts'
import { LocalErrors } from './local-errors.ts'
import { allRoutines } from './routines.ts'

/** Callbacks and data that the host uses while the program runs. */
export interface HostOptions {
  readonly clock: Clock
  /**
   * Called for a programming error (OB121): an index outside its array, a NULL reference. The program continues after
   * it.
   */
  readonly onFault: (block: string, site: number, fault: ProgrammingFault) => void
  /**
   * Called when loops run long in one run, and again after each further million rounds; throw to end the program's run.
   */
  readonly onLongLoop?: (block: string, site: number) => void
  /** Called for STP; throw to end the program's run. */
  readonly onStop?: () => void
  readonly onRetrigger?: () => void
  /** Interrupts for SRT_DINT, SET_CINT and similar instructions. */
  readonly interrupts?: Interrupts
  /** Data blocks by number, for PEEK, POKE and DB_ANY. */
  readonly blockOfNumber?: (number: number) => NumberedBlock | undefined
  /** Paths of instances, for GetInstancePath. */
  readonly instancePath?: RuntimeContext['instancePath']
  /** Cycle times for RT_INFO. */
  readonly cycleTimes?: RuntimeContext['cycleTimes']
  readonly hasOrganizationBlock?: RuntimeContext['hasOrganizationBlock']
  /** Memory of a module that ran before; absent: new memory. */
  readonly memory?: WebAssembly.Memory
  /** The compiled module of the program; then `program.wasm` is not used. */
  readonly module?: WebAssembly.Module
}

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
  /** ENO of the block that ran last. */
  readonly eno: boolean
}

/**
 * Instantiates a program and writes its constants to memory; the caller writes the start values of data blocks.
 * @throws Error when the program calls an unknown routine: a mistake of the lowering
 */
export function createHost(program: LinkedProgram, options: HostOptions): ProgramHost {
  const { clock } = options
  const memory =
    options.memory ?? new WebAssembly.Memory({ initial: program.pages, maximum: program.pages, shared: true })
  const view = new DataView(memory.buffer)
  const bytes = new Uint8Array(memory.buffer)
  for (const constant of program.constants) bytes.set(constant.bytes, constant.address)
  let failed: WebAssembly.Global | undefined
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
    stop: () => options.onStop?.(),
    retriggerCycle: () => options.onRetrigger?.(),
    ...(options.interrupts ? { interrupts: options.interrupts } : {}),
    ...(options.cycleTimes ? { cycleTimes: options.cycleTimes } : {}),
    ...(options.hasOrganizationBlock ? { hasOrganizationBlock: options.hasOrganizationBlock } : {}),
  }
  const errors = new LocalErrors(program)
  const nameOf = (number: number) => program.blockNumbers[number] ?? ''
  let instance: WebAssembly.Instance | undefined
  const global = (name: string) => instance?.exports[name] as WebAssembly.Global
  let begin: (now: bigint) => void = () => undefined
  const host: Record<string, unknown> = {
    memory,
    fault: (block: number, site: number, what: number, dataBlock: number) => {
      const fault = unpackFault(what, dataBlock)
      if (!errors.take(nameOf(block), fault)) options.onFault(nameOf(block), site, fault)
    },
    watchdog: (block: number, site: number) => {
      options.onLongLoop?.(nameOf(block), site)
      begin(clock.now())
    },
    stackOverflow: (block: number) => {
      throw new StackOverflow(nameOf(block))
    },
  }
  const routines = { ...allRoutines(context), ...errors.routines, ...instanceRoutines(context) }
  for (const { name } of program.routines) {
    const routine = routines[name]
    if (!routine) throw new Error(`The program needs routine "${name}", which the runtime has not`)
    host[name] = routine
  }
  const module = options.module ?? new WebAssembly.Module(program.wasm as Uint8Array<ArrayBuffer>)
  instance = new WebAssembly.Instance(module, { host } as never)
  failed = global(globalNames.failed)
  const [eno, stack] = [global(globalNames.eno), global(globalNames.stack)]
  begin = instance.exports[beginSymbol] as typeof begin
  const { exports } = instance
  const entries = new Map<string, (...parameters: (number | bigint)[]) => unknown>()
  const entry = (block: string) => {
    const found = exports[functionSymbol(block)]
    if (typeof found !== 'function') throw new Error(`The program has no block "${block}"`)
    const known = found as (...parameters: (number | bigint)[]) => unknown
    entries.set(block, known)
    return known
  }
  return {
    program,
    memory,
    view,
    run: (block, ...parameters) => {
      begin(clock.now())
      const run = entries.get(block) ?? entry(block)
      try {
        return run(...parameters)
      } catch (fault) {
        // Release the frames of interrupted calls.
        stack.value = program.stackTop
        throw fault
      }
    },
    get eno() {
      return eno.value === 1
    },
  }
}
