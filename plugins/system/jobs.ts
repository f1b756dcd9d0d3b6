/**
 * Operations on jobs. All but the batch are queries, including those that change something: a command would wait in the
 * lane behind the job that it concerns.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  command,
  del,
  get,
  notFound,
  type Operation,
  operationResult,
  post,
  problem,
  type QueryContext,
  query,
} from '../../core/index.ts'
import type { ActiveJob, Job } from '../../core/services.ts'
import { listJobs, seqOfCursor, tell } from './job-list.ts'
import { jobSchema, jobStatuses, jobSummarySchema, runsInLane } from './shared.ts'

/**
 * Maximum waiting time. For a longer wait a client repeats the request: proxies close idle requests after about a
 * minute.
 */
const maxWaitSeconds = 60
async function findJob(ctx: QueryContext, jobId: string): Promise<Job> {
  const job = await ctx.gateway.jobs.find(jobId)
  if (!job) throw notFound('job', jobId)
  return job
}

async function waitFor(ctx: QueryContext, job: ActiveJob, seconds: number): Promise<Job> {
  const timer = new AbortController()
  const stop = () => timer.abort()
  ctx.signal.addEventListener('abort', stop, { once: true })
  const late = sleep(seconds * 1000, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([job.settled, late])
  timer.abort()
  ctx.signal.removeEventListener('abort', stop)
  return tell(ctx.gateway, job)
}

/** A key may cancel its own jobs; cancelling other jobs requires the level `engineer`. */
function requireOwner(ctx: QueryContext, job: Job) {
  const keyOf = (actor: string) => actor.split('/')[0]
  if (ctx.actor.access === 'viewer' && keyOf(job.actor) !== keyOf(ctx.actor.name)) {
    throw problem(
      'forbidden',
      `Job ${job.jobId} belongs to "${keyOf(job.actor)}"; to cancel it takes that key or access level "engineer".`,
    )
  }
}

const getId = 'jobs.get'
const executeId = 'jobs.execute-sync'
const batchId = 'jobs.execute-batch'

export const jobOperations: readonly Operation[] = [
  query({
    id: getId,
    title: 'Read a job',
    description:
      'Status and, once it is Completed, the result. With `wait` the answer comes when the job has ended or the seconds are over, whichever is first.',
    live: true,
    input: (t) =>
      t.Object({
        jobId: t.String({ minLength: 1 }),
        wait: t.Optional(
          t.Number({ minimum: 0, maximum: maxWaitSeconds, description: 'Seconds to wait for its end (long poll).' }),
        ),
      }),
    output: jobSchema,
    http: [get('/api/jobs/{jobId}')],
    mcp: { toolset: 'jobs' },
    run({ jobId, wait = 0 }, ctx) {
      const job = ctx.gateway.jobs.peek(jobId)
      if (!job) return findJob(ctx, jobId)
      if (wait > 0 && !job.isSettled && !runsInLane(ctx, getId)) return waitFor(ctx, job, wait)
      return tell(ctx.gateway, job)
    },
  }),
  query({
    id: 'jobs.list',
    title: 'List jobs, newest first',
    description:
      'Without input and result; read one job for those. With `status` Completed, Failed or Cancelled, or with `*` in `command`, a page may hold fewer jobs than `limit` and still have a `nextCursor`.',
    live: true,
    byTime: true,
    input: (t) =>
      t.Object({
        status: t.Optional(t.Enum([...jobStatuses])),
        command: t.Optional(t.String({ maxLength: 200, description: 'Operation id, e.g. `blocks.*`.' })),
        limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'At most this many; 50 by default.' })),
        cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
      }),
    output: (t) =>
      t.Object({
        jobs: t.Array(jobSummarySchema(t)),
        total: t.Optional(
          t.Integer({ description: 'Jobs that fit. Absent when only reading all of them would tell.' }),
        ),
        nextCursor: t.Optional(t.String({ description: 'There may be more.' })),
      }),
    http: [get('/api/jobs')],
    mcp: { toolset: 'jobs' },
    run: ({ status, command, limit = 50, cursor }, ctx) =>
      listJobs(ctx, { status, command, limit, before: seqOfCursor(cursor) }),
  }),
  query({
    id: 'jobs.cancel',
    title: 'Cancel a job',
    description:
      'A pending job ends at once, a running one at its next safe point; nothing of it is kept. One that has not stopped after 10 seconds is Failed with `job_not_stopped`. A key can cancel its own jobs, from access level `engineer` on those of others too. 409 `job_finished` for one that has ended.',
    live: true,
    input: (t) => t.Object({ jobId: t.String({ minLength: 1 }) }),
    output: jobSchema,
    http: [del('/api/jobs/{jobId}')],
    mcp: { toolset: 'jobs', destructive: true },
    async run({ jobId }, ctx) {
      requireOwner(ctx, await findJob(ctx, jobId))
      return ctx.gateway.jobs.cancel(jobId)
    },
  }),
  query({
    id: executeId,
    title: 'Run any operation as a job and wait for it',
    description:
      'The operation runs with the access of the caller. The answer is the job record with its `result`; a job that fails answers with its problem, like the operation itself would.',
    live: true,
    input: (t) =>
      t.Object({
        command: t.String({ minLength: 1, description: 'Operation id, e.g. `projects.create`.' }),
        input: t.Optional(
          t.Record(t.String(), t.Unknown(), {
            'x-unrecorded': true,
            'x-input-of': 'command',
            description: 'Its parameters as one object.',
          }),
        ),
        dryRun: t.Optional(t.Boolean({ description: 'Run it, answer what it would do, keep nothing.' })),
      }),
    output: jobSchema,
    aliases: { command: ['operation', 'commandName', 'type'], input: ['parameters', 'args', 'body'] },
    example: { command: 'projects.create', input: { name: 'Line_1' } },
    http: [post('/api/jobs/execute-sync')],
    mcp: false,
    async run({ command, input = {}, dryRun = false }, ctx) {
      const { gateway, actor, correlationId, signal } = ctx
      const operation = gateway.registry.requireOperation(command)
      if (operation.kind === 'stream' || command === executeId)
        throw problem('invalid_input', `/command: "${command}" cannot run as a job.`)
      if (runsInLane(ctx, executeId)) {
        throw problem('conflict', 'This route waits for a job and cannot be a job itself.', {
          suggestion: 'Call the asynchronous route of the command.',
        })
      }
      const reply = await gateway.invoke(operation, input, { actor, correlationId, dryRun, signal, mode: 'async' })
      const { jobId } = reply as { jobId: string }
      const job = gateway.jobs.peek(jobId)
      const outcome = await job?.settled
      if (job && outcome && !outcome.ok) throw gateway.failureOf(job, outcome.error)
      return findJob(ctx, jobId)
    },
  }),
  command({
    id: batchId,
    title: 'Run a list of commands in one job, all or nothing',
    description:
      'The commands run one after the other, each on what those before it changed; when one fails nothing of the batch is kept, and the error names it. An input may use a result of an earlier command: `{ "$from": 0, "pointer": "/name" }` stands for the value at that JSON pointer in the result of command 0. Every command runs with the access of the caller. Refused with 422 `not_in_batch`: what acts on more than the project and files (a download, values of a controller), and what takes a secret. One undo takes the whole batch back.',
    input: (t) =>
      t.Object({
        commands: t.Array(
          t.Object({
            command: t.String({ minLength: 1, maxLength: 200, description: 'Operation id, e.g. `blocks.import`.' }),
            input: t.Optional(
              t.Record(t.String(), t.Unknown(), {
                'x-input-of': 'command',
                description: 'Its parameters as one object.',
              }),
            ),
          }),
          { minItems: 1, maxItems: 1000 },
        ),
      }),
    output: (t) =>
      t.Object({
        success: t.Boolean(),
        count: t.Integer(),
        results: t.Array(t.Object({ command: t.String(), result: operationResult(t) })),
      }),
    aliases: { commands: ['operations', 'items', 'batch'] },
    example: {
      commands: [
        {
          command: 'types.create',
          input: { deviceName: 'PLC_1', name: 'Motor', members: [{ name: 'on', dataType: 'Bool' }] },
        },
        { command: 'tags.add', input: { deviceName: 'PLC_1', name: 'M1', dataType: { $from: 0, pointer: '/name' } } },
      ],
    },
    changes: '/api/projects/overview',
    http: [post('/api/jobs/execute-batch'), post('/api/jobs/actions/execute-batch', 'async')],
    mcp: { toolset: 'jobs', destructive: true },
    async admit({ commands }, ctx) {
      await (await import('./batch.ts')).admitBatch(commands, ctx)
    },
    async run({ commands }, ctx) {
      const results = await (await import('./batch.ts')).runBatch(commands, ctx)
      return {
        success: true,
        count: results.length,
        results: results.map((result, at) => ({ command: commands[at]!.command, result })),
      }
    },
  }),
]
