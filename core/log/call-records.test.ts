import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewRecord } from '../../store/index.ts'
import { CallRecords } from './call-records.ts'

test('equal queries of a second become two records; others, and those with an id of their own, one each', () => {
  const records: NewRecord[] = []
  const served = new CallRecords({ appendLazy: (record) => records.push(record) })
  for (let i = 0; i < 100; i++) served.served('anna', 'jobs.get', { jobId: 'J1' }, undefined, `c-${i}`, false)
  served.served('ben', 'jobs.get', { jobId: 'J1' }, undefined, 'c', false)
  served.served('anna', 'jobs.get', { jobId: 'J2' }, undefined, 'c', false)
  served.served('anna', 'jobs.get', { jobId: 'J1' }, 'not_found', 'c', false)
  served.served('anna', 'jobs.get', { jobId: 'J1' }, undefined, 'mine', true)
  served.served('anna', 'x.y', { text: 'x'.repeat(5000) }, undefined, 'c', false)
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

test('refused calls: once for each error, equal ones together, a scan of paths in a limited number', () => {
  const records: NewRecord[] = []
  const calls = new CallRecords({ appendLazy: (record) => records.push(record) })
  const error = new Error('refused')
  calls.refused(error, 'anna', { operation: 'tags.add', code: 'invalid_input' }, 'c')
  calls.refused(error, 'anna', { request: 'POST /api/x', code: 'invalid_input' }, 'c')
  const recorded = new Error('a query that failed')
  calls.noteRecorded(recorded)
  calls.refused(recorded, 'anna', { code: 'not_found' }, 'c')
  for (let i = 0; i < 5; i++) calls.refused(new Error(), undefined, { address: '10.0.0.1', code: 'unauthorized' }, 'c')
  for (let i = 0; i < 100; i++)
    calls.refused(new Error(), 'ben', { request: `GET /api/${i}${'x'.repeat(500)}`, code: 'route_not_found' }, 'c')
  calls.flush()
  const dataOf = (n: number) => records.at(n)!.data
  assert.deepEqual(dataOf(0), { operation: 'tags.add', code: 'invalid_input' })
  assert.deepEqual(dataOf(1), { address: '10.0.0.1', code: 'unauthorized' })
  assert.equal((dataOf(2) as { request: string }).request.length, 200)
  assert.deepEqual(dataOf(-2), { address: '10.0.0.1', code: 'unauthorized', repeated: 4 })
  assert.deepEqual(dataOf(-1), { code: 'too_many_to_record', repeated: 52 })
  assert.equal(records.length, 52)
})
