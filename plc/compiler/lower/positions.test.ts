/**
 * Every kind of operand at every place of SCL: whether it is accepted, and else what is told, each message once
 * (`plc/compiler/fixtures/tables/positions.txt`, testing/recorded-programs.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import { linkProgram } from '../../program/link-program.ts'
import { isAsRecorded, recordedTags } from '../../testing/recorded-programs.ts'
import { lowerBlock } from './lower-block.ts'

const head = `TYPE "Twin"
STRUCT
  first : Int;
  second : Real;
END_STRUCT;
END_TYPE
FUNCTION "Twice" : Int
VAR_INPUT
  n : Int;
END_VAR
VAR_OUTPUT
  out : Int;
END_VAR
VAR_IN_OUT
  both : Int;
  pair : "Twin";
END_VAR
BEGIN
#out := #n; #both := #pair.first; #Twice := 2 * #n;
END_FUNCTION
FUNCTION "Nothing" : Void
BEGIN
;
END_FUNCTION
FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  on : Bool;
END_VAR
VAR_OUTPUT
  runs : Bool;
END_VAR
BEGIN
#runs := #on;
END_FUNCTION_BLOCK
ORGANIZATION_BLOCK "Cycle"
BEGIN
;
END_ORGANIZATION_BLOCK
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
STRUCT
  n : Int;
  list : Array[1..3] of Int;
END_STRUCT;
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Motor_DB"
"Motor"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Pairs"
{ S7_Optimized_Access := 'TRUE' }
Array[0..3] of "Twin"
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  input : Int;
END_VAR
VAR_OUTPUT
  output : Int;
END_VAR
VAR_IN_OUT
  some : Variant;
  open : Array[*] of Int;
END_VAR
VAR
  int : Int; bool : Bool; real : Real; word : Word; time : Time; char : Char; text : String[10]; dtl : DTL;
  pair : "Twin"; own : Struct a : Int; b : Array[0..1] of Bool; END_STRUCT; list : Array[1..3] of Int;
  grid : Array[0..1, 0..2] of Int; texts : Array[0..1] of String[4]; motor : "Motor"; motors : Array[0..1] of "Motor";
  timer : TON_TIME; ref : REF_TO Int;
  target : Int; flag : Bool; level : Real; caption : String[10]; both : "Twin";
  all : Array[1..3] of Int; link : REF_TO Int; moment : LDT; size : UDInt; bits : Array[0..15] of Bool;
  bytes : Array[0..99] of Byte; position : DInt; pattern : Word;
END_VAR
VAR CONSTANT
  FIVE : Int := 5;
  WORDS : String := 'abc';
END_VAR
BEGIN
`

const listed = (text: string) => text.trim().split(/ {2,}|\n */)

const operands = listed(`
  5  -5  70000  1.5  TRUE  'a'  'abc'  T#5s  16#FF  INT#5  D#2024-01-31  NULL  #FIVE  #WORDS  LAST
  #input  #output  #int  #bool  #real  #word  #time  #char  #text  #dtl  #pair  #own  #list  #grid  #texts  #motor
  #motors  #timer  #ref  #ref^  #some  #open  #open[1]  #list[2]  #grid[1]  #list[#int]  #texts[0]  #text[1]  #motors[1]
  #motor.on  #timer.Q  #pair.first  #own.b  #word.%X1  #word.%B0  "Data"  "Data".n  "Data".list  "Motor_DB"
  "Motor_DB".runs  "Pairs"  "Pairs"[1]  "Pairs".THIS[1].first  "Pairs"[1].first  "Motor"  "Twice"  "Nothing"  "Cycle"
  "Main"  "Start"  "Speed"  "Delay_T"  "Pieces"  %MW4  %M1.0  %IW2:P  %QW2:P  REF(#int)  #int + 1  #bool AND TRUE
  (#real)  (#bool)  ABS(#int)  INT_TO_REAL(#int)  CONCAT(IN1 := #text, IN2 := #text)
`)

/** Operands that are wrong themselves: they are told so at each place, and nothing else is told of them. */
const wrong = listed(`
  "Data"[1]  "Data".nothing  "Pairs"[4]  "Twin"  "Nowhere"  "Nothing"()  #nothing  #Main  #int.first  #int[1]  #int^
  #some[1]  #motor.nothing  #pair.third  #list[0]  #list[1, 2]  #bool.%X0  #word.%X16  %DB1.DBW0  %MW20000
`)

const positions = listed(`
  #target := ⟨⟩;
  #flag := ⟨⟩;
  #level := ⟨⟩;
  #caption := ⟨⟩;
  #both := ⟨⟩;
  #all := ⟨⟩;
  #link := ⟨⟩;
  #some := ⟨⟩;
  ⟨⟩ := 5;
  ⟨⟩ := #target;
  ⟨⟩ := #flag;
  ⟨⟩ += 1;
  #link ?= ⟨⟩;
  ⟨⟩ ?= #link;
  #target := #list[⟨⟩];
  #target := ⟨⟩[1];
  #target := ⟨⟩.first;
  #flag := ⟨⟩.%X3;
  #target := ⟨⟩^;
  #target := -⟨⟩;
  #flag := NOT ⟨⟩;
  #level := ⟨⟩ * 2;
  #flag := ⟨⟩ = ⟨⟩;
  #flag := ⟨⟩ > 5;
  #flag := #both = ⟨⟩;
  #flag := ⟨⟩ = NULL;
  #level := ⟨⟩ ** 2;
  #flag := ⟨⟩ AND TRUE;
  #target := ⟨⟩ MOD 2;
  IF ⟨⟩ THEN ; END_IF;
  CASE ⟨⟩ OF 1: ; END_CASE;
  CASE #int OF ⟨⟩: ; END_CASE;
  CASE #int OF 1..⟨⟩: ; END_CASE;
  FOR ⟨⟩ := 1 TO 2 DO ; END_FOR;
  FOR #target := ⟨⟩ TO 9 DO ; END_FOR;
  FOR #target := 1 TO 9 BY ⟨⟩ DO ; END_FOR;
  WHILE ⟨⟩ DO EXIT; END_WHILE;
  REPEAT ; UNTIL ⟨⟩ END_REPEAT;
  "Twice"(n := ⟨⟩, both := #target, pair := #both);
  "Twice"(n := 1, both := ⟨⟩, pair := #both);
  "Twice"(n := 1, both := #target, pair := ⟨⟩);
  "Twice"(n := 1, both := #target, pair := #both, out => ⟨⟩);
  #motor(on := ⟨⟩);
  #motor(runs => ⟨⟩);
  #timer(IN := TRUE, PT := ⟨⟩);
  #timer(IN := TRUE, PT := T#1s, Q => ⟨⟩);
  ⟨⟩();
  ⟨⟩(on := TRUE);
  #link := REF(⟨⟩);
  #target := LEN(⟨⟩);
  #target := ABS(⟨⟩);
  #target := SEL(G := ⟨⟩, IN0 := 1, IN1 := 2);
  #target := UPPER_BOUND(ARR := ⟨⟩, DIM := 1);
  IF TypeOf(⟨⟩) = Int THEN #flag := TRUE; END_IF;
  INC(⟨⟩);
  ENO := ⟨⟩;
`)

/** Parameters of instructions that take more than a value of one type. */
const parameters = listed(`
  S_MOVE(IN := ⟨⟩, OUT => #caption);
  S_MOVE(IN := #caption, OUT => ⟨⟩);
  #caption := CONCAT(IN1 := #text, IN2 := ⟨⟩);
  #caption := LEFT(IN := #text, L := ⟨⟩);
  #target := STRING_TO_INT(⟨⟩);
  #caption := INT_TO_STRING(⟨⟩);
  #target := REAL_TO_INT(⟨⟩);
  #target := TO_INT(⟨⟩);
  STRG_VAL(IN := ⟨⟩, FORMAT := 0, P := 1, OUT => #target);
  STRG_VAL(IN := #text, FORMAT := 0, P := 1, OUT => ⟨⟩);
  VAL_STRG(IN := ⟨⟩, SIZE := 5, PREC := 0, FORMAT := 0, P := 1, OUT => #caption);
  S_CONV(IN := ⟨⟩, OUT => #caption);
  S_CONV(IN := #text, OUT => ⟨⟩);
  Strg_TO_Chars(Strg := #text, pChars := 0, Cnt => #target, Chars := ⟨⟩);
  #target := ATH(IN := #text, N := 2, RET_VAL => #target, OUT => ⟨⟩);
  T_CONV(IN := ⟨⟩, OUT => #moment);
  T_CONV(IN := #moment, OUT => ⟨⟩);
  #moment := T_ADD(IN1 := ⟨⟩, IN2 := T#1s);
  #moment := T_ADD(IN1 := #moment, IN2 := ⟨⟩);
  #target := RD_SYS_T(⟨⟩);
  #level := RUNTIME(⟨⟩);
  MOVE_BLK(IN := ⟨⟩, COUNT := 1, OUT => #all[1]);
  MOVE_BLK(IN := #list[1], COUNT := ⟨⟩, OUT => #all[1]);
  MOVE_BLK(IN := #list[1], COUNT := 1, OUT => ⟨⟩);
  FILL_BLK(IN := ⟨⟩, COUNT := 1, OUT => #all[1]);
  #target := MOVE_BLK_VARIANT(SRC := ⟨⟩, COUNT := 1, SRC_INDEX := 0, DEST_INDEX := 0, DEST => #all);
  #target := MOVE_BLK_VARIANT(SRC := #list, COUNT := 1, SRC_INDEX := 0, DEST_INDEX := 0, DEST => ⟨⟩);
  VariantGet(SRC := ⟨⟩, DST => #target);
  VariantGet(SRC := #some, DST => ⟨⟩);
  VariantPut(SRC := ⟨⟩, DST := #some);
  #size := CountOfElements(⟨⟩);
  #flag := IS_ARRAY(⟨⟩);
  IF TypeOfElements(⟨⟩) = Int THEN #flag := TRUE; END_IF;
  IF TypeOf(#some) = TypeOf(⟨⟩) THEN #flag := TRUE; END_IF;
  SCATTER(IN := ⟨⟩, OUT => #bits);
  SCATTER(IN := #word, OUT => ⟨⟩);
  #target := Serialize(SRC_VARIABLE := ⟨⟩, DEST_ARRAY => #bytes, POS := #position);
  #target := Deserialize(SRC_ARRAY := #bytes, DEST_VARIABLE => ⟨⟩, POS := #position);
  #pattern := SHL(IN := ⟨⟩, N := 1);
  #pattern := SHL(IN := #pattern, N := ⟨⟩);
  #pattern := SWAP(⟨⟩);
  #target := LIMIT(MN := 0, IN := ⟨⟩, MX := 9);
  #target := MUX(K := ⟨⟩, IN0 := 1, IN1 := 2);
  #target := SEL(G := #flag, IN0 := ⟨⟩, IN1 := 2);
  #target := PEEK_WORD(area := 16#84, dbNumber := ⟨⟩, byteOffset := 0);
  POKE(area := 16#83, dbNumber := 0, byteOffset := 0, value := ⟨⟩);
  #target := ATTACH(OB_NR := ⟨⟩, EVENT := 1);
  RESET_TIMER(⟨⟩);
  PRESET_TIMER(PT := ⟨⟩, TIMER := #timer);
  DEMUX(K := 0, IN := 5, OUT0 => ⟨⟩, OUTELSE => #target);
  #target := WRITE_BIG(SRC_VARIABLE := ⟨⟩, DEST_ARRAY => #bytes, POS := #position);
`)

interface Told {
  readonly line: number
  readonly text: string
}

/** What is told of each line of a body. */
function toldOf(body: string): Told[] {
  const { blocks, faults } = readSource(`${head}${body}\nEND_FUNCTION_BLOCK\n`)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [recordedTags],
  )
  const main = [...program.blocks.values()].find(({ name }) => name === 'Main')
  assert.ok(main)
  return lowerBlock(program, main).diagnostics.map(({ line = 0, severity, code, message, hint }) => ({
    line,
    text: `${code}${severity === 'error' ? '' : '!'} ${message}${hint === undefined ? '' : ` ${hint}`}`,
  }))
}

/** The small words of a message: those that differ in names, types and numbers only are one. */
const wordsOf = (text: string) =>
  text
    .replace(/Array\[.*?\] of/g, '')
    .split(' ')
    .filter((word, i) => i === 0 || /^[a-z]+[.,;:]?$/.test(word))
    .join(' ')

/** The codes of the lines of a body, and what is told of no line. */
function codesOf(told: readonly Told[], lines: number): readonly string[] {
  assert.deepEqual(
    told.filter(({ line }) => line > lines || line < 1),
    [],
  )
  return Array.from({ length: lines }, (_one, i) => {
    const of = told.filter(({ line }) => line === i + 1)
    return of.map(({ text }) => text.slice(0, text.indexOf(' '))).join(' ') || 'accepted'
  })
}

/** What is told of operands at places, then each message once. */
function tableOf(places: readonly string[]): string {
  const seen = new Set<string>()
  const messages: string[] = []
  const rows = places.flatMap((position) => {
    const lines = operands.map((operand) => position.replaceAll('⟨⟩', operand))
    const told = toldOf(lines.join('\n'))
    const groups = new Map<string, string[]>()
    for (const [i, codes] of codesOf(told, lines.length).entries())
      groups.set(codes, [...(groups.get(codes) ?? []), operands[i] as string])
    for (const { line, text } of told) {
      const words = wordsOf(text)
      if (!seen.has(words)) messages.push(lines[line - 1] as string, `  ${text}`)
      seen.add(words)
    }
    return [position, ...[...groups].map(([answer, of]) => `  ${answer}: ${of.join('  ')}`)]
  })
  return `${[...rows, '', ...messages].join('\n')}\n`
}

test('operands at each place: what is told of them, and each message once', () => {
  isAsRecorded('tables/positions.txt', tableOf(positions))
})

test('operands at the parameters of instructions', () => {
  isAsRecorded('tables/parameters.txt', tableOf(parameters))
})

test('an operand that is wrong itself is told once at each place, and nothing else of it', () => {
  const own = codesOf(toldOf(wrong.map((operand) => `#target := ${operand};`).join('\n')), wrong.length)
  for (const position of [...positions, ...parameters].filter((one) => !/= ⟨⟩ = |⟨⟩:/.test(one))) {
    const told = toldOf(wrong.map((operand) => position.replaceAll('⟨⟩', operand)).join('\n'))
    assert.deepEqual(codesOf(told, wrong.length), own, position)
  }
})

test('a call is refused or does something: no assignment is dropped in silence', () => {
  const calls = listed(`
    #target := TO_INT('abc');  #target := ROUND('abc');  #target := TRUNC(#WORDS);  #target := CEIL('a');
    #pattern := SWAP('abc');  #caption := INT_TO_STRING('abc');  #caption := INT_TO_STRING(#text);
    DEMUX(K := 0, IN := 'abc', OUT0 => #target, OUTELSE => #target);  #target := ABS(IN => #int);
    #pattern := SHL(IN := #word, N => #int);  #target := LIMIT(MN := 0, IN => #int, MX := 9);
  `)
  assert.deepEqual(codesOf(toldOf(calls.join('\n')), calls.length), [
    ...['no-scalar', 'no-scalar', 'no-scalar', 'no-scalar', 'no-scalar', 'constant-does-not-fit', 'no-scalar'],
    ...['constant-does-not-fit', 'parameter-direction', 'parameter-direction', 'parameter-direction'],
  ])
})
