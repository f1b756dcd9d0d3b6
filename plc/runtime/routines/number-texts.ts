/**
 * STRG_VAL, VAL_STRG, characters of texts as arrays, hexadecimal digits. Flags of texts as in strings.ts, values as in
 * memory.ts.
 */
import { Byte, Char, WChar, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { type Cell, countElements, elementAt, readBits, writeBits } from '../cells.ts'
import type { RoutineFamily, RuntimeContext } from '../context.ts'
import { formatted, numberFormat, numberText } from '../text-functions.ts'
import { maximumLength, readText, type TextPlace, writeText } from '../texts.ts'
import { firstOf, meant, type Region, regionOf } from './memory.ts'

function placeOf(address: number, flags: number): TextPlace {
  return { address, isStandard: (flags & 1) !== 0, isWide: (flags & 2) !== 0 }
}

const characterTypes: readonly ScalarType[] = [Char, Byte, WChar, Word]

/** Returns the elements of an Array of Char, Byte, WChar or Word, each with one character. */
function characters({ cell, number }: Region): (Cell & { readonly type: ScalarType })[] | undefined {
  const { type } = cell
  if (type.kind !== 'array' || type.element.kind !== 'scalar') return undefined
  const { element } = type
  const first = firstOf(number)
  if (!characterTypes.includes(element) || first < 0 || first > countElements(cell)) return undefined
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
const hexStatus = {
  noDigit: 7,
  sourceTooShort: 0x8182,
  sourceType: 0x8151,
  targetTooShort: 0x8482,
  targetType: 0x8451,
} as const

/** A text, or an array of characters or of their codes, or one of these. */
interface Characters {
  /** The most characters that fit. */
  readonly room: number
  read(): readonly number[]
  write(codes: readonly number[]): void
}

/** Whether a value consists of characters rather than of numbers. */
function isOfCharacters({ cell: { type } }: Region): boolean {
  const one = type.kind === 'array' ? type.element : type
  return one.kind === 'string' || one === Char || one === WChar
}

function charactersOf(context: RuntimeContext, region: Region): Characters | undefined {
  const cell = meant(region)
  if (cell?.type.kind === 'string') {
    const place = { address: cell.address, isStandard: cell.isStandard, isWide: cell.type.isWide }
    return {
      room: maximumLength(context, place),
      read: () =>
        readText(context, place)
          .split('')
          .map((character) => character.charCodeAt(0)),
      write: (codes) => void writeText(context, place, String.fromCharCode(...codes)),
    }
  }
  const { view } = context
  const isOne = region.cell.type.kind === 'scalar' && characterTypes.includes(region.cell.type)
  const cells = isOne ? [{ ...region.cell, type: region.cell.type as ScalarType }] : characters(region)
  return (
    cells && {
      room: cells.length,
      read: () => cells.map((one) => Number(readBits(view, one.type, one))),
      write: (codes) => {
        for (const [i, code] of codes.entries()) {
          const one = cells[i]
          if (one) writeBits(view, one.type, one, BigInt(code))
        }
      },
    }
  )
}

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
    /** Strg_TO_Chars: returns the number of written characters; what does not fit is left out (TIA Portal help). */
    'text.toCharacters': (source: number, skip: number, flags: number, ...[a, b, c, d]: Four) => {
      const text = readText(context, placeOf(source, flags))
      const cells = characters(regionOf(context, a, b, c, d))?.slice(Math.max(0, skip))
      if (!cells || skip < 0) {
        fail()
        return 0
      }
      if (cells.length < text.length) fail()
      const written = cells.slice(0, text.length)
      for (const [i, cell] of written.entries()) writeBits(view, cell.type, cell, BigInt(text.charCodeAt(i)))
      return written.length
    },
    /** Chars_TO_Strg: `count` 0 means all; a character with code 0 ends the text (TIA Portal help). */
    'text.fromCharacters': (target: number, skip: number, count: number, flags: number, ...[a, b, c, d]: Four) => {
      const cells = characters(regionOf(context, a, b, c, d))
      if (!cells || skip < 0 || skip + count > cells.length) {
        fail()
        return undefined
      }
      const codes = cells
        .slice(skip, count === 0 ? undefined : skip + count)
        .map((cell) => Number(readBits(view, cell.type, cell)))
      const end = codes.indexOf(0)
      const text = String.fromCharCode(...(end < 0 ? codes : codes.slice(0, end)))
      if (!writeText(context, placeOf(target, flags), text)) fail()
      return undefined
    },
    /** ATH: hexadecimal digits to a value or to characters; what is no digit counts as 0 and gives 7. */
    'hex.read': (a: number, b: number, c: number, d: number, count: number, ...target: Four) => {
      const source = charactersOf(context, regionOf(context, a, b, c, d))?.read()
      if (!source) return refused(hexStatus.sourceType)
      if (source.length < count) return refused(hexStatus.sourceTooShort)
      const found = Array.from(source.slice(0, count), (code) => String.fromCharCode(code).toUpperCase())
      const digits = found.map((digit) => (/^[0-9A-F]$/.test(digit) ? digit : '0'))
      const region = regionOf(context, ...target)
      const isText = isOfCharacters(region)
      const text = isText ? charactersOf(context, region) : undefined
      const list = isText ? undefined : bytesOf(region)
      if (!text && !list) return refused(hexStatus.targetType)
      if ((text?.room ?? 2 * (list?.length ?? 0)) < count) return refused(hexStatus.targetTooShort)
      text?.write(digits.map((digit) => digit.charCodeAt(0)))
      for (const [i, address] of (list ?? []).slice(0, Math.ceil(count / 2)).entries())
        bytes[address] = Number.parseInt(`${digits[2 * i]}${digits[2 * i + 1] ?? '0'}`, 16)
      return digits.every((digit, i) => digit === found[i]) ? 0 : refused(hexStatus.noDigit)
    },
    /** HTA: the first `count` bytes of a value to hexadecimal digits; of a character its low byte. */
    'hex.write': (a: number, b: number, c: number, d: number, count: number, ...target: Four) => {
      const region = regionOf(context, a, b, c, d)
      const source = isOfCharacters(region)
        ? charactersOf(context, region)?.read()
        : bytesOf(region)?.map((address) => bytes[address] as number)
      if (!source) return refused(hexStatus.sourceType)
      if (source.length < count) return refused(hexStatus.sourceTooShort)
      const text = charactersOf(context, regionOf(context, ...target))
      if (!text) return refused(hexStatus.targetType)
      const digits = source.slice(0, count).map((code) => (code & 255).toString(16).padStart(2, '0'))
      const codes = Array.from(digits.join('').toUpperCase(), (digit) => digit.charCodeAt(0))
      text.write(codes.slice(0, text.room))
      return codes.length > text.room ? refused(hexStatus.targetTooShort) : 0
    },
  }

  function refused(status: number): number {
    fail()
    return (status << 16) >> 16
  }

  /** Returns the addresses of the bytes of bit strings and integers, from the given element on. */
  function bytesOf({ cell, number }: Region): number[] | undefined {
    const { type } = cell
    const all = type.kind === 'array' ? countElements(cell) : 1
    const first = firstOf(number)
    if (first < 0 || first > all) return undefined
    const cells =
      type.kind === 'array' ? Array.from({ length: all - first }, (_one, i) => elementAt(cell, first + i)) : [cell]
    const lists = cells.map(bytesOfScalar)
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined
  }

  /** The most significant byte first. */
  function bytesOfScalar({ type, address, isStandard }: Cell): number[] | undefined {
    if (type.kind !== 'scalar' || type.bits === 1 || !['integer', 'bits'].includes(type.family)) return undefined
    const list = Array.from({ length: type.bits / 8 }, (_one, i) => address + i)
    return isStandard ? list : list.reverse()
  }
}
