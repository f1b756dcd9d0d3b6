/** Which tests the Windows lane runs (`windows.mjs`). */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const roots = ['core', 'lib', 'plc', 'plugins', 'scripts', 'store', 'test', 'web']

/** Rooms whose tests of files and processes (`*.int.test.ts`) run too. Of all others the plain tests run. */
const whole = [
  'core/cli',
  'core/engine',
  'core/files',
  'core/plugins',
  'core/recovery',
  'lib',
  'plugins/language-server',
  'plugins/projects',
  'plugins/review/commands',
  'store',
]

/** Tests that Windows or Wine cannot run, and why. Those that need links skip themselves (`test/links.ts`). */
const excluded = new Map([
  ['core/cli/backup.int.test.ts', 'sh and file modes'],
  ['store/full-disk.int.test.ts', 'ulimit of sh'],
  ['test/conformance/routes.test.ts', 'Wine ends connections where many are made'],
])

/** @returns the tests as paths from the root, with `/` */
export function windowsTests(root) {
  const tests = roots.flatMap((folder) => testsBelow(root, folder))
  const chosen = tests.filter(
    (test) => !test.endsWith('.int.test.ts') || whole.some((room) => test.startsWith(`${room}/`)),
  )
  for (const [test, reason] of excluded) {
    if (!chosen.includes(test)) throw new Error(`${test}: the Windows lane leaves out a test that is not there`)
    console.log(`windows: left out: ${test} (${reason})`)
  }
  return chosen.filter((test) => !excluded.has(test))
}

function testsBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'))
    .sort()
}
