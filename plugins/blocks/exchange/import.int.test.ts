import assert from 'node:assert/strict'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../../test/corpus.ts'
import type { TestGateway } from '../../../test/harness.ts'
import { dbXml, fails, fbSource, fixtures, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Imported {
  imported: number
  created: number
  replaced: number
  unchanged: number
  skipped: number
  failed: number
  objects: { name: string; kind: string; number?: number; action: string; file: string }[]
  files: { path: string; status: string; message?: string; errors?: { message: string; line?: number }[] }[]
  warnings: string[]
  compiled: boolean
  compileStatus: string
}

/** Everything a client can see of the device. */
async function stateOf({ call }: TestGateway) {
  const { blocks } = await call<{ blocks: { name: string; isKnowHowProtected: boolean }[] }>('blocks.list', on)
  const { udts } = await call<{ udts: { name: string }[] }>('types.list', on)
  const { tagTables } = await call<{ tagTables: { name: string }[] }>('tags.list-tables', on)
  const texts = []
  for (const { name } of blocks) texts.push(await call('blocks.content', { ...on, blockName: name }))
  for (const { name } of udts) texts.push(await call('types.get', { ...on, udtName: name }))
  for (const { name: tableName } of tagTables) {
    texts.push(await call('tags.list', { ...on, tableName }), await call('tags.list-constants', { ...on, tableName }))
    texts.push(await call('tags.export-xml', { ...on, tableName }))
  }
  const trees = await Promise.all(['blocks.tree', 'types.tree', 'tags.table-tree'].map((id) => call(id, on)))
  return { blocks, udts, tagTables, texts, trees }
}

/** Saves, closes, opens; the state must be the same, and a second save has nothing to write. */
async function assertSurvivesSave(gateway: TestGateway) {
  const { call } = gateway
  const before = await stateOf(gateway)
  await call('projects.save')
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await stateOf(gateway), before)
  assert.deepEqual((await call('projects.save')).written, 0)
}

test('a folder of real files becomes blocks, types and tag tables; again changes nothing', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await cp(fixtures, join(dir, 'workspace/in'), { recursive: true })
  const first = await call<Imported>('blocks.import', { ...on, filePath: 'in', folder: 'Real' })
  assert.equal(first.failed, 0)
  assert.equal(first.created, first.objects.length)
  assert.ok(first.objects.some(({ kind }) => kind === 'UDT'))
  assert.ok(first.objects.some(({ kind }) => kind === 'TagTable'))
  assert.deepEqual([first.compiled, first.compileStatus], [false, 'notCompiled'])
  assert.deepEqual(
    first.files.filter(({ status }) => status !== 'imported').map(({ path, status }) => [path, status]),
    [['LICENSE', 'ignored']],
  )
  const again = await call<Imported>('blocks.import', { ...on, filePath: 'in' })
  assert.deepEqual([again.imported, again.unchanged], [0, first.created])
  // The exact text of a file is the block's text.
  const adder = await readFile(join(fixtures, 'Adder.scl'), 'utf8')
  const { sourceText } = await call<{ sourceText: string }>('blocks.source', { ...on, blockName: 'Adder' })
  assert.equal(sourceText, adder.replace('\uFEFF', ''))
  await assertSurvivesSave(gateway)
  // Files that hold one object are saved byte for byte as they came.
  for (const [file, saved] of [
    ['Adder.scl', 'blocks/Real/Adder.scl'],
    ['Main.xml', 'blocks/Real/Main.xml'],
    ['PlankOnChain.xml', 'types/Real/PlankOnChain.xml'],
  ] as const)
    assert.ok(
      (await readFile(join(fixtures, file))).equals(await readFile(join(dir, 'workspace/Plant/devices/PLC_1', saved))),
      file,
    )
})

test('the whole real program is imported, and survives saving', async (t) => {
  const program = join(publicDir, 'psi-func+ikea_vyatka_sorting')
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await cp(program, join(dir, 'workspace/in'), { recursive: true })
  const result = await call<Imported>('blocks.import', { ...on, filePath: 'in' })
  assert.deepEqual([result.failed, result.skipped, result.unchanged], [0, 0, 0])
  assert.equal(result.files.filter(({ status }) => status === 'imported').length, result.created)
  const { blocks } = await call<{ blocks: { name: string; type: string; number: number; folder: string }[] }>(
    'blocks.list',
    on,
  )
  assert.equal(blocks.length + 2 + 2, result.created)
  // "Program blocks" is the root, not a folder.
  assert.ok(blocks.every(({ folder }) => folder === ''))
  const group = (type: string) => (type.endsWith('DB') ? 'DB' : type)
  assert.equal(new Set(blocks.map(({ type, number }) => `${group(type)}${number}`)).size, blocks.length)
  for (const { name } of blocks) {
    const xml = await call<string>('blocks.export-xml', { ...on, blockName: name }).catch(
      (error: Error) => error.message,
    )
    assert.ok(/^<\?xml/.test(xml) || /cannot be written/.test(xml), `${name}: ${xml.slice(0, 200)}`)
  }
  await assertSurvivesSave(gateway)
})

test('any fault stops the whole import: every fault of every file, and nothing stored', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await writeWorkspace(gateway, {
    'in/good.scl': fbSource('Good'),
    'in/sub/bad.scl': 'FUNCTION_BLOCK "Bad"\nVAR\n  a : Int\n  b Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n',
    'in/bad.xml': '<Document>\n  <SW.Blocks.FB ID="0">\n</Document>',
    'in/half.scl': `${fbSource('Right')}FUNCTION_BLOCK "Wrong"\nVAR\n  b Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n${fbSource('After')}`,
    'in/notes.txt': 'nothing',
    'in/page.xml': '<html/>',
    'in/screen.xml': dbXml('S', 1).replaceAll('SW.Blocks.GlobalDB', 'Hmi.Screen.Screen'),
  })
  const error = await fails(
    call('blocks.import', { ...on, filePath: 'in' }),
    'unacceptable_content',
    /Nothing was imported/,
  )
  const faults = error.details.errors ?? []
  assert.deepEqual(new Set(faults.map(({ path }) => path)), new Set(['bad.xml', 'half.scl', 'sub/bad.scl']))
  assert.ok(faults.every(({ line, column }) => Number(line) > 0 && Number(column) > 0))
  assert.equal((await call('blocks.list', on)).total, 0)

  const result = await call<Imported>('blocks.import', { ...on, filePath: 'in', continueOnError: true })
  assert.deepEqual([result.imported, result.failed, result.skipped], [3, 3, 2])
  const status = Object.fromEntries(result.files.map((file) => [file.path, file]))
  assert.equal(status['sub/bad.scl']?.status, 'failed')
  // A source with a faulty block: the others are taken.
  assert.equal(status['half.scl']?.status, 'partial')
  assert.deepEqual(result.objects.map(({ name }) => name).sort(), ['After', 'Good', 'Right'])
  assert.equal(status['notes.txt']?.status, 'ignored')
  assert.match(status['page.xml']?.message ?? '', /html/)
  assert.match(status['screen.xml']?.message ?? '', /Hmi\.Screen\.Screen are not part of a PLC program/)
  // A file that is named alone must have something in it.
  await fails(call('blocks.import', { ...on, filePath: 'in/screen.xml' }), 'unacceptable_content', /not supported/)
  await fails(call('blocks.import', { ...on, filePath: 'in/none.xml' }), 'not_found')
  await fails(call('blocks.import', on), 'invalid_input', /one of filePath/)
})

test('clashes are told by file: present objects, twins in one import', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await writeWorkspace(gateway, {
    'in/a.scl': fbSource('A'),
    'in/b.scl': fbSource('B'),
    'twins/one.scl': fbSource('T'),
    'twins/two.scl': fbSource('t'),
  })
  await call('blocks.import', { ...on, filePath: 'in/a.scl', folder: 'Old' })
  const clash = await fails(call('blocks.import', { ...on, filePath: 'in', overwrite: false }), 'unacceptable_content')
  assert.deepEqual(
    clash.details.errors?.map(({ path, code }) => [path, code]),
    [['a.scl', 'name_taken']],
  )
  const part = await call<Imported>('blocks.import', { ...on, filePath: 'in', overwrite: false, continueOnError: true })
  assert.deepEqual([part.created, part.failed], [1, 1])
  const twins = await fails(call('blocks.import', { ...on, filePath: 'twins' }), 'unacceptable_content', /is also in/)
  assert.equal(twins.details.errors?.[0]?.path, 'two.scl')
  const twice = await fails(
    call('blocks.import', { ...on, content: fbSource('T') + fbSource('t') }),
    'unacceptable_content',
  )
  assert.equal(twice.message, 'content: "t" is in this file twice. Nothing was imported.')
  // A block that is replaced keeps its number and its folder.
  await writeWorkspace(gateway, { 'in/a.scl': fbSource('A', '#out := 0;') })
  const { objects } = await call<Imported>('blocks.import', { ...on, filePath: 'in/a.scl' })
  assert.deepEqual([objects[0]?.action, objects[0]?.number], ['replaced', 1])
  const { blocks } = await call<{ blocks: { name: string; folder: string }[] }>('blocks.list', { ...on, q: 'A' })
  assert.equal(blocks[0]?.folder, 'Old')
})

test('a name that cannot be says whose it is', async (t) => {
  const { call } = await openPlant(t)
  const content = `FUNCTION "${'x'.repeat(500)}" : Void\nBEGIN\nEND_FUNCTION\n`
  await fails(call('blocks.import', { ...on, content }), 'unacceptable_content', /the name "x+…" has 500 characters/)
})

test('files that want the same number: one gets another, and keeps it when they are imported again', async (t) => {
  const gateway = await openPlant(t)
  const files = Object.fromEntries(['A', 'B', 'C'].map((name) => [`in/${name}.xml`, dbXml(name, 7, { auto: true })]))
  await writeWorkspace(gateway, files)
  const first = await gateway.call<Imported>('blocks.import', { ...on, filePath: 'in' })
  const numbers = ({ objects }: Imported) => objects.map(({ name, number }) => [name, number])
  assert.equal(new Set(first.objects.map(({ number }) => number)).size, 3)
  const again = await gateway.call<Imported>('blocks.import', { ...on, filePath: 'in' })
  assert.deepEqual([again.unchanged, numbers(again)], [3, numbers(first)])
})

test('an organization block of a source runs when its source says, one that is replaced as before', async (t) => {
  const { call } = await openPlant(t)
  const source = (name: string, declarations = '') =>
    `ORGANIZATION_BLOCK "${name}"\n${declarations}\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n`
  const shown = async (name: string) => {
    const { blocks } = await call<{ blocks: { name: string; number: number; secondaryType?: string }[] }>(
      'blocks.list',
      on,
    )
    const block = blocks.find((one) => one.name === name)
    return [block?.number, block?.secondaryType]
  }
  const classic = 'VAR_TEMP OB33_EV_CLASS : Byte; END_VAR'
  const content = `${source('CYC_INT3', classic)}ORGANIZATION_BLOCK OB100\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n`
  const { warnings } = await call<Imported>('blocks.import', { ...on, content })
  assert.deepEqual(warnings, [])
  assert.deepEqual(await shown('CYC_INT3'), [33, 'CyclicInterrupt'])
  assert.deepEqual(await shown('OB100'), [100, 'Startup'])
  await call('blocks.create', {
    ...on,
    name: 'Fast',
    type: 'OB',
    eventClass: 'CyclicInterrupt',
    number: 130,
    code: ';',
  })
  await call('blocks.import', { ...on, content: source('Fast') })
  assert.deepEqual(await shown('Fast'), [130, 'CyclicInterrupt'])
})

test('several blocks in one source, instance data blocks without their type, uploads', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const source = `TYPE "U" VERSION : 0.1\nSTRUCT a : Int; END_STRUCT; END_TYPE\n${fbSource('F1')}${fbSource('F2')}DATA_BLOCK "F9_DB"\n"F9"\nBEGIN\nEND_DATA_BLOCK\n`
  const blob = await gateway.gateway.store.blobs.stage(source)
  const file = { fileName: 'all.scl', blob: blob.hash, size: blob.size }
  const { objects } = await call<Imported>('blocks.import', { ...on, file }, { staged: [blob] })
  assert.deepEqual(
    objects.map(({ name, kind }) => [name, kind]),
    [
      ['U', 'UDT'],
      ['F1', 'FB'],
      ['F2', 'FB'],
      ['F9_DB', 'InstanceDB'],
    ],
  )
  await fails(call('types.import', { ...on, content: source }), 'unacceptable_content', /only UDT can be imported/)
})

test('files of the project may be edited, added, moved and deleted by hand', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await writeWorkspace(gateway, { 'a.scl': fbSource('A'), 'b.scl': fbSource('B'), 'c.scl': fbSource('C') })
  for (const file of ['a', 'b', 'c']) await call('blocks.import', { ...on, filePath: `${file}.scl`, folder: 'F.scl' })
  await call('blocks.create-folder', { ...on, path: 'Empty' })
  await assertSurvivesSave(gateway)
  await call('projects.close')
  const folder = join(dir, 'workspace/Plant/devices/PLC_1/blocks')
  await writeFile(join(folder, 'F%2Escl/A.scl'), fbSource('A', '#out := 42;'))
  await rm(join(folder, 'F%2Escl/B.scl'))
  await writeFile(join(folder, 'New.scl'), fbSource('New'))
  await rename(join(folder, 'F%2Escl/C.scl'), join(folder, 'C.scl'))
  await call('projects.open', { path: 'Plant' })
  const { blocks } = await call<{ blocks: { name: string; number: number; folder: string }[] }>('blocks.list', on)
  assert.deepEqual(
    blocks.map(({ name, number, folder: where }) => [name, number, where]),
    [
      ['A', 1, 'F.scl'],
      ['C', 2, ''],
      ['New', 3, ''],
    ],
  )
  const { sourceText } = await call<{ sourceText: string }>('blocks.source', { ...on, blockName: 'A' })
  assert.match(sourceText, /#out := 42;/)
  await call('projects.close')
  await writeFile(join(folder, 'New.scl'), 'FUNCTION_BLOCK "New"\nVAR x : ; END_VAR\n')
  const error = await fails(call('projects.open', { path: 'Plant' }), 'unacceptable_content', /New\.scl/)
  assert.equal(error.details.errors?.[0]?.path, 'devices/PLC_1/blocks/New.scl')
})

test('a folder of exported files is opened as a project', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, {
    'export/Line 1/Program blocks/Motors/M.scl': fbSource('M'),
    'export/Line 2/Program blocks/D.xml': dbXml('D', 12),
    'export/readme.md': '#',
  })
  const opened = await call<{ imported: number; warnings: string[]; files: Imported['files'] }>('projects.open', {
    path: 'export',
  })
  assert.equal(opened.imported, 2)
  assert.deepEqual(Object.fromEntries(opened.files.map(({ path, status }) => [path, status])), {
    'Line 1/Program blocks/Motors/M.scl': 'imported',
    'Line 2/Program blocks/D.xml': 'imported',
    'readme.md': 'ignored',
  })
  assert.match(opened.warnings.join('\n'), /do not say which CPU/)
  const { blocks } = await call<{ blocks: { folder: string }[] }>('blocks.list', { deviceName: 'Line 1' })
  assert.equal(blocks[0]?.folder, 'Motors')
  assert.equal((await call('blocks.list', { deviceName: 'Line 2' })).total, 1)
})

test('a folder of several projects: stations of one name stay apart, parts of one station come together', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, {
    'export/Plant A/PLC_1/Program blocks/M.scl': fbSource('M'),
    'export/Plant B/PLC_1/Program blocks/M.scl': fbSource('M'),
    'export/Plant B/PLC_1_2/Program blocks/D.xml': dbXml('D', 12),
    'export/types/PLC_1/PLC data types/T.udt': 'TYPE "T"\nSTRUCT\n  a : Int;\nEND_STRUCT;\nEND_TYPE\n',
  })
  const opened = await call<{ imported: number; warnings: string[] }>('projects.open', { path: 'export' })
  assert.equal(opened.imported, 4)
  assert.match(opened.warnings.join('\n'), /"Plant B\/PLC_1" became "PLC_1_3"/)
  const { devices } = await call<{ devices: { name: string }[] }>('devices.list')
  assert.deepEqual(devices.map(({ name }) => name).sort(), ['PLC_1', 'PLC_1_2', 'PLC_1_3'])
  assert.equal((await call('types.list', { deviceName: 'PLC_1' })).total, 1)
})

test('a folder of a PLC with software units: they are parts of it, also where names meet', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, {
    'export/Cell/Program blocks/M.scl': fbSource('M'),
    'export/Cell/Software units/Press/Program blocks/Axes/press.F.scl': `NAMESPACE press\n${fbSource('F')}\nEND_NAMESPACE\n`,
    'export/Cell/Software units/Oven/Program blocks/oven.M.scl': `NAMESPACE oven\n${fbSource('M')}\nEND_NAMESPACE\n`,
  })
  const opened = await call<{ imported: number; warnings: string[] }>('projects.open', { path: 'export' })
  assert.equal(opened.imported, 3)
  assert.match(opened.warnings.join('\n'), /FB "M" of unit "Oven" is "oven\.M" here/)
  const { devices } = await call<{ devices: { name: string }[] }>('devices.list')
  assert.deepEqual(devices.map(({ name }) => name).sort(), ['Cell'])
  const { blocks } = await call<{ blocks: { name: string; folder: string }[] }>('blocks.list', { deviceName: 'Cell' })
  assert.deepEqual(blocks.map(({ name, folder }) => [name, folder]).sort(), [
    ['F', 'Press/Axes'],
    ['M', ''],
    ['oven.M', 'Oven'],
  ])
})

test('blocks that share a namespace are stored with it', async (t) => {
  const { call } = await openPlant(t)
  const content = `NAMESPACE press\n${fbSource('A')}\n${fbSource('B')}\nEND_NAMESPACE\n${fbSource('C')}\n`
  assert.equal((await call('blocks.import', { ...on, content })).imported, 3)
  for (const [blockName, namespace] of [
    ['A', 'press'],
    ['B', 'press'],
    ['C', ''],
  ]) {
    const xmlContent = await call<string>('blocks.export-xml', { ...on, blockName, version: 'V19' })
    assert.match(xmlContent, namespace === '' ? /<Namespace \/>/ : new RegExp(`<Namespace>${namespace}</Namespace>`))
  }
})

test('a folder of exported files in Chinese, with strays beside the PLCs', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, {
    'export/Main.scl': fbSource('Main'),
    'export/程序块/D.xml': dbXml('D', 12),
    'export/PLC_1/程序块/电机/Main.scl': fbSource('Main'),
    'export/PPS/程序块/Main.scl': fbSource('Main'),
    'export/PPS/工艺对象/Axis.xml': dbXml('Axis', 3),
  })
  const opened = await call<{ imported: number; warnings: string[] }>('projects.open', { path: 'export' })
  assert.equal(opened.imported, 5)
  assert.match(opened.warnings.join('\n'), /"\." became "PLC_1_2"/)
  const { devices } = await call<{ devices: { name: string }[] }>('devices.list')
  assert.deepEqual(devices.map(({ name }) => name).sort(), ['PLC_1', 'PLC_1_2', 'PPS'])
  const { blocks } = await call<{ blocks: { folder: string }[] }>('blocks.list', { deviceName: 'PLC_1' })
  assert.equal(blocks[0]?.folder, '电机')
  assert.equal((await call('blocks.list', { deviceName: 'PPS' })).total, 2)
})

test('a folder of exported files with faults: every fault of every station, or what is right', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, {
    'export/L1/Program blocks/M.scl': fbSource('M'),
    'export/L1/Program blocks/Bad.xml': '<Document><SW.Blocks.FB ID="0"></Document>',
    'export/L2/Program blocks/Bad.scl': 'FUNCTION "F" : Void\nVAR_INPUT\n  x Int;\nEND_VAR\nBEGIN\nEND_FUNCTION\n',
    'nothing/page.xml': '<html/>',
  })
  const error = await fails(call('projects.open', { path: 'export' }), 'unacceptable_content', /Nothing was imported/)
  const faulty = new Set(error.details.errors?.map(({ path }) => path))
  assert.deepEqual(faulty, new Set(['L1/Program blocks/Bad.xml', 'L2/Program blocks/Bad.scl']))
  assert.equal((await call('projects.list')).total, 0)
  await fails(call('projects.open', { path: 'nothing' }), 'unacceptable_content', /html/)

  const opened = await call<{ imported: number; files: Imported['files'] }>('projects.open', {
    path: 'export',
    continueOnError: true,
  })
  assert.equal(opened.imported, 1)
  assert.deepEqual(
    opened.files.filter(({ status }) => status === 'failed').map(({ path, errors }) => [path, errors?.[0]?.line]),
    [
      ['L1/Program blocks/Bad.xml', 1],
      ['L2/Program blocks/Bad.scl', 3],
    ],
  )
})

test('what is imported is found', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: fbSource('Conveyor', '#out := 4711;') })
  await call('tags.add', { ...on, name: 'BeltStart', logicalAddress: '%I3.1', comment: 'green button' })
  await call('projects.index')
  const kinds = async (q: string) =>
    (await call<{ results: { kind: string; name: string }[] }>('projects.search', { q })).results.map(
      ({ kind, name }) => `${kind} ${name}`,
    )
  assert.deepEqual(await kinds('Conveyor'), ['block Conveyor'])
  assert.deepEqual(await kinds('4711'), ['block Conveyor'])
  assert.deepEqual(await kinds('FB1'), ['block Conveyor'], 'by its number')
  assert.deepEqual(await kinds('green button'), ['tag BeltStart'])
})

test('a long import reports progress, and stops where it is when it is cancelled', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const { jobs } = gateway.gateway
  const names = Array.from({ length: 400 }, (_, i) => `B${i}`)
  await writeWorkspace(gateway, Object.fromEntries(names.map((name) => [`in/${name}.scl`, fbSource(name)])))
  const start = () => call<{ jobId: string }>('blocks.import', { ...on, filePath: 'in' }, { mode: 'async' })
  const ended = async (jobId: string) => {
    await jobs.peek(jobId)?.settled
    return (await jobs.find(jobId))?.status
  }
  // It is cancelled with its first report.
  let told: string | undefined
  gateway.gateway.bus.on('job', ({ jobId, progress, message }) => {
    if (told !== undefined || progress === 0) return
    told = message
    void jobs.cancel(jobId)
  })
  const { jobId } = await start()
  assert.equal(await ended(jobId), 'Cancelled')
  assert.match(told ?? '', /^Read \d+ of 400: B\d+\.scl$/)
  assert.equal((await call('blocks.list', on)).total, 0)
  const again = await start()
  assert.equal(await ended(again.jobId), 'Completed')
  assert.equal((await call('blocks.list', on)).total, 400)
})
