/** The audit shows the calls that were refused: wrong keys, missing access, faulty input, unknown paths. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defined } from '../../lib/optional.ts'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { createServer, listen } from './server.ts'

const counterPlugins = fileURLToPath(new URL('../fixtures/plugins', import.meta.url))

interface Entry {
  operation?: string
  actor?: string
  data: { code: string; request?: string; address?: string; operation?: string; repeated?: number }
}

test('refused calls are in the audit, and a restart replays past them', async (t) => {
  const options = { pluginDirs: [builtInPlugins, counterPlugins], apiKey: 'refused-calls-key' }
  const opened = await openTestGateway(t, options)
  const app = await createServer(opened.gateway)
  const url = await listen(app, { port: 0 })
  const send = async (method: string, path: string, body?: string, key = 'refused-calls-key') => {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    return (await fetch(url + path, { method, headers, ...defined({ body }) })).status
  }
  const add = (body: string, key?: string) => send('POST', '/api/counter/a/actions/add-sync', body, key)
  assert.equal(await add('{"by":1}'), 200)
  assert.equal(await add('{"by":1}', 'wrong-key-of-somebody'), 401)
  assert.equal(await add('{"by":"much"}'), 400)
  assert.equal(await add('{"by":'), 400)
  assert.equal(await send('GET', '/api/nowhere?secret=1'), 404)
  assert.equal(await send('DELETE', '/api/counter/a/actions/add-sync'), 405)
  assert.equal(await send('POST', '/api/session', '{"key":"wrong-key-in-a-form"}', ''), 401)
  // A job that fails is not refused: it has records of its own, also when its caller waits for it.
  const headers = { 'x-api-key': 'refused-calls-key', 'content-type': 'application/json' }
  for (const prefer of ['respond-async, wait=60', 'return=minimal']) {
    const failing = { method: 'POST', headers: { ...headers, prefer }, body: '{"after":"fail"}' }
    assert.equal((await fetch(`${url}/api/counter/a/actions/add-then-sync`, failing)).status, 422)
  }
  const viewer = { actor: { name: 'guest', access: 'viewer' as const } }
  await assert.rejects(opened.call('counter.add', { name: 'a', by: 1 }, viewer), { code: 'forbidden' })
  await app.close()
  const { call } = await opened.restart()
  const { entries } = await call<{ entries: Entry[] }>('audit.list', { types: ['call.refused'] })
  const path = 'POST /api/counter/a/actions/add-sync'
  assert.deepEqual(
    entries
      .map(({ actor, operation, data: { code, request, address } }) => [code, actor, operation ?? request, address])
      .reverse(),
    [
      ['unauthorized', undefined, path, '127.0.0.1'],
      ['invalid_input', 'admin', 'counter.add', undefined],
      ['malformed_body', 'admin', path, undefined],
      ['route_not_found', 'admin', 'GET /api/nowhere', undefined],
      ['method_not_allowed', 'admin', 'DELETE /api/counter/a/actions/add-sync', undefined],
      ['unauthorized', undefined, 'POST /api/session', '127.0.0.1'],
      ['forbidden', 'guest', 'counter.add', undefined],
    ],
  )
  assert.equal((await call<{ value: number }>('counter.get', { name: 'a' })).value, 1)
})
