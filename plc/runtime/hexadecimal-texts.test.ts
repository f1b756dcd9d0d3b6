/** ATH and HTA against the examples and status tables of their TIA Portal help. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../testing/lower-source.ts'

/** RET_VAL, ENO and what the target contains; an array as its elements, a text as it is. */
function converted(instruction: 'ATH' | 'HTA', input: string, count: number, output: string, access = 'TRUE') {
  const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := '${access}' }
VAR i : ${input}; o : ${output}; back : Word; ok : Bool; END_VAR
BEGIN
#back := ${instruction}(IN := #i, N := ${count}, OUT => #o, ENO => #ok);
END_FUNCTION_BLOCK
`)
  run.scan()
  const last = /^Array\[0\.\.(\d+)\]/.exec(output)?.[1]
  const value =
    last !== undefined
      ? Array.from({ length: Number(last) + 1 }, (_one, k) => run.get(`o[${k}]`))
      : /String/.test(output)
        ? run.get('o')
        : run.bits('o')
  return [value, run.get('back'), run.get('ok')]
}

const codes = (text: string) => Array.from(text, (one) => one.charCodeAt(0))
const words = (...values: readonly number[]) =>
  `Array[0..${values.length - 1}] of Word := [${values.map((one) => `16#${one.toString(16)}`).join()}]`

describe('ATH: examples of the help', () => {
  const examples: [input: string, count: number, output: string, value: unknown, status?: number][] = [
    ["String := '0a23'", 4, 'Word', 0x0a23n],
    ["String := '0a23'", 4, 'UInt', 2595n],
    ["String := '123aFx1a23'", 10, 'LWord', 0x123af01a23000000n, 7],
    ["WString := WSTRING#'a23'", 3, 'Word', 0xa230n],
    ["String := '0a23'", 4, 'Array[0..1] of Word', [0x0a23, 0]],
    ["String := '0a23'", 4, 'Array[0..1] of Byte', [0x0a, 0x23]],
    ["String := 'aFbE'", 1, 'Char', 65n],
    ["WString := WSTRING#'aFbE'", 1, 'WChar', 65n],
    ["String := '0a23'", 4, 'Array[0..3] of Char', codes('0A23')],
    ["String := '0a23'", 4, 'Array[0..3] of WChar', codes('0A23')],
    ["String := '123aFC1a23'", 10, 'String', '123AFC1A23'],
    ["String := '123aFC1a23'", 10, 'WString', '123AFC1A23'],
    ["Array[0..3] of Char := ['a','B','E','3']", 4, 'Word', 0xabe3n],
    ["Array[0..3] of WChar := ['a','B','E','3']", 4, 'Word', 0xabe3n],
    ['Array[0..2] of Byte := [16#39,16#32,16#35]', 3, 'Word', 0x9250n],
    [words(0x1234, 0x32, 0x31, 0), 3, 'Word', 0x0210n, 7],
    [words(0x31, 0x32, 0x33, 0x34), 4, 'Word', 0x1234n],
    [words(0xab31, 0x32af, 0x4333, 0x34), 4, 'Word', 4n, 7],
    [words(0x31, 0x32, 0x33, 0x34), 4, 'Array[0..3] of Word', [0x1234, 0, 0, 0]],
    [words(0x34, 0x35, 0x36, 0x37, 0x41, 0x42, 0x43, 0x44), 8, 'DWord', 0x4567abcdn],
    // RET_VAL.
    ["String := '0a2'", 4, 'Word', 0n, 0x8182],
    ["String := '0a2345'", 6, 'Word', 0n, 0x8482],
    ["String := '0a23'", 4, 'Array[0..2] of Char', [0, 0, 0], 0x8482],
    ['Real', 4, 'Word', 0n, 0x8151],
    ["String := '0a23'", 4, 'Real', 0n, 0x8451],
  ]
  for (const [input, count, output, value, status = 0] of examples)
    for (const access of ['TRUE', 'FALSE'])
      it(`${count} of ${input} to ${output}, optimized access ${access}`, () => {
        assert.deepEqual(converted('ATH', input, count, output, access), [value, status, status === 0 ? 1 : 0])
      })
})

describe('HTA: examples of the help', () => {
  const examples: [input: string, count: number, output: string, value: unknown, status?: number][] = [
    ['Word := 16#0123', 2, 'String', '0123'],
    ['UInt := 291', 2, 'WString', '0123'],
    ['DInt := 305852434', 4, 'String', '123AF012'],
    ['Word := 16#ABE3', 2, 'Array[0..3] of Char', codes('ABE3')],
    ['Word := 16#ABE3', 2, 'Array[0..3] of WChar', codes('ABE3')],
    ['Word := 16#9250', 2, 'Array[0..3] of Byte', codes('9250')],
    [words(0x123a, 0, 0xabcd, 0), 2, 'Array[0..3] of Word', codes('123A')],
    ['DWord := 16#4567ABCD', 4, 'Array[0..7] of Word', codes('4567ABCD')],
    ['Array[0..1] of DWord := [16#A8000037,16#41]', 1, 'String', 'A8'],
    ["Array[0..3] of Char := ['0','A','2','3']", 2, 'String', '3041'],
    ["Array[0..3] of WChar := ['0','A','2','3']", 2, 'String', '3041'],
    ["String := '123AFC1A23'", 5, 'String', '3132334146'],
    ["WString := WSTRING#'123AFC1A23'", 5, 'WString', '3132334146'],
    ["Char := 'A'", 1, 'String', '41'],
    ['Byte := 16#41', 1, 'String', '41'],
    // RET_VAL; a target that is too short takes what fits.
    ['Byte := 16#41', 2, 'String', '', 0x8182],
    ['Word := 16#4142', 2, 'String[3]', '414', 0x8482],
    ['Word := 16#4142', 2, 'Array[0..2] of Byte', codes('414'), 0x8482],
    ['Real', 2, 'String', '', 0x8151],
    ['Word', 2, 'Real', 0n, 0x8451],
  ]
  for (const [input, count, output, value, status = 0] of examples)
    for (const access of ['TRUE', 'FALSE'])
      it(`${count} of ${input} to ${output}, optimized access ${access}`, () => {
        assert.deepEqual(converted('HTA', input, count, output, access), [value, status, status === 0 ? 1 : 0])
      })
})

describe('Strg_TO_Chars and Chars_TO_Strg: their help', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR list : Array[-2..1] of Char; n : UInt; ok : Bool; t : String; u : String;
  zero : Array[0..4] of Byte := [16#41,16#42,0,16#43,16#44];
END_VAR
BEGIN
Strg_TO_Chars(Strg := 'abcdef', pChars := 1, Cnt => #n, Chars := #list, ENO => #ok);
Chars_TO_Strg(Chars := #zero, pChars := 0, Cnt := 5, Strg => #t);
Chars_TO_Strg(Chars := #zero, pChars := 3, Cnt := 0, Strg => #u);
END_FUNCTION_BLOCK
`)
  run.scan()
  it('characters that do not fit are left out, and are not counted', () => {
    const list = [-2, -1, 0, 1].map((i) => run.get(`list[${i}]`))
    assert.deepEqual([list, run.get('n'), run.get('ok')], [[0, ...codes('abc')], 3, 0])
  })
  it('a character with the code 0 ends the text', () => {
    assert.deepEqual([run.get('t'), run.get('u')], ['AB', 'CD'])
  })
})
