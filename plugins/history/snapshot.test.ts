import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oldestAutomatic, type Snapshot } from './snapshot.ts'

const many = (count: number, kind: Snapshot['kind'], name: string) =>
  Array.from({ length: count }, (_, i) => [`${name}${i}`, { id: `${name}${i}`, kind } as Snapshot] as const)

test('beyond the limit the oldest automatic snapshots go, with a hundredth more; manual ones stay', () => {
  const manual = many(300, 'manual', 'm')
  assert.deepEqual(oldestAutomatic(new Map([...manual, ...many(200, 'automatic', 'a')]), 200), [])
  const ids = oldestAutomatic(
    new Map([...many(2, 'automatic', 'first'), ...manual, ...many(199, 'automatic', 'a')]),
    200,
  )
  assert.deepEqual(ids, ['first0', 'first1', 'a0'])
})
