/**
 * Interrupts of a controller in virtual time: cyclic ones, delays (SRT_DINT) and times of day (SET_TINTL), as the
 * program sets them. The local time is UTC.
 */
import type { OrganizationBlock } from '../program/program-symbols.ts'
import type { Clock } from '../runtime/clock.ts'
import { InterruptLocks } from '../runtime/interrupt-locks.ts'
import { type InterruptPeriod, type InterruptState, type Interrupts, interruptStatus } from '../runtime/interrupts.ts'

/** An organization block that is due, in nanoseconds since the start. */
export interface DueInterrupt {
  readonly at: bigint
  readonly block: OrganizationBlock
  /** SIGN of SRT_DINT. */
  readonly sign?: number
}

interface Cyclic {
  readonly cycleUs: number
  readonly phaseUs: number
  next: bigint
}

interface TimeOfDay {
  /** System time in nanoseconds. */
  readonly start: bigint
  readonly period: InterruptPeriod
  isActive: boolean
  count: number
}

const minuteNs = 60_000_000_000n
const lengths: Readonly<Partial<Record<InterruptPeriod, bigint>>> = {
  minute: minuteNs,
  hour: 60n * minuteNs,
  day: 1440n * minuteNs,
  week: 10_080n * minuteNs,
}
const longestDelay = minuteNs
const defaultCycleUs = 100_000

export class VirtualInterrupts implements Interrupts {
  readonly #clock: Clock
  readonly #blocks: readonly OrganizationBlock[]
  readonly #cyclic = new Map<OrganizationBlock, Cyclic>()
  readonly #delays = new Map<OrganizationBlock, { at: bigint; sign: number }>()
  readonly #times = new Map<OrganizationBlock, TimeOfDay>()
  readonly #locks: InterruptLocks
  #delayed = 0

  constructor(clock: Clock, blocks: readonly OrganizationBlock[]) {
    this.#clock = clock
    this.#blocks = blocks
    this.#locks = new InterruptLocks(blocks)
    for (const block of blocks) {
      if (block.eventClass === 'CyclicInterrupt')
        this.#schedule(block, block.cycleTimeUs ?? defaultCycleUs, block.phaseUs ?? 0)
      if (block.timeOfDay) {
        const { start, period } = block.timeOfDay
        const at = Date.parse(/z$/i.test(start) ? start : `${start.replace(' ', 'T')}Z`)
        const named = `${period.charAt(0).toLowerCase()}${period.slice(1)}` as InterruptPeriod
        if (Number.isFinite(at)) this.#setTime(block, BigInt(at) * 1_000_000n, named, true)
      }
    }
  }

  /** Takes the next interrupt that is due until a time; of several at once that of the highest priority. */
  take(until: bigint): DueInterrupt | undefined {
    if (this.#delayed > 0) return undefined
    let found = this.#takeNext(until)
    while (found && this.#locks.discards(found.block.number, Number(found.at))) found = this.#takeNext(until)
    return found
  }

  #takeNext(until: bigint): DueInterrupt | undefined {
    let found: DueInterrupt | undefined
    const offer = (block: OrganizationBlock, at: bigint, sign?: number) => {
      if (at > until) return
      if (found && (at > found.at || (at === found.at && block.priority <= found.block.priority))) return
      found = { at, block, ...(sign === undefined ? {} : { sign }) }
    }
    for (const [block, { next }] of this.#cyclic) offer(block, next)
    for (const [block, { at, sign }] of this.#delays) offer(block, at, sign)
    for (const [block, time] of this.#times) if (time.isActive) offer(block, this.#nextTime(time))
    if (!found) return undefined
    const { block } = found
    const cyclic = this.#cyclic.get(block)
    const time = this.#times.get(block)
    if (cyclic) cyclic.next += BigInt(cyclic.cycleUs) * 1000n
    else if (time) {
      time.count++
      if (time.period === 'once') time.isActive = false
    } else this.#delays.delete(block)
    return found
  }

  #named(number: number, eventClass: string): OrganizationBlock | undefined {
    return this.#blocks.find((one) => one.number === number && one.eventClass === eventClass)
  }

  #schedule(block: OrganizationBlock, cycleUs: number, phaseUs: number): void {
    const [cycle, phase, now] = [BigInt(cycleUs) * 1000n, BigInt(phaseUs) * 1000n, this.#clock.now()]
    if (cycle <= 0n) {
      this.#cyclic.delete(block)
      return
    }
    const first = now < phase ? phase : phase + ((now - phase) / cycle + 1n) * cycle
    this.#cyclic.set(block, { cycleUs, phaseUs, next: first })
  }

  #setTime(block: OrganizationBlock, start: bigint, period: InterruptPeriod, isActive: boolean): void {
    const time: TimeOfDay = { start, period, isActive, count: 0 }
    this.#leavePast(time)
    this.#times.set(block, time)
  }

  /** What is past does not occur any more. */
  #leavePast(time: TimeOfDay): void {
    const { start, period } = time
    const now = this.#clock.systemTime()
    const length = lengths[period]
    if (length !== undefined && start < now) time.count = Number((now - start + length - 1n) / length)
    else if (period !== 'once') while (momentOf(time) < now) time.count++
  }

  #nextTime(time: TimeOfDay): bigint {
    return momentOf(time) - this.#clock.systemTime() + this.#clock.now()
  }

  startDelay(number: number, nanoseconds: bigint, sign: number): number {
    const block = this.#named(number, 'TimeDelayInterrupt')
    if (!block) return interruptStatus.wrongBlock
    if (nanoseconds <= 0n || nanoseconds > longestDelay) return interruptStatus.wrongTime
    this.#delays.set(block, { at: this.#clock.now() + nanoseconds, sign })
    return 0
  }

  cancelDelay(number: number): number {
    const block = this.#named(number, 'TimeDelayInterrupt')
    if (!block) return interruptStatus.wrongBlock
    return this.#delays.delete(block) ? 0 : interruptStatus.notStarted
  }

  queryDelay(number: number): InterruptState | undefined {
    const block = this.#named(number, 'TimeDelayInterrupt')
    return block && { isLocked: this.#locks.isLocked(number), isActive: this.#delays.has(block), isLoaded: true }
  }

  setTimeOfDay(number: number, start: bigint, _isLocal: boolean, period: InterruptPeriod, isActive: boolean): number {
    const block = this.#named(number, 'TimeOfDay')
    if (!block) return interruptStatus.wrongBlock
    if (period === 'once' && start < this.#clock.systemTime()) return interruptStatus.past
    this.#setTime(block, start, period, isActive)
    return 0
  }

  activateTimeOfDay(number: number): number {
    const block = this.#named(number, 'TimeOfDay')
    if (!block) return interruptStatus.wrongBlock
    const time = this.#times.get(block)
    if (!time) return interruptStatus.notStarted
    if (time.period === 'once' && time.start < this.#clock.systemTime()) return interruptStatus.past
    if (!time.isActive) this.#leavePast(time)
    time.isActive = true
    return 0
  }

  cancelTimeOfDay(number: number): number {
    const block = this.#named(number, 'TimeOfDay')
    if (!block) return interruptStatus.wrongBlock
    return this.#times.delete(block) ? 0 : interruptStatus.notStarted
  }

  queryTimeOfDay(number: number): InterruptState | undefined {
    const block = this.#named(number, 'TimeOfDay')
    const isLocked = this.#locks.isLocked(number)
    return block && { isLocked, isActive: this.#times.get(block)?.isActive === true, isLoaded: true }
  }

  setCyclic(number: number, cycleUs: number, phaseUs: number): number {
    const block = this.#named(number, 'CyclicInterrupt')
    if (!block) return interruptStatus.wrongBlock
    if (cycleUs < 0) return interruptStatus.wrongTime
    if (phaseUs < 0 || (cycleUs > 0 && phaseUs >= cycleUs)) return interruptStatus.wrongPhase
    this.#schedule(block, cycleUs, phaseUs)
    return 0
  }

  queryCyclic(number: number): { readonly cycleUs: number; readonly phaseUs: number } | undefined {
    const block = this.#named(number, 'CyclicInterrupt')
    return block && (this.#cyclic.get(block) ?? { cycleUs: 0, phaseUs: 0 })
  }

  classOf(number: number): string | undefined {
    return this.#blocks.find((block) => block.number === number)?.eventClass
  }

  lock(mode: number, number: number): number {
    return this.#locks.lock(mode, number, Number(this.#clock.now()))
  }

  unlock(mode: number, number: number): number {
    // What occurred while it was locked is discarded now.
    const now = this.#clock.now()
    const isMissed = (one: OrganizationBlock, at: bigint) => at <= now && this.#locks.discards(one.number, Number(at))
    for (const [block, { at }] of this.#delays) if (isMissed(block, at)) this.#delays.delete(block)
    for (const [block, cyclic] of this.#cyclic)
      while (isMissed(block, cyclic.next)) cyclic.next += BigInt(cyclic.cycleUs) * 1000n
    for (const [block, time] of this.#times)
      if (time.isActive && isMissed(block, this.#nextTime(time))) {
        if (time.period === 'once') time.isActive = false
        else this.#leavePast(time)
      }
    return this.#locks.unlock(mode, number).status
  }

  delayAll(): number {
    return ++this.#delayed
  }

  releaseAll(): number | undefined {
    return this.#delayed === 0 ? undefined : --this.#delayed
  }
}

/** The next occurrence as system time. */
function momentOf({ start, period, count }: TimeOfDay): bigint {
  const length = lengths[period]
  if (length !== undefined) return start + length * BigInt(count)
  if (period === 'once') return start
  const [milliseconds, rest] = [Number(start / 1_000_000n), start % 1_000_000n]
  const from = new Date(milliseconds)
  const months = period === 'year' ? 12 * count : count
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = period === 'endOfMonth' ? lastDay : Math.min(from.getUTCDate(), lastDay)
  const clock = milliseconds - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate())
  return BigInt(Date.UTC(year, month, day) + clock) * 1_000_000n + rest
}
