import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { gsdFile, gsdFileName } from '../../test/gsd-file.ts'
import { openTestGateway } from '../../test/harness.ts'
import { noLinks } from '../../test/links.ts'

const dap = `GSD:${gsdFileName.toUpperCase()}/DAP/DAP 1`

interface Item {
  readonly name: string
  readonly itemKind: string
  readonly position: number
  readonly builtIn: boolean
  readonly addresses?: readonly { ioType: string; startAddress: number; endAddress: number }[]
  readonly items?: readonly Item[]
}

interface Aml {
  readonly content: string
}

test('GSD files of the workspace extend the catalog; their devices have modules, and go through AML', async (t) => {
  const { call, dir } = await openTestGateway(t)
  const folder = join(dir, 'workspace', 'gsd')
  await call('projects.create', { name: 'P' })
  await fails(call('devices.add', { orderNumber: dap }), 'not_found', /No GSD file/)
  await mkdir(folder)
  await writeFile(join(folder, gsdFileName), gsdFile)
  await writeFile(join(folder, 'GSDML-V2.4-Broken.xml'), '<ISO15745Profile><a></ISO15745Profile>')
  const status = await call<{ sources: { fileName: string; entries: number; fault?: string }[] }>(
    'devices.catalog-cache-status',
  )
  assert.deepEqual(new Set(status.sources.map((one) => one.entries)), new Set([0, 4]))
  assert.match(status.sources.find(({ fault }) => fault)?.fault ?? '', /^line 1: malformed XML/)
  const found = await call<{ entries: { orderNumber: string }[] }>('devices.catalog-search', { query: 'valve island' })
  assert.equal(found.entries[0]?.orderNumber, dap)
  const entry = await call<{ typeIdentifier: string; isDevice: boolean }>('devices.catalog-find', { orderNumber: dap })
  assert.deepEqual([entry.typeIdentifier, entry.isDevice], [dap, true])
  const device = await call<{ name: string; kind: string; typeName: string }>('devices.add', {
    orderNumber: dap,
    name: 'valves',
  })
  assert.deepEqual([device.kind, device.typeName], ['IO', 'Valve island'])
  // The submodules of the access point: its own one, a fixed and a plugged one, with the bytes of the file.
  const tree = await call<{ station: { racks: { items: Item[] }[] } }>('hardware.details', { deviceName: 'valves' })
  const [head] = tree.station.racks[0]!.items
  const inHead = (head?.items ?? []).filter(({ itemKind }) => itemKind === 'submodule')
  assert.deepEqual(
    inHead.map(({ name, position, builtIn, addresses = [] }) => [
      ...[name, position, builtIn],
      ...addresses.map(({ ioType, startAddress, endAddress }) => `${ioType} ${startAddress} to ${endAddress}`),
    ]),
    [
      ['Supply', 2, true, 'Input 0 to 0'],
      ['Counter', 3, true, 'Input 2 to 5'],
      ['Counter_1', 4, false, 'Input 6 to 9'],
    ],
  )
  const { content } = await call<Aml>('cax.export-hardware', { deviceName: 'valves' })
  assert.match(content, /XML\/M\/STATUS</)
  assert.match(content, /XML\/M\/VALVES</)
  assert.match(content, /<Value>48<\/Value>/)
  assert.match(content, /XML\/R\/DAP 1</)
  const orderNumber = dap.replace('DAP/DAP 1', 'M/VALVES')
  const plugged = await call<{ slot: number }>('hardware.plug-module', { deviceName: 'valves', orderNumber })
  assert.equal(plugged.slot, 3)
  await fails(
    call('hardware.plug-module', { deviceName: 'valves', orderNumber, slot: 1 }),
    'conflict',
    /slot|takes|take/,
  )
  // Submodules go into the subslots of the modules that take them.
  const counter = dap.replace('DAP/DAP 1', 'SM/COUNTER')
  const fits = await call<{ slots: { position: string }[] }>('hardware.compatible-slots', {
    deviceName: 'valves',
    orderNumber: counter,
  })
  assert.deepEqual(
    fits.slots.map(({ position }) => position),
    ['2.2', '2.3', '3.2', '3.3'],
  )
  const added = await call<{ position: string; addresses: { ioType: string; length: number }[]; name: string }>(
    'hardware.plug-module',
    { deviceName: 'valves', orderNumber: counter, slot: 3, subslot: 3 },
  )
  assert.deepEqual(
    [added.position, added.addresses.map(({ ioType, length }) => [ioType, length])],
    ['3.3', [['Input', 32]]],
  )
  const filled = { deviceName: 'valves', orderNumber: counter, slot: 3 }
  assert.equal((await call<{ position: string }>('hardware.plug-module', filled)).position, '3.2')
  await fails(call('hardware.plug-module', filled), 'conflict', /slot 3/)
  const exported = await call<Aml>('cax.export-hardware', { deviceName: 'valves' })
  assert.match(exported.content, /XML\/SM\/COUNTER</)
  const plan = async () => {
    const { modules } = await call<{ modules: { position: string; addresses: unknown }[] }>('hardware.modules', {
      deviceName: 'valves',
    })
    return modules.map(({ position, addresses }) => ({ position, addresses }))
  }
  const before = await plan()
  await call('cax.import-hardware', { content: exported.content, importOption: 'OverwriteTiaDevice' })
  assert.deepEqual(await plan(), before)
  await call('hardware.unplug-module', { deviceName: 'valves', moduleName: added.name })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await fails(
    call('hardware.plug-module', { deviceName: 'PLC_1', orderNumber }),
    'conflict',
    /only into a device of its GSD file/,
  )
})

test('the order number of the maker names a device or module, unless several files have it', async (t) => {
  const { call, dir } = await openTestGateway(t)
  const folder = join(dir, 'workspace', 'gsd')
  await call('projects.create', { name: 'P' })
  await mkdir(folder)
  const numbered = gsdFile
    .replace('<InfoText TextId="T_VALVES"/>', '<InfoText TextId="T_VALVES"/><OrderNumber Value="EX-24 V"/>')
    .replace('<Name TextId="T_COUNTER"/>', '<Name TextId="T_COUNTER"/><OrderNumber Value="EX-C"/>')
    .replace('DataType="Float32"', 'DataType="Quaternion"')
  await writeFile(join(folder, gsdFileName), numbered)
  const added = await call<{ orderNumber: string; warnings: string[] }>('devices.add', {
    ...{ orderNumber: 'ex-100', name: 'valves' },
  })
  assert.equal(added.orderNumber, dap)
  assert.deepEqual(added.warnings, [
    'Status: its GSD file gives no length for data of "Quaternion": they have no addresses here, and the I/O of the module is shorter than on the device.',
  ])
  const plug = (orderNumber: string, more: object = {}) =>
    call<{ slot: number; typeName: string; warnings: string[] }>('hardware.plug-module', {
      ...{ deviceName: 'valves', orderNumber, ...more },
    })
  assert.deepEqual([(await plug('EX24V')).slot], [3])
  assert.equal((await plug('EX-C', { slot: 3 })).slot, 3)
  await fails(plug('EX-100'), 'unacceptable_content', /is a device, not a module/)
  const slots = await call<{ slots: { position: string }[] }>('hardware.compatible-slots', {
    ...{ deviceName: 'valves', orderNumber: 'EX-24V' },
  })
  assert.deepEqual(
    slots.slots.map(({ position }) => position),
    ['4'],
  )
  // A second file of the device: its own modules go first; a new device has to name one of the two.
  const other = gsdFileName.replace('2024', '2025')
  await writeFile(join(folder, other), numbered.replace('"V1.2"', '"V1.3"'))
  assert.equal((await plug('EX-24V')).slot, 4)
  await fails(call('devices.add', { orderNumber: 'EX-100' }), 'conflict', /^2 entries .*V1\.2\), GSD:.*2025.*V1\.3\)/)
  const newer = await call<{ orderNumber: string }>('devices.add', { orderNumber: 'EX-100', firmware: 'V1.3' })
  assert.equal(newer.orderNumber, `GSD:${other.toUpperCase()}/DAP/DAP 1`)
})

test('a folder that cannot be read is told, and the rest of the catalog is there', { skip: noLinks }, async (t) => {
  const { call, dir } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  await mkdir(join(dir, 'elsewhere'))
  await writeFile(join(dir, 'workspace', 'gsd'), '')
  const told = async (fileName: string, code: string, fault: RegExp) => {
    const { sources } = await call<{ sources: { fileName: string; fault?: string }[] }>('devices.catalog-cache-status')
    const source = sources.find((one) => one.fileName === fileName)
    assert.match(source?.fault ?? '', fault)
    await fails(call('devices.add', { orderNumber: dap }), code, fault)
    const { total } = await call<{ total: number }>('devices.catalog-search', { query: '1515' })
    assert.ok(total > 0)
  }
  await told('gsd', 'invalid_input', /gsd" is not a folder/)
  await call('settings.change', { engineering: { gsdFolder: 'later' } })
  await symlink(join(dir, 'elsewhere'), join(dir, 'workspace', 'later'), 'dir')
  await told('later', 'path_outside_workspace', /"later" is outside the workspace/)
})

test('the catalog shows 500 files of the folder and tells how many are left out; each is found by its name', async (t) => {
  const { call, dir } = await openTestGateway(t)
  const folder = join(dir, 'workspace', 'gsd')
  await mkdir(folder)
  const nameOf = (i: number) => `GSDML-V2.4-${1000 + i}.xml`
  await Promise.all(
    Array.from({ length: 502 }, (_, i) => writeFile(join(folder, nameOf(i)), i < 501 ? '<a/>' : gsdFile)),
  )
  const { sources } = await call<{ sources: { fileName: string; entries: number; fault?: string }[] }>(
    'devices.catalog-cache-status',
  )
  assert.equal(sources.length, 501)
  assert.deepEqual(sources.slice(-2), [
    {
      ...{ fileName: nameOf(499).toUpperCase(), title: '', entries: 0, warnings: [] },
      fault: 'line 1: the root element is a; a GSDML file has ISO15745Profile',
    },
    {
      ...{ fileName: 'gsd', title: '', entries: 0, warnings: [] },
      fault: '2 of its files are left out: at most 500 are read',
    },
  ])
  const orderNumber = `GSD:${nameOf(501)}/DAP/DAP 1`
  const { typeName } = await call<{ typeName: string }>('devices.catalog-find', { orderNumber })
  assert.equal(typeName, 'Valve island')
})
