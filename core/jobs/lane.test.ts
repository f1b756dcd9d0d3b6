import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lane } from './lane.ts'

/** A job that ends when its `end` is called. */
function held(ran: string[], name: string) {
  let end = () => {}
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const run = async () => {
    ran.push(name)
    start()
    await ended
  }
  return { run, end, started }
}

test('jobs run one after the other; one that waits can leave; a paused lane starts nothing more', async () => {
  const lane = new Lane()
  const ran: string[] = []
  const first = held(ran, 'first')
  const second = held(ran, 'second')
  lane.add(first.run)
  lane.add(second.run)
  const leave = lane.add(held(ran, 'left').run)
  lane.add(held(ran, 'waits').run)
  // Not at once: when the process was held up, the event loop gets its turn before.
  await first.started
  assert.deepEqual(ran, ['first'])
  assert.equal(lane.waiting, 3)
  leave()
  assert.equal(lane.waiting, 2)
  first.end()
  await second.started
  assert.deepEqual(ran, ['first', 'second'])
  lane.pause()
  second.end()
  await lane.idle()
  assert.deepEqual(ran, ['first', 'second'])
  assert.equal(lane.waiting, 1)
})

test('jobs that wait for nothing leave turns to the event loop', async () => {
  const lane = new Lane()
  const jobs = 50
  let ran = 0
  let turns = 0
  const turn = () => {
    turns++
    if (ran < jobs) setImmediate(turn)
  }
  setImmediate(turn)
  for (let i = 0; i < jobs; i++) {
    lane.add(async () => {
      const until = performance.now() + 1
      while (performance.now() < until);
      ran++
    })
  }
  while (ran < jobs) await lane.idle()
  assert(turns > 1, `${turns} turns`)
})
