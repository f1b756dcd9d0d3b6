import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { processArguments, runningModule } from '../../core/boot/running-code.ts'
import { replaySession } from '../../core/services.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { builtInPlugins, Gateway, openTestGateway } from '../../test/harness.ts'

type DeviceList = { devices: { name: string; id: string }[] }
const writer = processArguments(new URL('../../test/save-forever.ts', import.meta.url))

test('killed while it saves, nothing acknowledged is lost, and the next save makes the files whole', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-kill-')
  const dataDir = join(dir, 'data')
  const workspace = join(dir, 'workspace')
  await mkdir(workspace)
  let acknowledged = new Set<string>()
  /** The one command under way at the kill may have gone through; everything before it must have. */
  const compare = (present: ReadonlySet<string>) => {
    const missing = [...acknowledged].filter((name) => !present.has(name))
    const more = [...present].filter((name) => !acknowledged.has(name))
    assert.ok(missing.length + more.length <= 1, `missing: ${missing}; more: ${more}`)
  }
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [...writer, dataDir, workspace], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let lines = 0
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, ...names] = line.split(' ')
      if (what === 'present') {
        compare(new Set(names))
        acknowledged = new Set(names)
      }
      if (what === 'added') acknowledged.add(names[0]!)
      if (what === 'deleted') acknowledged.delete(names[0]!)
      // At another place in the cycle of add, delete and save in each round, and a moment later.
      if (++lines === 9 + round * 2) setTimeout(() => child.kill('SIGKILL'), round * 3)
    }
    await ended
    assert.ok(lines >= 9)
  }
  const gateway = await Gateway.open({
    dataDir,
    workspace: [workspace],
    version: '0.0.0-test',
    pluginDirs: [builtInPlugins],
    withoutEngine: true,
  })
  t.after(() => gateway.close())
  const call = async <T>(id: string, input: Record<string, unknown> = {}) => {
    const reply = await gateway.invoke(gateway.registry.operation(id)!, input, {
      actor: { name: 'test', access: 'admin' },
    })
    return (reply as { value: unknown }).value as T
  }
  compare(new Set((await call<DeviceList>('devices.list')).devices.map((device) => device.name)))

  await call('projects.save')
  const before = (await call<DeviceList>('devices.list')).devices
  const files = (await readdir(join(workspace, 'Line'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  assert.equal(files.length, before.length + 1, 'no leftovers, one file for each device')
  await call('projects.close')
  await call('projects.open', { path: 'Line' })
  assert.deepEqual((await call<DeviceList>('devices.list')).devices, before)
  assert.equal((await gateway.store.log.verify()).ok, true)
})

test('archives are packed and unpacked by the engineering instance', async (t) => {
  const g = await openTestGateway(t, { withoutEngine: false })
  const refused = await g.call('projects.create', { name: 'P' }).catch((error: Error & { code: string }) => error)
  assert.equal((refused as { code: string }).code, 'no_instance')
  await g.gateway.engineHost!.launch()
  t.after(() => g.gateway.engineHost!.shutdown().catch(() => {}))
  await g.call('projects.create', { name: 'P' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  const { archivePath } = await g.call<{ archivePath: string }>('projects.archive', { save: true })
  await g.call('projects.index')
  assert.equal((await g.call<{ total: number }>('projects.search', { q: '1515' })).total, 1)
  await g.call('projects.close')
  await g.call('projects.create-from-archive', { archivePath, targetDirectory: 'copy' })
  assert.equal((await g.call<DeviceList>('devices.list')).devices.length, 1)
  await g.call('projects.close')
  await writeFile(join(g.dir, 'workspace', 'bad.zap19'), 'no zip')
  const bad = await g
    .call('projects.create-from-archive', { archivePath: 'bad.zap19' })
    .catch((error: Error & { code: string }) => error)
  assert.equal((bad as { code: string }).code, 'unacceptable_content')
})

test('a folder of exported files is opened by the importers that know them', async (t) => {
  const plugins = await temporaryFolder(t, 'gantry-plugins-')
  await mkdir(join(plugins, 'note-importer'))
  const own = (path: string) => JSON.stringify(runningModule(new URL(path, import.meta.url).href))
  await writeFile(
    join(plugins, 'note-importer', 'index.mjs'),
    `import { definePlugin, extend } from ${own('../../core/index.ts')}
import { folderImporter } from ${own('./index.ts')}
import { addDevice } from ${own('../devices/index.ts')}
export default definePlugin({
  name: 'note-importer', version: '1.0.0', requires: ['projects', 'devices'],
  extensions: [extend(folderImporter, {
    name: 'notes',
    recognizes: (files) => files.list().filter((path) => path.endsWith('.station')),
    async import(ctx, project, files) {
      const paths = files.list().filter((path) => path.endsWith('.station'))
      for (const path of paths) await addDevice(ctx, { orderNumber: (await files.read(path)).toString() })
      return { imported: paths.length, files: paths.map((path) => ({ path, status: 'imported' })), warnings: ['only stations'] }
    },
  })],
})
`,
  )
  const g = await openTestGateway(t, { pluginDirs: [builtInPlugins, plugins] })
  const folder = join(g.dir, 'workspace', 'export: 1')
  await mkdir(join(folder, 'sub'), { recursive: true })
  await writeFile(join(folder, 'sub', 'a.station'), '6ES7 515-2AM02-0AB0')
  const opened = await g.call<Record<string, unknown>>('projects.open', { path: folder })
  assert.deepEqual(
    [opened.how, opened.name, opened.imported, opened.warnings, opened.isModified, opened.savedAt],
    ['imported', 'export_ 1', 1, ['only stations'], true, undefined],
  )
  assert.deepEqual(opened.files, [{ path: 'sub/a.station', status: 'imported' }])
  assert.equal((await g.call<DeviceList>('devices.list')).devices.length, 1)
  // Saved in place it is a project like any other; the exported files stay.
  await g.call('projects.save')
  await g.call('projects.close')
  assert.equal(await readFile(join(folder, 'sub', 'a.station'), 'utf8'), '6ES7 515-2AM02-0AB0')
  assert.equal((await g.call<{ how: string }>('projects.open', { path: folder })).how, 'opened')
  assert.equal((await g.call<DeviceList>('devices.list')).devices.length, 1)
  await g.call('projects.close')

  const empty = join(g.dir, 'workspace', 'nothing')
  await mkdir(empty)
  const refused = await g.call('projects.open', { path: empty }).catch((error: Error) => error)
  assert.match((refused as Error).message, /not a project.*It is empty/)
})

test('a session with projects is replayed with the same results, although its files are gone', async (t) => {
  const g = await openTestGateway(t)
  const tolerant = (id: string, input?: Record<string, unknown>) => g.call<unknown>(id, input).catch(() => undefined)
  await g.call('projects.create', { name: 'P' })
  await tolerant('projects.create', { name: 'Q' })
  for (const name of ['A', 'B']) await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name })
  await g.call('projects.save')
  await g.call('devices.rename', { deviceName: 'A', newName: 'C' })
  await tolerant('projects.close')
  await g.call('projects.archive', { save: true })
  await g.call('projects.close')
  await tolerant('projects.create', { name: 'P' })
  await g.call('projects.open', { path: 'P' })
  await g.call('devices.delete', { deviceName: 'B' })
  await g.call('projects.index')
  await g.call('projects.close', { save: true })
  await g.call('projects.create-from-archive', { archivePath: 'P.zap19', targetDirectory: 'copy' })
  await tolerant('projects.create-from-archive', { archivePath: 'P.zap19', targetDirectory: 'copy' })
  await g.call('projects.save', { path: 'other/Q' })
  const session = g.gateway.sessionSeq
  await g.gateway.close(2000)
  await rm(join(g.dir, 'workspace'), { recursive: true })
  const report = await replaySession(
    { dataDir: join(g.dir, 'data'), pluginDirs: [builtInPlugins], version: '0.0.0-test' },
    session,
  )
  assert.deepEqual(report.differences, [])
  assert.deepEqual([report.jobs, report.different], [17, 0])
})

test('a path of a TIA Portal project opens the project of that name, when there is one', async (t) => {
  const { call, dir } = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const path = join(dir, 'workspace/Bottling')
  await call('projects.create', { name: 'Bottling', directory: join(dir, 'workspace') })
  await call('projects.save')
  await call('projects.close')
  for (const named of [`${path}.ap20`, `${path}/Bottling.ap16_1`]) {
    assert.equal((await call<{ name: string }>('projects.open', { projectPath: named })).name, 'Bottling')
    await call('projects.close')
  }
  await assert.rejects(call('projects.open', { path: join(dir, 'workspace/Other.ap20') }), { code: 'not_found' })
})
