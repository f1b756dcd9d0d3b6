/**
 * The commands that can be taken back: the last ones, each with what it changed in the project and what it left that no
 * undo can take back (docs/design.md#undo). Those of this run are noted when they end. Those of earlier runs are read
 * from the log when they are first asked for.
 */
import { defined } from '../../lib/optional.ts'
import { type LogRecord, lostType, type Store } from '../../store/index.ts'
import { coreSlice } from '../access/settings.ts'
import { type Slices, stateAt } from '../audit/audit.ts'
import type { UndoRule } from '../contract/collection.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { Operation } from '../contract/operation.ts'
import { isProjectState, type UndoneData, undone } from '../contract/undone.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { isCallRecord } from '../log/call-records.ts'
import { type AcceptedData, type CompletedData, isEnd, seqOfJobId } from '../log/job.ts'
import type { EntryChanges } from '../state/collection-overlay.ts'
import type { Overlay, State } from '../state/state.ts'

/** One command that changed the project, or did something that cannot be taken back. */
export interface Step {
  readonly jobId: string
  /** Seq of its acceptance. */
  readonly seq: number
  readonly command: string
  readonly actor: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly group?: string
  readonly kind: 'command' | 'undo' | 'redo'
  /** Of an undo or a redo: the jobs that it takes back. */
  readonly takes: readonly string[]
  /** By collection, only content of the project. */
  readonly changes: ReadonlyMap<string, EntryChanges>
  /** What is no content and may have gone with its owner; see `UndoRule`. */
  readonly attached: ReadonlyMap<string, EntryChanges>
  /** What its events are filed under. */
  readonly entities: readonly string[]
  /** What it did that an undo leaves, for people. */
  readonly lasting: readonly string[]
  /** Why it cannot be taken back at all. */
  readonly final?: string
  /** Nor can what was done before it: another project is open since. */
  readonly isBarrier: boolean
}

/**
 * So many commands are kept, so many steps with their undos and redos, and so many changed entries; the last step
 * always.
 */
export interface StepLimits {
  readonly commands: number
  readonly steps: number
  readonly entries: number
}
const defaultLimits: StepLimits = { commands: 500, steps: 2000, entries: 200_000 }

/** What a job was, beside what it changed. */
interface JobFacts {
  readonly jobId: string
  readonly seq: number
  readonly command: string
  readonly actor: string
  readonly time: number
  readonly group: string | undefined
  /** Files that it wrote or removed. */
  readonly files: number
}

/** To find the steps of earlier runs so many times more jobs are read. */
const jobsPerStep = 10

/** The steps of a gateway. */
export class Steps {
  readonly #gateway: GatewayHandle
  readonly #limits: StepLimits
  /** Oldest first: those of this run. */
  readonly #noted: Step[] = []
  #sum: StepLimits = nothing
  /** Steps of this run were dropped: none before them is kept either. */
  #isFull = false
  /** Those of earlier runs, once they are read. */
  #earlier: Promise<ReadSteps> | undefined
  /** Why those of earlier runs cannot be told. */
  unknown: string | undefined
  /** Of a job accepted at or after this record it is known whether it is a step; `all` sets it. */
  knownFrom = 0

  constructor(gateway: GatewayHandle, limits: StepLimits = defaultLimits) {
    this.#gateway = gateway
    this.#limits = limits
  }

  /** Notes a job that has ended well; its changes are merged. */
  note(job: ActiveJob, merged: Overlay | undefined, emitted: readonly Emitted[], files: number): void {
    const { jobId, acceptedSeq: seq, actor, operation } = job
    const time = job.startedAt ?? job.createdAt
    const facts = { jobId, seq, command: operation.id, actor: actor.name, time, group: job.options.group, files }
    const step = stepOf(facts, operation, this.#gateway.state, merged, emitted)
    if (!step) return
    this.#noted.push(step)
    this.#sum = added(this.#sum, step)
    while (this.#noted.length > 1 && isAbove(this.#sum, this.#limits)) {
      this.#sum = added(this.#sum, this.#noted.shift()!, -1)
      this.#isFull = true
      this.#earlier = undefined
    }
  }

  /** Forgets a job whose changes were lost with a batch that the disk refused. */
  forget(jobId: string): void {
    const at = this.#noted.findLastIndex((step) => step.jobId === jobId)
    if (at >= 0) this.#sum = added(this.#sum, this.#noted.splice(at, 1)[0]!, -1)
  }

  /** All steps, oldest first. */
  async all(signal?: AbortSignal): Promise<readonly Step[]> {
    if (this.#isFull) {
      this.knownFrom = this.#noted[0]!.seq
      return this.#noted
    }
    this.#earlier ??= this.#readEarlier(signal).catch((error) => {
      this.#earlier = undefined
      throw error
    })
    const earlier = await this.#earlier
    const all = [...earlier.steps, ...this.#noted]
    const kept = withinLimits(all, this.#limits)
    this.knownFrom = kept.length < all.length ? kept[0]!.seq : earlier.from
    return kept
  }

  async #readEarlier(signal: AbortSignal | undefined): Promise<ReadSteps> {
    const { store, sessionSeq, plugins, registry, log } = this.#gateway
    const slices = [{ name: 'core', slice: coreSlice }, ...plugins.map(({ plugin }) => plugin)]
    try {
      return await readSteps(store, slices, (id) => registry.operation(id), {
        before: sessionSeq,
        limits: this.#limits,
        ...defined({ signal }),
      })
    } catch (error) {
      signal?.throwIfAborted()
      // Records that are lost or not folded any more: what came after them is known.
      log.warn({ err: error }, 'the commands of earlier runs cannot be told')
      this.unknown = `The commands before the start of the gateway cannot be told from the log: ${error instanceof Error ? error.message : String(error)}`
      return { steps: [], from: sessionSeq }
    }
  }
}

/** Steps from the log. */
interface ReadSteps {
  readonly steps: readonly Step[]
  /** See `knownFrom`. */
  readonly from: number
}

type Emitted = Pick<LogRecord, 'type' | 'data'> & { readonly entity?: string | undefined }

const nothing: StepLimits = { commands: 0, steps: 0, entries: 0 }

function added({ commands, steps, entries }: StepLimits, { kind, changes }: Step, sign = 1): StepLimits {
  let size = 0
  for (const change of changes.values()) size += change.keys().length
  return {
    commands: commands + (kind === 'command' ? sign : 0),
    steps: steps + sign,
    entries: entries + sign * size,
  }
}

function isAbove(sum: StepLimits, limits: StepLimits): boolean {
  return sum.commands > limits.commands || sum.steps > limits.steps || sum.entries > limits.entries
}

/** The step of a job; undefined when it changed nothing of the project and left nothing. */
function stepOf(
  { files, group, ...facts }: JobFacts,
  operation: Operation | undefined,
  state: State,
  merged: Overlay | undefined,
  emitted: readonly Emitted[],
): Step | undefined {
  const changes = new Map<string, EntryChanges>()
  const attached = new Map<string, EntryChanges>()
  let ends: Exclude<UndoRule, string> | undefined
  for (const [id, change] of merged?.changes() ?? []) {
    const definition = state.definition(id)
    if (!definition || change.keys().length === 0) continue
    if (definition.undo === 'attached') attached.set(id, change)
    if (!isProjectState(definition)) continue
    changes.set(id, change)
    const { undo } = definition
    if (typeof undo !== 'object' || undo.final === undefined || ends?.barrier) continue
    const isEnd = change.keys().some((key) => change.before(key) === undefined || change.after(key) === undefined)
    if (isEnd) ends = undo
  }
  const events = emitted.filter(({ type }) => type === undone.type).map(({ data }) => data as UndoneData)
  const lasting = events.length > 0 ? [] : lastingOf(operation, files)
  if (changes.size === 0 && lasting.length === 0) return undefined
  const isLive = events.length === 0 && operation?.kind === 'command' && lastingText(operation) !== undefined
  const final = ends?.final ?? (isLive ? lasting[0] : changes.size === 0 ? lasting[0] : undefined)
  const entities = new Set(
    emitted.flatMap(({ type, entity }) => (entity === undefined || type.startsWith('history.') ? [] : [entity])),
  )
  return {
    ...facts,
    kind: events[0]?.kind ?? 'command',
    takes: events.flatMap(({ jobs }) => jobs),
    changes,
    attached,
    entities: [...entities],
    lasting,
    isBarrier: ends?.barrier === true,
    ...defined({ group, final }),
  }
}

/** What the operation says that no undo can take back; undefined: nothing. */
function lastingText(operation: Operation): string | undefined {
  if (operation.kind !== 'command' || operation.lasting === false) return undefined
  return operation.lasting ?? (operation.live ? 'It acts on more than the project.' : undefined)
}

function lastingOf(operation: Operation | undefined, files: number): string[] {
  const own = operation && lastingText(operation)
  const written =
    files === 0
      ? undefined
      : `It wrote or removed ${files === 1 ? 'a file' : `${files} files`}; what is on the disk stays.`
  return [own, written].filter((text) => text !== undefined)
}

/**
 * Reads the steps before a record from the log: the last of them, oldest first. The state before them is folded from a
 * checkpoint, or from the beginning of the log.
 */
async function readSteps(
  store: Store,
  slices: Slices,
  operationOf: (id: string) => Operation | undefined,
  o: { readonly before: number; readonly limits: StepLimits; readonly signal?: AbortSignal },
): Promise<ReadSteps> {
  const { log, index } = store
  const to = o.before - 1
  // So many jobs are read: most that fail or read only are no steps.
  const limit = jobsPerStep * o.limits.commands
  const seqs = await index.find('kind:job', { before: o.before, reverse: true, limit })
  const from = seqs.at(-1)
  if (from === undefined) return { steps: [], from: 0 }
  let lost = 0
  const state = await stateAt(store, slices, from - 1, o.signal)
  const accepted = new Map<string, LogRecord>()
  const steps: Step[] = []
  let group: LogRecord[] = []
  const fold = (records: readonly LogRecord[], time: number | undefined): Overlay => {
    const overlay = state.overlay()
    for (const { type, jobId, actor, data, time: written } of records)
      overlay.fold(data, { type, jobId, actor, time: time ?? written })
    overlay.merge()
    return overlay
  }
  for await (const records of log.read({ from, to })) {
    o.signal?.throwIfAborted()
    for (const record of records) {
      const { type, jobId } = record
      if (isCallRecord(type)) continue
      if (type === lostType) {
        steps.length = 0
        lost = record.seq
      } else if (type === 'job.accepted') accepted.set(jobId!, record)
      else if (isEnd(type)) {
        const events = group
        group = []
        const { startedAt, files = 0 } = record.data as Partial<CompletedData>
        const merged = events.length > 0 ? fold(events, startedAt) : undefined
        const start = accepted.get(jobId!) ?? (await acceptanceOf(store, jobId!))
        accepted.delete(jobId!)
        const { command = '?', group: named, dryRun } = (start?.data ?? {}) as Partial<AcceptedData>
        if (type !== 'job.completed' || dryRun) continue
        const facts = {
          jobId: jobId!,
          seq: start?.seq ?? record.seq,
          command,
          actor: start?.actor ?? 'system',
          time: startedAt ?? record.time,
          group: named,
          files,
        }
        const step = stepOf(facts, operationOf(command), state, merged, events)
        if (step) steps.push(step)
      } else if (!type.startsWith('job.')) {
        if (jobId === undefined) fold([record], undefined)
        else group.push(record)
      }
    }
  }
  const kept = withinLimits(steps, o.limits)
  const known = kept.length < steps.length ? kept[0]!.seq : seqs.length < limit ? 0 : from
  return { steps: kept, from: Math.max(lost, known) }
}

async function acceptanceOf({ log }: Store, jobId: string): Promise<LogRecord | undefined> {
  const seq = seqOfJobId(jobId)
  const commit = seq === undefined ? undefined : await log.commitOf(seq)
  return commit?.find((record) => record.jobId === jobId && record.type === 'job.accepted')
}

/** The last steps that the limits allow, at least one. */
function withinLimits(steps: readonly Step[], limits: StepLimits): readonly Step[] {
  let sum = nothing
  const first = steps.findLastIndex((step) => {
    sum = added(sum, step)
    return sum.steps > 1 && isAbove(sum, limits)
  })
  return first < 0 ? steps : steps.slice(first + 1)
}

/** The jobs that are taken back now, each with the job that took it back: by an undo that is itself not taken back. */
export function takenBack(steps: readonly Step[]): ReadonlyMap<string, string> {
  const taken = new Map<string, string>()
  // An undo is taken back by a later step only, so the newest is decided first.
  for (const step of [...steps].reverse()) {
    if (step.kind === 'command' || taken.has(step.jobId)) continue
    for (const jobId of step.takes) if (!taken.has(jobId)) taken.set(jobId, step.jobId)
  }
  return taken
}

/** What the steps changed, each with the jobs that did, newest first. */
export function entitiesOf(steps: readonly Step[]): ReadonlyMap<string, string[]> {
  const jobs = new Map<string, string[]>()
  for (const { jobId, entities } of [...steps].reverse())
    for (const entity of entities) {
      const known = jobs.get(entity)
      if (known) known.push(jobId)
      else jobs.set(entity, [jobId])
    }
  return jobs
}
