/** The elementary data types of an S7-1200/S7-1500 controller. */

/** Group of types for which the same operators and constants are valid. */
export type TypeFamily = 'bool' | 'bits' | 'integer' | 'real' | 'duration' | 'date' | 'character' | 'string'

/** One data type. */
export interface DataType {
  /** As TIA Portal writes it, with the length of a string: `Bool`, `String[20]`. */
  readonly name: string
  readonly family: TypeFamily
  /** Size in bits; for strings, the size of one character (8 or 16). */
  readonly bits: number
  /** Smallest and largest value of bit strings and integers, and of durations in their unit (ms, ns). */
  readonly range?: readonly [bigint, bigint]
  /** Largest number of characters of a string. */
  readonly length?: number
}

function integer(name: string, bits: number, signed: boolean): DataType {
  const size = 1n << BigInt(bits)
  return { name, family: 'integer', bits, range: signed ? [-(size / 2n), size / 2n - 1n] : [0n, size - 1n] }
}

function bitString(name: string, bits: number): DataType {
  return { name, family: 'bits', bits, range: [0n, (1n << BigInt(bits)) - 1n] }
}

const elementaryTypes: readonly DataType[] = [
  { name: 'Bool', family: 'bool', bits: 1 },
  bitString('Byte', 8),
  bitString('Word', 16),
  bitString('DWord', 32),
  bitString('LWord', 64),
  integer('SInt', 8, true),
  integer('Int', 16, true),
  integer('DInt', 32, true),
  integer('LInt', 64, true),
  integer('USInt', 8, false),
  integer('UInt', 16, false),
  integer('UDInt', 32, false),
  integer('ULInt', 64, false),
  { name: 'Real', family: 'real', bits: 32 },
  { name: 'LReal', family: 'real', bits: 64 },
  { name: 'Time', family: 'duration', bits: 32, range: [-(1n << 31n), (1n << 31n) - 1n] },
  { name: 'LTime', family: 'duration', bits: 64, range: [-(1n << 63n), (1n << 63n) - 1n] },
  { name: 'S5Time', family: 'duration', bits: 16, range: [0n, 9_990_000n] },
  { name: 'Date', family: 'date', bits: 16 },
  { name: 'Time_Of_Day', family: 'date', bits: 32 },
  { name: 'LTime_Of_Day', family: 'date', bits: 64 },
  { name: 'Date_And_Time', family: 'date', bits: 64 },
  { name: 'LDT', family: 'date', bits: 64 },
  { name: 'DTL', family: 'date', bits: 96 },
  { name: 'Char', family: 'character', bits: 8 },
  { name: 'WChar', family: 'character', bits: 16 },
  { name: 'String', family: 'string', bits: 8, length: 254 },
  { name: 'WString', family: 'string', bits: 16, length: 254 },
]

/** Other spellings of the same type (IEC 61131-3 and TIA Portal know both). */
const aliases: Readonly<Record<string, string>> = {
  tod: 'Time_Of_Day',
  ltod: 'LTime_Of_Day',
  dt: 'Date_And_Time',
  date_and_ltime: 'LDT',
}

const byName = new Map(elementaryTypes.map((type) => [type.name.toLowerCase(), type]))

/** Names of all types, for faults and documentation. */
export const dataTypeNames: readonly string[] = [
  ...elementaryTypes.map((type) => type.name),
  'String[1..254]',
  'WString[1..16382]',
]

/**
 * Returns the type of a fixed name.
 * @throws Error when there is no such type (a mistake in the code, not in a spec)
 */
export function elementaryType(name: string): DataType {
  const type = byName.get(name.toLowerCase())
  if (type === undefined) throw new Error(`"${name}" is no elementary data type`)
  return type
}

/**
 * Parses a data type as a spec writes it, ignoring case and blanks: `Bool`, `real`, `String[20]`, `TOD`.
 * @returns `undefined` when it is not an elementary type or the length is out of range (String 1..254, WString
 *   1..16382)
 */
export function parseElementaryType(text: string): DataType | undefined {
  const match = /^\s*([a-z0-9_]+)\s*(?:\[\s*([0-9]{1,6})\s*\])?\s*$/i.exec(text)
  if (match === null) return undefined
  const name = match[1]!.toLowerCase()
  const type = byName.get(aliases[name]?.toLowerCase() ?? name)
  if (type === undefined || match[2] === undefined) return type
  if (type.family !== 'string') return undefined
  const length = Number(match[2])
  const longest = type.bits === 16 ? 16382 : 254
  return length >= 1 && length <= longest ? { ...type, name: `${type.name}[${length}]`, length } : undefined
}

/** Largest finite value of a Real (IEEE 754 single). */
export const realMax = 3.4028234663852886e38

const covering = ['SInt', 'USInt', 'Int', 'UInt', 'DInt', 'UDInt', 'LInt', 'ULInt'].map(elementaryType)

/**
 * Returns the smallest integer type that contains all values of both; `undefined` for ULInt with a signed type (no type
 * does).
 */
export function coveringInteger(a: DataType, b: DataType): DataType | undefined {
  return covering.find((type) => holds(type, a) && holds(type, b))
}

/** Whether every value of the integer (or bit string) type `inner` is a value of `outer`. */
export function holds(outer: DataType, inner: DataType): boolean {
  return outer.range![0] <= inner.range![0] && inner.range![1] <= outer.range![1]
}
