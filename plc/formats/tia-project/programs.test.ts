/** A project made byte by byte: what its programs get besides what is in them, and what is told of the rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf, objectOf, projectFile, relationsOf, sized, slotOf, u8 } from '../../../test/tia-bytes.ts'
import { readTiaProject } from './project.ts'

/** What of a project stands around its programs: sets and types with the slots that they have. */
const projectModel = `<M><Namespace name="n">
  <Enumeration name="Kind" base="xs:byte"><Constant name="UDT" value="1"/><Constant name="SDT" value="2"/></Enumeration>
  <Enumeration name="Level" base="xs:byte"><Constant name="SystemKnowHowProtection" value="3"/></Enumeration>
  <AttributeSet name="ICoreAttributes"><Attribute name="Name" type="xs:string"/><Attribute name="Author" type="xs:string"/>
    <Attribute name="Protection" type="Level"/></AttributeSet>
  <AttributeSet name="IDefaultStrategyData"><Attribute name="DefaultValue" type="xs:string"/></AttributeSet>
  <AttributeSet name="IGeneralBlockSourceData"><Attribute name="BlockType" type="Kind"/></AttributeSet>
  <AttributeSet name="IProductVersionInfoDataAttributes"><Attribute name="DisplayName" type="xs:string"/>
    <Attribute name="DisplayVersion" type="xs:string"/><Attribute name="IsHidden" type="xs:boolean"/></AttributeSet>
  <AttributeSet name="IStructureItem"><Attribute name="DisplayTypeName" type="xs:string"/></AttributeSet>
  <AttributeSet name="ITagAddress"><Attribute name="LogicalAddress" type="xs:string"/></AttributeSet>
  ${[
    ['ProjectData', 1],
    ['S7ControllerTargetData', 2],
    ['EAMTZTagTableData', 3],
    ['EAMTZTagData', 4, 'IStructureItem', 'ITagAddress'],
    ['UserTypeData', 5, 'IGeneralBlockSourceData'],
    ['SimaticConstantTagData', 6, 'IDefaultStrategyData', 'IStructureItem'],
    ['ProductVersionInfoData', 7, 'IProductVersionInfoDataAttributes'],
    ['HmiScreenData', 8],
    ['UnitData', 9],
  ]
    .map(([name, id, ...sets]) => {
      const implemented = ['ICoreAttributes', ...sets].map((set) => `<Implements ref="${set}"/>`)
      return `<ObjectType name="${name}" id="${id}">${implemented.join('')}</ObjectType>`
    })
    .join('')}
  <Relation id="100" name="Environment"/><Relation id="101" name="BelongsTo"/><Relation id="102" name="TagTable"/>
</Namespace></M>`

test('the programs of a project with what their types, tags and constants need, its products, and what is not read', () => {
  const named = (name: string, protection = 0, author = '') =>
    slotOf({ at: sized(name) }, { at: author === '' ? undefined : sized(author) }, u8(protection))
  const [environment, belongs, inTable] = [100, 101, 102]
  const text = (value: string) => slotOf({ at: sized(value) })
  const plc = (id: number, name: string) => objectOf(2, id, [named(name), relationsOf([environment, 1, 1])])
  const table = (id: number, name: string, ...of: readonly [number, number, number][]) =>
    objectOf(3, id, [named(name), relationsOf([environment, 1, 1], ...of)])
  const tag = (id: number, name: string, type: string, of: number) =>
    objectOf(4, id, [named(name), text(type), text('%M0.0'), relationsOf([inTable, 3, of])])
  const type = (id: number, name: string, protection: number, kind = 1, controller = 1) =>
    objectOf(5, id, [
      named(name, protection),
      slotOf(u8(kind)),
      relationsOf([environment, 1, 1], [belongs, 2, controller]),
    ])
  const product = (id: number, name: string, display: string | undefined, version: string, isHidden = 0) =>
    objectOf(7, id, [
      named(name),
      slotOf({ at: display === undefined ? undefined : sized(display) }, { at: sized(version) }, u8(isHidden)),
    ])
  const file = projectFile(
    modelOf(projectModel),
    objectOf(1, 1, [named('Plant', 0, 'anna')]),
    ...[plc(1, 'PLC_1'), plc(2, 'PLC_2'), objectOf(2, 3, [named('Template')])],
    ...[table(1, 'Tags', [belongs, 2, 1]), table(2, 'Loose'), table(3, 'Second', [belongs, 2, 2])],
    ...[tag(1, 'a', '"SET"', 1), tag(2, 'b', 'Int', 1), tag(3, 'c', '"Other"', 2), tag(4, 'd', '"Set"', 3)],
    // Types of the instruction library; one that a tag names is a part of the program.
    ...[type(1, 'Own', 0), type(2, 'Set', 3), type(3, 'Unused', 3), type(4, 'Inner', 0, 2)],
    objectOf(6, 1, [named('Local~Port'), text('64'), text('HW_IO'), relationsOf([belongs, 2, 1])]),
    ...[
      product(1, 'Siemens.Simatic.Portal:18.00.00.00', 'TIA Portal', 'V18', 1),
      product(2, 'Siemens.Simatic.Portal:19.00.00.00', 'TIA Portal', 'V19', 1),
      product(3, 'Siemens.Simatic.Step7:19.01', 'STEP 7', 'V19 Update 1'),
      product(4, 'Siemens.Simatic.Step7:19.00', 'STEP 7', 'V19'),
      product(5, 'Siemens.Hidden:1', 'Hidden', 'V1', 1),
      product(6, 'Siemens.Bare:1', undefined, ''),
    ],
    ...[objectOf(8, 1, [named('S'), relationsOf([environment, 1, 1])]), objectOf(8, 2, [named('Template')])],
    objectOf(9, 1, [named('U'), relationsOf([environment, 1, 1])]),
    ...[objectOf(4711, 1, []), objectOf(4712, 1, [])],
  )
  const { programs, stations, library, saves, ...rest } = readTiaProject(file)
  assert.deepEqual(rest, {
    ...{ name: 'Plant', author: 'anna', kind: 'Project', version: 'V19' },
    products: ['Siemens.Bare', 'STEP 7 V19 Update 1', 'TIA Portal V19'].sort(),
    damaged: [],
    notRead: { 'HMI screen': 1, 'software unit': 1, 'unknown object': 2 },
  })
  assert.deepEqual([stations, library.types, library.copies, saves], [[], [], [], []])
  assert.deepEqual(
    programs.map(({ name, objects, systemElements }) => [
      ...[name, objects.map(({ kind, name: own, completeness }) => `${kind} ${own} ${completeness}`), systemElements],
    ]),
    [
      ['PLC_1', ['TagTable Tags whole', 'UDT Own partly', 'UDT Set partly'], ['Unused', 'Inner']],
      ['PLC_2', ['TagTable Second whole'], []],
      ['', ['TagTable Loose whole'], []],
    ],
  )
  assert.ok(programs.every((program) => program.systemConstants === undefined))
})
