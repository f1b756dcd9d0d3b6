/**
 * Measures whether a start depends on the length of the log: `gantry serve` until `GET /api/health` answers, and its
 * memory then, with a short log, with a long one in LevelDB, and with the same one in files of the archive. The log is
 * made of the records of a real command. Targets: 1.3 x the short log in LevelDB, 1.1 x archived.
 *
 *   node --import tsx bench/long-log.ts [commands]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Gateway } from '../core/gateway.ts'
import { termsOf } from '../core/log/job.ts'
import { jobCodec } from '../core/log/job-codec.ts'
import { type NewRecord, openStore } from '../store/index.ts'
import { median, report } from './report.ts'

const commands = Number(process.argv[2] ?? 1_000_000)
const few = 10_000
const rounds = 5
const root = fileURLToPath(new URL('..', import.meta.url))
const storeOf = (dataDir: string) => ({
  dir: join(dataDir, 'store'),
  terms: termsOf,
  codec: jobCodec,
  durability: 'os' as const,
})
const pluginDirs = [join(root, 'plugins'), join(root, 'core/fixtures/plugins')]
const openGateway = (dataDir: string) =>
  Gateway.open({ dataDir, version: '0', pluginDirs, withoutEngine: true, durability: 'os', checkpointEvery: 1e9 })

/** The records of a command as a gateway writes them. */
function recordsOf(i: number, time: number): NewRecord[] {
  const id = i.toString(36).padStart(8, '0')
  const name = `counter-${i % 5000}`
  const own = { jobId: `J${id}-bench`, actor: 'bench', correlationId: `bench-${id}` }
  return [
    {
      ...own,
      type: 'job.accepted',
      data: { command: 'counter.add', access: 'admin', input: { name, by: 1 } },
    },
    { ...own, type: 'counter.added', entity: `counter/${name}`, data: { name, by: 1 } },
    { ...own, type: 'job.completed', data: { startedAt: time, result: { name, value: Math.floor(i / 5000) + 1 } } },
  ]
}

/** Makes a log of this many commands, with checkpoints at its end. */
async function fill(dataDir: string, count: number): Promise<void> {
  await (await openGateway(dataDir)).close()
  const store = await openStore(storeOf(dataDir))
  for (let i = 0; i < count; ) {
    // As many as wait together on a busy gateway.
    const time = Date.now()
    for (let n = 0; n < 256 && i < count; n++) store.log.append(recordsOf(i++, time))
    await store.log.durable(store.log.headSeq)
  }
  await store.close()
  // Two checkpoints are kept, and what both cover can be archived.
  for (let i = 0; i < 2; i++) await (await openGateway(dataDir)).close()
}

/** Starts a process, and says how long its first answer takes (ms) and its memory then (MB). */
async function start(dataDir: string): Promise<{ ms: number; mb: number }> {
  const begin = performance.now()
  const args = ['core/cli/gantry.mjs', 'serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'silent']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = /http:\/\/[^ ]+/.exec(line.toString())?.[0]
  await (await fetch(`${url}/api/health`)).text()
  const ms = performance.now() - begin
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  const mb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1000
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return { ms, mb }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ name }) => stat(join(folder, name)).then(({ size }) => size)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const dir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'gantry-bench-'))
const [short, long, archived] = ['short', 'long', 'archived'].map((name) => join(dir, name)) as [string, string, string]
try {
  const begin = performance.now()
  await fill(short, few)
  await fill(long, commands)
  console.log(`${commands} commands written and read once in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  await cp(long, archived, { recursive: true })
  const store = await openStore(storeOf(archived))
  const { records, segments } = await store.archive({ liveBytes: 16 * 1024 * 1024 })
  await store.close()
  for (const [name, path] of Object.entries({ long, archived })) {
    const [live, files] = [await bytesIn(join(path, 'store/db')), await bytesIn(join(path, 'store/archive'))]
    console.log(`${name}: ${(live / 1e6).toFixed(0)} MB in LevelDB, ${(files / 1e6).toFixed(0)} MB in the archive`)
  }
  console.log(`archived: ${records} records in ${segments} files`)
  const found = { short: [], long: [], archived: [] } as Record<string, { ms: number; mb: number }[]>
  for (let round = 0; round <= rounds; round++)
    for (const [name, path] of Object.entries({ short, long, archived })) {
      const one = await start(path)
      if (round > 0) found[name]!.push(one)
    }
  const of = (name: string, what: 'ms' | 'mb') => median(found[name]!.map((one) => one[what]))
  for (const what of ['ms', 'mb'] as const) report(`start with ${few} commands, ${what}`, of('short', what), '')
  for (const [name, target] of [['long', '<= 1.3'] as const, ['archived', '<= 1.1'] as const])
    for (const what of ['ms', 'mb'] as const)
      report(
        `the same with ${commands} commands, ${name} / ${few} (${what})`,
        of(name, what) / of('short', what),
        target,
      )
} finally {
  await rm(dir, { recursive: true, force: true })
}
