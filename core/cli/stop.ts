/** `gantry stop`: ends a running gateway in order, through its API: on Windows a signal would end it hard. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { isStoreError } from '../../store/index.ts'
import { GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { openOffline } from './offline-store.ts'
import { type RawOptions, readDataDir } from './options.ts'
import { printResult } from './output.ts'
import { findConnection, readRunning } from './running-gateway.ts'

/** How often the end is looked for, ms. */
const lookMs = 50
/** What a process that is ended hard, or a last answer, may take, ms. */
const endMs = 5000

/**
 * Asks the gateway to stop and waits until it has gone: its process, or at an address given by `--url` what answers
 * there. Prints what was stopped. With `--force` the process of the data directory is ended hard when it does not go.
 *
 * @throws CliError `unreachable` when there is none; `notAllowed`; `failed` when it still runs after the time
 */
export async function stopGateway(raw: RawOptions): Promise<void> {
  const waitMs = 1000 * timeoutOf(raw)
  const isElsewhere = raw.url !== undefined || Boolean(process.env.GANTRY_URL)
  if (isElsewhere && raw.force === true)
    throw new CliError('--force ends the process of a data directory; it cannot be used with --url.', exitCodes.usage)
  const dataDir = readDataDir(raw)
  const connection = findConnection(raw)
  const pid = isElsewhere ? undefined : readRunning(dataDir)?.pid
  const begin = performance.now()
  const refusal = await new GatewayClient(connection)
    .request('POST', '/api/system/actions/stop', { body: {}, signal: AbortSignal.timeout(Math.max(waitMs, 1)) })
    .then(() => undefined, asRefusal)
  const isGone = pid === undefined ? () => isSilent(connection.url) : () => !isProcessAlive(pid)
  const left = () => (refusal === undefined ? waitMs - (performance.now() - begin) : 0)
  if (await becomesTrue(isGone, left))
    return printResult({ stopped: connection.url, ...(pid && { pid }), forced: false })
  if (raw.force !== true || pid === undefined) throw stillRuns(connection.url, pid, waitMs, refusal)
  await endHard(pid, dataDir)
  await printResult({ stopped: connection.url, pid, forced: true })
}

function timeoutOf(raw: RawOptions): number {
  const text = (raw.timeout as string | undefined) ?? '30'
  if (!/^\d{1,5}$/.test(text))
    throw new CliError(`--timeout must be a number of seconds from 0 to 99999, not "${text}".`, exitCodes.usage)
  return Number(text)
}

/** What the gateway said instead of a yes. A key that is not enough stays an error, with `--force` too. */
function asRefusal(error: unknown): CliError {
  if (!(error instanceof CliError) || error.exitCode === exitCodes.notAllowed) throw error
  return error
}

/** True when nothing listens at an address any more. */
async function isSilent(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/api/health/ping`, { signal: AbortSignal.timeout(endMs) })).arrayBuffer()
    return false
  } catch (error) {
    // A gateway that is slow to answer is there all the same.
    return (error as Error).name !== 'TimeoutError'
  }
}

/** Waits for a condition as long as time is left; it is looked at once at least. */
async function becomesTrue(look: () => boolean | Promise<boolean>, leftMs: () => number): Promise<boolean> {
  for (;;) {
    if (await look()) return true
    if (leftMs() <= 0) return false
    await sleep(lookMs)
  }
}

function stillRuns(url: string, pid: number | undefined, waitMs: number, refusal: CliError | undefined): CliError {
  const why = refusal?.message ?? `It was asked to stop and still runs after ${waitMs / 1000} s.`
  const who = pid === undefined ? `The gateway at ${url}` : `The gateway at ${url} (process ${pid})`
  const way = pid === undefined ? '' : ' "gantry stop --force" ends its process; what it has answered is not lost.'
  return new CliError(`${who} is not stopped. ${why}${way}`, refusal?.exitCode ?? exitCodes.failed, {
    cause: refusal,
  })
}

/**
 * Ends a process at once. Process ids are used again, so the lock of the data directory must show that a gateway is
 * there.
 */
async function endHard(pid: number, dataDir: string): Promise<void> {
  if (!(await isLocked(dataDir)))
    throw new CliError(
      `Process ${pid} does not have ${dataDir} open: it is no gateway of it, and was left alone.`,
      exitCodes.dataDirectory,
    )
  process.kill(pid, 'SIGKILL')
  const begin = performance.now()
  if (
    await becomesTrue(
      () => !isProcessAlive(pid),
      () => endMs - (performance.now() - begin),
    )
  )
    return
  throw new CliError(`Process ${pid} could not be ended.`, exitCodes.failed)
}

async function isLocked(dataDir: string): Promise<boolean> {
  try {
    const store = await openOffline(dataDir, { readOnly: true })
    await store.close()
    return false
  } catch (error) {
    return isStoreError(error) && error.code === 'store_locked'
  }
}
