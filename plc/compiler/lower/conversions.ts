/**
 * Conversions of scalars: which values are accepted where a value of another type is required, and which are converted
 * by name (docs/plc-semantics.md#implicit-conversion, #explicit-conversion).
 */
import type { Expression } from '../../ir/ir.ts'
import { type ConstantValue, constantFor, ownType } from '../../program/constants.ts'
import {
  Byte,
  DInt,
  DWord,
  Int,
  LInt,
  LReal,
  LTime,
  LTimeOfDay,
  LWord,
  Real,
  rangeOf,
  S5Time,
  Time,
  TimeOfDay,
  Word,
} from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'

/** The kind of a conversion; `scale`: from milliseconds to nanoseconds. */
export type Conversion = 'same' | 'value' | 'bits' | 'scale'

const nanosecondsPerMillisecond = 1_000_000n

/**
 * Returns the implicit conversion between two scalar types; `undefined` when there is none.
 * @param isIecCheckOn the block's property "IEC check"
 */
export function implicitConversion(from: ScalarType, to: ScalarType, isIecCheckOn: boolean): Conversion | undefined {
  if (from === to) return 'same'
  if (from.family === 'hardware' || to.family === 'hardware') return hardwareConversion(from, to)
  if (from.family === 'integer' && to.family === 'integer') {
    if (holds(to, from)) return 'value'
    return !isIecCheckOn && from.bits === to.bits ? 'bits' : undefined
  }
  if (from.family === 'integer' && to.family === 'real') {
    if (to === Real) return from.bits <= 16 || (from.bits === 32 && !isIecCheckOn) ? 'value' : undefined
    return from.bits <= 32 || !isIecCheckOn ? 'value' : undefined
  }
  if (from === Real && to === LReal) return 'value'
  if (from.family === 'bits' && to.family === 'bits') return from.bits <= to.bits ? 'value' : undefined
  if ((from === Time && to === LTime) || (from === TimeOfDay && to === LTimeOfDay)) return 'scale'
  if (isIecCheckOn) return undefined
  if (from.family === 'bits' && to.family === 'integer') return from.bits <= to.bits ? 'bits' : undefined
  if (from.family === 'integer' && to.family === 'bits') return from.bits <= to.bits ? 'bits' : undefined
  if (from.family === 'bits' || to.family === 'bits') {
    const other = from.family === 'bits' ? to : from
    const isPattern = other.family !== 'real' && other.family !== 'bool'
    return isPattern && from.bits === to.bits ? 'bits' : undefined
  }
  // A duration and an integer of the same size count the same units; an S5Time is no count.
  const isCount = (a: ScalarType, b: ScalarType) =>
    a.family === 'duration' && a !== S5Time && b.family === 'integer' && a.bits === b.bits
  return isCount(from, to) || isCount(to, from) ? 'bits' : undefined
}

/**
 * Returns the conversion of a value that is assigned or passed without the IEC check, beyond `implicitConversion`: a
 * character as its code, days and times of day as the number of their units and back (TIA help V19, "Implicit
 * conversion of CHAR", "of DATE", "of TOD", "of LDT" … for S7-1500).
 */
export function countConversion(from: ScalarType, to: ScalarType): 'value' | 'bits' | undefined {
  const isCount = ({ family }: ScalarType) => family === 'integer' || family === 'bits'
  if (from.family === 'character' && isCount(to) && from.bits < to.bits) return 'value'
  if (from.bits !== to.bits) return undefined
  if (from.family === 'character') return isCount(to) ? 'bits' : undefined
  const isMoment = ({ family }: ScalarType) => family === 'date' || family === 'timeOfDay' || family === 'dateTime'
  const isUnits = ({ family }: ScalarType) => family === 'integer'
  if ((isMoment(from) && isUnits(to)) || (isUnits(from) && isMoment(to))) return 'bits'
  const isWithDuration = (isMoment(from) && to.family === 'duration') || (from === LTime && isMoment(to))
  return isWithDuration && to !== S5Time ? 'bits' : undefined
}

/**
 * Returns the conversion to a type that may be too small for the value, which is allowed without the IEC check;
 * `undefined`: there is no implicit one. A value that does not fit is cut off or rounded (TIA Portal help, "Implicit
 * conversion of INT" … "of LREAL" for S7-1500, the column "Without IEC check"). A bit string is not converted to a real
 * or back (docs/plc-semantics.md#implicit-conversion).
 */
export function narrowingConversion(from: ScalarType, to: ScalarType): 'value' | 'bits' | 'round' | undefined {
  const isPattern = ({ family }: ScalarType) => family === 'integer' || family === 'bits'
  if (from.family === 'integer' && to.family === 'integer') return 'value'
  if (isPattern(from) && (isPattern(to) || to.family === 'character')) return 'bits'
  if (from.family === 'character' && isPattern(to)) return 'bits'
  if (from.family === 'real' && to.family === 'integer') return 'round'
  if (from.family === 'integer' && to.family === 'real') return 'value'
  return from === LReal && to === Real ? 'value' : undefined
}

/** Hardware identifiers are numbers of 16 or 32 bits; any number of that size may be one. */
function hardwareConversion(from: ScalarType, to: ScalarType): Conversion | undefined {
  const isNumber = ({ family }: ScalarType) => family === 'hardware' || family === 'integer' || family === 'bits'
  return isNumber(from) && isNumber(to) && from.bits <= to.bits ? 'bits' : undefined
}

/** Whether every value of one integer type fits in another. */
function holds(outer: ScalarType, inner: ScalarType): boolean {
  const [a, b] = [rangeOf(outer), rangeOf(inner)]
  return a !== undefined && b !== undefined && a[0] <= b[0] && b[1] <= a[1]
}

/** Converts a value to the other type. */
export function converted(value: Expression, from: ScalarType, to: ScalarType, how: Conversion): Expression {
  switch (how) {
    case 'same':
      return value
    case 'scale': {
      const wide: Expression = { kind: 'convert', from, type: to, operand: value, mode: 'value', setsEno: false }
      const factor: Expression = { kind: 'constant', type: to, value: nanosecondsPerMillisecond }
      return { kind: 'binary', operator: 'multiply', type: to, left: wide, right: factor, setsEno: false }
    }
    default:
      return { kind: 'convert', from, type: to, operand: value, mode: how, setsEno: false }
  }
}

/** Returns the type in which an operation on two operands is done; `undefined` when no type covers both. */
export function commonType(a: ScalarType, b: ScalarType, isIecCheckOn: boolean): ScalarType | undefined {
  if (a === b) return a
  if (implicitConversion(a, b, true) !== undefined) return b
  if (implicitConversion(b, a, true) !== undefined) return a
  if (a.family === 'integer' && b.family === 'integer') return coveringSigned(a, b)
  const real = [a, b].find(({ family }) => family === 'real')
  const integer = [a, b].find(({ family }) => family === 'integer')
  if (real && integer) return integer.bits > 16 && real === Real && isIecCheckOn ? LReal : real
  // A bit string counts as an integer of the other operand's type, on either side.
  if (a.family === 'integer' && b.family === 'bits' && implicitConversion(b, a, isIecCheckOn) !== undefined) return a
  const [toB, toA] = [implicitConversion(a, b, isIecCheckOn), implicitConversion(b, a, isIecCheckOn)]
  // Where each converts to the other, it is the integer, else the bit string, on either side.
  const rank = ({ family }: ScalarType) => (family === 'integer' ? 2 : family === 'bits' ? 1 : 0)
  if (toB !== undefined && (toA === undefined || rank(b) >= rank(a))) return b
  return toA === undefined ? undefined : a
}

/**
 * Returns the type of a whole number or bit string that also holds a number without a type beside it: its own, or the
 * next that holds both (docs/plc-semantics.md#arithmetic); its own when there is none.
 */
export function holdingConstant(type: ScalarType, constant: ConstantValue, isIecCheckOn: boolean): ScalarType {
  if (!('fault' in constantFor(constant, type))) return type
  const own = ownType(constant)
  if (type.family === 'integer' && own?.family === 'integer') return commonType(type, own, isIecCheckOn) ?? type
  if (type.family !== 'bits') return type
  return [Word, DWord, LWord].find((one) => one.bits > type.bits && !('fault' in constantFor(constant, one))) ?? type
}

/** Whether the common type of two integers is a larger one than both: they differ in their sign. */
export function isCovering(a: ScalarType, b: ScalarType): boolean {
  return a.family === 'integer' && b.family === 'integer' && !holds(a, b) && !holds(b, a)
}

/** Signed and unsigned types share the next larger signed type; there is none above 32 bits. */
function coveringSigned(a: ScalarType, b: ScalarType): ScalarType | undefined {
  return [Int, DInt, LInt].find((type) => holds(type, a) && holds(type, b))
}

/** How a conversion by name treats what is behind the decimal point. */
export type ConversionMode = 'value' | 'round' | 'truncate' | 'ceiling' | 'floor'

/** Converts the value by name, INT_TO_REAL; `undefined` when no conversion between the two types exists. */
export function explicitConversion(
  value: Expression,
  from: ScalarType,
  type: ScalarType,
  mode: ConversionMode,
  setsEno: boolean,
): Expression | undefined {
  const as = (
    how: ConversionMode | 'bits',
    source = from,
    target = type,
    operand = value,
    fails = setsEno,
  ): Expression => ({
    kind: 'convert',
    from: source,
    type: target,
    operand,
    mode: how,
    setsEno: fails && how !== 'bits',
  })
  const isNumber = ({ family }: ScalarType) => family === 'integer' || family === 'real'
  // ROUND_REAL of a Real changes its value.
  const isSame = from === type && (mode === 'value' || from.family === 'integer')
  if (isNumber(from) && isNumber(type)) return isSame ? value : as(mode)
  if (mode !== 'value') return undefined
  if (from === type) return value
  const implicit = implicitConversion(from, type, true)
  if (implicit === 'scale') return undefined
  // Bit strings keep their bits: DWORD_TO_REAL differs from DINT_TO_REAL.
  if (from.family === 'bits' && type.family === 'real') return from.bits === type.bits ? as('bits') : undefined
  if (from.family === 'real' && type.family === 'bits') return from.bits === type.bits ? as('bits') : undefined
  if (from.family === 'bool') return type.family === 'integer' || type.family === 'bits' ? as('value') : undefined
  if (type.family === 'bool') {
    // The lowest bit decides.
    if (from.family !== 'bits' && from.family !== 'integer') return undefined
    const bits = pattern(from)
    const one: Expression = { kind: 'constant', type: bits, value: 1n }
    const lowest: Expression = {
      kind: 'binary',
      operator: 'and',
      type: bits,
      left: as('bits', from, bits),
      right: one,
      setsEno: false,
    }
    return as('value', bits, type, lowest)
  }
  if (from.family === 'real' || type.family === 'real') return undefined
  // A signed number is extended by its sign: INT_TO_DWORD(-1) is 16#FFFF_FFFF.
  if (type.family === 'bits' && from.isSigned && from.bits < type.bits) return as('value', from, type, value, false)
  if (from.family === 'bits' || type.family === 'bits') return as('bits')
  const isCount = ({ family }: ScalarType) => family === 'integer' || family === 'hardware' || family === 'character'
  const isTime = ({ family, name }: ScalarType) =>
    (family === 'duration' && name !== 'S5Time') || family === 'date' || family === 'timeOfDay' || family === 'dateTime'
  if ((isCount(from) && isCount(type)) || (isCount(from) && isTime(type)) || (isTime(from) && isCount(type)))
    return as('value')
  return undefined
}

/** Returns the bit string type of the same size. */
export function pattern({ bits }: ScalarType): ScalarType {
  return bits === 64 ? LWord : bits === 32 ? DWord : bits === 16 ? Word : Byte
}
