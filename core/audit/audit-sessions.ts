/** The sessions in the log: each goes from one start of the gateway to the next. */
import { defined } from '../../lib/optional.ts'
import type { LogRecord, Store } from '../../store/index.ts'
import { problem } from '../contract/problems.ts'
import { iso } from '../log/job.ts'

/** A run of the gateway: from one `gateway.started` record to the next. */
export interface Session {
  /** Seq of its `gateway.started` record. */
  readonly session: number
  readonly startedAt: string
  /** Absent while the session runs, and after a crash. */
  readonly stoppedAt?: string
  /** `crashed`: there is no `gateway.stopped` record. */
  readonly state: 'running' | 'stopped' | 'crashed'
  readonly firstSeq: number
  readonly lastSeq: number
  /** Jobs accepted in it. */
  readonly jobs: number
  readonly version: string
  readonly node: string
  /** Plugins that were loaded, with their versions. */
  readonly plugins: Readonly<Record<string, string>>
}

export interface SessionOptions {
  /** Number of the running session; absent when the store is read without a gateway. */
  readonly running?: number | undefined
}

/** The sessions in the log, newest first. `before`: only those that began before this seq. */
export async function listSessions(
  store: Store,
  o: SessionOptions & { readonly limit: number; readonly before?: number | undefined },
): Promise<Session[]> {
  const sessions: Session[] = []
  let end: number | undefined
  let stopped: LogRecord | undefined
  // The first and the last record of a session have the term; the start of the next session also closes it.
  let before: number | undefined
  for (;;) {
    const seqs = await store.index.find('kind:session', {
      reverse: true,
      limit: 200,
      ...defined({ before }),
    })
    for (const seq of seqs) {
      before = seq
      const record = await store.log.get(seq)
      if (record?.type === 'gateway.stopped') stopped = record
      if (record?.type !== 'gateway.started') continue
      if (o.before === undefined || seq < o.before) sessions.push(await sessionOf(store, record, stopped, end, o))
      if (sessions.length === o.limit) return sessions
      end = seq - 1
      stopped = undefined
    }
    if (seqs.length === 0) return sessions
  }
}

async function sessionOf(
  store: Store,
  started: LogRecord,
  stopped: LogRecord | undefined,
  end: number | undefined,
  { running }: SessionOptions,
): Promise<Session> {
  const data = started.data as Partial<Pick<Session, 'version' | 'node' | 'plugins'>>
  const lastSeq = end ?? store.log.durableSeq
  const jobs = await store.index.find('kind:job', { after: started.seq, before: lastSeq + 1 })
  return {
    session: started.seq,
    startedAt: iso(started.time),
    ...(stopped ? { stoppedAt: iso(stopped.time) } : {}),
    state: stopped ? 'stopped' : started.seq === running ? 'running' : 'crashed',
    firstSeq: started.seq,
    lastSeq,
    jobs: jobs.length,
    version: data.version ?? '',
    node: data.node ?? '',
    plugins: data.plugins ?? {},
  }
}

/**
 * Finds a session by its number.
 * @throws GatewayError `not_found` with the numbers of the latest sessions
 */
export async function findSession(store: Store, session: number, o: SessionOptions = {}): Promise<Session> {
  const started = await store.log.get(session)
  if (started?.type !== 'gateway.started') {
    const latest = await listSessions(store, { limit: 5 })
    const known = latest.map((s) => s.session).join(', ')
    throw problem('not_found', `There is no session ${session}.${known ? ` The latest are ${known}.` : ''}`, {
      suggestion: 'GET /api/audit/sessions',
    })
  }
  let stopped: LogRecord | undefined
  for (const seq of await store.index.find('kind:session', { after: session, limit: 2 })) {
    const record = await store.log.get(seq)
    if (record?.type === 'gateway.started') return sessionOf(store, started, stopped, seq - 1, o)
    stopped = record
  }
  return sessionOf(store, started, stopped, undefined, o)
}
