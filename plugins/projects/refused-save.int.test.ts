/** A save of which one file cannot be written, e.g. because a program has it open, leaves the others as they were. */
import assert from 'node:assert/strict'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'

test('a save with one file that is refused changes none, and says which; the next one writes them all', async (t) => {
  const g = await openTestGateway(t)
  const { path } = await g.call<{ path: string }>('projects.create', { name: 'P' })
  for (const name of ['A', 'B', 'C']) await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name })
  await g.call('projects.save')
  const file = (device: string) => join(path, 'devices', device, 'device.json')
  const texts = () =>
    Promise.all(['A', 'P.gantry'].map((one) => readFile(one === 'A' ? file(one) : join(path, one), 'utf8')))
  const before = await texts()
  const c = await readFile(file('C'), 'utf8')

  await g.call('devices.rename', { deviceName: 'A', newName: 'A1' })
  const refused = async () => {
    await fails(g.call('projects.save'), 'conflict', /"[^"]*devices.C.device\.json".*Nothing was changed\.$/)
    assert.deepEqual(await texts(), before)
    await assert.rejects(readFile(file('A1')), { code: 'ENOENT' })
    const { projects } = await g.call<{ projects: { isModified: boolean }[] }>('projects.list')
    assert.equal(projects[0]?.isModified, true)
  }
  await rm(file('C'))
  await mkdir(file('C'))
  await refused()
  await rm(file('C'), { recursive: true })
  if (process.platform === 'win32') {
    // As a spreadsheet has a file: nobody else may open it (a flag of libuv).
    await writeFile(file('C'), 'changed by hand')
    const held = openSync(file('C'), constants.O_RDWR | 0x10000000)
    try {
      await fails(g.call('projects.save'), 'conflict', /"[^"]*devices.C.device\.json" is in use by another program/)
      assert.deepEqual(await texts(), before)
    } finally {
      closeSync(held)
    }
  }
  await g.call('projects.save')
  await assert.rejects(readFile(file('A')), { code: 'ENOENT' })
  assert.equal(await readFile(file('C'), 'utf8'), c)
  assert.ok(await readFile(file('A1')))
})
