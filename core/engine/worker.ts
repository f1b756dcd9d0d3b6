import { deserialize, getHeapStatistics, serialize } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { importModule } from '../boot/running-code.ts'
import { messageOf, packError } from './errors.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './task-runner.ts'
import type { EngineTaskApi } from './types.ts'

/**
 * The task thread of an engine instance: imports the task's module, calls its function, sends the result back. Modules
 * stay loaded between tasks. Inputs and outputs are serialized here, so that the instance's main thread is never busy
 * with them.
 */

/** Number of a task's first progress messages that are sent without delay; later ones at most one per interval. */
const progressBurst = 200
const progressIntervalMs = 20

const port = parentPort!
const { maxMessageBytes, cancelFlag } = workerData as WorkerSettings
const flag = new Int32Array(cancelFlag)

const modules = new Map<string, Record<string, unknown>>()
let controller: AbortController | undefined

port.on('message', (message: ToWorker) => {
  if (message.kind === 'cancel') controller?.abort(cancelReason())
  else void run(message)
})
send({ kind: 'ready' })

async function run(task: ToWorker & { kind: 'run' }): Promise<void> {
  const current = new AbortController()
  controller = current
  try {
    if (!task.module.startsWith('file:'))
      throw new TypeError(`A task's module must be a file: URL, not "${task.module}".`)
    const input: unknown = deserialize(task.body)
    const module = await load(task.module)
    const fn = module[task.fn]
    if (typeof fn !== 'function') {
      const found = Object.keys(module).join(', ') || 'nothing'
      throw new TypeError(`${task.module} exports no function "${task.fn}" (it exports ${found}).`)
    }
    const api: EngineTaskApi = { progress: progressReporter(), signal: liveSignal(current) }
    const body = pack(task.fn, await fn(input, api))
    send({ kind: 'done', body, heapUsed: getHeapStatistics().used_heap_size }, [body.buffer])
  } catch (error) {
    const body = serialize(packError(error)) as Buffer<ArrayBuffer>
    send({ kind: 'failed', body, heapUsed: getHeapStatistics().used_heap_size })
  } finally {
    if (controller === current) controller = undefined
  }
}

/** Imports a module once. The cache saves 1 ms (measured): even a repeated `import()` asks the loader's own thread. */
async function load(url: string): Promise<Record<string, unknown>> {
  const known = modules.get(url)
  if (known) return known
  const module = await importModule(url)
  modules.set(url, module)
  return module
}

function pack(fn: string, output: unknown): Buffer<ArrayBuffer> {
  let body: Buffer
  try {
    body = serialize(output)
  } catch (error) {
    throw new TypeError(`The result of ${fn} cannot be sent to the gateway: ${messageOf(error)}`)
  }
  if (body.length > maxMessageBytes) {
    throw new RangeError(`The result of ${fn} is ${body.length} bytes; up to ${maxMessageBytes} are allowed.`)
  }
  return body as Buffer<ArrayBuffer>
}

/** An AbortSignal whose state is current even in a loop that never yields: the getter reads the shared flag. */
function liveSignal(from: AbortController): AbortSignal {
  const signal = from.signal
  const aborted = () => {
    if (Atomics.load(flag, 0) === 1 && controller === from) from.abort(cancelReason())
    return Reflect.get(AbortSignal.prototype, 'aborted', signal) as boolean
  }
  Object.defineProperties(signal, {
    aborted: { get: aborted },
    throwIfAborted: {
      value: () => {
        if (aborted()) throw signal.reason
      },
    },
  })
  return signal
}

function cancelReason(): DOMException {
  return new DOMException('The task was cancelled.', 'AbortError')
}

function progressReporter(): EngineTaskApi['progress'] {
  let lastPercent = -1
  let lastMessage: string | undefined
  let count = 0
  let sentAt = 0
  return (percent, message) => {
    if (!Number.isFinite(percent)) return
    const clamped = Math.min(100, Math.max(0, percent))
    if (Math.floor(clamped) === Math.floor(lastPercent) && message === lastMessage) return
    const now = performance.now()
    if (count >= progressBurst && now - sentAt < progressIntervalMs && clamped < 100) return
    count += 1
    sentAt = now
    lastPercent = clamped
    lastMessage = message
    send({ kind: 'progress', percent: clamped, ...(message === undefined ? {} : { message: String(message) }) })
  }
}

function send(message: FromWorker, transfer?: ArrayBuffer[]): void {
  port.postMessage(message, transfer)
}
