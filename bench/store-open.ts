/**
 * Measures the time to open a store with a long log and a checkpoint, against an empty one (both closed properly), each
 * in its own process and including the loading of the store's modules, as at a start. Target: <= 1.3. It also measures
 * the bare open in a warm process, and the open after a crash.
 *
 *   node --import tsx bench/store-open.ts [records]
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LogRecord } from '../store/index.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const base = process.env.GANTRY_BENCH_DIR ?? tmpdir()
const rounds = 15

function terms(r: LogRecord): string[] {
  return [`op:${r.type}`, `actor:${r.actor}`, `job:${r.jobId}`]
}

const index = '../store/index.ts'

async function fill(dir: string, records: number, crashCopy?: string): Promise<void> {
  const { openStore } = (await import(index)) as typeof import('../store/index.ts')
  const store = await openStore({ dir, terms, durability: 'os' })
  for (let i = 0; store.log.headSeq < records; ) {
    for (let n = 0; n < 32; n++, i++) {
      const jobId = `job-${i}`
      store.log.append([
        {
          type: 'job.accepted',
          jobId,
          actor: 'anna',
          data: { command: 'tags.add', input: { deviceName: 'PLC_1', name: `Tag_${i}` } },
        },
        {
          type: 'tags.added',
          jobId,
          actor: 'anna',
          data: { name: `Tag_${i}`, dataType: 'Bool', address: `%M${i % 1000}.0` },
        },
        { type: 'job.completed', jobId, actor: 'anna', data: { result: { added: 1 }, durationMs: 1 } },
      ])
    }
    await store.log.durable(store.log.headSeq)
  }
  if (records > 0) await store.checkpoints.write(store.log.headSeq, [['slice', { records }]])
  if (crashCopy !== undefined) await cp(dir, crashCopy, { recursive: true })
  await store.close()
}

async function timedOpen(dir: string): Promise<number> {
  const begin = performance.now()
  const { openStore } = (await import(index)) as typeof import('../store/index.ts')
  const store = await openStore({ dir, terms })
  await store.checkpoints.newest()
  const elapsed = performance.now() - begin
  await store.close()
  return elapsed
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
}

function inNewProcess(dir: string): number {
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), '--open', dir]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

async function compare(): Promise<void> {
  const root = await mkdtemp(join(base, 'gantry-bench-'))
  const [empty, long, crashed] = ['empty', 'long', 'crashed'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  await fill(empty, 0)
  await fill(long, count, crashed)
  const afterCrash = inNewProcess(crashed)
  const cold = { empty: [] as number[], long: [] as number[] }
  const warm = { empty: [] as number[], long: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    cold.empty.push(inNewProcess(empty))
    cold.long.push(inNewProcess(long))
    warm.empty.push(await timedOpen(empty))
    warm.long.push(await timedOpen(long))
  }
  for (const [name, { empty: e, long: l }] of [
    ['in a new process', cold],
    ['in a warm process', warm],
  ] as const) {
    const [emptyMs, longMs] = [median(e), median(l)]
    console.log(
      `open ${name}: empty ${emptyMs.toFixed(1)} ms, ${count} records ${longMs.toFixed(1)} ms (ratio ${(longMs / emptyMs).toFixed(2)})`,
    )
  }
  console.log(`open in a new process after a crash, ${count} records: ${afterCrash.toFixed(1)} ms`)
  await rm(root, { recursive: true })
}

if (process.argv[2] === '--open') console.log(await timedOpen(process.argv[3] as string))
else await compare()
