import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { builtInPlugins } from '../../../core/boot/running-code.ts'
import { projectFiles } from '../../../plc/formats/tia-project/files.ts'
import { readTiaProject } from '../../../plc/formats/tia-project/project.ts'
import { Mask } from '../../../test/answers.ts'
import { launcher } from '../../../test/built.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import {
  archiveOf,
  fileOfArchive,
  largeArchive,
  libraryArchive,
  projectFileOf,
  smallArchive,
  withCable,
  withInstance,
} from '../../../test/tia-files.ts'

interface Opened {
  readonly name: string
  readonly path: string
  readonly version: string
  readonly warnings: string[]
  readonly files: { path: string; status: string; errors?: unknown }[]
  readonly tia: { version: string; saves: unknown[]; objects: { name: string; completeness: string }[] }
}

interface HardwareItem {
  readonly name: string
  readonly role?: string
  readonly position: number
  readonly firmware?: string
  readonly hardwareIdentifier?: number
  readonly addresses: { ioType: string; start: number; length: number }[]
  readonly interface?: { readonly label: string; readonly ports: { label: string }[] }
  readonly items: readonly HardwareItem[]
}
interface Hardware {
  readonly isConfigured: boolean
  readonly station: { readonly name: string; readonly typeIdentifier: string; readonly racks: HardwareItem[] }
}

async function gatewayWith(t: Parameters<typeof openTestGateway>[0], archive: string, name: string) {
  const g = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  await copyFile(archive, join(g.dir, 'workspace', name))
  return g
}

test('an archive of TIA Portal is opened: devices, programs, tags and types are there, and compile', async (t) => {
  const g = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const archive = await archiveOf({
    'TestProject1/TestProject1.ap20': await fileOfArchive(largeArchive, '.ap20'),
    'TestProject1/System/PEData.plf': withCable(
      withInstance(await projectFileOf(largeArchive), 'ML_CarrierRegisterShort', 'DataTyp_MKS_925'),
      'PLC_1.1',
      'PLC_1',
    ),
  })
  await writeFile(join(g.dir, 'workspace', 'plant.zap20'), archive)
  const told: number[] = []
  const note = ({ progress }: { progress: number }) => void told.push(progress)
  g.gateway.bus.on('job', note)
  const opened = await g.call<Opened>('projects.create-from-archive', { archivePath: 'plant.zap20' })
  g.gateway.bus.off('job', note)
  // The import begins where the reading has ended.
  assert.deepEqual(
    told,
    [...told].sort((a, b) => a - b),
  )
  assert.ok(new Set(told.filter((percent) => percent > 60 && percent < 95)).size > 3, told.join())
  assert.deepEqual([opened.name, opened.version, opened.tia.version], ['TestProject1', 'V20', 'V20'])
  assert.deepEqual(
    opened.files.filter(({ status }) => status !== 'imported'),
    [],
  )
  const { devices } = await g.call<{ devices: { name: string; orderNumber: string }[] }>('devices.list')
  assert.equal(devices.length, 8)
  assert.equal(devices.find(({ name }) => name === 'PLC_1.1')?.orderNumber, '6ES7 511-1AL03-0AB0')
  assert.match(opened.warnings.join('\n'), /The catalog has no 6ES7 672-7FC02-0YA0 \(CPU 1507S F\)/)
  assert.match(opened.warnings.join('\n'), /Not read: 2 of the kind HMI screen/)
  const hardware = await g.call<Hardware>('hardware.details', { deviceName: 'PLC_1.1' })
  assert.deepEqual(
    [hardware.isConfigured, hardware.station.name, hardware.station.typeIdentifier],
    [true, 'S7-1500/ET200MP-Station_1', 'System:Device.S71500'],
  )
  const [cpu] = hardware.station.racks[0]!.items
  assert.deepEqual([cpu?.name, cpu?.role, cpu?.position, cpu?.firmware], ['PLC_1.1', 'CPU', 1, 'V4.0'])
  const profinet = cpu?.items.find(({ interface: own }) => own?.label === 'X1')
  assert.deepEqual(
    [profinet?.position, profinet?.hardwareIdentifier, profinet?.interface?.ports.map(({ label }) => label)],
    [32768, 64, ['P1', 'P2']],
  )
  const { types } = await g.call<{ types: { name: string; folder: string; defaultVersion: string }[] }>(
    'libraries.list-types',
    { limit: 200 },
  )
  assert.equal(types.length, 64)
  const diagnostics = types.find(({ name }) => name === 'LIOLink_typeDiagnostics')
  assert.deepEqual(
    [diagnostics?.folder, diagnostics?.defaultVersion],
    ['Common/DeviceTypes/PFB/IO_Link_Device', '1.0.0'],
  )
  const { connections } = await g.call<{ connections: { name: string; type: string }[] }>('projects.infrastructure')
  assert.deepEqual(
    connections.filter(({ type }) => type === 'Topology').map(({ name }) => name.split(' - ').sort()),
    [['PLC_1 X1 P1', 'PLC_1.1 X1 P1']],
  )
  const consistency = await g.call<{ instances: Record<string, string>[] }>('libraries.consistency')
  assert.deepEqual(
    consistency.instances.map(({ deviceName, typeName, status }) => [deviceName, typeName, status]),
    [['PLC_0', 'DataTyp_MKS_925', 'upToDate']],
  )
  const compiled = await g.call<{ errorCount: number }>('blocks.compile-device', { deviceName: 'PLC_1.1' })
  assert.equal(compiled.errorCount, 0)
  const { blocks } = await g.call<{ blocks: { name: string; type: string }[] }>('blocks.list', { deviceName: 'PLC_1' })
  assert.equal(blocks.find(({ name }) => name === 'Main_1')?.type, 'OB')
  // Gantry's own project is saved beside it, and opens again.
  await g.call('projects.save')
  await g.call('projects.close')
  const again = await g.call<{ how: string; name: string }>('projects.open', { path: opened.path })
  assert.deepEqual([again.how, again.name], ['opened', 'TestProject1'])
})

test('a project folder is opened by its header file or as a folder; a second time Gantry opens its own', async (t) => {
  const g = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const folder = join(g.dir, 'workspace/Mac')
  await mkdir(join(folder, 'System'), { recursive: true })
  await writeFile(join(folder, 'System/PEData.plf'), await projectFileOf(smallArchive))
  await writeFile(join(folder, 'Mac.ap19'), await fileOfArchive(smallArchive, '.ap19'))
  for (const path of ['Mac/Mac.ap19', 'Mac']) {
    const opened = await g.call<Opened>('projects.open', { path })
    assert.deepEqual([opened.name, opened.version], ['MacTestenvironmentBaseProject', 'V19'])
    assert.equal(opened.tia.objects.length, 6)
    await g.call('projects.close', { force: true })
  }
  await fails(
    g.call('projects.open', { path: 'Mac/Mac.ap19', asOfSave: 9 }),
    'unacceptable_content',
    /there is no save 9/,
  )
  const damaged = await readFile(join(folder, 'System/PEData.plf'))
  damaged[damaged.length - 500]! ^= 1
  await writeFile(join(folder, 'System/PEData.plf'), damaged)
  const refused = await fails(g.call('projects.open', { path: 'Mac/Mac.ap19' }), 'unacceptable_content', /SHA-256/)
  assert.ok(Number(refused.details.errors?.[0]?.offset) > 0)
  assert.match(refused.details.suggestion ?? '', /continueOnError/)
  const rest = await g.call<Opened>('projects.open', { path: 'Mac/Mac.ap19', continueOnError: true })
  assert.match(rest.warnings.join(), /1 damaged record was left out/)
})

test('an archive or backup that is named is opened as it is, and nothing is written', async (t) => {
  const g = await gatewayWith(t, smallArchive, 'mac.zap19')
  const workspace = join(g.dir, 'workspace')
  const store = await projectFileOf(smallArchive)
  await writeFile(join(workspace, 'backup.zip'), await archiveOf({ 'PEData.plf': store }))
  for (const path of ['mac.zap19', 'backup.zip']) {
    const opened = await g.call<Opened>('projects.open', { path })
    assert.deepEqual([opened.name, opened.tia.objects.length], ['MacTestenvironmentBaseProject', 6])
    assert.deepEqual((await readdir(workspace)).sort(), ['backup.zip', 'mac.zap19'])
    await g.call('projects.close', { force: true })
  }
  // Restored, its folder is called like the header, or like the archive that has none; it is a new one.
  for (const [archivePath, name] of [
    ['mac.zap19', 'MacTestenvironmentBaseProject'],
    ['backup.zip', 'backup'],
  ]) {
    const input = { archivePath, targetDirectory: 'out' }
    const restored = await g.call<Opened>('projects.create-from-archive', input)
    assert.equal(restored.path, join(workspace, 'out', `${name}`))
    await g.call('projects.close', { save: true })
    const taken = await fails(g.call('projects.create-from-archive', input), 'name_taken', /exists already/)
    assert.match(taken.details.suggestion ?? '', /another targetDirectory/)
  }
  await rm(join(workspace, 'out'), { recursive: true })
  const opened = await g.call<Opened>('projects.open', { path: 'mac.zap19' })
  await g.call('projects.save')
  const own = await g.call<{ archivePath: string }>('projects.archive', { archivePath: 'own.zap19' })
  await g.call('projects.close')
  assert.equal(opened.path, join(workspace, 'mac'))
  await fails(g.call('projects.open', { path: 'mac.zap19' }), 'name_taken', /mac/)
  const refused = await fails(g.call('projects.open', { path: own.archivePath }), 'unacceptable_content', /saved here/)
  assert.match(refused.details.suggestion ?? '', /create-from-archive/)
})

test('what is wrong with an archive of TIA Portal is said with what would be right', async (t) => {
  const g = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const header = await fileOfArchive(smallArchive, '.ap19')
  const store = await projectFileOf(smallArchive)
  const model = Buffer.from(store)
  model[2000]! ^= 1
  const named = { 'Mac.ap19': header }
  const cases: readonly [string, Readonly<Record<string, Buffer>>, RegExp, RegExp?][] = [
    [
      'two projects',
      { 'A/A.ap19': header, 'A/System/PEData.plf': store, 'B/B.ap19': header },
      /several.*A\/A\.ap19, B/,
    ],
    ['two backups', { 'A/PEData.plf': store, 'B/PEData.plf': store }, /several.*A\/PEData\.plf, B\/PEData\.plf/],
    ['zip bomb', { ...named, 'System/PEData.plf': Buffer.alloc(17 * 1024 * 1024) }, /System\/PEData\.plf.*zip bomb/],
    ['no project file', named, /Mac\.ap19.*not the project file/],
    ['no type model', { ...named, 'System/PEData.plf': model }, /x\.zap19\/Mac\.ap19": .*type model/, /another copy/],
  ]
  for (const [name, files, detail, suggestion] of cases)
    await t.test(name, async () => {
      await writeFile(join(g.dir, 'workspace/x.zap19'), await archiveOf(files))
      const input = { archivePath: 'x.zap19', continueOnError: true }
      const refused = await fails(g.call('projects.create-from-archive', input), 'unacceptable_content', detail)
      if (suggestion) assert.match(refused.details.suggestion ?? '', suggestion)
    })
  await writeFile(join(g.dir, 'workspace/cut.zap19'), await archiveOf({ 'System/PEData.plf': store.subarray(0, -5) }))
  const rest = await g.call<Opened>('projects.create-from-archive', { archivePath: 'cut.zap19', continueOnError: true })
  assert.match(rest.warnings.join(), /its last \d+ bytes are lost/)
})

test('a file is inspected without opening it, over the gateway and on the command line', async (t) => {
  const g = await gatewayWith(t, smallArchive, 'mac.zap19')
  const whole = async (name: string, input: Record<string, unknown>) => {
    const told = new Mask(g.dir).of(await g.call('projects.inspect', input))
    assertRecorded(import.meta.url, `inspect-${name}.yaml`, stringify(told, { lineWidth: 200 }))
  }
  await whole('project', { path: 'mac.zap19' })
  await copyFile(libraryArchive, join(g.dir, 'workspace/lib.zal19'))
  await whole('library', { archivePath: 'lib.zal19' })
  await fails(g.call('projects.inspect', { path: 'mac.zap19', asOfSave: 9 }), 'unacceptable_content', /no save 9/)
  assert.equal((await g.call<{ total: number }>('projects.list')).total, 0)
  await writeFile(join(g.dir, 'workspace/none.zap19'), 'x')
  await fails(g.call('projects.inspect', { path: 'none.zap19' }), 'unacceptable_content')

  const { stdout } = await promisify(execFile)(process.execPath, [launcher, 'inspect', smallArchive])
  assert.match(stdout, /MacTestenvironmentBaseProject: project of TIA Portal V19, by z003sr5a/)
  assert.match(stdout, /TestenvironmentPLC +CPU 1516TF-3 PN\/DP +6ES7 516-3UN00-0AB0 +V3\.1/)
})

test('a global library is opened as a project whose library has its content', async (t) => {
  const g = await gatewayWith(t, libraryArchive, 'lib.zal19')
  const opened = await g.call<Opened>('projects.create-from-archive', { archivePath: 'lib.zal19' })
  assert.match(opened.warnings.join(), /Not read: 2 of the kind master copy of a station/)
  const { masterCopies } = await g.call<{ masterCopies: { name: string }[] }>('libraries.list-master-copies')
  assert.equal(masterCopies.length, 4)
  await g.call('projects.save')
  await g.call('projects.close')
  await g.call('projects.open', { path: opened.path })
  const again = await g.call<{ masterCopies: { name: string }[] }>('libraries.list-master-copies')
  assert.deepEqual(again, { ...again, masterCopies })
})

interface Comparison {
  readonly counts: Record<string, { equal: number; total: number }>
  readonly differences: { controller: string; name: string; aspect: string; path: string }[]
  readonly onlyInFile: { name: string }[]
  readonly onlyInExports: { name: string }[]
  readonly notCompared: string[]
}

test('a file is compared with exports: what is equal is counted, what is not is named with its place', async (t) => {
  const g = await gatewayWith(t, largeArchive, 'plant.zap20')
  const folder = join(g.dir, 'workspace/exports')
  const { files } = projectFiles(readTiaProject(await projectFileOf(largeArchive)), 'V20')
  const pathOf = (controller: string, name: string) => {
    const file = files.find((one) => one.folder[0] === controller && one.name === name)!
    return join(folder, ...file.folder, `${name}.xml`)
  }
  for (const { folder: folders, name, text } of files) {
    await mkdir(join(folder, ...folders), { recursive: true })
    await writeFile(join(folder, ...folders, `${name}.xml`), text)
  }
  const compare = async () => {
    const input = { path: 'plant.zap20', compareWith: 'exports' }
    return (await g.call<{ comparison: Comparison }>('projects.inspect', input)).comparison
  }
  const same = await compare()
  for (const [kind, { equal, total }] of Object.entries(same.counts)) assert.equal(equal, total, kind)
  for (const kind of ['blocks', 'members', 'networks', 'tags']) assert.ok(same.counts[kind]!.total > 0, kind)
  assert.deepEqual([same.differences, same.onlyInFile, same.onlyInExports, same.notCompared], [[], [], [], []])

  const type = pathOf('PLC_0', 'ML_CarrierRegisterShort')
  await writeFile(type, (await readFile(type, 'utf8')).replace('Name="Exist"', 'Name="Present"'))
  const main = pathOf('PLC_0', 'Main')
  await writeFile(join(folder, 'PLC_0', 'New.xml'), (await readFile(main, 'utf8')).replace('>Main<', '>New<'))
  await writeFile(join(folder, 'Lost.xml'), await readFile(main))
  await writeFile(join(folder, 'PLC_0', 'Bad.scl'), 'FUNCTION "Bad" : Void')
  await writeFile(join(folder, 'PLC_0', 'Empty.scl'), '// nothing')
  await rm(main)
  const changed = await compare()
  assert.deepEqual(
    changed.differences.map(({ controller, name, aspect, path }) => [controller, name, aspect, path]).slice(0, 2),
    [
      ['PLC_0', 'ML_CarrierRegisterShort', 'interface', 'None.Exist'],
      ['PLC_0', 'ML_CarrierRegisterShort', 'interface', 'None.Present'],
    ],
  )
  assert.equal(changed.counts.members!.total - changed.counts.members!.equal > 0, true)
  assert.equal(changed.counts.blocks!.total - changed.counts.blocks!.equal, 2)
  assert.deepEqual([changed.onlyInFile[0]?.name, changed.onlyInExports[0]?.name], ['Main', 'New'])
  assert.deepEqual(changed.notCompared, [
    'Lost.xml: none of its folders is called like a controller of the file',
    'PLC_0/Bad.scl: expected END_FUNCTION of FUNCTION "Bad", found the end of the file',
    'PLC_0/Empty.scl: this is neither SimaticML (<Document>…) nor an external source or SIMATIC SD (FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE first)',
  ])
  await mkdir(join(g.dir, 'workspace/empty'))
  await fails(
    g.call('projects.inspect', { path: 'plant.zap20', compareWith: 'empty' }),
    'unacceptable_content',
    /holds no exports/,
  )
})
