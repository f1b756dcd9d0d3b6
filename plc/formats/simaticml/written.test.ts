/** What is written for each version of TIA Portal, and what is told that a version does not know. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { damagedSource, tableOfAnswers } from '../../testing/damage.ts'
import { hardObjects } from '../../testing/hard-objects.ts'
import { changedLines } from '../../testing/outline.ts'
import { readSource } from '../source/read.ts'
import { exportDocument } from './export-version.ts'
import { readSimaticMlText } from './read.ts'
import { structuredTextText } from './structured-text-read.ts'
import { writeStructuredText } from './structured-text-write.ts'
import { targetVersions } from './versions.ts'
import { writeSimaticMl } from './write.ts'
import { parseXml } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

/** The text of the newest version, and for each other version what changes in it. */
function inAllVersions(title: string, write: (version: (typeof targetVersions)[number]) => Written): string {
  let last: Written = { text: '', warnings: [] }
  const told: string[] = []
  for (const version of [...targetVersions].reverse()) {
    const now = write(version)
    const changes =
      version === 'V21' ? now.text.split('\n') : changedLines(last.text.split('\n'), now.text.split('\n'), 30)
    told.push(`── ${title} ${version}`, ...changes, ...now.warnings.map((warning) => `! ${warning}`))
    last = now
  }
  return `${told.join('\n')}\n`
}

interface Written {
  readonly text: string
  readonly warnings: readonly string[]
}

test('a document is converted to each version, with what the version does not know', () => {
  const roots = readSimaticMlText(fixtureText(import.meta.url, 'versions.xml')).objects.map(({ xml }) => xml ?? '')
  const told = inAllVersions('versions.xml', (target) => exportDocument(roots, { engineeringVersion: 'V14', target }))
  assertRecorded(import.meta.url, 'versions-converted.txt', told)
})

for (const name of ['dense', 'dense-graph', 'dense-list'])
  test(`the objects of ${name}.xml are written from the model for each version`, () => {
    const { objects } = readSimaticMlText(fixtureText(import.meta.url, `${name}.xml`))
    const told = objects.map((object) => inAllVersions(object.name, (version) => writeSimaticMl(object, { version })))
    assertRecorded(import.meta.url, `${name}-written.txt`, told.join(''))
  })

test('objects of sources are written with what SimaticML cannot say', () => {
  const sources = hardObjects().filter(({ format }) => format === 'source')
  const told = sources.map((object) =>
    inAllVersions(object.name, (version) => writeSimaticMl(object, { version, culture: 'de-DE' })),
  )
  assertRecorded(import.meta.url, 'sources-written.txt', told.join(''))
})

test('statements are written as StructuredText and read back to the same text', () => {
  const [block] = readSource(fixtureText(import.meta.url, 'statements.scl')).blocks
  assert.ok(block)
  const { text, warnings } = writeSimaticMl(block.object, { version: 'V21' })
  const [again] = readSimaticMlText(text).objects
  const list = /<StructuredText[\s\S]*<\/StructuredText>/.exec(text)?.[0] ?? ''
  // One element on a line: their ends say nothing.
  const elements = list.replace(/ UId="\d+"/g, '').replace(/\s*<\/\w+>(?=\s)/g, '')
  const told = [...warnings.map((one) => `! ${one}`), elements.replace(/^ {12}/gm, '')]
  assertRecorded(import.meta.url, 'statements-written.txt', `${told.join('\n')}\n`)
  assert.equal(again?.networks[0]?.text, block.object.networks[0]?.text)
})

test('statements with one wrong word are written so that they read back, each as the elements that it is', () => {
  const [block] = readSource(fixtureText(import.meta.url, 'statements.scl')).blocks
  const { interface: sections, networks } = block!.object
  const code = networks[0]?.text ?? ''
  const write = (text: string) => {
    const writer = new XmlWriter(0)
    writeStructuredText(writer, text, { version: 'V21', interface: sections, culture: 'en-US' })
    return writer.toString()
  }
  const lines = (xml: string) =>
    xml
      .replace(/ UId="\d+"/g, '')
      .replace(/\s*<\/\w+>(?=\s)/g, '')
      .split('\n')
  const whole = lines(write(code))
  const answer = (damaged: string): string[] => {
    const xml = write(damaged)
    assert.equal(structuredTextText(parseXml(xml)), damaged)
    return changedLines(whole, lines(xml), 2)
  }
  assertRecorded(import.meta.url, 'statements-damaged.txt', tableOfAnswers(damagedSource(code), answer))
})
