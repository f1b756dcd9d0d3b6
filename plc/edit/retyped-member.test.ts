import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InterfaceMember } from '../model/object.ts'
import { convertedValue, lostValues, retyped } from './retyped-member.ts'

test('a start value is written as the new type writes it, or is lost: never another value', () => {
  for (const [value, from, to, expected] of [
    ['3', 'Int', 'DInt', '3'],
    ['INT#3', 'Int', 'Real', '3.0'],
    ['-3', 'Int', 'UInt', undefined],
    ['300', 'Int', 'USInt', undefined],
    ['16#FF', 'Word', 'Int', '16#FF'],
    ['16#FFFF', 'Word', 'Int', undefined],
    ['3.0', 'Real', 'Int', '3'],
    ['3.5', 'Real', 'Int', undefined],
    ['3.5', 'Real', 'LReal', '3.5'],
    ['1e300', 'LReal', 'Real', undefined],
    ['16777217', 'DInt', 'Real', undefined],
    ['TRUE', 'Bool', 'Int', '1'],
    ['0', 'Int', 'Bool', 'FALSE'],
    ['2', 'Int', 'Bool', undefined],
    ['T#5s', 'Time', 'LTime', 'LT#5s'],
    ['T#5s', 'Time', 'Int', undefined],
    ["'abc'", 'String', 'WString[3]', "WSTRING#'abc'"],
    ["'abc'", 'String[10]', 'String[2]', undefined],
    ["'a'", 'String', 'Char', "'a'"],
    ['"MAX"', 'Int', 'DInt', '"MAX"'],
    ['3', 'Int', '"Motor"', undefined],
    // A constant that is declared by its value alone.
    ['3', '', 'Int', '3'],
    ['3', '', 'Real', '3.0'],
    ['-3', '', 'UInt', undefined],
    ['2.5', '', 'Real', '2.5'],
    ['2.5', '', 'Int', undefined],
    ['16#FF', '', 'Byte', '16#FF'],
    ['INT#3', '', 'DInt', '3'],
    ['TRUE', '', 'Bool', 'TRUE'],
    ['T#5s', '', 'Time', 'T#5s'],
    ['LTIME#5s', '', 'Time', 'T#5s'],
    ['T#5s', '', 'Int', undefined],
    ["'abc'", '', 'String', "'abc'"],
    ["WSTRING#'abc'", '', 'WString', "WSTRING#'abc'"],
    ["'abc'", '', 'Int', undefined],
    ['D#2026-01-01', '', 'Int', undefined],
  ] as const)
    assert.equal(convertedValue(value, from, to), expected, `${value} : ${from} → ${to}`)
})

const member = (fields: Partial<InterfaceMember>): InterfaceMember => ({
  name: 'x',
  dataType: 'Int',
  comment: { 'en-US': 'kept' },
  attributes: [],
  members: [],
  ...fields,
})

test('lists and elements go with their array as far as the new one has the elements', () => {
  const list = retyped(member({ dataType: 'Array[0..2] of Int', startValue: '[1, 2(7)]' }), 'Array[0..2] of Real')
  assert.equal(list.startValue, '[1.0, 7.0, 7.0]')
  const elements = member({
    dataType: 'Array[0..2] of Int',
    subelements: [
      { path: '0', startValue: '5' },
      { path: '2', startValue: '6' },
    ],
  })
  assert.deepEqual(retyped(elements, 'Array[0..1] of DInt').subelements, [{ path: '0', startValue: '5' }])
})

test('what a new type cannot hold is told by member', () => {
  const before = [
    member({ startValue: '3' }),
    member({ name: 's', dataType: 'Struct', members: [member({ name: 'a', startValue: '1.5', dataType: 'Real' })] }),
    member({ name: 'list', dataType: 'Array[0..1] of Int', subelements: [{ path: '1', startValue: '7' }] }),
    member({ name: 'group', dataType: 'Struct', members: [member({})] }),
  ]
  const [x, s, list, group] = before as [InterfaceMember, InterfaceMember, InterfaceMember, InterfaceMember]
  const after = [
    retyped(x, 'DInt'),
    { ...s, members: s.members.map((inner) => retyped(inner, 'Int')) },
    retyped(list, 'Bool'),
    retyped(group, 'Bool'),
  ]
  assert.deepEqual(lostValues([{ section: 'Static', members: before }], [{ section: 'Static', members: after }]), [
    's.a: its start value 1.5 is lost with the data type Int instead of Real',
    'list: start values of 1 element are lost with the data type Bool instead of Array[0..1] of Int',
    'group: its 1 member is lost with the data type Bool instead of Struct',
  ])
  assert.deepEqual(after[0]?.comment, { 'en-US': 'kept' })
})
