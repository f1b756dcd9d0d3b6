/** Reads constants of programs and gives their value in the form of a register. */
import { type Literal, parseNumber, parseText, parseTyped } from '../model/literal.ts'
import * as scalars from './scalars.ts'
import { rangeOf, scalarNamed } from './scalars.ts'
import type { ScalarType, Type } from './type.ts'

/** A constant. One without a type of its own takes the type of the other operand. */
export interface ConstantValue {
  readonly kind: 'constant'
  /** The type of `INT#5`, `T#5s`, `TRUE`; absent for an untyped number or text. */
  readonly type?: Type
  readonly value: bigint | number | string
  /** The text as it is written, or the name of the constant. */
  readonly text: string
  /** Written as a bit pattern (`16#FFFF`), which may mean a negative number. */
  readonly isPattern?: boolean
  /** The result of an operation on numbers without a type. */
  readonly isComputed?: boolean
}

export interface ConstantFault {
  readonly message: string
  readonly hint: string
}

/** Parses a constant: `5`, `16#FF`, `1.5`, `TRUE`, `'abc'`, `T#5s`, `INT#5`, `DTL#2024-01-31-14:30:00`. */
export function readConstant(written: string): ConstantValue | ConstantFault {
  const text = fullYear(written)
  const upper = text.toUpperCase()
  if (upper === 'TRUE' || upper === 'FALSE')
    return { kind: 'constant', type: scalars.Bool, value: upper === 'TRUE' ? 1n : 0n, text }
  if (text.startsWith("'")) return textConstant(text, text, undefined)
  const hash = text.indexOf('#')
  const isNumber = hash < 0 || /^\d+$/.test(text.slice(0, hash))
  const literal = isNumber ? parseNumber(text) : parseTyped(text.slice(0, hash), text.slice(hash + 1))
  if (!('kind' in literal)) return { message: literal.message, hint: `Allowed: ${literal.allowed}` }
  return fromLiteral(literal, text)
}

/** TIA Portal also writes the years of DT with two digits: 90 to 99 are 1990 to 1999, 00 to 89 are 2000 to 2089. */
function fullYear(text: string): string {
  return text.replace(
    /^((?:dt|date_and_time)#)(\d{1,2})(-\d{1,2}-\d{1,2}-)/i,
    (_all, prefix: string, year: string, rest: string) =>
      `${prefix}${Number(year) < 90 ? 20 : 19}${year.padStart(2, '0')}${rest}`,
  )
}

function fromLiteral(literal: Literal, text: string): ConstantValue | ConstantFault {
  if (literal.kind === 'integer' || literal.kind === 'real')
    return { kind: 'constant', value: literal.value, text, ...(isPatternText(text) ? { isPattern: true } : {}) }
  if (literal.kind === 'text') return textConstant(text, text, undefined)
  const { name, family } = literal.type
  const body = text.slice(text.indexOf('#') + 1)
  if (family === 'string' || family === 'character') return textConstant(text, body, name)
  if (name === 'DTL') return { kind: 'constant', type: dtl, value: body, text }
  if (name === 'Date_And_Time') return { kind: 'constant', type: { kind: 'dateAndTime' }, value: body, text }
  const type = scalarNamed(name) as ScalarType
  if (family === 'bool') return { kind: 'constant', type, value: /^(true|1)$/i.test(body) ? 1n : 0n, text }
  if (name === 'S5Time') return { kind: 'constant', type, value: s5Time(literal.value as bigint), text }
  const value = family === 'date' ? dateValue(type, body) : (literal.value as bigint | number)
  return { kind: 'constant', type, value, text, ...(isPatternText(body) ? { isPattern: true } : {}) }
}

function isPatternText(text: string): boolean {
  return /^(16|8|2)#/.test(text)
}

/** The type of DTL constants in place of the system type; assignments compare the name. */
const dtl: Type = { kind: 'struct', name: 'DTL', isSystem: true, members: [] }

function textConstant(text: string, quoted: string, typeName: string | undefined): ConstantValue | ConstantFault {
  const isWide = typeName === 'WChar' || (typeName?.startsWith('WString') ?? false)
  const checked = parseText(quoted, isWide)
  if (!('kind' in checked)) return { message: checked.message, hint: `Allowed: ${checked.allowed}` }
  const value = unescaped(quoted.slice(1, -1), isWide)
  if (typeName === 'Char' || typeName === 'WChar')
    return {
      kind: 'constant',
      type: typeName === 'Char' ? scalars.Char : scalars.WChar,
      value: BigInt(value.charCodeAt(0)),
      text,
    }
  if (typeName === undefined) return { kind: 'constant', value, text }
  return { kind: 'constant', type: { kind: 'string', isWide, length: Math.max(1, value.length) }, value, text }
}

const escapes: Readonly<Record<string, string>> = {
  $: '$',
  "'": "'",
  L: '\n',
  N: '\r\n',
  P: '\f',
  R: '\r',
  T: '\t',
}

/** The characters of a text with its escapes resolved (docs/plc-semantics.md#texts). */
function unescaped(inner: string, isWide: boolean): string {
  return inner.replace(isWide ? /\$([$'LNPRT]|[0-9A-F]{4})/gi : /\$([$'LNPRT]|[0-9A-F]{2})/gi, (_all, code: string) => {
    return escapes[code.toUpperCase()] ?? String.fromCharCode(Number.parseInt(code, 16))
  })
}

/**
 * Converts milliseconds to three BCD digits with the smallest time base that fits; the part below the base is cut off.
 */
function s5Time(milliseconds: bigint): bigint {
  for (const [code, base] of [10n, 100n, 1000n, 10_000n].entries()) {
    const count = milliseconds / base
    if (count <= 999n)
      return (BigInt(code) << 12n) | ((count / 100n) << 8n) | (((count / 10n) % 10n) << 4n) | (count % 10n)
  }
  return 0x3999n
}

const dayLength = 86_400_000

/**
 * Days since 1990, milliseconds or nanoseconds since midnight, or nanoseconds since 1970. The text is already checked.
 */
function dateValue(type: ScalarType, body: string): bigint {
  const [day, clock] = type.family === 'timeOfDay' ? [undefined, body] : [body.slice(0, 10), body.slice(11)]
  const parts = /^(\d{1,4})-(\d{1,2})-(\d{1,2})(?:-(.*))?$/.exec(body)
  const date = parts && day !== undefined ? Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) : 0
  if (type === scalars.DateType) return BigInt((date - Date.UTC(1990, 0, 1)) / dayLength)
  const [, hour = '0', minute = '0', second = '0', fraction = ''] =
    /^(\d+):(\d+):(\d+)(?:\.(\d+))?$/.exec(parts?.[4] ?? clock) ?? []
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second))
  const nanoseconds = BigInt(fraction.padEnd(9, '0') || '0')
  if (type === scalars.TimeOfDay) return seconds * 1000n + nanoseconds / 1_000_000n
  return BigInt(date) * 1_000_000n + seconds * 1_000_000_000n + nanoseconds
}

/** Returns the value of a constant in a register of a scalar type, or the reason why it does not fit. */
export function constantFor(
  constant: ConstantValue,
  type: ScalarType,
): { readonly value: bigint | number } | { readonly fault: string } {
  const { text } = constant
  let { value } = constant
  if (typeof value === 'string') {
    if (type.family !== 'character' || value.length !== 1)
      return { fault: `${text} is a text, not a value of type ${type.name}` }
    value = BigInt(value.charCodeAt(0))
  }
  if (type.family === 'real') {
    const number = Number(value)
    if (type.bits === 32 && Number.isFinite(number) && !Number.isFinite(Math.fround(number)))
      return { fault: `${text} does not fit into Real` }
    return { value: type.bits === 32 ? Math.fround(number) : number }
  }
  if (typeof value === 'number') return { fault: `${text} is a real number, not a value of type ${type.name}` }
  if (type.family === 'bool') {
    if (value === 0n || value === 1n) return { value }
    return { fault: `${text} is not TRUE or FALSE` }
  }
  const [low, high] = rangeOf(type) as readonly [bigint, bigint]
  // 16#FFFF is a bit pattern as well as a number: it may mean -1.
  if (constant.isPattern === true && value < 1n << BigInt(type.bits) && type.isSigned)
    return { value: BigInt.asIntN(type.bits, value) }
  if (value < low || value > high) return { fault: `${text} does not fit into ${type.name} (${low} to ${high})` }
  return { value }
}

/** The value of a whole number or a bit pattern; `undefined` for a time, a truth value, a character and a text. */
export function wholeNumber({ type, value }: ConstantValue): bigint | undefined {
  const isNumber = !type || (type.kind === 'scalar' && (type.family === 'integer' || type.family === 'bits'))
  return isNumber && typeof value === 'bigint' ? value : undefined
}

/** The type of an untyped number when its surroundings give none. */
export function ownType({ type, value }: ConstantValue): ScalarType | undefined {
  if (type?.kind === 'scalar') return type
  if (type !== undefined || typeof value === 'string') return undefined
  if (typeof value === 'number') return Math.abs(value) <= 3.4028234663852886e38 ? scalars.Real : scalars.LReal
  for (const candidate of [scalars.Int, scalars.DInt, scalars.LInt, scalars.ULInt]) {
    const [low, high] = rangeOf(candidate) as readonly [bigint, bigint]
    if (value >= low && value <= high) return candidate
  }
  return scalars.ULInt
}
