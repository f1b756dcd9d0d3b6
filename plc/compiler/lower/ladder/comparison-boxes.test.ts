/** T_COMP, S_COMP and SWITCH; FieldRead and FieldWrite as boxes and in SCL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Int } from '../../../program/scalars.ts'
import type { Type } from '../../../program/type.ts'
import { instructionNetwork, networkDiagnostics, runNetworks } from '../../../testing/lower-ladder.ts'
import { runSource } from '../../../testing/lower-source.ts'

const list: Type = { kind: 'array', dimensions: [{ low: -2, high: 2 }], element: Int }
const text: Type = { kind: 'string', isWide: false, length: 20 }
const members = { t: 'Time', u: 'Time', d: 'Date', s: text, v: text, q: 'Bool', go: 'Bool', k: 'Int', n: 'Int', list }
const operation = (value: string, name = 'Relation') => ({ name, type: 'Operation', value })

describe('T_COMP and S_COMP', () => {
  for (const [value, seen] of [
    ['EQ', [false, true, false]],
    ['NE', [true, false, true]],
    ['GE', [false, true, true]],
    ['LE', [true, true, false]],
    ['GT', [false, false, true]],
    ['LT', [true, false, false]],
  ] as const)
    it(value, () => {
      const times = runNetworks(members, [
        instructionNetwork([
          {
            name: 'T_COMP',
            templates: [operation(value)],
            in: { en: 'RAIL', IN1: '#t', IN2: '#u' },
            out: { OUT: '#q' },
          },
        ]),
      ])
      times.set('u', 5000)
      assert.deepEqual(
        [4999, 5000, 5001].map((one) => {
          times.set('t', one)
          times.scan()
          return times.get('q')
        }),
        seen,
      )
      const run = runNetworks(members, [
        instructionNetwork([
          {
            name: 'S_COMP',
            templates: [operation(value)],
            in: { en: 'RAIL', IN1: "'A'", IN2: '#v' },
            out: { OUT: '#q' },
          },
        ]),
      ])
      run.scan()
      // The variable is empty: 'A' is greater.
      assert.equal(run.get('q'), seen[2])
    })
  it('what is wrong', () => {
    const codes = (name: string, templates: readonly { name: string; type: string; value: string }[], one: string) =>
      networkDiagnostics(members, [
        instructionNetwork([{ name, templates, in: { en: 'RAIL', IN1: one, IN2: '#u' }, out: { OUT: '#q' } }]),
      ]).map(({ code, message }) => `${code}: ${message}`)
    assert.deepEqual(codes('T_COMP', [], '#t'), ['wrong-part: T_COMP needs one comparison; it has none.'])
    assert.deepEqual(codes('T_COMP', [operation('ABOUT')], '#t')[0], 'wrong-part: ABOUT is no comparison.')
    assert.deepEqual(codes('T_COMP', [operation('EQ')], '#k'), [
      'wrong-operand: T_COMP compares times and dates; IN1 is a value of type Int.',
    ])
    assert.deepEqual(codes('S_COMP', [operation('EQ')], '#s'), [
      'wrong-operand: S_COMP compares texts; IN2 is a value of type Time.',
    ])
  })
})

describe('SWITCH', () => {
  const set = (value: string, label?: string) =>
    instructionNetwork([{ name: 'Add', in: { en: 'RAIL', in1: '#n', in2: value }, out: { out: '#n' } }], label)
  const box = (templates: readonly string[], destinations: Readonly<Record<string, string>>) => ({
    name: 'SWITCH',
    templates: templates.map((value, i) => operation(value, `op${i}`)),
    in: { en: '0.out', K: '#k', in0: '20', in1: '21', in2: '19', ...destinations },
  })
  const contact = { name: 'Contact', in: { in: 'RAIL', operand: '#go' } }
  const labels = { DEST0: 'a', DEST1: 'b', DEST2: 'c' }
  const end = instructionNetwork([{ name: 'Return', in: { in: 'RAIL' } }])
  // The example of its page: == 20, > 21, < 19, else.
  for (const [k, seen] of [
    [20, 1000],
    [23, 100],
    [3, 10],
    [21, 1],
  ] as const)
    it(`${k}`, () => {
      const run = runNetworks(members, [
        instructionNetwork([contact, box(['EQ', 'GT', 'LT'], labels)]),
        set('1'),
        end,
        set('1000', 'a'),
        end,
        set('100', 'b'),
        end,
        set('10', 'c'),
      ])
      run.set('go', true)
      run.set('k', k)
      run.scan()
      assert.equal(run.get('n'), seen)
      run.set('go', false)
      run.set('n', 0)
      run.scan()
      assert.equal(run.get('n'), 1)
    })
  it('a missing comparison and a missing label', () => {
    const codes = (templates: readonly string[], destinations: Readonly<Record<string, string>>) =>
      networkDiagnostics(members, [
        instructionNetwork([contact, box(templates, destinations)]),
        set('1', 'a'),
        set('1', 'b'),
      ]).map(({ code }) => code)
    assert.deepEqual(codes(['EQ', 'GT'], { DEST0: 'a', DEST1: 'b' }), ['wrong-part'])
    assert.deepEqual(codes(['EQ', 'GT', 'LT'], { DEST0: 'a', DEST1: 'b', DEST2: 'zz' }), ['no-label'])
    assert.deepEqual(codes(['EQ', 'GT', 'LT'], { DEST0: 'a', DEST1: 'b' }), ['wrong-part'])
  })
})

describe('FieldRead and FieldWrite', () => {
  const run = (body: string) =>
    runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT i : DInt; END_VAR
VAR list : Array[-2..2] of Int; x : Int; ok : Bool; END_VAR
BEGIN
${body}
END_FUNCTION_BLOCK`)
  it('moves a component by its index; outside ENO is FALSE and nothing moves', () => {
    const test = run(
      'FieldWrite(INDEX := #i, VALUE := 7, MEMBER := #list[-2], ENO => #ok); FieldRead(INDEX := #i, MEMBER := #list[-2], VALUE => #x);',
    )
    for (const [index, seen] of [
      [-2, [7, 1]],
      [2, [7, 1]],
      [3, [7, 0]],
      [-3, [7, 0]],
    ] as const) {
      test.setBits('i', BigInt.asUintN(32, BigInt(index)))
      test.scan()
      assert.deepEqual([test.get('x'), test.get('ok')], seen, String(index))
    }
    assert.deepEqual(
      [-2, -1, 2].map((i) => test.get(`list[${i}]`)),
      [7, 0, 7],
    )
    assert.deepEqual(test.faults, [])
  })
  it('as a box', () => {
    const test = runNetworks(members, [
      instructionNetwork([
        {
          name: 'FieldRead',
          types: { value_type: 'Int' },
          in: { en: 'RAIL', INDEX: '#k', MEMBER: '#list[-2]' },
          out: { VALUE: '#n' },
        },
        { name: 'Coil', in: { in: '0.eno', operand: '#q' } },
      ]),
    ])
    test.set('k', 1)
    test.set('n', 5)
    test.scan()
    assert.deepEqual([test.get('n'), test.get('q')], [0, true])
    test.set('k', 9)
    test.set('n', 5)
    test.scan()
    assert.deepEqual([test.get('n'), test.get('q')], [5, false])
  })
})
