/** The flow through networks of contacts, comparisons and boxes, against three-valued logic. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { expressionNetwork, type InstructionSpec, instructionNetwork } from '../testing/lower-ladder.ts'
import { type Box, graphOf, type NetworkGraph } from './network-graph.ts'
import { type Live, literalValue, operandsOf, PowerFlow, type Reason } from './power-flow.ts'

type Values = Readonly<Record<string, Live>>

const flowOf = (graph: NetworkGraph, values: Values) => new PowerFlow(graph, (text) => values[text])

/** The first box of an instruction. */
function boxOf({ boxes }: NetworkGraph, name: string): Box {
  const found = boxes.find(({ node }) => node.kind === 'part' && node.name === name)
  assert.ok(found, name)
  return found
}

/** The pin of a box that is an input. */
function inputOf(box: Box, name: string) {
  const found = box.inputs.find((one) => one.name === name)
  assert.ok(found, name)
  return found
}

// ── Random networks ─────────────────────────────────────────────────────────────────────────────────────────────────

type Tree =
  | { readonly kind: 'bit'; readonly name: string }
  | { readonly kind: 'compare'; readonly sign: string; readonly name: string; readonly value: number }
  | { readonly kind: 'not'; readonly of: Tree }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Tree[] }

const bits = ['#a', '#b', '#c', '#d'] as const
const numbers = ['#n', '#m'] as const
const { tree } = fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(...bits).map((name): Tree => ({ kind: 'bit', name })),
    fc.constantFrom(...bits).map((name): Tree => ({ kind: 'not', of: { kind: 'bit', name } })),
    fc
      .tuple(
        fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
        fc.constantFrom(...numbers),
        fc.integer({ min: 0, max: 2 }),
      )
      .map(([sign, name, value]): Tree => ({ kind: 'compare', sign, name, value })),
  ),
  tree: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
      .map(([kind, of]): Tree => ({ kind: kind as 'and', of })),
    // In FBD a negated pin that another box feeds.
    tie('tree').map((of): Tree => ({ kind: 'not', of: of as Tree })),
  ),
}))

/** Whether something else than an operand is negated: then reasons of both values decide. */
function hasTurned(node: Tree): boolean {
  if (node.kind === 'not') return node.of.kind !== 'bit'
  return (node.kind === 'and' || node.kind === 'or') && node.of.some(hasTurned)
}

function textOf(node: Tree): string {
  if (node.kind === 'bit') return node.name
  if (node.kind === 'compare') return `${node.name} ${node.sign} ${node.value}`
  if (node.kind === 'not') return node.of.kind === 'bit' ? `NOT ${node.of.name}` : `NOT (${textOf(node.of)})`
  return `(${node.of.map(textOf).join(node.kind === 'and' ? ' AND ' : ' OR ')})`
}

/** Kleene's logic: what is unknown stays so, unless the rest decides. */
function evaluate(node: Tree, values: Values): boolean | undefined {
  if (node.kind === 'bit') return values[node.name] as boolean | undefined
  if (node.kind === 'not') {
    const inner = evaluate(node.of, values)
    return inner === undefined ? undefined : !inner
  }
  if (node.kind === 'compare') {
    const value = values[node.name] as number | undefined
    if (value === undefined) return undefined
    const signs = { '<': value < node.value, '>': value > node.value, '=': value === node.value }
    const isOn = [...node.sign].some((sign) => signs[sign as '='])
    return isOn
  }
  const parts = node.of.map((one) => evaluate(one, values))
  const decides = node.kind === 'or'
  if (parts.includes(decides)) return decides
  return parts.includes(undefined) ? undefined : !decides
}

const values = fc.record({
  ...Object.fromEntries(bits.map((name) => [name, fc.constantFrom(true, false, undefined)])),
  ...Object.fromEntries(numbers.map((name) => [name, fc.constantFrom(0, 1, 2, undefined)])),
}) as fc.Arbitrary<Values>

const members = { a: 'Bool', b: 'Bool', c: 'Bool', d: 'Bool', q: 'Bool', n: 'Int', m: 'Int' }

/** The operands of reasons. */
const operandsIn = (reasons: readonly Reason[]): string[] =>
  reasons.flatMap(({ operands, because }) => [...operands.map(({ text }) => text), ...operandsIn(because)])

for (const language of ['LAD', 'FBD'] as const)
  test(`property: ${language} networks of contacts and comparisons; their reasons alone decide the same`, () => {
    fc.assert(
      fc.property(tree, values, (node, given) => {
        const graph = graphOf(expressionNetwork(members, `#q := ${textOf(node)}`, language))
        const coil = boxOf(graph, 'Coil')
        const pin = inputOf(coil, 'in')
        const flow = flowOf(graph, given)
        const wanted = evaluate(node, given)
        assert.equal(flow.input(coil, pin), wanted, textOf(node))
        const reasons = flow.reasonsOf(coil, pin)
        const named = new Set(operandsIn(reasons))
        const known = Object.fromEntries(Object.entries(given).filter(([name]) => named.has(name)))
        assert.equal(flowOf(graph, known).input(coil, pin), wanted, `${[...named].join(' ')} of ${textOf(node)}`)
        for (const { value, kind } of reasons) {
          assert.notEqual(kind, 'box')
          if (hasTurned(node)) continue
          // What is on has no reason that is off; what is not on has none that is on.
          assert.equal(value === true, wanted === true, textOf(node))
        }
      }),
      { numRuns: 150 },
    )
  })

// ── One rule each ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The value at the `in` of a coil behind parts whose last is wired to it. */
function behind(parts: readonly InstructionSpec[], out: string, given: Values): Live {
  const graph = graphOf(
    instructionNetwork([...parts, { name: 'Coil', in: { in: `${parts.length - 1}.${out}`, operand: '#q' } }]),
  )
  const coil = boxOf(graph, 'Coil')
  return flowOf(graph, given).input(coil, inputOf(coil, 'in'))
}

describe('boxes', () => {
  test('X is on when an odd number is on, and unknown with what is unknown', () => {
    const part = { name: 'X', card: 3, in: { in1: '#a', in2: '#b', in3: '#c' } }
    for (const [a, b, c, seen] of [
      [false, false, false, false],
      [true, false, false, true],
      [true, true, false, false],
      [true, true, true, true],
      [true, undefined, true, undefined],
      [true, 1, true, undefined],
    ] as const)
      assert.equal(behind([part], 'out', { '#a': a, '#b': b, '#c': c }), seen, `${a} ${b} ${c}`)
  })

  test('Not turns what is known', () => {
    const parts = [
      { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
      { name: 'Not', in: { in: '0.out' } },
    ]
    for (const [a, seen] of [
      [true, false],
      [false, true],
      [undefined, undefined],
    ] as const)
      assert.equal(behind(parts, 'out', { '#a': a }), seen)
  })

  test('an edge is off when nothing arrives, and otherwise only known at its moment', () => {
    for (const name of ['PContact', 'NContact'])
      for (const [a, seen] of [
        [false, false],
        [true, undefined],
        [undefined, undefined],
      ] as const) {
        const parts = [
          { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
          { name, in: { pre: '0.out', operand: '#b', bit: '#c' } },
        ]
        assert.equal(behind(parts, 'out', { '#a': a, '#b': true, '#c': false }), seen, name)
      }
  })

  test('a trigger is off at the other level, and otherwise only known at its moment', () => {
    for (const [name, known] of [
      ['PBox', [undefined, false, undefined]],
      ['NBox', [false, undefined, undefined]],
    ] as const)
      for (const [i, a] of [true, false, undefined].entries())
        assert.equal(behind([{ name, in: { in: '#a', bit: '#c' } }], 'out', { '#a': a, '#c': true }), known[i], name)
  })

  test('behind a block that did not run there is no flow; what its outputs are assigned to keeps its value', () => {
    const outputs = ['isOn', 'count'].map((name, i) => ({ name, section: 'Output', type: ['Bool', 'Int'][i]! }))
    const contact: InstructionSpec = { name: 'Contact', in: { in: 'RAIL', operand: '#a' } }
    const instance = { scope: 'GlobalVariable', path: [{ name: 'Motor_DB' }] } as const
    for (const [call, ran] of [
      [{ name: 'Motor', call: 'FC' }, undefined],
      [{ name: 'Motor', call: 'FB', instance }, true],
    ] as const) {
      const { nodes, ...rest } = instructionNetwork([
        contact,
        { ...call, in: { en: '0.out' }, out: { count: '#n' } },
        { name: 'Coil', in: { in: '1.isOn', operand: '#q' } },
      ])
      const graph = graphOf({
        ...rest,
        nodes: nodes.map((node) => (node.kind === 'call' ? { ...node, parameters: outputs } : node)),
      })
      const coil = boxOf(graph, 'Coil')
      for (const [a, seen] of [
        [false, false],
        [true, ran],
      ] as const) {
        const flow = flowOf(graph, { '#a': a, '"Motor_DB".isOn': true, '"Motor_DB".count': 4, '#n': 4 })
        assert.equal(flow.input(coil, inputOf(coil, 'in')), seen, `${call.call} ${a}`)
        assert.equal([...flow.pins()].find(({ name }) => name.endsWith(' count'))?.value, 4)
      }
    }
  })

  test('a range is on for what is in it, or outside', () => {
    for (const [name, within, outside] of [
      ['InRange', true, false],
      ['OutRange', false, true],
    ] as const) {
      const part = { name, types: { SrcType: 'Int' }, in: { pre: '#a', min: '2', in: '#n', max: '5' } }
      for (const [a, n, seen] of [
        [true, 2, within],
        [true, 5, within],
        [true, 6, outside],
        [true, undefined, undefined],
        [false, undefined, false],
      ] as const)
        assert.equal(behind([part], 'out', { '#a': a, '#n': n }), seen, `${name} ${a} ${n}`)
    }
  })

  test('flip-flops have the value of their operand', () => {
    for (const [name, pins] of [
      ['Sr', { s: '#a', r1: '#b' }],
      ['Rs', { r: '#a', s1: '#b' }],
    ] as const)
      for (const value of [true, false, undefined])
        assert.equal(
          behind([{ name, in: { ...pins, operand: '#c' } }], 'q', { '#a': true, '#b': true, '#c': value }),
          value,
        )
  })

  test('coils pass on what arrives', () => {
    const parts = [
      { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
      { name: 'SCoil', in: { in: '0.out', operand: '#b' } },
    ]
    for (const a of [true, false, undefined]) assert.equal(behind(parts, 'out', { '#a': a, '#b': true }), a)
  })

  test('ENO: off without EN; on only where nothing can fail', () => {
    for (const [name, pins, types, seen] of [
      ['Move', { in: '#n' }, {}, [true, false, undefined]],
      ['Add', { in1: '#n', in2: '#m' }, { SrcType: 'Int' }, [undefined, false, undefined]],
    ] as const)
      for (const [i, a] of [true, false, undefined].entries()) {
        const parts = [
          { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
          { name, card: name === 'Move' ? 1 : 2, types, in: { en: '0.out', ...pins } },
        ]
        assert.equal(behind(parts, 'eno', { '#a': a, '#n': 1, '#m': 1 }), seen[i], `${name} ${a}`)
      }
  })

  test('texts are equal or not, and have no order; values of several kinds are unknown', () => {
    for (const [name, a, b, seen] of [
      ['Eq', 'T#1s', 'T#1s', true],
      ['Eq', 'T#1s', 'T#2s', false],
      ['Ne', 'T#1s', 'T#1s', false],
      ['Ne', 'T#1s', 'T#2s', true],
      ['Lt', 'T#1s', 'T#2s', undefined],
      ['Ge', 'T#1s', 'T#1s', undefined],
      ['Eq', 'T#1s', 1, undefined],
      ['Ne', 'T#1s', 1, undefined],
      ['Eq', undefined, 1, undefined],
      ['Eq', 1, undefined, undefined],
    ] as const) {
      const part = { name, types: { SrcType: 'Time' }, in: { pre: 'RAIL', in1: '#n', in2: '#m' } }
      assert.equal(behind([part], 'out', { '#n': a, '#m': b }), seen, `${name} ${a} ${b}`)
    }
  })
})

describe('a timer', () => {
  const parts: InstructionSpec[] = [
    { name: 'Contact', in: { in: 'RAIL', operand: '#a' } },
    {
      name: 'TON',
      instance: { scope: 'LocalVariable', path: [{ name: 'delay' }] },
      in: { IN: '0.out', PT: 'T#1s' },
      out: { ET: '#t' },
    },
    { name: 'Coil', in: { in: '1.Q', operand: '#q' } },
  ]
  const graph = graphOf(instructionNetwork(parts))
  const coil = boxOf(graph, 'Coil')

  test('its outputs are those of its instance', () => {
    assert.deepEqual(operandsOf(graph).sort(), ['#a', '#delay.ET', '#delay.Q', '#q', '#t', 'T#1s'])
    for (const value of [true, false, undefined])
      assert.equal(flowOf(graph, { '#a': true, '#delay.Q': value }).input(coil, inputOf(coil, 'in')), value)
  })

  test('it is a reason, with what decides its inputs', () => {
    const reasons = flowOf(graph, { '#a': false, '#delay.Q': false }).reasonsOf(coil, inputOf(coil, 'in'))
    assert.deepEqual(
      reasons.map(({ uId: _uId, ...reason }) => ({
        ...reason,
        because: reason.because.map(({ uId: _inner, ...one }) => one),
      })),
      [
        {
          kind: 'box',
          text: 'TON #delay (Q)',
          value: false,
          isNegated: false,
          operands: [{ pin: 'PT', text: 'T#1s', value: undefined }],
          because: [
            {
              kind: 'operand',
              text: '#a',
              value: false,
              isNegated: false,
              operands: [{ pin: 'operand', text: '#a', value: false }],
              because: [],
            },
          ],
        },
      ],
    )
  })

  test('every pin has its value', () => {
    const pins = [...flowOf(graph, { '#a': true, '#delay.Q': false, '#delay.ET': 'T#5ms', '#q': false }).pins()]
    assert.deepEqual(pins.map(({ name, operand, value }) => [name.replace(/^\d+ /, ''), operand, value]).sort(), [
      ['ET', '#t', 'T#5ms'],
      ['IN', undefined, true],
      ['PT', 'T#1s', undefined],
      ['Q', undefined, false],
      ['in', undefined, false],
      ['in', undefined, true],
      ['operand', '#a', true],
      ['operand', '#q', false],
      ['out', undefined, true],
    ])
  })
})

test('the reason of a negated contact has what the contact gives; comparisons show both sides', () => {
  const graph = graphOf(expressionNetwork(members, '#q := NOT #a AND #n > 5'))
  const coil = boxOf(graph, 'Coil')
  const reasons = flowOf(graph, { '#a': true, '#n': 3 }).reasonsOf(coil, inputOf(coil, 'in'))
  assert.deepEqual(
    reasons.map(({ uId: _uId, ...one }) => one),
    [
      {
        kind: 'comparison',
        text: '#n > 5',
        value: false,
        isNegated: false,
        operands: [
          { pin: 'in1', text: '#n', value: 3 },
          { pin: 'in2', text: '5', value: 5 },
        ],
        because: [],
      },
      {
        kind: 'operand',
        text: '#a',
        value: false,
        isNegated: true,
        operands: [{ pin: 'operand', text: '#a', value: true }],
        because: [],
      },
    ],
  )
})

test('literals', () => {
  for (const [text, value] of [
    ['TRUE', true],
    ['false', false],
    ['BOOL#TRUE', true],
    ['5', 5],
    ['-5', -5],
    ['+1_000', 1000],
    ['1.5', 1.5],
    ['1.5e3', 1500],
    ['1e-2', 0.01],
    ['INT#3', 3],
    ['16#FF', 255],
    ['W#16#1_0', 16],
    ['2#1010', 10],
    ['8#17', 15],
    ['T#1s', undefined],
    ["'5'", undefined],
    ['#a', undefined],
    ['5a', undefined],
    ['', undefined],
  ] as const)
    assert.equal(literalValue(text), value, text)
})
