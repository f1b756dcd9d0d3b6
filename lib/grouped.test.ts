import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Grouped, grouped, jsonBytes } from './grouped.ts'

const pool = Array.from({ length: 12 }, (_, i) => ({ i, text: `"${'ä'.repeat(i)},]` }))

test('groups are the elements in their order, whatever was encoded before', () => {
  const lists = fc.array(fc.array(fc.constantFrom(...pool), { maxLength: 12 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 5 }), (steps, size) => {
      let before: Grouped<(typeof pool)[number]> | undefined
      for (const step of steps) {
        before = grouped(step, size, jsonBytes, before)
        const read = before.groups.map((group) => JSON.parse(Buffer.from(group).toString('utf8')))
        assert.deepEqual(read.flat(), step)
        assert.equal(read.length, Math.ceil(step.length / size))
      }
    }),
  )
})

test('only the group with a changed element is encoded again', () => {
  let encoded = 0
  const encode = (group: readonly object[]) => {
    encoded++
    return jsonBytes(group)
  }
  const list = Array.from({ length: 1000 }, (_, i) => ({ i }))
  const first = grouped(list, 100, encode)
  assert.equal(encoded, 10)
  const second = grouped(list.with(345, { i: -1 }), 100, encode, first)
  assert.equal(encoded, 11)
  assert.deepEqual(
    second.groups.map((group, i) => group === first.groups[i]),
    first.groups.map((_, i) => i !== 3),
  )
})
