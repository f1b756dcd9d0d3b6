import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectionReader } from '../../../core/index.ts'
import type { Device, DeviceInterface } from '../device.ts'
import { checkHardware } from './hardware-check.ts'

const subnet = 'PN/IE_1'

function device(name: string, one: Partial<DeviceInterface> = {}, more: Partial<Device> = {}): Device {
  return {
    id: name,
    name,
    orderNumber: '6ES7 515-2AM02-0AB0',
    firmware: 'V2.9',
    typeIdentifier: 'OrderNumber:6ES7 515-2AM02-0AB0/V2.9',
    typeName: 'CPU 1515-2 PN',
    family: 'S7-1500',
    kind: 'PLC',
    unplaced: false,
    createdAt: 0,
    network: { interfaces: [{ name: 'X1', subnet, ...one }] },
    ...more,
  }
}

/** Codes of the faults of the first device. */
function codes(...all: [Device, ...Device[]]): string[] {
  const reader = { values: () => all.values() } as unknown as CollectionReader<never>
  return checkHardware({ read: () => reader as never }, all[0]).map(({ code }) => code)
}

test('a device that is right has no faults, alone and beside others', () => {
  const own = { ipAddress: '192.168.0.1', subnetMask: '255.255.255.0', routerAddress: '192.168.0.254' }
  assert.deepEqual(codes(device('PLC_1', own)), [])
  assert.deepEqual(codes(device('PLC_1', own), device('PLC_2', { ...own, ipAddress: '192.168.0.2' })), [])
  assert.deepEqual(codes(device('PLC_1', {}, { network: { interfaces: [] } })), [])
})

const wrong: [text: string, given: Partial<DeviceInterface>, code: string][] = [
  ['a number above 255', { ipAddress: '192.168.0.256' }, 'hardware-ip-address'],
  ['three numbers', { ipAddress: '192.168.0' }, 'hardware-ip-address'],
  ['the address of the subnet', { ipAddress: '192.168.0.0', subnetMask: '255.255.255.0' }, 'hardware-ip-address'],
  ['the broadcast address', { ipAddress: '192.168.3.255', subnetMask: '255.255.252.0' }, 'hardware-ip-address'],
  ['a mask with a hole', { subnetMask: '255.0.255.0' }, 'hardware-subnet-mask'],
  ['an empty mask', { subnetMask: '0.0.0.0' }, 'hardware-subnet-mask'],
  ['a router that is no address', { routerAddress: 'router' }, 'hardware-router'],
  [
    'a router elsewhere',
    { ipAddress: '192.168.0.1', subnetMask: '255.255.255.0', routerAddress: '192.168.1.254' },
    'hardware-router',
  ],
]
for (const [text, given, code] of wrong) test(text, () => assert.deepEqual(codes(device('PLC_1', given)), [code]))

test('addresses and names clash in one subnet only, however they are written', () => {
  const own = device('PLC_1', { ipAddress: '192.168.0.1', profinetDeviceName: 'line' })
  const same = { ipAddress: '192.168.000.001', profinetDeviceName: 'LINE' }
  assert.deepEqual(codes(own, device('PLC_2', same)), ['hardware-duplicate-ip', 'hardware-duplicate-name'])
  assert.deepEqual(codes(own, device('PLC_2', { ...same, subnet: 'PN/IE_2' })), [])
})

test('an IO system has one controller', () => {
  const system = (role: 'controller' | 'device') => ({ ioSystem: { name: 'PROFINET IO-System', role } })
  const io = device('IO_1', system('device'))
  assert.deepEqual(codes(io), ['hardware-io-system'])
  assert.deepEqual(codes(io, device('PLC_1', system('controller'))), [])
  assert.deepEqual(codes(device('PLC_1', system('controller')), device('PLC_2', system('controller'))), [
    'hardware-io-system',
  ])
})

test('what lies in the parking lot has no place', () => {
  assert.deepEqual(codes(device('PLC_1', {}, { unplaced: true })), ['hardware-unplaced'])
})
