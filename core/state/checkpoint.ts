/**
 * Restores the state from the newest checkpoint and the log after it, and writes checkpoints (docs/design.md#start).
 */

import { defined } from '../../lib/optional.ts'
import { type LogRecord, lostType, type Store } from '../../store/index.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { EventMeta } from '../contract/reducer.ts'
import type { OpenJob } from '../log/active-job.ts'
import { isCallRecord } from '../log/call-records.ts'
import { type AcceptedData, isEnd } from '../log/job.ts'
import type { State } from './state.ts'

/** The part of a plugin that matters for the state. */
export type SlicedPlugin = Pick<Plugin, 'name' | 'slice'>

interface CheckpointHead {
  /** Slice version of each plugin; a plugin whose version differs is folded anew from the log. */
  readonly slices: Readonly<Record<string, number>>
  readonly openJobs: readonly OpenJob[]
}

/** Entries in one checkpoint part: few enough that writing it does not block the event loop for long. */
const chunkSize = 2000

/** Writes the whole state as of `seq`. Precondition: every record up to `seq` is folded and durable. */
export async function writeCheckpoint(
  store: Store,
  seq: number,
  snapshot: ReadonlyMap<string, [string, unknown][]>,
  plugins: readonly SlicedPlugin[],
  openJobs: readonly OpenJob[],
): Promise<void> {
  function* parts(): Generator<[string, unknown]> {
    const slices = Object.fromEntries(plugins.flatMap((p) => (p.slice ? [[p.name, p.slice.version]] : [])))
    yield ['head', { slices, openJobs } satisfies CheckpointHead]
    for (const [id, entries] of snapshot) {
      for (let i = 0; i < entries.length; i += chunkSize)
        yield [`${id}#${i / chunkSize}`, entries.slice(i, i + chunkSize)]
    }
  }
  await store.checkpoints.write(seq, parts())
}

/** The result of {@link restoreState}. */
export interface RestoredState {
  /** Jobs without an end, oldest first. */
  readonly openJobs: readonly OpenJob[]
  /** Seq of the checkpoint that was used; 0: none. */
  readonly checkpointSeq: number
  /** Records folded after it. */
  readonly folded: number
  /** Events behind lost records that could not be folded completely: how many, and the first of them. */
  readonly incompleteCount: number
  readonly incomplete: readonly IncompleteEvent[]
}

/**
 * Brings the state up to the end of the log: restores the newest checkpoint, folds what came after it, and folds from
 * the beginning for plugins that are new or have raised their slice version.
 *
 */
export async function restoreState(
  store: Store,
  state: State,
  plugins: readonly SlicedPlugin[],
): Promise<RestoredState> {
  const checkpoint = await store.checkpoints.newest()
  const head = checkpoint?.parts.get('head') as CheckpointHead | undefined
  const open = new Map<string, OpenJob>((head?.openJobs ?? []).map((job) => [job.jobId, job]))
  let stale: ReadonlySet<string> = new Set()
  let from = 1
  let folded = 0
  const incomplete: RecordFold[] = []
  if (checkpoint && head) {
    from = checkpoint.seq + 1
    stale = staleSlices(checkpoint, plugins)
    takeCheckpoint(checkpoint, state, stale)
  }
  if (stale.size > 0 && from > 1) {
    const fold = new RecordFold(state, stale)
    await store.log.replay({ from: 1 }, (record) => {
      if (record.seq < from) fold.add(record)
    })
    fold.end()
    incomplete.push(fold)
  }
  if (store.log.headSeq >= from) {
    const fold = new RecordFold(state)
    ;({ records: folded } = await store.log.replay({ from }, (record) => {
      fold.add(record)
      trackOpenJobs(open, record)
    }))
    fold.end()
    incomplete.push(fold)
  }
  state.watchAbsent(undefined)
  return {
    openJobs: [...open.values()].sort((a, b) => a.seq - b.seq),
    checkpointSeq: from - 1,
    folded,
    incomplete: incomplete.flatMap((fold) => fold.incomplete),
    incompleteCount: incomplete.reduce((sum, fold) => sum + fold.incompleteCount, 0),
  }
}

/** The jobs without an end in a log, oldest first, without folding the state. */
export async function readOpenJobs(store: Store): Promise<OpenJob[]> {
  const checkpoint = await store.checkpoints.newest()
  const head = checkpoint?.parts.get('head') as CheckpointHead | undefined
  const open = new Map<string, OpenJob>((head?.openJobs ?? []).map((job) => [job.jobId, job]))
  await store.log.replay({ from: (checkpoint?.seq ?? 0) + 1 }, (record) => {
    trackOpenJobs(open, record)
  })
  return [...open.values()].sort((a, b) => a.seq - b.seq)
}

type Checkpoint = NonNullable<Awaited<ReturnType<Store['checkpoints']['newest']>>>

/** The plugins whose part of a checkpoint is missing or has another slice version. */
export function staleSlices({ parts }: Checkpoint, plugins: readonly SlicedPlugin[]): ReadonlySet<string> {
  const head = parts.get('head') as CheckpointHead | undefined
  return new Set(
    plugins.filter(({ name, slice }) => slice && head?.slices[name] !== slice.version).map(({ name }) => name),
  )
}

/** Restores a checkpoint's collections into an empty state, without those of the stale plugins. */
export function takeCheckpoint({ parts }: Checkpoint, state: State, stale: ReadonlySet<string> = new Set()): void {
  for (const [part, entries] of parts) {
    const at = part.indexOf('#')
    const plugin = part.slice(0, part.indexOf('.'))
    if (at > 0 && !stale.has(plugin)) state.restore(part.slice(0, at), entries as [string, unknown][])
  }
}

/** An event that could not be folded completely, because records before it are lost. */
export interface IncompleteEvent {
  readonly seq: number
  readonly type: string
  readonly entity?: string
  /** What is missing, e.g. `blocks.headers/…`, or the error of the reducer. */
  readonly reason: string
}

/** At most so many are listed. */
const mostIncomplete = 1000

/**
 * Folds records of the log into a state, in order. Reducers get the same `meta.time` as when the command ran, so that
 * the fold gives the same state. That time is in the record of the job's end, which follows the job's events in one
 * group (the time of a record itself is that of its commit).
 *
 * Behind lost records (`log.lost`) an event may change what is not there. What can be folded is folded, and such events
 * are noted; anywhere else an event that cannot be folded is an error.
 */
export class RecordFold {
  readonly #state: State
  readonly #only: ReadonlySet<string> | undefined
  #group: LogRecord[] = []
  #hasLost = false
  #folding: LogRecord | undefined
  /** The first of {@link incompleteCount}. */
  readonly incomplete: IncompleteEvent[] = []
  incompleteCount = 0

  /** @param only fold only into the slices of these plugins */
  constructor(state: State, only?: ReadonlySet<string>) {
    this.#state = state
    this.#only = only
  }

  add(record: LogRecord): void {
    const { type, jobId } = record
    if (isCallRecord(type)) return
    if (type === lostType) this.#lost()
    else if (!type.startsWith('job.')) {
      if (this.#group.length > 0 && this.#group[0]!.jobId !== jobId) this.end()
      this.#group.push(record)
      if (jobId === undefined) this.end()
    } else if (this.#group.length > 0 && isEnd(type)) this.end((record.data as { startedAt?: number }).startedAt)
  }

  /** Folds the events that wait for the end of their job: no more records will come. */
  end(time?: number): void {
    for (const record of this.#group) this.#fold(record, time)
    this.#group = []
  }

  #fold(record: LogRecord, time: number | undefined) {
    this.#folding = record
    try {
      this.#state.fold(record.data, metaOf(record, time), this.#only)
    } catch (error) {
      if (!this.#hasLost) throw error
      this.#note(error instanceof Error ? error.message : String(error))
    }
  }

  #lost() {
    if (this.#hasLost) return
    this.end()
    this.#hasLost = true
    this.#state.watchAbsent((collection, key) => this.#note(`${collection}/${key} is not there`))
  }

  #note(reason: string) {
    const { seq, type, entity } = this.#folding!
    this.incompleteCount++
    if (this.incomplete.length < mostIncomplete) this.incomplete.push(defined({ seq, type, entity, reason }))
  }
}

function metaOf({ type, time, jobId, actor }: LogRecord, ranAt = time): EventMeta {
  return { type, time: ranAt, jobId, actor }
}

function trackOpenJobs(open: Map<string, OpenJob>, record: LogRecord) {
  const jobId = record.jobId!
  switch (record.type) {
    case lostType:
      // Whether they have run is not known: they must not run again.
      for (const job of open.values()) job.isUnknown = true
      break
    case 'job.accepted':
      open.set(jobId, {
        jobId,
        seq: record.seq,
        time: record.time,
        actor: record.actor ?? 'system',
        correlationId: record.correlationId,
        data: record.data as AcceptedData,
        started: false,
      })
      break
    case 'job.started': {
      const job = open.get(jobId)
      if (job) job.started = true
      break
    }
    case 'job.completed':
    case 'job.failed':
    case 'job.cancelled':
      open.delete(jobId)
  }
}
