import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runSource } from '../testing/lower-source.ts'
import { codesOf, runScl, type SclTest } from '../testing/runtime.ts'
import { fromS5Time, toS5Time } from './calendar.ts'
import { VirtualClock } from './clock.ts'

const nanoseconds = (text: string) => BigInt(Date.parse(text)) * 1_000_000n
const dtl = (...parts: readonly number[]) => {
  const names = ['YEAR', 'MONTH', 'DAY', 'WEEKDAY', 'HOUR', 'MINUTE', 'SECOND', 'NANOSECOND']
  return Object.fromEntries(names.map((name, i) => [name, parts[i] ?? 0]))
}

function once(test: SclTest, get: readonly string[], set: Readonly<Record<string, unknown>> = {}): unknown[] {
  const run = runScl(test)
  for (const [path, value] of Object.entries(set)) run.set(path, value)
  run.scan()
  return get.map((path) => run.get(path))
}

for (const access of ['optimized', 'standard'] as const) {
  test(`the clock is read into any type and set from it, ${access} access`, () => {
    const clock = new VirtualClock(nanoseconds('2024-02-29T13:14:15.678Z'), 3_600_000_000_000n)
    const got = once(
      {
        access,
        clock,
        members: { d: 'DTL', l: 'DTL', t: 'DT', n: 'LDT', r: 'Int' },
        body: '#r := RD_SYS_T(#d); RD_LOC_T(OUT => #l); RD_SYS_T(OUT => #n); RD_SYS_T(#t); #d.YEAR := 2025; #d.DAY := 28; #r := WR_SYS_T(#d);',
      },
      ['l', 'n', 't', 'r'],
    )
    assert.deepEqual(got, [
      dtl(2024, 2, 29, 5, 14, 14, 15, 678_000_000),
      nanoseconds('2024-02-29T13:14:15.678Z'),
      '2402291314156785',
      0,
    ])
    assert.equal(clock.systemTime(), nanoseconds('2025-02-28T13:14:15.678Z'))
  })

  test(`sums and differences of times, ${access} access`, () => {
    const got = once(
      {
        access,
        members: {
          ...{ a: 'DTL', b: 'DTL', t: 'Time', tod: 'Time_Of_Day', date: 'Date', combined: 'DTL', back: 'Time_Of_Day' },
          ...{ day: 'Date', l: 'LDT', ok: 'Bool' },
        },
        body: `#b := T_ADD(IN1 := #a, IN2 := T#36h); #t := T_DIFF(IN1 := #b, IN2 := #a);
          #tod := T_ADD(IN1 := TOD#23:00:00, IN2 := T#2h); #date := D#2024-02-28;
          #combined := T_COMBINE(IN1 := #date, IN2 := #tod); #back := DTL_TO_TOD(#b); #day := DTL_TO_DATE(#b);
          #l := DTL_TO_LDT(#b); #a.MONTH := 13; #day := DTL_TO_DATE(IN := #a, ENO => #ok);`,
      },
      ['b', 't', 'tod', 'combined', 'back', 'l', 'ok'],
      { a: dtl(2023, 12, 31, 1, 12, 0, 0, 5) },
    )
    assert.deepEqual(got, [
      dtl(2024, 1, 2, 3, 0, 0, 0, 5),
      36 * 3_600_000,
      3_600_000,
      dtl(2024, 2, 28, 4, 1, 0, 0, 0),
      0,
      nanoseconds('2024-01-02T00:00:00Z') + 5n,
      false,
    ])
  })
}

test('conversions between durations, T_CONV by the type of its output', () => {
  const got = once(
    {
      members: { s: 'S5Time', t: 'Time', l: 'LTime', n: 'DInt', ok: 'Bool', u: 'Time' },
      body: `#s := TIME_TO_S5TIME(T#2h46m30s); #t := S5TIME_TO_TIME(#s); #l := TIME_TO_LTIME(#t);
        T_CONV(IN := #t, OUT => #n); #s := TIME_TO_S5TIME(IN := T#2h46m31s, ENO => #ok); #u := TOD_TO_TIME(TOD#00:00:01);`,
    },
    ['t', 'l', 'n', 'ok', 'u'],
  )
  assert.deepEqual(got, [9_990_000, 9_990_000_000_000n, 9_990_000, true, 1000])
})

test('S5TIME: what fits three digits comes back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), fc.constantFrom(10, 100, 1000, 10_000), (count, base) => {
      assert.equal(fromS5Time(toS5Time(count * base) as number), count * base)
    }),
  )
  assert.equal(toS5Time(-1), undefined)
  assert.equal(toS5Time(10_000_000), undefined)
  assert.equal(fromS5Time(0x0a00), undefined)
})

test('DTL: every point in time comes back', () => {
  const run = runScl({ members: { n: 'LDT', d: 'DTL', m: 'LDT' }, body: '#d := LDT_TO_DTL(#n); #m := DTL_TO_LDT(#d);' })
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (moment) => {
      run.set('n', moment)
      run.scan()
      assert.equal(run.get('m'), moment)
      const date = new Date(Number(moment / 1_000_000n))
      assert.equal(run.get('d.WEEKDAY'), date.getUTCDay() + 1)
    }),
  )
})

test('RUNTIME and TIME_TCK follow the clock of the controller', () => {
  const clock = new VirtualClock()
  clock.advanceMilliseconds(2 ** 31 + 5)
  const run = runScl({
    clock,
    members: { mem: 'LReal', r: 'LReal', t: 'Time' },
    body: '#r := RUNTIME(#mem); #t := TIME_TCK();',
  })
  run.scan()
  assert.deepEqual([run.get('r'), run.get('t')], [0, 5])
  clock.advanceMilliseconds(250)
  run.scan()
  assert.equal(Math.round((run.get('r') as number) * 1000), 250)
  // TIA Portal help of TIME_TCK: a warm restart begins with 0 again.
  clock.restartedAt = clock.now()
  clock.advanceMilliseconds(70)
  run.scan()
  assert.equal(run.get('t'), 70)
})

test('what is no time is refused', () => {
  const members = { d: 'DTL', i: 'Int', t: 'Time' } as const
  assert.deepEqual(codesOf({ members, body: '#t := T_ADD(IN1 := #t, IN2 := #i);' }), ['wrong-operand'])
  assert.deepEqual(codesOf({ members, body: 'RD_SYS_T(#i);' }), ['wrong-operand'])
  assert.deepEqual(codesOf({ members, body: '#t := T_DIFF(IN1 := #d, IN2 := #t);' }), ['wrong-operand'])
})

// TIA Portal help of WR_SYS_T, RET_VAL: each part of a DTL has its number; an invalid date is not set.
test('WR_SYS_T tells which part of a DTL is none', () => {
  for (const [change, status] of [
    ['', 0],
    // The least and the greatest of each part, and what is beyond.
    ['#t.MONTH := 0;', 0x8082],
    ['#t.MONTH := 12;', 0],
    ['#t.MONTH := 13;', 0x8082],
    ['#t.DAY := 0;', 0x8083],
    ['#t.DAY := 1;', 0],
    ['#t.DAY := 31;', 0],
    ['#t.DAY := 32;', 0x8083],
    ['#t.HOUR := 23;', 0],
    ['#t.HOUR := 24;', 0x8084],
    ['#t.MINUTE := 59;', 0],
    ['#t.MINUTE := 60;', 0x8085],
    ['#t.SECOND := 59;', 0],
    ['#t.SECOND := 60;', 0x8086],
    ['#t.NANOSECOND := 999_999_999;', 0],
    ['#t.NANOSECOND := 1_000_000_000;', 0x8087],
    ['#t.DAY := 29; #t.MONTH := 2;', 0x8080],
    ['#t.DAY := 31; #t.MONTH := 4;', 0x8080],
    ['#t.DAY := 31; #t.MONTH := 2;', 0x8080],
    ['#t.YEAR := 1969;', 0x8080],
    ['#t.YEAR := 2201;', 0x8080],
  ] as const)
    for (const access of ['optimized', 'standard'] as const) {
      const run = runScl({
        access,
        members: { t: 'DTL', now: 'DTL', s: 'Int', r: 'Int' },
        body: `#t.YEAR := 2030; #t.MONTH := 1; #t.DAY := 2; ${change} #s := WR_SYS_T(#t); #r := RD_SYS_T(#now);`,
      })
      run.scan()
      assert.equal((run.get('s') as number) & 0xffff, status, change)
      assert.equal((run.get('now') as { YEAR: number }).YEAR === 2030, status === 0, change)
    }
})

// TIA Portal help of WR_SYS_T: up to 2200-12-31 for a DTL and LDT; the milliseconds of a DT are not transferred.
test('WR_SYS_T: the last year, and milliseconds', () => {
  const run = runScl({
    members: { t: 'DTL', u: 'LDT', d: 'DT', n: 'LDT', k: 'Int', l: 'Int', m: 'Int', o: 'Int', r: 'Int' },
    body: `#t.YEAR := 2200; #t.MONTH := 12; #t.DAY := 31; #k := WR_SYS_T(#t);
      #u := LDT#2200-12-31-23:59:59.999999999; #l := WR_SYS_T(#u); #u := #u + LT#1ns; #m := WR_SYS_T(#u);
      #d := DT#2030-01-02-03:04:05.678; #o := WR_SYS_T(#d); #r := RD_SYS_T(#n);`,
  })
  run.scan()
  assert.deepEqual(
    ['k', 'l', 'm', 'o', 'n'].map((name) => run.get(name)),
    [0, 0, 0x8080 - 0x10000, 0, BigInt(Date.UTC(2030, 0, 2, 3, 4, 5)) * 1_000_000n],
  )
})

// TIA Portal help of T_ADD and T_SUB, "Overflow/underflow": ENO says what leaves the range of the result.
test('T_ADD and T_SUB beyond midnight wrap, and ENO is FALSE', () => {
  const run = runScl({
    members: { t: 'Time_Of_Day', u: 'LTime_Of_Day', v: 'Time_Of_Day', k: 'Bool', l: 'Bool', m: 'Bool' },
    body: `#t := T_ADD(IN1 := TOD#23:00:00, IN2 := T#2h, ENO => #k); #u := T_SUB(IN1 := LTOD#01:00:00, IN2 := LT#2h, ENO => #l);
      #v := T_ADD(IN1 := TOD#23:00:00, IN2 := T#59m59s, ENO => #m);`,
  })
  run.scan()
  assert.deepEqual(
    ['t', 'u', 'v', 'k', 'l', 'm'].map((name) => run.get(name)),
    [3_600_000, 82_800_000_000_000n, 86_399_000, false, false, true],
  )
})

/** Nanoseconds since 1970 of a time with up to nine digits behind the second. */
const nanosecondsOf = (text: string): bigint => {
  const [, whole = '', fraction = ''] = /^(.*?)(?:\.(\d+))?$/.exec(text) ?? []
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

test('LDT to DTL and DATE_AND_TIME and back, at the limits of each', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR
  ldt : LDT;
  dtl : DTL;
  dt : Date_And_Time;
  ofDtl : LDT;
  ofDt : LDT;
  isDtl : Bool;
  isDt : Bool;
END_VAR
BEGIN
#dtl := LDT_TO_DTL(IN := #ldt, ENO => #isDtl);
#dt := LDT_TO_DT(IN := #ldt, ENO => #isDt);
#ofDtl := DTL_TO_LDT(#dtl);
#ofDt := DT_TO_LDT(#dt);
END_FUNCTION_BLOCK
`)
  const fields = ['YEAR', 'MONTH', 'DAY', 'WEEKDAY', 'HOUR', 'MINUTE', 'SECOND', 'NANOSECOND']
  for (const text of [
    '1970-01-01T00:00:00.000000001',
    '1989-12-31T23:59:59.999999999',
    '1990-01-01T00:00:00',
    '1999-12-31T23:59:59.999',
    '2000-02-29T12:34:56.789012345',
    '2024-12-31T23:59:59.5',
    '2089-12-31T23:59:59.999999999',
    '2090-01-01T00:00:00',
    '2100-03-01T00:00:00',
    '2262-04-11T23:47:16.854775807',
  ]) {
    const value = nanosecondsOf(text)
    run.setBits('ldt', value)
    run.scan()
    const date = new Date(Number(value / 1_000_000n))
    const [day, time = ''] = date.toISOString().split('T')
    const numbers = [...(day ?? '').split('-'), date.getUTCDay() + 1, ...time.slice(0, 8).split(':')].map(Number)
    assert.deepEqual(
      fields.map((name) => run.get(`dtl.${name}`)),
      [...numbers, Number(value % 1_000_000_000n)],
      text,
    )
    assert.deepEqual([run.get('isDtl'), run.bits('ofDtl')], [1, value], text)
    const isDt = date.getUTCFullYear() >= 1990 && date.getUTCFullYear() <= 2089
    assert.equal(run.get('isDt'), Number(isDt), text)
    // A DATE_AND_TIME counts milliseconds.
    if (isDt) assert.equal(run.bits('ofDt'), (value / 1_000_000n) * 1_000_000n, text)
  }
})
