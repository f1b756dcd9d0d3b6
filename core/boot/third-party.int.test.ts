/**
 * Third-party plugins in their usual forms, in a gateway that runs from `dist/` and in one that runs from its sources.
 */
// In a process of its own: it has TypeScript loaded into its process.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { builtModule, launcher, serve } from '../../test/built.ts'
import { removeFolder } from '../../test/folder.ts'
import { packageDir } from './running-code.ts'

/** A plugin with one route that answers the value of the expression. */
const plugin = (name: string, head: string, answer: string) => `${head}
type Surface = typeof import('gantry')
export default ({ definePlugin, query, get, startThread }: Surface) => definePlugin({
  name: '${name}',
  version: '1.0.0',
  operations: [query({
    id: '${name}.get', title: 'Get it', input: (t) => t.Object({}), output: (t) => t.Unknown(),
    http: [get('/api/plugins/${name}')], mcp: { toolset: '${name}' },
    async run(_: unknown, ctx) { return ${answer} },
  })],
})
`

const filesWith = (surface: URL): Readonly<Record<string, string>> => ({
  // `npm init` writes a package.json that makes everything below it CommonJS.
  'package.json': '{ "name": "site", "type": "commonjs" }',
  'plugins/typescript/index.ts': plugin(
    'typescript',
    "import { Level } from './lib/level'\nimport { five } from 'five'\nnamespace N { export const one = 1 }",
    "[Level.high, N.one, five, await ctx.engine.run({ module: new URL('./double.task.ts', import.meta.url).href, fn: 'double', input: 21 })]",
  ),
  'plugins/typescript/lib/level.ts': 'export enum Level { low, high = 7 }\n',
  'plugins/typescript/double.task.ts':
    "import { Level } from './lib/level.ts'\nexport const double = (n: number): number => n * 2 + Level.low\n",
  'plugins/typescript/node_modules/five/package.json': '{ "name": "five", "main": "five.js" }',
  'plugins/typescript/node_modules/five/five.js': 'exports.five = 5\n',
  'plugins/thread/index.ts': plugin(
    'thread',
    '',
    "await new Promise((resolve, reject) => { const thread = startThread(new URL('./thread.ts', import.meta.url), { workerData: 3 }); thread.once('message', resolve); thread.once('error', reject) })",
  ),
  'plugins/thread/thread.ts':
    "import { parentPort, workerData } from 'node:worker_threads'\nimport { times } from './times.ts'\nparentPort!.postMessage([times(workerData as number)])\n",
  'plugins/thread/times.ts': 'enum By { ten = 10 }\nexport const times = (n: number): number => n * By.ten\n',
  'plugins/plain/index.mjs': `import { definePlugin, get, GatewayError, problem, query } from '${surface.href}'
export default definePlugin({ name: 'plain', version: '1.0.0', operations: [query({
  id: 'plain.get', title: 'Get it', input: (t) => t.Object({}), output: (t) => t.Unknown(),
  http: [get('/api/plugins/plain')], mcp: { toolset: 'plain' },
  run() { throw problem('not_found', String(problem('not_found', '') instanceof GatewayError)) },
})] })
`,
  'plugins/nothing/index.js': 'throw undefined\n',
  'plugins/throws/index.ts': "const x: number = 1\n\nthrow new Error('no ' + x)\n",
  'plugins/syntax/index.ts': 'export default {\n  name: = 3\n}\n',
  'elsewhere/dist/index.ts': plugin('linked', "import { far } from '../far.ts'", '[far]'),
  'elsewhere/far.ts': "export const far: string = 'far'\n",
})

/** A gateway with these plugins in a folder with a blank and a `#`. */
async function serveWith(t: TestContext, entry: readonly string[], surface: URL) {
  const dir = await mkdtemp(join(tmpdir(), 'gantry third # party-'))
  for (const [path, text] of Object.entries(filesWith(surface))) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await symlink(join(dir, 'elsewhere/dist'), join(dir, 'plugins/linked'))
  const api = await serve(t, entry, join(dir, 'data'), ['--plugins-dir', join(dir, 'plugins'), '--no-instance'])
  t.after(() => removeFolder(dir))
  return { dir, read: (path: string): Promise<unknown> => api('GET', path) }
}

for (const [what, entry, surface] of [
  ['dist/', [launcher], builtModule('core/index.ts')],
  ['its sources', ['--import', 'tsx', 'core/cli/main.ts'], pathToFileURL(join(packageDir, 'core/index.ts'))],
] as const)
  test(`plugins run in a gateway that runs from ${what}, and faulty ones say why not`, async (t) => {
    const { dir, read } = await serveWith(t, entry, surface)
    const { plugins } = (await read('health/diagnostics')) as {
      plugins: { skipped: { name: string; reason: string }[] }
    }
    const reasons = Object.fromEntries(plugins.skipped.map(({ name, reason }) => [name, reason]))
    assert.deepEqual(Object.keys(reasons).sort(), ['nothing', 'syntax', 'throws'], JSON.stringify(reasons))
    assert.equal(reasons.nothing, 'it throws undefined')
    assert.equal(reasons.throws, `no 1 (${join(dir, 'plugins/throws/index.ts')}:3:7)`)
    assert.match(reasons.syntax!, /syntax\/index\.ts:2:\d.*Unexpected "="/s)
    assert.deepEqual(await read('plugins/typescript'), [7, 1, 5, 42])
    assert.deepEqual(await read('plugins/thread'), [30])
    assert.deepEqual(await read('plugins/linked'), ['far'])
    const problem = (await read('plugins/plain')) as { status: number; detail: string }
    assert.deepEqual([problem.status, problem.detail], [404, 'true'], 'the surface by its path is the one that runs')
  })
