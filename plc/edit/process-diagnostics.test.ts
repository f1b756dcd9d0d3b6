/** The supervisions of a block as they are read, and as a table with those of its sequence and its watched members. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSupervisions, type Supervision } from '../formats/simaticml/supervisions.ts'
import { processDiagnostics } from './process-diagnostics.ts'

const text = (lang: string, value: string) => `<MultiLanguageText Lang="${lang}">${value}</MultiLanguageText>`
const projectText = (body: string) =>
  `<ProjectText><body>${body}</body></ProjectText>`.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const supervisions = `<Supervisions><BlockTypeSupervisions xmlns="http://www.siemens.com/automation/Openness/SW/BlockTypeSupervisions/v3">
  <BlockTypeSupervision Number="2" Type="Operand">
    <SupervisionName>Late</SupervisionName><SupervisedOperand Name="#late" /><SupervisedStatus>true</SupervisedStatus><DelayOperand Name="T#5s" />
    <Conditions>
      <Condition><ConditionOperand Number="1" Name="#run" /><TriggeringStatus>true</TriggeringStatus></Condition>
      <Condition><ConditionOperand Number="2" Name="" /><TriggeringStatus>false</TriggeringStatus></Condition>
      <Condition><ConditionOperand Number="3" Name="&quot;Line&quot;.on" /></Condition>
    </Conditions>
    <CategoryNumber>1</CategoryNumber><SubCategory1Number>2</SubCategory1Number><SubCategory2Number>3</SubCategory2Number>
    <SpecificField>
      <AssociatedValues><AssociatedValue><AssociatedValueOperand Number="1" Name="#speed" /></AssociatedValue>
        <AssociatedValue><AssociatedValueOperand Number="2" Name="" /></AssociatedValue>
        <AssociatedValue><AssociatedValueOperand Number="3" Name="#level" /></AssociatedValue></AssociatedValues>
      <SpecificFieldText>${text('en-US', 'late, "again"')}${text('de-DE', projectText('<p>spät bei <field ref="1" /> &amp; <field ref="3"/></p><p>&quot;zwei&quot; &lt;3&gt;</p>'))}${text('fr-FR', '')}</SpecificFieldText>
    </SpecificField>
  </BlockTypeSupervision>
  <BlockTypeSupervision Number="4" Type="MessageText"><SupervisedOperand Name="#on" /></BlockTypeSupervision>
</BlockTypeSupervisions></Supervisions>`
const block = (name: string, inside: string, members = '') =>
  `<Document><SW.Blocks.FB ID="0"><AttributeList><Interface><Sections><Section Name="Static">${members}</Section></Sections></Interface><Name>${name}</Name><ProgrammingLanguage>SCL</ProgrammingLanguage>${inside}</AttributeList></SW.Blocks.FB></Document>`

const late: Supervision = {
  isOfType: true,
  number: '2',
  name: 'Late',
  type: 'Operand',
  operand: '#late',
  status: 'true',
  delay: 'T#5s',
  conditions: [
    { operand: '#run', status: 'true' },
    { operand: '"Line".on', status: '' },
  ],
  category: '1',
  subcategory1: '2',
  subcategory2: '3',
  values: ['#speed', '#level'],
  texts: { 'en-US': 'late, "again"', 'de-DE': 'spät bei {1} & {3}\n"zwei" <3>' },
}
const empty: Supervision = {
  ...{ isOfType: true, number: '', name: '', type: '', operand: '', status: undefined, delay: '', conditions: [] },
  ...{ category: '', subcategory1: '', subcategory2: '', values: [], texts: {} },
}

test('supervisions of a block, of a type and of an instance are read with all they have', () => {
  assert.deepEqual(readSupervisions(block('Watched', supervisions)), [
    late,
    { ...empty, number: '4', type: 'MessageText', operand: '#on' },
  ])
  const ofType =
    '<SW.Types.PlcStruct ID="0"><AttributeList><PLCDataTypeSupervisions><PLCDataTypeSupervision Number="1" Type="Position"><DelayOperand Name="#d" /></PLCDataTypeSupervision></PLCDataTypeSupervisions></AttributeList></SW.Types.PlcStruct>'
  assert.deepEqual(readSupervisions(ofType), [{ ...empty, number: '1', type: 'Position', delay: '#d' }])
  const ofInstance =
    '<SW.Blocks.InstanceDB ID="0"><AttributeList><Supervisions><BlockInstSupervisionGroups><BlockInstSupervision><BlockTypeSupervisionNumber>7</BlockTypeSupervisionNumber><CategoryNumber>2</CategoryNumber></BlockInstSupervision></BlockInstSupervisionGroups></Supervisions></AttributeList></SW.Blocks.InstanceDB>'
  assert.deepEqual(readSupervisions(ofInstance), [{ ...empty, isOfType: false, number: '7', category: '2' }])
  // Those of a step are conditions of the sequence.
  assert.deepEqual(readSupervisions('<Graph><Supervision ProgrammingLanguage="LAD" /></Graph>'), [])
  assert.deepEqual(readSupervisions(block('None', '')), [])
})

const tableOf = (xml: string) => processDiagnostics(readSimaticMlText(xml).objects[0]!)
const header =
  'Source,Element,Number,Type,Operand or condition,Delay,Category,Subcategory 1,Subcategory 2,Trigger conditions,Associated values,Culture,Text'

test('the table has a row for each text of a supervision, and for each watched member', () => {
  const members =
    '<Member Name="a" Datatype="Bool"><AssignedProDiagFB>Diag</AssignedProDiagFB></Member><Member Name="s" Datatype="Struct"><AssignedProDiagFB>Other</AssignedProDiagFB><Member Name="b" Datatype="Bool"><AssignedProDiagFB>Diag</AssignedProDiagFB></Member></Member><Member Name="c" Datatype="Bool" />'
  const { entries, csv } = tableOf(block('Watched', supervisions, members))
  const conditions = '"#run = true; ""Line"".on = "'
  const first = `Supervision,Watched,2,Operand,#late = true,T#5s,1,2,3,${conditions},#speed; #level`
  assert.deepEqual(csv.split('\r\n'), [
    header,
    `${first},en-US,"late, ""again"""`,
    `${first},de-DE,"spät bei {1} & {3}\n""zwei"" <3>"`,
    'Supervision,Watched,4,MessageText,#on,,,,,,,,',
    'ProDiag FB,a,,,Diag,,,,,,,,',
    'ProDiag FB,s,,,Other,,,,,,,,',
    'ProDiag FB,s.b,,,Diag,,,,,,,,',
    '',
  ])
  // Two supervisions and three members: a text more is not one more.
  assert.equal(entries, 5)
  assert.deepEqual(tableOf(block('None', '')), { entries: 0, csv: `${header}\r\n` })
})

test('conditions of steps are listed when they say something, or have an alarm text', () => {
  const xml = fixtureText(import.meta.url, '../../formats/simaticml/fixtures/dense-graph.xml')
  const step = 'GRAPH,Idle,1,Supervision'
  assert.deepEqual(tableOf(xml), { entries: 1, csv: `${header}\r\n${step},TRUE,T#10S / T#7S,,,,,,en-US,stuck\r\n` })
  const untold = xml.replace(
    /<AlarmText>.*?<\/AlarmText>/,
    '<AlarmText><MultiLanguageText Lang="en-US"></MultiLanguageText></AlarmText>',
  )
  assert.equal(tableOf(untold).entries, 0)
  const contact =
    '<Access Scope="LocalVariable" UId="23"><Symbol><Component Name="stuck" /></Symbol></Access><Part Name="Contact" UId="24" />'
  const wires =
    '<Wire UId="22"><Powerrail /><NameCon UId="24" Name="in" /></Wire><Wire UId="25"><IdentCon UId="23" /><NameCon UId="24" Name="operand" /></Wire><Wire UId="26"><NameCon UId="24" Name="out" /><NameCon UId="21" Name="in" /></Wire>'
  const conditional = (part: string) =>
    `<FlgNet><Parts>${contact}<Part Name="${part}" UId="21" /></Parts><Wires>${wires}</Wires></FlgNet>`
  const watched = untold
    .replace(/(<\/AlarmText>)<FlgNet>.*?<\/FlgNet>/, `$1${conditional('SvCoil')}`)
    .replace(
      '<Interlock ProgrammingLanguage="FBD" />',
      `<Interlock ProgrammingLanguage="LAD">${conditional('IlCoil')}</Interlock>`,
    )
    .replace(' WarningTime="T#7S"', '')
  assert.equal(
    tableOf(watched).csv,
    `${header}\r\n${step},#stuck,T#10S,,,,,,,\r\n${step.replace('Supervision', 'Interlock')},#stuck,T#10S,,,,,,,\r\n`,
  )
})
