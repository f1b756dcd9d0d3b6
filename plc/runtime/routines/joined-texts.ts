/**
 * JOIN and SPLIT: several texts in one array of characters and back (TIA Portal help of both, with their status
 * numbers; the second digit is the parameter). CSV puts a separator between texts, FSR gives each as many characters as
 * declared. Choices where the help says nothing: Count 0 of JOIN joins all texts; a text of SPLIT that is too long
 * stays unchanged when that is an error.
 */
import type { ScalarType } from '../../program/type.ts'
import { type Cell, countElements, elementAt, partsOf, readBits, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { maximumLength, readText, type TextPlace, writeText } from '../texts.ts'
import { meant, regionOf } from './memory.ts'

type Four = readonly [number, number, number, number]
interface Answer {
  readonly status: number
  readonly outputs?: readonly number[]
}

const mode = { fixedSize: 1n, cutsOff: 2n, endSeparator: 8n, clearsRest: 16n, known: 31n } as const
const status = {
  wrongMode: 0x8190,
  wrongCount: 0x8082,
  wrongPosition: 0x8882,
  differentTypes: 0x80b4,
  overflow: 0x80b5,
  cut: 0x0001,
  noEnd: 0x0002,
  tooLong: 0x8584,
} as const
/** `invalid data type` of a parameter by its number. */
const wrongType = (parameter: number) => 0x8054 | (parameter << 8)

/** Characters of an array. */
interface Characters {
  readonly isWide: boolean
  readonly length: number
  get(index: number): number
  set(index: number, code: number): void
}

/** Returns all texts of a structure or array; `undefined`: it contains other data, or two kinds of texts. */
function textsIn(cell: Cell): TextPlace[] | undefined {
  const found: TextPlace[] = []
  const pending = [cell]
  for (let one = pending.shift(); one; one = pending.shift()) {
    if (one.type.kind === 'string')
      found.push({ address: one.address, isStandard: one.isStandard, isWide: one.type.isWide })
    else if (one.type.kind === 'struct' || one.type.kind === 'array') pending.unshift(...partsOf(one))
    else return undefined
  }
  return found.length > 0 && found.every(({ isWide }) => isWide === found[0]?.isWide) ? found : undefined
}

function isTextArray({ type }: Cell): boolean {
  return type.kind === 'array' && type.element.kind === 'string'
}

export function joinedTextServices(context: RuntimeContext): Record<string, (...inputs: never[]) => Answer> {
  const { view } = context
  const cellOf = (four: readonly number[]) => meant(regionOf(context, ...(four as Four)))
  const characterType = ({ type }: Cell): ScalarType | undefined =>
    type.kind === 'scalar' && type.family === 'character' ? type : undefined

  const separator = (four: readonly number[]) => {
    const cell = cellOf(four)
    const type = cell && characterType(cell)
    return cell && type ? { code: Number(readBits(view, type, cell)), isWide: type.bits === 16 } : undefined
  }

  const characters = (four: readonly number[]): Characters | undefined => {
    const cell = cellOf(four)
    const type = cell?.type.kind === 'array' ? characterType({ ...cell, type: cell.type.element }) : undefined
    if (!cell || !type) return undefined
    return {
      isWide: type.bits === 16,
      length: countElements(cell),
      get: (index) => Number(readBits(view, type, elementAt(cell, index))),
      set: (index, code) => writeBits(view, type, elementAt(cell, index), BigInt(code)),
    }
  }

  const position = (four: readonly number[]) => {
    const cell = cellOf(four)
    const type = cell?.type.kind === 'scalar' ? cell.type : undefined
    return {
      value: cell && type ? Number(readBits(view, type, cell)) : 0,
      set: (value: number) => cell && type && writeBits(view, type, cell, BigInt(value)),
    }
  }

  /** Arguments: Mode, RecSeparator, EndSeparator, SrcStruct, Count, DestArray, Position. */
  const join = (bits: bigint, ...all: (number | bigint)[]): Answer => {
    const numbers = all.map(Number)
    const [record, end] = [separator(numbers.slice(0, 4)), separator(numbers.slice(4, 8))]
    const source = cellOf(numbers.slice(8, 12))
    const count = numbers[12] ?? 0
    const target = characters(numbers.slice(13, 17))
    const place = position(numbers.slice(17, 21))
    const hasEnd = (bits & mode.endSeparator) !== 0n
    if ((bits & ~mode.known) !== 0n) return { status: status.wrongMode }
    if (!record) return { status: wrongType(2) }
    if (hasEnd && !end) return { status: wrongType(3) }
    const texts = source && textsIn(source)
    if (!source || !texts) return { status: wrongType(4) }
    if (!target) return { status: wrongType(6) }
    const kinds = [record, ...(hasEnd && end ? [end] : []), ...texts.slice(0, 1)]
    if (kinds.some(({ isWide }) => isWide !== target.isWide)) return { status: status.differentTypes }
    const isCounted = isTextArray(source)
    if (isCounted && count > texts.length) return { status: status.wrongCount }
    if (place.value >= target.length) return { status: status.overflow }
    let at = place.value
    const write = (code: number) => {
      if (at < target.length) target.set(at, code)
      at++
    }
    for (const [i, text] of (isCounted && count > 0 ? texts.slice(0, count) : texts).entries()) {
      const isFixed = (bits & mode.fixedSize) !== 0n
      if (i > 0 && !isFixed) write(record.code)
      const value = readText(context, text)
      for (const character of value.split('')) write(character.charCodeAt(0))
      if (isFixed) for (let k = value.length; k < maximumLength(context, text); k++) write(record.code)
    }
    if (hasEnd && end) write(end.code)
    place.set(Math.min(at, target.length))
    return { status: at > target.length ? status.overflow : 0 }
  }

  /** Arguments: Mode, RecSeparator, EndSeparator, SrcArray, DestStruct, Position; returns Count. */
  const split = (bits: bigint, ...all: (number | bigint)[]): Answer => {
    const numbers = all.map(Number)
    const [record, end] = [separator(numbers.slice(0, 4)), separator(numbers.slice(4, 8))]
    const source = characters(numbers.slice(8, 12))
    const target = cellOf(numbers.slice(12, 16))
    const place = position(numbers.slice(16, 20))
    const refuse = (code: number): Answer => ({ status: code, outputs: [0] })
    if ((bits & ~mode.known) !== 0n) return refuse(status.wrongMode)
    if (!record) return refuse(wrongType(2))
    if (!end) return refuse(wrongType(3))
    if (!source) return refuse(wrongType(4))
    const texts = target && textsIn(target)
    if (!target || !texts) return refuse(wrongType(5))
    if ([record, end, ...texts.slice(0, 1)].some(({ isWide }) => isWide !== source.isWide))
      return refuse(status.differentTypes)
    if (place.value >= source.length) return refuse(status.wrongPosition)
    const work = { bits, record: record.code, end: end.code, source, texts, at: place.value }
    const { result, at, written, filled } = (bits & mode.fixedSize) !== 0n ? splitFixed(work) : splitSeparated(work)
    for (const [i, text] of written.entries()) writeText(context, texts[i] as TextPlace, text)
    if ((bits & mode.clearsRest) !== 0n) for (const text of texts.slice(written.length)) writeText(context, text, '')
    place.set(at)
    return { status: result, outputs: [isTextArray(target) ? filled : 0] }
  }

  interface Work {
    readonly bits: bigint
    readonly record: number
    readonly end: number
    readonly source: Characters
    readonly texts: readonly TextPlace[]
    readonly at: number
  }
  interface Split {
    readonly result: number
    /** Position at which the next call continues. */
    readonly at: number
    readonly written: readonly string[]
    readonly filled: number
  }

  const ended = (result: number, at: number, written: readonly string[]): Split => ({
    result,
    at,
    written,
    filled: written.filter((text) => text !== '').length,
  })

  function splitSeparated({ bits, record, end, source, texts, at: start }: Work): Split {
    const written: string[] = []
    let at = start
    let isCut = false
    for (const place of texts) {
      let text = ''
      while (at < source.length && source.get(at) !== end && source.get(at) !== record)
        text += String.fromCharCode(source.get(at++))
      if (text.length > maximumLength(context, place)) {
        if ((bits & mode.cutsOff) === 0n) return ended(status.tooLong, at, written)
        isCut = true
        text = text.slice(0, maximumLength(context, place))
      }
      written.push(text)
      if (at >= source.length) return ended(status.noEnd, at, written)
      if (source.get(at) === end && end !== record) {
        const counted = (bits & mode.endSeparator) !== 0n ? 1 : 0
        return ended(isCut ? status.cut : 0, at + counted, written)
      }
      at++
    }
    return ended(status.noEnd, at, written)
  }

  function splitFixed({ bits, record, end, source, texts, at: start }: Work): Split {
    const written: string[] = []
    const counted = (bits & mode.endSeparator) !== 0n ? 1 : 0
    let at = start
    for (const place of texts) {
      let text = ''
      const room = maximumLength(context, place)
      while (text.length < room && at < source.length && source.get(at) !== end)
        text += String.fromCharCode(source.get(at++))
      const isShort = text.length < room
      if ((bits & mode.cutsOff) !== 0n) while (text.charCodeAt(text.length - 1) === record) text = text.slice(0, -1)
      written.push(text)
      if (isShort) return at >= source.length ? ended(status.overflow, at, written) : ended(0, at + counted, written)
    }
    const isEnd = at < source.length && source.get(at) === end
    return ended(0, isEnd ? at + counted : at, written)
  }

  return { JOIN: join, SPLIT: split }
}
