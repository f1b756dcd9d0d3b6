/** Where in a plugin an error comes from. Stacks name files by addresses, which are no paths on Windows. */
import assert from 'node:assert/strict'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../test/folder.ts'
import { State } from '../state/state.ts'
import { loadPlugins, reasonOf, throwingFolder } from './plugin-loader.ts'
import { Registry } from './registry.ts'

test('the place of an error is a path, whatever an address makes of its characters', async (t) => {
  const dir = await realpath(await temporaryFolder(t, 'gantry-place-'))
  const folder = join(dir, 'with blank, ü and #')
  await mkdir(folder)
  await writeFile(join(folder, 'index.mjs'), 'throw new Error("as tested")')
  const { faults } = await loadPlugins([dir], new Registry(), new State())
  assert.deepEqual(faults, [
    { name: 'with blank, ü and #', folder, reason: `as tested (${join(folder, 'index.mjs')}:1:7)` },
  ])
  const frame = (text: string) => Object.assign(new Error('x'), { stack: `Error: x\n    at ${text}` })
  const { href } = pathToFileURL(join(folder, 'a.ts'))
  for (const text of [
    `${href}:3:4`,
    `run (${href}:3:4)`,
    `${href}?tsx-namespace=1:3:4`,
    `${join(folder, 'a.ts')}:3:4`,
  ]) {
    assert.equal(throwingFolder(frame(text), [dir]), folder, text)
    assert.equal(reasonOf(frame(text), folder), `x (${join(folder, 'a.ts')}:3:4)`)
  }
})
