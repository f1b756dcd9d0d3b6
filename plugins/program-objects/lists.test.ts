/** Names, folders and pages of objects, beside plain models of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from '../../core/index.ts'
import { isInside, levelOf, segmentsOf, treeOf } from './folders.ts'
import { nameFault, requireName } from './names/names.ts'
import { type PageRequest, pageOf, pageOfRows } from './paging.ts'

/** Code, message and faults of a refusal. */
function refusalOf(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return [error.code, error.message, ...(error.details.errors ?? []).map(({ path, message }) => `${path} ${message}`)]
  }
  return undefined
}

test('a name fits between double quotes on one line', () => {
  for (const [name, fault] of [
    ['Motor', undefined],
    ['Motor 1.a/ä', undefined],
    ['😀', undefined],
    ['x'.repeat(125), undefined],
    ['x'.repeat(126), 'has 126 characters; at most 125 are allowed'],
    ['', 'must not be empty'],
    ['  ', 'must not be empty'],
    [' a', 'must not begin or end with a blank'],
    ['a ', 'must not begin or end with a blank'],
    ['a"b', 'must not contain "\\""'],
    ['a\nb', 'must not contain "\\n"'],
    ['a\u0085b', 'must not contain "\u0085"'],
    ['a\ud800', 'has half of a surrogate pair, which is not a character'],
  ] as const)
    assert.equal(nameFault(name), fault, JSON.stringify(name))
  assert.equal(
    refusalOf(() => requireName('Motor', '/name', 'block')),
    undefined,
  )
  assert.deepEqual(
    refusalOf(() => requireName('a"', '/newName', 'tag')),
    [
      'invalid_input',
      '/newName: "a\\"" cannot be the name of a tag: it must not contain "\\"".',
      '/newName must not contain "\\""',
    ],
  )
})

test('a path of folders: either slash, no blanks around names, nothing that no folder can have', () => {
  for (const [path, segments] of [
    ['A', ['A']],
    ['/A/B/', ['A', 'B']],
    ['//A\\B\\\\', ['A', 'B']],
    [' A / B ', ['A', 'B']],
    [`A${'/A'.repeat(19)}`, Array(20).fill('A')],
    ['x'.repeat(128), ['x'.repeat(128)]],
    ['.a', ['.a']],
  ] as const)
    assert.deepEqual(segmentsOf(path, '/folder'), segments)
  for (const [path, fault] of [
    ['x/'.repeat(501), 'has 1002 characters; at most 1000 are allowed'],
    [`A${'/A'.repeat(20)}`, 'is 21 folders deep; at most 20 are allowed'],
    ['A//B', 'has an empty name in it; write A/B'],
    ['', 'has an empty name in it; write A/B'],
    ['A/ /B', 'has an empty name in it; write A/B'],
    ['x'.repeat(129), 'has a name of more than 128 characters'],
    ['A/..', 'has a name that no folder can have (., .. or control characters)'],
    ['./A', 'has a name that no folder can have (., .. or control characters)'],
    ['A/b\tc', 'has a name that no folder can have (., .. or control characters)'],
    ['A/\ud800', 'has a name that no folder can have (., .. or control characters)'],
  ] as const)
    assert.deepEqual(
      refusalOf(() => segmentsOf(path, '/folder')),
      ['invalid_input', `/folder: "${path}" is not a folder path: it ${fault}.`, `/folder ${fault}`],
    )
  assert.equal(segmentsOf('x/'.repeat(20).padEnd(1000, '/'), '/folder').length, 20)
})

test('what is in a folder, without regard to case', () => {
  for (const [path, folder, is] of [
    ['A/B', 'a', true],
    ['A', 'a', true],
    ['AB', 'A', false],
    ['A', 'A/B', false],
    ['X/A', 'A', false],
  ] as const)
    assert.equal(isInside(path, folder), is, `${path} in ${folder}`)
})

const folders = ['A', 'A/B', 'a/b/C', 'D'].map((path) => ({ deviceId: 'd', path }))
const objects = [
  { name: 'z', folder: '' },
  { name: 'M', folder: 'A/b' },
  { name: 'l', folder: 'A/B' },
  { name: 'K', folder: 'D' },
  { name: 'lost', folder: 'Gone/X' },
  { name: 'Y', folder: '' },
]

test('the tree of folders, each with folders first, then objects by name; what is in no folder is in the root', () => {
  const folder = (name: string, path: string, children: unknown[]) => ({ name, path, isFolder: true, children })
  assert.deepEqual(
    treeOf(folders, objects, ({ name }) => name),
    [
      folder('A', 'A', [folder('B', 'A/B', [folder('C', 'a/b/C', []), 'l', 'M'])]),
      folder('D', 'D', ['K']),
      ...['lost', 'Y', 'z'],
    ],
  )
  assert.deepEqual(
    treeOf([{ deviceId: 'd', path: 'X/Y' }], [], () => 0),
    [folder('Y', 'X/Y', [])],
    'a folder without its parent',
  )
  const level = (inside: string) => {
    const found = levelOf(folders, objects, inside)
    return [found.folders.map(({ name, path }) => `${name} ${path}`), found.leaves.map(({ name }) => name)]
  }
  assert.deepEqual(level(''), [
    ['A A', 'D D'],
    ['lost', 'Y', 'z'],
  ])
  assert.deepEqual(level('a'), [['B A/B'], []])
  assert.deepEqual(level('A/b'), [['C a/b/C'], ['l', 'M']])
  assert.deepEqual(level('a/B/c'), [[], []])
  assert.deepEqual(level('d'), [[], ['K']])
})

test('pages of any size, with any search, are together the list by name', () => {
  const all = ['delta', 'Alpha', 'beta', 'ALARM', 'gamma', 'Beta 2', 'alpha'].map((name, i) => ({ name, i }))
  for (const pages of [pageOf, pageOfRows])
    for (const q of [undefined, '', 'AL', 'beta', 'zzz'])
      for (const limit of [undefined, 1, 2, 3, 7, 8]) {
        const wanted = all
          .map(({ name }) => name)
          .filter((name) => name.toLowerCase().includes((q ?? '').toLowerCase()))
          .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0))
        let request: PageRequest = { ...(q === undefined ? {} : { q }), ...(limit === undefined ? {} : { limit }) }
        const what = `${pages.name} of ${JSON.stringify(request)}`
        const first = pages(all, request)
        assert.equal(first.total, wanted.length, what)
        assert.deepEqual(
          first.page.map(({ name }) => name),
          wanted.slice(0, limit ?? wanted.length),
          what,
        )
        assert.equal(first.nextCursor, (limit ?? 9) < wanted.length ? wanted[(limit ?? 9) - 1] : undefined, what)
        // Names that differ only in case are one place of a cursor.
        const seen = new Set(first.page.map(({ name }) => name.toLowerCase()))
        for (let cursor = first.nextCursor; cursor !== undefined; ) {
          request = { ...request, cursor: cursor.toUpperCase() }
          const next = pages(all, request)
          for (const { name } of next.page) seen.add(name.toLowerCase())
          cursor = next.nextCursor
          assert.equal(next.total, wanted.length, what)
        }
        assert.deepEqual([...seen], [...new Set(wanted.map((name) => name.toLowerCase()))], what)
      }
})
