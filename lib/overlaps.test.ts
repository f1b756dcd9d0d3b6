import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overlaps } from './overlaps.ts'

test('each range that shares something with one before it is told, with one that it shares it with', () => {
  const range = fc.record({ from: fc.nat(30), length: fc.nat(12) }, { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (given) => {
      const ranges = given.map(({ from, length }, index) => ({ from, to: from + length, index }))
      const found = overlaps(ranges)
      const inOrder = [...ranges].sort((a, b) => a.from - b.from || a.index - b.index)
      const expected = inOrder.filter((one, i) => inOrder.slice(0, i).some(({ to }) => to >= one.from))
      assert.deepEqual(
        found.map(({ one }) => one),
        expected,
      )
      for (const { one, before } of found) {
        assert.ok(inOrder.indexOf(before) < inOrder.indexOf(one))
        assert.ok(before.from <= one.from && before.to >= one.from)
      }
    }),
  )
})

test('ranges that touch do not overlap; a short one between does not hide a long one before it', () => {
  const [long, short, inside, next] = [
    { from: 1, to: 9 },
    { from: 2, to: 3 },
    { from: 5, to: 5 },
    { from: 10, to: 12 },
  ]
  assert.deepEqual(overlaps([next, inside, short, long]), [
    { one: short, before: long },
    { one: inside, before: long },
  ])
})
