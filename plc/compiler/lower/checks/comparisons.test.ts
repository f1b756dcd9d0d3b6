/** `comparison-always` against a reference that compares every value of a type of eight bits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf } from '../../../testing/lower-source.ts'
import type { Comparison } from '../operator-names.ts'

const compare: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const told = (type: string, lines: readonly string[]) =>
  diagnosticsOf(
    `FUNCTION_BLOCK "F"\nVAR_INPUT\n  a : ${type};\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR\nBEGIN\n${lines.map((line) => `#q := ${line};`).join('\n')}\nEND_FUNCTION_BLOCK\n`,
  ).flatMap(({ severity, code, line, message }) =>
    // Each line assigns the same output.
    code === 'dead-store' ? [] : [`${severity} ${line} ${code} ${message}`],
  )

for (const [type, low, high] of [
  ['SInt', -128, 127],
  ['USInt', 0, 255],
  ['Byte', 0, 255],
] as const)
  test(`a number beside a value of type ${type}: what no value changes is told, nothing else`, () => {
    const values = Array.from({ length: high - low + 1 }, (_, i) => low + i)
    const limits = [-1000, low - 1, low, low + 1, 0, 5, high - 1, high, high + 1, 1000]
    const lines: string[] = []
    const expected: string[] = []
    const add = (text: string, of: (value: number) => boolean) => {
      lines.push(text)
      const results = new Set(values.map(of))
      if (results.size > 1) return
      const always = results.has(true) ? 'TRUE' : 'FALSE'
      const why = `a value of type ${type} is from ${low} to ${high}`
      expected.push(`warning ${lines.length} comparison-always ${text} is always ${always}: ${why}.`)
    }
    for (const operator of Object.keys(compare) as Comparison[])
      for (const limit of limits) {
        if (type === 'Byte' && limit < 0) continue
        add(`#a ${operator} ${limit}`, (value) => compare[operator](value, limit))
        add(`${limit} ${operator} #a`, (value) => compare[operator](limit, value))
      }
    assert.deepEqual(told(type, lines), expected)
  })

const head = `FUNCTION_BLOCK "F"
VAR_INPUT
  s : SInt; u : USInt; by : Byte; w : Word; i : Int; l : LInt; ul : ULInt; dw : DWord; t : Time; s5 : S5Time;
  r : Real; lr : LReal; c : Char; x : Bool; list : Array[0..3] of Int;
END_VAR
VAR_OUTPUT
  q : Bool;
END_VAR
VAR CONSTANT
  most : Int := 300; one : Real := 1.0; none : Real := 0.0;
END_VAR
BEGIN
`
const always = (value: boolean, type: string, range: string) =>
  `comparison-always … is always ${value ? 'TRUE' : 'FALSE'}: a value of type ${type} is from ${range}.`
const small = always(false, 'USInt', '0 to 255')
const itself = (text: string) => `comparison-always ${text} is compared with itself.`
const equality = 'real-equality … compares real numbers for equality.'

for (const [text, expected] of [
  // Constants with a name, a type, or as a pattern, which is a negative number beside a signed value.
  ['#u > #most', small],
  ['#u > 100 + 200', small],
  ['#u = 16#100', small],
  ['#u = 16#FF'],
  ['#by < 16#0', always(false, 'Byte', '0 to 255')],
  ['#s = 16#80'],
  ['#s > 16#FFFF'],
  ['#i = UINT#40000', always(false, 'Int', '-32768 to 32767')],
  ['#w = 16#1_0000', always(false, 'Word', '0 to 65535')],
  // Values that are no variables
  ['NOT (#u >= 0)', always(true, 'USInt', '0 to 255')],
  ['#u + #u > 300', small.replace('…', 'the value > 300')],
  ['#w.%B0 > 255', always(false, 'Byte', '0 to 255')],
  ['%IW2 > 65535', always(false, 'Word', '0 to 65535')],
  // The widest numbers
  ['#ul >= 0', always(true, 'ULInt', '0 to 18446744073709551615')],
  ['#ul = 18446744073709551615'],
  ['#l > 9223372036854775807', always(false, 'LInt', '-9223372036854775808 to 9223372036854775807')],
  ['#l > -9223372036854775808'],
  ['#dw <= 4294967295', always(true, 'DWord', '0 to 4294967295')],
  // Constants of other kinds
  ['#w >= S5T#0ms'],
  ['#s5 >= 0'],
  ['#t >= T#0s'],
  ["#c = 'a'"],
  ['#x = TRUE'],
  // A value beside itself
  ['#x = #x', itself('#x')],
  ['#w.%X1 = #w.%X1', itself('#w.%X1')],
  ['%IW2 <> %IW2', itself('%IW2')],
  ['#w.%X1 = #w.%X2'],
  ['#w.%B0 = #w.%B1'],
  ['#w = #w.%B1'],
  ['ABS(#i) = ABS(#i)'],
  ['#list[#i] = #list[#i]'],
  ['#r <> #r'],
  // Real numbers
  ['#r = 1', equality],
  ['1 = #r', equality],
  ['#r = #i', equality],
  ['#lr = #r', equality],
  ['#r <> #one', equality],
  ['#r = ABS(#lr)', equality.replace('…', '#r = the value')],
  ['#r <> 0'],
  ['0.0 = #r'],
  ['#r = #none'],
  ['#r <> #i'],
  ['#r >= 1.0'],
] as const)
  test(`#q := ${text};`, () => {
    const of = diagnosticsOf(`${head}#q := ${text};\nEND_FUNCTION_BLOCK\n`)
    const compared = text.replace(/^NOT \((.*)\)$/, '$1')
    assert.deepEqual(
      of.map(({ code, message }) => `${code} ${message}`),
      expected === undefined ? [] : [expected.replace('…', compared)],
    )
  })
