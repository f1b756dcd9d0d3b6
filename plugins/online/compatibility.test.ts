/** What a controller must have for a download, and what is not replaced by accident. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../core/index.ts'
import { protectedConflicts, requireNoConflicts, requireOwnProgram, requireSameFamily } from './compatibility.ts'
import type { ProgramItem } from './program-objects.ts'

const block = (name: string, hash: string, isKnowHowProtected = true) =>
  ({ category: 'block', kind: 'FB', name, hash, record: { isKnowHowProtected } }) as unknown as ProgramItem

/** The problem that is thrown. */
function problemOf(run: () => void): { code: string; message: string; errors?: readonly Fault[]; suggestion?: string } {
  try {
    run()
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: object }
    return { code, message, ...details }
  }
  return { code: '', message: 'nothing is thrown' }
}

test('protected blocks are in the way of others of their name, and of being removed', () => {
  const before = [block('Same', 'a'), block('Other', 'a'), block('Gone', 'a'), block('Open', 'a', false)]
  const next = [block('SAME', 'a'), block('other', 'b', false), block('Open', 'b')]
  const replaced = { path: 'FB "Other"', code: 'know-how-protected' }
  const message = 'is know-how protected and would be replaced by another'
  assert.deepEqual(protectedConflicts(before, next, false), [{ ...replaced, message }])
  assert.deepEqual(protectedConflicts(before, next, true), [
    { ...replaced, message },
    { ...replaced, path: 'FB "Gone"', message: 'is know-how protected and would be removed' },
  ])
  assert.deepEqual(protectedConflicts([], next, true), [])
})

test('conflicts are told with the first, how many more there are, and all of them', () => {
  const one = { path: 'FB "A"', message: 'is in the way' }
  const two = { path: 'FB "B"', message: 'is too' }
  requireNoConflicts([], 'instance "Sim"')
  const suggestion = 'Send force: true when that is what you want.'
  assert.deepEqual(
    problemOf(() => requireNoConflicts([one], 'instance "Sim"')),
    {
      ...{ code: 'conflict', message: 'FB "A" of instance "Sim" is in the way.', errors: [one], suggestion },
    },
  )
  const both = problemOf(() => requireNoConflicts([one, two], 'instance "Sim"'))
  assert.equal(both.message, 'FB "A" of instance "Sim" is in the way (and 1 more).')
  assert.deepEqual(both.errors, [one, two])
})

test('a controller has no program, that of the device by id or by name, or that of another one', () => {
  const device = { id: 'd1', name: 'PLC_1' }
  const loaded = (id: string, name: string) => ({ device: { id, name }, project: { name: 'Line' } }) as never
  requireOwnProgram(device, undefined, 'Sim')
  requireOwnProgram(device, loaded('d1', 'Old name'), 'Sim')
  requireOwnProgram(device, loaded('d2', 'plc_1'), 'Sim')
  assert.deepEqual(
    problemOf(() => requireOwnProgram(device, loaded('d2', 'PLC_2'), 'Sim')),
    {
      ...{ code: 'conflict', message: 'Instance "Sim" has the program of device "PLC_2" (project "Line").' },
      suggestion: 'Send force: true to replace it.',
    },
  )
})

test('CPUs of one family take the programs of each other, those of others do not', () => {
  const [n1515, n1512, n1214, n315] = ['6ES7 515-2AM02-0AB0', '6ES7 512-1DK01-0AB0', '6ES7 214-1AG40-0XB0', '6ES7 315']
  const cpu1515 = { type: 'CPU 1515-2 PN', family: 'S7-1500', orderNumber: n1515 }
  const cpu1512 = { type: 'CPU 1512SP-1 PN', family: 'ET 200SP', orderNumber: n1512 }
  const cpu1214 = { type: 'CPU 1214C DC/DC/DC', family: 'S7-1200', orderNumber: n1214 }
  const cpu315 = { type: 'CPU 315-2 PN/DP', family: 'S7-300', orderNumber: n315 }
  const unnamed = { type: 'Unspecified', family: 'S7-1500', orderNumber: '' }
  type Cpu = typeof cpu1515
  const check = (own: Cpu, other: Cpu) =>
    requireSameFamily({ name: 'PLC_1', typeName: own.type, family: own.family, orderNumber: own.orderNumber }, {
      name: 'Sim',
      cpuType: other.type,
      family: other.family,
      orderNumber: other.orderNumber,
    } as never)
  const refused = (own: Cpu, other: Cpu) => {
    const { code, message, suggestion } = problemOf(() => check(own, other))
    return [code, message, suggestion]
  }
  assert.deepEqual([check(cpu1515, cpu1515), check(cpu1515, unnamed), check(unnamed, { ...unnamed })], [[], [], []])
  assert.deepEqual(check(cpu1515, { ...cpu1515, orderNumber: '6ES7 515-2AN03-0AB0' }), [])
  assert.deepEqual(check(cpu1515, cpu1512), [
    `Device "PLC_1" is a CPU 1515-2 PN (${n1515}), instance "Sim" a CPU 1512SP-1 PN (${n1512}) of the same family.`,
  ])
  const create = (number: string) =>
    `POST /api/simulation/instances/create { "name": "PLC_1_2", "orderNumber": "${number}" }`
  const code = 'incompatible_cpu'
  assert.deepEqual(refused(cpu1214, cpu1515), [
    code,
    'Device "PLC_1" is an S7-1200 (CPU 1214C DC/DC/DC), instance "Sim" an S7-1500 (CPU 1515-2 PN).',
    create(n1214),
  ])
  assert.deepEqual(refused(cpu315, cpu1515), [
    code,
    'Device "PLC_1" is of family S7-300 (CPU 315-2 PN/DP), instance "Sim" an S7-1500 (CPU 1515-2 PN).',
    create(n315),
  ])
  assert.deepEqual(refused(cpu1515, cpu315), [
    code,
    'Device "PLC_1" is an S7-1500 (CPU 1515-2 PN), instance "Sim" of family S7-300 (CPU 315-2 PN/DP).',
    create(n1515),
  ])
  // Two of a family without a number are not known to be alike.
  assert.equal(refused(cpu315, cpu315)[0], code)
})
