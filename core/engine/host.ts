import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { defined } from '../../lib/optional.ts'
import { codeVersion, packageDir } from '../boot/running-code.ts'
import {
  listenAddress,
  newInstanceId,
  prepareInstancesDir,
  removeInstanceFiles,
  writeInstanceFile,
} from './instance-files.ts'
import { type Job, TaskRunner } from './task-runner.ts'
import type { EngineDiagnostics, HostSettings } from './types.ts'
import {
  type ClientMessage,
  encodeFrame,
  type Frame,
  FrameError,
  FrameReader,
  type HostInfo,
  type HostMessage,
  maxHeadBytes,
  maxHelloBytes,
  protocolVersion,
} from './wire.ts'

/**
 * The engine instance: a process of its own that gateways attach to. Started as
 * `node --import tsx core/engine/host.ts <settings as JSON>`; sends `{ ready: true }` on the IPC channel, if it has
 * one, once its file is published. Its main thread only moves messages; tasks run in the thread of `TaskRunner`.
 *
 * Lifetime: it ends on `shutdown`, on SIGTERM, SIGINT or Ctrl+Break, and with its gateway: when the connection of the
 * last one ends without a `detach`, or the IPC channel of the one that launched it before it has attached. After a
 * detach it stays for `detachedExitMs`.
 */

/** Time for a connection to show the token. */
const helloTimeoutMs = 5000

/** Time for the running task to end at shutdown before its thread is terminated. */
const stopGraceMs = 500

interface Client {
  readonly socket: Socket
  readonly jobs: Map<number, Job>
}

const settings = JSON.parse(process.argv[2] ?? '{}') as HostSettings
const startedAt = new Date().toISOString()
const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string }
const code = codeVersion()
const id = settings.id || newInstanceId()
const token = randomBytes(32).toString('hex')
process.title = 'gantry-engine'

const runner = new TaskRunner({
  ...settings,
  recycled: (residentBytes, limitBytes) => {
    for (const { socket } of clients) send(socket, { kind: 'recycled', residentBytes, limitBytes })
  },
})
prepareInstancesDir(settings.instancesDir)
const address = listenAddress(settings.instancesDir, id)
const published = { id, pid: process.pid, startedAt, address, token, protocol: protocolVersion }

const clients = new Set<Client>()
let idleTimer: NodeJS.Timeout | undefined
let lastSample = { at: performance.now(), cpu: process.cpuUsage() }
let stopping = false
let wasDetached = false

const server = createServer(accept)
process.on('exit', (code) => removeInstanceFiles(settings.instancesDir, published, { keepLog: code !== 0 }))
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
process.on('SIGBREAK', () => void stop())
process.on('disconnect', () => {
  if (clients.size === 0 && !wasDetached) void stop()
})
process.on('SIGHUP', () => {
  // A closed terminal does not end the instance: the gateway decides.
})
server.listen(address, () => {
  if (process.platform !== 'win32') chmodSync(address, 0o600)
  writeInstanceFile(settings.instancesDir, published)
  armIdleTimer(settings.idleExitMs)
  process.send?.({ ready: true })
})

function accept(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  const reader = new FrameReader<ClientMessage>(maxHelloBytes, 0)
  const helloTimer = setTimeout(() => socket.destroy(), helloTimeoutMs)
  let client: Client | undefined
  socket.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk, (frame) => {
        if (socket.destroyed) return
        if (client) {
          handle(client, frame)
          return
        }
        clearTimeout(helloTimer)
        client = greet(socket, frame.head)
        if (client) {
          reader.maxHead = maxHeadBytes
          reader.maxBody = settings.maxMessageBytes
        }
      })
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      refuse(socket, error.message)
    }
  })
  socket.on('close', () => {
    clearTimeout(helloTimer)
    if (client && leave(client)) void stop()
  })
}

/** Checks the first message. Returns the client if it is accepted. */
function greet(socket: Socket, hello: ClientMessage): Client | undefined {
  if (hello.kind !== 'hello' || typeof hello.token !== 'string' || !isToken(hello.token)) {
    refuse(socket, 'The token is wrong.')
    return undefined
  }
  if (hello.protocol !== protocolVersion) {
    refuse(socket, `The instance speaks protocol ${protocolVersion}, the gateway ${String(hello.protocol)}.`)
    return undefined
  }
  if (hello.role === 'probe') {
    send(socket, { kind: 'welcome', info: info() })
    socket.end()
    return undefined
  }
  const client: Client = { socket, jobs: new Map() }
  clients.add(client)
  clearTimeout(idleTimer)
  send(socket, { kind: 'welcome', info: info() })
  return client
}

function isToken(shown: string): boolean {
  const a = Buffer.from(shown)
  const b = Buffer.from(token)
  return a.length === b.length && timingSafeEqual(a, b)
}

function refuse(socket: Socket, reason: string): void {
  send(socket, { kind: 'refused', reason })
  socket.end()
  socket.destroySoon()
}

function handle(client: Client, { head, body }: Frame<ClientMessage>): void {
  switch (head.kind) {
    case 'run': {
      const job = jobOf(client, head, body ?? new Uint8Array())
      client.jobs.set(head.id, job)
      runner.submit(job)
      return
    }
    case 'cancel': {
      const job = client.jobs.get(head.id)
      if (job) runner.cancel(job)
      return
    }
    case 'diagnostics':
      send(client.socket, { kind: 'reply', id: head.id, value: diagnostics() })
      return
    case 'detach':
      send(client.socket, { kind: 'reply', id: head.id, value: undefined })
      client.socket.end()
      if (leave(client)) {
        wasDetached = true
        armIdleTimer(settings.detachedExitMs)
      }
      return
    case 'shutdown':
      send(client.socket, { kind: 'reply', id: head.id, value: undefined })
      void stop()
      return
    case 'hello':
      refuse(client.socket, 'The greeting was sent twice.')
  }
}

function jobOf(client: Client, head: { id: number; module: string; fn: string }, body: Uint8Array<ArrayBuffer>): Job {
  const { socket, jobs } = client
  return {
    module: head.module,
    fn: head.fn,
    body,
    started: () => send(socket, { kind: 'started', id: head.id }),
    progress: (percent, message) => send(socket, { kind: 'progress', id: head.id, percent, ...defined({ message }) }),
    output: (stream, text) => send(socket, { kind: 'output', stream, text }),
    done: (output) => {
      jobs.delete(head.id)
      send(socket, { kind: 'done', id: head.id }, output)
    },
    failed: (error, packed) => {
      jobs.delete(head.id)
      send(socket, { kind: 'failed', id: head.id, error }, packed)
    },
  }
}

/** A client is gone: its tasks are cancelled. True when it was the last one. */
function leave(client: Client): boolean {
  if (!clients.delete(client)) return false
  for (const job of client.jobs.values()) runner.cancel(job)
  return clients.size === 0
}

function armIdleTimer(ms: number): void {
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => void stop(), ms)
}

function info(): HostInfo {
  return {
    id,
    protocol: protocolVersion,
    pid: process.pid,
    version,
    code,
    startedAt,
    mode: 'WithoutUserInterface',
    attached: clients.size > 0,
    busy: runner.busy,
    dataDir: settings.instancesDir,
  }
}

function diagnostics(): EngineDiagnostics {
  const now = performance.now()
  const cpu = process.cpuUsage()
  const usedUs = cpu.user + cpu.system - lastSample.cpu.user - lastSample.cpu.system
  const percent = (usedUs / 1000 / Math.max(1, now - lastSample.at)) * 100
  lastSample = { at: now, cpu }
  const task = runner.current
  return {
    pid: process.pid,
    version,
    startedAt,
    uptimeMs: Math.round(process.uptime() * 1000),
    memory: process.memoryUsage(),
    workerHeapUsed: runner.heapUsed,
    cpu: { userMs: cpu.user / 1000, systemMs: cpu.system / 1000, percent: Math.round(percent * 10) / 10 },
    tasksDone: runner.done,
    tasksFailed: runner.failed,
    tasksCancelled: runner.cancelled,
    queue: runner.queued,
    busy: runner.busy,
    ...(task
      ? {
          currentTask: {
            fn: task.fn,
            module: task.module,
            runningMs: Math.round(now - task.startedAt),
            percent: task.percent,
          },
        }
      : {}),
    workerRestarts: runner.restarts,
    clients: clients.size,
  }
}

function send(socket: Socket, head: HostMessage, body?: Uint8Array): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.cork()
  for (const chunk of encodeFrame(head, body)) socket.write(chunk)
  socket.uncork()
}

/**
 * Shuts down: no new connections, tasks cancelled and answered, then exit. Connections stay open until then, because
 * their end tells the gateway that the process is gone.
 */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  server.close()
  await runner.stop(stopGraceMs)
  // Gives the event loop one turn, so that the last answers reach the sockets.
  setImmediate(() => process.exit(0))
}
