/**
 * The cycle of a controller: when each organization block runs, on which memory, and what ends it. It has no threads
 * and does not wait; the thread (worker.ts) calls it. README.md describes the model.
 */
import { defined } from '../../../core/index.ts'
import { faultText, type ProgrammingFault } from '../../../plc/library/faults.ts'
import type { Raised, StartInformation } from '../../../plc/runtime/block-events.ts'
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import { BlockStarts, firstCycle, laterCycle, warmRestart } from './block-starts.ts'
import type { ControllerOptions, MemoryRange, MemoryWrite, OperatingState, TraceOptions } from './contract.ts'
import { type ControlBlock, monotonic, requests } from './control-block.ts'
import { CycleMonitor, cycleTimesOf, roundsBetweenLooks } from './cycle-monitor.ts'
import { DiagnosticFilter } from './diagnostic-filter.ts'
import { eventId } from './event-ids.ts'
import { cycleTimeExceeded, eventsLost, Halt, haltEntry, stopInstruction, stoppedInside, timeExceeded } from './halt.ts'
import { HardwareInterrupts } from './hardware-interrupts.ts'
import type { MachineEvents } from './machine-events.ts'
import type { Boundary, Copy, RawEntry, RunnableProgram } from './messages.ts'
import { type Information, type OrganizationBlockPlan, writeInformation } from './organization-blocks.ts'
import { type PreparedProgram, prepareProgram } from './prepared-program.ts'
import type { ProcessImage } from './process-image.ts'
import type { InterruptEvent } from './schedule.ts'
import { copyRanges, sizeOf } from './snapshot.ts'
import { classicInformation, dataBlockNumber, faultInformation } from './start-information.ts'
import { Surroundings } from './surroundings.ts'
import { TraceBuffer } from './trace-buffer.ts'
import { VirtualTime } from './virtual-time.ts'

const never = Number.POSITIVE_INFINITY
/** The most late cycles that are caught up. */
const mostLate = 10

/** Runs the cycles of one controller. */
export class Machine {
  readonly #control: ControlBlock
  readonly #events: MachineEvents
  readonly time: VirtualTime
  readonly #monitor: CycleMonitor
  readonly #diagnostics: DiagnosticFilter
  readonly around: Surroundings
  #options: ControllerOptions
  #state: OperatingState = 'Stop'
  #loaded: PreparedProgram | undefined
  readonly #traces = new Map<string, TraceBuffer>()
  #cycles = 0
  /** Virtual time at which the next cycle should begin, and the earliest time at which a late one may, ns. */
  #nextCycle = 0
  #earliestCycle = 0
  /** Start of the last cycle, ms: on the computer's clock, in stepped time in virtual time; NaN after a pause. */
  #lastBegin = Number.NaN
  #isDiagnosticsChanged = false
  /** For startup blocks: true when the retentive data were lost and have start values. */
  #isRetentiveLost: boolean
  /** The priority that an interrupt must exceed; 0 when nothing runs. */
  #priority = 0
  readonly #starts = new BlockStarts()

  constructor(
    control: ControlBlock,
    options: ControllerOptions,
    events: MachineEvents,
    alarmWords: SharedArrayBuffer,
    isRetentiveLost = false,
    timeZone?: TimeZone,
  ) {
    this.#isRetentiveLost = isRetentiveLost
    this.#control = control
    this.#options = options
    this.#events = events
    this.time = new VirtualTime(control, options.time, options.startTime ?? Date.now(), options.utcOffsetMinutes)
    this.time.onSystemTimeSet = (skipped) => this.#loaded?.schedule.systemTimeSet(skipped)
    if (timeZone) this.time.setTimeZone(timeZone)
    this.time.onTimeZoneSet = (zone) => {
      this.#loaded?.schedule.timeZoneSet()
      events.timeZone(zone)
    }
    this.#monitor = new CycleMonitor(this.time)
    this.#diagnostics = new DiagnosticFilter((entry) => events.diagnostic(entry))
    this.around = new Surroundings(this, events, alarmWords)
    this.#setBoundary()
  }

  get state(): OperatingState {
    return this.#state
  }
  get hasProgram(): boolean {
    return this.#loaded !== undefined
  }
  get cycles(): number {
    return this.#cycles
  }
  get options(): ControllerOptions {
    return this.#options
  }

  // ── Programs ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Replaces the program; its memory already contains start values. */
  load(program: RunnableProgram, copies: readonly Copy[], generation: number): void {
    const before = this.#loaded
    const isRunning = this.#state !== 'Stop'
    const loaded = prepareProgram(program, this.#options, this.time, {
      onFault: (...fault) => this.#onFault(...fault),
      onLook: (block, site, rounds) => this.#onLook(block, site, rounds),
      roundsBetweenLooks: () =>
        roundsBetweenLooks(
          this.time,
          this.#state === 'Run' ? this.#loaded?.schedule.nextAbove(this.#priority) : undefined,
        ),
      onStop: () => {
        throw stopInstruction(this.#starts.running)
      },
      onRetrigger: () => this.#monitor.restart(),
      running: () => this.#starts.running,
      startedBlocks: () => this.#starts.told(),
      cycleTimes: () => cycleTimesOf(this.#control.statistics, this.#options),
      ...this.around,
    })
    this.#change(() => {
      // Without forces the inputs get their external values again.
      before?.image.setForces([])
      if (before) loaded.memory.takeOver(before.memory.bytes, copies)
      loaded.image.valuesTaken()
      this.#loaded = loaded
      this.#traces.clear()
      this.around.load(program)
      this.#control.generation = generation
      if (isRunning) loaded.schedule.start(this.time.nanoseconds)
    })
  }

  // ── States ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** STOP → STARTUP → RUN: a warm restart. Ends in Stop when the startup fails. */
  run(): void {
    const loaded = this.#loaded
    if (!loaded) return
    this.#control.clearStatistics()
    this.#setState('Startup')
    this.note('information', 'mode-change', 'The controller is in STARTUP: warm restart.', eventId.startup)
    this.#cycles = 0
    this.#lastBegin = Number.NaN
    this.#diagnostics.clear()
    this.#monitor.off()
    this.time.restart()
    loaded.schedule.reset(this.#options)
    this.around.clear('The controller was restarted.')
    this.#change(() => {
      loaded.memory.restart(this.#options.retentiveFlags)
      loaded.image.applyForces()
      loaded.image.setClock(this.time.nanoseconds)
      loaded.image.setSystem(false, false)
      const information = { LOSTRETENTIVE: this.#isRetentiveLost, STRTUP: warmRestart }
      for (const block of loaded.startup) if (!this.#attempt(block, information)) break
    })
    if (this.#state !== 'Startup') return
    const now = this.time.nanoseconds
    this.#nextCycle = now
    this.#earliestCycle = now
    this.#isRetentiveLost = false
    loaded.schedule.start(now)
    this.#setState('Run')
    this.note('information', 'mode-change', 'STARTUP has ended: the controller is in RUN.', eventId.run)
  }

  /** Goes to STOP by command. */
  stop(): void {
    this.#goToStop({
      severity: 'information',
      code: 'mode-change',
      eventId: this.#state === 'Hold' ? eventId.holdToStop : eventId.stopCommand,
      message: 'The controller goes to STOP by command.',
    })
  }

  /** HOLD: no block runs, no timer goes on, the outputs are as in STOP; only the clock of the day goes on. */
  hold(isHeld: boolean): void {
    const image = this.#loaded?.image
    this.time.hold(isHeld)
    this.#lastBegin = Number.NaN
    this.#change(() => (isHeld ? image?.hold() : image?.continue()))
    const [id, text] = isHeld
      ? [eventId.hold, 'HOLD by command: the program stands.']
      : [eventId.holdLeft, 'HOLD has ended: the program goes on where it was.']
    this.#setState(isHeld ? 'Hold' : 'Run')
    this.note('information', 'mode-change', text, id)
  }

  freeze(isFrozen: boolean): void {
    this.time.freeze(isFrozen)
    // The time in between is not cycle time.
    this.#lastBegin = Number.NaN
    this.#setState(isFrozen ? 'Freeze' : 'Run')
    this.note('information', 'mode-change', isFrozen ? 'Virtual time stands.' : 'Virtual time goes on.')
  }

  memoryReset(): void {
    const loaded = this.#loaded
    this.#isRetentiveLost = true
    this.around.clear('The memory was reset.')
    this.#change(() => {
      loaded?.memory.reset()
      loaded?.image.applyForces()
    })
    this.note('information', 'memory-reset', 'Memory reset: all data have their start values.', eventId.memoryReset)
  }

  configure(options: ControllerOptions): void {
    const before = this.#options
    // Retentive flags and the offset of local time apply from the next power-on.
    const { retentiveFlags, utcOffsetMinutes } = before
    this.#options = { ...options, retentiveFlags, utcOffsetMinutes }
    if (JSON.stringify(before.time) !== JSON.stringify(options.time)) {
      this.time.setMode(options.time)
      const now = this.time.nanoseconds
      // A late cycle begins now: stepped time has nothing to catch up.
      this.#nextCycle = Math.max(now, Math.min(this.#nextCycle, now + this.cycleTime))
      this.#earliestCycle = now
      this.#lastBegin = Number.NaN
    }
    if (this.#loaded) {
      const { image, memory, program } = this.#loaded
      image.configure(options)
      this.#loaded.hardware = new HardwareInterrupts(memory.bytes, program.linked.areas.PI, options)
    }
    this.#loaded?.schedule.configure(options)
    this.around.configure(options)
  }

  /** The program activated or deactivated IO devices. */
  readonly devicesChanged = (): void => this.#loaded?.image.setGone(this.around.gone)

  /** Adds an entry to the diagnostics buffer. */
  note(severity: RawEntry['severity'], code: string, message: string, id?: number): void {
    this.#enter({ severity, code, message, ...defined({ eventId: id }) })
  }

  #enter(entry: Omit<RawEntry, 'time'>): void {
    this.#isDiagnosticsChanged = true
    this.#diagnostics.enter({ ...entry, time: this.time.systemMilliseconds })
  }

  #setState(state: OperatingState): void {
    this.#state = state
    this.#events.state(state)
  }

  #goToStop(entry: Omit<RawEntry, 'time'>): void {
    const loaded = this.#loaded
    if (this.#state === 'Freeze') this.time.freeze(false)
    if (this.#state === 'Hold') this.time.hold(false)
    loaded?.schedule.stop()
    this.around.stopped()
    this.#monitor.off()
    this.#change(() => {
      loaded?.image.modify('stop')
      loaded?.image.outputsOff()
    })
    this.#enter(entry)
    this.#setState('Stop')
  }

  // ── Data ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads the ranges one after the other, with the boundary at which they were read. */
  read(ranges: readonly MemoryRange[]): Boundary & { readonly bytes: Uint8Array } {
    const bytes = new Uint8Array(sizeOf(ranges))
    if (this.#loaded) copyRanges(this.#loaded.memory.bytes, ranges, bytes)
    return { bytes, ...this.#control.boundary }
  }

  write(writes: readonly MemoryWrite[]): void {
    const loaded = this.#loaded
    if (!loaded) return
    this.#change(() => {
      loaded.image.write(writes)
      loaded.hardware.look((block, information) => this.raise(block, information))
    })
  }

  /** Raises an event of an organization block; outside of RUN it is lost. */
  raise(block: number, information: StartInformation): Raised {
    const loaded = this.#loaded
    if (!loaded || this.#state === 'Stop') return 'lost'
    const became = loaded.schedule.raise(block, information)
    if (became === 'lost') this.#control.countLostEvents(1)
    return became
  }

  setForces(forces: Parameters<ProcessImage['setForces']>[0]): void {
    this.#change(() => this.#loaded?.image.setForces(forces))
  }

  setModifications(modifications: Parameters<ProcessImage['setModifications']>[0]): void {
    this.#loaded?.image.setModifications(modifications)
  }

  startTrace(name: string, options: TraceOptions, buffer: SharedArrayBuffer): void {
    this.#traces.set(name, new TraceBuffer(options, buffer))
  }
  stopTrace(name: string): void {
    this.#traces.delete(name)
  }

  #change(work: () => void): void {
    this.#control.beginChange()
    try {
      work()
    } finally {
      this.#setBoundary()
      this.#control.endChange()
    }
  }

  #setBoundary(): void {
    const { time } = this
    this.#control.setBoundary(this.#cycles, time.systemMilliseconds, time.nanoseconds)
  }

  // ── Cycle ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Time from one cycle to the next, ns. */
  get cycleTime(): number {
    const { time, minimumCycleTimeMs } = this.#options
    return (time.mode === 'stepped' ? time.cycleTimeMs : minimumCycleTimeMs) * 1e6
  }

  /** Virtual time of the next action, ns. */
  get next(): number {
    const { next } = this.#loaded?.schedule ?? { next: never }
    return Math.min(next, this.nextCycle)
  }

  /** Virtual time at which the next cycle begins, ns. */
  get nextCycle(): number {
    return Math.max(this.#nextCycle, this.#earliestCycle)
  }

  /** Executes what is due at `now`: interrupts by priority, then a cycle. */
  work(now: number): void {
    const loaded = this.#loaded
    if (!loaded || this.#state !== 'Run') return
    if (loaded.schedule.next <= now) {
      // Between two cycles an interrupt has the full maximum cycle time.
      this.#monitor.restart()
      this.#change(() => this.#runDue(loaded, now))
      if (this.#state !== 'Run') return
    }
    if (this.nextCycle > now) return
    const length = this.cycleTime
    // Late cycles are caught up at twice the pace, but only a few: the computer may have been busy.
    const begin = now - this.#nextCycle < mostLate * length ? this.#nextCycle : now
    this.#nextCycle = begin + length
    this.#earliestCycle = now + length / 2
    this.#cycle(loaded, now)
  }

  /** Called when only the time has changed. */
  timeMoved(): void {
    this.#change(() => undefined)
  }

  #cycle(loaded: PreparedProgram, now: number): void {
    const { image, memory, cyclic, schedule } = loaded
    const control = this.#control
    const begin = monotonic()
    const start = this.time.mode.mode === 'real' ? begin : now / 1e6
    if (start >= this.#lastBegin) control.countInterval(start - this.#lastBegin)
    this.#lastBegin = start
    this.#monitor.restart(begin)
    control.begunCycles = this.#cycles + 1
    control.beginChange()
    image.update()
    image.setClock(now)
    image.setSystem(this.#cycles === 0, this.#isDiagnosticsChanged)
    this.#isDiagnosticsChanged = false
    image.modify('start')
    const information = this.#cycles === 0 ? firstCycle : laterCycle
    let isWhole = true
    for (const block of cyclic) {
      if (schedule.next <= now && !this.#runDue(loaded, now)) isWhole = false
      else if (!this.#attempt(block, information, block === cyclic[0] ? begin : undefined)) isWhole = false
      if (!isWhole) break
    }
    if (isWhole) {
      image.modify('end')
      image.applyForces()
      this.around.endOfCycle({ view: loaded.host.view, bytes: memory.bytes })
      this.#cycles++
      this.#setBoundary()
      control.countExecution(monotonic() - begin)
      for (const trace of this.#traces.values()) trace.endOfCycle(memory.bytes, this.#cycles, control.boundary.time)
    }
    // A cycle that took longer than its time is followed by the next: stepped time has nothing to catch up.
    if (this.time.mode.mode === 'stepped') this.#nextCycle = Math.max(this.#nextCycle, this.time.nanoseconds)
    control.endChange()
  }

  /** Runs the interrupts that are due, the highest priority first. Returns false when the controller went to STOP. */
  #runDue(loaded: PreparedProgram, now: number): boolean {
    for (let event = loaded.schedule.take(now); event; event = loaded.schedule.take(now)) {
      this.#noteLost(event)
      loaded.image.setClock(now)
      if (!this.#attempt(event.block, event.information)) return false
    }
    return true
  }

  /** Runs the interrupts that are due and have a higher priority than what runs, in the middle of it. */
  #preempt(): void {
    const loaded = this.#loaded
    if (!loaded || this.#state !== 'Run') return
    const now = this.time.nanoseconds
    while (loaded.schedule.nextAbove(this.#priority) <= now) {
      const event = loaded.schedule.take(now, this.#priority)
      if (event === undefined) return
      this.#noteLost(event)
      this.#run(event.block, event.information, undefined, true)
      this.#checkCycleTime(event.block)
    }
  }

  #noteLost({ block, lost }: InterruptEvent): void {
    if (lost === 0) return
    this.#control.countLostEvents(lost)
    this.#enter(eventsLost(block))
  }

  /** Runs an organization block and checks the cycle time. Returns false when the controller went to STOP. */
  #attempt(block: OrganizationBlockPlan, information: Information, begin?: number): boolean {
    try {
      this.#run(block, information, begin)
      this.#checkCycleTime(block)
      return true
    } catch (fault) {
      this.#starts.leave(undefined)
      this.#priority = 0
      this.#goToStop(haltEntry(fault, block.name))
      return false
    } finally {
      this.#control.runningSince = 0
    }
  }

  /**
   * @param begin when the block begins, on the computer's clock
   * @param isInterrupt it runs in the middle of another block, on a stack of its own
   */
  #run(block: OrganizationBlockPlan, information: Information, begin?: number, isInterrupt = false): void {
    const loaded = this.#loaded as PreparedProgram
    const { schedule } = loaded
    const [priority, delays] = [this.#priority, schedule.delays]
    const before = this.#starts.enter({ block, information })
    // An error's block runs with the priority of what it interrupts, when that is higher.
    this.#priority = Math.max(priority, block.priority)
    if (before === undefined) this.#control.runningSince = this.#monitor.blockBegins(begin)
    if (block.information.length > 0)
      writeInformation(block, { ...classicInformation(block, this.time), ...information }, loaded.host.view)
    const { partitions } = loaded.image
    const partition = partitions.isWithoutBlocks ? undefined : partitions.ofBlock(block)
    if (partition !== undefined) loaded.image.readInputs(partition)
    if (isInterrupt) loaded.host.interrupt(block.name)
    else loaded.host.run(block.name)
    if (partition !== undefined) loaded.image.writeOutputs(partition)
    this.#starts.leave(before)
    this.#priority = priority
    schedule.delays = delays
  }

  /** Maximum cycle time exceeded: OB 80 or STOP; exceeded twice in one cycle: always STOP. */
  #checkCycleTime(block: OrganizationBlockPlan): void {
    const elapsed = this.#monitor.look()
    const limit = this.#options.maximumCycleTimeMs
    if (elapsed <= limit) return
    const { timeError } = this.#loaded as PreparedProgram
    if (!this.#monitor.wasExceeded) {
      this.#monitor.wasExceeded = true
      this.#control.countOverrun()
    } else if (elapsed <= 2 * limit) return
    if (timeError === undefined || elapsed > 2 * limit) throw this.#timeExceeded(block.name, undefined, elapsed)
    this.#enter(cycleTimeExceeded(block, limit, timeError))
    this.#run(timeError, { FAULT_ID: 1, FLT_ID: 1, CSG_OBNR: block.number, CSG_PRIO: block.priority })
    const withHandler = this.#monitor.look()
    if (withHandler > 2 * limit) throw this.#timeExceeded(timeError.name, undefined, withHandler)
  }

  #timeExceeded(block: string, site: number | undefined, elapsed: number): Halt {
    const hasHandler = this.#loaded?.timeError !== undefined
    return timeExceeded(block, site, { elapsed, limit: this.#options.maximumCycleTimeMs, hasHandler })
  }

  /** Called when the program accesses an invalid address: OB 121 runs immediately; without it there is STOP. */
  #onFault(block: string, site: number, fault: ProgrammingFault, isMasked: boolean): void {
    const [handler, running] = [this.#loaded?.programmingError, this.#starts.running]
    const entry = { severity: 'error', code: 'programming-error', block, site } as const
    const what = `Programming error in "${block}": ${faultText(fault)}`
    if (!isMasked && (handler === undefined || running === handler)) {
      const why = handler === undefined ? 'there is no OB 121' : 'it is OB 121 itself'
      const message = `${what}; ${why}: the controller goes to STOP.`
      throw new Halt({ ...entry, eventId: eventId.stopProgrammingError, message })
    }
    // An S7-1500 writes masked errors to the diagnostics buffer too.
    const then = isMasked ? 'it is masked' : `OB ${handler?.number} runs`
    this.#enter({ ...entry, eventId: fault.id, message: `${what}; ${then}.` })
    if (isMasked || !handler) return
    const program = this.#loaded?.program
    const number = dataBlockNumber(program, fault.dataBlock)
    this.#run(handler, faultInformation(fault, number, program?.codeBlocks.get(block), running))
  }

  #onLook(block: string, site: number, rounds: number): void {
    this.#monitor.passed(rounds)
    if (this.#state === 'Run' && this.time.mode.mode === 'stepped') {
      this.time.moveTo(this.time.nanoseconds + rounds)
      if (this.#monitor.endsByRounds(this.#options.maximumCycleTimeMs)) this.#control.runningSince = monotonic()
    }
    if (this.#control.request === requests.stop) throw stoppedInside(block, site)
    const elapsed = this.#monitor.look()
    const limit = this.#options.maximumCycleTimeMs
    if (elapsed > 2 * limit || (elapsed > limit && this.#loaded?.timeError === undefined)) {
      if (!this.#monitor.wasExceeded) this.#control.countOverrun()
      throw this.#timeExceeded(block, site, elapsed)
    }
    // Instructions of the library are not interrupted.
    if (block.startsWith('$')) return
    this.#events.look()
    this.#preempt()
  }
}
