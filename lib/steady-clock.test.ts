import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyClock } from './steady-clock.ts'

test('a clock that is set back or sleeps goes on', () => {
  let [wall, steps] = [1_000_000, 0]
  const now = steadyClock(
    () => wall,
    () => steps,
  )
  const after = (byWall: number, bySteps: number) => {
    wall += byWall
    steps += bySteps
    return now()
  }
  assert.equal(now(), 1_000_000)
  assert.equal(after(10, 10), 1_000_010)
  assert.equal(after(-3_600_000, 20), 1_000_030, 'set back')
  assert.equal(after(30, 30), 1_000_060)
  assert.equal(after(5000, 40), 1_005_060, 'slept, or set forwards')
  assert.equal(after(-1, 0), 1_005_060)
})
