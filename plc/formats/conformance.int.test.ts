/** Runs every real file of the corpus through the readers and writers, and prints a table of the results. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { corpusBytes, corpusFiles } from '../../test/corpus.ts'
import { decodeText } from '../model/decode.ts'
import { type ImportedObject, type InterfaceMember, isProgramObjectKind } from '../model/object.ts'
import { comparableNetworks, difference } from '../testing/simaticml-compare.ts'
import { type ImportedFile, importFile } from './import.ts'
import { exportDocument } from './simaticml/export-version.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { byAlphabet, type TargetVersion, targetVersions } from './simaticml/versions.ts'
import { writeObject, writeSimaticMl } from './simaticml/write.ts'
import { parseXml, pathOf } from './simaticml/xml.ts'
import { readSource } from './source/read.ts'
import { sourceTextOf } from './source/write.ts'

const kinds = new Set(['sml-block', 'sml-udt', 'sml-tags', 'sml-hmi', 'scl', 'db', 'udt'])

const files = corpusFiles()
  .filter(({ kind }) => kinds.has(kind))
  .map((entry) => ({ kind: entry.kind, grade: entry.grade, path: entry.file, bytes: corpusBytes(entry) }))
const imported: ((typeof files)[number] & ImportedFile)[] = []

/** Rows of numbers by name. */
class Tally {
  readonly #rows = new Map<string, Map<string, number>>()
  add(row: string, column: string, count = 1): void {
    const cells = this.#rows.get(row) ?? new Map<string, number>()
    this.#rows.set(row, cells.set(column, (cells.get(column) ?? 0) + count))
  }
  print(print: (line: string) => void): void {
    for (const [row, cells] of [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)))
      print(`${row}: ${[...cells].map(([column, count]) => `${count} ${column}`).join(', ')}`)
  }
}

/** `FB LAD V17`: the kind of a file's first object, and the version of the file. */
function rowOf({ objects, engineeringVersion }: ImportedFile): string {
  const [first] = objects
  return `${first?.kind} ${first?.language ?? ''} ${engineeringVersion ?? '(no version)'}`.replace('  ', ' ')
}

/** Counts for SimaticML files, per kind and version. */
const table = new Tally()

test('every grade A file is imported; others are imported or refused with a reason', async (t) => {
  const tally = new Tally()
  for (const file of files) {
    const result = await importFile(file.bytes)
    const row = `${file.kind} ${file.grade}`
    tally.add(row, 'files')
    tally.add(row, 'imported', result.faults.length === 0 ? 1 : 0)
    if (file.grade.startsWith('A')) assert.deepEqual(result.faults, [], file.path)
    assert.ok(result.objects.length > 0 || result.faults.length > 0, file.path)
    if (result.format === 'simaticml') {
      table.add(rowOf(result), 'files')
      table.add(rowOf(result), 'imported', result.faults.length === 0 ? 1 : 0)
    }
    for (const { message, line } of result.faults) assert.ok(message !== '' && line >= 1, file.path)
    imported.push({ ...file, ...result })
  }
  tally.print((line) => t.diagnostic(line))
})

test('slices are exact: the XML of an object is in its file, the texts of a source are the file', () => {
  for (const file of imported) {
    const { text } = decodeText(file.bytes)
    for (const { xml } of file.objects) if (xml !== undefined) assert.ok(text.includes(xml), file.path)
    if (file.format === 'source') assert.equal(file.objects.map((object) => object.text).join(''), text, file.path)
  }
})

const simaticMl = () => imported.filter(({ format, objects }) => format === 'simaticml' && objects.length > 0)

test('import and export at the same version: the file again', () => {
  for (const file of simaticMl()) {
    const { objects, engineeringVersion, path: name } = file
    const original = parseXml(decodeText(file.bytes).text)
    const { text, warnings } = exportDocument(
      objects.map(({ xml = '' }) => xml),
      { engineeringVersion, target: targetVersions.find((version) => version === engineeringVersion) },
    )
    assert.equal(difference(original, parseXml(text)), undefined, name)
    assert.deepEqual(warnings, [], name)
    const ids = [...text.matchAll(/<[\w.]+ (?:[^<>]* )?ID="([^"]*)"/g)].map((match) => match[1])
    assert.deepEqual(
      ids,
      ids.map((_, index) => index.toString(16).toUpperCase()),
      name,
    )
    table.add(rowOf(file), 'round-trip equal')
  }
})

test('exported for every version and read again: all that the report does not name', (t) => {
  for (const file of simaticMl())
    for (const target of targetVersions) {
      let warnings = 0
      for (const object of file.objects) warnings += checkExport(object, target, file.path)
      table.add(rowOf(file), `exported for ${target}`)
      if (warnings > 0) table.add(rowOf(file), 'reports', warnings)
    }
  table.print((line) => t.diagnostic(line))
})

/** Returns the number of warnings. */
function checkExport(object: ImportedObject, target: TargetVersion, file: string): number {
  const { xml = '', engineeringVersion } = object
  const { text, warnings } = exportDocument([xml], { engineeringVersion, target })
  const [again] = readSimaticMlText(text).objects
  assert.equal(again?.engineeringVersion, target)
  const leftOut = warnings.filter((line) => line.endsWith('left out'))
  const added = warnings.filter((line) => line.endsWith('were added with their defaults'))
  const found = difference(parseXml(xml), parseXml(again?.xml ?? ''), {
    ignoreNamespaceVersions: true,
    isLeftOut: (element) =>
      leftOut.some((line) => line.includes(` ${pathOf(element)}: `)) ||
      // Has no meaning, and is refused before V18.
      (element.name === 'Namespace' && element.text === '' && Number(target.slice(1)) < 18) ||
      // Violates the schema of every version.
      (element.name === 'Wires' && element.children.length === 0 && target !== engineeringVersion),
    isAdded: ({ name, parent }) => parent?.name === 'AlarmsSettings' && added.some((line) => line.includes(name)),
  })
  assert.equal(found, undefined, `${file} ${target}`)
  return warnings.length
}

/** The object without the original text and the version, with attributes in order. */
function comparable({ xml: _xml, engineeringVersion: _version, ...object }: ImportedObject): unknown {
  const attributes = [...object.attributes].sort((a, b) => byAlphabet(a.name, b.name))
  return { ...object, attributes, networks: comparableNetworks(object.networks) }
}

test('written anew from the model and read again: the same model', (t) => {
  const tally = new Tally()
  for (const { objects, path: file } of simaticMl())
    for (const object of objects) {
      const row = `${object.kind} ${object.language}`.trim()
      if (!isProgramObjectKind(object.kind) || object.kind.endsWith('Table')) continue
      tally.add(row, 'objects')
      const { xml: _xml, ...model } = object
      const { xml } = writeObject(model, { version: 'V21' })
      const [again] = readSimaticMlText(`<Document>${xml}</Document>`).objects
      assert.ok(again !== undefined)
      if (!isDeepStrictEqual(comparable(again), comparable(object)))
        assert.deepEqual(comparable(again), comparable(object), file)
      tally.add(row, 'equal')
    }
  tally.print((line) => t.diagnostic(line))
})

/** The interface without what source text has no place for: empty sections, informative copies, culture of comments. */
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

test('sources to SimaticML and back: the code byte for byte, the declarations', (t) => {
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

test('SimaticML to source text and back: code and declarations', (t) => {
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
