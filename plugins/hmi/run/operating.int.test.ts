/** Operating a compiled station: held bits and their owners, limits of HMI tags, a CPU in STOP, messages that stay. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bundlePage, enter, hasBrowser, hmi, openStation, served } from '../../../test/hmi.ts'
import { type Answer, withDownload } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { becomes } from '../../../test/until.ts'
import { Holds } from './holds.ts'

const tags = { ...hmi, tableName: 'Tags' }

/** A running controller, and a station whose tag Speed has the limits 0 and 250. */
async function withPanel(t: TestContext) {
  await bundlePage()
  const { at } = await withDownload(t)
  const { call } = at
  await call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'HMI_1' })
  await call('hmi.create-tag-table', { ...hmi, name: 'Tags' })
  const tag = (name: string, more: object) => call('hmi.add-tag', { ...tags, name, ...more })
  const limits = { LimitUpper2Type: 'Constant', LimitUpper2: '250', LimitLower2Type: 'Constant', LimitLower2: '0' }
  await tag('Speed', { plcTag: 'Data.motor.speed', attributes: limits })
  await tag('Run', { plcTag: 'Data.motor.run' })
  await call('hmi.create-screen', { ...hmi, name: 'Main' })
  await call('hmi.create-screen', { ...hmi, name: 'Second' })
  const add = (object: object) =>
    call<Answer>('hmi.add-object', { screenName: 'Main', top: 100, width: 140, height: 50, ...object })
  const jog = [{ event: 'Press', actions: [{ function: 'SetBitWhileKeyPressed', parameters: { Tag: 'Run' } }] }]
  await add({ type: 'Button', name: 'Jog', left: 100, text: 'Jog', events: jog })
  await add({ type: 'IOField', name: 'Speed', left: 300, bindings: [{ property: 'value', tag: 'Speed' }] })
  const value = async (tagName: string) =>
    (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName: `Data.motor.${tagName}` })).value
  const write = (variable: string, value: unknown, more: object = {}) =>
    call<Answer>('hmi.write-variable', { stationName: 'HMI_1', variable, value, ...more })
  return { ...at, add, tag, value, write, compile: () => call<Answer>('hmi.compile', {}) }
}

/** A stream of the station's values, as a page opens it. */
async function openViewer(url: string, key: string): Promise<{ readonly id: string; leave(): void }> {
  const end = new AbortController()
  const response = await fetch(`${url}/api/hmi/stations/HMI_1/stream`, {
    headers: { 'X-API-Key': key },
    signal: end.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    text += (await reader.read()).value
    const [, id] = /"viewer":"([^"]+)"/.exec(text) ?? []
    if (id !== undefined) return { id, leave: () => end.abort() }
  }
}

test('a bit has the stream of its viewer as owner: it is reset when that ends, unless it was written since', async (t) => {
  const { call, gateway, value, write, compile } = await withPanel(t)
  assert.deepEqual((await compile()).messages, [])
  const { url, key } = await served(t, gateway)
  const viewer = () => openViewer(url, key)
  const [one, other] = [await viewer(), await viewer()]
  assert.notEqual(one.id, other.id)
  await fails(write('Run', true, { viewer: 'nobody' }), 'conflict', /has gone/)
  await fails(write('Speed', 5, { viewer: one.id }), 'unacceptable_content', /only a Bool can be held/)
  await write('Run', true, { viewer: one.id })
  assert.equal(await value('run'), true)
  one.leave()
  await becomes(() => value('run'), false)
  await fails(write('Run', true, { viewer: one.id }), 'conflict', /has gone/)
  // Another one has written it since: it is wanted as it is.
  const third = await viewer()
  await write('Run', true, { viewer: third.id })
  await write('Run', true)
  third.leave()
  await write('Run', true, { viewer: other.id })
  await write('Run', false)
  await write('Run', true)
  other.leave()
  const last = await viewer()
  await write('Speed', 1)
  assert.equal(await value('run'), true)
  // The station is compiled again: its streams end, and so does what they hold.
  await write('Run', true, { viewer: last.id })
  await call('hmi.create-screen', { ...hmi, name: 'More' })
  await compile()
  await write('Speed', 2)
  await becomes(() => value('run'), false)
})

test('what is let go cannot be renewed, and whoever holds it anew meanwhile keeps it', () => {
  const holds = new Holds()
  const [first, second] = [holds.open(), holds.open()]
  assert.ok(holds.hold(first, 'Run'))
  const released = holds.release('RUN')!
  assert.equal(holds.isHeldBy(first, 'Run'), false)
  assert.deepEqual([holds.held, holds.isReleased('run', released)], [['run'], true])
  assert.ok(holds.hold(second, 'run'))
  assert.deepEqual([holds.isReleased('Run', released), holds.isHeldBy(second, 'Run')], [false, true])
  assert.equal(holds.release('Other'), undefined)
})

test('a bit that is held for a time is reset when its viewer does not renew it, though its stream is open', async (t) => {
  const { gateway, value, write, compile } = await withPanel(t)
  let now = 0
  Object.assign(gateway, { ticks: () => now })
  assert.deepEqual((await compile()).messages, [])
  const { url, key } = await served(t, gateway)
  const { id: viewer } = await openViewer(url, key)
  const held = { viewer, holdMs: 500 }
  await fails(write('Run', true, { ...held, renew: true }), 'conflict', /not held by this viewer/)
  await write('Run', true, held)
  // Nothing is written when it is renewed: the program has its own way with it.
  now = 400
  await write('Run', true, { ...held, renew: true })
  now = 800
  assert.equal(await value('run'), true)
  now = 901
  await becomes(() => value('run'), false)
  await fails(write('Run', true, { ...held, renew: true }), 'conflict', /not held by this viewer/)
  // Somebody else wants it as it is.
  await write('Run', true, held)
  await write('Run', true)
  await fails(write('Run', true, { ...held, renew: true }), 'conflict', /not held by this viewer/)
  now = 10_000
  await write('Speed', 1)
  assert.equal(await value('run'), true)
})

test('the limits of HMI tags hold for every writer of the station; one that cannot be applied is told', async (t) => {
  const { call, tag, value, write, compile, add } = await withPanel(t)
  const upper = { LimitUpper2Type: 'HMI_Tag', LimitUpper2: 'Most' }
  await tag('Most', { plcTag: 'Data.limit' })
  await tag('Count', { plcTag: 'Data.count', attributes: upper })
  await tag('Odd', { plcTag: 'Data.count', attributes: { LimitUpper2Type: 'Constant', LimitUpper2: 'many' } })
  await tag('Lamp', { plcTag: 'Data.motor.run', attributes: { LimitUpper2: '1' } })
  await tag('Scaled', { plcTag: 'Data.count', attributes: { LinearScaling: 'true' } })
  for (const name of ['Count', 'Odd', 'Lamp', 'Scaled'])
    await add({ type: 'IOField', name, left: 500, bindings: [{ property: 'value', tag: name }] })
  const { messages, success } = await compile()
  assert.equal(success, true)
  assert.deepEqual(messages.map(({ code, object, description }: Answer) => [code, object, description]).sort(), [
    ['hmi-not-applied', 'Lamp', 'The limits of "Lamp" are not applied: it is Bool'],
    ['hmi-not-applied', 'Odd', 'The limit LimitUpper2 of "Odd" is not applied: "many" is no number'],
    [
      ...['hmi-not-applied', 'Scaled'],
      'The linear scaling of "Scaled" is not applied: it has the value of the PLC here',
    ],
  ])
  assert.equal((await write('Speed', 250)).value, 250)
  await fails(write('Speed', 251), 'unacceptable_content', /251 is above the upper limit 250 of "Speed"/)
  await fails(write('Speed', '16#FFF'), 'unacceptable_content', /4095 is above/)
  await fails(write('Speed', -1), 'unacceptable_content', /-1 is below the lower limit 0/)
  assert.equal(await value('speed'), 250)
  // The limit is the value that the other tag has now.
  await fails(write('Count', 11), 'unacceptable_content', /11 is above the upper limit 10 of "Count"/)
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Data.limit', value: 20 })
  await write('Count', 11)
})

test('the page: a held button lets go, refusals stay until they are seen, STOP is shown', {
  skip: !hasBrowser,
}, async (t) => {
  const { call, gateway, value, compile, add } = await withPanel(t)
  await add({
    type: 'IOField',
    name: 'Hot',
    left: 500,
    properties: { outputFormat: '{F2} °C' },
    bindings: [
      { property: 'value', tag: 'Data.motor.speed', converter: 'Format', params: { suffix: ' °C', decimals: '2' } },
    ],
  })
  await add({
    type: 'IOField',
    name: 'Hex',
    left: 700,
    properties: { dataFormat: 'Hexadecimal', formatPattern: 'FFFF' },
    bindings: [{ property: 'value', tag: 'Speed' }],
  })
  await add({
    type: 'IOField',
    name: 'Odd',
    left: 900,
    properties: { formatPattern: 'x' },
    bindings: [{ property: 'value', tag: 'Speed' }],
  })
  await call('hmi.create-script', { ...hmi, name: 'Bad', source: "throw new Error('not so')" })
  await add({
    type: 'Button',
    name: 'Throw',
    left: 100,
    top: 200,
    text: 'Throw',
    events: [{ event: 'Click', actions: [{ function: 'Bad' }] }],
  })
  await add({
    type: 'TrendView',
    name: 'Curves',
    left: 100,
    top: 300,
    width: 500,
    height: 250,
    bindings: [
      { property: 'value', tag: 'Speed' },
      { property: 'processValue2', tag: 'Data.count' },
    ],
  })
  const { messages } = await compile()
  assert.deepEqual(
    messages.map(({ code, object }: Answer) => [code, object]),
    [['hmi-format', 'Odd']],
  )
  await call('simulation.run', { name: 'Sim' })
  const { variables } = JSON.parse(await call<string>('hmi.show-model', { stationName: 'HMI_1' }))
  const shown = ['Speed', 'Data.count'].map((name) => variables.findIndex((one: Answer) => one.name === name))
  const trends = () => call<Answer>('hmi.read-trends', { stationName: 'HMI_1', variables: shown })
  await trends()
  await call('simulation.advance', { name: 'Sim', milliseconds: 5000 })
  const { series } = await trends()
  // Both at the same times, so that the page draws both.
  assert.deepEqual(series[0].now, series[1].now)
  assert.ok(series.every(({ points }: Answer) => points.length > 10))
  const { page, faults, picture } = await openStation(t, await served(t, gateway))
  await becomes(async () => Number(await page.locator('.trend').getAttribute('data-recorded')) > 10, true)
  const button = page.getByRole('button', { name: 'Jog' })
  const middle = async () => {
    const { x, y, width, height } = (await button.boundingBox())!
    return [x + width / 2, y + height / 2] as const
  }
  const press = async () => {
    await page.mouse.move(...(await middle()))
    await page.mouse.down()
    await becomes(() => value('run'), true)
  }
  await page.waitForSelector('[data-name=Jog][data-quality=good]')
  // The pointer leaves the button, and is let go elsewhere.
  await press()
  await page.mouse.move(5, 500)
  assert.equal(await value('run'), true)
  await page.mouse.up()
  await becomes(() => value('run'), false)
  // The window loses the focus.
  await press()
  await page.evaluate("dispatchEvent(new Event('blur'))")
  await becomes(() => value('run'), false)
  await page.mouse.up()
  // The screen changes while it is held.
  await press()
  await page.locator('header select').first().selectOption('Second')
  await becomes(() => value('run'), false)
  await page.mouse.up()
  await page.locator('header select').first().selectOption('Main')
  // By the keyboard; the focus goes elsewhere.
  await page.waitForSelector('[data-name=Jog][data-quality=good]')
  await button.focus()
  await page.keyboard.down(' ')
  await becomes(() => value('run'), true)
  await page.locator('header select').first().focus()
  await becomes(() => value('run'), false)
  await page.keyboard.up(' ')

  // What is refused stays, although other events come.
  const told = page.getByRole('alert')
  await enter(page, 'Speed', '999')
  await told.getByText('999 is above the upper limit 250').waitFor()
  await enter(page, 'Speed', '12,5')
  await told.getByText('"12,5" is no number. Write 12.5').waitFor()
  await page.getByRole('button', { name: 'Throw' }).click()
  await told.getByText('not so').waitFor()
  await enter(page, 'Speed', '200')
  await becomes(() => value('speed'), 200)
  assert.equal(await told.locator('li').count(), 3)
  await picture('refused')
  await told.getByRole('button', { name: 'OK' }).click()
  await told.locator('li').first().waitFor({ state: 'detached' })

  // A field with a converter and a format is edited as the value itself.
  const text = (name: string) => page.locator(`[data-name=${name}] text`).textContent()
  await becomes(() => text('Hot'), '200.00 °C')
  await page.getByLabel('Hot', { exact: true }).click()
  const input = page.locator('input[aria-label=Hot]')
  assert.equal(await input.inputValue(), '200.00')
  await input.press('Enter')
  await input.waitFor({ state: 'detached' })
  await enter(page, 'Hot', '150 °C')
  await becomes(() => value('speed'), 150)
  await becomes(() => text('Hex'), '0096')
  await enter(page, 'Hex', 'FA')
  await becomes(() => value('speed'), 250)
  assert.equal(await told.locator('li').count(), 0)
  await picture('formats')

  await call('simulation.stop', { name: 'Sim' })
  await page.getByText('PLC_1: STOP').waitFor()
  await page.waitForSelector('[data-name=Speed].stopped')
  await picture('stop')
  await call('simulation.run', { name: 'Sim' })
  await page.getByText('PLC_1: STOP').waitFor({ state: 'detached' })
  // The page closes while the button is held.
  await press()
  await page.close()
  await becomes(() => value('run'), false)
  // The browser writes refused calls to its console.
  assert.deepEqual(
    faults.filter((text) => !/status of 422/.test(text)),
    [],
  )
})
