/**
 * A file with everything that HMI objects have, each of its elements, attributes and texts left out, doubled and
 * replaced in turn: what is refused or told, what differs, and what changes in the file when that is written into it
 * (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import { damagedXml, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import type { XmlElement } from '../simaticml/xml.ts'
import { editHmi } from './edit.ts'
import type { HmiRead } from './model.ts'
import { readHmiText } from './read.ts'
import { writeHmi } from './write.ts'

const text = fixtureText(import.meta.url, 'dense.xml')
const whole = readHmiText(text)

/** Elements of objects of other kinds are of other kinds. */
const pathOf = ({ name, parent }: XmlElement): string =>
  parent === undefined || name === 'Document' ? '' : `${pathOf(parent)}/${name}`
/** Names of links say nothing; what is in lists of each kind is told of the first. */
const damages = damagedXml(text, pathOf).filter(({ what }) => !/TargetID|<Document|twice <\w+List>/.test(what))

const linesOf = (objects: readonly HmiRead[]) => outline(objects)
const refused = (error: unknown): string[] => {
  if (!(error instanceof FormatError)) throw error
  return error.faults.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)
}

test('a file is read to all it has', () => {
  assertRecorded(import.meta.url, 'dense-model.txt', `${linesOf(whole.objects).join('\n')}\n`)
})

test('a file with one wrong place is refused with words and place, or read with that difference', () => {
  const answer = (damaged: string): string[] => {
    try {
      const { engineeringVersion, objects } = readHmiText(damaged)
      const version = engineeringVersion === whole.engineeringVersion ? [] : [`version ${engineeringVersion}`]
      return [...version, ...changedLines(linesOf(whole.objects), linesOf(objects), 3)]
    } catch (error) {
      return refused(error)
    }
  }
  assertRecorded(import.meta.url, 'dense-damaged.txt', tableOfAnswers(damages, answer))
})

/** Each object of a document as one of its own. */
function documentsOf(document: string): string[] {
  const head = document.slice(0, document.indexOf('  <Hmi.'))
  const roots = [...document.matchAll(/^ {2}<(Hmi\.[\w.]+)[\s\S]*?<\/\1>$/gm)]
  return roots.map(([root]) => `${head}${root}\n</Document>`)
}
/** Without what a document alone has: IDs of elements, and warnings of what is kept in it. */
const comparable = ({ warnings: _warnings, items, tags, ...object }: HmiRead) => ({
  ...object,
  items: items.map(({ ref: _ref, ...item }) => item),
  tags: tags.map(({ ref: _ref, ...tag }) => tag),
})

test('what changed is written into the file that is there, and all else stays', () => {
  const documents = documentsOf(text)
  assert.equal(documents.length, whole.objects.length)
  const told: string[] = []
  for (const [i, document] of documents.entries()) {
    const object = whole.objects[i] as HmiRead
    const isEdited = object.kind === 'screen' || object.kind === 'tag-table'
    if (isEdited) assert.equal(editHmi(document, object).text, document)
    const own = damagedXml(document, pathOf).filter(({ what }) => !/TargetID|<Document|twice/.test(what))
    const answer = (damaged: string): string[] => {
      let changed: HmiRead | undefined
      try {
        changed = readHmiText(damaged).objects[0]
      } catch {
        return ['refused']
      }
      if (changed === undefined) return ['nothing is left']
      const { text: written, warnings } = editHmi(document, changed)
      const [again] = readHmiText(written).objects
      const [expected, got] = [changed, again as HmiRead].map((one) => outline(comparable(one)))
      const lost = changedLines(expected as string[], got as string[], 2)
      const lines = isEdited ? changedLines(document.split('\n'), written.split('\n'), 2) : []
      return [...lines, ...warnings.map((one) => `! ${one}`), ...lost.map((line) => `lost: ${line}`)]
    }
    told.push(`── ${object.kind} ${object.name}\n`, tableOfAnswers(own, answer))
  }
  assertRecorded(import.meta.url, 'dense-edited.txt', told.join(''))
})

test('objects are written anew, with what a document cannot hold', () => {
  const told = whole.objects.flatMap((object) => {
    const { text: written, warnings } = writeHmi(object, 'V19')
    return [...written.split('\n').slice(3, -1), ...warnings.map((one) => `! ${one}`)]
  })
  assertRecorded(import.meta.url, 'dense-written.txt', `${told.join('\n')}\n`)
})
