import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertJson, makeRecord, plainCodec } from './record-codec.ts'

test('the plain codec reads what it wrote, and refuses anything else', () => {
  const records = [
    makeRecord({ type: 'a', jobId: 'j', actor: 'x', data: { n: 1 } }, 7, 1000),
    makeRecord({ type: 'a', jobId: 'j', actor: 'x', entity: 'ü"\\', data: null }, 8, 1000),
    makeRecord({ type: 'b', data: undefined }, 9, 1001),
  ]
  const text = plainCodec.encode(records)
  assert.equal(text, '[[1000,"a","j","x",0,0,{"n":1}],[0,0,0,0,0,"ü\\"\\\\",null],[1001,"b",null,null,0,null]]')
  assert.deepEqual(plainCodec.decode(text, 7), records)
  for (const other of ['', '{}', '[1]', '[null]', '[{}]', '[[1000,1,0,0,0,0]]', '[[1000,null,0,0,0,0]]'])
    assert.throws(() => plainCodec.decode(other, 7), other)
})

test('what JSON.stringify throws at is refused, and nothing else', () => {
  const circular: Record<string, unknown> = {}
  circular.list = [circular]
  let deep: unknown = 1
  for (let i = 0; i < 2000; i++) deep = [deep]
  const throwing = {
    toJSON() {
      throw new Error('never')
    },
  }
  for (const bad of [1n, [1n], { a: { b: 1n } }, circular, deep, throwing, [throwing]])
    assert.throws(() => assertJson(bad), typeof bad)
  for (const good of [undefined, null, 0, '', [], [undefined], { a: () => 1 }, new Date(0), { a: [{ b: [null] }] }])
    assert.doesNotThrow(() => assertJson(good))
})

test('values may be nested a thousand deep, in lists and in objects', () => {
  const nested = (depth: number, around: (inner: unknown) => unknown): unknown => {
    let value: unknown = 1
    for (let i = 0; i < depth; i++) value = around(value)
    return value
  }
  for (const around of [
    (inner: unknown) => [inner],
    (inner: unknown) => ({ inner }),
    (inner: unknown) => [{ inner }],
  ]) {
    const levels = JSON.stringify(around(1)).length > 12 ? 2 : 1
    assert.doesNotThrow(() => assertJson(nested(Math.floor(1001 / levels), around)))
    assert.throws(() => assertJson(nested(1002 / levels, around)), /nested deeper than 1000/)
  }
})
