/** Deleting and renaming what a program uses, through the gateway. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fixtures } from '../../../test/plant.ts'
import { openProgram } from '../../../test/used-program.ts'
import type { References, User } from '../../program-objects/index.ts'

const on = { deviceName: 'PLC_1' }
type Call = Awaited<ReturnType<typeof openProgram>>['call']

/** `object: place` of everything that uses a name, without the name itself. */
async function usersOf(call: Call, name: string): Promise<string[]> {
  const { sources } = await call<References>('blocks.find-references', { ...on, name })
  return sources
    .flatMap((source) =>
      source.referenceObjects.flatMap((object) =>
        object.locations
          .filter(({ referenceType }) => referenceType === 'UsedBy')
          .map(({ access, referenceLocation }) => `${object.name}: ${access} ${referenceLocation}`),
      ),
    )
    .sort()
}

const sourceOf = async (call: Call, blockName: string) =>
  (await call<{ sourceText: string }>('blocks.source', { ...on, blockName })).sourceText

test('what is used is not deleted, and the users are named; force deletes it and names them', async (t) => {
  const { call } = await openProgram(t)
  const table = { ...on, tableName: 'Default tag table' }
  const refused: [string, Record<string, unknown>, RegExp, number][] = [
    ['blocks.delete', { ...on, blockName: 'FB_motor' }, /"FB_motor" is used by .*"FB_line".*"Motor_DB"/, 3],
    ['blocks.delete', { ...on, blockName: 'Data' }, /"FB_line" \(Network 1, line 1\)/, 2],
    ['types.delete', { ...on, udtName: 'UDT_motor' }, /"Data".*"Default tag table" \(Row: Motor\)/, 3],
    ['tags.delete', { ...table, tagName: 'Start' }, /"Main" \(Network 1, line 1\)/, 2],
  ]
  for (const [operation, input, detail, users] of refused) {
    const error = await fails(call(operation, input), 'conflict', detail)
    assert.equal(error.details.errors?.length, users, operation)
    assert.match(error.details.suggestion ?? '', /force/)
  }
  for (const [operation, input] of refused) {
    const answer = await call<{ deleted: boolean; users: User[] }>(operation, { ...input, force: true })
    assert.equal(answer.deleted, true)
    assert.ok(answer.users.length > 0, operation)
  }
})

test('what nobody uses goes without a question; a function that assigns its own result does not use itself', async (t) => {
  const { call } = await openProgram(t)
  await fails(call('blocks.delete', { ...on, blockName: 'FC_scale' }), 'conflict', /"Main"/)
  assert.deepEqual((await call('blocks.delete', { ...on, blockName: 'Main' })).users, [])
  assert.deepEqual((await call('blocks.delete', { ...on, blockName: 'FC_scale' })).users, [])
  // An address alone does not hold a tag.
  const flags = { ...on, tableName: 'Default tag table', tagName: 'Flags' }
  assert.deepEqual((await call('tags.delete', flags)).users, [])
})

test('a folder goes with its blocks, and the answer names who used them from outside', async (t) => {
  const { call } = await openProgram(t)
  await call('blocks.import', {
    ...on,
    content: 'DATA_BLOCK "Other"\nVAR\n  x : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n',
    folder: 'Data',
  })
  await call('blocks.import', {
    ...on,
    content: 'FUNCTION "Inside" : Void\nBEGIN\n  "Other".x := 1;\nEND_FUNCTION\n',
    folder: 'Data',
  })
  await call('blocks.import', { ...on, content: 'FUNCTION "Outside" : Void\nBEGIN\n  "Other".x := 1;\nEND_FUNCTION\n' })
  const { users } = await call<{ users: User[] }>('blocks.delete-folder', { ...on, path: 'Data', force: true })
  assert.deepEqual(
    users.map(({ name }) => name),
    ['Outside'],
  )
})

test('a constant and a tag table are held by what uses them', async (t) => {
  const { call } = await openProgram(t)
  await call('tags.create-table', { ...on, name: 'Limits' })
  const constant = { ...on, tableName: 'Limits', constantName: 'MAX' }
  await call('tags.create-constant', { ...on, tableName: 'Limits', name: 'MAX', dataType: 'Int', value: '5' })
  await call('blocks.create', {
    ...on,
    name: 'List',
    type: 'DB',
    interface: [{ section: 'Static', name: 'entries', dataType: 'Array[0.."MAX"] of Int' }],
  })
  await fails(call('tags.delete-constant', constant), 'conflict', /"List" \(Interface: Static\.entries\)/)
  await fails(call('tags.delete-table', { ...on, tableName: 'Limits' }), 'conflict', /"List"/)
  const renamed = await call<{ updated: User[] }>('tags.update-constant', { ...constant, newName: 'MAX_ENTRIES' })
  assert.deepEqual(
    renamed.updated.map(({ name }) => name),
    ['List'],
  )
  assert.match(await sourceOf(call, 'List'), /Array\[0\.\."MAX_ENTRIES"\] of Int/)
  assert.equal((await call('tags.delete-table', { ...on, tableName: 'Limits', force: true })).deleted, true)
})

test('a renamed block is called by its new name everywhere', async (t) => {
  const { call } = await openProgram(t)
  const before = await usersOf(call, 'FB_motor')
  const { updated } = await call<{ updated: User[] }>('blocks.rename', {
    ...on,
    blockName: 'FB_motor',
    newName: 'FB Antrieb/1',
  })
  assert.deepEqual(updated.map(({ name }) => name).sort(), ['FB_line', 'Motor_DB'])
  assert.deepEqual(await usersOf(call, 'FB Antrieb/1'), before)
  await fails(call('blocks.find-references', { ...on, name: 'FB_motor' }), 'not_found')
  const { blocks } = await call<{ blocks: { name: string; instanceOf?: string }[] }>('blocks.list', on)
  assert.equal(blocks.find(({ name }) => name === 'Motor_DB')?.instanceOf, 'FB Antrieb/1')
})

test('nothing but the name changes in the text of a user', async (t) => {
  const { call } = await openProgram(t)
  const main = await sourceOf(call, 'Main')
  await call('blocks.rename', { ...on, blockName: 'Data', newName: 'Daten' })
  assert.equal(await sourceOf(call, 'Main'), main.replaceAll('"Data"', '"Daten"'))
  // What a renaming changes has a snapshot, as after any other change.
  const { snapshots } = await call<{ snapshots: { operation: string }[] }>('history.list-block', {
    ...on,
    blockName: 'Main',
  })
  assert.deepEqual(
    snapshots.map(({ operation }) => operation),
    ['blocks.rename'],
  )
  await call('blocks.rename', { ...on, blockName: 'Daten', newName: 'Data' })
  assert.equal(await sourceOf(call, 'Main'), main)
  // A function's own result keeps its name.
  await call('blocks.rename', { ...on, blockName: 'FC_scale', newName: 'FC_gain' })
  assert.match(await sourceOf(call, 'FC_gain'), /"FC_gain" := #value \* 2\.0;/)
})

test('a renamed function assigns its result under its new name, from sources, SimaticML and networks', async (t) => {
  const { call } = await openProgram(t)
  const scl =
    'FUNCTION "Twice" : Real\nVAR_INPUT\n  x : Real;\nEND_VAR\nBEGIN\n  #Twice := #x;\n  #Twice := #Twice * 2.0;\nEND_FUNCTION\n'
  const stl =
    'FUNCTION "List" : Bool\nVAR_INPUT\n  x : Bool;\nEND_VAR\nBEGIN\nNETWORK\nTITLE =\n      A     #x;\n      =     #List;\nEND_FUNCTION\n'
  await call('blocks.import', { ...on, content: `${scl}${scl.replaceAll('Twice', 'Xml')}${stl}` })
  for (const blockName of ['Xml', 'List']) {
    const { content } = await call<{ content: string }>('blocks.export', { ...on, blockName, format: 'xml' })
    await call('blocks.import', { ...on, content, overwrite: true })
  }
  for (const [language, name] of [
    ['LAD', 'Ladder'],
    ['FBD', 'Diagram'],
  ])
    await call('blocks.create', {
      ...on,
      name,
      type: 'FC',
      language,
      interface: [
        { section: 'Input', name: 'x', dataType: 'Bool' },
        { section: 'Return', name: 'Ret_Val', dataType: 'Bool' },
      ],
      networks: [{ expressions: `#${name} := #x` }],
    })
  for (const blockName of ['Twice', 'Xml', 'List', 'Ladder', 'Diagram']) {
    const newName = `New ${blockName}`
    await call('blocks.rename', { ...on, blockName, newName })
    const { content } = await call<{ content: string }>('blocks.export', { ...on, blockName: newName, format: 'xml' })
    assert.ok(!content.includes(`"${blockName}"`) && !content.includes(`#${blockName}`), content)
    const result = await call<{ errorCount: number }>('blocks.compile', { ...on, blockName: newName })
    assert.equal(result.errorCount, 0, JSON.stringify(result))
  }
  await fails(call('blocks.rename', { ...on, blockName: 'New Twice', newName: 'X' }), 'unacceptable_content', /Input/)
})

test('renamed tags and types change in blocks, tags and watch tables', async (t) => {
  const { call } = await openProgram(t)
  await call('watch-tables.create', { ...on, name: 'Watch' })
  await call('watch-tables.add-entries', {
    ...on,
    tableName: 'Watch',
    entries: [{ name: 'Start' }, { name: '"Data".motors[1].run' }],
  })
  const tag = { ...on, tableName: 'Default tag table', tagName: 'Start' }
  const before = await usersOf(call, 'Start')
  const { updated } = await call<{ updated: User[] }>('tags.update', {
    ...tag,
    newName: 'Start now',
  })
  assert.deepEqual(updated.map(({ name }) => name).sort(), ['FB_line', 'Main', 'Watch'])
  assert.deepEqual(
    await usersOf(call, 'Start now'),
    before.map((place) => place.replace('Row: "Start"', 'Row: "Start now"')),
  )
  const type = await call<{ updated: User[] }>('types.rename', { ...on, udtName: 'UDT_motor', newName: 'UDT_drive' })
  assert.deepEqual(type.updated.map(({ name }) => name).sort(), ['Data', 'Default tag table', 'FB_motor'])
  const { tags } = await call<{ tags: { name: string; dataType: string }[] }>('tags.list', {
    ...on,
    tableName: 'Default tag table',
  })
  assert.equal(tags.find(({ name }) => name === 'Motor')?.dataType, '"UDT_drive"')
  assert.match(await sourceOf(call, 'FB_motor'), /data : "UDT_drive";/)
})

test('a name that is taken or no name changes nothing', async (t) => {
  const { call } = await openProgram(t)
  const main = await sourceOf(call, 'Main')
  await fails(call('blocks.rename', { ...on, blockName: 'Data', newName: 'Start' }), 'name_taken')
  await fails(call('types.rename', { ...on, udtName: 'UDT_motor', newName: 'Main' }), 'name_taken')
  await fails(call('types.rename', { ...on, udtName: 'UDT_motor', newName: '"' }), 'invalid_input')
  await fails(
    call('tags.update', { ...on, tableName: 'Default tag table', tagName: 'Start', newName: 'Data' }),
    'name_taken',
  )
  assert.equal(await sourceOf(call, 'Main'), main)
})

test('real LAD and data blocks: renamed and renamed back they are what they were', async (t) => {
  const { call } = await openProgram(t)
  for (const file of ['Counter_1.xml', 'Counter_1_DB.xml', 'PlankOnChain.xml'])
    await call('blocks.import', { ...on, content: await readFile(join(fixtures, file), 'utf8') })
  const rawXml = async (blockName: string) =>
    (await call<{ rawXml: string }>('blocks.content', { ...on, blockName })).rawXml
  const before = await rawXml('Counter_1_DB')
  await call('blocks.rename', { ...on, blockName: 'Counter_1', newName: 'Zähler & Co' })
  const renamed = await rawXml('Counter_1_DB')
  assert.match(renamed, /<InstanceOfName>Zähler &amp; Co<\/InstanceOfName>/)
  await call('blocks.rename', { ...on, blockName: 'Zähler & Co', newName: 'Counter_1' })
  assert.equal(await rawXml('Counter_1_DB'), before)
})
