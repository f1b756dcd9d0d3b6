import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { binary, constant, convert, load, local, setLocal, store, when } from '../../ir/build.ts'
import type { BinaryOperator, Expression, Place, Statement } from '../../ir/ir.ts'
import { DInt, Int } from '../../program/scalars.ts'
import { block, start } from '../../testing/codegen.ts'
import { withSafeIndices } from './ranges.ts'

const small = (value: number) => constant(Int, BigInt(value))
/** Registers 0 … 3 are of type Int; 4 is a run variable, and 5 counts all rounds, so that loops end. */
const registers = [0, 1, 2, 3]
const element = (value: Expression): Place => ({
  base: { kind: 'block', block: 'Data' },
  offset: 0,
  indices: [{ value, low: -3, high: 12, stride: 2, site: 1 }],
  isStandard: false,
})

const operators: readonly BinaryOperator[] = [
  ...(['add', 'subtract', 'multiply', 'modulo', 'divide', 'and', 'minimum', 'maximum'] as const),
]
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: -4, max: 14 }).map(small),
    fc.constantFrom(...registers).map((one) => local(Int, one)),
    tie('expression').map((index) => load(Int, element(index))),
    fc
      .tuple(fc.constantFrom(...operators), tie('expression'), tie('expression'))
      .map(([operator, left, right]) => binary(operator, Int, left, right)),
    fc.tuple(tie('expression'), fc.integer({ min: 1, max: 20 })).map(([a, by]) => binary('modulo', Int, a, small(by))),
    // A divisor in limits, with 0 and without.
    fc
      .tuple(fc.constantFrom('divide' as const, 'modulo' as const), tie('expression'), tie('expression'), fc.boolean())
      .map(([operator, a, b, isPositive]) =>
        binary(operator, Int, a, binary('maximum', Int, binary('modulo', Int, b, small(5)), small(isPositive ? 1 : 0))),
      ),
    tie('expression').map((inner) => convert(convert(inner, Int, DInt), DInt, Int)),
    // A call inside an expression may assign registers.
    fc
      .tuple(fc.constantFrom(...registers), tie('expression'), tie('expression'))
      .map(([one, given, value]): Expression => ({ kind: 'sequence', statements: [setLocal(one, given)], value })),
  ),
}))

const positive = (value: Expression) => binary('greater', Int, value, small(0))
let labels = 0
const { list } = fc.letrec<{ list: Statement[]; statement: Statement }>((tie) => {
  const inner = tie('list')
  return {
    list: fc.array(tie('statement'), { maxLength: 5 }),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constantFrom(...registers), expression).map(([one, value]) => setLocal(one, value)),
      },
      {
        weight: 3,
        arbitrary: fc.tuple(expression, expression).map(([index, value]) => store(Int, element(index), value)),
      },
      fc.tuple(expression, inner, inner).map(([value, a, b]) => when(positive(value), a, b)),
      fc.tuple(expression, inner, inner).map(
        ([selector, a, b]): Statement => ({
          kind: 'switch',
          selector,
          type: Int,
          branches: [{ ranges: [[0n, 3n]], body: a }],
          otherwise: b,
          site: 0,
        }),
      ),
      fc.tuple(expression, inner, inner).map(([value, a, b]): Statement => {
        const label = labels++
        return { kind: 'group', label, body: [...a, when(positive(value), [{ kind: 'leave', label }]), ...b] }
      }),
      // A run variable that nothing else assigns, or one that the body may assign; the rounds are limited separately.
      fc
        .tuple(fc.constantFrom(4, ...registers), fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 6 }), inner)
        .map(([run, from, rounds, body]): Statement => {
          const label = labels++
          const to = from + rounds
          const count = binary('add', Int, local(Int, 5), small(1))
          return {
            kind: 'group',
            label: labels++,
            body: [
              setLocal(run, small(from)),
              {
                kind: 'loop',
                label,
                site: 0,
                counter: { local: run, from: small(from), to: small(to), step: 1n },
                body: [
                  ...body,
                  store(Int, element(local(Int, run)), small(7)),
                  setLocal(5, count),
                  setLocal(run, binary('add', Int, local(Int, run), small(1))),
                  when(binary('greater', Int, local(Int, run), small(to)), [{ kind: 'leave', label }]),
                  when(binary('greater', Int, local(Int, 5), small(40)), [{ kind: 'leave', label }]),
                ],
              },
            ],
          }
        }),
      fc.tuple(inner, inner, expression).map(([a, b, value]): Statement => {
        const label = labels++
        const jump: Statement = { kind: 'goto', label, section: 2 }
        return { kind: 'sections', label, sections: [[...a, when(positive(value), [jump])], b, a] }
      }),
    ),
  }
})

/** Memory and faults of a run. */
function outcome(body: readonly Statement[], isOptimized: boolean): unknown {
  const keep = registers.map((one) =>
    store(Int, { base: { kind: 'area', area: 'M' }, offset: 2 * one, indices: [], isStandard: false }, local(Int, one)),
  )
  const code = block([...body, ...keep], { locals: [Int, Int, Int, Int, Int, Int] })
  const running = start([code], [{ name: 'Data', size: 32 }], {}, isOptimized)
  const { areas, dataBlocks, stackTop } = running.program
  const memory = new Uint8Array(running.memory.buffer)
  for (let i = 0; i < 16; i++) running.memory.setInt16((dataBlocks.get('data')?.address ?? 0) + 2 * i, i * 3 - 11, true)
  running.run('Main')
  return [Buffer.from(memory.slice(areas.I.address, stackTop)).toString('hex'), running.faults]
}

test('property: the same memory and faults with what is known of registers and without', () => {
  let safe = 0
  fc.assert(
    fc.property(list, (body) => {
      const plain = outcome(body, false)
      assert.deepEqual(outcome(body, true), plain)
      const marked = JSON.stringify(withSafeIndices(block(body)).body, (_key, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      if (marked.includes('"isSafe":true')) safe++
    }),
    { numRuns: 600 },
  )
  assert.ok(safe > 60, `${safe} with safe indices`)
})

test('what was assigned before tells the range, until something else may have been assigned', () => {
  const narrow = setLocal(0, binary('modulo', Int, load(Int, element(small(0))), small(4)))
  const use = store(Int, element(local(Int, 0)), small(1))
  const other = setLocal(0, load(Int, element(small(1))))
  const isSafe = (body: readonly Statement[]) =>
    JSON.stringify(
      withSafeIndices(block(body)).body.map((one) => (one.kind === 'store' ? one.place.indices[0]?.isSafe : '')),
    ).includes('true')
  assert.equal(isSafe([narrow, use]), true)
  assert.equal(isSafe([narrow, when(positive(small(1)), [], [use]), use]), true)
  assert.equal(isSafe([use, narrow]), false)
  assert.equal(isSafe([narrow, other, use]), false)
  assert.equal(isSafe([narrow, when(positive(small(1)), [other]), use]), false)
  assert.equal(
    isSafe([narrow, { kind: 'loop', label: 0, site: 0, body: [other, { kind: 'leave', label: 0 }] }, use]),
    false,
  )
  assert.equal(isSafe([narrow, { kind: 'call', block: 'F', arguments: [], results: [0], site: 0 }, use]), false)
})

test('a divisor in a register that can be neither 0 nor -1 is not compared with them', () => {
  const divide = (divisor: number) =>
    store(Int, element(small(0)), binary('divide', Int, small(9), local(Int, divisor)))
  const isSafe = (body: readonly Statement[]) =>
    JSON.stringify(
      withSafeIndices(block(body)).body.map((one) => (one.kind === 'store' ? one.value : '')),
      (_key, value) => (typeof value === 'bigint' ? `${value}` : value),
    ).includes('"isSafe":true')
  const limited = (low: number, high: number) =>
    setLocal(0, binary('minimum', Int, binary('maximum', Int, load(Int, element(small(1))), small(low)), small(high)))
  assert.equal(isSafe([limited(1, 9), divide(0)]), true)
  assert.equal(isSafe([limited(-9, -2), divide(0)]), true)
  assert.equal(isSafe([limited(0, 9), divide(0)]), false)
  assert.equal(isSafe([limited(-9, -1), divide(0)]), false)
  assert.equal(isSafe([limited(-9, 9), divide(0)]), false)
  assert.equal(isSafe([divide(0)]), false)
})
