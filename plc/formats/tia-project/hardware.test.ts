import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import { readStations } from './hardware.ts'
import type { StoredObject } from './object.ts'

type Made = Parameters<typeof madeObject>[0]

/** 192.168.0.1 as the file has it: the first byte in the highest bits. */
const address = (text: string) => text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
const ip = {
  NodeIPProtocolUsed: true,
  NodeIPAddress: address('192.168.0.1'),
  NodeIPSubnetMask: address('255.255.255.0'),
}

/** A station with a PLC and its interface with a node. */
function stationWith(node: Omit<Made, 'type'> & { readonly subnet?: string }): StoredObject[] {
  const device = madeObject({ type: 'DeviceData', name: 'Station' })
  const cpu = madeObject({
    type: 'S7ControllerTargetData',
    name: 'PLC_1',
    values: { 'IDeviceItemData.PositionNumber': 1 },
    relations: { Container: [device] },
  })
  const port = madeObject({
    type: 'DeviceItemData',
    name: 'PROFINET interface_1',
    values: { 'IDeviceItemData.PositionNumber': 32768 },
    relations: { Container: [cpu] },
  })
  const subnet = madeObject({ type: 'SubnetData', name: node.subnet ?? '' })
  const stored = madeObject({
    name: 'IE1',
    ...node,
    type: 'NodeData',
    relations: {
      DeviceItem: [port],
      Target: [cpu],
      ...(node.subnet === undefined ? {} : { Subnet: [subnet] }),
    },
  })
  return [device, cpu, port, subnet, stored]
}
const nodeOf = (node: Parameters<typeof stationWith>[0]) => {
  const [station] = readStations(storeOf(stationWith(node)))
  const [ofController] = station!.controllers[0]!.nodes
  assert.deepEqual(station!.modules[0]!.modules[0]!.node, ofController)
  return ofController
}

test('an interface has the addresses of the project where the project gives them', () => {
  const whole = { name: 'IE1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0' }
  assert.deepEqual(nodeOf({ parameters: ip }), whole)
  assert.deepEqual(nodeOf({ parameters: { ...ip, NodeIPConfiguration: 0 } }), whole)
  // Set at the device or by a program.
  assert.deepEqual(nodeOf({ parameters: { ...ip, NodeIPConfiguration: 1 } }), { name: 'IE1' })
  assert.deepEqual(nodeOf({ parameters: { ...ip, NodeIPProtocolUsed: false } }), { name: 'IE1' })
  // One that the tool gave counts in a subnet only: without one it is the same for all.
  const given = { ...ip, NodeGetsAddressAutomatically: true }
  assert.deepEqual(nodeOf({ parameters: given }), { name: 'IE1' })
  assert.deepEqual(nodeOf({ parameters: given, subnet: 'PN/IE_1' }), { ...whole, subnet: 'PN/IE_1' })
  for (const none of [0n, -1n, 0x100000000n])
    assert.deepEqual(nodeOf({ parameters: { ...ip, NodeIPAddress: none } }), {
      name: 'IE1',
      subnetMask: '255.255.255.0',
    })
  assert.equal(nodeOf({ parameters: { ...ip, NodeIPAddress: 0xffffffffn } })?.ipAddress, '255.255.255.255')
})

test('a router counts where it is used', () => {
  const router = { ...ip, NodeIPDefaultRouterAddress: address('10.0.0.254') }
  assert.equal(nodeOf({ parameters: router })?.router, undefined)
  assert.equal(nodeOf({ parameters: { ...router, NodeIPDefaultRouterAddressUsed: true } })?.router, '10.0.0.254')
})

test('the type of a node, its label, its name and its address on a bus', () => {
  const bus = { NodePBMpiAddress: 5, PnNameOfStation: 'plc_1' }
  const typed = (type: number, more: object = {}) =>
    nodeOf({ values: { 'INodeData.NodeType': type }, parameters: { ...bus, ...more } })
  assert.deepEqual(typed(1), { name: 'IE1', type: 'Profibus', profinetName: 'plc_1', busAddress: 5 })
  assert.deepEqual(typed(2), { name: 'IE1', type: 'Mpi', profinetName: 'plc_1', busAddress: 5 })
  assert.deepEqual(typed(3), { name: 'IE1', type: 'Ethernet', profinetName: 'plc_1' })
  assert.deepEqual(typed(9), { name: 'IE1', profinetName: 'plc_1' })
  assert.equal(typed(1, { NodeGetsAddressAutomatically: true })?.busAddress, undefined)
  assert.equal(typed(1, { NodePBMpiAddress: 0 })?.busAddress, 0)
  assert.equal(nodeOf({ name: 'X2 : PN(LAN)' })?.label, 'X2')
  assert.equal(nodeOf({ name: 'X12', values: { 'INodeData.NodeID': 'IE1' } })?.label, 'X12')
  assert.equal(nodeOf({ name: 'Node', values: { 'INodeData.NodeID': 'IE3' } })?.label, 'X3')
  for (const [name, id] of [
    ['X', 'IE'],
    ['AX1', 'IE1a'],
    ['X1a', 'PB1'],
  ])
    assert.equal(nodeOf({ name: name!, values: { 'INodeData.NodeID': id! } })?.label, undefined, name)
})

test('interfaces have their part in the IO system: the controller, or a device with its number', () => {
  const made = stationWith({})
  const second = stationWith({})
  const third = stationWith({})
  const partOf = (all: readonly StoredObject[], parameters: Made['parameters'] = {}) =>
    madeObject({ type: 'DeviceItemData', parameters, relations: { Parent: [all[2]!] } })
  const master = partOf(made)
  const heads = [partOf(second, { PnStationNumber: 3 }), partOf(third)]
  const system = (subtype: string, parameters: Made['parameters'] = {}) =>
    madeObject({
      type: 'MastersystemData',
      name: 'PROFINET IO-System',
      values: { 'ICoreAttributes.Subtype': subtype },
      parameters,
      relations: { Master: [master], HeadModules: heads },
    })
  const partsWith = (one: StoredObject) => {
    const stations = readStations(storeOf([...made, ...second, ...third, master, ...heads, one]))
    return stations.map(({ controllers, modules }) => {
      const of = controllers[0]!.nodes[0]!.ioSystem
      assert.deepEqual(modules[0]!.modules[0]!.node!.ioSystem, of)
      return of
    })
  }
  const name = 'PROFINET IO-System'
  assert.deepEqual(partsWith(system('S7.IOSystem', { PositionNumber: 100 })), [
    { name, number: 100, role: 'controller' },
    { name, number: 100, role: 'device', deviceNumber: 3 },
    { name, number: 100, role: 'device' },
  ])
  assert.deepEqual(partsWith(system('S7.IOSystem'))[0], { name, number: 0, role: 'controller' })
  assert.deepEqual(partsWith(system('S7.DPMastersystem')), [undefined, undefined, undefined])
})

test('modules have what they are ordered by, their identifier, and the parts that lie in them', () => {
  const device = madeObject({
    type: 'DeviceData',
    name: 'Station',
    values: { 'IDeviceData.InvariantTypeName': 'ET 200SP station', 'ICoreAttributes.Subtype': 'ET200SP.Device' },
  })
  const constant = madeObject({ type: 'Constant', values: { 'IDefaultStrategyData.DefaultValue': '261' } })
  const words = madeObject({ type: 'Constant', values: { 'IDefaultStrategyData.DefaultValue': 'none' } })
  const head = madeObject({
    type: 'HeadDeviceItemData',
    name: 'IM',
    values: {
      'IDeviceItemData.PositionNumber': 0,
      'IDeviceItemData.OrderNumber': '6ES7 155-6AU01-0BN0',
      'IDeviceItemData.FwVersion': 'V4.2',
      'IDeviceItemData.InvariantTypeName': 'IM 155-6 PN ST',
    },
    relations: { Container: [device], ConstantTags: [constant] },
  })
  const port = (name: string, others: readonly StoredObject[] = []) =>
    madeObject({
      type: 'DeviceItemData',
      name,
      values: { 'IDeviceItemData.OrderNumber': '', 'ICoreAttributes.Subtype': 'ET200SP.Port' },
      relations: { Container: [head], ConstantTags: [words], PortToPorts: others },
    })
  const [first, other] = [port('Port_1'), port('Port_9')]
  const second = port('Port_2', [other!, other!])
  // What lies in a device and is no module of it.
  const note = madeObject({ type: 'NoteData', name: 'Note', relations: { Container: [device] } })
  const controller = madeObject({
    type: 'S7ControllerTargetData',
    name: 'PLC_1',
    values: { 'IDeviceItemData.OrderNumber': '6ES7 510', 'IDeviceItemData.FwVersion': 'V2.0' },
  })
  const holder = madeObject({ type: 'DeviceData', name: 'PLC', relations: { DeviceItems: [controller, head] } })
  const [station, plc] = readStations(storeOf([device, head, first!, second, note, holder, controller]))
  const plain = { addresses: [], cables: [], isPort: false, isHead: false, isController: false, modules: [] }
  assert.deepEqual(station, {
    name: 'Station',
    typeName: 'ET 200SP station',
    subtype: 'ET200SP.Device',
    controllers: [],
    modules: [
      {
        ...plain,
        name: 'IM',
        position: 0,
        orderNumber: '6ES7 155-6AU01-0BN0',
        firmware: 'V4.2',
        typeName: 'IM 155-6 PN ST',
        hardwareIdentifier: 261,
        isHead: true,
        modules: [
          { ...plain, name: 'Port_1', isPort: true },
          { ...plain, name: 'Port_2', isPort: true, cables: [cable(second, other!)] },
        ],
      },
    ],
  })
  assert.deepEqual(plc, {
    name: 'PLC',
    controllers: [{ stored: controller, name: 'PLC_1', orderNumber: '6ES7 510', firmware: 'V2.0', nodes: [] }],
    modules: [],
  })
})

/** The word of a cable is the same at both ends. */
function cable(a: StoredObject, b: StoredObject): string {
  return [a, b]
    .map(({ record }) => `${record.type}:${record.id}`)
    .sort()
    .join(' ')
}

test('addresses are bytes of the inputs or outputs; what is no whole byte or has no bits is none', () => {
  const data = (direction: number, bits: number, first: number, size = 34) => {
    const bytes = Buffer.alloc(34)
    bytes.writeUInt32LE(size, 0)
    bytes.writeUInt32LE(direction, 4)
    bytes.writeUInt32LE(bits, 10)
    bytes.writeUInt32LE(first, 22)
    return bytes
  }
  const all: Readonly<Record<string, Buffer | undefined>> = {
    AM_1_AddrData_1: data(2, 16, 80),
    AM_1_AddrData_2: data(4, 1, 0),
    AM_1_AddrData_3: data(2, 8, 81),
    AM_1_AddrData_4: data(2, 0, 80),
    AM_1_AddrData_5: data(3, 8, 80),
    AM_1_AddrData_6: data(2, 8, 80, 33),
    AM_1_AddrData_7: undefined,
    AM_2_AddrData_1: data(2, 8, 80),
  }
  const device = madeObject({ type: 'DeviceData' })
  const values = { 'IDeviceItemData.PositionNumber': 2 }
  const module = madeObject({
    type: 'DeviceItemData',
    values: { ...values, 'IAddressAttributes.x': 1 },
    relations: { Container: [device] },
  })
  Object.assign(module, {
    expando: () => new Map(Object.keys(all).map((name) => [name, name])),
    expandoBytes: (name: string, length: number) => (length === 34 ? all[name] : undefined),
  })
  const without = madeObject({ type: 'DeviceItemData', values, relations: { Container: [device] } })
  const [station] = readStations(storeOf([device, module, without]))
  assert.deepEqual(
    station!.modules.map(({ addresses }) => addresses),
    [
      [
        { ioType: 'Input', start: 10, length: 16 },
        { ioType: 'Output', start: 0, length: 1 },
      ],
      [],
    ],
  )
})
