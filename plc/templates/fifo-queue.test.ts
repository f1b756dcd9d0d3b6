import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { fifoQueue } from './fifo-queue.ts'

function queueOf(parameters: Readonly<Record<string, unknown>>) {
  const queue = templateBench(fifoQueue, parameters)
  const press = (...inputs: string[]) => {
    queue.pulse(...inputs)
    const answer = queue.read('done', 'errorCode')
    queue.scan()
    return answer
  }
  const put = (item: number) => {
    queue.set({ item })
    return press('enqueue')
  }
  return { ...queue, press, put }
}

test('queue: order, full, empty, both at once, clear', () => {
  const queue = queueOf({ capacity: 3 })
  assert.equal(queue.after(10), 'STATE_EMPTY')
  assert.deepEqual(queue.press('dequeue'), [0, 1])
  const expected: number[] = []
  // Round the ring several times.
  for (let i = 1; i <= 20; i++) {
    assert.deepEqual(queue.put(i), [1, 0])
    expected.push(i)
    if (i % 2 === 0) {
      queue.press('dequeue')
      assert.equal(queue.get('dequeued'), expected.shift())
    }
    if (expected.length === 3) {
      queue.press('dequeue')
      assert.equal(queue.get('dequeued'), expected.shift())
    }
    assert.deepEqual(queue.read('count', 'front'), [expected.length, expected[0]])
    assert.equal(queue.state(), 'STATE_FILLED')
  }
  while (expected.length < 3) {
    queue.put(100 + expected.length)
    expected.push(100 + expected.length)
  }
  assert.equal(queue.state(), 'STATE_FULL')
  assert.deepEqual(queue.put(999), [0, 2])
  assert.equal(queue.get('front'), expected[0])
  // A full queue passes through; a held button counts once.
  queue.set({ item: 7 })
  assert.deepEqual(queue.press('enqueue', 'dequeue'), [1, 0])
  assert.deepEqual([queue.get('dequeued'), queue.get('count')], [expected[0], 3])
  queue.after(100, { dequeue: true })
  assert.equal(queue.get('count'), 2)
  queue.set({ dequeue: false })
  queue.scan()
  queue.press('clear', 'enqueue')
  assert.deepEqual([queue.state(), queue.get('empty')], ['STATE_EMPTY', 1])
  // What an older program has left.
  queue.after(10, { statFirst: 99, statCount: -4 })
  assert.equal(queue.state(), 'STATE_EMPTY')
  queue.assertEveryState()
})

test('queue that overwrites its oldest item, of one place', () => {
  const queue = queueOf({ capacity: 1, onFull: 'overwrite', element: 'Real', retentive: false })
  queue.put(1.5)
  assert.deepEqual(queue.put(2.5), [1, 2])
  assert.deepEqual(queue.read('front', 'count', 'state'), [2.5, 1, 2])
})

test('queue of records', () => {
  const queue = queueOf({ element: 'record' })
  queue.set({ 'item.id': 4711, 'item.value': 0.5 })
  queue.press('enqueue')
  queue.set({ 'item.id': 0 })
  queue.press('dequeue')
  assert.deepEqual(queue.read('dequeued.id', 'dequeued.value', 'empty'), [4711, 0.5, 1])
})
