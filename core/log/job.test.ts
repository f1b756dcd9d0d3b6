/** A job as it is read from the log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogRecord, type Store, StoreError, type StoreErrorCode } from '../../store/index.ts'
import { makeJobId, readJob } from './job.ts'

const jobId = makeJobId(1, 'run')

/** A store with one job, whose input and result are blobs. */
function storeWith(blobs: Readonly<Record<string, string | StoreErrorCode>>): Store {
  const one = { jobId, actor: 'anna', correlationId: undefined, entity: undefined }
  const records: LogRecord[] = [
    {
      ...one,
      ...{ seq: 1, time: 1000, type: 'job.accepted' },
      data: { command: 'blocks.import', access: 'admin', inputBlob: 'in' },
    },
    { ...one, seq: 2, time: 3000, type: 'job.completed', data: { startedAt: 2000, resultBlob: 'out' } },
  ]
  const get = async (hash: string) => {
    const held = blobs[hash] ?? 'blob_missing'
    if (held.startsWith('{')) return Buffer.from(held)
    throw new StoreError(held as StoreErrorCode, `${hash}: ${held}`)
  }
  return { log: { durableSeq: 2, commitOf: async () => records }, index: {}, blobs: { get } } as unknown as Store
}

test('a job is told without the input and result that are there no more, which it names', async () => {
  const told = {
    ...{ jobId, command: 'blocks.import', status: 'Completed', progress: 100, actor: 'anna', durationMs: 1000 },
    createdAt: '1970-01-01T00:00:01.000Z',
    startedAt: '1970-01-01T00:00:02.000Z',
    completedAt: '1970-01-01T00:00:03.000Z',
  }
  const input = { content: 'FUNCTION' }
  const result = { imported: 1 }
  const [inText, outText] = [JSON.stringify(input), JSON.stringify(result)]
  assert.deepEqual(await readJob(storeWith({ in: inText, out: outText }), jobId), { ...told, input, result })
  assert.deepEqual(await readJob(storeWith({ in: inText }), jobId), {
    ...{ ...told, input, result: undefined },
    lost: ['result'],
  })
  assert.deepEqual(await readJob(storeWith({ out: 'blob_corrupt' }), jobId), {
    ...{ ...told, input: undefined, result: undefined },
    lost: ['input', 'result'],
  })
  await assert.rejects(readJob(storeWith({ in: inText, out: 'store_unavailable' }), jobId), {
    code: 'store_unavailable',
  })
})
