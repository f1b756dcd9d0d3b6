/** Settings: reading and saving the whole object, and the whitelist of the scripting interface. */

import {
  accessLevels,
  type CommandContext,
  command,
  type Fault,
  type Gateway,
  get,
  type LogRecord,
  noInput,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
  type SliceReader,
} from '../../core/index.ts'
import {
  type ApiKeyEntry,
  readSettings,
  type Settings,
  settingsCollection,
  settingsKey,
  settingsSaved,
} from '../../core/services.ts'
import { engineeringVersions } from './health.ts'
import { applicationOf } from './shared.ts'

const KiB = 1024
const GiB = 1024 ** 3
const limitFields = (t: SchemaBuilder) => ({
  // Below 64 KiB the settings themselves would be too large to send.
  bodyBytes: t.Integer({ minimum: 64 * KiB, maximum: GiB, description: 'Largest request body, bytes.' }),
  uploadBytes: t.Integer({ minimum: 64 * KiB, maximum: 16 * GiB, description: 'Largest uploaded file, bytes.' }),
  requestsPerSecond: t.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Requests a second for each key, for clients on other machines.',
  }),
  pendingJobs: t.Integer({ minimum: 1, maximum: 1_000_000, description: 'Jobs that may wait in the queue.' }),
})

const hostPattern = '^[A-Za-z0-9._-]+(:\\d{1,5})?$|^\\[[0-9A-Fa-f:.]+\\](:\\d{1,5})?$'
const originPattern = '^https?://[^/?#\\s]+$'

/** The settings in requests and responses. Keys have a name and an access level; the key itself is only in requests. */
const settingsSchema = <K extends object>(t: SchemaBuilder, key: K) =>
  t.Object({
    limits: t.Object(limitFields(t)),
    security: t.Object({
      allowedHosts: t.Array(t.String({ pattern: hostPattern }), {
        description: 'Host names (with or without port) accepted beside the bound addresses.',
      }),
      allowedOrigins: t.Array(t.String({ pattern: originPattern }), {
        description: 'Origins that browsers may call from, e.g. `https://hmi.example:8443`.',
      }),
      apiKeys: t.Array(
        t.Object({
          name: t.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$', description: 'Shown in the audit.' }),
          access: t.Enum([...accessLevels]),
          ...key,
        }),
        { maxItems: 1000 },
      ),
      whitelist: t.Array(t.String({ minLength: 1, maxLength: 200 }), {
        description: 'Applications (by `X-Client-Id` name) on the scripting-interface whitelist.',
      }),
    }),
    engineering: t.Object({
      defaultVersion: t.Enum([...engineeringVersions], { description: 'Of new projects.' }),
      launchInstance: t.Boolean({ description: 'Launch an engineering instance when the gateway starts.' }),
    }),
  })

const settingsOutput = (t: SchemaBuilder) => settingsSchema(t, {})

function wire({ limits, security, engineering }: Settings) {
  return {
    limits: { ...limits },
    security: {
      allowedHosts: [...security.allowedHosts],
      allowedOrigins: [...security.allowedOrigins],
      apiKeys: security.apiKeys.map(({ name, access }) => ({ name, access })),
      whitelist: [...security.whitelist],
    },
    engineering: { ...engineering, defaultVersion: versionOf(engineering.defaultVersion) },
  }
}

/** An unknown version (in settings of a later release) must not make the settings unreadable. */
function versionOf(version: string): (typeof engineeringVersions)[number] {
  return engineeringVersions.find((known) => known === version) ?? 'V19'
}

/** Names reserved for the key of the data directory and for the gateway itself. */
const reservedNames = ['admin', 'system']

/**
 * Returns the keys to store. An entry with `key` is new or gets a new key (already a hash, see `t.Secret`); an entry
 * without it keeps its key. The key of the data directory is not among them, so access to the gateway is never lost.
 * @throws GatewayError `invalid_input`
 */
function mergeKeys(
  sent: readonly { readonly name: string; readonly access: ApiKeyEntry['access']; readonly key?: string }[],
  saved: readonly ApiKeyEntry[],
): ApiKeyEntry[] {
  const faults: Fault[] = []
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const merged = sent.map(({ name, access, key }, i): ApiKeyEntry => {
    const path = `/security/apiKeys/${i}`
    if (reservedNames.some((reserved) => same(reserved, name)))
      faults.push({ path: `${path}/name`, message: 'is reserved for the gateway', value: name })
    if (sent.findIndex((other) => same(other.name, name)) < i)
      faults.push({ path: `${path}/name`, message: 'is given twice (case does not count)', value: name })
    const hash = key ?? saved.find((entry) => same(entry.name, name))?.hash
    if (hash === undefined)
      faults.push({
        path: `${path}/key`,
        message: `is missing: there is no key "${name}" yet whose secret could be kept`,
      })
    return { name, access, hash: hash ?? '' }
  })
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return merged
}

/** The settings as the current operation reads them. */
function savedSettings(ctx: { readonly read: SliceReader }): Settings {
  return readSettings(ctx.read(settingsCollection).get(settingsKey))
}

function save(ctx: CommandContext, settings: Settings) {
  ctx.emit(settingsSaved, settings, 'settings')
}

/** Applies the keys in the settings when they are durable, and after a restart. */
export function followSettings(gateway: Gateway): () => void {
  const use = () => gateway.keyring.use(gateway.settings.security.apiKeys)
  use()
  const useSaved = (records: readonly LogRecord[]) => {
    if (records.some((record) => record.type === settingsSaved.type)) use()
  }
  gateway.bus.on('records', useSaved)
  return () => gateway.bus.off('records', useSaved)
}

export const settingsOperations: readonly Operation[] = [
  query({
    id: 'settings.get',
    title: 'Read the settings',
    description:
      'Limits, security and engineering settings in force. API keys are listed by name; their secrets are not kept.',
    access: 'engineer',
    input: noInput,
    output: settingsOutput,
    http: [get('/api/settings')],
    mcp: { toolset: 'system' },
    run: (_, ctx) => wire(savedSettings(ctx)),
  }),
  command({
    id: 'settings.save',
    title: 'Save the settings',
    description:
      'Takes the full object: read it, change it, send it back. It applies at once, without a restart. A key in `security.apiKeys` is added, or given another secret, with `key`; an entry without `key` keeps the secret it has; a key that is left out no longer works. Keys are kept as salted scrypt hashes. The key in the data directory always works.',
    access: 'admin',
    input: (t) =>
      settingsSchema(t, {
        key: t.Optional(
          t.Secret('hash', { minLength: 16, description: 'The secret of a new key, at least 16 characters.' }),
        ),
      }),
    output: settingsOutput,
    http: [post('/api/settings')],
    mcp: false,
    run(input, ctx) {
      const { limits, security, engineering } = input
      const settings: Settings = {
        limits: { ...limits },
        security: {
          allowedHosts: unique(security.allowedHosts),
          allowedOrigins: unique(security.allowedOrigins),
          apiKeys: mergeKeys(security.apiKeys, savedSettings(ctx).security.apiKeys),
          whitelist: unique(security.whitelist),
        },
        engineering: { ...engineering },
      }
      save(ctx, settings)
      return wire(settings)
    },
  }),
  command({
    id: 'settings.whitelist-application',
    title: 'Put an application on the scripting-interface whitelist',
    description:
      'The calling application by the name in its `X-Client-Id` header, or the one named in the body. Doing it again changes nothing.',
    input: (t) =>
      t.Object({
        application: t.Optional(
          t.String({ minLength: 1, maxLength: 200, pattern: '^[^/\\s][^/]*$', description: 'Without its version.' }),
        ),
      }),
    output: (t) =>
      t.Object({
        application: t.String(),
        added: t.Boolean({ description: 'false: it was there already.' }),
        whitelist: t.Array(t.String()),
      }),
    aliases: { application: ['applicationName', 'name'] },
    http: [post('/api/eng/firewall/whitelist')],
    mcp: { toolset: 'system' },
    run(input, ctx) {
      const application = input.application ?? applicationOf(ctx.actor.name)
      if (application === undefined) {
        throw problem('invalid_input', '/application: is missing, and the request names no client (X-Client-Id).', {
          errors: [{ path: '/application', message: 'is missing' }],
        })
      }
      const settings = savedSettings(ctx)
      const { whitelist } = settings.security
      if (whitelist.includes(application)) return { application, added: false, whitelist: [...whitelist] }
      const longer = [...whitelist, application]
      save(ctx, { ...settings, security: { ...settings.security, whitelist: longer } })
      return { application, added: true, whitelist: longer }
    },
  }),
]

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
