/**
 * A controller that is a device behind a driver: states, programs and values go to the device; the memory card is a
 * folder as that of a virtual controller. What devices do not tell (alarms, traces, forces) is refused by name.
 */
import { EventEmitter } from 'eventemitter3'
import { type GatewayError, isGatewayError } from '../../../core/index.ts'
import type { Raised } from '../../../plc/runtime/block-events.ts'
import { partsOfProgram } from '../controller/active-program.ts'
import type {
  Controller,
  ControllerEvents,
  ControllerOptions,
  CycleCounts,
  CycleStatistics,
  DiagnosticEntry,
  Force,
  LoadedProgram,
  LoadOptions,
  LoadPackage,
  LoadReport,
  MemoryRange,
  MemoryWrite,
  Modification,
  OperatingState,
  Snapshot,
  TraceSample,
  Transition,
} from '../controller/contract.ts'
import { ControlBlock } from '../controller/control-block.ts'
import { DiagnosticsBuffer } from '../controller/diagnostics-buffer.ts'
import { planCopies } from '../controller/load-plan.ts'
import { DamagedCard, MemoryCard } from '../controller/memory-card.ts'
import { requireInside } from '../controller/requirements.ts'
import { makeRunnable, readPackage } from '../controller/runnable.ts'
import { allowedIn, wrongStateText } from '../controller/states.ts'
import { problem } from '../problems.ts'
import type { ControllerDriver, DeviceLink, DriverProgram } from './driver-point.ts'

/** What devices take. */
const transitions: readonly Transition[] = ['powerOn', 'powerOff', 'run', 'stop', 'memoryReset']

export class DeviceController implements Controller {
  readonly events = new EventEmitter<ControllerEvents>()
  readonly forces: readonly Force[] = []
  readonly alarms = { pending: [], log: [] }
  readonly statistics: CycleStatistics = new ControlBlock().statistics
  readonly #driver: string
  readonly #card: MemoryCard
  readonly #diagnostics = new DiagnosticsBuffer()
  #link: DeviceLink | undefined
  #options: ControllerOptions
  #state: OperatingState = 'Off'
  #active: { readonly program: LoadedProgram; readonly memoryBytes: number } | undefined
  /** Actions are executed one after the other; it never rejects. */
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(driver: string, options: ControllerOptions) {
    this.#driver = driver
    this.#options = options
    this.#card = new MemoryCard(options.storage)
  }

  /** The controller of a device; it is off. */
  static async open({ name, device }: ControllerDriver, options: ControllerOptions): Promise<Controller> {
    const controller = new DeviceController(name, options)
    controller.#link = await device?.(options, {
      lost: (reason) => void controller.#lost(reason),
      changed: (state) => {
        if (controller.#state === 'Run' || controller.#state === 'Stop') controller.#setState(state)
      },
    })
    return controller
  }

  get options(): ControllerOptions {
    return this.#options
  }
  get state(): OperatingState {
    return this.#state
  }
  get program(): LoadedProgram | undefined {
    return this.#active?.program
  }
  get allowed(): readonly Transition[] {
    // What a device does not take is refused with the name of its driver.
    return allowedIn(this.#state)
  }
  get diagnostics(): readonly DiagnosticEntry[] {
    return this.#diagnostics.newestFirst
  }
  get time(): number {
    return Date.now()
  }

  // ── States ────────────────────────────────────────────────────────────────────────────────────────────────────────

  change(transition: Transition, signal?: AbortSignal): Promise<OperatingState> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted()
      if (!transitions.includes(transition)) throw this.#cannot(transition)
      if (!this.allowed.includes(transition)) throw this.#wrong(transition)
      if (transition === 'powerOn') await this.#powerOn()
      else if (transition === 'powerOff') await this.#powerOff()
      else if (transition === 'memoryReset') await this.#give(this.#active?.program)
      else {
        await this.#device((link) => (transition === 'run' ? link.run() : link.stop()))
        this.#setState(transition === 'run' ? 'Run' : 'Stop')
      }
      return this.#state
    })
  }

  async #powerOn(): Promise<void> {
    this.#setState('Booting')
    try {
      await this.#device((link) => link.connect())
      const there = await this.memoryCard()
      await this.#give(there && (await readPackage(there)))
      this.#setState('Stop')
      if (this.#active && this.#options.startup !== 'Stop') {
        await this.#device((link) => link.run())
        this.#setState('Run')
      }
    } catch (error) {
      await this.#close()
      throw error
    }
  }

  async #powerOff(): Promise<void> {
    this.#setState('ShuttingDown')
    await this.#close()
  }

  async #lost(reason: string): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#state === 'Off') return
      this.note('error', 'controller-ended', `The driver "${this.#driver}" has lost its device: ${reason}`)
      await this.#close()
    })
  }

  /** A device that cannot be told that it is over is over too. */
  async #close(): Promise<void> {
    await this.#link?.close().catch((error: Error) => this.note('warning', 'controller-ended', error.message))
    const hadProgram = this.#active !== undefined
    this.#active = undefined
    if (hadProgram) this.events.emit('program', undefined)
    this.#setState('Off')
  }

  async willRun(): Promise<boolean> {
    return this.#options.startup !== 'Stop' && (await this.memoryCard().catch(() => undefined)) !== undefined
  }

  async configure(options: ControllerOptions): Promise<void> {
    this.#options = options
  }

  async dispose(): Promise<void> {
    await this.#queue
    if (this.#state !== 'Off') await this.#close()
  }

  #setState(state: OperatingState): void {
    const before = this.#state
    if (state === before) return
    this.#state = state
    this.events.emit('state', state, before)
  }

  // ── Programs ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async planLoad(next: LoadPackage, options: LoadOptions): Promise<LoadReport> {
    this.#requireLoadable(options)
    return this.#plan(await readPackage(next), options)
  }

  load(next: LoadPackage, options: LoadOptions): Promise<LoadReport> {
    return this.#inTurn(async () => {
      this.#requireLoadable(options)
      const program = await readPackage(next)
      const report = this.#plan(program, options)
      await this.#give(program)
      await this.#card.write(next)
      this.note('information', 'program-loaded', `Program ${program.hash.slice(0, 19)} was loaded.`)
      return report
    })
  }

  #requireLoadable({ inRun }: LoadOptions): void {
    if (inRun && this.#state === 'Run') throw this.#cannot('loading in RUN')
    if (this.#state !== 'Stop') throw this.#wrong('Loading')
  }

  /** A device starts with the start values of its program. */
  #plan(next: LoadedProgram, options: LoadOptions): LoadReport {
    const reinitialize = options.reinitialize || this.program !== undefined
    return planCopies(this.program && partsOfProgram(this.program), partsOfProgram(next), reinitialize).report
  }

  async #give(program: LoadedProgram | undefined): Promise<void> {
    if (program === undefined) return
    const { memory } = await makeRunnable(program)
    const image = Uint8Array.from(new Uint8Array(memory.buffer))
    const { areas, dataBlocks } = program.compiled.linked
    const given: DriverProgram = { hash: program.hash, image, areas, dataBlocks }
    const memoryBytes = image.length
    await this.#device((link) => link.load(given))
    this.#active = { program, memoryBytes }
    this.events.emit('program', program.hash)
  }

  async memoryCard(): Promise<LoadPackage | undefined> {
    try {
      return await this.#card.read()
    } catch (error) {
      if (error instanceof DamagedCard) throw problem('conflict', `The memory card is damaged: ${error.message}`)
      throw error
    }
  }

  // ── Data ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  async read(ranges: readonly MemoryRange[]): Promise<Snapshot> {
    this.#requireMemory(ranges, 'Reading')
    const bytes = await this.#device((link) => link.read(ranges))
    if (bytes.length !== ranges.length || bytes.some((one, i) => one.length !== ranges[i]!.size))
      throw problem('conflict', `The driver "${this.#driver}" did not answer with the bytes that were asked for.`)
    return { bytes, cycle: 0, time: this.time }
  }

  async write(writes: readonly MemoryWrite[]): Promise<void> {
    this.#requireMemory(
      writes.map(({ address, bytes }) => ({ address, size: bytes.length })),
      'Writing',
    )
    await this.#device((link) => link.write(writes))
  }

  #requireMemory(ranges: readonly MemoryRange[], what: string): void {
    if (!this.#active) throw this.#wrong(what, this.#state === 'Off' ? undefined : 'there is no program')
    requireInside(ranges, this.#active.memoryBytes)
  }

  async setForces(forces: readonly Force[]): Promise<void> {
    if (forces.length > 0) throw this.#cannot('forcing')
  }

  async setModifications(modifications: readonly Modification[]): Promise<CycleCounts> {
    if (modifications.length > 0) throw this.#cannot('modifying at a point of the cycle')
    return { cycles: 0, begunCycles: 0 }
  }

  async advance(): Promise<never> {
    throw this.#cannot('stepped time')
  }

  async setTime(): Promise<never> {
    throw this.#cannot('setting the time')
  }

  async raise(): Promise<Raised> {
    throw this.#cannot('raising events')
  }

  /** Its communication is its own. */
  network(): void {}

  note(severity: DiagnosticEntry['severity'], code: string, message: string): void {
    const entry = this.#diagnostics.add({ severity, code, message, time: this.time }, this.program)
    this.events.emit('diagnostic', entry)
  }

  async acknowledge(): Promise<readonly string[]> {
    return []
  }

  async startTrace(): Promise<never> {
    throw this.#cannot('recording a trace')
  }

  async stopTrace(): Promise<void> {}

  async trace(): Promise<readonly TraceSample[]> {
    return []
  }

  // ── The device ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @throws GatewayError `conflict` with what the driver says */
  async #device<T>(work: (link: DeviceLink) => Promise<T>): Promise<T> {
    const link = this.#link
    if (link === undefined) throw problem('conflict', `The driver "${this.#driver}" gave no device.`)
    try {
      return await work(link)
    } catch (error) {
      if (isGatewayError(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw problem('conflict', `The driver "${this.#driver}" of "${this.#options.name}": ${reason}`, { cause: error })
    }
  }

  #cannot(what: string): GatewayError {
    return problem('conflict', `The driver "${this.#driver}" of "${this.#options.name}" does not support ${what}.`)
  }

  #wrong(what: string, why?: string): GatewayError {
    return problem('invalid_operating_state', wrongStateText(this.#state, what, why), {
      extra: { state: this.#state, allowed: this.allowed },
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }
}
