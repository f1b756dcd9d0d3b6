/** Boxes and coils of S5 counters, and fields of bits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bool, Int } from '../../../program/scalars.ts'
import type { Member, Type } from '../../../program/type.ts'
import {
  type InstructionSpec,
  instructionNetwork,
  networkDiagnostics,
  runNetworks,
} from '../../../testing/lower-ladder.ts'
import { array } from '../../../testing/runtime.ts'

const members = {
  up: 'Bool',
  down: 'Bool',
  set: 'Bool',
  reset: 'Bool',
  q: 'Bool',
  cv: 'Word',
  bcd: 'Word',
  w: 'Word',
  r: 'Real',
}
const outputs = { q: '#q', cv: '#cv', cv_bcd: '#bcd' }

/** Calls with these inputs, one letter each: u up, d down, s set, r reset. */
function counts(parts: readonly InstructionSpec[], calls: readonly string[]): unknown[] {
  const run = runNetworks(members, [instructionNetwork(parts)])
  run.set('w', 0x0012)
  return calls.map((call) => {
    for (const [letter, name] of [
      ['u', 'up'],
      ['d', 'down'],
      ['s', 'set'],
      ['r', 'reset'],
    ] as const)
      run.set(name, call.includes(letter))
    run.scan()
    return [run.get('cv'), run.get('bcd'), run.get('q')]
  })
}

for (const name of ['S_CUD', 'S_Cud'])
  test(`${name}: edges count both ways, S sets, R holds at 0`, () => {
    const box = {
      name,
      in: { cu: '#up', cd: '#down', s: '#set', pv: '#w', r: '#reset', counter: '%C7' },
      out: outputs,
    }
    assert.deepEqual(counts([box], ['u', 'u', '', 'u', 'd', '', 'd', '', 's', 'su', 'r', 'ru', '']), [
      [1, 1, true],
      [1, 1, true],
      [1, 1, true],
      [2, 2, true],
      [1, 1, true],
      [1, 1, true],
      [0, 0, false],
      [0, 0, false],
      [12, 0x12, true],
      [13, 0x13, true],
      [0, 0, false],
      [0, 0, false],
      [0, 0, false],
    ])
  })

test('counting in one direction; the count stays between 0 and 999', () => {
  const down = { name: 'S_CD', in: { cd: '#down', s: '#set', pv: '#w', counter: '%C1' }, out: outputs }
  assert.deepEqual(counts([down], ['d', '', 's', 'd', '', 'd']).at(-1), [10, 0x10, true])
  const run = runNetworks(members, [
    instructionNetwork([{ name: 'S_CU', in: { cu: '#up', s: '#set', pv: '#w', counter: '%C2' }, out: outputs }]),
  ])
  run.set('w', 0x0998)
  run.set('set', true)
  for (let i = 0; i < 10; i++) {
    run.set('up', i % 2 === 1)
    run.scan()
  }
  assert.deepEqual([run.get('cv'), run.get('bcd')], [999, 0x999])
})

test('coils count and set', () => {
  const parts: InstructionSpec[] = [
    { name: 'ScCoil', in: { in: '#set', value: '#w', operand: '%C3' } },
    { name: 'CuCoil', in: { in: '#up', operand: '%C3' } },
    { name: 'CdCoil', in: { in: '#down', operand: '%C3' } },
    // The edges belong to the counter: the box does not count edges that the coils have already counted.
    { name: 'S_CUD', in: { cu: '#up', cd: '#down', counter: '%C3' }, out: outputs },
  ]
  assert.deepEqual(
    counts(parts, ['s', 'u', '', 'd']).map((one) => (one as unknown[])[0]),
    [12, 13, 13, 12],
  )
})

test('other operands are told', () => {
  const codes = (box: InstructionSpec) =>
    networkDiagnostics(members, [instructionNetwork([box])]).map(({ code }) => code)
  assert.deepEqual(codes({ name: 'CuCoil', in: { in: '#up', operand: '#q' } }), ['wrong-operand'])
  assert.deepEqual(codes({ name: 'S_CU', in: { cu: '#up', counter: '%T1' } }), ['wrong-operand'])
  assert.deepEqual(codes({ name: 'ScCoil', in: { in: '#up', operand: '%C1', value: '#r' } }), ['wrong-operand'])
})

test('fields of bits are set and reset, in arrays and from an address on', () => {
  const list = { on: 'Bool', list: array(0, 9, Bool), w: 'Word' }
  const run = runNetworks(list, [
    instructionNetwork([{ name: 'SET_BF', in: { in: '#on', operand: '#list[3]', n: '4' } }]),
    instructionNetwork([{ name: 'RESET_BF', in: { in: '#on', operand: '#list[4]', n: '1' } }]),
    instructionNetwork([{ name: 'SET_BF', in: { in: '#on', operand: '%M4.6', n: '5' } }]),
    instructionNetwork([{ name: 'Move', in: { in: '%MW4' }, out: { out1: '#w' } }]),
  ])
  run.scan()
  assert.deepEqual([(run.get('list') as boolean[]).some((one) => one), run.get('w')], [false, 0])
  run.set('on', true)
  run.scan()
  assert.deepEqual((run.get('list') as boolean[]).map(Number), [0, 0, 0, 1, 0, 1, 1, 0, 0, 0])
  assert.equal(run.get('w'), 0b1100_0000_0000_0111)
  const codes = (operand: string, n: string) =>
    networkDiagnostics(list, [instructionNetwork([{ name: 'SET_BF', in: { in: '#on', operand, n } }])]).map(
      ({ code }) => code,
    )
  assert.deepEqual(codes('%M16383.6', '5'), ['address-outside'])
  assert.deepEqual(codes('#on', '5'), ['wrong-operand'])
  assert.deepEqual(codes('#list[1]', '#w'), ['wrong-operand'])
})

test('fields of bits in a structure end with it, and with the bits in it', () => {
  const bools = ['a', 'b', 'c', 'd', 'e']
  const member = (name: string): Member => ({
    ...{ name, type: bools.includes(name) ? Bool : Int, section: 'Static', isRetentive: false, comment: '' },
  })
  const s: Type = { kind: 'struct', isSystem: false, members: ['n', 'a', 'b', 'c', 'd', 'x', 'e'].map(member) }
  const run = runNetworks({ s }, [
    instructionNetwork([{ name: 'SET_BF', in: { in: 'RAIL', operand: '#s.b', n: '20' } }]),
    instructionNetwork([{ name: 'RESET_BF', in: { in: 'RAIL', operand: '#s.b', n: '2' } }]),
  ])
  run.scan()
  assert.deepEqual(
    bools.map((name) => run.get(`s.${name}`)),
    [false, false, false, true, false],
  )
})

test('SET_BF and RESET_BF as boxes, for CPUs that have them so', () => {
  const list = { on: 'Bool', off: 'Bool', done: 'Bool', list: array(0, 4, Bool) }
  const run = runNetworks(list, [
    instructionNetwork([
      { name: 'SBitfield', in: { en: '#on', operand: '#list[1]', n: '3' } },
      { name: 'Coil', in: { in: '0.eno', operand: '#done' } },
    ]),
    instructionNetwork([{ name: 'RBitfield', in: { en: '#off', operand: '#list[2]', n: '1' } }]),
  ])
  run.scan()
  assert.deepEqual([run.get('list'), run.get('done')], [[false, false, false, false, false], false])
  run.set('on', true)
  run.set('off', true)
  run.scan()
  assert.deepEqual([run.get('list'), run.get('done')], [[false, true, false, true, false], true])
  const codes = (operand: string) =>
    networkDiagnostics(list, [instructionNetwork([{ name: 'RBitfield', in: { en: '#on', operand, n: '2' } }])]).map(
      ({ code }) => code,
    )
  assert.deepEqual(codes('#on'), ['wrong-operand'])
})
