/** How types of values combine: implicit conversion with IEC check on (TIA Portal help, data types of S7-1500). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import {
  assignHint,
  bitsOf,
  commonTyped,
  describe,
  familyOf,
  fold,
  isComparison,
  isNumber,
  isWritable,
  isZero,
  realConstant,
  type ValueType,
  valueExample,
  widens,
} from './type-rules.ts'

const type = (name: string) => {
  const read = parseElementaryType(name)
  assert.ok(read, name)
  return read
}
const typed = (name: string): ValueType => ({ kind: 'typed', type: type(name) })
const whole = (value: bigint | number): ValueType => ({ kind: 'integer', value: BigInt(value) })
const real = (value: number): ValueType => ({ kind: 'real', value })
const text: ValueType = { kind: 'text', length: 3 }
const unknown: ValueType = { kind: 'unknown' }

/** To which types a type widens, of all here. */
const wider: Readonly<Record<string, string>> = {
  Bool: '',
  Byte: 'Word DWord LWord',
  Word: 'DWord LWord',
  DWord: 'LWord',
  LWord: '',
  SInt: 'Int DInt LInt Real LReal',
  Int: 'DInt LInt Real LReal',
  DInt: 'LInt LReal',
  LInt: '',
  USInt: 'Int DInt LInt UInt UDInt ULInt Real LReal',
  UInt: 'DInt LInt UDInt ULInt Real LReal',
  UDInt: 'LInt ULInt LReal',
  ULInt: '',
  Real: 'LReal',
  LReal: '',
  Time: 'LTime',
  LTime: '',
  S5Time: '',
  Date: '',
  Time_Of_Day: 'LTime_Of_Day',
  LTime_Of_Day: '',
  Date_And_Time: 'LDT',
  LDT: '',
  Char: 'String',
  WChar: 'WString',
  String: '',
  WString: '',
}

test('every pair of types: which widens to which, and what they have in common', () => {
  const names = Object.keys(wider)
  for (const from of names) {
    const to = names.filter((name) => name !== from && widens(type(from), type(name)))
    assert.deepEqual(to.sort(), wider[from]!.split(' ').filter(Boolean).sort(), from)
    assert.ok(widens(type(from), type(from)))
  }
  const reaches = (from: string, to: string) => from === to || wider[from]!.split(' ').includes(to)
  // Each type that both reach, the narrowest first; integers of both signs meet in a wider one.
  for (const a of names)
    for (const b of names) {
      const common = commonTyped(type(a), type(b))?.name
      if (reaches(a, b)) assert.equal(common, b, `${a} ${b}`)
      else if (reaches(b, a)) assert.equal(common, a, `${a} ${b}`)
      assert.equal(commonTyped(type(b), type(a))?.name, common, `${a} ${b} either way`)
      if (common !== undefined) assert.ok(reaches(a, common) && reaches(b, common), `${a} ${b} ${common}`)
    }
  for (const [a, b, common] of [
    ['SInt', 'USInt', 'Int'],
    ['Int', 'UInt', 'DInt'],
    ['DInt', 'UDInt', 'LInt'],
    ['LInt', 'ULInt', undefined],
    ['DInt', 'Real', 'LReal'],
    ['UDInt', 'Real', 'LReal'],
    ['LInt', 'LReal', undefined],
    ['Int', 'Word', undefined],
    ['Char', 'WChar', undefined],
    ['String', 'WString', undefined],
    ['Time', 'S5Time', undefined],
    ['Bool', 'Byte', undefined],
    ['Char', 'Int', undefined],
  ])
    assert.equal(commonTyped(type(a!), type(b!))?.name, common, `${a} ${b}`)
})

test('two untyped numbers: whole where both are and nothing is left over', () => {
  for (const [a, operator, b, result] of [
    [whole(7), '+', whole(2), whole(9)],
    [whole(7), '-', whole(9), whole(-2)],
    [whole(7), '*', whole(-2), whole(-14)],
    [whole(8), '/', whole(2), whole(4)],
    [whole(10), '/', whole(4), real(2.5)],
    [whole(10), 'MOD', whole(4), whole(2)],
    [whole(1), '+', real(0.5), real(1.5)],
    [real(1.5), '-', real(0.5), real(1)],
    [real(1.5), '*', whole(2), real(3)],
    [real(3), '/', whole(2), real(1.5)],
    [real(3), 'MOD', whole(2), undefined],
    [whole(1), '<', whole(2), undefined],
    [text, '+', whole(2), undefined],
    [whole(2), '+', typed('Int'), undefined],
    [real(2), '+', unknown, undefined],
  ] as const)
    assert.deepEqual(fold(operator, a, b), result)
})

test('families, sizes, zero, comparisons, words', () => {
  const all = [typed('Int'), whole(5), real(1.5), text, unknown]
  assert.deepEqual(all.map(familyOf), ['integer', 'constant', 'constant', 'text', undefined])
  assert.deepEqual(all.map(describe), ['of type Int', 'the number 5', 'the number 1.5', 'a text', 'unknown'])
  assert.deepEqual(all.map(bitsOf), [16, 0, 0, 0, 0])
  assert.deepEqual([whole(0), real(0), whole(1), real(0.1), typed('Int'), text].map(isZero), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  assert.deepEqual((['=', '<>', '<', '<=', '>', '>=', '+', 'AND', 'MOD'] as const).map(isComparison), [
    ...[true, true, true, true, true, true],
    ...[false, false, false],
  ])
  assert.deepEqual((['integer', 'real', 'constant', 'bits', 'text', 'duration', undefined] as const).map(isNumber), [
    ...[true, true, true],
    ...[false, false, false, false],
  ])
})

test('constants as SCL has them, and what is proposed', () => {
  assert.deepEqual([5n, 1.5, 1e21, 1.5e-9, -3].map(realConstant), ['5.0', '1.5', '1.0E+21', '1.5E-9', '-3.0'])
  const limit = 2n ** 64n
  for (const [constant, isThere] of [
    [whole(limit - 1n), true],
    [whole(limit), false],
    [whole(-(2n ** 63n)), true],
    [whole(-(2n ** 63n) - 1n), false],
    [real(1e308), true],
    [real(Number.POSITIVE_INFINITY), false],
  ] as const)
    assert.equal(isWritable(constant as Parameters<typeof isWritable>[0]), isThere)
  for (const [target, given, hint] of [
    ['Time', whole(5), ' Write it with its unit: a duration such as T#5s.'],
    ['S5Time', real(5), ' Write it with its unit: a duration such as S5T#5s.'],
    ['LTime', whole(5), ' Write it with its unit: a duration such as LT#5s.'],
    ['Time', text, ''],
    ['Bool', whole(1), ' Write TRUE.'],
    ['Bool', whole(0), ' Write FALSE.'],
    ['Bool', whole(2), ''],
    ['Bool', real(1), ''],
    ['Int', whole(1), ''],
  ] as const)
    assert.equal(assignHint(type(target), given), hint, target)
  for (const [name, example] of Object.entries({
    Bool: 'TRUE or FALSE',
    Real: 'a number such as 12 or 1.5',
    Date: 'a constant or variable of type Date',
    Char: "one character in single quotes, such as 'A'",
    'String[7]': 'a text in single quotes of at most 7 characters',
  }))
    assert.equal(valueExample(type(name)), example)
  assert.match(valueExample(type('Int')), /^a whole number, .*-?32768/)
})
