/** Operating states, the connection for tags and sessions, through the operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaySession } from '../../../core/services.ts'
import { fails } from '../../../test/fails.ts'
import { actor, openTestGateway } from '../../../test/harness.ts'
import { type Answer, loadProgram, openWithProgram } from '../../../test/simulation.ts'
import { becomes } from '../../../test/until.ts'

test('an instance goes through its states, and every transition is in the audit with the states around it', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call, gateway } = opened
  const states: unknown[] = []
  for (const id of ['run', 'freeze', 'unfreeze', 'stop-instance', 'memory-reset', 'power-off']) {
    const { before, state, operatingState } = await call<Answer>(`simulation.${id}`, { name: 'plc_1' })
    assert.equal(state, operatingState)
    states.push([id, before, state])
  }
  assert.deepEqual(states, [
    ['run', 'Stop', 'Run'],
    ['freeze', 'Run', 'Freeze'],
    ['unfreeze', 'Freeze', 'Run'],
    ['stop-instance', 'Run', 'Stop'],
    ['memory-reset', 'Stop', 'Stop'],
    ['power-off', 'Stop', 'Off'],
  ])
  await gateway.store.log.durable(gateway.store.log.headSeq)
  const seqs = await gateway.store.index.find('entity:instance/PLC_1', {})
  const changes = []
  for (const seq of seqs) {
    const record = await gateway.store.log.get(seq)
    if (record?.type === 'simulation.state-changed') changes.push((record.data as Answer).transition)
  }
  assert.deepEqual(changes, ['powerOn', 'run', 'freeze', 'unfreeze', 'stop', 'memoryReset', 'powerOff'])
})

test('an illegal transition is a 409 that names the state and the legal ones', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  const error = await fails(
    call('simulation.power-on', { name: 'PLC_1' }),
    'invalid_operating_state',
    /"PLC_1": powerOn is not possible in state Stop.*run, memoryReset, powerOff/,
  )
  assert.deepEqual(error.details.extra?.allowed, ['run', 'memoryReset', 'powerOff'])
  assert.equal(error.details.extra?.state, 'Stop')
  await fails(call('simulation.freeze', { name: 'PLC_1' }), 'invalid_operating_state')
  await call('simulation.run', { name: 'PLC_1' })
  await fails(call('simulation.memory-reset', { name: 'PLC_1' }), 'invalid_operating_state', /stop/)
  await fails(call('simulation.run', { name: 'PLC_2' }), 'not_found', /Did you mean "PLC_1"/)
})

test('a dry run says what would come and does nothing', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  const { call } = opened
  const dryRun = true
  assert.equal((await call<Answer>('simulation.run', { name: 'PLC_1', dryRun })).result.state, 'Run')
  assert.equal((await call<Answer>('simulation.power-off', { name: 'PLC_1', dryRun })).result.state, 'Off')
  await call('simulation.delete-instance', { name: 'PLC_1', force: true, dryRun })
  await call('simulation.set-forces', { name: 'PLC_1', forces: [{ tag: 'Start', value: true }], dryRun })
  await call('simulation.connect', { name: 'PLC_1', dryRun })
  assert.equal(controller.state, 'Stop')
  assert.deepEqual(controller.forces, [])
  assert.equal((await call<Answer>('simulation.get-state')).connected, false)
})

test('powering on and switching needs operator rights, creating engineer rights, reading none of these', async (t) => {
  const { opened } = await openWithProgram(t)
  const as = (access: 'viewer' | 'engineer' | 'operator') => ({ actor: actor(access) })
  const { call } = opened
  await fails(call('simulation.run', { name: 'PLC_1' }, as('engineer')), 'forbidden')
  // S7 clients of a port write without a key.
  await fails(call('simulation.set-runtime-port', { port: 0 }, as('engineer')), 'forbidden')
  await fails(call('simulation.configure-runtime', { port: 10_102 }, as('engineer')), 'forbidden')
  await call('simulation.run', { name: 'PLC_1' }, as('operator'))
  await fails(call('simulation.create-instance', { name: 'PLC_2' }, as('viewer')), 'forbidden')
  await call('simulation.create-instance', { name: 'PLC_2' }, as('engineer'))
  await call('simulation.get-instance-state', { name: 'PLC_1' }, as('viewer'))
})

test('as many instances as the runtime allows can be on; one more is a 409 that names them', async (t) => {
  const { call } = await openTestGateway(t)
  await call('simulation.configure-runtime', { maximumPoweredOn: 1 })
  for (const name of ['A', 'B']) await call('simulation.create-instance', { name })
  await call('simulation.power-on', { name: 'A' })
  await fails(call('simulation.power-on', { name: 'B' }), 'instance_limit', /1 instances are powered on \("A"\)/)
  await call('simulation.power-off', { name: 'A' })
  await call('simulation.power-on', { name: 'B' })
})

test('tags need a connection; powering off ends it', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await fails(call('simulation.list-tags'), 'simulation_not_connected', /not connected/)
  const { connectedInstance } = await call<Answer>('simulation.connect', { instanceName: 'plc_1' })
  assert.equal(connectedInstance, 'PLC_1')
  assert.equal((await call<Answer>('simulation.get-runtime-status')).connectedInstance, 'PLC_1')
  await call('simulation.run', { name: 'PLC_1' })
  assert.deepEqual(await call('simulation.get-state'), {
    connected: true,
    connectedInstance: 'PLC_1',
    state: 'Run',
    running: true,
    session: null,
  })
  await call('simulation.power-off', { name: 'PLC_1' })
  assert.equal((await call<Answer>('simulation.get-state')).connected, false)
  await fails(call('simulation.connect', { name: 'PLC_1' }), 'invalid_operating_state', /powerOn/)
  assert.deepEqual(await call('simulation.disconnect'), { disconnected: false, instance: null })
})

test('a session powers on, runs and connects; its end undoes what it did', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.power-off', { name: 'PLC_1' })
  const started = await call<Answer>('simulation.start', { name: 'PLC_1' })
  assert.deepEqual(started.steps, ['powerOn', 'run', 'connect'])
  assert.equal(started.running, true)
  const { session, running } = await call<Answer>('simulation.get-state')
  assert.deepEqual([session.instance, session.poweredOn, running], ['PLC_1', true, true])
  const stopped = await call<Answer>('simulation.stop')
  assert.deepEqual(
    [stopped.steps.slice(0, 2), stopped.state, stopped.isConnected],
    [['stop', 'powerOff'], 'Off', false],
  )
  // Powered on outside of the session: it stays on.
  await call('simulation.power-on', { name: 'PLC_1' })
  assert.deepEqual((await call<Answer>('simulation.start', {})).steps, ['run', 'connect'])
  assert.equal((await call<Answer>('simulation.stop', {})).state, 'Stop')
  await fails(call('simulation.stop', {}), 'simulation_not_connected')
})

test('a session goes on where the instance is, and a dry run names the same steps', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  const { call } = opened
  const name = 'PLC_1'
  for (const [before, steps] of [
    [['power-off'], ['powerOn', 'run', 'connect']],
    [[], ['run', 'connect']],
    [['run'], ['connect']],
    [
      ['run', 'freeze'],
      ['unfreeze', 'connect'],
    ],
    [
      ['run', 'hold'],
      ['continue', 'connect'],
    ],
  ] as const) {
    for (const operation of before) await call(`simulation.${operation}`, { name })
    const { state } = controller
    const { result } = await call<Answer>('simulation.start', { name, dryRun: true })
    assert.deepEqual([result.steps, result.running, controller.state], [steps, true, state])
    const started = await call<Answer>('simulation.start', { name })
    assert.deepEqual([started.steps, started.running, controller.state], [steps, true, 'Run'])
    await call('simulation.stop-instance', { name })
  }
})

test('a session that cannot load the device leaves no instance powered on', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.power-off', { name: 'PLC_1' })
  await assert.rejects(call('simulation.start', { name: 'PLC_1', deviceName: 'absent' }))
  assert.equal((await call<Answer>('simulation.get-instance-state', { name: 'PLC_1' })).state, 'Off')
})

test('after a restart of the gateway instances are Off, but for those that start with it; what they kept is there', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  await opened.call('simulation.create-instance', { name: 'Auto', config: { autoStart: true } })
  const states: string[] = []
  controller.events.on('state', (state) => states.push(state))
  const again = await opened.restart()
  assert.deepEqual(states, ['ShuttingDown', 'Off'], 'it was powered off, not ended')
  assert.equal(controller.diagnostics[0]?.code, 'power-off')
  assert.equal((await again.call<Answer>('simulation.get-instance-state', { name: 'PLC_1' })).state, 'Off')
  // It is powered on in the background.
  await becomes(async () => (await again.call<Answer>('simulation.get-instance-state', { name: 'Auto' })).state, 'Stop')
  await again.call('simulation.power-on', { name: 'PLC_1' })
  await again.call('simulation.connect', { name: 'PLC_1' })
  assert.equal((await again.call<Answer>('simulation.read-tag', { tagName: 'Data.motor.level' })).value, 7)
})

test('a replay of what was done runs nothing, and comes out the same', async (t) => {
  const { opened } = await openWithProgram(t)
  await opened.call('simulation.run', { name: 'PLC_1' })
  await loadProgramFails(opened)
  const session = opened.gateway.sessionSeq
  await opened.gateway.close(2000)
  const { builtInPlugins } = await import('../../../test/harness.ts')
  const { join } = await import('node:path')
  const options = { dataDir: join(opened.dir, 'data'), pluginDirs: [builtInPlugins], version: '0.0.0-test' }
  const report = await replaySession(options, session)
  assert.deepEqual(report.differences, [])
  assert.equal(report.different, 0)
})

/** A load in RUN that was requested as one in STOP is refused by the controller. */
async function loadProgramFails(opened: Parameters<typeof loadProgram>[0]) {
  await fails(loadProgram(opened, 'PLC_1'), 'invalid_operating_state')
}
