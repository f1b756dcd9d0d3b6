import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceKind } from '../device.ts'
import { disconnected, profinetLabels } from './interfaces.ts'

test('an interface without its connections keeps its addresses, and its type unless it is Ethernet', () => {
  const system = { ioSystem: { name: 'System', role: 'device' as const }, deviceOf: { name: 'Upper' } }
  const own = { name: 'X1', ipAddress: '10.0.0.1', subnet: 'Net' }
  assert.deepEqual(disconnected({ ...own, ...system, subnetType: 'Ethernet' }), { name: 'X1', ipAddress: '10.0.0.1' })
  assert.deepEqual(disconnected(own), { name: 'X1', ipAddress: '10.0.0.1' })
  assert.deepEqual(disconnected({ name: 'X2', subnet: 'Bus', subnetType: 'Profibus', busAddress: 5, ...system }), {
    ...{ name: 'X2', subnetType: 'Profibus', busAddress: 5 },
  })
})

test('PROFINET interfaces by the type of a device', () => {
  const table: [kind: DeviceKind, family: string, typeName: string, labels: string][] = [
    ['PLC', 'S7-1500', 'CPU 1511-1 PN', 'X1'],
    ['PLC', 'S7-1500', 'CPU 1515-2 PN', 'X1 X2'],
    ['PLC', 'S7-1500', 'CPU 1516-3 PN/DP', 'X1 X2'],
    ['PLC', 'S7-1500', 'CPU 1518-4 PN/DP', 'X1 X2 X3'],
    ['PLC', 'S7-1200', 'CPU 1214C DC/DC/DC', 'X1'],
    ['PLC', 'S7-300', 'CPU 315-2 PN/DP', 'X2'],
    ['PLC', 'S7-300', 'CPU 314C-2 DP', ''],
    ['PLC', 'S7-400', 'CPU 412-2 PN', 'X5'],
  ]
  for (const [kind, family, typeName, labels] of table)
    assert.equal(profinetLabels({ kind, family, typeName }).join(' '), labels, typeName)
})
