/**
 * Operators on two numbers without a type. Such a number has no type before its surroundings give it one (IEC 61131-3,
 * 6.3.2), so these are calculated exactly, and the result is a number without a type again: what does not fit where it
 * is used is reported there.
 */
import type { ConstantValue } from '../../program/constants.ts'
import type { ArithmeticOperator, Comparison, LogicOperator } from './operator-names.ts'
import type { Operand, Side } from './values.ts'

type Whole = ConstantValue & { readonly value: bigint }

function wholes(left: Side, right: Side): readonly [Whole, Whole] | undefined {
  const [a, b] = [left.operand, right.operand]
  return isWhole(a) && isWhole(b) ? [a, b] : undefined
}

function isWhole(operand: Operand): operand is Whole {
  return operand.kind === 'constant' && operand.type === undefined && typeof operand.value === 'bigint'
}

/** Longer texts are not shown in messages. */
const longest = 40

function number(value: bigint, left: Whole, operator: string, right: Whole, isPattern = false): ConstantValue {
  const text = `${left.text} ${operator} ${right.text}`
  const shown = text.length > longest ? `${value}` : text
  return { kind: 'constant', value, text: shown, isComputed: true, ...(isPattern ? { isPattern } : {}) }
}

/** Returns the result for two whole numbers without a type; `undefined` for others, and for a division by 0. */
export function foldNumbers(operator: ArithmeticOperator, left: Side, right: Side): ConstantValue | undefined {
  const both = wholes(left, right)
  if (!both) return undefined
  const [a, b] = both
  switch (operator) {
    case '+':
      return number(a.value + b.value, a, operator, b)
    case '-':
      return number(a.value - b.value, a, operator, b)
    case '*':
      return number(a.value * b.value, a, operator, b)
    case '/':
      return b.value === 0n ? undefined : number(a.value / b.value, a, operator, b)
    case 'MOD':
      return b.value === 0n ? undefined : number(a.value % b.value, a, operator, b)
  }
}

/** Returns AND, OR, XOR of two patterns without a type, e.g. `16#F0 OR 16#0F`; 0 and 1 may be truth values. */
export function foldLogic(operator: LogicOperator, left: Side, right: Side): ConstantValue | undefined {
  const both = wholes(left, right)
  if (!both?.some(({ isPattern }) => isPattern === true) || both.some(({ value }) => value < 0n)) return undefined
  const [a, b] = both
  const value = operator === 'AND' ? a.value & b.value : operator === 'OR' ? a.value | b.value : a.value ^ b.value
  return number(value, a, operator, b, true)
}

/** Returns the result of a comparison of two whole numbers without a type; `undefined` for others. */
export function compareNumbers(operator: Comparison, left: Side, right: Side): boolean | undefined {
  const both = wholes(left, right)
  if (!both) return undefined
  const [a, b] = both.map(({ value }) => value) as [bigint, bigint]
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
    case '>=':
      return a >= b
  }
}

/** Returns a number with the other sign; the pattern `16#FFFF` becomes the number -65535. */
export function negated({ isPattern: _pattern, ...operand }: ConstantValue): ConstantValue {
  const { value } = operand
  return typeof value === 'string' ? operand : { ...operand, value: -value, text: `-${operand.text}` }
}
