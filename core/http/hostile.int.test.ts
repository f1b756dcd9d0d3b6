/** Wrong, malformed, slow and huge requests get the right status and a problem body, leak nothing and use no memory. */
// In a process of its own: it looks at the memory of the process.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { key, startServer } from '../../test/http-server.ts'
import { until } from '../../test/until.ts'

/** Status and problem of a raw answer. */
function parsed(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: body.startsWith('{') ? JSON.parse(body) : undefined }
}

test('what is not HTTP is answered with a problem on the socket', async (t) => {
  const { raw, port } = await startServer(t)
  const host = `Host: 127.0.0.1:${port}`
  const cases: [string, string, number, string][] = [
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['unknown method', `BREW / HTTP/1.1\r\n${host}\r\n\r\n`, 400, 'malformed_request'],
    ['TLS hello', '\x16\x03\x01\x02\x00\x01\x00', 400, 'malformed_request'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['bad header', `GET / HTTP/1.1\r\n${host}\r\nX y: 1\r\n\r\n`, 400, 'malformed_request'],
    ['line folding', `GET / HTTP/1.1\r\n${host}\r\nX: 1\r\n\u0001\r\n\r\n`, 400, 'malformed_request'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      'malformed_request',
    ],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['huge header', `GET / HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['endless request line', `GET /${'x'.repeat(70_000)}`, 414, 'uri_too_long'],
    ['long path', `GET /${'x'.repeat(9000)} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, 414, 'uri_too_long'],
    [
      'bad escape',
      `GET /api/counter/%E0%A4%A HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['proxy', `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n`, 405, 'method_not_allowed'],
    ['TRACE', `TRACE / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, 405, 'method_not_allowed'],
  ]
  for (const [name, bytes, status, code] of cases) {
    const answer = parsed(await raw(Buffer.from(bytes, 'latin1')))
    assert.equal(answer.status, status, name)
    assert.equal(answer.body?.code, code, name)
    assert.match(answer.head, /Content-Type: application\/problem\+json/i, name)
    assert.match(answer.head, /Gantry-Version: 0\.0\.0-test/i, name)
    assert.doesNotMatch(answer.body.detail, /node_modules|\.ts\b|\n\s+at /, name)
  }
})

test('chunked bodies are bounded too, and the answer arrives while the client still sends', async (t) => {
  const { port, raw, save } = await startServer(t)
  await save({ limits: { bodyBytes: 1000 } })
  const chunk = `${(400).toString(16)}\r\n${'x'.repeat(400)}\r\n`
  const head = `POST /api/probe/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
  const answer = parsed(await raw(`${head}${chunk.repeat(5)}0\r\n\r\n`))
  assert.equal(answer.status, 413)
  assert.equal(answer.body.code, 'payload_too_large')
})

test('after a refused body the connection can be used again', async (t) => {
  const { port, raw } = await startServer(t)
  const post = (path: string, type: string, body: string, more = `X-API-Key: ${key}\r\n`) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const command = '/api/counter/a/actions/add-sync'
  const file = `--b\r\nContent-Disposition: form-data; name="none"; filename="x"\r\n\r\n${'x'.repeat(1_000_000)}\r\n--b--\r\n`
  const answers = await raw(
    [
      post(command, 'application/json', '{"by":1111', ''),
      post(command, 'application/json', '{"by":1111'),
      post(command, 'text/csv', '1111'),
      post('/api/nowhere', 'application/json', '{"by":1111'),
      post(command, 'multipart/form-data; boundary=b', file),
      post('/api/probe/nothing', 'application/json', '', `X-API-Key: ${key}\r\nConnection: close\r\n`),
    ].join(''),
  )
  assert.deepEqual(answers.match(/(?<=HTTP\/1.1 )\d+/g), ['401', '400', '415', '404', '400', '200'])
})

test('slow requests end with 408 and never hold up others', async (t) => {
  const { port, raw, url } = await startServer(t, {
    headersTimeoutMs: 3000,
    requestTimeoutMs: 4000,
    timeoutCheckMs: 50,
  })
  const slowHeaders = raw(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `)
  const slowBody = raw(
    `POST /api/probe/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  assert.equal((await fetch(`${url}/api/probe/ping`)).status, 200)
  for (const answer of await Promise.all([slowHeaders, slowBody])) {
    assert.equal(parsed(answer).status, 408)
    assert.equal(parsed(answer).body.code, 'request_timeout')
  }
})

test('a client that leaves in the middle of a body disturbs nobody', async (t) => {
  const { port, url } = await startServer(t)
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /api/counter/a/actions/add-sync HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    await sleep(5)
    socket.destroy()
  }
  assert.equal((await fetch(`${url}/api/probe/ping`)).status, 200)
  assert.equal((await fetch(`${url}/api/counter/a`, { headers: { 'x-api-key': key } })).status, 404)
})

test('a flood of bad requests leaves the memory as it was', async (t) => {
  const { port, url } = await startServer(t)
  const host = `Host: 127.0.0.1:${port}\r\n`
  const bad = [
    `GET /api/counter/a HTTP/1.1\r\n${host}\r\n`,
    `GET /api/counter/a HTTP/1.1\r\n${host}X-API-Key: KEY\r\n\r\n`,
    `GET /api/nowhere/ID HTTP/1.1\r\n${host}X-API-Key: ${key}\r\nX-Client-Id: ID\r\n\r\n`,
    `PUT /api/probe/fields/ID HTTP/1.1\r\n${host}X-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{"a":`,
    `PUT /api/probe/fields/ID HTTP/1.1\r\n${host}X-API-Key: ${key}\r\nContent-Type: text/ID\r\nContent-Length: 5\r\n\r\n12345`,
    `POST /api/probe/nothing?ID=1 HTTP/1.1\r\n${host}X-API-Key: ${key}\r\nContent-Length: 0\r\n\r\n`,
  ]
  let n = 0
  const wave = async (count: number) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let answers = 0
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text = text.slice(-20) + chunk
      answers += text.split('HTTP/1.1 4').length - 1
      text = text.slice(-8)
    })
    for (let i = 0; i < count; i += 20) {
      const id = `${n++}-${'x'.repeat(50)}`
      const batch = Array.from({ length: 20 }, (_, j) =>
        bad[(i + j) % bad.length]!.replace(/ID|KEY/g, `${id}${j}`),
      ).join('')
      const goal = answers + 20
      socket.write(batch)
      while (answers < goal && !socket.destroyed) await sleep(0)
    }
    socket.destroy()
    assert.equal(answers, count, 'each is answered with a 4xx')
  }
  const collect = globalThis.gc ?? (await exposedGc())
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }
  // Bounded caches (keys, names, regular expressions) fill first.
  await wave(6000)
  const before = heap()
  await wave(6000)
  // A leak of one request object for each would be 10 MB and more; what ends late is freed later.
  await until(() => heap() - before < 6, `the heap is as it was, ${before.toFixed(1)} MB`)
  assert.equal((await fetch(`${url}/api/probe/ping`)).status, 200)
})

async function exposedGc(): Promise<() => void> {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

test('rate limit: only for clients that are not on this machine', async (t) => {
  const { url, save, app } = await startServer(t)
  await save({ limits: { requestsPerSecond: 3 } })
  const local = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/api/probe/ping`)))
  assert.ok(local.every((answer) => answer.status === 200))
  const remote = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({
        url: '/api/counter/a',
        remoteAddress: '192.0.2.7',
        headers: { host: new URL(url).host, 'x-api-key': key },
      }),
    ),
  )
  const refused = remote.find((answer) => answer.statusCode === 429)!
  assert.ok(refused, 'more than three in a second are refused')
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(refused.json().code, 'too_many_requests')
  assert.ok(remote.some((answer) => answer.statusCode === 404))
})

test('the queue is bounded: 503 with Retry-After', async (t) => {
  const { post, save } = await startServer(t)
  await save({ limits: { pendingJobs: 1 } })
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => post('/api/counter/a/actions/add-then', { after: 'sleep', ms: 100 })),
  )
  const refused = answers.find((answer) => answer.status === 503)!
  assert.equal(refused.json.code, 'queue_full')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.ok(answers.some((answer) => answer.status === 202))
})
