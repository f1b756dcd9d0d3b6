import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadPlugins } from './plugin-loader.ts'
import { Registry } from './registry.ts'
import { State } from './state.ts'

test('a plugin whose import never ends is skipped, and the others are loaded', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-plugins-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of [
    ['good', "export default { name: 'good', version: '1.0.0' }"],
    ['waits', 'await new Promise(() => {})'],
  ] as const) {
    await mkdir(join(dir, name))
    await writeFile(join(dir, name, 'index.mjs'), text)
  }
  const { loaded, faults } = await loadPlugins([dir], new Registry(), new State(), { importMs: 2000 })
  assert.deepEqual(
    loaded.map(({ plugin }) => plugin.name),
    ['good'],
  )
  assert.deepEqual(
    faults.map(({ name }) => name),
    ['waits'],
  )
  assert.match(faults[0]!.reason, /^its import has not ended after 2000 ms/)
})
