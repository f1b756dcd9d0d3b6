/** Tables of a real database, with damage in every place. */
import assert from 'node:assert/strict'
import { copyFile, mkdir, rename, rmdir, stat, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { closedDatabase, databaseFiles, flipByte } from '../fixtures/stores.ts'
import type { StoreError } from '../index.ts'
import { damagedTables } from './check-tables.ts'
import { readManifest } from './manifest.ts'

async function all(path: string, limitBytes?: number): Promise<StoreError[]> {
  const found: StoreError[] = []
  const { tables } = await readManifest(path)
  for await (const error of damagedTables(path, tables, limitBytes === undefined ? {} : { limitBytes }))
    found.push(error)
  return found
}

test('every flipped byte is found', async (t) => {
  const path = await closedDatabase(t)
  assert.deepEqual(await all(path), [])
  const files = await databaseFiles(join(path, '..'), /\.ldb$/)
  for (const file of files) {
    const { size } = await stat(file)
    // Every byte of the short end, and of the rest every n-th byte, for a prime n.
    const end = Array.from({ length: 48 }, (_one, i) => size - 1 - i)
    for (const position of [...end, ...Array.from({ length: Math.ceil(size / 997) }, (_one, i) => i * 997)]) {
      await flipByte(file, position)
      const found = await all(path)
      assert.deepEqual(
        found.map(({ code, place }) => [code, place.file]),
        [['store_corrupt', basename(file)]],
        `byte ${position} of ${size}`,
      )
      await flipByte(file, position)
    }
  }
  assert.deepEqual(await all(path), [])
})

test('a table that is too short is told, one that is gone and one that is not in use is not', async (t) => {
  const path = await closedDatabase(t)
  const [first = '', second = ''] = await databaseFiles(join(path, '..'), /\.ldb$/)
  await copyFile(first, join(path, '999999.ldb'))
  await truncate(join(path, '999999.ldb'), 1000)
  await rename(first, `${first}.aside`)
  assert.deepEqual(await all(path), [])
  const { size } = await stat(second)
  await rename(second, `${second}.aside`)
  await mkdir(second)
  assert.match((await all(path))[0]?.message ?? '', /is damaged .it cannot be read: EISDIR/)
  await rmdir(second)
  await rename(`${second}.aside`, second)
  await truncate(second, size - 1)
  assert.match((await all(path))[0]?.message ?? '', new RegExp(`it has ${size - 1} bytes, ${size} were written`))
})

test('with a limit the newest tables are checked', async (t) => {
  const path = await closedDatabase(t)
  const files = (await databaseFiles(join(path, '..'), /\.ldb$/)).sort()
  await flipByte(files[0] as string, 100)
  assert.deepEqual(await all(path, 1), [])
  await flipByte(files.at(-1) as string, 100)
  assert.deepEqual(
    (await all(path, 1)).map(({ place }) => place.file),
    [basename(files.at(-1) as string)],
  )
  assert.equal((await all(path)).length, 2)
})
