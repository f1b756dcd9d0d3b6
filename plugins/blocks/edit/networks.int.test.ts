import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fbSource, fixtures, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }

interface Content {
  rawXml?: string
  sourceText?: string
  networks: {
    number: number
    title: string
    comment: string
    language: string
    text?: string
    expression?: string
    graph?: { nodes: { kind: string; name?: string; templates?: { name: string; value: string }[] }[] }
    statements?: { mnemonic: string }[]
  }[]
}

const INTERFACE = [
  { section: 'Input', name: 'start', dataType: 'Bool' },
  { section: 'Input', name: 'stop', dataType: 'Bool' },
  { section: 'Output', name: 'run', dataType: 'Bool' },
  { section: 'Static', name: 'count', dataType: 'Int' },
  { section: 'Static', name: 'delay', dataType: 'TON_TIME', version: '1.0' },
]

async function openMotor(t: Parameters<typeof openPlant>[0], language = 'LAD') {
  const plant = await openPlant(t)
  await plant.call('blocks.create', { ...on, name: 'Motor', type: 'FB', language, interface: INTERFACE })
  const content = () => plant.call<Content>('blocks.content', { ...on, blockName: 'Motor' })
  const add = (input: object) => plant.call('blocks.add-networks', { ...on, blockName: 'Motor', ...input })
  return { ...plant, content, add }
}

test('networks given as expressions become graphs, and are shown as text again', async (t) => {
  const { add, content } = await openMotor(t)
  await add({ title: 'Run', comment: 'self-holding', expressions: ['#run := (#start OR #run) AND NOT #stop'] })
  await add({
    networks: [
      { expressions: ['IF #run THEN #count := #count + 1; END_IF', '#run := #delay.TON(IN := #start, PT := T#5s).Q'] },
      { title: { 'en-US': 'Limit', 'de-DE': 'Grenze' }, expressions: '#run := #count > 100' },
    ],
    position: 1,
  })
  const { networks } = await content()
  assert.deepEqual(
    networks.map(({ number, language, title }) => [number, language, title]),
    [
      [1, 'LAD', ''],
      [2, 'LAD', 'Limit'],
      [3, 'LAD', 'Run'],
    ],
  )
  assert.equal(networks[2]?.comment, 'self-holding')
  assert.equal(networks[2]?.expression, '#run := (#start OR #run) AND NOT #stop;')
  assert.equal(
    networks[0]?.expression,
    'IF #run THEN\n  #count := #count + 1;\nEND_IF;\n#run := #delay.TON(IN := #start, PT := T#5s).Q;',
  )
  // Types come from the interface.
  const compare = networks[1]?.graph?.nodes.find(({ name }) => name === 'Gt')
  assert.deepEqual(
    compare?.templates?.map(({ name, value }) => [name, value]),
    [['SrcType', 'Int']],
  )
})

test('a network is changed, moved and deleted; the others stay byte for byte', async (t) => {
  const { call, add, content } = await openMotor(t)
  for (const name of ['start', 'stop', 'run']) await add({ title: name, expressions: `#run := #${name}` })
  const unitOf = (xml: string, title: string) => {
    const units = xml.match(/<SW\.Blocks\.CompileUnit[\s\S]*?<\/SW\.Blocks\.CompileUnit>/g) ?? []
    return units.find((unit) => unit.includes(`<Text>${title}</Text>`))
  }
  const before = (await content()).rawXml ?? ''
  await call('blocks.update-network', { ...on, blockName: 'Motor', number: 2, expressions: 'S(#run) := NOT #stop' })
  const after = await content()
  assert.equal(after.networks[1]?.expression, 'S(#run) := NOT #stop;')
  assert.equal(after.networks[1]?.title, 'stop')
  for (const title of ['start', 'run']) assert.equal(unitOf(after.rawXml ?? '', title), unitOf(before, title))

  await call('blocks.update-network', { ...on, blockName: 'Motor', number: 1, title: 'Begin', comment: 'about' })
  await call('blocks.move-network', { ...on, blockName: 'Motor', number: 1, position: 3 })
  const moved = await content()
  assert.deepEqual(
    moved.networks.map(({ title, comment }) => [title, comment]),
    [
      ['stop', ''],
      ['run', ''],
      ['Begin', 'about'],
    ],
  )
  assert.equal(unitOf(moved.rawXml ?? '', 'run'), unitOf(before, 'run'))
  await call('blocks.move-network', { ...on, blockName: 'Motor', number: 3, position: 1 })
  const answer = await call('blocks.delete-network', { ...on, blockName: 'Motor', number: 2 })
  assert.deepEqual(answer.networks, [
    { number: 1, language: 'LAD' },
    { number: 2, language: 'LAD' },
  ])
  assert.deepEqual(
    (await content()).networks.map(({ title }) => title),
    ['Begin', 'run'],
  )
})

test('a graph and the XML of an answer can be sent back; SCL and STL networks stand beside them', async (t) => {
  const { add, content } = await openMotor(t, 'FBD')
  await add({ expressions: '#run := #start AND NOT #stop OR #run' })
  const { graph, expression } = (await content()).networks[0] as Content['networks'][number]
  assert.equal(expression, '#run := #start AND NOT #stop OR #run;')
  await add({ graph })
  const xml = /<NetworkSource>([\s\S]*?)<\/NetworkSource>/.exec((await content()).rawXml ?? '')?.[1]
  await add({ xml })
  await add({ language: 'SCL', code: '#count := #count + 1;' })
  await add({ language: 'STL', code: 'A #start;\nAN #stop;\n= #run;' })
  const { networks } = await content()
  assert.deepEqual(
    networks.map(({ language }) => language),
    ['FBD', 'FBD', 'FBD', 'SCL', 'STL'],
  )
  assert.deepEqual(networks[1]?.graph, networks[0]?.graph)
  assert.deepEqual(networks[2]?.graph, networks[0]?.graph)
  assert.equal(networks[3]?.text, '#count := #count + 1;')
  assert.deepEqual(
    networks[4]?.statements?.map(({ mnemonic }) => mnemonic),
    ['A', 'AN', '='],
  )
})

test('calls know the blocks, types and tags of the program', async (t) => {
  const { call, add, content } = await openMotor(t)
  await call('blocks.import', { ...on, content: fbSource('Pump') })
  await call('blocks.create', { ...on, name: 'Pump_DB', type: 'InstanceDB', instanceOf: 'Pump' })
  await call('tags.add', { ...on, name: 'Level', dataType: 'Real', logicalAddress: '%MD20' })
  await add({ expressions: ['IF #start THEN "Pump_DB"."Pump"(in := #count); END_IF', '#run := "Level" > 1.5'] })
  await add({ expressions: '"Pump_DB"(in := #count, out => #count)' })
  const { networks, rawXml } = await content()
  assert.match(rawXml ?? '', /<CallInfo Name="Pump" BlockType="FB">/)
  assert.match(rawXml ?? '', /<Parameter Name="out" Section="Output" Type="Int"/)
  assert.equal(networks[1]?.expression, '"Pump_DB"."Pump"(in := #count, out => #count);')
  const compare = networks[0]?.graph?.nodes.find(({ name }) => name === 'Gt')
  assert.deepEqual(
    compare?.templates?.map(({ value }) => value),
    ['Real'],
  )
  await fails(
    add({ expressions: '"Pump_DB"."Pump"(speed := 1)' }),
    'unacceptable_content',
    /no parameter speed; it has in, out/,
  )
  await fails(add({ expressions: '"Nobody"()' }), 'unacceptable_content', /no block "Nobody"/)
})

test('what a block cannot hold is refused, and nothing is changed', async (t) => {
  const { call, add, content } = await openMotor(t)
  await add({ expressions: '#run := #start' })
  const before = (await content()).rawXml
  const error = await fails(
    add({ networks: [{ expressions: '#run := #stop' }, { expressions: ['#run :=', '#x :='] }] }),
    'unacceptable_content',
    /expected an operand/,
  )
  assert.deepEqual(
    error.details.errors?.map(({ path, line, column }: { path?: string; line?: number; column?: number }) => [
      path,
      line,
      column,
    ]),
    [
      ['/networks/1/expressions/0', 1, 8],
      ['/networks/1/expressions/1', 1, 6],
    ],
  )
  await fails(add({ language: 'LAD', code: '#run := 1;' }), 'unacceptable_content', /code is for SCL and STL/)
  await fails(add({ language: 'GRAPH' }), 'unacceptable_content', /no language of networks/)
  await fails(add({ expressions: '#run := #start', graph: {} }), 'unacceptable_content', /not both/)
  await fails(
    add({ graph: { nodes: [{ kind: 'part', uId: 1 }], wires: [{ ends: [{ kind: 'pin', uId: 9 }] }] } }),
    'unacceptable_content',
    /nodes\/0\/name: is missing/,
  )
  await fails(
    add({ xml: '<FlgNet><Parts/><Wires><Wire UId="1"><NameCon UId="9" Name="in"/></Wire></Wires></FlgNet>' }),
    'unacceptable_content',
    /UId/,
  )
  await fails(add({ xml: '<FlgNet' }), 'unacceptable_content', /XML/)
  await fails(add({ expressions: '#run := #start', position: 9 }), 'unacceptable_content', /between 1 and 2/)
  await fails(
    call('blocks.delete-network', { ...on, blockName: 'Motor', number: 7 }),
    'unacceptable_content',
    /has no network 7; it has one network/,
  )
  await fails(
    call('blocks.add-networks', { ...on, blockName: 'Motor', expressions: 5 }),
    'invalid_input',
    /expressions/,
  )
  assert.equal((await content()).rawXml, before)
  await call('blocks.create', { ...on, name: 'Data', type: 'DB' })
  await fails(
    call('blocks.add-networks', { ...on, blockName: 'Data', code: 'x' }),
    'unacceptable_content',
    /GlobalDB and has no networks/,
  )
})

test('a trial run answers what would become, and changes nothing', async (t) => {
  const { call, add, content } = await openMotor(t)
  await add({ expressions: '#run := #start' })
  const before = (await content()).rawXml
  await call('blocks.add-networks', { ...on, blockName: 'Motor', expressions: '#run := #stop' }, { dryRun: true })
  assert.equal((await content()).rawXml, before)
})

test('SCL blocks take statements; STL sources take networks in place', async (t) => {
  const plant = await openPlant(t)
  const { call } = plant
  await call('blocks.import', { ...on, content: fbSource('Scl') })
  await call('blocks.add-networks', { ...on, blockName: 'Scl', title: 'More', code: '#out := #in + 1;' })
  const scl = await call<Content>('blocks.content', { ...on, blockName: 'Scl' })
  assert.match(scl.networks[0]?.text ?? '', /#out := #in;[\s\S]*REGION More\n#out := #in \+ 1;\nEND_REGION/)
  await fails(
    call('blocks.add-networks', { ...on, blockName: 'Scl', language: 'LAD' }),
    'unacceptable_content',
    /cannot hold a LAD network/,
  )

  const awl = `FUNCTION "Stl" : Void\r\nVERSION : 0.1\r\n   VAR_INPUT \r\n      a : Bool;\r\n   END_VAR\r\n\r\nBEGIN\r\nNETWORK\r\nTITLE = One\r\n      A #a; // first\r\n      = "x";\r\nNETWORK\r\nTITLE = Two\r\n      A   #a;\r\nEND_FUNCTION\r\n`
  await writeWorkspace(plant, { 'stl.awl': awl })
  await call('blocks.import', { ...on, filePath: 'stl.awl' })
  await call('blocks.add-networks', { ...on, blockName: 'Stl', title: 'Mid', code: 'AN #a;\n= "y";', position: 2 })
  await call('blocks.move-network', { ...on, blockName: 'Stl', number: 3, position: 1 })
  const stl = await call<Content>('blocks.content', { ...on, blockName: 'Stl' })
  assert.deepEqual(
    stl.networks.map(({ title }) => title),
    ['Two', 'One', 'Mid'],
  )
  assert.ok((stl.sourceText ?? '').includes('NETWORK\r\nTITLE = One\r\n      A #a; // first\r\n      = "x";\r\n'))
  await call('blocks.delete-network', { ...on, blockName: 'Stl', number: 1 })
  assert.equal((await call<Content>('blocks.content', { ...on, blockName: 'Stl' })).networks.length, 2)
})

test('a network in a list may have the names a content answer gives its fields; others are told', async (t) => {
  const { call, add, content } = await openMotor(t)
  await add({ networks: [{ expression: '#run := #start' }, { language: 'SCL', text: '#count := 1;' }] })
  const { networks } = await content()
  const { graph: _graph, ...shown } = networks[0] as Content['networks'][number]
  await add({ networks: [shown] })
  assert.equal((await content()).networks[2]?.expression, networks[0]?.expression)
  const copy = { ...on, name: 'Copy', type: 'FB', language: 'LAD', interface: INTERFACE, networks: [shown] }
  await call('blocks.create', copy)
  await add({ networks: [{ Language: 'LAD', Expressions: ['#run := #start'], Title: 'From C#' }] })
  assert.equal((await content()).networks.at(-1)?.title, 'From C#')
  await add({ language: 'SCL', networks: [{ code: '#count := 2;' }] })
  assert.equal((await content()).networks.at(-1)?.language, 'SCL')
  await fails(add({ title: 'x', networks: [shown] }), 'invalid_input', /title: belongs into networks/)
  await fails(add({ networks: [{ expresion: '#run := #start' }] }), 'invalid_input', /expresion.*there are language/)
  const send = (number: unknown) =>
    call('blocks.update-content', { ...on, blockName: 'Motor', networks: [{ number, expression: '#run := #stop' }] })
  for (const number of [0, '1', 1.5]) await fails(send(number), 'invalid_input', /networks\/0\/number: must be a whole/)
})

test('networks of a real export: one is added and taken away again, and the file is as it was', async (t) => {
  const { call, dir } = await openPlant(t)
  const file = await readFile(join(fixtures, 'Main.xml'), 'utf8')
  await writeWorkspace({ dir } as never, { 'Main.xml': file })
  await call('blocks.import', { ...on, filePath: 'Main.xml' })
  const before = await call<Content>('blocks.content', { ...on, blockName: 'Main' })
  await call('blocks.add-networks', { ...on, blockName: 'Main', expressions: '"a" := "b"', position: 1 })
  await call('blocks.delete-network', { ...on, blockName: 'Main', number: 1 })
  const after = await call<Content>('blocks.content', { ...on, blockName: 'Main' })
  assert.equal(after.rawXml, before.rawXml)
})

test('blocks are created with their networks in every language', async (t) => {
  const { call } = await openPlant(t)
  const bits = [
    { section: 'Input', name: 'a', dataType: 'Bool' },
    { section: 'Output', name: 'q', dataType: 'Bool' },
  ]
  const made = async (name: string, language: string, fields: object) => {
    await call('blocks.create', { ...on, name, type: 'FC', language, interface: bits, ...fields })
    return call<Content & { programmingLanguage: string }>('blocks.content', { ...on, blockName: name })
  }
  const lad = await made('Lad', 'LAD', {
    networks: [{ title: 'One', expressions: '#q := NOT #a' }, { code: '#q := #a;' }],
  })
  assert.deepEqual(
    lad.networks.map(({ language, expression, text }) => [language, expression ?? text]),
    [
      ['LAD', '#q := NOT #a;'],
      ['SCL', '#q := #a;'],
    ],
  )
  const fbd = await made('Fbd', 'FBD', { networks: [{ expressions: ['#q := #a AND %I0.0'] }] })
  assert.equal(fbd.networks[0]?.expression, '#q := #a AND %I0.0;')
  const stl = await made('Stl', 'STL', { code: 'A #a;\n= #q;' })
  assert.equal(stl.programmingLanguage, 'STL')
  assert.deepEqual(
    stl.networks[0]?.statements?.map(({ mnemonic }) => mnemonic),
    ['A', '='],
  )
  const scl = await made('Scl', 'SCL', { code: '#q := #a;' })
  assert.equal(scl.networks[0]?.text, '#q := #a;')
  await call('blocks.create', { ...on, name: 'List', type: 'ArrayDB', dataType: 'Array[0..9] of Int' })
  const list = await call<{ type: string; interface: { dataType: string }[] }>('blocks.content', {
    ...on,
    blockName: 'List',
  })
  assert.equal(list.type, 'ArrayDB')
  assert.deepEqual(
    list.interface.map(({ dataType }) => dataType),
    ['Array[0..9] of Int'],
  )
  const create = (fields: object) => call('blocks.create', { ...on, name: 'Bad', type: 'FC', ...fields })
  await fails(
    create({ language: 'LAD', interface: bits, networks: [{ expressions: '#q := #w = #e' }] }),
    'unacceptable_content',
    /data type/,
  )
  await fails(create({ language: 'GRAPH' }), 'unacceptable_content', /allowed: SCL, LAD, FBD, STL/)
  await fails(create({ type: 'ArrayDB' }), 'unacceptable_content', /needs its array/)
  await fails(create({ type: 'DB', code: 'x := 1;' }), 'invalid_input', /has no code/)
  await fails(call('blocks.content', { ...on, blockName: 'Bad' }), 'not_found')
})

test('a content answer can be sent back, with changes in any network', async (t) => {
  const { call, add, content } = await openMotor(t)
  await add({
    networks: [
      { title: 'A', expressions: '#run := #start' },
      { language: 'SCL', code: '#count := 1;' },
    ],
  })
  await add({ expressions: '#run := #stop' })
  const shown = await content()
  const send = (networks: object[], more = {}) =>
    call('blocks.update-content', { ...on, blockName: 'Motor', networks, ...more })
  assert.equal((await send(shown.networks)).changed, false)
  const [first, second, third] = shown.networks
  const changed = await send([
    { ...first, expression: 'S(#run) := #start;', comment: 'new' },
    { ...second, text: '#count := 2;' },
    third as object,
    { expressions: 'R(#run) := #stop' },
  ])
  assert.equal(changed.changed, true)
  const { networks } = await content()
  assert.deepEqual(
    networks.map(({ expression, text, comment }) => [expression ?? text, comment]),
    [
      ['S(#run) := #start;', 'new'],
      ['#count := 2;', ''],
      ['#run := #stop;', ''],
      ['R(#run) := #stop;', ''],
    ],
  )
  const added = [
    { section: 'Input', name: 'more', dataType: 'Bool' },
    ...INTERFACE.filter(({ section }) => section === 'Input'),
  ]
  await send([{ number: 3, expression: '#run := #more' }], { interface: added })
  assert.equal((await content()).networks[2]?.expression, '#run := #more;')
})

test('the title of an SCL network is that of a region, at the creation and when the content is put', async (t) => {
  const { call } = await openPlant(t)
  const at = { deviceName: 'PLC_1', blockName: 'Titled' }
  const textOf = async () => (await call<{ sourceText: string }>('blocks.source', at)).sourceText
  const networks = [{ title: 'First', comment: 'why', code: ';' }]
  await call('blocks.create', { deviceName: 'PLC_1', name: 'Titled', type: 'FC', language: 'SCL', networks })
  const created = await textOf()
  assert.match(created, /REGION First\n\t\/\/ why\n\t;\n\tEND_REGION/)
  await call('blocks.update-content', { ...at, networks })
  assert.equal(await textOf(), created)
})
