/** Functions that several operations of this plugin use. */

import {
  type CommandContext,
  operationInput,
  operationResult,
  problemSchema,
  type QueryContext,
  type SchemaBuilder,
} from '../../core/index.ts'
import type { Job, JobSummary } from '../../core/services.ts'

const jobStatuses = ['Pending', 'Running', 'Completed', 'Failed', 'Cancelled'] as const

const summaryFields = (t: SchemaBuilder) => ({
  jobId: t.String(),
  command: t.String({ description: 'Operation id.' }),
  status: t.Enum([...jobStatuses]),
  progress: t.Integer({ minimum: 0, maximum: 100, description: 'It only rises.' }),
  message: t.Optional(t.String({ description: 'What it does now; absent once it has ended.' })),
  error: t.Optional(problemSchema(t)),
  createdAt: t.DateTime(),
  startedAt: t.Optional(t.DateTime()),
  completedAt: t.Optional(t.DateTime()),
  actor: t.String({ description: 'Name of the key, with the client after a slash.' }),
  correlationId: t.Optional(t.String()),
  durationMs: t.Optional(t.Number()),
  dryRun: t.Optional(t.Boolean()),
  group: t.Optional(t.String({ description: 'Commands of one group can be taken back together.' })),
})

/** A job as shown to clients (docs/design.md#field-names). */
export const jobSchema = (t: SchemaBuilder) =>
  t.Unsafe<Job>(
    t.Object({
      ...summaryFields(t),
      input: t.Optional(operationInput(t)),
      result: t.Optional(operationResult(t)),
      lost: t.Optional(
        t.Array(t.Enum(['input', 'result']), {
          description: 'Which of these are there no more: removed by a retention rule, or lost. Absent: none.',
        }),
      ),
    }),
  )

/** A job in a list: without input and result. */
export const jobSummarySchema = (t: SchemaBuilder) => t.Unsafe<JobSummary>(t.Object(summaryFields(t)))

export { jobStatuses }

/**
 * True when a query was started on an asynchronous route: it runs as a job in the lane, and must not wait for work in
 * the lane.
 */
export function runsInLane(ctx: QueryContext, operationId: string): boolean {
  const { running } = ctx.gateway.jobs
  return running?.operation.id === operationId && running.correlationId === ctx.correlationId
}

/** Closes the open project, see `closeOpenProject` of the plugin of projects, when that is there. */
export async function closeProjectOf(
  ctx: CommandContext,
  decision: { readonly save?: boolean | undefined; readonly force?: boolean | undefined },
) {
  if (!ctx.gateway.registry.plugins.some((plugin) => plugin.name === 'projects')) return undefined
  const { closeOpenProject } = await import('../projects/index.ts')
  return closeOpenProject(ctx, decision)
}

/**
 * The open project, if the plugin for projects is loaded. It is looked up at run time, because health must not depend
 * on it.
 */
export async function openProjectOf(
  ctx: QueryContext,
): Promise<{ name: string; path: string; version: string } | undefined> {
  if (!ctx.gateway.registry.plugins.some((plugin) => plugin.name === 'projects')) return undefined
  const { currentProject } = await import('../projects/index.ts')
  return currentProject(ctx)
}
