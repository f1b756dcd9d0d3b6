import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Access } from '../program/type.ts'
import { runSource } from '../testing/lower-source.ts'
import { codesOf, runScl, type SclRun } from '../testing/runtime.ts'

const cases: readonly [Access, boolean][] = [
  ['optimized', false],
  ['standard', false],
  ['optimized', true],
  ['standard', true],
]

for (const [access, isWide] of cases)
  describe(`${isWide ? 'WString' : 'String'}, ${access} access`, () => {
    const kind = isWide ? 'WString' : 'String'
    const start = (body: string): SclRun =>
      runScl({
        access,
        members: {
          ...{ a: `${kind}[20]`, b: `${kind}[20]`, x: `${kind}[30]`, short: `${kind}[5]`, ok: 'Bool' },
          ...{ l: 'Int', p: 'Int', n: 'DInt', less: 'Bool', same: 'Bool', max: 'DInt' },
        },
        body,
      })
    const characters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', isWide ? 'Ω' : 'é'), maxLength: 20 })
    const numbers = fc.integer({ min: -3, max: 25 })

    /** Compares the result of the instruction with a reference. */
    const check = (
      call: string,
      reference: (a: string, b: string, l: number, p: number) => readonly [string, boolean],
    ) => {
      const run = start(`#x := ${call}`)
      fc.assert(
        fc.property(characters, characters, numbers, numbers, (a, b, l, p) => {
          for (const [name, value] of Object.entries({ a, b, l, p, ok: true })) run.set(name, value)
          run.scan()
          const [text, isRight] = reference(a, b, l, p)
          assert.deepEqual([run.get('x'), run.get('ok')], [text.slice(0, 30), isRight])
        }),
      )
    }
    test('CONCAT', () => check('CONCAT(IN1 := #a, IN2 := #b, ENO => #ok);', (a, b) => [a + b, true]))
    test('LEFT', () =>
      check('LEFT(IN := #a, L := #l, ENO => #ok);', (a, _b, l) => [l < 0 ? '' : a.substring(0, l), l >= 0]))
    test('RIGHT', () =>
      check('RIGHT(IN := #a, L := #l, ENO => #ok);', (a, _b, l) => [
        l < 0 ? '' : a.substring(Math.max(0, a.length - l)),
        l >= 0,
      ]))
    test('MID', () =>
      check('MID(IN := #a, L := #l, P := #p, ENO => #ok);', (a, _b, l, p) =>
        l < 0 || p < 1 || p > a.length ? ['', false] : [a.substring(p - 1, p - 1 + l), true],
      ))
    test('DELETE', () =>
      check('DELETE(IN := #a, L := #l, P := #p, ENO => #ok);', (a, _b, l, p) => {
        if (l < 0 || p < 1) return ['', false]
        if (p > a.length) return [a, false]
        const kept = [...a].filter((_one, i) => i < p - 1 || i >= p - 1 + l).join('')
        return [kept, p - 1 + l <= a.length]
      }))
    test('INSERT', () =>
      check('INSERT(IN1 := #a, IN2 := #b, P := #p, ENO => #ok);', (a, b, _l, p) => {
        if (p < 0) return ['', false]
        return p > a.length ? [a + b, false] : [a.substring(0, p) + b + a.substring(p), true]
      }))
    test('REPLACE', () =>
      check('REPLACE(IN1 := #a, IN2 := #b, L := #l, P := #p, ENO => #ok);', (a, b, l, p) => {
        if (l < 0 || p < 1) return ['', false]
        if (p > a.length) return [a + b, false]
        return [a.substring(0, p - 1) + b + a.substring(p - 1 + l), p - 1 + l <= a.length]
      }))
    test('LEN, MAX_LEN, FIND, comparison, assignment that cuts', () => {
      const run = start(
        '#l := LEN(#a); #max := MAX_LEN(#a); #n := FIND(IN1 := #a, IN2 := #b); #less := #a < #b; #same := #a = #b; #short := #a;',
      )
      fc.assert(
        fc.property(characters, characters, (a, b) => {
          run.set('a', a)
          run.set('b', b)
          run.scan()
          assert.deepEqual(
            ['l', 'max', 'n', 'less', 'same', 'short'].map((name) => Number(run.get(name)) || run.get(name)),
            [a.length, 20, b === '' ? 0 : a.indexOf(b) + 1, a < b, a === b, a.slice(0, 5)].map(
              (value) => Number(value) || value,
            ),
          )
        }),
      )
    })
  })

test('constants and single characters stand for texts; more than two are joined', () => {
  const run = runScl({
    members: { s: 'String[20]', c: 'Char', t: 'String[3]', ok: 'Bool' },
    body: "#c := 'x'; #s := CONCAT(IN1 := 'ab', IN2 := #c, IN3 := '$$!'); S_MOVE(IN := #s, OUT => #t, ENO => #ok);",
  })
  run.set('ok', true)
  run.scan()
  assert.deepEqual([run.get('s'), run.get('t'), run.get('ok')], ['abx$!', 'abx', false])
})

// S7-1200 system manual, table 8-33.
for (const [input, target, value, isRight] of [
  ['123', 'Int', 123, true],
  ['-00456', 'DInt', -456, true],
  ['123.45', 'Int', 123, true],
  ['+2345', 'Int', 2345, true],
  ['00123AB', 'Int', 123, true],
  ['123', 'Real', 123, true],
  ['123.45', 'Real', Math.fround(123.45), true],
  ['1.23e-4', 'Real', Math.fround(1.23), true],
  ['1.23E-4', 'Real', Math.fround(1.23), true],
  ['12,345.67', 'Real', Math.fround(12345.67), true],
  ['3.4e39', 'Real', Math.fround(3.4), true],
  ['-3.4e39', 'Real', Math.fround(-3.4), true],
  ['1.17549e-38', 'Real', Math.fround(1.17549), true],
  ['12345', 'SInt', 0, false],
  ['A123', 'Int', 0, false],
  ['', 'Int', 0, false],
  ['++123', 'Int', 0, false],
  ['+-123', 'Int', 0, false],
  ['   42', 'USInt', 42, true],
  ['18446744073709551615', 'ULInt', 18446744073709551615n, true],
  ['-9223372036854775808', 'LInt', -9223372036854775808n, true],
] as const)
  test(`'${input}' to ${target}`, () => {
    const run = runScl({
      members: { s: 'String[30]', v: target, ok: 'Bool' },
      body: `#v := STRING_TO_${target.toUpperCase()}(IN := #s, ENO => #ok);`,
    })
    run.set('s', input)
    run.set('ok', !isRight)
    run.scan()
    assert.deepEqual([run.get('v'), run.get('ok')], [value, isRight])
  })

// TIA Portal help: S_CONV pads with blanks; the conversions of SCL do not, and always have a sign.
for (const [type, value, expected, inScl] of [
  ['USInt', 255, ' 255', '+255'],
  ['SInt', -128, '-128', '-128'],
  ['UInt', 123, '   123', '+123'],
  ['Int', -123, '  -123', '-123'],
  ['Int', 0, '     0', '+0'],
  ['UDInt', 4294967295, ' 4294967295', '+4294967295'],
  ['DInt', -2147483648, '-2147483648', '-2147483648'],
  ['Real', -3.402823e38, ' -3.402823E+38', ' -3.402823E+38'],
  ['Real', 1.175495e-38, ' +1.175495E-38', ' +1.175495E-38'],
  ['LReal', -1.7976931348623e308, '-1.7976931348623E+308', '-1.7976931348623E+308'],
] as const)
  test(`${type} ${value} to a text`, () => {
    const run = runScl({
      members: { v: type, s: 'String[30]', w: 'WString[30]', t: 'String[30]' },
      body: `#s := ${type.toUpperCase()}_TO_STRING(#v); #w := ${type.toUpperCase()}_TO_WSTRING(#v); S_CONV(IN := #v, OUT => #t);`,
    })
    run.set('v', value)
    run.scan()
    assert.deepEqual([run.get('s'), run.get('w'), run.get('t')], [inScl, inScl, expected])
  })

test('texts go with texts only', () => {
  const members = { s: 'String', i: 'Int' } as const
  assert.deepEqual(codesOf({ members, body: '#i := LEN(#i);' }), ['type-mismatch'])
  assert.deepEqual(codesOf({ members, body: '#s := CONCAT(IN1 := #s);' }), ['missing-parameter'])
})

// A text without a length in an interface takes texts of any length: what is built of it is cut by its target only.
for (const [kind, room, length, whole] of [
  ['WString', 1000, 300, true],
  ['WString', 1000, 600, true],
  ['String', 254, 100, true],
  // What an instruction builds has at most 254 characters; what is cut only by the target is no fault of it.
  ['String', 254, 200, false],
  ['String', 100, 60, true],
] as const)
  test(`${kind}[${room}] with ${length} characters behind a parameter without a length`, () => {
    const run = runSource(`FUNCTION "Join" : Void
VAR_IN_OUT
  both : ${kind};
END_VAR
VAR_OUTPUT
  length : DInt;
  most : DInt;
  right : DInt;
  middle : DInt;
  isWhole : Bool;
END_VAR
BEGIN
#both := CONCAT(IN1 := #both, IN2 := #both, ENO => #isWhole);
#length := LEN(#both);
#most := MAX_LEN(#both);
#right := LEN(RIGHT(IN := #both, L := 500));
#middle := LEN(MID(IN := #both, L := 2000, P := 11));
END_FUNCTION
FUNCTION_BLOCK "Main"
VAR
  s : ${kind}[${room}];
  i : Int;
  isWhole : Bool;
  length : DInt;
  most : DInt;
  right : DInt;
  middle : DInt;
END_VAR
BEGIN
FOR #i := 1 TO ${length} DO
#s := CONCAT(IN1 := #s, IN2 := 'x');
END_FOR;
"Join"(both := #s, length => #length, most => #most, right => #right, middle => #middle, isWhole => #isWhole);
END_FUNCTION_BLOCK
`)
    run.scan()
    const joined = Math.min(2 * length, room)
    assert.deepEqual(
      ['length', 'most', 'right', 'middle', 'isWhole'].map((name) => run.get(name)),
      [joined, room, Math.min(joined, 500), joined - 10, Number(whole)],
    )
  })

test('a function takes and gives texts of any length; its own value is a text of 254 characters', () => {
  const run = runSource(`FUNCTION "Copy" : WString
VAR_INPUT
  given : WString;
END_VAR
VAR_OUTPUT
  taken : WString;
  length : DInt;
  most : DInt;
END_VAR
BEGIN
#taken := #given;
#length := LEN(#given);
#most := MAX_LEN(#given);
#Copy := #given;
END_FUNCTION
FUNCTION_BLOCK "Main"
VAR
  s : WString[1000];
  taken : WString[1000];
  value : WString[1000];
  i : Int;
  length : DInt;
  most : DInt;
END_VAR
BEGIN
FOR #i := 1 TO 300 DO
#s := CONCAT(IN1 := #s, IN2 := 'x');
END_FOR;
#value := "Copy"(given := #s, taken => #taken, length => #length, most => #most);
END_FUNCTION_BLOCK
`)
  run.scan()
  assert.deepEqual([run.get('length'), run.get('most')], [300, 1000])
  assert.deepEqual([run.get('taken'), run.get('value')], ['x'.repeat(300), 'x'.repeat(254)])
})
