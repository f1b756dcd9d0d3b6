import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowFaults } from './content.ts'
import { isSdf, readSdf, writeSdf } from './sdf.ts'

const nine = (name: string, address: string, more = '"Bool","True","True","False","words","","True"') =>
  `"${name}","${address}",${more}`

test('a symbol list is known by its first row', () => {
  const cases: [text: string, expected: boolean][] = [
    ['"Name","Address","Data Type","a","b","c","Comment","d","e"', true],
    ['"Name","Address","Data Type","Comment"', false],
    [nine('Go', '%I0.0'), true],
    [`${nine('Go', '%I0.0')}\r\nrubbish`, true],
    [nine('Most', 'CONSTANT'), true],
    [nine('Most', ' constant '), true],
    ['"Go","I 0.0","BOOL","words"', true],
    ['"Cycle","OB 1","OB 1","words"', true],
    ['"Block","SFB  14","SFB 14","words"', true],
    ['"Table","VAT 1","VAT 1",""', true],
    ['"Other","XY 1","XY 1",""', false],
    ['"Go","I 0.9","BOOL","words"', false],
    ['"Go","%I0.0","Bool"', false],
    ['Go,%I0.0,Bool,words', false],
    ['"Go","I 0.0","BOOL","words', false],
    ['"', false],
    ['', false],
  ]
  for (const [text, expected] of cases) assert.equal(isSdf(text), expected, text)
})

test('rows of a symbol list: tags with their flags, constants, blocks that are no tags, faults with their line', () => {
  const text = [
    '"Name","Address","Data Type","Accessible","Visible","Symbolic","Comment","Value","Writable"',
    '"Go","%I0.0","Bool","True","False","False"," hello ","","false"',
    '"Most","CONSTANT","Int","True","True","False","limit","100","True"',
    '"Old","I 1.1","BOOL","of STEP 7"',
    '"Odd","CONSTANT","Int","four fields"',
    '',
    '"Main","OB 1","OB 1","cycle"',
    '" ","%I0.2","Bool","x"',
    '"Short","%I0.3"',
    'Bare,%I0.4',
  ].join('\r\n')
  const faults = new RowFaults()
  const steps: number[] = []
  const { tags, constants, warnings, faults: found, omitted } = readSdf(text, faults, (done) => steps.push(done))
  assert.deepEqual(tags, [
    {
      place: { line: 2 },
      name: 'Go',
      dataType: 'Bool',
      logicalAddress: '%I0.0',
      comments: { '': ' hello ' },
      externalAccessible: true,
      externalVisible: false,
      externalWritable: false,
    },
    { place: { line: 4 }, name: 'Old', dataType: 'BOOL', logicalAddress: 'I 1.1', comments: { '': 'of STEP 7' } },
    { place: { line: 5 }, name: 'Odd', dataType: 'Int', logicalAddress: 'CONSTANT', comments: { '': 'four fields' } },
  ])
  assert.deepEqual(constants, [
    { place: { line: 3 }, name: 'Most', dataType: 'Int', comments: { '': 'limit' }, value: '100' },
  ])
  assert.deepEqual(warnings, ['1 symbol of a block or data type is no tag; it was left out'])
  const wanted = '"name","%I0.0","Bool",… with nine fields (TIA Portal) or four (STEP 7)'
  assert.deepEqual(found, [
    { line: 8, message: 'the name is missing', value: '' },
    { line: 9, message: `the row has 2 fields; ${wanted} is expected` },
    { line: 10, message: `the row is not in quotes; ${wanted} is expected` },
  ])
  assert.deepEqual([omitted, steps], [0, []])
})

test('progress is told every thousand rows', () => {
  const steps: number[] = []
  const rows = Array.from({ length: 2001 }, (_, i) => nine(`T${i}`, `%M${i}.0`))
  assert.equal(readSdf(rows.join('\n'), new RowFaults(), (done) => steps.push(done)).tags.length, 2001)
  assert.deepEqual(steps, [1000, 2000])
})

test('what is written is read again; line breaks and the separator become blanks, which is counted', () => {
  const flags = { externalAccessible: true, externalVisible: false, externalWritable: true }
  const tags = [
    { name: 'Go', dataType: 'Bool', logicalAddress: '%I0.0', comment: { 'en-US': 'two\r\nlines' }, ...flags },
    { name: 'A","B', dataType: 'Int', logicalAddress: '%MW2', comment: {}, ...flags, externalWritable: false },
  ]
  const constants = [{ name: 'Most', dataType: 'Int', value: '100', comment: { 'en-US': 'limit' } }]
  const { text, changed } = writeSdf(tags, constants, 'en-US')
  assert.equal(changed, 2)
  const read = readSdf(text, new RowFaults(), () => undefined)
  assert.deepEqual(
    read.tags.map(({ place: _place, ...tag }) => tag),
    [
      { name: 'Go', dataType: 'Bool', logicalAddress: '%I0.0', comments: { '': 'two lines' }, ...flags },
      {
        ...{ name: 'A" "B', dataType: 'Int', logicalAddress: '%MW2', comments: { '': '' } },
        ...{ ...flags, externalWritable: false },
      },
    ],
  )
  assert.deepEqual(
    read.constants.map(({ name, value, comments }) => [name, value, comments]),
    [['Most', '100', { '': 'limit' }]],
  )
  assert.deepEqual(read.faults, [])
})
