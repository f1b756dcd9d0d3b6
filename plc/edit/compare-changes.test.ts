/**
 * Objects with everything they can have, changed at each place in turn: the compare tells each change that the readers
 * see, told from the other side it is the opposite, and its words and figures are recorded (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'
import { changedObjects, type Damaged, damagedObjects, damagedSource, damagedXml } from '../testing/damage.ts'
import { outline } from '../testing/outline.ts'
import { compareObjects, comparisonText, type Difference } from './compare.ts'
import { comparePrograms } from './compare-programs.ts'

const readXml = (text: string) => readSimaticMlText(text).objects
const readScl = (text: string) => readSource(text).blocks.map(({ object }) => object)

const inputs: readonly (readonly [
  path: string,
  read: (text: string) => readonly ImportedObject[],
  damage: (text: string) => Damaged[],
])[] = [
  ['simaticml/fixtures/dense.xml', readXml, damagedXml],
  ['simaticml/fixtures/dense-graph.xml', readXml, damagedXml],
  ['simaticml/fixtures/dense-tables.xml', readXml, damagedXml],
  ['source/fixtures/dense.scl', readScl, damagedSource],
  ['source/fixtures/dense.awl', readScl, damagedSource],
]

/** Pairs of an object and what it is when its file is changed at one place, where that can still be read. */
function* changes(): Generator<{ what: string; file: string; before: ImportedObject; after: ImportedObject }> {
  for (const [path, read, damage] of inputs) {
    const file = path.split('/').at(-1) ?? ''
    // No table has two rows of one name.
    for (const change of changedObjects(fixtureText(import.meta.url, `../../formats/${path}`), read, damage))
      if (!/twice <SW\.(Tags|Watch)/.test(change.what)) yield { ...change, file }
  }
}

/** What is compared, as the readers give it; names and numbers of objects are no part of it. */
function meaning({ xml: _xml, text: _text, name: _name, number: _number, ...object }: ImportedObject): string {
  const { engineeringVersion: _version, format: _format, warnings: _warnings, element: _element, ...rest } = object
  return outline(rest, ['parts']).join('\n')
}

const mirrored = ({ aspect, path, change, left, right }: Difference) => ({
  ...{ aspect, path },
  change: change === 'added' ? 'removed' : change === 'removed' ? 'added' : change,
  ...(right === undefined ? {} : { left: right }),
  ...(left === undefined ? {} : { right: left }),
})

test('a change that readers do not see is none', () => {
  for (const { what, file, before, after } of changes())
    if (meaning(before) === meaning(after))
      assert.deepEqual(compareObjects(before, after).differences, [], `${file} ${what}`)
})

test('UIds only number the parts of a network: other ones are no change', () => {
  for (const path of ['simaticml/fixtures/dense.xml', 'simaticml/fixtures/dense-graph.xml']) {
    const text = fixtureText(import.meta.url, `../../formats/${path}`)
    const renumbered = text.replace(/\bUId="(\d+)"/g, (_, id: string) => `UId="${1000 - Number(id)}"`)
    assert.notEqual(renumbered, text)
    const objects = readXml(renumbered)
    for (const [i, before] of readXml(text).entries()) {
      const { isSameMeaning, differences } = compareObjects(before, objects[i]!)
      assert.deepEqual({ isSameMeaning, differences }, { isSameMeaning: true, differences: [] }, before.name)
    }
  }
})

test('told from the other side it is the opposite', () => {
  for (const { what, file, before, after } of changes()) {
    const [there, back] = [compareObjects(before, after), compareObjects(after, before)]
    assert.deepEqual(
      [there.isSameMeaning, there.aspects, there.omitted],
      [back.isSameMeaning, back.aspects, back.omitted],
      `${file} ${what}`,
    )
    const byPath = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort()
    // Statements count on their own side; of what moved the first is named.
    const isFixed = ({ change, path }: { change: string; path: string }) =>
      change !== 'moved' && !path.includes('statement')
    assert.deepEqual(
      byPath(there.differences.filter(isFixed)),
      byPath(back.differences.filter(isFixed).map(mirrored)),
      `${file} ${what}`,
    )
  }
})

test('what is told of each change', () => {
  const told: string[] = []
  const seen = new Set<string>()
  for (const { what, file, before, after } of changes()) {
    const compared = compareObjects(before, after)
    if (compared.isSameMeaning) continue
    const [, aspect = '', ...lines] = comparisonText('a', 'b', compared).trimEnd().split('\n')
    // Changes of one kind of place are alike.
    const kind = `${file} ${aspect} ${compared.differences.map(({ path, change }) => `${path.replace(/\d+/g, '')} ${change}`)}`
    if (seen.has(kind)) continue
    seen.add(kind)
    told.push(
      `${file} ${what}`,
      `  ${aspect}: ${lines
        .slice(0, 3)
        .map((line) => line.trim().slice(0, 60))
        .join(' | ')}`,
    )
  }
  assertRecorded(import.meta.url, 'compared.txt', `${told.join('\n')}\n`)
})

test('the figures of two programs, where objects differ, are missing or more', () => {
  const told: string[] = []
  for (const [path, read, damage] of inputs) {
    const text = fixtureText(import.meta.url, `../../formats/${path}`)
    const whole = read(text)
    const seen = new Set<string>()
    for (const { what, objects } of damagedObjects(text, read, damage)) {
      const { counts, onlyLeft, onlyRight } = comparePrograms(whole, objects)
      const figures = Object.entries(counts).map(([kind, { equal, total }]) => `${kind} ${equal}/${total}`)
      const line = [
        ...figures,
        ...onlyLeft.map(({ name }) => `-${name}`),
        ...onlyRight.map(({ name }) => `+${name}`),
      ].join(' ')
      if (!seen.has(line)) told.push(`${path.split('/').at(-1)} ${what}`, `  ${line}`)
      seen.add(line)
    }
  }
  assertRecorded(import.meta.url, 'compared-programs.txt', `${told.join('\n')}\n`)
})
