import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlockCode, Expression, Place, Statement } from '../../ir/ir.ts'
import { Bool, Byte, DInt, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { promoteLoops } from './promote.ts'

const at = (offset: number, more: Partial<Place> = {}): Place => ({
  base: { kind: 'block', block: 'Data' },
  offset,
  indices: [],
  isStandard: false,
  ...more,
})
const constant = (value: bigint, type: ScalarType = DInt): Expression => ({ kind: 'constant', type, value })
const load = (place: Place, type: ScalarType = DInt): Expression => ({ kind: 'load', type, place })
const store = (place: Place, value: Expression, type: ScalarType = DInt): Statement => ({
  kind: 'store',
  place,
  type,
  value,
  site: 0,
})
const add = (left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator: 'add',
  type: DInt,
  left,
  right,
  setsEno: false,
})
const reaches = (place: Place, value: bigint): Expression => ({
  kind: 'binary',
  operator: 'greaterOrEqual',
  type: DInt,
  left: load(place),
  right: constant(value),
  setsEno: false,
})
const when = (condition: Expression, ...whenTrue: Statement[]): Statement => ({
  kind: 'if',
  condition,
  whenTrue,
  otherwise: [],
  site: 0,
})
const loop = (...body: Statement[]): Statement => ({ kind: 'loop', label: 0, body, site: 0 })
const leave: Statement = { kind: 'leave', label: 0 }

/** Runs a body once and returns the first words of the data block. */
function run(body: readonly Statement[], more: readonly BlockCode[] = []): number[] {
  const running = start([...more, block(body)], [{ name: 'Data', size: 64 }])
  running.run('Main')
  const address = running.program.dataBlocks.get('data')?.address ?? 0
  return Array.from({ length: 6 }, (_one, i) => running.memory.getInt32(address + 4 * i, true))
}

/** Number of loads and stores of the data block in a loop, without those around an interrupt. */
function accessesIn(code: BlockCode): number {
  const text = JSON.stringify(
    code.body.find(({ kind }) => kind === 'loop'),
    (key, value) => (key === 'safePoint' ? undefined : typeof value === 'bigint' ? `${value}` : value),
  )
  return text.split('"block":"Data"').length - 1
}

const counting = [
  store(at(0), constant(0n)),
  loop(
    store(at(0), add(load(at(0)), constant(1n))),
    store(at(4), add(load(at(4)), load(at(0)))),
    when(reaches(at(0), 100n), leave),
  ),
]

test('scalars of a loop are read once and written back once', () => {
  const promoted = promoteLoops(block(counting))
  assert.equal(accessesIn(promoted), 0)
  assert.deepEqual(run(counting).slice(0, 2), [100, 5050])
})

test('a return in the loop, and a leave of what is around it, write back first', () => {
  const count = store(at(0), add(load(at(0)), constant(1n)))
  assert.equal(run([loop(count, when(reaches(at(0), 7n), { kind: 'return' }))])[0], 7)
  const outer: Statement = {
    kind: 'group',
    label: 5,
    body: [loop(count, when(reaches(at(0), 9n), { kind: 'leave', label: 5 })), store(at(4), constant(1n))],
  }
  assert.deepEqual(run([outer]).slice(0, 2), [9, 0])
})

test('what another place overlaps stays in memory: elements, bytes of a word, bits beside each other', () => {
  const element = at(0, { indices: [{ value: load(at(20)), low: 0, high: 3, stride: 4, site: 0 }] })
  const overlapping = [
    loop(
      store(element, add(load(at(4)), constant(1n))),
      store(at(20), add(load(at(20)), constant(1n))),
      when(reaches(at(20), 4n), leave),
    ),
  ]
  // at(4) is element 1: the value written there is read again for element 2.
  assert.deepEqual(run(overlapping).slice(0, 4), [1, 1, 2, 2])
  const bytes = [
    loop(
      store(at(0), constant(0x41n, Word), Word),
      store(at(0), constant(0x7fn, Byte), Byte),
      store(at(8), load(at(0), Word) && constant(1n)),
      leave,
    ),
  ]
  assert.equal(run(bytes)[0], 0x7f)
  const bit = (n: number) => at(0, { bit: n, isStandard: true })
  const bits = [loop(store(bit(1), constant(1n, Bool), Bool), store(bit(2), constant(1n, Bool), Bool), leave)]
  assert.equal(run(bits)[0], 6)
})

test('a loop with a call, or with an address that is handed out, works on memory', () => {
  const other = block([store(at(0), add(load(at(0)), constant(10n)))], { name: 'Other', kind: 'FC' })
  const call: Statement = { kind: 'call', block: 'Other', arguments: [], results: [], site: 0 }
  const body = [loop(store(at(0), add(load(at(0)), constant(1n))), call, when(reaches(at(0), 30n), leave))]
  assert.equal(run(body, [other])[0], 33)
  const behind: Place = {
    base: { kind: 'pointer', address: { kind: 'address', place: at(0) } },
    offset: 0,
    indices: [],
    isStandard: false,
  }
  assert.equal(run([loop(store(behind, add(load(at(0)), constant(1n))), when(reaches(at(0), 5n), leave))])[0], 5)
})
