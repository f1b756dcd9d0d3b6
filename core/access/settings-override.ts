/**
 * Settings that the environment gives: they hold instead of the saved ones as long as the gateway runs, are never
 * saved, and are not changed by a call. `limits.bodyBytes` is `GANTRY_LIMITS_BODY_BYTES`. Keys are not among them:
 * `GANTRY_API_KEY` is one.
 */
import { isDeepStrictEqual } from 'node:util'
import { problem } from '../contract/problems.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** Settings by group and name, and the variable that each comes from, by its path (`limits.bodyBytes`). */
export interface SettingsOverride {
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly sources: Readonly<Record<string, string>>
}

export const noOverride: SettingsOverride = { values: {}, sources: {} }

/** The path of each setting that the environment can give, with its variable. */
export const settingVariables: ReadonlyMap<string, string> = new Map(
  Object.entries(defaultSettings).flatMap(([group, fields]) =>
    Object.keys(fields)
      .filter((field) => field !== 'apiKeys')
      .map((field) => [`${group}.${field}`, `GANTRY_${snake(group)}_${snake(field)}`] as const),
  ),
)

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** The fields of a settings object, by group. */
type Groups = Record<string, Record<string, unknown>>

/** What the environment gives, as text; the entries of a list are separated by commas. Empty variables do not count. */
export function overrideFrom(env: Readonly<Record<string, string | undefined>>): SettingsOverride {
  const values: Groups = {}
  const sources: Record<string, string> = {}
  for (const [path, variable] of settingVariables) {
    const text = env[variable]?.trim()
    if (!text) continue
    const [group = '', field = ''] = path.split('.')
    // Settings by the names of groups and fields, which come from a path.
    const isList = Array.isArray((defaultSettings as unknown as Groups)[group]?.[field])
    const value = isList ? text.split(',').flatMap((entry) => entry.trim() || []) : text
    values[group] = { ...values[group], [field]: value }
    sources[path] = variable
  }
  return { values, sources }
}

/** The settings in force. */
export function withOverride(saved: Settings, { values }: SettingsOverride): Settings {
  const groups = Object.entries(saved).map(([group, fields]) => [group, { ...fields, ...values[group] }])
  return Object.fromEntries(groups) as Settings
}

/**
 * What to save when `wanted` shall be in force: settings of the environment stay as they are saved.
 * @throws GatewayError `conflict` when one of them would have to change
 */
export function withoutOverride(wanted: Settings, saved: Settings, override: SettingsOverride): Settings {
  // By names of groups and fields again; it is given back as the settings that it still is.
  const kept = structuredClone(wanted) as unknown as Groups
  for (const [path, variable] of Object.entries(override.sources)) {
    const [group = '', field = ''] = path.split('.')
    if (!isDeepStrictEqual(kept[group]![field], override.values[group]![field]))
      throw problem(
        'conflict',
        `${path} is given by the environment (${variable}) and cannot be changed by a call. Start the gateway without ${variable}, or with another value.`,
        { errors: [{ path: `/${group}/${field}`, message: `is given by ${variable}` }] },
      )
    kept[group]![field] = (saved as unknown as Groups)[group]![field]
  }
  return kept as unknown as Settings
}
