/**
 * DIS_IRT and EN_IRT: events of organization blocks that occur while their block is locked are discarded. What waited
 * before still runs (TIA Portal help of both; it says "new occurrences").
 */
import { interruptStatus } from './interrupts.ts'

/** What MODE 1 calls a class of interrupts; MODE 0 means all of them. */
const classes: Readonly<Record<number, readonly string[]>> = {
  10: ['TimeOfDay'],
  20: ['TimeDelayInterrupt'],
  30: ['CyclicInterrupt'],
  40: ['HardwareInterrupt'],
  50: ['Status', 'Update', 'Profile'],
  60: ['SynchronousCycle'],
  70: ['IORedundancyError', 'CPURedundancyError'],
  80: ['TimeErrorInterrupt', 'DiagnosticErrorInterrupt', 'PullOrPlugOfModules', 'RackOrStationFailure'],
}
const lockable: ReadonlySet<string> = new Set(Object.values(classes).flat())

/** Numbers of interrupts and errors; a block that is not there has nothing to lock. */
function isInterrupt(number: number): boolean {
  return number >= 10 && number < 90
}

interface Block {
  readonly number: number
  readonly eventClass: string
}

/** The blocks of one program that are locked. */
export class InterruptLocks {
  readonly #blocks: readonly Block[]
  /** Since when each is, ns. */
  readonly #since = new Map<number, number>()

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks
  }

  /** DIS_IRT: returns its RET_VAL. */
  lock(mode: number, number: number, now: number): number {
    const { status, blocks } = this.#selected(mode, number)
    for (const one of blocks) if (!this.#since.has(one)) this.#since.set(one, now)
    return status
  }

  /** EN_IRT: returns its RET_VAL, and the blocks that were locked. */
  unlock(mode: number, number: number): { readonly status: number; readonly blocks: readonly number[] } {
    const { status, blocks } = this.#selected(mode, number)
    return { status, blocks: blocks.filter((one) => this.#since.delete(one)) }
  }

  /** A restart. */
  clear(): void {
    this.#since.clear()
  }

  isLocked(number: number): boolean {
    return this.#since.has(number)
  }

  /** Whether an event of a block at a time (ns) is discarded. */
  discards(number: number, at: number): boolean {
    const since = this.#since.get(number)
    return since !== undefined && at > since
  }

  #selected(mode: number, number: number): { readonly status: number; readonly blocks: readonly number[] } {
    const of = (names: ReadonlySet<string>) =>
      this.#blocks.filter(({ eventClass }) => names.has(eventClass)).map((block) => block.number)
    if (mode === 0) return { status: 0, blocks: of(lockable) }
    if (mode === 1) {
      const names = classes[number]
      return names ? { status: 0, blocks: of(new Set(names)) } : { status: interruptStatus.wrongBlock, blocks: [] }
    }
    if (mode !== 2) return { status: interruptStatus.wrongMode, blocks: [] }
    const own = this.#blocks.find((block) => block.number === number)
    const isRight = own ? lockable.has(own.eventClass) : isInterrupt(number)
    return isRight ? { status: 0, blocks: [number] } : { status: interruptStatus.wrongBlock, blocks: [] }
  }
}
