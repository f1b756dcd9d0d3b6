/** Uploads: what was downloaded comes back, into the same project and into an empty one. */
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fails } from '../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import {
  type Answer,
  address,
  newProject,
  plc,
  savedFiles,
  withController,
  withDownload,
  withProject,
} from '../../test/online.ts'

const fixture = fileURLToPath(new URL('../../test/fixtures/ikea-vyatka-sorting', import.meta.url))
const upload = (at: TestGateway, more: Answer = {}) => at.call<Answer>('online.upload', { ...plc, ...more })
const change = (at: TestGateway, content: string) => at.call('blocks.import', { ...plc, content, overwrite: true })
const data = (name: string, members: string) =>
  `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

/** Closes the project and makes an empty one. */
async function emptyProject(at: TestGateway) {
  await at.call('projects.close', { force: true })
  await at.call('projects.create', { name: 'Empty', path: `${at.dir}/workspace` })
}

test('an upload into an empty project makes the device and gives back every file, byte for byte', async (t) => {
  const { at, controller } = await withDownload(t)
  const before = await savedFiles(at)
  await emptyProject(at)
  await fails(
    upload(at),
    'device_unreachable',
    /no device "PLC_1" whose address could be used.*"Sim" \(Stop; 192\.168\.0\.1\)/,
  )
  const done = await upload(at, { ipAddress: address })
  assert.deepEqual(
    [done.newDevice, done.created + done.replaced, done.programHash, done.source.project],
    [true, 7, controller.program?.hash, 'Line'],
  )
  assert.deepEqual(await savedFiles(at), before)
  await at.call('projects.simulation-support', {})
  // Compiled again it is the same program; the device has its address.
  const again = await at.call<Answer>('online.download', { ...plc, compile: true })
  assert.deepEqual([again.programHash, again.upToDate], [done.programHash, true])
  assert.equal((await at.call<Answer>('online.compare', plc)).identical, true)
})

test('an address that another device has is told when an upload makes a device with it', async (t) => {
  const { at } = await withDownload(t)
  await emptyProject(at)
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'Other' })
  const { warnings } = await upload(at, { deviceName: 'Copy', ipAddress: address })
  assert.deepEqual(warnings, [
    `${address} of "Copy" (X1) is also the address of "Other" (X1): give one of them another.`,
  ])
  await at.call('devices.configure-network', { deviceName: 'Other', ipAddress: '192.168.0.77' })
  assert.deepEqual((await upload(at, { deviceName: 'Third', ipAddress: '192.168.0.1' })).warnings.length, 1)
  await at.call('devices.delete', { deviceName: 'Third' })
  await at.call('devices.delete', { deviceName: 'Copy' })
  assert.deepEqual((await upload(at, { deviceName: 'Fourth', ipAddress: address })).warnings, [])
})

test('a real program comes back under another name, with formats, folders, numbers and the default table', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Sorting')
  await withController(at)
  for (const name of await readdir(fixture)) {
    if (name === 'LICENSE') continue
    const content = (await readFile(join(fixture, name))).toString('utf8')
    await at.call('blocks.import', { ...plc, content, folder: 'Line/Sorting', continueOnError: true })
  }
  await at.call('tags.create-table', { ...plc, name: 'Other', folder: 'Tags' })
  const { errorCount } = await at.call<Answer>('blocks.compile-device', plc)
  // What the fixture needs and has not is left out.
  for (let i = 0; i < 10 && errorCount > 0; i++) {
    const { blocks } = await at.call<Answer>('blocks.list', plc)
    const faulty = blocks.filter(({ compileStatus }: Answer) => compileStatus === 'error')
    if (faulty.length === 0) break
    for (const { name } of faulty) await at.call('blocks.delete', { ...plc, blockName: name, force: true })
    await at.call('blocks.compile-device', plc)
  }
  const { programHash } = await at.call<Answer>('online.download', plc)
  const before = await savedFiles(at)
  assert(Object.keys(before).length > 8, Object.keys(before).join())
  await emptyProject(at)
  const done = await upload(at, { deviceName: 'Copy', ipAddress: address })
  assert.deepEqual([done.deviceName, done.programHash], ['Copy', programHash])
  const after = await savedFiles(at, 'Copy')
  const { 'device.json': own = '', ...files } = before
  const { 'device.json': other = '', ...copied } = after
  assert.deepEqual(copied, files)
  assert.equal(other.replace('"Copy"', '"PLC_1"'), own)
})

test('what differs is in the way: all of it is told, nothing is done; overwrite replaces it', async (t) => {
  const { at } = await withDownload(t)
  const before = await savedFiles(at)
  assert.deepEqual([(await upload(at)).unchanged], [7])
  await change(at, data('Data', 'other : Int;'))
  await at.call('tags.update', { ...plc, tableName: 'Default tag table', tagName: 'Start', newName: 'Begin' })
  await at.call('blocks.delete', { ...plc, blockName: 'Counter_DB', force: true })
  await change(at, data('Mine', 'x : Int;'))
  const error = await fails(upload(at), 'conflict', /Nothing was uploaded/)
  const paths = error.details.errors?.map(({ path }) => path)
  // Main uses the tag that was renamed.
  assert.deepEqual(paths?.slice(0, 3), ['tag table "Default tag table"', 'OB "Main"', 'GlobalDB "Data"'])
  assert.equal(
    (await at.call<Answer>('blocks.list', plc)).blocks.some(({ name }: Answer) => name === 'Counter_DB'),
    false,
  )
  await at.call('blocks.delete', { ...plc, blockName: 'Mine' })
  const planned = (await upload(at, { overwrite: true, dryRun: true })).result
  assert.deepEqual([planned.created, planned.replaced], [1, 3])
  const done = await upload(at, { overwrite: true })
  assert.deepEqual([done.created, done.replaced, done.unchanged], [1, 3, 3])
  const action = (name: string) => done.objects.find((object: Answer) => object.name === name).action
  assert.deepEqual([action('Counter_DB'), action('Data'), action('Counter')], ['created', 'replaced', 'unchanged'])
  // The index also says when an object was changed last.
  const files = ({ 'blocks/index.json': _, ...rest }: Record<string, string>) => rest
  assert.deepEqual(files(await savedFiles(at)), files(before))
  assert.equal((await at.call<Answer>('online.compare', plc)).identical, true)
})

test('what is only in the project stays, unless its name or number is that of something uploaded', async (t) => {
  const { at } = await withDownload(t)
  await change(at, data('Mine', 'x : Int;'))
  assert.deepEqual((await upload(at)).onlyOffline, [{ category: 'block', name: 'Mine' }])
  await at.call('blocks.delete', { ...plc, blockName: 'Counter_DB', force: true })
  await change(at, data('Thief', 'x : Int;'))
  const { blocks } = await at.call<Answer>('blocks.list', plc)
  assert.equal(blocks.find(({ name }: Answer) => name === 'Thief').number, 2)
  await fails(upload(at), 'conflict', /its number 2 is that of GlobalDB "Thief"/)
  await at.call('blocks.delete', { ...plc, blockName: 'Thief' })
  await at.call('tags.create-table', { ...plc, name: 'More' })
  await at.call('tags.add', {
    ...plc,
    tableName: 'More',
    name: 'Counter_DB',
    dataType: 'Bool',
    logicalAddress: '%M5.0',
  })
  await fails(upload(at), 'conflict', /the name "Counter_DB" is taken by tag table "More"/)
})

test('tags that moved to another table and blocks that swapped their numbers come back as they were', async (t) => {
  const at = await withProject(t)
  await withController(at)
  await at.call('tags.create-table', { ...plc, name: 'More' })
  const table = async (tagName: string) => {
    const { tags } = await at.call<Answer>('tags.list-all', plc)
    return tags.find(({ name }: Answer) => name === tagName)?.tableName
  }
  await at.call('online.download', { ...plc, compile: true })
  for (const [from, to, name] of [
    ['Default tag table', 'More', 'Start'],
    ['Default tag table', 'More', 'Lamp'],
  ] as const) {
    const { tags } = await at.call<Answer>('tags.list', { ...plc, tableName: from })
    const { dataType, logicalAddress } = tags.find((tag: Answer) => tag.name === name)
    await at.call('tags.delete', { ...plc, tableName: from, tagName: name, force: true })
    await at.call('tags.add', { ...plc, tableName: to, name, dataType, logicalAddress })
  }
  const numbered = async () => {
    const { blocks } = await at.call<Answer>('blocks.list', plc)
    return Object.fromEntries(blocks.map(({ name, number }: Answer) => [name, number]))
  }
  const before = await numbered()
  const swapped = async (name: string, number: number) => {
    const { content } = await at.call<Answer>('blocks.export', { ...plc, blockName: name })
    const text = content
      .replace(/<Number>\d+</, `<Number>${number}<`)
      .replace(/<AutoNumber>true</, '<AutoNumber>false<')
    return text as string
  }
  const [a, b] = [await swapped('Data', before.Counter_DB), await swapped('Counter_DB', before.Data)]
  await at.call('blocks.delete', { ...plc, blockName: 'Data', force: true })
  await at.call('blocks.delete', { ...plc, blockName: 'Counter_DB', force: true })
  for (const content of [a, b]) await at.call('blocks.import', { ...plc, content })
  const moved = await numbered()
  assert.deepEqual([moved.Data, moved.Counter_DB], [before.Counter_DB, before.Data])
  await upload(at, { overwrite: true })
  assert.deepEqual(await numbered(), before)
  assert.deepEqual([await table('Start'), await table('Lamp')], ['Default tag table', 'Default tag table'])
  assert.equal((await at.call<Answer>('online.compare', plc)).identical, true)
})

test('protected blocks stay protected, and those of the project are not replaced by accident', async (t) => {
  const at = await withProject(t)
  await withController(at)
  const secret = (limit: number) =>
    data('Secret', `limit : Int := ${limit};`).replace('VAR\n', 'KNOW_HOW_PROTECT\nVAR\n')
  await change(at, secret(1))
  await at.call('online.download', { ...plc, compile: true })
  await change(at, secret(2))
  await fails(upload(at, { overwrite: true }), 'conflict', /"Secret".*know-how protected and would be replaced/)
  await upload(at, { overwrite: true, force: true })
  const { blocks } = await at.call<Answer>('blocks.list', plc)
  assert.equal(blocks.find(({ name }: Answer) => name === 'Secret').isKnowHowProtected, true)
})

test('a controller without program, and a memory card that was changed, are told', async (t) => {
  const at = await withProject(t)
  const controller = await withController(at)
  await fails(upload(at), 'conflict', /has no program/)
  await fails(at.call('online.compare', plc), 'conflict', /has no program/)
  await at.call('online.download', { ...plc, compile: true })
  const blobs = join(controller.options.storage, 'blobs')
  for (const name of await readdir(blobs)) {
    const text = await readFile(join(blobs, name))
    if (!text.includes('FUNCTION_BLOCK')) continue
    await writeFile(join(blobs, name), text.toString('latin1').replace('FUNCTION_BLOCK', 'function_block'), 'latin1')
  }
  await fails(upload(at), 'conflict', /damaged/)
})

test('classes, texts and text lists of alarms come back; others of the project are in the way', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('blocks.import', {
    ...plc,
    content: `FUNCTION_BLOCK "Motor"
VAR_INPUT
  hot : Bool;
END_VAR
VAR
  jam {InstructionName := 'Program_Alarm'; LibVersion := '1.0'} : Program_Alarm;
END_VAR
BEGIN
  #jam(SIG := #hot);
END_FUNCTION_BLOCK
DATA_BLOCK "Motor_DB"
"Motor"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_DB"();
END_ORGANIZATION_BLOCK
`,
  })
  const given = {
    classes: [{ name: 'Urgent', needsAcknowledgement: true, priority: 9 }],
    alarms: [{ block: 'Motor', member: 'jam', alarmClass: 'Urgent', text: { 'en-US': 'jammed', 'de-DE': 'klemmt' } }],
    textLists: [{ name: 'States', number: 3, entries: [{ from: 0, to: 1, text: { 'en-US': 'off' } }] }],
  }
  await call('alarms.set-definitions', { ...plc, ...given })
  const definitions = async () => {
    const { alarms, textLists, classes } = await call<Answer>('alarms.get-definitions', plc)
    return { alarms, textLists, own: classes.filter(({ name }: Answer) => name === 'Urgent') }
  }
  const before = await definitions()
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  assert.equal((await upload(at)).alarms, 'unchanged')
  await call('alarms.set-definitions', {
    ...plc,
    alarms: [{ block: 'Motor', member: 'jam', text: { 'en-US': 'another text' } }],
  })
  const error = await fails(upload(at), 'conflict', /Alarms: classes, texts or text lists are others/)
  assert.deepEqual(
    error.details.errors?.map(({ path, code }) => [path, code]),
    [['Alarms', 'exists']],
  )
  assert.equal((await upload(at, { overwrite: true })).alarms, 'replaced')
  assert.deepEqual(await definitions(), before)
  await emptyProject(at)
  assert.equal((await upload(at, { ipAddress: address })).alarms, 'created')
  assert.deepEqual(await definitions(), before)
})
