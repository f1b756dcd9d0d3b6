/** Tag tables as SimaticML: written new, and into the document that they came from (fixtures/table-xml.txt). */
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { tableXml } from './table-xml.ts'
import type { Constant, Tag } from './tag-table.ts'

const tag = (name: string, change: Partial<Tag> = {}): Tag => ({
  ...{ name, dataType: 'Bool', logicalAddress: '%I0.0', comment: {} },
  ...{ externalAccessible: true, externalVisible: true, externalWritable: true, ...change },
})
const constant = (name: string, change: Partial<Constant> = {}): Constant => ({
  ...{ name, dataType: 'Int', value: '5', comment: {}, ...change },
})

const row = (kind: string, attributes: string, more = '') =>
  `<SW.Tags.${kind} ID="1"><AttributeList>${attributes}</AttributeList>${more}</SW.Tags.${kind}>`
const name = (text: string) => `<Name>${text}</Name>`
const link = (type: string) => `<LinkList><DataType TargetID="@OpenLink"><Name>${type}</Name></DataType></LinkList>`
const table = (rows: string) =>
  `<SW.Tags.PlcTagTable ID="0"><AttributeList>${name('Old')}</AttributeList>${rows}</SW.Tags.PlcTagTable>`
const document = table(`<ObjectList>
  ${row('PlcTag', `<DataTypeName>Bool</DataTypeName><Strange>1</Strange><LogicalAddress>%I0.0</LogicalAddress>${name('Start')}`)}
  ${row('PlcTag', `<DataTypeName>Bool</DataTypeName><ExternalVisible>false</ExternalVisible>${name('Stop')}`)}
  ${row('PlcTag', `<LogicalAddress>%MW0</LogicalAddress>${name('Linked')}`, link('Int'))}
  ${row('PlcUserConstant', `<DataTypeName>Int</DataTypeName>${name('Start')}<Value>1</Value>`)}
  ${row('PlcUserConstant', `${name('Typed')}<Value>2</Value>`, link('Int'))}
  ${row('PlcSystemConstant', name('Own'))}
  <SW.Tags.PlcTag ID="9"><AttributeList><LogicalAddress>%I9.0</LogicalAddress></AttributeList></SW.Tags.PlcTag>
</ObjectList>`)

test('tables are written new or into their document as recorded', async () => {
  const lines: string[] = []
  const write = async (title: string, tags: Tag[], constants: Constant[], from?: string) =>
    lines.push(`# ${title}`, await tableXml({ name: 'New & table', tags, constants }, from, 'en-US'))
  await write('nothing', [], [])
  await write(
    'new rows',
    [
      tag('A "1"', { comment: { 'de-DE': 'eins & zwei', 'en-US': '' } }),
      tag('B', { logicalAddress: '', dataType: '"Motor"', externalAccessible: false, externalVisible: false }),
    ],
    [constant('C', { value: "'<'" })],
  )
  await write(
    'as the document',
    [tag('Start'), tag('Stop', { externalVisible: false })],
    [constant('Start', { value: '1' })],
    document,
  )
  await write(
    'changed rows',
    [
      tag('START', { dataType: 'Word', logicalAddress: '%IW2', externalWritable: false, comment: { 'en-US': 'why' } }),
      tag('Halt', { documentName: 'stop', externalVisible: true }),
      tag('Linked', { dataType: 'Int', logicalAddress: '%MW2' }),
      tag('Added'),
    ],
    [constant('Start', { value: '7' }), constant('Typed', { dataType: 'DInt' }), constant('Linked')],
    document,
  )
  await write('all rows are gone', [], [], document)
  await write('a document without a list', [tag('A')], [], table(''))
  await write('a document without a list and without rows', [], [], table(''))
  await write('a document without attributes', [tag('A')], [], '<SW.Tags.PlcTagTable ID="0"></SW.Tags.PlcTagTable>')
  assertRecorded(import.meta.url, 'table-xml.txt', `${lines.join('\n')}\n`)
})
