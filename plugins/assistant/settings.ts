/** The settings of the assistant: which providers there are, which model answers, what is done with changes. */
import {
  command,
  defined,
  get,
  noInput,
  type Operation,
  problem,
  put,
  query,
  type SchemaBuilder,
  type SliceReader,
} from '../../core/index.ts'
import {
  type AssistantSettings,
  builtInModel,
  defaultSettings,
  type Provider,
  providerKinds,
  settingsCollection,
  settingsKey,
  settingsSaved,
  writeRules,
} from './state.ts'

/** A provider as clients send it: the key only goes in. */
export const providerFields = (t: SchemaBuilder) => ({
  name: t.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
    description: 'The first part of the ids of its models, e.g. `openai` of `openai/gpt-5`.',
  }),
  kind: t.Enum([...providerKinds], { description: 'The protocol that it speaks.' }),
  baseUrl: t.Optional(
    t.String({
      pattern: '^https?://[^\\s?#]+$',
      maxLength: 1000,
      description:
        'Where its API begins, e.g. `http://127.0.0.1:11434/v1` (Ollama). Without it the public API of the kind; `openai-compatible` then is api.openai.com.',
    }),
  ),
  apiKey: t.Optional(
    t.Secret('keep-sealed', { minLength: 1, description: 'Left out: the key that is saved for this provider stays.' }),
  ),
})

/** The settings without the providers. */
export const settingFields = (t: SchemaBuilder) => ({
  model: t.Optional(
    t.String({ minLength: 1, maxLength: 300, description: `\`<provider>/<model>\`, or \`${builtInModel}\`.` }),
  ),
  writes: t.Optional(
    t.Enum([...writeRules], {
      description:
        'Every change is tried out first and its effect shown. `ask`: then a person says yes or no; `at-once`: it is made; `never`: it is not.',
    }),
  ),
  mostSteps: t.Optional(t.Integer({ minimum: 1, maximum: 100, description: 'Answers of the model in one turn.' })),
  silenceSeconds: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'An answer in which nothing comes for so long counts as cut.',
    }),
  ),
  historyEntries: t.Optional(
    t.Integer({ minimum: 0, maximum: 1000, description: 'Messages kept for each project key.' }),
  ),
})

const shown = (t: SchemaBuilder) =>
  t.Object({
    model: t.String(),
    writes: t.String(),
    providers: t.Array(
      t.Object({ name: t.String(), kind: t.String(), baseUrl: t.Optional(t.String()), hasKey: t.Boolean() }),
    ),
    mostSteps: t.Integer(),
    silenceSeconds: t.Integer(),
    historyEntries: t.Integer(),
  })

/** The settings in force. */
export function assistantSettings(ctx: { read: SliceReader }): AssistantSettings {
  return { ...defaultSettings, ...ctx.read(settingsCollection).get(settingsKey) }
}

function view({ providers, ...settings }: AssistantSettings) {
  return {
    ...settings,
    providers: providers.map(({ apiKey, ...provider }) => ({ ...provider, hasKey: apiKey !== undefined })),
  }
}

/**
 * The providers as they are to be used: one that is sent without a key has the saved key of the same name, as long as
 * kind and address are the same. A key must not reach another server because somebody changed an address.
 */
export function withSavedKeys(sent: readonly Provider[], saved: readonly Provider[]): Provider[] {
  return sent.map((provider) => {
    const before = saved.find(({ name }) => name === provider.name)
    const isSame = before?.kind === provider.kind && before.baseUrl === provider.baseUrl
    return { ...provider, ...defined({ apiKey: provider.apiKey ?? (isSame ? before?.apiKey : undefined) }) }
  })
}

/** @throws GatewayError `invalid_input` for two providers of one name, or the name of the built-in one */
export function requireDistinct(providers: readonly Provider[]): void {
  const names = new Set<string>(['gantry'])
  for (const [at, { name }] of providers.entries()) {
    if (!names.has(name)) {
      names.add(name)
      continue
    }
    const message = name === 'gantry' ? 'is the name of the built-in provider' : 'is the name of another provider too'
    throw problem('invalid_input', `/providers/${at}/name: "${name}" ${message}.`, {
      errors: [{ path: `/providers/${at}/name`, message, value: name }],
    })
  }
}

const read = query({
  id: 'assistant.get-settings',
  title: 'Read the settings of the assistant',
  description: 'Keys of providers are never shown; `hasKey` says that there is one.',
  input: noInput,
  output: shown,
  http: [get('/api/assistant/settings')],
  mcp: false,
  run: (_input, ctx) => view(assistantSettings(ctx)),
})

const save = command({
  id: 'assistant.save-settings',
  title: 'Save the settings of the assistant',
  description:
    'What is left out stays as it is. `providers` replaces the whole list; a provider without `apiKey` keeps its key as long as its kind and address stay. Keys are kept encrypted. `POST /api/assistant/models` tests the providers.',
  input: (t) =>
    t.Object({
      ...settingFields(t),
      providers: t.Optional(t.Array(t.Object(providerFields(t)), { maxItems: 50 })),
    }),
  output: (t) => t.Object({ ...shown(t).properties, warnings: t.Array(t.String()) }),
  http: [put('/api/assistant/settings')],
  mcp: false,
  access: 'admin',
  example: {
    model: 'local/qwen3',
    writes: 'ask',
    providers: [{ name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' }],
  },
  run(input, ctx) {
    const before = assistantSettings(ctx)
    const sent = input.providers as readonly Provider[] | undefined
    const providers = sent === undefined ? before.providers : withSavedKeys(sent, before.providers)
    requireDistinct(providers)
    const settings: AssistantSettings = { ...before, ...defined(input), providers }
    requireProvider(settings)
    const warnings = providers
      .filter(({ name, apiKey }) => apiKey === undefined && before.providers.some((p) => p.name === name && p.apiKey))
      .map(({ name }) => `Provider "${name}" has another kind or address than before: its saved key is gone.`)
    ctx.emit(settingsSaved, settings)
    return { ...view(settings), warnings }
  },
})

/** @throws GatewayError `invalid_input` when no provider has the model */
function requireProvider({ model, providers }: AssistantSettings): void {
  if (model === builtInModel) return
  const [name] = model.split('/', 1)
  if (model.includes('/') && providers.some((provider) => provider.name === name)) return
  const known = [builtInModel, ...providers.map((provider) => `${provider.name}/…`)]
  throw problem('invalid_input', `/model: "${model}" is no model of a provider. There is: ${known.join(', ')}.`, {
    errors: [{ path: '/model', message: 'is no model of a provider', value: model, allowed: known }],
  })
}

export const settingsOperations: readonly Operation[] = [read, save]
