/** Webhooks with a receiver of their own: what is told, signed, tried again after a restart, refused, shown to whom. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { actor, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { until } from '../../test/until.ts'

const secret = `whsec_${Buffer.from('a key of some more than twenty-four bytes').toString('base64')}`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that answers with the statuses in their order, then with the last one. */
async function receiver(t: TestContext, statuses: number[] = [200], headers: Record<string, string> = {}) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0])!, headers)
      response.end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { received, statuses, url: `http://127.0.0.1:${port}/hook` }
}

const open = (t: TestContext) => openTestGateway(t)

const allow = (at: TestGateway) => at.call('webhooks.save-settings', { privateHosts: ['127.0.0.1'] })

interface Listed {
  readonly deliveries: readonly {
    readonly outcome: string
    readonly attempts: number
    readonly type: string
    readonly messageId: string
    readonly error?: string
    readonly httpStatus?: number
    readonly nextAt?: string
  }[]
}
const listed = async (at: TestGateway, id: string) =>
  (await at.call<Listed>('webhooks.list-deliveries', { id })).deliveries
const settled = (at: TestGateway, id: string, count: number) =>
  until(
    async () => (await listed(at, id)).filter(({ outcome }) => outcome !== 'retry').length >= count,
    `${count} messages are settled`,
  )

const parsed = ({ body }: Received) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> }

test('ends of jobs are told once, signed, and only those that are wanted', async (t) => {
  const at = await open(t)
  const { received, url } = await receiver(t)
  await allow(at)
  const created = await at.call<{ id: string; isActive: boolean }>('webhooks.create', {
    name: 'Projects',
    url,
    on: 'job',
    filter: { operation: 'projects.*', statuses: ['Completed', 'Failed'] },
    secret,
  })
  assert.ok(created.isActive && !JSON.stringify(created).includes('secret'))
  await at.call('projects.create', { name: 'Line' })
  await assert.rejects(at.call('projects.create', { name: 'Line' }))
  await at.call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  await settled(at, created.id, 2)
  assert.deepEqual(
    received.map((one) => [parsed(one).type, parsed(one).data.command, parsed(one).data.status]),
    [
      ['job.completed', 'projects.create', 'Completed'],
      ['job.failed', 'projects.create', 'Failed'],
    ],
  )
  for (const { headers, body } of received) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(secret.slice(6), 'base64')
    const expected = createHmac('sha256', key).update(signed).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${expected}`)
    assert.equal(headers['content-type'], 'application/json')
  }
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 2)
  const { error } = parsed(received[1]!).data as { error: { code: string } }
  assert.equal(error.code, 'conflict')
  const shown = await listed(at, created.id)
  assert.deepEqual(
    shown.map(({ outcome, attempts, type, messageId }) => [outcome, attempts, type, messageId]),
    received.map((one) => ['delivered', 1, parsed(one).type, one.headers['webhook-id']]).reverse(),
  )
})

test('records of the audit are told, what webhooks write is not, and a secret is in nothing that is read', async (t) => {
  const at = await open(t)
  const { received, url } = await receiver(t)
  await allow(at)
  const { id } = await at.call<{ id: string }>('webhooks.create', {
    name: 'All',
    url,
    on: 'audit',
    filter: { types: ['projects.*', 'webhooks.*', 'job.*'] },
    secret,
  })
  await at.call('webhooks.update', { id, secret: 'another text of more than twenty-four bytes' })
  await at.call('projects.create', { name: 'Line' })
  await until(() => received.some((one) => parsed(one).data.type === 'projects.opened'), 'an event is told')
  await until(() => received.some((one) => parsed(one).data.type === 'job.completed'), 'the end of the job is told')
  const told = received.map((one) => parsed(one).data as { type: string; operation: string })
  assert.ok(told.every(({ type, operation }) => !type.startsWith('webhooks.') && operation === 'projects.create'))
  const audit = JSON.stringify(await at.call('audit.list', { operation: 'webhooks.*', limit: 100 }))
  const hooks = JSON.stringify(await at.call('webhooks.list', {}))
  for (const text of [audit, hooks])
    for (const word of ['whsec_', 'another text of more']) assert.equal(text.includes(word), false, text)
})

test('what fails is tried again after a restart, with the same id', async (t) => {
  const { received, statuses, url } = await receiver(t, [503])
  const first = await open(t)
  await allow(first)
  const { id } = await first.call<{ id: string }>('webhooks.create', {
    name: 'H',
    url,
    on: 'job',
    filter: { operation: 'projects.*' },
    secret,
  })
  await first.call('projects.create', { name: 'Line' })
  await until(async () => (await listed(first, id)).length === 1, 'the attempt is noted')
  const [waiting] = await listed(first, id)
  assert.deepEqual([waiting?.outcome, waiting?.attempts, waiting?.httpStatus], ['retry', 1, 503])
  assert.match(waiting?.nextAt ?? '', /^\d{4}-/)
  statuses[0] = 200
  const second = await first.restart()
  await settled(second, id, 1)
  const [done] = await listed(second, id)
  assert.deepEqual([done?.outcome, done?.attempts], ['delivered', 2])
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  const [webhook] = (await second.call<{ webhooks: { waiting: number }[] }>('webhooks.list', {})).webhooks
  assert.equal(webhook?.waiting, 0)
})

test('410 stops a webhook until it is switched on again; from then on it is told', async (t) => {
  const at = await open(t)
  const { received, statuses, url } = await receiver(t, [410])
  await allow(at)
  const { id } = await at.call<{ id: string }>('webhooks.create', {
    name: 'H',
    url,
    on: 'job',
    filter: { operation: 'projects.*' },
    secret,
  })
  await at.call('projects.create', { name: 'Line' })
  await settled(at, id, 1)
  await at.call('projects.simulation-support', {})
  const shown = async () => (await at.call<{ webhooks: { stopped?: string }[] }>('webhooks.list', {})).webhooks[0]
  assert.match((await shown())?.stopped ?? '', /410/)
  statuses[0] = 200
  await at.call('webhooks.update', { id, isActive: true })
  assert.equal((await shown())?.stopped, undefined)
  await at.call('projects.simulation-support', { enabled: false })
  await settled(at, id, 2)
  assert.deepEqual(
    received.map((one) => parsed(one).data.command),
    ['projects.create', 'projects.simulation-support'],
  )
})

test('alarms of a controller are told', async (t) => {
  const at = await open(t)
  const { received, url } = await receiver(t)
  await allow(at)
  const { id } = await at.call<{ id: string }>('webhooks.create', {
    name: 'Alarms',
    url,
    on: 'alarm',
    filter: { instance: 'Line*' },
    secret,
  })
  const alarms = [{ event: 'incoming', alarm: 'Level', alarmClass: 'Error', time: '2026-01-31T14:00:00.000Z' }]
  for (const [i, name] of ['Other', 'Line_1'].entries()) {
    await at.call('simulation.create-instance', { name, cpuType: 'CPU1515', ipAddress: `192.168.0.${i + 1}` })
    await at.call('simulation.report-alarms', { name, alarms, unreported: i })
  }
  await settled(at, id, 1)
  assert.equal(received.length, 1)
  const { type, data } = parsed(received[0]!)
  assert.deepEqual([type, data.instance, data.alarms, data.unreported], ['alarm.reported', 'Line_1', alarms, 1])
})

test('a test message tells how it ended', async (t) => {
  const at = await open(t)
  const { received, statuses, url } = await receiver(t, [204])
  await allow(at)
  const { id } = await at.call<{ id: string }>('webhooks.create', { name: 'H', url, on: 'alarm', secret })
  const run = () => at.call<{ delivered: boolean; httpStatus?: number; error?: string }>('webhooks.test', { id: 'h' })
  assert.deepEqual([(await run()).delivered, parsed(received[0]!).type], [true, 'webhook.test'])
  statuses[0] = 302
  const redirected = await run()
  assert.deepEqual([redirected.delivered, redirected.httpStatus], [false, 302])
  await at.call('webhooks.save-settings', { privateHosts: [] })
  const refused = await run()
  assert.match(refused.error ?? '', /https/)
  assert.equal(received.length, 2)
  await at.call('webhooks.delete', { id })
  await assert.rejects(run(), { code: 'not_found' })
})

test('only administrators, only hosts that are allowed, only conditions of the kind, only strong secrets', async (t) => {
  const at = await open(t)
  const good = { name: 'H', url: 'https://example.com/x', on: 'job', secret }
  for (const access of ['viewer', 'engineer', 'operator'] as const)
    for (const id of ['webhooks.list', 'webhooks.get-settings'])
      await assert.rejects(at.call(id, {}, { actor: actor(access) }), { code: 'forbidden' })
  const refused = async (more: object, path: RegExp) =>
    assert.rejects(at.call('webhooks.create', { ...good, ...more }), (error: Error & { code: string }) => {
      assert.equal(error.code, 'invalid_input')
      assert.match(error.message, path)
      return true
    })
  for (const url of [
    'http://example.com',
    'ftp://example.com',
    'https://u:p@example.com',
    'nothing',
    'https://localhost/x',
  ])
    await refused({ url }, /^\/url/)
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '10.1.2.3',
    '169.254.169.254',
    '[::ffff:192.168.0.1]',
    '2130706433',
    '0x7f.1',
  ])
    await refused({ url: `https://${host}/` }, /private/)
  await refused({ filter: { instance: 'PLC_1' } }, /^\/filter\/instance/)
  await refused({ secret: 'short' }, /^\/secret/)
  await refused({ secret: 'whsec_!!!' }, /^\/secret/)
  await at.call('webhooks.save-settings', { allowedHosts: ['*.plant.example'] })
  await refused({}, /allowed hosts/)
  await at.call('webhooks.create', { ...good, url: 'https://ci.plant.example/' })
  await assert.rejects(at.call('webhooks.create', { ...good, name: 'h', url: 'https://ci.plant.example/' }), {
    code: 'name_taken',
  })
  const { warnings } = await at.call<{ warnings: string[] }>('webhooks.save-settings', {
    allowedHosts: ['other.example'],
  })
  assert.match(warnings.join(), /"H"/)
})
