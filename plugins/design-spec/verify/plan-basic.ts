/** The check of a block with the interface of docs/design.md#design-specs: Execute, Hold, Abort. */

import type { KindPlan } from './kind-plan.ts'
import { waitsAfterHold } from './machine.ts'
import type { CheckedStep } from './phase.ts'
import { refusedStarts } from './plan-limits.ts'
import type { RowName } from './script.ts'
import type { Must, ScanPlan, ScriptWriter } from './script-writer.ts'
import type { Values } from './solve.ts'

const inIdle: Must = { _Step: 0, Active: false }
const aborted: Must = { ...inIdle, Held: false }

export class BasicPlan implements KindPlan {
  readonly inStep: Must = { Active: true, Held: false }
  readonly rows: readonly RowName[]
  readonly stepRows: readonly RowName[] = ['hold', 'abort']
  readonly #writer: ScriptWriter
  readonly #note: (row: RowName, reason: string) => void

  constructor(writer: ScriptWriter, note: (row: RowName, reason: string) => void) {
    this.#writer = writer
    this.#note = note
    const limits: RowName[] = writer.phase.limits.length > 0 ? ['parameters'] : []
    this.rows = ['idle', ...limits, 'start', 'restart', 'unknown-step']
  }

  get #initial(): number {
    return this.#writer.phase.initial.number
  }

  begin(): void {
    const writer = this.#writer
    const { steps } = writer.phase
    writer.scan({
      row: 'idle',
      set: { Execute: false, Hold: false, Abort: false },
      values: writer.state.values,
      must: inIdle,
    })
    writer.aside(() => {
      writer.scan({ row: 'hold', set: { Hold: true }, must: { ...inIdle, Held: false } })
      writer.scan({ row: 'hold', set: { Execute: true }, must: { _Step: this.#initial, Active: true, Held: true } })
    })
    writer.aside(() => {
      writer.scan({ row: 'abort', set: { Abort: true }, must: inIdle })
      writer.scan({ row: 'abort', set: { Execute: true }, must: inIdle })
      writer.scan({ row: 'restart', set: { Abort: false }, must: inIdle })
    })
    const unknown = [...Array(steps.size + 1).keys()].map((i) => i + 1).find((number) => !steps.has(number))
    if (unknown !== undefined && unknown <= 32_767)
      writer.aside(() =>
        writer.scan({ row: 'unknown-step', must: { ...inIdle, Error: true }, force: { _Step: unknown } }),
      )
    refusedStarts(writer, 'Execute', this.#note)
    const start: Must = { _Step: this.#initial, Active: true, Done: false }
    writer.scan({ row: 'start', set: { Execute: true }, must: start })
  }

  disturbBefore({ number }: CheckedStep, hot: Values | undefined): void {
    const writer = this.#writer
    const held: Must = { _Step: number, _StepEntry: true, Active: true, Held: true }
    writer.aside(() => {
      writer.scan({ row: 'abort', set: { Abort: true }, values: writer.before('Abort', hot), must: aborted })
      writer.scan({ row: 'restart', set: { Abort: false }, must: inIdle })
      writer.scan({ row: 'restart', set: { Execute: false }, must: inIdle })
      writer.scan({ row: 'restart', set: { Execute: true }, must: { _Step: this.#initial, Active: true } })
    })
    const abort = { row: 'abort', set: { Abort: true, Hold: true }, must: aborted } as const
    writer.aside(() => writer.scan({ ...abort, values: writer.before('Abort', hot) }))
    writer.aside(() => writer.scan({ row: 'hold', set: { Hold: true }, values: hot, must: held }))
    writer.scan({ row: 'hold', set: { Hold: true }, values: writer.before('Hold', undefined), must: held })
  }

  go(plan: Omit<ScanPlan, 'set'>): string | undefined {
    const writer = this.#writer
    return this.#release() ?? writer.scan({ ...plan, ...(writer.commands.Hold ? { set: { Hold: false } } : {}) })
  }

  /** After Hold, some blocks go on one scan later. */
  #release(): string | undefined {
    const writer = this.#writer
    if (!writer.state.Held || !waitsAfterHold(writer.phase)) return undefined
    return writer.scan({
      row: 'hold',
      set: { Hold: false },
      values: writer.before('Restart', undefined),
      must: { _Step: writer.state._Step, Active: true, Held: false },
      note: 'Hold ends: the action of Restart',
    })
  }

  disturbAfter({ number }: CheckedStep, hot: Values | undefined): void {
    const writer = this.#writer
    const held: Must = { _Step: number, Active: true, Held: true }
    writer.scan({ row: 'hold', set: { Hold: true }, values: writer.before('Hold', hot), must: held })
    const abort = { row: 'abort', set: { Hold: false, Abort: true }, must: aborted } as const
    writer.aside(() => writer.scan({ ...abort, values: writer.before('Abort', undefined) }))
  }

  lateMust({ number, onTimeout }: CheckedStep): Must {
    if (onTimeout === 'Abort') return { ...inIdle, Error: true }
    return { _Step: number, Active: true, Held: onTimeout === 'Hold' }
  }

  afterTimeout({ number, nextStep, onTimeout }: CheckedStep, cold: Values, hot: Values | undefined): void {
    const writer = this.#writer
    if (onTimeout === 'Hold') {
      const held: Must = { _Step: number, Active: true, Held: true, Alarm: true }
      writer.all(
        { row: 'timeout', values: hot, must: held, note: 'held by the timeout' },
        { row: 'timeout', set: { Hold: true }, values: cold, must: held, note: 'Hold takes over' },
        {
          row: 'timeout',
          set: { Hold: false },
          must: { ...this.inStep, _Step: number, Alarm: false },
          note: 'Hold ends',
        },
      )
    } else if (onTimeout === 'Abort') {
      writer.all(
        { row: 'timeout', must: { ...inIdle, Error: true, Alarm: true }, note: 'Execute stays TRUE' },
        {
          row: 'timeout',
          set: { Execute: false },
          must: { ...inIdle, Error: false, Alarm: false },
          note: 'acknowledged',
        },
      )
    } else if (hot) {
      const must: Must = { ...this.inStep, _Step: nextStep!, Alarm: false, AlarmText: '' }
      writer.scan({ row: 'timeout', values: hot, must, note: 'Condition TRUE after the alarm' })
    }
  }

  finish(): string | undefined {
    const writer = this.#writer
    const done: Must = { ...aborted, Done: true }
    const end = () => this.#release()
    writer.aside(() => {
      if (end() !== undefined) return
      writer.scan({ row: 'final', set: { Hold: false, Execute: false }, must: done })
      writer.scan({ row: 'restart', must: { _Step: 0, Done: true } })
      writer.scan({ row: 'restart', set: { Execute: true }, must: { _Step: this.#initial, Active: true, Done: false } })
    })
    return (
      end() ??
      writer.all(
        { row: 'final', set: { Hold: false }, must: done },
        { row: 'restart', must: { ...inIdle, Done: true } },
        { row: 'restart', set: { Execute: false }, must: { ...inIdle, Done: false } },
      )
    )
  }
}
