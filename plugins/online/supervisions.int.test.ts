/** Supervisions (ProDiag) of an imported function block raise alarms on the controller that it is downloaded to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'
import { type Answer, newProject, plc, withController } from '../../test/online.ts'

const supervision = (number: number, type: string, inner: string) =>
  `<BlockTypeSupervision Number="${number}" Type="${type}">${inner}<CategoryNumber>1</CategoryNumber><SubCategory1Number>0</SubCategory1Number></BlockTypeSupervision>`
const block = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V17" />
  <SW.Blocks.FB ID="0"><AttributeList>
    <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
      <Section Name="Input" /><Section Name="Output" /><Section Name="InOut" />
      <Section Name="Static">
        <Member Name="blocked" Datatype="Bool" /><Member Name="run" Datatype="Bool" /><Member Name="ready" Datatype="Bool" />
        <Member Name="wait" Datatype="Time"><StartValue>T#3ms</StartValue></Member><Member Name="speed" Datatype="Int" />
      </Section><Section Name="Temp" /><Section Name="Constant" />
    </Sections></Interface>
    <MemoryLayout>Optimized</MemoryLayout><Name>Motor</Name><Number>7</Number><ProgrammingLanguage>SCL</ProgrammingLanguage>
    <Supervisions><BlockTypeSupervisions xmlns="http://www.siemens.com/automation/Openness/SW/BlockTypeSupervisions/v3">
      ${supervision(1, 'Operand', '<SupervisedOperand Name="#blocked" /><SupervisedStatus>true</SupervisedStatus>').replace('<CategoryNumber>', '<CategoryNumber>').replace('</BlockTypeSupervision>', '<SpecificField><AssociatedValues><AssociatedValue><AssociatedValueOperand Number="1" Name="#speed" /></AssociatedValue></AssociatedValues><SpecificFieldText><MultiLanguageText Lang="en-US">&lt;ProjectText&gt;&lt;body&gt;&lt;p&gt;blocked at &lt;field ref="1" /&gt;&lt;/p&gt;&lt;/body&gt;&lt;/ProjectText&gt;</MultiLanguageText></SpecificFieldText></SpecificField></BlockTypeSupervision>')}
      ${supervision(2, 'Action', '<SupervisedOperand Name="#ready" /><SupervisedStatus>false</SupervisedStatus><DelayOperand Name="#wait" /><Conditions><Condition><ConditionOperand Number="1" Name="#run" /><TriggeringStatus>true</TriggeringStatus></Condition></Conditions>')}
      ${supervision(3, 'Reaction', '<SupervisedOperand Name="#ready" /><SupervisedStatus>true</SupervisedStatus><DelayOperand Name="T#5ms" />')}
      ${supervision(4, 'Operand', '<SupervisedOperand Name="#gone" /><SupervisedStatus>true</SupervisedStatus>')}
    </BlockTypeSupervisions></Supervisions>
  </AttributeList></SW.Blocks.FB>
</Document>`
const program = `
DATA_BLOCK "Line"
{ S7_Optimized_Access := 'TRUE' }
VAR
  motors : Array[1..2] of "Motor";
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  ;
END_ORGANIZATION_BLOCK
`
const name = 'Sim'

test('supervisions of an imported block are watched for each instance, with delay, conditions, values and texts', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('blocks.import', { ...plc, content: block })
  await call('blocks.import', { ...plc, content: program })
  await call('alarms.set-definitions', {
    ...plc,
    alarms: [{ block: 'Motor', member: '#3', alarmClass: 'No Acknowledgement' }],
  })
  await withController(at)
  await call('online.download', { ...plc, compile: true, startAfter: true })
  const sources = await call<Answer>('alarms.list-sources', { name })
  assert.deepEqual(
    sources.alarms.map(({ alarm }: Answer) => alarm),
    [1, 2, 3].flatMap((number) => [1, 2].map((i) => `"Line".motors[${i}].#${number}`)),
  )
  const { entries } = await call<Answer>('simulation.get-diagnostics', { name, code: 'supervision' })
  assert.match(entries[0].message, /Supervision 4 of "Line"\.motors\[\d\] \("Motor"\) is not watched: .*gone/)
  const write = (member: string, value: unknown) =>
    call('simulation.write-tag', { name, tagName: `Line.motors[2].${member}`, value })
  const run = (cycles: number) => call('simulation.advance', { name, cycles })
  const pending = async () => {
    const { alarms } = await call<Answer>('alarms.list-pending', { name })
    return alarms.map(({ alarm, state, text }: Answer) => [alarm, state, text])
  }
  await write('speed', 42)
  await write('blocked', true)
  await run(1)
  const first = ['"Line".motors[2].#1', 'incoming', 'blocked at 42']
  assert.deepEqual(await pending(), [first])
  // The action does not end in time: three milliseconds after it has begun.
  await write('run', true)
  await run(3)
  assert.deepEqual(await pending(), [first])
  await run(1)
  const second = ['"Line".motors[2].#2', 'incoming', 'Action "Line".motors[2].ready']
  assert.deepEqual(await pending(), [second, first])
  await write('ready', true)
  await run(5)
  assert.deepEqual(await pending(), [['"Line".motors[2].#2', 'outgoing', second[2]], first])
  await run(1)
  assert.equal((await pending())[0]?.[0], '"Line".motors[2].#3')
  // A class without acknowledgement: it goes with its error.
  await write('ready', false)
  await write('run', false)
  await write('blocked', false)
  await run(1)
  assert.deepEqual(
    (await pending()).map(([alarm, state]: string[]) => [alarm, state]),
    [
      ['"Line".motors[2].#2', 'outgoing'],
      ['"Line".motors[2].#1', 'outgoing'],
    ],
  )
  assert.equal((await call<Answer>('alarms.acknowledge', { name, all: true })).total, 2)
  // A restart begins anew.
  await write('blocked', true)
  await run(1)
  await call('simulation.stop', { name })
  await call('simulation.run', { name })
  await run(1)
  assert.deepEqual(await pending(), [])
})

const typed = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V21" />
  <SW.Types.PlcStruct ID="0"><AttributeList>
    <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="None">
      <Member Name="open" Datatype="Bool" /><Member Name="closed" Datatype="Bool" />
    </Section></Sections></Interface>
    <Name>Valve</Name>
    <PLCDataTypeSupervisions xmlns="http://www.siemens.com/automation/Openness/SW/PLCDataTypeSupervisions/v2">
      <PLCDataTypeSupervision Number="1" Type="Position"><SupervisedOperand Name="#open" /><SupervisionName>Contradiction</SupervisionName><SupervisedStatus>true</SupervisedStatus>
        <Conditions><Condition><ConditionOperand Number="1" Name="closed" /><TriggeringStatus>true</TriggeringStatus></Condition></Conditions>
        <CategoryNumber>1</CategoryNumber></PLCDataTypeSupervision>
    </PLCDataTypeSupervisions>
  </AttributeList></SW.Types.PlcStruct>
</Document>`
const hall = `
DATA_BLOCK "Hall"
{ S7_Optimized_Access := 'TRUE' }
VAR
  left : "Valve";
  right : "Valve";
  full : Bool;
  level : Int := 7;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  ;
END_ORGANIZATION_BLOCK
`
const ownSupervisions = [
  { dataType: 'Valve', number: 2, operand: '#open', delay: 'T#2ms', text: { 'en-US': 'Valve is open' } },
  {
    operand: '"Hall".full',
    conditions: [{ operand: 'Pump' }],
    values: ['"Hall".level'],
    alarmClass: 'No Acknowledgement',
    text: { 'en-US': 'full at @1%d@', 'de-DE': 'voll bei @1%d@' },
  },
  { operand: 'Pump', number: 4, status: false },
]

test('supervisions of tags, data blocks and PLC data types: from the export of a type, and set by an operation', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('types.import', { ...plc, content: typed })
  await call('blocks.import', { ...plc, content: hall })
  await call('tags.add', { ...plc, name: 'Inlet', dataType: '"Valve"', logicalAddress: '%I8.0' })
  await call('tags.add', { ...plc, name: 'Pump', dataType: 'Bool', logicalAddress: '%M0.3' })
  const set = await call<Answer>('alarms.set-definitions', { ...plc, supervisions: ownSupervisions })
  assert.equal(set.supervisions.length, 3)
  await withController(at)
  await call('online.download', { ...plc, compile: true, startAfter: true })
  const sources = await call<Answer>('alarms.list-sources', { name })
  assert.deepEqual(
    sources.alarms.map(({ alarm, alarmClass }: Answer) => [alarm, alarmClass]),
    [
      ['"Hall".left.#1', 'Acknowledgement'],
      ['"Hall".right.#1', 'Acknowledgement'],
      ['"Inlet".#1', 'Acknowledgement'],
      ['"Hall".left.#2', 'Acknowledgement'],
      ['"Hall".right.#2', 'Acknowledgement'],
      ['"Inlet".#2', 'Acknowledgement'],
      ['"Hall".full.#1', 'No Acknowledgement'],
      ['"Pump".#4', 'Acknowledgement'],
    ],
  )
  const write = (tagName: string, value: unknown) => call('simulation.write-tag', { name, tagName, value })
  const run = (cycles: number) => call('simulation.advance', { name, cycles })
  const pending = async (culture: string) => {
    const { alarms } = await call<Answer>('alarms.list-pending', { name, culture })
    return alarms.map(({ alarm, state, text }: Answer) => [alarm, state, text])
  }
  await run(1)
  const pump = ['"Pump".#4', 'incoming', 'Operand Pump']
  assert.deepEqual(await pending('en-US'), [pump])
  await write('Pump', true)
  await write('Hall.full', true)
  await write('Hall.right.open', true)
  await write('Hall.right.closed', true)
  await run(1)
  assert.deepEqual(await pending('de-DE'), [
    ['"Hall".full.#1', 'incoming', 'voll bei 7'],
    ['"Hall".right.#1', 'incoming', 'Contradiction'],
    ['"Pump".#4', 'outgoing', 'Operand Pump'],
  ])
  await run(3)
  await write('Inlet.open', true)
  await write('Inlet.closed', true)
  await run(1)
  assert.deepEqual((await pending('en-US'))[0], ['"Inlet".#1', 'incoming', 'Contradiction'])
  await write('Inlet.open', false)
  await run(1)
  assert.deepEqual((await pending('en-US'))[1], ['"Hall".right.#2', 'incoming', 'Valve is open'])
  // Another definition is a difference; what is not there is a warning.
  const load = () => call<Answer>('online.download', { ...plc, inRun: true })
  assert.equal((await load()).upToDate, true)
  await call('alarms.set-definitions', { ...plc, supervisions: [{ operand: 'Hall.gone' }] })
  const again = await load()
  assert.equal(again.upToDate, false)
  assert.match(again.warnings[0], /Supervision 1 of "Hall"\.gone is not watched: .*gone/)
  // They are in the project, and on the memory card.
  const own = (await call<Answer>('alarms.get-definitions', plc)).supervisions
  await call('projects.save', {})
  await call('projects.close', {})
  await call('projects.open', { path: `${at.dir}/workspace/Line` })
  assert.deepEqual((await call<Answer>('alarms.get-definitions', plc)).supervisions, own)
  await call('projects.close', {})
  await newProject(at, 'Other')
  const { alarms } = await call<Answer>('online.upload', { ...plc, ipAddress: '192.168.0.1', overwrite: true })
  assert.equal(alarms, 'created')
  assert.deepEqual((await call<Answer>('alarms.get-definitions', plc)).supervisions, own)
})

test('a supervision that cannot be is refused with its place', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('types.import', { ...plc, content: typed })
  const fault = (one: unknown, words: RegExp) =>
    fails(call('alarms.set-definitions', { ...plc, supervisions: [one] }), 'unacceptable_content', words)
  await fault(
    { dataType: 'Valv', operand: '#open' },
    /\/supervisions\/0\/dataType.*no PLC data type "Valv"; did you mean "Valve"/,
  )
  await fault({ block: 'Motor', operand: '#open' }, /no function block "Motor"/)
  await fault({ dataType: 'Valve', operand: 'open' }, /\/supervisions\/0\/operand: must be a member/)
  await fault({ operand: '#open' }, /members of function blocks need block/)
  await fault({ operand: 'Pump', values: ['#open'] }, /operands with # need block or dataType/)
  await fault({ operand: 'Pump', alarmClass: 'Loud' }, /there is no class "Loud"/)
  await fails(
    call('alarms.set-definitions', { ...plc, supervisions: [{ operand: '"Pump"' }, { operand: 'pump' }] }),
    'unacceptable_content',
    /\/supervisions\/1\/number/,
  )
})
