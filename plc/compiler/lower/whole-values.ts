/**
 * `=` and `<>` of structures, PLC data types and arrays as a whole: S7-1500 compares them member by member when both
 * have the same type (TIA Portal's help on relational expressions, "comparison of structures").
 */

import { and, binary, constant, isTrue, local, not, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { Bool, DInt } from '../../program/scalars.ts'
import type { ArrayType, Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { elementOperand, memberOperand, wholeVariable } from './operands.ts'
import type { Side } from './values.ts'
import { type Result, sameType, type Variable, type Wrong, wrong } from './values.ts'

/** Compares two parts that are neither structures nor arrays. */
type Equal = (left: Side, right: Side) => Result | Wrong

function isWhole(type: Type | undefined): boolean {
  return type?.kind === 'struct' || type?.kind === 'array'
}

/**
 * Compares two structures or arrays.
 * @param equal compares the parts inside
 * @returns `undefined`: neither side is one
 */
export function compareWhole(
  context: BlockContext,
  operator: string,
  left: Side,
  right: Side,
  equal: Equal,
): Result | Wrong | undefined {
  const [a, b] = [wholeVariable(left.operand), wholeVariable(right.operand)]
  if (!a || !b || !isWhole(a.type) || !isWhole(b.type)) return undefined
  const refuse = (message: string, hint?: string) => {
    context.report('wrong-operand', left.at, message, hint)
    return wrong
  }
  if (operator !== '=' && operator !== '<>')
    return refuse(
      `${operator} cannot be applied to ${a.text}, which is of type ${typeName(a.type)}.`,
      'Structures and arrays are compared with = and <> only.',
    )
  if (!sameType(a.type, b.type))
    return refuse(
      `${a.text} of type ${typeName(a.type)} cannot be compared with ${b.text} of type ${typeName(b.type)}.`,
      'Structures and arrays are compared when both have the same type.',
    )
  const result = context.local(Bool)
  const comparison = new WholeComparison(context, result, equal, left, right)
  const statements = comparison.parts(a, b)
  if (!statements) return wrong
  const value: Expression = {
    kind: 'sequence',
    statements: [setLocal(result, isTrue), ...statements],
    value: local(Bool, result),
  }
  return { kind: 'result', type: Bool, expression: operator === '=' ? value : not(value) }
}

class WholeComparison {
  readonly #context: BlockContext
  readonly #result: number
  readonly #equal: Equal
  readonly #left: Side
  readonly #right: Side

  constructor(context: BlockContext, result: number, equal: Equal, left: Side, right: Side) {
    this.#context = context
    this.#result = result
    this.#equal = equal
    this.#left = left
    this.#right = right
  }

  /** Makes the result FALSE where two parts differ; `undefined`: a part cannot be compared, which is then reported. */
  parts(a: Variable, b: Variable): Statement[] | undefined {
    const { type } = a
    if (type.kind === 'array' && b.type.kind === 'array') return this.#elements(a, type, b, b.type)
    const isMoment = type.kind === 'struct' && type.isSystem && type.name?.toUpperCase() === 'DTL'
    if (type.kind === 'struct' && b.type.kind === 'struct' && !isMoment) {
      const members = b.type.members
      const all = type.members.map((member, i) => this.#member(a, member.name, b, members[i]?.name ?? member.name))
      return all.every((one) => one !== undefined) ? all.flat() : undefined
    }
    if (type.kind === 'instance' || type.kind === 'pointer') {
      const message = `${a.text} is of type ${typeName(type)}, which has no equality.`
      this.#context.report('wrong-operand', this.#left.at, message)
      return undefined
    }
    const same = this.#equal({ operand: a, at: this.#left.at }, { operand: b, at: this.#right.at })
    if (same.kind === 'wrong') return undefined
    return [setLocal(this.#result, and(local(Bool, this.#result), same.expression))]
  }

  #member(a: Variable, name: string, b: Variable, other: string): Statement[] | undefined {
    const one = memberOperand(this.#context, a, name, this.#left.at)
    const two = memberOperand(this.#context, b, other, this.#right.at)
    return one.kind === 'variable' && two.kind === 'variable' ? this.parts(one, two) : undefined
  }

  /** Makes a loop for each dimension; it ends with the first difference. */
  #elements(a: Variable, one: ArrayType, b: Variable, other: ArrayType): Statement[] | undefined {
    const context = this.#context
    if (one.dimensions.some(({ low, high }, i) => [low, high, other.dimensions[i]?.low].includes(undefined))) {
      const message = `${a.text} or ${b.text} is an Array[*]: it cannot be compared as a whole, its size is not known.`
      context.report('open-array', this.#left.at, message, 'Compare the elements from LOWER_BOUND to UPPER_BOUND.')
      return undefined
    }
    const counters = one.dimensions.map(() => context.local(DInt))
    const indices = (type: ArrayType, at: Side['at']) =>
      type.dimensions.map(({ low = 0 }, i) => ({
        expression: binary('add', DInt, local(DInt, counters[i] as number), constant(DInt, BigInt(low))),
        at,
      }))
    const first = elementOperand(context, a, indices(one, this.#left.at), this.#left.at)
    const second = elementOperand(context, b, indices(other, this.#right.at), this.#right.at)
    let body = first.kind === 'variable' && second.kind === 'variable' ? this.parts(first, second) : undefined
    if (!body) return undefined
    for (const [i, { low = 0, high = 0 }] of [...one.dimensions.entries()].reverse()) {
      const [label, counter] = [context.label(), counters[i] as number]
      const at = local(DInt, counter)
      const isOver = binary(
        'or',
        Bool,
        not(local(Bool, this.#result)),
        binary('greater', DInt, at, constant(DInt, BigInt(high - low))),
      )
      body = [
        setLocal(counter, constant(DInt, 0n)),
        {
          kind: 'loop',
          label,
          site: context.site(this.#left.at),
          atMost: high - low + 2,
          body: [
            when(isOver, [{ kind: 'leave', label }]),
            ...body,
            setLocal(counter, binary('add', DInt, at, constant(DInt, 1n))),
          ],
        },
      ]
    }
    return body
  }
}
