/** Behind lost records what can be folded is folded, and what cannot is named; anywhere else it is an error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../../store/index.ts'
import { emptyState } from '../audit/audit.ts'
import { collection, domainEvent, on } from '../plugin-api.ts'
import { RecordFold } from '../state/checkpoint.ts'

interface Tank {
  readonly level: number
}
const tanks = collection<Tank>('plant.tanks')
const built = domainEvent<{ name: string }>('plant.built', 'A tank was built')
const filled = domainEvent<{ name: string; by: number }>('plant.filled', 'A tank was filled')
const emptied = domainEvent<{ name: string }>('plant.emptied', 'A tank was emptied')

const plant = {
  name: 'plant',
  slice: {
    version: 1,
    collections: [tanks],
    reductions: [
      on(built, (write, { name }) => write(tanks).set(name, { level: 0 })),
      on(filled, (write, { name, by }) =>
        write(tanks).update(name, (draft) => {
          draft.level += by
        }),
      ),
      on(emptied, (write, { name }) => write(tanks).set(name, { level: write(tanks).get(name)!.level - 1 })),
    ],
  },
}

function record(seq: number, type: string, data: unknown): LogRecord {
  const name = (data as { name?: string }).name
  const entity = name && `tank/${name}`
  return { seq, time: seq, type, jobId: undefined, actor: undefined, correlationId: undefined, entity, data }
}

const records = [
  record(1, 'plant.built', { name: 'A' }),
  record(2, 'log.lost', { first: 2, last: 3, reason: 'x' }),
  record(3, 'log.lost', { first: 2, last: 3, reason: 'x' }),
  record(4, 'plant.filled', { name: 'A', by: 5 }),
  record(5, 'plant.filled', { name: 'B', by: 5 }),
  record(6, 'plant.emptied', { name: 'B' }),
  record(7, 'plant.built', { name: 'C' }),
  record(8, 'plant.filled', { name: 'C', by: 1 }),
]

test('events that change what is lost are named, the others are folded', () => {
  const state = emptyState([plant])
  const fold = new RecordFold(state)
  for (const each of records) fold.add(each)
  fold.end()
  assert.deepEqual(
    [...state.read(tanks).entries()],
    [
      ['A', { level: 5 }],
      ['C', { level: 1 }],
    ],
  )
  assert.deepEqual(
    fold.incomplete.map(({ seq, type, entity }) => [seq, type, entity]),
    [
      [5, 'plant.filled', 'tank/B'],
      [6, 'plant.emptied', 'tank/B'],
    ],
  )
  assert.equal(fold.incomplete[0]!.reason, 'plant.tanks/B is not there')
  assert.equal(fold.incompleteCount, 2)
})

test('without lost records an event that cannot be folded is an error', () => {
  const fold = new RecordFold(emptyState([plant]))
  assert.throws(() => fold.add(records[5]!), TypeError)
})
