/**
 * Formats and parses values as in watch tables: in the display format of the row. Formats are those of
 * plugins/watch-tables/values.ts (`PlcWatchAndForceTableDisplayFormat` of Openness).
 */

import { problem } from '../../../core/index.ts'
import { parseNumber } from '../../../plc/model/literal.ts'
import { scalarNamed } from '../../../plc/program/scalars.ts'
import type { ScalarType } from '../../../plc/program/type.ts'
import type { MemoryWrite } from '../controller/contract.ts'
import { readValue, writeValue } from './batch.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import { doubleValue, rawReader, realBytes, scalarCodec, singleValue, wholeBytes } from './scalar-codec.ts'
import type { JsonValue } from './value-fault.ts'
import { WriteSink } from './write-sink.ts'

/**
 * Formats a value for a row. When a format does not suit the type, the value is shown in the form of its type, as with
 * `Undef`.
 * @param bytes the bytes of the tag
 * @param format name in the enumeration, for example `Hex`
 * @param clock clock of the snapshot, for S5 timers
 */
export function formatValue(tag: ResolvedTag, bytes: Uint8Array, format: string, clock?: bigint): string {
  const { type, area } = tag
  const value = readValue(tag, bytes, clock)
  if (area === 'T' || area === 'C') return value === null ? '' : String(value)
  if (type.kind === 'scalar') {
    const raw = rawOf(type.scalar, tag, bytes)
    return shownAs(format, raw, type.scalar.bits) ?? ownText(type.scalar, value, raw)
  }
  if (type.kind === 'string') return quotedText(String(value), type.string.isWide)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function rawOf({ bits }: ScalarType, tag: ResolvedTag, bytes: Uint8Array): bigint {
  if (bits === 1) return readValue(tag, bytes) === true ? 1n : 0n
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return BigInt(rawReader(bits, false, tag.access === 'optimized')(view, 0))
}

/** The form of the type itself. */
function ownText({ family, bits }: ScalarType, value: JsonValue, raw: bigint): string {
  if (family === 'bool') return raw === 1n ? 'TRUE' : 'FALSE'
  if (family === 'character') return quotedText(String(value), bits === 16)
  return family === 'real' ? realText(value) : String(value)
}

/** Whole numbers have a decimal point, those with an exponent do not. */
function realText(value: JsonValue): string {
  return String(value).replace(/^-?\d+$/, '$&.0')
}

/** Formats that show bits as the value of another type, by width. */
const otherTypes: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  Time: { 32: 'Time', 64: 'LTime' },
  SIMATIC_Time: { 16: 'S5Time' },
  Date: { 16: 'Date' },
  TIME_OF_DAY: { 32: 'Time_Of_Day', 64: 'LTime_Of_Day' },
  DATE_AND_TIME: { 64: 'LDT' },
  Character: { 8: 'Char' },
  Unicode_character: { 16: 'WChar' },
}

function otherType(format: string, bits: number): ScalarType | undefined {
  const name = otherTypes[format]?.[bits]
  return name === undefined ? undefined : scalarNamed(name)
}

function shownAs(format: string, raw: bigint, bits: number): string | undefined {
  const digits = (base: number, each: number) =>
    raw
      .toString(base)
      .toUpperCase()
      .padStart(Math.ceil(bits / each), '0')
  switch (format) {
    case 'Bool':
      return bits === 1 ? (raw === 1n ? 'TRUE' : 'FALSE') : undefined
    case 'Hex':
      return `16#${digits(16, 4)}`
    case 'Bin':
      return `2#${digits(2, 1).replace(/(?<=\d)(?=(?:\d{4})+$)/g, '_')}`
    case 'Octal':
      return `8#${digits(8, 3)}`
    case 'DEC_unsigned':
    case 'Block_number':
      return String(raw)
    case 'DEC_signed':
      return String(bits === 1 ? raw : BigInt.asIntN(bits, raw))
    case 'Float':
      return floatText(raw, bits)
    case 'BCD':
    case 'Counter':
      return bcdText(format, raw, bits)
    case 'Character_sequence':
    case 'DEC_sequence': {
      if (bits < 8) return undefined
      const bytes = [...wholeBytes(bits, 'standard', raw)]
      return format === 'DEC_sequence' ? bytes.join('.') : quotedText(String.fromCharCode(...bytes))
    }
    default: {
      const type = otherType(format, bits)
      if (!type) return undefined
      const bytes = wholeBytes(bits, 'standard', raw)
      const value = scalarCodec(type, 'standard').decode(new DataView(bytes.buffer), 0, 0)
      return type.family === 'character' ? quotedText(String(value), bits === 16) : String(value)
    }
  }
}

function floatText(raw: bigint, bits: number): string | undefined {
  if (bits !== 32 && bits !== 64) return undefined
  const view = new DataView(wholeBytes(bits, 'standard', raw).buffer)
  return realText(bits === 32 ? singleValue(view.getFloat32(0)) : doubleValue(view.getFloat64(0)))
}

/** The highest digit is the sign of BCD numbers. */
function bcdText(format: string, raw: bigint, bits: number): string | undefined {
  if (bits < 16) return undefined
  const digits = raw.toString(16).padStart(bits / 4, '0')
  if (format === 'Counter') return bits === 16 && /^0\d{3}$/.test(digits) ? `C#${Number(digits)}` : undefined
  if (!/^[0f]\d+$/i.test(digits)) return undefined
  return `${digits[0] === '0' ? '' : '-'}${BigInt(digits.slice(1))}`
}

function quotedText(text: string, isWide = false): string {
  const inner = text.replace(/[$']|\p{Cc}/gu, (one) => {
    if (one === '$' || one === "'") return `$${one}`
    return `$${one
      .charCodeAt(0)
      .toString(16)
      .toUpperCase()
      .padStart(isWide ? 4 : 2, '0')}`
  })
  return `'${inner}'`
}

/**
 * Returns the writes for a row's modify value: a text in the display format of the row (`FF` or `16#FF` in Hex, `-1` in
 * DEC_signed), or a constant of the tag's type.
 * @throws GatewayError `unacceptable_content` naming value, type and range
 */
export function parseModifyValue(tag: ResolvedTag, text: string, format: string): MemoryWrite[] {
  const { type } = tag
  const trimmed = text.trim()
  if (type.kind === 'string') return writeValue(tag, unquoted(trimmed, type.string.isWide))
  if (type.kind === 'struct' && type.name?.toUpperCase() !== 'DTL')
    throw unfit(tag, trimmed, 'rows modify single values')
  if (type.kind === 'array') throw unfit(tag, trimmed, 'rows modify single values')
  if (type.kind !== 'scalar') return writeValue(tag, trimmed)
  const { scalar } = type
  if (tag.area === 'C' && /^(?:C#)?\d{1,3}$/i.test(trimmed)) return writeValue(tag, Number(trimmed.replace(/^C#/i, '')))
  if (scalar.bits === 1 || tag.area === 'T' || tag.area === 'C') return writeValue(tag, trimmed)
  // The control characters of a WChar are shown as '$000A'.
  const character =
    scalar.family === 'character' && trimmed.startsWith("'") ? unquoted(trimmed, scalar.bits === 16) : ''
  if (character.length === 1) return writeValue(tag, character)
  const base = bases[format]
  // Digits without a prefix are in the format: 10 is sixteen in Hex.
  const constant = base === undefined || /^[+-]?\w+#/.test(trimmed) ? trimmed : `${base}${trimmed}`
  const raw = trimmed.length > longestConstant ? undefined : rawFrom(format, constant, scalar)
  if (raw === undefined) return writeValue(tag, constant)
  const sink = new WriteSink()
  sink.bytes(tag.writeAddress, wholeBytes(scalar.bits, tag.access, raw))
  return sink.finish()
}

const longestConstant = 200
const bases: Readonly<Record<string, string>> = { Hex: '16#', Bin: '2#', Octal: '8#' }

/** Parses a text in a format to bits; `undefined` when it must be parsed as a constant of the type. */
function rawFrom(format: string, text: string, type: ScalarType): bigint | undefined {
  const { bits } = type
  if (bases[format] !== undefined) {
    const number = parseNumber(text)
    return 'kind' in number && number.kind === 'integer' && number.value < 1n << BigInt(bits) ? number.value : undefined
  }
  const isReal = type.family === 'real'
  if ((format === 'DEC_signed' || format === 'DEC_unsigned') && !isReal && /^[+-]?\d{1,20}$/.test(text)) {
    const value = BigInt(text)
    const isIn =
      format === 'DEC_signed' ? BigInt.asIntN(bits, value) === value : value >= 0n && value < 1n << BigInt(bits)
    // The rule of the type itself parses a number of the type, and its fault contains the range of the type.
    return isIn && type.family === 'bits' ? BigInt.asUintN(bits, value) : undefined
  }
  if (format === 'Float' && type.family === 'bits' && (bits === 32 || bits === 64)) {
    const value = Number(text)
    if (text === '' || !Number.isFinite(value) || (bits === 32 && !Number.isFinite(Math.fround(value))))
      return undefined
    return bitsOf(realBytes(bits, 'standard', value))
  }
  const other = otherType(format, bits)
  if (!other || type.family !== 'bits') return undefined
  return encoded(other, other.family === 'character' ? unquoted(text, bits === 16) : text)
}

function bitsOf(bytes: Uint8Array): bigint {
  return bytes.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
}

/** The bits of a constant of another type; `undefined` when the text is not one. */
function encoded(type: ScalarType, text: string): bigint | undefined {
  const sink = new WriteSink()
  try {
    scalarCodec(type, 'standard').encode(sink, 0, 0, text, '')
  } catch {
    return undefined
  }
  const [write] = sink.finish()
  return write && bitsOf(write.bytes)
}

/** The characters of a text in single quotes with `$` escapes; other texts unchanged. */
function unquoted(text: string, isWide: boolean): string {
  const inner = /^(?:w?string#)?'(.*)'$/is.exec(text)?.[1]
  const pattern = isWide ? /\$([$'LNPRT]|[0-9A-F]{4})/gi : /\$([$'LNPRT]|[0-9A-F]{2})/gi
  return (
    inner?.replace(
      pattern,
      (_all, code: string) => escapes[code.toUpperCase()] ?? String.fromCharCode(Number.parseInt(code, 16)),
    ) ?? text
  )
}

const escapes: Readonly<Record<string, string>> = { $: '$', "'": "'", L: '\n', N: '\r\n', P: '\f', R: '\r', T: '\t' }

function unfit({ name, dataType }: ResolvedTag, text: string, why: string) {
  const message = `${JSON.stringify(text)} cannot be written into ${name} of type ${dataType}: ${why}`
  return problem('unacceptable_content', `${message}.`, { errors: [{ path: name, message, value: text }] })
}
