import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileSources } from '../compile-sources.ts'
import { type LabelRange, repeatedLabels } from './case-labels.ts'

test('a label is repeated when an earlier one has one of its values', () => {
  const label = fc
    .tuple(fc.integer({ min: -12, max: 12 }), fc.nat(5))
    .map(([a, n]): LabelRange => [BigInt(a), BigInt(a + n)])
  fc.assert(
    fc.property(fc.array(label, { maxLength: 20 }), (labels) => {
      const expected = labels.flatMap(([from, to], i) =>
        labels.slice(0, i).some(([low, high]) => from <= high && low <= to) ? [i] : [],
      )
      assert.deepEqual(repeatedLabels(labels), expected)
    }),
  )
})

test('each label is looked at as often, however many there are', () => {
  const looks = (count: number) => {
    let looked = 0
    const labels = Array.from({ length: count }, (_, i) => {
      const value = BigInt((i * 7919) % count)
      return new Proxy([value, value + 3n] as LabelRange, {
        get(target, key) {
          looked++
          return Reflect.get(target, key)
        },
      })
    })
    repeatedLabels(labels)
    return looked / count
  }
  assert.equal(looks(4000), looks(500))
})

test('a CASE with 65 000 labels compiles', () => {
  const branches = Array.from({ length: 65_000 }, (_, i) => `${(i * 7919) % 65_000}: #q := ${i};`).join('\n')
  const compiled = compileSources(`FUNCTION "F" : Void
VAR_INPUT x : DInt; END_VAR
VAR_OUTPUT q : DInt; END_VAR
BEGIN
CASE #x OF
${branches}
END_CASE;
END_FUNCTION
`)
  assert.equal(compiled.ok, true, JSON.stringify(compiled).slice(0, 500))
})
