import assert from 'node:assert/strict'
import { test } from 'node:test'
import { literalTypeByForm, typedLiteral } from './literal-types.ts'
import { withoutIndentation } from './scl-text.ts'

test('a literal without a pin has the smallest usual type of its form', () => {
  const types: Readonly<Record<string, string>> = {
    Bool: 'TRUE false',
    Byte: '16#FF 2#1111_1111 16#0 8#77',
    Word: '16#100 16#FFFF 2#1_0000_0000 8#777',
    DWord: '16#1_0000 16#FFFF_FFFF',
    LWord: '16#1_0000_0000 16#FFFF_FFFF_FFFF_FFFF',
    Int: '0 -32768 32767 +5 1_000',
    DInt: '32768 -32769 2147483647 -2147483648',
    LInt: '2147483648 -2147483649',
    Real: '1.5 -1.0E5 +0.1',
    Char: "'a'",
    String: "'ab' ''",
  }
  for (const [type, values] of Object.entries(types))
    for (const value of values.split(' ')) assert.equal(literalTypeByForm(value), type, value)
})

test('a literal gets the type of its pin when it can have it', () => {
  const typed = (value: string, pin?: string, more: object = {}) => {
    const { scope, type } = typedLiteral({ kind: 'literal', scope: 'LiteralConstant', value, ...more }, pin)
    return [scope, type]
  }
  assert.deepEqual(typed('5', 'DInt'), ['LiteralConstant', 'DInt'])
  assert.deepEqual(typed('1', 'Bool'), ['LiteralConstant', 'Bool'])
  assert.deepEqual(typed('2', 'Bool'), ['LiteralConstant', 'Int'])
  assert.deepEqual(typed("'abc'", 'String[20]'), ['LiteralConstant', 'String'])
  assert.deepEqual(typed('5'), ['LiteralConstant', 'Int'])
  assert.deepEqual(typed('5', 'DInt', { type: 'Int' }), ['LiteralConstant', 'Int'])
  assert.deepEqual(typed('T#5s', 'Time', { scope: 'TypedConstant' }), ['TypedConstant', undefined])
  const pointer = (pin?: string) => typed('P#DB1.DBX0.0', pin, { scope: 'TypedConstant' })
  assert.deepEqual(
    [pointer('Any'), pointer('pointer'), pointer('Variant'), pointer('Int'), pointer()].map(([, type]) => type),
    ['Any', 'pointer', 'Variant', 'Any', 'Any'],
  )
  assert.equal(pointer()[0], 'LiteralConstant')
})

test('statements lose the indentation of the file, and know where they stood', () => {
  const cases: readonly (readonly [body: string, text: string, indent: number])[] = [
    [
      '\n        a := 1;\n        IF b THEN\n            c := 2;\n        END_IF;\n    ',
      'a := 1;\nIF b THEN\n    c := 2;\nEND_IF;',
      8,
    ],
    ['\r\n        a := 1;\r\n\r\n        b := 2;\r\n    ', 'a := 1;\n\nb := 2;', 8],
    ['  \n\ta := 1;\n\t  b := 2;\n', 'a := 1;\n  b := 2;', 1],
    ['\n\ta := 1;\n  b := 2;\n', '\ta := 1;\n  b := 2;', 0],
    ['\n  a := 1;\n    ', 'a := 1;', 2],
    [' a := 1;  ', 'a := 1;', 0],
    ['\n        a := 1;\n   \n          \n    ', 'a := 1;\n\n  ', 8],
    ['', '', 0],
  ]
  for (const [body, text, indent] of cases) {
    const found = withoutIndentation(body)
    assert.deepEqual([found.text, found.indent], [text, indent], JSON.stringify(body))
    const [first = ''] = text.split('\n')
    assert.equal(body.slice(found.at, found.at + first.length), first, JSON.stringify(body))
  }
})
