/**
 * Types and values of the reference against which compiled SCL is tested. Written from docs/plc-semantics.md and not
 * from the compiler: nothing is shared with it.
 */

export type Family = 'bool' | 'bits' | 'integer' | 'real' | 'duration' | 'date' | 'clock' | 'moment' | 'character'

export interface RefType {
  readonly name: string
  readonly family: Family
  readonly bits: 1 | 8 | 16 | 32 | 64
  readonly isSigned: boolean
}

/** Whole numbers, bit strings, times, dates, characters and truth values are bigint; reals are number. */
export type Value = bigint | number

const table: readonly (readonly [name: string, family: Family, bits: RefType['bits'], isSigned?: boolean])[] = [
  ['Bool', 'bool', 1],
  ['Byte', 'bits', 8],
  ['Word', 'bits', 16],
  ['DWord', 'bits', 32],
  ['LWord', 'bits', 64],
  ['SInt', 'integer', 8, true],
  ['Int', 'integer', 16, true],
  ['DInt', 'integer', 32, true],
  ['LInt', 'integer', 64, true],
  ['USInt', 'integer', 8],
  ['UInt', 'integer', 16],
  ['UDInt', 'integer', 32],
  ['ULInt', 'integer', 64],
  ['Real', 'real', 32, true],
  ['LReal', 'real', 64, true],
  ['Time', 'duration', 32, true],
  ['LTime', 'duration', 64, true],
  ['Date', 'date', 16],
  ['Time_Of_Day', 'clock', 32],
  ['LTime_Of_Day', 'clock', 64],
  ['LDT', 'moment', 64],
  ['Char', 'character', 8],
  ['WChar', 'character', 16],
]

export const allTypes: readonly RefType[] = table.map(([name, family, bits, isSigned = false]) => ({
  name,
  family,
  bits,
  isSigned,
}))

/** Returns the type of this name. */
export function typeNamed(name: string): RefType {
  const found = allTypes.find((type) => type.name === name)
  if (!found) throw new Error(`no type ${name}`)
  return found
}

export const integers = allTypes.filter(({ family }) => family === 'integer')
export const bitStrings = allTypes.filter(({ family }) => family === 'bits')
export const Bool = typeNamed('Bool')
export const Real = typeNamed('Real')
export const LReal = typeNamed('LReal')
export const Time = typeNamed('Time')
export const LTime = typeNamed('LTime')

/** Returns the smallest and largest value of a type that is not a real. */
export function limits({ bits, isSigned }: RefType): readonly [bigint, bigint] {
  const size = 1n << BigInt(bits)
  return isSigned ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n]
}

/** Returns the low bits of a whole number as a value of the type. */
export function wrapped(type: RefType, value: bigint): bigint {
  return type.isSigned ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
}

/** Returns a value's bits in memory. NaN is always the same pattern. */
export function bitsOf(type: RefType, value: Value): bigint {
  if (type.family !== 'real') return BigInt.asUintN(type.bits, BigInt(value))
  const view = new DataView(new ArrayBuffer(8))
  if (type.bits === 32) {
    view.setFloat32(0, Number(value))
    return BigInt(view.getUint32(0))
  }
  view.setFloat64(0, Number(value))
  return view.getBigUint64(0)
}

/** Returns the value of a bit pattern; for a Bool, its lowest bit. */
export function valueFrom(type: RefType, bits: bigint): Value {
  if (type.family !== 'real') return wrapped(type, bits)
  const view = new DataView(new ArrayBuffer(8))
  if (type.bits === 32) {
    view.setUint32(0, Number(BigInt.asUintN(32, bits)))
    return view.getFloat32(0)
  }
  view.setBigUint64(0, BigInt.asUintN(64, bits))
  return view.getFloat64(0)
}

/** Converts a whole number to a real of the type, rounded once, to the nearest and to even. */
export function realOf(type: RefType, value: bigint): number {
  if (type.bits === 64) return Number(value)
  const size = value < 0n ? -value : value
  const extra = size.toString(2).length - 24
  if (extra <= 0) return Number(value)
  const unit = 1n << BigInt(extra)
  const [low, rest] = [size / unit, size % unit]
  const isUp = rest * 2n > unit || (rest * 2n === unit && low % 2n === 1n)
  const rounded = Number((low + (isUp ? 1n : 0n)) * unit)
  return value < 0n ? -rounded : rounded
}

/** Rounds to the nearest whole number, halves to even. */
export function roundEven(value: number): bigint {
  const low = Math.floor(value)
  const part = value - low
  const whole = BigInt(low)
  if (part !== 0.5) return part > 0.5 ? whole + 1n : whole
  return whole % 2n === 0n ? whole : whole + 1n
}

/** Whether every value of one integer type is a value of another. */
function holds(outer: RefType, inner: RefType): boolean {
  const [a, b] = [limits(outer), limits(inner)]
  return a[0] <= b[0] && b[1] <= a[1]
}

/**
 * Whether docs/plc-semantics.md#implicit-conversion converts a value of one type implicitly to another; `undefined`
 * where it does not define it, or where a value is cut off with a warning.
 */
export function implicit(from: RefType, to: RefType, isIecCheckOn: boolean): boolean | undefined {
  if (from === to) return true
  if (from.family === 'bool' || to.family === 'bool') return false
  const cutOff = isIecCheckOn ? false : undefined
  if (from.family === 'integer' && to.family === 'integer') {
    if (holds(to, from)) return true
    return from.bits === to.bits ? !isIecCheckOn : cutOff
  }
  if (from.family === 'integer' && to.family === 'real') {
    if (from.bits <= 16 || (from.bits === 32 && to.bits === 64)) return true
    if (isIecCheckOn) return false
    return from.bits === 32 ? true : undefined
  }
  if (from.family === 'real') return to.family === 'real' && (to.bits > from.bits || cutOff)
  if (from.family === 'bits' && to.family === 'bits') return from.bits < to.bits || cutOff
  if (to.family === 'real') return false
  if (from.family === to.family && from.family !== 'character')
    return from.bits < to.bits && (from.family === 'duration' || from.family === 'clock')
  if (isIecCheckOn) return false
  if (from.family === 'bits' && to.family === 'integer') return from.bits <= to.bits || cutOff
  if (from.family === 'bits' && to.family === 'character') return from.bits === to.bits || cutOff
  if (from.family === 'bits') return to.family === 'moment' ? undefined : from.bits === to.bits
  if (from.family === 'integer' && (to.family === 'bits' || to.family === 'character')) return undefined
  if (from.family === 'character' && (to.family === 'bits' || to.family === 'integer')) return undefined
  if (from.bits > to.bits) return false
  return undefined
}

/**
 * Returns the type that covers both sides of an operator; `undefined` where docs/plc-semantics.md#arithmetic gives none
 * or does not define it.
 */
export function common(a: RefType, b: RefType, isIecCheckOn: boolean): RefType | undefined {
  if (a === b) return a
  if (implicit(a, b, true)) return b
  if (implicit(b, a, true)) return a
  if (a.family === 'integer' && b.family === 'integer')
    return integers.find((type) => type.isSigned && holds(type, a) && holds(type, b))
  if (isIecCheckOn) {
    // A whole number of 32 bits and a Real convert to LReal, which covers both.
    const [x, y] = a.family === 'real' ? [b, a] : [a, b]
    return x.family === 'integer' && y === Real && x.bits === 32 ? LReal : undefined
  }
  if (a.family === 'integer' && a.bits === 32 && b === Real) return b
  if (b.family === 'integer' && b.bits === 32 && a === Real) return a
  if (a.family === 'bits' && b.family === 'integer' && a.bits <= b.bits) return b
  if (b.family === 'bits' && a.family === 'integer' && b.bits <= a.bits) return a
  return undefined
}
