/** What the studio shows while it waits, in what order, and on narrow pages. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Route } from 'playwright-core'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { newProject, plc } from '../online.ts'
import { until } from '../until.ts'
import { serveStudio, signedIn } from './studio-page.ts'

const skip = !hasBrowser
const longTitle = 'Run the pump of the second well while its level is above the lower limit and nobody has stopped it'
const long = Array.from({ length: 9 }, (_, i) => `#contactWithALongName${i}`)

/** A program with folders, timers and many tags. */
async function opened(t: TestContext) {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Filling station of the northern plant')
  const timers = Array.from({ length: 40 }, (_, i) => `DATA_BLOCK "A_Timer_${i}"\nIEC_TIMER\nBEGIN\nEND_DATA_BLOCK\n`)
  const main = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Lamp_10" := "Start";\nEND_ORGANIZATION_BLOCK\n'
  const rows = Array.from({ length: 60 }, (_, i) => `  #n := ${i};`).join('\n')
  const text = `FUNCTION "Text" : Void\nVAR_TEMP\n  n : Int;\nEND_VAR\nBEGIN\n${rows}\nEND_FUNCTION\n`
  for (const [name, logicalAddress] of [
    ['Lamp_10', '%Q0.1'],
    ['Lamp_9', '%Q10.0'],
    ['Start', '%I0.0'],
    ['Lamp_1', '%Q9.0'],
  ] as const)
    await call('tags.add', { ...plc, name, dataType: 'Bool', logicalAddress })
  await call('blocks.import', { ...plc, content: [...timers, main, text].join('\n') })
  const members = [
    ...long.map((name) => ({ section: 'Input', name: name.slice(1), dataType: 'Bool' })),
    { section: 'Output', name: 'run', dataType: 'Bool' },
  ]
  const networks = [{ title: longTitle, expressions: `#run := ${long.join(' AND ')}` }]
  await call('blocks.create', {
    ...plc,
    name: 'Pump',
    type: 'FB',
    language: 'LAD',
    folder: 'Wells/Second',
    interface: members,
    networks,
  })
  const server = await serveStudio(t, at)
  return { ...at, ...server, ...(await signedIn(t, server)) }
}

test('the program opens at OB 1 with its folders; addresses open the tree; tags are in order and tell their uses', {
  skip,
}, async (t) => {
  const { page, url, faults, picture } = await opened(t)
  const items = () => page.getByRole('tree').getByRole('treeitem').allInnerTexts()
  const names = async () => (await items()).map((text) => text.split('\n')[0])
  await page.getByRole('navigation').getByRole('link', { name: 'Program' }).click()
  await page.waitForURL(/#\/program\/PLC_1\/Main$/)
  await page.getByRole('treeitem', { name: /^Main/, selected: true }).waitFor()
  assert.deepEqual(await names(), ['System blocks', 'Wells', 'Main', 'Text'])
  await page.getByRole('treeitem', { name: 'System blocks' }).click()
  await page.getByRole('treeitem', { name: 'Program resources' }).click()
  await page
    .getByRole('treeitem', { name: /^A_Timer_2/ })
    .first()
    .waitFor()
  assert.deepEqual((await names()).slice(1, 5), ['Program resources', 'A_Timer_0', 'A_Timer_1', 'A_Timer_2'])
  // A link opens what is above its place, and brings it into view.
  await page.goto(`${url}/#/program/PLC_1/Pump`)
  await page.getByRole('treeitem', { name: /^Pump/, selected: true }).waitFor()
  await page.goto(`${url}/#/program/PLC_1/A_Timer_39`)
  const last = page.getByRole('treeitem', { name: /^A_Timer_39/, selected: true })
  await last.waitFor()
  await picture('program-tree')
  await page.goto(`${url}/#/project/PLC_1/tags/Default%20tag%20table`)
  await page.getByRole('treeitem', { name: /^Default tag table/, selected: true }).waitFor()

  const tags = async () =>
    page.getByLabel(/^Name: /).evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
  await page.getByLabel('Name: Start').waitFor()
  assert.deepEqual(await tags(), ['Lamp_1', 'Lamp_9', 'Lamp_10', 'Start'])
  await page.getByRole('button', { name: 'Address' }).click()
  assert.deepEqual(await tags(), ['Start', 'Lamp_10', 'Lamp_1', 'Lamp_9'])
  await page.getByRole('button', { name: 'Uses: Start' }).click()
  await page.getByRole('region', { name: 'Uses: Start' }).getByRole('button', { name: 'Main' }).waitFor()
  await picture('uses')
  assert.deepEqual(await accessibilityFaults(page), [], 'uses')
  await page.getByRole('region', { name: 'Uses: Start' }).getByRole('button', { name: 'Main' }).click()
  await page.waitForURL(/#\/program\/PLC_1\/Main/)
  assert.deepEqual(faults, [])
})

/** Answers that take a while; what was asked for by a page that has gone has none. */
const slowly = (route: Route) => void setTimeout(() => route.continue().catch(() => undefined), 1500)

test('what is on its way looks so, and not like nothing', { skip }, async (t) => {
  const { page, url } = await opened(t)
  /** Shows a view whose answers wait; with `told` nothing of it may be said meanwhile. */
  const waits = async (pattern: RegExp, hash: string, told: string | RegExp) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = false
    await page.route(pattern, async (route) => {
      asked = true
      await held
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${url}/#${hash}`)
    await until(() => asked, `${hash} asks`)
    await page.locator('.loading').first().waitFor()
    assert.equal(await page.getByText(told).count(), 0, hash)
    release()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await page.unroute(pattern)
  }
  await waits(/\/api\/(audit|projects)\?/, '/jobs?tab=travel', 'No project was open.')
  await waits(/\/api\/jobs\?/, '/jobs', /Nothing|0 jobs/)
  await waits(/\/api\/design-spec/, '/design', 'No design spec is loaded.')
  await waits(/\/api\/simulation\/instances/, '/live', /No controller/)
  await waits(/\/blocks\/tree/, '/program/PLC_1', /Choose|no block/)
  await waits(/\/udts/, '/project/PLC_1/types', 'Nothing here yet.')
  await waits(/\/modules/, '/hardware/PLC_1', /no devices/)
  await page.route(/\/api\/projects/, slowly)
  for (const view of ['/hardware', '/program']) {
    await page.goto(`${url}/#${view}`)
    await page.reload()
    await page.locator('.loading').first().waitFor()
    assert.equal(await page.getByText(/The project has no/).count(), 0, view)
  }
  await page.unroute(/\/api\/projects/)
  await page.goto(`${url}/#/project`)
  await page.getByRole('tree').waitFor()
  await page.route(/\/api\/projects\/search/, slowly)
  await page.getByRole('button', { name: /Search everything/ }).click()
  await page.getByLabel('Names and texts of the whole project').fill('Pump')
  await page.getByRole('dialog').locator('.loading').waitFor()
  assert.equal(await page.getByText('Nothing found.').count(), 0)
  await page.getByRole('option', { name: /Pump/ }).first().waitFor()
})

test('narrow pages: nothing is cut, and everything that scrolls is reached with the keyboard', { skip }, async (t) => {
  const { page, url, faults, picture, call } = await opened(t)
  await call('devices.add', { orderNumber: '6ES7 214-1AG40-0XB0', name: 'PLC_2' })
  /** Whether the whole of an element is to be seen. */
  const isWhole = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        (
          all as unknown as { scrollWidth: number; clientWidth: number; getBoundingClientRect(): { right: number } }[]
        ).every(
          (one) =>
            one.scrollWidth <= Math.max(1, one.clientWidth) + 1 &&
            one.getBoundingClientRect().right <= (globalThis as unknown as { innerWidth: number }).innerWidth,
        ),
      )
  await page.setViewportSize({ width: 1024, height: 500 })
  await page.getByLabel('Language').selectOption('de')
  await page.goto(`${url}/#/program/PLC_1/Pump`)
  await page.locator('svg.drawing').waitFor()
  assert.ok(await isWhole('.top .project'), 'the name of the project')
  assert.ok(await isWhole('.top'), 'the bar')
  await picture('narrow-1024')
  for (const [width, height] of [
    [1024, 500],
    [390, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const [hash, part] of [
      ['/program/PLC_1/Pump', 'svg.drawing'],
      ['/program/PLC_1/Text', '.cm-line'],
      ['/jobs?tab=travel', '.then li'],
      ['/jobs', '.row'],
      ['/hardware/PLC_1', '.module'],
    ] as const) {
      await page.goto(`${url}/#${hash}`)
      await page.locator(part).first().waitFor()
      assert.deepEqual(await accessibilityFaults(page), [], `${hash} ${width}`)
    }
  }
  await page.goto(`${url}/#/program/PLC_1/Pump`)
  await page.locator('svg.drawing').waitFor()
  assert.ok(await isWhole('nav.views a'), 'the entries of the navigation')
  const title = page.getByLabel('Titel von Netzwerk 1')
  assert.equal(await title.inputValue(), longTitle)
  assert.ok(await isWhole('.network > header .cell'), 'the title of a network')
  assert.ok(((await title.boundingBox())?.height ?? 0) > 30, 'it has several lines')
  await picture('narrow-390')
  for (const width of [1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${url}/#/hardware/PLC_2`)
    await page.getByRole('button', { name: 'Steckplatz 103 frei' }).waitFor()
    // A select does not tell that its text is cut: it is as wide as its text, its arrow and its padding.
    const cut = await page.evaluate<string[]>(`[
      ...[...document.querySelectorAll('.slot-free, .module.kind-cpu')].filter(
        (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight),
      ...[...document.querySelectorAll('[role=tab]')].filter((one) => {
        const list = one.parentElement.getBoundingClientRect()
        return one.getBoundingClientRect().right > Math.min(list.right, innerWidth) + 1
      }),
      ...[...document.querySelectorAll('.top select')].filter((one) => {
        const text = document.createElement('canvas').getContext('2d')
        text.font = getComputedStyle(one).font
        return text.measureText(one.selectedOptions[0].text).width + 34 > one.getBoundingClientRect().width
      }),
    ].map((one) => one.textContent)`)
    assert.deepEqual(cut, [], `hardware ${width}`)
  }
  assert.deepEqual(faults, [])
})
