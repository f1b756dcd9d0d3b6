import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOrder, naturally } from './order.ts'

test('names are in the order of their numbers, whatever the case', () => {
  const names = ['Motor_10', 'motor_2', 'Motor_1', 'ä', 'Valve', 'a', 'T1_10', 'T1_9', 'T01_9']
  assert.deepEqual(names.sort(naturally), [
    'a',
    'ä',
    'Motor_1',
    'motor_2',
    'Motor_10',
    'T1_9',
    'T01_9',
    'T1_10',
    'Valve',
  ])
})

test('addresses are in the order of area, byte and bit; texts that are none, and none at all, come last', () => {
  const inOrder = [
    ['%I0.0', '%I0.7', '%IB1', '%IW1', '%ID1', '%E2.0', '%I10.0', '%I100.1'],
    ['%Q0.0', '%A1.0', '%QW64', '%M0.0', '%MW2', '%M10.1'],
    ['%DB2.DBX0.0', '%DB2.DBX0.1', '%DB2.DBW2', '%DB10.DBX0.0', '%T2', '%T10', '%C1', '%Z2', 'P#M0.0', ''],
  ].flat()
  const given = [...inOrder].reverse()
  assert.deepEqual(
    given.sort((a, b) => naturally(addressOrder(a), addressOrder(b))),
    inOrder,
  )
})
