import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const main = (check: boolean, body: string) =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE'; S7_IECCheck := '${check ? 'TRUE' : 'FALSE'}' }
VAR
  small : Int;
  long : DInt;
END_VAR
VAR CONSTANT
  MODES : DInt := 31;
  MANY : DInt := 70000;
END_VAR
BEGIN
${body}
END_FUNCTION_BLOCK
`

test('a named constant stands for a shorter integer that holds its number', () => {
  const run = runSource(main(false, 'FOR #small := 0 TO #MODES DO\n  #long := #long + #small;\nEND_FOR;'))
  run.scan()
  assert.deepEqual([run.get('small'), run.get('long')], [32, 496])
})

test('not where the IEC check is on, where it does not fit, and not for literals that name their type', () => {
  const told = (check: boolean, body: string) => diagnosticsOf(main(check, body)).map(({ code }) => code)
  assert.deepEqual(told(true, '#small := #MODES;'), ['type-mismatch'])
  assert.deepEqual(told(false, '#small := #MANY;'), ['type-mismatch'])
  assert.deepEqual(told(false, '#small := DINT#31;'), ['type-mismatch'])
})

test('a constant without a value is 0, or the empty text', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR
  text : String; isEmpty : Bool; n : Int := 5;
END_VAR
VAR CONSTANT
  none : String; zero : Int;
END_VAR
BEGIN
#isEmpty := #text = #none; #text := CONCAT(IN1 := 'a', IN2 := #none); #n := #zero;
END_FUNCTION_BLOCK
`)
  run.scan()
  assert.deepEqual([run.get('isEmpty'), run.get('text'), run.get('n')], [1, 'a', 0])
})
