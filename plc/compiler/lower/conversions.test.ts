/** Values that convert to smaller types implicitly (TIA Portal help, "Implicit conversion of …" for S7-1500). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const main = (body: string, check = false) =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE'; S7_IECCheck := '${check ? 'TRUE' : 'FALSE'}' }
VAR
  i : Int; d : DInt := 70000; s : SInt; b : Byte; w : Word := 16#1234; c : Char; r : Real; l : LReal := 1.1;
  x : LInt := -1; u : ULInt; n : DInt; ok : Bool; minus : Int := -1;
END_VAR
BEGIN
${body}
END_FUNCTION_BLOCK
`

const told = (body: string, check = false) =>
  diagnosticsOf(main(body, check)).map(({ severity, code }) => `${severity} ${code}`)

test('without IEC check a number goes into a smaller type; what does not fit is cut off, with a warning', () => {
  const run = runSource(main('#i := #d; #s := #d; #b := #minus; #c := #w; #r := #l; #u := #minus;'))
  run.scan()
  assert.deepEqual(
    ['i', 's', 'b', 'c', 'r', 'u'].map((name) => run.bits(name)),
    [70000n & 0xffffn, 70000n & 0xffn, 0xffn, 0x34n, 0x3f8ccccdn, 0xffff_ffff_ffff_ffffn],
  )
  assert.deepEqual(told('#i := #d;'), ['warning lossy-conversion'])
  assert.deepEqual(told('#i := #d;', true), ['error type-mismatch'])
})

test('the borders of FOR too', () => {
  const body = '#d := 3; FOR #i := 1 TO #d DO #n += 10; END_FOR;'
  const run = runSource(main(body))
  run.scan()
  assert.equal(run.get('n'), 30)
  assert.deepEqual(told(body), ['warning lossy-conversion'])
})

test('a bit string beside a real counts as the unsigned number that it is', () => {
  const run = runSource(main('#r := #w * 0.5; #l := #w + #r; #ok := #w > 1.5;'))
  run.scan()
  assert.deepEqual([run.get('r'), run.get('l'), run.get('ok')], [0x1234 / 2, 0x1234 * 1.5, 1])
  assert.deepEqual(told('#r := #w * 0.5;', true), ['error wrong-operand'])
})

test('a whole number and a duration: a duration', () => {
  const source = main('#d := 1500; #d := #d - #t; #t := 100 + #t;').replace('VAR', 'VAR t : Time := T#1s;')
  const run = runSource(source)
  run.scan()
  assert.deepEqual([run.get('d'), run.get('t')], [500, 1100])
})

test('a real is no whole number, and no truth value or text comes of a number', () => {
  assert.deepEqual(told('#i := #r;'), ['error type-mismatch'])
  assert.deepEqual(told('#w := #r;'), ['error type-mismatch'])
  assert.deepEqual(told('#r := #w;'), ['error type-mismatch'])
  assert.deepEqual(told('#ok := #i;'), ['error type-mismatch'])
})

test('ROUND_REAL and its like round a real to a whole real; halves to the even neighbour', () => {
  const body = `#r := 10.5; #back := ROUND_REAL(#r); #up := CEIL_REAL(#r); #down := FLOOR_LREAL(-#l);
    #l := -11.5; #even := ROUND_LREAL(#l); #cut := TRUNC_REAL(#l);
    #ok := TRUE; #r := 1.0 / #zero; #even2 := ROUND_REAL(#r); #ok := ENO;`
  const source = main(body)
    .replace('VAR', 'VAR back : Real; up : Real; down : LReal; even : LReal; cut : Real; even2 : Real; zero : Real;')
    .replace("S7_IECCheck := 'FALSE'", "S7_IECCheck := 'FALSE'; S7_SetENOAutomatically := 'TRUE'")
  const run = runSource(source)
  run.scan()
  assert.deepEqual(
    ['back', 'up', 'down', 'even', 'cut', 'even2', 'ok'].map((name) => run.get(name)),
    [10, 11, -2, -12, -11, Number.POSITIVE_INFINITY, 0],
  )
  assert.deepEqual(told('#w := ROUND_WORD(#w);'), ['error no-conversion'])
})

test('an S5 time is no number: nothing is calculated with it, and no integer becomes one', () => {
  const timed = (body: string) => diagnosticsOf(main(body).replace('VAR', 'VAR t : S5Time;')).map(({ code }) => code)
  assert.deepEqual(timed('#i := #t;'), ['type-mismatch'])
  assert.deepEqual(timed('#t := -#t;'), ['wrong-operand'])
  assert.deepEqual(timed('#w := #t; #t := #w;'), [])
})

test('without IEC check an operation accepts a bit string beside a duration on either side', () => {
  const timed = (body: string) =>
    diagnosticsOf(main(body).replace('VAR', 'VAR t : Time; p : DWord;')).map(({ code }) => code)
  assert.deepEqual(timed('#p := #p + #t;'), [])
  assert.deepEqual(timed('#p := #t + #p;'), [])
})

test('without IEC check characters and points in time are the numbers of their units', () => {
  const members = `k : Char := 'A'; wide : WChar := WCHAR#'B'; day : Date := D#1990-01-11; t : Time := T#5s;
  tod : Time_Of_Day := TOD#0:0:1; ldt : LDT; lt : LTime; m : UDInt;`
  const source = (body: string, check = false) => main(body, check).replace('VAR\n', `VAR\n${members}\n`)
  const run = runSource(source('#i := #k; #b := #wide; #n := #tod; #m := #tod; #ldt := #x; #lt := #ldt; #t := #tod;'))
  run.scan()
  assert.deepEqual(
    ['i', 'b', 'n', 'm', 't', 'lt'].map((name) => run.bits(name)),
    [65n, 0x42n, 1000n, 1000n, 1000n, 0xffff_ffff_ffff_ffffn],
  )
  for (const body of ['#i := #k;', '#i := #day;', '#day := #i;', '#n := #tod;', '#ldt := #x;', '#t := #tod;']) {
    const codes = (check: boolean) => diagnosticsOf(source(body, check)).map(({ code }) => code)
    assert.deepEqual([codes(false), codes(true)], [[], ['type-mismatch']], body)
  }
})

test('S5Times are compared as durations, with each other, with a Time and with a Word', () => {
  const members = 'a : S5Time; t : Time := T#2s; p : Bool; q : Bool; lesser : Bool;'
  const body = '#w := 16#1020; #a := #w; #ok := #a = S5T#2s; #p := #a = #t; #w := 16#0200; #q := #w = #a;'
  const run = runSource(`${main(`${body} #lesser := #a < S5T#3s;`).replace('VAR\n', `VAR\n${members}\n`)}`)
  run.scan()
  assert.deepEqual(
    ['ok', 'p', 'q', 'lesser'].map((name) => run.bits(name)),
    [1n, 1n, 1n, 1n],
  )
})

test('a text where a number is wanted: the hint names the conversion', () => {
  const source = main('#i := #text;\n#r := #wide;\n#ok := #text;').replace(
    'VAR\n',
    'VAR text : String; wide : WString;\n',
  )
  assert.deepEqual(
    diagnosticsOf(source).map(({ code, hint }) => `${code} ${hint}`),
    [
      'no-scalar Convert it: STRING_TO_INT(#text).',
      'no-scalar Convert it: WSTRING_TO_REAL(#wide).',
      'no-scalar undefined',
    ],
  )
})

test('the hint of a refused assignment is accepted when it is followed, for every pair of types', () => {
  const numbers = 'Byte Word DWord LWord SInt Int DInt LInt USInt UInt UDInt ULInt Real LReal'
  const types = `Bool ${numbers} Time LTime S5Time Date Time_Of_Day LTime_Of_Day LDT DT DTL Char WChar`.split(' ')
  const pairs = types.flatMap((from) => types.flatMap((to) => (from === to ? [] : [{ from, to }])))
  const members = types.map((type) => `a${type} : ${type}; b${type} : ${type};`)
  const head = ['FUNCTION_BLOCK "Main"', "{ S7_IECCheck := 'TRUE' }", 'VAR', ...members, 'END_VAR', 'BEGIN']
  const told = (lines: readonly string[]) =>
    diagnosticsOf(`${[...head, ...lines].join('\n')}\nEND_FUNCTION_BLOCK\n`).filter(
      ({ severity }) => severity === 'error',
    )
  const refused = told(pairs.map(({ from, to }) => `#b${to} := #a${from};`))
  assert.equal(new Set(refused.map(({ line }) => line)).size, refused.length, 'each is told once')
  const lines: string[] = []
  const without = new Map<string, string[]>()
  for (const { line = 0, hint = '' } of refused) {
    const { from, to } = pairs[line - 1] as (typeof pairs)[number]
    const way = /^(?:Convert it:|Compare it, e\.g\.) (.*?)\.?$/.exec(hint)?.[1]
    if (way === undefined) without.set(from, [...(without.get(from) ?? []), to])
    else lines.push(`#b${to} := ${way};`)
  }
  assert.deepEqual(
    told(lines).map(({ line = 0, message }) => `${lines[line - 1]} ${message}`),
    [],
  )
  // Of the others no conversion exists, nor one by way of a whole number of the same size.
  const groups = new Map<string, string[]>()
  for (const [from, of] of without) groups.set(of.join(' '), [...(groups.get(of.join(' ')) ?? []), from])
  const counts = 'SInt Int DInt LInt USInt UInt UDInt ULInt'
  assert.deepEqual(
    [...groups].map(([of, from]) => `${from.join(' ')}: ${of}`),
    [
      `Bool ${counts} Real LReal: S5Time DT DTL`,
      'Byte Word DWord LWord: DT DTL',
      'Time: Bool Date LDT DT DTL',
      'LTime: Bool Date DT DTL',
      `S5Time: Bool ${counts} Real LReal Date LDT DT DTL Char WChar`,
      'Date: Bool Time LTime S5Time',
      'Time_Of_Day LTime_Of_Day: Bool Date',
      'LDT: Bool Time S5Time',
      `DT DTL: Bool ${numbers} Time LTime S5Time Char WChar`,
      'Char WChar: Bool S5Time DT DTL',
    ],
  )
  for (const line of [
    '#bReal := UINT_TO_REAL(WORD_TO_UINT(#aWord));',
    '#bWord := UINT_TO_WORD(REAL_TO_UINT(#aReal));',
    '#bTime := DINT_TO_TIME(REAL_TO_DINT(#aReal));',
    '#bDTL := LDT_TO_DTL(#aLDT);',
    '#bDate := DTL_TO_DATE(#aDTL);',
    '#bBool := #aInt <> 0;',
  ])
    assert.ok(lines.includes(line), line)
})
