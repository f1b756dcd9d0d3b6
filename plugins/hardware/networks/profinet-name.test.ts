import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertedName, profinetName } from './profinet-name.ts'

test('converted names are those of real devices', () => {
  assert.equal(convertedName('plc_1'), 'plcxb1d0ed')
  assert.equal(convertedName('PLC_1'), 'plcxb1d0ed')
  assert.equal(convertedName('plc.profinet interface_1'), 'plc.profinetxainterfacexb13a48')
  assert.equal(convertedName('plc_1.profinet interface_1'), 'plcxb1.profinetxainterfacexb1036c')
  assert.equal(convertedName('valves-1'), 'valves-1')
})

test('a name with a character whose replacement is not known is not guessed', () => {
  assert.equal(convertedName('motör'), undefined)
})

test('a name that nobody gave is made like that of a real export', () => {
  assert.equal(
    profinetName({ name: 'RF03', kind: 'PLC' }, 'PROFINET interface_1', undefined),
    'rf03.profinet interface_1',
  )
  assert.equal(profinetName({ name: 'IO device_1', kind: 'IO' }, 'PROFINET interface', undefined), 'io device_1')
  assert.equal(
    profinetName({ name: 'IO device_1', kind: 'IO' }, 'PROFINET interface', { profinetDeviceName: 'valves' }),
    'valves',
  )
})
