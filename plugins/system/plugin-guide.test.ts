import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, openTestGateway } from '../../test/harness.ts'
import { pluginDirectory, problemOf } from '../../test/system.ts'

const guide = await readFile(new URL('./docs/plugin-guide.md', import.meta.url), 'utf8')
const codes = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)

test('the plugin and the hook of the guide do what it says', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'bookmarks'))
  await writeFile(join(dir, 'bookmarks/index.ts'), codes[0]!)
  await mkdir(join(dir, 'policy'))
  const policy = `export default ({ definePlugin, problem }) => definePlugin({ name: 'policy', version: '1.0.0', ${codes[1]!} })`
  await writeFile(join(dir, 'policy/index.mjs'), policy.replaceAll("'*.delete'", "'bookmarks.*'"))
  const opened = await openTestGateway(t, { pluginDirs: [dir] })
  assert.deepEqual(opened.gateway.pluginFaults, [])
  await opened.call('bookmarks.add', { name: 'pump', text: 'PLC_1/Pump' })
  await assert.rejects(opened.call('bookmarks.add', { name: 'pump', text: '' }), problemOf('name_taken'))
  const denied = opened.call('bookmarks.add', { name: 'b', text: '' }, { actor: actor('engineer') })
  await assert.rejects(denied, problemOf('forbidden', /policy of this site/))
  const { call } = await opened.restart()
  assert.equal((await call('bookmarks.list')).total, 1)
})
