/** What TIA Portal would refuse is refused, what is not known is told; each with its place. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dbXml, fails, openPlant } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Told {
  readonly warnings: string[]
}

const fcXml = (language: string, network = language) =>
  dbXml('F', 5, { kind: 'FC' })
    .replace('>DB<', `>${language}<`)
    .replace('Section Name="Static"', 'Section Name="Input"')
    .replace(
      '</AttributeList>',
      `</AttributeList>\n    <ObjectList><SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource /><ProgrammingLanguage>${network}</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList>`,
    )

test('a version of SimaticML that does not exist is refused, older ones are read', async (t) => {
  const { call } = await openPlant(t)
  const versioned = (version: string) => dbXml('D', 7).replace('version="V19"', `version="${version}"`)
  const { details } = await fails(
    call('blocks.import', { ...on, content: versioned('V99') }),
    'unacceptable_content',
    /"V99" is not known.*V21/,
  )
  assert.deepEqual([details.errors?.[0]?.line, details.errors?.[0]?.column], [3, 3])
  for (const version of ['V14 SP1', 'V15.1', 'V16', 'V21', 'V17 Update 3'])
    await call('blocks.import', { ...on, content: versioned(version), overwrite: true })
})

test('a language that does not exist is refused, of a block and of a network', async (t) => {
  const { call } = await openPlant(t)
  for (const content of [fcXml('LDA', 'LAD'), fcXml('LAD', 'LDA')]) {
    const { details } = await fails(
      call('blocks.import', { ...on, content }),
      'unacceptable_content',
      /"LDA" is no programming language; did you mean LAD/,
    )
    const line = content.split('\n').findIndex((text) => text.includes('LDA')) + 1
    assert.equal(details.errors?.[0]?.line, line)
  }
  await call('blocks.import', { ...on, content: fcXml('LAD') })
  await fails(
    call('blocks.update-content', { ...on, blockName: 'F', rawXml: fcXml('LDA') }),
    'unacceptable_content',
    /LDA/,
  )
  await fails(
    call('blocks.create', { ...on, name: 'G', type: 'FC', language: 'LDA' }),
    'unacceptable_content',
    /"LDA".*LAD/,
  )
})

test('attributes that are not known are told with their place, in SimaticML and in sources', async (t) => {
  const { call } = await openPlant(t)
  const content = dbXml('D', 7).replace('<MemoryLayout>', '<MemoryLayuot>x</MemoryLayuot>\n      <MemoryLayout>')
  const told = await call<Told>('blocks.import', { ...on, content })
  assert.deepEqual(told.warnings, [
    'content: line 8, column 7: <SW.Blocks.GlobalDB> has no attribute MemoryLayuot (did you mean MemoryLayout?); it is kept, but TIA Portal may refuse the file',
  ])
  const changed = await call<Told>('blocks.update-content', { ...on, blockName: 'D', rawXml: content })
  assert.equal(changed.warnings.length, 1)
  const source = 'FUNCTION "F" : Void\n{ S7_Optimised_Access := \'TRUE\' }\nBEGIN\n\t;\nEND_FUNCTION\n'
  const { warnings } = await call<Told>('blocks.import', { ...on, content: source })
  assert.deepEqual(warnings, [
    'content: line 2, column 1: blocks have no attribute S7_Optimised_Access; it has no effect',
  ])
})

test('code that cannot be parsed makes no block; in a change it is a draft, and told', async (t) => {
  const { call } = await openPlant(t)
  const code = '#x := 1;\nIF #x THEN\n  #x := ;\n'
  const block = { ...on, name: 'F', type: 'FC', interface: [{ section: 'Temp', name: 'x', dataType: 'Int' }] }
  const { details } = await fails(call('blocks.create', { ...block, code }), 'unacceptable_content', /line \d, column/)
  assert.deepEqual(
    details.errors?.map(({ path, line }) => [path, line]),
    [
      ['/code', 3],
      ['/code', 2],
    ].sort(),
  )
  const inLadder = { ...block, language: 'LAD', networks: [{ expressions: '#x := #x' }, { code }] }
  const network = await fails(call('blocks.create', inLadder), 'unacceptable_content')
  assert.equal(network.details.errors?.[0]?.path, '/networks/1/code')
  await call('blocks.create', { ...block, code: '#x := 1;' })
  const changed = await call<Told>('blocks.update-content', { ...on, blockName: 'F', code })
  assert.ok(changed.warnings.some((warning) => warning.startsWith('network 1, line 3, column')))
  const told = ['network 1, line 3, column 9: expected an expression, found ";"']
  assert.deepEqual(
    changed.warnings.filter((warning) => warning.includes('line 3')),
    told,
  )
  // Networks: a new one is as a new block, a changed one as a changed block.
  await call('blocks.create', { ...inLadder, name: 'L', networks: [{ expressions: '#x := #x' }] })
  const add = { ...on, blockName: 'L', networks: [{ code: '#x := 1;' }, { code }] }
  const refused = await fails(call('blocks.add-networks', add), 'unacceptable_content')
  assert.deepEqual(refused.details.errors?.map(({ path, line }) => `${path} ${line}`).sort(), [
    '/networks/1/code 2',
    '/networks/1/code 3',
  ])
  await call('blocks.add-networks', { ...add, networks: [{ code: '#x := 1;' }] })
  const draft = await call<Told>('blocks.update-network', { ...on, blockName: 'L', number: 2, code })
  assert.deepEqual(
    draft.warnings.filter((warning) => warning.includes('line 3')),
    told.map((one) => one.replace('network 1', 'network 2')),
  )
  const again = await call<Told>('blocks.update-content', {
    ...on,
    blockName: 'L',
    networks: [{}, { code: `${code};` }],
  })
  assert.ok(
    again.warnings.some((warning) => warning.startsWith('network 2, line 3, column')),
    `${again.warnings}`,
  )
})

test('types that are nowhere are told with the members that have them', async (t) => {
  const { call } = await openPlant(t)
  const members = [
    { section: 'Static', name: 'a', dataType: 'Itn' },
    { section: 'Static', name: 'b', dataType: 'Array[0..1] of Itn' },
    { section: 'Static', name: 'c', dataType: '"UDT_gone"' },
    { section: 'Static', name: 'd', dataType: 'TON_TIME' },
    { section: 'Static', name: 'e', dataType: 'HW_IO' },
    { section: 'Static', name: 'f', dataType: 'REF_TO Int' },
  ]
  const created = await call<Told>('blocks.create', { ...on, name: 'F', type: 'FB', interface: members })
  assert.deepEqual(created.warnings, [
    '"UDT_gone" is not in the program; "F" needs it.',
    'Itn is neither a data type nor in the program; "F" (Static.a) uses it.',
  ])
  const source =
    'FUNCTION_BLOCK "G"\nVAR\n  s : Struct\n    x : Boool;\n  END_STRUCT;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n'
  const imported = await call<Told>('blocks.import', { ...on, content: source })
  assert.deepEqual(imported.warnings, ['Boool is neither a data type nor in the program; "G" (Static.s.x) uses it.'])
  const changed = await call<Told>('blocks.update-content', {
    ...on,
    blockName: 'F',
    interface: [{ section: 'Static', name: 'a', dataType: 'Ints' }],
  })
  assert.equal(changed.warnings.length, 1)
})
