/** The answer profile `envelope`: by prefix, by client, by setting; and that everything else stays plain. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { becomes } from '../../test/until.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { createServer, listen } from './server.ts'

interface Envelope {
  success: boolean
  message: string
  timestamp: string
  errorCode?: string
  data?: unknown
  total?: number
  [more: string]: unknown
}

async function open(t: TestContext) {
  const gantry = await openTestGateway(t, {
    pluginDirs: [builtInPlugins],
    corePlugins: [mcpPlugin],
    apiKey: 'envelope-test-key',
  })
  const app = await createServer(gantry.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const send = async (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': 'envelope-test-key',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text,
      json: () => JSON.parse(text) as Envelope,
    }
  }
  return { ...gantry, send }
}

test('under /compat answers are in the envelope: values, lists, jobs, texts, problems', async (t) => {
  const { send, dir } = await open(t)
  const created = await send('POST', '/compat/api/projects/actions/create', {
    name: 'P',
    path: join(dir, 'workspace/P'),
  })
  assert.equal(created.status, 202)
  const { jobId } = created.json().data as { jobId: string }
  assert.equal(created.json().success, true)
  const job = async () => (await send('GET', `/compat/api/jobs/${jobId}`)).json().data as { status: string }
  await becomes(async () => (await job()).status, 'Completed')
  await send('POST', '/compat/api/projects/devices', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  const sclContent = 'FUNCTION "Scale" : Real\nBEGIN\n  #Scale := 1.0;\nEND_FUNCTION\n'
  const imported = await send('POST', '/compat/api/devices/PLC_1/blocks/generate-and-import', { sclContent })
  assert.equal(imported.json().success, true, imported.text)
  const list = (await send('GET', '/compat/api/devices/PLC_1/blocks')).json()
  assert.deepEqual([(list.data as { name: string }[])[0]?.name, list.total], ['Scale', 1])
  assert.match(list.timestamp, /^\d{4}-/)

  const xml = await send('GET', '/compat/api/devices/PLC_1/blocks/Scale/export-xml')
  assert.match(String(xml.json().data), /^<\?xml/)
  for (let i = 0; i < 2; i++) {
    const exported = await send('POST', '/compat/api/devices/PLC_1/blocks/Scale/export', {
      exportPath: 'out/Scale.xml',
    })
    assert.equal(exported.status, 200, exported.text)
  }
  assert.match(await readFile(join(dir, 'workspace/out/Scale.xml'), 'utf8'), /<Document>/)

  const missing = await send('GET', '/compat/api/devices/PLC_1/blocks/Nothing/content')
  assert.deepEqual([missing.status, missing.json().success, missing.json().errorCode], [404, false, 'not_found'])
  assert.match(missing.json().message, /Nothing/)
  assert.equal((await send('GET', '/compat/api/nowhere')).json().success, false)
  assert.equal((await send('POST', '/compat/api/projects/devices', '{')).json().success, false)

  const faulty = 'FUNCTION "Bad" : Int\nBEGIN\n  #Bad := "Nothing" + 1;\nEND_FUNCTION\n'
  await send('POST', '/compat/api/devices/PLC_1/blocks/generate-and-import', { sclContent: faulty })
  const compiled = (await send('POST', '/compat/api/devices/PLC_1/actions/compile-sync', {})).json()
  assert.match(JSON.stringify(compiled.data), /\(Line: \d+; Col: \d+\)"/)
})

test('without the prefix answers are plain, unless the client or all clients are in the settings', async (t) => {
  const { send } = await open(t)
  const plain = await send('GET', '/api/settings')
  assert.equal('success' in plain.json(), false)
  const client = { 'x-client-id': 'vscode-tool/1.2' }
  assert.equal('success' in (await send('GET', '/api/settings', undefined, client)).json(), false)
  await send('PATCH', '/api/settings', { compatibility: { envelopeClients: ['vscode-*'] } })
  assert.equal((await send('GET', '/api/settings', undefined, client)).json().success, true)
  assert.equal('success' in (await send('GET', '/api/settings')).json(), false)
  await send('PATCH', '/api/settings', { compatibility: { envelope: true } })
  assert.equal((await send('GET', '/api/settings')).json().success, true)
  assert.equal('success' in (await send('GET', '/mcp/info')).json(), false)
})

test('a key is needed under /compat too; problems have a message beside the detail', async (t) => {
  const { send } = await open(t)
  const refused = await send('GET', '/compat/api/settings', undefined, { 'x-api-key': 'wrong' })
  assert.deepEqual([refused.status, refused.json().success, refused.json().errorCode], [401, false, 'unauthorized'])
  const problem = (await send('GET', '/api/jobs/none')).json()
  assert.equal(problem.message, problem.detail)
  assert.equal((await send('GET', '/compat/mcp/info')).json().name, 'gantry')
})

test('one setting is changed by its own call', async (t) => {
  const { send } = await open(t)
  type Saved = { limits: Record<string, number>; security: { allowedHosts: string[]; apiKeys: { name: string }[] } }
  const before = (await send('GET', '/api/settings')).json() as unknown as Saved
  const change = async (body: object) => (await send('PATCH', '/api/settings', body)).json() as unknown as Saved
  assert.deepEqual((await change({ limits: { pendingJobs: 7 } })).limits, { ...before.limits, pendingJobs: 7 })
  await change({ security: { allowedHosts: { add: ['a.example', 'b.example'] } } })
  assert.deepEqual((await change({ security: { allowedHosts: { remove: ['a.example'] } } })).security.allowedHosts, [
    'b.example',
  ])
  const key = { name: 'robot', access: 'engineer', key: 'a-secret-of-sixteen' }
  assert.equal((await change({ security: { apiKeys: { add: [key] } } })).security.apiKeys.length, 1)
  assert.equal((await send('GET', '/api/jobs', undefined, { 'x-api-key': key.key })).status, 200)
  const raised = await change({ security: { apiKeys: { add: [{ name: 'Robot', access: 'viewer' }] } } })
  assert.deepEqual(raised.security.apiKeys, [{ name: 'Robot', access: 'viewer' }])
  assert.equal((await send('GET', '/api/jobs', undefined, { 'x-api-key': key.key })).status, 200)
  assert.deepEqual((await change({ security: { apiKeys: { remove: ['robot'] } } })).security.apiKeys, [])
  assert.equal((await send('PATCH', '/api/settings', { security: { apiKeys: { remove: ['none'] } } })).status, 400)
  assert.equal((await send('PATCH', '/api/settings', { limit: {} })).status, 400)
})
