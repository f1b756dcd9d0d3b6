import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { damagedSource } from '../../testing/damage.ts'
import { formatScl } from './format.ts'
import { parseScl } from './parser.ts'

const given = `function_block "Motor"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
VAR_INPUT
start:Bool;// go
speed : Int:=-5;  // rpm
cfg : Struct
a:Int;
list:Array[0..9] of Real;
End_struct;
END_VAR
VAR CONSTANT
RUN:Int:=1;
END_VAR


begin

// first
region  Control
if #start and not(#speed>-3) then
#x:=#y+-1;
// the other branch
elsif (#a) OR #b THEN
#timer(IN:=#start,
PT:=T#5s,
Q=>#done);
#box(
a:=1,
b:=2
);
ELSE
case #state of
// the label
1,3..5:
#a[1]:=2;   #b:=3;
#RUN: #c:=#d**2;  // power
else
;
end_case;
end_if;
for #i:=0 to 10 by 2 do
#s:=#s+#list[#i]
+#other;
end_for;
repeat
#n+=1;
until #n>5
end_repeat;
end_region
"DB".begin:="fn"(a:=#b,c:=(#d and #e));
%QX0.0:P:=TRUE;
again:
goto again;
END_FUNCTION_BLOCK
`

const wanted = `FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
    VAR_INPUT
        start : Bool;       // go
        speed : Int := -5;  // rpm
        cfg : Struct
            a : Int;
            list : Array[0..9] of Real;
        END_STRUCT;
    END_VAR
    VAR CONSTANT
        RUN : Int := 1;
    END_VAR

BEGIN

    // first
    REGION Control
        IF #start AND NOT (#speed > -3) THEN
            #x := #y + -1;
        // the other branch
        ELSIF (#a) OR #b THEN
            #timer(IN := #start,
                   PT := T#5s,
                   Q => #done);
            #box(
                a := 1,
                b := 2
            );
        ELSE
            CASE #state OF
                // the label
                1, 3..5:
                    #a[1] := 2; #b := 3;
                #RUN: #c := #d ** 2;  // power
                ELSE
                    ;
            END_CASE;
        END_IF;
        FOR #i := 0 TO 10 BY 2 DO
            #s := #s + #list[#i]
                + #other;
        END_FOR;
        REPEAT
            #n += 1;
        UNTIL #n > 5
        END_REPEAT;
    END_REGION
    "DB".begin := "fn"(a := #b, c := (#d AND #e));
    %QX0.0:P := TRUE;
    again:
    GOTO again;
END_FUNCTION_BLOCK
`

test('structure gives the indentation; blanks, keywords and comments have one form', () => {
  const { text, changed, faults } = formatScl(given)
  assert.equal(text, wanted)
  assert.deepEqual([changed, faults], [true, []])
  assert.deepEqual(formatScl(text), { text, changed: false, faults: [] })
  const tabs = formatScl(given, { indent: 0, keywords: 'keep' }).text
  assert.match(tabs, /^\t\tif #start and not \(#speed > -3\) then$/m)
  assert.equal(formatScl(tabs, { indent: 0, keywords: 'keep' }).changed, false)
})

test('types, data blocks, several blocks in a file; line breaks of Windows stay', () => {
  const text =
    'TYPE "T"\r\nVERSION : 0.1\r\nSTRUCT\r\na:Int;\r\nEND_STRUCT;\r\nEND_TYPE\r\n\r\n\r\n\r\nDATA_BLOCK "D"\r\nVERSION : 0.1\r\n"T"\r\nBEGIN\r\na:=5;\r\nEND_DATA_BLOCK\r\n'
  assert.equal(
    formatScl(text).text,
    'TYPE "T"\r\nVERSION : 0.1\r\n    STRUCT\r\n        a : Int;\r\n    END_STRUCT;\r\nEND_TYPE\r\n\r\nDATA_BLOCK "D"\r\nVERSION : 0.1\r\n"T"\r\nBEGIN\r\n    a := 5;\r\nEND_DATA_BLOCK\r\n',
  )
})

test('comments of several lines, texts and statement lists stay as they are', () => {
  const comment = '(* first\n   second *)'
  assert.match(
    formatScl(`FUNCTION "A" : Void\nBEGIN\n${comment}\n#a:='if  b';\nEND_FUNCTION\n`).text,
    /\(\* first\n {3}second \*\)\n {4}#a := 'if {2}b';/,
  )
  const list =
    'FUNCTION "A" : Void\nVAR_TEMP\nx:Int;\nEND_VAR\nBEGIN\nNETWORK\nTITLE = a   b\n      L  1;\n      T     #x;\nEND_FUNCTION\n'
  assert.match(formatScl(list).text, /^NETWORK\nTITLE = a {3}b\n {6}L {2}1;\n {6}T {5}#x;\nEND_FUNCTION$/m)
})

test('a text that cannot be read stays, with the place', () => {
  const text = 'FUNCTION "A" : Void\nBEGIN\n  #a := \'open;\nEND_FUNCTION\n'
  const { faults, ...rest } = formatScl(text)
  assert.deepEqual(rest, { text, changed: false })
  assert.deepEqual([faults[0]?.line, faults[0]?.column], [3, 9])
  assert.equal(formatScl('').text, '')
})

test('statements alone, as an editor has them', () => {
  assert.equal(formatScl('if #a then\n#b:=1;\nend_if;').text, 'IF #a THEN\n    #b := 1;\nEND_IF;\n')
})

test('a text with one wrong word: formatted once is formatted, and no word is another', () => {
  const words = (text: string) => text.replace(/\s+/g, '').toUpperCase()
  for (const { what, text } of damagedSource(given)) {
    const { text: once, faults } = formatScl(text)
    if (faults.length > 0) continue
    assert.equal(words(once), words(text), what)
    assert.equal(formatScl(once).text, once, what)
  }
})

test('any two words stay two words', () => {
  const names = '#a "b" c 1 2.5 16#FF T#5s %M0.0 TRUE %X3 IF END_IF NOT OF REGION VAR {x} (*c*) /*c*/'
  const signs = '( ) [ ] . , ; : := += -= *= /= => ?= .. + - * / ** & = <> < <= > >= ^ :P # % @ ? ! $ ~'
  const words = `${names} ${signs}`.split(' ')
  for (const left of words)
    for (const right of words) {
      const { text, faults } = formatScl(`${left} ${right}`)
      if (faults.length === 0) assert.equal(formatScl(text).text, text, `${left} ${right}`)
    }
})

test('ends, branches and sections without what they belong to', () => {
  const levels = (text: string) =>
    formatScl(text)
      .text.trimEnd()
      .split('\n')
      .map((line) => line.replace(/^ */, (blanks) => `${blanks.length / 4} `))
  const cases: readonly (readonly [string, string])[] = [
    ['END_IF;\n#a := 1;', '0 END_IF; | 0 #a := 1;'],
    ['ELSE\n#a := 1;', '0 ELSE | 0 #a := 1;'],
    ['ELSIF #a THEN\n#b := 1;', '0 ELSIF #a THEN | 0 #b := 1;'],
    ['UNTIL #a\nEND_REPEAT;\n#b := 1;', '0 UNTIL #a | 0 END_REPEAT; | 0 #b := 1;'],
    ['END_CASE;\n#a := 1;', '0 END_CASE; | 0 #a := 1;'],
    [
      'IF #a THEN\nELSE\n#b := 1;\nELSE\n#c := 1;\nEND_IF;\nEND_IF;\n#d := 1;',
      '0 IF #a THEN | 0 ELSE | 1 #b := 1; | 0 ELSE | 1 #c := 1; | 0 END_IF; | 0 END_IF; | 0 #d := 1;',
    ],
    [
      'CASE #a OF\n1: #b := 1;\nELSE\n#c := 1;\nEND_CASE;\n#d := 1;',
      '0 CASE #a OF | 1 1: #b := 1; | 1 ELSE | 2 #c := 1; | 0 END_CASE; | 0 #d := 1;',
    ],
    [
      'CASE #a OF\n1:\nIF #x THEN\n2: #b := 1;\nEND_CASE;\n#d := 1;',
      '0 CASE #a OF | 1 1: | 2 IF #x THEN | 3 2: #b := 1; | 2 END_CASE; | 2 #d := 1;',
    ],
    ['END_VAR\nBEGIN\n#a := 1;\nEND_FUNCTION', '0 END_VAR | 0 BEGIN | 0 #a := 1; | 0 END_FUNCTION'],
    [
      'FUNCTION "A" : Void\nVAR\na : Struct\nb : Int;\nEND_VAR\nBEGIN\n#a := 1;\nEND_FUNCTION',
      '0 FUNCTION "A" : Void | 1 VAR | 2 a : Struct | 3 b : Int; | 2 END_VAR | 0 BEGIN | 2 #a := 1; | 0 END_FUNCTION',
    ],
    [
      'TYPE "T"\nSTRUCT\na : Int;\nEND_TYPE\nTYPE "U"\nSTRUCT\nb : Int;\nEND_STRUCT;\nEND_TYPE',
      '0 TYPE "T" | 1 STRUCT | 2 a : Int; | 0 END_TYPE | 0 TYPE "U" | 1 STRUCT | 2 b : Int; | 1 END_STRUCT; | 0 END_TYPE',
    ],
    [
      'REGION a\n#b := 1;\nEND_REGION\nEND_REGION\n#c := 1;',
      '0 REGION a | 1 #b := 1; | 0 END_REGION | 0 END_REGION | 0 #c := 1;',
    ],
    [
      'FOR #i := 1 TO 2 DO\nWHILE #a DO\n#b := 1;\nEND_FOR;\n#c := 1;',
      '0 FOR #i := 1 TO 2 DO | 1 WHILE #a DO | 2 #b := 1; | 1 END_FOR; | 1 #c := 1;',
    ],
    ['"F"(a := 1,\nb := 2);\n#c := 1;', '0 "F"(a := 1, | 1 b := 2); | 0 #c := 1;'],
    ['"F"(a := 1,\nb := (2 +\n3\n#c := 1;', '0 "F"(a := 1, | 1 b := (2 + | 2.5 3 | 2.5 #c := 1;'],
    [')\n#a := 1;\n]', '0 ) | 0 #a := 1; | 0 ]'],
    ['BEGIN\nBEGIN\n#a := 1;', '0 BEGIN | 0 BEGIN | 0 #a := 1;'],
    [
      'FUNCTION_BLOCK "A"\nVAR\nretain : Int;\nEND_VAR\nVAR RETAIN\nx : Int;\nEND_VAR\nBEGIN\n#x.end_if := 1;\n#y := 2;\nEND_FUNCTION_BLOCK',
      '0 FUNCTION_BLOCK "A" | 1 VAR | 2 retain : Int; | 1 END_VAR | 1 VAR RETAIN | 2 x : Int; | 1 END_VAR | 0 BEGIN | 1 #x.end_if := 1; | 1 #y := 2; | 0 END_FUNCTION_BLOCK',
    ],
  ]
  for (const [text, expected] of cases) assert.equal(levels(text).join(' | '), expected, text)
})

test('what nests without end, or is one line, takes time and room in line with its length', () => {
  const deep = `${'if #a then\n'.repeat(20_000)}${'x(\n'.repeat(20_000)}`
  const { text } = formatScl(deep)
  assert.ok(text.length < 40_000 * 250, `${text.length} characters for 40 000 lines`)
  assert.equal(formatScl(text).changed, false)
  assert.equal(formatScl('#a := #b + 1; '.repeat(50_000)).changed, true)
  assert.equal(formatScl(`${'#a := 1; // one\n'.repeat(200_000)}`).faults.length, 0)
  assert.equal(formatScl('?'.repeat(100_000)).faults.length, 100, 'the lexer reports the first hundred')
})

/** All sources of the corpus. */
function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(scl|db|udt)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

test('sources of the corpus: formatted once is formatted, and the statements are the same', () => {
  const files = sources(fileURLToPath(new URL('../../../test/corpus', import.meta.url)))
  assert.ok(files.length > 20, `only ${files.length} sources`)
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
    const { text: formatted, faults } = formatScl(text)
    if (faults.length > 0) continue
    assert.equal(formatScl(formatted).changed, false, file)
    assert.ok(meaningOf(formatted) === meaningOf(text), file)
  }
})

/** The syntax trees of the bodies, without places and numbers of tokens. */
function meaningOf(text: string): string {
  const bodies = text.split(/^\s*BEGIN\b/im).slice(1)
  const trees = bodies.map(
    (body) => parseScl(body.split(/^\s*END_(?:FUNCTION|ORGANIZATION|DATA)/im)[0] as string).tree.statements,
  )
  return JSON.stringify(trees, (_, value: unknown) => (typeof value === 'number' ? undefined : value))
}
