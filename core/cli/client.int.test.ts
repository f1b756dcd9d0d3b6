/** What the client of the command line sends for an operation, and what it makes of the answers. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { GatewayClient, type JobView } from './client.ts'
import { CliError } from './exit-codes.ts'
import { callAndFollow } from './follow.ts'
import { packageVersion } from './options.ts'

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body?: unknown
  /** Sent one after the other. */
  readonly pieces?: readonly string[]
}

const json = 'application/json; charset=utf-8'
const problem = (status: number, code: string) => ({
  status,
  type: 'application/problem+json',
  body: {
    type: '',
    title: 'T',
    status,
    code,
    detail: 'Why.',
    suggestion: 'Do that.',
    errors: [{ path: '/a', message: 'is wrong' }],
  },
})

/** A server that answers each request with the next of its answers, and what it was asked. */
async function fakeGateway(t: TestContext, answers: readonly Answer[]) {
  const asked: unknown[] = []
  const left = [...answers]
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { accept, prefer, 'content-type': type, 'x-api-key': key, 'x-client-id': client } = request.headers
    assert.deepEqual(
      [key, client, accept],
      ['the key', `gantry-cli/${packageVersion()}`, 'application/json, application/problem+json, */*'],
    )
    const text = Buffer.concat(chunks).toString()
    asked.push([
      `${request.method} ${request.url}`,
      ...(prefer === undefined ? [] : [prefer]),
      ...(type === undefined ? [] : [type, JSON.parse(text)]),
    ])
    const { status = 200, type: answerType = json, body, pieces } = left.shift() ?? { status: 500 }
    response.writeHead(status, { 'content-type': answerType })
    for (const piece of pieces ?? []) {
      response.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    response.end(pieces ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  return { client: new GatewayClient({ url, key: 'the key' }), asked, url, left }
}

const route = (method: string, path: string, more = {}): Answer => ({
  body: {
    method,
    path,
    mode: 'sync',
    kind: 'command',
    otherRoutes: [],
    responses: [{ contentType: json }],
    body: null,
    ...more,
  },
})

const failing = (promise: Promise<unknown>): Promise<[number, string]> =>
  promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => {
      assert.ok(error instanceof CliError, String(error))
      return [error.exitCode, error.message]
    },
  )

test('a call takes the route that answers with the result, and puts the fields where the route has them', async (t) => {
  const { client, asked, left } = await fakeGateway(t, [
    route('POST', '/api/things/{name}/later', {
      mode: 'async',
      otherRoutes: [
        { method: 'GET', path: '/api/x', mode: 'async' },
        { method: 'PUT', path: '/api/things/{name}', mode: 'sync' },
      ],
      body: { properties: { count: { type: 'integer' } } },
    }),
    route('PUT', '/api/things/{name}', { body: { properties: { count: { type: 'integer' } } } }),
    { body: { done: true } },
    route('DELETE', '/api/files/{path*}', { kind: 'query' }),
    { body: [1] },
    route('GET', '/api/things/{deviceName}', { kind: 'query' }),
    { type: 'text/csv', body: 'a;b' },
    route('GET', '/api/things', { kind: 'query', mode: 'async' }),
    { status: 202, body: { jobId: 'J1', status: 'Pending' } },
    route('POST', '/api/things', { kind: 'query' }),
    { type: 'application/json', body: 'null' },
    route('POST', '/api/things'),
    { type: 'application/jsonish', body: '{}' },
  ])
  let commands = 0
  const onCommand = () => {
    commands++
  }
  assert.deepEqual(
    await client.call('things.change', { name: 'a b', more: [1] }, { texts: { count: '3' }, onCommand }),
    {
      kind: 'result',
      value: { done: true },
    },
  )
  const fields = { path: 'a b/ü', none: null, off: undefined, list: ['x', 'y'], tree: { a: 1 }, is: false, n: 0, e: '' }
  assert.deepEqual(await client.call('files.remove', fields, { onCommand }), { kind: 'result', value: [1] })
  assert.deepEqual(await client.call('things.get', { DeviceName: 'PLC/1' }), { kind: 'text', text: 'a;b' })
  assert.deepEqual(await client.call('things.list', {}, { async: true, onCommand }), {
    kind: 'job',
    jobId: 'J1',
    status: 'Pending',
  })
  assert.deepEqual(await client.call('things.find', {}), { kind: 'result', value: null })
  assert.deepEqual(await client.call('things.try', { a: 1 }, { dryRun: true, onCommand }), { kind: 'text', text: '{}' })
  assert.deepEqual(asked, [
    ['GET /api/command/info/things.change'],
    ['GET /api/command/info/%2Fapi%2Fthings%2F%7Bname%7D?method=PUT'],
    ['PUT /api/things/a%20b', 'respond-async', 'application/json', { more: [1], count: 3 }],
    ['GET /api/command/info/files.remove'],
    ['DELETE /api/files/a%20b/%C3%BC?list=x%2Cy&tree=%7B%22a%22%3A1%7D&is=false&n=0&e='],
    ['GET /api/command/info/things.get'],
    ['GET /api/things/PLC%2F1'],
    ['GET /api/command/info/things.list'],
    ['GET /api/things', 'respond-async'],
    ['GET /api/command/info/things.find'],
    ['POST /api/things', 'application/json', {}],
    ['GET /api/command/info/things.try'],
    ['POST /api/things', 'respond-async', 'application/json', { a: 1, dryRun: true }],
  ])
  assert.equal(commands, 2, 'told before each command, not of queries')
  assert.deepEqual(left, [])
})

test('a command that is followed on its connection has no job to wait for; its events come as they are', async (t) => {
  const pieces = ['id: 1\nevent: a\ndata: {"n":', '1}\n\n:\n\ndata:two\ndata:  lines\n', '\n', 'data: unfinished']
  const { client, asked } = await fakeGateway(t, [
    route('POST', '/api/follow', { responses: [{ contentType: 'text/event-stream' }, { contentType: json }] }),
    { type: 'text/event-stream; charset=utf-8', pieces },
    route('GET', '/api/follow', { kind: 'stream' }),
    { type: 'text/event-stream', pieces: ['data: ü\n\n'] },
  ])
  const read = async (operation: string) => {
    const answer = await client.call(operation, {})
    assert.ok(answer.kind === 'events')
    const events: string[] = []
    for await (const event of answer.events) events.push(event)
    return events
  }
  assert.deepEqual(await read('follow.begin'), ['{"n":1}', 'two\n lines'])
  assert.deepEqual(await read('follow.read'), ['ü'])
  assert.deepEqual(asked[1], ['POST /api/follow', 'application/json', {}])
})

test('what cannot be sent, or is answered with a problem, ends with its exit code', async (t) => {
  const { client, url } = await fakeGateway(t, [
    route('GET', '/api/things/{name}', { kind: 'query' }),
    route('GET', '/api/things/{name}', { kind: 'query' }),
    route('GET', '/api/things/{name}', { kind: 'stream' }),
    problem(404, 'route_not_found'),
    ...[400, 401, 403, 404, 405, 409, 415, 500].map((status) => problem(status, 'some_code')),
    { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' },
    { status: 404, body: { error: 'of another program' } },
    { status: 404, body: '"text"' },
  ])
  const missing = 'The field "name" is missing: it is part of the address /api/things/{name}.'
  for (const fields of [{}, { Name: '' }])
    assert.deepEqual(await failing(client.call('things.get', fields)), [2, missing])
  assert.deepEqual(await failing(client.call('things.follow', {}, { dryRun: true })), [
    2,
    '--dry-run: things.follow is a stream; only commands can be tried.',
  ])
  const text = (code: string) => `${code}: Why.\n- /a: is wrong\nSuggestion: Do that.`
  assert.deepEqual(await failing(client.call('things.got', {})), [2, text('route_not_found')])
  for (const [status, code] of [
    [400, 2],
    [401, 4],
    [403, 4],
    [404, 1],
    [405, 2],
    [409, 1],
    [415, 2],
    [500, 1],
  ])
    assert.deepEqual(await failing(client.json('GET', '/x')), [code, text('some_code')], String(status))
  const foreign = (status: number) => `The answer is HTTP ${status} and no problem document: is this a Gantry gateway?`
  for (const status of [502, 404, 404]) assert.deepEqual(await failing(client.json('GET', '/x')), [1, foreign(status)])
  const nowhere = new GatewayClient({ url: 'http://127.0.0.1:9', key: 'k' })
  const [code, message] = await failing(nowhere.json('GET', '/x'))
  assert.equal(code, 3)
  assert.match(message, /^The gateway at http:\/\/127\.0\.0\.1:9 cannot be reached: ./)
  assert.match(url, /^http/)
})

test('a job is followed to its end, whatever it is', async () => {
  const views = (...all: Partial<JobView>[]) => all.map((view) => ({ jobId: 'J1', progress: 0, ...view }) as JobView)
  const error = { type: '', title: 'T', status: 403, code: 'forbidden', detail: 'Why.' }
  const follow = async (jobs: JobView[], options = {}) => {
    const seen: unknown[] = []
    const fake = {
      call: async (...given: unknown[]) => {
        const { onCommand, ...rest } = given[2] as { onCommand?: () => void }
        onCommand?.()
        seen.push([...given.slice(0, 2), rest])
        return { kind: 'job', jobId: 'J1', status: 'Pending' }
      },
      job: async (...given: unknown[]) => {
        seen.push(given)
        return jobs.shift()
      },
    } as unknown as GatewayClient
    const end = await callAndFollow(fake, 'things.change', { a: 1 }, options).catch((thrown: CliError) => [
      thrown.exitCode,
      thrown.message,
    ])
    return { seen, end }
  }
  const done = await follow(views({ status: 'Running', progress: 50 }, { status: 'Completed', result: { n: 1 } }))
  assert.deepEqual(done, {
    seen: [
      ['things.change', { a: 1 }, { async: false }],
      ['J1', 30],
      ['J1', 30],
    ],
    end: { kind: 'result', value: { n: 1 } },
  })
  assert.deepEqual(await follow([], { async: true, dryRun: true }), {
    seen: [['things.change', { a: 1 }, { async: true, dryRun: true }]],
    end: { kind: 'job', jobId: 'J1', status: 'Pending' },
  })
  const asJob = await follow(views({ status: 'Completed' }), { asJob: true, texts: { b: '2' } })
  assert.deepEqual(asJob.seen[0], ['things.change', { a: 1 }, { async: true, texts: { b: '2' } }])
  assert.deepEqual(asJob.end, { kind: 'result', value: undefined })
  assert.deepEqual((await follow(views({ status: 'Failed', error }))).end, [4, 'forbidden: Why.'])
  assert.deepEqual((await follow(views({ status: 'Failed' }))).end, [1, 'Job J1 failed.'])
  assert.deepEqual((await follow(views({ status: 'Cancelled' }))).end, [1, 'Job J1 was cancelled.'])
})
