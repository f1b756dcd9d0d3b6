import assert from 'node:assert/strict'
import { it } from 'node:test'
import { diagnosticsOf, runSource } from '../../../testing/lower-source.ts'

it('numbers are rotated as the bits they are', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR a : UDInt := 16#12345678; b : Int := -32767; c : SInt := 1; x : UDInt; y : Int; z : SInt; w : UInt; END_VAR
BEGIN
#x := ROR(IN := #a, N := 16);
#y := ROL(IN := #b, N := 1);
#z := ROR(IN := #c, N := 1);
#w := UDINT_TO_UINT(ROR(IN := #a, N := 16));
END_FUNCTION_BLOCK`)
  run.scan()
  assert.deepEqual(
    ['x', 'y', 'z', 'w'].map((name) => Number(run.get(name))),
    [0x56781234, 3, -128, 0x1234],
  )
})

it('what is no whole number is not rotated', () => {
  const found = diagnosticsOf(`FUNCTION_BLOCK "Main"
VAR a : Real; b : Real; END_VAR
BEGIN
#b := ROL(IN := #a, N := 1);
END_FUNCTION_BLOCK`)
  assert.deepEqual(
    found.map(({ code }) => code),
    ['wrong-operand'],
  )
})
