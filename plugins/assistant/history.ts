/** The history of talks: listed and cleared by people, kept by the turns themselves. */
import {
  type CommandContext,
  command,
  defined,
  del,
  type Gateway,
  get,
  type Operation,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import {
  type Approval,
  approvalAsked,
  callStates,
  type HistoryEntry,
  historyCleared,
  talks,
  turnKept,
} from './state.ts'

/** A message as clients read it. */
export interface Message {
  readonly role: HistoryEntry['role']
  readonly content: string
}

/** Text in the place of one that was sealed under a key that is gone. */
const unreadable = '(not readable: the key of the data directory was replaced)'

/** The text of an entry. */
export function openText(gateway: Gateway, sealed: string): string {
  try {
    return gateway.unseal(sealed)
  } catch {
    return unreadable
  }
}

export const projectKeyField = (t: SchemaBuilder) =>
  t.String({ maxLength: 500, description: 'Name, path or id of a project; any text that names one.' })

export const callFields = (t: SchemaBuilder) => ({
  operation: t.String(),
  state: t.Enum([...callStates]),
  jobId: t.Optional(t.String({ description: 'Of the command, or of its dry run.' })),
})

const list = query({
  id: 'assistant.list-history',
  title: 'Read the history of talks with the assistant',
  description:
    'Oldest first. Without `projectKey` the talks of all keys. The texts are kept encrypted: the audit, its exports and the records of calls do not show them. `calls` names the jobs of a turn, `turnId` is the same in all parts of one.',
  input: (t) =>
    t.Object({
      projectKey: t.Optional(projectKeyField(t)),
      q: t.Optional(t.String({ 'x-unrecorded': true, description: 'Only messages that contain this text.' })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 10_000, description: 'At most this many entries.' })),
      cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      history: t.Array(
        t.Object({
          role: t.String(),
          content: t.String(),
          timestamp: t.DateTime(),
          projectKey: t.Optional(t.String()),
          turnId: t.String(),
          actor: t.String(),
          model: t.Optional(t.String()),
          finishReason: t.Optional(t.String()),
          calls: t.Optional(t.Array(t.Object(callFields(t)))),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/assistant/history')],
  mcp: false,
  run({ projectKey, q, limit = 100, cursor }, ctx) {
    const wanted = q?.toLowerCase()
    const found = (projectKey === undefined ? [...ctx.read(talks).values()] : [ctx.read(talks).get(projectKey)])
      .flatMap((talk) => talk?.entries.map((entry) => ({ entry, projectKey: talk.projectKey })) ?? [])
      .sort((a, b) => a.entry.time - b.entry.time)
    const text = (entry: HistoryEntry) => openText(ctx.gateway, entry.content)
    const matching =
      wanted === undefined ? found : found.filter(({ entry }) => text(entry).toLowerCase().includes(wanted))
    // Entries only come at the end and go from the beginning: the first one says when positions have moved.
    const version = `h${matching[0]?.entry.id ?? ''}`
    const { page, ...rest } = rankedPage(matching, { limit, cursor }, version)
    const history = page.map(({ entry: { id: _id, time, content, calls, ...entry }, projectKey: key }) => ({
      ...entry,
      content: openText(ctx.gateway, content),
      timestamp: new Date(time).toISOString(),
      ...(key === '' ? {} : { projectKey: key }),
      ...(calls === undefined ? {} : { calls: [...calls] }),
    }))
    return { history, ...rest }
  },
})

const clear = command({
  id: 'assistant.clear-history',
  title: 'Clear the history of talks with the assistant',
  description:
    'Cannot be taken back. With `projectKey` only the talk of that key. The log is never rewritten: it keeps what was said, encrypted.',
  input: (t) => t.Object({ projectKey: t.Optional(projectKeyField(t)) }),
  output: (t) => t.Object({ cleared: t.Integer({ description: 'Messages that were removed.' }) }),
  http: [del('/api/assistant/history')],
  mcp: false,
  changes: '/api/assistant/history',
  run({ projectKey }, ctx) {
    const affected = [...ctx.read(talks).values()].filter(
      (talk) => projectKey === undefined || talk.projectKey === projectKey,
    )
    const cleared = affected.reduce((sum, { entries }) => sum + entries.length, 0)
    if (cleared > 0) ctx.emit(historyCleared, defined({ projectKey }))
    return { cleared }
  },
})

/** What is kept of a turn. Texts as they are; the command gets them sealed. */
export interface KeptTurn {
  readonly projectKey: string
  readonly limit: number
  readonly entries: readonly (Omit<HistoryEntry, 'id' | 'calls'> & { readonly calls?: readonly object[] })[]
  readonly approval?: Omit<Approval, 'approvalId' | 'turn' | 'askedAt' | 'projectKey'> & { readonly turn: string }
}

/**
 * Keeps a turn. A chat runs beside the lane, for as long as a model talks; what it leaves behind is a short command in
 * the lane like any other.
 */
const keepTurn = command({
  id: 'assistant.keep-turn',
  title: 'Keep a turn of a talk in the history',
  description: 'The assistant calls it at the end of a turn.',
  input: (t) =>
    t.Object({
      projectKey: t.String(),
      limit: t.Integer({ minimum: 0 }),
      entries: t.Array(
        t.Object({
          role: t.Enum(['user', 'assistant']),
          content: t.Secret('keep-sealed'),
          time: t.Integer(),
          turnId: t.String(),
          actor: t.String(),
          model: t.Optional(t.String()),
          finishReason: t.Optional(t.String()),
          calls: t.Optional(t.Array(t.Object(callFields(t)))),
        }),
      ),
      approval: t.Optional(
        t.Object({
          turnId: t.String(),
          actor: t.String(),
          operation: t.String(),
          dryRunJobId: t.Optional(t.String()),
          turn: t.Secret('keep-sealed'),
        }),
      ),
    }),
  output: (t) => t.Object({ kept: t.Integer(), approvalId: t.Optional(t.String()) }),
  http: [],
  mcp: false,
  access: 'admin',
  async run({ projectKey, limit, entries, approval }, ctx) {
    const named = entries.map((entry) => ({ id: ctx.newId(), ...(entry as Omit<HistoryEntry, 'id'>) }))
    if (named.length > 0 && limit > 0) ctx.emit(turnKept, { projectKey, entries: named, limit })
    const approvalId = approval && (await ask(ctx, projectKey, approval as NonNullable<KeptTurn['approval']>))
    return { kept: limit > 0 ? named.length : 0, ...defined({ approvalId }) }
  },
})

async function ask(ctx: CommandContext, projectKey: string, approval: NonNullable<KeptTurn['approval']>) {
  const approvalId = ctx.newId()
  // A turn may have read much: it does not belong into the state.
  const turn = await ctx.blobs.put(approval.turn)
  ctx.emit(approvalAsked, { ...approval, approvalId, projectKey, turn, askedAt: ctx.now })
  return approvalId
}

export const historyOperations: readonly Operation[] = [list, clear, keepTurn]
