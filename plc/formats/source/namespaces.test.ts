import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileSources } from '../../compiler/compile-sources.ts'
import { namespaceOf } from '../../model/namespace.ts'
import { importFile } from '../import.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { writeSimaticMl } from '../simaticml/write.ts'
import { readSource } from './read.ts'
import { sourceTextOf } from './write.ts'

const fc = (name: string, body = '') =>
  `FUNCTION ${name} : Void\nVERSION : 0.1\n   VAR_INPUT\n      a : Bool;\n   END_VAR\n\nBEGIN\n\t${body}\nEND_FUNCTION\n`
const within = (name: string, text: string) => `NAMESPACE ${name}\n${text}END_NAMESPACE\n\n`

describe('namespaces of external sources', () => {
  test('a block keeps its bare name and its namespace', async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${within('Línea."Tank 1"', fc('Fill'))}`)
    const { objects, faults, format } = await importFile(bytes)
    assert.equal(format, 'source')
    assert.deepEqual(faults, [])
    assert.equal(objects[0]?.name, 'Fill')
    assert.equal(namespaceOf(objects[0]!), 'Línea.Tank 1')
  })

  test('each block of a namespace says it in its own text, with its parts where the layout says', () => {
    const text = `NAMESPACE n\n${fc('A')}${fc('B')}END_NAMESPACE\n${fc('C')}`
    const { blocks, faults } = readSource(text)
    assert.deepEqual(faults, [])
    assert.deepEqual(
      blocks.map(({ object }) => [object.name, namespaceOf(object)]),
      [
        ['A', 'n'],
        ['B', 'n'],
        ['C', ''],
      ],
    )
    for (const { object, layout } of blocks) {
      assert.equal(object.text?.slice(...layout.name), object.name)
      const again = readSource(object.text ?? '')
      assert.deepEqual(again.faults, [])
      assert.deepEqual(again.blocks[0]?.object, object)
    }
    assert.equal(blocks[2]?.object.text, fc('C'))
  })

  test('SimaticML has the namespace from V18 on, and gives it back', () => {
    const object = readSource(within('a.b', fc('F'))).blocks[0]!.object
    const written = writeSimaticMl(object, { version: 'V19' })
    const back = readSimaticMlText(written.text).objects[0]!
    assert.equal(namespaceOf(back), 'a.b')
    assert.equal(namespaceOf(readSource(sourceTextOf(back) ?? '').blocks[0]!.object), 'a.b')
    const older = writeSimaticMl(object, { version: 'V17' })
    assert.doesNotMatch(older.text, /Namespace>/)
    assert.ok(older.warnings.some((line) => line.includes('a.b')))
  })

  test('faults in the statements of later blocks have their place in the file', async () => {
    const text = `NAMESPACE n\n${fc('A')}${fc('B', 'x := ;')}END_NAMESPACE\n`
    const { faults } = await importFile(new TextEncoder().encode(text), { checkCode: true })
    assert.deepEqual(
      faults.map(({ line, column, path }) => [line, column, path]),
      [[18, 7, 'B']],
    )
  })

  const faulty: readonly (readonly [string, string, RegExp, number, number])[] = [
    ['left open', `NAMESPACE n\n${fc('F')}`, /END_NAMESPACE is missing/, 1, 1],
    ['closed without being open', `${fc('F')}END_NAMESPACE`, /no NAMESPACE is open/, 10, 1],
    ['without a name', `NAMESPACE\n${fc('F')}END_NAMESPACE`, /name of the NAMESPACE/, 2, 1],
    ['inside of another', `NAMESPACE a\nNAMESPACE b\n${fc('F')}END_NAMESPACE`, /write a\.b/, 2, 1],
  ]
  for (const [what, text, message, line, column] of faulty)
    test(`a namespace ${what} is told with its place`, () => {
      const { faults } = readSource(text)
      assert.match(faults[0]?.message ?? '', message)
      assert.deepEqual([faults[0]?.line, faults[0]?.column], [line, column])
    })
})

describe('names in namespaces', () => {
  const program = (call: string) =>
    within('n', fc('F')) +
    within('n', 'FUNCTION_BLOCK B\nVAR_INPUT\n a : Bool;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n') +
    within('n', 'DATA_BLOCK I\n"n.B"\nBEGIN\nEND_DATA_BLOCK\n') +
    within('n.m', 'DATA_BLOCK D\nSTRUCT\n b : Bool;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n') +
    'DATA_BLOCK R\nSTRUCT\n b : Bool;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n' +
    within('n', `ORGANIZATION_BLOCK OB1\nBEGIN\n${call}\nEND_ORGANIZATION_BLOCK\n`)

  for (const call of [
    '_.n.F(a := _.R.b);',
    '"n.F"(a := TRUE);',
    'F(a := TRUE);',
    '_.n.I(a := TRUE);',
    'I(a := TRUE);',
    '_.R.b := _.n.m.D.b;',
    '"n.m.D".b := TRUE;',
  ])
    test(call, () => {
      const compiled = compileSources(program(call))
      assert.deepEqual(compiled.ok || [compiled.faults, compiled.errors], true)
    })

  for (const [call, named] of [
    ['_.n.G(a := TRUE);', 'n.G'],
    ['_.m.F(a := TRUE);', 'm.F'],
    ['"m.D".b := TRUE;', 'm.D'],
  ] as const)
    test(`${call} names nothing`, () => {
      const compiled = compileSources(program(call))
      assert.ok(!compiled.ok)
      assert.deepEqual(
        compiled.errors.map(({ code, message }) => [code, message]),
        [['undeclared', `"${named}" is not in the program.`]],
      )
    })
})
