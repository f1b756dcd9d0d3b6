/**
 * What the pages of the TIA Portal help V19 "SCL (S7-1200, S7-1500)" say of shifts, selection, Variants and errors;
 * each case names its page.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

const declarations = `VAR x : Int; y : Int; w : Word; u : UInt; b : Byte; s : SInt; l : LWord; li : LInt; n : ULInt;
  d : DWord; di : DInt; q : Bool; id : Word; t : String[10]; t2 : String[10]; e : ErrorStruct; f : ErrorStruct;
  list : Array[2..5] of Int; plane : Array[0..2, 1..4] of Int; bits : Array[0..1] of Bool; pair : "Pair";
  pairs : Array[0..2] of "Pair"; seen : "Seen"; END_VAR`

const before = `TYPE "Pair"
STRUCT
  a : Int; b : Real;
END_STRUCT;
END_TYPE
TYPE "Seen"
STRUCT
  value : Int; ok : Bool; count : UDInt; counted : Bool; isInt : Bool; isArray : Bool; hasInts : Bool; isPair : Bool;
  hasPairs : Bool; isNull : Bool;
END_STRUCT;
END_TYPE
FUNCTION "Ask" : Void
{ S7_Optimized_Access := 'TRUE'; S7_SetENOAutomatically := 'TRUE' }
VAR_INPUT v : Variant; END_VAR
VAR_IN_OUT seen : "Seen"; END_VAR
BEGIN
VariantGet(SRC := #v, DST => #seen.value, ENO => #seen.ok);
#seen.count := CountOfElements(IN := #v, ENO => #seen.counted);
IF TypeOf(#v) = Int THEN #seen.isInt := TRUE; END_IF;
IF IS_ARRAY(#v) THEN #seen.isArray := TRUE; END_IF;
IF TypeOfElements(#v) = Int THEN #seen.hasInts := TRUE; END_IF;
CASE TypeOf(#v) OF "Pair": #seen.isPair := TRUE; END_CASE;
IF TypeOfElements(#v) = "Pair" THEN #seen.hasPairs := TRUE; END_IF;
#seen.isNull := #v = NULL;
END_FUNCTION
FUNCTION "Put" : Bool
{ S7_Optimized_Access := 'TRUE'; S7_SetENOAutomatically := 'TRUE' }
VAR_IN_OUT v : Variant; END_VAR
BEGIN
VariantPut(SRC := INT#77, DST := #v, ENO => #Put);
END_FUNCTION
`

/** The members of one call, numbers as they are and Bools as 0 and 1. */
function values(body: string, names: readonly string[]): Record<string, unknown> {
  const run = runSource(`${before}FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE'; S7_SetENOAutomatically := 'TRUE' }
${declarations}
BEGIN
${body}
END_FUNCTION_BLOCK`)
  run.scan()
  assert.deepEqual(run.faults, [])
  return Object.fromEntries(names.map((name) => [name, run.get(name)]))
}

/** Each case is one statement; all run in one block. */
function results(cases: readonly (readonly [target: string, value: string, wanted: number])[]): void {
  const seen = cases.map(([target, value]) => [target, value, values(`#${target} := ${value};`, [target])[target]])
  assert.deepEqual(seen, cases)
}

describe('SCL of the help: shifts and rotations', () => {
  it('SHR: as far as there are bits; a signed number keeps its sign', () => {
    results([
      ['x', 'SHR(IN := INT#16#3FAF, N := 3)', 0x07f5],
      ['x', 'SHR(IN := INT#-32768, N := 15)', -1],
      ['x', 'SHR(IN := INT#-32768, N := 20)', -1],
      ['x', 'SHR(IN := INT#32767, N := 16)', 0],
      ['u', 'SHR(IN := UINT#65535, N := 16)', 0],
      ['s', 'SHR(IN := SINT#-128, N := 1)', -64],
      ['di', 'SHR(IN := DINT#-5, N := 33)', -1],
      ['li', 'SHR(IN := LINT#-5, N := 65)', -1],
    ])
  })
  it('SHL: as far as there are bits', () => {
    results([
      ['w', 'SHL(IN := W#16#3FAF, N := 4)', 0xfaf0],
      ['w', 'SHL(IN := W#16#FFFF, N := 17)', 0],
      ['b', 'SHL(IN := BYTE#16#FF, N := 255)', 0],
      ['d', 'SHL(IN := DW#16#FFFFFFFF, N := 32)', 0],
      ['l', 'SHL(IN := LW#16#FF, N := 64)', 0],
    ])
  })
  it('ROR, ROL: by as many bits as N says', () => {
    results([
      ['w', 'ROR(IN := W#16#0F95, N := 5)', 0xa87c],
      ['b', 'ROR(IN := B#16#1, N := 9)', 0x80],
      ['w', 'ROL(IN := W#16#A8F6, N := 5)', 0x1ed5],
      ['d', 'ROL(IN := DW#16#80000001, N := 33)', 3],
    ])
  })
  it('N is an ULInt too', () => {
    const body = `#n := 16#2_0000_0000; #w := SHR(IN := W#16#FFFF, N := #n); #d := SHL(IN := DW#16#1, N := #n);
      #l := ROL(IN := LW#16#1, N := #n + 1); #n := 16#8000_0000_0000_0001; #li := SHR(IN := LINT#-1, N := #n);`
    assert.deepEqual(values(body, ['w', 'd', 'l', 'li']), { w: 0, d: 0, l: 2, li: -1 })
  })
})

describe('SCL of the help: selection', () => {
  it('MUX', () => {
    const mux = (k: number) => `MUX(K := ${k}, IN0 := DW#16#0, IN1 := DW#16#003E4A7D, INELSE := DW#16#FFFF0000)`
    results([
      ['d', mux(1), 0x3e4a7d],
      ['d', mux(4), 0xffff0000],
      ['d', mux(-1), 0xffff0000],
    ])
  })
  it('DEMUX: of a text', () => {
    for (const [k, wanted] of [
      [0, { t: 'abc', t2: 'old', q: 1 }],
      [1, { t: 'old', t2: 'abc', q: 1 }],
      [2, { t: 'old', t2: 'old', q: 0 }],
    ] as const) {
      const outputs = 'OUT0 => #t, OUT1 => #t2, ENO => #q'
      const body = `#t := 'old'; #t2 := 'old'; DEMUX(K := ${k}, IN := 'abc', ${outputs});`
      assert.deepEqual(values(body, ['t', 't2', 'q']), wanted)
    }
    assert.deepEqual(values("#t := 'abc'; DEMUX(K := 1, IN := #t, OUTELSE => #t2);", ['t2']), { t2: 'abc' })
  })
})

describe('SCL of the help: Variant', () => {
  const nothing = { value: -1, ok: 0, count: 0, counted: 0, isInt: 0, isArray: 0, hasInts: 0 }
  const pairs = { isPair: 0, hasPairs: 0, isNull: 0 }
  for (const [given, wanted] of [
    ['#y', { value: 5, ok: 1, isInt: 1, hasInts: 1 }],
    ['#list[3]', { value: 0, ok: 1, isInt: 1, hasInts: 1 }],
    ['#di', {}],
    // A Word has as many bits as an Int, and is none.
    ['#w', {}],
    ['#list', { count: 4, counted: 1, isArray: 1, hasInts: 1 }],
    ['#plane', { count: 12, counted: 1, isArray: 1, hasInts: 1 }],
    ['#bits', { count: 8, counted: 1, isArray: 1 }],
    ['#pair', { isPair: 1, hasPairs: 1 }],
    ['#pairs', { count: 3, counted: 1, isArray: 1, hasPairs: 1 }],
    ['NULL', { isNull: 1 }],
  ] as const)
    it(`VariantGet, CountOfElements, TypeOf, TypeOfElements, IS_ARRAY of ${given}`, () => {
      const all = { ...nothing, ...pairs, ...wanted }
      const names = Object.keys(all).map((name) => `seen.${name}`)
      const got = values(`#y := 5; #seen.value := -1; "Ask"(v := ${given}, seen := #seen);`, names)
      assert.deepEqual(Object.fromEntries(Object.entries(got).map(([name, one]) => [name.slice(5), one])), all)
    })
  it('VariantPut: nothing where the types are others', () => {
    const body = '#q := "Put"(#y); #bits[0] := "Put"(#di); #bits[1] := "Put"(#w);'
    const wanted = { q: 1, 'bits[0]': 0, 'bits[1]': 0, y: 77, di: 0, w: 0 }
    assert.deepEqual(values(body, Object.keys(wanted)), wanted)
  })
})

describe('SCL of the help: errors', () => {
  it('GET_ERR_ID: the first error since the last call; without one the operand stays', () => {
    const body = `#id := 16#55; #id := GET_ERR_ID(); #y := 9; #x := #list[#y] + 1; #list[#y] := 3; #w := GET_ERR_ID();`
    assert.deepEqual(values(body, ['id', 'x', 'w']), { id: 0x55, x: 1, w: 0x2522 })
  })
  it('GET_ERROR: what happens by default: 0 a write is left out, 1 a read gives 0', () => {
    const of = (path: string) => [`${path}.ERROR_ID`, `${path}.REACTION`, `${path}.CODE_ADDRESS.BLOCK_TYPE`]
    const body = `#y := 9; #list[#y] := 3; GET_ERROR(#e); #x := #list[#y] * 4 + 1; GET_ERROR(#f);`
    assert.deepEqual(Object.values(values(body, [...of('e'), ...of('f')])), [0x2523, 0, 3, 0x2522, 1, 3])
  })
})
