/** Two texts compared: whole diffs with their counts, and texts that have too little in common. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diffTexts } from './diff.task.ts'

const diff = (from: string, to: string, context = 3) =>
  diffTexts({ from: { title: 'Main (then)', text: from }, to: { title: 'Main (now)', text: to }, context })
const lines = (count: number, text = 'line') => Array.from({ length: count }, (_, i) => `${text} ${i + 1}\n`).join('')

test('equal but for line ends and a byte order mark is no difference', async () => {
  assert.deepEqual(await diff('a\r\nb\r\n', '\uFEFFa\nb\n'), { diff: '', added: 0, removed: 0 })
  assert.deepEqual(await diff('', ''), { diff: '', added: 0, removed: 0 })
})

test('changes with the lines around them, counted', async () => {
  assert.deepEqual(await diff(lines(9), lines(9).replace('line 5\n', '+ five\n- five\n'), 1), {
    diff: [
      '--- Main (then)',
      '+++ Main (now)',
      '@@ -4,3 +4,4 @@',
      ' line 4',
      '-line 5',
      '++ five',
      '+- five',
      ' line 6',
      '',
    ].join('\n'),
    added: 2,
    removed: 1,
  })
  const { diff: none, ...counts } = await diff('a\nb', 'a\n', 0)
  assert.equal(none, '--- Main (then)\n+++ Main (now)\n@@ -2,1 +1,0 @@\n-b\n\\ No newline at end of file\n')
  assert.deepEqual(counts, { added: 0, removed: 1 })
})

test('more than 20 000 changed lines have no diff; all lines count', async () => {
  assert.equal((await diff('', lines(20_000))).added, 20_000)
  assert.deepEqual(await diff('', lines(20_001)), { added: 20_001, removed: 0 })
  assert.deepEqual(await diff(`${lines(20_001)}end`, 'x'), { added: 1, removed: 20_002 })
})
