/** `?asOf=`: queries over HTTP on an earlier state; and the header X-Group-Id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer, listen } from '../../test/http-server.ts'
import { fbSource, openPlant } from '../../test/plant.ts'

const key = 'gty_key-of-this-test'

test('a query answers as the state was after a record or at a time', async (t) => {
  let now = Date.UTC(2026, 0, 1)
  const plant = await openPlant(t, { apiKey: key, clock: () => (now += 10) })
  const app = await createServer(plant.gateway, { graceMs: 1000 })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'x-api-key': key } })
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }
  const device = '/api/devices/PLC_1'
  const put = (statement: string) =>
    plant.call('blocks.import', { deviceName: 'PLC_1', content: fbSource('Pump', statement) })
  await put('#out := 1;')
  const seq = plant.gateway.store.log.durableSeq
  now += 1000
  const time = new Date(now).toISOString()
  now += 1000
  await put('#out := 2;')
  await plant.call('blocks.rename', { deviceName: 'PLC_1', blockName: 'Pump', newName: 'Valve' })
  for (const asOf of [String(seq), time]) {
    const then = await get(`${device}/blocks/Pump/content?view=text&asOf=${encodeURIComponent(asOf)}`)
    assert.equal(then.status, 200, JSON.stringify(then.body))
    assert.match(JSON.stringify(then.body), /:= 1;/)
    assert.equal(then.headers.get('gantry-as-of'), String(seq))
    assert.equal(then.headers.get('etag'), null)
  }
  const list = await get(`${device}/blocks?asOf=${seq}&fields=name`)
  assert.deepEqual(list.body, { blocks: [{ name: 'Pump' }], total: 1 })
  assert.equal((await get(`${device}/blocks/Pump/content`)).status, 404)
  assert.equal((await get(`${device}/blocks/Valve/content?asOf=${seq}`)).status, 404)

  const refusals: [string, number, RegExp][] = [
    [`${device}/blocks?asOf=999999`, 400, /999999 is not in the log/],
    [`${device}/blocks?asOf=yesterday`, 400, /neither the seq of a record nor an RFC 3339 time/],
    [`${device}/blocks?asOf=2100-01-01T00:00:00Z`, 400, /is in the future/],
    ['/api/jobs?asOf=3', 400, /jobs\.list does not answer from the state alone/],
    ['/api/settings?asOf=3', 400, /settings\.\w+ does not read the state of the project/],
  ]
  for (const [path, status, detail] of refusals) {
    const { body, ...answer } = await get(path)
    assert.equal(answer.status, status, path)
    assert.match((body as { detail: string }).detail, detail)
  }
})

test('the commands of a group are found by the header of their calls', async (t) => {
  const plant = await openPlant(t, { apiKey: key })
  const app = await createServer(plant.gateway, { graceMs: 1000 })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const post = (path: string, body: unknown, group: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-group-id': group },
      body: JSON.stringify(body),
    })
  const table = '/api/devices/PLC_1/tags'
  for (const name of ['A', 'B']) assert.equal((await post(table, { name, dataType: 'Bool' }, 'turn:1')).status, 200)
  assert.equal((await post(table, { name: 'C', dataType: 'Bool' }, 'turn 1')).status, 400)
  const undone = (await (await post('/api/history/undo', { thisGroup: true }, 'turn:1')).json()) as { jobs: unknown[] }
  assert.equal(undone.jobs.length, 2)
  const job = await post('/api/history/actions/redo', {}, 'turn:1')
  assert.equal(job.status, 202)
})
