/** A pump station is operated through its screens: every kind of object, alarms, languages, trends with history. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accessibilityFaults,
  bundlePage,
  enter,
  hasBrowser,
  openStation,
  panels,
  served,
  withPumpStation,
} from '../../test/hmi.ts'
import type { Answer } from '../../test/online.ts'
import { fails } from '../../test/plant.ts'
import { becomes, until } from '../../test/until.ts'

const station = { stationName: 'HMI_1' }

async function compiled(at: Awaited<ReturnType<typeof withPumpStation>>): Promise<Answer> {
  const done = await at.call<Answer>('hmi.compile', {})
  assert.deepEqual([done.success, done.messages], [true, []])
  return done
}

test('alarms: incoming, acknowledged, outgoing, whether a page is open or not', async (t) => {
  const at = await withPumpStation(t)
  const { call } = at
  await fails(call('hmi.list-pending-alarms', station), 'conflict', /is not compiled/)
  await compiled(at)
  const pending = async () => {
    const { alarms } = await call<Answer>('hmi.list-pending-alarms', station)
    return alarms.map(({ name, state }: Answer) => `${name} ${state}`)
  }
  const write = (tagName: string, value: unknown) => call('simulation.write-tag', { name: 'Sim', tagName, value })
  const advance = (cycles: number) => call('simulation.advance', { name: 'Sim', cycles })
  await becomes(pending, [])
  await write('Station.level', 95)
  await write('Station.light', true)
  await becomes(pending, ['High incoming', 'Light incoming'])
  await fails(call('hmi.acknowledge-alarms', station), 'invalid_input', /give alarms, alarmClass or all/)
  await fails(call('hmi.acknowledge-alarms', { ...station, alarms: ['Low'] }), 'not_found', /No alarm "Low" is pending/)
  const done = await call<Answer>('hmi.acknowledge-alarms', { ...station, all: true })
  // A warning needs no acknowledgement.
  assert.deepEqual(done.acknowledged, ['High'])
  await becomes(pending, ['High acknowledged', 'Light incoming'])
  await write('Station.light', false)
  await write('Station.level', 2)
  await advance(1)
  await becomes(pending, ['Low incoming'])
  await write('Station.level', 40)
  await advance(1)
  await becomes(pending, ['Low outgoing'])
  // A new compile goes on with it.
  await call('hmi.add-object', { screenName: 'Well', type: 'Circle', name: 'New' })
  await compiled(at)
  await becomes(pending, ['Low outgoing'])
  await call('hmi.acknowledge-alarms', { ...station, alarms: ['low'] })
  await becomes(pending, [])
  const log = await call<Answer>('hmi.list-alarm-log', { ...station, q: 'low' })
  assert.deepEqual(
    log.entries.map(({ alarm, event }: Answer) => `${alarm} ${event}`),
    ['Low acknowledged', 'Low outgoing', 'Low incoming'],
  )
})

test('a request that comes while the gateway ends begins nothing that would keep the process', async (t) => {
  const at = await withPumpStation(t)
  await compiled(at)
  await at.gateway.close(0)
  await fails(at.call('hmi.list-pending-alarms', station), 'shutting_down', /is shutting down/)
})

test('what controllers recorded for trends', async (t) => {
  const at = await withPumpStation(t)
  const { call } = at
  await compiled(at)
  const read = (variables: number[]) => call<Answer>('hmi.read-trends', { ...station, variables })
  const model = JSON.parse(await call<string>('hmi.show-model', station))
  const indexOf = (name: string) => model.variables.findIndex((one: Answer) => one.name === name)
  const level = indexOf('Level')
  await read([level])
  await call('simulation.advance', { name: 'Sim', milliseconds: 10_000 })
  const { series } = await read([level, indexOf('Station.mode'), indexOf('Clicks')].filter((one) => one >= 0))
  const [first] = series
  assert.ok(first.points.length >= 30, `${first.points.length} points`)
  assert.ok(first.points.at(-1)[1] > first.points[0][1])
  assert.match(series[1].reason, /not shown in a trend/)
  // The trace that people start is another one.
  await call('simulation.start-trace', { name: 'Sim', tags: ['Station.level'] })
  await call('simulation.advance', { name: 'Sim', milliseconds: 1000 })
  assert.ok((await read([level])).series[0].points.length > first.points.length)
  await call('online.download', { deviceName: 'PLC_1', compile: true })
  await call('simulation.power-off', { name: 'Sim' })
  assert.match((await read([level])).series[0].reason, /is off/)
  await fails(read([9999]), 'invalid_input', /is no index/)
})

for (const [family, panel] of Object.entries(panels))
  test(`a ${family} pump station is operated through its screens`, { skip: !hasBrowser }, async (t) => {
    await bundlePage()
    const at = await withPumpStation(t, panel)
    const { call } = at
    await compiled(at)
    await call('hmi.list-pending-alarms', station)
    await call<Answer>('hmi.read-trends', { ...station, variables: [0] })
    await call('simulation.advance', { name: 'Sim', milliseconds: 20_000 })
    const { page, faults, foreign, picture } = await openStation(t, await served(t, at.gateway))
    const tag = async (tagName: string) => (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName })).value
    // The trend shows what was before the page was opened.
    const recorded = async () => Number(await page.locator('.trend').getAttribute('data-recorded'))
    await until(async () => (await recorded()) >= 30, 'the trend shows 30 points')
    await picture(`${family}-well`)
    assert.deepEqual(await accessibilityFaults(page), [])

    // Bar and gauge have scales; on a phone the screen has its own size, so that a finger finds its buttons.
    for (const name of ['LevelBar', 'LevelGauge'])
      assert.deepEqual(
        (await page.locator(`[data-name=${name}] .scale text`).allTextContents()).filter((one) =>
          /^(0|50|100)$/.test(one),
        ),
        ['0', '50', '100'],
        name,
      )
    await page.setViewportSize({ width: 390, height: 844 })
    const sizes = await page.locator('header button, header select, [data-name=ToMessages]').evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect()
        return Math.floor(Math.min(width, height) + 0.5)
      }),
    )
    assert.ok(sizes.length >= 4 && sizes.every((one) => one >= 44), sizes.join(' '))
    await picture(`${family}-phone`)
    await page.setViewportSize({ width: 1280, height: 860 })

    // Mode by symbolic field; the graphic follows.
    await page.getByLabel('Mode', { exact: true }).selectOption({ label: 'Manual' })
    await becomes(() => tag('Station.mode'), 1)
    await page.waitForSelector('[data-name=Sign] image')
    // Buttons of a faceplate work on the instance that they belong to.
    const faceplate = page.locator('[data-name=Pump_2]')
    await faceplate.getByRole('button', { name: 'Start' }).hover()
    await page.mouse.down()
    await becomes(() => tag('Pump_2.start'), true)
    await call('simulation.advance', { name: 'Sim', cycles: 1 })
    await page.mouse.up()
    await becomes(() => tag('Pump_2.start'), false)
    await page.waitForSelector('[data-name=Pump_2] [data-name=Running] ellipse[fill="#00c040"]')
    assert.equal(await tag('Pump_1.running'), false)
    assert.equal(await page.locator('[data-name=Arrow]').count(), 0)
    await enter(page.locator('[data-name=Pump_1]'), 'Speed', '80')
    await becomes(() => tag('Pump_1.speed'), 80)
    await page.getByRole('switch', { name: 'LightSwitch' }).click()
    await becomes(() => tag('Station.light'), true)
    const slider = page.getByRole('slider', { name: 'Inflow' })
    await slider.fill('4.5')
    await becomes(() => tag('Station.inflow'), 4.5)
    await call('simulation.advance', { name: 'Sim', cycles: 20 })
    const levelText = page.getByLabel('LevelText')
    await becomes(() => levelText.textContent(), '100.0 %')

    // Languages: every text changes.
    const texts = () => page.locator('svg.screen text').allTextContents()
    assert.ok((await texts()).includes('Pump station'))
    await page.getByLabel('Language').selectOption('de-DE')
    await page.getByText('Pumpwerk').waitFor()
    assert.ok(!(await texts()).includes('Pump station'))
    assert.equal(await page.getByLabel('Mode', { exact: true }).locator('option:checked').textContent(), 'Hand')
    await picture(`${family}-german`)

    // Alarms, with their acknowledgement.
    await page.getByRole('button', { name: 'Meldungen' }).click()
    const line = (name: string) => page.locator(`[data-alarm=${name}]`)
    await page.locator('[data-alarm=High].incoming').waitFor()
    assert.match((await line('High').textContent()) ?? '', /Niveau hoch/)
    assert.equal(await line('Light').getByRole('button').count(), 0)
    await picture(`${family}-alarms`)
    assert.deepEqual(await accessibilityFaults(page), [])
    // The colour of its class; the view is narrowed by a text, and by a class.
    assert.equal(await line('High').locator('.weight.error').count(), 1)
    assert.match(
      (await line('High').locator('td').first().textContent()) ?? '',
      /^\d{2}\.\d{2}\.\d{2,4}, \d{2}:\d{2}:\d{2}$/,
    )
    await page.getByRole('searchbox', { name: 'Filter' }).fill('NIVEAU h')
    await line('Light').waitFor({ state: 'detached' })
    assert.equal(await line('High').count(), 1)
    await page.getByRole('searchbox', { name: 'Filter' }).fill('')
    await page.getByLabel('Klasse').selectOption((await line('Light').locator('.weight').textContent()) ?? '')
    await line('High').waitFor({ state: 'detached' })
    await page.getByLabel('Klasse').selectOption('')
    await page.getByRole('button', { name: 'Quittieren Niveau hoch' }).click()
    await page.locator('[data-alarm=High].acknowledged').waitFor()
    await call('simulation.write-tag', { name: 'Sim', tagName: 'Station.inflow', value: 0 })
    await call('simulation.write-tag', { name: 'Sim', tagName: 'Station.level', value: 2 })
    await call('simulation.advance', { name: 'Sim', cycles: 1 })
    await line('High').waitFor({ state: 'detached' })
    await page.locator('[data-alarm=Low].incoming').waitFor()
    await call('simulation.write-tag', { name: 'Sim', tagName: 'Station.level', value: 50 })
    await call('simulation.advance', { name: 'Sim', cycles: 1 })
    await page.locator('[data-alarm=Low].outgoing').waitFor()
    await page.getByRole('button', { name: 'Alle quittieren' }).click()
    await line('Low').waitFor({ state: 'detached' })
    assert.deepEqual(await page.locator('thead th').allTextContents(), [
      'Zeit',
      'Klasse',
      'Text',
      'Zustand',
      'Bedienung',
    ])
    assert.equal(await page.locator('html').getAttribute('lang'), 'de-DE')
    await page.getByLabel('Sprache').selectOption('en-US')
    await page.getByText('Light is on').waitFor()

    // The station is compiled again: the page shows the new one.
    await page.getByRole('button', { name: 'Back' }).click()
    await call('hmi.add-object', {
      screenName: 'Well',
      type: 'TextField',
      name: 'New',
      left: 700,
      top: 540,
      text: 'New text',
    })
    await compiled(at)
    await page.getByText('New text').waitFor()
    assert.deepEqual([faults, foreign], [[], []])
  })

test('a viewer sees alarms and cannot acknowledge them', { skip: !hasBrowser }, async (t) => {
  await bundlePage()
  const at = await withPumpStation(t)
  const { call } = at
  await compiled(at)
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Station.level', value: 99 })
  const { url, key: adminKey } = await served(t, at.gateway)
  const key = 'a-secret-of-a-viewer'
  const added = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { 'X-API-Key': adminKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ security: { apiKeys: { add: [{ name: 'Viewer', access: 'viewer', key }] } } }),
  })
  assert.equal(added.status, 200)
  const { page } = await openStation(t, { url, key })
  await page.getByRole('button', { name: 'Messages' }).click()
  await page.locator('[data-alarm=High].incoming').waitFor()
  await page.getByRole('button', { name: 'Acknowledge Level high' }).click()
  await page.locator('.notices', { hasText: /operator/ }).waitFor()
  const { alarms } = await call<Answer>('hmi.list-pending-alarms', station)
  assert.deepEqual(
    alarms.map(({ state }: Answer) => state),
    ['incoming'],
  )
})
