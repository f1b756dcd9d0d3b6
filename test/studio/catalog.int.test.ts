/** The rack of an S7-1200 in the studio, and the catalog beside it. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { newProject } from '../online.ts'
import { serveStudio, signedIn } from './studio-page.ts'

test('a CPU 1214C has its slots: communication left, a board inside; the catalog shows what fits them', {
  skip: !hasBrowser,
}, async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Plant')
  await at.call('devices.add', { orderNumber: '6ES7 214-1AG40-0XB0', name: 'PLC_2' })
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  await page.goto(`${server.url}/#/hardware/PLC_2`)
  const slot = (name: string) => page.getByRole('button', { name: `${name} free` })
  await slot('Slot 9').waitFor()
  const slots = await page
    .locator('.rack > *')
    .evaluateAll((all) =>
      (all as unknown as { querySelector(what: string): { textContent: string } }[]).map((one) =>
        one.querySelector('.slot').textContent.replace('Slot ', ''),
      ),
    )
  assert.deepEqual(slots, ['103', '102', '101', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  assert.equal(await page.locator('.module .boards .slot-free').count(), 1)

  const entries = page.locator('.catalog li button')
  const kinds = async () => [...new Set((await entries.allInnerTexts()).map((text) => text.split(' ')[0]))].sort()
  await slot('Slot 102').click()
  await page.getByText('Only what fits slot 102').waitFor()
  await entries.filter({ hasText: 'CM 1241 (RS232)' }).waitFor()
  assert.deepEqual(
    (await kinds()).filter((one) => !/^(CM|CP|SIPLUS)$/.test(one ?? '')),
    [],
  )
  await slot('Board 1.3').click()
  const board = entries.filter({ hasText: '6ES7 223-3BD30-0XB0' })
  await board.waitFor()
  assert.deepEqual(
    (await kinds()).filter((one) => !/^(SB|CB|BB)$/.test(one ?? '')),
    [],
  )
  await picture('catalog')
  assert.deepEqual(await accessibilityFaults(page), [], 'catalog')
  await board.click()
  await slot('Slot 2').waitFor({ state: 'detached' })
  await slot('Board 1.3').click()
  await page.locator('.module .boards .module', { hasText: 'SB 1223' }).waitFor()
  // What does not fit is not in the list, and says why when it is chosen from the whole catalog.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByPlaceholder('Order number or name').fill('6ES7 521-1BH00')
  await page.getByText('Nothing found.').waitFor()
  await page.getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: /6ES7 521-1BH00-0AB0/ }).click()
  await page.getByText(/No free slot takes DI 16x24VDC HF: .*does not fit into a station of S7-1200/).waitFor()
  assert.deepEqual(faults, [])
})
