/** Objects of stations as libraries keep them: what they refer to, their names exchanged, two of them compared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptFault, variablesIn } from '../compile/script-check.ts'
import { compareData } from './library-compare.ts'
import { libraryKinds } from './library-kinds.ts'
import { type ObjectData, renamedUses, usesOf } from './library-uses.ts'

/** A screen that refers to everything that one can refer to. */
const screen = {
  content: {
    template: 'Frame',
    items: [
      {
        name: 'Part',
        links: { type: 'Valve', screen: 'Overview', text: 'no name' },
        bindings: [],
        events: [],
      },
    ],
  },
  objects: [
    {
      name: 'Lamp',
      links: {
        picture: 'Red',
        graphic: 'Red',
        pictureList: 'Colours',
        graphicList: 'More',
        textList: 'Words',
        faceplate: 'Face',
      },
      bindings: [
        { property: 'fill', tag: 'x', params: { list: 'Steps', on: 'Red' } },
        { property: 'left', tag: 'y' },
      ],
      events: [{ name: 'click', actions: [{ function: 'MyScript' }, { function: 'SetBit' }] }],
    },
  ],
} as unknown as ObjectData
const list = {
  content: { entries: [{ graphic: 'One' }, { graphic: '' }, { graphic: 'one' }] },
} as unknown as ObjectData
const words = { content: { entries: [{ text: 'graphic' }] } } as unknown as ObjectData

test('what an object refers to: its own links, lists of converters, scripts; not screens and system functions', () => {
  assert.deepEqual(usesOf(screen), [
    ...['Frame', 'Valve', 'Red', 'Colours', 'More', 'Words', 'Face', 'Steps', 'MyScript'],
  ])
  assert.deepEqual(usesOf(list), ['One'])
  assert.deepEqual(usesOf(words), [])
})

test('names are exchanged wherever they refer to an object, whatever their case', () => {
  assert.equal(renamedUses(screen, []), screen)
  const pairs = ['frame', 'valve', 'red', 'steps', 'myscript', 'overview', 'setbit', 'x'].map(
    (name) => [name, `${name}2`] as const,
  )
  const { content, objects } = renamedUses(screen, pairs) as unknown as typeof screen & {
    content: { template: string; items: { links: object }[] }
    objects: { links: Record<string, string>; bindings: { params?: object }[]; events: { actions: object[] }[] }[]
  }
  assert.equal(content.template, 'frame2')
  assert.deepEqual(content.items[0]?.links, { type: 'valve2', screen: 'Overview', text: 'no name' })
  assert.deepEqual(
    [objects[0]?.links.picture, objects[0]?.links.graphic, objects[0]?.links.textList],
    ['red2', 'red2', 'Words'],
  )
  assert.deepEqual(objects[0]?.bindings[0]?.params, { list: 'steps2', on: 'Red' })
  assert.deepEqual(objects[0]?.events[0]?.actions, [{ function: 'myscript2' }, { function: 'SetBit' }])
  assert.deepEqual(renamedUses(list, [['ONE', 'Two']]).content, {
    entries: [{ graphic: 'Two' }, { graphic: '' }, { graphic: 'Two' }],
  })
})

test('two versions are compared value by value, objects and tags by their names', () => {
  const text = (value: object) => JSON.stringify(value)
  const same = { isSameMeaning: true, differences: [], omitted: 0 }
  assert.deepEqual(compareData('{}', '{}'), { ...same, isSameText: true, aspects: [] })
  const of = (left: object, right: object) => {
    const { isSameMeaning, isSameText, aspects, differences } = compareData(text(left), text(right))
    assert.equal(isSameText, false)
    assert.equal(isSameMeaning, differences.length === 0)
    return [
      aspects.join(' '),
      ...differences.map((one) => [one.aspect, one.path, one.change, one.left, one.right].join(' ')),
    ]
  }
  const written = { source: 'a', sourceBase64: 'b', isAsDocument: true }
  assert.deepEqual(of({ content: {}, ...written }, { content: {}, source: 'z' }), ['text'])
  assert.deepEqual(of({ content: { source: 'a' } }, { content: { source: 'b' } }), [
    'code',
    'code content.source changed a b',
  ])
  assert.deepEqual(
    of(
      {
        content: { width: 5, empty: [], none: {}, list: [1, null, { x: true }] },
        objects: [{ name: 'A', left: 1, ref: 7 }, { name: 'B' }],
      },
      {
        content: { width: 6, empty: [1], list: [1, 2, { x: false }] },
        objects: [{ name: 'B' }, { name: 'A', left: 2, ref: 8 }],
      },
    ),
    [
      'properties interface',
      'properties content.width changed 5 6',
      'properties content.empty removed [] ',
      'properties content.none removed {} ',
      'properties content.list.2 changed null 2',
      'properties content.list.3.x changed true false',
      'interface objects.A.left changed 1 2',
      'properties content.empty.1 added  1',
    ],
  )
  assert.deepEqual(
    of({ tags: [{ name: 'T', address: 'a' }] }, { tags: [{ name: 'T', address: 'b' }, { name: 'U' }] }),
    ['tags', 'tags tags.T.address changed a b', 'tags tags.U.name added  U'],
  )
  const many = (from: number) => text({ content: { list: Array.from({ length: 1002 }, (_, i) => i + from) } })
  const { differences, omitted } = compareData(many(0), many(1))
  assert.deepEqual([differences.length, omitted], [1000, 2])
})

test('the first fault of a script, in the lines of its source', () => {
  assert.equal(scriptFault([], ''), undefined)
  assert.equal(scriptFault(['a', 'b'], 'return a + await b;'), undefined)
  assert.deepEqual(scriptFault([], 'let x = ;'), { message: 'Unexpected token', line: 1, column: 9 })
  assert.deepEqual(scriptFault([], 'x();\n  y(;\n'), { message: 'Unexpected token', line: 2, column: 5 })
  assert.deepEqual(scriptFault([], 'x();\nif (x) {'), { message: 'Unexpected token', line: 2, column: 9 })
  assert.deepEqual(scriptFault([], '}\nfunction other() {'), {
    ...{ message: 'it has more closing than opening braces', line: 1, column: 1 },
  })
  assert.deepEqual(scriptFault(['a-b'], 'xyz'), { message: 'Unexpected token', line: 1, column: 1 })
  assert.deepEqual(
    variablesIn(`Tags('A.x').Read(); Tags( "B" ); Tags(\`C\`); Tags('A.x'); Tags(d); MyTags('E'); Tags('F`),
    ['A.x', 'B', 'C'],
  )
})

test('the file of an object in a library: what is wrong with it, and what it refers to', async () => {
  const blobs = { put: async (text: string) => `hash of ${text.length}` }
  const read = async (kind: string, text: string) => {
    const source = libraryKinds.find((one) => one.kind === kind)!
    const beside = { name: 'N', folder: 'A/B', uses: ['x'] }
    const [found] = await source.readFile(
      { blobs } as never,
      [{ beside, read: async () => Buffer.from(text) }] as never,
    )
    return found!
  }
  const faults = async (kind: string, ...texts: string[]) => {
    const all = await Promise.all(texts.map((text) => read(kind, text)))
    return all.map((one) => ('fault' in one ? one.fault : 'none'))
  }
  assert.deepEqual(
    await faults(
      ...(['hmi-screen', '{', 'null', '5', '[]', '{}', '{ "content": null }', '{ "content": "x" }'] as const),
      ...(['{ "content": {}, "objects": {} }', '{ "content": {}, "objects": [null] }'] as const),
      ...(['{ "content": {}, "objects": [{ "name": 5 }] }', '{ "content": {}, "tags": [{}] }'] as const),
      ...(['{ "content": {} }', '{ "content": {}, "objects": [], "tags": [{ "name": "a" }] }'] as const),
    ),
    [
      ...[
        'is not JSON: the text ends before "}" (line 1, column 2)',
        'must be an object',
        'must be an object',
        'has no content',
        'has no content',
        'has no content',
      ],
      ...['has no content', 'objects must be a list of objects with names'],
      ...['objects must be a list of objects with names', 'objects must be a list of objects with names'],
      ...['tags must be a list of objects with names', 'none', 'none'],
    ],
  )
  assert.deepEqual(
    await faults('hmi-settings', '{}', '{ "settings": null }', '{ "settings": 5 }', '{ "settings": {} }'),
    [...['has no settings', 'has no settings', 'has no settings', 'none']],
  )
  const text = '{ "content": { "template": "T" }, "objects": [] }'
  assert.deepEqual(await read('hmi-screen', text), {
    ...{ kind: 'hmi-screen', objectKind: 'HmiScreen', name: 'N', folder: 'A/B', document: `hash of ${text.length}` },
    ...{ size: text.length, format: 'json', language: '', uses: ['x'] },
  })
})

test('a popup that an earlier version kept as a screen is one of the popups now', async () => {
  const source = libraryKinds.find(({ kind }) => kind === 'hmi-screen')!
  const kept = (screenType: string) => ({ blobs: { text: async () => JSON.stringify({ content: { screenType } }) } })
  const now = (screenType: string) => source.kindNow!(kept(screenType) as never, { document: 'x' } as never)
  assert.deepEqual(await Promise.all([now('Screen'), now('ScreenPopup'), now('ScreenTemplate')]), [
    ...['hmi-screen', 'hmi-popup', 'hmi-template'],
  ])
  const later = libraryKinds.filter(({ earlier }) => earlier === 'hmi-screen').map(({ kind }) => kind)
  assert.deepEqual(later, ['hmi-template', 'hmi-popup', 'hmi-slide-in', 'hmi-global-screen', 'hmi-permanent-area'])
})

test('which kinds can be types and have names that others refer to; free names', () => {
  const told = libraryKinds.map(({ kind, noun, isSymbol, typeFault }) => {
    const fault = typeFault({ name: 'N' } as never)
    return `${kind} ${noun}${isSymbol ? ', symbol' : ''}${fault === undefined ? ', type' : ''}`
  })
  assert.deepEqual(told, [
    'hmi-connection HMI connection',
    'hmi-cycle cycle',
    'hmi-tag-table HMI tag table',
    'hmi-graphic project graphic, symbol',
    'hmi-graphic-list graphic list, symbol',
    'hmi-text-list text list, symbol',
    'hmi-script script, symbol',
    'hmi-library-type HMI library type, symbol, type',
    'hmi-alarm HMI alarm',
    'hmi-template template, symbol, type',
    'hmi-screen screen, type',
    'hmi-popup popup screen, type',
    'hmi-slide-in slide-in screen, type',
    'hmi-global-screen global screen, type',
    'hmi-permanent-area permanent area, type',
    'hmi-settings settings of a station',
  ])
  const settings = libraryKinds.at(-1)!
  const ctx = { read: () => new Map() } as never
  const free = (name: string, ...taken: string[]) => settings.freeName(ctx, {} as never, name, new Set(taken) as never)
  assert.deepEqual(
    [free('A'), free('A', 'a_1', 'a_2'), free('A_7', 'a_1'), free('x'.repeat(200))],
    [...['A_1', 'A_3', 'A_2', `${'x'.repeat(180)}_1`]],
  )
})
