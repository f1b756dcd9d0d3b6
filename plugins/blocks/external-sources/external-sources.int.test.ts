import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fbSource, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Generated {
  sourceName: string
  created: number
  replaced: number
  failed: number
  objects: { name: string; kind: string; action: string }[]
  files: { status: string; errors?: { line: number; column: number; message: string }[] }[]
  warnings: string[]
}
interface Listed {
  externalSources: { name: string; folder: string; extension: string; size: number }[]
  folders: string[]
  total: number
}
const udt = 'TYPE "T"\nVERSION : 0.1\n   STRUCT\n      a : Int;\n   END_STRUCT;\n\nEND_TYPE\n'
const instance = 'DATA_BLOCK "M_DB"\n"M"\nBEGIN\nEND_DATA_BLOCK\n'

test('a source from text: kept, listed, shown, generated, deleted; its blocks stay', async (t) => {
  const { call } = await openPlant(t)
  const content = `${instance}${fbSource('M')}${udt}`
  const made = await call('blocks.add-source-from-text', { ...on, sourceName: 'All.scl', content, folder: 'In/Deep' })
  assert.deepEqual([made.name, made.folder, made.extension], ['All.scl', 'In/Deep', '.scl'])
  assert.equal((await call('blocks.list', on)).total, 0)
  const { externalSources, folders, total } = await call<Listed>('blocks.list-sources', on)
  assert.deepEqual([externalSources[0]?.name, folders, total], ['All.scl', ['In', 'In/Deep'], 1])
  assert.equal((await call('blocks.get-source', { ...on, sourceName: 'all.SCL' })).content, content)

  const first = await call<Generated>('blocks.generate-from-source', {
    ...on,
    sourceName: 'All.scl',
    blockFolder: 'Gen',
  })
  assert.deepEqual(
    first.objects.map(({ name, kind, action }) => [name, kind, action]),
    [
      ['T', 'UDT', 'created'],
      ['M', 'FB', 'created'],
      ['M_DB', 'InstanceDB', 'created'],
    ],
  )
  assert.deepEqual(first.warnings, [])
  const again = await call<Generated>('blocks.generate-from-source', { ...on, sourceName: 'All.scl' })
  assert.deepEqual(
    again.objects.map(({ action }) => action),
    ['unchanged', 'unchanged', 'unchanged'],
  )
  await fails(
    call('blocks.generate-from-source', { ...on, sourceName: 'All.scl', overwrite: false }),
    'unacceptable_content',
  )
  await call('blocks.delete-source', { ...on, sourceName: 'All.scl' })
  assert.equal((await call('blocks.list', on)).total, 2)
  await fails(call('blocks.delete-source', { ...on, sourceName: 'All.scl' }), 'not_found')
})

test('a faulty block is told with line and column; the others can be kept', async (t) => {
  const { call } = await openPlant(t)
  const content = `${fbSource('A')}FUNCTION "F" : Void\nVAR_INPUT\n  x Int;\nEND_VAR\nBEGIN\nEND_FUNCTION\n${fbSource('B')}`
  const line = content.split('\n').findIndex((text) => text.includes('x Int')) + 1
  const error = await fails(call('blocks.import-and-generate', { ...on, content }), 'unacceptable_content')
  assert.equal(error.details.errors?.[0]?.line, line)
  assert.equal((await call('blocks.list', on)).total, 0)
  const kept = await call<Generated>('blocks.import-and-generate', { ...on, content, continueOnError: true })
  assert.deepEqual(
    kept.objects.map(({ name }) => name),
    ['A', 'B'],
  )
  assert.equal(kept.files[0]?.status, 'partial')
  assert.equal(kept.files[0]?.errors?.[0]?.line, line)
  assert.equal((await call<Listed>('blocks.list-sources', on)).total, 0)
})

test('so are faults in statements: whoever generates from a source wants to hear of them', async (t) => {
  const { call } = await openPlant(t)
  const bad =
    'FUNCTION "F" : Void\r\nVAR_TEMP\r\n  x : Int;\r\nEND_VAR\r\nBEGIN\r\n  #x := ;\r\n  IF TRUE THEN ;\r\nEND_FUNCTION\r\n'
  const content = `${fbSource('A')}${bad}${fbSource('B')}`
  const line = content.split('\n').findIndex((text) => text.includes('#x := ;')) + 1
  const { details } = await fails(
    call('blocks.import-and-generate', { ...on, content }),
    'unacceptable_content',
    /expression/,
  )
  const places = details.errors?.map((error) => [error.line, error.column, error.element])
  assert.deepEqual(places, [
    [line, 9, 'F'],
    [line + 1, 3, 'F'],
  ])
  const kept = await call<Generated>('blocks.import-and-generate', { ...on, content, continueOnError: true })
  assert.deepEqual(
    kept.objects.map(({ name }) => name),
    ['A', 'B'],
  )
  // A draft may be imported: it is compiling that refuses it.
  assert.equal((await call<Generated>('blocks.import', { ...on, content })).objects.length, 3)
})

test('a block whose end is missing is not kept', async (t) => {
  const { call } = await openPlant(t)
  const content = `${fbSource('A')}FUNCTION "F" : Void\nBEGIN\n  (* no end\nEND_FUNCTION\n`
  const kept = await call<Generated>('blocks.import', { ...on, content, continueOnError: true })
  assert.deepEqual(
    kept.objects.map(({ name }) => name),
    ['A'],
  )
  const messages = (kept.files[0]?.errors ?? []).map(({ message }) => message).join('\n')
  assert.match(messages, /comment without its end/)
})

test('what is generated is compiled, unless it is not asked for', async (t) => {
  const { call } = await openPlant(t)
  const wrong = 'FUNCTION "F" : Void\nBEGIN\n  #nowhere := 1;\nEND_FUNCTION\n'
  const right = await call('blocks.import-and-generate', { ...on, content: fbSource('A') })
  assert.deepEqual([right.compiled, right.compileStatus], [true, 'success'])
  const faulty = await call<{ compileMessages: { code: string }[] }>('blocks.import-and-generate', {
    ...on,
    content: wrong,
  })
  assert.ok(faulty.compileMessages.some(({ code }) => code === 'undeclared'))
  const left = await call('blocks.import-and-generate', { ...on, content: fbSource('B'), compile: false })
  assert.deepEqual([left.compiled, left.compileStatus], [false, 'notCompiled'])
})

test('so is what is generated from a source that is there', async (t) => {
  const { call } = await openPlant(t)
  const wrong = 'FUNCTION "F" : Void\nBEGIN\n  #nowhere := 1;\nEND_FUNCTION\n'
  await call('blocks.add-source-from-text', { ...on, sourceName: 'A.scl', content: fbSource('A') })
  await call('blocks.add-source-from-text', { ...on, sourceName: 'F.scl', content: wrong })
  const right = await call('blocks.generate-from-source', { ...on, sourceName: 'A.scl' })
  assert.deepEqual([right.compiled, right.compileStatus], [true, 'success'])
  const { blocks } = await call<{ blocks: { name: string; isConsistent: boolean }[] }>('blocks.list', on)
  assert.equal(blocks.find(({ name }) => name === 'A')?.isConsistent, true)
  const faulty = await call<{ compiled: boolean; compileMessages: { code: string }[] }>('blocks.generate-from-source', {
    ...on,
    sourceName: 'F.scl',
  })
  assert.equal(faulty.compiled, false)
  assert.ok(faulty.compileMessages.some(({ code }) => code === 'undeclared'))
  const left = await call('blocks.generate-from-source', { ...on, sourceName: 'A.scl', compile: false })
  assert.deepEqual([left.compiled, left.compileStatus], [false, 'notCompiled'])
})

test('what a block needs and the program lacks is a warning', async (t) => {
  const { call } = await openPlant(t)
  const { warnings } = await call<Generated>('blocks.import-and-generate', { ...on, content: instance })
  assert.match(warnings.join('\n'), /"M" is not in the program; "M_DB" needs it/)
  const cycle = ['A', 'B'].map((name) => udt.replace('"T"', `"${name}"`).replace('Int', name === 'A' ? '"B"' : '"A"'))
  const told = await call<Generated>('blocks.import-and-generate', { ...on, content: cycle.join('') })
  assert.match(told.warnings.join('\n'), /"A" and "B" contain each other/)
})

test('files, names, folders', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await writeWorkspace(gateway, { 'in/Motor.scl': fbSource('Motor'), 'in/x.xml': '<Document/>', 'in/empty.scl': ' \n' })
  const add = (input: object) => call('blocks.add-source-from-file', { ...on, ...input })
  assert.equal((await add({ filePath: 'in/Motor.scl' })).name, 'Motor.scl')
  await fails(add({ filePath: 'in/Motor.scl' }), 'name_taken', /overwrite|exists/)
  await add({ filePath: 'in/Motor.scl', overwrite: true, folder: 'A' })
  await add({ filePath: 'in/Motor.scl', sourceName: 'Second' })
  await fails(add({ filePath: 'in/x.xml' }), 'unacceptable_content', /XML/)
  await fails(add({ filePath: 'in/empty.scl' }), 'unacceptable_content', /empty/)
  await fails(add({ filePath: 'in/none.scl' }), 'not_found')
  await fails(add({}), 'invalid_input', /one of filePath/)
  await fails(call('blocks.get-source', { ...on, sourceName: 'Motr.scl' }), 'not_found', /Motor\.scl/)

  await call('blocks.create-source-folder', { ...on, path: 'B/C' })
  await fails(call('blocks.create-source-folder', { ...on, path: 'b/c' }), 'name_taken')
  await fails(call('blocks.delete-source-folder', { ...on, path: 'A' }), 'conflict', /Motor\.scl/)
  const gone = await call('blocks.delete-source-folder', { ...on, path: 'A', force: true })
  assert.deepEqual(gone.externalSources, ['Motor.scl'])
  assert.deepEqual((await call<Listed>('blocks.list-sources', on)).folders, ['B', 'B/C'])
})

test('sources survive saving, a restart, and edits of their files by hand', async (t) => {
  const gateway = await openPlant(t)
  const bytes = Buffer.from(`\uFEFF${fbSource('Größe')}`, 'utf16le')
  await writeWorkspace(gateway, { 'in/ä_.scl': '' })
  await writeFile(join(gateway.dir, 'workspace/in/wide.scl'), bytes)
  await gateway.call('blocks.add-source-from-file', {
    ...on,
    filePath: 'in/wide.scl',
    sourceName: 'Größe: 1.scl',
    folder: 'A/B',
  })
  await gateway.call('blocks.add-source-from-text', { ...on, sourceName: 'index.json', content: fbSource('X') })
  await gateway.call('blocks.create-source-folder', { ...on, path: 'Empty' })
  const before = await gateway.call<Listed>('blocks.list-sources', on)
  const { call } = await gateway.restart()
  assert.deepEqual(await call('blocks.list-sources', on), before)
  await call('projects.save')
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await call('blocks.list-sources', on), before)
  assert.equal((await call('projects.save')).written, 0)
  const base = join(gateway.dir, 'workspace/Plant/devices/PLC_1/sources')
  assert.ok((await readFile(join(base, 'A/B/Größe%3A 1.scl'))).equals(bytes))

  await call('projects.close')
  await writeFile(join(base, 'By hand.awl'), fbSource('Hand'))
  await rm(join(base, 'index%2Ejson'))
  await call('projects.open', { path: 'Plant' })
  const after = await call<Listed>('blocks.list-sources', on)
  assert.deepEqual(
    after.externalSources.map(({ name, folder }) => [name, folder]),
    [
      ['By hand.awl', ''],
      ['Größe: 1.scl', 'A/B'],
    ],
  )
})
