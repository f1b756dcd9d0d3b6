/**
 * Evaluates conditions and entry actions as written in the spec, without the generator and the compiler: the result is
 * what the generated block must do. Types combine as in typing.ts, which has checked the expressions.
 */
import { type DataType, elementaryType } from '../../../plc/model/data-type.ts'
import type { BinaryOperator, Expression, VariableNode } from './expression.ts'
import { commonTyped, fold, isComparison, type ValueType } from './type-rules.ts'
import { boolType, converted, fitted, textValue, typedValue, Unpredictable, type Value } from './value.ts'

/** The values of the variables. */
export interface Environment {
  typeOf(variable: VariableNode): DataType
  /** @throws Unpredictable when the value is not known */
  valueOf(variable: VariableNode): Value
}

/** A value with its type. An untyped constant is kept with the type of its value, a text with its quotes. */
type Typed =
  | { readonly type: DataType; readonly value: Value }
  | { readonly constant: Extract<ValueType, { kind: 'integer' | 'real' }> }
  | { readonly quoted: string }

/** A limit for a search: the number of expression nodes that may still be evaluated. */
export interface Effort {
  left: number
}

/** The limit of the effort was exceeded. */
export class TooMuchEffort extends Error {}

/** Whether a condition is TRUE. @throws Unpredictable, TooMuchEffort */
export function isTrue(node: Expression, env: Environment, effort: Effort): boolean {
  const result = new Evaluation(env, effort).evaluate(node)
  if ('type' in result && typeof result.value === 'boolean') return result.value
  throw new Unpredictable('it is no condition')
}

/** The value that is assigned to a variable of type `target`. @throws Unpredictable, TooMuchEffort */
export function assignedValue(node: Expression, target: DataType, env: Environment, effort: Effort): Value {
  return as(new Evaluation(env, effort).evaluate(node), target)
}

/** Converts an untyped number or text, or a value of another type, to a type. */
function as(typed: Typed, type: DataType): Value {
  if ('type' in typed) return fitted(converted(typed.value, typed.type, type), type)
  if ('quoted' in typed) return fitted(textValue(typed.quoted, type.bits === 16), type)
  const { value } = typed.constant
  return fitted(type.family === 'real' ? Number(value) : value, type)
}

class Evaluation {
  readonly #env: Environment
  readonly #effort: Effort

  constructor(env: Environment, effort: Effort) {
    this.#env = env
    this.#effort = effort
  }

  evaluate(node: Expression): Typed {
    if (this.#effort.left-- <= 0) throw new TooMuchEffort()
    switch (node.kind) {
      case 'bool':
        return { type: boolType, value: node.value }
      case 'variable':
        return { type: this.#env.typeOf(node), value: this.#env.valueOf(node) }
      case 'literal': {
        const { literal } = node
        if (literal.kind === 'typed') return { type: literal.type, value: typedValue(literal) }
        if (literal.kind === 'text') return { quoted: literal.text }
        return { constant: literal }
      }
      case 'unary':
        return unary(node.operator, this.evaluate(node.operand))
      case 'binary':
        return binary(node.operator, this.evaluate(node.left), this.evaluate(node.right))
    }
  }
}

function unary(operator: 'NOT' | '+' | '-', operand: Typed): Typed {
  if (operator === '+') return operand
  if ('constant' in operand) {
    const { constant } = operand
    return constant.kind === 'integer'
      ? { constant: { kind: 'integer', value: -constant.value } }
      : { constant: { kind: 'real', value: -constant.value } }
  }
  if (!('type' in operand)) throw new Unpredictable(`${operator} of a text`)
  const { type, value } = operand
  if (operator === '-') return { type, value: fitted(typeof value === 'bigint' ? -value : -(value as number), type) }
  return { type, value: typeof value === 'boolean' ? !value : (value as bigint) ^ type.range![1] }
}

function binary(operator: BinaryOperator, left: Typed, right: Typed): Typed {
  if ('constant' in left && 'constant' in right) return ofConstants(operator, left, right)
  const scaled = scaledDuration(operator, left, right)
  if (scaled) return scaled
  const common = commonType(left, right)
  const a = common ? as(left, common) : 'quoted' in left ? textValue(left.quoted, false) : undefined
  const b = common ? as(right, common) : 'quoted' in right ? textValue(right.quoted, false) : undefined
  if (a === undefined || b === undefined) throw new Unpredictable(`operands of ${operator}`)
  if (isComparison(operator)) return { type: boolType, value: compare(operator, a, b, common) }
  if (!common) throw new Unpredictable(`operands of ${operator}`)
  if (operator === 'AND' || operator === 'OR' || operator === 'XOR')
    return { type: common, value: logic(operator, a, b) }
  return { type: common, value: fitted(arithmetic(operator, a, b), common) }
}

function ofConstants(
  operator: BinaryOperator,
  { constant: a }: Extract<Typed, { constant: unknown }>,
  { constant: b }: Extract<Typed, { constant: unknown }>,
): Typed {
  if (isComparison(operator)) {
    const isWhole = a.kind === 'integer' && b.kind === 'integer'
    const [x, y] = isWhole ? [a.value, b.value] : [Number(a.value), Number(b.value)]
    return { type: boolType, value: compare(operator, x, y, undefined) }
  }
  const folded = fold(operator, a, b)
  if (!folded) throw new Unpredictable(`operands of ${operator}`)
  return { constant: folded }
}

/** Multiplies a duration with a whole number, or divides it. */
function scaledDuration(operator: BinaryOperator, left: Typed, right: Typed): Typed | undefined {
  if (operator !== '*' && operator !== '/') return undefined
  if (!('type' in left) || left.type.family !== 'duration') return undefined
  const factor = 'constant' in right ? right.constant.value : 'type' in right ? right.value : undefined
  if (typeof factor !== 'bigint') throw new Unpredictable(`operands of ${operator}`)
  return { type: left.type, value: fitted(arithmetic(operator, left.value, factor), left.type) }
}

/** The common type of two operands; undefined for two texts. */
function commonType(left: Typed, right: Typed): DataType | undefined {
  if ('type' in left && 'type' in right) {
    const [a, b] = [left.type, right.type]
    if (a.family === 'bits' && b.family === 'bits') return a.bits >= b.bits ? a : b
    const common = commonTyped(a, b)
    if (!common) throw new Unpredictable(`${a.name} beside ${b.name}`)
    // Texts are compared by their characters, whatever the length of their variables.
    return common.family === 'string' ? elementaryType(common.bits === 16 ? 'WString' : 'String') : common
  }
  if ('type' in left) return withConstant(left.type, right)
  if ('type' in right) return withConstant(right.type, left)
  return undefined
}

function withConstant(type: DataType, other: Typed): DataType {
  if ('constant' in other && other.constant.kind === 'real' && type.family === 'integer')
    return elementaryType(type.bits <= 16 ? 'Real' : 'LReal')
  return type
}

function compare(operator: BinaryOperator, a: Value, b: Value, type: DataType | undefined): boolean {
  const isOrder = operator !== '=' && operator !== '<>'
  if (isOrder && type?.name === 'S5Time') throw new Unpredictable('values of S5Time have no order')
  switch (operator) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}

function logic(operator: 'AND' | 'OR' | 'XOR', a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint')
    return operator === 'AND' ? a & b : operator === 'OR' ? a | b : a ^ b
  return operator === 'AND' ? a === true && b === true : operator === 'OR' ? a === true || b === true : a !== b
}

function arithmetic(operator: BinaryOperator, a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (operator === '+') return a + b
    if (operator === '-') return a - b
    if (operator === '*') return a * b
    if (b === 0n) throw new Unpredictable('a division by zero')
    return operator === '/' ? a / b : a % b
  }
  if (typeof a === 'number' && typeof b === 'number') {
    if (operator === '+') return a + b
    if (operator === '-') return a - b
    if (operator === '*') return a * b
    if (operator === '/') return a / b
  }
  throw new Unpredictable(`operands of ${operator}`)
}
