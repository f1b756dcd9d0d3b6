/**
 * `gantry mcp`: an MCP server on standard input and output. It connects to the gateway that runs on the data directory,
 * or is that gateway itself.
 */

import { isGatewayError } from '../contract/problems.ts'
import { createLogger } from '../http/logger.ts'
import { graceAfter, onEndSignal } from '../process/end-signals.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { packageVersion, type RawOptions, readDataDir, readGatewayRun, unknownVariables } from './options.ts'
import { announce, findConnection, readRunning } from './running-gateway.ts'

/** How long to wait for a gateway that has the directory open but does not listen yet, ms. */
const startUpMs = 10_000

/** How long running work may take after the client has gone, or a signal has come, ms. */
const graceMs = 10_000

/** Serves until the client closes its end. stdout belongs to the protocol; the log goes to stderr. */
export async function mcp(raw: RawOptions): Promise<void> {
  const shown = {
    toolsets: raw.toolsets as string | undefined,
    tools: raw.tools as string | undefined,
    readOnly: raw.readonly === true,
  }
  if (raw.url || process.env.GANTRY_URL || readRunning(readDataDir(raw))) return bridge(raw, shown)
  const run = readGatewayRun(raw)
  const log = createLogger({
    level: raw.logLevel || process.env.GANTRY_LOG_LEVEL ? run.logLevel : 'warn',
    destination: 2,
  })
  const [{ openGateway }, { supervise }] = await Promise.all([import('./open-gateway.ts'), import('./supervision.ts')])
  const watch = supervise(log, run.blockedMs, run.pluginDirs)
  let gateway: Awaited<ReturnType<typeof openGateway>>
  try {
    gateway = await openGateway(run, log)
    for (const note of unknownVariables()) log.warn({}, note)
  } catch (error) {
    if (!(await isStarting(error, run.dataDir))) throw error
    return bridge(raw, shown)
  }
  watch(gateway)
  const withdraw = await listenForOthers(gateway, run.dataDir, log)
  let endedBy: NodeJS.Signals | undefined
  onEndSignal((signal) => {
    endedBy = signal
    process.stdin.destroy()
  })
  gateway.endProcess = () => void process.stdin.destroy()
  gateway.startBackground()
  try {
    const { serveStdio } = await import('../mcp/stdio.ts')
    await serveStdio(gateway, shown)
  } catch (error) {
    throw isGatewayError(error)
      ? new CliError(`${error.code}: ${error.message}`, exitCodes.usage, { cause: error })
      : error
  } finally {
    await withdraw()
    await gateway.close(graceAfter(endedBy, graceMs))
    await log.flush()
  }
}

/** Listens on a free port of this machine only, so that a second AI tool and `gantry call` reach this gateway too. */
async function listenForOthers(
  gateway: Awaited<ReturnType<typeof import('./open-gateway.ts')['openGateway']>>,
  dataDir: string,
  log: ReturnType<typeof createLogger>,
) {
  const [{ createServer, listen }, { registerMcp }] = await Promise.all([
    import('../http/server.ts'),
    import('../mcp/http.ts'),
  ])
  const app = await createServer(gateway, { logger: { ...log, info: log.debug }, adapters: [registerMcp] })
  const url = await listen(app, { port: 0 })
  const withdraw = announce(dataDir, {
    url,
    pid: process.pid,
    version: gateway.version,
    startedAt: new Date(gateway.startedAt).toISOString(),
  })
  return async () => {
    withdraw()
    await app.close()
  }
}

/** The directory is locked by a gateway that is just starting: true as soon as it publishes where it listens. */
async function isStarting(error: unknown, dataDir: string): Promise<boolean> {
  const cause = (error as Error).cause as { code?: unknown } | undefined
  if (cause?.code !== 'store_locked') return false
  for (let waited = 0; waited < startUpMs; waited += 100) {
    if (readRunning(dataDir)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

async function bridge(
  raw: RawOptions,
  shown: { toolsets: string | undefined; tools: string | undefined; readOnly: boolean },
): Promise<void> {
  const { bridgeStdio } = await import('../mcp/bridge.ts')
  onEndSignal(() => process.stdin.destroy())
  await bridgeStdio({ locate: async () => findConnection(raw), ...shown, version: packageVersion() })
}
