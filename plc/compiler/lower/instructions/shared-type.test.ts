/** The type of instructions with several inputs: a number without a type widens it as it does beside an operator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../../testing/lower-source.ts'

const variables =
  'i : Int := 7; d : DInt := 70000; u : USInt := 200; w : Word := 16#12; y : Byte := 16#34; b : Bool := TRUE; o : Bool;'
const program = (body: string, results = '') =>
  `FUNCTION_BLOCK "Main"\nVAR ${variables} ${results} END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

/** Each call with the type of its result and its value. */
const calls: readonly (readonly [call: string, type: string, value: number | bigint])[] = [
  ['MAX(IN1 := #i, IN2 := 100000)', 'DInt', 100000],
  ['MAX(100000, #i)', 'DInt', 100000],
  ['MIN(IN1 := #i, IN2 := -100000, IN3 := 5)', 'DInt', -100000],
  ['LIMIT(MN := 8, IN := #i, MX := 100000)', 'DInt', 8],
  ['LIMIT(MN := -100000, IN := #i, MX := 3)', 'DInt', 3],
  ['SEL(G := #b, IN0 := #i, IN1 := 70000)', 'DInt', 70000],
  ['SEL(G := NOT #b, IN0 := #i, IN1 := 70000)', 'DInt', 7],
  ['MUX(K := 1, IN0 := #i, IN1 := 70000, INELSE := -70000)', 'DInt', 70000],
  ['MUX(K := 9, IN0 := #i, IN1 := 70000, INELSE := -70000)', 'DInt', -70000],
  ['MAX(INT#5, 100000)', 'DInt', 100000],
  ['MIN(#u, -5)', 'Int', -5],
  ['MAX(#d, 5000000000)', 'LInt', 5000000000],
  ['MAX(#i, 7.5)', 'Real', 7.5],
  ['LIMIT(0.5, #i, 100.0)', 'Real', 7],
  ['MAX(#i, 5)', 'Int', 7],
  ['#d + LIMIT(0, #i, 100000)', 'DInt', 70007],
]

test('the result has the type that holds all inputs', () => {
  const results = calls.map(([, type], i) => `r${i} : ${type};`).join(' ')
  const body = calls.map(([call], i) => `#r${i} := ${call};`).join('\n')
  assert.deepEqual(diagnosticsOf(program(body, results)), [])
  const run = runSource(program(body, results))
  run.scan()
  for (const [i, [call, , value]] of calls.entries()) assert.equal(Number(run.get(`r${i}`)), value, call)
})

test('bit strings, and limits of IN_RANGE', () => {
  const run = runSource(
    program(
      `#r := SEL(G := #b, IN0 := #w, IN1 := 16#1FFFF);
#s := SEL(G := #b, IN0 := #y, IN1 := 16#1FF);
#o := IN_RANGE(MIN := -100000, IN := #i, MAX := 100000);`,
      'r : DWord; s : Word;',
    ),
  )
  run.scan()
  assert.deepEqual([run.bits('r'), run.bits('s'), run.get('o')], [0x1ffffn, 0x1ffn, 1])
})

test('the result must fit where it goes, and what no type holds is told', () => {
  const codes = (body: string) => diagnosticsOf(program(body)).map(({ code }) => code)
  assert.deepEqual(codes('#i := MAX(#i, 100000);'), ['lossy-conversion'])
  assert.deepEqual(codes('#i := LIMIT(0, #i, 32767);'), [])
  assert.deepEqual(codes('#w := SEL(#b, #w, -1);'), ['constant-does-not-fit'])
  assert.deepEqual(codes('#i := MAX(#i, 99999999999999999999);'), ['wrong-constant'])
})
