/**
 * A gateway under the load of many clients at once: REST reads and writes, jobs that are polled, MCP, server-sent
 * events, viewers of an HMI station, a reader that does not read, and two virtual controllers with a cycle of 10 ms.
 *
 *   node --import tsx scripts/load-rounds.ts [seconds, 600] [clients, 64]
 *
 * Tells latencies, memory and handles; a refused or failed call, a lost cycle of a program, a stream that says nothing,
 * memory or handles that keep growing are faults. `test/load.int.test.ts` runs the short form.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { exchange, type GatewayProcess, startGateway } from './crash-rounds.ts'

export interface LoadReport {
  readonly requests: number
  /** Latency of REST calls that do not wait for anything, ms. */
  readonly p50: number
  readonly p99: number
  /** Resident set of the gateway at the beginning, a third and the end, MB. */
  readonly memory: readonly number[]
  /**
   * Open files and sockets of the gateway before, and after all clients have gone; empty where the system has no /proc.
   */
  readonly handles: readonly number[]
  /** Cycles done by the controllers, and those due in the time. */
  readonly cycles: readonly { readonly done: number; readonly due: number }[]
  /** Events received by the streams. */
  readonly events: number
  readonly faults: readonly string[]
}

const program = `
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VAR
  count : DInt;
  setpoint : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".count := "Data".count + 1;
END_ORGANIZATION_BLOCK
`
const controllers = [1, 2].map((n) => ({ device: `PLC_${n}`, instance: `Sim_${n}`, ipAddress: `192.168.0.${n}` }))
const pause = 10

type Answer = Awaited<ReturnType<typeof exchange>>['body']
/** What a client does again and again. */
type Round = (client: number, turn: number) => Promise<unknown>

class Load {
  readonly faults: string[] = []
  readonly latencies: number[] = []
  readonly #gateway: GatewayProcess
  readonly #agent: Agent
  requests = 0
  events = 0
  isOver = false

  constructor(gateway: GatewayProcess, clients: number) {
    this.#gateway = gateway
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients + 8 })
  }

  fault(text: string): void {
    // The first ones say what is wrong.
    if (this.faults.length < 50) this.faults.push(text)
  }

  /** One call; anything but success is a fault. */
  async ask(method: string, path: string, body?: unknown, isTimed = true): Promise<Answer> {
    const begin = performance.now()
    const { status, body: answer } = await exchange(this.#gateway, this.#agent, method, `/api/${path}`, body)
    this.requests++
    if (isTimed) this.latencies.push(performance.now() - begin)
    if (status >= 400) this.fault(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 400)}`)
    return answer
  }

  /** Repeats a round until the load is over. */
  async repeat(client: number, round: Round): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) {
      try {
        await round(client, turn)
      } catch (error) {
        if (!this.isOver) this.fault(`client ${client}: ${String(error)}`)
      }
      await sleep(pause)
    }
  }

  /** Reads a stream of events until the load is over; one that never says anything is a fault. */
  async follow(path: string): Promise<void> {
    const ended = new AbortController()
    const { url, key } = this.#gateway
    let received = 0
    const stop = setInterval(() => this.isOver && ended.abort(), 50)
    try {
      const response = await fetch(`${url}/api/${path}`, { headers: { 'x-api-key': key }, signal: ended.signal })
      if (response.status !== 200) this.fault(`${path}: ${response.status} ${await response.text()}`)
      else
        for await (const chunk of response.body!) received += Buffer.from(chunk).toString().split('\ndata:').length - 1
      if (!this.isOver) this.fault(`${path} ended`)
    } catch (error) {
      if (!this.isOver) this.fault(`${path}: ${String(error)}`)
    } finally {
      clearInterval(stop)
    }
    this.events += received
    if (received === 0) this.fault(`${path} has sent no event`)
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The rounds of the clients, by their number: of every eight three write, two read, two poll jobs, one writes tags. */
function roundsOf(load: Load): readonly Round[] {
  const write: Round = async (client, turn) => {
    const table = `devices/PLC_1/tag-tables/Client_${client}/tags`
    const name = `Tag_${client}_${turn % 50}`
    if (turn < 50) {
      await load.ask('POST', 'devices/PLC_1/tags', { tableName: `Client_${client}`, name, dataType: 'Int' })
      return
    }
    await load.ask('PUT', `${table}/${name}`, { comment: `turn ${turn}` })
    const { tags } = (await load.ask('GET', `${table}?limit=100`)) as unknown as {
      tags: { name: string; comment: string }[]
    }
    if (tags.find((tag) => tag.name === name)?.comment !== `turn ${turn}`)
      load.fault(`client ${client}: ${name} is not as it was written`)
  }
  const read: Round = async () => {
    for (const path of ['devices/PLC_1/blocks', 'devices/PLC_1/tags/all?limit=100', 'health', 'projects/overview'])
      await load.ask('GET', path)
  }
  const poll: Round = async (client, turn) => {
    const { jobId } = await load.ask('POST', 'devices/PLC_1/tag-tables/actions/create', {
      name: `Made_${client}_${turn}`,
    })
    const { status } = await load.ask('GET', `jobs/${jobId}?wait=20`, undefined, false)
    if (status !== 'Completed') load.fault(`job ${jobId} is ${status}`)
    await load.ask('DELETE', `devices/PLC_1/tag-tables/Made_${client}_${turn}/actions/delete-sync`)
  }
  const set: Round = (client, turn) =>
    load.ask('PUT', `simulation/tags/Data.setpoint?name=Sim_${1 + (client % 2)}`, { value: turn % 1000 })
  return [write, read, poll, write, set, read, write, poll]
}

/** Runs the load. @param seconds how long the clients work @param clients how many there are, 16 or more */
export async function loadRounds(seconds: number, clients = 64): Promise<LoadReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-load-'))
  const gateway = await startGateway(dataDir, ['--log-level', 'silent', '--durability', 'os'])
  const load = new Load(gateway, clients)
  const sockets: Socket[] = []
  try {
    await prepare(load, clients)
    const handlesBefore = await handlesOf(gateway)
    const rounds = roundsOf(load)
    const memory = [await memoryOf(load)]
    const before = await countsOf(load)
    const [viewers, followers, agents] = [Math.floor(clients / 12), Math.floor(clients / 12), Math.floor(clients / 8)]
    const others = clients - viewers - followers - agents
    const work = [
      ...Array.from({ length: others }, (_, i) => load.repeat(i, rounds[i % rounds.length]!)),
      ...Array.from({ length: agents }, (_, i) => speakMcp(gateway, load, i)),
      ...Array.from({ length: viewers }, () => load.follow('hmi/stations/Panel/stream?intervalMs=100')),
      ...Array.from({ length: followers }, () => load.follow('events')),
    ]
    // It asks for all events and for the values of the station, and never reads them.
    for (const path of ['events', 'hmi/stations/Panel/stream?intervalMs=20']) sockets.push(neverRead(gateway, path))
    await sleep((seconds * 1000) / 3)
    memory.push(await memoryOf(load))
    await sleep((seconds * 1000 * 2) / 3)
    load.isOver = true
    await Promise.all(work)
    const after = await countsOf(load)
    memory.push(await memoryOf(load))
    for (const socket of sockets) socket.destroy()
    load.close()
    const handles = [...handlesBefore, ...(await handlesAfter(gateway, handlesBefore[0] ?? 0))]
    judge(load, memory, handles, clients)
    const sorted = load.latencies.sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      requests: load.requests,
      p50: at(0.5),
      p99: at(0.99),
      memory,
      handles,
      cycles: after.map(({ count, at: end }, i) => ({
        done: count - before[i]!.count,
        due: (end - before[i]!.at) / 10,
      })),
      events: load.events,
      faults: load.faults,
    }
  } finally {
    load.isOver = true
    load.close()
    for (const socket of sockets) socket.destroy()
    gateway.child.kill('SIGTERM')
    if (gateway.child.exitCode === null) await new Promise((resolve) => gateway.child.once('exit', resolve))
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A project with two PLCs that run, a compiled station that shows their values, and a tag table for each client. */
async function prepare(load: Load, clients: number): Promise<void> {
  const { ask } = { ask: load.ask.bind(load) }
  for (let i = 0; (await ask('GET', 'health')).status !== 'ok'; i++) {
    if (i > 600) throw new Error('the instance does not start')
    await sleep(100)
  }
  await ask('PATCH', 'settings', { limits: { requestsPerSecond: 100_000 } })
  await ask('POST', 'projects/actions/create-sync', { name: 'Load' })
  await ask('POST', 'projects/actions/simulation-support', {})
  for (const { device, instance, ipAddress } of controllers) {
    await ask('POST', 'projects/devices/actions/add-sync', { name: device, orderNumber: '6ES7 515-2AM02-0AB0' })
    await ask('POST', `devices/${device}/actions/configure-network-sync`, { ipAddress })
    await ask('POST', `devices/${device}/blocks/actions/import-sync`, { content: program })
    await ask('POST', 'simulation/instances/create', {
      name: instance,
      cpuType: 'CPU1515',
      ipAddress,
      config: { minimumCycleTimeMs: 10, maximumCycleTimeMs: 6000 },
    })
    await ask('POST', `simulation/instances/${instance}/power-on`, {})
    await ask('POST', `devices/${device}/actions/download-sync`, { compile: true, startAfter: true })
  }
  await ask('POST', 'projects/devices/actions/add-sync', { name: 'Panel', orderNumber: '6AV2 124-0MC01-0AX0' })
  await ask('POST', 'devices/Panel/hmi/connections', { name: 'C', partner: 'PLC_1' })
  await ask('POST', 'devices/Panel/hmi/screens', { name: 'Home', width: 800, height: 480 })
  const bindings = [{ property: 'processValue', tag: 'Data.count' }]
  await ask('POST', 'hmi/screens/Home/objects', {
    type: 'IOField',
    name: 'Count',
    left: 0,
    top: 0,
    width: 100,
    height: 30,
    bindings,
  })
  const { success, messages } = await ask('POST', 'hmi/compile', { stationName: 'Panel' })
  if (success !== true) load.fault(`the station is not compiled: ${JSON.stringify(messages)}`)
  for (let i = 0; i < clients; i++)
    await ask('POST', 'devices/PLC_1/tag-tables/actions/create-sync', { name: `Client_${i}` })
}

/** Cycles at a time, ms. */
interface Count {
  readonly count: number
  readonly at: number
}

/**
 * The cycles of each controller, counted by its program; a cycle that the controller counts and the program lacks is
 * lost.
 */
async function countsOf(load: Load): Promise<Count[]> {
  const counts: Count[] = []
  for (const { device, instance } of controllers) {
    const cycles = async () => Number((await load.ask('GET', `devices/${device}/cpu/status`)).cycles)
    const before = await cycles()
    const at = performance.now()
    const count = Number((await load.ask('GET', `simulation/tags/Data.count?name=${instance}`)).value)
    const after = await cycles()
    if (count < before - 1 || count > after + 1)
      load.fault(`${instance}: the program has counted ${count} cycles of ${before} to ${after}`)
    counts.push({ count, at })
  }
  return counts
}

async function speakMcp({ url, key }: GatewayProcess, load: Load, number: number): Promise<void> {
  const client = new Client({ name: `agent ${number}`, version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { 'x-api-key': key } },
    }) as never,
  )
  await load.repeat(number, async (_, turn) => {
    const [operation, input] =
      turn % 2 === 0
        ? ['blocks.list', { deviceName: 'PLC_1' }]
        : ['simulation.read-tag', { name: 'Sim_1', tagName: 'Data.count' }]
    const { isError, content } = await client.callTool({ name: 'call_operation', arguments: { operation, input } })
    load.requests++
    if (isError) load.fault(`MCP ${operation}: ${JSON.stringify(content).slice(0, 300)}`)
  })
  await client.close()
}

/** A client that asks for a stream and never reads: what the gateway holds for it must have a bound. */
function neverRead({ url, key }: GatewayProcess, path: string): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`)
  return socket
}

const memoryOf = async (load: Load): Promise<number> => {
  const { process: own } = (await load.ask('GET', 'health/diagnostics')) as unknown as {
    process: { memoryBytes: number }
  }
  return Math.round(own.memoryBytes / 1e6)
}

const handlesOf = async ({ child }: GatewayProcess): Promise<number[]> =>
  readdir(`/proc/${child.pid}/fd`).then(
    ({ length }) => [length],
    () => [],
  )

/** The handles when the server has seen that its clients are gone; waits for it, at most 20 s. */
async function handlesAfter(gateway: GatewayProcess, before: number): Promise<number[]> {
  let seen = await handlesOf(gateway)
  for (let i = 0; i < 100 && (seen[0] ?? 0) > before + 4; i++) {
    await sleep(200)
    seen = await handlesOf(gateway)
  }
  return seen
}

/** Faults of the whole: what has grown although the same was done again and again. */
function judge(
  load: Load,
  [, middle = 0, end = 0]: readonly number[],
  handles: readonly number[],
  clients: number,
): void {
  // Undo keeps the values of some thousand commands, and the heap is collected late: a third and 150 MB are no leak.
  if (end > 1.34 * middle + 150) load.fault(`memory has grown from ${middle} to ${end} MB`)
  const [before = 0, after = 0] = handles
  if (after > before + clients / 4)
    load.fault(`there were ${before} open handles, and are ${after} after all clients have gone`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [seconds = 600, clients = 64] = process.argv.slice(2).map(Number)
  const report = await loadRounds(seconds, clients)
  console.log(JSON.stringify(report, undefined, 2))
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
