import assert from 'node:assert/strict'
import { posix, win32 } from 'node:path'
import { test } from 'node:test'
import { pathBelow } from './path-below.ts'

test('what is in a folder, by the rules of both systems', () => {
  const cases: [folder: string, at: string, inside: string | undefined][] = [
    ['/a', '/a', ''],
    ['/a', '/a/b/c', 'b/c'],
    ['/a/', '/a/..b', '..b'],
    ['/a', '/a/..b/c', '..b/c'],
    ['/', '/a', 'a'],
    ['/a', '/', undefined],
    ['/a', '/ab', undefined],
    ['/a/b', '/a/c', undefined],
    ['/a', '/a/../b', undefined],
  ]
  for (const [folder, at, inside] of cases) {
    assert.equal(pathBelow(folder, at, posix), inside, `${folder} ${at}`)
    assert.equal(pathBelow(`C:${folder}`, `C:${at}`, win32), inside?.replaceAll('/', '\\'), `C:${folder} C:${at}`)
  }
  assert.equal(pathBelow('C:\\plant', 'c:\\Plant\\Main.scl', win32), 'Main.scl')
  for (const [folder, at] of [
    ['C:\\plant', 'Z:\\plant\\Main.scl'],
    ['C:\\', 'D:\\'],
    ['C:\\plant', '\\\\host\\plant\\Main.scl'],
    ['\\\\host\\plant', 'C:\\plant\\Main.scl'],
    ['\\\\host\\plant', '\\\\other\\plant\\Main.scl'],
  ] as const)
    assert.equal(pathBelow(folder, at, win32), undefined, `${folder} ${at}`)
})
