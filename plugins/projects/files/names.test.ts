import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileNameOf, projectNameFault } from './names.ts'
import { pathPattern } from './tree.ts'

test('ordinary names are file names as they are', () => {
  for (const name of ['PLC_1', 'Füller 2', 'a.b', 'FB_Motor [1]', '語', "it's", 'console', 'com10'])
    assert.equal(fileNameOf(name), name)
})

test('what file systems refuse is percent-encoded', () => {
  const cases: [string, string][] = [
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['100%', '100%25'],
    ['..', '%2E%2E'],
    ['.git', '%2Egit'],
    ['end.', 'end%2E'],
    ['end ', 'end%20'],
    ['CON', '%43ON'],
    ['nul.txt', '%6Eul.txt'],
    ['Aux .scl', '%41ux .scl'],
    ['conin$', '%63onin$'],
    ['tab\t', 'tab%09'],
    ['a:b*c?d"e<f>g|h', 'a%3Ab%2Ac%3Fd%22e%3Cf%3Eg%7Ch'],
  ]
  for (const [name, expected] of cases) assert.equal(fileNameOf(name), expected)
})

test('any name makes a safe file name, and different names different ones', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(name, name, (a, b) => {
      const file = fileNameOf(a)
      assert.ok(Buffer.byteLength(file) <= 180)
      assert.doesNotMatch(file, /[/\\:*?"<>|]|^\.|[. ]$/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be there
      assert.doesNotMatch(file, /[\u0000-\u001f\u007f]/)
      if (a !== b) assert.notEqual(fileNameOf(b), file)
    }),
  )
})

test('a project that gets its name has the same file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (name) => {
      if (projectNameFault(name) === undefined) assert.equal(fileNameOf(name), name)
    }),
  )
  for (const good of ['Line 1', 'a.b', 'Füller', 'x'.repeat(128)]) assert.equal(projectNameFault(good), undefined)
})

test('patterns of paths', () => {
  const yes: [string, string][] = [
    ['devices/*/device.json', 'devices/PLC [1]/device.json'],
    ['devices/*/blocks/**/*.scl', 'devices/a/blocks/x.scl'],
    ['devices/*/blocks/**/*.scl', 'devices/a/blocks/b/c/x.y.scl'],
    ['.gantry/cdc/*.csv', '.gantry/cdc/a.csv'],
    ['all/**', 'all/a/b'],
  ]
  const no: [string, string][] = [
    ['devices/*/device.json', 'devices/a/b/device.json'],
    ['devices/*/device.json', 'devices/a/deviceXjson'],
    ['devices/*/blocks/**/*.scl', 'devices/a/blocksx.scl'],
    ['.gantry/cdc/*.csv', 'xgantry/cdc/a.csv'],
    ['.gantry/cdc/*.csv', 'b/.gantry/cdc/a.csv'],
  ]
  for (const [pattern, path] of yes) assert.match(path, pathPattern(pattern))
  for (const [pattern, path] of no) assert.doesNotMatch(path, pathPattern(pattern))
})
