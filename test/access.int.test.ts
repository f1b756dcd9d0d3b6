/** A key below the level of an operation is refused, on every route, over MCP and through `jobs/execute-sync`. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Access, accessLevels } from '../core/contract/access.ts'
import { accessOf, mayCall } from '../core/contract/operation.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { accessPage } from './access-page.ts'
import { actor, builtInPlugins, openTestGateway } from './harness.ts'
import { serveMcp } from './mcp.ts'

const keyOf = (access: Access) => `a-key-of-level-${access}`

test('every operation refuses each level below its own, by every way, before it looks at the input', async (t) => {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin], durability: 'os' })
  const apiKeys = accessLevels.map((access) => ({ name: `test ${access}`, access, key: keyOf(access) }))
  await at.call('settings.change', { security: { apiKeys: { add: apiKeys } } })
  const { registry } = at.gateway
  const page = await readFile(new URL('../docs/access.md', import.meta.url), 'utf8')
  assert.equal(page, accessPage(registry.operations), 'docs/access.md: scripts/access-docs.ts writes it')
  let refused = 0
  for (const level of accessLevels) {
    const above = registry.routes.filter(
      ({ operation }) => accessOf(operation) !== 'public' && !mayCall(operation, level),
    )
    for (const { method, path } of above) {
      const url = path.replace(/\{\w+\*?\}/g, 'x')
      const headers = { 'x-api-key': keyOf(level), host: new URL(at.url).host }
      const body = method === 'GET' || method === 'DELETE' ? {} : { payload: {} }
      const answer = await at.app.inject({ method: method as 'GET', url, headers, ...body })
      assert.deepEqual([answer.statusCode, answer.json().code], [403, 'forbidden'], `${level}: ${method} ${path}`)
      refused++
    }
    const { client } = await at.connect('streamable-http', { key: keyOf(level) })
    for (const operation of new Set(above.map((route) => route.operation))) {
      if (operation.mcp === false) continue
      const call = { name: 'call_operation', arguments: { operation: operation.id, input: {} } }
      const { isError, structuredContent } = (await client.callTool(call)) as CallToolResult
      assert.equal(isError, true, `${level}: ${operation.id} over MCP`)
      assert.equal(structuredContent?.code, 'forbidden', `${level}: ${operation.id} over MCP`)
      if (operation.kind !== 'command') continue
      const json = { command: operation.id, input: {} }
      const init = { method: 'POST', headers: { 'x-api-key': keyOf(level) }, json }
      const answer = await at.request('/api/jobs/execute-sync', init)
      assert.equal(answer.status, 403, `${level}: ${operation.id} as a job`)
    }
  }
  t.diagnostic(`${refused} refusals of routes`)
  assert.ok(refused > 400, String(refused))
})

test('every operation lets each level of the table in: what is wrong then is the input', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  // No operation takes this field, so none of them runs.
  const input = { 'no such field': 1 }
  for (const access of accessLevels)
    for (const operation of gateway.registry.operations) {
      const options = { actor: actor(access) }
      const call =
        operation.kind === 'stream'
          ? gateway.open(operation, input, options)
          : gateway.invoke(operation, input, options)
      const code = await call.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
      assert.equal(code, mayCall(operation, access) ? 'invalid_input' : 'forbidden', `${access}: ${operation.id}`)
    }
})
