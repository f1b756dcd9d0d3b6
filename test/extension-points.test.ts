/** Every extension point: its declaration, its name, and what it refuses. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { corePoints } from '../core/contract/core-points.ts'
import type { ExtensionPoint } from '../core/index.ts'
import { shapeFaults } from '../core/plugins/contribution-check.ts'
import * as exported from '../plugins/points.ts'
import { filesBelow, repositoryRoot } from './imports.ts'

const points = Object.entries(exported) as [constant: string, point: ExtensionPoint<unknown>][]

test('all points that are declared are exported', () => {
  const declared = [...filesBelow('core'), ...filesBelow('plugins')]
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/ (\w+) = extensionPoint</g)])
    .map(([, constant]) => constant)
  assert.deepEqual(points.map(([constant]) => constant).sort(), declared.sort())
  for (const point of corePoints)
    assert.ok(
      points.some(([, one]) => one === point),
      point.id,
    )
})

for (const [constant, point] of points)
  test(`${point.id} is named by the scheme, refuses what it cannot use and takes its example`, () => {
    assert.equal(point.constant, constant)
    const [owner = '', noun = ''] = point.id.split('.')
    assert.ok(['core', 'mcp', ...readdirSync(new URL('../plugins', import.meta.url))].includes(owner), owner)
    assert.match(noun, /^[a-z]+(-[a-z]+)*s$/)
    for (const wrong of [{}, undefined, null, 'text', 1])
      assert.notDeepEqual(shapeFaults(point.check, wrong, 'value'), [], String(wrong))
    // Functions that an example only names.
    const named = 'capture documentOf obstacles freeName freeNumber changed store current compare fileOf readFile'
    const example = new Function(...named.split(' '), `return (${point.example})`) as (...given: unknown[]) => unknown
    const value = example(...named.split(' ').map(() => () => undefined))
    assert.deepEqual(shapeFaults(point.check, value, 'value'), [])
  })

test('a fault says what is there and what would be right', () => {
  const { check } = exported.catalogSource
  assert.deepEqual(shapeFaults(check, { entries: 1, find() {}, fils() {} }, 'value'), [
    'value.entries must be a function, not 1',
    'value.files is missing: it must be a function',
    'value.fils is not known (did you mean "files"?)',
  ])
})
