/** Every format for values of every kind (fixtures/formats.txt): `Int -2 d: -2`. */
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { formatAlarmText } from './text.ts'

const values: Readonly<Record<string, readonly (number | boolean | string)[]>> = {
  Bool: [true, false],
  Byte: [0xc8],
  Word: [0xfffe],
  DWord: [0xfffffffe],
  LWord: ['18446744073709551614'],
  SInt: [-2],
  USInt: [200],
  Int: [-2],
  UInt: [65534],
  DInt: [-2],
  UDInt: [4294967294],
  LInt: ['-2'],
  ULInt: ['18446744073709551614'],
  Date: [12784],
  S5Time: [0x2127],
  Time: [-1500],
  Char: ['A'],
  WChar: ['ß'],
  String: ['12', 'ab'],
  Real: [2.75, -2.25, Number.NaN, Number.POSITIVE_INFINITY],
}
const formats = ['d', '5d', 'u', 'X', '6X', 'b', '12b', 'f', '8f', '.2f', '8.1f', 's', '6s', 't#Modes']
const lists = [
  {
    name: 'Modes',
    entries: [
      { from: -2, to: 0, text: { 'en-US': 'low' } },
      { from: 1, to: 2, text: { 'en-US': '', 'de-DE': 'mittel' } },
      { from: 3, to: 3, text: {} },
    ],
  },
]

test('each format for a value of each type', () => {
  const told: string[] = []
  for (const [type, raws] of Object.entries(values))
    for (const raw of raws) {
      const show = (field: string) =>
        formatAlarmText(`@1${field}@`, [{ type, raw, value: `<${raw}>` as never }], lists, ['en-US'])
      const plain = formats.map((format) => `${format} ${show(`%${format}`)}`)
      const elements = [...'BYWXCIDR'].map((one) => `${one} ${['d', 'u', 'X', 's'].map((f) => show(`${one}%${f}`))}`)
      told.push(`${type} ${raw}`, `  ${plain.join(' | ')}`, `  ${elements.join(' | ')}`)
    }
  assertRecorded(import.meta.url, 'formats.txt', `${told.join('\n')}\n`)
})
