import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const block = (name: string, access: boolean) => `DATA_BLOCK "${name}"
{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}' }
VAR a : Int := 258; b : Bool; DBW6 : Int := 5; d : DWord; END_VAR
BEGIN
END_DATA_BLOCK
`
const source = (
  body: string,
) => `${block('Data', false)}${block('Other', false)}${block('Own', true)}FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT which : Int; END_VAR
VAR w : Word; d : DWord; q : Bool; id : Word; dbs : Array[0..3] of DB_ANY; END_VAR
BEGIN
#dbs[1] := "Data"; #dbs[2] := "Other"; #dbs[3] := "Own";
${body}
END_FUNCTION_BLOCK`

test('an address behind a data block, with and without %', () => {
  const run = runSource(
    source('"Data".DBX2.0 := TRUE; "Data".%DBB7 := 16#7F; #w := "Data".DBW0; #d := "Data".%DBD6; #q := "Data".b;'),
  )
  run.scan()
  assert.deepEqual([run.get('w'), run.get('d'), run.get('q')], [258, 0x7f0000, 1])
})

test('a member that is called like an address is the member', () => {
  const run = runSource(source('"Data".DBW6 := 77; #w := "Data".%DBW4;'))
  run.scan()
  assert.equal(run.get('w'), 77)
})

test('an address behind a DB_ANY: the block is chosen at run time', () => {
  const run = runSource(
    source(`#dbs[#which].%DBD6 := 16#A1B2C3D4; #dbs[#which].%DBX2.7 := TRUE; #w := #dbs[#which].%DBW7; #q := #dbs[#which].%DBX2.7;
      #d := "Other".d;`),
  )
  for (const [which, other] of [
    [1n, 0],
    [2n, 0xa1b2c3d4],
  ] as const) {
    run.setBits('which', which)
    run.scan()
    assert.deepEqual([run.get('w'), run.get('q'), run.get('d')], [0xb2c3, 1, other])
  }
})

test('no such block, one without addresses and an address behind its end are programming errors', () => {
  const run = runSource(
    source(
      '#w := #dbs[#which].%DBW11; #id := GET_ERR_ID(); #dbs[#which].%DBX12.0 := TRUE; #d := WORD_TO_DWORD(GET_ERR_ID());',
    ),
  )
  for (const which of [0n, 1n, 3n]) {
    run.setBits('which', which)
    run.scan()
    assert.deepEqual([run.get('w'), run.get('id'), run.get('d')], [0, 0x2522, 0x2523], `block ${which}`)
  }
})

test('what has no addresses is told', () => {
  const codes = (body: string) => diagnosticsOf(source(body)).map(({ code }) => code)
  assert.deepEqual(codes('#w := #d.%DBW0;'), ['no-slice'])
  assert.deepEqual(codes('#w := "Own".%DBW0;'), ['optimized-access'])
  assert.deepEqual(codes('#w := "Data".%DBW12;'), ['address-outside'])
  assert.deepEqual(codes('#w := "Data".%DBX2;'), ['no-slice'])
  assert.deepEqual(codes('#w := "Data".DBW;'), ['unknown-member'])
})

test('STL: an address behind the name of a data block', () => {
  const run = runSource(`${block('Data', false)}FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'FALSE' }
VAR w : Word; q : Bool; END_VAR
BEGIN
NETWORK
  SET;
  = "Data".DBX 2.1;
  L "Data".DBW 0;
  T #w;
  A "Data".%DBX2.1;
  = #q;
END_FUNCTION_BLOCK`)
  run.scan()
  assert.deepEqual([run.get('w'), run.get('q')], [258, 1])
})
