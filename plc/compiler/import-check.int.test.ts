/** What an import tells of files that are right: nothing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusBytes, corpusFiles } from '../../test/corpus.ts'
import { needsOf } from '../edit/import-order.ts'
import { importFile } from '../formats/import.ts'
import { isSystemTypeName } from '../program/system-types.ts'

test('files of the corpus have no attribute, language, version or type that is not known', async () => {
  const found: string[] = []
  for (const entry of corpusFiles()) {
    if (entry.kind === 'sml-hmi' || !/\.(xml|scl|db|udt|awl)$/i.test(entry.file)) continue
    const { objects, faults } = await importFile(corpusBytes(entry), { path: entry.file })
    for (const { message } of faults) if (/not known|programming language/.test(message)) found.push(message)
    for (const object of objects) {
      for (const warning of object.warnings ?? []) found.push(`${entry.file}: ${warning}`)
      for (const { type, member } of needsOf(object).plainTypes)
        if (!isSystemTypeName(type)) found.push(`${entry.file}: ${member} : ${type}`)
    }
  }
  // Hand-written sources that leave out the quotes of their own types.
  const quotesAreMissing = /lopez-dev.* : (Buffer|BufferStruct|Puffer)UDT$/
  assert.deepEqual(
    found.filter((one) => !quotesAreMissing.test(one)),
    [],
  )
})
