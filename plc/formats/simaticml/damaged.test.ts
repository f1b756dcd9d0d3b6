/**
 * Files with everything that SimaticML has, each of their elements, attributes and texts left out, doubled and replaced
 * in turn: what is refused, with what words and where, and else what is read another way (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import type { ImportedObject } from '../../model/object.ts'
import { damagedXml, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { comparableNetworks } from '../../testing/simaticml-compare.ts'
import { importSimaticMlText, readSimaticMlText } from './read.ts'
import { writeSimaticMl } from './write.ts'

/** `parts` are derived from `graph` and `chart`. */
const lines = (objects: readonly ImportedObject[]) =>
  outline(
    objects.map(({ xml: _xml, engineeringVersion: _version, ...object }) => object),
    ['format', 'parts'],
  )

for (const name of ['dense', 'dense-graph', 'dense-tables']) {
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
    assertRecorded(import.meta.url, `${name}-damaged.txt`, tableOfAnswers(damagedXml(text), answer))
  })
}

test('a damaged file that is read is written so that it is read the same', () => {
  for (const name of ['dense', 'dense-graph']) {
    const text = fixtureText(import.meta.url, `${name}.xml`)
    for (const damage of damagedXml(text)) {
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
  const { networks, ...rest } = object
  const head = lines([{ ...rest, networks: [] }])
    .map((line) => line.replace(/\bat \d+/g, 'at'))
    .filter((line) => !line.includes('{name Interface'))
  return [head, comparableNetworks(networks)]
}
