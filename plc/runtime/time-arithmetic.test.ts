/**
 * Functions, conversions, operators and comparisons of times with random values against an evaluator that shares no
 * code
 * with the compiler (testing/reference/times.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  between,
  combined,
  comparedTimes,
  convertedTime,
  dateOf,
  daysOf,
  type Outcome,
  scaled,
  shifted,
  type TimeName,
  type TimeValue,
} from '../testing/reference/times.ts'
import { runScl } from '../testing/runtime.ts'

const day = 86_400_000_000_000n
const short: Readonly<Record<TimeName, string>> = {
  ...{ Time: 'TIME', LTime: 'LTIME', S5Time: 'S5TIME', Time_Of_Day: 'TOD', LTime_Of_Day: 'LTOD', Date: 'DATE' },
  ...{ DT: 'DT', LDT: 'LDT', DTL: 'DTL' },
}
const all = Object.keys(short) as TimeName[]
const points: readonly TimeName[] = ['Date', 'DT', 'LDT', 'DTL']
const clocks: readonly TimeName[] = ['Time_Of_Day', 'LTime_Of_Day']

/** The inputs: two of each type, and two integers. */
type Inputs = Readonly<Record<TimeName, readonly [TimeValue, TimeValue]>> & { readonly n: bigint; readonly l: bigint }
const name = (type: TimeName, i: 0 | 1) => `${short[type].toLowerCase()}${i}`

interface Case {
  readonly text: string
  readonly type: TimeName | 'Bool'
  readonly expected: (inputs: Inputs) => Outcome
}

const sure = (value: TimeValue): bigint => value ?? assert.fail('a value that may be no date')
const cases: Case[] = []
const call = (text: string, type: TimeName, expected: Case['expected']) =>
  void cases.push({ text: text.replace(')', ', ENO => #ok)'), type, expected })
const operation = (text: string, type: Case['type'], expected: Case['expected']) =>
  void cases.push({ text: `${text}; #ok := ENO`, type, expected })

for (const a of ['Time', 'LTime', ...clocks, 'DT', 'LDT', 'DTL'] as const)
  for (const b of ['Time', 'LTime'] as const)
    for (const [verb, sign] of [
      ['ADD', 1n],
      ['SUB', -1n],
    ] as const) {
      const expected = (inputs: Inputs) => shifted(a, inputs[a][0], b, sure(inputs[b][1]), sign)
      call(`T_${verb}(IN1 := #${name(a, 0)}, IN2 := #${name(b, 1)})`, a, expected)
      // The operators do not take an LTime next to a Time_Of_Day.
      if (a === 'Time_Of_Day' && b === 'LTime') continue
      const wide = a === 'Time' ? b : a
      operation(`#${name(a, 0)} ${sign > 0 ? '+' : '-'} #${name(b, 1)}`, wide, (inputs) =>
        wide === a ? expected(inputs) : shifted('LTime', sure(inputs[a][0]) * 1_000_000n, b, sure(inputs[b][1]), sign),
      )
    }
for (const group of [points, clocks])
  for (const a of group)
    for (const b of group) {
      const isWide = [a, b].some((type) => type === 'LDT' || type === 'LTime_Of_Day')
      for (const [suffix, type] of [
        ['', isWide ? 'LTime' : 'Time'],
        ['_TIME', 'Time'],
        ['_LTIME', 'LTime'],
      ] as const)
        call(`T_DIFF${suffix}(IN1 := #${name(a, 0)}, IN2 := #${name(b, 1)})`, type, (inputs) =>
          between(a, inputs[a][0], b, inputs[b][1], type),
        )
    }
for (const [a, b, type] of [
  ['DT', 'DT', 'Time'],
  ['DTL', 'DTL', 'LTime'],
  ['LDT', 'LDT', 'LTime'],
  ['LDT', 'DT', 'LTime'],
  ['Date', 'Date', 'LTime'],
  ['Time_Of_Day', 'Time_Of_Day', 'Time'],
  ['LTime_Of_Day', 'LTime_Of_Day', 'LTime'],
] as const)
  operation(`#${name(a, 0)} - #${name(b, 1)}`, type, (inputs) => between(a, inputs[a][0], b, inputs[b][1], type))
for (const clock of clocks)
  for (const [text, type] of [
    ['T_COMBINE', 'DTL'],
    ['CONCAT_DATE_TOD', clock === 'LTime_Of_Day' ? 'LDT' : 'DT'],
    ['CONCAT_DATE_LTOD', 'LDT'],
    ['+', 'DTL'],
  ] as const) {
    const expected = (inputs: Inputs) => combined(sure(inputs.Date[0]), clock, sure(inputs[clock][1]), type)
    const [a, b] = [`#${name('Date', 0)}`, `#${name(clock, 1)}`]
    if (text === '+') operation(`${a} + ${b}`, type, expected)
    else call(`${text}(IN1 := ${a}, IN2 := ${b})`, type, expected)
  }
const durations = ['Time', 'LTime', 'S5Time'] as const
for (const [from, to] of [
  ...points.flatMap((from) => [...points, ...clocks].map((to) => [from, to] as const)),
  ...durations.flatMap((from) => durations.map((to) => [from, to] as const)),
  ...clocks.flatMap((from) => [...clocks, 'DT', 'LDT', 'DTL'].map((to) => [from, to as TimeName] as const)),
  ...([
    ['Time_Of_Day', 'Time'],
    ['LTime_Of_Day', 'LTime'],
    ['LDT', 'LTime'],
    ['LTime', 'LDT'],
  ] as const),
  ...([
    ['Time', 'Time_Of_Day'],
    ['LTime', 'LTime_Of_Day'],
  ] as const),
])
  if (from !== to)
    call(`${short[from]}_TO_${short[to]}(IN := #${name(from, 0)})`, to, (inputs) =>
      convertedTime(from, inputs[from][0], to),
    )
for (const type of ['Time', 'LTime'] as const)
  for (const operator of ['*', '/'] as const) {
    const factor = type === 'Time' ? 'n' : 'l'
    operation(`#${name(type, 0)} ${operator} #${factor}`, type, (inputs) =>
      scaled(type, sure(inputs[type][0]), operator, inputs[factor]),
    )
  }
for (const [a, b] of [...all.map((type) => [type, type] as const), ['Time', 'LTime'], ['S5Time', 'Time']] as const)
  for (const operator of ['<', '<=', '=', '<>', '>', '>='] as const)
    operation(`#${name(a, 0)} ${operator} #${name(b, 1)}`, 'Bool', (inputs) => {
      const [x, y] = [inputs[a][0], inputs[b][1]]
      // A DT or DTL that is no date counts as the first moment of its kind.
      const order = comparedTimes(a, x ?? 0n, b, y ?? 0n)
      const holds = {
        '<': order < 0,
        '<=': order <= 0,
        '=': order === 0,
        '<>': order !== 0,
        '>': order > 0,
        '>=': order >= 0,
      }
      return { value: holds[operator] ? 1n : 0n, ok: true }
    })

/** A value near the limits and near 0 as often as any other. */
const wide = (low: bigint, high: bigint) =>
  fc.oneof(
    fc.bigInt({ min: low, max: high }),
    fc.bigInt({ min: low < -3n ? -3n : low, max: low + 3n > 3n ? low + 3n : 3n }),
    fc.bigInt({ min: high - 3n, max: high }),
    fc.bigInt({ min: low, max: low + 3n }),
  )
const [first90, last90] = [daysOf(1990, 1, 1) * day, daysOf(2090, 1, 1) * day - 1_000_000n]
const arbitraries: Readonly<Record<TimeName, fc.Arbitrary<TimeValue>>> = {
  Time: fc.oneof(wide(-(2n ** 31n), 2n ** 31n - 1n), fc.bigInt({ min: -100_000_000n, max: 100_000_000n })),
  LTime: fc.oneof(
    wide(-(2n ** 63n), 2n ** 63n - 1n),
    fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n }),
    fc.constantFrom(
      (2n ** 31n - 1n) * 1_000_000n,
      2n ** 31n * 1_000_000n,
      -(2n ** 31n) * 1_000_000n,
      -(2n ** 31n + 1n) * 1_000_000n,
    ),
  ),
  S5Time: fc
    .tuple(fc.bigInt({ min: 0n, max: 999n }), fc.constantFrom(10n, 100n, 1000n, 10_000n))
    .map(([a, b]) => a * b),
  Time_Of_Day: wide(0n, 86_399_999n),
  LTime_Of_Day: wide(0n, day - 1n),
  Date: wide(0n, 65_535n),
  DT: fc.oneof(
    { weight: 8, arbitrary: wide(first90, last90).map((value) => (value / 1_000_000n) * 1_000_000n) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  LDT: wide(0n, 2n ** 63n - 1n),
  DTL: fc.oneof({ weight: 8, arbitrary: wide(0n, 2n ** 63n - 1n) }, { weight: 1, arbitrary: fc.constant(undefined) }),
}
const inputs = fc.record({
  ...(Object.fromEntries(
    all.map((type) => {
      const one = arbitraries[type]
      // Two that are close to each other, too.
      return [
        type,
        fc.oneof(
          fc.tuple(one, one),
          one.map((value) => [value, value]),
        ),
      ]
    }),
  ) as unknown as Record<TimeName, fc.Arbitrary<[TimeValue, TimeValue]>>),
  n: wide(-(2n ** 31n), 2n ** 31n - 1n),
  l: wide(-(2n ** 63n), 2n ** 63n - 1n),
})

/** What the memory holds for a value. */
function memoryOf(type: TimeName | 'Bool', value: TimeValue): unknown {
  if (type === 'S5Time') {
    const base = [10n, 100n, 1000n, 10_000n].findIndex((one) => sure(value) / one <= 999n)
    const count = Number(sure(value) / 10n ** BigInt(base + 1))
    return base * 4096 + Number.parseInt(String(count), 16)
  }
  if (type === 'Bool') return value === 1n
  if (type === 'DTL') {
    if (value === undefined)
      return { YEAR: 2020, MONTH: 13, DAY: 1, WEEKDAY: 1, HOUR: 0, MINUTE: 0, SECOND: 0, NANOSECOND: 0 }
    const [YEAR, MONTH, DAY] = dateOf(value / day)
    const [WEEKDAY, time] = [Number((value / day + 4n) % 7n) + 1, value % day]
    const [seconds, NANOSECOND] = [Number(time / 1_000_000_000n), Number(time % 1_000_000_000n)]
    const [HOUR, MINUTE, SECOND] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    return { YEAR, MONTH, DAY, WEEKDAY, HOUR, MINUTE, SECOND, NANOSECOND }
  }
  if (type === 'DT') {
    if (value === undefined) return '2013010000000002'
    const [year, month, dayOfMonth] = dateOf(value / day)
    const time = Number((value % day) / 1_000_000n)
    const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
    const parts = [year % 100, month, dayOfMonth, time / 3_600_000, (time / 60_000) % 60, (time / 1000) % 60]
    return `${parts.map(two).join('')}${String(time % 1000).padStart(3, '0')}${((value / day + 4n) % 7n) + 1n}`
  }
  return type === 'LTime' || type === 'LDT' || type === 'LTime_Of_Day' ? value : Number(value)
}

for (const access of ['optimized', 'standard'] as const)
  test(`random arithmetic of times is that of the reference, ${access} access`, () => {
    const run = runScl({
      access,
      members: {
        ...Object.fromEntries(all.flatMap((type) => [0, 1].map((i) => [name(type, i as 0), type]))),
        ...{ n: 'DInt', l: 'LInt' },
        ...Object.fromEntries(
          cases.flatMap(({ type }, i) => [
            [`r${i}`, type],
            [`k${i}`, 'Bool'],
          ]),
        ),
      },
      body: cases.map(({ text }, i) => `ENO := TRUE; #r${i} := ${text.replace('#ok', `#k${i}`)};`).join('\n'),
    })
    const last = cases.map(({ type }, i): unknown => run.get(`r${i}`) ?? type)
    fc.assert(
      fc.property(inputs, (given) => {
        for (const type of all) for (const i of [0, 1] as const) run.set(name(type, i), memoryOf(type, given[type][i]))
        run.set('n', given.n)
        run.set('l', given.l)
        run.scan()
        for (const [i, { text, type, expected }] of cases.entries()) {
          const { value, ok } = expected(given)
          const right = value === 'unchanged' ? last[i] : memoryOf(type, value)
          const got = run.get(`r${i}`)
          last[i] = got
          assert.deepEqual([got, run.get(`k${i}`)], [right, ok], text)
        }
      }),
      { numRuns: Number(process.env.GANTRY_RUNS ?? 200) },
    )
  })
