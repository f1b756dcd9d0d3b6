import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError } from '../../model/fault.ts'
import type { CycleContent, ScreenContent } from './model.ts'
import { readHmiText } from './read.ts'

const only = (body: string) => readHmiText(`<Document>${body}</Document>`).objects[0]!
const attributes = (values: Readonly<Record<string, string>>) =>
  `<AttributeList>${Object.entries(values)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</AttributeList>`
const links = (values: Readonly<Record<string, string>>) =>
  `<LinkList>${Object.entries(values)
    .map(([name, target]) => `<${name} TargetID="@OpenLink"><Name>${target}</Name></${name}>`)
    .join('')}</LinkList>`
const screenWith = (inside: string, more: Readonly<Record<string, string>> = {}) =>
  only(
    `<Hmi.Screen.Screen ID="0">${attributes({ Name: 'S', ...more })}<ObjectList>
     <Hmi.Screen.ScreenLayer ID="1" CompositionName="Layers"><ObjectList>${inside}</ObjectList></Hmi.Screen.ScreenLayer>
     </ObjectList></Hmi.Screen.Screen>`,
  )
const part = (name: string, composition: string, inside: string) =>
  `<${name} ID="9" CompositionName="${composition}">${inside}</${name}>`
const itemWith = (inside: string, more: Readonly<Record<string, string>> = {}) =>
  screenWith(
    part(
      'Hmi.Screen.Circle',
      'ScreenItems',
      `${attributes({ ObjectName: 'Lamp', ...more })}<ObjectList>${inside}</ObjectList>`,
    ),
  )
const animation = (name: string, values: Readonly<Record<string, string>>, inside = '', tag = 'Level') =>
  part(
    `Hmi.Dynamic.${name}`,
    'Animations',
    `${attributes(values)}<ObjectList>${tag === '' ? '' : part('Hmi.Dynamic.TagElementTrigger', 'Trigger', links({ Tag: tag }))}${inside}</ObjectList>`,
  )
const faultsOf = (text: string) => {
  try {
    readHmiText(text)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.faults.map(({ code, message }) => [code, message])
  }
  return []
}

test('what a screen does not say is 0, white, and in the first layer', () => {
  const screen = screenWith(
    part('Hmi.Screen.Line', 'ScreenItems', attributes({ ObjectName: 'L', Left: '5', Top: 'x' })),
  )
  assert.deepEqual(screen.content, {
    screenType: 'Screen',
    number: 0,
    width: 0,
    height: 0,
    backColor: '#ffffff',
    template: '',
    layers: [{ index: 0, name: '', visible: true }],
  } satisfies ScreenContent)
  assert.deepEqual(screen.items, [
    {
      name: 'L',
      type: 'Line',
      left: 5,
      top: 0,
      width: 0,
      height: 0,
      layer: 0,
      properties: {},
      texts: {},
      links: {},
      bindings: [],
      events: [],
      ref: '9',
    },
  ])
})

test('animations of visibility and of one bit are bindings with a converter', () => {
  const bindings = (inside: string, own: Readonly<Record<string, string>> = {}) =>
    itemWith(inside, own).items[0]?.bindings
  const range = { RangeStart: '1', RangeEnd: '5' }
  const visible = { property: 'visible', tag: 'Level', converter: 'Range' }
  assert.deepEqual(bindings(animation('VisibilityAnimation', range)), [
    { ...visible, params: { ranges: '1..5:true;else:false' } },
  ])
  assert.deepEqual(bindings(animation('VisibilityAnimation', { ...range, Visible: 'false' })), [
    { ...visible, params: { ranges: '1..5:false;else:true' } },
  ])
  const bit = { property: 'visible', tag: 'Level', converter: 'Bit' }
  assert.deepEqual(bindings(animation('SingleBitVisibilityAnimation', { BitPosition: '3', Visible: 'false' })), [
    { ...bit, params: { bit: '3', on: 'false', off: 'true' } },
  ])
  assert.deepEqual(bindings(animation('SingleBitVisibilityAnimation', {})), [
    { ...bit, params: { bit: '0', on: 'true', off: 'false' } },
  ])
  const value = (position: string, colours: Readonly<Record<string, string>>) =>
    part('Hmi.Dynamic.Value', 'SingleBitPropertyValues', attributes({ BitPosition: position, ...colours }))
  const appearance = animation(
    'SingleBitAppearanceAnimation',
    { BitPosition: '2' },
    value('0', { BackColor: '0, 0, 0' }) +
      value('2', { BackColor: '255, 0, 0', ForeColor: '0, 0, 255', BorderColor: '1, 1, 1' }),
  )
  assert.deepEqual(bindings(appearance, { ForeColor: '10, 20, 30' }), [
    { property: 'backColor', tag: 'Level', converter: 'Bit', params: { bit: '2', on: '#ff0000', off: '#000000' } },
    { property: 'foreColor', tag: 'Level', converter: 'Bit', params: { bit: '2', on: '#0000ff', off: '#0a141e' } },
  ])
})

test('dynamics that are not interpreted, or have no tag, are told with their object', () => {
  const property = (dynamic: string) =>
    part('Hmi.Screen.Property', 'Properties', `${attributes({ Name: 'BackColor' })}<ObjectList>${dynamic}</ObjectList>`)
  const read = itemWith(
    animation('VisibilityAnimation', {}, '', '') +
      animation('SingleBitVisibilityAnimation', {}, '', '') +
      animation('SingleBitAppearanceAnimation', {}, '', '') +
      animation('MoveAnimation', {}) +
      property(part('Hmi.Dynamic.TagConnectionDynamic', 'Dynamic', links({ Tag: 'Colour' }))) +
      property(part('Hmi.Dynamic.TagConnectionDynamic', 'Dynamic', '')) +
      property(part('Hmi.Dynamic.ScriptDynamic', 'Dynamic', links({ Tag: 'Colour' }))),
  )
  assert.deepEqual(read.items[0]?.bindings, [{ property: 'backColor', tag: 'Colour' }])
  assert.deepEqual(read.warnings, [
    '"Lamp": TagConnectionDynamic has no tag; it is kept in the file.',
    '"Lamp": ScriptDynamic of "Colour" is not interpreted; it is kept in the file.',
    '"Lamp": VisibilityAnimation has no tag; it is kept in the file.',
    '"Lamp": SingleBitVisibilityAnimation has no tag; it is kept in the file.',
    '"Lamp": SingleBitAppearanceAnimation has no tag; it is kept in the file.',
    '"Lamp": MoveAnimation of "Level" is not interpreted; it is kept in the file.',
  ])
})

test('parameters of actions are values, or the objects that they link to; an ID is one of the elements around', () => {
  const parameter = (name: string, inside: string) =>
    part(
      'Hmi.Event.FunctionListEntryParameter',
      'Parameters',
      `${attributes({ Name: name, ...(inside === '' ? {} : { Value: 'v' }) })}${inside}`,
    )
  const event = part(
    'Hmi.Event.Event',
    'Events',
    `${attributes({ Name: 'Press' })}<ObjectList>${part(
      'Hmi.Event.FunctionListEventHandler',
      'EventHandler',
      `<ObjectList>${part(
        'Hmi.Event.FunctionListEntry',
        'FunctionListEntries',
        `${attributes({ Name: 'SetBit' })}<ObjectList>${
          parameter('Tag', links({ Value: 'go' })) +
          parameter('Screen', '<LinkList><Value TargetID="#0"/></LinkList>') +
          parameter('Lost', '<LinkList><Value TargetID="#77"/></LinkList>') +
          parameter('None', '<LinkList><Value/></LinkList>') +
          parameter('Plain', '<LinkList/>') +
          parameter('Empty', '')
        }</ObjectList>`,
      )}</ObjectList>`,
    )}</ObjectList>`,
  )
  assert.deepEqual(itemWith(event).items[0]?.events, [
    {
      event: 'Press',
      actions: [
        { function: 'SetBit', parameters: { Tag: 'go', Screen: 'S', Lost: 'v', None: 'v', Plain: 'v', Empty: '' } },
      ],
    },
  ])
})

test('properties are colours, numbers, truth values or texts; texts are plain', () => {
  const text = (composition: string, values: Readonly<Record<string, string>>) =>
    part(
      'MultilingualText',
      composition,
      `<ObjectList>${Object.entries(values)
        .map(([culture, value]) => part('MultilingualTextItem', 'Items', attributes({ Culture: culture, Text: value })))
        .join('')}</ObjectList>`,
    )
  const [lamp] = itemWith(
    text('Text', {
      'en-US':
        '&lt;body&gt;&lt;p&gt;a &amp;amp;&amp;lt;b&amp;gt;&lt;/p&gt;&lt;p x="1"&gt;c&lt;br/&gt;&amp;quot;d&lt;/p&gt;&lt;/body&gt;',
      'de-DE': '',
    }) +
      text('TextOn', { 'en-US': '<body><p>on</p>\n<p>air</p></body>' }) +
      text('HelpText', { 'en-US': 'a <b/> c'.replace(' <b/>', '') }) +
      text('TextOff', { 'de-DE': '' }),
    {
      A: '12',
      B: '-1.5',
      C: '007',
      D: '1.50',
      E: 'true',
      F: 'false',
      G: '0, 128, 255',
      H: '1e3',
      I: '1234567890123456',
      J: ' 1, 2, 3 ',
      IOField: 'x',
    },
  ).items
  assert.deepEqual(lamp?.texts, {
    text: { 'en-US': 'a &<b>\nc\n"d' },
    textOn: { 'en-US': 'on\nair' },
    helpText: { 'en-US': 'a c' },
  })
  assert.deepEqual(lamp?.properties, {
    a: 12,
    b: -1.5,
    c: '007',
    d: '1.50',
    e: true,
    f: false,
    g: '#0080ff',
    h: '1e3',
    i: '1234567890123456',
    j: '#010203',
    iOField: 'x',
  })
})

test('cycles have their time with its unit, or in their name', () => {
  const time = (name: string, values: Readonly<Record<string, string>> = {}) =>
    (only(`<Hmi.Cycle.Cycle ID="0">${attributes({ Name: name, ...values })}</Hmi.Cycle.Cycle>`).content as CycleContent)
      .milliseconds
  assert.deepEqual(
    ['100 ms', '1.5 s', '2min', '1 h', 'Fast', '5 x'].map((name) => time(name)),
    [100, 1500, 120_000, 3_600_000, 0, 0],
  )
  assert.deepEqual(
    ['Millisecond', 'ms', 'Second', 'Minute', 'Hour', 'Other'].map((CycleUnit) =>
      time('1 s', { CycleTime: '3', CycleUnit }),
    ),
    [3, 3, 3000, 180_000, 10_800_000, 3],
  )
  assert.equal(time('1 s', { CycleTime: '3' }), 3)
  assert.equal(time('1 s', { CycleTime: 'x' }), 1000)
})

test('older names of connections, lists and graphics are read too', () => {
  const connection = (values: Readonly<Record<string, string>>, linked: Readonly<Record<string, string>> = {}) =>
    only(
      `<Hmi.Communication.Connection ID="0">${attributes({ Name: 'C', ...values })}${links(linked)}</Hmi.Communication.Connection>`,
    ).content
  assert.deepEqual(connection({}, { Partner: 'PLC_1', CommunicationDriver: 'S7 1500' }), {
    partner: 'PLC_1',
    type: 'S7 1500',
  })
  assert.deepEqual(connection({ Partner: 'PLC_2', CommunicationDriver: 'S7 300' }), {
    partner: 'PLC_2',
    type: 'S7 300',
  })
  assert.deepEqual(connection({}), { partner: '', type: '' })
  const list = (values: Readonly<Record<string, string>>, entries: readonly string[]) =>
    only(
      `<Hmi.TextGraphicList.GraphicList ID="0">${attributes({ Name: 'L', ...values })}<ObjectList>${entries
        .map((inside) => part('Hmi.TextGraphicList.GraphicListEntry', 'Entries', inside))
        .join('')}</ObjectList></Hmi.TextGraphicList.GraphicList>`,
    ).content
  assert.deepEqual(
    list({ RangeType: 'Bit' }, [
      links({ Graphic: 'a' }),
      `${attributes({ From: '2', To: '5', DefaultEntry: 'true' })}${links({ Picture: 'b' })}`,
      links({ Value: 'c' }),
      '',
    ]),
    {
      rangeType: 'Bit',
      entries: [
        { from: 0, to: 0, isDefault: false, graphic: 'a' },
        { from: 2, to: 5, isDefault: true, graphic: 'b' },
        { from: 0, to: 0, isDefault: false, graphic: 'c' },
        { from: 0, to: 0, isDefault: false, graphic: '' },
      ],
    },
  )
  assert.equal((list({}, []) as { rangeType: string }).rangeType, 'Decimal')
  const graphic = (stream: string) =>
    only(
      `<Hmi.Globalization.MultiLingualGraphic ID="0"><AttributeList>${stream}<Name>G</Name></AttributeList></Hmi.Globalization.MultiLingualGraphic>`,
    )
  const file = graphic('<DefaultImageStream external="G files\\a\\g.png"/>')
  assert.deepEqual([file.imageFile, (file.content as { fileName: string }).fileName], ['G files/a/g.png', 'g.png'])
  assert.equal('imageFile' in graphic(''), false)
})

test('a tag has its PLC tag under either name; links that are not read, and none to a data type, are told once', () => {
  const tag = (name: string, linked: Readonly<Record<string, string>>) =>
    part('Hmi.Tag.Tag', 'Tags', `${attributes({ Name: name })}${links(linked)}`)
  const table = only(
    `<Hmi.Tag.TagTable ID="0">${attributes({ Name: 'T' })}<ObjectList>${
      tag('a', { ControllerTag: 'DB1.a', PlcTag: 'DB1.other', DataType: 'Int' }) +
      tag('b', { PlcTag: 'DB1.b', Plc: 'DB1.b' }) +
      tag('c', { Plc: 'DB1.c', Structure: 'S', HmiDataType: 'Int' }) +
      tag('d', {}).replace('<LinkList>', '<LinkList><ControllerTag TargetID="@OpenLink">DB1.d</ControllerTag>')
    }</ObjectList></Hmi.Tag.TagTable>`,
  )
  assert.deepEqual(
    table.tags.map(({ name, plcTag }) => [name, plcTag]),
    [
      ['a', 'DB1.a'],
      ['b', 'DB1.b'],
      ['c', ''],
      ['d', ''],
    ],
  )
  assert.deepEqual(table.warnings, [
    'The link Plc of tag "b" and 1 more is not interpreted; it is kept in the file.',
    'There is no link DataType or HmiDataType of tag "b" and 1 more: it has no data type.',
    'The link Structure of tag "c" is not interpreted; it is kept in the file.',
    'The link ControllerTag of tag "d" has no Name element; it is kept in the file.',
  ])
  const outside = only(
    `<Hmi.Screen.Screen ID="0">${attributes({ Name: 'S' })}<ObjectList>${part('Hmi.Screen.Button', 'ScreenItems', attributes({ ObjectName: 'B' }))}</ObjectList></Hmi.Screen.Screen>`,
  )
  assert.deepEqual([outside.items, outside.warnings], [[], ['"B" stands in no layer; it is kept in the file.']])
})

test('what is wrong with a document is told all at once, with its places', () => {
  assert.deepEqual(
    faultsOf(
      '<Export><Hmi.Cycle.Cycle ID="0"><AttributeList><Name>A</Name></AttributeList></Hmi.Cycle.Cycle></Export>',
    ),
    [['xml-root', 'the root element is Export, not Document']],
  )
  assert.deepEqual(faultsOf('<Document><Engineering version="V19"/><DocumentInfo/></Document>'), [
    ['xml-structure', 'the document has no HMI object'],
  ])
  assert.deepEqual(
    faultsOf(
      `<Document><Hmi.Screen.Screen ID="0">${attributes({ Name: 'S', Width: 'wide', Height: '', Number: '1' })}<ObjectList>${part(
        'Hmi.Screen.ScreenLayer',
        'Layers',
        `<ObjectList>${part('Hmi.Screen.Line', 'ScreenItems', '')}</ObjectList>`,
      )}</ObjectList></Hmi.Screen.Screen><Hmi.Tag.TagTable ID="1">${attributes({ Name: 'T' })}<ObjectList>${part(
        'Hmi.Tag.Tag',
        'Tags',
        '',
      )}</ObjectList></Hmi.Tag.TagTable></Document>`,
    ),
    [
      ['xml-value', 'Width "wide" is no number'],
      ['xml-structure', 'Hmi.Screen.Line has no ObjectName'],
      ['xml-structure', 'a tag has no Name'],
    ],
  )
})

test('a slide-in screen is called by its edge, and has the size that its file and its objects give', () => {
  const screen = (attributes: string, items = '') =>
    `<Document><Hmi.Screen.ScreenSlidein ID="0"><AttributeList>${attributes}</AttributeList><ObjectList><Hmi.Screen.ScreenLayer ID="1" CompositionName="Layers"><AttributeList><Index>0</Index></AttributeList><ObjectList>${items}</ObjectList></Hmi.Screen.ScreenLayer></ObjectList></Hmi.Screen.ScreenSlidein></Document>`
  const box = (place: string) =>
    `<Hmi.Screen.Rectangle ID="2" CompositionName="ScreenItems"><AttributeList><ObjectName>R</ObjectName>${place}</AttributeList></Hmi.Screen.Rectangle>`
  const read = (text: string) => {
    const [found] = readHmiText(text).objects
    const { screenType, width, height } = found!.content as ScreenContent
    return [found!.name, screenType, width, height]
  }
  const far = box('<Left>500</Left><Top>700</Top><Width>20</Width><Height>30</Height>')
  assert.deepEqual(read(screen('<Dimension>427</Dimension><SlideinType>Left</SlideinType>', far)), [
    ...['GraphX_Slidein_Left', 'ScreenSlidein', 427, 730],
  ])
  assert.deepEqual(read(screen('<Dimension>100</Dimension><SlideinType>Top</SlideinType>', far)), [
    ...['GraphX_Slidein_Top', 'ScreenSlidein', 520, 100],
  ])
  assert.throws(() => read(screen('<Dimension>100</Dimension>')), /has no Name/)
})
