import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText } from '../../model/decode.ts'
import { FormatError } from '../../model/fault.ts'
import type { ImportedObject, ProgramObjectKind } from '../../model/object.ts'
import { readSource } from '../source/read.ts'
import { sourceTextOf } from '../source/write.ts'
import { exportDocument } from './export-version.ts'
import { writeInterface } from './interface-write.ts'
import { readSimaticMl, readSimaticMlText } from './read.ts'
import { structuredTextText } from './structured-text-read.ts'
import { writeStructuredText } from './structured-text-write.ts'
import { targetVersion, targetVersions } from './versions.ts'
import { writeObject, writeSimaticMl } from './write.ts'
import { parseXml } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

const fixtureFolder = new URL('../../../test/fixtures/ikea-vyatka-sorting/', import.meta.url)
const files = readdirSync(fixtureFolder)

function source(text: string): ImportedObject {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  return (blocks[0] as (typeof blocks)[number]).object
}

function pieces(code: string, object?: ImportedObject): string {
  const writer = new XmlWriter()
  writeStructuredText(writer, code, { version: 'V19', interface: object?.interface ?? [], culture: 'en-US' })
  return writer.toString()
}

test('a wrapped element is the file again: same objects, IDs in document order', () => {
  for (const file of files.filter((name) => name.endsWith('.xml'))) {
    const { objects } = readSimaticMl(readFileSync(new URL(encodeURIComponent(file), fixtureFolder)))
    const [object] = objects
    assert.ok(object?.xml !== undefined && object.engineeringVersion !== undefined)
    const { text } = exportDocument([object.xml], { engineeringVersion: object.engineeringVersion })
    // These exports number their IDs in document order, so even the element's text is the same.
    assert.deepEqual(readSimaticMlText(text).objects, objects, file)
  }
})

test('wrapping several elements renumbers, keeps everything else, and can change the version', () => {
  const roots = [
    '<SW.Blocks.FB ID="7"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5" /></Interface>\n      <Name>A ID="1"</Name>\n      <Namespace />\n    </AttributeList><ObjectList><X ID=\'2\' Text="&quot; ID=&quot;9"/></ObjectList></SW.Blocks.FB>',
    `<SW.Tags.PlcTagTable ID="0"><AttributeList><Name>T</Name></AttributeList><ObjectList>${'<Y ID="Z" UId="3"/>'.repeat(9)}</ObjectList></SW.Tags.PlcTagTable>`,
  ]
  const { text } = exportDocument(roots, { target: 'V16' })
  assert.match(text, /<Engineering version="V16" \/>/)
  assert.match(text, /Interface\/v4"/)
  assert.doesNotMatch(text, /Namespace/)
  assert.match(text, /<Name>A ID="1"<\/Name>\n {4}<\/AttributeList>/)
  assert.match(text, /<X ID='1' Text="&quot; ID=&quot;9"\/>/)
  assert.deepEqual(
    [...text.matchAll(/ ID="([0-9A-F]+)"(?: UId="3")?[/>]/g)].map((match) => match[1]),
    ['0', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B'],
  )
  assert.throws(() => exportDocument(['<a ID="0"><b></a>']), FormatError)
})

test('code pieces give the code again', () => {
  const block = source(`FUNCTION_BLOCK "B"
VAR_INPUT
  x : Int; "a b" : Bool; arr : Array[0..3] of Int; tmr : TON_TIME; inst : "FB_y";
END_VAR
VAR CONSTANT
  MAX : Int := 1;
END_VAR
BEGIN
END_FUNCTION_BLOCK`)
  const codes = [
    'IF #x>#MAX AND NOT #"a b" THEN // c\n\t#arr[#x + 1, MAX] := x;\nEND_IF;',
    '"DB"."q r".s[1].%X3 := %I0.0 OR %DB1.DBX4.1 OR %ix0.1 OR "in":P;',
    '#tmr(IN := #x > 1, PT := T#5s);\n#inst(a := (1 + 2) * 3, "b" => #x , );',
    '"IEC_DB".TON(IN:=TRUE,\n    PT:=T#1s); "FC_x"(ABS(#x), LIMIT(MN:=0,IN:=#x,MX:=9));',
    'REGION a "b" (* \n  ;\nEND_REGION\n(* multi\n line *) /* m */ (/* t */)',
    'GOTO L_1;\nL_1: RETURN; ENO := FALSE; #r ?= NULL; #p^ := "T"#V;',
    "s := 'it$'s <&>' ; {attr := 'x'} d := DT#2024-01-01-00:00:00;",
    'x := #unknown . y [ 1 ] ;',
    'unterminated("a, [1; \'x',
  ]
  for (const code of codes) {
    const xml = pieces(code, block)
    assert.equal(structuredTextText(parseXml(xml)), code)
    const ids = [...xml.matchAll(/ UId="(\d+)"/g)].map((match) => Number(match[1]))
    assert.deepEqual(
      ids,
      ids.map((_, i) => 21 + i),
    )
  }
})

test('operands get the scope that belongs to them', () => {
  const block = source(
    'FUNCTION "F" : Void\nVAR_INPUT\n x : "FB_y"; n : Int;\nEND_VAR\nVAR CONSTANT\n C : Int := 1;\nEND_VAR\nBEGIN\nEND_FUNCTION',
  )
  const scopes = (code: string): string[] =>
    [...pieces(code, block).matchAll(/Scope="(\w+)"/g)].map((match) => match[1] as string)
  assert.deepEqual(scopes('#n := #C + "g".a + 1 + W#16#1 + %MW4;'), [
    'LocalVariable',
    'LocalConstant',
    'GlobalVariable',
    'LiteralConstant',
    'TypedConstant',
    'Address',
  ])
  assert.deepEqual(scopes('#x(a := 1);'), ['Call', 'LocalVariable', 'LiteralConstant'])
  assert.match(pieces('#x(a := 1);', block), /<CallInfo Name="FB_y" BlockType="FB"/)
  assert.match(pieces('%MW4', block), /<Address Area="Memory" Type="Word" BitOffset="32"/)
})

test('any text goes into pieces and back', () => {
  const words = fc.constantFrom(
    '#a',
    '#"b c"',
    '"D"',
    '.',
    '[',
    ']',
    '(',
    ')',
    ',',
    ';',
    ':=',
    '=>',
    ' ',
    '\t',
    '\n',
    '// x\n',
    '(* y *)',
    '/* z */',
    'IF',
    'x',
    'M1',
    'GOTO',
    ':',
    '1',
    '%MW2',
    ':P',
    '^',
    'T#1s',
    "'s'",
    '{p}',
    '%X1',
    'REGION r\n',
    'TON',
    'ENO',
    '"',
    "'",
    '(*',
    '&',
    '<',
  )
  const text = fc.oneof(
    fc.array(words, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (code) => {
      // XML has no place for control characters; line ends are LF.
      const allowed = code.replace(/(?![\t\n])\p{Cc}/gu, '')
      assert.equal(structuredTextText(parseXml(pieces(allowed))), allowed)
    }),
    { numRuns: 1500 },
  )
})

test('sources become SimaticML of every version and keep interface and code', () => {
  for (const file of files.filter((name) => name.endsWith('.scl'))) {
    const object = source(decodeText(readFileSync(new URL(file, fixtureFolder))).text)
    for (const version of targetVersions) {
      const { text: xml, warnings } = writeSimaticMl(object, { version })
      assert.deepEqual(warnings, [])
      const back = readSimaticMlText(xml)
      assert.equal(back.engineeringVersion, version)
      const [block] = back.objects
      assert.deepEqual(
        [block?.kind, block?.name, block?.language, block?.title, block?.version],
        [object.kind, object.name, object.language, { 'en-US': object.title['en-US'] ?? '' }, object.version],
      )
      assert.deepEqual(block?.interface, object.interface, file)
      assert.equal(block?.networks[0]?.text ?? '', object.networks[0]?.text)
      assert.equal(xml.includes('<Namespace />'), Number(version.slice(1)) >= 18)
      assert.match(xml, new RegExp(`Interface/v${version === 'V16' ? 4 : 5}"`))
      const names = [
        ...(/<AttributeList>([\s\S]*?)\n {4}<\/AttributeList>/.exec(xml)?.[1] ?? '').matchAll(/^ {6}<(\w+)/gm),
      ].map((m) => m[1])
      assert.deepEqual(names, [...names].sort())
    }
  }
})

test('data blocks and types: start values of elements, warnings for what XML has no place for', () => {
  const db = source(`DATA_BLOCK "D"
NON_RETAIN
VAR
  a : Array[0..1, 1..2] of Int := [1, 2(5)];
  s : "U" := (x := 1);
END_VAR
BEGIN
END_DATA_BLOCK`)
  const { xml, warnings } = writeObject(db, { version: 'V18' })
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /start value \(x := 1\) of s/)
  const back = readSimaticMlText(`<Document>${xml}</Document>`).objects[0]
  assert.deepEqual(back?.interface[0]?.members[0]?.subelements, [
    { path: '0,1', startValue: '1' },
    { path: '0,2', startValue: '5' },
    { path: '1,1', startValue: '5' },
  ])
  const instance = source('DATA_BLOCK "I"\n"FB_x"\nBEGIN\nEND_DATA_BLOCK')
  assert.match(writeObject(instance, { version: 'V16' }).xml, /<InstanceOfName>FB_x<\/InstanceOfName>/)
  const table = readSimaticMlText(
    '<Document><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>T</Name></AttributeList></SW.Tags.PlcTagTable></Document>',
  ).objects[0] as ImportedObject
  assert.throws(() => writeObject(table, { version: 'V16' }), /kind TagTable cannot be converted/)
})

test('SimaticML blocks become source text with the same interface and code', () => {
  const block = source(`FUNCTION_BLOCK "B"
TITLE = t
{ S7_Optimized_Access := 'TRUE' }
AUTHOR : me
VERSION : 0.1
// note
VAR_INPUT
  x { ExternalVisible := 'False'} : Int := 3;   // in
END_VAR
VAR RETAIN
  r : Real;
END_VAR
VAR
  t {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
  s : Struct
    "a b" : Bool;
  END_STRUCT;
  v : Array[0..2] of Int := [1, 2, 3];
  o AT v : Array[0..2] of Word;
END_VAR
BEGIN
#x := 1;
END_FUNCTION_BLOCK`)
  const imported = readSimaticMlText(`<Document>${writeObject(block, { version: 'V17' }).xml}</Document>`).objects[0]
  assert.ok(imported)
  const text = sourceTextOf(imported)
  assert.ok(
    text?.startsWith(
      'FUNCTION_BLOCK "B"\nTITLE = t\n{ S7_Optimized_Access := \'TRUE\' }\nAUTHOR : me\nVERSION : 0.1\n// note\n   VAR_INPUT \n',
    ),
  )
  const again = source(text ?? '')
  assert.deepEqual(again.networks, block.networks)
  assert.deepEqual(
    again.interface.map(({ members }) =>
      members.map(({ name, dataType, startValue, version, remanence }) => [
        name,
        dataType,
        startValue,
        version,
        remanence,
      ]),
    ),
    block.interface.map(({ members }) =>
      members.map(({ name, dataType, startValue, version, remanence }) => [
        name,
        dataType,
        startValue,
        version,
        remanence,
      ]),
    ),
  )
  assert.deepEqual([again.title, again.comment, again.author], [block.title, block.comment, block.author])
  const ladder = readSimaticMl(readFileSync(new URL('Counter_1.xml', fixtureFolder))).objects[0] as ImportedObject
  assert.equal(sourceTextOf(ladder), undefined)
})

test('versions are spelled as people spell them', () => {
  assert.equal(targetVersion('16'), 'V16')
  assert.equal(targetVersion('v21'), 'V21')
  assert.throws(() => targetVersion('V15'), /allowed: V16, V17/)
})

test('an interface has all sections of its kind in their order, then the others; twins are one', () => {
  const member = (name: string) => ({ name, dataType: 'Int', comment: {}, attributes: [], members: [] })
  const sectionsOf = (kind: ProgramObjectKind, sections: ImportedObject['interface'], onlyGiven = false) => {
    const writer = new XmlWriter()
    writeInterface(writer, kind, sections, { version: 'V19', onlyGiven })
    return [...writer.toString().matchAll(/<Section Name="(\w+)"|<Member Name="(\w+)"/g)]
      .map(([, section, name]) => section ?? `(${name})`)
      .join(' ')
  }
  assert.equal(sectionsOf('OB', []), 'Input Temp Constant')
  assert.equal(sectionsOf('FB', []), 'Input Output InOut Static Temp Constant')
  assert.equal(sectionsOf('FC', []), 'Input Output InOut Temp Constant Return')
  assert.equal(sectionsOf('GlobalDB', []), 'Static')
  assert.equal(sectionsOf('InstanceDB', []), 'Input Output InOut Static')
  assert.equal(sectionsOf('ArrayDB', []), 'None')
  assert.equal(sectionsOf('UDT', []), 'None')
  const given = [
    { section: 'Return' as const, members: [member('r')] },
    { section: 'Static' as const, members: [member('s')] },
    { section: 'Input' as const, members: [member('a')] },
    { section: 'Base' as const, members: [] },
    { section: 'Input' as const, members: [member('b')] },
  ]
  assert.equal(sectionsOf('FC', given), 'Base Input (a) (b) Output InOut Temp Constant Return (r) Static (s)')
  assert.equal(sectionsOf('FC', given, true), 'Return (r) Static (s) Input (a) Base Input (b)')
})
