/** The hub of job events: what clients of long polling hear, and what of it is kept. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { problem } from '../contract/problems.ts'
import { JobHub } from './job-hub.ts'
import { createServer, listen } from './server.ts'

const key = 'hub-test-key'

interface Said {
  readonly C: string
  readonly M: readonly { readonly H: string; readonly M: string; readonly A: readonly unknown[] }[]
}

async function serve(t: TestContext) {
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins], apiKey: key, durability: 'os' })
  const app = await createServer(at.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`${url}${path}`, { method, headers: { 'x-api-key': key } })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...at, app, url, get }
}

for (const prefix of ['', '/compat'])
  test(`a client that polls hears of a job from its acceptance to its end${prefix && ' under /compat'}`, async (t) => {
    const { call, get } = await serve(t)
    const hubs = encodeURIComponent(JSON.stringify([{ name: 'jobhub' }]))
    const base = `${prefix}/signalr`
    const { body: agreed } = await get(`${base}/negotiate?connectionData=${hubs}`, 'POST')
    assert.equal(typeof agreed.ConnectionToken, 'string', JSON.stringify(agreed))
    const query = `connectionData=${hubs}&connectionToken=${agreed.ConnectionToken}&transport=longPolling`
    assert.equal((await get(`${base}/start?${query}`)).body.Response, 'started')
    const heard: unknown[][] = []
    let cursor = String(agreed.MessageId)
    const poll = async () => {
      const { status, body } = await get(`${base}/poll?${query}&messageId=${cursor}`)
      assert.equal(status, 200, JSON.stringify(body))
      const said = body as unknown as Said
      cursor = said.C
      for (const { H, M, A } of said.M) {
        assert.equal(H, 'JobHub')
        heard.push([M, ...A])
      }
    }
    // The poll waits before anything happens.
    const waiting = poll()
    await call('projects.create', { name: 'Line' })
    await waiting
    const isOver = () => heard.some(([method, , status]) => method === 'jobStatusChanged' && status === 'Completed')
    while (!isOver()) await poll()
    const states = heard.filter(([method]) => method === 'jobStatusChanged').map(([, , status]) => status)
    assert.deepEqual([states[0], states.at(-1)], ['Pending', 'Completed'])
    assert.equal(new Set(heard.map(([, jobId]) => jobId)).size, 1)
    assert.equal((await get(`${base}/abort?${query}`, 'POST')).status, 200)
  })

test('what is no poll is refused, and needs a key', async (t) => {
  const { get, url } = await serve(t)
  assert.equal((await fetch(`${url}/signalr/negotiate`, { method: 'POST' })).status, 401)
  const other = await get('/signalr/start?transport=webSockets')
  assert.deepEqual([other.status, other.body.code], [400, 'invalid_input'])
  const wrong = await get('/signalr/poll?transport=longPolling&messageId=abc')
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_input'])
})

test('a poll that waits ends with the server', async (t) => {
  const { get, app } = await serve(t)
  await get('/signalr/negotiate', 'POST')
  const waiting = get('/signalr/poll?transport=longPolling')
  // The connection is in the server when a later request is answered.
  await get('/signalr/negotiate', 'POST')
  const closed = app.close()
  assert.deepEqual((await waiting).body.M, [])
  await closed
})

const now = new AbortController().signal
const job = { jobId: 'a', outcome: undefined, message: undefined, progress: 0 }
const told = async (hub: JobHub, after = 0) =>
  (await hub.after(after, now, 1)).map(({ method, args }) => [method, ...args])

test('progress is told by whole percents, and an end with its reason', async () => {
  const hub = new JobHub()
  hub.hear({ ...job, status: 'Pending' })
  hub.hear({ ...job, status: 'Running' })
  for (const progress of [0.2, 0.9, 1.1, 1.4]) hub.hear({ ...job, status: 'Running', progress, message: 'Reading' })
  const outcome = { ok: false, error: problem('not_found', 'There is none.') } as const
  // Known, and not durable yet: nobody hears of it.
  hub.hear({ ...job, status: 'Running', progress: 9, outcome })
  hub.hear({ ...job, status: 'Failed', progress: 9, outcome })
  hub.hear({
    ...job,
    jobId: 'b',
    status: 'Cancelled',
    outcome: { ok: false, error: problem('request_cancelled', 'Stopped.') },
  })
  assert.deepEqual(await told(hub), [
    ['jobStatusChanged', 'a', 'Pending', null, ''],
    ['jobStatusChanged', 'a', 'Running', null, ''],
    ['jobProgressChanged', 'a', 1, 'Reading'],
    ['jobStatusChanged', 'a', 'Failed', null, 'There is none.'],
    ['jobStatusChanged', 'b', 'Failed', null, 'Stopped.'],
  ])
})

test('only the newest thousand events are kept, and none is told twice', async () => {
  const hub = new JobHub()
  for (let i = 0; i < 5000; i++) hub.hear({ ...job, jobId: `j${i}`, status: 'Completed' })
  const all = await told(hub)
  assert.equal(all.length, 1000)
  assert.equal(all.at(-1)?.[1], 'j4999')
  assert.deepEqual(await told(hub, hub.last - 1), [['jobStatusChanged', 'j4999', 'Completed', null, '']])
  assert.deepEqual(await told(hub, hub.last), [])
})
