import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monitoredMs } from './cycle-monitor.ts'

test('a computer that holds up a thread for a moment exceeds no cycle time, however fast virtual time passes', () => {
  assert.ok(monitoredMs(50, 100) < 150)
  assert.ok(monitoredMs(55, 100) > 150)
  assert.deepEqual(
    [0.01, 0.5, 1].map((factor) => monitoredMs(200, factor)),
    [2, 100, 200],
  )
})

test('the longer a cycle runs and the faster time passes, the more counts', () => {
  for (const factor of [0.01, 1, 2, 100])
    for (let ms = 0; ms < 100; ms++) assert.ok(monitoredMs(ms + 1, factor) > monitoredMs(ms, factor))
  for (let ms = 51; ms < 100; ms++) assert.ok(monitoredMs(ms, 3) > monitoredMs(ms, 2))
})
