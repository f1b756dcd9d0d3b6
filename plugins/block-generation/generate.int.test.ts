import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileInput } from '../../core/index.ts'
import type { TestGateway } from '../../test/harness.ts'
import { fails, openPlant, writeWorkspace } from '../../test/plant.ts'
import { designExample } from './design/schema.ts'
import { examples, graphExample } from './schema.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
type Answer = Record<string, any>
const on = { deviceName: 'PLC_1' }

const call = (at: TestGateway, id: string, input: Answer = {}) => at.call<Answer>(`block-generation.${id}`, input)

test('every example of the schema is generated, imported and compiles', async (t) => {
  const at = await openPlant(t)
  const inputOf = async (id: string) => {
    const operation = [...at.gateway.registry.operations.values()].find((one) => one.id === `block-generation.${id}`)!
    return (await compileInput(operation)).schema.properties as Answer
  }
  const { specification } = await inputOf('generate-and-import')
  assert.deepEqual(await call(at, 'schema'), {
    specification,
    graph: (await inputOf('generate-graph')).specification,
    member: specification.properties.interface.items.properties.members.items,
    design: (await inputOf('generate-from-design')).design,
    examples: { ...examples, graph: graphExample, design: designExample },
  })
  for (const [name, spec] of Object.entries(examples)) {
    const result = await call(at, 'generate-and-import', { ...on, specification: spec })
    assert.equal(result.compiled, true, `${name}: ${JSON.stringify(result.compileMessages)}`)
    assert.deepEqual(
      result.objects.map((one: Answer) => one.name),
      [spec.name],
    )
  }
  const content = await at.call<Answer>('blocks.content', { ...on, blockName: 'FB_Starter' })
  assert.equal(content.networks[0].expression, '#run := (#start OR #run) AND NOT #stop;')
  assert.equal(content.title, 'Starter of a motor')
  const german = await at.call<Answer>('blocks.content', { ...on, blockName: 'FB_Starter', culture: 'de-DE' })
  assert.equal(german.title, 'Starter eines Motors')
  const graphBlock = await at.call<Answer>('blocks.content', { ...on, blockName: 'FB_Filling' })
  assert.equal(graphBlock.programmingLanguage, 'GRAPH')
  // Again: nothing changes.
  const again = await call(at, 'generate-and-import', { ...on, specification: examples.ladder })
  assert.equal(again.unchanged, 1)
})

test('the file alone is written to the workspace, for every version, and is what an import takes', async (t) => {
  const at = await openPlant(t)
  for (const version of ['V16', 'V17', 'V18', 'V19', 'V20', 'V21']) {
    const exportPath = `out/${version}.xml`
    const made = await call(at, 'generate-only', { specification: examples.ladder, version, exportPath })
    const file = await readFile(join(at.dir, 'workspace', exportPath), 'utf8')
    assert.equal(file, `\uFEFF${made.content}`)
    assert.equal(made.size, Buffer.byteLength(file))
    assert.match(file, new RegExp(`<Engineering version="${version}"`))
    assert.deepEqual(made.warnings, [])
    const imported = await call(at, 'import-only', { ...on, filePath: exportPath, compile: true })
    assert.equal(imported.compiled, true)
    const sequence = await call(at, 'generate-graph-only', { specification: graphExample, version })
    assert.deepEqual(sequence.warnings, [], version)
    const graph = await call(at, 'import-only', { ...on, content: sequence.content, compile: true })
    assert.equal(graph.compiled, true, JSON.stringify(graph.compileMessages))
  }
  const blocks = await at.call<Answer>('blocks.list', on)
  assert.ok(blocks.blocks.some((one: Answer) => one.name === 'FB_Filling'))
  const again = { specification: examples.ladder, exportPath: 'out/V16.xml' }
  await fails(call(at, 'generate-only', again), 'conflict', /exists already/)
  await call(at, 'generate-only', { ...again, overwrite: true })
})

test('a specification as a block is created or shown: type, programmingLanguage, members with their section', async (t) => {
  const at = await openPlant(t)
  const made = await call(at, 'generate-and-import', {
    ...on,
    spec: {
      BlockType: 'FB',
      name: 'Flat',
      programmingLanguage: 'LAD',
      interface: [
        { section: 'Input', name: 'a', type: 'Bool' },
        { section: 'Output', name: 'b', datatype: 'Bool' },
        { section: 'Input', name: 's', dataType: 'Struct', members: [{ name: 'x', type: 'Int', value: '3' }] },
      ],
      networks: [{ expression: '#b := #a' }],
    },
  })
  assert.deepEqual([made.name, made.kind, made.language, made.compileStatus], ['Flat', 'FB', 'LAD', 'success'])
  const { specification } = await at.call<Answer>('block-generation.read-specification', { ...on, name: 'Flat' })
  assert.deepEqual(specification.interface.slice(0, 2), [
    {
      section: 'Input',
      members: [
        { name: 'a', dataType: 'Bool' },
        { name: 's', dataType: 'Struct', members: [{ name: 'x', dataType: 'Int', startValue: '3' }] },
      ],
    },
    { section: 'Output', members: [{ name: 'b', dataType: 'Bool' }] },
  ])
  const type = { type: 'UDT', name: 'T_Flat', interface: [{ name: 'x', type: 'Int' }] }
  assert.equal((await call(at, 'generate-and-import', { ...on, specification: type })).kind, 'UDT')
})

test('faults of a specification are told with their pointers, and nothing is imported', async (t) => {
  const at = await openPlant(t)
  const before = (await at.call<Answer>('blocks.list', on)).total
  const faults = async (specification: Answer, id = 'generate-and-import') => {
    try {
      await call(at, id, { ...on, specification })
    } catch (error) {
      const { details } = error as { details: { errors?: { path?: string }[] } }
      return (details.errors ?? []).map(({ path }) => path)
    }
    throw new Error(`it was taken: ${JSON.stringify(specification)}`)
  }
  const fb = { kind: 'FB', name: 'Wrong', language: 'LAD' }
  const at0 = '/specification/networks/0'
  assert.deepEqual(await faults({ ...fb, knd: 1 }), ['/specification/knd'])
  assert.deepEqual(await faults({ ...fb, kind: 'XX' }), ['/specification/kind'])
  assert.deepEqual(await faults({ ...fb, name: 'a"b' }), ['/specification/name'])
  assert.deepEqual(await faults({ ...fb, language: 'BASIC' }), ['/specification/language'])
  assert.deepEqual(await faults({ ...fb, dataType: 'Int' }), ['/specification/dataType'])
  assert.deepEqual(await faults({ ...fb, code: ';', networks: [] }), ['/specification/code'])
  assert.deepEqual(await faults({ ...fb, networks: [{ expressions: '#a := ' }] }), [`${at0}/expressions`])
  assert.deepEqual(await faults({ ...fb, networks: [{ expressions: ['#a := #b', '#c :='] }] }), [
    `${at0}/expressions/1`,
  ])
  assert.deepEqual(await faults({ ...fb, networks: [{ language: 'X', expressions: '' }] }), [`${at0}/language`])
  assert.deepEqual(await faults({ ...fb, networks: [{ code: 'IF #a THEN' }] }), [`${at0}/code`])
  assert.deepEqual(await faults({ ...fb, networks: [{ graph: { nodes: [{ uId: 1, kind: 'part' }] } }] }), [
    `${at0}/graph/nodes/0/name`,
  ])
  const member = { name: 'a', dataType: 'Bool' }
  const section = (...members: Answer[]) => ({ kind: 'DB', name: 'D', interface: [{ section: 'Static', members }] })
  const in0 = '/specification/interface/0'
  assert.deepEqual(await faults(section(member, { ...member, name: 'A' })), [`${in0}/members/1/name`])
  assert.deepEqual(await faults(section({ ...member, dataType: 'Array of' })), [`${in0}/members/0/dataType`])
  assert.deepEqual(await faults(section({ ...member, startValue: '1;2' })), [`${in0}/members/0/startValue`])
  assert.deepEqual(await faults(section({ ...member, members: [member] })), [`${in0}/members/0/members`])
  const nested = { name: 's', dataType: 'Struct', members: [{ name: 'x', dataTyp: 'Int' }] }
  assert.deepEqual((await faults(section(nested))).sort(), [
    `${in0}/members/0/members/0/dataTyp`,
    `${in0}/members/0/members/0/dataType`,
  ])
  assert.deepEqual(await faults({ kind: 'DB', name: 'D', interface: [{ section: 'Odd', members: [] }] }), [
    `${in0}/section`,
  ])
  const input = { section: 'Input', ...member }
  const flat = (...list: Answer[]) => ({ ...fb, interface: list })
  const output = { ...input, section: 'Output', name: 'b' }
  assert.deepEqual(await faults(flat(input, output, { ...input, name: 'A' })), ['/specification/interface/2/name'])
  assert.deepEqual(await faults(flat(input, { ...output, section: 'Odd' })), ['/specification/interface/1/section'])
  assert.deepEqual(await faults(flat(member)), [`${in0}/section`])
  assert.deepEqual(await faults(flat({ section: 'Input' })), [in0])
  assert.deepEqual(await faults(flat({ section: 'Input', name: 'a' })), [`${in0}/dataType`])
  assert.deepEqual(await faults(flat({ section: 'Input', members: [], comment: 'x' })), [`${in0}/comment`])
  assert.deepEqual(await faults({ kind: 'InstanceDB', name: 'D' }), ['/specification/instanceOf'])
  assert.deepEqual(await faults({ kind: 'ArrayDB', name: 'D', dataType: 'Int' }), ['/specification/dataType'])
  const graph = async (more: Answer) => faults({ name: 'G', ...more }, 'generate-graph')
  const steps = [{ name: 'A' }, { name: 'B' }]
  const at1 = '/specification'
  const at2 = '/specification/chart/sequences/0'
  assert.deepEqual(await graph({}), ['/specification/steps'])
  assert.deepEqual(await graph({ steps: [{ name: 'A' }, { name: 'a' }] }), [`${at1}/steps/1/name`])
  assert.deepEqual(await graph({ steps, transitions: [{ name: 't', from: 'A', to: 'C' }] }), [
    `${at1}/transitions/0/to`,
  ])
  assert.deepEqual(await graph({ steps, transitions: [{ name: 't', to: 'B' }] }), [`${at1}/transitions/0/from`])
  assert.deepEqual(await graph({ steps: [{ name: 'S_NO' }] }), [`${at1}/steps/0/name`])
  assert.deepEqual(await graph({ steps: [{ name: 'A', actions: ['X #a'] }] }), [`${at1}/steps/0/actions/0`])
  assert.deepEqual(await graph({ steps: [{ name: 'A', interlock: '#a AND' }] }), [`${at1}/steps/0/interlock`])
  assert.deepEqual(
    await graph({
      steps,
      transitions: [{ name: 't', from: 'A', to: 'B', condition: { expressions: 'SvCoil() := #a' } }],
    }),
    [`${at1}/transitions/0/condition/expressions`],
  )
  assert.deepEqual(await graph({ chart: { sequences: [{ steps, connections: [{ from: 'S9', to: 'T1' }] }] } }), [
    `${at2}/connections/0/from`,
    `${at2}/connections/0/to`,
  ])
  await fails(call(at, 'generate-and-import', { deviceName: 'None', specification: fb }), 'not_found')
  assert.equal((await at.call<Answer>('blocks.list', on)).total, before)
})

test('messages of the compiler are in the answer', async (t) => {
  const at = await openPlant(t)
  const specification = { kind: 'FC', name: 'F', code: '#nothing := 1;' }
  const result = await call(at, 'generate-and-import', { ...on, specification })
  assert.equal(result.compiled, false)
  assert.equal(result.compileStatus, 'error')
  assert.ok(result.compileMessages.some((one: Answer) => /nothing/.test(one.description)))
  const quiet = await call(at, 'generate-and-import', { ...on, specification, compile: false })
  assert.equal(quiet.compileStatus, 'notCompiled')
})

test('many files are stored in the order of their needs, each with its result', async (t) => {
  const at = await openPlant(t)
  const files: Record<string, string> = {}
  const make = async (specification: Answer) => {
    const { content } = await call(at, 'generate-only', { specification })
    files[`in/${specification.name}.xml`] = content
  }
  const statics = (dataType: string) => [{ section: 'Static', members: [{ name: 'm', dataType }] }]
  await make({ kind: 'InstanceDB', name: 'D_Outer', instanceOf: 'Outer' })
  await make({ kind: 'FB', name: 'Outer', interface: statics('"Inner"'), code: '#m();' })
  await make({ kind: 'FB', name: 'Inner', interface: statics('"T_Data"'), code: ';' })
  await make({
    kind: 'UDT',
    name: 'T_Data',
    interface: [{ section: 'None', members: [{ name: 'x', dataType: 'Int' }] }],
  })
  files['in/broken.xml'] = '<Document><SW.Blocks.FB>'
  await writeWorkspace(at, files)
  const filePaths = ['in/D_Outer.xml', 'in/broken.xml', 'in/Outer.xml', 'in/none.xml', 'in/Inner.xml', 'in/T_Data.xml']
  await fails(call(at, 'bulk-import', { ...on, filePaths, continueOnError: false }), 'unacceptable_content')
  await fails(call(at, 'bulk-import', { ...on, filePaths: ['in/none.xml'] }), 'unacceptable_content')
  await fails(call(at, 'bulk-import', { ...on, filePaths: ['in/Inner.xml', 'in/Inner.xml'] }), 'invalid_input')
  const result = await call(at, 'bulk-import', { ...on, filePaths, compile: true })
  assert.deepEqual(
    result.files.map(({ path, status, order }: Answer) => [path, status, order]),
    [
      ['in/T_Data.xml', 'imported', 1],
      ['in/Inner.xml', 'imported', 2],
      ['in/Outer.xml', 'imported', 3],
      ['in/D_Outer.xml', 'imported', 4],
      ['in/broken.xml', 'failed', undefined],
      ['in/none.xml', 'failed', undefined],
    ],
  )
  assert.equal(result.compiled, true, JSON.stringify(result.compileMessages))
  assert.equal(result.failed, 2)
  // A folder stands for the files in it.
  const folder = await call(at, 'bulk-import', { ...on, filePaths: ['in'] })
  assert.equal(folder.unchanged, 4)
})

test('a block is read as its specification, which makes the same block again', async (t) => {
  const at = await openPlant(t)
  for (const specification of Object.values(examples)) await call(at, 'generate-and-import', { ...on, specification })
  await at.call('blocks.create', { ...on, name: 'Scl', type: 'FB', language: 'SCL', code: '// nothing\n;' })
  for (const name of [...Object.values(examples).map((one) => one.name), 'Scl']) {
    const { specification, warnings } = await call(at, 'read-specification', { ...on, name })
    assert.deepEqual(warnings, [], name)
    const before = await at.call<Answer>('blocks.export-xml', { ...on, blockName: name }).catch(() => undefined)
    const result = await call(at, 'generate-and-import', { ...on, specification })
    assert.equal(result.compiled, true, `${name} ${JSON.stringify(result.compileMessages)}`)
    if (before === undefined) continue
    const { specification: again } = await call(at, 'read-specification', { ...on, name })
    assert.deepEqual(again, specification, name)
  }
  const { specification } = await call(at, 'read-specification', { ...on, name: 'FB_Starter', networks: 'graph' })
  assert.ok(specification.networks[0].graph)
  await fails(call(at, 'read-specification', { ...on, name: 'Nobody' }), 'not_found')
})
