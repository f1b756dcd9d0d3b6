import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledConverter, StationModel } from '../../plugins/hmi/station-model.ts'
import { colour, convert, entryOf, inLanguage, isOn, numberOf, textOf } from './convert.ts'

test('values as truth values, numbers and texts', () => {
  const cases: readonly [value: unknown, on: boolean, number: number, text: string][] = [
    [true, true, 1, 'true'],
    [false, false, 0, 'false'],
    [1, true, 1, '1'],
    [0, false, 0, '0'],
    [-3, true, -3, '-3'],
    [0.1 + 0.2, true, 0.1 + 0.2, '0.3'],
    [123456.789, true, 123456.789, '123456.8'],
    [1.5e21, true, 1.5e21, '1.5e+21'],
    ['true', true, Number.NaN, 'true'],
    ['1', true, 1, '1'],
    ['2', false, 2, '2'],
    ['0', false, 0, '0'],
    ['', false, 0, ''],
    ['T#5s', false, Number.NaN, 'T#5s'],
    [null, false, 0, ''],
    [undefined, false, Number.NaN, ''],
    [[1, { a: 2 }], false, Number.NaN, '[1,{"a":2}]'],
  ]
  for (const [value, on, number, text] of cases) {
    const title = JSON.stringify(value)
    assert.equal(isOn(value), on, title)
    assert.equal(numberOf(value), number, title)
    assert.equal(textOf(value), text, title)
  }
})

test('a text is that of the language, else the first', () => {
  assert.equal(inLanguage({ 'en-US': 'Pump', 'de-DE': 'Pumpe' }, 'de-DE'), 'Pumpe')
  assert.equal(inLanguage({ 'en-US': 'Pump', 'de-DE': 'Pumpe' }, 'fr-FR'), 'Pump')
  assert.equal(inLanguage({ 'en-US': '', 'de-DE': 'Pumpe' }, 'en-US'), '')
  assert.equal(inLanguage({}, 'de-DE'), '')
  assert.equal(inLanguage(undefined, 'de-DE'), '')
})

const entries = [
  { from: 0, to: 9, isDefault: true, text: { en: 'other' }, graphic: 'Other' },
  { from: 1, to: 1, isDefault: false, text: { en: 'one', de: 'eins' }, graphic: 'One' },
  { from: 2, to: 4, isDefault: false, text: { en: 'some' }, graphic: 'Some' },
]

test('the entry of a list is the first that has the value, else its default', () => {
  const found = (value: unknown) => entryOf(entries, value)?.graphic
  assert.deepEqual([0, 1, 2, 3, 4, 5, -1, true, '3', 'x'].map(found), [
    ...['Other', 'One', 'Some', 'Some', 'Some', 'Other', 'Other', 'One', 'Some', 'Other'],
  ])
  assert.equal(entryOf(entries.slice(1), 0), undefined)
  assert.equal(entryOf(undefined, 1), undefined)
})

test('each converter gives the value of a property', () => {
  const model = {
    textLists: { states: entries, few: entries.slice(1) },
    graphicLists: { signs: entries, few: entries.slice(1) },
  } as unknown as StationModel
  const lit = { kind: 'switch', on: 'lit', off: 'dark' } as const
  const ranges = {
    kind: 'ranges',
    ranges: [
      { from: 0, to: 10, value: 'low' },
      { from: 10, to: 20, value: 'high' },
    ],
  } as const
  const cases: readonly [CompiledConverter | undefined, unknown, unknown][] = [
    [undefined, 'as it is', 'as it is'],
    [lit, true, 'lit'],
    [lit, 0, 'dark'],
    [lit, 'false', 'dark'],
    // A bit of a number, of a negative one too, and of what is no number.
    [{ ...lit, bit: 0 }, 1, 'lit'],
    [{ ...lit, bit: 0 }, 2, 'dark'],
    [{ ...lit, bit: 1 }, 2, 'lit'],
    [{ ...lit, bit: 1 }, 1, 'dark'],
    [{ ...lit, bit: 3 }, 0x18, 'lit'],
    [{ ...lit, bit: 2 }, 0x18, 'dark'],
    [{ ...lit, bit: 31 }, 0x8000_0000, 'lit'],
    [{ ...lit, bit: 40 }, 2 ** 40, 'lit'],
    [{ ...lit, bit: 15 }, -1, 'lit'],
    [{ ...lit, bit: 0 }, -2, 'dark'],
    [{ ...lit, bit: 0 }, true, 'lit'],
    [{ ...lit, bit: 0 }, 'T#5s', 'dark'],
    [{ kind: 'scale', factor: 0.5, offset: 10 }, 20, 20],
    [{ kind: 'scale', factor: 2, offset: -1 }, '4', 7],
    [ranges, -1, undefined],
    [ranges, 0, 'low'],
    [ranges, 10, 'low'],
    [ranges, 10.5, 'high'],
    [ranges, 20, 'high'],
    [ranges, 20.1, undefined],
    [{ ...ranges, otherwise: 'else' }, 21, 'else'],
    [{ kind: 'list', of: 'text', list: 'states' }, 1, 'eins'],
    [{ kind: 'list', of: 'text', list: 'states' }, 3, 'some'],
    [{ kind: 'list', of: 'text', list: 'few' }, 9, ''],
    [{ kind: 'list', of: 'text', list: 'none' }, 1, ''],
    [{ kind: 'list', of: 'graphic', list: 'signs' }, 3, 'Some'],
    [{ kind: 'list', of: 'graphic', list: 'few' }, 9, undefined],
    [{ kind: 'format', decimals: 2, prefix: '', suffix: ' bar' }, 1.005, '1,00 bar'],
    [{ kind: 'format', decimals: 0, prefix: '~', suffix: '' }, 2.5, '~3'],
    [{ kind: 'format', decimals: 2, prefix: '<', suffix: '>' }, 'T#5s', '<T#5s>'],
    [{ kind: 'format', prefix: '', suffix: ' %' }, 0.1 + 0.2, '0,3 %'],
    [{ kind: 'format', prefix: '', suffix: ' %' }, null, ' %'],
  ]
  for (const [converter, value, expected] of cases)
    assert.deepEqual(convert(converter, value, model, 'de'), expected, JSON.stringify([converter, value]))
})

test('colours are those of TIA Portal or of CSS', () => {
  const cases: readonly [unknown, string][] = [
    ['255, 0, 128', 'rgb(255, 0, 128)'],
    ['1,2,3', 'rgb(1, 2, 3)'],
    ['#12ab34', '#12ab34'],
    ['1, 2, 3, 4', '1, 2, 3, 4'],
    ['x1, 2, 3', 'x1, 2, 3'],
    ['', 'grey'],
    [7, 'grey'],
    [undefined, 'grey'],
  ]
  for (const [value, expected] of cases) assert.equal(colour(value, 'grey'), expected, String(value))
})
