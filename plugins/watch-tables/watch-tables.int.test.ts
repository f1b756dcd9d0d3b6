import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { defined } from '../../core/index.ts'
import { fails, openPlant, writeWorkspace } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Entry {
  position: number
  isComment: boolean
  name: string
  address: string
  displayFormat: string
  monitorTrigger: string
  modifyTrigger?: string
  modifyValue?: string
  modifyIntention?: boolean
  forceValue?: string
  forceIntention?: boolean
  comment: string
}
interface Table {
  name: string
  kind: string
  folder: string
  isConsistent: boolean
  entryCount: number
  entries: Entry[]
  warnings: string[]
}

/** Tables as exported by TIA Portal: several cultures, a comment row, an unknown attribute, CRLF. */
const watchXml = `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V18" />
  <SW.WatchAndForceTables.PlcWatchTable ID="0">
    <AttributeList>
      <Name>Befüllung/1</Name>
    </AttributeList>
    <ObjectList>
      <SW.WatchAndForceTables.PlcTableCommentEntry ID="1" CompositionName="Entries">
        <ObjectList>
          <MultilingualText ID="2" CompositionName="Comment">
            <ObjectList>
              <MultilingualTextItem ID="3" CompositionName="Items"><AttributeList><Culture>de-DE</Culture><Text>Füllen</Text></AttributeList></MultilingualTextItem>
              <MultilingualTextItem ID="4" CompositionName="Items"><AttributeList><Culture>en-US</Culture><Text>Fill</Text></AttributeList></MultilingualTextItem>
            </ObjectList>
          </MultilingualText>
        </ObjectList>
      </SW.WatchAndForceTables.PlcTableCommentEntry>
      <SW.WatchAndForceTables.PlcWatchTableEntry ID="5" CompositionName="Entries">
        <AttributeList>
          <Address>%M0.0</Address>
          <DisplayFormat>Bool</DisplayFormat>
          <FutureAttribute a="1">kept &amp; written</FutureAttribute>
          <ModifyIntention>true</ModifyIntention>
          <ModifyTrigger>OnceOnlyAtStart</ModifyTrigger>
          <ModifyValue>TRUE</ModifyValue>
          <MonitorTrigger>Permanent</MonitorTrigger>
          <Name>"Start"</Name>
        </AttributeList>
      </SW.WatchAndForceTables.PlcWatchTableEntry>
      <SW.WatchAndForceTables.PlcWatchTableEntry ID="6" CompositionName="Entries">
        <AttributeList>
          <Name>"DB".werte[3]</Name>
        </AttributeList>
      </SW.WatchAndForceTables.PlcWatchTableEntry>
    </ObjectList>
  </SW.WatchAndForceTables.PlcWatchTable>
</Document>
`.replaceAll('\n', '\r\n')

const forceXml = (name: string, address = '%Q0.0') => `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V18" />
  <SW.WatchAndForceTables.PlcForceTable ID="0">
    <AttributeList>${name === '' ? '' : `<Name>${name}</Name>`}</AttributeList>
    <ObjectList>
      <SW.WatchAndForceTables.PlcForceTableEntry ID="1" CompositionName="Entries"><AttributeList><Address>${address}</Address><ForceIntention>true</ForceIntention><ForceValue>FALSE</ForceValue></AttributeList></SW.WatchAndForceTables.PlcForceTableEntry>
    </ObjectList>
  </SW.WatchAndForceTables.PlcForceTable>
</Document>
`

async function openProgram(t: TestContext) {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('tags.add', { ...on, name: 'Start', dataType: 'Bool', logicalAddress: '%M0.0' })
  await call('tags.add', { ...on, name: 'Speed set', dataType: 'Real', logicalAddress: '%MD10' })
  const members = [
    { name: 'run', dataType: 'Bool' },
    { name: 'counts', dataType: 'Array[0..3] of Int' },
  ]
  await call('types.create', { ...on, name: 'UDT_Motor', members })
  const data = [
    { name: 'motors', dataType: 'Array[1..2] of "UDT_Motor"' },
    { name: 'state', dataType: 'Word' },
    { name: 'after', dataType: 'Time' },
  ]
  await call('blocks.create', { ...on, name: 'Plant_DB', type: 'DB', interface: data })
  const add = (entries: unknown[], tableName = 'Test') =>
    call<Table & { added: number }>('watch-tables.add-entries', { ...on, tableName, entries })
  return { ...gateway, add }
}

test('a watch table is created, listed, shown in its folder and deleted', async (t) => {
  const { call } = await openProgram(t)
  const created = await call<Table>('watch-tables.create', { ...on, name: 'Test', folder: 'A/B' })
  assert.deepEqual([created.kind, created.folder, created.entryCount, created.entries], ['WatchTable', 'A/B', 0, []])
  await fails(call('watch-tables.create', { ...on, name: 'test' }), 'name_taken', /Watch or force table "Test"/)
  await fails(call('watch-tables.create', { ...on, name: 'a"b' }), 'invalid_input', /watch table/)
  const { watchTables, total } = await call<{ watchTables: Table[]; total: number }>('watch-tables.list', on)
  assert.deepEqual([watchTables.map(({ name }) => name), total], [['Test'], 1])
  const tree = await call<{ children: { path: string }[] }>('watch-tables.tree', on)
  assert.deepEqual(
    tree.children.map(({ path }) => path),
    ['A'],
  )
  await fails(call('watch-tables.get', { ...on, tableName: 'Tost' }), 'not_found', /Did you mean "Test"/)
  await fails(call('watch-tables.get-force', { ...on, tableName: 'Test' }), 'not_found', /no force table "Test"/)
  await fails(call('watch-tables.delete-folder', { ...on, path: 'A' }), 'conflict', /holds 1 watch table/)
  const gone = await call<{ watchTables: string[] }>('watch-tables.delete-folder', { ...on, path: 'A', force: true })
  assert.deepEqual(gone.watchTables, ['Test'])
  await call('watch-tables.create', { ...on, name: 'Test' })
  await call('watch-tables.delete', { ...on, tableName: 'TEST' })
  assert.equal((await call('watch-tables.list', on)).total, 0)
})

test('rows know the tags, data blocks and data types of the program', async (t) => {
  const { call, add } = await openProgram(t)
  await call('watch-tables.create', { ...on, name: 'Test' })
  const { entries, added, warnings, isConsistent } = await add([
    'start',
    'Speed set',
    '%m0.0',
    'MW20',
    'plant_db.motors[2].counts[1]',
    '"Plant_DB".state.%X3',
    { name: '"Plant_DB".after', modifyValue: 'T#5s', modifyIntention: true, comment: 'wait' },
    'PEW64',
    '%DB7.DBD4',
  ])
  assert.deepEqual(
    entries.map(({ name, address, displayFormat }) => [name, address, displayFormat]),
    [
      ['"Start"', '%M0.0', 'Bool'],
      ['"Speed set"', '%MD10', 'Float'],
      ['"Start"', '%M0.0', 'Bool'],
      ['', '%MW20', 'Hex'],
      ['"Plant_DB".motors[2].counts[1]', '', 'DEC_signed'],
      ['"Plant_DB".state.%X3', '', 'Bool'],
      ['"Plant_DB".after', '', 'Time'],
      ['', '%IW64:P', 'Hex'],
      ['', '%DB7.DBD4', 'Hex'],
    ],
  )
  assert.deepEqual([added, warnings, isConsistent], [9, [], true])
  const timed = entries[6]
  assert.deepEqual([timed?.modifyValue, timed?.modifyIntention, timed?.comment], ['T#5s', true, 'wait'])
  const unknown = await add(['Nothing', { name: '"Gone"', address: '%MW8' }, '"Plant_DB".nope', '"Plant_DB"'])
  assert.deepEqual(
    unknown.warnings.map((warning) => warning.replace(/^There is no /, '')),
    [
      'tag or data block "Nothing".',
      'tag or data block "Gone".',
      '"Plant_DB".nope.',
      '"Plant_DB" is a block: its members can be shown.',
    ],
  )
  assert.deepEqual([unknown.isConsistent, unknown.entries[10]?.address], [false, '%MW8'])
})

test('what cannot be a row is refused, and says what would be right', async (t) => {
  const { call, add } = await openProgram(t)
  await call('watch-tables.create', { ...on, name: 'Test' })
  const refused = async (entry: unknown, pattern: RegExp) => {
    const error = await fails(add(['Start', entry]), 'invalid_input', pattern)
    assert.match(error.details.errors?.[0]?.path ?? '', /^\/entries\/1/)
  }
  await refused('#local', /visible in its block only/)
  await refused('T#5s', /is no operand: a symbol such as/)
  await refused('%M0.8', /%DB1\.DBX0\.0/)
  await refused('%FB1', /is no operand/)
  await refused({}, /needs a name/)
  await refused({ name: 'Start', address: '%M0.1' }, /that is %M0\.0/)
  await refused({ name: 'Start', displayFormat: 'Hexa' }, /there are Undef, Any_pointer, BCD/)
  await refused({ name: 'Start', monitorTrigger: 'Always' }, /Permanent, PermanentAtStart, OnceOnlyAtStart/)
  await refused({ name: 'Start', modifyValue: '5' }, /TRUE, FALSE, 1 or 0/)
  await refused({ name: '"Plant_DB".state', modifyValue: '16#1_0000' }, /0 to 65535/)
  await refused({ address: '%MW4', displayFormat: 'DEC+/-', modifyValue: '1.5' }, /whole number/)
  await refused({ address: '%MW4', displayFormat: 'DEC_signed', modifyValue: '40000' }, /-32768 to 32767/)
  await refused({ name: 'Start', forceValue: 'TRUE' }, /not of a watch table; it has modifyValue/)
  await refused('"St\u0001art"', /no name can have/)
  await refused({ name: 'Start', comment: 'a\u0000' }, /no text can have/)
  await fails(
    call('watch-tables.add-entries', { ...on, tableName: 'Test', entries: ['Start'], name: 'b' }),
    'invalid_input',
    /\/name: belongs into entries/,
  )
  await fails(
    call('watch-tables.remove-entries', { ...on, tableName: 'Test', entries: ['Start'], position: 1 }),
    'invalid_input',
    /\/position: belongs into entries/,
  )
  await fails(add([]), 'invalid_input')
  await fails(add(['Start'], 'Tast'), 'not_found', /Did you mean "Test"/)
  assert.equal((await call<Table>('watch-tables.get', { ...on, tableName: 'Test' })).entryCount, 0)
})

test('rows are changed by symbol, address or position; removed; cleared', async (t) => {
  const { call, add } = await openProgram(t)
  const table = { ...on, tableName: 'Test' }
  await call('watch-tables.create', { ...on, name: 'Test' })
  await add(['Start', 'Speed set', '%MW20', 'Start'])
  const set = (change: object) =>
    call<Entry & { changed: boolean }>('watch-tables.update-entry', { ...table, ...change })
  const speed = await set({ name: 'speed set', modifyValue: '12.5', modifyIntention: true, comment: 'rpm <max>' })
  assert.deepEqual(
    [speed.position, speed.modifyValue, speed.modifyIntention, speed.comment, speed.displayFormat, speed.changed],
    [2, '12.5', true, 'rpm <max>', 'Float', true],
  )
  assert.equal((await set({ address: 'MW20', displayFormat: 'bin' })).displayFormat, 'Bin')
  assert.equal((await set({ position: 2, comment: '' })).comment, '')
  assert.equal((await set({ position: 2, modifyValue: '12.5' })).changed, false)
  assert.equal((await set({ position: 2, modifyValue: 12.5 })).changed, false)
  assert.equal((await set({ position: 1, modifyValue: true })).modifyValue, 'TRUE')
  assert.equal((await set({ position: 1, modifyValue: '' })).modifyValue, '')
  await fails(set({ name: 'Start', modifyValue: 'TRUE' }), 'conflict', /2 rows of "Test" show that, at 1, 4/)
  await fails(set({ position: 9 }), 'not_found', /has 4 rows/)
  await fails(set({ name: 'Stort' }), 'not_found', /no row "Stort"/)
  await fails(set({ name: '"Speed set"', modifyValue: 'fast' }), 'invalid_input', /not a value of Real/)
  const remove = (entries: unknown[]) =>
    call<Table & { removed: number }>('watch-tables.remove-entries', { ...table, entries })
  await fails(remove(['Start', '%MW99']), 'not_found', /no row "%MW99"/)
  const left = await remove(['%M0.0', { position: 3 }])
  assert.deepEqual([left.removed, left.entries.map(({ name }) => name)], [3, ['"Speed set"']])
  const none = await call<Table & { removed: number }>('watch-tables.clear-entries', table)
  assert.deepEqual([none.removed, none.entryCount], [1, 0])
  assert.equal((await add(['Start'])).entryCount, 1)
})

test('a file goes in and out as it was; what is not interpreted stays through changes', async (t) => {
  const gateway = await openProgram(t)
  const { call } = gateway
  await writeWorkspace(gateway, { 'in/w.xml': `\uFEFF${watchXml}` })
  const imported = await call<{ imported: number; warnings: string[] }>('watch-tables.import', {
    ...on,
    filePath: 'in/w.xml',
    folder: 'F',
  })
  assert.equal(imported.imported, 1)
  assert.match(imported.warnings[0] ?? '', /rows of the table name tags or data blocks/)
  const table = { ...on, tableName: 'Befüllung/1' }
  const { entries, isConsistent } = await call<Table>('watch-tables.get', { ...table, culture: 'de-DE' })
  assert.deepEqual(
    entries.map(({ isComment, name, comment, modifyTrigger }) => [isComment, name, comment, modifyTrigger]),
    [
      [true, '', 'Füllen', undefined],
      [false, '"Start"', '', 'OnceOnlyAtStart'],
      [false, '"DB".werte[3]', '', 'Permanent'],
    ],
  )
  assert.equal(isConsistent, false)
  const exported = await call<{ exportPath: string }>('watch-tables.export', {
    ...table,
    exportPath: 'out',
    version: 'V18',
  })
  const text = (await readFile(exported.exportPath, 'utf8')).replace(/^\uFEFF/, '')
  assert.equal(text.trimEnd(), watchXml.trimEnd())
  // Only the given fields change.
  await call('watch-tables.update-entry', { ...table, name: 'Start', modifyValue: 'FALSE' })
  await call('watch-tables.add-entries', { ...table, name: '%MW4', comment: 'new' })
  await call('watch-tables.remove-entries', { ...table, entries: ['"DB".werte[3]'] })
  const { content } = await call<{ content: string }>('watch-tables.export', { ...table, version: 'V18' })
  const first = watchXml.slice(0, watchXml.indexOf('      <SW.WatchAndForceTables.PlcWatchTableEntry ID="6"'))
  assert.ok(content.startsWith(first.replace('<ModifyValue>TRUE<', '<ModifyValue>FALSE<')))
  assert.ok(!/[^\r]\n/.test(content), 'line ends stay CRLF')
  assert.doesNotMatch(content, /werte/)
  assert.match(content, /<Address>%MW4<\/Address>[\s\S]*<Text>new<\/Text>/)
  await call('watch-tables.update-entry', { ...table, position: 1, comment: 'Filling' })
  await fails(
    call('watch-tables.update-entry', { ...table, position: 1, displayFormat: 'Bool' }),
    'invalid_input',
    /is a comment row/,
  )
  await call('watch-tables.update-entry', { ...table, position: 1, comment: 'Fill' })
  // The changed text can be imported again.
  await call('watch-tables.import', { ...on, content, overwrite: true })
  const again = await call<{ content: string }>('watch-tables.export', { ...table, version: 'V18' })
  assert.equal(again.content, content)
})

test('a table is renamed and moved; its rows and what is not interpreted stay', async (t) => {
  const { call } = await openProgram(t)
  await call('watch-tables.import', { ...on, content: watchXml })
  await call('watch-tables.create', { ...on, name: 'Other' })
  const set = (change: object) =>
    call<Table & { oldName: string }>('watch-tables.update', { ...on, tableName: 'Befüllung/1', ...change })
  await fails(set({ newName: 'other' }), 'name_taken', /"Other" already exists/)
  await fails(set({ newName: ' x' }), 'invalid_input', /begin or end with a blank/)
  assert.equal((await set({ folder: 'A/B' })).folder, 'A/B')
  const renamed = await set({ newName: 'Fill <1>', folder: '' })
  assert.deepEqual(
    [renamed.oldName, renamed.name, renamed.folder, renamed.entryCount],
    ['Befüllung/1', 'Fill <1>', '', 3],
  )
  const { content } = await call<{ content: string }>('watch-tables.export', {
    ...on,
    tableName: 'fill <1>',
    version: 'V18',
  })
  assert.equal(content.trimEnd(), watchXml.replace('Befüllung/1', 'Fill &lt;1&gt;').trimEnd())
  assert.equal((await call('watch-tables.list', on)).total, 2)
})

test('a table is exported for every version and read again as the same', async (t) => {
  const { call } = await openProgram(t)
  await call('watch-tables.import', { ...on, content: watchXml })
  const table = { ...on, tableName: 'Befüllung/1' }
  const { entries } = await call<Table>('watch-tables.get', table)
  for (const version of ['V16', 'V17', 'V18', 'V19', 'V20', 'V21']) {
    const { content, warnings } = await call<{ content: string; warnings: string[] }>('watch-tables.export', {
      ...table,
      version,
    })
    assert.ok(content.includes(`<Engineering version="${version}" />`))
    assert.deepEqual(warnings, [])
    await call('watch-tables.import', { ...on, content, overwrite: true })
    assert.deepEqual((await call<Table>('watch-tables.get', table)).entries, entries)
  }
})

test('a PLC has one force table', async (t) => {
  const { call, add } = await openProgram(t)
  const created = await call<Table>('watch-tables.create-force', on)
  assert.deepEqual([created.name, created.kind], ['Force table', 'ForceTable'])
  await fails(call('watch-tables.create-force', { ...on, name: 'Second' }), 'conflict', /a PLC has only one/)
  const table = { ...on, tableName: 'Force table' }
  const { entries } = await add([{ name: 'Start', forceValue: 'true', forceIntention: true }, '%QB0'], 'Force table')
  assert.deepEqual(
    entries.map(({ forceValue, forceIntention, modifyValue }) => [forceValue, forceIntention, modifyValue]),
    [
      ['TRUE', true, undefined],
      ['', false, undefined],
    ],
  )
  await fails(add([{ name: 'Start', modifyValue: '1' }], 'Force table'), 'invalid_input', /it has forceValue/)
  const put = (content: string, overwrite?: boolean) =>
    call('watch-tables.import', { ...on, content, ...defined({ overwrite }) })
  await fails(put(forceXml('Forcetabelle')), 'conflict', /a PLC has only one/)
  await put(forceXml('Forcetabelle'), true)
  const { forceTables } = await call<{ forceTables: Table[] }>('watch-tables.list-force', on)
  assert.deepEqual(
    forceTables.map(({ name, entryCount }) => [name, entryCount]),
    [['Forcetabelle', 1]],
  )
  await fails(call('watch-tables.get-force', table), 'not_found')
  await call('watch-tables.clear-entries', { ...on, tableName: 'Forcetabelle' })
  // An empty force table may be replaced. The name may be omitted, because there is only one.
  await put(forceXml('', '%Q1.0'))
  assert.equal((await call<Table>('watch-tables.get-force', table)).entries[0]?.address, '%Q1.0')
  await fails(call('watch-tables.create', { ...on, name: 'force table' }), 'name_taken')
  await call('watch-tables.delete-force', table)
  await call('watch-tables.create-force', { ...on, name: 'F' })
})

test('tables come with folders of exported files, survive save and open, and are found', async (t) => {
  const gateway = await openProgram(t)
  const { call, add } = gateway
  await writeWorkspace(gateway, {
    'export/Watch and force tables/Line 1/w.xml': watchXml,
    'export/Watch and force tables/Force table.xml': forceXml('Force table'),
  })
  const bulk = await call<{ imported: number; skipped: number }>('blocks.import', { ...on, filePath: 'export' })
  assert.deepEqual([bulk.imported, bulk.skipped], [2, 0])
  await writeWorkspace(gateway, { 'two/a.xml': forceXml('A'), 'two/b.xml': forceXml('B') })
  await fails(
    call('blocks.import', { ...on, filePath: 'two' }),
    'unacceptable_content',
    /b\.xml: "B" is a second force table, the first is in a\.xml/,
  )
  await call('watch-tables.create', { ...on, name: 'Test', folder: 'Line 1/X' })
  await add(['Start', { name: 'Speed set', comment: 'Drehzahl' }])
  await call('watch-tables.create-folder', { ...on, path: 'Empty' })
  const state = async () => [
    await call('watch-tables.tree', on),
    await call('watch-tables.get', { ...on, tableName: 'Test' }),
    await call('watch-tables.get', { ...on, tableName: 'Befüllung/1' }),
    await call('watch-tables.get-force', { ...on, tableName: 'Force table' }),
  ]
  const before = await state()
  await call('projects.save')
  const { dir } = gateway
  const saved = await readFile(
    join(dir, 'workspace/Plant/devices/PLC_1/watch-tables/Line 1/Bef%C3%BCllung%2F1.xml'),
  ).catch(() => readFile(join(dir, 'workspace/Plant/devices/PLC_1/watch-tables/Line 1/Befüllung%2F1.xml')))
  assert.equal(saved.toString('utf8'), watchXml)
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await state(), before)
  const { devices } = await call<{ devices: { watchTables: unknown[]; forceTables: unknown[] }[] }>('projects.overview')
  assert.deepEqual(devices[0]?.forceTables, [{ name: 'Force table', entryCount: 1 }])
  assert.equal(devices[0]?.watchTables.length, 2)
  await call('projects.index')
  const found = await call<{ results: { kind: string; name: string }[] }>('projects.search', { query: 'Drehzahl' })
  assert.ok(found.results.some(({ kind, name }) => kind === 'watch-table' && name === 'Test'))
})

test('files that hold no table are refused whole', async (t) => {
  const { call } = await openProgram(t)
  const put = (content: string) => call('watch-tables.import', { ...on, content })
  await fails(put('<Document><SW.WatchAndForceTables.PlcWatchTable ID="0">'), 'unacceptable_content', /line 1/)
  const block = watchXml.replaceAll('WatchAndForceTables.PlcWatchTable', 'Blocks.GlobalDB')
  await fails(put(block), 'unacceptable_content', /only WatchTable, ForceTable can be imported/)
  const unnamed = watchXml.replace(/<Name>Bef.*?<\/Name>/, '')
  await fails(put(unnamed), 'unacceptable_content', /needs a <Name>/)
  await call('watch-tables.import', { ...on, content: watchXml })
  await fails(put(watchXml), 'conflict', /already exists/)
  assert.equal((await call('watch-tables.list', on)).total, 1)
})

test('a table of thousands of rows is changed on the engine, like a small one', async (t) => {
  const { call, add } = await openProgram(t)
  const row = (i: number) =>
    `<SW.WatchAndForceTables.PlcWatchTableEntry ID="1" CompositionName="Entries"><AttributeList><Address>%MW${2 * i}</Address><DisplayFormat>Hex</DisplayFormat></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>`
  const rows = Array.from({ length: 3000 }, (_, i) => row(i)).join('\n')
  const content = watchXml.replace(/<ObjectList>[\s\S]*<\/ObjectList>/, () => `<ObjectList>${rows}</ObjectList>`)
  await call('watch-tables.import', { ...on, content })
  const table = { ...on, tableName: 'Befüllung/1' }
  assert.equal((await add(['Start'], table.tableName)).entryCount, 3001)
  const odd = Array.from({ length: 1500 }, (_, i) => `%MW${4 * i + 2}`)
  const left = await call<Table>('watch-tables.remove-entries', { ...table, entries: odd })
  assert.deepEqual([left.entryCount, left.entries[1]?.address, left.entries.at(-1)?.name], [1501, '%MW4', '"Start"'])
})

test('cross-references know the rows', async (t) => {
  const { call, add } = await openProgram(t)
  await call('watch-tables.create', { ...on, name: 'Test', folder: 'A' })
  await add(['Start', '"Plant_DB".state'])
  interface References {
    sources: { referenceObjects: { name: string; typeName: string; path: string }[] }[]
  }
  const { sources } = await call<References>('blocks.find-references', { ...on, name: 'Start' })
  assert.deepEqual(
    sources[0]?.referenceObjects.map(({ name, typeName, path }) => [name, typeName, path]),
    [['Test', 'Watch table', 'Watch and force tables/A']],
  )
})
