/** The JSON Schema of specifications of blocks, as clients send them. */

import type { SchemaBuilder } from '../../core/index.ts'
import { specifiedKinds } from '../../plc/generate/specification.ts'

const text = (t: SchemaBuilder, description = 'Text of the project language, or texts by culture: { "en-US": "…" }.') =>
  t.Optional(t.Union([t.String(), t.Record(t.String(), t.String())], { description }))
const line = (t: SchemaBuilder, description: string) => t.Optional(t.String({ description }))
const names = (t: SchemaBuilder, description: string) =>
  t.Optional(t.Union([t.String(), t.Array(t.String())], { description }))

/** A member. Nested members have the same fields; `nested.ts` checks them. */
export const memberFields = (t: SchemaBuilder) => ({
  name: t.String({ minLength: 1, maxLength: 200 }),
  dataType: t.String({ minLength: 1, description: 'Bool, Array[0..9] of "UDT_Motor", Struct, TON_TIME …' }),
  version: line(t, 'Of a system type: 1.0.'),
  startValue: line(t, 'FALSE, 5, T#5s, 16#FF …'),
  startValueConstant: line(t, 'Name of the constant that startValue is of.'),
  comment: text(t),
  remanence: t.Optional(t.Enum(['NonRetain', 'Retain', 'SetInIDB'])),
  accessibility: line(t, 'Public, Private …'),
  attributes: t.Optional(
    t.Record(t.String(), t.Any(), {
      description: 'ExternalAccessible, ExternalVisible, ExternalWritable, SetPoint …: true, false, a number or text.',
    }),
  ),
  members: t.Optional(t.Array(t.Any(), { description: 'Members of a Struct, each as this one.' })),
  elements: t.Optional(
    t.Array(t.Object({ path: t.String(), startValue: line(t, 'Value of the element.'), comment: text(t) }), {
      description: 'Start values and comments of elements of an array; path is 1, 0,2 or 1;0 (nested).',
    }),
  ),
  typeMembers: t.Optional(
    t.Array(t.Any(), {
      description: 'Start values of its own in a member of a PLC data type or FB: sections { section, members } of it.',
    }),
  ),
})

/** Sections `{ section, members }`, or members with their section each, as the content of a block shows them. */
const sections = (t: SchemaBuilder) => {
  const { members: _members, ...fields } = memberFields(t)
  return t.Optional(
    t.Array(
      t.Object({
        section: t.Optional(
          t.String({
            description:
              'Input, Output, InOut, Static, Temp, Constant, Return. Not needed in a type (None) and a data block (Static).',
          }),
        ),
        ...fields,
        name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'Of a member; a section has none.' })),
        dataType: t.Optional(fields.dataType),
        members: t.Optional(t.Array(t.Object(memberFields(t)), { description: 'Of the section, or of a Struct.' })),
      }),
    ),
  )
}

const expressions = (t: SchemaBuilder) =>
  names(
    t,
    'LAD, FBD: the network as text: `#run := (#start OR #run) AND NOT #stop`, `S(#x) := #a`, `#late := #tmr.TON(IN := #a, PT := T#5s).Q`, `"Motor_DB"."FB_Motor"(on := #on)`.',
  )
const graph = (t: SchemaBuilder) =>
  t.Optional(t.Any({ description: 'LAD, FBD: elements and wires { labels, nodes, wires }, as `content` shows them.' }))

const network = (t: SchemaBuilder) =>
  t.Object({
    language: line(t, 'LAD, FBD, SCL or STL. Default: that of the block.'),
    title: text(t),
    comment: text(t),
    expressions: expressions(t),
    graph: graph(t),
    code: line(t, 'SCL, STL: statements.'),
    xml: line(t, 'What is in NetworkSource: `<FlgNet …>` …'),
  })

const condition = (t: SchemaBuilder, description: string) =>
  t.Optional(
    t.Union(
      [
        t.String(),
        t.Array(t.String()),
        t.Object({
          language: t.Optional(t.Enum(['LAD', 'FBD'])),
          expressions: expressions(t),
          graph: graph(t),
          alarmText: text(t),
        }),
      ],
      { description },
    ),
  )

const actions = (t: SchemaBuilder) =>
  t.Optional(
    t.Array(
      t.Union([
        t.String(),
        t.Object({
          event: line(t, 'S1, S0, V1, V0, L1, L0, A1, R1.'),
          qualifier: line(t, 'N, S, R, D, L, CD, CR, CS, CU, ON, OFF, TD, TF, TL, TR.'),
          needsInterlock: t.Optional(t.Boolean()),
          text: t.String({ description: 'The operand, assignment or call: #motor, `#lamp, T#5s`.' }),
        }),
      ]),
      { description: 'As text `N #motor`, `NC #valve` (needs the interlock), `S1 S #done`, `D #lamp, T#5s`.' },
    ),
  )

const steps = (t: SchemaBuilder) =>
  t.Array(
    t.Object({
      number: t.Optional(t.Integer({ minimum: 1, maximum: 32_767 })),
      name: t.String({ minLength: 1, maxLength: 125 }),
      initial: t.Optional(t.Boolean({ description: 'Default: the first step of the sequence.' })),
      maximumTime: line(t, 'Default T#10S.'),
      warningTime: line(t, 'Default T#7S.'),
      comment: text(t),
      actions: actions(t),
      interlock: condition(t, 'What the actions with a C need. Default: always true.'),
      supervision: condition(t, 'The fault that holds the step. Default: none.'),
    }),
    { minItems: 1 },
  )

const transitions = (t: SchemaBuilder) =>
  t.Array(
    t.Object({
      number: t.Optional(t.Integer({ minimum: 1, maximum: 32_767 })),
      name: t.String({ minLength: 1, maxLength: 125 }),
      comment: text(t),
      condition: condition(t, 'Default: always true.'),
      from: names(t, 'The step it leaves; several join simultaneous branches.'),
      to: names(t, 'The step that follows; several open simultaneous branches; none is the end.'),
      jump: t.Optional(t.Boolean({ description: 'Draw the way as a jump. Ways back always are.' })),
    }),
  )

/** Steps and transitions of one sequence. */
const sequenceFields = (t: SchemaBuilder) => ({
  steps: steps(t),
  transitions: t.Optional(transitions(t)),
})

const chart = (t: SchemaBuilder) =>
  t.Object({
    before: t.Optional(t.Array(network(t), { description: 'Permanent instructions before the sequences.' })),
    sequences: t.Array(
      t.Object({
        title: text(t),
        comment: text(t),
        ...sequenceFields(t),
        branches: t.Optional(
          t.Array(
            t.Object({
              number: t.Integer({ minimum: 1 }),
              type: t.Enum(['SimBegin', 'SimEnd', 'AltBegin', 'AltEnd']),
              cardinality: t.Integer({ minimum: 1 }),
            }),
            { description: 'With connections.' },
          ),
        ),
        connections: t.Optional(
          t.Array(t.Object({ from: t.String(), to: t.String(), jump: t.Optional(t.Boolean()) }), {
            description:
              'Instead of from and to of the transitions: S1 (step), T1 (transition), B1.0 (way of branch), END.',
          }),
        ),
      }),
      { minItems: 1 },
    ),
    after: t.Optional(t.Array(network(t), { description: 'Permanent instructions after the sequences.' })),
  })

const headerFields = (t: SchemaBuilder) => ({
  name: t.String({ minLength: 1, maxLength: 200 }),
  number: t.Optional(t.Integer({ minimum: 1, maximum: 65_535, description: 'Default: a free one.' })),
  title: text(t),
  comment: text(t),
  author: line(t, 'Of the header.'),
  family: line(t, 'Of the header.'),
  userId: line(t, 'User-defined id of the header.'),
  version: line(t, '0.1 by default.'),
  memoryLayout: t.Optional(t.Enum(['Optimized', 'Standard'])),
  attributes: t.Optional(
    t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]), {
      description: 'Further attributes as SimaticML names them: AutoNumber, IsIECCheckEnabled, LibraryType …',
    }),
  ),
  interface: sections(t),
})

/** A block or type. */
export const specificationSchema = (t: SchemaBuilder) =>
  t.Object({
    kind: t.Enum([...specifiedKinds], { description: 'DB: a global data block, with instanceOf an instance.' }),
    ...headerFields(t),
    language: line(t, 'LAD, FBD, SCL (default), STL or GRAPH.'),
    eventClass: line(t, 'Of an OB: Startup, CyclicInterrupt … Default: by its number.'),
    instanceOf: line(t, 'FB, PLC data type or system type of an instance data block.'),
    dataType: line(t, 'Of an ArrayDB: Array[0..9] of Int.'),
    code: line(t, 'SCL or STL statements, instead of networks.'),
    networks: t.Optional(t.Array(network(t))),
    chart: t.Optional(chart(t)),
  })

/** A GRAPH function block: a chart, or the steps and transitions of its one sequence. */
export const graphSchema = (t: SchemaBuilder) =>
  t.Object({
    ...headerFields(t),
    chart: t.Optional(chart(t)),
    steps: t.Optional(steps(t)),
    transitions: t.Optional(transitions(t)),
  })

const motor = {
  kind: 'FB',
  name: 'FB_Starter',
  language: 'LAD',
  title: { 'en-US': 'Starter of a motor', 'de-DE': 'Starter eines Motors' },
  interface: [
    {
      section: 'Input',
      members: [
        { name: 'start', dataType: 'Bool', comment: 'push button' },
        { name: 'stop', dataType: 'Bool' },
      ],
    },
    { section: 'Output', members: [{ name: 'run', dataType: 'Bool' }] },
  ],
  networks: [{ title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' }],
}

const sequence = {
  name: 'FB_Filling',
  interface: [
    {
      section: 'Input',
      members: [
        { name: 'start', dataType: 'Bool' },
        { name: 'full', dataType: 'Bool' },
      ],
    },
    { section: 'Output', members: [{ name: 'valve', dataType: 'Bool' }] },
  ],
  steps: [
    { name: 'Idle', initial: true },
    { name: 'Fill', maximumTime: 'T#60S', actions: ['NC #valve'], interlock: 'NOT #full' },
  ],
  transitions: [
    { name: 'toFill', from: 'Idle', to: 'Fill', condition: '#start AND NOT #full' },
    { name: 'toIdle', from: 'Fill', to: 'Idle', condition: '#full' },
  ],
}

/** What clients can begin with: each is generated and compiled in a test. */
export const examples = {
  ladder: motor,
  scl: {
    kind: 'FC',
    name: 'FC_Scale',
    interface: [
      { section: 'Input', members: [{ name: 'raw', dataType: 'Int' }] },
      { section: 'Return', members: [{ name: 'Ret_Val', dataType: 'Real' }] },
    ],
    code: '#FC_Scale := INT_TO_REAL(#raw) / 276.48;',
  },
  stl: {
    kind: 'FC',
    name: 'FC_Lamp',
    language: 'STL',
    interface: [
      { section: 'Input', members: [{ name: 'on', dataType: 'Bool' }] },
      { section: 'Output', members: [{ name: 'lamp', dataType: 'Bool' }] },
    ],
    networks: [{ title: 'Lamp', code: 'A #on;\n= #lamp;' }],
  },
  elementsAndWires: {
    kind: 'FC',
    name: 'FC_Contact',
    language: 'LAD',
    interface: [
      { section: 'Input', members: [{ name: 'a', dataType: 'Bool' }] },
      { section: 'Output', members: [{ name: 'b', dataType: 'Bool' }] },
    ],
    networks: [
      {
        graph: {
          nodes: [
            { kind: 'operand', uId: 21, operand: '#a' },
            { kind: 'operand', uId: 22, operand: '#b' },
            { kind: 'part', uId: 23, name: 'Contact' },
            { kind: 'part', uId: 24, name: 'Coil' },
          ],
          wires: [
            { ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 23, pin: 'in' }] },
            {
              ends: [
                { kind: 'operand', uId: 21 },
                { kind: 'pin', uId: 23, pin: 'operand' },
              ],
            },
            {
              ends: [
                { kind: 'pin', uId: 23, pin: 'out' },
                { kind: 'pin', uId: 24, pin: 'in' },
              ],
            },
            {
              ends: [
                { kind: 'operand', uId: 22 },
                { kind: 'pin', uId: 24, pin: 'operand' },
              ],
            },
          ],
        },
      },
    ],
  },
  type: {
    kind: 'UDT',
    name: 'UDT_Motor',
    interface: [
      {
        section: 'None',
        members: [
          { name: 'run', dataType: 'Bool' },
          { name: 'speed', dataType: 'Real', startValue: '50.0' },
        ],
      },
    ],
  },
  dataBlock: {
    kind: 'DB',
    name: 'DB_Settings',
    interface: [
      {
        section: 'Static',
        members: [
          {
            name: 'limits',
            dataType: 'Array[0..2] of Int',
            elements: [{ path: '1', startValue: '50', comment: 'warning' }],
          },
          {
            name: 'mixer',
            dataType: 'Struct',
            members: [{ name: 'time', dataType: 'Time', startValue: 'T#5s', remanence: 'Retain' }],
          },
        ],
      },
    ],
  },
  sequence: {
    kind: 'FB',
    language: 'GRAPH',
    name: sequence.name,
    interface: sequence.interface,
    chart: { sequences: [{ steps: sequence.steps, transitions: sequence.transitions }] },
  },
} as const

/** The example of the operations on GRAPH blocks. */
export const graphExample = sequence
export const blockExample = motor
