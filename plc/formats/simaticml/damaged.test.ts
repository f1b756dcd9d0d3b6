/**
 * Files with everything that SimaticML has, each of their elements, attributes and texts left out, doubled and replaced
 * in turn: what is refused, with what words and where, and else what is read another way (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import type { ImportedObject } from '../../model/object.ts'
import { type Damaged, damagedXml, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { comparableNetworks } from '../../testing/simaticml-compare.ts'
import { importSimaticMlText, readSimaticMlText } from './read.ts'
import { writeSimaticMl } from './write.ts'
import type { XmlElement } from './xml.ts'

/** `parts` are derived from `graph` and `chart`. */
const lines = (objects: readonly ImportedObject[]) =>
  outline(
    objects.map(({ xml: _xml, engineeringVersion: _version, ...object }) => object),
    ['format', 'parts'],
  )

/** In a statement list the elements around count too: the same ones are in instructions of all kinds. */
function damagesOf(name: string, text: string): Damaged[] {
  if (name !== 'dense-list') return damagedXml(text)
  const pathOf = ({ name: own, attributes, parent }: XmlElement): string =>
    own === 'StlStatement' || parent === undefined ? '' : `${pathOf(parent)}/${own} ${attributes.Scope ?? ''}`
  return damagedXml(text, (element) => {
    const { name: own, attributes, children } = element
    return own === 'StlStatement'
      ? `${own} ${children.map((one) => one.name)}`
      : `${pathOf(element)} ${attributes.Name}`
  })
}

for (const name of ['dense', 'dense-graph', 'dense-list', 'dense-tables']) {
  const text = fixtureText(import.meta.url, `${name}.xml`)
  const whole = importSimaticMlText(text)

  test(`${name}.xml is read to all it has`, () => {
    assertRecorded(
      import.meta.url,
      `${name}-model.txt`,
      `${outline(whole.objects.map(({ xml: _xml, ...object }) => object)).join('\n')}\n`,
    )
  })

  test(`${name}.xml with one wrong place is refused with words and place, or read with that difference`, () => {
    const answer = (damaged: string): string[] => {
      try {
        const { objects, engineeringVersion } = importSimaticMlText(damaged)
        const version = engineeringVersion === whole.engineeringVersion ? [] : [`version ${engineeringVersion}`]
        return [...version, ...changedLines(lines(whole.objects), lines(objects))]
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        return error.faults.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)
      }
    }
    assertRecorded(import.meta.url, `${name}-damaged.txt`, tableOfAnswers(damagesOf(name, text), answer))
  })
}

test('a damaged file that is read is written so that it is read the same', () => {
  for (const name of ['dense', 'dense-graph', 'dense-list']) {
    const text = fixtureText(import.meta.url, `${name}.xml`)
    for (const damage of damagesOf(name, text)) {
      // What is given twice may be written once, and elements without a number get one.
      if (/ twice | without UId=/.test(damage.what)) continue
      let objects: readonly ImportedObject[]
      try {
        objects = readSimaticMlText(damage.text).objects
      } catch {
        continue
      }
      for (const { xml: _xml, ...object } of objects) {
        let written: string
        try {
          written = writeSimaticMl(object, { version: 'V21' }).text
        } catch (error) {
          assert.ok(error instanceof FormatError, damage.what)
          continue
        }
        const [again] = readSimaticMlText(written).objects
        assert.deepEqual(numbered(again as ImportedObject), numbered(object), damage.what)
      }
    }
  }
})

/** Numbers of elements are given again when they are written, and what is missing is written in its place. */
function numbered(object: Omit<ImportedObject, 'xml'>): unknown {
  const { networks, attributes, ...rest } = object
  const others = attributes.filter(({ name }) => name !== 'Interface')
  const head = lines([{ ...rest, attributes: others, networks: [] }]).map((line) => line.replace(/\bat \d+/g, 'at'))
  return [head, comparableNetworks(networks)]
}
