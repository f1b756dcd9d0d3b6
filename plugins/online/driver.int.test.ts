/** A device behind the driver of the guide: downloads, states and values of online operations reach it. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInPlugins, packageDir } from '../../core/boot/running-code.ts'
import { openTestGateway } from '../../test/harness.ts'
import { address, newProject, plc } from '../../test/online.ts'
import { pluginDirectory, problemOf } from '../../test/system.ts'

const guide = await readFile(join(packageDir, 'plugins/system/docs/plugin-points.md'), 'utf8')
const bench = [...guide.matchAll(/```js\n([\s\S]*?)```/g)]
  .map(([, code]) => code!)
  .find((one) => one.includes("name: 'bench'"))!
const program = `DATA_BLOCK "Line"
STRUCT
  speed : Int := 5;
  on : Bool;
END_STRUCT;
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Line".speed := "Line".speed + 1;
END_ORGANIZATION_BLOCK
`

test('the device of the guide is downloaded to, read and written as a virtual controller is', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'bench'))
  await writeFile(join(dir, 'bench/index.mjs'), bench)
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins, dir] })
  const { call } = at
  assert.deepEqual(at.gateway.pluginFaults, [])
  await newProject(at, 'Line')
  await call('blocks.import', { ...plc, content: program })
  await call('blocks.compile-device', plc)
  await call('simulation.create-instance', { name: 'Bench_1', ipAddress: address })
  await call('simulation.power-on', { name: 'Bench_1' })
  await call('online.download', plc)
  await call('online.connect', plc)
  type Values = { readonly tags: readonly { readonly value: unknown }[] }
  const values = async () => {
    const read = await call<Values>('simulation.read-tags', {
      instanceName: 'Bench_1',
      names: ['"Line".speed', '"Line".on'],
    })
    return read.tags.map(({ value }) => value)
  }
  assert.deepEqual(await values(), [5, false])
  await call('simulation.write-tags', {
    instanceName: 'Bench_1',
    tags: [
      { name: '"Line".speed', value: 42 },
      { name: '"Line".on', value: true },
    ],
  })
  assert.deepEqual(await values(), [42, true])
  const stateOf = async () => (await call('simulation.get-instance', { name: 'Bench_1' })).state
  await call('simulation.run', { name: 'Bench_1' })
  assert.equal(await stateOf(), 'Run')
  await assert.rejects(
    call('simulation.hold', { name: 'Bench_1' }),
    problemOf('conflict', /The driver "bench" of "Bench_1" does not support hold/),
  )
  await call('simulation.stop-instance', { name: 'Bench_1' })
  await call('simulation.memory-reset', { name: 'Bench_1' })
  assert.deepEqual(await values(), [5, false])
  // The card has the program: it is loaded again with power.
  await call('simulation.power-off', { name: 'Bench_1' })
  await call('simulation.power-on', { name: 'Bench_1' })
  assert.deepEqual(await values(), [5, false])
  await call('simulation.create-instance', { name: 'Bench_Off' })
  await assert.rejects(
    call('simulation.power-on', { name: 'Bench_Off' }),
    problemOf('conflict', /The driver "bench" of "Bench_Off": nothing answers at its address/),
  )
})
