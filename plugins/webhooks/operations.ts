/** The operations on webhooks. Only administrators have them: a webhook takes what happens to another place. */
import {
  command,
  defined,
  del,
  get,
  noInput,
  notFound,
  type Operation,
  patch,
  post,
  problem,
  put,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { seqOfJobId } from '../../core/services.ts'
import { urlFault } from './hosts.ts'
import { recordDeliveries } from './record-operation.ts'
import { secretBytes } from './send.ts'
import {
  allHooks,
  type DeliveryNote,
  type HookFilter,
  type HookKind,
  hookDeleted,
  hookKinds,
  hookSaved,
  hostRules,
  jobEnds,
  mostHooks,
  progressOf,
  rulesSaved,
  type Webhook,
} from './state.ts'

const base = '/api/webhooks'
const admin = { access: 'admin', mcp: { toolset: 'system' } } as const
/** Those that take messages away from a receiver, or send them to another. */
const redirecting = { access: 'admin', mcp: { toolset: 'system', destructive: true } } as const
/** HMAC keys shorter than this are refused, bytes (Standard Webhooks: 24 to 64). */
const leastSecretBytes = 24

const pattern = (t: SchemaBuilder, description: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 200, description }))

const filterFields = (t: SchemaBuilder) => ({
  operation: pattern(t, 'Of job and audit: operation ids, e.g. `blocks.*`.'),
  statuses: t.Optional(t.Array(t.Enum([...jobEnds]), { minItems: 1, maxItems: 3, description: 'Of job.' })),
  types: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Of audit: types of records, e.g. `tags.*`, `call.refused`.',
    }),
  ),
  entity: pattern(t, 'Of audit, e.g. `block/PLC_1/*`.'),
  actor: pattern(t, 'Of audit: name of the key.'),
  instance: pattern(t, 'Of alarm: the controller.'),
})

/** The conditions that each kind has. */
const filtersOf: Readonly<Record<HookKind, readonly (keyof HookFilter)[]>> = {
  job: ['operation', 'statuses'],
  audit: ['operation', 'types', 'entity', 'actor'],
  alarm: ['instance'],
}

const name = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 100 })
const url = (t: SchemaBuilder) =>
  t.String({
    minLength: 1,
    maxLength: 2000,
    description: 'https://…; it is shown to readers of the audit, so put no secret into it.',
  })
const secret = (t: SchemaBuilder) =>
  t.Secret('keep-sealed', {
    maxLength: 200,
    description: '`whsec_` and base64 of at least 24 bytes, or a text of at least 24 bytes. It is never shown.',
  })
const id = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 100 })
const kind = (t: SchemaBuilder) =>
  t.Enum([...hookKinds], { description: 'job: ends of jobs; audit: records of the log; alarm: alarms of controllers.' })

const hookFields = (t: SchemaBuilder) => ({
  id: t.String(),
  name: t.String(),
  url: t.String(),
  on: kind(t),
  filter: t.Object(filterFields(t)),
  isActive: t.Boolean(),
  stopped: t.Optional(t.String({ description: 'Why nothing is sent any more; an update with isActive true goes on.' })),
  waiting: t.Integer({ description: 'Messages that are tried again.' }),
  createdAt: t.DateTime(),
})

function view(ctx: Pick<QueryContext, 'read'>, { secret: _, createdAt, ...hook }: Webhook) {
  const { stopped, waiting } = progressOf(ctx, hook.id)
  return { ...hook, ...defined({ stopped }), waiting: waiting.length, createdAt: new Date(createdAt).toISOString() }
}

/** @throws GatewayError `not_found` */
function requireHook(ctx: Pick<QueryContext, 'read'>, wanted: string): Webhook {
  const hooks = allHooks(ctx)
  const found =
    hooks.find((one) => one.id === wanted) ?? hooks.find((one) => one.name.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  throw notFound(
    'webhook',
    wanted,
    hooks.map((one) => one.name),
  )
}

const wrong = (path: string, message: string, value?: unknown) =>
  problem('invalid_input', `${path}: ${message}.`, { errors: [{ path, message, ...defined({ value }) }] })

/** @throws GatewayError `invalid_input`, `name_taken` */
function requireGood(ctx: Pick<QueryContext, 'read'>, hook: Omit<Webhook, 'secret' | 'createdAt'>): void {
  const fault = urlFault(hook.url, hostRules(ctx))
  if (fault !== undefined) throw wrong('/url', fault, hook.url)
  for (const field of Object.keys(hook.filter) as (keyof HookFilter)[])
    if (!filtersOf[hook.on].includes(field))
      throw wrong(`/filter/${field}`, `is no condition of ${hook.on}; there is: ${filtersOf[hook.on].join(', ')}`)
  const other = allHooks(ctx).find((one) => one.name.toLowerCase() === hook.name.toLowerCase() && one.id !== hook.id)
  if (other) throw problem('name_taken', `There is a webhook "${other.name}" already.`)
}

/** @throws GatewayError `invalid_input` */
function requireSecret(given: string | undefined): void {
  if (given === undefined) return
  if (given.startsWith('whsec_') && !/^whsec_[A-Za-z0-9+/]+=*$/.test(given))
    throw wrong('/secret', 'must have base64 behind whsec_')
  if (secretBytes(given).length < leastSecretBytes)
    throw wrong('/secret', `must have at least ${leastSecretBytes} bytes`)
}

const list = query({
  id: 'webhooks.list',
  title: 'List the webhooks',
  ...admin,
  input: noInput,
  output: (t) => t.Object({ webhooks: t.Array(t.Object(hookFields(t))), total: t.Integer() }),
  http: [get(base)],
  run(_, ctx) {
    const hooks = allHooks(ctx)
    return { webhooks: hooks.map((one) => view(ctx, one)), total: hooks.length }
  },
})

const create = command({
  id: 'webhooks.create',
  title: 'Create a webhook',
  description:
    'A signed POST to a URL for each end of a job, record of the audit or report of alarms from now on. Only hosts that the settings of webhooks allow.',
  ...admin,
  input: (t) =>
    t.Object({
      name: name(t),
      url: url(t),
      on: kind(t),
      filter: t.Optional(t.Object(filterFields(t))),
      secret: secret(t),
      isActive: t.Optional(t.Boolean({ description: 'Default: true.' })),
    }),
  output: (t) => t.Object(hookFields(t)),
  http: [post(base)],
  aliases: { on: ['event', 'kind'], isActive: ['active', 'enabled'] },
  example: {
    name: 'Failed jobs',
    url: 'https://ci.example.com/gantry',
    on: 'job',
    filter: { statuses: ['Failed'] },
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  admit: (input) => requireSecret(input.secret),
  run({ filter = {}, isActive = true, ...input }, ctx) {
    if (allHooks(ctx).length >= mostHooks) throw problem('conflict', `There are ${mostHooks} webhooks, the most.`)
    const hook: Webhook = { ...input, id: ctx.newId(), filter: filter as HookFilter, isActive, createdAt: ctx.now }
    requireGood(ctx, hook)
    ctx.emit(hookSaved, { hook, since: seqOfJobId(ctx.jobId) ?? 0 }, `webhook/${hook.name}`)
    return view(ctx, hook)
  },
})

const update = command({
  id: 'webhooks.update',
  title: 'Change a webhook',
  description:
    'What is left out stays. `filter` is replaced whole. `isActive: true` of one that was off, or that has stopped, begins with what happens from now on.',
  ...redirecting,
  input: (t) =>
    t.Object({
      id: id(t),
      name: t.Optional(name(t)),
      url: t.Optional(url(t)),
      on: t.Optional(kind(t)),
      filter: t.Optional(t.Object(filterFields(t))),
      secret: t.Optional(secret(t)),
      isActive: t.Optional(t.Boolean()),
    }),
  output: (t) => t.Object(hookFields(t)),
  http: [patch(`${base}/{id}`)],
  aliases: { on: ['event', 'kind'], isActive: ['active', 'enabled'] },
  admit: (input) => requireSecret(input.secret),
  run({ id: wanted, ...changes }, ctx) {
    const before = requireHook(ctx, wanted)
    const hook: Webhook = { ...before, ...(defined(changes) as Partial<Webhook>) }
    requireGood(ctx, hook)
    const begins = changes.isActive === true && (!before.isActive || progressOf(ctx, before.id).stopped !== undefined)
    const since = begins ? (seqOfJobId(ctx.jobId) ?? 0) : undefined
    ctx.emit(hookSaved, { hook, ...defined({ since }) }, `webhook/${hook.name}`)
    return view(ctx, hook)
  },
})

const remove = command({
  id: 'webhooks.delete',
  title: 'Delete a webhook',
  description: 'Messages that wait are not sent any more.',
  ...redirecting,
  input: (t) => t.Object({ id: id(t) }),
  output: (t) => t.Object({ id: t.String(), name: t.String(), deleted: t.Boolean() }),
  http: [del(`${base}/{id}`)],
  run(input, ctx) {
    const hook = requireHook(ctx, input.id)
    ctx.emit(hookDeleted, { id: hook.id, name: hook.name }, `webhook/${hook.name}`)
    return { id: hook.id, name: hook.name, deleted: true }
  },
})

const test = command({
  id: 'webhooks.test',
  title: 'Send a test message to the receiver of a webhook',
  description: 'One attempt with the type `webhook.test`, at once; how it ended is in the answer.',
  live: true,
  lasting: 'The receiver was told.',
  besideLane: true,
  ...admin,
  input: (t) => t.Object({ id: id(t) }),
  output: (t) =>
    t.Object({
      delivered: t.Boolean(),
      messageId: t.String(),
      httpStatus: t.Optional(t.Integer()),
      error: t.Optional(t.String()),
      durationMs: t.Integer(),
    }),
  http: [post(`${base}/{id}/actions/test`)],
  async run(input, ctx) {
    const hook = requireHook(ctx, input.id)
    const { attempt } = await import('./deliver.ts')
    const messageId = `msg_${hook.id}_test_${ctx.jobId}`
    if (ctx.dryRun) return { delivered: false, messageId, durationMs: 0, error: 'A dry run sends nothing.' }
    const payload = {
      type: 'webhook.test',
      timestamp: new Date(ctx.now).toISOString(),
      data: { webhook: hook.name, on: hook.on },
    }
    const { ok, httpStatus, error, durationMs } = await attempt(
      ctx.gateway,
      hook,
      { id: messageId, payload },
      ctx.signal,
    )
    return { delivered: ok, messageId, durationMs, ...defined({ httpStatus, error }) }
  },
})

const deliveries = query({
  id: 'webhooks.list-deliveries',
  title: 'List the last messages of a webhook with their results',
  description:
    'The newest first, a hundred at most. `delivered`, `retry` (with the time of the next attempt), `failed`, or `gone` (410).',
  ...admin,
  input: (t) => t.Object({ id: id(t) }),
  output: (t) =>
    t.Object({
      deliveries: t.Array(
        t.Object({
          messageId: t.String({ description: 'Header webhook-id.' }),
          seq: t.Integer({ description: 'Number of the record in the audit.' }),
          type: t.String(),
          outcome: t.String(),
          attempts: t.Integer(),
          at: t.DateTime(),
          httpStatus: t.Optional(t.Integer()),
          error: t.Optional(t.String()),
          durationMs: t.Optional(t.Integer()),
          nextAt: t.Optional(t.DateTime()),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get(`${base}/{id}/deliveries`)],
  run(input, ctx) {
    const hook = requireHook(ctx, input.id)
    const shown = progressOf(ctx, hook.id).recent.map(({ hookId, at, nextAt, ...note }: DeliveryNote) => ({
      messageId: `msg_${hookId}_${note.seq}`,
      ...note,
      at: new Date(at).toISOString(),
      ...(nextAt === undefined ? {} : { nextAt: new Date(nextAt).toISOString() }),
    }))
    return { deliveries: shown, total: shown.length }
  },
})

const hosts = (t: SchemaBuilder, description: string) =>
  t.Array(t.String({ minLength: 1, maxLength: 255 }), { maxItems: 100, description })
const ruleFields = (t: SchemaBuilder) => ({
  allowedHosts: hosts(t, 'Names or addresses, with *: only these are told, and privateHosts. Empty: any public host.'),
  privateHosts: hosts(t, 'Names or addresses that may be in a private network, and may be told with http://.'),
})

const showSettings = query({
  id: 'webhooks.get-settings',
  title: 'Show which hosts webhooks may tell',
  ...admin,
  input: noInput,
  output: (t) => t.Object(ruleFields(t)),
  http: [get(`${base}/settings`)],
  run: (_, ctx) => hostRules(ctx),
})

const saveSettings = command({
  id: 'webhooks.save-settings',
  title: 'Set which hosts webhooks may tell',
  description:
    'What is left out stays. It holds for messages on their way too: the address is checked at each attempt.',
  ...redirecting,
  input: (t) => {
    const { allowedHosts, privateHosts } = ruleFields(t)
    return t.Object({ allowedHosts: t.Optional(allowedHosts), privateHosts: t.Optional(privateHosts) })
  },
  output: (t) =>
    t.Object({
      ...ruleFields(t),
      warnings: t.Array(t.String(), { description: 'Webhooks whose messages will not be sent.' }),
    }),
  http: [put(`${base}/settings`)],
  example: { allowedHosts: ['*.example.com'], privateHosts: ['ci.plant.local'] },
  run(input, ctx) {
    const rules = { ...hostRules(ctx), ...defined(input) }
    ctx.emit(rulesSaved, rules)
    const warnings = allHooks(ctx).flatMap((one) => {
      const fault = urlFault(one.url, rules)
      return fault === undefined ? [] : [`"${one.name}": ${one.url} ${fault}.`]
    })
    return { ...rules, warnings }
  },
})

export const webhookOperations: readonly Operation[] = [
  list,
  create,
  update,
  remove,
  test,
  deliveries,
  showSettings,
  saveSettings,
  recordDeliveries,
]
