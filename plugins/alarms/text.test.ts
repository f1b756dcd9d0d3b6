import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAlarmText, textIn } from './text.ts'

const lists = [{ name: 'Modes', entries: [{ from: 0, to: 2, text: { 'en-US': 'low', 'de-DE': 'niedrig' } }] }]
const value = (type: string, raw: number | boolean | string, shown: unknown = raw) => ({
  type,
  raw,
  value: shown as never,
})
const show = (text: string, ...values: ReturnType<typeof value>[]) => formatAlarmText(text, values, lists, ['en-US'])

test('associated values are formatted as in alarm texts of TIA Portal', () => {
  assert.equal(show('at @1%d@ of @2%d@', value('Int', 5), value('DInt', -7)), 'at 5 of -7')
  assert.equal(show('[@1%4d@] [@1%4X@] [@1%8b@]', value('Int', 10)), '[  10] [000A] [00001010]')
  assert.equal(show('@1%X@ @1%u@ @1W%X@ @1X%X@', value('Int', -1)), 'FFFF 65535 FFFF FFFFFFFF')
  assert.equal(show('@1I%d@ @1D%d@', value('Word', 0xffff)), '-1 65535')
  assert.equal(show('@1%5.1f@|@1R%.2f@|@1%f@', value('Real', 2.345)), '  2.3|2.35|2.345')
  assert.equal(
    show('@1%s@ and @2%s@', value('String', 'north'), value('Time', 1500, 'T#1s500ms')),
    'north and T#1s500ms',
  )
  assert.equal(show('@1%u@ @1%d@', value('LInt', '9007199254740993')), '9007199254740993 9007199254740993')
  assert.equal(show('@1B%d@', value('Bool', true)), '1')
  assert.equal(show('@1%t#Modes@ @2%t#modes@ @1%t#None@', value('USInt', 2), value('Int', 3)), 'low ### ###')
  assert.equal(show('@10%d@ @1%d@ a@b.c 100%', value('String', 'x')), '### ### a@b.c 100%')
})

test('a text is of the first wanted language that has one', () => {
  const texts = { 'de-DE': 'heiß', 'en-US': 'hot' }
  assert.deepEqual(
    [textIn(texts, ['en-us']), textIn(texts, ['fr-FR']), textIn({}, ['en-US'])],
    ['hot', 'heiß', undefined],
  )
})
