import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HmiItem, HmiRead, HmiTag } from './model.ts'
import { readHmiText } from './read.ts'
import { type HmiToWrite, unwritable, writeHmi } from './write.ts'

const item = (name: string, type: string, more: Partial<HmiItem> = {}): HmiItem => ({
  name,
  type,
  left: 1,
  top: 2,
  width: 30,
  height: 40,
  layer: 0,
  properties: {},
  texts: {},
  links: {},
  bindings: [],
  events: [],
  ...more,
})
const inGroup = { left: 0, top: 0, width: 0, height: 0 }
const tag = (name: string, more: Partial<HmiTag> = {}): HmiTag => ({
  name,
  dataType: 'Int',
  connection: '',
  plcTag: '',
  address: '',
  acquisitionCycle: '',
  comment: {},
  attributes: {},
  ...more,
})
const screen: HmiToWrite = {
  kind: 'screen',
  name: 'Main & more',
  content: {
    screenType: 'Screen',
    number: 7,
    width: 800,
    height: 480,
    backColor: '#0a0b0c',
    template: 'Frame',
    layers: [
      { index: 0, name: 'base', visible: true },
      { index: 3, name: '', visible: false },
    ],
  },
  items: [
    item('Box', 'Group', inGroup),
    item('Inner', 'Group', { ...inGroup, group: 'Box' }),
    item('Lamp', 'Circle', { group: 'Inner', properties: { backColor: '#00ff00', visible: false, radius: 5.5 } }),
    item('Name', 'TextField', {
      group: 'Box',
      texts: { text: { 'en-US': 'a < b\n"c" & d', 'de-DE': 'zwei' }, helpText: { 'en-US': 'help' } },
      properties: { fontFamily: 'Arial', fontSize: 10, fontStyle: 'Bold' },
    }),
    item('Start', 'Button', {
      links: { picture: 'Motor' },
      bindings: [{ property: 'backColor', tag: 'Colour' }],
      events: [
        {
          event: 'Press',
          actions: [
            { function: 'SetBit', parameters: { Tag: 'go', Mode: '1' } },
            { function: 'ActivateScreen', parameters: {} },
          ],
        },
        { event: 'Release', actions: [] },
      ],
    }),
    item('Behind', 'Line', { layer: 3 }),
    item('Elsewhere', 'Line', { layer: 5 }),
  ],
  tags: [],
}

/** What is read from what was written, without the IDs of its elements. */
function again(object: HmiToWrite): HmiRead {
  const { text, warnings } = writeHmi(object, 'V17')
  assert.deepEqual(warnings, [])
  const { engineeringVersion, objects } = readHmiText(text)
  assert.deepEqual([engineeringVersion, objects.length], ['V17', 1])
  const withoutRef = <T extends { readonly ref?: string }>({ ref, ...one }: T) => {
    assert.match(ref ?? '', /^[0-9A-F]+$/)
    return one
  }
  const [read] = objects
  return { ...read!, items: read!.items.map(withoutRef), tags: read!.tags.map(withoutRef) }
}

test('a screen is read as it was written: layers, groups in groups, texts, fonts, links, bindings, events', () => {
  const content = screen.content as HmiToWrite['content'] & { readonly layers: readonly object[] }
  assert.deepEqual(again(screen), {
    ...screen,
    content: { ...content, layers: [...content.layers, { index: 5, name: '', visible: true }] },
    warnings: [],
  })
  const template = { ...screen.content, screenType: 'ScreenTemplate', layers: [], template: '' }
  const empty = again({ ...screen, content: template, items: [] })
  // A screen without layers has one, and only screens have numbers.
  assert.deepEqual(empty.content, { ...template, number: 0, layers: [{ index: 0, name: '', visible: true }] })
})

test('every element has its own ID, from 0 in the order of the document', () => {
  const { text } = writeHmi(screen, 'V17')
  const ids = [...text.matchAll(/ ID="([0-9A-F]+)"/g)].map(([, id]) => Number.parseInt(id!, 16))
  assert.ok(ids.length > 20)
  assert.deepEqual(
    ids,
    ids.map((_, index) => index),
  )
})

test('a part of a font stands with the others of a new text', () => {
  const { text } = writeHmi({ ...screen, items: [item('A', 'TextField', { properties: { fontSize: 9 } })] }, 'V17')
  const [read] = readHmiText(text).objects[0]!.items
  assert.deepEqual(read?.properties, { fontFamily: 'Tahoma', fontSize: 9, fontStyle: 'Regular' })
  const only = (properties: HmiItem['properties']) =>
    readHmiText(writeHmi({ ...screen, items: [item('A', 'TextField', { properties })] }, 'V17').text).objects[0]!
      .items[0]?.properties
  assert.deepEqual(only({ fontFamily: 'Arial' }), { fontFamily: 'Arial', fontSize: 12, fontStyle: 'Regular' })
  assert.deepEqual(only({ fontStyle: 'Bold' }), { fontFamily: 'Tahoma', fontSize: 12, fontStyle: 'Bold' })
  assert.deepEqual(only({}), {})
})

test('objects of every other kind are read as they were written', () => {
  const entries = [
    { from: 0, to: 0, isDefault: true },
    { from: 1, to: 9, isDefault: false },
  ]
  const kinds: readonly Pick<HmiToWrite, 'kind' | 'content'>[] = [
    { kind: 'tag-table', content: { isDefault: false } },
    { kind: 'connection', content: { partner: 'PLC_1', type: 'ILRT_S7_1500_OMS' } },
    { kind: 'cycle', content: { milliseconds: 250 } },
    { kind: 'script', content: { language: 'VBScript', parameters: ['a'], source: 'Sub X(a)\nEnd Sub' } },
    {
      kind: 'text-list',
      content: { rangeType: 'Bit', entries: entries.map((one) => ({ ...one, text: { 'en-US': 'x' } })) },
    },
    {
      kind: 'graphic-list',
      content: { rangeType: 'Decimal', entries: entries.map((one) => ({ ...one, graphic: 'Motor' })) },
    },
  ]
  for (const one of kinds) {
    const object = { name: 'One', items: [], tags: [], ...one }
    assert.equal(unwritable(one.kind), undefined)
    assert.deepEqual(again(object), { ...object, warnings: [] }, one.kind)
  }
  const graphic = { mediaType: 'image/png', image: 'blob', size: 5, fileName: 'Motor.png' }
  const read = again({ kind: 'graphic', name: 'Motor', content: graphic, items: [], tags: [] })
  // The image is a file beside the document.
  assert.deepEqual(read.content, { ...graphic, mediaType: '', image: '', size: 0 })
  assert.equal(read.imageFile, 'Motor.png')
  assert.match(unwritable('alarm') ?? '', /no XML export/)
  assert.match(unwritable('library-type') ?? '', /no XML export/)
})

test('tags have their attributes, links and comment; what only spreadsheets have is left out', () => {
  const tags = [
    tag('a', {
      connection: 'C_1',
      plcTag: '"Data".a',
      acquisitionCycle: '1 s',
      comment: { 'en-US': 'first' },
      attributes: { Length: '2', StartValue: '5' },
    }),
    tag('b', { address: '%MW2' }),
  ]
  const table: HmiToWrite = { kind: 'tag-table', name: 'T', content: { isDefault: false }, items: [], tags }
  assert.deepEqual(again(table).tags, tags)
  const sheet = {
    HmiDataType: 'Int',
    IdTag: '1',
    LimitUpper2: '1',
    LimitLower2Type: 'x',
    RequiredFunctionRights: 'x',
    Scope: 'x',
    LimitUpper1: '9',
  }
  assert.deepEqual(again({ ...table, tags: [tag('c', { attributes: sheet })] }).tags, [
    tag('c', { attributes: { LimitUpper1: '9' } }),
  ])
})

test('what classic screens and scripts cannot hold is told', () => {
  const binding = { property: 'visible', tag: 'x', converter: 'Bit', params: { bit: '1' } }
  assert.deepEqual(writeHmi({ ...screen, items: [item('Lamp', 'Circle', { bindings: [binding] })] }, 'V17').warnings, [
    '"Lamp": the converter Bit of visible is not in the file: classic screens have none.',
  ])
  const script = (language: string, source: string, parameters: readonly string[] = []) =>
    writeHmi({ kind: 'script', name: 'S', content: { language, parameters, source }, items: [], tags: [] }, 'V17')
  assert.match(script('JavaScript', 'f()').warnings.join(), /^"S" is JavaScript: TIA Portal exports VBScript only/)
  assert.match(script('JavaScript', 'f(p)', ['p', 'q']).warnings.join(), /VBScript, without its parameters p, q\.$/)
  const withParameters = script('VBScript', 'x = p', ['p', 'q'])
  assert.deepEqual(withParameters.warnings, [])
  assert.deepEqual(readHmiText(withParameters.text).objects[0]?.content, {
    language: 'VBScript',
    parameters: ['p', 'q'],
    source: 'Sub S(p, q)\nx = p\nEnd Sub',
  })
  assert.match(script('VBScript', "' why\n  Function X()").text, /<Type>Function<\/Type>/)
  assert.match(script('VBScript', 'Sub X() CallFunction').text, /<Type>Sub<\/Type>/)
})
