/** HMI tags in workbooks, images and folders of files, and what the fields of objects refuse. */
import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { openTestGateway } from '../../../test/harness.ts'
import { type Answer, newProject } from '../../../test/online.ts'
import { fails, writeWorkspace } from '../../../test/plant.ts'
import { collectionOfKind } from '../object.ts'

const hmi = { deviceName: 'HMI_1' }

async function withStations(t: TestContext) {
  const at = await openTestGateway(t)
  await newProject(at, 'Line')
  for (const name of ['HMI_1', 'HMI_2']) await at.call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name })
  return at
}

test('tags as a workbook with the columns of TIA Portal, out and in', async (t) => {
  const at = await withStations(t)
  const { call } = at
  const file = (name: string) => join(at.dir, 'workspace', name)
  await call('hmi.create-tag-table', { ...hmi, name: 'Pumps', folder: 'Line/One' })
  const table = { ...hmi, tableName: 'Pumps' }
  await call('hmi.add-tag', {
    ...{ ...table, name: 'Speed', dataType: 'Int', connection: 'C', address: '%MW4', acquisitionCycle: '500 ms' },
    ...{ comment: { 'en-US': 'how fast', 'de-DE': 'wie schnell' }, attributes: { Length: '2', Own: 'x' } },
  })
  await call('hmi.add-tag', { ...table, name: 'Inner', attributes: { HmiDataType: 'Byte', StartValue: '3' } })
  const out = await call<Answer>('hmi.export-tags', { ...hmi, exportPath: 'tags.xlsx' })
  assert.deepEqual(
    [out.tags, out.warnings],
    [
      2,
      [
        'Comments in de-DE are not in the file: it has en-US only.',
        'The attribute Own has no column; it is not in the file.',
      ],
    ],
  )
  const { sheets } = await readXlsx(await readFile(file('tags.xlsx')), {})
  const [header = [], ...rows] = sheets[0]!.rows.map((row) => row.map((cell) => String(cell ?? '')))
  assert.deepEqual(
    sheets.map(({ name }) => name),
    ['Hmi Tags', 'Substitute Value Usage'],
  )
  // The columns of TIA Portal in their order (docs/formats.md#tag-tables-as-files).
  assert.deepEqual(
    header,
    [
      'Name, Path, Connection, PLC tag, DataType, HMI DataType, Length, Access Method, Address, Start value, Persistency',
      'Substitute value, ID tag, Comment [en-US], Acquisition mode, Acquisition cycle, Limit Upper 2 Type, Limit Upper 2',
      'Limit Lower 2 Type, Limit Lower 2, Linear scaling, End value PLC, Start value PLC, End value HMI, Start value HMI',
      'Gmp relevant, Confirmation Type, RequiredFunctionRights, Mandatory Commenting, Scope',
    ].flatMap((line) => line.split(', ')),
  )
  const filled = rows.map((row) =>
    Object.fromEntries(row.flatMap((cell, i) => (cell === '<No Value>' ? [] : [[header[i], cell]]))),
  )
  assert.deepEqual(filled, [
    {
      ...{ Name: 'Speed', Path: 'Line\\One\\Pumps', Connection: 'C', DataType: 'Int', 'HMI DataType': 'Int' },
      ...{ Length: '2', Address: '%MW4', 'Comment [en-US]': 'how fast', 'Acquisition cycle': '500 ms' },
    },
    {
      ...{ Name: 'Inner', Path: 'Line\\One\\Pumps', DataType: 'Bool', 'HMI DataType': 'Byte' },
      ...{ 'Start value': '3', 'Acquisition cycle': '1 s' },
    },
  ])
  await fails(call('hmi.export-tags', { ...hmi, exportPath: 'tags.xlsx' }), 'conflict', /exists already/)
  await call('hmi.export-tags', { ...hmi, exportPath: 'tags.xlsx', overwrite: true })
  await fails(call('hmi.export-tags', { ...hmi, exportPath: 'tags.csv' }), 'invalid_input', /must end with .xlsx/)

  const tagsOf = async (deviceName: string) =>
    (await call<Answer>('hmi.list-tags', { deviceName })).tags.map(({ tagId: _id, ...tag }: Answer) => tag)
  // Every attribute with a column comes back.
  await call('hmi.create-tag-table', { ...hmi, name: 'Full' })
  const own = new Set([
    'Name',
    'Path',
    'Connection',
    'PLC tag',
    'DataType',
    'Address',
    'Comment [en-US]',
    'Acquisition cycle',
  ])
  const names: Readonly<Record<string, string>> = {
    ...{ 'HMI DataType': 'HmiDataType', 'Access Method': 'AddressAccessMode', 'Start value': 'StartValue' },
    ...{ 'Substitute value': 'SubstituteValue', 'ID tag': 'IdTag', 'Acquisition mode': 'AcquisitionTriggerMode' },
    ...{ 'End value PLC': 'ScalingPlcHigh', 'Start value PLC': 'ScalingPlcLow', 'End value HMI': 'ScalingHmiHigh' },
    ...{ 'Start value HMI': 'ScalingHmiLow', 'Linear scaling': 'LinearScaling', 'Gmp relevant': 'GmpRelevant' },
  }
  const full = header
    .filter((column) => !own.has(column))
    .map((column, i) => [names[column] ?? column.replaceAll(' ', ''), `v${i}`] as const)
  const attributesOfAll = Object.fromEntries(full)
  await call('hmi.add-tag', { ...hmi, tableName: 'Full', name: 'All', attributes: attributesOfAll })
  const { warnings } = await call<Answer>('hmi.export-tags', { ...hmi, exportPath: 'full.xlsx' })
  assert.equal(warnings.length, 2, 'as before: each of these attributes has a column')
  await call('hmi.import-tags', { deviceName: 'HMI_2', filePath: 'full.xlsx' })
  const all = (await tagsOf('HMI_2')).find(({ name }: Answer) => name === 'All')
  assert.deepEqual(all.attributes, attributesOfAll)
  for (const deviceName of ['HMI_1', 'HMI_2'])
    await call('hmi.delete-tag', { deviceName, tableName: 'Full', tagName: 'All' })
  await call('hmi.delete-tag', { deviceName: 'HMI_2', tableName: 'Pumps', tagName: 'Speed' })
  await call('hmi.delete-tag', { deviceName: 'HMI_2', tableName: 'Pumps', tagName: 'Inner' })

  const other = { deviceName: 'HMI_2' }
  const read = (name: string) => call<Answer>('hmi.import-tags', { ...other, filePath: name })
  assert.deepEqual(await read('tags.xlsx'), { tags: 2, created: 2, replaced: 0, warnings: [] })
  const before = await tagsOf('HMI_1')
  const { 'de-DE': _german, ...comment } = before[1].comment
  const { Own: _own, ...attributes } = before[1].attributes
  assert.deepEqual(await tagsOf('HMI_2'), [before[0], { ...before[1], comment, attributes }])
  const { children } = await call<Answer>('hmi.tag-tree', other)
  assert.deepEqual([children[0].name, children[0].children[0].name], ['Line', 'One'])

  /** A workbook with these rows of named cells. */
  const write = async (name: string, columns: string[], ...cells: (string | null)[][]) => {
    const sheet = { name: 'Tags', rows: [columns, ...cells] }
    await writeFile(file(name), await writeXlsx({ sheets: [{ name: 'First', rows: [['Name']] }, sheet] }))
  }
  const columns = ['Name', 'Path', 'Connection', 'PLC tag', 'HMI DataType', 'Start value', 'Colour']
  await write(
    'more.xlsx',
    columns,
    [' SPEED ', 'Line/One/Pumps', '<Internal tag>', '<undefined>', 'Word', '<No Value>', 'red'],
    [null, '', null, null, null, null, null],
    ['New', '', 'C', 'Data.count', '', '5', ''],
  )
  assert.deepEqual(await read('more.xlsx'), {
    ...{ tags: 2, created: 1, replaced: 1 },
    warnings: ['The column "Colour" is not one of HMI tags; it was left out.'],
  })
  const [added, speed] = (await tagsOf('HMI_2')).filter(({ name }: Answer) => name !== 'Inner')
  // What has no column stays as it was.
  const { acquisitionCycle, address } = before[1]
  assert.deepEqual(
    [speed, added],
    [
      {
        ...{ name: 'SPEED', dataType: 'Word', connection: '', plcTag: '', tableName: 'Pumps' },
        ...{ acquisitionCycle, address, comment, attributes: { Length: '2', HmiDataType: 'Word' } },
      },
      {
        ...{ name: 'New', dataType: 'Bool', connection: 'C', plcTag: 'Data.count', acquisitionCycle: '1 s' },
        ...{ address: '', comment: {}, tableName: 'Default tag table', attributes: { StartValue: '5' } },
      },
    ],
  )
  await call('hmi.update-tag', {
    ...{ ...other, tableName: 'Default tag table', tagName: 'New', dataType: 'Int', address: '%MW8' },
    ...{ comment: { 'en-US': 'new', 'de-DE': 'neu' }, attributes: { Own: 'x', Length: '2' } },
  })
  const newTag = async () => (await tagsOf('HMI_2')).find(({ name }: Answer) => /^new$/i.test(name))
  const old = await newTag()
  await write('bare.xlsx', ['Name', 'Connection', 'PLC tag'], ['NEW', '', 'Data.count'])
  assert.deepEqual(await read('bare.xlsx'), { tags: 1, created: 0, replaced: 1, warnings: [] })
  assert.deepEqual(await newTag(), { ...old, name: 'NEW', connection: '' })
  // What has a column is that of the file, also where it is empty.
  await write(
    'empty.xlsx',
    [...columns.slice(0, 6), 'DataType', 'Comment [en-US]', 'Length', 'Address', 'Acquisition cycle'],
    ['New', 'Line/One/Pumps', '', '', '', '', 'DInt', '', '', '', ''],
  )
  assert.deepEqual(await read('empty.xlsx'), { tags: 1, created: 0, replaced: 1, warnings: [] })
  assert.deepEqual(await newTag(), {
    ...{ name: 'New', dataType: 'DInt', connection: '', plcTag: '', acquisitionCycle: '1 s', address: '' },
    ...{ comment: { 'de-DE': 'neu' }, tableName: 'Pumps', attributes: { Own: 'x' } },
  })
  // All or nothing.
  const tooLong = 'x'.repeat(126)
  await write('bad.xlsx', columns, ['Good'], [null, 'x'], ['Twice'], ['twice'], ['a"b'], ['c', `Line/${tooLong}`])
  await assert.rejects(read('bad.xlsx'), ({ code, message, details }: Answer) => {
    assert.deepEqual(
      [code, message, details.errors],
      [
        'unacceptable_content',
        'Row 3: the tag has no name.',
        [
          { path: 'Tags', line: 3, message: 'the tag has no name', value: '' },
          { path: 'Tags', line: 5, message: 'the tag "twice" is there twice', value: 'twice' },
          { path: 'Tags', line: 6, message: 'the name of the tag must not contain "\\""', value: 'a"b' },
          {
            ...{ path: 'Tags', line: 7, value: 'c' },
            message: 'a name in its path has 126 characters; at most 125 are allowed',
          },
        ],
      ],
    )
    return true
  })
  assert.equal((await tagsOf('HMI_2')).length, 3)
  await write('none.xlsx', ['Name', 'Path', 'Connection'])
  await fails(read('none.xlsx'), 'unacceptable_content', /has no sheet of HMI tags/)
  await fails(call('hmi.import-tags', other), 'invalid_input', /Send one of filePath and file/)
})

const svg = (more = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9"/>${more}</svg>`

test('a folder of files with its folders; the same again changes nothing; images of other formats', async (t) => {
  const at = await withStations(t)
  const { call } = at
  await writeWorkspace(at, {
    'in/top.svg': svg(),
    'in/A/one.svg': svg('<g/>'),
    'in/A/B/two.svg': svg('<g/><g/>'),
    'in/A/one files/no.svg': svg(),
    'in/notes.txt': 'no',
    'none/notes.txt': 'no',
    'photo.jpg': '\u0000',
  })
  await writeFile(join(at.dir, 'workspace', 'photo.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]))
  const read = (more: object) => call<Answer>('hmi.import', { ...hmi, ...more })
  const actions = ({ objects }: Answer) => objects.map(({ name, action }: Answer) => `${name} ${action}`).sort()
  assert.deepEqual(actions(await read({ filePath: 'in' })), ['one created', 'top created', 'two created'])
  const { projectGraphics: graphics } = await call<Answer>('hmi.list-project-graphics', hmi)
  assert.deepEqual(graphics.map(({ name, folder }: Answer) => `${folder}/${name}`).sort(), ['/top', 'A/B/two', 'A/one'])
  assert.deepEqual(actions(await read({ filePath: 'in' })), ['one unchanged', 'top unchanged', 'two unchanged'])
  await writeWorkspace(at, { 'in/top.svg': svg('<rect width="1" height="1"/>') })
  await fails(read({ filePath: 'in/top.svg', overwrite: false }), 'name_taken')
  assert.deepEqual(actions(await read({ filePath: 'in/top.svg', overwrite: true })), ['top replaced'])
  assert.deepEqual(actions(await read({ filePath: 'photo.jpg' })), ['photo created'])
  await fails(read({ filePath: 'none' }), 'unacceptable_content', /none holds no \.xml files and no images/)
  await fails(read({}), 'invalid_input', /0 were sent/)
  await fails(read({ filePath: 'in', content: '<a/>' }), 'invalid_input', /2 were sent/)
  // A file with a fault: all is refused, or the rest is read.
  await writeWorkspace(at, { 'in/bad.xml': '<Document>', 'in/new.svg': svg() })
  await fails(read({ filePath: 'in' }), 'unacceptable_content')
  const rest = await read({ filePath: 'in', continueOnError: true, overwrite: true })
  assert.deepEqual([rest.errors.length, actions(rest).includes('new created')], [1, true])
  assert.match(rest.errors[0].path, /bad\.xml$/)

  // Fields of objects.
  const entries = (list: object[]) => call('hmi.create-text-list', { ...hmi, name: 'L', entries: list })
  await fails(entries([{ from: 5, to: 4 }]), 'unacceptable_content', /\/entries\/0\/to: 4 is below from \(5\)/)
  await fails(
    entries([{ value: 2 }, { from: 0, to: 2 }]),
    'unacceptable_content',
    /\/entries\/0\/from: overlaps with entry 1/,
  )
  await fails(
    entries([{ isDefault: true }, { isDefault: true }]),
    'unacceptable_content',
    /more than one entry is the default/,
  )
  await entries([{ value: 3 }, { from: 0, to: 2 }, { value: 1, isDefault: true, text: { 'de-DE': 'x' } }])
  const list = await call<Answer>('hmi.show-text-list', { ...hmi, listName: 'L' })
  assert.deepEqual(
    list.entries.map(({ from, to, isDefault }: Answer) => [from, to, isDefault]),
    [
      [3, 3, false],
      [0, 2, false],
      [1, 1, true],
    ],
  )
  await fails(
    call('hmi.create-screen', { ...hmi, name: 'S', backColor: '#12' }),
    'unacceptable_content',
    /"#12" is no colour/,
  )
  await fails(
    call('hmi.create-connection', { ...hmi, name: 'C', partner: 'HMI_2' }),
    'unacceptable_content',
    /"HMI_2" is no PLC/,
  )
  const items = ['a', 'A'].map((name) => ({ type: 'Circle', name }))
  await fails(
    call('hmi.create-library-type', { ...hmi, name: 'T', items }),
    'unacceptable_content',
    /"A" is there twice/,
  )
})

test('an import leaves screens of other kinds with its name, and a classic screen in a Unified panel is told', async (t) => {
  const at = await withStations(t)
  const { call } = at
  await call('hmi.create-screen', { ...hmi, name: 'Sc1' })
  await call('hmi.add-object', { screenName: 'Sc1', deviceName: 'HMI_1', type: 'Circle', name: 'Lamp' })
  const file = (type: string, name: string) =>
    `<Document><Hmi.Screen.${type} ID="0"><AttributeList><Name>${name}</Name><Width>100</Width><Height>50</Height></AttributeList></Hmi.Screen.${type}></Document>`
  const put = (type: string, name: string, deviceName = 'HMI_1') =>
    call<Answer>('hmi.import', { deviceName, content: file(type, name), overwrite: true })
  for (const [type, kind] of [
    ['ScreenTemplate', 'template'],
    ['ScreenPopup', 'popup'],
    ['ScreenSlidein', 'slide-in'],
    ['ScreenGlobalElements', 'global-screen'],
    ['ScreenOverview', 'permanent-area'],
  ] as const)
    assert.deepEqual((await put(type, 'sc1')).objects, [{ name: 'sc1', kind, action: 'created', file: 'content' }])
  const { objects } = await call<Answer>('hmi.list-objects', { screenName: 'Sc1' })
  assert.equal(objects.length, 1)
  assert.deepEqual((await put('Screen', 'Sc1')).objects[0].action, 'replaced')
  assert.deepEqual((await put('ScreenTemplate', 'T1')).warnings, [])
  await fails(
    call('hmi.import', { ...hmi, content: file('ScreenTemplate', 'T1').replace('100', '90'), overwrite: false }),
    'name_taken',
    /Template "T1" already exists/,
  )

  await call('devices.add', { orderNumber: '6AV2 123-3GB32-0AW0', name: 'HMI_3' })
  const { warnings } = await put('Screen', 'Sc1', 'HMI_3')
  assert.match(warnings.join(), /"Sc1" is a screen of a classic HMI device, and "HMI_3" .* is a Unified one/)
})

test('objects of different kinds with one name have files of their own in a folder, which an import reads', async (t) => {
  const at = await withStations(t)
  const { call } = at
  const workspace = join(at.dir, 'workspace')
  await mkdir(join(workspace, 'out'), { recursive: true })
  await writeFile(join(workspace, 'A.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
  await call('hmi.create-screen', { ...hmi, name: 'A' })
  await call('hmi.create-text-list', { ...hmi, name: 'A', entries: [{ value: 0, text: 'off' }] })
  await call('hmi.create-tag-table', { ...hmi, name: 'A' })
  await call('hmi.add-tag', { ...hmi, tableName: 'A', name: 'a', dataType: 'Int' })
  await call('hmi.import', { ...hmi, filePath: 'A.svg' })
  const kinds = ['screen', 'text-list', 'tag-table', 'graphic'] as const
  for (const kind of kinds) {
    const { exportPath } = await call<Answer>('hmi.export', { ...hmi, kind, name: 'A', exportPath: 'out' })
    assert.match(exportPath, /A\.xml$/)
  }
  const files = (await readdir(join(workspace, 'out'), { recursive: true })).filter((file) => /\.\w+$/.test(file))
  assert.deepEqual(files.sort(), [
    'A.xml',
    ...['project-graphics/A.svg', 'project-graphics/A.xml', 'tag-tables/A.xml', 'text-lists/A.xml'].map(normalize),
  ])
  // Earlier exports lie beside each other.
  await mkdir(join(workspace, 'flat'))
  await cp(join(workspace, 'out/text-lists/A.xml'), join(workspace, 'flat/A.xml'))
  await cp(join(workspace, 'out/tag-tables/A.xml'), join(workspace, 'flat/B.xml'))
  const put = async (filePath: string) => {
    const { objects, warnings } = await call<Answer>('hmi.import', { deviceName: 'HMI_2', filePath })
    assert.deepEqual(warnings, [])
    return objects.map(({ kind, name, action }: Answer) => `${kind} ${name} ${action}`)
  }
  assert.deepEqual(await put('out'), [
    'screen A created',
    // Its image, and the document with it.
    ...['graphic A created', 'graphic A replaced'],
    ...['tag-table A created', 'text-list A created'],
  ])
  for (const kind of kinds) {
    const all = [...at.gateway.state.read(collectionOfKind(kind).objects).values()]
    assert.deepEqual(
      all.map(({ name, folder }) => `${folder}/${name}`),
      ['/A', '/A'],
    )
  }
  assert.deepEqual(await put('flat'), ['text-list A unchanged', 'tag-table A unchanged'])
})
