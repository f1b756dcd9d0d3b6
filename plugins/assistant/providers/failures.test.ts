/** How long a busy provider asks to wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APICallError } from 'ai'
import { busyOf, messageOf, providerProblem } from './failures.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

function answered(statusCode: number, responseHeaders: Record<string, string> = {}, responseBody = '') {
  return new APICallError({
    message: 'No',
    url: 'http://p',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody,
  })
}

test('the wait is what the server asks for, in any of its forms; else it grows', () => {
  const waitOf = (headers: Record<string, string>, body = '', attempt = 1) =>
    busyOf(answered(429, headers, body), attempt, now)?.waitMs
  assert.equal(waitOf({ 'retry-after': '7' }), 7000)
  assert.equal(waitOf({ 'retry-after': '0' }), 0)
  assert.equal(waitOf({ 'retry-after-ms': '250', 'retry-after': '7' }), 250)
  assert.equal(waitOf({ 'retry-after': 'Sat, 31 Jan 2026 12:00:30 GMT' }), 30_000)
  assert.equal(waitOf({ 'retry-after': 'Sat, 31 Jan 2026 11:00:00 GMT' }), 0)
  assert.equal(waitOf({}, '{"error":{"details":[{"retryDelay": "3.5s"}]}}'), 3500)
  assert.deepEqual([waitOf({}), waitOf({}, '', 2), waitOf({ 'retry-after': 'soon' }, '', 3)], [1000, 2000, 4000])
})

test('429, 503, 529 and an overload inside of a stream are busy, nothing else is', () => {
  for (const status of [429, 503, 529]) assert.equal(busyOf(answered(status), 1, now)?.status, status)
  for (const status of [400, 401, 404, 500, 502]) assert.equal(busyOf(answered(status), 1, now), undefined)
  assert.equal(busyOf({ type: 'overloaded_error', message: 'Overloaded' }, 1, now)?.status, 529)
  assert.equal(busyOf(new TypeError('terminated'), 1, now), undefined)
})

const told404 = providerProblem('p', answered(404), undefined)

test('a problem names the provider, its status and the reason behind a failed connection, not its key', () => {
  const failed = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') })
  assert.equal(messageOf(failed), 'fetch failed (connect ECONNREFUSED 127.0.0.1:1)')
  const said: [error: unknown, message: string][] = [
    ['plain', 'plain'],
    [{ message: 'own', error: { message: 'inner' } }, 'own'],
    [{ error: { message: 'inner' } }, 'inner'],
    [{ error: 'text' }, '{"error":"text"}'],
    [null, 'null'],
    [undefined, 'undefined'],
    [new Error('alone', { cause: new Error('') }), 'alone'],
    [new Error('alone', { cause: 'no error' }), 'alone'],
  ]
  for (const [error, message] of said) assert.equal(messageOf(error), message)
  const long = providerProblem('p', new Error('x'.repeat(501)), undefined)
  assert.equal(long.message, `Provider "p" failed: ${'x'.repeat(500)}`)
  assert.deepEqual(long.details.extra, { provider: 'p' })
  assert.equal(providerProblem('q', told404, undefined), told404, 'a problem stays as it is')
  const told = providerProblem('p', new Error('wrong key k-1234'), 'k-1234')
  assert.equal(told.message, 'Provider "p" failed: wrong key (key)')
  assert.deepEqual(providerProblem('p', answered(404), undefined).details.extra, { provider: 'p', providerStatus: 404 })
})
