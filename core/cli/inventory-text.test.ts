import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Inventory, inventoryText } from './inventory-text.ts'

const motor = {
  controller: 'PLC_1',
  name: 'Motor',
  kind: 'FB',
  completeness: 'partly',
  problems: ['network 2', 'a tag'],
}
const main = { controller: 'PLC_1', name: 'Main', kind: 'OB', completeness: 'whole', problems: [] }
const inventory: Inventory = {
  file: 'Line.ap19',
  name: 'Line',
  kind: 'Project',
  version: 'V19',
  author: 'someone',
  products: ['STEP 7 Professional', 'WinCC Basic'],
  saves: [
    { number: 1, at: '2024-05-01T08:00:00Z', by: 'someone', records: 12 },
    { number: 2, records: 3 },
  ],
  controllers: [
    { name: 'PLC_1', typeName: 'CPU 1515-2 PN', orderNumber: '6ES7 515-2AM02-0AB0', firmware: 'V2.9' },
    { name: 'PLC_2' },
  ],
  otherStations: [],
  counts: { whole: 1, partly: 1, 'not-read': 0 },
  objects: [main, motor],
  notRead: {},
  damaged: [],
}

test('an inventory has what the file is, its saves, its controllers, and the objects with problems', () => {
  const lines = [
    'Line: project of TIA Portal V19, by someone',
    'products: STEP 7 Professional, WinCC Basic',
    'saves: 1 at 2024-05-01T08:00:00Z by someone (12 records), 2 (3 records)',
    '',
    'PLC    CPU            order number         firmware  objects',
    'PLC_1  CPU 1515-2 PN  6ES7 515-2AM02-0AB0  V2.9      2',
    'PLC_2                                                0',
    '',
    '1 objects whole, 1 in part, 0 not read',
    '  PLC_1/Motor (FB): partly',
    '    network 2',
    '    a tag',
    '',
  ]
  assert.deepEqual(inventoryText(inventory, false).split('\n'), lines)
  assert.deepEqual(inventoryText(inventory, true).split('\n'), lines.toSpliced(9, 0, '  PLC_1/Main (OB): whole'))
})

test('what is unknown, not read or damaged is said', () => {
  const { version: _, ...rest } = inventory
  const text = inventoryText(
    {
      ...rest,
      author: '',
      otherStations: ['Panel', 'Drive'],
      objects: [],
      notRead: { drive: 2 },
      damaged: ['record 5'],
    },
    false,
  )
  const lines = text.split('\n')
  assert.equal(lines[0], 'Line: project of TIA Portal (version unknown)')
  assert.deepEqual(lines.slice(7), [
    'other stations: Panel, Drive',
    '',
    '1 objects whole, 1 in part, 0 not read',
    'not read: 2 drive',
    'damaged: record 5',
    '',
  ])
})

test('a comparison with exports counts what is equal and lists what is not', () => {
  const named = { controller: 'PLC_1', name: 'Motor', kind: 'FB' }
  const long = 'x'.repeat(201)
  const comparison = {
    counts: { blocks: { equal: 3, total: 4 } },
    differences: [
      { ...named, aspect: 'interface', path: 'Input.a', change: 'changed', left: 'Int', right: 'DInt' },
      { ...named, aspect: 'networks', path: '2', change: 'added', right: long },
    ],
    omitted: 7,
    onlyInFile: [named],
    onlyInExports: [{ ...named, name: 'Valve' }],
    notCompared: ['PLC_1/Chart: GRAPH'],
  }
  const text = inventoryText({ ...inventory, objects: [], comparison }, false)
  assert.deepEqual(text.split('\n').slice(9), [
    '',
    'compared with the exports: equal of those in the exports',
    '  blocks: 3 of 4',
    'only in the file: PLC_1/Motor (FB)',
    'only in the exports: PLC_1/Valve (FB)',
    'differs: PLC_1/Motor (FB), interface, Input.a: changed, file Int, exports DInt',
    `differs: PLC_1/Motor (FB), networks, 2: added, file -, exports ${'x'.repeat(200)}…`,
    'and 7 more differences',
    'not compared: PLC_1/Chart: GRAPH',
    '',
  ])
  assert(
    !inventoryText({ ...inventory, comparison: { ...comparison, omitted: 0 } }, false).includes('more differences'),
  )
})
