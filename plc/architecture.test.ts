/** The floor plan of the library (README.md): which room imports which, and that no circle comes in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circles, filesBelow, importsOf } from '../test/imports.ts'

/** Each room with the rooms it imports, from the lowest on. Lazy imports and types count as any others. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  model: [],
  diagnostics: [],
  'languages/scl': ['model'],
  'languages/stl': ['model'],
  'languages/ladder': ['model'],
  'formats/xml': ['model'],
  'formats/aml': ['model', 'formats/xml'],
  'formats/gsdml': ['model', 'formats/xml'],
  'formats/source': ['model', 'languages/scl', 'languages/stl'],
  'formats/simaticml': ['model', 'languages/scl', 'languages/stl', 'formats/source'],
  'formats/simatic-sd': ['model', 'languages/scl', 'languages/ladder', 'formats/source', 'formats/simaticml'],
  'formats/hmi': ['model', 'formats/simaticml'],
  formats: ['model', 'languages/scl', 'formats/source', 'formats/simaticml', 'formats/simatic-sd'],
  program: ['model', 'diagnostics', 'formats/source'],
  ir: ['program'],
  library: ['model', 'ir', 'program'],
  flow: ['program', 'ir'],
  templates: [],
  'compiler/wasm': [],
  'compiler/lower': ['model', 'languages/scl', 'languages/stl', 'languages/ladder', 'program', 'ir', 'library', 'flow'],
  'compiler/codegen': ['program', 'ir', 'library', 'compiler/wasm'],
  compiler: [
    'model',
    'formats',
    'formats/source',
    'program',
    'ir',
    'compiler/wasm',
    'compiler/lower',
    'compiler/codegen',
  ],
  runtime: ['program', 'library', 'compiler/codegen'],
  render: ['model', 'languages/ladder'],
  edit: ['model', 'languages/scl', 'languages/ladder', 'formats/source', 'formats/simaticml'],
  generate: ['model', 'languages/scl', 'languages/ladder', 'formats/source', 'formats/simaticml', 'edit'],
  uses: ['model', 'languages/scl', 'languages/ladder', 'formats/source', 'formats/simaticml', 'edit'],
  merge: ['model', 'formats', 'formats/simaticml', 'edit'],
  'language-service': ['model', 'languages/scl', 'formats', 'formats/source', 'program', 'uses'],
  documentation: ['model', 'edit', 'uses', 'render'],
  review: [
    'model',
    'diagnostics',
    'languages/scl',
    'formats',
    'formats/simatic-sd',
    'program',
    'library',
    'compiler/lower',
    'compiler',
    'edit',
    'uses',
  ],
  'program-tests': [
    'model',
    'languages/scl',
    'formats/source',
    'ir',
    'program',
    'library',
    'compiler/wasm',
    'compiler/codegen',
    'compiler',
    'runtime',
    'edit',
    'uses',
  ],
}

const names = Object.keys(rooms).sort((a, b) => b.length - a.length)

function roomOf(file: string): string | undefined {
  return names.find((name) => file.startsWith(`plc/${name}/`))
}

function isTestCode(file: string): boolean {
  return file.endsWith('.test.ts') || file.startsWith('plc/testing/')
}

const product = filesBelow('plc').filter((file) => !isTestCode(file))
const imports = product.flatMap((file) => importsOf(file).map((one) => ({ file, ...one })))

test('a room imports only the rooms that its row in the table names, and the table names no others', () => {
  const found = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    const [from, to] = [roomOf(file), target.startsWith('plc/') ? roomOf(target) : undefined]
    assert.ok(from !== undefined, `${file} is in no room`)
    if (to === undefined || to === from) continue
    assert.ok(rooms[from]?.includes(to), `${file} imports ${target}: ${from} may not import ${to}`)
    found.set(from, (found.get(from) ?? new Set()).add(to))
  }
  for (const [room, allowed] of Object.entries(rooms))
    assert.deepEqual([...(found.get(room) ?? [])].sort(), [...allowed].sort(), room)
})

test('rooms stand above all rooms they import', () => {
  const order = Object.keys(rooms)
  for (const [room, below] of Object.entries(rooms))
    for (const one of below) assert.ok(order.indexOf(one) < order.indexOf(room), `${one} stands above ${room}`)
})

test('no files import each other in a circle', () => {
  assert.deepEqual(circles(product), [])
})

test('the library imports only itself, lib/ and packages', () => {
  const outside = imports.filter(
    ({ target }) => target.includes('/') && /^(core|store|plugins|test|bench)\//.test(target),
  )
  assert.deepEqual(outside, [])
  const relative = imports.filter(({ target }) => target.endsWith('.ts') && !/^(plc|lib)\//.test(target))
  assert.deepEqual(relative, [])
})

test('product code imports no test code', () => {
  assert.deepEqual(
    imports.filter(({ target }) => isTestCode(target)),
    [],
  )
})
