import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText, keepJsonText } from './json-text.ts'

test('the text of a kept value is made once, that of others each time', () => {
  let made = 0
  const value = () => ({
    toJSON() {
      made++
      return { made }
    },
  })
  const kept = keepJsonText(value())
  assert.deepEqual([jsonText(kept), jsonText(kept)], ['{"made":1}', '{"made":1}'])
  const other = value()
  assert.deepEqual([jsonText(other), jsonText(other)], ['{"made":2}', '{"made":3}'])
  assert.deepEqual([jsonText(undefined), jsonText(null), jsonText('a')], [undefined, 'null', '"a"'])
})
