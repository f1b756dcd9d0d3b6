/** What is typed in the studio stays until it is stored or discarded, and what is not there says so. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsPlugin } from '../../core/docs/operations.ts'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { newProject, plc } from '../online.ts'
import { until } from '../until.ts'
import { serveStudio, signedIn } from './studio-page.ts'

const source = (name: string) => `FUNCTION "${name}" : Int\nBEGIN\n  #${name} := 1;\nEND_FUNCTION\n`
const main = 'ORGANIZATION_BLOCK "Main"\nBEGIN\nEND_ORGANIZATION_BLOCK\n'

test('typed text stays by its block, whatever is shown meanwhile; an address of nothing says what is not there', {
  skip: !hasBrowser,
}, async (t) => {
  const at = await openTestGateway(t, { corePlugins: [docsPlugin] })
  const { call } = at
  await newProject(at, 'Plant')
  await call('blocks.import', { ...plc, content: `${source('One')}\n${source('Two')}\n${main}` })
  const network = { title: 'Run', expressions: '#run := #start' }
  const members = ['Input', 'Output'].map((section, i) => ({ section, name: ['start', 'run'][i], dataType: 'Bool' }))
  await call('blocks.create', {
    ...plc,
    name: 'Motor',
    type: 'FB',
    language: 'LAD',
    interface: members,
    networks: [network],
  })
  await call('tags.add', { ...plc, name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: 'old' })
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  const go = (hash: string) => page.goto(`${server.url}/#${hash}`)
  const line = (text: string) => page.locator('.cm-line', { hasText: text })
  const drafts = page.getByRole('button', { name: /not stored$/ })
  const type = async (name: string, text: string) => {
    await go(`/program/PLC_1/${name}`)
    await line(`#${name} := 1;`).click()
    await page.keyboard.press('End')
    await page.keyboard.type(text)
    await page.keyboard.press('Escape')
    await page.getByText('changed, not stored').waitFor()
  }

  // Back, the bar at the left, another block, a typed address: each leaves, and the text is there again.
  await type('One', ' // of one')
  await page.goBack()
  await line('of one').waitFor({ state: 'detached' })
  await page.goForward()
  await line('of one').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Hardware' }).click()
  await page.locator('.rack').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Program' }).click()
  await page.getByRole('treeitem', { name: /^Two/ }).click()
  await line('#Two := 1;').waitFor()
  await page.getByRole('treeitem', { name: /^One/ }).click()
  await line('of one').waitFor()
  await page.getByRole('tab', { name: 'Interface' }).click()
  await page.getByRole('tab', { name: 'Code' }).click()
  await line('of one').waitFor()
  await type('Two', ' // of two')
  await drafts.click()
  const list = page.getByRole('dialog')
  assert.deepEqual(await list.getByRole('link').allInnerTexts(), ['One', 'Two'])
  await picture('drafts')
  assert.deepEqual(await accessibilityFaults(page), [], 'drafts')
  await list.getByRole('link', { name: 'One' }).click()
  await line('of one').waitFor()

  // Leaving the page asks; the page loaded again has it, and so has the signing out before it throws it away.
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const question = await asked
  assert.equal(question.type(), 'beforeunload')
  await question.accept()
  await reloaded
  await line('of one').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('One, Two').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  // Somebody else's change is told and not taken over; discarding shows it, and can be taken back.
  await call('blocks.update-content', { ...plc, blockName: 'One', sourceText: source('One').replace(':= 1', ':= 2') })
  await page.getByText(/changed by somebody else/).waitFor()
  await line('of one').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await line('#One := 2;').waitFor()
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await line('of one').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Store and compile' }).click()
  await page.getByText('One: 0 errors, 0 warnings').first().waitFor()
  await page.getByText('changed, not stored').waitFor({ state: 'detached' })

  // A network as text, a half filled form, a cell that is being edited.
  await go('/program/PLC_1/Motor')
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByLabel('Network 1 as text').fill('#run := NOT #start')
  await page.getByRole('tab', { name: 'Interface' }).click()
  await page.getByLabel('Name of the new member').fill('half')
  await go('/project/PLC_1/tags/Default%20tag%20table')
  await page.getByLabel('Comment: Start').fill('new')
  await page.goBack()
  await page.getByRole('tab', { name: 'Code' }).waitFor()
  assert.equal(await page.getByLabel('Network 1 as text').inputValue(), '#run := NOT #start')
  await page.getByRole('tab', { name: 'Interface' }).click()
  assert.equal(await page.getByLabel('Name of the new member').inputValue(), 'half')
  await until(async () => {
    const { tags } = await call<{ tags: { comment: string }[] }>('tags.list-all', plc)
    return tags[0]?.comment === 'new'
  }, 'the cell is stored when its view is left')
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find an operation').fill('rename a block')
  await page.getByRole('option', { name: /^Rename a block/ }).click()
  await page.getByLabel('newName').fill('Pump')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find an operation').fill('rename a block')
  await page.getByRole('option', { name: /^Rename a block/ }).click()
  assert.equal(await page.getByLabel('newName').inputValue(), 'Pump')
  await page.keyboard.press('Escape')

  // What is deleted, or never was.
  await go('/program/PLC_1/Two')
  await line('of two').waitFor()
  assert.deepEqual(faults, [])
  // From here on the browser tells of what it asked for in vain.
  await call('blocks.delete', { ...plc, blockName: 'Two' })
  await page.getByRole('heading', { name: 'PLC_1 has no block "Two".' }).waitFor()
  await page.locator('pre', { hasText: 'of two' }).waitFor()
  await picture('missing')
  assert.deepEqual(await accessibilityFaults(page), [], 'missing')
  await page.getByRole('link', { name: 'To the blocks of PLC_1' }).click()
  await page.waitForURL(/#\/program\/PLC_1\/Main$/)
  for (const [hash, told] of [
    ['/program/PLC_9', 'The project has no station "PLC_9".'],
    ['/project/PLC_9/tags', 'The project has no station "PLC_9".'],
    ['/project/PLC_1/nowhere', 'There is no such place in PLC_1.'],
    ['/project/PLC_1/types/None', /None/],
    ['/project/PLC_1/tags/None', /None/],
    ['/project/PLC_1/watch/None', /None/],
    ['/project?library=Types/None', 'The project library has no "Types/None".'],
    ['/hardware/PLC_9', 'The project has no station "PLC_9".'],
    ['/live/PLC_9', 'The project has no station "PLC_9".'],
    ['/live/PLC_1', /No controller runs the program of "PLC_1"/],
    ['/jobs?job=none', /none/],
    ['/design/None', /./],
    ['/nowhere', 'There is no such view.'],
  ] as const) {
    await go(hash)
    await page.locator('.missing').getByRole('heading', { name: told }).waitFor()
    assert.ok(await page.locator('.missing').getByRole('link').first().isVisible(), hash)
  }
  for (const fault of faults) assert.match(fault, /40[49]/)
})
