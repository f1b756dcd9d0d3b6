/** The files of a new plugin: one event, one command, one query, and a test. */

/**
 * @param name of the plugin: lower-case words with hyphens
 * @param o.api range of the plugin API that the plugin names
 * @returns content by name of the file
 */
export function pluginFiles(name: string, o: { api: string; isTypeScript: boolean }): Record<string, string> {
  const { api, isTypeScript } = o
  const head = isTypeScript
    ? `import type * as Gantry from 'gantry' // for the type checker only: the gateway hands its surface to the plugin\n\n`
    : ''
  const type = isTypeScript ? ': typeof Gantry' : ''
  const itemOf = isTypeScript ? '<{ text: string }>' : ''
  const eventOf = isTypeScript ? '<{ id: string; text: string }>' : ''
  const plugin = `${head}export default ({ collection, command, definePlugin, domainEvent, get, on, post, query }${type}) => {
  const items = collection${itemOf}('${name}.items')
  const added = domainEvent${eventOf}('${name}.added', 'An item was added')
  return definePlugin({
    name: '${name}',
    version: '0.1.0',
    api: '${api}',
    slice: {
      version: 1,
      collections: [items],
      reductions: [on(added, (write, { id, text }) => write(items).set(id, { text }))],
    },
    operations: [
      command({
        id: '${name}.add',
        title: 'Add an item',
        input: (t) => t.Object({ text: t.String({ minLength: 1 }) }),
        output: (t) => t.Object({ id: t.String() }),
        http: [post('/api/plugins/${name}')],
        mcp: { toolset: '${name}' },
        run({ text }, ctx) {
          const id = ctx.newId()
          ctx.emit(added, { id, text })
          return { id }
        },
      }),
      query({
        id: '${name}.list',
        title: 'List the items',
        input: (t) => t.Object({}),
        output: (t) => t.Object({ items: t.Array(t.Object({ text: t.String() })), total: t.Integer() }),
        http: [get('/api/plugins/${name}')],
        mcp: { toolset: '${name}' },
        run(_, ctx) {
          const all = [...ctx.read(items).values()]
          return { items: all, total: all.length }
        },
      }),
    ],
  })
}
`
  const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from 'gantry/testing'

test('an item that is added is there after a restart', async (t) => {
  const gantry = await openTestGateway({ plugins: [new URL('.', import.meta.url)] })
  t.after(() => gantry.close())
  await gantry.call('${name}.add', { text: 'first' })
  const { call } = await gantry.restart()
  assert.deepEqual(await call('${name}.list'), { items: [{ text: 'first' }], total: 1 })
})
`
  return { [isTypeScript ? 'index.ts' : 'index.js']: plugin, 'index.test.mjs': test }
}
