/** A view of a plugin in the studio: that of the guide, and one whose module is faulty. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInPlugins, packageDir } from '../../core/boot/running-code.ts'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { newProject } from '../online.ts'
import { pluginDirectory } from '../system.ts'
import { serveStudio, signedIn } from './studio-page.ts'

const guide = await readFile(join(packageDir, 'plugins/system/docs/plugin-points.md'), 'utf8')
const codes = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!)

test('the view of the guide is in the navigation, shows data with components of the studio, and leads on', {
  skip: !hasBrowser,
}, async (t) => {
  const dir = await pluginDirectory(t, [])
  const put = async (name: string, index: string, view: string) => {
    await mkdir(join(dir, name))
    await writeFile(join(dir, name, 'index.mjs'), index)
    await writeFile(join(dir, name, 'view.mjs'), view)
  }
  const plant = codes.find((code) => code.includes("name: 'plant',"))!
  await put('plant', plant, codes.find((code) => code.includes('function Plant()'))!)
  await put(
    'wrong',
    plant.replaceAll("'plant'", "'wrong'").replace("'Plant'", `'Not "<b>& right'`).replace("'hardware'", "'none'"),
    'export default () => { throw new Error("as tested") }',
  )
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(at.gateway.pluginFaults, [])
  await newProject(at, 'Plant')
  const server = await serveStudio(t, at)
  const { page, faults } = await signedIn(t, server)
  await page.getByRole('navigation').getByRole('link', { name: 'Plant', exact: true }).click()
  const table = page.getByRole('grid', { name: 'Devices of the plant' })
  const row = table.getByRole('row').filter({ hasText: 'PLC_1' })
  await row.waitFor()
  assert.equal(await page.title(), 'Plant – Gantry')
  assert.deepEqual(await accessibilityFaults(page), [], 'plant')
  await row.dblclick()
  await page.waitForURL(/#\/hardware\/PLC_1$/)
  assert.deepEqual(faults, [])
  await page.getByRole('link', { name: 'Not "<b>& right' }).click()
  await page.getByRole('alert').getByText('as tested').waitFor()
  // A changed module is there with the next page, and the old one has no address any more.
  const head = async () =>
    (await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()).match(/view-plant-\w+\.js/)![0]
  const before = await head()
  await writeFile(join(dir, 'plant/view.mjs'), 'export default ({ h }) => () => h("p", {}, "changed")')
  assert.notEqual(await head(), before)
  assert.equal((await fetch(`${server.url}/studio/${before}`)).status, 404)
  const answer = await fetch(`${server.url}/studio/${await head()}`)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
  await page.goto(`${server.url}/#/plant`)
  await page.reload()
  await page.getByText('changed').waitFor()
})
