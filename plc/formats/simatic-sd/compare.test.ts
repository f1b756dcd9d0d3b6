import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogicNetwork, NetworkNode } from '../../model/logic-network.ts'
import type { Operand } from '../../model/operand.ts'
import { isSameLogic, logicLosses } from './compare.ts'

const kept = { attributes: { a: '1' } }
type Part = NetworkNode & { readonly kind: 'part' }
type Call = NetworkNode & { readonly kind: 'call' }

/** An operand at a part, beside a call. */
const network = (
  operand: Operand,
  part: Partial<Part> = {},
  call: Partial<Call> = {},
  more: Partial<LogicNetwork> = {},
) => {
  const network: LogicNetwork = {
    labels: [],
    nodes: [
      { kind: 'operand', uId: 21, operand },
      {
        kind: 'part',
        uId: 22,
        name: 'Contact',
        negated: [],
        invisible: [],
        templates: [],
        automaticTyped: [],
        ...part,
      },
      { kind: 'call', uId: 23, name: 'Motor', blockType: 'FB', negated: [], invisible: [], parameters: [], ...call },
    ],
    wires: [
      { uId: 31, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 22, pin: 'in' }] },
      {
        uId: 32,
        ends: [
          { kind: 'operand', uId: 21 },
          { kind: 'pin', uId: 22, pin: 'operand' },
        ],
      },
      {
        uId: 33,
        ends: [
          { kind: 'pin', uId: 22, pin: 'out' },
          { kind: 'pin', uId: 23, pin: 'en' },
        ],
      },
    ],
    ...more,
  }
  return network
}
const symbol = (name: string, more: object = {}): Operand => ({
  kind: 'symbol',
  scope: 'GlobalVariable',
  path: [{ name, ...more }],
})
const literal = (value: string, more: object = {}): Operand => ({
  kind: 'literal',
  scope: 'LiteralConstant',
  value,
  ...more,
})
const a = symbol('a')
const instance = { scope: 'GlobalVariable', path: [{ name: 'D' }] } as const

test('what SIMATIC SD leaves to the program is no difference, but a loss that is told', () => {
  const cases: readonly (readonly [before: LogicNetwork, after: LogicNetwork, ...losses: readonly string[]])[] = [
    [network(a), network(a)],
    [
      network(literal('5', { type: 'Int' })),
      network(literal('5', { type: 'DInt' })),
      'the literal 5: its type Int becomes DInt',
    ],
    [
      network(literal('5')),
      network(literal('5', { type: 'Int' })),
      'the literal 5: its type LiteralConstant becomes Int',
    ],
    [
      network(literal('5', { kept })),
      network(literal('5')),
      'the literal 5: what is not interpreted of it is left out',
    ],
    [network(a), network(symbol('A')), 'the spelling a becomes A'],
    [network(symbol('a', { kept })), network(a), 'what is not interpreted of a is left out'],
    [
      network(symbol('a', { indices: [literal('1', { type: 'Int' })] })),
      network(symbol('a', { indices: [literal('1', { type: 'DInt' })] })),
      'the literal 1: its type Int becomes DInt',
    ],
    [
      network({ kind: 'constant', scope: 'GlobalConstant', name: 'MAX' }),
      network(symbol('max')),
      'that "MAX" is a constant is left out: it becomes a variable where no constant has its name',
    ],
    [
      network({ kind: 'address', area: 'DB', type: 'Int', blockNumber: 5, bitOffset: 16 }),
      network({ kind: 'address', area: 'DB', type: 'Word', blockNumber: 5, bitOffset: 16 }),
      'the address of the type Int gets the type Word',
    ],
    [
      network({ kind: 'constant', scope: 'LocalConstant', name: 'c', kept }),
      network({ kind: 'constant', scope: 'LocalConstant', name: 'c' }),
      'what is not interpreted of an operand is left out',
    ],
    [network(a, { version: '1.0' }), network(a), 'Contact: its version 1.0 is left out'],
    [network(a, { version: '1.0' }), network(a, { version: '1.1' }), 'Contact: its version 1.0 becomes 1.1'],
    [network(a), network(a, { version: '1.1' }), 'Contact: its version becomes 1.1'],
    [
      network(a, { templates: [{ name: 't', type: 'Type', value: '' }] }),
      network(a),
      'Contact: a type that follows from the operands is left out',
    ],
    [network(a, { comment: { 'en-US': 'c' } }), network(a), 'Contact: its comment is left out'],
    [network(a, { invisible: ['x'] }), network(a), 'Contact: which pins are not shown is left out'],
    [network(a, { kept }), network(a), 'Contact: what is not interpreted of it is left out'],
    [network(a, {}, { blockNumber: 7 }), network(a), 'the call of "Motor": the block\'s number 7 is left out'],
    [network(a, {}, { blockNumber: 7 }), network(a, {}, { blockNumber: 7 })],
    [network(a, {}, { blockType: 'FC' }), network(a), 'the call of "Motor": the kind FC becomes FB'],
    [
      network(a, {}, { parameters: [{ name: 'x', type: 'Int' }] }),
      network(a, {}, { parameters: [{ name: 'x' }] }),
      'the call of "Motor": the parameters that the call knows become those of the block',
    ],
    [network(a, {}, { parameters: [{ name: 'x', type: '' }] }), network(a, {}, { parameters: [{ name: 'x' }] })],
    [
      network(a, {}, { instance: { ...instance, kept } }),
      network(a, {}, { instance }),
      'what is not interpreted of an instance is left out',
    ],
    [
      network(a, {}, { instance }),
      network(a, {}, { instance: { scope: 'GlobalVariable', path: [{ name: 'd' }] } }),
      'the spelling D becomes d',
    ],
    [
      network(a, {}, {}, { labels: [{ name: 'end', comment: { 'en-US': 'c' } }] }),
      network(a, {}, {}, { labels: [{ name: 'end' }] }),
      'the comment of the label end is left out',
    ],
    [network(a, {}, {}, { kept }), network(a), 'what is not interpreted of it is left out'],
  ]
  for (const [before, after, ...losses] of cases) {
    assert.equal(isSameLogic(before, after), true, losses.join())
    assert.deepEqual(logicLosses(before, after), losses)
  }
})

test('another operand, pin, name, wire or label is another logic', () => {
  const base = network(a)
  const address = (bitOffset: number): Operand => ({
    kind: 'address',
    area: 'DB',
    type: 'Int',
    blockNumber: 5,
    bitOffset,
  })
  const others: readonly (readonly [LogicNetwork, LogicNetwork])[] = [
    [base, network(symbol('b'))],
    [base, network({ kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] })],
    [base, network(symbol('a', { slice: 'x1' }))],
    [base, network(symbol('a', { access: 'Periphery' }))],
    [base, network(symbol('a', { indices: [literal('1')] }))],
    [base, network(literal('5'))],
    [network(literal('5')), network(literal('6'))],
    [network(address(8)), network(address(16))],
    [base, network({ kind: 'constant', scope: 'LocalConstant', name: 'a' })],
    [network({ kind: 'label', name: 'a' }), network({ kind: 'label', name: 'b' })],
    [base, network(a, { name: 'Coil' })],
    [base, network(a, { negated: ['operand'] })],
    [base, network(a, { disabledEno: true })],
    [base, network(a, { equation: 'x' })],
    [base, network(a, { templates: [{ name: 't', type: 'Type', value: 'Int' }] })],
    [base, network(a, { automaticTyped: ['x'] })],
    [base, network(a, {}, { name: 'Other' })],
    [base, network(a, {}, { instance })],
    [base, network(a, {}, { negated: ['x'] })],
    [base, { ...base, wires: base.wires.slice(1) }],
    [base, { ...base, labels: [{ name: 'end' }] }],
  ]
  for (const [one, other] of others) {
    assert.equal(isSameLogic(one, other), false, JSON.stringify(other))
    assert.equal(isSameLogic(other, one), false)
  }
  // An instance stands for its block.
  assert.equal(isSameLogic(network(a, {}, { instance }), network(a, {}, { instance, name: 'Other' })), true)
})

test('no network is the same as an empty one', () => {
  const empty: LogicNetwork = { labels: [], nodes: [], wires: [] }
  assert.deepEqual(
    [isSameLogic(undefined, undefined), isSameLogic(undefined, empty), isSameLogic(empty, undefined)],
    [true, true, true],
  )
  assert.equal(isSameLogic(undefined, network(a)), false)
  assert.equal(isSameLogic({ ...empty, labels: [{ name: 'end' }] }, undefined), false)
  assert.deepEqual([logicLosses(undefined, network(a)), logicLosses(network(a), undefined)], [[], []])
})

test('a call that is not resolved has no kind to lose, and is named by its instance', () => {
  const instance = { scope: 'GlobalVariable', path: [{ name: 'dbLost' }] } as const
  const [before, after] = ['FC', 'FB'].map((blockType) =>
    network(
      symbol('a'),
      {},
      { name: '', blockType, instance, ...(blockType === 'FC' ? { comment: { 'en-US': 'c' } } : {}) },
    ),
  )
  assert.deepEqual(logicLosses(before, after), ['the call of "dbLost": its comment is left out'])
})
