/** The example makes all blocks in one job, or none, and an undo takes them back together. */
// In a process of its own: it has TypeScript loaded into its process.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../../../core/boot/running-code.ts'
import { openTestGateway } from '../../../core/testing/index.ts'

test('blocks are made, and undone, as one', async (t) => {
  const gantry = await openTestGateway({ plugins: [join(packageDir, 'examples/plugins/block-set')] })
  t.after(() => gantry.close())
  await gantry.call('projects.create', { name: 'Plant' })
  await gantry.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  const deviceName = 'PLC_1'
  const total = async () => (await gantry.call('blocks.list', { deviceName })).total
  const make = (motors: readonly string[]) => gantry.call('block-set.make-motors', { deviceName, motors: [...motors] })
  assert.deepEqual(await make(['Pump', 'Fan']), { made: 2, warnings: [] })
  assert.equal(await total(), 2)
  const { jobs } = await gantry.call<{ jobs: { command: string }[] }>('history.undo')
  assert.deepEqual(
    jobs.map(({ command }) => command),
    ['block-set.make-motors'],
  )
  assert.equal(await total(), 0)
  await assert.rejects(make(['Mixer', '"']))
  assert.equal(await total(), 0)
})
