import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../operation.ts'
import { resultOutcome } from './results.ts'

test('a text comes with what it leaves out', () => {
  const operation = { kind: 'query', produces: 'application/xml' } as Operation
  const whole = () => 'gantry://results/1'
  assert.equal(resultOutcome(operation, '<a/>', whole).text, '<a/>')
  assert.equal(
    resultOutcome(operation, '<a/>', whole, ['b is left out', 'c too']).text,
    '<a/>\n[warning: b is left out]\n[warning: c too]',
  )
})
