import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textIn } from './multilingual-text.ts'

test('the text of the wanted culture, else the first one that says something', () => {
  const text = { 'de-DE': 'hallo', 'en-US': 'hello', 'fr-FR': '' }
  assert.deepEqual(
    [textIn(text, 'en-US'), textIn(text, 'fr-FR'), textIn(text, undefined), textIn({}, undefined)],
    ['hello', 'hallo', 'hallo', ''],
  )
})
