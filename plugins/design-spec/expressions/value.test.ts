/** Values of the check of phases, by the table at the head of value.ts and the types of S7-1500. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import { parseTyped } from '../../../plc/model/literal.ts'
import { converted, fitted, rangeOfType, startValue, textValue, toJson, typedValue, Unpredictable } from './value.ts'

const type = (name: string) => {
  const read = parseElementaryType(name)
  assert.ok(read, name)
  return read
}
/** The value of a typed constant as it is written. */
const value = (text: string) => {
  const [prefix = '', ...body] = text.split('#')
  const read = parseTyped(prefix, body.join('#'))
  assert.ok('kind' in read && read.kind === 'typed', text)
  return typedValue(read)
}
const at = (text: string) => BigInt(Date.parse(text))

test('what a variable holds before anything is written', () => {
  const starts = { Bool: false, Int: 0n, Word: 0n, Real: 0, 'String[5]': '', Char: ' ', Time: 0n, LTime: 0n }
  const dates = { Date: 7305n, Date_And_Time: at('1990-01-01'), LDT: 0n, DTL: 0n, Time_Of_Day: 0n, LTime_Of_Day: 0n }
  for (const [name, start] of Object.entries({ ...starts, ...dates })) assert.equal(startValue(type(name)), start, name)
})

test('typed constants', () => {
  for (const [text, expected] of [
    ['BOOL#1', true],
    ['BOOL#TRUE', true],
    ['BOOL#0', false],
    ['INT#-5', -5n],
    ['BYTE#16#1F', 31n],
    ['REAL#0.1', Math.fround(0.1)],
    ['LREAL#0.1', 0.1],
    ['T#1s500ms', 1500n],
    ['LT#1s', 1_000_000_000n],
    ["CHAR#'A'", 'A'],
    ['D#1990-01-02', 7306n],
    ['TOD#01:02:03.004', 3_723_004n],
    ['LTOD#01:02:03.004', 3_723_004_000_000n],
    ['DT#1990-01-02-03:04:05.006', at('1990-01-02T03:04:05.006Z')],
    ['LDT#1970-01-02-00:00:01', 86_401_000_000_000n],
    ['LDT#1970-01-01-00:00:00.000000001', 1n],
  ] as const)
    assert.equal(value(text), expected, text)
  assert.equal(textValue("'$L$r$$$'$41$n$x'", false), "\n\r$'A\r\nx")
  assert.equal(textValue("'$20AC$p$t'", true), '€\f\t')
})

test('a value fits its type, or nobody can say what a controller makes of it', () => {
  const limits = { Date: [7305n, 72_840n], Time_Of_Day: [0n, 86_399_999n], LTime_Of_Day: [0n, 86_399_999_999_999n] }
  const more = {
    ...{ Int: [-32_768n, 32_767n], LDT: [0n, 9_223_372_036_854_775_807n] },
    Date_And_Time: [at('1990-01-01'), at('2089-12-31T23:59:59.999Z')],
  }
  for (const [name, [low = 0n, high = 0n]] of Object.entries({ ...limits, ...more })) {
    assert.deepEqual(rangeOfType(type(name)), [low, high], name)
    assert.deepEqual([fitted(low, type(name)), fitted(high, type(name))], [low, high])
    for (const beyond of [low - 1n, high + 1n]) assert.throws(() => fitted(beyond, type(name)), Unpredictable, name)
  }
  assert.throws(() => fitted(1e39, type('Real')), Unpredictable)
  assert.throws(() => fitted(Number.NaN, type('LReal')), Unpredictable)
  assert.deepEqual([fitted(1e39, type('LReal')), fitted(0.1, type('Real'))], [1e39, Math.fround(0.1)])
  assert.deepEqual([fitted('abcd', type('String[3]')), fitted('A', type('Char'))], ['abc', 'A'])
  assert.equal(String(fitted('x'.repeat(300), type('String'))).length, 254)
  // Three digits and the bases 10 ms, 100 ms, 1 s, 10 s: 9.99 s, 99.9 s, 999 s, 9990 s at most.
  for (const [ms, kept] of [
    [9_999n, 9_900n],
    [9_989n, 9_980n],
    [9_990n, 9_990n],
    [99_900n, 99_900n],
    [99_899n, 99_800n],
    [99_999n, 99_000n],
    [999_000n, 999_000n],
    [998_999n, 998_000n],
    [999_999n, 990_000n],
    [9_990_000n, 9_990_000n],
  ] as const)
    assert.equal(fitted(ms, type('S5Time')), kept, String(ms))
})

test('conversion to a wider type: finer units, numbers, everything else as it is', () => {
  for (const [given, from, to, expected] of [
    [5n, 'Time', 'LTime', 5_000_000n],
    [5n, 'Time_Of_Day', 'LTime_Of_Day', 5_000_000n],
    [at('2000-01-01'), 'Date_And_Time', 'LDT', at('2000-01-01') * 1_000_000n],
    [5n, 'Int', 'Real', 5],
    [16_777_217n, 'DInt', 'LReal', 16_777_217],
    [0.5, 'Real', 'LReal', 0.5],
    [5n, 'Int', 'DInt', 5n],
    [255n, 'Byte', 'Word', 255n],
    ['A', 'Char', 'String[2]', 'A'],
    [5n, 'Time', 'Time', 5n],
  ] as const)
    assert.equal(converted(given, type(from), type(to)), expected, `${from} ${to}`)
})

test('as JSON each value is read back from its constant', () => {
  for (const [name, one, json] of [
    ['Bool', true, true],
    ['Real', 1.5, 1.5],
    ['Int', -5n, -5],
    ['LInt', 9_007_199_254_740_991n, 9_007_199_254_740_991],
    ['LInt', 9_007_199_254_740_993n, '9007199254740993'],
    ['Word', 255n, '16#FF'],
    ['Time', -5n, 'T#-5ms'],
    ['LTime', 5n, 'LT#5ns'],
    ['S5Time', 100n, 'S5T#100ms'],
    ['Date', 7306n, 'D#1990-01-02'],
    ['Time_Of_Day', 3_723_004n, 'TOD#01:02:03.004'],
    ['LTime_Of_Day', 3_723_004_000_005n, 'LTOD#01:02:03.004000005'],
    ['Date_And_Time', at('1990-01-02T03:04:05.006Z'), 'DT#1990-01-02-03:04:05.006'],
    ['LDT', 86_401_000_000_002n, 'LDT#1970-01-02-00:00:01.000000002'],
    ['DTL', 86_401_000_000_002n, 'DTL#1970-01-02-00:00:01.000000002'],
    ['String[3]', 'abc', 'abc'],
  ] as const) {
    assert.equal(toJson(one, type(name)), json, name)
    if (typeof one === 'bigint' && /^(.*T|D|TOD|LTOD)#/.test(String(json))) assert.equal(value(String(json)), one, name)
  }
})
