/** Watches the supervisions of a program at the end of each cycle. */
import { alarmValue } from '../../../plc/runtime/alarm-values.ts'
import type { AlarmValue } from '../../../plc/runtime/alarms.ts'
import { readBits } from '../../../plc/runtime/cells.ts'
import type { SupervisedBit, SupervisedTime, SupervisionPlan } from './supervisions.ts'

interface Watched extends SupervisionPlan {
  /** Virtual time at which the error began, ns. */
  since: number | undefined
  isPresent: boolean
}

/** The memory of a program. */
export interface Memory {
  readonly view: DataView
  readonly bytes: Uint8Array
}

export class SupervisionWatch {
  readonly #raise: (name: string, isPresent: boolean, values: readonly AlarmValue[]) => number
  #all: Watched[] = []

  /** @param raise raises or ends an alarm; a result that is not 0: it is tried again in the next cycle */
  constructor(raise: (name: string, isPresent: boolean, values: readonly AlarmValue[]) => number) {
    this.#raise = raise
  }

  /** Another program: errors of supervisions that are still there go on. */
  load(plans: readonly SupervisionPlan[]): void {
    const before = new Map(this.#all.map((one) => [one.name, one]))
    this.#all = plans.map((plan) => {
      const { since, isPresent = false } = before.get(plan.name) ?? {}
      return { ...plan, since, isPresent }
    })
  }

  /** STARTUP or memory reset: no error is present. */
  clear(): void {
    for (const one of this.#all) Object.assign(one, { since: undefined, isPresent: false })
  }

  /** @param now virtual time, ns */
  endOfCycle({ view, bytes }: Memory, now: number): void {
    for (const one of this.#all) {
      const isError = one.bits.every((bit) => stateOf(bytes, bit) === bit.status)
      if (!isError) one.since = undefined
      else one.since ??= now
      const isPresent = one.since !== undefined && now - one.since >= delayOf(view, one.delay)
      if (isPresent === one.isPresent) continue
      const values = one.values.flatMap((value) => {
        const read = alarmValue({ view, bytes }, value)
        return read ? [{ type: read.type, value: read.value }] : []
      })
      if (this.#raise(one.name, isPresent, values) === 0) one.isPresent = isPresent
    }
  }
}

function stateOf(bytes: Uint8Array, { address, bit }: SupervisedBit): boolean {
  const byte = bytes[address]!
  return bit === undefined ? byte !== 0 : ((byte >> bit) & 1) === 1
}

/** Nanoseconds. */
function delayOf(view: DataView, delay: number | SupervisedTime): number {
  if (typeof delay === 'number') return delay * 1e6
  return Number(BigInt.asIntN(32, readBits(view, delay.type, delay))) * 1e6
}
