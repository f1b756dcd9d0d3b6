/** Bindings without a gateway: converters, properties, objects, paths, scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../core/index.ts'
import type { HmiItem } from '../../../plc/formats/hmi/model.ts'
import { scriptFault, variablesIn } from '../compile/script-check.ts'
import { runsFunction, variableParameter, withVariable } from '../compile/system-functions.ts'
import { limitsOf, stepsOf } from '../program.ts'
import { converters, isColour, rangesOf, readConverter } from './converters.ts'
import { type ItemInput, readItem } from './item-input.ts'
import { isWrittenBy, itemTypeOf, itemTypes, type PropertyType, propertyOf } from './item-types.ts'

test('each converter as the page has it', () => {
  const compile = (name: string, params: Readonly<Record<string, string>> = {}) => converters[name]!.compile(params)
  const sides = { on: 'a', off: 'b' }
  assert.deepEqual(compile('BoolToColor', sides), { kind: 'switch', ...sides })
  assert.deepEqual(compile('BoolToText', sides), { kind: 'switch', ...sides })
  assert.deepEqual(compile('BoolToVisibility'), { kind: 'switch', on: 'true', off: 'false' })
  assert.deepEqual(compile('BoolToVisibility', { invert: 'true' }), { kind: 'switch', on: 'false', off: 'true' })
  assert.deepEqual(compile('Bit', { bit: '3', ...sides }), { kind: 'switch', bit: 3, ...sides })
  // A straight line through both pairs of values; 0 to 100 where nothing is said.
  assert.deepEqual(compile('Scale', { inMin: '4', inMax: '20', outMin: '-10', outMax: '30' }), {
    ...{ kind: 'scale', factor: 2.5, offset: -20 },
  })
  assert.deepEqual(compile('Scale', { outMax: '10' }), { kind: 'scale', factor: 0.1, offset: 0 })
  assert.deepEqual(compile('Scale', { inMax: '10' }), { kind: 'scale', factor: 10, offset: 0 })
  assert.deepEqual(compile('Threshold', { limit: '5', above: 'red', below: 'green' }), {
    ...{ kind: 'ranges', ranges: [{ from: 5, to: Number.MAX_VALUE, value: 'red' }], otherwise: 'green' },
  })
  assert.deepEqual(compile('TextList', { list: 'L' }), { kind: 'list', list: 'L', of: 'text' })
  assert.deepEqual(compile('GraphicList', { list: 'L' }), { kind: 'list', list: 'L', of: 'graphic' })
  assert.deepEqual(compile('Format'), { kind: 'format', prefix: '', suffix: '' })
  for (const [given, decimals] of [
    ['-1', 0],
    ['0', 0],
    ['12', 12],
    ['13', 12],
  ] as const)
    assert.deepEqual(compile('Format', { decimals: given, prefix: '~', suffix: ' bar' }), {
      ...{ kind: 'format', decimals, prefix: '~', suffix: ' bar' },
    })
})

test('tables of ranges: from..to or one number, colon, value; else; anything else is refused', () => {
  const range = (from: number, to: number, value: string) => ({ from, to, value })
  assert.deepEqual(rangesOf(' -5 .. 10 : #00ff00 ; 20:yellow; ELSE : red ;'), {
    ...{ kind: 'ranges', ranges: [range(-5, 10, '#00ff00'), range(20, 20, 'yellow')], otherwise: 'red' },
  })
  assert.deepEqual(rangesOf('0.5..1e3:a:b'), { kind: 'ranges', ranges: [range(0.5, 1000, 'a:b')] })
  assert.deepEqual(rangesOf('else:x'), { kind: 'ranges', ranges: [], otherwise: 'x' })
  for (const wrong of ['', ';', '1', '1..2', ':x', 'a:x', '1..b:x', '2..1:x', '-5..:x', '..5:x', '1..2..3:x', '1:a;b'])
    assert.equal(rangesOf(wrong), undefined, wrong)
  assert.deepEqual(converters.Range!.compile({ ranges: '1:x' }), { kind: 'ranges', ranges: [range(1, 1, 'x')] })
})

test('colours', () => {
  for (const one of [
    '#abc',
    '#ABCD',
    '#a1b2c3',
    '#a1b2c3d4',
    'red',
    'rgb(1, 2, 3)',
    'rgba(1,2,3,0.5)',
    '1,2,3',
    ' 255, 0, 7 ',
  ])
    assert.ok(isColour(one), one)
  for (const one of [
    '',
    '#ab',
    '#abcde',
    '#abcdeg',
    '#a1b2c3d',
    'no colour',
    'url(x)',
    '1,2',
    '1,2,3,4',
    'x',
    '1234,1,1',
  ])
    assert.ok(!isColour(one), one)
})

test('converters by any of their names; each fault has its place and what is allowed', () => {
  const read = (name: string, given: Record<string, string>, type?: PropertyType) => {
    const faults: Fault[] = []
    const found = readConverter(name, given, type, '/b', faults)
    return { found, faults: faults.map(({ path, message }) => `${path} ${message}`) }
  }
  const sides = { on: '#00ff00', off: 'red' }
  for (const name of ['BoolToColor', 'bool-to-colour', 'BOOLEAN_TO_COLOR', 'bool Color'])
    assert.deepEqual(read(name, { trueColor: '#00ff00', False: 'red' }, 'colour'), {
      ...{ found: { converter: 'BoolToColor', params: sides }, faults: [] },
    })
  const unknown = read('BoolToColors', {})
  assert.equal(unknown.found, undefined)
  assert.match(
    unknown.faults.join(),
    /^\/b\/converter "BoolToColors" is no converter \(did you mean "BoolToColor"\?\); there are BoolToColor, /,
  )
  assert.deepEqual(read('BoolToColor', sides, 'text').faults, [
    '/b/converter BoolToColor gives colour, the property is a text; these fit: BoolToText, Bit, Scale, Threshold, Range, TextList, Format',
  ])
  assert.deepEqual(read('BoolToText', sides, 'boolean').faults, [
    '/b/converter BoolToText gives text or value, the property is a boolean; these fit: BoolToVisibility, Bit, Threshold, Range',
  ])
  assert.deepEqual(read('Threshold', { limit: 'x', abov: 'a', high: 'b' }), {
    found: { converter: 'Threshold', params: { limit: 'x', above: 'b' } },
    faults: [
      '/b/params/limit "x" is no number',
      '/b/params/abov "abov" is no parameter of Threshold (did you mean "above"?); it takes limit, above, below',
      '/b/params/below Threshold needs the parameter "below" (or belowColor, low, under)',
    ],
  })
  assert.deepEqual(read('Bit', { ...sides, bit: ' ' }).faults, ['/b/params/bit " " is no number'])
  assert.deepEqual(read('Bit', sides).faults, ['/b/params/bit Bit needs the parameter "bit"'])
  assert.deepEqual(read('BoolToVisibility', { negate: 'yes' }).faults, [
    '/b/params/negate "yes" is neither true nor false',
  ])
  for (const invert of ['true', 'false']) assert.deepEqual(read('BoolToVisibility', { invert }).faults, [])
  assert.deepEqual(read('BoolToColor', { on: '#12', off: 'red' }).faults, [
    '/b/params/on "#12" is no colour: write #rrggbb or a name such as red',
  ])
  assert.deepEqual(read('Range', { table: '1' }).faults, [
    '/b/params/table "1" is no table of ranges: write 0..10:green;10..20:yellow;else:red',
  ])
  // What a converter puts into a colour must be one.
  for (const [ranges, wrong] of [
    ['0..5:green;else:rad', 'rad'],
    ['0..5:grin;else:red', 'grin'],
    ['0..5:green;6:#1', '#1'],
  ] as const)
    assert.deepEqual(read('Range', { ranges }, 'colour').faults, [
      `/b/params/ranges "${wrong}" is no colour: write #rrggbb or a name such as red`,
    ])
  assert.deepEqual(read('Range', { ranges: '0..5:green' }, 'colour').faults, [])
  assert.deepEqual(read('Range', { ranges: '0..5:grin' }, 'text').faults, [])
  assert.deepEqual(read('Threshold', { limit: '5', above: 'rad', below: 'red' }, 'colour').faults, [
    '/b/params/above "rad" is no colour: write #rrggbb or a name such as red',
  ])
  assert.deepEqual(read('Scale', { inMin: '5', inMax: '5' }).faults, ['/b/params/inMax inMin and inMax are the same'])
  for (const params of [{ inMin: '5', inMax: '5.0' }, { inMax: '0' }, { inMin: '1e2' }])
    assert.deepEqual(read('Scale', params).faults, ['/b/params/inMax inMin and inMax are the same'])
  assert.deepEqual(read('Scale', {}).faults, [])
})

test('types and properties by their names in TIA Portal and by those that clients use', () => {
  for (const [given, type] of Object.entries({
    ...{
      circle: 'Circle',
      HmiCircle: 'Circle',
      'Hmi.Screen.Circle': 'Circle',
      rect: 'Rectangle',
      'IO Field': 'IOField',
    },
    ...{ 'f(t)TrendView': 'TrendView', label: 'TextField', hmi: undefined, Circel: undefined },
  }))
    assert.equal(itemTypeOf(given), type, given)
  for (const [type, given, property] of [
    ['Circle', 'FillColor', 'backColor'],
    ['Circle', 'back_color', 'backColor'],
    ['Line', 'fill', 'borderColor'],
    ['Line', 'value', undefined],
    ['Bar', 'Value', 'processValue'],
    ['Bar', 'max value', 'maximumValue'],
    ['TableView', 'processValue32', 'processValue32'],
    ['TableView', 'processValue33', undefined],
    ['TrendView', 'processValue8', 'processValue8'],
    ['TrendView', 'processValue9', undefined],
    ['FaceplateInstance', 'Pump', 'Pump'],
    ['FaceplateInstance', 'Left', 'left'],
    ['AlarmView', 'foreColor', undefined],
  ] as const)
    assert.equal(propertyOf(type, given), property, `${type} ${given}`)
  const inputs = Object.keys(itemTypes).filter((type) => isWrittenBy({ type, properties: {} }, 'processValue'))
  assert.deepEqual(inputs, ['IOField', 'SymbolicIOField', 'GraphicIOField', 'Button', 'Switch', 'Slider'])
  assert.equal(isWrittenBy({ type: 'IOField', properties: { mode: 'Output' } }, 'processValue'), false)
  assert.equal(isWrittenBy({ type: 'IOField', properties: { mode: 'Input' } }, 'processValue'), true)
  assert.equal(isWrittenBy({ type: 'IOField', properties: {} }, 'backColor'), false)
})

test('an object is completed from the one before; all its faults are told with their places', () => {
  const made = readItem({ type: 'rect', name: 'R', text: 'Hi', properties: { Fill: 'red' } }, undefined, 'de-DE')
  assert.deepEqual(made, {
    ...{ name: 'R', type: 'Rectangle', left: 0, top: 0, width: 100, height: 100, layer: 0 },
    ...{ properties: { backColor: 'red' }, texts: { text: { 'de-DE': 'Hi' } }, links: {}, bindings: [], events: [] },
  })
  const before: HmiItem = {
    ...made,
    ...{ left: 5, top: 6, width: 7, height: 8, layer: 9, group: 'G', ref: 'x' as never },
    links: { picture: 'p' },
    bindings: [{ property: 'visible', tag: 'a' }],
    events: [{ event: 'Click', actions: [] }],
  }
  assert.deepEqual(readItem({}, before, 'de-DE'), before)
  const change: ItemInput = {
    ...{ name: 'S', type: 'HmiBar', left: 1, top: 2, width: 3, height: 4, layer: 0, group: '' },
    ...{
      properties: { borderWidth: 2 },
      text: { 'en-US': 'Hello' },
      texts: { helpText: 'why' },
      links: { screen: 's' },
    },
    bindings: [
      { property: 'value', tag: ' a.b ', converter: 'scale', params: { OutMax: '5' } },
      { property: 'visible', tag: 'c', converter: 'None' },
      { property: 'backColor', tag: 'd', converter: '' },
    ],
    events: [{ event: 'Press', actions: [{ function: 'SetBit', parameters: { Tag: 't' } }, { function: 'Beep' }] }],
  }
  assert.deepEqual(readItem(change, before, 'de-DE'), {
    ...{ name: 'S', type: 'Bar', left: 1, top: 2, width: 3, height: 4, layer: 0, ref: 'x' },
    properties: { backColor: 'red', borderWidth: 2 },
    texts: { text: { 'de-DE': 'Hi', 'en-US': 'Hello' }, helpText: { 'de-DE': 'why' } },
    links: { picture: 'p', screen: 's' },
    bindings: [
      { property: 'processValue', tag: 'a.b', converter: 'Scale', params: { outMax: '5' } },
      { property: 'visible', tag: 'c' },
      { property: 'backColor', tag: 'd' },
    ],
    events: [
      {
        event: 'Press',
        actions: [
          { function: 'SetBit', parameters: { Tag: 't' } },
          { function: 'Beep', parameters: {} },
        ],
      },
    ],
  })
  const faultsOf = (input: ItemInput) => {
    try {
      readItem({ name: 'F', type: 'Circle', ...input }, undefined, 'en-US', '/items/2')
    } catch (error) {
      return (error as { details: { errors: Fault[] } }).details.errors.map(({ path, message }) => `${path} ${message}`)
    }
    return []
  }
  assert.match(
    faultsOf({ type: 'Circel' }).join(),
    /^\/items\/2\/type "Circel" is no type of object \(did you mean "Circle"\?\); there are Rectangle, /,
  )
  const bindings = [
    { property: 'visible', tag: ' ' },
    { property: 'visibility', tag: 'a' },
    { property: 'wide', tag: 'a' },
    { property: 'left', tag: 'a', params: { on: '1' } },
  ]
  const properties = { left: 5, 'a b': 1, backColor: 7, borderWidth: 'x', visible: 'yes', fill: 'no colour' }
  const told = faultsOf({ bindings, properties })
  assert.match(
    told.splice(1, 1)[0]!,
    /^\/items\/2\/bindings\/2\/property "wide" is no property of a Circle.*; it has left, top, /,
  )
  assert.deepEqual(told, [
    '/items/2/bindings/0/tag is empty',
    '/items/2/bindings/3/params/on there is no converter to take it',
    '/items/2/bindings the property visible has two bindings',
    '/items/2/properties/left is a field of the object itself: send "left" beside "properties"',
    '/items/2/properties/a b is no name of a property',
    '/items/2/properties/backColor 7 is no colour: write #rrggbb or a name such as red',
    '/items/2/properties/borderWidth "x" is no number',
    '/items/2/properties/visible "yes" is neither true nor false',
    '/items/2/properties/fill "no colour" is no colour: write #rrggbb or a name such as red',
  ])
  assert.deepEqual(readItem({ type: 'Circle', properties: { MyOwn: 1 } }, undefined, 'en-US').properties, { myOwn: 1 })
})

test('paths of variables: names with dots in quotes, indexes; what is no path', () => {
  assert.deepEqual(stepsOf('Data.motor.speed'), [{ name: 'Data' }, { name: 'motor' }, { name: 'speed' }])
  assert.deepEqual(stepsOf('"My.DB".list[1, 2]."a b"'), [
    { name: 'My.DB' },
    { name: 'list', index: '1, 2' },
    { name: 'a b' },
  ])
  for (const wrong of ['', '.', 'a.', '.a', 'a..b', 'a[', 'a[]', '"a', 'a"b"', 'a[1]b'])
    assert.equal(stepsOf(wrong), undefined, wrong)
  const codes = (isVisible: boolean, isWritable: boolean, isWritten: boolean) =>
    limitsOf('x', { path: 'x', dataType: 'Int', isVisible, isWritable }, isWritten).map(({ code }) => code)
  assert.deepEqual(
    [codes(true, true, true), codes(true, false, false), codes(true, false, true), codes(false, false, true)],
    [[], [], ['hmi-read-only'], ['hmi-not-visible', 'hmi-read-only']],
  )
})

test('scripts: the first fault with its line and column in the source; the variables that they name', () => {
  assert.equal(scriptFault(['a', 'b'], 'const c = a + b\nawait c; return c'), undefined)
  assert.deepEqual(scriptFault([], 'let x = 1\n  x = = 2'), { message: 'Unexpected token', line: 2, column: 7 })
  assert.deepEqual(scriptFault([], 'if (1) {\n'), { message: 'Unexpected token', line: 2, column: 1 })
  assert.deepEqual(scriptFault([], '} { '), { message: 'it has more closing than opening braces', line: 1, column: 1 })
  assert.deepEqual(scriptFault([], '} function other() {'), {
    ...{ message: 'it has more closing than opening braces', line: 1, column: 1 },
  })
  const source = `Tags('a.b'); Tags( "c d" ); Tags(\`e\`); Tags('a.b'); Tags(f); Tags(\`\${g}\`); MyTags('h'); Tags('i', 1)`
  assert.deepEqual(variablesIn(source), ['a.b', 'c d', 'e'])
})

test('system functions: which there are, and the variable that they work on', () => {
  assert.deepEqual(['SetTag', 'setbit', 'SetLanguage', 'Beep'].map(runsFunction), [true, true, true, false])
  const action = (name: string, parameters: Record<string, string>) => ({ function: name, parameters })
  for (const [name, parameters, variable] of [
    ['SetTag', { Tag: 'a', Value: '1' }, 'a'],
    ['SetBit', { Bit: '1', 'Output value': 'b' }, 'b'],
    ['InvertBit', { ' tag name ': 'c' }, 'c'],
    ['SetTag', { Value: 'x' }, undefined],
    ['ActivateScreen', { Tag: 'a' }, undefined],
    ['SetLanguage', { Variable: 'a' }, undefined],
    ['Beep', { Tag: 'a' }, undefined],
  ] as const)
    assert.equal(variableParameter(action(name, parameters)), variable, name)
  const set = action('SetTag', { Tag: 'run', Value: '1' })
  const other = (name: string) => (name === 'run' ? 'Pump_1.run' : undefined)
  assert.deepEqual(withVariable(set, other), action('SetTag', { Tag: 'Pump_1.run', Value: '1' }))
  assert.equal(
    withVariable(set, () => undefined),
    set,
  )
  const screen = action('ActivateScreen', { 'Screen name': 'run' })
  assert.equal(withVariable(screen, other), screen)
})
