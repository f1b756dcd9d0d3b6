/** A compiled station on a virtual controller: compile, live values and writing, and the page in a real browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { accessibilityFaults, bundlePage, enter, hasBrowser, hmi, openStation, served } from '../../../test/hmi.ts'
import { type Answer, withDownload } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { becomes, textUntil } from '../../../test/until.ts'

const lamp = {
  type: 'Circle',
  name: 'Lamp',
  left: 100,
  top: 100,
  width: 80,
  height: 80,
  bindings: [
    {
      property: 'FillColor',
      tag: 'Data.motor.run',
      converter: 'BoolToColor',
      params: { on: '#00ff00', off: '#ff0000' },
    },
  ],
}
const set = (value: string) => [
  { event: 'Click', actions: [{ function: 'SetTag', parameters: { Tag: 'Data.motor.run', Value: value } }] },
]

/** A running controller with the sample program, and a station with two screens. */
async function withPanel(t: TestContext) {
  await bundlePage()
  const { at } = await withDownload(t)
  const { call } = at
  await call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'HMI_1' })
  await call('hmi.create-screen', { ...hmi, name: 'Main' })
  await call('hmi.create-screen', { ...hmi, name: 'Second', backColor: '#ddeeff' })
  const add = (object: object) => call<Answer>('hmi.add-object', { screenName: 'Main', ...object })
  await add(lamp)
  await add({
    type: 'Button',
    name: 'On',
    left: 300,
    top: 100,
    width: 120,
    height: 50,
    text: { 'en-US': 'Start', 'de-DE': 'Ein' },
    events: set('true'),
  })
  const next = [{ event: 'Click', actions: [{ function: 'ActivateScreen', parameters: { 'Screen name': 'Second' } }] }]
  await add({ type: 'Button', name: 'Next', left: 300, top: 200, width: 120, height: 50, text: 'Next', events: next })
  await add({
    type: 'IOField',
    name: 'Speed',
    left: 500,
    top: 100,
    width: 120,
    height: 40,
    bindings: [{ property: 'value', tag: 'Data.motor.speed' }],
  })
  await add({
    type: 'TrendView',
    name: 'Curve',
    left: 100,
    top: 400,
    width: 500,
    height: 250,
    bindings: [{ property: 'value', tag: 'Data.motor.speed' }],
  })
  await add({ type: 'AlarmView', name: 'Alarms', left: 650, top: 400, width: 500, height: 250 })
  return { ...at, add }
}

test('compile: every binding, reference and script is checked; the folder has what the station needs', async (t) => {
  const { call, add } = await withPanel(t)
  const compile = (more: object = {}) => call<Answer>('hmi.compile', { stationName: 'HMI_1', ...more })
  const first = await compile()
  assert.deepEqual([first.success, first.errors, first.messages, first.compiled], [true, 0, [], 2])
  assert.ok(Number.isInteger(first.compileTimeMs))
  const page = await readFile(first.binaryPath, 'utf8')
  assert.match(page, /"station":"HMI_1"/)
  assert.match(await readFile(join(first.folder, 'screens', 'Main.svg'), 'utf8'), /<ellipse cx="140" cy="140"/)
  await add({ type: 'Rectangle', name: 'More' })
  const second = await compile()
  assert.deepEqual([second.compiled, second.unchanged], [1, 1])
  assert.deepEqual((await compile({ rebuildAll: true })).compiled, 2)

  await add({ ...lamp, name: 'a', bindings: [{ ...lamp.bindings[0], tag: 'Data.motor.no' }] })
  await add({ ...lamp, name: 'b', bindings: [{ ...lamp.bindings[0], tag: 'Data.motor.speed' }] })
  await add({ type: 'SymbolicIOField', name: 'c', links: { textList: 'None' } })
  await call('hmi.create-script', { ...hmi, name: 'Bad', source: 'let x = 1\nif (x { }' })
  const { success, messages, binaryPath } = await compile()
  assert.deepEqual([success, binaryPath], [false, ''])
  assert.deepEqual(
    messages.map(({ code, screen, object, property, line }: Answer) => [code, screen, object, property, line]),
    [
      ['hmi-unknown-variable', 'Main', 'a', 'backColor', undefined],
      ['hmi-wrong-type', 'Main', 'b', 'backColor', undefined],
      ['hmi-missing-reference', 'Main', 'c', '', undefined],
      ['hmi-script-syntax', '', 'Bad', '', 2],
    ],
  )
  await fails(call('hmi.compile', { stationName: 'PLC_1' }), 'conflict', /is not an HMI device/)
  await fails(call('hmi.compile', { stationName: 'HMI_2' }), 'not_found', /Did you mean "HMI_1"/)
})

test('a station is made from the program, and compiles', async (t) => {
  const { call } = await withPanel(t)
  const made = await call<Answer>('hmi.generate', {})
  assert.deepEqual([made.screens, made.libraryTypes, made.objects, made.warnings], [['PLC_1'], ['Counter'], 2, []])
  const compiled = await call<Answer>('hmi.compile', {})
  assert.deepEqual([compiled.success, compiled.messages], [true, []])
  const model = JSON.parse(await call<string>('hmi.show-model', { stationName: 'HMI_1' }))
  const names = model.variables.map(({ name, path }: Answer) => [name, path])
  assert.deepEqual(names.slice(-2), [
    ['Counter_DB.step', 'Counter_DB.step'],
    ['Counter_DB.total', 'Counter_DB.total'],
  ])
  const again = await call<Answer>('hmi.generate', {})
  assert.match(again.warnings[0], /"PLC_1" exists: it was left as it is/)
  await fails(call('hmi.generate', { plcName: 'HMI_1' }), 'conflict', /is not a PLC/)
})

test('values come over one stream when they change; only variables of the station can be written', async (t) => {
  const { call, gateway } = await withPanel(t)
  const write = { stationName: 'HMI_1', variable: 'Data.motor.run', value: true }
  await fails(call('hmi.write-variable', write), 'conflict', /is not compiled/)
  await call('hmi.compile', {})
  const { url, key } = await served(t, gateway)
  const end = new AbortController()
  const response = await fetch(`${url}/api/hmi/stations/HMI_1/stream?intervalMs=20`, {
    headers: { 'X-API-Key': key },
    signal: end.signal,
  })
  assert.equal(response.status, 200)
  const told = textUntil(response)
  await told(/event: plc\ndata: \{"plc":"PLC_1","isReached":true,"instance":"Sim","state":"Stop"\}/)
  await told(/event: values\ndata: \{"v":\[\[0,false\],\[1,3\]\]\}/)
  assert.deepEqual((await call<Answer>('hmi.write-variable', write)).value, true)
  await told(/data: \{"v":\[\[0,true\]\]\}/)
  end.abort()
  await fails(call('hmi.write-variable', { ...write, variable: 'Data.limit' }), 'not_found')
  await fails(call('hmi.write-variable', { ...write, value: 'x' }), 'unacceptable_content')
  await fails(call('hmi.write-variable', { ...write, stationName: 'PLC_1' }), 'conflict')
  assert.equal((await fetch(`${url}/hmi/HMI_1/`)).status, 200)
  assert.equal((await fetch(`${url}/api/hmi/stations/HMI_1/model`)).status, 401)
})

test('the page in a browser: the circle changes its colour when its tag changes', { skip: !hasBrowser }, async (t) => {
  const { call, gateway } = await withPanel(t)
  const loop = 'for (;;) {}'
  await call('hmi.create-script', { ...hmi, name: 'Endless', source: loop })
  await call('hmi.create-script', { ...hmi, name: 'Faster', source: "await Tags('Data.motor.speed').Write(42)" })
  const button = (name: string, left: number, script: string) => ({
    screenName: 'Second',
    type: 'Button',
    name,
    left,
    top: 100,
    width: 120,
    height: 50,
    text: name,
    events: [{ event: 'Click', actions: [{ function: script }] }],
  })
  await call('hmi.add-object', button('Run', 100, 'Faster'))
  await call('hmi.add-object', button('Hang', 300, 'Endless'))
  const compiled = await call<Answer>('hmi.compile', {})
  assert.equal(compiled.success, true, JSON.stringify(compiled.messages))
  const { page, faults, foreign, picture } = await openStation(t, await served(t, gateway))
  const circle = page.locator('[data-name=Lamp] ellipse')
  const fill = async (wanted: string) => {
    await page.waitForSelector(`[data-name=Lamp] ellipse[fill="${wanted}"]`)
    return circle.getAttribute('fill')
  }
  assert.equal(await fill('#ff0000'), '#ff0000')
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Data.motor.run', value: true })
  assert.equal(await fill('#00ff00'), '#00ff00')
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Data.motor.run', value: false })
  await fill('#ff0000')
  // The button writes through the gateway, by mouse and by keyboard.
  await page.getByRole('button', { name: 'Start' }).click()
  await fill('#00ff00')
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Data.motor.run', value: false })
  await fill('#ff0000')
  await page.getByRole('button', { name: 'Start' }).focus()
  await page.keyboard.press('Enter')
  await fill('#00ff00')
  await enter(page, 'Speed', '77')
  const tagValue = async (tagName: string) =>
    (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName })).value
  await becomes(() => tagValue('Data.motor.speed'), 77)
  await picture('main')
  assert.deepEqual(await accessibilityFaults(page), [])

  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForSelector('[data-screen=Second]')
  await page.getByRole('button', { name: 'Run' }).click()
  await becomes(() => tagValue('Data.motor.speed'), 42)
  await page.getByRole('button', { name: 'Hang', exact: true }).click()
  await page.getByText('it was ended after 5 seconds').waitFor()
  await page.locator('header select').first().selectOption('Main')
  await fill('#00ff00')
  // The controller goes: the quality is bad, and shown.
  await call('simulation.power-off', { name: 'Sim' })
  await page.waitForSelector('[data-name=Lamp][data-quality=bad]')
  await picture('bad')
  assert.deepEqual([faults, foreign], [[], []])
})
