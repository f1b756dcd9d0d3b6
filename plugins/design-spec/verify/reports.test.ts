/** Which reports of verifications are kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportReductions, verificationReported } from './reports.ts'

test('the newest 50 reports are kept, the newest last', () => {
  const kept = new Map<string, { id: string }>()
  const { event, reduce } = reportReductions[0]!
  assert.equal(event, verificationReported)
  const report = (id: string) => reduce((() => kept) as never, { id } as never, { time: 1 } as never)
  for (let i = 1; i <= 50; i++) report(`J${i}`)
  assert.deepEqual([kept.size, [...kept.keys()][0]], [50, 'J1'])
  report('J51')
  report('J52')
  assert.deepEqual([kept.size, [...kept.keys()][0], [...kept.keys()].at(-1)], [50, 'J3', 'J52'])
})
