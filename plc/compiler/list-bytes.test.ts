import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listBytes } from './list-bytes.ts'

const pool = Array.from({ length: 12 }, (_, i) => ({ i, text: `"${'ä'.repeat(i)},]` }))

test('a list is written as JSON.stringify writes it, whatever was written before', () => {
  const lists = fc.array(fc.array(fc.constantFrom(...pool), { maxLength: 12 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(lists, (steps) => {
      let before: (typeof pool)[number][] | undefined
      for (const step of steps) {
        assert.equal(Buffer.from(listBytes(step, before)).toString('utf8'), JSON.stringify(step))
        before = step
      }
    }),
  )
})
