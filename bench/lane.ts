/**
 * Measures the lane in process, validated, logged with fsync and folded: with one event per command (as a click causes)
 * and with a hundred (as an import does); and the cost of a command with 100 000 entities in the slice against 1 000.
 * Two baselines write the same commits with sync, one after the other, to raw classic-level:
 *
 * - with bytes made beforehand: this is the speed of the disk; a log that has to make its bytes first cannot reach that
 *   of a fast disk;
 * - with bytes made in the run, as the simplest log would (JSON.stringify of the records, sha256): this shows what the
 *   engine itself adds.
 *
 * Targets: lane / raw >= 0.6; 100 000 / 1 000 entities <= 1.5.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Level } from 'level'
import { Gateway } from '../core/gateway.ts'
import type { LogRecord } from '../store/index.ts'
import { packed } from './fixtures/packed.ts'
import { median, report } from './report.ts'

const pluginDirs = ['../core/fixtures/plugins', './plugins'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const actor = { name: 'bench', access: 'admin' as const }
const commands = 20_000
/**
 * Commands in flight: a script, a few clients, the connections of the HTTP benchmark, and enough to keep both sides
 * busy.
 */
const inFlight = [1, 4, 16, 64, 256]
const most = 256
const rounds = 5

async function openGateway() {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
  const gateway = await Gateway.open({
    dataDir: dir,
    version: '0',
    pluginDirs,
    withoutEngine: true,
    checkpointEvery: 1e9,
  })
  return { dir, gateway }
}

/** Runs `n` commands with a fixed number in flight; returns seconds. */
async function drive(
  gateway: Gateway,
  n: number,
  name: (i: number) => string,
  { many = false, callers = most } = {},
): Promise<number> {
  const operation = gateway.registry.operation(many ? 'bench.raise-many' : 'counter.add')!
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < n) {
        const i = next++
        await gateway.invoke(operation, many ? { count: 100 } : { name: name(i), by: 1 }, { actor })
      }
    }),
  )
  return (performance.now() - start) / 1000
}

/** The commits of the log, starting with a sequence number. */
async function commitsFrom(gateway: Gateway, from: number): Promise<(readonly LogRecord[])[]> {
  const commits: (readonly LogRecord[])[] = []
  for await (const commit of gateway.store.log.read({ from })) commits.push(commit)
  return commits
}

/** The bytes that the simplest log makes of a commit. */
function simplest(commit: readonly LogRecord[]): Buffer {
  const bytes = Buffer.from(JSON.stringify(commit))
  return Buffer.concat([createHash('sha256').update(bytes).digest(), bytes])
}

/** Seconds to put one value per commit, with sync. */
async function rawPuts<T>(commits: readonly T[], bytesOf: (commit: T) => Buffer): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
  const db = new Level<Buffer, Buffer>(dir, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await db.open()
  const start = performance.now()
  for (let i = 0; i < commits.length; i++) {
    const key = Buffer.alloc(8)
    key.writeBigUInt64BE(BigInt(i))
    await db.put(key, bytesOf(commits[i]!), { sync: true } as never)
  }
  const seconds = (performance.now() - start) / 1000
  await db.close()
  await rm(dir, { recursive: true })
  return seconds
}

for (const many of [false, true]) {
  const { dir, gateway } = await openGateway()
  await drive(gateway, 500, (i) => `warm-${i % 100}`, { many })
  for (const callers of inFlight) {
    const ratios: { disk: number; simplest: number }[] = []
    const rates: number[] = []
    const count = (many ? commands / 20 : commands) / (callers < 64 ? 5 : 1)
    for (let round = 0; round < rounds; round++) {
      const from = gateway.store.log.headSeq + 1
      const seconds = await drive(gateway, count, (i) => `c-${i % 1000}`, { many, callers })
      const commits = await commitsFrom(gateway, from)
      const values = commits.map(packed)
      ratios.push({
        disk: (await rawPuts(values, (bytes) => bytes)) / seconds,
        simplest: (await rawPuts(commits, simplest)) / seconds,
      })
      rates.push(commits.reduce((sum, { length }) => sum + length, 0) / seconds)
    }
    const what = `${many ? '100 events' : 'one event'} a command, ${callers} in flight`
    report(`lane, ${what}: records/s`, median(rates), '')
    report(`lane / raw packed sync puts, ${what}`, median(ratios.map((r) => r.disk)), '>= 0.6')
    report(`lane / JSON, hash and sync puts, ${what}`, median(ratios.map((r) => r.simplest)), '')
  }
  await gateway.close()
  await rm(dir, { recursive: true })
}

const scale: number[] = []
{
  const small = await openGateway()
  const large = await openGateway()
  await drive(small.gateway, 1000, (i) => `e-${i}`)
  await drive(large.gateway, 100_000, (i) => `e-${i}`)
  for (let round = 0; round < rounds; round++) {
    const a = await drive(small.gateway, commands, (i) => `e-${(i * 7919) % 1000}`)
    const b = await drive(large.gateway, commands, (i) => `e-${(i * 7919) % 100_000}`)
    scale.push(b / a)
  }
  for (const { dir, gateway } of [small, large]) {
    await gateway.close()
    await rm(dir, { recursive: true })
  }
}
report('a command with 100 000 / 1 000 entities', median(scale), '<= 1.5')
