/**
 * Measures tags of a virtual controller over HTTP: a batch read of 1 000 tags against a static JSON reply of the same
 * size, with the same kind of server and the same request body: rate / rate >= 0.5. The controller runs with a cycle of
 * 10 ms during the measurement.
 *
 * Rounds alternate between the two servers, so that a slow phase of the machine affects both. The medians are reported.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { median, report } from './report.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

interface Server {
  readonly process: ChildProcess
  readonly url: string
}

async function start(kind: 'gateway' | 'static', reply?: string): Promise<Server> {
  const script = fileURLToPath(new URL('./simulation-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, kind], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin!.end(reply ?? '')
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { process: child, url: line.toString().trim() }
}

const headers = { 'content-type': 'application/json', 'x-api-key': 'bench-key' }
const tags = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? `Data.speed[${i >> 1}]` : `Data.count[${i >> 1}]`))
const body = JSON.stringify({ tags })
const path = '/api/simulation/tags/batch-read'

async function load(url: string, connections: number): Promise<autocannon.Result> {
  const result = await autocannon({ url: url + path, method: 'POST', connections, duration: seconds, headers, body })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`)
  return result
}
const rate = (result: autocannon.Result) => result['2xx'] / result.duration

const gateway = await start('gateway')
const servers = [gateway]
try {
  const reply = await (await fetch(gateway.url + path, { method: 'POST', headers, body })).text()
  const read = JSON.parse(reply) as { total: number; bad: number }
  if (read.total !== tags.length || read.bad !== 0) throw new Error(`unexpected reply: ${reply.slice(0, 200)}`)
  const fixed = await start('static', reply)
  servers.push(fixed)
  for (const connections of [1, 16]) {
    await load(gateway.url, connections)
    await load(fixed.url, connections)
    const all: { gateway: number; fixed: number }[] = []
    for (let i = 0; i < rounds; i++)
      all.push({ fixed: rate(await load(fixed.url, connections)), gateway: rate(await load(gateway.url, connections)) })
    report(
      `batch read of 1 000 tags, ${connections} connections: rate / static reply`,
      median(all.map((r) => r.gateway / r.fixed)),
      '>= 0.5',
    )
    const [own, other] = [median(all.map((r) => r.gateway)), median(all.map((r) => r.fixed))]
    console.log(
      `  ${Math.round(own)} against ${Math.round(other)} requests/s, ${Math.round(reply.length / 1024)} KiB each`,
    )
  }
} finally {
  for (const { process: child } of servers) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
