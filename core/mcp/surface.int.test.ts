/**
 * The tools as clients see them, against a snapshot: a change of the public API shows as a diff of that file.
 * `UPDATE_SNAPSHOTS=1 npm test core/mcp/surface.int.test.ts` writes it again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { stringify } from 'yaml'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { docsPlugin } from '../docs/operations.ts'
import { essentialLimit } from './catalogue.ts'
import { mcpPlugin } from './operations.ts'
import { gatewayTools } from './tools.ts'

test('the tools of the built-in plugins are those of the snapshot, and fit the protocol', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  assert.deepEqual(gateway.pluginFaults, [])
  const tools = gatewayTools(gateway)
  const all = await tools.list({ toolsets: 'all', readOnly: false })
  const { catalogue } = tools
  const essential = gateway.registry.operations.filter((o) => o.mcp !== false && o.mcp.essential)
  assert(
    essential.length <= essentialLimit,
    `${essential.length} operations are marked essential; at most ${essentialLimit}`,
  )
  const advertisedSize = Buffer.byteLength(JSON.stringify(await tools.list()))
  assert(advertisedSize <= 40_000, `the default tools have ${advertisedSize} bytes`)
  assert((await tools.list()).length <= 40)
  const parsed = ListToolsResultSchema.parse({ tools: JSON.parse(JSON.stringify(all)) })
  assert.equal(parsed.tools.length, catalogue.operations.length + 5)
  for (const { name, description } of all) {
    assert.match(name, /^[a-z][a-z0-9_]{0,63}$/)
    assert(description.length > 5, `${name} has no description`)
  }
  const advertised = (await tools.list()).map((tool) => tool.name)
  const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1))
  const surface = stringify({ advertised: advertised.sort(), tools: sorted }, { aliasDuplicateObjects: false })
  assertRecorded(import.meta.url, 'tools.yaml', surface)
})

/** The last words of ids of operations that delete, stop, download or overwrite something. */
const destructiveWords =
  /^(delete|remove|clear|cleanup|clean|cancel|stop|end|power-off|shut-down|detach|disconnect|freeze|reset|memory-reset|download|upload|restore|load|release|save-role|update|replace|set|configure|write|modify|import|force)\b/

/** Their words say otherwise: they only add, or can be taken back. */
const harmless = new Set(['simulation.import-legacy', 'libraries.set-default-version'])

test('hints are true: what deletes, stops, downloads or overwrites is destructive, what only reads emits no event', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  const tools = gatewayTools(gateway)
  const { catalogue } = tools
  const wrong = catalogue.operations.filter((operation) => {
    const verb = operation.id.slice(operation.id.indexOf('.') + 1)
    const isDestructive = operation.mcp !== false && operation.mcp.destructive === true
    const methods = operation.http.map(({ method }) => method)
    const overwrites = operation.kind === 'command' && methods.some((method) => method === 'DELETE' || method === 'PUT')
    return (
      !isDestructive &&
      (overwrites || (operation.kind === 'command' && destructiveWords.test(verb))) &&
      !harmless.has(operation.id)
    )
  })
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
    'these operations are not marked destructive',
  )
  // Clients ask before a tool that is not marked as reading.
  const listed = new Map((await tools.list({ toolsets: 'all', readOnly: false })).map((tool) => [tool.name, tool]))
  const overwriting = [...listed.values()].filter((tool) => 'overwrite' in (tool.inputSchema.properties ?? {}))
  assert.ok(overwriting.length > 10, `only ${overwriting.length} tools take overwrite`)
  assert.deepEqual(
    overwriting.filter((tool) => !tool.annotations.destructiveHint).map(({ name }) => name),
    [],
    'these tools overwrite when they are asked to',
  )
  const reads = catalogue.operations
    .filter((one) => one.kind === 'query' && !(one.mcp ? one.mcp.destructive : false))
    .map(({ id }) => id.replace(/[.-]/g, '_'))
  const asked = reads.filter((name) => listed.get(name)?.annotations.readOnlyHint === false)
  assert.deepEqual(asked, [], 'these queries would be confirmed')
  assert.ok(listed.get('devices_catalog_find')?.annotations.readOnlyHint && reads.length > 80)
  const caller = { actor: { name: 'reader', access: 'admin' as const }, readOnly: true }
  const before = gateway.store.log.headSeq
  let answered = 0
  for (const { name, annotations } of await tools.list({ toolsets: 'all', readOnly: true })) {
    assert(annotations.readOnlyHint && !annotations.destructiveHint, name)
    const operation = catalogue.tools.get(name)
    const example = operation?.example as Record<string, unknown> | undefined
    const { isError } = await tools.call(name, example ?? {}, caller)
    if (!isError) answered++
  }
  assert(answered > 20, `only ${answered} tools answered`)
  const types = new Set<string>()
  for await (const commit of gateway.store.log.read({ from: before + 1 }))
    for (const { type } of commit) types.add(type)
  for (const type of ['query.served', 'call.refused']) types.delete(type)
  assert.deepEqual([...types], [], 'a tool that only reads has written')
})
