/** Types of the system, by their names, and the start information of organization blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSystemTypeName, startInformationOf, systemTypeNamed, systemTypes } from './system-types.ts'

test('types are found whatever the case, the version of GRAPH and the ending _SFB', () => {
  const nameOf = (name: string) => systemTypeNamed(name)?.name
  for (const { name } of systemTypes()) {
    assert.equal(nameOf(name), name)
    assert.equal(nameOf(name.toLowerCase()), name)
    assert.ok(isSystemTypeName(name.toUpperCase()))
  }
  for (const part of [
    'MOPPlus',
    'SQFlagsPlus',
    'GCFlagsPlus',
    'OffsetsPlus',
    'RTDataPlus',
    'TransitionPlus',
    'StepPlus',
  ])
    for (const version of ['', '_V2', '_V3', '_V4', '_V5', '_V6']) {
      const type = systemTypeNamed(`G7_${part}${version}`)
      assert.deepEqual(type?.members, systemTypeNamed(`G7_${part}_V6`)?.members, `${part}${version}`)
      assert.equal(type?.kind, 'struct')
      assert.ok((type?.members.length ?? 0) > 2)
    }
  assert.deepEqual(systemTypeNamed('GraphStep')?.members, systemTypeNamed('G7_StepPlus_V6')?.members)
  assert.deepEqual(systemTypeNamed('GraphTransition')?.members, systemTypeNamed('G7_TransitionPlus_V6')?.members)
  assert.deepEqual(
    [nameOf('TON_SFB'), nameOf('ton'), nameOf('CTRL_PWM_sfb')],
    [nameOf('TON'), nameOf('TON'), nameOf('CTRL_PWM')],
  )
  for (const name of ['Motor', 'TON_SFC', 'G7_StepPlus_V7', 'GraphMOP', '']) {
    assert.equal(systemTypeNamed(name), undefined, name)
    assert.equal(isSystemTypeName(name), false, name)
  }
  assert.ok(['bool', 'DInt', 'HW_IO', 'LDT'].every(isSystemTypeName))
})

test('the start information of organization blocks', () => {
  const shown = (eventClass: string) =>
    startInformationOf(eventClass).map(({ name, dataType, section }) => `${section} ${name} : ${dataType}`)
  assert.deepEqual(shown('CyclicInterrupt'), ['Input Initial_Call : Bool', 'Input Event_Count : Int'])
  assert.deepEqual(shown('TimeErrorInterrupt'), [
    'Input Fault_ID : Byte',
    'Input Csg_OBnr : OB_ANY',
    'Input Csg_Prio : UInt',
  ])
  assert.equal(shown('IOAccessError').length, 9)
  assert.deepEqual(shown('Nothing'), [])
})
