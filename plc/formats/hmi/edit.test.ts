import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editHmi } from './edit.ts'
import type { HmiItem, HmiRead, ScreenContent } from './model.ts'
import { readHmiText } from './read.ts'
import type { HmiToWrite } from './write.ts'

const only = (text: string): HmiRead => readHmiText(text).objects[0]!

const item = (id: string, type: string, name: string, inside = '') =>
  `        <Hmi.Screen.${type} ID="${id}" CompositionName="ScreenItems">
          <AttributeList>
            <Kept>1</Kept>
            <Left>5</Left>
            <ObjectName>${name}</ObjectName>
          </AttributeList>${inside}
        </Hmi.Screen.${type}>`
const layer = (id: string, index: number, items: string) =>
  `      <Hmi.Screen.ScreenLayer ID="${id}" CompositionName="Layers">
        <AttributeList>
          <Index>${index}</Index>
          <Name />
        </AttributeList>
        <ObjectList>
${items}
        </ObjectList>
      </Hmi.Screen.ScreenLayer>`
/** A screen with a group of two objects and one object in the layer 0, and one in the layer 2. */
const document = `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V18" />
  <Hmi.Screen.Screen ID="0">
    <AttributeList>
      <BackColor>1, 2, 3</BackColor>
      <GridColor>9, 9, 9</GridColor>
      <Height>480</Height>
      <Name>S</Name>
      <Number>4</Number>
      <Width>800</Width>
    </AttributeList>
    <LinkList>
      <Template TargetID="@OpenLink"><Name>Frame</Name></Template>
    </LinkList>
    <ObjectList>
${layer('1', 0, `${item('2', 'Group', 'Box', `<ObjectList>\n${item('3', 'Circle', 'Lamp')}\n${item('A', 'Line', 'Wire')}\n</ObjectList>`)}\n${item('4', 'Line', 'Alone')}`)}
${layer('5', 2, item('6', 'Line', 'Front'))}
    </ObjectList>
  </Hmi.Screen.Screen>
</Document>`
const screen = only(document)
const find = (name: string) => screen.items.find((one) => one.name === name)!
const edited = (items: readonly HmiItem[], content: Partial<ScreenContent> = {}) => {
  const object: HmiToWrite = { ...screen, content: { ...(screen.content as ScreenContent), ...content }, items }
  const { text, warnings } = editHmi(document, object)
  return { text, warnings, read: only(text) }
}
const places = ({ items }: HmiRead) => items.map(({ name, layer: of, group }) => [name, of, group])
const fresh = (name: string, type: string, more: Partial<HmiItem> = {}): HmiItem => {
  const { ref, ...alone } = find('Alone')
  return { ...alone, properties: {}, name, type, left: 0, ...more }
}
/** Lines of the document that are not in the other text, and lines that are new. */
const difference = (text: string) => {
  const [old, now] = [document.split('\n'), text.split('\n')]
  return {
    gone: old.filter((line) => !now.includes(line)).map((line) => line.trim()),
    come: now.filter((line) => !old.includes(line)).map((line) => line.trim()),
  }
}

test('nothing changed is the same text, with a byte order mark too', () => {
  assert.deepEqual(editHmi(document, screen), { text: document, warnings: [] })
  assert.deepEqual(editHmi(`\uFEFF${document}`, screen), { text: `\uFEFF${document}`, warnings: [] })
})

test('attributes of the screen, its layers and objects are changed in their places', () => {
  const items = screen.items.map((one) =>
    one.name === 'Lamp' ? { ...one, left: 6, properties: { ...one.properties, backColor: '#ff0000' } } : one,
  )
  const { text, warnings } = edited(items, {
    width: 1024,
    number: 5,
    backColor: '#000000',
    template: 'Other & more',
    layers: [
      { index: 0, name: 'base', visible: true },
      { index: 2, name: '', visible: false },
    ],
  })
  assert.deepEqual(warnings, [])
  assert.deepEqual(difference(text), {
    gone: [
      '<BackColor>1, 2, 3</BackColor>',
      '<Number>4</Number>',
      '<Width>800</Width>',
      '<Template TargetID="@OpenLink"><Name>Frame</Name></Template>',
    ],
    come: [
      '<BackColor>0, 0, 0</BackColor>',
      '<Number>5</Number>',
      '<Width>1024</Width>',
      '<Template TargetID="@OpenLink"><Name>Other &amp; more</Name></Template>',
      '<Name>base</Name>',
      '<BackColor>255, 0, 0</BackColor><Kept>1</Kept>',
      '<Left>6</Left>',
      '<VisibleES>false</VisibleES></AttributeList>',
    ],
  })
  const layers = [
    { index: 0, name: 'base', visible: true },
    { index: 2, name: '', visible: false },
  ]
  assert.deepEqual((only(text).content as ScreenContent).layers, layers)
  assert.equal((edited(screen.items, { template: '' }).read.content as ScreenContent).template, '')
})

test('only screens have a number', () => {
  const template = document
    .replaceAll('Hmi.Screen.Screen>', 'Hmi.Screen.ScreenTemplate>')
    .replace('<Hmi.Screen.Screen ', '<Hmi.Screen.ScreenTemplate ')
  const object = only(template)
  const { text } = editHmi(template, { ...object, content: { ...(object.content as ScreenContent), number: 9 } })
  assert.equal(text, template)
})

test('a deleted object leaves no trace, and a deleted group takes along what is in it', () => {
  const { text } = edited(screen.items.filter(({ name }) => name !== 'Alone'))
  assert.equal(text, document.replace(`\n${item('4', 'Line', 'Alone')}`, ''))
  const { read } = edited(screen.items.filter(({ name, group }) => name !== 'Box' && group !== 'Box'))
  assert.deepEqual(places(read), [
    ['Alone', 0, undefined],
    ['Front', 2, undefined],
  ])
})

test('a new object is written once: behind those of its layer or group, with its group, or in a new layer', () => {
  const { read, warnings, text } = edited([
    ...screen.items,
    fresh('Next', 'Line', { layer: 2 }),
    fresh('Bulb', 'Circle', { group: 'Box' }),
    fresh('Bin', 'Group', { width: 0, height: 0 }),
    fresh('Ball', 'Circle', { group: 'Bin' }),
    fresh('Top', 'Line', { layer: 7 }),
    fresh('Roof', 'Line', { layer: 7 }),
  ])
  assert.deepEqual(warnings, [])
  assert.deepEqual(places(read), [
    ['Box', 0, undefined],
    ['Lamp', 0, 'Box'],
    ['Wire', 0, 'Box'],
    ['Bulb', 0, 'Box'],
    ['Alone', 0, undefined],
    ['Bin', 0, undefined],
    ['Ball', 0, 'Bin'],
    ['Front', 2, undefined],
    ['Next', 2, undefined],
    ['Top', 7, undefined],
    ['Roof', 7, undefined],
  ])
  assert.deepEqual(
    difference(text).gone.filter((line) => line !== '</ObjectList>'),
    [],
  )
  const ids = [...text.matchAll(/ ID="([^"]+)"/g)].map(([, id]) => Number.parseInt(id!, 16)).sort((a, b) => a - b)
  // New ones follow the highest; some numbers of the document are free.
  assert.deepEqual(ids, [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17])
})

test('an object in another layer or group is written there; a group with another name keeps its objects', () => {
  const moved = edited(
    screen.items.map((one) =>
      one.name === 'Lamp' ? { ...one, group: undefined } : one.name === 'Alone' ? { ...one, layer: 2 } : one,
    ) as HmiItem[],
  )
  assert.deepEqual(places(moved.read), [
    ['Box', 0, undefined],
    ['Wire', 0, 'Box'],
    ['Lamp', 0, undefined],
    ['Front', 2, undefined],
    ['Alone', 2, undefined],
  ])
  const anew = (name: string) => `"${name}" was changed: it is written anew, with what the gateway knows of it.`
  assert.deepEqual(moved.warnings, [anew('Lamp'), anew('Alone')])
  const front = edited(
    screen.items.map((one) => (one.name === 'Box' || one.group === 'Box' ? { ...one, layer: 2 } : one)),
  )
  assert.deepEqual(places(front.read), [
    ['Alone', 0, undefined],
    ['Front', 2, undefined],
    ['Box', 2, undefined],
    ['Lamp', 2, 'Box'],
    ['Wire', 2, 'Box'],
  ])
  const renamed = edited(
    screen.items.map((one) =>
      one.name === 'Box' ? { ...one, name: 'Case' } : one.group === 'Box' ? { ...one, group: 'Case' } : one,
    ),
  )
  assert.deepEqual(renamed.warnings, [])
  assert.deepEqual(difference(renamed.text).come, ['<ObjectName>Case</ObjectName>'])
})

test('an object whose inner parts changed is written anew where it was, which is told', () => {
  const binding = { property: 'backColor', tag: 'Colour' }
  const withText = edited(screen.items.map((one) => (one.name === 'Lamp' ? { ...one, bindings: [binding] } : one)))
  assert.deepEqual(withText.warnings, ['"Lamp" was changed: it is written anew, with what the gateway knows of it.'])
  assert.deepEqual(places(withText.read), places(screen))
  assert.deepEqual(withText.read.items.find(({ name }) => name === 'Lamp')?.bindings, [binding])
  // A group with all that is in it, each once.
  const group = edited([
    ...screen.items.map((one) => (one.name === 'Box' ? { ...one, bindings: [binding] } : one)),
    fresh('Bulb', 'Circle', { group: 'Box' }),
  ])
  assert.deepEqual(places(group.read), [
    ['Box', 0, undefined],
    ['Lamp', 0, 'Box'],
    ['Wire', 0, 'Box'],
    ['Bulb', 0, 'Box'],
    ['Alone', 0, undefined],
    ['Front', 2, undefined],
  ])
})

const tagTable = `<Document>
  <Hmi.Tag.TagTable ID="0">
    <AttributeList>
      <Name>T</Name>
    </AttributeList>
    <ObjectList>
      <Hmi.Tag.Tag ID="1" CompositionName="Tags">
        <AttributeList>
          <Length>2</Length>
          <Name>a</Name>
        </AttributeList>
        <LinkList>
          <Connection TargetID="@OpenLink"><Name>C</Name></Connection>
          <DataType TargetID="@OpenLink"><Name>Int</Name></DataType>
        </LinkList>
      </Hmi.Tag.Tag>
      <Hmi.Tag.Tag ID="2" CompositionName="Tags">
        <AttributeList>
          <Name>b</Name>
        </AttributeList>
      </Hmi.Tag.Tag>
    </ObjectList>
  </Hmi.Tag.TagTable>
</Document>`

test('tags have their changed attributes, links and comments in their places; new ones stand behind', () => {
  const table = only(tagTable)
  const [a, b] = table.tags
  assert.equal(editHmi(tagTable, table).text, tagTable)
  const tags = [
    { ...a!, name: 'A', connection: '', plcTag: '"D".a', attributes: { Length: '4' }, comment: { 'en-US': 'first' } },
    { ...b!, dataType: 'Bool', address: '%M0.0' },
    { ...b!, name: 'c', ref: undefined },
  ] as HmiRead['tags'][number][]
  const { text, warnings } = editHmi(tagTable, { ...table, name: 'New', tags })
  const again = only(text)
  assert.deepEqual([again.name, warnings], ['New', []])
  assert.deepEqual(
    again.tags.map(({ ref, ...one }) => one),
    tags.map(({ ref, ...one }) => one),
  )
  assert.deepEqual(
    again.tags.slice(0, 2).map(({ ref }) => ref),
    ['1', '2'],
  )
})

test('a PLC tag under the other name of its link is changed and deleted as under the usual one', () => {
  const other = tagTable.replace(/<(\/?)Connection/g, '<$1PlcTag')
  const table = only(other)
  const [a, b] = table.tags
  assert.deepEqual(a?.plcTag, 'C')
  assert.equal(editHmi(other, table).text, other)
  for (const plcTag of ['"D".a', '']) {
    const { text } = editHmi(other, { ...table, tags: [{ ...a!, plcTag }, b!] })
    assert.deepEqual([only(text).tags[0]?.plcTag, text.includes('PlcTag ')], [plcTag, false])
  }
})

test('an empty table gets its first tags; other kinds are written anew for the version of the document', () => {
  const empty =
    '<Document><Hmi.Tag.TagTable ID="0"><AttributeList><Name>T</Name></AttributeList></Hmi.Tag.TagTable></Document>'
  const [tag] = only(tagTable).tags
  const { text } = editHmi(empty, { ...only(empty), tags: [{ ...tag!, ref: undefined as unknown as string }] })
  assert.deepEqual(
    only(text).tags.map(({ name }) => name),
    ['a'],
  )
  const cycle =
    '<Document><Engineering version="V17"/><Hmi.Cycle.Cycle ID="0"><AttributeList><Name>1 s</Name></AttributeList></Hmi.Cycle.Cycle></Document>'
  const written = editHmi(cycle, { ...only(cycle), content: { milliseconds: 300 } })
  assert.deepEqual(written.warnings, ['"1 s" was changed: it is written anew.'])
  assert.deepEqual(
    [readHmiText(written.text).engineeringVersion, only(written.text).content],
    ['V17', { milliseconds: 300 }],
  )
  const without = editHmi(cycle.replace('<Engineering version="V17"/>', ''), only(cycle))
  assert.equal(readHmiText(without.text).engineeringVersion, 'V19')
})
