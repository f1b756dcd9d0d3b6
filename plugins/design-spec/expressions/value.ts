/**
 * Values of control-module variables in the check of phases, independent of the compiler that is checked.
 *
 * | family | value | unit |
 * |---|---|---|
 * | bool | boolean | |
 * | bits, integer | bigint | |
 * | real | number | Real is rounded to single |
 * | duration | bigint | Time, S5Time ms; LTime ns |
 * | date | bigint | Date days, Time_Of_Day and Date_And_Time ms, the others ns; days and times count from 1970 |
 * | character, string | string | |
 */

import { type DataType, elementaryType } from '../../../plc/model/data-type.ts'
import type { Literal } from '../../../plc/model/literal.ts'

/** A value; see the table above. */
export type Value = boolean | bigint | number | string

/** The result of an expression in a controller is not certain: overflow, division by zero, not a number. */
export class Unpredictable extends Error {}

const dayMs = 86_400_000n
const million = 1_000_000n
/** Days from 1970-01-01 to 1990-01-01, the start of Date and Date_And_Time. */
const days1990 = 7305n

/** The value of a variable before anything is written. */
export function startValue(type: DataType): Value {
  switch (type.family) {
    case 'bool':
      return false
    case 'real':
      return 0
    case 'string':
      return ''
    case 'character':
      return ' '
    case 'date':
      return type.name === 'Date' ? days1990 : type.name === 'Date_And_Time' ? days1990 * dayMs : 0n
    default:
      return 0n
  }
}

/** Smallest and largest value of types whose values are bigints; undefined for others. */
export function rangeOfType(type: DataType): readonly [bigint, bigint] | undefined {
  switch (type.name) {
    case 'Date':
      return [days1990, days1990 + 65_535n]
    case 'Time_Of_Day':
      return [0n, dayMs - 1n]
    case 'LTime_Of_Day':
      return [0n, dayMs * million - 1n]
    case 'Date_And_Time':
      return [days1990 * dayMs, BigInt(Date.UTC(2089, 11, 31, 23, 59, 59, 999))]
    case 'LDT':
    case 'DTL':
      return [0n, (1n << 63n) - 1n]
    default:
      return type.range
  }
}

/** A value as stored in the type. @throws Unpredictable when it does not fit */
export function fitted(value: Value, type: DataType): Value {
  if (typeof value === 'number') {
    const rounded = type.bits === 32 ? Math.fround(value) : value
    if (!Number.isFinite(rounded)) throw new Unpredictable(`a result is beyond ${type.name}`)
    return rounded
  }
  if (typeof value === 'bigint') {
    const [low, high] = rangeOfType(type) ?? [1n, 0n]
    if (value < low || value > high) throw new Unpredictable(`a result is beyond ${type.name}`)
    return type.name === 'S5Time' ? s5Rounded(value) : value
  }
  if (typeof value === 'string' && type.family === 'string') return value.slice(0, type.length ?? 254)
  return value
}

/** S5Time has three digits and four time bases: the part below the base is cut off. */
function s5Rounded(ms: bigint): bigint {
  const base = ms <= 9_990n ? 10n : ms <= 99_900n ? 100n : ms <= 999_000n ? 1_000n : 10_000n
  return ms - (ms % base)
}

/** Converts a value to a type to which its type widens (see `widens`). */
export function converted(value: Value, from: DataType, to: DataType): Value {
  if (from.name === to.name) return value
  if (to.family === 'real') return fitted(Number(value), to)
  const isFiner =
    (from.name === 'Time' && to.name === 'LTime') ||
    (from.name === 'Time_Of_Day' && to.name === 'LTime_Of_Day') ||
    (from.name === 'Date_And_Time' && to.name === 'LDT')
  return fitted(isFiner ? (value as bigint) * million : value, to)
}

/** The value of a typed constant. */
export function typedValue({ type, value, text }: Extract<Literal, { kind: 'typed' }>): Value {
  const body = text.slice(text.indexOf('#') + 1)
  if (type.family === 'bool') return /^(true|1)$/i.test(body)
  if (type.family === 'character' || type.family === 'string') return textValue(body, type.bits === 16)
  if (type.family === 'date') return dateValue(type.name, body)
  if (value === undefined) throw new Unpredictable(`${text} is not understood`)
  return fitted(type.family === 'real' ? Number(value) : value, type)
}

const escapes: Readonly<Record<string, string>> = { $: '$', "'": "'", L: '\n', N: '\r\n', P: '\f', R: '\r', T: '\t' }

/** The characters of a text in single quotes. `$hh` is a code in narrow texts, `$hhhh` in wide ones. */
export function textValue(quoted: string, isWide: boolean): string {
  const form = isWide ? /\$(?:([0-9A-F]{4})|(.))/gis : /\$(?:([0-9A-F]{2})|(.))/gis
  return quoted.slice(1, -1).replace(form, (_all, code: string | undefined, one: string) => {
    return code === undefined ? (escapes[one.toUpperCase()] ?? one) : String.fromCharCode(Number.parseInt(code, 16))
  })
}

function dateValue(type: string, body: string): bigint {
  const [, day, hour = 0, minute = 0, second = 0, fraction = ''] =
    /^(?:(\d+-\d+-\d+)-?)?(?:(\d+):(\d+):(\d+)(?:\.(\d+))?)?$/.exec(body) ?? []
  const [year = 1970, month = 1, date = 1] = day?.split('-').map(Number) ?? []
  const days = BigInt(Date.UTC(year, month - 1, date)) / dayMs
  const clock = BigInt((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000_000_000n
  const ns = days * dayMs * million + clock + BigInt(fraction.padEnd(9, '0'))
  return type === 'Date' ? days : type === 'Time_Of_Day' || type === 'Date_And_Time' ? ns / million : ns
}

/** The value as JSON, as tags of running programs accept it. */
export function toJson(value: Value, type: DataType): boolean | number | string {
  if (typeof value !== 'bigint') return value
  switch (type.family) {
    case 'duration':
      return type.name === 'LTime' ? `LT#${value}ns` : `${type.name === 'Time' ? 'T' : 'S5T'}#${value}ms`
    case 'date':
      return dateText(type.name, value)
    case 'bits':
      return `16#${value.toString(16).toUpperCase()}`
    default:
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
}

function dateText(type: string, value: bigint): string {
  const dayText = (days: bigint) => new Date(Number(days * dayMs)).toISOString().slice(0, 10)
  if (type === 'Date') return `D#${dayText(value)}`
  const isCoarse = type === 'Time_Of_Day' || type === 'Date_And_Time'
  const ns = isCoarse ? value * million : value
  const inDay = ns % (dayMs * million)
  const seconds = new Date(Number(inDay / million)).toISOString().slice(11, 19)
  const fraction = String(inDay % 1_000_000_000n).padStart(9, '0')
  const clock = `${seconds}.${isCoarse ? fraction.slice(0, 3) : fraction}`
  if (type === 'Time_Of_Day') return `TOD#${clock}`
  if (type === 'LTime_Of_Day') return `LTOD#${clock}`
  const prefix = type === 'Date_And_Time' ? 'DT' : type
  return `${prefix}#${dayText(ns / (dayMs * million))}-${clock}`
}

/** The data type of conditions. */
export const boolType = elementaryType('Bool')

/** The type of times of steps. */
export const timeType = elementaryType('Time')
