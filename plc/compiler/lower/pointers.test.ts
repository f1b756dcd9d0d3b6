/**
 * ANY and POINTER as bytes: decoding, building, passing on (TIA Portal help, "ANY", "POINTER"; the idioms of classic
 * STL and SCL sources).
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const standard = "{ S7_Optimized_Access := 'FALSE' }"
const optimized = "{ S7_Optimized_Access := 'TRUE' }"
const data = `DATA_BLOCK "Data"
${standard}
STRUCT x : Int := 33; l : Array[0..9] of Int; d : Date_And_Time; s : String[10]; b : Bool; flags : Array[0..15] of Bool; pair : Struct u : Int; v : Real; END_STRUCT; END_STRUCT;
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Fast"
${optimized}
STRUCT x : Int := 44; l : Array[0..9] of Int; END_STRUCT;
BEGIN
END_DATA_BLOCK
`
const parts = `FUNCTION "Parts" : Int
${standard}
VAR_INPUT src : Any; END_VAR
VAR_OUTPUT code : Int; db : Int; ptr : DWord; END_VAR
VAR_TEMP a : Any; v AT a : Struct id : Byte; typ : Byte; cnt : Int; db : Int; ptr : DWord; END_STRUCT; END_VAR
BEGIN
#a := #src;
#code := BYTE_TO_INT(#v.id) * 256 + BYTE_TO_INT(#v.typ); #db := #v.db; #ptr := #v.ptr;
#Parts := #v.cnt;
END_FUNCTION
FUNCTION "Copy" : Int
${standard}
VAR_INPUT src : Any; dst : Any; END_VAR
BEGIN
#Copy := BLKMOV(SRCBLK := #src, DSTBLK => #dst);
END_FUNCTION
FUNCTION "PassOn" : Int
${standard}
VAR_INPUT src : Any; dst : Any; END_VAR
BEGIN
#PassOn := "Copy"(src := #src, dst := #dst);
END_FUNCTION
`
const main = (members: string, body: string) =>
  `${data}${parts}FUNCTION_BLOCK "Main"\n${standard}\n${members}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

describe('an ANY is taken apart with AT', () => {
  for (const [given, code, count, db, pointer] of [
    ['"Data".x', 0x1005, 1, 1, 0x84000000n],
    ['"Data".l', 0x1005, 10, 1, 0x84000010n],
    ['"Data".l[3]', 0x1005, 1, 1, 0x84000040n],
    ['"Data".l[#i]', 0x1005, 1, 1, 0x84000050n],
    ['"Data".d', 0x100e, 1, 1, 0x840000b0n],
    ['"Data".s', 0x1013, 1, 1, 0x840000f0n],
    ['"Data".flags', 0x1001, 16, 1, 0x84000160n],
    // A structure counts as bytes.
    ['"Data".pair', 0x1002, 6, 1, 0x84000170n],
    ['P#DB1.DBX2.0 WORD 4', 0x1004, 4, 1, 0x84000010n],
    ['P#M10.0 BYTE 20', 0x1002, 20, 0, 0x83000050n],
    ['P#I4.0 DWORD 2', 0x1006, 2, 0, 0x81000020n],
    ['%MW20', 0x1004, 1, 0, 0x830000a0n],
  ] as const)
    it(given, () => {
      const run = runSource(
        main(
          'VAR i : Int := 4; n : Int; code : Int; db : Int; ptr : DWord; END_VAR',
          `#n := "Parts"(src := ${given}, code => #code, db => #db, ptr => #ptr);`,
        ),
      )
      run.scan()
      assert.deepEqual([run.get('code'), run.get('n'), run.get('db'), run.bits('ptr')], [code, count, db, pointer])
      assert.deepEqual(run.faults, [])
    })

  it('what has no address of S7 is no ANY of S7, but is moved nevertheless', () => {
    const run = runSource(
      main(
        'VAR n : Int; code : Int; a : Int; b : Int; END_VAR VAR_TEMP t : Array[0..3] of Int; END_VAR',
        `#n := "Parts"(src := "Fast".l, code => #code);
         "Fast".l[1] := 7; #a := "PassOn"(src := "Fast".l, dst := "Fast".x); #t[1] := 9; #b := "PassOn"(src := #t, dst := #t);`,
      ),
    )
    run.scan()
    assert.notEqual((run.get('code') as number) >> 8, 0x10)
    assert.deepEqual([run.get('a'), run.get('b'), run.faults], [0, 0, []])
  })

  it('an ANY is passed on, assigned and made to point to something', () => {
    const run = runSource(
      main(
        'VAR r : Int; m : Int; END_VAR VAR_TEMP a : Any; b : Any; END_VAR',
        `"Data".l[5] := 55; #a := "Data".l[5]; #b := #a; %MW60 := 0;
         #r := "PassOn"(src := #b, dst := P#M60.0 WORD 1); #m := WORD_TO_INT(%MW60);`,
      ),
    )
    run.scan()
    assert.deepEqual([run.get('r'), run.get('m'), run.faults], [0, 55, []])
  })

  it('two areas keep each its own type: no more is moved than the source has', () => {
    const run = runSource(
      main(
        'VAR r : Int; m : Int; n : Int; END_VAR',
        `%MD0 := DW#16#0102_0304; %MD60 := 0;
         #r := "PassOn"(src := P#M0.0 BYTE 2, dst := P#M60.0 WORD 2); #m := WORD_TO_INT(%MW60); #n := WORD_TO_INT(%MW62);`,
      ),
    )
    run.scan()
    assert.deepEqual([run.get('r'), run.get('m'), run.get('n'), run.faults], [0, 0x0102, 0, []])
  })
})

describe('an ANY is built', () => {
  const build = (code: string, count: string, db: string, pointer: string) => `FUNCTION "Build" : Int
${standard}
VAR_TEMP a : Any; v AT a : Struct id : Byte; typ : Byte; cnt : Int; db : Int; ptr : DWord; END_STRUCT; END_VAR
BEGIN
#v.id := 16#10; #v.typ := ${code}; #v.cnt := ${count}; #v.db := ${db}; #v.ptr := ${pointer};
#Build := BLKMOV(SRCBLK := #a, DSTBLK => P#M200.0 BYTE 20);
END_FUNCTION
`
  const built = (...[code, count, db, pointer]: readonly [string, string, string, string]) => {
    const run = runSource(
      `${data}${build(code, count, db, pointer)}FUNCTION_BLOCK "Main"\n${standard}\nVAR r : Int; w0 : Int; w1 : Int; w2 : Int; END_VAR\nBEGIN
"Data".l[0] := 1; "Data".l[1] := 2; "Data".l[2] := 3; %MD200 := 0; %MD204 := 0;
#r := "Build"(); #w0 := WORD_TO_INT(%MW200); #w1 := WORD_TO_INT(%MW202); #w2 := WORD_TO_INT(%MW204);\nEND_FUNCTION_BLOCK\n`,
    )
    run.scan()
    return ['w0', 'w1', 'w2'].map((name) => run.get(name))
  }
  it('of words', () => assert.deepEqual(built('16#04', '2', '1', '16#84000010'), [1, 2, 0]))
  it('of bytes', () => assert.deepEqual(built('16#02', '6', '1', '16#84000010'), [1, 2, 3]))
  it('to a block that is not there, to the end of a block, of no type: nothing is moved', () => {
    assert.deepEqual(built('16#04', '2', '77', '16#84000010'), [0, 0, 0])
    assert.deepEqual(built('16#04', '60', '1', '16#84000010'), [0, 0, 0])
    assert.deepEqual(built('16#44', '2', '1', '16#84000010'), [0, 0, 0])
    assert.deepEqual(built('16#04', '2', '2', '16#84000010'), [0, 0, 0])
  })
})

describe('STL: P## of parameters and temporaries', () => {
  const blocks = `FUNCTION "Parts2" : Int
${standard}
VAR_INPUT src : Any; END_VAR
VAR_OUTPUT db : Int; second : Int; END_VAR
VAR_TEMP r : Int; END_VAR
BEGIN
NETWORK
L P##src; LAR1; L W [AR1,P#2.0]; T #Parts2; L W [AR1,P#4.0]; T #db; T #r; OPN DB [#r];
L D [AR1,P#6.0]; LAR1; L W [AR1,P#2.0]; T #second;
END_FUNCTION
FUNCTION "Build2" : Int
${standard}
VAR_INPUT n : Int; END_VAR
VAR_TEMP other : Any; made : Any; END_VAR
BEGIN
NETWORK
L P##other; LAR1; L W#16#FFFF; T W [AR1,P#0.0];
L P##made; LAR1; L B#16#10; T B [AR1,P#0.0]; L B#16#05; T B [AR1,P#1.0]; L #n; T W [AR1,P#2.0];
L 1; T W [AR1,P#4.0]; L P#DBX 2.0; T D [AR1,P#6.0];
CALL BLKMOV (SRCBLK := #made, RET_VAL := #Build2, DSTBLK := P#M100.0 WORD 4);
END_FUNCTION
FUNCTION "Beyond" : Int
${standard}
VAR_TEMP one : Any; two : Any; END_VAR
BEGIN
NETWORK
L P##two; L P##one; LAR1; L 5; T W [AR1,P#10.0]; T W [AR1,P#8.0];
END_FUNCTION
FUNCTION "Word" : Int
${standard}
VAR_INPUT p : Pointer; END_VAR
VAR_TEMP r : Int; END_VAR
BEGIN
NETWORK
L P##p; LAR1; L W [AR1,P#0.0]; T #r; OPN DB [#r]; L D [AR1,P#2.0]; LAR1; L W [AR1,P#0.0]; T #Word;
END_FUNCTION
FUNCTION_BLOCK "Kept"
${standard}
VAR_INPUT pad : Int; src : Any; p : Pointer; END_VAR
VAR_OUTPUT n : Int; byte : Int; END_VAR
BEGIN
NETWORK
L P##src; LAR1; L W [AR1,P#2.0]; T #n; L P##p; LAR1; L D [AR1,P#2.0]; SRD 3; T #byte;
END_FUNCTION_BLOCK
`.replaceAll(/; (?=[LTCO])/g, ';\n')
  const run = (members: string, body: string) => {
    const one = runSource(
      `${data}${blocks}FUNCTION_BLOCK "Main"\n${standard}\n${members}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`,
    )
    one.scan()
    return one
  }

  it('an Any parameter of a function', () => {
    const one = run(
      'VAR n : Int; db : Int; second : Int; END_VAR',
      '"Data".l[1] := 22; #n := "Parts2"(src := "Data".l, db => #db, second => #second);',
    )
    assert.deepEqual([one.get('n'), one.get('db'), one.get('second'), one.faults], [10, 1, 22, []])
  })

  it('an Any that is built in a temporary', () => {
    const one = run(
      'VAR r : Int; a : Int; b : Int; c : Int; END_VAR',
      '"Data".l[0] := 11; "Data".l[1] := 22; "Data".l[2] := 5; #r := "Build2"(n := 2); #a := WORD_TO_INT(%MW100); #b := WORD_TO_INT(%MW102); #c := WORD_TO_INT(%MW104);',
    )
    assert.deepEqual([one.get('r'), one.get('a'), one.get('b'), one.get('c'), one.faults], [0, 11, 22, 0, []])
  })

  it('what lies behind the variable is a programming error', () => {
    const one = run('VAR r : Int; END_VAR', '#r := "Beyond"();')
    assert.deepEqual(one.faults, ['Beyond'])
  })

  it('a Pointer parameter', () => {
    const one = run(
      'VAR a : Int; b : Int; c : Int; d : Int; i : Int := 2; END_VAR',
      `"Data".l[1] := 22; "Data".l[2] := 23; %MW40 := 16#55;
       #a := "Word"(p := "Data".l[1]); #b := "Word"(p := P#M40.0); #c := "Word"(p := P#DB1.DBX0.0); #d := "Word"(p := "Data".l[#i]);`,
    )
    assert.deepEqual([one.get('a'), one.get('b'), one.get('c'), one.get('d'), one.faults], [22, 0x55, 33, 23, []])
  })

  it('Any and Pointer in an instance, which DI is open on', () => {
    const one = run(
      'VAR k : "Kept"; n : Int; byte : Int; END_VAR',
      '#k(src := "Data".l, p := %M8.3, n => #n, byte => #byte);',
    )
    assert.deepEqual([one.get('n'), one.get('byte'), one.faults], [10, 8, []])
  })

  it('single values have no address', () => {
    const source = `FUNCTION "F" : Void\n${standard}\nVAR_INPUT x : Int; END_VAR\nBEGIN\nNETWORK\nL P##x;\nLAR1;\nEND_FUNCTION\n`
    assert.deepEqual(
      diagnosticsOf(source).map(({ code }) => code),
      ['unsupported-operand'],
    )
  })
})

describe('ranges of addresses', () => {
  const faultsOf = (range: string) => {
    const source = `DATA_BLOCK "Old"
{ S7_Optimized_Access := 'FALSE' }
NON_RETAIN
STRUCT
x : Array[0..9] of Word;
END_STRUCT;
BEGIN
END_DATA_BLOCK
FUNCTION "F" : Void
{ S7_Optimized_Access := 'FALSE' }
VAR_TEMP r : Int; a : Array[0..9] of Byte; END_VAR
BEGIN
#r := BLKMOV(SRCBLK := ${range}, DSTBLK => #a);
END_FUNCTION
`
    return diagnosticsOf(source).map(({ code, message }) => `${code}: ${message}`)
  }

  for (const [range, ...wanted] of [
    ['P#M0.0 BYTE 4'],
    ['P#M16383.0 BYTE 1'],
    ['P#M16380.0 DWORD 1'],
    ['P#DB1.DBX0.0 WORD 10'],
    ['P#DB1.DBX19.0 BYTE 1'],
    ['P#M5.7 BOOL 1'],
    ['P#M16383.0 BOOL 8'],
    ['P#M0.0 DATE_AND_TIME 1'],
    ['P#M0.0 FOO 4', 'unsupported-operand: P#M0.0 FOO 4: there is no type FOO for ranges.'],
    ['P#M0.0 BYTE 0', 'unsupported-operand: P#M0.0 BYTE 0: a range has 1 to 65535 elements.'],
    ['P#M0.0 BYTE 65536', 'unsupported-operand: P#M0.0 BYTE 65536: a range has 1 to 65535 elements.'],
    ['P#M0.1 BYTE 2', 'unsupported-operand: P#M0.1 BYTE 2: ranges begin at bit 0; only a single BOOL has another bit.'],
    ['P#M0.1 BOOL 2', 'unsupported-operand: P#M0.1 BOOL 2: ranges begin at bit 0; only a single BOOL has another bit.'],
    ['P#DBX0.0 BYTE 2', 'unsupported-operand: P#DBX0.0 BYTE 2 needs a data block.'],
    ['P#M16383.0 BYTE 2', 'unsupported-operand: P#M16383.0 BYTE 2 ends behind the 16384 bytes that there are of M.'],
    ['P#M16383.0 BOOL 9', 'unsupported-operand: P#M16383.0 BOOL 9 ends behind the 16384 bytes that there are of M.'],
    ['P#M16381.0 DWORD 1', 'unsupported-operand: P#M16381.0 DWORD 1 ends behind the 16384 bytes that there are of M.'],
    ['P#DB2.DBX0.0 BYTE 2', 'undeclared: There is no data block DB 2.'],
    ['P#DB1.DBX20.0 BYTE 1', 'address-outside: P#DB1.DBX20.0 BYTE 1 lies outside "Old", which has 20 bytes.'],
    ['P#DB1.DBX20.0 BOOL 1', 'address-outside: P#DB1.DBX20.0 BOOL 1 lies outside "Old", which has 20 bytes.'],
    [
      'P#DB1.DBX18.0 WORD 2',
      'range-outside: P#DB1.DBX18.0 WORD 2 ends behind "Old", which has 20 bytes: only the 1 elements inside are used.',
    ],
    [
      'P#DB1.DBX4.0 WORD 10',
      'range-outside: P#DB1.DBX4.0 WORD 10 ends behind "Old", which has 20 bytes: only the 8 elements inside are used.',
    ],
  ])
    it(`${range}: ${wanted[0] ?? 'right'}`, () => assert.deepEqual(faultsOf(range as string), wanted))
})
