import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { loadedProgram, memoryController } from '../../../test/tag-memory.ts'
import { readTags, readValue, writeTags, writeValue } from './batch.ts'
import { resolveTag } from './resolve.ts'
import type { JsonValue } from './value-fault.ts'

const members = `
  bool : Bool;
  byte : Byte;
  word : Word;
  dword : DWord;
  sint : SInt;
  int : Int;
  dint : DInt;
  usint : USInt;
  uint : UInt;
  udint : UDInt;
  real : Real;
  time : Time;
  s5 : S5Time;
  date : Date;
  tod : Time_Of_Day;
  dt : Date_And_Time;
  dtl : DTL;
  char : Char;
  text : String[5];
  lword : LWord;
  lint : LInt;
  ulint : ULInt;
  lreal : LReal;
  ltime : LTime;
  ltod : LTime_Of_Day;
  ldt : LDT;
  wchar : WChar;
  wide : WString[5];
  longText : String;
  longWide : WString[40];
  ints : Array[1..3] of Int;
  grid : Array[0..1, -1..1] of Bool;
  motor : Struct
    speed : Real;
    run : Bool;
    limits : Array[0..1] of Struct
      low : Int;
      high : Int;
    END_STRUCT;
  END_STRUCT;
`
const source = `
DATA_BLOCK "optimized"
VAR${members}END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "standard"
{ S7_Optimized_Access := 'FALSE' }
VAR${members}END_VAR
BEGIN
END_DATA_BLOCK
`
const program = await loadedProgram(source)
const accesses = ['optimized', 'standard'] as const

/** The value written, the value read afterwards, and the bytes in standard access. */
const values: readonly (readonly [member: string, written: JsonValue, read: JsonValue, bytes?: string])[] = [
  ['bool', true, true],
  ['bool', 'FALSE', false],
  ['byte', 255, 255, 'ff'],
  ['byte', '16#A5', 165, 'a5'],
  ['word', '2#1010', 10, '000a'],
  ['dword', 'DW#16#DEAD_BEEF', 0xdeadbeef, 'deadbeef'],
  ['lword', '16#8000000000000001', '16#8000000000000001', '8000000000000001'],
  ['lword', 5, 5, '0000000000000005'],
  ['sint', -128, -128, '80'],
  ['int', '-5', -5, 'fffb'],
  ['int', '16#FFFF', -1, 'ffff'],
  ['int', 'INT#300', 300, '012c'],
  ['dint', 2147483647, 2147483647, '7fffffff'],
  ['lint', '-9223372036854775808', '-9223372036854775808', '8000000000000000'],
  ['lint', -9007199254740991, -9007199254740991],
  ['usint', 255, 255, 'ff'],
  ['uint', 65535, 65535, 'ffff'],
  ['udint', 4294967295, 4294967295, 'ffffffff'],
  ['ulint', '18446744073709551615', '18446744073709551615', 'ffffffffffffffff'],
  ['real', 0.1, 0.1, '3dcccccd'],
  ['real', '1.5', 1.5, '3fc00000'],
  ['real', 16777217, 16777216],
  ['real', 3.4028234663852886e38, 3.4028235e38, '7f7fffff'],
  ['real', 'NaN', 'NaN'],
  ['real', '-Inf', '-Infinity', 'ff800000'],
  ['lreal', 0.1, 0.1, '3fb999999999999a'],
  ['lreal', 'Infinity', 'Infinity', '7ff0000000000000'],
  ['time', 'T#1s500ms', 'T#1s500ms', '000005dc'],
  ['time', 1500, 'T#1s500ms', '000005dc'],
  ['time', 'T#-24d20h31m23s648ms', 'T#-24d20h31m23s648ms', '80000000'],
  ['time', 0, 'T#0ms', '00000000'],
  ['time', '1m', 'T#1m', '0000ea60'],
  ['ltime', 'LT#1d1ns', 'LT#1d1ns'],
  ['ltime', 0.5, 'LT#500us', '000000000007a120'],
  ['ltime', 'LT#-106751d23h47m16s854ms775us808ns', 'LT#-106751d23h47m16s854ms775us808ns', '8000000000000000'],
  ['s5', 'S5T#2h46m30s', 'S5T#2h46m30s', '3999'],
  ['s5', 1230, 'S5T#1s230ms', '0123'],
  ['s5', '16#0FFF', '16#0FFF', '0fff'],
  ['date', 'D#2024-01-31', 'D#2024-01-31', '30a0'],
  ['date', '1990-01-01', 'D#1990-01-01', '0000'],
  ['date', 'D#2169-06-06', 'D#2169-06-06', 'ffff'],
  ['tod', 'TOD#14:30:00.5', 'TOD#14:30:00.500', '031c8434'],
  ['tod', '14:30', 'TOD#14:30:00', '031c8240'],
  ['tod', '16#FFFFFFFF', '16#FFFFFFFF', 'ffffffff'],
  ['ltod', 'LTOD#23:59:59.999999999', 'LTOD#23:59:59.999999999'],
  ['ltod', '16#FFFFFFFFFFFFFFFF', '16#FFFFFFFFFFFFFFFF', 'ffffffffffffffff'],
  ['dt', 'DT#2024-01-31-14:30:15.123', 'DT#2024-01-31-14:30:15.123', '2401311430151234'],
  ['dt', '1999-12-31T23:59:59Z', 'DT#1999-12-31-23:59:59', '9912312359590006'],
  ['dt', '16#FFFFFFFFFFFFFFFF', '16#FFFFFFFFFFFFFFFF', 'ffffffffffffffff'],
  ['ldt', 'LDT#2262-04-11-23:47:16.854775807', 'LDT#2262-04-11-23:47:16.854775807', '7fffffffffffffff'],
  ['ldt', '2024-01-31 14:30:00.000001', 'LDT#2024-01-31-14:30:00.000001'],
  ['ldt', '16#FFFFFFFFFFFFFFFF', '16#FFFFFFFFFFFFFFFF'],
  ['dtl', 'DTL#2024-01-31-14:30:00.5', 'DTL#2024-01-31-14:30:00.500', '07e8011f040e1e001dcd6500'],
  ['dtl', { YEAR: 2025 }, 'DTL#2025-01-31-14:30:00.500'],
  ['char', 'A', 'A', '41'],
  ['char', "'$0D'", '\r', '0d'],
  ['char', 'ÿ', 'ÿ', 'ff'],
  ['wchar', '€', '€', '20ac'],
  ['text', 'abc', 'abc', '0503616263'],
  ['text', "'a'", "'a'", '0503276127'],
  ['text', '', '', '0500'],
  ['wide', '€uro', '€uro', '0005000420ac00750072006f'],
  ['longText', 'ÄÖÜ, twenty and more characters', 'ÄÖÜ, twenty and more characters'],
  ['longWide', '€ and 𝄞 twenty and more \ud800', '€ and 𝄞 twenty and more \ud800'],
  ['ints', [1, '2', -3], [1, 2, -3], '00010002fffd'],
  [
    'grid',
    [
      [true, false, true],
      [false, false, true],
    ],
    [
      [true, false, true],
      [false, false, true],
    ],
    '25',
  ],
]

for (const access of accesses)
  test(`values of every type are written and read, ${access} access`, async () => {
    const controller = memoryController(program)
    for (const [member, written, read, bytes] of values) {
      const name = `${access}.${member}`
      const [answer] = await writeTags(controller, [{ name, value: written }])
      if (typeof written !== 'object') assert.deepEqual(answer?.value, read, `${name}, as it was written`)
      const [tag] = await readTags(controller, [name])
      assert.deepEqual(tag?.value, read, name)
      assert.equal(tag?.quality, 'Good')
      if (bytes === undefined || access !== 'standard') continue
      const { address } = resolveTag(program, name)
      assert.equal(
        Buffer.from(controller.memory.subarray(address, address + bytes.length / 2)).toString('hex'),
        bytes,
        name,
      )
    }
  })

test('an object changes the members it names, and no others', async () => {
  for (const access of accesses) {
    const controller = memoryController(program)
    const name = `${access}.motor`
    const limits = [
      { low: 1, high: 2 },
      { low: 3, high: 4 },
    ]
    await writeTags(controller, [{ name, value: { speed: 1.5, run: true, limits } }])
    await writeTags(controller, [{ name, value: { SPEED: 2.5 } }])
    const [tag] = await readTags(controller, [name])
    assert.deepEqual(tag?.value, { speed: 2.5, run: true, limits })
  }
})

test('what does not fit is refused with value, type and range', async () => {
  const refused: readonly (readonly [member: string, value: JsonValue, message: RegExp])[] = [
    ['bool', 1, /1 is no value of Bool \(true or false\)/],
    ['bool', 'maybe', /"maybe" is no value of Bool/],
    ['int', 32768, /32768 is no value of Int \(-32768 to 32767\)/],
    ['int', 1.5, /1\.5 is no value of Int/],
    ['int', true, /true is no value of Int/],
    ['int', null, /null is no value of Int/],
    ['int', 'abc', /"abc" is no value of Int/],
    ['int', '9'.repeat(100_000), /"999/],
    ['word', -1, /-1 is no value of Word \(0 to 65535\)/],
    ['usint', '256', /"256" is no value of USInt \(0 to 255\)/],
    ['lint', 9007199254740992, /beyond what JSON numbers hold exactly/],
    ['ulint', '18446744073709551616', /no value of ULInt/],
    ['real', 1e39, /1e\+39 is no value of Real/],
    ['real', 'fast', /"fast" is no value of Real/],
    ['time', 1.5, /1\.5 is no value of Time \(T#-24d/],
    ['time', 'T#30d', /"T#30d" is no value of Time/],
    ['s5', 9_990_001, /9990001 is no value of S5Time/],
    ['date', 'D#2023-02-29', /no value of Date \(D#1990-01-01 to D#2169-06-06\)/],
    ['date', 5, /5 is no value of Date/],
    ['tod', 'TOD#24:00:00', /no value of Time_Of_Day/],
    ['dt', 'DT#2090-01-01-00:00:00', /no value of Date_And_Time \(DT#1990/],
    ['dtl', 'DTL#1969-01-01-00:00:00', /no value of DTL/],
    ['dtl', '2024-02-30T00:00', /no value of DTL/],
    ['char', 'ab', /"ab" is no value of Char/],
    ['char', '€', /"€" is no value of Char/],
    ['char', 65, /65 is no value of Char/],
    ['text', 'abcdef', /6 characters does not fit into String\[5\]/],
    ['text', 'a€', /Character 2 of "a€" is none of String\[5\]/],
    ['wide', 5, /5 is no value of WString\[5\]/],
    ['ints', [1, 2], /2 elements does not fit \(an array of 3 elements, 1 to 3\)/],
    ['ints', [1, 2, 'x'], /\.ints\[3\]: "x" is no value of Int/],
    ['grid', [[true], [true]], /\.grid\[0\]: An array of 1 elements does not fit \(an array of 3 elements, -1 to 1\)/],
    [
      'grid',
      [
        [true, true, true],
        [true, 5, true],
      ],
      /\.grid\[1,0\]: 5 is no value of Bool/,
    ],
    ['motor', 5, /5 is no value of Struct/],
    ['motor', { sped: 1 }, /no member "sped" \(did you mean "speed"\?\)/],
    ['motor', { limits: [{ low: 1 }, { high: 99999 }] }, /\.motor\.limits\[1\]\.high: 99999 is no value of Int/],
  ]
  for (const access of accesses) {
    const controller = memoryController(program)
    const before = controller.memory.slice()
    for (const [member, value, message] of refused) {
      const call = writeTags(controller, [{ name: `${access}.${member}`, value }])
      await fails(call, 'unacceptable_content', message)
    }
    assert.deepEqual(controller.memory, before)
  }
})

test('a bit is written and nothing beside it', async () => {
  const controller = memoryController(program)
  const { address } = resolveTag(program, 'standard.grid')
  controller.memory[address] = 0xff
  await writeTags(controller, [{ name: 'standard.grid[0,0]', value: false }])
  assert.equal(controller.memory[address], 0xfd)
  // Six bits belong to the array, two are unused.
  await writeTags(controller, [{ name: 'standard.grid', value: [new Array(3).fill(false), new Array(3).fill(false)] }])
  assert.equal(controller.memory[address], 0xc0)
})

test('whatever stands in memory is read, and written back it is the same value', async () => {
  const names = accesses.flatMap((access) => values.map(([member]) => `${access}.${member}`))
  const tags = [...new Set(names)].map((name) => resolveTag(program, name))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tags), fc.uint8Array({ minLength: 16, maxLength: 16 }), async (tag, noise) => {
      const bytes = new Uint8Array(tag.size)
      for (let i = 0; i < bytes.length; i++) bytes[i] = noise[i % 16] ?? 0
      const value = readValue(tag, bytes)
      JSON.stringify(value)
      const controller = memoryController(program)
      for (const { address, bytes: written, mask } of writeValue(tag, JSON.parse(JSON.stringify(value)))) {
        for (const [i, byte] of written.entries())
          controller.memory[address + i] =
            ((controller.memory[address + i] ?? 0) & ~(mask ?? 255)) | (byte & (mask ?? 255))
      }
      const again = controller.memory.slice(tag.address, tag.address + tag.size)
      assert.deepEqual(readValue(tag, again), value, tag.name)
    }),
    { numRuns: 3000 },
  )
})

test('members that are called as properties of objects in JavaScript are members', async () => {
  const odd = await loadedProgram(
    'DATA_BLOCK "Odd"\nVAR\n  "__proto__" : Int := 3;\n  "constructor" : Bool;\n  "toString" : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n',
  )
  const controller = memoryController(odd)
  const read = async () => JSON.stringify((await readTags(controller, ['Odd']))[0]?.value)
  assert.equal(await read(), '{"__proto__":3,"constructor":false,"toString":0}')
  const value = JSON.parse('{"__proto__":4,"toString":5}') as JsonValue
  await writeTags(controller, [{ name: 'Odd', value }])
  assert.equal(await read(), '{"__proto__":4,"constructor":false,"toString":5}')
  const wrong = writeTags(controller, [{ name: 'Odd', value: { valueOf: 1 } }])
  await fails(wrong, 'unacceptable_content', /Struct has no member "valueOf"/)
})

test('any JSON value is written or refused', () => {
  const tags = accesses.flatMap((access) => values.map(([member]) => resolveTag(program, `${access}.${member}`)))
  fc.assert(
    fc.property(fc.constantFrom(...tags), fc.jsonValue({ maxDepth: 2 }), (tag, value) => {
      try {
        for (const { address, bytes } of writeValue(tag, value as JsonValue)) {
          assert.ok(address >= tag.writeAddress && address + bytes.length <= tag.writeAddress + tag.size)
        }
      } catch (error) {
        if (!isGatewayError(error)) throw error
        assert.equal(error.code, 'unacceptable_content')
      }
    }),
    { numRuns: 2000 },
  )
})
