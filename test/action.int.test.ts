/** `action.yml` with the steps that a runner would run; `npm` is a stand-in, since the package is built already. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { runAction } from './action-runner.ts'
import { temporaryFolder } from './folder.ts'

const scale = `FUNCTION "Scale" : Void
VAR_INPUT
  mode : Int; // 1 to 2
END_VAR
VAR_IN_OUT
  value : Int; // scaled
END_VAR
BEGIN
  CASE #mode OF
    1: #value := 10;
  END_CASE;
END_FUNCTION
`

/** A checkout with a program in a folder, and the environment of a runner. */
async function checkout(t: TestContext, files: Readonly<Record<string, string>>) {
  const dir = await temporaryFolder(t, 'gantry-action-')
  const workspace = join(dir, 'checkout')
  await mkdir(join(workspace, '.git'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), text)
  }
  const calls = join(dir, 'npm-calls')
  await mkdir(join(dir, 'bin'))
  await writeFile(join(dir, 'bin/npm'), `#!/bin/sh\necho "$PWD: $*" >> '${calls}'\n`)
  await chmod(join(dir, 'bin/npm'), 0o755)
  const clean = Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS|NODE_TEST)/.test(name))
  const env = {
    ...Object.fromEntries(clean),
    PATH: [join(dir, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  }
  const run = (inputs: Readonly<Record<string, string>>) =>
    runAction(join(packageDir, 'action.yml'), inputs, workspace, env)
  return { workspace, calls, run }
}

const skip = process.platform === 'win32' ? 'the stand-in of npm is a shell script' : false

test('the action builds what it is, checks the checkout, and annotates from the root of the repository', {
  skip,
}, async (t) => {
  const { calls, run } = await checkout(t, { 'plc/my line/Scale.scl': scale })
  const whole = await run({})
  assert.deepEqual([whole.code, whole.stderr, whole.steps], [0, '', ['Build Gantry', 'Check']])
  assert.match(whole.stdout, /^::warning file=plc\/my line\/Scale\.scl,line=9,col=\d,title=case-without-else::/m)
  assert.deepEqual((await readFile(calls, 'utf8')).trim().split('\n'), [
    `${packageDir}: ci`.replace(/\/: /, ': '),
    `${packageDir}: run build`.replace(/\/: /, ': '),
  ])
  const part = await run({ folder: 'plc/my line' })
  assert.match(part.stdout, /^::warning file=plc\/my line\/Scale\.scl,/m)
})

test('gantry.yml decides what fails, unless the workflow does', { skip }, async (t) => {
  const { run } = await checkout(t, { 'plc/Scale.scl': scale, 'plc/gantry.yml': 'failOn: warning\n' })
  assert.equal((await run({ folder: 'plc' })).code, 1)
  assert.equal((await run({ folder: 'plc', 'fail-on': 'error' })).code, 0)
  assert.equal((await run({ folder: 'plc', 'fail-on': 'never' })).code, 0)
  assert.equal((await run({ folder: 'plc', 'fail-on': 'information' })).code, 1)
  assert.equal((await run({ folder: 'plc', 'fail-on': 'sometimes' })).code, 2)
})

test('a report of the action is for the next step: its paths and its mode', { skip }, async (t) => {
  const { workspace, run } = await checkout(t, { 'plc/Scale.scl': scale })
  const { code, stdout } = await run({ folder: 'plc', format: 'sarif', out: 'a report.sarif' })
  assert.deepEqual([code, stdout], [0, ''])
  const file = join(workspace, 'a report.sarif')
  assert.equal((await stat(file)).mode & 0o777, 0o666 & ~process.umask())
  const [log] = JSON.parse(await readFile(file, 'utf8')).runs
  const paths = log.results.map(
    (one: { locations: { physicalLocation: { artifactLocation: object } }[] }) =>
      one.locations[0]?.physicalLocation.artifactLocation,
  )
  assert.ok(paths.length > 0)
  for (const one of paths) assert.deepEqual(one, { uri: 'plc/Scale.scl', uriBaseId: '%SRCROOT%' })
  assert.equal(log.originalUriBaseIds['%SRCROOT%'].uri, undefined)
})
