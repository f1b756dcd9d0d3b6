/**
 * Measures append throughput: the log (JSON, hash chain, head, index) against raw classic-level that puts the same
 * bytes with sync, packed beforehand as the log packs them. Target through the lane: >= 0.6. (With 64 appenders that
 * all wait for the same commit, making the JSON and writing it alternate; through the lane they overlap.)
 *
 *   node --import tsx bench/store-append.ts [seconds per measurement]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Level } from 'level'
import { jobCodec } from '../core/log/job-codec.ts'
import { type LogRecord, openStore } from '../store/index.ts'
import { makeRecord } from '../store/record-codec.ts'
import { appendCommand, commandRecords } from './fixtures/command-records.ts'
import { packed } from './fixtures/packed.ts'

const seconds = Number(process.argv[2] ?? 2)
const base = process.env.GANTRY_BENCH_DIR ?? tmpdir()

function terms(r: LogRecord): string[] {
  return [
    `op:${r.type}`,
    `actor:${r.actor}`,
    ...(r.entity === undefined ? [] : [`entity:${r.entity}`]),
    ...(r.type === 'job.accepted' ? [`job:${r.jobId}`] : []),
  ]
}

/** Runs `appenders` loops of `once` for some time; returns how often it was called, per second, and p50/p99 in ms. */
async function run(
  appenders: number,
  once: (i: number) => Promise<void>,
): Promise<{ rate: number; p50: number; p99: number }> {
  const latencies: number[] = []
  let count = 0
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const begin = performance.now()
      await once(count++)
      latencies.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: appenders }, loop))
  const elapsed = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  return { rate: count / elapsed, p50: latencies[count >> 1] ?? 0, p99: latencies[Math.floor(count * 0.99)] ?? 0 }
}

/** The records of a command, without numbers. */
function recordsOf(i: number) {
  const { accepted, ended } = commandRecords(i)
  return [accepted, ...ended].map((record) => makeRecord(record, 0, Date.now()))
}

async function raw(appenders: number): Promise<{ rate: number; p50: number; p99: number }> {
  const dir = await mkdtemp(join(base, 'gantry-bench-'))
  const level = new Level<Buffer, Buffer>(dir, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await level.open()
  let at = 0
  const packs = Array.from({ length: 64 }, (_, n) =>
    packed(Array.from({ length: appenders }, (_, i) => recordsOf(n * appenders + i)).flat()),
  )
  const result = await run(1, async () => {
    const key = Buffer.alloc(9, 0x6c)
    key.writeUIntBE(++at, 3, 6)
    const options = { sync: true } as object
    await level.put(key, packs[at % 64] as Buffer, options)
  })
  await level.close()
  await rm(dir, { recursive: true })
  return { ...result, rate: result.rate * appenders }
}

async function log(appenders: number): Promise<{ rate: number; p50: number; p99: number }> {
  const dir = await mkdtemp(join(base, 'gantry-bench-'))
  const store = await openStore({ dir, terms, codec: jobCodec })
  const result = await run(appenders, (i) => store.log.durable(appendCommand(store.log, i)))
  await store.close()
  await rm(dir, { recursive: true })
  return result
}

/**
 * Appends as the command lane does: the lane never waits for the disk, only replies do. `window` groups are in flight
 * at any time, so that work and disk overlap. Returns groups per second and groups per commit.
 */
async function pipelined(window: number): Promise<{ rate: number; perCommit: number }> {
  const dir = await mkdtemp(join(base, 'gantry-bench-'))
  const store = await openStore({ dir, terms, codec: jobCodec })
  let commits = 0
  let replied = 0
  store.log.onCommit(() => {
    commits++
  })
  const startedAt = performance.now()
  let sent = 0
  while (performance.now() < startedAt + seconds * 1000) {
    for (let i = 0; i < 16 && sent - replied < window; i++, sent++) {
      store.log.durable(appendCommand(store.log, sent)).then(() => replied++)
    }
    await setImmediate()
  }
  const rate = replied / ((performance.now() - startedAt) / 1000)
  await store.close()
  await rm(dir, { recursive: true })
  return { rate, perCommit: Math.round(replied / commits) }
}

for (const appenders of [1, 8, 64]) {
  const baseline = await raw(appenders)
  const measured = await log(appenders)
  const again = await raw(appenders)
  const rate = (baseline.rate + again.rate) / 2
  console.log(
    `${String(appenders).padStart(3)} appenders: raw ${rate.toFixed(0)} groups/s, log ${measured.rate.toFixed(0)} groups/s (${(measured.rate * 3).toFixed(0)} records/s), ` +
      `ratio ${(measured.rate / rate).toFixed(2)}; log p50 ${measured.p50.toFixed(2)} ms, p99 ${measured.p99.toFixed(2)} ms; raw p50 ${baseline.p50.toFixed(2)} ms`,
  )
}

for (const window of [64, 512]) {
  const measured = await pipelined(window)
  const baseline = await raw(measured.perCommit)
  console.log(
    `lane with ${window} under way: log ${measured.rate.toFixed(0)} groups/s, ${measured.perCommit} groups a commit; ` +
      `raw with the same packing ${baseline.rate.toFixed(0)} groups/s, ratio ${(measured.rate / baseline.rate).toFixed(2)}`,
  )
}
