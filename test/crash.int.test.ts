import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashRounds } from '../scripts/crash-rounds.ts'

/** In CI 50 rounds (about two minutes); locally a few, so that the suite stays quick. `CRASH_ROUNDS` overrides both. */
const rounds = Number(process.env.CRASH_ROUNDS ?? (process.env.CI ? 50 : 5))

test(`SIGKILL at random moments under load, ${rounds} rounds: nothing acknowledged is missing, nothing half-applied`, async () => {
  const report = await crashRounds(rounds, 42)
  assert.deepEqual(report.faults, [])
  assert(report.acknowledged > 0, 'the load did nothing')
})
