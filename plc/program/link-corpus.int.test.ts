/** Links the files of each repository of the corpus as a program and prints a table of the faults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusBytes, corpusFiles } from '../../test/corpus.ts'
import { importFile } from '../formats/import.ts'
import { type LinkDocument, linkProgram } from './link-program.ts'
import { startImage } from './memory-image.ts'
import { programSymbols } from './program-symbols-of.ts'
import { symbolRows } from './symbol-rows.ts'

const kinds = new Set(['sml-block', 'sml-udt', 'sml-tags', 'scl', 'db', 'udt'])

/**
 * Codes for objects that a folder may lack, or contain twice: it is not always a whole program. Any other fault in
 * files of TIA Portal would be a mistake of the linker.
 */
const ofFolders = new Set([
  'unknown-type',
  'unknown-constant',
  'instance-of-unknown',
  'duplicate-name',
  'duplicate-number',
])

test('device folders are linked; files of TIA Portal are objected to for what the folder lacks only', async (t) => {
  const folders = new Map<string, (LinkDocument & { grade: string; file: string })[]>()
  for (const entry of corpusFiles().filter(({ kind }) => kinds.has(kind))) {
    const { repository, grade, file } = entry
    const { objects } = await importFile(corpusBytes(entry))
    const documents = folders.get(repository) ?? []
    folders.set(repository, documents)
    documents.push(...objects.map((object) => ({ object, grade, file })))
  }
  const unexpected: string[] = []
  for (const [repo, documents] of folders) {
    const program = linkProgram(documents)
    const counts = new Map<string, number>()
    const grades = new Map(documents.map(({ object, grade }) => [object.name, grade]))
    for (const { code, object, member, message } of program.diagnostics) {
      counts.set(code, (counts.get(code) ?? 0) + 1)
      if (grades.get(object)?.startsWith('A') && !ofFolders.has(code))
        unexpected.push(`${repo} ${object}.${member}: ${message}`)
    }
    let bytes = 0
    for (const block of program.blocks.values())
      if (block.kind.endsWith('DB')) bytes += startImage(block, program).length
    let symbols = 0
    const table = programSymbols(program, () => undefined)
    for (const _row of symbolRows(table, { expandsArrays: true })) symbols++
    const names = new Set(
      documents
        .filter(({ object }) => /^(OB|FB|FC|\w+DB)$/.test(object.kind))
        .map(({ object }) => object.name.toLowerCase()),
    )
    const doubled = program.diagnostics.filter(({ code }) => code === 'duplicate-name').length
    assert.ok(program.blocks.size >= names.size - doubled, repo)
    const found = [...counts].map(([code, count]) => `${count} ${code}`).join(', ')
    t.diagnostic(
      `${repo}: ${program.blocks.size} blocks, ${program.types.size} types, ${program.tags.size} tags, ${bytes} bytes of data, ${symbols} symbols; ${found || 'nothing objected'}`,
    )
  }
  assert.deepEqual(unexpected, [])
})
