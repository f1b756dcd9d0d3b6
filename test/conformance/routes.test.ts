/** The routes of the specification (`specification.tsv`): each one is served. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { docsPlugin } from '../../core/docs/operations.ts'
import { createServer } from '../../core/http/server.ts'
import { registerMcp } from '../../core/mcp/http.ts'
import { mcpPlugin } from '../../core/mcp/operations.ts'
import { builtInPlugins, openTestGateway } from '../harness.ts'

interface SpecifiedRoute {
  readonly group: string
  readonly method: string
  readonly path: string
}

function specifiedRoutes(): SpecifiedRoute[] {
  const rows = readFileSync(new URL('./specification.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
  return rows.map((row) => {
    const [group = '', method = '', path = ''] = row.split('\t')
    return { group, method, path: path.replace(/\?.*$/, '') }
  })
}

/** Names of parameters are the gateway's own. */
const shape = (method: string, path: string) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`

test('every route of the specification is served', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  const app = await createServer(gateway, { adapters: [registerMcp] })
  t.after(() => app.close())
  const served = new Set(gateway.registry.routes.map(({ method, path }) => shape(method, path)))
  const isServed = ({ method, path }: SpecifiedRoute) =>
    served.has(shape(method, path)) || app.hasRoute({ method: method as 'GET', url: path })
  const routes = specifiedRoutes()
  assert.equal(routes.length, 317)
  const missing = routes.filter((route) => !isServed(route))
  t.diagnostic(`${routes.length - missing.length} of ${routes.length} routes are served`)
  assert.deepEqual(
    missing.map(({ group, method, path }) => `${group}: ${method} ${path}`),
    [],
  )
})
