/** Writes the script of a phase: each scan with the state that the machine calculates for it. */

import { defined } from '../../../core/index.ts'
import { type Effort, TooMuchEffort } from '../expressions/evaluate.ts'
import type { Expression } from '../expressions/expression.ts'
import { fitted, timeType, toJson, Unpredictable, type Value } from '../expressions/value.ts'
import type { CommandName } from '../model/model.ts'
import { scan } from './machine.ts'
import { type CheckedPhase, keyOf, targetOf } from './phase.ts'
import {
  afterActions,
  type CommandInput,
  type Commands,
  environmentOf,
  idle,
  type PhaseState,
  startValues,
  type Visible,
} from './phase-state.ts'
import type { JsonScalar, MemberValue, RowName, ScriptItem } from './script.ts'
import { solve, type Values } from './solve.ts'

/** Maximum number of expression nodes evaluated for one phase. */
const effortOfPhase = 20_000_000

/** The limit of scans is reached. */
class Cut extends Error {}

/** What a row of the table requires after a scan. */
export type Must = Partial<Visible>

/** A scan to be added. */
export interface ScanPlan {
  readonly row: RowName
  /** Commands that change before the scan. */
  readonly set?: Commands
  /** Variables that are written before it. */
  readonly values?: PhaseState['values'] | undefined
  readonly must: Must
  readonly note?: string
  /** Members written beside: for states that a phase does not reach by itself. */
  readonly force?: Partial<Record<'_Step' | 'State', number>>
}

/** Visible members, in the order of a report. */
const visible = Object.keys(idle).filter(
  (name) => name !== 'needsRelease' && name !== 'isMeasured',
) as (keyof Visible)[]

/** The script in the making, and the state of the phase after it. */
export class ScriptWriter {
  readonly phase: CheckedPhase
  readonly effort: Effort = { left: effortOfPhase }
  readonly items: ScriptItem[] = []
  readonly #maxScans: number
  /** Visible members that the block has. */
  readonly #members: readonly (keyof Visible)[]
  #gap = 0n
  #isFirst = true
  scans = 0
  commands: Commands = {}
  state: PhaseState

  constructor(phase: CheckedPhase, maxScans: number) {
    this.phase = phase
    this.#maxScans = maxScans
    const { outputs, statics } = phase.face
    const names = new Set([...outputs, ...statics].map(({ name }) => name))
    this.#members = visible.filter((name) => names.has(name))
    this.state = { ...idle, values: startValues(phase) }
  }

  /** Runs the planner. @returns whether a limit ended it; what was planned so far is kept */
  run(plan: () => void): boolean {
    try {
      plan()
      return false
    } catch (error) {
      if (!(error instanceof Cut || error instanceof TooMuchEffort)) throw error
      // A script that was cut within a save and restore: the missing restores are added.
      const depth = this.items.reduce((sum, { kind }) => sum + (kind === 'save' ? 1 : kind === 'restore' ? -1 : 0), 0)
      for (let i = 0; i < depth; i++) this.items.push({ kind: 'restore' })
      return true
    }
  }

  /**
   * Adds a scan.
   * @returns undefined when it was added; otherwise why what the row requires would not follow, and nothing is added
   */
  scan({ row, set = {}, values, must, note, force = {} }: ScanPlan): string | undefined {
    if (this.scans >= this.#maxScans) throw new Cut()
    const from = this.state
    const commands = { ...this.commands, ...set }
    const given = values ? new Map([...from.values, ...values]) : from.values
    const before: PhaseState = { ...from, ...force, values: given }
    const after = this.#after(before, commands)
    if (typeof after === 'string') return after
    for (const [name, value] of Object.entries(must)) {
      const found = after[name as keyof Visible]
      if (found !== value) return `${name} would be ${String(found)}, not ${String(value)}`
    }
    this.scans++
    this.commands = commands
    this.#gap = 0n
    const written: MemberValue[] = [
      ...Object.entries(force).map(([name, value]) => [[name], value] as const),
      ...Object.entries(set).map(([name, value]) => [[name], value] as const),
      ...[...(values ?? [])].flatMap(([key, value]) => this.#member(key, value)),
    ]
    this.items.push({
      kind: 'scan',
      row,
      ...defined({ note }),
      step: from._Step,
      write: written,
      expect: this.#expected(before, after),
      must: this.#required(must, after),
      open: this.#open(after),
    })
    this.#isFirst = false
    this.state = after
    return undefined
  }

  #after(before: PhaseState, commands: Commands): PhaseState | string {
    try {
      return scan(this.phase, before, commands, 1n + this.#gap, this.effort)
    } catch (error) {
      if (error instanceof Unpredictable) return error.message
      throw error
    }
  }

  /** Adds scans until one cannot be added. @returns why; undefined when all were added */
  all(...plans: readonly ScanPlan[]): string | undefined {
    for (const plan of plans) {
      const reason = this.scan(plan)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  /** Lets time pass. */
  elapse(milliseconds: bigint): void {
    if (milliseconds <= 0n) return
    this.#gap += milliseconds
    this.items.push({ kind: 'elapse', milliseconds: Number(milliseconds) })
  }

  /** Does some work between a save and a restore of the instance. */
  aside<T>(work: () => T): T {
    const [state, commands, gap] = [this.state, this.commands, this.#gap]
    this.items.push({ kind: 'save' })
    const result = work()
    this.items.push({ kind: 'restore' })
    this.state = state
    this.commands = commands
    this.#gap = gap
    return result
  }

  /** Values to write so that a condition has a value, from the present state or other values. */
  choose(
    condition: Expression,
    want: boolean,
    isFree: (key: string) => boolean,
    values: PhaseState['values'] = this.state.values,
  ): Values | undefined {
    const question = {
      condition,
      want,
      env: environmentOf(this.phase, values),
      keyOf: (variable: { cmType: string; variable: string }) => keyOf(variable.cmType, variable.variable),
      isFree: (variable: { cmType: string; variable: string }) => isFree(keyOf(variable.cmType, variable.variable)),
    }
    return solve(question, this.effort)
  }

  /** Whether the check may choose the value of a variable: an In variable. */
  isInput(key: string): boolean {
    return this.phase.variables.get(key)!.direction === 'In'
  }

  /** Whether the check may set a variable when no In variable serves: not one that limits or interlocks govern. */
  isSettable(key: string): boolean {
    const { min, max } = this.phase.variables.get(key)!
    return min === undefined && max === undefined && !this.phase.requests.has(key)
  }

  /** Values to write before a command, so that each assignment of its action is seen; beside them some inputs. */
  before(command: CommandName, inputs: Values | undefined): Map<string, Value> {
    const actions = this.phase.commands.get(command)?.actions ?? []
    const after = afterActions(this.phase, actions, this.state.values, this.effort)
    const values = new Map(inputs)
    for (const action of actions) {
      const key = targetOf(this.phase, action)
      const other = otherValue(after.get(key), this.phase.variables.get(key)!.type)
      if (other !== undefined) values.set(key, other)
    }
    return values
  }

  /** The commands that are TRUE set to FALSE. */
  get released(): Commands {
    const names = Object.keys(this.commands) as CommandInput[]
    return Object.fromEntries(names.filter((name) => this.commands[name]).map((name) => [name, false]))
  }

  named(values: Values | undefined): Record<string, JsonScalar> {
    const entries = [...(values ?? [])].map(([key, value]) => {
      const { name, type } = this.phase.variables.get(key)!
      return [name, toJson(value, type)] as const
    })
    return Object.fromEntries(entries)
  }

  #member(key: string, value: Value | undefined): MemberValue[] {
    const { path, type } = this.phase.variables.get(key)!
    return value === undefined ? [] : [[path, toJson(value, type)]]
  }

  #expected(before: PhaseState, after: PhaseState): MemberValue[] {
    const found: MemberValue[] = []
    for (const name of this.#members) {
      const value = after[name]
      if (value === undefined || this.#isOpenEntry(name, after)) continue
      // In idle it may have any value, so its previous value is unknown.
      const isNew = (name === '_StepEntry' && before._Step === 0) || before[name] === undefined
      if (this.#isFirst || isNew || before[name] !== value) found.push([[name], visibleJson(value)])
    }
    if (after.values !== before.values)
      for (const [key, value] of after.values)
        if (before.values.get(key) !== value) found.push(...this.#member(key, value))
    return found
  }

  #required(must: Must, after: PhaseState): MemberValue[] {
    return this.#members
      .filter((name) => name in must && !this.#isOpenEntry(name, after))
      .flatMap((name) => (must[name] === undefined ? [] : [[[name], visibleJson(must[name])] as const]))
  }

  /** In idle the block uses _StepEntry for something else. */
  #isOpenEntry(name: keyof Visible, { _Step }: PhaseState): boolean {
    return name === '_StepEntry' && _Step === 0 && !this.phase.isStates
  }

  #open(after: PhaseState): string[][] {
    const found: string[][] = this.#isOpenEntry('_StepEntry', after) ? [['_StepEntry']] : []
    if (after.Interlocked === undefined) found.push(['Interlocked'], ['InterlockText'])
    if (this.phase.face.isTimed) found.push(['_StepTimer'])
    for (const [key, value] of after.values)
      if (value === undefined) found.push([...this.phase.variables.get(key)!.path])
    return found
  }
}

function visibleJson(value: Visible[keyof Visible]): JsonScalar {
  return typeof value === 'bigint' ? toJson(value, timeType) : (value as JsonScalar)
}

/** A value that differs from the given one. */
export function otherValue(value: Value | undefined, type: Parameters<typeof fitted>[1]): Value | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return value === 'x' ? 'y' : 'x'
  const step = type.name === 'S5Time' ? 10n : 1n
  const others = typeof value === 'bigint' ? [value + step, value - step] : [value === 0 ? 1 : value / 2]
  for (const other of others)
    try {
      const held = fitted(other, type)
      if (held !== value) return held
    } catch (error) {
      if (!(error instanceof Unpredictable)) throw error
    }
  return undefined
}
