/** The studio's jobs in a browser: groups and own commands taken back, replay, approvals, cancel, what a viewer may. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { docsPlugin } from '../../core/docs/operations.ts'
import { command, definePlugin, post } from '../../core/index.ts'
import { startProviders } from '../../plugins/assistant/fixtures/provider-server.ts'
import { openTestGateway, type TestGateway } from '../harness.ts'
import { hasBrowser } from '../hmi.ts'
import { type Answer, plc } from '../online.ts'
import { until } from '../until.ts'
import { read, serveStudio, signedIn } from './studio-page.ts'

const skip = !hasBrowser
const table = { ...plc, tableName: 'Default tag table' }

/** A command that lasts until it is cancelled. */
const waiting = definePlugin({
  name: 'waiting',
  version: '1.0.0',
  operations: [
    command({
      id: 'waiting.wait',
      title: 'Wait until it is cancelled',
      input: (t) => t.Object({}),
      output: (t) => t.Object({}),
      mcp: false,
      http: [post('/api/waiting/wait', 'async')],
      async run(_input, ctx) {
        ctx.progress(40, 'waits')
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
        ctx.signal.throwIfAborted()
        return {}
      },
    }),
  ],
})

async function withStation(t: TestContext): Promise<TestGateway> {
  const at = await openTestGateway(t, { corePlugins: [docsPlugin, waiting] })
  await at.call('projects.create', { name: 'Plant', path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  return at
}

const tagNames = async ({ call }: TestGateway) =>
  (await call<Answer>('tags.list', table)).tags.map(({ name }: Answer) => name)

test('a group of jobs is taken back together, a running job is cancelled', { skip }, async (t) => {
  const at = await withStation(t)
  const { call } = at
  const group = { group: 'turn:1' }
  await call('tags.add', { ...table, name: 'Kept', dataType: 'Bool' })
  for (const name of ['One', 'Two']) await call('tags.add', { ...table, name, dataType: 'Bool' }, group)
  const server = await serveStudio(t, at)
  const { page, faults } = await signedIn(t, server)
  const dialog = page.getByRole('dialog')
  await page.goto(`${server.url}/#/jobs`)
  const undoGroup = page.getByRole('button', { name: 'Take back the group … (turn:1)' })
  await page.locator('.rows .row', { hasText: 'tags.add' }).first().click()
  await undoGroup.click()
  await dialog.getByText('This would be taken back:').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await tagNames(at), ['Kept', 'One', 'Two'], 'nothing without a yes')
  await undoGroup.click()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await page.getByText('Taken back.').waitFor()
  assert.deepEqual(await tagNames(at), ['Kept'])

  const { jobId } = await call<{ jobId: string }>('waiting.wait', {}, { mode: 'async' })
  await page.locator('.rows .row', { hasText: 'waiting.wait' }).click()
  await page.locator('.detail .status.running').waitFor()
  await page.getByRole('button', { name: 'Cancel the job' }).click()
  await page.locator('.detail .status.cancelled').waitFor()
  assert.equal((await read<Answer>(server, `/api/jobs/${jobId}`)).status, 'Cancelled')
  assert.deepEqual(faults, [])
})

test('undo takes back what the person did, not what others did since', { skip }, async (t) => {
  const at = await withStation(t)
  const { call } = at
  await call('tags.add', { ...table, name: 'Start', dataType: 'Bool', comment: 'as it was' })
  const server = await serveStudio(t, at)
  const { page, faults } = await signedIn(t, server)
  const comment = async () => (await call<Answer>('tags.list', table)).tags[0].comment
  const isCommented = (text: string) => until(async () => (await comment()) === text, `the comment is "${text}"`)
  await page.goto(`${server.url}/#/project/PLC_1/tags/Default%20tag%20table`)
  await page.getByLabel('Comment: Start').fill('green button')
  await page.keyboard.press('Enter')
  await isCommented('green button')
  const content = 'FUNCTION "Work_of_another" : Void\nBEGIN\nEND_FUNCTION\n'
  await call('blocks.import', { ...plc, content })
  const blocks = async () => (await call<Answer>('blocks.list', plc)).blocks.map(({ name }: Answer) => name)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Taken back/).waitFor()
  assert.equal(await comment(), 'as it was')
  assert.deepEqual(await blocks(), ['Work_of_another'])
  await page.getByRole('button', { name: 'Redo' }).click()
  await isCommented('green button')
  assert.deepEqual(await blocks(), ['Work_of_another'])
  assert.deepEqual(faults, [])
})

test('a session that has ended is replayed', { skip }, async (t) => {
  const first = await withStation(t)
  await first.call('tags.add', { ...table, name: 'Start', dataType: 'Bool' })
  const key = first.gateway.createdKey ?? ''
  const session = first.gateway.sessionSeq
  const at = await first.restart()
  const server = await serveStudio(t, at, key)
  const { page, faults } = await signedIn(t, server)
  await page.goto(`${server.url}/#/jobs?tab=sessions`)
  await page.getByRole('row').filter({ hasText: 'stopped' }).click()
  await page.getByRole('button', { name: 'Replay' }).click()
  const report = page.locator('section', { hasText: `Replay of session ${session}` })
  await report.waitFor()
  const told = JSON.parse((await report.locator('pre').textContent()) ?? '') as Answer
  const { sessions } = await at.call<Answer>('audit.sessions', {})
  const { jobs } = sessions.find((one: Answer) => one.session === session)
  assert.ok(jobs > 0)
  assert.deepEqual([told.session, told.jobs, told.differenceCount], [session, jobs, 0])
  assert.deepEqual(faults, [])
})

/** A station, and an assistant that answers what the test says. */
async function withAssistant(t: TestContext) {
  const at = await withStation(t)
  const provider = await startProviders(t)
  const providers = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${provider.url}/v1` }]
  await at.call('assistant.save-settings', { model: 'p/x', providers })
  return { at, provider }
}

test('changes of the assistant wait: one is accepted and made, the other rejected and left out', {
  skip,
}, async (t) => {
  const { at, provider } = await withAssistant(t)
  const server = await serveStudio(t, at)
  const propose = async (name: string, projectKey: string) => {
    const input = { operation: 'tags.add', input: { ...table, name, dataType: 'Bool' } }
    provider.replies.push({ text: [`I add ${name}.`], calls: [{ name: 'call_operation', input }] })
    const answer = await fetch(`${server.url}/api/assistant/chat`, {
      method: 'POST',
      headers: { 'X-API-Key': server.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: `Add ${name}`, projectKey }),
    })
    await answer.text()
    assert.equal(answer.status, 200)
  }
  await propose('Wanted', 'a')
  const { page, faults } = await signedIn(t, server)
  await page.goto(`${server.url}/#/jobs?tab=approvals`)
  const card = (name: string) => page.locator('.approval', { hasText: `"${name}"` })
  // What it would change is shown before.
  await card('Wanted')
    .getByRole('row', { name: /^Tag Wanted .*dataType: Bool/ })
    .waitFor()
  assert.deepEqual(await tagNames(at), [])
  // One that is asked for while the list is open comes into it.
  await propose('Unwanted', 'b')
  await card('Unwanted').getByRole('button', { name: 'Reject' }).click()
  await card('Unwanted').waitFor({ state: 'detached' })
  await card('Wanted').getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Nothing waits for a yes.').waitFor()
  assert.deepEqual(await tagNames(at), ['Wanted'])
  assert.deepEqual(faults, [])
})

test('a change of a network that waits is drawn before and after, and so is the job that makes it', {
  skip,
}, async (t) => {
  const { at, provider } = await withAssistant(t)
  const bool = (name: string, section: string) => ({ name, section, dataType: 'Bool' })
  await at.call('blocks.create', {
    ...{ ...plc, name: 'Motor', type: 'FB', language: 'LAD' },
    interface: [bool('start', 'Input'), bool('stop', 'Input'), bool('run', 'Output')],
    networks: [{ title: 'Run', expressions: '#run := #start AND NOT #stop' }],
  })
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  const isDrawn = async (text: string) => {
    const sides = page.locator(`${text} .pair > div`)
    await sides.nth(0).locator('svg', { hasText: '#stop' }).waitFor()
    await sides.nth(1).locator('svg', { hasText: '#start' }).waitFor()
    assert.equal(await sides.nth(1).locator('svg', { hasText: '#stop' }).count(), 0)
    assert.ok((await sides.nth(0).locator('g.removed').count()) > 0, 'what goes is marked')
  }
  const input = { ...plc, blockName: 'Motor', number: 1, expressions: '#run := #start' }
  const call = { name: 'call_operation', input: { operation: 'blocks.update-network', input } }
  provider.replies.push({ text: ['I leave the stop out.'], calls: [call] }, { text: ['It is done.'] })
  await page.goto(`${server.url}/#/assistant`)
  await page.getByRole('textbox').fill('Leave the stop out')
  await page.keyboard.press('Enter')
  await isDrawn('.approval')
  await picture('approval-of-a-network')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('It is done.').waitFor()
  await page.goto(`${server.url}/#/jobs`)
  const made = page.locator('.rows .row', { hasText: 'blocks.update-network' })
  // The dry run and the change.
  await made.nth(1).waitFor()
  for (const title of ['What it changed', 'What it would change']) {
    await made.nth(title === 'What it changed' ? 0 : 1).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await isDrawn('.detail')
  }
  await picture('job-of-a-network')
  assert.deepEqual(faults, [])
})

test('an earlier version of a ladder block is drawn beside the present one, and brought back', { skip }, async (t) => {
  const at = await withStation(t)
  const { call } = at
  const bool = (name: string, section: string) => ({ name, section, dataType: 'Bool' })
  await call('blocks.create', {
    ...plc,
    name: 'Motor',
    type: 'FB',
    language: 'LAD',
    interface: [bool('start', 'Input'), bool('stop', 'Input'), bool('run', 'Output')],
    networks: [{ title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' }],
  })
  const block = { ...plc, blockName: 'Motor' }
  const expression = async () => (await call<Answer>('blocks.content', block)).networks[0].expression
  const before = await expression()
  const server = await serveStudio(t, at)
  const { page, faults, picture } = await signedIn(t, server)
  await page.goto(`${server.url}/#/program/PLC_1/Motor`)
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByLabel('Network 1 as text').fill('#run := #start')
  await page.getByRole('button', { name: 'Store and compile' }).click()
  await page.getByText('Motor: 0 errors, 0 warnings').waitFor()
  assert.notEqual(await expression(), before)
  await page.getByRole('tab', { name: 'History' }).click()
  const sides = page.locator('.pair > div')
  await sides.nth(0).locator('svg', { hasText: '#stop' }).waitFor()
  await sides.nth(1).locator('svg', { hasText: '#start' }).waitFor()
  assert.equal(await sides.nth(1).locator('svg', { hasText: '#stop' }).count(), 0)
  await picture('history')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await until(async () => (await expression()) === before, 'the earlier version is back')
  assert.deepEqual(faults, [])
})

test('a viewer reads everything and changes nothing', { skip }, async (t) => {
  const at = await withStation(t)
  await at.call('tags.add', { ...table, name: 'Start', dataType: 'Bool' })
  const content = 'FUNCTION "Calc" : Int\nVERSION : 0.1\nBEGIN\n  #Calc := 1;\nEND_FUNCTION\n'
  await at.call('blocks.import', { ...plc, content })
  const networks = [{ title: 'Run', expressions: '#run := NOT #run' }]
  const members = [{ section: 'Output', name: 'run', dataType: 'Bool' }]
  await at.call('blocks.create', { ...plc, name: 'Motor', type: 'FB', language: 'LAD', interface: members, networks })
  const server = await serveStudio(t, at)
  const key = 'a-secret-of-a-viewer'
  const added = await fetch(`${server.url}/api/settings`, {
    method: 'PATCH',
    headers: { 'X-API-Key': server.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ security: { apiKeys: { add: [{ name: 'Viewer', access: 'viewer', key }] } } }),
  })
  assert.equal(added.status, 200)
  const { page, faults, calls } = await signedIn(t, { url: server.url, key })
  const undo = page.getByRole('button', { name: 'Undo' })

  await page.goto(`${server.url}/#/program/PLC_1/Calc`)
  const editor = page.locator('.cm-content')
  await editor.click()
  const text = await editor.innerText()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Control+s')
  assert.equal(await editor.innerText(), text)
  for (const name of ['Store and compile', 'Discard', 'Compile'])
    assert.ok(await page.getByRole('button', { name, exact: true }).isDisabled(), name)
  assert.ok(await undo.isDisabled())

  await page.goto(`${server.url}/#/program/PLC_1/Motor`)
  await page.locator('svg.drawing').waitFor()
  for (const name of ['Edit as text', 'Add a network', 'Delete network 1'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await page.getByRole('tab', { name: 'Interface' }).click()
  await page.getByRole('gridcell', { name: 'run', exact: true }).waitFor()
  assert.equal(await page.getByRole('tabpanel').getByRole('textbox').count(), 0)

  await page.goto(`${server.url}/#/project/PLC_1/tags/Default%20tag%20table`)
  const name = page.getByLabel('Name: Start')
  await name.click()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  assert.equal(await name.inputValue(), 'Start')
  for (const label of ['Import', 'Save', 'Undo', 'Redo'])
    assert.ok(await page.getByRole('button', { name: label, exact: true }).isDisabled(), label)
  await page.keyboard.press('Control+z')

  // What needs a higher level is told before it is tried.
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find an operation').fill('rename a block')
  await page.getByRole('option', { name: /^Rename a block/ }).click()
  await page.getByText('Needs a key of the level "engineer".').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Dry run' }).isDisabled())
  await page.keyboard.press('Escape')

  // Nothing was even asked that needs more.
  const more = [...calls].filter((one) => !one.startsWith('GET ') && !/^POST .*\/(session|language\/.*)$/.test(one))
  assert.deepEqual([more, faults], [[], []])

  // A viewer cannot make the index; with one, the search is for everybody.
  const search = page.getByLabel('Names and texts of the whole project')
  await page.getByRole('button', { name: /Search everything/ }).click()
  await search.fill('Motor')
  await page.getByText(/^The project has no index since it was opened/).waitFor()
  await at.call('projects.index')
  await search.fill('Moto')
  await page.getByRole('option', { name: /Motor/ }).waitFor()
})
