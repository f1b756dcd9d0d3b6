/**
 * Measures HMI stations. 1 000 values that change 10 times a second, on 5 viewers: processor time of the gateway
 * against that of a bare server that sends the same bytes at the same times, of the page in a browser against that of a
 * page that only reads them, and whether the controller (cycle of 10 ms) loses cycles by its viewers: its cycles in
 * windows with viewers against those in windows without, by turns, because a busy computer holds up its thread in both.
 * Then the compile of 100 screens with 5 000 bindings against one JSON.stringify of the model.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openTestGateway } from '../core/testing/index.ts'
import { bundlePage, hasBrowser, hmi, panels } from '../test/hmi.ts'
import { gridProgram, gridScreen } from '../test/hmi-screens.ts'
import { newProject, plc } from '../test/online.ts'
import { writeWorkspace } from '../test/plant.ts'
import { median, report } from './report.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const viewers = 5
const cycleMs = 10
/** Windows with viewers, each after one without. */
const rounds = 6

interface Counted {
  /** ms. */
  readonly at: number
  readonly cpu: number
  readonly cycles: number
  readonly overruns: number
  readonly lost: number
}
interface Server {
  readonly process: ChildProcess
  readonly url: string
  readonly key: string
  count(): Promise<Counted>
}

async function start(...args: string[]): Promise<Server> {
  const script = fileURLToPath(new URL('./hmi-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async <T>() => JSON.parse((await lines.next()).value as string) as T
  const { url, key } = await next<{ url: string; key: string }>()
  const count = () => {
    child.stdin!.write('\n')
    return next<Counted>()
  }
  return { process: child, url, key, count }
}

async function stop({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Reads a stream until the signal; pieces with their times. */
async function read(
  url: string,
  key: string,
  signal: AbortSignal,
  pieces?: { at: number; text: string }[],
): Promise<number> {
  let bytes = 0
  try {
    const { body } = await fetch(url, { headers: { 'X-API-Key': key }, signal })
    const began = performance.now()
    for await (const piece of body!) {
      bytes += piece.length
      pieces?.push({ at: performance.now() - began, text: Buffer.from(piece).toString() })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return bytes
}

type Load = Awaited<ReturnType<typeof load>>

/** Processor time of a server in ms in a second, with so many viewers, and what each read. */
async function load(server: Server, path: string, count: number) {
  const end = new AbortController()
  const reading = Array.from({ length: count }, () => read(server.url + path, server.key, end.signal))
  await sleep(1000)
  const before = await server.count()
  await sleep(seconds * 1000)
  const after = await server.count()
  end.abort()
  const bytes = await Promise.all(reading)
  return { cpu: (after.cpu - before.cpu) / seconds, bytes: bytes[0] ?? 0, before, after }
}

/**
 * Processor time of the tasks of a page in ms in a second, and how often it counted `updates` in that time: a page that
 * waits for the processor takes several pieces of the stream together, so only the time of one update is comparable.
 */
async function pageLoad(open: (page: import('playwright-core').Page) => Promise<void>) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    await open(page)
    const session = await page.context().newCDPSession(page)
    // Processor time: what other programs take of it does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const now = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const updates = (await page.evaluate('updates')) as number
      return { updates, tasks: 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) }
    }
    await sleep(2000)
    const before = await now()
    await sleep(seconds * 1000)
    const after = await now()
    const [updates, tasks] = [after.updates - before.updates, after.tasks - before.tasks]
    return { cpu: tasks / seconds, updates: updates / seconds, each: tasks / updates }
  } finally {
    await browser.close()
  }
}

await bundlePage()
const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
const gateway = await start('gateway')
const servers = [gateway]
try {
  const path = '/api/hmi/stations/HMI_1/stream'
  const pieces: { at: number; text: string }[] = []
  await read(gateway.url + path, gateway.key, AbortSignal.timeout(5000), pieces)
  await writeFile(join(dir, 'pieces.json'), JSON.stringify(pieces))
  const echo = await start('echo', join(dir, 'pieces.json'))
  servers.push(echo)
  const bare = await load(echo, '/stream', viewers)
  const idles: Load[] = []
  const owns: Load[] = []
  for (let i = 0; i < rounds; i++) {
    idles.push(await load(gateway, path, 0))
    owns.push(await load(gateway, path, viewers))
  }
  const cpuOf = (loads: readonly Load[]) => median(loads.map(({ cpu }) => cpu))
  const [idle, own] = [cpuOf(idles), cpuOf(owns)]
  const { bytes } = owns[0]!
  report('1 000 values, 10/s, 5 viewers: CPU of the gateway / echo', (own - idle) / bare.cpu, '')
  console.log(
    `  ${own.toFixed(0)} ms/s (${idle.toFixed(0)} without viewers) against ${bare.cpu.toFixed(0)}; ` +
      `${Math.round(bytes / 1024)} and ${Math.round(bare.bytes / 1024)} KiB each`,
  )
  const faults = ({ overruns, lost }: Counted) => overruns + lost
  report('  lost cycles and events of the controller', faults(owns.at(-1)!.after) - faults(idles[0]!.before), '0')
  // A thread that the computer holds up for more than ten cycles gives up the others: only the time that has passed
  // shows what is missing.
  const shareOf = ({ before, after }: Load) => (after.cycles - before.cycles) / ((after.at - before.at) / cycleMs)
  const [without, withViewers] = [idles.map(shareOf), owns.map(shareOf)]
  report('  cycles of 10 ms with viewers / without viewers', median(withViewers) / median(without), '>= 0.99')
  const shares = (all: readonly number[]) => all.map((share) => share.toFixed(3)).join(', ')
  console.log(`  of those due: ${shares(withViewers)} with viewers, ${shares(without)} without`)
  if (hasBrowser) {
    const page = await pageLoad(async (one) => {
      await one.goto(`${gateway.url}/hmi/HMI_1/`)
      await one.getByLabel('API key').fill(gateway.key)
      await one.getByRole('button', { name: 'Open' }).click()
      await one.getByLabel('Value 999', { exact: true }).waitFor()
      await one.evaluate(
        `updates = 0; new MutationObserver(() => updates++).observe(document.querySelector('[data-name="Value 0"]'),
          { subtree: true, childList: true, characterData: true })`,
      )
    })
    const plain = await pageLoad(async (one) => void (await one.goto(`${echo.url}/`)))
    report('the same: time of one update of the page / of a page that only reads', page.each / plain.each, '')
    const told = ({ cpu, updates, each }: typeof page) =>
      `${each.toFixed(1)} ms for each of ${updates.toFixed(1)} updates/s, ${cpu.toFixed(0)} ms/s`
    console.log(`  ${told(page)}, against ${told(plain)}`)
  } else console.log('  the page is not measured: there is no browser')
} finally {
  await Promise.all(servers.map(stop))
  await rm(dir, { recursive: true, force: true })
}

const at = await openTestGateway({ durability: 'fsync' })
try {
  await newProject(at, 'Compile')
  await at.call('blocks.import', { ...plc, content: gridProgram(5000) })
  await at.call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  const files = Array.from({ length: 100 }, (_one, i) => [`hmi/s${i}.xml`, gridScreen(`Screen ${i}`, 60, 50, i * 50)])
  await writeWorkspace(at, Object.fromEntries(files))
  await at.call('hmi.import', { ...hmi, filePath: 'hmi' })
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const began = performance.now()
    const { success } = await at.call<{ success: boolean }>('hmi.compile', { rebuildAll: true })
    if (!success) throw new Error('the station has errors')
    times.push(performance.now() - began)
  }
  const model = JSON.parse(await at.call<string>('hmi.show-model', { stationName: 'HMI_1' }))
  const texts: number[] = []
  for (let i = 0; i < 50; i++) {
    const began = performance.now()
    JSON.stringify(model)
    texts.push(performance.now() - began)
  }
  report('compile of 100 screens, 5 000 bindings / JSON.stringify', median(times) / median(texts), '')
  console.log(`  ${median(times).toFixed(0)} ms against ${median(texts).toFixed(2)} ms`)
} finally {
  await at.close()
}
