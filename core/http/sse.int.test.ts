// In a process of its own: it looks at the memory of the process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { key, startServer } from '../../test/http-server.ts'
import { until } from '../../test/until.ts'
import { eventText } from './sse.ts'

test('an event is written line by line', () => {
  assert.equal(eventText({ id: '7', event: 'tick', data: { a: 1 } }), 'id: 7\nevent: tick\ndata: {"a":1}\n\n')
  assert.equal(eventText({ data: 'one\r\ntwo\nthree' }), 'data: one\ndata: two\ndata: three\n\n')
  assert.equal(eventText({ id: 'a\nevent: b', data: undefined }), 'id: aevent: b\ndata: null\n\n')
})

test('a stream sends its events, resumes at Last-Event-ID and ends', async (t) => {
  const { url, call } = await startServer(t)
  const answer = await call('/api/probe/count?to=3')
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
  assert.deepEqual(
    answer.text
      .trim()
      .split('\n\n')
      .map((e) => e.split('\n')[0]),
    ['id: 1', 'id: 2', 'id: 3'],
  )
  const resumed = await call('/api/probe/count?to=3', { headers: { 'last-event-id': '2' } })
  assert.deepEqual(resumed.text.match(/id: \d/g), ['id: 3'])
  const wrong = await call('/api/probe/count')
  assert.equal(wrong.status, 400)
  assert.equal(wrong.json.code, 'invalid_input')
  assert.equal((await fetch(`${url}/api/probe/count?to=1`)).status, 401)
})

test('an error in the middle is an event of its own, without inner details', async (t) => {
  const { call } = await startServer(t)
  const { text } = await call('/api/probe/count?to=1&fail=true')
  assert.match(text, /event: error\ndata: \{.*"code":"internal_error"/)
  assert.doesNotMatch(text, /inner detail/)
})

test('quiet streams get comments; they end at shutdown', async (t) => {
  const { url, app } = await startServer(t, { streams: { heartbeatMs: 20 } })
  const response = await fetch(`${url}/api/probe/count?to=2`, { headers: { 'x-api-key': key } })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  })()
  await until(() => text.includes('\n:\n'), 'a comment comes')
  assert.match(text, /id: 2/)
  await app.close()
  await reading
})

test('a client that leaves ends its stream', async (t) => {
  // A quiet stream notices it with its next comment. Not `fetch`: it opens another connection after an aborted call.
  const { app, port } = await startServer(t, { streams: { heartbeatMs: 100 } })
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/probe/count?to=2 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n\r\n`)
  const [start] = await once(socket, 'data')
  assert.match(String(start), /^HTTP\/1\.1 200 /)
  socket.destroy()
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  await until(async () => (await connections()) === 0, 'the connection is closed')
})

test('a client that does not read is cut off instead of kept in memory', async (t) => {
  const { port } = await startServer(t, { streams: { stallMs: 200, highWaterBytes: 100_000 } })
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.write(
    `GET /api/probe/count?to=1000000&size=10000 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('readable', resolve))
  // The stream offers ten gigabytes; the backlog stays near the high-water mark until the stall ends the stream.
  const before = process.memoryUsage().rss
  await sleep(600)
  assert.ok(process.memoryUsage().rss - before < 500e6)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
})
