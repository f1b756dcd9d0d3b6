import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diagnosticsOf, runSource } from '../../../testing/lower-source.ts'

const head = `TYPE "Point"
VERSION : 0.1
STRUCT x : Int; y : Real; ok : Bool; END_STRUCT;
END_TYPE
TYPE "Other"
VERSION : 0.1
STRUCT z : DInt; END_STRUCT;
END_TYPE
DATA_BLOCK "Levels"
{ S7_Optimized_Access := 'TRUE' }
Array[1..3] of Int
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Points"
{ S7_Optimized_Access := 'FALSE' }
Array[0..4] of "Point"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "One"
{ S7_Optimized_Access := 'TRUE' }
"Point"
BEGIN
x := 7;
END_DATA_BLOCK
DATA_BLOCK "Strange"
{ S7_Optimized_Access := 'TRUE' }
"Other"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Own"
{ S7_Optimized_Access := 'TRUE' }
VAR a : Int; END_VAR
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT k : DInt; END_VAR
VAR db : DB_ANY; back : DB_ANY; a : Int; status : Int; c : Int; err : Int; ok : Bool; p : "Point"; isPoint : Bool; n : UDInt; END_VAR
VAR_TEMP v : Variant; END_VAR
BEGIN
`
const running = (body: string) => runSource(`${head}${body}\nEND_FUNCTION_BLOCK`)
const hex = (value: bigint) => value.toString(16)

describe('array data blocks', () => {
  for (const block of ['"Levels"', '#db'])
    it(`${block} is read and written by index`, () => {
      const run = running(
        `#db := "Levels";\n#status := WriteToArrayDB(DB := ${block}, INDEX := 2, VALUE := INT#55);\n#c := ReadFromArrayDB(DB := ${block}, INDEX := #k, VALUE => #a, ENO => #ok);`,
      )
      run.setBits('k', 2n)
      run.scan()
      assert.deepEqual([run.get('a'), run.get('status'), run.get('c'), run.get('ok')], [55, 0, 0, 1])
      for (const k of [0n, 4n, 0xffff_ffffn]) {
        run.setBits('k', k)
        run.scan()
        assert.deepEqual([run.get('a'), hex(run.bits('c')), run.get('ok')], [55, '8282', 0])
      }
    })
  it('elements of a PLC data type, in the other access', () => {
    const run = running(
      '#db := "Points"; #p.x := 3; #p.y := 2.5; #p.ok := TRUE;\n#status := WriteToArrayDB(DB := #db, INDEX := 4, VALUE := #p);\n#p.x := 0; #p.y := 0.0;\n#c := ReadFromArrayDB(DB := #db, INDEX := 4, VALUE => #p);',
    )
    run.scan()
    assert.deepEqual(
      ['status', 'c', 'p.x', 'p.y'].map((name) => run.get(name)),
      [0, 0, 3, 2.5],
    )
    assert.equal(run.get('Points[4].y', 'Points'), 2.5)
  })
  for (const [db, code] of [
    ['"Own"', '8154'],
    ['"One"', '8154'],
    ['"Points"', '80b4'],
    ['0', '8132'],
    ['999', '8132'],
  ])
    it(`${db} is refused with ${code}`, () => {
      const run = running(`#db := ${db};\n#c := ReadFromArrayDB(DB := #db, INDEX := 1, VALUE => #a);`)
      run.scan()
      assert.equal(hex(run.bits('c')), code)
    })
  it('those of load memory are read and written by jobs', () => {
    const run = runSource(
      head
        .replace('VAR db', 'VAR r : ReadFromArrayDBL; w : WriteToArrayDBL; db')
        .replace('VAR_INPUT', 'VAR_INPUT req : Bool;') +
        `#db := "Levels"; #a := #a + 1;
#w(REQ := #req, DB := #db, INDEX := #k, VALUE := #a);
#r(REQ := #req, DB := "Levels", INDEX := #k, VALUE := #c, DONE => #ok, ERROR => #err);
END_FUNCTION_BLOCK`,
    )
    const seen = (req: bigint, k: bigint) => {
      run.setBits('req', req)
      run.setBits('k', k)
      run.scan()
      return [run.get('ok'), hex(run.bits('err')), run.get('c')]
    }
    assert.deepEqual(seen(0n, 3n), [0, '0', 0])
    assert.deepEqual(seen(1n, 3n), [1, '0', 2])
    assert.deepEqual(seen(1n, 3n), [0, '0', 2])
    assert.deepEqual(seen(0n, 4n), [0, '0', 2])
    assert.deepEqual(seen(1n, 4n), [0, '8382', 2])
  })
  it('a block that is named must be an array', () => {
    const found = diagnosticsOf(
      `${head}#c := ReadFromArrayDB(DB := "Own", INDEX := 1, VALUE => #a);\nEND_FUNCTION_BLOCK`,
    )
    assert.deepEqual(
      found.filter(({ severity }) => severity === 'error').map(({ code }) => code),
      ['wrong-operand'],
    )
  })
})

describe('DB_ANY_TO_VARIANT', () => {
  const body = (block: string) => `#db := ${block};
#v := DB_ANY_TO_VARIANT(IN := #db, ERR => #err, ENO => #ok);
IF TypeOf(#v) = "Point" THEN #isPoint := TRUE; END_IF;
IF #isPoint THEN VariantGet(SRC := #v, DST => #p); #p.x := #p.x + 1; VariantPut(SRC := #p, DST := #v); END_IF;
#n := CountOfElements(#v);
#back := VARIANT_TO_DB_ANY(IN := #v, ERR => #status);`
  it('a block of a PLC data type is read and written', () => {
    const run = running(body('"One"'))
    run.scan()
    assert.deepEqual(
      ['err', 'ok', 'isPoint', 'p.x', 'n', 'status'].map((name) => run.get(name)),
      [0, 1, 1, 8, 0, 0],
    )
    assert.equal(run.get('One.x', 'One'), 8)
    assert.equal(run.get('back'), run.get('db'))
  })
  for (const block of ['"Levels"', '"Points"'])
    it(`${block} has elements`, () => {
      const run = running(body(block))
      run.scan()
      assert.deepEqual([run.get('err'), run.get('isPoint'), run.get('n')], [0, 0, block === '"Levels"' ? 3 : 5])
      assert.equal(run.get('back'), run.get('db'))
    })
  for (const [block, code] of [
    ['0', '8130'],
    ['999', '8131'],
    ['"Own"', '8154'],
    ['"Strange"', '8155'],
  ] as const)
    it(`${block} gives NULL and ${code}`, () => {
      const run = running(body(block))
      run.scan()
      assert.deepEqual([hex(run.bits('err')), run.get('ok'), run.get('isPoint'), run.get('back')], [code, 0, 0, 0])
      assert.equal(hex(run.bits('status')), '8150')
    })
})
