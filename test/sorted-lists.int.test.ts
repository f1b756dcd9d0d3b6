/** `?sort=` on the lists of the built-in plugins, over HTTP. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sortableList } from '../core/calls/sorted-list.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { createServer, listen } from '../core/http/server.ts'
import { compileInput } from '../core/input/validation.ts'
import { openTestGateway } from './harness.ts'

interface Body {
  readonly [name: string]: unknown
  readonly errors?: readonly { readonly path: string; readonly allowed: readonly string[] }[]
}

async function open(t: TestContext) {
  const at = await openTestGateway(t, { corePlugins: [docsPlugin] })
  const app = await createServer(at.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'X-API-Key': at.gateway.createdKey ?? '' } })
    return { status: response.status, json: (await response.json()) as Body }
  }
  return { ...at, get }
}

const blocks = '/api/devices/PLC_1/blocks'

async function withBlocks(t: TestContext) {
  const at = await open(t)
  await at.call('projects.create', { name: 'Line' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  const made: [string, string, number][] = [
    ['alpha', 'FC', 3],
    ['Beta', 'FB', 10],
    ['gamma', 'FC', 2],
    ['Delta', 'FB', 1],
  ]
  for (const [name, type, number] of made) await at.call('blocks.create', { deviceName: 'PLC_1', name, type, number })
  const names = async (query: string) => {
    const { status, json } = await at.get(`${blocks}?${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return (json.blocks as { name: string }[]).map(({ name }) => name)
  }
  return { ...at, names }
}

test('a list comes in the order of its fields, up and down, with the others of the call', async (t) => {
  const { names, get } = await withBlocks(t)
  assert.deepEqual(await names('sort=name'), ['alpha', 'Beta', 'Delta', 'gamma'])
  assert.deepEqual(await names('sort=-name'), ['gamma', 'Delta', 'Beta', 'alpha'])
  assert.deepEqual(await names('sort=type,-number'), ['Beta', 'Delta', 'alpha', 'gamma'])
  assert.deepEqual(await names('sort=-Type,Number'), ['gamma', 'alpha', 'Delta', 'Beta'])
  assert.deepEqual(await names('sort=number&type=FC'), ['gamma', 'alpha'])
  assert.deepEqual(await names('sort=-number&q=a&limit=2'), ['Beta', 'alpha'])
  const { json } = await get(`${blocks}?sort=-number&fields=number&limit=3`)
  assert.deepEqual([json.blocks, json.total], [[{ number: 10 }, { number: 3 }, { number: 2 }], 4])
})

test('pages of an order follow one another, and a cursor is for its order alone', async (t) => {
  const { get, call } = await withBlocks(t)
  const found: string[] = []
  let cursor = ''
  do {
    const { json } = await get(`${blocks}?sort=-number&limit=3${cursor && `&cursor=${cursor}`}`)
    found.push(...(json.blocks as { name: string }[]).map(({ name }) => name))
    assert.equal(json.total, 4)
    cursor = String(json.nextCursor ?? '')
  } while (cursor !== '')
  assert.deepEqual(found, ['Beta', 'alpha', 'gamma', 'Delta'])
  const first = String((await get(`${blocks}?sort=name&limit=1`)).json.nextCursor)
  const other = await get(`${blocks}?sort=-name&limit=1&cursor=${first}`)
  assert.deepEqual([other.status, other.json.errors?.[0]?.path], [400, '/cursor'])
  await call('blocks.create', { deviceName: 'PLC_1', name: 'New', type: 'FC' })
  assert.equal((await get(`${blocks}?sort=name&limit=1&cursor=${first}`)).status, 400)
})

test('what no entry has, or has no order, is refused with the names that are right', async (t) => {
  const { get } = await withBlocks(t)
  const near = await get(`${blocks}?sort=nam`)
  assert.equal(near.status, 400)
  assert.match(String(near.json.detail), /by "nam" \(did you mean "name"\?\)/)
  assert(near.json.errors?.[0]?.allowed.includes('modifiedDate'))
  assert.equal((await get(`${blocks}?sort=`)).status, 400)
  assert.equal((await get(`${blocks}?sort=name,,type`)).status, 400)
  const byTime = await get('/api/jobs?sort=status')
  assert.match(String(byTime.json.detail), /\/sort: is not for this list: its entries are in the order of time/)
  const none = await get('/api/projects/overview?sort=name')
  assert.match(String(none.json.detail), /sort: unknown property/)
})

test('what is absent comes last both ways', async (t) => {
  const { get, call } = await withBlocks(t)
  await call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name: 'IO_1' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_2' })
  for (const [sort, names] of [
    ['ipAddress', ['PLC_1', 'PLC_2', 'IO_1']],
    ['-ipAddress', ['PLC_2', 'PLC_1', 'IO_1']],
  ] as const) {
    const { json } = await get(`/api/projects/devices?sort=${sort}`)
    assert.deepEqual(
      (json.devices as { name: string }[]).map(({ name }) => name),
      names,
    )
  }
})

test('the document tells the fields of an order', async (t) => {
  const { get } = await open(t)
  const { json } = await get('/openapi.json')
  interface Document {
    readonly [path: string]: {
      readonly get: { readonly parameters: readonly { name: string; schema: { description?: string } }[] }
    }
  }
  const parameter = (path: string) =>
    (json.paths as Document)[path]?.get.parameters.find(({ name }) => name === 'sort')?.schema.description
  assert.match(parameter('/api/devices/{deviceName}/blocks') ?? '', /Fields: name, .*number/)
  assert.equal(parameter('/api/jobs'), undefined)
})

test('every list that can be long has an order, or is in the order of time, and the document says which', async (t) => {
  const { gateway } = await openTestGateway(t)
  const without: string[] = []
  let count = 0
  for (const operation of gateway.registry.operations) {
    if (operation.kind !== 'query' || operation.byTime) continue
    const { schema } = await compileInput(operation)
    if (schema.properties?.limit === undefined || schema.properties.cursor === undefined) continue
    const sortable = await sortableList(operation)
    if (sortable === undefined) without.push(operation.id)
    else count += 1
  }
  assert.ok(count > 30, String(count))
  // The nodes of a tree are where they belong.
  assert.deepEqual(without.filter((id) => !id.endsWith('tree')).sort(), [])
})
