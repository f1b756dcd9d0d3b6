import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startServer } from '../../test/http-server.ts'

const json = { 'content-type': 'application/json' }

/** The parts of an answer that do not differ between requests. */
function comparable({ status, headers, json: body }: Answer) {
  // How far a job is when its number is answered differs too.
  const { jobId, value: _value, status: jobStatus, ...others } = body
  const rest = jobId === undefined ? { ...others, status: jobStatus } : others
  const names = [...headers.keys()].filter((name) => name !== 'date')
  return { status, body: rest, names, type: headers.get('content-type'), cache: headers.get('cache-control') }
}

const requests: [string, string, RequestInit][] = [
  ['a command', '/api/counter/a/actions/add-sync', { method: 'POST', headers: json, body: '{"by":1}' }],
  [
    'a name in percent-encoding',
    '/api/counter/%C3%BC%2Fb/actions/add-sync',
    { method: 'POST', headers: json, body: '{}' },
  ],
  ['a slash at the end', '/api/counter/a/actions/add-sync/', { method: 'POST', headers: json, body: '{}' }],
  ['no body', '/api/counter/a/actions/add-sync', { method: 'POST' }],
  ['a query', '/api/counter/a/actions/add-sync?by=3', { method: 'POST', headers: json, body: '{}' }],
  ['an asynchronous command', '/api/counter/a/actions/add', { method: 'POST', headers: json, body: '{}' }],
  ['broken JSON', '/api/counter/a/actions/add-sync', { method: 'POST', headers: json, body: '{' }],
  ['a wrong field', '/api/counter/a/actions/add-sync', { method: 'POST', headers: json, body: '{"bye":1}' }],
  [
    'a wrong type',
    '/api/counter/a/actions/add-sync',
    { method: 'POST', headers: { 'content-type': 'text/csv' }, body: '1' },
  ],
  [
    'a failing command',
    '/api/counter/a/actions/add-then-sync',
    { method: 'POST', headers: json, body: '{"after":"fail"}' },
  ],
  ['a query of a thing', '/api/counter/a', {}],
  ['its head', '/api/counter/a', { method: 'HEAD' }],
  ['a thing that is not there', '/api/counter/none', {}],
  ['another method', '/api/counter/a/actions/add-sync', { method: 'PUT', headers: json, body: '{}' }],
  ['the method of another route', '/api/counter/z', { method: 'DELETE', headers: json, body: '{}' }],
  ['a wrong key', '/api/counter/a', { headers: { 'x-api-key': 'wrong' } }],
  ['no key', '/api/counter/a', { headers: { 'x-api-key': '' } }],
  ['a foreign origin', '/api/counter/a', { headers: { origin: 'https://elsewhere.example' } }],
  ['an own origin', '/api/counter/a', { headers: { origin: 'http://localhost:9000' } }],
  ['a correlation id', '/api/counter/a', { headers: { 'x-correlation-id': 'trace-7' } }],
]

test('a path that was routed before answers as it did the first time', async (t) => {
  const fresh = await startServer(t)
  const warm = await startServer(t)
  for (const server of [fresh, warm]) await server.post('/api/counter/a/actions/add-sync', { by: 1 })
  for (const [, path, init] of requests) await warm.call(path, init)
  for (const [what, path, init] of requests) {
    const [first, again] = [await fresh.call(path, init), await warm.call(path, init)]
    assert.deepEqual(comparable(again), comparable(first), what)
    const inDetail = [first, again].map(({ json: { detail, errors } }) => ({ detail, errors }))
    assert.deepEqual(inDetail[1], inDetail[0], what)
  }
})

test('a key that is withdrawn opens no path that it opened before', async (t) => {
  const { call, gateway, save } = await startServer(t)
  const { hashSecret } = await import('../access/secrets.ts')
  const reader = { name: 'reader', access: 'viewer' as const, hash: await hashSecret('reader-key') }
  await save({ security: { ...gateway.settings.security, apiKeys: [reader] } })
  const asReader = { headers: { 'x-api-key': 'reader-key' } }
  for (let i = 0; i < 3; i++) assert.equal((await call('/api/counter/none', asReader)).status, 404)
  await save({ security: { ...gateway.settings.security, apiKeys: [] } })
  assert.equal((await call('/api/counter/none', asReader)).status, 401)
})
