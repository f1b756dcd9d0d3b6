import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogicNetwork, NetworkNode } from './logic-network.ts'
import { elementsOfNetwork, elementsOfSequences } from './network-elements.ts'
import type { Operand } from './operand.ts'
import type { SequenceProgram } from './sequence.ts'

const global = (name: string): Operand => ({ kind: 'symbol', scope: 'GlobalVariable', path: [{ name }] })
const operand = (uId: number, value: Operand): NetworkNode => ({ kind: 'operand', uId, operand: value })
const pins = { negated: [], invisible: [], templates: [], automaticTyped: [] }

/** A negated contact, a timer, a call and a coil at an absolute address. */
const graph: LogicNetwork = {
  labels: [],
  nodes: [
    operand(21, global('start')),
    operand(22, { kind: 'literal', scope: 'TypedConstant', value: 'T#5s' }),
    operand(23, { kind: 'address', area: 'Output', type: 'Bool', bitOffset: 3 }),
    { kind: 'part', uId: 24, name: 'Contact', ...pins, negated: ['operand'] },
    {
      kind: 'part',
      uId: 25,
      name: 'TON',
      version: '1.0',
      ...pins,
      negated: ['PT'],
      instance: { scope: 'LocalVariable', path: [{ name: 'timer' }] },
      templates: [{ name: 'time_type', type: 'Type', value: 'Time' }],
    },
    {
      kind: 'call',
      uId: 26,
      name: 'FB_x',
      blockType: 'FB',
      negated: [],
      invisible: [],
      instance: { scope: 'GlobalVariable', path: [{ name: 'FB_x_DB' }] },
      parameters: [{ name: 'a', section: 'Input', type: 'Bool' }, { name: 'b' }],
    },
    { kind: 'part', uId: 27, name: 'Coil', ...pins },
  ],
  wires: [
    {
      uId: 30,
      ends: [
        { kind: 'operand', uId: 21 },
        { kind: 'pin', uId: 24, pin: 'operand' },
        { kind: 'pin', uId: 26, pin: 'a' },
      ],
    },
    {
      uId: 31,
      ends: [
        { kind: 'operand', uId: 22 },
        { kind: 'pin', uId: 25, pin: 'PT' },
      ],
    },
    {
      uId: 32,
      ends: [
        { kind: 'pin', uId: 25, pin: 'Q' },
        { kind: 'pin', uId: 27, pin: 'in' },
      ],
    },
    {
      uId: 33,
      ends: [
        { kind: 'operand', uId: 23 },
        { kind: 'pin', uId: 27, pin: 'operand' },
      ],
    },
  ],
}

test('elements of a network: signals, negation, instances, parameters, addresses', () => {
  assert.deepEqual(elementsOfNetwork(graph), [
    { uId: 24, type: 'Contact', signal: '"start"', isGlobal: true, negated: true, parameters: [] },
    {
      uId: 25,
      type: 'TON',
      signal: '#timer',
      isGlobal: false,
      negated: false,
      version: '1.0',
      templates: { time_type: 'Time' },
      parameters: [{ name: 'PT', value: 'T#5s', negated: true }],
    },
    {
      uId: 26,
      type: 'Call',
      signal: '"FB_x_DB"',
      isGlobal: true,
      negated: false,
      blockName: 'FB_x',
      parameters: [{ name: 'a', section: 'Input', type: 'Bool', value: '"start"' }, { name: 'b' }],
    },
    { uId: 27, type: 'Coil', signal: '%Q0.3', isGlobal: true, address: '%Q0.3', negated: false, parameters: [] },
  ])
})

test('elements of a sequence program: its steps and transitions, then those of the networks inside', () => {
  const texts = { title: {}, comment: {} }
  const body: SequenceProgram = {
    before: [{ ...texts, language: 'LAD', graph }],
    sequences: [
      {
        ...texts,
        steps: [{ number: 1, name: 'Init', isInitial: true, comment: {}, actions: [], interlock: { language: 'LAD' } }],
        transitions: [{ number: 7, name: 'go', comment: {}, language: 'LAD', graph: graph }],
        branches: [],
        connections: [],
      },
    ],
    after: [],
  }
  assert.deepEqual(
    elementsOfSequences(body).map(({ type, uId, signal }) => [type, uId, signal]),
    [
      ['Step', 1, 'Init'],
      ['Transition', 7, 'go'],
      ...[...elementsOfNetwork(graph), ...elementsOfNetwork(graph)].map(({ type, uId, signal }) => [type, uId, signal]),
    ],
  )
})
