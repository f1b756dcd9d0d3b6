/** What holds for every compare of two folders. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { diffContents } from './diff.ts'
import { diffHtml } from './diff-html.ts'
import { type FolderContent, readFolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'

const culture = 'en-US'

/** The same folder, with every fifth file taken away and something changed in every third. */
function otherVersion(content: FolderContent): FolderContent {
  const program = content.program.flatMap((file, i) => {
    if (i % 5 === 4) return []
    if (i % 3 !== 0) return [file]
    const text = Buffer.from(file.bytes).toString('utf8')
    const changed = text
      .replace(/Datatype="Bool"/, 'Datatype="Int"')
      .replace(/<Part Name="Contact" (UId="\d+") \/>/, '<Part Name="Contact" $1><Negated Name="operand" /></Part>')
      .replace(/\bTRUE\b/, 'FALSE')
    return [{ ...file, bytes: Buffer.from(changed) }]
  })
  return { ...content, program }
}

const folders = ['Czarnak+simaticml-decoder', 'psi-func+ikea_vyatka_sorting', 'lopez-dev+Siemens-SCL-Source-Files']

for (const name of folders)
  test(`${name}: empty against itself, and the same from either side with added and removed exchanged`, async (t) => {
    const path = join(publicDir, name)
    if ((await localFiles.stat(path)) === undefined) return t.skip('not in this copy of the corpus')
    const content = await readFolderContent(localFiles, path)
    const { diff: none } = await diffContents(content, content, culture)
    assert.deepEqual(none.objects, [])
    assert.ok(none.same > 0)

    const other = otherVersion(content)
    const compared = await diffContents(content, other, culture)
    const { diff: back } = await diffContents(other, content, culture)
    const { diff } = compared
    assert.ok(diff.objects.length > 0)
    assert.equal(back.same, diff.same)
    const turned = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const
    const summary = (one: (typeof diff.objects)[number], isTurned: boolean) => {
      const of = (change: keyof typeof turned) => (isTurned ? turned[change] : change)
      const counts = new Map<string, number>()
      for (const { aspect, change } of one.differences) {
        const key = `${aspect} ${of(change)}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      return [one.kind, one.name, of(one.change), [...counts].sort()]
    }
    assert.deepEqual(
      back.objects.map((one) => summary(one, true)),
      diff.objects.map((one) => summary(one, false)),
    )
    const page = diffHtml(compared, { left: 'a', right: 'b', culture })
    assert.equal(page.match(/<section /g)?.length, diff.objects.length)
    assert.equal(
      page.match(/<(table|figure|section|div|tr)[ >]/g)?.length,
      page.match(/<\/(table|figure|section|div|tr)>/g)?.length,
    )
  })
