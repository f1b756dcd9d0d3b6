/** Lists of models as providers give them: pages, what each says about tools, and answers that are no list. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Provider } from '../state.ts'
import { modelsOf } from './models.ts'

/** A server with an answer for each address; what it is asked is kept. */
async function serverOf(t: TestContext, answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { authorization, 'x-api-key': key, 'x-goog-api-key': google, 'anthropic-version': version } = request.headers
    asked.push([request.method, request.url, authorization, key, google, version].filter(Boolean).join(' '))
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404)
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: { message: 'not here' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const list = (kind: Provider['kind'], path: string, key?: string) =>
    modelsOf({ name: 'p', kind, baseUrl: url + path } as Provider, key)
  return { asked, list }
}

const yes = (name: string, title?: string) => ({ name, tools: 'yes', ...(title === undefined ? {} : { title }) })
const no = (name: string, reason = 'it cannot call tools') => ({ name, tools: 'no', reason })

test('anthropic and google: page after page; old and speechless models have no tools', async (t) => {
  const { asked, list } = await serverOf(t, {
    '/a/v1/models?limit=1000': { data: [{ id: 'claude-3', display_name: 'Three' }, 5], has_more: true, last_id: 'c/3' },
    '/a/v1/models?limit=1000&after_id=c%2F3': {
      data: [{ id: 'claude-2.1' }, { id: 'claude-instant-1' }, { id: 7 }, { id: 'my-claude-2' }],
      has_more: false,
      last_id: 'z',
    },
    '/b/v1/models?limit=1000': { data: 'none', has_more: true },
    '/g/models?pageSize=1000': {
      models: [
        { name: 'models/gemini-1', displayName: 'One', supportedGenerationMethods: ['generateContent'] },
        { name: 'models/gemma-3' },
        { name: 'models/text-embedding-1', supportedGenerationMethods: ['embedContent'] },
        { displayName: 'nameless' },
      ],
      nextPageToken: 'a b',
    },
    '/g/models?pageSize=1000&pageToken=a%20b': { models: [{ name: 'gemini-2' }, { name: 'models/imagen-3' }] },
  })
  assert.deepEqual(await list('anthropic', '/a/v1', 'k'), [
    yes('claude-3', 'Three'),
    no('claude-2.1'),
    no('claude-instant-1'),
    yes('my-claude-2'),
  ])
  assert.deepEqual(await list('anthropic', '/b/v1'), [])
  assert.deepEqual(await list('google', '/g', 'k'), [
    yes('gemini-1', 'One'),
    no('gemma-3'),
    no('text-embedding-1'),
    yes('gemini-2'),
    no('imagen-3'),
  ])
  assert.deepEqual(asked, [
    'GET /a/v1/models?limit=1000 k 2023-06-01',
    'GET /a/v1/models?limit=1000&after_id=c%2F3 k 2023-06-01',
    'GET /b/v1/models?limit=1000 2023-06-01',
    'GET /g/models?pageSize=1000 k',
    'GET /g/models?pageSize=1000&pageToken=a%20b k',
  ])
})

test('a list that never ends is read for 20 pages', async (t) => {
  const page = (id: string) => ({ data: [{ id }], has_more: true, last_id: id })
  const { asked, list } = await serverOf(t, {
    '/v1/models?limit=1000': page('m'),
    '/v1/models?limit=1000&after_id=m': page('m'),
  })
  assert.equal((await list('anthropic', '/v1')).length, 20)
  assert.equal(asked.length, 20)
})

test('compatible servers say in their own ways what can call tools', async (t) => {
  const { asked, list } = await serverOf(t, {
    '/v1/models': {
      data: [
        { id: 'plain' },
        { id: 'router', supported_parameters: ['tools', 'top_p'] },
        { id: 'router-2', supported_parameters: [] },
        { id: 'studio', capabilities: ['tool_use'] },
        { id: 'other', capabilities: ['tools'] },
        { id: 'blind', capabilities: ['vision'] },
        { id: 'mistral', capabilities: { function_calling: true } },
        { id: 'mistral-2', capabilities: { function_calling: false } },
        { id: 'mistral-3', capabilities: { vision: true } },
        { id: 'whisper-1' },
        { id: 'tts-whisper', supported_parameters: ['tools'] },
        { title: 'no id' },
        null,
      ],
    },
    '/nothing/models': {},
  })
  assert.deepEqual(await list('openai-compatible', '/v1', 'k'), [
    { name: 'plain', tools: 'unknown' },
    yes('router'),
    no('router-2'),
    yes('studio'),
    yes('other'),
    no('blind'),
    yes('mistral'),
    no('mistral-2'),
    { name: 'mistral-3', tools: 'unknown' },
    no('whisper-1', 'its name is that of no model that talks'),
    yes('tts-whisper'),
  ])
  assert.deepEqual(await list('openai-compatible', '/nothing'), [])
  assert.deepEqual(asked, ['GET /v1/models Bearer k', 'GET /nothing/models'])
})

test('what is no list is told with what the provider says', async (t) => {
  const { list } = await serverOf(t, { '/text/models': 'hello', '/array/models': [] })
  const reasonOf = (path: string) =>
    list('openai-compatible', path).then(
      () => '',
      ({ message }: Error) => message.replace(/:\d+/, ''),
    )
  assert.deepEqual(await Promise.all(['/text', '/array', '/gone'].map(reasonOf)), [
    'what is at http://127.0.0.1/text/models is no list of models',
    'what is at http://127.0.0.1/array/models is no list of models',
    'it answered 404: not here',
  ])
})
