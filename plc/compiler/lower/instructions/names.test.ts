import assert from 'node:assert/strict'
import { it } from 'node:test'
import { diagnosticsOf, runSource } from '../../../testing/lower-source.ts'

const program = (standard: boolean) => `FUNCTION_BLOCK "Drive"
{ S7_Optimized_Access := '${standard ? 'FALSE' : 'TRUE'}' }
VAR_OUTPUT name : WString[60]; path : WString[60]; short : WString[60]; END_VAR
VAR count : Int; END_VAR
BEGIN
#name := GetInstanceName(SIZE := 0);
#path := GetInstancePath();
#short := GetInstancePath(SIZE := 6);
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Station"
{ S7_Optimized_Access := 'TRUE' }
VAR first : "Drive"; list : Array[1..2] of "Drive"; END_VAR
BEGIN
#first();
#list[2]();
END_FUNCTION_BLOCK
DATA_BLOCK "Alone"
"Drive"
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Main"
VAR s : "Station"; a : WString[60]; END_VAR
BEGIN
#s();
"Alone"();
#a := GetInstanceName();
END_FUNCTION_BLOCK`

for (const standard of [false, true])
  it(`blocks of ${standard ? 'standard' : 'optimized'} access know where their instance stands`, () => {
    const run = runSource(program(standard))
    run.scan()
    const of = (path: string) => ['name', 'path', 'short'].map((one) => run.get(`${path}.${one}`))
    // Main has standard access by default; the instance at its beginning has its address.
    assert.deepEqual(of('s.first'), ['first', '"Main_DB".s.first', '"Main…'])
    assert.deepEqual(of('s.list[2]'), ['list[2]', '"Main_DB".s.list[2]', '"Main…'])
    assert.deepEqual(
      ['name', 'path', 'short'].map((one) => run.get(one, 'Alone')),
      ['"Alone"', '"Alone"', '"Alon…'],
    )
    assert.equal(run.get('a'), '"Main_DB"')
  })

it('functions have no instance', () => {
  const found = diagnosticsOf(`FUNCTION "f" : Void
VAR_TEMP t : WString; END_VAR
BEGIN
#t := GetInstancePath(SIZE := 0);
END_FUNCTION`)
  assert.deepEqual(
    found.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    ['unsupported'],
  )
})
