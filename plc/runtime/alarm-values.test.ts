/** Associated values of alarms: every type that alarms show, in both layouts, with its bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scalarNamed } from '../program/scalars.ts'
import type { Type } from '../program/type.ts'
import { alarmValue } from './alarm-values.ts'
import type { RuntimeContext } from './context.ts'

const scalar = (name: string): Type => scalarNamed(name) ?? assert.fail(name)
const array = (element: Type, high: number): Type =>
  ({ kind: 'array', element, dimensions: [{ low: 1, high }] }) as Type
const text = (length: number, isWide: boolean): Type => ({ kind: 'string', length, isWide }) as Type

/** Reads a value of these bytes, which lie behind others. */
function shown(type: Type, isStandard: boolean, ...bytes: number[]) {
  const memory = new Uint8Array([0xee, 0xdd, ...bytes, 0xaa, 0xbb])
  const context = { view: new DataView(memory.buffer), bytes: memory } as unknown as RuntimeContext
  return alarmValue(context, { type, address: 2, isStandard })
}

test('numbers, with and without a sign', () => {
  assert.deepEqual(shown(scalar('Bool'), false, 1), { type: 'Bool', value: true, bytes: 1 })
  assert.deepEqual(shown(scalar('Bool'), false, 0), { type: 'Bool', value: false, bytes: 1 })
  assert.deepEqual(shown(scalar('Byte'), true, 0xfe), { type: 'Byte', value: 254, bytes: 1 })
  assert.deepEqual(shown(scalar('SInt'), true, 0xfe), { type: 'SInt', value: -2, bytes: 1 })
  assert.deepEqual(shown(scalar('Int'), true, 0xff, 0x85), { type: 'Int', value: -123, bytes: 2 })
  assert.deepEqual(shown(scalar('Int'), false, 0x85, 0xff), { type: 'Int', value: -123, bytes: 2 })
  assert.deepEqual(shown(scalar('Word'), true, 0xff, 0x85), { type: 'Word', value: 0xff85, bytes: 2 })
  assert.deepEqual(shown(scalar('DInt'), true, 0x80, 0, 0, 1), { type: 'DInt', value: -2147483647, bytes: 4 })
  assert.deepEqual(shown(scalar('UDInt'), false, 1, 0, 0, 0x80), { type: 'UDInt', value: 2147483649, bytes: 4 })
  // A number of 64 bits is a text: not each of them is a number of JavaScript.
  const least = [0x80, 0, 0, 0, 0, 0, 0, 0]
  assert.deepEqual(shown(scalar('LInt'), true, ...least), { type: 'LInt', value: '-9223372036854775808', bytes: 8 })
  assert.deepEqual(shown(scalar('ULInt'), true, ...least), { type: 'ULInt', value: '9223372036854775808', bytes: 8 })
  assert.deepEqual(shown(scalar('Real'), true, 0xc0, 0x49, 0, 0), { type: 'Real', value: -3.140625, bytes: 4 })
  const half = [0x3f, 0xe0, 0, 0, 0, 0, 0, 0]
  assert.deepEqual(shown(scalar('LReal'), true, ...half), { type: 'LReal', value: 0.5, bytes: 8 })
  assert.deepEqual(shown(scalar('LReal'), false, ...half.reverse()), { type: 'LReal', value: 0.5, bytes: 8 })
})

test('characters and texts', () => {
  assert.deepEqual(shown(scalar('Char'), true, 0x41), { type: 'Char', value: 'A', bytes: 1 })
  assert.deepEqual(shown(scalar('WChar'), true, 0x20, 0xac), { type: 'WChar', value: '€', bytes: 2 })
  assert.deepEqual(shown(text(4, false), true, 4, 2, 0x4f, 0x6b, 0x21, 0x21), { type: 'String', value: 'Ok', bytes: 4 })
  const wide = [0, 3, 0, 2, 0x20, 0xac, 0, 0x35, 0, 0x36]
  assert.deepEqual(shown(text(3, true), true, ...wide), { type: 'WString', value: '€5', bytes: 8 })
  assert.deepEqual(shown(array(scalar('Char'), 3), true, 0x61, 0x62, 0x63), { type: 'String', value: 'abc', bytes: 3 })
  const wides = [0, 0x61, 0x20, 0xac]
  assert.deepEqual(shown(array(scalar('WChar'), 2), true, ...wides), { type: 'String', value: 'a€', bytes: 4 })
})

test('structures and other arrays are not shown', () => {
  assert.equal(shown(array(scalar('Int'), 2), true, 0, 1, 0, 2), undefined)
  assert.equal(shown({ kind: 'struct', members: [] } as unknown as Type, true, 0), undefined)
})
