/**
 * Compares the HTTP server with a bare fastify server in the same run:
 *
 * 1. `POST` of a command (validated, run, logged with fsync) on 64 connections: rate / rate of a bare validated route
 *    >= 0.45, p99 <= 4 x p50;
 * 2. the same on one connection: p50 <= 1.6 x (p50 of fdatasync + p50 of the bare POST); also the ratio to a bare route
 *    that only appends 512 bytes and calls fdatasync, which is the limit of the machine;
 * 3. `GET` of a job: rate / rate of an empty fastify GET >= 0.6.
 *
 * The gateway runs from `dist/` with all its plugins, as users run it, and with one more for the command
 * (`bench/plugins`). Rounds alternate between the two servers, so that a slow phase of the machine affects both. The
 * medians are reported.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { median, report } from './report.ts'

const root = process.env.BENCH_DIR ?? tmpdir()
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const headers = { 'content-type': 'application/json', 'x-api-key': 'bench-key' }
const body = JSON.stringify({ name: 'pump', by: 1 })

const dataDir = await mkdtemp(join(root, 'gantry-bench-'))

interface Server {
  readonly process: ChildProcess
  readonly url: string
}

/** Starts the gateway, on a data directory of its own. */
async function startGateway(): Promise<Server> {
  const main = fileURLToPath(new URL('../core/cli/gantry.mjs', import.meta.url))
  const plugins = fileURLToPath(new URL('./plugins', import.meta.url))
  const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)
  const options = ['--port', '0', '--data-dir', dataDir, '--plugins-dir', plugins, '--no-instance']
  const log = await open(join(dataDir, 'gantry.log'), 'w')
  const child = spawn(process.execPath, [...flags, main, 'serve', ...options], {
    stdio: ['ignore', 'pipe', log.fd],
    env: { ...process.env, GANTRY_API_KEY: headers['x-api-key'] },
  })
  await log.close()
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = /http:\/\/[^ ]+/.exec(line.toString())?.[0]
  if (url === undefined) throw new Error(`the gateway says "${line}"`)
  return { process: child, url }
}

/** Starts a server of `http-server.ts`. */
async function start(kind: 'bare' | 'synced'): Promise<Server> {
  const script = fileURLToPath(new URL('./http-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { process: child, url: line.toString().trim() }
}

/** Requests per second; latencies in ms, which autocannon's own histogram has as whole numbers only. */
interface Load {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

async function load(url: string, method: 'GET' | 'POST', connections: number, duration = seconds): Promise<Load> {
  const times: number[] = []
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      { url, method, connections, duration, headers, ...(method === 'POST' ? { body } : {}) },
      (error: Error | null, done) => (error ? reject(error) : resolve(done)),
    )
    run.on('response', (_client, _status, _bytes, ms) => times.push(ms))
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`)
  const sorted = Float64Array.from(times).sort()
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { rate: result['2xx'] / result.duration, p50: percentile(0.5), p99: percentile(0.99) }
}

/** Latencies of single requests in sequence, in ms (autocannon's histogram has whole milliseconds only). */
async function latencies(url: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const begin = performance.now()
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    times.push(performance.now() - begin)
  }
  return times.slice(Math.floor(count / 5))
}

async function fdatasyncTimes(count: number): Promise<number[]> {
  const path = join(root, `gantry-bench-sync-${process.pid}`)
  const file = await open(path, 'w')
  const line = Buffer.alloc(512, 0x61)
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const begin = performance.now()
    await file.write(line)
    await file.datasync()
    times.push(performance.now() - begin)
  }
  await file.close()
  await rm(path)
  return times
}

const [gateway, bare] = await Promise.all([startGateway(), start('bare')])
let synced: Server | undefined
try {
  const post = '/api/bench/counters'
  await load(gateway.url + post, 'POST', 64, 2)
  await load(bare.url + post, 'POST', 64, 2)

  const many: { gateway: Load; bare: Load }[] = []
  for (let i = 0; i < rounds; i++) {
    many.push({ bare: await load(bare.url + post, 'POST', 64), gateway: await load(gateway.url + post, 'POST', 64) })
  }
  report(
    'POST command, 64 connections: rate / bare validated route',
    median(many.map((r) => r.gateway.rate / r.bare.rate)),
    '>= 0.45',
  )
  console.log(
    `  ${Math.round(median(many.map((r) => r.gateway.rate)))} against ${Math.round(median(many.map((r) => r.bare.rate)))} requests/s`,
  )
  report('POST command, 64 connections: p99 / p50', median(many.map((r) => r.gateway.p99 / r.gateway.p50)), '<= 4')
  console.log(`  p50 ${median(many.map((r) => r.gateway.p50)).toFixed(2)} ms`)

  // Starts later than the others: even an idle third process costs the two that take turns some hundredths of their
  // rate.
  synced = await start('synced')
  // Single requests take another path through the servers than many at once. This warms that path up.
  for (const { url } of [bare, synced, gateway]) await latencies(url + post, 2000)
  const one: { command: number; bare: number; sync: number; floor: number }[] = []
  for (let i = 0; i < rounds; i++) {
    const sync = median(await fdatasyncTimes(300))
    const plain = median(await latencies(bare.url + post, 500))
    const floor = median(await latencies(synced.url + post, 500))
    one.push({ command: median(await latencies(gateway.url + post, 500)), bare: plain, sync, floor })
  }
  report(
    'POST command, one connection: p50 / (fdatasync + bare POST)',
    median(one.map((r) => r.command / (r.sync + r.bare))),
    '<= 1.6',
  )
  report(
    'POST command, one connection: p50 / bare route with write and fdatasync',
    median(one.map((r) => r.command / r.floor)),
    '',
  )
  report(
    'bare route with write and fdatasync: p50 / (fdatasync + bare POST)',
    median(one.map((r) => r.floor / (r.sync + r.bare))),
    '',
  )
  console.log(
    `  ${median(one.map((r) => r.command)).toFixed(2)} ms; fdatasync ${median(one.map((r) => r.sync)).toFixed(2)} ms, bare ${median(one.map((r) => r.bare)).toFixed(2)} ms`,
  )

  const { headers: answer } = await fetch(gateway.url + post, { method: 'POST', headers, body })
  const job = `/api/bench/jobs/${answer.get('x-job-id')}`
  await load(gateway.url + job, 'GET', 64, 1)
  await load(bare.url + job, 'GET', 64, 1)
  const gets: { gateway: number; bare: number }[] = []
  for (let i = 0; i < rounds; i++) {
    gets.push({
      bare: (await load(bare.url + job, 'GET', 64)).rate,
      gateway: (await load(gateway.url + job, 'GET', 64)).rate,
    })
  }
  report('GET job, 64 connections: rate / empty route', median(gets.map((r) => r.gateway / r.bare)), '>= 0.6')
  console.log(
    `  ${Math.round(median(gets.map((r) => r.gateway)))} against ${Math.round(median(gets.map((r) => r.bare)))} requests/s`,
  )
} finally {
  for (const { process: child } of [gateway, bare, ...(synced === undefined ? [] : [synced])]) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  await rm(dataDir, { recursive: true })
}
