import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instructionNetwork, runNetworks } from '../../testing/lower-ladder.ts'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const members = `VAR
  early : DTL := DTL#2024-01-31-14:30:00.5;
  late : DTL := DTL#2024-01-31-14:30:01;
  old : Date_And_Time := DT#2020-02-29-23:59:59.999;
  young : Date_And_Time := DT#2020-03-01-00:00:00;
  letter : Char := 'F';
  wide : WChar := WCHAR#'x';
  b : Array[0..9] of Bool;
END_VAR
BEGIN
`
const main = (body: string, access: boolean) =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}' }\n${members}${body}\nEND_FUNCTION_BLOCK\n`

for (const access of [true, false])
  test(`points in time and characters are compared, ${access ? 'optimized' : 'standard'} access`, () => {
    const run = runSource(
      main(
        `#b[0] := #early < #late;
#b[1] := #early = #late;
#b[2] := #early = DTL#2024-01-31-14:30:00.500;
#b[3] := DTL#1970-01-01-00:00:00 <> #late;
#b[4] := #old >= #young;
#b[5] := #old = DT#2020-02-29-23:59:59.999;
#b[6] := #letter = 'F';
#b[7] := 'G' <= #letter;
#b[8] := #wide = 'x';
#b[9] := #young > #old;`,
        access,
      ),
    )
    run.scan()
    const got = Array.from({ length: 10 }, (_one, i) => run.get(`b[${i}]`))
    assert.deepEqual(got, [1, 0, 1, 1, 0, 1, 1, 0, 1, 1])
  })

const declared = `FUNCTION "Copied" : DTL
{ S7_Optimized_Access := 'FALSE' }
VAR_INPUT
  at : DTL;
  old : Date_And_Time;
  wide : LDT;
END_VAR
VAR_OUTPUT
  seen : LDT;
  span : LTime;
END_VAR
BEGIN
  #Copied := #at;
  #seen := #old;
  #span := #wide - #seen;
END_FUNCTION
FUNCTION_BLOCK "Kept"
{ S7_Optimized_Access := 'FALSE' }
VAR_INPUT
  at : DTL;
  old : Date_And_Time;
  wide : LDT;
END_VAR
VAR_OUTPUT
  seen : LDT;
END_VAR
BEGIN
  #seen := DTL_TO_LDT(#at);
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Main"
`
const variables = (access: boolean) => `{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}' }
VAR
  dtl : DTL;
  dt : Date_And_Time;
  ldt : LDT;
  other : LDT;
  tod : Time_Of_Day;
  ltod : LTime_Of_Day;
  day : Date;
  t : Time;
  lt : LTime;
  b : Bool;
  kept : "Kept";
END_VAR
VAR CONSTANT
  START : DTL := DTL#2024-01-31-14:30:00.5;
  OLD : Date_And_Time := DT#2020-02-29-23:59:59.999;
END_VAR
BEGIN
`
const utc = (text: string) => BigInt(Date.parse(`${text}Z`)) * 1_000_000n

/** The value of a member after one cycle of statements, in both kinds of access. */
function after(body: string, member: string): bigint {
  const [one, other] = [true, false].map((access) => {
    const run = runSource(`${declared}${variables(access)}${body}\nEND_FUNCTION_BLOCK\n`)
    run.scan()
    assert.deepEqual(run.faults, [])
    return run.bits(member)
  })
  assert.equal(one, other, body)
  return one as bigint
}

const noon = utc('2024-01-01T12:00:00.500')
for (const [body, member, value] of [
  ['#dtl := DTL#2024-01-01-12:00:00.5;', 'dtl.YEAR', 2024n],
  ['#dtl := DTL#2024-01-01-12:00:00.5;', 'dtl.WEEKDAY', 2n],
  ['#dtl := DTL#2024-01-01-12:00:00.5;', 'dtl.NANOSECOND', 500_000_000n],
  ['#dtl := #START;', 'dtl.MINUTE', 30n],
  ['#dtl := DTL#2024-01-01-12:00:00.5; #ldt := DTL_TO_LDT(#dtl);', 'ldt', noon],
  ['#dt := DT#2024-01-01-12:00:00.5; #ldt := DT_TO_LDT(#dt);', 'ldt', noon],
  ['#dt := DATE_AND_TIME#2024-01-01-12:00:00.5; #ldt := #dt;', 'ldt', noon],
  ['#dt := DT#24-01-01-12:00:00.5; #ldt := #dt;', 'ldt', noon],
  ['#dt := #OLD; #ldt := #dt;', 'ldt', utc('2020-02-29T23:59:59.999')],
  ['#ldt := DT#2024-01-01-12:00:00.5;', 'ldt', noon],
  ['#ldt := #OLD;', 'ldt', utc('2020-02-29T23:59:59.999')],
  ['#ldt := LDT#2024-01-01-12:00:00.5;', 'ldt', noon],
  ['#ldt := DTL_TO_LDT(DTL#2024-01-01-12:00:00.5);', 'ldt', noon],
  ['#ldt := DT_TO_LDT(DT#2024-01-01-12:00:00.5);', 'ldt', noon],
  ['#ldt := TO_LDT(#START);', 'ldt', utc('2024-01-31T14:30:00.500')],
  ['#ldt := TO_LDT(D#2024-01-31);', 'ldt', utc('2024-01-31T00:00:00')],
  ['#dtl := TO_DTL(LDT#2024-01-01-12:00:00.5);', 'dtl.HOUR', 12n],
  ['#dtl := DT_TO_DTL(#OLD);', 'dtl.DAY', 29n],
  ['#dtl := DT_TO_DTL(LDT_TO_DT(LDT#2024-01-01-12:00:00.5));', 'dtl.NANOSECOND', 500_000_000n],
  ['#ldt := DT_TO_LDT(DTL_TO_DT(DTL#2024-01-01-12:00:00.5));', 'ldt', noon],
  ['#ldt := DTL_TO_LDT(T_ADD(IN1 := DTL#2024-01-01-12:00:00.5, IN2 := T#1s));', 'ldt', noon + 1_000_000_000n],
  ['#dtl := T_ADD(IN1 := #START, IN2 := T#1d);', 'dtl.MONTH', 2n],
  ['#ldt := T_SUB(IN1 := DT#2024-01-01-12:00:00.5, IN2 := T#500ms);', 'ldt', noon - 500_000_000n],
  ['#ldt := T_ADD(IN1 := LDT#2024-01-01-12:00:00.5, IN2 := LT#1ns);', 'ldt', noon + 1n],
  ['#t := T_DIFF(IN1 := #START, IN2 := DTL#2024-01-31-14:29:59);', 't', 1500n],
  ['#lt := T_DIFF(IN1 := LDT#2020-03-01-00:00:00, IN2 := #OLD);', 'lt', 1_000_000n],
  ['#ldt := DTL_TO_LDT(T_COMBINE(IN1 := D#2024-01-01, IN2 := TOD#12:00:00.5));', 'ldt', noon],
  ['#ldt := CONCAT_DATE_TOD(D#2024-01-01, TOD#12:00:00.5);', 'ldt', noon],
  ['#lt := LDT#2020-03-01-00:00:00 - #OLD;', 'lt', 1_000_000n],
  ['#tod := TOD#12:00:00.5;', 'tod', 43_200_500n],
  ['#ltod := LTOD#12:00:00.5;', 'ltod', 43_200_500_000_000n],
  ['#ltod := TOD#12:00:00.5;', 'ltod', 43_200_500_000_000n],
  ['#day := D#1990-01-31;', 'day', 30n],
  ['#ldt := LDT#2020-03-01-00:00:00; #b := #ldt > #OLD;', 'b', 1n],
  ['#dt := #OLD; #b := DT#2020-02-29-23:59:59.998 < #dt;', 'b', 1n],
  ['#dt := #OLD; #b := #dt = LDT#2020-02-29-23:59:59.999;', 'b', 1n],
  ['#b := #START = DTL#2024-01-31-14:30:00.5;', 'b', 1n],
  ['#dtl := "Copied"(at := #START, old := #OLD, wide := #OLD, seen => #ldt);', 'dtl.DAY', 31n],
  [
    '#dtl := "Copied"(at := DTL#2024-01-01-12:00:00.5, old := #OLD, wide := DT#2020-03-01-00:00:00, span => #lt);',
    'lt',
    1_000_000n,
  ],
  ['#dtl := "Copied"(at := #dtl, old := DT#2024-01-01-12:00:00.5, wide := #ldt, seen => #other);', 'other', noon],
  ['#kept(at := DTL#2024-01-01-12:00:00.5, old := #OLD, wide := #OLD, seen => #ldt);', 'ldt', noon],
  ['#kept(at := #START, old := DT#2024-01-01-12:00:00.5); #ldt := #kept.old;', 'ldt', noon],
] as const)
  test(`${body} ${member}`, () => assert.equal(after(body, member), value))

test('points in time are moved, compared and shifted in LAD', () => {
  const run = runNetworks({ dtl: 'DTL', old: 'DT', wide: 'LDT', late: 'LDT', b: 'Bool' }, [
    instructionNetwork([
      { name: 'Move', in: { en: 'RAIL', in: 'DTL#2024-01-01-12:00:00.5' }, out: { out1: '#dtl' }, card: 1 },
    ]),
    instructionNetwork([
      { name: 'Move', in: { en: 'RAIL', in: 'DT#2024-01-01-12:00:00.5' }, out: { out1: '#old' }, card: 1 },
    ]),
    instructionNetwork([{ name: 'Move', in: { en: 'RAIL', in: '#old' }, out: { out1: '#wide' }, card: 1 }]),
    instructionNetwork([
      {
        name: 'T_ADD',
        in: { en: 'RAIL', IN1: 'DT#2024-01-01-12:00:00.5', IN2: 'T#1s' },
        out: { OUT: '#late' },
        types: { date_type: 'DT', time_type: 'Time' },
      },
    ]),
    instructionNetwork([
      { name: 'Gt', in: { pre: 'RAIL', in1: 'DTL#2024-01-01-12:00:01', in2: '#dtl' }, types: { SrcType: 'DTL' } },
      { name: 'Coil', in: { in: '0.out', operand: '#b' } },
    ]),
  ])
  run.scan()
  assert.deepEqual([run.get('b'), run.get('wide'), run.get('late')], [true, noon, noon + 1_000_000_000n])
})

test('more than 24 days between two dates are 0 in LAD and STL; an LTime that is no Time leaves the target', () => {
  const run = runNetworks({ d: 'Date', e: 'Date', t: 'Time', l: 'LTime', u: 'Time', v: 'Time', k: 'Bool', m: 'Bool' }, [
    instructionNetwork([
      {
        name: 'T_DIFF',
        in: { en: 'RAIL', IN1: '#d', IN2: '#e' },
        out: { OUT: '#t' },
        types: { in1_type: 'Date', in2_type: 'Date', out_type: 'Time' },
      },
      { name: 'Coil', in: { in: '0.eno', operand: '#k' } },
    ]),
    instructionNetwork([
      {
        name: 'Convert',
        in: { en: 'RAIL', in: '#l' },
        out: { out: '#u' },
        types: { SrcType: 'LTime', DestType: 'Time' },
      },
      { name: 'Coil', in: { in: '0.eno', operand: '#m' } },
    ]),
    instructionNetwork([
      {
        name: 'T_CONV',
        in: { en: 'RAIL', IN: '#l' },
        out: { OUT: '#v' },
        types: { src_type: 'LTime', dest_type: 'Time' },
      },
    ]),
  ])
  const after = (days: number, nanoseconds: bigint) => {
    run.set('d', days)
    run.set('l', nanoseconds)
    run.scan()
    return ['t', 'k', 'u', 'v', 'm'].map((name) => run.get(name))
  }
  assert.deepEqual(after(24, 7_000_000n), [24 * 86_400_000, true, 7, 7, true])
  assert.deepEqual(after(25, 2n ** 60n), [0, false, 7, 7, false])
  const stl = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'FALSE' }
VAR d : DATE := D#2024-01-01; e : DATE; t : TIME := T#5s; END_VAR
BEGIN
NETWORK
      CALL T_DIFF ( IN1 := #d , IN2 := #e , OUT := #t );
END_FUNCTION_BLOCK
`)
  stl.scan()
  assert.equal(stl.get('t'), 0)
})

test('what is another type is told with the conversion that leads there', () => {
  const hints = (body: string) =>
    diagnosticsOf(`${declared}${variables(true)}${body}\nEND_FUNCTION_BLOCK\n`).map(({ code, hint }) => [code, hint])
  assert.deepEqual(hints('#dtl := #ldt;'), [['type-mismatch', 'Convert it: LDT_TO_DTL(#ldt).']])
  assert.deepEqual(hints('#dtl := #OLD;'), [['type-mismatch', 'Convert it: DT_TO_DTL(#OLD).']])
  assert.deepEqual(hints('#dtl := 5;'), [['type-mismatch', undefined]])
  assert.deepEqual(
    hints('#START := DTL#2024-01-01-12:00:00;').map(([code]) => code),
    ['not-assignable'],
  )
})

test('a text of two characters is no character, and points of two kinds are not compared', () => {
  const codes = (body: string) => diagnosticsOf(main(body, true)).map(({ code }) => code)
  assert.deepEqual(codes("#b[0] := #letter = 'FG';"), ['constant-does-not-fit'])
  assert.ok(codes('#b[0] := #early = #old;').length > 0)
})
