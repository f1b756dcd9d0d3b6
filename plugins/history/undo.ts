/** Takes commands back and does them again (docs/design.md#undo): which ones, and the events that do it. */

import { type CommandContext, type GatewayError, isGatewayError, problem, undone } from '../../core/index.ts'
import {
  checkUndo,
  entitiesOf,
  entityUndone,
  entriesOfEvent,
  groupTerm,
  hashesIn,
  planUndo,
  type Step,
  takenBack,
  type UndoPlan,
} from '../../core/services.ts'

/** Which commands are meant; without any of these the last command. */
export interface Wanted {
  readonly jobId?: string | undefined
  readonly group?: string | undefined
  /** Only commands that were accepted after this record of the log. */
  readonly since?: number | undefined
  /** Only commands of the caller. */
  readonly mine?: boolean | undefined
  /** Leave out what cannot be taken back at all. */
  readonly skip?: boolean | undefined
}

type Context = Pick<CommandContext, 'gateway' | 'actor'>

/** What was taken back, for clients. */
export interface Undone {
  readonly steps: readonly Step[]
  readonly plan: UndoPlan
  /** Commands that `skip` left out. */
  readonly skipped: readonly Step[]
  /** What stays although the commands were taken back, for people. */
  readonly warnings: readonly string[]
}

/** The commands to take back, oldest first, and those that are left out. */
export interface Chosen {
  readonly steps: readonly Step[]
  readonly skipped: readonly Step[]
}

/**
 * The commands that an undo takes back, oldest first.
 *
 * @throws GatewayError `nothing_to_undo`, `cannot_undo`, `not_found`
 */
export async function chooseUndo({ gateway, actor }: Context, all: readonly Step[], wanted: Wanted): Promise<Chosen> {
  const { jobId, group, since, mine, skip } = wanted
  const taken = takenBack(all)
  if (jobId !== undefined) return { steps: [await byId(gateway, all, taken, jobId)], skipped: [] }
  const open = all.filter(
    (step) =>
      step.kind === 'command' &&
      !taken.has(step.jobId) &&
      (group === undefined || step.group === group) &&
      (since === undefined || step.seq > since) &&
      (!mine || step.actor === actor.name),
  )
  const isWhole = group !== undefined || since !== undefined
  if (isWhole) {
    await requireKnown(gateway, wanted)
    const steps = skip ? open.filter(({ final }) => final === undefined) : open
    if (steps.length === 0) throw nothing(gateway, wanted)
    return { steps, skipped: skip ? open.filter(({ final }) => final !== undefined) : [] }
  }
  const last = skip ? open.findLast(({ final }) => final === undefined) : open.at(-1)
  if (!last) throw nothing(gateway, wanted)
  if (last.final !== undefined) {
    const before = open.findLast(({ final }) => final === undefined)
    throw problem(
      'cannot_undo',
      `The last command, ${last.command} (job ${last.jobId}), cannot be taken back: ${last.final}`,
      {
        ...(before
          ? {
              suggestion: `POST /api/history/undo { "jobId": "${before.jobId}" } takes back the last one that can be (${before.command}).`,
            }
          : {}),
      },
    )
  }
  return { steps: [last], skipped: skip ? open.slice(open.indexOf(last) + 1) : [] }
}

/** @throws GatewayError `cannot_undo` when some of the commands are too long ago: they would be taken back in part */
async function requireKnown(gateway: Context['gateway'], { group, since }: Wanted): Promise<void> {
  const { knownFrom } = gateway.jobs.steps
  if (knownFrom === 0 || (since !== undefined && since >= knownFrom - 1)) return
  if (group !== undefined) {
    const range = { after: since ?? 0, before: knownFrom, limit: 1 }
    if ((await gateway.store.index.find(groupTerm(group), range)).length === 0) return
  }
  throw problem(
    'cannot_undo',
    `Some of these commands are too long ago: only those from record ${knownFrom} on can be taken back.`,
    { suggestion: `POST /api/history/undo { "since": ${knownFrom - 1} }` },
  )
}

function nothing(gateway: Context['gateway'], { group, since, mine }: Wanted) {
  const which = [
    group === undefined ? '' : ` of group "${group}"`,
    since === undefined ? '' : ` after record ${since}`,
    mine ? ' of this key' : '',
  ].join('')
  const { unknown } = gateway.jobs.steps
  const why = unknown === undefined ? '' : ` ${unknown}`
  return problem('nothing_to_undo', `No command${which} that could be taken back has changed the project.${why}`)
}

async function byId(
  gateway: Context['gateway'],
  all: readonly Step[],
  taken: ReadonlyMap<string, string>,
  jobId: string,
): Promise<Step> {
  const step = all.find((one) => one.jobId === jobId)
  if (!step) return unknownJob(gateway, jobId)
  const by = taken.get(jobId)
  if (by !== undefined)
    throw problem('nothing_to_undo', `Job ${jobId} (${step.command}) is taken back already, by job ${by}.`, {
      suggestion: `POST /api/history/redo { "jobId": "${by}" } does it again.`,
    })
  if (step.kind === 'undo')
    throw problem('nothing_to_undo', `Job ${jobId} is an undo itself.`, {
      suggestion: `POST /api/history/redo { "jobId": "${jobId}" } does again what it took back.`,
    })
  return step
}

/** @throws GatewayError that says why the job is no step */
async function unknownJob(gateway: Context['gateway'], jobId: string): Promise<never> {
  const job = await gateway.jobs.find(jobId)
  if (!job) throw problem('not_found', `There is no job "${jobId}".`, { suggestion: 'GET /api/history/undoable' })
  if (job.status === 'Pending' || job.status === 'Running')
    throw problem('conflict', `Job ${jobId} has not ended; DELETE /api/jobs/${jobId} cancels it.`)
  const why =
    job.status !== 'Completed'
      ? `is ${job.status} and changed nothing`
      : job.dryRun
        ? 'was a dry run'
        : 'changed nothing of the project, or is too long ago: it is not among the last commands that did'
  throw problem('nothing_to_undo', `Job ${jobId} (${job.command}) ${why}.`)
}

/**
 * The undo that a redo takes back.
 *
 * @param jobId of the undo, or of a command that is taken back
 * @throws GatewayError `nothing_to_undo`
 */
export async function chooseRedo(
  { gateway, actor }: Context,
  all: readonly Step[],
  { jobId, mine }: Wanted,
): Promise<Step> {
  const taken = takenBack(all)
  if (jobId !== undefined) {
    const wanted = taken.get(jobId) ?? jobId
    const step = all.find((one) => one.jobId === wanted)
    if (!step) return unknownJob(gateway, jobId)
    if (step.kind !== 'undo' || taken.has(step.jobId))
      throw problem('nothing_to_undo', `Job ${jobId} (${step.command}) is not taken back, so it cannot be done again.`)
    return step
  }
  const undo = all.findLast(
    (step) => step.kind === 'undo' && !taken.has(step.jobId) && (!mine || step.actor === actor.name),
  )
  if (!undo) throw problem('nothing_to_undo', 'Nothing was taken back that could be done again.')
  const later = all.findLast((step, at) => at > all.indexOf(undo) && step.kind === 'command' && step.changes.size > 0)
  if (later)
    throw problem(
      'nothing_to_undo',
      `Since the last undo (job ${undo.jobId}) something else was done: ${later.command} (job ${later.jobId}).`,
      {
        suggestion: `POST /api/history/redo { "jobId": "${undo.jobId}" } does it again all the same, if nothing stands in the way.`,
      },
    )
  return undo
}

/**
 * Takes back steps: plans, checks and emits.
 *
 * @param steps oldest first
 * @throws GatewayError `cannot_undo`, `undo_conflict`, `forbidden`, `gone`
 */
export async function takeBack(
  ctx: CommandContext,
  kind: 'undo' | 'redo',
  { steps, skipped }: Chosen,
  all: readonly Step[],
): Promise<Undone> {
  const { gateway } = ctx
  for (const { command } of commandsOf(steps, all)) requireAccess(ctx, command)
  const plan = planUndo(gateway.state, steps, all)
  await requireContents(ctx, plan)
  const put = [...plan.entries, ...(await withContents(ctx, plan.attached))]
  const { reductions } = gateway.state
  const versions: Record<string, number> = {}
  for (const { collection } of put) {
    const definition = gateway.state.definition(collection)
    if (definition) versions[collection.slice(0, collection.indexOf('.'))] = reductions.versionOf(definition)
  }
  const jobs = [...steps].reverse().map(({ jobId }) => jobId)
  const entries = put.map(({ collection, key, value }) =>
    value === undefined ? ([collection, key] as const) : ([collection, key, value] as const),
  )
  // At least one, so that the log says what was taken back when everything is as it was already.
  for (let at = 0; at === 0 || at < entries.length; at += entriesOfEvent)
    ctx.emit(undone, { kind, jobs: at === 0 ? jobs : [], versions, entries: entries.slice(at, at + entriesOfEvent) })
  checkUndo(gateway.state, plan, all, ctx)
  for (const [entity, of] of entitiesOf(steps)) ctx.emit(entityUndone, { kind, jobs: of }, entity)
  const warnings = [
    ...steps.flatMap((step) => step.lasting.map((text) => `${step.command} (job ${step.jobId}): ${text}`)),
    ...skipped.map((step) => `${step.command} (job ${step.jobId}) was left out: ${step.final}`),
  ]
  return { steps, plan, skipped, warnings }
}

/** The commands that steps did or took back. */
export function commandsOf(steps: readonly Step[], all: readonly Step[]): Set<Step> {
  const byId = new Map(all.map((step) => [step.jobId, step]))
  const found = new Set<Step>()
  const add = (step: Step | undefined): void => {
    if (step === undefined || found.has(step)) return
    found.add(step)
    for (const jobId of step.takes) add(byId.get(jobId))
  }
  for (const step of steps) add(step)
  return found
}

/** Whoever takes back a command must be allowed to call it. */
function requireAccess({ gateway, actor }: Context, command: string) {
  const operation = gateway.registry.operation(command)
  if (operation) gateway.requireAccess(operation, actor)
}

/** @throws GatewayError `gone`: what comes back must not refer to a content that is not kept any more */
async function requireContents(ctx: CommandContext, { entries }: UndoPlan) {
  const hashes = new Set(entries.flatMap(({ value }) => hashesIn(value)))
  if (hashes.size > 0 && !(await ctx.blobs.has(...hashes)))
    throw problem('gone', 'A content that would come back is not kept any more.')
}

/** Those whose contents are kept. */
async function withContents(ctx: CommandContext, entries: UndoPlan['attached']): Promise<UndoPlan['attached']> {
  const isKept = await Promise.all(entries.map(({ value }) => ctx.blobs.has(...hashesIn(value))))
  return entries.filter((_entry, i) => isKept[i])
}

/** Why something cannot be done now; undefined: it can. */
export async function whyNot(run: () => unknown): Promise<GatewayError | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (isGatewayError(error)) return error
    throw error
  }
}
