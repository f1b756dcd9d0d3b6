/** The studio in a real browser: a person's way from dropped files to a mended block, and what holds for all views. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { docsPlugin } from '../../core/docs/operations.ts'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser, served } from '../hmi.ts'
import { until } from '../until.ts'
import { buildPage } from '../web-page.ts'
import { drop, serveStudio, signedIn, undocumented } from './studio-page.ts'

const calc = `FUNCTION "Calc" : Int
VAR_INPUT
  a : Int;
END_VAR
BEGIN
  #Calc := #b + 1;
END_FUNCTION
`
const tank = `FUNCTION_BLOCK "Tank"
VAR_INPUT
  inflow : Real;
END_VAR
VAR
  level : Real;
END_VAR
BEGIN
  #level := #level + #inflow;
END_FUNCTION_BLOCK

DATA_BLOCK "Tank_DB"
"Tank"
BEGIN
END_DATA_BLOCK
`

async function opened(t: TestContext) {
  const at = await openTestGateway(t, { corePlugins: [docsPlugin] })
  const { call, dir } = at
  await call('projects.create', { name: 'Plant', path: `${dir}/workspace` })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await call('tags.add', {
    deviceName: 'PLC_1',
    tableName: 'Default tag table',
    name: 'Start',
    logicalAddress: '%I0.0',
  })
  const networks = [{ title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' }]
  const bool = (name: string, section: string) => ({ name, section, dataType: 'Bool' })
  const members = [bool('start', 'Input'), bool('stop', 'Input'), bool('run', 'Output')]
  const motor = { deviceName: 'PLC_1', name: 'Motor', type: 'FB', language: 'LAD', interface: members, networks }
  await call('blocks.create', motor)
  const server = await serveStudio(t, at)
  return { ...at, ...server, ...(await signedIn(t, server)) }
}

test('files are dropped, an error is found, mended, compiled and taken back; every view is accessible', {
  skip: !hasBrowser,
}, async (t) => {
  const { page, url, key, call, calls, faults, foreign, picture } = await opened(t)

  await drop(page, { 'Calc.scl': calc, 'Tank.scl': tank })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('3 imported, 0 unchanged, 0 files with faults').waitFor()
  await dialog.getByText('#b is not declared').waitFor()
  await picture('import')
  assert.deepEqual(await accessibilityFaults(page), [], 'import')

  // The message leads to its place in the block.
  await dialog.getByRole('button', { name: /^Calc/ }).click()
  const editor = page.locator('.cm-content')
  await editor.waitFor()
  await page.locator('.cm-lintRange-error', { hasText: '#b' }).waitFor()
  await picture('fault')
  // The cursor is before the fault.
  await page.keyboard.press('Delete')
  await page.keyboard.press('Delete')
  await page.keyboard.type('#a')
  await page.keyboard.press('Escape')
  await page.getByText('changed, not stored').waitFor()
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await page.getByText('Calc: 0 errors, 0 warnings').waitFor()
  await page.locator('.main .badge', { hasText: 'compiled' }).waitFor()
  assert.match(
    (await call<{ sourceText: string }>('blocks.source', { deviceName: 'PLC_1', blockName: 'Calc' })).sourceText,
    /#a \+ 1/,
  )

  // Completion and definition come from the gateway.
  await page.locator('.cm-line', { hasText: '#Calc := #a' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Tan')
  await page.locator('.cm-tooltip-autocomplete', { hasText: 'Tank' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()

  // What was stored is taken back: the compile first, then the text.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('#Calc := #b + 1;').waitFor()
  await page.locator('.cm-lintRange-error').waitFor()

  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    await picture(`text-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `text ${theme}`)
    await page.goto(`${url}/#/program/PLC_1/Motor`)
    await page.locator('svg.drawing').waitFor()
    await picture(`networks-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `networks ${theme}`)
    for (const tab of ['Interface', 'Calls', 'References', 'History']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').locator('[role=grid], [role=tree]').first().waitFor()
      assert.deepEqual(await accessibilityFaults(page), [], `${tab} ${theme}`)
    }
    await page.goto(`${url}/#/project/PLC_1/blocks`)
    await page.getByRole('gridcell', { name: 'Tank_DB' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [], `blocks ${theme}`)
    await page.goto(`${url}/#/project/PLC_1/tags/Default%20tag%20table`)
    await page.getByLabel('Name: Start').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [], `tags ${theme}`)
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find an operation').fill('rename a block')
    await page.getByRole('option', { name: /^Rename a block/ }).click()
    await page.getByLabel('newName').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [], `form ${theme}`)
    await page.keyboard.press('Escape')
    await page.goto(`${url}/#/program/PLC_1/Calc`)
    await editor.waitFor()
  }

  // A command of the palette is tried out before it runs.
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find an operation').fill('rename a block')
  await page.getByRole('option', { name: /^Rename a block/ }).click()
  await page.getByLabel('blockName').fill('Motor')
  await page.getByLabel('newName').fill('Pump')
  assert.ok(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled())
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByText(/It would succeed/).waitFor()
  await call('blocks.content', { deviceName: 'PLC_1', blockName: 'Motor' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('Done: Rename a block').waitFor()
  await call('blocks.content', { deviceName: 'PLC_1', blockName: 'Pump' })
  await page.keyboard.press('Escape')

  // Odd inputs have fields too: a value of several kinds, a list in an object in a list, a file.
  const choose = async (title: string) => {
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find an operation').fill(title)
    await page
      .getByRole('option', { name: new RegExp(`^${title}`) })
      .first()
      .click()
  }
  await choose('Change a network of a block')
  await page.getByLabel('blockName').fill('Pump')
  await page.getByLabel('number', { exact: false }).first().fill('1')
  await page.getByLabel('Kind of expressions').selectOption({ label: 'List' })
  const list = page.locator('.choice', { has: page.getByLabel('Kind of expressions') })
  for (const [i, text] of ['#run := #start', '#stop := #run'].entries()) {
    await list.locator('button', { hasText: 'Add' }).click()
    await list.locator('.item').nth(i).locator('input, textarea').fill(text)
  }
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('heading', { name: 'What it would change' }).waitFor()
  await page.locator('.pair svg', { hasText: '#start' }).first().waitFor()
  await picture('dry-run')
  assert.deepEqual(await accessibilityFaults(page), [], 'dry run')
  await page.keyboard.press('Escape')
  await choose('Import blocks, types')
  const buffer = Buffer.from(calc.replaceAll('Calc', 'Sent'))
  await page.locator('input[type=file]').first().setInputFiles({ name: 'Sent.scl', mimeType: 'text/plain', buffer })
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.locator('.changed-object', { hasText: 'Sent' }).waitFor()
  await page.keyboard.press('Escape')

  // Search leads to what it finds.
  await page.goto(`${url}/#/project`)
  await page.getByRole('button', { name: /Search everything/ }).click()
  await page.getByLabel('Names and texts of the whole project').fill('Tank_DB')
  await page.getByRole('option', { name: /Tank_DB/ }).click()
  await page.waitForURL(/#\/program\/PLC_1\/Tank_DB/)

  // A network is edited as text; a tag in its cell.
  await page.goto(`${url}/#/program/PLC_1/Pump`)
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByLabel('Network 1 as text').fill('#run := #start AND NOT #stop')
  await page.getByRole('button', { name: 'Store and compile' }).click()
  await page.getByText('Pump: 0 errors, 0 warnings').waitFor()
  await page.goto(`${url}/#/project/PLC_1/tags/Default%20tag%20table`)
  await page.getByLabel('Comment: Start').fill('green button')
  await page.keyboard.press('Enter')
  await until(async () => {
    const { tags } = await call<{ tags: { comment: string }[] }>('tags.list-all', { deviceName: 'PLC_1' })
    return tags[0]?.comment === 'green button'
  }, 'the comment is stored')

  // German from the same table.
  await page.getByLabel('Language').first().selectOption('de')
  await page.getByRole('button', { name: 'Importieren' }).waitFor()

  assert.deepEqual(faults, [])
  assert.deepEqual(foreign, [])
  const toGateway = [...calls].filter((one) => /^\w+ \/(api|mcp)\//.test(one))
  assert.ok(toGateway.length > 20)
  assert.deepEqual(await undocumented({ url, key }, toGateway), [])
  const others = [...calls].filter((one) => !toGateway.includes(one))
  for (const one of others) assert.match(one, /^GET \/(studio\/[\w-]+\.(js|css)|openapi\.json)?$/)
})

test('on a phone no view is wider than the page, and the tree is above what it shows', {
  skip: !hasBrowser,
}, async (t) => {
  const { page } = await opened(t)
  await page.setViewportSize({ width: 390, height: 844 })
  // A view whose code comes late does not take the place of the one that was chosen since.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/studio/*.js', async (route) => {
    await held
    await route.continue()
  })
  const views = page.locator('nav.views a')
  const asked = page.waitForRequest('**/studio/*.js')
  await views.last().click()
  const late = (await asked).response()
  await views.first().click()
  await page.getByRole('tree').waitFor()
  release()
  await (await late)?.finished()
  await page.unroute('**/studio/*.js')
  await page.waitForTimeout(500)
  assert.ok(await page.getByRole('tree').isVisible())
  const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  for (const view of await page.locator('nav.views a').all()) {
    await view.click()
    await page.locator('#content > *').first().waitFor()
    assert.equal(await page.evaluate(widths), 0, await view.innerText())
  }
  await page.locator('nav.views a').first().click()
  const tree = await page.getByRole('tree').boundingBox()
  const main = await page.locator('.split > .main').boundingBox()
  assert(tree && main && tree.height > 100 && tree.y + tree.height <= main.y + 1 && main.width > 380)
})

test('the search finds things in a project that was opened again', { skip: !hasBrowser }, async (t) => {
  const { page, call, faults } = await opened(t)
  const find = async () => {
    await page.getByRole('button', { name: /Search everything/ }).click()
    await page.getByLabel('Names and texts of the whole project').fill('Motor')
    await page.getByRole('option', { name: /Motor/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await find()
  const { path } = (await call<{ projects: { path: string }[] }>('projects.list')).projects[0]!
  await call('projects.save')
  await call('projects.close')
  await page.getByRole('tree').waitFor({ state: 'detached' })
  await call('projects.open', { path })
  await page.getByRole('tree').waitFor()
  // What the page was asking for while the project closed has no answer.
  const { length } = faults
  for (const fault of faults) assert.match(fault, /409 \(Conflict\)/)
  await find()
  assert.deepEqual(faults.slice(length), [])
})

test('the page: policy, cache by content, sizes; API clients get the addresses as before', async (t) => {
  const files = await buildPage('studio')
  const { gateway } = await openTestGateway(t)
  const { url } = await served(t, gateway)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  const policy = page.headers.get('content-security-policy') ?? ''
  const nonceOf = (text: string) => /'nonce-([\w+/=]{24})'/.exec(text)?.[1] ?? ''
  const parts = [
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:",
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ]
  assert.equal(policy.replace(nonceOf(policy), 'N'), parts.join('; '))
  const again = await fetch(url, { headers: { accept: 'text/html' } })
  assert.notEqual(nonceOf(again.headers.get('content-security-policy') ?? ''), nonceOf(policy))
  const html = await page.text()
  assert.ok(html.includes(`nonce="${nonceOf(policy)}"`))
  const loaded = [...html.matchAll(/(?:href|src)="(\/studio\/[^"]+)"/g)].map(([, path]) => path)
  assert.ok(loaded.length > 2, String(loaded))
  for (const path of loaded) assert.equal((await fetch(`${url}${path}`)).status, 200, path)
  const [script] = /\/studio\/main-\w+\.js/.exec(html) ?? []
  const answer = await fetch(`${url}${script}`)
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal((await fetch(`${url}/studio/files.json`)).status, 404)
  assert.equal((await fetch(`${url}/studio/..%2Findex.js`)).status, 404)
  assert.equal(((await (await fetch(url)).json()) as { openapi: string }).openapi, '/openapi.json')

  const sizes = [...files].map(([name, content]) => ({ name, size: gzipSync(content).length }))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  assert.ok(total < 600_000, `all files: ${total} bytes`)
  // The editor is loaded with the first text that is shown.
  const first = sizes.find(({ name }) => name.startsWith('main-'))
  assert.ok((first?.size ?? Number.POSITIVE_INFINITY) < 60_000, `first file: ${first?.size} bytes`)
})

test('a folder of very many blocks comes in pages, as far as the tree is scrolled', {
  skip: !hasBrowser,
}, async (t) => {
  const { page, call, faults } = await opened(t)
  const names = Array.from({ length: 1200 }, (_, i) => `Block_${String(i).padStart(4, '0')}`)
  const content = names.map((name) => `FUNCTION "${name}" : Void\nBEGIN\nEND_FUNCTION\n`).join('\n')
  const pages: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/blocks/tree')) pages.push(`${searchParams.get('limit')} ${searchParams.has('cursor')}`)
  })
  await call('blocks.import', { deviceName: 'PLC_1', content })
  const tree = page.getByRole('tree')
  const node = (name: string) => tree.getByRole('treeitem', { name })
  await node('Block_0000').waitFor()
  assert.deepEqual(new Set(pages), new Set(['500 false']))
  assert.ok((await tree.getByRole('treeitem').count()) < 100, 'only what is to be seen is in the page')
  // The end of what is there brings the next page.
  const isAtEnd = async () => {
    await tree.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    return (await node('Block_1199').count()) === 1
  }
  await until(isAtEnd, 'the last block is shown')
  assert.ok(pages.includes('500 true'), pages.join())
  // What has changed meanwhile comes in, and the place stays.
  await call('blocks.import', { deviceName: 'PLC_1', content: content.split('\n\n')[0]?.replace('0000', '1199a') })
  await node('Block_1199a').waitFor()
  assert.equal(await node('Block_0000').count(), 0)
  assert.deepEqual(faults, [])
})
