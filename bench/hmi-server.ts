/**
 * The servers that `bench/hmi.ts` measures, each in its own process: `gateway` with a station of 1 000 values that a
 * running controller changes ten times a second, or `echo`, a bare server that sends recorded pieces of such a stream
 * again at their times. Prints a line with its address and key. A line on the standard input is answered with `{ at,
 * cpu, cycles, overruns, lost }`: the time and the processor time in ms, and what the controller counted.
 */

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestGateway } from '../core/testing/index.ts'
import { controllerOf } from '../plugins/simulation/index.ts'
import { hmi, panels } from '../test/hmi.ts'
import { gridScreen } from '../test/hmi-screens.ts'
import { listen, createServer as serve } from '../test/http-server.ts'
import { newProject, plc } from '../test/online.ts'
import { writeWorkspace } from '../test/plant.ts'

const values = 1000
/** A cycle takes 10 ms; the values change in each tenth. */
const program = `
DATA_BLOCK "Big"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    v : Array[0..${values - 1}] of Int;
    n : DInt;
  END_VAR
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_TEMP
    i : Int;
  END_VAR
BEGIN
  "Big".n := "Big".n + 1;
  IF "Big".n MOD 10 = 0 THEN
    FOR #i := 0 TO ${values - 1} DO
      "Big".v[#i] := ("Big".v[#i] + 1) MOD 10000;
    END_FOR;
  END_IF;
END_ORGANIZATION_BLOCK
`

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function gateway() {
  const at = await openTestGateway({ durability: 'fsync' })
  const { call } = at
  await newProject(at, 'Bench')
  await call('blocks.import', { ...plc, content: program })
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  await writeWorkspace(at, { 'grid.xml': gridScreen('Grid', values, values) })
  await call('hmi.import', { ...hmi, filePath: 'grid.xml' })
  const { success, messages } = await call<{ success: boolean; messages: unknown }>('hmi.compile', {})
  if (!success) throw new Error(JSON.stringify(messages))
  const config = { minimumCycleTimeMs: 10, startup: 'Run' }
  await call('simulation.create-instance', { name: 'Sim', cpuType: 'CPU1515', ipAddress: '192.168.0.1', config })
  await call('simulation.power-on', { name: 'Sim' })
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const app = await serve(at.gateway)
  const url = await listen(app, { port: 0 })
  const controller = await controllerOf({ gateway: at.gateway, read: at.gateway.state.read }, 'Sim')
  process.once('SIGTERM', async () => {
    await app.close()
    await at.close()
    process.exit(0)
  })
  const count = () => {
    const { cycles, overruns, lostEvents } = controller.statistics
    return { cycles, overruns, lost: lostEvents }
  }
  return { url, key: at.gateway.createdKey ?? '', count }
}

async function echo(path: string) {
  const pieces = JSON.parse(await readFile(path, 'utf8')) as { at: number; text: string }[]
  const server = createServer(async (request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html')
      response.end(
        '<script>var updates = 0; fetch("/stream").then(async ({ body }) => { for await (const _ of body.pipeThrough(new TextDecoderStream())) updates++ })</script>',
      )
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    for (let began = performance.now(), i = 0; !response.destroyed; i = (i + 1) % pieces.length) {
      if (i === 0) began = performance.now()
      const wait = pieces[i]!.at - (performance.now() - began)
      if (wait > 0) await sleep(wait)
      response.write(pieces[i]!.text)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.once('SIGTERM', () => process.exit(0))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, key: '', count: () => ({}) }
}

const [kind, path = ''] = process.argv.slice(2)
const { url, key, count } = await (kind === 'echo' ? echo(path) : gateway())
console.log(JSON.stringify({ url, key }))
createInterface({ input: process.stdin }).on('line', () =>
  console.log(JSON.stringify({ at: performance.now(), cpu: cpu(), ...count() })),
)
