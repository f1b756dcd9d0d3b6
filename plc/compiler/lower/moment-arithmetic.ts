/**
 * Sums and differences of points in time by operators, as TIA Portal's help defines them ("Arithmetic expressions",
 * data types): a point in time and a duration give the point in time; two DTL or dates the duration between them as
 * LTime or Time, and a date and a time of day a DTL or DT, by the family of the CPU; two DT a Time. Two LDT are not in
 * that table; they give an LTime.
 */

import { address, and, behind, binary, constant, convert, isFalse, local, not, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { familyRules, type Moment } from '../../program/cpu-family.ts'
import type { Program } from '../../program/program.ts'
import { Bool, DateType, LDateTime, LInt, LTime, LTimeOfDay, Time, TimeOfDay, UDInt } from '../../program/scalars.ts'
import type { ScalarType, Type } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { holdsDate, momentKind, momentNanoseconds } from './moments.ts'
import { readScalar } from './reading.ts'
import type { Operand, Result, Side, Variable } from './values.ts'

const perMillisecond = 1_000_000n
const perDay = 86_400_000_000_000n
/** 1990-01-01, the beginning of DATE, in days since 1970. */
const dateEpoch = 7305n

function long(operator: 'add' | 'subtract' | 'multiply', left: Expression, right: Expression, setsEno = false) {
  return binary(operator, LInt, left, right, setsEno)
}

/** Returns the type of a point in time that consists of parts. */
export function momentType(program: Program, moment: Moment): Type {
  return moment === 'DTL' ? program.typeOf('DTL') : { kind: 'dateAndTime' }
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
  const { program } = context
  const between = (value: Expression): Result =>
    familyRules[program.family].betweenDates === 'Time' ? milliseconds(context, value) : duration(value)
  const kind = momentKind(typeOf(left.operand))
  const [one, other] = [scalarType(left), scalarType(right)]
  const { setsEno } = context
  if (kind !== undefined) {
    const start = momentNanoseconds(left.operand, setsEno)
    if (!start) return undefined
    if (isDuration(other)) {
      const by = scalarNanoseconds(context, right)
      const type = momentType(program, kind === 'dtl' ? 'DTL' : 'Date_And_Time')
      return by && lazyMoment(context, type, ofDates([left], long(verb, start, by, setsEno)), operator)
    }
    const end = momentKind(typeOf(right.operand)) === kind ? momentNanoseconds(right.operand, setsEno) : undefined
    if (operator !== '-' || !end) return undefined
    const difference = ofDates([left, right], long('subtract', start, end))
    return kind === 'dtl' ? between(difference) : milliseconds(context, difference)
  }
  if (one === LDateTime && operator === '-' && momentKind(typeOf(right.operand)) === 'dt') {
    const [a, b] = [readScalar(context, left.operand, left.at), momentNanoseconds(right.operand, setsEno)]
    return a && b && duration(ofDates([right], long('subtract', convert(a.expression, LDateTime, LInt, 'bits'), b)))
  }
  if (one !== DateType) return undefined
  const isClock = operator === '+' && other?.family === 'timeOfDay'
  if (!isClock && !(operator === '-' && other === DateType)) return undefined
  const [a, b] = [scalarNanoseconds(context, left), scalarNanoseconds(context, right)]
  if (!a || !b) return undefined
  if (!isClock) return between(long('subtract', a, b))
  // An LTime_Of_Day makes a DTL on every family that has it.
  const made = other === LTimeOfDay ? 'DTL' : familyRules[program.family].dateWithTime
  return lazyMoment(context, momentType(program, made), long('add', a, b), operator)
}

/** Returns nanoseconds, or 0 when a side is a DTL or DATE_AND_TIME that holds no date. */
function ofDates(sides: readonly Side[], nanoseconds: Expression): Expression {
  const dates = sides.flatMap(({ operand }) => holdsDate(operand) ?? [])
  if (dates.length === 0) return nanoseconds
  return {
    kind: 'select',
    type: LInt,
    condition: dates.reduce(and),
    whenTrue: nanoseconds,
    otherwise: constant(LInt, 0n),
  }
}

/** Makes ENO FALSE unless the condition holds, where the block asks for it. */
export function requireEno({ setsEno }: BlockContext, condition: Expression): Statement[] {
  return setsEno ? [when(not(condition), [{ kind: 'setEno', value: isFalse }])] : []
}

/** Whether a number of milliseconds is in the range of Time. */
export function fitsTime(milliseconds: Expression): Expression {
  return and(
    binary('lessOrEqual', LInt, milliseconds, constant(LInt, 0x7fff_ffffn)),
    binary('greaterOrEqual', LInt, milliseconds, constant(LInt, -0x8000_0000n)),
  )
}

/** Returns nanoseconds as a Time; 0 with ENO FALSE when they do not fit, as T_DIFF does. */
function milliseconds(context: BlockContext, value: Expression): Result {
  const [scaled, fits] = [context.local(LInt), context.local(Bool)]
  const whole = local(LInt, scaled)
  const statements: Statement[] = [
    setLocal(scaled, binary('divide', LInt, value, constant(LInt, perMillisecond))),
    setLocal(fits, fitsTime(whole)),
    ...requireEno(context, local(Bool, fits)),
  ]
  const chosen: Expression = {
    kind: 'select',
    type: Time,
    condition: local(Bool, fits),
    whenTrue: convert(whole, LInt, Time),
    otherwise: constant(Time, 0n),
  }
  return { kind: 'result', type: Time, expression: { kind: 'sequence', statements, value: chosen } }
}

function typeOf(operand: Operand): Type | undefined {
  return operand.kind === 'variable' || operand.kind === 'constant' ? operand.type : undefined
}
