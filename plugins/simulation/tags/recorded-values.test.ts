/**
 * Values of every type as they are shown and taken: in each display format of watch tables, and in JSON. What is
 * recorded in fixtures/ follows docs/plc-semantics.md#durations-and-dates and the formats of Openness.
 */
import { test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram } from '../../../test/tag-memory.ts'
import type { MemoryWrite } from '../controller/contract.ts'
import { readValue, writeValue } from './batch.ts'
import { formatValue, parseModifyValue } from './display.ts'
import { resolveTag } from './resolve.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import type { JsonValue } from './value-fault.ts'

const types = {
  ...{ Bool: 1, Byte: 1, Word: 2, DWord: 4, LWord: 8, SInt: 1, USInt: 1, Int: 2, UInt: 2, DInt: 4, UDInt: 4 },
  ...{ LInt: 8, ULInt: 8, Real: 4, LReal: 8, Time: 4, LTime: 8, S5Time: 2, Date: 2, Time_Of_Day: 4, LTime_Of_Day: 8 },
  ...{ LDT: 8, Date_And_Time: 8, DTL: 12, Char: 1, WChar: 2, 'String[4]': 6, 'WString[3]': 10 },
} as const
type Type = keyof typeof types
const memberOf = (type: string) => type.replace(/\W/g, '_')
const members = Object.keys(types).map((type) => `  m${memberOf(type)} : ${type};`)
const program = await loadedProgram(`
DATA_BLOCK "Values"
{ S7_Optimized_Access := 'FALSE' }
VAR
${members.join('\n')}
  list : Array[0..2] of Int;
  pair : Struct
    first : Int;
    second : Bool;
  END_STRUCT;
END_VAR
BEGIN
END_DATA_BLOCK
`)
const tagOf = (type: string): ResolvedTag => resolveTag(program, `Values.m${memberOf(type)}`)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const formats = [
  ...['Undef', 'Bool', 'Hex', 'Bin', 'Octal', 'DEC_signed', 'DEC_unsigned', 'Block_number', 'Float', 'BCD', 'Counter'],
  ...['Character_sequence', 'DEC_sequence', 'Time', 'SIMATIC_Time', 'Date', 'TIME_OF_DAY', 'DATE_AND_TIME'],
  ...['Character', 'Unicode_character', 'String'],
]

/** What each name comes to, those of the same together: `Hex Bin: a`; those as the first one are `others`. */
function grouped(names: readonly string[], of: (name: string) => string): string[] {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const text = of(name)
    groups.set(text, [...(groups.get(text) ?? []), name])
  }
  const rest = of(names[0] ?? '')
  return [...groups].map(([text, group]) => `${text === rest ? 'others' : group.join(' ')}: ${text}`).reverse()
}

/** What a call that writes ends with: the bytes by their places in the tag, or the fault. */
function written(tag: ResolvedTag, write: () => readonly MemoryWrite[]): string {
  try {
    const parts = write().map(({ address, bytes, mask }) => {
      const at = address - tag.writeAddress
      return `${at === 0 ? '' : `+${at} `}${hex(bytes)}${mask === undefined ? '' : ` mask ${mask}`}`
    })
    return parts.join(', ')
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'unacceptable_content') throw error
    return error.message
      .replace(' Nothing was written.', '')
      .replace(/^[\w.]+: /, '')
      .replace(/^(?:"(?:[^"\\]|\\.)*…?"?|\S+)(?= is no value of )/, '…')
  }
}

/** Bytes of each width: 0, 1, all ones, the sign alone, BCD digits, letters, and what no date is. */
const patterns: Readonly<Record<number, readonly string[]>> = {
  1: ['00', '01', '7f', '80', 'ff', '41', '27', '24', '0a', '45'],
  2: ['0000', '0001', '7fff', '8000', 'ffff', '0123', 'f123', '1234', '0a23', '3999', '4000', '4142', '000a', '30a0'],
  4: [
    '00000000',
    '00000001',
    '7fffffff',
    '80000000',
    'ffffffff',
    '3fc00000',
    '7f800000',
    '41200000',
    '00001388',
  ].concat(['0526b2ff', '05265c00', '05265bff', '01234567', 'f0000012', '41424344', '3dcccccd']),
  6: ['040041424344', '040241244344', '04ff41274344', '0400000000', '040401020304'],
  8: ['0000000000000000', '0000000000000001', '7fffffffffffffff', '8000000000000000', 'ffffffffffffffff'].concat(
    ['2401311430151234', '9912312359599999', '8902282359590001', '9002282359590001', '2402302359590001'],
    ['2413011430151234', '2401312430151234', '2401311460151234', '2401311430601234', '2a01311430151234'],
    ['24013114301512a4', '2401311430150a04', '240131143015003f', '240131143015100f'],
    ['3ff8000000000000', '7ff0000000000000', '001fffffffffffff', '0020000000000000', '00004e94914effff'],
    ['00004e94914f0000', '17a8d0b9c1e8f400', '00000000000f4240', '00000000000003e8', '0012345678901234'],
  ),
  10: ['00030000000000000000', '00030002004120ac0042', '0003000300270024000a', '0003ffff004100420043'],
  12: [
    ...['07e8011f040e1e001dcd6500', '07e8021f040e1e0000000000', '07b2010105000000000003e8', '08d60c1f06173b3b3b9ac9ff'],
    ...['08d70c1f06173b3b3b9ac9ff', '07b10c1f06173b3b3b9ac9ff', '07e8011f04181e001dcd6500', '07e8011f040e3c001dcd6500'],
    ...['07e8011f040e1e3c1dcd6500', '07e8011f040e1e003b9aca00', '07e8001f040e1e001dcd6500', '07e8011f040e1e0000000001'],
  ],
}

test('bytes of every type are shown in every display format as recorded', () => {
  const lines: string[] = []
  const known = new Set<number>()
  for (const [type, size] of Object.entries(types)) {
    const tag = tagOf(type)
    for (const [i, pattern] of (patterns[size] ?? []).entries()) {
      const bytes = Uint8Array.from(Buffer.from(pattern, 'hex'))
      const json = JSON.stringify(readValue(tag, bytes))
      // The formats show the bits alike, whatever the type: those of the second value tell that.
      const shown = known.has(size) && i !== 1 ? ['Undef'] : formats
      const texts = grouped(shown, (format) => formatValue(tag, bytes, format))
      lines.push(`${type} ${pattern} = ${json} | ${texts.join(' | ')}`)
    }
    if (type !== 'Bool') known.add(size)
  }
  assertRecorded(import.meta.url, 'shown.txt', `${lines.join('\n')}\n`)
})

/** Texts that somebody writes into a row: digits alone, with the prefix of a base, constants of other types. */
const texts = {
  whole: ['', '0', '1', '10', '8', '-1', '+5', '127', '-128', '128', '255', '256', '-32769', '65536', '4294967296'],
  large: ['9223372036854775808', '18446744073709551615', '18446744073709551616', '123456789012345678901'],
  based: ['FF', '16#FF', '2#101', '8#17', '16#1_0000', 'W#16#F', 'G', '1_0', 'C#99', 'C#1000'],
  real: ['1.5', '-2.5e3', '1e39', 'NaN', 'INF'],
  times: ['T#1s', '1s', 'LT#5us', 'S5T#2s', 'D#2024-02-29', '2024-02-30', 'TOD#23:59:59.999', '14:30', 'LTOD#1:2:3'],
  dates: ['DT#2024-01-31-14:30:15.123', 'LDT#2024-01-31-14:30:15', 'DTL#2024-01-31-14:30:15.5', '2024-01-31T14:30:15Z'],
  letters: ["'A'", 'A', "'AB'", "'$27'", "'$20AC'", '€', "STRING#'ab'", "'$$$'$N$L$P$R$T'", "'abcde'"],
  truths: ['TRUE', 'false', 'BOOL#1', 'yes'],
}
const allTexts = Object.values(texts).flat()
const textsOf: Readonly<Partial<Record<Type, readonly string[]>>> = {
  ...Object.fromEntries(
    (['Bool', 'Byte', 'Word', 'DWord', 'Int', 'Real', 'Time', 'Date', 'DTL'] as const).map((type) => [type, allTexts]),
  ),
  LWord: [...allTexts, `16#${'0'.repeat(300)}`],
  LReal: [...texts.real, '9'.repeat(201)],
  ...{
    Char: texts.letters,
    WChar: texts.letters,
    'String[4]': [...texts.letters, ''],
    'WString[3]': [...texts.letters, ''],
  },
}

test('texts are taken into every type in every display format as recorded', () => {
  const lines: string[] = []
  for (const [type, texts] of Object.entries(textsOf)) {
    const tag = tagOf(type)
    for (const text of texts) {
      const of = (format: string) => written(tag, () => parseModifyValue(tag, text, format))
      lines.push(`${type} ${shown(text)} | ${grouped(formats, of).join(' | ')}`)
    }
  }
  for (const name of ['Values.list', 'Values.pair', 'Values.list[1]', 'Values.pair.second', '%C3', '%T3']) {
    const tag = resolveTag(program, name)
    for (const text of ['1', 'C#12', '1000']) {
      const of = (format: string) => written(tag, () => parseModifyValue(tag, text, format))
      lines.push(`${name} ${text} | ${grouped(formats, of).join(' | ')}`)
    }
  }
  // What every format refuses in the words of the type is in written.txt.
  const told = lines.filter((line) => !/^\S+ "[^|]*" \| others: … is no value of /.test(line))
  assertRecorded(import.meta.url, 'taken.txt', `${told.join('\n')}\n`)
})

/** A value in JSON; of a long one its beginning. */
function shown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 5)}…` : text
}

const jsonValues: readonly JsonValue[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65535, 65536],
  ...[2147483647, 2147483648, -2147483648, -2147483649, 4294967295, 4294967296, 86399999, 86400000, 9990, 9990001],
  ...[9007199254740991, 9007199254740992, -9007199254740991, 1e20, 3.4e38, 3.5e38, 0.0000005],
  ...['', ' true ', 'bool#0', 'NaN', '+inf', '-Infinity', '16#00000000000000000F', '16#', '16#0FFF', '16#FFFFFFFF'],
  ...['24:00:00', '23:59:59.9999999999', '1990-1-1', '1989-12-31', '2169-06-06', '2169-06-07', '5d', '1.5h', '-2ms'],
  ...['DT#1989-12-31-23:59:59', '2089-12-31 23:59:59.999', '2090-01-01 00:00', '16#FFFFFFFFFFFFFFFF', 'x'.repeat(101)],
  ...['2262-04-11-23:47:16.854775807', '2262-04-11-23:47:16.854775808', 'DTL#2263-01-01-00:00:00', '1969-12-31 0:00'],
  ...['Ā', 'ÿ', 'ab', 'abcd', 'abcde', [], [1], {}, { YEAR: 2024 }, { year: 1 }, { YEAR: 70000 }],
]

test('JSON values are written into every type as recorded', () => {
  const byText = new Map(jsonValues.map((value) => [shown(value), value]))
  const lines = Object.keys(types).map((type) => {
    const tag = tagOf(type)
    const of = (text: string) => written(tag, () => writeValue(tag, byText.get(text) ?? null))
    return [type, ...grouped([...byText.keys()], of)].join('\n  ')
  })
  assertRecorded(import.meta.url, 'written.txt', `${lines.join('\n')}\n`)
})
