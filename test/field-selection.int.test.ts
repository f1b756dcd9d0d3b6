/** `?fields=` on the lists of the built-in plugins, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer, listen } from '../core/http/server.ts'
import { openTestGateway } from './harness.ts'

interface Body {
  readonly [name: string]: unknown
  readonly errors?: readonly { readonly path: string; readonly allowed: readonly string[] }[]
}

test('lists that can be long answer only the fields that are asked for', async (t) => {
  const { gateway, call } = await openTestGateway(t)
  await call('projects.create', { name: 'Line' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  for (const name of ['A', 'B', 'C']) await call('blocks.create', { deviceName: 'PLC_1', name, type: 'FC' })
  const app = await createServer(gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'X-API-Key': gateway.createdKey ?? '' } })
    return { status: response.status, json: (await response.json()) as Body, etag: response.headers.get('etag') }
  }
  const blocks = '/api/devices/PLC_1/blocks'

  const page = await get(`${blocks}?fields=name,Type&limit=2`)
  assert.deepEqual(page.json, {
    blocks: [
      { name: 'A', type: 'FC' },
      { name: 'B', type: 'FC' },
    ],
    total: 3,
    nextCursor: 'B',
  })
  assert(page.etag)
  const jobs = await get('/api/jobs?fields=status&limit=1')
  assert.deepEqual(jobs.json.jobs, [{ status: 'Completed' }])

  const wrong = await get(`${blocks}?fields=nam`)
  assert.equal(wrong.status, 400)
  assert.match(String(wrong.json.detail), /no entry has a field "nam" \(did you mean "name"\?\)/)
  assert(wrong.json.errors?.[0]?.allowed.includes('programmingLanguage'))
  assert.equal((await get(`${blocks}?fields=`)).status, 400)
  const notAList = await get('/api/projects/overview?fields=name')
  assert.match(String(notAList.json.detail), /fields: unknown property/)

  assert.equal((await get(`${blocks}?type=fc&fields=name`)).status, 200)
  assert.equal((await get(`${blocks}?type=banana`)).status, 400)
})
