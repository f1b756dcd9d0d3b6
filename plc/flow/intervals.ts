/** Ranges of numbers, and what conditions say about the variables in them. */
import type { BinaryOperator, Expression } from '../ir/ir.ts'
import { rangeOf } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import { variableKey } from './guards.ts'

/** The values from `low` to `high`; `isOpen`: real numbers, the ends themselves may be left out. */
export interface Interval {
  readonly low: number
  readonly high: number
  readonly isLowOpen?: boolean
  readonly isHighOpen?: boolean
}

/** Ranges of variables, by their keys. */
export type Ranges = ReadonlyMap<string, Interval>

/** Ranges that are kept at most: they are copied at every branch. */
const mostRanges = 64

const bool: Interval = { low: 0, high: 1 }

/** All values of a type; `undefined` for types without an order. */
export function intervalOfType(type: ScalarType): Interval | undefined {
  if (type.family === 'bool') return bool
  if (type.family === 'real') return { low: -Infinity, high: Infinity }
  if (type.family !== 'integer' && type.family !== 'bits' && type.family !== 'duration') return undefined
  const range = rangeOf(type)
  return range && { low: Number(range[0]), high: Number(range[1]) }
}

/** The values that an expression takes; `undefined` when they are not numbers. */
export function intervalOf(node: Expression, ranges: Ranges): Interval | undefined {
  switch (node.kind) {
    case 'constant':
      return { low: Number(node.value), high: Number(node.value) }
    case 'local':
    case 'load':
      return ranges.get(variableKey(node) ?? '') ?? (node.type === 'address' ? undefined : intervalOfType(node.type))
    case 'convert': {
      const [inner, own] = [intervalOf(node.operand, ranges), intervalOfType(node.type)]
      if (node.mode !== 'value' || inner === undefined || own === undefined) return own
      return own.low <= inner.low && inner.high <= own.high ? inner : own
    }
    case 'binary': {
      const own = intervalOfType(node.type)
      if (isComparison(node.operator)) return bool
      const exact = exactInterval(node, ranges)
      return exact && own && own.low <= exact.low && exact.high <= own.high ? exact : own
    }
    case 'select': {
      const [a, b] = [intervalOf(node.whenTrue, ranges), intervalOf(node.otherwise, ranges)]
      return a && b && joined(a, b)
    }
    default:
      return 'type' in node && node.type !== 'address' ? intervalOfType(node.type) : undefined
  }
}

/** The values of an arithmetic operation before they are cut to its type. */
export function exactInterval(node: Extract<Expression, { kind: 'binary' }>, ranges: Ranges): Interval | undefined {
  const [a, b] = [intervalOf(node.left, ranges), intervalOf(node.right, ranges)]
  if (a === undefined || b === undefined) return undefined
  switch (node.operator) {
    case 'add':
      return { low: a.low + b.low, high: a.high + b.high }
    case 'subtract':
      return { low: a.low - b.high, high: a.high - b.low }
    case 'multiply': {
      const all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
      return { low: Math.min(...all), high: Math.max(...all) }
    }
    case 'minimum':
      return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) }
    case 'maximum':
      return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) }
    case 'modulo': {
      const most = Math.max(Math.abs(b.low), Math.abs(b.high)) - 1
      return { low: a.low < 0 ? -most : 0, high: a.high > 0 ? most : 0 }
    }
    case 'divide':
      if (b.low !== b.high || b.low <= 0 || node.type.family === 'real') return undefined
      return { low: Math.trunc(a.low / b.low), high: Math.trunc(a.high / b.low) }
    default:
      return undefined
  }
}

function isComparison(operator: BinaryOperator): boolean {
  return operator in opposite
}

const opposite: Partial<Record<BinaryOperator, BinaryOperator>> = {
  equal: 'notEqual',
  notEqual: 'equal',
  less: 'greaterOrEqual',
  greaterOrEqual: 'less',
  greater: 'lessOrEqual',
  lessOrEqual: 'greater',
}

const mirrored: Partial<Record<BinaryOperator, BinaryOperator>> = {
  equal: 'equal',
  notEqual: 'notEqual',
  less: 'greater',
  greater: 'less',
  lessOrEqual: 'greaterOrEqual',
  greaterOrEqual: 'lessOrEqual',
}

/** The smallest range with both. */
export function joined(a: Interval, b: Interval): Interval {
  const isLowOpen = a.low < b.low ? a.isLowOpen : b.low < a.low ? b.isLowOpen : a.isLowOpen && b.isLowOpen
  const isHighOpen = a.high > b.high ? a.isHighOpen : b.high > a.high ? b.isHighOpen : a.isHighOpen && b.isHighOpen
  return made(Math.min(a.low, b.low), Math.max(a.high, b.high), isLowOpen, isHighOpen)
}

function made(low: number, high: number, isLowOpen: boolean | undefined, isHighOpen: boolean | undefined): Interval {
  return { low, high, ...(isLowOpen ? { isLowOpen } : {}), ...(isHighOpen ? { isHighOpen } : {}) }
}

function isEmpty({ low, high, isLowOpen, isHighOpen }: Interval): boolean {
  return low > high || (low === high && (isLowOpen === true || isHighOpen === true))
}

/** The value of a condition where variables have these ranges; `undefined` when they do not decide it. */
export function decided(node: Expression, ranges: Ranges): boolean | undefined {
  switch (node.kind) {
    case 'local':
    case 'load': {
      const range = ranges.get(variableKey(node) ?? '')
      return range === undefined || range.low !== range.high ? undefined : range.low !== 0
    }
    case 'unary': {
      const inner = node.operator === 'not' ? decided(node.operand, ranges) : undefined
      return inner === undefined ? undefined : !inner
    }
    case 'binary': {
      if (!isComparison(node.operator) || node.type.family === 'bool') return undefined
      const [a, b] = [intervalOf(node.left, ranges), intervalOf(node.right, ranges)]
      return a && b && compared(node.operator, a, b)
    }
    default:
      return undefined
  }
}

function compared(operator: BinaryOperator, a: Interval, b: Interval): boolean | undefined {
  switch (operator) {
    case 'equal':
    case 'notEqual': {
      const isApart = isBelow(a, b) || isBelow(b, a)
      const isSame = a.low === a.high && b.low === b.high && a.low === b.low
      return isApart ? operator === 'notEqual' : isSame ? operator === 'equal' : undefined
    }
    case 'less':
      return isBelow(a, b) ? true : a.low >= b.high ? false : undefined
    case 'greaterOrEqual':
      return isBelow(a, b) ? false : a.low >= b.high ? true : undefined
    case 'greater':
      return isBelow(b, a) ? true : b.low >= a.high ? false : undefined
    case 'lessOrEqual':
      return isBelow(b, a) ? false : b.low >= a.high ? true : undefined
    default:
      return undefined
  }
}

/** Whether every value of one is less than every value of the other. */
function isBelow(a: Interval, b: Interval): boolean {
  return a.high < b.low || (a.high === b.low && (a.isHighOpen === true || b.isLowOpen === true))
}

/** The ranges where a condition is TRUE, or FALSE; those that it says nothing about stay. */
export function refined(node: Expression, isTrue: boolean, ranges: Ranges): Ranges {
  switch (node.kind) {
    case 'local':
    case 'load': {
      const isBool = node.type !== 'address' && node.type.family === 'bool'
      return isBool ? withRange(node, isTrue ? { low: 1, high: 1 } : { low: 0, high: 0 }, ranges) : ranges
    }
    case 'unary':
      return node.operator === 'not' ? refined(node.operand, !isTrue, ranges) : ranges
    case 'binary': {
      const { operator, left, right, type } = node
      if (type.family === 'bool' && operator === (isTrue ? 'and' : 'or'))
        return refined(right, isTrue, refined(left, isTrue, ranges))
      const asked = isTrue ? operator : opposite[operator]
      const swapped = asked && mirrored[asked]
      if (!isComparison(operator) || asked === undefined || swapped === undefined) return ranges
      const [a, b] = [intervalOf(left, ranges), intervalOf(right, ranges)]
      if (a === undefined || b === undefined) return ranges
      return narrowed(right, swapped, a, type, narrowed(left, asked, b, type, ranges))
    }
    default:
      return ranges
  }
}

/** The ranges where `node operator other`. */
function narrowed(
  node: Expression,
  operator: BinaryOperator,
  other: Interval,
  type: ScalarType,
  ranges: Ranges,
): Ranges {
  // A conversion that keeps the value keeps the order too.
  const inner =
    node.kind === 'convert' && node.mode === 'value' && node.type.bits >= node.from.bits ? node.operand : node
  const own = variableKey(inner) === undefined ? undefined : intervalOf(inner, ranges)
  if (own === undefined) return ranges
  const isReal = type.family === 'real'
  let { low, high, isLowOpen, isHighOpen } = own
  const raise = (to: number, isOpen: boolean) => {
    const limit = isOpen && !isReal ? to + 1 : to
    if (limit > low || (limit === low && isOpen && isReal)) [low, isLowOpen] = [limit, isOpen && isReal]
  }
  const lower = (to: number, isOpen: boolean) => {
    const limit = isOpen && !isReal ? to - 1 : to
    if (limit < high || (limit === high && isOpen && isReal)) [high, isHighOpen] = [limit, isOpen && isReal]
  }
  if (operator === 'equal' || operator === 'greater' || operator === 'greaterOrEqual')
    raise(other.low, operator === 'greater')
  if (operator === 'equal' || operator === 'less' || operator === 'lessOrEqual') lower(other.high, operator === 'less')
  if (operator === 'notEqual' && other.low === other.high && !isReal) {
    if (low === other.low) low++
    if (high === other.low) high--
  }
  const range = made(low, high, isLowOpen, isHighOpen)
  // Nothing is left: what follows does not run, and nothing is to be said about it.
  return isEmpty(range) ? ranges : withRange(inner, range, ranges)
}

/** The ranges with that of a variable. */
export function withRange(variable: Expression, range: Interval, ranges: Ranges): Ranges {
  const key = variableKey(variable)
  if (key === undefined || (ranges.size >= mostRanges && !ranges.has(key))) return ranges
  return new Map(ranges).set(key, range)
}
