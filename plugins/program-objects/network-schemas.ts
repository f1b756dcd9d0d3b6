/** Schemas of the networks of blocks as answers show them: the model of `plc/model/` as it is. */
import type { SchemaBuilder, TSchema } from '../../core/index.ts'

const texts = (t: SchemaBuilder) => t.Record(t.String(), t.String(), { description: 'By culture: en-US.' })

/** What the model does not interpret, kept as XML. */
const kept = (t: SchemaBuilder) =>
  t.Optional(
    t.Named('KeptXml', (self) =>
      t.Object({
        attributes: t.Optional(t.Record(t.String(), t.String())),
        elements: t.Optional(t.Array(t.Object({ at: t.Integer(), xml: t.String() }))),
        outer: t.Optional(self),
        inner: t.Optional(t.Record(t.String(), self)),
      }),
    ),
  )

/** @param index schema of an index: an operand, which has such components itself */
const pathComponent = (t: SchemaBuilder, index: TSchema) =>
  t.Named('PathComponent', () =>
    t.Object({
      name: t.String(),
      indices: t.Optional(t.Array(index, { description: 'One for each dimension of an array element.' })),
      slice: t.Optional(t.String({ description: 'Part of the operand: x7, b0, w1, d0, dbw4.' })),
      access: t.Optional(t.Enum(['Periphery', 'QualityInformation'])),
      kept: kept(t),
    }),
  )

const symbolScope = (t: SchemaBuilder) => t.Enum(['GlobalVariable', 'LocalVariable', 'Undef', 'PredefinedVariable'])

const operand = (t: SchemaBuilder) =>
  t.Named('Operand', (self) =>
    t.Union([
      t.Object({
        kind: t.Literal('symbol'),
        scope: symbolScope(t),
        path: t.Array(pathComponent(t, self)),
        kept: kept(t),
      }),
      t.Object({
        kind: t.Literal('literal'),
        scope: t.Enum(['LiteralConstant', 'TypedConstant', 'AddressConstant', 'AlarmConstant']),
        value: t.String(),
        type: t.Optional(t.String()),
        kept: kept(t),
      }),
      t.Object({
        kind: t.Literal('constant'),
        scope: t.Enum(['GlobalConstant', 'LocalConstant', 'NamedValueConstant']),
        name: t.String(),
        kept: kept(t),
      }),
      t.Object({
        kind: t.Literal('address'),
        area: t.String({ description: 'Input, Output, Memory, DB, Timer …' }),
        type: t.String(),
        blockNumber: t.Optional(t.Integer()),
        bitOffset: t.Optional(t.Integer({ description: 'Byte * 8 + bit; the number of timers, counters and blocks.' })),
        kept: kept(t),
      }),
      t.Object({
        kind: t.Literal('indirect'),
        width: t.Enum(['Bit', 'Byte', 'Word', 'Double', 'Long', 'None']),
        area: t.Optional(t.String()),
        register: t.Optional(t.Enum(['AR1', 'AR2'])),
        bitOffset: t.Optional(t.Integer()),
        pointer: t.Optional(self),
        kept: kept(t),
      }),
      t.Object({ kind: t.Literal('label'), name: t.String(), kept: kept(t) }),
      t.Object({ kind: t.Literal('status'), name: t.String(), kept: kept(t) }),
      t.Object({ kind: t.Literal('other'), scope: t.String(), text: t.String(), xml: t.String() }),
    ]),
  )

const instance = (t: SchemaBuilder) =>
  t.Optional(
    t.Named('NetworkInstance', () =>
      t.Object({
        uId: t.Optional(t.Integer()),
        scope: symbolScope(t),
        path: t.Array(pathComponent(t, operand(t))),
        kept: kept(t),
      }),
    ),
  )

const template = (t: SchemaBuilder) =>
  t.Named('TemplateValue', () =>
    t.Object({
      name: t.String(),
      type: t.String({ description: 'Cardinality, Type, Operation.' }),
      value: t.String(),
    }),
  )

const boxFields = (t: SchemaBuilder) => ({
  uId: t.Integer(),
  negated: t.Array(t.String(), { description: 'Pins that are negated.' }),
  invisible: t.Array(t.String(), { description: 'Pins that are not shown.' }),
  comment: t.Optional(texts(t)),
  kept: kept(t),
})

const networkNode = (t: SchemaBuilder) =>
  t.Named('NetworkNode', () =>
    t.Union([
      t.Object({ kind: t.Literal('operand'), uId: t.Integer(), operand: operand(t) }),
      t.Object({
        ...boxFields(t),
        kind: t.Literal('part'),
        name: t.String({ description: 'Contact, Coil, TON …' }),
        version: t.Optional(t.String()),
        disabledEno: t.Optional(t.Boolean()),
        equation: t.Optional(t.String()),
        instance: instance(t),
        templates: t.Array(template(t)),
        automaticTyped: t.Array(t.String()),
      }),
      t.Object({
        ...boxFields(t),
        kind: t.Literal('call'),
        name: t.String({ description: 'Of the block.' }),
        blockType: t.String(),
        blockNumber: t.Optional(t.Integer()),
        instance: instance(t),
        parameters: t.Array(
          t.Object({
            name: t.String(),
            section: t.Optional(t.String()),
            type: t.Optional(t.String()),
            kept: kept(t),
          }),
        ),
      }),
    ]),
  )

const wireEnd = (t: SchemaBuilder) =>
  t.Named('WireEnd', () =>
    t.Union([
      t.Object({ kind: t.Literal('powerrail') }),
      t.Object({ kind: t.Literal('pin'), uId: t.Integer(), pin: t.String() }),
      t.Object({ kind: t.Literal('operand'), uId: t.Integer() }),
      t.Object({ kind: t.Literal('open'), uId: t.Integer() }),
      t.Object({ kind: t.Literal('openbranch') }),
    ]),
  )

/** A network of LAD or FBD: operands, instructions and calls with the wires between them. */
export const networkGraph = (t: SchemaBuilder) =>
  t.Named('NetworkGraph', () =>
    t.Object({
      labels: t.Array(
        t.Object({
          uId: t.Optional(t.Integer()),
          name: t.String(),
          comment: t.Optional(texts(t)),
          kept: kept(t),
        }),
      ),
      nodes: t.Array(networkNode(t)),
      wires: t.Array(
        t.Named('Wire', () =>
          t.Object({
            uId: t.Integer(),
            ends: t.Array(wireEnd(t), { description: 'The source, then its sinks.' }),
            kept: kept(t),
          }),
        ),
      ),
      kept: kept(t),
    }),
  )

/** One line of a statement list. */
export const statement = (t: SchemaBuilder) =>
  t.Named('Statement', () =>
    t.Object({
      label: t.Optional(t.String()),
      mnemonic: t.String({ description: 'A, AN(, =, L, CALL; empty for a comment alone.' }),
      operand: t.Optional(operand(t)),
      call: t.Optional(
        t.Object({
          target: t.Enum(['block', 'instruction', 'multiInstance']),
          name: t.String(),
          blockType: t.Optional(t.String()),
          blockNumber: t.Optional(t.Integer()),
          version: t.Optional(t.String()),
          instance: instance(t),
          templates: t.Optional(t.Array(template(t))),
          parameters: t.Array(t.Object({ name: t.String(), value: t.Optional(operand(t)), kept: kept(t) })),
          kept: kept(t),
        }),
      ),
      comment: t.Optional(t.String()),
      kept: kept(t),
    }),
  )

const conditionFields = (t: SchemaBuilder) => ({
  language: t.String(),
  graph: t.Optional(networkGraph(t)),
  alarmText: t.Optional(texts(t)),
  kept: kept(t),
})

const condition = (t: SchemaBuilder) => t.Optional(t.Named('StepCondition', () => t.Object(conditionFields(t))))

const permanent = (t: SchemaBuilder) =>
  t.Named('PermanentOperation', () =>
    t.Object({
      title: texts(t),
      comment: texts(t),
      language: t.String(),
      graph: t.Optional(networkGraph(t)),
      statements: t.Optional(t.Array(statement(t))),
      text: t.Optional(t.String()),
      kept: kept(t),
    }),
  )

const step = (t: SchemaBuilder) =>
  t.Named('SequenceStep', () =>
    t.Object({
      number: t.Integer(),
      name: t.String(),
      isInitial: t.Boolean(),
      maximumTime: t.Optional(t.String({ description: 'T#10S.' })),
      warningTime: t.Optional(t.String()),
      comment: texts(t),
      actions: t.Array(
        t.Object({
          qualifier: t.String({ description: 'N S R D L CD CR CS CU ON OFF TD TF TL TR; empty for none.' }),
          event: t.String({ description: 'S1 S0 V1 V0 L1 L0 A1 R1; empty for none.' }),
          needsInterlock: t.Boolean(),
          text: t.String(),
          operands: t.Array(operand(t)),
          kept: kept(t),
        }),
      ),
      supervision: condition(t),
      interlock: condition(t),
      kept: kept(t),
    }),
  )

const sequenceNode = (t: SchemaBuilder) =>
  t.Named('SequenceNode', () =>
    t.Union([
      t.Object({ kind: t.Literal('step'), number: t.Integer() }),
      t.Object({ kind: t.Literal('transition'), number: t.Integer() }),
      t.Object({
        kind: t.Literal('branch'),
        number: t.Integer(),
        in: t.Optional(t.Integer()),
        out: t.Optional(t.Integer()),
      }),
      t.Object({ kind: t.Literal('end') }),
    ]),
  )

const sequence = (t: SchemaBuilder) =>
  t.Named('Sequence', () =>
    t.Object({
      title: texts(t),
      comment: texts(t),
      steps: t.Array(step(t)),
      transitions: t.Array(
        t.Object({ ...conditionFields(t), number: t.Integer(), name: t.String(), comment: texts(t) }),
      ),
      branches: t.Array(
        t.Object({
          number: t.Integer(),
          type: t.Enum(['SimBegin', 'SimEnd', 'AltBegin', 'AltEnd']),
          cardinality: t.Integer(),
          kept: kept(t),
        }),
      ),
      connections: t.Array(
        t.Object({
          from: sequenceNode(t),
          to: sequenceNode(t),
          link: t.Enum(['Direct', 'Jump']),
          kept: kept(t),
        }),
      ),
      kept: kept(t),
    }),
  )

/** The sequences of a GRAPH block, with what is always executed before and after them. */
const chart = (t: SchemaBuilder) =>
  t.Named('SequenceChart', () =>
    t.Object({
      before: t.Array(permanent(t)),
      sequences: t.Array(sequence(t)),
      after: t.Array(permanent(t)),
      kept: kept(t),
    }),
  )

/** An element of a network as a list of parts shows it. */
const networkElement = (t: SchemaBuilder) =>
  t.Named('NetworkElement', () =>
    t.Object({
      uId: t.Integer(),
      type: t.String({ description: 'Contact, Coil, TON …, Call, Step, Transition.' }),
      signal: t.Optional(t.String({ description: 'The operand, or the instance.' })),
      negated: t.Boolean(),
      isGlobal: t.Boolean({ description: 'Whether the signal is a tag or in a data block.' }),
      blockName: t.Optional(t.String({ description: 'Of a call.' })),
      address: t.Optional(t.String()),
      version: t.Optional(t.String()),
      templates: t.Optional(t.Record(t.String(), t.String())),
      parameters: t.Array(
        t.Object({
          name: t.String(),
          section: t.Optional(t.String()),
          type: t.Optional(t.String()),
          value: t.Optional(t.String()),
          negated: t.Optional(t.Boolean()),
        }),
      ),
    }),
  )

/** A network of a block in a content answer. */
export const contentNetwork = (t: SchemaBuilder) =>
  t.Named('ContentNetwork', () =>
    t.Object({
      number: t.Integer(),
      title: t.Optional(t.String()),
      comment: t.Optional(t.String()),
      language: t.String(),
      parts: t.Optional(t.Array(networkElement(t), { description: 'Elements of LAD, FBD and GRAPH.' })),
      text: t.Optional(t.String({ description: 'Statements of SCL and STL networks; in the view "text" of all.' })),
      expression: t.Optional(
        t.String({
          description:
            'A LAD or FBD network as structured text: `#run := (#start OR #run) AND NOT #stop;`. It can be sent back as `expressions`.',
        }),
      ),
      graph: t.Optional(networkGraph(t)),
      statements: t.Optional(t.Array(statement(t), { description: 'Of an STL network.' })),
      chart: t.Optional(chart(t)),
    }),
  )
