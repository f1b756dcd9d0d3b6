/** Numbers without a type: calculated exactly, and of the type that their surroundings want. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const fb = (body: string) =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\n  ul : ULInt;\n  d : DInt;\n  i : Int;\n  lw : LWord;\n  b : Bool;\n  r : LReal;\n  i2 : Int := 2;\nEND_VAR\nVAR CONSTANT\n  most : ULInt := 18446744073709551615;\n  all : LWord := 16#FFFF_FFFF_FFFF_FFFF;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

const values: readonly (readonly [statement: string, name: string, value: unknown])[] = [
  ['#ul := 18446744073709551615 MOD 10;', 'ul', 5n],
  ['#ul := 18446744073709551615 + -1; #b := #ul = 18446744073709551614;', 'b', 1],
  ['#ul := 16#FFFF_FFFF_FFFF_FFFF MOD 10;', 'ul', 5n],
  ['#ul := ULINT#18446744073709551615 MOD 10;', 'ul', 5n],
  ['#ul := #most MOD 10;', 'ul', 5n],
  ['#d := 40000 + 40000;', 'd', 80000],
  ['#d := 5 - 10 * 3;', 'd', -25],
  ['#d := -7 / 2;', 'd', -3],
  ['#d := -7 MOD 3;', 'd', -1],
  ['#d := -2147483648;', 'd', -2147483648],
  ['#d := -16#FFFF;', 'd', -65535],
  ['#i := 16#FFFF;', 'i', -1],
  ['#d := #i2 + 70000;', 'd', 70002],
  ['#lw := 16#F0 OR 16#0F;', 'lw', 255n],
  ['#lw := #all AND 16#FF;', 'lw', 255n],
  ['#lw := 16#FFFF_FFFF_FFFF_FFFF; #b := #lw = #all;', 'b', 1],
  ['#b := 18446744073709551615 > -1;', 'b', 1],
  ['#b := #i2 < 70000;', 'b', 1],
  ['#i := 32767 + 1;', 'i', -32768],
  ['#r := 7 / 2;', 'r', 3],
  ['#r := 7 / 2.0;', 'r', 3.5],
]

for (const [statement, name, value] of values)
  test(statement, () => {
    const running = runSource(fb(statement))
    running.scan()
    assert.equal(String(running.get(name)), String(value))
  })

test('what does not fit is told where it is used', () => {
  const told = (statement: string) =>
    diagnosticsOf(fb(statement)).map(({ severity, message }) => `${severity} ${message}`)
  assert.deepEqual(told('#i := 30000 + 30000;'), ['warning 30000 + 30000 does not fit into Int (-32768 to 32767).'])
  assert.deepEqual(told('#i := -16#FFFF;'), ['error -16#FFFF does not fit into Int (-32768 to 32767).'])
  assert.match(told('#ul := 18446744073709551615 * 2;')[0] ?? '', /does not fit into ULInt/)
})
