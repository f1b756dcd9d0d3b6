import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { watchdog } from './watchdog.ts'

for (const signal of ['counter', 'bit'] as const)
  test(`watchdog with a ${signal}: waits, recovers, lives, loses its partner`, () => {
    const link = templateBench(watchdog, { signal })
    let beat = 0
    const partner = (count: number) => {
      for (let i = 0; i < count; i++) {
        beat++
        link.after(1000, { heartbeatIn: signal === 'bit' ? beat % 2 === 1 : beat })
      }
      return link.state()
    }
    // A value that has been there since the start is no beat.
    beat = 6
    assert.equal(link.after(10_000, { heartbeatIn: signal === 'bit' ? false : beat }), 'STATE_WAITING')
    assert.equal(partner(2), 'STATE_RECOVERING')
    assert.equal(link.get('linkOk'), 0)
    assert.equal(partner(1), 'STATE_ALIVE')
    assert.deepEqual(link.read('linkOk', 'lossCount'), [1, 0])
    assert.equal(partner(20), 'STATE_ALIVE')
    // The last beat was a second ago.
    assert.equal(link.after(3900), 'STATE_ALIVE')
    assert.equal(link.after(200), 'STATE_LOST')
    assert.deepEqual(link.read('linkOk', 'lossCount'), [0, 1])
    // A shaky partner.
    assert.equal(partner(1), 'STATE_RECOVERING')
    assert.equal(link.after(5000), 'STATE_LOST')
    assert.equal(partner(3), 'STATE_ALIVE')
    assert.equal(link.get('lossCount'), 1)
    link.assertEveryState()
  })

test('watchdog: its own heartbeat', () => {
  const link = templateBench(watchdog, { sendInterval: 0.1 })
  const start = link.get('heartbeatOut') as number
  link.after(1100)
  // Ten intervals and the cycles between them.
  assert.equal((link.get('heartbeatOut') as number) - start, 9)
  link.after(120, { heartbeatOut: 65_535 })
  assert.equal(link.get('heartbeatOut'), 0)
  const other = templateBench(watchdog, { signal: 'bit', sendInterval: 0.1 })
  const seen = Array.from({ length: 4 }, () => {
    other.after(120)
    return other.get('heartbeatOut')
  })
  assert.deepEqual(seen, [1, 0, 1, 0])
})

test('watchdog: a partner with one beat is alive at once, when one is enough', () => {
  const link = templateBench(watchdog, { goodBeats: 1 })
  link.after(20)
  link.after(10, { heartbeatIn: 7 })
  assert.equal(link.after(10), 'STATE_ALIVE')
})
