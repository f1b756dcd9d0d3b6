import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ZipFile } from 'yazl'
import { isGatewayError } from '../../../core/index.ts'
import type { TagTable } from '../tag-table.ts'
import { splitPath } from './content.ts'
import { writeCsv } from './csv.ts'
import { constantSheet, tableSheet, tagSheet } from './sheets.ts'
import { writeWorkbook } from './spreadsheet.ts'
import { type ExchangeFormat, readFile } from './tables.task.ts'

const api = () => ({ progress() {}, signal: new AbortController().signal })
const read = (content: string | Uint8Array, format: ExchangeFormat = 'csv') =>
  readFile({ bytes: typeof content === 'string' ? Buffer.from(content) : content, format }, api())

/** The rows without their positions. */
async function rowsOf(content: string | Uint8Array, format: ExchangeFormat = 'csv') {
  const { tags, constants, faults } = await read(content, format)
  assert.deepEqual(faults, [])
  const plain = (rows: readonly { readonly place: unknown }[]) => rows.map(({ place: _place, ...row }) => row)
  return { tags: plain(tags), constants: plain(constants) }
}

/** The message of the problem with which reading ends. */
async function refused(content: string | Uint8Array, format: ExchangeFormat = 'csv'): Promise<string> {
  try {
    await read(content, format)
  } catch (error) {
    if (isGatewayError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'it was read'
}

const start = {
  name: 'Start',
  table: 'IO',
  dataType: 'Bool',
  logicalAddress: '%I0.0',
  comments: { '': 'a; "b", c' },
  externalVisible: true,
  externalAccessible: false,
  externalWritable: true,
}

test('CSV: ten columns, any separator, any order, the older seven', async () => {
  for (const separator of [',', ';', '\t']) {
    const text = [
      [
        'Name',
        'Path',
        'Data Type',
        'Logical Address',
        'Comment',
        'Hmi Visible',
        'Hmi Accessible',
        'Hmi Writeable',
        'Typeobject ID',
        'Version ID',
      ],
      ['Start', 'IO', 'Bool', '%I0.0', '"a; ""b"", c"', 'True', 'False', 'TRUE', '', ''],
    ]
      .map((row) => row.join(separator))
      .join('\r\n')
    assert.deepEqual((await rowsOf(text)).tags, [start], JSON.stringify(separator))
    assert.deepEqual((await rowsOf(`\uFEFF${text}\r\n\r\n`)).tags, [start])
  }
  const seven =
    'Comment;Hmi Visible;Hmi Accessible;Name;Data Type;Logical Address;Path\n"x\ny";True;;T;Int;;\\A\\B\\IO\n'
  assert.deepEqual((await rowsOf(seven)).tags, [
    {
      name: 'T',
      folder: 'A/B',
      table: 'IO',
      dataType: 'Int',
      comments: { '': 'x\ny' },
      logicalAddress: '',
      externalVisible: true,
    },
  ])
  assert.deepEqual((await rowsOf('sep=;\r\nName;Data Type\r\nT;Int\r\n')).tags, [{ name: 'T', dataType: 'Int' }])
  const both = 'Name,Data Type,Comment [de-DE]\nT,Int,hallo\n\nName,Path,Data Type,Value,Comment\nMAX,IO,Int,5,most\n'
  assert.deepEqual(await rowsOf(both), {
    tags: [{ name: 'T', dataType: 'Int', comments: { 'de-DE': 'hallo' } }],
    constants: [{ name: 'MAX', table: 'IO', dataType: 'Int', comments: { '': 'most' }, value: '5' }],
  })
})

test('CSV: encodings', async () => {
  const text = 'Name,Data Type,Comment\nÖl,Bool,größer\n'
  const wanted = [{ name: 'Öl', dataType: 'Bool', comments: { '': 'größer' } }]
  assert.deepEqual((await rowsOf(Buffer.from(`\uFEFF${text}`, 'utf16le'))).tags, wanted)
  assert.deepEqual((await rowsOf(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())).tags, wanted)
  assert.deepEqual((await rowsOf(Buffer.from(text, 'latin1'))).tags, wanted)
  assert.match((await read(Buffer.from(text, 'latin1'))).warnings[0] ?? '', /Windows-1252/)
})

test('CSV: faults name line and column', async () => {
  const { faults, tags } = await read(
    'Name,Path,Data Type,Hmi Visible\nA,IO,Bool,maybe\n,IO,,True\n"x\ny",IO,Int,\nB,IO,Int,False,extra\nC,IO,Int\n',
  )
  assert.deepEqual(
    faults.map(({ line, column, message }) => [line, column, message]),
    [
      [2, 4, 'must be True or False'],
      [3, 1, 'the name is missing'],
      [3, 3, 'the data type is missing, e.g. Bool, Int, Real'],
      [6, 5, 'stands behind the last column (4); a text with the separator in it must be in quotes'],
    ],
  )
  assert.deepEqual(
    tags.map(({ name, place }) => [name, place.line]),
    [
      ['x\ny', 4],
      ['C', 7],
    ],
  )
  assert.match(
    await refused('Name,Pth,Data Type\n'),
    /Line 1: "Pth" is not a column of a tag table; did you mean "Path"/,
  )
  assert.match(await refused('Name,Name,Data Type\n'), /the column "Name" stands twice/)
  assert.match(await refused('a,b,c\n1,2,3\n'), /Line 1: the columns for a tag table are missing: tags need Name, Path/)
  assert.match(await refused('Name,Path,Connection,PLC tag,DataType\n'), /tags of an HMI device/)
  assert.match(await refused('Name,Data Type\nA,Int\n"B,Int\n'), /Line 3: .* not closed/)
  assert.match(await refused('Name,Data Type\nA,Int\nB"x",Int\n'), /Line 3: a quote stands inside a field/)
  assert.match(await refused(' '), /empty|missing/)
  assert.match(await refused(''), /empty/)
  assert.match(await refused('Name\u0000'), /NUL/)
  assert.match(await refused(Buffer.from('PK\x03\x04')), /workbook/)
})

test('.sdf: nine columns of TIA Portal, four of STEP 7 classic', async () => {
  const portal = `"A","%I0.0","Bool","True","True","False","says "hello", 'x'","","False"\r\n`
  assert.deepEqual((await rowsOf(portal)).tags, [
    {
      name: 'A',
      logicalAddress: '%I0.0',
      dataType: 'Bool',
      comments: { '': `says "hello", 'x'` },
      externalAccessible: true,
      externalVisible: true,
      externalWritable: false,
    },
  ])
  const header =
    '"Name","Address","Data type","Accessible from HMI/OPC UA","Visible in HMI Engineering","Retain","Comment","Value (in case of constant)","Writable from HMI/OPC UA"\r\n'
  const constant = '"MAX","CONSTANT","Int","","","","most","222",""\r\n'
  const both = await rowsOf(header + portal + constant)
  assert.equal(both.tags.length, 1)
  const headed = async (...flags: readonly string[]) => {
    const [a, b, c] = flags
    const { tags } = await read(`${header}"A","%I0.0","Bool","${a}","${b}","False","","","${c}"\r\n`)
    return tags.flatMap((tag) => [tag.externalAccessible, tag.externalVisible, tag.externalWritable])
  }
  assert.deepEqual(await headed('False', 'True', 'True'), [false, true, true])
  assert.deepEqual(await headed('True', 'False', 'True'), [true, false, true])
  assert.deepEqual(await headed('True', 'True', 'False'), [true, true, false])
  assert.deepEqual(both.constants, [{ name: 'MAX', dataType: 'Int', comments: { '': 'most' }, value: '222' }])
  const classic = '"Valve","M   750.0","BOOL","SOL2"\r\n"Main","OB   1","OB   1",""\r\n'
  const { tags, warnings } = await read(classic)
  assert.deepEqual(
    tags.map(({ name, logicalAddress, dataType }) => [name, logicalAddress, dataType]),
    [['Valve', 'M   750.0', 'BOOL']],
  )
  assert.match(warnings[0] ?? '', /^1 symbol of a block/)
  const { faults } = await read(`${portal}"B","%I0.1"\r\n`)
  assert.deepEqual([faults[0]?.line, /2 fields/.test(faults[0]?.message ?? '')], [2, true])
})

test('Path: folders before the table', () => {
  assert.deepEqual(splitPath('IO'), { table: 'IO' })
  assert.deepEqual(splitPath('\\A\\B/C\\IO 1/2'), { folder: 'A/B_C', table: 'IO 1/2' })
  assert.deepEqual(splitPath(' '), {})
})

/** Parts of a workbook as TIA Portal writes it: element names with a prefix, byte order marks, absolute targets. */
function portalWorkbook(rows: readonly (readonly (string | number | boolean | null)[])[]): Promise<Buffer> {
  const strings: string[] = []
  const cell = (value: string | number | boolean | null, at: string) => {
    if (value === null) return ''
    if (typeof value === 'boolean') return `<x:c r="${at}" t="b"><x:v>${value ? 1 : 0}</x:v></x:c>`
    if (typeof value === 'number') return `<x:c r="${at}"><x:v>${value}</x:v></x:c>`
    strings.push(value)
    return `<x:c r="${at}" s="0" t="s"><x:v>${strings.length - 1}</x:v></x:c>`
  }
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const sheet = rows
    .map(
      (row, r) =>
        `<x:row r="${r + 1}">${row.map((value, c) => cell(value, `${String.fromCharCode(65 + c)}${r + 1}`)).join('')}</x:row>`,
    )
    .join('')
  return packed({
    'xl/workbook.xml': `<x:workbook xmlns:x="${main}"><x:sheets><x:sheet name="PLC Tags" sheetId="1" r:id="R1" xmlns:r="${office}" /></x:sheets></x:workbook>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Type="${office}/officeDocument" Target="/xl/workbook.xml" Id="R0" /></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Type="${office}/worksheet" Target="/xl/worksheets/sheet.xml" Id="R1" /><Relationship Type="${office}/sharedStrings" Target="/xl/sharedStrings.xml" Id="R2" /></Relationships>`,
    'xl/worksheets/sheet.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData>${sheet}</x:sheetData></x:worksheet>`,
    'xl/sharedStrings.xml': `<x:sst xmlns:x="${main}">${strings.map((text) => `<x:si><x:t xml:space="preserve">${text}</x:t></x:si>`).join('')}</x:sst>`,
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" /><Default Extension="xml" ContentType="application/xml" /></Types>`,
  })
}

async function packed(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(parts))
    zip.addBuffer(
      typeof content === 'string' ? Buffer.from(`\uFEFF<?xml version="1.0" encoding="utf-8"?>${content}`) : content,
      path,
    )
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const headers = [
  'Name',
  'Path',
  'Data Type',
  'Logical Address',
  'Comment',
  'Hmi Visible',
  'Hmi Accessible',
  'Hmi Writeable',
  'Typeobject ID',
  'Version ID',
]

test('xlsx: as TIA Portal writes it, and with booleans and numbers of Excel', async () => {
  const bytes = await portalWorkbook([
    headers,
    ['Start', 'IO', 'Bool', '%I0.0', 'a; &quot;b&quot;, c', 'True', 'False', 'True', '', ''],
    [7, 'IO', 'Int', null, null, true, false, null, 'x', ''],
  ])
  const { tags } = await rowsOf(bytes, 'xlsx')
  assert.deepEqual(tags, [
    start,
    {
      name: '7',
      table: 'IO',
      dataType: 'Int',
      comments: { '': '' },
      logicalAddress: '',
      externalVisible: true,
      externalAccessible: false,
    },
  ])
  assert.match((await read(bytes, 'xlsx')).warnings.join(), /1 tag names a library type/)
})

test('xlsx: the same rows give the same bytes', async () => {
  const sheets = [
    { name: 'PLC Tags', rows: [headers, ['=1+1', 'IO', 'Bool', '%I0.0', '', 'True', 'True', 'True', '', '']] },
  ]
  const bytes = await writeWorkbook(sheets, 1_700_000_000_000)
  assert.deepEqual(await writeWorkbook(sheets, 1_700_000_000_000), bytes)
  const { tags } = await rowsOf(bytes, 'xlsx')
  assert.equal((tags[0] as { name?: string }).name, '=1+1')
})

test('xlsx: faults name sheet, row and column; wrong workbooks say what is missing', async () => {
  const { faults } = await read(
    await portalWorkbook([['a title'], headers, ['', 'IO', 'Bool', '', '', 'perhaps']]),
    'xlsx',
  )
  assert.deepEqual(
    faults.map(({ sheet, line, column, message }) => [sheet, line, column, message]),
    [
      ['PLC Tags', 3, 1, 'the name is missing'],
      ['PLC Tags', 3, 6, 'must be True or False'],
    ],
  )
  assert.match(await refused(await portalWorkbook([]), 'xlsx'), /no tags or constants: its sheets are empty/)
  assert.match(await refused(await portalWorkbook([['x', 'y']]), 'xlsx'), /sheet "PLC Tags" row 1: the columns/)
  assert.match(
    await refused(
      await portalWorkbook([
        ['Name', 'Connection', 'PLC tag', 'DataType'],
        ['a', 'b', 'c', 'Int'],
      ]),
      'xlsx',
    ),
    /HMI/,
  )
  const notRead = 'unacceptable_content: The file is not a workbook (.xlsx) that can be read:'
  assert.equal(
    await refused('Name,Data Type\n', 'xlsx'),
    `${notRead} it is no zip archive, or it was cut off: its directory, the end of every zip, is missing.`,
  )
  for (const [part, what] of [
    ['content.xml', 'an OpenDocument file (.ods); save it as .xlsx'],
    ['Line/System/PEData.plf', 'an archive of a TIA Portal project'],
    ['a.txt', 'a zip archive without the parts of one'],
  ] as const)
    assert.equal(await refused(await packed({ [part]: 'x' }), 'xlsx'), `${notRead} it is ${what}.`)
  // Readers differ in which of two parts of one name they take.
  const twins = (await packed({ 'xl/a.xml': '1', 'xl/b.xml': '2' }))
    .toString('latin1')
    .replaceAll('xl/b.xml', 'xl/a.xml')
  assert.equal(await refused(Buffer.from(twins, 'latin1'), 'xlsx'), `${notRead} it has the part "xl/a.xml" twice.`)
  assert.equal(
    await refused(await packed({ '[Content_Types].xml': '<Types/>' }), 'xlsx'),
    'unacceptable_content: The workbook cannot be read: its part _rels/.rels is missing.',
  )
  assert.match(await refused(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'xlsx'), /\.xls file or has a password/)
})

test('the XML of the editor is read like a list: several tables, constants, and what is wrong with its line', async () => {
  const text = `<?xml version='1.0' encoding='utf-8'?>
<Tagtables>
  <!-- exported by 'Totally Integrated Automation Portal' -->
  <Tagtable name='Line\\Motors &amp; pumps'>
    <Tag type='Bool' hmiVisible='True' hmiWriteable='False' hmiAccessible='True' retain='False' remark='größer' addr='%I0.0'>Start</Tag>
    <Constant type='Int' remark='' value='222'>Most</Constant>
    <Group/>
  </Tagtable>
  <Tagtable name='Empty'/>
</Tagtables>`
  const table = { folder: 'Line', table: 'Motors & pumps' }
  assert.deepEqual(await read(text), {
    tags: [
      {
        place: { line: 5 },
        ...table,
        name: 'Start',
        dataType: 'Bool',
        comments: { '': 'größer' },
        logicalAddress: '%I0.0',
        externalAccessible: true,
        externalVisible: true,
        externalWritable: false,
      },
    ],
    constants: [{ place: { line: 6 }, ...table, name: 'Most', dataType: 'Int', comments: { '': '' }, value: '222' }],
    tables: [
      { place: { line: 4 }, ...table },
      { place: { line: 9 }, table: 'Empty' },
    ],
    faults: [{ line: 7, message: 'the name is missing', value: '' }],
    omitted: 0,
    failed: 1,
    warnings: [],
  })
  const more = await read("<Tagtable name='T'><Group>x</Group></Tagtable>")
  assert.deepEqual(more.warnings, ['line 1: <Group> is neither a tag nor a constant; it was left out'])
  assert.match(await refused("<Tagtable name='T'>\n<Tag>x</Tagtable>"), /^unacceptable_content: Line 2: malformed XML/)
})

test('xlsx: bombs and oversized sheets are refused within bounds', async () => {
  const bomb = await packed({ 'xl/worksheets/sheet.xml': Buffer.alloc(24 * 1024 * 1024) })
  assert.match(await refused(bomb, 'xlsx'), /zip bomb/)
  const far = Array.from({ length: 600 }, (_, i) => `<c r="XFD${i + 2}"><v>1</v></c>`)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const wide = await writeWorkbook([{ name: 'PLC Tags', rows: [headers] }], 0)
  const { fromBufferPromise } = await import('yauzl')
  const zip = await fromBufferPromise(Buffer.from(wide), { lazyEntries: true })
  const parts: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    parts[entry.fileName] = Buffer.concat(chunks)
  }
  const sheet = `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Data Type</t></is></c></row>${far.map((cell, i) => `<row r="${i + 2}">${cell}</row>`).join('')}</sheetData></worksheet>`
  const entity = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${sheet.replace('Name', '&b;')}`
  const path = Object.keys(parts).find((name) => name.includes('worksheets/sheet')) ?? ''
  assert.match(
    await refused(await packed({ ...parts, [path]: Buffer.from(sheet) }), 'xlsx'),
    /payload_too_large: .* cells/,
  )
  assert.match(await refused(await packed({ ...parts, [path]: Buffer.from(entity) }), 'xlsx'), /unacceptable_content/)
})

test('no bytes crash a reader', async () => {
  const rubbish = await portalWorkbook([headers, ['Start', 'IO', 'Bool', '%I0.0']])
  const damaged = fc
    .tuple(fc.nat(rubbish.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(rubbish.length))
    .map(([at, byte, length]) => {
      const copy = Buffer.from(rubbish)
      copy[at] = byte
      return copy.subarray(0, length > rubbish.length / 2 ? rubbish.length : length)
    })
  const any = fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged)
  await fc.assert(
    fc.asyncProperty(any, fc.constantFrom<ExchangeFormat>('csv', 'xlsx', 'json'), async (bytes, format) => {
      await refused(bytes, format)
    }),
    { numRuns: 300 },
  )
})

test('no JSON crashes its reader', async () => {
  const known = fc.record(
    {
      name: fc.jsonValue(),
      dataType: fc.jsonValue(),
      comment: fc.jsonValue(),
      externalVisible: fc.jsonValue(),
      path: fc.jsonValue(),
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const rows = fc.oneof(fc.array(fc.oneof(known, fc.jsonValue())), fc.jsonValue())
  const root = fc.oneof(
    fc.record({ tags: rows, constants: rows, tagTables: rows }, { requiredKeys: [] }),
    fc.jsonValue(),
  )
  await fc.assert(fc.asyncProperty(root, async (value) => void (await refused(JSON.stringify(value), 'json'))))
})

test('files with more rows than a PLC holds are refused, whatever is in the rows', async () => {
  assert.match(await refused(`Name,Data Type\n${',\n'.repeat(250_001)}`), /payload_too_large: .* more than 250000 rows/)
  assert.match(await refused('"a","%I0.0","Bool","x"\n'.repeat(250_002)), /payload_too_large/)
  assert.match(await refused(Buffer.alloc(64 * 1024 * 1024 + 1, 32)), /payload_too_large/)
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ' '))
const name = text.map((value) => value.trim()).filter((value) => value !== '' && value !== '<No Value>')
const tableName = name.map((value) => value.replaceAll('\\', '_'))
const comment = fc.dictionary(
  fc.constantFrom('en-US', 'de-DE', 'zh-CN'),
  text.filter((value) => value !== '<No Value>'),
  { maxKeys: 3, noNullPrototype: true },
)
const table: fc.Arbitrary<TagTable> = fc.record({
  id: fc.constant('1'),
  deviceId: fc.constant('1'),
  name: tableName,
  folder: fc
    .array(
      tableName.map((value) => value.replaceAll('/', '_').trim()).filter((value) => value !== ''),
      { maxLength: 2 },
    )
    .map((parts) => parts.join('/')),
  isDefault: fc.boolean(),
  tags: fc.array(
    fc.record({
      name,
      dataType: name,
      logicalAddress: text.map((value) => value.trim()).filter((value) => value !== '<No Value>'),
      comment,
      externalAccessible: fc.boolean(),
      externalVisible: fc.boolean(),
      externalWritable: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  constants: fc.array(fc.record({ name, dataType: name, value: name, comment }), { maxLength: 3 }),
  createdAt: fc.constant(0),
  modifiedAt: fc.constant(0),
})

test('what is written is what is read, as CSV and as a workbook', async () => {
  const options = { culture: 'en-US', allCultures: true }
  const filled = (comments: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(comments)
        .map(([culture, value]) => [culture === '' ? 'en-US' : culture, value])
        .filter(([, value]) => value !== ''),
    )
  await fc.assert(
    fc.asyncProperty(
      fc.array(table, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(',', ';', '\t'),
      async (tables, delimiter) => {
        const wanted = {
          tags: tables.flatMap(({ name: own, folder, tags }) =>
            tags.map(({ comment: texts, ...tag }) => ({
              ...tag,
              table: own,
              ...(folder === '' ? {} : { folder }),
              comments: filled(texts),
            })),
          ),
          constants: tables.flatMap(({ name: own, folder, constants }) =>
            constants.map(({ comment: texts, ...constant }) => ({
              ...constant,
              table: own,
              ...(folder === '' ? {} : { folder }),
              comments: filled(texts),
            })),
          ),
        }
        const csv = `\uFEFF${writeCsv([tagSheet(tables, options), constantSheet(tables, options)], delimiter)}`
        const xlsx = await writeWorkbook(
          [
            { name: 'PLC Tags', rows: tagSheet(tables, options) },
            { name: 'Constants', rows: constantSheet(tables, options) },
            { name: 'TagTable Properties', rows: tableSheet(tables) },
          ],
          0,
        )
        for (const [bytes, format] of [[Buffer.from(csv), 'csv'] as const, [xlsx, 'xlsx'] as const]) {
          const found = await rowsOf(bytes, format)
          const plain = (rows: readonly object[]) =>
            rows.map((row) => ({ ...row, comments: filled((row as { comments?: Record<string, string> }).comments) }))
          assert.deepEqual({ tags: plain(found.tags), constants: plain(found.constants) }, wanted, format)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a line break of any kind in a cell is quoted', () => {
  assert.equal(writeCsv([[['one\ntwo', 'three\rfour', 'five']]], ','), '"one\ntwo","three\rfour",five\r\n')
})
