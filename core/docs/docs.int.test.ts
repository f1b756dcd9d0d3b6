import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { stringify } from 'yaml'
import { openTestGateway } from '../../test/harness.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { isGatewayError } from '../contract/problems.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { sectionsOf } from './manual.ts'
import { buildOpenApi } from './openapi.ts'
import { docsPlugin } from './operations.ts'

const fixtures = [
  fileURLToPath(new URL('../fixtures/plugins', import.meta.url)),
  fileURLToPath(new URL('../http/fixtures/plugins', import.meta.url)),
]
const open = (t: TestContext) => openTestGateway(t, { pluginDirs: fixtures, corePlugins: [docsPlugin] })
const openAll = (t: TestContext) => openTestGateway(t, { corePlugins: [docsPlugin] })
const code = (expected: string) => (error: unknown) => isGatewayError(error) && error.code === expected

type Media = { schema: { properties: Record<string, Record<string, unknown>>; required?: string[] }; example?: unknown }
interface Described {
  operationId: string
  summary: string
  parameters: { name?: string; in?: string; required?: boolean; $ref?: string }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
  security?: unknown[]
  tags: string[]
}

for (const [name, start] of [
  ['the fixtures', open],
  ['all built-in plugins', openAll],
] as const) {
  test(`the OpenAPI document of ${name} is valid and complete`, async (t) => {
    const { gateway } = await start(t)
    assert.deepEqual(gateway.pluginFaults, [])
    const document = JSON.parse(JSON.stringify(await buildOpenApi(gateway.registry, { version: '1.2.3' })))
    const result = await new Validator().validate(structuredClone(document))
    assert.ok(result.valid, JSON.stringify(result.errors, null, 1)?.slice(0, 2000))
    const described = Object.values(document.paths as Record<string, Record<string, Described>>).flatMap((path) =>
      Object.values(path),
    )
    assert.equal(described.length, gateway.registry.routes.length + 3, 'every route, and those of sessions')
    const ids = described.map((operation) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length, 'operationIds are unique')
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!)
    for (const reference of new Set(references)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document)
      assert.ok(reference.startsWith('#/') && found !== undefined, reference)
    }
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Described>>)) {
      for (const operation of Object.values(methods)) {
        const declared = operation.parameters
          .filter((p) => p.in === 'path')
          .map((p) => p.name)
          .sort()
        assert.deepEqual(declared, [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort(), path)
      }
    }
  })
}

test('the operationIds of the fixtures are as recorded', async (t) => {
  const { gateway } = await open(t)
  const document = await buildOpenApi(gateway.registry, { version: '1.2.3' })
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((o) => String(o.operationId)))
  const text = `${ids.sort().join('\n')}\n`
  assertRecorded(import.meta.url, 'operation-ids.txt', text)
})

test('the OpenAPI document of the fixtures and what is told of their routes are as recorded', async (t) => {
  const { gateway, call } = await open(t)
  const document = await buildOpenApi(gateway.registry, { version: '1.2.3' })
  const own = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith('/api/docs')))
  assertRecorded(
    import.meta.url,
    'openapi.yaml',
    stringify({ ...document, paths: own }, { aliasDuplicateObjects: false }),
  )
  const routes: Record<string, unknown> = {}
  for (const { method, path, plugin } of gateway.registry.routes)
    if (plugin !== 'docs') routes[`${method} ${path}`] = await call('docs.describe-route', { route: path, method })
  assertRecorded(import.meta.url, 'routes.yaml', stringify(routes, { aliasDuplicateObjects: false }))
})

test('the routes and events of the built-in plugins are as recorded', async (t) => {
  const { gateway } = await openAll(t)
  const lines = gateway.registry.routes.map(
    ({ method, path, operation, mode }) => `${method} ${path}: ${operation.id}, ${mode}, ${operation.kind}`,
  )
  assertRecorded(import.meta.url, 'all-routes.txt', `${lines.sort().join('\n')}\n`)
  const events = gateway.registry.events.map(({ type, title }) => `${type}: ${title}`)
  assertRecorded(import.meta.url, 'all-events.txt', `${events.sort().join('\n')}\n`)
})

test('what the manual says of errors and events is as recorded', async (t) => {
  const { gateway } = await openAll(t)
  for (const section of sectionsOf(gateway.registry))
    if (['errors', 'events'].includes(section.name))
      assertRecorded(import.meta.url, `${section.name}.md`, await section.text())
})

test('parameters stand where the HTTP server reads them', async (t) => {
  const { gateway } = await open(t)
  const document = JSON.parse(JSON.stringify(await buildOpenApi(gateway.registry, { version: '1.2.3' })))
  const at = (path: string, method: string) => document.paths[path][method] as Described
  const add = at('/api/counter/{name}/actions/add-sync', 'post')
  assert.deepEqual(Object.keys(add.requestBody!.content['application/json']!.schema.properties), ['by'])
  assert.ok(add.parameters.some((p) => p.name === 'dryRun' && p.in === 'query'))
  const listed = '200 202 400 401 403 404 409 412 413 415 422 429 500 503 default'
  assert.equal(Object.keys(add.responses).join(' '), listed, 'codes, not 4XX: generators make names of them')
  assert.deepEqual(add.tags, ['counter'])
  const async = at('/api/counter/{name}/actions/add', 'post')
  assert.equal(async.operationId, 'counter.add.async')
  assert.equal(async.responses['202']!.$ref, '#/components/responses/Accepted')
  assert.equal(async.summary, `${add.summary} (asynchronous)`, 'the twins are told apart in lists')
  const lines = at('/api/probe/lines', 'get')
  assert.deepEqual(Object.keys(lines.responses['200']!.content!), ['application/json', 'text/x-lines'])
  assert.deepEqual(Object.keys(at('/api/probe/text', 'get').responses['200']!.content!), ['application/xml'])
  assert.equal(async.responses['200'], undefined)
  const form = at('/api/probe/forms', 'post').requestBody!.content
  assert.equal(form['multipart/form-data']!.schema.properties.left!.contentMediaType, 'application/octet-stream')
  assert.ok((form['application/json']!.schema.properties.left as { properties: object }).properties)
  assert.deepEqual(at('/api/probe/ping', 'get').security, [])
  const echo = at('/api/probe/echo/{path}', 'get')
  assert.equal(echo.requestBody, undefined)
  assert.ok(echo.parameters.some((p) => p.name === 'count' && p.in === 'query'))
  assert.ok(at('/api/probe/count', 'get').responses['200']!.content!['text/event-stream'])
  assert.ok(at('/api/probe/text', 'get').responses['200']!.content!['application/xml'])
})

test('the manual holds every section, and each can be read alone', async (t) => {
  const { call, gateway } = await open(t)
  const { sections, total } = await call<{ sections: { name: string; title: string }[]; total: number }>(
    'docs.list-sections',
  )
  assert.equal(sections.length, total)
  assert.equal(new Set(sections.map((s) => s.name)).size, total)
  const manual = await call<string>('docs.get-manual')
  for (const { name, title } of sections) {
    const section = await call<{ text: string }>('docs.get-section', { sectionName: name })
    assert.ok(section.text.startsWith(`# ${title}\n`))
    assert.ok(manual.includes(section.text), name)
  }
  for (const operation of gateway.registry.operations) assert.ok(manual.includes(operation.id), operation.id)
  for (const errorCode of gateway.registry.problems.keys()) assert.ok(manual.includes(`## ${errorCode}`), errorCode)
  assert.ok(manual.includes('counter.added'))
  await assert.rejects(call('docs.get-section', { sectionName: 'erors' }), /Did you mean "errors"/)
})

test('search finds sections with snippets, also with a slip of the pen', async (t) => {
  const { call } = await open(t)
  type Hits = { section: string; snippet: string; relevance: number }[]
  const hits = await call<Hits>('docs.search', { q: 'idempotency mismatch' })
  assert.equal(hits[0]!.section, 'errors')
  assert.equal(hits[0]!.relevance, 1)
  assert.match(hits[0]!.snippet, /Idempotency/)
  assert.ok(hits.every((hit, i) => i === 0 || hit.relevance <= hits[i - 1]!.relevance))
  assert.equal(new Set(hits.map((hit) => hit.section)).size, hits.length)
  assert.ok((await call<Hits>('docs.search', { query: 'counnter' })).some((hit) => hit.section === 'counter-reference'))
  assert.deepEqual(await call<Hits>('docs.search', { q: 'zzzzqqqqxxxx' }), [])
  assert.equal((await call<Hits>('docs.search', { q: 'the', limit: 1 })).length, 1)
})

test('error codes have pages', async (t) => {
  const { call } = await open(t)
  const { errors, total } = await call<{ errors: { code: string; status: number }[]; total: number }>(
    'docs.list-errors',
  )
  assert.equal(errors.length, total)
  const page = await call('docs.get-error', { code: 'no_project' })
  assert.equal(page.status, 409)
  await assert.rejects(call('docs.get-error', { code: 'no_projct' }), /Did you mean "no_project"/)
})

test('routes of other protocols are described too', async (t) => {
  const { call } = await openTestGateway(t, { corePlugins: [docsPlugin, mcpPlugin] })
  for (const [route, method, names] of [
    ['mcp/sse', 'GET', ['sessionId', 'toolsets', 'tools', 'readonly']],
    ['/mcp/messages', 'POST', ['sessionId']],
    // A client sends the query of its address with each request.
    ['DELETE /mcp', 'DELETE', ['toolsets', 'tools', 'readonly']],
  ] as const) {
    const info = await call('docs.describe-route', { route })
    assert.equal(info.kind, 'wire', route)
    assert.equal(info.method, method)
    assert.deepEqual(
      (info.parameters as { name: string }[]).map(({ name }) => name),
      names,
    )
  }
})

test('a route is found by pattern, path, encoded path, method or operation id', async (t) => {
  const { call } = await open(t)
  const { routes } = await call<{ routes: { method: string; path: string; controller: string }[] }>('docs.list-routes')
  assert.ok(routes.some((r) => r.method === 'DELETE' && r.path === '/api/counter/{name}' && r.controller === 'counter'))
  assert.ok((await call<{ total: number }>('docs.list-routes', { q: 'COUNTER-PAIRS' })).total === 1)
  for (const route of [
    '/api/counter/{name}/actions/add-sync',
    'api/counter/{name}/actions/add-sync',
    'counter/{anything}/actions/add-sync',
    'counter/:name/actions/add-sync',
    'counter/pump/actions/add-sync?dryRun=true',
    '%2Fapi%2Fcounter%2Fpump%2Factions%2Fadd-sync',
    'POST /api/counter/{name}/actions/add-sync',
    'counter.add',
  ]) {
    const info = await call('docs.describe-route', { route })
    assert.equal(info.operation, 'counter.add', route)
    assert.equal(info.method, 'POST')
    assert.deepEqual(
      (info.parameters as { name: string; in: string; required: boolean }[]).map((p) => [p.name, p.in, p.required]),
      [
        ['name', 'path', true],
        ['by', 'body', false],
        ['dryRun', 'query', false],
      ],
    )
    assert.deepEqual(Object.keys((info.body as { properties: object }).properties), ['by'])
  }
  const chosen = await call('docs.describe-route', { route: 'counter/x', method: 'get' })
  assert.equal(chosen.operation, 'counter.get')
  assert.deepEqual([...(chosen.methods as string[])].sort(), ['DELETE', 'GET'])
  await assert.rejects(call('docs.describe-route', { route: 'counter.ad' }), /Did you mean counter\.add\?/)
  await assert.rejects(call('docs.describe-route', { route: 'contr/x' }), code('route_not_found'))
  await assert.rejects(call('docs.describe-route', { route: 'counter/x', method: 'PUT' }), /has no method PUT/)
})

test('what a route answers is described as in the OpenAPI document', async (t) => {
  const { call, gateway } = await open(t)
  const document = await buildOpenApi(gateway.registry, { version: '1.2.3' })
  type Answer = { status: string; contentType: string; description: string; schema?: { properties?: object } }
  const answers = async (method: string, path: string) =>
    (await call('docs.describe-route', { route: path, method })).responses as Answer[]
  for (const { method, path, mode, operation } of gateway.registry.routes) {
    const responses = await answers(method, path)
    const described = document.paths[path.replace('*}', '}')]?.[method.toLowerCase()] as unknown as Described
    const status = mode === 'async' ? '202' : '200'
    assert.deepEqual(
      responses
        .filter((one) => one.status === status)
        .map(({ contentType }) => contentType)
        .sort(),
      mode === 'async' ? ['application/json'] : Object.keys(described.responses['200']?.content ?? {}).sort(),
      operation.id,
    )
    assert.equal(responses.at(-1)?.contentType, 'application/problem+json')
  }
  const [result] = await answers('GET', '/api/counter/{name}')
  assert.ok(Object.keys(result?.schema?.properties ?? {}).length > 0, 'the result has a schema')
  const [stream] = await answers('GET', '/api/probe/count')
  assert.deepEqual(stream, { status: '200', contentType: 'text/event-stream', description: 'Server-sent events.' })
})
