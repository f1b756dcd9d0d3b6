/** Tables of names, numbers and types, each row as it is found (`fixtures/tables.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { coveringInteger, dataTypeNames, elementaryType, holds, parseElementaryType } from './data-type.ts'
import {
  classOf,
  classOfNumber,
  eventClasses,
  eventClassNamed,
  eventOfStandardName,
  firstNumberOf,
  numberFault,
  numbersOfClass,
} from './event-classes.ts'
import { isReservedWord, keywordAt, keywordTexts } from './keywords.ts'
import {
  canonicalTypeName,
  declaredName,
  isBuiltInType,
  isPlainIdentifier,
  isWideSpace,
  memberName,
  unquoted,
} from './names.ts'
import { isProgramObjectKind, sectionNamed } from './object.ts'
import { systemPinType } from './system-pins.ts'

function events(): string[] {
  const controllerGroups = ['S7-300/400', 'S7-1200/1500'] as const
  const faults = [
    [35, 'ProgramCycle'],
    [50, 'ProgramCycle'],
    [200, 'ProgramCycle', 'S7-300/400'],
    [101, 'Startup'],
    [101, 'Startup', 'S7-1200/1500'],
    [87, 'CommunicationError', 'S7-1200/1500'],
    [57, 'Status'],
    [9, 'Other'],
  ] as const
  const numbers = [1, 9, 10, 17, 18, 20, 23, 24, 30, 38, 39, 40, 47, 48, 55, 56, 57, 61, 64, 65, 70, 72, 80, 88, 89]
  const more = [90, 91, 92, 93, 99, 100, 102, 103, 121, 122, 123, 200, 0, -1]
  const names = [
    'Main',
    'main_1',
    'Startup',
    'Neustart',
    'Warm Restart 2',
    'Weckalarm',
    'Cyclic interrupt_12',
    '"Zeitfehler"',
    'I/O access error',
  ]
  const counted = [
    'TOD_INT3',
    'TOD_INT9',
    'DEL_INT0',
    'DEL_INT4',
    'CYC_INT5',
    'CYC_INT9',
    'HW_INT7',
    'SYNC_1',
    'SYNC_5',
    'OB1',
    'ob_100',
    'OB 35',
    'OB0',
    'OB65535',
    'OB65536',
    'OB123456',
    'MyMain',
    '',
  ]
  return [
    ...[...numbers, ...more].map((number) => `OB ${number}: ${classOfNumber(number)}, else ${classOf(number)}`),
    ...eventClasses.map(
      ({ name, numbers: [from, to] }) =>
        `${name}: ${from} to ${to}, first ${firstNumberOf(name)}, ${eventClassNamed(name.toUpperCase())}`,
    ),
    ...eventClasses.flatMap(({ name }) =>
      controllerGroups.map((group) => `${name} in ${group}: ${numbersOfClass(name, group).join(' and ') || 'none'}`),
    ),
    ...faults.map(
      ([number, name, group]) => `OB ${number} as ${name} in ${group ?? 'any'}: ${numberFault(number, name, group)}`,
    ),
    `none: ${firstNumberOf('Other')} ${eventClassNamed('Other')}`,
    ...[...names, ...counted].map((name) => `name ${name}: ${JSON.stringify(eventOfStandardName(name))}`),
  ]
}

function types(): string[] {
  const texts = [
    'bool',
    ' Real ',
    'TOD',
    'ltod',
    'dt',
    'DATE_AND_LTIME',
    'String',
    'String[1]',
    'string[ 254 ]',
    'String[0]',
    'String[255]',
    'WString[16382]',
    'WString[16383]',
    'Int[5]',
    'Array',
    '',
  ]
  const integers = ['SInt', 'USInt', 'Int', 'UInt', 'DInt', 'UDInt', 'LInt', 'ULInt']
  const shown = (name: string) => {
    const type = parseElementaryType(name)
    return type === undefined
      ? 'none'
      : `${type.name} ${type.family} ${type.bits} ${type.range?.join('..') ?? ''} ${type.length ?? ''}`.trim()
  }
  return [
    ...dataTypeNames.map((name) => `${name}: ${shown(name)}`),
    ...texts.map((text) => `"${text}": ${shown(text)}`),
    ...integers.map(
      (one) =>
        `${one} with ${integers.map((other) => `${other} ${coveringInteger(elementaryType(one), elementaryType(other))?.name ?? '-'}`).join(', ')}`,
    ),
    ...integers.map(
      (one) =>
        `${one} holds ${integers.filter((other) => holds(elementaryType(one), elementaryType(other))).join(' ')}`,
    ),
  ]
}

function words(): string[] {
  const names = [
    'a',
    '_',
    'a1',
    '1a',
    'ä',
    'a b',
    'a-b',
    'a\u00a0b',
    '日本',
    'IF',
    'Int',
    'TOD',
    'Motor',
    'dtl',
    'Void',
  ]
  const quoted = ['"a"', '"a', 'a"', '"', '""', 'a']
  const spaces = [
    0x20, 0x9f, 0xa0, 0xa1, 0x1680, 0x1681, 0x1fff, 0x2000, 0x200a, 0x200b, 0x2027, 0x2028, 0x2029, 0x202a, 0x202f,
    0x205f, 0x2060, 0x3000, 0x3001, 0xfeff, 0xff00,
  ]
  return [
    ...names.map(
      (name) =>
        `${name}: ${isPlainIdentifier(name) ? 'plain' : 'not plain'}, ${memberName(name)}, ${declaredName(name)}, ${isReservedWord(name) ? 'reserved' : 'free'}, ${isBuiltInType(name) ? canonicalTypeName(name) : 'no type'}`,
    ),
    ...quoted.map((text) => `unquoted ${text}: ${unquoted(text)}`),
    `spaces: ${spaces
      .filter(isWideSpace)
      .map((code) => code.toString(16))
      .join(' ')}`,
    ...['input', ' Static ', 'VAR_INPUT', 'var constant', 'VAR_TEMP', 'VAR', 'none', 'Other'].map(
      (text) => `section ${text}: ${sectionNamed(text)}`,
    ),
    ...['OB', 'UDT', 'WatchTable', 'Hmi.Screen.Screen', 'ob'].map(
      (kind) => `kind ${kind}: ${isProgramObjectKind(kind)}`,
    ),
    ...[
      'SCALE IN',
      'SCALE HI_LIM',
      'scale in',
      'UNSCALE IN',
      'MOVE_BLK_VARIANT COUNT',
      'TON PT',
      'TON Q',
      'CTU PV',
      'Other IN',
      'SCALE Other',
    ].map((text) => {
      const [block = '', pin = ''] = text.split(' ')
      return `pin ${text}: ${systemPinType(block, pin)}`
    }),
  ]
}

test('tables of events, types and words', () => {
  const lines = Object.entries({ events, types, words }).flatMap(([name, made]) => [`── ${name}`, ...made()])
  assertRecorded(import.meta.url, 'tables.txt', `${lines.join('\n')}\n`)
})

test('each keyword is found in any case, inside of a text, and nothing else is', () => {
  for (const [id, word] of keywordTexts.entries()) {
    if (id === 0) continue
    for (const text of [word, word.toLowerCase()]) {
      assert.equal(keywordAt(`x ${text};`, 2, 2 + text.length), id, text)
      assert.equal(keywordAt(`${text}_`, 0, text.length + 1), 0)
      assert.equal(
        keywordAt(text, 0, text.length - 1),
        keywordTexts.indexOf(word.slice(0, -1) as never) === -1 ? 0 : keywordTexts.indexOf(word.slice(0, -1) as never),
      )
    }
  }
})
