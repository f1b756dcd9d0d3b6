import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { comparableNetworks } from '../../testing/simaticml-compare.ts'
import { readLogicNetwork } from './flgnet-read.ts'
import { writeLogicNetwork } from './flgnet-write.ts'
import { readSimaticMl } from './read.ts'
import { parseXml, XmlFaults } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

function read(xml: string): { graph: LogicNetwork; faults: readonly string[] } {
  const faults = new XmlFaults(xml)
  const graph = readLogicNetwork(parseXml(xml), faults)
  return { graph, faults: faults.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`) }
}

function write(graph: LogicNetwork): string {
  const writer = new XmlWriter()
  writeLogicNetwork(writer, graph, { version: 'V19' })
  return writer.toString()
}

/** Everything the schema allows in a network, in the form TIA Portal writes. */
const wholeNetwork = `<FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v5">
  <Labels>
    <LabelDeclaration UId="21">
      <Label Name="end" />
      <Comment>
        <MultiLanguageText Lang="de-DE">Schluß &lt;1&gt;</MultiLanguageText>
      </Comment>
    </LabelDeclaration>
  </Labels>
  <Parts>
    <Access Scope="GlobalVariable" UId="22">
      <Symbol>
        <Component Name="DB" />
        <Component Name="list" SliceAccessModifier="x3" AccessModifier="Array">
          <Access Scope="LiteralConstant">
            <Constant>
              <ConstantType>Int</ConstantType>
              <ConstantValue>-1</ConstantValue>
            </Constant>
          </Access>
          <Access Scope="LocalVariable">
            <Symbol>
              <Component Name="i" />
            </Symbol>
          </Access>
        </Component>
      </Symbol>
    </Access>
    <Access Scope="GlobalVariable" UId="23">
      <Symbol>
        <Component Name="sensor" SimpleAccessModifier="Periphery" />
        <Address Area="Input" Type="Bool" BitOffset="3" Informative="true" />
      </Symbol>
    </Access>
    <Access Scope="Address" UId="24">
      <Address Area="DB" Type="DWord" BlockNumber="4" BitOffset="80" />
    </Access>
    <Access Scope="TypedConstant" UId="25">
      <Constant>
        <ConstantType Informative="true">Time</ConstantType>
        <ConstantValue>T#5s</ConstantValue>
        <StringAttribute Name="Format" Informative="true">Time</StringAttribute>
      </Constant>
    </Access>
    <Access Scope="GlobalConstant" UId="26">
      <Constant Name="MAX" />
    </Access>
    <Access Scope="Label" UId="27">
      <Label Name="end" />
    </Access>
    <Access Scope="Statusword" UId="28">
      <Statusword Combination="OV" />
    </Access>
    <Access UId="29" Scope="Expression">
      <Expression><Token Text="(" /><Access Scope="LocalVariable"><Symbol><Component Name="a" /></Symbol></Access></Expression>
    </Access>
    <Access Scope="Address" UId="30">
      <Address Area="DB" Type="Block_DB" BitOffset="7" />
    </Access>
    <Part Name="Calc" UId="31" DisabledENO="true">
      <Equation>IN1 &amp; IN2</Equation>
      <TemplateValue Name="Card" Type="Cardinality">2</TemplateValue>
      <AutomaticTyped Name="SrcType" />
      <Invisible Name="eno" />
      <Negated Name="in1" />
      <Comment>
        <MultiLanguageText Lang="en-US">why</MultiLanguageText>
      </Comment>
    </Part>
    <Part Name="TON" Version="1.0" UId="32" Future="yes">
      <Instance Scope="GlobalVariable" UId="33">
        <Component Name="DB" />
      </Instance>
      <Later><Inner>x</Inner></Later>
      <TemplateValue Name="time_type" Type="Type">Time</TemplateValue>
    </Part>
    <Call UId="34">
      <CallInfo Name="FB &quot;1&quot;" BlockType="FB">
        <IntegerAttribute Name="BlockNumber" Informative="true">12</IntegerAttribute>
        <Instance Scope="LocalVariable" UId="35">
          <Component Name="inst" />
        </Instance>
        <DateAttribute Name="ParameterModifiedTS" Informative="true">2020-01-01T00:00:00</DateAttribute>
        <Parameter Name="x" Section="Input" Type="Array[0..1] of &quot;T&quot;" TemplateReference="t">
          <StringAttribute Name="InterfaceFlags" Informative="true">S7_Visible</StringAttribute>
        </Parameter>
      </CallInfo>
      <Negated Name="en" />
    </Call>
  </Parts>
  <Wires>
    <Wire UId="36">
      <Powerrail />
      <NameCon UId="34" Name="en" />
      <NameCon UId="32" Name="IN" />
    </Wire>
    <Wire UId="37">
      <IdentCon UId="22" />
      <NameCon UId="34" Name="x" />
    </Wire>
    <Wire UId="38">
      <NameCon UId="32" Name="Q" />
      <OpenCon UId="39" />
    </Wire>
    <Wire UId="40">
      <Openbranch />
      <NameCon UId="31" Name="en" />
    </Wire>
  </Wires>
</FlgNet>`

/** Removes white space between elements. */
function dense(xml: string): string {
  return xml.replace(/>\s+</g, '><')
}

test('a network with everything the schema allows is written as it was read', () => {
  const { graph, faults } = read(wholeNetwork)
  assert.deepEqual(faults, [])
  assert.equal(dense(write(graph)), dense(wholeNetwork))
  assert.deepEqual(graph.nodes[1], {
    kind: 'operand',
    uId: 23,
    operand: {
      kind: 'symbol',
      scope: 'GlobalVariable',
      path: [{ name: 'sensor', access: 'Periphery' }],
      kept: { elements: [{ at: 1, xml: '<Address Area="Input" Type="Bool" BitOffset="3" Informative="true" />' }] },
    },
  })
  assert.deepEqual(graph.wires[2]?.ends, [
    { kind: 'pin', uId: 32, pin: 'Q' },
    { kind: 'open', uId: 39 },
  ])
})

test('UIds are given anew from 21 in document order, open ends included', () => {
  const scattered = wholeNetwork.replace(/UId="(\d+)"/g, (_, uId) => `UId="${1000 - Number(uId) * 3}"`)
  const { graph, faults } = read(scattered)
  assert.deepEqual(faults, [])
  assert.equal(dense(write(graph)), dense(wholeNetwork))
})

test('named constants of V18 are found by their value', () => {
  const { graph } = read(
    '<FlgNet><Parts><Access Scope="LocalConstant" UId="1"><Constant><ConstantValue>#"a b"</ConstantValue></Constant></Access></Parts></FlgNet>',
  )
  assert.deepEqual(graph.nodes[0], {
    kind: 'operand',
    uId: 1,
    operand: { kind: 'constant', scope: 'LocalConstant', name: 'a b' },
  })
})

test('broken references and structure are named with line and path', () => {
  const net = (parts: string, wires: string): readonly string[] =>
    read(`<FlgNet>\n<Parts>${parts}</Parts>\n<Wires>${wires}</Wires>\n</FlgNet>`).faults
  const coil = '<Part Name="Coil" UId="21" />'
  const operand = '<Access Scope="LocalVariable" UId="22"><Symbol><Component Name="x" /></Symbol></Access>'
  const first = (parts: string, wires = ''): string => net(parts, wires)[0] ?? ''
  assert.match(
    first(coil, '<Wire UId="23"><Powerrail /><NameCon UId="99" Name="in" /></Wire>'),
    /^3 \/FlgNet\/Wires\/Wire\/NameCon: wire 23 leads to UId "99"/,
  )
  assert.match(first(coil + operand, '<Wire UId="22"><Powerrail /></Wire>'), /UId 22 is given twice/)
  assert.match(
    first(coil + coil),
    /^2 \/FlgNet\/Parts\/Part\[2\]: UId 21 is given twice in this network, first to <Part>/,
  )
  assert.match(first(coil, '<Wire UId="23"><IdentCon UId="21" /></Wire>'), /but that is <Part>/)
  assert.match(first(operand, '<Wire UId="23"><NameCon UId="22" Name="a" /></Wire>'), /but that is <Access>/)
  const into = '<NameCon UId="21" Name="in" />'
  assert.match(
    first(coil, `<Wire UId="23"><Powerrail />${into}</Wire><Wire UId="24"><Powerrail />${into}</Wire>`),
    /wire 24 leads into pin "in" of UId 21, but wire 23 does so already/,
  )
  assert.match(first(coil.replace('21', 'x')), /UId is "x", expected a whole number/)
  assert.match(first('<Part Name="Coil" />'), /needs the attribute UId/)
  assert.match(first('<Coil UId="21" />'), /<Coil> cannot stand in Parts; allowed: Access, Part, Call/)
  assert.match(first(coil, '<Wire UId="23"><Plug /></Wire>'), /<Plug> cannot stand in a Wire/)
  assert.match(first('<Access Scope="Nowhere" UId="21" />'), /unknown scope "Nowhere"/)
  assert.match(first('<Call UId="21" />'), /needs a <CallInfo>/)
  assert.match(first('<Call UId="21"><CallInfo Name="F" /></Call>'), /needs the attribute BlockType/)
  assert.deepEqual(net(coil, `<Wire UId="23"><Powerrail />${into}</Wire>`), [])
})

test('a network whose wire leads nowhere is not written', () => {
  const graph: LogicNetwork = { labels: [], nodes: [], wires: [{ uId: 1, ends: [{ kind: 'operand', uId: 5 }] }] }
  assert.throws(() => write(graph), /leads to UId 5/)
})

test('networks of real blocks are the same after writing and reading', () => {
  let count = 0
  for (const name of ['Counter_1.xml', 'Main.xml']) {
    const bytes = readFileSync(new URL(`../../../test/fixtures/ikea-vyatka-sorting/${name}`, import.meta.url))
    for (const { networks } of readSimaticMl(bytes).objects)
      for (const network of networks) {
        const { graph } = network
        if (graph === undefined) continue
        count++
        const again = { ...network, graph: read(write(graph)).graph }
        assert.deepEqual(comparableNetworks([again]), comparableNetworks([network]))
      }
  }
  assert.ok(count > 5, `${count} networks`)
})
