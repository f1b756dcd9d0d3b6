/** Declared temporaries by address in statement lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const block = (body: string) => `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'FALSE' }
VAR a : Word; b : Bool; c : DWord; d : Word; END_VAR
VAR_TEMP first : Bool; second : Bool; w : Word; dw : DWord; END_VAR
BEGIN
NETWORK
${body}
END_FUNCTION_BLOCK
`

test('names and addresses mean the same local data', () => {
  const run = runSource(
    block(
      'L W#16#1234; T #w; L LW 2; T #a; SET; = L 0.1; A #second; = #b; L LB 3; T LB 7; L #dw; T #c; L 5; T LW 20; L LW 20; T #d;',
    ),
  )
  run.scan()
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => run.get(name)),
    [0x1234, 1, 0x34, 5],
  )
})

test('half declared, half behind is refused; what is named by address only is used', () => {
  const codes = (body: string) => diagnosticsOf(block(body)).map(({ code }) => code)
  assert.ok(codes('L LD 6; T #c;').includes('unsupported-operand'))
  assert.deepEqual(
    codes('SET; = L 0.0; = L 0.1; L LW 2; T LD 4;').filter((code) => code !== 'uninitialised-temporary'),
    [],
  )
})

test('local data through a pointer are refused with the reason and a way', () => {
  const told = diagnosticsOf(block('L LW [LD 8]; T #a;')).map(({ code, message, hint }) => [code, message, hint])
  assert.deepEqual(told, [
    [
      'unsupported-operand',
      'LW[%LD8] cannot be used here: local data have no addresses that a pointer reaches.',
      'Point to a temporary: P##name in AR1.',
    ],
  ])
})
