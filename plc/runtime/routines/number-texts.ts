/**
 * STRG_VAL, VAL_STRG, characters of texts as arrays, hexadecimal digits. Flags of texts as in strings.ts, values as in
 * memory.ts.
 */
import { Byte, Char, WChar, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { type Cell, countElements, elementAt, readBits, writeBits } from '../cells.ts'
import type { RoutineFamily } from '../context.ts'
import { formatted, numberFormat, numberText } from '../text-functions.ts'
import { currentLength, readText, type TextPlace, writeText } from '../texts.ts'
import { firstOf, type Region, regionOf } from './memory.ts'

function placeOf(address: number, flags: number): TextPlace {
  return { address, isStandard: (flags & 1) !== 0, isWide: (flags & 2) !== 0 }
}

/** Returns the elements of an Array of Char, Byte, WChar or Word, each with one character. */
function characters({ cell, number }: Region): (Cell & { readonly type: ScalarType })[] | undefined {
  const { type } = cell
  if (type.kind !== 'array' || type.element.kind !== 'scalar') return undefined
  const { element } = type
  const first = firstOf(number)
  if (![Char, Byte, WChar, Word].includes(element) || first < 0 || first > countElements(cell)) return undefined
  return Array.from({ length: countElements(cell) - first }, (_one, i) => ({
    ...elementAt(cell, first + i),
    type: element,
  }))
}

/** Rounds: '67.89' is 68 (help of STRG_VAL); half to even, like the conversion of Real to Int. */
function toWhole(value: number): bigint | undefined {
  if (!Number.isFinite(value)) return undefined
  const below = Math.floor(value)
  const isHalf = value - below === 0.5
  return BigInt(isHalf ? (below % 2 === 0 ? below : below + 1) : Math.round(value))
}

/** RET_VAL of ATH and HTA (TIA Portal help). */
const hexStatus = { sourceTooShort: 0x8182, sourceType: 0x8151, targetTooShort: 0x8482, targetType: 0x8451 } as const

export const numberTextRoutines: RoutineFamily = (context) => {
  const { view, bytes, fail } = context
  type Four = [number, number, number, number]
  const parse = (source: number, flags: number, format: number, position: number): string | undefined => {
    const text = readText(context, placeOf(source, flags))
    const options = numberFormat(format, 3)
    const isInside = position >= 1 && position <= text.length
    const part =
      options && isInside
        ? numberText(text.slice(position - 1), options.exponential, options.comma ? ',' : '.')
        : undefined
    if (part === undefined) fail()
    return part
  }
  /** Writes a formatted number into a text, from a position on; the text around it stays unchanged. */
  const put = (
    target: number,
    flags: number,
    value: number | bigint,
    [size, precision, format, position]: readonly [number, number, number, number],
  ): undefined => {
    const place = placeOf(target, flags)
    const options = numberFormat(format, 7)
    const old = readText(context, place)
    const fits = size === 0 || size > precision
    const text = options && fits ? formatted(value, size, precision, options) : undefined
    if (text === undefined || position < 1) {
      fail()
      return undefined
    }
    // A text that ends before the position is filled with blanks up to it (TIA Portal help).
    const all = old.slice(0, position - 1).padEnd(position - 1) + text + old.slice(position - 1 + text.length)
    const isNumber = typeof value === 'bigint' || Number.isFinite(value)
    if (!writeText(context, place, all) || !isNumber) fail()
    return undefined
  }
  return {
    'text.toReal': (source: number, format: number, position: number, bits: number, flags: number) => {
      const value = Number(parse(source, flags, format, position) ?? 0)
      // A number below the normal range becomes 0, one that is too large infinite (examples of the help).
      if (Math.abs(value) < (bits === 32 ? 2 ** -126 : 2 ** -1022)) return 0
      const rounded = bits === 32 ? Math.fround(value) : value
      if (!Number.isFinite(rounded)) fail()
      return rounded
    },
    'text.toInteger': (
      source: number,
      format: number,
      position: number,
      bits: number,
      isSigned: number,
      flags: number,
    ) => {
      const part = parse(source, flags, format, position) ?? '0'
      const whole = /^[+-]?\d+$/.test(part) ? BigInt(part.replace('+', '')) : toWhole(Number(part))
      const fits = whole !== undefined && (isSigned === 0 ? BigInt.asUintN(bits, whole) : BigInt.asIntN(bits, whole))
      if (whole !== undefined && fits === whole) return BigInt.asIntN(64, whole)
      fail()
      return 0n
    },
    'text.fromReal': (
      target: number,
      value: number,
      size: number,
      precision: number,
      format: number,
      position: number,
      flags: number,
    ) => put(target, flags, value, [size, precision, format, position]),
    'text.fromInteger': (
      target: number,
      value: bigint,
      isSigned: number,
      size: number,
      precision: number,
      format: number,
      position: number,
      flags: number,
    ) => put(target, flags, isSigned === 0 ? BigInt.asUintN(64, value) : value, [size, precision, format, position]),
    /** Strg_TO_Chars: returns the number of written characters. */
    'text.toCharacters': (source: number, skip: number, flags: number, ...[a, b, c, d]: Four) => {
      const text = readText(context, placeOf(source, flags))
      const cells = characters(regionOf(context, a, b, c, d))?.slice(Math.max(0, skip))
      if (!cells || skip < 0 || cells.length < text.length) {
        fail()
        return 0
      }
      for (let i = 0; i < text.length; i++) {
        const cell = cells[i]
        if (cell) writeBits(view, cell.type, cell, BigInt(text.charCodeAt(i)))
      }
      return text.length
    },
    /** Chars_TO_Strg: `count` 0 means all, up to the first character with code 0. */
    'text.fromCharacters': (target: number, skip: number, count: number, flags: number, ...[a, b, c, d]: Four) => {
      const cells = characters(regionOf(context, a, b, c, d))
      if (!cells || skip < 0 || skip + count > cells.length) {
        fail()
        return undefined
      }
      const codes = cells
        .slice(skip, count === 0 ? undefined : skip + count)
        .map((cell) => Number(readBits(view, cell.type, cell)))
      const end = count === 0 ? codes.indexOf(0) : -1
      const text = String.fromCharCode(...(end < 0 ? codes : codes.slice(0, end)))
      if (!writeText(context, placeOf(target, flags), text)) fail()
      return undefined
    },
    /** ATH: converts hexadecimal digits to the bytes of a value; returns 7 for an invalid digit. */
    'hex.read': (source: number, count: number, flags: number, ...[a, b, c, d]: Four) => {
      const text = readText(context, placeOf(source, flags)).slice(0, count)
      const cell = regionOf(context, a, b, c, d).cell
      const target = bytesOf(cell)
      const wrong = !target
        ? hexStatus.targetType
        : currentLength(context, placeOf(source, flags)) < count
          ? hexStatus.sourceTooShort
          : target.length * 2 < count
            ? hexStatus.targetTooShort
            : 0
      if (wrong !== 0 || !target) {
        fail()
        return (wrong << 16) >> 16
      }
      if (!/^[0-9a-fA-F]*$/.test(text)) {
        fail()
        return 7
      }
      const even = text.length % 2 === 0 ? text : `${text}0`
      for (let i = 0; i < even.length / 2; i++)
        bytes[target[i] as number] = Number.parseInt(even.slice(2 * i, 2 * i + 2), 16)
      return 0
    },
    /** HTA: converts the first `count` bytes of a value to hexadecimal digits. */
    'hex.write': (target: number, count: number, flags: number, ...[a, b, c, d]: Four) => {
      const source = bytesOf(regionOf(context, a, b, c, d).cell)
      if (!source || source.length < count) {
        fail()
        return ((source ? hexStatus.sourceTooShort : hexStatus.sourceType) << 16) >> 16
      }
      const digits = source.slice(0, count).map((address) => (bytes[address] as number).toString(16).padStart(2, '0'))
      if (writeText(context, placeOf(target, flags), digits.join('').toUpperCase())) return 0
      fail()
      return (hexStatus.targetTooShort << 16) >> 16
    },
  }

  /** Returns the addresses of the bytes of a value, the most significant one of each scalar first. */
  function bytesOf(cell: Cell): number[] | undefined {
    const { type, address, isStandard } = cell
    if (type.kind === 'array')
      return type.element.kind === 'scalar'
        ? Array.from({ length: countElements(cell) }, (_one, i) => bytesOf(elementAt(cell, i)) ?? []).flat()
        : undefined
    if (type.kind !== 'scalar' || type.bits === 1) return undefined
    const list = Array.from({ length: type.bits / 8 }, (_one, i) => address + i)
    return isStandard ? list : list.reverse()
  }
}
