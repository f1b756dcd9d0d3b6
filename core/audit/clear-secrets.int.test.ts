/** Secrets that old records hold in clear text are told and taken out, and the audit stays verifiable. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../test/built.ts'
import { commandLine } from '../../test/command-line.ts'
import { counterPlugins } from '../../test/mcp.ts'
import { openSystem, problemOf } from '../../test/system.ts'
import type { Gateway } from '../gateway.ts'
import { checkExport } from './audit-chain.ts'

const secret = 'Z5tQm8wXr2Lk0vHcB6nJ'

interface Verified {
  readonly ok: boolean
  readonly faults: readonly object[]
  readonly head: { readonly seq: number; readonly hash: string }
  readonly redacted: { readonly places: number; readonly commits: number }
  readonly clearSecrets: { readonly count: number; readonly places: readonly { seq: number; place: string }[] }
}

/** Records as gateways of before have written them. */
async function writeOld({ store }: Gateway): Promise<{ seqs: number[]; blob: string }> {
  const call = { operation: 'counter.keep-secret', input: { password: secret, token: 'sealed:x' } }
  const long = await store.blobs.stage(JSON.stringify({ reply: 'x'.repeat(9000), approval: call }))
  const group = (data: readonly [string, object][]) =>
    store.log.append(
      data.map(([type, one]) => ({ type, jobId: 'J-old', actor: 'anna', data: one })),
      [long],
    )
  const { firstSeq } = group([
    ['job.accepted', { command: 'counter.remove', access: 'admin', input: { message: 'hello' } }],
    ['job.completed', { result: { reply: 'hm', approval: { approvalId: 'A', ...call } }, startedAt: 1 }],
    ['job.accepted', { command: 'counter.remove', access: 'admin', input: {} }],
    ['job.completed', { resultBlob: long.hash, startedAt: 1 }],
    // The spelling is that of a client that the operation has not read yet.
    [
      'query.served',
      { operation: 'jobs.list', input: { calls: [{ command: call.operation, input: { Token: secret } }] } },
    ],
    // What is protected, masked or of another operation is no place.
    ['query.served', { operation: 'counter.keep-secret', input: { password: '(secret)', token: '(not shown)' } }],
    ['query.served', { operation: 'counter.keep-secret', input: { password: '(not recorded)' } }],
    ['query.served', { operation: 'counter.get', input: { name: 'password' } }],
    ['query.served', { operation: 'nobody.knows', input: { password: 'of nobody' } }],
  ])
  await store.log.flush()
  return { seqs: [1, 3, 4].map((n) => firstSeq + n), blob: long.hash }
}

async function filesWithText(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return files.filter((_, i) => contents[i]!.includes(secret))
}

test('they are told without the text, taken out by an admin, and everything goes on', async (t) => {
  const opened = await openSystem(t)
  await opened.call('counter.add', { name: 'a', by: 3 })
  const input = { password: 'a new one', token: 'another' }
  await opened.call('counter.keep-secret', input)
  // The record of this call does not keep the input of the other.
  await opened.call('jobs.execute-sync', { command: 'counter.keep-secret', input })
  assert.equal((await opened.call<Verified>('audit.verify')).clearSecrets.count, 0)
  const { seqs, blob } = await writeOld(opened.gateway)
  await opened.call('system.checkpoint')
  const before = await opened.call<Verified>('audit.verify')
  const places = before.clearSecrets.places.map(({ seq, place }) => [seq, place])
  assert.deepEqual(places, [
    [seqs[0], '/result/approval/input/password'],
    [seqs[0], '/result/approval/input/token'],
    [seqs[1], '/resultBlob/approval/input/password'],
    [seqs[1], '/resultBlob/approval/input/token'],
    [seqs[2], '/input/calls/0/input/Token'],
  ])
  assert.ok(!JSON.stringify(before).includes(secret))
  for (const access of ['viewer', 'engineer', 'operator'] as const)
    await assert.rejects(opened.call('audit.redact', {}, { actor: { name: 'x', access } }), problemOf('forbidden'))
  const tried = await opened.call<{ result: object }>('audit.redact', {}, { dryRun: true })
  assert.deepEqual(tried.result, { count: 5, places: before.clearSecrets.places })
  assert.equal((await opened.call<Verified>('audit.verify')).clearSecrets.count, 5, 'a dry run changes nothing')

  const done = await opened.call<{ count: number; seq: number }>('audit.redact', { reason: 'an old version' })
  assert.equal(done.count, 5)
  const { entries } = await opened.call<{ entries: { actor: string; data: Record<string, unknown> }[] }>('audit.list', {
    types: ['log.redacted'],
  })
  assert.equal(entries.length, 1)
  const { actor, data } = entries[0]!
  assert.deepEqual([actor, data.reason, (data.places as object[]).length], ['test', 'an old version', 5])
  assert.ok(!JSON.stringify(data).includes(secret))
  const expect = [`${before.head.seq}:${before.head.hash}`]
  const check = async (on: typeof opened) => {
    const after = await on.call<Verified>('audit.verify', { blobs: 'whole', expect })
    assert.deepEqual([after.faults, after.clearSecrets.count, after.redacted.places], [[], 0, 5])
    assert.deepEqual(await on.call('counter.get', { name: 'a' }), { name: 'a', value: 3 })
    assert.equal(await on.gateway.store.blobs.size(blob), undefined)
    const text = await on.call<string>('audit.list', { order: 'asc', chain: true, limit: 10_000, format: 'ndjson' })
    assert.ok(!text.includes(secret) && text.includes('(redacted)'))
    const report = await checkExport(
      (async function* () {
        yield* text.split('\n')
      })(),
    )
    assert.deepEqual([report.faults, report.redacted > 0], [[], true])
  }
  await check(opened)
  const again = await opened.call<{ count: number; seq?: number }>('audit.redact')
  assert.deepEqual([again.count, again.seq], [0, undefined])
  const next = await opened.restart()
  await check(next)
  await next.call('counter.add', { name: 'b' })
  await next.gateway.close()
  assert.deepEqual(await filesWithText(next.gateway.dataDir), [])
})

test('the command line tells and takes them out without a gateway', async (t) => {
  const opened = await openSystem(t)
  await opened.call('counter.add', { name: 'a', by: 3 })
  await writeOld(opened.gateway)
  await opened.gateway.close()
  const { dataDir } = opened.gateway
  const gantry = (...args: string[]) =>
    new Promise<{ code: number; answer: Verified & { seq?: number; count: number }; stderr: string }>((resolve) =>
      execFile(
        process.execPath,
        [...commandLine, 'audit', ...args, '--data-dir', dataDir, '--plugins-dir', counterPlugins],
        { cwd: root },
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, answer: JSON.parse(stdout || '{}'), stderr }),
      ),
    )
  const before = await gantry('verify')
  assert.deepEqual([before.code, before.answer.clearSecrets.count], [0, 5], before.stderr)
  assert.match(before.stderr, /^5 places of old records hold secrets in clear text; "gantry audit redact"/)
  assert.ok(!JSON.stringify(before).includes(secret))
  assert.equal((await gantry('redact', '--dry-run')).answer.count, 5)
  const done = await gantry('redact', '--reason', 'old')
  assert.deepEqual([done.code, done.answer.count], [0, 5], done.stderr)
  const { seq, hash } = before.answer.head
  const after = await gantry('verify', '--whole', '--expect', `${seq}:${hash}`)
  assert.deepEqual([after.code, after.answer.clearSecrets.count, after.answer.redacted.places], [0, 0, 5], after.stderr)
  assert.deepEqual(await filesWithText(dataDir), [])
  const next = await opened.restart()
  assert.deepEqual(await next.call('counter.get', { name: 'a' }), { name: 'a', value: 3 })
})
