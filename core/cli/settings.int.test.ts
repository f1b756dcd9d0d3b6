/** Settings by the environment and by the command line, as a user gives them. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { launcher } from '../../test/built.ts'
import { temporaryFolder } from '../../test/folder.ts'

type Env = Record<string, string>

/** The caller's environment must not influence the tests. */
function environment(more: Env): Env {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$)/.test(name))
  return { ...(Object.fromEntries(kept) as Env), GANTRY_NO_INSTANCE: '1', ...more }
}

function run(args: readonly string[], env: Env): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [launcher, ...args], { env: environment(env) }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

/** Starts a gateway and ends it with the test; `stop` ends it sooner. */
async function serve(t: TestContext, dir: string, env: Env) {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', '--data-dir', dir], {
    env: environment(env),
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  t.after(stop)
  let banner = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    banner += text
    if (banner.includes('api-key there')) break
  }
  child.stdout.resume()
  const gantry = (...args: string[]) => run(args, { GANTRY_DATA_DIR: dir })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await gantry('settings', ...args)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  return { banner, stop, gantry, json }
}

test('one setting, one host and one key are changed by a command each; the environment wins and is not changed', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-settings-')
  const first = await serve(t, dir, {
    GANTRY_LIMITS_BODY_BYTES: '100000',
    GANTRY_SECURITY_ALLOWED_ORIGINS: 'https://a.example, https://b.example',
    GANTRY_LIMITS_UPLOADBYTES: '1',
  })
  assert.match(first.banner, /settings from the environment: GANTRY_LIMITS_BODY_BYTES, GANTRY_SECURITY_ALLOWED_ORIGINS/)
  assert.match(first.banner, /GANTRY_LIMITS_UPLOADBYTES is not known .* did you mean GANTRY_LIMITS_UPLOAD_BYTES\?/)
  const { json, gantry } = first
  assert.equal(await json('set', 'limits.pendingJobs', '77'), 77)
  assert.deepEqual(await json('add', 'security.allowedHosts', 'a.example', 'b.example'), ['a.example', 'b.example'])
  assert.deepEqual(await json('remove', 'security.allowedHosts', 'a.example'), ['b.example'])
  const { key } = await json('add-key', 'ci', '--access', 'viewer')
  assert.match(key, /^gty_.{30,}/)
  const all = await json('get')
  assert.equal(all.limits.bodyBytes, 100_000)
  assert.deepEqual(all.security.allowedOrigins, ['https://a.example', 'https://b.example'])
  assert.deepEqual(all.setByEnvironment, {
    'limits.bodyBytes': 'GANTRY_LIMITS_BODY_BYTES',
    'security.allowedOrigins': 'GANTRY_SECURITY_ALLOWED_ORIGINS',
  })
  const refused = await gantry('settings', 'set', 'limits.bodyBytes', '200000')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /limits\.bodyBytes is given by the environment \(GANTRY_LIMITS_BODY_BYTES\)/)
  // What is read can be sent back, and what the environment gives is not saved by it.
  assert.equal((await gantry('call', 'settings.save', '--json', JSON.stringify(all))).code, 0)
  for (const [args, told] of [
    [['set', 'limits.pendingJobs', 'many'], /\/limits\/pendingJobs: must be integer/],
    [['set', 'limits.nothing', '1'], /There is no setting limits\.nothing.*limits\.bodyBytes/],
    [['add', 'limits.pendingJobs', '1'], /is not a list/],
    [['add-key', 'x', '--access', 'root'], /viewer, engineer, operator, admin/],
  ] as const) {
    const { code, stderr } = await gantry('settings', ...args)
    assert.equal(code, 2, stderr)
    assert.match(stderr, told)
  }
  const asViewer = await run(['settings', 'get'], { GANTRY_DATA_DIR: dir, GANTRY_API_KEY: key })
  assert.equal(asViewer.code, 4, asViewer.stderr)
  await first.stop()

  const second = await serve(t, dir, {})
  assert.doesNotMatch(second.banner, /environment|not known/)
  const saved = await second.json('get')
  assert.deepEqual([saved.limits.bodyBytes, saved.limits.pendingJobs], [50 * 1024 * 1024, 77])
  assert.deepEqual([saved.security.allowedOrigins, saved.security.allowedHosts], [[], ['b.example']])
  assert.equal(saved.setByEnvironment, undefined)
})

test('a wrong setting in the environment ends the start and is named', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-settings-')
  const { code, stderr } = await run(['serve', '--port', '0', '--data-dir', dir], {
    GANTRY_LIMITS_BODY_BYTES: '10',
    GANTRY_ENGINEERING_DEFAULT_VERSION: 'V9',
    GANTRY_ENGINEERING_LAUNCH_INSTANCE: 'maybe',
  })
  assert.equal(code, 2)
  assert.match(stderr, /GANTRY_LIMITS_BODY_BYTES must be >= 65536/)
  assert.match(stderr, /GANTRY_ENGINEERING_DEFAULT_VERSION must be one of V16/)
  assert.match(stderr, /GANTRY_ENGINEERING_LAUNCH_INSTANCE must be boolean/)
  const outside = await run(['serve', '--port', '0', '--data-dir', dir], { GANTRY_ENGINEERING_GSD_FOLDER: '../out' })
  assert.equal(outside.code, 2)
  assert.match(outside.stderr, /GANTRY_ENGINEERING_GSD_FOLDER: "\.\.\/out" is outside the workspace/)
})
