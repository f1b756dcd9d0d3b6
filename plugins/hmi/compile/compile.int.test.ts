/** The compile of a station with everything that can be wrong with it, and what is right in its model. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../../test/harness.ts'
import { type Answer, newProject, plc, withProject } from '../../../test/online.ts'

const hmi = { deviceName: 'HMI_1' }
const panel = '6AV2 124-0MC01-0AX0'
const event = (name: string, parameters: Record<string, string> = {}) => ({
  event: 'Click',
  actions: [{ function: name, parameters }],
})

test('each thing that refers to what is not there, or does not fit, has its message and place', async (t) => {
  const { call } = await withProject(t)
  await call('devices.add', { orderNumber: panel, name: 'HMI_1' })
  const compile = async (): Promise<Answer> => {
    const { messages, ...rest } = await call<Answer>('hmi.compile', {})
    return {
      ...rest,
      told: messages.map(({ code, screen, object, property, description }: Answer) =>
        [code, [screen, object, property].filter((one) => one !== '').join(' '), description].join(' | '),
      ),
    }
  }
  assert.deepEqual((await compile()).told, ['hmi-no-screen |  | "HMI_1" has no screen'])

  const create = (kind: string, name: string, more: object = {}) =>
    call(`hmi.create-${kind}`, { ...hmi, name, ...more })
  await create('screen', 'Frame', { screenType: 'ScreenTemplate' })
  await create('screen', 'Gone')
  await call('hmi.configure-station', { ...hmi, startScreen: 'Gone' })
  await create('screen', 'Main', {
    ...{ number: 1, template: 'frame' },
    layers: [{ index: 0 }, { index: 1, visible: false }, { index: 2 }],
  })
  await create('screen', 'Other', { number: 9, template: 'None' })
  await call('hmi.delete-screen', { ...hmi, screenName: 'Gone' })
  await create('tag-table', 'T')
  await call('hmi.add-tag', { ...hmi, tableName: 'T', name: 'Inner', dataType: 'Int', attributes: { StartValue: '7' } })
  await call('hmi.add-tag', { ...hmi, tableName: 'T', name: 'Lost', plcTag: 'Data.no', connection: 'C' })
  await call('hmi.add-tag', { ...hmi, tableName: 'T', name: 'Word', dataType: 'Word', address: '%MW10' })
  await create('script', 'Old', { language: 'VBScript', source: 'x = 1' })
  await create('script', 'Work', { source: "Tags('Data.count'); Tags('Data.count')" })
  await create('graphic-list', 'Signs', { entries: [{ value: 1, graphic: 'sign' }, { value: 2 }] })
  await create('alarm', 'Internal', { tag: 'Inner' })
  await create('alarm', 'Analog', { tag: 'Data.motor.run', alarmType: 'analog', alarmClass: 'Warnings' })
  await create('alarm', 'Nowhere', { tag: 'Nothing' })
  const converter = { converter: 'BoolToColor', params: { on: 'red', off: 'green' } }
  await create('library-type', 'Plate', {
    properties: [{ name: 'motor' }, { name: 'other' }],
    items: [
      {
        ...{ type: 'Circle', name: 'lamp', bindings: [{ property: 'backColor', tag: 'Motor.run', ...converter }] },
        events: [event('InvertBit', { Tag: 'motor.run' })],
      },
      { type: 'Bar', name: 'bar', bindings: [{ property: 'value', tag: 'other' }] },
      { type: 'IOField', name: 'field', bindings: [{ property: 'value', tag: 'Data.limit' }] },
      { type: 'FaceplateInstance', name: 'nested', links: { faceplate: 'Plate' } },
    ],
  })
  const add = (name: string, type: string, more: object = {}) =>
    call('hmi.add-object', { screenName: 'Main', name, type, ...more })
  const bind = (property: string, tag: string, more: object = {}) => ({ bindings: [{ property, tag, ...more }] })
  await call('hmi.add-object', {
    screenName: 'Frame',
    screenType: 'ScreenTemplate',
    name: 'Head',
    type: 'TextField',
    text: 'Line',
  })
  await add('Group', 'Group')
  await add('Hidden', 'Bar', { layer: 1, ...bind('value', 'Nothing') })
  await add('Back', 'Bar', { layer: 2, ...bind('value', 'Inner') })
  await add('Right', 'Circle', { left: 1279, top: 799 })
  await add('Beyond', 'Circle', { left: 1280 })
  await add('Below', 'Circle', { top: 800 })
  await add('Touching', 'Circle', { left: -10, top: -20, width: 10, height: 20 })
  await add('Above', 'Circle', { top: -21, height: 20 })
  await add('Before', 'Circle', { left: -11, width: 10 })
  await add('Lists', 'SymbolicIOField', {
    links: { textList: 'None', pictureList: 'Nil', graphicList: 'x', picture: 'p' },
  })
  await add('Images', 'GraphicView', { links: { graphicList: 'signs', graphic: 'g' } })
  await add('Plates', 'FaceplateInstance', { links: { faceplate: 'None' } })
  await add('Plate1', 'FaceplateInstance', { links: { faceplate: 'plate' }, ...bind('Motor', 'Data.motor') })
  await add('Go', 'Button', {
    events: [
      event('ActivateScreen', { 'Screen name': 'Nowhere' }),
      event('ActivateScreen', { 'Screen name': 'other' }),
      event('Beep'),
      event('work'),
      event('SetTag', { Tag: 'Nothing.a' }),
      event('SetTag', { Tag: '' }),
    ],
  })
  await add('NoBool', 'Circle', bind('fill', 'Data.count', converter))
  await add('NoNumber', 'Circle', bind('fill', 'Data.motor.run', { converter: 'Range', params: { ranges: '1:red' } }))
  await add('NoColour', 'Circle', bind('fill', 'Data.motor.run'))
  await add('NoWidth', 'Circle', bind('borderWidth', 'Data.motor.run'))
  await add('Width', 'Circle', bind('borderWidth', 'Data.count'))
  await add('Text', 'TextField', bind('text', 'data.COUNT', { converter: 'TextList', params: { list: 'Modes' } }))
  await add('Slice', 'Circle', bind('visible', 'Word'))
  const { told, success, errors, warnings } = await compile()
  const expected = [
    'hmi-unknown-variable | Lost | "Data.no" of the HMI tag "Lost": "Data" has no member "no"',
    'hmi-missing-reference | Lost | HMI tag "Lost": there is no connection "C"',
    'hmi-missing-reference |  | The start screen "Gone" does not exist',
    'hmi-outside | Main Beyond | "Beyond" lies at 1280, 0; the screen has 1280 x 800',
    'hmi-outside | Main Below | "Below" lies at 0, 800; the screen has 1280 x 800',
    'hmi-outside | Main Above | "Above" lies at 0, -21; the screen has 1280 x 800',
    'hmi-outside | Main Before | "Before" lies at -11, 0; the screen has 1280 x 800',
    'hmi-missing-reference | Main Lists | There is no text list "None"',
    'hmi-missing-reference | Main Lists | There is no graphic list "Nil"',
    'hmi-missing-reference | Main Lists | There is no project graphic "p"',
    'hmi-missing-reference | Main Images | There is no project graphic "g"',
    'hmi-missing-reference | Main Plates | There is no library type "None"',
    'hmi-missing-binding | Main Plate1 other | "Plate1" gives the property "other" of "Plate" no variable',
    'hmi-not-shown | Main Plate1/nested | A faceplate in a faceplate is not drawn',
    'hmi-missing-reference | Main Go | There is no screen "Nowhere"',
    'hmi-not-run | Main Go | The function Beep does nothing here',
    'hmi-unknown-variable | Main Go | "Nothing.a": "PLC_1" has no tag or data block "Nothing"',
    'hmi-wrong-type | Main NoBool backColor | BoolToColor takes a Bool, "Data.count" is DInt',
    'hmi-wrong-type | Main NoNumber backColor | Range takes a number, "Data.motor.run" is Bool',
    'hmi-wrong-type | Main NoColour backColor | "Data.motor.run" is Bool; a colour needs a converter',
    'hmi-wrong-type | Main NoWidth borderWidth | borderWidth takes a number, "Data.motor.run" is Bool',
    'hmi-missing-reference | Main Text text | There is no text list "Modes"',
    'hmi-missing-reference | Other | There is no template "None"',
    'hmi-wrong-type | Analog | "Data.motor.run" is Bool, no number',
    'hmi-not-run | Internal | Alarm "Internal" follows the internal tag "Inner"',
    'hmi-unknown-variable | Nowhere | "Nothing": "PLC_1" has no tag or data block "Nothing"',
    'hmi-not-run | Old | "Old" is a VBScript',
    'hmi-missing-reference | Signs | There is no project graphic "sign"',
  ]
  assert.deepEqual([...told].sort(), expected.sort())
  const count = (code: RegExp) => expected.filter((one) => code.test(one)).length
  const warned = count(/^hmi-(outside|not-shown|not-run) /)
  assert.deepEqual([success, errors, warnings], [false, expected.length - warned, warned])

  // What is wrong is taken away: the rest is the model.
  for (const objectName of ['Lists', 'Images', 'Plates', 'Go', 'NoBool', 'NoNumber', 'NoColour', 'NoWidth', 'Text'])
    await call('hmi.delete-object', { screenName: 'Main', objectName })
  await call('hmi.update-object', {
    ...{ screenName: 'Main', objectName: 'Plate1' },
    bindings: [
      { property: 'motor', tag: 'Data.motor' },
      { property: 'OTHER', tag: 'Counter_DB.total' },
    ],
  })
  await call('hmi.update-screen', { ...hmi, screenName: 'Other', template: '' })
  await call('hmi.configure-station', { ...hmi, startScreen: '' })
  for (const alarmName of ['Nowhere', 'Analog']) await call('hmi.delete-alarm', { ...hmi, alarmName })
  await call('hmi.update-graphic-list', { ...hmi, listName: 'Signs', entries: [{ value: 2 }] })
  await call('hmi.update-tag', { ...hmi, tableName: 'T', tagName: 'Lost', plcTag: 'Data.limit', connection: '' })
  const good = await compile()
  assert.deepEqual([good.success, good.errors], [true, 0])
  const model = JSON.parse(await call<string>('hmi.show-model', { stationName: 'HMI_1' }))
  assert.equal(model.startScreen, 'Main')
  const ofPlc = (dataType: string, path: string) => ({ dataType, isWritable: true, plc: 'PLC_1', path })
  assert.deepEqual(Object.fromEntries(model.variables.map(({ name, ...rest }: Answer) => [name, rest])), {
    Inner: { dataType: 'Int', isWritable: true, startValue: '7' },
    Word: ofPlc('Word', '%MW10'),
    'Data.motor.run': ofPlc('Bool', 'Data.motor.run'),
    'Counter_DB.total': ofPlc('DInt', 'Counter_DB.total'),
    'Data.limit': ofPlc('Int', 'Data.limit'),
    'Data.count': ofPlc('DInt', 'Data.count'),
  })
  const [main] = model.screens
  assert.deepEqual(
    [model.screens.map(({ name }: Answer) => name), main.items.map(({ name }: Answer) => name)],
    [
      ['Main', 'Other'],
      // The objects of the template, then by layer; a layer that is hidden and groups are not drawn.
      ['Head', 'Right', 'Beyond', 'Below', 'Touching', 'Above', 'Before', 'Plate1', 'Width', 'Slice', 'Back'],
    ],
  )
  const plate = main.items.find(({ name }: Answer) => name === 'Plate1')
  const variable = (name: string) => model.variables.findIndex((one: Answer) => one.name === name)
  assert.deepEqual([plate.innerWidth, plate.innerHeight, plate.bindings], [200, 100, []])
  assert.deepEqual(
    plate.items.map(({ name, bindings, events }: Answer) => [
      name,
      bindings[0].variable,
      events[0]?.actions[0].parameters,
    ]),
    [
      ['lamp', variable('Data.motor.run'), { Tag: 'Data.motor.run' }],
      ['bar', variable('Counter_DB.total'), undefined],
      ['field', variable('Data.limit'), undefined],
    ],
  )
  assert.deepEqual(model.scripts, {
    Work: { parameters: [], source: "Tags('Data.count'); Tags('Data.count')", variables: [variable('Data.count')] },
  })
  assert.deepEqual(
    model.alarms.map(({ name, needsAcknowledgement, variable }: Answer) => [name, needsAcknowledgement, variable]),
    [['Internal', true, variable('Inner')]],
  )
})

const program = `
FUNCTION_BLOCK "Valve"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    open : Bool;
    setpoint : Real;
    name : String;
    secret { ExternalVisible := 'False' } : Bool;
  END_VAR
  VAR_OUTPUT
    isOpen : Bool;
    position : Int;
  END_VAR
  VAR_TEMP
    t : Int;
  END_VAR
BEGIN
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Silent"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    name : String;
  END_VAR
BEGIN
END_FUNCTION_BLOCK
${['Valve_1', 'Valve 2', 'Valve_3', 'Valve_4', 'Valve_5']
  .map(
    (name) =>
      `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n"Valve"\nBEGIN\nEND_DATA_BLOCK\n`,
  )
  .join('')}
DATA_BLOCK "Silent_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Silent"
BEGIN
END_DATA_BLOCK
`

test('a faceplate from the interface of a function block, and its instances side by side', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('blocks.import', { ...plc, content: program })
  await call('devices.add', { orderNumber: panel, name: 'HMI_1' })
  const made = await call<Answer>('hmi.generate', { from: 'folders' })
  assert.deepEqual(
    [made.screens, made.libraryTypes, made.objects, made.warnings],
    [['PLC_1'], ['Valve'], 10, ['"Silent" has no Bool and no number that is visible in HMI: it gets no faceplate.']],
  )
  const {
    libraryTypes: [type],
  } = await call<Answer>('hmi.detailed-library-types', {})
  assert.deepEqual(
    [type.name, type.width, type.height, type.properties],
    [...['Valve', 260, 166], [{ name: 'block', dataType: 'Valve', defaultValue: '' }]],
  )
  const shown = (one: Answer) => [
    ...[one.type, one.name, [one.left, one.top, one.width, one.height]],
    ...one.bindings.map(({ property, tag, converter = '' }: Answer) => `${property} ${tag} ${converter}`.trim()),
  ]
  const member = (name: string, top: number) => ['TextField', `${name} name`, [16, top, 130, 24]]
  assert.deepEqual(type.items.map(shown), [
    ['Rectangle', 'Frame', [1, 1, 258, 164]],
    member('open', 30),
    ['Switch', 'open', [150, 30, 94, 24], 'processValue block.open'],
    member('setpoint', 60),
    ['IOField', 'setpoint', [150, 60, 94, 24], 'processValue block.setpoint'],
    member('isOpen', 90),
    ['Circle', 'isOpen', [150, 90, 22, 22], 'backColor block.isOpen BoolToColor'],
    member('position', 120),
    ['IOField', 'position', [150, 120, 94, 24], 'processValue block.position'],
  ])
  assert.deepEqual(
    type.items.filter((one: Answer) => one.type === 'IOField').map(({ properties }: Answer) => properties.mode),
    ['InputOutput', 'Output'],
  )
  // Four of 260 with gaps of 16 fit into 1280; the fifth begins a row below the first.
  const { objects } = await call<Answer>('hmi.screen-details', { ...hmi, screenName: 'PLC_1' })
  const place = (i: number) => [16 + (i % 4) * 276, i < 4 ? 16 : 224]
  assert.deepEqual(
    objects.map(shown),
    ['Valve 2', 'Valve_1', 'Valve_3', 'Valve_4', 'Valve_5'].flatMap((name, i) => {
      const [left = 0, top = 0] = place(i)
      return [
        ['TextField', `${name} name`, [left, top, 260, 24]],
        ['FaceplateInstance', name, [left, top + 26, 260, 166], `block ${name.includes(' ') ? `"${name}"` : name}`],
      ]
    }),
  )
  assert.equal((await call<Answer>('hmi.show-station', hmi)).startScreen, 'PLC_1')
  assert.deepEqual((await call<Answer>('hmi.generate', { from: 'folders', overwrite: true })).objects, 10)
  assert.deepEqual((await call<Answer>('hmi.compile', {})).messages, [])
})
