import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import type { ImportedObject, Network } from '../../model/object.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { projectFiles } from './files.ts'
import type { TiaProjectContent } from './project.ts'
import { usedConstants } from './system-constants.ts'
import { readTagTable, tagTable } from './tag-tables.ts'
import { readWatchTable } from './watch-tables.ts'

const row = (id: number, inside: string, attributes = '') => `<VarLine UId="${id}" ${attributes}>${inside}</VarLine>`
const part = (number: number | undefined, rows: string, container: ReturnType<typeof madeObject>) =>
  madeObject({
    type: 'VarItemData',
    values: {
      'IVarItemAttributes.ItemData': `<Items><VarLines>${rows}</VarLines></Items>`,
      ...(number === undefined ? {} : { 'IVarItemAttributes.PartId': number }),
    },
    relations: { VarItemParent: [container] },
  })
const container = madeObject({
  type: 'VarItemContainerData',
  rowTexts: { LineComments: { 1: { 1033: 'starts it' }, 3: { 1031: 'Abschnitt' }, 4: { 1033: 'lost' } } },
})
const rows = [
  // The parts are not in the order of the rows.
  part(
    2,
    row(4, '<Name/>') + row(5, '<Name/>') + row(6, '<Name>"c"</Name><MonitorValue TriggerName="Once"/>'),
    container,
  ),
  part(
    undefined,
    row(
      1,
      `<Name>"a"</Name><Address>%MW2</Address><MonitorValue TriggerName="Smart"/>
       <UserValue TriggerName="Now" Checked="True">5</UserValue>`,
      'Format="Real"',
    ) +
      row(2, '<Address>%I0.0</Address><UserValue Checked="False"/>', 'Format="Bool"') +
      row(3, '', 'IsCommentLine="True"'),
    container,
  ),
]
const table = (type: string) =>
  madeObject({
    type,
    name: 'Watch <1>',
    texts: { 'ICoreAttributes.Comment': { 1033: 'of the line' } },
    relations: { AggregatedVarItemContainer: [container] },
  })
const read = (type: string) => readWatchTable(storeOf([container, ...rows]), table(type))
const common = [
  {
    name: '"a"',
    address: '%MW2',
    displayFormat: 'Float',
    monitorTrigger: 'Permanent',
    comment: { 'en-US': 'starts it' },
  },
  { name: '', address: '%I0.0', displayFormat: 'Bool', monitorTrigger: 'Permanent', comment: {} },
  { name: '"c"', address: '', displayFormat: 'Undef', monitorTrigger: 'Permanent', comment: {} },
] as const
const commentRow = {
  isComment: true,
  name: '',
  address: '',
  displayFormat: '',
  monitorTrigger: '',
  comment: { 'de-DE': 'Abschnitt' },
} as const

test('a watch table has its rows in order, with values to modify; what exports have no word for is told', () => {
  const { object, problems } = read('VarTableData')
  assert.deepEqual(
    [object.kind, object.element, object.name, object.comment],
    ['WatchTable', 'SW.WatchAndForceTables.PlcWatchTable', 'Watch <1>', { 'en-US': 'of the line' }],
  )
  assert.deepEqual(object.entries, [
    { ...common[0], modifyTrigger: 'Permanent', modifyValue: '5', modifyIntention: true },
    { ...common[1], modifyTrigger: 'Permanent', modifyValue: '', modifyIntention: false },
    commentRow,
    { ...common[2], modifyTrigger: 'Permanent', modifyValue: '', modifyIntention: false },
  ])
  assert.deepEqual(problems, [
    'row 4: a comment without a variable is left out',
    'row 6: the trigger Once is not understood',
    'triggers of the basic mode (Now, Smart) are given as Permanent',
  ])
})

test('the force table has values to force', () => {
  const { object } = read('VarTableForceData')
  assert.deepEqual([object.kind, object.element], ['ForceTable', 'SW.WatchAndForceTables.PlcForceTable'])
  assert.deepEqual(object.entries, [
    { ...common[0], forceValue: '5', forceIntention: true },
    { ...common[1], forceValue: '', forceIntention: false },
    commentRow,
    { ...common[2], forceValue: '', forceIntention: false },
  ])
})

const tags = madeObject({ type: 'EAMTZTagTableData', name: 'Line 1' })
const inTable = (type: string, name: string, values: Readonly<Record<string, string | number>>) =>
  madeObject({
    type,
    name,
    values,
    texts: name === 'Start' ? { 'ICoreAttributes.Comment': { 1033: 'the button' } } : {},
    relations: { TagTable: [tags] },
  })
const tagRows = [
  inTable('EAMTZTagData', 'Start', { 'IStructureItem.DisplayTypeName': 'Bool', 'ITagAddress.LogicalAddress': '%I0.0' }),
  inTable('SimaticConstantTagData', 'Local~PN', { 'IDefaultStrategyData.DefaultValue': '64' }),
  inTable('EAMTZTagData', 'Hidden', {
    'IStructureItem.DisplayTypeName': 'Int',
    'IStructureItem.HmiVisible': 0,
    'IStructureItem.HmiReadOnly': 1,
  }),
  inTable('EAMTZTagData', 'Shown', { 'IStructureItem.HmiVisible': 1, 'IStructureItem.HmiReadOnly': 0 }),
  inTable('EAMTZConstantData', 'LIMIT', {
    'IStructureItem.DisplayTypeName': 'Int',
    'IDefaultStrategyData.DefaultValue': '100',
  }),
  inTable('EAMTZOtherData', 'Alias', {}),
]

test('a tag table has its tags with their access from outside, and its constants', () => {
  const { object, problems } = readTagTable(storeOf([tags, ...tagRows]), tags)
  assert.equal(object.name, 'Line 1')
  assert.deepEqual(object.tags, [
    { name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: { 'en-US': 'the button' } },
    {
      name: 'Hidden',
      dataType: 'Int',
      logicalAddress: '',
      comment: {},
      externalVisible: false,
      externalWritable: false,
    },
    { name: 'Shown', dataType: '', logicalAddress: '', comment: {} },
  ])
  assert.deepEqual(object.constants, [{ name: 'LIMIT', dataType: 'Int', value: '100', comment: {} }])
  assert.deepEqual(problems, ['"Alias" is of the kind EAMTZOtherData, which is not read'])
})

test('system constants are those that a network names, in its operands or its text', () => {
  const constant = (name: string, values: Readonly<Record<string, string>>) =>
    madeObject({ type: 'SimaticConstantTagData', name, values })
  const whole = { 'IDefaultStrategyData.DefaultValue': '64', 'IStructureItem.DisplayTypeName': 'HW_IO' }
  const constants = [
    ...['Local~PN', 'Local~DP', 'Tag', 'Unused'].map((name) => constant(name, whole)),
    constant('No value', { 'IStructureItem.DisplayTypeName': 'HW_IO' }),
    constant('No type', { 'IDefaultStrategyData.DefaultValue': '64' }),
  ]
  const network = (more: Partial<Network>): Network => ({
    number: 1,
    title: {},
    comment: {},
    language: 'LAD',
    parts: [],
    ...more,
  })
  const nodes = [
    { kind: 'operand', uId: 21, operand: { kind: 'constant', scope: 'GlobalConstant', name: 'Local~PN' } },
    { kind: 'operand', uId: 22, operand: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Tag' }] } },
    { kind: 'part', uId: 23, name: 'Unused', negated: [], invisible: [], templates: [], automaticTyped: [] },
  ] as const
  const objects = [
    { networks: [network({ graph: { labels: [], nodes, wires: [] } }), network({})] },
    { networks: [network({ text: '#a := "Local~DP" + "No value" + "No type";' })] },
  ] as unknown as ImportedObject[]
  assert.deepEqual(usedConstants(constants, objects), [
    { name: 'Local~PN', dataType: 'HW_IO', value: '64', comment: {} },
    { name: 'Local~DP', dataType: 'HW_IO', value: '64', comment: {} },
  ])
  assert.deepEqual(usedConstants([], objects), [])
})

test('tables are written as exports in their folders, which are read back the same', () => {
  const watch = read('VarTableData').object
  const force = { ...read('VarTableForceData').object, name: 'Force' }
  const ofTags = readTagTable(storeOf([tags, ...tagRows]), tags).object
  const empty = { ...watch, name: 'Empty', entries: [] }
  const placed = (object: ImportedObject, folder: readonly string[]) => ({
    stored: tags,
    object,
    completeness: 'whole' as const,
    problems: [],
    name: object.name,
    kind: object.kind,
    folder,
  })
  const objects = [
    placed(watch, ['A', 'B']),
    placed(force, []),
    placed(ofTags, []),
    placed(empty, []),
    { ...placed(watch, []), object: undefined, name: 'Lost', completeness: 'not-read' as const, problems: ['why'] },
  ]
  const systemConstants = tagTable(
    'System constants',
    [],
    [{ name: 'PN', dataType: 'HW_IO', value: '64', comment: {} }],
  )
  const content = {
    programs: [{ name: 'PLC_1', objects, systemElements: [], systemConstants }],
    library: { types: [], copies: [] },
  } as unknown as TiaProjectContent
  const { files, report } = projectFiles(content, 'V19')
  assert.deepEqual(
    files.map(({ folder, name }) => [folder.join('/'), name]),
    [
      ['PLC_1/PLC tags', 'System constants'],
      ['PLC_1/Watch and force tables/A/B', 'Watch <1>'],
      ['PLC_1/Watch and force tables', 'Force'],
      ['PLC_1/PLC tags', 'Line 1'],
      ['PLC_1/Watch and force tables', 'Empty'],
    ],
  )
  const again = files.map(({ text }) => readSimaticMlText(text).objects[0]!)
  const rowsOf = ({ kind, name, tags: tagged, constants, entries }: ImportedObject) => [
    kind,
    name,
    // A tag without a comment has an empty one in the language of the export.
    [tagged, constants].map((list) => list?.map((one) => ({ ...one, comment: { 'en-US': '', ...one.comment } }))),
    // A row without a value has none when it is read again.
    entries?.map(({ modifyValue, forceValue, ...entry }) => ({
      ...entry,
      ...(modifyValue ? { modifyValue } : {}),
      ...(forceValue ? { forceValue } : {}),
    })),
  ]
  assert.deepEqual(again.map(rowsOf), [systemConstants, watch, force, ofTags, empty].map(rowsOf))
  assert.deepEqual(
    report.map(({ controller, name, kind, folder, completeness, problems }) => [
      controller,
      name,
      kind,
      folder,
      completeness,
      problems,
    ]),
    [
      ['PLC_1', 'Watch <1>', 'WatchTable', 'A/B', 'whole', []],
      ['PLC_1', 'Force', 'ForceTable', '', 'whole', []],
      ['PLC_1', 'Line 1', 'TagTable', '', 'whole', []],
      ['PLC_1', 'Empty', 'WatchTable', '', 'whole', []],
      ['PLC_1', 'Lost', 'WatchTable', '', 'not-read', ['why']],
    ],
  )
})
