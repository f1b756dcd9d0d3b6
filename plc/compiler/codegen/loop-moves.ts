/**
 * Replaces loops that only copy the elements of one array to another place, or set them to zero, by one copy: `FOR i :=
 * 1 TO 9 DO a[i] := b[i]`. The loop must have constant limits and a step of one, its elements must follow one another
 * without a gap, and it must read each element before it writes to it; a loop that passes one element on to all others
 * stays a loop.
 */

import { constant, setLocal } from '../../ir/build.ts'
import type { BlockCode, Expression, Place, PlaceIndex, Statement } from '../../ir/ir.ts'
import { Byte, rangeOf } from '../../program/scalars.ts'
import type { ArrayType } from '../../program/type.ts'
import { registersText } from './forward.ts'
import { bytesOf, mayBeOne, memoryOf, sizeAt } from './overlap.ts'
import { rewriteStatements } from './rewrite.ts'

type Loop = Extract<Statement, { kind: 'loop' }>

/** Returns the block with such loops replaced. */
export function withLoopMoves(block: BlockCode): BlockCode {
  const body = rewriteStatements(block.body, {
    statement: (statement) => (statement.kind === 'loop' ? (moveOf(statement) ?? [statement]) : [statement]),
  })
  return { ...block, body }
}

/** A run variable with its constant limits. */
interface Run {
  readonly local: number
  readonly first: bigint
  readonly last: bigint
  readonly step: 1n | -1n
}

function moveOf(loop: Loop): Statement[] | undefined {
  const parts = partsOf(loop)
  if (!parts) return undefined
  const { run, body, after } = parts
  const moved = body.kind === 'copy' ? copied(run, body) : body.kind === 'store' ? stored(run, body) : undefined
  return moved && [moved, after]
}

/** Returns the one statement of a FOR loop and the final value of its run variable; `undefined` for any other loop. */
function partsOf({ body, counter }: Loop): { run: Run; body: Statement; after: Statement } | undefined {
  const [group, sum, next, end] = body
  if (!counter || body.length !== 4 || group?.kind !== 'group' || group.body.length !== 1) return undefined
  if (sum?.kind !== 'setLocal' || next?.kind !== 'setLocal' || next.local !== counter.local) return undefined
  if (end?.kind !== 'if' || end.whenTrue.length !== 1 || end.whenTrue[0]?.kind !== 'leave') return undefined
  const { from, to, step, local } = counter
  const [statement] = group.body
  if (!statement || from.kind !== 'constant' || to.kind !== 'constant' || (step !== 1n && step !== -1n))
    return undefined
  const [first, last] = [BigInt(from.value), BigInt(to.value)]
  const range = rangeOf(from.type)
  const past = last + step
  if (!range || past < range[0] || past > range[1] || (step > 0n ? last < first : first < last)) return undefined
  return { run: { local, first, last, step }, body: statement, after: setLocal(local, constant(from.type, past)) }
}

function copied(run: Run, { type, from, to, site }: Extract<Statement, { kind: 'copy' }>): Statement | undefined {
  if (from.isStandard !== to.isStandard) return undefined
  return moved(run, from, to, sizeAt(type, from), site)
}

function stored(run: Run, { place, type, value, site }: Extract<Statement, { kind: 'store' }>): Statement | undefined {
  if (place.bit !== undefined || place.indices.some(({ isBits }) => isBits === true)) return undefined
  const size = bytesOf(type)
  if (value.kind === 'constant') {
    const target = Object.is(Number(value.value), 0) ? spanOf(run, place, size) : undefined
    return target && { kind: 'clear', place: target.place, size: target.size }
  }
  if (value.kind !== 'load' || value.type !== type || value.place.isStandard !== place.isStandard) return undefined
  return moved(run, value.place, place, size, site)
}

function moved(run: Run, from: Place, to: Place, size: number, site: number): Statement | undefined {
  const [source, target] = [spanOf(run, from, size), spanOf(run, to, size)]
  // Arrays of standard blocks fill whole words.
  if (!source || !target || (from.isStandard && source.size % 2 !== 0) || !isReadFirst(run, source, target))
    return undefined
  const type: ArrayType = { kind: 'array', element: Byte, dimensions: [{ low: 0, high: source.size - 1 }] }
  return { kind: 'copy', type, from: source.place, to: target.place, site }
}

/** The elements that a place refers to over the rounds of a loop, from the one with the lowest address on. */
interface Span {
  readonly place: Place
  /** Size of all elements in bytes. */
  readonly size: number
}

/**
 * Returns the span of a place; `undefined` unless it is one piece of memory whose address depends only on registers.
 */
function spanOf({ local, first, last, step }: Run, place: Place, size: number): Span | undefined {
  const { base, indices, offset } = place
  if (!indices.every(({ isSafe }) => isSafe === true)) return undefined
  if (base.kind === 'pointer' && !isFree(base.address, local)) return undefined
  const low = step > 0n ? first : last
  const high = step > 0n ? last : first
  const others: PlaceIndex[] = []
  let start: bigint | undefined
  for (const index of indices) {
    if (typeof index.low !== 'number' || typeof index.high !== 'number' || index.isBits === true) return undefined
    if (isFree(index.value, local)) {
      others.push(index)
      continue
    }
    const distance = distanceFrom(index.value, local, low, high)
    if (distance === undefined || start !== undefined || index.stride !== size) return undefined
    start = (low + distance - BigInt(index.low)) * BigInt(size)
  }
  if (start === undefined) return undefined
  return {
    place: { ...place, indices: others, offset: offset + Number(start) },
    size: Number(high - low + 1n) * size,
  }
}

/** Whether an expression consists of constants and registers other than this one. */
function isFree(expression: Expression, local: number): boolean {
  const text = registersText(expression)
  return text !== undefined && !new RegExp(`\\br${local}\\b`).test(text)
}

/**
 * The constant difference between an expression and a register for all values `low … high` of the register; nothing may
 * wrap on the way.
 */
function distanceFrom(expression: Expression, local: number, low: bigint, high: bigint): bigint | undefined {
  if (expression.kind === 'local') return expression.local === local ? 0n : undefined
  const distance = ((): bigint | undefined => {
    if (expression.kind === 'convert')
      return expression.mode === 'value' ? distanceFrom(expression.operand, local, low, high) : undefined
    if (expression.kind !== 'binary') return undefined
    const { operator, left, right } = expression
    if (operator === 'add' && left.kind === 'constant') {
      const inner = distanceFrom(right, local, low, high)
      return inner === undefined ? undefined : inner + BigInt(left.value)
    }
    if ((operator !== 'add' && operator !== 'subtract') || right.kind !== 'constant') return undefined
    const inner = distanceFrom(left, local, low, high)
    const by = BigInt(right.value)
    return inner === undefined ? undefined : operator === 'add' ? inner + by : inner - by
  })()
  const range = 'type' in expression && expression.type !== 'address' ? rangeOf(expression.type) : undefined
  if (distance === undefined || !range) return undefined
  return low + distance >= range[0] && high + distance <= range[1] ? distance : undefined
}

/** Whether the loop reads each byte before it writes to it. */
function isReadFirst({ step }: Run, source: Span, target: Span): boolean {
  const [a, b] = [source.place, target.place]
  const [x, y] = [memoryOf(a), memoryOf(b)]
  if (x !== y) return x !== 'pointer' && y !== 'pointer' && !mayBeOne(x, y)
  if (x === 'constant') return false
  if (a.base.kind === 'pointer' && b.base.kind === 'pointer') {
    if (registersText(a.base.address) !== registersText(b.base.address)) return false
  }
  if (otherIndices(a) !== otherIndices(b)) return false
  const distance = b.offset - a.offset
  return Math.abs(distance) >= source.size || (step > 0n ? distance <= 0 : distance >= 0)
}

function otherIndices({ indices }: Place): string {
  return indices.map(({ value, low, stride }) => `${registersText(value)}-${low}*${stride}`).join()
}
