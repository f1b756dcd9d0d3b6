// In a process of its own: it changes the environment.
import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, openTestGateway } from '../../test/harness.ts'
import { openSystem, problemOf } from '../../test/system.ts'
import { tiaPortals } from './machine.ts'

interface Instance {
  readonly processId: number
  readonly attached: boolean
}

test('health says what it can do, and needs no access', async (t) => {
  const { call, gateway } = await openSystem(t)
  const health = await call('health.get')
  assert.deepEqual([health.status, health.reasons, health.store, health.project], ['ok', [], 'ok', null])
  assert.equal(health.version, gateway.version)
  assert.equal((await call('health.ping')).status, 'ok')
  for (const id of ['health.get', 'health.ping']) assert.equal(gateway.registry.operation(id)!.access, 'public')
  assert.deepEqual(await call('instance.version'), { name: 'Gantry', version: gateway.version })
})

test('diagnostics tell of machine, store and plugins, also of one that was skipped', async (t) => {
  const opened = await openSystem(t)
  const broken = join(opened.gateway.options.pluginDirs[0]!, 'broken')
  await mkdir(broken)
  await writeFile(join(broken, 'index.js'), 'throw new Error("it has a fault")')
  const { call, gateway } = await opened.restart()
  await call('counter.add', { name: 'a' })
  const d = await call<{
    process: { pid: number; eventLoopLagMs: number }
    machine: { cpus: number; disk: { freeBytes: number; totalBytes: number } }
    store: { state: string; records: number; bytes: number; durability: string }
    plugins: { loaded: { name: string }[]; skipped: { name: string; reason: string }[] }
  }>('health.diagnostics', {}, { actor: actor('viewer') })
  assert.equal(d.process.pid, process.pid)
  assert(d.process.eventLoopLagMs >= 0)
  assert(d.machine.cpus >= 1 && d.machine.disk.freeBytes <= d.machine.disk.totalBytes)
  assert.deepEqual([d.store.state, d.store.durability], ['ok', 'os'])
  assert(d.store.records >= gateway.sessionSeq && d.store.bytes > 0)
  assert.deepEqual(
    d.plugins.loaded.map(({ name }) => name),
    ['counter', 'system'],
  )
  assert.deepEqual(
    d.plugins.skipped.map(({ name, reason }) => [name, reason]),
    [['broken', `it has a fault (${join(broken, 'index.js')}:1:7)`]],
  )
  const health = await call<{ status: string; reasons: string[] }>('health.get')
  assert.equal(health.status, 'degraded')
  assert.ok(health.reasons.includes('plugins: a fault in broken; health.diagnostics says which'))
})

test('the engineering versions are V16 to V21', async (t) => {
  const { call } = await openSystem(t)
  const { versions, total, attached } = await call<{
    versions: { version: string; isDefault: boolean; archiveExtension: string }[]
    total: number
    attached: unknown
  }>('health.versions')
  assert.deepEqual(
    versions.map(({ version }) => version),
    ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'],
  )
  assert.deepEqual([total, attached], [6, null])
  assert.equal(versions.find(({ isDefault }) => isDefault)!.archiveExtension, '.zap19')
})

test('an instance is launched, diagnosed, detached, attached and shut down', async (t) => {
  const { call, gateway } = await openSystem(t, { withoutEngine: false })
  const before = await call('health.get')
  assert.equal(before.status, 'degraded')
  assert.deepEqual(before.reasons, ['engine: Portal instance is not available; launch or attach one'])
  for (const id of ['instance.diagnostics', 'instance.detach', 'instance.shut-down'])
    await assert.rejects(call(id), problemOf('no_instance', /Portal instance is not available.*Launch or attach/))
  await assert.rejects(call('instance.launch', { version: 'V22' }), problemOf('invalid_input', /V16, V17.*V21$/))
  await assert.rejects(call('instance.launch', { version: 'V1' }), problemOf('invalid_input'))
  const planned = await call<{ result: Instance; warnings?: string[] }>('instance.launch', {
    dryRun: true,
    version: '19.0',
    withUI: true,
  })
  const shown = { mode: 'WithoutUserInterface', busy: false }
  const { startedAt: _, ...plan } = planned.result as Instance & { startedAt: string }
  assert.deepEqual(plan, { processId: null, version: gateway.version, ...shown, attached: true })
  const nothing = { connected: false, connecting: false, processId: null, instance: null }
  assert.deepEqual(await call('instance.status'), { ...nothing, projectOpen: false, project: null })
  await assert.rejects(call('instance.attach', { pid: 1, dryRun: true }), problemOf('not_found', /process id 1\.$/))

  const launched = await call<Instance & { startedAt: string; version: string }>('instance.launch')
  const { processId, startedAt, version } = launched
  const instance = { processId, startedAt, version, ...shown }
  assert.deepEqual(launched, { ...instance, attached: true })
  const attached = problemOf('conflict', new RegExp(`^The engineering instance ${processId} is attached; detach`))
  await assert.rejects(call('instance.launch'), attached)
  await assert.rejects(call('instance.attach', { processId: 1 }), attached)
  assert.deepEqual(await call('instance.status'), {
    connected: true,
    connecting: false,
    processId,
    instance: launched,
    projectOpen: false,
    project: null,
  })
  const { cpu, memory, uptimeMs, ...diagnostics } = await call<Record<string, Record<string, number>>>(
    'instance.diagnostics',
    {},
    { actor: actor('viewer', 'key/Tool') },
  )
  assert.deepEqual(diagnostics, {
    processId,
    version,
    startedAt,
    tasks: { done: 0, failed: 0, cancelled: 0, waiting: 0, current: null },
    busy: false,
    restarts: 0,
    scriptingInterface: { status: 'available', application: 'Tool', whitelisted: false },
  })
  const { residentBytes = 0, heapTotalBytes = 0, heapUsedBytes = 0, ...otherBytes } = memory!
  assert(residentBytes > heapTotalBytes && heapTotalBytes >= heapUsedBytes && heapUsedBytes > 0)
  assert.deepEqual(Object.keys(otherBytes), ['externalBytes', 'taskHeapUsedBytes'])
  assert.deepEqual(Object.keys(cpu!), ['userMs', 'systemMs', 'percent'])
  assert(Number(uptimeMs) > 0)
  const health = await call('health.get')
  assert.deepEqual(
    [health.status, health.reasons, health.engine],
    ['ok', [], { attached: true, connecting: false, processId }],
  )
  const versions = await call<{ attached: unknown }>('health.versions')
  assert.deepEqual(versions.attached, { processId, version })

  const detached = { processId, connected: false, running: true }
  assert.deepEqual((await call<{ result: unknown }>('instance.detach', { dryRun: true })).result, detached)
  assert.equal((await call('instance.status')).connected, true)
  assert.deepEqual(await call('instance.detach'), detached)
  assert.deepEqual(await call('instance.list'), { instances: [{ ...instance, attached: false }], total: 1 })
  await assert.rejects(call('instance.attach', { pid: 1 }), problemOf('not_found'))
  const plannedAgain = await call<{ result: Instance }>('instance.attach', { processId, dryRun: true })
  assert.deepEqual(plannedAgain.result, { ...instance, attached: false })
  assert.equal((await call('instance.status')).connected, false)
  assert.deepEqual(await call('instance.attach', { pid: processId }), launched)
  assert.deepEqual(await call('instance.attach', { processId }), launched)
  const ended = { processId, connected: false, running: false }
  assert.deepEqual((await call<{ result: unknown }>('instance.shut-down', { dryRun: true })).result, ended)
  assert.deepEqual(await call('instance.shut-down'), ended)
  assert.deepEqual(await call('instance.list'), { instances: [], total: 0 })
  const events: unknown[] = []
  for await (const records of gateway.store.log.read())
    events.push(...records.filter(({ type }) => type.startsWith('instance.')).map(({ type, data }) => ({ type, data })))
  const names = ['launched', 'detached', 'attached', 'shut-down']
  assert.deepEqual(
    events,
    names.map((name) => ({ type: `instance.${name}`, data: { processId } })),
  )
})

test('the instance owns the open project: shutting down needs a decision, a new one has none open', async (t) => {
  const { call } = await openTestGateway(t, { withoutEngine: false })
  const { processId } = await call<Instance>('instance.launch')
  const { path } = await call<{ path: string }>('projects.create', { name: 'P' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  const undecided = await call('instance.shut-down').then(
    () => assert.fail('it was shut down'),
    (error: { code: string; details: { errors: { path: string }[] } }) => error,
  )
  assert.equal(undecided.code, 'conflict')
  assert.deepEqual(
    undecided.details.errors.map((choice) => choice.path),
    ['/save', '/force'],
  )
  assert.equal((await call('instance.status')).processId, processId)
  const saved = await call('instance.shut-down', { save: true })
  assert.deepEqual(saved.project, { name: 'P', path, saved: true, discarded: false })
  assert.equal((await call('projects.list')).total, 0)

  await call('instance.launch')
  assert.equal((await call('instance.status')).project, null)
  await call('projects.open', { path })
  const { devices } = await call<{ devices: { name: string }[] }>('devices.list')
  assert.equal(devices.length, 1)
  await call('devices.rename', { deviceName: devices[0]?.name, newName: 'Lost' })
  const discarded = await call<{ project: object }>('instance.shut-down', { discard: true })
  assert.deepEqual(discarded.project, { name: 'P', path, saved: false, discarded: true })
  await call('instance.launch')
  await call('projects.open', { path })
  assert.deepEqual((await call<{ devices: { name: string }[] }>('devices.list')).devices, devices)
  // Saved as it is, it goes without a question.
  assert.deepEqual((await call<{ project: object }>('instance.shut-down')).project, {
    ...discarded.project,
    discarded: false,
  })
})

test('versions say whether the engine is there, and which TIA Portal is on the computer', async (t) => {
  const { call } = await openSystem(t)
  type Version = { version: string; installed: boolean; reads: boolean; tiaPortalInstalled: boolean }
  const without = await call<{ versions: Version[] }>('health.versions')
  assert.deepEqual(new Set(without.versions.flatMap(({ installed, reads }) => [installed, reads])), new Set([false]))
  const engine = await openSystem(t, { withoutEngine: false })
  const { versions } = await engine.call<{ versions: Version[] }>('health.versions')
  assert.deepEqual(new Set(versions.flatMap(({ installed, reads }) => [installed, reads])), new Set([true]))
  const programs = join(engine.dir, 'programs')
  assert.deepEqual([...(await tiaPortals(programs))], [])
  for (const folder of ['Portal V17', 'Portal V20', 'License Manager'])
    await mkdir(join(programs, 'Siemens/Automation', folder), { recursive: true })
  assert.deepEqual([...(await tiaPortals(programs))].sort(), ['V17', 'V20'])
})

test('without an engine instances are not available', async (t) => {
  const { call } = await openSystem(t)
  await assert.rejects(call('instance.launch'), problemOf('not_available'))
  assert.deepEqual(await call('instance.list'), { instances: [], total: 0 })
})

test('garbage goes, what the log names stays', async (t) => {
  const { call, gateway } = await openSystem(t)
  const kept = await call('counter.take-file', { file: { fileName: 'a.txt', content: 'kept content' } })
  assert.equal(kept.text, 'kept content')
  // Content of a job that was refused: its blob becomes durable with other records, but no record refers to it.
  const orphan = await gateway.store.blobs.stage('orphan content')
  const { lastSeq } = gateway.store.log.append([{ type: 'test.noted', data: {} }], [orphan])
  await gateway.store.log.durable(lastSeq)
  const tried = await call<{ result: { examined: number; removed: number } }>('system.collect-garbage', {
    dryRun: true,
  })
  assert.equal(tried.result.removed, 0)
  assert.equal(await gateway.store.blobs.has(orphan.hash), true)
  const collected = await call('system.collect-garbage')
  assert.deepEqual([collected.examined, collected.removed, collected.kept], [2, 1, 1])
  assert.equal(await gateway.store.blobs.has(orphan.hash), false)
  assert.equal((await call('audit.verify', { blobs: 'whole' })).ok, true)
  await assert.rejects(call('system.collect-garbage', {}, { actor: actor('operator') }), problemOf('forbidden'))
})

test('a checkpoint holds the state, and the start after it needs nothing else', async (t) => {
  const first = await openSystem(t)
  await first.call('counter.add', { name: 'a', by: 5 })
  const { seq } = await first.call<{ seq: number }>('system.checkpoint')
  assert.equal((await first.gateway.store.checkpoints.newest())!.seq, seq)
  const second = await first.restart()
  assert.deepEqual(await second.call('counter.get', { name: 'a' }), { name: 'a', value: 5 })
})

test('dialogs: chosen, cancelled, none to show, and never as a job', async (t) => {
  if (process.platform !== 'linux') return t.skip('uses a stand-in for the dialog program of Linux desktops')
  const { call, dir } = await openSystem(t)
  const bin = join(dir, 'bin')
  await mkdir(bin)
  const before = { PATH: process.env.PATH, DISPLAY: process.env.DISPLAY, WAYLAND_DISPLAY: process.env.WAYLAND_DISPLAY }
  t.after(() => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  delete process.env.DISPLAY
  delete process.env.WAYLAND_DISPLAY
  await assert.rejects(call('system.browse-file'), problemOf('no_desktop', /DISPLAY/))
  const zenity = async (script: string) => {
    await writeFile(join(bin, 'zenity'), `#!/bin/sh\n${script}\n`)
    await chmod(join(bin, 'zenity'), 0o755)
  }
  process.env.DISPLAY = ':77'
  process.env.PATH = `${bin}:/usr/bin:/bin`
  const inside = join(dir, 'workspace', 'a.csv')
  await writeFile(inside, '')
  await zenity(`echo "${inside}"`)
  assert.deepEqual(await call('system.browse-file', { title: 'Choose', filter: '*.csv;*.txt' }), {
    path: inside,
    cancelled: false,
    inWorkspace: true,
  })
  await zenity('echo /elsewhere')
  assert.deepEqual(await call('system.browse-folder'), { path: '/elsewhere', cancelled: false, inWorkspace: false })
  await zenity('exit 1')
  assert.deepEqual(await call('system.browse-project'), { cancelled: true })
  await assert.rejects(call('system.browse-file', { filter: '$(x)' }), problemOf('invalid_input'))
  await assert.rejects(call('system.browse-file', { startIn: 'relative' }), problemOf('invalid_input'))
  // Not even to find out that there is no desktop.
  const share = { startIn: '//host/share' }
  await assert.rejects(call('system.browse-folder', share), problemOf('path_outside_workspace'))
  const { jobId } = await call<{ jobId: string }>('system.browse-file', {}, { mode: 'async' })
  const job = await call<{ error: { code: string } }>('jobs.get', { jobId, wait: 30 })
  assert.equal(job.error.code, 'conflict')
})

test('every page of the documentation is there', async (t) => {
  const { gateway } = await openSystem(t)
  const pages = gateway.registry.docs.filter(({ plugin }) => plugin === 'system')
  assert.equal(pages.length, 7)
  for (const { name, text } of pages) {
    const content = typeof text === 'string' ? text : await text()
    // The manual adds the title.
    assert(content.length > 500 && !content.startsWith('# '), name)
  }
})
