/** Functions of the intermediate form that work on the characters of texts: moving, comparing, searching. */

import { behind, binary, constant, load, local, setLocal, store, when } from '../ir/build.ts'
import type { Expression, Statement } from '../ir/ir.ts'
import { Bool, Byte, DInt, DWord, LWord, UDInt, Word } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import {
  bytesOf,
  call,
  characterAt,
  headSize,
  isLess,
  lengthOf,
  minus,
  one,
  plus,
  smaller,
  type TextAt,
  type TextFunction,
  type TextKind,
  unitAt,
  unitOf,
  zero,
} from './text-layout.ts'

function isSameKind(a: TextKind, b: TextKind): boolean {
  return a.isWide === b.isWide && (!a.isWide || a.isStandard === b.isStandard)
}

function bitsOf({ isWide, isStandard }: TextKind): number {
  return (isStandard ? 1 : 0) | (isWide ? 2 : 0)
}

/** Moves characters. When both texts are of one kind, all characters are read before any is written. */
export function moveCharacters(
  target: TextKind,
  to: Expression,
  source: TextKind,
  from: Expression,
  count: Expression,
): Statement {
  return isSameKind(target, source)
    ? call('text.move', [], to, from, bytesOf(target, count))
    : call(`text.convert:${bitsOf(target) | (bitsOf(source) << 2)}`, [], to, from, count)
}

/** A loop that ends by itself. */
function loop(label: number, body: readonly Statement[]): Statement {
  return { kind: 'loop', label, body, site: 0, atMost: 0 }
}

function step(register: number, type: ScalarType | 'address', by: number): Statement {
  return setLocal(register, plus(local(type, register), constant(DInt, BigInt(by))))
}

/** More bytes than this use the engine's own copy, whose call costs more than a few moves. */
const bulk = 32

/**
 * `text.move(target, source, bytes)`: everything is read before anything is written. Most moves are short: they take
 * two or four overlapping pieces instead of a loop.
 */
export const move: TextFunction = {
  parameters: ['address', 'address', DInt],
  body({ numbers: [bytes = zero], take }) {
    const [target, source] = [local('address', 0), local('address', 1)]
    const pieces = [Byte, Word, DWord, LWord].map((type) => ({ type, size: type.bits / 8 }))
    const isAtLeast = (size: number) => binary('greaterOrEqual', DInt, bytes, constant(DInt, BigInt(size)))
    const fromEnd = (address: Expression) => plus(address, bytes)
    /** Pieces at these offsets from the beginning and from the end. */
    const copy = (type: ScalarType, heads: readonly number[], tails: readonly number[]): Statement[] => {
      const places = (address: Expression) => [
        ...heads.map((offset) => behind(address, false, offset)),
        // The offset of an instruction cannot be negative.
        ...tails.map((offset) => behind(plus(fromEnd(address), constant(DInt, BigInt(offset))), false)),
      ]
      const registers = [...heads, ...tails].map(() => take(type))
      const [reads, writes] = [places(source), places(target)]
      return [
        ...registers.map((register, i) => setLocal(register, load(type, reads[i] as (typeof reads)[number]))),
        ...registers.map((register, i) => store(type, writes[i] as (typeof writes)[number], local(type, register))),
        { kind: 'return' },
      ]
    }
    const short = pieces
      .toReversed()
      .map(({ type, size }) => when(isAtLeast(size), copy(type, [0], size === 1 ? [] : [-size])))
    return [
      when(binary('lessOrEqual', DInt, bytes, constant(DInt, 16n)), [...short, { kind: 'return' }]),
      when(binary('lessOrEqual', DInt, bytes, constant(DInt, BigInt(bulk))), copy(LWord, [0, 8], [-16, -8])),
      { kind: 'routine', routine: 'memory.copy', arguments: [target, source, bytes], setsEno: false },
    ]
  },
}

/** `text.convert(target, source, count)`: characters between a String and a WString, or between byte orders. */
export const convertCharacters: TextFunction = {
  parameters: ['address', 'address', DInt],
  body({ text, numbers: [count = zero], take, label }) {
    const [target, source] = [text(0), text(1)]
    const rest = take(DInt)
    const end = label()
    const width = (kind: TextKind) => (kind.isWide ? 2 : 1)
    // Storing to a byte takes the low bits of a word.
    return [
      setLocal(rest, count),
      loop(end, [
        when(binary('lessOrEqual', DInt, local(DInt, rest), zero), [{ kind: 'leave', label: end }]),
        store(unitOf(target), unitAt(target, target.address), load(unitOf(source), unitAt(source, source.address))),
        step(0, 'address', width(target)),
        step(1, 'address', width(source)),
        step(rest, DInt, -1),
      ]),
    ]
  },
}

/** Loads a character of a text whose address is in a register. */
function characterIn(text: TextKind, register: number): Expression {
  return load(unitOf(text), unitAt(text, local('address', register)))
}

/** `string.compare(a, b)`: -1, 0, 1; by the first character that differs, then by the length. */
export const compare: TextFunction = {
  parameters: ['address', 'address'],
  result: DInt,
  body({ text, take, label, result }) {
    const [a, b] = [text(0), text(1)]
    const [aLength, bLength, end] = [take(DInt), take(DInt), take('address')]
    const [at, other] = [take('address'), take('address')]
    const [words, units] = [label(), label()]
    const order = (less: Expression): Statement[] => [
      setLocal(result, {
        kind: 'select',
        type: DInt,
        condition: less,
        whenTrue: constant(DInt, -1n),
        otherwise: one,
      }),
      { kind: 'return' },
    ]
    const same = isSameKind(a, b)
    const eight = constant(DInt, 8n)
    const eightAt = (register: number) => load(LWord, behind(local('address', register), false))
    const skipEqual: Statement[] = same
      ? [
          loop(words, [
            when(binary('greater', UDInt, plus(local('address', at), eight), local('address', end)), [
              { kind: 'leave', label: words },
            ]),
            when(binary('notEqual', LWord, eightAt(at), eightAt(other)), [{ kind: 'leave', label: words }]),
            step(at, 'address', 8),
            step(other, 'address', 8),
          ]),
        ]
      : []
    return [
      setLocal(aLength, lengthOf(a)),
      setLocal(bLength, lengthOf(b)),
      setLocal(at, characterAt(a, zero)),
      setLocal(other, characterAt(b, zero)),
      setLocal(end, plus(local('address', at), bytesOf(a, smaller(local(DInt, aLength), local(DInt, bLength))))),
      ...skipEqual,
      loop(units, [
        when(binary('equal', UDInt, local('address', at), local('address', end)), [{ kind: 'leave', label: units }]),
        when(
          binary('notEqual', UDInt, characterIn(a, at), characterIn(b, other)),
          order(binary('less', UDInt, characterIn(a, at), characterIn(b, other))),
        ),
        step(at, 'address', a.isWide ? 2 : 1),
        step(other, 'address', b.isWide ? 2 : 1),
      ]),
      when(binary('notEqual', DInt, local(DInt, aLength), local(DInt, bLength)), [
        ...order(isLess(local(DInt, aLength), local(DInt, bLength))),
      ]),
      setLocal(result, zero),
    ]
  },
}

/** `string.find(text, other)`: position from 1 of the first match; 0: none. */
export const find: TextFunction = {
  parameters: ['address', 'address'],
  result: DInt,
  body({ text, take, label, result }) {
    const [source, other] = [text(0), text(1)]
    const [length, otherLength, first] = [take(DInt), take(DInt), take(DInt)]
    const [start, at, last, inner, otherEnd] = Array.from({ length: 5 }, () => take('address')) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const probe = take('address')
    const [matches, candidates, differs] = [label(), label(), label()]
    const read = (register: number) => local('address', register)
    const [width, otherWidth] = [source.isWide ? 2 : 1, other.isWide ? 2 : 1]
    return [
      setLocal(result, zero),
      setLocal(length, lengthOf(source)),
      setLocal(otherLength, lengthOf(other)),
      when(
        binary(
          'or',
          Bool,
          binary('equal', DInt, local(DInt, otherLength), zero),
          isLess(local(DInt, length), local(DInt, otherLength)),
        ),
        [{ kind: 'return' }],
      ),
      setLocal(start, characterAt(source, zero)),
      setLocal(at, read(start)),
      setLocal(last, plus(read(start), bytesOf(source, minus(local(DInt, length), local(DInt, otherLength))))),
      setLocal(otherEnd, plus(characterAt(other, zero), bytesOf(other, local(DInt, otherLength)))),
      setLocal(first, load(unitOf(other), unitAt(other, other.address, headSize(other)))),
      loop(matches, [
        loop(candidates, [
          when(binary('equal', DInt, characterIn(source, at), local(DInt, first)), [
            { kind: 'leave', label: candidates },
          ]),
          step(at, 'address', width),
          when(binary('greater', UDInt, read(at), read(last)), [{ kind: 'return' }]),
        ]),
        setLocal(probe, plus(read(at), constant(DInt, BigInt(width)))),
        setLocal(inner, plus(characterAt(other, zero), constant(DInt, BigInt(otherWidth)))),
        loop(differs, [
          when(binary('equal', UDInt, read(inner), read(otherEnd)), [
            setLocal(result, plus(characterNumber(source, read(start), read(at)), one)),
            { kind: 'return' },
          ]),
          when(binary('notEqual', DInt, characterIn(source, probe), characterIn(other, inner)), [
            { kind: 'leave', label: differs },
          ]),
          step(probe, 'address', width),
          step(inner, 'address', otherWidth),
        ]),
        step(at, 'address', width),
        when(binary('greater', UDInt, read(at), read(last)), [{ kind: 'return' }]),
      ]),
    ]
  },
}

/** Number of characters between two addresses. */
function characterNumber({ isWide }: TextAt, from: Expression, to: Expression): Expression {
  const bytes = minus(to, from)
  return isWide ? binary('divide', UDInt, bytes, constant(UDInt, 2n)) : bytes
}
