/** The servers that `bench/http.ts` measures, each in a process of its own: `gateway` or `bare`. Prints its port. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { Gateway } from '../core/gateway.ts'
import { createLogger } from '../core/http/logger.ts'
import { createServer, listen } from '../core/http/server.ts'

const root = process.env.BENCH_DIR ?? tmpdir()

async function bare(): Promise<string> {
  const app = fastify()
  const counter = {
    type: 'object',
    properties: { name: { type: 'string' }, value: { type: 'integer' } },
  }
  const body = {
    type: 'object',
    required: ['name', 'by'],
    additionalProperties: false,
    properties: { name: { type: 'string', minLength: 1 }, by: { type: 'integer' } },
  }
  app.post<{ Body: { name: string; by: number } }>(
    '/api/bench/counters',
    { schema: { body, response: { 200: counter } } },
    async (request) => ({ name: request.body.name, value: request.body.by }),
  )
  app.get('/api/bench/jobs/:jobId', async () => ({}))
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function gateway(): Promise<string> {
  const dir = await mkdtemp(join(root, 'gantry-bench-'))
  const log = createLogger({ level: 'info', destination: join(dir, 'gantry.log') })
  const opened = await Gateway.open({
    dataDir: join(dir, 'data'),
    version: '0',
    pluginDirs: [fileURLToPath(new URL('./plugins', import.meta.url))],
    withoutEngine: true,
    apiKey: 'bench',
    log,
    checkpointEvery: 1e9,
  })
  const app = await createServer(opened)
  process.once('SIGTERM', async () => {
    await app.close()
    await opened.close()
    await log.flush()
    await rm(dir, { recursive: true, force: true })
    process.exit(0)
  })
  const address = await listen(app, { port: 0 })
  await log.start()
  return address
}

console.log(await (process.argv[2] === 'bare' ? bare() : gateway()))
