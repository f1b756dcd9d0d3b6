/** What a screen shows, as data and as a picture, with values of a controller. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundlePage, hasBrowser, hmi, openPage } from '../../../test/hmi.ts'
import { type Answer, withDownload } from '../../../test/online.ts'

test('a screen tells its objects with their values, and draws itself, as its page does', async (t) => {
  await bundlePage()
  const { at } = await withDownload(t)
  const { call } = at
  await call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'HMI_1' })
  await call('hmi.create-screen', { ...hmi, name: 'Main' })
  await call('hmi.create-screen', { ...hmi, name: 'Other' })
  const add = (object: object) =>
    call<Answer>('hmi.add-object', { screenName: 'Main', left: 20, width: 200, height: 40, ...object })
  const speed = [{ property: 'value', tag: 'Data.motor.speed' }]
  await add({ type: 'TextField', name: 'Title', text: 'Pump <1> & more', top: 20 })
  await add({ type: 'IOField', name: 'Speed', top: 80, bindings: speed })
  await add({ type: 'Bar', name: 'Level', top: 140, height: 200, bindings: speed })
  await add({ type: 'Switch', name: 'Run', top: 360, bindings: [{ property: 'value', tag: 'Data.motor.run' }] })
  await add({
    ...{ type: 'Button', name: 'Go', text: 'Go', top: 420 },
    events: [{ event: 'Click', actions: [{ function: 'ActivateScreen', parameters: { 'Screen name': 'Other' } }] }],
  })
  await add({ type: 'AlarmView', name: 'Alarms', top: 480, width: 500, height: 120 })
  const compiled = await call<Answer>('hmi.compile', {})
  assert.equal(compiled.success, true, JSON.stringify(compiled.messages))

  const read = () => call<Answer>('hmi.screen-values', { stationName: 'HMI_1' })
  const shown = await read()
  assert.deepEqual([shown.screenName, shown.culture, shown.total], ['Main', 'en-US', 6])
  assert.deepEqual(
    shown.plcs.map(({ plc, isReached }: Answer) => [plc, isReached]),
    [['PLC_1', true]],
  )
  const object = (answer: Answer, name: string) => answer.objects.find((one: Answer) => one.name === name)
  assert.equal(object(shown, 'Title').text, 'Pump <1> & more')
  assert.equal(object(shown, 'Speed').text, '3')
  const [value] = object(shown, 'Speed').values
  assert.deepEqual(value, {
    property: 'processValue',
    variable: 'Data.motor.speed',
    plc: 'PLC_1',
    path: 'Data.motor.speed',
    raw: 3,
    value: 3,
  })
  assert.deepEqual([object(shown, 'Level').text, object(shown, 'Run').text], ['3', '0'])
  assert.deepEqual(object(shown, 'Go').does, ['Click: ActivateScreen(Screen name=Other)'])
  await call('hmi.write-variable', { stationName: 'HMI_1', variable: 'Data.motor.speed', value: 77 })
  assert.equal(object(await read(), 'Speed').text, '77')

  const one = await call<Answer>('hmi.screen-values', { stationName: 'HMI_1', limit: 2, cursor: 4 })
  assert.deepEqual([one.objects.map(({ name }: Answer) => name), one.nextCursor], [['Go', 'Alarms'], undefined])
  const refused = (input: object, code: string) =>
    assert.rejects(call('hmi.screen-values', { stationName: 'HMI_1', ...input }), { code })
  await refused({ screenName: 'Mian' }, 'not_found')
  await refused({ culture: 'fr-FR' }, 'invalid_input')

  const svg = await call<string>('hmi.screen-picture', { stationName: 'HMI_1' })
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+"/)
  assert.match(svg, />77</)
  assert.match(svg, /Pump &lt;1> &amp; more|Pump &lt;1&gt; &amp; more/)
  if (hasBrowser) {
    // A browser takes it as a document of its own: it is well-formed.
    const file = join(at.gateway.workspace.roots[0] ?? '', 'screen.svg')
    await writeFile(file, svg)
    const { page, picture } = await openPage(t, pathToFileURL(file).href, '')
    assert.equal(await page.locator('parsererror').count(), 0)
    assert.equal(await page.locator('[data-name=Speed] text').textContent(), '77')
    assert.equal(await page.locator('[data-name=Run] button').getAttribute('role'), 'switch')
    await picture('screen-picture')
  }

  const { instances } = await call<Answer>('simulation.list-instances', {})
  await call('simulation.power-off', { name: instances[0].name })
  const off = await read()
  assert.equal(off.plcs[0].isReached, false)
  assert.match(object(off, 'Speed').values[0].error, /No controller that is switched on/)
  assert.equal(object(off, 'Speed').values[0].raw, undefined)
})
