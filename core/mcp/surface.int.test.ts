/**
 * The tools as clients see them, against a snapshot: a change of the public API shows as a diff of that file.
 * `UPDATE_SNAPSHOTS=1 node --import tsx --test core/mcp/surface.int.test.ts` writes it again.
 */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { docsPlugin } from '../docs/operations.ts'
import { essentialLimit } from './catalogue.ts'
import { mcpPlugin } from './operations.ts'
import { gatewayTools } from './tools.ts'

const file = fileURLToPath(new URL('./__snapshots__/tools.json', import.meta.url))

test('the tools of the built-in plugins are those of the snapshot, and fit the protocol', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  assert.deepEqual(gateway.pluginFaults, [])
  const tools = gatewayTools(gateway)
  const all = await tools.list('all')
  const { catalogue } = tools
  const essential = gateway.registry.operations.filter((o) => o.mcp !== false && o.mcp.essential)
  assert(
    essential.length <= essentialLimit,
    `${essential.length} operations are marked essential; at most ${essentialLimit}`,
  )
  const parsed = ListToolsResultSchema.parse({ tools: JSON.parse(JSON.stringify(all)) })
  assert.equal(parsed.tools.length, catalogue.operations.length + 5)
  for (const { name, description } of all) {
    assert.match(name, /^[a-z][a-z0-9_]{0,63}$/)
    assert(description.length > 5, `${name} has no description`)
  }
  const advertised = (await tools.list('')).map((tool) => tool.name)
  const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1))
  // The other possible answers (dry run, job, problem) are the same for all tools.
  const shown = sorted.map(({ outputSchema, ...rest }) => ({
    ...rest,
    ...(outputSchema ? { outputSchema: outputSchema.anyOf![0] } : {}),
  }))
  const surface = `${JSON.stringify({ advertised: advertised.sort(), tools: shown }, null, 1)}\n`
  if (process.env.UPDATE_SNAPSHOTS) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, surface)
    return
  }
  const snapshot = await readFile(file, 'utf8').catch(() => '{"advertised":[],"tools":[]}')
  assert.deepEqual(
    JSON.parse(surface),
    JSON.parse(snapshot),
    'the MCP tools have changed; if that is meant, run this test with UPDATE_SNAPSHOTS=1',
  )
})
