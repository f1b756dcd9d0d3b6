/** Instances: create, list, show, delete, configuration, network, ports. */
import assert from 'node:assert/strict'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer as createTcpServer, connect as tcpConnect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { definePlugin, extend } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'
import { type Answer, loadProgram, openWithProgram } from '../../../test/simulation.ts'
import type { ControllerOptions } from '../controller/contract.ts'
import { createController } from '../controller/controller.ts'
import { controllerDriver, findInstanceByAddress } from '../index.ts'

test('an instance is created Off, with the CPU of the catalog and a folder of its own', async (t) => {
  const { call, dir } = await openTestGateway(t)
  const made = await call<Answer>('simulation.create-instance', {
    instanceName: 'PLC_1',
    cpuType: 'CPU1515',
    ip: '192.168.0.1',
    mask: '255.255.0.0',
  })
  assert.deepEqual(
    [made.name, made.cpuType, made.family, made.state, made.allowed],
    ['PLC_1', 'CPU 1515-2 PN', 'S7-1500', 'Off', ['powerOn']],
  )
  assert.deepEqual(made.network, [{ interface: 'X1', ipAddress: '192.168.0.1', subnetMask: '255.255.0.0' }])
  assert.equal(made.storagePath, join(dir, 'workspace/simulation/instances/PLC_1'))
  const { instances, total } = await call<Answer>('simulation.list-instances')
  assert.equal(total, 1)
  assert.deepEqual(instances[0], made)
  const shown = await call<Answer>('simulation.get-instance', { name: 'plc_1' })
  assert.deepEqual(shown.config.time, { mode: 'real', factor: 1 })
})

test('CPU types are order numbers, names of the catalog, or names of PLCSIM Advanced', async (t) => {
  const { call } = await openTestGateway(t)
  const typeOf = async (name: string, input: object) =>
    (await call<Answer>('simulation.create-instance', { name, ...input })).cpuType
  assert.equal(await typeOf('A', { orderNumber: '6es7515-2am02-0ab0' }), 'CPU 1515-2 PN')
  assert.equal(await typeOf('B', { cpuType: 'CPU 1512SP F-1 PN' }), 'CPU 1512SP F-1 PN')
  assert.equal(await typeOf('C', { cpuType: 'CPU1512SPFv2' }), 'CPU 1512SP F-1 PN')
  assert.equal(await typeOf('D', { cpuType: 'CPU1500_Unspecified' }), 'CPU 1500 (unspecified)')
  assert.equal(await typeOf('E', {}), 'CPU 1500 (unspecified)')
  const create = (input: object) => call('simulation.create-instance', { name: 'X', ...input })
  await fails(create({ cpuType: 'CPU 1515-2 PM' }), 'not_found', /Did you mean "CPU 1515-2 PN"/)
  await fails(create({ orderNumber: '6ES7 515-2AM02-0AB9' }), 'not_found', /Did you mean/)
  await fails(create({ cpuType: 'CPU 315-2 PN/DP' }), 'unacceptable_content', /only CPUs of S7-1200 and S7-1500/)
  await fails(create({ orderNumber: '6ES7 521-1BH00-0AB0' }), 'unacceptable_content', /cannot be simulated/)
})

test('names, addresses, ports and storage folders are unique', async (t) => {
  const { call, dir } = await openTestGateway(t)
  const first = { name: 'PLC_1', ipAddress: '10.0.0.1', communicationPort: 10_102, storagePath: 'cards/one' }
  await call('simulation.create-instance', first)
  const create = (input: object) => call('simulation.create-instance', { name: 'PLC_2', ...input })
  await fails(create({ name: 'plc_1' }), 'name_taken', /"PLC_1"/)
  await fails(create({ ipAddress: '10.0.0.1' }), 'conflict', /instance "PLC_1" has this address/)
  await fails(create({ communicationPort: 10_102 }), 'conflict', /port 10102.*"PLC_1"/)
  await fails(create({ storagePath: 'cards/one' }), 'conflict', /storage of instance "PLC_1"/)
  await fails(create({ storagePath: 'cards/one/inside' }), 'conflict', /overlaps/)
  await fails(create({ storagePath: 'cards' }), 'conflict', /overlaps/)
  await fails(create({ storagePath: '/etc' }), 'path_outside_workspace')
  await mkdir(join(dir, 'workspace'), { recursive: true })
  await writeFile(join(dir, 'workspace/file'), '')
  await fails(create({ storagePath: 'file' }), 'invalid_input', /is a file/)
  for (const name of ['a/b', '..', 'a:b', ' a', 'x'.repeat(64), 'a%b'])
    await fails(create({ name }), 'invalid_input', /not a name of an instance/)
  await create({ storagePath: 'cards/two' })
})

test('only an instance that is Off is deleted, unless by force; a folder that was given stays', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call, dir } = opened
  const own = join(dir, 'workspace/simulation/instances/PLC_1')
  assert((await stat(own)).isDirectory())
  await fails(call('simulation.delete-instance', { name: 'PLC_1' }), 'invalid_operating_state', /must be Off.*force/)
  const gone = await call<Answer>('simulation.delete-instance', { name: 'PLC_1', force: true })
  assert.deepEqual(gone, { name: 'PLC_1', deleted: true, storageDeleted: true })
  await assert.rejects(stat(own))
  await fails(call('simulation.get-instance-state', { name: 'PLC_1' }), 'not_found')
  await call('simulation.create-instance', { name: 'Kept', storagePath: 'cards/kept' })
  await call('simulation.power-on', { name: 'Kept' })
  await call('simulation.power-off', { name: 'Kept' })
  assert.equal((await call<Answer>('simulation.delete-instance', { name: 'Kept' })).storageDeleted, false)
  assert((await stat(join(dir, 'workspace/cards/kept'))).isDirectory())
})

test('configuration is changed field by field, checked together, and survives a restart', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  await call('simulation.create-instance', { name: 'A', config: { clockMemoryByte: 0 } })
  const configure = (input: object) => call<Answer>('simulation.configure-instance', { name: 'A', ...input })
  await fails(configure({ minimumCycleTimeMs: 200 }), 'invalid_input', /maximum cycle time/)
  await fails(configure({ systemMemoryByte: 0 }), 'invalid_input', /MB0/)
  await fails(
    configure({ cyclicInterrupts: { 1: { cycleTimeMs: 10 } } }),
    'invalid_input',
    /no number of a cyclic interrupt/,
  )
  await fails(configure({ cyclicInterrupts: { 30: { cycleTimeMs: 10, phaseMs: 10 } } }), 'invalid_input', /phaseMs/)
  await fails(configure({ time: { factor: 1000 } }), 'invalid_input')
  await fails(configure({ maximumCycleTimeSec: 1 }), 'invalid_input', /did you mean "maximumCycleTimeMs"/)
  await configure({
    maxCycleTime: 300,
    cyclicInterrupts: { 35: { cycleTimeMs: 50 } },
    startTime: '2026-01-01T00:00:00Z',
  })
  await configure({ clockMemoryByte: null, systemMemoryByte: 1 })
  const again = await opened.restart()
  const config = await again.call<Answer>('simulation.get-instance-config', { name: 'a' })
  assert.deepEqual(
    [
      config.maximumCycleTimeMs,
      config.clockMemoryByte,
      config.systemMemoryByte,
      config.cyclicInterrupts,
      config.startTime,
    ],
    [300, undefined, 1, { 35: { cycleTimeMs: 50 } }, '2026-01-01T00:00:00.000Z'],
  )
})

test('a driver’s controllers are used instead of Gantry’s, and get the configuration of the instance', async (t) => {
  const seen: ControllerOptions[] = []
  const driver = definePlugin({
    name: 'driver',
    version: '1.0.0',
    extensions: [
      extend(controllerDriver, {
        name: 'own',
        title: 'A driver',
        drives: ({ name }) => name === 'A',
        controller(options) {
          seen.push(options)
          return createController(options)
        },
      }),
    ],
  })
  const { call, dir } = await openTestGateway(t, { corePlugins: [driver] })
  const config = { startup: 'Last', autoStart: true, utcOffsetMinutes: 60, retentiveFlags: 16, clockMemoryByte: 5 }
  await call('simulation.create-instance', { name: 'A', storagePath: 'cards/a', config })
  await call('simulation.power-on', { name: 'A' })
  // Another instance is Gantry's.
  await call('simulation.create-instance', { name: 'B' })
  await call('simulation.power-on', { name: 'B' })
  assert.deepEqual(seen, [
    {
      name: 'A',
      storage: join(dir, 'workspace/cards/a'),
      minimumCycleTimeMs: 1,
      maximumCycleTimeMs: 150,
      time: { mode: 'real', factor: 1 },
      utcOffsetMinutes: 60,
      retentiveFlags: 16,
      clockMemoryByte: 5,
      startup: 'Last',
      outputsInStop: 'Off',
      putGetAccess: true,
      protectionLevel: 1,
      cyclicInterrupts: {},
      connections: [],
      pendingAlarms: 1000,
    },
  ])
})

test('network settings are replaced as a list or changed one by one, and devices are found by address', async (t) => {
  const { call, gateway } = await openTestGateway(t)
  await call('simulation.create-instance', { name: 'A', ipAddress: '10.0.0.1' })
  await call('simulation.create-instance', { name: 'B' })
  const set = (name: string, input: object) => call<Answer>('simulation.set-instance-network', { name, ...input })
  await set('B', { network: [{ ipAddress: '10.0.0.2' }, { interface: 'X3', ipAddress: '10.0.3.2' }] })
  const { network } = await set('B', { interface: 'X3', gateway: '10.0.3.1' })
  assert.deepEqual(network[1], {
    interface: 'X3',
    ipAddress: '10.0.3.2',
    subnetMask: '255.255.255.0',
    gateway: '10.0.3.1',
  })
  await fails(set('B', { ipAddress: '10.0.0.1' }), 'conflict', /instance "A"/)
  await fails(set('A', { gateway: '10.1.0.1' }), 'invalid_input', /not in the subnet/)
  await fails(set('A', {}), 'invalid_input', /\/network: is missing/)
  await fails(set('A', { network: [], ipAddress: '10.0.0.9' }), 'invalid_input', /beside/)
  const access = { gateway, read: gateway.state.read }
  assert.equal((await findInstanceByAddress(access, '10.0.3.2'))?.instance.name, 'B')
  assert.equal(await findInstanceByAddress(access, '10.0.3.9'), undefined)
  assert.deepEqual((await call<Answer>('simulation.get-instance-network', { name: 'A' })).network.length, 1)
})

test('the runtime starts with the first instance, or when it is told to', async (t) => {
  const { call } = await openTestGateway(t)
  const running = async () => (await call<Answer>('simulation.get-runtime-status')).runtimeManagerRunning
  assert.equal(await running(), false)
  await call('simulation.start-runtime')
  assert.equal(await running(), true)
  const status = await call<Answer>('simulation.get-status')
  assert.deepEqual([status.apiAvailable, status.registeredInstances, status.instances], [true, [], []])
})

/** True when something listens there. */
const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = tcpConnect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

test('the communication port is opened at once, and closed again; a port in use is a 409', async (t) => {
  const { call } = await openTestGateway(t)
  const setPort = (input: Record<string, unknown>) => call<Answer>('simulation.set-runtime-port', input)
  const { port, host, listening } = await setPort({ port: 0 })
  assert.deepEqual([host, listening, await answers(port)], ['127.0.0.1', true, true])
  assert.equal((await call<Answer>('simulation.get-runtime-config')).communicationPort, port)
  const other = createTcpServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const taken = (other.address() as { port: number }).port
  await fails(setPort({ port: taken }), 'conflict', /in use/)
  // The port that was open is open again.
  assert.equal(await answers(port), true)
  await fails(setPort({ port, host: 'example' }), 'invalid_input', /IP address/)
  assert.deepEqual(await setPort({ port: null }), { port: null, host: '127.0.0.1', listening: false })
  assert.equal(await answers(port), false)
})

test('an instance’s own port is open while it is on', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  const probe = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await call('simulation.create-instance', { name: 'Own', communicationPort: port })
  await fails(call('simulation.power-on', { name: 'Own' }), 'conflict', /in use/)
  assert.equal((await call<Answer>('simulation.get-instance-state', { name: 'Own' })).state, 'Off')
  await new Promise((resolve) => probe.close(resolve))
  await call('simulation.power-on', { name: 'Own' })
  await loadProgram(opened, 'Own')
  assert.equal(await answers(port), true)
  await call('simulation.power-off', { name: 'Own' })
  assert.equal(await answers(port), false)
  await fails(call('simulation.set-runtime-port', { port }), 'conflict', /communication port of instance "Own"/)
})

test('partitions of the process image, hardware interrupts and rights of S7 clients are kept with the configuration', async (t) => {
  const { call } = await openTestGateway(t)
  await call('simulation.create-instance', { name: 'A' })
  const before = await call<Answer>('simulation.get-instance-config', { name: 'A' })
  assert.deepEqual([before.outputsInStop, before.putGetAccess, before.protectionLevel], ['Off', true, 1])
  const settings = {
    outputsInStop: 'Keep',
    putGetAccess: false,
    protectionLevel: 3,
    processImagePartitions: { '1': { organizationBlock: 30, inputs: [{ firstByte: 10, bytes: 4 }] } },
    hardwareInterrupts: [{ byte: 0, bit: 3, edge: 'rising', organizationBlock: 40 }],
  }
  await call('simulation.configure-instance', { name: 'A', ...settings })
  const after = await call<Answer>('simulation.get-instance-config', { name: 'A' })
  for (const [name, value] of Object.entries(settings)) assert.deepEqual(after[name], value, name)
  const set = (input: object) => call('simulation.configure-instance', { name: 'A', ...input })
  const range = (firstByte: number) => ({ inputs: [{ firstByte, bytes: 4 }] })
  await fails(set({ processImagePartitions: { '0': range(0) } }), 'invalid_input', /1 to 31/)
  await fails(
    set({ processImagePartitions: { '1': range(0), '2': range(3) } }),
    'invalid_input',
    /byte 3 is in partition 1/,
  )
  await fails(
    set({ processImagePartitions: { '1': { organizationBlock: 30 }, '2': { organizationBlock: 30 } } }),
    'invalid_input',
    /OB 30 has partition 1 already/,
  )
  await fails(
    set({ hardwareInterrupts: [{ byte: 0, bit: 0, edge: 'both', organizationBlock: 50 }] }),
    'invalid_input',
    /40 to 47/,
  )
})

test('the port of an instance is kept until it is taken away, also over a restart', async (t) => {
  const opened = await openTestGateway(t)
  await opened.call('simulation.create-instance', { name: 'A', ipAddress: '192.168.0.1', communicationPort: 40_102 })
  const portOf = async (at: TestGateway) =>
    (await at.call<Answer>('simulation.list-instances')).instances[0].communicationPort as number | undefined
  assert.equal(await portOf(opened), 40_102)
  await opened.call('simulation.configure-instance', { name: 'A', communicationPort: 40_103 })
  await opened.call('simulation.configure-instance', { name: 'A', maximumCycleTimeMs: 200 })
  await opened.call('simulation.set-instance-network', { name: 'A', ipAddress: '192.168.0.2' })
  assert.equal(await portOf(opened), 40_103)
  const again = await opened.restart()
  assert.equal(await portOf(again), 40_103)
  await again.call('simulation.configure-instance', { name: 'A', communicationPort: null })
  assert.equal(await portOf(again), undefined)
  assert.equal(await portOf(await again.restart()), undefined)
})
