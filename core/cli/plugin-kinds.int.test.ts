/** `gantry plugin new --kind`: each kind makes a plugin that loads, and whose own test passes. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../test/folder.ts'
import { noLinks } from '../../test/links.ts'
import { packageDir } from '../boot/running-code.ts'
import { CliError } from './exit-codes.ts'
import { checkPlugins, newPlugin } from './plugin.ts'
import { pluginKinds } from './plugin-kinds.ts'

/** Runs a test file as an author does, with `gantry/testing` from the sources. */
function runTest(file: string): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$|NODE_TEST_CONTEXT$)/.test(name)),
  )
  return new Promise((resolve) =>
    execFile(process.execPath, ['--import', import.meta.resolve('tsx'), '--test', file], { env }, (error, stdout) =>
      resolve(error === null ? 'passed' : stdout),
    ),
  )
}

test('each kind of plugin loads, and its test passes', { skip: noLinks }, async (t) => {
  const dir = await temporaryFolder(t, 'gantry-kinds-')
  const kit = join(dir, 'node_modules/gantry')
  await mkdir(kit, { recursive: true })
  await symlink(join(packageDir, 'node_modules/tsx'), join(dir, 'node_modules/tsx'), 'junction')
  const source = pathToFileURL(join(packageDir, 'core/testing/index.ts')).href
  await writeFile(join(kit, 'package.json'), '{ "type": "module", "exports": { "./testing": "./testing.js" } }')
  await writeFile(join(kit, 'testing.js'), `export * from '${source}'\n`)
  for (const kind of pluginKinds)
    for (const js of [true, false]) {
      const name = `own-${kind}${js ? '' : '-ts'}`
      await newPlugin(name, { dir, kind, js })
      assert.equal(await runTest(join(dir, name, 'index.test.mjs')), 'passed', name)
    }
  await checkPlugins(pluginKinds.map((kind) => join(dir, `own-${kind}`)))
  await assert.rejects(newPlugin('other', { dir, kind: 'thing' }), (error) => {
    assert.ok(error instanceof CliError)
    assert.equal(error.message, '--kind is one of rule, format, view, driver.')
    return true
  })
})
