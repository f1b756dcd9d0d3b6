/**
 * What is told as lost or changed when an object comes back with one thing less or different (`fixtures/losses.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { changedObjects, damagedSource, damagedXml } from '../../testing/damage.ts'
import { hardObjects } from '../../testing/hard-objects.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { lossesOf } from './losses.ts'
import { readSource } from './read.ts'

const readXml = (text: string) => readSimaticMlText(text).objects
const readScl = (text: string) => readSource(text).blocks.map(({ object }) => object)
const inputs = [
  ['../../simaticml/fixtures/dense.xml', readXml, damagedXml],
  ['dense.scl', readScl, damagedSource],
  ['dense.awl', readScl, damagedSource],
] as const

test('an object loses nothing against itself', () => {
  for (const object of hardObjects()) assert.deepEqual(lossesOf(object, object), [], object.name)
})

test('what is told of each change', () => {
  const told: string[] = []
  for (const [path, read, damage] of inputs) {
    const seen = new Set<string>()
    for (const { what, before, after } of changedObjects(fixtureText(import.meta.url, path), read, damage)) {
      // The same sentence about another member says nothing new.
      const fresh = lossesOf(before, after).filter((sentence) => !seen.has(sentence.replace(/^[^:]*: /, '')))
      for (const sentence of fresh) seen.add(sentence.replace(/^[^:]*: /, ''))
      if (fresh.length > 0)
        told.push(`${path.split('/').at(-1)} ${what}`, ...fresh.slice(0, 3).map((one) => `  ${one}`))
    }
  }
  assertRecorded(import.meta.url, 'losses.txt', `${told.join('\n')}\n`)
})

test('objects of sources against those of SimaticML, and places that are many', () => {
  const objects = hardObjects()
  const told: string[] = []
  for (const one of objects)
    for (const other of objects)
      if (one.name < other.name && one.kind === other.kind)
        told.push(`${one.name} ${other.name}`, ...lossesOf(one, other).map((loss) => `  ${loss}`))
  assertRecorded(import.meta.url, 'losses-of-pairs.txt', `${told.join('\n')}\n`)
})

test('a source has the name of a constant as start value: only the value that the constant had is lost', () => {
  const member = '<Member Name="a" Datatype="Int"><StartValue ConstantName="LIMIT_A">42</StartValue></Member>'
  const xml = `<Document><SW.Blocks.GlobalDB ID="0"><AttributeList><Interface><Sections><Section Name="Static">${member}</Section></Sections></Interface><Name>D</Name><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB></Document>`
  const source = (value: string) => `DATA_BLOCK "D"\nVAR\n  a : Int := ${value};\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
  const [before] = readXml(xml)
  const told = (value: string) =>
    lossesOf(before!, readScl(source(value))[0]!).filter((one) => one.startsWith('a: the s'))
  assert.deepEqual(told('LIMIT_A'), [])
  assert.deepEqual(told('LIMIT_B'), ['a: the start value of the constant LIMIT_A becomes LIMIT_B'])
  assert.deepEqual(told('42'), [
    'a: the start value of the constant LIMIT_A is left out',
    'a: the start value 42 is added',
  ])
})
