/**
 * Measures the time from start to first answer of whole processes: `gantry serve` until `GET /api/health` answers,
 * against a tsx process that only opens a level database and a fastify route; and with a log of 1 000 000 records and a
 * checkpoint against an empty one.
 *
 * Targets: <= 1.5 x the bare process; 1 000 000 records / empty <= 1.3.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Gateway } from '../core/gateway.ts'
import { median, report } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const rounds = 9
const records = Number(process.env.BENCH_RECORDS ?? 1_000_000)

/** Starts a process and polls the address until it answers; returns ms. */
async function startToAnswer(port: number, path: string, args: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' })
  try {
    for (;;) {
      const answered = await fetch(`http://127.0.0.1:${port}${path}`).then(
        (response) => response.ok,
        () => false,
      )
      if (answered) return performance.now() - start
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  } finally {
    await ended(child)
  }
}

async function ended(child: ChildProcess) {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
const serve = (dataDir: string) => [
  'core/cli/gantry.mjs',
  'serve',
  '--port',
  '9471',
  '--data-dir',
  dataDir,
  '--log-level',
  'silent',
]
const bare = ['--import', 'tsx', 'bench/fixtures/bare-process.ts', '9472', join(dir, 'bare')]
const empty = join(dir, 'empty')
const full = join(dir, 'full')

{
  const pluginDirs = [join(root, 'plugins'), join(root, 'core/fixtures/plugins')]
  const gateway = await Gateway.open({
    dataDir: full,
    version: '0',
    pluginDirs,
    withoutEngine: true,
    durability: 'os',
    checkpointEvery: 1e9,
  })
  const operation = gateway.registry.operation('counter.add')!
  const actor = { name: 'bench', access: 'admin' as const }
  for (let i = 0; gateway.store.log.headSeq < records; ) {
    await Promise.all(
      Array.from({ length: 512 }, () => gateway.invoke(operation, { name: `counter-${i++ % 5000}`, by: 1 }, { actor })),
    )
  }
  await gateway.close()
}

const times: Record<'bare' | 'empty' | 'full', number[]> = { bare: [], empty: [], full: [] }
for (let round = 0; round <= rounds; round++) {
  const measured = {
    bare: await startToAnswer(9472, '/', bare),
    empty: await startToAnswer(9471, '/api/health', serve(empty)),
    full: await startToAnswer(9471, '/api/health', serve(full)),
  }
  if (round > 0) for (const [name, ms] of Object.entries(measured)) times[name as 'bare'].push(ms)
}
await rm(dir, { recursive: true, force: true })
report('start to first answer, bare process, ms', median(times.bare), '')
report(
  'start to first answer, gateway / bare process',
  median(times.empty.map((ms, i) => ms / times.bare[i]!)),
  '<= 1.5',
)
report(
  `start with ${records} records and a checkpoint / empty`,
  median(times.full.map((ms, i) => ms / times.empty[i]!)),
  '<= 1.3',
)
