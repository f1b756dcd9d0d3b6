import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Int, LReal } from '../../../program/scalars.ts'
import type { Type } from '../../../program/type.ts'
import {
  type InstructionSpec,
  instructionNetwork,
  networkDiagnostics,
  runNetworks,
} from '../../../testing/lower-ladder.ts'

const list: Type = { kind: 'array', dimensions: [{ low: 0, high: 3 }], element: Int }
const members = { go: 'Bool', a: 'Int', b: 'Int', d: 'DInt', x: 'Real', y: LReal, list, q: 'Bool', k: 'Int', n: 'Int' }

const contact: InstructionSpec = { name: 'Contact', in: { in: 'RAIL', operand: '#go' } }

/** Q with the flow on, and with it off. */
function answer(name: string, pins: Record<string, string>, set: Record<string, unknown> = {}): string {
  const run = runNetworks(members, [
    instructionNetwork(
      [contact, { name, in: { pre: '0.out', ...pins } }, { name: 'Coil', in: { in: '1.out' }, out: {} }].map(
        (box, i) => (i === 2 ? { ...box, in: { ...box.in, operand: '#q' } } : box),
      ) as InstructionSpec[],
    ),
  ])
  for (const [path, value] of Object.entries(set)) run.set(path, value as never)
  return [true, false]
    .map((go) => {
      run.set('go', go)
      run.scan()
      return run.get('q') ? '1' : '0'
    })
    .join('')
}

describe('questions for types', () => {
  for (const [name, pins, seen] of [
    ['EQ_Type', { in1: '#a', in2: '#b' }, '10'],
    ['EQ_Type', { in1: '#a', in2: '#d' }, '00'],
    ['NE_Type', { in1: '#a', in2: '#d' }, '10'],
    ['NE_Type', { in1: '#a', in2: '#b' }, '00'],
    ['EQ_ElemType', { in1: '#list', in2: '#a' }, '10'],
    ['EQ_ElemType', { in1: '#list', in2: '#d' }, '00'],
    ['NE_ElemType', { in1: '#list', in2: '#d' }, '10'],
    ['IS_ARRAY', { operand: '#list' }, '10'],
    ['IS_ARRAY', { operand: '#a' }, '00'],
  ] as const)
    it(`${name} ${Object.values(pins).join(' ')}`, () => assert.equal(answer(name, pins), seen))
})

describe('the spellings of their names', () => {
  const pins = { in1: '#list', in2: '#a' }
  for (const [names, ofArray] of [
    ['EQ_Type Eq_Type EQType EqType EQ_TYPE', false],
    ['NE_Type Ne_Type NEType NeType NE_TYPE', true],
    ['EQ_ElemType Eq_ElemType EQElemType EqElemType EQ_ELEMTYPE', true],
    ['NE_ElemType Ne_ElemType NEElemType NeElemType NE_ELEMTYPE', false],
  ] as const)
    for (const name of names.split(' '))
      it(name, () => {
        const seen = (is: boolean) => (is ? '10' : '00')
        // An array of Int beside an Int: of one type only by their elements.
        assert.equal(answer(name, pins), seen(ofArray))
        const [isEqual, isOfElements] = [/^eq/i.test(name), /elem/i.test(name)]
        const first = isOfElements ? '#list' : '#a'
        assert.equal(answer(name, { in1: first, in2: '#b' }), seen(isEqual))
        assert.equal(answer(name, { in1: first, in2: '#d' }), seen(!isEqual))
      })
  for (const [names, pin, seen] of [
    ['IS_ARRAY Is_Array IsArray', '#list', '10'],
    ['IS_ARRAY Is_Array IsArray', '#a', '00'],
    ['OK Ok', '#x', '10'],
    ['NOT_OK Not_OK NotOK Not_Ok NotOk', '#x', '00'],
  ] as const)
    for (const name of names.split(' ')) it(`${name} ${pin}`, () => assert.equal(answer(name, { operand: pin }), seen))
})

describe('valid real numbers', () => {
  for (const [value, ok] of [
    [1.5, '10'],
    [Number.NaN, '00'],
    [Number.POSITIVE_INFINITY, '00'],
  ] as const)
    it(`${value}`, () => {
      assert.equal(answer('OK', { operand: '#x' }, { x: value }), ok)
      assert.equal(answer('OK', { operand: '#y' }, { y: value }), ok)
      assert.equal(answer('NOT_OK', { operand: '#x' }, { x: value }), ok === '10' ? '00' : '10')
    })
})

describe('JMP_LIST', () => {
  const set = (value: string, label?: string) =>
    instructionNetwork(
      [
        {
          name: 'Add',
          in: { en: 'RAIL', in1: '#n', in2: value },
          out: { out: '#n' },
          card: 2,
          types: { SrcType: 'Int' },
        },
      ],
      label,
    )
  const cases = [
    instructionNetwork([contact, { name: 'JMP_LIST', in: { en: '0.out', K: '#k', DEST0: 'one', DEST1: 'two' } }]),
    set('1'),
    set('10', 'one'),
    set('100', 'two'),
  ]
  for (const [go, k, seen] of [
    [false, 0, 111],
    [true, 0, 110],
    [true, 1, 100],
    [true, 2, 111],
    [true, -1, 111],
  ] as const)
    it(`${go} ${k}`, () => {
      const run = runNetworks(members, cases)
      run.set('go', go)
      run.set('k', k)
      run.scan()
      assert.equal(run.get('n'), seen)
    })
  it('names labels that are not there', () => {
    const codes = networkDiagnostics(members, [
      instructionNetwork([contact, { name: 'JMP_LIST', in: { en: '0.out', K: '#k', DEST0: 'nowhere' } }]),
    ]).map(({ code }) => code)
    assert.deepEqual(codes, ['no-label'])
  })
})

describe('constants at pins of whole numbers', () => {
  const scale = (max: string) =>
    instructionNetwork([
      {
        name: 'Scale_X',
        types: { SrcType: 'Real', DestType: 'Int' },
        in: { en: 'RAIL', min: '0.0', value: '#x', max },
        out: { out: '#a' },
      },
    ])

  it('a real that is one is taken', () => {
    for (const max of ['1000.0', 'LREAL#1000.0']) {
      const run = runNetworks(members, [scale(max)])
      run.set('x', 0.25)
      run.scan()
      assert.equal(run.get('a'), 250)
    }
  })

  it('another is refused', () => {
    const codes = (max: string) => networkDiagnostics(members, [scale(max)]).map(({ code }) => code)
    assert.deepEqual(codes('0.5'), ['constant-does-not-fit'])
    assert.deepEqual(codes('70000.0'), ['constant-does-not-fit'])
  })
})
