/** What the studio shows, on paper: all of it, light, without what is pressed. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../harness.ts'
import { hasBrowser } from '../hmi.ts'
import { newProject, plc } from '../online.ts'
import { until } from '../until.ts'
import { serveStudio, signedIn } from './studio-page.ts'

test('networks and tables are printed whole and light, also what was not scrolled to', {
  skip: !hasBrowser,
}, async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Plant')
  const bool = (section: string, name: string) => ({ section, name, dataType: 'Bool' })
  const networks = Array.from({ length: 12 }, (_, i) => ({ title: `Part ${i}`, expressions: '#run := #start' }))
  const members = [bool('Input', 'start'), bool('Output', 'run')]
  await call('blocks.create', { ...plc, name: 'Motor', type: 'FB', language: 'LAD', interface: members, networks })
  for (let i = 0; i < 80; i++)
    await call('tags.add', { ...plc, name: `Tag_${i}`, dataType: 'Bool', comment: `of row ${i}` })
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  await page.setViewportSize({ width: 1000, height: 400 })
  await page.getByLabel('Theme').selectOption('dark')
  // What is there when the browser would show its dialog.
  await page.evaluate(`window.print = () => {
    window.printed = {
      drawings: document.querySelectorAll('svg.drawing').length,
      rows: [...document.querySelectorAll('#content [role=row]')].map((row) => row.textContent),
    }
  }`)
  const printed = async () => {
    await page.evaluate('window.printed = undefined')
    await page.getByRole('button', { name: 'Print or PDF' }).click()
    await until(() => page.evaluate('window.printed !== undefined'), 'it is printed')
    return page.evaluate<{ drawings: number; rows: string[] }>('window.printed')
  }
  await page.goto(`${server.url}/#/program/PLC_1/Motor`)
  await page.locator('svg.drawing').first().waitFor()
  assert.equal((await printed()).drawings, 12)
  await page.goto(`${server.url}/#/project/PLC_1/tags/Default%20tag%20table`)
  await page.getByLabel('Name: Tag_0').waitFor()
  const { rows } = await printed()
  assert.equal(rows.length, 81)
  assert.match(rows.at(-1) ?? '', /Tag_79.*of row 79/)

  await page.goto(`${server.url}/#/program/PLC_1/Motor`)
  await page.locator('svg.drawing').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('navigation').isVisible(), false)
  assert.equal(await page.getByRole('button', { name: 'Compile' }).isVisible(), false)
  assert.ok(await page.getByText(/^Plant · PLC_1 · Motor · /).isVisible())
  const look = await page.evaluate<string[]>(`[
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.querySelector('.network')).breakInside,
    String(document.querySelector('.networks').scrollHeight <= document.querySelector('.networks').clientHeight),
  ]`)
  assert.deepEqual(look, ['rgb(255, 255, 255)', 'avoid', 'true'])
  await picture('print')
  const pdf = await page.pdf({ format: 'A4' })
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []
  assert.ok(pages.length >= 2, `${pages.length} pages`)
  assert.deepEqual(faults, [])
})
