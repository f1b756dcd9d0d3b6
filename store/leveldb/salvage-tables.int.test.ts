/** What is read of a table of a real database when a byte of it is another, or its end is missing. */
import assert from 'node:assert/strict'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ClassicLevel } from 'classic-level'
import { flipByte, tempDir } from '../fixtures/stores.ts'
import { salvage } from './salvage.ts'
import { blockAt, footerOf, handlesIn } from './table.ts'

const keys = 200
/** Every fourth value cannot be compressed: its block is stored as it is. */
const textOf = (n: number) => (n % 4 < 1 ? noise(n, 700) : `${n} `.repeat(80))

function noise(seed: number, length: number): string {
  let state = seed + 1
  const letters: string[] = []
  for (let i = 0; i < length; i++) {
    state = (state * 48271) % 2147483647
    letters.push(String.fromCharCode(33 + (state % 90)))
  }
  return letters.join('')
}

/** A database of one table; every seventh key was removed, every fifth written twice. */
async function tableOf(t: TestContext) {
  const path = join(await tempDir(t), 'db')
  const database = new ClassicLevel(path)
  await database.open()
  const name = (n: number) => `key${String(n).padStart(6, '0')}`
  for (let n = 0; n < keys; n++) await database.put(name(n), n % 5 === 0 ? 'first' : textOf(n))
  for (let n = 0; n < keys; n += 5) await database.put(name(n), textOf(n))
  for (let n = 0; n < keys; n += 7) await database.del(name(n))
  // Opening it again writes what is in memory to a table, with every version.
  await database.close()
  await database.open()
  await database.close()
  const tables = (await readdir(path)).filter((file) => file.endsWith('.ldb'))
  assert.equal(tables.length, 1, tables.join())
  return { path, table: join(path, tables[0] as string) }
}

async function salvaged(path: string): Promise<{ entries: string[]; damaged: string[] }> {
  const [entries, damaged]: [string[], string[]] = [[], []]
  for await (const { key, value, write } of salvage(path, ({ file }) => damaged.push(file)))
    entries.push(`${key} ${write} ${value ?? 'removed'}`)
  return { entries: entries.sort(), damaged }
}

test('every version of every entry is read', async (t) => {
  const { path } = await tableOf(t)
  const { entries, damaged } = await salvaged(path)
  assert.deepEqual(damaged, [])
  const newest = new Map<string, { write: number; value: string }>()
  for (const entry of entries) {
    const [key, write, value] = entry.split(/ (\d+) (.*)/) as [string, string, string]
    if (Number(write) > (newest.get(key)?.write ?? -1)) newest.set(key, { write: Number(write), value })
  }
  assert.equal(newest.size, keys)
  for (const [key, { value }] of newest) {
    const n = Number(key.slice(3))
    assert.equal(value, n % 7 === 0 ? 'removed' : textOf(n), key)
  }
})

test('a flipped byte costs the entries of its block, and none where only the list of blocks is damaged', async (t) => {
  const { path, table } = await tableOf(t)
  const whole = await salvaged(path)
  const bytes = await readFile(table)
  const { index } = footerOf(bytes)
  const blocks = handlesIn(blockAt(bytes, index))
  assert.ok(blocks.length > 8)
  const dataEnd = Math.max(...blocks.map((block) => block.at + block.bytes + 5))
  const places = [...blocks.flatMap(({ at, bytes: size }) => [at, at + size - 1, at + size, at + size + 4])]
  for (let at = index.at; at < bytes.length; at += 5) places.push(at)
  for (const at of places) {
    await flipByte(table, at)
    const { entries, damaged } = await salvaged(path)
    assert.equal(damaged.length, 1, `byte ${at}`)
    const left = new Set(whole.entries)
    for (const entry of entries) assert.ok(left.delete(entry), `byte ${at}: ${entry.slice(0, 40)} was never written`)
    if (at >= dataEnd) assert.equal(left.size, 0, `byte ${at} of ${bytes.length} is behind the data`)
    else assert.ok(left.size > 0 && left.size < whole.entries.length / 4, `byte ${at}: ${left.size} are lost`)
    await flipByte(table, at)
  }
  assert.deepEqual(await salvaged(path), whole)
})

test('of a table without its end the whole blocks are read', async (t) => {
  const { path, table } = await tableOf(t)
  const whole = await salvaged(path)
  const bytes = await readFile(table)
  const blocks = handlesIn(blockAt(bytes, footerOf(bytes).index))
  let last = 0
  for (const count of [0, 1, 2, 9]) {
    const end = count === 0 ? 0 : (blocks[count] as { at: number }).at
    for (const more of [0, 4]) {
      await writeFile(table, bytes)
      await truncate(table, end + more)
      const { entries, damaged } = await salvaged(path)
      assert.equal(damaged.length, 1)
      for (const entry of entries) assert.ok(whole.entries.includes(entry))
      if (more > 0) assert.equal(entries.length, last)
      else assert.ok(count === 0 ? entries.length === 0 : entries.length > last, `${entries.length}, before ${last}`)
      last = entries.length
    }
  }
})
