import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renameInSource, renameInStatements } from './rename-source.ts'
import { renameInXml } from './rename-xml.ts'

/**
 * The text with every `@@` replaced by the old name, and the expected text with the new one. Names that must stay are
 * written out.
 */
function check(template: string, from = 'Old', to = 'New name'): void {
  const before = template.replaceAll('@@', `"${from}"`)
  assert.equal(renameInSource(before, from, to), template.replaceAll('@@', `"${to}"`))
}

test('a source: types, limits, values, operands, calls; not names of members, parameters, headers, comments', () => {
  check(`FUNCTION_BLOCK "F"
TITLE = "Old"
{ S7_Optimized_Access := 'TRUE' }
AUTHOR : Old
FAMILY : "Old"
VERSION : 0.1
// "Old"
   VAR_INPUT
      "Old" : Int;   // "Old"
      a, "Old" { ExternalVisible := 'False' } : @@;
      list : Array[@@..5, 0..@@] of @@ := @@;
      r : REF_TO @@;
      s : Struct
         "Old" : Bool := FALSE;
      END_STRUCT;
   END_VAR
BEGIN
   @@(a := 1, "Old" := @@, out => @@);
   @@.member."Old" := #"Old" + @@[@@, 1].x; (* "Old" *)
   x := @@#RED;
   REGION "Old"
   END_REGION
   #inst("Old" => #y);
   s := '"Old"';
END_FUNCTION_BLOCK`)
})

test('data blocks: the type of an instance, and values but not members', () => {
  check('DATA_BLOCK "I"\nVERSION : 0.1\n@@\nBEGIN\n   "Old".a := @@;\n   b["Old"] := 5;\nEND_DATA_BLOCK')
  check('DATA_BLOCK "G"\nVAR\n   "Old" : @@;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK')
  check('FUNCTION "F" : @@\nNAME : Old\nBEGIN\nEND_FUNCTION')
  check('TYPE "T"\nVERSION : 0.1\n   STRUCT\n      "Old" : Array[0..1] of @@;\n   END_STRUCT;\nEND_TYPE')
})

test("the block's own name stays, its uses in its own text do not", () => {
  assert.equal(
    renameInSource('FUNCTION "Old" : Real\nBEGIN\n"Old" := 1.0;\nEND_FUNCTION', 'OLD', 'New'),
    'FUNCTION "Old" : Real\nBEGIN\n"New" := 1.0;\nEND_FUNCTION',
  )
})

test('the result of a function has its name, in each language; a member of that name stays', () => {
  const scl = (name: string, result: string, members = '') =>
    `FUNCTION "${name}" : Real\nVAR_INPUT\n  x : Real;${members}\nEND_VAR\nBEGIN\n  ${result} := #x;\n` +
    `  "Other"(Old := ${result}.Old);\nEND_FUNCTION`
  assert.equal(renameInSource(scl('Old', '#Old'), 'OLD', 'New'), scl('Old', '#New'))
  assert.equal(renameInSource(scl('Old', '#"Old"'), 'old', 'New name'), scl('Old', '#"New name"'))
  assert.equal(renameInSource(scl('Old', '#Old'), 'Old', 'IF'), scl('Old', '#"IF"'))
  const declared = scl('Old', '#Old', ' Old : Real;')
  assert.equal(renameInSource(declared, 'Old', 'New'), declared)
  const another = scl('F', '#Old')
  assert.equal(renameInSource(another, 'Old', 'New'), another)
  const list = (result: string) =>
    `FUNCTION "Old" : Int\nBEGIN\nNETWORK\nTITLE =\n      L     1;\n      T     ${result};\nEND_FUNCTION`
  assert.equal(renameInSource(list('#Old'), 'Old', 'New'), list('#New'))
})

test('SimaticML: the result of a function has its name', () => {
  const block = (kind: string, result: string, member: string) => `<SW.Blocks.${kind} ID="0">
  <AttributeList><Interface><Sections><Section Name="Input"><Member Name="${member}" Datatype="Int" /></Section>
    <Section Name="Return"><Member Name="Ret_Val" Datatype="Int" /></Section></Sections></Interface><Name>Old</Name></AttributeList>
  <Access Scope="LocalVariable" UId="21"><Symbol><Component Name="${result}" /><Component Name="Old" /></Symbol></Access>
  <Access Scope="LocalVariable" UId="22"><Symbol><Component Name="x" /></Symbol></Access>
  <StructuredText>#${result} := #x;</StructuredText><Token Text="#${result}" />
</SW.Blocks.${kind}>`
  assert.equal(renameInXml(block('FC', 'Old', 'x'), 'OLD', 'New'), block('FC', 'New', 'x'))
  assert.equal(renameInXml(block('FC', 'Old', 'old'), 'Old', 'New'), block('FC', 'Old', 'old'))
  assert.equal(renameInXml(block('FB', 'Old', 'x'), 'Old', 'New'), block('FB', 'Old', 'x'))
  // The member that stands for the result has a name of its own, which a function may have too.
  const named = (result: string) => block('FC', result, 'x').replace('<Name>Old<', '<Name>Ret_Val<')
  assert.equal(renameInXml(named('Ret_Val'), 'Ret_Val', 'New'), named('New'))
})

test('statement lists: operands and calls, not parameters', () => {
  check(`FUNCTION "F" : Void
BEGIN
NETWORK
TITLE = "Old"
      A     @@;
      CALL @@ , "DB"
      (  "Old" := @@ ,
         x := "DB"."Old");
      T     @@.x;
END_FUNCTION`)
})

test('names without quotes get them; local names, labels and functions of the language stay', () => {
  const source = (type: string, use: string) =>
    `FUNCTION_BLOCK "F"\nVAR\n  a : ${type};\nEND_VAR\nBEGIN\n  ${use}(x := ${use});\n  Old2 := 1;\nEND_FUNCTION_BLOCK`
  assert.equal(renameInSource(source('Old', 'Old'), 'old', 'New'), source('"New"', '"New"'))
  const local = 'FUNCTION_BLOCK "F"\nVAR\n  Old : Int;\nEND_VAR\nBEGIN\n  Old := #Old;\nEND_FUNCTION_BLOCK'
  assert.equal(renameInSource(local, 'Old', 'New'), local)
  const label = 'FUNCTION "F" : Void\nBEGIN\nOld: x := ABS(1);\nEND_FUNCTION'
  assert.equal(renameInSource(label, 'Old', 'New'), label)
  assert.equal(renameInSource(label, 'ABS', 'New'), label)
})

test('statements alone', () => {
  assert.equal(renameInStatements('"Old".x := #Old;', 'old', 'New'), '"New".x := #Old;')
})

const xml = (name: string, text: string) => `<SW.Blocks.FB ID="0">
  <AttributeList>
    <Interface><Sections Datatype="&quot;${name}&quot;"><Section Name="Static">
      <Member Name="Old" Datatype="Array[0..&quot;${name}&quot;] of &quot;${name}&quot;"><StartValue ConstantName="&quot;${name}&quot;">1</StartValue></Member>
      <Member Name='p' Datatype='Int'><StartValue>Old</StartValue></Member>
      <Member Name='q' Datatype='"${name}"'><StartValue>"${name}"</StartValue></Member>
      <Member Name="system" Datatype="Old" />
      <Member Name="spaced" Datatype="_.${name}" />
    </Section></Sections></Interface>
    <InstanceOfName>${name}</InstanceOfName>
    <Name>Old</Name>
  </AttributeList>
  <FlgNet><Parts>
    <Access Scope="GlobalVariable" UId="21"><Symbol><Component Name="${name}" /><Component Name="Old" AccessModifier="Array"><Access Scope="GlobalVariable"><Symbol><Component Name="${name}" /></Symbol></Access></Component></Symbol></Access>
    <Access Scope="LocalVariable" UId="22"><Symbol><Component Name="Old" /></Symbol></Access>
    <Access Scope="GlobalConstant" UId="23"><Constant Name="${name}" /></Access>
    <Access Scope="GlobalConstant" UId="24"><Constant><ConstantValue>"${name}"</ConstantValue></Constant></Access>
    <Access Scope="LocalConstant" UId="25"><Constant Name="Old" /></Access>
    <Access Scope="NamedValueConstant" UId="26"><Constant Name="${name}#Old" /></Access>
    <Access Scope="TypedConstant" UId="27"><Constant><ConstantValue>"${name}"#Old</ConstantValue></Constant></Access>
    <Call UId="28"><CallInfo Name="${name}" BlockType="FB"><Instance Scope="GlobalVariable" UId="29"><Component Name="${name}" /></Instance><Parameter Name="Old" Section="Input" Type="&quot;${name}&quot;" /></CallInfo></Call>
    <Part Name="Move" UId="30"><TemplateValue Name="SrcType" Type="Type">"${name}"</TemplateValue></Part>
  </Parts></FlgNet>
  <StructuredText><Token Text="${text}" /><Token Text="." /><Token Text="&quot;Old&quot;" /></StructuredText>
</SW.Blocks.FB>`

test('SimaticML: every place of a name of the program, and none of another', () => {
  assert.equal(renameInXml(xml('Old', '&quot;Old&quot;'), 'OLD', 'N'), xml('N', '&quot;N&quot;'))
  // A name with characters that XML has to escape, and back.
  const special = xml('A &amp; B', '&quot;A &amp; B&quot;')
  assert.equal(renameInXml(xml('Old', '&quot;Old&quot;'), 'Old', 'A & B'), special)
})

test('rows of watch tables', () => {
  const table = (name: string) =>
    `<SW.WatchAndForceTables.PlcWatchTable ID="0"><AttributeList><Name>"Old"</Name></AttributeList><ObjectList>` +
    `<SW.WatchAndForceTables.PlcWatchTableEntry ID="1"><AttributeList><Name>${name}</Name></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>` +
    `<SW.WatchAndForceTables.PlcWatchTableEntry ID="2"><AttributeList><Name>${name}.a["Old2"]."Old"</Name></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>` +
    `</ObjectList></SW.WatchAndForceTables.PlcWatchTable>`
  assert.equal(renameInXml(table('"Old"'), 'Old', 'New'), table('"New"'))
})

test('whatever the text is, renaming a name that is not there changes nothing', () => {
  const pieces = fc.constantFrom(
    ...'FUNCTION_BLOCK|DATA_BLOCK|TYPE|VAR|END_VAR|STRUCT|BEGIN|NETWORK|"a"|a|#a|:|:=|;|(|)|[|]|.|..|,|=>|{x}|(*|*)|//|\n|\'|"|a#B|"a"#B'.split(
      '|',
    ),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 50 }), (words) => {
      const text = words.join(' ')
      assert.equal(renameInSource(text, 'absent', 'x'), text)
      // What is renamed can be found under the new name only where the old one was.
      renameInSource(text, 'a', 'b')
    }),
    { numRuns: 500 },
  )
})

test('a type is renamed behind its namespace too, with and without the root', () => {
  const text =
    'FUNCTION_BLOCK "b"\nVAR\n a : hall.Motor; b : Array[0..1] OF _.hall.Motor; d : _.Motor;\nEND_VAR\nBEGIN\n#a.Motor := 1;\nEND_FUNCTION_BLOCK\n'
  assert.equal(
    renameInSource(text, 'motor', 'Drive'),
    text
      .replace('hall.Motor; b', 'hall.Drive; b')
      .replace('_.hall.Motor', '_.hall.Drive')
      .replace('_.Motor', '_.Drive'),
  )
})
