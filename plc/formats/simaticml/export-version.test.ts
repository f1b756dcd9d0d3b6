import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError } from '../../model/fault.ts'
import { exportDocument } from './export-version.ts'
import { targetVersions, versionNumber } from './versions.ts'

const stem = 'http://www.siemens.com/automation/Openness/SW'

/** A block with something of every newer version in it. */
const blockXml = `<SW.Blocks.FB ID="3">
    <AttributeList>
      <Name>B &lt;1&gt;</Name>
      <Interface><Sections xmlns="${stem}/Interface/v5"><Section Name="Static"><Member Name="a" Datatype="Bool"><AssignedProDiagFB>P</AssignedProDiagFB></Member><Member Name="t" Datatype="G7_StepPlus_V6" Version="1.0" /><Member Name="u" Datatype="G7_StepPlus_V6" Version="1.0" /></Section></Sections></Interface>
      <Namespace>Company.Lib</Namespace>
      <ProgrammingLanguage>LAD</ProgrammingLanguage>
      <Supervisions><BlockTypeSupervisions xmlns="${stem}/BlockTypeSupervisions/v4"><BlockTypeSupervision><SupervisionName>S</SupervisionName></BlockTypeSupervision></BlockTypeSupervisions></Supervisions>
    </AttributeList>
    <ObjectList>
      <SW.Blocks.CompileUnit ID="4" CompositionName="CompileUnits">
        <AttributeList>
          <NetworkSource><FlgNet xmlns="${stem}/NetworkSource/FlgNet/v5"><Parts><Access Scope="NamedValueConstant" UId="21"><Constant Name="_.ns.T#V" Scope="Public" /></Access></Parts></FlgNet></NetworkSource>
          <ProgrammingLanguage>LAD</ProgrammingLanguage>
        </AttributeList>
        <LinkList><Step TargetID="3" /><Other TargetID="@OpenLink" /></LinkList>
      </SW.Blocks.CompileUnit>
    </ObjectList>
  </SW.Blocks.FB>`

const unknown = [
  { text: 'Namespace: the namespace "Company.Lib" of a block or type exists since V18: left out', since: 18 },
  { text: 'the ProDiag function block "P" assigned to a member exists since V17: left out', since: 17 },
  { text: 'the data type G7_StepPlus_V6 exists since V17: kept', since: 17 },
  { text: 'the named value _.ns.T#V exists since V19: kept', since: 19 },
  { text: 'the attribute Scope (Public) of a constant exists since V19: left out', since: 19 },
  { text: 'SupervisionName: the name "S" of a supervision exists since V21: left out', since: 21 },
]

test('what a version does not know is reported with its path, once, and left out where that is possible', () => {
  for (const target of targetVersions) {
    const { text, warnings } = exportDocument([blockXml], { target })
    const expected = unknown.filter(({ since }) => versionNumber(target) < since)
    assert.equal(warnings.length, expected.length, `${target}: ${warnings.join('\n')}`)
    for (const { text: part } of expected)
      assert.ok(
        warnings.some((warning) => warning.includes(part)),
        part,
      )
    const has = (part: string): boolean => text.includes(part)
    const since = (version: number): boolean => versionNumber(target) >= version
    assert.equal(has('<Namespace>'), since(18))
    assert.equal(has('AssignedProDiagFB'), since(17))
    assert.equal(has(' Scope="Public"'), since(19))
    assert.equal(has('SupervisionName'), since(21))
    assert.ok(has('Scope="NamedValueConstant"'))
    assert.ok(has(`Interface/v${since(17) ? 5 : 4}"`) && has(`FlgNet/v${since(19) ? 5 : 4}"`))
    assert.ok(has(`BlockTypeSupervisions/v${since(21) ? 4 : 3}"`))
  }
  const [first] = exportDocument([blockXml], { target: 'V16' }).warnings
  assert.match(first ?? '', /^"B <1>" \/SW\.Blocks\.FB\/AttributeList\//)
})

test('IDs count on over all roots, links follow them, and nothing inside attributes is renumbered', () => {
  const { text } = exportDocument([blockXml, blockXml], { target: 'V21' })
  const ids = [...text.matchAll(/ (?:Target)?ID="([^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(ids, ['0', '1', '0', '@OpenLink', '2', '3', '2', '@OpenLink'])
  const inside = '<A ID="9"><AttributeList><X><Y ID="7" /></X></AttributeList></A>'
  assert.match(exportDocument([inside]).text, /<A ID="0"><AttributeList><X><Y ID="7" \/>/)
})

test('attributes come into alphabetical order with what is changed in them', () => {
  const root = `<SW.Blocks.FB ID="1"><AttributeList>
  <Number>1</Number>
  <Namespace>x</Namespace>
  <Interface><Sections xmlns="${stem}/Interface/v5" /></Interface>
  <!-- stays -->
  <Name>B</Name>
</AttributeList><ObjectList><Z ID='5'><AttributeList><Text>b</Text><Culture>a</Culture></AttributeList></Z></ObjectList></SW.Blocks.FB>`
  const { text } = exportDocument([root], { target: 'V16' })
  assert.equal(
    text.split('\n').slice(3, -1).join('\n'),
    `  <SW.Blocks.FB ID="0"><AttributeList>
  <Interface><Sections xmlns="${stem}/Interface/v4" /></Interface>
  <Name>B</Name>
  <!-- stays -->
  <Number>1</Number>
</AttributeList><ObjectList><Z ID='1'><AttributeList><Culture>a</Culture><Text>b</Text></AttributeList></Z></ObjectList></SW.Blocks.FB>`,
  )
})

test('for the version it is of, an object is not adapted', () => {
  const root = `<SW.Types.PlcStruct ID="0"><AttributeList><Interface><Sections xmlns="${stem}/Interface/v2" /></Interface><Namespace>x</Namespace></AttributeList></SW.Types.PlcStruct>`
  const { text, warnings } = exportDocument([root], { engineeringVersion: 'V16', target: 'V16' })
  assert.ok(text.includes(root) && text.includes('<Engineering version="V16" />'))
  assert.deepEqual(warnings, [])
})

test('fragments without a namespace get that of the version; prefixes stay', () => {
  const root = `<SW.Blocks.FB ID="0"><AttributeList><Interface><Sections><Section Name="Input" /></Sections></Interface></AttributeList><ObjectList><U ID="1"><AttributeList><NetworkSource><n:FlgNet xmlns:n='${stem}/NetworkSource/FlgNet/v3' /></NetworkSource></AttributeList></U></ObjectList></SW.Blocks.FB>`
  const { text } = exportDocument([root], { target: 'V19' })
  assert.ok(text.includes(`<Interface><Sections xmlns="${stem}/Interface/v5"><Section`))
  assert.ok(text.includes(`<n:FlgNet xmlns:n='${stem}/NetworkSource/FlgNet/v5' />`))
})

test('alarm settings of old GRAPH blocks get what later versions must have', () => {
  const root = `<SW.Blocks.FB ID="0"><AttributeList><Name>G</Name></AttributeList><ObjectList><U ID="1"><AttributeList><NetworkSource><Graph xmlns="${stem}/NetworkSource/Graph/v1"><AlarmsSettings>
  <AlarmSupervisionCategories />
  <AlarmInterlockCategory Id="4" />
  <AlarmWarningCategory Id="2" />
</AlarmsSettings></Graph></NetworkSource></AttributeList></U></ObjectList></SW.Blocks.FB>`
  const { text, warnings } = exportDocument([root], { engineeringVersion: 'V14 SP1', target: 'V17' })
  const settings = [...text.matchAll(/<(Alarm\w+) Id="(\d)" \/>/g)].map((match) => `${match[1]} ${match[2]}`)
  assert.deepEqual(settings, [
    'AlarmInterlockCategory 4',
    'AlarmSubcategory1Interlock 0',
    'AlarmSubcategory2Interlock 0',
    'AlarmCategorySupervision 1',
    'AlarmSubcategory1Supervision 0',
    'AlarmSubcategory2Supervision 0',
    'AlarmWarningCategory 2',
    'AlarmSubcategory1Warning 0',
    'AlarmSubcategory2Warning 0',
  ])
  assert.match(warnings.join(), /^"G" .*AlarmsSettings: AlarmSubcategory1Interlock, .* were added with their defaults$/)
})

test('line ends are kept', () => {
  const { text } = exportDocument(['<A ID="4">\r\n</A>'], { engineeringVersion: 'V14 SP1' })
  assert.equal(
    text,
    '<?xml version="1.0" encoding="utf-8"?>\r\n<Document>\r\n  <Engineering version="V14 SP1" />\r\n  <A ID="0">\r\n</A>\r\n</Document>',
  )
  assert.throws(() => exportDocument(['<a><b></a>']), FormatError)
})

test('twenty thousand objects with unsorted attributes take no more than linear time', () => {
  const item = '<T ID="1"><AttributeList><B>2</B><A>1</A></AttributeList></T>'
  const { text } = exportDocument([`<R ID="0"><ObjectList>${item.repeat(20_000)}</ObjectList></R>`], { target: 'V18' })
  assert.equal(text.match(/<A>1<\/A><B>2<\/B>/g)?.length, 20_000)
})
