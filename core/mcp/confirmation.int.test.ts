/** Questions before destructive calls, with the SDK's own clients that can ask a person. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, testKey, textOf } from '../../test/mcp.ts'
import { until } from '../../test/until.ts'
import { bridgeStdio } from './bridge.ts'
import { serveStdio } from './stdio.ts'
import { gatewayTools } from './tools.ts'

const yes: ElicitResult = { action: 'accept', content: { proceed: true } }
const source = 'FUNCTION "Other" : Void\nBEGIN\n;\nEND_FUNCTION\n'

/** A project with the blocks A, B and C, and a client whose person gives the answer. */
async function open(
  t: TestContext,
  kind: 'sse' | 'streamable-http',
  answer: () => ElicitResult | Promise<ElicitResult>,
  query = '?toolsets=all',
) {
  const served = await serveMcp(t, { pluginDirs: [builtInPlugins] })
  const { gateway } = served
  const invoke = (id: string, input = {}) =>
    gateway.invoke(gateway.registry.operation(id)!, input, { actor: { name: 'test', access: 'admin' } })
  await invoke('projects.create', { name: 'P' })
  await invoke('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })
  for (const name of ['A', 'B', 'C'])
    await invoke('blocks.create', { deviceName: 'PLC_1', name, type: 'FC', language: 'SCL', code: ';' })
  const questions: { message: string; requestedSchema: { required?: string[] } }[] = []
  const { client } = await served.connect(kind, {
    query,
    onQuestion: ({ params }) => {
      questions.push(params as never)
      return answer()
    },
  })
  const names = async () => {
    const { value } = (await invoke('blocks.list', { deviceName: 'PLC_1' })) as {
      value: { blocks: { name: string }[] }
    }
    return value.blocks.map(({ name }) => name).join('')
  }
  const remove = (blockName: string, more = {}) =>
    client.callTool({ name: 'blocks_delete', arguments: { deviceName: 'PLC_1', blockName, ...more } })
  return { ...served, invoke, client, questions, names, remove }
}

for (const kind of ['sse', 'streamable-http'] as const) {
  test(`${kind}: a destructive call asks once, with what it would do, and runs after a yes`, async (t) => {
    const { client, questions, names, remove } = await open(t, kind, () => yes)
    assert.ok(!(await remove('A')).isError)
    assert.equal(await names(), 'BC')
    assert.equal(questions.length, 1)
    const { message, requestedSchema } = questions[0]!
    assert.match(message, /^test client wants to run blocks\.delete: Delete a block/)
    assert.match(message, /blockName: "A"/)
    assert.match(message, /A trial run shows what would happen:\n- .*delete.*: A/i)
    assert.deepEqual(requestedSchema.required, ['proceed'])
    // Through call_operation it is the same call, and the same single question.
    const input = { deviceName: 'PLC_1', blockName: 'B' }
    const called = await client.callTool({ name: 'call_operation', arguments: { operation: 'blocks.delete', input } })
    assert.ok(!called.isError, textOf(called))
    assert.equal(questions.length, 2)
    assert.equal(await names(), 'C')
  })

  test(`${kind}: without a yes nothing happens, and the answer says so`, async (t) => {
    const answers: ElicitResult[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { proceed: false } },
      { action: 'accept' },
    ]
    const { client, questions, names, remove } = await open(t, kind, () => answers[questions.length - 1]!)
    for (const [index] of answers.entries()) {
      const refused = await remove('A')
      assert.equal(refused.isError, true)
      assert.match(textOf(refused), /^not_confirmed: blocks\.delete was not run: the person .* Nothing was changed\./)
      assert.equal(questions.length, index + 1)
    }
    // A client whose form fails has not said yes either; a call that shall run as a job is asked about as well.
    const input = { deviceName: 'PLC_1', blockName: 'A' }
    const begun = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'blocks.delete', input, async: true },
    })
    assert.match(textOf(begun), /^not_confirmed: .*the client gave no answer/)
    assert.equal(questions.length, answers.length + 1)
    assert.equal(await names(), 'ABC')
  })

  test(`${kind}: a client that never answers does not hold the call for ever`, async (t) => {
    const { gateway, names, remove, questions, client } = await open(t, kind, () => new Promise(() => {}))
    Object.assign(gatewayTools(gateway), { askWithinMs: 100 })
    assert.match(textOf(await remove('A')), /^not_confirmed: .*the client gave no answer/)
    assert.equal(questions.length, 1)
    // Cancelled by the client while the question is open: nothing is left behind.
    Object.assign(gatewayTools(gateway), { askWithinMs: 60_000 })
    const abort = new AbortController()
    const calling = client.callTool(
      { name: 'blocks_delete', arguments: { deviceName: 'PLC_1', blockName: 'B' } },
      undefined,
      { signal: abort.signal },
    )
    await until(() => questions.length === 2, 'the question is asked')
    abort.abort('not wanted any more')
    await assert.rejects(calling, /not wanted any more/)
    assert.equal(await names(), 'ABC')
  })
}

test('what cannot succeed, only tries, reads or adds is not asked about', async (t) => {
  const { client, questions, names, remove } = await open(t, 'streamable-http', () => yes)
  assert.match(textOf(await remove('None')), /^not_found: /)
  assert.match(textOf(await remove('A', { nonsense: 1 })), /^invalid_input: /)
  assert.ok(!(await remove('A', { dryRun: true })).isError)
  await client.callTool({ name: 'blocks_list', arguments: { deviceName: 'PLC_1' } })
  const add = { deviceName: 'PLC_1', name: 'D', type: 'FC', language: 'SCL', code: ';' }
  assert.ok(!(await client.callTool({ name: 'blocks_create', arguments: add })).isError)
  const keep = { deviceName: 'PLC_1', content: source, overwrite: false }
  const kept = await client.callTool({ name: 'blocks_import_and_generate', arguments: keep })
  assert.ok(!kept.isError, textOf(kept))
  assert.equal(questions.length, 0)
  assert.match(await names(), /^ABCD/)
  const replace = { deviceName: 'PLC_1', content: source, overwrite: true }
  await client.callTool({ name: 'blocks_import_and_generate', arguments: replace })
  assert.equal(questions.length, 1)
})

test('the person can ask not to be asked again, for one operation and session', async (t) => {
  const always: ElicitResult = { action: 'accept', content: { proceed: true, always: true } }
  const { client, questions, names, remove } = await open(t, 'streamable-http', () => always)
  await remove('A')
  await remove('B')
  assert.equal(questions.length, 1)
  await client.callTool({ name: 'devices_delete', arguments: { deviceName: 'PLC_1' } })
  assert.equal(questions.length, 2)
  await assert.rejects(names(), /PLC_1/)
})

test('secrets are not in the question', async (t) => {
  const { client, questions } = await open(t, 'streamable-http', () => ({ action: 'decline' }))
  const refused = await client.callTool({
    name: 'security_set_master_secret',
    arguments: { deviceName: 'PLC_1', secret: 'Very-Secret-1' },
  })
  assert.match(textOf(refused), /^not_confirmed/)
  assert.match(questions[0]!.message, /ecret: \(secret\)/)
  assert.ok(!JSON.stringify(questions).includes('Very-Secret-1'))
})

test('the setting turns the questions off; a client that cannot ask is served as ever', async (t) => {
  const { questions, names, remove, invoke, connect } = await open(t, 'streamable-http', () => yes)
  const plain = await connect('streamable-http', { query: '?toolsets=all' })
  const input = { deviceName: 'PLC_1', blockName: 'A' }
  assert.ok(!(await plain.client.callTool({ name: 'blocks_delete', arguments: input })).isError)
  await invoke('settings.change', { mcp: { confirmDestructive: false } })
  assert.ok(!(await remove('B')).isError)
  assert.equal(questions.length, 0)
  assert.equal(await names(), 'C')
  await invoke('settings.change', { mcp: { confirmDestructive: true } })
  await remove('C')
  assert.equal(questions.length, 1)
})

for (const kind of ['a running gateway', 'a gateway of its own'] as const)
  test(`stdio, ${kind}: the question reaches the client, and its answer the gateway`, async (t) => {
    const { gateway, url, names } = await open(t, 'sse', () => yes)
    const [toServer, toClient] = [new PassThrough(), new PassThrough()]
    const streams = { stdin: toServer, stdout: toClient, toolsets: 'all' }
    const serving =
      kind === 'a running gateway'
        ? bridgeStdio({ ...streams, locate: async () => ({ url, key: testKey }), version: '1.0.0' })
        : serveStdio(gateway, streams)
    const client = new Client({ name: 'terminal', version: '1' }, { capabilities: { elicitation: { form: {} } } })
    const seen: string[] = []
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      seen.push(params.message)
      return seen.length === 1 ? { action: 'decline' } : yes
    })
    // Its framing is that of a client too.
    await client.connect(new StdioServerTransport(toClient, toServer))
    const remove = () => client.callTool({ name: 'blocks_delete', arguments: { deviceName: 'PLC_1', blockName: 'A' } })
    assert.match(textOf(await remove()), /^not_confirmed/)
    assert.equal(await names(), 'ABC')
    assert.ok(!(await remove()).isError)
    assert.equal(await names(), 'BC')
    assert.match(seen[1]!, /^terminal wants to run blocks\.delete/)
    await client.close()
    toServer.end()
    await serving
  })
