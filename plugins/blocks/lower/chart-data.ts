/** The data of a GRAPH function block that the system keeps in its instance: bits and times of steps and transitions, modes, parameters. */
import type { Expression, Statement } from '../program/ir.ts'
import { binary, constant, convert, isFalse, isTrue, not } from '../program/ir-build.ts'
import { Bool, DWord } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { memberOperand } from './operands.ts'
import { load, storeScalar } from './reading.ts'
import type { Variable } from './values.ts'

/** Bits of the word in which the edges of the parameters are kept; the last one says that the block was called before. */
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
] as const
export type EdgeBit = (typeof edgeBits)[number]

export class ChartData {
  readonly #context: BlockContext
  readonly #reported = new Set<string>()

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** A part of the structure of a step or transition, `X`, `T`, `TT` …, when the interface has it. */
  partOf(name: string, part: string): Variable | undefined {
    const context = this.#context
    const found = context.localName(name)
    const type = found?.kind === 'variable' && found.type.kind === 'struct' ? found.type : undefined
    const hasPart = type?.members.some((member) => member.name.toUpperCase() === part.toUpperCase()) ?? false
    if (found?.kind !== 'variable' || !hasPart) return undefined
    const operand = memberOperand(context, found, part, {})
    return operand.kind === 'variable' ? operand : undefined
  }

  /** The same for a step, which must have it; what is not there is reported once for each step. */
  part(name: string, part: string): Variable | undefined {
    const found = this.partOf(name, part)
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

  /** A parameter or static of the interface; GRAPH blocks have only those that were chosen. */
  parameter(name: string): Variable | undefined {
    const found = this.#context.localName(name)
    return found?.kind === 'variable' && found.type.kind === 'scalar' ? found : undefined
  }

  /** A mode in `RT_DATA.MOP`. */
  mode(name: string): Variable | undefined {
    const context = this.#context
    const data = context.localName('RT_DATA')
    if (data?.kind !== 'variable' || data.type.kind !== 'struct') return undefined
    if (!data.type.members.some((member) => member.name === 'MOP')) return undefined
    const modes = memberOperand(context, data, 'MOP', {})
    if (modes.kind !== 'variable' || modes.type.kind !== 'struct') return undefined
    if (!modes.type.members.some((member) => member.name === name)) return undefined
    const found = memberOperand(context, modes, name, {})
    return found.kind === 'variable' ? found : undefined
  }

  /** The value; FALSE or 0 of what is not there. */
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

  /** Whether a bit was set at the last call. @param memory what the word held then */
  was(bit: EdgeBit, memory: Expression): Expression {
    const mask = constant(DWord, 1n << BigInt(edgeBits.indexOf(bit)))
    return binary('notEqual', DWord, binary('and', DWord, memory, mask), constant(DWord, 0n))
  }

  /** The word for the next call. */
  edgeWord(): Expression {
    let word: Expression = constant(DWord, 1n << BigInt(edgeBits.indexOf('CALLED')))
    for (const [i, bit] of edgeBits.entries()) {
      const parameter = this.parameter(bit)
      if (!parameter) continue
      const value = convert(this.read(parameter), Bool, DWord)
      word = binary('or', DWord, word, binary('shiftLeft', DWord, value, constant(DWord, BigInt(i))))
    }
    return word
  }

  /** A parameter that rises in this call; `undefined` when the block does not have it. */
  rises(bit: EdgeBit, memory: Expression): Expression | undefined {
    const parameter = this.parameter(bit)
    return parameter && binary('and', Bool, this.read(parameter), not(this.was(bit, memory)))
  }
}
