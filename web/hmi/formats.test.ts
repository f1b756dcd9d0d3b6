import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf } from '../../plugins/hmi/items/value-formats.ts'
import { editedText, readText, shownText } from './formats.ts'
import { historyColumns } from './trend-history.ts'

const made = (properties: Record<string, string | number | boolean>, dataType: string) => {
  const { format, fault } = formatOf(properties, dataType)
  assert.equal(fault, undefined)
  return format
}
const decimal = (formatPattern: string | number, more = {}) => ({ dataFormat: 'Decimal', formatPattern, ...more })

test('a field shows its value by the pattern of its format', () => {
  const cases: readonly [Record<string, string | number | boolean>, string, unknown, string][] = [
    [decimal(99.99), 'Real', 12.345, '12.35'],
    [decimal('99.99'), 'Real', 112.3, '#####'],
    [decimal('99.99'), 'Real', -1.5, '#####'],
    [decimal('99.99'), 'Real', -0.001, '0.00'],
    [decimal('s99.9'), 'Real', -1.5, '-1.5'],
    [decimal('s999'), 'Int', -45, '-45'],
    [decimal('99999'), 'Int', 12.6, '13'],
    [decimal('99999', { showLeadingZeros: true }), 'Int', 42, '00042'],
    [decimal('999.99', { shiftDecimalPoint: 2 }), 'Int', 12345, '123.45'],
    [decimal('', { shiftDecimalPoint: 1 }), 'Int', 5, '0.5'],
    [decimal('9'), 'Bool', true, '1'],
    [decimal('99999999999999999999'), 'ULInt', '18446744073709551615', '18446744073709551615'],
    [{ dataFormat: 'Hexadecimal', formatPattern: 'FFFF' }, 'Int', -1, 'FFFF'],
    [{ dataFormat: 'Hexadecimal', formatPattern: 'FFFF' }, 'Word', 26, '001A'],
    [{ dataFormat: 'Hexadecimal', formatPattern: 'FF' }, 'Word', 4096, '##'],
    [{ dataFormat: 'Binary', formatPattern: '11111111' }, 'Byte', 5, '00000101'],
    [{ dataFormat: 'Hexadecimal' }, 'LWord', '18446744073709551615', 'FFFFFFFFFFFFFFFF'],
    [{ outputFormat: '{F2} °C' }, 'Real', 3, '3.00 °C'],
    [{ outputFormat: '{F,1}' }, 'Real', 500, '500.0'],
    [{ outputFormat: '{I}' }, 'Real', 2.6, '3'],
    [{ outputFormat: '{I4}' }, 'Int', 42, '0042'],
    [{ outputFormat: '{I2}' }, 'Int', 1234, '1234'],
    [{ outputFormat: 'h {H4}' }, 'Word', 26, 'h 001A'],
    [{ outputFormat: '{B8}' }, 'Byte', 5, '00000101'],
    [{ outputFormat: '{O}' }, 'Word', 8, '10'],
    [{ outputFormat: '{E2}' }, 'LReal', 12345, '1.23e+4'],
    [{ outputFormat: '{S3}' }, 'String[10]', 'abcdef', 'abc'],
    [{ dataFormat: 'Date' }, 'Date', 'D#2024-05-01', '05/01/2024'],
    [{ dataFormat: 'Time' }, 'Time_Of_Day', 'TOD#07:08:09.5', '07:08:09'],
    [{ dataFormat: 'Date/time' }, 'DTL', 'DTL#2024-05-01-07:08:09.5', '05/01/2024, 07:08:09'],
    [{ dataFormat: 'Time' }, 'Time', 'T#5s', 'T#5s'],
  ]
  for (const [properties, type, value, shown] of cases)
    assert.equal(shownText(made(properties, type), value, 'en-US'), shown, `${JSON.stringify(properties)} of ${type}`)
  const german = made(decimal('999.9'), 'Real')
  assert.deepEqual(
    [shownText(german, 1.5, 'de-DE'), shownText(undefined, 1.5, 'de-DE'), shownText(german, null, 'de-DE')],
    ['1,5', '1,5', ''],
  )
  assert.equal(shownText(made({ dataFormat: 'Date' }, 'Date'), 'D#2024-05-01', 'de-DE'), '01.05.2024')
})

test('a format that is not known, or does not fit the type, is told', () => {
  const cases: readonly [Record<string, string>, string, RegExp][] = [
    [{ outputFormat: '{Q2}' }, 'Real', /"\{Q2\}" is not known/],
    [{ outputFormat: '{F2' }, 'Real', /not known/],
    [{ dataFormat: 'Roman' }, 'Int', /"Roman" is not known/],
    [{ dataFormat: 'Decimal', formatPattern: '9a9' }, 'Int', /"9a9" is not known/],
    [{ dataFormat: 'Hexadecimal', formatPattern: 'FF' }, 'Real', /Hexadecimal "FF" does not fit Real/],
    [{ dataFormat: 'Decimal', formatPattern: '999' }, 'String', /does not fit String/],
    [{ dataFormat: 'Decimal', formatPattern: '999' }, '"Motor"', /does not fit "Motor"/],
    [{ dataFormat: 'Date' }, 'Int', /Date does not fit Int/],
  ]
  for (const [properties, type, told] of cases) assert.match(formatOf(properties, type).fault ?? '', told)
  assert.deepEqual([formatOf({}, 'Int'), formatOf({ dataFormat: 'Decimal' }, 'Int')], [{}, {}])
})

test('what is typed is read as the culture and the format have it; what is none says what would be right', () => {
  const read = (text: string, type: string, culture = 'en-US', properties = {}, unit = '') => {
    const found = readText(formatOf(properties, type).format, text, type, culture, unit)
    return 'value' in found ? found.value : `${found.fault}: ${found.hint}`
  }
  assert.equal(read('12.5', 'Real'), 12.5)
  assert.equal(read('12,5', 'Real'), 'is no number: 12.5')
  assert.equal(read('12,5', 'Real', 'de-DE'), 12.5)
  assert.equal(read('12.5', 'Real', 'de-DE'), 12.5)
  assert.equal(read('-1e3', 'LReal'), -1000)
  assert.equal(read('abc', 'Int', 'de-DE'), 'is no number: 12,5')
  assert.equal(read('', 'Int'), 'is no number: 12.5')
  assert.equal(read(' 12.5 °C ', 'Real', 'en-US', {}, ' °C'), 12.5)
  assert.equal(read('9.5 °C', 'Real', 'en-US', { outputFormat: '{F2} °C' }), 9.5)
  assert.equal(read('16#FF', 'Int'), '16#FF')
  assert.equal(read('T#5s', 'Time'), 'T#5s')
  assert.equal(read('12345678901234567', 'LInt'), '12345678901234567')
  assert.equal(read('on', 'Bool'), true)
  assert.equal(read('0', 'Bool'), false)
  assert.equal(read('maybe', 'Bool'), 'is no truth value: 1, 0, TRUE, FALSE')
  assert.equal(read('12,5', 'String'), '12,5')
  const hex = { dataFormat: 'Hexadecimal', formatPattern: 'FFFF' }
  assert.deepEqual([read('1a', 'Word', 'en-US', hex), read('FFFF', 'Int', 'en-US', hex)], [26, -1])
  assert.equal(read('1G', 'Word', 'en-US', hex), 'has other digits: 1F')
  assert.equal(read('FFFFFFFFFFFFFFFF', 'LWord', 'en-US', hex), '18446744073709551615')
  assert.equal(read('102', 'Byte', 'en-US', { dataFormat: 'Binary' }), 'has other digits: 1010')
  assert.equal(read('123.45', 'Int', 'en-US', decimal('999.99', { shiftDecimalPoint: 2 })), 12345)
})

test('a field offers the value without what is around it, and whole where it does not fit', () => {
  assert.equal(editedText(made({ outputFormat: '{F2} °C' }, 'Real'), 9.5, 'en-US'), '9.50')
  assert.equal(editedText(made(decimal('99.9'), 'Real'), 1234.5, 'de-DE'), '1234,5')
  assert.equal(editedText(made({ dataFormat: 'Date' }, 'Date'), 'D#2024-05-01', 'de-DE'), 'D#2024-05-01')
  assert.equal(editedText(undefined, 1.5, 'de-DE'), '1,5')
  assert.equal(editedText(made(decimal('99'), 'Int'), null, 'de-DE'), '')
})

test('what was recorded of several controllers is one line for each variable', () => {
  const recorded = [
    {
      variable: 4,
      now: 1000,
      points: [
        [600, 1],
        [850, 2],
      ] as const,
    },
    {
      variable: 9,
      now: 5000,
      points: [
        [4700, 7],
        [4950, 8],
      ] as const,
    },
  ]
  assert.deepEqual(historyColumns([4, 9], recorded, 1000), [
    [0.6, 0.7, 0.85, 0.95],
    [1, 1, 2, 2],
    [null, 7, 7, 8],
  ])
  // Nothing was recorded for a while: the line ends.
  const gap = [
    {
      variable: 4,
      now: 9000,
      points: [
        [0, 1],
        [9000, 2],
      ] as const,
    },
    { ...recorded[1]!, now: 9000 },
  ]
  assert.deepEqual(historyColumns([4, 9], gap, 9000)[1], [1, null, null, 2])
})
