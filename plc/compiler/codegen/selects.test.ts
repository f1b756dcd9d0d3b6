import assert from 'node:assert/strict'
import test from 'node:test'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { DInt, Real } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { withSelects } from './selects.ts'

const at = (offset: number, rest: Partial<Place> = {}): Place => {
  return { base: { kind: 'area', area: 'M' }, offset, indices: [], isStandard: false, ...rest }
}
const load = (offset: number, type: ScalarType = DInt): Expression => ({ kind: 'load', type, place: at(offset) })
const number = (value: bigint): Expression => ({ kind: 'constant', type: DInt, value })
const store = (place: Place, value: Expression, type: ScalarType = DInt): Statement => {
  return { kind: 'store', place, type, value, site: 0 }
}
const isLess: Expression = {
  kind: 'binary',
  operator: 'less',
  type: DInt,
  left: load(0),
  right: load(4),
  setsEno: false,
}
const when = (condition: Expression, whenTrue: Statement[], otherwise: Statement[] = []): Statement => {
  return { kind: 'if', condition, whenTrue, otherwise, site: 0 }
}
const kinds = (statement: Statement) => withSelects(block([statement])).body.map(({ kind }) => kind)

test('an assignment of a simple value gets no branch, and writes what it wrote with one', () => {
  const cases = [
    when(isLess, [store(at(8), load(0))]),
    when(isLess, [store(at(0), load(4))]),
    when(isLess, [store(at(8), number(1n))], [store(at(8), number(2n))]),
  ]
  for (const one of cases) {
    assert.deepEqual(kinds(one), ['store'])
    for (const [left, right] of [
      [1, 2],
      [2, 1],
      [2, 2],
    ] as const) {
      const results = [true, false].map((isOptimized) => {
        const running = start([block([one])], [], {}, isOptimized)
        const { address, size } = running.program.areas.M
        for (const [i, value] of [left, right, 7].entries()) running.memory.setInt32(address + 4 * i, value, true)
        running.run('Main')
        return Buffer.from(new Uint8Array(running.memory.buffer).slice(address, address + size)).toString('hex')
      })
      assert.equal(results[0], results[1])
    }
  }
})

test('what may fail, takes long or has another target keeps its branch', () => {
  const index = { value: load(0), low: 0, high: 3, stride: 4, site: 0 }
  const divide: Expression = {
    kind: 'binary',
    operator: 'divide',
    type: DInt,
    left: load(0),
    right: load(4),
    setsEno: false,
  }
  const real: Expression = { kind: 'constant', type: Real, value: 1 }
  const unchecked: Expression = { kind: 'load', type: DInt, place: at(16, { indices: [index] }) }
  const called: Expression = { kind: 'sequence', statements: [store(at(8), number(3n))], value: isLess }
  for (const one of [
    when(isLess, [store(at(8), divide)]),
    when(isLess, [store(at(8), real, Real)]),
    when(isLess, [store(at(16, { indices: [index] }), load(0))]),
    when({ ...isLess, left: unchecked }, [store(at(8), load(0))]),
    when(called, [store(at(12), load(8))]),
    when(isLess, [store(at(8), load(0))], [store(at(12), load(0))]),
    when(isLess, [store(at(8), load(0)), store(at(12), load(0))]),
  ])
    assert.deepEqual(kinds(one), ['if'])
})
