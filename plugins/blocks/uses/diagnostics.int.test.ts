import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fbSource, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }

/** A function block with one supervision, as TIA Portal V17 exports it, and a member that a ProDiag FB watches. */
const SUPERVISED = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V17" />
  <SW.Blocks.FB ID="0"><AttributeList>
    <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
      <Section Name="Static"><Member Name="late" Datatype="Bool"><AssignedProDiagFB>Diag</AssignedProDiagFB></Member></Section>
    </Sections></Interface>
    <Name>Watched</Name><Number>7</Number><ProgrammingLanguage>LAD</ProgrammingLanguage>
    <Supervisions><BlockTypeSupervisions xmlns="http://www.siemens.com/automation/Openness/SW/BlockTypeSupervisions/v3">
      <BlockTypeSupervision Number="2" Type="Operand">
        <SupervisedOperand Name="#late" /><SupervisedStatus>true</SupervisedStatus><DelayOperand Name="T#5s" />
        <Conditions><Condition><ConditionOperand Number="1" Name="#run" /><TriggeringStatus>true</TriggeringStatus></Condition></Conditions>
        <CategoryNumber>1</CategoryNumber><SubCategory1Number>2</SubCategory1Number><SubCategory2Number>0</SubCategory2Number>
        <SpecificField><SpecificFieldText><MultiLanguageText Lang="en-US">too late, "again"</MultiLanguageText><MultiLanguageText Lang="de-DE">&lt;ProjectText&gt;&lt;body&gt;&lt;p&gt;zu spät: &lt;field ref="1" /&gt;&lt;/p&gt;&lt;/body&gt;&lt;/ProjectText&gt;</MultiLanguageText></SpecificFieldText></SpecificField>
      </BlockTypeSupervision>
    </BlockTypeSupervisions></Supervisions>
  </AttributeList></SW.Blocks.FB>
</Document>`

test('process diagnostics are exported as a table, with the texts of all languages', async (t) => {
  const plant = await openPlant(t)
  const { call, dir } = plant
  await writeWorkspace(plant, { 'Watched.xml': SUPERVISED })
  await call('blocks.import', { ...on, filePath: 'Watched.xml' })
  const answer = await call('blocks.export-diagnostics', { ...on, blockName: 'Watched' })
  assert.equal(answer.entries, 2)
  const [header, english, german, member] = String(answer.content).split('\r\n')
  assert.match(header ?? '', /^Source,Element,Number,Type/)
  assert.equal(
    english,
    'Supervision,Watched,2,Operand,#late = true,T#5s,1,2,0,#run = true,,en-US,"too late, ""again"""',
  )
  assert.match(german ?? '', /,de-DE,zu spät: \{1\}$/)
  assert.match(member ?? '', /^ProDiag FB,late,,,Diag,/)
  const written = await call('blocks.export-diagnostics', { ...on, blockName: 'Watched', exportPath: 'diag/w.csv' })
  assert.equal(written.content, undefined)
  assert.match(await readFile(join(dir, 'workspace', 'diag', 'w.csv'), 'utf8'), /zu spät/)
  await fails(call('blocks.export-diagnostics', { ...on, blockName: 'Watched', exportPath: 'diag/w.csv' }), 'conflict')
})

test('what supervisions watch is used: it is not deleted, and renamed with them', async (t) => {
  const plant = await openPlant(t)
  const { call } = plant
  const supervised = SUPERVISED.replace('Name="#run"', 'Name="&quot;Line&quot;.run"').replace(
    '<DelayOperand Name="T#5s" />',
    '<DelayOperand Name="&quot;Line&quot;.wait" />',
  )
  await call('blocks.import', {
    ...on,
    content: 'DATA_BLOCK "Line"\nVAR\n run : Bool;\n wait : Time;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n',
  })
  await writeWorkspace(plant, { 'Watched.xml': supervised })
  await call('blocks.import', { ...on, filePath: 'Watched.xml' })
  await fails(call('blocks.delete', { ...on, blockName: 'Line' }), 'conflict', /Watched/)
  const { updated } = await call<{ updated: { name: string; places: string[] }[] }>('blocks.rename', {
    ...on,
    blockName: 'Line',
    newName: 'Hall',
  })
  assert.deepEqual(
    updated.map(({ name, places }) => [name, places]),
    [['Watched', ['Supervision 2']]],
  )
  const { content } = await call('blocks.export-diagnostics', { ...on, blockName: 'Watched' })
  await call('blocks.import', { ...on, content: fbSource('Diag') })
  await fails(call('blocks.delete', { ...on, blockName: 'Diag' }), 'conflict', /Watched/)
  assert.match(String(content), /,"""Hall"".wait",.*"""Hall"".run = true"/)
})

test('a block without process diagnostics says so', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: fbSource('Plain') })
  await fails(
    call('blocks.export-diagnostics', { ...on, blockName: 'Plain' }),
    'conflict',
    /"Plain" has no process diagnostics/,
  )
})
