/** The operations that take commands back and do them again. Their implementation is loaded on first use. */

import {
  type CommandContext,
  command,
  defined,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import { changedBy, planUndo, type Step, takenBack } from '../../core/services.ts'

const jobIdField = (t: SchemaBuilder, description: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 60, description }))

const choiceFields = (t: SchemaBuilder) => ({
  group: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 100,
      description: 'Commands of this group: the header X-Group-Id of their calls; of MCP tools the session.',
    }),
  ),
  thisGroup: t.Optional(t.Boolean({ description: 'Commands of the group of this call.' })),
  since: t.Optional(
    t.Integer({ minimum: 0, description: 'Commands after this record of the log: an earlier `mark`, or a `seq`.' }),
  ),
  mine: t.Optional(t.Boolean({ description: 'Only commands of the caller.' })),
})

interface Choice {
  readonly group?: string | undefined
  readonly thisGroup?: boolean | undefined
  readonly since?: number | undefined
  readonly mine?: boolean | undefined
}

/** @throws GatewayError `invalid_input` */
function groupOf({ group, thisGroup }: Choice, ctx: QueryContext): string | undefined {
  if (!thisGroup) return group
  if (group !== undefined) throw problem('invalid_input', '/thisGroup: comes instead of group.')
  if (ctx.group === undefined)
    throw problem('invalid_input', '/thisGroup: this call has no group: send the header X-Group-Id.')
  return ctx.group
}

const jobFields = (t: SchemaBuilder) => ({
  jobId: t.String(),
  command: t.String({ description: 'Operation id.' }),
  title: t.Optional(t.String()),
  actor: t.String(),
  time: t.DateTime(),
  group: t.Optional(t.String()),
})

function jobView({ gateway }: QueryContext, { jobId, command: id, actor, time, group }: Step) {
  const title = gateway.registry.operation(id)?.title
  return { jobId, command: id, actor, time: new Date(time).toISOString(), ...defined({ title, group }) }
}

const doneFields = (t: SchemaBuilder) => ({
  success: t.Boolean(),
  jobs: t.Array(t.Object(jobFields(t)), {
    description: 'The commands that were taken back, or done again, newest first.',
  }),
  changed: t.Integer({ description: 'Entries of the project that were changed.' }),
  objects: t.Array(t.String(), { description: 'The objects, as in the audit; at most 200.' }),
  warnings: t.Array(t.String(), { description: 'What stays, and what was left out.' }),
})

async function done(ctx: CommandContext, kind: 'undo' | 'redo', input: Choice & { jobId?: string; skip?: boolean }) {
  const { chooseRedo, chooseUndo, commandsOf, takeBack } = await import('./undo.ts')
  const all = await ctx.gateway.jobs.steps.all(ctx.signal)
  const wanted = { ...input, group: groupOf(input, ctx) }
  const chosen =
    kind === 'undo' ? await chooseUndo(ctx, all, wanted) : { steps: [await chooseRedo(ctx, all, wanted)], skipped: [] }
  const { steps, plan, warnings } = await takeBack(ctx, kind, chosen, all)
  const commandsDoneAgain = [...commandsOf(steps, all)].filter((step) => step.kind === 'command')
  const entities = new Set(steps.flatMap((step) => step.entities))
  return {
    success: true,
    jobs: (kind === 'undo' ? [...steps].reverse() : commandsDoneAgain).map((step) => jobView(ctx, step)),
    changed: plan.changed,
    objects: [...entities].slice(0, 200),
    warnings: [...warnings],
  }
}

const undo = command({
  id: 'history.undo',
  title: 'Take back the last command, a job, or a group of commands',
  description:
    'Without parameters the last command that changed the project or did something outside of it. `group`, `since`: all of them together, none on failure. The project is as it was before them; the log keeps both. 409 `undo_conflict` when later work changed the same objects or depends on them: it names the jobs. 422 `cannot_undo` for what acts on more than the project (a download, values of a controller, files), and for what was done before a project was opened or closed; `history.undoable` says so beforehand. The last 500 commands can be taken back.',
  live: true,
  lasting: false,
  input: (t) =>
    t.Object({
      jobId: jobIdField(t, 'This job only.'),
      ...choiceFields(t),
      skip: t.Optional(t.Boolean({ description: 'Leave out what cannot be taken back; `warnings` names it.' })),
    }),
  output: (t) => t.Object(doneFields(t)),
  http: [post('/api/history/undo'), post('/api/history/actions/undo', 'async')],
  mcp: { toolset: 'history', destructive: true },
  changes: '/api/projects/overview',
  example: {},
  run(input, ctx) {
    const { jobId, group, thisGroup, since, mine, skip } = input
    if (jobId !== undefined && [group, thisGroup, since, mine, skip].some((one) => one !== undefined))
      throw problem('invalid_input', '/jobId: comes alone.')
    return done(ctx, 'undo', input)
  },
})

const redo = command({
  id: 'history.redo',
  title: 'Do again what was taken back last',
  description:
    'Without `jobId` the last undo, unless something else was done since (409 `nothing_to_undo`). With the id of an undo, or of a command that is taken back: that one. What was taken back together is done again together.',
  live: true,
  lasting: false,
  input: (t) =>
    t.Object({
      jobId: jobIdField(t, 'Of an undo, or of a command that is taken back.'),
      mine: t.Optional(t.Boolean({ description: 'The last undo of the caller.' })),
    }),
  output: (t) => t.Object(doneFields(t)),
  http: [post('/api/history/redo'), post('/api/history/actions/redo', 'async')],
  mcp: { toolset: 'history', destructive: true },
  changes: '/api/projects/overview',
  example: {},
  run: (input, ctx) => done(ctx, 'redo', input),
})

/** A job that stands in the way, as the problem names it. */
interface LaterJob {
  readonly jobId: string
  readonly command: string
  readonly actor: string
  readonly time: string
}

const stepFields = (t: SchemaBuilder) => ({
  ...jobFields(t),
  seq: t.Integer({ description: 'Of its acceptance in the log.' }),
  kind: t.Enum(['command', 'undo', 'redo']),
  objects: t.Array(t.String(), { description: 'What it changed, as in the audit; at most 20.' }),
  changed: t.Integer({ description: 'Entries of the project that it changed.' }),
  takenBackBy: t.Optional(t.String({ description: 'The job that took it back.' })),
  canUndo: t.Boolean(),
  canRedo: t.Boolean(),
  reason: t.Optional(t.String({ description: 'Why it can neither be taken back nor done again now.' })),
  code: t.Optional(t.String({ description: 'cannot_undo, undo_conflict, or nothing_to_undo.' })),
  laterJobs: t.Optional(
    t.Array(t.Object({ jobId: t.String(), command: t.String(), actor: t.String(), time: t.DateTime() }), {
      description: 'The jobs that stand in the way.',
    }),
  ),
  remains: t.Array(t.String(), { description: 'What an undo leaves as it is.' }),
})

const undoable = query({
  id: 'history.undoable',
  title: 'List the last commands and whether they can be taken back',
  description:
    'Newest first: the commands that changed the project or did something outside of it, with what stands in the way of an undo. `mark` is the present end of the log: send it as `since` to take back what comes after it.',
  live: true,
  byTime: true,
  input: (t) => t.Object({ ...choiceFields(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      commands: t.Array(t.Object(stepFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
      mark: t.Integer(),
      undo: t.Optional(t.String({ description: 'The job that an undo without parameters takes back.' })),
      redo: t.Optional(t.String({ description: 'The job that a redo without parameters does again.' })),
      warnings: t.Array(t.String()),
    }),
  http: [get('/api/history/undoable')],
  mcp: { toolset: 'history' },
  async run(input, ctx) {
    const { chooseRedo, chooseUndo, whyNot } = await import('./undo.ts')
    const { gateway } = ctx
    const { state, store, jobs } = gateway
    const { since, mine, limit = 50, cursor, q = '' } = input
    const group = groupOf(input, ctx)
    const all = await jobs.steps.all(ctx.signal)
    const taken = takenBack(all)
    const text = q.toLowerCase()
    const chosen = all.filter(
      (step) =>
        (group === undefined || step.group === group) &&
        (since === undefined || step.seq > since) &&
        (!mine || step.actor === ctx.actor.name) &&
        (text === '' || [step.command, ...step.entities].some((one) => one.toLowerCase().includes(text))),
    )
    const byId = new Map(all.map((step) => [step.jobId, step]))
    const view = async (step: Step) => {
      const takenBackBy = taken.get(step.jobId)
      const target = takenBackBy === undefined ? step : byId.get(takenBackBy)
      // An undo is done again from the entry of what it took back.
      const failure =
        step.kind === 'undo' || target === undefined ? undefined : await whyNot(() => planUndo(state, [target], all))
      const isFree = failure === undefined && step.kind !== 'undo' && target !== undefined
      const { message: reason, code, details } = failure ?? {}
      return {
        ...jobView(ctx, step),
        seq: step.seq,
        kind: step.kind,
        objects: step.entities.slice(0, 20),
        changed: changedBy(state, step),
        canUndo: isFree && takenBackBy === undefined,
        canRedo: isFree && takenBackBy !== undefined,
        remains: [...step.lasting],
        ...defined({ takenBackBy, reason, code, laterJobs: details?.extra?.laterJobs as LaterJob[] | undefined }),
      }
    }
    const { page, ...rest } = rankedPage(chosen.reverse(), { limit, cursor }, `${all.length}-${jobs.lastMergedSeq}`)
    let next: string | undefined
    let again: string | undefined
    await whyNot(async () => {
      next = (await chooseUndo(ctx, all, {})).steps[0]?.jobId
    })
    await whyNot(async () => {
      again = (await chooseRedo(ctx, all, {})).jobId
    })
    return {
      commands: await Promise.all(page.map(view)),
      ...rest,
      mark: store.log.nextSeq() - 1,
      warnings: jobs.steps.unknown === undefined ? [] : [jobs.steps.unknown],
      ...defined({ undo: next, redo: again }),
    }
  },
})

export const undoOperations: readonly Operation[] = [undo, redo, undoable]
