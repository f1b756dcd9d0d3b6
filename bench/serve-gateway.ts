/**
 * Starts a gateway with its HTTP server for a benchmark, in a temporary folder, with a request log. SIGTERM ends it and
 * deletes the folder.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Gateway } from '../core/gateway.ts'
import { createLogger } from '../core/http/logger.ts'
import { createServer, listen } from '../core/http/server.ts'

/**
 * Serves until the process gets SIGTERM; the key is `bench-key`.
 * @param plugins folder of plugins
 * @param prepare runs before the server listens
 * @returns the address
 */
export async function serveGateway(plugins: URL, prepare?: (gateway: Gateway) => Promise<void>): Promise<string> {
  const dir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'gantry-bench-'))
  const log = createLogger({ level: 'info', destination: join(dir, 'gantry.log') })
  const gateway = await Gateway.open({
    dataDir: join(dir, 'data'),
    version: '0',
    pluginDirs: [fileURLToPath(plugins)],
    withoutEngine: true,
    apiKey: 'bench-key',
    log,
    checkpointEvery: 1e9,
  })
  await prepare?.(gateway)
  const app = await createServer(gateway)
  process.once('SIGTERM', async () => {
    await app.close()
    await gateway.close()
    await log.flush()
    await rm(dir, { recursive: true, force: true })
    process.exit(0)
  })
  const address = await listen(app, { port: 0 })
  await log.start()
  return address
}
