// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashRounds } from '../scripts/crash-rounds.ts'

/** `CRASH_ROUNDS` sets the number: a hundred show what a change of the log or of recovery breaks seldom. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 6)

test(`SIGKILL at random moments under load, ${rounds} rounds: nothing acknowledged is missing, nothing half-applied`, async () => {
  const report = await crashRounds(rounds, 42)
  assert.deepEqual(report.faults, [])
  assert(report.acknowledged > 0, 'the load did nothing')
})
