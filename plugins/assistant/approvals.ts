/** Changes that wait for a person's yes: listed, said yes or no to; the turn then goes on. */
import {
  type CommandContext,
  command,
  defined,
  get,
  isObject,
  notFound,
  type Operation,
  operationInput,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
} from '../../core/index.ts'
import { shownInput } from '../../core/services.ts'
import { streamedEvents, turnFields } from './chat-schema.ts'
import type { Suspended } from './converse.ts'
import { openText } from './history.ts'
import { type Approval, approvalDecided, approvals } from './state.ts'
import { assistantFor } from './tools.ts'
import { Turn } from './turn.ts'

const list = query({
  id: 'assistant.list-approvals',
  title: 'List changes of the assistant that wait for a yes',
  description:
    'Oldest first. `dryRunJobId` is the job that shows what the change would do. Secrets in `input` are masked.',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({
      approvals: t.Array(
        t.Object({
          approvalId: t.String(),
          turnId: t.String(),
          operation: t.String(),
          title: t.String(),
          input: operationInput(t),
          projectKey: t.Optional(t.String()),
          actor: t.String({ description: 'Who talked.' }),
          askedAt: t.DateTime(),
          dryRunJobId: t.Optional(t.String()),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/assistant/approvals')],
  mcp: false,
  live: true,
  async run({ q = '', limit = 100, cursor }, ctx) {
    const wanted = q.toLowerCase()
    const waiting = [...ctx.read(approvals).values()]
      .filter(({ operation }) => operation.includes(wanted))
      .sort((a, b) => a.askedAt - b.askedAt)
    const { page, ...rest } = rankedPage(waiting, { limit, cursor }, `a${waiting[0]?.approvalId ?? ''}`)
    return { approvals: await Promise.all(page.map((approval) => view(approval, ctx))), ...rest }
  },
})

async function view({ turn, projectKey, askedAt, ...approval }: Approval, ctx: QueryContext) {
  // One that is not readable any more can only be refused; the list must not fail for it.
  const { call } = await suspended(turn, ctx).catch(() => ({ call: { input: {} } }))
  const { registry } = ctx.gateway
  const operation = registry.operation(approval.operation)
  return {
    ...approval,
    title: operation?.title ?? approval.operation,
    // Of an operation that is not loaded any more nothing says what in it is a secret.
    input: operation ? { ...(await shownInput(registry, operation, call.input as Record<string, unknown>)) } : {},
    ...(projectKey === '' ? {} : { projectKey }),
    askedAt: new Date(askedAt).toISOString(),
  }
}

/** The rest of a turn. An unreadable one (its key is gone) can only be refused. */
async function suspended(hash: string, ctx: Pick<QueryContext, 'blobs' | 'gateway'>): Promise<Suspended> {
  const text = openText(ctx.gateway, await ctx.blobs.text(hash))
  try {
    const value: unknown = JSON.parse(text)
    // Written by this file, and sealed.
    if (isObject(value)) return value as unknown as Suspended
  } catch {
    // Said below.
  }
  throw problem(
    'conflict',
    'The waiting change cannot be read: the key that it was kept under is gone. Rejecting takes it away; its turn does not go on.',
  )
}

/** Takes a change out of those that wait: in the lane, so that it is decided once. */
const decide = command({
  id: 'assistant.decide',
  title: 'Note the decision about a change of the assistant',
  description: 'Approving and rejecting call it.',
  input: (t) => t.Object({ approvalId: t.String(), approved: t.Boolean() }),
  output: (t) => t.Object({ turn: t.String() }),
  http: [],
  mcp: false,
  access: 'admin',
  run({ approvalId, approved }, ctx) {
    const approval = ctx.read(approvals).get(approvalId)
    if (!approval) throw unknownApproval(approvalId, ctx)
    ctx.emit(approvalDecided, { approvalId, approved })
    return { turn: approval.turn }
  },
})

function unknownApproval(approvalId: string, ctx: Pick<QueryContext, 'read'>) {
  return notFound('waiting change', approvalId, ctx.read(approvals).keys())
}

const decisionFields = {
  mcp: false as const,
  output: turnFields,
  streams: streamedEvents,
  sealsResult: ['content'],
  besideLane: true,
  live: true,
}

const approve = command({
  id: 'assistant.approve',
  title: 'Say yes to a change of the assistant',
  description:
    'The change is made with the access of the caller, and the turn goes on with its result. It is done on the state of now, which may have changed since the dry run. A change is decided once.',
  input: (t) => t.Object({ approvalId: t.String({ minLength: 1 }) }),
  http: [post('/api/assistant/approvals/{approvalId}/approve')],
  ...decisionFields,
  admit: ({ approvalId }, ctx) => requireApproval(approvalId, ctx),
  run: ({ approvalId }, ctx) => goOn(ctx, approvalId, true),
})

const reject = command({
  id: 'assistant.reject',
  title: 'Say no to a change of the assistant',
  description: 'Nothing is changed; the turn goes on, and the assistant is given the reason.',
  input: (t) =>
    t.Object({
      approvalId: t.String({ minLength: 1 }),
      reason: t.Optional(t.Secret('seal', { description: 'Why, or what is wanted instead.' })),
    }),
  http: [post('/api/assistant/approvals/{approvalId}/reject')],
  ...decisionFields,
  access: 'viewer',
  admit: ({ approvalId }, ctx) => requireApproval(approvalId, ctx),
  run: ({ approvalId, reason }, ctx) => goOn(ctx, approvalId, false, reason),
})

function requireApproval(approvalId: string, ctx: QueryContext) {
  if (!ctx.read(approvals).has(approvalId)) throw unknownApproval(approvalId, ctx)
}

async function goOn(ctx: CommandContext, approvalId: string, approved: boolean, reason?: string) {
  const waiting = ctx.read(approvals).get(approvalId)
  if (!waiting) throw unknownApproval(approvalId, ctx)
  const { call, turnId, projectKey, locale, model, ...rest } = await suspended(waiting.turn, ctx).catch(
    async (error) => {
      if (!approved && !ctx.dryRun) await note(ctx, approvalId, approved)
      throw error
    },
  )
  const { continuation, converse } = await import('./converse.ts')
  const facts = { turnId, projectKey, model, ...defined({ locale }) }
  return Turn.run(ctx, facts, undefined, async (turn) => {
    await note(ctx, approvalId, approved)
    const understood = turn.tools.understand(call.id, 'call_operation', {
      operation: call.operation,
      input: call.input,
    })
    const result = approved
      ? await turn.tools.make(understood)
      : { state: 'refused' as const, text: `The person said no.${reason === undefined ? '' : ` ${reason}`}` }
    turn.tellResult({ ...understood, tool: call.tool }, result)
    if (turn.signal.aborted) return 'stopped'
    return converse(turn, continuation(turn, { ...rest, ...facts, call }, result))
  })
}

/** Takes the change out of those that wait. @throws GatewayError `not_found` when somebody else has decided */
async function note({ gateway, actor }: CommandContext, approvalId: string, approved: boolean): Promise<void> {
  const { name } = assistantFor(actor)
  await gateway.invoke(decide, { approvalId, approved }, { actor: { name, access: 'admin' } })
}

export const approvalOperations: readonly Operation[] = [list, approve, reject, decide]
