/**
 * What expressions of a spec are worth (fixtures/evaluated.txt), and with which values conditions become TRUE and FALSE
 * (fixtures/solved.txt). Both are independent of the generated code, so they are looked at here by themselves.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataType, elementaryType, parseElementaryType } from '../../../plc/model/data-type.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { assignedValue, type Environment, isTrue, TooMuchEffort } from '../expressions/evaluate.ts'
import { type Expression, parseCondition, type VariableNode } from '../expressions/expression.ts'
import { startValue, Unpredictable, type Value } from '../expressions/value.ts'
import { solve } from './solve.ts'

const variables: Readonly<Record<string, readonly [string, Value]>> = {
  ...{ b: ['Bool', true], c: ['Bool', false], by: ['Byte', 0xf0n], w: ['Word', 0x1234n], lw: ['LWord', 5n] },
  ...{ si: ['SInt', -7n], i: ['Int', 100n], di: ['DInt', 70_000n], ui: ['UInt', 65_000n], li: ['LInt', -1n] },
  ...{ r: ['Real', 2.5], lr: ['LReal', 0.1], t: ['Time', 1500n], lt: ['LTime', 1_000_000n], s5: ['S5Time', 1000n] },
  ...{
    d: ['Date', 12_000n],
    tod: ['Time_Of_Day', 5000n],
    ch: ['Char', 'A'],
    s: ['String[3]', 'abc'],
    ws: ['WString[4]', 'ü'],
    wch: ['WChar', 'ü'],
  },
}
const typeOf = ({ variable }: VariableNode): DataType => parseElementaryType(variables[variable]![0])!
const parsed = (text: string): Expression => {
  const read = parseCondition(text)
  assert.ok('expression' in read, text)
  return read.expression
}
const shown = (value: Value) => (typeof value === 'string' ? `'${value}'` : String(value))
const unlessUnknown = (work: () => string): string => {
  try {
    return work()
  } catch (error) {
    assert.ok(error instanceof Unpredictable, String(error))
    return `? ${error.message}`
  }
}

/** With the values above; a variable `X.unknown` has none. */
const env: Environment = { typeOf, valueOf: ({ variable }) => variables[variable]![1] }

const values: Readonly<Record<string, readonly string[]>> = {
  Bool: [
    ...['X.b', 'NOT X.b', 'X.b AND X.c', 'X.b OR X.c', 'X.b XOR X.c', 'X.b XOR X.b', 'X.b = X.c', 'X.b <> X.c', 'TRUE'],
    ...['X.i = 100', 'X.i <> 100', 'X.i < 100', 'X.i <= 100', 'X.i > 100', 'X.i >= 100', 'X.i > 99', 'X.i < 100.5'],
    ...['X.si < X.ui', 'X.si + X.ui > 64992', 'X.di > X.r', 'X.r > 2', 'X.r = 2.5', 'X.lr = 0.1', 'X.r * 0.1 = 0.25'],
    ...['X.by = 240', 'X.w AND 16#00F0 = 16#30', '(X.w AND 16#00F0) = 16#30', '(X.by OR X.w) = 16#12F4', 'X.by < X.w'],
    ...[
      '(X.w XOR X.w) = 0',
      'NOT X.by = 16#0F',
      'X.t = T#1s500ms',
      'X.t * 2 = T#3s',
      'X.t / 2 = T#750ms',
      'X.t > X.lt',
    ],
    ...['X.lt = T#1ms', 'X.lt + X.t = LT#1501ms', 'X.s5 = S5T#1s', 'X.s5 > S5T#500ms', "X.s = 'abc'", "X.s < 'abd'"],
    ...["X.s > 'ab'", "X.ch = 'A'", "X.ch < 'B'", "X.ws = 'ü'", "'a' < 'b'", 'X.tod = TOD#0:0:5', 'X.d > D#2000-01-01'],
    ...['1 < 2', '1.5 > 2', '2 = 2.0', '10 / 4 = 2.5', '7 MOD 3 = 1', 'X.i / 0 = 1', 'X.i MOD 7 = 2', '-X.i = -100'],
    ...['X.si / 2 = -3', 'X.si MOD 2 = -1', 'X.i', 'X.b = 1', "-'a' = 'a'"],
  ],
  Int: [
    '5',
    '-5',
    'X.si',
    'X.i + 1',
    'X.i * 300',
    'X.i * 327',
    'X.i - X.si',
    'X.i / 3',
    'X.i MOD 30',
    '7 / 2',
    '+X.i',
    '-X.i',
    '40000',
  ],
  SInt: ['X.si', '-X.si', 'X.si * 18', 'X.si * 19', '-128', '128', '100 + 27'],
  DInt: ['X.di * X.i', 'X.di * X.di', 'X.ui + X.si', 'X.di MOD X.i'],
  Real: [
    '5',
    'X.i',
    'X.r * X.i',
    'X.r / 3',
    'X.lr',
    'X.di',
    '0.1',
    'X.r - 2.5',
    '-X.r',
    'X.i / 3',
    'X.r + X.ui',
    '1e38 * 10',
  ],
  LReal: ['0.1 + 0.2', 'X.r * 0.1', 'X.di / 3.0', 'X.lr * 3', '1 / 3', 'X.r'],
  Byte: ['X.by', 'NOT X.by', 'X.by AND 16#3C', 'X.by XOR 16#FF', '256'],
  Word: ['X.by', 'X.w OR X.by', 'NOT X.w', 'X.w AND 16#FF'],
  LWord: ['NOT X.lw', 'X.lw OR X.w'],
  Time: ['X.t', 'X.t + T#1s', 'X.t * 3', 'X.t / 7', '-X.t', 'X.t - T#2s', 'X.t * X.si', 'T#24d * 2'],
  LTime: ['X.t', 'X.lt * 2', 'X.t + X.lt', 'LT#1ns'],
  S5Time: ['X.s5 + S5T#1s', 'X.s5 * 2', 'X.s5 / 3', 'S5T#9990s * 2'],
  Char: ["'x'", 'X.ch'],
  'String[3]': ["'abc'", 'X.ch', "'abcd'", "'$N'"],
  'WString[4]': ["'ab'", 'X.ws'],
}

test('the value of an expression in a variable', () => {
  const told = Object.entries(values).flatMap(([name, texts]) => [
    name,
    ...texts.map((text) => {
      const type = parseElementaryType(name)!
      return `  ${text} → ${unlessUnknown(() => shown(assignedValue(parsed(text), type, env, { left: 100 })))}`
    }),
  ])
  assertRecorded(import.meta.url, 'evaluated.txt', `${told.join('\n')}\n`)
})

test('an expression costs its nodes', () => {
  const condition = parsed('X.i + 1 > 5 AND NOT X.c')
  assert.equal(isTrue(condition, env, { left: 8 }), true)
  assert.throws(() => isTrue(condition, env, { left: 7 }), TooMuchEffort)
  assert.throws(() => isTrue(parsed('X.i + 1'), env, { left: 7 }), Unpredictable)
  const known: Environment = {
    typeOf,
    valueOf: ({ variable }) => {
      throw new Unpredictable(`the value of ${variable} is not known`)
    },
  }
  assert.throws(() => isTrue(parsed('X.b'), known, { left: 7 }), /the value of b is not known/)
  assert.equal(assignedValue(parsed('5'), elementaryType('Int'), known, { left: 1 }), 5n)
})

const conditions = [
  ...[
    'X.b',
    'NOT X.b',
    'TRUE',
    'FALSE',
    'X.b AND X.c',
    'X.b OR X.c',
    'X.b XOR X.c',
    'X.b = X.c',
    'X.b <> TRUE',
    'NOT (X.b AND X.c)',
  ],
  ...[
    'X.b AND NOT X.b',
    'X.b OR NOT X.b',
    'X.i = 7',
    'X.i <> 0',
    'X.i > 7',
    'X.i >= 7',
    'X.i < -7',
    'X.i <= -7',
    '7 < X.i',
  ],
  ...[
    'X.i > 32767',
    'X.si > 100 AND X.si < 102',
    'X.i = X.di',
    'X.i > X.di',
    'X.i + X.di > 1000',
    'X.i * X.si = 77',
    'X.i * 2 = 14',
  ],
  ...[
    'X.i * 2 = 15',
    'X.i / 3 = 4',
    'X.i MOD 5 = 3',
    'X.i - 5 > 100',
    '-X.i > 9',
    'X.ui > 65534',
    'X.r > 80.5',
    'X.r = 0.1',
    'X.r < -2',
  ],
  ...[
    'X.r * 2 >= 9',
    'X.r / 3 > 1',
    'X.lr > 1e100',
    'X.r > X.lr',
    'X.r + X.i > 50.5',
    '(X.w AND 16#0F00) = 16#0300',
    'X.w = 16#FF',
  ],
  ...[
    '(X.w AND 1) = 1 AND (X.w AND 2) = 0',
    'X.by > 16#FE',
    '(X.by OR 1) = 3',
    'X.t > T#5s',
    'X.t * 2 > T#3s',
    'X.t + T#1s = T#4s',
  ],
  ...[
    'X.lt > LT#5s',
    'X.s5 = S5T#3s',
    'X.s5 > S5T#3s',
    'X.d > D#2020-01-01',
    'X.tod = TOD#12:00:00',
    "X.s = 'ok'",
    "X.s <> 'ok'",
    "X.s > 'ok'",
  ],
  ...[
    "X.ch = 'Z'",
    "X.ch > 'Z'",
    "X.ws = 'ü'",
    'X.b AND X.i > 5 AND X.r < 3',
    'X.b OR X.i > 5 XOR X.c',
    '(X.i > 3) = X.b',
    '(X.i > 3) <> (X.di > 3)',
  ],
  ...[
    'X.i > 5 AND X.i < 5',
    'X.i > 5 AND X.i < 7',
    'X.i > 5 OR X.i < 7',
    'X.si > 127',
    'X.by >= 0',
    'X.locked > 3',
    'X.locked > X.i',
    'X.locked',
  ],
  // Constants below the operators of a comparison, with and without a sign.
  ...['X.i + -77 >= 0', 'X.i * -2 > 1000', 'X.i - 5 - -1000 < 0', '-(X.i + 12) > 300', '-X.r - -4.5 > 12.5'],
  ...['X.i > 100.5', 'X.i < -100.5', 'X.si > 300.5', 'X.ui < -1.5', 'X.i >= 4.0'],
  // What is a Bool: equal and different are conditions of their sides then.
  ...['TRUE = X.b', 'BOOL#1 <> X.b', '(NOT X.b) = X.c', '(X.b AND X.c) = (X.b OR X.c)', '(X.b XOR X.c) = X.b'],
  ...['NOT (X.i > 3 XOR X.b)', 'NOT (X.i > 3 OR X.di > 4)', '(X.w = 1) <> (X.by = 1)', '(X.b = X.c) = (X.i = 1)'],
  ...['(X.locked > 3) = X.b', '(X.w AND NOT X.w) <> 0', 'X.lw = 16#FFFF_FFFF_FFFF_FFFF', 'X.w = 16#F0F0 XOR X.b'],
  // Neighbours at the limits of types.
  ...["X.ch > 'ÿ'", "X.ch < '0'", "X.ch <> 'A' AND X.ch <> ' '", "X.s = ''", "X.s < 'a'", "X.s > 'abc'", "X.s <> ''"],
  ...[
    "X.wch > 'ü'",
    "X.wch < 'a'",
    'X.wch <> X.ch',
    "X.ws < 'b' AND X.ws > 'a'",
    "X.s >= 'ab' AND X.s <> 'ab'",
    'X.s = X.ws',
  ],
  ...["X.ws > 'zzzz'", 'X.si >= 127', 'X.si < -127', 'X.si < -128', 'X.ui < 1', 'X.by < 1', 'X.di > 2147483646'],
  ...[
    'X.li < -9223372036854775807',
    'X.t < T#0ms',
    'X.t < T#-24d20h31m23s647ms',
    'X.lt > LT#106751d',
    'X.d = D#2168-12-31',
  ],
  ...['X.tod > TOD#23:59:59.998', 'X.s5 = S5T#2h46m30s', 'X.s5 <> S5T#0ms', 'X.lr < 0.0', 'X.lr > 0.0 AND X.lr < 1e-9'],
  // Values at which the sides meet, by one variable and by two.
  ...[
    'X.i * 3 = 300',
    'X.di * 7 > 70000',
    'X.r * 3 > 1e6',
    'X.i * 5 + 3 = 4003',
    'X.di - X.i = 12345',
    'X.i * X.di > 90000',
  ],
  ...['X.i + X.si = 200 AND X.si > 100', 'X.i = 5 AND X.i + X.di = 9', 'X.t + X.lt > LT#1h', 'X.i / X.si = 40'],
]

test('values with which a condition is TRUE, and FALSE', () => {
  const all: typeof variables = { ...variables, locked: ['Int', 0n] }
  const told: string[] = []
  for (const text of conditions) {
    const condition = parsed(text)
    const answers = [true, false].map((want) => {
      const start: Environment = {
        typeOf: ({ variable }) => parseElementaryType(all[variable]![0])!,
        valueOf: ({ variable }) => startValue(parseElementaryType(all[variable]![0])!)!,
      }
      const isFree = ({ variable }: VariableNode) => variable !== 'locked'
      const found = solve({ condition, want, env: start, keyOf: ({ variable }) => variable, isFree }, { left: 100_000 })
      if (!found) return `${want}: none`
      const given: Environment = {
        typeOf: start.typeOf,
        valueOf: (one) => found.get(one.variable) ?? start.valueOf(one),
      }
      assert.equal(isTrue(condition, given, { left: 1000 }), want, text)
      return `${want}: ${[...found].map(([name, value]) => `${name}=${shown(value)}`).join(' ')}`
    })
    told.push(`${text}\n  ${answers.join('; ')}`)
  }
  assertRecorded(import.meta.url, 'solved.txt', `${told.join('\n')}\n`)
})
