/** Resources, and the completion of their parameters, from whatever operations a gateway has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError, problem } from '../contract/problems.ts'
import { complete } from './completion.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { LargeResults } from './results.ts'
import type { McpSession } from './sessions.ts'
import type { Tools } from './tools.ts'

const actor = { name: 'anna/editor', access: 'viewer' as const }
const pages = [
  { name: 'guide', title: 'The guide', text: 'Read it.' },
  { name: 'made', title: 'Made', text: async () => 'Made now.' },
]

/** The tools of a gateway whose operations at these paths answer so. */
function toolsWith(answers: Readonly<Record<string, unknown>>) {
  const called: unknown[] = []
  const routes = Object.entries(answers).flatMap(([path, answer]) => [
    { method: 'POST', path, operation: 'never' },
    { method: 'GET', path, operation: { path, answer } },
  ])
  const gateway = {
    registry: { routes, docs: pages, extensions: () => [] },
    jobs: { find: async (jobId: string) => (jobId === 'J1' ? { jobId, status: 'Completed' } : undefined) },
    invoke: async ({ path, answer }: { path: string; answer: unknown }, input: object, call: object) => {
      called.push([path, input, call])
      if (answer instanceof Error) throw answer
      return answer === 'a job' ? { kind: 'job' } : { kind: 'result', value: answer }
    },
  }
  const results = new LargeResults()
  return { tools: { gateway, results } as unknown as Tools, called, results }
}

const blockPath = '/api/devices/{deviceName}/blocks/{blockName}'
const refused = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail('it was read'),
    (error) => {
      assert.ok(isGatewayError(error), String(error))
      return `${error.code}: ${error.message}`
    },
  )

test('the documentation is what its operations tell, or the pages of the plugins', async () => {
  const plain = toolsWith({}).tools
  const listed = (name: string, title: string) => ({
    uri: `gantry://docs/${encodeURIComponent(name)}`,
    name: `docs/${name}`,
    title,
    mimeType: 'text/markdown',
  })
  assert.deepEqual(await listResources(plain, actor), [listed('guide', 'The guide'), listed('made', 'Made')])
  const read = (uri: string, tools: Tools) => readResource(uri, tools, actor)
  for (const [name, text] of [
    ['guide', 'Read it.'],
    ['m%61de', 'Made now.'],
  ]) {
    const uri = `gantry://docs/${name}`
    assert.deepEqual(await read(uri, plain), { uri, mimeType: 'text/markdown', text })
  }
  assert.equal(
    await refused(read('gantry://docs/giude', plain)),
    'not_found: There is no documentation section "giude". Did you mean "guide"? There is: "guide", "made".',
  )
  const sections = [{ name: 'a b', title: 'A' }, { name: 'c', title: 3 }, { title: 'no name' }, 'none']
  const { tools, called } = toolsWith({ '/api/docs/sections': { sections } })
  assert.deepEqual(await listResources(tools, actor), [listed('a b', 'A'), listed('c', 'c')])
  assert.deepEqual(called, [['/api/docs/sections', {}, { actor }]])
  for (const odd of ['a job', 'text', { sections: {} }])
    assert.deepEqual(await listResources(toolsWith({ '/api/docs/sections': odd }).tools, actor), [])
  const path = '/api/docs/sections/{sectionName}'
  for (const [answer, text] of [
    ['a text', 'a text'],
    [{ text: 'its text', content: 'other' }, 'its text'],
    [{ content: 'its content' }, 'its content'],
    [{ other: 1 }, '{\n "other": 1\n}'],
    ['a job', 'null'],
  ]) {
    const with1 = toolsWith({ [path]: answer })
    assert.equal((await read('gantry://docs/x%2Fy', with1.tools)).text, text)
    assert.deepEqual(with1.called, [[path, { sectionName: 'x/y' }, { actor }]])
  }
})

test('a block is its source, its XML, or what the operation answers', async () => {
  for (const [answer, mimeType, text] of [
    ['FUNCTION', 'text/plain', 'FUNCTION'],
    [{ sourceText: 'FB', rawXml: '<a/>' }, 'text/plain', 'FB'],
    [{ sourceText: '', rawXml: '<a/>' }, 'application/xml', '<a/>'],
    [{ sourceText: 3, rawXml: '' }, 'application/json', '{\n "sourceText": 3,\n "rawXml": ""\n}'],
    ['a job', 'application/json', 'null'],
  ] as const) {
    const { tools, called } = toolsWith({ [`${blockPath}/content`]: answer })
    const uri = 'gantry://devices/PLC%201/blocks/A%2FB'
    assert.deepEqual(await readResource(uri, tools, actor), { uri, mimeType, text })
    assert.deepEqual(called, [[`${blockPath}/content`, { deviceName: 'PLC 1', blockName: 'A/B' }, { actor }]])
  }
  const both = toolsWith({ [`${blockPath}/content`]: 'content', [`${blockPath}/source`]: 'source' }).tools
  assert.equal((await readResource('gantry://devices/a/blocks/b', both, actor)).text, 'source')
  const uris = (tools: Tools) => listTemplates(tools).map(({ uriTemplate }) => uriTemplate)
  assert.deepEqual(uris(both), [
    'gantry://docs/{section}',
    'gantry://devices/{device}/blocks/{block}',
    'gantry://jobs/{jobId}',
    'gantry://results/{id}',
  ])
  assert.deepEqual(uris(toolsWith({}).tools), [
    'gantry://docs/{section}',
    'gantry://jobs/{jobId}',
    'gantry://results/{id}',
  ])
})

test('jobs and long results are read by their ids; what is none of these is not found', async () => {
  const { tools, results } = toolsWith({})
  const read = (uri: string) => readResource(uri, tools, actor)
  const job = { uri: 'gantry://jobs/J1', mimeType: 'application/json' }
  assert.deepEqual(await read(job.uri), { ...job, text: '{\n "jobId": "J1",\n "status": "Completed"\n}' })
  assert.equal(await refused(read('gantry://jobs/J2')), 'not_found: There is no job "J2".')
  const uri = results.keep('anna', 'the whole', 'text/csv')!
  const { text, mimeType } = await read(uri)
  assert.deepEqual([text, mimeType], ['the whole', 'text/csv'])
  const other = results.keep('eve', 'of another key', 'text/csv')!
  for (const unknown of [
    other,
    'gantry://docs',
    'gantry://docs/guide/x',
    'gantry://jobs/',
    'gantry://jobs/J1/x',
    `${uri}/x`,
    'gantry://devices/a/blocks/b',
    'gantry://devices/a/types/b',
    'gantry://%zz/a',
    'file:///docs/guide',
    '',
  ])
    assert.equal(await refused(read(unknown)), `not_found: There is no resource "${unknown}".`)
})

test('a parameter is completed from a list, what begins with the text first', async () => {
  const session = { caller: actor } as McpSession
  const devicesPath = '/api/projects/devices'
  const blocksPath = '/api/devices/{deviceName}/blocks'
  const block = 'gantry://devices/{device}/blocks/{block}'
  const at = (answers: Readonly<Record<string, unknown>>) => {
    const { tools, called } = toolsWith(answers)
    const values = async (uri: string, name: string, value: string, given: Record<string, string> = {}) =>
      complete({ ref: { type: 'ref/resource', uri }, argument: { name, value }, given }, tools, session)
    return { values, called, tools }
  }
  const devices = [...['b1', 'AB', 'a', 'Ba', 'a'].map((name) => ({ name })), { name: 3 }, 'none']
  const { values, called } = at({ [devicesPath]: { devices }, [blocksPath]: { blocks: [{ name: 'Main' }] } })
  assert.deepEqual(await values(block, 'device', 'A'), { values: ['AB', 'a', 'Ba'], total: 3, hasMore: false })
  assert.deepEqual((await values(block, 'device', '')).values, ['b1', 'AB', 'a', 'Ba'])
  for (const given of [{}, { device: '' }]) assert.equal((await values(block, 'block', 'M', given)).total, 0)
  assert.deepEqual((await values(block, 'block', 'm', { device: 'PLC_1' })).values, ['Main'])
  assert.deepEqual(called, [
    [devicesPath, { q: 'A' }, { actor }],
    [devicesPath, {}, { actor }],
    [blocksPath, { deviceName: 'PLC_1', q: 'm' }, { actor }],
  ])
  assert.equal((await values('gantry://results/{id}', 'id', '')).total, 0)
  assert.equal((await values('gantry://jobs/{jobId}', 'jobId', '')).total, 0, 'there is no such operation')
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `d${n}` }))
  const page = async (count: number) => {
    const {
      values: all,
      total,
      hasMore,
    } = await at({ [devicesPath]: { devices: many(count) } }).values(block, 'device', 'd')
    return [all.length, all.at(-1), total, hasMore]
  }
  assert.deepEqual(await page(100), [100, 'd99', 100, false])
  assert.deepEqual(await page(101), [100, 'd99', 101, true])
  for (const odd of ['a job', 'text', { devices: 'none' }, problem('no_project', 'No project is open.')])
    assert.deepEqual(await at({ [devicesPath]: odd }).values(block, 'device', ''), {
      values: [],
      total: 0,
      hasMore: false,
    })
  await assert.rejects(at({ [devicesPath]: new TypeError('a fault') }).values(block, 'device', ''), /a fault/)
  const wrong = (message: string) => ({ code: -32602, message })
  await assert.rejects(values('gantry://x', 'id', ''), wrong('There is no resource template "gantry://x".'))
  await assert.rejects(values(block, 'id', ''), wrong(`The resource template "${block}" has no parameter "id".`))
  const prompt = (name?: string) =>
    complete(
      {
        ref: { type: 'ref/prompt', ...(name === undefined ? {} : { name }) },
        argument: { name: 'a', value: '' },
        given: {},
      },
      at({}).tools,
      session,
    )
  await assert.rejects(prompt('none'), wrong('There is no prompt "none".'))
})
