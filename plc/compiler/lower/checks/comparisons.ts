/**
 * Rules about comparisons of numbers: `real-equality`, and `comparison-always` for those whose result the range of a
 * type decides.
 */

import { rangeOf } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { BlockContext } from '../block-context.ts'
import { textOf } from '../operands.ts'
import type { Comparison } from '../operator-names.ts'
import type { SourceRange } from '../source-range.ts'
import type { Operand, Side } from '../values.ts'
import { constantNumber } from './constant-number.ts'

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/**
 * Checks a comparison of two scalars.
 * @returns its value, when the range of a type decides it
 */
export function checkComparison(
  context: BlockContext,
  operator: Comparison,
  { operand: left }: Side,
  { operand: right }: Side,
  at: SourceRange,
): boolean | undefined {
  const known = byRange(left, operator, right) ?? byRange(right, mirrored[operator], left)
  if (known !== undefined) {
    const { value, type, range } = known
    const text = `${shown(left)} ${operator} ${shown(right)}`
    context.report(
      'comparison-always',
      at,
      `${text} is always ${value ? 'TRUE' : 'FALSE'}: a value of type ${typeName(type)} is from ${range[0]} to ${range[1]}.`,
      undefined,
      'warning',
    )
    return value
  }
  const isSame =
    left.kind === 'variable' && right.kind === 'variable' && left.text === right.text && !left.text.includes('…')
  // A real number that is not equal to itself is no number: that is a usual test.
  if (isSame && !isReal(left) && left.slice?.shift === right.slice?.shift)
    context.report(
      'comparison-always',
      at,
      `${left.text} is compared with itself.`,
      'One of the two is probably another variable.',
      'warning',
    )
  if ((operator === '=' || operator === '<>') && isRisky(operator, left, right))
    context.report(
      'real-equality',
      at,
      `${shown(left)} ${operator} ${shown(right)} compares real numbers for equality.`,
      'Calculated values seldom meet a number exactly: compare the distance, e.g. ABS(a - b) < 0.001.',
      'information',
    )
  return undefined
}

function shown(operand: Operand): string {
  const value = operand.kind === 'result' ? constantNumber(operand) : undefined
  if (value !== undefined) return `${value}`
  return operand.kind === 'result' ? 'the value' : textOf(operand)
}

function typeOf(operand: Operand): ScalarType | undefined {
  if (operand.kind === 'result') return operand.type
  return operand.kind === 'variable' && operand.type.kind === 'scalar' ? operand.type : undefined
}

function isReal(operand: Operand): boolean {
  return typeOf(operand)?.family === 'real'
}

/** The result of `operand operator constant` when every value of the operand's type gives the same. */
function byRange(
  operand: Operand,
  operator: Comparison,
  constant: Operand,
): { readonly value: boolean; readonly type: ScalarType; readonly range: readonly [bigint, bigint] } | undefined {
  const type = typeOf(operand)
  if (type === undefined || (type.family !== 'integer' && type.family !== 'bits')) return undefined
  // 16#FFFF means -1 beside an Int.
  const limit = constantNumber(constant)
  if (typeof limit !== 'bigint' || constantNumber(operand) !== undefined) return undefined
  if (constant.kind === 'constant' && constant.isPattern === true && type.isSigned) return undefined
  const own = constant.kind === 'constant' ? constant.type : typeOf(constant)
  const isNumber = own === undefined || (own.kind === 'scalar' && (own.family === 'integer' || own.family === 'bits'))
  const range = rangeOf(type)
  if (!isNumber || range === undefined) return undefined
  const value = decided(range, operator, limit)
  return value === undefined ? undefined : { value, type, range }
}

function decided([low, high]: readonly [bigint, bigint], operator: Comparison, limit: bigint): boolean | undefined {
  switch (operator) {
    case '<':
      return high < limit ? true : low >= limit ? false : undefined
    case '<=':
      return high <= limit ? true : low > limit ? false : undefined
    case '>':
      return low > limit ? true : high <= limit ? false : undefined
    case '>=':
      return low >= limit ? true : high < limit ? false : undefined
    case '=':
      return limit < low || limit > high ? false : undefined
    case '<>':
      return limit < low || limit > high ? true : undefined
  }
}

/**
 * Zero is exact, and a value that is compared with a copy of itself (`<>` of two variables) is a usual test for a
 * change.
 */
function isRisky(operator: Comparison, left: Operand, right: Operand): boolean {
  const sides = [left, right]
  if (!sides.some(isReal)) return false
  if (sides.some((side) => Number(constantNumber(side)) === 0)) return false
  const areVariables = sides.every(({ kind }) => kind === 'variable')
  return !(areVariables && (operator === '<>' || isSameText(left, right)))
}

function isSameText(left: Operand, right: Operand): boolean {
  return left.kind === 'variable' && right.kind === 'variable' && left.text === right.text
}
