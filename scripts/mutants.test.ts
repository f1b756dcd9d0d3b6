import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutantsOf } from './mutants.ts'

function changed(code: string): string[] {
  return mutantsOf(code).map(({ start, end, text }) => code.slice(0, start) + text + code.slice(end))
}

test('operators, numbers, conditions and statements are changed one at a time', () => {
  assert.deepEqual(changed('const a = b + 2 * c'), [
    'const a = b - 2 * c',
    'const a = b + 3 * c',
    'const a = b + 2 / c',
  ])
  assert.deepEqual(changed('if (a < b) f()'), ['if (!(a < b)) f()', 'if (a <= b) f()', 'if (a < b) ;'])
  assert.deepEqual(changed('const a = !b?.c'), ['const a = b?.c', 'const a = !b.c'])
  assert.deepEqual(changed('const a = b.filter(c)'), ['const a = b'])
  assert.deepEqual(changed('const a = [b].some(c)'), ['const a = [].some(c)', 'const a = [b].every(c)'])
  assert.deepEqual(changed('export const a = () => b ?? true'), [
    'export const a = () => b && true',
    'export const a = () => b ?? false',
  ])
})

test('texts and imports stay as they are', () => {
  assert.deepEqual(changed("import { a } from './a.js'\nconst b = 'x' + a + `y`"), [])
})
