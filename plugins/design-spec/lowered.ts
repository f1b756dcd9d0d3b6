/** Checked expressions on their way to SCL text: a type, and how the text is written where a type is wanted. */
import type { DataType } from '../../plc/model/data-type.ts'
import type { BinaryOperator } from './expression.ts'
import { assignHint, type Constant, isComparison, realConstant, type ValueType, valueExample } from './type-rules.ts'

/** An expression with its type, and how it is written where a value of `target` is wanted. */
export interface Lowered {
  readonly type: ValueType
  readonly at: number
  readonly source: string
  readonly shape: 'atom' | 'unary' | BinaryOperator
  emit(target?: DataType): string
}

/** An operand of an operator in SCL, in parentheses where priority or reading asks for them. */
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

/** A constant that was calculated here, as one constant in SCL. */
export function foldedConstant(type: Constant, at: number, source: string): Lowered {
  const emit = (target?: DataType): string => {
    if (type.kind === 'real') return realConstant(type.value)
    return target?.family === 'real' ? realConstant(type.value) : String(type.value)
  }
  return { type, at, source, shape: 'atom', emit }
}

/** What to write instead when a constant of the wrong kind is compared; empty when nothing sensible can be said. */
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

/** What could be compared, for faults. */
export function comparableWith(left: Lowered, right: Lowered): string {
  if (left.type.kind === 'typed') return valueExample(left.type.type)
  return right.type.kind === 'typed' ? valueExample(right.type.type) : 'two values of the same kind'
}
