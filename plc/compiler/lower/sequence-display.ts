/**
 * The outputs of a GRAPH function block: the step S_NO and the transition T_NO with their data, modes and switches
 * (S7-GRAPH manual, "Output parameters"; parameter table of GRAPH function blocks in the TIA Portal help).
 *
 * S_CRITLOC, S_CRITSUP and the T_CRIT outputs stay 0: they show single contacts to panels.
 */

import { and, binary, constant, convert, isFalse, isTrue, local, not, or, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import type { Step } from '../../model/sequence.ts'
import { Bool, DInt, Int, UInt, Word } from '../../program/scalars.ts'
import type { BlockContext } from './block-context.ts'
import type { SequenceData } from './sequence-data.ts'
import type { SequenceSwitches } from './sequence-switches.ts'

/** A transition with the facts that the outputs need. */
export interface ShownTransition {
  readonly number: number
  readonly isValid: Expression
}

/** An entry of a list for browsing. */
interface Shown {
  readonly number: number
  readonly isThere: Expression
}

/** Bits of S_STATE from the highest on: the first two bytes of a step's structure. */
const stateBits = 'V0 L0 S0 A1 R1 V1 L1 S1 VS LS SS AA RA VA LA X'.split(' ')

export class SequenceDisplay {
  readonly #context: BlockContext
  readonly #data: SequenceData
  readonly #switches: SequenceSwitches
  readonly #steps: readonly Step[]
  readonly #step: number

  constructor(context: BlockContext, data: SequenceData, switches: SequenceSwitches, steps: readonly Step[]) {
    this.#context = context
    this.#data = data
    this.#switches = switches
    this.#steps = [...steps].sort((a, b) => a.number - b.number)
    this.#step = context.local(Int)
  }

  #bit(step: Step, name: string): Expression {
    return this.#data.read(this.#data.member(step.name, name))
  }

  /** Reads S_NO as the last call left it. */
  begin(): Statement[] {
    return [setLocal(this.#step, this.#data.read(this.#data.parameter('S_NO'), Int))]
  }

  /** Whether this step is the shown one. */
  isShown(step: Step): Expression {
    return binary('equal', Int, local(Int, this.#step), constant(Int, BigInt(step.number)))
  }

  /** Chooses the shown step: by S_NEXT and S_PREV, and in manual mode by S_SEL. */
  choose(): Statement[] {
    const manual = this.#switches.mode('MAN')
    return [
      ...this.#selected(manual),
      ...this.#browse(this.#step, this.#shownSteps(manual), [
        this.#switches.rises('S_NEXT'),
        this.#switches.rises('S_PREV'),
      ]),
    ]
  }

  #shownSteps(manual: Expression): Shown[] {
    const activeOnly = this.#switches.mode('SACT_DISP')
    const faulty = this.#data.showsFaulty()
    return this.#steps.map((step) => {
      const active = this.#bit(step, 'X')
      const isFaulty = and(active, or(this.#bit(step, 'LA'), this.#bit(step, 'VA')))
      const chosen = or(and(activeOnly, active), and(not(activeOnly), or(isFaulty, not(faulty))))
      return { number: step.number, isThere: or(manual, chosen) }
    })
  }

  /**
   * S_SEL takes effect when it changes, or with S_SELOK where the block has it. A number without a step changes
   * nothing.
   */
  #selected(manual: Expression): Statement[] {
    const parameter = this.#data.parameter('S_SEL')
    if (!parameter) return []
    const number = this.#data.read(parameter, Int)
    const kept = this.#data.parameter('S_NO') && this.#steps[0] && this.#data.memberOf(this.#steps[0].name, 'RESERVED')
    const exists = this.#steps.map((step) => binary('equal', Int, number, constant(Int, BigInt(step.number))))
    const pattern = convert(number, Int, Word, 'bits')
    const changed = kept ? binary('notEqual', Word, pattern, this.#data.read(kept, Word)) : isTrue
    const takes = this.#data.parameter('S_SELOK') ? (this.#switches.rises('S_SELOK') ?? isFalse) : changed
    return [
      when(and(manual, and(takes, exists.reduce(or, isFalse))), [setLocal(this.#step, number)]),
      ...this.#data.write(kept, pattern),
    ]
  }

  /**
   * Moves to the next or previous entry in a list; when the current one is no longer in the list, to the first one. 0:
   * there is none.
   */
  #browse(
    shown: number,
    list: readonly Shown[],
    [forward, back]: readonly [Expression | undefined, Expression | undefined],
  ): Statement[] {
    const registers = [0, 1, 2, 3].map(() => this.#context.local(Int))
    const [least, most, next, previous] = registers as [number, number, number, number]
    const isThere = this.#context.local(Bool)
    const is = (register: number, number: number) =>
      binary('equal', Int, local(Int, register), constant(Int, BigInt(number)))
    const orElse = (register: number, otherwise: number): Expression => ({
      kind: 'select',
      type: Int,
      condition: is(register, 0),
      whenTrue: local(Int, otherwise),
      otherwise: local(Int, register),
    })
    return [
      setLocal(isThere, isFalse),
      ...registers.map((register) => setLocal(register, constant(Int, 0n))),
      ...list.map((one) => {
        const number = constant(Int, BigInt(one.number))
        return when(one.isThere, [
          when(is(least, 0), [setLocal(least, number)]),
          setLocal(most, number),
          when(is(shown, one.number), [setLocal(isThere, isTrue)]),
          when(and(is(next, 0), binary('greater', Int, number, local(Int, shown))), [setLocal(next, number)]),
          when(binary('less', Int, number, local(Int, shown)), [setLocal(previous, number)]),
        ])
      }),
      when(
        local(Bool, isThere),
        [
          ...(forward ? [when(forward, [setLocal(shown, orElse(next, least))])] : []),
          ...(back ? [when(back, [setLocal(shown, orElse(previous, most))])] : []),
        ],
        [setLocal(shown, local(Int, least))],
      ),
    ]
  }

  /** Writes all outputs, and the group bits of the run-time data. */
  outputs(transitions: readonly ShownTransition[]): Statement[] {
    const { mode, kept } = { mode: (name: string) => this.#switches.mode(name), kept: this.#switches.all }
    const any = (values: readonly Expression[]) => values.reduce(or, isFalse)
    const error = any(this.#steps.map((step) => this.#bit(step, 'LA')))
    const fault = any(this.#steps.map((step) => this.#bit(step, 'VA')))
    const active = any(this.#steps.map((step) => this.#bit(step, 'X')))
    const faultyOnly = and(not(mode('SACT_DISP')), this.#data.showsFaulty())
    return [
      ...this.#browse(this.#step, this.#shownSteps(mode('MAN')), [undefined, undefined]),
      ...this.#stepOutputs(),
      ...this.#transitionOutputs(transitions),
      ...this.#output('ERROR', error),
      ...this.#output('FAULT', fault),
      ...this.#output('ERR_FLT', or(error, fault)),
      ...this.#data.write(this.#data.runTime('SQ_FLAGS', 'ERROR'), error),
      ...this.#data.write(this.#data.runTime('SQ_FLAGS', 'FAULT'), fault),
      ...this.#data.write(this.#data.runTime('SQ_FLAGS', 'ERR_FLT'), or(error, fault)),
      ...this.#output('SQ_ISOFF', not(active)),
      ...Object.entries(kept).flatMap(([name, value]) => this.#output(name, value)),
      ...this.#output('IL_ENABLED', mode('LOCK')),
      ...this.#output('SV_ENABLED', mode('SUP')),
      ...this.#output('ACKREQ_ENABLED', mode('ACKREQ')),
      ...this.#output('SSKIP_ENABLED', mode('SSKIP')),
      ...this.#output('SACT_DISP', mode('SACT_DISP')),
      ...this.#output('SEF_DISP', faultyOnly),
      ...this.#output('SALL_DISP', and(not(mode('SACT_DISP')), not(this.#data.showsFaulty()))),
      ...['AUTO', 'MAN', 'TAP', 'TOP'].flatMap((name) => this.#output(`${name}_ON`, mode(name))),
    ]
  }

  #output(name: string, value: Expression): Statement[] {
    return this.#data.write(this.#data.parameter(name), value)
  }

  #stepOutputs(): Statement[] {
    const total = this.#context.local(DInt)
    const count = this.#steps.map((step) => convert(this.#bit(step, 'X'), Bool, DInt))
    const names = ['S_ACTIVE', 'S_TIME', 'S_TIMEOK', 'S_STATE']
    const shown = this.#steps.map((step) => {
      const times = [
        ['S_TIME', 'T'],
        ['S_TIMEOK', 'U'],
      ] as const
      const copies = times.flatMap(([name, part]) => {
        const parameter = this.#data.parameter(name)
        const type = parameter?.type.kind === 'scalar' ? parameter.type : undefined
        return type ? this.#data.write(parameter, this.#data.read(this.#data.member(step.name, part), type)) : []
      })
      return when(this.isShown(step), [
        ...this.#output('S_ACTIVE', this.#bit(step, 'X')),
        ...copies,
        ...(this.#data.parameter('S_STATE') ? this.#output('S_STATE', this.#state(step)) : []),
      ])
    })
    return [
      setLocal(
        total,
        count.reduce((sum, one) => binary('add', DInt, sum, one), constant(DInt, 0n)),
      ),
      ...this.#output('S_NO', local(Int, this.#step)),
      ...this.#data.write(this.#data.runTime('S_DISPLAY'), local(Int, this.#step)),
      ...this.#output('S_MORE', binary('greater', DInt, local(DInt, total), constant(DInt, 1n))),
      ...names.flatMap((name) => this.#zero(name)),
      ...shown,
    ]
  }

  #zero(name: string): Statement[] {
    const parameter = this.#data.parameter(name)
    return parameter?.type.kind === 'scalar' ? this.#data.write(parameter, constant(parameter.type, 0n)) : []
  }

  /** The state word: S1 to V0 in the high byte, X to VS in the low one, each from bit 0 up. */
  #state(step: Step): Expression {
    let word: Expression = constant(Word, 0n)
    for (const name of stateBits) {
      const bit = convert(this.#bit(step, name), Bool, Word)
      word = binary('or', Word, binary('shiftLeft', Word, word, constant(UInt, 1n)), bit)
    }
    return word
  }

  #transitionOutputs(transitions: readonly ShownTransition[]): Statement[] {
    const output = this.#data.parameter('T_NO')
    const more = this.#data.parameter('T_MORE')
    if (!output && !more) return []
    const shown = this.#context.local(Int)
    const total = transitions
      .map(({ isValid }) => convert(isValid, Bool, DInt))
      .reduce((sum, one) => binary('add', DInt, sum, one), constant(DInt, 0n))
    const list = [...transitions]
      .sort((a, b) => a.number - b.number)
      .map(({ number, isValid }) => ({ number, isThere: isValid }))
    return [
      setLocal(shown, this.#data.read(output, Int)),
      ...this.#browse(shown, list, [this.#switches.rises('T_NEXT'), this.#switches.rises('T_PREV')]),
      ...this.#data.write(output, local(Int, shown)),
      ...this.#data.write(more, binary('greater', DInt, total, constant(DInt, 1n))),
    ]
  }
}
