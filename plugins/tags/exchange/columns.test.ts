import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, type Header, headerCells, isHeader, isHmiHeader, RowReader, readHeader } from './columns.ts'
import { RowFaults } from './content.ts'
import { readWorkbook, writeWorkbook } from './spreadsheet.ts'

test('headers: what a sheet holds by its columns, in any order and spelling', () => {
  const kinds = (cells: readonly Cell[]) => {
    const header = readHeader(cells)
    if ('fault' in header) return `${header.fault}${header.column === undefined ? '' : ` [${header.column}]`}`
    const { kind, indexOf, columns, width, unknown } = header
    assert.deepEqual(columns, Object.fromEntries(Object.entries(indexOf).map(([field, i]) => [field, i + 1])))
    return [kind, width, Object.keys(indexOf).join(' '), ...unknown].join('; ')
  }
  assert.deepEqual(
    [
      ['Name', 'Data Type'],
      ['', 'LOGICAL_ADDRESS', null, 'tag-name', 'My column', undefined, 'x'.repeat(70), ''],
      ['Symbol', 'Value'],
      ['Path', 'BelongsToUnit'],
      ['Path', 'Accessibility'],
      ['Path', 'Name'],
      ['Name', 'Value', 'Address', 'Data Type'],
      ['Name', 'Data Type', 'Datatype'],
      ['Name', 'Data Type', 'Coment'],
      ['Data Type', 'Logical Address'],
      [1, true, new Date(0)],
      ['Name', 'Type', 'Comment', 'comment [de-DE]', ' Comment[ fr ] ', 'Comment [x]'],
      [
        'Name',
        'Address',
        'Accessible from HMI/OPC UA/Web API',
        'Visible in HMI engineering',
        'Writable from HMI/OPC UA',
      ],
      ['Name', 'Address', 'hmi_writable', 'External Visible', 'HMI access', 'Typeobject ID', 'Version ID'],
    ].map(kinds),
    [
      'tags; 2; name dataType',
      `tags; 7; logicalAddress name; My column; ${'x'.repeat(60)}`,
      'constants; 2; name value',
      'tables; 2; path unit',
      'tables; 2; path accessibility',
      'the columns for a tag table are missing: tags need Name, Path, Data Type, Logical Address …, constants Name, Path, Data Type, Value, Comment',
      'tags have a Logical Address, constants a Value; one sheet cannot have both',
      'the column "Datatype" stands twice [2]',
      '"Coment" is not a column of a tag table; did you mean "Comment"? [2]',
      'the columns for a tag table are missing: tags need Name, Path, Data Type, Logical Address …, constants Name, Path, Data Type, Value, Comment',
      'the columns for a tag table are missing: tags need Name, Path, Data Type, Logical Address …, constants Name, Path, Data Type, Value, Comment',
      'tags; 6; name dataType comment comment:de-DE comment:fr; Comment [x]',
      'tags; 5; name logicalAddress externalAccessible externalVisible externalWritable',
      'tags; 7; name logicalAddress externalWritable externalVisible externalAccessible typeObject typeVersion',
    ],
  )
  assert.deepEqual(
    [['Name', 'Path', 5, 'x'], [], [null]].map((cells) => headerCells(cells)),
    [2, 0, 0],
  )
  assert.deepEqual(
    [['Name', 'Path'], ['Name', '', null, 'Type', undefined], ['Name'], ['Name', 'x'], [], ['Name', 7]].map(isHeader),
    [true, true, false, false, false, false],
  )
  assert.deepEqual([['Connection', 'PLC tag'], ['Connection'], ['PLC tag', 'Name']].map(isHmiHeader), [
    true,
    false,
    false,
  ])
})

const headerOf = (...cells: string[]) => readHeader(cells) as Header

test('rows: cells of any kind become fields, and every fault of a row is told with its column', () => {
  const faults = new RowFaults()
  const reader = new RowReader(faults)
  const tags = headerOf('Name', 'Path', 'Data Type', 'Logical Address', 'Comment', 'Comment [de-DE]', 'Hmi Visible')
  const add = (header: Header, line: number, ...cells: Cell[]) => reader.add(header, cells, { line })
  add(tags, 2, ' A ', '\\Line\\Sub\\IO', ' Int ', ' %MW0 ', ' c ', null, 'YES')
  add(tags, 3, 7, 'IO', 'Bool', '<No Value>', undefined, true, 0)
  add(tags, 4, '', null, undefined)
  add(tags, 5, new Date(0), '', '', '', new Date(1000), '', 'maybe', '', 'behind')
  add(tags, 6, 'B', '\\', 'Real', undefined, false, '', 'no')
  const constants = headerOf('Value', 'Name', 'Path')
  add(constants, 8, 16, 'Most', 'IO')
  add(constants, 9, true, 'Is', '')
  add(constants, 10, '<No Value>', 'None')
  add(constants, 11, 1, '')
  const tables = headerOf('Path', 'BelongsToUnit', 'Accessibility')
  add(tables, 13, 'Line\\IO', '', '')
  add(tables, 14, 'Other', 'Oven', null)
  add(tables, 15, 'Third', '', 'Published')
  add(tables, 16, '', 'Oven')
  const typed = headerOf('Name', 'Address', 'Typeobject ID', 'Version ID')
  add(typed, 18, 'T1', '%M0.0', 'x', '')
  add(typed, 19, 'T2', '%M0.1', '', 'y')
  add(typed, 20, 'T3', '%M0.2', '', '')
  const plain = (rows: readonly { readonly place: { readonly line?: number } }[]) =>
    rows.map(({ place, ...row }) => ({ line: place.line, ...row }))
  const content = reader.content(['first'])
  assert.deepEqual(plain(content.tags), [
    {
      ...{ line: 2, name: 'A', folder: 'Line/Sub', table: 'IO', dataType: 'Int', logicalAddress: '%MW0' },
      ...{ comments: { '': ' c ', 'de-DE': '' }, externalVisible: true },
    },
    {
      ...{ line: 3, name: '7', table: 'IO', dataType: 'Bool', logicalAddress: '' },
      ...{ comments: { '': '', 'de-DE': 'TRUE' }, externalVisible: false },
    },
    {
      ...{ line: 6, name: 'B', dataType: 'Real', logicalAddress: '' },
      ...{ comments: { '': 'FALSE', 'de-DE': '' }, externalVisible: false },
    },
    { line: 18, name: 'T1', logicalAddress: '%M0.0' },
    { line: 19, name: 'T2', logicalAddress: '%M0.1' },
    { line: 20, name: 'T3', logicalAddress: '%M0.2' },
  ])
  assert.deepEqual(plain(content.constants), [
    { line: 8, name: 'Most', table: 'IO', value: '16' },
    { line: 9, name: 'Is', value: 'TRUE' },
    { line: 10, name: 'None', value: '' },
  ])
  assert.deepEqual(plain(content.tables), [
    { line: 13, folder: 'Line', table: 'IO' },
    { line: 14, table: 'Other' },
    { line: 15, table: 'Third' },
  ])
  const isDate = 'is a date; give the cell the format Text'
  assert.deepEqual(content.faults, [
    {
      ...{ line: 5, column: 9, value: 'behind' },
      message: 'stands behind the last column (7); a text with the separator in it must be in quotes',
    },
    { line: 5, column: 1, message: isDate, value: '1970-01-01T00:00:00.000Z' },
    { line: 5, column: 1, message: 'the name is missing', value: '' },
    { line: 5, column: 3, message: 'the data type is missing, e.g. Bool, Int, Real', value: '' },
    { line: 5, column: 5, message: isDate, value: '1970-01-01T00:00:01.000Z' },
    { line: 5, column: 7, message: 'must be True or False', value: 'maybe' },
    { line: 11, column: 2, message: 'the name is missing', value: '' },
  ])
  assert.deepEqual([content.failed, content.omitted], [2, 0])
  assert.deepEqual(content.warnings, [
    'first',
    '2 tags name a library type (Typeobject ID, Version ID), which is not kept',
    '3 tables belong to a software unit or name an accessibility, which is not kept',
  ])
})

test('a workbook: the header is in the first ten rows that are not empty; what a sheet does not hold is told', async () => {
  const titles = (count: number) => Array.from({ length: count }, (_, i) => [`title ${i}`, 'x'])
  const row = (name: string) => ['Name', 'Data Type', 'Owner'].map((head) => (name === '' ? head : `${head[0]}${name}`))
  const read = async (sheets: Record<string, string[][]>) => {
    const bytes = await writeWorkbook(
      Object.entries(sheets).map(([name, rows]) => ({ name, rows })),
      0,
    )
    const { tags, warnings } = await readWorkbook(bytes, new RowFaults(), () => {})
    return { tags: tags.map(({ name, place }) => `${place.sheet} ${place.line} ${name}`), warnings }
  }
  const missing =
    'the columns for a tag table are missing: tags need Name, Path, Data Type, Logical Address …, constants Name, Path, Data Type, Value, Comment'
  assert.deepEqual(
    await read({
      Nine: [...titles(5), [], [], ...titles(4), row(''), row('1')],
      Ten: [...titles(10), row(''), row('2')],
      Panel: [['Name', 'Connection', 'PLC tag'], row(''), row('3')],
      Empty: [[]],
      Typo: [['Name', 'Data Tipe']],
    }),
    {
      tags: ['Nine 13 N1'],
      warnings: [
        'sheet "Nine": the column "Owner" is not one of a tag table; it was left out',
        `sheet "Ten" row 1: ${missing}; it was left out`,
        'sheet "Panel" holds tags of an HMI device, not of a PLC; it was left out',
        'sheet "Typo" row 1, column 2: "Data Tipe" is not a column of a tag table; did you mean "Data Type"?; it was left out',
      ],
    },
  )
})
