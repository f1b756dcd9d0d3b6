/** What a specification cannot say is told with its place, all at once; what it says is in the object. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError } from '../model/fault.ts'
import { generateObject } from './object-of.ts'
import type { BlockSpecification, MemberSpecification, SequenceSpecification } from './specification.ts'

const faultsOf = (spec: BlockSpecification): string[] => {
  try {
    generateObject(spec, { version: 'V19' })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.faults.map(({ path = '', message }) => (message.startsWith(path) ? message : `${path}: ${message}`))
  }
  return []
}
const graph = (sequence: SequenceSpecification, more: Partial<BlockSpecification> = {}): BlockSpecification => ({
  kind: 'FB',
  name: 'G',
  language: 'GRAPH',
  chart: { sequences: [sequence] },
  ...more,
})
const at = '/chart/sequences/0'
const two = [{ name: 'Fill' }, { name: 'Empty' }]
const ways = [
  { name: 'Full', from: 'Fill', to: 'Empty' },
  { name: 'Done', from: 'Empty', to: 'Fill', jump: true },
]

test('faults of a sequence: names, numbers, ways and connections', () => {
  const cases: readonly (readonly [found: readonly string[], ...expected: readonly string[]])[] = [
    [faultsOf(graph({ steps: two, transitions: ways }))],
    [
      faultsOf(
        graph(
          { steps: [{ name: ' ' }, { name: 'speed' }, { name: 'A' }, { name: 'a' }] },
          { interface: [{ section: 'Input', members: [{ name: 'Speed', dataType: 'Int' }] }] },
        ),
      ).slice(0, 3),
      `${at}/steps/0/name: a step needs a name`,
      `${at}/steps/1/name: "speed" is the name of a member of the interface`,
      `${at}/steps/3/name: "a" is already the name at ${at}/steps/2; names of steps and transitions must differ`,
    ],
    [
      faultsOf(
        graph({
          steps: [
            { name: 'a', number: 1 },
            { name: 'b', number: 1 },
          ],
          transitions: [
            { name: 'x', number: 2, from: 'a', to: 'b' },
            { name: 'y', number: 2, from: 'b', to: 'a', jump: true },
          ],
        }),
      ),
      `${at}/steps/1/number: step 1 is given twice`,
      `${at}/transitions/1/number: transition 2 is given twice`,
    ],
    [faultsOf(graph({ steps: [] })), `${at}/steps: a sequence needs at least one step`],
    [
      faultsOf(
        graph({
          steps: [
            { name: 'a', initial: true },
            { name: 'b', initial: true },
          ],
          transitions: [{ name: 'x', from: 'a', to: 'b' }],
        }),
      ),
      `${at}/steps: a sequence has one initial step, this one has 2`,
    ],
    [
      faultsOf(
        graph({
          steps: two,
          transitions: [
            { name: 'x', from: 'Fill', to: 'Lost' },
            { name: 'y', to: 'Fill' },
          ],
        }),
      ).slice(0, 2),
      `${at}/transitions/0/to: there is no step "Lost"; there are Fill, Empty`,
      `${at}/transitions/1/from: a transition needs the step that it leaves`,
    ],
    [faultsOf(graph({ steps: two, transitions: ways, branches: [] })), `${at}/branches: branches go with connections`],
    [
      faultsOf(graph({ steps: two, transitions: ways, connections: [] })),
      `${at}/transitions/0: give from and to, or connections of the sequence, not both`,
      `${at}/transitions/1: give from and to, or connections of the sequence, not both`,
    ],
    [
      faultsOf(
        graph({
          steps: two,
          transitions: [{ name: 'x' }],
          branches: [{ number: 1, type: 'AltBegin', cardinality: 2 }],
          connections: [
            { from: 'S1', to: 'B1.0' },
            { from: 'B1.1', to: 'T1' },
            { from: 'b1', to: 'end' },
            { from: 'S9', to: 'T9' },
            { from: 'END', to: 'X' },
            { from: 'B1.2', to: 'B1.1' },
            { from: 'B2', to: 'S1' },
          ],
        }),
      ),
      `${at}/connections/3/from: there is no S9`,
      `${at}/connections/3/to: there is no T9`,
      `${at}/connections/4/from: "END" is no place; places are S1 (step), T1 (transition), B1.0 (way of a branch), END`,
      `${at}/connections/4/to: "X" is no place; places are S1 (step), T1 (transition), B1.0 (way of a branch), END`,
      `${at}/connections/5/from: branch 1 has 2 ways out, counted from 0`,
      `${at}/connections/5/to: branch 1 has 1 ways in, counted from 0`,
      `${at}/connections/6/from: there is no B2`,
    ],
  ]
  for (const [found, ...expected] of cases) assert.deepEqual(found, expected)
})

test('faults of actions and conditions', () => {
  const step = (more: object) =>
    faultsOf(graph({ steps: [{ name: 'Fill', ...more }, { name: 'Empty' }], transitions: ways }))
  const noAction = (text: string) =>
    `${at}/steps/0/actions/0: ${JSON.stringify(text)} is no action; an action is "N #motor", "S1 S #x", "D #lamp, T#5s"`
  for (const text of ['', '#motor', 'Q #x']) assert.deepEqual(step({ actions: [text] }), [noAction(text)])
  assert.deepEqual(step({ actions: ['N #motor', { text: 'a\nb', qualifier: 'Q', event: 'X1' }] }), [
    `${at}/steps/0/actions/1/qualifier: "Q" is none of N, S, R, D, L, ON, OFF, CD, CR, CS, CU, TD, TF, TL, TR`,
    `${at}/steps/0/actions/1/event: "X1" is none of S1, S0, V1, V0, L1, L0, A1, R1`,
    `${at}/steps/0/actions/1/text: an action is one line`,
  ])
  const condition = (given: object | string) =>
    faultsOf(graph({ steps: two, transitions: [{ ...ways[0]!, condition: given as string }, ways[1]!] }))
  const wrong = condition('#a AND')
  assert.equal(wrong.length, 1)
  assert.ok(wrong[0]!.startsWith(`${at}/transitions/0/condition: `), wrong[0])
  assert.deepEqual(condition({ expressions: '#a', alarmText: 'x' }), [
    `${at}/transitions/0/condition/alarmText: a transition has none`,
  ])
  assert.deepEqual(condition(['TrCoil() := #a;', 'TrCoil() := #b;']), [
    `${at}/transitions/0/condition: ends in one TrCoil`,
  ])
  const before = faultsOf({
    ...graph({ steps: two, transitions: ways }),
    chart: { before: [{ language: 'SCL', code: '#a := 1;' }], sequences: [{ steps: two, transitions: ways }] },
  })
  assert.equal(before.length, 1)
  assert.match(before[0]!, /^\/chart\/before\/0/)
})

test('a sequence has its numbers, initial step, times and actions', () => {
  const { object } = generateObject(
    graph(
      {
        steps: [
          { name: 'Fill', maximumTime: 'T#5S', actions: ['N #motor', 'S1 SC "x"', 'D #lamp, T#5s', 'S0 #n := 5;'] },
          { name: 'Empty', number: 1, initial: true, warningTime: 'T#1S' },
          { name: 'Third' },
        ],
        transitions: [
          { name: 'a', from: 'Empty', to: 'Fill', condition: '#go' },
          { name: 'b', number: 1, from: 'Fill', to: 'Third' },
          { name: 'c', from: 'third' },
        ],
      },
      { interface: [{ section: 'Input', members: [{ name: 'go', dataType: 'Bool' }] }] },
    ),
    { version: 'V19' },
  )
  const chart = object.networks[0]!.chart!
  const [sequence] = chart.sequences
  assert.deepEqual(
    sequence!.steps.map(({ number, name, isInitial, maximumTime, warningTime }) => [
      number,
      name,
      isInitial,
      maximumTime,
      warningTime,
    ]),
    [
      [2, 'Fill', false, 'T#5S', 'T#7S'],
      [1, 'Empty', true, 'T#10S', 'T#1S'],
      [3, 'Third', false, 'T#10S', 'T#7S'],
    ],
  )
  assert.deepEqual(
    sequence!.steps[0]!.actions.map(({ qualifier, event, needsInterlock, text, operands }) => [
      qualifier,
      event,
      needsInterlock,
      text,
      operands.length,
    ]),
    [
      ['N', '', false, '#motor', 1],
      ['S', 'S1', true, '"x"', 1],
      ['D', '', false, '#lamp, T#5s', 2],
      ['', 'S0', false, '#n := 5;', 2],
      ['', '', false, '', 0],
    ],
  )
  assert.deepEqual(
    sequence!.transitions.map(({ number, name, graph: drawn }) => [number, name, drawn?.nodes.length]),
    [
      [2, 'a', 3],
      [1, 'b', 1],
      [3, 'c', 1],
    ],
  )
  assert.deepEqual([chart.before.length, chart.after.length], [1, 1])
})

test('faults of a block: fields of other kinds, languages, sections and attributes', () => {
  const cases: readonly (readonly [spec: BlockSpecification, ...expected: readonly string[]])[] = [
    [
      { kind: 'UDT', name: 'U', number: 5, code: ';' },
      '/number: a UDT has none; it belongs to OB, FB, FC, GlobalDB, InstanceDB, ArrayDB',
      '/code: a UDT has none; it belongs to OB, FB, FC',
    ],
    [{ kind: 'FC', name: 'F', eventClass: 'ProgramCycle' }, '/eventClass: a FC has none; it belongs to OB'],
    [
      { kind: 'InstanceDB', name: 'D' },
      '/instanceOf: an instance data block needs the FB or type it is an instance of',
    ],
    [{ kind: 'ArrayDB', name: 'A', dataType: 'Int' }, '/dataType: an ArrayDB needs its array, e.g. Array[0..9] of Int'],
    [
      { kind: 'FC', name: 'F', language: 'GRAPH' },
      '/language: GRAPH is for function blocks; this is a FC',
      '/chart: a GRAPH block needs its sequences',
    ],
    [
      { ...graph({ steps: two, transitions: ways }), language: 'LAD' },
      '/chart: a block in LAD has none; it belongs to GRAPH',
    ],
    [{ ...graph({ steps: two, transitions: ways }), code: ';' }, '/code: a GRAPH block has its chart only'],
    [{ ...graph({ steps: two, transitions: ways }), networks: [] }, '/networks: a GRAPH block has its chart only'],
    [{ kind: 'FC', name: 'F', code: ';', networks: [] }, '/code: give code or networks, not both'],
    [
      { kind: 'FC', name: 'F', networks: [{ code: ';' }, { code: ';' }] },
      '/networks: an SCL block has one network; a LAD or FBD block can have several in SCL',
    ],
    [
      { kind: 'FC', name: 'F', interface: [{ section: 'Static', members: [] }] },
      '/interface: a FC has no section Static; it has Input, Output, InOut, Temp, Constant, Return',
    ],
    [
      { kind: 'FC', name: 'F', attributes: { Name: 'x', 'a b': '1', SetENOAutomatically: true } },
      '/attributes/Name: is what the field name says',
      '/attributes/a b: is no name of an attribute',
    ],
  ]
  for (const [spec, ...expected] of cases) assert.deepEqual(faultsOf(spec), expected, JSON.stringify(spec))
})

test('faults of members', () => {
  const of = (...members: readonly MemberSpecification[]) =>
    faultsOf({ kind: 'FB', name: 'F', interface: [{ section: 'Static', members }] }).map((one) =>
      one.replace('/interface/0/members/', ''),
    )
  const int = { name: 'a', dataType: 'Int' }
  const nested = (depth: number): MemberSpecification =>
    depth === 0 ? int : { name: 'a', dataType: 'Struct', members: [nested(depth - 1)] }
  assert.deepEqual(of(int, { ...int, name: 'A' }), ['1/name: "A" is declared twice'])
  assert.deepEqual(of({ ...int, dataType: 'Int; b : Int' }), ['0/dataType: "Int; b : Int" is no data type'])
  for (const startValue of ['', ' ', '1; 2', '1 // x', "'x", '1 (* y *)'])
    assert.deepEqual(of({ ...int, startValue }), [`0/startValue: ${JSON.stringify(startValue)} is no start value`])
  assert.deepEqual(of({ ...int, startValue: '16#FF', startValueConstant: 'x' }), [])
  assert.deepEqual(of({ ...int, startValueConstant: 'x' }), [
    '0/startValueConstant: needs the value of the constant in startValue',
  ])
  assert.deepEqual(of({ ...int, members: [{ name: 'b', dataType: 'Int' }] }), [
    '0/members: a member of type Int has none; they belong to a Struct',
  ])
  assert.deepEqual(of({ ...int, members: [] }), [])
  assert.deepEqual(
    of({
      name: 'l',
      dataType: 'Array[0..1] of Int',
      elements: [{ path: '1', startValue: '5' }, { path: 'x', startValue: ';' }, { path: '1,2;-3' }],
    }),
    ['0/elements/1/startValue: ";" is no start value', '0/elements/1/path: "x" is no index; an index is 1, 0,2 or 1;0'],
  )
  assert.deepEqual(of(nested(32)), [])
  assert.match(of(nested(33))[0] ?? '', /structures are nested deeper than 32 levels$/)
  assert.match(
    faultsOf({ kind: 'FB', name: 'F', interface: [{ section: 'Statik', members: [] }] })[0] ?? '',
    /^\/interface\/0\/section: "Statik" is no section; allowed: /,
  )
})
