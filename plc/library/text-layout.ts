/**
 * Building blocks of the functions on texts (text-blocks.ts): the parts of a text, lengths, failing. All numbers have
 * 32 bits.
 */

import { behind, binary, constant, load, store } from '../ir/build.ts'
import type { Expression, Place, Statement } from '../ir/ir.ts'
import { Bool, Byte, DInt, UDInt, UInt } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import { longestText } from './text-limits.ts'

/** The layout of a text in memory. */
export interface TextKind {
  readonly isWide: boolean
  /** Whether words are big-endian. */
  readonly isStandard: boolean
}

/** A text at an address that is a register or costs no more than one. */
export interface TextAt extends TextKind {
  readonly address: Expression
}

/** The definition of a function: parameters in their order, addresses of texts first. */
export interface TextFunction {
  readonly parameters: readonly (ScalarType | 'address')[]
  readonly result?: ScalarType
  /** Size of its frame in bytes. */
  frameSize?(kinds: readonly TextKind[]): number
  body(parts: TextPlaces): readonly Statement[]
}

/** What the body of a function can use. */
export interface TextPlaces {
  /** The layout of the texts, as the number in the name. */
  readonly flags: number
  /** The text at the address in the parameter of this index. */
  text(index: number): TextAt
  /** The parameters after the addresses. */
  readonly numbers: readonly Expression[]
  /** Register of the result. */
  readonly result: number
  /** Takes a register. */
  take(type: ScalarType | 'address'): number
  /** Takes a label. */
  label(): number
}

/** Returns the layouts of texts from their flags, two bits each. */
export function textKinds(flags: number, count: number): TextKind[] {
  return Array.from({ length: count }, (_one, i) => {
    const bits = flags >> (2 * i)
    return { isStandard: (bits & 1) !== 0, isWide: (bits & 2) !== 0 }
  })
}

export const zero = constant(DInt, 0n)
export const one = constant(DInt, 1n)
export const fail: Statement = { kind: 'setEno', value: constant(Bool, 0n) }

/** Sum of addresses or counts. */
export function plus(a: Expression, b: Expression): Expression {
  return binary('add', DInt, a, b)
}

export function minus(a: Expression, b: Expression): Expression {
  return binary('subtract', DInt, a, b)
}

export function smaller(a: Expression, b: Expression): Expression {
  return binary('minimum', DInt, a, b)
}

export function isLess(a: Expression, b: Expression): Expression {
  return binary('less', DInt, a, b)
}

export function either(a: Expression, b: Expression): Expression {
  return binary('or', Bool, a, b)
}

/** Calls a library function by its name without the leading `$`. */
export function call(name: string, results: readonly number[], ...values: readonly Expression[]): Statement {
  return { kind: 'call', block: `$${name}`, arguments: values, results, site: 0 }
}

/** Bytes of the two lengths. */
export function headSize({ isWide }: TextKind): number {
  return isWide ? 4 : 2
}

/** Size of `count` characters in bytes. */
export function bytesOf({ isWide }: TextKind, count: Expression): Expression {
  return isWide ? plus(count, count) : count
}

/** Address of the character at a position from 0. */
export function characterAt(text: TextAt, position: Expression): Expression {
  const start = plus(text.address, constant(UDInt, BigInt(headSize(text))))
  return position === zero ? start : plus(start, bytesOf(text, position))
}

/** The type of a length and of a character. */
export function unitOf({ isWide }: TextKind): ScalarType {
  return isWide ? UInt : Byte
}

/** A unit of the text (a length or a character) at an address. */
export function unitAt(text: TextKind, address: Expression, offset = 0): Place {
  return behind(address, text.isStandard, offset)
}

/** The maximum length of the text in characters. */
export function roomOf(text: TextAt): Expression {
  const most = constant(DInt, BigInt(text.isWide ? longestText.wide : longestText.narrow))
  return smaller(load(unitOf(text), unitAt(text, text.address)), most)
}

/** The length of the text in characters, never more than its maximum. */
export function lengthOf(text: TextAt): Expression {
  return smaller(load(unitOf(text), unitAt(text, text.address, headSize(text) / 2)), roomOf(text))
}

export function setLength(text: TextAt, length: Expression): Statement {
  return store(unitOf(text), unitAt(text, text.address, headSize(text) / 2), length)
}

export function setRoom(text: TextAt, room: Expression): Statement {
  return store(unitOf(text), unitAt(text, text.address), room)
}
