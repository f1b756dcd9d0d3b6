import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortStructure } from './short-structure.ts'

const sizeOf = (value: unknown) => JSON.stringify(value).length

test('what is short enough stays the very value', () => {
  const value = { a: [1, 2, 3], b: 'text', c: null }
  assert.equal(shortStructure(value, 100), value)
})

test('small members stay whole, of long lists the first entries, of long texts the beginning', () => {
  const list = Array.from({ length: 5000 }, (_, i) => ({ name: `tag ${i}`, value: i }))
  const value = { total: 5000, list, text: 'x'.repeat(50_000), note: 'kept', nested: { list, ok: true } }
  const short = shortStructure(value, 10_000) as typeof value
  assert.ok(sizeOf(short) <= 10_200, `${sizeOf(short)}`)
  assert.deepEqual([short.total, short.note, short.nested.ok], [5000, 'kept', true])
  assert.deepEqual(short.list, list.slice(0, short.list.length))
  assert.deepEqual(short.nested.list, list.slice(0, short.nested.list.length))
  assert.ok(short.list.length > 20 && short.nested.list.length > 20 && short.text.length > 1000)
  assert.match(short.text, /^x+…$/)
})

test('a list of one long entry shows its beginning; what is nested deep is cut too', () => {
  const [only] = shortStructure([{ text: 'y'.repeat(9000), id: 7 }], 1000) as { text: string; id: number }[]
  assert.equal(only!.id, 7)
  assert.ok(only!.text.length <= 1000)
  let deep: unknown = 'z'.repeat(5000)
  for (let i = 0; i < 50; i++) deep = { deep }
  assert.ok(sizeOf(shortStructure(deep, 1000)) < 1500)
  assert.ok(sizeOf(shortStructure(Object.fromEntries(list(300)), 5000)) <= 300 * 90)
})

const list = (count: number) => Array.from({ length: count }, (_, i) => [`name ${i}`, 'v'.repeat(500)] as const)
