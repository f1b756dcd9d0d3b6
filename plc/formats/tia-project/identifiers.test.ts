import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import type { Operand } from '../../model/operand.ts'
import { Identifiers, typeName } from './identifiers.ts'

/** A block whose identifiers are parts with tables (newer versions) and objects of their own (older ones). */
function identifiersOf(
  tables: readonly string[],
  objects: readonly Parameters<typeof madeObject>[0][] = [],
  family = 'S71500',
): Identifiers {
  const block = madeObject({ type: 'CodeBlockData' })
  const container = madeObject({ type: 'IdentContainerData', relations: { IdentContainerInverse: [block] } })
  const parts = tables.map((xml, index) =>
    madeObject({
      type: 'IdentPartData',
      name: `Part_${index}`,
      values: { 'IIdentPartData.PayLoad': xml },
      relations: { IdentPartsInverse: [container] },
    }),
  )
  const other = madeObject({ type: 'IdentOtherData', relations: { IdentPartsInverse: [container] } })
  const own = objects.map((one) => madeObject({ ...one, relations: { IdentCoreObjectsInverse: [container] } }))
  return new Identifiers(storeOf([block, container, other, ...parts, ...own]), block, family)
}
const tableOf = (inside: string) => identifiersOf([`<Idents>${inside}</Idents>`])

const path = (...names: string[]) => `<SSD><AOS>${names.map((name) => `<AO N="${name}"/>`).join('')}</AOS></SSD>`
const global = (...names: string[]): Operand => ({
  kind: 'symbol',
  scope: 'GlobalVariable',
  path: names.map((name) => ({ name })),
})
const local = (...names: string[]): Operand => ({
  kind: 'symbol',
  scope: 'LocalVariable',
  path: names.map((name) => ({ name })),
})

/** Every kind of identifier with the operand that an export has for it. */
const operands: readonly (readonly [xml: string, operand: Operand | undefined])[] = [
  ['<SimpleAccess><ID RID="1" N="Motor_x0020_1"/></SimpleAccess>', global('Motor 1')],
  ['<SimpleAccess><ID RID="1" N="Tag"/><SAD SAM="None"/></SimpleAccess>', global('Tag')],
  [
    '<SimpleAccess><ID RID="1" N="Tag"/><SAD SAM="Peripheral"/></SimpleAccess>',
    { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Tag', access: 'Periphery' }] },
  ],
  ['<SimpleAccess><ID RID="1" N="Tag"/><SAD SAM="Other"/></SimpleAccess>', undefined],
  ['<SimpleAccess><ID RID="1" N=""/></SimpleAccess>', undefined],
  [`<StructuredTagAccess><ID RID="1"/>${path('Axis', 'speed')}</StructuredTagAccess>`, global('Axis', 'speed')],
  [`<GlobalAccess><ID RID="1"/>${path('DB_1', 'a_x005B_b')}</GlobalAccess>`, global('DB_1', 'a[b')],
  [`<InterfaceAccess><ID RID="1"/>${path('pump', 'on')}</InterfaceAccess>`, local('pump', 'on')],
  [`<MultInstAccess><ID RID="1"/>${path('timer')}</MultInstAccess>`, local('timer')],
  ['<InterfaceAccess><ID RID="1" N="pump"/></InterfaceAccess>', undefined],
  ['<AufDBBlock><ID RID="1" N="Data"/></AufDBBlock>', global('Data')],
  ['<DepDBBlock><ID RID="1" N="Data"/></DepDBBlock>', global('Data')],
  [
    '<GlobalConstant><ID RID="1" N="LIMIT"/></GlobalConstant>',
    { kind: 'constant', scope: 'GlobalConstant', name: 'LIMIT' },
  ],
  ['<LocalConstant><ID RID="1" N="size"/></LocalConstant>', { kind: 'constant', scope: 'LocalConstant', name: 'size' }],
  ['<Label><ID RID="1" N="end"/></Label>', { kind: 'label', name: 'end' }],
  [
    '<LiteralConstant><ID RID="1"/><CD><CB SV="5" T="Int"/></CD></LiteralConstant>',
    { kind: 'literal', scope: 'LiteralConstant', value: '5', type: 'Int' },
  ],
  [
    '<LiteralConstant><ID RID="1"/><CD><CB SV="TRUE"/></CD></LiteralConstant>',
    { kind: 'literal', scope: 'LiteralConstant', value: 'TRUE' },
  ],
  [
    '<LiteralConstant><ID RID="1"/><CD><CB SV="T_x0023_5s" T="Time"/></CD></LiteralConstant>',
    { kind: 'literal', scope: 'TypedConstant', value: 'T#5s' },
  ],
  [
    '<LiteralConstant><ID RID="1"/><CD><CB SV="16#FF" T="Byte"/></CD></LiteralConstant>',
    { kind: 'literal', scope: 'LiteralConstant', value: '16#FF', type: 'Byte' },
  ],
  ['<LiteralConstant><ID RID="1"/><CD><CB T="Int"/></CD></LiteralConstant>', undefined],
  ['<LiteralConstant><ID RID="1"/></LiteralConstant>', undefined],
  ['<Instruction><ID RID="1" N="TON"/></Instruction>', undefined],
]

test('every kind of identifier is the operand that an export has', () => {
  for (const [xml, operand] of operands) assert.deepEqual(tableOf(xml).operand('1'), operand, xml)
  const none = tableOf('<Label><ID N="without an id"/></Label><Label/>')
  assert.deepEqual(
    [none.operand('1'), none.operand(undefined), none.kind('1'), none.name(undefined)],
    [undefined, undefined, undefined, undefined],
  )
})

test('slices and periphery are at the last name of a path', () => {
  const access = (modifier: string) =>
    tableOf(
      `<GlobalAccess><ID RID="1"/><SSD AM="${modifier}"><AOS><AO N="DB"/><AO N="word"/></AOS></SSD></GlobalAccess>`,
    ).operand('1')
  const ofLast = (last: object) => ({
    kind: 'symbol',
    scope: 'GlobalVariable',
    path: [{ name: 'DB' }, { name: 'word', ...last }],
  })
  assert.deepEqual(access('X15'), ofLast({ slice: 'x15' }))
  assert.deepEqual(access('d0'), ofLast({ slice: 'd0' }))
  assert.deepEqual(access('Periph'), ofLast({ access: 'Periphery' }))
  for (const modifier of ['x', 'x1y', 'ax1', 'Other']) assert.equal(access(modifier), undefined, modifier)
})

test('an index is an identifier of its own, which may have indices; a circle of them has no operand', () => {
  const identifiers = tableOf(
    `<GlobalAccess><ID RID="1"/><SSD><AOS><AO N="DB"/><AO N="list" RIDI="2,3"/></AOS></SSD></GlobalAccess>
     <LiteralConstant><ID RID="2"/><CD><CB SV="4"/></CD></LiteralConstant>
     <InterfaceAccess><ID RID="3"/><SSD><AOS><AO N="places" RIDI="2"/></AOS></SSD></InterfaceAccess>
     <GlobalAccess><ID RID="5"/><SSD><AOS><AO N="lost" RIDI="2; 99"/></AOS></SSD></GlobalAccess>
     <InterfaceAccess><ID RID="6"/><SSD><AOS><AO N="own" RIDI="6"/></AOS></SSD></InterfaceAccess>`,
  )
  const four: Operand = { kind: 'literal', scope: 'LiteralConstant', value: '4' }
  const places: Operand = { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'places', indices: [four] }] }
  assert.deepEqual(identifiers.operand('1'), {
    kind: 'symbol',
    scope: 'GlobalVariable',
    path: [{ name: 'DB' }, { name: 'list', indices: [four, places] }],
  })
  assert.equal(identifiers.operand('5'), undefined)
  assert.equal(identifiers.operand('6'), undefined)
})

test('a place of a data block without a name is its bit, with the number of the block', () => {
  const place = (inside: string, block = 'N="12"') =>
    tableOf(
      `<AufDBBlock><ID RID="7" N="Data"/><TOD ${block}/></AufDBBlock><GlobalAccess><ID RID="1"/>${inside}</GlobalAccess>`,
    ).operand('1')
  const whole = '<BAD BIRID="7"/><SSD AO="81"/><OD T="Bool:33554433:Bool"/>'
  const bit = { kind: 'address', area: 'DB', type: 'Bool', blockNumber: 12, bitOffset: 81 }
  assert.deepEqual(place(whole), bit)
  assert.deepEqual(place('<BAD BIRID="7"/><SSD AO="0"/><OD><TD T="Bool:33554433:Bool"/></OD>'), {
    ...bit,
    bitOffset: 0,
  })
  assert.equal(place(whole, 'BT="DB"'), undefined)
  assert.equal(place('<BAD BIRID="8"/><SSD AO="81"/><OD T="Bool:33554433:Bool"/>'), undefined)
  assert.equal(place('<BAD BIRID="7"/><SSD/><OD T="Bool:33554433:Bool"/>'), undefined)
  assert.equal(place('<BAD BIRID="7"/><SSD AO="81"/>'), undefined)
  // A name that was not understood does not become an address.
  assert.equal(
    place('<BAD BIRID="7"/><SSD AO="81"><AOS><AO N="x" RIDI="99"/></AOS></SSD><OD T="Bool:33554433:Bool"/>'),
    undefined,
  )
})

test('a called block has its name, type, number, parameters and interface', () => {
  const identifiers = tableOf(
    `<FBBlock><ID RID="10" N="Motor"/><TOD N="7" BT="FB"/></FBBlock><FCBlock><ID RID="20" N="Scale"/></FCBlock>
     <BlockInterfaceInfo><ID RID="11"/><BIID TORID="10"><BPIL><BPI N="on" S="Input" OST="Bool:33554433:Bool"/>
       <BPI N="set_x002B_"><TD T="Block_UDT:-5:Set"/></BPI></BPIL></BIID></BlockInterfaceInfo>
     <BlockInterfaceInfo><ID RID="12"/><BIID/></BlockInterfaceInfo><Label><ID RID="30" N="end"/></Label>`,
  )
  const motor = { id: '10', name: 'Motor', blockType: 'FB', number: 7 }
  assert.deepEqual(identifiers.callee('10'), motor)
  assert.deepEqual(identifiers.calleeOf('11'), motor)
  assert.deepEqual(identifiers.callee('20'), { id: '20', name: 'Scale', blockType: 'FC' })
  for (const id of ['30', '99', undefined]) assert.equal(identifiers.callee(id), undefined)
  assert.equal(identifiers.calleeOf('12'), undefined)
  assert.equal(identifiers.calleeOf(undefined), undefined)
  assert.deepEqual(identifiers.parameters('10'), [
    { name: 'on', section: 'Input', type: 'Bool' },
    { name: 'set+', type: '"Set"' },
  ])
  assert.deepEqual(identifiers.parameters('20'), [])
  assert.deepEqual(identifiers.parameters(undefined), [])
})

test('an instance is the path of its data block or member, and nothing else is one', () => {
  const identifiers = tableOf(
    `<AufDBBlock><ID RID="1" N="Motor_DB"/></AufDBBlock><MultInstAccess><ID RID="2"/>${path('motor')}</MultInstAccess>
     <LocalConstant><ID RID="3" N="size"/></LocalConstant>`,
  )
  assert.deepEqual(identifiers.instance('1'), { scope: 'GlobalVariable', path: [{ name: 'Motor_DB' }] })
  assert.deepEqual(identifiers.instance('2'), { scope: 'LocalVariable', path: [{ name: 'motor' }] })
  assert.equal(identifiers.instance('3'), undefined)
  assert.equal(identifiers.instance('4'), undefined)
})

/** What an instruction is for two families of controllers. */
const families = `<PLCs><Target Name="S7300,S7400"><BlockReference><TypeSelector Name="a"><SelectedTypes>Int</SelectedTypes></TypeSelector>
  </BlockReference></Target><Target Name="S71200,S71500"><BlockReference>
  <TypeSelector Name="time_type"><SelectedTypes> Time </SelectedTypes></TypeSelector>
  <TypeSelector Name="open"><SelectedTypes>Time, LTime</SelectedTypes></TypeSelector><TypeSelector Name="none"/>
  <TypeSelector><SelectedTypes>Int</SelectedTypes></TypeSelector></BlockReference></Target></PLCs>`
const inAttribute = families.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', ' ')

test('the types of an instruction are those of the box, else of the first box, else the only ones of its controllers', () => {
  const identifiers = tableOf(
    `<Instruction><ID RID="1" N="ADD"/><INSTD V="Add:1.0"><IUS><IU UId="21"><TV N="SrcType" T="type" V="Int"/></IU>
       <IU UId="22"><TV N="SrcType" T="type" V="Real"/><TV N="Card" T="cardinality" V="2"/><TV/></IU></IUS></INSTD></Instruction>
     <Instruction><ID RID="2" N="TON"/><INSTD PLC="${inAttribute}"/></Instruction>`,
  )
  const int = [{ name: 'SrcType', type: 'Type', value: 'Int' }]
  assert.deepEqual(identifiers.templates('1', '21'), int)
  assert.deepEqual(identifiers.templates('1', '22'), [
    { name: 'SrcType', type: 'Type', value: 'Real' },
    { name: 'Card', type: 'Cardinality', value: '2' },
    { name: '', type: 'Type', value: '' },
  ])
  assert.deepEqual(identifiers.templates('1', '99'), int)
  assert.deepEqual(identifiers.templates('1', undefined), int)
  assert.deepEqual(identifiers.templates('2', '21'), [
    { name: 'time_type', type: 'Type', value: 'Time' },
    { name: '', type: 'Type', value: 'Int' },
  ])
  assert.deepEqual(identifiers.templates('3', '21'), [])
  assert.equal(identifiers.libraryEntry('1'), 'Add:1.0')
  assert.equal(identifiers.libraryEntry('2'), undefined)
})

test('identifiers of older versions are objects of their own', () => {
  const object = (type: string, id: number, name: string, more: Readonly<Record<string, string | number>> = {}) => ({
    type,
    values: { 'IIdentData.RefId': id, 'IIdentData.Name': name, ...more },
  })
  const objects = [
    object('SimpleAccessData', 1, 'Start'),
    object('FBBlockData', 2, 'Motor', { 'ITypeOperandData.Number': 7, 'ITypeOperandData.BlockType': 'SFB' }),
    object('FCBlockData', 3, 'Scale'),
    object('InstructionData', 4, 'TON', { 'IGenericInterfaceData.PLCArray': families }),
    { type: 'SimpleAccessData', values: { 'IIdentData.Name': 'without an id' } },
    { type: 'LabelData', values: { 'IIdentData.RefId': 5 } },
  ]
  const identifiers = identifiersOf([], objects, 'S7300')
  assert.deepEqual(identifiers.operand('1'), global('Start'))
  assert.deepEqual(identifiers.callee('2'), { id: '2', name: 'Motor', blockType: 'SFB', number: 7 })
  assert.deepEqual(identifiers.callee('3'), { id: '3', name: 'Scale', blockType: 'FC' })
  assert.deepEqual(
    [identifiers.kind('4'), identifiers.name('4'), identifiers.name('5'), identifiers.problems],
    ['Instruction', 'TON', '', []],
  )
  assert.deepEqual(identifiers.templates('4', '21'), [{ name: 'a', type: 'Type', value: 'Int' }])
  assert.deepEqual(identifiersOf([], objects, 'S7').templates('4', '21'), [])
})

test('a table that is no XML is told once; the others are read', () => {
  const identifiers = identifiersOf(['<Idents><Label>', '', '<Idents><Label><ID RID="1" N="end"/></Label></Idents>'])
  assert.equal(identifiers.name('1'), 'end')
  assert.equal(identifiers.problems.length, 1)
  assert.match(identifiers.problems[0]!, /^identifiers of Part_0: ./)
})

test('types of the program are quoted, those of the system are not', () => {
  assert.equal(typeName('Int:33554437:Int'), 'Int')
  assert.equal(typeName('Block_UDT:-2147483640:Set: 1'), '"Set: 1"')
  assert.equal(typeName('Block_SDT:33619969:IEC_TIMER'), 'IEC_TIMER')
  assert.equal(typeName('Struct:-5:Own'), 'Own')
  for (const text of [undefined, '', 'Int', 'Int:x:Int', 'Int:5:']) assert.equal(typeName(text), undefined)
})
