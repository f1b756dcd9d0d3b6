/**
 * Actions of GRAPH steps: the effect of each qualifier on its operand (S7-GRAPH manual, "Standard actions", "Events and
 * actions").
 */

import { and, binary, convert, isFalse, isTrue, not, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import type { Action, Step } from '../../model/sequence.ts'
import { Bool, DInt, S5Time, Time, UDInt, Word } from '../../program/scalars.ts'
import { assign } from './assignments.ts'
import type { BlockContext } from './block-context.ts'
import { lowerOperand } from './model-operand.ts'
import { readAs, readScalar } from './reading.ts'
import {
  type S5Element,
  s5Count,
  s5CounterReset,
  s5CounterSet,
  s5Element,
  s5Timer,
  s5TimerReset,
  toBcdDigits,
} from './s5.ts'
import { lowerScl } from './scl.ts'
import type { SequenceData } from './sequence-data.ts'

export interface LoweredActions {
  /** Runs first for all steps: what ends when a step is left. */
  readonly ending: readonly Statement[]
  /** Runs then for all steps: the effects of active steps and of events. */
  readonly doing: readonly Statement[]
}

/** Steps for ON and OFF, by their name in upper case. */
export type StepsByName = ReadonlyMap<string, Step>

/**
 * Lowers the actions of a step.
 * @param zeroed while TRUE, operands of N, D and L are FALSE, and calls and assignments do not run
 */
export function lowerActions(
  context: BlockContext,
  data: SequenceData,
  step: Step,
  steps: StepsByName,
  zeroed: Expression,
): LoweredActions {
  const ending: Statement[] = []
  const doing: Statement[] = []
  for (const action of step.actions) {
    if (action.text.trim() === '' && action.qualifier === '') continue
    const one = new ActionLowering(context, data, step, action, steps, zeroed)
    const lowered = context.probes?.inAction(one.text, () => one.lower()) ?? one.lower()
    ending.push(...lowered.ending)
    // The actions of a step that is left come before those of the next step that begins.
    if (action.event === 'S0') ending.push(...lowered.doing)
    else doing.push(...lowered.doing)
  }
  return { ending, doing }
}

type Qualifier = 'N' | 'S' | 'R' | 'D' | 'L' | 'ON' | 'OFF' | 'CS' | 'CU' | 'CD' | 'CR' | 'TL' | 'TD' | 'TF' | 'TR'

const nothing: LoweredActions = { ending: [], doing: [] }

class ActionLowering {
  readonly #context: BlockContext
  readonly #data: SequenceData
  readonly #step: Step
  readonly #action: Action
  readonly #steps: StepsByName
  readonly #works: Expression

  constructor(
    context: BlockContext,
    data: SequenceData,
    step: Step,
    action: Action,
    steps: StepsByName,
    zeroed: Expression,
  ) {
    this.#context = context
    this.#data = data
    this.#step = step
    this.#action = action
    this.#steps = steps
    this.#works = not(zeroed)
  }

  lower(): LoweredActions {
    const { qualifier, event, text } = this.#action
    if (isProgram(text)) return this.#program(text)
    const known = (qualifier === '' ? 'N' : qualifier) as Qualifier
    switch (known) {
      case 'N':
        return this.#whileActive(this.#allowed, event !== '')
      case 'S':
      case 'R':
        return this.#once(this.#write(known === 'S' ? isTrue : isFalse))
      case 'D':
      case 'L':
        return this.#timed(known)
      case 'ON':
      case 'OFF':
        return this.#switchStep(known)
      case 'CS':
      case 'CU':
      case 'CD':
      case 'CR':
        return this.#counter(known)
      case 'TL':
      case 'TD':
      case 'TF':
      case 'TR':
        return this.#timer(known)
      default:
        this.#refuse(`The qualifier ${qualifier} is not known.`)
        return nothing
    }
  }

  #refuse(message: string, hint?: string): void {
    const { name } = this.#step
    this.#context.report('unsupported-action', {}, `Step ${name}, "${this.text}": ${message}`, hint)
  }

  /** Event, qualifier and text, as they are written. */
  get text(): string {
    const { event, qualifier, text } = this.#action
    return [event, qualifier, text].filter((part) => part !== '').join(' ')
  }

  #bit(name: string): Expression {
    return this.#data.read(this.#data.member(this.#step.name, name))
  }

  /** Whether the interlock permits the action. */
  get #allowed(): Expression {
    return this.#action.needsInterlock ? not(this.#bit('LA')) : isTrue
  }

  /** Whether the step is active, or the event has occurred, and the interlock permits the action. */
  get #trigger(): Expression {
    const { event, needsInterlock } = this.#action
    const own = this.#bit(event === '' ? 'X' : event)
    return needsInterlock ? and(own, this.#allowed) : own
  }

  #operand(index: number, what: string): ModelOperand | undefined {
    const operand = this.#action.operands[index]
    if (!operand) this.#refuse(`${what} is missing.`)
    return operand
  }

  #write(value: Expression): Statement[] {
    const operand = this.#operand(0, 'The operand')
    if (!operand) return []
    const context = this.#context
    const target = lowerOperand(context, operand, {})
    return assign(context, target, { kind: 'result', type: Bool, expression: value }, {}, {})
  }

  /** Runs while the step is active, or when the event occurs. */
  #once(statements: Statement[]): LoweredActions {
    return { ending: [], doing: [when(this.#trigger, [...this.#mark(), ...statements])] }
  }

  /** Records that the action took effect, where the execution is recorded. */
  #mark(): Statement[] {
    const { probes } = this.#context
    if (!probes) return []
    const byte = probes.byte()
    probes.note('statement', {}, [byte])
    return [probes.mark(byte)]
  }

  /** The operand is TRUE while the step is active and the condition is met; leaving the step makes it FALSE. */
  #whileActive(value: Expression, isEvent: boolean): LoweredActions {
    const off = this.#write(isFalse)
    if (isEvent) {
      const isOpen = binary('or', Bool, this.#bit('X'), this.#bit('S0'))
      const on = [...this.#mark(), ...this.#write(isTrue)]
      return { ending: [when(isOpen, off)], doing: [when(and(this.#trigger, this.#works), on)] }
    }
    const took = and(this.#bit('X'), and(value, this.#works))
    const mark = this.#mark()
    const doing = mark.length === 0 ? [] : [when(took, mark)]
    return {
      ending: [when(this.#bit('S0'), off)],
      doing: [...doing, when(this.#bit('X'), this.#write(and(value, this.#works)))],
    }
  }

  /** D: TRUE once the step has been active for the time; L: TRUE until then. */
  #timed(qualifier: 'D' | 'L'): LoweredActions {
    if (this.#action.event !== '') {
      this.#refuse(
        `${qualifier} cannot stand with an event.`,
        'Leave the event out: the time counts from the activation of the step.',
      )
      return nothing
    }
    const time = this.#time()
    if (!time) return nothing
    const active = this.#data.read(this.#data.member(this.#step.name, 'T'), Time)
    const value = binary(qualifier === 'D' ? 'greaterOrEqual' : 'less', Time, active, time)
    return this.#whileActive(this.#action.needsInterlock ? and(value, this.#allowed) : value, false)
  }

  #time(): Expression | undefined {
    const operand = this.#operand(1, 'The time')
    return operand && readAs(this.#context, lowerOperand(this.#context, operand, {}), Time, {}, 'For the time')
  }

  /** Calls and assignments are SCL; they run in each cycle of the step, or once with the event. */
  #program(text: string): LoweredActions {
    const { qualifier } = this.#action
    if (qualifier !== 'N' && qualifier !== '') {
      this.#refuse(`Calls and assignments need the qualifier N, not ${qualifier}.`)
      return nothing
    }
    const source = text
      .trim()
      .replace(/^CALL\s+/i, '')
      .replace(/;\s*$/, '')
    return { ending: [], doing: [when(and(this.#trigger, this.#works), lowerScl(this.#context, `${source};`))] }
  }

  /** ON and OFF take effect in the next cycle. OFF S_ALL means all other steps. */
  #switchStep(qualifier: 'ON' | 'OFF'): LoweredActions {
    const text = this.#action.text.trim().replace(/^#?"?|"?$/g, '')
    const isAll = /^S_ALL$/i.test(text) && qualifier === 'OFF'
    const named = this.#steps.get(text.toUpperCase())
    const targets = isAll ? [...this.#steps.values()].filter((step) => step !== this.#step) : named ? [named] : []
    if (targets.length === 0 && !isAll) {
      this.#refuse(`There is no step ${text}.`)
      return nothing
    }
    const part = qualifier === 'ON' ? 'SS' : 'RA'
    const requests = targets.flatMap(({ name }) => this.#data.set(this.#data.member(name, part)))
    return this.#once(requests)
  }

  // ── S5 timers and counters ────────────────────────────────────────────────────────────────────────────────────────

  #element(kind: 'T' | 'C'): S5Element | undefined {
    const operand = this.#operand(0, kind === 'T' ? 'The timer' : 'The counter')
    if (!operand) return undefined
    const area = kind === 'T' ? 'Timer' : 'Counter'
    if (operand.kind === 'address' && operand.area === area)
      return s5Element(this.#context, kind, operand.bitOffset ?? 0, {})
    const name = operand.kind === 'symbol' && operand.path.length === 1 ? operand.path[0]?.name : undefined
    const address = name === undefined ? undefined : this.#context.program.tags.get(name.toLowerCase())?.address
    if (address?.area === kind) return s5Element(this.#context, kind, address.byte, {})
    this.#refuse(kind === 'T' ? 'A timer is wanted, e.g. %T5.' : 'A counter is wanted, e.g. %C5.')
    return undefined
  }

  /** With an event the signal is a short pulse; without one it is TRUE while the step is active. */
  #signalled(make: (signal: Expression) => Statement[]): LoweredActions {
    const on = make(isTrue)
    const off = make(isFalse)
    if (this.#action.event !== '') return this.#once([...on, ...off])
    return { ...this.#once(on), ending: [when(this.#bit('S0'), off)] }
  }

  #counter(qualifier: 'CS' | 'CU' | 'CD' | 'CR'): LoweredActions {
    const element = this.#element('C')
    if (!element) return nothing
    if (qualifier === 'CR') return this.#once(s5CounterReset(element, isTrue))
    if (qualifier !== 'CS')
      return this.#signalled((signal) => s5Count(element, qualifier === 'CU' ? 'up' : 'down', signal))
    const operand = this.#operand(1, 'The start value')
    const value = operand && this.#digits(operand)
    return value ? this.#signalled((signal) => s5CounterSet(element, signal, value)) : nothing
  }

  /** The start value of a counter as BCD: `C#10` and words already contain digits, numbers are converted. */
  #digits(operand: ModelOperand): Expression | undefined {
    const read = readScalar(this.#context, lowerOperand(this.#context, operand, {}), {})
    if (!read) return undefined
    const { family, bits } = read.type
    const isOutside =
      family === 'integer' &&
      read.expression.kind === 'constant' &&
      (read.expression.value < 0 || read.expression.value > 999)
    if (isOutside || (family !== 'integer' && (family !== 'bits' || bits > 16))) {
      this.#refuse('The start value of a counter is a number from 0 to 999, e.g. C#10.')
      return undefined
    }
    if (family === 'bits') return convert(read.expression, read.type, Word, 'bits')
    const number = convert(convert(read.expression, read.type, DInt), DInt, UDInt, 'bits')
    return convert(toBcdDigits(number, 3), UDInt, Word)
  }

  #timer(qualifier: 'TL' | 'TD' | 'TF' | 'TR'): LoweredActions {
    const element = this.#element('T')
    if (!element) return nothing
    if (qualifier === 'TR') return this.#once(s5TimerReset(element, isTrue))
    const operand = this.#operand(1, 'The time')
    const time = operand && readAs(this.#context, lowerOperand(this.#context, operand, {}), S5Time, {}, 'For the time')
    if (!time) return nothing
    const mode = qualifier === 'TL' ? 'SE' : qualifier === 'TD' ? 'SS' : 'SF'
    return this.#signalled((signal) =>
      s5Timer(this.#context, mode, element, signal, convert(time, S5Time, Word, 'bits')),
    )
  }
}

/** Whether the text is a call or an assignment, not just an operand. */
function isProgram(text: string): boolean {
  return /:=|\(|^\s*CALL\b/i.test(text.replace(/"[^"]*"|'[^']*'/g, ''))
}
