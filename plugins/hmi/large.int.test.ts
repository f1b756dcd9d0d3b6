/** A screen of 5 000 objects: import, compile, the page; and what was compiled survives a restart. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { bundlePage, enter, hasBrowser, hmi, openStation, panels, served } from '../../test/hmi.ts'
import { gridProgram, gridScreen } from '../../test/hmi-screens.ts'
import { type Answer, newProject, plc, withController } from '../../test/online.ts'
import { writeWorkspace } from '../../test/plant.ts'
import { becomes } from '../../test/until.ts'

test('5 000 objects on a screen, 1 000 of them with values', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Large')
  await call('blocks.import', { ...plc, content: gridProgram(1000) })
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  const xml = gridScreen('Grid', 5000, 1000)
  await writeWorkspace(at, { 'grid.xml': xml })
  await call('hmi.import', { ...hmi, filePath: 'grid.xml' })
  const list = await call<Answer>('hmi.list-objects', { screenName: 'Grid', limit: 1 })
  assert.equal(list.total, 5000)
  assert.equal((await call<Answer>('hmi.export', { ...hmi, kind: 'screen', name: 'Grid' })).content, xml)
  const compiled = await call<Answer>('hmi.compile', {})
  assert.deepEqual([compiled.success, compiled.messages, compiled.compiled], [true, [], 1])
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })

  // The compiled form is content of the gateway: it is served after a restart, and after its folder is gone.
  const model = await call<string>('hmi.show-model', { stationName: 'HMI_1' })
  assert.ok((await stat(compiled.binaryPath)).size > model.length / 2)
  const second = await at.restart()
  assert.equal(await second.call<string>('hmi.show-model', { stationName: 'HMI_1' }), model)
  const unchanged = await second.call<Answer>('hmi.compile', {})
  assert.deepEqual([unchanged.success, unchanged.compiled, unchanged.unchanged], [true, 0, 1])
  if (!hasBrowser) return

  await bundlePage()
  await second.call('simulation.power-on', { name: 'Sim' })
  await second.call('simulation.run', { name: 'Sim' }).catch(() => undefined)
  const { page, faults, picture } = await openStation(t, await served(t, second.gateway, at.gateway.createdKey))
  const field = (i: number) => page.getByLabel(`Value ${i}`, { exact: true })
  await field(999).waitFor()
  assert.equal(await page.locator('svg.screen [data-name]').count(), 5000)
  const before = Number(
    (await second.call<Answer>('simulation.read-tag', { name: 'Sim', tagName: 'Big.v[999]' })).value,
  )
  for (let n = 1; n <= 5; n++) {
    await second.call('simulation.advance', { name: 'Sim', cycles: 1 })
    for (const i of [0, 500, 999]) await becomes(() => field(i).textContent(), String(before + n))
  }
  // It is operated as a small one.
  assert.equal(await page.locator('foreignObject').count(), 0, 'no field lays out a part of its own')
  await enter(page, 'Value 7', '1234')
  await becomes(() => field(7).textContent(), '1234')
  assert.equal((await second.call<Answer>('simulation.read-tag', { name: 'Sim', tagName: 'Big.v[7]' })).value, 1234)
  await picture('large')
  assert.deepEqual(faults, [])
})
