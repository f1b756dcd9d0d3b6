/** Reaching controllers, going online and offline, the state of the CPU, over the operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { actor, openTestGateway } from '../../test/harness.ts'
import { type Answer, address, newProject, plc, withController, withDownload, withProject } from '../../test/online.ts'

test('a device is reachable when a powered-on instance has its address; else the problem says what is missing', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Line')
  const nothing = await fails(
    at.call('online.connect', plc),
    'device_unreachable',
    /no instance has the address 192\.168\.0\.1\. There is no instance/,
  )
  assert.match(nothing.details.suggestion ?? '', /instances\/create.*192\.168\.0\.1/)
  await at.call('simulation.create-instance', { name: 'Other' })
  const bare = await fails(at.call('online.connect', plc), 'device_unreachable', /"Other" \(Off; no address\)/)
  assert.match(
    bare.details.suggestion ?? '',
    /^PUT \/api\/simulation\/instances\/Other\/network { "ipAddress": "192\.168\.0\.1" }, then .*start { "name": "Other"/,
  )
  await at.call('simulation.set-instance-network', { name: 'Other', ipAddress: '192.168.0.7' })
  await at.call('simulation.power-on', { name: 'Other' })
  const other = await fails(
    at.call('online.get-cpu-status', plc),
    'device_unreachable',
    /"Other" \(Stop; 192\.168\.0\.7\)/,
  )
  assert.deepEqual(other.details.extra?.addresses, [address])
  await at.call('simulation.create-instance', { name: 'Sim', ipAddress: address })
  const off = await fails(
    at.call('online.connect', plc),
    'device_unreachable',
    /"Sim" has the address 192\.168\.0\.1, and it is Off/,
  )
  assert.match(
    off.details.suggestion ?? '',
    /simulation\/start { "name": "Sim", "deviceName": "PLC_1" }.*Sim\/power-on/,
  )
  assert.equal((await at.call('online.get-status', plc)).isReachable, false)
  await at.call('simulation.power-on', { name: 'Sim' })
  const online = await at.call<Answer>('online.connect', { deviceName: 'plc_1' })
  assert.deepEqual(
    [online.deviceName, online.instance, online.ipAddress, online.operatingState],
    ['PLC_1', 'Sim', address, 'STOP'],
  )
})

test('a device without address is told so; another address can be given, and is kept while it is online', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Line', '')
  await withController(at, { ipAddress: '10.0.0.5' })
  await fails(at.call('online.connect', plc), 'device_unreachable', /"PLC_1" has no IP address/)
  await fails(at.call('online.connect', { ...plc, ipAddress: '10.0.0.6' }), 'device_unreachable', /10\.0\.0\.6/)
  await at.call('online.connect', { ...plc, ipAddress: '10.0.0.5' })
  assert.equal((await at.call('online.get-cpu-status', plc)).ipAddress, '10.0.0.5')
  await at.call('online.disconnect', plc)
  const error = await fails(at.call('online.get-cpu-status', plc), 'device_unreachable')
  assert.match(error.details.suggestion ?? '', /\/api\/devices\/PLC_1\/actions\/configure-network-sync/)
  await at.call('devices.configure-network', { ...plc, ipAddress: '10.0.0.5', subnetMask: '255.0.0.0' })
  assert.equal((await at.call('online.get-cpu-status', plc)).instance, 'Sim')
})

test('a device that was only added is reached, and at the address that is set later', async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Line' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await withController(at)
  await withController(at, { name: 'Far', ipAddress: '10.0.0.5' })
  const online = async () => (await at.call<Answer>('online.connect', plc)).instance
  assert.equal(await online(), 'Sim')
  await at.call('online.disconnect', plc)
  await at.call('devices.configure-network', { ...plc, ipAddress: '10.0.0.5' })
  const status = await at.call('online.get-status', plc)
  assert.deepEqual([status.isReachable, status.addresses], [true, ['10.0.0.5']])
  assert.equal(await online(), 'Far')
})

test('online and offline; both twice change nothing', async (t) => {
  const { at } = await withDownload(t)
  const first = await at.call<Answer>('online.connect', plc)
  const again = await at.call<Answer>('online.connect', plc)
  assert.deepEqual([first.changed, again.changed, again.since], [true, false, first.since])
  const status = await at.call<Answer>('online.get-status', plc)
  assert.deepEqual([status.state, status.isOnline, status.instance, status.since], ['online', true, 'Sim', first.since])
  assert.deepEqual(await at.call('online.disconnect', plc), { ...plc, state: 'offline', changed: true })
  assert.deepEqual(await at.call('online.disconnect', plc), { ...plc, state: 'offline', changed: false })
  assert.equal((await at.call('online.get-status', plc)).state, 'offline')
})

test('the connection ends with the power of the controller and does not come back with it', async (t) => {
  const { at } = await withDownload(t)
  await at.call('online.connect', plc)
  await at.call('simulation.power-off', { name: 'Sim' })
  assert.equal((await at.call('online.get-status', plc)).state, 'offline')
  await at.call('simulation.power-on', { name: 'Sim' })
  const status = await at.call('online.get-status', plc)
  assert.deepEqual([status.state, status.isReachable], ['offline', true])
})

test('the connection ends when the project is closed and when the device is deleted', async (t) => {
  const { at } = await withDownload(t)
  const state = async () => (await at.call('online.get-status', plc)).state
  await at.call('online.connect', plc)
  await at.call('projects.save', {})
  const { path } = await at.call<Answer>('projects.list', {}).then((list) => list.projects[0])
  await at.call('projects.close', {})
  await at.call('projects.open', { path })
  assert.equal(await state(), 'offline')
  await at.call('online.connect', plc)
  assert.equal(await state(), 'online')
  // What changes the device itself waits until it is offline.
  const changes = {
    'devices.delete': {},
    'devices.rename': { newName: 'X' },
    'devices.configure-network': { ipAddress: '10.0.0.9' },
  }
  for (const [id, change] of Object.entries(changes))
    await fails(at.call(id, { ...plc, ...change }), 'conflict', /"PLC_1" is online/)
  await at.call('online.disconnect', plc)
  await at.call('devices.delete', plc)
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  assert.equal(await state(), 'offline')
})

test('after a restart of the gateway a device is offline', async (t) => {
  const { at } = await withDownload(t)
  await at.call('online.connect', plc)
  const again = await at.restart()
  assert.equal((await again.call('online.get-status', plc)).state, 'offline')
})

test('a dry run goes nowhere', async (t) => {
  const { at, controller } = await withDownload(t)
  const { result } = await at.call<Answer>('online.connect', { ...plc, dryRun: true })
  assert.equal(result.state, 'online')
  assert.equal((await at.call('online.get-status', plc)).state, 'offline')
  const started = await at.call<Answer>('online.start-cpu', { ...plc, dryRun: true })
  assert.equal(started.result.operatingState, 'RUN')
  assert.equal(controller.state, 'Stop')
})

test('the CPU is started and stopped without being online, from every state; a frozen one is in HOLD', async (t) => {
  const { at, controller } = await withDownload(t)
  const status = async () => (await at.call('online.get-cpu-status', plc)).operatingState
  const switched = async (id: string) => {
    const { before, operatingState, changed } = await at.call<Answer>(`online.${id}`, plc)
    return [before, operatingState, changed]
  }
  assert.deepEqual(await switched('start-cpu'), ['STOP', 'RUN', true])
  assert.deepEqual(await switched('start-cpu'), ['RUN', 'RUN', false])
  await at.call('simulation.freeze', { name: 'Sim' })
  assert.equal(await status(), 'HOLD')
  assert.deepEqual(await switched('start-cpu'), ['HOLD', 'RUN', true])
  assert.deepEqual(await switched('stop-cpu'), ['RUN', 'STOP', true])
  assert.deepEqual(await switched('stop-cpu'), ['STOP', 'STOP', false])
  assert.equal(await status(), 'STOP')
  assert.equal(controller.state, 'Stop')
})

test('what acts on the controller needs operator rights and is in the audit', async (t) => {
  const { at } = await withDownload(t)
  for (const id of ['start-cpu', 'stop-cpu', 'download'])
    await fails(at.call(`online.${id}`, plc, { actor: actor('engineer') }), 'forbidden')
  await at.call('online.connect', plc, { actor: actor('engineer') })
  await at.call('online.get-cpu-status', plc, { actor: actor('viewer') })
  await at.call('online.start-cpu', plc, { actor: actor('operator') })
  await at.gateway.store.log.durable(at.gateway.store.log.headSeq)
  const types = []
  for (const seq of await at.gateway.store.index.find('entity:device/PLC_1', {})) {
    const record = await at.gateway.store.log.get(seq)
    if (record?.type.startsWith('online.')) types.push(record.type)
  }
  assert.deepEqual(types, ['online.downloaded', 'online.connected', 'online.cpu-switched'])
})

test('only PLCs of the open project can be online', async (t) => {
  const at = await openTestGateway(t)
  await fails(at.call('online.connect', plc), 'no_project')
  await newProject(at, 'Line')
  await fails(at.call('online.connect', { deviceName: 'PCL_1' }), 'not_found', /Did you mean "PLC_1"/)
})

test('types of online functions are listed by category, and services of a device with why they cannot be used', async (t) => {
  const { at } = await withDownload(t)
  const { categories } = await at.call<Answer>('online.list-types', {})
  assert.deepEqual(
    categories.map(({ category }: Answer) => category),
    ['online', 'cpu', 'download', 'upload', 'compare'],
  )
  for (const { types } of categories)
    for (const { operation } of types) assert(at.gateway.registry.operation(operation), operation)
  const available = async () => {
    const { services } = await at.call<Answer>('online.list-cpu-services', plc)
    return services.filter(({ isAvailable }: Answer) => isAvailable).length
  }
  assert.equal(await available(), 5)
  await at.call('simulation.power-off', { name: 'Sim' })
  assert.equal(await available(), 0)
})

test('a session names a device that is not there before it does anything', async (t) => {
  const at = await withProject(t)
  await at.call('simulation.create-instance', { name: 'Sim', cpuType: 'CPU1515', ipAddress: '192.168.0.1' })
  for (const dryRun of [true, false])
    await fails(
      at.call('simulation.start', { name: 'Sim', deviceName: 'PCL_1', dryRun }),
      'not_found',
      /Did you mean "PLC_1"/,
    )
  const { entries } = await at.call<Answer>('simulation.get-diagnostics', { name: 'Sim' })
  assert.deepEqual(entries, [], 'it was not powered on')
})
