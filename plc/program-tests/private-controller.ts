/**
 * A controller of one program in virtual time, for tests: every case begins with the start image in a new instance of
 * the compiled module. Scan order: docs/plc-semantics.md.
 */
import type { CompiledProgram } from '../compiler/put-together.ts'
import type { SourceSite } from '../ir/ir.ts'
import type { ProgrammingFault } from '../library/faults.ts'
import type { OrganizationBlock } from '../program/program-symbols.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { createHost, type ProgramHost, StackOverflow } from '../runtime/host.ts'
import { functionBlocksThatAsk, instanceKey } from '../runtime/instance-names.ts'
import { instancePaths, numberedBlocks } from '../runtime/numbered-blocks.ts'
import type { TestFunctions } from '../runtime/test-functions.ts'
import { memoryClearer } from './clear-memory.ts'
import { VirtualInterrupts } from './virtual-interrupts.ts'

/** 2026-01-01, the same in every run. */
const startTime = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n
/** Rounds of loops and calls in one run that no cycle of a controller could do within its monitoring time. */
const mostRounds = 200_000_000

/** The program does not run on. */
export class TrapError extends Error {
  override readonly name = 'TrapError'
}

export interface Limits {
  readonly cycle: bigint
  /** Called now and then in long cycles; throws to end the run. */
  readonly look: () => void
}

/** What runs in a case. */
export type TestController = Pick<
  PrivateController,
  'memory' | 'cycles' | 'now' | 'restart' | 'startUp' | 'cycle' | 'trigger' | 'call' | 'advance'
>

/** The controller; `restart` before anything else. */
export class PrivateController {
  readonly memory: Uint8Array
  readonly #program: CompiledProgram
  readonly #module: WebAssembly.Module
  readonly #memory: WebAssembly.Memory
  readonly #clear: (size: number) => void
  readonly #blocks: readonly OrganizationBlock[]
  readonly #paths: ReadonlyMap<string, string>
  readonly #numbers: ReturnType<typeof numberedBlocks>
  #host: ProgramHost | undefined
  #clock = new VirtualClock(startTime)
  #interrupts = new VirtualInterrupts(this.#clock, [])
  #limits: Limits = { cycle: 1n, look: () => undefined }
  #entry: string | undefined
  #cycles = 0
  #rounds = 0

  /** @param module that of the program, when it is compiled already */
  constructor(program: CompiledProgram, module = new WebAssembly.Module(Buffer.concat(program.linked.wasm))) {
    const { linked, symbols } = program
    this.#program = program
    this.#module = module
    this.#memory = new WebAssembly.Memory({ initial: linked.pages, maximum: linked.pages, shared: true })
    this.memory = new Uint8Array(this.#memory.buffer)
    this.#clear = memoryClearer(this.#memory, linked.pages)
    this.#blocks = [...symbols.organizationBlocks].sort((a, b) => a.number - b.number)
    this.#numbers = numberedBlocks(symbols, linked.dataBlocks)
    this.#paths = instancePaths(symbols, linked.dataBlocks, functionBlocksThatAsk(linked))
  }

  /** Number of cycles since the start. */
  get cycles(): number {
    return this.#cycles
  }

  /** Virtual nanoseconds since the start. */
  get now(): bigint {
    return this.#clock.now()
  }

  /**
   * Restores the start image; time begins again.
   * @param entry the block that each cycle calls; absent: the organization blocks of the program
   * @param tests of a block of tests
   */
  restart(limits: Limits, entry?: string, tests?: TestFunctions): void {
    this.#limits = limits
    this.#entry = entry
    this.#cycles = 0
    this.#clock = new VirtualClock(startTime)
    // Stacks of interrupting blocks are not used: here a block runs to its end.
    this.#clear(this.#program.linked.stackTop)
    for (const { address, bytes } of this.#program.image) this.memory.set(bytes, address)
    this.#interrupts = new VirtualInterrupts(this.#clock, this.#blocks)
    const numbers = this.#blocks.map(({ number }) => number)
    this.#host = createHost(this.#program.linked, {
      clock: this.#clock,
      memory: this.#memory,
      module: this.#module,
      interrupts: this.#interrupts,
      blockOfNumber: (number) => this.#numbers.get(number),
      instancePath: (block, address) => this.#paths.get(instanceKey(block, address)),
      hasOrganizationBlock: (number) => numbers.includes(number),
      onFault: (block, site, fault, isMasked) => this.#fault(block, site, fault, isMasked),
      ...(tests ? { tests } : {}),
      onStop: () => {
        throw new TrapError('The program stopped the controller (STP).')
      },
      onLook: (block, site, rounds) => {
        this.#rounds += rounds
        this.#limits.look()
        if (this.#rounds > mostRounds)
          throw new TrapError(`The cycle does not end: it is in a loop in ${this.#at(block, site)}.`)
      },
    })
  }

  /** Runs the startup organization blocks; before the first cycle. @throws TrapError */
  startUp(): void {
    if (this.#entry !== undefined) return
    this.#inputs()
    for (const one of this.#of('Startup')) this.#run(one.name, one)
  }

  /**
   * Runs one cycle; time has passed before each but the first.
   * @param isLater time has passed before the first one too
   * @throws TrapError
   */
  cycle(isLater = false): void {
    const from = this.now
    if (this.#cycles > 0 || isLater) {
      if (this.#entry === undefined) this.#runInterrupts(from + this.#limits.cycle)
      this.#clock.advance(from + this.#limits.cycle - this.now)
    }
    this.#inputs()
    if (this.#entry !== undefined) this.#run(this.#entry)
    else for (const one of this.#of('ProgramCycle')) this.#run(one.name, one)
    this.#cycles++
    const { Q, PQ } = this.#program.linked.areas
    this.memory.copyWithin(PQ.address, Q.address, Q.address + Math.min(Q.size, PQ.size))
  }

  /** Runs a block once, at the time as it is, as a part of no cycle. @throws TrapError */
  call(block: string): void {
    this.#run(block)
  }

  /** Moves the time; only interrupts run. @throws TrapError */
  advance(nanoseconds: bigint): void {
    const to = this.now + nanoseconds
    this.#runInterrupts(to)
    this.#clock.advance(to - this.now)
  }

  #inputs(): void {
    const { I, PI } = this.#program.linked.areas
    this.memory.copyWithin(I.address, PI.address, PI.address + Math.min(I.size, PI.size))
  }

  #of(eventClass: string): OrganizationBlock[] {
    return this.#blocks.filter((one) => one.eventClass === eventClass)
  }

  /** Runs interrupts that are due until a time, in the order of time and then of priority. */
  #runInterrupts(until: bigint): void {
    for (let due = this.#interrupts.take(until); due; due = this.#interrupts.take(until)) {
      if (due.at > this.now) this.#clock.advance(due.at - this.now)
      this.#run(due.block.name, due.block, due.sign)
    }
  }

  /**
   * Runs an organization block now, as its event does.
   * @param name or number
   * @throws Error when there is none, which names those that are
   */
  trigger(name: string): void {
    const key = name.replace(/^"(.*)"$/, '$1').toLowerCase()
    const events = this.#blocks.filter(({ eventClass }) => eventClass !== 'ProgramCycle' && eventClass !== 'Startup')
    const block = events.find(
      (one) => one.name.toLowerCase() === key || key === String(one.number) || key === `ob${one.number}`,
    )
    if (!block) {
      const known = events.map((one) => `"${one.name}" (OB${one.number}, ${one.eventClass})`).join(', ')
      throw new Error(
        `There is no organization block "${name}" for an event; ${known === '' ? 'the program has none' : `there are ${known}`}.`,
      )
    }
    this.#run(block.name, block)
  }

  #run(name: string, block?: OrganizationBlock, sign = 0): void {
    if (block) this.#startInformation(block, sign)
    // A block of tests has cycles and interrupts within its own run.
    const around = this.#rounds
    this.#rounds = 0
    try {
      this.#host?.run(name)
    } catch (error) {
      if (error instanceof StackOverflow)
        throw new TrapError(`Calls are nested too deep in "${error.block}": it calls itself without end.`)
      // The stack of the engine may end first.
      if (error instanceof RangeError && /call stack/.test(error.message))
        throw new TrapError(`Calls are nested too deep in "${name}": a block calls itself without end.`)
      // WebAssembly.RuntimeError: a trap of the module.
      if (error instanceof Error && error.name === 'RuntimeError')
        throw new TrapError(`The program traps in "${name}": ${error.message}.`)
      throw error
    } finally {
      this.#rounds = around
    }
  }

  /** Whether it is the first cycle, and SIGN of a delay; other start information is 0. */
  #startInformation({ startInformation, access }: OrganizationBlock, sign: number): void {
    const { address, size } = this.#program.linked.startInformation
    this.memory.fill(0, address, address + size)
    const signed = startInformation.find(({ name }) => name.toLowerCase() === 'sign')
    if (signed) new DataView(this.memory.buffer).setUint16(address + signed.byte, sign, access !== 'standard')
    const first = startInformation.find(({ name }) => name.toLowerCase() === 'initial_call')
    if (first === undefined || this.#cycles > 0) return
    this.memory[address + first.byte] = access === 'standard' ? 1 << (first.bit ?? 0) : 1
  }

  /** A controller without an organization block for programming errors goes to STOP. */
  #fault(block: string, site: number, fault: ProgrammingFault, isMasked: boolean): void {
    if (isMasked) return
    const [handler] = this.#entry === undefined ? this.#of('ProgrammingError') : []
    if (handler) {
      this.#host?.run(handler.name)
      return
    }
    const what =
      fault.id === 0x2533
        ? 'the reference is NULL'
        : `${fault.isWrite ? 'write' : 'read'} outside of the valid range (index or address)`
    throw new TrapError(`Programming error in ${this.#at(block, site)}: ${what}.`)
  }

  #at(block: string, site: number): string {
    const { linked, sites } = this.#program
    const place: SourceSite | undefined = sites[linked.blockNumbers.indexOf(block)]?.[site]
    const network = place ? `, network ${place.network}` : ''
    return `"${block}"${network}${place?.line === undefined ? '' : `, line ${place.line}`}`
  }
}
