/**
 * The system data in the instance of a GRAPH function block: bits and times of steps and transitions, modes,
 * parameters.
 */

import { binary, constant, convert, isFalse, isTrue, not } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { Bool, DWord, USInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { memberOperand } from './operands.ts'
import { load, storeScalar } from './reading.ts'
import type { Variable } from './values.ts'

/**
 * Bits of the word that stores the last values of the parameters, for their edges. CALLED means that the block was
 * called before; the last three are switches that have no other place in the data of a block.
 */
const edgeBits = [
  'INIT_SQ',
  'OFF_SQ',
  'ACK_EF',
  'REG_EF',
  'S_PREV',
  'S_NEXT',
  'SW_AUTO',
  'SW_MAN',
  'SW_TAP',
  'SW_TOP',
  'T_PUSH',
  'S_ON',
  'S_OFF',
  'CALLED',
  'HALT_SQ',
  'HALT_TM',
  'ZERO_OP',
  'EN_IL',
  'EN_SV',
  'EN_ACKREQ',
  'EN_SSKIP',
  'T_PREV',
  'T_NEXT',
  'S_SELOK',
  'ACK_S',
  'REG_S',
  'DISP_SACT',
  'DISP_SEF',
  'DISP_SALL',
  'SQ_HALTED',
  'TM_HALTED',
  'OP_ZEROED',
] as const
export type EdgeBit = (typeof edgeBits)[number]

/** Switches that are stored in the word of the edges. */
export type KeptSwitch = 'SQ_HALTED' | 'TM_HALTED' | 'OP_ZEROED'

/** Value in `S_DISPIDX`, which only the system uses. */
const showsFaultySteps = 1n

export class SequenceData {
  readonly #context: BlockContext
  readonly #reported = new Set<string>()

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** A member of the structure of a step or transition, `X`, `T`, `TT` …, when the interface has it. */
  memberOf(name: string, member: string): Variable | undefined {
    const context = this.#context
    const found = context.localName(name)
    const type = found?.kind === 'variable' && found.type.kind === 'struct' ? found.type : undefined
    const hasMember = type?.members.some((one) => one.name.toUpperCase() === member.toUpperCase()) ?? false
    if (found?.kind !== 'variable' || !hasMember) return undefined
    const operand = memberOperand(context, found, member, {})
    return operand.kind === 'variable' ? operand : undefined
  }

  /** The same for a step, which must have it; what is not there is reported once for each step. */
  member(name: string, member: string): Variable | undefined {
    const found = this.memberOf(name, member)
    if (found || this.#reported.has(name)) return found
    this.#reported.add(name)
    const { name: block } = this.#context.block
    this.#context.report(
      'chart-data',
      {},
      `The step ${name} has no data in the interface of "${block}".`,
      `Static needs ${name} : G7_StepPlus_V6.`,
    )
    return undefined
  }

  /** Returns a parameter or static of the interface; GRAPH blocks have only the chosen ones. */
  parameter(name: string): Variable | undefined {
    const found = this.#context.localName(name)
    return found?.kind === 'variable' && found.type.kind === 'scalar' ? found : undefined
  }

  /** Returns a mode in `RT_DATA.MOP`. */
  mode(name: string): Variable | undefined {
    return this.runTime('MOP', name)
  }

  /** A member of `RT_DATA`, or one inside: `MOP.AUTO`. Blocks of version 1.0 have them in their statics. */
  runTime(...path: readonly string[]): Variable | undefined {
    const data = this.#context.localName('RT_DATA')
    const [first = '', ...rest] = path
    const found = data ?? this.#context.localName(first)
    let variable: Variable | undefined = found?.kind === 'variable' ? found : undefined
    for (const name of data ? path : rest) {
      if (variable?.type.kind !== 'struct' || !variable.type.members.some((member) => member.name === name))
        return undefined
      const part = memberOperand(this.#context, variable, name, {})
      variable = part.kind === 'variable' ? part : undefined
    }
    return variable
  }

  /** Sets which steps S_NO goes through; the active ones when the block has no run-time data. */
  showSteps(which: 'active' | 'faulty' | 'all'): Statement[] {
    const index = this.runTime('S_DISPIDX')
    const code = { active: 0n, faulty: showsFaultySteps, all: 0n }[which]
    return [
      ...this.write(this.mode('SACT_DISP'), which === 'active' ? isTrue : isFalse),
      ...this.write(index, constant(USInt, code)),
    ]
  }

  /** Whether S_NO goes through the steps with errors (rather than all steps) when it does not show active ones. */
  showsFaulty(): Expression {
    return binary('equal', USInt, this.read(this.runTime('S_DISPIDX'), USInt), constant(USInt, showsFaultySteps))
  }

  /** Returns the value; FALSE or 0 for a missing variable. */
  read(variable: Variable | undefined, type: ScalarType = Bool): Expression {
    return (variable && load(variable)) ?? constant(type, 0n)
  }

  write(variable: Variable | undefined, value: Expression): Statement[] {
    return variable ? storeScalar(this.#context, variable, value, {}) : []
  }

  set(variable: Variable | undefined): Statement[] {
    return this.write(variable, isTrue)
  }

  clear(variable: Variable | undefined): Statement[] {
    return this.write(variable, isFalse)
  }

  // ── Edges of parameters ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Whether a bit was set at the last call.
   * @param memory the value of the word at that call
   */
  was(bit: EdgeBit, memory: Expression): Expression {
    const mask = constant(DWord, 1n << BigInt(edgeBits.indexOf(bit)))
    return binary('notEqual', DWord, binary('and', DWord, memory, mask), constant(DWord, 0n))
  }

  /** Returns the word for the next call. */
  edgeWord(switches: Readonly<Record<KeptSwitch, Expression>>): Expression {
    const kept: Readonly<Partial<Record<EdgeBit, Expression>>> = switches
    let word: Expression = constant(DWord, 1n << BigInt(edgeBits.indexOf('CALLED')))
    for (const [i, bit] of edgeBits.entries()) {
      const parameter = kept[bit] ? undefined : this.parameter(bit)
      const state = kept[bit] ?? (parameter && this.read(parameter))
      if (!state) continue
      const value = convert(state, Bool, DWord)
      word = binary('or', DWord, word, binary('shiftLeft', DWord, value, constant(DWord, BigInt(i))))
    }
    return word
  }

  /** Whether a parameter rises in this call; `undefined` when the block does not have it. */
  rises(bit: EdgeBit, memory: Expression): Expression | undefined {
    const parameter = this.parameter(bit)
    return parameter && binary('and', Bool, this.read(parameter), not(this.was(bit, memory)))
  }
}
