/** What is kept of talks and waiting changes: the newest, each talk as long as its limit says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { State } from '../../core/state/state.ts'
import { approvals, assistantSlice, talks } from './state.ts'

function newState() {
  const state = new State()
  for (const one of assistantSlice.collections) state.register(one)
  for (const { event, reduce } of assistantSlice.reductions) state.reductions.on(event.type, reduce, 'assistant')
  const apply = (type: string, data: unknown) => state.fold(data, { type, time: 0, jobId: undefined, actor: undefined })
  return { state, apply }
}

test('100 talks and 100 waiting changes are kept, those of which nothing was heard for longest go', () => {
  const { state, apply } = newState()
  const turn = (projectKey: string, time: number, limit = 3) =>
    apply('assistant.turn-kept', { projectKey, entries: [{ time, content: `${projectKey} ${time}` }], limit })
  for (let i = 1; i <= 100; i++) turn(`P${i}`, 1000 - i)
  assert.equal(state.read(talks).size, 100)
  turn('New', 2000)
  assert.deepEqual([state.read(talks).size, state.read(talks).has('P100')], [100, false])
  // One that was used again is not the oldest any more.
  turn('P99', 3000)
  turn('Newer', 3001)
  assert.deepEqual([state.read(talks).has('P99'), state.read(talks).has('P98')], [true, false])
  for (const time of [3002, 3003, 3004]) turn('P99', time)
  assert.deepEqual(
    state
      .read(talks)
      .get('P99')!
      .entries.map((one) => one.time),
    [3002, 3003, 3004],
  )
  for (let i = 1; i <= 102; i++) apply('assistant.approval-asked', { approvalId: `A${i}`, askedAt: i })
  assert.deepEqual([...state.read(approvals).keys()].slice(0, 2), ['A3', 'A4'])
  apply('assistant.approval-decided', { approvalId: 'A3', approved: true })
  assert.equal(state.read(approvals).size, 99)
  apply('assistant.history-cleared', { projectKey: 'P99' })
  assert.equal(state.read(talks).size, 99)
  apply('assistant.history-cleared', {})
  assert.equal(state.read(talks).size, 0)
})

test('what is kept has a bound of characters: of a message, a talk and all talks', () => {
  const { state, apply } = newState()
  const turn = (projectKey: string, time: number, characters: number) =>
    apply('assistant.turn-kept', {
      projectKey,
      entries: [{ time, content: 'x'.repeat(characters) }],
      limit: 100,
    })
  const times = (key: string) =>
    state
      .read(talks)
      .get(key)
      ?.entries.map(({ time }) => time)
  turn('A', 1, 5_000_000)
  turn('A', 2, 2_000_000)
  // An older version kept messages of any length.
  turn('A', 3, 300_000_000)
  assert.deepEqual(times('A'), [1, 2])
  turn('A', 4, 3_000_000)
  assert.deepEqual(times('A'), [2, 4])
  for (let n = 1; n <= 6; n++) turn(`B${n}`, 10 + n, 6_000_000)
  assert.deepEqual([...state.read(talks).keys()], ['B2', 'B3', 'B4', 'B5', 'B6'])
})
