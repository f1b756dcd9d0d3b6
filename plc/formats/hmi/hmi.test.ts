/** Every HMI export of the corpus is read, and written back with nothing but what was changed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { editHmi } from './edit.ts'
import type { HmiRead, HmiTag, ScreenContent } from './model.ts'
import { readHmiFile, readHmiText } from './read.ts'
import { writeHmi } from './write.ts'

const corpus = fileURLToPath(new URL('../../../test/corpus/public', import.meta.url))
const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.xml'))
  .map((path) => join(corpus, path))
  .filter((path) => /<Hmi\.[\w.]+ ID="0"/.test(readFileSync(path, 'utf8').slice(0, 10_000)))

const only = (text: string): HmiRead => readHmiText(text).objects[0]!
const comparable = ({ warnings: _w, ...object }: HmiRead) => object

test('every HMI file of the corpus: nothing changed gives the same text; a change touches only its place', () => {
  assert.ok(files.length >= 6, `${files.length} files`)
  for (const path of files) {
    const text = readFileSync(path, 'utf8')
    const [object] = readHmiFile(readFileSync(path)).objects
    assert.ok(object, path)
    assert.equal(editHmi(text, object).text, text, path)
    if (object.kind === 'screen') {
      const [first, ...rest] = object.items
      assert.ok(first, path)
      const moved = object.items.find(({ type }) => type !== 'Group')!
      const items = object.items.map((item) => (item === moved ? { ...item, left: item.left + 1 } : item))
      const edited = editHmi(text, { ...object, items }).text
      const [before, after] = [text.split('\n'), edited.split('\n')]
      assert.equal(after.length, before.length, path)
      assert.equal(after.filter((line, i) => line !== before[i]).length, 1, path)
      assert.deepEqual(only(edited).items.find(({ ref }) => ref === moved.ref)?.left, moved.left + 1)
      const without = only(editHmi(text, { ...object, items: rest.filter(({ group }) => group !== first.name) }).text)
      assert.equal(
        without.items.some(({ ref }) => ref === first.ref),
        false,
      )
    }
  }
})

test('what is written anew reads as it was', () => {
  for (const path of files) {
    const object = readHmiFile(readFileSync(path)).objects[0]!
    const again = only(writeHmi(object, 'V19').text)
    const bare = (one: HmiRead) =>
      JSON.parse(JSON.stringify(comparable(one), (key, value) => (key === 'ref' ? undefined : value)))
    const [was, is] = [bare(object), bare(again)]
    assert.equal(is.items.length, was.items.length, path)
    // Converters of classic animations have no place in a new document, which the warnings tell.
    for (const item of [...was.items, ...is.items]) item.bindings = []
    assert.deepEqual(
      new Set(is.items.map((i: { name: string }) => i.name)),
      new Set(was.items.map((i: { name: string }) => i.name)),
    )
    assert.deepEqual(
      is.tags.map(({ plcTag }: HmiTag) => plcTag),
      was.tags.map(({ plcTag }: HmiTag) => plcTag),
    )
    assert.deepEqual((is.content as ScreenContent).width, (was.content as ScreenContent).width)
  }
})

test('the parts of a real screen', () => {
  const path = files.find((file) => file.includes('TEST.before-readback'))!
  const screen = readHmiFile(readFileSync(path)).objects[0]!
  assert.deepEqual(
    screen.items.map(({ type, name, group }) => [type, name, group]),
    [
      ['Group', 'Group', undefined],
      ['Rectangle', 'Rectang', 'Group'],
      ['TextField', 'Text', 'Group'],
      ['Button', 'Button_2', undefined],
      ['GraphicIOField', 'Graphic I/O field_15', undefined],
    ],
  )
  const [, rectangle, text, button, field] = screen.items
  assert.deepEqual([rectangle?.left, rectangle?.properties.backColor], [320, '#e6ecf4'])
  assert.deepEqual(text?.texts.text, { 'en-US': 'PLAYGROUND JARVIS' })
  assert.equal(button?.texts.textOff?.['en-US'], 'REABRIR\nPLAYGROUND')
  assert.deepEqual(button?.events, [
    {
      event: 'Press',
      actions: [{ function: 'ActivateScreen', parameters: { 'Screen name': 'TEST', 'Object number': '0' } }],
    },
  ])
  assert.deepEqual(field?.links, { pictureList: 'Chave seletora_1' })
  const tags = readHmiFile(readFileSync(files.find((file) => file.includes('TAG_ELE'))!)).objects[0]!.tags
  assert.equal(tags[0]?.plcTag, '"DB GLOBAL".ELEVATORIA_DE_GORDURA.COMANDO.BOMBA_SDG.RESET_HORIMETRO')
  assert.equal(tags[0]?.connection, 'HMI_Connection_6')
})

test('a changed tag is changed in its place; rubbish is told with its place', () => {
  const path = files.find((file) => file.includes('TAG_ELE'))!
  const text = readFileSync(path, 'utf8')
  const table = only(text)
  const [first, ...rest] = table.tags
  const edited = editHmi(text, { ...table, tags: [{ ...first!, plcTag: '"A".b', name: 'New' }, ...rest.slice(1)] })
  const again = only(edited.text)
  assert.equal(again.tags.length, table.tags.length - 1)
  assert.deepEqual([again.tags[0]?.plcTag, again.tags[0]?.name], ['"A".b', 'New'])
  assert.throws(
    () => readHmiText('<Document><Hmi.Foo.Bar ID="0"/></Document>'),
    /Hmi\.Foo\.Bar is no kind of HMI object/,
  )
  assert.throws(() => readHmiText('<Document><Hmi.Tag.TagTable ID="0"/></Document>'), /has no Name/)
  assert.throws(() => readHmiText('<Document>'), /malformed|unclosed/i)
})

test('connections name a partner or its address; scripts and lists as TIA Portal writes them', () => {
  const document = (body: string) => `<Document><Engineering version="V19" />${body}</Document>`
  const pair = (composition: string, name: string, value: string) =>
    `<Hmi.Communication.NameValuePair ID="1" CompositionName="${composition}"><AttributeList><Name>${name}</Name><Value>${value}</Value></AttributeList></Hmi.Communication.NameValuePair>`
  const connection = (attributes: string, parts = '') =>
    readHmiText(
      document(
        `<Hmi.Communication.Connection ID="0"><AttributeList>${attributes}<Name>C</Name></AttributeList><ObjectList>${parts}</ObjectList></Hmi.Communication.Connection>`,
      ),
    ).objects[0]?.content
  const byAddress = pair('PhysicValues', 'LocAddress', '10.0.0.2') + pair('ProtocolValues', 'RemStAddress', '10.0.0.1')
  assert.deepEqual(connection('<Driver>SMART_S7_1200_OMS</Driver>', byAddress), {
    partner: '10.0.0.1',
    type: 'SMART_S7_1200_OMS',
  })
  assert.deepEqual(connection('<Driver>ILRT_S7_1500_OMS</Driver><PartnerName>PLC_1</PartnerName>'), {
    partner: 'PLC_1',
    type: 'ILRT_S7_1500_OMS',
  })
  const script = `<Hmi.RuntimeScripting.VBScript ID="0"><AttributeList><Code>Sub A()</Code><Name>A</Name><PreCode /><Type>Sub</Type></AttributeList></Hmi.RuntimeScripting.VBScript>`
  assert.deepEqual(readHmiText(document(script)).objects[0]?.content, {
    language: 'VBScript',
    parameters: [],
    source: 'Sub A()',
  })
  const withParameters = readHmiText(document(script.replace('Sub A()', 'Sub A(ByVal speed, mode)')))
  assert.deepEqual(withParameters.objects[0]?.content, {
    language: 'VBScript',
    parameters: ['speed', 'mode'],
    source: 'Sub A(ByVal speed, mode)',
  })
  const cycle = (attributes: string, name: string) =>
    readHmiText(
      document(
        `<Hmi.Cycle.Cycle ID="0"><AttributeList>${attributes}<Name>${name}</Name></AttributeList></Hmi.Cycle.Cycle>`,
      ),
    ).objects[0]?.content
  assert.deepEqual(cycle('<CycleTime>2</CycleTime><CycleUnit>Second</CycleUnit>', 'Slow'), { milliseconds: 2000 })
  assert.deepEqual(cycle('', '500 ms'), { milliseconds: 500 })
  const made = writeHmi({ kind: 'cycle', name: 'Slow', content: { milliseconds: 2000 }, items: [], tags: [] }, 'V19')
  assert.deepEqual(readHmiText(made.text).objects[0]?.content, { milliseconds: 2000 })
  const entry = { from: 3, to: 3, isDefault: false, text: { 'en-US': 'three' } }
  const { text } = writeHmi(
    { kind: 'text-list', name: 'L', content: { rangeType: 'Bit', entries: [entry] }, items: [], tags: [] },
    'V19',
  )
  assert.match(text, /<DefaultEntry>false<\/DefaultEntry>\s*<EntryType>SingleValue<\/EntryType>\s*<From>3<\/From>/)
  assert.deepEqual(readHmiText(text).objects[0]?.content, { rangeType: 'Bit', entries: [entry] })
})
