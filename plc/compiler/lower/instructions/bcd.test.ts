import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instructionNetwork, networkDiagnostics, runNetworks } from '../../../testing/lower-ladder.ts'
import { runSource } from '../../../testing/lower-source.ts'

const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_SetENOAutomatically := 'TRUE' }
VAR w : Word; dw : DWord; i : Int; di : DInt; w2 : Word; dw2 : DWord; i2 : Int; di2 : DInt; ok : Array[1..4] of Bool; END_VAR
BEGIN
ENO := TRUE; #i := BCD16_TO_INT(#w); #ok[1] := ENO;
ENO := TRUE; #di := DWORD_BCD32_TO_DINT(#dw); #ok[2] := ENO;
ENO := TRUE; #w2 := INT_TO_BCD16(#i2); #ok[3] := ENO;
ENO := TRUE; #dw2 := DINT_TO_BCD32_DWORD(#di2); #ok[4] := ENO;
END_FUNCTION_BLOCK`)

describe('from BCD', () => {
  for (const [pattern, number, ok] of [
    [0x0000, 0, true],
    [0x0999, 999, true],
    [0xf123, -123, true],
    [0x8001, -1, true],
    [0x00a0, undefined, false],
    [0x0f00, undefined, false],
  ] as const)
    it(`16#${pattern.toString(16)}`, () => {
      run.setBits('w', BigInt.asUintN(16, BigInt(pattern)))
      run.scan()
      assert.equal(run.get('ok[1]'), ok ? 1 : 0)
      if (number !== undefined) assert.equal(Number(run.get('i')), number)
    })
  for (const [pattern, number, ok] of [
    [0x09999999, 9_999_999, true],
    [0xf0000012, -12, true],
    [0x01234567, 1_234_567, true],
    [0x0b000000, undefined, false],
  ] as const)
    it(`16#${pattern.toString(16)}`, () => {
      run.setBits('dw', BigInt.asUintN(32, BigInt(pattern)))
      run.scan()
      assert.equal(run.get('ok[2]'), ok ? 1 : 0)
      if (number !== undefined) assert.equal(run.get('di'), number)
    })
})

describe('into BCD', () => {
  for (const [number, pattern, ok] of [
    [999, 0x0999, true],
    [-45, 0xf045, true],
    [1000, undefined, false],
    [-32768, undefined, false],
  ] as const)
    it(`${number}`, () => {
      run.setBits('i2', BigInt.asUintN(16, BigInt(number)))
      run.scan()
      assert.equal(run.get('ok[3]'), ok ? 1 : 0)
      if (pattern !== undefined) assert.equal(run.get('w2'), pattern)
    })
  for (const [number, pattern, ok] of [
    [9_999_999, 0x09999999, true],
    [-1_234_567, 0xf1234567, true],
    [10_000_000, undefined, false],
    [-2_147_483_648, undefined, false],
  ] as const)
    it(`${number}`, () => {
      run.setBits('di2', BigInt.asUintN(32, BigInt(number)))
      run.scan()
      assert.equal(run.get('ok[4]'), ok ? 1 : 0)
      if (pattern !== undefined) assert.equal(run.get('dw2'), pattern)
    })
})

it('a Convert box of BCD', () => {
  const network = instructionNetwork([
    {
      name: 'Convert',
      types: { SrcType: 'Bcd32', DestType: 'DInt' },
      in: { en: 'RAIL', in: '#a' },
      out: { out: '#b' },
    },
  ])
  assert.deepEqual(networkDiagnostics({ a: 'DWord', b: 'DInt' }, [network]), [])
  const box = runNetworks({ a: 'DWord', b: 'DInt' }, [network])
  box.set('a', 0xf0000021)
  box.scan()
  assert.equal(box.get('b'), -21)
})
