/** Places of statements in networks of STL, beside the offsets at which the text was put together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../test/random.ts'
import type { Network } from '../../model/object.ts'
import { placesOfStatements } from '../../model/statement.ts'
import { placesOf } from '../places.ts'
import { readSource } from './read.ts'

/** Statements with what they look like; those of several lines have their line ends as `\n`. */
const statements = [
  'L #a;',
  'M001: L 5;',
  'M002:',
  'T #b;',
  'A(;',
  'NOP 0;',
  'CALL "Helper" ( a := 1, b := 2 );',
  'CALL "Helper"\n      (  a := 1 , // first\n\n         b := 2\n      );',
  "L 'x;y'; // text\n",
  'O  M 10.2;',
]
const between = ['\n', '\n\n', ' ', '\n      ', '\n// alone\n  ', '\n\t(* of two\n lines *)\n', '\n\n  //x\n\n']

function networkOf(random: ReturnType<typeof randomFrom>, from: number) {
  let text = ''
  const offsets: number[] = []
  for (let i = 0; i < 12; i++) {
    text += between[Math.floor(random() * between.length)]
    offsets.push(from + text.length)
    const statement = statements[Math.floor(random() * statements.length)] as string
    text += statement
    // A label is before the next statement, which then begins with it.
    if (statement === 'M002:') text += ' SET;'
  }
  return { text: `${text}\n`, offsets }
}

/** `offsets` of its statements in `text`, whose lines end with LF. */
function assertPlaces(
  network: Network | undefined,
  number: number,
  offsets: readonly number[],
  text: string,
  placeOf: ReturnType<typeof placesOf>,
) {
  const places = placesOfStatements(network ?? {}).filter((_, i) => network?.statements?.[i]?.mnemonic !== '')
  const wanted = offsets.map((offset) => {
    const before = text.slice(0, offset).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
  })
  assert.deepEqual(
    places.map((place) => placeOf({ network: number, ...place })),
    wanted,
    text,
  )
  // In the text that clients see.
  const lines = (network?.text ?? '').split('\n')
  const starts = places.map(({ line, column }) => lines[line - 1]?.slice(column - 1).slice(0, 4))
  assert.deepEqual(
    starts,
    offsets.map((offset) => text.slice(offset, offset + 4).split('\n')[0]),
    text,
  )
}

for (const lineEnd of ['\n', '\r\n'])
  test(`statements are found where they stand in networks, lines end with ${JSON.stringify(lineEnd)}`, () => {
    const random = randomFrom(17)
    for (let round = 0; round < 20; round++) {
      let text = 'FUNCTION "F" : VOID\nVAR_TEMP\n a : Int;\nEND_VAR\nBEGIN\n'
      const expected: number[][] = []
      for (let n = 0; n < 3; n++) {
        text += 'NETWORK\nTITLE = one\n'
        const network = networkOf(random, text.length)
        expected.push(network.offsets)
        text += network.text
      }
      text += 'END_FUNCTION\n'
      const source = text.replaceAll('\n', lineEnd)
      const { blocks, faults } = readSource(source)
      assert.deepEqual(faults, [])
      const object = blocks[0]?.object
      assert.ok(object)
      const placeOf = placesOf(object)
      for (const [n, offsets] of expected.entries()) assertPlaces(object.networks[n], n + 1, offsets, text, placeOf)
    }
  })

test('a network without a line is found at its first statement, one that does not exist at the name of the block', () => {
  const text =
    'FUNCTION "F" : VOID\nBEGIN\nNETWORK\nTITLE = one\n      SET;\nNETWORK\nTITLE = two\n\n  CLR;\nEND_FUNCTION\n'
  const [block] = readSource(text).blocks
  assert.ok(block)
  const placeOf = placesOf(block.object)
  assert.deepEqual(placeOf({ network: 1 }), { line: 5, column: 7 })
  assert.deepEqual(placeOf({ network: 2, line: 2, column: 3 }), { line: 9, column: 3 })
  assert.deepEqual(placeOf({ network: 7, line: 1 }), { line: 1, column: 10 })
  assert.deepEqual(placeOf({ network: 1, line: 99 }), { line: 5, column: 7 })
})
