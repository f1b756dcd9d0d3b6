// In a process of its own: it has TypeScript loaded into its process.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { temporaryFolder } from './folder.ts'
import { openTestGateway } from './harness.ts'

const readme = await readFile(join(packageDir, 'README.md'), 'utf8')

test('the plugin of the README works as it stands', async (t) => {
  const source = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]
  assert(source, 'the README shows no plugin')
  const pluginDir = await temporaryFolder(t, 'gantry-readme-')
  await mkdir(join(pluginDir, 'notes'))
  await writeFile(join(pluginDir, 'notes/index.ts'), source)
  const first = await openTestGateway(t, { pluginDirs: [pluginDir] })
  assert.deepEqual(first.gateway.pluginFaults, [])
  const { id } = await first.call<{ id: string }>('notes.write', { text: 'Hello' })
  assert.equal(typeof id, 'string')
  const second = await first.restart()
  assert.deepEqual(await second.call('notes.list'), { notes: ['Hello'], total: 1 })
})

test('every file and script that the README names is there', async () => {
  const scripts = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')).scripts
  for (const [, script] of readme.matchAll(/npm run (\w+)/g)) assert(scripts[script!], `npm run ${script}`)
  for (const [, path] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
    await assert.doesNotReject(
      readFile(join(packageDir, path!)).catch((e) => (e.code === 'EISDIR' ? '' : Promise.reject(e))),
      path,
    )
  }
})
