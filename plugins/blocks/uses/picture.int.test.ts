/** Pictures of networks through the gateway. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant } from '../../../test/plant.ts'

test('a network is drawn; text has no picture', async (t) => {
  const { call } = await openPlant(t)
  const on = { deviceName: 'PLC_1' }
  const networks = [
    { title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' },
    { expressions: '#lamp := #run' },
    { title: 'Later' },
  ]
  const members = ['start', 'stop', 'run', 'lamp'].map((name) => ({ section: 'InOut', name, dataType: 'Bool' }))
  await call('blocks.create', { ...on, name: 'Conveyor', type: 'FC', language: 'LAD', interface: members, networks })
  await call('blocks.create', { ...on, name: 'Text', type: 'FC', code: ';' })
  const picture = (blockName: string, network?: number) => call<string>('blocks.picture', { ...on, blockName, network })
  const svg = await picture('Conveyor')
  assert.match(svg, /^<svg [\s\S]*Network 1: Run[\s\S]*#start[\s\S]*<\/svg>$/)
  assert.equal(svg.match(/data-uid/g)?.length, 5, 'three contacts, one branch, one coil')
  assert.match(await picture('conveyor', 2), /#lamp/)
  const empty = await picture('Conveyor', 3)
  assert.match(empty, /Network 3: Later/)
  assert.match(empty, /class="rail"/, 'nothing is in it: the rail alone')
  assert.doesNotMatch(empty, /data-uid|NaN|Infinity/)
  await fails(picture('Conveyor', 4), 'not_found', /"Conveyor" has no network 4/)
  await fails(picture('Text'), 'unacceptable_content', /is in SCL: it is text/)
  await fails(picture('Conveyer'), 'not_found', /"Conveyor"/)
})
