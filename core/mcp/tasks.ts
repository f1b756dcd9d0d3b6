/**
 * Jobs as tasks (extension `io.modelcontextprotocol/tasks`, SEP-2663): a client that follows tasks gets one in place of
 * the job that a long command hands back. The task's id is that of the job, so that it outlives a restart.
 */
import type { Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { iso, type Job } from '../log/job.ts'
import { cancelOwnJob } from './built-in-tools.ts'
import { clientOf, followsTasks } from './client.ts'
import { rpcCodes, rpcError } from './json-rpc.ts'
import { type ToolOutcome, toCallToolResult } from './results.ts'
import type { McpSession } from './sessions.ts'
import type { Tools } from './tools.ts'

/** What clients should wait between two looks at a task, ms. */
const pollMs = 1000
/** The client must say that it follows tasks (MCP 2026-07-28, `MissingRequiredClientCapability`). */
const missingCapability = -32021

/** The task in place of the job that a call hands back; undefined: the call has ended, or the client knows no tasks. */
export function taskInstead({ job }: ToolOutcome, tools: Tools, { mcpReq }: ServerContext) {
  if (job === undefined || !followsTasks(clientOf(mcpReq.envelope).capabilities)) return undefined
  const now = iso(tools.gateway.clock())
  return {
    resultType: 'task',
    ...defined({ statusMessage: job.message }),
    taskId: job.jobId,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: null,
    pollIntervalMs: pollMs,
  }
}

/** Serves `tasks/get`, `tasks/update` and `tasks/cancel`. */
export function serveTasks(server: Server, tools: Tools, { caller }: McpSession): void {
  const found = async ({ taskId }: TaskParams, { mcpReq }: ServerContext): Promise<Job> => {
    if (!followsTasks(clientOf(mcpReq.envelope).capabilities))
      throw rpcError(missingCapability, 'Missing required client capability', {
        requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      })
    const job = await tools.gateway.jobs.find(taskId)
    if (!job) throw rpcError(rpcCodes.invalidParams, `There is no task "${taskId}".`)
    return job
  }
  const params = { params: taskParams }
  server.setRequestHandler('tasks/get', params, async (request, context) =>
    taskOf(await found(request, context), tools),
  )
  // A job waits for nothing that a client could give: questions are answered before it begins.
  server.setRequestHandler('tasks/update', params, async (request, context) => {
    await found(request, context)
    return {}
  })
  server.setRequestHandler('tasks/cancel', params, async (request, context) => {
    const { jobId, completedAt } = await found(request, context)
    if (completedAt === undefined) await cancelOwnJob(tools.gateway, jobId, caller)
    return {}
  })
}

/** A job as `tasks/get` answers it. A failed command is a call that has ended with an error, not a failed task. */
function taskOf(job: Job, tools: Tools) {
  const { status, message, createdAt, startedAt, completedAt } = job
  const common = {
    taskId: job.jobId,
    createdAt,
    lastUpdatedAt: completedAt ?? startedAt ?? createdAt,
    ttlMs: null,
    pollIntervalMs: pollMs,
    ...defined({ statusMessage: message }),
  }
  if (status === 'Cancelled') return { ...common, status: 'cancelled' }
  if (status === 'Completed' || status === 'Failed')
    return { ...common, status: 'completed', result: toCallToolResult(tools.outcomeOf(job)) }
  return { ...common, status: 'working' }
}

interface TaskParams {
  readonly taskId: string
}

/** The parameters of all three, as a Standard Schema, which the SDK asks for where it has no schema of its own. */
const taskParams: StandardSchemaV1<unknown, TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'gantry',
    validate: (value) =>
      isObject(value) && typeof value.taskId === 'string'
        ? { value: { taskId: value.taskId } }
        : { issues: [{ message: 'must be a string', path: ['taskId'] }] },
  },
}
