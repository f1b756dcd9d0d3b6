/**
 * `gantry serve`: the gateway as a service of this machine. `main.ts` imports it directly, so nothing here may be slow
 * to
 * load.
 */
import { setFlagsFromString } from 'node:v8'
import type { BrowserSessions } from '../http/browser-sessions.ts'
import { createLogger } from '../http/logger.ts'
import { createServer, listen } from '../http/server.ts'
import { registerMcp } from '../mcp/http.ts'
import { endMessage, exitCodeOf, graceAfter, onEndSignal } from '../process/end-signals.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { openGateway } from './open-gateway.ts'
import { type ServeRun, unknownVariables } from './options.ts'
import { announce } from './running-gateway.ts'
import { supervise } from './supervision.ts'

/** How long running work may take after the request to stop, ms. */
const graceMs = 10_000

/**
 * Requests that wait for the disk outlive a collection of young objects. V8 then makes all objects of the same places
 * in its old space, where they keep what they refer to, dead or not, until the next full collection: a third more
 * processor time for every request from then on, and memory that grows meanwhile (measured:
 * docs/performance.md#collections).
 */
const v8Flags = '--no-allocation-site-pretenuring'

/** Serves until a signal or `system.stop` ends it, and sets the process's exit code. */
export async function serve(run: ServeRun): Promise<void> {
  setFlagsFromString(v8Flags)
  // stdout contains the address, stderr the log, so that a program can read either.
  const log = createLogger({ level: run.logLevel, destination: 2 })
  const watch = supervise(log, run.blockedMs, run.pluginDirs)
  const gateway = await openGateway(run, log, { showsNotes: true })
  watch(gateway)
  const app = await createServer(gateway, { logger: log, adapters: [registerMcp], graceMs })
  let url: string
  try {
    url = await listen(app, { host: run.host, port: run.port })
  } catch (error) {
    await gateway.close(0)
    throw new CliError((error as Error).message, exitCodes.address, { cause: error })
  }
  const withdraw = announce(run.dataDir, {
    url: reachable(url),
    pid: process.pid,
    version: gateway.version,
    startedAt: new Date(gateway.startedAt).toISOString(),
  })
  process.on('exit', withdraw)
  let closing = false
  const end = (signal?: NodeJS.Signals) => {
    if (closing) {
      if (signal !== undefined) process.exit(exitCodeOf(signal))
      return
    }
    closing = true
    log.info({ signal }, 'shutting down')
    withdraw()
    const grace = graceAfter(signal, graceMs)
    const since = performance.now()
    if (grace < graceMs) setTimeout(() => app.server.closeAllConnections(), grace).unref()
    app
      .close()
      .then(() => gateway.close(Math.max(grace / 10, grace - (performance.now() - since))))
      .catch((error) => {
        log.error({ err: error }, 'the shutdown failed')
        process.exitCode = exitCodes.failed
      })
      .then(() => log.flush())
      .finally(() => process.exit())
  }
  onEndSignal(end)
  process.on('message', (message) => {
    if (message === endMessage) end()
  })
  gateway.endProcess = () => end()
  tell(run, gateway, url, app.sessions)
  await log.start()
  log.info(
    { url, version: gateway.version, pid: process.pid, dataDir: run.dataDir, plugins: gateway.plugins.length },
    'gateway started',
  )
  gateway.startBackground()
}

function tell(run: ServeRun, gateway: Awaited<ReturnType<typeof openGateway>>, url: string, sessions: BrowserSessions) {
  const lines = [`Gantry ${gateway.version} at ${url} (documentation: ${url}/docs)`, `data directory: ${run.dataDir}`]
  lines.push(
    gateway.createdKey
      ? `API key (shown this once, kept in the file api-key there): ${gateway.createdKey}`
      : 'the key is in the file api-key there',
  )
  lines.push(
    `the studio, for one browser within ${sessions.tokenMinutes} minutes: ${reachable(url)}/#token=${sessions.issueToken()}`,
  )
  const given = Object.values(gateway.settingsOverride.sources)
  if (given.length > 0) lines.push(`settings from the environment: ${given.join(', ')}`)
  lines.push(...[...gateway.startNotes, ...unknownVariables()].map((note) => `note: ${note}`))
  for (const { name, reason } of gateway.pluginFaults) lines.push(`plugin ${name} is not loaded: ${reason}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The URL for clients on this machine when the gateway listens on all addresses. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
