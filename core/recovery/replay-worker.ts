/**
 * Replay while a gateway runs. It happens in a worker thread, because commands compute on the thread that replays them.
 * The worker requests records and blobs from this thread, which has the store.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { LogRecord } from '../../store/index.ts'
import { startThread } from '../boot/running-code.ts'
import { GatewayError, isGatewayError } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { changesState, type ReplayReport, type ReplaySource, replayFrom, storeSource } from './replay.ts'

/** Least number of records in one answer; whole commits are sent. */
const pageRecords = 1000

interface Settings {
  readonly session: ReplaySource['session']
  readonly sealKey: string | undefined
  readonly pluginDirs: readonly string[]
  readonly version: string
}

type Request =
  | { readonly method: 'records'; readonly from: number; readonly to: number; readonly eventsOnly: boolean }
  | { readonly method: 'accepted'; readonly jobId: string }
  | { readonly method: 'blob'; readonly hash: string }

interface Failure {
  readonly message: string
  /** The code, if the error is a problem. */
  readonly code?: string
}

type FromWorker =
  | { readonly kind: 'ask'; readonly id: number; readonly request: Request }
  | { readonly kind: 'progress'; readonly percent: number; readonly message: string }
  | { readonly kind: 'done'; readonly report: ReplayReport }
  | { readonly kind: 'failed'; readonly failure: Failure }

type ToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly failure: Failure }

/** One page of records; `next` is the seq where the following page starts. */
interface Page {
  readonly records: readonly LogRecord[]
  readonly next: number
}

/**
 * Replays a session of a running gateway; it may be the session that is still running.
 *
 * @throws GatewayError `not_found` for an unknown session; the signal's reason when it is aborted
 */
export async function replayBeside(
  gateway: Gateway,
  session: number,
  o: { readonly signal: AbortSignal; readonly onProgress: (percent: number, message: string) => void },
): Promise<ReplayReport> {
  const source = await storeSource(gateway.store, gateway.dataDir, session, gateway.sessionSeq)
  const settings: Settings = {
    session: source.session,
    sealKey: source.sealKey,
    pluginDirs: gateway.options.pluginDirs,
    version: gateway.version,
  }
  o.signal.throwIfAborted()
  const worker = startThread(new URL('./replay-thread.ts', import.meta.url), { workerData: settings })
  const aborted = new Promise<never>((_, reject) =>
    o.signal.addEventListener('abort', () => reject(o.signal.reason), { once: true }),
  )
  const ended = new Promise<ReplayReport>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the replay thread ended with exit code ${code}`)))
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'done') resolve(message.report)
      else if (message.kind === 'failed') reject(errorOf(message.failure))
      else if (message.kind === 'progress') o.onProgress(message.percent, message.message)
      else void answer(source, message.request).then((reply) => worker.postMessage({ ...reply, id: message.id }))
    })
  })
  try {
    return await Promise.race([ended, aborted])
  } finally {
    worker.removeAllListeners('exit')
    await worker.terminate()
  }
}

type Reply = { kind: 'answer'; value: unknown } | { kind: 'refusal'; failure: Failure }

async function answer(source: ReplaySource, request: Request): Promise<Reply> {
  try {
    return { kind: 'answer', value: await answerTo(source, request) }
  } catch (error) {
    return { kind: 'refusal', failure: failureOf(error) }
  }
}

async function answerTo(source: ReplaySource, request: Request): Promise<unknown> {
  switch (request.method) {
    case 'accepted':
      return source.accepted(request.jobId)
    case 'blob':
      return source.blob(request.hash)
    case 'records':
      return pageOf(source, request)
  }
}

async function pageOf(source: ReplaySource, { from, to, eventsOnly }: Request & { method: 'records' }): Promise<Page> {
  const page: LogRecord[] = []
  // Records that are left out advance `next` too, so `next` is separate from the records.
  let next = from
  for await (const records of source.records(from, to, false)) {
    next = (records[records.length - 1]?.seq ?? next) + 1
    for (const record of records) if (!eventsOnly || changesState(record)) page.push(record)
    if (page.length >= pageRecords) break
  }
  return { records: page, next }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return isGatewayError(error) ? { message, code: error.code } : { message }
}

function errorOf({ message, code }: Failure): Error {
  return code === undefined ? new Error(message) : new GatewayError(code, message)
}

/** The worker's side: replays what `workerData` says and reports to the parent. */
export async function replayInThisThread(): Promise<void> {
  const port = parentPort!
  const { session, sealKey, pluginDirs, version } = workerData as Settings
  const ask = asker(port)
  const source: ReplaySource = {
    session,
    sealKey,
    async *records(from, to, eventsOnly) {
      for (let next = from; next <= to; ) {
        const page = (await ask({ method: 'records', from: next, to, eventsOnly })) as Page
        if (page.records.length > 0) yield page.records
        if (page.next === next) return
        next = page.next
      }
    },
    accepted: (jobId) => ask({ method: 'accepted', jobId }) as Promise<LogRecord | undefined>,
    blob: (hash) => ask({ method: 'blob', hash }) as Promise<Uint8Array>,
  }
  const tell = (message: FromWorker) => port.postMessage(message)
  try {
    const onProgress = (percent: number, message: string) => tell({ kind: 'progress', percent, message })
    tell({ kind: 'done', report: await replayFrom(source, { pluginDirs, version, onProgress }) })
  } catch (error) {
    tell({ kind: 'failed', failure: failureOf(error) })
  } finally {
    port.close()
  }
}

function asker(port: MessagePort): (request: Request) => Promise<unknown> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  port.on('message', (message: ToWorker) => {
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'answer') waiter?.resolve(message.value)
    else waiter?.reject(errorOf(message.failure))
  })
  return (request) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      port.postMessage({ kind: 'ask', id, request } satisfies FromWorker)
    })
}
