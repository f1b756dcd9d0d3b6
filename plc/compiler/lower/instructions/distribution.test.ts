import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../../testing/lower-source.ts'

const head = `FUNCTION_BLOCK "Main"
VAR_INPUT k : Int; x : Int; w : Word; d : DWord; END_VAR
VAR a : Int; b : DInt; c : Int; ok : Bool; status : Int; out : DWord; END_VAR
BEGIN
`
const running = (body: string) => runSource(`${head}${body}\nEND_FUNCTION_BLOCK`)

describe('DEMUX', () => {
  for (const [k, seen] of [
    [0, [7, -1, -1, 1]],
    [1, [-1, 7, -1, 1]],
    [2, [-1, -1, 7, 0]],
    [-1, [-1, -1, 7, 0]],
  ] as const)
    it(`K = ${k}`, () => {
      const run = running(
        `#a := -1; #b := -1; #c := -1;\nDEMUX(K := #k, IN := #x, OUT0 => #a, OUT1 => #b, OUTELSE => #c, ENO => #ok);`,
      )
      run.setBits('k', BigInt.asUintN(16, BigInt(k)))
      run.setBits('x', 7n)
      run.scan()
      assert.deepEqual(
        ['a', 'b', 'c', 'ok'].map((name) => run.get(name)),
        seen,
      )
    })
  it('a number goes to outputs of any type', () => {
    const run = running('DEMUX(K := 1, IN := 5, OUT0 => #a, OUT1 => #b, OUTELSE => #c);')
    run.scan()
    assert.equal(run.get('b'), 5)
  })
})

it('SEG', () => {
  const run = running('#out := SEG(#w);')
  for (const [word, codes] of [
    [0x1234n, 0x065b4f66n],
    [0xf09an, 0x713f6777n],
  ] as const) {
    run.setBits('w', word)
    run.scan()
    assert.equal(run.bits('out'), codes)
  }
})

it('BCDCPL', () => {
  const run = running('#out := BCDCPL(#d);')
  for (const [digits, rest] of [
    [0x0000001n, 0x9999999n],
    [0x1234567n, 0x8765433n],
    [0n, 0x10000000n],
  ] as const) {
    run.setBits('d', digits)
    run.scan()
    assert.equal(run.bits('out'), rest)
  }
})

// TIA Portal help of both: the outputs that they have in SCL, LAD and FBD.
it('SEG and BCDCPL give their result at OUT and ERR_CODE', () => {
  const run = running('SEG(IN := W#16#1234, OUT => #out); BCDCPL(IN := DW#16#0123_4567, ERR_CODE => #d);')
  run.scan()
  assert.deepEqual([run.bits('out'), run.bits('d')], [0x065b4f66n, 0x8765433n])
})
