import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, readDefinitions } from './definitions.ts'

const texts = { 'en-US': 'hot', 'de-DE': 'heiß' }
const whole = {
  classes: [{ name: 'Errors', needsAcknowledgement: true, priority: 3 }],
  alarms: [
    { block: 'FB', member: 'a', alarmClass: 'Errors', text: texts, infoText: texts, additionalTexts: [texts, {}] },
    { instance: 'DB.a' },
  ],
  textLists: [{ name: 'L', number: 2, entries: [{ from: 0, to: 5, text: texts }] }],
  ownSupervisions: [
    {
      ...{ block: 'FB', dataType: 'Motor', alarmClass: 'C', number: '1', type: 'Operand', operand: '#a', status: true },
      ...{ delay: 'T#1s', conditions: [{ operand: '#b', status: false }], category: '2', values: ['#c'], text: texts },
    },
  ],
}

/** All places in JSON: the holder, the key, and the way there without indexes. */
function* placesIn(data: object, way = ''): Generator<[holder: Record<string, unknown>, key: string, way: string]> {
  for (const [key, value] of Object.entries(data)) {
    const at = Array.isArray(data) ? way : `${way}/${key}`
    yield [data as Record<string, unknown>, key, at]
    if (typeof value === 'object' && value !== null) yield* placesIn(value, at)
  }
}

test('definitions of a memory card are taken whole, or not at all when a field is missing or of another kind', () => {
  assert.deepEqual(readDefinitions(whole), whole)
  assert.deepEqual(readDefinitions({}), { classes: [], alarms: [], textLists: [], ownSupervisions: [] })
  for (const wrong of [null, 5, 'x', []]) assert.equal(readDefinitions(wrong), undefined)
  const optional =
    /^\/(classes|alarms|textLists|ownSupervisions)$|\/(alarmClass|text|infoText|additionalTexts|number|block|dataType|instance)$/
  const needed = /textLists\/entries\/text$|ownSupervisions\/(number|text)$|^\/alarms\/(block|instance)$/
  for (const [i, [holder, key, way]] of [...placesIn(whole)].entries()) {
    /** What is read when the place is changed. */
    const changed = (change: (of: Record<string, unknown>, field: string) => void) => {
      const copy = structuredClone(whole)
      const [of, field] = [...placesIn(copy)][i]!
      change(of, field)
      return readDefinitions(copy)
    }
    for (const wrong of [null, 0.5])
      assert.equal(
        changed((of, field) => Object.assign(of, { [field]: wrong })),
        undefined,
        way,
      )
    if (Array.isArray(holder) || /text\/|infoText\/|additionalTexts\//i.test(way)) continue
    const isFree = optional.test(way) && !needed.test(way)
    assert.equal(changed(Reflect.deleteProperty) !== undefined, isFree, `${way} without ${key}`)
  }
})

test('one alarm of a block or of an instance replaces the other of its place, whatever case and quotes', () => {
  const keys = (...paths: string[]) => paths.map((instance) => keyOf({ instance }))
  assert.deepEqual(
    [
      { block: 'FB', member: 'A' },
      { block: 'fb', member: 'a', instance: 'DB.A' },
    ].map(keyOf),
    ['fb.a', '"db".a'],
  )
  assert.deepEqual(keys('Db.S[2].a', '"DB"."s"[2].A', ' "db" . s [ 2 ] . a'), Array(3).fill('"db".s[2].a'))
  // A data block may have a dot in its name, and an alarm may be the whole data block.
  assert.deepEqual(keys('"a.b".c', 'a.b.c', '"a"', 'A', 'Two words.x'), [
    '"a.b".c',
    '"a".b.c',
    '"a"',
    '"a"',
    '"two words".x',
  ])
})
