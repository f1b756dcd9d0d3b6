/**
 * Checked expressions before they become SCL text: each has a type, and its text depends on the type that is needed.
 */
import type { DataType } from '../../../plc/model/data-type.ts'
import type { BinaryOperator } from './expression.ts'
import { assignHint, type Constant, isComparison, realConstant, type ValueType, valueExample } from './type-rules.ts'

/** An expression with its type, and its text where a value of type `target` is needed. */
export interface Lowered {
  readonly type: ValueType
  readonly at: number
  readonly source: string
  readonly shape: 'atom' | 'unary' | BinaryOperator
  emit(target?: DataType): string
}

/** An operand of an operator in SCL, in parentheses where priority or readability requires them. */
export function bracket(
  operand: Lowered,
  operator: BinaryOperator,
  side: 'left' | 'right',
  target: DataType | undefined,
): string {
  const text = operand.emit(target)
  const chain = side === 'left' && operand.shape === operator && !isComparison(operator)
  const signed = side === 'right' && /^[+-]/.test(text)
  const bare = operand.shape === 'atom' || operand.shape === 'unary' || chain
  return bare && !signed ? text : `(${text})`
}

/** A constant that was calculated here, as a single constant in SCL. */
export function foldedConstant(type: Constant, at: number, source: string): Lowered {
  const emit = (target?: DataType): string => {
    if (type.kind === 'real') return realConstant(type.value)
    return target?.family === 'real' ? realConstant(type.value) : String(type.value)
  }
  return { type, at, source, shape: 'atom', emit }
}

/** A proposal when a constant of the wrong kind is compared; empty when there is none. */
export function mismatchHint(left: Lowered, right: Lowered): string {
  for (const [typed, other] of [
    [left.type, right.type],
    [right.type, left.type],
  ] as const) {
    if (typed.kind === 'typed') {
      const hint = assignHint(typed.type, other)
      if (hint !== '') return hint
    }
  }
  return ''
}

/** Describes what can be compared, for faults. */
export function comparableWith(left: Lowered, right: Lowered): string {
  if (left.type.kind === 'typed') return valueExample(left.type.type)
  return right.type.kind === 'typed' ? valueExample(right.type.type) : 'two values of the same kind'
}
