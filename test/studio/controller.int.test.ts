/**
 * The studio beside a controller, in a browser: steps of a sequence, forces, a module that is dragged, a lost block.
 */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestGateway } from '../harness.ts'
import { hasBrowser } from '../hmi.ts'
import { type Answer, newProject, plc, withController } from '../online.ts'
import { read, serveStudio, signedIn } from './studio-page.ts'

const skip = !hasBrowser
const bool = (name: string) => ({ name, dataType: 'Bool' })

/** A sequence of three steps: Idle, then by `go` Fill, then by `full` Done. */
const sequence = {
  name: 'Line',
  interface: [{ section: 'Input', members: ['go', 'full'].map(bool) }],
  steps: [{ name: 'Idle', initial: true }, { name: 'Fill' }, { name: 'Done' }],
  transitions: [
    { name: 'tGo', from: 'Idle', to: 'Fill', condition: '#go' },
    { name: 'tFull', from: 'Fill', to: 'Done', condition: '#full' },
    { name: 'tAgain', from: 'Done', to: 'Idle', condition: 'NOT #go' },
  ],
}
const main = {
  kind: 'OB',
  name: 'Main',
  number: 1,
  code: '"Line_DB"(go := "Start", full := "Full"); "Lamp" := "Start";',
}

/** A plant whose controller stands still until a test lets cycles go by, and the page of its administrator. */
async function running(t: TestContext) {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Plant')
  for (const [name, logicalAddress] of [
    ['Start', '%I0.0'],
    ['Full', '%I0.1'],
    ['Lamp', '%Q0.0'],
  ] as const)
    await call('tags.add', { ...plc, name, dataType: 'Bool', logicalAddress })
  await call('block-generation.generate-graph', { ...plc, specification: sequence })
  const instance = { kind: 'DB', name: 'Line_DB', instanceOf: 'Line' }
  for (const specification of [instance, main])
    await call('block-generation.generate-and-import', { ...plc, specification })
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const server = await serveStudio(t, at)
  const opened = await signedIn(t, server)
  const readOf = (path: string) => read<Answer>(server, path)
  const step = () => call('simulation.advance', { name: 'Sim', cycles: 4 })
  const write = (tagName: string, value: boolean) => call('simulation.write-tag', { name: 'Sim', tagName, value })
  return { ...at, ...opened, url: server.url, read: readOf, step, write }
}

test('the active step of a sequence is marked in its chart', { skip }, async (t) => {
  const { page, url, read, step, write, faults, picture } = await running(t)
  await page.goto(`${url}/#/live/PLC_1?block=Line`)
  const active = page.locator('svg [data-step].active')
  for (const [name, tag] of [['Idle'], ['Fill', 'Start'], ['Done', 'Full']] as const) {
    if (tag !== undefined) await write(tag, true)
    await step()
    const { steps } = await read('/api/devices/PLC_1/blocks/Line/networks/1/values')
    const now = (steps as Answer[]).filter(({ isActive }) => isActive)
    assert.deepEqual(
      now.map((one) => one.name),
      [name],
    )
    await page.locator(`svg [data-step="${now[0]!.number}"].active`).waitFor()
    assert.equal(await active.count(), 1)
  }
  await picture('steps')
  assert.deepEqual(faults, [])
})

test('a force asks first, holds its value, and is ended after a question', { skip }, async (t) => {
  const { page, url, read, step, faults } = await running(t)
  const forces = async () => (await read('/api/simulation/instances/Sim/forces')).forces as Answer[]
  const lamp = async () => (await read('/api/simulation/instances/Sim/tags/Lamp')).value
  await page.evaluate(`localStorage.setItem('gantry-watch-PLC_1', '["Start","Lamp"]')`)
  await page.goto(`${url}/#/live/PLC_1?tab=watch`)
  const row = page.locator('.row[data-name="Start"]')
  const dialog = page.getByRole('dialog')
  await row.getByRole('textbox').fill('TRUE')
  await row.getByRole('button', { name: 'Force' }).click()
  await dialog.getByText(/^Force Start to TRUE on Sim\?/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await forces(), [], 'nothing without a yes')
  await row.getByRole('button', { name: 'Force' }).click()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await row.locator('.forced').waitFor()
  assert.deepEqual(
    (await forces()).map(({ tag, value }) => [tag, value]),
    [['Start', true]],
  )
  await step()
  assert.equal(await lamp(), true)
  await page.locator('.row[data-name="Lamp"] .value', { hasText: 'TRUE' }).waitFor()
  await page.getByRole('button', { name: 'End all forces' }).click()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await row.locator('.forced').waitFor({ state: 'detached' })
  assert.deepEqual(await forces(), [])
  assert.deepEqual(faults, [])
})

test('a module is dragged from the catalog into a rack', { skip }, async (t) => {
  const { page, url, read, faults } = await running(t)
  await page.goto(`${url}/#/hardware/PLC_1`)
  await page.getByPlaceholder('Order number or name').fill('6ES7 521-1BH00')
  const entry = page.getByRole('button', { name: /6ES7 521-1BH00-0AB0/ })
  const slot = (number: number) => page.getByRole('button', { name: `Slot ${number} free` })
  await entry.hover()
  await page.mouse.down()
  await slot(2).hover()
  // Only the slots that take this module stay.
  await slot(0).waitFor({ state: 'detached' })
  await slot(3).hover()
  await page.mouse.up()
  await page.locator('.module', { hasText: '6ES7 521-1BH00-0AB0' }).waitFor()
  const { modules } = await read('/api/devices/PLC_1/modules')
  assert.deepEqual(
    (modules as Answer[]).filter(({ kind }) => kind !== 'CPU').map(({ orderNumber, slot }) => [orderNumber, slot]),
    [['6ES7 521-1BH00-0AB0', 3]],
  )
  assert.deepEqual(faults, [])
})

test('a block that is not there is not asked for again and again, and shown when it comes', { skip }, async (t) => {
  const { page, url, call, faults } = await running(t)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/networks/stream')) asked++
  })
  await page.clock.install()
  await page.goto(`${url}/#/live/PLC_1?block=Later`)
  await page.getByRole('heading', { name: 'PLC_1 has no block "Later".' }).waitFor()
  const before = asked
  await page.clock.fastForward(60_000)
  // A request that the clock set off comes before this one.
  await page.evaluate(`fetch('/openapi.json').then((answer) => answer.text())`)
  assert.equal(asked, before)
  const networks = [{ title: 'Run', expressions: '"Lamp" := "Start"' }]
  await call('blocks.create', { ...plc, name: 'Later', type: 'FC', language: 'LAD', networks })
  await page.locator('svg.drawing').waitFor()
  assert.ok(asked > before)
  assert.deepEqual(
    faults.filter((one) => !/404/.test(one)),
    [],
  )
})

test('eight live tabs leave connections to the gateway: only the one in front has streams', { skip }, async (t) => {
  const { page, url, step, write, faults } = await running(t)
  await page.evaluate(`localStorage.setItem('gantry-watch-PLC_1', '["Start"]')`)
  const pages = [page]
  while (pages.length < 8) pages.push(await page.context().newPage())
  // A browser of tests says that every page is shown: each is told here, as a window with tabs would.
  const show = (one: typeof page, isShown: boolean) =>
    one.evaluate(`globalThis.isBehind = ${!isShown}; document.dispatchEvent(new Event('visibilitychange'))`)
  const isShown = (one: typeof page, value: string) =>
    one.locator('.row[data-name="Start"] .value', { hasText: value }).waitFor()
  for (const one of pages) {
    await one.addInitScript(`Object.defineProperty(document, 'hidden', { get: () => globalThis.isBehind === true })`)
    await one.goto(`${url}/#/live/PLC_1?tab=watch`)
    await one.reload()
    await isShown(one, 'FALSE')
    await show(one, false)
  }
  // What changed while it was behind is shown when it comes to the front.
  await write('Start', true)
  await step()
  const [first, last] = [pages[0]!, pages[7]!]
  await show(last, true)
  await isShown(last, 'TRUE')
  assert.equal(await first.locator('.row .value', { hasText: 'TRUE' }).count(), 0)
  await show(last, false)
  await show(first, true)
  await isShown(first, 'TRUE')
  assert.deepEqual(faults, [])
})
