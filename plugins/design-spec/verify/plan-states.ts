/** The check of a block with the states of ISA-88. */
import { actingStates, doneStateOf, type StateCommand, type StateName, transitionsOf } from '../model/states.ts'
import type { KindPlan } from './kind-plan.ts'
import type { CheckedStep } from './phase.ts'
import type { Commands } from './phase-state.ts'
import { refusedStarts } from './plan-limits.ts'
import type { RowName } from './script.ts'
import type { Must, ScanPlan, ScriptWriter } from './script-writer.ts'
import type { Values } from './solve.ts'
import { numberOf } from './state-machine.ts'

const commandNames: readonly StateCommand[] = ['Abort', 'Stop', 'Hold', 'Restart', 'Start', 'Reset']

const inState = (state: StateName): Must => ({ State: numberOf(state) })

export class StatesPlan implements KindPlan {
  readonly inStep: Must = { ...inState('Running'), Active: true, Held: false }
  readonly rows: readonly RowName[]
  readonly stepRows: readonly RowName[] = ['hold', 'stop', 'abort']
  readonly #writer: ScriptWriter
  readonly #note: (row: RowName, reason: string) => void
  /** States whose commands were all tried. */
  readonly #tried = new Set<StateName>()

  constructor(writer: ScriptWriter, note: (row: RowName, reason: string) => void) {
    this.#writer = writer
    this.#note = note
    const limits: RowName[] = writer.phase.limits.length > 0 ? ['parameters'] : []
    this.rows = ['idle', ...limits, 'start', 'states', 'unknown-step']
  }

  begin(): void {
    const writer = this.#writer
    const { steps, initial } = writer.phase
    const off = Object.fromEntries(commandNames.map((name) => [name, false])) as Commands
    const still: Must = { ...inState('Idle'), _Step: 0, Active: false }
    writer.scan({ row: 'idle', set: off, values: writer.state.values, must: still })
    this.#tryCommands('Idle')
    refusedStarts(writer, 'Start', this.#note)
    const started: Must = { ...this.inStep, _Step: initial.number, _StepEntry: true, Done: false }
    const unknown = [...Array(steps.size + 1).keys()].map((i) => i + 1).find((number) => !steps.has(number))
    if (unknown !== undefined && unknown <= 32_767)
      writer.aside(() => {
        writer.scan({ row: 'start', set: { Start: true }, must: started })
        const must: Must = { ...inState('Aborting'), Error: true }
        writer.scan({ row: 'unknown-step', must, force: { _Step: unknown } })
      })
    writer.aside(() => {
      const must: Must = { ...inState('Aborted'), Error: true, Active: false }
      writer.scan({ row: 'unknown-step', must, force: { State: 99 }, note: 'a State that is none' })
    })
    writer.scan({ row: 'start', set: { Start: true }, must: started })
  }

  /** Gives every command in the present state: those it does not obey must not change it to another one. */
  #tryCommands(state: StateName): void {
    if (this.#tried.has(state)) return
    this.#tried.add(state)
    const writer = this.#writer
    const released = writer.released
    for (const command of commandNames) {
      const obeyed = transitionsOf[state].find(([name]) => name === command)
      const own = doneStateOf[state]
      const must: Must = obeyed ? inState(obeyed[1]) : own === undefined ? inState(state) : {}
      const note = obeyed ? `${state}: ${command}` : `${state}: ${command} has no effect`
      const set = { ...released, [command]: true }
      const reason = writer.aside(() => {
        // Start needs an edge.
        const first = command === 'Start' && writer.state._StartSeen ? 'Start stays TRUE' : undefined
        return first === undefined ? writer.scan({ row: 'states', set, must, note }) : undefined
      })
      if (reason !== undefined) this.#note('states', `${note}: ${reason}`)
    }
  }

  disturbBefore(step: CheckedStep, hot: Values | undefined): void {
    const writer = this.#writer
    const { number } = step
    this.#tryCommands('Running')
    writer.aside(() => this.#run('abort', 'Abort', 'Aborting', hot))
    writer.aside(() => this.#run('stop', 'Stop', 'Stopping', hot))
    const kept: Must = { _Step: number, _StepEntry: true }
    writer.aside(() => {
      const reason = writer.scan({
        row: 'hold',
        set: { Hold: true },
        values: hot,
        must: { ...inState('Holding'), ...kept },
      })
      if (reason === undefined) writer.scan({ row: 'abort', set: { Abort: true }, must: inState('Aborting') })
    })
    writer.aside(() => this.#holdAndRestart(step))
  }

  /** A command that ends the phase: its action, then the state of rest, and Reset. */
  #run(row: RowName, command: 'Abort' | 'Stop', state: 'Aborting' | 'Stopping', hot: Values | undefined): void {
    const writer = this.#writer
    const must: Must = { ...inState(state), Active: true }
    if (writer.scan({ row, set: { [command]: true }, values: hot, must }) !== undefined) return
    if (!this.#work(row, state)) return
    const rest = doneStateOf[state]!
    this.#tryCommands(rest)
    const idle: Must = { ...inState('Idle'), Active: false, Error: false }
    writer.scan({ row: 'states', set: { ...writer.released, Reset: true }, must: idle, note: `${rest}: Reset` })
  }

  /** The action of a state, its condition FALSE, then TRUE. @returns whether the state was left */
  #work(row: RowName, state: keyof typeof actingStates): boolean {
    const writer = this.#writer
    this.#tryCommands(state)
    const condition = writer.phase.commands.get(actingStates[state])?.condition
    const next = doneStateOf[state]!
    const isFree = (key: string) => writer.isInput(key)
    if (condition) {
      const cold = writer.choose(condition, false, isFree)
      const stays = { ...inState(state), _StateEntry: false }
      const values = cold && writer.before(actingStates[state], cold)
      const waits = cold && writer.scan({ row, values, must: stays, note: `${state}: its Condition is FALSE` })
      if (!cold || waits !== undefined) this.#note('states', `${state} was not seen to wait for its Condition`)
      else writer.scan({ row, must: stays, note: `${state}: the action is not done again` })
    }
    const hot = condition ? writer.choose(condition, true, isFree) : new Map()
    const values = writer.state._StateEntry ? writer.before(actingStates[state], hot) : hot
    const reason = hot
      ? writer.scan({ row, values, must: inState(next), note: `${state} is done` })
      : `nothing makes the Condition of ${actingStates[state]} TRUE`
    if (reason !== undefined) this.#note('states', `${state}: ${reason}`)
    return reason === undefined
  }

  #holdAndRestart({ number }: CheckedStep): void {
    const writer = this.#writer
    const kept: Must = { _Step: number }
    if (writer.scan({ row: 'hold', set: { Hold: true }, must: { ...inState('Holding'), ...kept } }) !== undefined)
      return
    if (!this.#work('hold', 'Holding')) return
    writer.scan({ row: 'hold', must: { ...inState('Held'), ...kept, Held: true } })
    const both: Must = { ...inState('Held'), ...kept }
    writer.scan({ row: 'hold', set: { Restart: true }, must: both, note: 'Restart has no effect while Hold is TRUE' })
    writer.scan({ row: 'hold', set: { Hold: false, Restart: false }, must: both, note: 'without Hold it stays Held' })
    this.#tryCommands('Held')
    const restarting: Must = { ...inState('Restarting'), ...kept, Held: false }
    if (writer.scan({ row: 'hold', set: { Restart: true }, must: restarting }) !== undefined) return
    writer.scan({ row: 'hold', set: { Restart: false }, must: {}, note: 'the action of Restart' })
    if (writer.state.State === numberOf('Restarting')) this.#work('hold', 'Restarting')
    writer.scan({ row: 'hold', must: {}, note: 'the step goes on' })
  }

  go(plan: Omit<ScanPlan, 'set'>): string | undefined {
    return this.#writer.scan(plan)
  }

  disturbAfter(step: CheckedStep, hot: Values | undefined): void {
    const writer = this.#writer
    writer.aside(() => {
      writer.scan({
        row: 'hold',
        set: { Hold: true },
        values: hot,
        must: { ...inState('Holding'), _Step: step.number },
      })
    })
    writer.aside(() => this.#run('stop', 'Stop', 'Stopping', undefined))
    writer.aside(() => this.#run('abort', 'Abort', 'Aborting', undefined))
  }

  lateMust({ number, onTimeout }: CheckedStep): Must {
    const state = { Hold: 'Holding', Stop: 'Stopping', Abort: 'Aborting', Alarm: 'Running' } as const
    return { ...inState(state[onTimeout ?? 'Alarm']), _Step: number, Error: onTimeout === 'Abort' }
  }

  afterTimeout({ nextStep, onTimeout }: CheckedStep, _cold: Values, hot: Values | undefined): void {
    if (onTimeout === 'Hold') this.#work('timeout', 'Holding')
    else if (onTimeout === 'Stop') this.#work('timeout', 'Stopping')
    else if (onTimeout === 'Abort') this.#work('timeout', 'Aborting')
    else if (hot) {
      const must: Must = { ...this.inStep, _Step: nextStep!, Alarm: false, AlarmText: '' }
      this.#writer.scan({ row: 'timeout', values: hot, must, note: 'Condition TRUE after the alarm' })
    }
  }

  finish(): string | undefined {
    const writer = this.#writer
    const done: Must = { ...inState('Complete'), _Step: 0, Active: false, Done: true }
    const reason = writer.scan({ row: 'final', must: done })
    if (reason !== undefined) return reason
    writer.scan({ row: 'final', must: done, note: 'it stays Complete' })
    this.#tryCommands('Complete')
    const idle: Must = { ...inState('Idle'), Active: false, Done: false }
    return writer.all(
      { row: 'states', set: { ...writer.released, Start: true, Reset: true }, must: idle, note: 'Complete: Reset' },
      { row: 'start', set: { Reset: false }, must: idle, note: 'a Start that stays TRUE does not start it again' },
      { row: 'idle', set: { Start: false }, must: idle },
    )
  }
}
