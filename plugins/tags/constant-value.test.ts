import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { constantFault } from './constant-value.ts'

test('values that a constant of the type can have', () => {
  const good: [string, string[]][] = [
    ['Bool', ['TRUE', 'false', '1', '0', 'BOOL#TRUE']],
    ['Int', ['-32768', '+32767', '16#7FFF', 'INT#5', '2#1010', '1_000', '8#17', 'B#(1,2)']],
    ['USInt', ['255', '16#FF']],
    ['Word', ['16#FFFF', 'W#16#FFFF', '-32768', '65535', 'C#123', 'B#(255,255)']],
    ['DInt', ['L#-5', '2147483647']],
    ['LWord', ['16#FFFF_FFFF_FFFF_FFFF']],
    ['Real', ['1', '-1.5', '1.0E-3', 'REAL#2.5', '3.4E38']],
    ['LReal', ['1.0E300']],
    ['Time', ['T#5s', 'TIME#1h30m', 'T#-24d', '-T#5s']],
    ['LTime', ['LT#5s10us', 'T#5s']],
    ['S5Time', ['S5T#1m30s']],
    ['Date', ['D#2024-02-29']],
    ['Time_Of_Day', ['TOD#23:59:59.999']],
    ['DTL', ['DTL#2024-01-31-14:30:00']],
    ['Char', ["'A'", "CHAR#'A'", "'$L'", '65', '0', '255']],
    ['WChar', ["WCHAR#'ä'", "'ä'", '65535', '16#0']],
    ['String', ["'abc'", "''", "'it$'s'", "STRING#'x'"]],
    ['String[3]', ["'abc'"]],
    ['WString', ["WSTRING#'äöü'", "'abc'"]],
    ['Hw_SubModule', ['257']],
  ]
  for (const [type, values] of good)
    for (const value of values) assert.equal(constantFault(value, type), undefined, `${type} := ${value}`)
})

test('values that it cannot have, with what it can', () => {
  const bad: [string, string, RegExp][] = [
    ['Bool', '2', /TRUE, FALSE, 1 or 0/],
    ['Int', '32768', /does not fit into Int: -32768 to 32767/],
    ['Int', '1.5', /a whole number is, -32768 to 32767/],
    ['Int', 'abc', /abc is no number/],
    ['Int', 'T#5s', /whole number/],
    ['Byte', '256', /does not fit into Byte: 0 to 255/],
    ['USInt', '-1', /does not fit/],
    ['Real', '1.0E39', /does not fit into Real/],
    ['Real', 'TRUE', /not a value of Real/],
    ['Time', '5', /T#5s/],
    ['Time', 'T#25d', /does not fit into Time/],
    ['Time', 'LT#5s', /T#5s/],
    ['Date', 'D#2023-02-29', /day that does not exist/],
    ['Char', '256', /a code of 8 bits is/],
    ['Char', '-1', /a code of 8 bits is/],
    ['WChar', '65536', /a code of 16 bits is/],
    ['WChar', '1.5', /one character is, such as WCHAR#'A'/],
    ['Char', "'ab'", /one character is, this has 2/],
    ['String[2]', "'abc'", /has 3 characters/],
    ['String', 'abc', /not a value of String: a text between apostrophes/],
    ['Char', 'abc', /between apostrophes/],
    ['String', "'a'b'", /not closed/],
    ['String', "'abc", /not closed/],
    ['String', "WSTRING#'x'", /text in quotes/],
    ['"UDT_x"', '1', /cannot be of data type/],
    ['Hw_SubModule', 'x', /0 to 65535/],
    ['Int', ' ', /not be empty/],
  ]
  for (const [type, value, message] of bad)
    assert.match(constantFault(value, type) ?? 'no fault', message, `${type} := ${value}`)
})

test('whole numbers fit exactly when they are in range', () => {
  const types = { SInt: 8, Int: 16, DInt: 32, LInt: 64 } as const
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])),
      fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }),
      (type, value) => {
        const half = 2n ** BigInt(types[type] - 1)
        assert.equal(
          constantFault(String(value), type) === undefined,
          value >= -half && value < half,
          `${type} ${value}`,
        )
      },
    ),
  )
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('Int', 'String', 'Time', 'Bool', 'Char', 'Real', 'Date', 'x'),
      (value, type) => {
        const fault = constantFault(value, type)
        assert.ok(fault === undefined || fault.length > 0)
      },
    ),
  )
})
