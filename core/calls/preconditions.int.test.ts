/** Conditional changes over REST and MCP: `If-Match`, `expectedHash`, and who changed what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../test/http-server.ts'
import { isGatewayError } from '../contract/problems.ts'
import { gatewayTools } from '../mcp/tools.ts'
import { readIfMatch } from './preconditions.ts'

test('If-Match is read as RFC 9110 says', () => {
  assert.equal(readIfMatch(' * '), '*')
  assert.deepEqual(readIfMatch('"a"'), ['a'])
  assert.deepEqual(readIfMatch('"a,b" ,, W/"c",""'), ['a,b', 'W/"c"', ''])
  for (const wrong of ['', 'a', '"a', '"a" "b"', 'w/"a"', '*, "a"', '"a\u0001"'])
    assert.throws(
      () => readIfMatch(wrong),
      (error) => isGatewayError(error) && error.code === 'malformed_request',
      wrong,
    )
})

test('a change is made only while the object is as it was read; the refusal says who changed it', async (t) => {
  const { call, post, gateway } = await startServer(t)
  await post('/api/counter/a/actions/add-sync', { by: 1 })
  const read = await call('/api/counter/a')
  const etag = read.headers.get('etag')!
  await post('/api/counter/b/actions/add-sync', { by: 1 })
  const changed = await post('/api/counter/a/actions/add-sync', { by: 2 }, { 'if-match': `"other", ${etag}` })
  assert.deepEqual([changed.status, changed.json.value], [200, 3], 'another object has changed, not this one')

  const stale = await post('/api/counter/a/actions/add-sync', { by: 10 }, { 'if-match': etag })
  assert.deepEqual([stale.status, stale.json.code], [412, 'precondition_failed'])
  const { changedBy, currentHash } = stale.json as unknown as {
    changedBy: { actor: string; jobId: string; time: string }
    currentHash: string
  }
  assert.equal(changedBy.jobId, changed.headers.get('x-job-id'))
  assert.ok(Date.parse(changedBy.time) > 0)
  assert.match(
    stale.json.detail as string,
    new RegExp(`last change was made by ${changedBy.actor} \\(job ${changedBy.jobId}\\)`),
  )
  const now = await call('/api/counter/a')
  assert.equal(now.headers.get('etag'), `"${currentHash}"`)
  assert.equal(now.json.value, 3)
  const deleted = await call('/api/counter/a', { method: 'DELETE', headers: { 'if-match': etag } })
  assert.equal(deleted.status, 412)

  const weak = await post('/api/counter/a/actions/add-sync', {}, { 'if-match': `W/"${currentHash}"` })
  assert.match(weak.json.detail as string, /weak tag, which never matches/)
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, { 'if-match': '*' })).json.value, 4)
  const absent = await post('/api/counter/none/actions/add-sync', {}, { 'if-match': '*' })
  assert.match(absent.json.detail as string, /none does not exist/)
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, { 'if-match': 'x' })).status, 400)
  const untargeted = await post('/api/counter-pairs/actions/add-sync', { left: 'a', right: 'b' }, { 'if-match': '*' })
  assert.deepEqual([untargeted.status, untargeted.json.code], [400, 'invalid_input'])
  assert.equal((await call('/api/counter/a', { headers: { 'if-match': etag } })).status, 412, 'a read too')
  assert.equal(gateway.state.read({ id: 'counter.counters' } as never).size, 2)
})

test('the condition is checked in the turn of the command: of many at once, one succeeds', async (t) => {
  const { call, post, gateway } = await startServer(t)
  await post('/api/counter/a/actions/add-sync', {})
  const ifMatch = { 'if-match': (await call('/api/counter/a')).headers.get('etag')! }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post('/api/counter/a/actions/add-sync', { by: 1 }, ifMatch)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(412)])
  assert.equal((await call('/api/counter/a')).json.value, 2)
  const accepted = await post('/api/counter/a/actions/add', {}, ifMatch)
  assert.equal(accepted.status, 202)
  await gateway.jobs.peek(accepted.json.jobId as string)?.settled
  const job = await gateway.jobs.find(accepted.json.jobId as string)
  assert.deepEqual([job?.status, job?.error?.code], ['Failed', 'precondition_failed'])
})

test('an answer with parameters has a weak tag; the same key with another condition is another request', async (t) => {
  const { call, post } = await startServer(t)
  await post('/api/counter/a/actions/add-sync', {})
  const etag = (await call('/api/counter/a')).headers.get('etag')!
  const once = { 'idempotency-key': 'k', 'if-match': etag }
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, once)).json.value, 2)
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, once)).json.value, 2, 'the same job')
  assert.equal((await post('/api/counter/a/actions/add-sync', {}, { ...once, 'if-match': '*' })).status, 409)
})

test('MCP: reads give the hash, changes take it as expectedHash', async (t) => {
  const { gateway } = await startServer(t)
  const tools = gatewayTools(gateway)
  const caller = { actor: { name: 'bot', access: 'admin' as const } }
  const call = async (name: string, args: Record<string, unknown>) => tools.call(name, args, caller)
  await call('counter_add', { name: 'a' })
  const { hash } = (await call('counter_get', { name: 'a' })).structured as { hash: string }
  assert.match(hash, /^[\w-]{22}$/)
  const added = await call('call_operation', { operation: 'counter.add', input: { name: 'a', expectedHash: hash } })
  assert.equal(added.structured?.value, 2)
  const refused = await call('counter_add', { name: 'a', expectedHash: hash })
  assert.equal(refused.isError, true)
  assert.match(refused.text, /^precondition_failed: a is not as it was read: .* made by bot \(job /)
  assert.match((await call('counter_add', { name: 'a', expectedHash: 5 })).text, /expectedHash: must be/)
  const listed = await tools.list()
  const properties = (name: string) =>
    Object.keys((listed.find((tool) => tool.name === name)!.inputSchema as { properties: object }).properties)
  assert.ok(properties('counter_add').includes('expectedHash'))
  assert.ok(!properties('counter_get').includes('expectedHash'))
})
