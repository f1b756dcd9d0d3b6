/** Limits of arrays and lengths of texts: numbers, constants of the block and of the program, and what is not one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from './link-program.ts'
import { typeName } from './type-name.ts'

const constants = [
  ...['MOST Int 7', 'BASE Int "MOST"', 'CHAIN Int BASE', 'ROUND Int "TRIP"', 'TRIP Int "ROUND"', 'HALF Real 1.5'],
  ...[
    "TEXT String 'abc'",
    'HUGE DInt 2147483647',
    'NEGATIVE Int -3',
    'HEX Word 16#10',
    'TYPED Int INT#9',
    'SAME Int 1',
  ],
  ...['LOST Int "NOWHERE"', 'TIMED Time T#5s', 'YES Bool TRUE', "SIGN Char CHAR#'a'"],
].map((row) => {
  const [name = '', dataType = '', value = ''] = row.split(' ')
  return { name, dataType, value }
})

/** The type of a member, or what is told of it. */
function linked(text: string): string {
  const { blocks, faults } = readSource(`FUNCTION_BLOCK "F"
VAR
  x : ${text};
END_VAR
VAR CONSTANT
  LAST : Int := 4;
  SAME : Int := 2;
  LINK : Int := BASE;
END_VAR
BEGIN
;
END_FUNCTION_BLOCK
`)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [{ name: 'Constants', tags: [], constants }],
  )
  const told = program.diagnostics.filter(({ object }) => object === 'F')
  if (told.length > 0) return told.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`.trim()).join(' ')
  const type = program.blocks.get('f')?.members.find(({ name }) => name === 'x')?.type
  assert.ok(type)
  return typeName(type)
}

const declare = 'Declare it as a user constant, or in the section Constant of the block.'
const missing = (name: string) => `unknown-constant There is no constant "${name}". ${declare}`
const noNumber = (name: string, value: string) =>
  `unknown-constant The constant "${name}" has the value ${value}: a limit is a whole number.`

test('limits of arrays', () => {
  for (const [limits, expected] of [
    ['0..5', '0..5'],
    ['-5..-5', '-5..-5'],
    ['"MOST".."MOST"', '7..7'],
    ['0..MOST', '0..7'],
    // A name alone is that of the block, else that of the program.
    ['0..SAME', '0..2'],
    ['0..#SAME', '0..2'],
    ['0.."SAME"', '0..1'],
    ['0..LAST', '0..4'],
    ['0..#LAST', '0..4'],
    ['0.."LAST"', missing('LAST')],
    ['0..#MOST', missing('MOST')],
    ['0..NOWHERE', missing('NOWHERE')],
    // Constants that are other constants
    ['0..BASE', '0..7'],
    ['0..CHAIN', '0..7'],
    ['0..LINK', '0..7'],
    ['0..LOST', noNumber('LOST', '"NOWHERE"')],
    ['0..ROUND', noNumber('ROUND', '"TRIP"')],
    // Values of other types
    ['NEGATIVE..0', '-3..0'],
    ['0..HEX', '0..16'],
    ['0..TYPED', '0..9'],
    ['0..HALF', noNumber('HALF', '1.5')],
    ['0..TEXT', noNumber('TEXT', "'abc'")],
    ['0..TIMED', noNumber('TIMED', 'T#5s')],
    ['0..YES', noNumber('YES', 'TRUE')],
    ['0..SIGN', noNumber('SIGN', "CHAR#'a'")],
    ['5..0', 'array-limits The lower limit 5 is above the upper limit 0. Write 0..5.'],
    ['MOST..0', 'array-limits The lower limit 7 is above the upper limit 0. Write 0..7.'],
    ['HUGE..2147483647', '2147483647..2147483647'],
    ['0..2147483648', 'array-limits 2147483648 is no limit: limits are -2147483648 to 2147483647.'],
    ['-2147483648..-2147483648', '-2147483648..-2147483648'],
    ['-2147483649..0', 'array-limits -2147483649 is no limit: limits are -2147483648 to 2147483647.'],
    ['0..1, MOST..CHAIN, 0..3', '0..1, 7..7, 0..3'],
  ] as const)
    assert.equal(
      linked(`Array[${limits}] of Int`),
      expected.includes(' is ') || expected.includes('constant') ? expected : `Array[${expected}] of Int`,
      limits,
    )
})

test('lengths of texts', () => {
  const room = (kind: string, most: number, given: number) =>
    `array-limits A ${kind} has room for 0 to ${most} characters, not for ${given}. Write ${kind}[${most}].`
  for (const [text, expected] of [
    ['String', 'String[254]'],
    ['WString', 'WString[254]'],
    ['String[0]', 'String[0]'],
    ['String[254]', 'String[254]'],
    ['String[255]', room('String', 254, 255)],
    ['String[-1]', room('String', 254, -1)],
    ['String[MOST]', 'String[7]'],
    ['String[HEX]', 'String[16]'],
    ['String[NEGATIVE]', room('String', 254, -3)],
    ['String[TIMED]', noNumber('TIMED', 'T#5s')],
    ['String[NOWHERE]', missing('NOWHERE')],
    ['WString[16382]', 'WString[16382]'],
    ['WString[16383]', room('WString', 16_382, 16_383)],
  ] as const)
    assert.equal(linked(text), expected, text)
})
