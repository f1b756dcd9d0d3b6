import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FormatError, type FormatFault } from '../../model/fault.ts'
import type { ImportedObject } from '../../model/object.ts'
import { importSimaticMlText, readSimaticMl, readSimaticMlText } from './read.ts'

const fixtureFolder = new URL('../../../test/fixtures/ikea-vyatka-sorting/', import.meta.url)

function fixture(name: string): { text: string; object: ImportedObject } {
  const bytes = readFileSync(new URL(encodeURIComponent(name), fixtureFolder))
  const { objects } = readSimaticMl(bytes)
  assert.equal(objects.length, 1)
  return { text: bytes.toString('utf8'), object: objects[0] as ImportedObject }
}

function faultsOf(text: string): readonly FormatFault[] {
  try {
    readSimaticMlText(text)
  } catch (error) {
    assert.ok(error instanceof FormatError)
    return error.faults
  }
  return []
}

test('a LAD block: header, interface with attributes, networks with operands', () => {
  const { text, object } = fixture('Counter_1.xml')
  assert.deepEqual(
    [object.kind, object.name, object.number, object.language, object.author, object.engineeringVersion],
    ['FB', 'Counter_1', 20, 'LAD', 'PSIfunc', 'V16'],
  )
  assert.ok(object.xml !== undefined && text.includes(object.xml))
  assert.ok(object.xml.startsWith('<SW.Blocks.FB ID="0">') && object.xml.endsWith('</SW.Blocks.FB>'))
  const gate = object.interface.find(({ section }) => section === 'Static')?.members[0]
  assert.deepEqual([gate?.name, gate?.dataType, gate?.version], ['SW_GATE_timer', 'TON', '1.0'])
  assert.deepEqual(
    gate?.sections?.map(({ section }) => section),
    ['Input', 'Output', 'InOut', 'Static'],
  )
  const parts = object.networks[0]?.parts ?? []
  assert.deepEqual(
    parts.map(({ uId, type, signal, negated, isGlobal }) => [uId, type, signal, negated, isGlobal]),
    [
      [24, 'Contact', '"ALG".start_encoder', true, true],
      [25, 'Contact', '"TRUE"', false, true],
      [26, 'O', undefined, false, false],
      [27, 'Coil', '"Tag_22"', false, true],
    ],
  )
})

test('an instance DB, a data type, a tag table, an OB, names outside ASCII', () => {
  const db = fixture('Counter_1_DB.xml').object
  assert.deepEqual([db.kind, db.instanceOf, db.language], ['InstanceDB', 'Counter_1', 'DB'])
  const type = fixture('PlankOnChain.xml').object
  assert.deepEqual([type.kind, type.language, type.interface[0]?.section], ['UDT', '', 'None'])
  assert.ok((type.interface[0]?.members.length ?? 0) > 0)
  const table = fixture('Таблица переменных из SDF_1.xml').object
  assert.deepEqual(
    [table.kind, table.name, table.tags, table.constants],
    ['TagTable', 'Таблица переменных из SDF_1', [], []],
  )
  const main = fixture('Main.xml').object
  assert.deepEqual([main.kind, main.secondaryType], ['OB', 'ProgramCycle'])
  assert.ok(main.networks.some(({ parts }) => parts.some(({ type: part, blockName }) => part === 'Call' && blockName)))
  assert.equal(fixture('Загрузка_DB.xml').object.name, 'Загрузка_DB')
})

const scl = `<Document><Engineering version="V17" /><SW.Blocks.FC ID="0"><AttributeList>
<Interface><if:Sections xmlns:if="http://www.siemens.com/automation/Openness/SW/Interface/v9"><if:Section Name="Input" /></if:Sections></Interface>
<Name>F</Name><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList><ObjectList>
<SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource><StructuredText>
<Access Scope="LocalVariable"><Symbol><Component Name="a b"><Token Text="["/><Access Scope="LocalConstant"><Constant Name="MAX"/></Access><Token Text="]"/></Component><Token Text="."/><Component Name="%X0"/></Symbol></Access>
<Blank Num="2"/><Token Text=":="/><Access Scope="Call"><CallInfo BlockType="FB"><Instance Scope="GlobalVariable"><Component Name="DB"/></Instance><Token Text="("/><Parameter Name="x"><Token Text=":="/><Access Scope="Address"><Address Area="Memory" Type="Word" BitOffset="80"/></Access></Parameter><Token Text=")"/></CallInfo></Access><Token Text=";"/><NewLine/>
<LineComment Inserted="true"><Text> c </Text></LineComment><Comment><MultiLanguageText Lang="en-US"> m </MultiLanguageText></Comment>
</StructuredText></NetworkSource><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.FC></Document>`

test('SCL tokens become text: implied marks, indices, slices, calls, addresses, comments', () => {
  const [object] = readSimaticMlText(scl).objects
  assert.equal(object?.networks[0]?.text, '#"a b"[#MAX].%X0  :="DB"(x:=%MW10);\n(* c *)/* m */')
})

test('an address in a data block that is named by its number comes in two parts', () => {
  const part = '<Address Area="DB" Type="Word" BitOffset="2576" UId="4" />'
  const whole = `<Symbol UId="1"><Address Area="DB" Type="Data" BlockNumber="2" UId="2" /><Token Text="." UId="3" />${part}</Symbol>`
  const access = `<Access Scope="Address">${whole}</Access>`
  const text = `<StructuredText xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/StructuredText/v3">${access}</StructuredText>`
  const unit = `<SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource>${text}</NetworkSource><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit>`
  const { objects } = readSimaticMlText(
    `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList><ObjectList>${unit}</ObjectList></SW.Blocks.FC></Document>`,
  )
  assert.equal(objects[0]?.networks[0]?.text, '%DB2.DBW322')
})

test('statement lists become statements', () => {
  const statements = `<StatementList><StlStatement><LabelDeclaration><Label Name="M1"/></LabelDeclaration><StlToken Text="A_BRACK"/></StlStatement>
<StlStatement><StlToken Text="EQ_I"/></StlStatement><StlStatement><StlToken Text="Assign"/><Access Scope="GlobalVariable"><Symbol><Component Name="Motor"/></Symbol></Access></StlStatement></StatementList>`
  const [object] = readSimaticMlText(scl.replace(/<StructuredText>[\s\S]*<\/StructuredText>/, statements)).objects
  assert.equal(object?.networks[0]?.text, 'M1: A(;\n==I;\n= "Motor";')
})

test('several root objects, watch tables and objects of other programs in one file', () => {
  const { objects } = readSimaticMlText(`<Document><Engineering version="V14 SP1" />
<SW.Tags.PlcTagTable ID="0"><AttributeList><Name>T</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><ExternalWritable>false</ExternalWritable><LogicalAddress>%I0.0</LogicalAddress><Name>Start</Name></AttributeList></SW.Tags.PlcTag>
<SW.Tags.PlcUserConstant ID="2" CompositionName="UserConstants"><AttributeList><DataTypeName>Int</DataTypeName><Name>MAX</Name><Value>5</Value></AttributeList></SW.Tags.PlcUserConstant></ObjectList></SW.Tags.PlcTagTable>
<SW.WatchAndForceTables.PlcWatchTable ID="3"><AttributeList><Name>W</Name></AttributeList><ObjectList>
<SW.WatchAndForceTables.PlcWatchTableEntry ID="4" CompositionName="Entries"><AttributeList><Address>%M0.0</Address><DisplayFormat>Bool</DisplayFormat><ModifyIntention>true</ModifyIntention><MonitorTrigger>Permanent</MonitorTrigger><Name>"Start"</Name></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry></ObjectList></SW.WatchAndForceTables.PlcWatchTable>
<Hmi.Screen.Screen ID="5"><AttributeList><Name>S</Name></AttributeList></Hmi.Screen.Screen></Document>`)
  assert.deepEqual(
    objects.map(({ kind, name }) => [kind, name]),
    [
      ['TagTable', 'T'],
      ['WatchTable', 'W'],
      ['Hmi.Screen.Screen', 'S'],
    ],
  )
  assert.deepEqual(objects[0]?.tags, [
    { name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: {}, externalWritable: false },
  ])
  assert.deepEqual(objects[0]?.constants, [{ name: 'MAX', dataType: 'Int', value: '5', comment: {} }])
  assert.deepEqual([objects[1]?.entries?.[0]?.name, objects[1]?.entries?.[0]?.modifyIntention], ['"Start"', true])
})

test('attributes that Openness documents are known; of others each export says so', () => {
  const documented = {
    OB: 'CyclicTime DataExchangeMode EnableTimeError Execution PriorityNumber ProcessImagePartNumber ReportEvents TransformationDBNumber',
    FB: 'ISMultiInstanceCapable RetainMemoryReserve LibraryTypeVersionGuid ParameterPassing CreateMinimizedDB',
    FC: 'LibraryType ParameterPassing HandleErrorsWithinBlock',
    GlobalDB: 'RetainMemoryReserve MemoryReserve IsIECCheckEnabled IsPLCDB',
  }
  for (const [kind, names] of Object.entries(documented)) {
    const attributes = [...names.split(' '), 'Stray'].map((name) => `<${name}>x</${name}>`).join('')
    const language = kind === 'GlobalDB' ? 'DB' : 'SCL'
    const text = `<Document><SW.Blocks.${kind} ID="0"><AttributeList><Name>N</Name><ProgrammingLanguage>${language}</ProgrammingLanguage>${attributes}</AttributeList></SW.Blocks.${kind}></Document>`
    const { warnings = [] } = importSimaticMlText(text).objects[0] ?? {}
    assert.deepEqual(
      warnings.map((warning) => /has no attribute (\w+)/.exec(warning)?.[1]),
      ['Stray'],
      kind,
    )
  }
})

test('faults name line, column, path, what was found and what is allowed', () => {
  const [syntax] = faultsOf('<Document>\n  <SW.Blocks.FB ID="0">\n  </SW.Blocks.FC>\n</Document>')
  assert.deepEqual([syntax?.code, syntax?.line], ['xml-syntax', 3])
  assert.match(syntax?.path ?? '', /^\/Document/)
  const [root] = faultsOf('<Project/>')
  assert.deepEqual([root?.code, root?.line, root?.column, root?.path], ['xml-root', 1, 1, '/Project'])
  assert.equal(faultsOf('<!DOCTYPE x [<!ENTITY a "b">]><Document>&a;</Document>')[0]?.code, 'xml-doctype')
  assert.equal(faultsOf('<Document>&a;</Document>')[0]?.code, 'xml-syntax')
  assert.equal(faultsOf('<Document></Document>')[0]?.code, 'xml-structure')
  // The text is decoded already, whatever it declares.
  assert.equal(faultsOf('<?xml version="1.0" encoding="windows-1252"?><Document/>')[0]?.code, 'xml-structure')
  const [number] = faultsOf(scl.replace('<Name>F</Name>', '<Name>F</Name><Number>70000</Number>'))
  assert.deepEqual(
    [number?.code, number?.line, number?.path],
    ['xml-value', 3, '/Document/SW.Blocks.FC/AttributeList/Number'],
  )
  assert.equal(faultsOf(scl.replace('<Name>F</Name>', ''))[0]?.code, 'xml-structure')
  assert.match(
    faultsOf(scl.replace('Scope="Address"', 'Scope="Nowhere"'))[0]?.message ?? '',
    /unknown scope "Nowhere"; allowed: /,
  )
})

test('a wire that leads nowhere is a broken reference', () => {
  const net =
    '<FlgNet><Parts><Part Name="Coil" UId="21"/></Parts><Wires><Wire UId="22"><Powerrail/><NameCon UId="99" Name="in"/></Wire></Wires></FlgNet>'
  const [fault] = faultsOf(scl.replace(/<StructuredText>[\s\S]*<\/StructuredText>/, net))
  assert.equal(fault?.code, 'xml-reference')
  assert.match(fault?.message ?? '', /wire 22 leads to UId "99"/)
})

test('depth, number of elements and length are bounded', () => {
  const limits = { maxLength: 10_000, maxDepth: 20, maxElements: 50 }
  const code = (text: string): string | undefined => {
    try {
      readSimaticMlText(text, limits)
    } catch (error) {
      return error instanceof FormatError ? error.faults[0]?.code : String(error)
    }
    return undefined
  }
  assert.equal(code(`<Document>${'<a>'.repeat(30)}${'</a>'.repeat(30)}</Document>`), 'xml-limit')
  assert.equal(code(`<Document>${'<a/>'.repeat(60)}</Document>`), 'xml-limit')
  assert.equal(code(`<Document>${' '.repeat(10_000)}</Document>`), 'xml-limit')
})

test('encoding, byte order mark and line ends make no difference to the model', () => {
  const bytes = readFileSync(new URL(encodeURIComponent('Загрузка_DB.xml'), fixtureFolder))
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
  const model = (file: Uint8Array): unknown => readSimaticMl(file).objects.map(({ xml: _xml, ...object }) => object)
  const expected = model(bytes)
  for (const eol of ['\n', '\r\n']) {
    const lines = text.replace(/\n/g, eol)
    for (const mark of ['', '\uFEFF']) {
      const utf16 = Buffer.from(mark + lines, 'utf16le')
      for (const file of [Buffer.from(mark + lines), utf16, Buffer.from(utf16).swap16()])
        assert.deepEqual(model(file), expected)
    }
  }
})

test('files of a version control workspace: no frame data, several roots, prefixes, names with a slash', () => {
  const { objects, engineeringVersion } = readSimaticMlText(`<Document>
<SW.Types.PlcStruct ID="0"><AttributeList><Interface><i:Sections xmlns:i="http://www.siemens.com/automation/Openness/SW/Interface/v1"><i:Section Name="None"><i:Member Name="ä/b" Datatype="Bool" /></i:Section></i:Sections></Interface><Name>a/b &amp; "c"</Name></AttributeList></SW.Types.PlcStruct>
<SW.Future.Thing ID="1"><AttributeList><Name>x</Name></AttributeList></SW.Future.Thing>
</Document>`)
  assert.equal(engineeringVersion, undefined)
  assert.deepEqual(
    objects.map(({ kind, name }) => [kind, name]),
    [
      ['UDT', 'a/b & "c"'],
      ['SW.Future.Thing', 'x'],
    ],
  )
  assert.equal(objects[0]?.interface[0]?.members[0]?.name, 'ä/b')
  const [outside] = faultsOf(
    '<Document xmlns:i="http://x/v1">\n<SW.Types.PlcStruct ID="0"><AttributeList><Interface><i:Sections /></Interface><Name>T</Name></AttributeList></SW.Types.PlcStruct></Document>',
  )
  assert.deepEqual([outside?.code, outside?.line], ['xml-structure', 2])
  assert.match(outside?.message ?? '', /prefix "i" is declared at <Document>/)
})

test('what a member has beyond the model is kept as it is, beside the rest that is read', () => {
  const memberOf = (content: string) => {
    const sections = `<Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static"><Member Name="a" Datatype="Int">${content}</Member></Section></Sections>`
    const { objects } = readSimaticMlText(
      `<Document><Engineering version="V18" /><SW.Blocks.GlobalDB ID="0"><AttributeList><Interface>${sections}</Interface><Name>D</Name><Number>1</Number><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB></Document>`,
    )
    const object = objects[0]
    assert.ok(object && 'interface' in object)
    const [member] = object.interface.flatMap(({ members }) => members)
    assert.ok(member)
    return member
  }
  const attribute = '<BooleanAttribute Name="ExternalWritable" SystemDefined="true">false</BooleanAttribute>'
  const list = `<AttributeList>${attribute}</AttributeList>`
  const comment = '<Comment><MultiLanguageText Lang="en-US">c</MultiLanguageText></Comment>'
  const plain = memberOf(list + comment)
  assert.deepEqual([plain.attributes.length, plain.comment, plain.kept], [1, { 'en-US': 'c' }, undefined])
  const unknown = '<Unknown Value="1" />'
  const oddList = list.replace('<Boolean', '<Odd x="1" /><Boolean')
  const oddComment = comment.replace('Lang=', 'Odd="1" Lang=')
  for (const [content, kept] of [
    [list + comment + unknown, [unknown]],
    [oddList + comment, [oddList]],
    [list + oddComment, [oddComment]],
  ] as const)
    assert.deepEqual(
      memberOf(content).kept?.elements?.map(({ xml }) => xml),
      kept,
      content,
    )
})

test('what lacks its name or its operand is a fault with its place; a call of an instance alone is not', () => {
  const tags = (row: string) =>
    `<Document><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>T</Name></AttributeList><ObjectList>\n${row}</ObjectList></SW.Tags.PlcTagTable></Document>`
  const net = (parts: string) =>
    `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList><ObjectList><SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource><FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts>\n${parts}</Parts></FlgNet></NetworkSource><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.FC></Document>`
  const places = (text: string) => {
    try {
      importSimaticMlText(text)
    } catch (error) {
      assert.ok(error instanceof FormatError)
      return error.faults.map(({ line, message }) => `${line} ${message}`)
    }
    return []
  }
  const tag = (name: string) =>
    `<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName>${name}</AttributeList></SW.Tags.PlcTag>`
  assert.deepEqual(places(tags(tag(''))), ['2 <SW.Tags.PlcTag> needs <Name> in its AttributeList'])
  assert.deepEqual(places(tags(tag('<Name>a</Name>'))), [])
  const info = (inner: string, name = '') =>
    net(`<Call UId="21"><CallInfo ${name} BlockType="FB">${inner}</CallInfo></Call>`)
  const instance = '<Instance Scope="GlobalVariable" UId="22"><Component Name="DB"/></Instance>'
  assert.match(places(info('')).join(), /^2 <CallInfo> needs the attribute Name/)
  assert.deepEqual(places(info(instance)), [])
  assert.deepEqual(places(info(instance, 'Name="B"')), [])
  const access = (inner: string) => net(`<Access Scope="GlobalVariable" UId="21">${inner}</Access>`)
  assert.match(places(access('')).join(), /^2 <Access> needs its operand/)
  assert.match(places(access('<Symbol/>')).join(), /^2 <Symbol> needs a <Component>/)
  assert.match(places(access('<Symbol><Component/></Symbol>')).join(), /^2 a Component needs the attribute Name/)
  assert.deepEqual(places(access('<Symbol><Component Name="a"/></Symbol>')), [])
  const part = (pin: string) => net(`<Part Name="Contact" UId="21"><Negated ${pin}/></Part>`)
  assert.match(places(part('')).join(), /^2 <Negated> needs the attribute Name, the pin/)
  assert.deepEqual(places(part('Name="operand"')), [])
})

test('a remanence in a structure that is not that of the structure is a warning with its place', () => {
  const member = (name: string, more: string, inner = '') =>
    `\n<Member Name="${name}" Datatype="${inner === '' ? 'Int' : 'Struct'}" ${more}>${inner}</Member>`
  const retain = 'Remanence="Retain"'
  const members = [
    member('a', '', member('b', '', member('c', retain))),
    member('d', retain, member('e', retain) + member('f', 'Remanence="NonRetain"')),
    member('g', retain),
  ]
  const text = `<Document><SW.Blocks.GlobalDB ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static">${members.join('')}</Section></Sections></Interface><MemoryLayout>Optimized</MemoryLayout><Name>D</Name><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB></Document>`
  const [object] = importSimaticMlText(text).objects
  assert.deepEqual(
    object?.warnings?.map((warning) => warning.slice(0, warning.indexOf(';'))),
    [
      'line 4, column 1: a.b.c is Retain in a structure that is NonRetain',
      'line 7, column 1: d.f is NonRetain in a structure that is Retain',
    ],
  )
})
