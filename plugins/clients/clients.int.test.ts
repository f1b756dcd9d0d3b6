/** `gantry client`: the written clients are compiled and used against the gateway that they are of. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtInPlugins } from '../../core/boot/running-code.ts'
import { createServer, listen } from '../../core/http/server.ts'
import { openTestGateway } from '../../core/testing/index.ts'
import { launcher, root } from '../../test/built.ts'
import { counterPlugins, testKey } from '../../test/mcp.ts'

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(file: string, args: readonly string[], cwd: string, more: Record<string, string> = {}): Promise<Ended> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GANTRY_') && name !== 'NODE_OPTIONS')
  const env = { ...Object.fromEntries(kept), ...more }
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

const gantry = (cwd: string, ...args: string[]) => run(process.execPath, [launcher, ...args], cwd)

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-clients-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A gateway with all plugins and one from outside, on a free port. */
async function serve(t: TestContext): Promise<string> {
  const opened = await openTestGateway({ pluginDirs: [builtInPlugins, counterPlugins], apiKey: testKey })
  const app = await createServer(opened.gateway, { graceMs: 1000 })
  t.after(async () => {
    await app.close()
    await opened.close()
  })
  return listen(app, { port: 0 })
}

async function write(dir: string, language: string, url: string): Promise<Map<string, string>> {
  const ended = await gantry(dir, 'client', language, '--out', 'out', '--url', url, '--key', testKey)
  assert.equal(ended.code, 0, ended.stderr)
  const files = (await readdir(join(dir, 'out'), { recursive: true, withFileTypes: true })).filter((f) => f.isFile())
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'utf8')] as const),
  )
  assert.equal(ended.stdout.trim().split('\n').length, files.length, 'each file is listed')
  return new Map(texts)
}

/** What both programs report. */
const expected = {
  project: 'Bottling',
  device: 'PLC_1',
  blocks: ['Scale/it ü'],
  content: 'Scale/it ü',
  xml: true,
  compiled: 0,
  progress: 'Completed',
  progressOfSync: 'Completed',
  jobEvents: ['job.accepted', 'job.completed'],
  cancelled: true,
  timeout: true,
  failedJob: ['unacceptable_content', 422, true, [null]],
  missing: ['not_found', 404, true, []],
  invalid: ['invalid_input', 400, true, ['/orderNumber']],
  noKey: ['unauthorized', 401, true, []],
  event: ['gateway.started', 'object', 'number'],
}

test('the client for TypeScript compiles with strict checks and does its work', async (t) => {
  const [url, dir] = [await serve(t), await folder(t)]
  const first = await write(dir, 'typescript', url)
  assert.deepEqual(await write(dir, 'typescript', url), first, 'the same bytes again')
  const out = join(dir, 'out')
  const { dependencies } = JSON.parse(first.get('package.json')!) as { dependencies: Record<string, string> }
  assert.deepEqual(Object.keys(dependencies), ['openapi-fetch'])
  await mkdir(join(out, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await symlink(join(root, 'node_modules', name), join(out, 'node_modules', name), 'junction')
  await cp(fixture('use.ts.txt'), join(out, 'src/use.ts'))
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noUnusedParameters']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', '.', ...strict], out)
  assert.deepEqual([compiled.code, compiled.stdout], [0, ''])
  const used = await run(process.execPath, ['dist/use.js'], out, { GANTRY_TEST_URL: url, GANTRY_TEST_KEY: testKey })
  assert.equal(used.code, 0, used.stderr)
  assert.deepEqual(JSON.parse(used.stdout), { ...expected, http: 1 })
})

const python = ['python3', 'python'].find((name) => {
  const { status, stdout } = spawnSync(name, ['-c', 'import sys; print(sys.version_info >= (3, 9))'], {
    encoding: 'utf8',
  })
  return status === 0 && stdout.trim() === 'True'
})

test('the client for Python does its work', { skip: python ? false : 'NO PYTHON 3.9 HERE: not tested' }, async (t) => {
  const [url, dir] = [await serve(t), await folder(t)]
  const first = await write(dir, 'python', url)
  assert.deepEqual([...first.keys()], ['gantry_client.py'])
  assert.deepEqual(await write(dir, 'python', url), first, 'the same bytes again')
  await cp(fixture('use.py'), join(dir, 'out/use.py'))
  const used = await run(python!, ['-B', 'use.py'], join(dir, 'out'), {
    GANTRY_TEST_URL: url,
    GANTRY_TEST_KEY: testKey,
    PYTHONIOENCODING: 'utf-8',
  })
  assert.equal(used.code, 0, used.stderr)
  assert.deepEqual(JSON.parse(used.stdout), { ...expected, unreachable: true, types: true, methods: true })
})

test('wrong arguments, keys, gateways and folders end with their exit codes and write nothing', async (t) => {
  const [url, dir] = [await serve(t), await folder(t)]
  const key = ['--key', testKey]
  const cases: [number, RegExp, string[]][] = [
    [2, /missing required argument/, ['client']],
    [
      2,
      /"cobol" is no language of clients; there are typescript and python/,
      ['client', 'cobol', '--url', url, ...key],
    ],
    [2, /unknown option/, ['client', 'python', '--colour']],
    [2, /is not an address/, ['client', 'python', '--url', 'gateway', ...key]],
    [3, /cannot be reached/, ['client', 'python', '--url', 'http://127.0.0.1:1', ...key]],
    [4, /API key/, ['client', 'python', '--url', url, '--key', 'wrong']],
  ]
  for (const [code, message, args] of cases) {
    const ended = await gantry(dir, ...args)
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    assert.match(ended.stderr, message)
  }
  assert.deepEqual(await readdir(dir), [])
  await writeFile(join(dir, 'file'), '')
  const taken = await gantry(dir, 'client', 'python', '--out', 'file', '--url', url, ...key)
  assert.deepEqual([taken.code, /cannot be written/.test(taken.stderr)], [2, true])
})

let other: ReturnType<typeof createPlainServer>
before(() => {
  other = createPlainServer((request, response) =>
    request.headers['x-api-key'] === 'html'
      ? response.setHeader('content-type', 'text/html').end('<html></html>')
      : response.setHeader('content-type', 'application/json').end('{"openapi":"3.0.1","paths":{}}'),
  )
  other.listen(0, '127.0.0.1')
})
after(() => other.close())

test('another program on the port is no gateway', async (t) => {
  const dir = await folder(t)
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const html = await gantry(dir, 'client', 'python', '--url', url, '--key', 'html')
  assert.deepEqual([html.code, /is no JSON: is this a Gantry gateway/.test(html.stderr)], [1, true], html.stderr)
  const old = await gantry(dir, 'client', 'typescript', '--url', url, '--key', 'x')
  assert.deepEqual([old.code, /it says openapi "3\.0\.1"/.test(old.stderr)], [1, true], old.stderr)
  assert.deepEqual(await readdir(dir), [])
})
