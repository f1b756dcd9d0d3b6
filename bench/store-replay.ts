/**
 * Measures the replay rate: `log.replay` with a trivial fold against JSON.parse alone over the same bytes (in memory,
 * packed as on disk). Targets: >= 0.7 of JSON.parse; with the chain checked >= 0.85 of the replay without.
 *
 *   node --import tsx bench/store-replay.ts [records] [records per commit]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jobCodec } from '../core/log/job-codec.ts'
import { type LogRecord, openStore, type Store } from '../store/index.ts'
import { appendCommand } from './fixtures/command-records.ts'
import { packed } from './fixtures/packed.ts'

const count = Number(process.argv[2] ?? 300_000)
const sizes = process.argv[3] === undefined ? [3, 48, 192] : [Number(process.argv[3])]
const base = process.env.GANTRY_BENCH_DIR ?? tmpdir()
const rounds = 5

async function fill(store: Store, perCommit: number): Promise<void> {
  for (let i = 0; store.log.headSeq < count; ) {
    let last = 0
    for (let n = 0; n < perCommit; n += 3) last = appendCommand(store.log, i++)
    await store.log.durable(last)
  }
}

/** The packed commits in memory, as they are on disk. */
async function packedCommits(store: Store): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const records of store.log.read()) all.push(packed(records))
  return all
}

function best(times: readonly number[]): number {
  return Math.min(...times)
}

for (const perCommit of sizes) {
  const dir = await mkdtemp(join(base, 'gantry-bench-'))
  const store = await openStore({ dir, durability: 'os', codec: jobCodec })
  await fill(store, perCommit)
  const bytes = await packedCommits(store)
  const megabytes = bytes.reduce((sum, { length }) => sum + length, 0) / 1e6
  const times = { parse: [] as number[], replay: [] as number[], checked: [] as number[] }
  let sum = 0
  const fold = (r: LogRecord): void => {
    sum += r.type.length
  }
  for (let round = 0; round < rounds; round++) {
    let begin = performance.now()
    for (const commit of bytes) for (const record of JSON.parse(commit.toString('utf8'))) sum += record.length
    times.parse.push(performance.now() - begin)
    for (const [name, checkChain] of [
      ['replay', false],
      ['checked', true],
    ] as const) {
      begin = performance.now()
      await store.log.replay({ checkChain }, fold)
      times[name].push(performance.now() - begin)
    }
  }
  await store.close()
  await rm(dir, { recursive: true })
  const [parse, replay, checked] = [best(times.parse), best(times.replay), best(times.checked)]
  console.log(
    `${String(perCommit).padStart(3)} records a commit, ${count} records, ${megabytes.toFixed(0)} MB: JSON.parse ${(count / parse).toFixed(0)} records/ms, ` +
      `replay ${(count / replay).toFixed(0)} (ratio ${(parse / replay).toFixed(2)}), chain checked ${(count / checked).toFixed(0)} (${(replay / checked).toFixed(2)} of replay); ${sum > 0 ? '' : 'nothing folded'}`,
  )
}
