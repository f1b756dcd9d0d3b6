/** Bits and registers of the variables that a Modbus block may be given. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bool, Byte, Int, Word } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { array, structure } from '../../testing/runtime.ts'
import { wireSize } from '../wire-bytes.ts'
import { dataOf, imageOf, packBits, unpackBits } from './modbus-data.ts'

/** A variable at byte 8 of a memory of 24 bytes that are all 0xAA. */
function variable(type: Type, isStandard: boolean) {
  const bytes = new Uint8Array(24).fill(0xaa)
  const memory = { bytes, view: new DataView(bytes.buffer) }
  const own = (size: number) => {
    assert.ok(
      [...bytes.subarray(0, 8), ...bytes.subarray(8 + size)].every((byte) => byte === 0xaa),
      'its neighbours are as they were',
    )
    return Buffer.from(bytes.subarray(8, 8 + size)).toString('hex')
  }
  return { data: dataOf(memory, { type, address: 8, isStandard }), own, bytes }
}

const bits = (text: string) => [...text].map((one) => one === '1')

test('registers of an array, of a structure and of a single word: high byte first in both layouts', () => {
  const words = array(1, 3, Word)
  const pair = structure({ speed: Int, low: Byte, high: Byte, last: Word })
  for (const [type, size, standard, optimized] of [
    [words, 6, 'aaaa11223344', 'aaaa22114433'],
    [pair, 6, 'aaaa11223344', 'aaaa11224433'],
  ] as const) {
    for (const isStandard of [true, false]) {
      const { data, own } = variable(type, isStandard)
      assert.deepEqual([data.registers, data.bits], [3, 48])
      data.writeRegisters(1, Uint8Array.of(0x11, 0x22, 0x33, 0x44))
      assert.equal(own(size), isStandard ? standard : optimized)
      assert.deepEqual([...data.readRegisters(1, 2)], [0x11, 0x22, 0x33, 0x44])
      assert.deepEqual([...data.readRegisters(0, 2)], [0xaa, 0xaa, 0x11, 0x22])
    }
  }
  const { data, own } = variable(Word, false)
  assert.deepEqual([data.registers, data.bits], [1, 16])
  data.writeRegisters(0, Uint8Array.of(0x12, 0x34))
  assert.equal(own(2), '3412')
  assert.deepEqual([...data.readRegisters(0, 1)], [0x12, 0x34])
})

test('a single byte is no register', () => {
  const { data } = variable(Byte, false)
  assert.deepEqual([data.registers, data.bits], [0, 8])
})

test('bits of other data are those of its bytes, from the lowest on', () => {
  const { data, own } = variable(Word, false)
  assert.deepEqual(data.readBits(0, 3), bits('010'))
  data.writeBits(7, bits('011'))
  // On the wire 2A AB becomes 2A AB: bit 7 is cleared, bits 8 and 9 are set.
  assert.equal(own(2), 'ab2a')
  assert.deepEqual(data.readBits(6, 5), bits('00110'))
})

test('bits of an array of Bool are its elements, which is no place for registers', () => {
  for (const isStandard of [true, false]) {
    const { data, own } = variable(array(3, 12, Bool), isStandard)
    assert.deepEqual([data.bits, data.registers], [10, 0])
    data.writeBits(0, bits('0000000000'))
    data.writeBits(7, bits('101'))
    assert.equal(own(isStandard ? 2 : 10), isStandard ? '80aa' : '00000000000000010001')
    assert.deepEqual(data.readBits(6, 4), bits('0101'))
  }
  const { data } = variable(
    {
      kind: 'array',
      dimensions: [
        { low: 0, high: 1 },
        { low: 5, high: 7 },
      ],
      element: Bool,
    },
    true,
  )
  assert.equal(data.bits, 6)
})

test('a single Bool is one bit', () => {
  const { data, own } = variable(Bool, false)
  assert.deepEqual([data.bits, data.registers], [1, 0])
  data.writeBits(0, [true])
  assert.deepEqual([own(1), data.readBits(0, 1), data.readBits(1, 1)], ['01', [true], []])
  data.writeBits(0, [false])
  assert.deepEqual([own(1), data.readBits(0, 1)], ['00', [false]])
})

test('a process image: its bytes from an address on', () => {
  const { bytes, own } = variable(Word, true)
  const data = imageOf({ bytes, view: new DataView(bytes.buffer) }, { address: 8, size: 5 })
  assert.deepEqual([data.bits, data.registers], [40, 2])
  data.writeRegisters(1, Uint8Array.of(1, 2))
  data.writeBits(1, bits('01'))
  assert.equal(own(5), 'acaa0102aa')
  assert.deepEqual([...data.readRegisters(0, 2)], [0xac, 0xaa, 1, 2])
  assert.deepEqual(data.readBits(15, 3), bits('110'))
})

test('packed bits end with zeros', () => {
  assert.deepEqual([...packBits(bits('1010000011'))], [0x05, 0x03])
  assert.deepEqual([...packBits(bits('10000001'))], [0x81])
  assert.deepEqual(unpackBits(Uint8Array.of(0x05, 0x03), 10), bits('1010000011'))
})

test('on the wire an array ends with its last element', () => {
  for (const [type, size] of [
    [array(0, 2, Byte), 3],
    [array(0, 3, Byte), 4],
    [array(1, 3, Word), 6],
    [array(0, 7, Bool), 1],
    [array(0, 8, Bool), 2],
    [array(0, 2, structure({ a: Byte })), 6],
    [structure({ a: array(0, 2, Byte), b: Byte }), 6],
    [Byte, 1],
  ] as const)
    for (const isStandard of [true, false]) assert.equal(wireSize({ type, address: 8, isStandard }), size)
})
