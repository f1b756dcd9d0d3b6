import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alikeFirst, nearest } from './nearest.ts'

test('the nearest name is proposed, up to a third of the letters away', () => {
  const cases: readonly (readonly [name: string, existing: readonly string[], wanted: string | undefined])[] = [
    ['x', ['yy', 'Y'], 'Y'],
    ['x', ['yz'], undefined],
    ['valves', ['valvXX'], 'valvXX'],
    ['valves', ['valXXX'], undefined],
    ['valves', ['valvesXY'], 'valvesXY'],
    ['valves', ['valvesXYZ'], undefined],
    ['MOTOR', ['rotor', 'motor'], 'motor'],
    ['motor', ['rotor', 'notor'], 'rotor'],
    ['motor', [], undefined],
  ]
  for (const [name, existing, wanted] of cases) assert.equal(nearest(name, existing), wanted, `${name}: ${existing}`)
})

test('a swap of neighbours is one edit, two other letters are two', () => {
  assert.equal(nearest('PCL', ['PLC']), 'PLC')
  assert.equal(nearest('CPL', ['PCL']), 'PCL')
  for (const other of ['PLX', 'PXC', 'XLC', 'LCP', 'LPC']) assert.equal(nearest('PCL', [other]), undefined, other)
  assert.equal(nearest('PCL_12', ['PXX_12', 'PLC_12']), 'PLC_12')
})

test('names by likeness: those that contain it, then by edits', () => {
  const names = ['Alarm', 'Zone', 'DeviceItem', 'device', 'Devise', 'MoveDevice']
  assert.deepEqual(alikeFirst('Device', names, 6), ['DeviceItem', 'device', 'MoveDevice', 'Devise', 'Zone', 'Alarm'])
  assert.deepEqual(alikeFirst(`motor${'x'.repeat(100_000)}`, ['a', 'motor'], 2), ['motor', 'a'])
})

test('of equally like names those that come first, and no more than asked', () => {
  assert.deepEqual(alikeFirst('ab', ['xab', 'abx', 'ac', 'ad', 'AB'], 2), ['xab', 'abx'])
  assert.deepEqual(alikeFirst('ab', ['zz', 'ad', 'ac', 'xab'], 3), ['xab', 'ad', 'ac'])
  assert.deepEqual(alikeFirst('ab', ['zz', 'yy', 'ad'], 1), ['ad'])
  assert.deepEqual(alikeFirst('ab', ['abcdef', 'zz'], 1), ['abcdef'], 'what contains it, however long')
  assert.deepEqual(alikeFirst('ab', ['ba', 'zb'], 2), ['ba', 'zb'])
  assert.deepEqual(alikeFirst('ab', [], 2), [])
  const long = 'x'.repeat(100)
  assert.deepEqual(alikeFirst(`${long}y`, ['z', long, `${long}z`], 3), [long, `${long}z`, 'z'])
})
