import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mathRoutines } from './math.ts'

const routines = mathRoutines({} as never) as Readonly<Record<string, (...given: number[]) => number>>

test('functions of real numbers', () => {
  const cases: readonly (readonly [name: string, given: readonly number[], result: number])[] = [
    ['ln', [Math.E], 1],
    ['log', [1000], 3],
    ['exp', [0], 1],
    ['sin', [Math.PI / 2], 1],
    ['cos', [Math.PI], -1],
    ['tan', [0.5], Math.sin(0.5) / Math.cos(0.5)],
    ['asin', [1], Math.PI / 2],
    ['acos', [-1], Math.PI],
    ['atan', [1], Math.PI / 4],
    ['frac', [2.75], 0.75],
    ['frac', [-2.25], -0.25],
    ['frac', [7], 0],
    ['power', [2, 10], 1024],
    ['power', [9, 0.5], 3],
  ]
  for (const [name, given, result] of cases) {
    const found = routines[`math.${name}`]?.(...given) ?? Number.NaN
    assert.ok(Math.abs(found - result) < 1e-12, `${name}(${given.join(', ')}) is ${found}, not ${result}`)
  }
  assert.deepEqual(Object.keys(routines).sort(), [...new Set(cases.map(([name]) => `math.${name}`))].sort())
})
