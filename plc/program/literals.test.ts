/** Constants as they are written: type, value, or why they are none (TIA help, "Valid constants" of each data type). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constantFor } from './constants.ts'
import { literalOf } from './literals.ts'
import { Byte, Char, Int, Real, WChar, Word } from './scalars.ts'
import { typeName } from './type-name.ts'
import { parseValueText } from './value-text.ts'

/** `Int 5`, `- 5` without a type, `16` behind a bit pattern; `!` and what is told. */
function shown(text: string): string {
  const read = literalOf(text)
  if (!('kind' in read)) return `! ${read.message}`
  const { type, value, isPattern } = read
  return `${type ? typeName(type) : '-'} ${typeof value === 'string' ? `"${value}"` : value}${isPattern ? ' pattern' : ''}`
}

const longest = 'LT#106751d23h47m16s854ms775us807ns'
const outside = (text: string, type: string) => `! ${text} does not fit into ${type}.`
const noNumber = (text: string) => `! ${text} is no number.`
const noType = (name: string) => `! ${name}# is no type of a constant.`

for (const [text, expected] of [
  // Numbers
  ['5', '- 5'],
  ['-5', '- -5'],
  ['+5', '- 5'],
  ['- 5', '- -5'],
  ['--5', noNumber('-5')],
  ['1_000', '- 1000'],
  ['1__0', noNumber('1__0')],
  ['_1', noNumber('_1')],
  ['5x', noNumber('5x')],
  ['', noNumber('')],
  ['16#FF', '- 255 pattern'],
  ['16#ff_00', '- 65280 pattern'],
  ['-16#1', '- -1 pattern'],
  ['2#1010_1010', '- 170 pattern'],
  ['8#17', '- 15 pattern'],
  ['2#12', noNumber('2#12')],
  ['8#8', noNumber('8#8')],
  ['16#G', noNumber('16#G')],
  ['3#1', noNumber('3#1')],
  ['1.5', '- 1.5'],
  ['-1.5e3', '- -1500'],
  ['1E5', '- 100000'],
  ['1e', noNumber('1e')],
  ['.5', noNumber('.5')],
  ['5.', noNumber('5.')],
  ['NULL', noNumber('NULL')],
  // Truth values
  ['TRUE', 'Bool 1'],
  ['false', 'Bool 0'],
  ['BOOL#1', 'Bool 1'],
  ['BOOL#False', 'Bool 0'],
  ['BOOL#2', '! BOOL#2 is no Bool constant.'],
  ['-TRUE', '! -TRUE is no constant.'],
  // Typed numbers
  ['INT#-5', 'Int -5'],
  ['-INT#5', 'Int -5'],
  ['INT#32767', 'Int 32767'],
  ['INT#32768', outside('INT#32768', 'Int')],
  ['INT#16#7FFF', 'Int 32767 pattern'],
  ['INT#16#FFFF', outside('INT#16#FFFF', 'Int')],
  ['INT#1.5', '! INT#1.5 is no Int constant.'],
  ['USINT#-1', outside('USINT#-1', 'USInt')],
  ['UINT#16#FFFF', 'UInt 65535 pattern'],
  ['REAL#1', 'Real 1'],
  ['REAL#1E300', outside('REAL#1E300', 'Real')],
  ['LREAL#1E300', 'LReal 1e+300'],
  ['BYTE#255', 'Byte 255'],
  ['BYTE#256', outside('BYTE#256', 'Byte')],
  ['W#16#1234', 'Word 4660 pattern'],
  // Of STEP 7
  ['B#(1,2)', 'Word 258'],
  ['B#(1, 2, 3, 255)', 'DWord 16909311'],
  ['B#(1,2,3)', '! B#(1,2,3) is no Byte constant.'],
  ['B#(1,256)', '! B#(1,256) is no Byte constant.'],
  ['C#123', 'Word 291'],
  ['C#1000', noType('C')],
  ['L#-5', '- -5'],
  ['L#+5', '- 5'],
  ['L#x', noType('L')],
  ['P#5.3', 'DWord 43'],
  ['P#M1.0', 'DWord 2197815304'],
  // Durations
  ['T#5s', 'Time 5000'],
  ['-T#5s', 'Time -5000'],
  ['T#1d2h3m4s5ms', 'Time 93784005'],
  ['T#1.5s', 'Time 1500'],
  ['TIME#24d20h31m23s647ms', 'Time 2147483647'],
  ['T#24d20h31m23s648ms', outside('T#24d20h31m23s648ms', 'Time')],
  ['T#-24d20h31m23s648ms', 'Time -2147483648'],
  ['T#-24d20h31m23s649ms', outside('T#-24d20h31m23s649ms', 'Time')],
  ['T#5', '! T#5 is no Time constant: "5" is no number with a unit.'],
  ['T#5s3m', '! T#5s3m is no Time constant: the unit m stands in the wrong place.'],
  ['LT#1us2ns', 'LTime 1002'],
  [longest, 'LTime 9223372036854775807'],
  [longest.replace('807ns', '808ns'), outside(longest.replace('807ns', '808ns'), 'LTime')],
  ['S5T#10ms', 'S5Time 1'],
  ['S5T#1s', 'S5Time 256'],
  ['S5TIME#9990s', 'S5Time 14745'],
  ['S5T#9991s', outside('S5T#9991s', 'S5Time')],
  // Days and times of day
  ['D#1990-01-01', 'Date 0'],
  ['D#2024-02-29', 'Date 12477'],
  ['D#2023-02-29', '! D#2023-02-29 names a day that does not exist.'],
  ['D#1989-12-31', outside('D#1989-12-31', 'Date')],
  ['D#2169-06-06', 'Date 65535'],
  ['D#2169-06-07', outside('D#2169-06-07', 'Date')],
  ['D#24-01-31', '! D#24-01-31 is no Date constant.'],
  ['TOD#1:2:3.4', 'Time_Of_Day 3723400'],
  ['TOD#23:59:59.999', 'Time_Of_Day 86399999'],
  ['TOD#24:00:00', '! TOD#24:00:00 names a time of day that does not exist.'],
  ['LTOD#10:00:00.123456789', 'LTime_Of_Day 36000123456789'],
  ['DT#90-1-1-0:0:0', 'Date_And_Time "1990-1-1-0:0:0"'],
  ['DT#89-1-1-0:0:0', 'Date_And_Time "2089-1-1-0:0:0"'],
  ['DT#2090-01-01-00:00:00', outside('DT#2090-01-01-00:00:00', 'Date_And_Time')],
  ['LDT#1970-01-01-00:00:01', 'LDT 1000000000'],
  ['LDT#1969-12-31-23:59:59', outside('LDT#1969-12-31-23:59:59', 'LDT')],
  ['DTL#2024-01-31-12:00:00', 'DTL "2024-01-31-12:00:00"'],
  ['DTL#2024-13-31-12:00:00', '! DTL#2024-13-31-12:00:00 names a day that does not exist.'],
  // Texts
  ["'abc'", '- "abc"'],
  ["''", '- ""'],
  ["'a$'b$$$41'", '- "a\'b$A"'],
  ["'a", "! 'a has no apostrophe at its end."],
  ["'", "! ' has no apostrophe at its end."],
  ["'$x'", '! $x is no escape in a text.'],
  ["CHAR#'a'", 'Char 97'],
  ["CHAR#'ab'", "! CHAR#'ab' is no Char constant: it has 2 characters."],
  ["WCHAR#'Ω'", 'WChar 937'],
  ["STRING#'abc'", 'String[3] "abc"'],
  ["WSTRING#'a$03A9'", 'WString[2] "aΩ"'],
] as const)
  test(`the constant ${text}`, () => assert.equal(shown(text), expected))

test('constants without a type take the type of what they are assigned to, when they fit', () => {
  const of = (text: string, type: typeof Int) => {
    const read = literalOf(text)
    assert.ok('kind' in read, text)
    const fitting = constantFor(read, type)
    return 'value' in fitting ? fitting.value : fitting.fault
  }
  assert.deepEqual(
    [of("'a'", Char), of("'ÿ'", Char), of("'Ω'", WChar), of('16#FFFF', Int), of('16#FF', Byte), of('5', Real)],
    [97n, 255n, 937n, -1n, 255n, 5],
  )
  for (const [text, type, fault] of [
    ["'Ω'", Char, "'Ω' does not fit into Char (0 to 255)"],
    ["'ab'", Char, "'ab' is a text, not a value of type Char"],
    ["''", Char, "'' is a text, not a value of type Char"],
    ["'a'", Word, "'a' is a text, not a value of type Word"],
    ['-1', Word, '-1 does not fit into Word (0 to 65535)'],
    ['16#1_0000', Int, '16#1_0000 does not fit into Int (-32768 to 32767)'],
    ['1.0', Int, '1.0 is a real number, not a value of type Int'],
    ['3.5E38', Real, '3.5E38 does not fit into Real'],
  ] as const)
    assert.equal(of(text, type), fault)
})

/** `[1, 3(0)]`, `(a := 1)`: lists with their repetitions, structures. */
function tree(value: ReturnType<typeof parseValueText>): string {
  if (value === undefined) return 'malformed'
  if (value.kind === 'one') return value.text
  if (value.kind === 'fields') return `(${value.fields.map((one) => `${one.name} := ${tree(one.value)}`).join(', ')})`
  return `[${value.items.map(({ count, value: one }) => (count === 1 ? tree(one) : `${count}(${tree(one)})`)).join(', ')}]`
}

test('start values: one, lists with and without brackets, repetitions, structures', () => {
  for (const [text, expected] of [
    ['5', '5'],
    [' T#5s ', 'T#5s'],
    ['B#(1,2)', 'B#(1,2)'],
    ["'a,b)]'", "'a,b)]'"],
    ["'it$'s, so'", "'it$'s, so'"],
    ['"MAX, 1"', '"MAX, 1"'],
    ['[1, 2]', '[1, 2]'],
    ['[]', '[]'],
    ['1, 2, 3(0)', '[1, 2, 3(0)]'],
    ['3(0)', '[3(0)]'],
    ['3(0), 1', '[3(0), 1]'],
    ['1_0(0)', '[10(0)]'],
    ['2(1, 2)', '[2([1, 2])]'],
    ['[2([1, 2]), (a := 1, "b c" := [3])]', '[2([1, 2]), (a := 1, b c := [3])]'],
    ['(1, 2)', '[1, 2]'],
    ['(a := (b := 1))', '(a := (b := 1))'],
    ['[1, 2', 'malformed'],
    ['1, 2]', 'malformed'],
    ['[1,, 2]', 'malformed'],
    ['1,', 'malformed'],
    ['', 'malformed'],
    ['(a := 1', 'malformed'],
    ['(a := 1, 2)', 'malformed'],
    ['(a := )', 'malformed'],
    ['3(0', 'malformed'],
    ['"open', 'malformed'],
    [`${'['.repeat(32)}1${']'.repeat(32)}`, `${'['.repeat(32)}1${']'.repeat(32)}`],
    [`${'['.repeat(33)}1${']'.repeat(33)}`, 'malformed'],
  ] as const)
    assert.equal(tree(parseValueText(text)), expected, text)
})
