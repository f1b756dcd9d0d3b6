/**
 * The routines on texts as functions of the intermediate form: linked where they are called, so that no call leaves
 * WebAssembly. Rules: S7-1200 system manual, "String operation instructions" (tables 8-54 to 8-66); an S7-1500 does the
 * same. testing/text-reference.ts contains them in short form.
 *
 * The name of a function contains the layout of its texts: `$string.left:5`, with the flags that routines on texts take
 * as their last argument, two bits for each address: bit 0 words are big-endian, bit 1 a WString. A function whose
 * instruction fails ends with ENO FALSE and so reports the failure as a routine does; inner functions return it.
 */

import { defined } from '../../lib/optional.ts'
import { address, and, constant, load, local, setLocal, store, when } from '../ir/build.ts'
import type { BlockCode, Expression, Place, Statement } from '../ir/ir.ts'
import { Bool, DInt } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import {
  bytesOf,
  call,
  characterAt,
  either,
  fail,
  headSize,
  isLess,
  lengthOf,
  minus,
  one,
  plus,
  roomOf,
  setLength,
  setRoom,
  smaller,
  type TextAt,
  type TextFunction,
  type TextKind,
  type TextPlaces,
  textKinds,
  unitAt,
  unitOf,
  zero,
} from './text-layout.ts'
import { compare, convertCharacters, find, move, moveCharacters } from './text-moves.ts'

/** Makes a function with addresses of texts, then numbers. */
function texts(addresses: number, numbers: number, body: TextFunction['body'], result?: ScalarType): TextFunction {
  const parameters = [...Array<'address'>(addresses).fill('address'), ...Array<ScalarType>(numbers).fill(DInt)]
  return { parameters, body, ...defined({ result }) }
}

/** Limits a register to the room; more characters make the instruction fail. */
function cut(count: number, room: Expression): Statement {
  return when(isLess(room, local(DInt, count)), [fail, setLocal(count, room)])
}

/** Sets the target to `count` characters of the source from `start` on; `count` is a register. */
function give(parts: TextPlaces, start: Expression, count: number): Statement[] {
  const [target, source] = [parts.text(0), parts.text(1)]
  const number = local(DInt, count)
  return [
    cut(count, roomOf(target)),
    moveCharacters(target, characterAt(target, zero), source, characterAt(source, start), number),
    setLength(target, number),
  ]
}

/** Makes the target empty, and the instruction fails. */
function giveNothing({ text }: TextPlaces): Statement[] {
  return [setLength(text(0), zero), fail, { kind: 'return' }]
}

const assign = texts(2, 0, (parts) => {
  const count = parts.take(DInt)
  return [setLocal(count, lengthOf(parts.text(1))), ...give(parts, zero, count)]
})

const append = texts(2, 0, ({ text, take }) => {
  const [target, source] = [text(0), text(1)]
  const [before, count] = [take(DInt), take(DInt)]
  const [end, number] = [local(DInt, before), local(DInt, count)]
  return [
    setLocal(before, lengthOf(target)),
    setLocal(count, lengthOf(source)),
    cut(count, minus(roomOf(target), end)),
    moveCharacters(target, characterAt(target, end), source, characterAt(source, zero), number),
    setLength(target, plus(end, number)),
  ]
})

/** LEFT and RIGHT. */
function side(isLeft: boolean): TextFunction {
  return texts(2, 1, (parts) => {
    const { numbers, text, take } = parts
    const [wanted = zero] = numbers
    const [length, count, start] = [take(DInt), take(DInt), take(DInt)]
    return [
      when(isLess(wanted, zero), giveNothing(parts)),
      setLocal(length, lengthOf(text(1))),
      setLocal(count, smaller(wanted, local(DInt, length))),
      setLocal(start, isLeft ? zero : minus(local(DInt, length), local(DInt, count))),
      ...give(parts, local(DInt, start), count),
    ]
  })
}

const middle = texts(2, 2, (parts) => {
  const { numbers, text, take } = parts
  const [wanted = zero, position = zero] = numbers
  const [length, count, start] = [take(DInt), take(DInt), take(DInt)]
  return [
    setLocal(length, lengthOf(text(1))),
    setLocal(start, minus(position, one)),
    when(
      either(isLess(wanted, zero), either(isLess(position, one), isLess(local(DInt, length), position))),
      giveNothing(parts),
    ),
    setLocal(count, smaller(wanted, minus(local(DInt, length), local(DInt, start)))),
    ...give(parts, local(DInt, start), count),
  ]
})

/**
 * `splice(target, source, other, start, removed)`: the source without `removed` characters from `start` on, and the
 * other text in their place. Both numbers are within the source, and the target overlaps no other text: `apart` ensures
 * that. Returns whether there was room for all.
 */
const splice = texts(
  3,
  2,
  ({ text, numbers: [start = zero, removed = zero], take, result }) => {
    const [target, source, other] = [text(0), text(1), text(2)]
    const [room, first, second, third] = [take(DInt), take(DInt), take(DInt), take(DInt)]
    const read = (register: number) => local(DInt, register)
    const both = plus(read(first), read(second))
    const rest = plus(start, removed)
    return [
      setLocal(room, roomOf(target)),
      setLocal(first, start),
      cut(first, read(room)),
      setLocal(second, lengthOf(other)),
      cut(second, minus(read(room), read(first))),
      setLocal(third, minus(lengthOf(source), rest)),
      cut(third, minus(read(room), both)),
      moveCharacters(target, characterAt(target, zero), source, characterAt(source, zero), read(first)),
      moveCharacters(target, characterAt(target, read(first)), other, characterAt(other, zero), read(second)),
      moveCharacters(target, characterAt(target, both), source, characterAt(source, rest), read(third)),
      setLength(target, plus(both, read(third))),
      setLocal(result, { kind: 'eno' }),
    ]
  },
  Bool,
)

/** Bytes of the used part of a text. */
function sizeOf(text: TextAt): Expression {
  return plus(constant(DInt, BigInt(headSize(text))), bytesOf(text, lengthOf(text)))
}

/** Bytes that a text may take. */
function fullSize({ isWide }: TextKind): number {
  return isWide ? 32_768 : 256
}

/** Splices copies of both texts, for a target that may overlap them. */
const apart: TextFunction = {
  ...texts(
    3,
    2,
    ({ text, numbers, flags, result }) => {
      const [target, source, other] = [text(0), text(1), text(2)]
      const copyAt = (offset: number) =>
        address({ base: { kind: 'frame' }, offset, indices: [], isStandard: false } satisfies Place)
      const copies = [copyAt(0), copyAt(fullSize(source))] as const
      return [
        call('text.move', [], copies[0], source.address, sizeOf(source)),
        call('text.move', [], copies[1], other.address, sizeOf(other)),
        call(`string.splice:${flags}`, [result], target.address, ...copies, ...numbers),
      ]
    },
    Bool,
  ),
  frameSize: ([, source, other]) => fullSize(source as TextKind) + fullSize(other as TextKind),
}

/** Whether writing a text may change another one. */
function overlap(target: TextAt, source: TextAt): Expression {
  const room = plus(constant(DInt, BigInt(headSize(target))), bytesOf(target, roomOf(target)))
  return and(
    isLess(source.address, plus(target.address, room)),
    isLess(target.address, plus(source.address, sizeOf(source))),
  )
}

/** Splices, with copies where necessary. `bits` give the layout of `other`. */
function spliceWith(
  parts: TextPlaces,
  other: TextAt,
  bits: number,
  start: Expression,
  removed: Expression,
): Statement[] {
  const [target, source] = [parts.text(0), parts.text(1)]
  const flags = (parts.flags & 0b1111) | (bits << 4)
  const values = [target.address, source.address, other.address, start, removed]
  const isRight = parts.take(Bool)
  return [
    when(
      either(overlap(target, source), overlap(target, other)),
      [call(`string.apart:${flags}`, [isRight], ...values)],
      [call(`string.splice:${flags}`, [isRight], ...values)],
    ),
    { kind: 'setEno', value: and({ kind: 'eno' }, local(Bool, isRight)) },
  ]
}

/** Limits `removed` to the characters up to the end; when there are fewer, the instruction fails. */
function limit(removed: Expression, rest: number, register: number): Statement[] {
  const left = local(DInt, rest)
  return [setLocal(register, smaller(removed, left)), when(isLess(left, removed), [fail])]
}

/**
 * DELETE, INSERT and REPLACE: with a position after the last character, all but DELETE append the other text, and fail.
 */
function splicing(name: 'delete' | 'insert' | 'replace'): TextFunction {
  const hasOther = name !== 'delete'
  return texts(hasOther ? 3 : 2, name === 'insert' ? 1 : 2, (parts) => {
    const { numbers, text, take, flags } = parts
    const [source, position] = [text(1), numbers.at(-1) ?? zero]
    const wanted = name === 'insert' ? zero : (numbers[0] ?? zero)
    const other: TextAt = hasOther ? text(2) : { ...source, isStandard: false, address: address(nothing) }
    const bits = hasOther ? (flags >> 4) & 0b11 : source.isWide ? 0b10 : 0
    const [length, start, rest, removed] = [take(DInt), take(DInt), take(DInt), take(DInt)]
    const isWrong = isLess(position, name === 'insert' ? zero : one)
    return [
      when(name === 'insert' ? isWrong : either(isLess(wanted, zero), isWrong), giveNothing(parts)),
      setLocal(length, lengthOf(source)),
      when(
        isLess(local(DInt, length), position),
        [fail, setLocal(start, local(DInt, length)), setLocal(removed, zero)],
        [
          setLocal(start, name === 'insert' ? position : minus(position, one)),
          setLocal(rest, minus(local(DInt, length), local(DInt, start))),
          ...limit(wanted, rest, removed),
        ],
      ),
      ...spliceWith(parts, other, bits, local(DInt, start), local(DInt, removed)),
    ]
  })
}

/** An empty text, narrow or wide. */
const nothing: Place = {
  base: { kind: 'constant', bytes: new Uint8Array(4) },
  offset: 0,
  indices: [],
  isStandard: false,
}

/** Makes a text empty and sets its maximum length. */
const clear = texts(1, 1, ({ text, numbers: [room = zero] }) => [setRoom(text(0), room), setLength(text(0), zero)])

const fromCharacter = texts(1, 1, ({ text, numbers: [code = zero], take }) => {
  const [target, count] = [text(0), take(DInt)]
  return [
    setLocal(count, one),
    cut(count, roomOf(target)),
    when(isLess(zero, local(DInt, count)), [
      store(unitOf(target), unitAt(target, target.address, headSize(target)), code),
    ]),
    setLength(target, local(DInt, count)),
  ]
})

const toCharacter = texts(
  1,
  0,
  ({ text, result }) => {
    const source = text(0)
    return [
      when(
        isLess(zero, lengthOf(source)),
        [setLocal(result, load(unitOf(source), unitAt(source, source.address, headSize(source))))],
        [setLocal(result, zero), fail],
      ),
    ]
  },
  DInt,
)

const length = texts(1, 0, ({ text, result }) => [setLocal(result, lengthOf(text(0)))], DInt)
const maximum = texts(1, 0, ({ text, result }) => [setLocal(result, roomOf(text(0)))], DInt)

/** Functions by the name of the routine. */
const functions: Readonly<Record<string, TextFunction>> = {
  'string.assign': assign,
  'string.append': append,
  'string.left': side(true),
  'string.right': side(false),
  'string.mid': middle,
  'string.delete': splicing('delete'),
  'string.insert': splicing('insert'),
  'string.replace': splicing('replace'),
  'string.clear': clear,
  'string.fromCharacter': fromCharacter,
  'string.toCharacter': toCharacter,
  'string.length': length,
  'string.maximum': maximum,
  'string.find': find,
  'string.compare': compare,
  'string.splice': splice,
  'string.apart': apart,
  'text.move': move,
  'text.convert': convertCharacters,
}

/** Names of functions can have any case. */
const byLowerCase = new Map(Object.entries(functions).map(([name, own]) => [name.toLowerCase(), own]))

/**
 * Returns the name of the function that implements a routine for texts with this layout; `undefined`: the runtime has
 * the routine.
 */
export function textBlockName(routine: string, flags: bigint | number): string | undefined {
  return Object.hasOwn(functions, routine) ? `$${routine}:${flags}` : undefined
}

/** Returns the text function of this name, case ignored; `undefined` for any other name. */
export function textBlock(name: string): BlockCode | undefined {
  const [, routine = '', digits = '0'] = /^\$([^:]*)(?::(\d+))?$/.exec(name.toLowerCase()) ?? []
  const own = byLowerCase.get(routine)
  if (!own) return undefined
  const flags = Number(digits)
  const { parameters, result } = own
  const locals: (ScalarType | 'address')[] = [...parameters, ...(result ? [result] : [])]
  const addresses = parameters.filter((type) => type === 'address').length
  const kinds = textKinds(flags, addresses)
  let labels = 0
  const body = own.body({
    flags,
    text: (index) => ({ ...(kinds[index] as TextKind), address: local('address', index) }),
    numbers: parameters.slice(addresses).map((type, i) => local(type, addresses + i)),
    result: parameters.length,
    take: (type) => locals.push(type) - 1,
    label: () => labels++,
  })
  return {
    name,
    kind: 'FC',
    locals,
    signature: {
      parameters: parameters.map((type, i) => ({ name: `p${i}`, type })),
      results: result ? [{ name: 'result', type: result }] : [],
    },
    frameSize: own.frameSize?.(kinds) ?? 0,
    body,
    isRoutine: true,
    sites: [],
  }
}
