/** One refusal names all that is missing for a run, in order, and what it says is enough. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'
import type { Answer } from '../../../test/online.ts'

const cpu = '6ES7 511-1AK02-0AB0'

async function withPlcs(t: TestContext, ...names: string[]) {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Line' })
  for (const name of names) {
    await at.call('devices.add', { orderNumber: cpu, name })
    await at.call('blocks.create', { deviceName: name, name: 'Main', type: 'OB', language: 'SCL', code: ';' })
  }
  const operations = at.gateway.registry.routes
  /** Sends the requests of a suggestion, one after the other. */
  async function follow(suggestion: string) {
    const requests = suggestion.split('; or ')[0]!.split(', then ')
    for (const text of requests) {
      const [, method, path, body] = /^(\w+) (\/api\/\S+)(?: (\{.*\}))?$/.exec(text) ?? []
      assert.ok(method, text)
      const route = operations.find((one) => one.method === method && matches(one.path, path!))
      assert.ok(route, text)
      await at.call(route.operation.id, { ...parameters(route.path, path!), ...JSON.parse(body ?? '{}') })
    }
    return requests.length
  }
  return { ...at, follow }
}
const segments = (path: string) => path.split('/')
const matches = (pattern: string, path: string) =>
  segments(pattern).length === segments(path).length &&
  segments(pattern).every((one, i) => one.startsWith('{') || one === segments(path)[i])
const parameters = (pattern: string, path: string) =>
  Object.fromEntries(
    segments(pattern).flatMap((one, i) => (one.startsWith('{') ? [[one.slice(1, -1), segments(path)[i]]] : [])),
  )

for (const [operation, input, code] of [
  ['simulation.start', { deviceName: 'PLC_1' }, 'invalid_input'],
  ['simulation.start', {}, 'invalid_input'],
  ['simulation.start', { name: 'PLC_1', deviceName: 'PLC_1' }, 'invalid_input'],
  ['simulation.connect', {}, 'invalid_input'],
  ['simulation.read-tags', { tags: ['%Q0.0'] }, 'simulation_not_connected'],
  ['online.get-cpu-status', { deviceName: 'PLC_1' }, 'device_unreachable'],
  ['online.explain-value', { deviceName: 'PLC_1', name: '%Q0.0' }, 'device_unreachable'],
] as const) {
  test(`${operation} ${JSON.stringify(input)} without an instance: one refusal, and its calls are enough`, async (t) => {
    const { call, follow } = await withPlcs(t, 'PLC_1')
    const error = await fails(
      call(operation, input),
      code,
      /there is no instance for "PLC_1" \(192\.168\.0\.1; CPU 1511-1 PN\); 2\. simulation support of project "Line" is off; 3\. its program is not running/,
    )
    const { suggestion = '' } = error.details
    assert.match(
      suggestion,
      /^POST \/api\/simulation\/instances\/create \{ "name": "PLC_1", "ipAddress": "192\.168\.0\.1", "orderNumber": "6ES7 511-1AK02-0AB0" \}, then /,
    )
    assert.equal(await follow(suggestion), 3)
    await call(operation, input)
    assert.equal((await call<Answer>('online.get-cpu-status', { deviceName: 'PLC_1' })).operatingState, 'RUN')
  })
}

test('an instance of another PLC is not taken, and force is not proposed', async (t) => {
  const { call, follow } = await withPlcs(t, 'PLC_1', 'PLC_2')
  await call('projects.simulation-support', { enabled: true })
  await call('simulation.create-instance', { name: 'One', ipAddress: '192.168.0.1', orderNumber: cpu })
  await call('simulation.start', { deviceName: 'PLC_1' })
  const error = await fails(
    call('simulation.start', { deviceName: 'PLC_2' }),
    'invalid_input',
    /no instance for "PLC_2"/,
  )
  assert.doesNotMatch(`${error.message} ${error.details.suggestion}`, /force/i)
  await follow(error.details.suggestion ?? '')
  const { instances } = await call<{ instances: Answer[] }>('simulation.list-instances', {})
  assert.deepEqual(
    instances.map(({ name, state }) => [name, state]),
    [
      ['One', 'Run'],
      ['PLC_2', 'Run'],
    ],
  )
  const named = await fails(
    call('simulation.start', { name: 'One', deviceName: 'PLC_2' }),
    'conflict',
    /has the program of device "PLC_1"/,
  )
  assert.doesNotMatch(named.details.suggestion ?? '', /force/i)
  // Without a name the instance of the device is taken, whatever else is on.
  assert.equal((await call<Answer>('simulation.start', { deviceName: 'PLC_1' })).connectedInstance, 'One')
  assert.equal((await call<Answer>('simulation.start', { deviceName: 'PLC_2' })).connectedInstance, 'PLC_2')
})

test('an instance that is off or without a program is started for its device', async (t) => {
  const { call, follow } = await withPlcs(t, 'PLC_1')
  await call('simulation.create-instance', { name: 'Sim', ipAddress: '192.168.0.1' })
  const off = await fails(
    call('simulation.read-tags', { tags: ['%Q0.0'] }),
    'simulation_not_connected',
    /is off; 2\. no instance is powered on/,
  )
  assert.match(off.details.suggestion ?? '', /start \{ "name": "Sim", "deviceName": "PLC_1" \}$/)
  await call('simulation.power-on', { name: 'Sim' })
  const bare = await fails(
    call('online.explain-value', { deviceName: 'PLC_1', name: '%Q0.0' }),
    'conflict',
    /has no program/,
  )
  await follow(bare.details.suggestion ?? '')
  await call('simulation.read-tags', { tags: ['%Q0.0'] })
  await call('simulation.disconnect', {})
  const loose = await fails(
    call('simulation.read-tags', { tags: ['%Q0.0'] }),
    'simulation_not_connected',
    /Missing: a connection/,
  )
  await follow(loose.details.suggestion ?? '')
  await call('simulation.read-tags', { tags: ['%Q0.0'] })
})
