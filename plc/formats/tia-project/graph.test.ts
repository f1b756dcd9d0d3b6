import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InterfaceMember } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { parseXml } from '../simaticml/xml.ts'
import { type GraphUnit, readSequenceProgram } from './graph.ts'
import type { Identifiers } from './identifiers.ts'

const local = (...names: string[]): Operand => ({
  kind: 'symbol',
  scope: 'LocalVariable',
  path: names.map((name) => ({ name })),
})
const operands: Readonly<Record<string, Operand>> = {
  1: local('Fill'),
  2: local('Full'),
  3: local('Empty'),
  4: local('Done'),
  5: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Valve' }] },
  6: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Level' }] },
}
const identifiers = {
  operand: (id: string | undefined) => operands[id ?? ''],
  kind: () => undefined,
} as unknown as Identifiers

const member = (name: string, values: Readonly<Record<string, string>>): InterfaceMember => ({
  name,
  dataType: 'G7_StepPlus_V6',
  comment: {},
  attributes: [],
  members: [],
  sections: [
    {
      section: 'None',
      members: Object.entries(values).map(([inner, startValue]) => ({
        name: inner,
        dataType: 'Int',
        startValue,
        comment: {},
        attributes: [],
        members: [],
      })),
    },
  ],
})
const sections = [
  {
    section: 'Static' as const,
    members: [
      member('Fill', { SNO: '10', T_MAX: 'T#5S', T_WARN: 'T#3S' }),
      member('Empty', { SNO: '20' }),
      member('Full', { TNO: '7' }),
      member('Done', { TNO: '8' }),
    ],
  },
]

const unit = (context: string, xml: string): GraphUnit => ({ context, language: 'LAD', root: parseXml(xml) })
const structure = (inside: string) =>
  unit(
    'GraphSequence',
    `<GraphStructure><Sequence><Steps><Step UId="1" RefId="1" Init="true"/><Step UId="2" RefId="3"/></Steps>
     <Transitions><Transition UId="3" RefId="2"/><Transition UId="4" RefId="4"/></Transitions>${inside}</Sequence></GraphStructure>`,
  )
const connections = `<Branches/><Structure>
  <Connection><StepRef No="1"/><TransitionRef No="1"/></Connection>
  <Connection><TransitionRef No="1"/><StepRef No="2"/></Connection>
  <Connection><StepRef No="2"/><TransitionRef No="2"/></Connection>
  <Connection><TransitionRef No="2"/><StepRef No="1" LinkType="Jump"/></Connection></Structure>`
const units = [
  structure(connections),
  unit(
    'Transition',
    `<FlgNet RefId="2"><Parts><Part UId="21" Gate="Contact"/><Part UId="22" Gate="TrCoil"/><ORef UId="23" RefId="6"/></Parts>
     <Wires><Wire UId="24"><Powerrail/><PCon UId="21" PinName="in"/></Wire>
     <Wire UId="25"><OCon UId="23"/><PCon UId="21" PinName="operand"/></Wire>
     <Wire UId="26"><PCon UId="21" PinName="out"/><PCon UId="22" PinName="in"/></Wire></Wires></FlgNet>`,
  ),
  unit('Transition', '<FlgNet RefId="4"><Parts><Part UId="21" Gate="TrCoil"/></Parts><Wires/></FlgNet>'),
  unit(
    'Actions',
    `<Actions RefId="1"><Action Event="S1" Interlock="true"><Operator Operation="N"/><OpdAccess RefId="5" UId="1"/>
     <Token Text="&#xA;"/></Action><Action Event="" Interlock="false"><Operator Operation=""/></Action></Actions>`,
  ),
  unit('Interlock', '<FlgNet RefId="1"><Parts><Part UId="21" Gate="IlCoil"/></Parts><Wires/></FlgNet>'),
  { context: 'PreOperation', language: 'LAD', root: undefined },
]
const read = (list: readonly GraphUnit[]) =>
  readSequenceProgram(list, { identifiers, versionOf: () => undefined, sections })

test('a sequence has its steps, transitions, conditions, actions and connections, with the numbers of its data', () => {
  const { program, problems } = read(units)
  assert.deepEqual(problems, [])
  const [sequence] = program.sequences
  assert.deepEqual(
    sequence?.steps.map(({ number, name, isInitial, maximumTime, warningTime }) => [
      number,
      name,
      isInitial,
      maximumTime,
      warningTime,
    ]),
    [
      [10, 'Fill', true, 'T#5S', 'T#3S'],
      [20, 'Empty', false, undefined, undefined],
    ],
  )
  assert.deepEqual(
    sequence?.steps[0]?.actions.map(({ qualifier, event, needsInterlock, text }) => [
      qualifier,
      event,
      needsInterlock,
      text,
    ]),
    [
      ['N', 'S1', true, '"Valve"'],
      ['', '', false, ''],
    ],
  )
  assert.equal(sequence?.steps[0]?.interlock?.graph?.nodes.length, 1)
  assert.equal(sequence?.steps[0]?.supervision, undefined)
  assert.deepEqual(
    sequence?.transitions.map(({ number, name, graph }) => [number, name, graph?.nodes.length]),
    [
      [7, 'Full', 3],
      [8, 'Done', 1],
    ],
  )
  assert.deepEqual(
    sequence?.connections.map(({ from, to, link }) => [from, to, link]),
    [
      [{ kind: 'step', number: 10 }, { kind: 'transition', number: 7 }, 'Direct'],
      [{ kind: 'transition', number: 7 }, { kind: 'step', number: 20 }, 'Direct'],
      [{ kind: 'step', number: 20 }, { kind: 'transition', number: 8 }, 'Direct'],
      [{ kind: 'transition', number: 8 }, { kind: 'step', number: 10 }, 'Jump'],
    ],
  )
  assert.equal(program.before.length, 1)
})

test('an alternative branch has its number and cardinality, and its connections their places at it', () => {
  const alternative = `<Branches><Branch No="1" Type="AltBegin" Cardinality="2"/></Branches><Structure>
    <Connection><StepRef No="1"/><BranchRef No="1" In="0"/></Connection>
    <Connection><BranchRef No="1" Out="1"/><TransitionRef No="2"/></Connection>
    <Connection><BranchRef No="1" Out="0"/><TransitionRef No="1"/></Connection>
    <Connection><TransitionRef No="1"/><StepRef No="2"/></Connection>
    <Connection><TransitionRef No="2"/><End/></Connection></Structure>`
  const [sequence] = read([structure(alternative), ...units.slice(1)]).program.sequences
  assert.deepEqual(sequence?.branches, [{ number: 1, type: 'AltBegin', cardinality: 2 }])
  assert.deepEqual(
    sequence?.connections.map(({ from, to }) => [from, to]),
    [
      [
        { kind: 'step', number: 10 },
        { kind: 'branch', number: 1, in: 0 },
      ],
      [
        { kind: 'branch', number: 1, out: 1 },
        { kind: 'transition', number: 8 },
      ],
      [
        { kind: 'branch', number: 1, out: 0 },
        { kind: 'transition', number: 7 },
      ],
      [
        { kind: 'transition', number: 7 },
        { kind: 'step', number: 20 },
      ],
      [{ kind: 'transition', number: 8 }, { kind: 'end' }],
    ],
  )
})

test('what was never seen in a sequence is refused or told, and never guessed', () => {
  const branches = (attributes: string) =>
    structure(connections.replace('<Branches/>', `<Branches>${attributes}</Branches>`))
  assert.throws(() => read([branches('<Branch No="1"/>')]), /a branch of the kind Branch is not understood/)
  assert.throws(() => read([branches('<Branch No="1" Type="Loop" Cardinality="2"/>')]), /a branch of the kind Loop/)
  assert.throws(() => read([branches('<Branch No="1" Type="AltBegin"/>')]), /has "" where a number is needed/)
  const end = (attributes: string) =>
    structure(connections.replace('<TransitionRef No="1"/>', `<BranchRef ${attributes}/>`))
  assert.throws(() => read([end('No="1" In="0"')]), /branch 1\) is not understood/)
  assert.throws(() => read([structure(connections.replace('"Jump"', '"Other"'))]), /of the kind Other/)
  assert.throws(() => read([structure(connections.replace('No="1"', 'No="9"'))]), /end of a connection/)
  assert.throws(() => read([]), /the sequence of the GRAPH block is not in the file/)
  const { problems } = read([
    structure(connections),
    unit(
      'Actions',
      '<Actions RefId="3"><Action Event="Q9"><Operator Operation="Z"/><OpdAccess RefId="99"/><X/></Action></Actions>',
    ),
    unit('AddInfos', '<AddInfos><Alarming><WarningCategory Index="5"/></Alarming></AddInfos>'),
  ])
  assert.deepEqual(problems, [
    'step Empty, action 1: the event Q9 is not understood',
    'step Empty, action 1: the operation Z is not understood',
    'step Empty, action 1: the operand 99 is not understood',
    'step Empty, action 1: X is not understood',
    'transition Full: its condition is not in the file',
    'transition Done: its condition is not in the file',
    'the alarm settings of the sequence are not read',
  ])
})

test('alarm settings are told where they are not those of a new block', () => {
  const told = (inside: string) =>
    read([...units, unit('AddInfos', `<AddInfos>${inside}</AddInfos>`)]).problems.length > 0
  const category = (enabler: string, display: string) =>
    `<Alarming><CategoryProperties><Category><EnablerOperand RefId="${enabler}"/><DisplayClass>${display}</DisplayClass></Category></CategoryProperties></Alarming>`
  const asNew = [
    '',
    '<AdditionalTexts/><ExternalJumps/><Alarming/>',
    '<Alarming><WarningCategory Index="2"/><InterlockCategory Index="1"/><SupervisionCategory Index="1"/></Alarming>',
    '<Alarming><InterlockReactionCategory Index="1"/><OtherCategory Index="0"/><Other Index="7"/></Alarming>',
    category('0', '0'),
    '<Alarming><CategoryProperties Index="5"/></Alarming>',
  ]
  for (const inside of asNew) assert.equal(told(inside), false, inside)
  const own = [
    '<AdditionalTexts><Text/></AdditionalTexts>',
    '<ExternalJumps><Jump/></ExternalJumps>',
    '<Alarming><WarningCategory Index="1"/></Alarming>',
    '<Alarming><WarningCategory/></Alarming>',
    '<Alarming><OtherCategory Index="1"/></Alarming>',
    '<Alarming><Other/><InterlockCategory Index="0"/></Alarming>',
    category('5', '0'),
    category('0', '3'),
    '<Alarming><CategoryProperties><Category/></CategoryProperties></Alarming>',
  ]
  for (const inside of own) assert.equal(told(inside), true, inside)
  // A unit without content says nothing, and the settings of another kind of unit are none.
  assert.deepEqual(read([...units, { context: 'AddInfos', language: 'LAD', root: undefined }]).problems, [])
  assert.deepEqual(read([...units, unit('Other', `<AddInfos>${own[0]}</AddInfos>`)]).problems, [])
})
