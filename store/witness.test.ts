import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sha256 } from './commit.ts'
import { tempDir } from './fixtures/stores.ts'
import { readWitness, Witness } from './witness.ts'

const mark = (seq: number): { seq: number; hash: string } => ({ seq, hash: sha256(String(seq)).toString('hex') })

test('the newest mark is read back; there is none before the first', async (t) => {
  const dir = await tempDir(t)
  assert.deepEqual(await readWitness(dir), { exists: false, damagedSlots: 0 })
  const witness = await Witness.open(dir)
  assert.deepEqual(await readWitness(dir), { exists: true, damagedSlots: 0 })
  witness.note(mark(1))
  witness.note(mark(2))
  assert.deepEqual(await readWitness(dir), { exists: true, damagedSlots: 0, mark: mark(2) })
  for (let seq = 3; seq <= 100; seq++) witness.note(mark(seq))
  assert.deepEqual(witness.latest, mark(100))
  await witness.close()
  assert.deepEqual(await readWitness(dir), { exists: true, damagedSlots: 0, mark: mark(100) })
  const again = await Witness.open(dir)
  await again.anchor(mark(7))
  const both = await readFile(join(dir, 'witness'))
  assert.deepEqual(both.subarray(0, 512), both.subarray(512), 'it is in both slots at once')
  await again.close()
  assert.deepEqual((await readWitness(dir)).mark, mark(7), 'an anchor replaces a later mark')
})

test('any damaged byte of a slot is noticed, and the other slot still counts', async (t) => {
  const dir = await tempDir(t)
  const witness = await Witness.open(dir)
  await witness.anchor(mark(41))
  await witness.close()
  const path = join(dir, 'witness')
  const good = await readFile(path)
  assert.equal(good.length, 1024)
  for (let at = 0; at < 512; at += 3) {
    const bad = Buffer.from(good)
    bad[at] = (bad[at] as number) ^ 1
    await writeFile(path, bad)
    assert.deepEqual(await readWitness(dir), { exists: true, damagedSlots: 1, mark: mark(41) }, `byte ${at}`)
  }
  await writeFile(path, good.subarray(0, 560))
  assert.deepEqual(await readWitness(dir), { exists: true, damagedSlots: 1, mark: mark(41) })
})
