/** A secret in a change that a model wants: nobody reads it anywhere, and the change is made with it all the same. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startProviders } from './fixtures/provider-server.ts'
import { type Answer, named, openTalk, result, type Talk } from './fixtures/talk.ts'

const sentinel = 'Geheim-9x7!Qwertz'

async function open(t: TestContext) {
  const [at, provider] = await Promise.all([openTalk(t), startProviders(t)])
  await at.call('projects.create', { name: 'Line', path: `${at.dir}/workspace` })
  const providers = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${provider.url}/v1` }]
  await at.call('assistant.save-settings', { model: 'p/x', providers })
  return { at, provider }
}

/** All that a reader could see: records of the log, jobs, history, approvals, and the bytes of all files. */
async function everything(at: Talk): Promise<string> {
  const seen: unknown[] = []
  for await (const records of at.gateway.store.log.read()) seen.push(records)
  const { jobs } = await at.call<Answer>('jobs.list', { limit: 1000 })
  for (const { jobId } of jobs) seen.push(await at.call('jobs.get', { jobId }))
  const viewer = { actor: { name: 'v', access: 'viewer' as const } }
  for (const operation of ['assistant.list-approvals', 'assistant.list-history', 'audit.list'])
    seen.push(await at.call(operation, {}, viewer))
  let files = ''
  for (const entry of await readdir(at.dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) files += await readFile(join(entry.parentPath, entry.name), 'latin1')
  return JSON.stringify(seen) + files
}

const create = (input: object) => ({
  name: 'call_operation',
  input: { operation: 'security.create-user', input },
})

test('the secret of a change that waits is shown nowhere, and the yes makes the change with it', async (t) => {
  const { at, provider } = await open(t)
  // Names as clients of this family spell them, and one call that is refused because of a misspelt name.
  provider.replies.push({
    calls: [
      create({ Name: 'bob', pasword: sentinel }),
      { name: 'call_operation', input: { operation: 'security.no-such', input: { password: sentinel } } },
      { name: 'no_such_tool', input: { password: sentinel } },
      create({ Name: 'anna', Password: sentinel, Roles: [] }),
    ],
  })
  const heard = await at.stream('/api/assistant/chat', { message: 'Make a user' })
  const { approval } = result(heard)
  assert.deepEqual(approval.input, { name: 'anna', password: '(secret)', roles: [] })
  assert.ok(!JSON.stringify(heard).includes(sentinel), JSON.stringify(named(heard, 'tool-call')))
  const { approvals } = (await at.request('GET', '/api/assistant/approvals')).json
  assert.deepEqual(approvals[0].input, approval.input)
  assert.ok(!(await everything(at)).includes(sentinel))

  provider.replies.push({ text: ['Made.'] })
  const after = await at.stream(`/api/assistant/approvals/${approval.approvalId}/approve`)
  assert.equal(result(after).calls[0].state, 'done', JSON.stringify(after))
  assert.ok(!JSON.stringify(after).includes(sentinel))
  assert.ok(!(await everything(at)).includes(sentinel))
  const users = await at.call<Answer>('security.list-users')
  assert.deepEqual(
    users.users.map(({ name }: Answer) => name),
    ['anna'],
  )
})
