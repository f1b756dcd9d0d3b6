/**
 * A file with everything that SIMATIC SD has, each of its words left out and doubled in turn: what is refused, with
 * what words and where, and else what is read another way; and each instruction in a rung (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { damagedSource, tableOfAnswers } from '../../testing/damage.ts'
import { networkLines } from '../../testing/network-lines.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { instructions } from './instructions.ts'
import { readSd } from './read.ts'
import { writeSd } from './write.ts'

const resources = new Map('abcd'.split('').map((id) => [`MLC_${id}`, { 'en-US': `text ${id}` }]))

function linesOf(text: string): string[] {
  const { blocks } = readSd(text, { resources })
  return blocks.flatMap(({ object: { text: _text, networks, ...object } }) => [
    ...outline([object], ['format']),
    ...networks.flatMap(({ graph, parts: _parts, ...network }) => [
      ...outline([network]),
      ...(graph === undefined ? [] : networkLines(graph)),
    ]),
  ])
}

function problemsOf(text: string): string[] {
  const { faults, warnings } = readSd(text, { resources })
  const all = [
    ...faults.map(({ line, column, message }) => `${line}:${column} ${message}`),
    ...warnings.map(({ message }) => message),
  ]
  return all.length > 3 ? [...all.slice(0, 2), `${all.length} problems`] : all
}

const text = fixtureText(import.meta.url, 'dense.s7dcl')

test('a file is read to all it has', () => {
  const { blocks } = readSd(text, { resources })
  const ids = blocks.map(({ textIds }) => [...(textIds ?? [])])
  const told = [...problemsOf(text), ...linesOf(text), ...outline(ids)]
  assertRecorded(import.meta.url, 'dense-model.txt', `${told.join('\n')}\n`)
})

test('a file with one wrong word is refused with words and place, or read with that difference', () => {
  const whole = linesOf(text)
  const usual = new Set(problemsOf(text))
  const answer = (damaged: string): string[] => [
    ...problemsOf(damaged).filter((problem) => !usual.has(problem)),
    ...changedLines(whole, linesOf(damaged), 1),
  ]
  assertRecorded(import.meta.url, 'dense-damaged.txt', tableOfAnswers(damagedSource(text), answer))
})

test('what is read of a file with one wrong word is written so that it is read and written the same', () => {
  let count = 0
  for (const { what, text: damaged } of [{ what: 'whole', text }, ...damagedSource(text)]) {
    const { blocks, faults } = readSd(damaged, { resources })
    if (faults.length > 0) continue
    for (const { object } of blocks) {
      const written = writeSd(object)
      const again = readSd(written.content, { resources: written.resources })
      assert.deepEqual(again.faults, [], what)
      assert.equal(writeSd(again.blocks[0]!.object).content, written.content, what)
      count++
    }
  }
  assert.ok(count > 150, `${count} blocks`)
})

test('a network that does not name its language is LAD when its rungs begin with a wire, also behind labels', () => {
  const languageOf = (rungs: string) =>
    readSd(`FUNCTION F : Void\nNETWORK\n${rungs}\nEND_NETWORK\nEND_FUNCTION\n`).blocks[0]?.object.networks[0]?.language
  assert.equal(languageOf('Label( l )\nRUNG wire#powerrail\nCoil( #a )\nEND_RUNG'), 'LAD')
  assert.equal(languageOf('Label( l )\nRUNG #b\nCoil( #a )\nEND_RUNG'), 'FBD')
  assert.equal(languageOf('RUNG wire#powerrail\nEND_RUNG'), 'LAD')
  assert.equal(languageOf('rung #b\nCoil( #a )\nend_rung'), 'FBD')
})

test('each instruction is read from a rung, and written again', () => {
  const told = instructions.flatMap((entry) => {
    const values = ['#a', '#"b c"', '"Data".c', 'T#4s', '"tag"', '#e', '#f']
    const given = entry.pins.map(({ sd, arrow, from }, i) => {
      const name = from === undefined ? sd : `${sd}${from}`
      return entry.single === undefined ? `${name} ${arrow ? `=> #o${i}` : `:= ${values[i]}`}` : values[i]
    })
    const call = `${entry.hasInstance ? '#own.' : ''}${entry.sd}( ${given.join(', ')} )`
    const next = entry.flowOut === undefined ? '' : 'Coil( #z )'
    const rung = `RUNG wire#powerrail Contact( #y ) ${call} ${next} END_RUNG`
    const read = readSd(
      `FUNCTION_BLOCK "B"\n{ S7_Language := "LAD" }\nNETWORK\n${rung}\nEND_NETWORK\nEND_FUNCTION_BLOCK\n`,
    )
    const object = read.blocks[0]?.object
    const lines = networkLines(object?.networks[0]?.graph).filter((line) => !/^(powerrail ->|#y ->|#z ->)/.test(line))
    let written: string[]
    try {
      const { content, warnings } = object === undefined ? { content: '', warnings: [] } : writeSd(object)
      const rungs = /RUNG wire#powerrail\s+([\s\S]*?)\s+END_RUNG/.exec(content)?.[1] ?? ''
      written = [rungs.replace(/\s+/g, ' ').replace(/^Contact\( #y \) | Coil\( #z \)$/g, ''), ...warnings]
    } catch (error) {
      written = [`refused: ${(error as Error).message}`]
    }
    const problems = [
      ...read.faults.map(({ message }) => `! ${message}`),
      ...read.warnings.map(({ message }) => `! ${message}`),
    ]
    return [call, ...[...problems, ...lines].map((line) => `  ${line}`), ...written.map((line) => `  = ${line}`)]
  })
  assertRecorded(import.meta.url, 'instructions.txt', `${told.join('\n')}\n`)
})
