import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { batchOf, logOf } from '../fixtures/leveldb-log.ts'
import { type DamagedFile, salvage } from './salvage.ts'

/** What is salvaged of a database that has only `.log` files, and which files are damaged. */
async function salvaged(t: TestContext, files: Readonly<Record<string, Buffer>>) {
  const dir = await temporaryFolder(t, 'gantry-salvage-')
  await mkdir(join(dir, 'db'))
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, 'db', name), bytes)
  const damaged: DamagedFile[] = []
  const entries: string[] = []
  for await (const { key, value, write } of salvage(join(dir, 'db'), (one) => damaged.push(one)))
    entries.push(`${write} ${key} ${value ?? '-'}`)
  // Without CURRENT it is no database; that is told too.
  return { entries, damaged: damaged.filter(({ file }) => file.endsWith('.log')) }
}

const good = (n: number) => batchOf(n, [[`key${n}`, `value${n}`]])

test('all writes of batches, with their numbers; a removed key has no value', async (t) => {
  const log = logOf([
    batchOf(7, [
      ['a', '1'],
      ['b', undefined],
      ['c', ''],
    ]),
    batchOf(2 ** 40, [['a', '2']]),
  ])
  const entries = ['7 a 1', '8 b -', '9 c ', `${2 ** 40} a 2`]
  assert.deepEqual(await salvaged(t, { '000003.log': log }), { entries, damaged: [] })
})

test('of a damaged file the first damage is told, and what is whole is saved', async (t) => {
  const log = logOf([good(1), good(2), good(3), good(4), good(5)])
  const size = log.length / 5
  for (const at of [1, 3]) log[at * size + 12]! ^= 1
  assert.deepEqual(await salvaged(t, { '000003.log': log, '000004.log': logOf([good(6)]) }), {
    entries: [1, 3, 5, 6].map((n) => `${n} key${n} value${n}`),
    damaged: [{ file: '000003.log', detail: `the record at byte ${size} does not match its checksum` }],
  })
})

test('a batch that is not what it says is left out as a whole', async (t) => {
  const wrong: [Buffer, string][] = [
    [Buffer.alloc(11), 'a batch is too short'],
    [Buffer.concat([good(2), Buffer.of(0, 1, 65)]), 'a batch has not the number of writes that it says'],
    [Buffer.concat([good(2), Buffer.of(2, 1, 65)]), 'a write of unknown kind'],
    [good(2).subarray(0, -1), '6 bytes are announced, 5 are there'],
  ]
  for (const [batch, detail] of wrong)
    assert.deepEqual(await salvaged(t, { '000003.log': logOf([good(1), batch, good(3)]) }), {
      entries: ['1 key1 value1', '3 key3 value3'],
      damaged: [{ file: '000003.log', detail }],
    })
})
