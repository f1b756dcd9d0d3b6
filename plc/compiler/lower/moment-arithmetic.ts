/**
 * Sums and differences of points in time by operators, as TIA Portal's help defines them for S7-1500 ("Arithmetic
 * expressions", data types): a point in time and a duration give the point in time; two DTL, LDT or dates the duration
 * between them as LTime, two DT as Time; a date and a time of day a DTL. Two LDT are not in that table; they are
 * treated like two DTL.
 */

import { address, behind, binary, constant, convert } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { DateType, LDateTime, LInt, LTime, Time, TimeOfDay, UDInt } from '../../program/scalars.ts'
import type { ScalarType, Type } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { longMoment, momentKind, momentNanoseconds } from './moments.ts'
import { readScalar } from './reading.ts'
import type { Operand, Result, Side, Variable } from './values.ts'

const perMillisecond = 1_000_000n
const perDay = 86_400_000_000_000n
/** 1990-01-01, the beginning of DATE, in days since 1970. */
const dateEpoch = 7305n

function long(operator: 'add' | 'subtract' | 'multiply', left: Expression, right: Expression, setsEno = false) {
  return binary(operator, LInt, left, right, setsEno)
}

/** Makes a DTL or DATE_AND_TIME in the frame, with the statement that writes nanoseconds since 1970 into it. */
export function newMoment(
  context: BlockContext,
  type: Type,
  nanoseconds: Expression,
  text: string,
): { readonly write: Statement; readonly value: Variable } {
  const place = context.frame(type)
  const isDtl = momentKind(type) === 'dtl'
  return {
    write: {
      kind: 'routine',
      routine: isDtl ? 'dtl.write' : 'dt.write',
      arguments: [address(place), ...(isDtl ? [constant(UDInt, 0n)] : []), nanoseconds],
      setsEno: context.setsEno,
    },
    value: { kind: 'variable', type, at: { kind: 'place', place }, text, readOnly: 'constant' },
  }
}

/** The same where no statement can come before it: the value is written when its address is read. */
function lazyMoment(context: BlockContext, type: Type, nanoseconds: Expression, operator: string): Variable {
  const { write, value } = newMoment(context, type, nanoseconds, `the point in time that ${operator} gives`)
  if (value.at.kind !== 'place') return value
  const written: Expression = { kind: 'sequence', statements: [write], value: address(value.at.place) }
  return { ...value, at: { kind: 'place', place: behind(written, value.at.place.isStandard) } }
}

function scalarType({ operand }: Side): ScalarType | undefined {
  const type = 'type' in operand ? operand.type : undefined
  return type?.kind === 'scalar' ? type : undefined
}

function isDuration(type: ScalarType | undefined): boolean {
  return type === Time || type === LTime
}

/** Returns the nanoseconds of a duration, a date or a time of day. */
function scalarNanoseconds(context: BlockContext, { operand, at }: Side): Expression | undefined {
  const value = readScalar(context, operand, at)
  if (!value) return undefined
  const wide = convert(value.expression, value.type, LInt, value.type.bits === 64 ? 'bits' : 'value')
  if (value.type === DateType)
    return long('multiply', long('add', wide, constant(LInt, dateEpoch)), constant(LInt, perDay))
  const isCoarse = value.type === Time || value.type === TimeOfDay
  return isCoarse ? long('multiply', wide, constant(LInt, perMillisecond)) : wide
}

/** Applies `operator` when a side is a DTL, DATE_AND_TIME or DATE; `undefined`: it is none of these combinations. */
export function momentArithmetic(
  context: BlockContext,
  operator: string,
  left: Side,
  right: Side,
): Operand | undefined {
  if (operator !== '+' && operator !== '-') return undefined
  const verb = operator === '+' ? 'add' : 'subtract'
  const duration = (value: Expression): Result => ({
    kind: 'result',
    type: LTime,
    expression: convert(value, LInt, LTime, 'bits'),
  })
  const kind = momentKind(typeOf(left.operand))
  const [one, other] = [scalarType(left), scalarType(right)]
  if (kind !== undefined) {
    const start = momentNanoseconds(left.operand)
    if (!start) return undefined
    if (isDuration(other)) {
      const by = scalarNanoseconds(context, right)
      const type: Type = kind === 'dtl' ? context.program.typeOf('DTL') : { kind: 'dateAndTime' }
      return by && lazyMoment(context, type, long(verb, start, by, context.setsEno), operator)
    }
    const end = momentKind(typeOf(right.operand)) === kind ? momentNanoseconds(right.operand) : undefined
    if (operator !== '-' || !end) return undefined
    const between = long('subtract', start, end)
    return kind === 'dtl' ? duration(between) : milliseconds(context, between)
  }
  if (one === LDateTime && operator === '-' && momentKind(typeOf(right.operand)) === 'dt') {
    const [a, b] = [
      readScalar(context, left.operand, left.at),
      readScalar(context, longMoment(right.operand), right.at),
    ]
    return (
      a &&
      b &&
      duration(
        long(
          'subtract',
          convert(a.expression, LDateTime, LInt, 'bits'),
          convert(b.expression, LDateTime, LInt, 'bits'),
        ),
      )
    )
  }
  if (one !== DateType) return undefined
  const isClock = operator === '+' && other?.family === 'timeOfDay'
  if (!isClock && !(operator === '-' && other === DateType)) return undefined
  const [a, b] = [scalarNanoseconds(context, left), scalarNanoseconds(context, right)]
  if (!a || !b) return undefined
  return isClock
    ? lazyMoment(context, context.program.typeOf('DTL'), long('add', a, b), operator)
    : duration(long('subtract', a, b))
}

/** Returns nanoseconds as a Time; ENO is FALSE when they do not fit. */
function milliseconds(context: BlockContext, value: Expression): Result {
  const scaled = binary('divide', LInt, value, constant(LInt, perMillisecond))
  return { kind: 'result', type: Time, expression: convert(scaled, LInt, Time, 'value', context.setsEno) }
}

function typeOf(operand: Operand): Type | undefined {
  return operand.kind === 'variable' || operand.kind === 'constant' ? operand.type : undefined
}
