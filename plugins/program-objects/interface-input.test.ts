import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from '../../core/index.ts'
import { readInterface } from './interface-input.ts'

const at = '/interface'

/** The faults of an input: path and message. */
function faultsOf(value: readonly unknown[], section?: string): string[] {
  try {
    readInterface(value, at, section)
    return []
  } catch (error) {
    if (!isGatewayError(error)) throw error
    assert.equal(error.code, 'invalid_input')
    const faults = error.details.errors ?? []
    assert.equal(error.message, `${faults[0]?.path}: ${faults[0]?.message}`)
    return faults.map(({ path, message }) => `${path}: ${message}`)
  }
}

test('sections with members, and members with their section, are the same', () => {
  const a = { name: 'a', dataType: 'Int' }
  const b = { name: 'b', dataType: 'Bool' }
  const wanted = [
    { section: 'Input', members: [a, b] },
    { section: 'Output', members: [a] },
  ]
  assert.deepEqual(
    readInterface(
      [
        { section: 'Input', members: [a] },
        { section: 'Output', members: [a] },
        { section: 'Input', members: [b] },
      ],
      at,
    ),
    wanted,
  )
  assert.deepEqual(
    readInterface(
      [
        { section: 'Input', ...a },
        { section: 'Output', ...a },
        { section: 'Input', ...b },
      ],
      at,
    ),
    wanted,
  )
  assert.deepEqual(readInterface([a, { section: 'Output', ...b }], at, 'None'), [
    { section: 'None', members: [a] },
    { section: 'Output', members: [b] },
  ])
  assert.deepEqual(readInterface([{ section: 'Temp', members: [] }], at), [{ section: 'Temp', members: [] }])
  assert.deepEqual(readInterface([], at), [])
})

test('fields in every spelling; a field in its own spelling counts before another one', () => {
  const read = (entry: object) => readInterface([entry], at, 'Static')[0]?.members[0]
  const whole = { name: 'm', dataType: 'Struct', version: '1.0', startValue: '5', comment: 'text', remanence: 'Retain' }
  assert.deepEqual(read(whole), whole)
  assert.deepEqual(read({ Name: 'm', DataType: 'Int', StartValue: '1' }), {
    name: 'm',
    dataType: 'Int',
    startValue: '1',
  })
  for (const [name, type, value] of [
    ['memberName', 'type', 'defaultValue'],
    ['name', 'datatype', 'initialValue'],
    ['MemberName', 'Type', 'Value'],
  ] as const)
    assert.deepEqual(read({ [name]: 'm', [type]: 'Int', [value]: 7 }), { name: 'm', dataType: 'Int', startValue: '7' })
  assert.deepEqual(read({ name: 'm', memberName: 'x', type: 'Bool', dataType: 'Int', value: 1, startValue: 2 }), {
    ...{ name: 'm', dataType: 'Int', startValue: '2' },
  })
  assert.deepEqual(readInterface([{ sectionName: 'Temp', name: 'm', dataType: 'Int' }], at)[0]?.section, 'Temp')
  // Numbers and truth values are texts; an empty start value and the empty members of a content answer are none.
  assert.deepEqual(read({ name: 5, dataType: 'Bool', startValue: true, version: 1.5, members: [] }), {
    ...{ name: '5', dataType: 'Bool', version: '1.5', startValue: 'true' },
  })
  assert.deepEqual(read({ name: 'm', dataType: 'Int', startValue: '' }), { name: 'm', dataType: 'Int' })
  assert.deepEqual(read({ name: 'm', dataType: 'Int', comment: { 'en-US': 'a', 'de-DE': 'b' } })?.comment, {
    'en-US': 'a',
    'de-DE': 'b',
  })
  assert.deepEqual(
    read({
      name: 'm',
      dataType: 'Struct',
      members: [
        { memberName: 'x', type: 'Int', members: [] },
        { name: 'y', dataType: 'Real', comment: '' },
      ],
    })?.members,
    [
      { name: 'x', dataType: 'Int' },
      { name: 'y', dataType: 'Real', comment: '' },
    ],
  )
})

test('every fault is told with its place', () => {
  const sections = 'must name a section: Input, Output, InOut, Static, Temp, Constant'
  const known = 'name, dataType, version, startValue, comment, remanence, members, section'
  assert.deepEqual(
    faultsOf([
      5,
      { name: 'a', dataType: 'Int' },
      { section: '', members: [] },
      { section: 7, members: [] },
      { section: 'Input' },
      { section: 'Input', members: [{ name: 'b' }, 'c', { name: {}, dataType: 'Int' }] },
      { section: 'Input', name: 'd', dataType: 'Int', startVal: 1, xyzxyz: 2 },
      { section: 'Input', name: 'e', dataType: 'Int', remanence: 'retain', comment: 5 },
      { section: 'Input', name: 'f', dataType: 'Struct', members: {}, comment: { 'en-US': 1 } },
      { section: 'Input', name: 'g', dataType: 'Struct', members: [{ name: 'h', dataType: null }] },
    ]),
    [
      `${at}/0: must be an object`,
      `${at}/1/section: ${sections}`,
      `${at}/2/section: ${sections}`,
      `${at}/3/section: ${sections}`,
      `${at}/4/name: is missing`,
      `${at}/4/dataType: is missing`,
      `${at}/5/members/0/dataType: is missing`,
      `${at}/5/members/1: must be an object`,
      `${at}/5/members/2/name: must be text`,
      `${at}/6/startVal: unknown property (did you mean "startValue"?)`,
      `${at}/6/xyzxyz: unknown property (known: ${known})`,
      `${at}/7/comment: must be text, or texts by culture: { "en-US": "…" }`,
      `${at}/7/remanence: must be one of NonRetain, Retain, SetInIDB`,
      `${at}/8/comment: must be text, or texts by culture: { "en-US": "…" }`,
      `${at}/8/members: must be a list of members`,
      `${at}/9/members/0/dataType: must be text`,
    ],
  )
})
