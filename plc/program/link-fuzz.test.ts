/** Linking any documents gives a program; start values and symbols work for any of them too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSource } from '../formats/source/read.ts'
import { block } from '../testing/model-arbitraries.ts'
import { linkProgram } from './link-program.ts'
import { encodeValue, startImage } from './memory-image.ts'
import type { Program } from './program.ts'
import { programSymbols } from './program-symbols-of.ts'
import { symbolRows } from './symbol-rows.ts'
import { isTypeFault, parseTypeText } from './type-text.ts'

function use(program: Program): void {
  for (const one of program.blocks.values()) if (one.kind.endsWith('DB')) startImage(one, program)
  let count = 0
  const symbols = programSymbols(program, () => undefined)
  for (const _row of symbolRows(symbols, { expandsArrays: true })) if (++count > 1000) break
  for (const { message } of program.diagnostics) assert.ok(message.length > 0)
}

test('arbitrary documents are linked', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (objects) =>
      use(linkProgram(objects.map((object) => ({ object })))),
    ),
    { numRuns: 200 },
  )
})

const word = fc.constantFrom(
  ...'Array [ ] [0..3] [1..2, 0..1] [*] of Int Bool "A" "B" String [5] [#N] Struct REF_TO TON_TIME DTL IEC_COUNTER .. , 0 -5 99999999999 Word'.split(
    ' ',
  ),
)
const phrase = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))

test('arbitrary types give a type or a fault with its column', () => {
  fc.assert(
    fc.property(fc.oneof(phrase, fc.string()), (text) => {
      const result = parseTypeText(text)
      if (isTypeFault(result))
        assert.ok(result.column >= 1 && result.column <= text.length + 1 && result.message !== '')
      linkProgram([]).typeOf(text)
    }),
    { numRuns: 1000 },
  )
})

const value = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        ...'[ ] ( ) 1 2 -1 TRUE 3(0) 1000000000(0) , := a "b" \'x\' T#5s 16#FF P#M1.0 DT#1-1-1-0:0:0 1.5 x'.split(' '),
      ),
      { maxLength: 8 },
    )
    .map((words) => words.join(' ')),
)

test('arbitrary start values of arbitrary types are taken or refused', () => {
  const { typeOf } = linkProgram([])
  fc.assert(
    fc.property(phrase, value, fc.constantFrom('standard' as const, 'optimized' as const), (type, text, access) => {
      const of = typeOf(type)
      encodeValue(of, text, access)
      const name = `TYPE "A"\nSTRUCT\n x : Int;\nEND_STRUCT;\nEND_TYPE\nDATA_BLOCK "D"\nSTRUCT\n m : ${type} := ${text.replaceAll(';', ' ')};\n n : Array[0..3] of "A";\nEND_STRUCT;\nBEGIN\n n[1].x := ${text.replaceAll(';', ' ')};\nEND_DATA_BLOCK\n`
      use(linkProgram(readSource(name).blocks.map(({ object }) => ({ object }))))
    }),
    { numRuns: 1000 },
  )
})
