/**
 * Values in memory and on the wire, beside an encoder of standard layout that is written here from its rules
 * (docs/plc-semantics.md#layout-of-standard-access): bits packed, everything of 16 bits and more on even bytes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, randomFrom } from '../../test/random.ts'
import { extentOf } from '../program/layout.ts'
import { scalarNamed } from '../program/scalars.ts'
import type { ScalarType, StructType, Type } from '../program/type.ts'
import { array, structure, text } from '../testing/runtime.ts'
import { type Cell, copyCell, partsOf, readBits, writeBits } from './cells.ts'
import { fromWire, toWire, wireSize } from './wire-bytes.ts'

/** A scalar's pattern, a text, eight bytes of a DATE_AND_TIME, or the values of members and elements. */
type Value = bigint | string | Uint8Array | readonly Value[]

const scalars = 'Bool Byte SInt Char Int Word DInt Real Time LInt LReal LDT WChar'.split(' ')
const numberBelow = (random: Random, count: number) => Math.floor(random() * count)

function someType(random: Random, depth: number): Type {
  const kind = depth === 0 ? 0 : numberBelow(random, 6)
  if (kind === 1) return text(numberBelow(random, 6), random() < 0.5)
  if (kind === 2) return { kind: 'dateAndTime' }
  if (kind === 3) return array(-1, numberBelow(random, 12) - 1, someType(random, depth - 1))
  if (kind === 4) {
    const members = Array.from({ length: 1 + numberBelow(random, 5) }, (_, i) => [`m${i}`, someType(random, depth - 1)])
    return structure(Object.fromEntries(members))
  }
  return scalarNamed(scalars[numberBelow(random, scalars.length)] as string) as ScalarType
}

function someValue(random: Random, type: Type): Value {
  if (type.kind === 'scalar') {
    let bits = 0n
    for (let i = 0; i < 4; i++) bits = (bits << 16n) | BigInt(numberBelow(random, 0x10000))
    return BigInt.asUintN(type.bits, bits)
  }
  if (type.kind === 'string')
    return Array.from({ length: numberBelow(random, type.length + 1) }, () =>
      String.fromCharCode(1 + numberBelow(random, type.isWide ? 0xffff : 0xff)),
    ).join('')
  if (type.kind === 'array') {
    const { low = 0, high = 0 } = type.dimensions[0] ?? {}
    return Array.from({ length: high - low + 1 }, () => someValue(random, type.element))
  }
  if (type.kind === 'struct') return type.members.map((member) => someValue(random, member.type))
  return Uint8Array.from({ length: 8 }, () => numberBelow(random, 256))
}

/** Writes values one after the other in standard layout. */
class Encoder {
  readonly bytes: number[] = []
  #bit = 0

  get isWithinByte() {
    return this.#bit > 0
  }

  #align() {
    this.#bit = 0
    if (this.bytes.length % 2 === 1) this.bytes.push(0)
  }

  #number(value: bigint, size: number) {
    for (let i = size - 1; i >= 0; i--) this.bytes.push(Number((value >> BigInt(8 * i)) & 255n))
  }

  add(type: Type, value: Value): void {
    if (type.kind === 'scalar' && type.bits === 1) {
      if (this.#bit === 0) this.bytes.push(0)
      this.bytes[this.bytes.length - 1] = (this.bytes.at(-1) as number) | (Number(value) << this.#bit)
      this.#bit = (this.#bit + 1) % 8
      return
    }
    if (type.kind === 'scalar' && type.bits === 8) {
      this.#bit = 0
      this.#number(value as bigint, 1)
      return
    }
    this.#align()
    if (type.kind === 'scalar') this.#number(value as bigint, type.bits / 8)
    else if (type.kind === 'string') {
      const size = type.isWide ? 2 : 1
      this.#number(BigInt(type.length), size)
      this.#number(BigInt((value as string).length), size)
      for (let i = 0; i < type.length; i++) this.#number(BigInt((value as string).charCodeAt(i) || 0), size)
    } else if (type.kind === 'dateAndTime') this.bytes.push(...(value as Uint8Array))
    else {
      const types = type.kind === 'array' ? undefined : (type as StructType).members.map((member) => member.type)
      for (const [i, one] of (value as Value[]).entries())
        this.add(types?.[i] ?? (type as { element: Type }).element, one)
      this.#align()
    }
  }
}

/** Puts a value into memory part by part. */
function put(view: DataView, cell: Cell, value: Value): void {
  const { type, address, isStandard } = cell
  if (type.kind === 'scalar') writeBits(view, type, cell, value as bigint)
  else if (type.kind === 'dateAndTime')
    for (let i = 0; i < 8; i++) view.setUint8(address + i, (value as Uint8Array)[i] ?? 0)
  else if (type.kind === 'string') {
    const write = (at: number, number: number) =>
      type.isWide ? view.setUint16(address + 2 * at, number, !isStandard) : view.setUint8(address + at, number)
    const characters = value as string
    write(0, type.length)
    write(1, characters.length)
    for (let i = 0; i < type.length; i++) write(2 + i, characters.charCodeAt(i) || 0)
  } else for (const [i, part] of partsOf(cell).entries()) put(view, part, (value as Value[])[i] as Value)
}

/** The value of a cell as `put` puts it. */
function valueAt(view: DataView, cell: Cell): Value {
  const { type, address, isStandard } = cell
  if (type.kind === 'scalar') return readBits(view, type, cell)
  if (type.kind === 'dateAndTime') return new Uint8Array(view.buffer.slice(address, address + 8))
  if (type.kind !== 'string') return partsOf(cell).map((part) => valueAt(view, part))
  const read = (at: number) =>
    type.isWide ? view.getUint16(address + 2 * at, !isStandard) : view.getUint8(address + at)
  return String.fromCharCode(...Array.from({ length: read(1) }, (_, i) => read(2 + i)))
}

/** Memory that is not empty, so that what is not written is seen. */
function memory() {
  const bytes = new Uint8Array(8192).fill(0xa5)
  return { bytes, view: new DataView(bytes.buffer) }
}

const at = 64

test('values have the bytes of standard layout there and on the wire, and come back from both', () => {
  const random = randomFrom(3)
  for (let round = 0; round < 400; round++) {
    const type = someType(random, 3)
    const value = someValue(random, type)
    const encoder = new Encoder()
    encoder.add(type, value)
    const isBit = type.kind === 'scalar' && type.bits === 1
    const told = JSON.stringify([type, value], (_key, one) => (typeof one === 'bigint' ? String(one) : one))

    const standard: Cell = { type, address: at, isStandard: true, ...(isBit ? { bit: 3 } : {}) }
    const [from, optimized, back] = [memory(), memory(), memory()]
    if (isBit) writeBits(from.view, type, standard, value as bigint)
    else from.bytes.set(encoder.bytes, at)
    assert.deepEqual(valueAt(from.view, standard), value, told)

    // From one layout to the other, and back.
    const other: Cell = { type, address: at, isStandard: false }
    put(optimized.view, other, value)
    assert.deepEqual(valueAt(optimized.view, other), value, told)
    const copied = memory()
    if (hasTexts(type)) put(copied.view, other, emptyOf(type))
    const whole = new Uint8Array(copied.bytes)
    // Memory of one program: both are in it.
    copied.bytes.set(from.bytes.subarray(at, at + 2048), 4096)
    copyCell(copied.view, { ...standard, address: 4096 }, other)
    assert.deepEqual(valueAt(copied.view, other), value, told)
    const { size } = extentOf(type, 'optimized')
    assert.deepEqual(copied.bytes.subarray(0, at), whole.subarray(0, at), told)
    assert.deepEqual(copied.bytes.subarray(at + size, 4096), whole.subarray(at + size, 4096), told)

    // On the wire arrays end with their last element.
    const sent = encoder.bytes.slice(0, wireSize(other))
    const isArray = type.kind === 'array'
    assert.equal(wireSize(standard), wireSize(other), told)
    assert.ok(isArray ? encoder.bytes.length - sent.length <= 1 : sent.length === encoder.bytes.length, told)
    if (isArray && encoder.bytes.length > sent.length) assert.equal(encoder.bytes.at(-1), 0, told)
    assert.deepEqual([...toWire(optimized, other)], sent, told)
    if (!isBit) assert.deepEqual([...toWire(from, standard)], sent, told)
    fromWire(back, other, Uint8Array.from(sent))
    assert.deepEqual(valueAt(back.view, other), value, told)
    const again = memory()
    fromWire(again, standard, Uint8Array.from(sent))
    assert.deepEqual(valueAt(again.view, standard), value, told)
  }
})

function hasTexts(type: Type): boolean {
  if (type.kind === 'array') return hasTexts(type.element)
  return type.kind === 'struct' ? type.members.some((member) => hasTexts(member.type)) : type.kind === 'string'
}

/** A value of zeros and empty texts. */
function emptyOf(type: Type): Value {
  if (type.kind === 'scalar') return 0n
  if (type.kind === 'string') return ''
  if (type.kind === 'dateAndTime') return new Uint8Array(8)
  if (type.kind === 'struct') return type.members.map((member) => emptyOf(member.type))
  return someValue(() => 0, type) as readonly Value[]
}

test('texts are cut to the length of their target, in each layout', () => {
  const { view } = memory()
  for (const isWide of [false, true])
    for (const [fromLength, toLength] of [
      [10, 4],
      [4, 10],
      [5, 5],
    ] as const)
      for (const length of [0, 1, 4, 5, fromLength].filter((one) => one <= fromLength))
        for (const [from, to] of [
          [true, true],
          [true, false],
          [false, true],
          [false, false],
        ] as const) {
          const [source, target]: [Cell, Cell] = [
            { type: text(fromLength, isWide), address: at, isStandard: from },
            { type: text(toLength, isWide), address: 256, isStandard: to },
          ]
          const value = 'äbcdefghij'.slice(0, length)
          put(view, source, value)
          put(view, target, 'x'.repeat(toLength))
          copyCell(view, source, target)
          assert.equal(valueAt(view, target), value.slice(0, toLength), `${value} to ${toLength}`)
          // Its greatest length stays, and so do the characters behind its end.
          const unit = isWide ? 2 : 1
          const read = (index: number) =>
            isWide ? view.getUint16(256 + unit * index, !to) : view.getUint8(256 + unit * index)
          assert.equal(read(0), toLength)
          for (let i = value.length; i < toLength; i++) assert.equal(read(2 + i), 'x'.charCodeAt(0))
        }
})

test('fewer bytes than a value has change its beginning only', () => {
  const type = array(0, 2, scalarNamed('Int') as ScalarType)
  for (const isStandard of [true, false]) {
    const { view, bytes } = memory()
    const cell: Cell = { type, address: at, isStandard }
    put(view, cell, [1n, 2n, 3n])
    fromWire({ view, bytes }, cell, Uint8Array.of(0x11, 0x22, 0x33))
    assert.deepEqual(valueAt(view, cell), [0x1122n, 0x3302n, 3n])
    fromWire({ view, bytes }, cell, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    assert.deepEqual(valueAt(view, cell), [0x0102n, 0x0304n, 0x0506n])
  }
})
