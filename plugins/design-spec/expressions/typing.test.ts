/**
 * Conditions and actions as SCL, or what is said of them (fixtures/expressions.txt): each operator with operands of
 * each kind, then wrong texts of every kind.
 */
import { test } from 'node:test'
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import type { Scope, ScopeVariable } from '../model/scope.ts'
import type { ExpressionFault } from './lexer.ts'
import { compileActions, compileCondition } from './typing.ts'

const types = {
  ...{ b: 'Bool', by: 'Byte', w: 'Word', lw: 'LWord', si: 'SInt', ui: 'UInt', i: 'Int', di: 'DInt', li: 'LInt' },
  ...{ r: 'Real', lr: 'LReal', t: 'Time', lt: 'LTime', s5: 'S5Time', d: 'Date', tod: 'Time_Of_Day', dt: 'LDT' },
  ...{ ch: 'Char', wc: 'WChar', s: 'String[3]', ws: 'WString[4]' },
}
const variablesOf = (of: Readonly<Record<string, string>>, direction: 'In' | 'Out' | undefined) =>
  new Map(
    Object.entries(of).map(([name, type]): [string, ScopeVariable] => [
      name.toLowerCase(),
      { name, direction, dataType: parseElementaryType(type) },
    ]),
  )
const scope: Scope = {
  cmTypes: new Map([
    ['x', { name: 'X', variables: variablesOf(types, 'Out') }],
    ['in', { name: 'In', variables: variablesOf({ Flag: 'Bool', Level: 'Real' }, 'In') }],
    ['end pos', { name: 'End Pos', variables: variablesOf({ 'To do': 'Bool', wrong: 'Nothing' }, 'Out') }],
  ]),
  parameters: variablesOf({ Target: 'Real', Count: 'Int', 'Long Name': 'Time' }, undefined),
  requests: new Map([['x.b', '_X_b']]),
  elsewhere: new Map([['pump', 'Station']]),
}

const operands = [
  ...Object.keys(types).map((name) => `X.${name}`),
  ...[
    '1',
    '300',
    '-1',
    '70000',
    '16#F0',
    '2.5',
    'TRUE',
    'INT#5',
    'T#5s',
    'LT#1ms',
    'S5T#1s',
    "'a'",
    "'abcd'",
    'Target',
  ],
  ...['D#2024-02-29', 'TOD#1:2:3', "WSTRING#'ab'"],
]

const faultText = ({ code, at, value, message, allowed, suggestion }: ExpressionFault) => {
  const right = typeof allowed === 'object' ? allowed.slice(0, 6).join(' | ') : allowed
  return `✗ ${at + 1} ${code} ${JSON.stringify(value)}: ${message} [${right}]${suggestion === undefined ? '' : ` proposed ${suggestion}`}`
}
const conditionText = (text: string) => {
  const { scl, faults } = compileCondition(text, scope)
  return faults.length > 0 ? faults.map(faultText).join(' ') : scl
}
const actionText = (text: string) => {
  const { statements, faults } = compileActions(text, scope)
  return [...statements.filter(Boolean), ...faults.map(faultText)].join('; ')
}

test('what may be assigned to a variable of each type', () => {
  const told = Object.entries(types).map(([name, type]) => {
    const fits = operands.flatMap((operand) => {
      const { statements, faults } = compileActions(`X.${name} := ${operand}`, scope)
      return faults.length > 0 ? [] : [statements[0]!.replace(/^.*?:= /, '')]
    })
    return `${type} := ${fits.join(' | ')}`
  })
  assertRecorded(import.meta.url, 'assignable.txt', `${told.join('\n')}\n`)
})

test('which operands each operator takes', () => {
  const told: string[] = []
  for (const operator of ['=', '+', '/', 'MOD', 'AND'])
    for (const left of operands) {
      // A condition that is no Bool tells its type: that of the result.
      const fits = operands.flatMap((right) => {
        const [fault, more] = compileCondition(`${left} ${operator} ${right}`, scope).faults
        if (fault === undefined) return [right]
        const [, type] = /^The condition is (?:of type |the number )?(.*), not TRUE/.exec(fault.message) ?? []
        return type === undefined || more ? [] : [`${right} ${type}`]
      })
      if (fits.length > 0) told.push(`${left} ${operator} ${fits.join(' | ')}`)
    }
  assertRecorded(import.meta.url, 'operands.txt', `${told.join('\n')}\n`)
})

const conditions = [
  ...['', ' ', '(', ')', 'X', 'X.', '.b', 'X.b.c', 'X b', 'X.b =', '= X.b', 'X.b = TRUE = FALSE', 'X.b := TRUE'],
  ...['X.b; X.b', 'X.b AND', 'AND X.b', 'NOT', 'NOT NOT X.b', 'NOT X.i', 'NOT X.w', 'NOT X.i = 3', '- X.i > 3', '-X.b'],
  ...['+X.r > 1', '--X.i > 1', '-X.w > 1', '-T#5s < X.t', '-X.ui > 1', '-X.t < T#1s', '-(X.i + 1) > 2', '(((X.b)))'],
  ...['X.i + 1', 'X.r', 'Target', 'Count > 3', '"Long Name" > T#1s', '"End Pos"."To do"', '"End Pos".wrong = 3'],
  ...[
    'Targt > 1',
    'X.bb',
    'X.zzzz',
    'Y.b',
    'Pump.run',
    'x.B & In.FLAG',
    'true',
    '"TRUE"',
    "'abc' = X.s",
    "X.s = 'ab$'",
  ],
  ...["X.s = 'abcd'", "X.ch = 'ab'", "X.ch = ''", "X.wc = 'a'", "X.ws = 'ab'", 'X.s = X.ws', 'X.i = 1.5', 'X.i = 2.0'],
  ...['X.i = 40000', 'X.si = 128', 'X.si = -128', 'X.by = 256', 'X.by = -1', 'X.w = 16#FFFF', 'X.w > 5', 'X.w = X.i'],
  ...[
    'X.i AND 1',
    'X.w AND 16#F',
    'X.b AND X.w',
    'X.b + 1',
    'X.b = 1',
    'X.b > FALSE',
    'X.b <> (X.i > 1)',
    'X.r = 1e40',
  ],
  ...['X.lr = 1e40', 'X.r / 0 > 1', 'X.i / 0 > 1', 'X.i MOD 0 = 1', 'X.r MOD 2 = 1', '10 / 4 > X.i', '10 / 5 > X.i'],
  ...['10 MOD 3 = X.i', '1 / 0 = X.i', '1 + 2 > 2', '1.5 > X.i', '2 * 3.5 < X.r', 'X.t * 2 > T#1s', 'X.t * X.t > T#1s'],
  ...['X.t / 2 > T#1s', 'X.t / X.t > 1', '2 * X.t > T#1s', '2 / X.t > T#1s', 'X.t + 5 > T#1s', 'X.t > 5', 'X.t > 5.5'],
  ...['X.lt > T#1s', 'X.t > LT#1s', 'X.s5 > S5T#1s', 'X.s5 + S5T#1s > S5T#2s', 'X.d + 1 > X.d', 'X.d - X.d > T#1s'],
  ...[
    'X.tod + T#1s > X.tod',
    'X.tod > TOD#25:00:00',
    'X.d > D#2023-02-29',
    'X.dt > LDT#2024-01-01-00:00:00',
    'T#5 > X.t',
  ],
  ...[
    'X.t > T#1h61m',
    'X.t > T#5x',
    'X.i > INT#40000',
    'X.i > BOOL#1',
    'X.b = BOOL#1',
    'X.i > FOO#1',
    'X.i > 16#',
    '3Way.b',
  ],
  ...[
    'X.i > 1_000',
    'X.i > 2#102',
    'X.i > 8#17',
    'X.r > 1.',
    'X.r > .5',
    'X.r > 1e',
    'X.i == 3',
    'X.i != 3',
    'X.b && X.b',
  ],
  ...[
    'X.b || X.b',
    '!X.b',
    'X.i >= 3 ? 1',
    'X.i ** 2 > 1',
    'X.b // c',
    'X.b (* c *)',
    '(X.b',
    'X.b)',
    '"X.b',
    "X.s = 'a",
  ],
  ...['"X.b"', 'X."b" = TRUE', '"X".b', 'X.i > (3', 'X.i > 3) AND (X.b', 'X.b AND (X.i > 1 OR X.r < 2) XOR NOT X.b'],
  ...['X.li > 9223372036854775807', 'X.li > 9223372036854775808', 'X.lw = 18446744073709551615', 'X.i - 1 - 2 > 1'],
  ...['X.i - (1 - 2) > 1', 'X.i / 2 * 3 > 1', 'X.i / (2 * 3) > 1', 'X.i < 3 = X.b', 'X.b OR X.b AND X.b', 'X.ö > 1'],
]
const actions = [
  ...[
    '',
    ';',
    'X.b',
    'X.b :=',
    'X.b = TRUE',
    ':= TRUE',
    'X.b := TRUE X.i := 1',
    'X.b := TRUE;; X.i := 1;',
    'X.b := TRUE, 1',
  ],
  ...['X.b := X.i > 3', 'X.b := 1', 'X.b := 0', 'X.b := 2', 'X.i := TRUE', 'X.i := 1.5', 'X.i := X.r', 'X.r := X.di'],
  ...[
    'X.r := X.i',
    'X.r := 5',
    'X.r := -5',
    'X.lr := 1 / 3',
    'X.i := 7 / 2',
    'X.i := 8 / 2',
    'X.si := X.i',
    'X.di := X.i',
  ],
  ...[
    'X.t := 5',
    'X.t := T#5s',
    'X.s5 := T#5s',
    'X.s5 := 2.5',
    'X.lt := 7',
    'X.lt := T#5s',
    "X.s := 'abcd'",
    "X.s := 'abc'",
  ],
  ...[
    "X.ws := 'abcd'",
    'X.ws := X.s',
    "X.ch := 'a'",
    "X.ch := 'ab'",
    'X.ch := X.s',
    'X.s := X.ch',
    'X.d := 5',
    'X.w := 65535',
  ],
  ...[
    'X.w := 65536',
    'X.w := X.by',
    'X.by := X.w',
    'X.w := X.b',
    'X.w := X.i',
    'X.i := X.w',
    'In.Flag := TRUE',
    'Target := 5',
  ],
  ...[
    'Nothing := 5',
    'Y.b := TRUE',
    'X.q := TRUE',
    'X.i := X.i + Count',
    'X.r := Target * 2',
    '"End Pos"."To do" := NOT X.b',
  ],
  ...[
    '"End Pos".wrong := 3',
    'X.i := (X.i + 1',
    'X.i := -X.i',
    'X.i := -(-5)',
    'X.si := -(-128)',
    'X.si := 100 + 28',
    'X.li := 2 * 3 MOD 4',
  ],
]

test('conditions and actions', () => {
  const told = [
    ...conditions.map((text) => `${JSON.stringify(text)}\n  ${conditionText(text)}`),
    ...actions.map((text) => `${JSON.stringify(text)}\n  ${actionText(text)}`),
  ]
  assertRecorded(import.meta.url, 'expressions.txt', `${told.join('\n')}\n`)
})
