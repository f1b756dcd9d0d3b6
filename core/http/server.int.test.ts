import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { key, startServer } from '../../test/http-server.ts'
import { hashSecret } from '../access/secrets.ts'
import { callerOf } from './auth.ts'
import { takeOver } from './replies.ts'
import { createServer, listen } from './server.ts'

test('a synchronous command answers its result, an asynchronous one its job', async (t) => {
  const { post, gateway } = await startServer(t)
  const sync = await post('/api/counter/a/actions/add-sync', { by: 2 })
  assert.equal(sync.status, 200)
  assert.deepEqual(sync.json, { name: 'a', value: 2 })
  assert.equal(sync.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(sync.headers.get('gantry-version'), '0.0.0-test')
  assert.match(sync.headers.get('x-correlation-id') ?? '', /^[\w-]{8,}$/)
  assert.equal((await gateway.jobs.find(sync.headers.get('x-job-id')!))?.status, 'Completed')

  const async = await post('/api/counter/a/actions/add', { By: 3 }, { 'x-correlation-id': 'trace-1' })
  assert.equal(async.status, 202)
  assert.equal(async.headers.get('x-correlation-id'), 'trace-1')
  assert.equal(async.headers.get('location'), `/api/jobs/${async.json.jobId}`)
  assert.deepEqual(Object.keys(async.json), ['jobId', 'status'])
  await gateway.jobs.peek(async.json.jobId as string)!.settled
  assert.equal((await post('/api/counter/a/actions/add-sync')).json.value, 6)
})

test('a failed job answers its problem with its id', async (t) => {
  const { post } = await startServer(t)
  const failed = await post('/api/counter/a/actions/add-then-sync', { after: 'fail' })
  assert.equal(failed.status, 422)
  assert.equal(failed.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  const { jobId, ...rest } = failed.json
  assert.equal(failed.headers.get('x-job-id'), jobId)
  assert.deepEqual(rest, {
    type: '/api/errors/unacceptable_content',
    title: 'The content cannot be accepted',
    status: 422,
    detail: 'It fails as asked.',
    message: 'It fails as asked.',
    code: 'unacceptable_content',
    errors: [{ line: 1, message: 'here' }],
    instance: '/api/counter/a/actions/add-then-sync',
  })
  const broken = await post('/api/counter/a/actions/add-then-sync', { after: 'throw' })
  assert.equal(broken.status, 500)
  assert.equal(broken.json.code, 'internal_error')
  assert.doesNotMatch(broken.text, /secret internals|TypeError|\.ts/)
})

test('an asynchronous answer about a job that has failed already has its error', async (t) => {
  const { post } = await startServer(t)
  const once = { 'idempotency-key': 'one' }
  const failed = await post('/api/counter/a/actions/add-then-sync', { after: 'fail' }, once)
  const accepted = await post('/api/counter/a/actions/add-then', { after: 'fail' }, once)
  assert.deepEqual([accepted.status, accepted.json.jobId, accepted.json.status], [202, failed.json.jobId, 'Failed'])
  const { code, detail, errors } = accepted.json.error as Record<string, unknown>
  assert.deepEqual([code, detail, errors], [failed.json.code, failed.json.detail, failed.json.errors])
})

test('Prefer: respond-async turns a synchronous route into a job, wait=N waits for its end first', async (t) => {
  const { post, call } = await startServer(t)
  const accepted = await post(
    '/api/counter/a/actions/add-then-sync',
    { after: 'sleep', ms: 150 },
    { prefer: 'respond-async' },
  )
  assert.equal(accepted.status, 202)
  assert.equal(accepted.headers.get('preference-applied'), 'respond-async')
  const waited = await post('/api/counter/b/actions/add-sync', {}, { prefer: 'respond-async, wait=20' })
  assert.equal(waited.status, 200)
  assert.equal(waited.headers.get('preference-applied'), 'wait=20')
  assert.deepEqual(waited.json, { name: 'b', value: 1 })
  assert.match(waited.headers.get('x-job-id') ?? '', /^J/)
  const failed = await post(
    '/api/counter/b/actions/add-then-sync',
    { after: 'fail' },
    { prefer: 'respond-async; wait=20' },
  )
  assert.equal(failed.status, 422)
  const query = await call('/api/counter/b', { headers: { prefer: 'respond-async' } })
  assert.equal(query.status, 202)
  assert.equal((await call('/api/counter/b', { headers: { prefer: 'return=minimal, wait=3' } })).status, 200)
})

test('Idempotency-Key: the same request is the same job, another one is refused', async (t) => {
  const { gateway, app, post } = await startServer(t)
  const headers = { 'idempotency-key': 'k1' }
  const first = await post('/api/counter/a/actions/add-sync', { by: 2 }, headers)
  const again = await post('/api/counter/a/actions/add-sync', { by: 2 }, headers)
  assert.deepEqual(again.json, { name: 'a', value: 2 })
  assert.equal(again.headers.get('x-job-id'), first.headers.get('x-job-id'))
  const other = await post('/api/counter/a/actions/add-sync', { by: 3 }, headers)
  assert.equal(other.status, 409)
  assert.equal(other.json.code, 'idempotency_mismatch')
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, { 'idempotency-key': 'x'.repeat(300) })).status, 400)
  await app.close()
  await gateway.close()
  const later = await startServer(t, {}, { dataDir: gateway.dataDir })
  const once = await later.post('/api/counter/a/actions/add-sync', { by: 2 }, headers)
  assert.deepEqual(once.json, { name: 'a', value: 2 })
  assert.equal(once.headers.get('x-job-id'), first.headers.get('x-job-id'))
})

test('a query of the state has an ETag that holds until the state changes', async (t) => {
  const { call, post } = await startServer(t)
  await post('/api/counter/a/actions/add-sync', {})
  const first = await call('/api/counter/a')
  const etag = first.headers.get('etag')!
  assert.match(etag, /^"[\w-]{22}"$/)
  const same = await call('/api/counter/a', { headers: { 'if-none-match': `"x", W/${etag}` } })
  assert.equal(same.status, 304)
  assert.equal(same.text, '')
  assert.equal(same.headers.get('etag'), etag)
  await post('/api/counter/a/actions/add-sync', {})
  assert.equal((await call('/api/counter/a', { headers: { 'if-none-match': etag } })).status, 200)
})

test('text operations answer their media type, an empty result an object', async (t) => {
  const { call, post } = await startServer(t)
  const xml = await call('/api/probe/text')
  assert.equal(xml.headers.get('content-type'), 'application/xml; charset=utf-8')
  assert.equal(xml.headers.get('x-content-type-options'), 'nosniff')
  assert.match(xml.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none';/)
  assert.equal(xml.text, '<ä/>')
  // What a bare file has no room for is a header in ASCII.
  const warnings = xml.headers.get('gantry-warnings') ?? ''
  assert.equal(warnings, '["\\u00e4 is left out","so is \\"b\\""]')
  assert.deepEqual(JSON.parse(warnings), ['ä is left out', 'so is "b"'])
  const nothing = await post('/api/probe/nothing')
  assert.equal(nothing.status, 200)
  assert.deepEqual(nothing.json, {})
})

test('path, query and body are one input; text becomes the type of its field', async (t) => {
  const { call } = await startServer(t)
  assert.deepEqual((await call('/api/probe/echo/A%2FB/c%20d?Count=3&flags=true,0')).json, {
    path: 'A/B/c d',
    count: 3,
    flags: [true, false],
  })
  assert.deepEqual((await call('/api/probe/echo/x?path=y')).json, { path: 'x' }, 'the path wins')
  const put = (path: string, body: unknown) =>
    call(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  assert.deepEqual((await put('/api/probe/fields/7', { Count: 5 })).json, { id: '7', count: 5 })
  assert.deepEqual((await put('/api/probe/fields/7?count=6', {})).json, { id: '7', count: 6 })
  const wrong = await call('/api/probe/echo/x?count=three&colour=red')
  assert.equal(wrong.status, 400)
  assert.deepEqual((wrong.json.errors as { path: string }[]).map((e) => e.path).sort(), ['/colour', '/count'])
  const poisoned = await call('/api/probe/echo/x?__proto__=1')
  assert.equal(poisoned.status, 400)
  const tried = await call('/api/counter/z/actions/add-sync?dryRun=true', { method: 'POST' })
  assert.equal(tried.json.dryRun, true)
  assert.equal((await call('/api/counter/z')).status, 404)
  assert.equal((await call('/api/probe/ping/')).status, 200, 'a slash at the end is forgiven')
})

test('keys: X-API-Key or Bearer; without one only public operations', async (t) => {
  const { url, save, gateway } = await startServer(t)
  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
  assert.equal((await get('/api/probe/ping')).status, 200)
  for (const headers of [
    {},
    { 'x-api-key': 'wrong' },
    { authorization: 'Basic abc' },
    { 'x-api-key': 'x'.repeat(2000) },
  ]) {
    const refused = await get('/api/counter/a', headers as Record<string, string>)
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="gantry"')
    assert.equal(((await refused.json()) as { code: string }).code, 'unauthorized')
  }
  assert.equal((await get('/api/counter/a', { authorization: `bearer ${key}` })).status, 404)
  assert.equal((await get('/api/nowhere')).status, 401, 'what exists is told only with a key')
  assert.equal((await get('/nowhere')).status, 404)

  // Named keys of the settings work from the next request on, until their entry is removed.
  await save({ security: { apiKeys: [{ name: 'panel', access: 'viewer', hash: await hashSecret('panel-key') }] } })
  assert.equal((await get('/api/counter/a', { 'x-api-key': 'panel-key' })).status, 404)
  const denied = await fetch(`${url}/api/counter/a/actions/add-sync`, {
    method: 'POST',
    headers: { 'x-api-key': 'panel-key' },
  })
  assert.equal(denied.status, 403)
  await save({})
  assert.equal((await get('/api/counter/a', { 'x-api-key': 'panel-key' })).status, 401)
  assert.equal(gateway.settings.security.apiKeys.length, 0)
})

test('X-Client-Id becomes part of the actor, cleaned', async (t) => {
  const { post, gateway } = await startServer(t)
  const actorOf = async (clientId: string) => {
    const { headers } = await post('/api/counter/a/actions/add-sync', {}, { 'x-client-id': clientId })
    return (await gateway.jobs.find(headers.get('x-job-id')!))?.actor
  }
  assert.equal(await actorOf('vscode/1.4'), 'admin/vscode/1.4')
  assert.equal(await actorOf('a b"<c>'), 'admin/a_b_c_')
  assert.equal((await actorOf('x'.repeat(500)))?.length, 'admin/'.length + 64)
})

test('unknown paths and methods are problems with a proposal', async (t) => {
  const { call, url } = await startServer(t)
  const missing = await call('/api/countr/a')
  assert.equal(missing.status, 404)
  assert.equal(missing.json.code, 'route_not_found')
  assert.equal(missing.json.suggestion, 'GET /api/counter/{name}')
  assert.equal(missing.json.instance, '/api/countr/a')
  assert.equal((await call('/api/something/else/entirely/different/here')).json.suggestion, undefined)
  const method = await call('/api/counter/a', {
    method: 'PUT',
    body: '{',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(method.status, 405)
  assert.equal(method.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS')
  assert.equal((await fetch(`${url}/docs`, { method: 'POST' })).status, 405)
  assert.equal((await call('/api//counter/a')).json.code, 'route_not_found', 'an empty segment is another path')
  const options = await fetch(`${url}/api/counter/a`, { method: 'OPTIONS' })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS')
  const head = await call('/api/probe/text', { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), '5')
  assert.equal(head.text, '')
})

test('bodies: JSON with the place of its fault, nothing else', async (t) => {
  const { post, call, save } = await startServer(t)
  const path = '/api/probe/fields/7'
  const put = (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    call(path, { method: 'PUT', headers, body: body as unknown as string })
  const broken = await put('{\n  "count": 1,\n}')
  assert.equal(broken.status, 400)
  assert.deepEqual(broken.json.errors, [{ line: 3, column: 1, position: 16, message: 'a comma stands before "}"' }])
  for (const poison of [
    '{"__proto__":{"x":1}}',
    '{"tree":{"constructor":{"prototype":{"x":1}}}}',
    '{"\\u005f_proto__":1}',
  ]) {
    const refused = await put(poison)
    assert.equal(refused.status, 400, poison)
    assert.equal(refused.json.code, 'malformed_body')
  }
  assert.equal(({} as { x?: unknown }).x, undefined)
  const nested = (depth: number) => `{"tree":${'['.repeat(depth)}${']'.repeat(depth)}}`
  assert.equal((await put(nested(63))).status, 200)
  assert.equal((await put(nested(64))).json.code, 'malformed_body')
  assert.equal((await put('['.repeat(2_000_000))).json.code, 'malformed_body')
  assert.equal((await put(`{"tree":"${'[\\"'.repeat(200)}"}`)).status, 200, 'brackets in strings do not count')
  assert.equal((await put(Buffer.from('{"tree":"\xe9"}', 'latin1'))).json.code, 'malformed_body')
  assert.equal((await put('\ufeff{"count":1}')).status, 200)
  for (const array of ['[1]', '"text"', '5']) assert.equal((await put(array)).json.code, 'invalid_input')
  assert.equal((await put('null')).status, 200)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
    const refused = await put('{}', { 'content-type': type })
    assert.equal(refused.status, 415, type)
    assert.match(refused.text, /application\/json/)
  }
  assert.equal((await put('{}', { 'content-type': 'application/json; charset=utf-16' })).status, 415)
  assert.equal((await put('{}', { 'content-type': 'application/json; charset="UTF-8"' })).status, 200)
  assert.equal((await put('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status, 415)
  assert.equal((await post('/api/probe/nothing', '', {})).status, 200)

  // The limit is that of the settings at the time of the request.
  await save({ limits: { bodyBytes: 100 } })
  const large = await put(JSON.stringify({ tree: 'x'.repeat(200) }))
  assert.equal(large.status, 413)
  assert.match(large.json.detail as string, /100 .*limits\.bodyBytes/)
  const exactly = JSON.stringify({ tree: 'x'.repeat(89) })
  assert.equal(exactly.length, 100)
  assert.equal((await put(exactly)).status, 200, 'a body exactly at the limit')
  assert.equal((await put(`${exactly} `)).status, 413, 'a byte more')
  await save({})
  assert.equal((await put(JSON.stringify({ tree: 'x'.repeat(200) }))).status, 200)
})

test('Host and Origin must be known (DNS rebinding); allowed origins get CORS', async (t) => {
  const { url, port, raw, save } = await startServer(t)
  const host = async (name: string) =>
    Number((await raw(`GET /api/probe/ping HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)).split(' ')[1])
  assert.equal(await host(`127.0.0.1:${port}`), 200)
  assert.equal(await host(`LocalHost:${port}`), 200)
  assert.equal(await host(`[::1]:${port}`), 200)
  assert.equal(await host('127.0.0.1'), 403)
  assert.equal(await host(`evil.example:${port}`), 403)
  const origin = (value: string, init: RequestInit = {}) =>
    fetch(`${url}/api/probe/ping`, { ...init, headers: { origin: value, ...(init.headers as Record<string, string>) } })
  assert.equal((await origin('https://evil.example')).status, 403)
  assert.equal((await origin('null')).status, 403)
  assert.equal(
    (await origin(`http://localhost:${port}`)).headers.get('access-control-allow-origin'),
    `http://localhost:${port}`,
  )

  await save({ security: { allowedHosts: ['gantry.local', 'proxy:8443'], allowedOrigins: ['https://hmi.example'] } })
  assert.equal(await host(`gantry.local:${port}`), 200)
  assert.equal(await host('proxy:8443'), 200)
  assert.equal(await host('proxy:8444'), 403)
  const allowed = await origin('https://hmi.example')
  assert.equal(allowed.status, 200)
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://hmi.example')
  assert.equal(allowed.headers.get('vary'), 'Origin')
  const preflight = await fetch(`${url}/api/counter/a`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://hmi.example',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key',
    },
  })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /DELETE/)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /If-Match, If-None-Match/)
  const refused = await fetch(`${url}/api/counter/a`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
  })
  assert.equal(refused.status, 403)
  assert.equal(refused.headers.get('access-control-allow-origin'), null)
})

test('bound to all addresses, the names of this machine are known', async (t) => {
  const { raw, port } = await startServer(t, { host: '0.0.0.0' })
  for (const [name, status] of [
    [hostname(), '200'],
    ['localhost', '200'],
    ['evil.example', '403'],
  ] as const) {
    const answer = await raw(`GET /api/probe/ping HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`)
    assert.equal(answer.split(' ')[1], status, name)
  }
})

test('start page, manual and reference page are public and load nothing from elsewhere; OpenAPI needs a key', async (t) => {
  const { url, gateway } = await startServer(t)
  const start = await fetch(url)
  assert.equal(((await start.json()) as { docs: string }).docs, '/docs')
  const browser = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
  assert.equal(browser.status, 302)
  assert.equal(browser.headers.get('location'), '/docs')
  assert.match(await (await fetch(`${url}/docs`)).text(), /href="\/docs\/reference"/)
  const docs = await fetch(`${url}/docs/reference`)
  assert.match(docs.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
  const html = await docs.text()
  for (const [, address] of html.matchAll(/(?:src|href|data-url)="([^"]+)"/g)) {
    if (address!.startsWith('data:')) continue
    assert.match(address!, /^\//, 'only addresses of this server')
    assert.equal((await fetch(url + address, { headers: { 'x-api-key': key } })).status, 200, address)
  }
  const script = await fetch(`${url}/docs/reference.js`, { method: 'HEAD' })
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  const closed = await fetch(`${url}/openapi.json`)
  assert.deepEqual([closed.status, closed.headers.get('www-authenticate')], [401, 'Bearer realm="gantry"'])
  const withKey = await fetch(`${url}/openapi.json`, { headers: { 'x-api-key': key } })
  assert.equal(((await withKey.json()) as { openapi: string }).openapi, '3.1.0')

  const { security } = gateway.settings
  const settings = { ...gateway.settings, security: { ...security, publicDocs: true } }
  gateway.state.fold(settings, { type: 'core.settings-saved', time: 0, jobId: undefined, actor: undefined })
  assert.match(await (await fetch(`${url}/docs/reference`)).text(), /data-url="\/openapi.json"/)
  const openapi = await fetch(`${url}/openapi.json`)
  const etag = openapi.headers.get('etag')!
  assert.equal(((await openapi.json()) as { openapi: string }).openapi, '3.1.0')
  assert.equal((await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } })).status, 304)
})

test('Accept chooses among what an operation answers; a field that is given wins', async (t) => {
  const { call, post } = await startServer(t)
  const lines = { accept: 'text/x-lines, */*;q=0.1' }
  const type = async (path: string, headers: Record<string, string>) =>
    (await call(path, { headers })).headers.get('content-type')?.split(';')[0]
  const answer = await call('/api/probe/lines', { headers: lines })
  assert.equal(answer.headers.get('content-type'), 'text/x-lines; charset=utf-8')
  assert.equal(answer.headers.get('vary'), 'Accept')
  assert.equal(answer.text, 'a\nb\n')
  const plain = await call('/api/probe/lines', { headers: { accept: '*/*' } })
  assert.deepEqual(plain.json, { lines: ['a', 'b'] })
  assert.equal(plain.headers.get('vary'), 'Accept', 'a cache must know of the other answer')
  for (const query of ['format=json', 'Format=json', 'as=json'])
    assert.equal(await type(`/api/probe/lines?${query}`, lines), 'application/json', query)
  assert.equal(await type('/api/probe/lines?format=lines', { accept: 'application/json' }), 'text/x-lines')
  for (const body of [{ format: 'json' }, { Format: 'json' }, { as: 'json' }])
    assert.deepEqual((await post('/api/probe/lines', body, lines)).json, { lines: ['a', 'b'] })
  assert.equal((await post('/api/probe/lines', {}, lines)).text, 'a\nb\n')
  assert.equal((await post('/api/probe/lines-async', {}, lines)).status, 202)
  assert.equal((await call('/api/probe/text', { headers: lines })).headers.get('vary'), null)
})

test('an adapter adds raw routes behind the same checks', async (t) => {
  const { url, call } = await startServer(t, {
    adapters: [
      (app) => {
        app.post('/mcp/messages', async (request, reply) => {
          const caller = callerOf(request)
          const { fail } = request.body as { fail?: boolean }
          if (fail) throw new TypeError('inner detail')
          takeOver(reply.type('application/json')).end(JSON.stringify({ name: caller.name }))
        })
        app.get('/mcp/open', { config: { access: 'public' } }, async () => ({ open: true }))
      },
    ],
  })
  assert.equal((await fetch(`${url}/mcp/messages`, { method: 'POST' })).status, 401)
  assert.equal((await fetch(`${url}/mcp/open`)).status, 200)
  const send = (body: unknown) =>
    call('/mcp/messages', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const answer = await send({})
  assert.deepEqual(answer.json, { name: 'admin' })
  assert.equal(answer.headers.get('gantry-version'), '0.0.0-test')
  const failed = await send({ fail: true })
  assert.equal(failed.status, 500)
  assert.doesNotMatch(failed.text, /inner detail/)
  assert.equal((await call('/mcp/messages')).status, 405)
})

test('a taken port is an error that says so', async (t) => {
  const { gateway, port } = await startServer(t)
  const second = await createServer(gateway)
  t.after(() => second.close())
  await assert.rejects(listen(second, { port }), /Port \d+ of 127\.0\.0\.1 is taken/)
})

test('close lets a running request finish and refuses new connections', async (t) => {
  const { app, post, url } = await startServer(t)
  const running = post('/api/counter/a/actions/add-then-sync', { after: 'sleep', ms: 200 })
  while ((await fetch(`${url}/api/probe/ping`)).status !== 200);
  const closed = app.close()
  const answer = await running
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await closed
  await assert.rejects(fetch(`${url}/api/probe/ping`))
})

test('close does not wait for a connection that has asked nothing', async (t) => {
  const { app, port } = await startServer(t, { graceMs: 600_000 })
  const accepted = once(app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  const ended = once(socket, 'close')
  await accepted
  await app.close()
  await ended
})
