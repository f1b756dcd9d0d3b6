/** Operators on durations, times of day and LDT; those of dates, DTL and DATE_AND_TIME: moment-arithmetic.ts. */

import { and, binary, constant, convert, local, setLocal } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import * as scalars from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { requireEno } from './moment-arithmetic.ts'
import type { ArithmeticOperator } from './operator-names.ts'
import { readAs, readScalar } from './reading.ts'
import type { Result, Side } from './values.ts'

const verbs = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', MOD: 'modulo' } as const

function result(type: ScalarType, expression: Expression): Result {
  return { kind: 'result', type, expression }
}

/** Sums of durations and of points in time with durations; products of durations with whole numbers. */
export function withTimes(
  context: BlockContext,
  operator: ArithmeticOperator,
  left: Side,
  right: Side,
  [a, b]: readonly [ScalarType, ScalarType],
): Result | undefined {
  const isTime = (type: ScalarType) => type.family === 'duration' && type !== scalars.S5Time
  const { setsEno } = context
  const apply = (type: ScalarType, x: Expression | undefined, y: Expression | undefined): Result | undefined =>
    x && y ? result(type, binary(verbs[operator], type, x, y, setsEno)) : undefined
  if (operator === '*' || operator === '/') {
    if (isTime(a) && b.family === 'integer') {
      const value = readScalar(context, left.operand, left.at)?.expression
      const factor = readAs(context, right.operand, a.bits === 64 ? scalars.LInt : scalars.DInt, right.at)
      return apply(a, value, factor)
    }
    if (operator === '*' && isTime(b) && a.family === 'integer')
      return withTimes(context, operator, right, left, [b, a])
    return undefined
  }
  if (operator === 'MOD') return undefined
  if (isTime(a) && isTime(b)) {
    const type = a.bits >= b.bits ? a : b
    return apply(type, readAs(context, left.operand, type, left.at), readAs(context, right.operand, type, right.at))
  }
  // Either side may be an integer, which is then a duration too.
  if (isTime(b) && a.family === 'integer' && !context.block.isIecCheckOn)
    return apply(b, readAs(context, left.operand, b, left.at), readScalar(context, right.operand, right.at)?.expression)
  if (isTime(a) && b.family === 'integer' && !context.block.isIecCheckOn)
    return apply(a, readScalar(context, left.operand, left.at)?.expression, readAs(context, right.operand, a, right.at))
  const isPoint = (type: ScalarType) => type.family === 'timeOfDay' || type.family === 'dateTime'
  // Integers next to a time of day are milliseconds, or nanoseconds.
  if (isPoint(a) && (isTime(b) || (a.family === 'timeOfDay' && b.family === 'integer'))) {
    const wide = a.bits === 64
    const by = isTime(b)
      ? readAs(context, right.operand, wide ? scalars.LTime : scalars.Time, right.at)
      : readAs(context, right.operand, wide ? scalars.LInt : scalars.DInt, right.at)
    const value = readScalar(context, left.operand, left.at)?.expression
    if (!value || !by) return undefined
    return a.family === 'timeOfDay'
      ? timeOfDay(context, operator, a, value, by)
      : pointInTime(context, operator, value, by)
  }
  if (operator === '-' && isPoint(a) && a === b) {
    const duration = a.bits === 64 ? scalars.LTime : scalars.Time
    const [x, y] = [readScalar(context, left.operand, left.at), readScalar(context, right.operand, right.at)]
    return apply(duration, x?.expression, y?.expression)
  }
  return undefined
}

/** A time of day moved by milliseconds or nanoseconds: it wraps at midnight with ENO FALSE, as with T_ADD and T_SUB. */
function timeOfDay(
  context: BlockContext,
  operator: '+' | '-',
  type: ScalarType,
  value: Expression,
  by: Expression,
): Result {
  const wide = (operand: Expression, from: ScalarType) =>
    convert(operand, from, scalars.LInt, from.bits === 64 ? 'bits' : 'value')
  const duration = type.bits === 64 ? scalars.LInt : scalars.DInt
  const perDay = constant(scalars.LInt, type.bits === 64 ? 86_400_000_000_000n : 86_400_000n)
  const [shift, sum] = [context.local(scalars.LInt), context.local(scalars.LInt)]
  // What is left of the duration after whole days: a sum with all of it might not fit in 64 bits.
  const rest = binary('modulo', scalars.LInt, local(scalars.LInt, shift), perDay, false)
  const whole = local(scalars.LInt, sum)
  const once = binary('add', scalars.LInt, binary('modulo', scalars.LInt, whole, perDay, false), perDay, false)
  const inDay = binary('modulo', scalars.LInt, once, perDay, false)
  const isInside = and(
    binary('equal', scalars.LInt, rest, local(scalars.LInt, shift)),
    binary('equal', scalars.LInt, inDay, whole),
  )
  const statements: Statement[] = [
    setLocal(shift, wide(by, duration)),
    setLocal(sum, binary(verbs[operator], scalars.LInt, wide(value, type), rest, false)),
    ...requireEno(context, isInside),
  ]
  return result(type, {
    kind: 'sequence',
    statements,
    value: convert(inDay, scalars.LInt, type, type.bits === 64 ? 'bits' : 'value'),
  })
}

/** An LDT moved by nanoseconds: ENO is FALSE before 1970 and behind 2262-04-11. */
function pointInTime(context: BlockContext, operator: '+' | '-', value: Expression, by: Expression): Result {
  const { LDateTime, LInt, LTime } = scalars
  const sum = context.local(LInt)
  const moved = binary(
    verbs[operator],
    LInt,
    convert(value, LDateTime, LInt, 'bits'),
    convert(by, LTime, LInt, 'bits'),
    context.setsEno,
  )
  const isPoint = binary('greaterOrEqual', LInt, local(LInt, sum), constant(LInt, 0n))
  return result(LDateTime, {
    kind: 'sequence',
    statements: [setLocal(sum, moved), ...requireEno(context, isPoint)],
    value: convert(local(LInt, sum), LInt, LDateTime, 'bits'),
  })
}
