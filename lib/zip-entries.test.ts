import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipEntryFault } from './zip-entries.ts'

const faultOf = (fileName: string, mode = 0, encrypted = false) =>
  zipEntryFault({ fileName, externalFileAttributes: (mode << 16) >>> 0, isEncrypted: () => encrypted })

test('files and folders with a plain path are taken, with and without a mode', () => {
  for (const [path, mode] of [
    ['a.txt', 0],
    ['a/b.txt', 0o100644],
    ['a/..b/.c', 0o100600],
    ['a/', 0o040755],
  ] as const)
    assert.equal(faultOf(path, mode), undefined, path)
})

test('every other kind is named', () => {
  assert.equal(faultOf('a', 0o120777), 'is a symbolic link')
  assert.equal(faultOf('a', 0o060600), 'is a device')
  assert.equal(faultOf('a', 0o020600), 'is a device')
  assert.equal(faultOf('a', 0o010600), 'is a pipe')
  assert.equal(faultOf('a', 0o140600), 'is a socket')
  assert.equal(faultOf('a', 0o150600), 'is neither a file nor a folder')
  assert.equal(faultOf('a', 0o100600, true), 'is encrypted')
  for (const path of ['', '/a', 'a//b', './a', 'a/../b', '..', 'a//'])
    assert.equal(faultOf(path), 'has a path that is not allowed', path)
})
