/** Supervisions (ProDiag) of an imported function block raise alarms on the controller that it is downloaded to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
