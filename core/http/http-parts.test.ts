import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { defined } from '../../lib/optional.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { until } from '../../test/until.ts'
import { runningModule } from '../boot/running-code.ts'
import { isGatewayError } from '../contract/problems.ts'
import { requireOwnOrigin } from './browser-sessions.ts'
import { explainClientError } from './client-errors.ts'
import { createLogger } from './logger.ts'
import { fastifyPath } from './operation-routes.ts'
import { OriginGuard } from './origin.ts'
import { matchesEtag, readAccept, readIdempotencyKey, readPreferences } from './preferences.ts'
import { isLoopback, RateLimiter } from './rate-limit.ts'
import { warningsHeader } from './replies.ts'
import { RequestLines } from './request-lines.ts'
import { RouteIndex } from './route-index.ts'
import { listen } from './server.ts'

const code = (expected: string) => (error: unknown) => isGatewayError(error) && error.code === expected

test('Prefer is read as RFC 7240 writes it', () => {
  assert.deepEqual(readPreferences('respond-async'), { respondAsync: true, waitSeconds: 0 })
  assert.deepEqual(readPreferences('Respond-Async, WAIT="10"'), { respondAsync: true, waitSeconds: 10 })
  assert.deepEqual(readPreferences('wait=99999; return=minimal'), { respondAsync: false, waitSeconds: 300 })
  assert.deepEqual(readPreferences('wait=soon, foo'), { respondAsync: false, waitSeconds: 0 })
})

test('entity tags are compared weakly', () => {
  assert.ok(matchesEtag('*', 'W/"a"'))
  assert.ok(matchesEtag('"b", W/"a"', 'W/"a"'))
  assert.ok(matchesEtag('"a"', 'W/"a"'))
  assert.ok(!matchesEtag('"ab"', 'W/"a"'))
})

test('idempotency keys are 1 to 255 printable characters', () => {
  assert.equal(readIdempotencyKey(' a b '), 'a b')
  for (const bad of ['', ' ', 'x'.repeat(256), 'ä'])
    assert.throws(() => readIdempotencyKey(bad), code('malformed_request'))
})

test('the rate is counted for each caller and second', () => {
  let now = 1_000_000
  const limiter = new RateLimiter({ windowMs: 1000, detail: () => 'too many', now: () => now })
  for (let i = 0; i < 3; i++) limiter.take('a', 3)
  assert.throws(() => limiter.take('a', 3), code('too_many_requests'))
  limiter.take('b', 3)
  now += 1000
  limiter.take('a', 3)
  for (const local of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(local))
  for (const remote of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '128.0.0.1']) assert.ok(!isLoopback(remote))
})

test('hosts and origins follow the bound addresses and the rules', () => {
  const guard = new OriginGuard({ allowedHosts: ['Plant.example'], allowedOrigins: ['https://hmi.example/'] })
  guard.bind([
    { address: '192.168.1.5', port: 9000 },
    { address: 'fd00::5', port: 9000 },
  ])
  for (const host of [
    '192.168.1.5:9000',
    '[fd00::5]:9000',
    'localhost:9000',
    'localhost.:9000',
    'plant.example',
    'PLANT.example:1',
  ])
    assert.equal(guard.check({ host }), undefined, host)
  for (const host of [
    '192.168.1.6:9000',
    '192.168.1.5',
    '192.168.1.5:9001',
    'plant.example.evil',
    'localhost:9000@evil',
  ])
    assert.throws(() => guard.check({ host }), code('host_not_allowed'), host)
  const host = 'localhost:9000'
  assert.equal(guard.check({ host, origin: 'https://HMI.example' }), 'https://HMI.example')
  for (const origin of ['https://hmi.example.evil', 'null', 'file://', 'http://hmi.example', 'http://localhost'])
    assert.throws(() => guard.check({ host, origin }), code('host_not_allowed'), origin)
  guard.bind([{ address: '127.0.0.1', port: 80 }])
  assert.equal(guard.check({ host: 'localhost' }), undefined, 'port 80 is left out')
})

test('a session in a browser is for the pages of this gateway', () => {
  const site = 'sec-fetch-site'
  for (const headers of [
    { host: 'a:1' },
    { host: 'A:1', origin: 'http://a:1' },
    { host: 'a:1', origin: 'HTTPS://A:1', [site]: 'same-origin' },
    { host: 'a:1', [site]: 'none' },
  ])
    assert.doesNotThrow(() => requireOwnOrigin(headers), JSON.stringify(headers))
  for (const [headers, host, other] of [
    [{ host: 'a:1', origin: 'http://a:2' }, 'a:1', 'http://a:2'],
    [{ host: 'a:1', origin: 'null' }, 'a:1', 'null'],
    [{ host: 'a:1', [site]: 'same-site' }, 'a:1', 'those of another site'],
    [{ host: 'a:1', origin: 'http://a:1', [site]: 'cross-site' }, 'a:1', 'http://a:1'],
    [{ origin: 'http://a:1' }, 'undefined', 'http://a:1'],
    [{ host: 'h'.repeat(101), origin: 'o'.repeat(101) }, 'h'.repeat(100), 'o'.repeat(100)],
  ] as const)
    assert.throws(() => requireOwnOrigin(headers), {
      code: 'host_not_allowed',
      message: `A session in a browser is for the pages of this gateway (${host}), not for ${other}. Other sites use an API key.`,
    })
})

test('routes are found by path, the most literal first, and the nearest is proposed', () => {
  const route = (method: string, path: string) => ({ method, path })
  const table = new RouteIndex([
    route('GET', '/api/devices/{deviceName}/blocks'),
    route('POST', '/api/devices/{deviceName}/blocks'),
    route('GET', '/api/devices/{deviceName}/{kind}'),
    route('GET', '/api/devices/compatible-slots'),
    route('GET', '/api/files/{path*}'),
  ])
  const methods = (path: string) => table.matches(path).map((r) => `${r.method} ${r.path}`)
  assert.deepEqual(methods('/api/devices/PLC_1/blocks'), [
    'GET /api/devices/{deviceName}/blocks',
    'POST /api/devices/{deviceName}/blocks',
  ])
  assert.deepEqual(methods('/api/devices/PLC_1/tags'), ['GET /api/devices/{deviceName}/{kind}'])
  assert.deepEqual(methods('/api/files/a/b/c'), ['GET /api/files/{path*}'])
  assert.deepEqual(methods('/api/files'), [])
  assert.deepEqual(
    table.withPattern('/api/devices/{x}/blocks').map((r) => r.method),
    ['GET', 'POST'],
  )
  assert.equal(table.withPattern('/api/devices/:x/blocks').length, 2)
  assert.equal(table.nearest('POST', '/api/device/PLC_1/blocks')?.method, 'POST')
  assert.equal(table.nearest('GET', '/api/devices/compatible-slot')?.path, '/api/devices/compatible-slots')
  assert.equal(table.nearest('GET', '/completely/else'), undefined)
  assert.equal(fastifyPath('/api/a/{b}/c:d/{e*}'), '/api/a/:b/c::d/*')
})

test('the nearest route has the method and as many segments, if there is one; no one is led to delete', () => {
  const route = (path: string) => ({ method: path.split(' ')[0]!, path: path.split(' ')[1]! })
  const table = new RouteIndex(
    [
      'DELETE /api/devices/{deviceName}',
      'GET /api/devices/{deviceName}/blocks',
      'POST /api/devices/{deviceName}/udts',
      'GET /api/devices/{deviceName}/udts',
      'GET /api/devices/{deviceName}/udts/{udtName}',
      'POST /api/projects/actions/open',
      'GET /api/command/info/{route*}',
      'GET /hmi/{station}',
    ].map(route),
  )
  for (const [method, path, expected] of [
    ['GET', '/api/devices/PLC_1/udtss', 'GET /api/devices/{deviceName}/udts'],
    ['HEAD', '/api/devices/PLC_1/udtss', 'GET /api/devices/{deviceName}/udts'],
    ['POST', '/api/devices/PLC_1/udtss', 'POST /api/devices/{deviceName}/udts'],
    ['GET', '/api/devices/PLC_1/udtss/Motor', 'GET /api/devices/{deviceName}/udts/{udtName}'],
    ['GET', '/api/device/a%20very%20long%20name%20of%20a%20device/Blocks', 'GET /api/devices/{deviceName}/blocks'],
    ['GET', '/devices/PLC_1/blocks', 'GET /api/devices/{deviceName}/blocks'],
    ['GET', '/api/project/actions/open', 'POST /api/projects/actions/open'],
    ['POST', '/api/projects/open', 'POST /api/projects/actions/open'],
    ['GET', '/api/comand/info/api/jobs', 'GET /api/command/info/{route*}'],
    ['DELETE', '/api/device/PLC_1', 'DELETE /api/devices/{deviceName}'],
    ['GET', '/api/device/list', undefined],
    ['GET', '/api/nowhere', undefined],
    ['GET', '/hni/Panel', 'GET /hmi/{station}'],
    ['GET', '/', undefined],
  ] as const) {
    const near = table.nearest(method, path)
    assert.equal(near && `${near.method} ${near.path}`, expected, `${method} ${path}`)
  }
})

test('Accept names a media type, the heaviest wins, the first of equal ones', () => {
  const types = new Set(['application/json', 'application/x-ndjson'])
  for (const [header, expected] of [
    ['application/x-ndjson', 'application/x-ndjson'],
    ['Application/X-NDJSON; charset=utf-8', 'application/x-ndjson'],
    ['application/x-ndjson, */*;q=0.1', 'application/x-ndjson'],
    ['text/html, application/json;q=0.5, application/x-ndjson; q=0.9', 'application/x-ndjson'],
    ['application/json, application/x-ndjson', 'application/json'],
    ['application/x-ndjson;q=0.5, application/json', 'application/json'],
    ['application/x-ndjson;q=0', undefined],
    ['application/x-ndjson;q=soon', undefined],
    ['*/*', undefined],
    ['', undefined],
  ] as const)
    assert.equal(readAccept(header, types), expected, header)
})

test('an address that cannot be listened on is told with what can be done', async () => {
  const failing = (code: string) =>
    ({ listen: () => Promise.reject(Object.assign(new Error('the system says no'), { code })) }) as never
  const absent = 'This machine has no address "h"; see --host and GANTRY_HOST.'
  for (const [code, message] of [
    ['EADDRINUSE', 'Port 7 of h is taken by another program. Choose another one with --port or GANTRY_PORT.'],
    ['EACCES', 'Port 7 of h may not be used by this user.'],
    ['EADDRNOTAVAIL', absent],
    ['ENOTFOUND', absent],
    ['EOTHER', 'the system says no'],
  ] as const)
    await assert.rejects(listen(failing(code), { host: 'h', port: 7 }), { message })
  await assert.rejects(listen(failing('EACCES')), { message: 'Port 9000 of 127.0.0.1 may not be used by this user.' })
})

test('parser errors have their status', () => {
  const limits = { headerBytes: 1000, requestTimeoutMs: 5000 }
  const explain = (fields: object) =>
    explainClientError(Object.assign(new Error('x'), { code: '' }, fields), limits).code
  assert.equal(explain({ code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET /xxxx') }), 'uri_too_long')
  assert.equal(
    explain({ code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET / HTTP/1.1\r\nX: y') }),
    'headers_too_large',
  )
  assert.equal(explain({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }), 'request_timeout')
  assert.equal(explain({ code: 'HPE_INVALID_METHOD', reason: 'Invalid method' }), 'malformed_request')
  const told = (fields: object) => explainClientError(Object.assign(new Error('x'), { code: '' }, fields), limits)
  for (const [fields, code, detail] of [
    [
      { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET /xxxx') },
      'uri_too_long',
      'The request line has more than 1000 bytes.',
    ],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 'headers_too_large', 'The header fields have more than 1000 bytes.'],
    [
      { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('\nX: y') },
      'headers_too_large',
      'The header fields have more than 1000 bytes.',
    ],
    [{ code: 'HPE_CHUNK_EXTENSIONS_OVERFLOW' }, 'payload_too_large', 'The chunk extensions of the body are too long.'],
    [
      { code: 'ERR_HTTP_REQUEST_TIMEOUT' },
      'request_timeout',
      'The request did not arrive whole in time (at most 5 s).',
    ],
    [{ reason: 'Invalid method' }, 'malformed_request', 'The request is not valid HTTP/1.1: Invalid method.'],
    [{}, 'malformed_request', 'The request is not valid HTTP/1.1.'],
  ] as const)
    assert.deepEqual(told(fields), { code, detail })
})

test('the log keeps early lines, hides secrets and writes requests as plain JSON', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-log-')
  const file = join(dir, 'log')
  const log = createLogger({ level: 'info', destination: file })
  log.debug({ a: 1 }, 'too quiet')
  log.info({ apiKey: 'top-secret', at: { password: 'top-secret', deep: { token: 'top-secret' } } }, 'early')
  await log.start()
  log.error({ err: new Error('boom'), headers: { authorization: 'top-secret', 'x-api-key': 'top-secret' } }, 'late')
  log.request('GET', '/api/"x"', 200, 1.5, 'c-1', 'anna/"cli"')
  log.request('GET', '/', 401, 0.1, 'c-2', undefined)
  // The file is opened in the background.
  const lines = await until(async () => {
    await log.flush()
    const text = await readFile(file, 'utf8').catch(() => '')
    assert.doesNotMatch(text, /top-secret/)
    const found = text.split('\n').filter(Boolean)
    return found.length === 4 && found.map((line): Record<string, unknown> => JSON.parse(line))
  }, 'four lines are in the file')
  assert.deepEqual(
    lines.map((line) => line.msg),
    ['early', 'late', 'request', 'request'],
  )
  assert.equal(typeof lines[0]!.time, 'number')
  assert.equal((lines[1]!.err as { message: string }).message, 'boom')
  const { time, ...request } = lines[2]!
  assert.equal(typeof time, 'number')
  assert.deepEqual(request, {
    level: 30,
    method: 'GET',
    route: '/api/"x"',
    status: 200,
    ms: 1.5,
    correlationId: 'c-1',
    actor: 'anna/"cli"',
    msg: 'request',
  })
})

test('a log has the lines of its level and above, without secrets in any depth that they come in', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-log-')
  const secret = {
    ...Object.fromEntries(
      ['authorization', 'apiKey', 'key', 'password', 'token', 'secret', 'x-api-key'].map((name) => [name, 'hidden']),
    ),
    other: 'shown',
  }
  for (const [level, levels] of [
    ['debug', [20, 30, 40, 50, 30, 20, 30, 40, 50, 30, 50]],
    ['info', [30, 40, 50, 30, 30, 40, 50, 30, 50]],
    ['warn', [40, 50, 40, 50, 50]],
    ['error', [50, 50, 50]],
    ['silent', []],
  ] as const) {
    const file = join(dir, level)
    const log = createLogger({ level, destination: file })
    // Before the log is open and afterwards.
    for (let turn = 0; turn < 2; turn++) {
      for (const at of ['debug', 'info', 'warn', 'error'] as const) log[at]({ a: turn }, 'told')
      log.request('GET', '/', 200, 1, 'c', undefined)
      await log.start()
    }
    log.error({ ...secret, one: secret, two: { inner: secret } }, 'secrets')
    const lines = await until(async () => {
      await log.flush()
      const text = await readFile(file, 'utf8').catch(() => '')
      const found = text.split('\n').filter(Boolean)
      return found.length >= levels.length && found.map((line): Record<string, unknown> => JSON.parse(line))
    }, `the lines of ${level} are in the file`)
    assert.deepEqual(
      lines.map((line) => line.level),
      levels,
    )
    const last = lines.at(-1)
    if (last === undefined) continue
    const hidden = Object.fromEntries(Object.keys(secret).map((name) => [name, '[redacted]']))
    const { time, ...told } = last
    assert.equal(typeof time, 'number')
    const shown = { ...hidden, other: 'shown' }
    assert.deepEqual(told, { level: 50, ...shown, one: shown, two: { inner: shown }, msg: 'secrets' })
  }
})

test('a log file that cannot be opened does not end the process: it logs to stderr', async () => {
  const script = `
    import { createLogger } from ${JSON.stringify(runningModule(new URL('./logger.ts', import.meta.url).href))}
    const log = createLogger({ level: 'info', destination: '/nonexistent/folder/log' })
    log.info({}, 'not lost')
    await log.start()
    await log.flush()`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const { stderr } = await promisify(execFile)(process.execPath, args)
  assert.match(stderr, /cannot be opened: ENOENT/)
  assert.match(stderr, /"msg":"not lost"/)
})

test('request lines are kept for a while, are whole whatever is asked, and those that are too long are left out', async () => {
  const written: string[] = []
  const lines = new RequestLines((text) => written.push(text))
  lines.add('GET', `/${'x'.repeat(64 * 1024)}`, 200, 1, 'c-0', undefined)
  lines.flush()
  assert.deepEqual(written, [])
  // More routes than are remembered; the first of them again.
  for (let i = 0; i < 5002; i++) lines.add('GET', `/r${i % 5001}`, 200, 1, `c-${i}`, undefined)
  // What was gathered is written without being asked, and once.
  await until(() => written.join('').includes('"c-5001"'), 'the last line is written')
  lines.flush()
  const routes = written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { route: string }).route)
  assert.deepEqual(
    routes,
    Array.from({ length: 5002 }, (_, i) => `/r${i % 5001}`),
  )
})

test('request lines are JSON whatever their route, actor, duration and number', () => {
  let text = ''
  const lines = new RequestLines((more) => {
    text += more
  })
  const routes = ['/api/a', '/api/"ü"/{name}', `/api/${'x'.repeat(3000)}`]
  const given: unknown[] = []
  for (let i = 0; i < 3000; i++) {
    const [route, actor] = [routes[i % 3]!, i % 2 === 0 ? undefined : `änne/${i % 7}`]
    const ms = [0, 0.004, 0.05, 0.5, 1.999, 12.34, 123456.789][i % 7]!
    lines.add('GET', route, 200 + (i % 5), ms, `c-${i}`, actor)
    given.push({
      level: 30,
      ms: Math.round(ms * 100) / 100,
      correlationId: `c-${i}`,
      method: 'GET',
      route,
      status: 200 + (i % 5),
      ...defined({ actor }),
      msg: 'request',
    })
  }
  lines.flush()
  const read = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(read.every(({ time }) => Math.abs(Date.now() - time) < 600_000))
  assert.deepEqual(
    read.map(({ time: _time, ...rest }) => rest),
    given,
  )
})

test('warnings of a bare file fit into a header; those that do not are counted', () => {
  const many = Array.from({ length: 500 }, (_, i) => `the comment of "M${i}" in de-DE is left out`)
  const header = warningsHeader(many)
  assert.ok(header.length < 4200)
  const told = JSON.parse(header) as string[]
  assert.deepEqual(told.slice(0, -1), many.slice(0, told.length - 1))
  assert.match(told.at(-1) ?? '', new RegExp(`^and ${many.length - told.length + 1} more: `))
  // A text, its quotes and the comma have 4000 characters.
  const longest = 'x'.repeat(3997)
  assert.equal(warningsHeader([longest]), `["${longest}"]`)
  assert.match(warningsHeader([`${longest}x`]), /^\["and 1 more: /)
  assert.equal(warningsHeader(['a\r\nb: ü']), '["a\\r\\nb: \\u00fc"]')
})
