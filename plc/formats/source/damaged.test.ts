/**
 * Sources with everything that they can have, each of their words left out and doubled in turn: what is refused, with
 * what words and where, and else what is read another way (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import type { ImportedObject } from '../../model/object.ts'
import { damagedSource, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { codeFaults } from './code-faults.ts'
import { readSource, type SourceBlock } from './read.ts'
import { sourceTextOf } from './write.ts'
import { writeSource } from './write-source.ts'

function linesOf(text: string, isList: boolean): string[] {
  const { blocks } = readSource(text, { culture: 'de-DE' })
  return outline(
    blocks.map(({ object: { text: _text, ...object } }) => object),
    // The text of an STL network is made of its statements.
    ['format', ...(isList ? ['text'] : [])],
  )
}

for (const name of ['dense.scl', 'dense.awl']) {
  const text = fixtureText(import.meta.url, name)
  const isList = name.endsWith('.awl')
  const whole = linesOf(text, isList)

  test(`${name} is read to all it has`, () => {
    const { faults, blocks } = readSource(text)
    const told = faults.map(({ code, line, column, message }) => `! ${code} ${line}:${column} ${message}`)
    for (const { object, layout, place } of blocks) {
      told.push(...(object.warnings ?? []).map((warning) => `! ${object.name}: ${warning}`))
      told.push(`${object.name} ${place.join('..')}`, ...outline(layout))
    }
    assertRecorded(import.meta.url, `${name}-model.txt`, `${[...whole, ...told].join('\n')}\n`)
  })

  test(`${name} with one wrong word is refused with words and place, or read with that difference`, () => {
    const answer = (damaged: string): string[] => {
      const { faults, blocks } = readSource(damaged)
      const all = [...faults, ...codeFaults(damaged, blocks)]
      return [
        ...all.slice(0, 3).map((fault) => `${fault.line}:${fault.column} ${fault.message}`),
        ...(all.length > 3 ? [`${all.length} faults`] : []),
        ...changedLines(whole, linesOf(damaged, isList), 1),
      ]
    }
    assertRecorded(import.meta.url, `${name}-damaged.txt`, tableOfAnswers(damagedSource(text), answer))
  })

  test(`the blocks of ${name} are written again as sources`, () => {
    const written = readSource(text).blocks.map(({ object: { text: _text, ...object } }) => {
      const source = writeSource({ ...object, format: 'simaticml' }, 'en-US')
      return [`── ${object.name}`, source?.text ?? 'no source', ...(source?.warnings ?? []).map((one) => `! ${one}`)]
    })
    assertRecorded(import.meta.url, `${name}-written.txt`, `${written.flat().join('\n')}\n`)
  })

  test(`what is read of ${name} with one wrong word is written so that it reads and is written the same`, () => {
    let count = 0
    for (const { what, text: damaged } of damagedSource(text)) {
      const { blocks, faults } = readSource(damaged)
      if (faults.length > 0) continue
      for (const { object } of blocks) {
        const { text: _text, ...bare } = object
        const written = sourceTextOf(bare)
        if (written === undefined) continue
        const again = readSource(written)
        const [{ object: second }] = again.blocks as [SourceBlock]
        const { text: _second, ...bareSecond } = second
        assert.deepEqual([again.faults, sourceTextOf(bareSecond)], [[], written], what)
        assert.deepEqual(codeOf(second), codeOf(object), what)
        count++
      }
    }
    assert.ok(count > 100, `${count} blocks`)
  })
}

/** Networks with all that is in them but the places of statements; names and types of members. */
function codeOf({ networks, interface: sections }: ImportedObject): unknown {
  const members = sections.map(({ section, members: own }) => [
    section,
    own.map(({ name, dataType }) => [name, dataType]),
  ])
  return [networks.map(({ statementPlaces: _places, text: _text, ...network }) => network), members]
}
