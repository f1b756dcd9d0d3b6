/** Settings. They are kept in the log (event `core.settings-saved`), so that the audit shows who changed what. */

import type { Access } from '../contract/access.ts'
import { collection } from '../contract/collection.ts'
import { domainEvent } from '../contract/event.ts'
import { on, type Slice } from '../contract/plugin.ts'

/**
 * A named API key; the key itself is never stored. `hash` is its digest (`Sealer.digest`), or as earlier versions
 * stored it, its scrypt hash.
 */
export interface ApiKeyEntry {
  readonly name: string
  readonly access: Access
  readonly hash: string
}

/** What an administrator can change at run time. Sizes in bytes. */
export interface Settings {
  readonly limits: {
    readonly bodyBytes: number
    readonly uploadBytes: number
    /** Requests per second for each key, for clients on other machines. */
    readonly requestsPerSecond: number
    readonly pendingJobs: number
  }
  readonly security: {
    /** Host names (with or without port) accepted beside the bound addresses. */
    readonly allowedHosts: readonly string[]
    /** Origins that browsers may call from (CORS). */
    readonly allowedOrigins: readonly string[]
    readonly apiKeys: readonly ApiKeyEntry[]
    /** Applications (by `X-Client-Id` name) on the scripting-interface whitelist. */
    readonly whitelist: readonly string[]
    /** Only applications on the whitelist may use the engineering instance. */
    readonly enforceWhitelist: boolean
    /** `/openapi.json` needs no key. */
    readonly publicDocs: boolean
    /** UMAC users of the open project may call with the keys that they were given. */
    readonly umac: boolean
  }
  readonly engineering: {
    /** Version of new projects: V16 … V21. */
    readonly defaultVersion: string
    /** Start an engineering instance with the gateway. */
    readonly launchInstance: boolean
    /** Folder of the workspace whose GSDML files extend the hardware catalog. */
    readonly gsdFolder: string
    /** Memory of an engineering instance; from its next launch on. */
    readonly memoryLimitBytes: number
  }
  /** When the oldest records of the log move into files of its archive, from where they are read as before. */
  readonly log: {
    /** Days after which a record moves; 0: its age does not matter. */
    readonly archiveAfterDays: number
    /** Bytes of the log in the database above which the oldest records move; 0: its size does not matter. */
    readonly archiveAboveBytes: number
  }
  readonly mcp: {
    /** People are asked before a destructive call when their MCP client can ask (elicitation). */
    readonly confirmDestructive: boolean
    /** Issuers whose tokens a proxy before the gateway takes: told to clients (RFC 9728). Empty: only API keys. */
    readonly authorizationServers: readonly string[]
    /** Address of the gateway as clients see it, without a slash at the end; empty: nothing is before it. */
    readonly publicUrl: string
  }
  readonly compatibility: {
    /** Answers of the whole API are in the envelope of this API family's clients (`http/envelope.ts`). */
    readonly envelope: boolean
    /** Only for clients whose `X-Client-Id` matches; `*` matches any characters. */
    readonly envelopeClients: readonly string[]
  }
}

export const defaultSettings: Settings = {
  limits: { bodyBytes: 50 * 1024 * 1024, uploadBytes: 200 * 1024 * 1024, requestsPerSecond: 1000, pendingJobs: 10_000 },
  security: {
    allowedHosts: [],
    allowedOrigins: [],
    apiKeys: [],
    whitelist: [],
    enforceWhitelist: false,
    publicDocs: false,
    umac: false,
  },
  engineering: { defaultVersion: 'V19', launchInstance: true, gsdFolder: 'gsd', memoryLimitBytes: 4 * 1024 ** 3 },
  mcp: { confirmDestructive: true, authorizationServers: [], publicUrl: '' },
  compatibility: { envelope: false, envelopeClients: [] },
  log: { archiveAfterDays: 0, archiveAboveBytes: 512 * 1024 * 1024 },
}

const settingsCollection = collection<Settings>('core.settings')
const key = 'settings'

/** The whole settings object was replaced. */
export const settingsSaved = domainEvent<Settings>('core.settings-saved', 'The settings were saved')

/** The core's own slice. */
export const coreSlice: Slice = {
  version: 1,
  collections: [settingsCollection],
  reductions: [on(settingsSaved, (write, settings) => write(settingsCollection).set(key, settings))],
}

/** Reads the settings; groups that an older version did not have get their defaults. */
export function readSettings(saved: Partial<Settings> | undefined): Settings {
  return {
    limits: { ...defaultSettings.limits, ...saved?.limits },
    security: { ...defaultSettings.security, ...saved?.security },
    engineering: { ...defaultSettings.engineering, ...saved?.engineering },
    mcp: { ...defaultSettings.mcp, ...saved?.mcp },
    compatibility: { ...defaultSettings.compatibility, ...saved?.compatibility },
    log: { ...defaultSettings.log, ...saved?.log },
  }
}

export { key as settingsKey, settingsCollection }
