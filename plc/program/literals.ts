/**
 * Constants as values for memory: reads the text of a declaration, a constant or a start value and checks it against
 * its type. Forms and ranges: docs/plc-semantics.md#data-types; `B#(1,2)`, `C#55` and `L#5` of STEP 7 classic are
 * accepted too.
 */
import { type ConstantFault, type ConstantValue, constantFor, readConstant } from './constants.ts'
import * as scalars from './scalars.ts'
import type { ScalarType, Type } from './type.ts'

/** Parses a constant with or without a sign. */
export function literalOf(text: string): ConstantValue | ConstantFault {
  const trimmed = text.trim()
  const sign = /^[+-]/.exec(trimmed)?.[0] ?? ''
  const body = sign === '' ? trimmed : trimmed.slice(1).trim()
  if (sign === '') return classic(body) ?? readConstant(body)
  // The sign of a typed constant moves to the number after the prefix: -T#5s is read as T#-5s.
  const typed = /^([a-z_]\w*)#(.*)$/is.exec(body)
  if (typed) return readConstant(`${typed[1]}#${sign === '-' ? '-' : ''}${typed[2]}`)
  const read = readConstant(body)
  if (!('kind' in read)) return read
  if (typeof read.value === 'string' || read.type)
    return { message: `${trimmed} is no constant.`, hint: 'Only numbers and durations have a sign.' }
  return { ...read, value: sign === '-' ? -read.value : read.value, text: trimmed }
}

function classic(text: string): ConstantValue | undefined {
  const bytes = /^(?:b|byte|w|word|dw|dword)#\(([\d\s,]+)\)$/i.exec(text)
  if (bytes) {
    const parts = (bytes[1] ?? '').split(',').map((part) => Number(part.trim()))
    if ((parts.length !== 2 && parts.length !== 4) || parts.some((part) => !(part <= 255))) return undefined
    const value = parts.reduce((all, part) => all * 256n + BigInt(part), 0n)
    return { kind: 'constant', type: parts.length === 2 ? scalars.Word : scalars.DWord, value, text }
  }
  const counter = /^c#(\d{1,3})$/i.exec(text)
  if (counter) return { kind: 'constant', type: scalars.Word, value: BigInt(`0x${counter[1]}`), text }
  const long = /^l#([+-]?\d+)$/i.exec(text)
  if (long) return { kind: 'constant', value: BigInt(long[1] ?? 0), text }
  return areaPointer(text)
}

/** Letters of the areas in 32-bit pointers (STEP 7 classic, format of the parameter type Pointer). */
const pointerAreas: Readonly<Record<string, bigint>> = {
  '': 0n,
  P: 0x80n,
  I: 0x81n,
  E: 0x81n,
  Q: 0x82n,
  A: 0x82n,
  M: 0x83n,
  DBX: 0x84n,
  DIX: 0x85n,
  L: 0x86n,
}

/**
 * Reads `P#8.7`, `P#M10.0`, `P#DB5.DBX2.0`: a DWord of area, byte and bit. The number of the data block is only in the
 * text.
 */
function areaPointer(text: string): ConstantValue | undefined {
  const [, area = '', byte = '', bit = ''] =
    /^p#\s*(?:db\d{1,5}\.(?=dbx))?(dbx|dix|[pieqaml])?\s*(\d{1,5})\.([0-7])$/i.exec(text) ?? []
  const code = pointerAreas[area.toUpperCase()]
  if (byte === '' || code === undefined || Number(byte) > 65_535) return undefined
  const value = (code << 24n) | (BigInt(byte) << 3n) | BigInt(bit)
  return { kind: 'constant', type: scalars.DWord, value, text }
}

/** Returns the value of a constant in a register of a scalar type, or the reason why it has none. */
export function scalarValue(
  constant: ConstantValue,
  type: ScalarType,
): { readonly value: bigint | number } | { readonly fault: string } {
  const own = constant.type
  const no = { fault: `${constant.text} is no value of type ${type.name}` }
  if (own === undefined || own === type) return constantFor(constant, type)
  if (own.kind !== 'scalar') return no
  if (own.family === 'bool' || type.family === 'bool')
    return own.family === type.family ? constantFor(constant, type) : no
  // The same number in another unit.
  if (own === scalars.Time && type === scalars.LTime) return { value: BigInt(constant.value) * 1_000_000n }
  if (own === scalars.TimeOfDay && type === scalars.LTimeOfDay) return { value: BigInt(constant.value) * 1_000_000n }
  if (type.family === 'real')
    return own.family === 'real' || own.family === 'integer' ? constantFor(constant, type) : no
  if (own.family === 'bits') {
    if (own.bits > type.bits && BigInt(constant.value) >= 1n << BigInt(type.bits)) return no
    const value = BigInt(constant.value)
    return { value: type.isSigned && own.bits === type.bits ? BigInt.asIntN(type.bits, value) : value }
  }
  const isCountable = type.family === 'integer' || type.family === 'bits' || type.family === 'hardware'
  if (own.family === 'integer' && isCountable) {
    const value = BigInt(constant.value)
    if (type.family === 'bits' && value < 0n && own.bits <= type.bits)
      return { value: BigInt.asUintN(type.bits, value) }
    return constantFor(constant, type)
  }
  if (own.family === 'character' && type.family === 'character') return constantFor(constant, type)
  return no
}

/** The parts of `DTL#…` and `DT#…` after the prefix. The text is already checked. */
export interface DateFields {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
  /** 1 is Sunday. */
  readonly weekday: number
}

/** Parses `2024-01-31-14:30:00.5`; `undefined` when the text has another form. */
export function dateFields(text: string): DateFields | undefined {
  const match = /^(\d{1,4})-(\d{1,2})-(\d{1,2})-(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1
  return { year, month, day, hour, minute, second, nanosecond: Number((match[7] ?? '').padEnd(9, '0')), weekday }
}

/** Returns why a constant cannot be a start value of a type without parts; `undefined` when it can. */
export function misfit(constant: ConstantValue, type: Type): string | undefined {
  const no = `${constant.text} is no value of this type`
  switch (type.kind) {
    case 'scalar': {
      const fitting = scalarValue(constant, type)
      return 'fault' in fitting ? fitting.fault : undefined
    }
    case 'string': {
      const own = constant.type
      if (own?.kind === 'scalar' && own.family === 'character') return type.isWide || own.bits === 8 ? undefined : no
      if (typeof constant.value !== 'string' || (own !== undefined && own.kind !== 'string')) return no
      const most = type.length < 0 ? 254 : type.length
      if (constant.value.length > most)
        return `${constant.text} has ${constant.value.length} characters, the text has room for ${most}`
      return undefined
    }
    case 'dateAndTime':
      return constant.type?.kind === 'dateAndTime' ? undefined : no
    case 'struct':
      return type.name === 'DTL' && constant.type?.kind === 'struct' && constant.type.name === 'DTL' ? undefined : no
    default:
      return no
  }
}
