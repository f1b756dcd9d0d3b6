import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Op } from './database.ts'
import type { StoreError } from './errors.ts'
import { type Write, WriteLane } from './write-lane.ts'

/** Turns of the event loop after which everything that waited for a turn has had one. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await setImmediate()
}

/** A target whose batches end when the test decides. */
class SlowTarget {
  readonly started: string[] = []
  readonly #ends: { resolve: () => void; reject: (error: Error) => void }[] = []

  batch(ops: Op[], _sync: boolean): Promise<void> {
    this.started.push(ops.map(({ key }) => key.toString()).join('+'))
    return new Promise((resolve, reject) => this.#ends.push({ resolve, reject }))
  }

  async end(error?: Error): Promise<void> {
    const end = this.#ends.shift()
    if (error === undefined) end?.resolve()
    else end?.reject(error)
    await turns()
  }
}

function op(name: string): Op {
  return { type: 'del', key: Buffer.from(name) }
}

/** A source of commits that gives each of `names` once. */
function commits(names: string[], told: string[]): () => Write | undefined {
  return () => {
    const name = names.shift()
    if (name === undefined) return undefined
    return {
      ops: [op(name)],
      sync: true,
      done: (error) => told.push(error === undefined ? name : `${name}: ${error.code}`),
    }
  }
}

test('one batch at a time; commits and other writes alternate', async () => {
  const target = new SlowTarget()
  const lane = new WriteLane(target)
  const told: string[] = []
  lane.commitsFrom(commits(['c1', 'c2', 'c3'], told))
  lane.request()
  const others = ['w1', 'w2'].map((name) => lane.write([op(name)]))
  await turns()
  for (let i = 0; i < 5; i++) {
    assert.equal(target.started.length, i + 1)
    await target.end()
  }
  assert.deepEqual(target.started, ['c1', 'w1', 'c2', 'w2', 'c3'])
  assert.deepEqual(told, ['c1', 'c2', 'c3'])
  await Promise.all(others)
  await lane.idle()
})

test('what is asked for in one turn shares a batch, and what is asked for meanwhile the next', async () => {
  const target = new SlowTarget()
  const lane = new WriteLane(target)
  const packed: number[] = []
  let records = 0
  lane.commitsFrom(() => {
    if (records === 0) return undefined
    packed.push(records)
    records = 0
    return { ops: [op('c')], sync: true, done: () => {} }
  })
  const ask = (): void => {
    records++
    lane.request()
  }
  ask()
  ask()
  await turns()
  assert.deepEqual(packed, [2])
  for (let turn = 0; turn < 3; turn++) {
    ask()
    await setImmediate()
  }
  assert.deepEqual(packed, [2], 'one batch at a time')
  await target.end()
  assert.deepEqual(packed, [2, 3])
})

test('after the first failure nothing is written: everyone is told once, the listener first', async () => {
  const target = new SlowTarget()
  const lane = new WriteLane(target)
  const told: string[] = []
  lane.onFailure = (error) => told.push(`failure: ${error.code} ${error.message}`)
  lane.commitsFrom(commits(['c1', 'c2'], told))
  lane.request()
  const other = lane.write([op('w1')])
  const refused = assert.rejects(other, (error: StoreError) => error.code === 'store_unavailable')
  await turns()
  await target.end(
    Object.assign(new Error('IO error: x/000003.log: No space left on device'), { code: 'LEVEL_IO_ERROR' }),
  )
  await refused
  assert.deepEqual(told, [
    'failure: store_unavailable write: IO error: x/000003.log: No space left on device',
    'c1: store_unavailable',
  ])
  await assert.rejects(lane.write([op('w2')]))
  lane.request()
  await turns()
  assert.deepEqual(target.started, ['c1'])
  await lane.idle()
})
