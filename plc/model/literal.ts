/**
 * Parses constants as S7 controllers write them: numbers, typed numbers (`INT#5`, `W#16#FF`), times, dates and strings.
 * Ranges: S7-1200/S7-1500 data type tables (their manuals).
 */
import { type DataType, elementaryType, realMax } from './data-type.ts'

/** The value of a constant. Numbers and texts without a type take the type of the other operand. */
export type Literal =
  | { readonly kind: 'integer'; readonly value: bigint; readonly text: string }
  | { readonly kind: 'real'; readonly value: number; readonly text: string }
  | { readonly kind: 'text'; readonly length: number; readonly text: string }
  | { readonly kind: 'typed'; readonly type: DataType; readonly value?: bigint | number; readonly text: string }

/** Why a constant cannot be read. */
export interface LiteralFault {
  readonly code: 'literal_invalid' | 'value_out_of_range'
  readonly message: string
  readonly allowed: string
}

const prefixTypes: Readonly<Record<string, string>> = {
  bool: 'Bool',
  b: 'Byte',
  byte: 'Byte',
  w: 'Word',
  word: 'Word',
  dw: 'DWord',
  dword: 'DWord',
  lw: 'LWord',
  lword: 'LWord',
  sint: 'SInt',
  int: 'Int',
  dint: 'DInt',
  lint: 'LInt',
  usint: 'USInt',
  uint: 'UInt',
  udint: 'UDInt',
  ulint: 'ULInt',
  real: 'Real',
  lreal: 'LReal',
  t: 'Time',
  time: 'Time',
  lt: 'LTime',
  ltime: 'LTime',
  s5t: 'S5Time',
  s5time: 'S5Time',
  d: 'Date',
  date: 'Date',
  tod: 'Time_Of_Day',
  time_of_day: 'Time_Of_Day',
  ltod: 'LTime_Of_Day',
  ltime_of_day: 'LTime_Of_Day',
  dt: 'Date_And_Time',
  date_and_time: 'Date_And_Time',
  ldt: 'LDT',
  date_and_ltime: 'LDT',
  dtl: 'DTL',
  char: 'Char',
  wchar: 'WChar',
  string: 'String',
  wstring: 'WString',
}

/** Returns the data type of the prefix `INT` in `INT#5`; `undefined` for unknown prefixes. */
export function prefixType(prefix: string): DataType | undefined {
  const name = prefixTypes[prefix.toLowerCase()]
  return name === undefined || !Object.hasOwn(prefixTypes, prefix.toLowerCase()) ? undefined : elementaryType(name)
}

/** All prefixes in upper case, for faults. */
export const literalPrefixes: readonly string[] = Object.keys(prefixTypes).map((prefix) => prefix.toUpperCase())

function invalid(message: string, allowed: string): LiteralFault {
  return { code: 'literal_invalid', message, allowed }
}

/** Describes the range of a type, for faults. */
export function rangeText(type: DataType): string {
  if (type.name === 'Real') return '-3.402823E+38 to 3.402823E+38'
  if (type.name === 'LReal') return '-1.797693E+308 to 1.797693E+308'
  if (type.name === 'Time') return 'T#-24d20h31m23s648ms to T#24d20h31m23s647ms'
  if (type.name === 'LTime') return 'LT#-106751d23h47m16s854ms775us808ns to LT#106751d23h47m16s854ms775us807ns'
  if (type.name === 'S5Time') return 'S5T#0ms to S5T#2h46m30s'
  return type.range === undefined ? type.name : `${type.range[0]} to ${type.range[1]}`
}

function outOfRange(text: string, type: DataType): LiteralFault {
  return { code: 'value_out_of_range', message: `${text} does not fit into ${type.name}.`, allowed: rangeText(type) }
}

/** Parses a number without a type: `12`, `1_000`, `16#FF`, `2#1010`, `8#17`, `1.5`, `1.0E-3`. */
export function parseNumber(text: string): Literal | LiteralFault {
  const integer = parseInteger(text)
  const largest = elementaryType('ULInt')
  if (integer !== undefined && integer > largest.range![1]) return outOfRange(text, largest)
  if (integer !== undefined) return { kind: 'integer', value: integer, text: text.toUpperCase() }
  if (/^[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?(e[+-]?[0-9]+)?$/i.test(text)) {
    const value = Number(text.replaceAll('_', ''))
    if (!Number.isFinite(value)) return outOfRange(text, elementaryType('LReal'))
    return { kind: 'real', value, text: realText(text) }
  }
  const meant = meantNumber(text)
  return invalid(
    `${text} is no number${meant === undefined ? '' : `: ${meant}`}.`,
    'a number such as 12, 16#FF, 2#1010, 1.5 or 1.0E-3',
  )
}

/** What a number in the style of other languages is meant to be: `5s`, `1h30m`, `0xFF`. */
function meantNumber(text: string): string | undefined {
  if (/^(?:[0-9]+(?:\.[0-9]+)?(?:ms|us|ns|d|h|m|s)_?)+$/i.test(text)) return `a duration is written T#${text}`
  if (/^0x[0-9a-f]+$/i.test(text)) return `hexadecimal numbers are written 16#${text.slice(2)}`
  return undefined
}

/** TIA Portal always writes a decimal point in a floating-point constant. */
function realText(text: string): string {
  const upper = text.toUpperCase()
  return upper.includes('.') ? upper : upper.replace('E', '.0E')
}

function parseInteger(text: string): bigint | undefined {
  if (/^[0-9]+(_[0-9]+)*$/.test(text)) return BigInt(text.replaceAll('_', ''))
  const match = /^(16|10|8|2)#([0-9a-f]+(?:_[0-9a-f]+)*)$/i.exec(text)
  if (match === null) return undefined
  const digits = match[2]!.replaceAll('_', '')
  if (match[1] === '16') return BigInt(`0x${digits}`)
  if (match[1] === '10') return /^[0-9]+$/.test(digits) ? BigInt(digits) : undefined
  if (match[1] === '8') return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : undefined
  return /^[01]+$/.test(digits) ? BigInt(`0b${digits}`) : undefined
}

/**
 * Parses a typed constant.
 * @param prefix the part before the first `#`
 * @param body the part after it; for strings with their single quotes
 */
export function parseTyped(prefix: string, body: string): Literal | LiteralFault {
  const type = prefixType(prefix)
  const text = `${prefix.toUpperCase()}#${body}`
  if (type === undefined) return invalid(`${prefix}# is no type of a constant.`, literalPrefixes.join(', '))
  switch (type.family) {
    case 'bool':
      return parseTypedBool(type, body, text)
    case 'bits':
    case 'integer':
      return parseTypedInteger(type, body, text)
    case 'real':
      return parseTypedReal(type, body, text)
    case 'duration':
      return parseDuration(type, body, text)
    case 'date':
      return parseDate(type, body, text)
    default:
      return parseTypedText(type, body, text)
  }
}

function parseTypedBool(type: DataType, body: string, text: string): Literal | LiteralFault {
  if (!/^(true|false|0|1)$/i.test(body)) return invalid(`${text} is no Bool constant.`, 'BOOL#TRUE or BOOL#FALSE')
  return { kind: 'typed', type, text: text.toUpperCase() }
}

function parseTypedInteger(type: DataType, body: string, text: string): Literal | LiteralFault {
  const negative = body.startsWith('-')
  const magnitude = parseInteger(negative || body.startsWith('+') ? body.slice(1) : body)
  if (magnitude === undefined)
    return invalid(`${text} is no ${type.name} constant.`, `a whole number, ${rangeText(type)}`)
  const value = negative ? -magnitude : magnitude
  if (value < type.range![0] || value > type.range![1]) return outOfRange(text, type)
  return { kind: 'typed', type, value, text: text.toUpperCase() }
}

function parseTypedReal(type: DataType, body: string, text: string): Literal | LiteralFault {
  const unsigned = body.replace(/^[+-]/, '')
  const number = parseNumber(unsigned)
  if (!('kind' in number) || (number.kind !== 'real' && number.kind !== 'integer')) {
    return invalid(`${text} is no ${type.name} constant.`, `a number such as ${type.name.toUpperCase()}#1.5`)
  }
  const value = Number(number.value) * (body.startsWith('-') ? -1 : 1)
  if (!fitsReal(value, type)) return outOfRange(text, type)
  return { kind: 'typed', type, value, text: text.toUpperCase() }
}

/** Whether a number is finite as a Real (single) or LReal (double). */
export function fitsReal(value: number, type: DataType): boolean {
  return type.bits === 32 ? Math.abs(Math.fround(value)) <= realMax : Number.isFinite(value)
}

const durationUnits = ['d', 'h', 'm', 's', 'ms', 'us', 'ns'] as const
const nanoseconds: Readonly<Record<(typeof durationUnits)[number], bigint>> = {
  d: 86_400_000_000_000n,
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  ns: 1n,
}

/** `T#1d2h3m4s5ms`: units from large to small, each once; the last may have a fraction (`T#1.5s`). */
function parseDuration(type: DataType, body: string, text: string): Literal | LiteralFault {
  const example =
    type.name === 'LTime'
      ? 'LT#1h30m, LT#5s10us'
      : type.name === 'S5Time'
        ? 'S5T#5s, S5T#1m30s'
        : 'T#5s, T#1h30m, T#250ms'
  const bad = (reason: string) =>
    invalid(`${text} is no ${type.name} constant: ${reason}.`, `a duration such as ${example}`)
  const negative = body.startsWith('-')
  const units = type.name === 'LTime' ? durationUnits : durationUnits.slice(0, 5)
  let rest = body.replace(/^[+-]/, '').toLowerCase()
  if (rest === '') return bad('the value is missing')
  let total = 0n
  let lastUnit = -1
  let fraction = false
  while (rest !== '') {
    const match = /^([0-9]+(?:_[0-9]+)*)(?:\.([0-9]+))?(ms|us|ns|d|h|m|s)_?/.exec(rest)
    if (match === null) return bad(`"${rest}" is no number with a unit`)
    const unit = match[3] as (typeof durationUnits)[number]
    const index = units.indexOf(unit)
    if (index < 0) return bad(`the unit ${unit} is not possible`)
    if (index <= lastUnit) return bad(`the unit ${unit} stands in the wrong place`)
    if (fraction) return bad('only the last number may have a fraction')
    lastUnit = index
    total += BigInt(match[1]!.replaceAll('_', '')) * nanoseconds[unit]
    if (match[2] !== undefined) {
      fraction = true
      total += (BigInt(match[2].slice(0, 18)) * nanoseconds[unit]) / 10n ** BigInt(Math.min(18, match[2].length))
    }
    rest = rest.slice(match[0].length)
  }
  const value = (negative ? -1n : 1n) * (type.name === 'LTime' ? total : total / 1_000_000n)
  if (value < type.range![0] || value > type.range![1]) return outOfRange(text, type)
  return { kind: 'typed', type, value, text }
}

interface DateForm {
  readonly pattern: RegExp
  readonly example: string
  readonly firstYear: number
  readonly lastYear: number
  /** Where it is not the end of the year: the last value, with all digits. */
  readonly last?: string
}

const dayPattern = String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`
const clockPattern = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2})(?:\.(?<fraction>\d{1,9}))?`

const dateForms: Readonly<Record<string, DateForm>> = {
  Date: {
    pattern: new RegExp(`^${dayPattern}$`),
    example: 'D#2024-01-31',
    firstYear: 1990,
    lastYear: 2169,
    last: '2169-06-06',
  },
  Time_Of_Day: { pattern: new RegExp(`^${clockPattern}$`), example: 'TOD#14:30:00', firstYear: 0, lastYear: 0 },
  LTime_Of_Day: { pattern: new RegExp(`^${clockPattern}$`), example: 'LTOD#14:30:00', firstYear: 0, lastYear: 0 },
  Date_And_Time: {
    pattern: new RegExp(`^${dayPattern}-${clockPattern}$`),
    example: 'DT#2024-01-31-14:30:00',
    firstYear: 1990,
    lastYear: 2089,
  },
  LDT: {
    pattern: new RegExp(`^${dayPattern}-${clockPattern}$`),
    example: 'LDT#2024-01-31-14:30:00',
    firstYear: 1970,
    lastYear: 2262,
    // 2⁶³ - 1 ns.
    last: '2262-04-11-23:47:16.854775807',
  },
  DTL: {
    pattern: new RegExp(`^${dayPattern}-${clockPattern}$`),
    example: 'DTL#2024-01-31-14:30:00',
    firstYear: 1970,
    lastYear: 2262,
  },
}

/** Checks dates against the calendar and the years of their type. */
function parseDate(type: DataType, body: string, text: string): Literal | LiteralFault {
  const form = dateForms[type.name]!
  const groups = form.pattern.exec(body)?.groups
  if (groups === undefined) return invalid(`${text} is no ${type.name} constant.`, `for example ${form.example}`)
  const number = (name: string): number => Number(groups[name] ?? 0)
  if (number('hour') > 23 || number('minute') > 59 || number('second') > 59) {
    return invalid(`${text} names a time of day that does not exist.`, '00:00:00 to 23:59:59')
  }
  if (groups.year !== undefined) {
    const [year, month, day] = [number('year'), number('month'), number('day')]
    if (month < 1 || month > 12 || !existsDay(year, month, day)) {
      return invalid(`${text} names a day that does not exist.`, `for example ${form.example}`)
    }
    if (year < form.firstYear || year > form.lastYear || (form.last !== undefined && allDigits(groups) > form.last)) {
      const prefix = form.example.slice(0, form.example.indexOf('#'))
      return {
        code: 'value_out_of_range',
        message: `${text} does not fit into ${type.name}.`,
        allowed:
          form.last === undefined
            ? `the years ${form.firstYear} to ${form.lastYear}`
            : `${prefix}#${form.firstYear}-01-01 to ${prefix}#${form.last}`,
      }
    }
  }
  return { kind: 'typed', type, text: text.toUpperCase() }
}

/** A date, with its time of day if it has one, in the digits of {@link DateForm.last}. */
function allDigits({ year, month, day, hour, minute, second, fraction = '' }: Record<string, string>): string {
  const [months, days, hours, minutes, seconds] = [month, day, hour, minute, second].map((one) => one?.padStart(2, '0'))
  const date = `${year}-${months}-${days}`
  return hours === undefined ? date : `${date}-${hours}:${minutes}:${seconds}.${fraction.padEnd(9, '0')}`
}

function existsDay(year: number, month: number, day: number): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

function parseTypedText(type: DataType, body: string, text: string): Literal | LiteralFault {
  const literal = parseText(body, type.bits === 16)
  if (!('kind' in literal) || literal.kind !== 'text') return literal
  if (type.family === 'character' && literal.length !== 1) {
    return invalid(
      `${text} is no ${type.name} constant: it has ${literal.length} characters.`,
      `one character, such as ${type.name.toUpperCase()}#'A'`,
    )
  }
  const longest = type.bits === 16 ? 16382 : 254
  if (literal.length > longest)
    return outOfRange(`A text of ${literal.length} characters`, { ...type, name: `${type.name}[${longest}]` })
  const fixed: DataType = type.family === 'string' ? { ...type, length: Math.max(1, literal.length) } : type
  return { kind: 'typed', type: fixed, text }
}

/**
 * Parses a text in single quotes with the escapes `$$ $' $L $N $P $R $T $hh` (`$hhhh` in wide texts). `$N` counts as
 * two characters, carriage return and line feed, as on the controller.
 */
export function parseText(text: string, wide = false): Literal | LiteralFault {
  if (text.length < 2 || !text.endsWith("'"))
    return invalid(`${text} has no apostrophe at its end.`, "a text such as 'abc'")
  const inner = text.slice(1, -1)
  const escapeForm = wide ? /^\$(?:[$'LNPRT]|[0-9A-F]{4})/i : /^\$(?:[$'LNPRT]|[0-9A-F]{2})/i
  let length = 0
  for (let i = 0; i < inner.length; ) {
    if (inner[i] !== '$') {
      length += 1
      i += 1
      continue
    }
    const match = escapeForm.exec(inner.slice(i, i + 5))
    if (match === null) {
      return invalid(
        `${inner.slice(i, i + 2)} is no escape in a text.`,
        wide ? "$$ $' $L $N $P $R $T or $ with four hex digits" : "$$ $' $L $N $P $R $T or $ with two hex digits",
      )
    }
    length += /^\$N/i.test(match[0]) ? 2 : 1
    i += match[0].length
  }
  return { kind: 'text', length, text }
}
