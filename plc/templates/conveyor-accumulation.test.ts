import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { conveyorAccumulation } from './conveyor-accumulation.ts'

const zones = [1, 2, 3, 4]
const stateMembers = zones.map((zone) => `zoneState[${zone}]`)

test('conveyor: items travel, accumulate, leave one by one; jams; hands', () => {
  const line = templateBench(conveyorAccumulation, {}, { stateMembers })
  const short = (zone: number) => line.state(`zoneState[${zone}]`).slice('STATE_'.length)
  const states = () => zones.map(short).join(' ')
  const motors = () => zones.map((zone) => line.get(`motor[${zone}]`)).join('')
  const sensor = (zone: number, isThere: boolean) => ({ [`sensor[${zone}]`]: isThere })
  /** One second, then the items of all running zones have moved on. */
  const move = () => {
    line.after(1000)
    const moving = zones.filter((zone) => short(zone) === 'FILLING')
    for (const zone of [...moving].reverse())
      line.set({ ...sensor(zone, true), ...(zone > 1 ? sensor(zone - 1, false) : {}) })
    line.scan()
    line.scan()
  }
  assert.equal(line.after(50, { itemWaiting: true }), 'STATE_EMPTY')
  assert.equal(line.get('readyToReceive'), 0)
  line.after(10, { enable: true })
  assert.equal(`${states()} ${motors()}`, 'FILLING EMPTY EMPTY EMPTY 1000')
  line.after(500)
  line.set({ itemWaiting: false, ...sensor(1, true) })
  line.after(20)
  assert.equal(`${states()} ${motors()}`, 'RELEASING FILLING EMPTY EMPTY 1100')
  for (let i = 0; i < 3; i++) move()
  // It waits at the end: nobody takes it.
  assert.equal(`${states()} ${motors()}`, 'EMPTY EMPTY EMPTY OCCUPIED 0000')
  assert.deepEqual(line.read('itemAtEnd', 'items', 'readyToReceive'), [1, 1, 1])
  // Three more accumulate.
  for (let item = 0; item < 3; item++) {
    line.after(20, { itemWaiting: true })
    line.set({ itemWaiting: false })
    for (let i = 0; i < 4; i++) move()
  }
  assert.equal(`${states()} ${motors()}`, 'OCCUPIED OCCUPIED OCCUPIED OCCUPIED 0000')
  assert.deepEqual(line.read('full', 'readyToReceive'), [1, 0])
  // The last one leaves; the others close up.
  line.after(20, { downstreamReady: true })
  assert.equal(`${states()} ${motors()}`, 'OCCUPIED OCCUPIED OCCUPIED RELEASING 0001')
  line.after(10, { downstreamReady: false, ...sensor(4, false) })
  assert.equal(`${states()} ${motors()}`, 'OCCUPIED OCCUPIED RELEASING FILLING 0011')
  // Stopped on the way: the time does not run.
  line.after(10_000, { enable: false })
  assert.equal(`${states()} ${motors()}`, 'OCCUPIED OCCUPIED RELEASING FILLING 0000')
  line.after(10, { enable: true })
  for (let i = 0; i < 3; i++) move()
  assert.equal(states(), 'EMPTY OCCUPIED OCCUPIED OCCUPIED')
  // An item is put on by hand, another taken off.
  line.after(20, sensor(1, true))
  assert.equal(states(), 'OCCUPIED OCCUPIED OCCUPIED OCCUPIED')
  line.after(20, { ...sensor(2, false) })
  assert.equal(states(), 'RELEASING FILLING OCCUPIED OCCUPIED')
  // It never arrives.
  line.after(4900)
  assert.equal(line.get('jam'), 0)
  line.after(200)
  assert.equal(`${states()} ${motors()}`, 'JAM JAM OCCUPIED OCCUPIED 0000')
  assert.deepEqual(line.read('jam', 'jammedZone'), [1, 2])
  // What is behind the jam leaves.
  line.after(20, { downstreamReady: true })
  line.after(20, sensor(4, false))
  assert.equal(states(), 'JAM JAM RELEASING FILLING')
  line.after(20, { ...sensor(3, false), ...sensor(4, true) })
  line.set(sensor(1, false))
  line.pulse('acknowledge')
  line.after(50, sensor(4, false))
  assert.equal(states(), 'EMPTY EMPTY EMPTY EMPTY')
  line.assertEveryState()
})
