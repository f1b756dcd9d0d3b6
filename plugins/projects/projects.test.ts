import assert from 'node:assert/strict'
import { readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { noLinks } from '../../test/links.ts'

interface ProjectAnswer {
  name: string
  path: string
  id: string
  isModified: boolean
  savedAt?: string
  how?: string
  warnings?: string[]
  version: string
}

/** All files below a folder with their content. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const out: Record<string, string> = {}
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    out[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path, 'utf8')
  }
  return out
}

const project = async ({ call }: TestGateway) =>
  (await call<{ projects: ProjectAnswer[] }>('projects.list')).projects[0] as ProjectAnswer
const stateOf = async ({ call }: TestGateway) => {
  const { devices } = await call<{ devices: unknown[] }>('devices.list')
  const parked = await call<{ devices: unknown[] }>('devices.parking-lot')
  const { projects } = await call<{ projects: Record<string, unknown>[] }>('projects.list')
  const { modifiedAt, savedAt, ...rest } = projects[0]!
  assert.ok(modifiedAt && savedAt)
  return { devices, parked: parked.devices, project: rest }
}

test('a project is created, filled, saved, closed and opened again with equal content', async (t) => {
  const g = await openTestGateway(t)
  const created = await g.call<ProjectAnswer>('projects.create', {
    name: 'Bottling',
    author: 'A. Engineer',
    comment: 'line 1',
    version: 'v20',
    cultures: ['de-DE', 'en-US'],
  })
  assert.equal(created.version, 'V20')
  assert.equal(created.path, join(g.dir, 'workspace', 'Bottling'))
  assert.equal(created.isModified, false)
  assert.deepEqual(Object.keys(await filesOf(created.path)), ['Bottling.gantry'])

  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await g.call('devices.add', { orderNumber: '6es7515-2am02-0ab0', name: 'Füller / 2' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', unplaced: true, name: 'Spare' })
  assert.equal((await project(g)).isModified, true)
  await g.call('projects.simulation-support')
  const saved = await g.call<{ written: number; removed: number; files: number }>('projects.save')
  assert.deepEqual([saved.files, saved.written, saved.removed], [4, 4, 0])
  const before = await stateOf(g)
  assert.equal((before.project as { isModified?: boolean }).isModified, false)
  const tree = await filesOf(created.path)
  assert.deepEqual(Object.keys(tree).sort(), [
    'Bottling.gantry',
    'devices/Füller %2F 2/device.json',
    'devices/PLC_1/device.json',
    'devices/Spare/device.json',
  ])

  await g.call('projects.close')
  assert.deepEqual(await g.call('projects.list'), { projects: [], total: 0 })
  await fails(g.call('devices.list'), 'no_project', /No project/)

  const opened = await g.call<ProjectAnswer>('projects.open', { projectPath: 'Bottling' })
  assert.equal(opened.how, 'opened')
  assert.deepEqual(opened.warnings, [])
  assert.deepEqual(await stateOf(g), before)
  // What is saved again is what was there.
  const again = await g.call<{ written: number }>('projects.save')
  assert.equal(again.written, 0)
  assert.deepEqual(await filesOf(created.path), tree)

  // The manifest itself can be named, with the other spelling of the field.
  await g.call('projects.close')
  await g.call('projects.open', { Path: join(created.path, 'Bottling.gantry') })
  assert.deepEqual(await stateOf(g), before)
})

test('the open project and its unsaved changes survive a restart', async (t) => {
  const first = await openTestGateway(t)
  await first.call('projects.create', { name: 'P' })
  await first.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  const before = await stateOf(first)
  const second = await first.restart()
  assert.deepEqual(await stateOf(second), before)
  assert.equal((await project(second)).isModified, true)
  await second.call('projects.save')
  assert.equal((await project(second)).isModified, false)
  const third = await second.restart()
  assert.equal((await project(third)).isModified, false)
})

test('save writes what has changed, removes what is gone, and leaves other files alone', async (t) => {
  const g = await openTestGateway(t)
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'P' })
  for (const name of ['A', 'B', 'C']) await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name })
  await g.call('projects.save')
  await writeFile(join(path, 'devices', 'B', 'notes.txt'), 'mine')
  await writeFile(join(path, 'devices', 'A', 'device.json.0123456789ab.tmp'), 'left by a crash')
  await writeFile(join(path, 'README.md'), 'about')
  const old = new Date(Date.now() - 60_000)
  await utimes(join(path, 'devices', 'C', 'device.json'), old, old)

  await g.call('devices.rename', { deviceName: 'a', newName: 'A1' })
  await g.call('devices.delete', { deviceName: 'B' })
  const saved = await g.call<Record<string, number>>('projects.save')
  assert.deepEqual([saved.files, saved.written, saved.removed, saved.unchanged], [3, 1, 2, 2])
  assert.deepEqual(Object.keys(await filesOf(path)).sort(), [
    'P.gantry',
    'README.md',
    'devices/A1/device.json',
    'devices/B/notes.txt',
    'devices/C/device.json',
  ])
  assert.equal((await stat(join(path, 'devices', 'C', 'device.json'))).mtime.getTime(), old.getTime())
  assert.equal(await stat(join(path, 'devices', 'A')).catch(() => 'gone'), 'gone')

  // A file that someone else changed is written again.
  await writeFile(join(path, 'devices', 'C', 'device.json'), 'spoilt')
  assert.equal((await g.call<{ written: number }>('projects.save')).written, 1)
  // So is one that is gone, and one whose only difference is the case of its device's name.
  await rm(join(path, 'devices'), { recursive: true })
  assert.equal((await g.call<{ written: number }>('projects.save')).written, 2)
  await g.call('devices.rename', { deviceName: 'C', newName: 'c' })
  await g.call('projects.save')
  await g.call('projects.close')
  await g.call('projects.open', { path: 'P' })
  const { devices } = await g.call<{ devices: { name: string }[] }>('devices.list')
  assert.deepEqual(devices.map((device) => device.name).sort(), ['A1', 'c'])
})

test('save as moves the project to a new folder with a new name', async (t) => {
  const g = await openTestGateway(t)
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'Old' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await fails(g.call('projects.save', { path: 'Old' }), 'name_taken', /exists already/)
  await fails(g.call('projects.save', { path: 'sub/CON' }), 'invalid_input', /Windows/)
  const saved = await g.call<{ name: string; path: string }>('projects.save', { path: 'sub/New' })
  assert.equal(saved.name, 'New')
  assert.deepEqual(Object.keys(await filesOf(saved.path)).sort(), ['New.gantry', 'devices/PLC_1/device.json'])
  assert.deepEqual(Object.keys(await filesOf(path)), ['Old.gantry'])
  assert.equal((await project(g)).path, saved.path)
  assert.equal((await g.call<{ written: number }>('projects.save')).written, 0)
  const { history } = await g.call<{ history: { name: string }[] }>('projects.history')
  assert.deepEqual(history.map((entry) => entry.name).sort(), ['New', 'Old'])
})

test('closing with unsaved changes needs a decision', async (t) => {
  const g = await openTestGateway(t)
  await fails(g.call('projects.close'), 'no_project')
  await g.call('projects.create', { name: 'P' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  const error = await fails(g.call('projects.close'), 'conflict', /unsaved changes/)
  assert.match(error.details.suggestion ?? '', /force/)
  assert.equal((await g.call<{ total: number }>('devices.list')).total, 1)
  assert.deepEqual(await g.call<Record<string, unknown>>('projects.close', { save: true }), {
    name: 'P',
    path: join(g.dir, 'workspace', 'P'),
    closed: true,
    saved: true,
    discarded: false,
  })
  await g.call('projects.open', { path: 'P' })
  assert.equal((await g.call<{ total: number }>('devices.list')).total, 1)
  await g.call('devices.delete', { deviceName: 'PLC_1' })
  assert.equal((await g.call<{ discarded: boolean }>('projects.close', { Force: true })).discarded, true)
  await g.call('projects.open', { path: 'P' })
  assert.equal((await g.call<{ total: number }>('devices.list')).total, 1)
})

test('create refuses bad names, versions, places and a second project', async (t) => {
  const g = await openTestGateway(t)
  for (const name of [
    ' ',
    'a/b',
    'a\\b',
    '..',
    '.hidden',
    'a:b',
    'tab\t',
    'nul',
    'COM1.x',
    'trailing.',
    'x'.repeat(129),
    'é'.repeat(100),
    '\ud800',
    'a%b',
  ]) {
    await fails(g.call('projects.create', { name }), 'invalid_input', /\/name/)
  }
  await fails(g.call('projects.create', {}), 'invalid_input', /\/name: is missing/)
  await fails(g.call('projects.create', { name: 'P', version: 'V15' }), 'invalid_input', /V16, V17/)
  await fails(g.call('projects.create', { name: 'P', cultures: ['english'] }), 'invalid_input', /cultures/)
  await fails(g.call('projects.create', { name: 'P', directory: '/' }), 'path_outside_workspace')
  await fails(g.call('projects.create', { name: 'P', directory: '../..' }), 'path_outside_workspace')
  await fails(g.call('projects.create', { name: 'P', colour: 'red' }), 'invalid_input', /unknown property/)
  assert.deepEqual(await readdir(join(g.dir, 'workspace')), [])

  await g.call('projects.create', { name: 'P' })
  const twice = await fails(g.call('projects.create', { name: 'Q' }), 'conflict', /Project "P" .* is open/)
  assert.match(twice.details.suggestion ?? '', /close/)
  await g.call('projects.close')
  const taken = await fails(g.call('projects.create', { name: 'P' }), 'name_taken', /P\.gantry/)
  assert.match(taken.details.suggestion ?? '', /open/i)
  const dry = await g.call<{ dryRun: boolean; files: { path: string }[] }>('projects.create', {
    name: 'Q',
    dryRun: true,
  })
  assert.equal(dry.dryRun, true)
  assert.deepEqual(await readdir(join(g.dir, 'workspace')), ['P'])
})

test('open says what is wrong with what it was given', async (t) => {
  const g = await openTestGateway(t)
  const workspace = join(g.dir, 'workspace')
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'Good' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await fails(g.call('projects.open', { path: 'Good' }), 'conflict', /Close it first/)
  const { archivePath } = await g.call<{ archivePath: string }>('projects.archive', { save: true })
  await g.call('projects.close', { save: true })

  const near = await fails(g.call('projects.open', { path: join(workspace, 'Goood') }), 'not_found', /Did you mean/)
  assert.equal(near.details.suggestion, path)
  await writeFile(join(workspace, 'Gooood.txt'), 'x')
  const beside = await fails(g.call('projects.open', { path: 'Gooood' }), 'not_found')
  assert.equal(
    beside.message,
    'There is no project or folder "Gooood". Did you mean "Good"? There is: "Good", "Good.zap19".',
  )
  assert.equal(beside.details.suggestion, 'Good')
  await fails(g.call('projects.open', { path: 'Good/Goood' }), 'not_found', /no project or folder "Good\/Goood"/)
  await fails(g.call('projects.open', { path: '/etc' }), 'path_outside_workspace')
  await fails(g.call('projects.open', { path: '' }), 'invalid_input')
  await writeFile(join(workspace, 'note.txt'), 'x')
  await fails(g.call('projects.open', { path: 'note.txt' }), 'unacceptable_content', /not a project/)
  await writeFile(join(workspace, 'old.zap19'), 'x')
  await fails(
    g.call('projects.open', { path: 'old.zap19' }),
    'unacceptable_content',
    /no zip archive, or it was cut off/,
  )
  const zap = await fails(g.call('projects.open', { path: archivePath }), 'unacceptable_content', /saved here/)
  assert.match(zap.details.suggestion ?? '', /create-from-archive/)

  const manifest = join(path, 'Good.gantry')
  const good = JSON.parse(await readFile(manifest, 'utf8'))
  const spoilt: [unknown, RegExp][] = [
    ['{ "format": ', /Good\.gantry, line 1: is not JSON/],
    ['[]', /JSON object/],
    [{ ...good, format: 'x' }, /gantry-project/],
    [{ ...good, formatVersion: 99 }, /newer/],
    [{ ...good, version: 'V15' }, /V16, V17/],
    [{ ...good, createdAt: 'yesterday' }, /RFC 3339/],
    [{ ...good, id: undefined }, /is missing/],
    [{ ...good, cultures: [1] }, /list of texts/],
  ]
  for (const [content, detail] of spoilt) {
    await writeFile(manifest, typeof content === 'string' ? content : JSON.stringify(content))
    await fails(g.call('projects.open', { path }), 'unacceptable_content', detail)
  }
  await writeFile(manifest, JSON.stringify({ ...good, parts: ['devices', 'holograms'] }))
  const opened = await g.call<ProjectAnswer>('projects.open', { path })
  assert.match(opened.warnings?.[0] ?? '', /holograms/)
  await g.call('projects.close')

  await writeFile(join(path, 'Second.gantry'), JSON.stringify(good))
  await fails(g.call('projects.open', { path }), 'invalid_input', /Good\.gantry, Second\.gantry/)
  assert.equal((await g.call<ProjectAnswer>('projects.open', { path: join(path, 'Second.gantry') })).name, 'Second')
  await g.call('projects.close')
  await rm(join(path, 'Second.gantry'))

  const device = join(path, 'devices', 'PLC_1', 'device.json')
  const goodDevice = JSON.parse(await readFile(device, 'utf8'))
  await writeFile(
    device,
    JSON.stringify({ ...goodDevice, kind: 'Toaster', name: '', colour: 'red', network: { interfaces: [{}] } }),
  )
  const faulty = await fails(g.call('projects.open', { path }), 'unacceptable_content')
  assert.deepEqual(
    faulty.details.errors?.map((fault) => fault.path),
    ['/name', '/kind', '/network/interfaces/0/name', '/colour'].map((at) => `devices/PLC_1/device.json#${at}`),
  )
  assert.deepEqual(await g.call('projects.list'), { projects: [], total: 0 })
})

test('devices of copied folders get ids of their own, twins by name are refused', async (t) => {
  const g = await openTestGateway(t)
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'P' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await g.call('projects.close', { save: true })
  const { cp } = await import('node:fs/promises')
  await cp(join(path, 'devices', 'PLC_1'), join(path, 'devices', 'copy'), { recursive: true })
  await fails(g.call('projects.open', { path }), 'unacceptable_content', /name is taken by/)
  const copy = join(path, 'devices', 'copy', 'device.json')
  await writeFile(copy, JSON.stringify({ ...JSON.parse(await readFile(copy, 'utf8')), name: 'PLC_2' }))
  await g.call('projects.open', { path })
  const { devices } = await g.call<{ devices: { id: string; name: string }[] }>('devices.list')
  assert.deepEqual(devices.map((device) => device.name).sort(), ['PLC_1', 'PLC_2'])
  assert.notEqual(devices[0]!.id, devices[1]!.id)
})

test('symbolic links in a project are not followed', { skip: noLinks }, async (t) => {
  const g = await openTestGateway(t)
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'P' })
  await symlink('/etc', join(path, 'devices'))
  await g.call('projects.save')
  await g.call('projects.close')
  await g.call('projects.open', { path })
  assert.equal((await g.call<{ total: number }>('devices.list')).total, 0)
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await fails(g.call('projects.save'), 'path_outside_workspace')
})

test('the history keeps what was opened, the latest first', async (t) => {
  let now = Date.UTC(2024, 0, 1)
  const g = await openTestGateway(t, { clock: () => (now += 1000) })
  for (const name of ['A', 'B', 'C']) {
    await g.call('projects.create', { name })
    await g.call('projects.close')
  }
  await g.call('projects.open', { path: 'A' })
  const names = async () =>
    (await g.call<{ history: { name: string }[] }>('projects.history')).history.map((entry) => entry.name)
  assert.deepEqual(await names(), ['A', 'C', 'B'])
  await fails(g.call('projects.delete-history'), 'invalid_input')
  await fails(g.call('projects.delete-history', { path: 'x', all: true }), 'invalid_input')
  await fails(g.call('projects.delete-history', { path: join(g.dir, 'workspace', 'D') }), 'not_found', /Did you mean/)
  await g.call('projects.delete-history', { path: join(g.dir, 'workspace', 'C', 'C.gantry') })
  assert.deepEqual(await names(), ['A', 'B'])
  assert.equal((await g.call<{ removed: number }>('projects.delete-history', { all: true })).removed, 2)
  assert.deepEqual(await names(), [])
  assert.equal((await project(g)).name, 'A')
})

test('overview, infrastructure, index and search tell of the devices', async (t) => {
  const g = await openTestGateway(t)
  for (const id of ['projects.overview', 'projects.infrastructure', 'projects.index'])
    await fails(g.call(id), 'no_project')
  const { path } = await g.call<ProjectAnswer>('projects.create', { name: 'P', author: 'me' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'MixerCpu1' })
  const overview = await g.call<{ author: string; devices: Record<string, unknown>[] }>('projects.overview')
  assert.equal(overview.author, 'me')
  const [device] = overview.devices
  assert.equal(device!.name, 'MixerCpu1')
  assert.equal(device!.articleNumber, '6ES7 515-2AM02-0AB0')
  assert.deepEqual(device!.deviceItems, [{ name: 'MixerCpu1', typeIdentifier: device!.typeIdentifier }])
  assert.deepEqual(await g.call('projects.infrastructure'), { subnets: [], connections: [], ioSystems: [] })

  await fails(g.call('projects.search', { q: 'mixer' }), 'conflict', /not been indexed/)
  const index = await g.call<{ entries: number; counts: Record<string, number> }>('projects.index')
  assert.equal(index.counts.device, 1)
  type Found = { results: { name: string }[]; total: number; stale: boolean }
  for (const q of ['mixer', 'MIX', 'mixercpu1', 'cpu mixer', 'mixar', '1515']) {
    const found = await g.call<Found>('projects.search', { q, kind: 'device' })
    assert.deepEqual([found.results[0]?.name, found.stale], ['MixerCpu1', false], q)
  }
  // A slip: a letter too many, missing, another one, or two that changed places, in one word or in each.
  const slips: unknown[] = []
  for (const q of ['mixxer', 'mixerpu1', 'miser', 'mixre', 'cpu mxier', 'imxre'])
    slips.push((await g.call<Found>('projects.search', { q, kind: 'device' })).total)
  assert.deepEqual(slips, [1, 1, 1, 1, 1, 0])
  assert.equal((await g.call<Found>('projects.search', { q: 'pump' })).total, 0)
  assert.equal((await g.call<Found>('projects.search', { q: 'mixer', deviceName: 'mixercpu1' })).total, 1)
  assert.equal((await g.call<Found>('projects.search', { q: 'pump', deviceName: 'MIXERCPU1' })).total, 0)
  await fails(g.call('projects.search', { q: 'mixer', deviceName: 'other' }), 'not_found', /no device "other"/)
  assert.equal((await g.call<Found>('projects.search', { q: 'mixer', kind: 'Tag' })).total, 0)
  await fails(g.call('projects.search', { q: 'mixer', kind: 'tags' }), 'invalid_input', /must be one of .*tag-table/)
  await g.call('devices.rename', { deviceName: 'MixerCpu1', newName: 'PumpCpu' })
  assert.equal((await g.call<Found>('projects.search', { q: 'mixer' })).stale, true)

  // Network data is read from the files.
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'Second' })
  await g.call('projects.close', { save: true })
  const edit = async (name: string, interfaces: unknown[]) => {
    const file = join(path, 'devices', name, 'device.json')
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), network: { interfaces } }))
  }
  await edit('PumpCpu', [
    {
      name: 'X1',
      ipAddress: '192.168.0.1',
      subnetMask: '255.255.255.0',
      subnet: 'PN/IE_1',
      ioSystem: { name: 'PNIO', number: 100, role: 'controller' },
    },
  ])
  await edit('Second', [{ name: 'X1', subnet: 'pn/ie_1', ioSystem: { name: 'pnio', role: 'device' } }, { name: 'X2' }])
  await g.call('projects.open', { path })
  assert.deepEqual(await g.call('projects.infrastructure'), {
    subnets: [
      {
        name: 'PN/IE_1',
        type: 'Ethernet',
        nodes: [
          { device: 'PumpCpu', interface: 'X1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0' },
          { device: 'Second', interface: 'X1' },
        ],
      },
    ],
    connections: [
      {
        name: 'PumpCpu - Second',
        type: 'PROFINET IO',
        device: 'PumpCpu',
        partner: 'Second',
        ioSystem: 'PNIO',
        subnet: 'PN/IE_1',
      },
    ],
    ioSystems: [
      {
        name: 'PNIO',
        number: 100,
        subnet: 'PN/IE_1',
        controller: 'PumpCpu',
        devices: ['Second'],
        members: [{ device: 'Second' }],
      },
    ],
  })
  await g.call('projects.save')
  await g.call('projects.close')
  await g.call('projects.open', { path })
  assert.equal((await g.call<{ subnets: unknown[] }>('projects.infrastructure')).subnets.length, 1)
})

test('simulation support is a property of the project', async (t) => {
  const g = await openTestGateway(t)
  await fails(g.call('projects.simulation-support'), 'no_project')
  await g.call('projects.create', { name: 'P' })
  assert.deepEqual(await g.call<Record<string, unknown>>('projects.simulation-support'), {
    projectName: 'P',
    simulationSupport: true,
    changed: true,
  })
  assert.deepEqual(await g.call<Record<string, unknown>>('projects.simulation-support', { enabled: true }), {
    projectName: 'P',
    simulationSupport: true,
    changed: false,
  })
  await g.call('projects.close', { save: true })
  assert.equal((await g.call<{ simulationSupport: boolean }>('projects.open', { path: 'P' })).simulationSupport, true)
  await g.call('projects.simulation-support', { enabled: false })
  assert.equal((await project(g)).isModified, true)
})
