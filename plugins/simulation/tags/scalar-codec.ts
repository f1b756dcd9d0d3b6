/**
 * Converts scalars between memory and JSON. What JSON cannot represent is a text that can be written back:
 *
 * | type | read as | written as |
 * |---|---|---|
 * | Bool | `true`, `false` | the same, or `"TRUE"` |
 * | integers, hardware types | number; beyond ±(2^53 - 1) decimal text | number, decimal text, `"16#FF"`, `"INT#5"` |
 * | Byte … LWord | number; beyond 2^53 - 1 `"16#…"` | number, `"16#FF"`, `"2#1010"` |
 * | Real, LReal | shortest number of the same value; `"NaN"`, `"Infinity"`, `"-Infinity"` | number, the same texts |
 * | Time, LTime, S5Time | `"T#1s500ms"`, `"LT#5us"`, `"S5T#2s"` | the same; a number is milliseconds |
 * | Date, TOD, LTOD, LDT | `"D#2024-01-31"`, `"TOD#14:30:00"` … | the same, with or without prefix; ISO 8601 |
 * | Char, WChar | one character | the same; constants of several characters such as `"$0D"` in quotes |
 * | Timer, Counter of S5 | remaining time `"S5T#2s"`; count, 0 to 999 | not; number |
 *
 * Bits that are not a valid date, time of day or S5Time are shown as `"16#…"`, and can be written so too.
 */

import { elementaryType } from '../../../plc/model/data-type.ts'
import { rangeText } from '../../../plc/model/literal.ts'
import { encodeValue } from '../../../plc/program/memory-image.ts'
import { rangeOf } from '../../../plc/program/scalars.ts'
import type { Access, ScalarType } from '../../../plc/program/type.ts'
import {
  clockText,
  dateTimeText,
  dayText,
  durationText,
  longDurationText,
  s5Milliseconds,
  withPrefix,
} from './time-text.ts'
import { type JsonValue, shown, ValueFault } from './value-fault.ts'
import type { WriteSink } from './write-sink.ts'

/** Reads and writes values of one type and layout. `bit` is used only where the layout packs bits. */
export interface Codec {
  /** `clock`: of the snapshot; S5 timers need it. */
  readonly decode: (view: DataView, at: number, bit: number, clock?: bigint) => JsonValue
  /** @throws ValueFault with the path to what does not fit */
  readonly encode: (sink: WriteSink, at: number, bit: number, value: JsonValue, path: string) => void
  /** Number of single values in it; reads and writes have a maximum number of them. */
  readonly leaves: number
}

/** Codec of a bit in standard layout. */
export const bitCodec: Codec = {
  leaves: 1,
  decode: (view, at, bit) => ((view.getUint8(at) >> bit) & 1) === 1,
  encode: (sink, at, bit, value, path) => sink.bit(at, bit, truth(value, path)),
}

const boolCodec: Codec = {
  leaves: 1,
  decode: (view, at) => view.getUint8(at) !== 0,
  encode: (sink, at, _bit, value, path) => sink.bytes(at, Uint8Array.of(truth(value, path) ? 1 : 0)),
}

/** Makes the codec of a scalar of whole bytes. */
export function scalarCodec(type: ScalarType, access: Access): Codec {
  if (type.bits === 1) return boolCodec
  const decode = decoderOf(type, access === 'optimized')
  return {
    leaves: 1,
    decode,
    encode: (sink, at, _bit, value, path) => sink.bytes(at, encodeScalar(type, access, value, path)),
  }
}

/** A value of a scalar type from its bytes in optimized layout. */
export function scalarValue(type: ScalarType, bytes: Uint8Array): JsonValue {
  return scalarCodec(type, 'optimized').decode(new DataView(bytes.buffer, bytes.byteOffset), 0, 0)
}

/** Describes the values that can be written to a type, for faults. */
function allowedText(type: ScalarType): string {
  switch (type.family) {
    case 'bool':
      return 'true or false'
    case 'hardware':
    case 'character': {
      const [low, high] = rangeOf(type) ?? [0n, 0n]
      return type.family === 'hardware' ? `${low} to ${high}` : `one character, code ${low} to ${high}`
    }
    case 'date':
      return 'D#1990-01-01 to D#2169-06-06'
    case 'timeOfDay':
      return type.bits === 32 ? 'TOD#00:00:00 to TOD#23:59:59.999' : 'LTOD#00:00:00 to LTOD#23:59:59.999999999'
    case 'dateTime':
      return 'LDT#1970-01-01-00:00:00 to LDT#2262-04-11-23:47:16.854775807'
    default:
      return rangeText(elementaryType(type.name))
  }
}

function misfit(type: ScalarType, value: JsonValue, path: string): ValueFault {
  const allowed = allowedText(type)
  return new ValueFault(`${shown(value)} is no value of ${type.name} (${allowed})`, path, value, allowed)
}

function truth(value: JsonValue, path: string): boolean {
  if (typeof value === 'boolean') return value
  const upper =
    typeof value === 'string'
      ? value
          .trim()
          .toUpperCase()
          .replace(/^BOOL#/, '')
      : ''
  if (upper === 'TRUE' || upper === '1') return true
  if (upper === 'FALSE' || upper === '0') return false
  const allowed = 'true or false'
  throw new ValueFault(`${shown(value)} is no value of Bool (${allowed})`, path, value, allowed)
}

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

type Decoder = (view: DataView, at: number) => JsonValue

function decoderOf(type: ScalarType, isLittle: boolean): Decoder {
  const { family, bits, isSigned } = type
  if (family === 'real')
    return bits === 32
      ? (view, at) => singleValue(view.getFloat32(at, isLittle))
      : (view, at) => doubleValue(view.getFloat64(at, isLittle))
  const raw = rawReader(bits, isSigned, isLittle)
  switch (family) {
    case 'character':
      return (view, at) => String.fromCharCode(Number(raw(view, at)))
    case 'duration':
      return durationDecoder(type, raw)
    case 'date':
      return (view, at) => `D#${dayText(Number(raw(view, at)) + firstDay)}`
    case 'timeOfDay':
      return bits === 32
        ? (view, at) => timeOfDay(Number(raw(view, at)))
        : (view, at) => longTimeOfDay(BigInt(raw(view, at)))
    case 'dateTime':
      return (view, at) => {
        const value = BigInt(raw(view, at))
        return value < 1n << 63n ? `LDT#${dateTimeText(value)}` : hexText(value, 64)
      }
    default: {
      if (bits !== 64) return raw as Decoder
      const isPattern = family === 'bits'
      return (view, at) => {
        const value = BigInt(raw(view, at))
        if (value <= mostSafe && value >= -mostSafe) return Number(value)
        return isPattern ? hexText(value, 64) : String(value)
      }
    }
  }
}

/** 1990-01-01 in days since 1970. */
const firstDay = 7305
const mostSafe = BigInt(Number.MAX_SAFE_INTEGER)
const dayMs = 86_400_000

/** Reads the bits as a whole number. */
export function rawReader(
  bits: ScalarType['bits'],
  isSigned: boolean,
  isLittle: boolean,
): (view: DataView, at: number) => number | bigint {
  if (bits === 64)
    return isSigned ? (view, at) => view.getBigInt64(at, isLittle) : (view, at) => view.getBigUint64(at, isLittle)
  if (bits === 32)
    return isSigned ? (view, at) => view.getInt32(at, isLittle) : (view, at) => view.getUint32(at, isLittle)
  if (bits === 16)
    return isSigned ? (view, at) => view.getInt16(at, isLittle) : (view, at) => view.getUint16(at, isLittle)
  return isSigned ? (view, at) => view.getInt8(at) : (view, at) => view.getUint8(at)
}

/** Writes `16#00FF` with all digits of its width. */
function hexText(value: bigint | number, bits: number): string {
  return `16#${value
    .toString(16)
    .toUpperCase()
    .padStart(bits / 4, '0')}`
}

/** Returns the number with the fewest digits that is the same single: 0.1, not 0.10000000149011612. */
export function singleValue(single: number): JsonValue {
  if (Number.isInteger(single) && Math.abs(single) < 16_777_216) return single
  if (!Number.isFinite(single)) return String(single)
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(single.toPrecision(digits))
    if (Math.fround(shorter) === single) return shorter
  }
  return Number(single.toPrecision(9))
}

/** Returns a double as JSON: infinities and NaN are texts, because JSON has no numbers for them. */
export function doubleValue(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value)
}

function durationDecoder({ name, bits }: ScalarType, raw: (view: DataView, at: number) => number | bigint): Decoder {
  if (bits === 64) return (view, at) => longDurationText(BigInt(raw(view, at)))
  if (name !== 'S5Time')
    return (view, at) => {
      const value = Number(raw(view, at))
      return durationText('T', value < 0, Math.abs(value))
    }
  return (view, at) => {
    const word = Number(raw(view, at))
    const milliseconds = s5Milliseconds(word)
    return milliseconds === undefined ? hexText(word, 16) : durationText('S5T', false, milliseconds)
  }
}

function timeOfDay(value: number): string {
  return value < dayMs ? `TOD#${clockText(value)}` : hexText(value, 32)
}

function longTimeOfDay(value: bigint): string {
  const milliseconds = Number(value / 1_000_000n)
  return milliseconds < dayMs ? `LTOD#${clockText(milliseconds, Number(value % 1_000_000n))}` : hexText(value, 64)
}

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The bytes of a value in the order of its layout. */
function encodeScalar(type: ScalarType, access: Access, value: JsonValue, path: string): Uint8Array {
  if (typeof value === 'number') return numberBytes(type, access, value, path)
  if (typeof value === 'string') return textBytes(type, access, value, path)
  throw misfit(type, value, path)
}

function numberBytes(type: ScalarType, access: Access, value: number, path: string): Uint8Array {
  const { family, bits, name } = type
  if (family === 'real') {
    if (bits === 32 && !Number.isFinite(Math.fround(value))) throw misfit(type, value, path)
    return realBytes(bits, access, value)
  }
  if (name === 'S5Time') {
    const bytes = value >= 0 ? encodeValue(type, `S5T#${value}ms`, access) : undefined
    if (!bytes || !Number.isInteger(value)) throw misfit(type, value, path)
    return bytes
  }
  if (name === 'LTime') {
    const nanoseconds = Math.round(value * 1e6)
    if (!Number.isSafeInteger(nanoseconds)) throw misfit(type, value, path)
    return wholeBytes(bits, access, BigInt(nanoseconds))
  }
  const isWhole = family === 'bits' || family === 'integer' || family === 'hardware' || name === 'Time'
  if (!isWhole || !Number.isInteger(value)) throw misfit(type, value, path)
  // Larger numbers have already been rounded.
  if (!Number.isSafeInteger(value))
    throw new ValueFault(
      `${value} is beyond what JSON numbers hold exactly; write it as text`,
      path,
      value,
      `"${BigInt(value)}" as text`,
    )
  const [low, high] = rangeOf(type) as readonly [bigint, bigint]
  const whole = BigInt(value)
  if (whole < low || whole > high) throw misfit(type, value, path)
  return wholeBytes(bits, access, whole)
}

const specialReals: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

/** Maximum length of a constant of a scalar; parsing a number of a million digits would take long. */
const longestConstant = 200

function textBytes(type: ScalarType, access: Access, text: string, path: string): Uint8Array {
  const { family, bits, name } = type
  if (family === 'real') {
    const special = specialReals.get(text.trim().toLowerCase().replace(/^\+/, ''))
    if (special !== undefined) return realBytes(bits, access, special)
  }
  if (family === 'character' && text.length === 1) {
    const code = text.charCodeAt(0)
    if (bits === 8 && code > 255) throw misfit(type, text, path)
    return wholeBytes(bits, access, BigInt(code))
  }
  if (text.length > longestConstant) throw misfit(type, text, path)
  const bytes = encodeValue(type, withPrefix(name, text), access) ?? patternBytes(type, access, text)
  if (!bytes) throw misfit(type, text, path)
  return bytes
}

/** `16#…` for types whose constants have no such form. */
function patternBytes({ family, bits }: ScalarType, access: Access, text: string): Uint8Array | undefined {
  if (family === 'real' || family === 'character') return undefined
  const digits = /^16#([0-9a-f_]+)$/i.exec(text.trim())?.[1]?.replaceAll('_', '')
  return digits !== undefined && digits.length > 0 && digits.length <= bits / 4
    ? wholeBytes(bits, access, BigInt(`0x${digits}`))
    : undefined
}

/** Returns the bytes of a whole number of 8 to 64 bits. */
export function wholeBytes(bits: number, access: Access, value: bigint): Uint8Array {
  const bytes = new Uint8Array(bits / 8)
  let rest = BigInt.asUintN(bits, value)
  for (let i = 0; i < bytes.length; i++) {
    bytes[access === 'optimized' ? i : bytes.length - 1 - i] = Number(rest & 255n)
    rest >>= 8n
  }
  return bytes
}

/** Returns the bytes of a single or double. */
export function realBytes(bits: number, access: Access, value: number): Uint8Array {
  const bytes = new Uint8Array(bits / 8)
  const view = new DataView(bytes.buffer)
  if (bits === 32) view.setFloat32(0, value, access === 'optimized')
  else view.setFloat64(0, value, access === 'optimized')
  return bytes
}
