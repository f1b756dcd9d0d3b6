/**
 * Job events in the form of ASP.NET SignalR (protocol 1.5) with long polling, as editors of this API family listen for
 * them: negotiate, connect, start, poll, abort. The hub has no methods to call. What it says is only that a job has
 * changed; results are read with `GET /api/jobs/{jobId}`.
 *
 * Nothing is kept for a connection: a client tells with each poll the number of the last event that it has seen.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { jsonType } from './replies.ts'

const hubName = 'JobHub'
/** Events kept for clients that poll; one that was away for longer asks for its jobs. */
const keptEvents = 1000
/** How long a poll without news waits, ms: less than proxies allow. */
export const pollMs = 25_000

/** A call of a method of the client. */
interface HubEvent {
  readonly number: number
  readonly method: 'jobStatusChanged' | 'jobProgressChanged'
  readonly args: readonly unknown[]
}

/** The newest events of all jobs, and who waits for the next. */
export class JobHub {
  #events: HubEvent[] = []
  /** Number of the newest event. */
  #last = 0
  /** What was last said of each running job. */
  readonly #told = new Map<string, string>()
  readonly #waiting = new Set<() => void>()

  /** Number of the newest event. */
  get last(): number {
    return this.#last
  }

  /** A job was accepted, has started, made progress or ended. */
  hear({ jobId, status, outcome, progress, message }: Heard): void {
    const isOver = status !== 'Pending' && status !== 'Running'
    // Known, but not durable yet.
    if (outcome !== undefined && !isOver) return
    const percent = Math.floor(progress)
    const state = `${status} ${percent}`
    const before = this.#told.get(jobId)
    if (before === state) return
    if (isOver) this.#told.delete(jobId)
    else this.#told.set(jobId, state)
    // Clients of the hub know four states.
    const shown = status === 'Cancelled' ? 'Failed' : status
    const why = outcome?.ok === false ? outcome.error.message : ''
    const isProgress = before?.startsWith('Running ') === true && !isOver
    this.#add(
      isProgress
        ? { method: 'jobProgressChanged', args: [jobId, percent, message ?? ''] }
        : { method: 'jobStatusChanged', args: [jobId, shown, null, why] },
    )
  }

  #add(event: Omit<HubEvent, 'number'>): void {
    this.#last += 1
    this.#events.push({ ...event, number: this.#last })
    // Cut in halves: an array that loses its first entry each time is copied each time.
    if (this.#events.length > 2 * keptEvents) this.#events = this.#events.slice(-keptEvents)
    this.wake()
  }

  /** Lets all polls answer. */
  wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** The events after a number; waits for the first. None after `timeoutMs`, or when the signal is aborted. */
  async after(number: number, signal: AbortSignal, timeoutMs = pollMs): Promise<readonly HubEvent[]> {
    if (number >= this.#last && !signal.aborted)
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          this.#waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        this.#waiting.add(done)
        signal.addEventListener('abort', done, { once: true })
      })
    return this.#events.filter((event) => event.number > number).slice(-keptEvents)
  }
}

type Heard = Pick<ActiveJob, 'jobId' | 'status' | 'outcome' | 'progress' | 'message'>

/** Adds `/signalr/…`: an `HttpAdapter`. */
export function addJobHub(app: FastifyInstance, gateway: Gateway): void {
  const hub = new JobHub()
  const onJob = (job: ActiveJob) => hub.hear(job)
  let isListening = false
  /** Nobody pays for a hub that nobody asks for. */
  const listen = () => {
    if (!isListening) gateway.bus.on('job', onJob)
    isListening = true
  }
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    gateway.bus.off('job', onJob)
    hub.wake()
    done()
  })
  const said = (number: number, events: readonly HubEvent[], more: object = {}) => ({
    C: String(number),
    ...more,
    M: events.map(({ method, args }) => ({ H: hubName, M: method, A: args })),
  })

  app.route({
    method: ['GET', 'POST'],
    url: '/signalr/negotiate',
    handler: (_request, reply) => {
      listen()
      const connection = randomUUID()
      return reply.type(jsonType).send({
        Url: '/signalr',
        ConnectionToken: connection,
        ConnectionId: connection,
        MessageId: String(hub.last),
        KeepAliveTimeout: null,
        DisconnectTimeout: 30,
        ConnectionTimeout: 110,
        TryWebSockets: false,
        ProtocolVersion: '1.5',
        TransportConnectTimeout: 5,
        LongPollDelay: 0,
      })
    },
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/signalr/connect',
    handler: (request, reply) => {
      requireLongPolling(request)
      listen()
      return reply.type(jsonType).send(said(hub.last, [], { S: 1 }))
    },
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/signalr/start',
    handler: (request, reply) => {
      requireLongPolling(request)
      return reply.type(jsonType).send({ Response: 'started' })
    },
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/signalr/poll',
    handler: async (request, reply) => {
      requireLongPolling(request)
      listen()
      const since = seenBy(request, hub.last)
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const events = isClosing ? [] : await hub.after(since, left.signal)
      return reply.type(jsonType).send(said(events.at(-1)?.number ?? since, events))
    },
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/signalr/abort',
    handler: (_request, reply) => reply.type(jsonType).send({}),
  })
}

/** @throws GatewayError `invalid_input` */
function requireLongPolling({ query }: FastifyRequest): void {
  const { transport = 'longPolling' } = query as { transport?: string }
  if (transport === 'longPolling') return
  throw problem('invalid_input', `/transport: "${transport}" is not served; longPolling is.`, {
    errors: [{ path: '/transport', message: 'must be longPolling', value: transport, allowed: ['longPolling'] }],
  })
}

/** Number of the last event that a client has seen. @throws GatewayError `invalid_input` */
function seenBy({ query }: FastifyRequest, last: number): number {
  const { messageId = String(last) } = query as { messageId?: string }
  // A number of an earlier run of the gateway: what there is now is new to the client.
  if (/^\d{1,15}$/.test(messageId)) return Number(messageId) > last ? 0 : Number(messageId)
  throw problem('invalid_input', `/messageId: "${messageId}" is not one that the hub has given.`, {
    errors: [{ path: '/messageId', message: 'is the C of the last answer', value: messageId }],
  })
}
