/**
 * The options that control how a gateway runs: one table for the command line, the environment and the help
 * (docs/design.md#addresses-and-options).
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve, win32 } from 'node:path'
import { nearest } from '../../lib/nearest.ts'
import { fewestKeyCharacters } from '../access/keys.ts'
import { settingVariables } from '../access/settings-override.ts'
import { builtInPlugins, packageDir } from '../boot/running-code.ts'
import type { LogLevel } from '../http/logger.ts'
import { CliError, exitCodes } from './exit-codes.ts'

interface Manifest {
  readonly name: string
  readonly version: string
}
let manifest: Manifest | undefined
/** The package's own version. */
export function packageVersion(): string {
  manifest ??= JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Manifest
  return manifest.version
}

/** One option of the command line. */
export interface OptionSpec {
  readonly name: string
  /** Name of its value; a flag has none. */
  readonly value?: string
  /** May be given several times; the environment variable then contains a path list. */
  readonly multiple?: true
  readonly env?: string
  readonly description: string
  readonly defaultText?: string
  readonly choices?: readonly string[]
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
const durabilities = ['fsync', 'os'] as const

const dataDirOption: OptionSpec = {
  name: 'data-dir',
  value: 'dir',
  env: 'GANTRY_DATA_DIR',
  description: 'log, keys and workspace of the gateway',
  defaultText: `./data in Gantry's own folder, else ${perUserDataDir()}`,
}

/** Options of every command that opens a gateway. */
export const gatewayOptions: readonly OptionSpec[] = [
  dataDirOption,
  {
    name: 'plugins-dir',
    value: 'dir',
    multiple: true,
    env: 'GANTRY_PLUGINS_DIR',
    description: 'a directory of plugins beside the built-in ones (repeatable; the variable is a path list)',
  },
  {
    name: 'workspace',
    value: 'dir',
    multiple: true,
    env: 'GANTRY_WORKSPACE',
    description: 'a folder that clients may read and write (repeatable; the variable is a path list)',
    defaultText: 'workspace/ in the data directory',
  },
  {
    name: 'durability',
    value: 'mode',
    env: 'GANTRY_DURABILITY',
    choices: durabilities,
    description:
      'fsync: an answer is on the disk; os: it is with the operating system, a power failure may lose a second',
    defaultText: 'fsync',
  },
  {
    name: 'log-level',
    value: 'level',
    env: 'GANTRY_LOG_LEVEL',
    choices: logLevels,
    description: 'least level of log lines',
    defaultText: 'info',
  },
  {
    name: 'no-instance',
    env: 'GANTRY_NO_INSTANCE',
    description: 'do engineering work in this process: launch no engineering instance',
  },
  {
    name: 'dev',
    env: 'GANTRY_DEV',
    description: 'for authors of plugins: check every result against its output schema',
  },
  {
    name: 'watchdog',
    value: 'seconds',
    env: 'GANTRY_WATCHDOG',
    description: 'ends the gateway (exit code 7) when a job or plugin blocks it for longer; 0 never',
    defaultText: '60',
  },
  {
    name: 'hold-jobs',
    description: 'leave jobs of an earlier run pending: they run at a start without it (see "gantry jobs drop")',
  },
  {
    name: 'new',
    description: 'begin an empty log in a data directory that has keys but no store/ any more',
  },
]

/** Options of `serve`. */
export const serveOptions: readonly OptionSpec[] = [
  { name: 'host', value: 'address', env: 'GANTRY_HOST', description: 'address to listen on', defaultText: '127.0.0.1' },
  {
    name: 'port',
    value: 'number',
    env: 'GANTRY_PORT',
    description: 'port to listen on; 0 takes a free one',
    defaultText: '9000',
  },
  ...gatewayOptions,
  { name: 'watch', description: 'start again when a file in a directory of plugins changes; implies --dev' },
]

/** Options of every command that talks to a running gateway. */
export const clientOptions: readonly OptionSpec[] = [
  {
    name: 'url',
    value: 'url',
    env: 'GANTRY_URL',
    description: 'address of the gateway',
    defaultText: 'the one that runs on the data directory',
  },
  {
    name: 'key',
    value: 'key',
    env: 'GANTRY_API_KEY',
    description: 'API key; better given by the variable',
    defaultText: 'the one in the data directory',
  },
  dataDirOption,
]

/** Unparsed values; those of the command line under their camel-case names. */
export type RawOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The settings of a gateway's run. */
export interface GatewayRun {
  readonly dataDir: string
  readonly pluginDirs: readonly string[]
  readonly workspace: readonly string[]
  readonly durability: 'fsync' | 'os'
  readonly logLevel: LogLevel
  readonly withoutInstance: boolean
  /** Results are checked against their output schemas. */
  readonly dev: boolean
  readonly newLog: boolean
  readonly holdJobs: boolean
  /** How long the event loop may be blocked, ms; 0 for ever. */
  readonly blockedMs: number
  /** From the environment only: every user of the machine can see command lines. */
  readonly apiKey: string | undefined
}
export interface ServeRun extends GatewayRun {
  readonly host: string
  readonly port: number
}

type Env = Readonly<Record<string, string | undefined>>

export const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The value of an option: the command line, then the environment. An empty variable counts as not set. */
function textOf(spec: OptionSpec, raw: RawOptions, env: Env): { text: string; from: string } | undefined {
  const given = raw[camelCase(spec.name)]
  const found =
    typeof given === 'string'
      ? { text: given, from: `--${spec.name}` }
      : spec.env && env[spec.env]
        ? { text: env[spec.env]!, from: spec.env }
        : undefined
  if (found && spec.choices && !spec.choices.includes(found.text))
    throw new CliError(`${found.from} must be one of ${spec.choices.join(', ')}, not "${found.text}".`, exitCodes.usage)
  return found
}

function listOf(spec: OptionSpec, raw: RawOptions, env: Env): string[] {
  const given = raw[camelCase(spec.name)]
  const texts =
    Array.isArray(given) && given.length > 0
      ? (given as string[])
      : (spec.env ? (env[spec.env] ?? '') : '').split(delimiter)
  return texts.filter((text) => text !== '').map((text) => resolve(text))
}

const spec = (name: string) => [...serveOptions, ...clientOptions].find((option) => option.name === name)!

/** Variables that are no options and no settings: the key, and what the gateway hands to programs that it starts. */
const otherVariables = [
  'GANTRY_API_KEY',
  'GANTRY_DIALOG_KIND',
  'GANTRY_DIALOG_TITLE',
  'GANTRY_DIALOG_START',
  'GANTRY_DIALOG_FILTER',
]

/** One note for each variable that looks like one of Gantry's and is none. */
export function unknownVariables(env: Env = process.env): string[] {
  const options = [...serveOptions, ...clientOptions].flatMap((option) => option.env ?? [])
  const known = new Set([...options, ...otherVariables, ...settingVariables.values()])
  return Object.keys(env)
    .filter((name) => /^GANTRY_/i.test(name) && !known.has(name))
    .sort()
    .map((name) => {
      const near = nearest(name, known)
      return `the variable ${name} is not known and has no effect${near ? `; did you mean ${near}?` : ''}`
    })
}

/** The data directory from the options, the environment or the default. */
export function readDataDir(raw: RawOptions, env: Env = process.env): string {
  const given = textOf(dataDirOption, raw, env)
  return resolve(given?.text ?? defaultDataDir())
}

/**
 * The default data directory: beside the sources for a developer in a clone, otherwise where the system keeps users'
 * data.
 */
export function defaultDataDir(cwd = process.cwd()): string {
  return isSameFolder(cwd, packageDir) ? join(packageDir, 'data') : perUserDataDir()
}

/** On Windows a terminal may be in `c:\gantry` where the code is in `C:\Gantry`: another directory would look empty. */
function isSameFolder(a: string, b: string): boolean {
  const plain = (path: string) => (process.platform === 'win32' ? resolve(path).toLowerCase() : resolve(path))
  return plain(a) === plain(b)
}

/** Where the system keeps data of this user's programs that stays on this machine. */
export function perUserDataDir(env: Env = process.env, platform = process.platform, home = homedir()): string {
  // A service may run without the variables of a profile. A path from there would depend on where it is started.
  const local = env.LOCALAPPDATA
  if (platform === 'win32')
    return win32.join(local && win32.isAbsolute(local) ? local : win32.join(home, 'AppData', 'Local'), 'Gantry')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Gantry')
  // XDG Base Directory Specification 0.8: a relative path is invalid and ignored.
  const xdg = env.XDG_DATA_HOME
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'gantry')
}

/** A whole number from 0 to `most`. */
function numberOf(spec: OptionSpec, raw: RawOptions, env: Env, absent: number, most: number): number {
  const given = textOf(spec, raw, env)
  if (given === undefined) return absent
  const number = /^\d{1,9}$/.test(given.text) ? Number(given.text) : Number.NaN
  if (number <= most) return number
  throw new CliError(`${given.from} must be a number from 0 to ${most}, not "${given.text}".`, exitCodes.usage)
}

/** @throws CliError for an invalid value */
export function readGatewayRun(raw: RawOptions, env: Env = process.env): GatewayRun {
  return {
    dataDir: readDataDir(raw, env),
    pluginDirs: [builtInPlugins, ...listOf(spec('plugins-dir'), raw, env)],
    workspace: listOf(spec('workspace'), raw, env),
    durability: (textOf(spec('durability'), raw, env)?.text ?? 'fsync') as GatewayRun['durability'],
    logLevel: (textOf(spec('log-level'), raw, env)?.text ?? 'info') as LogLevel,
    withoutInstance:
      raw.instance === false || raw.noInstance === true || /^(1|true|yes)$/i.test(env.GANTRY_NO_INSTANCE ?? ''),
    dev: raw.dev === true || /^(1|true|yes)$/i.test(env.GANTRY_DEV ?? ''),
    newLog: raw.new === true,
    holdJobs: raw.holdJobs === true,
    blockedMs: 1000 * numberOf(spec('watchdog'), raw, env, 60, 86_400),
    apiKey: apiKeyOf(env),
  }
}

function apiKeyOf(env: Env): string | undefined {
  // Blanks around a key do not arrive: header values have none (RFC 9110, 5.5).
  const key = env.GANTRY_API_KEY?.trim() || undefined
  if (key !== undefined && key.length < fewestKeyCharacters)
    throw new CliError(`GANTRY_API_KEY must have at least ${fewestKeyCharacters} characters.`, exitCodes.usage)
  return key
}

/** @throws CliError for an invalid value */
export function readServeRun(raw: RawOptions, env: Env = process.env): ServeRun {
  const port = numberOf(spec('port'), raw, env, 9000, 65_535)
  return { ...readGatewayRun(raw, env), host: textOf(spec('host'), raw, env)?.text ?? '127.0.0.1', port }
}
