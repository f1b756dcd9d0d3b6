import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findJsonFault } from './json-fault.ts'

test('names the first fault and its place', () => {
  const cases: [string, number, number, RegExp][] = [
    ['', 1, 1, /empty/],
    ['{"a":1,}', 1, 8, /comma stands before "}"/],
    ['{a:1}', 1, 2, /property name in double quotes, found "a"/],
    ["{'a':1}", 1, 2, /found "'"/],
    ['{"a" 1}', 1, 6, /expected ":"/],
    ['{"a":1 "b":2}', 1, 8, /expected "," or "}"/],
    ['[1,2', 1, 5, /ends before "]"/],
    ['[1,]', 1, 4, /expected a value, found "]"/],
    ['{"a":', 1, 6, /ends where a value/],
    ['{\n "a": tru\n}', 2, 7, /expected a value, found "t"/],
    ['[01]', 1, 2, /expected a value/],
    ['{"a":"x', 1, 6, /string has no end/],
    ['{"a":"\\q"}', 1, 6, /unknown escape/],
    ['{"a":"\t"}', 1, 6, /control character \(U\+0009\)/],
    ['{} {}', 1, 4, /after the end/],
    ['[1}', 1, 3, /expected "," or "]", found "}"/],
    ['{"a":NaN}', 1, 6, /expected a value, found "N"/],
  ]
  for (const [text, line, column, message] of cases) {
    const fault = findJsonFault(text)
    assert.ok(fault, text)
    assert.deepEqual([fault.line, fault.column], [line, column], text)
    assert.match(fault.message, message)
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
