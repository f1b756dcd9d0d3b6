// In a process of its own: it has TypeScript loaded into its process.
import assert from 'node:assert/strict'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageDir } from '../../../core/boot/running-code.ts'
import { isGatewayError } from '../../../core/contract/problems.ts'
import { sectionsOf } from '../../../core/docs/manual.ts'
import { createServer } from '../../../core/http/server.ts'
import { Catalogue } from '../../../core/mcp/catalogue.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { actor, openTestGateway } from '../../../test/harness.ts'

const folder = join(packageDir, 'examples/plugins/tag-statistics')

/** A plugin directory outside the repository: nothing of it can be resolved from there. */
function pluginsDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-third-party-')
}

async function dropIn(dir: string, name: string, text: string, file = 'index.mjs') {
  await mkdir(join(dir, name), { recursive: true })
  await writeFile(join(dir, name, file), text)
}

/** A stand-in for the plugin of tags: one command that emits any of its events. */
const tags = `export default ({ command, definePlugin, domainEvent, post }) =>
  definePlugin({
    name: 'tags',
    version: '1.0.0',
    operations: [
      command({
        id: 'tags.emit',
        title: 'Emit events',
        input: (t) => t.Object({ events: t.Array(t.Object({ type: t.String(), data: t.Unknown() })) }),
        output: (t) => t.Object({}),
        http: [post('/api/stand-in/tags')],
        mcp: false,
        run({ events }, ctx) {
          for (const { type, data } of events) ctx.emit(domainEvent(type, ''), data)
          return {}
        },
      }),
    ],
  })
`
const tag = (name: string, dataType: string) => ({ name, dataType })
const inTable = { deviceId: 'D1', tableName: 'Motors' }
const code = (expected: string) => (error: unknown) => isGatewayError(error) && error.code === expected

async function openWith(t: TestContext, entry: 'as it is' | 'with a package of its own') {
  const dir = await pluginsDir(t)
  await dropIn(dir, 'tags', tags)
  await cp(folder, join(dir, 'tag-statistics'), { recursive: true })
  if (entry === 'with a package of its own')
    await writeFile(join(dir, 'tag-statistics/package.json'), '{ "type": "module" }')
  const opened = await openTestGateway(t, { pluginDirs: [dir] })
  assert.deepEqual(opened.gateway.pluginFaults, [])
  return opened
}

for (const entry of ['as it is', 'with a package of its own'] as const) {
  test(`dropped into a directory elsewhere ${entry}, its route, tool, docs and events are there`, async (t) => {
    const { gateway, call } = await openWith(t, entry)
    const { registry } = gateway
    assert.deepEqual(
      registry.routes
        .filter(({ plugin }) => plugin === 'tag-statistics')
        .map(({ method, path }) => `${method} ${path}`),
      ['GET /api/plugins/tag-statistics', 'POST /api/plugins/tag-statistics/actions/reset'],
    )
    assert(registry.events.some(({ type }) => type === 'tag-statistics.reset'))
    const empty = { tables: [], total: 0, tags: 0, byType: {} }
    assert.deepEqual(await call('tag-statistics.get'), empty)

    const app = await createServer(gateway)
    t.after(() => app.close())
    const headers = { 'x-api-key': gateway.createdKey! }
    const answer = await app.inject({ url: '/api/plugins/tag-statistics', headers })
    assert.deepEqual([answer.statusCode, answer.json()], [200, empty])
    const { tools, toolsets } = new Catalogue(gateway, [])
    assert.equal(tools.get('tag_statistics_get')!.id, 'tag-statistics.get')
    assert.equal(toolsets.get('tag-statistics')!.length, 2)
    const pages = sectionsOf(registry).filter(({ plugin }) => plugin === 'tag-statistics')
    assert.match(await pages.find(({ name }) => name === 'tag-statistics')!.text(), /^# Tag statistics\n/)
    assert.match((await Promise.all(pages.map((page) => page.text()))).join(''), /actions\/reset/)
  })
}

test('it counts what the events say, and the same after a restart', async (t) => {
  const opened = await openWith(t, 'as it is')
  const emit = (...events: [string, unknown][]) =>
    opened.call('tags.emit', { events: events.map(([type, data]) => ({ type: `tags.${type}`, data })) })
  const table = { deviceId: 'D1', name: 'Motors', tags: [tag('On', 'Bool'), tag('Speed', 'Real')] }
  await emit(['table-created', { table }], ['added', { ...inTable, tag: tag('Off', 'Bool') }])
  await emit(['changed', { ...inTable, name: 'SPEED', tag: tag('Velocity', 'LReal') }])
  await emit(
    ['deleted', { ...inTable, name: 'on' }],
    ['added', { deviceId: 'D1', tableName: 'absent', tag: tag('x', 'Int') }],
  )
  const { tables, ...sum } = await opened.call<{ tables: { changes: number; tags: number }[] }>('tag-statistics.get')
  assert.deepEqual(sum, { total: 1, tags: 2, byType: { Bool: 1, LReal: 1 } })
  assert.deepEqual([tables[0]!.tags, tables[0]!.changes], [2, 4])

  assert.deepEqual(await opened.call('tag-statistics.reset', { tableName: 'motors' }), { reset: 1 })
  assert.deepEqual(await opened.call('tag-statistics.reset'), { reset: 0 })
  await assert.rejects(opened.call('tag-statistics.reset', { tableName: 'Motor' }), /Did you mean "Motors"/)
  const viewer = { actor: actor('viewer') }
  await assert.rejects(opened.call('tag-statistics.reset', {}, viewer), code('forbidden'))
  await emit(['table-renamed', { deviceId: 'D1', oldName: 'Motors', newName: 'Drives' }])
  const before = await opened.call('tag-statistics.get')
  await opened.gateway.store.checkpoints.drop()
  const second = await opened.restart()
  assert.deepEqual(await second.call('tag-statistics.get'), before)
  await second.call('tags.emit', { events: [{ type: 'projects.closed', data: {} }] })
  assert.equal((await second.call('tag-statistics.get')).total, 0)
})

test('it counts what happened before it was there', async (t) => {
  const dir = await pluginsDir(t)
  await dropIn(dir, 'tags', tags)
  const first = await openTestGateway(t, { pluginDirs: [dir] })
  const table = { deviceId: 'D1', name: 'Motors', tags: [tag('On', 'Bool')] }
  await first.call('tags.emit', { events: [{ type: 'tags.table-created', data: { table } }] })
  await first.call('tags.emit', { events: [{ type: 'tags.added', data: { ...inTable, tag: tag('Off', 'Bool') } }] })
  await first.gateway.checkpoint()
  await cp(folder, join(dir, 'tag-statistics'), { recursive: true })
  const second = await first.restart()
  assert.deepEqual((await second.call('tag-statistics.get')).byType, { Bool: 2 })
})

test('faulty plugins are skipped with the reason, and the rest works', async (t) => {
  const dir = await pluginsDir(t)
  const plugin = (fields: string) => `export default { version: '1.0.0', ${fields} }`
  const operation = (id: string, path: string, run = '() => ({})') =>
    `{ kind: 'query', id: '${id}', title: 'x', input: (t) => t.Object({}), output: (t) => t.Object({}), mcp: false,
       http: [{ method: 'GET', path: '${path}', mode: 'sync' }], run: ${run} }`
  await dropIn(dir, 'a-good', plugin(`name: 'good', operations: [${operation('good.get', '/api/good/{a}')}]`))
  await dropIn(dir, 'b-throws', `throw new Error('it cannot start')`)
  await dropIn(dir, 'c-same-name', plugin(`name: 'good'`))
  await dropIn(dir, 'd-same-id', plugin(`name: 'same-id', operations: [${operation('good.get', '/api/other')}]`))
  await dropIn(
    dir,
    'e-same-route',
    plugin(`name: 'same-route', operations: [${operation('route.get', '/api/good/{b}')}]`),
  )
  await dropIn(
    dir,
    'f-needs',
    plugin(`name: 'needs', requires: ['absent'], operations: [${operation('needs.get', '/api/needs')}]`),
  )
  await dropIn(dir, 'g-cycle', plugin(`name: 'egg', requires: ['hen']`))
  await dropIn(dir, 'h-cycle', plugin(`name: 'hen', requires: ['egg']`))
  await dropIn(dir, 'i-no-plugin', 'export const plugin = 1')
  await dropIn(dir, 'j-syntax', 'export default {')
  await dropIn(
    dir,
    'k-slice',
    plugin(`name: 'slice', operations: [${operation('slice.get', '/api/slice')}],
      slice: { version: 1, collections: [{ id: 'elsewhere.x', indexes: {}, owners: [] }], reductions: [] }`),
  )
  await dropIn(
    dir,
    'l-run',
    plugin(
      `name: 'bad-run', operations: [${operation('bad-run.get', '/api/bad-run', '() => { throw new TypeError("private") }')}]`,
    ),
  )
  await dropIn(dir, 'm-start', plugin(`name: 'bad-start', start() { throw new Error('no connection') }`))
  await dropIn(dir, 'n-factory', `export default () => { throw new Error('factory failed') }`)
  await dropIn(
    dir,
    'o-import',
    `import { definePlugin } from 'gantry'\nexport default definePlugin({ name: 'x', version: '1.0.0' })`,
  )
  await dropIn(dir, 'empty', '', 'README.md')
  const { gateway, call } = await openTestGateway(t, { pluginDirs: [dir, join(dir, 'not-there')] })
  const reasons = Object.fromEntries(
    gateway.pluginFaults.map((fault) => [fault.folder.slice(dir.length + 1), fault.reason]),
  )
  const expected: Record<string, RegExp> = {
    'b-throws': /it cannot start/,
    'c-same-name': /"good" is loaded already/,
    'd-same-id': /operation "good.get" exists already/,
    'e-same-route': /GET \/api\/good\/\{b\} of "route.get" is taken by "good.get"/,
    'f-needs': /needs plugin "absent"/,
    'g-cycle': /require each other: egg → hen → egg/,
    'h-cycle': /"egg", which is not loaded/,
    'i-no-plugin': /does not default-export/,
    'j-syntax': /./,
    'k-slice': /must be named "slice\./,
    'm-start': /its start failed: no connection/,
    'n-factory': /factory failed/,
    'o-import': /export a function \(gantry\)/,
    'not-there': /^this directory of plugins does not exist/,
  }
  assert.deepEqual(Object.keys(reasons).sort(), Object.keys(expected).sort())
  for (const [name, reason] of Object.entries(expected)) assert.match(reasons[name]!, reason, name)
  assert.deepEqual(
    gateway.registry.operations.map(({ id }) => id),
    ['good.get', 'bad-run.get'],
  )
  assert.deepEqual(await call('good.get'), {})
  await assert.rejects(
    call('bad-run.get'),
    (error: unknown) => code('internal_error')(error) && !/private/.test(String(error)),
  )
  assert.deepEqual(await call('good.get'), {})
})

test('a policy of another plugin denies, and one that throws after the work undoes all', async (t) => {
  const dir = await pluginsDir(t)
  await dropIn(dir, 'tags', tags)
  await cp(folder, join(dir, 'tag-statistics'), { recursive: true })
  await dropIn(
    dir,
    'policy',
    `export default ({ definePlugin, problem }) =>
      definePlugin({
        name: 'policy',
        version: '1.0.0',
        hooks: [
          {
            on: '*.reset',
            before(_input, ctx, operation) {
              if (ctx.actor.access !== 'admin') throw problem('forbidden', operation.id + ' is denied by the policy.')
            },
          },
          {
            on: 'tags.*',
            after({ events }) {
              if (events.some(({ data }) => data.tag?.name === 'forbidden')) throw problem('conflict', 'That name is not wanted.')
            },
          },
        ],
      })`,
  )
  const { call } = await openTestGateway(t, { pluginDirs: [dir] })
  const add = (name: string) =>
    call('tags.emit', { events: [{ type: 'tags.added', data: { ...inTable, tag: tag(name, 'Bool') } }] })
  await call('tags.emit', {
    events: [{ type: 'tags.table-created', data: { table: { deviceId: 'D1', name: 'Motors', tags: [] } } }],
  })
  await assert.rejects(call('tag-statistics.reset', {}, { actor: actor('operator') }), /denied by the policy/)
  assert.deepEqual(await call('tag-statistics.reset'), { reset: 1 })
  await add('allowed')
  await assert.rejects(add('forbidden'), /not wanted/)
  assert.equal((await call('tag-statistics.get')).tags, 1)
})
