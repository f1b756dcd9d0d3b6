/** docs/routes.md and the table of the README say what there is. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { docsPlugin } from '../core/docs/operations.ts'
import { createServer } from '../core/http/server.ts'
import { registerMcp } from '../core/mcp/http.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { routesPage } from './conformance/routes-page.ts'
import { subjects, wire } from './conformance/subjects.ts'
import { shape } from './conformance/ways.ts'
import { builtInPlugins, openTestGateway } from './harness.ts'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/routes.md is current: scripts/routes-docs.ts writes it', async () => {
  assert.equal(await read('docs/routes.md'), routesPage())
})

test('the routes that the tables name are served, and the status in the README is that of registry and tables', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  const app = await createServer(gateway, { adapters: [registerMcp] })
  t.after(() => app.close())
  const served = new Set(gateway.registry.routes.map(({ method, path }) => shape(`${method} ${path}`)))
  const named = Object.values(subjects)
    .flat()
    .flatMap(({ effect, shows }) => [effect?.[0], shows])
    .filter((route): route is string => route !== undefined && /^[A-Z]+ \//.test(route))
  for (const route of named) {
    const [method = '', url = ''] = route.split(' ')
    assert.ok(served.has(shape(route)) || app.hasRoute({ method: method as 'GET', url }), route)
  }
  for (const route of wire) {
    const [method = '', url = ''] = route.replace(/\?.*/, '').split(' ')
    if (app.hasRoute({ method: method as 'GET', url })) served.add(shape(route))
  }
  const tested = new Set(
    [
      ...Object.values(subjects)
        .flat()
        .flatMap(({ routes }) => routes),
      ...wire,
    ].map(shape),
  )
  const counts = new Map<string, [specified: number, served: number, tested: number]>()
  const rows = (await read('test/conformance/specification.tsv')).trimEnd().split('\n').slice(1)
  for (const row of rows) {
    const [subject = '', method = '', path = ''] = row.split('\t')
    const route = shape(`${method} ${path}`)
    const [all, there, checked] = counts.get(subject) ?? [0, 0, 0]
    counts.set(subject, [all + 1, there + Number(served.has(route)), checked + Number(tested.has(route))])
  }
  const lines = [...counts].map(([subject, numbers]) => `| ${[subject, ...numbers].join(' | ')} |`)
  const wanted = `| routes of the specification | number | served | tested by effect |\n|---|---|---|---|\n${lines.join('\n')}\n`
  assert.ok((await read('README.md')).includes(wanted), `the README must have:\n${wanted}`)
})
