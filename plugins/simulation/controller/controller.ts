/**
 * A virtual controller: the gateway's side of the thread that runs the program (worker.ts), its memory card and its
 * diagnostics buffer.
 */
import { mkdir } from 'node:fs/promises'
import { EventEmitter } from 'eventemitter3'
import { defined, type GatewayError, isGatewayError } from '../../../core/index.ts'
import type { Raised, StartInformation } from '../../../plc/runtime/block-events.ts'
import { problem } from '../problems.ts'
import { type Active, partsOfProgram, rangeOf } from './active-program.ts'
import { AlarmLog } from './alarm-log.ts'
import type { AlarmSelection } from './alarm-messages.ts'
import type {
  Controller,
  ControllerEvents,
  ControllerOptions,
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
  TraceOptions,
  TraceSample,
  Transition,
} from './contract.ts'
import { ControlBlock } from './control-block.ts'
import { copyAtBoundary } from './copy-at-boundary.ts'
import { DiagnosticsBuffer } from './diagnostics-buffer.ts'
import { eventId } from './event-ids.ts'
import { hasHung } from './hang.ts'
import { KeptForces } from './kept-forces.ts'
import { KeptTimeZone } from './kept-time-zone.ts'
import { LastState } from './last-state.ts'
import { planCopies } from './load-plan.ts'
import { DamagedCard, MemoryCard } from './memory-card.ts'
import type { RawEntry, RunnableProgram } from './messages.ts'
import type { NetworkEvent } from './network-messages.ts'
import { requireInside, requireTraceable } from './requirements.ts'
import { retentiveLayout } from './retentive.ts'
import { RetentiveCare, type RetentiveData } from './retentive-care.ts'
import { makeRunnable, readPackage } from './runnable.ts'
import { partsOf, sizeOf } from './snapshot.ts'
import { allowedIn, wrongStateText } from './states.ts'
import { ControllerThread } from './thread.ts'
import { TraceBuffer } from './trace-buffer.ts'

/** Interval for saving retentive data and for checking that the thread is alive, ms. */
const careInterval = 250
/** Maximum time for a thread to stop on request, ms; the watchdog ends loops much earlier. */
const stopGrace = 3000

/** Creates a controller that is off. Its folder is created at power-on. */
export function createController(options: ControllerOptions): Controller {
  return new VirtualController(options)
}

class VirtualController implements Controller {
  readonly events = new EventEmitter<ControllerEvents>()
  readonly #diagnostics = new DiagnosticsBuffer()
  readonly #alarms = new AlarmLog()
  readonly #card: MemoryCard
  readonly #retentive: RetentiveCare
  readonly #lastState: LastState
  readonly #keptForces: KeptForces
  readonly #keptTimeZone: KeptTimeZone
  #options: ControllerOptions
  #state: OperatingState = 'Off'
  #thread: ControllerThread | undefined
  #active: Active | undefined
  #generation = 0
  /** The option at power-on. */
  #retentiveFlags = 0
  #forces: readonly Force[] = []
  readonly #traces = new Map<string, TraceBuffer>()
  #care: NodeJS.Timeout | undefined
  /** Actions on the whole controller are executed one after the other; it never rejects. */
  #queue: Promise<unknown> = Promise.resolve()
  #isDisposed = false

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#card = new MemoryCard(options.storage)
    this.#retentive = new RetentiveCare(
      options.storage,
      (severity, message) => this.note(severity, 'retentive-data-lost', message),
      () => this.#copyRetentive(),
    )
    this.#lastState = new LastState(options.storage)
    this.#keptForces = new KeptForces(options.storage)
    this.#keptTimeZone = new KeptTimeZone(options.storage)
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
    return allowedIn(this.#state)
  }
  get forces(): readonly Force[] {
    return this.#forces
  }
  get diagnostics(): readonly DiagnosticEntry[] {
    return this.#diagnostics.newestFirst
  }
  get alarms() {
    return { pending: this.#alarms.pending, log: this.#alarms.newestFirst }
  }
  get statistics(): CycleStatistics {
    return (this.#thread?.control ?? new ControlBlock()).statistics
  }
  get time(): number {
    return this.#thread?.control.systemTime ?? this.#options.startTime ?? Date.now()
  }

  // ── States ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async change(transition: Transition, signal?: AbortSignal): Promise<OperatingState> {
    signal?.throwIfAborted()
    // A request that ends a long run must not wait for that run.
    if (transition === 'stop') return this.#stop()
    if (transition === 'powerOff' && this.#state === 'Startup') await this.#stop()
    return this.#inTurn(async () => {
      this.#require(transition)
      if (transition === 'powerOn') await this.#powerOn()
      else if (transition === 'powerOff') await this.#powerOff()
      else if (transition === 'run') await this.#run(signal)
      else await this.#running.request({ kind: 'transition', transition })
      if (transition === 'memoryReset') await this.#retentive.keep()
      return this.#state
    })
  }

  async #stop(): Promise<OperatingState> {
    this.#require('stop')
    const thread = this.#running
    thread.interrupt()
    const timer = setTimeout(() => void thread.kill('it did not stop when it was asked to'), stopGrace)
    try {
      await thread.request({ kind: 'transition', transition: 'stop' })
    } catch (error) {
      // A thread that was killed has stopped too.
      if (!(isGatewayError(error) && error.code === 'conflict')) throw error
      await this.#queue
    } finally {
      clearTimeout(timer)
    }
    return this.#state
  }

  async #run(signal?: AbortSignal): Promise<void> {
    const thread = this.#running
    const abort = () => thread.interrupt()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await thread.request({ kind: 'transition', transition: 'run' })
    } finally {
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) thread.continue()
    }
    signal?.throwIfAborted()
  }

  async #powerOn(): Promise<void> {
    this.#setState('Booting')
    try {
      await mkdir(this.#options.storage, { recursive: true })
      const isToRun = await this.#lastState.leadsToRun(this.#options.startup)
      if (!(await this.#keptForces.read()))
        this.note('error', 'memory-card-damaged', 'The file of forces cannot be read: nothing is forced.')
      const program = await this.#programOnCard()
      await this.#startThread(program)
      this.note('information', 'power-on', 'Power on.', eventId.powerOn)
      this.#setState('Stop')
      if (program && isToRun) await this.#run()
    } catch (error) {
      await this.#thread?.kill()
      this.#forget()
      this.#setState('Off')
      throw error
    }
  }

  async willRun(): Promise<boolean> {
    // A card that is damaged has no program.
    const isToRun = await this.#lastState.leadsToRun(this.#options.startup)
    return isToRun && (await this.memoryCard().catch(() => undefined)) !== undefined
  }

  /** The program of the memory card; damage is reported in the diagnostics buffer. */
  async #programOnCard(): Promise<LoadedProgram | undefined> {
    try {
      const there = await this.#card.read()
      return there && (await readPackage(there))
    } catch (error) {
      if (!(error instanceof DamagedCard || isGatewayError(error))) throw error
      this.note(
        'error',
        'memory-card-damaged',
        `The memory card cannot be read, no program is loaded: ${error.message}`,
      )
      return undefined
    }
  }

  /** Starts a thread in Stop with the program and the retentive data. */
  async #startThread(program: LoadedProgram | undefined): Promise<void> {
    const runnable = program && (await makeRunnable(program))
    this.#retentiveFlags = this.#options.retentiveFlags
    const kept = program &&
      runnable && { program: partsOfProgram(program), memory: new Uint8Array(runnable.memory.buffer) }
    const isRetentiveLost = kept
      ? !(await this.#retentive.restore(kept.program, this.#retentiveFlags, kept.memory))
      : false
    const generation = ++this.#generation
    const forces = program ? this.#keptForces.of(program.compiled.linked.areas) : []
    const timeZone = await this.#keptTimeZone.read(this.#options.utcOffsetMinutes)
    this.#thread = await ControllerThread.start(
      { options: this.#options, generation, forces, isRetentiveLost, ...defined({ program: runnable, timeZone }) },
      {
        state: (state) => this.#setState(state),
        diagnostic: (entry) => this.#enter(entry),
        alarms: (batch) => this.events.emit('alarms', this.#alarms.add(batch)),
        network: (request) => this.events.emit('network', request),
        timeZone: (zone) => this.#keptTimeZone.save(zone, this.#options.utcOffsetMinutes),
        death: (reason) => void this.#died(reason),
      },
    )
    if (this.#isDisposed) await this.#thread.kill()
    this.#activate(program, runnable, generation)
    this.#care = setInterval(() => void this.#takeCare(), careInterval)
    this.#care.unref()
  }

  #activate(program: LoadedProgram | undefined, runnable: RunnableProgram | undefined, generation: number): void {
    const before = this.#active?.program.hash
    this.#generation = generation
    this.#active =
      program && runnable
        ? {
            program,
            memory: new Uint8Array(runnable.memory.buffer),
            generation,
            retentive: retentiveLayout(partsOfProgram(program), this.#retentiveFlags),
          }
        : undefined
    this.#forces = program ? this.#keptForces.of(program.compiled.linked.areas) : []
    this.#traces.clear()
    if (program !== undefined || before !== undefined) this.events.emit('program', program?.hash)
  }

  async #powerOff(): Promise<void> {
    const thread = this.#running
    this.#setState('ShuttingDown')
    clearInterval(this.#care)
    await thread.end(stopGrace)
    await this.#retentive.keepForLast(this.#active)
    this.note('information', 'power-off', 'Power off.')
    this.#forget()
    await this.#lastState.settled()
    await this.#keptTimeZone.settled()
    this.#setState('Off')
  }

  #forget(): void {
    clearInterval(this.#care)
    this.#thread = undefined
    const hadProgram = this.#active !== undefined
    this.#active = undefined
    this.#forces = []
    const { pulledModules: _plugged, ...options } = this.#options
    this.#options = options
    this.#clearAlarms('The controller was powered off.')
    if (hadProgram) this.events.emit('program', undefined)
  }

  #clearAlarms(cause: string, time = this.time): void {
    const gone = this.#alarms.clear(time, cause)
    if (gone.length > 0) this.events.emit('alarms', gone)
  }

  /** The thread ended unexpectedly or was killed: a new one is started in Stop, with the retentive data. */
  async #died(reason: string): Promise<void> {
    const program = this.#active?.program
    const { time } = this
    clearInterval(this.#care)
    this.#thread = undefined
    if (this.#isDisposed || this.#state === 'Off') return
    const message = `The controller's thread ended (${reason}): it is started again, in STOP.`
    this.#enter({ severity: 'error', code: 'controller-ended', message, time })
    // Those of the thread that follows are new ones.
    this.#clearAlarms("The controller's thread ended.", time)
    this.#setState('Booting')
    await this.#inTurn(async () => {
      try {
        await this.#startThread(program)
        this.#setState('Stop')
      } catch (error) {
        this.note('error', 'controller-ended', `It could not be started again: ${(error as Error).message}`)
        this.#forget()
        this.#setState('Off')
      }
    })
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    await this.#thread?.kill()
    await this.#queue
    await this.#thread?.kill()
    this.#forget()
    await this.#retentive.settled()
    await this.#lastState.settled()
    await this.#keptTimeZone.settled()
    if (this.#state !== 'Off') this.#setState('Off')
  }

  async configure(options: ControllerOptions): Promise<void> {
    this.#options = options
    await this.#thread?.request({ kind: 'configure', options })
  }

  #setState(state: OperatingState): void {
    const before = this.#state
    if (state === before) return
    // While powering off the thread passes through Stop; clients see it shutting down.
    if (before === 'ShuttingDown' && state !== 'Off') return
    this.#state = state
    if (state === 'Run' || (state === 'Stop' && before !== 'Booting')) this.#lastState.save(state)
    this.events.emit('state', state, before)
  }

  get #running(): ControllerThread {
    if (!this.#thread) throw this.#wrong('This')
    return this.#thread
  }

  #require(transition: Transition): void {
    if (!this.allowed.includes(transition)) throw this.#wrong(transition)
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

  // ── Programs ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async planLoad(next: LoadPackage, options: LoadOptions): Promise<LoadReport> {
    this.#requireLoadable(options)
    return this.#plan(await readPackage(next), options).report
  }

  load(next: LoadPackage, options: LoadOptions): Promise<LoadReport> {
    return this.#inTurn(async () => {
      this.#requireLoadable(options)
      const program = await readPackage(next)
      const runnable = await makeRunnable(program)
      const { report, copies } = this.#plan(program, options)
      const generation = this.#generation + 1
      const forces = this.#keptForces.of(program.compiled.linked.areas)
      await this.#running.request({ kind: 'load', program: runnable, copies, generation, inRun: options.inRun, forces })
      this.#activate(program, runnable, generation)
      this.note('information', 'program-loaded', `Program ${program.hash.slice(0, 19)} was loaded.`)
      try {
        await this.#card.write(next)
      } catch (error) {
        const text = `The program runs, but the memory card could not be written: ${(error as Error).message}`
        this.note('error', 'memory-card-damaged', text)
        throw problem('internal_error', text, { cause: error })
      }
      await this.#retentive.keep()
      return report
    })
  }

  #requireLoadable({ inRun }: LoadOptions): void {
    const isRunning = this.#state === 'Run' || this.#state === 'Freeze'
    if (this.#state !== 'Stop' && !(inRun && isRunning))
      throw this.#wrong('Loading', isRunning ? 'it is loaded in STOP, or in RUN when that is asked for' : undefined)
  }

  #plan(next: LoadedProgram, { reinitialize }: LoadOptions) {
    return planCopies(this.program && partsOfProgram(this.program), partsOfProgram(next), reinitialize)
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
    const target = new Uint8Array(sizeOf(ranges))
    const boundary = await copyAtBoundary(this.#reachable(ranges, 'Reading'), () => this.#running, ranges, target)
    // In STOP nothing changes except the time.
    const now = this.#state === 'Stop' ? { time: this.time } : {}
    return { bytes: partsOf(ranges, target), ...boundary, ...now }
  }

  async write(writes: readonly MemoryWrite[]): Promise<void> {
    const { generation } = this.#reachable(writes.map(rangeOf), 'Writing')
    await this.#running.request({ kind: 'write', generation, writes })
  }

  async setForces(forces: readonly Force[]): Promise<void> {
    const { generation, program } = this.#reachable(forces.map(rangeOf), 'Forcing')
    await this.#running.request({ kind: 'forces', generation, forces })
    this.#forces = forces
    await this.#keptForces.write(forces, program.compiled.linked.areas)
  }

  async setModifications(modifications: readonly Modification[]) {
    const { generation } = this.#reachable(modifications.map(rangeOf), 'Modifying')
    return this.#running.request({ kind: 'modifications', generation, modifications })
  }

  /** Returns the memory of the program, when there is one and all ranges are in it. */
  #reachable(ranges: readonly MemoryRange[], what: string): Active {
    if (!this.#thread) throw this.#wrong(what)
    const active = this.#active
    if (!active) throw this.#wrong(what, 'no program is loaded')
    requireInside(ranges, active.memory.length)
    return active
  }

  async advance(
    by: { readonly cycles: number } | { readonly milliseconds: number },
    signal?: AbortSignal,
  ): Promise<{ cycles: number; time: number }> {
    signal?.throwIfAborted()
    const amount = 'cycles' in by ? by.cycles : by.milliseconds
    if (!(Number.isFinite(amount) && amount >= 0))
      throw problem('invalid_input', `Time cannot be advanced by ${amount}.`)
    const thread = this.#thread
    if (!thread) throw this.#wrong('Advancing')
    return thread.advance(by, signal)
  }

  network(event: NetworkEvent): void {
    void this.#thread?.request({ kind: 'network', event }).catch(() => undefined)
  }

  async acknowledge(selection: AlarmSelection, by: string): Promise<readonly string[]> {
    return this.#running.request({ kind: 'acknowledge', selection, by })
  }

  async setTime(milliseconds: number): Promise<void> {
    if (!this.#thread) throw this.#wrong('Setting the time')
    await this.#thread.request({ kind: 'setTime', time: milliseconds })
  }

  async raise(block: number, information: StartInformation): Promise<Raised> {
    if (!this.#thread) throw this.#wrong('Raising an event')
    return this.#thread.request({ kind: 'raise', block, information })
  }

  async startTrace(options: TraceOptions, name = ''): Promise<void> {
    const { generation } = this.#reachable(options.ranges, 'Tracing')
    requireTraceable(options)
    const trace = new TraceBuffer(options)
    await this.#running.request({ kind: 'startTrace', name, generation, options, buffer: trace.buffer })
    this.#traces.set(name, trace)
  }

  async stopTrace(name = ''): Promise<void> {
    await this.#thread?.request({ kind: 'stopTrace', name })
  }

  async trace(name = ''): Promise<readonly TraceSample[]> {
    return this.#traces.get(name)?.samples() ?? []
  }

  // ── Retentive data, diagnostics, care ─────────────────────────────────────────────────────────────────────────────

  /**
   * Copies the program's retentive data at a scan boundary; `undefined` when there are none, or another program was
   * loaded meanwhile.
   */
  async #copyRetentive(): Promise<RetentiveData | undefined> {
    const active = this.#active
    if (!active || active.retentive.ranges.length === 0) return undefined
    const bytes = new Uint8Array(sizeOf(active.retentive.ranges))
    await copyAtBoundary(active, () => this.#running, active.retentive.ranges, bytes)
    return active === this.#active ? { layout: active.retentive, bytes } : undefined
  }

  /** Saves retentive data, and ends a thread that hangs where the watchdog does not look. */
  async #takeCare(): Promise<void> {
    const thread = this.#thread
    if (!thread || this.#retentive.isSaving) return
    if (this.#state === 'Run' && hasHung(thread.control, this.#options)) {
      await thread.kill('an organization block ran on where no watchdog looks')
      return
    }
    await this.#retentive.save()
  }

  note(severity: DiagnosticEntry['severity'], code: string, message: string, id?: number): void {
    this.#enter({ severity, code, message, time: this.time, ...defined({ eventId: id }) })
  }

  #enter(entry: RawEntry): void {
    this.events.emit('diagnostic', this.#diagnostics.add(entry, this.program))
  }
}
