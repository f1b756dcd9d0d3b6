import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

/** Rounds and the run variable after the loop, counted without limits; the variable wraps as in the CPU. */
function expected(from: bigint, to: bigint, by: bigint, bits: number): { rounds: number; last: bigint } {
  let rounds = 0
  let at = from
  for (; by > 0n ? at <= to : at >= to; at += by) rounds++
  return { rounds, last: BigInt.asUintN(bits, at) }
}

// Start, end and increment are evaluated once, rounds are counted in wider numbers (docs/plc-semantics.md#for-loops).
describe('FOR ends at the limits of every integer type', () => {
  for (const [type, bits, isSigned] of [
    ['SInt', 8, true],
    ['USInt', 8, false],
    ['Int', 16, true],
    ['UInt', 16, false],
    ['DInt', 32, true],
    ['UDInt', 32, false],
    ['LInt', 64, true],
    ['ULInt', 64, false],
  ] as const) {
    const width = BigInt(bits)
    const high = isSigned ? 2n ** (width - 1n) - 1n : 2n ** width - 1n
    const low = isSigned ? -(2n ** (width - 1n)) : 0n
    const cases: (readonly [bigint, bigint, bigint])[] = [
      [high - 4n, high, 1n],
      [high - 4n, high, 3n],
      [high, high, 1n],
      [high - 100n, high - 1n, 100n],
      [low, low + 2n, 1n],
      [3n, 2n, 1n],
      ...(isSigned
        ? ([
            [low + 4n, low, -1n],
            [low + 4n, low, -3n],
            [low, low, -1n],
            [2n, -2n, -2n],
            [high, high - 2n, -1n],
          ] as const)
        : []),
    ]
    for (const [from, to, by] of cases)
      for (const isVariable of [false, true])
        it(`${type} ${from} TO ${to} BY ${by}, ${isVariable ? 'variables' : 'constants'}`, () => {
          const bounds = isVariable ? '#from TO #to BY #by' : `${from} TO ${to} BY ${by}`
          const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR i : ${type}; from : ${type} := ${from}; to : ${type} := ${to}; by : ${type} := ${by}; rounds : DInt; END_VAR
BEGIN
FOR #i := ${bounds} DO #rounds += 1; END_FOR;
END_FUNCTION_BLOCK
`)
          run.scan()
          const { rounds, last } = expected(from, to, by, bits)
          assert.deepEqual([run.get('rounds'), run.bits('i')], [rounds, last])
        })
  }
})
