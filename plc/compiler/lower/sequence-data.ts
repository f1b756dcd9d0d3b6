/**
 * The system data in the instance of a GRAPH function block: bits and times of steps and transitions, modes,
 * parameters.
 */

import { and, binary, constant, convert, isFalse, isTrue, not, or } from '../../ir/build.ts'
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

/**
 * Members of `RT_DATA.MOP` that programs may write: each works like an input when it rises. Help pages "Access to
 * interface parameters" and "Other static parameters".
 */
const requests: Readonly<Partial<Record<EdgeBit, string>>> = {
  INIT_SQ: 'INIT',
  OFF_SQ: 'OFF',
  ACK_EF: 'ACK',
  REG_EF: 'REG',
  S_PREV: 'S_PREV',
  S_NEXT: 'S_NEXT',
  T_PUSH: 'T_PUSH',
  S_ON: 'S_ON',
  S_OFF: 'S_OFF',
  T_PREV: 'T_PREV',
  T_NEXT: 'T_NEXT',
  S_SELOK: 'S_SELOK',
  ACK_S: 'ACK_S',
  REG_S: 'REG_S',
  SW_AUTO: 'AUTO',
  SW_MAN: 'MAN',
  SW_TAP: 'TAP',
  SW_TOP: 'TOP',
  HALT_SQ: 'HALT',
  HALT_TM: 'TMS_HALT',
  ZERO_OP: 'OPS_ZERO',
}

/** Members that show what is on; the others are FALSE again after the call that carried them out. */
const stayingRequests = new Set(['AUTO', 'MAN', 'TAP', 'TOP', 'HALT', 'TMS_HALT', 'OPS_ZERO'])

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
    for (const bit of edgeBits) {
      const parameter = kept[bit] ? undefined : this.parameter(bit)
      const state = kept[bit] ?? (parameter && this.read(parameter))
      if (!state) continue
      word = binary('or', DWord, word, placed(state, bit))
    }
    return word
  }

  /** Whether a parameter, or the member of MOP beside it, rises in this call; `undefined`: the block has neither. */
  rises(bit: EdgeBit, memory: Expression): Expression | undefined {
    const parameter = this.parameter(bit)
    const own = parameter && and(this.read(parameter), not(this.was(bit, memory)))
    const request = this.#requested(bit)
    return own && request ? or(own, request) : (own ?? request)
  }

  #requested(bit: EdgeBit): Expression | undefined {
    const [name, previous] = [requests[bit], this.mode('PREVIOUS')]
    const member = name === undefined ? undefined : this.mode(name)
    return member && previous && and(this.read(member), not(this.was(bit, this.read(previous, DWord))))
  }

  /** Keeps the requests of MOP for the next call, and ends those that are carried out. */
  endRequests(): Statement[] {
    const previous = this.mode('PREVIOUS')
    if (!previous) return []
    const known = Object.entries(requests).flatMap(([bit, name]) => {
      const member = this.mode(name)
      return member ? [{ bit: bit as EdgeBit, name, member }] : []
    })
    const word = known.reduce<Expression>(
      (all, { bit, member }) => binary('or', DWord, all, placed(this.read(member), bit)),
      constant(DWord, 0n),
    )
    const ended = known.filter(({ name }) => !stayingRequests.has(name))
    return [...this.write(previous, word), ...ended.flatMap(({ member }) => this.clear(member))]
  }
}

/** A bit at its place in a word of edges. */
function placed(value: Expression, bit: EdgeBit): Expression {
  return binary('shiftLeft', DWord, convert(value, Bool, DWord), constant(DWord, BigInt(edgeBits.indexOf(bit))))
}
