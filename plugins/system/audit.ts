/** The audit: past events, sessions, the state at a time, and whether a replay gives the same result. */

import {
  collection,
  command,
  defined,
  type Gateway,
  get,
  jsonValue,
  nearest,
  type Operation,
  operationResult,
  post,
  problem,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import {
  type AuditFilter,
  AuditReader,
  answerAt,
  type ChainedEntry,
  chainedPage,
  clearPlaces,
  coreSlice,
  listSessions,
  type ReplayReport,
  readExpected,
  replayBeside,
  stateAt,
  withoutSecrets,
} from '../../core/services.ts'
import { clearPlacesSchema } from './audit-redact.ts'
import { seqOfCursor } from './job-list.ts'

const recordData = (t: SchemaBuilder) =>
  t.Named('RecordData', () => t.Unknown({ description: 'As its type has it; secrets removed.' }))
const stateEntry = (t: SchemaBuilder) =>
  t.Named('StateEntry', () => t.Unknown({ description: 'An entry of a collection of a plugin.' }))

const entrySchema = (t: SchemaBuilder) =>
  t.Unsafe<ChainedEntry>(
    t.Object({
      seq: t.Integer({ description: 'Number of the record in the log.' }),
      time: t.DateTime(),
      type: t.String({
        description: '`job.accepted`, `job.completed`, `query.served`, `call.refused`, or that of a domain event.',
      }),
      operation: t.Optional(t.String()),
      actor: t.Optional(t.String()),
      jobId: t.Optional(t.String()),
      correlationId: t.Optional(t.String()),
      entity: t.Optional(t.String()),
      data: recordData(t),
      commit: t.Optional(
        t.Union(
          [
            t.Object({ hash: t.String(), content: t.String() }),
            t.Object({
              hash: t.String(),
              first: t.Integer(),
              count: t.Integer(),
              previous: t.String(),
              original: t.Optional(t.String()),
            }),
          ],
          {
            description:
              '`chain`: in the last entry of a commit, its hash and what is hashed, or its place in the chain where the records contain secrets.',
          },
        ),
      ),
    }),
  )

/** @throws GatewayError `invalid_input` */
function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    throw problem('invalid_input', `/${name}: "${text}" is no RFC 3339 time.`, {
      errors: [{ path: `/${name}`, message: 'must be a time like 2026-01-31T14:00:00Z', value: text }],
    })
  }
  return time
}

/** Maximum number of lines in a response; a longer log is read page by page, or with the command line. */
const maxEntries = 10_000

/** @throws GatewayError `invalid_input` */
function expectedOf(text: string) {
  try {
    return readExpected(text)
  } catch (error) {
    throw problem('invalid_input', `/expect: ${(error as Error).message}`)
  }
}

const report = (t: SchemaBuilder) =>
  t.Unsafe<ReplayReport>(
    t.Object({
      session: t.Integer(),
      startedAt: t.DateTime(),
      jobs: t.Integer({ description: 'Jobs that ended in the session.' }),
      same: t.Integer(),
      different: t.Integer(),
      skipped: t.Integer(),
      skippedJobs: t.Array(t.Object({ jobId: t.String(), command: t.String(), reason: t.String() })),
      differences: t.Array(
        t.Object({
          jobId: t.String(),
          command: t.String(),
          path: t.String({ description: 'JSON pointer into { status, result, error, events }.' }),
          recorded: t.Optional(jsonValue(t)),
          replayed: t.Optional(jsonValue(t)),
        }),
      ),
      differenceCount: t.Integer({ description: 'All that were found.' }),
      lost: t.Optional(
        t.Array(t.Object({ first: t.Integer(), last: t.Integer() }), {
          description: 'Records up to the end of the session that are lost: jobs after them can come out otherwise.',
        }),
      ),
    }),
  )

export const auditOperations: readonly Operation[] = [
  query({
    id: 'audit.list',
    title: 'Read the audit log',
    description:
      'Every call of the API and every change, one entry for each record of the log. All given conditions must hold; `*` in operation, entity and types stands for any run of characters. Pages go on with `cursor`; one may hold fewer entries than `limit`, or none, and still have a `nextCursor`. `format=ndjson` gives one JSON object a line.',
    live: true,
    byTime: true,
    input: (t) =>
      t.Object({
        from: t.Optional(t.String({ description: 'RFC 3339 time, included.' })),
        to: t.Optional(t.String({ description: 'RFC 3339 time, excluded.' })),
        actor: t.Optional(t.String({ description: 'Name of the key, with or without the client after a slash.' })),
        operation: t.Optional(t.String({ maxLength: 200, description: 'Operation id, e.g. `blocks.*`.' })),
        entity: t.Optional(t.String({ maxLength: 500, description: 'E.g. `block/PLC_1/Main` or `block/PLC_1/*`.' })),
        jobId: t.Optional(t.String()),
        types: t.Optional(
          t.Array(t.String({ maxLength: 100 }), { maxItems: 50, description: 'Record types, e.g. `job.*,blocks.*`.' }),
        ),
        session: t.Optional(t.Integer({ minimum: 1, description: 'Number of a session.' })),
        order: t.Optional(t.Enum(['desc', 'asc'], { description: '`desc` (default): newest first.' })),
        limit: t.Optional(
          t.Integer({ minimum: 1, maximum: maxEntries, description: 'At most this many; 100 by default.' }),
        ),
        cursor: t.Optional(
          t.String({ description: '`nextCursor` of the page before, or the `seq` of its last entry.' }),
        ),
        format: t.Optional(t.Enum(['json', 'ndjson'])),
        chain: t.Optional(
          t.Boolean({ description: 'With the hash chain, for `gantry audit verify <file>`; needs `order=asc`.' }),
        ),
      }),
    output: (t) =>
      t.Union([
        t.Object({
          entries: t.Array(entrySchema(t)),
          total: t.Optional(
            t.Integer({
              description:
                'Entries that match, on all pages. Absent when too many records must be read to tell; the next call goes on counting.',
            }),
          ),
          nextCursor: t.Optional(t.String({ description: 'There may be more.' })),
        }),
        t.String({ description: '`format=ndjson`: one entry a line.' }),
      ]),
    produces: 'application/x-ndjson',
    accepts: { 'application/x-ndjson': { format: 'ndjson' } },
    http: [get('/api/audit')],
    mcp: { toolset: 'audit' },
    async run(input, ctx) {
      const { order = 'desc', limit = 100, cursor, format = 'json', chain = false } = input
      if (chain && order !== 'asc') throw problem('invalid_input', '/chain: needs order=asc.')
      const from = timeOf('from', input.from)
      const to = timeOf('to', input.to)
      const { actor, operation, entity, jobId, types, session } = input
      const filter: AuditFilter = {
        ...defined({ from, to, actor, operation, entity, jobId, types, session }),
      }
      const seq = seqOfCursor(cursor)
      const reader = auditReaderOf(ctx.gateway)
      const found = await reader.page(filter, {
        limit,
        // A text of lines has no room for a cursor.
        whole: format === 'ndjson',
        reverse: order === 'desc',
        signal: ctx.signal,
        ...defined({ cursor: seq }),
      })
      const page = chain ? { ...found, entries: await chainedPage(ctx.gateway.store, found.entries) } : found
      if (format === 'ndjson') return page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      const total = await reader.count(filter, ctx.signal)
      return { ...page, ...defined({ total }) }
    },
  }),
  query({
    id: 'audit.sessions',
    title: 'List the sessions of the gateway',
    description: 'A session goes from one start of the gateway to the next. Newest first.',
    live: true,
    byTime: true,
    input: (t) =>
      t.Object({
        limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'At most this many; 50 by default.' })),
        cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
      }),
    output: (t) =>
      t.Object({
        sessions: t.Array(
          t.Object({
            session: t.Integer({ description: 'Its number: the seq of its first record.' }),
            startedAt: t.DateTime(),
            stoppedAt: t.Optional(t.DateTime()),
            state: t.Enum(['running', 'stopped', 'crashed']),
            firstSeq: t.Integer(),
            lastSeq: t.Integer(),
            jobs: t.Integer({ description: 'Jobs accepted in it.' }),
            version: t.String(),
            node: t.String(),
            plugins: t.Record(t.String(), t.String()),
          }),
        ),
        total: t.Optional(t.Integer({ description: 'Sessions in the log. Absent as with the audit log.' })),
        nextCursor: t.Optional(t.String()),
      }),
    http: [get('/api/audit/sessions')],
    mcp: { toolset: 'audit' },
    async run({ limit = 50, cursor }, ctx) {
      const { gateway } = ctx
      await gateway.store.log.durable(gateway.sessionSeq).catch(() => undefined)
      const before = seqOfCursor(cursor)
      const found = await listSessions(gateway.store, { limit: limit + 1, before, running: gateway.sessionSeq })
      const page = found.slice(0, limit)
      const sessions = page.map((session) => ({ ...session, plugins: { ...session.plugins } }))
      const last = page[page.length - 1]
      const total = await auditReaderOf(gateway).count({ types: ['gateway.started'] }, ctx.signal)
      return {
        sessions,
        ...defined({ total }),
        ...(found.length > limit && last ? { nextCursor: String(last.session) } : {}),
      }
    },
  }),
  query({
    id: 'audit.verify',
    title: 'Verify the log',
    description:
      'Checks the hash chain over every record, the head, the witness, the index, the files and every content that a record brings, and tells secrets that old records hold in clear text. It works also when the log cannot be written. `ok: false` comes with the faults and where they are.',
    live: true,
    whenDamaged: true,
    besideLane: true,
    input: (t) =>
      t.Object({
        blobs: t.Optional(
          t.Enum(['present', 'whole'], {
            description: '`present` (default): every content is there; `whole`: and its bytes match its hash.',
          }),
        ),
        expect: t.Optional(
          t.Array(t.String({ maxLength: 100 }), {
            maxItems: 100,
            description: '`SEQ:HASH`: the record is in the commit with this hash, as an earlier report or export said.',
          }),
        ),
      }),
    output: (t) =>
      t.Object({
        ok: t.Boolean(),
        records: t.Integer(),
        commits: t.Integer(),
        head: t.Object({ seq: t.Integer(), hash: t.String() }),
        faults: t.Array(t.Object({ kind: t.String(), seq: t.Optional(t.Integer()), detail: t.String() })),
        absent: t.Array(t.String(), {
          description: 'Files of the archive that are not in its folder: their records were not checked.',
        }),
        lost: t.Array(t.Object({ first: t.Integer(), last: t.Integer(), reason: t.String() }), {
          description:
            'Records that "gantry recover" could not save. They are no fault: the chain says that they are lost.',
        }),
        lostContents: t.Array(t.String(), { description: 'Hashes of contents that it could not save.' }),
        redacted: t.Object(
          { places: t.Integer(), commits: t.Integer() },
          {
            description: 'Texts that were taken out (`POST /api/audit/actions/redact`), and commits with such records.',
          },
        ),
        clearSecrets: t.Object(
          { count: t.Integer(), places: clearPlacesSchema(t) },
          {
            description:
              'Secrets in clear text in old records: where, never what. Not searched where there are faults.',
          },
        ),
        notes: t.Array(t.String(), { description: 'What the start found strange, e.g. a missing witness.' }),
      }),
    http: [get('/api/audit/verify'), post('/api/audit/actions/verify', 'async')],
    mcp: { toolset: 'audit' },
    async run({ blobs = 'present', expect = [] }, { gateway, signal, progress }) {
      const { lost, redacted, ...report } = await gateway.store.log.verify({
        blobs,
        expect: expect.map(expectedOf),
        signal,
        onProgress: (done, total) => progress((100 * done) / Math.max(1, total), `${done} of ${total} records`),
      })
      const { ok, records, commits, head, faults, absent, lostContents } = report
      const isReadable = ok && absent.length === 0
      const clear = isReadable ? await clearPlaces(gateway.store, gateway.registry, signal) : { count: 0, places: [] }
      return {
        ok,
        records,
        commits,
        head: { ...head },
        faults: faults.map((fault) => ({ ...fault })),
        absent: [...absent],
        lost: lost.map((range) => ({ ...range })),
        lostContents: [...lostContents],
        redacted: { ...redacted },
        clearSecrets: { count: clear.count, places: clear.places.map((place) => ({ ...place })) },
        notes: [...gateway.startNotes],
      }
    },
  }),
  query({
    id: 'audit.state',
    title: 'Read the state at any record',
    description:
      'The fold of the log up to record `seq`: its collections with their sizes, the entries of one collection, or one entry. Answers come from the log as it is read now by the reducers that are loaded now.',
    live: true,
    access: 'engineer',
    input: (t) =>
      t.Object({
        seq: t.Integer({ minimum: 0 }),
        collection: t.Optional(t.String({ description: 'E.g. `devices.devices`.' })),
        key: t.Optional(t.String({ description: 'One entry of the collection.' })),
        limit: t.Optional(t.Integer({ minimum: 1, maximum: maxEntries, description: 'Entries; 1000 by default.' })),
        cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
      }),
    output: (t) =>
      t.Object({
        seq: t.Integer(),
        collections: t.Optional(t.Array(t.Object({ id: t.String(), entries: t.Integer() }))),
        collection: t.Optional(t.String()),
        entries: t.Optional(t.Array(t.Object({ key: t.String(), value: stateEntry(t) }))),
        total: t.Integer({ description: 'Collections, or entries of the collection, on all pages.' }),
        nextCursor: t.Optional(t.String()),
        key: t.Optional(t.String()),
        value: t.Optional(stateEntry(t)),
      }),
    http: [get('/api/audit/state')],
    mcp: { toolset: 'audit' },
    async run({ seq, collection: id, key, limit = 1000, cursor }, { gateway, signal }) {
      const slices = [{ name: 'core', slice: coreSlice }, ...gateway.plugins.map(({ plugin }) => plugin)]
      const ids = gateway.state.collectionIds()
      if (id !== undefined && !ids.includes(id)) {
        const near = nearest(id, ids)
        throw problem(
          'not_found',
          `There is no collection "${id}".${near ? ` Did you mean "${near}"?` : ` There are ${ids.join(', ')}.`}`,
          near ? { suggestion: near } : {},
        )
      }
      if (key !== undefined && id === undefined) throw problem('invalid_input', '/key: needs the collection it is in.')
      const state = await stateAt(gateway.store, slices, seq, signal)
      if (id === undefined) {
        const collections = ids.map((name) => ({ id: name, entries: state.read(collection(name)).size }))
        return { seq, collections, total: collections.length }
      }
      const reader = state.read(collection<unknown>(id))
      if (key !== undefined) {
        if (!reader.has(key)) throw problem('not_found', `Collection ${id} had no entry "${key}" at record ${seq}.`)
        return { seq, collection: id, key, value: withoutSecrets(reader.get(key)), total: reader.size }
      }
      // What it was does not change: a position holds.
      const { page, ...rest } = rankedPage([...reader.entries()], { limit, cursor }, `${seq}-${id}`)
      const entries = page.map(([name, value]) => ({ key: name, value: withoutSecrets(value) }))
      return { seq, collection: id, entries, ...rest }
    },
  }),
  query({
    id: 'audit.answer',
    title: 'Ask a query about the state at any record',
    description:
      'What a query would have answered after record `seq`, e.g. `blocks.content` with the names of a device and a block: the content that the block had then. The query runs as it is loaded now. 410 when a content of that time is not kept any more (snapshots keep it).',
    live: true,
    access: 'engineer',
    input: (t) =>
      t.Object({
        seq: t.Integer({ minimum: 0, description: 'Number of a record, e.g. of an entry of the audit.' }),
        operation: t.String({ maxLength: 200, description: 'Id of a query that answers from the state alone.' }),
        input: t.Optional(t.Record(t.String(), t.Unknown(), { description: 'Its input; as text it is JSON.' })),
      }),
    output: (t) => t.Object({ seq: t.Integer(), operation: t.String(), answer: operationResult(t) }),
    http: [get('/api/audit/answer'), post('/api/audit/actions/answer')],
    mcp: { toolset: 'audit' },
    example: { seq: 1207, operation: 'blocks.content', input: { deviceName: 'PLC_1', blockName: 'Main' } },
    async run({ seq, operation, input = {} }, ctx) {
      return { seq, operation, answer: await answerAt(ctx, { seq, operation, input }) }
    },
  }),
  command({
    id: 'audit.replay',
    title: 'Replay a past session',
    description:
      'Runs the commands of a session again in a scratch gateway, on the state of that time and the files they read then, and reports every result, error and event that comes out otherwise. Nothing of this gateway is touched. Commands on processes, cancelled jobs and failures of that day are skipped.',
    live: true,
    lasting: false,
    input: (t) => t.Object({ session: t.Integer({ minimum: 1, description: 'Number of the session.' }) }),
    output: report,
    http: [post('/api/audit/actions/replay', 'async'), post('/api/audit/actions/replay-sync')],
    mcp: { toolset: 'audit' },
    async run({ session }, ctx) {
      return replayBeside(ctx.gateway, session, {
        signal: ctx.signal,
        onProgress: (percent, message) => ctx.progress(percent, message),
      })
    },
  }),
]

const readers = new WeakMap<object, AuditReader>()

/** One reader for each gateway: it remembers which job belongs to which operation. */
export function auditReaderOf(gateway: Gateway): AuditReader {
  let reader = readers.get(gateway)
  if (!reader) {
    reader = new AuditReader(gateway.store)
    readers.set(gateway, reader)
  }
  return reader
}
