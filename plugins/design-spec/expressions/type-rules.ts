/**
 * Types of values in expressions and how they combine: implicit conversion with IEC check on, untyped constants,
 * arithmetic of constants.
 */

import { coveringInteger, type DataType, elementaryType, holds } from '../../../plc/model/data-type.ts'
import { rangeText } from '../../../plc/model/literal.ts'
import type { BinaryOperator } from './expression.ts'

/** The type of an expression: a data type, a constant that adapts to any suitable type, or unknown after a fault. */
export type ValueType =
  | { readonly kind: 'typed'; readonly type: DataType }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'real'; readonly value: number }
  | { readonly kind: 'text'; readonly length: number }
  | { readonly kind: 'unknown' }

/** An untyped number. */
export type Constant = Extract<ValueType, { kind: 'integer' | 'real' }>

/** Describes the type in words, for faults: "of type Real", "the number 5". */
export function describe(type: ValueType): string {
  if (type.kind === 'typed') return `of type ${type.type.name}`
  if (type.kind === 'integer') return `the number ${type.value}`
  if (type.kind === 'real') return `the number ${type.value}`
  return type.kind === 'text' ? 'a text' : 'unknown'
}

/** Whether an operator is a comparison: its result is Bool. */
export function isComparison(operator: BinaryOperator): boolean {
  return (
    operator === '=' ||
    operator === '<>' ||
    operator === '<' ||
    operator === '<=' ||
    operator === '>' ||
    operator === '>='
  )
}

/** The family of a type; `constant` for untyped numbers, `text` for untyped texts, undefined when unknown. */
export function familyOf(type: ValueType): DataType['family'] | 'constant' | 'text' | undefined {
  if (type.kind === 'typed') return type.type.family
  if (type.kind === 'integer' || type.kind === 'real') return 'constant'
  return type.kind === 'text' ? 'text' : undefined
}

/** Whether a family contains numbers. */
export function isNumber(family: ReturnType<typeof familyOf>): boolean {
  return family === 'integer' || family === 'real' || family === 'constant'
}

/** Size of a typed value in bits; 0 for constants. */
export function bitsOf(type: ValueType): number {
  return type.kind === 'typed' ? type.type.bits : 0
}

/** Whether a constant is 0. */
export function isZero(type: ValueType): boolean {
  return (type.kind === 'integer' && type.value === 0n) || (type.kind === 'real' && type.value === 0)
}

/**
 * Calculates two untyped numbers, so that the result can be checked against its target. `10 / 4` is 2.5; a controller
 * would divide as integers or as floating-point numbers, depending on the context.
 */
export function fold(operator: BinaryOperator, a: ValueType, b: ValueType): Constant | undefined {
  const whole = a.kind === 'integer' && b.kind === 'integer' && (operator !== '/' || a.value % b.value === 0n)
  if (whole) {
    const results: Partial<Record<BinaryOperator, () => bigint>> = {
      '+': () => a.value + b.value,
      '-': () => a.value - b.value,
      '*': () => a.value * b.value,
      '/': () => a.value / b.value,
      MOD: () => a.value % b.value,
    }
    const result = results[operator]
    return result === undefined ? undefined : { kind: 'integer', value: result() }
  }
  if ((a.kind === 'integer' || a.kind === 'real') && (b.kind === 'integer' || b.kind === 'real')) {
    const [x, y] = [Number(a.value), Number(b.value)]
    const results: Partial<Record<BinaryOperator, number>> = { '+': x + y, '-': x - y, '*': x * y, '/': x / y }
    const result = results[operator]
    return result === undefined ? undefined : { kind: 'real', value: result }
  }
  return undefined
}

/** The common type of two types in an operation or comparison; undefined when there is none. */
export function commonTyped(a: DataType, b: DataType): DataType | undefined {
  if (a.family === 'integer' && b.family === 'integer') return coveringInteger(a, b)
  if (a.family === 'real' && b.family === 'real') return a.bits >= b.bits ? a : b
  if (a.family === 'integer' && b.family === 'real') return realFor(a, b)
  if (a.family === 'real' && b.family === 'integer') return realFor(b, a)
  if (a.family === 'string' || a.family === 'character') {
    const textual = b.family === 'string' || b.family === 'character'
    return textual && a.bits === b.bits ? (a.family === 'string' ? a : b) : undefined
  }
  if (widens(a, b)) return b
  return widens(b, a) ? a : undefined
}

function realFor(integer: DataType, real: DataType): DataType | undefined {
  if (integer.bits <= 16) return real
  return integer.bits === 32 ? elementaryType('LReal') : undefined
}

/** Implicit conversion with IEC check on. */
export function widens(from: DataType, to: DataType): boolean {
  if (from.name === to.name) return true
  if (from.family === 'integer' && to.family === 'integer') return holds(to, from)
  if (from.family === 'bits' && to.family === 'bits') return to.bits >= from.bits
  if (from.family === 'integer' && to.family === 'real') return from.bits <= 16 || (from.bits === 32 && to.bits === 64)
  if (from.family === 'real' && to.family === 'real') return to.bits >= from.bits
  if ((from.family === 'character' || from.family === 'string') && to.family === 'string') return from.bits === to.bits
  const pairs = ['Time>LTime', 'Time_Of_Day>LTime_Of_Day', 'Date_And_Time>LDT']
  return pairs.includes(`${from.name}>${to.name}`)
}

/** A floating-point constant with its decimal point, as TIA Portal writes it. */
export function realConstant(value: bigint | number): string {
  const text = String(value).toUpperCase()
  if (text.includes('.')) return text
  return text.includes('E') ? text.replace('E', '.0E') : `${text}.0`
}

/** An example of a value of the type, for faults. */
export function valueExample(type: DataType): string {
  switch (type.family) {
    case 'bool':
      return 'TRUE or FALSE'
    case 'bits':
    case 'integer':
      return `a whole number, ${rangeText(type)}`
    case 'real':
      return 'a number such as 12 or 1.5'
    case 'duration':
      return type.name === 'LTime'
        ? 'a duration such as LT#5s'
        : type.name === 'S5Time'
          ? 'a duration such as S5T#5s'
          : 'a duration such as T#5s'
    case 'date':
      return `a constant or variable of type ${type.name}`
    case 'character':
      return "one character in single quotes, such as 'A'"
    case 'string':
      return `a text in single quotes of at most ${type.length} characters`
  }
}

/** A proposal for the constant in the form the type needs; empty when there is none. */
export function assignHint(target: DataType, type: ValueType): string {
  if (target.family === 'duration' && (type.kind === 'integer' || type.kind === 'real'))
    return ` Write it with its unit: ${valueExample(target)}.`
  if (target.family === 'bool' && type.kind === 'integer' && (type.value === 0n || type.value === 1n))
    return ` Write ${type.value === 1n ? 'TRUE' : 'FALSE'}.`
  return ''
}

/** Whether a constant can be written in SCL: a finite number, or an integer of at most 64 bits. */
export function isWritable(constant: Constant): boolean {
  if (constant.kind === 'real') return Number.isFinite(constant.value)
  return constant.value >= elementaryType('LInt').range![0] && constant.value <= elementaryType('ULInt').range![1]
}
