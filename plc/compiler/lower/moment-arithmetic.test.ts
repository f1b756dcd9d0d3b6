import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const members = `VAR
  dtl : DTL := DTL#2024-01-31-23:59:59.5;
  moved : DTL;
  old : Date_And_Time := DT#2020-02-28-23:59:59.999;
  later : Date_And_Time;
  ldt : LDT := LDT#2024-01-31-12:00:00;
  result : LDT;
  tod : Time_Of_Day;
  ltod : LTime_Of_Day;
  day : Date := D#2024-03-01;
  before : Date := D#2024-02-28;
  t : Time := T#1s;
  lt : LTime;
  n : DInt := 1500;
  k : Int;
  b : Bool;
END_VAR
BEGIN
`
const main = (body: string, attributes: string) =>
  `FUNCTION_BLOCK "Main"\n{ ${attributes} }\n${members}${body}\nEND_FUNCTION_BLOCK\n`
const utc = (text: string) => BigInt(Date.parse(`${text}Z`)) * 1_000_000n
const second = 1_000_000_000n

/** The value of a member after one cycle; the same in both kinds of access, with the IEC check on and off. */
function after(body: string, member: string): bigint {
  const all = ['TRUE', 'FALSE'].flatMap((access) =>
    ['on', 'off'].map((check) => {
      const isOn = check === 'on' ? "; S7_IECCheck := 'TRUE'" : ''
      const run = runSource(main(body, `S7_Optimized_Access := '${access}'${isOn}`))
      run.scan()
      assert.deepEqual(run.faults, [])
      return run.bits(member)
    }),
  )
  assert.equal(new Set(all).size, 1, body)
  return all[0] as bigint
}

// TIA Portal's help, "Arithmetic expressions": table of data types, S7-1500.
describe('operators on points in time', () => {
  for (const [body, member, value] of [
    ['#moved := #dtl + T#1s;', 'moved.DAY', 1n],
    ['#moved := #dtl + #t;', 'moved.MONTH', 2n],
    ['#moved := #dtl + #t; ', 'moved.NANOSECOND', 500_000_000n],
    ['#moved := #dtl + #t;', 'moved.WEEKDAY', 5n],
    ['#moved := #dtl - LT#500ms;', 'moved.NANOSECOND', 0n],
    ['#moved := DTL#2024-02-29-00:00:00 - T#1ms;', 'moved.DAY', 28n],
    ['#dtl += T#1d; #moved := #dtl;', 'moved.MONTH', 2n],
    ['#moved := #dtl + T#1s - T#1s;', 'moved.MONTH', 1n],
    ['#lt := #dtl - DTL#2024-01-31-00:00:00;', 'lt', 86_399n * second + 500_000_000n],
    ['#lt := #dtl + T#1h - #dtl;', 'lt', 3600n * second],
    ['#b := #dtl + T#1ms > #dtl;', 'b', 1n],
    ['#later := #old + T#1ms; #result := #later;', 'result', utc('2020-02-29T00:00:00')],
    ['#later := #old - T#1d; #result := #later;', 'result', utc('2020-02-27T23:59:59.999')],
    ['#t := #old - DT#2020-02-28-23:59:59;', 't', 999n],
    ['#t := DT#2020-02-28-23:59:59 - #old;', 't', BigInt.asUintN(32, -999n)],
    ['#result := #ldt - T#1s;', 'result', utc('2024-01-31T11:59:59')],
    ['#lt := #ldt - LDT#2024-01-31-11:59:59;', 'lt', second],
    ['#lt := #day - #before;', 'lt', 2n * 86_400n * second],
    ['#lt := #before - #day;', 'lt', BigInt.asUintN(64, -2n * 86_400n * second)],
    ['#moved := #day + TOD#12:34:56.5;', 'moved.MINUTE', 34n],
    ['#moved := #day + TOD#12:34:56.5;', 'moved.DAY', 1n],
    ['#moved := #day + LTOD#12:34:56.000000001;', 'moved.NANOSECOND', 1n],
    ['#tod := TOD#23:59:59 + T#2s;', 'tod', 1000n],
    ['#tod := TOD#0:0:1 - T#2s;', 'tod', 86_399_000n],
    ['#tod := TOD#12:00:00 + #n;', 'tod', 43_201_500n],
    ['#ltod := LTOD#23:59:59 + T#2s;', 'ltod', second],
    ['#ltod := LTOD#0:0:0 - LT#1ns;', 'ltod', 86_399_999_999_999n],
  ] as const)
    it(`${body} ${member}`, () => assert.equal(after(body, member), value))

  it('what is no such combination is refused', () => {
    const codes = (body: string) => diagnosticsOf(main(body, "S7_Optimized_Access := 'TRUE'")).map(({ code }) => code)
    assert.deepEqual(codes('#moved := #dtl * #dtl;').length > 0, true)
    assert.deepEqual(codes('#moved := T#1s - #dtl;').length > 0, true)
    assert.deepEqual(codes('#lt := #dtl - #old;').length > 0, true)
    assert.deepEqual(codes('#t := #dtl - #dtl;'), ['type-mismatch'])
  })
})

describe('SEL, MUX, MIN, MAX, LIMIT of points in time', () => {
  for (const [body, member, value] of [
    ['#moved := SEL(G := TRUE, IN0 := #dtl, IN1 := DTL#2025-02-01-00:00:00);', 'moved.YEAR', 2025n],
    ['#moved := SEL(G := FALSE, IN0 := #dtl, IN1 := DTL#2025-02-01-00:00:00);', 'moved.YEAR', 2024n],
    ['#moved := MAX(IN1 := #dtl, IN2 := DTL#2025-02-01-00:00:00, IN3 := #dtl);', 'moved.YEAR', 2025n],
    ['#moved := MIN(IN1 := DTL#2025-02-01-00:00:00, IN2 := #dtl);', 'moved.YEAR', 2024n],
    ['#moved := LIMIT(MN := DTL#2025-02-01-00:00:00, IN := #dtl, MX := DTL#2026-01-01-00:00:00);', 'moved.YEAR', 2025n],
    ['#moved := LIMIT(MN := DTL#1990-02-01-00:00:00, IN := #dtl, MX := DTL#1991-01-01-00:00:00);', 'moved.YEAR', 1991n],
    ['#moved := MUX(K := 1, IN0 := #dtl, IN1 := DTL#2025-02-01-00:00:00);', 'moved.YEAR', 2025n],
    ['#moved := MUX(K := 7, IN0 := #dtl, IN1 := #dtl, INELSE := DTL#2025-02-01-00:00:00);', 'moved.YEAR', 2025n],
    [
      '#later := MAX(IN1 := #old, IN2 := DT#2020-03-01-00:00:00); #result := #later;',
      'result',
      utc('2020-03-01T00:00:00'),
    ],
    ['#dtl := MIN(IN1 := #dtl, IN2 := #dtl + T#1d); #moved := #dtl;', 'moved.DAY', 31n],
    // MN above MX: the input, and ENO is FALSE (help, "LIMIT").
    ['#moved := LIMIT(MN := DTL#2026-01-01-00:00:00, IN := #dtl, MX := DTL#2025-01-01-00:00:00);', 'moved.YEAR', 2024n],
    ['#b := ENO; #k := LIMIT(MN := 5, IN := 7, MX := 3);', 'k', 7n],
    ['#k := LIMIT(MN := 5, IN := 7, MX := 6);', 'k', 6n],
    ['#k := LIMIT(MN := 8, IN := 7, MX := 9);', 'k', 8n],
    // A DTL that is no valid date is copied unchanged.
    ['#dtl.MONTH := 0; #moved := SEL(G := FALSE, IN0 := #dtl, IN1 := #moved);', 'moved.DAY', 31n],
  ] as const)
    it(`${body} ${member}`, () => assert.equal(after(body, member), value))

  it('texts of one kind are chosen among with SEL and MUX', () => {
    const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR s : String; t : String[3] := 'xyz'; u : String; w : WString; x : WString; c : Char := 'q'; d : Char; e : String; ok : Bool; END_VAR
BEGIN
#s := SEL(G := TRUE, IN0 := #t, IN1 := 'long text');
#u := SEL(G := FALSE, IN0 := #t, IN1 := 'long text');
#w := SEL(G := TRUE, IN0 := WSTRING#'a', IN1 := WSTRING#'bc');
#x := MUX(K := 5, IN0 := #w, IN1 := WSTRING#'no', INELSE := WSTRING#'else');
#d := SEL(G := FALSE, IN0 := #c, IN1 := 'z');
#e := MUX(K := 1, IN0 := 'a', IN1 := #t);
END_FUNCTION_BLOCK
`)
    run.scan()
    assert.deepEqual(
      ['s', 'u', 'w', 'x', 'd', 'e'].map((name) => run.get(name)),
      ['long text', 'xyz', 'bc', 'else', 'q'.charCodeAt(0), 'xyz'],
    )
  })

  it('two kinds of values, and MAX of texts, are refused', () => {
    const codes = (body: string) =>
      diagnosticsOf(`FUNCTION_BLOCK "Main"\nVAR s : String; END_VAR\n${members}${body}\nEND_FUNCTION_BLOCK\n`).map(
        ({ code }) => code,
      )
    assert.deepEqual(codes('#moved := MAX(IN1 := #dtl, IN2 := #old);'), ['wrong-operand'])
    assert.deepEqual(codes('#moved := SEL(G := TRUE, IN0 := #dtl, IN1 := 5);'), ['wrong-operand'])
    assert.deepEqual(codes("#s := SEL(G := TRUE, IN0 := 'a', IN1 := 5);"), ['type-mismatch'])
    assert.deepEqual(codes("#s := MAX(IN1 := 'a', IN2 := 'bc');"), ['no-scalar'])
  })
})
