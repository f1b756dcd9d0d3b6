import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
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

test('the draft of the longest name that a file system takes can be written too', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-draft-')
  for (const name of [`${'x'.repeat(251)}.xml`, 'ä'.repeat(127), '😀'.repeat(63), `${'x'.repeat(234)}.xml`]) {
    const draft = draftOf(join(dir, name))
    assert.equal(dirname(draft), dir)
    assert.match(draft, draftEnd)
    assert.ok(Buffer.byteLength(basename(draft)) <= 255, `${Buffer.byteLength(basename(draft))} bytes`)
    assert.doesNotMatch(draft, /\ufffd|[\ud800-\udbff](?![\udc00-\udfff])/)
    assert.ok(name.startsWith(basename(draft).replace(draftEnd, '')))
    await writeFile(draft, name)
    assert.equal(await placeNew(draft, join(dir, name)), true)
    assert.equal(await readFile(join(dir, name), 'utf8'), name)
  }
})

test('a number comes before the extension', () => {
  assert.equal(numbered(join('a.b', 'c.zip'), 2), join('a.b', 'c-2.zip'))
  assert.equal(numbered('c', 3), 'c-3')
})
