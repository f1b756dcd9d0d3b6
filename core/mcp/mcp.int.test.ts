/**
 * The MCP server with the SDK's own clients. Requirements on every transport are one suite that runs on each of them.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { counterPlugins, serveMcp, slowPlugins, testKey, textOf } from '../../test/mcp.ts'
import { until } from '../../test/until.ts'
import { builtInPlugins } from '../boot/running-code.ts'
import { essentialLimit } from './catalogue.ts'
import { gatewaySessions } from './sessions.ts'
import { gatewayTools, Tools } from './tools.ts'

const builtIn = ['find_operations', 'describe_operation', 'call_operation', 'get_job', 'cancel_job']

for (const kind of ['sse', 'streamable-http'] as const) {
  const start = async (t: TestContext, query?: string) => {
    const served = await serveMcp(t)
    return { ...served, ...(await served.connect(kind, query ? { query } : {})) }
  }

  test(`${kind}: lists the essential tools and the ones that reach all others`, async (t) => {
    const { client, gateway } = await start(t)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ['counter_add', 'counter_get', ...builtIn],
    )
    assert.equal(client.getServerVersion()?.version, gateway.version)
    const add = tools[0]!
    assert.deepEqual(Object.keys(add.inputSchema.properties!), ['name', 'by', 'dryRun', 'expectedHash'])
    assert.deepEqual(add.annotations, {
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: false,
    })
    assert.equal(tools[1]!.annotations!.readOnlyHint, true)
  })

  test(`${kind}: a toolset is exact, an unknown one is refused`, async (t) => {
    const { client, connect } = await start(t, '?toolsets=counter')
    const names = (await client.listTools()).tools.map((tool) => tool.name)
    assert(names.includes('counter_remove') && names.includes('counter_take_file'))
    assert(
      names.every((name) => name.startsWith('counter_') || builtIn.includes(name)),
      names.join(),
    )
    assert(!names.includes('mcp_info') && !names.includes('counter_keep_secret'))
    const all = await connect(kind, { query: '?toolsets=all' })
    assert((await all.client.listTools()).tools.some((tool) => tool.name === 'mcp_info'))
    await assert.rejects(connect(kind, { query: '?toolsets=conter' }))
  })

  test(`${kind}: calls a command and a query; results are text and structured`, async (t) => {
    const { client, gateway } = await start(t)
    await client.listTools() // From here on the client checks every result against the tool's output schema.
    const added = await client.callTool({ name: 'counter_add', arguments: { name: 'a', by: 2 } })
    assert.deepEqual(added.structuredContent, { name: 'a', value: 2 })
    assert.deepEqual(JSON.parse(textOf(added)), added.structuredContent)
    const read = await client.callTool({ name: 'counter_get', arguments: { Name: 'a' } })
    const { hash, ...counter } = read.structuredContent as Record<string, unknown>
    assert.deepEqual([counter, typeof hash], [{ name: 'a', value: 2 }, 'string'])
    const tried = await client.callTool({ name: 'counter_add', arguments: { name: 'a', dryRun: true } })
    assert.equal((tried.structuredContent as { dryRun: boolean }).dryRun, true)
    assert.deepEqual(
      (await client.callTool({ name: 'counter_get', arguments: { name: 'a' } })).structuredContent,
      read.structuredContent,
    )
    const actors = new Set<string | undefined>()
    for await (const records of gateway.store.log.read())
      for (const r of records) if (r.type === 'job.accepted') actors.add(r.actor)
    assert.deepEqual([...actors], ['admin/test-client@1.2'])
  })

  test(`${kind}: errors are results with the problem's code, and still fit the output schema`, async (t) => {
    const { client } = await start(t)
    await client.listTools()
    const missing = await client.callTool({ name: 'counter_get', arguments: { name: 'none' } })
    assert.equal(missing.isError, true)
    assert.equal(textOf(missing), 'not_found: There is no counter "none".')
    assert.equal((missing.structuredContent as { status: number }).status, 404)
    const wrong = await client.callTool({ name: 'counter_add', arguments: { nam: 'a', by: 'x' } })
    assert.match(textOf(wrong), /^invalid_input: /)
    assert.match(textOf(wrong), /- \/nam: unknown property \(did you mean "name"\?\)/)
    assert.match(textOf(wrong), /- \/by: must be integer \(found "x"\)/)
    await assert.rejects(client.callTool({ name: 'counter_ad', arguments: {} }), (error: unknown) => {
      assert(error instanceof McpError)
      assert.equal(error.code, -32602)
      assert.match(error.message, /Did you mean "counter_add"/)
      return true
    })
    const thrown = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'counter.add-then', input: { name: 'a', after: 'throw' } },
    })
    assert.match(textOf(thrown), /^internal_error: /)
    assert.doesNotMatch(JSON.stringify(thrown), /secret internals/)
  })

  test(`${kind}: progress reaches a client that asked for it`, async (t) => {
    const { client } = await start(t, '?toolsets=counter')
    const seen: number[] = []
    const result = await client.callTool(
      { name: 'counter_add_then', arguments: { name: 'a', after: 'sleep', ms: 150 } },
      undefined,
      {
        onprogress: ({ progress, total, message }) => {
          assert.equal(total, 100)
          if (progress > 0) assert.match(message!, /^waited \d+ ms$/)
          seen.push(progress)
        },
      },
    )
    assert.equal((result.structuredContent as { name: string }).name, 'a')
    assert(seen.length >= 3, `${seen.length} notifications`)
    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      seen,
    )
    assert.equal(new Set(seen).size, seen.length)
  })

  test(`${kind}: a cancelled call cancels its job, with and without progress`, async (t) => {
    const { client, gateway, call } = await start(t)
    for (const onprogress of [undefined, () => {}]) {
      const abort = new AbortController()
      const calling = client.callTool(
        {
          name: 'call_operation',
          arguments: { operation: 'counter.add-then', input: { name: 'c', after: 'sleep', ms: 60_000 } },
        },
        undefined,
        { signal: abort.signal, ...(onprogress ? { onprogress } : {}) },
      )
      await until(() => gateway.jobs.running !== undefined, 'the job runs')
      const { jobId } = gateway.jobs.running!
      abort.abort('not wanted any more')
      await assert.rejects(calling, /not wanted any more/)
      await until(async () => (await gateway.jobs.find(jobId))?.status === 'Cancelled', 'the job is cancelled')
    }
    await assert.rejects(call('counter.get', { name: 'c' }))
    assert.equal((await client.callTool({ name: 'counter_add', arguments: { name: 'c' } })).isError, undefined)
  })

  test(`${kind}: find, describe and call reach operations that are not listed`, async (t) => {
    const { client } = await start(t)
    const found = (await client.callTool({ name: 'find_operations', arguments: { query: 'remove counter' } }))
      .structuredContent as {
      operations: { operation: string }[]
    }
    assert.equal(found.operations[0]!.operation, 'counter.remove')
    const described = (
      await client.callTool({ name: 'describe_operation', arguments: { operation: 'counter.take-file' } })
    ).structuredContent as {
      inputSchema: { properties: { file: { properties: object } } }
      http: { path: string }[]
    }
    assert.deepEqual(Object.keys(described.inputSchema.properties.file.properties), [
      'fileName',
      'content',
      'contentBase64',
    ])
    assert.equal(described.http[0]!.path, '/api/counter/files')
    const run = async (operation: string, input: unknown) =>
      client.callTool({ name: 'call_operation', arguments: { operation, input } })
    assert.deepEqual(
      (await run('counter.take-file', { file: { fileName: 'a.txt', contentBase64: 'aGk=' } })).structuredContent,
      { fileName: 'a.txt', size: 2, text: 'hi' },
    )
    assert.match(textOf(await run('counter.tak-file', {})), /^not_found: .*Did you mean "counter.take-file"/)
    assert.match(textOf(await run('counter.keep-secret', { password: 'p', token: 't' })), /^not_available: /)
    assert.match(
      textOf(await client.callTool({ name: 'find_operations', arguments: { qury: 'x' } })),
      /did you mean "query"/,
    )
    const none = await client.callTool({ name: 'find_operations', arguments: { query: 'zzzzqqqq' } })
    assert.deepEqual(none.structuredContent, { operations: [], total: 0, toolsets: ['counter', 'mcp'] })
  })

  test(`${kind}: a job is followed, and cancelled, by its id`, async (t) => {
    const { client } = await start(t)
    const begin = async (ms: number) => {
      const answer = await client.callTool({
        name: 'call_operation',
        arguments: { operation: 'counter.add-then', async: true, input: { name: 'j', after: 'sleep', ms } },
      })
      return (answer.structuredContent as { jobId: string }).jobId
    }
    const jobId = await begin(100)
    const job = (await client.callTool({ name: 'get_job', arguments: { jobId, wait: 20 } }))
      .structuredContent as Record<string, unknown>
    assert.equal(job.status, 'Completed')
    assert.equal((job.result as { name: string }).name, 'j')
    const other = await begin(60_000)
    const still = (await client.callTool({ name: 'get_job', arguments: { jobId: other, wait: 0.05 } }))
      .structuredContent as Record<string, unknown>
    assert.match(String(still.status), /Pending|Running/)
    await client.callTool({ name: 'cancel_job', arguments: { jobId: other } })
    const ended = (await client.callTool({ name: 'get_job', arguments: { jobId: other, wait: 20 } }))
      .structuredContent as Record<string, unknown>
    assert.equal(ended.status, 'Cancelled')
    assert.match(textOf(await client.callTool({ name: 'cancel_job', arguments: { jobId: other } })), /^job_finished: /)
    assert.match(textOf(await client.callTool({ name: 'get_job', arguments: { jobId: 'J1-none' } })), /^not_found: /)
    const record = await client.readResource({ uri: `gantry://jobs/${jobId}` })
    assert.equal(JSON.parse((record.contents[0] as { text: string }).text).status, 'Completed')
  })

  test(`${kind}: a long result is cut, and whole in its resource`, async (t) => {
    const { client } = await start(t)
    const arguments_ = { operation: 'counter.add-then', input: { name: 'l', after: 'large' } }
    const answer = await client.callTool({ name: 'call_operation', arguments: arguments_ })
    const text = textOf(answer)
    assert(text.length < 61_000)
    assert.equal(answer.structuredContent, undefined)
    const uri = /gantry:\/\/jobs\/[\w-]+/.exec(text)![0]
    const whole = (await client.readResource({ uri })).contents[0] as { text: string }
    assert.equal(JSON.parse(whole.text).result.text.length, 200_000)
  })

  test(`${kind}: resources are listed and read`, async (t) => {
    const { client } = await start(t)
    const { resources } = await client.listResources()
    assert(resources.some((r) => r.uri === 'gantry://docs/mcp-server'))
    const page = (await client.readResource({ uri: 'gantry://docs/mcp-server' })).contents[0] as { text: string }
    assert.match(page.text, /^# MCP/)
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepEqual(resourceTemplates.map((r) => r.uriTemplate).sort(), [
      'gantry://docs/{section}',
      'gantry://jobs/{jobId}',
      'gantry://results/{id}',
    ])
    for (const uri of [
      'gantry://docs/none',
      'gantry://jobs/J1-none',
      'gantry://results/99',
      'file:///etc/passwd',
      'gantry://devices/PLC_1/blocks/Main',
      'gantry://',
      'gantry://docs/',
      'gantry://docs/mcp-server/more',
      'gantry://devices/PLC_1/types/Main',
      'gantry://devices/PLC_1/blocks/',
      'gantry://devices/PLC_1/blocks/Main/more',
    ]) {
      await assert.rejects(
        client.readResource({ uri }),
        (error: unknown) => error instanceof McpError && error.code === -32602,
      )
    }
  })

  test(`${kind}: a session is listed while it lives, under the client's name`, async (t) => {
    const { client, request, gateway } = await start(t)
    await client.callTool({ name: 'counter_add', arguments: { name: 'a' } })
    const { sessions, total } = (await (await request('/mcp/sessions')).json()) as {
      sessions: Record<string, unknown>[]
      total: number
    }
    assert.equal(total, 1)
    const session = sessions[0]!
    assert.deepEqual(
      [session.transport, session.client, session.toolsets, session.key, session.stale, session.running],
      [kind, { name: 'test client', version: '1.2' }, ['default'], 'admin', false, 0],
    )
    assert((session.requests as number) >= 3)
    const one = await request(`/mcp/sessions/${session.sessionId}`)
    assert.equal(((await one.json()) as typeof session).sessionId, session.sessionId)
    const missing = await request('/mcp/sessions/none')
    assert.equal(missing.status, 404)
    if (kind === 'sse') await client.close()
    else await (client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession()
    await until(() => gatewaySessions(gateway).size === 0, 'the session is gone')
  })
}

test('a viewer key reads but does not write', async (t) => {
  const { gateway, connect } = await serveMcp(t)
  const { hashSecret } = await import('../access/secrets.ts')
  gateway.keyring.use([{ name: 'reader', access: 'viewer', hash: await hashSecret('gty_reader') }])
  // The HTTP server would set the keys of the settings, which have none here: so the keyring is set directly, and its
  // `use` is switched off.
  t.mock.method(gateway.keyring, 'use', () => {})
  const { client } = await connect('streamable-http', { key: 'gty_reader' })
  const denied = await client.callTool({ name: 'counter_add', arguments: { name: 'a' } })
  assert.match(textOf(denied), /^forbidden: .*needs access level "engineer"; this key has "viewer"/)
  assert.match(textOf(await client.callTool({ name: 'counter_get', arguments: { name: 'a' } })), /^not_found/)
})

const withSlow = { pluginDirs: [counterPlugins, slowPlugins] }

test('a command that takes too long hands back its job', async (t) => {
  const { gateway } = await serveMcp(t)
  const tools = new Tools(gateway, { answerWithinMs: 50 })
  const caller = { actor: { name: 'test', access: 'admin' as const } }
  const outcome = await tools.call('counter_add_then', { name: 'a', after: 'sleep', ms: 3000 }, caller)
  const { jobId, status, hint } = outcome.structured as { jobId: string; status: string; hint: string }
  assert.match(status, /^(Pending|Running)$/)
  assert.match(hint, /get_job/)
  const followed = await tools.call('get_job', { jobId, wait: 20 }, caller)
  assert.equal(followed.structured!.status, 'Completed')
})

test('a query that takes too long is ended, and runs as a job when asked to', async (t) => {
  const { gateway } = await serveMcp(t, withSlow)
  const tools = new Tools(gateway, { answerWithinMs: 50 })
  const caller = { actor: { name: 'test', access: 'admin' as const } }
  const ended = await tools.call('slow_wait', { ms: 60_000 }, caller)
  assert.match(ended.text, /^request_cancelled: slow.wait did not answer within 0.05 s/)
  const begun = await tools.call('call_operation', { operation: 'slow.wait', input: { ms: 100 }, async: true }, caller)
  const job = await tools.call('get_job', { jobId: begun.structured!.jobId, wait: 20 }, caller)
  assert.deepEqual(job.structured!.result, { waited: 100 })
})

test('a long list is cut as text and as structure, and a link names the whole for the key that asked', async (t) => {
  const { gateway, connect } = await serveMcp(t, withSlow)
  const { client } = await connect('streamable-http', { query: '?toolsets=slow' })
  await client.listTools()
  const answer = await client.callTool({ name: 'slow_list', arguments: { count: 10_000 } })
  const [, link] = answer.content as { type: string; uri: string; mimeType: string; size: number }[]
  const { uri } = link!
  assert.match(textOf(answer), new RegExp(`the whole is the resource ${uri}`))
  const whole = (await client.readResource({ uri })).contents[0] as { text: string; mimeType: string }
  const { items } = JSON.parse(whole.text) as { items: string[] }
  assert.equal(items.length, 10_000)
  assert.deepEqual(
    [link!.type, link!.mimeType, link!.size],
    ['resource_link', whole.mimeType, Buffer.byteLength(whole.text)],
  )
  const cut = answer.structuredContent as { items: string[]; cut: object }
  assert.deepEqual(cut.cut, { characters: whole.text.length, resource: uri })
  assert.ok(cut.items.length > 100 && JSON.stringify(cut).length <= 60_200)
  assert.deepEqual(cut.items, items.slice(0, cut.items.length))
  assert.equal(gatewayTools(gateway).results.get(uri.split('/').pop()!, 'other'), undefined)
  const text = await client.callTool({ name: 'slow_text', arguments: {} })
  assert.deepEqual([textOf(text), text.structuredContent], ['<Document/>', undefined])
})

test('a block is a resource when something answers its route', async (t) => {
  const { connect } = await serveMcp(t, withSlow)
  const { client } = await connect('sse')
  const { resourceTemplates } = await client.listResourceTemplates()
  assert(resourceTemplates.some((r) => r.uriTemplate === 'gantry://devices/{device}/blocks/{block}'))
  const block = await client.readResource({ uri: 'gantry://devices/PLC%201/blocks/Motor%2FFB' })
  assert.equal((block.contents[0] as { text: string }).text, 'FUNCTION "Motor/FB"')
  await assert.rejects(client.readResource({ uri: 'gantry://devices/PLC_2/blocks/Main' }), /There is no device "PLC_2"/)
})

test('a limited number of operations is advertised, and no two tools have the same name', async (t) => {
  const { gateway } = await serveMcp(t)
  const { Catalogue, toolNameOf } = await import('./catalogue.ts')
  const one = gateway.registry.operation('counter.add')!
  const operations = Array.from({ length: 60 }, (_, n) => ({ ...one, id: `many.number-${n}` }))
  const warnings: object[] = []
  const log = { ...gateway.log, warn: (fields: object) => void warnings.push(fields) }
  const catalogue = new Catalogue({ registry: { operations }, log } as never, [])
  assert.equal(catalogue.essential.length, essentialLimit)
  assert.equal((warnings[0] as { left: string[] }).left.length, 60 - essentialLimit)
  assert.equal(catalogue.tools.size, 60)
  assert.equal(toolNameOf('a.b-c', new Set(['a_b_c'])), 'a_b_c_2')
  const long = `plugin.${'x'.repeat(80)}`
  assert.equal(toolNameOf(long, new Set()).length, 64)
  assert.notEqual(toolNameOf(long, new Set()), toolNameOf(`${long}y`, new Set()))
  assert.equal(gatewayTools(gateway), gatewayTools(gateway))
})

test('the server information, the configuration and the instance are shown', async (t) => {
  const { request, url } = await serveMcp(t)
  const info = (await (await request('/mcp/info')).json()) as {
    tools: { name: string }[]
    transports: { url?: string }[]
    protocolVersions: string[]
  }
  assert(info.tools.some((tool) => tool.name === 'counter_add'))
  assert.equal(info.transports[0]!.url, `${url}/mcp`)
  assert(info.protocolVersions.includes('2025-06-18'))
  const config = (await (await request('/mcp/config')).json()) as {
    keyPlaceholder: string
    clients: { transport: string; config?: unknown }[]
  }
  assert.deepEqual([...new Set(config.clients.map((c) => c.transport))].sort(), ['sse', 'stdio', 'streamable-http'])
  const text = JSON.stringify(config)
  assert(text.includes(config.keyPlaceholder) && text.includes(`${url}/mcp`) && !text.includes(testKey))
  assert.equal((await request('/mcp/config?client=cursr')).status, 404)
  const instance = (await (await request('/mcp/instance')).json()) as { attached: boolean; projectOpen: boolean }
  assert.deepEqual([instance.attached, instance.projectOpen], [false, false])
})

test('?toolsets=dynamic shows only what reaches all operations, and goes with nothing else', async (t) => {
  const { connect } = await serveMcp(t)
  const { client } = await connect('streamable-http', { query: '?toolsets=dynamic' })
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['find_operations', 'describe_operation', 'call_operation'],
  )
  const called = await client.callTool({
    name: 'call_operation',
    arguments: { operation: 'counter.add', input: { name: 'a' } },
  })
  assert.deepEqual(called.structuredContent, { name: 'a', value: 1 })
  await assert.rejects(connect('streamable-http', { query: '?toolsets=dynamic,counter' }))
})

test('?readonly=1 shows and calls only what changes nothing', async (t) => {
  const { connect, gateway } = await serveMcp(t)
  const { client } = await connect('streamable-http', { query: '?toolsets=all&readonly=1' })
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  assert(names.includes('counter_get') && !names.includes('counter_add') && !names.includes('cancel_job'))
  for (const { name, annotations } of tools) assert.equal(annotations?.readOnlyHint, true, name)
  const before = gateway.store.log.headSeq
  for (const call of [
    { name: 'counter_add', arguments: { name: 'a' } },
    { name: 'call_operation', arguments: { operation: 'counter.add', input: { name: 'a' } } },
    { name: 'cancel_job', arguments: { jobId: '1' } },
  ]) {
    const refused = await client.callTool(call)
    assert.equal(refused.isError, true)
    assert.match(textOf(refused), /^forbidden: This MCP session is read-only/)
  }
  assert.equal(gateway.store.log.headSeq, before)
  const bare = await connect('streamable-http', { query: '?readonly' })
  assert(!(await bare.client.listTools()).tools.some(({ name }) => name === 'counter_add'))
  await assert.rejects(connect('streamable-http', { query: '?readonly=perhaps' }))
})

test('an operation without an MCP exposure is no tool, and harms no other', async (t) => {
  const { gateway } = await serveMcp(t)
  const { Catalogue } = await import('./catalogue.ts')
  const one = gateway.registry.operation('counter.add')!
  const { mcp: _mcp, ...bare } = one
  const registry = { operations: [one, { ...bare, id: 'bare.add' }] }
  const catalogue = new Catalogue({ registry, log: gateway.log } as never, [])
  assert.deepEqual([...catalogue.tools.keys()], ['counter_add'])
})

test('the commands of a session are one group, which one undo takes back', async (t) => {
  const { connect, gateway } = await serveMcp(t, { pluginDirs: [builtInPlugins] })
  const invoke = (id: string, input = {}) =>
    gateway.invoke(gateway.registry.operation(id)!, input, { actor: { name: 'test', access: 'admin' } })
  await invoke('projects.create', { name: 'P' })
  await invoke('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })
  const { client } = await connect('streamable-http', { query: '?toolsets=all' })
  const call = (operation: string, input: object) =>
    client.callTool({ name: 'call_operation', arguments: { operation, input } })
  for (const name of ['A', 'B']) await call('tags.add', { deviceName: 'PLC_1', name, dataType: 'Bool' })
  await invoke('tags.create-table', { deviceName: 'PLC_1', name: 'Other' })
  const undone = await call('history.undo', { thisGroup: true })
  const { jobs } = undone.structuredContent as { jobs: { command: string; group: string }[] }
  assert.deepEqual(
    jobs.map(({ command }) => command),
    ['tags.add', 'tags.add'],
  )
  assert.match(jobs[0]!.group, /^mcp-[\w-]{12}$/)
})
