import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestGateway } from '../../../test/harness.ts'
import { fails, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
const defaultTable = { ...on, tableName: 'Default tag table' }

interface Imported {
  imported: number
  created: number
  updated: number
  unchanged: number
  failed: number
  tables: { name: string; folder: string; action: string; tags: number; constants: number }[]
  errors: { line?: number; column?: number; path?: string; message: string }[]
  omittedErrors: number
  warnings: string[]
}
interface Exported {
  exportPath?: string
  content?: string
  contentBase64?: string
  tables: string[]
  tags: number
  constants: number
  warnings: string[]
}
interface Tags {
  tags: Record<string, unknown>[]
  total: number
}

test('JSON: tags and constants into several tables, made when absent', async (t) => {
  const { call } = await openPlant(t)
  await call('types.create', { ...on, name: 'UDT_Motor', members: [{ name: 'run', dataType: 'Bool' }] })
  const rows = {
    tags: [
      { name: 'Start', dataType: 'bool', logicalAddress: 'E0.0', comment: { 'en-US': 'button', 'de-DE': 'Taster' } },
      { Name: 'Motor', Type: 'UDT_Motor', TableName: 'Motors', folder: 'Line 1', hmiWriteable: false },
    ],
    constants: [{ name: 'MAX', dataType: 'Int', value: 7, tableName: 'Motors' }],
    tagTables: [{ name: 'Empty', folder: 'X/Y', tags: [], constants: [] }],
  }
  const done = await call<Imported>('tags.import', { ...on, ...rows })
  assert.deepEqual(done.tables, [
    { name: 'Empty', folder: 'X/Y', action: 'created', tags: 0, constants: 0 },
    { name: 'Default tag table', folder: '', action: 'changed', tags: 1, constants: 0 },
    { name: 'Motors', folder: 'Line 1', action: 'created', tags: 1, constants: 1 },
  ])
  assert.deepEqual([done.imported, done.created, done.failed], [3, 3, 0])
  const { tags } = await call<Tags>('tags.list-all', { ...on, culture: 'de-DE' })
  assert.deepEqual(
    tags.map(({ name, dataType, logicalAddress, comment, externalWritable, tableName }) => [
      name,
      dataType,
      logicalAddress,
      comment,
      externalWritable,
      tableName,
    ]),
    [
      ['Motor', '"UDT_Motor"', '', '', false, 'Motors'],
      ['Start', 'Bool', '%I0.0', 'Taster', true, 'Default tag table'],
    ],
  )
  const again = await call<Imported>('tags.import', { ...on, content: JSON.stringify(rows) })
  assert.deepEqual(
    [again.imported, again.unchanged, again.tables.map(({ action }) => action)],
    [0, 3, ['unchanged', 'unchanged', 'unchanged']],
  )
  // The lists in responses can be sent back.
  const listed = await call<Imported>('tags.import', { ...on, tags: (await call<Tags>('tags.list-all', on)).tags })
  assert.deepEqual([listed.unchanged, listed.imported], [2, 0])
  await fails(call('tags.import', on), 'invalid_input', /tags, constants or tagTables are needed/)
  await fails(call('tags.import', { ...on, tags: [], content: '{}' }), 'invalid_input', /cannot be sent together/)
  await fails(call('tags.import', { ...on, content: '{"tags": [}' }), 'unacceptable_content', /not JSON/)
})

test('JSON: every faulty row is named, and nothing is kept', async (t) => {
  const { call } = await openPlant(t)
  await call('tags.create-table', { ...on, name: 'Old' })
  await call('tags.add', { ...on, tableName: 'Old', name: 'Taken' })
  const tags = [
    { name: 'Good', dataType: 'Int', logicalAddress: '%MW0' },
    { name: 'good', dataType: 'Int' },
    { name: 'Taken', dataType: 'Int' },
    { name: 'Bit', dataType: 'Bool', logicalAddress: '%M0.9' },
    { name: 'Wide', dataType: 'Int', logicalAddress: '%MD4' },
    { name: 'Type', dataType: 'Reel' },
    { name: 'Udt', dataType: '"UDT_Motor"' },
    { dataType: 'Int' },
    { name: 'Typo', dataType: 'Int', adress: '%M0.0' },
    'x',
  ]
  const constants = [
    { name: 'BIG', dataType: 'Int', value: 99999 },
    { name: 'NONE', dataType: 'Int' },
  ]
  const error = await fails(call('tags.import', { ...on, tags, constants }), 'unacceptable_content')
  assert.deepEqual(
    error.details.errors?.map(({ path, message }) => `${path} ${message}`),
    [
      '/tags/7/name the name is missing',
      '/tags/8/adress unknown property (did you mean "address"?)',
      '/tags/9 must be an object',
      '/tags/1/name "good" stands twice in the file, first at /tags/0',
      '/tags/2/name the name "Taken" is taken by a tag of table "Old"',
      '/tags/3/logicalAddress the address is not an address: there is no bit 9, a byte has the bits 0 to 7; e.g. %I0.0, %QB4, %MW10, %MD20, %ML8, %T1, %C1',
      '/tags/4/logicalAddress the address does not fit data type Int: an address such as %MW4 is needed',
      '/tags/5/dataType "Reel" is not a data type; did you mean "Real"?',
      '/tags/6/dataType ""UDT_Motor"" is not a PLC data type of this PLC; e.g. Bool, Int, Real, "UDT_Motor"',
      '/constants/0/value the value does not fit into Int: -32768 to 32767',
      '/constants/1/value the value must not be empty',
    ],
  )
  assert.equal((await call<Tags>('tags.list-all', on)).total, 1)
  const some = await call<Imported>('tags.import', { ...on, tags, constants, continueOnError: true })
  assert.deepEqual([some.imported, some.failed, some.errors.length], [1, 11, 11])
  await fails(
    call('tags.import', { ...on, tags: [tags[0]], overwrite: false }),
    'unacceptable_content',
    /already exists in table "Default tag table"; send overwrite/,
  )
})

const csv = `Name,Path,Data Type,Logical Address,Comment,Hmi Visible,Hmi Accessible,Hmi Writeable,Typeobject ID,Version ID\r
Start,IO,Bool,%I0.0,"button, green",True,True,False,,\r
Level,Tank\\Levels,Real,%MD8,,False,True,True,,\r
Bit,,Bool,%M9.0,,,,,,\r
`

test('CSV: tables by Path, overlaps as warnings, what is not in the file stays', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await writeWorkspace(gateway, { 'in/tags.csv': csv })
  const done = await call<Imported>('tags.import-csv', {
    ...on,
    tableName: 'Rest',
    filePath: 'in/tags.csv',
    ignorePath: false,
  })
  assert.deepEqual(
    done.tables.map(({ name, folder, action, tags }) => [name, folder, action, tags]),
    [
      ['IO', '', 'created', 1],
      ['Levels', 'Tank', 'created', 1],
      ['Rest', '', 'created', 1],
    ],
  )
  assert.deepEqual(done.warnings, ['"Bit" (%M9.0, table "Rest") overlaps "Level" (%MD8, table "Levels")'])
  await call('tags.update', { ...on, tableName: 'IO', tagName: 'Start', externalVisible: false })
  const changed = await call<Imported>('tags.import-csv', {
    ...on,
    tableName: 'IO',
    csvContent: 'Name;Data Type;Logical Address\nstart;Bool;A1.0\n',
  })
  assert.equal(changed.updated, 1)
  const { tags } = await call<Tags>('tags.list', { ...on, tableName: 'IO' })
  assert.deepEqual(tags, [
    {
      name: 'start',
      dataType: 'Bool',
      logicalAddress: '%Q1.0',
      comment: 'button, green',
      externalAccessible: true,
      externalVisible: false,
      externalWritable: false,
      tableName: 'IO',
    },
  ])
  const all = await call<Imported>('tags.import-csv', {
    ...on,
    tableName: 'One',
    content: csv.replaceAll(/\b(Start|Level|Bit),/g, '$12,'),
  })
  assert.deepEqual(
    all.tables.map(({ name, tags: count }) => [name, count]),
    [['One', 3]],
  )
  assert.match(
    all.warnings[0] ?? '',
    /^the file names other tables \("IO", "Levels"\): 2 rows of them went to "One"; send ignorePath: false/,
  )
  await fails(
    call('tags.import-csv', { ...on, tableName: 'One', filePath: 'in/tags.csv' }),
    'unacceptable_content',
    /"Start" is taken by a tag of table "IO", which its column Path names; send ignorePath: false/,
  )
  const error = await fails(
    call('tags.import-csv', { ...on, tableName: 'IO', content: 'Name,Data Type\nA,Int\nB,Itn\n' }),
    'unacceptable_content',
  )
  assert.match(error.message, /^content: line 3, column 2: "Itn" is not a data type; did you mean "Int"\?/)
  await fails(call('tags.import-csv', { ...on, tableName: 'IO' }), 'invalid_input', /one of filePath/)
  await fails(call('tags.import-csv', { ...on, tableName: 'IO', filePath: 'in' }), 'invalid_input', /is a folder/)
  await fails(call('tags.import-csv', { ...on, tableName: 'IO', filePath: 'in/none.csv' }), 'not_found')
})

test('a table goes out and comes in again: CSV, xlsx, XML', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  const at = { ...on, tableName: 'Motors' }
  await call('tags.import', {
    ...on,
    tagTables: [
      {
        name: 'Motors',
        folder: 'Line 1/Drives',
        tags: [
          {
            name: 'Größe',
            dataType: 'Real',
            logicalAddress: '%MD4',
            comment: { 'en-US': '=1+1; "size"', 'de-DE': 'Größe' },
            externalVisible: false,
          },
          { name: 'free', dataType: 'Timer' },
        ],
        constants: [{ name: 'LIMIT', dataType: 'Time', value: 'T#5s', comment: 'limit' }],
      },
    ],
  })
  const state = async () => [
    await call('tags.table-tree', on),
    await call('tags.list-all', { ...on, culture: 'de-DE' }),
    await call('tags.list-all', { ...on, culture: 'en-US' }),
    await call('tags.list-constants', at),
  ]
  const plain = (states: unknown) =>
    JSON.parse(JSON.stringify(states, (key, value) => (/^(createdAt|modifiedDate)$/.test(key) ? undefined : value)))
  const before = plain(await state())
  const out = await call<Exported>('tags.export-csv', { ...at, include: 'all', exportPath: 'out/' })
  assert.equal(out.exportPath, join(dir, 'workspace/out/Motors.csv'))
  assert.match(await readFile(out.exportPath ?? '', 'utf8'), /^\uFEFFName,Path,Data Type,.*,Comment \[de-DE\]\r\n/)
  const xlsx = await call<Exported>('tags.export-xlsx', { ...at, allCultures: true })
  assert.equal(
    Buffer.from(xlsx.contentBase64 ?? '', 'base64')
      .subarray(0, 2)
      .toString(),
    'PK',
  )
  const xml = await call<string>('tags.export-xml', at)
  const sources: [string, Record<string, unknown>][] = [
    ['tags.import-csv', { ...at, filePath: 'out/Motors.csv' }],
    ['tags.import-xlsx', { ...defaultTable, contentBase64: xlsx.contentBase64, ignorePath: false }],
    ['blocks.import', { ...on, content: xml, folder: 'Line 1/Drives' }],
  ]
  for (const [operation, input] of sources) {
    await call('tags.delete-table', at)
    await call(operation, input)
    assert.deepEqual(plain(await state()), before, operation)
  }
  const sdf = await call<Exported>('tags.export-csv', { ...at, format: 'sdf', exportPath: 'out/Motors.sdf' })
  assert.match(sdf.warnings.join(), /comments in de-DE are not in the file/)
  const listed = await call<Imported>('tags.import-csv', { ...at, filePath: 'out/Motors.sdf' })
  assert.deepEqual([listed.unchanged, listed.imported], [3, 0])
  await fails(call('tags.export-csv', { ...at, exportPath: 'out/Motors.csv' }), 'conflict', /exists already/)
  const one = await call<Exported>('tags.export-csv', { ...at, allCultures: false, delimiter: ';' })
  assert.match(one.content ?? '', /^Name;Path;Data Type;/)
  assert.deepEqual(
    one.warnings.map((text) => text.split(';')[0]),
    ['1 constant is not in the file', "comments in de-DE are not in the file: TIA Portal's layout has one language"],
  )
  const all = await call<Exported>('tags.export-xlsx', { ...defaultTable, allTables: true, exportPath: 'all.xlsx' })
  assert.deepEqual([all.tables, all.tags, all.constants], [['Default tag table', 'Motors'], 2, 1])
  // TIA Portal's one Comment column changes nothing of a tag that has its text in some language.
  const back = await call<Imported>('tags.import-xlsx', { ...defaultTable, filePath: 'all.xlsx', ignorePath: false })
  assert.deepEqual([back.unchanged, back.imported], [3, 0])
  await call('tags.delete-table', at)
  const into = await call<Imported>('tags.import-xlsx', { ...defaultTable, filePath: 'all.xlsx' })
  assert.deepEqual(
    into.tables.map(({ name, action }) => [name, action]),
    [[defaultTable.tableName, 'changed']],
  )
  assert.match(into.warnings.join(), /other tables \("Motors"\): 3 rows/)
})

test('a table from SimaticML keeps what is not interpreted when a spreadsheet changes its rows', async (t) => {
  const { call } = await openPlant(t)
  const content = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V19" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>IO</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><Future>kept</Future><LogicalAddress>%I0.0</LogicalAddress><Name>first</Name></AttributeList></SW.Tags.PlcTag>
</ObjectList></SW.Tags.PlcTagTable></Document>`
  await call('blocks.import', { ...on, content })
  await call('tags.import-csv', {
    ...on,
    tableName: 'IO',
    content: 'Name,Data Type,Logical Address\nFIRST,Bool,%I0.1\nsecond,Int,%IW2\n',
  })
  const xml = await call<string>('tags.export-xml', { ...on, tableName: 'IO' })
  assert.match(xml, /<Future>kept<\/Future>\s*<LogicalAddress>%I0\.1<\/LogicalAddress>\s*<Name>FIRST<\/Name>/)
  assert.match(xml, /<Name>second<\/Name>/)
})

test('XML: what does not fit is a warning, as TIA Portal exports it', async (t) => {
  const { call } = await openPlant(t)
  const tag = (id: number, name: string, type: string, address: string) =>
    `<SW.Tags.PlcTag ID="${id}" CompositionName="Tags"><AttributeList><DataTypeName>${type}</DataTypeName><LogicalAddress>${address}</LogicalAddress><Name>${name}</Name></AttributeList></SW.Tags.PlcTag>`
  const content = `<Document><Engineering version="V19" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>IO</Name></AttributeList><ObjectList>${tag(1, 'a', 'Real', '%IW64')}${tag(2, 'b', '&quot;UDT_x&quot;', '%I0.0')}${tag(3, 'c', 'Bool', '%I64.0')}
<SW.Tags.PlcUserConstant ID="5" CompositionName="UserConstants"><AttributeList><DataTypeName>Int</DataTypeName><Name>LIMIT</Name><Value>100000</Value></AttributeList></SW.Tags.PlcUserConstant>
</ObjectList></SW.Tags.PlcTagTable></Document>`
  const { imported, warnings } = await call<{ imported: number; warnings: string[] }>('blocks.import', {
    ...on,
    content,
  })
  assert.equal(imported, 1)
  assert.equal(warnings.filter((text) => text.includes('UDT_x')).length, 1)
  assert.deepEqual(
    warnings.filter((text) => !text.includes('UDT_x')),
    [
      'Tag table "IO": tag "a": "%IW64" does not fit data type Real: an address such as %ID64 is needed',
      'Tag table "IO": constant "LIMIT": "100000" does not fit into Int: -32768 to 32767',
      '"c" (%I64.0, table "IO") overlaps "a" (%IW64, table "IO")',
    ],
  )
})

test('20 000 rows: one job with progress, other requests are answered meanwhile', async (t) => {
  const gateway = await openTestGateway(t, { withoutEngine: false })
  const { call } = gateway
  await call('instance.launch')
  t.after(() => gateway.gateway.engineHost?.shutdown().catch(() => {}))
  await call('projects.create', { name: 'Plant' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  const rows = Array.from({ length: 20_000 }, (_, i) => `Tag_${i},Big,Bool,%M${i >> 3}.${i & 7},comment ${i}`)
  const content = `Name,Path,Data Type,Logical Address,Comment\n${rows.join('\n')}\n`
  let answered = 0
  let isDone = false
  const { jobs, bus } = gateway.gateway
  const checked = new Set<string>()
  bus.on('job', ({ message = '' }) => void (message.startsWith('Checked') && checked.add(message)))
  const importing = call<Imported>('tags.import-csv', { ...on, tableName: 'Big', content }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    const { tagTables } = await call<{ tagTables: { name: string; tagCount: number }[] }>('tags.list-tables', on)
    const big = tagTables.find(({ name }) => name === 'Big')
    assert.ok(!big || big.tagCount === 20_000, `half an import is seen: ${big?.tagCount}`)
    if (!isDone) answered += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const done = await importing
  assert.equal(done.created, 20_000)
  assert.deepEqual(
    [...checked].filter((message) => !/^Checked \d+000 of 20000 rows$/.test(message)),
    [],
  )
  assert.ok(answered > 1, `${answered} answers meanwhile`)
  const xlsx = await call<Exported>('tags.export-xlsx', { ...on, tableName: 'Big' })
  assert.equal(xlsx.tags, 20_000)
  const again = await call<Imported>('tags.import-xlsx', { ...on, tableName: 'Big', contentBase64: xlsx.contentBase64 })
  assert.equal(again.unchanged, 20_000)
  // Cancelled during the import: progress was reported, and nothing is stored.
  const more = `Name,Data Type\n${Array.from({ length: 200_000 }, (_, i) => `More_${i},Int`).join('\n')}\n`
  let told: string | undefined
  bus.on('job', ({ jobId, message = '' }) => {
    if (told !== undefined || !/^(Read|Checked) \d+000 (of \d+ )?rows/.test(message)) return
    told = message
    void jobs.cancel(jobId)
  })
  const { jobId } = await call<{ jobId: string }>(
    'tags.import-csv',
    { ...on, tableName: 'More', content: more },
    { mode: 'async' },
  )
  await jobs.peek(jobId)?.settled
  assert.ok(told !== undefined, 'no progress was told')
  assert.equal((await jobs.find(jobId))?.status, 'Cancelled')
  const { tagTables } = await call<{ tagTables: { name: string }[] }>('tags.list-tables', on)
  assert.ok(!tagTables.some(({ name }) => name === 'More'))
})

test('a file with more faults than a problem has room for counts the rest', async (t) => {
  const { call } = await openPlant(t)
  const content = `Name,Data Type\n${Array.from({ length: 1500 }, (_, i) => `T${i},Nothing`).join('\n')}\n`
  const error = await fails(
    call('tags.import-csv', { ...on, tableName: 'IO', content }),
    'unacceptable_content',
    /1500 faults/,
  )
  assert.equal(error.details.errors?.length, 1000)
  assert.equal(error.details.extra?.omittedErrors, 500)
  assert.equal((await call('tags.list-tables', on)).total, 1)
  // Some are found when the file is read, some when it is checked.
  const rows = Array.from({ length: 1500 }, (_, i) => `T${i},${i % 2 === 0 ? 'Nothing' : ''}`)
  const both = { ...on, tableName: 'IO', content: `Name,Data Type\n${rows.join('\n')}\nRight,Int\n` }
  const { details } = await fails(call('tags.import-csv', both), 'unacceptable_content', /1500 faults/)
  assert.deepEqual([details.errors?.length, details.extra?.omittedErrors], [1000, 500])
  const { created, failed, errors, omittedErrors } = await call<Imported>('tags.import-csv', {
    ...both,
    continueOnError: true,
  })
  assert.deepEqual([created, failed, errors.length, omittedErrors], [1, 1500, 1000, 500])
})

test('of the faulty rows of a request 50 are told', async (t) => {
  const { call } = await openPlant(t)
  const error = await fails(
    call('tags.import', { ...on, tags: Array(1500).fill(5) }),
    'unacceptable_content',
    /1500 faults/,
  )
  assert.equal(error.details.errors?.length, 51)
  assert.equal(error.details.errors?.at(-1)?.message, 'and 1450 more')
})
