import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveringInteger, elementaryType, parseElementaryType, realMax } from './data-type.ts'
import { fitsReal, literalPrefixes, parseNumber, parseText, parseTyped, prefixType, rangeText } from './literal.ts'

/** The value, or the code of the fault. */
const valueIn = (text: string): unknown => {
  const [prefix, body] = [text.slice(0, text.indexOf('#')), text.slice(text.indexOf('#') + 1)]
  const found = parseTyped(prefix, body)
  return 'code' in found ? found.code : found.kind === 'typed' ? (found.value ?? found.type.name) : found.kind
}
const numberOf = (text: string): unknown => {
  const found = parseNumber(text)
  return 'code' in found ? found.code : found.kind === 'integer' || found.kind === 'real' ? found.value : found.kind
}
const outOfRange = 'value_out_of_range'
const invalid = 'literal_invalid'

/** The ranges of the manual's table of data types, as their powers of two. */
const integers: readonly (readonly [name: string, least: bigint, most: bigint])[] = [
  ['Byte', 0n, 255n],
  ['Word', 0n, 65_535n],
  ['DWord', 0n, 4_294_967_295n],
  ['LWord', 0n, 18_446_744_073_709_551_615n],
  ['SInt', -128n, 127n],
  ['Int', -32_768n, 32_767n],
  ['DInt', -2_147_483_648n, 2_147_483_647n],
  ['LInt', -9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
  ['USInt', 0n, 255n],
  ['UInt', 0n, 65_535n],
  ['UDInt', 0n, 4_294_967_295n],
  ['ULInt', 0n, 18_446_744_073_709_551_615n],
]

test('integers and bit strings have the ranges of their bits', () => {
  for (const [name, least, most] of integers) {
    assert.deepEqual(elementaryType(name).range, [least, most], name)
    assert.equal(rangeText(elementaryType(name)), `${least} to ${most}`)
    assert.equal(valueIn(`${name}#${most}`), most)
    assert.equal(valueIn(`${name}#${most + 1n}`), outOfRange, name)
    assert.equal(valueIn(`${name}#${least}`), least)
    assert.equal(valueIn(`${name}#${least - 1n}`), outOfRange, name)
    assert.equal(valueIn(`${name}#16#${most.toString(16)}`), most)
  }
  assert.deepEqual(
    ['USInt', 'SInt', 'UInt', 'LInt', 'ULInt'].map(
      (name) => coveringInteger(elementaryType('USInt'), elementaryType(name))?.name,
    ),
    ['USInt', 'Int', 'UInt', 'LInt', 'ULInt'],
  )
  assert.equal(coveringInteger(elementaryType('ULInt'), elementaryType('SInt')), undefined)
})

test('numbers without a type have any base; large and malformed ones are faults', () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['0', 0n],
    ['1_000', 1000n],
    ['007', 7n],
    ['16#fF', 255n],
    ['16#FF_FF', 65_535n],
    ['2#1010_1010', 170n],
    ['8#17', 15n],
    ['10#42', 42n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
    ['18446744073709551616', outOfRange],
    ['1.5', 1.5],
    ['1_0.2_5', 10.25],
    ['1.0E-3', 0.001],
    ['1e3', 1000],
    ['1.0E400', outOfRange],
    ...['2#12', '8#8', '10#A', '16#G', '16#', '3#1', '1__0', '_1', '1.', '.5', '1e', '', 'a', '+1'].map(
      (text) => [text, invalid] as const,
    ),
  ]
  for (const [text, value] of cases) assert.deepEqual(numberOf(text), value, text)
  const texts = ['16#ff', '1e3', '1.5e3', '5'].map((text) => (parseNumber(text) as { text: string }).text)
  assert.deepEqual(texts, ['16#FF', '1.0E3', '1.5E3', '5'])
})

test('real numbers fit up to the largest one', () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['REAL#1.5', 1.5],
    ['REAL#-1.5', -1.5],
    ['REAL#+2', 2],
    ['REAL#3.402823E+38', 3.402823e38],
    ['REAL#3.5E38', outOfRange],
    ['REAL#-3.5E38', outOfRange],
    ['LREAL#3.5E38', 3.5e38],
    ['LREAL#1E309', invalid],
    ['REAL#x', invalid],
    ['REAL#--1', invalid],
  ]
  for (const [text, value] of cases) assert.deepEqual(valueIn(text), value, text)
  const [real, long] = [elementaryType('Real'), elementaryType('LReal')]
  assert.deepEqual([fitsReal(realMax, real), fitsReal(3.41e38, real), fitsReal(3.41e38, long)], [true, false, true])
  assert.equal(fitsReal(Number.POSITIVE_INFINITY, long), false)
})

test('durations have their units from the largest to the smallest, and the range of their type', () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['T#1d2h3m4s5ms', 93_784_005n],
    ['T#5s', 5000n],
    ['T#-1s', -1000n],
    ['T#+1s', 1000n],
    ['TIME#1.5s', 1500n],
    ['T#1h_30m', 5_400_000n],
    ['T#1_000ms', 1000n],
    ['T#0.0005s', 0n],
    ['T#1S', 1000n],
    ['T#24d20h31m23s647ms', 2_147_483_647n],
    ['T#24d20h31m23s648ms', outOfRange],
    ['T#-24d20h31m23s648ms', -2_147_483_648n],
    ['T#-24d20h31m23s649ms', outOfRange],
    ['LT#1us', 1000n],
    ['LT#1ms2us3ns', 1_002_003n],
    ['LTIME#1.5us', 1500n],
    ['LT#106751d23h47m16s854ms775us807ns', 9_223_372_036_854_775_807n],
    ['LT#106751d23h47m16s854ms775us808ns', outOfRange],
    ['LT#-106751d23h47m16s854ms775us808ns', -9_223_372_036_854_775_808n],
    ['S5T#2h46m30s', 9_990_000n],
    ['S5T#2h46m30s1ms', outOfRange],
    ['S5TIME#-1s', outOfRange],
    ...['', '-', '5', '1m1h', '1s1s', '1.5m3s', '1us', '1ns', '1x', 's', '1s-', '1..5s', '--1s'].map(
      (body) => [`T#${body}`, invalid] as const,
    ),
  ]
  for (const [text, value] of cases) assert.deepEqual(valueIn(text), value, text)
  const faultOf = (text: string) => {
    const found = parseTyped('T', text)
    return 'code' in found ? [found.message, found.allowed] : []
  }
  const allowed = 'a duration such as T#5s, T#1h30m, T#250ms'
  assert.deepEqual(faultOf(''), ['T# is no Time constant: the value is missing.', allowed])
  assert.deepEqual(faultOf('1us'), ['T#1us is no Time constant: the unit us is not possible.', allowed])
  assert.deepEqual(faultOf('1m1h'), ['T#1m1h is no Time constant: the unit h stands in the wrong place.', allowed])
  assert.deepEqual(faultOf('1.5m3s'), [
    'T#1.5m3s is no Time constant: only the last number may have a fraction.',
    allowed,
  ])
  assert.deepEqual(faultOf('1s5'), ['T#1s5 is no Time constant: "5" is no number with a unit.', allowed])
})

test('dates and times of day are those of the calendar, in the years of their type', () => {
  const good = [
    ['D', 'Date', '1990-01-01', '2169-06-06', '2024-02-29', '2000-2-9'],
    ['TOD', 'Time_Of_Day', '00:00:00', '23:59:59.999', '1:2:3'],
    ['LTOD', 'LTime_Of_Day', '23:59:59.999999999'],
    ['DT', 'Date_And_Time', '1990-01-01-00:00:00', '2089-12-31-23:59:59.999'],
    ['LDT', 'LDT', '1970-01-01-00:00:00', '2262-04-11-23:47:16', '2262-4-11-23:47:16.854775807'],
    ['DTL', 'DTL', '1970-01-01-00:00:00', '2262-01-01-00:00:00.5'],
  ] as const
  for (const [prefix, name, ...bodies] of good)
    for (const body of bodies) assert.equal(valueIn(`${prefix}#${body}`), name, `${prefix}#${body}`)
  const faults: readonly (readonly [code: string, ...texts: readonly string[]])[] = [
    [outOfRange, 'D#1989-12-31', 'D#2169-06-07', 'D#2169-07-01', 'D#2170-01-01', 'DT#1989-12-31-00:00:00'],
    [
      outOfRange,
      'DT#2090-01-01-00:00:00',
      'LDT#1969-12-31-00:00:00',
      'LDT#2263-01-01-00:00:00',
      'LDT#2262-04-11-23:47:16.854775808',
      'LDT#2262-4-11-23:47:16.9',
      'LDT#2262-04-12-00:00:00',
      'DTL#2263-01-01-00:00:00',
    ],
    [
      invalid,
      'D#2023-02-29',
      'D#2024-00-01',
      'D#2024-13-01',
      'D#2024-01-00',
      'D#2024-04-31',
      'D#2024-01-32',
      'D#24-01-01',
    ],
    [
      invalid,
      'TOD#24:00:00',
      'TOD#00:60:00',
      'TOD#00:00:60',
      'TOD#00:00',
      'DT#2024-01-01',
      'DT#2024-01-01-24:00:00',
      'D#x',
    ],
  ]
  for (const [code, ...texts] of faults) for (const text of texts) assert.equal(valueIn(text), code, text)
})

test('texts have as many characters as the controller counts', () => {
  const lengthOf = (text: string, wide?: boolean) => {
    const found = parseText(text, wide)
    return 'code' in found ? found.code : found.kind === 'text' ? found.length : found.kind
  }
  const cases: readonly (readonly [text: string, wide: boolean, length: unknown])[] = [
    ["''", false, 0],
    ["'abc'", false, 3],
    ["'a$'b'", false, 3],
    ["'$$$L$P$R$T'", false, 5],
    ["'$N'", false, 2],
    ["'$n1'", false, 3],
    ["'$41'", false, 1],
    ["'$0041'", false, 3],
    ["'$0041'", true, 1],
    ["'$41'", true, invalid],
    ["'$4'", false, invalid],
    ["'$X'", false, invalid],
    ["'a$'", false, invalid],
  ]
  for (const [text, wide, length] of cases) assert.equal(lengthOf(text, wide), length, `${text} ${wide}`)
  const typed = (text: string) => {
    const found = parseTyped(text.slice(0, text.indexOf('#')), text.slice(text.indexOf('#') + 1))
    return 'code' in found ? found.code : found.kind === 'typed' ? [found.type.name, found.type.length] : found.kind
  }
  assert.deepEqual(typed("STRING#'ab'"), ['String', 2])
  assert.deepEqual(typed("WSTRING#''"), ['WString', 1])
  assert.deepEqual(typed("CHAR#'a'"), ['Char', undefined])
  for (const text of ["CHAR#''", "CHAR#'ab'", "WCHAR#'$41'"]) assert.equal(typed(text), invalid, text)
  assert.deepEqual(typed(`STRING#'${'a'.repeat(254)}'`), ['String', 254])
  assert.equal(typed(`STRING#'${'a'.repeat(255)}'`), outOfRange)
  assert.deepEqual(typed(`WSTRING#'${'a'.repeat(16_382)}'`), ['WString', 16_382])
  assert.equal(typed(`WSTRING#'${'a'.repeat(16_383)}'`), outOfRange)
})

test('Bool constants, prefixes and the names of types', () => {
  assert.deepEqual(['BOOL#1', 'BOOL#true', 'BOOL#FALSE'].map(valueIn), ['Bool', 'Bool', 'Bool'])
  assert.deepEqual(['BOOL#2', 'BOOL#', 'XYZ#1', 'constructor#1'].map(valueIn), [invalid, invalid, invalid, invalid])
  assert.equal(prefixType('dT')?.name, 'Date_And_Time')
  assert.equal(prefixType('toString'), undefined)
  assert.ok(literalPrefixes.includes('S5TIME') && literalPrefixes.every((prefix) => prefix === prefix.toUpperCase()))
  const named = (text: string) => parseElementaryType(text)?.name
  assert.deepEqual(
    [' bool ', 'REAL', 'tod', 'LTOD', 'dt', 'Date_And_LTime', 'String[1]', 'string [ 254 ]', 'WString[16382]'].map(
      named,
    ),
    [
      'Bool',
      'Real',
      'Time_Of_Day',
      'LTime_Of_Day',
      'Date_And_Time',
      'LDT',
      'String[1]',
      'String[254]',
      'WString[16382]',
    ],
  )
  for (const text of ['String[0]', 'String[255]', 'WString[16383]', 'Int[5]', 'Motor', 'String[]', '"Int"', ''])
    assert.equal(named(text), undefined, text)
  assert.deepEqual(parseElementaryType('String[20]'), { ...elementaryType('String'), name: 'String[20]', length: 20 })
  assert.throws(() => elementaryType('Motor'), /"Motor" is no elementary data type/)
})
