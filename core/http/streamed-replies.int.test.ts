/** Commands that are followed as they run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key, startServer } from '../../test/http-server.ts'
import { becomes } from '../../test/until.ts'

/** Events of an answer as `name data`. */
const eventsOf = (text: string) =>
  [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, name, data]) => `${name} ${data}`)

test('a streamed command sends its events, then its result', async (t) => {
  const { post } = await startServer(t)
  const answer = await post('/api/probe/follow', { steps: 2 })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.match(answer.headers.get('x-job-id') ?? '', /^J/)
  const result = '{"steps":2,"text":"known to the caller only"}'
  assert.deepEqual(eventsOf(answer.text), ['step {"step":1}', 'step {"step":2}', `done ${result}`])
  const plain = await post('/api/probe/follow', { steps: 2 }, { accept: 'application/json' })
  assert.equal(plain.text, result)
})

test('its failures: before it runs as a problem, later as the last event', async (t) => {
  const { post } = await startServer(t)
  const wrong = await post('/api/probe/follow', { steps: 0 })
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'invalid_input'])
  const failed = await post('/api/probe/follow', { steps: 1, end: 'fail' })
  assert.equal(failed.status, 200)
  const [step, last = ''] = eventsOf(failed.text)
  assert.equal(step, 'step {"step":1}')
  const { code, jobId, status } = JSON.parse(last.replace(/^error /, ''))
  assert.deepEqual([code, status, jobId], ['conflict', 409, failed.headers.get('x-job-id')])
  assert.equal((await post('/api/probe/follow', { steps: 1, end: 'fail' }, { accept: 'application/json' })).status, 409)
})

test('a client that leaves cancels the job', async (t) => {
  const { url, gateway } = await startServer(t)
  const controller = new AbortController()
  const response = await fetch(`${url}/api/probe/follow`, {
    method: 'POST',
    body: '{"steps":1,"end":"wait"}',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    signal: controller.signal,
  })
  const jobId = response.headers.get('x-job-id')!
  const reader = response.body!.getReader()
  await reader.read()
  const status = async () => (await gateway.jobs.find(jobId))?.status
  assert.equal(await status(), 'Running')
  controller.abort()
  await becomes(status, 'Cancelled')
})

test('a text of the result that the log has only sealed is not read again', async (t) => {
  const { post, gateway } = await startServer(t)
  const answer = await post('/api/probe/follow', { steps: 1 })
  const job = await gateway.jobs.find(answer.headers.get('x-job-id')!)
  assert.deepEqual(job?.result, { steps: 1, text: '(secret)' })
  const records: unknown[] = []
  for await (const commit of gateway.store.log.read()) records.push(...commit)
  assert.doesNotMatch(JSON.stringify(records), /known to the caller only/)
  assert.match(JSON.stringify(records), /sealed:/)
})
