import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keywordAt, keywordTexts } from '../../model/keywords.ts'
import { lex } from './lexer.ts'
import { TokenKind, tokenText } from './tokens.ts'

const names = Object.fromEntries(Object.entries(TokenKind).map(([name, kind]) => [kind, name]))

/** `Kind:text` of every token except white space. */
function show(text: string): string[] {
  const tokens = lex(text)
  return Array.from(
    { length: tokens.count - 1 },
    (_, i) => `${names[tokens.kind[i] as number]}:${tokenText(tokens, i)}`,
  ).filter((entry) => !entry.startsWith('Whitespace') && !entry.startsWith('NewLine'))
}

test('names: local, global, quoted, behind a dot', () => {
  assert.deepEqual(show('#a."b c".end[1..2]'), [
    'LocalName:#a',
    'Dot:.',
    'QuotedName:"b c"',
    'Dot:.',
    'Identifier:end',
    'LeftBracket:[',
    'Integer:1',
    'Range:..',
    'Integer:2',
    'RightBracket:]',
  ])
  assert.deepEqual(show('#"x y"+#b'), ['LocalName:#"x y"', 'Plus:+', 'LocalName:#b'])
  assert.deepEqual(show('Сигнал := "Ä/1"'), ['Identifier:Сигнал', 'Assign::=', 'QuotedName:"Ä/1"'])
})

test('a keyword is found whatever its case, and is a name behind a dot', () => {
  assert.deepEqual(show('End_If x.if'), ['Keyword:End_If', 'Identifier:x', 'Dot:.', 'Identifier:if'])
  for (const word of keywordTexts.slice(1)) {
    assert.equal(keywordTexts[keywordAt(word.toLowerCase(), 0, word.length)], word)
    assert.equal(keywordAt(`${word}X`, 0, word.length + 1), 0)
  }
})

test('literals keep their type, sign, date marks and pointer length', () => {
  const literals = [
    'T#-5s_3ms',
    'T#1.5s',
    'INT#16#F',
    'W#16#00FF',
    'DT#2024-01-01-12:30:00.5',
    'TOD#10:00:00',
    'REAL#1.0E-3',
    "WSTRING#'a$'b'",
    'P#DB1.DBX0.0 BYTE 10',
    'P# I247.0 BYTE 20',
    'P#M0.0',
    '"colour"#RED',
  ]
  for (const literal of literals) assert.deepEqual(show(`${literal};`), [`TypedLiteral:${literal}`, 'Semicolon:;'])
  assert.deepEqual(show('1 16#FF 2#1010_1010 1.5e-3 1e5 0.5'), [
    'Integer:1',
    'Integer:16#FF',
    'Integer:2#1010_1010',
    'Real:1.5e-3',
    'Real:1e5',
    'Real:0.5',
  ])
  assert.deepEqual(show('INT#1..INT#5'), ['TypedLiteral:INT#1', 'Range:..', 'TypedLiteral:INT#5'])
  assert.deepEqual(show('INT#5-3'), ['TypedLiteral:INT#5', 'Minus:-', 'Integer:3'])
  assert.deepEqual(show('NOT#a'), ['Keyword:NOT', 'LocalName:#a'])
})

test('addresses, slices and the periphery', () => {
  assert.deepEqual(show('%I0.0 %DB1.DBX0.0 #w.%X15 %IW64:P "in":P'), [
    'Address:%I0.0',
    'Address:%DB1.DBX0.0',
    'LocalName:#w',
    'Dot:.',
    'Slice:%X15',
    'Address:%IW64',
    'Periphery::P',
    'QuotedName:"in"',
    'Periphery::P',
  ])
})

test('comments: line, block, nested, translated', () => {
  assert.deepEqual(show('// a\n(* b (* c *) d *) /* e */ (/* f */) x'), [
    'LineComment:// a',
    'BlockComment:(* b (* c *) d *)',
    'SlashComment:/* e */',
    'MultilingualComment:(/* f */)',
    'Identifier:x',
  ])
  // Two opening marks but one end mark: the comment ends at the first end mark.
  assert.deepEqual(show('(* use (* here *) x := 1;'), [
    'BlockComment:(* use (* here *)',
    'Identifier:x',
    'Assign::=',
    'Integer:1',
    'Semicolon:;',
  ])
})

test('attributes end at the first brace that is outside of a value', () => {
  assert.deepEqual(show("{ a := 'x}y'; b := 'it$'s}' } z"), ["Pragma:{ a := 'x}y'; b := 'it$'s}' }", 'Identifier:z'])
  // A value that is never closed: the next brace ends them.
  assert.deepEqual(show("{ a := 'x } y"), ["Pragma:{ a := 'x }", 'Identifier:y'])
  assert.deepEqual(show("{ a := 'x'\n; b := '' } y"), ["Pragma:{ a := 'x'\n; b := '' }", 'Identifier:y'])
})

test('lines that are free text hold no tokens', () => {
  assert.deepEqual(show("TITLE = it's {me\nREGION Don't (* \nEND_REGION ; END_REGION tail"), [
    'Identifier:TITLE',
    'Equal:=',
    "Text:it's {me",
    'Keyword:REGION',
    "Text:Don't (*",
    'Keyword:END_REGION',
    'Semicolon:;',
    'Keyword:END_REGION',
    'Text:tail',
  ])
})

test('what is never closed ends with its line or the text, and is reported where it begins', () => {
  const cases: [string, number][] = [
    ["x := 'abc\ny", 5],
    ['"abc\ny', 0],
    ['x (* y', 2],
    ['x /* y', 2],
    ['{ a := 1', 0],
    ['a ! b', 2],
  ]
  for (const [text, offset] of cases) {
    const { faults } = lex(text)
    assert.equal(faults[0]?.offset, offset, text)
  }
  assert.equal(show("'abc\ny").at(-1), 'Identifier:y')
})

test('the texts of all tokens are the input, whatever the input is', () => {
  const fragments = fc.constantFrom(
    "'",
    '"',
    '(*',
    '*)',
    '/*',
    '*/',
    '(/*',
    '*/)',
    '//',
    '{',
    '}',
    '#',
    '%',
    'T#',
    'P#',
    'REGION ',
    'TITLE =',
    '\r',
    '\n',
    ' ',
    '\t',
    '\u00a0',
    ':P',
    '..',
    '1.',
    '1e',
    '$',
    'END_REGION',
    'x',
    'Ж',
    '\ud83d',
    ':=',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = lex(text)
      let joined = ''
      for (let i = 0; i < tokens.count; i++) joined += tokenText(tokens, i)
      assert.equal(joined, text)
      assert.equal(tokens.kind[tokens.count - 1], TokenKind.EndOfFile)
    }),
    { numRuns: 2000 },
  )
})

test('text made to be slow is read in one pass', () => {
  for (const unit of ['(*(**)', '{', "{'", "$'", '(/*', '/* ', 'P#M0.0    ', '"', ':P', 'TITLE', 'REGION\t']) {
    const text = unit.repeat(Math.ceil(400_000 / unit.length))
    const tokens = lex(text)
    assert.equal(tokens.start[tokens.count], text.length)
  }
})

test(':P directly behind an operand is the periphery; behind anything else, or longer, it is none', () => {
  const periphery = (text: string) => show(text).some((token) => token.startsWith('Periphery:'))
  for (const operand of ['"tag"', '%I0.0', 'tag', '%IW4'])
    for (const ending of [':P', ':p', ':P;', ':P)', ':P + 1', ':P\n'])
      assert.ok(periphery(operand + ending), operand + ending)
  // A longer word, a pointer, a declaration with its blank.
  for (const operand of ['"tag"', 'tag', '%I0.0'])
    for (const ending of [':Px', ':P1', ':P_', ':Pä', ':P#M0.0', ' :P', ': P', ':Q', ':=P'])
      assert.ok(!periphery(operand + ending), operand + ending)
  for (const text of ['1:P', ')(:P', ':P', '#a:P', "'t':P", '[1]:P']) assert.ok(!periphery(text), text)
})
