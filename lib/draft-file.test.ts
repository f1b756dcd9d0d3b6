import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test/folder.ts'
import { draftEnd, draftOf, numbered, placeNew, removeDrafts } from './draft-file.ts'

test('of several drafts one gets the name, and nothing is replaced', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-draft-')
  const path = join(dir, 'a.zip')
  const drafts = Array.from({ length: 8 }, () => draftOf(path))
  assert.equal(new Set(drafts).size, drafts.length)
  for (const draft of drafts) {
    assert.match(draft, draftEnd)
    await writeFile(draft, draft)
  }
  const placed = await Promise.all(drafts.map((draft) => placeNew(draft, path)))
  assert.equal(placed.filter(Boolean).length, 1)
  assert.equal(await readFile(path, 'utf8'), drafts[placed.indexOf(true)])
  const others = drafts.filter((_, i) => !placed[i])
  assert.equal((await readdir(dir)).length, 1 + others.length)
  await removeDrafts(dir, new Set(others.slice(0, 1)))
  assert.deepEqual(
    (await readdir(dir)).sort().map((name) => join(dir, name)),
    [path, others[0]],
  )
  await assert.rejects(placeNew(join(dir, 'none'), join(dir, 'b')), { code: 'ENOENT' })
})

test('a number comes before the extension', () => {
  assert.equal(numbered(join('a.b', 'c.zip'), 2), join('a.b', 'c-2.zip'))
  assert.equal(numbered('c', 3), 'c-3')
})
