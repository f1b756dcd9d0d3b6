import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { DInt, Int, ULInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { runSource } from '../../testing/lower-source.ts'
import { withSafeIndices } from './ranges.ts'

const constant = (value: number, type: ScalarType = DInt): Expression => ({
  kind: 'constant',
  type,
  value: BigInt(value),
})
const local = (number: number, type: ScalarType = DInt): Expression => ({ kind: 'local', type, local: number })
const binary = (
  operator: 'add' | 'subtract' | 'multiply' | 'modulo' | 'and',
  left: Expression,
  right: Expression,
  type = DInt,
): Expression => ({
  kind: 'binary',
  operator,
  type,
  left,
  right,
  setsEno: false,
})
const element = (value: Expression, low = 0, high = 9): Place => ({
  base: { kind: 'block', block: 'Data' },
  offset: 0,
  indices: [{ value, low, high, stride: 4, site: 3 }],
  isStandard: false,
})
const store = (place: Place): Statement => ({ kind: 'store', place, type: DInt, value: constant(1), site: 0 })
const step = (number: number, by: number): Statement => ({
  kind: 'setLocal',
  local: number,
  value: binary('add', local(number), constant(by)),
})

/** FOR local := from TO to BY by DO body, as the lowering makes it. */
function loop(number: number, from: Expression, to: Expression, by: number, ...body: Statement[]): Statement {
  return {
    kind: 'loop',
    label: number,
    site: 0,
    counter: { local: number, from, to, step: BigInt(by) },
    body: [...body, step(number, by), { kind: 'leave', label: number }],
  }
}

/** Number of places of a body that need no check. */
function safe(...body: Statement[]): number {
  const text = JSON.stringify(withSafeIndices(block(body)), (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  return text.split('"isSafe":true').length - 1
}

test('run variables and what is worked out from them', () => {
  const i = local(0)
  assert.equal(safe(loop(0, constant(0), constant(9), 1, store(element(i)))), 1)
  assert.equal(safe(loop(0, constant(9), constant(0), -1, store(element(i)))), 1)
  assert.equal(safe(loop(0, constant(0), constant(10), 1, store(element(i)))), 0)
  assert.equal(safe(loop(0, constant(-1), constant(9), 1, store(element(i)))), 0)
  assert.equal(safe(loop(0, constant(0), constant(8), 1, store(element(binary('add', i, constant(1)))))), 1)
  assert.equal(safe(loop(0, constant(0), constant(4), 1, store(element(binary('multiply', i, constant(2)))))), 1)
  // The end may depend on a run variable further out.
  const inner = loop(
    1,
    constant(0),
    binary('subtract', constant(8), i),
    1,
    store(element(binary('add', local(1), constant(1)))),
  )
  assert.equal(safe(loop(0, constant(0), constant(8), 1, inner)), 1)
})

test('a run variable that the body assigns is not known, nor is one behind its loop', () => {
  assert.equal(
    safe(
      loop(
        0,
        constant(0),
        constant(9),
        1,
        { kind: 'setLocal', local: 0, value: constant(77) },
        store(element(local(0))),
      ),
    ),
    0,
  )
  assert.equal(safe(loop(0, constant(0), constant(9), 1), store(element(local(0)))), 0)
})

test('remainders, masks, narrow types; what may wrap is not known', () => {
  const any = local(5)
  assert.equal(safe(store(element(binary('modulo', local(5, ULInt), constant(10, ULInt), ULInt)))), 1)
  assert.equal(safe(store(element(binary('modulo', local(5, ULInt), constant(10, ULInt), ULInt), 1))), 0)
  assert.equal(safe(store(element(binary('modulo', local(5, ULInt), constant(10, ULInt), ULInt), 0, 8))), 0)
  assert.equal(safe(store(element(binary('modulo', any, constant(10))))), 0)
  assert.equal(safe(store(element(binary('modulo', any, constant(10)), -9, 9))), 1)
  assert.equal(safe(store(element(binary('and', local(5, ULInt), constant(7, ULInt), ULInt)))), 1)
  assert.equal(safe(store(element(local(5, Int), -32_768, 32_767))), 1)
  // 32767 + 1 is -32768 in Int.
  const wraps = binary('add', local(0, Int), constant(1, Int), Int)
  assert.equal(safe(loop(0, constant(32_760, Int), constant(32_767, Int), 1, store(element(wraps, 32_761, 32_768)))), 0)
})

test('property: an index that is shown to be safe never lies outside', () => {
  const bounds = fc.integer({ min: -20, max: 20 })
  fc.assert(
    fc.property(
      bounds,
      bounds,
      fc.constantFrom(1, 2, -1, -3),
      bounds,
      bounds,
      bounds,
      (from, to, by, factor, plus, low) => {
        const value = binary('add', binary('multiply', local(0), constant(factor)), constant(plus))
        const high = low + 15
        if (safe(loop(0, constant(from), constant(to), by, store(element(value, low, high)))) === 0) return
        for (let i = from; by > 0 ? i <= to : i >= to; i += by) {
          const index = i * factor + plus
          assert.ok(index >= low && index <= high, `${index} of ${low}..${high}`)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('places with safe and unsafe indices beside each other still check the unsafe one', () => {
  const place: Place = {
    ...element(constant(0)),
    indices: [
      { value: binary('and', local(0), constant(1)), low: 0, high: 1, stride: 8, site: 1 },
      { value: local(0), low: 0, high: 1, stride: 4, site: 2 },
    ],
  }
  const read = block([{ kind: 'setLocal', local: 1, value: { kind: 'load', type: DInt, place } }], {
    name: 'F',
    kind: 'FC',
    locals: [DInt, DInt],
    signature: { parameters: [{ name: 'i', type: DInt }], results: [{ name: 'Ret_Val', type: DInt }] },
  })
  const running = start([read], [{ name: 'Data', size: 16 }])
  running.run('F', 1)
  assert.deepEqual(running.faults, [])
  running.run('F', 2)
  assert.equal(running.faults.length, 1)
})

test('loops with known limits are counted as a whole: many of them in one another are noticed', () => {
  const source = (rounds: number) => `FUNCTION_BLOCK "Main"
   VAR
      n : DInt;
   END_VAR
   VAR_TEMP
      i : DInt;
      j : DInt;
   END_VAR
BEGIN
	#n := 0;
	FOR #i := 1 TO 1000 DO
	  FOR #j := 1 TO ${rounds} DO
	    #n := #n + #j MOD 7;
	  END_FOR;
	END_FOR;
END_FUNCTION_BLOCK
`
  assert.throws(() => runSource(source(2000)).scan(), /endless/)
  runSource(source(500)).scan()
})
