import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Tag {
  name: string
  dataType: string
  logicalAddress: string
  comment: string
  externalWritable: boolean
  tableName: string
}
interface Tags {
  tags: Tag[]
  total: number
}

test('tags are added, changed and deleted; names are unique over all tables', async (t) => {
  const { call } = await openPlant(t)
  const added = await call<Tag>('tags.add', { ...on, name: 'Start', logicalAddress: 'E0.0', comment: 'button' })
  assert.deepEqual(
    [added.dataType, added.logicalAddress, added.comment, added.tableName],
    ['Bool', '%I0.0', 'button', 'Default tag table'],
  )
  await call('tags.create-table', { ...on, name: 'Motors', folder: 'Line 1' })
  await call('tags.add', { ...on, tableName: 'motors', name: 'Speed', dataType: 'REAL', logicalAddress: '%MD4' })
  await fails(
    call('tags.add', { ...on, tableName: 'Motors', name: 'START' }),
    'name_taken',
    /by a tag \(in table "Default tag table"\)/,
  )
  await fails(call('tags.add', { ...on, name: 'x', dataType: 'Foo Bar' }), 'invalid_input', /not a data type/)
  await fails(call('tags.add', { ...on, name: 'x', logicalAddress: '%X1' }), 'invalid_input', /not an address/)
  await fails(call('tags.add', { ...on, tableName: 'Motor', name: 'x' }), 'not_found', /Did you mean "Motors"/)
  const update = (input: object) => call<Tag>('tags.update', { ...on, tableName: 'Motors', tagName: 'Speed', ...input })
  await fails(update({ dataType: 'Bool' }), 'invalid_input', /does not fit data type Bool/)
  const changed = await update({ name: 'Velocity', externalWritable: false })
  assert.deepEqual([changed.name, changed.logicalAddress, changed.externalWritable], ['Velocity', '%MD4', false])
  const all = await call<Tags>('tags.list-all', on)
  assert.deepEqual(
    all.tags.map(({ name, tableName }) => [name, tableName]),
    [
      ['Start', 'Default tag table'],
      ['Velocity', 'Motors'],
    ],
  )
  await call('tags.delete', { ...on, tableName: 'Motors', tagName: 'velocity' })
  await fails(call('tags.delete', { ...on, tableName: 'Motors', tagName: 'Velocity' }), 'not_found')
})

test('tables: default, rename, move, delete', async (t) => {
  const { call } = await openPlant(t)
  await fails(call('tags.delete-table', { ...on, tableName: 'Default tag table' }), 'conflict', /default tag table/)
  await call('tags.create-table', { ...on, name: 'A' })
  await fails(call('tags.create-table', { ...on, name: 'a' }), 'name_taken')
  await fails(call('tags.update-table', { ...on, tableName: 'A', newName: 'default TAG table' }), 'name_taken')
  const moved = await call('tags.update-table', { ...on, tableName: 'A', newName: 'B', folder: 'X/Y' })
  assert.deepEqual([moved.oldName, moved.name, moved.folder], ['A', 'B', 'X/Y'])
  await fails(call('tags.delete-folder', { ...on, path: 'X' }), 'conflict', /holds 1 tag table/)
  assert.deepEqual((await call('tags.delete-folder', { ...on, path: 'X', force: true })).tagTables, ['B'])
  const { tagTables } = await call<{ tagTables: { name: string; isDefault: boolean }[] }>('tags.list-tables', on)
  assert.deepEqual(
    tagTables.map(({ name, isDefault }) => [name, isDefault]),
    [['Default tag table', true]],
  )
})

test('constants', async (t) => {
  const { call } = await openPlant(t)
  const at = { ...on, tableName: 'Default tag table' }
  await call('tags.create-constant', { ...at, name: 'MAX', dataType: 'DInt', value: '16#FF', comment: 'limit' })
  await fails(call('tags.create-constant', { ...at, name: 'max', value: '1' }), 'name_taken', /by a constant/)
  const ratio = await call('tags.create-constant', { ...at, name: 'RATIO', dataType: 'Real', value: 1.5 })
  assert.equal(ratio.value, '1.5')
  const isOn = await call('tags.create-constant', { ...at, name: 'IS_ON', dataType: 'Bool', value: true })
  assert.equal(isOn.value, 'TRUE')
  assert.equal((await call('tags.update-constant', { ...at, constantName: 'RATIO', value: 2 })).value, '2')
  for (const constantName of ['RATIO', 'IS_ON']) await call('tags.delete-constant', { ...at, constantName })
  await fails(call('tags.add', { ...on, name: 'Max' }), 'name_taken', /by a constant/)
  await call('tags.update-constant', { ...at, constantName: 'MAX', newName: 'LIMIT', value: '7' })
  const { constants } = await call<{ constants: unknown[] }>('tags.list-user-constants', at)
  assert.deepEqual(constants, [
    { name: 'LIMIT', dataType: 'DInt', value: '7', comment: 'limit', kind: 'user', tableName: 'Default tag table' },
  ])
  await call('blocks.create', { ...on, name: 'Main', type: 'OB', secondaryType: 'ProgramCycle' })
  const system = await call<{
    constants: { name: string; dataType: string; value: string; kind: string }[]
  }>('tags.list-system-constants', at)
  const shown = system.constants.map(({ name, dataType, value, kind }) => [name, dataType, value, kind].join(' '))
  for (const wanted of [
    'Local~Common HW_SUBMODULE 50 system',
    'Local~PROFINET_interface_1 HW_INTERFACE 64 system',
    'Local~PROFINET_interface_1~Port_1 HW_INTERFACE 65 system',
    'OB_Main OB_PCYCLE 1 system',
  ])
    assert.ok(shown.includes(wanted), wanted)
  const both = await call<{ constants: { name: string }[] }>('tags.list-constants', at)
  assert.deepEqual(
    both.constants.map(({ name }) => name),
    ['LIMIT', ...system.constants.map(({ name }) => name)],
  )
  await call('tags.delete-constant', { ...at, constantName: 'limit' })
  assert.equal((await call('tags.list-user-constants', at)).total, 0)
})

/** A table with content that is not interpreted. */
const tableFile = `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V17" />
  <SW.Tags.PlcTagTable ID="0">
    <AttributeList>
      <Name>IO</Name>
    </AttributeList>
    <ObjectList>
      <SW.Tags.PlcTag ID="1" CompositionName="Tags">
        <AttributeList>
          <DataTypeName>Bool</DataTypeName>
          <ExternalWritable>false</ExternalWritable>
          <Future>kept</Future>
          <LogicalAddress>%I0.0</LogicalAddress>
          <Name>first</Name>
        </AttributeList>
        <ObjectList>
          <MultilingualText ID="2" CompositionName="Comment">
            <ObjectList>
              <MultilingualTextItem ID="3" CompositionName="Items">
                <AttributeList>
                  <Culture>de-DE</Culture>
                  <Text>Endlage &lt;links&gt;</Text>
                </AttributeList>
              </MultilingualTextItem>
            </ObjectList>
          </MultilingualText>
        </ObjectList>
      </SW.Tags.PlcTag>
      <SW.Tags.PlcTag ID="4" CompositionName="Tags">
        <AttributeList>
          <LogicalAddress>%MW2</LogicalAddress>
          <Name>second</Name>
        </AttributeList>
        <LinkList><DataType TargetID="@OpenLink"><Name>Int</Name></DataType></LinkList>
      </SW.Tags.PlcTag>
      <SW.Tags.PlcUserConstant ID="5" CompositionName="UserConstants">
        <AttributeList>
          <DataTypeName>Int</DataTypeName>
          <Name>LIMIT</Name>
          <Value>100</Value>
        </AttributeList>
      </SW.Tags.PlcUserConstant>
      <SW.Tags.Unheard ID="6"><Of>it</Of></SW.Tags.Unheard>
    </ObjectList>
  </SW.Tags.PlcTagTable>
</Document>
`

test('a table from a file keeps what is not interpreted through changes, export and import', async (t) => {
  const { call } = await openPlant(t)
  const at = { ...on, tableName: 'IO' }
  await call('blocks.import', { ...on, content: tableFile })
  const untouched = await call<string>('tags.export-xml', { ...at, version: 'V17' })
  assert.equal(untouched.trim(), tableFile.trim())
  await call('tags.update', { ...at, tagName: 'first', newName: '1st', logicalAddress: '%I0.7' })
  await call('tags.update', { ...at, tagName: 'second', dataType: 'Word', comment: 'a & b', externalVisible: false })
  await call('tags.add', { ...at, name: 'third', dataType: 'Real', comment: 'new' })
  await call('tags.update-constant', { ...at, constantName: 'LIMIT', value: '7' })
  await call('tags.update-table', { ...at, newName: 'IO 2' })
  const now = { ...on, tableName: 'IO 2' }
  const xml = await call<string>('tags.export-xml', now)
  assert.match(xml, /<Future>kept<\/Future>\s*<LogicalAddress>%I0\.7<\/LogicalAddress>\s*<Name>1st<\/Name>/)
  assert.match(xml, /Endlage &lt;links&gt;/)
  assert.match(xml, /<SW\.Tags\.Unheard ID="\w+"><Of>it<\/Of>/)
  assert.doesNotMatch(xml, /LinkList/)
  assert.equal(new Set(xml.match(/ID="\w+"/g)).size, xml.match(/ID="\w+"/g)?.length)
  const rows = async () => [await call('tags.list', now), await call('tags.list-constants', now)]
  const before = await rows()
  await call('tags.delete-table', now)
  await call('blocks.import', { ...on, content: xml })
  assert.deepEqual(await rows(), before)
})

test('faulty tables are refused with every fault', async (t) => {
  const { call } = await openPlant(t)
  await call('tags.add', { ...on, name: 'SECOND' })
  const content = tableFile.replace('%I0.0', '%I0.9').replace('<Name>LIMIT</Name>', '<Name>first</Name>')
  const error = await fails(call('blocks.import', { ...on, content }), 'unacceptable_content')
  assert.deepEqual(
    error.details.errors?.map(({ message }) => message.replace(/ is not an address.*/, ' is not an address')),
    [
      'tag "second": the name is taken by a tag of table "Default tag table"',
      'tag "first": "%I0.9" is not an address',
      'constant "first": the name is taken by a tag of the same table',
    ],
  )
  assert.equal((await call('tags.list-tables', on)).total, 1)
})

test('tables survive save, close and open, with a renamed default table', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: tableFile, folder: 'A' })
  await call('tags.update', { ...on, tableName: 'IO', tagName: 'second', comment: 'changed' })
  await call('types.create', { ...on, name: 'UDT_y', members: [{ name: 'a', dataType: 'Int' }] })
  await call('tags.add', { ...on, name: 'x', dataType: 'udt_y', comment: 'µ' })
  await call('tags.create-constant', {
    ...on,
    tableName: 'Default tag table',
    name: 'PI',
    dataType: 'Real',
    value: '3.14',
  })
  await call('tags.update-table', { ...on, tableName: 'Default tag table', newName: 'Standard' })
  const state = async () => [
    await call('tags.table-tree', on),
    await call('tags.list-all', on),
    await call('tags.list-constants', { ...on, tableName: 'Standard' }),
    await call('tags.list-constants', { ...on, tableName: 'IO' }),
  ]
  const before = await state()
  await call('projects.save')
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await state(), before)
  assert.equal((await call('projects.save')).written, 0)
})

test('a type of a namespace is a data type in each of its spellings', async (t) => {
  const { call } = await openPlant(t)
  const type = 'TYPE "Type"\nSTRUCT\na : Int;\nEND_STRUCT;\nEND_TYPE'
  await call('blocks.import', { ...on, content: `NAMESPACE unit\n${type}\nEND_NAMESPACE\n` })
  const spellings = ['_.unit.Type', 'unit.Type', '"unit.Type"', '"Type"']
  for (const [i, dataType] of spellings.entries()) {
    const tag = await call<Tag>('tags.add', { ...on, name: `T${i}`, dataType })
    assert.equal(tag.dataType, dataType)
  }
  await fails(call('tags.add', { ...on, name: 'X', dataType: '"unit.Typ"' }), 'invalid_input', /not a PLC data type/)
})

test('a tag for a table that is missing: the answer says how to make the table', async (t) => {
  const { call } = await openPlant(t)
  const add = (tableName: string) => call('tags.add', { ...on, tableName, name: 'A', dataType: 'Bool' })
  const { details } = await fails(add('Line 7'), 'not_found', /There is: "Default tag table"/)
  assert.equal(details.suggestion, 'POST /api/devices/PLC_1/tag-tables/actions/create-sync {"name":"Line 7"} makes it.')
  assert.equal((await fails(add('Default tag tabel'), 'not_found')).details.suggestion, 'Default tag table')
})
