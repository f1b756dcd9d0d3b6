/** A plant of three stations, built, read, saved and checked through the operations alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'
import { type Device, findDevice } from '../devices/index.ts'
import { ioDevicesOf } from './addresses/identifiers.ts'
import { hardwareConstants } from './addresses/system-constants.ts'

interface ModuleAnswer {
  name: string
  slot: number
  subslot?: number
  position: string
  orderNumber?: string
  firmware?: string
  addresses: { ioType: string; startAddress: number; endAddress: number }[]
  warnings: string[]
  losses?: string[]
}
interface Item {
  name: string
  itemKind: string
  position: number
  hardwareIdentifier?: number
  channels: { name: string; address?: string; tags: string[] }[]
  interface?: { label: string; ports: { label: string }[]; profinetName?: string; profinetNameConverted?: string }
  items: Item[]
}
interface Details {
  isConfigured: boolean
  controller?: string
  modules: ModuleAnswer[]
  station: { name: string; racks: Item[] }
  interfaces: {
    interface: string
    profinetName?: string
    profinetNameConverted?: string
    ioSystem?: { deviceNumber?: number }
  }[]
}
type Call = <T = Record<string, unknown>>(operation: string, input?: Record<string, unknown>) => Promise<T>

const starts = (module: ModuleAnswer) =>
  module.addresses.map(({ ioType, startAddress }) => `${ioType[0]}${startAddress}`)

/** S7-1500 with ET 200SP over PROFINET, S7-1200 with a signal board, a panel. */
async function buildPlant(call: Call) {
  await call('projects.create', { name: 'Plant' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name: 'IO_1' })
  await call('devices.add', { orderNumber: '6ES7 214-1AG40-0XB0', name: 'PLC_2' })
  await call('devices.add', { orderNumber: '6AV2 123-2GB03-0AX0', name: 'HMI_1' })
  const plug = (deviceName: string, orderNumber: string, more: object = {}) =>
    call<ModuleAnswer>('hardware.plug-module', { deviceName, orderNumber, ...more })
  const modules = {
    power: await plug('PLC_1', '6ES7 507-0RA00-0AB0', { slot: 0 }),
    inputs: await plug('PLC_1', '6ES7 521-1BL00-0AB0'),
    outputs: await plug('PLC_1', '6ES7 522-1BL00-0AB0', { name: 'Valves' }),
    remote: await plug('IO_1', '6ES7 131-6BH01-0BA0'),
    server: await plug('IO_1', '6ES7 193-6PA00-0AA0'),
    board: await plug('PLC_2', '6ES7 232-4HA30-0XB0'),
    serial: await plug('PLC_2', '6ES7 241-1AH32-0XB0'),
  }
  const assigned = await call<{ addressChanges: string[]; ioSystem: string; deviceNumber: number; subnet: string }>(
    'hardware.assign-io-controller',
    { deviceName: 'IO_1', controller: 'PLC_1' },
  )
  await call('devices.configure-network', { deviceName: 'IO_1', ipAddress: '192.168.0.20' })
  for (const deviceName of ['PLC_2', 'HMI_1'])
    await call('devices.configure-network', { deviceName, subnet: assigned.subnet })
  await call('hardware.link-ports', { deviceName: 'PLC_1', port: 'X1 P1', partner: 'IO_1', partnerPort: 'X1 P1' })
  await call('hardware.create-connection', { deviceName: 'PLC_1', partner: 'PLC_2' })
  return { modules, assigned }
}

test('a plant is built, read, compiled, saved and opened again as it was', async (t) => {
  // All in one millisecond: the order of the devices is kept nevertheless.
  const { call } = await openTestGateway(t, { clock: () => 1_800_000_000_000 })
  const { modules, assigned } = await buildPlant(call)
  assert.deepEqual([modules.power.position, modules.inputs.position, modules.outputs.position], ['0', '2', '3'])
  assert.deepEqual([modules.board.position, modules.serial.position], ['1.3', '101'])
  assert.deepEqual(starts(modules.board), ['O80'])
  // Alone its inputs began at 0; the controller has given 0 to 3 to its own module.
  assert.deepEqual(assigned.addressChanges, ['DI 16x24VDC ST_1: Input 0 became 4'])
  const remote = await call<Details>('hardware.details', { deviceName: 'IO_1' })
  assert.equal(remote.controller, 'PLC_1')
  assert.deepEqual(
    remote.modules.map(({ name, position }) => [name, position]),
    [
      ['IO_1', '0'],
      ['BA 2xRJ45', '0.127'],
      ['DI 16x24VDC ST_1', '1'],
      ['Server module_1', '2'],
    ],
  )
  const [port] = remote.interfaces
  assert.deepEqual([port?.profinetName, port?.ioSystem?.deviceNumber], ['io_1', 1])
  assert.match(port?.profinetNameConverted ?? '', /^ioxb1[0-9a-f]{4}$/)
  const plc = await call<Details>('hardware.details', { deviceName: 'PLC_1' })
  const head = plc.station.racks[0]?.items.find(({ name }) => name === 'PLC_1')
  assert.deepEqual(
    head?.items
      .flatMap((item) => item.interface ?? [])
      .map(({ label, ports }) => [label, ports.map((one) => one.label)]),
    [
      ['X1', ['P1 R', 'P2 R']],
      ['X2', ['P1']],
    ],
  )
  interface Infrastructure {
    subnets: { name: string; nodes: { device: string }[] }[]
    connections: { type: string; device: string; partner: string }[]
    ioSystems: { name: string; controller: string; members: { device: string; deviceNumber: number }[] }[]
  }
  const networks = await call<Infrastructure>('projects.infrastructure')
  assert.deepEqual(
    networks.subnets.map(({ name, nodes }) => [name, nodes.map(({ device }) => device)]),
    [['PN/IE_1', ['PLC_1', 'IO_1', 'PLC_2', 'HMI_1']]],
  )
  assert.deepEqual(networks.ioSystems[0]?.members, [{ device: 'IO_1', deviceNumber: 1 }])
  assert.deepEqual(
    networks.connections.map(({ type, device, partner }) => [type, device, partner]),
    [
      ['PROFINET IO', 'PLC_1', 'IO_1'],
      ['S7', 'PLC_1', 'PLC_2'],
      ['Topology', 'PLC_1', 'IO_1'],
    ],
  )
  for (const deviceName of ['PLC_1', 'IO_1', 'PLC_2', 'HMI_1']) {
    const compiled = await call<{ state: string; messages: unknown }>('blocks.compile-device', {
      deviceName,
      scope: 'hardware',
    })
    assert.equal(compiled.state, 'Success', JSON.stringify(compiled.messages))
  }
  const all = async () => [
    ...(await Promise.all(
      ['PLC_1', 'IO_1', 'PLC_2', 'HMI_1'].map((deviceName) => call('hardware.details', { deviceName })),
    )),
    await call('projects.infrastructure'),
    await call('hardware.topology'),
    await call('hardware.connections'),
  ]
  const before = await all()
  const { path } = await call<{ path: string }>('projects.save')
  await call('projects.close')
  await call('projects.open', { path })
  assert.deepEqual(await all(), before)
})

test('a tag is found from its channel and the channel from its tag, also on an IO device', async (t) => {
  const { call } = await openTestGateway(t)
  await buildPlant(call)
  await call('tags.add', {
    deviceName: 'PLC_1',
    tableName: 'Default tag table',
    name: 'Door',
    dataType: 'Bool',
    logicalAddress: '%I4.3',
  })
  await call('tags.add', {
    deviceName: 'PLC_1',
    tableName: 'Default tag table',
    name: 'All',
    dataType: 'Word',
    logicalAddress: '%QW0',
  })
  interface Channels {
    channels: { device: string; module: string; name: string; address: string; tags: string[] }[]
    total: number
  }
  const of = (input: object) => call<Channels>('hardware.channels', { deviceName: 'PLC_1', ...input })
  const door = await of({ tag: 'door' })
  assert.deepEqual(
    door.channels.map(({ device, module, name, address, tags }) => [device, module, name, address, tags]),
    [['IO_1', 'DI 16x24VDC ST_1', 'Channel_DI_3', '%I4.3', ['Door']]],
  )
  assert.equal((await of({ tag: 'All' })).total, 16)
  assert.equal((await of({ address: '%QB3' })).total, 8)
  assert.deepEqual((await of({ module: 'Valves' })).channels[15]?.tags, ['All'])
  await fails(of({ tag: 'Dor' }), 'not_found', /Door/)
  await fails(of({ address: 'MW10' }), 'invalid_input', /no address of I\/O/)
  await fails(of({ module: 'Valvs' }), 'not_found', /Valves/)
})

test('compatible slots: of a module, of a slot, and why there is none', async (t) => {
  const { call } = await openTestGateway(t)
  await buildPlant(call)
  interface Answer {
    slots: { position: string }[]
    modules?: { orderNumber: string; slots: string[] }[]
    reason?: string
    total: number
  }
  const ask = (input: object) => call<Answer>('hardware.compatible-slots', { deviceName: 'PLC_1', ...input })
  const free = await ask({ orderNumber: '6ES7 521-1BL00-0AB0' })
  assert.deepEqual([free.slots[0]?.position, free.slots.at(-1)?.position, free.total], ['4', '31', 28])
  assert.deepEqual((await ask({ orderNumber: '6ES7 521-1BL00-0AB0', slot: 3 })).slots, [])
  assert.match(
    (await ask({ orderNumber: '6ES7 131-6BH01-0BA0' })).reason ?? '',
    /does not fit into a station of S7-1500/,
  )
  const at4 = await ask({ slot: 4 })
  assert.ok(at4.modules?.every(({ slots }) => slots.length === 1 && slots[0] === '4'))
  assert.ok(at4.modules?.some(({ orderNumber }) => orderNumber === '6ES7 521-1BL00-0AB0'))
  const board = await ask({ deviceName: 'PLC_2', orderNumber: '6ES7 223-0BD30-0XB0' })
  assert.match(board.reason ?? '', /one signal, communication or battery board/)
  assert.match((await ask({ deviceName: 'HMI_1' })).reason ?? '', /takes no modules/)
  await fails(ask({ orderNumber: '6ES7 521-9XX00-0AB0' }), 'not_found', /Did you mean/)
})

test('modules are moved, addressed, renamed, replaced and unplugged; what cannot be is refused', async (t) => {
  const { call } = await openTestGateway(t)
  await buildPlant(call)
  const at = { deviceName: 'PLC_1', moduleName: 'DI 32x24VDC HF_1' }
  await fails(call('hardware.move-module', { ...at, slot: 3 }), 'conflict', /occupied by "Valves"/)
  assert.equal((await call<ModuleAnswer>('hardware.move-module', { ...at, slot: 9 })).position, '9')
  await fails(
    call('hardware.update-module', { ...at, inputAddress: 4 }),
    'conflict',
    /overlap inputs 4 to 5 of "DI 16x24VDC ST_1"/,
  )
  assert.deepEqual(starts(await call<ModuleAnswer>('hardware.update-module', { ...at, inputAddress: 100 })), ['I100'])
  await fails(call('hardware.update-module', { ...at, newName: 'valves' }), 'name_taken', /in slot 3/)
  await call('hardware.update-module', { ...at, newName: 'Doors', comment: 'Hall 2' })
  const replaced = await call<ModuleAnswer>('hardware.replace-module', {
    deviceName: 'PLC_1',
    moduleName: 'Doors',
    orderNumber: '6ES7 531-7KF00-0AB0',
  })
  assert.deepEqual([replaced.name, replaced.position, starts(replaced)], ['Doors', '9', ['I100']])
  assert.match(replaced.losses?.join() ?? '', /channels fewer/)
  await fails(call('hardware.unplug-module', { deviceName: 'PLC_1', moduleName: 'PLC_1' }), 'conflict', /is the CPU/)
  await fails(
    call('hardware.unplug-module', { deviceName: 'PLC_1', moduleName: 'PROFINET interface_1' }),
    'conflict',
    /built into/,
  )
  await call('hardware.unplug-module', { deviceName: 'PLC_1', moduleName: 'Doors' })
  const { modules } = await call<{ modules: ModuleAnswer[] }>('hardware.modules', { deviceName: 'PLC_1' })
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['PS 60W 120/230VAC/DC_1', 'PLC_1', 'Valves'],
  )
  interface Compiled {
    messages: { messages: { device: string; slot: string; code: string; hint: string; state: string }[] }[]
  }
  const compile = async () =>
    (
      await call<Compiled & { messages: { messages: { messages: [] }[] }[] }>('blocks.compile-device', {
        deviceName: 'PLC_1',
        scope: 'hardware',
      })
    ).messages
  const leaves = JSON.stringify(await compile())
  assert.match(leaves, /"code":"hardware-missing-module"/)
  assert.match(leaves, /"slot":"2"/)
})

test('networks: names, numbers and cables that are taken are refused; what is deleted leaves nothing behind', async (t) => {
  const { call } = await openTestGateway(t)
  await buildPlant(call)
  await fails(call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'PLC_1' }), 'conflict', /already/)
  await fails(call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'HMI_1' }), 'conflict', /no CPU/)
  await call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name: 'IO_2' })
  const second = { deviceName: 'IO_2', controller: 'PLC_1' }
  await fails(call('hardware.assign-io-controller', { ...second, deviceNumber: 1 }), 'conflict', /number of "IO_1"/)
  assert.equal((await call<{ deviceNumber: number }>('hardware.assign-io-controller', second)).deviceNumber, 2)
  const cable = { deviceName: 'IO_2', port: 'X1 P1', partner: 'IO_1', partnerPort: 'X1 P1' }
  await fails(call('hardware.link-ports', cable), 'conflict', /connected already/)
  await fails(call('hardware.link-ports', { ...cable, partnerPort: 'X1 P7' }), 'not_found', /X1 P2 R/)
  await call('hardware.link-ports', { ...cable, partnerPort: 'X1 P2' })
  assert.equal((await call<{ total: number }>('hardware.topology')).total, 2)
  await call('devices.delete', { deviceName: 'IO_2' })
  assert.equal((await call<{ total: number }>('hardware.topology')).total, 1)
  await call('hardware.rename-subnet', { subnetName: 'PN/IE_1', newName: 'Cell' })
  await fails(call('hardware.create-subnet', { name: 'cell' }), 'name_taken', /Cell/)
  await call('hardware.create-subnet', { name: 'Bus', type: 'Profibus' })
  const { subnets } = await call<{ subnets: { name: string; type: string; nodes: unknown[] }[] }>('hardware.subnets')
  assert.deepEqual(subnets.map(({ name, type, nodes }) => [name, type, nodes.length]).sort(), [
    ['Bus', 'Profibus', 0],
    ['Cell', 'Ethernet', 4],
  ])
  await call('hardware.release-io-controller', { deviceName: 'IO_1' })
  assert.equal((await call<Details>('hardware.details', { deviceName: 'IO_1' })).controller, undefined)
  const deleted = await call<{ disconnected: string[] }>('hardware.delete-subnet', { subnetName: 'Cell' })
  assert.equal(deleted.disconnected.length, 4)
  await call('hardware.delete-connection', { connectionName: 'S7_Connection_1' })
  assert.equal((await call<{ total: number }>('hardware.connections')).total, 0)
})

test('a device in a project file that is damaged is told with its place', async (t) => {
  const { call, dir } = await openTestGateway(t)
  await buildPlant(call)
  const { path } = await call<{ path: string }>('projects.save')
  const { readFile, writeFile } = await import('node:fs/promises')
  const { isAbsolute, join } = await import('node:path')
  const file = join(isAbsolute(path) ? path : join(dir, 'workspace', path), 'devices', 'PLC_1', 'hardware.json')
  const text = await readFile(file, 'utf8')
  await call('projects.close')
  await writeFile(file, text.replace('"position": 2', '"position": "two"').replace('"builtIn"', '"buildIn"'))
  await fails(call('projects.open', { path }), 'unacceptable_content', /hardware\.json#\/racks\/0/)
})

test('PROFIBUS: a DP master system, bus addresses, and an interface that goes with its module', async (t) => {
  const { call, gateway } = await openTestGateway(t)
  await call('projects.create', { name: 'Bus' })
  await call('devices.add', { orderNumber: '6ES7 516-3AN02-0AB0', name: 'PLC_1' })
  await call('devices.add', { orderNumber: '6ES7 511-1AK02-0AB0', name: 'PLC_2' })
  for (const name of ['DP_1', 'DP_2']) await call('devices.add', { orderNumber: '6ES7 155-5BA00-0AB0', name })
  interface Assigned {
    ioSystem: string
    subnet: string
    deviceNumber: number
  }
  const first = await call<Assigned>('hardware.assign-io-controller', { deviceName: 'DP_1', controller: 'PLC_1' })
  assert.deepEqual([first.ioSystem, first.subnet], ['DP-Mastersystem', 'PROFIBUS_1'])
  const wrong = { deviceName: 'DP_2', controller: 'PLC_1', busAddress: 3 }
  await fails(call('hardware.assign-io-controller', wrong), 'conflict', /PROFIBUS address of DP_1/)
  await fails(
    call('hardware.assign-io-controller', { ...wrong, controller: 'PLC_2' }),
    'not_found',
    /no Profibus interface/,
  )
  await fails(call('hardware.release-io-controller', { deviceName: 'DP_2' }), 'conflict', /no IO system/)
  // Programs know a slave by its address on the bus, and by the constants of its master.
  const { read } = gateway.state
  const inProject = (name: string) => findDevice({ read }, name) as Device
  assert.deepEqual(ioDevicesOf({ read }, inProject('PLC_1')), [
    { name: 'DP_1', number: 3, hardwareIdentifier: 259, system: 260, slots: [1], isOnBus: true },
  ])
  assert.deepEqual(ioDevicesOf({ read }, inProject('DP_1')), [])
  assert.deepEqual(
    hardwareConstants({ read }, inProject('PLC_1')).flatMap(({ name, dataType, value }) =>
      name.includes('DP') ? [`${name} ${dataType} ${value}`] : [],
    ),
    [
      'Local~DP_interface_1 HW_INTERFACE 60',
      'DP_1~DPSlave HW_DPSLAVE 259',
      'DP_1~Head HW_SUBMODULE 258',
      'DP_1~DP_interface HW_INTERFACE 257',
      'Local~DP-Mastersystem HW_DPMASTER 260',
    ],
  )
  // A CM of its own makes a master of a CPU that has no PROFIBUS.
  await call('hardware.plug-module', { deviceName: 'PLC_2', orderNumber: '6GK7 542-5DX00-0XE0', name: 'Bus' })
  const second = await call<Assigned>('hardware.assign-io-controller', { deviceName: 'DP_2', controller: 'PLC_2' })
  assert.equal(second.subnet, 'PROFIBUS_2')
  interface Subnets {
    subnets: { name: string; type: string; nodes: { device: string; interface: string; busAddress: number }[] }[]
  }
  const { subnets } = await call<Subnets>('hardware.subnets')
  assert.deepEqual(subnets, [
    {
      ...{ name: 'PROFIBUS_1', id: (subnets[0] as unknown as { id: string }).id, type: 'Profibus' },
      nodes: [
        { device: 'PLC_1', interface: 'X3', busAddress: 2 },
        { device: 'DP_1', interface: 'X1', busAddress: 3 },
      ],
    },
    {
      ...{ name: 'PROFIBUS_2', id: (subnets[1] as unknown as { id: string }).id, type: 'Profibus' },
      nodes: [
        { device: 'PLC_2', interface: 'Bus.X1', busAddress: 2 },
        { device: 'DP_2', interface: 'X1', busAddress: 3 },
      ],
    },
  ])
  const { warnings } = await call<{ warnings: string[] }>('hardware.unplug-module', {
    deviceName: 'PLC_2',
    moduleName: 'Bus',
  })
  assert.deepEqual(warnings, ['Interface Bus.X1 is gone from subnet "PROFIBUS_2".'])
  const left = await call<Subnets>('hardware.subnets')
  assert.deepEqual(
    left.subnets[1]?.nodes.map(({ device }) => device),
    ['DP_2'],
  )
  await fails(call('hardware.unlink-ports', { linkId: 'none' }), 'not_found', /topology link/)
  await fails(call('hardware.delete-connection', { connectionName: 'none' }), 'not_found', /connection/)
  await fails(call('hardware.create-connection', { deviceName: 'PLC_1' }), 'invalid_input', /partner/)
  await fails(call('hardware.rename-subnet', { subnetName: 'PROFIBUS_9', newName: 'x' }), 'not_found', /PROFIBUS_/)
})
