/** A process that jobs and plugins end, block or throw into, as a user sees it. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { until } from '../../test/until.ts'
import { packageDir } from '../boot/running-code.ts'

const stuckPlugins = fileURLToPath(new URL('../jobs/fixtures/stuck-plugins', import.meta.url))
/** The sources, as a plugin outside the repository is loaded: its errors are told by their place in its folder. */
const stuckSources = join(packageDir, 'core/jobs/fixtures/stuck-plugins')

async function makeDir(t: TestContext) {
  return temporaryFolder(t, 'gantry-stuck-')
}

function start(t: TestContext, args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [...commandLine, ...args], {
    env: { ...process.env, GANTRY_NO_INSTANCE: '1' },
  })
  t.after(() => child.kill('SIGKILL'))
  const out = { text: '' }
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text) => {
      out.text += text
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, out, ended }
}

async function serve(t: TestContext, dir: string, plugins: string, ...args: string[]) {
  const run = start(t, ['serve', '--data-dir', dir, '--port', '0', '--plugins-dir', plugins, ...args])
  let isOver = false
  void run.ended.then(() => {
    isOver = true
  })
  await until(() => isOver || run.out.text.includes('data directory'), 'it has started')
  const url = /http:\/\/[\d.:]+/.exec(run.out.text)?.[0]
  const request = async <T>(method: string, path: string): Promise<T> => {
    const headers = { 'x-api-key': (await readFile(join(dir, 'api-key'), 'utf8')).trim() }
    const response = await fetch(`${url}/api/${path}`, { method, headers })
    return (await response.json()) as T
  }
  return { ...run, request }
}

type Job = { jobId: string; status: string; error?: { code: string } }

test('a job that ends the process runs once more, then has failed; held, it waits, and jobs drop ends it', async (t) => {
  const dir = await makeDir(t)
  const first = await serve(t, dir, stuckPlugins)
  const { jobId } = await first.request<Job>('POST', 'stuck/exit').catch(() => ({ jobId: undefined }))
  assert.equal(await first.ended, 70)

  const held = await serve(t, dir, stuckPlugins, '--hold-jobs')
  const { jobs } = await held.request<{ jobs: Job[] }>('GET', 'jobs')
  assert.deepEqual(
    jobs.map(({ status }) => status),
    ['Pending'],
  )
  if (jobId) assert.equal(jobs[0]!.jobId, jobId)
  const health = await held.request<{ status: string; reasons: string[] }>('GET', 'health')
  assert.equal(health.status, 'degraded')
  assert.match(health.reasons.join(), /1 of an earlier run are held/)
  assert.deepEqual(await held.request('POST', 'stuck/mark'), { marks: ['early'] }, 'new commands run')
  held.child.kill('SIGTERM')
  assert.equal(await held.ended, 0)

  const trial = start(t, ['jobs', 'drop', '--dry-run', '--data-dir', dir])
  assert.equal(await trial.ended, 0)
  assert.equal(JSON.parse(trial.out.text).wouldDrop[0].jobId, jobs[0]!.jobId)
  const other = await makeDir(t)
  await cp(dir, other, { recursive: true })

  const second = await serve(t, dir, stuckPlugins)
  assert.equal(await second.ended, 70, 'it runs again')
  const third = await serve(t, dir, stuckPlugins)
  const failed = await third.request<Job>('GET', `jobs/${jobs[0]!.jobId}`)
  assert.deepEqual([failed.status, failed.error?.code], ['Failed', 'job_interrupted'])
  third.child.kill('SIGTERM')
  await third.ended

  const wrong = start(t, ['jobs', 'drop', 'J1-none', '--data-dir', other])
  assert.equal(await wrong.ended, 1)
  assert.match(wrong.out.text, /J1-none/)
  const drop = start(t, ['jobs', 'drop', '--data-dir', other])
  assert.equal(await drop.ended, 0)
  const { dropped, left } = JSON.parse(drop.out.text)
  assert.deepEqual([dropped.length, dropped[0].command, dropped[0].status, left], [1, 'stuck.exit', 'Cancelled', 0])
  const without = await serve(t, other, stuckPlugins)
  assert.equal((await without.request<Job>('GET', `jobs/${dropped[0].jobId}`)).status, 'Cancelled')
  without.child.kill('SIGTERM')
  assert.equal(await without.ended, 0)
})

test('an endless loop is ended by the watchdog, which names the job and the place', async (t) => {
  const dir = await makeDir(t)
  // Long enough for a slow machine to start and to take the request.
  const run = await serve(t, dir, stuckSources, '--watchdog', '5')
  void run.request('POST', 'stuck/loop').catch(() => undefined)
  assert.equal(await run.ended, 7)
  const line = run.out.text.split('\n').find((text) => text.includes('was blocked'))!
  const { msg, stack } = JSON.parse(line)
  assert.match(msg, /blocked for 5 s during job J\S+, operation stuck\.loop of plugin stuck: .*exit code 7/)
  assert.match(stack[0], /^loopForEver \(.*stuck-plugins\/stuck\/index\.ts:/)
  assert(!(await readdir(dir)).includes('gateway.json'), 'it ended in order')
})

test('a plugin that loops while it is loaded is named', async (t) => {
  const dir = await makeDir(t)
  await mkdir(join(dir, 'plugins/loops'), { recursive: true })
  await writeFile(join(dir, 'plugins/loops/index.mjs'), 'for (;;);')
  const run = await serve(t, join(dir, 'data'), join(dir, 'plugins'), '--watchdog', '5')
  assert.equal(await run.ended, 7)
  assert.match(run.out.text, /during the start: .*/)
  assert.match(run.out.text, /plugins\/loops\/index\.mjs:1/)
})

test('a plugin that throws in a timer or a promise of its own is named, and the gateway goes on', async (t) => {
  const dir = await makeDir(t)
  const run = await serve(t, dir, stuckSources)
  await run.request('POST', 'stuck/throw-later')
  for (const told of ['thrown in a timer', 'rejected in the background'])
    await until(() => run.out.text.includes(told), `"${told}" is told`)
  assert.deepEqual(await run.request('POST', 'stuck/mark'), { marks: ['early'] })
  const { plugins } = await run.request<{ plugins: { skipped: { name: string; reason: string }[] } }>(
    'GET',
    'health/diagnostics',
  )
  assert.equal(plugins.skipped[0]!.name, 'stuck')
  assert.match(plugins.skipped[0]!.reason, /threw where nobody catches it: .*stuck\/index\.ts:\d+/)
  run.child.kill('SIGTERM')
  assert.equal(await run.ended, 0)
})

test('a plugin that throws while others are loaded, or after it was skipped, does not end the gateway', async (t) => {
  const dir = await makeDir(t)
  const plugins = join(dir, 'plugins')
  const write = async (name: string, text: string) => {
    await mkdir(join(plugins, name), { recursive: true })
    await writeFile(join(plugins, name, 'index.mjs'), text)
  }
  const throwing = (what: string) => `setTimeout(() => { throw new Error('${what}') }, 0)\n`
  const plugin = (name: string) =>
    `export default ({ definePlugin }) => definePlugin({ name: '${name}', version: '1.0.0' })\n`
  await write('hasty', throwing('thrown in the start') + plugin('hasty'))
  // It is loaded until the other one has thrown.
  await write('slow', `await new Promise((done) => setTimeout(done, 300))\n${plugin('slow')}`)
  await write('refused', `setInterval(() => { throw new Error('thrown by a skipped one') }, 400)\nexport default 1\n`)
  const run = await serve(t, join(dir, 'data'), plugins)
  for (const told of ['thrown in the start', 'thrown by a skipped one'])
    await until(() => run.out.text.includes(told), `"${told}" is told`)
  const health = await run.request<{ plugins: { skipped: { name: string; reason: string }[] } }>(
    'GET',
    'health/diagnostics',
  )
  const reasons = new Map(health.plugins.skipped.map(({ name, reason }) => [name, reason]))
  assert.match(reasons.get('hasty')!, /threw where nobody catches it: .*thrown in the start/)
  assert.ok(reasons.has('refused'))
  run.child.kill('SIGTERM')
  assert.equal(await run.ended, 0)
})
