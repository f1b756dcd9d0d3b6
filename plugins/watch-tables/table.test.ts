import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defined } from '../../core/index.ts'
import { escapeText } from '../../lib/xml-text.ts'
import { objectFromXml } from '../../plc/edit/edit.ts'
import { child, parseXml } from '../../plc/formats/simaticml/xml.ts'
import type { WatchEntry } from '../../plc/model/object.ts'
import { editTable, newTable, type Row } from './table.task.ts'
import { displayFormats, formatFor, requireFormat, requireTrigger, triggers, typesShown } from './values.ts'

/** Texts as engineers write them, and what XML has to escape. */
const text = fc.string({ unit: fc.constantFrom(...'ab Ä漢"<&>\'#.%[]'), maxLength: 12 }).map((value) => value.trim())
const attributes = fc.record(
  {
    Address: text,
    DisplayFormat: fc.constantFrom(...displayFormats, 'FormatOfTomorrow'),
    ModifyIntention: fc.constantFrom('true', 'false'),
    ModifyTrigger: fc.constantFrom(...triggers),
    ModifyValue: text,
    MonitorTrigger: fc.constantFrom(...triggers),
    Name: text,
    Unknown: text,
  },
  { requiredKeys: [] },
)
const comment = fc.option(fc.record({ 'en-US': text, 'de-DE': text }, { requiredKeys: ['en-US'] }), { nil: undefined })
const kind = fc.constantFrom('PlcWatchTableEntry', 'PlcWatchTableEntry', 'PlcTableCommentEntry', 'PlcSomethingElse')
const row = fc.record({ kind, attributes, comment })
type FileRow = typeof row extends fc.Arbitrary<infer T> ? T : never

/** A row of a file, with the attributes in any order. */
function rowXml({ kind, attributes, comment }: FileRow, eol: string): string {
  const list = Object.entries(attributes).map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`)
  const tag = `SW.WatchAndForceTables.${kind}`
  if (list.length === 0 && comment === undefined) return `<${tag} ID="1" CompositionName="Entries" />`
  const items = Object.entries(comment ?? {}).map(
    ([culture, value]) =>
      `<MultilingualTextItem ID="9" CompositionName="Items"><AttributeList><Culture>${culture}</Culture><Text>${escapeText(value)}</Text></AttributeList></MultilingualTextItem>`,
  )
  const objects = comment
    ? `<ObjectList><MultilingualText ID="8" CompositionName="Comment"><ObjectList>${items.join('')}</ObjectList></MultilingualText></ObjectList>`
    : ''
  return `<SW.WatchAndForceTables.${kind} ID="1" CompositionName="Entries">${eol}  <AttributeList>${list.join(eol)}</AttributeList>${objects}</SW.WatchAndForceTables.${kind}>`
}

const table = fc
  .record({ rows: fc.array(row, { maxLength: 8 }), eol: fc.constantFrom('\n', '\r\n') })
  .map(({ rows, eol }) => {
    const texts = rows.map((one) => rowXml(one, eol))
    const xml = `<SW.WatchAndForceTables.PlcWatchTable ID="0"><AttributeList><Name>T</Name></AttributeList><ObjectList>${texts.map((one) => `${eol}    ${one}`).join('')}${eol}</ObjectList></SW.WatchAndForceTables.PlcWatchTable>`
    return { rows, texts, xml }
  })

/** The text of each row. */
function rowsOf(xml: string): string[] {
  const list = child(parseXml(xml), 'ObjectList')
  return (list?.children ?? []).map(({ start, end }) => xml.slice(start, end))
}

const isEntry = ({ kind }: { kind: string }) => kind.endsWith('Entry')
const filled = (comment: WatchEntry['comment']) =>
  Object.fromEntries(Object.entries(comment).filter(([, value]) => value !== ''))

test('rows that an edit does not name stay to the letter; the others are what was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.array(fc.record({ attributes, comment }), { maxLength: 3 }),
      fc.infiniteStream(fc.constantFrom('keep', 'change', 'remove')),
      fc.record({ attributes, comment }),
      async ({ rows, texts, xml }, added, fates, change) => {
        const entryRows = rows.flatMap((one, at) => (isEntry(one) ? [{ one, at }] : []))
        const fate = entryRows.map(() => fates.next().value as string)
        const indices = (wanted: string) => fate.flatMap((one, index) => (one === wanted ? [index] : []))
        const changed: Row = {
          attributes: change.attributes,
          ...defined({ comment: change.comment }),
        }
        const add = added.map(
          ({ attributes: list, comment: texts }): Row => ({ attributes: list, ...(texts ? { comment: texts } : {}) }),
        )
        const edit = {
          add,
          change: indices('change').map((index) => ({ index, ...changed })),
          remove: indices('remove'),
        }
        const edited = await editTable({ table: { kind: 'WatchTable', text: xml }, edit })

        const after = rowsOf(edited.xml ?? '')
        const gone = new Set(indices('remove').map((index) => entryRows[index]?.at))
        const touched = new Set(indices('change').map((index) => entryRows[index]?.at))
        const left = texts.flatMap((one, at) => (gone.has(at) ? [] : [{ one, at }]))
        assert.equal(after.length, left.length + add.length)
        for (const [i, { one, at }] of left.entries()) if (!touched.has(at)) assert.equal(after[i], one)

        const entries = edited.entries ?? []
        const expected = entryRows.flatMap(({ one }, index) => {
          if (fate[index] === 'remove') return []
          const isChanged = fate[index] === 'change'
          return [
            {
              attributes: { ...one.attributes, ...(isChanged ? change.attributes : {}) },
              comment: (isChanged ? change.comment : undefined) ?? one.comment ?? {},
            },
          ]
        })
        const all = [...expected, ...add.map((one) => ({ comment: {}, ...one }))]
        assert.deepEqual(
          entries.map((entry) => [entry.name, entry.address, entry.modifyValue ?? '', filled(entry.comment)]),
          all.map(({ attributes: list, comment: texts }) => [
            list.Name ?? '',
            list.Address ?? '',
            list.ModifyValue ?? '',
            filled(texts as WatchEntry['comment']),
          ]),
        )
        // An empty edit changes nothing, and the text can be read as a table.
        const same = await editTable({ table: { kind: 'WatchTable', text: edited.xml ?? '' }, edit: {} })
        assert.equal(same.xml, edited.xml)
        assert.deepEqual(objectFromXml(edited.xml ?? '').entries, entries)
      },
    ),
    { numRuns: 200 },
  )
})

test('a new table is empty and takes rows, their attributes sorted', async () => {
  const created = await newTable({ kind: 'ForceTable', name: 'F <1>', engineeringVersion: 'V17' })
  assert.deepEqual(
    [created.kind, created.name, created.entries, created.engineeringVersion],
    ['ForceTable', 'F <1>', [], 'V17'],
  )
  const attributes = { Name: '"a"', ForceValue: 'TRUE', Address: '', DisplayFormat: 'Bool' }
  const edit = { add: [{ attributes }, { attributes: { Name: '"b"' }, comment: { 'en-US': 'x' } }] }
  const { xml = '' } = await editTable({ table: { kind: 'ForceTable', text: created.xml ?? '' }, edit })
  const [first = '', second = ''] = rowsOf(xml)
  assert.match(first, /^<SW\.WatchAndForceTables\.PlcForceTableEntry ID="0" CompositionName="Entries">/)
  assert.match(first, /<DisplayFormat>Bool<[\s\S]*<ForceValue>TRUE<[\s\S]*<Name>"a"</)
  assert.doesNotMatch(first, /Address|ObjectList/)
  assert.match(second, /<Culture>en-US<\/Culture>\s*<Text>x</)
})

test('a display format follows the data type; names are found whatever their spelling', () => {
  const formats = [
    'Bool',
    'WORD',
    'DInt',
    'uint',
    'LReal',
    'String[20]',
    'LTime',
    'S5Time',
    'DTL',
    'Timer',
    '"UDT"',
    undefined,
  ]
  assert.deepEqual(formats.map(formatFor), [
    'Bool',
    'Hex',
    'DEC_signed',
    'DEC_unsigned',
    'Float',
    'String',
    'Time',
    'SIMATIC_Time',
    'DATE_AND_TIME',
    'SIMATIC_Time',
    'Undef',
    'Undef',
  ])
  for (const format of displayFormats) assert.equal(requireFormat(format.toUpperCase().replace('_', ' '), '/f'), format)
  for (const trigger of triggers) assert.equal(requireTrigger(trigger.toLowerCase(), '/t'), trigger)
  assert.equal(requireFormat('Floating-point number', '/f'), 'Float')
  assert.throws(() => requireFormat('Hecks', '/f'), /there are .*Hex/)
  assert.deepEqual(typesShown('toString'), [])
  assert.deepEqual([typesShown('DEC_signed'), typesShown('DEC_signed', 'Word')], [['LInt'], ['Int']])
  assert.deepEqual([typesShown('Hex', 'Byte'), typesShown('Float', 'DWord')], [['Byte'], ['Real']])
})
