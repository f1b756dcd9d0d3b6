/**
 * How commands find the gateway that runs on a data directory: `gateway.json` contains its address, `api-key` its first
 * key.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { renameFileSync } from '../../lib/patient-rename.ts'
import { keyFileName } from '../access/keys.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { type RawOptions, readDataDir } from './options.ts'

/** Content of `gateway.json`. */
export interface RunningGateway {
  readonly url: string
  readonly pid: number
  readonly version: string
  /** RFC 3339 UTC. */
  readonly startedAt: string
}

const fileName = 'gateway.json'

/** Publishes where this process listens; returns the function that withdraws it. */
export function announce(dataDir: string, gateway: RunningGateway): () => void {
  const file = join(dataDir, fileName)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(gateway, null, 2)}\n`, { mode: 0o600 })
  renameFileSync(draft, file)
  return () => {
    if (readRunning(dataDir)?.pid === process.pid) rmSync(file, { force: true })
  }
}

/** The gateway that runs on a data directory. A file left by a crash does not count: its process is gone. */
export function readRunning(dataDir: string): RunningGateway | undefined {
  try {
    const found = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')) as RunningGateway
    return typeof found.url === 'string' && Number.isInteger(found.pid) && isProcessAlive(found.pid) ? found : undefined
  } catch {
    return undefined
  }
}

/** The first key of a data directory; undefined when there is none or this user may not read it. */
function readKey(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, keyFileName), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Where to send requests, and with which key. */
export interface Connection {
  readonly url: string
  readonly key: string
}

/**
 * Finds the gateway for a command: `--url` and `--key`, then the environment, then the data directory.
 * @throws CliError `unreachable`, `notAllowed`, `usage`
 */
export function findConnection(
  raw: RawOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Connection {
  const dataDir = readDataDir(raw, env)
  const given = (raw.url as string | undefined) ?? (env.GANTRY_URL || undefined)
  const url = given ?? readRunning(dataDir)?.url
  if (url === undefined)
    throw new CliError(
      `No gateway runs on ${dataDir}. Start one with "gantry serve", or say where it is with --url or GANTRY_URL.`,
      exitCodes.unreachable,
    )
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CliError(`"${url}" is not an address like http://127.0.0.1:9000.`, exitCodes.usage)
  const key = (raw.key as string | undefined) ?? (env.GANTRY_API_KEY || undefined) ?? readKey(dataDir)
  if (key === undefined)
    throw new CliError(
      `There is no API key in ${dataDir}. Give one with GANTRY_API_KEY or --key.`,
      exitCodes.notAllowed,
    )
  return { url: url.replace(/\/+$/, ''), key }
}
