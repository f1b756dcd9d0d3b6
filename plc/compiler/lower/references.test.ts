/** References (`REF_TO`, REF, `^`, NULL) from source to running code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const node = 'TYPE "Node"\nSTRUCT value : Int; next : REF_TO "Node"; END_STRUCT;\nEND_TYPE\n'
const fb = (declarations: string, body: string, pragma = '') =>
  `FUNCTION_BLOCK "Main"\n${pragma}\n${declarations}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

function after(source: string, ...paths: string[]) {
  const running = runSource(source)
  running.scan()
  return [...paths.map((path) => running.get(path)), running.faults.length]
}

test('what a reference points to is read and written: scalars, members, elements, texts, whole values', () => {
  assert.deepEqual(
    after(
      fb(
        `VAR x : Int := 5; y : Int; p : REF_TO Int; a : Array[1..3] of Int; q : REF_TO Array[1..3] of Int; i : Int := 2;
         s : Struct u : Bool; v : Array[0..1] of DInt; END_STRUCT; e : REF_TO DInt; t : String[8] := 'ab'; r : REF_TO String; b : Array[1..3] of Int; END_VAR`,
        `#p := REF(#x); #y := #p^ + 1; #p^ := 9;
         #q := REF(#a); #q^[#i] := 4; #q^[3] := #q^[#i] * 2; #b := #q^;
         #e := REF(#s.v[#i - 1]); #e^ := 70000; #e^ += 1;
         #r := REF(#t); #r^ := CONCAT(IN1 := #r^, IN2 := 'cd');`,
      ),
      ...['x', 'y', 'a[2]', 'a[3]', 'b[3]', 's.v[1]', 't'],
    ),
    [9, 6, 4, 8, 8, 70001, 'abcd', 0],
  )
})

test('a list is followed from node to node to NULL', () => {
  assert.deepEqual(
    after(
      node +
        'DATA_BLOCK "Store"\nVAR n : Array[0..3] of "Node"; END_VAR\nBEGIN\nEND_DATA_BLOCK\n' +
        fb(
          'VAR head : REF_TO "Node"; at : REF_TO "Node"; i : Int; sum : Int; second : Int; END_VAR',
          `FOR #i := 0 TO 3 DO "Store".n[#i].value := #i + 1; "Store".n[#i].next := #head; #head := REF("Store".n[#i]); END_FOR;
           #at := #head;
           WHILE #at <> NULL DO #sum := #sum * 10 + #at^.value; #at := #at^.next; END_WHILE;
           #second := #head^.next^.next^.value;
           #head^.next^.value := 50;`,
        ),
      ...['sum', 'second'],
    ),
    [4321, 2, 0],
  )
})

test('NULL is a fault where it is followed: a read gives 0, a write is left out', () => {
  assert.deepEqual(
    after(
      node +
        fb(
          'VAR p : REF_TO Int; x : Int := 5; n : REF_TO "Node"; y : Int := 6; isNull : Bool; same : Bool; other : Bool; b : REF_TO Bool; c : Bool := TRUE; END_VAR',
          '#p^ := 3; #x := #p^; #n^.value := 4; #y := #n^.next^.value; #c := #b^; #isNull := #p = NULL; #p := REF(#x); #same := #p = REF(#x); #other := NULL <> #p; #p := NULL; #y += #p^;',
        ),
      ...['x', 'y', 'c', 'isNull', 'same', 'other'],
    ),
    [0, 0, 0, 1, 1, 1, 7],
  )
})

test('references are parameters: of FCs and FBs, values of functions, REF and NULL as inputs', () => {
  assert.deepEqual(
    after(
      `FUNCTION "Bump" : Bool
VAR_INPUT p : REF_TO Int; END_VAR
BEGIN #Bump := #p <> NULL; IF #Bump THEN #p^ += 1; END_IF; END_FUNCTION
FUNCTION "Pick" : REF_TO Int
VAR_INPUT first : Bool; a : REF_TO Int; b : REF_TO Int; END_VAR
BEGIN IF #first THEN #Pick := #a; ELSE #Pick := #b; END_IF; END_FUNCTION
FUNCTION_BLOCK "Keeper"
VAR_INPUT p : REF_TO Int; END_VAR VAR_OUTPUT q : REF_TO Int; END_VAR
BEGIN #q := #p; #p^ += 100; END_FUNCTION_BLOCK
` +
        fb(
          'VAR x : Int; y : Int; p : REF_TO Int; keeper : "Keeper"; ok : Bool; no : Bool := TRUE; END_VAR',
          `#p := REF(#x); #ok := "Bump"(#p); #ok := "Bump"(REF(#x)); #no := "Bump"(NULL);
           #p := "Pick"(first := FALSE, a := REF(#x), b := REF(#y)); #p^ := 30;
           #keeper(p := REF(#y), q => #p); #p^ += 1000;`,
        ),
      ...['x', 'y', 'ok', 'no'],
    ),
    [2, 1130, 1, 0, 0],
  )
})

test('a reference in a structure is copied with it, also between layouts', () => {
  assert.deepEqual(
    after(
      `TYPE "Box"\nSTRUCT tag : Byte; p : REF_TO Int; n : Int; END_STRUCT;\nEND_TYPE
DATA_BLOCK "Packed"\n{ S7_Optimized_Access := 'FALSE' }\nVAR box : "Box"; list : Array[0..1] of "Box"; END_VAR\nBEGIN\nEND_DATA_BLOCK
` +
        fb(
          'VAR x : Int := 3; a : "Box"; b : "Box"; c : Array[0..1] of "Box"; d : Array[0..1] of "Box"; y : Int; z : Int; END_VAR',
          `#a.p := REF(#x); #a.n := 7; "Packed".box := #a; #b := "Packed".box; #y := #b.p^ + "Packed".box.p^;
           #c[1] := #b; MOVE_BLK(IN := #c[0], COUNT := 2, OUT => "Packed".list[0]); MOVE_BLK(IN := "Packed".list[0], COUNT := 2, OUT => #d[0]); #z := #d[1].p^ + #d[1].n;`,
        ),
      ...['y', 'z'],
    ),
    [6, 10, 0],
  )
})

test('what cannot be is refused', () => {
  const codes = (body: string, more = '') =>
    diagnosticsOf(
      more +
        fb(
          `VAR_INPUT i : Int; END_VAR VAR_IN_OUT s : Struct a : Int; END_STRUCT; END_VAR
           VAR x : Int; d : DInt; p : REF_TO Int; q : REF_TO DInt; w : Word; ton : TON_TIME; END_VAR VAR_TEMP t : Int; END_VAR`,
          `#t := 1; #x := #t; ${body}`,
        ),
    ).map(({ code }) => code)
  assert.deepEqual(codes('#p := REF(#x); #p := REF(#i); #p := NULL;'), [])
  assert.deepEqual(codes('#p := REF(#d);'), ['type-mismatch'])
  assert.deepEqual(codes('#p := #q;'), ['type-mismatch'])
  assert.deepEqual(codes('#p := #x;'), ['type-mismatch'])
  assert.deepEqual(codes('#p := 0;'), ['type-mismatch'])
  assert.deepEqual(codes('#x := NULL;'), ['no-scalar'])
  assert.deepEqual(codes('#x := #p;'), ['no-scalar'])
  assert.deepEqual(codes('#x^ := 1;'), ['no-reference'])
  assert.deepEqual(codes('#x := NULL^;'), ['no-reference'])
  for (const one of ['#t', '#s.a', '%MW2', '#w.%B0', '#ton', '5', '#x + 1'])
    assert.deepEqual(codes(`#p := REF(${one});`), ['not-referable'], one)
  assert.deepEqual(codes('#p := REF();'), ['wrong-operand'])
  assert.deepEqual(codes('#x := REF(#x);'), ['no-scalar'])
  assert.deepEqual(codes('REF(#x) := #p;'), ['not-assignable'])
  assert.deepEqual(codes('IF #p = #q THEN ; END_IF;'), ['wrong-operand'])
  assert.deepEqual(codes('IF #p = #x THEN ; END_IF;'), ['wrong-operand'])
  assert.deepEqual(codes('IF #p < NULL THEN ; END_IF;'), ['wrong-operand'])
  assert.deepEqual(codes('NULL := #p;'), ['not-assignable'])
})
