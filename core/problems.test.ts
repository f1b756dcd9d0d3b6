import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from './problems.ts'

test('what a client sent appears in an error only as far as it helps', () => {
  const huge = 'ü'.repeat(400_000)
  const error = problem('invalid_input', `/name: "${huge}" is too long.`, {
    errors: [
      { path: '/name', message: `"${huge}" is too long`, value: huge },
      { path: '/rows', message: 'must be a list', value: { huge } },
      { path: '/rows/0', message: 'must be text', value: [huge] },
      { path: '/limit', message: 'must be >= 1', value: 0 },
    ],
  })
  assert.match(error.message, /^\/name: "ü+ … ü+" is too long\.$/)
  assert(error.message.length < 2100)
  const { errors = [] } = error.details
  assert(JSON.stringify(errors).length < 4000)
  assert.deepEqual(
    errors.map(({ value }) => (typeof value === 'string' ? value.slice(0, 8) : value)),
    ['üüüüüüüü', '[object]', '[array]', 0],
  )
})

test('an error of usual length is told as it was written', () => {
  const errors = [{ path: '/x', message: 'is missing', value: { a: 1 } }]
  const error = problem('invalid_input', '/x: is missing', { errors })
  assert.equal(error.message, '/x: is missing')
  assert.deepEqual(error.details.errors, errors)
})
