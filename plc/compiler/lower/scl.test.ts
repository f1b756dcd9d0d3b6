/** SCL from source to running code: the effect of each statement, call and access. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource as start } from '../../testing/lower-source.ts'

/** An FB `Main` of declarations and statements. */
function main(declarations: string, body: string, pragma = ''): string {
  return `FUNCTION_BLOCK "Main"\n${pragma}\n${declarations}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
}

/** Runs a body once and returns some members. */
function after(declarations: string, body: string, ...paths: string[]): unknown[] {
  const running = start(main(declarations, body))
  running.scan()
  return paths.map((path) => running.get(path))
}

const ints = 'VAR a : Int; b : Int; c : Int; d : DInt; n : Int; END_VAR'

test('FOR: bounds are worked out once, the variable ends outside, steps in both directions, the limits of the type', () => {
  assert.deepEqual(after(ints, '#n := 3; FOR #a := 1 TO #n DO #b += #a; #n := 9; END_FOR;', 'a', 'b'), [4, 6])
  assert.deepEqual(after(ints, 'FOR #a := 10 TO 1 BY -3 DO #b += 1; END_FOR;', 'a', 'b'), [-2, 4])
  assert.deepEqual(after(ints, 'FOR #a := 5 TO 1 DO #b := 9; END_FOR;', 'a', 'b'), [5, 0])
  assert.deepEqual(after(ints, 'FOR #a := 32766 TO 32767 DO #b += 1; END_FOR;', 'b'), [2])
  assert.deepEqual(after('VAR u : USInt; n : Int; END_VAR', 'FOR #u := 250 TO 255 DO #n += 1; END_FOR;', 'n'), [6])
  assert.deepEqual(
    after(
      'VAR l : LInt; n : Int; END_VAR',
      'FOR #l := 9223372036854775806 TO 9223372036854775807 DO #n += 1; END_FOR;',
      'n',
    ),
    [2],
  )
  assert.deepEqual(
    after(`${ints} VAR_TEMP s : Int; END_VAR`, '#s := -1; FOR #a := 3 TO 1 BY #s DO #b += #a; END_FOR;', 'a', 'b'),
    [0, 6],
  )
})

test('what TIA Portal refuses of FOR, CASE and TypeOf: mixed signs, wider labels, ranges of bit strings, TypeOf alone', () => {
  const refused = (body: string) =>
    diagnosticsOf(
      main(
        'VAR_INPUT v : Variant; END_VAR VAR a : Int; d : DInt; u : UInt; by : Byte; w : Word; q : Bool; END_VAR',
        body,
      ),
    ).flatMap(({ severity, code, message }) => (severity === 'error' ? [`${code}: ${message}`] : []))
  const mixed = (what: string, own: string, run: string) => [
    `wrong-operand: For the ${what} this is of type ${own}, and the run variable of type ${run}: FOR does not combine whole numbers with and without a sign.`,
  ]
  for (const [body, ...expected] of [
    ['FOR #a := 1 TO #u DO ; END_FOR;', ...mixed('end', 'UInt', 'Int')],
    ['FOR #d := #u TO 9 DO ; END_FOR;', ...mixed('start', 'UInt', 'DInt')],
    ['FOR #u := 1 TO 9 BY #a + 1 DO ; END_FOR;', ...mixed('increment', 'Int', 'UInt')],
    ['FOR #u := 1 TO UINT_TO_USINT(#u) DO ; END_FOR; FOR #d := 1 TO #a DO ; END_FOR;'],
    ['CASE #by OF WORD#2: ; END_CASE;', 'constant-does-not-fit: WORD#2 is no value of type Byte.'],
    ['CASE #by OF 1..3: ; END_CASE;', 'wrong-operand: Values of type Byte have no ranges.'],
    ['CASE #w OF BYTE#2, WORD#3, 16#4, 5: ; END_CASE; CASE #a OF 1..3: ; END_CASE;'],
    ['#q := TypeOf(#v) = Int;', 'type-question: TypeOf stands in no IF or CASE.'],
    ['WHILE TypeOfElements(#v) <> Int DO ; END_WHILE;', 'type-question: TypeOfElements stands in no IF or CASE.'],
    ['IF #q THEN ; ELSIF TypeOf(#v) = Int THEN ; END_IF; CASE TypeOf(#v) OF Int: ; END_CASE;'],
  ] as [string, ...string[]][])
    assert.deepEqual(refused(body), expected, body)
})

test('loops: EXIT and CONTINUE mean the innermost one', () => {
  assert.deepEqual(
    after(
      ints,
      'FOR #a := 1 TO 3 DO FOR #b := 1 TO 9 DO IF #b = 2 THEN CONTINUE; END_IF; IF #b > 4 THEN EXIT; END_IF; #c += 1; END_FOR; END_FOR;',
      'c',
    ),
    [9],
  )
  assert.deepEqual(
    after(ints, 'WHILE #a < 5 DO #a += 1; IF #a = 3 THEN CONTINUE; END_IF; #b += #a; END_WHILE;', 'a', 'b'),
    [5, 12],
  )
  assert.deepEqual(after(ints, 'REPEAT #a += 1; UNTIL #a >= 4 END_REPEAT;', 'a'), [4])
  assert.throws(() => after(ints, 'WHILE TRUE DO ; END_WHILE;'), /endless/)
})

test('IF with very many ELSIF: the first condition that is TRUE counts, ELSE when none is', () => {
  const branches = Array.from({ length: 200 }, (_, i) => `ELSIF #a = ${i} OR #a = 7 THEN #b += ${i};`).join('\n')
  const body = `#c := 1; IF #a < 0 THEN #b := -1; ${branches} ELSE #b := 9; END_IF; #c += 1;`
  for (const [a, b] of [
    [-5, -1],
    [0, 0],
    [199, 199],
    [200, 9],
    // The first branch that has it, not the eighth.
    [7, 0],
  ])
    assert.deepEqual(after(ints, `#a := ${a}; ${body}`, 'b', 'c'), [b, 2], `${a}`)
})

test('CASE: values, lists, ranges, ELSE; jump table and comparisons', () => {
  const chosen = (labels: string) => (value: number) =>
    after(ints, `#a := ${value}; CASE #a OF ${labels} END_CASE;`, 'b')[0]
  const dense = chosen('1: #b := 10; 2, 3: #b := 20; 4..6: #b := 30; ELSE #b := 99;')
  assert.deepEqual([0, 1, 2, 3, 4, 6, 7].map(dense), [99, 10, 20, 20, 30, 30, 99])
  const sparse = chosen('-1000: #b := 1; 0: #b := 2; 30000: #b := 3;')
  assert.deepEqual([-1000, 0, 30_000, 5].map(sparse), [1, 2, 3, 0])
})

test('GOTO into and out of regions: they are only text for people', () => {
  const body =
    'REGION one\nIF #a = 0 THEN GOTO done; END_IF; #b := 1; END_REGION\nREGION two\nREGION inner\ndone: #c := 5; END_REGION\nEND_REGION'
  assert.deepEqual(after(ints, body, 'b', 'c'), [0, 5])
  assert.deepEqual(after(ints, `#a := 1; ${body}`, 'b', 'c'), [1, 5])
})

test('GOTO forward and back, RETURN', () => {
  assert.deepEqual(
    after(
      ints,
      'again: #a += 1; IF #a < 3 THEN GOTO again; END_IF; GOTO done; #b := 1; done: #c := 5; RETURN; #c := 6;',
      'a',
      'b',
      'c',
    ),
    [3, 0, 5],
  )
})

test('operators: priorities, mixed types, powers, slices', () => {
  assert.deepEqual(
    after(ints, '#a := 2 + 3 * 4 - 10 / 3; #b := -7 MOD 3; #d := 100000 * 3;', 'a', 'b', 'd'),
    [11, -1, 300_000],
  )
  assert.deepEqual(
    after(
      'VAR x : Bool; y : Bool; END_VAR',
      '#x := NOT FALSE AND 1 < 2 = TRUE; #y := TRUE XOR TRUE OR FALSE;',
      'x',
      'y',
    ),
    [1, 0],
  )
  assert.deepEqual(
    after('VAR r : Real; l : LReal; END_VAR', '#r := 2.0 ** 3; #l := 0.1; #r := #r + 1;', 'r', 'l'),
    [9, 0.1],
  )
  assert.deepEqual(
    after(
      'VAR w : Word; x : Bool; b : Byte; END_VAR',
      '#w := 16#12F4; #x := #w.%X2; #b := #w.%B1; #w.%X0 := TRUE; #w.%B1 := 16#AB;',
      'w',
      'x',
      'b',
    ),
    [0xabf5, 1, 0x12],
  )
  assert.deepEqual(
    after('VAR t : Time; u : Time; END_VAR', '#t := T#1s500ms + T#500ms; #u := #t * 3 / 2;', 't', 'u'),
    [2000, 3000],
  )
})

const add = `FUNCTION "Add" : Int
VAR_INPUT x : Int; y : Int; END_VAR
VAR_OUTPUT twice : Int; END_VAR
VAR_IN_OUT sum : Int; END_VAR
BEGIN
  #Add := #x + #y;
  #twice := 2 * #x;
  #sum := #sum + #x;
END_FUNCTION
`

test('functions: inputs, outputs, in-outs, values; a call inside an expression', () => {
  const running = start(
    `${add}${main(ints, '#b := 100; #a := 10 * "Add"(x := 1, y := 2, twice => #n, sum := #b) + "Add"(x := 5, y := 6, sum := #b);')}`,
  )
  running.scan()
  assert.deepEqual(
    ['a', 'b', 'n'].map((name) => running.get(name)),
    [41, 106, 2],
  )
})

const counter = `FUNCTION_BLOCK "Counter"
VAR_INPUT by : Int := 1; END_VAR
VAR_OUTPUT value : Int; END_VAR
VAR_IN_OUT total : DInt; END_VAR
VAR last : Int; END_VAR
BEGIN
  #last := #value;
  #value := #value + #by;
  #total := #total + #by;
END_FUNCTION_BLOCK
DATA_BLOCK "Counter_DB"
"Counter"
BEGIN
  by := 3;
END_DATA_BLOCK
`

test('instances: data blocks, multi-instances, arrays of them; what is not given keeps its value', () => {
  const declarations =
    'VAR one : "Counter"; many : Array[1..3] of "Counter"; a : Int; b : Int; sum : DInt; i : Int; END_VAR'
  const body = `"Counter_DB"(value => #a, total := #sum);
#one(by := 10, total := #sum);
#one(total := #sum);
FOR #i := 1 TO 3 DO #many[#i](by := #i, total := #sum); END_FOR;
#b := #one.value + "Counter_DB".last + #many[2].value;`
  const running = start(`${counter}${main(declarations, body)}`)
  running.scan()
  assert.deepEqual(
    ['a', 'b', 'sum', 'one.value'].map((name) => running.get(name)),
    [3, 22, 29, 20],
  )
  running.scan()
  assert.deepEqual(
    ['a', 'b', 'sum'].map((name) => running.get(name)),
    [6, 40 + 3 + 4, 58],
  )
})

const structures = `TYPE "Part"
STRUCT number : Int; flags : Array[0..9] of Bool; name : String[8]; weight : Real; END_STRUCT;
END_TYPE
`
for (const [caller, callee] of [
  ['TRUE', 'TRUE'],
  ['TRUE', 'FALSE'],
  ['FALSE', 'TRUE'],
  ['FALSE', 'FALSE'],
] as const)
  test(`structures as in-outs: caller optimized ${caller}, callee optimized ${callee}`, () => {
    const attributes = (value: string) => `{ S7_Optimized_Access := '${value}' }`
    const stamp = `FUNCTION "Stamp" : Void
${attributes(callee)}
VAR_IN_OUT part : "Part"; END_VAR
BEGIN
  #part.number := #part.number + 1;
  #part.flags[9] := #part.flags[0];
  #part.name := 'stamped';
  #part.weight := #part.weight * 2.0;
END_FUNCTION
`
    const body = `#mine.number := 41; #mine.flags[0] := TRUE; #mine.weight := 1.25;
"Stamp"(part := #mine); #copy := #mine; #name := #copy.name;`
    const running = start(
      `${structures}${stamp}${main('VAR mine : "Part"; copy : "Part"; name : String[20]; END_VAR', body, attributes(caller))}`,
    )
    running.scan()
    assert.deepEqual(
      ['copy.number', 'copy.flags[9]', 'copy.flags[8]', 'copy.weight', 'name'].map((name) => running.get(name)),
      [42, 1, 0, 2.5, 'stamped'],
    )
  })

test('texts: cut to the length of their target, compared, in temporaries and as results', () => {
  const greet = `FUNCTION "Greet" : String[30]
VAR_INPUT who : String[10]; END_VAR
BEGIN
  #Greet := CONCAT(IN1 := 'Hello ', IN2 := #who);
END_FUNCTION
`
  const body = `#short := 'abcdef'; #local := 'temporary'; #long := #local; #same := #long = 'temporary'; #less := 'abc' < 'abd';
#long := "Greet"(who := 'World');`
  const running = start(
    `${greet}${main('VAR short : String[3]; long : String[20]; same : Bool; less : Bool; END_VAR VAR_TEMP local : String[12]; END_VAR', body)}`,
  )
  running.scan()
  assert.deepEqual(
    ['short', 'long', 'same', 'less'].map((name) => running.get(name)),
    ['abc', 'Hello World', 1, 1],
  )
})

test('arrays: several dimensions, negative limits, a wrong index', () => {
  const declarations = 'VAR grid : Array[-1..1, 0..2] of Int; sum : Int; i : Int; j : Int; k : Int := 7; END_VAR'
  const fill =
    'FOR #i := -1 TO 1 DO FOR #j := 0 TO 2 DO #grid[#i, #j] := 10 * #i + #j; #sum += #grid[#i, #j]; END_FOR; END_FOR;'
  assert.deepEqual(after(declarations, fill, 'grid[-1,2]', 'grid[1,0]', 'sum'), [-8, 10, 9])
  const running = start(main(declarations, '#grid[#k, 0] := 5; #sum := #grid[0, #k] + 1;'))
  running.scan()
  assert.deepEqual([running.faults, running.get('sum')], [['Main', 'Main'], 1])
})

test('arrays: every index is worked out, also behind a wrong one', () => {
  const declarations = 'VAR grid : Array[-1..1, 0..2] of Int; u : UInt; i : Int; k : Int := 7; ok : Bool; END_VAR'
  const isWell = (body: string) => {
    const running = start(main(declarations, `${body} #ok := ENO;`, `{ S7_SetENOAutomatically := 'TRUE' }`))
    running.scan()
    return running.bits('ok') === 1n
  }
  const wrong = ['#grid[#k, #u - 1] := 5;', '#i := #grid[#k, #u - 1];', '#i := #grid[#u - 1, #k];']
  assert.deepEqual(['#grid[#k, #u] := 5;', ...wrong].map(isWell), [true, false, false, false])
})

test('AT: another view of the same memory', () => {
  const standard = `{ S7_Optimized_Access := 'FALSE' }`
  const declarations =
    'VAR w : Word; bytes AT w : Array[0..1] of Byte; a : Byte; b : Byte; END_VAR VAR_TEMP t : DWord; parts AT t : Array[0..3] of Byte; END_VAR'
  const running = start(
    main(
      declarations,
      '#w := 16#1234; #a := #bytes[0]; #t := 16#AABBCCDD; #b := #parts[1]; #parts[3] := 0; #w := DWORD_TO_WORD(#t);',
      standard,
    ),
  )
  running.scan()
  assert.deepEqual(
    ['a', 'b', 'w'].map((name) => running.get(name)),
    [0x12, 0xbb, 0xcc00],
  )
})

test('temporaries begin at zero in every call', () => {
  const running = start(
    main(
      'VAR n : Int; m : Int; END_VAR VAR_TEMP t : Int; s : Struct x : Int; y : Array[0..3] of Int; END_STRUCT; END_VAR',
      '#t += 1; #n += #t; #s.y[2] += 1; #m += #s.y[2];',
    ),
  )
  running.scan()
  running.scan()
  running.scan()
  assert.deepEqual([running.get('n'), running.get('m')], [3, 3])
})

test('recursion of functions ends with the right value', () => {
  const faculty = `FUNCTION "Faculty" : DInt
VAR_INPUT n : DInt; END_VAR
VAR_TEMP rest : DInt; END_VAR
BEGIN
  IF #n <= 1 THEN #Faculty := 1; RETURN; END_IF;
  #rest := "Faculty"(n := #n - 1);
  #Faculty := #n * #rest;
END_FUNCTION
`
  const running = start(`${faculty}${main(ints, '#d := "Faculty"(n := 10);')}`)
  running.scan()
  assert.equal(running.get('d'), 3_628_800)
})

test('AT in a function block with optimized access: bits and bytes lie as in a standard block', () => {
  const running = start(
    main(
      `VAR_INPUT state : Word; END_VAR
VAR_OUTPUT run : Bool; END_VAR
VAR
  w : Word := 16#8001;
  bits AT w : Array[0..15] of Bool;
  parts AT w : Struct first : Bool; second : Bool; third : Array[2..15] of Bool; END_STRUCT;
  d : DWord;
  bytes AT d : Array[0..3] of Byte;
  inner : "Inner";
  sum : DInt;
END_VAR`,
      '#run := #bits[0]; #parts.second := TRUE; #d := 16#01020304; #sum := #bytes[0] * 10 + #bytes[3]; #inner(w := #w);',
      "{ S7_Optimized_Access := 'TRUE' }",
    ) +
      `FUNCTION_BLOCK "Inner"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT w : Word; b AT w : Array[0..1] of Byte; END_VAR
VAR_OUTPUT low : Byte; END_VAR
BEGIN
#low := #b[1];
END_FUNCTION_BLOCK
`,
  )
  running.scan()
  // Bit 0 of the first byte, the high one of a word, is bit 8 of its number.
  assert.deepEqual(
    ['run', 'w', 'sum', 'inner.low'].map((path) => running.get(path)),
    [0, 0x8201, 14, 1],
  )
})

test('an unknown type is told once, where it is declared: its use is not a second fault', () => {
  const source = `FUNCTION_BLOCK "Main"
VAR
  i : Int;
  list : Array[1..4] of "Gone";
  one : "Gone";
END_VAR
BEGIN
list[i](x := 1);
one(x := 1);
i := one.y;
END_FUNCTION_BLOCK`
  assert.deepEqual(
    diagnosticsOf(source).map(({ code }) => code),
    ['unknown-type', 'unknown-type'],
  )
})

test('text[i] is a character of the text, first and last, beside what lies before and behind it', () => {
  const texts = `VAR
    before : DInt := 16#41424344; s : String[5] := 'abcde'; between : DInt := 16#45464748;
    w : WString[4] := WSTRING#'wxyz'; behind : DInt := 16#494A4B4C;
    c : Char; d : WChar; i : Int := 5;
  END_VAR`
  const body = "#c := #s[1]; #d := #w[4]; #s[#i] := 'Z'; #s[2] := #s[3]; #w[1] := WCHAR#'V';"
  const members = ['c', 'd', 's', 'w', 'before', 'between', 'behind']
  for (const pragma of ['', "{ S7_Optimized_Access := 'FALSE' }"]) {
    const running = start(main(texts, body, pragma))
    running.scan()
    assert.deepEqual(
      members.map((path) => running.get(path)),
      ['a'.charCodeAt(0), 'z'.charCodeAt(0), 'accdZ', 'Vxyz', 0x41424344, 0x45464748, 0x494a4b4c],
      pragma,
    )
  }
})
