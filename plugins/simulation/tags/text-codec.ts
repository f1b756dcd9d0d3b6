/**
 * Texts and dates that are larger than a register. Formats: docs/plc-semantics.md#texts,
 * docs/plc-semantics.md#durations-and-dates.
 */
import { encodeValue } from '../../../plc/program/memory-image.ts'
import type { Access, StringType } from '../../../plc/program/type.ts'
import type { Codec } from './scalar-codec.ts'
import { calendarDay, clockText, dateAndTimeText, dayText, withPrefix } from './time-text.ts'
import { type JsonValue, shown, ValueFault } from './value-fault.ts'

/** Returns the maximum number of characters of a text; 254 without a declared length. */
export function roomOf({ length }: StringType): number {
  return length < 0 ? 254 : length
}

/**
 * Memory contains maximum length, length, characters; JSON only the characters. Bytes after the length are not part of
 * the value.
 */
export function stringCodec(type: StringType, access: Access): Codec {
  const { isWide } = type
  const room = roomOf(type)
  const name = `${isWide ? 'WString' : 'String'}[${room}]`
  const isLittle = access === 'optimized'
  return {
    leaves: 1,
    decode(view, at) {
      const length = Math.min(room, isWide ? view.getUint16(at + 2, isLittle) : view.getUint8(at + 1))
      if (length > longLength) return longText(view, at, length, isWide, isLittle)
      let text = ''
      for (let i = 0; i < length; i++)
        text += String.fromCharCode(isWide ? view.getUint16(at + 4 + 2 * i, isLittle) : view.getUint8(at + 2 + i))
      return text
    },
    encode(sink, at, _bit, value, path) {
      if (typeof value !== 'string') {
        const allowed = `a text of up to ${room} characters`
        throw new ValueFault(`${shown(value)} is no value of ${name} (${allowed})`, path, value, allowed)
      }
      if (value.length > room) {
        const allowed = `up to ${room} characters`
        throw new ValueFault(`A text of ${value.length} characters does not fit into ${name}`, path, value, allowed)
      }
      const bytes = new Uint8Array(isWide ? 4 + 2 * value.length : 2 + value.length)
      const view = new DataView(bytes.buffer)
      if (isWide) {
        view.setUint16(0, room, isLittle)
        view.setUint16(2, value.length, isLittle)
      } else bytes.set([room, value.length])
      for (let i = 0; i < value.length; i++) {
        const code = value.charCodeAt(i)
        if (isWide) view.setUint16(4 + 2 * i, code, isLittle)
        else if (code <= 255) bytes[2 + i] = code
        else {
          const allowed = 'characters of codes 0 to 255; WString holds others'
          throw new ValueFault(`Character ${i + 1} of ${shown(value)} is none of ${name}`, path, value, allowed)
        }
      }
      sink.bytes(at, bytes)
    },
  }
}

/** From this length on, a text is decoded as a whole; shorter texts are faster character by character. */
const longLength = 16

function longText(view: DataView, at: number, length: number, isWide: boolean, isLittle: boolean): string {
  if (!isWide) return Buffer.from(view.buffer, view.byteOffset + at + 2, length).toString('latin1')
  const bytes = Buffer.from(view.buffer, view.byteOffset + at + 4, 2 * length)
  return (isLittle ? bytes : Buffer.from(bytes).swap16()).toString('utf16le')
}

const dateAndTimeRange = 'DT#1990-01-01-00:00:00 to DT#2089-12-31-23:59:59.999'

/** `Date_And_Time`: eight bytes of BCD. Bytes that are not a date are shown as sixteen hexadecimal digits. */
export const dateAndTimeCodec: Codec = {
  leaves: 1,
  decode: (view, at) =>
    dateAndTimeText(view, at) ?? `16#${view.getBigUint64(at).toString(16).toUpperCase().padStart(16, '0')}`,
  encode(sink, at, _bit, value, path) {
    const text = typeof value === 'string' && value.length <= 100 ? value : ''
    const raw = /^16#([0-9a-f]{16})$/i.exec(text.trim())?.[1]
    const bytes = raw
      ? Uint8Array.from({ length: 8 }, (_, i) => Number.parseInt(raw.slice(2 * i, 2 * i + 2), 16))
      : text !== '' && encodeValue({ kind: 'dateAndTime' }, withPrefix('Date_And_Time', text), 'standard')
    if (bytes) sink.bytes(at, bytes)
    else
      throw new ValueFault(
        `${shown(value)} is no value of Date_And_Time (${dateAndTimeRange})`,
        path,
        value,
        dateAndTimeRange,
      )
  },
}

/** Names of the members of `DTL`. */
const dtlMembers = ['YEAR', 'MONTH', 'DAY', 'WEEKDAY', 'HOUR', 'MINUTE', 'SECOND', 'NANOSECOND'] as const
/** The members of a DTL with their values. */
export type DtlParts = Readonly<Record<(typeof dtlMembers)[number], number>>

/** Returns `DTL#2024-01-31-14:30:00.5`; `undefined` when the parts are not a date. */
function dtlText(parts: DtlParts): string | undefined {
  const { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, NANOSECOND } = parts
  const days = calendarDay(YEAR, MONTH, DAY)
  const isClock = HOUR <= 23 && MINUTE <= 59 && SECOND <= 59 && NANOSECOND <= 999_999_999
  if (days === undefined || YEAR < 1970 || YEAR > 2262 || !isClock) return undefined
  const milliseconds = ((HOUR * 60 + MINUTE) * 60 + SECOND) * 1000 + Math.floor(NANOSECOND / 1_000_000)
  return `DTL#${dayText(days)}-${clockText(milliseconds, NANOSECOND % 1_000_000)}`
}

/** Parses a constant of type DTL, with or without prefix, or an ISO 8601 date; the day of the week is calculated. */
export function dtlParts(text: string): DtlParts | undefined {
  const whole = text.length <= 100 ? withPrefix('DTL', text) : ''
  const match = /^DTL#(\d{4})-(\d{1,2})-(\d{1,2})-(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/i.exec(whole)
  if (!match) return undefined
  const [YEAR = 0, MONTH = 0, DAY = 0, HOUR = 0, MINUTE = 0, SECOND = 0] = match.slice(1, 7).map(Number)
  const NANOSECOND = Number((match[7] ?? '').padEnd(9, '0'))
  const days = calendarDay(YEAR, MONTH, DAY)
  if (days === undefined) return undefined
  // 1970-01-01 was a Thursday; 1 is Sunday.
  const parts = { YEAR, MONTH, DAY, WEEKDAY: ((((days + 4) % 7) + 7) % 7) + 1, HOUR, MINUTE, SECOND, NANOSECOND }
  return dtlText(parts) === undefined ? undefined : parts
}

/** Describes the values that can be written to a DTL. */
export const dtlRange = 'DTL#1970-01-01-00:00:00 to DTL#2262-12-31-23:59:59.999999999, or an object of its members'

/** Returns a DTL as JSON: its text, or its members when they are not a date. */
export function dtlValue(parts: Readonly<Record<string, JsonValue>>): JsonValue {
  return dtlText(parts as DtlParts) ?? parts
}
