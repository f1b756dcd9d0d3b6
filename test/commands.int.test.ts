/**
 * The shell commands of README, the manual and `docs/` as they are there: each block is run by bash, in a folder with
 * what it talks about, against a gateway that was started as users start it. Of `npm` only the scripts are looked up:
 * they are what runs this test.
 */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startGateway } from '../scripts/crash-rounds.ts'
import { launcher, root } from './built.ts'
import { smallArchive } from './tia-files.ts'

const run = promisify(execFile)

/** The blocks of shell commands of a page. */
const blocksOf = (text: string) => [...text.matchAll(/```(?:sh|bash)\n([\s\S]*?)```/g)].map(([, block]) => block!)

/** The pages, those of the manual first: they begin with the first project. */
async function pages(): Promise<[name: string, text: string][]> {
  const inFolder = async (folder: string) =>
    (await readdir(join(root, folder))).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
  const names = [
    ...(await inFolder('plugins/system/docs')).sort(),
    'README.md',
    'CONTRIBUTING.md',
    ...(await inFolder('docs')),
  ]
  return Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as [string, string]))
}

/** `gantry` is this Gantry, `npm` does nothing, a refused request ends the block, localhost:9000 is the gateway. */
const shell = (url: string) => `set -euo pipefail
gantry() { "$NODE" "$LAUNCHER" "$@"; }
npx() { "$@"; }
npm() { :; }
curl() { command curl --fail-with-body "\${@//@(localhost|127.0.0.1):9000/${new URL(url).host}}"; }
shopt -s extglob
`

const main = {
  kind: 'OB',
  name: 'Main',
  number: 1,
  language: 'LAD',
  interface: [{ section: 'Temp', members: [{ name: 'a', dataType: 'Bool' }] }],
  networks: [{ expressions: '#a := TRUE;' }, { expressions: '#a := NOT #a;' }],
}

type Gateway = Awaited<ReturnType<typeof startGateway>>

/** What a GET, or with a body a POST, is answered with the administrator's key. */
async function send<T>({ url, key }: Gateway, path: string, body?: object): Promise<T> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const request = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/${path}`, { headers, ...request })
  const text = await response.text()
  assert.ok(response.ok, text)
  return JSON.parse(text) as T
}

/** A folder as the pages take it for granted: `data`, `examples`, exports of a plant in git, an archive. */
async function withPlant(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-commands-'))
  const gateway = await startGateway(join(dir, 'data'), ['--log-level', 'silent'])
  t.after(async () => {
    gateway.child.kill('SIGTERM')
    if (gateway.child.exitCode === null) await new Promise((resolve) => gateway.child.once('exit', resolve))
    await rm(dir, { recursive: true, force: true })
  })
  await symlink(join(root, 'examples'), join(dir, 'examples'))
  const { content } = await send<{ content: string }>(gateway, 'blockgeneration/generate-only', { specification: main })
  await mkdir(join(dir, 'plant'))
  const tank = await readFile(join(root, 'examples/tank.scl'), 'utf8')
  // Its organization block is the one with the networks.
  await writeFile(join(dir, 'plant/tank.scl'), tank.replace(/ORGANIZATION_BLOCK[\s\S]*?END_ORGANIZATION_BLOCK\n/, ''))
  await writeFile(join(dir, 'plant/Main.xml'), content)
  await writeFile(
    join(dir, 'plant/tank.test.yml'),
    'block: Level\ncases:\n  - name: empty\n    given: { fill: false }\n    steps: [{ run: 1 cycles, expect: { isFull: false } }]\n',
  )
  await cp(join(root, 'examples/mixer.csv'), join(dir, 'spec.csv'))
  for (const side of ['base', 'ours', 'theirs']) await cp(join(dir, 'plant/tank.scl'), join(dir, `${side}.scl`))
  const git = (...args: string[]) => run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: dir })
  await git('init', '-q', '-b', 'main')
  await git('add', 'plant')
  await git('commit', '-qm', 'plant')
  return { dir, gateway }
}

test('the commands of README and docs run as they stand', { skip: process.platform === 'win32' }, async (t) => {
  const { dir, gateway } = await withPlant(t)
  const env = { ...process.env, NODE: process.execPath, LAUNCHER: launcher, GANTRY_DATA_DIR: join(dir, 'data') }
  const scripts = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>
  let count = 0
  for (const [page, text] of await pages()) {
    for (const [, script] of text.matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts[script!], `${page}: npm run ${script}`)
    // What is for the shells of Windows is not run here.
    const elsewhere = text.replace(/^\s*```(powershell|bat)\n[\s\S]*?^\s*```$/gm, '')
    const shown = elsewhere
      .split('\n')
      .filter((line) => /^\s*(\$ )?(npx gantry|gantry|curl) [a-z-]+ ?[^`]*$/.test(line))
    const blocks = blocksOf(text)
    for (const line of shown)
      assert.ok(
        blocks.some((block) => block.includes(line)),
        `${page}: is not run: ${line}`,
      )
    for (const block of blocks) {
      // Each page begins where no project is open.
      if (/create-sync|Plant\.zap19/.test(block)) await closeProject(gateway)
      if (block.includes('Plant.zap19')) await archive(dir)
      if (block.includes('PLC_1/blocks/Main'))
        await send(gateway, 'blockgeneration/generate-and-import', { deviceName: 'PLC_1', specification: main })
      const script = `${shell(gateway.url)}KEY=$(cat data/api-key)\n${block}`
      await run('bash', ['-c', script], { cwd: dir, env, timeout: 300_000 }).catch(
        (error: Error & { stdout: string; stderr: string }) =>
          assert.fail(`${page}:\n${block}\n${error.stdout}\n${error.stderr}`),
      )
      count += block.trim().split('\n').length
    }
  }
  t.diagnostic(`${count} lines`)
  assert.ok(count > 30, String(count))
})

async function closeProject(gateway: Gateway): Promise<void> {
  const { projects } = await send<{ projects: unknown[] }>(gateway, 'projects')
  if (projects.length > 0) await send(gateway, 'projects/actions/close-sync', { save: true })
}

/** `Plant.zap19`, a real one, and exports beside it; in the workspace too. */
async function archive(dir: string): Promise<void> {
  for (const folder of [dir, join(dir, 'data/workspace')]) await cp(smallArchive, join(folder, 'Plant.zap19'))
  await mkdir(join(dir, 'exports'), { recursive: true })
  await cp(join(dir, 'plant/tank.scl'), join(dir, 'exports/tank.scl'))
}
