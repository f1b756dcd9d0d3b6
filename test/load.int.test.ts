// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRounds } from '../scripts/load-rounds.ts'

/** A few seconds; `LOAD_SECONDS=600` is the long form, which the script of the same name runs too. */
const seconds = Number(process.env.LOAD_SECONDS ?? 6)

test(`64 clients for ${seconds} s: nothing fails, nothing is lost, and who does not read harms nobody`, async (t) => {
  const { faults, cycles, requests, events, p50, p99, memory, handles } = await loadRounds(seconds)
  t.diagnostic(
    `${requests} calls, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${events} events, memory ${memory.join(' ')} MB, handles ${handles.join(' ')}`,
  )
  t.diagnostic(cycles.map(({ done, due }) => `${done} of ${due.toFixed(0)} cycles`).join(', '))
  assert.deepEqual(faults, [])
  for (const { done } of cycles) assert.ok(done > 0, 'a controller stands still')
})
