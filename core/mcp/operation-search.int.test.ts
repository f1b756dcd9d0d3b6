/** Operations as people ask for them: among the first five of a search, and in "Did you mean". */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, textOf } from '../../test/mcp.ts'
import { isReadOnly } from '../contract/operation.ts'
import { docsPlugin } from '../docs/operations.ts'
import { mcpPlugin } from './operations.ts'

const open = (t: TestContext) => serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })

const asked: Readonly<Record<string, string>> = {
  'rename a tag': 'tags.update',
  'start the PLC': 'simulation.start',
  'turn on the PLC': 'simulation.start',
  'simulate the program': 'simulation.start',
  'connect HMI to PLC': 'hmi.create-connection',
  'list errors of the program': 'blocks.compile-device',
  'show the compile errors': 'blocks.compile-device',
  'what is wrong with my program': 'blocks.compile-device',
  'explain a compiler message': 'blocks.get-diagnostic-code',
  'explain why an output is off': 'online.explain-value',
  'remove a block': 'blocks.delete',
  'erase a tag': 'tags.delete',
  'edit the code of a block': 'blocks.update-content',
  'create a screen': 'hmi.create-screen',
  'put a lamp on a screen': 'hmi.add-object',
  'set the IP address of a device': 'devices.configure-network',
  'read a variable from the running PLC': 'simulation.read-tag',
  'set a value in the PLC': 'simulation.write-tag',
  'force an output': 'simulation.set-forces',
  'where is a tag used': 'tags.cross-references',
  'undo the last change': 'history.undo',
  'add an IO module': 'hardware.plug-module',
  'import tags from Excel': 'tags.import-xlsx',
  'check program against coding rules': 'review.check',
  'make a struct type': 'types.create',
  'run the tests': 'plc-tests.run',
  'go online': 'online.connect',
  'stop the cpu': 'online.stop-cpu',
  'back up everything': 'system.backup',
  'take a picture of an HMI screen': 'hmi.screen-picture',
  'screenshot of HMI screen': 'hmi.screen-picture',
  'read HMI values': 'hmi.screen-values',
  'force a tag': 'simulation.set-forces',
  'add a rung': 'blocks.add-networks',
  'review the project': 'review.check',
  'export the whole project': 'plc-tests.export',
}

test('what people ask for is among the first five operations found', async (t) => {
  const { connect } = await open(t)
  const { client } = await connect('streamable-http')
  for (const [query, wanted] of Object.entries(asked)) {
    const result = await client.callTool({ name: 'find_operations', arguments: { query } })
    const { operations } = JSON.parse(textOf(result)) as { operations: { operation: string; input: string }[] }
    assert.ok(operations.length <= 5)
    assert.ok(
      operations.some(({ operation }) => operation === wanted),
      `${query}: ${operations.map(({ operation }) => operation).join(', ')}`,
    )
    assert.ok(textOf(result).length < 1800, query)
  }
  const more = await client.callTool({ name: 'find_operations', arguments: { query: 'rename a tag', limit: 30 } })
  const { operations, total } = JSON.parse(textOf(more))
  assert.ok(operations.length === 30 && total > 30)
  const rename = operations.find(({ operation }: { operation: string }) => operation === 'blocks.rename')
  assert.deepEqual(rename, {
    operation: 'blocks.rename',
    title: 'Rename a block',
    kind: 'command',
    input: rename.input,
  })
  assert.match(rename.input, /^deviceName, blockName, newName/)
})

const meant: Readonly<Record<string, string>> = {
  'blocks.remove': 'blocks.delete',
  'simulation.explain': 'online.explain-value',
  'online.explain': 'online.explain-value',
  'tags.rename': 'tags.update',
  'tags.remove': 'tags.delete',
  'tag.create': 'tags.add',
  'blocks.impotr': 'blocks.import',
  'devices.create': 'devices.add',
  'blocks.contnt': 'blocks.content',
  'blocks.export-program': 'blocks.export',
  'simulation.statu': 'simulation.get-status',
  'hmi.screens.create': 'hmi.create-screen',
  'history.revert': 'history.restore',
}

test('a wrong operation is answered with the one that does that, never with one that does more', async (t) => {
  const { gateway, connect } = await open(t)
  const { client } = await connect('streamable-http')
  const hintOf = async (operation: string) => {
    const result = await client.callTool({ name: 'call_operation', arguments: { operation, input: {} } })
    assert.equal(result.isError, true)
    return (result.structuredContent as { detail: string; suggestion: string }).suggestion
  }
  for (const [wrong, right] of Object.entries(meant)) assert.equal(await hintOf(wrong), right, wrong)
  const reads = ['explain', 'show', 'list', 'find', 'view', 'watch', 'why', 'inspect', 'compare', 'status']
  const plugins = new Set(gateway.registry.operations.map(({ id }) => id.split('.')[0]!))
  for (const plugin of plugins)
    for (const verb of reads) {
      const id = `${plugin}.${verb}`
      if (gateway.registry.operation(id) !== undefined) continue
      const operation = gateway.registry.operation(await hintOf(id))
      assert.ok(operation === undefined || isReadOnly(operation), `${id}: ${operation?.id}`)
    }
  for (const id of ['simulation.rum', 'simulation.srart', 'online.downlod'])
    assert.notEqual(await hintOf(id), 'simulation.run', id)
})

test('a wrong path is answered with a route that does that', async (t) => {
  const { request } = await open(t)
  const hintOf = async (line: string) => {
    const [method = '', path = ''] = line.split(' ')
    const reply = await request(path, { method })
    return ((await reply.json()) as { suggestion?: string }).suggestion ?? ''
  }
  const device = '/api/devices/{deviceName}'
  const right: Readonly<Record<string, string>> = {
    'POST /api/devices/PLC_1/actions/export': `POST ${device}/blocks/actions/export`,
    'POST /api/devices/PLC_1/blocks/Main/actions/remove': `DELETE ${device}/blocks/{blockName}`,
    'POST /api/simulation/explain': `GET ${device}/program/why`,
    'GET /api/simulation/instances/S/explain': `GET ${device}/program/why`,
    'GET /api/devices/PLC_1/program/start': '',
    'GET /api/devices/PLC_1/online/run': '',
    'DELETE /api/devices/PLC_1/tags/Start': '',
    'POST /api/devices/PLC_1/compile': `POST ${device}/actions/compile`,
    'POST /api/devices/PLC_1/blocks/actions/exprot': `POST ${device}/blocks/actions/export`,
  }
  for (const [line, route] of Object.entries(right)) assert.equal(await hintOf(line), route, line)
})
