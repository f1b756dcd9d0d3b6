/**
 * Prompts and completion with the SDK's client. Each prompt of the built-in plugins is got and its text is followed:
 * the calls that it names are done in their order, with only the values in angle brackets filled in. So a text that
 * names a tool or a field that does not exist fails here.
 */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, textOf } from '../../test/mcp.ts'
import { docsPlugin } from '../docs/operations.ts'
import { mcpPlugin } from './operations.ts'

const program = fileURLToPath(new URL('../../test/fixtures/ikea-vyatka-sorting', import.meta.url))
const prompts = ['find_output', 'import_program', 'review_change', 'write_block']

type Answer = Record<string, unknown>
/** Values for the texts in angle brackets of a call, and of a text that stays whole: `{ '<block>': 'Tank' }`. */
type Fill = Readonly<Record<string, unknown>>

async function open(t: TestContext, query = '') {
  const served = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
  await cp(program, `${served.dir}/workspace/program`, { recursive: true })
  const invoke = async (id: string, input = {}) => {
    const reply = await served.gateway.invoke(served.gateway.registry.operation(id)!, input, {
      actor: { name: 'test', access: 'admin' },
    })
    return (reply as { value: unknown }).value as Answer
  }
  await invoke('projects.create', { name: 'Plant', version: 'V17' })
  await invoke('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  const { client } = await served.connect('streamable-http', { query })
  return { ...served, invoke, client }
}

/** The calls of a prompt's text: `` `tool` with `{json}` ``. */
async function callsOf(client: Client, name: string, given: Record<string, string>) {
  const { messages } = await client.getPrompt({ name, arguments: given })
  assert.equal(messages.length, 1)
  const { role, content } = messages[0]!
  assert.equal(role, 'user')
  assert.equal(content.type, 'text')
  const text = (content as { text: string }).text
  const calls = [...text.matchAll(/`(\w+)` with `([^`]+)`/g)].map(([, tool = '', json = '']) => ({ tool, json }))
  return { text, calls }
}

/** Does the calls of a prompt in order; `fill` gets the answers so far. */
async function follow(
  client: Client,
  name: string,
  given: Record<string, string>,
  fill: (answers: ReadonlyMap<string, Answer>) => Fill,
): Promise<Map<string, Answer>> {
  const listed = new Set((await client.listTools()).tools.map((tool) => tool.name))
  const answers = new Map<string, Answer>()
  for (const { tool, json } of (await callsOf(client, name, given)).calls) {
    assert.ok(listed.has(tool), `${name} names ${tool}, which the session does not list`)
    const values = fill(answers)
    const input = JSON.parse(json, (_key, value) => {
      if (typeof value !== 'string') return value
      if (value in values) return values[value]
      const filled = value.replace(/<[^<>]*>/g, (open) => String(values[open] ?? open))
      assert.doesNotMatch(filled, /^<.*>$/, `${name}: nothing fills ${value}`)
      return filled
    }) as Record<string, unknown>
    const result = await client.callTool({ name: tool, arguments: input })
    const operation = tool === 'call_operation' ? String(input.operation).replace(/[.-]/g, '_') : tool
    assert.ok(!result.isError, `${name}: ${tool} ${JSON.stringify(input)}: ${textOf(result)}`)
    answers.set(operation, (result.structuredContent ?? JSON.parse(textOf(result))) as Answer)
  }
  return answers
}

const tank = `FUNCTION_BLOCK "Tank"
VAR_INPUT inflow : Real; limit : Real; END_VAR
VAR_OUTPUT full : Bool; END_VAR
VAR level : Real; END_VAR
BEGIN
#level := #level + #inflow;
#full := #level >= #limit;
"Full" := #full;
END_FUNCTION_BLOCK
DATA_BLOCK "Tank_DB"
"Tank"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Tank_Proof"
BEGIN
"Tank_DB"();
END_ORGANIZATION_BLOCK
`

for (const query of ['', '?toolsets=dynamic', '?toolsets=all'])
  test(`every prompt can be followed to its end with the tools of ${query || 'a client that asks for none'}`, async (t) => {
    const { client, invoke } = await open(t, query)
    assert.deepEqual((await client.listPrompts()).prompts.map(({ name }) => name).sort(), prompts)

    const imported = await follow(client, 'import_program', { path: 'program', device: 'PLC_1' }, () => ({
      '<block>': 'FB_Ramp',
    }))
    assert.ok((imported.get('blocks_import')!.imported as number) >= 10)
    assert.equal(imported.get('blocks_content')!.name, 'FB_Ramp')

    await invoke('tags.add', { deviceName: 'PLC_1', name: 'Full', dataType: 'Bool', logicalAddress: '%Q100.0' })
    // The imported program is of a plant whose hardware is not there; the proof needs a device that compiles.
    await invoke('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_2' })
    await invoke('tags.add', { deviceName: 'PLC_2', name: 'Full', dataType: 'Bool', logicalAddress: '%Q0.0' })
    const task = { device: 'PLC_2', name: 'Tank', task: 'Adds up the inflow; full from the limit on.' }
    let written = 0
    const proof = await follow(client, 'write_block', task, (answers) => {
      written = Math.max(written, answers.size)
      return {
        '<source>': tank,
        '<CPU type, e.g. CPU1515>': 'CPU1515',
        '<free address, e.g. 192.168.0.77>': '192.168.0.77',
        'Tank_DB.<input>': 'Tank_DB.inflow',
        '<value>': 2.5,
        'Tank_DB.<output>': 'Tank_DB.level',
      }
    })
    assert.ok(written >= 11, String(written))
    const [read] = proof.get('simulation_read_tags')!.tags as { value: unknown }[]
    assert.equal(read!.value, 2.5)
    const { blocks } = (await invoke('blocks.list', { deviceName: 'PLC_2' })) as { blocks: { name: string }[] }
    assert.deepEqual(blocks.map(({ name }) => name).sort(), ['Tank', 'Tank_DB'])
    assert.equal((await invoke('simulation.list-instances')).total, 0)

    // The output stays off, because nothing calls the block any more.
    await invoke('blocks.create', { deviceName: 'PLC_2', name: 'Main', type: 'OB', language: 'SCL', code: ';' })
    await invoke('blocks.compile-device', { deviceName: 'PLC_2' })
    await invoke('simulation.create-instance', { name: 'sim', cpuType: '1515', ipAddress: '192.168.0.1' })
    await invoke('simulation.start', { name: 'sim', deviceName: 'PLC_2' })
    const traced = await follow(client, 'find_output', { device: 'PLC_2', output: 'Full', instance: 'sim' }, () => ({
      '<block>': 'Tank',
      '<operand>': 'Tank_DB.level',
    }))
    assert.equal((traced.get('simulation_read_tags')!.tags as { value: unknown }[])[0]!.value, false)
    assert.match(JSON.stringify(traced.get('blocks_find_references')), /Tank/)
    assert.match(JSON.stringify(traced.get('blocks_content')), /#level >= #limit/)

    const { snapshotId } = await invoke('history.snapshot-block', { deviceName: 'PLC_2', blockName: 'Tank' })
    await invoke('blocks.update-content', { deviceName: 'PLC_2', blockName: 'Tank', code: '#full := FALSE;' })
    const change = { device: 'PLC_2', block: 'Tank', path: 'program' }
    const reviewed = await follow(client, 'review_change', change, (answers) => {
      const { snapshots } = (answers.get('history_list_block') ?? {}) as { snapshots?: { snapshotId: string }[] }
      assert.ok(!snapshots || snapshots.some((one) => one.snapshotId === snapshotId))
      return { '<snapshotId>': snapshotId }
    })
    assert.match(JSON.stringify(reviewed.get('history_diff')), /-.*#level >= #limit[\s\S]*\+.*#full := FALSE/)
    assert.ok(reviewed.has('review_check') && reviewed.has('blocks_compile'))
  })

test('a session gets only the prompts whose calls it may make, and their texts fit it', async (t) => {
  const { connect, client } = await open(t)
  const given = { device: 'PLC_1', block: 'FB_Ramp', path: 'program' }
  const tools = (calls: { tool: string }[]) => [...new Set(calls.map(({ tool }) => tool))]
  assert.ok(tools((await callsOf(client, 'review_change', given)).calls).includes('blocks_content'))
  const dynamic = await connect('streamable-http', { query: '?toolsets=dynamic' })
  assert.deepEqual(tools((await callsOf(dynamic.client, 'review_change', given)).calls), ['call_operation'])
  const readOnly = await connect('streamable-http', { query: '?readonly=1' })
  const listed = (await readOnly.client.listPrompts()).prompts.map(({ name }) => name)
  assert.deepEqual(listed.sort(), ['find_output', 'review_change'])
  const { text } = await callsOf(readOnly.client, 'review_change', given)
  assert.doesNotMatch(text, /blocks.compile/)
  assert.match(text, /review.check/)
  await assert.rejects(
    readOnly.client.getPrompt({ name: 'import_program', arguments: { path: 'p', device: 'd' } }),
    /needs the operation blocks\.import, which this session may not call/,
  )
})

test('a prompt says what is wrong with a request for it', async (t) => {
  const { client } = await open(t)
  const get = (name: string, args: Record<string, string>) => client.getPrompt({ name, arguments: args })
  const refused = (pattern: RegExp) => (error: { code: number; message: string }) => {
    assert.equal(error.code, -32602)
    assert.match(error.message, pattern)
    return true
  }
  await assert.rejects(get('import_programm', {}), refused(/Did you mean "import_program"/))
  await assert.rejects(get('import_program', { device: ' ' }), refused(/needs "path" \(.*\), "device" \(/))
  await assert.rejects(
    get('import_program', { path: 'p', device: 'd', devise: 'x' }),
    refused(/no argument "devise"\. Did you mean "device"/),
  )
  // What a person fills in stays inside the JSON that it is written in.
  const { calls } = await callsOf(client, 'import_program', { path: 'a`b"c', device: 'PLC_1' })
  assert.ok(calls.some(({ json }) => JSON.stringify(JSON.parse(json)).includes('a`b\\"c')))
})

test('arguments of prompts and parameters of resources are completed', async (t) => {
  const { client, invoke, gateway } = await open(t)
  await invoke('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'Mixer' })
  for (const name of ['Motor', 'Conveyor_Motor', 'Valve'])
    await invoke('blocks.create', { deviceName: 'PLC_1', name, type: 'FC', language: 'SCL', code: ';' })
  await invoke('tags.add', { deviceName: 'PLC_1', name: 'Motor_Run', dataType: 'Bool' })
  const ask = async (ref: object, name: string, value: string, given: Record<string, string> = {}) => {
    const { completion } = await client.complete({
      ref: ref as never,
      argument: { name, value },
      context: { arguments: given },
    })
    assert.equal(completion.hasMore, false)
    assert.equal(completion.total, completion.values.length)
    return completion.values
  }
  const review = { type: 'ref/prompt', name: 'review_change' }
  assert.deepEqual(await ask(review, 'device', ''), ['PLC_1', 'Mixer'])
  assert.deepEqual(await ask(review, 'device', 'plc'), ['PLC_1'])
  assert.deepEqual(await ask(review, 'block', 'mo', { device: 'PLC_1' }), ['Motor', 'Conveyor_Motor'])
  assert.deepEqual(await ask(review, 'block', 'mo'), [])
  assert.deepEqual(await ask(review, 'block', 'mo', { device: 'None' }), [])
  assert.deepEqual(await ask(review, 'path', 'p'), [])
  const output = { type: 'ref/prompt', name: 'find_output' }
  assert.deepEqual(await ask(output, 'output', 'mot', { device: 'PLC_1' }), ['Motor_Run'])
  const block = { type: 'ref/resource', uri: 'gantry://devices/{device}/blocks/{block}' }
  assert.deepEqual(await ask(block, 'block', 'val', { device: 'PLC_1' }), ['Valve'])
  assert.deepEqual(await ask({ type: 'ref/resource', uri: 'gantry://docs/{section}' }, 'section', 'mcp-s'), [
    'mcp-server',
  ])
  const jobs = await ask({ type: 'ref/resource', uri: 'gantry://jobs/{jobId}' }, 'jobId', 'J')
  assert.ok(jobs.length >= 6)
  for (const jobId of jobs) assert.ok(await gateway.jobs.find(jobId), jobId)
  await assert.rejects(ask({ type: 'ref/prompt', name: 'none' }, 'x', ''), /no prompt "none"/)
  await assert.rejects(ask(review, 'devise', ''), /no argument "devise"/)
  await assert.rejects(ask({ type: 'ref/resource', uri: 'gantry://nothing/{x}' }, 'x', ''), /no resource template/)
  await invoke('projects.close', { force: true })
  assert.deepEqual(await ask(review, 'device', ''), [])
})
