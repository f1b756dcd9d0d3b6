import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dbXml, fails, fbSource, fixtures, openPlant, writeWorkspace } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Row {
  name: string
  type: string
  number: number
  folder: string
  isConsistent: boolean
  compileStatus: string
}
interface Content extends Row {
  sourceText?: string
  rawXml?: string
  interface: { section: string; name: string; dataType: string }[]
  networks: { text?: string }[]
}

test('a block is created, read, changed, renamed and deleted', async (t) => {
  const { call } = await openPlant(t)
  const created = await call<Row>('blocks.create', {
    ...on,
    name: 'Scale',
    type: 'FC',
    folder: 'Math/Analog',
    interface: [
      { section: 'Input', name: 'raw', dataType: 'int', comment: 'counts' },
      { section: 'Return', name: 'Ret_Val', dataType: 'Real' },
    ],
    code: '#Scale := INT_TO_REAL(#raw) / 276.48;',
  })
  assert.deepEqual([created.type, created.number, created.folder], ['FC', 1, 'Math/Analog'])
  assert.deepEqual([created.isConsistent, created.compileStatus], [false, 'notCompiled'])

  const content = await call<Content>('blocks.content', { ...on, blockName: 'scale' })
  assert.match(content.sourceText ?? '', /^FUNCTION "Scale" : Real\n/)
  assert.deepEqual(
    content.interface.map(({ section, name, dataType }) => [section, name, dataType]),
    [
      ['Input', 'raw', 'Int'],
      ['Return', 'Ret_Val', 'Real'],
    ],
  )
  assert.match(content.networks[0]?.text ?? '', /276\.48/)

  const changed = await call('blocks.update-content', { ...on, blockName: 'Scale', code: '#Scale := 1.0;' })
  assert.equal(changed.changed, true)
  const same = await call('blocks.update-content', { ...on, blockName: 'Scale', code: '#Scale := 1.0;' })
  assert.equal(same.changed, false)
  // What a content answer shows can be sent back.
  const sent = await call<Content>('blocks.update-content', { ...on, blockName: 'Scale', interface: content.interface })
  assert.equal(sent.name, 'Scale')

  await call('blocks.rename', { ...on, blockName: 'SCALE', newName: 'Scales' })
  const { sourceText } = await call<Content>('blocks.content', { ...on, blockName: 'Scales' })
  assert.match(sourceText ?? '', /^FUNCTION "Scales" : Real/)
  await fails(call('blocks.content', { ...on, blockName: 'Scale' }), 'not_found', /Did you mean "Scales"/)
  await call('blocks.delete', { ...on, blockName: 'Scales' })
  assert.equal((await call('blocks.list', on)).total, 0)
})

test('faulty changes are refused with their place, and change nothing', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: fbSource('Motor') })
  const before = await call<Content>('blocks.content', { ...on, blockName: 'Motor' })
  const update = (input: object) =>
    call<{ changed: boolean }>('blocks.update-content', { ...on, blockName: 'Motor', ...input })
  const faulty = 'FUNCTION_BLOCK "Motor"\nVAR\n  x : ;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK'
  const error = await fails(update({ sourceText: faulty }), 'unacceptable_content', /line 3/)
  assert.equal(error.details.errors?.[0]?.line, 3)
  await fails(update({ sourceText: fbSource('Other') }), 'unacceptable_content', /of "Other", expected "Motor"/)
  await fails(update({ rawXml: dbXml('Motor', 1) }), 'unacceptable_content', /GlobalDB.*"Motor" is a FB/)
  await fails(update({ rawXml: '<a/>' }), 'unacceptable_content', /holds no block.*<SW\.Blocks\.FB> is needed/)
  assert.equal((await update({})).changed, false)
  await fails(update({ code: ';', rawXml: '<a/>' }), 'invalid_input', /one of the three/)
  await fails(
    update({ interface: [{ section: 'Input', name: 'x', dataTyp: 'Int' }] }),
    'invalid_input',
    /dataTyp: unknown property \(did you mean "dataType"\?\)/,
  )
  await fails(
    update({ interface: [{ section: 'Inputs', name: 'x', dataType: 'Int' }] }),
    'unacceptable_content',
    /Inputs/,
  )
  await fails(
    update({ interface: [{ section: 'Input', name: 'x', dataType: '3' }] }),
    'unacceptable_content',
    /data type/,
  )
  assert.deepEqual(await call('blocks.content', { ...on, blockName: 'Motor' }), before)
})

test('names are shared by blocks, types, tags and constants', async (t) => {
  const { call } = await openPlant(t)
  await call('types.create', { ...on, name: 'Motor', members: [{ name: 'run', dataType: 'Bool' }] })
  await call('tags.add', { ...on, name: 'Start', logicalAddress: '%I0.0' })
  await fails(call('blocks.create', { ...on, name: 'MOTOR', type: 'FB' }), 'name_taken', /taken on "PLC_1" by a type/)
  await fails(call('blocks.create', { ...on, name: 'start', type: 'DB' }), 'name_taken', /by a tag \(in table/)
  await call('blocks.create', { ...on, name: 'Pump', type: 'FB' })
  await fails(call('tags.add', { ...on, name: 'pump' }), 'name_taken', /by a block \(FB 1\)/)
  await fails(call('types.create', { ...on, name: 'Pump', members: [{ name: 'a', dataType: 'Int' }] }), 'name_taken')
  await fails(call('blocks.rename', { ...on, blockName: 'Pump', newName: 'Start' }), 'name_taken')
  await fails(call('blocks.create', { ...on, name: 'a"b', type: 'FB' }), 'invalid_input', /must not contain/)
})

test('numbers are unique in their group, and given anew when they may be', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.create', { ...on, name: 'A', type: 'DB', number: 3 })
  const error = fails(
    call('blocks.create', { ...on, name: 'B', type: 'DB', number: 3 }),
    'conflict',
    /DB 3 of "B" is taken by "A"/,
  )
  await error
  const rows = [
    await call<Row>('blocks.create', { ...on, name: 'B', type: 'DB' }),
    await call<Row>('blocks.create', { ...on, name: 'C', type: 'FB', number: 3 }),
    await call<Row>('blocks.create', { ...on, name: 'D', type: 'DB' }),
    await call<Row>('blocks.create', { ...on, name: 'E', type: 'DB' }),
    await call<Row>('blocks.create', { ...on, name: 'Main', type: 'OB' }),
    await call<Row>('blocks.create', { ...on, name: 'Main2', type: 'OB' }),
    await call<Row>('blocks.create', { ...on, name: 'Boot', type: 'OB', eventClass: 'Startup' }),
  ]
  assert.deepEqual(
    rows.map(({ name, number }) => [name, number]),
    [
      ['B', 1],
      ['C', 3],
      ['D', 2],
      ['E', 4],
      ['Main', 1],
      ['Main2', 123],
      ['Boot', 100],
    ],
  )
  // A number that was freed is the next free one again.
  await call('blocks.delete', { ...on, blockName: 'D' })
  assert.equal((await call<Row>('blocks.create', { ...on, name: 'F', type: 'DB' })).number, 2)
  // From files: a fixed number that is taken is a fault, an automatic one gives way.
  await fails(
    call('blocks.import', { ...on, content: dbXml('X', 3) }),
    'unacceptable_content',
    /DB 3 of "X" is taken by "A"/,
  )
  const { objects } = await call<{ objects: Row[] }>('blocks.import', { ...on, content: dbXml('X', 3, { auto: true }) })
  assert.equal(objects[0]?.number, 5)
  const exported = await call<string>('blocks.export-xml', { ...on, blockName: 'X' })
  assert.match(exported, /<AutoNumber>true<\/AutoNumber>[\s\S]*<Number>5<\/Number>/)
  await fails(
    call('blocks.create', { ...on, name: 'Odd', type: 'OB', number: 99 }),
    'invalid_input',
    /number 99 belongs to no event class; a ProgramCycle has 1, or from 123 on/,
  )
})

test('exports: as answer, to a file, into a folder; an existing file is kept', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await call('blocks.import', {
    ...on,
    file: undefined,
    content: await readFile(join(fixtures, 'FB_Ramp.scl'), 'utf8'),
  })
  const xml = await call<string>('blocks.export-xml', { ...on, blockName: 'FB_Ramp' })
  assert.match(xml, /<Engineering version="V19" \/>[\s\S]*StructuredText\/v4"/)
  const older = await call<string>('blocks.export-xml', { ...on, blockName: 'FB_Ramp', version: '16' })
  assert.match(older, /<Engineering version="V16" \/>[\s\S]*StructuredText\/v3"/)
  await fails(call('blocks.export-xml', { ...on, blockName: 'FB_Ramp', version: 'V15' }), 'invalid_input')

  const one = await call<{ exportPath: string }>('blocks.export', { ...on, blockName: 'FB_Ramp', exportPath: 'out/' })
  assert.equal(one.exportPath, join(dir, 'workspace/out/FB_Ramp.xml'))
  const written = await readFile(one.exportPath, 'utf8')
  assert.equal(written, `\uFEFF${xml}`)
  const named = { ...on, blockName: 'FB_Ramp', exportPath: 'out/FB_Ramp.s7dcl' }
  assert.equal((await call<{ format: string }>('blocks.export', named)).format, 'sd', 'by the name of the file')
  const again = { ...on, blockName: 'FB_Ramp', exportPath: 'out/FB_Ramp.xml' }
  await fails(call('blocks.export', again), 'conflict', /exists already/)
  await call('blocks.export', { ...again, version: 'V16', overwrite: true })
  assert.match(await readFile(one.exportPath, 'utf8'), /version="V16"/)
  const source = await call<{ exportPath: string }>('blocks.export-source', {
    ...on,
    blockName: 'FB_Ramp',
    exportPath: 'src',
  })
  assert.equal(source.exportPath, join(dir, 'workspace/src/FB_Ramp.scl'))
  const { content } = await call<{ content: string }>('blocks.export', {
    ...on,
    blockName: 'FB_Ramp',
    format: 'source',
  })
  assert.equal((await readFile(source.exportPath, 'utf8')).replace('\uFEFF', ''), content)
  await fails(call('blocks.export', { ...again, exportPath: '/etc/x.xml' }), 'path_outside_workspace')

  await call('blocks.import', { ...on, content: await readFile(join(fixtures, 'PROG_ERR.xml'), 'utf8') })
  await call('blocks.create', { ...on, name: 'Ladder', type: 'FC', language: 'LAD', networks: [{ title: 'one' }] })
  await fails(call('blocks.source', { ...on, blockName: 'Ladder' }), 'conflict', /LAD.*no source text/)
})

test('know-how protected blocks are not opened', async (t) => {
  const { call } = await openPlant(t)
  const xml = dbXml('Secret', 7).replace(
    '<MemoryLayout>',
    '<IsKnowHowProtected>true</IsKnowHowProtected>\n      <MemoryLayout>',
  )
  await call('blocks.import', { ...on, content: xml })
  const it = { ...on, blockName: 'Secret' }
  for (const operation of ['blocks.content', 'blocks.source', 'blocks.export-xml', 'blocks.export'])
    await fails(call(operation, it), 'conflict', /know-how protected/)
  await fails(call('blocks.update-content', { ...it, rawXml: xml }), 'conflict', /know-how protected/)
  assert.equal(
    (await call<{ blocks: { isKnowHowProtected: boolean }[] }>('blocks.list', on)).blocks[0]?.isKnowHowProtected,
    true,
  )
})

test('folders: tree, creation, deletion', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.create-folder', { ...on, path: 'A/B' })
  await fails(call('blocks.create-folder', { ...on, path: 'a/b' }), 'name_taken', /"A\/B"/)
  await fails(call('blocks.create-folder', { ...on, path: 'A//B' }), 'invalid_input', /empty name/)
  await fails(call('blocks.create-folder', { ...on, path: '../x' }), 'invalid_input')
  await call('blocks.create', { ...on, name: 'x', type: 'FC', folder: 'a/C' })
  await call('blocks.create', { ...on, name: 'Root', type: 'FC' })
  interface Node {
    name: string
    isFolder: boolean
    children?: Node[]
  }
  const shape = (nodes: Node[]): unknown => nodes.map((n) => (n.isFolder ? [n.name, shape(n.children ?? [])] : n.name))
  const tree = await call<{ children: Node[]; total: number }>('blocks.tree', on)
  assert.deepEqual(shape(tree.children), [
    [
      'A',
      [
        ['B', []],
        ['C', ['x']],
      ],
    ],
    'Root',
  ])
  assert.equal(tree.total, 2)
  // Level by level, and in pages.
  const level = async (folder: string, page: object = {}) => {
    const answer = await call<{ children: Node[]; total: number; nextCursor?: string }>('blocks.tree', {
      ...{ ...on, folder },
      ...page,
    })
    assert.ok(answer.children.every(({ children }) => children === undefined))
    return { ...answer, names: answer.children.map(({ name }) => name) }
  }
  assert.deepEqual((await level('')).names, ['A', 'Root'])
  assert.deepEqual((await level('a')).names, ['B', 'C'])
  assert.deepEqual((await level('A/C')).names, ['x'])
  const first = await level('', { limit: 1 })
  assert.deepEqual([first.names, first.total], [['A'], 2])
  const second = await level('', { limit: 1, cursor: first.nextCursor })
  assert.deepEqual([second.names, second.nextCursor], [['Root'], undefined])
  await fails(level('D'), 'not_found', /"A"/)
  await fails(level('', { cursor: 'wrong' }), 'invalid_input', /cursor/)
  await fails(call('blocks.delete-folder', { ...on, path: 'A' }), 'conflict', /holds 1 block/)
  await fails(call('blocks.delete-folder', { ...on, path: 'D' }), 'not_found')
  assert.deepEqual(await call('blocks.delete-folder', { ...on, path: 'a', force: true }), {
    path: 'A',
    folders: ['A/C', 'A/B', 'A'],
    blocks: ['x'],
    users: [],
  })
})

test('lists are sorted, filtered and paged; a device that goes takes its blocks along', async (t) => {
  const { call } = await openPlant(t)
  for (const name of ['c', 'B', 'a']) await call('blocks.create', { ...on, name, type: 'FC' })
  await call('blocks.create', { ...on, name: 'data', type: 'DB' })
  const names = async (input: object = {}) => {
    const { blocks, nextCursor } = await call<{ blocks: Row[]; nextCursor?: string }>('blocks.list', {
      ...on,
      ...input,
    })
    return [blocks.map(({ name }) => name).join(), nextCursor]
  }
  assert.deepEqual(await names(), ['a,B,c,data', undefined])
  assert.deepEqual(await names({ limit: 2 }), ['a,B', 'B'])
  assert.deepEqual(await names({ limit: 2, cursor: 'B' }), ['c,data', undefined])
  assert.deepEqual(await names({ type: 'DB' }), ['data', undefined])
  assert.deepEqual(await names({ q: 'DA' }), ['data', undefined])
  const { devices } = await call<{ devices: { blocks: { name: string }[]; tagTables: unknown[] }[] }>(
    'projects.overview',
  )
  assert.deepEqual([devices[0]?.blocks.length, devices[0]?.tagTables.length], [4, 1])
  await fails(call('blocks.list', { deviceName: 'PLC_2' }), 'not_found', /Did you mean "PLC_1"/)
  await call('devices.delete', on)
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  assert.equal((await call('blocks.list', on)).total, 0)
  assert.equal((await call<Row>('blocks.create', { ...on, name: 'a', type: 'FC' })).number, 1)
  await call('projects.close', { force: true })
  await fails(call('blocks.list', on), 'no_project')
})

test('a dry run tells what would be and leaves no trace; a restart keeps all', async (t) => {
  const gateway = await openPlant(t)
  await writeWorkspace(gateway, { 'x.scl': fbSource('X') })
  const request = { ...on, filePath: 'x.scl', folder: 'A' }
  const dry = await gateway.call('blocks.import', request, { dryRun: true })
  assert.match(JSON.stringify(dry), /"created":1/)
  assert.equal((await gateway.call('blocks.list', on)).total, 0)
  await gateway.call('blocks.import', request)
  const before = await gateway.call('blocks.content', { ...on, blockName: 'X' })
  const restarted = await gateway.restart()
  assert.deepEqual(await restarted.call('blocks.content', { ...on, blockName: 'X' }), before)
})

test('events carry the documents before and after', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('blocks.import', { ...on, content: fbSource('X') })
  await call('blocks.update-content', { ...on, blockName: 'X', code: '#out := 7;' })
  await call('blocks.rename', { ...on, blockName: 'X', newName: 'Y' })
  await call('blocks.delete', { ...on, blockName: 'Y' })
  const { store } = gateway.gateway
  const events: { type: string; data: Record<string, unknown> }[] = []
  for await (const records of store.log.read())
    for (const { type, data } of records)
      if (type.startsWith('blocks.')) events.push({ type, data: data as Record<string, unknown> })
  const [created, changed, renamed, deleted] = events
  assert.deepEqual(
    events.map(({ type }) => type),
    ['blocks.created', 'blocks.changed', 'blocks.renamed', 'blocks.deleted'],
  )
  const block = created?.data.block as { document: string }
  assert.equal(changed?.data.before, block.document)
  assert.equal(changed?.data.after, renamed?.data.before)
  assert.notEqual(renamed?.data.after, renamed?.data.before)
  assert.ok(deleted)
  assert.equal((deleted.data.block as { document: string }).document, renamed?.data.after)
  for (const hash of [block.document, changed?.data.after, renamed?.data.after])
    assert.ok(await store.blobs.has(String(hash)))
})
