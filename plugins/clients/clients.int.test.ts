/** `gantry client`: the written clients are compiled and used against the gateway that they are of. */
// In a process of its own: its hooks are those of the whole process.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtInPlugins } from '../../core/boot/running-code.ts'
import { createServer, listen } from '../../core/http/server.ts'
import { openTestGateway } from '../../core/testing/index.ts'
import { launcher, root } from '../../test/built.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { counterPlugins, testKey } from '../../test/mcp.ts'
import { readDocument } from './document.ts'
import { pythonClient } from './python.ts'
import { typescriptClient } from './typescript.ts'

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

function folder(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-clients-')
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

const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** What `npm install` does for the written package. */
async function linkPackages(dir: string): Promise<void> {
  await mkdir(join(dir, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name), 'junction')
}

/** What both programs report. */
const expected = {
  project: 'Bottling',
  device: 'PLC_1',
  blocks: ['Scale/it ü'],
  content: 'Scale/it ü',
  xml: true,
  sources: ['B.scl'],
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
  await linkPackages(out)
  await cp(fixture('use.ts.txt'), join(out, 'src/use.ts'))
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noUnusedParameters']
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

/** A document with names and texts that are difficult in one of the languages. */
function oddDocument() {
  const text = 'Ends */ here, "quotes", \\back\\slashes and """three"""'
  const node = {
    type: 'object',
    description: text,
    required: ['from'],
    properties: {
      from: { type: 'string', description: text },
      'not-a-name': { enum: ["it's", 'a "b"', null, 1, true] },
      self: { $ref: '#/components/schemas/odd.node' },
      children: { type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/odd.list' }, { type: 'null' }] } },
      map: { type: 'object', patternProperties: { '^.*$': { type: ['integer', 'null'] } } },
    },
    additionalProperties: false,
  }
  const schemas = {
    Problem: { type: 'object', required: ['type', 'title', 'status', 'detail', 'code'], properties: problemProperties },
    JobAccepted: { type: 'object', properties: { jobId: { type: 'string' } } },
    'jobs.get.result': {
      type: 'object',
      required: ['jobId', 'status', 'progress'],
      properties: { jobId: { type: 'string' }, status: { type: 'string' }, progress: { type: 'number' } },
    },
    'odd.node': node,
    'odd.list': { type: 'array', items: { $ref: '#/components/schemas/odd.node' } },
    'odd-node': { type: 'object', properties: { one: { const: 1 } } },
  }
  const answer = (name: string) => ({
    200: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
  })
  const operation = (operationId: string, parameters: readonly string[] = [], name = 'odd.node') => ({
    operationId,
    summary: text,
    parameters: parameters.map((field) => ({
      name: field,
      in: 'query',
      description: text,
      schema: { type: 'string' },
    })),
    responses: answer(name),
  })
  return {
    openapi: '3.1.0',
    info: { version: '1.0.0' },
    paths: {
      '/jobs': {
        get: operation('jobs.get', ['jobId', 'wait'], 'jobs.get.result'),
        delete: operation('jobs.cancel', ['jobId']),
        post: { operationId: 'jobs.events', responses: { 200: { content: { 'text/event-stream': {} } } } },
      },
      '/odd': {
        get: operation('class.import', ['from', 'self', 'options', 'fooBar', 'foo_bar', 'class']),
        put: operation('class.do-it.2', [], 'odd.list'),
        post: operation('class.doIt2', [], 'odd-node'),
        delete: operation('http.constructor'),
      },
      '/alone': { get: operation('start'), put: operation('3d.4th') },
    },
    components: { schemas },
  }
}

const problemProperties = {
  type: { type: 'string' },
  title: { type: 'string' },
  status: { type: 'integer' },
  detail: { type: 'string' },
  code: { type: 'string' },
  jobId: { type: 'string' },
  errors: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
}

test('names and texts that a language does not allow become ones that it does', async (t) => {
  const dir = await folder(t)
  const document = readDocument(oddDocument())
  if (typeof document === 'string') return assert.fail(document)
  for (const [path, text] of [...(await typescriptClient(document)), ...(await pythonClient(document))]) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await linkPackages(dir)
  const compiled = await run(process.execPath, [compiler, '-p', '.'], dir)
  assert.deepEqual([compiled.code, compiled.stdout], [0, ''])
  const operations = await readFile(join(dir, 'src/operations.ts'), 'utf8')
  for (const name of ['doIt2', 'doIt22', 'constructor2', 'n3d', 'http2', 'start2'])
    assert.match(operations, new RegExp(`\\b${name}\\b`))
  if (!python) return
  const program = [
    'import gantry_client as c, inspect, typing',
    'for k in [k for k in vars(c).values() if isinstance(k, type)]: typing.get_type_hints(k)',
    'print(*inspect.signature(c.ClassOperations.import_).parameters)',
    'print(*sorted(c.OddNode2.__annotations__))',
  ].join('\n')
  const used = await run(python, ['-B', '-W', 'error', '-c', program], dir)
  assert.equal(
    used.stdout.replaceAll('\r', ''),
    'self from_ self_2 options_2 foo_bar foo_bar_2 class_ options\nchildren from map not-a-name self\n',
    used.stderr,
  )
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
