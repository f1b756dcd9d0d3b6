/** Global libraries over the operations: files, archives, locks, several at once, libraries of TIA Portal. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isGatewayError } from '../../core/index.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { libraryArchive, smallArchive } from '../../test/tia-files.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
type Answer = any

const plc = { deviceName: 'PLC_1' }
const program = `TYPE "UDT_Valve"
VERSION : 0.1
   STRUCT
      open : Bool;
   END_STRUCT;
END_TYPE

FUNCTION_BLOCK "Valve"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR
      state : "UDT_Valve";
   END_VAR
BEGIN
	#state.open := TRUE;
END_FUNCTION_BLOCK
`

async function plant(t: TestContext) {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Plant' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...plc })
  await at.call('blocks.import', { ...plc, content: program })
  return { at, workspace: join(at.dir, 'workspace') }
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

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
    .sort()

const shown = async (at: TestGateway, library?: string) => {
  const which = library === undefined ? {} : { library }
  const { children } = await at.call<Answer>('libraries.tree-global', which)
  const { masterCopies } = await at.call<Answer>('libraries.list-global-master-copies', which)
  const { types } = await at.call<Answer>('libraries.list-global-types', which)
  return { children, masterCopies, types }
}

/** One object of each kind, a folder and a station in the library `Shared`. */
async function filled(t: TestContext) {
  const { at, workspace } = await plant(t)
  await at.call('blocks.create', { ...plc, name: 'Ladder', type: 'FC', language: 'LAD', folder: 'Line/Sub' })
  await at.call('tags.add', { ...plc, name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0' })
  await at.call('watch-tables.create', { ...plc, name: 'Look' })
  const { path } = await at.call<Answer>('libraries.create-global', { name: 'Shared', comment: 'ours' })
  const copy = (more: Record<string, unknown>) =>
    at.call<Answer>('libraries.create-global-master-copy', { ...plc, ...more })
  await copy({ objectName: 'Valve', folder: 'A/B' })
  await copy({ objectName: 'UDT_Valve', folder: 'A' })
  await copy({ objectName: 'Default tag table', kind: 'tag-table' })
  await copy({ objectName: 'Look', kind: 'watch-table', comment: 'a table' })
  await copy({ objectFolder: 'Line' })
  await copy({ name: 'Station' })
  await at.call('libraries.create-global-folder', { path: 'Empty/Deep' })
  await at.call('libraries.store-type-version', { ...plc, objectName: 'Valve', folder: 'T' })
  await at.call('libraries.store-type-version', { typeName: 'Valve', library: 'Shared', fromLibrary: 'project' })
  return { at, workspace, path: path as string }
}

test('a master copy of every kind and a type come back from folder and archive, and give equal objects', async (t) => {
  const { at, workspace, path } = await filled(t)
  const before = await shown(at)
  assert.equal((await failure(at.call('libraries.close-global'))).code, 'conflict')
  const saved = await at.call<Answer>('libraries.save-global', { library: 'shared' })
  assert.ok(saved.written > 10 && saved.removed === 0, JSON.stringify(saved))
  assert.equal((await at.call<Answer>('libraries.save-global')).written, 0)
  assert.match(readFileSync(join(path, 'types/T/Valve.type/1.0.0/block/Valve.scl'), 'utf8'), /FUNCTION_BLOCK "Valve"/)
  const { archivePath } = await at.call<Answer>('libraries.archive-global')
  assert.match(archivePath, /Shared\.zal\d\d$/)
  assert.equal((await failure(at.call('libraries.archive-global'))).code, 'name_taken')
  await at.call('libraries.close-global')
  assert.deepEqual(
    files(path).filter((file) => file.endsWith('.lock')),
    [],
  )

  const opened = await at.call<Answer>('libraries.open-global', { path })
  assert.deepEqual([opened.modifiedDate, opened.isModified, opened.savedAt], [opened.createdAt, false, undefined])
  assert.deepEqual(await shown(at), before)
  assert.equal((await at.call<Answer>('libraries.save-global')).written, 0)
  await at.call('libraries.close-global')

  const archived = await at.call<Answer>('libraries.open-global', { path: archivePath })
  assert.equal(archived.isReadOnly, true)
  assert.deepEqual(await shown(at), before)
  const readOnly = await failure(at.call('libraries.delete-global-master-copy', { name: 'Station' }))
  assert.match(readOnly.message, /read-only/)
  const unpacked = await at.call<Answer>('libraries.open-global', { path: archivePath, targetDirectory: 'elsewhere' })
  assert.deepEqual(
    files(unpacked.path).filter((file) => !file.endsWith('.lock')),
    files(path),
  )

  await at.call('libraries.instantiate-global-master-copy', { library: unpacked.id, name: 'Station', newName: 'PLC_2' })
  for (const blockName of ['Valve', 'Ladder']) {
    const text = async (deviceName: string) => {
      const { content } = await at.call<Answer>('blocks.export', { deviceName, blockName, format: 'xml' })
      assert.match(content, /<Document>/)
      return content
    }
    assert.equal(await text('PLC_2'), await text('PLC_1'))
  }
  const { tags } = await at.call<Answer>('tags.list-all', { deviceName: 'PLC_2' })
  assert.deepEqual(
    tags.map(({ name }: Answer) => name),
    ['Start'],
  )
  assert.ok(existsSync(join(workspace, 'elsewhere/Shared/Shared.gantrylib')))
  assert.equal((await at.call<Answer>('libraries.list-global')).total, 2)
  assert.match((await failure(shown(at, 'Shared'))).message, /2 open libraries/)
})

test('a type of a global library is instantiated by way of the project library', async (t) => {
  const { at } = await filled(t)
  await at.call('libraries.save-global')
  await at.call('projects.close', { force: true })
  assert.equal((await at.call<Answer>('libraries.list-global')).libraries[0].typeCount, 2)
  await at.call('projects.create', { name: 'Second' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...plc })
  const done = await at.call<Answer>('libraries.instantiate-global-type', { typeName: 'Valve', ...plc, folder: 'V' })
  assert.deepEqual(
    done.copied.map(({ type }: Answer) => type),
    ['UDT_Valve', 'Valve'],
  )
  assert.deepEqual(
    done.objects.map(({ name, action }: Answer) => `${name} ${action}`),
    ['UDT_Valve created', 'Valve created'],
  )
  const { types } = await at.call<Answer>('libraries.list-types')
  assert.deepEqual(
    types.map(({ name, instanceCount }: Answer) => [name, instanceCount]),
    [
      ['UDT_Valve', 1],
      ['Valve', 1],
    ],
  )
  // Another type of the name in the project is told before anything is copied.
  await at.call('libraries.delete-type', { typeName: 'Valve', force: true })
  await at.call('libraries.store-type-version', { ...plc, objectName: 'Valve', version: '3.0.0' })
  const refused = await failure(at.call('libraries.instantiate-global-type', { typeName: 'Valve', ...plc }))
  assert.match(refused.message, /different type of this name/)
  const used = await failure(at.call('libraries.delete-global-type', { typeName: 'UDT_Valve' }))
  assert.deepEqual([used.code, used.details.errors?.[0]?.value], ['conflict', 'Valve'])
  assert.deepEqual((await at.call<Answer>('libraries.delete-global-type', { typeName: 'valve' })).versions, ['1.0.0'])
  assert.equal((await at.call<Answer>('libraries.delete-global-type', { typeName: 'UDT_Valve' })).deleted, true)
  assert.equal((await at.call<Answer>('libraries.list-global-types')).total, 0)
  assert.equal((await failure(at.call('libraries.delete-global-type', { typeName: 'Valve' }))).code, 'not_found')
  await at.call('libraries.close-global', { save: true })
  assert.equal((await at.call<Answer>('blocks.content', { ...plc, blockName: 'Valve' })).name, 'Valve')
})

test('one writer at a time, and a lock that somebody took is noticed', async (t) => {
  const { at, path } = await filled(t)
  await at.call('libraries.save-global')
  const second = await openTestGateway(t, { workspace: [join(at.dir, 'workspace')] })
  const refused = await failure(second.call('libraries.open-global', { path }))
  assert.match(refused.message, /open for writing by test on /)
  const reader = await second.call<Answer>('libraries.open-global', { path, openMode: 'ReadOnly' })
  assert.equal(reader.masterCopyCount, 6)
  await second.call('libraries.close-global')
  await second.call('libraries.open-global', { path, takeLock: true })
  await at.call('libraries.delete-global-master-copy', { name: 'Station' })
  const late = await failure(at.call('libraries.save-global'))
  assert.equal(late.code, 'conflict')
  await second.call('libraries.delete-global-master-copy', { name: 'Line' })
  const saved = await second.call<Answer>('libraries.save-global')
  assert.ok(saved.removed > 0)
  assert.ok(!files(path).some((file) => file.includes('Line.copy')))
  await at.call('libraries.close-global', { force: true })
  assert.ok(files(path).includes('library.lock'))
  await second.call('libraries.close-global')
  assert.ok(!files(path).includes('library.lock'))
})

test('a library stays open over a restart and the end of the project', async (t) => {
  const { at } = await filled(t)
  const before = await shown(at)
  const again = await at.restart()
  assert.deepEqual(await shown(again), before)
  await again.call('libraries.close-global', { save: true })
  assert.match((await failure(shown(again))).message, /No global library is open/)
})

test('a global library of TIA Portal opens read-only: its master copies, and what of it is not read', async (t) => {
  const { at, workspace } = await plant(t)
  copyFileSync(libraryArchive, join(workspace, 'Mac.zal19'))
  const opened = await at.call<Answer>('libraries.open-global', { path: 'Mac.zal19' })
  assert.deepEqual([opened.name, opened.isReadOnly, opened.isModified], ['Lib_MAC_use_cases', true, false])
  assert.match(opened.warnings.join(), /Not read: 2 of the kind master copy of a station/)
  const { masterCopies } = await shown(at)
  assert.deepEqual(masterCopies.map((copy: Answer) => [copy.name, copy.kind, copy.author]).sort(), [
    ['Block_1', 'block', 'z003wkzf'],
    ['MAC_use_casesFB', 'block', 'z003wkzf'],
    ['MAC_use_casesFB_FailSafe', 'block', 'z003stzh'],
    ['myDataType', 'type', 'z003wkzf'],
  ])
  await at.call('libraries.instantiate-global-master-copy', { name: 'Block_1', ...plc })
  const { blocks } = await at.call<Answer>('blocks.list', plc)
  assert.ok(blocks.some((block: Answer) => block.name === 'Block_1'))
  // As a library of our own, in a folder, it can be written.
  const own = await at.call<Answer>('libraries.open-global', { path: 'Mac.zal19', targetDirectory: 'own' })
  assert.deepEqual([own.isReadOnly, existsSync(join(workspace, 'own/Lib_MAC_use_cases'))], [false, true])
  copyFileSync(smallArchive, join(workspace, 'Project.zal19'))
  const refused = await failure(at.call('libraries.open-global', { path: 'Project.zal19' }))
  assert.match(refused.message, /is a project of TIA Portal, not a library/)
})

test('what is no library, is damaged, newer, or of TIA Portal says so', async (t) => {
  const { at, workspace, path } = await filled(t)
  await at.call('libraries.close-global', { save: true })
  const open = (name: string) => failure(at.call('libraries.open-global', { path: name }))
  const manifest = join(path, 'Shared.gantrylib')
  const good = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, good.replace('"formatVersion": 1', '"formatVersion": 9'))
  assert.match((await open('Shared')).message, /newer Gantry/)
  writeFileSync(manifest, '{ "format"')
  assert.match((await open('Shared')).message, /not JSON/)
  writeFileSync(manifest, good)
  const type = join(path, 'types/T/Valve.type/type.json')
  const text = readFileSync(type, 'utf8')
  for (const [from, to, message] of [
    ['"defaultVersion": "1.0.0"', '"defaultVersion": "7.0.0"', /none of the versions/],
    ['"type": "UDT_Valve"', '"type": "UDT_Gone"', /depends on UDT_Gone/],
    ['block/Valve.scl', '../../Valve.scl', /not there/],
    ['"status": "released"', '"status": "lost"', /status/],
  ] as const) {
    assert.ok(text.includes(from), from)
    writeFileSync(type, text.replace(from, to))
    const refused = await open('Shared')
    assert.deepEqual([refused.code, message.test(refused.message)], ['unacceptable_content', true], refused.message)
  }
  writeFileSync(type, text)
  writeFileSync(join(path, 'types/T/Valve.type/1.0.0/block/Valve.scl'), 'FUNCTION_BLOCK "Valve"\nVAR\n')
  assert.match((await open('Shared')).message, /Valve\.scl/)

  writeFileSync(
    join(workspace, 'Old.al19'),
    '<?xml version="1.0"?><Data Type="Library" Name="Old" ProjectCompatibilityVersion="19.0.0.0" />',
  )
  const tia = await open('Old.al19')
  assert.deepEqual(
    [tia.code, /global library of TIA Portal V19 \("Old"\)/.test(tia.message)],
    ['unacceptable_content', true],
  )
  assert.match(tia.details.suggestion ?? '', /whole project folder/)
  writeFileSync(join(workspace, 'Broken.zal19'), 'PK no zip')
  assert.equal((await open('Broken.zal19')).code, 'unacceptable_content')
  assert.equal((await open('nowhere')).code, 'not_found')
  assert.equal((await open('Plant')).code, 'unacceptable_content')
  for (const name of ['', 'a/b', 'CON', ' x'])
    assert.equal((await failure(at.call('libraries.create-global', { name }))).code, 'invalid_input', name)
  assert.equal((await failure(at.call('libraries.create-global', { name: 'Shared' }))).code, 'name_taken')
})
