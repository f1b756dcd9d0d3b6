/**
 * Every real file of the corpus through the readers and writers. The corpus stands beside the repository, or where
 * GANTRY_CORPUS says; without it the tests are skipped.
 */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ImportedFile, importFile } from './formats/import.ts'
import type { ImportedObject, InterfaceMember } from './model/object.ts'
import { exportFile } from './simaticml/export-version.ts'
import { readSimaticMl, readSimaticMlText } from './simaticml/read.ts'
import { TARGET_VERSIONS } from './simaticml/versions.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { readSource } from './source/read.ts'
import { sourceTextOf } from './source/write.ts'

const CORPUS = process.env.GANTRY_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
const KINDS = new Set(['sml-block', 'sml-udt', 'sml-tags', 'sml-hmi', 'scl', 'db', 'udt'])

interface CorpusFile {
  readonly kind: string
  readonly grade: string
  readonly path: string
  readonly bytes: Uint8Array
}

function corpusFiles(): CorpusFile[] {
  const [header, ...rows] = readFileSync(path.join(CORPUS, 'index.tsv'), 'utf8').trim().split(/\r?\n/)
  const columns = (header ?? '').split('\t')
  return rows
    .map((row) => Object.fromEntries(row.split('\t').map((cell, i) => [columns[i] ?? '', cell])))
    .filter(({ kind }) => KINDS.has(kind ?? ''))
    .map(({ kind = '', grade = '', repo = '', path: file = '' }) => {
      const full = path.join(CORPUS, repo.replace('/', '+'), file)
      return { kind, grade, path: `${repo}/${file}`, bytes: new Uint8Array(readFileSync(full)) }
    })
}

const missing = existsSync(path.join(CORPUS, 'index.tsv')) ? false : `no corpus at ${CORPUS} (set GANTRY_CORPUS)`
const files = missing === false ? corpusFiles() : []
const imported: (CorpusFile & ImportedFile)[] = []

/** Interface without what source text has no place for: empty sections, informative copies, culture of comments. */
function declared(object: ImportedObject): unknown {
  const members = (list: readonly InterfaceMember[]): unknown =>
    list
      .filter(({ informative }) => informative !== true)
      .map((member) => ({
        name: member.name,
        dataType: member.dataType,
        version: member.version,
        startValue: member.startValue,
        comment: Object.values(member.comment).find((text) => text !== '') ?? '',
        remanence: member.remanence === 'NonRetain' ? undefined : member.remanence,
        members: members(member.members),
      }))
  return object.interface
    .filter(({ section }) => section !== 'Base' && section !== 'Return')
    .map(({ section, members: list }) => [section, members(list)] as const)
    .filter(([, list]) => (list as unknown[]).length > 0)
}

test('every grade A file is imported; others are imported or refused with a reason', { skip: missing }, async (t) => {
  const table = new Map<string, { files: number; imported: number }>()
  for (const file of files) {
    const result = await importFile(file.bytes)
    const row = table.get(`${file.kind} ${file.grade}`) ?? { files: 0, imported: 0 }
    row.files++
    if (result.faults.length === 0) row.imported++
    table.set(`${file.kind} ${file.grade}`, row)
    if (file.grade.startsWith('A')) assert.deepEqual(result.faults, [], file.path)
    assert.ok(result.objects.length > 0 || result.faults.length > 0, file.path)
    imported.push({ ...file, ...result })
  }
  for (const [key, row] of [...table].sort()) t.diagnostic(`${key}: ${row.imported} of ${row.files}`)
})

test('slices are exact: the XML of an object is in its file, the texts of a source are the file', {
  skip: missing,
}, () => {
  for (const file of imported) {
    const text = new TextDecoder().decode(file.bytes)
    for (const { xml } of file.objects) if (xml !== undefined) assert.ok(text.includes(xml), file.path)
    if (file.format === 'source') assert.equal(file.objects.map((object) => object.text).join(''), text, file.path)
  }
})

test('wrapped and read again, every object is equal', { skip: missing }, () => {
  for (const { objects, path: file } of imported)
    for (const object of objects) {
      if (object.xml === undefined) continue
      const { engineeringVersion } = object
      const { bytes } = exportFile([object.xml], { engineeringVersion })
      const [again] = readSimaticMl(bytes).objects
      assert.deepEqual({ ...again, xml: '' }, { ...object, xml: '' }, file)
      for (const target of TARGET_VERSIONS) {
        const other: ImportedObject | undefined = readSimaticMl(exportFile([object.xml], { target }).bytes).objects[0]
        assert.deepEqual([other?.networks, other?.interface], [object.networks, object.interface], file)
      }
    }
})

test('sources to SimaticML and back: the code byte for byte, the declarations', { skip: missing }, (t) => {
  let blocks = 0
  for (const { objects, path: file, faults } of imported)
    for (const object of objects) {
      if (object.text === undefined || object.language === 'STL' || faults.length > 0) continue
      blocks++
      for (const version of ['V16', 'V19'] as const) {
        const [back] = readSimaticMlText(writeSimaticMl(object, { version }).text).objects
        assert.equal(back?.networks[0]?.text ?? '', object.networks[0]?.text ?? '', file)
        if (back === undefined || object.kind === 'InstanceDB') continue
        const names = (of: ImportedObject) =>
          JSON.stringify(declared(of), (key, value) => (key === 'startValue' ? undefined : value))
        assert.equal(names(back), names(object), file)
      }
    }
  t.diagnostic(`${blocks} blocks`)
})

test('SimaticML to source text and back: code and declarations', { skip: missing }, (t) => {
  let blocks = 0
  for (const { objects, path: file, grade } of imported)
    for (const object of objects) {
      if (object.xml === undefined || !grade.startsWith('A')) continue
      const text = sourceTextOf(object)
      if (text === undefined) continue
      blocks++
      const source = readSource(text)
      assert.deepEqual(source.faults, [], file)
      const again = source.blocks[0]?.object
      assert.ok(again)
      const code = (of: ImportedObject): string => of.networks.map((network) => network.text ?? '').join('\n')
      assert.equal(code(again), code(object), file)
      assert.equal(again.instanceOf, object.instanceOf, file)
      if (object.kind !== 'InstanceDB') assert.deepEqual(declared(again), declared(object), file)
    }
  t.diagnostic(`${blocks} blocks`)
})
