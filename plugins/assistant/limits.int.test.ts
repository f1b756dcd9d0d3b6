/** Providers that send without end: each answer ends, the gateway serves others meanwhile, and a stop stops. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { startProviders } from './fixtures/provider-server.ts'
import { type Answer, openTalk } from './fixtures/talk.ts'
import { connect } from './providers/connect.ts'
import { isDeeper, limits } from './providers/limits.ts'
import { modelStep } from './providers/step.ts'

const chat = '/api/assistant/chat'

/** Text that a provider sends; it waits for the connection to take it. */
type Sender = (write: (text: string) => Promise<boolean>, path: string) => Promise<void>

/** A provider that answers everything with what `send` writes, until that ends or the connection is closed. */
async function wild(t: TestContext, send: Sender) {
  const state = { open: 0, asked: 0, bytes: 0 }
  const server = createServer(async (request, response: ServerResponse) => {
    for await (const _ of request);
    state.asked++
    state.open++
    response.once('close', () => state.open--)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await send(async (text) => {
      if (response.destroyed) return false
      state.bytes += text.length
      if (response.write(text)) return true
      return new Promise((resolve) => {
        response.once('drain', () => resolve(true))
        response.once('close', () => resolve(false))
      })
    }, request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state }
}

async function open(t: TestContext, url: string) {
  const at = await openTalk(t)
  const providers = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${url}/v1` }]
  await at.call('assistant.save-settings', { model: 'p/x', providers })
  return at
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const forever =
  (text: string): Sender =>
  async (write) => {
    while (await write(text));
  }

const text = chunk({ content: 'a'.repeat(100) }).repeat(50)
const manyCalls = Array.from({ length: 4000 }, (_, index) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'find_operations', arguments: '{"query":"tags"}' },
}))
const deep = (depth: number) => `{"query":${'['.repeat(depth)}${']'.repeat(depth)}}`
const callWith = (args: string, name = 'find_operations', id = 'c') =>
  chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] })

const answers: [string, Sender, RegExp][] = [
  ['text without end', forever(text), /at most 500000 characters/],
  ['thinking without end', forever(chunk({ reasoning_content: 'b'.repeat(5000) })), /at most 500000 characters/],
  [
    'a line without end',
    async (write) => {
      await write('data: {"id":"')
      while (await write('x'.repeat(65_536)));
    },
    /a line of its answer has more than 4194304 bytes/,
  ],
  [
    'an event without end, line by line',
    async (write) => {
      while (await write(`data: ${'x'.repeat(65_536)}\n`));
    },
    /its answer has more than 67108864 bytes/,
  ],
  [
    'thousands of calls',
    async (write) => {
      for (const call of manyCalls) await write(chunk({ tool_calls: [call] }))
      await write(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    },
    /at most 64 calls of tools/,
  ],
  [
    'the input of a call without end',
    async (write) => {
      await write(callWith('{"query":"'))
      const more = chunk({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(5000) } }] })
      while (await write(more));
    },
    /at most 1048576 characters/,
  ],
  [
    'an input that is nested deeply',
    async (write) => {
      await write(callWith(deep(100_000)))
      await write(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    },
    /at most 64 arrays and objects inside each other/,
  ],
  ...['tool', 'ID'].map((what): [string, Sender, RegExp] => [
    `the ${what} of a call without end`,
    async (write) => {
      const long = 'n'.repeat(2_000_000)
      await write(what === 'tool' ? callWith('{}', long) : callWith('{}', undefined, long))
      await write(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    },
    /the ID and the tool of a call have at most 300 characters each/,
  ]),
  [
    'an error that is nested deeply',
    async (write) => {
      await write(`data: {"error":{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}}\n\n`)
    },
    /Provider "p" failed/,
  ],
]

for (const [what, send, said] of answers)
  test(`${what}: the answer is ended, and others are served meanwhile`, async (t) => {
    const { url, state } = await wild(t, send)
    const at = await open(t, url)
    let isOver = false
    const talking = at.request('POST', chat, { message: 'Say something.' }).finally(() => {
      isOver = true
    })
    let served = 0
    while (!isOver) {
      assert.equal((await fetch(`${at.url}/api/health/ping`)).status, 200)
      if (state.asked > 0 && !isOver) served++
    }
    const { status, json } = await talking
    const heard = status === 200 ? `${json.finishReason} ${json.warnings.join()}` : json.detail
    assert.match(heard, said, JSON.stringify({ status, ...json, content: undefined }))
    if (status === 200) assert.equal(json.finishReason, 'cut')
    else assert.equal(json.code, 'assistant_provider_failed')
    assert.deepEqual(json.calls ?? [], [], 'no call of such an answer is made')
    assert.ok((json.content ?? '').length <= limits.answerCharacters)
    assert.ok(served > 0, 'others were served')
    await until(() => state.open === 0, 'the connection to the provider is closed')
  })

const drips: [string, Sender][] = [
  ['text without end', forever(text)],
  [
    'a slow drip',
    async (write) => {
      while (await write(chunk({ content: '.' }))) await sleep(5)
    },
  ],
  [
    'signs of life without a text',
    async (write) => {
      while (await write(': alive\n\n')) await sleep(5)
    },
  ],
]
for (const [what, send] of drips)
  test(`${what}: a stop ends it`, async (t) => {
    const { url, state } = await wild(t, send)
    const at = await open(t, url)
    const talking = at.request('POST', chat, { message: 'Say something.' })
    await until(() => state.bytes > 0, 'the provider answers')
    assert.equal((await at.request('POST', '/api/assistant/stop', {})).json.stopped, 1)
    assert.equal((await talking).json.finishReason, 'stopped')
    await until(() => state.open === 0, 'the connection to the provider is closed')
  })

test('a stop comes between two calls of an answer, and other requests do', async (t) => {
  const [at, provider] = await Promise.all([openTalk(t), startProviders(t)])
  const providers = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${provider.url}/v1` }]
  await at.call('assistant.save-settings', { model: 'p/x', providers })
  const find = { name: 'find_operations', input: { query: 'tags' } }
  provider.replies.push({ calls: Array.from({ length: limits.answerCalls }, () => find) })
  let results = 0
  let last: Answer | undefined
  for await (const { event, data } of at.follow(chat, { message: 'Look.' })) {
    last = data
    if (event === 'tool-result' && ++results === 1) await at.request('POST', '/api/assistant/stop', {})
  }
  assert.equal(last?.finishReason, 'stopped')
  assert.ok(results < limits.answerCalls, `${results} calls were made`)
})

test('an answer that takes too long is ended with what has come', async (t) => {
  const { url } = await wild(t, drips[1]![1])
  const model = await connect({ name: 'p', kind: 'openai-compatible', baseUrl: `${url}/v1` }, 'x', undefined)
  const step = await modelStep({
    provider: 'p',
    model,
    key: undefined,
    system: 's',
    messages: [{ role: 'user', content: 'u' }],
    tools: [],
    signal: new AbortController().signal,
    silenceMs: 60_000,
    mostCharacters: 1000,
    longestMs: 300,
    onText() {},
    onWait() {},
  })
  assert.equal(step.finishReason, 'limit')
  assert.match(step.cutBy ?? '', /at most 0\.3 s/)
})

test('a list of models has bounds: bytes, models, names, and marks of pages', async (t) => {
  const { url } = await wild(t, async (write, path) => {
    if (path.startsWith('/endless')) while (await write(`{"data":[${'{"id":"x"},'.repeat(5000)}`));
    else if (path.startsWith('/many')) {
      const data = Array.from({ length: 6000 }, (_, n) => ({ id: `m${n}` }))
      await write(JSON.stringify({ data: [{ id: 'x'.repeat(1000) }, ...data] }))
    } else await write(JSON.stringify({ data: [{ id: 'm' }], has_more: true, last_id: 'x'.repeat(100_000) }))
  })
  const at = await openTalk(t)
  const of = (name: string, kind = 'openai-compatible') => ({ name, kind, baseUrl: `${url}/${name}` })
  await at.call('assistant.save-settings', { providers: [of('endless'), of('many'), of('marks', 'anthropic')] })
  const { json } = await at.request('POST', '/api/assistant/models', { limit: 10_000 })
  const told = Object.fromEntries(json.providers.map(({ name, ...rest }: Answer) => [name, rest]))
  assert.match(told.endless.error, /more than 8388608 bytes/)
  assert.deepEqual([told.many.ok, told.many.models, told.marks.models], [true, 5000, 1])
  assert.match(json.warnings.join(), /"many" 1001 of 6001 models are left out/)
})

test('depth is found without recursion', () => {
  const nested = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  assert.equal(isDeeper(nested, 64), true)
  assert.equal(isDeeper({ a: [{ b: 1 }] }, 3), false)
  assert.equal(isDeeper({ a: [{ b: 1 }] }, 2), true)
})
