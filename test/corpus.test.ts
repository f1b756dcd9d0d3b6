/** The corpus matches its index: each file with its bytes, no other file, and each with a licence. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { importFile } from '../plc/formats/import.ts'
import { corpusBytes, corpusDir, corpusFiles, publicDir, publicFolders } from './corpus.ts'

const files = corpusFiles()

test('every file of the index is there, byte for byte', () => {
  for (const file of files) {
    const bytes = corpusBytes(file)
    assert.equal(bytes.length, Number(file.bytes), file.file)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256, `${file.file}: were line ends changed?`)
  }
})

test('every other file is a licence or describes the corpus', () => {
  const listed = new Set(files.map(({ file }) => file))
  const others = readdirSync(corpusDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(corpusDir.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((file) => !listed.has(file) && !/(?:^|\/)LICENSE$/.test(file))
  assert.deepEqual(others.sort(), ['README.md', 'index.tsv'])
})

test('every file may be passed on', () => {
  for (const { file, licence } of files) assert.equal(licence, 'MIT', file)
  for (const folder of publicFolders) assert.ok(existsSync(join(publicDir, folder, 'LICENSE')), folder)
  assert.ok(existsSync(join(corpusDir, 'vectors/LICENSE')))
})

/** A block or type of V21 around a fragment. */
function documentOf(fragment: string, language: string): string {
  const part = fragment.trim()
  const object = language === '' ? 'SW.Types.PlcStruct' : 'SW.Blocks.FB'
  const sections =
    language === '' ? part : '<Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5" />'
  const unit = `<SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource>${part}</NetworkSource><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit>`
  return `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V21" /><${object} ID="0"><AttributeList><Interface>${sections}</Interface><Name>Example</Name>${language === '' ? '' : `<Number>1</Number><ProgrammingLanguage>${language}</ProgrammingLanguage>`}</AttributeList><ObjectList>${language === '' ? '' : unit}</ObjectList></${object}></Document>`
}

test('the smallest examples of the formats are read', async () => {
  const fragments = files.filter(({ kind }) => kind === 'fragment')
  assert.equal(fragments.length, 5)
  for (const fragment of fragments) {
    const xml = documentOf(new TextDecoder().decode(corpusBytes(fragment)), fragment.language)
    const { objects, faults } = await importFile(new TextEncoder().encode(xml))
    assert.deepEqual(faults, [], fragment.file)
    const [object] = objects
    if (fragment.language === '') assert.ok(object?.interface.some(({ members }) => members.length > 0))
    else assert.equal(object?.networks[0]?.language, fragment.language, fragment.file)
  }
})
