import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant, writeWorkspace } from '../../../test/plant.ts'

interface Message {
  readonly code?: string
  readonly description: string
  readonly network?: number
  readonly line?: number
  readonly file?: string
  readonly sourceLine?: number
  readonly sourceColumn?: number
  readonly messages: readonly Message[]
}
interface Result {
  readonly messages: readonly Message[]
}

const on = { deviceName: 'PLC_1' }

function leaves(messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => (message.code === undefined ? leaves(message.messages) : [message]))
}

/** `file line:column code` of a text in a file, as `told` writes it. */
function at(file: string, text: string, needle: string, code: string, from = 0): string {
  const offset = text.indexOf(needle, from)
  assert.ok(offset >= 0, needle)
  const before = text.slice(0, offset).replace(/^\uFEFF/, '')
  return `${file} ${before.split('\n').length}:${before.length - before.lastIndexOf('\n')} ${code}`
}

function told(messages: readonly Message[]): string[] {
  return leaves(messages)
    .map(({ file, sourceLine, sourceColumn, code }) => `${file} ${sourceLine}:${sourceColumn} ${code}`)
    .sort()
}

const fb = (name: string, declared: string, body: string) =>
  `FUNCTION_BLOCK "${name}"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nVAR\n   x : Int;\n   ${declared}\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

const several = `// head\n${fb('One', '', '\t#x := 1;\n\t#one := 2;')}${fb('Two', 'y : "Nothing";', '   IF TRUE THEN\n      #two := 3;\n   END_IF;')}
NAMESPACE Area
${fb('Three', '', '\t#three := 1;')}${fb('Four', '', '#four := 1;')}END_NAMESPACE
FUNCTION "Five" : Void
BEGIN
NETWORK
TITLE = First
      NOP 0; NOP 1;
      CALL "Gone" (a := 1, b := 2);
NETWORK
TITLE = Second
// comment

      L #six;
      T #seven;
END_FUNCTION
TYPE "Kind"
STRUCT
   a : Int;
   b : Struct
      c : "None";
   END_STRUCT;
END_STRUCT;
END_TYPE
DATA_BLOCK "Data"
VAR
   a : Int;
   b : "NoType";
END_VAR
BEGIN
   a := 99999;
END_DATA_BLOCK
`

const expectedOfSources = (file: string, text: string) =>
  [
    at(file, text, '#one', 'undeclared'),
    at(file, text, 'y : "Nothing"', 'unknown-type'),
    at(file, text, '#two', 'undeclared'),
    at(file, text, '#three', 'undeclared'),
    at(file, text, '#four', 'undeclared'),
    at(file, text, 'CALL "Gone"', 'undeclared'),
    at(file, text, 'L #six', 'undeclared'),
    at(file, text, 'T #seven', 'undeclared'),
    at(file, text, 'c : "None"', 'unknown-type'),
    at(file, text, 'b : "NoType"', 'unknown-type'),
    at(file, text, 'a := 99999', 'start-value'),
  ].sort()

test('sources: every message has its place in the file, whatever block of it it is about', async (t) => {
  const plant = await openPlant(t)
  for (const [file, text] of [
    ['sub/all.scl', several],
    ['crlf.scl', `\uFEFF${several.replaceAll('\n', '\r\n')}`],
  ] as const) {
    await writeWorkspace(plant, { [file]: text })
    await plant.call('blocks.import', { ...on, filePath: file, overwrite: true })
    const { messages } = await plant.call<Result>('blocks.compile-device', { ...on, scope: 'software' })
    assert.deepEqual(told(messages), expectedOfSources(file, text))
  }
})

test('what stays as it is has its new place when the file has moved it', async (t) => {
  const plant = await openPlant(t)
  const own = fb('One', '', '\t#one := 2;')
  await plant.call('blocks.import', { ...on, content: own })
  const compiled = async () =>
    told((await plant.call<Result>('blocks.compile-device', { ...on, scope: 'software' })).messages)
  assert.deepEqual(await compiled(), [at('content', own, '#one', 'undeclared')])
  await writeWorkspace(plant, { 'two.scl': `${fb('Zero', '', '#x := 1;')}${own}` })
  const again = await plant.call<{ objects: { name: string; action: string }[] }>('blocks.import', {
    ...on,
    filePath: 'two.scl',
    overwrite: true,
  })
  assert.deepEqual(
    again.objects.map(({ name, action }) => `${name} ${action}`),
    ['Zero created', 'One unchanged'],
  )
  assert.deepEqual(await compiled(), [at('two.scl', `${fb('Zero', '', '#x := 1;')}${own}`, '#one', 'undeclared')])
})

test('after an edit the place is that in the text of the object, and no file is named', async (t) => {
  const plant = await openPlant(t)
  await plant.call('blocks.import', { ...on, content: `\n\n\n${fb('One', '', '\t#one := 2;')}` })
  await plant.call('blocks.add-members', {
    ...on,
    blockName: 'One',
    members: [{ section: 'Static', name: 'more', dataType: 'Int' }],
  })
  const { messages } = await plant.call<Result>('blocks.compile', { ...on, blockName: 'One' })
  const { sourceText } = await plant.call<{ sourceText: string }>('blocks.source', { ...on, blockName: 'One' })
  assert.deepEqual(told(messages), [at('undefined', sourceText, '#one', 'undeclared')])
})

const xml = `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V17" />
  <SW.Blocks.FC ID="0">
    <AttributeList>
      <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
  <Section Name="Input" />
  <Section Name="Temp">
    <Member Name="t" Datatype="&quot;Missing&quot;" />
  </Section>
  <Section Name="Return"><Member Name="Ret_Val" Datatype="Void" /></Section>
</Sections></Interface>
      <MemoryLayout>Optimized</MemoryLayout>
      <Name>Ladder</Name>
      <Number>7</Number>
      <ProgrammingLanguage>LAD</ProgrammingLanguage>
    </AttributeList>
    <ObjectList>
      <SW.Blocks.CompileUnit ID="3" CompositionName="CompileUnits">
        <AttributeList>
          <NetworkSource><FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4">
  <Parts>
    <Access Scope="GlobalVariable" UId="21">
      <Symbol><Component Name="absent" /></Symbol>
    </Access>
    <Access Scope="GlobalVariable" UId="22">
      <Symbol><Component Name="away" /></Symbol>
    </Access>
    <Part Name="Contact" UId="23" />
    <Part Name="Coil" UId="24" />
  </Parts>
  <Wires>
    <Wire UId="25"><Powerrail /><NameCon UId="23" Name="in" /></Wire>
    <Wire UId="26"><IdentCon UId="21" /><NameCon UId="23" Name="operand" /></Wire>
    <Wire UId="27"><NameCon UId="23" Name="out" /><NameCon UId="24" Name="in" /></Wire>
    <Wire UId="28"><IdentCon UId="22" /><NameCon UId="24" Name="operand" /></Wire>
  </Wires>
</FlgNet></NetworkSource>
          <ProgrammingLanguage>LAD</ProgrammingLanguage>
        </AttributeList>
      </SW.Blocks.CompileUnit>
      <SW.Blocks.CompileUnit ID="5" CompositionName="CompileUnits">
        <AttributeList>
          <NetworkSource><StructuredText xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/StructuredText/v3">
  <Access Scope="GlobalVariable" UId="21"><Symbol UId="22"><Component Name="gone" UId="23" /></Symbol></Access>
  <Blank UId="24" />
  <Token Text=":=" UId="25" />
  <Access Scope="LiteralConstant" UId="26"><Constant UId="27"><ConstantValue UId="28">1</ConstantValue></Constant></Access>
  <Token Text=";" UId="29" />
  <NewLine UId="30" />
  <Access Scope="Call" UId="31">
    <CallInfo UId="32" BlockType="FC" Name="Ladder">
      <Token Text="(" UId="33" />
      <Parameter Name="nothing" UId="34">
        <Token Text=":=" UId="35" />
        <Access Scope="GlobalVariable" UId="36"><Symbol UId="37"><Component Name="lost" UId="38" /></Symbol></Access>
      </Parameter>
      <Token Text=")" UId="39" />
    </CallInfo>
  </Access>
  <Token Text=";" UId="40" />
</StructuredText></NetworkSource>
          <ProgrammingLanguage>SCL</ProgrammingLanguage>
        </AttributeList>
      </SW.Blocks.CompileUnit>
    </ObjectList>
  </SW.Blocks.FC>
</Document>
`

test('SimaticML: messages are at the element, in networks of any language and in the interface', async (t) => {
  const plant = await openPlant(t)
  await writeWorkspace(plant, { 'Ladder.xml': xml })
  await plant.call('blocks.import', { ...on, filePath: 'Ladder.xml' })
  const { messages } = await plant.call<Result>('blocks.compile', { ...on, blockName: 'Ladder' })
  const places = told(messages)
  for (const expected of [
    at('Ladder.xml', xml, '<Member Name="t"', 'unknown-type'),
    at('Ladder.xml', xml, '<Access Scope="GlobalVariable" UId="21">\n', 'undeclared'),
    at('Ladder.xml', xml, '<Access Scope="GlobalVariable" UId="22">\n', 'undeclared'),
    at('Ladder.xml', xml, '<Access Scope="GlobalVariable" UId="21"><', 'undeclared'),
    at('Ladder.xml', xml, '<Access Scope="GlobalVariable" UId="36"', 'undeclared'),
  ])
    assert.ok(places.includes(expected), `${expected} in ${places.join('\n')}`)
})

const sd = `{
    S7_Optimized := "TRUE";
    S7_Version := "0.1"
}
FUNCTION_BLOCK "Belt"
    VAR
        gear : _.Gear;
    END_VAR

    { S7_Language := "LAD" }
    NETWORK
        RUNG wire#powerrail
            Contact( "absent" )
            Coil( "away" )
        END_RUNG
    END_NETWORK

    { S7_Language := "SCL" }
    NETWORK
        IF TRUE THEN
            #gone := 1;
        END_IF;
    END_NETWORK
END_FUNCTION_BLOCK
`

test('SIMATIC SD: the place is in the .s7dcl file, not in the document made of it', async (t) => {
  const plant = await openPlant(t)
  await writeWorkspace(plant, { 'Belt.s7dcl': `\uFEFF${sd}` })
  await plant.call('blocks.import', { ...on, filePath: 'Belt.s7dcl' })
  const { messages } = await plant.call<Result>('blocks.compile', { ...on, blockName: 'Belt' })
  assert.deepEqual(
    told(messages),
    [
      at('Belt.s7dcl', sd, 'gear :', 'unknown-type'),
      at('Belt.s7dcl', sd, 'Contact(', 'undeclared'),
      at('Belt.s7dcl', sd, 'Coil(', 'undeclared'),
      at('Belt.s7dcl', sd, '#gone', 'undeclared'),
    ].sort(),
  )
})

const table = `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V17" />
  <SW.Tags.PlcTagTable ID="0">
    <AttributeList><Name>Motors</Name></AttributeList>
    <ObjectList>
      <SW.Tags.PlcTag ID="1" CompositionName="Tags">
        <AttributeList><DataTypeName>Bool</DataTypeName><LogicalAddress>%M0.0</LogicalAddress><Name>good</Name></AttributeList>
      </SW.Tags.PlcTag>
      <SW.Tags.PlcTag ID="2" CompositionName="Tags">
        <AttributeList><DataTypeName>"Unknown"</DataTypeName><LogicalAddress>%M8.0</LogicalAddress><Name>bad</Name></AttributeList>
      </SW.Tags.PlcTag>
    </ObjectList>
  </SW.Tags.PlcTagTable>
</Document>
`

test('tag tables: messages of the compiler and faults of an import are at the row', async (t) => {
  const plant = await openPlant(t)
  await writeWorkspace(plant, {
    'Motors.xml': table,
    'Other.xml': table.replace('Motors', 'Other').replace('good', 'fine'),
  })
  await plant.call('blocks.import', { ...on, filePath: 'Motors.xml' })
  const { messages } = await plant.call<Result>('blocks.compile-device', { ...on, scope: 'software' })
  assert.deepEqual(told(messages), [at('Motors.xml', table, '<SW.Tags.PlcTag ID="2"', 'unknown-type')])
  const refused = await fails(plant.call('blocks.import', { ...on, filePath: 'Other.xml' }), 'unacceptable_content')
  const [fault] = refused.details.errors ?? []
  const place = `${fault?.file} ${fault?.sourceLine}:${fault?.sourceColumn} name_taken`
  assert.equal(place, at('Other.xml', table, '<SW.Tags.PlcTag ID="2"', 'name_taken'))
})

test('faults of an import have the file and the place beside path, line and column', async (t) => {
  const plant = await openPlant(t)
  const source = `${fb('One', '', '#x := 1;')}FUNCTION_BLOCK "Two"\nVAR\n   x  Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n`
  const refused = await fails(plant.call('blocks.import', { ...on, content: source }), 'unacceptable_content')
  const [fault] = refused.details.errors ?? []
  assert.equal(`${fault?.file} ${fault?.sourceLine}:${fault?.sourceColumn}`, `content ${fault?.line}:${fault?.column}`)
  assert.equal(fault?.sourceLine, source.split('\n').indexOf('   x  Int;') + 1)
})
