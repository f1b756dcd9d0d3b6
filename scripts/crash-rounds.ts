/**
 * Kills a gateway under load with SIGKILL at random moments, starts it again, and checks that nothing acknowledged is
 * missing and nothing is half-applied. `CRASH_ROUNDS=1000 npm test test/crash.int.test.ts` runs that many rounds.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../test/command-line.ts'
import { randomFrom } from '../test/random.ts'

const fixturePlugins = fileURLToPath(new URL('../core/fixtures/plugins', import.meta.url))

/** The result of the rounds. `faults` is empty when everything is correct. */
export interface CrashReport {
  readonly rounds: number
  readonly acknowledged: number
  readonly faults: readonly string[]
}

/** A gateway process started by the real command line, on a free port. */
export interface GatewayProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly key: string
}

/**
 * Starts `gantry serve` and waits until it answers.
 * @throws Error with its output when it ends instead
 */
export async function startGateway(
  dataDir: string,
  args: readonly string[] = [],
  execPrefix: readonly string[] = [],
): Promise<GatewayProcess> {
  const command = [process.execPath, ...commandLine, 'serve', '--port', '0', '--data-dir', dataDir, ...args]
  const [file, ...rest] = [...execPrefix, ...command]
  const child = spawn(file!, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout!.on('data', (data) => {
    output += data
  })
  child.stderr!.on('data', (data) => {
    output += data
  })
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code, signal) => reject(new Error(`the gateway ended (${code ?? signal}):\n${output}`))),
  )
  ended.catch(() => {})
  const ready = async () => {
    // Only while the process runs: endless polling would keep the caller's process alive.
    while (child.exitCode === null && child.signalCode === null) {
      const info = await readFile(join(dataDir, 'gateway.json'), 'utf8').then(JSON.parse, () => undefined)
      if (info?.pid === child.pid) {
        const key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim()
        return { child, url: info.url as string, key }
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return ended
  }
  return Promise.race([ready(), ended])
}

/** Makes one HTTP exchange; rejects when the connection breaks. */
export function exchange(
  gateway: Pick<GatewayProcess, 'url' | 'key'>,
  agent: Agent,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const req = request(`${gateway.url}${path}`, {
      method,
      agent,
      headers: {
        'x-api-key': gateway.key,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    req.on('error', reject)
    req.on('response', (response) => {
      let received = ''
      response.on('data', (data) => {
        received += data
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, body: received ? JSON.parse(received) : {} }))
    })
    req.end(text)
  })
}

/** Number of connections, used by the rounds in turn. */
const loads = [1, 8, 40]

/** Runs the rounds. Random moments come from a seeded generator, so that a failure can be repeated. */
export async function crashRounds(rounds: number, seed = 1): Promise<CrashReport> {
  const connections = Math.max(...loads)
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-crash-'))
  const random = randomFrom(seed)
  const faults: string[] = []
  const acknowledged = new Array<number>(connections).fill(0)
  let pairs = 0
  const agent = new Agent({ keepAlive: true, maxSockets: connections + 2 })
  const serve = () => startGateway(dataDir, ['--plugins-dir', fixturePlugins, '--log-level', 'silent', '--no-instance'])
  try {
    for (let round = 1; round <= rounds; round++) {
      const gateway = await serve()
      await check(gateway, round)
      const load = Promise.all(Array.from({ length: loads[round % loads.length]! }, (_, i) => drive(gateway, i)))
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 400))
      gateway.child.kill('SIGKILL')
      await Promise.all([load, new Promise((resolve) => gateway.child.once('exit', resolve))])
      if (faults.length > 0) break
    }
    const gateway = await serve()
    await check(gateway, rounds + 1)
    const verified = await exchange(gateway, agent, 'GET', '/api/audit/verify')
    if (verified.body.ok !== true) faults.push(`audit verify: ${JSON.stringify(verified.body)}`)
    gateway.child.kill('SIGTERM')
    await new Promise((resolve) => gateway.child.once('exit', resolve))
  } finally {
    agent.destroy()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { rounds, acknowledged: acknowledged.reduce((a, b) => a + b, 0), faults }

  async function drive(gateway: GatewayProcess, i: number) {
    try {
      for (;;) {
        const { status, body } = await exchange(gateway, agent, 'POST', `/api/counter/c${i}/actions/add-sync`, {
          by: 1,
        })
        if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
        acknowledged[i] = body.value as number
        const pair = await exchange(gateway, agent, 'POST', '/api/counter-pairs/actions/add-sync', {
          left: 'left',
          right: 'right',
        })
        pairs = Math.max(pairs, pair.body.left as number)
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // The connection breaks when the process is killed; anything else is a fault.
      if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED' && code !== 'EPIPE')
        faults.push(`connection ${i}: ${message}`)
    }
  }

  async function check(gateway: GatewayProcess, round: number) {
    const value = async (name: string) => {
      const { status, body } = await exchange(gateway, agent, 'GET', `/api/counter/${name}`)
      return status === 404 ? 0 : (body.value as number)
    }
    // The lane runs one command after the other: with this one, those that the kill left waiting have ended.
    await exchange(gateway, agent, 'POST', '/api/counter/fence/actions/add-sync', { by: 1 })
    for (const [i, last] of acknowledged.entries()) {
      const found = await value(`c${i}`)
      // The request that the kill interrupted may have been executed.
      if (found !== last && found !== last + 1)
        faults.push(`round ${round}: counter c${i} is ${found}, acknowledged was ${last}`)
      acknowledged[i] = found
    }
    const [left, right] = [await value('left'), await value('right')]
    if (left !== right) faults.push(`round ${round}: half of a command is there: left ${left}, right ${right}`)
    if (left < pairs) faults.push(`round ${round}: pair counter is ${left}, acknowledged was ${pairs}`)
    pairs = left
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rounds = Number(process.argv[2] ?? 1000)
  const report = await crashRounds(rounds, Number(process.argv[3] ?? Date.now() % 1e6))
  console.log(report)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
