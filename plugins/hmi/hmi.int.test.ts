/** HMI stations through their operations: model, bindings, import, export, project files. */
import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Answer, withProject } from '../../test/online.ts'
import { fails, writeWorkspace } from '../../test/plant.ts'

const hmi = { deviceName: 'HMI_1' }
const panels = { classic: '6AV2 124-0MC01-0AX0', unified: '6AV2 123-3GB32-0AW0' }
const screens = fileURLToPath(
  new URL('../../test/corpus/public/Codyte+Tia-Portal-CLI/Jarvis/IA/V18/Lab/Exports/HMI', import.meta.url),
)

type Gateway = Awaited<ReturnType<typeof withProject>>

async function withStation(t: Parameters<typeof withProject>[0]): Promise<Gateway> {
  const at = await withProject(t)
  await at.call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  return at
}

const lamp = {
  screenName: 'Main',
  type: 'Circle',
  name: 'Lamp',
  left: 100,
  top: 50,
  width: 40,
  height: 40,
  bindings: [
    {
      property: 'FillColor',
      tag: 'Data.motor.run',
      converter: 'BoolToColor',
      params: { trueColor: '#00ff00', falseColor: 'red' },
    },
  ],
}

test('screens and objects with bindings; what is unknown is named with what is allowed', async (t) => {
  const at = await withStation(t)
  const { call } = at
  const made = await call<Answer>('hmi.create-screen', { ...hmi, name: 'Main', folder: 'Line/Pumps' })
  assert.deepEqual([made.width, made.height, made.number, made.folder], [1280, 800, 1, 'Line/Pumps'])
  await fails(call('hmi.create-screen', { ...hmi, name: 'main' }), 'name_taken')
  const added = await call<Answer>('hmi.add-object', lamp)
  assert.deepEqual([added.success, added.name, added.status, added.warnings], [true, 'Lamp', 'created', []])
  assert.equal(typeof added.objectId, 'string')
  await fails(call('hmi.add-object', lamp), 'name_taken')
  await fails(call('hmi.add-object', { ...lamp, screenName: 'Mian' }), 'not_found', /Did you mean "Main"/)

  const binding = (more: object) => ({ ...lamp, name: 'x', bindings: [{ ...lamp.bindings[0], ...more }] })
  await fails(
    call('hmi.add-object', { ...lamp, name: 'x', type: 'Circel' }),
    'unacceptable_content',
    /did you mean "Circle"/,
  )
  await fails(
    call('hmi.add-object', binding({ property: 'bakColor' })),
    'unacceptable_content',
    /did you mean "backColor"/,
  )
  await fails(
    call('hmi.add-object', binding({ converter: 'BoolToColr' })),
    'unacceptable_content',
    /did you mean "BoolToColor"/,
  )
  await fails(
    call('hmi.add-object', binding({ params: { trueColour: 'red', flase: 'x' } })),
    'unacceptable_content',
    /no parameter of BoolToColor/,
  )
  await fails(
    call('hmi.add-object', binding({ params: { on: 'red', off: '!!' } })),
    'unacceptable_content',
    /is no colour/,
  )
  await fails(
    call('hmi.add-object', binding({ converter: 'TextList', params: { list: 'x' } })),
    'unacceptable_content',
    /these fit: BoolToColor/,
  )
  const missing = await call<Answer>('hmi.add-object', binding({ tag: 'Data.motor.runs' }))
  assert.match(missing.warnings[0], /has no member "runs".*It has run, speed/)

  const details = await call<Answer>('hmi.screen-details', { ...hmi, screenName: 'Main' })
  assert.deepEqual(
    details.objects.map(({ name, bindings: [one] }: Answer) => [name, one.property, one.converter, one.params]),
    [
      ['Lamp', 'backColor', 'BoolToColor', { on: '#00ff00', off: 'red' }],
      ['x', 'backColor', 'BoolToColor', { on: '#00ff00', off: 'red' }],
    ],
  )
  const all = await call<Answer>('hmi.list-all-screens', {})
  assert.deepEqual(
    [all.screens[0].name, all.screens[0].width, all.screens[0].height, all.total],
    ['Main', 1280, 800, 1],
  )
  const changed = await call<Answer>('hmi.update-object', {
    screenName: 'Main',
    objectName: 'x',
    newName: 'Other',
    left: 7,
  })
  assert.deepEqual([changed.status, changed.name], ['updated', 'Other'])
  await call('hmi.delete-object', { screenName: 'Main', objectName: 'Lamp' })
  const left = await call<Answer>('hmi.list-objects', { screenName: 'Main' })
  assert.deepEqual([left.objects.map(({ name }: Answer) => name), left.objects[0].left], [['Other'], 7])
  const tree = await call<Answer>('hmi.screen-tree', hmi)
  assert.deepEqual([tree.children[0].name, tree.children[0].children[0].children[0].name], ['Line', 'Main'])
  await fails(call('hmi.screen-tree', { deviceName: 'PLC_1' }), 'conflict', /is not an HMI device/)

  const inGroup = (name: string, group: string, type = 'Circle') =>
    call<Answer>('hmi.add-object', { screenName: 'Main', type, name, group })
  const move = (objectName: string, more: object) =>
    call('hmi.update-object', { screenName: 'Main', objectName, ...more })
  const names = async () =>
    (await call<Answer>('hmi.list-objects', { screenName: 'Main' })).objects.map(({ name }: Answer) => name)
  await inGroup('Leaf', '')
  await inGroup('Inner', '', 'Group')
  await inGroup('Outer', '', 'Group')
  await fails(inGroup('y', 'Leaf'), 'conflict', /"Leaf" is no group but a Circle/)
  await fails(inGroup('y', 'None'), 'not_found')
  await move('Leaf', { group: 'inner' })
  await move('Inner', { group: 'OUTER' })
  await fails(move('Outer', { group: 'Inner' }), 'conflict', /"Outer" would be in itself/)
  await fails(
    move('Inner', { newName: 'Renamed' }),
    'conflict',
    /Group "Inner" has objects in it: it cannot be renamed/,
  )
  await move('Leaf', { newName: 'leaf' })
  await fails(move('leaf', { newName: 'outer' }), 'name_taken')
  assert.deepEqual(await names(), ['Inner', 'leaf', 'Other', 'Outer'])
  const gone = await call<Answer>('hmi.delete-object', { screenName: 'Main', objectName: 'Outer' })
  assert.deepEqual([gone.objects, await names()], [['Outer', 'Inner', 'leaf'], ['Other']])
})

const flags = (...off: string[]) => `{ ${off.map((name) => `External${name} := 'FALSE'`).join('; ')} }`
const guarded = `
DATA_BLOCK "Guarded"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    open : Int;
    closed ${flags('Accessible', 'Visible', 'Writable')} : Int;
    inner ${flags('Accessible')} : Struct
      value : Int;
    END_STRUCT;
    hidden ${flags('Visible')} : Int;
    shown ${flags('Writable')} : Int;
    bits ${flags('Writable')} : Struct
      one : Bool;
    END_STRUCT;
  END_VAR
BEGIN
END_DATA_BLOCK
`

test('what External access forbids is told: when it is bound, and in the compile with a code', async (t) => {
  const { call } = await withStation(t)
  await call('blocks.import', { deviceName: 'PLC_1', content: guarded })
  const ofPlc = { deviceName: 'PLC_1', tableName: 'Default tag table' }
  await call('tags.update', { ...ofPlc, tagName: 'Start', externalAccessible: false })
  await call('tags.update', { ...ofPlc, tagName: 'Lamp', externalVisible: false, externalWritable: false })
  await call('hmi.create-screen', { ...hmi, name: 'Main' })
  const place = { screenName: 'Main', left: 0, top: 0, width: 40, height: 20 }
  const field = async (name: string, tag: string, more: object = {}) => {
    const bindings = [{ property: 'processValue', tag }]
    return (await call<Answer>('hmi.add-object', { ...place, type: 'IOField', name, bindings, ...more })).warnings
  }
  assert.deepEqual(await field('1 open', 'Guarded.open'), [])
  assert.match((await field('2 closed', 'Guarded.closed')).join(), /"Guarded.closed" is not accessible from HMI/)
  assert.match((await field('3 inner', 'Guarded.inner.value')).join(), /"Guarded.inner" is not accessible from HMI/)
  assert.match((await field('4 hidden', 'Guarded.hidden')).join(), /"Guarded.hidden" is not visible in HMI engineering/)
  assert.match((await field('5 shown', 'Guarded.shown')).join(), /"Guarded.shown" cannot be written from HMI/)
  assert.deepEqual(await field('6 output', 'Guarded.shown', { properties: { mode: 'Output' } }), [])
  assert.equal((await field('7 start', 'Start')).length, 1)
  assert.equal((await field('8 lamp', 'Lamp')).length, 2)
  const actions = [{ function: 'SetBit', parameters: { Tag: 'Guarded.bits.one' } }]
  const events = [{ event: 'Click', actions }]
  await call('hmi.add-object', { ...place, type: 'Button', name: '9 button', events })
  const table = { ...hmi, tableName: 'T' }
  await call('hmi.create-tag-table', { ...hmi, name: 'T' })
  const tag = (name: string, plcTag: string) => call<Answer>('hmi.add-tag', { ...table, name, plcTag })
  assert.match((await tag('a closed', 'Guarded.closed')).warnings.join(), /not accessible/)
  assert.match((await tag('b hidden', 'Guarded.hidden')).warnings.join(), /not visible/)
  const { success, messages } = await call<Answer>('hmi.compile', {})
  assert.equal(success, false)
  const told = messages.map(({ object, code, state }: Answer) => `${object}: ${code} ${state}`)
  assert.deepEqual(told.sort(), [
    '2 closed: hmi-not-accessible error',
    '3 inner: hmi-not-accessible error',
    '4 hidden: hmi-not-visible warning',
    '5 shown: hmi-read-only warning',
    '7 start: hmi-not-accessible error',
    '8 lamp: hmi-not-visible warning',
    '8 lamp: hmi-read-only warning',
    '9 button: hmi-read-only warning',
    'a closed: hmi-not-accessible error',
    'b hidden: hmi-not-visible warning',
  ])
})

test('tags, lists, scripts, alarms, library types, stations', async (t) => {
  const { call } = await withStation(t)
  await call('hmi.create-connection', { ...hmi, name: 'C', partner: 'plc_1' })
  await call('hmi.create-tag-table', { ...hmi, name: 'T' })
  const table = { ...hmi, tableName: 'T' }
  const tag = await call<Answer>('hmi.add-tag', {
    ...table,
    name: 'speed',
    plcTag: 'Data.motor.speed',
    connection: 'C',
  })
  assert.deepEqual([tag.dataType, tag.warnings], ['Int', []])
  const wrong = await call<Answer>('hmi.add-tag', { ...table, name: 'no', plcTag: 'Nothing.a', connection: 'D' })
  assert.equal(wrong.warnings.length, 2)
  await call('hmi.add-tag', { ...table, name: 'inner', dataType: 'Int' })
  await call('hmi.update-tag', { ...table, tagName: 'inner', newName: 'internal' })
  await call('hmi.delete-tag', { ...table, tagName: 'no' })
  const tree = await call<Answer>('hmi.tag-tree', hmi)
  assert.deepEqual(
    tree.children[0].tags.map(({ name }: Answer) => name),
    ['speed', 'internal'],
  )
  assert.equal((await call<Answer>('hmi.all-tag-trees', {})).devices[0].total, 2)
  await fails(call('hmi.unified-tag-tree', hmi), 'conflict', /is a classic HMI device/)
  await call('devices.add', { orderNumber: panels.unified, name: 'HMI_2' })
  assert.equal((await call<Answer>('hmi.unified-tag-tree', { deviceName: 'HMI_2' })).family, 'Unified')

  const entries = [
    { value: 0, text: 'off' },
    { from: 1, to: 9, text: { 'en-US': 'on' } },
  ]
  await call('hmi.create-text-list', { ...hmi, name: 'Modes', entries })
  await fails(
    call('hmi.update-text-list', { ...hmi, listName: 'Modes', entries: [...entries, { value: 5 }] }),
    'unacceptable_content',
    /overlaps/,
  )
  const xml = await call<string>('hmi.text-list-xml', { ...hmi, listName: 'Modes' })
  assert.match(xml, /<Hmi\.TextGraphicList\.TextList ID="0">/)
  const again = await call<Answer>('hmi.import', { deviceName: 'HMI_2', content: xml })
  assert.deepEqual([again.imported, again.objects[0].kind], [1, 'text-list'])
  const list = await call<Answer>('hmi.show-text-list', { deviceName: 'HMI_2', listName: 'modes' })
  assert.deepEqual(
    list.entries.map(({ from, to, text }: Answer) => [from, to, text['en-US']]),
    [
      [0, 0, 'off'],
      [1, 9, 'on'],
    ],
  )
  assert.equal(await call('hmi.text-list-xml', { deviceName: 'HMI_2', listName: 'Modes' }), xml)

  await call('hmi.create-script', { ...hmi, name: 'Beep', source: 'return 1', folder: 'A' })
  const script = await call<Answer>('hmi.script-content', { ...hmi, scriptName: 'beep' })
  assert.deepEqual([script.language, script.content], ['JavaScript', 'return 1'])
  assert.equal((await call<Answer>('hmi.script-tree', hmi)).children[0].children[0].name, 'Beep')
  await call('hmi.create-alarm', {
    ...hmi,
    name: 'Hot',
    tag: 'Data.limit',
    alarmType: 'analog',
    limit: 80,
    text: 'Too hot',
  })
  const items = [
    {
      type: 'rect',
      name: 'body',
      bindings: [{ property: 'fill', tag: 'run', converter: 'BoolToColor', params: { on: 'lime', off: 'gray' } }],
    },
  ]
  await call('hmi.create-library-type', {
    ...hmi,
    name: 'Motor',
    properties: [{ name: 'run', dataType: 'Bool' }],
    items,
  })
  const types = await call<Answer>('hmi.detailed-library-types', {})
  assert.deepEqual([types.total, types.libraryTypes[0].items[0].type], [1, 'Rectangle'])
  const { totals } = await call<Answer>('hmi.summary', {})
  assert.deepEqual([totals.tags, totals.textLists, totals.scripts, totals.alarms, totals.libraryTypes], [2, 2, 1, 1, 1])
  const sheet = await call<Answer>('hmi.export-tags', { ...hmi, exportPath: 'tags.xlsx' })
  assert.equal(sheet.tags, 2)
  const again2 = await call<Answer>('hmi.import-tags', { deviceName: 'HMI_2', filePath: 'tags.xlsx' })
  assert.deepEqual([again2.created, again2.replaced, again2.warnings], [2, 0, []])
  const copied = await call<Answer>('hmi.list-tags', { deviceName: 'HMI_2' })
  assert.deepEqual(
    copied.tags.map(({ name, plcTag, dataType, tableName }: Answer) => [name, plcTag, dataType, tableName]),
    [
      ['internal', '', 'Int', 'T'],
      ['speed', 'Data.motor.speed', 'Int', 'T'],
    ],
  )
  await call('hmi.export', { ...hmi, kind: 'text-list', name: 'Modes', exportPath: 'modes.xml' })
  await fails(call('hmi.import-tags', { ...hmi, filePath: 'modes.xml' }), 'unacceptable_content')
  await call('hmi.delete-script', { ...hmi, scriptName: 'Beep' })
  await fails(call('hmi.script-content', { ...hmi, scriptName: 'Beep' }), 'not_found')
  await fails(call('hmi.configure-station', { ...hmi, startScreen: 'None' }), 'not_found')
})

test('exports of TIA Portal: in and out byte for byte, changed in place, saved and opened with the project', async (t) => {
  const at = await withStation(t)
  const { call } = at
  await cp(screens, join(at.dir, 'workspace', 'exports'), { recursive: true })
  const read = await call<Answer>('hmi.import', { ...hmi, filePath: 'exports', continueOnError: true })
  // The folder has two files of one screen.
  assert.deepEqual([read.errors, read.imported], [[], 5])
  const name = '4. Detalhes Elevatória de Gordura'
  const file = join(screens, 'HMI_RT_5/Screens', `${name}.xml`)
  const out = await call<Answer>('hmi.export', { ...hmi, kind: 'screen', name })
  assert.equal(out.content, await readFile(file, 'utf8'))
  await call('hmi.add-object', { ...lamp, screenName: name, bindings: [] })
  const changed = await call<Answer>('hmi.export', { ...hmi, kind: 'screen', name })
  assert.match(changed.content, /<ObjectName>Lamp<\/ObjectName>/)
  const before = await call<Answer>('hmi.screen-details', { ...hmi, screenName: name })

  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>alert(1)</script><image href="http://x/y.png"/><path d="M0 0L9 9"/></svg>'
  await writeWorkspace(at, { 'images/pump.svg': svg, 'bad/no.png': 'text' })
  const image = await call<Answer>('hmi.import', { ...hmi, filePath: 'images/pump.svg' })
  assert.match(image.warnings[0], /left out of the SVG: .*onload/)
  await fails(call('hmi.import', { ...hmi, filePath: 'bad/no.png' }), 'unacceptable_content', /is no image/)

  await call('hmi.configure-station', { ...hmi, startScreen: name })
  await call('projects.save', {})
  const { projectPath } = await call<Answer>('projects.overview', {})
  const saved = JSON.stringify(await call('hmi.summary', {}))
  await call('projects.close', { save: true })
  await call('projects.open', { path: projectPath })
  assert.equal(JSON.stringify(await call('hmi.summary', {})), saved)
  const after = await call<Answer>('hmi.screen-details', { ...hmi, screenName: name })
  assert.deepEqual(after.objects, before.objects)
  const test = await call<Answer>('hmi.export', { ...hmi, kind: 'screen', name: '1.Visao Geral' })
  assert.equal(test.content, await readFile(join(screens, 'HMI_RT_1/Screens/1.Visao Geral.xml'), 'utf8'))
  assert.equal((await call<Answer>('hmi.show-station', hmi)).startScreen, name)
})
