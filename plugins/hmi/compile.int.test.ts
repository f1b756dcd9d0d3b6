/** The compile of a station with everything that can be wrong with it, and what is right in its model. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, withProject } from '../../test/online.ts'

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
  await call('hmi.add-object', { screenName: 'Frame', name: 'Head', type: 'TextField', text: 'Line' })
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
