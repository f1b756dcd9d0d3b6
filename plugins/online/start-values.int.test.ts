/** Loading the start values of a data block as its actual values, on a real controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { type Answer, plc, withDownload, withProject } from '../../test/online.ts'

const on = { ...plc, blockName: 'Data' }

test('all values of the block become start values, those of other blocks stay', async (t) => {
  const { at, controller } = await withDownload(t)
  await controller.change('run')
  await controller.advance({ cycles: 5 })
  const read = async () => {
    const { tags } = await at.call<Answer>('simulation.read-tags', {
      name: 'Sim',
      tags: ['Data.count', 'Data.limit', 'Data.motor.speed', 'Counter_DB.total'],
    })
    return tags.map(({ value }: Answer) => value)
  }
  for (const [tagName, value] of [
    ['Data.limit', 77],
    ['Data.motor.speed', 8],
  ])
    await at.call('simulation.write-tag', { name: 'Sim', tagName, value })
  assert.deepEqual(await read(), [5, 77, 8, 10])

  await at.call('online.load-start-values', { ...on, dryRun: true })
  assert.deepEqual(await read(), [5, 77, 8, 10], 'a dry run writes nothing')

  const { blockName, instance, operatingState } = await at.call<Answer>('online.load-start-values', on)
  assert.deepEqual(
    { blockName, instance, operatingState },
    { blockName: 'Data', instance: 'Sim', operatingState: 'RUN' },
  )
  assert.deepEqual(await read(), [0, 10, 3, 10])
  await controller.advance({ cycles: 1 })
  assert.deepEqual(await read(), [1, 10, 3, 12], 'the program goes on from there')

  await controller.change('stop')
  await at.call('online.load-start-values', { ...plc, blockName: 'counter_db' })
  assert.deepEqual(await read(), [1, 10, 3, 0], 'in STOP too; names without case')
})

test('what stands in the way is named', async (t) => {
  const at = await withProject(t)
  const load = (blockName: string) => at.call('online.load-start-values', { ...plc, blockName })
  await fails(load('Data'), 'device_unreachable', /"PLC_1" cannot be reached/)
  await fails(load('Main'), 'conflict', /"Main" is no data block but an OB/)
  await fails(load('Dato'), 'not_found', /Did you mean "Data"/)
})

test('the start values are those that were downloaded', async (t) => {
  const { at } = await withDownload(t)
  await at.call('blocks.update-member', { ...on, memberName: 'limit', startValue: '20' })
  await fails(at.call('online.load-start-values', on), 'conflict', /has changed since it was downloaded/)
  await at.call('online.download', { ...plc, compile: true })
  await at.call('online.load-start-values', on)
  const { value } = await at.call<Answer>('simulation.read-tag', { name: 'Sim', tagName: 'Data.limit' })
  assert.equal(value, 20)
})
