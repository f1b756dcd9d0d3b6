import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CycleMonitor, monitoredMs } from './cycle-monitor.ts'

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

test('a thread that was held up between two looks has not exceeded its time; one that looks all the time has', () => {
  const monitor = new CycleMonitor({ mode: { mode: 'real', factor: 1 } })
  monitor.restart(1000)
  assert.ok(monitor.look(9000) < 150)
  monitor.restart(9000)
  let elapsed = 0
  for (let now = 9001; now <= 9160; now++) elapsed = monitor.look(now)
  assert.equal(elapsed, 160)
})
