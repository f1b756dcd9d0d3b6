/**
 * The servers that `bench/simulation.ts` measures, each in its own process: `gateway` with a running virtual
 * controller, or `static`, a bare fastify server that answers with the JSON value it read from its standard input.
 * Prints its address.
 */
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import type { Gateway } from '../core/gateway.ts'
import { controllerOf } from '../plugins/simulation/index.ts'
import { packageOf } from '../test/controller.ts'
import { serveGateway } from './serve-gateway.ts'

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

async function runningController(gateway: Gateway): Promise<void> {
  const call = async (id: string, input: Record<string, unknown>) => {
    await gateway.invoke(gateway.registry.operation(id)!, input, { actor: { name: 'bench', access: 'admin' } })
  }
  const name = 'PLC_1'
  await call('simulation.create-instance', { name, config: { minimumCycleTimeMs: 10, startup: 'Stop' } })
  await call('simulation.power-on', { name })
  const controller = await controllerOf({ gateway, read: gateway.state.read }, name)
  await controller.load(packageOf(program), { inRun: false, reinitialize: false })
  await call('simulation.run', { name })
  await call('simulation.connect', { name })
}

console.log(
  await (process.argv[2] === 'static'
    ? fixed()
    : serveGateway(new URL('../plugins', import.meta.url), runningController)),
)
