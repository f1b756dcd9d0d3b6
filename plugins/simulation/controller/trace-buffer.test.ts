import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TraceBuffer } from './trace-buffer.ts'

test('the ring holds the newest samples, whatever was written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 60 }),
      (samples, everyCycles, cycles) => {
        const options = {
          ranges: [
            { address: 2, size: 1 },
            { address: 0, size: 2 },
          ],
          samples,
          everyCycles,
        }
        const writer = new TraceBuffer(options)
        const reader = new TraceBuffer(options, writer.buffer)
        const memory = new Uint8Array(4)
        const expected: unknown[] = []
        for (let cycle = 1; cycle <= cycles; cycle++) {
          memory.fill(cycle)
          memory[0] = 255 - cycle
          writer.endOfCycle(memory, cycle, cycle / 2)
          if ((cycle - 1) % everyCycles === 0) expected.push([cycle, cycle / 2, [cycle], [255 - cycle, cycle]])
        }
        assert.deepEqual(
          reader.samples().map(({ cycle, time, bytes }) => [cycle, time, ...bytes.map((one) => [...one])]),
          expected.slice(-samples),
        )
      },
    ),
  )
})

test('samples keep their distance in time, also when the clock is set back', () => {
  const trace = new TraceBuffer({ ranges: [], samples: 9, everyCycles: 1, everyMs: 10 })
  for (const [i, time] of [100, 104, 110, 110, 119, 125, 50, 55, 60, 60].entries())
    trace.endOfCycle(new Uint8Array(0), i, time)
  assert.deepEqual(
    trace.samples().map(({ time }) => time),
    [100, 110, 125, 50, 60],
  )
})
