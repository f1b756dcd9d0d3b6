import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operand } from '../../model/operand.ts'
import { parseXml } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { readLogicNetwork } from './logic-network.ts'

const symbol = (scope: 'GlobalVariable' | 'LocalVariable', name: string): Operand & { kind: 'symbol' } => ({
  kind: 'symbol',
  scope,
  path: [{ name }],
})
const operands: Readonly<Record<string, Operand & { kind: 'symbol' }>> = {
  1: symbol('GlobalVariable', 'Start'),
  2: symbol('GlobalVariable', 'Motor_DB'),
  3: symbol('LocalVariable', 'timer'),
}
const names: Readonly<Record<string, string>> = { 20: 'TON', 21: 'PUT', 30: 'end' }
const callees: Readonly<Record<string, object>> = {
  10: { id: '10', name: 'Motor', blockType: 'FB', number: 7 },
  11: { id: '11', name: 'Scale', blockType: 'FC' },
}
const identifiers = {
  operand: (id: string) => operands[id],
  instance: (id: string) => operands[id] && { scope: operands[id].scope, path: operands[id].path },
  callee: (id: string) => callees[id],
  parameters: (id: string) => (id === '10' ? [{ name: 'on', section: 'Input', type: 'Bool' }] : []),
  kind: (id: string) => (id === '98' ? 'Instruction' : undefined),
  name: (id: string) => names[id],
  templates: (id: string, uId: string) => [{ name: `of ${id}`, type: 'Type', value: uId }],
  libraryEntry: (id: string) => `entry ${id}`,
} as unknown as Identifiers

const read = (inside: string) =>
  readLogicNetwork(parseXml(`<FlgNet>${inside}</FlgNet>`), identifiers, (name, entry) =>
    name === 'TON' && entry === 'entry 20' ? '1.0' : undefined,
  )
const nodes = (parts: string) => {
  const { network, problems } = read(`<Parts>${parts}</Parts>`)
  return { nodes: network.nodes, problems }
}

test('parts have their gate by the name of exports, with instance, templates and equation', () => {
  assert.deepEqual(
    nodes(
      `<Part UId="21" Gate="Contact"><Negated PinName="operand"/><Negated/></Part>
       <Part UId="22" Gate="CALC" DisableENO="true"><Equation>IN1 + IN2</Equation><TemplateValue Name="Card" Type="Cardinality">2</TemplateValue>
         <TemplateValue>Int</TemplateValue><AutomaticTyped Name="SrcType"/><AutomaticTyped/></Part>
       <Part UId="23" Gate="Scale" DisableENO="false"><Instance RefId="3" UId="24"/></Part><Part UId="25"/>`,
    ),
    {
      problems: [],
      nodes: [
        {
          kind: 'part',
          uId: 21,
          name: 'Contact',
          negated: ['operand', ''],
          invisible: [],
          templates: [],
          automaticTyped: [],
        },
        {
          kind: 'part',
          uId: 22,
          name: 'Calc',
          negated: [],
          invisible: [],
          disabledEno: true,
          equation: 'IN1 + IN2',
          templates: [
            { name: 'Card', type: 'Cardinality', value: '2' },
            { name: '', type: 'Type', value: 'Int' },
          ],
          automaticTyped: ['SrcType', ''],
        },
        {
          kind: 'part',
          uId: 23,
          name: 'Scale_X',
          negated: [],
          invisible: [],
          instance: { scope: 'LocalVariable', path: [{ name: 'timer' }], uId: 24 },
          templates: [],
          automaticTyped: [],
        },
        { kind: 'part', uId: 25, name: '', negated: [], invisible: [], templates: [], automaticTyped: [] },
      ],
    },
  )
})

test('boxes of the instruction library have their version and types, calls their block and its parameters', () => {
  assert.deepEqual(
    nodes(
      `<LRef UId="21" RefId="20"><Instance RefId="3" UId="22"/></LRef>
       <CRef UId="23" RefId="99"><CodeBlock RefId="10"/><Instance RefId="2" UId="24"/><Negated PinName="on"/></CRef>
       <CRef UId="25" RefId="11"/>`,
    ),
    {
      problems: [],
      nodes: [
        {
          kind: 'part',
          uId: 21,
          name: 'TON',
          version: '1.0',
          negated: [],
          invisible: [],
          instance: { scope: 'LocalVariable', path: [{ name: 'timer' }], uId: 22 },
          templates: [{ name: 'of 20', type: 'Type', value: '21' }],
          automaticTyped: [],
        },
        {
          kind: 'call',
          uId: 23,
          name: 'Motor',
          blockType: 'FB',
          blockNumber: 7,
          negated: ['on'],
          invisible: [],
          instance: { scope: 'GlobalVariable', path: [{ name: 'Motor_DB' }], uId: 24 },
          parameters: [{ name: 'on', section: 'Input', type: 'Bool' }],
        },
        { kind: 'call', uId: 25, name: 'Scale', blockType: 'FC', negated: [], invisible: [], parameters: [] },
      ],
    },
  )
})

test('wires lead from pin to pin; open pins are operands without an identifier', () => {
  const { network, problems } = read(
    `<Parts><ORef UId="21" RefId="1"/><ORef UId="22" RefId="-1"/><ORef UId="23"/><Part UId="24" Gate="A"/>
       <Part UId="25" Gate="O"/><Part UId="26" Gate="X"/><Part UId="27" Gate="Coil"/><CRef UId="28" RefId="10"/></Parts>
     <Wires><Wire UId="31"><Powerrail/><PCon UId="28" PinName="EN"/></Wire>
       <Wire UId="32"><OCon UId="21"/><PCon UId="24" PinName="IN1"/></Wire>
       <Wire UId="33"><OCon UId="22"/><PCon UId="25" PinName="IN1"/></Wire>
       <Wire UId="34"><OCon UId="23"/><PCon UId="26" PinName="IN1"/></Wire>
       <Wire UId="35"><PCon UId="28" PinName="ENO"/><PCon UId="27" PinName="IN"/><Openbranch/></Wire>
       <Wire UId="36"><PCon UId="28" PinName="ENABLE"/><OpenCon UId="37"/></Wire>
       <Wire UId="38"><PCon UId="27"/><OCon UId="99"/></Wire>
       <Wire UId="39"><Powerrail/><Openbranch/><Other/></Wire></Wires>
     <Labels><ORef UId="40" RefId="30"/><ORef UId="41" RefId="99"/></Labels>`,
  )
  assert.deepEqual(problems, ['wire end Other: not understood', 'label 41: its name is not in the file'])
  assert.deepEqual(
    network.nodes.map(({ uId }) => uId),
    [21, 24, 25, 26, 27, 28],
  )
  assert.deepEqual(network.wires, [
    { uId: 31, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 28, pin: 'en' }] },
    {
      uId: 32,
      ends: [
        { kind: 'operand', uId: 21 },
        { kind: 'pin', uId: 24, pin: 'in1' },
      ],
    },
    {
      uId: 33,
      ends: [
        { kind: 'open', uId: 22 },
        { kind: 'pin', uId: 25, pin: 'in1' },
      ],
    },
    {
      uId: 34,
      ends: [
        { kind: 'open', uId: 23 },
        { kind: 'pin', uId: 26, pin: 'in1' },
      ],
    },
    {
      uId: 35,
      ends: [{ kind: 'pin', uId: 28, pin: 'eno' }, { kind: 'pin', uId: 27, pin: 'IN' }, { kind: 'openbranch' }],
    },
    {
      uId: 36,
      ends: [
        { kind: 'pin', uId: 28, pin: 'ENABLE' },
        { kind: 'open', uId: 37 },
      ],
    },
    { uId: 39, ends: [{ kind: 'powerrail' }, { kind: 'openbranch' }] },
  ])
  assert.deepEqual(network.labels, [
    { uId: 40, name: 'end' },
    { uId: 41, name: '' },
  ])
})

test('what of a network is not understood is told and left out, never guessed', () => {
  const found = nodes(
    `<ORef UId="21" RefId="98"/><ORef UId="22" RefId="97"/><LRef UId="23" RefId="97"/><LRef UId="24" RefId="21"/>
     <CRef UId="25" RefId="97"/><Frame UId="26"/><Part UId="27" Gate="Coil"><Instance RefId="98" UId="28"/></Part>
     <Part UId="29" Gate="Coil"><Instance RefId="96"/><Instance/></Part><Part UId="30" Gate="Coil"><Instance/></Part>`,
  )
  assert.deepEqual(
    found.nodes.map(({ uId, kind }) => [uId, kind]),
    [24, 27, 29, 30].map((uId) => [uId, 'part']),
  )
  assert.ok(found.nodes.every((node) => !('instance' in node) && !('version' in node)))
  assert.deepEqual(found.problems, [
    'operand 21: Instruction 98 is not understood',
    'operand 22: no identifier 97 is not understood',
    "box 23: the instruction 97 is not in the file's identifiers",
    'box 24: the version of the instruction PUT is not in the file',
    "call 25: the called block 97 is not in the file's identifiers",
    'Frame 26: an element that is not understood',
    'box 27: its instance (Instruction) is not understood',
    'box 29: its instance (96) is not understood',
  ])
})
