/** What watch tables modify with triggers, with a controller that only writes down what it is given. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventEmitter } from 'eventemitter3'
import type { Controller, Modification } from '../../simulation/index.ts'
import { type ModifyJob, modifying, startModifying, stopModifying } from './modify-jobs.ts'

function fakeController(state = 'Run') {
  const fake = {
    events: new EventEmitter(),
    state,
    statistics: { begunCycles: 0, cycles: 0 },
    fault: undefined as Error | undefined,
    given: [] as string[],
    async setModifications(all: readonly Modification[]) {
      if (fake.fault) throw fake.fault
      fake.given.push(all.map(({ key }) => key).join(' '))
      return { ...fake.statistics }
    },
    to(next: string) {
      const before = fake.state
      fake.state = next
      fake.events.emit('state', next, before)
    },
  }
  return { fake, controller: fake as unknown as Controller }
}

const job = (name: string, at: Modification['at'], once: boolean): ModifyJob =>
  ({ row: { operand: name }, at, once, modifications: [{ key: name }] }) as unknown as ModifyJob
const statesOf = (controller: Controller, table: string) =>
  modifying(controller, table).map(({ job: { row }, state }) => `${row.operand} ${state}`)
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('jobs of several tables are given together; what is written once is done when a cycle has begun after it', async () => {
  const { fake, controller } = fakeController()
  const end = new AbortController()
  assert.deepEqual(modifying(controller, 'A'), [])
  await stopModifying(controller, 'A')
  await startModifying(controller, 'A', [job('a1', 'start', true), job('a2', 'end', false)], end.signal)
  await startModifying(controller, 'B', [job('b1', 'stop', true)], end.signal)
  assert.deepEqual(fake.given, ['a1 a2', 'a1 a2 b1'])
  assert.deepEqual(statesOf(controller, 'A'), ['a1 waiting', 'a2 active'])
  fake.statistics.begunCycles = 1
  assert.deepEqual(statesOf(controller, 'A'), ['a1 done', 'a2 active'])
  fake.statistics.cycles = 1
  assert.deepEqual(statesOf(controller, 'A'), ['a1 done', 'a2 active'])
  // What a table modified before is replaced; what is done is not given again.
  await startModifying(controller, 'B', [job('b2', 'start', false)], end.signal)
  assert.equal(fake.given.at(-1), 'a2 b2')
  await stopModifying(controller, 'A')
  await stopModifying(controller, 'A')
  assert.deepEqual([fake.given.length, fake.given.at(-1), statesOf(controller, 'A')], [4, 'b2', []])
})

test('a controller that refuses keeps the jobs of before', async () => {
  const { fake, controller } = fakeController()
  const end = new AbortController()
  fake.fault = new Error('it is off')
  await assert.rejects(startModifying(controller, 'A', [job('a1', 'end', false)], end.signal), /it is off/)
  assert.deepEqual(statesOf(controller, 'A'), [])
  fake.fault = undefined
  await startModifying(controller, 'A', [job('a1', 'end', false)], end.signal)
  fake.fault = new Error('it is off')
  await assert.rejects(startModifying(controller, 'A', [job('a2', 'end', false)], end.signal), /it is off/)
  await assert.rejects(stopModifying(controller, 'A'), /it is off/)
  assert.deepEqual(statesOf(controller, 'A'), ['a1 active'])
})

test('transitions: what waits for RUN waits on in STOP, and is not written again after a RUN', async () => {
  const { fake, controller } = fakeController('Stop')
  const end = new AbortController()
  fake.statistics = { begunCycles: 8, cycles: 7 }
  const jobs = [job('start', 'start', true), job('stop', 'stop', true), job('each', 'stop', false)]
  await startModifying(controller, 'A', jobs, end.signal)
  // Cycles are counted from the start of RUN.
  fake.to('Startup')
  fake.statistics = { begunCycles: 0, cycles: 0 }
  assert.deepEqual(statesOf(controller, 'A'), ['start waiting', 'stop waiting', 'each active'])
  // STARTUP that fails is no RUN.
  fake.to('Stop')
  await settled()
  assert.deepEqual(statesOf(controller, 'A'), ['start waiting', 'stop done', 'each active'])
  assert.equal(fake.given.at(-1), 'start each')
  fake.to('Startup')
  fake.to('Run')
  assert.deepEqual(statesOf(controller, 'A'), ['start waiting', 'stop done', 'each active'])
  // A RUN that ends before a cycle has begun has written nothing.
  fake.to('Stop')
  await settled()
  assert.deepEqual(statesOf(controller, 'A'), ['start waiting', 'stop done', 'each active'])
  assert.equal(fake.given.at(-1), 'start each')
  // A cycle that is broken off has written what belongs to its start.
  await startModifying(controller, 'B', [job('end', 'end', true)], end.signal)
  fake.to('Startup')
  fake.to('Run')
  fake.statistics.begunCycles = 1
  fake.to('Stop')
  await settled()
  assert.deepEqual(statesOf(controller, 'A'), ['start done', 'stop done', 'each active'])
  assert.deepEqual(statesOf(controller, 'B'), ['end waiting'])
  assert.equal(fake.given.at(-1), 'each end')
  for (const state of ['Hold', 'Freeze', 'Run']) {
    // In HOLD a cycle has begun already.
    const { fake: other, controller: held } = fakeController(state)
    other.statistics.begunCycles = 1
    await startModifying(held, 'A', [job('start', 'start', true)], end.signal)
    other.to('Stop')
    assert.deepEqual(statesOf(held, 'A'), ['start waiting'], state)
    // The answer of the controller comes after its STOP.
    const { fake: late, controller: hasty } = fakeController(state)
    const given = startModifying(hasty, 'A', [job('start', 'start', true)], end.signal)
    await Promise.resolve()
    late.to('Stop')
    await given
    assert.deepEqual(statesOf(hasty, 'A'), ['start done'], state)
  }
  const { fake: booted, controller: off } = fakeController('Stop')
  await startModifying(off, 'A', [job('stop', 'stop', true)], end.signal)
  booted.to('Booting')
  booted.to('Stop')
  assert.deepEqual(statesOf(off, 'A'), ['stop waiting'])
})

test('all ends with the connection, and with another program', async () => {
  const { fake, controller } = fakeController()
  const [end, other] = [new AbortController(), new AbortController()]
  await startModifying(controller, 'A', [job('a', 'end', false)], end.signal)
  await startModifying(controller, 'B', [job('b', 'end', false)], end.signal)
  await startModifying(controller, 'C', [job('c', 'end', false)], other.signal)
  end.abort()
  await settled()
  await settled()
  assert.deepEqual(
    ['A', 'B', 'C'].map((table) => statesOf(controller, table).length),
    [0, 0, 1],
  )
  assert.equal(fake.given.at(-1), 'c')
  fake.events.emit('program', undefined)
  assert.deepEqual(statesOf(controller, 'C'), [])
})
