/** The built-in assistant in the studio: what it finds is read and linked, and its talk stays. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsPlugin } from '../../core/docs/operations.ts'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { newProject, plc } from '../online.ts'
import { serveStudio, signedIn } from './studio-page.ts'

test('an answer leads to places and forms, and is there after another view was shown', {
  skip: !hasBrowser,
}, async (t) => {
  const at = await openTestGateway(t, { corePlugins: [docsPlugin] })
  const { call } = at
  await newProject(at, 'Plant')
  await call('tags.add', { ...plc, name: 'Motor_1', dataType: 'Bool', logicalAddress: '%Q0.0' })
  const content = 'FUNCTION "Pump" : Void\nBEGIN\n  "Motor_1" := TRUE;\nEND_FUNCTION\n'
  await call('blocks.import', { ...plc, content })
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  const ask = async (question: string) => {
    await page.getByLabel('Your question or task').fill(question)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }
  await page.goto(`${server.url}/#/assistant`)
  await ask('Where is Motor_1 used?')
  // What it may not do by itself is one click away.
  await page.getByRole('link', { name: 'Index the project' }).last().click()
  await page.getByRole('dialog', { name: /index/i }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/assistant$/)
  await call('projects.index')
  await ask('Where is Motor_1 used? How is a block renamed?')
  const answer = page.locator('.message.assistant').last()
  await answer.getByText(/used by Pump \(network 1\)/).waitFor()
  assert.doesNotMatch(await answer.innerText(), /curl|`|\*\*|\]\(/)
  await picture('assistant-links')
  assert.deepEqual(await accessibilityFaults(page), [], 'assistant')
  await page.getByLabel('Your question or task').fill('not sent')
  await answer.getByRole('link', { name: 'Pump', exact: true }).first().click()
  await page.waitForURL(/#\/program\/PLC_1\/Pump\?network=1$/)
  await page.goBack()
  await answer.getByText(/used by Pump/).waitFor()
  assert.equal(await page.getByLabel('Your question or task').inputValue(), 'not sent')
  // The form has what the address tells, and its texts no marks.
  await page.goto(`${server.url}/#/command/blocks.rename?deviceName=PLC_1&blockName=Pump`)
  await page.getByLabel('newName').waitFor()
  assert.equal(await page.getByLabel('blockName').inputValue(), 'Pump')
  assert.doesNotMatch(await page.getByRole('dialog').innerText(), /`/)
  assert.deepEqual(faults, [])
})
