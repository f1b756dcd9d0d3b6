import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { Bool, Int, scalarNamed } from '../../program/scalars.ts'
import type { InstanceType, ScalarType, Type } from '../../program/type.ts'
import {
  expressionNetwork,
  type InstructionSpec,
  instructionNetwork,
  type Members,
  networkDiagnostics,
  runNetworks,
} from '../../testing/lower-ladder.ts'
import { array, member, structure, systemTypes } from '../../testing/runtime.ts'

interface CodeSpec {
  readonly Input: Members
  readonly Output: Members
  readonly InOut: Members
  readonly body: string
  readonly returnType?: string
}

/** A block in SCL that networks call. */
function codeBlock(name: string, kind: 'FB' | 'FC', spec: CodeSpec): ProgramBlock {
  const members = (['Input', 'Output', 'InOut'] as const).flatMap((section) =>
    Object.entries(spec[section]).map(([one, type]) => member(one, scalarNamed(type as string) as ScalarType, section)),
  )
  return {
    name,
    kind,
    number: kind === 'FB' ? 2 : 3,
    language: 'SCL',
    access: 'optimized',
    isIecCheckOn: false,
    setsEno: false,
    isKnowHowProtected: false,
    members,
    networks: [{ number: 1, title: '', language: 'SCL', text: spec.body }],
    document: '',
    ...(spec.returnType === undefined ? {} : { returnType: scalarNamed(spec.returnType) as ScalarType }),
  }
}

function instanceType({ name, members }: ProgramBlock): InstanceType {
  return { kind: 'instance', name, isSystem: false, members }
}

/** Runs a network once for each row of inputs and returns the outputs. */
function table(
  members: Members,
  network: LogicNetwork,
  inputs: readonly string[],
  rows: readonly (readonly unknown[])[],
  output: string,
): unknown[] {
  const run = runNetworks(members, [network])
  return rows.map((row) => {
    for (const [i, name] of inputs.entries()) run.set(name, row[i])
    run.scan()
    return run.get(output)
  })
}

const bits = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
]
const two = { a: 'Bool', b: 'Bool', q: 'Bool' }

/** One part between the rail and a coil that writes #q. */
function toCoil(part: InstructionSpec, pin = 'out'): LogicNetwork {
  return instructionNetwork([part, { name: 'Coil', in: { in: `0.${pin}`, operand: '#q' } }])
}

describe('power flow', () => {
  const cases: readonly (readonly [string, string, readonly boolean[]])[] = [
    ['series', '#q := #a AND #b;', [false, false, false, true]],
    ['parallel', '#q := #a OR #b;', [false, true, true, true]],
    ['negated contact', '#q := #a AND NOT #b;', [false, false, true, false]],
    ['inversion', '#q := NOT (#a OR #b);', [true, false, false, false]],
    ['negated coil', 'NOT(#q) := #a AND #b;', [true, true, true, false]],
  ]
  for (const [name, text, expected] of cases)
    for (const language of ['LAD', 'FBD'] as const)
      it(`${name} in ${language}`, () => {
        assert.deepEqual(table(two, expressionNetwork(two, text, language), ['a', 'b'], bits, 'q'), expected)
      })

  it('gates with negated pins', () => {
    const gate = (name: string, negated: readonly string[] = []) =>
      table(two, toCoil({ name, card: 2, negated, in: { in1: '#a', in2: '#b' } }), ['a', 'b'], bits, 'q')
    assert.deepEqual(gate('A'), [false, false, false, true])
    assert.deepEqual(gate('O'), [false, true, true, true])
    assert.deepEqual(gate('X'), [false, true, true, false])
    assert.deepEqual(gate('A', ['in1']), [false, true, false, false])
    assert.deepEqual(gate('O', ['out']), [true, false, false, false])
  })

  it('a gate of many inputs', () => {
    const count = 300
    const members = { list: array(1, count, Bool), q: 'Bool' }
    const inputs = Object.fromEntries(Array.from({ length: count }, (_one, i) => [`in${i + 1}`, `#list[${i + 1}]`]))
    const run = runNetworks(members, [toCoil({ name: 'A', card: count, in: inputs })])
    run.set(
      'list',
      Array.from({ length: count }, () => true),
    )
    run.scan()
    assert.equal(run.get('q'), true)
    run.set(`list.${count - 1}`, false)
    run.scan()
    assert.equal(run.get('q'), false)
  })

  it('a rung of a thousand contacts', () => {
    const parts: InstructionSpec[] = Array.from({ length: 1000 }, (_one, i) => ({
      name: 'Contact',
      in: { in: i === 0 ? 'RAIL' : `${i - 1}.out`, operand: i % 2 === 0 ? '#a' : '#b' },
    }))
    const network = instructionNetwork([...parts, { name: 'Coil', in: { in: '999.out', operand: '#q' } }])
    assert.deepEqual(table(two, network, ['a', 'b'], bits, 'q'), [false, false, false, true])
  })

  it('comparisons in the type of the box', () => {
    const members = { x: 'Int', y: 'Int', q: 'Bool' }
    const rows = [
      [-1, 1],
      [1, 1],
      [2, 1],
    ]
    const results = (name: string) =>
      table(
        members,
        toCoil({ name, types: { SrcType: 'Int' }, in: { pre: 'RAIL', in1: '#x', in2: '#y' } }),
        ['x', 'y'],
        rows,
        'q',
      )
    assert.deepEqual(results('Eq'), [false, true, false])
    assert.deepEqual(results('Ne'), [true, false, true])
    assert.deepEqual(results('Lt'), [true, false, false])
    assert.deepEqual(results('Le'), [true, true, false])
    assert.deepEqual(results('Gt'), [false, false, true])
    assert.deepEqual(results('Ge'), [false, true, true])
  })

  it('ranges with both ends', () => {
    const members = { x: 'Int', q: 'Bool' }
    const results = (name: string) =>
      table(
        members,
        toCoil({ name, types: { SrcType: 'Int' }, in: { pre: 'RAIL', min: '2', in: '#x', max: '4' } }),
        ['x'],
        [[1], [2], [4], [5]],
        'q',
      )
    assert.deepEqual(results('InRange'), [false, true, true, false])
    assert.deepEqual(results('OutRange'), [true, false, false, true])
  })
})

describe('edges', () => {
  const members = { a: 'Bool', en: 'Bool', m: 'Bool', q: 'Bool' }
  const scans = [false, true, true, false, false, true]
  const rows = scans.map((value) => [value, true])
  const results = (network: LogicNetwork) => table(members, network, ['a', 'en'], rows, 'q')
  const rising = [false, true, false, false, false, true]
  const falling = [false, false, false, true, false, false]

  it('contacts', () => {
    const contact = (name: string) => toCoil({ name, in: { pre: '#en', operand: '#a', bit: '#m' } })
    assert.deepEqual(results(contact('PContact')), rising)
    assert.deepEqual(results(contact('NContact')), falling)
  })

  it('a contact keeps its memory while no flow comes to it', () => {
    const network = toCoil({ name: 'PContact', in: { pre: '#en', operand: '#a', bit: '#m' } })
    assert.deepEqual(
      table(
        members,
        network,
        ['a', 'en'],
        [
          [true, false],
          [true, true],
        ],
        'q',
      ),
      [false, false],
    )
  })

  it('boxes and coils', () => {
    assert.deepEqual(results(toCoil({ name: 'PBox', in: { in: '#a', bit: '#m' } })), rising)
    assert.deepEqual(results(toCoil({ name: 'NBox', in: { in: '#a', bit: '#m' } })), falling)
    assert.deepEqual(
      results(instructionNetwork([{ name: 'PCoil', in: { in: '#a', bit: '#m', operand: '#q' } }])),
      rising,
    )
    assert.deepEqual(
      results(instructionNetwork([{ name: 'NCoil', in: { in: '#a', bit: '#m', operand: '#q' } }])),
      falling,
    )
  })
})

describe('memory', () => {
  it('set and reset coils', () => {
    const network = expressionNetwork(two, 'S(#q) := #a;\nR(#q) := #b;')
    const rows = [
      [false, false],
      [true, false],
      [false, false],
      [true, true],
    ]
    assert.deepEqual(table(two, network, ['a', 'b'], rows, 'q'), [false, true, true, false])
  })

  it('flip-flops: the second input wins', () => {
    const members = { ...two, m: 'Bool' }
    const rows = [
      [true, false],
      [false, false],
      [true, true],
      [false, true],
    ]
    const sr = toCoil({ name: 'Sr', in: { s: '#a', r1: '#b', operand: '#m' } }, 'q')
    assert.deepEqual(table(members, sr, ['a', 'b'], rows, 'q'), [true, true, false, false])
    const rs = toCoil({ name: 'Rs', in: { s1: '#a', r: '#b', operand: '#m' } }, 'q')
    assert.deepEqual(table(members, rs, ['a', 'b'], rows, 'q'), [true, true, true, false])
  })
})

describe('order of evaluation', () => {
  it('a signal is worked out once: a coil that changes its operand does not change it', () => {
    // The contact #a feeds a reset of #a and then a coil.
    const network = instructionNetwork([
      { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
      { name: 'RCoil', in: { in: '0.out', operand: '#a' } },
      { name: 'Coil', in: { in: '0.out', operand: '#q' } },
    ])
    assert.deepEqual(table(two, network, ['a'], [[true], [false]], 'q'), [true, false])
  })

  it('a branch below sees what the branch above wrote', () => {
    const network = instructionNetwork([
      { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
      { name: 'Contact', in: { in: '0.out', operand: '#b' } },
      { name: 'Coil', in: { in: '0.out', operand: '#b' } },
      { name: 'Coil', in: { in: '1.out', operand: '#q' } },
    ])
    assert.deepEqual(table(two, network, ['a'], [[true], [false]], 'q'), [true, false])
  })

  it('a coil that is drawn with an open input is always on', () => {
    const network = instructionNetwork([{ name: 'RCoil', in: { in: 'OPEN', operand: '#q' } }])
    assert.deepEqual(table(two, network, ['q'], [[true]], 'q'), [false])
  })

  it('a coil passes the flow on', () => {
    const members = { ...two, c: 'Bool' }
    const network = instructionNetwork([
      { name: 'Coil', in: { in: '#a', operand: '#c' } },
      { name: 'Coil', in: { in: '0.out', operand: '#q' } },
    ])
    assert.deepEqual(table(members, network, ['a'], [[true], [false]], 'q'), [true, false])
  })
})

describe('boxes', () => {
  const numbers = { a: 'Bool', x: 'Int', y: 'Int', z: 'Int', ok: 'Bool' }

  it('work only where EN is', () => {
    const network = instructionNetwork([
      { name: 'Add', card: 2, types: { SrcType: 'Int' }, in: { en: '#a', in1: '#z', in2: '1' }, out: { out: '#z' } },
    ])
    assert.deepEqual(table(numbers, network, ['a'], [[true], [false], [true]], 'z'), [1, 1, 2])
  })

  it('pass EN on unless they fail', () => {
    const network = instructionNetwork([
      {
        name: 'Add',
        card: 2,
        types: { SrcType: 'Int' },
        in: { en: '#a', in1: '#x', in2: '#y' },
        out: { out: '#z' },
      },
      { name: 'Coil', in: { in: '0.eno', operand: '#ok' } },
    ])
    const rows = [
      [true, 1, 2],
      [true, 32_767, 1],
      [false, 1, 2],
    ]
    assert.deepEqual(table(numbers, network, ['a', 'x', 'y'], rows, 'ok'), [true, false, false])
  })

  it('with ENO switched off pass EN on', () => {
    const network = instructionNetwork([
      {
        name: 'Add',
        card: 2,
        disabledEno: true,
        types: { SrcType: 'Int' },
        in: { en: '#a', in1: '#x', in2: '#y' },
        out: { out: '#z' },
      },
      { name: 'Coil', in: { in: '0.eno', operand: '#ok' } },
    ])
    assert.deepEqual(table(numbers, network, ['a', 'x', 'y'], [[true, 32_767, 1]], 'ok'), [true])
  })

  it('in a chain the later ones wait for the earlier ones', () => {
    const network = instructionNetwork([
      { name: 'Div', types: { SrcType: 'Int' }, in: { en: 'RAIL', in1: '#x', in2: '#y' }, out: { out: '#z' } },
      { name: 'Move', card: 1, in: { en: '0.eno', in: '7' }, out: { out1: '#x' } },
    ])
    assert.deepEqual(
      table(
        numbers,
        network,
        ['x', 'y'],
        [
          [1, 0],
          [1, 1],
        ],
        'x',
      ),
      [1, 7],
    )
  })

  const math: readonly (readonly [string, number, number, number])[] = [
    ['Add', 7, 3, 10],
    ['Sub', 7, 3, 4],
    ['Mul', 7, 3, 21],
    ['Div', 7, 3, 2],
    ['Mod', 7, 3, 1],
    ['Min', 7, 3, 3],
    ['Max', 7, 3, 7],
  ]
  for (const [name, x, y, expected] of math)
    it(name, () => {
      const network = instructionNetwork([
        { name, card: 2, types: { SrcType: 'Int' }, in: { en: 'RAIL', in1: '#x', in2: '#y' }, out: { out: '#z' } },
      ])
      assert.deepEqual(table(numbers, network, ['x', 'y'], [[x, y]], 'z'), [expected])
    })

  it('more than two inputs', () => {
    const inputs = { en: 'RAIL', in1: '#x', in2: '#y', in3: '100' }
    const network = instructionNetwork([
      { name: 'Add', card: 3, types: { SrcType: 'Int' }, in: inputs, out: { out: '#z' } },
    ])
    assert.deepEqual(table(numbers, network, ['x', 'y'], [[1, 2]], 'z'), [103])
  })

  it('Inc, Dec, Neg, Abs', () => {
    const step = (name: string) =>
      instructionNetwork([{ name, types: { DestType: 'Int' }, in: { en: 'RAIL', operand: '#z' } }])
    assert.deepEqual(table(numbers, step('Inc'), ['z'], [[4]], 'z'), [5])
    assert.deepEqual(table(numbers, step('Dec'), ['z'], [[4]], 'z'), [3])
    const one = (name: string) =>
      instructionNetwork([{ name, types: { SrcType: 'Int' }, in: { en: 'RAIL', in: '#x' }, out: { out: '#z' } }])
    assert.deepEqual(table(numbers, one('Neg'), ['x'], [[4]], 'z'), [-4])
    assert.deepEqual(table(numbers, one('Abs'), ['x'], [[-4]], 'z'), [4])
  })

  it('word logic and shifts', () => {
    const members = { x: 'Word', y: 'Word', z: 'Word' }
    const logic = (name: string) =>
      instructionNetwork([
        { name, card: 2, types: { SrcType: 'Word' }, in: { en: 'RAIL', in1: '#x', in2: '#y' }, out: { out: '#z' } },
      ])
    const results = (name: string) => table(members, logic(name), ['x', 'y'], [[0x0ff0, 0x00ff]], 'z')
    assert.deepEqual(results('And'), [0x00f0])
    assert.deepEqual(results('Or'), [0x0fff])
    assert.deepEqual(results('Xor'), [0x0f0f])
    const shift = (name: string) =>
      instructionNetwork([
        { name, types: { SrcType: 'Word' }, in: { en: 'RAIL', in: '#x', n: '4' }, out: { out: '#z' } },
      ])
    const shifted = (name: string) => table(members, shift(name), ['x'], [[0x8001]], 'z')
    assert.deepEqual(shifted('Shl'), [0x0010])
    assert.deepEqual(shifted('Shr'), [0x0800])
    assert.deepEqual(shifted('Rol'), [0x0018])
    assert.deepEqual(shifted('Ror'), [0x1800])
  })

  it('Move to several targets, and of structures', () => {
    const pair = structure({ left: Bool, right: Bool }, 'Pair')
    const members = { x: 'Int', y: 'Int', z: 'DInt', from: pair, to: pair }
    const network = instructionNetwork([
      { name: 'Move', card: 2, in: { en: 'RAIL', in: '#x' }, out: { out1: '#y', out2: '#z' } },
      { name: 'Move', card: 1, in: { en: 'RAIL', in: '#from' }, out: { out1: '#to' } },
    ])
    const run = runNetworks(members, [network])
    run.set('x', -5)
    run.set('from.right', true)
    run.scan()
    assert.deepEqual([run.get('y'), run.get('z'), run.get('to')], [-5, -5, { left: false, right: true }])
  })

  it('conversions', () => {
    const members = { x: 'Real', y: 'DInt', i: 'Int', r: 'Real' }
    const one = (name: string, from: string, to: string, source: string, target: string) =>
      instructionNetwork([
        { name, types: { SrcType: from, DestType: to }, in: { en: 'RAIL', in: source }, out: { out: target } },
      ])
    const results = (name: string) => table(members, one(name, 'Real', 'DInt', '#x', '#y'), ['x'], [[2.5], [-2.7]], 'y')
    assert.deepEqual(results('Round'), [2, -3])
    assert.deepEqual(results('Trunc'), [2, -2])
    assert.deepEqual(results('Ceil'), [3, -2])
    assert.deepEqual(results('Floor'), [2, -3])
    assert.deepEqual(results('Convert'), [2, -3])
    assert.deepEqual(table(members, one('Convert', 'Int', 'Real', '#i', '#r'), ['i'], [[7]], 'r'), [7])
  })

  it('Calc works its formula out in the type of the box', () => {
    const members = { x: 'Real', y: 'Real', z: 'Real' }
    const network = instructionNetwork([
      {
        name: 'Calc',
        card: 2,
        equation: '(IN1 + in2) / IN2 + ABS(IN1)',
        types: { SrcType: 'Real' },
        in: { en: 'RAIL', in1: '#x', in2: '#y' },
        out: { out: '#z' },
      },
    ])
    assert.deepEqual(table(members, network, ['x', 'y'], [[-6, 2]], 'z'), [4])
  })

  it('a formula that is wrong is told at the box', () => {
    const members = { x: 'Real', z: 'Real' }
    const calc = (equation: string) =>
      networkDiagnostics(members, [
        instructionNetwork([
          {
            name: 'Calc',
            card: 1,
            equation,
            types: { SrcType: 'Real' },
            in: { en: 'RAIL', in1: '#x' },
            out: { out: '#z' },
          },
        ]),
      ]).map(({ code, uId, line }) => [code, uId !== undefined, line])
    assert.deepEqual(calc('IN1 +'), [['wrong-expression', true, undefined]])
    assert.deepEqual(calc('IN1; IN1'), [['wrong-expression', true, undefined]])
    assert.deepEqual(calc('IN1 + IN7'), [['undeclared', true, undefined]])
    assert.deepEqual(calc(''), [['wrong-part', true, undefined]])
  })

  it('selection by names of the library', () => {
    const network = instructionNetwork([
      {
        name: 'SEL',
        types: { value_type: 'Int' },
        in: { en: 'RAIL', G: '#a', IN0: '#x', IN1: '#y' },
        out: { OUT: '#z' },
      },
    ])
    const rows = [
      [false, 1, 2],
      [true, 1, 2],
    ]
    assert.deepEqual(table(numbers, network, ['a', 'x', 'y'], rows, 'z'), [1, 2])
  })

  it('an output that feeds another box', () => {
    const network = instructionNetwork([
      { name: 'Add', card: 2, types: { SrcType: 'Int' }, in: { en: '#a', in1: '#x', in2: '#y' } },
      {
        name: 'Mul',
        card: 2,
        types: { SrcType: 'Int' },
        in: { en: '0.eno', in1: '0.out', in2: '10' },
        out: { out: '#z' },
      },
    ])
    assert.deepEqual(table(numbers, network, ['a', 'x', 'y'], [[true, 1, 2]], 'z'), [30])
  })
})

describe('timers and counters', () => {
  const timers = {
    a: 'Bool',
    r: 'Bool',
    q: 'Bool',
    t: systemTypes.timer('TON_TIME'),
    c: systemTypes.counter('CTU_INT'),
  }
  const local = (name: string) => ({ scope: 'LocalVariable' as const, path: [{ name }] })
  const late = (network: LogicNetwork) => {
    const run = runNetworks(timers, [network])
    run.set('a', true)
    run.scan()
    const before = run.get('q')
    run.clock.advance(1_000_000_000n)
    run.scan()
    return [before, run.get('q')]
  }

  it('TON as a box', () => {
    assert.deepEqual(late(toCoil({ name: 'TON', instance: local('t'), in: { IN: '#a', PT: 'T#1s' } }, 'Q')), [
      false,
      true,
    ])
  })

  it('TON as a coil; its Q is read by name', () => {
    const network = instructionNetwork([
      { name: 'CoilTON', types: { time_type: 'Time' }, in: { in: '#a', value: 'T#1s', operand: '#t' } },
      { name: 'Contact', in: { in: 'RAIL', operand: '#t.Q' } },
      { name: 'Coil', in: { in: '1.out', operand: '#q' } },
    ])
    assert.deepEqual(late(network), [false, true])
  })

  it('a timer is reset by its coil', () => {
    const network = instructionNetwork([
      { name: 'CoilTON', in: { in: '#a', value: 'T#0s', operand: '#t' } },
      { name: 'ResetIECTimerCoil', in: { in: '#r', operand: '#t' } },
      { name: 'Contact', in: { in: 'RAIL', operand: '#t.Q' } },
      { name: 'Coil', in: { in: '2.out', operand: '#q' } },
    ])
    assert.deepEqual(
      table(
        timers,
        network,
        ['a', 'r'],
        [
          [true, false],
          [true, true],
        ],
        'q',
      ),
      [true, false],
    )
  })

  it('CTU', () => {
    const network = toCoil({ name: 'CTU', instance: local('c'), in: { CU: '#a', R: '#r', PV: '2' } }, 'Q')
    const rows = [
      [true, false],
      [false, false],
      [true, false],
      [true, true],
    ]
    assert.deepEqual(table(timers, network, ['a', 'r'], rows, 'q'), [false, false, true, false])
  })
})

describe('S5 timers', () => {
  const members = { a: 'Bool', r: 'Bool', q: 'Bool', rest: 'Word', digits: 'Word', t: 'S5Time' }
  const tenths = (network: LogicNetwork, inputs: string) => {
    const run = runNetworks(members, [network])
    return [...inputs].map((state) => {
      run.set('a', state === '1' || state === 'R')
      run.set('r', state === 'R')
      run.scan()
      run.clock.advance(100_000_000n)
      return run.get('q') === true ? '1' : '0'
    })
  }
  const rung = (part: InstructionSpec) => instructionNetwork([part, { name: 'Coil', in: { in: '0.q', operand: '#q' } }])
  const box = (name: string) => rung({ name, in: { s: '#a', tv: 'S5T#300ms', r: '#r', timer: '%T5' } })

  const modes: readonly (readonly [string, string, string])[] = [
    ['Sp', '11111100', '11100000'],
    ['Sp', '10111111', '10111000'],
    ['Se', '10000000', '11100000'],
    ['Sd', '11111100', '00011100'],
    ['Ss', '10000000', '00011111'],
    ['Sf', '11000000', '11111000'],
    ['Sd', '11111R11', '00011000'],
  ]
  for (const [name, inputs, expected] of modes)
    it(`${name} with ${inputs}`, () => {
      assert.equal(tenths(box(name), inputs).join(''), expected)
    })

  it('as coils, scanned by a contact and reset by a coil', () => {
    const network = instructionNetwork([
      { name: 'SfCoil', in: { in: '#a', value: '#t', operand: '%T7' } },
      { name: 'RCoil', in: { in: '#r', operand: '%T7' } },
      { name: 'Contact', in: { in: 'RAIL', operand: '%T7' } },
      { name: 'Coil', in: { in: '2.out', operand: '#q' } },
    ])
    const run = runNetworks(members, [network])
    run.set('t', 0x0030)
    run.set('a', true)
    run.scan()
    run.set('a', false)
    run.scan()
    assert.equal(run.get('q'), true)
    run.set('r', true)
    run.scan()
    assert.equal(run.get('q'), false)
  })

  it('the time left is a number and a word of digits', () => {
    const network = instructionNetwork([
      {
        name: 'Sp',
        in: { s: '#a', tv: 'S5T#5s', timer: '%T1' },
        out: { rt: '#rest', rtbcd: '#digits' },
      },
    ])
    const run = runNetworks(members, [network])
    run.set('a', true)
    run.scan()
    run.clock.advance(2_000_000_000n)
    run.scan()
    assert.deepEqual([run.get('rest'), run.get('digits')], [300, 0x0300])
  })

  it('other operands are told', () => {
    const codes = networkDiagnostics(members, [
      instructionNetwork([{ name: 'SdCoil', in: { in: '#a', value: 'S5T#1s', operand: '#q' } }]),
    ]).map(({ code }) => code)
    assert.deepEqual(codes, ['wrong-operand'])
  })
})

describe('numbers at pins', () => {
  const members = { x: 'DInt', y: 'Int', w: 'DWord', v: 'Word', r: 'Real', ok: 'Bool' }
  const add = instructionNetwork([
    { name: 'Add', card: 2, types: { SrcType: 'DInt' }, in: { en: 'RAIL', in1: '#x', in2: '1' }, out: { out: '#y' } },
    { name: 'Coil', in: { in: '0.eno', operand: '#ok' } },
  ])

  it('are cut to a smaller target, with a warning and ENO', () => {
    const run = runNetworks(members, [add])
    const results = [5, 40_000].map((x) => {
      run.set('x', x)
      run.scan()
      return [run.get('y'), run.get('ok')]
    })
    assert.deepEqual(results, [
      [6, true],
      [40_001 - 65_536, false],
    ])
    const told = networkDiagnostics(members, [add]).map(({ code, severity }) => [code, severity])
    assert.deepEqual(told, [['lossy-conversion', 'warning']])
  })

  it('are refused with the IEC check', () => {
    const told = networkDiagnostics(members, [add], { isIecCheckOn: true }).map(({ code }) => code)
    assert.deepEqual(told, ['type-mismatch'])
  })

  it('whole numbers are times in milliseconds, constants stand for their number', () => {
    const members = { y: 'Int', t: 'Time', b: 'Byte' }
    const network = instructionNetwork([
      { name: 'Move', card: 1, in: { en: 'RAIL', in: '#y' }, out: { out1: '#t' } },
      { name: 'Move', card: 1, in: { en: 'RAIL', in: 'W#16#12' }, out: { out1: '#b' } },
    ])
    const run = runNetworks(members, [network])
    run.set('y', 1500)
    run.scan()
    assert.deepEqual([run.get('t'), run.get('b')], [1500, 0x12])
  })

  it('a row of an array of two dimensions is moved as a whole', () => {
    const rows: Type = {
      kind: 'array',
      dimensions: [
        { low: 0, high: 1 },
        { low: 1, high: 3 },
      ],
      element: scalarNamed('Int') as ScalarType,
    }
    const members = { i: 'Int', rows, row: array(0, 2, scalarNamed('Int') as ScalarType), x: 'Int' }
    const network = instructionNetwork([
      { name: 'Move', card: 1, in: { en: 'RAIL', in: '#x' }, out: { out1: '#rows[#i, 2]' } },
      { name: 'Move', card: 1, in: { en: 'RAIL', in: '#rows[#i]' }, out: { out1: '#row' } },
    ])
    const run = runNetworks(members, [network])
    run.set('i', 1)
    run.set('x', 7)
    run.scan()
    assert.deepEqual(run.get('row'), [0, 7, 0])
  })

  it('reals are rounded, patterns keep their low bits', () => {
    const network = instructionNetwork([
      {
        name: 'Mul',
        card: 2,
        types: { SrcType: 'Real' },
        in: { en: 'RAIL', in1: '#r', in2: '2.0' },
        out: { out: '#y' },
      },
      { name: 'Shr', types: { SrcType: 'DWord' }, in: { en: 'RAIL', in: '#w', n: '4' }, out: { out: '#v' } },
    ])
    const run = runNetworks(members, [network])
    run.set('r', 1.3)
    run.set('w', 0x12345678)
    run.scan()
    assert.deepEqual([run.get('y'), run.get('v')], [3, 0x4567])
  })
})

describe('calls', () => {
  const add = codeBlock('Add two', 'FC', {
    Input: { x: 'Int', y: 'Int' },
    Output: { isBig: 'Bool' },
    InOut: { count: 'Int' },
    body: '#count := #count + 1; #isBig := #x + #y > 10; "Add two" := #x + #y; ENO := #x >= 0;',
    returnType: 'Int',
  })
  const counter = codeBlock('Counter', 'FB', {
    Input: { up: 'Bool' },
    Output: { value: 'Int' },
    InOut: {},
    body: 'IF #up THEN #value := #value + 1; END_IF;',
  })
  const others = [add, counter]
  const instance = instanceType(counter)
  const members = { a: 'Bool', x: 'Int', n: 'Int', sum: 'Int', q: 'Bool', ok: 'Bool', c: instance }
  const run = (network: LogicNetwork) => runNetworks(members, [network], { others })
  const call: InstructionSpec = {
    name: 'Add two',
    call: 'FC',
    in: { en: '#a', x: '#x', y: '5', count: '#n' },
    out: { isBig: '#q', Ret_Val: '#sum' },
  }

  const copied: InstructionSpec = { name: 'Move', in: { in: '"Out".n' }, out: { out1: '#seen' } }

  it('of a function, with its value, an output and an in-out', () => {
    const one = run(instructionNetwork([call]))
    one.set('x', 6)
    one.scan()
    assert.deepEqual([one.get('sum'), one.get('q'), one.get('n')], [0, false, 0])
    one.set('a', true)
    one.scan()
    assert.deepEqual([one.get('sum'), one.get('q'), one.get('n')], [11, true, 1])
  })

  it('ENO is that of the called block, and FALSE where it was not called', () => {
    const one = run(instructionNetwork([call, { name: 'Coil', in: { in: '0.eno', operand: '#ok' } }]))
    const results = [
      [true, 1],
      [true, -1],
      [false, 1],
    ].map(([a, x]) => {
      one.set('a', a)
      one.set('x', x)
      one.scan()
      return one.get('ok')
    })
    assert.deepEqual(results, [true, false, false])
  })

  it('of a function without parameters by the coil CALL', () => {
    const body = '"Out".n := "Out".n + 1;'
    const plain = codeBlock('Count', 'FC', { Input: {}, Output: {}, InOut: {}, body, returnType: 'Void' })
    const out = structure({ n: Int })
    const options = { others: [plain], blocks: { Out: { type: out } } }
    const network = (block: string) => instructionNetwork([{ name: 'FcCoil', in: { in: '#a', block } }])
    const one = runNetworks({ ...members, seen: 'Int' }, [network('"Count"'), instructionNetwork([copied])], options)
    one.scan()
    one.set('a', true)
    one.scan()
    one.scan()
    assert.equal(one.get('seen'), 2)
    const codes = networkDiagnostics(members, [network('"Out"')], options).map(({ code }) => code)
    assert.deepEqual(codes, ['not-callable'])
  })

  it('an output of a function feeds a coil', () => {
    const { out: _out, ...plain } = call
    const one = run(instructionNetwork([plain, { name: 'Coil', in: { in: '0.isBig', operand: '#q' } }]))
    one.set('a', true)
    one.set('x', 6)
    one.scan()
    assert.equal(one.get('q'), true)
  })

  it('of a function block with its instance; inputs may be negated', () => {
    const network = instructionNetwork([
      {
        name: 'Counter',
        call: 'FB',
        instance: { scope: 'LocalVariable', path: [{ name: 'c' }] },
        negated: ['up'],
        in: { en: 'RAIL', up: '#a' },
        out: { value: '#n' },
      },
    ])
    const one = run(network)
    one.scan()
    one.scan()
    one.set('a', true)
    one.scan()
    assert.equal(one.get('n'), 2)
  })

  it('parameters take and give numbers of other sizes, as pins do', () => {
    const one = runNetworks(
      { x: 'DInt', sum: 'SInt', n: 'Int' },
      [instructionNetwork([{ ...call, in: { en: 'RAIL', x: '#x', y: '5', count: '#n' }, out: { Ret_Val: '#sum' } }])],
      { others },
    )
    one.set('x', 7)
    one.scan()
    assert.equal(one.get('sum'), 12)
  })

  it('what is wrong with them is told', () => {
    const codes = (part: InstructionSpec) =>
      networkDiagnostics(members, [instructionNetwork([part])], { others }).map(({ code }) => code)
    assert.deepEqual(codes({ name: 'Nobody', call: 'FC', in: { en: 'RAIL' } }), ['undeclared'])
    assert.deepEqual(codes({ name: 'Counter', call: 'FB', in: { en: 'RAIL' } }), ['no-instance'])
    assert.deepEqual(codes({ ...call, in: { en: 'RAIL', x: '1', count: '#n' } }), ['missing-parameter'])
    assert.deepEqual(codes({ ...call, in: { ...call.in, z: '1' } }), ['unknown-parameter'])
    const wrong = { scope: 'LocalVariable', path: [{ name: 'x' }] } as const
    assert.deepEqual(codes({ name: 'Counter', call: 'FB', instance: wrong, in: { en: 'RAIL' } }), ['not-callable'])
  })
})

describe('jumps', () => {
  const members = { a: 'Bool', n: 'Int' }
  const add = (value: number, label?: string): LogicNetwork =>
    instructionNetwork(
      [
        {
          name: 'Add',
          card: 2,
          types: { SrcType: 'Int' },
          in: { en: 'RAIL', in1: '#n', in2: String(value) },
          out: { out: '#n' },
        },
      ],
      label,
    )
  const jump = (name: string, to: string): LogicNetwork => instructionNetwork([{ name, in: { in: '#a', label: to } }])

  it('lead to a later network', () => {
    const run = (name: string, a: boolean) => {
      const one = runNetworks(members, [jump(name, 'end'), add(1), add(10, 'end')])
      one.set('a', a)
      one.scan()
      return one.get('n')
    }
    assert.deepEqual([run('Jump', false), run('Jump', true)], [11, 10])
    assert.deepEqual([run('JumpNot', false), run('JumpNot', true)], [10, 11])
  })

  it('lead back', () => {
    const again = instructionNetwork([
      { name: 'Lt', types: { SrcType: 'Int' }, in: { pre: 'RAIL', in1: '#n', in2: '5' } },
      { name: 'Jump', in: { in: '0.out', label: 'again' } },
    ])
    const run = runNetworks(members, [add(1, 'again'), again])
    run.scan()
    assert.equal(run.get('n'), 5)
  })

  it('to nowhere are told', () => {
    const codes = networkDiagnostics(members, [jump('Jump', 'nowhere')]).map(({ code }) => code)
    assert.deepEqual(codes, ['no-label'])
  })

  it('a return leaves the block', () => {
    const leave = instructionNetwork([{ name: 'ReturnTrue', in: { in: '#a' } }])
    const run = runNetworks(members, [leave, add(1)])
    run.scan()
    run.set('a', true)
    run.scan()
    assert.equal(run.get('n'), 1)
  })
})

describe('what is wrong', () => {
  const codes = (network: LogicNetwork) => networkDiagnostics(two, [network]).map(({ code, uId }) => [code, typeof uId])

  it('unknown parts are named', () => {
    const [one] = networkDiagnostics(two, [instructionNetwork([{ name: 'Teleport', in: { en: 'RAIL' } }])])
    assert.equal(one?.code, 'unknown-part')
    assert.match(one?.message ?? '', /Teleport/)
  })

  it('open pins', () => {
    assert.deepEqual(codes(instructionNetwork([{ name: 'Coil', in: { operand: '#q' } }])), [['open-pin', 'number']])
    assert.deepEqual(codes(instructionNetwork([{ name: 'Coil', in: { in: 'RAIL' } }])), [['open-pin', 'number']])
  })

  it('one fault does not hide the next, and is told once', () => {
    const network = instructionNetwork([
      { name: 'Contact', in: { in: 'RAIL', operand: '#x' } },
      { name: 'Contact', in: { in: '0.out', operand: '#y' } },
      { name: 'Coil', in: { in: '1.out', operand: '#z' } },
    ])
    assert.deepEqual(
      networkDiagnostics(two, [network]).map(({ message }) => message.slice(0, 2)),
      ['#x', '#y', '#z'],
    )
  })

  it('rings', () => {
    const network = instructionNetwork([
      { name: 'A', card: 2, in: { in1: '1.out', in2: '#a' } },
      { name: 'O', card: 2, in: { in1: '0.out', in2: '#b' } },
      { name: 'Coil', in: { in: '1.out', operand: '#q' } },
    ])
    assert.deepEqual(codes(network), [['connection-ring', 'number']])
  })

  it('coils of conditions outside of GRAPH', () => {
    assert.deepEqual(codes(instructionNetwork([{ name: 'TrCoil', in: { in: '#a' } }])), [['unknown-part', 'number']])
  })
})

describe('calls of what is not there', () => {
  const told = (name: string, blockType: string, path: readonly string[]) => {
    const call = { kind: 'call', uId: 21, name, blockType, negated: [], invisible: [], parameters: [] } as const
    const instance = { scope: 'GlobalVariable', path: path.map((one) => ({ name: one })) } as const
    const wire = { uId: 31, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 21, pin: 'en' }] } as const
    const nodes = [path.length === 0 ? call : { ...call, instance }]
    return networkDiagnostics({}, [{ labels: [], nodes, wires: [wire] }]).map(
      ({ code, message }) => `${code}: ${message}`,
    )
  }

  it('are named by their block, and by their instance where they are not resolved', () => {
    assert.deepEqual(told('Lost', 'FC', []), ['undeclared: The FC "Lost" is not in the program.'])
    assert.deepEqual(told('', 'FC', ['dbLost', 'pump']), [
      'undeclared: The block or instance "dbLost.pump" is not in the program.',
    ])
  })
})
