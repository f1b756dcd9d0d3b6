/** Runs a linked program: its memory, the routines of the runtime, its clock, and what it reports. */

import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { beginSymbol, functionSymbol, globalNames } from '../compiler/codegen/symbols.ts'
import { type ProgrammingFault, unpackFault } from '../library/faults.ts'
import type { Clock } from './clock.ts'
import type { NumberedBlock, RuntimeContext } from './context.ts'
import { instanceRoutines } from './instance-names.ts'
import type { Interrupts } from './interrupts.ts'
import { LocalErrors } from './local-errors.ts'
import { allRoutines } from './routines.ts'

/** What the host is asked and told while the program runs. */
export interface HostOptions {
  readonly clock: Clock
  /** A programming error (OB121): an index outside its array, nothing behind a reference. The program goes on behind it. */
  readonly onFault: (block: string, site: number, fault: ProgrammingFault) => void
  /** Loops have run long in one run, again after each further million rounds; throw to end the program's run. */
  readonly onLongLoop?: (block: string, site: number) => void
  /** STP was called; throw to end the program's run. */
  readonly onStop?: () => void
  readonly onRetrigger?: () => void
  /** What SRT_DINT, SET_CINT and their like act on. */
  readonly interrupts?: Interrupts
  /** Data blocks by number, for PEEK, POKE and DB_ANY. */
  readonly blockOfNumber?: (number: number) => NumberedBlock | undefined
  /** Paths of instances, for GetInstancePath. */
  readonly instancePath?: RuntimeContext['instancePath']
  /** For RT_INFO. */
  readonly cycleTimes?: RuntimeContext['cycleTimes']
  readonly hasOrganizationBlock?: RuntimeContext['hasOrganizationBlock']
  /** Memory of a module that ran before; new memory when absent. */
  readonly memory?: WebAssembly.Memory
  /** The program's module when it is compiled already; `program.wasm` is not looked at then. */
  readonly module?: WebAssembly.Module
}

/** Calls and blocks lie too deep in one another. */
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
   * Runs a block once: an OB without values, an FB with the address of its instance, an FC with its parameters.
   * The clock is read before; what the block returns is returned.
   */
  run(block: string, ...parameters: (number | bigint)[]): unknown
  /** ENO of the block that ran last. */
  readonly eno: boolean
}

/**
 * Instantiates a program. Constants are put into memory; start values of data blocks are for the caller to write.
 * @throws Error when the program calls a routine that there is none of: a mistake of the lowering
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
        // Frames of calls that were cut off are given back.
        stack.value = program.stackTop
        throw fault
      }
    },
    get eno() {
      return eno.value === 1
    },
  }
}
