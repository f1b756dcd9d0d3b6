import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const point = `TYPE "point"
STRUCT
  x : Int;
  ok : Bool;
  y : Real;
  name : String[10];
  wide : WString[4];
  at : DTL;
  old : Date_And_Time;
  inner : Struct a : Array[1..2, -1..1] of Byte; flags : Array[0..9] of Bool; END_STRUCT;
END_STRUCT;
END_TYPE
TYPE "other" STRUCT x : Int; END_STRUCT; END_TYPE
DATA_BLOCK "Plain"
{ S7_Optimized_Access := 'FALSE' }
STRUCT p : "point"; END_STRUCT;
BEGIN
END_DATA_BLOCK
`
const main = (body: string, access = 'TRUE') => `${point}FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := '${access}' }
VAR
  a : "point"; c : "point"; d : "other";
  s1 : Struct n : Int; b : Bool; END_STRUCT; s2 : Struct n : Int; b : Bool; END_STRUCT;
  list : Array[0..99] of Int; same : Array[1..100] of Int; shorter : Array[0..9] of Int;
  points : Array[0..3] of "point";
  i : Int; b : Bool; differs : Bool;
END_VAR
BEGIN
${body}
END_FUNCTION_BLOCK
`

// TIA Portal's help "Relational expressions", comparison of structures.
describe('structures and arrays compared as a whole', () => {
  const changes = [
    '#a.x := 1;',
    '#a.ok := TRUE;',
    '#a.y := 0.5;',
    "#a.name := 'a';",
    "#a.wide := WSTRING#'a';",
    '#a.at := DTL#2024-01-01-00:00:00;',
    '#a.old := DT#2024-01-01-00:00:00;',
    '#a.inner.a[2, 1] := 16#1;',
    '#a.inner.a[1, -1] := 16#1;',
    '#a.inner.flags[9] := TRUE;',
  ]
  for (const access of ['TRUE', 'FALSE'])
    for (const change of changes)
      it(`${change} makes a difference, optimized access ${access}`, () => {
        const run = runSource(
          main(
            `#b := #a = #c; ${change} #differs := #a <> #c; #b := #b AND NOT (#a = #c);
#c := #a; #b := #b AND #a = #c; "Plain".p := #a; #b := #b AND "Plain".p = #c AND #c = "Plain".p;`,
            access,
          ),
        )
        run.scan()
        assert.deepEqual([run.get('b'), run.get('differs'), run.faults], [1, 1, []])
      })

  it('arrays of the same length are the same whatever their limits, every element counts', () => {
    for (const place of [0, 1, 57, 99]) {
      const run = runSource(main(`#b := #list = #same; #list[${place}] := 7; #differs := #list <> #same;`))
      run.scan()
      assert.deepEqual([run.get('b'), run.get('differs'), run.faults], [1, 1, []])
    }
  })

  it('structures of members are compared by their shape, elements by an index', () => {
    const run = runSource(
      main('#i := 2; #b := #s1 = #s2 AND #points[#i] = #points[3]; #s1.n := 1; #differs := #s1 <> #s2;'),
    )
    run.scan()
    assert.deepEqual([run.get('b'), run.get('differs')], [1, 1])
  })

  it('two types, an order and an Array[*] are refused', () => {
    const messages = (body: string) => diagnosticsOf(main(body)).map(({ code }) => code)
    assert.deepEqual(messages('#b := #a = #d;'), ['wrong-operand'])
    assert.deepEqual(messages('#b := #a < #c;'), ['wrong-operand'])
    assert.deepEqual(messages('#b := #list = #shorter;'), ['wrong-operand'])
    const open = `FUNCTION "Open" : Bool
VAR_IN_OUT one : Array[*] of Int; other : Array[*] of Int; END_VAR
BEGIN
#Open := #one = #other;
END_FUNCTION
`
    assert.deepEqual(
      diagnosticsOf(open).map(({ code }) => code),
      ['open-array'],
    )
  })
})
