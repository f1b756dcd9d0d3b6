/** Parameters with an overlay (AT): of functions and function blocks, passed by value and by address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const main = (declarations: string, body: string) =>
  `FUNCTION_BLOCK "Main"\nVAR ${declarations} END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

function after(source: string, ...names: string[]): unknown[] {
  const run = runSource(source)
  run.scan()
  return names.map((name) => run.get(name))
}

test('an overlay of an input of a function is no parameter, and shows the bytes of a standard block', () => {
  const source = `FUNCTION "Low" : Byte
VAR_INPUT w : Word; bytes AT w : Array[0..1] of Byte; END_VAR
BEGIN
#Low := #bytes[1];
END_FUNCTION
`
  assert.deepEqual(
    after(source + main('a : Byte; b : Byte;', '#a := "Low"(w := 16#1234); #b := "Low"(16#5678);'), 'a', 'b'),
    [0x34, 0x78],
  )
})

test('outputs and in-outs leave a function as their overlays made them, also by RETURN', () => {
  const source = `FUNCTION "Bits" : Void
VAR_INPUT early : Bool; END_VAR
VAR_OUTPUT status : Word; bits AT status : Array[0..15] of Bool; END_VAR
VAR_IN_OUT both : DWord; parts AT both : Struct high : Word; low : Word; END_STRUCT; END_VAR
BEGIN
#bits[0] := TRUE;
#parts.high := #parts.low;
IF #early THEN RETURN; END_IF;
#bits[8] := TRUE;
#parts.low := 16#AAAA;
END_FUNCTION
`
  const body =
    '#d := 16#01020304; #e := #d; "Bits"(early := TRUE, status => #s, both := #d); "Bits"(early := FALSE, status => #t, both := #e);'
  // Bit 0 of the array is bit 0 of the first byte, the high one of a word.
  assert.deepEqual(
    after(source + main('s : Word; t : Word; d : DWord; e : DWord;', body), 's', 't', 'd', 'e'),
    [0x0100, 0x0101, 0x03040304, 0x0304aaaa],
  )
})

test('what is given by address is shown where it is', () => {
  const source = `TYPE "Two"
STRUCT x : Int; y : Int; END_STRUCT;
END_TYPE
FUNCTION "Sum" : Int
VAR_IN_OUT two : "Two"; list AT two : Array[1..2] of Int; END_VAR
VAR_INPUT text : String[4]; raw AT text : Array[0..5] of Byte; END_VAR
BEGIN
#list[2] += 1;
#Sum := #list[1] + #list[2] + BYTE_TO_INT(#raw[1]);
END_FUNCTION
FUNCTION_BLOCK "Twice"
VAR_IN_OUT two : "Two"; list AT two : Array[1..2] of Int; first AT two : Int; n : Word; half AT n : Array[0..1] of Byte; END_VAR
BEGIN
#list[2] := #list[2] * 2;
#first := #first + 100;
#half[1] := 16#FF;
END_FUNCTION_BLOCK
`
  const declarations = `t : "Two"; sum : Int; b : "Twice"; n : Word; s : String[4];`
  const body = `#t.x := 1; #t.y := 2; #s := 'abc'; #sum := "Sum"(two := #t, text := #s); #b(two := #t, n := #n);`
  assert.deepEqual(after(source + main(declarations, body), 'sum', 't.x', 't.y', 'n'), [7, 101, 6, 0xff])
})

test('inputs stay what the caller gave; assigning them is warned of', () => {
  const source = `FUNCTION "Low" : Byte
VAR_INPUT w : Word; bytes AT w : Array[0..1] of Byte; END_VAR
BEGIN
#bytes[0] := 1; #Low := #bytes[0];
END_FUNCTION
`
  assert.deepEqual(
    after(source + main('w : Word; a : Byte;', '#w := 16#1234; #a := "Low"(#w);'), 'w', 'a'),
    [0x1234, 1],
  )
  assert.deepEqual(
    diagnosticsOf(source).map(({ code, severity }) => `${code} ${severity}`),
    ['input-assigned warning'],
  )
})
