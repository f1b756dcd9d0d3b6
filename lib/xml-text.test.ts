import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeAttribute, escapeText, hasForbiddenCharacters } from './xml-text.ts'

test('characters with a meaning in XML are escaped, in attributes also quotes and line breaks', () => {
  const text = '<a b="c" d=\'e\'> & \u00e4\r\n\t\u{1f600}'
  assert.equal(escapeText(text), '&lt;a b="c" d=\'e\'&gt; &amp; \u00e4&#xD;\n\t\u{1f600}')
  assert.equal(escapeAttribute(text), "&lt;a b=&quot;c&quot; d='e'&gt; &amp; \u00e4&#xD;&#xA;&#x9;\u{1f600}")
  for (const escaped of [escapeText(''), escapeAttribute('')]) assert.equal(escaped, '')
})

test('characters that XML cannot contain are found each time, and become U+FFFD', () => {
  const allowed = ['\t', '\n', '\r', ' ', '\u007f', '\u0085', '\u009f', '\ud7ff', '\ufffd', '\u{10000}']
  const not = ['\0', '\u0008', '\u000b', '\u001f', '\ud800', '\udfff', '\ufffe', '\uffff', '\udc00\ud800']
  for (let turn = 0; turn < 2; turn++) {
    for (const one of allowed) assert.equal(hasForbiddenCharacters(`a${one}`), false, JSON.stringify(one))
    for (const one of not) assert.equal(hasForbiddenCharacters(`a${one}`), true, JSON.stringify(one))
  }
  assert.equal(escapeText('\0<\ud800'), '\ufffd&lt;\ufffd')
  assert.equal(escapeAttribute('\0"\uffff'), '\ufffd&quot;\ufffd')
})
