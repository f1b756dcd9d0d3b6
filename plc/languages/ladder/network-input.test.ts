import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError } from '../../model/fault.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { networkOfInput } from './network-input.ts'

const faultsOf = (value: unknown): string[] => {
  try {
    networkOfInput(value, '/graph')
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    for (const { code, path, message } of error.faults) {
      assert.equal(code, 'edit')
      assert.ok(message.startsWith(`${path}: `))
    }
    return error.faults.map(({ message }) => message.replace('/graph', ''))
  }
  return []
}
const kept = { attributes: { a: '1' }, elements: [{ at: 0, xml: '<x/>' }] }
const start = {
  kind: 'operand',
  uId: 21,
  operand: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'a' }] },
} as const
const part = {
  kind: 'part',
  uId: 30,
  name: 'Contact',
  negated: [],
  invisible: [],
  templates: [],
  automaticTyped: [],
} as const

/** A network with everything that one can have. */
const whole: LogicNetwork = {
  kept,
  labels: [{ name: 'end', comment: { 'en-US': 'c' }, kept }, { name: 'go' }],
  nodes: [
    {
      kind: 'operand',
      uId: 21,
      operand: {
        kind: 'symbol',
        scope: 'LocalVariable',
        path: [
          { name: 'a', indices: [{ kind: 'literal', scope: 'LiteralConstant', value: '1', type: 'Int', kept }], kept },
          { name: 'b', slice: 'x1', access: 'Periphery' },
        ],
        kept,
      },
    },
    { kind: 'operand', uId: 22, operand: { kind: 'constant', scope: 'LocalConstant', name: 'C', kept } },
    { kind: 'operand', uId: 23, operand: { kind: 'label', name: 'end', kept } },
    {
      kind: 'operand',
      uId: 24,
      operand: { kind: 'address', area: 'DB', type: 'Bool', blockNumber: 5, bitOffset: 17, kept },
    },
    { kind: 'operand', uId: 25, operand: { kind: 'literal', scope: 'TypedConstant', value: 'T#5s' } },
    {
      kind: 'part',
      uId: 30,
      name: 'TON',
      negated: ['IN'],
      invisible: ['ET'],
      comment: { 'de-DE': 'k' },
      templates: [{ name: 'time_type', type: 'Type', value: 'Time' }],
      automaticTyped: ['x'],
      version: '1.0',
      equation: 'IN1',
      disabledEno: true,
      instance: { scope: 'GlobalVariable', path: [{ name: 'T_DB' }] },
      kept,
    },
    {
      kind: 'call',
      uId: 31,
      name: 'Motor',
      blockType: 'FB',
      blockNumber: 7,
      negated: [],
      invisible: [],
      parameters: [{ name: 'on', section: 'Input', type: 'Bool', kept }, { name: 'off' }],
      instance: { scope: 'LocalVariable', path: [{ name: 'm' }] },
    },
  ],
  wires: [
    { uId: 40, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 30, pin: 'IN' }], kept },
    {
      uId: 41,
      ends: [
        { kind: 'operand', uId: 21 },
        { kind: 'pin', uId: 31, pin: 'on' },
        { kind: 'open', uId: 50 },
      ],
    },
    { uId: 42, ends: [{ kind: 'pin', uId: 30, pin: 'Q' }, { kind: 'openbranch' }] },
  ],
}

test('a network is taken back as it was shown', () => {
  assert.deepEqual(networkOfInput(JSON.parse(JSON.stringify(whole)), '/graph'), whole)
})

test('what may be missing is empty; labels, operands and instances may be texts', () => {
  const node = { kind: 'part', uId: 1, name: 'Coil', instance: '"T_DB"' }
  const { instance: _i, ...box } = { ...node, ...{ negated: [], invisible: [], templates: [], automaticTyped: [] } }
  assert.deepEqual(
    networkOfInput(
      {
        labels: ['end'],
        nodes: [node, { kind: 'call', uId: 2, name: 'M', blockType: 'FC' }, { kind: 'operand', uId: 3, operand: '#a' }],
        wires: [{ ends: [{ kind: 'operand', uId: 3 }, { kind: 'open' }] }],
      },
      '/graph',
    ),
    {
      labels: [{ name: 'end' }],
      nodes: [
        { ...box, instance: { scope: 'GlobalVariable', path: [{ name: 'T_DB' }] } },
        { kind: 'call', uId: 2, name: 'M', blockType: 'FC', negated: [], invisible: [], parameters: [] },
        { kind: 'operand', uId: 3, operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] } },
      ],
      wires: [
        {
          uId: 0,
          ends: [
            { kind: 'operand', uId: 3 },
            { kind: 'open', uId: 0 },
          ],
        },
      ],
    },
  )
})

test('every fault is told with its path', () => {
  const nodes = (...list: readonly unknown[]) => faultsOf({ nodes: list })
  const operand = (value: unknown) => nodes({ kind: 'operand', uId: 1, operand: value })
  const wire = (...ends: readonly unknown[]) => faultsOf({ nodes: [start, part], wires: [{ ends }] })
  const rail = { kind: 'powerrail' }
  const cases: readonly (readonly [found: readonly string[], ...expected: readonly string[]])[] = [
    [faultsOf(5), ': must be an object'],
    [faultsOf({}), '/nodes: a network needs at least one node'],
    [faultsOf({ nodes: {}, labels: 'x' }), '/labels: must be a list', '/nodes: must be a list'],
    [
      faultsOf({ labels: [{}, 5, { name: 5 }], nodes: [part] }),
      '/labels/0/name: is missing',
      '/labels/1: must be an object',
      '/labels/1/name: is missing',
      '/labels/2/name: must be text',
    ],
    [nodes({ ...part, uId: -1 }), '/nodes/0/uId: must be a whole number'],
    [
      nodes({ ...part, uId: 1.5 }, { ...part, uId: '1' }),
      '/nodes/0/uId: must be a whole number',
      '/nodes/1/uId: must be a whole number',
    ],
    [nodes(part, part), '/nodes/1/uId: the number 30 is given to two nodes'],
    [nodes({ ...part, uId: 0 })],
    [nodes({ ...part, kind: 'box' }), '/nodes/0/kind: must be operand, part or call'],
    [nodes({ ...part, name: '' }), '/nodes/0/name: must be text'],
    [nodes({ ...part, negated: [5, 'x'] }), '/nodes/0/negated/0: must be text'],
    [
      nodes({ ...part, version: 1, equation: true, disabledEno: 'x' }),
      '/nodes/0/version: must be a string',
      '/nodes/0/equation: must be a string',
      '/nodes/0/disabledEno: must be a boolean',
    ],
    [nodes({ ...part, comment: 'x' }), '/nodes/0/comment: must be texts by culture: { "en-US": "…" }'],
    [nodes({ ...part, comment: { 'en-US': 5 } }), '/nodes/0/comment: must be texts by culture: { "en-US": "…" }'],
    [nodes({ ...part, comment: [] }), '/nodes/0/comment: must be texts by culture: { "en-US": "…" }'],
    [nodes({ ...part, comment: null }), '/nodes/0/comment: must be texts by culture: { "en-US": "…" }'],
    [nodes({ ...part, instance: '5' }), '/nodes/0/instance: must be a data block or a member: "DB", #instance'],
    [nodes({ ...part, templates: [{ name: 'a' }] }), '/nodes/0/templates/0/type: is missing'],
    [
      nodes({ ...part, kind: 'call', parameters: [{ section: 5 }] }),
      '/nodes/0/blockType: is missing',
      '/nodes/0/parameters/0/section: must be a string',
      '/nodes/0/parameters/0/name: is missing',
    ],
    [operand('a b c'), '/nodes/0/operand: "a b c" is no operand: #local, "global", %I0.0 or a literal'],
    [
      operand({ kind: 'x' }),
      '/nodes/0/operand/kind: must be one of symbol, literal, constant, address, label',
      '/nodes/0/operand/value: is missing',
    ],
    [
      operand({ kind: 'symbol' }),
      '/nodes/0/operand/scope: must be one of GlobalVariable, LocalVariable, Undef, PredefinedVariable',
      '/nodes/0/operand/path: needs at least one component',
    ],
    [
      operand({ kind: 'constant', name: 'x' }),
      '/nodes/0/operand/scope: must be one of GlobalConstant, LocalConstant, NamedValueConstant',
    ],
    [
      operand({ kind: 'address', area: 'DB', type: 'Int', bitOffset: 'x' }),
      '/nodes/0/operand/bitOffset: must be a number',
    ],
    [
      operand({ ...start.operand, path: [{ name: 'a', indices: [{}], slice: 5 }] }),
      '/nodes/0/operand/path/0/indices/0/kind: must be one of symbol, literal, constant, address, label',
      '/nodes/0/operand/path/0/indices/0/value: is missing',
      '/nodes/0/operand/path/0/slice: must be a string',
    ],
    [wire(rail), '/wires/0/ends: a wire needs a source and at least one sink'],
    [wire(rail, { kind: 'x' }), '/wires/0/ends/1/kind: must be one of powerrail, pin, operand, open, openbranch'],
    [wire(rail, { kind: 'pin', uId: 99, pin: 'in' }), '/wires/0/ends/1/uId: there is no node 99'],
    [wire(rail, { kind: 'pin', uId: 30 }), '/wires/0/ends/1/pin: is missing'],
    [
      wire(rail, { kind: 'pin', uId: 21, pin: 'in' }),
      '/wires/0/ends/1/kind: node 21 is an operand: use the kind operand',
    ],
    [
      wire(rail, { kind: 'operand', uId: 30 }),
      '/wires/0/ends/1/kind: node 30 is a box: use the kind pin with its name',
    ],
    [wire(rail, { kind: 'open', uId: 'x' }), '/wires/0/ends/1/uId: must be a whole number'],
    ...[
      { attributes: { a: 1 } },
      { elements: {} },
      { elements: [null] },
      { elements: [{ at: 0, xml: '' }, null] },
      { elements: [{ at: 'x', xml: '' }] },
      { elements: [{ at: 1 }] },
    ].map((wrong): readonly [readonly string[], string] => [
      nodes({ ...part, kept: wrong }),
      '/nodes/0/kept: must be { attributes, elements: [{ at, xml }] }',
    ]),
    [nodes({ ...part, kept: {} })],
  ]
  for (const [found, ...expected] of cases) assert.deepEqual(found, expected)
  assert.equal(faultsOf({ nodes: Array.from({ length: 150 }, () => 5) }).length, 100)
})
