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
  patch,
  post,
  problem,
  query,
  type SchemaBuilder,
  type TSchema,
} from '../../core/index.ts'
import {
  type ApiKeyEntry,
  applicationOf,
  readSettings,
  type Settings,
  settingsCollection,
  settingsKey,
  settingsSaved,
  withOverride,
  withoutOverride,
} from '../../core/services.ts'
import { engineeringVersions } from './health.ts'

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
const urlPattern = '^https?://[^\\s?#]+$'

const launching = (t: SchemaBuilder) => ({
  defaultVersion: t.Enum([...engineeringVersions], { description: 'Of new projects.' }),
  launchInstance: t.Boolean({ description: 'Launch an engineering instance when the gateway starts.' }),
  gsdFolder: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Folder of the workspace whose GSDML files extend the hardware catalog.',
    }),
  ),
  memoryLimitBytes: t.Optional(
    t.Integer({
      minimum: 512 * 1024 * KiB,
      maximum: 1024 * GiB,
      description:
        'Memory of an engineering instance, from its next launch on, bytes: a task that needs more is ended, and above half of it the instance starts anew between two tasks.',
    }),
  ),
})
const compatibilityFields = (t: SchemaBuilder) => ({
  envelope: t.Boolean({
    description:
      'Answers of the whole API are `{ success, message, data, timestamp }`; see the page on existing clients.',
  }),
  envelopeClients: t.Array(t.String({ minLength: 1, maxLength: 200 }), {
    description: 'Only for clients with such an `X-Client-Id`; `*` stands for any characters, e.g. `vscode-*`.',
  }),
})
const mcpFields = (t: SchemaBuilder) => ({
  confirmDestructive: t.Boolean({
    description: 'Ask people before a destructive call when their MCP client can ask (elicitation).',
  }),
  authorizationServers: t.Optional(
    t.Array(t.String({ pattern: urlPattern, maxLength: 500 }), {
      maxItems: 20,
      description:
        'Issuers of the OAuth tokens that a proxy before the gateway takes; MCP clients find them in /.well-known/oauth-protected-resource/mcp. Needs `publicUrl`.',
    }),
  ),
  publicUrl: t.Optional(
    t.String({
      pattern: `^$|${urlPattern}`,
      maxLength: 500,
      description: 'Address of the gateway as clients see it behind a proxy, e.g. `https://plc.example`.',
    }),
  ),
})
const hosts = (t: SchemaBuilder) =>
  t.Array(t.String({ pattern: hostPattern }), {
    description: 'Host names (with or without port) accepted beside the bound addresses.',
  })
const origins = (t: SchemaBuilder) =>
  t.Array(t.String({ pattern: originPattern }), {
    description: 'Origins that browsers may call from, e.g. `https://hmi.example:8443`.',
  })
const applications = (t: SchemaBuilder) =>
  t.Array(t.String({ minLength: 1, maxLength: 200 }), {
    description: 'Applications (by `X-Client-Id` name) on the scripting-interface whitelist.',
  })
const enforcing = (t: SchemaBuilder) =>
  t.Boolean({
    description:
      'Only applications on the whitelist may use the engineering instance; others get 403. Absent: as it is.',
  })
const keyFields = <K extends object>(t: SchemaBuilder, key: K) =>
  t.Object({
    name: t.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$', description: 'Shown in the audit.' }),
    access: t.Enum([...accessLevels]),
    ...key,
  })
const secret = (t: SchemaBuilder) => ({
  key: t.Optional(
    t.Secret('digest', { minLength: 16, description: 'The secret of a new key, at least 16 characters.' }),
  ),
})
const publishing = (t: SchemaBuilder) => t.Boolean({ description: 'The OpenAPI document can be read without a key.' })

const usersCall = (t: SchemaBuilder) =>
  t.Boolean({ description: 'UMAC users of the open project may call with the keys that they were given.' })

/** The settings on the wire: keys have a name and an access level; the key itself is only ever sent in. */
const settingsFields = <K extends object>(t: SchemaBuilder, key: K) => ({
  limits: t.Object(limitFields(t)),
  security: t.Object({
    allowedHosts: hosts(t),
    allowedOrigins: origins(t),
    apiKeys: t.Array(keyFields(t, key), { maxItems: 1000 }),
    whitelist: applications(t),
    enforceWhitelist: t.Optional(enforcing(t)),
    publicDocs: t.Optional(publishing(t)),
    umac: t.Optional(usersCall(t)),
  }),
  engineering: t.Object(launching(t)),
  compatibility: t.Optional(t.Object(compatibilityFields(t), { description: 'Left out: as it is.' })),
  mcp: t.Optional(t.Object(mcpFields(t), { description: 'Left out: as it is.' })),
  log: t.Optional(t.Object(logFields(t), { description: 'When the oldest records of the log are archived.' })),
})

/** Optional, because settings of an earlier version do not have them: what is left out stays as it is. */
const logFields = (t: SchemaBuilder) => ({
  archiveAfterDays: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 36_500,
      description: 'Records of this age move from the database into files of the archive; 0: age does not matter.',
    }),
  ),
  archiveAboveBytes: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 1024 * GiB,
      description:
        'Bytes of the log in the database above which the oldest records move into files of the archive; 0: size does not matter.',
    }),
  ),
})

const settingsOutput = (t: SchemaBuilder) => t.Object({ ...settingsFields(t, {}), ...fromEnvironment(t) })

/** Part of an answer; a client that sends the settings back sends it too. */
const fromEnvironment = (t: SchemaBuilder) => ({
  setByEnvironment: t.Optional(
    t.Record(t.String(), t.String(), {
      description:
        'Settings that the environment gives, e.g. `limits.bodyBytes`, with the variable. No call changes them.',
    }),
  ),
})

function wire(settings: Settings, { gateway }: Pick<Reader, 'gateway'>) {
  const { limits, security, engineering, log, mcp, compatibility } = settings
  const { sources } = gateway.settingsOverride
  return {
    ...(Object.keys(sources).length > 0 && { setByEnvironment: { ...sources } }),
    limits: { ...limits },
    security: {
      allowedHosts: [...security.allowedHosts],
      allowedOrigins: [...security.allowedOrigins],
      apiKeys: security.apiKeys.map(({ name, access }) => ({ name, access })),
      whitelist: [...security.whitelist],
      enforceWhitelist: security.enforceWhitelist,
      publicDocs: security.publicDocs,
      umac: security.umac,
    },
    engineering: { ...engineering, defaultVersion: versionOf(engineering.defaultVersion) },
    compatibility: { ...compatibility, envelopeClients: [...compatibility.envelopeClients] },
    mcp: { ...mcp, authorizationServers: [...mcp.authorizationServers] },
    log: { ...log },
  }
}

/** An unknown version (in settings of a later release) must not make the settings unreadable. */
function versionOf(version: string): (typeof engineeringVersions)[number] {
  return engineeringVersions.find((known) => known === version) ?? 'V19'
}

/** Names reserved for the key of the data directory and for the gateway itself. */
const reservedNames = ['admin', 'system']

/**
 * The keys to keep: an entry with `key` is new or gets another key (it is a digest already, see `t.Secret`), one
 * without keeps what it has. The key in the data directory is none of them, so a way in always remains.
 * @throws GatewayError `invalid_input`
 */
function mergeKeys(
  sent: readonly { readonly name: string; readonly access: ApiKeyEntry['access']; readonly key?: string }[],
  saved: readonly ApiKeyEntry[],
): ApiKeyEntry[] {
  const faults: Fault[] = []
  const hashes = new Map(saved.map(({ name, hash }) => [name.toLowerCase(), hash]))
  const given = new Set<string>()
  const merged = sent.map(({ name, access, key }, i): ApiKeyEntry => {
    const path = `/security/apiKeys/${i}`
    const folded = name.toLowerCase()
    if (reservedNames.includes(folded))
      faults.push({ path: `${path}/name`, message: 'is reserved for the gateway', value: name })
    if (given.has(folded))
      faults.push({ path: `${path}/name`, message: 'is given twice (case does not count)', value: name })
    given.add(folded)
    const hash = key ?? hashes.get(folded)
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

type Reader = Pick<CommandContext, 'read' | 'gateway'>

function savedSettings(ctx: Reader): Settings {
  return readSettings(ctx.read(settingsCollection).get(settingsKey))
}

/** The settings in force, as the current operation reads them. */
function currentSettings(ctx: Reader): Settings {
  return withOverride(savedSettings(ctx), ctx.gateway.settingsOverride)
}

/**
 * @throws GatewayError `conflict` when a setting that the environment gives would change; `path_outside_workspace` for
 *   another folder of GSDML files
 */
async function save(ctx: CommandContext, settings: Settings) {
  const { gsdFolder } = settings.engineering
  if (settings.mcp.authorizationServers.length > 0 && settings.mcp.publicUrl === '')
    throw problem('invalid_input', '/mcp/publicUrl: is missing: clients are told which address their token is for.', {
      errors: [{ path: '/mcp/publicUrl', message: 'is missing', code: 'missing' }],
    })
  if (gsdFolder !== currentSettings(ctx).engineering.gsdFolder) await ctx.files.resolve(gsdFolder)
  ctx.emit(settingsSaved, withoutOverride(settings, savedSettings(ctx), ctx.gateway.settingsOverride), 'settings')
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
    run: (_, ctx) => wire(currentSettings(ctx), ctx),
  }),
  command({
    id: 'settings.save',
    title: 'Save the settings',
    description:
      'Takes the full object: read it, change it, send it back. It applies at once, without a restart. A key in `security.apiKeys` is added, or given another secret, with `key`; an entry without `key` keeps the secret it has; a key that is left out no longer works. Of a key only a digest under the key of the data directory is kept. The key in the data directory always works.',
    access: 'admin',
    input: (t) => t.Object({ ...settingsFields(t, secret(t)), ...fromEnvironment(t) }),
    output: settingsOutput,
    http: [post('/api/settings')],
    mcp: false,
    async run(input, ctx) {
      const { limits, security, engineering, log } = input
      const saved = currentSettings(ctx)
      const settings: Settings = {
        limits: { ...limits },
        security: {
          allowedHosts: changed([], security.allowedHosts, hostKey),
          allowedOrigins: changed([], security.allowedOrigins, hostKey),
          apiKeys: mergeKeys(security.apiKeys, saved.security.apiKeys),
          whitelist: changed([], security.whitelist),
          enforceWhitelist: security.enforceWhitelist ?? saved.security.enforceWhitelist,
          publicDocs: security.publicDocs ?? saved.security.publicDocs,
          umac: security.umac ?? saved.security.umac,
        },
        engineering: { ...saved.engineering, ...engineering },
        log: { ...saved.log, ...log },
        mcp: { ...saved.mcp, ...input.mcp },
        compatibility: { ...(input.compatibility ?? saved.compatibility) },
      }
      await save(ctx, settings)
      return wire(settings, ctx)
    },
  }),
  command({
    id: 'settings.change',
    title: 'Change some settings',
    description:
      'Only the fields that are sent change; the others stay as they are. A list is sent whole, or as `{ add, remove }`; `apiKeys.add` adds keys or gives them another level or secret, `apiKeys.remove` takes names.',
    access: 'admin',
    input: (t) =>
      t.Object({
        limits: t.Optional(t.Partial(t.Object(limitFields(t)))),
        security: t.Optional(
          t.Partial(
            t.Object({
              allowedHosts: listChange(t, hosts(t)),
              allowedOrigins: listChange(t, origins(t)),
              whitelist: listChange(t, applications(t)),
              enforceWhitelist: enforcing(t),
              publicDocs: publishing(t),
              umac: usersCall(t),
              apiKeys: t.Object({
                add: t.Optional(t.Array(keyFields(t, secret(t)), { maxItems: 1000 })),
                remove: t.Optional(t.Array(t.String())),
              }),
            }),
          ),
        ),
        engineering: t.Optional(t.Partial(t.Object(launching(t)))),
        log: t.Optional(t.Object(logFields(t))),
        mcp: t.Optional(t.Partial(t.Object(mcpFields(t)))),
        compatibility: t.Optional(t.Partial(t.Object(compatibilityFields(t)))),
      }),
    output: settingsOutput,
    http: [patch('/api/settings')],
    mcp: false,
    example: { security: { allowedHosts: { add: ['gantry.plant.example'] } } },
    async run({ limits, security = {}, engineering, log, mcp, compatibility }, ctx) {
      const saved = currentSettings(ctx)
      const { allowedHosts, allowedOrigins, whitelist, apiKeys, enforceWhitelist, publicDocs, umac } = security
      const settings: Settings = {
        limits: { ...saved.limits, ...limits },
        security: {
          allowedHosts: changed(saved.security.allowedHosts, allowedHosts, hostKey),
          allowedOrigins: changed(saved.security.allowedOrigins, allowedOrigins, hostKey),
          whitelist: changed(saved.security.whitelist, whitelist),
          enforceWhitelist: enforceWhitelist ?? saved.security.enforceWhitelist,
          publicDocs: publicDocs ?? saved.security.publicDocs,
          umac: umac ?? saved.security.umac,
          apiKeys: apiKeys === undefined ? saved.security.apiKeys : changedKeys(saved.security.apiKeys, apiKeys),
        },
        engineering: { ...saved.engineering, ...engineering },
        log: { ...saved.log, ...log },
        mcp: { ...saved.mcp, ...mcp },
        compatibility: { ...saved.compatibility, ...compatibility },
      }
      await save(ctx, settings)
      return wire(settings, ctx)
    },
  }),
  command({
    id: 'settings.whitelist-application',
    title: 'Put an application on the scripting-interface whitelist',
    description:
      'The calling application by the name in its `X-Client-Id` header, or the one named in the body. Doing it again changes nothing. While the whitelist is enforced (`security.enforceWhitelist` of the settings), an administrator has to do it.',
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
    aliases: { application: ['applicationName', 'applicationPath', 'name', 'path'] },
    http: [post('/api/eng/firewall/whitelist')],
    mcp: { toolset: 'system' },
    changes: '/api/settings',
    async run(input, ctx) {
      const application = input.application ?? applicationOf(ctx.actor.name)
      if (application === undefined) {
        throw problem('invalid_input', '/application: is missing, and the request names no client (X-Client-Id).', {
          errors: [{ path: '/application', message: 'is missing' }],
        })
      }
      const settings = currentSettings(ctx)
      const { whitelist } = settings.security
      if (settings.security.enforceWhitelist && ctx.actor.access !== 'admin')
        throw problem('forbidden', 'The whitelist is enforced; only a key with access level "admin" adds to it.')
      if (whitelist.includes(application)) return { application, added: false, whitelist: [...whitelist] }
      const longer = [...whitelist, application]
      await save(ctx, { ...settings, security: { ...settings.security, whitelist: longer } })
      return { application, added: true, whitelist: longer }
    },
  }),
]

type ListChange = readonly string[] | { readonly add?: readonly string[]; readonly remove?: readonly string[] }

/** Schema of a change to a list of texts. */
function listChange<S extends TSchema>(t: SchemaBuilder, list: S) {
  return t.Union([list, t.Object({ add: t.Optional(list), remove: t.Optional(t.Array(t.String())) })])
}

/** Names of hosts are the same in any case (RFC 4343, 2), also in origins. */
const hostKey = (text: string) => text.toLowerCase()

/** A list after a change: each value once, as it was spelled first. @param keyOf equal for values that are the same */
function changed(
  saved: readonly string[],
  change: ListChange | undefined,
  keyOf: (value: string) => string = (value) => value,
): readonly string[] {
  if (change === undefined) return saved
  const [values, gone] =
    'length' in change ? [change, []] : [[...saved, ...(change.add ?? [])], (change.remove ?? []).map(keyOf)]
  const left = new Map<string, string>()
  for (const value of values) if (!left.has(keyOf(value))) left.set(keyOf(value), value)
  for (const key of gone) left.delete(key)
  return [...left.values()]
}

/** @throws GatewayError `invalid_input` for a key to remove that does not exist, and as {@link mergeKeys} */
function changedKeys(
  saved: readonly ApiKeyEntry[],
  { add = [], remove = [] }: { readonly add?: Parameters<typeof mergeKeys>[0]; readonly remove?: readonly string[] },
): ApiKeyEntry[] {
  const nameOf = (name: string) => name.toLowerCase()
  for (const [i, name] of remove.entries()) {
    if (saved.some((entry) => nameOf(entry.name) === nameOf(name))) continue
    const message = `there is no key "${name}"`
    throw problem('invalid_input', `/security/apiKeys/remove/${i}: ${message}.`, {
      errors: [
        { path: `/security/apiKeys/remove/${i}`, message, value: name, allowed: saved.map((entry) => entry.name) },
      ],
    })
  }
  const replaced = new Set([...remove, ...add.map(({ name }) => name)].map(nameOf))
  return [...saved.filter(({ name }) => !replaced.has(nameOf(name))), ...mergeKeys(add, saved)]
}
