/** TypeOf, `?=`, Variant and Any: from source to running code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const main = (declarations: string, body: string, pragma = '') =>
  `FUNCTION_BLOCK "Main"\n${pragma}\n${declarations}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
const standard = "{ S7_Optimized_Access := 'FALSE' }"
const point = 'TYPE "Point"\nSTRUCT\n  x : Int;\n  y : Real;\nEND_STRUCT;\nEND_TYPE\n'

function values(source: string, ...names: string[]): unknown[] {
  const running = runSource(source)
  running.scan()
  return names.map((name) => running.get(name))
}

const kindOf = `FUNCTION "KindOf" : Int
VAR_INPUT v : Variant; w : Variant; END_VAR
BEGIN
  #KindOf := 0;
  CASE TypeOf(#v) OF
    Int, DInt: #KindOf := 1;
    Real: #KindOf := 2;
    "Point": #KindOf := 3;
    ELSE #KindOf := 9;
  END_CASE;
  IF TypeOf(#v) = TypeOf(#w) THEN #KindOf += 100; END_IF;
  IF TypeOfElements(#v) = Int THEN #KindOf += 20; END_IF;
  IF IS_ARRAY(#v) AND TypeOfElements(#v) <> Int THEN #KindOf += 40; END_IF;
END_FUNCTION
`

test('a block sees the type of what it was given', () => {
  const seen = values(
    point +
      kindOf +
      main(
        'VAR i : Int; d : DInt; r : Real; p : "Point"; q : "Point"; a : Array[0..3] of Int; b : Array[0..3] of "Point"; w : Word; k : Array[1..9] of Int; END_VAR',
        `#k[1] := "KindOf"(v := #i, w := #r); #k[2] := "KindOf"(v := #d, w := #d); #k[3] := "KindOf"(v := #r, w := #i);
         #k[4] := "KindOf"(v := #p, w := #q); #k[5] := "KindOf"(v := #a, w := #b); #k[6] := "KindOf"(v := #b, w := #i);
         #k[7] := "KindOf"(v := #a[2], w := #i); #k[8] := "KindOf"(v := #b[#i], w := #p); #k[9] := "KindOf"(v := #w, w := #i);`,
      ),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `k[${i}]`),
  )
  // What is no array has elements of its own type (TIA help V19, "TypeOfElements").
  assert.deepEqual(seen, [21, 101, 2, 103, 29, 49, 121, 103, 9])
})

test('an assignment attempt gives a reference to the type that is wanted, else NULL', () => {
  const attempt = `FUNCTION "Take" : Int
VAR_INPUT v : Variant; END_VAR
VAR_TEMP p : REF_TO "Point"; i : REF_TO Int; END_VAR
BEGIN
  #Take := 0;
  #p ?= #v; #i ?= #v;
  IF #p <> NULL THEN #Take := #p^.x; #p^.x := 50; END_IF;
  IF #i <> NULL THEN #Take := #i^ + 1000; END_IF;
  IF #v = NULL THEN #Take := -1; END_IF;
END_FUNCTION
`
  const seen = values(
    point +
      attempt +
      main(
        'VAR p : "Point"; i : Int := 7; r : Real; list : Array[0..2] of "Point"; k1 : Int; k2 : Int; k3 : Int; k4 : Int; END_VAR',
        `#p.x := 5; #list[1].x := 6; #k1 := "Take"(#p); #k2 := "Take"(#i); #k3 := "Take"(#r); #k4 := "Take"(#list[1]);`,
      ),
    ...['k1', 'k2', 'k3', 'k4', 'p.x', 'list[1].x'],
  )
  assert.deepEqual(seen, [5, 1007, 0, 6, 50, 50])
})

test('what cannot be attempted is told', () => {
  const codes = (declarations: string, body: string) =>
    diagnosticsOf(point + main(declarations, body)).map(({ code }) => code)
  assert.deepEqual(codes('VAR x : Int; END_VAR VAR_INPUT v : Variant; END_VAR', '#x ?= #v;'), ['wrong-operand'])
  assert.deepEqual(codes('VAR x : REF_TO Int; y : Int; END_VAR', '#x ?= #y;'), ['wrong-operand'])
  assert.deepEqual(
    codes('VAR b : Bool; END_VAR VAR_INPUT v : Variant; END_VAR', 'IF TypeOf(#v) = Nothing THEN #b := TRUE; END_IF;'),
    ['unknown-type'],
  )
})

test('ranges of an Array[*] are moved, filled, serialised and passed on', () => {
  const seen = values(
    `FUNCTION "Work" : Int
VAR_IN_OUT src : Array[*] of Int; dst : Array[*] of Int; bytes : Array[*] of Byte; END_VAR
VAR_TEMP pos : DInt; END_VAR
BEGIN
  MOVE_BLK(IN := #src[2], COUNT := 2, OUT => #dst[11]);
  FILL_BLK(IN := 9, COUNT := 1, OUT => #dst[10]);
  #pos := 1;
  #Work := Serialize(SRC_VARIABLE := #src, DEST_ARRAY => #bytes, POS := #pos);
  #Work += DINT_TO_INT(UDINT_TO_DINT(CountOfElements(#dst)) * 10 + #pos);
  #Work += MOVE_BLK_VARIANT(SRC := #src, COUNT := 1, SRC_INDEX := 0, DEST_INDEX := 3, DEST => #dst);
END_FUNCTION
` +
      main(
        'VAR a : Array[1..3] of Int; b : Array[10..13] of Int; c : Array[0..9] of Byte; r : Int; END_VAR',
        '#a[1] := 1; #a[2] := 2; #a[3] := 3; #r := "Work"(src := #a, dst := #b, bytes := #c);',
      ),
    ...['r', 'b[10]', 'b[11]', 'b[12]', 'b[13]', 'c[2]', 'c[4]', 'c[6]', 'c[7]'],
  )
  assert.deepEqual(seen, [47, 9, 2, 3, 1, 1, 2, 3, 0])
})

const data = `DATA_BLOCK "Data"\n${standard}\nSTRUCT\n  a : Int := 1;\n  b : Int := 2;\n  c : Array[0..3] of Byte;\n  d : DInt;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n`

test('ranges of addresses are moved and filled, and passed as Any', () => {
  const source = `FUNCTION "Copy" : Int
VAR_INPUT from : Any; to : Any; END_VAR
BEGIN
  #Copy := BLKMOV(SRCBLK := #from, DSTBLK => #to);
END_FUNCTION
FUNCTION_BLOCK "Keeper"
${standard}
VAR_INPUT from : Any; END_VAR
VAR_IN_OUT to : Any; END_VAR
VAR_OUTPUT r : Int; END_VAR
BEGIN
  #r := BLKMOV(SRCBLK := #from, DSTBLK => #to);
END_FUNCTION_BLOCK
${data}${main(
  'VAR r1 : Int; r2 : Int; m : Int; n : Int; k : "Keeper"; END_VAR',
  `%MB0 := 1; %MB1 := 2; %MB2 := 3; %MB3 := 4;
   #r1 := "Copy"(from := P#M0.0 BYTE 4, to := P#DB1.DBX4.0 BYTE 4);
   #r2 := BLKMOV(SRCBLK := P#M0.0 BYTE 4, DSTBLK => "Data".d);
   %MW10 := 16#1234;
   #k(from := P#M10.0 WORD 1, to := "Data".b);
   FILL_BLK(IN := B#16#FF, COUNT := 2, OUT => "Data".c[2]);
   #m := "Data".b; #n := BYTE_TO_INT("Data".c[1]);`,
  standard,
)}`
  const running = runSource(source)
  running.scan()
  assert.deepEqual(
    ['r1', 'r2', 'm', 'n'].map((name) => running.get(name)),
    [0, 0, 0x1234, 2],
  )
  assert.equal(running.get('d', 'Data'), 0x01020304)
  assert.deepEqual(
    [0, 1, 2, 3].map((i) => running.get(`c[${i}]`, 'Data')),
    [1, 2, 255, 255],
  )
})

test('a range that is none, or that is outside its block, is told', () => {
  const codes = (range: string) =>
    diagnosticsOf(data + main('VAR r : Int; x : DInt; END_VAR', `#r := BLKMOV(SRCBLK := ${range}, DSTBLK => #x);`)).map(
      ({ code }) => code,
    )
  assert.deepEqual(codes('P#M0.0 BYTE 4'), [])
  assert.deepEqual(codes('P#DB1.DBX8.0 BYTE 5'), ['range-outside'])
  assert.deepEqual(codes('P#DB1.DBX12.0 BYTE 5'), ['address-outside'])
  assert.deepEqual(codes('P#DB77.DBX0.0 BYTE 5'), ['undeclared'])
  assert.deepEqual(codes('P#M0.1 BYTE 4'), ['unsupported-operand'])
  assert.deepEqual(codes('P#M0.0 NOTHING 4'), ['unsupported-operand'])
  assert.deepEqual(codes('P#M16380.0 BYTE 5'), ['unsupported-operand'])
})

test('a block that asks for its errors handles them itself', () => {
  const running = runSource(
    `FUNCTION "Try" : Word
VAR_INPUT i : Int; END_VAR VAR_IN_OUT list : Array[*] of Int; END_VAR
VAR_TEMP x : Int; END_VAR
BEGIN
  #x := #list[#i];
  #Try := GET_ERR_ID();
  #x := #list[#i + 100];
END_FUNCTION
FUNCTION "Plain" : Int
VAR_INPUT i : Int; END_VAR VAR_IN_OUT list : Array[*] of Int; END_VAR
BEGIN
  #Plain := #list[#i];
END_FUNCTION
` +
      main(
        'VAR a : Array[0..3] of Int; w1 : Word; w2 : Word; p : Int; e : ErrorStruct; END_VAR',
        '#w1 := "Try"(i := 9, list := #a); #w2 := "Try"(i := 1, list := #a); #p := "Plain"(i := 9, list := #a); GET_ERROR(#e);',
      ),
  )
  running.scan()
  assert.deepEqual([running.get('w1'), running.get('w2'), running.get('e.ERROR_ID')], [0x2522, 0, 0])
  assert.deepEqual(running.faults, ['Plain'])
})

test('bytes are read and written in both orders; memory is filled with a pattern', () => {
  const seen = values(
    main(
      'VAR b : Array[0..9] of Byte; r : Real; x : Int; y : DInt; pos : DInt; s : Int; t : Int; u : Int; p : Array[0..1] of Byte; e : Array[0..4] of Byte; END_VAR',
      `#pos := 1; #s := WRITE_BIG(SRC_VARIABLE := #x, DEST_ARRAY => #b, POS := #pos);
       #x := 16#1234; #pos := 1; #s := WRITE_BIG(SRC_VARIABLE := #x, DEST_ARRAY => #b, POS := #pos);
       #s := WRITE_LITTLE(SRC_VARIABLE := #x, DEST_ARRAY => #b, POS := #pos);
       #pos := 1; #s := READ_LITTLE(SRC_ARRAY := #b, DEST_VARIABLE => #y, POS := #pos);
       #pos := 8; #t := READ_BIG(SRC_ARRAY := #b, DEST_VARIABLE => #r, POS := #pos);
       #u := WRITE_BIG(SRC_VARIABLE := #x, DEST_ARRAY => #b, POS := #pos);
       #p[0] := 1; #p[1] := 2; #s := FILL(BVAL := #p, BLK => #e);`,
    ),
    ...['b[1]', 'b[2]', 'b[3]', 'b[4]', 'y', 's', 't', 'u', 'b[8]', 'b[9]', 'pos', 'e[0]', 'e[3]', 'e[4]'],
  )
  // Two bytes end where the array ends; four do not fit.
  const [tooLong, ok] = [0x8383 - 0x10000, 0]
  assert.deepEqual(seen, [0x12, 0x34, 0x34, 0x12, 0x12343412, ok, tooLong, ok, 0x12, 0x34, 10, 1, 2, 1])
})

test('a Variant that an instance kept of a call that is over is no variable any more', () => {
  const running = runSource(
    `FUNCTION_BLOCK "Keeper"
VAR_INPUT v : Variant; END_VAR VAR_OUTPUT n : UDInt; same : Bool; END_VAR
BEGIN
  #n := CountOfElements(#v);
  IF TypeOfElements(#v) = Int THEN #same := TRUE; END_IF;
END_FUNCTION_BLOCK
FUNCTION "Give" : Void
VAR_IN_OUT list : Array[*] of Int; k : "Keeper"; END_VAR
BEGIN
  #k(v := #list);
END_FUNCTION
FUNCTION "Noise" : Int
VAR_TEMP a : Array[0..40] of DInt; i : DInt; END_VAR
BEGIN
  FOR #i := 0 TO 40 DO #a[#i] := 16#7777_7777; END_FOR;
  #Noise := DINT_TO_INT(#a[3] - #a[4]);
END_FUNCTION
` +
      main(
        'VAR k : "Keeper"; a : Array[0..4] of Int; first : UDInt; again : UDInt; step : Int; x : Int; END_VAR',
        `#step += 1; IF #step = 1 THEN "Give"(list := #a, k := #k); #first := #k.n; END_IF;
         #x := "Noise"(); IF #step > 1 THEN #k(); #again := #k.n; END_IF;`,
      ),
  )
  running.scan()
  running.scan()
  assert.deepEqual([running.get('first'), running.get('again')], [5, 0])
})

test('an address in a block of unknown size is not told to be outside', () => {
  const source = `DATA_BLOCK "Short"
{ S7_Optimized_Access := 'FALSE' }
VAR a : "Missing"; b : Word; END_VAR
BEGIN
END_DATA_BLOCK
`
  const codes = (body: string) =>
    diagnosticsOf(source + main('VAR r : Int; x : DInt; w : Word; END_VAR', body)).map(({ code }) => code)
  assert.deepEqual(codes('#r := BLKMOV(SRCBLK := P#DB1.DBX8.0 BYTE 50, DSTBLK => #x); #w := %DB1.DBW100;'), [
    'unknown-type',
  ])
})

test('the number of a data block: its type, and a reference to it when it has optimized access', () => {
  const source = `TYPE "Point"
STRUCT
  x : Int;
  y : Real;
END_STRUCT;
END_TYPE
TYPE "Other"
STRUCT
  x : Int;
  y : Real;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR
  speed : Int := 7;
END_VAR
BEGIN
;
END_FUNCTION_BLOCK
DATA_BLOCK "Fast"
{ S7_Optimized_Access := 'TRUE' }
"Point"
BEGIN
x := 11;
END_DATA_BLOCK
DATA_BLOCK "Slow"
{ S7_Optimized_Access := 'FALSE' }
"Point"
BEGIN
x := 12;
END_DATA_BLOCK
DATA_BLOCK "Plain"
{ S7_Optimized_Access := 'TRUE' }
STRUCT
  x : Int := 13;
  y : Real;
END_STRUCT;
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Motor_DB"
{ S7_Optimized_Access := 'TRUE' }
"Motor"
BEGIN
END_DATA_BLOCK
FUNCTION "Ask" : Int
VAR_INPUT
  db : DB_ANY;
END_VAR
VAR_TEMP
  p : REF_TO "Point";
END_VAR
BEGIN
#Ask := 0;
IF TypeOfDB(#db) = "Point" THEN #Ask += 1; END_IF;
IF TypeOfDB(#db) = "Other" THEN #Ask += 2; END_IF;
IF TypeOfDB(#db) = "Motor" THEN #Ask += 4; END_IF;
IF TypeOfDB(#db) <> "Point" THEN #Ask += 8; END_IF;
#p ?= #db;
IF #p <> NULL THEN #Ask += 100 + 1000 * #p^.x; END_IF;
END_FUNCTION
FUNCTION "AskList" : Int
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  db : DB_ANY;
END_VAR
VAR_TEMP
  is : Array[0..3] of Bool; own : "Point"; same : Bool;
END_VAR
BEGIN
NETWORK
      CALL EQ_TypeOfDB (IN1 := #db, IN2 := "Point", RET_VAL := #is[0]);
      CALL EQ_TypeOfDB (IN1 := #db, IN2 := #own, RET_VAL := #is[1]);
      CALL EQ_TypeOfDB (IN1 := #db, IN2 := "Motor", RET_VAL := #is[2]);
      CALL NE_TypeOfDB (IN1 := #db, IN2 := "Point", RET_VAL := #is[3]);
      L 0; T #AskList;
      AN #is[0]; JC m1; L #AskList; + 1; T #AskList;
m1:   AN #is[1]; JC m2; L #AskList; + 2; T #AskList;
m2:   AN #is[2]; JC m3; L #AskList; + 4; T #AskList;
m3:   AN #is[3]; JC m4; L #AskList; + 8; T #AskList;
m4:   NOP 0;
END_FUNCTION
FUNCTION_BLOCK "Main"
VAR
  k : Array[0..7] of Int; n : Int; none : DB_ANY;
END_VAR
BEGIN
#k[0] := "Ask"("Fast"); #k[1] := "Ask"("Slow"); #k[2] := "Ask"("Plain"); #k[3] := "Ask"("Motor_DB");
#k[4] := "Ask"("Main_DB"); #k[5] := "Ask"(#none); #k[6] := "Ask"(999);
#k[7] := "AskList"("Fast") + 100 * "AskList"("Motor_DB") + 2000 * ("AskList"(#none) / 8);
END_FUNCTION_BLOCK
`
  // 1 "Point", 2 another type of the same members, 4 the block "Motor", 8 not "Point",
  // 100 a reference, with 1000 times the value behind it
  assert.deepEqual(values(source, ...[0, 1, 2, 3, 4, 5, 6].map((i) => `k[${i}]`)), [
    11_101, // Fast
    1, // Slow: references point to blocks with optimized access
    8, // Plain: its type has no name
    12, // Motor_DB
    8, // Main_DB
    8, // no number
    8, // a number that no block has
  ])
  // The same in STL: "Point" by its name and by a variable; "Motor"; no block is of no type.
  assert.deepEqual(values(source, 'k[7]'), [3 + 100 * 12 + 2000])
})

test('FILL repeats a value as it lies in memory: bits in bytes of their own, or packed', () => {
  for (const [access, pattern] of [
    ['TRUE', (i: number) => (i % 5) % 3 === 0],
    // Standard access: five bits take two bytes, and the rest of these is filled too.
    ['FALSE', (i: number) => i % 16 < 5 && ((i % 16) % 5) % 3 === 0],
  ] as const) {
    const source = main(
      'VAR five : Array[0..4] of Bool; all : Array[0..39] of Bool; one : "Point"; many : Array[0..2] of "Point"; s : Int; i : Int; END_VAR',
      `FOR #i := 0 TO 4 DO #five[#i] := #i MOD 3 = 0; END_FOR;
       #one.x := 16#1234; #one.y := 1.5;
       #s := FILL(BVAL := #five, BLK => #all);
       #i := FILL(BVAL := #one, BLK => #many);`,
      `{ S7_Optimized_Access := '${access}' }`,
    )
    const names = Array.from({ length: 40 }, (_one, i) => `all[${i}]`)
    assert.deepEqual(values(point + source, 's', 'i', 'many[0].x', 'many[2].x', 'many[2].y', ...names), [
      0,
      0,
      0x1234,
      0x1234,
      1.5,
      ...names.map((_one, i) => Number(pattern(i))),
    ])
  }
})

test('CompType of STL compares values and structures, as its relation says; what is missing is told', () => {
  const source = (relation: string, more = '') =>
    point +
    `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR a : "Point"; b : "Point"; x : Int; q : Bool; r : Bool; END_VAR
BEGIN
NETWORK
      L 5; T #x; T #a.x; T #b.x;
      CALL CompType {src_type := 'Variant'; relation := '${relation}'} (IN1 := #a, IN2 := #b, OUT := #q);
      CALL CompType {src_type := 'Int'; relation := '${relation}'} (IN1 := #x, IN2 := 7, OUT := #r${more});
END_FUNCTION_BLOCK
`
  assert.deepEqual(values(source('Eq'), 'q', 'r'), [1, 0])
  assert.deepEqual(values(source('Ne'), 'q', 'r'), [0, 1])
  assert.deepEqual(
    diagnosticsOf(source('Eq', ', RET_VAL := #q')).map(({ code, message, hint }) => [code, message, hint]),
    [['unknown-parameter', 'CompType has no parameter "RET_VAL".', 'Its parameters: IN1, IN2, OUT.']],
  )
})
