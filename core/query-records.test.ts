import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewRecord } from '../store/index.ts'
import { QueryRecords } from './query-records.ts'

test('equal queries of a second become two records; others, and those with an id of their own, one each', () => {
  const records: NewRecord[] = []
  const served = new QueryRecords({ appendLazy: (record) => records.push(record) })
  for (let i = 0; i < 100; i++) served.add('anna', 'jobs.get', { jobId: 'J1' }, undefined, `c-${i}`, false)
  served.add('ben', 'jobs.get', { jobId: 'J1' }, undefined, 'c', false)
  served.add('anna', 'jobs.get', { jobId: 'J2' }, undefined, 'c', false)
  served.add('anna', 'jobs.get', { jobId: 'J1' }, 'not_found', 'c', false)
  served.add('anna', 'jobs.get', { jobId: 'J1' }, undefined, 'mine', true)
  served.add('anna', 'x.y', { text: 'x'.repeat(5000) }, undefined, 'c', false)
  served.flush()
  served.flush()
  assert.deepEqual(
    records.map(({ actor, correlationId, data }) => [actor, correlationId, (data as { repeated?: number }).repeated]),
    [
      ['anna', 'c-0', undefined],
      ['ben', 'c', undefined],
      ['anna', 'c', undefined],
      ['anna', 'c', undefined],
      ['anna', 'mine', undefined],
      ['anna', 'c', undefined],
      ['anna', undefined, 99],
    ],
  )
  assert.deepEqual(records[5]!.data, { operation: 'x.y', inputOmitted: true })
  assert.deepEqual(records[6]!.data, { operation: 'jobs.get', input: { jobId: 'J1' }, repeated: 99 })
})
