import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { show } from '../../testing/scl-text.ts'
import { forEachOperand } from './operands.ts'
import { parseScl } from './parser.ts'
import { sourceOf } from './syntax.ts'

/** Statements of a text without faults. */
function read(text: string): string[] {
  const { tree, diagnostics } = parseScl(text)
  assert.deepEqual(diagnostics, [], text)
  return tree.statements.map((statement) => show(tree.tokens, statement))
}

const expression = (text: string) => read(`x := ${text};`)[0]?.replace(/^x := /, '')

test('operators bind as in the table of the S7-1200 manual, equal ones from left to right', () => {
  const cases: [string, string][] = [
    ['a + b * c', '(a + (b * c))'],
    ['a - b - c', '((a - b) - c)'],
    ['2 ** 3 ** 2', '((2 ** 3) ** 2)'],
    ['-2 ** 2', '(- (2 ** 2))'],
    ['2 ** -1 * 3', '((2 ** (- 1)) * 3)'],
    ['NOT a AND b', '((NOT a) AND b)'],
    ['NOT a = b', '((NOT a) = b)'],
    ['a OR b AND c XOR d', '(a OR ((b AND c) XOR d))'],
    ['a & b OR c', '((a AND b) OR c)'],
    // `=` and `<>` bind looser than the other comparisons.
    ['a = b < c', '(a = (b < c))'],
    ['a < b = c > d', '((a < b) = (c > d))'],
    ['a + 1 >= b MOD 2 AND NOT c', '(((a + 1) >= (b MOD 2)) AND (NOT c))'],
    ['(a + b) * c', '((a + b) * c)'],
    ['a DIV 2 / 3', '((a DIV 2) / 3)'],
    ['- - a', '(- (- a))'],
  ]
  for (const [text, wanted] of cases) assert.equal(expression(text), wanted, text)
})

test('operands: names, members, indices, slices, addresses, references', () => {
  for (const text of [
    '#x',
    '"DB".a[#i, 2].b.%X3',
    '#"x y"."z w"',
    '%MW10',
    '%DB1.DBX0.0',
    '#arr[1][2].c',
    '#ref^.x',
    '#ref^[3]^',
    'THIS[#i]',
    '_.ns.X.member',
    '"DB".%B2',
    '#w.%X15',
    '"DB".DBX2.3',
    'I0.0',
  ])
    assert.equal(
      expression(text),
      text
        .replaceAll('"z w"', 'z w')
        .replace('."DB"', '.DB')
        .replace(/^(.+)$/, '$1'),
      text,
    )
  assert.equal(expression('"in":P'), '"in":P')
  assert.equal(expression('%IW64:P'), '%IW64:P')
  assert.equal(expression('REF(#x)'), 'REF<#x>')
  assert.equal(expression('_.ns.Colour#RED'), '_.ns.Colour#RED')
})

test('literals are one token each', () => {
  for (const text of [
    '5',
    '16#FF',
    '1.5e-3',
    'TRUE',
    "'it$'s'",
    "WSTRING#'x'",
    'T#1h_2m',
    'DT#2024-01-01-12:00:00.5',
    'P#M0.0 BYTE 4',
    '"colour"#RED',
  ])
    assert.equal(expression(text), text)
})

test('calls: functions, blocks, instances, methods, every form of argument', () => {
  assert.deepEqual(
    read(
      '"FC"(1, #a + 2); "DB".FB(in := #x, out => #y); #inst(); #inst.m(a := 1).b(2); #a[1](EN := #e, ENO => #o);' +
        ' "T".TON{time_type := \'Time\'}(IN := , PT := T#5s, Q => ); "F"("par 1" := 1, TO := 2);',
    ),
    [
      '"FC"<1, (#a + 2)>',
      '"DB".FB<in := #x, out => #y>',
      '#inst<>',
      '#inst.m<a := 1>.b<2>',
      '#a[1]<EN := #e, ENO => #o>',
      '"T".TON<IN :=, PT := T#5s, Q =>>',
      '"F"<par 1 := 1, TO := 2>',
    ],
  )
  assert.equal(expression('MAX(IN1 := ABS(#a), IN2 := -#b)'), 'MAX<IN1 := ABS<#a>, IN2 := (- #b)>')
  assert.equal(expression('DIV(20, 4) + MOD(7, 2)'), '(DIV<20, 4> + MOD<7, 2>)')
  const { tree } = parseScl("#t.TON{time_type := 'Time'}(IN := 1);")
  const [statement] = tree.statements
  assert.ok(statement?.kind === 'callStatement')
  assert.equal(
    sourceOf(tree.tokens, { start: statement.call.pragma, end: statement.call.pragma + 1 }),
    "{time_type := 'Time'}",
  )
})

test('assignments: compound, attempted, several targets', () => {
  assert.deepEqual(read('a += 1; a -= 1; a *= 2; a /= 2; a ?= v; a := b := c + 1; a := b = c;'), [
    'a += 1',
    'a -= 1',
    'a *= 2',
    'a /= 2',
    'a ?= v',
    'a := b := (c + 1)',
    'a := (b = c)',
  ])
})

test('control statements', () => {
  assert.deepEqual(
    read(`IF #a THEN x := 1; ELSIF #b THEN x := 2; ELSIF #c THEN ELSE x := 3; END_IF;
      FOR #i := 1 TO 10 BY -1 DO EXIT; END_FOR;
      FOR #i := 0 TO #n DO CONTINUE; END_FOR;
      WHILE #a DO ; END_WHILE;
      REPEAT x := 1; UNTIL #a END_REPEAT;
      REPEAT x := 1; UNTIL #a; END_REPEAT;
      GOTO done;
      done: RETURN;`),
    [
      'if #a {x := 1} elsif #b {x := 2} elsif #c {} else {x := 3}',
      'for #i 1 10 (- 1) {exit}',
      'for #i 0 #n - {continue}',
      'while #a {empty}',
      'repeat {x := 1} #a',
      'repeat {x := 1} #a',
      'goto done',
      'label done',
      'return',
    ],
  )
})

test('CASE: lists, ranges, named values; a jump label is none of its values', () => {
  assert.deepEqual(
    read(`CASE #s OF
        1: a := 1;
        2, 4..6, -1: b := 1; c := 2;
        #IDLE, "RUN": d := 1;
        STOPPED: e := 1;
        again: f := 1; GOTO again;
        "DB".limit: ;
        'x': ;
      ELSE g := 1;
      END_CASE;`),
    [
      'case #s 1: {a := 1} 2,4..6,(- 1): {b := 1; c := 2} #IDLE,"RUN": {d := 1} ' +
        'STOPPED: {e := 1; label again; f := 1; goto again} "DB".limit: {empty} \'x\': {empty} else {g := 1}',
    ],
  )
})

test('regions nest, hold any text as name, and may stand across the branches of a CASE', () => {
  assert.deepEqual(read("REGION a's (* x\n REGION b\n x := 1;\n END_REGION b\nEND_REGION"), [
    "region a's (* x {region b {x := 1}}",
  ])
  assert.deepEqual(
    read(
      'CASE #s OF\nREGION one\n1: a := 1;\nEND_REGION\n2: REGION in\n b := 1;\n END_REGION\nREGION two\n3: c := 1;\nEND_REGION\nEND_CASE;',
    ),
    ['case #s 1: {a := 1} 2: {region in {b := 1}; region two {}} 3: {c := 1}'],
  )
})

/** `code@source` of each fault. */
function faults(text: string): string[] {
  return parseScl(text).diagnostics.map(
    ({ code, start, end }) => `${code.replace('scl-', '')}@${text.slice(start, end)}`,
  )
}

test('one fault does not hide the next, and what is right between them is read', () => {
  const text = `a := ;
b := 1
c := (2 + ;
IF d THEN
  e := 1;
END_WHILE;
f ( 1 2 );
g 5;
h := 3;`
  const { tree } = parseScl(text)
  assert.deepEqual(faults(text), [
    'missing-expression@;',
    'missing-semicolon@1',
    'missing-expression@;',
    'stray-end@END_WHILE',
    'expected@2',
    'not-a-statement@5',
  ])
  const inner = tree.statements.find(({ kind }) => kind === 'if')
  assert.ok(inner?.kind === 'if')
  assert.deepEqual(
    inner.branches[0]?.body.map((statement) => show(tree.tokens, statement)),
    ['e := 1'],
  )
  assert.deepEqual(
    tree.statements.slice(-3).map((statement) => show(tree.tokens, statement)),
    ['f<1, 2>', 'faulty g', 'h := 3'],
  )
})

test('a wrong or misspelt word costs one fault, and what is behind it is read', () => {
  const cases: [string, string][] = [
    ['FOR i := 1 TO 3 DO x := i; END_IF; y := 1;', 'stray-end@END_IF'],
    ['WHILE a DO x := 1; END_FOR; y := 1;', 'stray-end@END_FOR'],
    ['CASE a OF 1: x := 1; END_IF; y := 1;', 'stray-end@END_IF'],
    ['REPEAT x := 1; END_WHILE; y := 1;', 'stray-end@END_WHILE'],
    ['IF a THEN FOR i := 1 TO 3 DO x := i; END_IF; END_IF; y := 1;', 'stray-end@END_IF'],
    ['FOR i := 1 TO 3 DO x := i; END_IF; END_FOR; y := 1;', 'stray-end@END_IF'],
    ['IFF a THEN x := 1; END_IF; y := 1;', 'not-a-statement@IFF'],
    ['IFF (a) THEN x := 1; END_IF; y := 1;', 'not-a-statement@IFF'],
    ['FORR i := 1 TO 3 DO x := i; END_FOR; y := 1;', 'not-a-statement@FORR'],
    ['WHIEL a DO x := 1; END_WHILE; y := 1;', 'not-a-statement@WHIEL'],
    ['CAES a OF 1: x := 1; END_CASE; y := 1;', 'not-a-statement@CAES'],
    ['IF (a) { x := 1; } y := 1;', 'expected@{'],
    ['IF (a) { x := 1; } else { x := 2; } y := 1;', 'expected@{'],
    ['WHILE (a) { x := 1; } y := 1;', 'expected@{'],
    ['#region Set up the motor\ny := 1;', 'not-a-statement@#region'],
    ['x := 1;\n#END_REGION\ny := 1;', 'not-a-statement@#END_REGION'],
  ]
  for (const [text, fault] of cases) {
    assert.deepEqual(faults(text), [fault], text)
    const { tree } = parseScl(text)
    assert.equal(show(tree.tokens, tree.statements.at(-1) as never), 'y := 1', text)
  }
  // A block of this name, and a variable.
  assert.deepEqual(faults('IFF(a); FORR := 1; #region := 1; #region.x := 1; #region(a := 1);'), [])
})

test('many wrong ends are read in linear time', () => {
  const text = 'FOR i := 1 TO 3 DO END_IF; '.repeat(20_000)
  assert.ok(parseScl(text).diagnostics.length > 100)
})

test('the end of an outer statement closes inner ones', () => {
  assert.deepEqual(faults('WHILE a DO IF b THEN x := 1; END_WHILE; y := 1;'), ['unclosed@IF'])
  assert.deepEqual(faults('CASE a OF 1: IF b THEN x := 1; 2: y := 1; END_CASE;'), ['unclosed@IF'])
  assert.deepEqual(faults('IF a THEN x := 1;'), ['unclosed@IF'])
  assert.deepEqual(faults('END_IF; x := 1;'), ['stray-end@END_IF'])
  assert.deepEqual(faults('REGION a\nx := 1;'), ['unclosed@REGION'])
})

test('of statements in each other, that without an end is named by where the ends stand', () => {
  const text = 'x := 0;\nIF a THEN\n  WHILE b DO\n    IF c THEN\n      x := 1;\n  END_WHILE;\nEND_IF;\nx := 2;\n'
  assert.deepEqual(faults(text), ['unclosed@IF'])
  const missing = 'x := 0;\nIF a THEN\n  IF b THEN\n    x := 1;\nEND_IF;\nx := 2;\n'
  assert.deepEqual(
    parseScl(missing).diagnostics.map(({ message }) => message),
    ['IF without an end of its own: the END_IF in line 5 closes it, but stands below the IF around it'],
  )
})

test('a missing word costs one fault, and what is behind it is read', () => {
  const cases: [string, string, string][] = [
    ['IF a x := 1; END_IF;', 'expected@x', 'if a {x := 1}'],
    ['IF a b THEN x := 1; END_IF;', 'expected@b', 'if a {x := 1}'],
    ['FOR i 0 TO 9 DO x := 1; END_FOR;', 'expected@0', 'for i 0 9 - {x := 1}'],
    ['FOR i := 0 9 DO x := 1; END_FOR;', 'expected@9', 'for i 0 9 - {x := 1}'],
    ['FOR i := 0 TO 9 x := 1; END_FOR;', 'expected@x', 'for i 0 9 - {x := 1}'],
    ['WHILE a x := 1; END_WHILE;', 'expected@x', 'while a {x := 1}'],
    ['CASE a 1: x := 1; END_CASE;', 'expected@1', 'case a 1: {x := 1}'],
    ['REPEAT x := 1; END_REPEAT;', 'expected@END_REPEAT', 'repeat {x := 1} ?'],
  ]
  for (const [text, fault, wanted] of cases) {
    assert.deepEqual(faults(text), [fault])
    const { tree } = parseScl(text)
    assert.deepEqual(
      tree.statements.map((statement) => show(tree.tokens, statement)),
      [wanted],
    )
  }
})

test('messages say what was expected and what was found', () => {
  const message = (text: string) => parseScl(text).diagnostics[0]?.message
  assert.equal(message('IF a x := 1; END_IF;'), 'expected THEN behind the condition, found "x"')
  assert.equal(message('x := 1 y := 2;'), 'expected ";" behind the assignment, found "y"')
  assert.equal(message('f(a := 1'), 'expected "," or ")" behind the argument, found the end of the text')
  assert.equal(message('#a.;'), 'expected the name of a member behind ".", found ";"')
  assert.equal(message('END_FOR;'), 'END_FOR without FOR')
  assert.equal(message('x := 1,5;'), 'expected a decimal point: numbers have no comma, found ","')
  assert.equal(message('x := 1,y;'), 'expected ";" behind the assignment, found ","')
  assert.equal(message('x := y,5;'), 'expected ";" behind the assignment, found ","')
  assert.equal(message("x := 'a"), "string without closing apostrophe (')")
})

test('a part of a token list is read alone', () => {
  const { tree } = parseScl('BEGIN x := 1; y := 2; END_FUNCTION')
  const begin = 2
  const end = tree.tokens.count - 2
  const part = parseScl('', { tokens: tree.tokens, from: begin, to: end })
  assert.deepEqual(part.diagnostics, [])
  assert.deepEqual(
    part.tree.statements.map((statement) => sourceOf(part.tree.tokens, statement)),
    ['x := 1;', 'y := 2;'],
  )
})

test('hostile nesting and endless chains end with a fault, not with a crash', () => {
  const many = 50_000
  const texts = [
    `x := ${'('.repeat(many)}1;`,
    `x := ${'-'.repeat(many)}1;`,
    `x := ${'NOT '.repeat(many)}a;`,
    `x := 1${' + 1'.repeat(many)};`,
    `x${' := x'.repeat(many)};`,
    `x${'.a'.repeat(many)} := 1;`,
    `x := a${'[a'.repeat(many)};`,
    `${'f('.repeat(many)};`,
    'IF a THEN '.repeat(many),
    'REGION\n'.repeat(many),
    `${'CASE a OF 1: '.repeat(many)}`,
    'END_IF '.repeat(many),
    // A chain on every level: the tree is as high as all of them together.
    `x := ${'('.repeat(150)}1${`${' + 1'.repeat(400)})`.repeat(150)};`,
    `x := ${'a['.repeat(150)}1${`]${'.b'.repeat(400)}`.repeat(150)};`,
    `${'f(1, '.repeat(150)}1${`${' + 1'.repeat(400)})`.repeat(150)};`,
    `CASE a OF ${'ELSE x := 1; '.repeat(many)}`,
    `IF a THEN ${'ELSE x := 1; '.repeat(many)}`,
  ]
  for (const text of texts) {
    const { tree, diagnostics } = parseScl(text)
    assert.ok(diagnostics.length > 0 && diagnostics.length <= 201, text.slice(0, 20))
    // Walkers of the tree may recurse.
    forEachOperand(tree.statements, () => undefined)
  }
})

/** Asserts that every node lies in its parent and children follow each other. */
function checkSpans(node: unknown, from: number, to: number): void {
  if (Array.isArray(node)) {
    for (const inner of node) checkSpans(inner, from, to)
    return
  }
  if (typeof node !== 'object' || node === null) return
  const { start, end } = node as { start: number; end: number }
  assert.ok(start >= from && end >= start && end <= to, `${start}..${end} in ${from}..${to}`)
  for (const value of Object.values(node)) checkSpans(value, start, end)
}

const pieces = fc.constantFrom(
  ...'IF,THEN,ELSE,ELSIF,END_IF,CASE,OF,END_CASE,FOR,TO,BY,DO,END_FOR,WHILE,END_WHILE,REPEAT,UNTIL,END_REPEAT,REGION x\n,END_REGION\n,GOTO,RETURN,EXIT,NOT,AND,OR,MOD'.split(
    ',',
  ),
  ...'#a|"b"|c|1|2.5|T#5s|\'s\'|%M0.0|TRUE|(|)|[|]|.|,|;|:|:=|+=|=>|..|+|-|*|**|=|<>|<|^|:P|{p := 1}|// c\n|(* c *)|\n|!|"|\''.split(
    '|',
  ),
)

test('any sequence of tokens gives a tree whose nodes lie within each other', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (words) => {
      const { tree, diagnostics } = parseScl(words.join(' '))
      checkSpans(tree.statements, 0, tree.tokens.count - 1)
      for (const { start, end } of diagnostics) assert.ok(start <= end && end <= tree.tokens.text.length)
    }),
    { numRuns: 2000 },
  )
})

test('brackets that close something else end a list of arguments or indices', () => {
  for (const text of ['f(1,]x := 2);', 'f(,]', 'f(1,', 'f(a := ],b := 2);', 'f(1,],2,],3);', 'a[1,)b] := 1;', 'a[1,'])
    assert.ok(parseScl(text).diagnostics.length > 0, text)
})

test('arbitrary text never makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      parseScl(text)
    }),
    { numRuns: 200 },
  )
})

test('a chain of 500 operators is read, one of more is refused where it goes too far', () => {
  const forms: Readonly<Record<string, (count: number) => string>> = {
    members: (count) => `x := a${'.b'.repeat(count)};`,
    indices: (count) => `x := a${'[1]'.repeat(count)};`,
    references: (count) => `x := a${'^'.repeat(count)};`,
    sum: (count) => `x := a${' + b'.repeat(count)};`,
    'comparisons in brackets': (count) => `x := (a${' = b'.repeat(count)});`,
    target: (count) => `a${'.b'.repeat(count)} := 1;`,
    // What is in an index or an argument does not add to what is around it, unless it is longer.
    'members in an index': (count) => `x := a[b${'.c'.repeat(count)}];`,
    'a sum in an index': (count) => `x := a[b${' + c'.repeat(count)}];`,
    'a sum in an argument': (count) => `x := f(b${' + c'.repeat(count)});`,
    'a sum beside a short one': (count) => `x := f(a + b, b${' + c'.repeat(count)}, 1);`,
    'behind a short index': (count) => `x := a[b + c]${'.d'.repeat(count - 2)};`,
    assignments: (count) => `${'a := '.repeat(count)}1;`,
  }
  for (const [name, form] of Object.entries(forms)) {
    const codes = (count: number) => parseScl(form(count)).diagnostics.map(({ code }) => code)
    assert.deepEqual(codes(500), [], name)
    assert.equal(codes(501)[0], 'scl-too-deep', name)
  }
})
