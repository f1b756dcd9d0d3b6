/**
 * A whole task as an agent does it over MCP: make a project, write a function block with a mistake, read the errors,
 * correct it, run it on a virtual controller, keep a snapshot, spoil the block and restore it. How much an agent has to
 * call and to read is counted: that is what the task costs it.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, textOf } from '../../test/mcp.ts'
import { docsPlugin } from '../docs/operations.ts'
import { mcpPlugin } from './operations.ts'

/** A message of the compiler, with those of the parts below it. */
interface Message {
  path: string
  description: string
  state: string
  line?: number
  hint?: string
  messages: Message[]
}
const leaves = (messages: readonly Message[]): Message[] =>
  messages.flatMap((message) => (message.messages.length > 0 ? leaves(message.messages) : [message]))

const interfaceOf = [
  { section: 'Input', name: 'inflow', dataType: 'Real' },
  { section: 'Input', name: 'limit', dataType: 'Real' },
  { section: 'Output', name: 'full', dataType: 'Bool' },
  { section: 'Static', name: 'level', dataType: 'Real' },
]
const faulty = '#level := #level + #inflw;\n#full := #level >= #limit;'
const right = faulty.replace('inflw', 'inflow')
const tags = [
  { name: 'Inflow', dataType: 'Real', logicalAddress: '%MD100' },
  { name: 'Limit', dataType: 'Real', logicalAddress: '%MD104' },
  { name: 'Full', dataType: 'Bool', logicalAddress: '%Q0.0' },
]

/** A client whose calls and answers are counted. `query` chooses the tools. */
async function openAgent(t: TestContext, query = '') {
  const { connect } = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  const { client } = await connect('streamable-http', { query })
  const { tools } = await client.listTools()
  const listed = new Set(tools.map(({ name }) => name))
  const counts = { calls: 0, bytes: 0, tools: Buffer.byteLength(JSON.stringify(tools)), answers: [] as string[] }
  /** Calls an operation by its tool, or through `call_operation` where it has none, as a client sees it. */
  async function attempt(operation: string, input: Record<string, unknown> = {}) {
    const name = operation.replace(/[.-]/g, '_')
    const result = await client.callTool(
      listed.has(name) ? { name, arguments: input } : { name: 'call_operation', arguments: { operation, input } },
    )
    const bytes = Buffer.byteLength(JSON.stringify(result))
    counts.calls += 1
    counts.bytes += bytes
    counts.answers.push(`${bytes} ${operation}`)
    return result
  }
  async function call<T>(operation: string, input: Record<string, unknown> = {}): Promise<T> {
    const result = await attempt(operation, input)
    assert.ok(!result.isError, `${operation}: ${textOf(result)}`)
    return (result.structuredContent ?? JSON.parse(textOf(result))) as T
  }
  return { client, listed, counts, call, attempt }
}

type Agent = Awaited<ReturnType<typeof openAgent>>

/** The task itself; every step is checked by what the next one reads. */
async function doTask({ call, attempt }: Agent) {
  await call('projects.create', { name: 'Tank' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await call('tags.import', { deviceName: 'PLC_1', tags })
  const block = { deviceName: 'PLC_1', name: 'Tank', type: 'FB', language: 'SCL', interface: interfaceOf }
  await call('blocks.create', { ...block, code: faulty })
  await call('blocks.create', { deviceName: 'PLC_1', name: 'Tank_1', type: 'DB', instanceOf: 'Tank' })
  const main = '"Tank_1"(inflow := "Inflow", limit := "Limit", full => "Full");'
  await call('blocks.create', { deviceName: 'PLC_1', name: 'Main', type: 'OB', language: 'SCL', code: main })

  const failed = await call<Message>('blocks.compile-device', { deviceName: 'PLC_1' })
  const errors = leaves(failed.messages).filter(({ state }) => state === 'Error')
  assert.deepEqual(
    errors.map(({ path, line, hint }) => [path, line, hint]),
    [['PLC_1/Program blocks/Tank/Network 1', 1, 'Did you mean #inflow?']],
  )
  await call('blocks.update-content', { deviceName: 'PLC_1', blockName: 'Tank', code: right })
  const compiled = await call<Message>('blocks.compile-device', { deviceName: 'PLC_1' })
  assert.equal(compiled.state, 'Success')

  await call('projects.simulation-support')
  await call('simulation.create-instance', { name: 'sim', cpuType: '1515', ipAddress: '192.168.0.1' })
  await call('simulation.start', { name: 'sim', deviceName: 'PLC_1' })
  await call('simulation.set-time', { name: 'sim', mode: 'stepped' })
  await call('simulation.write-tags', {
    name: 'sim',
    tags: [
      { name: 'Inflow', value: 2.5 },
      { name: 'Limit', value: 9 },
    ],
  })
  const read = async () => {
    const { tags: values } = await call<{ tags: { name: string; value: unknown }[] }>('simulation.read-tags', {
      name: 'sim',
      tags: ['Full', 'Tank_1.level'],
    })
    return values.map(({ value }) => value)
  }
  await call('simulation.advance', { name: 'sim', cycles: 3 })
  assert.deepEqual(await read(), [false, 7.5])
  await call('simulation.advance', { name: 'sim', cycles: 1 })
  assert.deepEqual(await read(), [true, 10])

  const { snapshotId } = await call<{ snapshotId: string }>('history.snapshot-block', {
    deviceName: 'PLC_1',
    blockName: 'Tank',
    label: 'runs',
  })
  await call('blocks.update-content', { deviceName: 'PLC_1', blockName: 'Tank', code: '#full := FALSE;' })
  await call('history.restore', { snapshotId })
  const restored = await attempt('blocks.content', { deviceName: 'PLC_1', blockName: 'Tank' })
  assert.match(textOf(restored), /#level := #level \+ #inflow;/)
  assert.match(textOf(restored), /#full := #level >= #limit;/)
}

test('the task takes at most 25 calls and 60 kB, with the tools that a client gets unasked', async (t) => {
  const agent = await openAgent(t)
  await doTask(agent)
  const { calls, bytes, tools, answers } = agent.counts
  assert.ok(calls <= 25, `${calls} calls`)
  assert.ok(bytes + tools <= 60_000, `${bytes} bytes of answers, ${tools} of tools\n${answers.join('\n')}`)
})

test('with three tools for everything the same task works', async (t) => {
  const agent = await openAgent(t, '?toolsets=dynamic')
  assert.deepEqual([...agent.listed].sort(), ['call_operation', 'describe_operation', 'find_operations'])
  const found = await agent.attempt('find_operations', { query: 'create a block' })
  assert.match(textOf(found), /blocks\.create/)
  const described = await agent.attempt('describe_operation', { operation: 'blocks.create' })
  assert.match(textOf(described), /interface/)
  await doTask(agent)
})
