import assert from 'node:assert/strict'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'

type Archived = { archivePath: string; size: number; files: number }

/** A ZIP of the given entries, made by the library. */
async function zip(entries: Record<string, string | Buffer>, options: { mode?: number } = {}): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const file = new ZipFile()
  for (const [path, content] of Object.entries(entries)) file.addBuffer(Buffer.from(content), path, options)
  file.end()
  const chunks: Buffer[] = []
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Renames entries in the bytes of a ZIP: the library refuses to write such names. Lengths must be equal. */
function rename(bytes: Buffer, from: string, to: string): Buffer {
  assert.equal(from.length, to.length)
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
}

async function withProject(t: TestContext): Promise<TestGateway & { workspace: string }> {
  const g = await openTestGateway(t)
  await g.call('projects.create', { name: 'Line', version: 'V18' })
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await g.call('projects.save')
  return { ...g, workspace: join(g.dir, 'workspace') }
}

const manifest = (more: object = {}) =>
  JSON.stringify({
    format: 'gantry-project',
    formatVersion: 1,
    id: 'p1',
    version: 'V19',
    createdAt: '2024-05-06T07:08:09.000Z',
    ...more,
  })

test('a project is archived and restored with equal content', async (t) => {
  const g = await withProject(t)
  await writeFile(join(g.workspace, 'Line', 'drawing.bin'), Buffer.from([0, 255, 1]))
  const archived = await g.call<Archived>('projects.archive')
  assert.equal(archived.archivePath, join(g.workspace, 'Line.zap18'))
  assert.equal(archived.files, 3)
  assert.equal(archived.size, (await stat(archived.archivePath)).size)
  const { devices: before } = await g.call('devices.list')
  await fails(g.call('projects.create-from-archive', { archivePath: archived.archivePath }), 'conflict', /is open/)
  await g.call('projects.close')
  await fails(g.call('projects.create-from-archive', { archivePath: archived.archivePath }), 'name_taken', /Line/)
  const restored = await g.call('projects.create-from-archive', { Path: 'Line.zap18', targetDirectory: 'copies' })
  assert.deepEqual(
    [restored.name, restored.version, restored.how, restored.isModified],
    ['Line', 'V18', 'restored', false],
  )
  assert.equal(restored.path, join(g.workspace, 'copies', 'Line'))
  assert.deepEqual((await g.call('devices.list')).devices, before)
  assert.deepEqual(await readFile(join(g.workspace, 'copies', 'Line', 'drawing.bin')), Buffer.from([0, 255, 1]))
  for (const file of ['Line.gantry', 'devices/PLC_1/device.json'])
    assert.deepEqual(
      await readFile(join(g.workspace, 'copies', 'Line', file)),
      await readFile(join(g.workspace, 'Line', file)),
    )
  assert.equal((await g.call('projects.save')).written, 0)
})

test('an archive can be sent instead of named', async (t) => {
  const g = await withProject(t)
  const { archivePath } = await g.call<Archived>('projects.archive')
  await g.call('projects.close')
  const contentBase64 = (await readFile(archivePath)).toString('base64')
  const restored = await g.call('projects.create-from-archive', {
    file: { fileName: 'Line.zap18', contentBase64 },
    targetDirectory: 'sent',
  })
  assert.equal(restored.name, 'Line')
  assert.equal((await g.call('devices.list')).total, 1)
})

test('the target of an archive is a file, a folder, or the default; the extension is that of the version', async (t) => {
  const g = await withProject(t)
  const to = async (input: Record<string, unknown>) => (await g.call<Archived>('projects.archive', input)).archivePath
  assert.equal(await to({ exportPath: 'a/b/one.zap18' }), join(g.workspace, 'a', 'b', 'one.zap18'))
  assert.equal(await to({ archivePath: 'two' }), join(g.workspace, 'two.zap18'))
  assert.equal(await to({ archivePath: 'three.zap' }), join(g.workspace, 'three.zap'))
  assert.equal(await to({ archivePath: 'a' }), join(g.workspace, 'a', 'Line.zap18'))
  assert.equal(await to({ targetDirectory: 'a', targetName: 'four' }), join(g.workspace, 'a', 'four.zap18'))
  await fails(to({ archivePath: 'two.zap18' }), 'name_taken', /exists already/)
  assert.equal(await to({ archivePath: 'two.zap18', overwrite: true }), join(g.workspace, 'two.zap18'))
  await fails(to({ archivePath: 'x.zap19' }), 'invalid_input', /\.zap18/)
  await fails(to({ archivePath: '/x.zap18' }), 'path_outside_workspace')
  await fails(to({ targetDirectory: 'a', targetName: '../../x' }), 'invalid_input')
  // An archive inside the project's folder is not packed into the next one.
  const inside = await g.call<Archived>('projects.archive', { archivePath: 'Line/in.zap18' })
  assert.equal((await g.call<Archived>('projects.archive', { archivePath: 'Line/again.zap18' })).files, inside.files)
})

test('an archive holds what is saved', async (t) => {
  const g = await withProject(t)
  await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await fails(g.call('projects.archive'), 'conflict', /unsaved/)
  assert.equal((await g.call<Archived>('projects.archive', { save: true })).files, 3)
  await g.call('projects.close')
  await fails(g.call('projects.archive'), 'no_project')
})

test('what is not an archive of a project is refused, and nothing is left behind', async (t) => {
  const g = await openTestGateway(t)
  const workspace = join(g.dir, 'workspace')
  const restore = async (bytes: Buffer | string) => {
    await writeFile(join(workspace, 'x.zap19'), bytes)
    return g.call('projects.create-from-archive', { archivePath: 'x.zap19', targetDirectory: 'out' })
  }
  const good = { 'P.gantry': manifest() }
  const cases: [string, Buffer | string, RegExp][] = [
    ['empty file', '', /no zip archive, or it was cut off/],
    ['no zip', 'PK but not really', /no zip archive, or it was cut off/],
    ['cut', (await zip({ ...good, 'a.txt': 'x'.repeat(1000) })).subarray(0, -30), /no zip archive, or it was cut off/],
    ['no manifest', await zip({ 'a.txt': 'x', 'b/c.xml': 'y' }), /no manifest.*2 files: 1 × \.txt, 1 × \.xml/],
    ['two manifests', await zip({ ...good, 'Q.gantry': manifest() }), /2 projects/],
    ['traversal', rename(await zip({ ...good, 'aa/evil.txt': 'x' }), 'aa/evil.txt', '../evil.txt'), /\.\.\/evil/],
    [
      'traversal inside',
      rename(await zip({ ...good, 'a/bb/evil.txt': 'x' }), 'a/bb/evil.txt', 'a/../evil.txt'),
      /evil/,
    ],
    ['backslashes', rename(await zip({ ...good, 'aa/evil.txt': 'x' }), 'aa/evil.txt', '..\\evil.txt'), /evil/],
    ['absolute', rename(await zip({ ...good, 'a/evil.txt': 'x' }), 'a/evil.txt', '//evil.txt'), /evil/],
    ['drive', rename(await zip({ ...good, 'aa/evil.txt': 'x' }), 'aa/evil.txt', 'c:/evil.txt'), /evil/],
    ['symbolic link', await zip({ ...good, link: '/etc/passwd' }, { mode: 0o120777 }), /symbolic link/],
    ['device', await zip({ ...good, dev: '' }, { mode: 0o060600 }), /is a device/],
    ['control character', rename(await zip({ ...good, 'a_b.txt': 'x' }), 'a_b.txt', 'a\nb.txt'), /control characters/],
    ['twins', rename(await zip({ ...good, 'ab.txt': '1', 'aB.txt': '2' }), 'zz', 'zz'), /twice/],
    ['bomb', await zip({ ...good, 'zeros.bin': Buffer.alloc(64 * 1024 * 1024) }), /zip bomb/],
    ['faulty manifest', await zip({ 'P.gantry': '{' }), /P\.gantry/],
    ['faulty device', await zip({ ...good, 'devices/A/device.json': '{}' }), /devices\/A\/device\.json#\/name/],
    ['bad project name', await zip({ 'CON.gantry': manifest() }), /CON/],
  ]
  for (const [name, bytes, detail] of cases) {
    await t.test(name, async () => {
      await fails(restore(bytes), 'unacceptable_content', detail)
      assert.deepEqual(await readdir(workspace), ['x.zap19'])
      assert.deepEqual(await g.call('projects.list'), { projects: [], total: 0 })
    })
  }
  await fails(g.call('projects.create-from-archive', { archivePath: 'none.zap19' }), 'not_found')
  await fails(g.call('projects.create-from-archive', {}), 'invalid_input', /archivePath/)
  await fails(g.call('projects.create-from-archive', { archivePath: '/etc/passwd' }), 'path_outside_workspace')
})

test('an archive above the limit is refused with what can be done, restored or opened', async (t) => {
  const g = await openTestGateway(t)
  await writeFile(join(g.dir, 'workspace', 'x.zap19'), '')
  await truncate(join(g.dir, 'workspace', 'x.zap19'), 200 * 1024 * 1024 + 1)
  const calls: readonly [string, Record<string, unknown>][] = [
    ['projects.create-from-archive', { archivePath: 'x.zap19' }],
    ['projects.open', { path: 'x.zap19' }],
  ]
  for (const [operation, input] of calls) {
    const { details } = await fails(
      g.call(operation, input),
      'payload_too_large',
      /209715201 bytes; the limit is 209715200/,
    )
    assert.match(details.suggestion ?? '', /Unpack it/)
  }
})

test('an archive that lies about an entry is refused with its name', async (t) => {
  const g = await openTestGateway(t)
  const good = await zip({ 'P.gantry': manifest(), 'a.txt': 'x'.repeat(5000) })
  const central = good.lastIndexOf('a.txt') - 46
  assert.equal(good.readUInt32LE(central), 0x02014b50)
  const data = good.indexOf('a.txt') + 5
  const method = 10
  const size = 24
  const lies: readonly [string, (bytes: Buffer) => void, RegExp][] = [
    ['smaller', (bytes) => bytes.writeUInt32LE(50, central + size), /a\.txt/],
    ['larger', (bytes) => bytes.writeUInt32LE(5001, central + size), /"a\.txt".*another size than the 5001 bytes/],
    ['another method', (bytes) => bytes.writeUInt16LE(12, central + method), /"a\.txt".*method 12/],
    ['not packed', (bytes) => bytes.fill(0xff, data, data + 4), /cannot be read at "a\.txt"/],
  ]
  for (const [name, change, detail] of lies)
    await t.test(name, async () => {
      const bytes = Buffer.from(good)
      change(bytes)
      await writeFile(join(g.dir, 'workspace', 'x.zap19'), bytes)
      await fails(g.call('projects.create-from-archive', { archivePath: 'x.zap19' }), 'unacceptable_content', detail)
    })
})

test('an archive with one folder around everything, or with `\\` in its names, is taken', async (t) => {
  const g = await openTestGateway(t)
  const device = {
    name: 'PLC_1',
    orderNumber: '6ES7 515-2AM02-0AB0',
    typeIdentifier: 'OrderNumber:6ES7 515-2AM02-0AB0',
    kind: 'PLC',
    createdAt: '2024-05-06T07:08:09.000Z',
  }
  const files = { 'P.gantry': manifest(), 'devices/PLC_1/device.json': JSON.stringify(device), '.git/config': 'x' }
  const around = Object.fromEntries(Object.entries(files).map(([path, content]) => [`top/${path}`, content]))
  const slashed = rename(await zip(files), 'devices/PLC_1/device.json', 'devices\\PLC_1\\device.json')
  for (const [i, bytes] of [await zip(around), slashed].entries()) {
    const restored = await g.call<{ warnings: string[]; path: string }>('projects.create-from-archive', {
      file: { fileName: 'x.zap19', contentBase64: bytes.toString('base64') },
      targetDirectory: `out${i}`,
    })
    assert.match(restored.warnings.join(), /version control/)
    assert.deepEqual((await readdir(restored.path)).sort(), ['P.gantry', 'devices'])
    assert.equal((await g.call('devices.list')).total, 1)
    await g.call('projects.close')
  }
})

test('what is no project file of TIA Portal is named as such', async (t) => {
  const tia = (name: string, version: string) =>
    `\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<Data Type="Project" Name="${name}" ProjectCompatibilityVersion="${version}.0.0.0" xmlns="http://www.siemens.com/2007/07/Automation/CommonServices/DataInfoValueData"><Icon Key="x">AAAB</Icon><ProjectVersion>${version}.0.0.0</ProjectVersion></Data>`
  const g = await openTestGateway(t)
  const workspace = join(g.dir, 'workspace')
  const bytes = await zip({ 'Plant.ap21': tia('Plant &amp; more', '21'), 'System/PEData.plf': 'x' })
  await writeFile(join(workspace, 'Plant.zap21'), bytes)
  await fails(
    g.call('projects.create-from-archive', { archivePath: 'Plant.zap21' }),
    'unacceptable_content',
    /no project file of TIA Portal V14 to V21/,
  )
  await writeFile(join(workspace, 'Head.zap21'), await zip({ 'Plant.ap21': tia('Plant', '21') }))
  await fails(
    g.call('projects.create-from-archive', { archivePath: 'Head.zap21' }),
    'unacceptable_content',
    /header of a TIA Portal project \(Plant\.ap21\), but not the project file itself/,
  )
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(workspace, 'Plant'))
  await writeFile(join(workspace, 'Plant', 'Plant.ap19'), tia('Plant', '19'))
  for (const path of ['Plant', 'Plant/Plant.ap19'])
    await fails(
      g.call('projects.open', { path }),
      'unacceptable_content',
      /System\/PEData\.plf beside it.* is not there/,
    )
})
