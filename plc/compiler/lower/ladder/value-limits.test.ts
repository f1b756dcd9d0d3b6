/** Boxes at the limits of their values: invalid numbers, MIN not below MAX, counts of shifts, numbers of no input. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type InstructionSpec, instructionNetwork, runNetworks } from '../../../testing/lower-ladder.ts'

const members = {
  ...{ ok: 'Bool', a: 'Real', b: 'Real', c: 'Real', out: 'Real', k: 'Int', x: 'Int', y: 'Int', z: 'Int' },
  ...{ day: 'Date', tod: 'Time_Of_Day', pattern: 'DWord', moment: 'LDT' },
  ...{ w: 'Word', position: 'UInt', count: 'UDInt', long: 'ULInt' },
}

/** Runs one box; returns the member, and ENO or the answer of the box. */
function run(box: InstructionSpec, values: Readonly<Record<string, unknown>>, member: string, pin = 'eno'): unknown[] {
  const coil = { name: 'Coil', in: { in: `0.${pin}`, operand: '#ok' } }
  const program = runNetworks(members, [instructionNetwork([box, coil])])
  for (const [name, value] of Object.entries(values)) program.set(name, value)
  program.scan()
  return [program.get(member), program.get('ok')]
}

const real = { SrcType: 'Real', DestType: 'Real' }

describe('an invalid real number makes ENO FALSE', () => {
  const two = { in: { en: 'RAIL', in1: '#a', in2: '#b' }, out: { out: '#out' }, card: 2, types: real }
  const one = { in: { en: 'RAIL', in: '#a' }, out: { out: '#out' }, types: real }
  const limit = { name: 'LIMIT', in: { en: 'RAIL', MN: '#b', IN: '#a', MX: '#c' }, out: { OUT: '#out' } }
  const boxes: InstructionSpec[] = [
    { name: 'Min', ...two },
    { name: 'Max', ...two },
    { name: 'Abs', ...one },
    { name: 'Neg', ...one },
    { ...limit, types: { value_type: 'Real' } },
  ]
  for (const box of boxes)
    it(box.name, () => {
      assert.deepEqual(run(box, { a: Number.NaN, b: 1, c: 3 }, 'out'), [Number.NaN, false])
      assert.equal(run(box, { a: 2, b: 1, c: 3 }, 'out')[1], true)
    })
})

/** Help page "CALCULATE: Calculate": nothing is transferred when an operation of the formula fails. */
describe('Calc transfers no result of a formula that fails', () => {
  const calc = (equation: string, type: string, more: Partial<InstructionSpec> = {}): InstructionSpec => {
    const [one, two, out] = type === 'Int' ? ['#x', '#y', '#z'] : ['#a', '#b', '#out']
    const pins = { in: { en: 'RAIL', in1: one, in2: two }, out: { out } }
    return { name: 'Calc', card: 2, equation, types: { SrcType: type }, ...pins, ...more }
  }
  it('integers', () => {
    const after = (x: number, y: number) => run(calc('IN1 * IN2 / 2', 'Int'), { x, y, z: 77 }, 'z')
    assert.deepEqual(
      [after(300, 20), after(300, 200)],
      [
        [3000, true],
        [77, false],
      ],
    )
  })
  it('real numbers', () => {
    const after = (a: number, b: number) => run(calc('IN1 / IN2 + 1.0', 'Real'), { a, b, out: 77 }, 'out')
    assert.deepEqual(
      [after(3, 2), after(3, 0)],
      [
        [2.5, true],
        [77, false],
      ],
    )
  })
  it('also where nothing asks for ENO; without ENO nothing is checked', () => {
    for (const [disabledEno, expected] of [
      [false, 77],
      [true, -32_768],
    ] as const) {
      const program = runNetworks(members, [instructionNetwork([calc('IN1 + IN2', 'Int', { disabledEno })])])
      for (const [name, value] of Object.entries({ x: 32_767, y: 1, z: 77 })) program.set(name, value)
      program.scan()
      assert.equal(program.get('z'), expected)
    }
  })
})

describe('MIN is to be below MAX', () => {
  for (const name of ['Scale_X', 'Normalize'])
    it(name, () => {
      const box = { name, types: real, in: { en: 'RAIL', min: '#a', value: '#b', max: '#c' }, out: { out: '#out' } }
      const eno = (a: number, c: number) => run(box, { a, b: 0.5, c }, 'out')[1]
      assert.deepEqual([eno(10, 30), eno(30, 10), eno(10, 10)], [true, false, false])
    })
})

describe('ranges', () => {
  for (const [name, answers] of [
    ['InRange', [true, false, false, false, false]],
    ['OutRange', [false, true, true, true, true]],
  ] as const)
    it(name, () => {
      const box = { name, types: real, in: { pre: 'RAIL', min: '#a', in: '#b', max: '#c' } }
      const given = [
        [1, 2, 3],
        [1, 5, 3],
        [3, 2, 1],
        [1, Number.NaN, 3],
        [Number.NaN, 2, 3],
      ]
      const found = given.map(([a, b, c]) => run(box, { a, b, c }, 'a', 'out')[1])
      assert.deepEqual(found, answers)
    })
})

describe('N of shifts and rotations of more than 16 bits', () => {
  for (const [name, n, out] of [
    ['Shl', 4, 0xfaf0],
    ['Shl', 0x1_0000, 0],
    ['Shr', 0x1_0003, 0],
    ['Rol', 0x1_0005, 0xf5e7],
    ['Ror', 0x1_0000, 0x3faf],
  ] as const)
    for (const operand of ['count', 'long'])
      it(`${name} ${n} ${operand}`, () => {
        const box = { name, types: { SrcType: 'Word' }, in: { en: 'RAIL', in: '#w', n: `#${operand}` } }
        const given = { w: 0x3faf, [operand]: operand === 'long' ? BigInt(n) : n }
        assert.deepEqual(run({ ...box, out: { out: '#w' } }, given, 'w'), [out, true])
      })
})

describe('MOVE without the IEC check copies bits', () => {
  for (const [from, value, to, out] of [
    ['pattern', 0x3f80_0000, 'a', 1],
    ['a', 1, 'pattern', 0x3f80_0000],
    ['x', 7, 'day', 7],
    ['x', -1, 'moment', 0xffffn],
    ['long', 0x1_0000_0007n, 'tod', 7],
    ['moment', 0x1_0007n, 'w', 7],
  ] as const)
    it(`${from} to ${to}`, () => {
      const box = { name: 'Move', in: { en: 'RAIL', in: `#${from}` }, out: { out1: `#${to}` } }
      assert.deepEqual(run(box, { [from]: value }, to), [out, true])
    })
})

describe('DECO sets the bit in a value of the type of the box', () => {
  for (const [name, pins, types] of [
    ['Deco', ['in', 'out'], { SrcType: 'UInt', DestType: 'Word' }],
    ['DECO', ['IN', 'OUT'], { DestType: 'Word' }],
    ['Deco', ['in', 'out'], { SrcType: 'Word' }],
  ] as const)
    it(`${name} ${Object.values(types).join(' ')}`, () => {
      const box = { name, types, in: { en: 'RAIL', [pins[0]]: '#position' }, out: { [pins[1]]: '#w' } }
      assert.deepEqual(run(box, { position: 20, w: 1 }, 'w'), [0x10, true])
    })
})

describe('MUX without ELSE keeps OUT when there is no input K', () => {
  for (const [k, seen] of [
    [0, [7, true]],
    [1, [8, true]],
    [2, [99, false]],
    [-1, [99, false]],
  ] as const)
    it(`${k}`, () => {
      const box = { name: 'MUX', card: 2, types: { value_type: 'Int' }, out: { OUT: '#z' } }
      const pins = { en: 'RAIL', K: '#k', IN0: '#x', IN1: '#y' }
      assert.deepEqual(run({ ...box, in: pins }, { k, x: 7, y: 8, z: 99 }, 'z'), seen)
    })
})
