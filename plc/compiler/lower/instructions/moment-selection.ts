/** SEL, MUX, MIN, MAX and LIMIT of points in time that are not scalars: DTL and DATE_AND_TIME are copied as a whole. */

import { binary, isFalse, when } from '../../../ir/build.ts'
import type { BinaryOperator, Expression, Place, Statement } from '../../../ir/ir.ts'
import { LInt } from '../../../program/scalars.ts'
import type { Type } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { InstructionCall } from '../instruction.ts'
import { momentKind, momentNanoseconds, momentPlace } from '../moments.ts'
import { wholeVariable } from '../operands.ts'
import type { Called, Operand, Variable } from '../values.ts'
import type { Given } from './arguments.ts'

/** Inputs of one of these types, and the place for the selected one. */
class MomentChoice {
  readonly #type: Type
  readonly #sources: readonly Place[]
  readonly #operands: readonly Operand[]
  readonly #call: InstructionCall
  readonly #target: Variable & { readonly at: { readonly kind: 'place' } }

  constructor(call: InstructionCall, type: Type, operands: readonly Operand[], sources: readonly Place[]) {
    this.#call = call
    this.#type = type
    this.#operands = operands
    this.#sources = sources
    this.#target = {
      kind: 'variable',
      type,
      at: { kind: 'place', place: call.context.frame(type) },
      text: `the value that ${call.name} gives`,
      readOnly: 'constant',
    }
  }

  /** Selects the input with this number. */
  take(number: number): Statement {
    const from = this.#sources[number] as Place
    return {
      kind: 'copy',
      type: this.#type,
      from,
      to: this.#target.at.place,
      site: this.#call.context.site(this.#call.at),
    }
  }

  /** Selects it when it is before (`less`) or after (`greater`) the current selection. */
  takeWhen(operator: BinaryOperator & ('less' | 'greater'), number: number): Statement {
    const one = momentNanoseconds(this.#operands[number] as Operand) as Expression
    const taken = momentNanoseconds(this.#target) as Expression
    return when(binary(operator, LInt, one, taken), [this.take(number)])
  }

  /** LIMIT: when the lower limit is above the upper one, the result is the input itself, and ENO is FALSE. */
  limited(input: number, low: number, high: number): Called {
    const { context } = this.#call
    const [least, most] = [low, high].map((one) => momentNanoseconds(this.#operands[one] as Operand)) as [
      Expression,
      Expression,
    ]
    const isWrong = binary('greater', LInt, least, most)
    const fails: Statement[] = context.setsEno ? [{ kind: 'setEno', value: isFalse }] : []
    const bounded = [this.takeWhen('less', high), this.takeWhen('greater', low)]
    return this.called([this.take(input), when(isWrong, fails, bounded)])
  }

  called(statements: readonly Statement[]): Called {
    return { statements, value: this.#target }
  }
}

/**
 * Returns the inputs as points in time when one of them is a DTL or DATE_AND_TIME.
 * @returns `undefined`: none is; `'wrong'`: they are not all of that type, which is then reported
 */
export function momentChoice(call: InstructionCall, given: readonly Given[]): MomentChoice | 'wrong' | undefined {
  const operands = given.map(({ operand }) => wholeVariable(operand) ?? operand)
  const types = operands.map((one) => ('type' in one ? one.type : undefined))
  const first = types.find((type) => momentKind(type) !== undefined)
  if (!first) return undefined
  // The type of a constant is DTL by name only; its members come from the program.
  const type = momentKind(first) === 'dtl' ? call.context.program.typeOf('DTL') : first
  const sources: Place[] = []
  for (const [i, operand] of operands.entries()) {
    const isSame = momentKind(types[i]) === momentKind(first)
    const place =
      operand.kind === 'variable' && operand.at.kind === 'place' ? operand.at.place : momentPlace(operand, type)
    if (isSame && place) {
      sources.push(place)
      continue
    }
    if (operand.kind !== 'wrong') {
      const own = types[i]
      const message = `${call.name} takes values of one type; ${own ? typeName(own) : 'this'} does not go with ${typeName(type)}.`
      call.context.report('wrong-operand', given[i]?.at ?? call.at, message)
    }
    return 'wrong'
  }
  return new MomentChoice(call, type, operands, sources)
}
