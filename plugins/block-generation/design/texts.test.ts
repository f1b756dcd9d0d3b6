/** The marks of a person, and expressions of a design as SCL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../core/index.ts'
import { type NamedModule, translated } from './expression.ts'
import { userTexts, withUserTexts } from './regions.ts'

test('texts between marks go into the new text; those without a place are told', () => {
  const old =
    'a\n  // <user one>\n  x := 1;\n  // </user>\n// <user two>\n\n// </user>\n// <user Three.Four>\ny;\n// </user>'
  const kept = userTexts(old)
  assert.deepEqual(
    [...kept],
    [
      ['one', ['  x := 1;']],
      ['three.four', ['y;']],
    ],
  )
  const { text, lost, kept: names } = withUserTexts('b\n// <user ONE>\n// </user>\nc', kept)
  assert.equal(text, 'b\n// <user ONE>\n  x := 1;\n// </user>\nc')
  assert.deepEqual([names, lost], [['one'], [{ name: 'three.four', text: 'y;' }]])
  // What was kept is found again, and the text is as it was.
  assert.equal(withUserTexts('b\n// <user ONE>\n// </user>\nc', userTexts(text)).text, text)
  // A region without an end has no text.
  assert.equal(userTexts('// <user one>\nx;').size, 0)
})

test('names of modules become members; literals, tags, functions and texts stay', () => {
  const level: NamedModule = { name: 'Level', readable: ['value', 'fault'] }
  const released: NamedModule = { name: 'Released', readable: ['ok'], itself: 'ok' }
  const own = new Map([
    ['level', level],
    ['released', released],
  ])
  const units = new Map([['silo', { name: 'Silo', dataBlock: 'Silo_DB', modules: new Map([['level', level]]) }]])
  const scl = (text: string) => {
    const faults: Fault[] = []
    const out = translated(text, '/x', { own, units }, faults)
    return faults.length === 0 ? out : faults.map(({ path, message }) => `${path}: ${message}`)
  }
  assert.equal(scl('level.Value > 20.0 and not RELEASED'), '#Level.value > 20.0 AND NOT #Released.ok')
  assert.equal(scl('"Level".x OR ABS(Level.value) < 1.5E3'), '"Level".x OR ABS(#Level.value) < 1.5E3')
  assert.equal(scl('Silo.Level.fault XOR #mine'), '"Silo_DB".Level.fault XOR #mine')
  assert.equal(scl('"T".ET >= T#5s_200ms OR 16#FF = INT#3'), '"T".ET >= T#5s_200ms OR 16#FF = INT#3')
  assert.match(String(scl('Levle.value > 1.0')), /no module "Levle"; did you mean Level\?/)
  assert.match(String(scl('Silo.Levle.value')), /no module "Silo.Levle"/)
  assert.match(String(scl('Level')), /say which of its values/)
  assert.match(String(scl('Level.valu')), /did you mean value\?/)
  assert.match(String(scl('Level.value.x')), /has no value value\.x/)
  assert.match(String(scl('Level.value >')), /^\/x: /)
  assert.match(String(scl('TRUE; "a" := FALSE')), /^\/x: /)
})
