/** The real wire of providers: streaming, tool calls, errors, waits, cut and slow answers. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { type ProviderServer, startProviders } from '../fixtures/provider-server.ts'
import { type Answer, named, openTalk, result, said } from '../fixtures/talk.ts'

const kinds = [
  { kind: 'openai-compatible', path: '/v1', model: 'gpt-x', asks: '/v1/chat/completions' },
  { kind: 'anthropic', path: '/v1', model: 'claude-x', asks: '/v1/messages' },
  { kind: 'google', path: '/v1beta', model: 'gemini-x', asks: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse' },
] as const

async function openWith(t: TestContext, { kind, path, model }: (typeof kinds)[number] = kinds[0], more: object = {}) {
  const [at, provider] = await Promise.all([openTalk(t), startProviders(t)])
  const providers = [{ name: 'p', kind, baseUrl: `${provider.url}${path}`, apiKey: 'secret-key-of-p' }]
  const saved = await at.request('PUT', '/api/assistant/settings', { model: `p/${model}`, providers, ...more })
  assert.equal(saved.status, 200, JSON.stringify(saved.json))
  return { at, provider }
}

const chat = '/api/assistant/chat'

for (const one of kinds) {
  test(`${one.kind}: an answer streams, a tool is called with its input, and its result goes back`, async (t) => {
    const { at, provider } = await openWith(t, one)
    provider.replies.push(
      { text: ['I ', 'look. '], calls: [{ name: 'find_operations', input: { query: 'tag tables', limit: 3 } }] },
      { text: ['There ', 'are ', 'some.'] },
    )
    const heard = await at.stream(chat, { message: 'Which operations are about tag tables?', locale: 'de_DE' })
    assert.equal(said(heard), 'I look. There are some.')
    assert.deepEqual(
      named(heard, 'delta').map(({ text }) => text),
      ['I ', 'look. ', 'There ', 'are ', 'some.'],
    )
    const [call] = named(heard, 'tool-call')
    assert.deepEqual(
      [call?.tool, call?.input, call?.writes],
      ['find_operations', { query: 'tag tables', limit: 3 }, false],
    )
    const [found] = named(heard, 'tool-result')
    assert.match(found?.text, /tags\.list-tables/)
    assert.equal(result(heard).finishReason, 'stop')
    assert.equal(result(heard).content, 'I look. There are some.')
    assert.deepEqual(named(heard, 'usage').length, 2)
    assert.equal(result(heard).usage.inputTokens, 20)
    assert.deepEqual(
      provider.asked.map(({ path }) => path),
      [one.asks, one.asks],
    )
    const [first, second] = provider.asked
    assert.match(JSON.stringify(first?.headers), /secret-key-of-p/)
    assert.match(JSON.stringify(first?.body), /locale de-DE/)
    assert.match(JSON.stringify(second?.body), /tags\.list-tables/)
    // What the model read is marked as data, with a mark that nobody can know beforehand.
    assert.match(JSON.stringify(second?.body), /<data-[0-9a-f]{12} from=\\"find_operations\\">/)
  })
}

test('at most 40 tools go to the model, chosen by the question; the rest is reached by searching', async (t) => {
  const { at, provider } = await openWith(t)
  await at.stream(chat, { message: 'Create a subnet and connect the interface of a device' })
  const toolsOf = (asked: number): Answer[] =>
    provider.asked[asked]?.body.tools.map(({ function: tool }: Answer) => tool)
  const namesOf = (asked: number): string[] => toolsOf(asked).map(({ name }) => name)
  const names = namesOf(0)
  assert.equal(names.length, 40)
  assert.equal(names[0], 'hardware_create_subnet')
  assert.deepEqual(names.slice(-4).sort(), ['call_operation', 'describe_operation', 'find_operations', 'get_job'])
  assert.equal(new Set(names).size, 40)
  const changing = (asked: number) =>
    toolsOf(asked).flatMap(({ name, description }) => (description.endsWith(' (changes something)') ? [name] : []))
  const isReadOnly = ({ kind, id }: { kind: string; id: string }) => kind === 'query' && !/cancel|execute/.test(id)
  const isChange = (name: string) =>
    at.gateway.registry.operations.some((one) => one.id.replaceAll(/[.-]/g, '_') === name && !isReadOnly(one))
  assert.deepEqual(changing(0), names.filter(isChange))
  assert.ok(changing(0).length > 3, String(changing(0)))
  assert.ok(!names.some((name) => name.startsWith('assistant')))
  await at.stream(chat, { message: 'Who are the UMAC users and their roles?', projectKey: 'Other' })
  const others = namesOf(1)
  assert.ok(others.includes('security_list_users'), String(others))
  assert.ok(!others.includes('hardware_create_subnet'))
  // A short question is read with the one before, a long one by itself.
  const history = [{ role: 'user', content: 'Create a subnet and connect the interface of a device' }]
  await at.stream(chat, { message: 'Do it!'.padEnd(59, '!'), history })
  await at.stream(chat, { message: 'Do it!'.padEnd(60, '!'), history })
  assert.deepEqual(
    [2, 3].map((asked) => namesOf(asked).includes('hardware_create_subnet')),
    [true, false],
  )
  // Who may change nothing is offered nothing that does.
  await at.call('assistant.save-settings', { writes: 'never' })
  await at.stream(chat, { message: 'Create a subnet and connect the interface of a device' })
  assert.deepEqual(changing(4), [])
})

test('a busy provider is asked again after the wait that it asks for', async (t) => {
  const { at, provider } = await openWith(t)
  const busy = (status: number, headers: Record<string, string>) => ({
    status,
    headers,
    body: { error: { message: 'slow down' } },
  })
  const soon = { 'retry-after': '0' }
  provider.replies.push(busy(429, { 'retry-after-ms': '30' }), busy(503, soon), busy(529, soon), { text: ['here'] })
  const heard = await at.stream(chat, { message: 'hello' })
  assert.equal(said(heard), 'here')
  assert.equal(provider.asked.length, 4)
})

test('a provider that stays busy, or asks for a long wait, is a 503 with the wait', async (t) => {
  const { at, provider } = await openWith(t)
  const busy = { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'slow down' } } }
  provider.replies.push(busy, busy, busy, busy)
  const heard = await at.stream(chat, { message: 'hello' })
  assert.deepEqual(
    heard.map(({ event }) => event),
    ['error'],
  )
  assert.deepEqual([result(heard).code, result(heard).status], ['assistant_provider_busy', 503])
  assert.match(result(heard).detail, /429 4 times \(slow down\)/)
  provider.replies.push({ status: 529, headers: { 'retry-after': '3600' }, body: { error: { message: 'overloaded' } } })
  const { status, json, headers } = await at.request('POST', chat, { message: 'hello' })
  assert.deepEqual(
    [status, json.code, json.retryAfterSeconds, headers.get('retry-after')],
    [503, 'assistant_provider_busy', 3600, '3600'],
  )
  assert.equal(provider.asked.length, 5)
})

test('a refused key, and a server that is not there, are told with the name of the provider and without the key', async (t) => {
  const { at, provider } = await openWith(t)
  provider.replies.push({ status: 401, body: { error: { message: 'Incorrect API key provided: secret-key-of-p' } } })
  const refused = await at.request('POST', chat, { message: 'hello' })
  assert.deepEqual(
    [refused.status, refused.json.code, refused.json.providerStatus],
    [502, 'assistant_provider_failed', 401],
  )
  assert.match(refused.json.detail, /Provider "p" answered 401: Incorrect API key provided: \(key\)/)
  const providers = [{ name: 'gone', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' }]
  await at.request('PUT', '/api/assistant/settings', { model: 'gone/x', providers })
  const gone = await at.request('POST', chat, { message: 'hello' })
  assert.deepEqual([gone.status, gone.json.code], [502, 'assistant_provider_failed'])
  assert.match(gone.json.detail, /"gone" failed: .*ECONNREFUSED|"gone" failed: Cannot connect/)
})

for (const [name, reply] of [
  ['torn down', { cutAfter: 2, cut: 'destroy' }],
  ['ended too early', { cutAfter: 2, cut: 'end' }],
] as const)
  for (const one of kinds)
    test(`${one.kind}: an answer that is ${name} says so and keeps what came`, async (t) => {
      const { at, provider } = await openWith(t, one)
      provider.replies.push({ text: ['The lamp ', 'is ', 'off ', 'because'], ...reply })
      const heard = await at.stream(chat, { message: 'Why?', projectKey: 'Line' })
      assert.equal(said(heard), 'The lamp is ')
      const [error] = named(heard, 'error')
      assert.deepEqual([error?.code, error?.provider], ['assistant_stream_cut', 'p'])
      assert.match(error?.detail, /after 12 characters/)
      assert.deepEqual([result(heard).finishReason, result(heard).content], ['cut', 'The lamp is '])
      const { json } = await at.request('GET', '/api/assistant/history?projectKey=Line')
      assert.deepEqual(
        json.history.map(({ content, finishReason }: Answer) => [content, finishReason]),
        [
          ['Why?', undefined],
          ['The lamp is ', 'cut'],
        ],
      )
    })

test('anthropic: an overload inside of the answer cuts it', async (t) => {
  const { at, provider } = await openWith(t, kinds[1])
  provider.replies.push({ text: ['Half an '], streamError: { type: 'overloaded_error', message: 'Overloaded' } })
  const heard = await at.stream(chat, { message: 'Why?' })
  assert.equal(result(heard).finishReason, 'cut')
  assert.match(named(heard, 'error')[0]?.detail, /Overloaded/)
})

test('slow pieces are sent as they come; silence counts as cut', async (t) => {
  const { at, provider } = await openWith(t, kinds[0])
  provider.replies.push({ text: ['slow ', 'but ', 'sure'], pauseMs: 400 })
  const wasComplete: boolean[] = []
  for await (const { event } of at.follow(chat, { message: 'hello' }))
    if (event === 'delta') wasComplete.push(provider.asked[0]?.isClosed ?? true)
  assert.deepEqual([wasComplete.length, wasComplete[0]], [3, false])
  const impatient = await openWith(t, kinds[0], { silenceSeconds: 1 })
  impatient.provider.replies.push({ text: ['and then'], hangs: true })
  const heard = await impatient.at.stream(chat, { message: 'hello' })
  assert.equal(result(heard).finishReason, 'cut')
  assert.match(named(heard, 'error')[0]?.detail, /nothing came for 1 s/)
})

test('stop ends an answer at once, and the provider hears it', async (t) => {
  const { at, provider } = await openWith(t)
  provider.replies.push({ text: ['It goes ', 'on and on'], hangs: true })
  const heard = []
  for await (const event of at.follow(chat, { message: 'hello', projectKey: 'Line' })) {
    heard.push(event)
    if (event.data.text === 'on and on') {
      const other = await at.request('POST', '/api/assistant/stop', { projectKey: 'Other' })
      assert.equal(other.json.stopped, 0)
      const { json } = await at.request('POST', '/api/assistant/stop', { ProjectKey: 'Line' })
      assert.equal(json.stopped, 1)
    }
  }
  await provider.asked[0]?.closed
  assert.deepEqual([result(heard).finishReason, result(heard).content], ['stopped', 'It goes on and on'])
  assert.deepEqual((await at.request('POST', '/api/assistant/stop')).json, { stopped: 0, jobIds: [] })
})

test('a key has eight turns at once; stop ends them all', async (t) => {
  const { at, provider } = await openWith(t)
  for (let n = 0; n < 8; n++) provider.replies.push({ text: ['on'], hangs: true })
  const talking = Array.from({ length: 8 }, async () => {
    const heard = at.follow(chat, { message: 'hello' })
    for (let event = await heard.next(); !event.done && event.value.event !== 'delta'; ) event = await heard.next()
    return heard
  })
  const heard = await Promise.all(talking)
  const { status, json } = await at.request('POST', chat, { message: 'one more' })
  assert.deepEqual([status, json.code], [429, 'too_many_requests'])
  assert.equal((await at.request('POST', '/api/assistant/stop')).json.stopped, 8)
  for (const rest of heard)
    for await (const { event, data } of rest) if (event === 'done') assert.equal(data.finishReason, 'stopped')
})

test('a client that leaves ends the answer; what came is kept', async (t) => {
  const { at, provider } = await openWith(t)
  provider.replies.push({ text: ['It goes on'], hangs: true })
  const controller = new AbortController()
  await assert.rejects(async () => {
    for await (const { event } of at.follow(chat, { message: 'hello' }, controller.signal))
      if (event === 'delta') controller.abort()
  })
  await provider.asked[0]?.closed
  const kept = await until(async () => {
    const { history } = (await at.request('GET', '/api/assistant/history')).json
    return history.length === 2 && (history as Answer[])
  }, 'both messages are kept')
  assert.deepEqual([kept[1]?.content, kept[1]?.finishReason], ['It goes on', 'stopped'])
})

test('models: what a provider has, without those that cannot call tools', async (t) => {
  const { at, provider } = await openWith(t)
  lists(provider)
  const providers = kinds.map(({ kind, path }) => ({
    name: kind.slice(0, 6),
    kind,
    baseUrl: `${provider.url}${kind === 'anthropic' ? '/anthropic' : ''}${path}`,
    apiKey: 'k-e-y',
  }))
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: `${provider.url}/ollama/v1` }
  const broken = { name: 'broken', kind: 'anthropic', baseUrl: `${provider.url}/nothing`, apiKey: 'k-e-y' }
  const answer = await at.request('POST', '/api/assistant/models', { providers: [...providers, local, broken] })
  assert.equal(answer.status, 200, JSON.stringify(answer.json))
  const ids = answer.json.models.map(({ id, tools }: Answer) => `${id} ${tools}`)
  assert.deepEqual(ids, [
    'gantry/docs yes',
    'openai/gpt-x unknown',
    'openai/with-tools yes',
    'anthro/claude-x yes',
    'google/gemini-x yes',
    'local/qwen yes',
  ])
  assert.deepEqual([answer.json.total, answer.json.leftOut], [6, 5])
  const told = answer.json.providers.map(({ name, ok, error }: Answer) => [name, ok, error])
  assert.deepEqual(told.at(-1), ['broken', false, 'it answered 404: no such list'])
  const all = await at.request('POST', '/api/assistant/models', { providers: [local], all: true })
  assert.deepEqual(all.json.models.at(-1), {
    id: 'local/llava',
    provider: 'local',
    name: 'llava',
    tools: 'no',
    reason: 'it cannot call tools',
  })
  const saved = await at.request('POST', '/api/assistant/models')
  assert.deepEqual(saved.json.providers[0], { name: 'p', kind: 'openai-compatible', ok: true, models: 4 })
  const ofNobody = await at.request('POST', '/api/assistant/models', { provider: 'q' })
  assert.deepEqual([ofNobody.status, ofNobody.json.code], [404, 'not_found'])
  // The saved key goes to the address only that it was entered for.
  const moved = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${provider.url}/ollama/v1` }]
  await at.request('POST', '/api/assistant/models', { providers: moved })
  assert.equal(provider.asked.findLast(({ path }) => path === '/ollama/v1/models')?.headers.authorization, undefined)
})

function lists({ lists: at }: ProviderServer) {
  at.set('/anthropic/v1/models', {
    data: ['claude-x', 'claude-2.1'].map((id) => ({ id, type: 'model', display_name: id })),
    has_more: false,
  })
  at.set('/v1/models', {
    data: [
      { id: 'gpt-x' },
      { id: 'with-tools', supported_parameters: ['tools'] },
      { id: 'without-tools', capabilities: { function_calling: false } },
      { id: 'text-embedding-3' },
    ],
  })
  at.set('/v1beta/models', {
    models: [
      { name: 'models/gemini-x', displayName: 'X', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/embedding-1', supportedGenerationMethods: ['embedContent'] },
    ],
  })
  at.set('/ollama/v1/models', { data: ['qwen', 'llava'].map((id) => ({ id, owned_by: 'library' })) })
  at.set('show qwen', { capabilities: ['completion', 'tools'] })
  at.set('show llava', { capabilities: ['completion', 'vision'] })
}
