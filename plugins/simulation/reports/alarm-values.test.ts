import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmValueView } from './alarm-values.ts'

test('associated values are shown as tags of their type are, and whole numbers beyond 2^53 stay texts', () => {
  const shown = [
    ['Bool', true, true],
    ['Int', -5, -5],
    ['Real', 1.5, 1.5],
    ['LInt', '-12', -12],
    ['LInt', '9007199254740991', 9007199254740991],
    ['LInt', '9007199254740993', '9007199254740993'],
    ['Time', -1500, 'T#-1s500ms'],
    ['LTime', '1500000000', 'LT#1s500ms'],
    ['S5Time', 0x2002, 'S5T#2s'],
    ['Date', 1, 'D#1990-01-02'],
    ['Time_Of_Day', 3_600_000, 'TOD#01:00:00'],
    ['Word', 255, 255],
    ['Motor', 'M1', 'M1'],
    ['Motor', '12', '12'],
  ] as const
  for (const [type, value, view] of shown)
    assert.deepEqual(alarmValueView({ type, value }), { type, value: view, raw: value }, type)
})
