/** `Array[*]` parameters and array data blocks, from source to running code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const sum = (more = '') => `FUNCTION "Sum" : Int
${more}
VAR_IN_OUT list : Array[*] of Int; END_VAR
VAR_TEMP i : DInt; END_VAR
BEGIN
  #Sum := 0;
  FOR #i := LOWER_BOUND(ARR := #list, DIM := 1) TO UPPER_BOUND(ARR := #list, DIM := 1) DO
    #Sum += #list[#i];
    #list[#i] := 0;
  END_FOR;
END_FUNCTION
`
const standard = "{ S7_Optimized_Access := 'FALSE' }"
const fb = (declarations: string, body: string, pragma = '') =>
  `FUNCTION_BLOCK "Main"\n${pragma}\n${declarations}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

for (const [caller, callee] of [
  ['', ''],
  [standard, ''],
  ['', standard],
  [standard, standard],
])
  test(`an FC takes arrays of any limits (caller ${caller || 'optimized'}, callee ${callee || 'optimized'})`, () => {
    const running = runSource(
      sum(callee) +
        fb(
          `VAR a : Array[-1..1] of Int; before : Int := 7; b : Array[5..5] of Int; after : Int := 8; x : Int; y : Int; END_VAR`,
          `#a[-1] := 1; #a[0] := 2; #a[1] := 4; #b[5] := 9; #x := "Sum"(#a); #y := "Sum"(list := #b); #a[0] += 3;`,
          caller,
        ),
    )
    running.scan()
    assert.deepEqual(
      ['x', 'y', 'a[-1]', 'a[0]', 'a[1]', 'b[5]', 'before', 'after'].map((path) => running.get(path)),
      [7, 9, 0, 3, 0, 0, 7, 8],
    )
    assert.deepEqual(running.faults, [])
  })

test('an index outside the actual limits is a fault: a read gives 0, a write is left out', () => {
  const running = runSource(
    `FUNCTION "Put" : Int
VAR_INPUT at : Int; END_VAR VAR_IN_OUT list : Array[*] of Int; END_VAR
BEGIN #list[#at] := 5; #Put := #list[#at]; END_FUNCTION
` +
      fb(
        `VAR before : Int; a : Array[2..3] of Int; after : Int; x : Int := 9; y : Int := 9; z : Int; END_VAR`,
        `#x := "Put"(at := 1, list := #a); #y := "Put"(at := 4, list := #a); #z := "Put"(at := 3, list := #a);`,
      ),
  )
  running.scan()
  assert.deepEqual(
    ['x', 'y', 'z', 'before', 'a[2]', 'a[3]', 'after'].map((path) => running.get(path)),
    [0, 0, 5, 0, 0, 5, 0],
  )
  assert.deepEqual(running.faults, ['Put', 'Put', 'Put', 'Put'])
})

test('an index that is a constant is checked when the block runs', () => {
  const running = runSource(
    `FUNCTION "Third" : Int\nVAR_INPUT list : Array[*] of Int; END_VAR\nBEGIN #Third := #list[3]; END_FUNCTION\n` +
      fb(
        'VAR a : Array[0..3] of Int; b : Array[0..2] of Int; x : Int; y : Int := 4; END_VAR',
        '#a[3] := 8; #x := "Third"(#a); #y := "Third"(#b);',
      ),
  )
  running.scan()
  assert.deepEqual([running.get('x'), running.get('y'), running.faults], [8, 0, ['Third']])
})

for (const pragma of ['', standard])
  test(`several dimensions, Bool and structures (${pragma || 'optimized'})`, () => {
    const running = runSource(
      `TYPE "Pair"\nSTRUCT a : Bool; b : Int; END_STRUCT;\nEND_TYPE
FUNCTION "Fill" : DInt
${pragma}
VAR_IN_OUT grid : Array[*, *] of Int; bits : Array[*, *] of Bool; pairs : Array[*] of "Pair"; END_VAR
VAR_TEMP i : Int; j : LInt; END_VAR
BEGIN
  FOR #i := 1 TO 2 DO FOR #j := -1 TO 1 DO #grid[#i, #j] := #i * 10 + LINT_TO_INT(#j); END_FOR; END_FOR;
  #bits[0, 4] := TRUE; #bits[1, 0] := #bits[0, 4];
  #pairs[#i - 1].b := 6; #pairs[3].a := TRUE;
  #grid[1, 2] := 99;
  #Fill := UPPER_BOUND(ARR := #grid, DIM := 1) * 1000 + LOWER_BOUND(ARR := #bits, DIM := 2) * 100 + UPPER_BOUND(ARR := #bits, DIM := 2);
END_FUNCTION
` +
        fb(
          'VAR g : Array[1..2, -1..1] of Int; c : Array[0..1, 0..4] of Bool; p : Array[2..3] of "Pair"; x : DInt; END_VAR',
          '#x := "Fill"(grid := #g, bits := #c, pairs := #p);',
          pragma,
        ),
    )
    running.scan()
    const cells = ['g[1,-1]', 'g[1,0]', 'g[1,1]', 'g[2,-1]', 'g[2,0]', 'g[2,1]']
    assert.deepEqual(
      cells.map((path) => running.get(path)),
      [9, 10, 11, 19, 20, 21],
    )
    assert.deepEqual(
      ['c[0,0]', 'c[0,4]', 'c[1,0]', 'c[1,1]', 'p[2].b', 'p[3].b', 'p[3].a', 'x'].map((path) => running.get(path)),
      [0, 1, 1, 0, 6, 0, 1, 2004],
    )
    assert.deepEqual(running.faults, ['Fill'])
  })

test('an FB takes them as in-outs and passes them on', () => {
  const running = runSource(
    sum() +
      `FUNCTION_BLOCK "Adder"
VAR_OUTPUT total : Int; count : DInt; END_VAR VAR_IN_OUT list : Array[*] of Int; END_VAR
BEGIN
  #count := UPPER_BOUND(ARR := #list, DIM := 1) - LOWER_BOUND(ARR := #list, DIM := 1) + 1;
  #total := "Sum"(#list);
  #list[LOWER_BOUND(ARR := #list, DIM := 1)] := 77;
END_FUNCTION_BLOCK
` +
      fb(
        'VAR adder : "Adder"; a : Array[1..3] of Int; b : Array[0..9] of Int; x : Int; n : DInt; m : DInt; END_VAR',
        '#a[2] := 5; #a[3] := 6; #adder(list := #a, total => #x, count => #n); #adder(list := #b, count => #m);',
      ),
  )
  running.scan()
  assert.deepEqual(
    ['x', 'n', 'm', 'a[1]', 'a[2]', 'b[0]'].map((path) => running.get(path)),
    [11, 3, 10, 77, 0, 77],
  )
})

test('what does not fit an Array[*] is refused', () => {
  const codes = (declaration: string, body: string) =>
    diagnosticsOf(sum() + fb(declaration, body)).map(({ code }) => code)
  assert.deepEqual(codes('VAR a : Array[0..3] of Int; x : Int; END_VAR', '#x := "Sum"(#a);'), [])
  assert.deepEqual(codes('VAR a : Array[0..3] of DInt; x : Int; END_VAR', '#x := "Sum"(#a);'), ['type-mismatch'])
  assert.deepEqual(codes('VAR a : Array[0..3, 0..1] of Int; x : Int; END_VAR', '#x := "Sum"(#a);'), ['type-mismatch'])
  assert.deepEqual(codes('VAR a : Int; x : Int; END_VAR', '#x := "Sum"(#a);'), ['type-mismatch'])
  const inOut =
    'VAR_IN_OUT p : Array[*] of Int; q : Array[*] of Int; END_VAR VAR a : Array[0..3] of Int; i : Int; END_VAR'
  assert.deepEqual(codes(inOut, '#a := #p;'), ['open-array'])
  assert.deepEqual(codes(inOut, '#p := #q;'), ['open-array'])
  assert.deepEqual(codes(inOut, '#p := #a;'), ['open-array'])
  assert.deepEqual(codes(inOut, '#p[1, 2] := 1;'), ['wrong-dimensions'])
  assert.deepEqual(
    diagnosticsOf(
      'FUNCTION "Fixed" : Void\nVAR_IN_OUT l : Array[0..3] of Int; END_VAR\nBEGIN ; END_FUNCTION\n' +
        fb(inOut, '"Fixed"(#p);'),
    ).map(({ code }) => code),
    ['type-mismatch'],
  )
})

test('"ArrayDB".THIS[i] and "ArrayDB"[i] are elements of an array data block', () => {
  const running = runSource(
    sum() +
      'DATA_BLOCK "List"\nArray[1..4] of Int\nBEGIN\nEND_DATA_BLOCK\n' +
      fb(
        'VAR i : Int := 2; x : Int; y : Int; s : Int; END_VAR',
        '"List".THIS[#i] := 5; "List"."THIS"[4] := 6; #x := "List"[2]; #y := "List".THIS[#i + 2]; #s := "Sum"("List".THIS); #i := 5; "List".THIS[#i] := 1;',
      ),
  )
  running.scan()
  assert.deepEqual([running.get('x'), running.get('y'), running.get('s'), running.faults], [5, 6, 11, ['Main']])
})

for (const pragma of ['', standard])
  test(`Array[*] of String and WString takes texts of any length (${pragma || 'optimized'})`, () => {
    const running = runSource(
      `FUNCTION "Last" : Int
VAR_IN_OUT texts : Array[*] of String; END_VAR
BEGIN #Last := LEN(#texts[UPPER_BOUND(ARR := #texts, DIM := 1)]); END_FUNCTION
FUNCTION "Fill" : Int
VAR_INPUT at : Int; END_VAR
VAR_IN_OUT texts : Array[*] of String; wide : Array[*, *] of WString; END_VAR
BEGIN
  #texts[#at] := 'conveyor belt';
  #wide[1, #at] := WSTRING#'wide';
  #Fill := "Last"(#texts) + LEN(#wide[1, #at]);
END_FUNCTION
` +
        fb(
          'VAR a : Array[0..2] of String[5]; b : Array[1..2] of String[20]; w : Array[1..2, 0..2] of WString[3]; after : Int := 8; x : Int; y : Int; z : Int; END_VAR',
          `#x := "Fill"(at := 2, texts := #a, wide := #w); #y := "Fill"(at := 2, texts := #b, wide := #w); #z := "Fill"(at := 7, texts := #a, wide := #w);`,
          pragma,
        ),
    )
    running.scan()
    assert.deepEqual(
      ['x', 'y', 'a[2]', 'b[2]', 'b[1]', 'w[1,2]', 'w[2,0]', 'after'].map((path) => running.get(path)),
      [8, 16, 'conve', 'conveyor belt', '', 'wid', '', 8],
    )
  })
