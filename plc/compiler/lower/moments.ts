/**
 * Points in time that consist of parts, DTL and DATE_AND_TIME: their constants, their comparison, and DT where an LDT
 * is required.
 */

import { address, binary, constant } from '../../ir/build.ts'
import type { BinaryOperator, Expression, Place } from '../../ir/ir.ts'
import { dateFields } from '../../program/literals.ts'
import { encodeValue } from '../../program/memory-image.ts'
import { Bool, DateType, LDateTime, LInt, LTime, UDInt } from '../../program/scalars.ts'
import type { ScalarType, Type } from '../../program/type.ts'
import type { Operand, Result, Side } from './values.ts'

type MomentKind = 'dtl' | 'dt'

/** Returns which of the two a type is. */
export function momentKind(type: Type | undefined): MomentKind | undefined {
  if (type?.kind === 'dateAndTime') return 'dt'
  return type?.kind === 'struct' && type.isSystem && type.name?.toUpperCase() === 'DTL' ? 'dtl' : undefined
}

/** Whether a type is a point in time, a time of day or a duration. */
export function isTimed(type: Type | undefined): type is Type {
  if (momentKind(type)) return true
  return type?.kind === 'scalar' && ['duration', 'date', 'timeOfDay', 'dateTime'].includes(type.family)
}

/** Whether a type is a point in time: one with a day. */
export function isPoint(type: Type): boolean {
  return type.kind !== 'scalar' || type.family === 'date' || type.family === 'dateTime'
}

export function isDuration(type: Type): boolean {
  return type.kind === 'scalar' && type.family === 'duration'
}

/**
 * Whether one kind of time is converted to another by name, as by DTL_TO_TOD (TIA help V20, "Explicit conversion of
 * TIME" … "of LTOD" for S7-1500).
 */
export function isTimeConvertible(from: Type, to: Type): boolean {
  const isClock = (type: Type) => type.kind === 'scalar' && type.family === 'timeOfDay'
  return (
    (isPoint(from) && (isPoint(to) || isClock(to))) ||
    (isDuration(from) && isDuration(to)) ||
    (isClock(from) && (isClock(to) || isDuration(to) || (isPoint(to) && to !== DateType))) ||
    (isDuration(from) && isClock(to)) ||
    (from === LTime && to === LDateTime) ||
    (from === LDateTime && to === LTime)
  )
}

function kindOf(operand: Operand): MomentKind | undefined {
  return operand.kind === 'variable' || operand.kind === 'constant' ? momentKind(operand.type) : undefined
}

/**
 * Returns the bytes of a constant of type DTL or DATE_AND_TIME where a value of `type` is required; `undefined`: it
 * does not have that type.
 */
export function momentPlace(operand: Operand, type: Type): Place | undefined {
  const kind = momentKind(type)
  if (operand.kind !== 'constant' || kind === undefined || kindOf(operand) !== kind) return undefined
  const bytes = encodeValue(type, `${kind}#${operand.value}`, 'optimized')
  return bytes && { base: { kind: 'constant', bytes }, offset: 0, indices: [], isStandard: false }
}

/** Compares two DTL or two DATE_AND_TIME and returns a Bool; `undefined`: they have other types. */
export function compareMoments(operator: BinaryOperator, left: Side, right: Side): Result | undefined {
  const kind = kindOf(left.operand)
  if (kind === undefined || kind !== kindOf(right.operand)) return undefined
  const [a, b] = [momentNanoseconds(left.operand), momentNanoseconds(right.operand)]
  return a && b && { kind: 'result', type: Bool, expression: binary(operator, LInt, a, b) }
}

/**
 * Returns a DTL or DATE_AND_TIME, variable or constant, as nanoseconds since 1970, an LInt; `undefined`: it is neither.
 * A variable that holds no date gives 0.
 * @param setsEno whether it then makes ENO FALSE
 */
export function momentNanoseconds(operand: Operand, setsEno = false): Expression | undefined {
  const kind = kindOf(operand)
  if (kind === undefined) return undefined
  if (operand.kind === 'constant') {
    const parts = typeof operand.value === 'string' ? dateFields(operand.value) : undefined
    if (!parts) return undefined
    const { year, month, day, hour, minute, second, nanosecond } = parts
    const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
    return constant(LInt, BigInt(seconds) * 1_000_000_000n + BigInt(nanosecond))
  }
  return askMoment(operand, 'read', LInt, setsEno)
}

/** Whether a DTL or DATE_AND_TIME variable holds a date; `undefined`: it is no such variable. */
export function holdsDate(operand: Operand): Expression | undefined {
  return askMoment(operand, 'isDate', Bool, false)
}

function askMoment(
  operand: Operand,
  question: 'read' | 'isDate',
  type: ScalarType,
  setsEno: boolean,
): Expression | undefined {
  const kind = kindOf(operand)
  if (kind === undefined || operand.kind !== 'variable' || operand.at.kind !== 'place') return undefined
  const { place } = operand.at
  return {
    kind: 'routine',
    routine: `${kind}.${question}`,
    type,
    arguments: kind === 'dtl' ? [address(place), constant(UDInt, place.isStandard ? 1n : 0n)] : [address(place)],
    setsEno,
  }
}

/**
 * Returns a DATE_AND_TIME as the LDT it converts to implicitly (docs/plc-semantics.md#implicit-conversion); any other
 * operand unchanged.
 */
export function longMoment(operand: Operand): Operand {
  const nanoseconds = kindOf(operand) === 'dt' ? momentNanoseconds(operand) : undefined
  if (!nanoseconds) return operand
  const expression: Expression =
    nanoseconds.kind === 'constant'
      ? { ...nanoseconds, type: LDateTime }
      : { kind: 'convert', from: LInt, type: LDateTime, operand: nanoseconds, mode: 'bits', setsEno: false }
  return { kind: 'result', type: LDateTime, expression }
}

/** Converts a side of an operator: a DATE_AND_TIME next to an LDT becomes an LDT. */
export function besideLongMoment(side: Side, { operand: other }: Side): Side {
  const isLong = 'type' in other && other.type === LDateTime
  return isLong ? { ...side, operand: longMoment(side.operand) } : side
}
