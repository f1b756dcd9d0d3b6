/** The descriptions of the gateway are those of its registries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'
import { type Answer, plc, withProject } from '../../test/online.ts'

test('namespaces are the plugins, and their types add up', async (t) => {
  const at = await openTestGateway(t)
  const { namespaces, total, totalTypes } = await at.call<Answer>('diagnostics.list-namespaces')
  const plugins = at.gateway.registry.plugins.map(({ name }) => name)
  assert.deepEqual(namespaces.map(({ plugin }: Answer) => plugin).sort(), ['core', ...plugins].sort())
  assert.equal(total, plugins.length + 1)
  const sum = namespaces.reduce((all: number, { typeCount }: Answer) => all + typeCount, 0)
  assert.equal(sum, totalTypes)
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const page: Answer = await at.call('diagnostics.list-types', { limit: 700, ...(cursor ? { cursor } : {}) })
    for (const { fullName } of page.types) names.add(fullName)
    assert.equal(page.total, totalTypes)
    cursor = page.nextCursor
  } while (cursor)
  // No two types share a full name.
  assert.equal(names.size, totalTypes)
  const devices = await at.call<Answer>('diagnostics.list-namespaces', { q: 'devices' })
  const { operations, slice } = at.gateway.registry.plugins.find(({ name }) => name === 'devices')!
  assert.equal(devices.namespaces[0].types.input, operations?.length)
  assert.equal(devices.namespaces[0].types.collection, slice?.collections.length)
})

test('a type is found by its name, with its fields; enums with their values', async (t) => {
  const at = await openTestGateway(t)
  const found = await at.call<Answer>('diagnostics.list-types', { filter: 'devices.addi' })
  assert.deepEqual(
    found.types.map(({ fullName }: Answer) => fullName),
    ['Gantry.Devices.AddInput'],
  )
  const type = await at.call<Answer>('diagnostics.get-type', { typeName: 'gantry.devices.addinput' })
  assert.deepEqual(
    type.fields.map(({ name, type: is, isRequired }: Answer) => [name, is, isRequired]),
    [
      ['orderNumber', 'string', true],
      ['name', 'string', false],
      ['firmware', 'string', false],
      ['unplaced', 'boolean', false],
    ],
  )
  await fails(
    at.call('diagnostics.get-type', { typeName: 'Gantry.Devices.AdInput' }),
    'not_found',
    /Did you mean "Gantry\.Devices\.AddInput"/,
  )
  await fails(at.call('diagnostics.get-type', { typeName: 'ListInput' }), 'conflict', /full name/)
  const values = async (typeName: string) =>
    (await at.call<Answer>('diagnostics.list-enum-values', { typeName })).values.map(({ name }: Answer) => name)
  assert.deepEqual(await values('Access'), ['viewer', 'engineer', 'operator', 'admin'])
  assert.deepEqual(await values('ConfigureOutput.accessLevel'), ['full', 'read', 'hmi', 'none'])
  assert.deepEqual(await values('OnlineState'), ['online', 'offline'])
  assert.deepEqual(await values('ProblemCode'), [...at.gateway.registry.problems.keys()])
  await fails(at.call('diagnostics.list-enum-values', { typeName: 'Gantry.Devices.AddInput' }), 'conflict', /no enum/)
  await fails(at.call('diagnostics.list-enum-values', { typeName: 'OnlineStat' }), 'not_found', /OnlineState/)
})

test('providers are the extension points with their contributors, and the tasks', async (t) => {
  const at = await openTestGateway(t)
  const { providers } = await at.call<Answer>('diagnostics.list-providers')
  const told = providers.flatMap(({ name, kind }: Answer) => (kind === 'extension-point' ? [name] : []))
  assert.deepEqual(told, [...at.gateway.registry.points.keys()].sort())
  const { contributions: sections, title } = providers.find(({ name }: Answer) => name === 'projects.sections')
  assert.equal(title, 'Sections of a project')
  assert.ok(sections.some(({ plugin, name }: Answer) => plugin === 'security' && name === 'security'))
  assert.ok(providers.some(({ name, kind }: Answer) => name === 'blocks/compile/compile' && kind === 'task'))
})

test('the services of a PLC are the operations that work on it', async (t) => {
  const at = await withProject(t)
  const { services, totalOperations, blocks } = await at.call<Answer>('diagnostics.list-plc-services', plc)
  const paths = at.gateway.registry.routes.filter(({ path }) => /\{deviceName\}(?!\/hmi\/)/.test(path))
  assert.equal(totalOperations, new Set(paths.map(({ operation }) => operation.id)).size)
  const names = services.map(({ name }: Answer) => name)
  assert.ok(names.includes('tags'))
  assert.ok(!names.includes('hmi'), 'what an HMI device contains is no service of a PLC')
  assert.equal(blocks, (await at.call<Answer>('blocks.list', plc)).total)
  await fails(at.call('diagnostics.list-plc-services', { deviceName: 'PLC_9' }), 'not_found')
  await at.call('devices.add', { orderNumber: '6AV2 124-0GC01-0AX0', name: 'HMI_1' })
  await fails(at.call('diagnostics.list-plc-services', { deviceName: 'HMI_1' }), 'conflict', /not a PLC/)
})
