import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, isGatewayError } from '../../core/index.ts'
import { indexOfMatch, policyFaults, requireNoFaults } from './passwords.ts'

const policy = { minimumLength: 8, characterClasses: 3, history: 3 }

test('a password has its length and classes of characters; what is missing is told, not the password', () => {
  const of = (password: string, change: Partial<typeof policy> = {}) =>
    policyFaults(password, { ...policy, ...change }, '/p').map(
      ({ path, code, message }) => `${path} ${code} ${message}`,
    )
  const classes = 'upper case letters, lower case letters, digits, other characters'
  for (const right of ['Abcdefg1', 'abcdefg1!', 'ÄÖÜäöü12', 'ABC def 1', '٣٤aA£$%&'])
    assert.deepEqual(of(right), [], right)
  assert.deepEqual(of('Abc1'), ['/p password-policy has 4 characters; at least 8 are needed'])
  assert.deepEqual(of('', { characterClasses: 1 }), [
    '/p password-policy has 0 characters; at least 8 are needed',
    `/p password-policy has characters of 0 classes (none); 1 of ${classes} is needed`,
  ])
  assert.deepEqual(of('x', { characterClasses: 1 }), ['/p password-policy has 1 character; at least 8 are needed'])
  assert.deepEqual(of('abcdefg1'), [
    `/p password-policy has characters of 2 classes (lower case letters, digits); 3 of ${classes} are needed`,
  ])
  assert.deepEqual(of('😀😀', { minimumLength: 2, characterClasses: 1 }), [], 'characters, not their units')
  assert.deepEqual(of('😀😀', { minimumLength: 3, characterClasses: 1 }).length, 1)
})

test('the first hash that fits; the first fault refuses', async () => {
  const hashes = await Promise.all(['a', 'b', 'b'].map(hashSecret))
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((text) => indexOfMatch(text, hashes))), [0, 1, -1])
  requireNoFaults([])
  const faults = policyFaults('x', policy, '/password')
  assert.throws(
    () => requireNoFaults(faults),
    (error) => {
      assert.ok(isGatewayError(error))
      assert.equal(error.code, 'unacceptable_content')
      assert.match(error.message, /^\/password: the password has 1 character; at least 8 are needed\.$/)
      assert.equal(error.details.errors?.length, faults.length)
      return true
    },
  )
})
