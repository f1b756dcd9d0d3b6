/**
 * Replay (docs/design.md#audit-and-replay): runs the commands of a past session again in a scratch gateway and reports
 * every result that differs.
 *
 * The scratch gateway starts with the state at the start of the session. Each job gets its recorded id, time, actor and
 * input, and reads the same content from files as then (`FileFacts` in files.ts); nothing that it writes reaches a
 * disk. A job that cannot run again, because it acts on processes or failed for an external reason, is skipped: its
 * recorded events are folded, so that later jobs find their effects.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, normalize } from 'node:path'
import { defined } from '../../lib/optional.ts'
import { type LogRecord, lostType, openStore, type Store } from '../../store/index.ts'
import { coreSlice } from '../access/settings.ts'
import { emptyState } from '../audit/audit.ts'
import { findSession, type Session } from '../audit/audit-sessions.ts'
import { type Access, accessLevels } from '../contract/access.ts'
import type { Logger } from '../contract/logger.ts'
import type { Operation } from '../contract/operation.ts'
import { GatewayError, problem } from '../contract/problems.ts'
import type { FileFacts, FileSource } from '../files/files.ts'
import { Gateway, type GatewayOptions } from '../gateway.ts'
import { isCallRecord } from '../log/call-records.ts'
import {
  type AcceptedData,
  type CompletedData,
  type FailedData,
  isEnd,
  type JobStatus,
  seqOfJobId,
  termsOf,
} from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import { loadPlugins } from '../plugins/plugin-loader.ts'
import { Registry } from '../plugins/registry.ts'
import { RecordFold, writeCheckpoint } from '../state/checkpoint.ts'
import { State } from '../state/state.ts'

/** Where a replay reads the past: implemented over a store and over a message port. */
export interface ReplaySource {
  readonly session: Session
  /** Content of the data directory's `seal-key`; without it sealed inputs cannot be opened. */
  readonly sealKey: string | undefined
  /** Records of a range, in order. `eventsOnly`: records that only describe the progress of jobs may be left out. */
  records(from: number, to: number, eventsOnly: boolean): AsyncIterable<readonly LogRecord[]>
  /** The `job.accepted` record of a job. */
  accepted(jobId: string): Promise<LogRecord | undefined>
  blob(hash: string): Promise<Uint8Array>
}

export interface ReplayOptions {
  /** As in the gateway that recorded the session (GatewayOptions). */
  readonly pluginDirs: readonly string[]
  readonly version: string
  readonly log?: Logger
  readonly signal?: AbortSignal
  /** 0-100. */
  readonly onProgress?: (percent: number, message: string) => void
  /** Number of differences to list; further ones are only counted. Default 1000. */
  readonly maxDifferences?: number
}

/** One value that differs. */
export interface ReplayDifference {
  readonly jobId: string
  readonly command: string
  /** JSON pointer (RFC 6901) into `{ status, result?, error?, events }`. */
  readonly path: string
  /** Absent when there was nothing at this place. */
  readonly recorded?: unknown
  readonly replayed?: unknown
}

export interface ReplayReport {
  readonly session: number
  readonly startedAt: string
  /** Jobs that ended in the session. */
  readonly jobs: number
  /** Number of jobs that ended as recorded. */
  readonly same: number
  /** Number of jobs that ended otherwise. */
  readonly different: number
  readonly skipped: number
  /** The first 1000 skipped jobs with the reason. */
  readonly skippedJobs: readonly { readonly jobId: string; readonly command: string; readonly reason: string }[]
  readonly differences: readonly ReplayDifference[]
  /** Number of all differences found; more than `differences` lists when there are very many. */
  readonly differenceCount: number
  /** Records up to the end of the session that are lost: jobs after them can come out otherwise. Absent: none. */
  readonly lost?: readonly LostRange[]
}

/** Records that a recovery could not save, both ends included. */
export interface LostRange {
  readonly first: number
  readonly last: number
}

/** Problem codes that depend on the circumstances of the day and not on the command. */
const circumstances: ReadonlySet<string> = new Set([
  'precondition_failed',
  'request_cancelled',
  'job_interrupted',
  'job_not_stopped',
  'no_instance',
  'engine_failed',
  'log_unavailable',
  'log_corrupt',
  'shutting_down',
  'gone',
])

const maxSkippedListed = 1000

/**
 * Replays a session of a data directory that no gateway has open.
 *
 * @param options those of the gateway that recorded it: `dataDir`, `pluginDirs`, `version`, `log`
 * @param session number of the session: the seq of its `gateway.started` record
 * @throws StoreError when the directory is in use or damaged; GatewayError `not_found` for an unknown session
 */
export async function replaySession(
  options: Pick<GatewayOptions, 'dataDir'> & ReplayOptions,
  session: number,
): Promise<ReplayReport> {
  const store = await openStore({
    dir: join(options.dataDir, 'store'),
    readOnly: true,
    terms: termsOf,
    codec: jobCodec,
  })
  try {
    return await replayFrom(await storeSource(store, options.dataDir, session), options)
  } finally {
    await store.close()
  }
}

/** The source over an open store. `running`: the number of the session that is still running. */
export async function storeSource(
  store: Store,
  dataDir: string,
  session: number,
  running?: number,
): Promise<ReplaySource> {
  return {
    session: await findSession(store, session, { running }),
    sealKey: await readFile(join(dataDir, 'seal-key'), 'utf8').catch(() => undefined),
    async *records(from, to, eventsOnly) {
      for await (const records of store.log.read({ from, to }))
        yield eventsOnly ? records.filter(changesState) : records
    },
    async accepted(jobId) {
      const seq = seqOfJobId(jobId)
      const commit = seq === undefined ? undefined : await store.log.commitOf(seq)
      return commit?.find((record) => record.jobId === jobId && record.type === 'job.accepted')
    },
    blob: (hash) => store.blobs.get(hash),
  }
}

/** True for events and for ends of jobs (they contain the time of the job's events). */
export function changesState({ type }: LogRecord): boolean {
  return !isCallRecord(type) && (!type.startsWith('job.') || isEnd(type))
}

/**
 * Replays a session in a scratch gateway in this thread. Commands block it while they compute: see replay-worker.ts.
 */
export async function replayFrom(source: ReplaySource, options: ReplayOptions): Promise<ReplayReport> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-replay-'))
  try {
    const dataDir = join(dir, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    if (source.sealKey !== undefined) await writeFile(join(dataDir, 'seal-key'), source.sealKey, { mode: 0o600 })
    const lost = await prepareState(source, options, dataDir)
    const gateway = await Gateway.open({
      dataDir,
      workspace: [join(dir, 'workspace')],
      pluginDirs: options.pluginDirs,
      version: options.version,
      durability: 'os',
      withoutEngine: true,
      checkpointEvery: Number.POSITIVE_INFINITY,
      blobSource: { get: async (hash) => Buffer.from(await source.blob(hash)) },
      ...(options.log ? { log: options.log } : {}),
    })
    try {
      return await new Replay(source, options, gateway, lost).run()
    } finally {
      await gateway.close(0)
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * Writes the state at the start of the session as the scratch directory's checkpoint, so that plugins start with it.
 *
 * @returns the lost records before the session
 */
async function prepareState(source: ReplaySource, options: ReplayOptions, dataDir: string): Promise<LostRange[]> {
  const { loaded } = await loadPlugins(options.pluginDirs, new Registry(), new State())
  const slices = [{ name: 'core', slice: coreSlice }, ...loaded.map(({ plugin }) => plugin)]
  const state = emptyState(slices)
  const fold = new RecordFold(state)
  const lost: LostRange[] = []
  const to = source.session.firstSeq - 1
  for await (const records of source.records(1, to, true)) {
    options.signal?.throwIfAborted()
    for (const record of records) {
      fold.add(record)
      noteLost(lost, record)
    }
    options.onProgress?.(0, `state folded up to record ${records[records.length - 1]?.seq ?? 0} of ${to}`)
  }
  fold.end()
  const store = await openStore({ dir: join(dataDir, 'store'), durability: 'os', terms: termsOf, codec: jobCodec })
  try {
    await writeCheckpoint(store, 0, state.snapshot(), slices, [])
  } finally {
    await store.close()
  }
  return lost
}

/** Adds the range that a record of lost ones names. */
function noteLost(lost: LostRange[], { type, data }: LogRecord) {
  if (type !== lostType) return
  const { first, last } = data as LostRange
  if (lost.at(-1)?.first !== first) lost.push({ first, last })
}

/** The outcome of a job in the form that is compared. */
interface Ending {
  readonly status: JobStatus
  readonly result?: unknown
  readonly error?: unknown
  readonly events: readonly unknown[]
}

class Replay {
  readonly #source: ReplaySource
  readonly #options: ReplayOptions
  readonly #gateway: Gateway
  /** Acceptances of jobs whose end has not been read yet. */
  readonly #accepted = new Map<string, LogRecord>()
  /** Events of the job whose end comes next. */
  #group: LogRecord[] = []
  #replayedEvents: LogRecord[] = []
  #jobs = 0
  #same = 0
  #different = 0
  #skipped = 0
  #differenceCount = 0
  readonly #skippedJobs: { jobId: string; command: string; reason: string }[] = []
  readonly #differences: ReplayDifference[] = []

  readonly #lost: LostRange[]

  constructor(source: ReplaySource, options: ReplayOptions, gateway: Gateway, lost: LostRange[]) {
    this.#lost = lost
    this.#source = source
    this.#options = options
    this.#gateway = gateway
    gateway.bus.on('records', (records) => {
      for (const record of records)
        if (record.jobId && !record.type.startsWith('job.')) this.#replayedEvents.push(record)
    })
  }

  async run(): Promise<ReplayReport> {
    const { firstSeq, lastSeq, session, startedAt } = this.#source.session
    const { signal, onProgress } = this.#options
    for await (const records of this.#source.records(firstSeq, lastSeq, false)) {
      for (const record of records) {
        signal?.throwIfAborted()
        await this.#take(record)
      }
      const seq = records[records.length - 1]?.seq ?? firstSeq
      onProgress?.(
        (100 * (seq - firstSeq + 1)) / (lastSeq - firstSeq + 1),
        `${this.#jobs} jobs, ${this.#different} different`,
      )
    }
    return {
      session,
      startedAt,
      jobs: this.#jobs,
      same: this.#same,
      different: this.#different,
      skipped: this.#skipped,
      skippedJobs: this.#skippedJobs,
      differences: this.#differences,
      differenceCount: this.#differenceCount,
      ...(this.#lost.length === 0 ? {} : { lost: this.#lost }),
    }
  }

  async #take(record: LogRecord) {
    const { type, jobId } = record
    noteLost(this.#lost, record)
    if (type === 'job.accepted') this.#accepted.set(jobId!, record)
    else if (isEnd(type)) {
      const events = this.#group
      this.#group = []
      await this.#end(record, events)
    } else if (!type.startsWith('job.') && !isCallRecord(type)) {
      if (jobId !== undefined) this.#group.push(record)
      else this.#fold([record])
    }
  }

  async #end(end: LogRecord, events: readonly LogRecord[]) {
    const jobId = end.jobId!
    const accepted = this.#accepted.get(jobId) ?? (await this.#source.accepted(jobId))
    this.#accepted.delete(jobId)
    this.#jobs++
    const command = (accepted?.data as AcceptedData | undefined)?.command ?? '?'
    const operation = this.#gateway.registry.operation(command)
    const reason = reasonToSkip(accepted, end, operation)
    if (reason !== undefined) {
      this.#skipped++
      if (this.#skippedJobs.length < maxSkippedListed) this.#skippedJobs.push({ jobId, command, reason })
      this.#fold(events, (end.data as { startedAt?: number }).startedAt)
      return
    }
    const recorded = await this.#recorded(end, events)
    const replayed = await this.#again(operation!, accepted!, end)
    let found = 0
    differences(plain(recorded), plain(replayed), '', (path, a, b) => {
      found++
      this.#differenceCount++
      if (this.#differences.length >= (this.#options.maxDifferences ?? 1000)) return
      this.#differences.push({
        jobId,
        command,
        path,
        ...defined({ recorded: a, replayed: b }),
      })
    })
    if (found === 0) this.#same++
    else this.#different++
  }

  async #recorded(end: LogRecord, events: readonly LogRecord[]): Promise<Ending> {
    if (end.type === 'job.failed')
      return { status: 'Failed', error: (end.data as FailedData).error, events: events.map(eventOf) }
    const { result, resultBlob } = end.data as CompletedData
    const value = resultBlob ? JSON.parse(Buffer.from(await this.#source.blob(resultBlob)).toString('utf8')) : result
    return { status: 'Completed', result: value, events: events.map(eventOf) }
  }

  async #again(operation: Operation, accepted: LogRecord, end: LogRecord): Promise<Ending> {
    const data = accepted.data as AcceptedData
    const { startedAt, reads = {} } = end.data as CompletedData
    const gateway = this.#gateway
    const { input, logged } = await gateway.openInput(operation, data)
    this.#replayedEvents = []
    const job = gateway.jobs.submit(operation, input, {
      actor: { name: accepted.actor ?? 'system', access: accessOfRecord(data.access) },
      correlationId: accepted.correlationId ?? `replay-${randomBytes(6).toString('hex')}`,
      loggedInput: logged,
      ...(data.dryRun ? { dryRun: true } : {}),
      replay: {
        jobId: accepted.jobId!,
        now: startedAt ?? end.time,
        source: new RecordedFiles(reads, async (hash) => Buffer.from(await this.#source.blob(hash))),
      },
    })
    const abort = () => void gateway.jobs.cancel(job.jobId).catch(() => undefined)
    this.#options.signal?.addEventListener('abort', abort, { once: true })
    const outcome = await job.settled
    this.#options.signal?.removeEventListener('abort', abort)
    const events = this.#replayedEvents.map(eventOf)
    if (outcome.ok) return { status: job.status, result: outcome.result, events }
    return { status: job.status, error: gateway.toProblem(outcome.error, job.jobId), events }
  }

  #fold(records: readonly LogRecord[], time?: number) {
    for (const { type, jobId, actor, data, time: written } of records)
      if (type !== lostType) this.#gateway.state.fold(data, { type, jobId, actor, time: time ?? written })
  }
}

function reasonToSkip(
  accepted: LogRecord | undefined,
  end: LogRecord,
  operation: Operation | undefined,
): string | undefined {
  if (!accepted) return 'its acceptance is not in the log'
  if (!operation) return 'its operation is not loaded'
  if (operation.kind === 'stream') return 'a stream does not run as a job'
  if (operation.live) return 'it acts on more than state and files'
  if (end.type === 'job.cancelled') return 'it was cancelled'
  if (end.type === 'job.failed') {
    const { code } = (end.data as FailedData).error
    if (circumstances.has(code)) return `it failed with ${code}`
  }
  return undefined
}

function accessOfRecord(access: string): Access {
  return (accessLevels as readonly string[]).includes(access) ? (access as Access) : 'viewer'
}

function eventOf({ type, entity, data }: LogRecord) {
  return { type, ...defined({ entity }), data }
}

/** The value after JSON.stringify and JSON.parse, as the recorded values are. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Durations differ every time (their names end in the unit, docs/design.md#answers). */
const isDuration = (name: string, value: unknown) => /[a-z]Ms$/.test(name) && typeof value === 'number'

/** Calls `found` for each place where two plain values differ. */
export function differences(
  recorded: unknown,
  replayed: unknown,
  path: string,
  found: (path: string, recorded: unknown, replayed: unknown) => void,
): void {
  if (Object.is(recorded, replayed)) return
  const comparable =
    typeof recorded === 'object' && typeof replayed === 'object' && recorded !== null && replayed !== null
  if (!comparable || Array.isArray(recorded) !== Array.isArray(replayed)) {
    found(path, recorded, replayed)
    return
  }
  const a = recorded as Record<string, unknown>
  const b = replayed as Record<string, unknown>
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (isDuration(key, a[key]) && isDuration(key, b[key])) continue
    differences(a[key], b[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found)
  }
}

/** The files as the recorded job found them. */
class RecordedFiles implements FileSource {
  readonly #facts: Readonly<FileFacts>
  readonly #blob: (hash: string) => Promise<Buffer>

  constructor(facts: Readonly<FileFacts>, blob: (hash: string) => Promise<Buffer>) {
    this.#facts = facts
    this.#blob = blob
  }

  async resolve(path: string): Promise<string> {
    this.#failIfItFailed('real', path)
    const real = this.#facts[`real ${path}`]
    if (real !== undefined) return real
    if (isAbsolute(path) && normalize(path) === path) return path
    throw this.#unknown('resolve', path)
  }

  async read(path: string): Promise<Buffer> {
    this.#failIfItFailed('read', path)
    const hash = this.#facts[path]
    if (hash === undefined) throw this.#unknown('read', path)
    return this.#blob(hash)
  }

  async list(path: string) {
    this.#failIfItFailed('list', path)
    const hash = this.#facts[path]
    if (hash === undefined) throw this.#unknown('list', path)
    return JSON.parse((await this.#blob(hash)).toString('utf8')) as Awaited<ReturnType<FileSource['list']>>
  }

  async stat(path: string) {
    this.#failIfItFailed('stat', path)
    const fact = this.#facts[`stat ${path}`]
    if (fact === undefined) throw this.#unknown('look at', path)
    return (JSON.parse(fact) as Awaited<ReturnType<FileSource['stat']>> | null) ?? undefined
  }

  #failIfItFailed(verb: string, path: string) {
    const fact = this.#facts[`fail ${verb} ${path}`]
    if (fact === undefined) return
    const { code, detail, suggestion } = JSON.parse(fact) as { code: string; detail: string; suggestion?: string }
    throw new GatewayError(code, detail, suggestion === undefined ? {} : { suggestion })
  }

  /**
   * The command asks a question that the recorded run did not ask: it takes another path, and the report shows the
   * result.
   */
  #unknown(verb: string, path: string) {
    return problem('not_found', `The recorded job did not ${verb} "${path}".`)
  }
}
