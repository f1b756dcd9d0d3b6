/** What depends on the family of the CPU: each row of plc/program/cpu-family.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import type { CpuFamily } from '../../program/cpu-family.ts'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'
import { compileProgram } from '../compile-program.ts'
import { interfaceFacts } from '../interfaces.ts'
import { blobHash } from '../program-file.ts'

const families: readonly CpuFamily[] = ['S7-300/400', 'S7-1200', 'S7-1200 G2', 'S7-1500']

const source = (body: string, members: string, attributes = '') =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := 'FALSE'${attributes} }\nVAR\n${members}\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

/** The errors and warnings of a program for a CPU. */
const told = (body: string, members: string, family?: CpuFamily, attributes?: string) =>
  diagnosticsOf(source(body, members, attributes), family).map(
    ({ code, severity, message }) => `${severity} ${code}: ${message}`,
  )

/** The pattern of a member after a cycle on a CPU. */
function after(body: string, members: string, member: string, family: CpuFamily): bigint {
  const run = runSource(source(body, members, "; S7_SetENOAutomatically := 'TRUE'"), {}, family)
  run.scan()
  assert.deepEqual(run.faults, [])
  return run.bits(member)
}

/** The types of those declared that take the value without a message. */
function typesOf(value: string, candidates: readonly string[], members: string, family: CpuFamily): string[] {
  return candidates.filter((type) => told(`#m := ${value};`, `m : ${type}; ${members}`, family).length === 0)
}

const days = 'd : Date := D#2024-03-01; e : Date := D#2024-01-01; t : Time_Of_Day := TOD#01:00:00;'

describe('types of results', () => {
  for (const [value, members, expected] of [
    ['#d + #t', days, ['Date_And_Time', 'DTL', 'DTL', 'DTL']],
    ['T_COMBINE(IN1 := #d, IN2 := #t)', days, ['Date_And_Time', 'DTL', 'DTL', 'DTL']],
    ['CONCAT_DATE_TOD(#d, #t)', days, ['Date_And_Time', 'DTL', 'DTL', 'Date_And_Time']],
    ['#d - #e', days, ['Time', 'Time', 'LTime', 'LTime']],
    ['#a - #b', 'a : DTL; b : DTL;', ['Time', 'Time', 'LTime', 'LTime']],
    ['#a - #b', 'a : Date_And_Time; b : Date_And_Time;', ['Time', 'Time', 'Time', 'Time']],
    ['#t - TOD#00:30:00', days, ['Time', 'Time', 'Time', 'Time']],
  ] as const)
    test(value, () => {
      const candidates = ['Date_And_Time', 'DTL', 'Time', 'LTime']
      for (const [i, family] of families.entries()) {
        const types = typesOf(value, candidates, members, family)
        // A Time is an LTime too.
        const wanted = expected[i] === 'Time' ? ['Time', 'LTime'] : [expected[i]]
        assert.deepEqual(types, wanted, family)
      }
    })

  test('60 days are more than a Time has: 0 with ENO FALSE on S7-300/400 and S7-1200, an LTime on S7-1500', () => {
    const body = '#r := TIME_TO_DINT(#d - #e); #isRight := ENO;'
    const members = `${days} r : DInt := 7; isRight : Bool := TRUE;`
    for (const family of ['S7-300/400', 'S7-1200'] as const) {
      assert.equal(after(body, members, 'r', family), 0n)
      assert.equal(after(body, members, 'isRight', family), 0n)
    }
    const long = body.replace('TIME_TO_DINT', 'LTIME_TO_LINT')
    assert.equal(after(long, members.replace('DInt', 'LInt'), 'r', 'S7-1500'), 60n * 86_400_000_000_000n)
    assert.equal(after(long, members.replace('DInt', 'LInt'), 'isRight', 'S7-1500'), 1n)
  })

  test('a day and a time of day make the same moment in either type', () => {
    const on1500 = after('#m := #d + #t; #n := #m.HOUR;', `${days} m : DTL; n : USInt;`, 'n', 'S7-1500')
    const on300 = after(
      '#m := #d + #t; #n := TIME_TO_DINT(#m - DT#2024-03-01-00:00:00);',
      `${days} m : Date_And_Time; n : DInt;`,
      'n',
      'S7-300/400',
    )
    assert.deepEqual([on1500, on300], [1n, 3_600_000n])
  })
})

describe('numbers with and without sign', () => {
  const members = 'u : UDInt := 4000000000; d : DInt := -1; i : Int := -1; k : UInt := 65535; b : Bool; f : LReal;'

  test('UDInt and DInt make an LInt, which S7-1200 does not have: a warning there', () => {
    const warning = ' of UDInt and DInt needs LInt, which S7-1200 does not have.'
    assert.deepEqual(told('#f := #u + #d;', members, 'S7-1500'), [])
    assert.deepEqual(told('#f := #u + #d;', members, 'S7-1200 G2'), [])
    assert.deepEqual(told('#f := #u + #d;', members), [])
    assert.deepEqual(told('#f := #u + #d;', members, 'S7-1200'), [`warning type-of-cpu: +${warning}`])
    assert.deepEqual(told('#f := MAX(IN1 := #u, IN2 := #d);', members, 'S7-1200'), [
      `warning type-of-cpu: MAX${warning}`,
    ])
    // Comparisons give a Bool on every CPU.
    assert.deepEqual(told('#b := #u > #d;', members, 'S7-1200'), [])
    assert.equal(after('#b := #u > #d;', members, 'b', 'S7-1200'), 1n)
    assert.deepEqual(told('#f := #d + 4000000000;', members, 'S7-1200'), [
      'warning type-of-cpu: + of DInt needs LInt, which S7-1200 does not have.',
    ])
    assert.deepEqual(told('#f := #u - 5;', members, 'S7-1200'), [])
  })

  test('smaller ones share a type that each CPU has', () => {
    const body = '#r := #i + #k;'
    for (const family of ['S7-1200', 'S7-1500'] as const) {
      assert.deepEqual(told(body, `${members} r : DInt;`, family), [])
      assert.equal(after(body, `${members} r : DInt;`, 'r', family), 65_534n)
    }
  })

  test('the IEC check allows them only where one type holds the other', () => {
    const check = "; S7_IECCheck := 'TRUE'"
    const refusal = ['error wrong-operand: + cannot be applied to values of types Int and UInt with the IEC check.']
    for (const family of ['S7-1200', 'S7-1500', undefined] as const) {
      assert.deepEqual(told('#d := #i + #k;', members, family, check), refusal)
      assert.deepEqual(told('#d := #d + #k;', members, family, check), [])
      assert.deepEqual(told('#d := #i + 65535;', members, family, check), [])
      assert.deepEqual(told('#b := #i < #k;', members, family, check), [])
    }
  })
})

describe('what a CPU lacks', () => {
  const refusals = (body: string, members: string) => families.map((family) => told(body, members, family).length)

  test('implicit conversions', () => {
    const lossy = (from: string, to: string) =>
      `warning lossy-conversion: For #b a value of type ${to} is wanted; #a, of type ${from}, is converted: what does not fit is lost.`
    const refused = (from: string, to: string) =>
      `error type-mismatch: For #b a value of type ${to} is wanted; #a is of type ${from}.`
    const by = (from: string, to: string, family: CpuFamily) => told('#b := #a;', `a : ${from}; b : ${to};`, family)
    assert.deepEqual(by('LReal', 'Real', 'S7-1500'), [lossy('LReal', 'Real')])
    assert.deepEqual(by('LReal', 'Real', 'S7-1200'), [refused('LReal', 'Real')])
    for (const [from, to] of [
      ['DInt', 'Int'],
      ['Int', 'Byte'],
      ['DWord', 'Int'],
    ] as const) {
      for (const family of ['S7-1200', 'S7-1500'] as const) assert.deepEqual(by(from, to, family), [lossy(from, to)])
      assert.deepEqual(by(from, to, 'S7-300/400'), [refused(from, to)])
    }
    for (const [from, to] of [
      ['Char', 'Int'],
      ['Date', 'Int'],
      ['Time_Of_Day', 'Time'],
      ['Time_Of_Day', 'DInt'],
      ['Int', 'DWord'],
    ] as const) {
      for (const family of ['S7-1200', 'S7-1500'] as const) assert.deepEqual(by(from, to, family), [])
      assert.deepEqual(by(from, to, 'S7-300/400'), [refused(from, to)])
    }
    for (const [from, to] of [
      ['Char', 'Byte'],
      ['Date', 'Word'],
      ['Time', 'DInt'],
      ['Int', 'DInt'],
      ['Word', 'Int'],
    ] as const)
      assert.deepEqual(by(from, to, 'S7-300/400'), [])
  })

  test('comparisons of the order of bit strings in SCL', () => {
    const members = 'a : Word; b : Word; c : Bool;'
    assert.deepEqual(refusals('#c := #a < #b;', members), [1, 0, 0, 0])
    assert.deepEqual(refusals('#c := #a = #b;', members), [0, 0, 0, 0])
    assert.deepEqual(told('#c := #a < #b;', members, 'S7-300/400'), [
      'error wrong-operand: < cannot be applied to Word on S7-300/400.',
    ])
  })

  test('constants and conversions of types that it has not', () => {
    for (const [body, members, expected] of [
      ['#a := LINT#5;', 'a : LReal;', [1, 1, 0, 0]],
      ['#a := LINT_TO_LREAL(INT_TO_LINT(#i));', 'a : LReal; i : Int;', [2, 2, 0, 0]],
      ['#a := ROUND_LINT(#r);', 'a : LReal; r : Real;', [1, 1, 0, 0]],
      ['#a := USINT_TO_INT(#i);', 'a : Int; i : USInt;', [1, 0, 0, 0]],
      ['#a := S5TIME_TO_TIME(S5T#1s);', 'a : Time;', [0, 1, 0, 0]],
      ['#a := REAL_TO_DINT(#r); #a := ROUND(#r);', 'a : DInt; r : Real;', [0, 0, 0, 0]],
      ['RESET_TIMER(#a);', 'a : TON_TIME;', [1, 0, 0, 0]],
    ] as const)
      assert.deepEqual(refusals(body, members), expected, body)
    assert.deepEqual(told('#a := INT_TO_LINT(5);', 'a : LReal;', 'S7-1200'), [
      'error type-of-cpu: INT_TO_LINT is of type LINT, which S7-1200 does not have.',
    ])
    assert.deepEqual(told('#a := LINT#5;', 'a : LReal;', 'S7-1200'), [
      'error type-of-cpu: LINT#5 is of type LInt, which S7-1200 does not have.',
    ])
  })

  test('instructions with and without an instance', () => {
    assert.deepEqual(refusals('#a := TIME_TCK();', 'a : Time;'), [0, 1, 0, 0])
    assert.deepEqual(refusals('WAIT(5);', 'a : Time;'), [0, 1, 0, 0])
    assert.deepEqual(told('WAIT(5);', 'a : Time;', 'S7-1200'), [
      'error instruction-of-cpu: S7-1200 does not have the instruction WAIT.',
    ])
    assert.deepEqual(refusals('#a := NORM_X(MIN := 0, VALUE := 5, MAX := 10);', 'a : Real;'), [1, 0, 0, 0])
    assert.deepEqual(refusals('#a := PEEK_WORD(area := 16#83, dbNumber := 0, byteOffset := 0);', 'a : Word;'), [
      ...[1, 0, 0, 0],
    ])
    assert.deepEqual(refusals('#a(CLK := #b);', 'a : R_TRIG; b : Bool;'), [1, 0, 0, 0])
    assert.deepEqual(refusals('#a(IN := #b, PT := T#1s);', 'a : TON_TIME; b : Bool;'), [0, 0, 0, 0])
    assert.deepEqual(refusals('#a := SQRT(#a); #a := MAX(IN1 := #a, IN2 := 1.0);', 'a : Real;'), [0, 0, 0, 0])
    const alarm = told('#a(SIG := #b);', 'a : Program_Alarm; b : Bool;', 'S7-1200')
    assert.deepEqual(alarm, ['error instruction-of-cpu: S7-1200 does not have the instruction Program_Alarm.'])
    assert.deepEqual(told('#a(SIG := #b);', 'a : Program_Alarm; b : Bool;', 'S7-1500'), [])
  })

  test('nothing is refused where no device says the family', () => {
    const members = 'm : DTL; a : Time; f : LReal; r : Real;'
    assert.deepEqual(told('#a := TIME_TCK(); #f := INT_TO_LINT(5);', members), [])
    // The results are those of S7-1200 all the same.
    assert.deepEqual(told('#a := #m - #m;', members), [])
  })
})

/** Compiles for a family; the codes of errors. */
function codes(text: string, family?: CpuFamily, before?: ReturnType<typeof compileProgram>['state']) {
  const documents = readSource(text).blocks.map(({ object }) => ({
    ...{ object, document: blobHash(object.text ?? ''), facts: interfaceFacts(object) },
  }))
  const output = compileProgram({
    documents,
    tables: [],
    compiler: `test ${family}`,
    unitsOf: () => [],
    family,
    before,
  })
  return {
    codes: output.objects.flatMap(({ diagnostics }) =>
      diagnostics.flatMap(({ code, severity }) => (severity === 'error' ? [code] : [])),
    ),
    state: output.state,
  }
}

test('without a device the declarations say it; the device says it again after a change', () => {
  const call = (type: string, more = '') => source('#m := CONCAT_DATE_TOD(#d, #t);', `${days} m : ${type}; ${more}`)
  assert.deepEqual(codes(call('DTL')).codes, [])
  assert.deepEqual(codes(call('Date_And_Time')).codes, [])
  assert.notDeepEqual(codes(call('DTL', 'l : LInt;')).codes, [])
  const first = codes(call('DTL'), 'S7-1500')
  assert.notDeepEqual(first.codes, [])
  assert.deepEqual(codes(call('DTL'), 'S7-1200', first.state).codes, [])
})

test('a declaration of another object that changes the family compiles the block again', () => {
  const main = source('#r := #a - #b;', 'a : DTL; b : DTL; r : Time;')
  const other = (type: string) => `DATA_BLOCK "Other"\nVAR\n  n : ${type};\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
  const first = codes(main + other('DInt'))
  assert.deepEqual(first.codes, [])
  assert.notDeepEqual(codes(main + other('LInt'), undefined, first.state).codes, [])
})
