/** The command line as a user runs it: child processes on temporary data directories. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { launcher, root } from '../../test/built.ts'
import { commandLine } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { counterPlugins, textOf } from '../../test/mcp.ts'
import { until } from '../../test/until.ts'
import { runningModule } from '../boot/running-code.ts'

/** The caller's environment must not influence the tests. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GANTRY_') && name !== 'NODE_OPTIONS')
  return { ...(Object.fromEntries(kept) as Record<string, string>), GANTRY_NO_INSTANCE: '1', ...more }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], env: Record<string, string> = {}, stdin = ''): Promise<Ended> {
  const child = spawn(process.execPath, [...commandLine, ...args], { cwd: root, env: environment(env) })
  child.stdin.end(stdin)
  return ended(child)
}

function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

/** Two processes at a time. */
async function inPairs(checks: readonly (() => Promise<void>)[]): Promise<void> {
  for (let n = 0; n < checks.length; n += 2) await Promise.all(checks.slice(n, n + 2).map((check) => check()))
}

function makeDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-cli-')
}

/** `gantry serve` on a free port; the end of the test stops it. */
async function serve(t: TestContext, dataDir: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [...commandLine, 'serve', '--data-dir', dataDir, '--port', '0', '--plugins-dir', counterPlugins, ...args],
    { cwd: root, env: environment(env) },
  )
  t.after(() => child.kill('SIGKILL'))
  const end = ended(child)
  let banner = ''
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: string) => {
      banner += text
      if (banner.includes('data directory')) resolve()
    })
  })
  await Promise.race([
    started,
    end.then(({ code, stderr }) => {
      throw new Error(`serve ended with ${code}: ${stderr}`)
    }),
  ])
  const url = /http:\/\/[\d.:]+/.exec(banner)![0]
  const live = { GANTRY_DATA_DIR: dataDir }
  return { child, end, url, live, banner: () => banner }
}

test('serve tells address and new key once, answers, and ends in order', async (t) => {
  const dir = await makeDir(t)
  const first = await serve(t, dir)
  const key = /gty_[\w-]+/.exec(first.banner())![0]
  assert.equal((await readFile(join(dir, 'api-key'), 'utf8')).trim(), key)
  assert.equal((await stat(join(dir, 'gateway.json'))).mode & 0o777, 0o600)
  assert.equal((await fetch(`${first.url}/mcp/info`)).status, 401)
  assert.equal((await fetch(`${first.url}/mcp/info`, { headers: { 'x-api-key': key } })).status, 200)
  first.child.kill('SIGTERM')
  assert.equal((await first.end).code, 0)
  assert(!(await readdir(dir)).includes('gateway.json'))
  const second = await serve(t, dir, [], { GANTRY_API_KEY: 'gty_mine' })
  assert.doesNotMatch(second.banner(), /gty_/)
  for (const known of [key, 'gty_mine'])
    assert.equal((await fetch(`${second.url}/mcp/info`, { headers: { authorization: `Bearer ${known}` } })).status, 200)
  second.child.kill('SIGINT')
  const { code, stderr } = await second.end
  assert.equal(code, 0)
  for (const line of stderr.trim().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string')
  assert.doesNotMatch(stderr, /gty_/)
})

test('serve says what is in its way: the port, the directory, a wrong value', async (t) => {
  const dir = await makeDir(t)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const onTaken = await run(['serve', '--data-dir', dir, '--port', String(port)])
  assert.equal(onTaken.code, 6)
  assert.match(onTaken.stderr, new RegExp(`Port ${port} .*is taken`))
  const { live } = await serve(t, dir)
  const locked = await run(['serve', '--port', '0'], live)
  assert.equal(locked.code, 5)
  assert.match(locked.stderr, /is in use\. The gateway at http:\/\/127\.0\.0\.1:\d+ \(process \d+\)/)
  for (const [args, env, message] of [
    [['--port', '70000'], {}, /--port must be a number from 0 to 65535, not "70000"/],
    [[], { GANTRY_PORT: 'x' }, /GANTRY_PORT must be a number/],
    [['--durability', 'none'], {}, /--durability must be one of fsync, os, not "none"/],
    [['--prot', '1'], {}, /unknown option '--prot'/],
    [['extra'], {}, /too many arguments/],
  ] as const) {
    const wrong = await run(['serve', '--data-dir', dir, ...args], env)
    assert.equal(wrong.code, 2, args.join(' '))
    assert.match(wrong.stderr, message)
  }
})

test('help is printed and is no error; no command, or one that there is not, is', async () => {
  const { code, stdout } = await run(['audit', 'verify', '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /^Usage: gantry audit verify [\s\S]*Exit codes:/)
  assert.match((await run(['serve', '--help'])).stdout, /--workspace <dir\.\.\.>[\s\S]*GANTRY_WORKSPACE/)
  assert.equal((await run([])).code, 2)
  assert.equal((await run(['sreve'])).code, 2)
  const launched = await ended(spawn(process.execPath, [launcher, '--version'], { env: environment() }))
  assert.match(launched.stdout, /^\d+\.\d+\.\d+/)
})

test('call runs operations: fields by their schema, JSON, files, dry runs, jobs, problems', async (t) => {
  const dir = await makeDir(t)
  const { live } = await serve(t, dir)
  const call = (...args: string[]) => run(['call', ...args], live)
  const added = await call('counter.add', 'name=7', 'by=2')
  assert.deepEqual([added.code, JSON.parse(added.stdout)], [0, { name: '7', value: 2 }])
  assert.deepEqual(JSON.parse((await call('counter.get', 'Name=7')).stdout), { name: '7', value: 2 })
  assert.deepEqual(
    JSON.parse((await call('counter.add', '--json', '{"name":"7"}', 'by:=3', '--dry-run')).stdout).result,
    { name: '7', value: 5 },
  )
  const piped = await run(['call', 'counter.add', '--json', '-'], live, '{"name":"7","by":10}')
  assert.deepEqual(JSON.parse(piped.stdout), { name: '7', value: 12 })
  const file = join(dir, 'upload.txt')
  await writeFile(file, 'grün')
  assert.deepEqual(JSON.parse((await call('counter.take-file', `file=@${file}`)).stdout), {
    fileName: 'upload.txt',
    size: 5,
    text: 'grün',
  })
  const slow = await call('counter.add-then', 'name=s', 'after=sleep', 'ms=3000')
  assert.deepEqual([slow.code, JSON.parse(slow.stdout).name], [0, 's'])
  const job = JSON.parse((await call('counter.add-then', 'name=s', 'after=large', '--async')).stdout)
  assert.match(job.jobId, /^J/)
  assert.equal(JSON.parse((await call('jobs.get', `jobId=${job.jobId}`, 'wait=20')).stdout).result.text.length, 200_000)

  const checks: (() => Promise<void>)[] = []
  for (const [args, code, message] of [
    [['counter.get', 'name=none'], 1, /^gantry: not_found: There is no counter "none"/],
    [['counter.add', 'name=a', 'by=x'], 2, /invalid_input: \/by: must be integer[\s\S]*found "x"/],
    [['counter.add', 'by=1'], 2, /The field "name" is missing/],
    [['counter.ad', 'name=a'], 2, /Did you mean counter\.add/],
    [['counter.add-then', 'name=a', 'after=fail'], 1, /unacceptable_content: It fails as asked[\s\S]*line 1/],
    [['counter.add-then', 'name=a', 'after=throw'], 1, /internal_error/],
    [['counter.get', 'name=7', '--dry-run'], 2, /is a query; only commands can be tried/],
    [['counter.add', 'name'], 2, /neither name=value/],
    [['counter.add', '--json', '[1]'], 2, /must be an object/],
    [['counter.add', '--json', '{'], 2, /is not JSON/],
    [['counter.take-file', 'file=@/no/such/file'], 2, /cannot be read \(ENOENT\)/],
    [['mcp.info', '--key', 'gty_wrong'], 4, /unauthorized/],
    [['mcp.info', '--url', 'http://127.0.0.1:9'], 3, /cannot be reached/],
    [['mcp.info', '--url', 'nowhere'], 2, /is not an address/],
  ] as const) {
    checks.push(async () => {
      const answer = await call(...args)
      assert.equal(answer.code, code, `${args.join(' ')}: ${answer.stderr}`)
      assert.match(answer.stderr, message)
      assert.equal(answer.stdout, '')
    })
  }
  await inPairs(checks)
  const nowhere = await run(['call', 'mcp.info'], { GANTRY_DATA_DIR: join(dir, 'none') })
  assert.equal(nowhere.code, 3)
  assert.match(nowhere.stderr, /No gateway runs on .*none/)

  const operations = await run(['operations', 'counter', 'RAISE'], live)
  const ids = operations.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[0])
  assert(ids.includes('counter.add') && ids.includes('counter.add-then') && !ids.includes('counter.get'))
  const nothing = await run(['operations', 'zzz'], live)
  assert.deepEqual([nothing.code, nothing.stdout, nothing.stderr], [1, '', 'gantry: No operation has these words.\n'])
  const none = await run(['operations', '--json', 'zzz'], live)
  assert.deepEqual([none.code, JSON.parse(none.stdout)], [0, { operations: [], total: 0 }])
  assert.deepEqual(JSON.parse((await run(['operations', '--json', 'Read', ' a  counter'], live)).stdout), {
    operations: [{ operation: 'counter.get', kind: 'query', title: 'Read a counter', access: 'viewer' }],
    total: 1,
  })
  assert.match(
    (await run(['operations'], live)).stdout,
    /^alarms\.acknowledge /,
    'routes that are no operations are not listed',
  )
  assert.match((await run(['call', 'counter.ad'], live)).stderr, /Did you mean counter\.add\?/)
})

test('Ctrl+C cancels the job that is waited for', async (t) => {
  const dir = await makeDir(t)
  const { live } = await serve(t, dir)
  const child = spawn(
    process.execPath,
    [...commandLine, 'call', 'counter.add-then', 'name=c', 'after=sleep', 'ms=60000'],
    {
      cwd: root,
      env: environment(live),
    },
  )
  t.after(() => child.kill('SIGKILL'))
  const end = ended(child)
  const jobs = async () =>
    JSON.parse((await run(['call', 'jobs.list', 'command=counter.add-then'], live)).stdout).jobs as { status: string }[]
  await until(async () => (await jobs())[0]?.status === 'Running', 'the job runs')
  child.kill('SIGINT')
  assert.equal((await end).code, 130)
  assert.equal((await jobs())[0]!.status, 'Cancelled')
})

test('audit, replay and recover, with a gateway and without one', async (t) => {
  const dir = await makeDir(t)
  const env = { GANTRY_DATA_DIR: dir, GANTRY_PLUGINS_DIR: counterPlugins }
  const { child, end } = await serve(t, dir)
  await run(['call', 'counter.add', 'name=a'], env)
  await run(['call', 'counter.add', 'name=a'], env)
  const look = async () => {
    const verified = await run(['audit', 'verify', '--whole'], env)
    assert.deepEqual([verified.code, JSON.parse(verified.stdout).ok], [0, true])
    const exported = await run(['audit', 'export', '--operation', 'counter.add', '--types', 'job.accepted'], env)
    assert.equal(
      exported.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).operation)
        .join(),
      'counter.add,counter.add',
    )
    const file = join(dir, 'audit.ndjson')
    await rm(file, { force: true })
    assert.equal((await run(['audit', 'export', '--out', file, '--session', '1'], env)).code, 0)
    assert(
      (await readFile(file, 'utf8'))
        .trim()
        .split('\n')
        .every((line) => JSON.parse(line).seq > 0),
    )
    const whole = join(dir, 'whole.ndjson')
    await rm(whole, { force: true })
    const exportedWhole = await run(['audit', 'export', '--out', whole], env)
    const [, expected = ''] = /the last record is (\d+:[0-9a-f]{64})/.exec(exportedWhole.stderr) ?? []
    const checked = await run(['audit', 'verify', whole, '--expect', expected])
    assert.deepEqual([checked.code, JSON.parse(checked.stdout).ok], [0, true], checked.stderr)
    assert.equal((await run(['audit', 'verify', '--expect', expected], env)).code, 0)
    const other = expected.replace(/:./, (start) => (start === ':0' ? ':1' : ':0'))
    const pinned = await run(['audit', 'verify', '--expect', other], env)
    assert.deepEqual([pinned.code, JSON.parse(pinned.stdout).faults[0].kind], [5, 'not-as-expected'])
    await writeFile(whole, (await readFile(whole, 'utf8')).replace('"counter.add"', '"counter.bad"'))
    assert.equal((await run(['audit', 'verify', whole])).code, 5)
    const sessions = JSON.parse((await run(['audit', 'sessions', '--json'], env)).stdout)
    assert.deepEqual(
      [sessions.total, sessions.sessions[0].session, sessions.sessions[0].jobs],
      [1, 1, 5],
      'two counts and three verifications',
    )
    assert.match((await run(['audit', 'sessions'], env)).stdout, /^SESSION +STARTED[\s\S]*\n1 +20/)
  }
  await look()
  const refused = await run(['recover', '--accept-loss'], env)
  assert.equal(refused.code, 5)
  child.kill('SIGTERM')
  assert.equal((await end).code, 0)
  await look()
  const replayed = await run(['replay', 'last'], env)
  assert.equal(replayed.code, 0, replayed.stderr)
  const { jobs, same, differenceCount } = JSON.parse(replayed.stdout)
  // The verifications are jobs too; they look at the log itself and are not run again.
  assert.deepEqual([jobs, same, differenceCount], [5, 2, 0])
  for (const [args, code] of [
    [['replay', '99'], 1],
    [['replay', 'x'], 2],
    [['audit', 'export', '--from', 'yesterday'], 2],
    [['audit', 'export', '--session', '1', '--out', join(dir, 'nowhere', 'file')], 2],
    [['recover', '--set-aside'], 2],
    [['audit', 'verify', '--expect', '7'], 2],
    [['audit', 'verify', join(dir, 'nowhere')], 2],
  ] as const)
    assert.equal((await run(args, env)).code, code, args.join(' '))
  const unharmed = await run(['recover', '--accept-loss'], env)
  assert.equal(unharmed.code, 0, unharmed.stderr)
  assert.deepEqual([JSON.parse(unharmed.stdout).written, JSON.parse(unharmed.stdout).damaged], [false, []])
  await rm(join(dir, 'store', 'witness'))
  const unwitnessed = await run(['audit', 'verify'], env)
  assert.equal(unwitnessed.code, 0)
  assert.match(JSON.parse(unwitnessed.stdout).notes.join(), /witness is missing/)
  const nothing = await run(['audit', 'verify'], { GANTRY_DATA_DIR: join(dir, 'none') })
  assert.equal(nothing.code, 5)
})

test('a damaged log is reported with the exit code of a damaged directory', async (t) => {
  const dir = await makeDir(t)
  const { child, end, live } = await serve(t, dir)
  for (let n = 0; n < 3; n++) await run(['call', 'counter.add', 'name=a'], live)
  child.kill('SIGKILL')
  await end
  const db = join(dir, 'store', 'db')
  const log = (await readdir(db)).find((name) => name.endsWith('.log'))!
  const bytes = await readFile(join(db, log))
  bytes[Math.floor(bytes.length / 2)]! ^= 0xff
  await writeFile(join(db, log), bytes)
  const verified = await run(['audit', 'verify'], live)
  assert.equal(verified.code, 5, verified.stdout)
  assert.match(verified.stderr, /cannot be opened|has faults/)
  assert.equal((await run(['serve', '--port', '0'], live)).code, 5)
})

/** An SDK client on `gantry mcp`. */
async function connectStdio(t: TestContext, env: Record<string, string>, args: readonly string[] = []) {
  const client = new Client({ name: 'stdio test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...commandLine, 'mcp', ...args],
    cwd: root,
    env: environment(env),
    stderr: 'pipe',
  })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}

test('mcp serves a client by itself, and a second one through the first', async (t) => {
  const dir = await makeDir(t)
  const env = { GANTRY_DATA_DIR: dir, GANTRY_PLUGINS_DIR: counterPlugins }
  const first = await connectStdio(t, env, ['--toolsets', 'counter'])
  const { tools } = await first.listTools()
  assert(tools.some((tool) => tool.name === 'counter_remove'))
  assert.deepEqual((await first.callTool({ name: 'counter_add', arguments: { name: 'a' } })).structuredContent, {
    name: 'a',
    value: 1,
  })
  const second = await connectStdio(t, env)
  assert(!(await second.listTools()).tools.some((tool) => tool.name === 'counter_remove'))
  const progress: number[] = []
  const slept = await second.callTool(
    {
      name: 'call_operation',
      arguments: { operation: 'counter.add-then', input: { name: 'a', after: 'sleep', ms: 100 } },
    },
    undefined,
    {
      onprogress: (p) => progress.push(p.progress),
    },
  )
  assert.equal(slept.isError, undefined, textOf(slept))
  assert(progress.length > 0)
  const { sessions } = JSON.parse((await run(['call', 'mcp.list-sessions'], env)).stdout)
  assert.deepEqual(sessions.map((s: { transport: string }) => s.transport).sort(), ['stdio', 'streamable-http'])
  await second.close()
  const { hash, ...counter } = (await first.callTool({ name: 'counter_get', arguments: { name: 'a' } }))
    .structuredContent as Record<string, unknown>
  assert.match(String(hash), /^[\w-]{22}$/)
  assert.deepEqual(counter, { name: 'a', value: 2 })
  await first.close()
  const verified = await run(['audit', 'verify'], env)
  assert.equal(verified.code, 0, verified.stderr)
})

test('mcp outlives a restart of the gateway it joined', async (t) => {
  const dir = await makeDir(t)
  const served = await serve(t, dir)
  const client = await connectStdio(t, served.live)
  const add = () => client.callTool({ name: 'counter_add', arguments: { name: 'r' } })
  assert.deepEqual((await add()).structuredContent, { name: 'r', value: 1 })
  served.child.kill('SIGTERM')
  await served.end
  await assert.rejects(add(), /The gateway did not answer/)
  await serve(t, dir)
  assert.deepEqual((await add()).structuredContent, { name: 'r', value: 2 })
})

test('mcp refuses an unknown toolset', async (t) => {
  const dir = await makeDir(t)
  const { code, stderr } = await run(['mcp', '--toolsets', 'nope'], { GANTRY_DATA_DIR: dir })
  assert.equal(code, 2)
  assert.match(stderr, /there is no toolset "nope"/)
})

test('a plugin in TypeScript anywhere on the machine gets the gateway that runs, and its tasks run in the engine', async (t) => {
  const dir = await makeDir(t)
  const folder = join(dir, 'plugins/outside')
  await mkdir(folder, { recursive: true })
  const contract = runningModule(new URL('../index.ts', import.meta.url).href)
  await writeFile(
    join(folder, 'index.ts'),
    `import { command, definePlugin, isGatewayError } from ${JSON.stringify(contract)}
import { reasonOf } from './reason.ts'
import { temporaryFolder } from '../../test/folder.ts'
const module = new URL('./twice.task.ts', import.meta.url).href
export default definePlugin({
  name: 'outside',
  version: '1.0.0',
  operations: [
    command({
      id: 'outside.twice',
      title: 'Twice the number',
      http: [{ method: 'POST', path: '/api/outside/twice', mode: 'sync' }],
      mcp: false,
      input: (t) => t.Object({ number: t.Number() }),
      output: (t) => t.Unknown(),
      run: async ({ number }, ctx) => {
        try {
          await ctx.files.read('../../elsewhere')
        } catch (error) {
          return { twice: await ctx.engine.run({ module, fn: 'twice', input: number }), reason: reasonOf(error, isGatewayError) }
        }
      },
    }),
  ],
})
`,
  )
  await writeFile(
    join(folder, 'reason.ts'),
    'export const reasonOf = (error: unknown, known: (e: unknown) => boolean): string => (known(error) ? "known" : "foreign")\n',
  )
  await writeFile(
    join(folder, 'twice.task.ts'),
    'enum Factor {\n  Two = 2,\n}\nexport const twice = (n: number): number => n * Factor.Two\n',
  )
  const dataDir = join(dir, 'data')
  const { child, end } = await serve(t, dataDir, ['--plugins-dir', join(dir, 'plugins')], { GANTRY_NO_INSTANCE: '' })
  const answer = await run(['call', 'outside.twice', 'number=21', '--data-dir', dataDir])
  assert.equal(answer.code, 0, answer.stderr)
  assert.deepEqual(JSON.parse(answer.stdout), { twice: 42, reason: 'known' })
  child.kill('SIGTERM')
  assert.equal((await end).code, 0)
})
