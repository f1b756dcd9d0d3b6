/**
 * Schedules the interrupts of a program: cyclic, delay and time-of-day interrupts in virtual time, and events that were
 * raised (plc/runtime/block-events.ts). The instructions SRT_DINT, SET_TINT, SET_CINT and similar ones change it. Of
 * events of one priority the earlier runs first; DIS_IRT discards those of the blocks that it locks. An event that
 * occurs while as many wait as the block may have is lost, counted, and calls OB 80.
 */
import { BlockEvents, type Raised, type StartInformation } from '../../../plc/runtime/block-events.ts'
import { InterruptLocks } from '../../../plc/runtime/interrupt-locks.ts'
import {
  cyclicLimits,
  type InterruptPeriod,
  type InterruptState,
  type Interrupts,
  interruptStatus,
} from '../../../plc/runtime/interrupts.ts'
import type { ControllerOptions } from './contract.ts'
import { cycleOf, type Information, type OrganizationBlockPlan } from './organization-blocks.ts'
import { nextOccurrence } from './time-of-day.ts'
import type { VirtualTime } from './virtual-time.ts'

const never = Number.POSITIVE_INFINITY

/** An organization block that should run. */
export interface InterruptEvent {
  readonly block: OrganizationBlockPlan
  readonly information: Information
  /** Number of lost events before it. */
  readonly lost: number
}

interface Source {
  readonly block: OrganizationBlockPlan
  /** Virtual time, ns. */
  due: number
}
interface Cyclic extends Source {
  cycleUs: number
  phaseUs: number
  isFirst: boolean
  /** Lost events of those that are due for which OB 80 was called. */
  told: number
}
interface Delay extends Source {
  sign: number
}
interface RaisedSource extends Source {
  /** When each waiting event came, and as which of all. */
  readonly arrivals: { readonly at: number; readonly order: number }[]
}
interface TimeOfDay extends Source {
  setting: { readonly start: number; readonly isLocal: boolean; readonly period: InterruptPeriod } | undefined
  isActive: boolean
  /** System time at which it is due, ms. */
  wanted?: number
}

/** Longest delay of SRT_DINT: 60 s. */
const longestDelay = 60_000_000_000n

/** Classes whose events are raised. */
const raisedClasses = [
  'HardwareInterrupt',
  'Status',
  'Update',
  'Profile',
  'DiagnosticErrorInterrupt',
  'PullOrPlugOfModules',
  'RackOrStationFailure',
  'TimeErrorInterrupt',
  'ProgrammingError',
  'IOAccessError',
]
/** Events of a clock that wait when the block does not say how many: TIA Portal's default. */
const usualQueue = 1
/** OB 80, FAULT_ID: overflow of the queue of a block (S7-1200 manual, start information of OB 80). */
const queueOverflow = 0x07
/**
 * OB 80 is called at most this often for the lost events of one block that wait at once: the computer can be suspended.
 */
const mostTold = 1000

/** The interrupts of one program. */
export class Schedule implements Interrupts {
  readonly #time: VirtualTime
  readonly #blocks: readonly OrganizationBlockPlan[]
  readonly #cyclic: Cyclic[]
  readonly #delay: Delay[]
  readonly #timeOfDay: TimeOfDay[]
  readonly #raised: RaisedSource[]
  readonly #locks: InterruptLocks
  readonly #events: BlockEvents
  readonly #timeError: OrganizationBlockPlan | undefined
  readonly #all: readonly Source[]
  #next = never
  #delays = 0
  /** Events that were raised. */
  #arrived = 0
  /** Start of RUN, ns; cycles and phases count from it. */
  #origin = 0

  constructor(blocks: readonly OrganizationBlockPlan[], options: ControllerOptions, time: VirtualTime) {
    this.#time = time
    this.#blocks = blocks
    const of = (eventClass: string) => blocks.filter((block) => block.eventClass === eventClass)
    // Isochronous blocks have a cycle only when the options give them one: there is no bus with a clock.
    this.#cyclic = [...of('CyclicInterrupt'), ...of('SynchronousCycle')].map((block) => {
      return { block, due: never, isFirst: true, cycleUs: 0, phaseUs: 0, told: 0 }
    })
    this.#delay = of('TimeDelayInterrupt').map((block) => ({ block, due: never, sign: 0 }))
    this.#timeOfDay = of('TimeOfDay').map((block) => ({ block, due: never, isActive: false, setting: undefined }))
    this.#raised = raisedClasses.flatMap(of).map((block) => ({ block, due: never, arrivals: [] }))
    this.#locks = new InterruptLocks(blocks)
    this.#timeError = of('TimeErrorInterrupt')[0]
    this.#events = new BlockEvents(
      this.#raised.map(({ block }) => (block === this.#timeError ? { ...block, eventsToBeQueued: mostTold } : block)),
    )
    this.#all = [...this.#cyclic, ...this.#delay, ...this.#timeOfDay, ...this.#raised]
    this.reset(options)
  }

  /** STARTUP: deletes the settings of the program's last run. */
  reset(options: ControllerOptions): void {
    this.stop()
    this.#locks.clear()
    for (const source of this.#cyclic) Object.assign(source, cycleOf(source.block, options))
    for (const source of this.#timeOfDay) {
      const { timeOfDay } = source.block
      source.isActive = timeOfDay !== undefined
      source.setting = timeOfDay && {
        start: startOf(timeOfDay.start),
        isLocal: true,
        period: periodOf(timeOfDay.period),
      }
    }
  }

  /** RUN begins: cycles count from `now`. Delays that startup blocks started continue. */
  start(now: number): void {
    this.#origin = now
    for (const source of this.#cyclic) this.#begin(source)
    this.#placeTimesOfDay()
    this.#findNext()
  }

  /** STOP: there are no more events. */
  stop(): void {
    for (const source of this.#all) source.due = never
    for (const { arrivals } of this.#raised) arrivals.length = 0
    this.#events.clear()
    this.#delays = 0
    this.#next = never
  }

  /** Applies cycles and phases of the controller's options. */
  configure(options: ControllerOptions): void {
    for (const source of this.#cyclic) {
      const { cycleUs, phaseUs } = cycleOf(source.block, options)
      if (cycleUs === source.cycleUs && phaseUs === source.phaseUs) continue
      Object.assign(source, { cycleUs, phaseUs })
      if (source.due !== never) this.#begin(source)
    }
    this.#findNext()
  }

  /**
   * Reacts to a jump of the system time. Time-of-day interrupts that it skips are lost, and call OB 80.
   * @param skipped the event, whose number is the FAULT_ID of OB 80
   */
  systemTimeSet(skipped: number): void {
    for (const source of this.#timeOfDay) {
      const { wanted } = source
      if (source.due === never || wanted === undefined) continue
      if (wanted <= this.#time.systemMilliseconds && source.due > this.#time.nanoseconds)
        this.#raiseTimeError(source.block, skipped & 0xff)
    }
    this.#placeTimesOfDay()
    this.#findNext()
  }

  /** Reacts to another local time. */
  timeZoneSet(): void {
    this.#placeTimesOfDay()
    this.#findNext()
  }

  /** Virtual time of the next event, ns; `Infinity` when there is none. */
  get next(): number {
    return this.#next
  }

  /** Virtual time of the next event that may interrupt a block of this priority, ns. */
  nextAbove(priority: number): number {
    let next = never
    if (this.#delays > 0 || this.#next === never) return next
    for (const source of this.#all)
      if (source.block.priority > priority && source.due < next && !this.#isOff(source)) next = source.due
    if (this.#timeError && this.#timeError.priority > priority)
      for (const source of this.#cyclic) if (!this.#isOff(source)) next = Math.min(next, nextLoss(source))
    return next
  }

  /** DIS_AIRT calls that wait for EN_AIRT; they apply until the block that made them ends. */
  get delays(): number {
    return this.#delays
  }
  set delays(count: number) {
    this.#delays = count
  }

  /** Returns the due event of the highest priority, when that is above the given one. */
  take(now: number, above = 0): InterruptEvent | undefined {
    if (this.#next > now) return undefined
    if (this.#timeError) this.#noticeLosses()
    let chosen: Source | undefined
    for (const source of this.#all)
      if (source.due <= now && source.block.priority > above && !this.#isOff(source))
        if (chosen === undefined || isBefore(source, chosen)) chosen = source
    if (chosen === undefined) return undefined
    const event = this.#event(chosen)
    this.#findNext()
    return event
  }

  #event(source: Source): InterruptEvent {
    const { block } = source
    if (isOf(this.#cyclic, source)) {
      const period = source.cycleUs * 1000
      // What ran before it may have taken long.
      const waiting = Math.floor((this.#time.nanoseconds - source.due) / period)
      const lost = Math.max(0, waiting + 1 - queueOf(block))
      source.due += (lost + 1) * period
      source.told = 0
      const information = { INITIAL_CALL: source.isFirst, EVENT_COUNT: Math.min(lost, 32_767) }
      source.isFirst = false
      return { block, information, lost }
    }
    if (isOf(this.#delay, source)) {
      source.due = never
      return { block, information: { SIGN: source.sign, DTIME: 0 }, lost: 0 }
    }
    if (isOf(this.#raised, source)) {
      const information = this.#events.take(block.number) ?? {}
      source.arrivals.shift()
      source.due = source.arrivals[0]?.at ?? never
      return { block, information, lost: 0 }
    }
    const timeOfDay = source as TimeOfDay
    if (timeOfDay.setting?.period === 'once') timeOfDay.isActive = false
    this.#placeTimeOfDay(timeOfDay)
    return { block, information: {}, lost: 0 }
  }

  /**
   * Raises an event of a block; it runs by its priority. A lost one calls OB 80.
   * @param block number of the organization block
   */
  raise(block: number, information: StartInformation): Raised {
    if (this.#locks.isLocked(block)) return 'lost'
    const became = this.#events.raise(block, information)
    const source = became === 'no-block' ? undefined : numbered(this.#raised, block)
    if (source === undefined) return 'no-block'
    if (became === 'lost') this.#raiseTimeError(source.block)
    else this.#arrive(source)
    this.#findNext()
    return became
  }

  /** An event of a block waits from now on. */
  #arrive(source: RaisedSource): void {
    source.arrivals.push({ at: this.#time.nanoseconds, order: ++this.#arrived })
    source.due = source.arrivals[0]?.at ?? never
  }

  /** Whether the next event of a block is discarded. */
  #isOff({ block, due }: Source): boolean {
    return this.#locks.discards(block.number, due)
  }

  /** Whether a block waits for the clock or for events that are raised. */
  hasBlock(block: number): boolean {
    return numbered(this.#all, block) !== undefined
  }

  #raiseTimeError({ number, priority, isTimeErrorEnabled = true }: OrganizationBlockPlan, fault = queueOverflow): void {
    const handler = this.#timeError
    if (handler === undefined || !isTimeErrorEnabled || number === handler.number) return
    if (this.#locks.isLocked(handler.number)) return
    const information = { FAULT_ID: fault, FLT_ID: fault, CSG_OBNR: number, CSG_PRIO: priority }
    if (this.#events.raise(handler.number, information) !== 'queued') return
    const source = numbered(this.#raised, handler.number)
    if (source) this.#arrive(source)
  }

  /** Calls OB 80 for the cyclic events that were lost until now. */
  #noticeLosses(): void {
    const now = this.#time.nanoseconds
    for (const source of this.#cyclic)
      for (; source.told < mostTold && nextLoss(source) <= now && !this.#isOff(source); source.told++)
        this.#raiseTimeError(source.block)
  }

  #begin(source: Cyclic): void {
    source.isFirst = true
    source.told = 0
    const period = source.cycleUs * 1000
    if (!(period > 0)) {
      source.due = never
      return
    }
    // Start times are n × cycle + phase from the start of RUN.
    const first = this.#origin + source.phaseUs * 1000 + (source.phaseUs > 0 ? 0 : period)
    const now = this.#time.nanoseconds
    source.due = first > now ? first : first + Math.ceil((now - first) / period) * period
  }

  #placeTimesOfDay(): void {
    for (const source of this.#timeOfDay) this.#placeTimeOfDay(source)
  }

  #placeTimeOfDay(source: TimeOfDay): void {
    const { setting } = source
    if (setting === undefined || !source.isActive) {
      source.due = never
      return
    }
    const ahead = setting.isLocal ? this.#time.localOffsetMs : 0
    const next = nextOccurrence(setting.start, setting.period, this.#time.systemMilliseconds + ahead)
    const at = next !== undefined && setting.isLocal ? this.#time.systemMillisecondsOf(next) : next
    source.due = at === undefined ? never : this.#time.whenSystemTimeIs(at)
    if (at !== undefined) source.wanted = at
  }

  #findNext(): void {
    let next = never
    for (const source of this.#all) if (source.due < next && !this.#isOff(source)) next = source.due
    this.#next = next
  }

  // ── Instructions ──────────────────────────────────────────────────────────────────────────────────────────────────

  startDelay(block: number, nanoseconds: bigint, sign: number): number {
    const source = numbered(this.#delay, block)
    if (source === undefined) return interruptStatus.wrongBlock
    if (nanoseconds < 1_000_000n || nanoseconds > longestDelay) return interruptStatus.wrongTime
    source.due = this.#time.nanoseconds + Number(nanoseconds)
    source.sign = sign
    this.#findNext()
    return 0
  }

  cancelDelay(block: number): number {
    const source = numbered(this.#delay, block)
    if (source === undefined) return interruptStatus.wrongBlock
    if (source.due === never) return interruptStatus.notStarted
    source.due = never
    this.#findNext()
    return 0
  }

  queryDelay(block: number): InterruptState | undefined {
    const source = numbered(this.#delay, block)
    const isLocked = this.#locks.isLocked(block)
    const isActive = source !== undefined && source.due !== never && !(this.#isOff(source) && this.#isPast(source))
    return source && { isLocked, isActive, isLoaded: true }
  }

  setTimeOfDay(block: number, start: bigint, isLocal: boolean, period: InterruptPeriod, isActive: boolean): number {
    const source = numbered(this.#timeOfDay, block)
    if (source === undefined) return interruptStatus.wrongBlock
    const setting = { start: Number(start / 1000n) / 1000, isLocal, period }
    if (period === 'once') {
      const ahead = isLocal ? this.#time.localOffsetMs : 0
      if (setting.start < this.#time.systemMilliseconds + ahead) return interruptStatus.past
    }
    source.setting = setting
    source.isActive = isActive
    this.#placeTimeOfDay(source)
    this.#findNext()
    return 0
  }

  activateTimeOfDay(block: number): number {
    const source = numbered(this.#timeOfDay, block)
    if (source === undefined) return interruptStatus.wrongBlock
    if (source.setting === undefined) return interruptStatus.notStarted
    source.isActive = true
    this.#placeTimeOfDay(source)
    this.#findNext()
    return source.due === never ? interruptStatus.past : 0
  }

  cancelTimeOfDay(block: number): number {
    const source = numbered(this.#timeOfDay, block)
    if (source === undefined) return interruptStatus.wrongBlock
    if (!source.isActive) return interruptStatus.notStarted
    source.isActive = false
    source.due = never
    this.#findNext()
    return 0
  }

  queryTimeOfDay(block: number): InterruptState | undefined {
    const source = numbered(this.#timeOfDay, block)
    const isLocked = this.#locks.isLocked(block)
    return source && { isLocked, isActive: source.isActive && source.due !== never, isLoaded: true }
  }

  setCyclic(block: number, cycleUs: number, phaseUs: number): number {
    const source = numbered(this.#cyclic, block)
    if (source === undefined) return interruptStatus.wrongBlock
    if (cycleUs !== 0 && (cycleUs < cyclicLimits.least || cycleUs > cyclicLimits.most)) return interruptStatus.wrongTime
    if (phaseUs < 0 || phaseUs > cyclicLimits.most) return interruptStatus.wrongPhase
    source.cycleUs = cycleUs
    source.phaseUs = phaseUs
    this.#origin = this.#time.nanoseconds
    this.#begin(source)
    this.#findNext()
    return 0
  }

  queryCyclic(block: number): { readonly cycleUs: number; readonly phaseUs: number } | undefined {
    const source = numbered(this.#cyclic, block)
    return source && { cycleUs: source.cycleUs, phaseUs: source.phaseUs }
  }

  classOf(block: number): string | undefined {
    return this.#blocks.find(({ number }) => number === block)?.eventClass
  }

  lock(mode: number, block: number): number {
    const status = this.#locks.lock(mode, block, this.#time.nanoseconds)
    this.#findNext()
    return status
  }

  unlock(mode: number, block: number): number {
    // What occurred while it was locked does not run any more.
    const missed = this.#all.filter((source) => this.#isOff(source) && this.#isPast(source))
    const { status, blocks } = this.#locks.unlock(mode, block)
    for (const source of missed) if (blocks.includes(source.block.number)) this.#leavePast(source)
    this.#findNext()
    return status
  }

  #isPast({ due }: Source): boolean {
    return due <= this.#time.nanoseconds
  }

  #leavePast(source: Source): void {
    if (isOf(this.#cyclic, source)) {
      const period = source.cycleUs * 1000
      source.due += (Math.floor((this.#time.nanoseconds - source.due) / period) + 1) * period
      source.told = 0
    } else if (isOf(this.#timeOfDay, source)) {
      if (source.setting?.period === 'once') source.isActive = false
      this.#placeTimeOfDay(source)
    } else source.due = never
  }

  delayAll(): number {
    return ++this.#delays
  }

  releaseAll(): number | undefined {
    return this.#delays === 0 ? undefined : --this.#delays
  }
}

function queueOf({ eventsToBeQueued = usualQueue }: OrganizationBlockPlan): number {
  return eventsToBeQueued
}

/** When the next event of a cyclic interrupt is lost, unless the block runs before; virtual time, ns. */
function nextLoss({ block, due, cycleUs, told }: Cyclic): number {
  return due + (queueOf(block) + told) * cycleUs * 1000
}

/** Order: higher priority, then earlier event, then lower number. The clock comes before what is raised at a time. */
function isBefore(one: Source, other: Source): boolean {
  const [a, b] = [one.block, other.block]
  if (a.priority !== b.priority) return a.priority > b.priority
  if (one.due !== other.due) return one.due < other.due
  const [first, second] = [orderOf(one), orderOf(other)]
  return first === second ? a.number < b.number : first < second
}

function orderOf(source: Source | RaisedSource): number {
  return 'arrivals' in source ? (source.arrivals[0]?.order ?? 0) : 0
}

function isOf<T extends Source>(list: readonly T[], source: Source): source is T {
  return list.includes(source as T)
}

function numbered<T extends Source>(list: readonly T[], number: number): T | undefined {
  return list.find(({ block }) => block.number === number)
}

/** Milliseconds of a date and time without a time zone. */
function startOf(text: string): number {
  const time = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? 0 : time
}

function periodOf(period: string): InterruptPeriod {
  return `${period.charAt(0).toLowerCase()}${period.slice(1)}` as InterruptPeriod
}
