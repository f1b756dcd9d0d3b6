import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import { type DataLayout, type InterfaceOwner, InterfaceReader } from './block-interface.ts'
import { DataTypes } from './data-types.ts'
import type { StoredObject } from './object.ts'

type Made = Parameters<typeof madeObject>[0]

/** Types by their number, as members name them in the lowest 16 bits. */
const typeObject = (id: number, name: string, scope = 'S71500') =>
  madeObject({
    type: 'ElementaryTypeData',
    name,
    values: { 'IDataTypeContent.DataTypeID': id, 'IDataTypeContent.Scope': scope },
  })
const types = [typeObject(1, 'Bool'), typeObject(5, 'Int'), typeObject(1, 'Other'), typeObject(9, 'Hmi', 'WinCC')]
const systemType = madeObject({
  type: 'SystemDatatypeData',
  name: 'IEC_TIMER',
  values: { 'IPlcHeaderData.HeaderVersion': '1.2' },
})
const bool = 'RID="33554433"'
const int = 'RID="33554437"'
/** A structure by the kind of its number. */
const struct = `RID="${0x91000000}"`

const part = (xml: string, more: Partial<Made> = {}) =>
  madeObject({ type: 'InterfacePartData', ...more, values: { ...more.values, 'IInterfacePartData.Payload': xml } })
const root = (xml: string, parts: readonly StoredObject[] = [], name = '') =>
  part(xml, { type: 'InterfaceVersionRootData', name, relations: { UsedParts: parts } })
const valuesPart = (values: string) =>
  part(`<Part><Values>${values}</Values></Part>`, { values: { 'IInterfacePartData.Kind': 'Values' } })

const optimized: DataLayout = { isStandardAccess: false, isRetentive: false }

/** Reads an interface; the parts are all objects that it leads to. */
function read(
  owner: InterfaceOwner,
  declared: StoredObject,
  parts: readonly StoredObject[] = [],
  { layout = optimized, comments = [] as readonly StoredObject[], relation = 'CurrentInterface' } = {},
) {
  const block = madeObject({
    type: 'CodeBlockData',
    relations: { [relation]: [declared], InterfaceComments: comments },
  })
  const store = storeOf([...types, systemType, block, declared, ...parts, ...comments])
  return new InterfaceReader(store, new DataTypes(store)).read(block, owner, layout)
}
const plain = (name: string, dataType: string, more: Partial<InterfaceMember> = {}): InterfaceMember => ({
  name,
  dataType,
  comment: {},
  attributes: [],
  members: [],
  ...more,
})
const attribute = (name: string, value: string) => ({ name, type: 'Boolean' as const, value, systemDefined: true })

test('a function block has its sections, with types, start values, comments, remanence and attributes', () => {
  const declared = root(
    `<Root><Member ID="2" Name="Input"><Member ID="21" Name="on" ${bool}/></Member>
     <Member ID="3" Name="Output"/><Member ID="4" Name="InOut"/>
     <Member ID="5" Name="Static">
       <Member ID="31" Name="count_x0020_1" ${int} Remanence="Remanent"/><Member ID="32" Name="kept" ${int} Remanence="Retain"/>
       <Member ID="33" Name="set" ${int} MFlags="527" Accessibility="Internal"/><Member ID="34" Name="own" ${int} MFlags="4096"/>
       <Member ID="35" Name="area" ${struct}><Member ID="36" Name="inner" ${bool} MFlags="12"/></Member>
       <Member ID="37" Name="list" Type="Array[0..1] of Int"/><Member ID="38" Name="odd" RID="77"/></Member>
     <Member ID="6" Name="Temp"><Member ID="41" Name="t" ${bool} MFlags="12"/></Member>
     <Member ID="8" Name="Constant"><Member ID="51" Name="c" ${int}/></Member><Member ID="11" Name="New"/>
     <Values><V p="31" v="5"/><V p="35:36" v="TRUE"/><V p="37[1]" v="7"/><V p="51" v="9"/></Values>
     <ExtensionMemory VolatileSize="100"/></Root>`,
  )
  const comments = madeObject({
    type: 'Comments',
    rowTexts: {
      ICommentsExpandoAttributeSet: {
        21: { 1033: 'starts it' },
        '37[0]': { 1031: 'erstes' },
        '37[1]': { 1033: 'last' },
      },
    },
  })
  const { sections, memoryReserve, problems } = read('functionBlock', declared, [], { comments: [comments] })
  const hidden = ['Accessible', 'Visible', 'Writable'].map((what) => attribute(`External${what}`, 'false'))
  assert.equal(memoryReserve, '100')
  assert.deepEqual(problems, ['member "odd": the type 77 is not known', 'a section that is not understood: New'])
  assert.deepEqual(sections, [
    { section: 'Input', members: [plain('on', 'Bool', { comment: { 'en-US': 'starts it' } })] },
    { section: 'Output', members: [] },
    { section: 'InOut', members: [] },
    {
      section: 'Static',
      members: [
        plain('count 1', 'Int', { startValue: '5', remanence: 'Retain' }),
        plain('kept', 'Int', { remanence: 'Retain' }),
        plain('set', 'Int', { accessibility: 'Internal', attributes: [attribute('SetPoint', 'true')] }),
        plain('area', 'Struct', { members: [plain('inner', 'Bool', { startValue: 'TRUE', attributes: hidden })] }),
        plain('list', 'Array[0..1] of Int', {
          subelements: [
            { path: '1', startValue: '7', comment: { 'en-US': 'last' } },
            { path: '0', comment: { 'de-DE': 'erstes' } },
          ],
        }),
        plain('odd', 'Variant'),
      ],
    },
    { section: 'Temp', members: [plain('t', 'Bool')] },
    { section: 'Constant', members: [plain('c', 'Int', { startValue: '9' })] },
  ])
})

test('with standard access the instance says whether elementary data and structures are retentive', () => {
  const type = root('<Root><Member ID="61" Name="x" RID="33554437"/></Root>')
  const declared = root(
    `<Root><Member ID="2" Name="Input"><Member ID="21" Name="on" ${bool}/></Member>
     <Member ID="5" Name="Static"><Member ID="31" Name="area" ${struct}><Member ID="32" Name="inner" ${bool}/></Member>
       <Member ID="33" Name="typed" Type="&quot;Set&quot;" RID="${0x95000000}" SubPartIndex="0"/>
       <Member ID="34" Name="pointer" ${int} SlotNo="3"/><Member ID="35" Name="any" RID="22" Type="Any"/>
       <Member ID="36" Name="kept" ${int} Remanence="Retain"/></Member>
     <Member ID="6" Name="Temp"><Member ID="41" Name="t" ${bool}/></Member></Root>`,
    [type],
  )
  const remanence = (owner: InterfaceOwner, layout: DataLayout) =>
    read(owner, declared, [type], { layout }).sections.map(({ members }) =>
      members.map((member) => [member.name, member.remanence, member.members[0]?.remanence]),
    )
  const standard = { isStandardAccess: true, isRetentive: false }
  assert.deepEqual(remanence('functionBlock', standard), [
    [['on', 'SetInIDB', undefined]],
    [
      ['area', 'SetInIDB', undefined],
      ['typed', undefined, undefined],
      ['pointer', undefined, undefined],
      ['any', undefined, undefined],
      ['kept', 'Retain', undefined],
    ],
    [['t', undefined, undefined]],
  ])
  const own = (layout: DataLayout, owner: InterfaceOwner) =>
    remanence(owner, layout).flatMap((members) => members.filter(([, of]) => of !== undefined).map(([name]) => name))
  assert.deepEqual(own(optimized, 'functionBlock'), ['kept'])
  assert.deepEqual(own(standard, 'function'), ['kept'])
  assert.deepEqual(own(standard, 'data'), ['kept'])
})

test('members of functions have no attributes; those of types and data can be setpoints', () => {
  const declared = root(
    `<Root><Member ID="2" Name="Input"><Member ID="21" Name="a" ${bool} MFlags="527"/></Member>
     <Member ID="5" Name="Static"><Member ID="22" Name="b" ${bool} MFlags="527"/></Member>
     <Member ID="6" Name="Temp"><Member ID="23" Name="c" ${bool} MFlags="527"/></Member></Root>`,
  )
  const attributes = (owner: InterfaceOwner) =>
    read(owner, declared).sections.map(({ members }) => members[0]?.attributes.map(({ name }) => name))
  assert.deepEqual(attributes('function'), [[], [], []])
  // A parameter is no setpoint, and a temporary variable no data.
  assert.deepEqual(attributes('functionBlock'), [[], ['SetPoint'], []])
})

test('an interface without sections is that of a type, or the static data of a block', () => {
  const declared = root(
    `<Root><Member ID="21" Name="a" ${bool} MFlags="527"/><Member ID="22" Name="b" ${int} MFlags="77"/></Root>`,
  )
  const { sections, problems } = read('type', declared)
  const members = [plain('a', 'Bool', { attributes: [attribute('SetPoint', 'true')] })]
  assert.deepEqual(
    sections.map(({ section }) => section),
    ['None'],
  )
  assert.deepEqual(sections[0]?.members[0], members[0])
  assert.match(problems.join(), /^member "b": whether it is visible or accessible/)
  assert.deepEqual(
    read('data', declared).sections.map(({ section }) => section),
    ['Static'],
  )
  assert.deepEqual(read('type', declared, [], { relation: 'CurrentLibraryInterface' }).sections, sections)
})

test('values that stand as an attribute by name count, and are later than those in the interface', () => {
  const member = (id: number, name: string) => `<Member ID="${id}" Name="${name}" ${int}/>`
  const declared = madeObject({
    type: 'InterfaceVersionRootData',
    values: {
      'IInterfacePartData.Payload': `<Root><Member ID="8" Name="Constant">${member(51, 'a')}${member(52, 'b')}
        ${member(53, 'c')}</Member><Values><V p="51" v="1"/><V p="52" v="2"/></Values></Root>`,
    },
    parameters: { Values: '<Values><V p="52" h="1" v="16#82"/></Values>' },
  })
  assert.deepEqual(read('function', declared), {
    sections: [
      {
        section: 'Constant',
        members: [
          plain('a', 'Int', { startValue: '1' }),
          plain('b', 'Int', { startValue: '16#82' }),
          plain('c', 'Int'),
        ],
      },
    ],
    problems: [],
  })
})

test('an instance has the data sections of its type with its own values', () => {
  const values = valuesPart('<V p="31" v="2"/><V p="32" v="3"/>')
  const type = root(
    `<Root><Member ID="2" Name="Input"><Member ID="31" Name="a" ${int}/></Member>
     <Member ID="5" Name="Static"><Member ID="32" Name="b" ${int} MFlags="64"/></Member>
     <Member ID="6" Name="Temp"><Member ID="33" Name="t" ${int}/></Member>
     <Member ID="7" Name="Return"/><Member ID="8" Name="Constant"/><Values><V p="31" v="1"/></Values></Root>`,
  )
  const instance = root('<Root><Values><V p="31" v="1"/></Values></Root>', [type, values])
  const expected = (more: Partial<InterfaceMember>): InterfaceSection[] => [
    { section: 'Input', members: [plain('a', 'Int', { startValue: '2', ...more })] },
    {
      section: 'Static',
      members: [plain('b', 'Int', { startValue: '3', attributes: [attribute('ExternalWritable', 'false')], ...more })],
    },
  ]
  assert.deepEqual(read('instance', instance, [type, values]).sections, expected({}))
  const layout = { isStandardAccess: true, isRetentive: true }
  assert.deepEqual(read('instance', instance, [type, values], { layout }).sections, expected({ remanence: 'Retain' }))
  // Comments are those of the type.
  const comments = [
    madeObject({ type: 'Comments', rowTexts: { ICommentsExpandoAttributeSet: { 31: { 1033: 'of another' } } } }),
  ]
  assert.deepEqual(read('instance', instance, [type, values], { comments }).sections, expected({}))
  // The root itself may be the values.
  const bare = root('<Values><V p="31" v="4"/></Values>', [type])
  assert.equal(read('instance', bare, [type]).sections[0]?.members[0]?.startValue, '4')
  assert.deepEqual(read('instance', root('<Values/>')), { sections: [], problems: [] })
})

test('members of types have a copy of its members where values stand inside; library types always', () => {
  const type = root(`<Root><Member ID="51" Name="x" ${int} MFlags="4096"/><Member ID="52" Name="y" ${int}/>
    <Member ID="53" Name="z" ${int} MFlags="4108"/></Root>`)
  const timer = root(`<Root><Member ID="51" Name="PT" ${int}/></Root>`, [], '_BIVE:TON_TIME/1.0.5/x')
  const declared = root(
    `<Root><Member ID="5" Name="Static"><Member ID="31" Name="a" Type="&quot;Set&quot;" RID="1" SubPartIndex="0"/>
       <Member ID="32" Name="b" Type="&quot;Set&quot;" RID="1" SubPartIndex="0"/>
       <Member ID="33" Name="timer" Type="TON_TIME" RID="1" SubPartIndex="1"/>
       <Member ID="34" Name="old" Type="IEC_TIMER" RID="1" SubPartIndex="9"/>
       <Member ID="35" Name="timers" Type="Array[0..1] of IEC_TIMER" RID="1" SubPartIndex="9"/></Member>
     <Values><V p="31:52" v="6"/><V p="31:53" v="7"/></Values></Root>`,
    [type, timer],
  )
  const [section] = read('functionBlock', declared, [type, timer]).sections
  const setPoint = { attributes: [attribute('SetPoint', 'true')] }
  assert.deepEqual(section?.members, [
    plain('a', '"Set"', {
      ...setPoint,
      // What only the instruction writes has values of the last run.
      sections: [{ section: 'None', members: [plain('y', 'Int', { startValue: '6' }), plain('z', 'Int')] }],
    }),
    plain('b', '"Set"', setPoint),
    plain('timer', 'TON_TIME', {
      ...setPoint,
      version: '1.0',
      sections: [{ section: 'None', members: [plain('PT', 'Int')] }],
    }),
    plain('old', 'IEC_TIMER', { ...setPoint, version: '1.2' }),
    plain('timers', 'Array[0..1] of IEC_TIMER', { ...setPoint, version: '1.2' }),
  ])
})

test('members of a structure can stand in a part of their own, and share the parts of the interface', () => {
  const type = root(`<Root><Member ID="61" Name="deep" ${bool}/></Root>`)
  const inside = part(
    `<Part><Member ID="51" Name="x" ${int}/><Member ID="52" Name="t" Type="Own" RID="1" SubPartIndex="1"/></Part>`,
  )
  const declared = root(
    `<Root><Member ID="5" Name="Static"><Member ID="31" Name="area" RID="${0x93000000}" SubPartIndex="0"/>
       <Member ID="32" Name="list" Type="Array[0..1] of Struct" RID="${0x02000000}" SubPartIndex="0"/></Member></Root>`,
    [inside, type],
  )
  const [section] = read('data', declared, [inside, type]).sections
  const members = [
    plain('x', 'Int'),
    plain('t', 'Own', {
      attributes: [attribute('SetPoint', 'true')],
      sections: [{ section: 'None', members: [plain('deep', 'Bool')] }],
    }),
  ]
  assert.deepEqual(section?.members, [
    plain('area', 'Struct', { members }),
    plain('list', 'Array[0..1] of Struct', { members }),
  ])
})

test('a block of the instruction library has the sections of what it is made from', () => {
  const base = root(
    `<Root><Member ID="2" Name="Input"><Member ID="51" Name="x" ${int}/></Member></Root>`,
    [],
    'BIVE:TO_Base/2.0.1/y',
  )
  const declared = root(
    `<Root><Member ID="9" Name="Base" Type="TO_Base" SubPartIndex="0"/><Member ID="5" Name="Static"/>
     <Values><V p="9:51" v="4"/></Values></Root>`,
    [base],
  )
  assert.deepEqual(read('functionBlock', declared, [base]).sections, [
    {
      section: 'Base',
      members: [],
      base: [{ section: 'Input', members: [plain('x', 'Int', { startValue: '4' })] }],
      baseKept: { attributes: { Datatype: 'TO_Base', Version: '2.0' } },
    },
    { section: 'Static', members: [] },
  ])
  const lost = root('<Root><Member ID="9" Name="Base" SubPartIndex="4"/></Root>')
  assert.deepEqual(read('functionBlock', lost).sections, [])
})

test('a block without an interface, and types that lie in themselves, are told', () => {
  const store = storeOf([])
  const reader = new InterfaceReader(store, new DataTypes(store))
  assert.deepEqual(reader.read(madeObject({ type: 'CodeBlockData' }), 'data', optimized), {
    sections: [],
    problems: ['the file has no interface of it'],
  })
  const shared: StoredObject[] = []
  const own = root(`<Root><Member ID="31" Name="again" ${struct} SubPartIndex="0"/></Root>`, shared)
  shared.push(own)
  Object.assign(own, { relations: [{ name: 'UsedParts', target: { type: own.record.type, id: own.record.id } }] })
  assert.deepEqual(read('type', own).problems, ['member "again": nested too deeply'])
})
