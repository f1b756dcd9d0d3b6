/** Over all operations: what changes an object that can be read, can be made conditional on it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../core/contract/operation.ts'
import { openTestGateway } from './harness.ts'
import { createServer, listen } from './http-server.ts'
import { openPlant } from './plant.ts'

test('every path that a command names as what it changes is read by a query', async (t) => {
  const { gateway } = await openTestGateway(t)
  const named = gateway.registry.operations.filter(
    (operation): operation is Command => operation.kind === 'command' && operation.changes !== undefined,
  )
  assert.ok(named.length >= 10)
  for (const command of named) assert.equal(gateway.registry.targetOf(command)?.path, command.changes, command.id)
})

test('every command that changes the project or the settings has something to be conditional on', async (t) => {
  const { gateway } = await openTestGateway(t)
  const free = gateway.registry.operations.filter(
    (operation) => operation.kind === 'command' && !gateway.registry.targetOf(operation),
  )
  // Controllers, processes and the log itself: what they do next does not depend on an answer that was read.
  const actions = ['simulation', 'alarms', 'instance', 'audit', 'system']
  const operating = ['hmi.write-variable', 'hmi.acknowledge-alarms']
  // A talk depends on what is said; a change that it leads to is decided once.
  const talks = ['chat', 'stop', 'approve', 'reject', 'keep-turn', 'decide'].map((name) => `assistant.${name}`)
  // They note what has happened.
  const notes = ['plc-tests.run-harness-tests', 'webhooks.record-deliveries', 'pipelines.keep-execution']
  const exceptions = [...operating, ...talks, ...notes]
  assert.deepEqual(
    free.map(({ id }) => id).filter((id) => !actions.includes(id.split('.')[0]!) && !exceptions.includes(id)),
    [],
  )
})

test('a device, a block, a type and a profile are renamed, changed and deleted only as they were read', async (t) => {
  const key = 'gty_key-of-this-test'
  const plant = await openPlant(t, { apiKey: key })
  await plant.call('blocks.create', { deviceName: 'PLC_1', name: 'Pump', type: 'FB', language: 'SCL', code: ';' })
  await plant.call('types.create', { deviceName: 'PLC_1', name: 'Motor', members: [{ name: 'on', dataType: 'Bool' }] })
  await plant.call('simulation.create-profile', { name: 'Line', instances: [{ name: 'PLC_9' }] })
  const app = await createServer(plant.gateway, { graceMs: 1000 })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
  }
  const device = '/api/devices/PLC_1'
  const cases: [read: string, method: string, path: string, body?: unknown][] = [
    [`${device}/blocks/Pump/content`, 'POST', `${device}/blocks/actions/rename`, { blockName: 'Pump', newName: 'P' }],
    [`${device}/udts/Motor`, 'POST', `${device}/udts/actions/rename`, { udtName: 'Motor', newName: 'M' }],
    ['/api/simulation/profiles/Line', 'PUT', '/api/simulation/profiles/Line', { description: 'new' }],
    ['/api/simulation/profiles/Line', 'DELETE', '/api/simulation/profiles/Line'],
    [device, 'POST', '/api/devices/actions/rename', { deviceName: 'PLC_1', newName: 'PLC_2' }],
    ['/api/devices/PLC_2', 'DELETE', '/api/devices/PLC_2'],
  ]
  for (const [read, method, path, body] of cases) {
    const { etag, status } = await send('GET', read)
    assert.equal(status, 200, read)
    assert.match(etag, /^"[\w-]{22}"$/, read)
    const refused = await send(method, path, body, { 'if-match': '"as-it-was-long-ago"' })
    assert.equal(refused.status, 412, `${method} ${path}: ${refused.text}`)
    const done = await send(method, path, body, { 'if-match': etag })
    assert.equal(done.status, 200, `${method} ${path}: ${done.text}`)
  }
})
