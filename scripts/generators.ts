/**
 * Makes clients of the OpenAPI document with generators that others use, as of today, and compiles what comes out in
 * strict TypeScript: `npm run generators`. The packages come from the npm registry into an empty folder.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildOpenApi } from '../core/docs/openapi.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { builtInPlugins } from '../test/harness.ts'

/** orval asks for Node 22.18; openapi-typescript has TypeScript 5 as its peer. */
const packages = [`node-${process.platform}-${process.arch}@22`, 'orval@8', 'openapi-typescript@7', 'typescript@5']

const orval = `module.exports = {
  gantry: { input: './openapi.json', output: { target: './src/orval.ts', client: 'fetch', mode: 'single' } },
}
`

/** Uses of the types, which would not compile if an answer were \`unknown\` there. */
const uses = `import type { paths } from './openapi-typescript'
import { blocksList, jobsGet } from './orval'

type Blocks = paths['/api/devices/{deviceName}/blocks']['get']['responses'][200]['content']['application/json']
export const first = (blocks: Blocks): string | undefined => blocks.blocks[0]?.name

export async function names(deviceName: string): Promise<string[]> {
  const answer = await blocksList(deviceName)
  if (answer.status !== 200) throw new Error(String(answer.status))
  return answer.data.blocks.map((block) => block.name)
}

export async function state(id: string): Promise<string> {
  const answer = await jobsGet(id)
  return answer.status === 200 ? answer.data.status : String(answer.status)
}
`

const folder = await mkdtemp(join(tmpdir(), 'gantry-generators-'))
try {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }\n')
  await writeFile(join(folder, 'openapi.json'), await openApi())
  await writeFile(join(folder, 'orval.config.cjs'), orval)
  await mkdir(join(folder, 'src'))
  run('npm', 'install', '--no-audit', '--no-fund', ...packages)
  const node = join(folder, 'node_modules', packages[0]!.replace('@22', ''), 'bin', 'node')
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
  run(node, bin('orval'), '--config', 'orval.config.cjs')
  run(node, bin('openapi-typescript'), 'openapi.json', '-o', 'src/openapi-typescript.ts')
  await writeFile(join(folder, 'src', 'uses.ts'), uses)
  const target = [
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2022,dom,dom.iterable',
  ]
  run(node, bin('tsc'), '--strict', '--noEmit', ...target, 'src/uses.ts')
  console.log('generators: what orval and openapi-typescript make compiles')
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Runs a command in the folder. A failure ends the script with what the command said. */
function run(command: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
}

/** The document of a gateway with all plugins of the package. */
async function openApi(): Promise<string> {
  const opened = await openTestGateway({ pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  try {
    return JSON.stringify(await buildOpenApi(opened.gateway.registry, { version: '1.0.0' }))
  } finally {
    await opened.close()
  }
}
