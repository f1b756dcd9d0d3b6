/** The page of the studio and the files that it loads: from the folder of the build, and nothing beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { studioFile } from './page.ts'

test('only scripts and style sheets of the build have an address', async () => {
  for (const name of ['', 'files.json', '../page.js', 'a/b.js', 'none.js', 'none.css', 'x.js.map', '.js', 'a b.js'])
    assert.equal(await studioFile(name, { extensions: () => [] }), undefined, name)
})
