/** Tables of a real database, damaged in every way; the MANIFEST read as LevelDB does. */
import assert from 'node:assert/strict'
import { copyFile, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32c } from '@node-rs/crc32'
import type { ClassicLevel } from 'classic-level'
import { damagedTables } from './check-tables.ts'
import { databaseFiles, fill, flipByte, tamper, tempDir } from './fixtures/stores.ts'
import { openStore, type StoreError } from './index.ts'
import { liveTables } from './live-tables.ts'

/** A closed database of a few tables. */
async function written(t: TestContext): Promise<string> {
  const dir = await tempDir(t)
  for (let part = 0; part < 3; part++) {
    const store = await openStore({ dir })
    await fill(store, 400, 200)
    await store.close()
  }
  return join(dir, 'db')
}

async function all(path: string, limitBytes?: number): Promise<StoreError[]> {
  const found: StoreError[] = []
  for await (const error of damagedTables(path, limitBytes === undefined ? {} : { limitBytes })) found.push(error)
  return found
}

test('the tables of the MANIFEST are those that LevelDB names', async (t) => {
  const path = await written(t)
  const tables = await liveTables(path)
  let named = ''
  await tamper(join(path, '..'), async (level) => {
    named = (level as unknown as ClassicLevel).getProperty('leveldb.sstables')
  })
  for (const { number, bytes } of tables) assert.match(named, new RegExp(` ${number}:${bytes}\\[`))
  assert.equal(tables.length, [...named.matchAll(/^ \d+:/gm)].length)
  assert.ok(tables.length >= 3, `${tables.length} tables`)
})

test('every flipped byte is found', async (t) => {
  const path = await written(t)
  assert.deepEqual(await all(path), [])
  const files = await databaseFiles(join(path, '..'), /\.ldb$/)
  for (const file of files) {
    const { size } = await stat(file)
    // Every part of the end, which is short, and of the rest a prime number of bytes apart.
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
  const path = await written(t)
  const [first = '', second = ''] = await databaseFiles(join(path, '..'), /\.ldb$/)
  await copyFile(first, join(path, '999999.ldb'))
  await truncate(join(path, '999999.ldb'), 1000)
  await rename(first, `${first}.aside`)
  assert.deepEqual(await all(path), [])
  const { size } = await stat(second)
  await truncate(second, size - 1)
  assert.match((await all(path))[0]?.message ?? '', new RegExp(`it has ${size - 1} bytes, ${size} were written`))
})

test('with a limit the newest tables are checked', async (t) => {
  const path = await written(t)
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

test('a MANIFEST longer than a block is read, up to the record that is being written; damage is left to LevelDB', async (t) => {
  const path = await written(t)
  const current = join(path, (await readFile(join(path, 'CURRENT'), 'latin1')).trimEnd())
  const before = await liveTables(path)
  // New tables that are deleted again, with keys of many lengths: the records end anywhere in a block.
  const edits = Array.from({ length: 600 }, (_one, i) => {
    const key = Buffer.alloc(8 + (i % 120), 1)
    const bytes = [7, 1, ...varint(100_000 + i), ...varint(3_000_000), key.length, ...key, key.length, ...key]
    return Buffer.from(i % 100 === 99 ? bytes : [...bytes, 6, 1, ...varint(100_000 + i)])
  })
  const whole = appended(await readFile(current), edits)
  assert.ok(whole.length > 2 * 32_768)
  await writeFile(current, whole)
  const kept = [100_099, 100_199, 100_299, 100_399, 100_499, 100_599]
  const numbers = async () => (await liveTables(path)).map(({ number }) => number).sort((a, b) => a - b)
  assert.deepEqual(
    await numbers(),
    [...before.map(({ number }) => number), ...kept].sort((a, b) => a - b),
  )
  assert.deepEqual(
    (await liveTables(path)).find(({ number }) => number === 100_099),
    { number: 100_099, bytes: 3_000_000, smallest: Buffer.alloc(99, 1), largest: Buffer.alloc(99, 1) },
  )
  await writeFile(current, whole.subarray(0, -3))
  assert.deepEqual(
    await numbers(),
    [...before.map(({ number }) => number), ...kept.slice(0, -1)].sort((a, b) => a - b),
  )
  await flipByte(current, 30)
  assert.deepEqual(await numbers(), [])
})

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))]
}

/** A log file with further records (doc/log_format.md). */
function appended(log: Buffer, records: readonly Buffer[]): Buffer {
  const out = [log]
  let at = log.length
  const add = (bytes: Buffer): void => {
    out.push(bytes)
    at += bytes.length
  }
  for (const record of records) {
    let rest = record
    let isFirst = true
    do {
      const left = 32_768 - (at % 32_768)
      if (left < 7) {
        add(Buffer.alloc(left))
        continue
      }
      const part = rest.subarray(0, left - 7)
      rest = rest.subarray(part.length)
      const typed = Buffer.concat([Buffer.of(rest.length === 0 ? (isFirst ? 1 : 4) : isFirst ? 2 : 3), part])
      const crc = crc32c(typed)
      const header = Buffer.alloc(6)
      header.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0)
      header.writeUInt16LE(part.length, 4)
      add(Buffer.concat([header, typed]))
      isFirst = false
    } while (rest.length > 0 || isFirst)
  }
  return Buffer.concat(out)
}
