/** The files that LevelDB reads are found as LevelDB finds them, and damage of the MANIFEST destroys nothing more. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ClassicLevel } from 'classic-level'
import { until } from '../../test/until.ts'
import {
  closedDatabase,
  crashCopy,
  databaseFiles,
  flipByte,
  refused,
  tamper,
  tempDir,
  terms,
} from '../fixtures/stores.ts'
import { openStore, recoverStore } from '../index.ts'
import { maskedChecksum } from './bytes.ts'
import { crc32c } from './crc32c.ts'
import { fileName } from './file-names.ts'
import { readManifest } from './manifest.ts'

/** The state after a crash of a store that has written out its memory twice: each time the MANIFEST has grown. */
async function crashed(t: TestContext): Promise<string> {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  for (let i = 0; i < 9_000; i += 100) {
    const group = Array.from({ length: 100 }, (_one, n) => ({ type: 'more', data: `${i + n}`.padEnd(1000) }))
    await store.log.durable(store.log.append(group).lastSeq)
  }
  await store.log.durable(store.log.append([{ type: 'last', data: null }]).lastSeq)
  // LevelDB deletes the log file of written memory some time later; a copy made while files disappear would not be a
  // valid state.
  const logs = async () => (await readdir(join(dir, 'db'))).filter((name) => name.endsWith('.log')).length
  await until(async () => (await logs()) === 1, 'one log file is left')
  const copy = await crashCopy(t, dir)
  await store.close()
  return copy
}

test('the tables of the MANIFEST are those that LevelDB names', async (t) => {
  const path = await closedDatabase(t)
  const { tables, log } = await readManifest(path)
  assert.ok((await readdir(path)).includes(fileName(log, 'log')))
  let named = ''
  await tamper(join(path, '..'), async (level) => {
    named = (level as unknown as ClassicLevel).getProperty('leveldb.sstables')
  })
  for (const { number, bytes } of tables) assert.match(named, new RegExp(` ${number}:${bytes}\\[`))
  assert.equal(tables.length, [...named.matchAll(/^ \d+:/gm)].length)
  assert.ok(tables.length >= 3, `${tables.length} tables`)
})

test('a MANIFEST longer than a block is read, up to the record that is being written', async (t) => {
  const path = await closedDatabase(t)
  const current = join(path, (await readFile(join(path, 'CURRENT'), 'latin1')).trimEnd())
  const before = (await readManifest(path)).tables
  // New tables that are deleted again, with keys of many lengths, so that records end anywhere in a block.
  const edits = Array.from({ length: 600 }, (_one, i) => {
    const key = Buffer.alloc(8 + (i % 120), 1)
    const bytes = [7, 1, ...varint(100_000 + i), ...varint(3_000_000), key.length, ...key, key.length, ...key]
    return Buffer.from(i % 100 === 99 ? bytes : [...bytes, 6, 1, ...varint(100_000 + i)])
  })
  const whole = appended(await readFile(current), edits)
  assert.ok(whole.length > 2 * 32_768)
  await writeFile(current, whole)
  const kept = [100_099, 100_199, 100_299, 100_399, 100_499, 100_599]
  const numbers = async () => (await readManifest(path)).tables.map(({ number }) => number).sort((a, b) => a - b)
  assert.deepEqual(
    await numbers(),
    [...before.map(({ number }) => number), ...kept].sort((a, b) => a - b),
  )
  assert.deepEqual(
    (await readManifest(path)).tables.find(({ number }) => number === 100_099),
    { number: 100_099, bytes: 3_000_000, smallest: Buffer.alloc(99, 1), largest: Buffer.alloc(99, 1) },
  )
  await writeFile(current, whole.subarray(0, -3))
  assert.deepEqual(
    await numbers(),
    [...before.map(({ number }) => number), ...kept.slice(0, -1)].sort((a, b) => a - b),
  )
  await flipByte(current, 30)
  await assert.rejects(readManifest(path), /MANIFEST-\d+ is damaged .the record at byte 0 does not match its checksum/)
})

test('a flipped byte in CURRENT or the MANIFEST is refused, names the file, and costs no other', async (t) => {
  const dir = await crashed(t)
  const [manifest = ''] = await databaseFiles(dir, /^MANIFEST/)
  const bytes = await readFile(manifest)
  assert.ok(bytes.length > 150, `${bytes.length} bytes`)
  const before = (await readdir(join(dir, 'db'))).sort()
  const current = join(dir, 'db', 'CURRENT')
  for (const file of [manifest, current])
    for (let position = 0; position < (await readFile(file)).length; position++) {
      await flipByte(file, position)
      const error = await refused(dir, 'store_corrupt')
      assert.equal(error.place.file, basename(file), `byte ${position}`)
      await flipByte(file, position)
    }
  assert.deepEqual((await readdir(join(dir, 'db'))).sort(), before)
  assert.deepEqual(await readFile(manifest), bytes)
})

test('a MANIFEST that is cut off anywhere is refused before a table is taken for an old one', async (t) => {
  const dir = await crashed(t)
  const [manifest = ''] = await databaseFiles(dir, /^MANIFEST/)
  const bytes = await readFile(manifest)
  const before = (await readdir(join(dir, 'db'))).sort()
  for (let length = 0; length < bytes.length; length += 3) {
    await truncate(manifest, length)
    const error = await refused(dir, 'store_corrupt')
    assert.equal(error.place.file, basename(manifest), error.message)
    assert.deepEqual((await readdir(join(dir, 'db'))).sort(), before, `${length} bytes`)
    await writeFile(manifest, bytes)
  }
})

test('a .log file that is gone is a lost end, accepted only explicitly', async (t) => {
  const dir = await crashed(t)
  const [log = ''] = await databaseFiles(dir, /\.log$/)
  await rm(log)
  const error = await refused(dir, 'store_truncated')
  assert.equal(error.place.file, basename(log))
  const { lost } = await recoverStore(dir, { write: true })
  assert.deepEqual([lost.length, lost[0]?.last], [1, 9_001])
  const store = await openStore({ dir, terms })
  assert.deepEqual((await store.log.verify()).faults, [])
  await store.close()
})

test('a CURRENT that cannot be read is no damage; one that goes while the store is open is in the report', async (t) => {
  const dir = join(await closedDatabase(t), '..')
  const store = await openStore({ dir, terms })
  const current = join(dir, 'db', 'CURRENT')
  await rename(current, `${current}.aside`)
  const { faults } = await store.log.verify()
  assert.deepEqual(
    faults.map(({ kind, detail }) => [kind, /CURRENT is missing/.test(detail)]),
    [['file-damaged', true]],
  )
  await store.close()
  await mkdir(current)
  assert.match((await refused(dir, 'store_unavailable')).message, /EISDIR/)
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
      const header = Buffer.alloc(6)
      header.writeUInt32LE(maskedChecksum(crc32c(typed)))
      header.writeUInt16LE(part.length, 4)
      add(Buffer.concat([header, typed]))
      isFirst = false
    } while (rest.length > 0 || isFirst)
  }
  return Buffer.concat(out)
}
