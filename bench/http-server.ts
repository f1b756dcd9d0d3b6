/**
 * The servers that `bench/http.ts` measures the gateway against, each in its own process: `bare` or `synced`. Prints
 * its port.
 */
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'

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

/** The simplest server that answers only after its record is on the disk. */
async function synced(): Promise<string> {
  const path = join(process.env.BENCH_DIR ?? tmpdir(), `gantry-bench-synced-${process.pid}`)
  const file = await open(path, 'w')
  const line = Buffer.alloc(512, 0x61)
  const app = fastify()
  app.post<{ Body: { name: string; by: number } }>('/api/bench/counters', async (request) => {
    await file.write(line)
    await file.datasync()
    return { name: request.body.name, value: request.body.by }
  })
  process.once('SIGTERM', async () => {
    await app.close()
    await file.close()
    await rm(path)
    process.exit(0)
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const servers = { bare, synced }
console.log(await servers[process.argv[2] as keyof typeof servers]())
