/** The library of a project over the operations: master copies, types with versions, instances, compare. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { isGatewayError } from '../../core/index.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { devices } from '../devices/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
type Answer = any

const plc = { deviceName: 'PLC_1' }
const other = { deviceName: 'PLC_2' }

const program = `TYPE "UDT_Motor"
VERSION : 0.1
   STRUCT
      run : Bool;   // runs
      speed : Real := 10.0;
   END_STRUCT;
END_TYPE

FUNCTION "Scale" : Real
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT
      raw : Int;
   END_VAR
BEGIN
	#Scale := INT_TO_REAL(#raw) / 10.0;
END_FUNCTION

FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT
      start : Bool;
   END_VAR
   VAR
      data : "UDT_Motor";
   END_VAR
BEGIN
	// keeps running
	#data.run := #start;
	#data.speed := "Scale"(raw := 5);
END_FUNCTION_BLOCK

DATA_BLOCK "Motor_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Motor"
BEGIN
END_DATA_BLOCK
`

/** A gateway with a project, PLC_1 with the program above, and an empty PLC_2. */
async function plant(t: TestContext) {
  const at = await openTestGateway(t)
  const { path } = await at.call<Answer>('projects.create', { name: 'Plant' })
  for (const deviceName of ['PLC_1', 'PLC_2'])
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName })
  await at.call('blocks.import', { ...plc, content: program })
  return { at, path: path as string }
}

async function failure(run: Promise<unknown>) {
  try {
    await run
  } catch (error) {
    assert.ok(isGatewayError(error), String(error))
    return error
  }
  throw new Error('it did not fail')
}

const blockText = async (at: TestGateway, deviceName: string, blockName: string) => {
  const { content } = await at.call<Answer>('blocks.export', { deviceName, blockName, format: 'xml' })
  assert.match(content, /<Document>/)
  return content as string
}
const copy = (at: TestGateway, more: Record<string, unknown>) => at.call<Answer>('libraries.create-master-copy', more)
const instantiate = (at: TestGateway, more: Record<string, unknown>) =>
  at.call<Answer>('libraries.instantiate-master-copy', more)
const version = (at: TestGateway, more: Record<string, unknown>) =>
  at.call<Answer>('libraries.store-type-version', more)
const names = (objects: readonly Answer[]) => objects.map(({ name, action }) => `${name} ${action}`).sort()
const change = (at: TestGateway, from: string, to: string, deviceName = 'PLC_1') =>
  at.call('blocks.import', { deviceName, content: program.replace(from, to), overwrite: true })

describe('master copies', () => {
  test('an object comes back equal to the last character, with what it uses', async (t) => {
    const { at } = await plant(t)
    const made = await copy(at, { ...plc, objectName: 'motor_db', folder: 'Drives/Small', comment: 'first' })
    assert.deepEqual(
      [made.path, made.kind, made.type, made.objectCount, made.dependencyCount, made.action],
      ['Drives/Small/Motor_DB', 'block', 'InstanceDB', 1, 3, 'created'],
    )
    const done = await instantiate(at, { mcPath: 'Drives/Small/Motor_DB', ...other, folder: 'A/B' })
    assert.deepEqual(names(done.objects), ['Motor created', 'Motor_DB created', 'Scale created', 'UDT_Motor created'])
    for (const name of ['Motor', 'Motor_DB', 'Scale'])
      assert.equal(await blockText(at, 'PLC_2', name), await blockText(at, 'PLC_1', name))
    const again = await instantiate(at, { name: 'Motor_DB', ...other })
    assert.ok(again.objects.every(({ action }: Answer) => action === 'unchanged'))
    const { blocks } = await at.call<Answer>('blocks.list', other)
    assert.ok(blocks.every(({ folder }: Answer) => folder === 'A/B'))
  })

  test('what is in the way is told before anything is stored, and each choice does what it says', async (t) => {
    const { at } = await plant(t)
    await copy(at, { ...plc, objectName: 'Motor' })
    await change(at, 'speed : Real := 10.0', 'speed : LReal := 1.0', 'PLC_2')
    await at.call('blocks.delete', { ...other, blockName: 'Motor', force: true })
    const refused = await failure(instantiate(at, { name: 'Motor', ...other }))
    assert.equal(refused.code, 'conflict')
    const [fault] = refused.details.errors ?? []
    assert.deepEqual(
      [fault?.code, fault?.value, fault?.allowed],
      ['exists', 'UDT_Motor', ['overwrite', 'rename', 'keep']],
    )
    assert.equal((await failure(at.call('blocks.content', { ...other, blockName: 'Motor' }))).code, 'not_found')

    const renamed = await instantiate(at, { name: 'Motor', ...other, onConflict: 'rename' })
    assert.deepEqual(names(renamed.objects), ['Motor created', 'Scale unchanged', 'UDT_Motor_1 created'])
    const motor = await at.call<Answer>('blocks.source', { ...other, blockName: 'Motor' })
    assert.match(motor.sourceText, /data : "UDT_Motor_1"/)
    const compiled = await at.call<Answer>('blocks.compile-device', other).catch((error) => error)
    assert.equal(compiled.errorCount, 0)

    const kept = await instantiate(at, {
      name: 'Motor',
      ...other,
      choices: [
        { name: 'UDT_Motor', choice: 'keep' },
        { name: 'Motor', choice: 'overwrite' },
      ],
    })
    assert.deepEqual(names(kept.objects), ['Motor replaced', 'Scale unchanged', 'UDT_Motor kept'])
    const replaced = await instantiate(at, { name: 'Motor', ...other, onConflict: 'overwrite' })
    assert.deepEqual(names(replaced.objects), ['Motor unchanged', 'Scale unchanged', 'UDT_Motor replaced'])
  })

  test('a name that a tag has, and a number that is taken, are in the way', async (t) => {
    const { at } = await plant(t)
    await copy(at, { ...plc, objectName: 'Scale' })
    await at.call('tags.add', { ...other, tableName: 'Default tag table', name: 'Scale', dataType: 'Bool' })
    const refused = await failure(instantiate(at, { name: 'Scale', ...other, onConflict: 'overwrite' }))
    assert.deepEqual(
      refused.details.errors?.map(({ code, allowed }) => [code, allowed]),
      [['name_taken', ['rename', 'keep']]],
    )
    const done = await instantiate(at, { name: 'Scale', ...other, newName: 'Scale_2' })
    assert.deepEqual(names(done.objects), ['Scale_2 created'])
    assert.equal(done.objects[0].originalName, 'Scale')
    const fixed = (deviceName: string, name: string) =>
      at.call('blocks.create', { deviceName, name, type: 'FC', language: 'LAD', number: 77 })
    await fixed('PLC_1', 'Fixed')
    await fixed('PLC_2', 'Holder')
    await copy(at, { ...plc, objectName: 'Fixed' })
    const taken = await failure(instantiate(at, { name: 'Fixed', ...other }))
    assert.deepEqual([taken.details.errors?.[0]?.code, /FC 77/.test(taken.message)], ['number_taken', true])
    const numbered = await instantiate(at, { name: 'Fixed', ...other, onConflict: 'rename' })
    assert.deepEqual([numbered.objects[0].name, numbered.objects[0].number], ['Fixed', 78])
    assert.match(
      (await at.call<Answer>('blocks.source', { ...other, blockName: 'Scale_2' })).sourceText,
      /"Scale_2" : Real/,
    )
  })

  test('folders of objects and whole stations, with tables', async (t) => {
    const { at } = await plant(t)
    await at.call('tags.create-table', { ...plc, tableName: 'Inputs', folder: 'IO' })
    await at.call('tags.add', {
      ...plc,
      tableName: 'Inputs',
      name: 'Start',
      dataType: 'Bool',
      logicalAddress: '%I0.0',
    })
    await at.call('watch-tables.create', { ...plc, tableName: 'Look' })
    await at.call('blocks.import', {
      ...plc,
      content: 'FUNCTION "Deep" : Void\nVERSION : 0.1\nBEGIN\n\t;\nEND_FUNCTION\n',
      folder: 'Line/Deep',
    })
    const folder = await copy(at, { ...plc, objectFolder: 'Line' })
    assert.deepEqual([folder.kind, folder.objectCount], ['folder', 1])
    await instantiate(at, { name: 'Line', ...other, folder: 'Below' })
    assert.equal((await at.call<Answer>('blocks.content', { ...other, blockName: 'Deep' })).folder, 'Below/Line/Deep')

    const station = await copy(at, { ...plc, name: 'Station' })
    assert.equal(station.kind, 'device')
    assert.equal((await failure(instantiate(at, { name: 'Station' }))).code, 'conflict')
    const done = await instantiate(at, { name: 'Station', newName: 'PLC_9' })
    assert.deepEqual([done.newDevice, done.deviceName], [true, 'PLC_9'])
    for (const name of ['Motor', 'Motor_DB', 'Scale', 'Deep'])
      assert.equal(await blockText(at, 'PLC_9', name), await blockText(at, 'PLC_1', name))
    const tables = async (deviceName: string) => {
      const text = await at.call<string>('tags.export-xml', { deviceName, tableName: 'Inputs' })
      assert.match(text, /%I0\.0/)
      return text
    }
    assert.equal(await tables('PLC_9'), await tables('PLC_1'))
    const { watchTables } = await at.call<Answer>('watch-tables.list', { deviceName: 'PLC_9' })
    assert.deepEqual(
      watchTables.map(({ name }: Answer) => name),
      ['Look'],
    )
    assert.equal(
      (await at.call<Answer>('blocks.content', { deviceName: 'PLC_9', blockName: 'Deep' })).folder,
      'Line/Deep',
    )
    await at.call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', deviceName: 'Panel' })
    assert.equal((await copy(at, { deviceName: 'Panel' })).objectCount, 0)
    assert.equal((await instantiate(at, { name: 'Panel', onConflict: 'rename' })).deviceName, 'Panel_1')
    assert.equal((await failure(instantiate(at, { name: 'Line', deviceName: 'Panel' }))).code, 'conflict')
    // Two tables with the same tags cannot be on one device.
    await copy(at, { ...plc, objectName: 'Inputs', kind: 'tag-table' })
    const twice = await failure(instantiate(at, { name: 'Inputs', ...plc, newName: 'Inputs 2' }))
    assert.match(twice.message, /row "Start"/)
  })

  test('stations that are made of a copy in one millisecond come one after the other', async (t) => {
    const now = 1_800_000_000_000
    const at = await openTestGateway(t, { clock: () => now })
    await at.call('projects.create', { name: 'Plant' })
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
    const made = await copy(at, { ...plc, name: 'Station' })
    for (const newName of ['Z', 'A']) await instantiate(at, { name: 'Station', newName })
    const all = [...at.gateway.state.read(devices).values()]
    assert.deepEqual(
      all.map(({ name, createdAt }) => [name, createdAt - now]),
      [
        ['PLC_1', 0],
        ['Z', 1],
        ['A', 2],
      ],
    )
    assert.equal(Date.parse(made.createdAt), now)
  })

  test('the list has pages; a copy is deleted by name or path; bad input says what is right', async (t) => {
    const { at } = await plant(t)
    await copy(at, { ...plc, objectName: 'Scale' })
    await copy(at, { ...plc, objectName: 'Scale', folder: 'A' })
    await copy(at, { ...plc, objectName: 'Motor', folder: 'A', withDependencies: false })
    assert.equal((await failure(copy(at, { ...plc, objectName: 'Scale', folder: 'a' }))).code, 'name_taken')
    assert.equal((await copy(at, { ...plc, objectName: 'Scale', folder: 'a', overwrite: true })).action, 'replaced')
    const first = await at.call<Answer>('libraries.list-master-copies', { limit: 2 })
    assert.deepEqual([first.total, first.masterCopies.map(({ path }: Answer) => path)], [3, ['A/Motor', 'A/Scale']])
    const next = await at.call<Answer>('libraries.list-master-copies', { limit: 2, cursor: first.nextCursor })
    assert.deepEqual(
      next.masterCopies.map(({ path }: Answer) => path),
      ['Scale'],
    )
    await at.call('libraries.create-folder', { path: 'A/Empty' })
    assert.equal((await failure(at.call('libraries.create-folder', { path: 'a/empty' }))).code, 'name_taken')
    const tree = await at.call<Answer>('libraries.tree')
    assert.deepEqual(
      tree.children[0].children.map(({ name, isFolder, children }: Answer) => [name, isFolder, children.length]),
      [
        ['A', true, 3],
        ['Scale', false, 0],
      ],
    )
    assert.equal((await at.call<Answer>('libraries.get')).masterCopyCount, 3)
    assert.equal((await at.call<Answer>('libraries.delete-master-copy', { name: 'A/Scale' })).path, 'A/Scale')
    assert.equal((await at.call<Answer>('libraries.delete-master-copy', { name: 'scale' })).path, 'Scale')
    assert.match((await failure(at.call('libraries.delete-master-copy', { name: 'A/Moto' }))).message, /Motor/)
    for (const wrong of [
      {},
      { ...plc, objectName: 'Motor', objectFolder: 'X' },
      { ...plc, objectName: 'Motor', name: 'a/b' },
      { ...plc, objectName: 'Motor', kind: 'screen' },
    ])
      assert.equal((await failure(copy(at, wrong))).code, 'invalid_input')
    assert.equal((await failure(copy(at, { ...plc, objectName: 'Motr' }))).code, 'not_found')
  })
})

describe('types', () => {
  test('versions, instances and what they depend on', async (t) => {
    const { at } = await plant(t)
    const made = await version(at, { ...plc, objectName: 'Motor', folder: 'Drives' })
    assert.deepEqual(
      [made.version, made.status, made.action, made.defaultVersion],
      ['1.0.0', 'released', 'created', '1.0.0'],
    )
    assert.deepEqual(made.alsoStored.map(({ type }: Answer) => type).sort(), ['Scale', 'UDT_Motor'])
    assert.deepEqual(made.versions[0].dependencies.map(({ type }: Answer) => type).sort(), ['Scale', 'UDT_Motor'])
    assert.equal((await version(at, { ...plc, objectName: 'Motor' })).action, 'unchanged')
    const { instances, consistent } = await at.call<Answer>('libraries.consistency')
    assert.deepEqual([instances.length, consistent], [3, true])

    const done = await at.call<Answer>('libraries.instantiate-type', { typeName: 'Motor', ...other })
    assert.deepEqual(names(done.objects), ['Motor created', 'Scale created', 'UDT_Motor created'])
    assert.equal(await blockText(at, 'PLC_2', 'Motor'), await blockText(at, 'PLC_1', 'Motor'))

    await change(at, '#data.run := #start;', '#data.run := NOT #start;')
    const changed = await at.call<Answer>('libraries.consistency', { ...plc, typeName: 'Motor' })
    assert.deepEqual([changed.instances[0].status, changed.instances[0].aspects], ['changed', ['code']])
    const next = await version(at, { ...plc, objectName: 'Motor' })
    assert.deepEqual([next.version, next.defaultVersion, next.alsoStored.length], ['1.0.1', '1.0.1', 0])
    const outdated = await at.call<Answer>('libraries.consistency', { typeName: 'Motor' })
    assert.deepEqual(
      outdated.instances.map(({ deviceName, status }: Answer) => `${deviceName} ${status}`),
      ['PLC_1 upToDate', 'PLC_2 outdated'],
    )

    const tried = await at.call<Answer>('libraries.update-instances', { ...other, dryRun: true })
    assert.deepEqual(
      tried.result.updated.map(({ name, from, to, aspects }: Answer) => [name, from, to, aspects]),
      [['Motor', '1.0.0', '1.0.1', ['code']]],
    )
    assert.notEqual(await blockText(at, 'PLC_2', 'Motor'), await blockText(at, 'PLC_1', 'Motor'))
    await at.call('libraries.update-instances', {})
    assert.equal(await blockText(at, 'PLC_2', 'Motor'), await blockText(at, 'PLC_1', 'Motor'))
    const back = await at.call<Answer>('libraries.update-instances', { ...other, typeName: 'Motor', version: '1.0.0' })
    assert.deepEqual([back.updated.length, back.updated[0].to], [1, '1.0.0'])
    const set = await at.call<Answer>('libraries.set-default-version', { typeName: 'Motor', version: '1.0.0' })
    assert.deepEqual([set.defaultVersion, set.changed], ['1.0.0', true])
  })

  test('an instance that was changed is not overwritten without a choice', async (t) => {
    const { at } = await plant(t)
    await version(at, { ...plc, objectName: 'Scale' })
    await at.call('libraries.instantiate-type', { typeName: 'Scale', ...other, newName: 'Skala' })
    const scale = (name: string, by: string) =>
      `FUNCTION "${name}" : Real\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n   VAR_INPUT\n      raw : Int;\n   END_VAR\nBEGIN\n\t#${name} := INT_TO_REAL(#raw) / ${by};\nEND_FUNCTION\n`
    await at.call('blocks.import', { ...other, content: scale('Skala', '20.0') })
    await at.call('blocks.import', { ...plc, content: scale('Scale', '30.0') })
    await version(at, { ...plc, objectName: 'Scale' })
    const refused = await failure(at.call('libraries.update-instances', {}))
    assert.deepEqual([refused.code, refused.details.errors?.[0]?.code], ['conflict', 'exists'])
    const kept = await at.call<Answer>('libraries.update-instances', { onConflict: 'keep' })
    assert.deepEqual(
      kept.updated.map(({ name, action }: Answer) => [name, action]),
      [['Skala', 'kept']],
    )
    assert.match((await at.call<Answer>('blocks.source', { ...other, blockName: 'Skala' })).sourceText, /20\.0/)
    await at.call('libraries.update-instances', { onConflict: 'overwrite' })
    assert.match(
      (await at.call<Answer>('blocks.source', { ...other, blockName: 'Skala' })).sourceText,
      /"Skala"[\s\S]*30\.0/,
    )
    assert.equal((await at.call<Answer>('libraries.consistency')).consistent, true)
  })

  test('a type in use is not deleted; work in progress can be replaced; a released version cannot', async (t) => {
    const { at } = await plant(t)
    await version(at, { ...plc, objectName: 'Motor' })
    const used = await failure(at.call('libraries.delete-type', { typeName: 'UDT_Motor' }))
    assert.equal(used.code, 'conflict')
    assert.deepEqual(used.details.errors?.map(({ value }) => value).sort(), ['Motor', 'UDT_Motor'])
    const gone = await at.call<Answer>('libraries.delete-type', { typeName: 'UDT_Motor', force: true })
    assert.equal(gone.users.length, 2)
    const { types } = await at.call<Answer>('libraries.list-types')
    assert.deepEqual(
      types.map(({ name }: Answer) => name),
      ['Motor', 'Scale'],
    )
    assert.deepEqual(
      types[0].versions[0].dependencies.map(({ type }: Answer) => type),
      ['Scale'],
    )
    assert.equal((await at.call<Answer>('types.get', { ...plc, udtName: 'UDT_Motor' })).name, 'UDT_Motor')
    await at.call('blocks.delete', { ...plc, blockName: 'Motor', force: true })
    assert.equal((await at.call<Answer>('libraries.delete-type', { typeName: 'Motor' })).deleted, true)

    const open = await version(at, { ...plc, objectName: 'Scale', version: '2.0.0', status: 'inWork' })
    assert.deepEqual([open.status, open.defaultVersion], ['inWork', '1.0.0'])
    const again = await version(at, { ...plc, objectName: 'Scale', version: '2.0.0', status: 'released' })
    assert.deepEqual([again.action, again.status, again.defaultVersion], ['changed', 'released', '2.0.0'])
    await change(at, '/ 10.0', '/ 20.0')
    // An older version that is stored later leaves the default as it is.
    const older = await version(at, { ...plc, objectName: 'Scale', version: '1.5.0' })
    assert.deepEqual([older.version, older.action, older.defaultVersion], ['1.5.0', 'created', '2.0.0'])
    assert.equal((await failure(version(at, { ...plc, objectName: 'Scale', version: '2.0.0' }))).code, 'name_taken')
    const one = await at.call<Answer>('libraries.delete-type', { typeName: 'Scale', version: '1.0.0' })
    assert.deepEqual(one.versions, ['1.0.0'])
    assert.equal((await failure(version(at, { ...plc, objectName: 'Motor_DB' }))).code, 'unacceptable_content')
    assert.equal((await failure(version(at, { ...plc, objectName: 'Scale', version: '2' }))).code, 'invalid_input')
    assert.equal(
      (await failure(at.call('libraries.instantiate-type', { typeName: 'Scal', ...other }))).code,
      'not_found',
    )
  })

  test('compare: versions, a version and its instance, a master copy and an object', async (t) => {
    const { at } = await plant(t)
    await version(at, { ...plc, objectName: 'Motor' })
    await copy(at, { ...plc, objectName: 'Motor' })
    await at.call('blocks.import', {
      ...plc,
      content: program
        .replace('// keeps running', '// runs')
        .replace('start : Bool;', 'start : Bool;\n      stop : Bool;')
        .replace('(raw := 5);', '(raw := 6);'),
    })
    await version(at, { ...plc, objectName: 'Motor' })
    const found = await at.call<Answer>('libraries.compare', {
      typeName: 'Motor',
      version: '1.0.0',
      otherVersion: '1.0.1',
    })
    assert.deepEqual(
      [found.identical, found.sameMeaning, found.aspects],
      [false, false, ['code', 'interface', 'comments']],
    )
    assert.deepEqual(
      found.differences.map(({ path, change: what }: Answer) => `${path} ${what}`),
      ['network 1, statement 2 changed', 'Input.stop added', 'network 1, in the code changed'],
    )
    assert.match(found.text, /interface\n {2}\+ Input\.stop: Bool/)
    const same = await at.call<Answer>('libraries.compare', {
      left: { typeName: 'Motor' },
      right: { ...plc, objectName: 'Motor' },
    })
    assert.equal(same.identical, true)
    const old = await at.call<Answer>('libraries.compare', {
      left: { masterCopy: 'Motor' },
      right: { ...plc, objectName: 'Motor' },
    })
    assert.deepEqual(old.aspects, found.aspects)
    for (const wrong of [
      {},
      { left: { typeName: 'Motor' }, right: { deviceName: 'PLC_1' } },
      { typeName: 'Motor', otherTypeName: 'UDT_Motor' },
    ])
      assert.equal((await failure(at.call('libraries.compare', wrong))).code, 'invalid_input')
  })
})

/** Files that a save writes anew, with what they were. */
async function savedChanges(at: TestGateway, path: string) {
  const { readFileSync, readdirSync } = await import('node:fs')
  const all = () =>
    new Map(
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => [`${one.parentPath}/${one.name}`, readFileSync(`${one.parentPath}/${one.name}`, 'utf8')]),
    )
  const before = all()
  await at.call('projects.save')
  const after = all()
  return { changes: [...after].filter(([name, text]) => before.get(name) !== text).map(([name]) => name) }
}

test('the library is saved with its project and comes back as it was', async (t) => {
  const { at, path } = await plant(t)
  await at.call('blocks.import', { ...plc, content: program, folder: 'Line' })
  await version(at, { ...plc, objectName: 'Motor', folder: 'Drives', comment: 'one' })
  await change(at, '#data.run := #start;', '#data.run := NOT #start;')
  await version(at, { ...plc, objectName: 'Motor' })
  await at.call('libraries.instantiate-type', { typeName: 'Motor', version: '1.0.0', ...other, newName: 'Motor_9' })
  await change(at, '/ 10.0', '/ 20.0')
  await copy(at, { ...plc, name: 'Station', folder: 'All' })
  await copy(at, { ...plc, objectName: 'Motor_DB' })
  await at.call('libraries.create-folder', { path: 'Empty.copy/Deep' })
  const shown = async () => ({
    tree: await at.call('libraries.tree'),
    types: await at.call('libraries.list-types'),
    copies: await at.call('libraries.list-master-copies'),
    instances: await at.call<Answer>('libraries.consistency'),
  })
  const before = await shown()
  await at.call('projects.close', { save: true })
  await at.call('projects.open', { path })
  assert.deepEqual(await shown(), before)
  assert.equal((await at.call<Answer>('projects.list')).projects[0].isModified, false)
  const { changes } = await savedChanges(at, path)
  assert.deepEqual(changes, [])
  await instantiate(at, { name: 'Station', newName: 'PLC_7' })
  assert.equal(await blockText(at, 'PLC_7', 'Motor'), await blockText(at, 'PLC_1', 'Motor'))

  // The list of instances may be edited by hand, or merged.
  await at.call('projects.close', { force: true })
  const list = join(path, 'library/instances.json')
  const saved = readFileSync(list, 'utf8')
  for (const [text, faults] of [
    ['{', ['library/instances.json 1 is not JSON: the text ends before "}"']],
    ['{}', ['library/instances.json undefined must be a list']],
    [
      '[{ "id": 1 }, 5, { "id": "i", "deviceId": "d", "kind": "block", "typeId": "t", "version": 1, "document": "x" }]',
      ['#/0/id', '#/1/id', '#/2/version'].map((place) => `library/instances.json${place} undefined must be text`),
    ],
  ] as const) {
    writeFileSync(list, text)
    const refused = await failure(at.call('projects.open', { path }))
    assert.equal(refused.code, 'unacceptable_content')
    const told = refused.details.errors?.map((fault) => `${fault.path} ${fault.line} ${fault.message}`)
    assert.deepEqual(told, faults)
  }
  const rows = JSON.parse(saved) as Record<string, string>[]
  const others = rows.map((row, i) => ({ ...row, ...[{ id: 'gone' }, { typeId: 'gone' }, { version: '7.7.7' }][i] }))
  const lost = [...others.slice(0, 3), { ...rows[3]!, document: `sha256:${'0'.repeat(64)}` }, ...rows.slice(4)]
  writeFileSync(list, `\uFEFF${JSON.stringify(lost)}`)
  const { warnings } = await at.call<Answer>('projects.open', { path })
  assert.deepEqual(
    warnings.filter((one: string) => one.startsWith('library/')),
    ['library/instances.json: 4 entries name objects, types or texts that are not there; left out.'],
  )
  const left = await at.call<Answer>('libraries.consistency')
  assert.deepEqual([left.total, left.total + 4], [rows.length - 4, before.instances.total])
})
