/** Downloads into running controllers, over the operations. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaySession } from '../../core/services.ts'
import { fails } from '../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import {
  type Answer,
  newProject,
  plc,
  sampleProgram,
  withController,
  withDownload,
  withProject,
} from '../../test/online.ts'
import type { Controller, Transition } from '../simulation/index.ts'

const download = (at: TestGateway, more: Answer = {}) => at.call<Answer>('online.download', { ...plc, ...more })

/** Replaces objects by those of a source. */
const change = (at: TestGateway, content: string) => at.call('blocks.import', { ...plc, content, overwrite: true })

const value = async (at: TestGateway, tagName: string) =>
  (await at.call<Answer>('simulation.read-tag', { name: 'Sim', tagName })).value
const write = (at: TestGateway, tagName: string, to: unknown) =>
  at.call('simulation.write-tag', { name: 'Sim', tagName, value: to })

const data = (members: string) =>
  `DATA_BLOCK "Data"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const counter = (step: string) =>
  `FUNCTION_BLOCK "Counter"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nVAR_INPUT\n step : Int := 1;\nEND_VAR\nVAR\n total : DInt;\nEND_VAR\nBEGIN\n #total := #total + ${step};\nEND_FUNCTION_BLOCK\n`

test('a downloaded program runs, and what was loaded is told', async (t) => {
  const at = await withProject(t)
  const controller = await withController(at)
  const done = await download(at, { compile: true, startAfter: true })
  assert.deepEqual(done.report, { added: ['Counter_DB', 'Data'], removed: [], kept: [], reinitialized: [] })
  assert.deepEqual([done.downloaded, done.upToDate, done.compiled], [true, false, true])
  assert.deepEqual(done.steps, ['check', 'compile', 'plan', 'load', 'start'])
  assert.deepEqual(done.cpu, { before: 'STOP', after: 'RUN', stopped: false, started: true })
  assert.equal(controller.program?.hash, done.programHash)
  assert.equal(controller.program?.package.hash, done.packageHash)
  await write(at, 'Start', true)
  await at.call('simulation.advance', { name: 'Sim', cycles: 5 })
  assert.deepEqual([await value(at, 'Data.count'), await value(at, 'Counter_DB.total')], [5, 10])
  assert.equal(await value(at, 'Lamp'), true)
})

test('a project without simulation support is refused, with the route that turns it on', async (t) => {
  const at = await withProject(t)
  await withController(at)
  await at.call('projects.simulation-support', { enabled: false })
  const error = await fails(download(at, { compile: true }), 'simulation_support_off', /"Line"/)
  assert.match(error.details.suggestion ?? '', /\/api\/projects\/actions\/simulation-support/)
})

test('a program that is not compiled, or has changed since, is refused; compile: true compiles it', async (t) => {
  const at = await withProject(t)
  const controller = await withController(at)
  await fails(download(at), 'program_not_compiled', /is not compiled/)
  await download(at, { compile: true })
  await change(at, counter('3'))
  const changed = await fails(download(at), 'program_not_compiled', /has changed since.*Counter/)
  assert.deepEqual(
    changed.details.errors?.map(({ path }) => path),
    ['PLC_1/Program blocks/Counter'],
  )
  await at.call('tags.add', { ...plc, name: 'New', dataType: 'Bool', logicalAddress: '%M0.0' })
  await at.call('blocks.compile-device', plc)
  const done = await download(at)
  assert.equal(done.compiled, false)
  assert.equal(controller.program?.hash, done.programHash)
})

test('a program with errors is refused with the messages of the compiler and their places', async (t) => {
  const at = await withProject(t)
  const controller = await withController(at)
  await change(at, counter('#absent'))
  const told = async (more: Answer) => {
    const error = await fails(download(at, more), 'program_has_errors', /has an error.*Counter.*absent/)
    const [first] = error.details.errors ?? []
    assert.match(String(first?.path), /^PLC_1\/Program blocks\/Counter/)
    assert.deepEqual([typeof first?.line, typeof first?.column, typeof first?.code], ['number', 'number', 'string'])
  }
  await told({ compile: true })
  await at.call('blocks.compile-device', plc)
  await told({})
  assert.equal(controller.program, undefined)
})

test('a program without organization blocks is loaded, and told to run nothing', async (t) => {
  const at = await withProject(t)
  await withController(at)
  assert.doesNotMatch((await download(at, { compile: true })).warnings.join(), /organization block/)
  await at.call('blocks.delete', { ...plc, blockName: 'Main' })
  assert.match((await download(at, { compile: true })).warnings.join(), /no organization block/)
})

test('another family is refused; another type of the same family is a warning, an unspecified one none', async (t) => {
  const at = await withProject(t)
  await withController(at, { name: 'Small', cpuType: 'CPU1214C', ipAddress: '192.168.0.2' })
  const refused = await fails(
    download(at, { compile: true, ipAddress: '192.168.0.2' }),
    'incompatible_cpu',
    /S7-1500.*S7-1200/,
  )
  assert.match(String(refused.details.suggestion), /6ES7 515/)
  await withController(at, { name: 'Other', cpuType: 'CPU1518', ipAddress: '192.168.0.3' })
  const other = await download(at, { compile: true, ipAddress: '192.168.0.3' })
  assert.match(other.warnings.join(), /same family/)
  await withController(at, { name: 'Any', cpuType: '', ipAddress: '192.168.0.4' })
  assert.deepEqual((await download(at, { ipAddress: '192.168.0.4' })).warnings, [])
  // The same type with another order number: an earlier hardware version.
  await withController(at, { name: 'Same', cpuType: '6ES7 515-2AM01-0AB0', ipAddress: '192.168.0.5' })
  assert.deepEqual((await download(at, { ipAddress: '192.168.0.5' })).warnings, [])
})

test('a running CPU is refused; stopModules stops and starts it again, inRun does not stop it', async (t) => {
  const { at, controller } = await withDownload(t)
  await at.call('online.start-cpu', plc)
  await change(at, counter('7'))
  const error = await fails(download(at, { compile: true }), 'invalid_operating_state', /RUN: a download needs STOP/)
  assert.match(error.details.suggestion ?? '', /stopModules: true.*inRun: true/)
  assert.equal(error.details.extra?.state, 'Run')
  const states: string[] = []
  controller.events.on('state', (state) => states.push(state))
  const inRun = await download(at, { compile: true, inRun: true })
  assert.deepEqual(inRun.cpu, { before: 'RUN', after: 'RUN', stopped: false, started: false })
  assert.deepEqual(states, [])
  await at.call('simulation.advance', { name: 'Sim', cycles: 1 })
  assert.equal(await value(at, 'Counter_DB.total'), 7)
  await change(at, counter('9'))
  const stopped = await download(at, { compile: true, stopModules: true })
  assert.deepEqual(stopped.cpu, { before: 'RUN', after: 'RUN', stopped: true, started: true })
  assert.deepEqual(stopped.steps, ['check', 'compile', 'plan', 'stop', 'load', 'start'])
  assert.equal(states[0], 'Stop')
  await change(at, counter('11'))
  const left = await download(at, { compile: true, stopModules: true, startAfter: false })
  assert.deepEqual(left.cpu, { before: 'RUN', after: 'STOP', stopped: true, started: false })
})

test('values stay where the layout does; a dry run says what takes start values, and does nothing', async (t) => {
  const { at, controller } = await withDownload(t)
  await write(at, 'Data.count', 42)
  await write(at, 'Counter_DB.total', 43)
  await change(at, counter('5'))
  await download(at, { compile: true })
  assert.deepEqual([await value(at, 'Data.count'), await value(at, 'Counter_DB.total')], [42, 43])
  await change(at, data('count : DInt;\nlimit : Int := 20;\nmore : Real;\nmotor : "Motor";'))
  const { hash } = controller.program!
  const planned = (await download(at, { compile: true, dryRun: true })).result
  assert.deepEqual(planned.report, { added: [], removed: [], kept: ['Counter_DB', 'Data'], reinitialized: [] })
  assert.deepEqual([planned.downloaded, controller.program?.hash], [false, hash])
  assert.equal(await value(at, 'Data.count'), 42)
  const done = await download(at, { compile: true })
  assert.deepEqual([done.report, done.programHash], [planned.report, planned.programHash])
  assert.deepEqual([await value(at, 'Data.count'), await value(at, 'Data.limit')], [42, 10])
  assert.equal(await value(at, 'Counter_DB.total'), 43)
})

test('a download in RUN keeps what is still there, and asks before anything else becomes a start value', async (t) => {
  const { at, controller } = await withDownload(t)
  await at.call('online.start-cpu', plc)
  for (const [tag, to] of Object.entries({ 'Data.limit': 77, 'Data.motor.speed': 8, 'Data.motor.run': true }))
    await write(at, tag, to)
  const all = async () => {
    const values: unknown[] = []
    for (const tag of ['Data.limit', 'Data.motor.speed', 'Data.motor.run']) values.push(await value(at, tag))
    return values
  }
  const { hash } = controller.program!
  // Extended, in the type of a member too, and in another order.
  await at.call('blocks.import', {
    ...plc,
    content:
      'TYPE "Motor"\nVERSION : 0.1\nSTRUCT\n name : String[9];\n speed : Int := 3;\n run : Bool;\nEND_STRUCT;\nEND_TYPE\n',
    overwrite: true,
  })
  await change(at, data('more : Real := 2.5;\nmotor : "Motor";\nlimit : Int := 10;\ncount : DInt;'))
  const extended = await download(at, { compile: true, inRun: true })
  assert.deepEqual([extended.report.reinitialized, extended.report.lost], [[], undefined])
  assert.deepEqual(await all(), [77, 8, true])
  assert.equal(await value(at, 'Data.more'), 2.5)

  await change(at, data('motor : "Motor";\nlimit : DInt := 10;\ncount : DInt;'))
  for (const dryRun of [true, false]) {
    const refused = await fails(
      download(at, { compile: true, inRun: true, dryRun }),
      'values_would_be_lost',
      /while it runs: "Data"\.more, "Data"\.limit\.$/,
    )
    assert.deepEqual(refused.details.errors, [
      { path: '"Data".more', message: 'it is no longer there' },
      { path: '"Data".limit', message: 'its type was Int and is DInt' },
    ])
    assert.match(refused.details.suggestion ?? '', /reinitializeChanged: true.*reinitialize: true/)
  }
  assert.notEqual(controller.program?.hash, hash)
  assert.deepEqual(await all(), [77, 8, true])
  const forced = await download(at, { compile: true, inRun: true, reinitializeChanged: true })
  assert.deepEqual([forced.report.reinitialized, forced.report.lost.length], [['Data'], 2])
  assert.match(forced.warnings.join(), /"Data"\.more, "Data"\.limit cannot be kept: start values take their place/)
  assert.deepEqual(await all(), [10, 8, true])

  await change(at, data('motor : "Motor";\nlimit : Int := 12;\ncount : DInt;'))
  assert.equal((await download(at, { compile: true, inRun: true, reinitialize: true })).downloaded, true)
  assert.deepEqual(await all(), [12, 3, false])
})

test('the same again does nothing, unless everything is asked for or values are to be reset', async (t) => {
  const { at } = await withDownload(t)
  await at.call('online.start-cpu', plc)
  await at.call('simulation.advance', { name: 'Sim', cycles: 3 })
  const same = await download(at)
  assert.deepEqual([same.upToDate, same.downloaded, same.changes, same.cpu.after], [true, false, [], 'RUN'])
  await at.call('online.stop-cpu', plc)
  const all = await download(at, { all: true })
  assert.deepEqual([all.downloaded, all.report.kept], [true, ['Counter_DB', 'Data']])
  assert.equal(await value(at, 'Data.count'), 3)
  const reset = await download(at, { reinitialize: true })
  assert.deepEqual(reset.report.reinitialized, ['Counter_DB', 'Data'])
  assert.equal(await value(at, 'Data.count'), 0)
  assert.equal((await download(at, { startAfter: true })).cpu.after, 'RUN')
})

test('what is only in comments, tables and folders is loaded too, so that it can be read back', async (t) => {
  const { at } = await withDownload(t)
  await at.call('tags.update', { ...plc, tableName: 'Default tag table', tagName: 'Start', comment: 'green button' })
  await at.call('blocks.create-folder', { ...plc, path: 'More' })
  const done = await download(at, { compile: true })
  assert.equal(done.downloaded, true)
  assert.deepEqual(done.changes, [
    { category: 'tag-table', kind: 'TagTable', name: 'Default tag table', change: 'changed' },
  ])
  assert.equal((await at.call<Answer>('online.compare', plc)).identical, true)
})

test('a protected block that would be replaced by another, or removed, is a conflict unless it is forced', async (t) => {
  const at = await withProject(t)
  await withController(at)
  const secret = (limit: number) =>
    `DATA_BLOCK "Secret"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nKNOW_HOW_PROTECT\nVAR\n limit : Int := ${limit};\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
  await change(at, secret(1))
  await download(at, { compile: true })
  await change(at, secret(2))
  const error = await fails(
    download(at, { compile: true }),
    'conflict',
    /"Secret" of "Sim" is know-how protected and would be replaced/,
  )
  assert.equal(error.details.errors?.[0]?.code, 'know-how-protected')
  await at.call('blocks.delete', { ...plc, blockName: 'Secret' })
  await fails(download(at, { compile: true }), 'conflict', /removed/)
  const { report } = await download(at, { compile: true, force: true })
  assert.deepEqual(report.removed, ['Secret'])
})

test('the program of another device is not replaced by accident', async (t) => {
  const { at } = await withDownload(t)
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_2' })
  await at.call('blocks.import', { deviceName: 'PLC_2', content: data('x : Int;') })
  const request = { deviceName: 'PLC_2', ipAddress: '192.168.0.1', compile: true }
  await fails(at.call('online.download', request), 'conflict', /has the program of device "PLC_1" \(project "Line"\)/)
  await at.call('online.download', { ...request, force: true })
  await at.call('devices.rename', { deviceName: 'PLC_2', newName: 'Renamed' })
  await at.call('online.download', { ...request, deviceName: 'Renamed' })
})

test('software and hardware can be loaded alone; a faulty hardware configuration is refused', async (t) => {
  const { at, controller } = await withDownload(t)
  const { hash } = controller.program!
  await change(at, counter('8'))
  const hardware = await download(at, { software: false, all: true })
  assert.deepEqual([hardware.programHash, controller.program?.hash], [hash, hash])
  await fails(download(at, { software: false, hardware: false }), 'invalid_input', /nothing is left/)
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'Parked', unplaced: true })
  await at.call('blocks.import', { deviceName: 'Parked', content: data('x : Int;') })
  const parked = { deviceName: 'Parked', ipAddress: '192.168.0.1', compile: true, force: true }
  await fails(at.call('online.download', parked), 'unacceptable_content', /parking lot/)
  assert.equal((await at.call<Answer>('online.download', { ...parked, hardware: false })).downloaded, true)
})

test('the async route answers with a job that tells its steps', async (t) => {
  const at = await withProject(t)
  await withController(at)
  const told = new Set<string>()
  at.gateway.bus.on('job', ({ message }) => message && told.add(message))
  const { jobId } = await at.call<{ jobId: string }>('online.download', { ...plc, compile: true }, { mode: 'async' })
  await at.gateway.jobs.peek(jobId)?.settled
  assert.equal((await at.gateway.jobs.find(jobId))?.status, 'Completed')
  assert(told.has('Loading into Sim'), [...told].join())
})

test('a simulation session compiles, downloads and runs a device', async (t) => {
  const at = await withProject(t)
  await at.call('simulation.create-instance', {
    name: 'Sim',
    cpuType: 'CPU1515',
    config: { time: { mode: 'stepped', cycleTimeMs: 1 } },
  })
  const started = await at.call<Answer>('simulation.start', { name: 'Sim', ...plc })
  assert.deepEqual([started.steps, started.running], [['powerOn', 'load', 'run', 'connect'], true])
  await at.call('simulation.advance', { name: 'Sim', cycles: 2 })
  assert.equal((await at.call<Answer>('simulation.read-tag', { tagName: 'Data.count' })).value, 2)
  await change(at, counter('#absent'))
  await fails(at.call('simulation.start', { name: 'Sim', ...plc }), 'program_has_errors')
})

test('a program survives the power of the controller, and a replay of the session runs nothing', async (t) => {
  const { at } = await withDownload(t)
  await at.call('online.connect', plc)
  await at.call('simulation.power-off', { name: 'Sim' })
  await at.call('simulation.power-on', { name: 'Sim' })
  assert.equal((await download(at)).upToDate, true)
  await at.call('online.upload', plc)
  const session = at.gateway.sessionSeq
  await at.gateway.close(2000)
  const { builtInPlugins } = await import('../../test/harness.ts')
  const options = { dataDir: join(at.dir, 'data'), pluginDirs: [builtInPlugins], version: '0.0.0-test' }
  const report = await replaySession(options, session)
  assert.deepEqual(report.differences, [])
})

test('a program that stops its CPU is loaded all the same, and it is told that it does not run', async (t) => {
  const { at, controller } = await withDownload(t)
  await at.call('online.start-cpu', plc)
  await at.call('blocks.create', {
    ...plc,
    name: 'Halt',
    type: 'OB',
    eventClass: 'Startup',
    language: 'SCL',
    code: 'STP();',
  })
  const done = await download(at, { compile: true, stopModules: true })
  assert.deepEqual(done.cpu, { before: 'RUN', after: 'STOP', stopped: true, started: false })
  assert.match(done.warnings.join(), /not in RUN/)
  assert.equal(controller.program?.hash, done.programHash)
})

const halting = (code: string) =>
  `ORGANIZATION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nBEGIN\n${code}\nEND_ORGANIZATION_BLOCK\n`

test('a program that stops its CPU while it is replaced does not keep the corrected one out', async (t) => {
  const { at, controller } = await withDownload(t)
  const start = () => at.call<Answer>('simulation.start', { name: 'Sim', ...plc })
  const run = controller.change.bind(controller)
  // The program ends its first cycle when STOP is asked for: what the gateway knows of its state is old by then.
  const change = t.mock.method(controller, 'change', (transition: Transition, signal?: AbortSignal) => {
    if (transition !== 'stop') return run(transition, signal)
    return new Promise((resolve, reject) => {
      controller.events.once('diagnostic', () => run('stop').then(resolve, reject))
      controller.advance({ cycles: 1 }).catch(reject)
    })
  })
  await at.call('blocks.import', { ...plc, content: halting('STP();'), overwrite: true })
  assert.deepEqual((await start()).steps, ['load', 'run', 'connect'])
  await at.call('blocks.import', { ...plc, content: halting('"Data".count := 7;'), overwrite: true })
  assert.deepEqual((await start()).steps, ['stop', 'load', 'run', 'connect'])
  change.mock.restore()
  await controller.advance({ cycles: 1 })
  assert.equal(await value(at, 'Data.count'), 7)

  // The same, while a download compares.
  await at.call('blocks.import', { ...plc, content: halting('STP();'), overwrite: true })
  await download(at, { compile: true, stopModules: true })
  const plan = controller.planLoad.bind(controller)
  t.mock.method(controller, 'planLoad', async (...args: Parameters<Controller['planLoad']>) => {
    const report = await plan(...args)
    await controller.advance({ cycles: 1 })
    assert.equal(controller.state, 'Stop')
    return report
  })
  await at.call('blocks.import', { ...plc, content: halting('"Data".count := 8;'), overwrite: true })
  const done = await download(at, { compile: true, stopModules: true })
  assert.deepEqual([done.cpu.before, done.cpu.after], ['RUN', 'RUN'])
  await controller.advance({ cycles: 1 })
  assert.equal(await value(at, 'Data.count'), 8)
})

test('a load that fails leaves the program before it running', async (t) => {
  const { at, controller } = await withDownload(t)
  await at.call('online.start-cpu', plc)
  const before = controller.program?.hash
  await change(at, counter('6'))
  const load = t.mock.method(controller, 'load', () => Promise.reject(new Error('no memory card')))
  await assert.rejects(download(at, { compile: true, stopModules: true }))
  assert.deepEqual([controller.state, controller.program?.hash, load.mock.callCount()], ['Run', before, 1])
})

test('a program of no download is replaced with a warning', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Line')
  const controller = await withController(at)
  const { packageOf } = await import('../../test/controller.ts')
  await controller.load(packageOf('ORGANIZATION_BLOCK "OB1"\nBEGIN\nEND_ORGANIZATION_BLOCK\n'), {
    inRun: false,
    reinitialize: false,
  })
  await fails(at.call('online.compare', plc), 'conflict', /not loaded by a download/)
  await fails(at.call('online.upload', plc), 'conflict', /not loaded by a download/)
  await at.call('blocks.import', { ...plc, content: sampleProgram.replace('"Lamp" := "Start";', '') })
  assert.match((await download(at, { compile: true })).warnings.join(), /no download loaded/)
})
