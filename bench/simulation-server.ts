/**
 * The servers that `bench/simulation.ts` measures, each in a process of its own: `gateway` with a running virtual controller, or `static`,
 * a bare fastify that answers the JSON value it reads from its standard input. Prints its address.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { Gateway } from '../core/gateway.ts'
import { createLogger } from '../core/http/logger.ts'
import { createServer, listen } from '../core/http/server.ts'
import { packageOf } from '../plugins/simulation/controller/testing.ts'
import { controllerOf } from '../plugins/simulation/index.ts'

const program = `
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VAR
  speed : Array[0..499] of Real;
  count : Array[0..499] of DInt;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "OB1"
VAR_TEMP
  i : Int;
END_VAR
BEGIN
  FOR #i := 0 TO 499 DO
    "Data".speed[#i] := "Data".speed[#i] + 0.25;
    "Data".count[#i] := "Data".count[#i] + #i;
  END_FOR;
END_ORGANIZATION_BLOCK
`

async function fixed(): Promise<string> {
  const value = JSON.parse(await text(process.stdin)) as unknown
  const app = fastify()
  app.post('/api/simulation/tags/batch-read', async () => value)
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function gateway(): Promise<string> {
  const dir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'gantry-bench-'))
  const log = createLogger({ level: 'info', destination: join(dir, 'gantry.log') })
  const opened = await Gateway.open({
    dataDir: join(dir, 'data'),
    version: '0',
    pluginDirs: [fileURLToPath(new URL('../plugins', import.meta.url))],
    withoutEngine: true,
    apiKey: 'bench',
    log,
    checkpointEvery: 1e9,
  })
  const call = async (id: string, input: Record<string, unknown>) => {
    await opened.invoke(opened.registry.operation(id)!, input, { actor: { name: 'bench', access: 'admin' } })
  }
  const name = 'PLC_1'
  await call('simulation.create-instance', { name, config: { minimumCycleTimeMs: 10, startup: 'Stop' } })
  await call('simulation.power-on', { name })
  const controller = await controllerOf({ gateway: opened, read: opened.state.read }, name)
  await controller.load(packageOf(program), { inRun: false, reinitialize: false })
  await call('simulation.run', { name })
  await call('simulation.connect', { name })
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

console.log(await (process.argv[2] === 'static' ? fixed() : gateway()))
