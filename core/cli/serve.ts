/**
 * `gantry serve`: the gateway as a service of this machine. Imported directly by `main.ts`: nothing here may be slow to
 * load.
 */
import { createLogger } from '../http/logger.ts'
import { createServer, listen } from '../http/server.ts'
import { registerMcp } from '../mcp/http.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { openGateway } from './open-gateway.ts'
import type { ServeRun } from './options.ts'
import { announce } from './running-gateway.ts'

/** What runs when the end is asked for has this long to finish, ms. */
const graceMs = 10_000

/** Serves until a signal ends it; the process's exit code is set then. */
export async function serve(run: ServeRun): Promise<void> {
  // stdout tells where the gateway is; the log goes to stderr, so that either can be read by a program.
  const log = createLogger({ level: run.logLevel, destination: 2 })
  // A fault of one plugin's forgotten promise must not end everybody's work; what is thrown past everything leaves
  // nothing to trust.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught exception: the gateway ends')
    log.flush().finally(() => process.exit(exitCodes.failed))
  })
  const gateway = await openGateway(run, log)
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
  let closing = false
  const stop = (signal: NodeJS.Signals) => {
    const code = signal === 'SIGINT' ? 130 : 143
    if (closing) process.exit(code)
    closing = true
    log.info({ signal }, 'shutting down')
    withdraw()
    const since = performance.now()
    app
      .close()
      .then(() => gateway.close(Math.max(1000, graceMs - (performance.now() - since))))
      .catch((error) => {
        log.error({ err: error }, 'the shutdown failed')
        process.exitCode = exitCodes.failed
      })
      .then(() => log.flush())
      .finally(() => process.exit())
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
  tell(run, gateway, url)
  await log.start()
  log.info(
    { url, version: gateway.version, pid: process.pid, dataDir: run.dataDir, plugins: gateway.plugins.length },
    'gateway started',
  )
  gateway.startBackground()
}

function tell(run: ServeRun, gateway: Awaited<ReturnType<typeof openGateway>>, url: string) {
  const lines = [`Gantry ${gateway.version} at ${url} (documentation: ${url}/docs)`, `data directory: ${run.dataDir}`]
  if (gateway.createdKey) lines.push(`API key (shown this once, kept in the file api-key there): ${gateway.createdKey}`)
  for (const { name, reason } of gateway.pluginFaults) lines.push(`plugin ${name} is not loaded: ${reason}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** An address that says "all" is reached as this machine. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
