/** The replies of commands that are followed as they run: the events they send, then their result (`streams`). */
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation, StreamEvent } from '../contract/operation.ts'
import { type GatewayError, problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import type { Reply } from '../jobs/dispatcher.ts'
import { readAccept } from './preferences.ts'
import { asProblem, beginEvents, problemBody } from './replies.ts'
import type { Streams } from './sse.ts'

const types = new Set(['text/event-stream', 'application/json'])

/** True when the answer to a call is a stream of events: it can be, and the client does not ask for JSON. */
export function wantsStream(operation: Operation, accept: string | undefined): boolean {
  if (operation.kind !== 'command' || operation.streams === undefined) return false
  return readAccept(accept ?? '', types) !== 'application/json'
}

interface Exchange {
  readonly gateway: Gateway
  readonly streams: Streams
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Answers with the events of a job, and `done` or `error` at its end. A client that leaves cancels the job.
 * @param call submits the job
 * @throws GatewayError when the job is not accepted; nothing is sent then
 */
export async function sendStreamed(
  { gateway, streams, request, reply }: Exchange,
  call: (onEvent: (event: StreamEvent) => void) => Promise<Reply>,
): Promise<FastifyReply> {
  const signal = streams.add(reply.raw)
  const events = new PassThrough({ objectMode: true })
  const accepted = await call((event) => void events.write(event))
  if (accepted.kind === 'result') throw new Error('a streamed command runs as a job')
  const { jobId, job } = accepted
  const problemOf = (error: unknown) => problemBody(gateway, asProblem(gateway, error, request), request)
  const failed = (error: GatewayError) => ({ event: 'error', data: { ...problemOf(error), jobId } })
  const done = (data: unknown) => ({ event: 'done', data })
  void (async () => {
    // Only the job of a repeated Idempotency-Key may have left memory.
    const outcome = await job?.settled
    if (outcome) events.end(outcome.ok ? done(outcome.result) : failed(outcome.error))
    else events.end(failed(problem('gone', `Job ${jobId} has ended; GET /api/jobs/${jobId} has its record.`)))
  })()
  const cancel = () => {
    // It may have ended meanwhile: then there is nothing to cancel.
    if (job && !job.isSettled) gateway.jobs.cancel(jobId).catch(() => {})
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  beginEvents(reply.header('x-job-id', jobId).header('vary', 'Accept'))
  await streams.pump(reply.raw, events, signal, problemOf)
  return reply
}
