/** The operations of a talk: chat, stop, and the models that there are. */
import {
  type CommandContext,
  command,
  defined,
  notFound,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
} from '../../core/index.ts'
import { streamedEvents, turnFields } from './chat-schema.ts'
import { type Message, openText, projectKeyField } from './history.ts'
import { assistantSettings, providerFields, requireDistinct, settingFields, withSavedKeys } from './settings.ts'
import { builtInModel, type Provider, talks } from './state.ts'
import { keyName, stopTurns, Turn } from './turn.ts'

/** Messages of the history that a model reads, and their characters. */
const mostRemembered = 40
const mostCharacters = 60_000

const chat = command({
  id: 'assistant.chat',
  title: 'Talk with the assistant',
  description: [
    'Answers as server-sent events while the assistant talks and calls operations of the gateway, with the access of the caller; in the audit its jobs are those of `assistant (for <key>)`. With `Accept: application/json` the whole answer comes at its end.',
    'Every change is tried out first. With the setting `writes: ask` the turn then ends with `finishReason: approval`, and goes on with `POST /api/assistant/approvals/{approvalId}/approve` or `…/reject`.',
    'Without `history` the assistant remembers what was said under the same `projectKey`. The built-in model `gantry/docs` answers from manual, operations, codes and project, without any provider.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      message: t.Secret('seal', { minLength: 1, maxLength: 200_000, description: 'What the person says.' }),
      projectKey: t.Optional(projectKeyField(t)),
      history: t.Optional(
        t.Array(
          t.Object(
            { role: t.Enum(['user', 'assistant']), content: t.Secret('seal', { maxLength: 200_000 }) },
            { additionalProperties: true },
          ),
          { maxItems: 1000, description: 'What was said before, oldest first. Left out: what the gateway has kept.' },
        ),
      ),
      locale: t.Optional(
        t.String({
          pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
          description: 'Language of the answer, e.g. de-DE.',
        }),
      ),
      model: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 300,
          description: '`<provider>/<model>`; left out: that of the settings.',
        }),
      ),
    }),
  output: turnFields,
  http: [post('/api/assistant/chat')],
  mcp: false,
  access: 'viewer',
  aliases: { message: ['prompt', 'text'] },
  example: { message: 'Which blocks write the tag Motor_1?', projectKey: 'Bottling', locale: 'en-US' },
  streams: streamedEvents,
  sealsResult: ['content'],
  besideLane: true,
  live: true,
  admit({ message, model }, ctx) {
    if (message.trim() === '')
      throw problem('invalid_input', '/message: is empty.', { errors: [{ path: '/message', message: 'is empty' }] })
    requireModel(model, ctx)
  },
  run({ message, projectKey = '', history, locale, model }, ctx) {
    const wanted = model ?? assistantSettings(ctx).model
    const facts = { turnId: ctx.jobId, projectKey, model: wanted, ...defined({ locale: locale?.replaceAll('_', '-') }) }
    const before = remembered(history?.map(({ role, content }) => ({ role, content })) ?? keptMessages(projectKey, ctx))
    return Turn.run(ctx, facts, message, async (turn) => {
      if (wanted === builtInModel) return (await import('./docs-model.ts')).answerFromDocs(turn, message)
      const { beginning, converse } = await import('./converse.ts')
      return converse(turn, beginning(before, message))
    })
  },
})

/** @throws GatewayError `not_found` for a model of no provider */
function requireModel(model: string | undefined, ctx: QueryContext) {
  const settings = assistantSettings(ctx)
  const wanted = model ?? settings.model
  if (wanted === builtInModel) return
  const [name] = wanted.split('/', 1)
  if (wanted.includes('/') && settings.providers.some((provider) => provider.name === name)) return
  const known = [builtInModel, ...settings.providers.map((provider) => `${provider.name}/…`)]
  throw notFound('model', wanted, known)
}

function keptMessages(projectKey: string, ctx: CommandContext): Message[] {
  const entries = ctx.read(talks).get(projectKey)?.entries.slice(-mostRemembered) ?? []
  return entries.map(({ role, content }) => ({ role, content: openText(ctx.gateway, content) }))
}

/** The newest messages that fit. */
function remembered(messages: readonly Message[]): Message[] {
  let room = mostCharacters
  const newest: Message[] = []
  for (const message of messages.slice(-mostRemembered).reverse()) {
    room -= message.content.length
    if (room < 0) break
    newest.push(message)
  }
  return newest.reverse()
}

const stop = command({
  id: 'assistant.stop',
  title: 'Stop what the assistant is saying',
  description:
    'Ends the turns of this key at once, or only that of a project or a job. Each ends with what has come (`finishReason: stopped`) and is kept in the history; a change that is being made is cancelled. Nothing to stop is no error: `stopped` is 0.',
  input: (t) =>
    t.Object({
      projectKey: t.Optional(projectKeyField(t)),
      jobId: t.Optional(
        t.String({ minLength: 1, description: '`X-Job-Id` of the chat. Of another key: engineers and above.' }),
      ),
    }),
  output: (t) => t.Object({ stopped: t.Integer(), jobIds: t.Array(t.String()) }),
  http: [post('/api/assistant/stop')],
  mcp: false,
  access: 'viewer',
  besideLane: true,
  live: true,
  example: {},
  run({ projectKey, jobId }, ctx) {
    if (ctx.dryRun) return { stopped: 0, jobIds: [] }
    const isAnyKey = jobId !== undefined && ctx.actor.access !== 'viewer'
    const jobIds = stopTurns(
      ctx.gateway,
      defined({ key: isAnyKey ? undefined : keyName(ctx.actor), projectKey, jobId }),
    )
    return { stopped: jobIds.length, jobIds }
  },
})

const models = query({
  id: 'assistant.list-models',
  title: 'List the language models of the providers',
  description:
    'Asks each provider for its models, and so tests address and key: what is wrong with one is in its `error`. Models that cannot call tools are left out (`tools: unknown`: the provider does not say), unless `all` asks for them. The body may carry settings that are not saved yet (administrators only): a provider without `apiKey` then is asked with the saved key of the same name, kind and address.',
  input: (t) =>
    t.Object({
      ...settingFields(t),
      providers: t.Optional(
        t.Array(t.Object(providerFields(t)), {
          maxItems: 50,
          'x-unrecorded': true,
          description: 'Left out: the saved ones.',
        }),
      ),
      provider: t.Optional(t.String({ description: 'Only this one.' })),
      all: t.Optional(t.Boolean({ description: 'Those without tools too, each with the reason.' })),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({
      models: t.Array(
        t.Object({
          id: t.String({ description: 'What `model` of a chat takes.' }),
          provider: t.String(),
          name: t.String(),
          title: t.Optional(t.String()),
          tools: t.Enum(['yes', 'no', 'unknown']),
          reason: t.Optional(t.String()),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
      leftOut: t.Integer({ description: 'Models that cannot call tools.' }),
      providers: t.Array(
        t.Object({
          name: t.String(),
          kind: t.String(),
          ok: t.Boolean(),
          models: t.Integer(),
          error: t.Optional(t.String()),
        }),
      ),
      warnings: t.Optional(t.Array(t.String(), { description: 'What of a long list is left out.' })),
    }),
  http: [post('/api/assistant/models')],
  mcp: false,
  access: 'viewer',
  live: true,
  example: {},
  async run({ providers: sent, provider: only, all = false, q = '', limit = 1000, cursor }, ctx) {
    const settings = assistantSettings(ctx)
    const providers =
      sent === undefined ? settings.providers : unsaved(sent as readonly Provider[], settings.providers, ctx)
    requireDistinct(providers)
    const names = ['gantry', ...providers.map(({ name }) => name)]
    if (only !== undefined && !names.includes(only)) throw notFound('provider', only, names)
    const asked = providers.filter(({ name }) => only === undefined || name === only)
    const { askProviders } = await import('./providers/ask.ts')
    const answers = await askProviders(ctx.gateway, asked, ctx.signal)
    const found = answers.flatMap(({ provider, models: listed }) =>
      listed.map((model) => ({ id: `${provider.name}/${model.name}`, provider: provider.name, ...model })),
    )
    const own = only === undefined || only === 'gantry' ? [builtIn] : []
    const warnings = answers.flatMap(({ warning }) => (warning === undefined ? [] : [warning]))
    const usable = [...own, ...found.filter(({ tools }) => all || tools !== 'no')]
    const matching = usable.filter(({ id }) => id.toLowerCase().includes(q.toLowerCase()))
    const { page, ...rest } = rankedPage(matching, { limit, cursor }, 'm')
    return {
      models: page,
      ...rest,
      leftOut: own.length + found.length - usable.length,
      providers: answers.map(({ provider: { name, kind }, models: { length }, error }) => ({
        name,
        kind,
        ok: error === undefined,
        models: length,
        ...defined({ error }),
      })),
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

const builtIn = {
  id: builtInModel,
  provider: 'gantry',
  name: 'docs',
  title: 'Answers from manual, operations, codes and project, without a provider',
  tools: 'yes' as const,
}

/**
 * Providers of a call. Their keys are sealed like saved ones, so that all that follows knows one form.
 * @throws GatewayError `forbidden`: the gateway would call any address for anybody
 */
function unsaved(sent: readonly Provider[], saved: readonly Provider[], { actor, gateway }: QueryContext): Provider[] {
  if (actor.access !== 'admin')
    throw problem('forbidden', `Providers in the body need access level "admin"; this key has "${actor.access}".`, {
      suggestion: 'Leave `providers` out: the saved ones are asked.',
    })
  return withSavedKeys(
    sent.map(({ apiKey, ...provider }) => ({
      ...provider,
      ...defined({ apiKey: apiKey === undefined ? undefined : gateway.seal(apiKey) }),
    })),
    saved,
  )
}

export const chatOperations: readonly Operation[] = [chat, stop, models]
