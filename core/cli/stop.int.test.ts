/** How gateways end: `gantry stop`, and the signals of a terminal and a console window. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { commandLine } from '../../test/command-line.ts'
import { counterPlugins } from '../../test/mcp.ts'
import { until } from '../../test/until.ts'

interface Started {
  readonly child: ChildProcess
  readonly out: { text: string }
  readonly ended: Promise<number | null>
}

/** Processes that this file has started and that have not ended. */
const running = new Set<Started>()

/** A folder that goes after the test, and the processes before it: Windows removes no file that one has open. */
async function makeDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-stop-'))
  t.after(async () => {
    const left = [...running]
    for (const { child } of left) child.kill('SIGKILL')
    await Promise.all(left.map(({ ended }) => ended))
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  })
  return dir
}

/** @param flags of Node, before the command line's own */
function start(args: readonly string[], flags: readonly string[] = []): Started {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GANTRY_'))
  const child = spawn(process.execPath, [...flags, ...commandLine, ...args], {
    env: { ...(Object.fromEntries(kept) as Record<string, string>), GANTRY_NO_INSTANCE: '1' },
  })
  const out = { text: '' }
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text) => {
      out.text += text
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const started = { child, out, ended }
  running.add(started)
  void ended.then(() => running.delete(started))
  return started
}

async function serve(dir: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const run = start(['serve', '--data-dir', dir, '--port', '0', '--plugins-dir', counterPlugins, ...args], flags)
  let isOver = false
  void run.ended.then(() => {
    isOver = true
  })
  await until(() => isOver || run.out.text.includes('gateway started'), 'it has started')
  assert(!isOver, run.out.text)
  const url = /http:\/\/[\d.:]+/.exec(run.out.text)![0]
  const headers = { 'x-api-key': (await readFile(join(dir, 'api-key'), 'utf8')).trim() }
  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const json = body && { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await (await fetch(`${url}/api/${path}`, { method, headers, ...json })).json()) as T
  }
  return { ...run, url, request }
}

async function stop(args: readonly string[]) {
  const { ended, out } = start(['stop', ...args])
  return { code: await ended, text: out.text }
}

test('gantry stop ends a gateway in order and waits for it; then there is none, and a start has its data', async (t) => {
  const dir = await makeDir(t)
  const first = await serve(dir)
  await first.request('POST', 'counter/a/actions/add-sync', { by: 3 })
  const done = await stop(['--data-dir', dir])
  assert.equal(done.code, 0, done.text)
  assert.deepEqual(JSON.parse(done.text), { stopped: first.url, pid: first.child.pid, forced: false })
  // The command has waited until the process was gone: what it leaves behind is whole.
  assert.equal(existsSync(join(dir, 'gateway.json')), false)
  assert.equal(await first.ended, 0)
  const none = await stop(['--data-dir', dir])
  assert.equal(none.code, 3)
  assert.match(none.text, /No gateway runs on/)

  const second = await serve(dir)
  assert.doesNotMatch(second.out.text, /note:/, 'nothing had to be made good')
  assert.equal((await second.request<{ value: number }>('GET', 'counter/a')).value, 3)
  const { entries } = await second.request<{ entries: { type: string; actor: string; data: { command?: string } }[] }>(
    'GET',
    'audit?limit=100',
  )
  const accepted = entries.find(({ data }) => data.command === 'system.stop')
  assert.match(accepted!.actor, /^admin/)
  assert(entries.some(({ type }) => type === 'gateway.stopped'))
  const byUrl = await stop(['--data-dir', dir, '--url', second.url])
  assert.equal(byUrl.code, 0, byUrl.text)
  assert.deepEqual(JSON.parse(byUrl.text), { stopped: second.url, forced: false })
  assert.equal(await second.ended, 0)
})

test('gantry stop is refused for a key of lower access, and for wrong options', async (t) => {
  const dir = await makeDir(t)
  const run = await serve(dir)
  const entry = { name: 'reader', access: 'operator', key: 'gty_of_an_operator' }
  await run.request('PATCH', 'settings', { security: { apiKeys: { add: [entry] } } })
  const refused = await stop(['--data-dir', dir, '--key', entry.key, '--force'])
  assert.equal(refused.code, 4, 'force does not help')
  assert.match(refused.text, /forbidden/)
  for (const [args, text] of [
    [['--timeout', 'soon'], /--timeout must be a number/],
    [['--url', run.url, '--force'], /--force ends the process of a data directory/],
  ] as const) {
    const wrong = await stop(['--data-dir', dir, ...args])
    assert.equal(wrong.code, 2)
    assert.match(wrong.text, text)
  }
  const trial = await run.request<{ result: object }>('POST', 'system/actions/stop', { dryRun: true })
  assert.deepEqual(trial.result, { stopping: false, pid: run.child.pid })
  assert.deepEqual((await run.request<{ status: string }>('GET', 'health/ping')).status, 'ok')
  assert.equal((await stop(['--data-dir', dir])).code, 0)
  assert.equal(await run.ended, 0)
})

/** A module that does something in the gateway's process when a file appears: what no other process can send it. */
async function whenAsked(dir: string, what: string) {
  const file = join(dir, 'asked')
  const module = join(dir, 'preload.mjs')
  const text = `import { existsSync } from 'node:fs'
const timer = setInterval(() => {
  if (!existsSync(${JSON.stringify(file)})) return
  clearInterval(timer)
  ${what}
}, 20)
timer.unref()
`
  await writeFile(module, text)
  return { flags: ['--import', pathToFileURL(module).href], ask: () => writeFile(file, '') }
}

test('a gateway that does not answer is ended with --force only, and starts again with its data', async (t) => {
  const dir = await makeDir(t)
  const other = await makeDir(t)
  const { flags, ask } = await whenAsked(other, 'for (;;);')
  const run = await serve(dir, ['--watchdog', '0'], flags)
  await run.request('POST', 'counter/a/actions/add-sync', { by: 5 })
  await ask()
  await until(async () => {
    const answer = fetch(`${run.url}/api/health/ping`, { signal: AbortSignal.timeout(200) })
    return answer.then(
      () => false,
      () => true,
    )
  }, 'it is blocked')
  const without = await stop(['--data-dir', dir, '--timeout', '1'])
  assert.equal(without.code, 3)
  assert.match(without.text, /is not stopped\. .*cannot be reached.*gantry stop --force/s)
  const forced = await stop(['--data-dir', dir, '--timeout', '0', '--force'])
  assert.equal(forced.code, 0, forced.text)
  assert.deepEqual(JSON.parse(forced.text), { stopped: run.url, pid: run.child.pid, forced: true })
  await run.ended
  const again = await serve(dir)
  assert.equal((await again.request<{ value: number }>('GET', 'counter/a')).value, 5)
  assert.equal((await stop(['--data-dir', dir])).code, 0)
})

test('a process that has the id of a gateway of before is left alone', async (t) => {
  const dir = await makeDir(t)
  const run = await serve(dir)
  const file = join(dir, 'gateway.json')
  const told = await readFile(file, 'utf8')
  assert.equal((await stop(['--data-dir', dir])).code, 0)
  await run.ended
  // This test's own process stands for the other program.
  await writeFile(file, JSON.stringify({ ...JSON.parse(told), pid: process.pid }))
  const refused = await stop(['--data-dir', dir, '--timeout', '1', '--force'])
  assert.equal(refused.code, 5, refused.text)
  assert.match(refused.text, /is no gateway of it, and was left alone/)
})

test('Ctrl+Break, the closing of a console window and a message of the parent end a gateway in order', async (t) => {
  const ways = [
    "process.emit('SIGBREAK', 'SIGBREAK')",
    "process.emit('SIGHUP', 'SIGHUP')",
    "process.emit('message', 'shutdown')",
  ]
  for (const way of ways) {
    const dir = await makeDir(t)
    const { flags, ask } = await whenAsked(await makeDir(t), way)
    const run = await serve(dir, [], flags)
    await ask()
    assert.equal(await run.ended, 0, way)
    assert.match(run.out.text, /shutting down/)
    assert.equal(existsSync(join(dir, 'gateway.json')), false)
  }
})

test('gantry mcp, which is a gateway itself, ends in order by gantry stop and by Ctrl+Break', async (t) => {
  for (const way of ['stop', 'break'] as const) {
    const dir = await makeDir(t)
    const { flags, ask } = await whenAsked(await makeDir(t), "process.emit('SIGBREAK', 'SIGBREAK')")
    const run = start(['mcp', '--data-dir', dir], flags)
    await until(() => existsSync(join(dir, 'gateway.json')), 'it listens')
    if (way === 'stop') {
      const { code, text } = await stop(['--data-dir', dir])
      assert.equal(code, 0, text)
      assert.equal(JSON.parse(text).pid, run.child.pid)
    } else await ask()
    assert.equal(await run.ended, 0, run.out.text)
    assert.equal(existsSync(join(dir, 'gateway.json')), false)
  }
})

test('gantry stop ends a gateway that is started again with its plugins, and who watches them', async (t) => {
  const dir = await makeDir(t)
  const run = await serve(dir, ['--watch'])
  const { code, text } = await stop(['--data-dir', dir])
  assert.equal(code, 0, text)
  assert.notEqual(JSON.parse(text).pid, run.child.pid)
  assert.equal(await run.ended, 0)
})
