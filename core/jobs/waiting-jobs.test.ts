import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingJobs } from './waiting-jobs.ts'

test('jobs leave in the order in which they came, those that were removed not at all', async () => {
  const waiting = new WaitingJobs()
  const run = (name: string) => Object.assign(async () => name, { toString: () => name })
  const next = () => waiting.dequeue()?.toString()
  assert.equal(next(), undefined)
  for (const name of ['a', 'b', 'c', 'd']) waiting.enqueue(run(name), { id: name })
  assert.deepEqual([waiting.size, waiting.filter().map(String)], [4, ['a', 'b', 'c', 'd']])
  assert.equal(next(), 'a')
  assert.equal(waiting.remove('b'), true)
  assert.equal(waiting.remove('b'), false)
  assert.equal(waiting.remove('a'), false, 'it has left')
  assert.equal(next(), 'c')
  waiting.enqueue(run('e'), { id: 'e' })
  assert.deepEqual([next(), next(), next(), next(), waiting.size], ['d', 'e', undefined, undefined, 0])
  // It was empty, and is asked again.
  waiting.enqueue(run('f'), { id: 'f' })
  assert.deepEqual([next(), next()], ['f', undefined])
  assert.throws(() => waiting.setPriority('g'), new ReferenceError('The jobs of the lane have no priorities ("g").'))
})
