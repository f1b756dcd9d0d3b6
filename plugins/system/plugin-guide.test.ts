import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInPlugins } from '../../core/boot/running-code.ts'
import { webPages } from '../../core/index.ts'
import { actor, openTestGateway } from '../../test/harness.ts'
import { fbSource, openPlant } from '../../test/plant.ts'
import { pluginDirectory, problemOf } from '../../test/system.ts'

const guide = await readFile(new URL('./docs/plugin-guide.md', import.meta.url), 'utf8')
const codes = [...guide.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code]) => code!)

test('the plugin and the hook of the guide do what it says', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'bookmarks'))
  await writeFile(join(dir, 'bookmarks/index.ts'), codes[0]!)
  await mkdir(join(dir, 'policy'))
  const policy = `export default ({ definePlugin, problem }) => definePlugin({ name: 'policy', version: '1.0.0', ${codes.find((code) => code.includes("'*.delete'"))!} })`
  await writeFile(join(dir, 'policy/index.mjs'), policy.replaceAll("'*.delete'", "'bookmarks.*'"))
  const opened = await openTestGateway(t, { pluginDirs: [dir] })
  assert.deepEqual(opened.gateway.pluginFaults, [])
  await opened.call('bookmarks.add', { name: 'pump', text: 'PLC_1/Pump' })
  await assert.rejects(opened.call('bookmarks.add', { name: 'pump', text: '' }), problemOf('name_taken'))
  const denied = opened.call('bookmarks.add', { name: 'b', text: '' }, { actor: actor('engineer') })
  await assert.rejects(denied, problemOf('forbidden', /policy of this site/))
  const { call } = await opened.restart()
  assert.equal((await call('bookmarks.list')).total, 1)
})

test('the plugin of the guide that calls operations imports blocks in one job, which is undone as one', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'block-set'))
  await writeFile(join(dir, 'block-set/index.mjs'), codes.find((code) => code.includes("name: 'block-set'"))!)
  const { call, gateway } = await openPlant(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(gateway.pluginFaults, [])
  const importSet = (sources: readonly string[]) => call('block-set.import', { deviceName: 'PLC_1', sources })
  const total = async () => (await call('blocks.list', { deviceName: 'PLC_1' })).total
  assert.deepEqual(await importSet([fbSource('Pump'), fbSource('Valve')]), { imported: 2, blocks: 2 })
  const undo = await call<{ jobs: { command: string }[] }>('history.undo')
  assert.deepEqual(
    undo.jobs.map(({ command }) => command),
    ['block-set.import'],
  )
  assert.equal(await total(), 0)
  await assert.rejects(importSet([fbSource('Pump'), 'FUNCTION_BLOCK']))
  assert.equal(await total(), 0)
})

test('the plugin of the guide with an upload, a page, a named type and a sealed result', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'plant-notes'))
  await writeFile(join(dir, 'plant-notes/index.mjs'), codes.find((code) => code.includes("name: 'plant-notes'"))!)
  const { call, gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(gateway.pluginFaults, [])
  const file = { fileName: 'a.txt', content: 'one\ntwo\n' }
  assert.deepEqual(await call('plant-notes.count', { file }), { fileName: 'a.txt', lines: 2 })
  assert.deepEqual((await call('plant-notes.tree')).root, { name: 'Plant', areas: [{ name: 'North', areas: [] }] })
  const { token } = await call<{ token: string }>('plant-notes.issue-token')
  assert.match(token, /^note-/)
  const { jobs } = await call<{ jobs: { jobId: string; command: string }[] }>('jobs.list')
  const { jobId } = jobs.find(({ command }) => command === 'plant-notes.issue-token')!
  assert.doesNotMatch(JSON.stringify(await call('jobs.get', { jobId })), new RegExp(token))
  const page = gateway.registry.extensions(webPages).find(({ path }) => path === '/plant-notes')
  assert.match((await page!.page(gateway)).html, /Notes/)
})

test('the plugin of the guide that contributes to extension points is asked by those who have them', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'plant-marks'))
  await writeFile(join(dir, 'plant-marks/index.mjs'), codes.find((code) => code.includes("name: 'plant-marks'"))!)
  const { call, gateway } = await openPlant(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(gateway.pluginFaults, [])
  const input = { deviceName: 'PLC_1', tableName: 'Default tag table' }
  const { constants } = await call<{ constants: { name: string }[] }>('tags.list-system-constants', input)
  assert(constants.some(({ name }) => name === 'Plant~Mark'))
  const { path } = await call<{ path: string }>('projects.save')
  assert.equal(await readFile(join(path, 'plant-marks/plant.txt'), 'utf8'), 'north\n')
})
