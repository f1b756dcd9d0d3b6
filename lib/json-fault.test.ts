import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findJsonFault, findRepeatedName } from './json-fault.ts'

test('names the first fault and its place', () => {
  const cases: [string, number, number, string][] = [
    ['', 1, 1, 'the text is empty'],
    [' \t\r\n', 2, 1, 'the text is empty'],
    ['{"a":1,}', 1, 8, 'a comma stands before "}"'],
    ['{"a":1,]', 1, 8, 'expected a property name in double quotes, found "]"'],
    ['{a:1}', 1, 2, 'expected a property name in double quotes, found "a"'],
    ["{'a':1}", 1, 2, 'expected a property name in double quotes, found "\'"'],
    ['{"a\n":1}', 1, 2, 'the string holds a control character (U+000A); write it as an escape'],
    ['{"a" 1}', 1, 6, 'expected ":" after the property name, found "1"'],
    ['{"a":1 "b":2}', 1, 8, 'expected "," or "}", found """'],
    ['{', 1, 2, 'the text ends before "}"'],
    ['{"a"', 1, 5, 'the text ends where a value is expected'],
    ['{"a":1,', 1, 8, 'the text ends before "}"'],
    ['[', 1, 2, 'the text ends before "]"'],
    ['[1,2', 1, 5, 'the text ends before "]"'],
    ['[1,', 1, 4, 'the text ends where a value is expected'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
    [']', 1, 1, 'expected a value, found "]"'],
    ['{"a":', 1, 6, 'the text ends where a value is expected'],
    ['{\n "a": tru\n}', 2, 7, 'expected a value, found "t"'],
    ['[01]', 1, 2, 'expected a value, found "0"'],
    ['[1.]', 1, 2, 'expected a value, found "1"'],
    ['[nullx]', 1, 2, 'expected a value, found "n"'],
    ['{"a":"x', 1, 6, 'the string has no end'],
    ['["\\\\', 1, 2, 'the string has no end'],
    ['{"a":"\\q"}', 1, 6, 'the string has an unknown escape after "\\"'],
    ['["\\n\\u12G4"]', 1, 2, 'the string has an unknown escape after "\\"'],
    ['["\\', 1, 2, 'the string has an unknown escape after "\\"'],
    ['{"a":"\t"}', 1, 6, 'the string holds a control character (U+0009); write it as an escape'],
    ['["\u001f"]', 1, 2, 'the string holds a control character (U+001F); write it as an escape'],
    ['{} {}', 1, 4, '"{" after the end of the value'],
    ['1\n\n 2', 3, 2, '"2" after the end of the value'],
    ['[1}', 1, 3, 'expected "," or "]", found "}"'],
    ['{"a":NaN}', 1, 6, 'expected a value, found "N"'],
    ['[\u0001]', 1, 2, 'expected a value, found U+0001'],
    ['[\u007f]', 1, 2, 'expected a value, found U+007F'],
    ['[\u{1f600}]', 1, 2, 'expected a value, found "\u{1f600}"'],
  ]
  for (const [text, line, column, message] of cases) {
    const before = text.split('\n').slice(0, line - 1)
    const position = before.reduce((sum, { length }) => sum + length + 1, column - 1)
    assert.deepEqual(findJsonFault(text), { position, line, column, message }, JSON.stringify(text))
  }
})

test('agrees with JSON.parse on what is well-formed', () => {
  fc.assert(fc.property(fc.json(), (text) => findJsonFault(text) === undefined))
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '0', 'x', '\n'),
      (text, at, insert) => {
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + insert + text.slice(place + (insert === '' ? 1 : 0))
        let parses = true
        try {
          JSON.parse(changed)
        } catch {
          parses = false
        }
        assert.equal(findJsonFault(changed) === undefined, parses, JSON.stringify(changed))
      },
    ),
    { numRuns: 2000 },
  )
})

test('never quotes more than one character of the text', () => {
  const fault = findJsonFault('{"password": secret-word}')
  assert.doesNotMatch(fault!.message, /secret/)
})

test('a name that stands twice in one object, however it is written', () => {
  const cases: [text: string, line: number, column: number, name: string][] = [
    ['{"a":1,"a":2}', 1, 8, '"a"'],
    ['{"a":{"a":1},\n "b":[{"a":1},{"a":2}],"b":2}', 2, 24, '"b"'],
    ['[{"a:{":"\\"a\\":","\\u0061:{":2}]', 1, 18, '"\\u0061:{"'],
    [`{"${'n'.repeat(200)}":1,"${'n'.repeat(200)}":1}`, 1, 207, `"${'n'.repeat(99)}…`],
  ]
  for (const [text, line, column, name] of cases) {
    const position =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('').length +
      line -
      2 +
      column
    const message = `the property ${name} stands twice in one object`
    assert.deepEqual(findRepeatedName(text), { position, line, column, message }, text)
  }
  for (const text of ['1', '{"a":"a","b":["a","a"],"A":1}', '[{"a":1},{"a":1}]', '{"a":{"b":{}},"b":{"a":1}}'])
    assert.equal(findRepeatedName(text), undefined, text)
})

test('a file in a string is no more than a string', () => {
  const text = `{"content":"${'x'.repeat(16_000_000)}",`
  const end = { position: text.length, line: 1, column: text.length + 1 }
  assert.deepEqual(findJsonFault(`${text}}`), { ...end, message: 'a comma stands before "}"' })
  const message = 'the property "content" stands twice in one object'
  assert.deepEqual(findRepeatedName(`${text}"content":1}`), { ...end, message })
})
